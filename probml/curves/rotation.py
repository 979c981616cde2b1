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

from probml.curves.parts import Array

QUARTER = np.pi / 2
TINY = 1e-200  # for margins that are not above 0 where the path begins: they grow, and no wall is met
FEWER = 0.75  # share of the paths under way at which the others leave the batch
MOST = 10**5  # walls


def rotate(K: Array, t: Array, s: Array, time: Array, most: int = MOST) -> tuple[Array, NDArray[np.bool_]]:
    """p, shape (b, c): after the times, shape (b,), up to a quarter, w is w cos τ + v sin τ + A^T p.

    t, s : shape (b, c). K : shape (b, c, c), with 2 on the diagonals. Also which of the paths met more than `most`
    walls: they have no p.
    """
    b, c = t.shape
    mirrors = K.reshape(b * c, c)
    in_w, in_v, lost = np.zeros(b * c), np.zeros(b * c), np.zeros(b, dtype=bool)
    own, t, s = np.arange(b), t.copy(), s.copy()
    # the largest of the ratios s_i / t_i that are met in the time
    last = np.where(time > 0, -np.cos(time) / np.maximum(np.sin(time), TINY), -np.inf)
    for _ in range(most):
        ratio = np.maximum(t, TINY)
        np.divide(s, ratio, out=ratio)
        wall = ratio.argmin(axis=1)
        under_way = ratio[np.arange(len(own)), wall] < last
        number = np.count_nonzero(under_way)
        if not number:
            break
        if number < FEWER * len(own):
            own, t, s, wall, last = (array[under_way] for array in (own, t, s, wall, last))
            under_way = True
        at = np.arange(len(own)), wall
        met_t, met_s = np.where(under_way, (t[at], s[at]), 0.0)
        at = own * c + wall
        in_w[at] -= met_t
        in_v[at] -= met_s
        row = mirrors[at]
        t -= met_t[:, None] * row
        row *= met_s[:, None]
        s -= row
    else:
        lost[own[under_way]] = True
    return np.cos(time)[:, None] * in_w.reshape(b, c) + np.sin(time)[:, None] * in_v.reshape(b, c), lost
