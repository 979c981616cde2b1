"""The perceptron: learn from mistakes only."""

import warnings
from collections.abc import Iterator
from dataclasses import field
from itertools import pairwise
from time import perf_counter
from typing import NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from probml.compiled import can_compile, compiled
from probml.inputs import is_number, is_whole, parameters
from probml.linear_model.base import LinearClassifier
from probml.linear_model.design import divided, magnitudes
from probml.linear_model.minimum import Minimum
from probml.linear_model.rows import in_ordinary_unit
from probml.linear_model.solving import row_squares
from probml.losses import PerceptronLoss
from probml.objectives import LinearObjective
from probml.solvers import Certificate, Solution, Step
from probml.typing import Array, Indices, Matrix

ROWS_WORTH_COMPILING = 150_000  # rows to look at from which on it pays to wait, once, for the compiler
PASSES_TO_COME = 20  # that are expected
Number = TypeVar("Number", bound=np.generic)


class Passes(NamedTuple):
    """Where passes over the examples have led: θ, shape (p,), a step for each, and mistakes, in all and in the last.

    not_separable : whether they ended because no hyperplane can have a margin of `tol`.
    """

    theta: Array
    trace: tuple[Step, ...]
    n_mistakes: int
    mistakes: int
    not_separable: bool


@parameters
class Perceptron(LinearClassifier):
    r"""Learn from each example in turn that is on the wrong side, or on the line, with y_i = -1 or 1.

    .. math::
        \text{if } y_i z_i \le 0: \quad w \leftarrow w + s_i y_i x_i, \quad b \leftarrow b + s_i y_i

    If some (w, b) of length 1 has y_i z_i ≥ γ for all examples, and |(x_i, 1)| ≤ R, a mistake takes the perceptron at
    least s_i γ further in that direction. So, after mistakes with weights of S in all,

    .. math::
        \gamma \le |(w, b)| / S, \quad \text{for weights of 1 at most } R / \sqrt{S}

    so that there are no more than (R / γ)² mistakes (Novikoff 1962), and the last pass makes none. If there is no such
    (w, b) mistakes never end, but show how narrow a margin would have to be: |(w, b)| stays bounded, and S grows. The
    fit is over after a pass without mistakes; when the longest (w, b) at the end of a pass, over S, is below `tol` · R,
    with columns scaled to a largest value of 1; or after `max_iter` passes. The last two give a ConvergenceWarning, and
    (w, b) is where it happens to be.

    X : dense or CSR, shape (m, n). y : labels of two classes, shape (m,). sample_weight : s, the length of a step.

    Parameters
    ----------
    fit_intercept : whether there is a b; without it, R is that of x alone.
    tol : the margin, as a share of R, below which classes count as not separable; 0: go on to the last pass.
    max_iter : passes over the examples.
    class_weight, warm_start : as in LogisticRegression. With a warm start |(w, b)| above is the way from there.

    Attributes
    ----------
    classes_ (2,), coef_ (1, n), intercept_ (1,), n_iter_ passes, n_mistakes_, solution_
    """

    tol: float = 1e-4
    max_iter: int = 1000
    # What other linear models may be told, and the perceptron may not.
    l2: float = field(default=0.0, init=False)
    solver: str = field(default="auto", init=False)
    solver_options: None = field(default=None, init=False)
    random_state: int = field(default=0, init=False)

    def __sklearn_tags__(self) -> Tags:
        """Two classes only."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (m, n), and labels y, shape (m,), in the order in which they are."""
        if not (is_whole(self.max_iter) and self.max_iter >= 1):
            raise ValueError(f"max_iter must be a whole number of at least 1, received {self.max_iter!r}")
        if not (is_number(self.tol) and 0 <= self.tol < 1):
            raise ValueError(f"tol must be a number of at least 0 and below 1, received {self.tol!r}")
        rows, codes, classes = self._labelled(X, y, sample_weight)
        if len(classes) > 2:
            raise ValueError(
                f"Only binary classification is supported by Perceptron: y has {len(classes)} classes. Use "
                "LogisticRegression or LinearSVC"
            )
        given, (X, scale) = X, rescaled(rows.X)
        weight, _, unit = in_ordinary_unit(rows.weight)  # θ is a sum of steps, and has their unit
        sign = np.where(codes == 1, 1.0, -1.0)
        n = X.shape[1]
        start = np.zeros(n + self.fit_intercept) if (last := self._last(1)) is None else last[0]
        start[:n] *= scale
        start /= unit
        passes = self._passes(X, sign, weight, start, unit)
        self.n_mistakes_, theta, mistakes = passes.n_mistakes, passes.theta, passes.mistakes
        value, norm = passes.trace[-1].value, passes.trace[-1].gradient_norm
        reason = f"{mistakes} mistakes in pass {len(passes.trace)}"
        theta[:n] /= scale
        theta *= unit
        # The loss is 0 without mistakes, and never below: what it is, is the gap.
        solution = Solution(theta, value, passes.trace, Certificate(not mistakes, value, reason))
        if mistakes:
            end = (
                f"when no hyperplane can have a margin of tol={self.tol:g} times the length of the longest row"
                if passes.not_separable
                else f"the last of max_iter={self.max_iter}"
            )
            warnings.warn(
                f"the perceptron still makes {reason}, {end} (gap: at most {value:.3g}, largest entry of the gradient "
                f"{norm:.3g}). Classes that no hyperplane separates have no solution: use LogisticRegression or "
                "LinearSVC.",
                ConvergenceWarning,
                stacklevel=3,
            )
        intercept = theta[n:] if self.fit_intercept else np.zeros(1)
        self._keep(given, Minimum(theta[None, :n], intercept, solution), classes)
        self.solution_ = solution
        return self

    def _passes(self, X: Matrix, sign: Array, weight: Array | None, start: Array, unit: float) -> Passes:
        """Passes over the examples until one makes no mistake, no margin is left to hope for, or they are `max_iter`.

        start : θ, shape (n + 1,) or (n,). The trace has values and gradients of F, the sum of s_i max(0, -y_i z_i),
        times unit² and unit.
        """
        steps: Array = sign if weight is None else sign * weight
        objective = LinearObjective(X, sign, PerceptronLoss(), intercept=self.fit_intercept, weight=weight)
        m, n = X.shape
        theta, trace, begun = start.copy(), [], perf_counter()
        columns = np.where((largest := magnitudes(X)) > 0, largest, 1.0)  # their units have no part in the margin
        R = np.sqrt(row_squares(divided(X, columns)).max() + self.fit_intercept) or 1.0  # of rows of zeros θ stays 0
        columns = np.append(columns, np.ones(len(theta) - n))
        n_mistakes, path_length, longest, not_separable = 0, 0.0, 0.0, False
        for iteration in range(1, self.max_iter + 1):
            many = m * min(iteration + PASSES_TO_COME, self.max_iter) > ROWS_WORTH_COMPILING
            mistakes, path = (compiled_pass if many else one_pass)(X, sign, steps, theta[:n], theta[n:])
            n_mistakes += mistakes
            path_length += path
            longest = max(longest, float(np.linalg.norm((theta - start) / columns) / R))
            value, gradient = objective.value_and_gradient(theta)
            value, norm = float(value) * unit * unit, float(np.abs(gradient).max(initial=0.0)) * unit
            flops = 2.0 * iteration * m * len(theta)
            trace.append(Step(iteration, float(iteration), flops, perf_counter() - begun, value, norm))
            not_separable = longest < self.tol * path_length
            if not mistakes or not_separable:
                break
        return Passes(theta, tuple(trace), n_mistakes, mistakes, not_separable)


def one_pass(X: Matrix, sign: Array, steps: Array, w: Array, b: Array) -> tuple[int, float]:
    """One pass over all examples, which changes w, shape (n,), and b, shape (1,), or (0,) if there is none.

    Returns the number of mistakes, and the length of their steps, sum_i s_i.
    """
    rows: Iterator[tuple[slice | Indices, Array]]  # where each may be other than 0, and its values there
    if isinstance(X, np.ndarray):
        rows = ((slice(None), x) for x in X)
    else:
        rows = ((X.indices[start:end], X.data[start:end]) for start, end in pairwise(X.indptr.tolist()))
    shift, mistakes, length = float(b.sum()), 0, 0.0
    for (where, x), sign_i, step in zip(rows, sign.tolist(), steps.tolist(), strict=True):
        if sign_i * (x @ w[where] + shift) <= 0:
            w[where] += step * x
            shift += step * len(b)
            mistakes += 1
            length += abs(step)
    b[:] = shift
    return mistakes, length


def compiled_pass(X: Matrix, sign: Array, steps: Array, w: Array, b: Array) -> tuple[int, float]:
    """The same by compiled loops, of which the first takes a second or two to be there; by its own without Numba.

    They add up products one after the other, which may change the last digit of z.
    """
    if not can_compile():
        return one_pass(X, sign, steps, w, b)
    sign, steps = only_read(sign), only_read(steps)
    if isinstance(X, np.ndarray):
        return dense_pass(only_read(X), sign, steps, w, b)
    return sparse_pass(only_read(X.data), only_read(X.indices), only_read(X.indptr), sign, steps, w, b)


@compiled
def dense_pass(X: Array, sign: Array, steps: Array, w: Array, b: Array) -> tuple[int, float]:
    """`one_pass` for X of shape (m, n)."""
    mistakes, length = 0, 0.0
    for i in range(len(X)):
        z = 0.0
        for j in range(len(w)):
            z += X[i, j] * w[j]
        if sign[i] * (z + b.sum()) <= 0:
            for j in range(len(w)):
                w[j] += steps[i] * X[i, j]
            b += steps[i]
            mistakes += 1
            length += abs(steps[i])
    return mistakes, length


@compiled
def sparse_pass(
    data: Array, indices: Indices, indptr: Indices, sign: Array, steps: Array, w: Array, b: Array
) -> tuple[int, float]:
    """`one_pass` for the stored entries of a CSR matrix."""
    mistakes, length = 0, 0.0
    for i in range(len(sign)):
        z = 0.0
        for at in range(indptr[i], indptr[i + 1]):
            z += data[at] * w[indices[at]]
        if sign[i] * (z + b.sum()) <= 0:
            for at in range(indptr[i], indptr[i + 1]):
                w[indices[at]] += steps[i] * data[at]
            b += steps[i]
            mistakes += 1
            length += abs(steps[i])
    return mistakes, length


def only_read(values: NDArray[Number]) -> NDArray[Number]:
    """A view in rows, that cannot be written to: one type for the compiler, whatever the caller has given."""
    view = np.ascontiguousarray(values).view()
    view.flags.writeable = False
    return view


def rescaled(X: Matrix) -> tuple[Matrix, float]:
    """X / c and c, a power of two: 1, unless products of numbers as large, or as small, as those of X are not numbers.

    Steps of the intercept are then of the size of those of w, which is another order of mistakes, not another aim.
    """
    largest = float(magnitudes(X).max(initial=0.0))
    if largest == 0 or 1e-100 < largest < 1e100:
        return X, 1.0
    scale = float(np.ldexp(1.0, np.frexp(largest)[1] - 1))
    return divided(X, np.full(X.shape[1], scale)), scale
