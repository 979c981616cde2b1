"""A step of exact Hamiltonian Monte Carlo in a cone (Pakman and Paninski 2014).

With w standard normal, restricted to the cone {w : a_i · w > 0 for all i}, directions are uniform in it. The step moves
w along w cos τ + v sin τ, with v standard normal, and reflects v at each wall that it meets. This leaves the
distribution as it is, and rejects nothing.

What has to be known are the margins t = A w, their speeds s = A v, and K = A A^T. Margin i is t_i cos τ + s_i sin τ:
the first wall is that of the smallest s_i / t_i, met where cot τ = -s_i / t_i with the speed -|(t_i, s_i)|. There v
loses δ a_i, δ = 2 speed / K_ii. From then on the path is the one that would have begun at w + δ sin τ a_i with
v - δ cos τ a_i: so only where the path begins is written anew, and nothing is moved from wall to wall.
"""

import numpy as np
from numpy.typing import NDArray

from probml.curves.parts import Array

QUARTER = np.pi / 2
TINY = 1e-200  # for margins that are not above 0 where the path begins: they grow, and no wall is met
FEWER = 0.75  # share of the paths under way at which the others leave the batch
MOST = 10**5  # walls


def rotate(K: Array, t: Array, s: Array, time: Array, most: int = MOST) -> tuple[Array, NDArray[np.bool_]]:
    """p, shape (b, c): after the times, shape (b,), up to a quarter, w is w cos τ + v sin τ + A^T p.

    t, s : shape (b, c). K : shape (b, c, c). Also which of the paths met more than `most` walls: they have no p.
    """
    pushes, lost = np.zeros_like(t), np.zeros(len(t), dtype=bool)
    own, t, s = np.arange(len(t)), t.copy(), s.copy()
    diagonal = np.einsum("bcc->bc", K)
    for _ in range(most):
        b = np.arange(len(own))
        ratio = s / np.maximum(t, TINY)
        wall = ratio.argmin(axis=1)
        angle = np.arctan2(1.0, -ratio[b, wall])
        under_way = angle < time[own]
        if not under_way.any():
            return pushes, lost
        if under_way.mean() < FEWER:
            own, t, s, wall, angle = (array[under_way] for array in (own, t, s, wall, angle))
            b, under_way = np.arange(len(own)), np.ones(len(own), dtype=bool)
        speed = -np.hypot(t[b, wall], s[b, wall])
        back = np.where(under_way, 2 * speed / diagonal[own, wall], 0.0)
        pushes[own, wall] -= back * np.sin(time[own] - angle)
        row = K[own, wall]
        t += (back * np.sin(angle))[:, None] * row
        s -= (back * np.cos(angle))[:, None] * row
    lost[own[under_way]] = True
    return pushes, lost
