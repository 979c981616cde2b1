"""Linear classifiers by the loss that they minimise."""

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from course.studies.perceptron_hinge_logistic.scenes import Scene
from probml.linear_model import LinearRegression, LinearSVC, LogisticRegression, Perceptron
from probml.losses import Logistic
from probml.objectives import LinearObjective
from probml.solvers import newton

Array = NDArray[np.float64]


class Line(NamedTuple):
    """z = w · x + b, and the class of its sign."""

    w: Array
    b: float

    def score(self, X: Array) -> Array:
        """z, shape (m,)."""
        return X @ self.w + self.b

    def error(self, scene: Scene) -> float:
        """Share of examples on the wrong side; z = 0 counts as class -1."""
        return float(np.mean(np.where(self.score(scene.X) > 0, 1.0, -1.0) != scene.y))

    def angle(self) -> float:
        """Of w, in degrees, from the first axis."""
        return float(np.degrees(np.arctan2(self.w[1], self.w[0])))


def perceptron(scene: Scene, order: NDArray[np.intp], passes: int) -> Line:
    """Where the perceptron is after its last pass over the examples in this order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = Perceptron(max_iter=passes).fit(scene.X[order], scene.y[order])
    return Line(model.coef_[0], float(model.intercept_[0]))


def averaged_perceptron(scene: Scene, order: NDArray[np.intp], passes: int) -> Line:
    """The mean of (w, b) after each example of all passes (Freund and Schapire 1999), wherever the last one is."""
    X, y = scene.with_ones[order], scene.y[order]
    theta, total = np.zeros(3), np.zeros(3)
    for _ in range(passes):
        for x, sign in zip(X, y, strict=True):
            if sign * (x @ theta) <= 0:
                theta = theta + sign * x
            total += theta
    mean = total / (passes * len(y))
    return Line(mean[:2], float(mean[2]))


def squared(scene: Scene) -> Line:
    """Least squares on y = ±1: the loss (1 - y z)² / 2, since y² = 1."""
    model = LinearRegression().fit(scene.X, scene.y)
    return Line(model.coef_, model.intercept_)


def logistic(scene: Scene, l2: float) -> Line:
    """Logistic regression, with a penalty so that there is a minimum also for separated classes."""
    model = LogisticRegression(l2=l2).fit(scene.X, scene.y)
    return Line(model.coef_[0], float(model.intercept_[0]))


def squared_hinge(scene: Scene, l2: float) -> Line:
    """The support vector machine with squared hinge."""
    model = LinearSVC(l2=l2).fit(scene.X, scene.y)
    return Line(model.coef_[0], float(model.intercept_[0]))


def hinge(scene: Scene, l2: float) -> Line:
    """The support vector machine: sum_i max(0, 1 - y_i z_i) + l2/2 |w|², as the limit of logistic losses.

    (1/β) log(1 + e^(-β (m - 1))) is above the hinge by at most log 2 / β. With y (z - y) = m - 1, since y² = 1, it is
    1/β times the logistic loss of the predictor β z - β y: features β x, offset -β y. Newton's method follows the
    minimum as β grows by fours; the last one is a million.
    """
    codes, start = (scene.y > 0).astype(np.float64), np.zeros(3)
    for beta in 4.0 ** np.arange(11):
        objective = LinearObjective(beta * scene.X, codes, Logistic(), l2=beta * l2, offset=-beta * scene.y)
        theta = newton(objective, start * [1, 1, beta], tolerance=1e-12, max_iterations=500).theta
        start = theta / [1, 1, beta]
    return Line(start[:2], float(start[2]))


def as_probability(line: Line, X: Array) -> Array:
    """σ(z): the probability of the second class if z were its log odds. Shape (m,)."""
    return expit(line.score(X))
