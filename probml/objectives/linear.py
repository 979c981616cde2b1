"""The objective of all models with a linear predictor z = x · w + b, for any solver."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from probml.inputs import canonical
from probml.losses.base import Loss
from probml.objectives import linear_gap
from probml.objectives.base import (
    Cost,
    Objective,
    checked_l2,
    checked_rows,
    count_flops,
    mean_weight,
    overflow_is_inf,
)
from probml.objectives.point import CurvedRows, FirstOrder, Point, SecondOrder
from probml.threads import one_blas_thread
from probml.typing import Array, Indices, Matrix

LARGEST_SHARE_COPIED = 0.8  # of the rows: to copy fewer of them saves more than it costs
BLOCK = 2**17  # numbers of X handled at a time: a megabyte, that stays in the cache
ALL = slice(None)


class LinearObjective(Objective):
    r"""The sum of losses of a linear predictor, and a penalty; θ = (w, b), the intercept b last and not penalised.

    .. math::
        F(w, b) &= \sum_i s_i \, l(y_i, x_i \cdot w + b + o_i) + \tfrac{1}{2} l_2 |w|^2 \\
        \nabla F &= X^T (s l') + l_2 w \\
        \nabla^2 F &= X^T \mathrm{diag}(s l'') X + l_2 I \qquad \text{with a column of ones for } b

    X : dense or CSR, shape (m, n). y : shape (m,). weight : s, not negative, shape (m,). offset : o, shape (m,).
    They are not copied: what is known at the last θ (`point`) holds for as long as they are not changed.
    θ has the shape (n + 1,), or (n,) without intercept. Sums go over the examples in blocks that stay in the cache.
    """

    def __init__(
        self,
        X: Matrix,
        y: ArrayLike,
        loss: Loss,
        *,
        l2: float = 0.0,
        intercept: bool = True,
        weight: ArrayLike | None = None,
        offset: ArrayLike | None = None,
    ) -> None:
        self.X: Matrix = canonical(X)
        self._transposed: Matrix | None = None if isinstance(self.X, np.ndarray) else self.X.T  # a view, slow to make
        self.y, self.loss, self.l2, self.intercept = loss.check(y), loss, checked_l2(l2), intercept
        m, n = self.X.shape
        if self.y.shape != (m,):
            raise ValueError(f"X has {m} rows, y has the shape {self.y.shape}")
        self.weight = None if weight is None else checked_rows("weight", weight, m, smallest=0.0)
        self.offset = None if offset is None else checked_rows("offset", offset, m)
        self.n_examples, self.n_features, self.n_parameters = m, n, n + intercept
        self.cost, self.unit = Cost(), mean_weight(self.weight)
        self.point = Point(np.full(self.n_parameters, np.nan))
        self.entries, self._square_flops = count_flops(self.X)

    def at(self, theta: Array) -> Point:
        """What is known at θ. Of points asked for before nothing is kept."""
        if not np.array_equal(self.point.theta, theta):
            self.point = Point(theta.copy())
        return self.point

    @overflow_is_inf
    def value(self, theta: Array) -> float:
        """F(θ)."""
        self.cost.add(1, 2 * self.entries)
        total = sum(
            self.weighted(self.loss.value(self.y[rows], self.linear_predictor(X, rows, theta)), rows).sum()
            for rows, X in self.blocks()
        )
        return float(total + self._penalty(theta))

    @overflow_is_inf
    def value_and_gradient(self, theta: Array) -> tuple[float, Array]:
        """F(θ) and ∇F(θ) = X^T (s l') + l2 w."""
        self.cost.add(1, 4 * self.entries)
        value, gradient = self._penalty(theta), self._penalty_gradient(theta)
        z = np.empty(self.n_examples)
        for rows, X in self.blocks():
            z[rows] = self.linear_predictor(X, rows, theta)
            loss, slope = self.loss.value_and_gradient(self.y[rows], z[rows])
            value += self.weighted(loss, rows).sum()
            self._add_transposed(gradient, X, self.weighted(slope, rows))
        self.at(theta).first = FirstOrder(gradient, z)
        return float(value), gradient.copy()

    def newton_system(self, theta: Array) -> tuple[float, Array, Array]:
        """F(θ), ∇F(θ) and ∇²F(θ) = X^T diag(s l'') X + l2 I."""
        value, known = self._second_order(theta)
        return value, known.gradient.copy(), known.hessian.copy()  # whoever asked may change what is returned

    def second_order(self, theta: Array) -> SecondOrder:
        """Gradient, Hessian and curvatures at θ, from a pass over the examples unless they are known."""
        return self.at(theta).second or self._second_order(theta)[1]

    @overflow_is_inf
    def _second_order(self, theta: Array) -> tuple[float, SecondOrder]:
        n, p = self.n_features, self.n_parameters
        self.cost.add(1, 4 * self.entries + self._square_flops)
        value, gradient, hessian = self._penalty(theta), self._penalty_gradient(theta), np.zeros((p, p))
        curvatures = np.empty(self.n_examples)
        for rows, X in self.blocks():
            loss, slope, curvature = self.loss.all(self.y[rows], self.linear_predictor(X, rows, theta))
            value += self.weighted(loss, rows).sum()
            self._add_transposed(gradient, X, self.weighted(slope, rows))
            curvatures[rows] = self.weighted(curvature, rows)
            self._add_square(hessian, X, curvatures[rows])
        hessian[np.diag_indices(n)] += self.l2
        known = SecondOrder(gradient, hessian, curvatures)
        self.at(theta).second = known
        return float(value), known

    def hessian_product(self, theta: Array, direction: Array) -> Array:
        """∇²F(θ) d = X^T (s l'' X d) + l2 d. The curvatures s l'' are kept: products come in rows at the same θ.

        Of a sparse X only the rows with a curvature are multiplied: for the squared hinge those with a margin below 1.
        """
        point = self.at(theta)
        if point.curved is None:
            point.curved = self._curved_rows(self._curvatures(point))
        curvatures, curved, transposed = point.curved
        self.cost.add(1, 4 * self.entries)
        product = self._penalty_gradient(direction)
        if transposed is not None:
            change = curvatures * self._change(curved, direction)
            product[: self.n_features] += transposed @ change
            if self.intercept:
                product[-1] += change.sum()
            return product
        for rows, X in self.blocks():
            self._add_transposed(product, X, curvatures[rows] * self._change(X, direction))
        return product

    @overflow_is_inf
    def hessian_bound(self) -> Array:
        """X^T diag(s c) X + l2 I with c the largest curvature of the loss."""
        if not np.isfinite(self.loss.curvature_bound):
            raise ValueError(f"{type(self.loss).__name__} has a curvature without bound: no fixed Hessian is above all")
        self.cost.add(1, self._square_flops)
        bound = np.zeros((self.n_parameters, self.n_parameters))
        for rows, X in self.blocks():
            self._add_square(bound, X, self.weighted(np.full(X.shape[0], self.loss.curvature_bound), rows))
        bound[np.diag_indices(self.n_features)] += self.l2
        return bound

    def hessian_below(self, theta: Array) -> Array:
        """The Hessian at θ if it is known; else a matrix below it that a solver has left; else it is computed."""
        point = self.at(theta)
        if point.second is None and point.hessian_below is not None:
            return point.hessian_below
        return self.second_order(theta).hessian

    @overflow_is_inf
    def gradient_of(self, rows: Indices, theta: Array) -> Array:
        """m / |rows| times the sum of the gradients of these examples, and the gradient of the penalty."""
        share = len(rows) / self.n_examples
        self.cost.add(share, 4 * self.entries * share)
        gradient = self._penalty_gradient(theta)
        if len(rows) == 1:
            return self._add_single(gradient, rows, theta)
        X = self.X[rows]
        slope = self.weighted(self.loss.gradient(self.y[rows], self.linear_predictor(X, rows, theta)), rows)
        self._add_transposed(gradient, X, slope / share)
        return gradient

    def gap_bound(self, theta: Array) -> float:
        """A number that F(θ) - min F does not exceed (`probml.objectives.linear_gap`)."""
        return linear_gap.gap_bound(self, theta)

    @property
    def bounds_gap(self) -> bool:
        """Whether near a minimum the bound is always found, and is near the gap: where it is from the Hessian."""
        return linear_gap.is_from_hessian(self)

    def predictors(self, theta: Array) -> Array:
        """z = X w + b + o, shape (m,); not computed again where the gradient has just been asked for."""
        if (known := self.at(theta).first) is not None:
            return known.predictors
        self.cost.add(1, 2 * self.entries)
        return self.linear_predictor(self.X, ALL, theta)

    def change(self, direction: Array) -> Array:
        """X d_w + d_b, shape (m,): what a step along d adds to the predictors."""
        self.cost.add(1, 2 * self.entries)
        return self._change(self.X, direction)

    def blocks(self) -> Iterator[tuple[slice, Matrix]]:
        """Numbers of rows, and these rows of X, block by block; a sparse X is one block."""
        if not isinstance(self.X, np.ndarray):
            yield ALL, self.X
            return
        size = max(1, BLOCK // max(1, self.n_features))
        with one_blas_thread():
            for start in range(0, self.n_examples, size):
                rows = slice(start, start + size)
                yield rows, self.X[rows]

    def linear_predictor(self, X: Matrix, rows: slice | Indices, theta: Array) -> Array:
        """z = X w + b + o of these rows, which X has."""
        z = X @ theta[: self.n_features]
        if self.intercept:
            z += theta[-1]
        if self.offset is not None:
            z += self.offset[rows]
        return z

    def weighted(self, values: Array, rows: slice | Indices) -> Array:
        """s times values, of these rows."""
        return values if self.weight is None else values * self.weight[rows]

    def _change(self, X: Matrix, direction: Array) -> Array:
        return X @ direction[: self.n_features] + (direction[-1] if self.intercept else 0.0)

    def _curvatures(self, point: Point) -> Array:
        """s l'' of all examples, shape (m,)."""
        if point.first is not None:
            return self.weighted(self.loss.curvature(self.y, point.first.predictors), ALL)
        self.cost.add(1, 2 * self.entries)
        curvatures = np.empty(self.n_examples)
        for rows, X in self.blocks():
            z = self.linear_predictor(X, rows, point.theta)
            curvatures[rows] = self.weighted(self.loss.curvature(self.y[rows], z), rows)
        return curvatures

    def _curved_rows(self, curvatures: Array) -> CurvedRows:
        """Of a sparse X the rows with a curvature, if they are few enough to be copied; else all rows."""
        if isinstance(self.X, np.ndarray):
            return CurvedRows(curvatures, self.X, None)
        curved = np.flatnonzero(curvatures)
        if len(curved) > LARGEST_SHARE_COPIED * self.n_examples:
            return CurvedRows(curvatures, self.X, self._transposed)
        X = self.X[curved]
        return CurvedRows(curvatures[curved], X, X.T)

    def _add_single(self, gradient: Array, row: Indices, theta: Array) -> Array:
        """The gradient of one example: a slice of X as a matrix would take most of the time."""
        columns: slice | Indices
        if isinstance(self.X, np.ndarray):
            columns, x = slice(self.n_features), self.X[row[0]]
        else:
            stored = slice(*self.X.indptr[row[0] : row[0] + 2])
            columns, x = self.X.indices[stored], self.X.data[stored]
        z = np.array([x @ theta[columns]])
        if self.intercept:
            z += theta[-1]
        if self.offset is not None:
            z += self.offset[row]
        slope = self.n_examples * self.weighted(self.loss.gradient(self.y[row], z), row)[0]
        gradient[columns] += slope * x
        if self.intercept:
            gradient[-1] += slope
        return gradient

    def _penalty(self, theta: Array) -> float:
        w = theta[: self.n_features]
        return self.l2 / 2 * float(w @ w) if self.l2 else 0.0  # |w|² may be infinite

    def _penalty_gradient(self, theta: Array) -> Array:
        gradient = self.l2 * theta
        gradient[self.n_features :] = 0.0
        return gradient

    def _add_transposed(self, total: Array, X: Matrix, slope: Array) -> None:
        """total += (X, 1)^T slope."""
        total[: self.n_features] += (self._transposed if X is self.X and self._transposed is not None else X.T) @ slope
        if self.intercept:
            total[-1] += slope.sum()

    def _add_square(self, total: Array, X: Matrix, curvature: Array) -> None:
        """total += (X, 1)^T diag(curvature) (X, 1)."""
        n = self.n_features
        root = np.sqrt(curvature)[:, None]
        if isinstance(X, np.ndarray):
            scaled = X * root
            total[:n, :n] += scaled.T @ scaled
        else:
            scaled = X.multiply(root).tocsr()
            total[:n, :n] += (scaled.T @ scaled).toarray()
        if self.intercept:
            total[:n, n] += (border := X.T @ curvature)
            total[n, :n] += border
            total[n, n] += curvature.sum()
