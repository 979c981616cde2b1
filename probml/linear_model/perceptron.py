"""The perceptron: learn from mistakes only."""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from probml.compiled import can_compile, compiled, twin_of
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

ROWS_WORTH_COMPILING = 150_000  # that the plain loop may look at in a process before it waits, once, for the compiler
EPSILON = float(np.finfo(float).eps)
LENGTHS_AT_A_TIME = 1000  # of rows
Entries: TypeAlias = tuple[NDArray[Any], ...]  # (X,), or (data, indices, indptr) of a CSR matrix


class Passes(NamedTuple):
    """Where passes over the examples have led: θ, shape (p,), how many there were, mistakes in all and in the last.

    hopeless : whether they ended because no hyperplane can have the margin that was asked for.
    """

    theta: Array
    passes: int
    n_mistakes: int
    mistakes: int
    hopeless: bool


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
    classes_ (2,), coef_ (1, n), intercept_ (1,), n_iter_ passes, n_mistakes_, solution_ (its trace: the end)
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
        given, (X, scale, largest) = X, rescaled(rows.X)
        weight, _, unit = in_ordinary_unit(rows.weight)  # θ is a sum of steps, and has their unit
        y = np.where(codes == 1, 1.0, -1.0)
        n, begun = X.shape[1], perf_counter()
        start = np.zeros(n + self.fit_intercept) if (last := self._last(1)) is None else last[0]
        start[:n] *= scale
        start /= unit
        found = learned(X, y, weight, start, largest, self.tol, self.max_iter)
        objective = LinearObjective(X, y, PerceptronLoss(), intercept=self.fit_intercept, weight=weight)
        value, gradient = objective.value_and_gradient(found.theta)
        value, norm = float(value) * unit * unit, float(np.abs(gradient).max(initial=0.0)) * unit
        flops = 2.0 * found.passes * len(y) * len(start)
        end = Step(found.passes, float(found.passes), flops, perf_counter() - begun, value, norm)
        reason = f"{found.mistakes} mistakes in pass {found.passes}"
        theta = found.theta * unit
        theta[:n] /= scale
        # The loss is 0 without mistakes, and never below: what it is, is the gap.
        solution = Solution(theta, value, (end,), Certificate(not found.mistakes, value, reason))
        if found.mistakes:
            why = (
                f"when no hyperplane can have a margin of tol={self.tol:g} times the length of the longest row"
                if found.hopeless
                else f"the last of max_iter={self.max_iter}"
            )
            warnings.warn(
                f"the perceptron still makes {reason}, {why} (gap: at most {value:.3g}, largest entry of the gradient "
                f"{norm:.3g}). Classes that no hyperplane separates have no solution: use LogisticRegression or "
                "LinearSVC.",
                ConvergenceWarning,
                stacklevel=3,
            )
        intercept = theta[n:] if self.fit_intercept else np.zeros(1)
        self._keep(given, Minimum(theta[None, :n], intercept, solution), classes)
        self.solution_, self.n_mistakes_ = solution, found.n_mistakes
        return self


@dataclass
class PlainLoop:
    """How many rows the plain loop has looked at in this process."""

    rows: int = 0


plain_loop = PlainLoop()


def learned(
    X: Matrix, y: Array, weight: Array | None, start: Array, largest: float, tol: float, max_iter: int
) -> Passes:
    """Passes from `start`, θ of shape (n + 1,) or (n,), by the plain loop or compiled: both give the same θ.

    The compiler takes half a second to be there in a process, and seconds for the first time on a machine: it is called
    when the plain loop would take, or with earlier fits has taken, about as long.
    """
    (m, n), intercept = X.shape, len(start) - X.shape[1]
    units, R = np.ones(len(start)), 0.0
    if tol > 0:  # the units of columns have no part in the margin
        units[:n] = magnitudes(X)
        units[units == 0] = 1.0
        R = longest_row(X, units[:n], intercept) or 1.0  # of rows of zeros θ stays 0
    terms = n if isinstance(X, np.ndarray) else int(np.diff(X.indptr).max())
    length = float(np.sqrt(terms * largest**2 + intercept))  # of a row at most
    s = np.ones(m) if weight is None else weight
    problem = (entries_of(X), y, s, start, units, n, tol * R, terms, length)
    affordable = min(max_iter, (ROWS_WORTH_COMPILING - plain_loop.rows) // m) if can_compile() else max_iter
    if affordable > 0:
        found = passes(*problem, affordable)
        plain_loop.rows += found.passes * m
        if found.passes == max_iter or found.hopeless or not found.mistakes:
            return found
    return compiled_passes(*problem, max_iter)


def passes(
    entries: Entries,
    y: Array,
    s: Array,
    start: Array,
    units: Array,
    n: int,
    margin: float,
    terms: int,
    longest_row: float,
    max_iter: int,
) -> Passes:
    """Passes over the examples until one makes no mistake, no margin is left to hope for, or they are `max_iter`.

    units : of (w, b), shape (p,). n : length of w. margin : the one to hope for, times the length of the longest row.
    terms, longest_row : bounds on the number of entries of a row, and on |(x, 1)|, or |x|.
    """
    theta = start.copy()
    n_mistakes, path, longest, hopeless = 0, 0.0, 0.0, False
    for number in range(1, max_iter + 1):  # noqa: B007
        longest_theta = np.sqrt((theta * theta).sum()) + longest_row * s.sum()  # until the end of the pass
        rounding = (terms + 3) * EPSILON * longest_row * longest_theta
        mistakes, length = one_pass(entries, y, s, theta[:n], theta[n:], rounding)
        n_mistakes += mistakes
        path += length
        way = (theta - start) / units
        longest = max(longest, np.sqrt((way * way).cumsum()[-1]))
        hopeless = mistakes > 0 and longest < margin * path
        if mistakes == 0 or hopeless:
            break
    return Passes(theta, number, n_mistakes, mistakes, hopeless)


compiled_passes = compiled(passes)


def one_pass(entries: Entries, y: Array, s: Array, w: Array, b: Array, rounding: float) -> tuple[int, float]:
    """One pass over all examples, which changes w, shape (n,), and b, shape (1,), or (0,) if there is none.

    rounding : how far a computed z may be from the true one, at most. A z as near to 0 is added up again in a fixed
    order, so that its sign does not depend on who adds up.
    Returns the number of mistakes, and the length of their steps, sum_i s_i.
    """
    shift, mistakes, length = float(b.sum()), 0, 0.0
    for (where, x), y_i, s_i in zip(examples_in(*entries), y.tolist(), s.tolist(), strict=True):
        z = x @ w[where] + shift
        if abs(z) <= rounding and len(x):
            z = (x * w[where]).cumsum()[-1] + shift
        if y_i * z <= 0:
            w[where] += s_i * y_i * x
            shift += s_i * y_i * len(b)
            mistakes += 1
            length += s_i
    b[:] = shift
    return mistakes, length


def examples_in(values: Array, *places: Indices) -> Iterable[tuple[slice | Indices, Array]]:
    """Of each example the places where it may be other than 0, and its values there."""
    if not places:
        return ((slice(None), x) for x in values)
    indices, indptr = places
    return ((indices[start:end], values[start:end]) for start, end in pairwise(indptr.tolist()))


@twin_of(one_pass)
def loops(entries: Entries, *_: object) -> Callable[..., tuple[int, float]]:
    """Those for the one array of a dense X, or for the three of a sparse one."""
    return dense_pass if len(entries) == 1 else sparse_pass


def dense_pass(entries: Entries, y: Array, s: Array, w: Array, b: Array, rounding: float) -> tuple[int, float]:
    """`one_pass` for X of shape (m, n)."""
    X = entries[0]
    shift, mistakes, length = b.sum(), 0, 0.0
    for i in range(len(y)):
        z = product(X, i, w) + shift
        if abs(z) <= rounding:
            z = 0.0
            for j in range(len(w)):
                z += X[i, j] * w[j]
            z += shift
        if y[i] * z <= 0:
            step = s[i] * y[i]
            for j in range(len(w)):
                w[j] += step * X[i, j]
            shift += step * len(b)
            mistakes += 1
            length += s[i]
    b[:] = shift
    return mistakes, length


@partial(compiled, in_any_order=True)
def product(X: Array, i: int, w: Array) -> float:
    """x_i · w."""
    z = 0.0
    for j in range(len(w)):
        z += X[i, j] * w[j]
    return z


def sparse_pass(entries: Entries, y: Array, s: Array, w: Array, b: Array, rounding: float) -> tuple[int, float]:
    """`one_pass` for the stored entries of a CSR matrix, always in their order."""
    values, indices, indptr = entries
    shift, mistakes, length = b.sum(), 0, 0.0
    for i in range(len(y)):
        z = 0.0
        for at in range(indptr[i], indptr[i + 1]):
            z += values[at] * w[indices[at]]
        if y[i] * (z + shift) <= 0:
            step = s[i] * y[i]
            for at in range(indptr[i], indptr[i + 1]):
                w[indices[at]] += step * values[at]
            shift += step * len(b)
            mistakes += 1
            length += s[i]
    b[:] = shift
    return mistakes, length


def entries_of(X: Matrix) -> Entries:
    """The arrays that hold X, of one type whatever the caller has given: in rows, and not to be written to.

    Places are unsigned: of others compiled code has to ask, each time, whether they count from the end.
    """
    if isinstance(X, np.ndarray):
        return (only_read(X),)
    unsigned = np.dtype(f"u{X.indices.dtype.itemsize}")
    return only_read(X.data), only_read(X.indices).view(unsigned), only_read(X.indptr).view(unsigned)


def only_read(values: NDArray[Any]) -> NDArray[Any]:
    """A view in rows that cannot be written to."""
    view = np.ascontiguousarray(values).view()
    view.flags.writeable = False
    return view


def longest_row(X: Matrix, units: Array, intercept: int) -> float:
    """The largest |(x_i, 1)|, or |x_i|, with columns in these units."""
    blocks = (X[start : start + LENGTHS_AT_A_TIME] for start in range(0, X.shape[0], LENGTHS_AT_A_TIME))
    return float(np.sqrt(max(row_squares(divided(block, units)).max() for block in blocks) + intercept))


def rescaled(X: Matrix) -> tuple[Matrix, float, float]:
    """X / c, c, and the largest absolute value of X / c, with c a power of two.

    It is 1, unless products of numbers as large, or as small, as those of X are not numbers. Steps of the intercept are
    then of the size of those of w, which is another order of mistakes, not another aim.
    """
    values = X if isinstance(X, np.ndarray) else X.data
    largest = float(max(values.max(initial=0.0), -values.min(initial=0.0)))
    if largest == 0 or 1e-100 < largest < 1e100:
        return X, 1.0, largest
    scale = float(np.ldexp(1.0, np.frexp(largest)[1] - 1))
    return divided(X, np.full(X.shape[1], scale)), scale, largest / scale
