"""The objective of softmax regression: K linear predictors, one for each class."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.linalg import pinvh
from scipy.special import logsumexp

from probml.inputs import canonical
from probml.objectives.base import (
    Cost,
    Objective,
    checked_l2,
    checked_rows,
    count_flops,
    mean_weight,
    overflow_is_inf,
)
from probml.objectives.gap import self_concordant_gap
from probml.threads import one_blas_thread, shared_product
from probml.typing import Array, Indices, Matrix

SHIFTS = 50  # iterations to find the best intercepts
BALANCED = 1e-12  # slopes add up to zero, but for rounding
BLOCK = 2**17  # numbers of X handled at a time
LARGEST_HESSIAN = 3000  # parameters above which no Hessian is formed to bound the gap


class SoftmaxObjective(Objective):
    r"""Softmax regression with scores z_ik = x_i · w_k + b_k, posteriors p_i = softmax(z_i), and a penalty.

    .. math::
        F(W, b) &= \sum_i s_i \left[\log \sum_k e^{z_{ik}} - z_{i, y_i}\right] + \tfrac{1}{2} l_2 |W|^2 \\
        \frac{\partial F}{\partial w_k} &= \sum_i s_i (p_{ik} - 1\{y_i = k\}) x_i + l_2 w_k \\
        \frac{\partial^2 F}{\partial w_k \partial w_l}
        &= \sum_i s_i p_{ik} (1\{k = l\} - p_{il}) x_i x_i^T + l_2 1\{k = l\} I

    θ : W and b side by side, shape (K, n + 1), flattened; or (K - 1, n + 1) with `reference`, where the last class has
    w = 0 and b = 0: the same model without the direction that changes nothing.
    X : dense or CSR, shape (m, n). y : classes 0 to K - 1, shape (m,). weight : s, shape (m,).
    """

    def __init__(
        self,
        X: Matrix,
        y: ArrayLike,
        n_classes: int,
        *,
        l2: float = 0.0,
        intercept: bool = True,
        weight: ArrayLike | None = None,
        reference: bool = False,
    ) -> None:
        y = np.asarray(y)
        m, n = X.shape
        if y.shape != (m,) or y.dtype.kind not in "iu" or (m and not (0 <= y.min() and y.max() < n_classes)):
            raise ValueError(f"y must be {m} classes from 0 to {n_classes - 1}, received {y!r}")
        self.X: Matrix = canonical(X)
        self.y, self.l2, self.intercept, self.reference = y, checked_l2(l2), intercept, reference
        self.weight = None if weight is None else checked_rows("weight", weight, m, smallest=0.0)
        self.n_classes, self.n_vectors = n_classes, n_classes - reference
        self.n_examples, self.n_features, self.n_parameters = m, n, self.n_vectors * (n + intercept)
        self.cost, self.unit = Cost(), mean_weight(self.weight)
        self._entries = count_flops(self.X)[0] * self.n_vectors
        self._columns = None if isinstance(self.X, np.ndarray) else sparse.csr_array(self.X.T)
        self._kept: tuple[Array, Array] | None = None  # the θ of the last gradient or product, and the posterior there

    @overflow_is_inf
    def value(self, theta: Array) -> float:
        """F(θ)."""
        self.cost.add(1, 2 * self._entries)
        W = self._matrix(theta)
        return float(self._penalty(W) + sum(self._loss(rows, self._predictor(X, W)) for rows, X in self._blocks()))

    @overflow_is_inf
    def value_and_gradient(self, theta: Array) -> tuple[float, Array]:
        """F(θ) and ∇F(θ), shape (p,)."""
        self.cost.add(1, 4 * self._entries)
        W = self._matrix(theta)
        value, gradient = self._penalty(W), self._penalty_gradient(W)
        posterior = np.empty((self.n_examples, self.n_classes))
        for rows, X in self._blocks():
            z = self._predictor(X, W)
            value += self._loss(rows, z)
            posterior[rows] = self._posterior(z)
            self._add_transposed(gradient, X, self._slope(rows, posterior[rows]))
        self._kept = theta.copy(), posterior[:, : self.n_vectors]
        return float(value), gradient.ravel()

    @overflow_is_inf
    def newton_system(self, theta: Array) -> tuple[float, Array, Array]:
        """F(θ), ∇F(θ) and ∇²F(θ), shape (p, p)."""
        V, width = self.n_vectors, self.n_features + self.intercept
        dense_entries = self.n_examples * self.n_features * V
        self.cost.add(1, dense_entries * (4 + (2 * self.n_features + 1) * (V + 1) / 2))
        W = self._matrix(theta)
        value, gradient = self._penalty(W), self._penalty_gradient(W)
        hessian = np.zeros((V, width, V, width))
        for rows, dense in self._dense_blocks():
            X = dense[:, : self.n_features]
            z = self._predictor(X, W)
            value += self._loss(rows, z)
            P = self._posterior(z)
            self._add_transposed(gradient, X, self._slope(rows, P))
            P = P[:, :V]
            for k in range(V):
                for other in range(k + 1):
                    curvature = self._weighted(P[:, k] * ((k == other) - P[:, other]), rows)
                    block = dense.T @ (dense * curvature[:, None])
                    hessian[k, :, other, :] += block
                    if other < k:
                        hessian[other, :, k, :] += block
        hessian = hessian.reshape(V * width, V * width)
        hessian[np.diag_indices(V * width)] += self._penalised().ravel() * self.l2
        return float(value), gradient.ravel(), hessian

    def hessian_product(self, theta: Array, direction: Array) -> Array:
        """∇²F(θ) d: with q = x · d_k, sum_i s_i p_ik (q_ik - sum_l p_il q_il) x_i, and the penalty.

        The posterior is kept: products come in rows at the same θ.
        """
        if self._kept is None or not np.array_equal(self._kept[0], theta):
            self.cost.add(1, 2 * self._entries)
            W = self._matrix(theta)
            kept = [self._posterior(self._predictor(X, W))[:, : self.n_vectors] for _, X in self._blocks()]
            self._kept = theta.copy(), np.concatenate(kept)
        self.cost.add(1, 4 * self._entries)
        D = self._matrix(direction)
        product = self._penalty_gradient(D)
        for rows, X in self._blocks():
            P, q = self._kept[1][rows], self._predictor(X, D)[:, : self.n_vectors]
            change = P * (q - np.sum(P * q, axis=1, keepdims=True))
            self._add_transposed(product, X, self._weighted(change.T, rows).T)
        return product.ravel()

    @overflow_is_inf
    def hessian_bound(self) -> Array:
        """1/2 (I - 1 1^T / K) ⊗ X^T diag(s) X + l2 I, above all Hessians (Böhning)."""
        V, width = self.n_vectors, self.n_features + self.intercept
        self.cost.add(1, self.n_examples * self.n_features * (2 * self.n_features + 1))
        square = np.zeros((width, width))
        for rows, dense in self._dense_blocks():
            square += dense.T @ (dense * self._weighted(np.ones(len(dense)), rows)[:, None])
        bound = np.kron((np.eye(V) - 1 / self.n_classes) / 2, square).astype(np.float64, copy=False)
        bound[np.diag_indices(V * width)] += self._penalised().ravel() * self.l2
        return bound

    @overflow_is_inf
    def gradient_of(self, rows: Indices, theta: Array) -> Array:
        """m / |rows| times the sum of the gradients of these examples, and the gradient of the penalty."""
        share = len(rows) / self.n_examples
        self.cost.add(share, 4 * self._entries * share)
        W, X = self._matrix(theta), self.X[rows]
        gradient = self._penalty_gradient(W)
        self._add_transposed(gradient, X, self._slope(rows, self._posterior(self._predictor(X, W))) / share)
        return gradient.ravel()

    def gap_bound(self, theta: Array) -> float:
        """As for one predictor: here the Hessian shrinks along d as the range of x · d_k over the classes allows.

        The third central moment of a random variable is at most its range times its variance; the range of x · d_k is
        at most √2 max_k |x|_(h_k^-1) |d|_h, for H ≥ λ diag(h).
        """
        if not self.bounds_gap:
            return self.dual_gap(theta)
        _, gradient, hessian = self.newton_system(theta)
        return self_concordant_gap(gradient, hessian, self._radius)

    @property
    def bounds_gap(self) -> bool:
        """Whether near a minimum the bound is always found, and is near the gap: where it is from the Hessian."""
        return self.n_parameters <= LARGEST_HESSIAN

    def _radius(self, smallest: float, h: Array) -> float:
        """√2 max_ik |x_i|_(h_k^-1) / √λ."""
        inverse, n = 1 / self._matrix(h), self.n_features
        largest = 0.0
        for _, X in self._blocks():
            squares = (X * X if isinstance(X, np.ndarray) else X.multiply(X)) @ inverse[:, :n].T
            largest = max(largest, float((squares + inverse[:, n:].sum(axis=1)).max(initial=0.0)))
        return float(np.sqrt(2 * largest / smallest))

    @overflow_is_inf
    def dual_gap(self, theta: Array) -> float:
        """F(W, b) - F(W, b') + |∇_W F(W, b')|² / (2 l2), as for one predictor (`LinearObjective`)."""
        if not self.l2:
            return np.inf
        W = self._matrix(theta)
        best = W.copy()
        if self.intercept:
            best[:, -1] += self._best_shift(np.concatenate([self._predictor(X, W) for _, X in self._blocks()]))
        best_value, gradient = self.value_and_gradient(best.ravel())
        w = self._matrix(gradient)[:, : self.n_features]
        gap = float(self.value(theta) - best_value + np.sum(w**2) / (2 * self.l2))
        return max(gap, 0.0) if np.isfinite(gap) else np.inf

    def _best_shift(self, z: Array) -> Array:
        """c, shape (V,), for which sum_i s_i (p_i - indicator of y_i) = 0 at z + c; nan where it is not found.

        Newton's method. Its step is that for K - 1 classes: a number added to all of c changes nothing.
        """
        V, shift = self.n_vectors, np.zeros(self.n_vectors)
        for _ in range(SHIFTS):
            P = self._posterior(z + np.append(shift, np.zeros(self.n_classes - V)))
            slope = self._slope(slice(None), P)
            if np.all(np.abs(slope.sum(axis=0)) <= BALANCED * np.abs(slope).sum()):
                return shift
            P = P[:, :V]
            weighted = self._weighted(P.T, slice(None))
            bend = np.diag(weighted.sum(axis=1)) - weighted @ P
            shift = shift - pinvh(bend) @ slope.sum(axis=0)
        return np.full(V, np.nan)

    def _matrix(self, theta: Array) -> Array:
        return theta.reshape(self.n_vectors, self.n_features + self.intercept)

    def _blocks(self) -> Iterator[tuple[slice, Matrix]]:
        if sparse.issparse(self.X):
            yield slice(None), self.X
            return
        with one_blas_thread():
            for rows in self._slices():
                yield rows, self.X[rows]

    def _dense_blocks(self) -> Iterator[tuple[slice, Array]]:
        """Rows and (X, 1): Hessians are dense, and so is what they are made of."""
        with one_blas_thread():
            for rows in self._slices():
                X = self.X[rows] if isinstance(self.X, np.ndarray) else self.X[rows].toarray()
                yield rows, np.column_stack([X, np.ones(len(X))]) if self.intercept else X

    def _slices(self) -> Iterator[slice]:
        size = max(1, BLOCK // max(1, self.n_features))
        return (slice(start, start + size) for start in range(0, self.n_examples, size))

    def _predictor(self, X: Matrix, W: Array) -> Array:
        """z, shape (m, K)."""
        z = shared_product(X, W[:, : self.n_features].T)
        if self.intercept:
            z += W[:, -1]
        return np.column_stack([z, np.zeros(len(z))]) if self.reference else z

    @staticmethod
    def _posterior(z: Array) -> Array:
        p: Array = np.exp(z - z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        return p

    def _loss(self, rows: slice, z: Array) -> float:
        y = self.y[rows]
        own = z[np.arange(len(y)), y]
        return float(self._weighted(logsumexp(z - own[:, None], axis=1), rows).sum())

    def _slope(self, rows: slice | Indices, posterior: Array) -> Array:
        """s (p - indicator of y), shape (m, V)."""
        y = self.y[rows]
        slope, own = posterior.copy(), (np.arange(len(y)), y)
        slope[own] = 0.0
        slope[own] = -slope.sum(axis=1)  # p - 1, without its rounding
        return self._weighted(slope[:, : self.n_vectors].T, rows).T

    def _weighted(self, values: Array, rows: slice | Indices) -> Array:
        """Values times s, along the last axis."""
        return values if self.weight is None else values * self.weight[rows]

    def _penalised(self) -> Array:
        """1 for weights, 0 for intercepts, shape (V, n + 1)."""
        return np.broadcast_to(
            np.arange(self.n_features + self.intercept) < self.n_features,
            (self.n_vectors, self.n_features + self.intercept),
        ).astype(np.float64)

    def _penalty(self, W: Array) -> float:
        return self.l2 / 2 * float(np.sum(W[:, : self.n_features] ** 2)) if self.l2 else 0.0  # |W|² may be infinite

    def _penalty_gradient(self, W: Array) -> Array:
        return self.l2 * W * self._penalised()

    def _add_transposed(self, total: Array, X: Matrix, slope: Array) -> None:
        """total += slope^T (X, 1)."""
        columns = self._columns if X is self.X and self._columns is not None else X.T
        total[:, : self.n_features] += shared_product(columns, slope).T
        if self.intercept:
            total[:, -1] += slope.sum(axis=0)
