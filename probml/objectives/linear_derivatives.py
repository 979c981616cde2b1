"""Value, gradient and Hessian of a loss of z = x · w + b, summed over the examples in blocks."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from probml.inputs import canonical
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
)
from probml.threads import one_blas_thread

WORTH_TAKING = 0.8  # of the rows: a copy of fewer saves more than it costs
BLOCK = 2**17  # numbers of X handled at a time: a megabyte, that stays in the cache


class LinearDerivatives(Objective):
    """F(w, b) = sum_i s_i l(y_i, x_i · w + b + o_i) + l2/2 |w|²: what passes over the examples give.

        ∇F = X^T (s l') + l2 w            ∇²F = X^T diag(s l'') X + l2 I            (with a column of ones for b)

    X : dense or CSR, shape (m, n). y, weight s and offset o : shape (m,). θ = (w, b), shape (n + 1,), or w alone.
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
        self.X = canonical(X)
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

    def predictors(self, theta: Array) -> Array:
        """z = X w + b + o, shape (m,); not computed again where the gradient has just been asked for."""
        if known_at(theta, self._first):
            return self._first[2]
        self.cost.add(1, 2 * self._entries)
        return self._predictor(self.X, slice(None), theta)

    def change(self, direction: Array) -> Array:
        """X d_w + d_b, shape (m,): what a step along d adds to the predictors."""
        self.cost.add(1, 2 * self._entries)
        return self.X @ direction[: self.n_features] + (direction[-1] if self.intercept else 0.0)

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
        total[: self.n_features] += (self._transposed if X is self.X else X.T) @ slope
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
