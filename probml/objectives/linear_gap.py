"""How far a linear objective can be from its minimum: from the Hessian, or from the dual problem."""

import numpy as np
from scipy import sparse

from probml.objectives.base import Array, overflow_is_inf
from probml.objectives.gap import self_concordant_gap
from probml.objectives.linear_derivatives import LinearDerivatives, known_at

SHIFTS = 50  # iterations to find the best intercept
BALANCED = 1e-11  # slopes add up to zero, but for rounding
LARGEST_HESSIAN = 3000  # parameters above which no Hessian is formed to bound the gap


class LinearGap(LinearDerivatives):
    """A bound on F(θ) - min F from what is known at θ, or at θ on a part of the examples."""

    _part: "LinearGap | None" = None  # the same objective on fewer examples, where there is one

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
        for _ in range(SHIFTS):
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
