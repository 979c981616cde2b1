"""A step of billiards in a cone within the unit ball (Polyak and Gryazina 2014), in a metric of its own.

With w uniform there, directions are uniform in the cone {w : a_i · w > 0 for all i}. The step moves w along a straight
line that walls and ball reflect. Velocities and reflections are those of a metric G: v ~ Normal(0, G), and a wall with
the normal a turns v into v - 2 (a · v) / (a · G a) G a. Any G leaves the uniform distribution as it is; one in which
the cone is round makes the steps long, however narrow the cone is.
"""

import numpy as np

from probml.curves.parts import Array

TINY = 1e-300  # a margin at a wall
SLOWEST = 1e-12  # at which a wall can come closer
MOST = 10**5  # walls


def bounce(A: Array, root: Array, K: Array, turn: Array, w: Array, v: Array, time: float) -> Array:
    """w, shape (b, d), after the time. Parts that are done leave the batch.

    A : shape (b, c, d). root : G = root root^T, shape (b, d, d). K : A G A^T, shape (b, c, c). turn : A G, (b, c, d).
    """
    end = np.empty_like(w)
    own, left = np.arange(len(w)), np.full(len(w), time)
    t, s = times(A, w), times(A, v)
    for _ in range(MOST):
        b = np.arange(len(w))
        ratio = s / t
        wall = ratio.argmin(axis=1)
        to_wall = 1 / np.maximum(-ratio[b, wall], SLOWEST)
        along = dot(w, v)
        room = np.maximum(1 - dot(w, w), 0)
        speed2 = dot(v, v)
        to_ball = (np.sqrt(along**2 + speed2 * room) - along) / speed2
        first = np.minimum(to_wall, to_ball)
        done = first >= left
        now = np.minimum(first, left)[:, None]
        w, t = w + now * v, np.maximum(t + now * s, TINY)
        left = left - now[:, 0]
        if done.any():
            end[own[done]] = w[done]
            if done.all():
                return end
            keep = ~done
            own, left, wall, out = own[keep], left[keep], wall[keep], (to_ball < to_wall)[keep]
            w, v, t, s = w[keep], v[keep], t[keep], s[keep]
        else:
            out = to_ball < to_wall

        met = np.flatnonzero(~out)
        i, part = wall[met], own[met]
        t[met, i] = TINY
        back = (2 * s[met, i] / K[part, i, i])[:, None]
        s[met] -= back * K[part, i]
        v[met] -= back * turn[part, i]

        if len(met) < len(out):
            met = np.flatnonzero(out)
            part = own[met]
            normal = times(root[part], times(root[part].transpose(0, 2, 1), w[met]))
            back = (2 * dot(w[met], v[met]) / dot(w[met], normal))[:, None]
            v[met] -= back * normal
            s[met] -= back * times(A[part], normal)
    raise RuntimeError(f"{len(own)} random directions met more than {MOST} walls: the classes are all but inseparable")


def times(M: Array, x: Array) -> Array:
    """M x for each part."""
    return (M @ x[:, :, None])[:, :, 0]


def dot(x: Array, y: Array) -> Array:
    """x · y for each part."""
    return np.einsum("bd,bd->b", x, y)
