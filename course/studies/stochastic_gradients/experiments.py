"""The experiments of the note: clouds, rates, momentum, tuned step sizes, the race of the first figure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from course.studies.races.coordinates import SPOILED
from course.studies.races.problems import Problem
from course.studies.races.race import SOLVERS, course, minimum, tolerance_for
from course.studies.stochastic_gradients.runs import (
    SAGA,
    SGD,
    Adam,
    MeanLoss,
    Method,
    Momentum,
    Rows,
    gaps,
    path,
    reshuffled,
    with_replacement,
)

Array = NDArray[np.float64]
Draw = Callable[[int, int, Sequence[int]], Rows]
CLOUD_PASSES, SETTLED = 100, 40  # a constant step is watched for so many passes, from the second number on
TRIED = np.array([0.1, 0.3, 1.0, 3.0, 10.0, 30.0])  # multiples of a usual step size
ADAM_STEP = 0.01
GRADIENTS_PER_PASS = {"SAGA": 2}  # of the methods of the race; the others cost as much as one full gradient
POSITIONS, UPDATES_BETWEEN = 768, 200  # of θ in the cloud of a constant step


@dataclass(frozen=True)
class Noise:
    """At the minimum of a mean loss: C, the covariance of the gradients of single examples, and the Hessian, (d, d)."""

    C: Array
    hessian: Array

    @classmethod
    def of(cls, loss: MeanLoss, best: Array) -> "Noise":
        """For a loss without penalty. best : its minimum, shape (d,)."""
        p = expit(loss.X @ best)
        single = (p - loss.y)[:, None] * loss.X
        m = len(loss.y)
        return cls(single.T @ single / m, (loss.X.T * (p * (1 - p))) @ loss.X / m)

    @property
    def curvatures(self) -> Array:
        """The eigenvalues of the Hessian, from μ to L, shape (d,)."""
        return np.linalg.eigvalsh(self.hessian)

    def cloud(self, step: float) -> float:
        """The mean gap in the end with a short constant step: α tr C / 4."""
        return step * float(np.trace(self.C)) / 4

    def shrinking(self, c: float) -> float:
        """A, where the mean gap is A / k after many examples k, with steps c / k and 2 c μ > 1."""
        curvatures, directions = np.linalg.eigh(self.hessian)
        spread = np.einsum("ji,jk,ki->i", directions, self.C, directions)
        return float(np.sum(curvatures * c**2 * spread / (2 * c * curvatures - 1)) / 2)


def many(loss: MeanLoss, method: Method, draw: Draw, runs: int, passes: int, seed: int) -> Array:
    """Gaps after every pass of several runs, shape (runs, passes + 1)."""
    m = len(loss.y)
    return np.array([gaps(loss, method, draw(m, passes, [seed, 50, run])) for run in range(runs)])


def clouds(loss: MeanLoss, steps: Sequence[float], runs: int, seed: int) -> dict[str, Array]:
    """The mean gap of a constant step after it has settled, shape (runs, len(steps)), for both ways to draw."""
    return {
        name: np.array(
            [many(loss, SGD(step), draw, runs, CLOUD_PASSES, seed)[:, SETTLED:].mean(axis=1) for step in steps]
        ).T
        for name, draw in (("with replacement", with_replacement), ("reshuffled", reshuffled))
    }


def positions(loss: MeanLoss, step: float, seed: int) -> Array:
    """θ now and then, after a constant step has settled, drawn with replacement: shape (POSITIONS, d)."""
    settling = SETTLED * len(loss.y) // UPDATES_BETWEEN
    rows = np.random.default_rng([seed, 51]).integers(len(loss.y), size=(settling + POSITIONS, UPDATES_BETWEEN))
    return path(loss, SGD(step), rows)[-POSITIONS:]


def decaying(loss: MeanLoss, c: float) -> SGD:
    """Steps α / (1 + α k / c), which are c / k in the end, and at first one over the curvature of an example."""
    first = 1 / loss.single_curvature()
    return SGD(first, decay=first * len(loss.y) / c)


def rates(loss: MeanLoss, mu: float, runs: int, passes: int, seed: int) -> dict[str, Array]:
    """Gaps after every pass with steps that shrink as c / k, shape (runs, passes + 1)."""
    right, short = decaying(loss, 1 / mu), decaying(loss, 0.25 / mu)
    return {
        "too short": many(loss, short, with_replacement, runs, passes, seed),
        "with replacement": many(loss, right, with_replacement, runs, passes, seed),
        "reshuffled": many(loss, right, reshuffled, runs, passes, seed),
    }


@dataclass(frozen=True)
class Valley:
    """The mean loss of a problem for methods with full gradients.

    X : with a column of ones, shape (m, d). mu : smallest eigenvalue of the Hessian at the minimum. L : largest
    eigenvalue of X^T X / 4m, which is above all Hessians. best : the minimum, shape (d,).
    """

    X: Array
    y: Array
    mu: float
    L: float
    best: Array

    @classmethod
    def of(cls, problem: Problem) -> "Valley":
        """Of a problem without penalty."""
        loss, best = MeanLoss.of(problem), minimum(problem).theta
        above = np.linalg.eigvalsh(loss.X.T @ loss.X / (4 * len(loss.y)))
        return cls(loss.X, loss.y, float(Noise.of(loss, best).curvatures[0]), float(above[-1]), best)

    @property
    def kappa(self) -> float:
        """L / μ."""
        return self.L / self.mu

    def gradient(self, theta: Array) -> Array:
        """Of the mean loss, shape (d,)."""
        return self.X.T @ (expit(self.X @ theta) - self.y) / len(self.y)


def with_and_without_momentum(loss: MeanLoss, step: float, runs: int, seed: int) -> dict[str, Array]:
    """Gaps of SGD, and with momentum 0.9 and a tenth of the step size, drawn with replacement, shape (runs, 61)."""
    methods = {"SGD": SGD(step), "with momentum": Momentum(step / 10, 0.9)}
    return {name: many(loss, each, with_replacement, runs, 60, seed) for name, each in methods.items()}


def spoiled(problem: Problem, condition: float, seed: int) -> dict[str, Problem]:
    """The problem as it is, and in three kinds of worse coordinates."""
    worse = {name: spoil(problem, condition, np.random.default_rng([seed, 40, 0])) for name, spoil in SPOILED.items()}
    return {"standardised": problem} | worse


def tuned(problem: Problem, kind: type[SGD] | type[Adam], runs: int, passes: int, seed: int) -> float:
    """The mean gap after some passes, with steps that shrink by the pass, for the best of six step sizes."""
    loss = MeanLoss.of(problem)
    usual = ADAM_STEP if kind is Adam else 1 / loss.single_curvature()
    ends = [many(loss, kind(step, decay=1.0), reshuffled, runs, passes, seed)[:, -1].mean() for step in usual * TRIED]
    return float(min(ends))


def race(problem: Problem, runs: int, seed: int, most: int = 36) -> Mapping[str, tuple[Array, Array]]:
    """Work in full gradients and gaps of the mean loss: two solvers with all examples, and three stochastic methods.

    Of the stochastic ones the mean of several runs, after every pass. most : work of a stochastic method.
    """
    loss, m, best = MeanLoss.of(problem), len(problem.y), minimum(problem).value
    found = {}
    for name in ("gradient descent", "L-BFGS"):
        solver = SOLVERS[name]
        run = course(problem, solver, best, tolerance=tolerance_for(solver, 1e-13), max_iterations=200)
        found[name] = run.flops / (4 * problem.X.size), run.gap / m
    step, mu = 1 / loss.single_curvature(), Noise.of(loss, minimum(problem).theta).curvatures[0]
    methods = {"SGD, constant step": SGD(step), "SGD, shrinking": decaying(loss, 1 / mu), "SAGA": SAGA(step / 3)}
    for name, method in methods.items():
        cost = GRADIENTS_PER_PASS.get(name, 1)
        ends = many(loss, method, reshuffled, runs, most // cost, seed).mean(axis=0)
        found[name] = cost * np.arange(len(ends), dtype=np.float64), ends
    return found
