"""A step of billiards in a cone within the unit ball (Polyak and Gryazina 2014), in a metric of its own.

With w uniform there, directions are uniform in the cone {w : a_i · w > 0 for all i}. The step moves w along a straight
line that walls and ball reflect. Velocities and reflections are those of a metric G: v ~ Normal(0, G), and a wall with
the normal a turns v into v - δ G a, δ = 2 (a · v) / (a · G a). Any G leaves the uniform distribution as it is; one in
which the cone is round makes the steps long, however narrow the cone is. Here coordinates are such that G is diagonal.

A wall met at the time τ leaves the path that would have begun at w + τ δ G a with v - δ G a: as with rotations, only
where the path begins is written anew.
"""

import numpy as np

from course.studies.ng_jordan_redone.rotation import MOST, TINY, next_wall
from probml.compiled import compiled
from probml.typing import Array


@compiled
def bounce(A: Array, G: Array, K: Array, w: Array, v: Array, time: float) -> tuple[Array, int]:
    """w, shape (b, d), after the time; and how many of the paths met as many as `MOST` walls: they have no end.

    A : shape (b, c, d). G : the diagonal of the metric, shape (b, d). K : A G A^T, shape (b, c, c). v : shape (b, d).
    """
    end, lost = w.copy(), 0
    for path in range(len(w)):
        x, speed = end[path], v[path].copy()
        margins, speeds, ratios = np.dot(A[path], x), np.dot(A[path], speed), np.empty(A.shape[1])
        for _ in range(MOST):
            met = _time_to_ball(x, speed)
            wall = next_wall(margins, speeds, -1 / min(met, time), ratios)
            if wall >= 0:
                met = max(margins[wall], TINY) / -speeds[wall]
                back = 2 * speeds[wall] / K[path, wall, wall]
                normal, change = A[path, wall] * G[path], K[path, wall]
            elif met < time:
                at = x + met * speed
                normal = at * G[path]
                back = 2 * np.dot(at, speed) / np.dot(at, normal)
                change = np.dot(A[path], normal)
            else:
                break
            for i in range(len(margins)):
                margins[i] += met * back * change[i]
            for i in range(len(margins)):
                speeds[i] -= back * change[i]
            for j in range(len(x)):
                x[j] += met * back * normal[j]
                speed[j] -= back * normal[j]
        else:
            lost += 1
        for j in range(len(x)):
            x[j] += time * speed[j]
    return end, lost


@compiled
def _time_to_ball(x: Array, v: Array) -> float:
    """The last τ at which |x + τ v| is 1; 0 where rounding has put that behind."""
    along, square = np.dot(x, v), np.dot(v, v)
    return max(np.sqrt(max(along**2 + square * (1 - np.dot(x, x)), 0.0)) - along, 0.0) / square
