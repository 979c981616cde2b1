"""The objective of all models with a linear predictor z = x · w + b."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from probml.losses.base import Loss
from probml.objectives.base import (
    Array,
    Cost,
    Objective,
    checked_l2,
    checked_rows,
    count_flops,
    mean_weight,
    overflow_is_inf,
    rows_of,
)
from probml.objectives.gap import self_concordant_gap
from probml.threads import one_blas_thread

HALVINGS = 50
ROUNDING = 4 * np.finfo(np.float64).eps
BALANCED = 1e-11  # slopes add up to zero, but for rounding
LARGEST_HESSIAN = 3000  # parameters above which no Hessian is formed to bound the gap
WORTH_TAKING = 0.8  # of the rows: a copy of fewer saves more than it costs
BLOCK = 2**17  # numbers of X handled at a time: a megabyte, that stays in the cache


class LinearObjective(Objective):
    """F(w, b) = sum_i s_i l(y_i, x_i · w + b + o_i) + l2/2 |w|²,   θ = (w, b), the intercept b last and not penalised.

        ∇F = X^T (s l') + l2 w            ∇²F = X^T diag(s l'') X + l2 I            (with a column of ones for b)

    X : dense or CSR, shape (m, n). y : shape (m,). weight : s, not negative, shape (m,). offset : o, shape (m,).
    They are not copied: what is known at the last θ holds for as long as they are not changed.
    """

    def __init__(
        self,
        X: NDArray | sparse.csr_array,
        y: ArrayLike,
        loss: Loss,
        *,
        l2: float = 0.0,
        intercept: bool = True,
        weight: ArrayLike | None = None,
        offset: ArrayLike | None = None,
    ) -> None:
        self.X = rows_of(X)
        self._transposed = self.X.T if sparse.issparse(self.X) else None  # a view, but slow to make
        self.y, self.loss, self.l2, self.intercept = loss.check(y), loss, checked_l2(l2), intercept
        m, n = X.shape
        if self.y.shape != (m,):
            raise ValueError(f"X has {m} rows, y has the shape {self.y.shape}")
        self.weight = None if weight is None else checked_rows("weight", weight, m, smallest=0.0)
        self.offset = None if offset is None else checked_rows("offset", offset, m)
        self.n_examples, self.n_features, self.n_parameters = m, n, n + intercept
        self.cost, self.unit = Cost(), mean_weight(self.weight)
        # What is known at the θ asked for last, since solvers come back to it: of the gradient, of the Hessian
        self._first: tuple[Array, Array, Array] | None = None  # θ, ∇F, predictors
        self._second: tuple[Array, Array, Array, Array] | None = None  # θ, ∇F, ∇²F, curvatures s l''
        self._bent: tuple[Array, Array, object, object] | None = None  # θ, curvatures, rows, their transpose
        self._part: LinearObjective | None = None
        self._entries, self._square_flops = count_flops(self.X)

    @overflow_is_inf
    def value(self, theta: Array) -> float:
        """F(θ)."""
        self.cost.add(1, 2 * self._entries)
        total = sum(
            self._weighted(self.loss.value(self.y[rows], self._predictor(X, rows, theta)), rows).sum()
            for rows, X in self._blocks()
        )
        return float(total + self._penalty(theta))

    @overflow_is_inf
    def value_and_gradient(self, theta: Array) -> tuple[float, Array]:
        """F(θ) and ∇F(θ) = X^T (s l') + l2 w."""
        self.cost.add(1, 4 * self._entries)
        value, gradient = self._penalty(theta), self._penalty_gradient(theta)
        z = np.empty(self.n_examples)
        for rows, X in self._blocks():
            z[rows] = self._predictor(X, rows, theta)
            loss, slope = self.loss.value_and_gradient(self.y[rows], z[rows])
            value += self._weighted(loss, rows).sum()
            self._add_transposed(gradient, X, self._weighted(slope, rows))
        self._first = theta.copy(), gradient.copy(), z  # what is returned may be changed by whoever asked for it
        return float(value), gradient

    @overflow_is_inf
    def newton_system(self, theta: Array) -> tuple[float, Array, Array]:
        """F(θ), ∇F(θ) and ∇²F(θ) = X^T diag(s l'') X + l2 I."""
        n, p = self.n_features, self.n_parameters
        self.cost.add(1, 4 * self._entries + self._square_flops)
        value, gradient, hessian = self._penalty(theta), self._penalty_gradient(theta), np.zeros((p, p))
        curvatures = np.empty(self.n_examples)
        for rows, X in self._blocks():
            loss, slope, curvature = self.loss.all(self.y[rows], self._predictor(X, rows, theta))
            value += self._weighted(loss, rows).sum()
            self._add_transposed(gradient, X, self._weighted(slope, rows))
            curvatures[rows] = self._weighted(curvature, rows)
            self._add_square(hessian, X, curvatures[rows])
        hessian[np.diag_indices(n)] += self.l2
        self._second = theta.copy(), gradient.copy(), hessian.copy(), curvatures
        return float(value), gradient, hessian

    def hessian_product(self, theta: Array, direction: Array) -> Array:
        """∇²F(θ) d = X^T (s l'' X d) + l2 d. The curvatures s l'' are kept: products come in rows at the same θ.

        Of a sparse X only the rows with a curvature are multiplied: for the squared hinge those with a margin below 1.
        """
        if not known_at(theta, self._bent):
            self._bent = theta.copy(), *self._bent_rows(self._curvatures(theta))
        _, curvature, bent, transposed = self._bent
        self.cost.add(1, 4 * self._entries)
        product = self._penalty_gradient(direction)
        if transposed is not None:
            change = curvature * (bent @ direction[: self.n_features] + (direction[-1] if self.intercept else 0.0))
            product[: self.n_features] += transposed @ change
            if self.intercept:
                product[-1] += change.sum()
            return product
        for rows, X in self._blocks():
            change = X @ direction[: self.n_features] + (direction[-1] if self.intercept else 0.0)
            self._add_transposed(product, X, curvature[rows] * change)
        return product

    def _bent_rows(self, curvature: Array) -> tuple[Array, NDArray | sparse.csr_array, sparse.csc_array | None]:
        """Curvatures and rows of the examples that have a curvature, and the transpose of a sparse X; else all rows."""
        if not sparse.issparse(self.X):
            return curvature, self.X, None
        bent = np.flatnonzero(curvature)
        if len(bent) > WORTH_TAKING * self.n_examples:
            return curvature, self.X, self._transposed
        X = self.X[bent]
        return curvature[bent], X, X.T

    def _curvatures(self, theta: Array) -> Array:
        """s l'' of all examples, shape (m,)."""
        if known_at(theta, self._first):
            return self._weighted(self.loss.curvature(self.y, self._first[2]), slice(None))
        self.cost.add(1, 2 * self._entries)
        curvature = np.empty(self.n_examples)
        for rows, X in self._blocks():
            curvature[rows] = self._weighted(self.loss.curvature(self.y[rows], self._predictor(X, rows, theta)), rows)
        return curvature

    @overflow_is_inf
    def hessian_bound(self) -> Array:
        """X^T diag(s c) X + l2 I with c the largest curvature of the loss."""
        if not np.isfinite(self.loss.curvature_bound):
            raise ValueError(f"{type(self.loss).__name__} has a curvature without bound: no fixed Hessian is above all")
        self.cost.add(1, self._square_flops)
        bound = np.zeros((self.n_parameters, self.n_parameters))
        for rows, X in self._blocks():
            self._add_square(bound, X, self._weighted(np.full(X.shape[0], self.loss.curvature_bound), rows))
        bound[np.diag_indices(self.n_features)] += self.l2
        return bound

    @overflow_is_inf
    def gradient_of(self, rows: NDArray[np.intp], theta: Array) -> Array:
        """m / |rows| times the sum of the gradients of these examples, and the gradient of the penalty."""
        share = len(rows) / self.n_examples
        self.cost.add(share, 4 * self._entries * share)
        gradient = self._penalty_gradient(theta)
        if len(rows) == 1:
            return self._add_single(gradient, rows, theta)
        X = self.X[rows]
        slope = self._weighted(self.loss.gradient(self.y[rows], self._predictor(X, rows, theta)), rows)
        self._add_transposed(gradient, X, slope / share)
        return gradient

    def _add_single(self, gradient: Array, row: NDArray[np.intp], theta: Array) -> Array:
        """The same for one example: a slice of X as a matrix would take most of the time."""
        columns, x = slice(self.n_features), self.X
        if sparse.issparse(x):
            stored = slice(*x.indptr[row[0] : row[0] + 2])
            columns, x = x.indices[stored], x.data[stored]
        else:
            x = x[row[0]]
        z = np.array([x @ theta[columns]])
        if self.intercept:
            z += theta[-1]
        if self.offset is not None:
            z += self.offset[row]
        slope = self.n_examples * self._weighted(self.loss.gradient(self.y[row], z), row)[0]
        gradient[columns] += slope * x
        if self.intercept:
            gradient[-1] += slope
        return gradient

    def thinned(self, k: int) -> "LinearObjective":
        """F / k, approximately: the same objective on every k-th example, which is kept for `hessian_below`."""
        weight = None if self.weight is None else self.weight[::k]
        offset = None if self.offset is None else self.offset[::k]
        l2, intercept = self.l2 / k, self.intercept
        self._part = LinearObjective(
            self.X[::k], self.y[::k], self.loss, l2=l2, intercept=intercept, weight=weight, offset=offset
        )
        return self._part

    def hessian_below(self, theta: Array) -> Array:
        """The Hessian at θ if it is known; else that of a part of the examples, if known; else it is computed."""
        for objective in (self, self._part):
            if objective is not None and known_at(theta, objective._second):
                return objective._second[2]
        return self.newton_system(theta)[2]

    def least_squares(self, theta: Array) -> tuple[Array, Array]:
        """Matrix and answers of the least-squares problem that replaces F near θ (`probml.solvers.irls`)."""
        n, p = self.n_features, self.n_parameters
        self.cost.add(1, 2 * self._entries * (n + 1))
        z = self._predictor(self.X, slice(None), theta)
        slope, curvature = self.loss.gradient(self.y, z), self.loss.curvature(self.y, z)
        flat = curvature <= 0  # no parabola there, and no weight
        answer = z - np.divide(slope, curvature, out=np.zeros_like(z), where=~flat)
        if self.offset is not None:
            answer -= self.offset
        root = np.sqrt(self._weighted(curvature, slice(None)))
        matrix = np.zeros((self.n_examples + (n if self.l2 else 0), p))
        matrix[: self.n_examples, :n] = self.X.toarray() if sparse.issparse(self.X) else self.X
        matrix[: self.n_examples, n:] = 1.0
        matrix[: self.n_examples] *= root[:, None]
        if self.l2:
            matrix[self.n_examples :, :n] = np.sqrt(self.l2) * np.eye(n)
        return matrix, np.concatenate([root * answer, np.zeros(len(matrix) - self.n_examples)])

    @overflow_is_inf
    def round_of_coordinates(self, theta: Array) -> Array:
        """θ after a Newton step in each coordinate, one after the other (`probml.solvers.coordinate_newton`).

        z = X θ is kept up to date, and only the examples with x_ij ≠ 0 are looked at.
        """
        self.cost.add(2, 11 * self._entries)
        theta, z = theta.copy(), self._predictor(self.X, slice(None), theta)
        columns = sparse.csc_array(self.X) if sparse.issparse(self.X) else self.X
        for j in range(self.n_parameters):
            rows, x = self._column(columns, j)
            penalty = self.l2 if j < self.n_features else 0.0
            value, slope, curvature = (self._weighted(part, rows) for part in self.loss.all(self.y[rows], z[rows]))
            F_j, F_jj = slope @ x + penalty * theta[j], curvature @ x**2 + penalty
            if F_j == 0 or F_jj <= 0:
                continue
            step = -F_j / F_jj
            before = value.sum() + penalty / 2 * theta[j] ** 2
            for _ in range(HALVINGS):
                there = self._weighted(self.loss.value(self.y[rows], z[rows] + step * x), rows).sum()
                there += penalty / 2 * (theta[j] + step) ** 2
                if there <= before + 1e-4 * step * F_j + ROUNDING * max(1.0, abs(before)):
                    theta[j] += step
                    z[rows] += step * x
                    break
                step /= 2
        return theta

    def _column(self, columns: NDArray | sparse.csc_array, j: int) -> tuple[slice | NDArray, Array]:
        """The examples in which coordinate j takes part, and its values there."""
        if j == self.n_features:
            return slice(None), np.ones(self.n_examples)
        if not sparse.issparse(columns):
            return slice(None), columns[:, j]
        stored = slice(columns.indptr[j], columns.indptr[j + 1])
        return columns.indices[stored], columns.data[stored]

    def gap_bound(self, theta: Array) -> float:
        """From gradient and Hessian (`self_concordant_gap`), or, where that is too large, from the dual.

        Along d the Hessian of example i shrinks at most as e^(-M |x_i · d|), with M the self-concordance, and
        |x_i · d| ≤ |x_i|_(H^-1) |d|_H, where |x_i|²_(H^-1) is at most 1 / (s_i l''_i), and at most
        sum_j x_ij² / (λ h_j) for H ≥ λ diag(h).

        Where the Hessian is not known, but there is a part of the examples, the Hessian of that part will do: it is
        below that of all.
        """
        if not self.bounds_gap:
            return self._dual_gap(theta)
        gap = np.inf
        if self._part is not None and known_at(theta, self._first) and not known_at(theta, self._second):
            gap = self._part._concordant_gap(theta, self._first[1])
        if gap == np.inf:
            gap = self._concordant_gap(theta)
        return gap if gap < np.inf else self._dual_gap(theta)

    @property
    def bounds_gap(self) -> bool:
        """Whether near a minimum the bound is always found, and is near the gap: where it is from the Hessian."""
        return self.n_parameters <= LARGEST_HESSIAN and np.isfinite(self.loss.self_concordance)

    @overflow_is_inf
    def _concordant_gap(self, theta: Array, gradient: Array | None = None) -> float:
        """From the Hessian at θ, and from the gradient there: of this objective, or of one with a larger Hessian."""
        if not known_at(theta, self._second):
            self.newton_system(theta)
        _, own, hessian, curvatures = self._second
        M = self.loss.self_concordance
        return self_concordant_gap(
            own if gradient is None else gradient,
            hessian,
            lambda *_: M / np.sqrt(curvatures.min(initial=np.inf)),
            lambda smallest, h: M * self._largest_norm(curvatures, smallest, h),
        )

    @overflow_is_inf
    def _dual_gap(self, theta: Array) -> float:
        """F(w, b) - F(w, b') + |∇_w F(w, b')|² / (2 l2), with b' the best intercept for w; inf where it is not found.

        With b' the slopes s l' add up to zero, and are a point of the dual problem, from which F differs by the last
        term: no solution has a lower objective than the dual at any point.
        """
        if not (self.l2 and self.loss.convex):
            return np.inf
        value = self.value(theta)
        best = theta.copy()
        if self.intercept:
            best[-1] += self._best_shift(self._predictor(self.X, slice(None), theta))
        best_value, gradient = self.value_and_gradient(best)
        w = gradient[: self.n_features]
        gap = float(value - best_value + w @ w / (2 * self.l2))
        return max(gap, 0.0) if np.isfinite(gap) else np.inf

    def _best_shift(self, z: Array) -> float:
        """c that minimises sum_i s_i l(y_i, z_i + c); nan where it is not found.

        Newton's method with steps of log(1 + M |δ|) / M instead of δ: none overshoots, as l'' grows at most as e^(M c).
        Without such an M steps are those of Newton's method, which may fail.
        """
        M, shift = self.loss.self_concordance, 0.0
        M = M if np.isfinite(M) else 0.0
        for _ in range(HALVINGS):
            slope = self._weighted(self.loss.gradient(self.y, z + shift), slice(None))
            if abs(slope.sum()) <= BALANCED * np.abs(slope).sum():
                return shift
            step = -slope.sum() / self._weighted(self.loss.curvature(self.y, z + shift), slice(None)).sum()
            shift += np.sign(step) * np.log1p(M * abs(step)) / M if M else step
        return np.nan

    def _largest_norm(self, curvatures: Array, smallest: float, h: Array) -> float:
        """A bound on |x_i|_(H^-1) for all examples, with H ≥ smallest · diag(h)."""
        largest, bias = 0.0, 1 / h[-1] if self.intercept else 0.0
        for rows, X in self._blocks():
            squares = (X.multiply(X) if sparse.issparse(X) else X * X) @ (1 / h[: self.n_features]) + bias
            with np.errstate(divide="ignore"):
                largest = max(largest, float(np.minimum(1 / curvatures[rows], squares / smallest).max()))
        return np.sqrt(largest)

    def _blocks(self) -> Iterator[tuple[slice, NDArray | sparse.csr_array]]:
        if sparse.issparse(self.X):
            yield slice(None), self.X
            return
        size = max(1, BLOCK // max(1, self.n_features))
        with one_blas_thread():
            for start in range(0, self.n_examples, size):
                rows = slice(start, start + size)
                yield rows, self.X[rows]

    def _predictor(self, X: NDArray | sparse.csr_array, rows: slice | NDArray[np.intp], theta: Array) -> Array:
        z = X @ theta[: self.n_features]
        if self.intercept:
            z += theta[-1]
        if self.offset is not None:
            z += self.offset[rows]
        return z

    def _weighted(self, values: Array, rows: slice | NDArray[np.intp]) -> Array:
        return values if self.weight is None else values * self.weight[rows]

    def _penalty(self, theta: Array) -> float:
        w = theta[: self.n_features]
        return self.l2 / 2 * float(w @ w) if self.l2 else 0.0  # |w|² may be infinite

    def _penalty_gradient(self, theta: Array) -> Array:
        gradient = self.l2 * theta
        gradient[self.n_features :] = 0.0
        return gradient

    def _add_transposed(self, total: Array, X: NDArray | sparse.csr_array, slope: Array) -> None:
        """total += (X, 1)^T slope."""
        total[: self.n_features] += (self._transposed if X is self.X and self._transposed is not None else X.T) @ slope
        if self.intercept:
            total[-1] += slope.sum()

    def _add_square(self, total: Array, X: NDArray | sparse.csr_array, curvature: Array) -> None:
        """total += (X, 1)^T diag(curvature) (X, 1)."""
        n = self.n_features
        root = np.sqrt(curvature)[:, None]
        if sparse.issparse(X):
            scaled = X.multiply(root).tocsr()
            total[:n, :n] += (scaled.T @ scaled).toarray()
        else:
            scaled = X * root
            total[:n, :n] += scaled.T @ scaled
        if self.intercept:
            total[:n, n] += (border := X.T @ curvature)
            total[n, :n] += border
            total[n, n] += curvature.sum()


def known_at(theta: Array, kept: tuple[Array, ...] | None) -> bool:
    """Whether what was kept belongs to this θ."""
    return kept is not None and np.array_equal(kept[0], theta)
