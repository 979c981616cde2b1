"""Newton's method for many small convex problems at once.

Problems that are done leave the batch, so that the slow ones do not hold up the others. A step of Newton's is doubled
for as long as that lowers the objective: where some examples want infinite predictors, each step of length 1 lowers
their loss by no more than the factor e. The Hessian is damped by a tiny multiple of the identity (Levenberg), which
moves no minimum, but holds what has no curvature left.
"""

from typing import Protocol, Self

import numpy as np

from probml.typing import Array, Indices, Mask

GAP = 1e-9  # the last step is taken where Newton's decrement, the gap that the quadratic model sees, is below this
DAMPING = 1e-13  # share of the trace of the Hessian
LONGEST = 64.0
SHORTEST = 2.0**-30
MAX_STEPS = 200
CERTAIN = 1e-9  # share of the largest margin below which one that should be above 0 may be rounding


class Problems(Protocol):
    """b convex functions of θ, shape (b, p): loss(predictors) + sum_j penalty_j θ_j² / 2."""

    @property
    def penalty(self) -> Array:
        """Shape (b, p)."""

    def take(self, keep: Indices) -> Self:
        """Some of the problems."""

    def predictors(self, theta: Array) -> Array:
        """Linear in θ: shape (b, predictors)."""

    def loss(self, z: Array, some: Indices) -> Array:
        """Of some of the problems, whose predictors are z. Shape (len(some),)."""

    def system(self, z: Array) -> tuple[Array, Array]:
        """Gradient, shape (b, p), and Hessian, shape (b, p, p), of the loss."""

    def separated(self, z: Array) -> Mask:
        """Whether all examples are on the right side, shape (b,)."""


def newton(problems: Problems, start: Array | None = None, gap: float = GAP) -> tuple[Array, Mask]:
    """θ, shape (b, p), and which problems are completely separated by it. From `start`, or θ = 0.

    Without a penalty, a problem ends as soon as θ separates all examples: there is no minimum, and this θ is the proof.
    Otherwise it ends where the gap is below `gap`: at the minimum, to rounding, after the last step; or, under
    quasi-complete separation, on the path of the likelihood where it comes this close to its supremum. Separable
    problems cannot end there: a loss below log 2 separates, and their infimum is 0.
    """
    theta = np.zeros(problems.penalty.shape) if start is None else start
    result, separable = np.zeros_like(theta), np.zeros(len(theta), dtype=bool)
    own, z = np.arange(len(theta)), problems.predictors(theta)
    for _ in range(MAX_STEPS):
        gradient, hessian = problems.system(z)
        gradient = gradient + problems.penalty * theta
        damping = DAMPING * np.trace(hessian, axis1=1, axis2=2)
        j = np.arange(theta.shape[1])
        hessian[:, j, j] += problems.penalty + np.maximum(damping, 1e-300)[:, None]
        step: Array = np.asarray(-np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0], dtype=np.float64)
        decrement = -np.einsum("bp,bp->b", gradient, step) / 2
        change = problems.predictors(step)
        # So close to the minimum rounding hides what a step gains.
        length = np.where(decrement <= GAP, 1.0, _length(problems, theta, z, step, change))
        theta, z = theta + length[:, None] * step, z + length[:, None] * change
        right = problems.separated(z) & ~problems.penalty.any(axis=1)
        done = (decrement <= gap) | right | (length < SHORTEST)
        result[own[done]], separable[own[done]] = theta[done], right[done]
        if done.all():
            return result, separable
        if done.any():
            keep = np.flatnonzero(~done)
            problems, own, theta, z = problems.take(keep), own[keep], theta[keep], z[keep]
    raise RuntimeError(
        f"{len(own)} problems are not solved after {MAX_STEPS} steps of Newton's method: scale the features"
    )


def _length(problems: Problems, theta: Array, z: Array, step: Array, change: Array) -> Array:
    """1, 2, 4, ... while the objective falls; where 1 is too long, the first of 1/2, 1/4, ... that lowers it."""
    weighted = problems.penalty * step  # penalty(θ + s step) - penalty(θ) = linear s + square s² / 2
    linear, square = np.einsum("bp,bp->b", weighted, theta), np.einsum("bp,bp->b", weighted, step)
    every = np.arange(len(theta))
    here = problems.loss(z, every)

    def gained(length: Array, some: Indices) -> Array:
        ahead = problems.loss(z[some] + length[:, None] * change[some], some)
        gain: Array = here[some] - ahead - length * (linear[some] + length * square[some] / 2)
        return gain

    length = np.ones(len(theta))
    best = gained(length, every)
    short, some = np.flatnonzero(best <= 0), np.flatnonzero(best > 0)
    while len(some):
        trial = 2 * length[some]
        gain = gained(trial, some)
        better = (gain > best[some]) & (trial <= LONGEST)
        some = some[better]
        length[some], best[some] = trial[better], gain[better]
    while len(short):
        length[short] /= 2
        short = short[(gained(length[short], short) <= 0) & (length[short] >= SHORTEST)]
    return length
