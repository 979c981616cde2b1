"""Logistic problems: data, and an objective that counts what is asked of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from course.studies.races.watched import WatchedObjective
from probml.losses import Logistic

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """X, shape (m, d), and y in {0, 1}, shape (m,). l2, intercept : as in `LinearObjective`."""

    X: Array
    y: Array
    l2: float = 0.0
    intercept: bool = False

    def objective(self) -> WatchedObjective:
        """F(θ) = sum_i log(1 + e^(z_i)) - y_i z_i + l2/2 |w|², with nothing counted yet."""
        return WatchedObjective(self.X, self.y, Logistic(), l2=self.l2, intercept=self.intercept)

    @property
    def n_parameters(self) -> int:
        """d, and one for the intercept."""
        return self.X.shape[1] + self.intercept


def drawn(X: Array, w: Array, rng: np.random.Generator, **options: float) -> Problem:
    """Answers drawn from the logistic model with weights w."""
    return Problem(X, (rng.random(len(X)) < expit(X @ w)).astype(np.float64), **options)


def gaussian(m: int, d: int, rng: np.random.Generator, radius: float = np.sqrt(2), shift: float = 0.0) -> Problem:
    """x ~ N(0, I) and w uniform on a sphere: Minka's first experiment, and with a shift his second.

    shift : c, added to all features. A column of ones and w_0 = -c sum_j w_j keep the predictors what they were.
    """
    w = rng.normal(size=d)
    w *= radius / np.linalg.norm(w)
    X = rng.normal(size=(m, d))
    problem = drawn(X, w, rng)
    return problem if not shift else Problem(np.column_stack([X + shift, np.ones(m)]), problem.y)


def dirichlet(m: int, d: int, rng: np.random.Generator) -> Problem:
    """x ~ Dirichlet(1) and w = log(p / q) with p and q drawn in the same way: Minka's third experiment."""
    p, q = rng.dirichlet(np.ones(d), size=2)
    return drawn(rng.dirichlet(np.ones(d), size=m), np.log(p / q), rng)


def seen_through(problem: Problem, condition: float, rng: np.random.Generator) -> Problem:
    """The same problem in other coordinates: X A, with A = U diag(a) V^T and a_1 / a_d = √condition.

    The predictors X w = (X A) (A^-1 w) can be what they were, so that the minimum is the same. Where the rows of X are
    spread evenly, the condition of the Hessian is multiplied by about `condition`.
    """
    d = problem.X.shape[1]
    U, V = (np.linalg.qr(rng.normal(size=(d, d)))[0] for _ in range(2))
    a = np.geomspace(1.0, 1 / np.sqrt(condition), d)
    return Problem(problem.X @ (U * a) @ V.T, problem.y, problem.l2, problem.intercept)


def separable(m: int, d: int, margin: float, rng: np.random.Generator) -> Problem:
    """Two classes on the sides of a random hyperplane, no example nearer to it than the margin."""
    w = rng.normal(size=d)
    w /= np.linalg.norm(w)
    X = rng.normal(size=(m, d))
    side = np.where(X @ w > 0, 1.0, -1.0)
    return Problem(X + margin * side[:, None] * w, (side + 1) / 2)
