"""The objective of softmax regression: K linear predictors, one for each class."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.linalg import pinvh
from scipy.special import logsumexp

from probml.objectives.base import ALL, SHIFTS, Objective, overflow_is_inf
from probml.objectives.gap import self_concordant_gap
from probml.threads import one_blas_thread, shared_product
from probml.typing import Array, Indices, Matrix

BALANCED_CLASSES = 1e-12  # share of sum |slope| that the sum of any class may be, where it is zero but for rounding


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
        y, m = np.asarray(y), X.shape[0]
        if y.shape != (m,) or y.dtype.kind not in "iu" or (m and not (0 <= y.min() and y.max() < n_classes)):
            raise ValueError(f"y must be {m} classes from 0 to {n_classes - 1}, received {y!r}")
        super().__init__(X, n_classes - reference, l2, intercept, weight)
        self.y, self.n_classes, self.reference = y, n_classes, reference
        if self.transposed is not None:
            self.transposed = sparse.csr_array(self.transposed)  # for `shared_product`
        self._kept: tuple[Array, Array] | None = None  # the θ of the last gradient or product, and the posterior there

    @overflow_is_inf
    def value(self, theta: Array) -> float:
        """F(θ)."""
        self.cost.add(1, 2 * self.entries)
        W = self._matrix(theta)
        return float(self._penalty(W) + sum(self._loss(rows, self._predictor(X, W)) for rows, X, _ in self.blocks()))

    @overflow_is_inf
    def value_and_gradient(self, theta: Array) -> tuple[float, Array]:
        """F(θ) and ∇F(θ), shape (p,)."""
        self.cost.add(1, 4 * self.entries)
        W = self._matrix(theta)
        value, gradient = self._penalty(W), self._penalty_gradient(W)
        posterior = np.empty((self.n_examples, self.n_classes))
        for rows, X, transposed in self.blocks():
            z = self._predictor(X, W)
            value += self._loss(rows, z)
            posterior[rows] = self._posterior(z)
            self._add_transposed(gradient, transposed, self._slope(rows, posterior[rows]))
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
        hessian: Array = np.zeros((V, width, V, width))
        for rows, dense in self._dense_blocks():
            X = dense[:, : self.n_features]
            z = self._predictor(X, W)
            value += self._loss(rows, z)
            P = self._posterior(z)
            self._add_transposed(gradient, X.T, self._slope(rows, P))
            P = P[:, :V]
            for k in range(V):
                for other in range(k + 1):
                    curvature = self.weighted(P[:, k] * ((k == other) - P[:, other]), rows)
                    block = dense.T @ (dense * curvature[:, None])
                    hessian[k, :, other, :] += block
                    if other < k:
                        hessian[other, :, k, :] += block
        hessian = hessian.reshape(V * width, V * width)
        self._add_penalty(hessian)
        return float(value), gradient.ravel(), hessian

    def hessian_product(self, theta: Array, direction: Array) -> Array:
        """∇²F(θ) d: with q = x · d_k, sum_i s_i p_ik (q_ik - sum_l p_il q_il) x_i, and the penalty.

        The posterior is kept: products at the same θ come in succession.
        """
        if self._kept is None or not np.array_equal(self._kept[0], theta):
            self.cost.add(1, 2 * self.entries)
            W = self._matrix(theta)
            kept = [self._posterior(self._predictor(X, W))[:, : self.n_vectors] for _, X, _ in self.blocks()]
            self._kept = theta.copy(), np.concatenate(kept)
        self.cost.add(1, 4 * self.entries)
        D = self._matrix(direction)
        product = self._penalty_gradient(D)
        for rows, X, transposed in self.blocks():
            P, q = self._kept[1][rows], self._predictor(X, D)[:, : self.n_vectors]
            change = P * (q - np.sum(P * q, axis=1, keepdims=True))
            self._add_transposed(product, transposed, self.weighted(change.T, rows).T)
        return product.ravel()

    @overflow_is_inf
    def hessian_bound(self) -> Array:
        """1/2 (I - 1 1^T / K) ⊗ X^T diag(s) X + l2 I, above all Hessians (Böhning)."""
        V, width = self.n_vectors, self.n_features + self.intercept
        self.cost.add(1, self.n_examples * self.n_features * (2 * self.n_features + 1))
        square = np.zeros((width, width))
        for rows, dense in self._dense_blocks():
            square += dense.T @ (dense * self.weighted(np.ones(len(dense)), rows)[:, None])
        bound = np.kron((np.eye(V) - 1 / self.n_classes) / 2, square).astype(np.float64, copy=False)
        self._add_penalty(bound)
        return bound

    @overflow_is_inf
    def gradient_of(self, rows: Indices, theta: Array) -> Array:
        """m / |rows| times the sum of the gradients of these examples, and the gradient of the penalty."""
        share = len(rows) / self.n_examples
        self.cost.add(share, 4 * self.entries * share)
        W, X = self._matrix(theta), self.X[rows]
        gradient = self._penalty_gradient(W)
        self._add_transposed(gradient, X.T, self._slope(rows, self._posterior(self._predictor(X, W))) / share)
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

    def _radius(self, smallest: float, h: Array) -> float:
        """√2 max_ik |x_i|_(h_k^-1) / √λ."""
        inverse, n = 1 / self._matrix(h), self.n_features
        largest = 0.0
        for _, X, _ in self.blocks():
            squares = (X * X if isinstance(X, np.ndarray) else X.multiply(X)) @ inverse[:, :n].T
            largest = max(largest, float((squares + inverse[:, n:].sum(axis=1)).max(initial=0.0)))
        return float(np.sqrt(2 * largest / smallest))

    def _best_shift(self, theta: Array) -> Array:
        """c, shape (V,), for which sum_i s_i (p_i - indicator of y_i) = 0 at z + c.

        Newton's method. Its step is that for K - 1 classes: a number added to all of c changes nothing.
        """
        W, V, shift = self._matrix(theta), self.n_vectors, np.zeros(self.n_vectors)
        z = np.concatenate([self._predictor(X, W) for _, X, _ in self.blocks()])
        for _ in range(SHIFTS):
            P = self._posterior(z + np.append(shift, np.zeros(self.n_classes - V)))
            slope = self._slope(ALL, P)
            if np.all(np.abs(slope.sum(axis=0)) <= BALANCED_CLASSES * np.abs(slope).sum()):
                return shift
            P = P[:, :V]
            weighted = self.weighted(P.T, ALL)
            hessian = np.diag(weighted.sum(axis=1)) - weighted @ P
            shift = shift - pinvh(hessian) @ slope.sum(axis=0)
        return np.full(V, np.nan)

    def _squared_norm(self, theta: Array) -> float:
        return float(np.sum(self._matrix(theta)[:, : self.n_features] ** 2))

    def _matrix(self, theta: Array) -> Array:
        return theta.reshape(self.n_vectors, self.n_features + self.intercept)

    def _dense_blocks(self) -> Iterator[tuple[slice, Array]]:
        """Rows and (X, 1): Hessians are dense, and so is what they are made of."""
        with one_blas_thread():
            for rows in self._slices():
                X = self.X[rows] if isinstance(self.X, np.ndarray) else self.X[rows].toarray()
                yield rows, np.column_stack([X, np.ones(len(X))]) if self.intercept else X

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
        return float(self.weighted(logsumexp(z - own[:, None], axis=1), rows).sum())

    def _slope(self, rows: slice | Indices, posterior: Array) -> Array:
        """s (p - indicator of y), shape (m, V)."""
        y = self.y[rows]
        slope, own = posterior.copy(), (np.arange(len(y)), y)
        slope[own] = 0.0
        slope[own] = -slope.sum(axis=1)  # p - 1, without its rounding
        return self.weighted(slope[:, : self.n_vectors].T, rows).T

    def _add_transposed(self, total: Array, transposed: Matrix, slope: Array) -> None:
        """total += slope^T (X, 1)."""
        total[:, : self.n_features] += shared_product(transposed, slope).T
        if self.intercept:
            total[:, -1] += slope.sum(axis=0)
