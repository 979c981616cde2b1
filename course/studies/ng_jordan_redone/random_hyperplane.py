"""A random separating hyperplane: a direction w, uniform over those with a_i · w > 0 for all rows a_i.

Two kinds of steps leave the uniform distribution over directions as it is:

    rotation    exact Hamiltonian Monte Carlo, for wide cones; in a narrow cone a path of its full length, π/2, would
                meet millions of walls, and is cut short;
    billiards   in the metric in which the cone is round, that of the Hessian of the barrier at the analytic centre
                (Dikin's ellipsoid), for narrow ones; in a wide cone the ball is in the way.

Most cones are wide: the first rotations of full length meet few walls. Then rotations are enough, and only margins
t = A w have to be followed. Elsewhere steps of both kinds take turns, from the analytic centre on. How many steps are
enough is measured in `convergence.py`, from starts at the centres of cones and at their edges.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from course.studies.ng_jordan_redone.barrier import Barriers, analytic_centre
from course.studies.ng_jordan_redone.billiards import bounce
from course.studies.ng_jordan_redone.rotation import MOST, QUARTER, TINY, rotate
from probml.curves.checks import require_whole
from probml.typing import Array

WALLS = 8  # a dimension, that a rotation may meet: where one of full length meets more, the cone is narrow
TRIALS = 2  # rotations that find out whether a cone is narrow; one may be lucky
CROSSING = 2.0  # time in which billiards go about twice the half-width of the cone
CELLS = 2**21  # of the matrices A A^T of the cones that are followed at a time
STEPS = 8  # of every chain: from then on, starts at the centre and at an edge of narrow cones give the same errors
NEAR = 2.0  # to the minimum of the barrier: the metric need not be exact


@dataclass(frozen=True)
class RandomHyperplane:
    """A rule for separable subsets: uniform over the directions (w, b) that separate all examples.

    steps : of a Markov chain of which this is the stationary distribution; the same for all cones.
    """

    steps: int = STEPS
    name: ClassVar[str] = "random"

    def __post_init__(self) -> None:
        require_whole("steps", self.steps, 1)

    def __call__(self, A: Array, inside: Array, generators: list[np.random.Generator]) -> Array:
        """A direction of each cone, shape (b, d)."""
        return random_directions(A, inside, generators, self.steps)


def random_directions(
    A: Array, inside: Array, generators: list[np.random.Generator], steps: int, *, from_inside: bool = False
) -> Array:
    """w, shape (b, d), in the cones of rows A, shape (b, c, d), after some steps. generators : one for each cone.

    inside : a point of each cone, shape (b, d). from_inside : begin there in narrow cones too, not at the analytic
        centre.
    """
    b, c, d = A.shape
    found, narrow = np.empty((b, d)), np.zeros(b, dtype=bool)
    chunk = max(1, CELLS // c**2)
    for start in range(0, b, chunk):
        some = slice(start, start + chunk)
        found[some], narrow[some] = by_rotations(A[some], inside[some], generators[some], steps)
    for start in range(0, narrow.sum(), chunk):
        some = np.flatnonzero(narrow)[start : start + chunk]
        own = [generators[subset] for subset in some]
        found[some] = by_both(A[some], inside[some], own, steps, from_inside=from_inside)
    return found


def by_rotations(
    A: Array, inside: Array, generators: list[np.random.Generator], steps: int
) -> tuple[Array, NDArray[np.bool_]]:
    """By rotations of a quarter, from the point inside; and which of the cones are too narrow for that.

    After a quarter w is v + A^T p, and does not depend on where it was but by p.
    """
    b, _, d = A.shape
    normals = np.array([generator.standard_normal((d, steps)) for generator in generators])
    A = as_mirrors(A)
    speeds = np.ascontiguousarray((A @ normals).transpose(2, 0, 1))
    K = A @ A.transpose(0, 2, 1)
    t = times(A, with_length(inside, np.sqrt(d)))
    narrow = np.zeros(b, dtype=bool)
    for step, s in enumerate(speeds):
        push, lost = rotate(K, t, s, np.where(narrow, 0.0, QUARTER), WALLS * d if step < TRIALS else MOST)
        narrow |= lost
        t = np.maximum(s + times(K, push), TINY)
    return normals[:, :, -1] + times(A.transpose(0, 2, 1), push), narrow


def by_both(
    A: Array, inside: Array, generators: list[np.random.Generator], steps: int, *, from_inside: bool = False
) -> Array:
    """By rotations and billiards in turn, from the analytic centre or from the point inside."""
    d = A.shape[2]
    normals = np.array([generator.standard_normal((steps, 3, d)) for generator in generators])
    uniform = np.array([generator.random(steps) for generator in generators])
    A = as_mirrors(A)
    barriers = Barriers(A)
    w = analytic_centre(barriers, inside / (2 * np.linalg.norm(inside, axis=1, keepdims=True)), NEAR)
    H, V = np.linalg.eigh(barriers.system(barriers.predictors(w))[1])
    G = 1 / np.maximum(H, np.finfo(np.float64).eps * H[:, -1:])  # rounding may hide the longest directions
    A, w = A @ V, times(V.transpose(0, 2, 1), w)  # coordinates in which the metric is diagonal
    scaled = A * np.sqrt(G)[:, None]
    K, K_metric = A @ A.transpose(0, 2, 1), scaled @ scaled.transpose(0, 2, 1)
    # A normal speed comes closer to a wall by 0.4 a unit of time, on average.
    rate = (0.4 / times(A, with_length(w, np.sqrt(d)))).sum(axis=1)
    angle = np.minimum(QUARTER, WALLS * d / rate)
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    if from_inside:
        w = times(V.transpose(0, 2, 1), inside)
    for step in range(steps):
        radius, v, line = normals[:, step].transpose(1, 0, 2)
        w = with_length(w, np.linalg.norm(radius, axis=1))
        push, lost = rotate(K, times(A, w), times(A, v), angle)
        _all_ended(lost.sum())
        w = w * cos + v * sin + times(A.transpose(0, 2, 1), push)
        w = with_length(w, uniform[:, step] ** (1 / d))
        w, lost = bounce(A, G, K_metric, w, np.sqrt(G) * line, CROSSING)
        _all_ended(lost)
    return times(V, w)


def _all_ended(lost: int) -> None:
    if lost:
        raise RuntimeError(f"{lost} random directions met more than {MOST} walls: the classes are all but inseparable")


def as_mirrors(A: Array) -> Array:
    """Rows of length √2: their lengths play no part, but with this one the mirror image of w is w - (a_i · w) a_i."""
    return A * (np.sqrt(2) / np.linalg.norm(A, axis=2, keepdims=True))


def times(M: Array, x: Array) -> Array:
    """M x for each subset."""
    return (M @ x[:, :, None])[:, :, 0]


def with_length(w: Array, length: Array | float) -> Array:
    """w, shape (b, d), scaled to the length, or lengths of shape (b,): a point of the same direction."""
    return w * (length / np.linalg.norm(w, axis=1))[:, None]
