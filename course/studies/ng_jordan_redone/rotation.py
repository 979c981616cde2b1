"""A step of exact Hamiltonian Monte Carlo in a cone (Pakman and Paninski 2014).

With w standard normal, restricted to the cone {w : a_i · w > 0 for all i}, directions are uniform in it. The step moves
w along w cos τ + v sin τ, with v standard normal, and reflects v at each wall that it meets. This leaves the
distribution as it is, and rejects nothing.

From a wall on the path is the mirror image of the one that would have gone on behind it: that of the path that begins
at the mirror images of w and v. So only where the path begins is written anew, and nothing is moved from wall to wall.
With |a_i|² = 2 the mirror image of w is w - (a_i · w) a_i. What has to be known are the margins t = A w, their speeds
s = A v, and K = A A^T: t becomes t - t_i K_i, and s becomes s - s_i K_i. Margin i is t_i cos τ + s_i sin τ: the first
wall is that of the smallest s_i / t_i, met where cot τ = -s_i / t_i.
"""

import numpy as np
from numpy.typing import NDArray

from probml.compiled import compiled
from probml.typing import Array

QUARTER = np.pi / 2
TINY = 1e-200  # for margins that are not above 0 where the path begins: they grow, and no wall is met
MOST = 10**5  # walls


@compiled
def rotate(K: Array, t: Array, s: Array, time: Array, most: int = MOST) -> tuple[Array, NDArray[np.bool_]]:
    """p, shape (b, c): after the times, shape (b,), up to a quarter, w is w cos τ + v sin τ + A^T p.

    t, s : shape (b, c). K : shape (b, c, c), with 2 on the diagonals. Also which of the paths met as many as `most`
    walls: they have no p.
    """
    push, lost = np.zeros(t.shape), np.zeros(len(t), dtype=np.bool_)
    for path in np.flatnonzero(time > 0):
        cos, sin = np.cos(time[path]), np.sin(time[path])
        margins, speeds, ratios = t[path].copy(), s[path].copy(), np.empty(t.shape[1])
        for _ in range(most):
            wall = next_wall(margins, speeds, -cos / sin, ratios)
            if wall < 0:
                break
            margin, speed = margins[wall], speeds[wall]
            push[path, wall] -= cos * margin + sin * speed
            cosines = K[path, wall]
            for i in range(len(cosines)):  # one array in each loop, that they are done several numbers at a time
                margins[i] -= margin * cosines[i]
            for i in range(len(cosines)):
                speeds[i] -= speed * cosines[i]
        else:
            lost[path] = True
    return push, lost


@compiled
def next_wall(t: Array, s: Array, last: float, ratios: Array) -> int:
    """The wall of the smallest s_i / t_i, if that is below `last`, else -1. ratios : room for them."""
    for i in range(len(t)):
        ratios[i] = s[i] / max(t[i], TINY)
    wall = int(ratios.argmin())
    return wall if ratios[wall] < last else -1
