"""The objective of all models with a linear predictor z = x · w + b, for any solver."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from probml.losses.base import Loss
from probml.objectives.base import ALL, SHIFTS, Block, Objective, Radius, SecondOrder, checked_rows, overflow_is_inf
from probml.typing import Array, Indices, Matrix

LARGEST_SHARE_COPIED = 0.8  # of the rows: to copy fewer of them saves more than it costs
BALANCED_SUM = 1e-11  # share of sum |slope| that their sum may be, where it is zero but for rounding


@dataclass
class Point:
    """θ, shape (p,), and what passes over the examples have found there: solvers come back to where they have been.

    gradient, predictors : ∇F, shape (p,), and z, shape (m,), of a pass for the gradient.
    second : of a pass for the Hessian.
    curved : the curvatures s l'' of all examples; or only those that are not 0, with their rows of a sparse X.
    hessian_below : ∇²F(θ), or a matrix H ≤ ∇²F(θ) that a solver has left: where it is regular, the Hessian is.
    """

    theta: Array
    gradient: Array | None = None
    predictors: Array | None = None
    second: SecondOrder | None = None
    curved: tuple[Array, list[Block] | None] | None = None
    hessian_below: Array | None = None


class LinearObjective(Objective):
    r"""The sum of losses of a linear predictor, and a penalty; θ = (w, b), the intercept b last and not penalised.

    .. math::
        F(w, b) &= \sum_i s_i \, l(y_i, x_i \cdot w + b + o_i) + \tfrac{1}{2} l_2 |w|^2 \\
        \nabla F &= X^T (s l') + l_2 w \\
        \nabla^2 F &= X^T \mathrm{diag}(s l'') X + l_2 I \qquad \text{with a column of ones for } b

    X : dense or CSR, shape (m, n). y : shape (m,). weight : s, not negative, shape (m,). offset : o, shape (m,).
    They are not copied: what is known at the last θ (`point`) holds for as long as they are not changed.
    θ has the shape (n + 1,), or (n,) without intercept.
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
        self.y, self.loss, self.convex = loss.check(y), loss, loss.convex
        self.self_concordant = loss.self_concordance < np.inf
        if self.y.shape != (X.shape[0],):
            raise ValueError(f"X has {X.shape[0]} rows, y has the shape {self.y.shape}")
        super().__init__(X, 1, l2, intercept, weight)
        self.offset = None if offset is None else checked_rows("offset", offset, self.n_examples)
        self.point = Point(np.full(self.n_parameters, np.nan))

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
            for rows, X, _ in self.blocks()
        )
        return float(total + self._penalty(theta))

    @overflow_is_inf
    def value_and_gradient(self, theta: Array) -> tuple[float, Array]:
        """F(θ) and ∇F(θ) = X^T (s l') + l2 w."""
        self.cost.add(1, 4 * self.entries)
        value, gradient = self._penalty(theta), self._penalty_gradient(theta)
        z = np.empty(self.n_examples)
        for rows, X, transposed in self.blocks():
            z[rows] = self.linear_predictor(X, rows, theta)
            loss, slope = self.loss.value_and_gradient(self.y[rows], z[rows])
            value += self.weighted(loss, rows).sum()
            self._add_transposed(gradient, transposed, self.weighted(slope, rows))
        point = self.at(theta)
        point.gradient, point.predictors = gradient, z
        return float(value), gradient.copy()

    def newton_system(self, theta: Array) -> tuple[float, Array, Array]:
        """F(θ), ∇F(θ) and ∇²F(θ) = X^T diag(s l'') X + l2 I."""
        value, known = self._second_order(theta)
        return value, known.gradient.copy(), known.hessian.copy()  # whoever asked may change what is returned

    def second_order(self, theta: Array) -> SecondOrder:
        """Gradient, Hessian and radii at θ, from a pass over the examples unless they are known."""
        return self.at(theta).second or self._second_order(theta)[1]

    @overflow_is_inf
    def _second_order(self, theta: Array) -> tuple[float, SecondOrder]:
        self.cost.add(1, 4 * self.entries + self._square_flops())
        value, gradient = self._penalty(theta), self._penalty_gradient(theta)
        hessian, curvatures = np.zeros((self.n_parameters, self.n_parameters)), np.empty(self.n_examples)
        for rows, X, transposed in self.blocks():
            loss, slope, curvature = self.loss.all(self.y[rows], self.linear_predictor(X, rows, theta))
            value += self.weighted(loss, rows).sum()
            self._add_transposed(gradient, transposed, self.weighted(slope, rows))
            curvatures[rows] = self.weighted(curvature, rows)
            self._add_square(hessian, X, curvatures[rows])
        self._add_penalty(hessian)
        point, known = self.at(theta), SecondOrder(gradient, hessian, self._radii(curvatures))
        point.second, point.hessian_below = known, hessian
        return float(value), known

    def hessian_product(self, theta: Array, direction: Array) -> Array:
        """∇²F(θ) d = X^T (s l'' X d) + l2 d. The curvatures s l'' are kept: products at the same θ come in succession.

        Of a sparse X only the rows with a curvature are multiplied: for the squared hinge those with a margin below 1.
        """
        point = self.at(theta)
        if point.curved is None:
            point.curved = self._curved(point)
        curvatures, blocks = point.curved
        self.cost.add(1, 4 * self.entries)
        product = self._penalty_gradient(direction)
        for rows, X, transposed in blocks or self.blocks():
            self._add_transposed(product, transposed, curvatures[rows] * self._change(X, direction))
        return product

    @overflow_is_inf
    def hessian_bound(self) -> Array:
        """X^T diag(s c) X + l2 I with c the largest curvature of the loss."""
        if not np.isfinite(self.loss.curvature_bound):
            raise ValueError(f"{type(self.loss).__name__} has a curvature without bound: no fixed Hessian is above all")
        self.cost.add(1, self._square_flops())
        bound = np.zeros((self.n_parameters, self.n_parameters))
        for rows, X, _ in self.blocks():
            self._add_square(bound, X, self.weighted(np.full(X.shape[0], self.loss.curvature_bound), rows))
        self._add_penalty(bound)
        return bound

    def hessian_below(self, theta: Array) -> Array:
        """The Hessian at θ if it is known; else a matrix below it that a solver has left; else it is computed."""
        below = self.at(theta).hessian_below
        return self.second_order(theta).hessian if below is None else below

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
        self._add_transposed(gradient, X.T, slope / share)
        return gradient

    def knows_hessian(self, theta: Array) -> bool:
        """Whether a pass for the Hessian has been at θ."""
        return self.at(theta).second is not None

    def _radii(self, curvatures: Array) -> tuple[Radius, ...]:
        """M |x_i|_(H^-1), with M the self-concordance of the loss, by two bounds on the largest of these norms.

        Along d the Hessian of example i shrinks at most as e^(-M |x_i · d|), and |x_i · d| ≤ |x_i|_(H^-1) |d|_H, where
        |x_i|²_(H^-1) is at most 1 / (s_i l''_i), and at most sum_j x_ij² / (λ h_j) for H ≥ λ diag(h).
        """
        M = self.loss.self_concordance

        def by_columns(smallest: float, h: Array) -> float:
            largest, bias = 0.0, 1 / h[-1] if self.intercept else 0.0
            for rows, X, _ in self.blocks():
                squares = (X * X if isinstance(X, np.ndarray) else X.multiply(X)) @ (1 / h[: self.n_features]) + bias
                largest = max(largest, float(np.minimum(1 / curvatures[rows], squares / smallest).max()))
            return M * float(np.sqrt(largest))

        return lambda *_: M / np.sqrt(curvatures.min(initial=np.inf)), by_columns

    def predictors(self, theta: Array) -> Array:
        """z = X w + b + o, shape (m,); not computed again where the gradient has just been asked for."""
        if (known := self.at(theta).predictors) is not None:
            return known
        self.cost.add(1, 2 * self.entries)
        return self.linear_predictor(self.X, ALL, theta)

    def change(self, direction: Array) -> Array:
        """X d_w + d_b, shape (m,): what a step along d adds to the predictors."""
        self.cost.add(1, 2 * self.entries)
        return self._change(self.X, direction)

    def linear_predictor(self, X: Matrix, rows: slice | Indices, theta: Array) -> Array:
        """z = X w + b + o of these rows, which X has."""
        z = X @ theta[: self.n_features]
        if self.intercept:
            z += theta[-1]
        if self.offset is not None:
            z += self.offset[rows]
        return z

    def _change(self, X: Matrix, direction: Array) -> Array:
        return X @ direction[: self.n_features] + (direction[-1] if self.intercept else 0.0)

    def _curved(self, point: Point) -> tuple[Array, list[Block] | None]:
        """s l'', shape (m,); or that of the rows of a sparse X which have any, if these are few enough to be copied."""
        if point.predictors is not None:
            curvatures = self.weighted(self.loss.curvature(self.y, point.predictors), ALL)
        else:
            self.cost.add(1, 2 * self.entries)
            curvatures = np.empty(self.n_examples)
            for rows, X, _ in self.blocks():
                z = self.linear_predictor(X, rows, point.theta)
                curvatures[rows] = self.weighted(self.loss.curvature(self.y[rows], z), rows)
        curved = np.flatnonzero(curvatures)
        if isinstance(self.X, np.ndarray) or len(curved) > LARGEST_SHARE_COPIED * self.n_examples:
            return curvatures, None
        X = self.X[curved]
        return curvatures[curved], [(ALL, X, X.T)]

    def _add_single(self, gradient: Array, row: Indices, theta: Array) -> Array:
        """The gradient of one example: a slice of X as a matrix would take most of the time."""
        columns: slice | Indices
        if isinstance(self.X, np.ndarray):
            columns, x = slice(self.n_features), self.X[row[0]]
        else:
            stored = slice(*self.X.indptr[row[0] : row[0] + 2])
            columns, x = self.X.indices[stored], self.X.data[stored]
        z = np.array([x @ theta[columns]]) + (theta[-1] if self.intercept else 0.0)
        if self.offset is not None:
            z += self.offset[row]
        slope = self.n_examples * self.weighted(self.loss.gradient(self.y[row], z), row)[0]
        gradient[columns] += slope * x
        if self.intercept:
            gradient[-1] += slope
        return gradient

    def best_shift(self, theta: Array) -> float:
        """c that minimises sum_i s_i l(y_i, z_i + c).

        Newton's method with steps of log(1 + M |δ|) / M instead of δ: none overshoots, as l'' grows at most as e^(M c).
        Without such an M steps are those of Newton's method, which may fail.
        """
        z, M, shift = self.linear_predictor(self.X, ALL, theta), self.loss.self_concordance, 0.0
        for _ in range(SHIFTS):
            slope = self.weighted(self.loss.gradient(self.y, z + shift), ALL)
            if abs(slope.sum()) <= BALANCED_SUM * np.abs(slope).sum():
                return shift
            step = -slope.sum() / self.weighted(self.loss.curvature(self.y, z + shift), ALL).sum()
            shift += np.sign(step) * np.log1p(M * abs(step)) / M if 0 < M < np.inf else step
        return np.nan

    def squared_norm(self, theta: Array) -> float:
        """|w|²."""
        w = theta[: self.n_features]
        return float(w @ w)

    def _add_transposed(self, total: Array, transposed: Matrix, slope: Array) -> None:
        """total += (X, 1)^T slope."""
        total[: self.n_features] += transposed @ slope
        if self.intercept:
            total[-1] += slope.sum()

    def _square_flops(self) -> int:
        """Operations for X^T diag(v) X: one half, m n (n + 1), if dense; else all of it."""
        if isinstance(self.X, np.ndarray):
            return self.entries * (self.n_features + 2)
        return int(self.X.nnz + 2 * np.sum(np.diff(self.X.indptr).astype(np.int64) ** 2))

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
