"""Random scenes of two classes: both roads to the largest margin, and how many points decide it."""

from typing import NamedTuple

import numpy as np

from course.studies.duality.largest_margin import by_program, conditions
from course.studies.duality.pair_ascent import pair_ascent
from course.studies.perceptron_hinge_logistic.scenes import separable

MARGIN = 0.6  # of the scenes
POSITIVE = 1e-4  # of the largest multiplier: those above count as positive


class Scenes(NamedTuple):
    """What came out of both roads.

    supports : number of support vectors of each scene
    apart : largest relative difference of the two w
    residual : largest violation of a condition of Karush, Kuhn and Tucker, as a share of the sum of multipliers
    """

    supports: list[int]
    apart: float
    residual: float


def solved(scenes: int, points: int, seed: int) -> Scenes:
    """The largest margin of random scenes, from the dual and by a general program."""
    supports, apart, residual = [], 0.0, 0.0
    for k in range(scenes):
        scene = separable(points, MARGIN, np.random.default_rng([seed, 7, k]))
        found = pair_ascent(scene.X, scene.y, tolerance=1e-11)
        w, _ = by_program(scene.X, scene.y)
        apart = max(apart, float(np.abs(found.w - w).max() / np.abs(w).max()))
        worst = conditions(scene.X, scene.y, found.w, found.b, found.beta).largest
        residual = max(residual, worst / float(found.beta.sum()))
        supports.append(int((found.beta > POSITIVE * found.beta.max()).sum()))
    return Scenes(supports, apart, residual)
