"""A step of exact Hamiltonian Monte Carlo in a cone (Pakman and Paninski 2014).

With w standard normal, restricted to the cone {w : a_i · w > 0 for all i}, directions are uniform in it. The step moves
w along w cos τ + v sin τ, with v standard normal, and reflects v at each wall that it meets. This leaves the
distribution as it is, and rejects nothing.

What has to be known are the margins t = A w, their speeds s = A v, and K = A A^T: wall i is met where
cot τ = -s_i / t_i, so the first is that of the smallest s_i / t_i, and there v loses 2 (s_i / K_ii) a_i, hence s loses
2 (s_i / K_ii) K_i.
"""

import numpy as np

from probml.curves.parts import Array

TINY = 1e-300  # a margin at a wall
MOST = 10**6  # walls


def rotate(A: Array, K: Array, t: Array, s: Array, w: Array, v: Array, time: Array) -> tuple[Array, Array]:
    """t, shape (b, c), and w, shape (b, d), after the times of shape (b,). A : shape (b, c, d). K : (b, c, c).

    To follow the margins only, A, w and v may have d = 0 columns. Parts that are done leave the batch.
    """
    t_end, w_end = np.empty_like(t), np.empty_like(w)
    own, left = np.arange(len(t)), time
    for _ in range(MOST):
        b = np.arange(len(t))
        ratio = s / t
        wall = ratio.argmin(axis=1)
        angle = np.arctan2(1.0, -ratio[b, wall])
        done = angle >= left
        angle = np.minimum(angle, left)[:, None]
        cos, sin = np.cos(angle), np.sin(angle)
        t, s = np.maximum(t * cos + s * sin, TINY), s * cos - t * sin
        w, v = w * cos + v * sin, v * cos - w * sin
        left = left - angle[:, 0]
        if done.any():
            t_end[own[done]], w_end[own[done]] = t[done], w[done]
            if done.all():
                return t_end, w_end
            keep = ~done
            own, left, wall = own[keep], left[keep], wall[keep]
            t, s, w, v = t[keep], s[keep], w[keep], v[keep]
            b = np.arange(len(t))
        t[b, wall] = TINY
        back = (2 * s[b, wall] / K[own, wall, wall])[:, None]
        s -= back * K[own, wall]
        v -= back * A[own, wall]
    raise RuntimeError(f"{len(own)} random directions met more than {MOST} walls: the classes are all but inseparable")
