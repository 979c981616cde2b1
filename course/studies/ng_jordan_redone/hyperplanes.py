"""Other ways to come by a separating hyperplane than to draw one from the uniform distribution.

Each is a function from cones {w : a_i · w > 0 for all i}, with rows A, shape (b, c, d), and a Generator for each of
them, to a point of each cone, shape (b, d); the perceptron, where that takes too long, to one nearby. Steps of
hit-and-run and of single coordinates have uniform distributions for their limits; what they give after few of them
depends on where they begin.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from scipy.optimize import linprog

from probml.compiled import compiled
from probml.typing import Array

Generators = list[np.random.Generator]
Choice = Callable[[Array, Generators], Array]
TINY = 1e-300  # for margins that rounding has made 0
EDGE = 0.5  # a vertex of a cone within a box is at an edge of the box, or 0
RIDGE = 1e-9  # share of the diagonal that keeps Newton's systems regular
MOST = 10**5  # mistakes of a perceptron: where cones are very narrow it would go on for hours
NEWTON = 200  # steps


def perceptron(A: Array, generators: Generators) -> Array:
    """From 0, the examples in a random order again and again, until all are right, or MOST mistakes were made."""
    found = np.zeros((len(A), A.shape[2]))
    for rows, w, generator in zip(A, found, generators, strict=True):
        _learn(generator.permutation(rows), w)
    return found


@compiled
def _learn(A: Array, w: Array) -> None:
    """Changes w until A w > 0, or until MOST mistakes were made: then the last w stands, as it would in practice."""
    mistakes, right = 0, 0
    while mistakes < MOST:
        for row in A:
            margin = 0.0
            for j in range(len(w)):
                margin += row[j] * w[j]
            right += 1
            if margin <= 0:
                mistakes, right = mistakes + 1, 0
                for j in range(len(w)):
                    w[j] += row[j]
            if right == len(A):
                return


def newton(A: Array, generators: Generators) -> Array:
    """Newton's method for the likelihood, from 0, stopped when all examples are right. Nothing is random about it."""
    return np.array([_newton(rows) for rows in A]).reshape(len(A), A.shape[2])


def _newton(A: Array) -> Array:
    """The steps of `probml.solvers.newton`, with a tiny ridge: where they stop there may be no curvature left."""
    w = np.zeros(A.shape[1])

    def loss(w: Array) -> float:
        return float(np.logaddexp(0, -A @ w).sum())

    for _ in range(NEWTON):
        if (A @ w > 0).all():
            return w
        wrong = np.exp(-np.logaddexp(0, A @ w))  # 1 - p(y_i | x_i)
        H = (A.T * (wrong * (1 - wrong))) @ A
        H[np.diag_indices_from(H)] += RIDGE * (1 + H.diagonal())
        step = np.linalg.solve(H, A.T @ wrong)
        while loss(w + step) > loss(w):
            step = step / 2
        w = w + step
    raise RuntimeError(f"Newton's method does not separate the classes in {NEWTON} steps")


def random_vertex(A: Array, generators: Generators) -> Array:
    """The point of the cone within the box |w_j| ≤ 1 that is farthest in a random direction or, if that is 0, back."""
    found = np.empty((len(A), A.shape[2]))
    for rows, w, generator in zip(A, found, generators, strict=True):
        direction = generator.standard_normal(len(w))
        for away in (direction, -direction):
            w[:] = linprog(-away, -rows, np.zeros(len(rows)), bounds=(-1, 1), method="highs-ds").x
            if np.abs(w).max() > EDGE:
                break
    return found


def any_vertex(A: Array, generators: Generators) -> Array:
    """Where the simplex method ends in {w : a_i · w ≥ 1 for all i} if it has nothing to minimise.

    As many as there are dimensions of the walls a_i · w = 1 and the planes w_j = 0 meet there.
    """
    zero = np.zeros(A.shape[2])
    found = [linprog(zero, -rows, -np.ones(len(rows)), bounds=(None, None), method="highs-ds").x for rows in A]
    return np.array(found).reshape(len(A), A.shape[2])


def hit_and_run(A: Array, generators: Generators, *, start: Choice, steps: int) -> Array:
    """From `start`, so many steps to a uniform point of that arc of a random great circle which is in the cone."""
    found = start(A, generators)
    found = found / np.linalg.norm(found, axis=1, keepdims=True)
    for rows, w, generator in zip(A, found, generators, strict=True):
        _run(rows, w, generator.standard_normal((steps, len(w))), generator.random(steps))
    return found


@compiled
def _run(A: Array, w: Array, normals: Array, uniform: Array) -> None:
    """Changes w, of length 1, a step for each of the normals, shape (steps, d), and uniform numbers, shape (steps,)."""
    for step, number in enumerate(uniform):
        u = normals[step] - np.dot(normals[step], w) * w
        u /= np.sqrt(np.dot(u, u))
        # The margin t cos τ + s sin τ is positive from arctan(s / t) - π/2 to arctan(s / t) + π/2.
        ratio = np.dot(A, u) / np.maximum(np.dot(A, w), TINY)
        first, last = np.arctan(ratio.max()) - np.pi / 2, np.arctan(ratio.min()) + np.pi / 2
        angle = first + (last - first) * number
        w[:] = np.cos(angle) * w + np.sin(angle) * u
        w /= np.sqrt(np.dot(w, w))


def coordinates(A: Array, generators: Generators, *, start: Choice, sweeps: int) -> Array:
    """From `start`, in the box |w_j| ≤ 1: one coordinate after the other is drawn anew, in so many sweeps."""
    found = start(A, generators)
    found = found / (2 * np.abs(found).max(axis=1, keepdims=True))
    for rows, w, generator in zip(A, found, generators, strict=True):
        _sweep(np.asfortranarray(rows), w, generator.random((sweeps, len(w))))
    return found


@compiled
def _sweep(A: Array, w: Array, uniform: Array) -> None:
    """Changes w, a sweep for each row of uniform numbers, shape (sweeps, d)."""
    for numbers in uniform:
        margin = np.dot(A, w)
        for j in range(len(w)):
            low, high = -1 - w[j], 1 - w[j]
            for i in range(len(A)):
                if A[i, j] > 0:
                    low = max(low, -margin[i] / A[i, j])
                elif A[i, j] < 0:
                    high = min(high, -margin[i] / A[i, j])
            if high > low:
                step = low + (high - low) * numbers[j]
                w[j] += step
                for i in range(len(A)):
                    margin[i] += step * A[i, j]


CHOICES: dict[str, Choice] = {
    "perceptron": perceptron,
    "Newton's method until it separates": newton,
    "random vertex": random_vertex,
    "hit-and-run, 1000 steps from a vertex": partial(hit_and_run, start=any_vertex, steps=1000),
    "hit-and-run, 1000 steps from Newton's method": partial(hit_and_run, start=newton, steps=1000),
    "coordinates, 1000 sweeps from a vertex": partial(coordinates, start=any_vertex, sweeps=1000),
}


@dataclass(frozen=True)
class Chosen:
    """A rule for separable subsets: the hyperplane that is chosen."""

    choice: Choice
    name: ClassVar[str] = "chosen"

    def __call__(self, A: Array, inside: Array, generators: Generators) -> Array:
        """A point of each cone, shape (b, d)."""
        return self.choice(A, generators)
