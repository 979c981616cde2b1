"""Linear models without a tolerance to tune: least squares, and the perceptron on classes that overlap."""

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression as PeerRegression
from sklearn.linear_model import Perceptron as PeerPerceptron

from benchmarks.row import Row, Side
from benchmarks.rows.classifiers import Problem, size_of, title
from probml.linear_model import LinearRegression, Perceptron

PASSES = 10


def _regression() -> Problem:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100_000, 50)) + rng.standard_normal(50)
    y = X @ rng.standard_normal(50) + rng.standard_normal(len(X))
    return Problem("random", X, y, X[:1000])


def _overlapping() -> Problem:
    """Classes that no hyperplane separates, of small whole numbers: sums are exact, and so are the mistakes."""
    rng = np.random.default_rng(0)
    X = rng.integers(-8, 9, (20_000, 40)).astype(np.float64)
    z = X @ rng.standard_normal(40) / 15
    return Problem("random, overlapping", X, (rng.uniform(size=len(X)) < 1 / (1 + np.exp(-z))).astype(int), X[:1000])


def _side(model: BaseEstimator) -> Side:
    def run(problem: Problem) -> BaseEstimator:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return clone(model).fit(problem.X, problem.y)

    def answer(_: Problem, fitted: BaseEstimator) -> tuple:
        return np.ravel(fitted.coef_), np.ravel(fitted.intercept_)

    return Side(title(model), lambda problem: problem, run, answer)


def _row(name: str, work: str, setup: Callable[[], Problem], ours: BaseEstimator, peer: BaseEstimator) -> Row:
    return Row(
        name, f"{work}: fit", setup, lambda problem: size_of(problem.name, problem.X), _side(ours), (_side(peer),)
    )


ROWS = (
    _row("least-squares", "linear regression", _regression, LinearRegression(), PeerRegression()),
    _row(
        "perceptron",
        f"perceptron, {PASSES} passes over classes that are not separable",
        _overlapping,
        Perceptron(max_iter=PASSES, tol=0),
        PeerPerceptron(max_iter=PASSES, tol=None, shuffle=False),
    ),
)
