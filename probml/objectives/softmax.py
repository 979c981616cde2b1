"""The objective of softmax regression: K linear predictors, one for each class."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.linalg import eigh, pinvh

from probml.objectives.base import ALL, SHIFTS, Objective, Preconditioner, SecondOrder, overflow_is_inf
from probml.threads import one_blas_thread, shared_product
from probml.typing import Array, Indices, Matrix

LARGEST_GRAM_COLUMNS = 1000  # up to which products of all pairs of them are summed for a preconditioner
ROWS_PER_COLUMN = 8  # that are enough for these sums
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
    last_posterior : the θ of the last gradient or product, and p there, shape (V, m): products at one θ come in
        succession.
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
        self.last_posterior: tuple[Array, Array] | None = None

    @overflow_is_inf
    def value(self, theta: Array) -> float:
        """F(θ)."""
        self.cost.add(1, 2 * self.entries)
        W = self._matrix(theta)
        total = sum(self._losses(rows, self._predictor(X, W))[0].sum() for rows, X, _ in self.blocks())
        return float(total + self._penalty(W))

    @overflow_is_inf
    def value_and_gradient(self, theta: Array) -> tuple[float, Array]:
        """F(θ) and ∇F(θ), shape (p,)."""
        self.cost.add(1, 4 * self.entries)
        W = self._matrix(theta)
        value, gradient = self._penalty(W), self._penalty_gradient(W)
        posteriors = []
        for rows, X, transposed in self.blocks():
            losses, P, slope = self._losses(rows, self._predictor(X, W))
            value += losses.sum()
            posteriors.append(P[: self.n_vectors])
            self._add_transposed(gradient, transposed, slope)
        self.last_posterior = theta.copy(), np.hstack(posteriors)
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
            losses, P, slope = self._losses(rows, self._predictor(X, W))
            value += losses.sum()
            self._add_transposed(gradient, X.T, slope)
            for k in range(V):
                for other in range(k + 1):
                    curvature = self.weighted(P[k] * ((k == other) - P[other]), rows)
                    block = dense.T @ (dense * curvature[:, None])
                    hessian[k, :, other, :] += block
                    if other < k:
                        hessian[other, :, k, :] += block
        hessian = hessian.reshape(V * width, V * width)
        self._add_penalty(hessian)
        return float(value), gradient.ravel(), hessian

    @overflow_is_inf
    def hessian_product(self, theta: Array, direction: Array) -> Array:
        """∇²F(θ) d: with q = x · d_k, sum_i s_i p_ik (q_ik - sum_l p_il q_il) x_i, and the penalty."""
        posterior = self._posterior(theta)
        self.cost.add(1, 4 * self.entries)
        D = self._matrix(direction)
        product = self._penalty_gradient(D)
        for rows, X, transposed in self.blocks():
            P, change = posterior[:, rows], self._predictor(X, D)[: self.n_vectors]
            change -= (P * change).sum(axis=0)
            change *= P
            self._add_transposed(product, transposed, self.weighted(change, rows))
        return product.ravel()

    @overflow_is_inf
    def preconditioner(self, theta: Array) -> Preconditioner:
        """g -> M^-1 g with M near the Hessian; M = I for an X with many columns, or without any curvature.

        The Hessian is a sum of (diag p_i - p_i p_i^T) ⊗ x_i x_i^T. Were the first factors multiples of each other, with
        traces t_i = s_i (1 - |p_i|²), it would be the product of two sums (that of all rows is seen in some of them):

            M = C ⊗ S + l2 I,     C = sum_i s_i (diag p_i - p_i p_i^T),     S = sum_i t_i x_i x_i^T / sum_i t_i

        In the eigenvectors of C and S, small matrices both, M is diagonal.
        """
        if self.n_features > LARGEST_GRAM_COLUMNS:
            return super().preconditioner(theta)
        P, step = self._posterior(theta), max(1, self.n_examples // (ROWS_PER_COLUMN * (self.n_features + 1)))
        weighted, some = self.weighted(P, ALL), slice(None, None, step)
        between = np.diag(weighted.sum(axis=1)) - weighted @ P.T
        trace = np.sum(weighted[:, some] * (1 - P[:, some]), axis=0)
        if not 0 < trace.sum() < np.inf:
            return super().preconditioner(theta)
        X = self.X[some] if isinstance(self.X, np.ndarray) else self.X[some].toarray()
        X = np.column_stack([X, np.ones(len(X))]) if self.intercept else X
        X = X * np.sqrt(trace / trace.sum())[:, None]
        self.cost.add(len(X) / self.n_examples, X.size * (X.shape[1] + 1))
        (c, C), (d, D) = eigh(between), eigh(X.T @ X)
        smallest = np.finfo(np.float64).eps * max(c[-1] * d[-1], self.l2)
        diagonal = np.maximum(np.outer(c, d) + self.l2, smallest)
        return lambda gradient: (C @ (C.T @ self._matrix(gradient) @ D / diagonal) @ D.T).ravel()

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
        self._add_transposed(gradient, X.T, self._losses(rows, self._predictor(X, W))[2] / share)
        return gradient.ravel()

    def second_order(self, theta: Array) -> SecondOrder:
        """Gradient and Hessian at θ, and the radius of the latter."""
        return SecondOrder(*self.newton_system(theta)[1:], (self._radius,))

    def _radius(self, smallest: float, h: Array) -> float:
        """√2 max_ik |x_i|_(h_k^-1) / √λ.

        As for one predictor, but here the Hessian shrinks along d as the range of x · d_k over the classes allows: the
        third central moment of a random variable is at most its range times its variance. The range of x · d_k is at
        most √2 max_k |x|_(h_k^-1) |d|_h, for H ≥ λ diag(h).
        """
        inverse, n = 1 / self._matrix(h), self.n_features
        largest = 0.0
        for _, X, _ in self.blocks():
            squares = (X * X if isinstance(X, np.ndarray) else X.multiply(X)) @ inverse[:, :n].T
            largest = max(largest, float((squares + inverse[:, n:].sum(axis=1)).max(initial=0.0)))
        return float(np.sqrt(2 * largest / smallest))

    def best_shift(self, theta: Array) -> Array:
        """c, shape (V,), for which sum_i s_i (p_i - indicator of y_i) = 0 at z + c.

        Newton's method. Its step is that for K - 1 classes: a number added to all of c changes nothing.
        """
        W, V, shift = self._matrix(theta), self.n_vectors, np.zeros(self.n_vectors)
        z = np.hstack([self._predictor(X, W) for _, X, _ in self.blocks()])
        for _ in range(SHIFTS):
            _, P, slope = self._losses(ALL, z + np.append(shift, np.zeros(self.n_classes - V))[:, None])
            total = slope.sum(axis=1)
            if np.all(np.abs(total) <= BALANCED_CLASSES * np.abs(slope).sum()):
                return shift
            weighted = self.weighted(P[:V], ALL)
            shift = shift - pinvh(np.diag(weighted.sum(axis=1)) - weighted @ P[:V].T) @ total
        return np.full(V, np.nan)

    def squared_norm(self, theta: Array) -> float:
        """|W|²."""
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
        """z, shape (K, m): classes first, so that sums over them are sums of long rows."""
        w = W[:, : self.n_features]
        z: Array = w @ X.T if isinstance(X, np.ndarray) else shared_product(X, w.T).T
        if self.intercept:
            z += W[:, -1:]
        return np.vstack([z, np.zeros(z.shape[1])]) if self.reference else z

    def _posterior(self, theta: Array) -> Array:
        """p, shape (V, m), computed unless it has just been."""
        if self.last_posterior is None or not np.array_equal(self.last_posterior[0], theta):
            self.cost.add(1, 2 * self.entries)
            W = self._matrix(theta)
            posteriors = [self._losses(rows, self._predictor(X, W))[1] for rows, X, _ in self.blocks()]
            self.last_posterior = theta.copy(), np.hstack(posteriors)[: self.n_vectors]
        return self.last_posterior[1]

    def _losses(self, rows: slice | Indices, z: Array) -> tuple[Array, Array, Array]:
        """s (log sum_k e^(z_k) - z_y), shape (m,), p, (K, m), and s (p - indicator of y), (V, m); z is used up.

        What other classes than y have of e^z is added up by itself: 1 - p_y and log 1 / p_y have all of their digits.
        """
        y = self.y[rows]
        own = y, np.arange(len(y))
        z -= z.max(axis=0)
        z_own = z[own]
        P: Array = np.exp(z, out=z)
        e_own, P[own] = P[own], 0.0
        others = P.sum(axis=0)
        total = others + e_own
        losses = np.log1p(others + (e_own - 1)) - z_own
        P /= total
        P[own] = -others / total
        slope = P[: self.n_vectors].copy(order="K")
        P[own] = e_own / total
        return self.weighted(losses, rows), P, self.weighted(slope, rows)

    def _add_transposed(self, total: Array, transposed: Matrix, slope: Array) -> None:
        """total += slope (X, 1)."""
        product = slope @ transposed.T if isinstance(transposed, np.ndarray) else shared_product(transposed, slope.T).T
        total[:, : self.n_features] += product
        if self.intercept:
            total[:, -1] += slope.sum(axis=1)
