"""A random separating hyperplane: a direction w, uniform over those with a_i · w > 0 for all rows a_i.

Two kinds of steps leave the uniform distribution over directions as it is, and mix well where the other does not:

    rotation    exact Hamiltonian Monte Carlo, for wide cones; in a narrow cone a path of its full length, π/2, would
                meet millions of walls, and is cut short;
    billiards   in the metric in which the cone is round, that of the Hessian of the barrier at the analytic centre
                (Dikin's ellipsoid), for narrow ones; in a wide cone the ball is in the way.

Where the rows are independent, at most as many as dimensions, cones are wide: rotations are enough, and only margins
t = A w have to be followed. Given t, w is A^+ t plus a standard normal vector that is orthogonal to all rows. Where
they are not, steps of both kinds take turns, from the analytic centre on.
"""

import numpy as np

from probml.curves.barrier import Barriers
from probml.curves.billiards import bounce, times
from probml.curves.newton import newton
from probml.curves.parts import Array
from probml.curves.rotation import rotate

QUARTER = np.pi / 2  # of a rotation, after which w would not depend on where it was, if there were no walls
WALLS = 100  # that a rotation may meet, roughly
CROSSING = 2.0  # time in which billiards go about twice the half-width of the cone
CHUNK = 250  # cones at a time: what is followed of them stays in the cache
NEAR = 2.0  # to the minimum of the barrier: the metric need not be exact


def random_directions(A: Array, inside: Array | None, generators: list[np.random.Generator], steps: int) -> Array:
    """w, shape (b, d), in the cones of rows A, shape (b, c, d), after some steps. generators : one for each cone.

    inside : a point of each cone, shape (b, d); None if the rows are independent.
    """
    found = np.empty((len(A), A.shape[2]))
    for start in range(0, len(A), CHUNK):
        some = slice(start, start + CHUNK)
        if inside is None:
            found[some] = among_independent(A[some], generators[some], steps)
        else:
            found[some] = among_many(A[some], inside[some], generators[some], steps)
    return found


def among_independent(A: Array, generators: list[np.random.Generator], steps: int) -> Array:
    """By rotations, from the point with margins of 1."""
    b, c, d = A.shape
    normals = np.array([generator.standard_normal((d, steps + 1)) for generator in generators])
    speeds = (A @ normals).transpose(2, 0, 1)
    K = A @ A.transpose(0, 2, 1)
    t, nothing = np.ones((b, c)), np.empty((b, 0))
    for s in speeds[:-1]:
        t, _ = rotate(A[:, :, :0], K, t, s, nothing, nothing, np.full(b, QUARTER))
    move = np.linalg.solve(K, (t - speeds[-1])[:, :, None])
    return (normals[:, :, -1:] + A.transpose(0, 2, 1) @ move)[:, :, 0]


def among_many(A: Array, inside: Array, generators: list[np.random.Generator], steps: int) -> Array:
    """By rotations and billiards in turn, from the analytic centre."""
    d = A.shape[2]
    normals = np.array([generator.standard_normal((steps, 3, d)) for generator in generators])
    uniform = np.array([generator.random(steps) for generator in generators])
    A = A / np.linalg.norm(A, axis=2, keepdims=True)  # the lengths of rows play no part
    barriers = Barriers(A)
    w, _ = newton(barriers, inside / (2 * np.linalg.norm(inside, axis=1, keepdims=True)), NEAR)
    L, V = np.linalg.eigh(barriers.system(barriers.predictors(w))[1])
    L = np.maximum(L, np.finfo(np.float64).eps * L[:, -1:])  # rounding may hide the longest directions
    root = V / np.sqrt(L)[:, None, :]
    whitened = A @ root
    turn = whitened @ root.transpose(0, 2, 1)
    K, K_root = A @ A.transpose(0, 2, 1), whitened @ whitened.transpose(0, 2, 1)
    # A normal speed comes closer to a wall by 0.4 a unit of time, on average.
    rate = (0.4 / times(A, with_length(w, np.full(len(w), np.sqrt(d))))).sum(axis=1)
    angle = np.minimum(QUARTER, WALLS / rate)
    for step in range(steps):
        radius, v, line = normals[:, step].transpose(1, 0, 2)
        w = with_length(w, np.linalg.norm(radius, axis=1))
        _, w = rotate(A, K, times(A, w), times(A, v), w, v, angle)
        w = with_length(w, uniform[:, step] ** (1 / d))
        w = bounce(A, root, K_root, turn, w, times(root, line), CROSSING)
    return w


def with_length(w: Array, length: Array) -> Array:
    """w, shape (b, d), scaled to the lengths of shape (b,): of a direction, a point of some radial distribution."""
    return w * (length / np.linalg.norm(w, axis=1))[:, None]
