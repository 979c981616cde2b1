"""The logarithmic barrier of a cone within the unit ball; its minimum, the analytic centre, by Newton's method.

Cones whose centre is found leave the batch, so that the slow ones do not hold up the others.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probml.typing import Array

GAP = 1e-9  # full steps from where Newton's decrement, the gap that the quadratic model sees, is below this
DAMPING = 1e-13  # share of the trace of the Hessian (Levenberg), which holds what has no curvature left
LONGEST = 64.0  # step
SHORTEST = 2.0**-30
MAX_STEPS = 200


@dataclass(frozen=True)
class Barriers:
    """-sum_i log(a_i · w) - log(1 - |w|²) for rows A, shape (b, c, d)."""

    A: Array

    def take(self, keep: NDArray[np.intp]) -> "Barriers":
        """Some of the cones."""
        return Barriers(self.A[keep])

    def predictors(self, theta: Array) -> Array:
        """(A w, w), shape (b, c + d)."""
        return np.concatenate([(self.A @ theta[:, :, None])[:, :, 0], theta], axis=1)

    def loss(self, z: Array, some: NDArray[np.intp]) -> Array:
        """Of some of the cones, whose predictors are z: infinite outside."""
        t, w = self._split(z)
        room = 1 - np.einsum("bd,bd->b", w, w)
        inside = (t > 0).all(axis=1) & (room > 0)
        safe = np.where(inside[:, None], t, 1.0)
        return np.where(inside, -np.log(safe).sum(axis=1) - np.log(np.where(inside, room, 1.0)), np.inf)

    def system(self, z: Array) -> tuple[Array, Array]:
        """Gradient and Hessian."""
        t, w = self._split(z)
        pull = 2 / (1 - np.einsum("bd,bd->b", w, w))[:, None]
        gradient = pull * w - ((1 / t)[:, None, :] @ self.A)[:, 0]
        scaled = self.A / t[:, :, None]
        hessian = scaled.transpose(0, 2, 1) @ scaled + (pull * w)[:, :, None] * (pull * w)[:, None, :]
        d = np.arange(w.shape[1])
        hessian[:, d, d] += pull
        return gradient, hessian

    def _split(self, z: Array) -> tuple[Array, Array]:
        c = self.A.shape[1]
        return z[:, :c], z[:, c:]


def analytic_centre(barriers: Barriers, start: Array, gap: float) -> Array:
    """w, shape (b, d), where the gap to the minimum of each barrier is below `gap` before the last step.

    start : a point in each cone and in the ball, shape (b, d).
    """
    w, z = start, barriers.predictors(start)
    result, own = np.zeros_like(w), np.arange(len(w))
    for _ in range(MAX_STEPS):
        gradient, hessian = barriers.system(z)
        damping = DAMPING * np.trace(hessian, axis1=1, axis2=2)
        d = np.arange(w.shape[1])
        hessian[:, d, d] += damping[:, None]
        step: Array = np.asarray(-np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0], dtype=np.float64)
        decrement = -np.einsum("bd,bd->b", gradient, step) / 2
        change = barriers.predictors(step)
        # So close to the minimum rounding hides what a step gains.
        length = np.where(decrement <= GAP, 1.0, _length(barriers, z, change))
        w, z = w + length[:, None] * step, z + length[:, None] * change
        done = (decrement <= gap) | (length < SHORTEST)
        result[own[done]] = w[done]
        if done.all():
            return result
        if done.any():
            keep = np.flatnonzero(~done)
            barriers, own, w, z = barriers.take(keep), own[keep], w[keep], z[keep]
    raise RuntimeError(f"{len(own)} analytic centres are not found after {MAX_STEPS} steps of Newton's method")


def _length(barriers: Barriers, z: Array, change: Array) -> Array:
    """1, 2, 4, ... while the barrier falls; where 1 is too long, the first of 1/2, 1/4, ... that lowers it."""
    every = np.arange(len(z))
    here = barriers.loss(z, every)

    def gained(length: Array, some: NDArray[np.intp]) -> Array:
        gain: Array = here[some] - barriers.loss(z[some] + length[:, None] * change[some], some)
        return gain

    length = np.ones(len(z))
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
