"""Runs of stochastic methods: what is left to gain after every pass over the data."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from course.studies.races.problems import Problem
from course.studies.races.race import minimum
from course.studies.stochastic_gradients import updates
from probml.losses import Logistic

Array = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class MeanLoss:
    """The mean loss of a problem, (1/m) F, with a column of ones in X if the problem has an intercept.

    X : shape (m, d). y : shape (m,). penalty : of the mean loss, λ / m and 0 for the intercept, shape (d,). best : its
    minimum.
    """

    X: Array
    y: Array
    penalty: Array
    best: float

    @classmethod
    def of(cls, problem: Problem) -> "MeanLoss":
        """The mean loss of a problem that has a minimum."""
        m, n = problem.X.shape
        ones = np.ones((m, problem.n_parameters - n))
        penalty = np.append(np.full(n, problem.l2 / m), np.zeros(ones.shape[1]))
        return cls(np.column_stack([problem.X, ones]), problem.y, penalty, minimum(problem).value / m)

    def gap(self, theta: Array) -> float:
        """What the mean loss at θ, shape (d,), is above its minimum."""
        value = Logistic().value(self.y, self.X @ theta).mean() + theta**2 @ self.penalty / 2
        return float(value - self.best)

    def single_curvature(self) -> float:
        """The largest curvature that the loss of a single example can have, with its share of the penalty."""
        return float((self.X**2).sum(axis=1).max() / 4 + self.penalty.max())


class Method(Protocol):
    """A stochastic method: what it remembers at θ = 0, and updates from many examples in turn."""

    def memory(self, loss: MeanLoss) -> tuple[Array, ...]:
        """What it remembers besides θ."""

    def advance(self, loss: MeanLoss, rows: Rows, done: int, theta: Array, memory: tuple[Array, ...]) -> None:
        """Use these examples, after `done` others; θ and memory are changed in place."""


@dataclass(frozen=True)
class SGD:
    """α_k = step / (1 + decay k / m) after k examples of m: constant for decay = 0. batch : examples of an update."""

    step: float
    decay: float = 0.0
    batch: int = 1

    def memory(self, loss: MeanLoss) -> tuple[Array, ...]:
        """Nothing."""
        return ()

    def advance(self, loss: MeanLoss, rows: Rows, done: int, theta: Array, memory: tuple[Array, ...]) -> None:
        """Plain updates."""
        if len(rows) % self.batch:
            raise ValueError(
                f"{len(rows)} examples cannot be taken {self.batch} at a time: give a batch that divides them"
            )
        before = done + self.batch * np.arange(len(rows) // self.batch)
        steps = self.step / (1 + self.decay * before / len(loss.y))
        updates.sgd_updates(loss.X, loss.y, rows.reshape(-1, self.batch), steps, loss.penalty, theta)


@dataclass(frozen=True)
class Momentum:
    """Steps with a velocity: a constant step size, and the share β of the velocity that is kept."""

    step: float
    beta: float

    def memory(self, loss: MeanLoss) -> tuple[Array, ...]:
        """The velocity."""
        return (np.zeros(loss.X.shape[1]),)

    def advance(self, loss: MeanLoss, rows: Rows, done: int, theta: Array, memory: tuple[Array, ...]) -> None:
        """Updates with momentum."""
        updates.momentum_updates(loss.X, loss.y, rows, self.step, self.beta, loss.penalty, theta, *memory)


@dataclass(frozen=True)
class Adam:
    """Adam with its usual constants; decay : as for SGD."""

    step: float
    decay: float = 0.0
    beta1: float = 0.9
    beta2: float = 0.999
    tiny: float = 1e-8

    def memory(self, loss: MeanLoss) -> tuple[Array, ...]:
        """The means of gradients and of their squares."""
        return (np.zeros((2, loss.X.shape[1])),)

    def advance(self, loss: MeanLoss, rows: Rows, done: int, theta: Array, memory: tuple[Array, ...]) -> None:
        """Updates with one step size for each coordinate."""
        steps = self.step / (1 + self.decay * (done + np.arange(len(rows))) / len(loss.y))
        betas = np.array([self.beta1, self.beta2])
        updates.adam_updates(loss.X, loss.y, rows, steps, betas, self.tiny, loss.penalty, theta, *memory, done)


@dataclass(frozen=True)
class SAGA:
    """Variance reduction with a table of old gradients; at θ = 0 they are all known: σ(0) = 1/2."""

    step: float

    def memory(self, loss: MeanLoss) -> tuple[Array, ...]:
        """The residuals of all examples, and the mean of their gradients."""
        residuals = 0.5 - loss.y
        return residuals, loss.X.T @ residuals / len(loss.y)

    def advance(self, loss: MeanLoss, rows: Rows, done: int, theta: Array, memory: tuple[Array, ...]) -> None:
        """Updates with reduced variance."""
        updates.saga_updates(loss.X, loss.y, rows, self.step, loss.penalty, theta, *memory)


def reshuffled(m: int, passes: int, seed: int | Iterable[int]) -> Rows:
    """All examples in a new order for every pass, as `probml.solvers.sgd` takes them: shape (passes, m)."""
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(m) for _ in range(passes)])


def with_replacement(m: int, passes: int, seed: int | Iterable[int]) -> Rows:
    """Any example at any time: shape (passes, m)."""
    return np.random.default_rng(seed).integers(m, size=(passes, m))


def path(loss: MeanLoss, method: Method, rows: Rows) -> Array:
    """θ after every pass from θ = 0, shape (passes + 1, d). rows : shape (passes, m)."""
    theta = np.zeros(loss.X.shape[1])
    memory, thetas = method.memory(loss), [theta.copy()]
    for k, order in enumerate(rows):
        method.advance(loss, order, k * len(order), theta, memory)
        if not np.isfinite(theta).all():
            raise ValueError(f"θ is not finite after {k + 1} passes: use a smaller step size")
        thetas.append(theta.copy())
    return np.array(thetas)


def gaps(loss: MeanLoss, method: Method, rows: Rows) -> Array:
    """What is left to gain after every pass, shape (passes + 1,)."""
    return np.array([loss.gap(theta) for theta in path(loss, method, rows)])
