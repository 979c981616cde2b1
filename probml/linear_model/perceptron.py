"""The perceptron: learn from mistakes only."""

import warnings
from numbers import Integral
from time import perf_counter
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from probml.linear_model.base import Array
from probml.linear_model.binary import BinaryClassifier
from probml.linear_model.design import Matrix, divided, magnitudes
from probml.losses import PerceptronLoss
from probml.objectives import LinearObjective
from probml.solvers import Certificate, Solution, Step


class Perceptron(BinaryClassifier):
    """For each example in turn, if y_i z_i ≤ 0:   w ← w + s_i y_i x_i,   b ← b + s_i y_i,     y_i = -1 or 1.

    If some (w, b) of length 1 has y_i z_i ≥ γ for all examples, and |(x_i, 1)| ≤ R, there are at most (R / γ)²
    mistakes in all (Novikoff 1962; for weights of 1), and the last pass makes none. Otherwise it never ends: after
    `max_iterations` passes there is a ConvergenceWarning, and (w, b) is where it happens to be.

    X : dense or CSR, shape (m, n). y : labels of two classes, shape (m,). sample_weight : s, the length of a step.

    Attributes
    ----------
    classes_ (2,), coef_ (1, n), intercept_ (1,), n_iter_ passes, n_mistakes_, solution_
    """

    def __init__(self, *, fit_intercept: bool = True, max_iterations: int = 1000) -> None:
        super().__init__(fit_intercept=fit_intercept, max_iterations=max_iterations)

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (m, n), and labels y, shape (m,), in the order in which they are."""
        if not (isinstance(self.max_iterations, Integral) and self.max_iterations >= 1):
            raise ValueError(f"max_iterations must be a whole number of at least 1, received {self.max_iterations!r}")
        rows, codes, classes = self._two_classes(X, y, sample_weight)
        X, scale = tamed(rows.X)
        signs = 2.0 * codes - 1
        steps = signs if rows.weight is None else signs * rows.weight
        objective = LinearObjective(X, signs, PerceptronLoss(), intercept=self.fit_intercept, weight=rows.weight)
        theta, self.n_mistakes_, trace, begun = np.zeros(objective.n_parameters), 0, [], perf_counter()
        for iteration in range(1, self.max_iterations + 1):
            mistakes = self._pass(X, signs, steps, theta)
            self.n_mistakes_ += mistakes
            value, gradient = objective.value_and_gradient(theta)
            norm = float(np.abs(gradient).max(initial=0.0))
            flops = 2.0 * iteration * X.shape[0] * len(theta)
            trace.append(Step(iteration, float(iteration), flops, perf_counter() - begun, value, norm))
            if not mistakes:
                break
        n, reason = X.shape[1], f"{mistakes} mistakes in pass {iteration}"
        theta[:n] /= scale
        # The loss is 0 without mistakes, and never below: what it is, is the gap.
        self.solution_ = Solution(theta, value, tuple(trace), Certificate(not mistakes, value, reason))
        if mistakes:
            warnings.warn(
                f"the perceptron still makes {reason}, the last of max_iterations={self.max_iterations} (gap: at most "
                f"{value:.3g}, largest entry of the gradient {norm:.3g}). Classes that no hyperplane separates have no "
                "solution: use LogisticRegression or LinearSVC.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.n_iter_, self.classes_ = iteration, classes
        self.coef_, self.intercept_ = theta[None, :n], theta[n:] if self.fit_intercept else np.zeros(1)
        return self

    def _pass(self, X: Matrix, signs: Array, steps: Array, theta: Array) -> int:
        """One pass over all examples, which changes theta. Returns the number of mistakes."""
        n, mistakes = X.shape[1], 0
        for i in range(X.shape[0]):
            where, x = row(X, i)
            if signs[i] * (x @ theta[where] + theta[n:].sum()) <= 0:
                theta[where] += steps[i] * x
                theta[n:] += steps[i]
                mistakes += 1
        return mistakes


def row(X: Matrix, i: int) -> tuple[slice | Array, Array]:
    """Where row i may be other than 0, and its values there."""
    if not sparse.issparse(X):
        return slice(X.shape[1]), X[i]
    stored = slice(X.indptr[i], X.indptr[i + 1])
    return X.indices[stored], X.data[stored]


def tamed(X: Matrix) -> tuple[Matrix, float]:
    """X / c and c, a power of two: 1, unless products of numbers as large, or as small, as those of X are not numbers.

    Steps of the intercept are then of the size of those of w, which is another order of mistakes, not another aim.
    """
    largest = float(magnitudes(X).max(initial=0.0))
    if largest == 0 or 1e-100 < largest < 1e100:
        return X, 1.0
    scale = float(np.ldexp(1.0, np.frexp(largest)[1] - 1))
    return divided(X, np.full(X.shape[1], scale)), scale
