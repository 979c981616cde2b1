"""Does the sampler of hyperplanes converge? Chains from the centres and from the edges of cones, on the same splits.

The centre is the analytic centre. An edge is an extreme ray of the cone, where as many walls meet as fit; the chain
begins a thousandth of the way from there to the centre.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.ng_jordan import ng_jordan
from course.studies.ng_jordan_redone.hyperplanes import random_vertex
from course.studies.ng_jordan_redone.random_hyperplane import by_both, random_directions
from course.studies.ng_jordan_redone.splits import Rows
from probml.curves.logistic_minimum import minimum

Array = NDArray[np.float64]
EDGE = 0.999  # share of the way from a point inside a cone to an extreme ray of it


@dataclass(frozen=True)
class Chains:
    """Test errors of chains in the cones of some splits, after some numbers of steps, from two starts.

    steps : shape (T,). centre, edge : mean errors of the chains of a split, shape (T, splits). m : examples of a part.
    """

    panel: str
    m: int
    steps: tuple[int, ...]
    centre: Array
    edge: Array

    def apart(self, place: int) -> tuple[float, float]:
        """Error from the edge less that from the centre, and its standard error, after steps[place]."""
        each = self.edge[place] - self.centre[place]
        return float(each.mean()), float(each.std(ddof=1) / np.sqrt(len(each)))


def chains(panel: str, train: Rows, steps: Sequence[int], copies: int, seed: int) -> Chains:
    """`copies` chains from each start in the cone of every separable training subset, shape (splits, m)."""
    task = ng_jordan(panel)
    A, inside, rows = _cones(task.X, task.y, train)
    A, inside, rows = (np.repeat(each, copies, axis=0) for each in (A, inside, rows))
    centre = _unit(by_both(A, inside, _generators(len(A), seed), 0))
    ray = random_vertex(A, _generators(len(A), seed, 0))
    edge = EDGE * _unit(ray) + (1 - EDGE) * centre
    found = np.empty((2, len(steps), len(A) // copies))
    for start, point in enumerate((centre, edge)):
        for place, number in enumerate(steps):
            own = _generators(len(A), seed, 1, number)
            w = random_directions(A, point, own, number, from_inside=True) if number else point
            found[start, place] = errors(w, task.X, task.y, rows).reshape(-1, copies).mean(axis=1)
    return Chains(panel, train.shape[1], tuple(steps), found[0], found[1])


def _unit(w: Array) -> Array:
    return w / np.linalg.norm(w, axis=1, keepdims=True)


def _generators(number: int, *key: int) -> list[np.random.Generator]:
    return [np.random.default_rng([*key, chain]) for chain in range(number)]


def _cones(X: Array, y: NDArray[np.intp], train: Rows) -> tuple[Array, Array, Rows]:
    """Of separable parts: rows ±(x, 1) of the cones, shape (b, m, d), a point inside, shape (b, d), and the parts."""
    side = 2.0 * y[train] - 1
    fits = [minimum(X[rows], of_rows, 0.0) for rows, of_rows in zip(train, side, strict=True)]
    theta, separable = np.array([theta for theta, _ in fits]), np.array([separates for _, separates in fits])
    A = side[:, :, None] * np.concatenate([X[train], np.ones((*train.shape, 1))], axis=2)
    return A[separable], theta[separable], train[separable]


def errors(w: Array, X: Array, y: NDArray[np.intp], train: Rows) -> Array:
    """Share of the other rows on the wrong side, shape (b,)."""
    found = np.empty(len(w))
    for k, (direction, rows) in enumerate(zip(w, train, strict=True)):
        wrong = (X @ direction[:-1] + direction[-1] > 0) != y
        found[k] = (wrong.sum() - wrong[rows].sum()) / (len(y) - len(rows))
    return found
