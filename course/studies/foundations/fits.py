"""Fitted classifiers, as scores whose sign is the answer."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from course.studies.foundations.normals import Array, PlaneNormals, Score
from probml.gda import GDA
from probml.linear_model import LogisticRegression
from probml.naive_bayes import GaussianNB

L2 = 1e-3  # of logistic regression: small samples may be separated, and then have no maximum likelihood estimate


def squares(X: Array) -> Array:
    """x_1, x_2, x_1², x_2², x_1 x_2: the features of a conic section. Shape (m, 5)."""
    return np.column_stack([X, X**2, X[:, 0] * X[:, 1]])


def linear_logistic(X: Array, y: NDArray[np.intp]) -> Score:
    """Logistic regression on x: a line."""
    return LogisticRegression(l2=L2).fit(X, y).decision_function


def quadratic_logistic(X: Array, y: NDArray[np.intp]) -> Score:
    """Logistic regression on x and the products of its parts: a conic section."""
    model = LogisticRegression(l2=L2).fit(squares(X), y)
    return lambda points: model.decision_function(squares(points))


def gda(X: Array, y: NDArray[np.intp]) -> Score:
    """GDA with a covariance for each class: a conic section."""
    return GDA(covariance="per-class").fit(X, y).decision_function


def naive_bayes(X: Array, y: NDArray[np.intp]) -> Score:
    """Gaussian naive Bayes: a conic section with its axes along those of the plane."""
    joint = GaussianNB().fit(X, y).predict_joint_log_proba
    return lambda points: np.diff(joint(points), axis=1).ravel()


FITS = {
    "GDA": gda,
    "naive Bayes": naive_bayes,
    "logistic, quadratic": quadratic_logistic,
    "logistic, linear": linear_logistic,
}


def best_line(problem: PlaneNormals) -> float:
    """The smallest error of any line: by the direction of its normal and its distance, from twelve directions."""

    def error(line: Array) -> float:
        w = np.array([np.cos(line[0]), np.sin(line[0])])
        return problem.error(lambda X: X @ w - line[1])

    starts = [(angle, 0.0) for angle in np.linspace(0, 2 * np.pi, 12, endpoint=False)]
    options = {"xatol": 1e-7, "fatol": 1e-10}
    return min(minimize(error, start, method="Nelder-Mead", options=options).fun for start in starts)
