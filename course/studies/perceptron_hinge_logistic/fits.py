"""Linear classifiers of the plane by the loss that they minimise."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from course.studies.perceptron_hinge_logistic.scenes import Scene, mean
from probml.linear_model import LinearRegression, LinearSVC, LogisticRegression
from probml.losses import Logistic
from probml.objectives import LinearObjective
from probml.solvers import newton

Array = NDArray[np.float64]
SHARPEST = 4.0**10  # of the logistic losses that stand in for the hinge


class Line(NamedTuple):
    """z = w · x + b, and the class of its sign."""

    w: Array
    b: float

    def score(self, X: Array) -> Array:
        """z, shape (m,)."""
        return X @ self.w + self.b

    def error(self, distance: float) -> float:
        """Probability of the wrong sign for a new example of `clouds`, exactly: z is normal in either class."""
        length = np.linalg.norm(self.w)
        along = self.w @ mean(distance)
        return float(ndtr(-(along + self.b) / length) + ndtr(-(along - self.b) / length)) / 2


def perceptron_passes(scene: Scene, order: NDArray[np.intp], passes: int) -> tuple[list[Line], list[Line]]:
    """Where the perceptron is after each pass, and the average of (w, b) after each example until then.

    The average is that of Freund and Schapire (1999). The examples come in the same order in every pass.
    """
    X, y = scene.with_ones[order], scene.y[order]
    theta, total = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    last, average = [], []
    for k in range(1, passes + 1):
        for x, sign in zip(X, y, strict=True):
            if sign * (x @ theta) <= 0:
                theta = theta + sign * x
            total += theta
        last.append(_line(theta))
        average.append(_line(total / (k * len(y))))
    return last, average


def squared(scene: Scene) -> Line:
    """Least squares on y = ±1: the loss (1 - y z)² / 2, since y² = 1."""
    model = LinearRegression().fit(scene.X, scene.y)
    return Line(model.coef_, model.intercept_)


def logistic(scene: Scene, l2: float) -> Line:
    """Logistic regression, with a penalty so that there is a minimum for separated classes, too."""
    model = LogisticRegression(l2=l2).fit(scene.X, scene.y)
    return Line(model.coef_[0], float(model.intercept_[0]))


def squared_hinge(scene: Scene, l2: float) -> Line:
    """The support vector machine with squared hinge: sum_i max(0, 1 - y_i z_i)² / 2 + l2/2 |w|²."""
    model = LinearSVC(l2=l2).fit(scene.X, scene.y)
    return Line(model.coef_[0], float(model.intercept_[0]))


def hinge(scene: Scene, l2: float) -> Line:
    """The support vector machine: sum_i max(0, 1 - y_i z_i) + l2/2 |w|², as the limit of logistic losses.

    (1/β) log(1 + e^(-β (t - 1))), with t = y z, is above the hinge by at most log 2 / β. Since y² = 1, t - 1 is
    y (z - y), and so it is 1/β times the logistic loss of β z - β y: features β x, offset -β y. Newton's method follows
    the minimum as β grows by fours.
    """
    codes, start = (scene.y > 0).astype(np.float64), np.zeros(3)
    beta = 1.0
    while beta <= SHARPEST:
        objective = LinearObjective(beta * scene.X, codes, Logistic(), l2=beta * l2, offset=-beta * scene.y)
        theta = newton(objective, start * [1, 1, beta], tolerance=1e-12, max_iterations=500).theta
        start = theta / [1, 1, beta]
        beta *= 4
    return _line(start)


def _line(theta: Array) -> Line:
    return Line(theta[:-1], float(theta[-1]))
