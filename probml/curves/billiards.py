"""A step of billiards in a cone within the unit ball (Polyak and Gryazina 2014), in a metric of its own.

With w uniform there, directions are uniform in the cone {w : a_i · w > 0 for all i}. The step moves w along a straight
line that walls and ball reflect. Velocities and reflections are those of a metric G: v ~ Normal(0, G), and a wall with
the normal a turns v into v - δ G a, δ = 2 (a · v) / (a · G a). Any G leaves the uniform distribution as it is; one in
which the cone is round makes the steps long, however narrow the cone is. Here coordinates are such that G is diagonal.

A wall met at the time τ leaves the path that would have begun at w + τ δ G a with v - δ G a: as with rotations, only
where the path begins is written anew.
"""

import numpy as np

from probml.curves.parts import Array

TINY = 1e-200  # for margins that are not above 0 where the path begins: they grow, and no wall is met
SLOWEST = 1e-12  # at which a wall can come closer
FEWER = 0.75  # share of the paths under way at which the others leave the batch
MOST = 10**5  # walls


def bounce(A: Array, G: Array, K: Array, w: Array, v: Array, time: float) -> Array:
    """w, shape (b, d), after the time.

    A : shape (b, c, d). G : the diagonal of the metric, shape (b, d). K : A G A^T, shape (b, c, c).
    """
    c = A.shape[1]
    end = np.empty_like(w)
    own = np.arange(len(w))
    rows = np.concatenate([K, A * G[:, None]], axis=2)  # what a wall changes: speeds of the margins, and v
    place, speed = np.hstack([times(A, w), w]), np.hstack([times(A, v), v])
    for _ in range(MOST):
        b = np.arange(len(own))
        ratio = speed[:, :c] / np.maximum(place[:, :c], TINY)
        wall = ratio.argmin(axis=1)
        to_wall = 1 / np.maximum(-ratio[b, wall], SLOWEST)
        w, v = place[:, c:], speed[:, c:]
        along, speed2 = dot(w, v), dot(v, v)
        to_ball = (np.sqrt(np.maximum(along**2 + speed2 * (1 - dot(w, w)), 0)) - along) / speed2
        met = np.minimum(to_wall, to_ball)
        under_way = met < time
        if under_way.mean() < FEWER:
            done = ~under_way
            end[own[done]] = w[done] + time * v[done]
            if done.all():
                return end
            own, place, speed = own[under_way], place[under_way], speed[under_way]
            wall, met, to_wall = wall[under_way], met[under_way], to_wall[under_way]
            b, under_way = np.arange(len(own)), True
        row = rows[own, wall]
        back = 2 * speed[b, wall] / row[b, wall]
        if len(out := np.flatnonzero(met < to_wall)):
            at = place[out, c:] + met[out, None] * speed[out, c:]
            normal = at * G[own[out]]
            row[out] = np.hstack([times(A[own[out]], normal), normal])
            back[out] = 2 * dot(at, speed[out, c:]) / dot(at, normal)
        back = np.where(under_way, back, 0.0)
        place += (met * back)[:, None] * row
        speed -= back[:, None] * row
    raise RuntimeError(f"{len(own)} random directions met more than {MOST} walls: the classes are all but inseparable")


def times(M: Array, x: Array) -> Array:
    """M x for each part."""
    return (M @ x[:, :, None])[:, :, 0]


def dot(x: Array, y: Array) -> Array:
    """x · y for each part."""
    return np.einsum("bd,bd->b", x, y)
