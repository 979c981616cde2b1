"""Logistic regression on two shifted normal classes, in the coordinates in which they are round."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from course.studies.sample_complexity.never_drawn import NeverDrawn
from course.studies.sample_complexity.problems import even
from probml.curves import LogisticRegression
from probml.curves.subsets import Subsets
from probml.losses import Logistic
from probml.objectives.base import Cost
from probml.solvers.base import Run
from probml.solvers.newton_cg import iterate
from probml.threads import one_blas_thread

Array = NDArray[np.float64]
SMALL = 64  # features, or examples, up to which all sets are fitted at once, by Newton's method with its Hessian
TOLERANCE = 1e-3  # of the gradient, relative to the first: errors are then right to five digits


def errors(d: float, n: int, m: int, runs: int, rng: np.random.Generator) -> Array:
    """Exact errors of logistic regression fitted to `runs` sets of m examples, shape (runs,).

    X A with an invertible A gives the same predictions: maximum likelihood does not depend on the coordinates. So any
    `Shifted` problem may be turned until its means differ in the first coordinate only, and scaled until both
    covariances are I. Only n and d are left of it, and x_1 = side · d + e_1, x_j = e_j.

    Where a hyperplane separates the examples, a tiny penalty, 1e-3 / 2 |w|², picks a w close to the largest margin; for
    many examples of many features that is an error.
    """
    side = np.repeat([-1.0, 1.0], even(m) // 2)
    if min(n, m) <= SMALL:
        X = rng.standard_normal((runs, m, n))
        X[:, :, 0] += d * side
        y = np.tile((side > 0).astype(np.intp), (runs, 1))
        scores = LogisticRegression(separable="ridge").fit(Subsets(X, y, K=2)).scores["ridge"]
        return _error(d, scores.coef[:, 0], scores.intercept[:, 0])
    with one_blas_thread():
        return np.array([_error_of_one(d, n, side, generator) for generator in rng.spawn(runs)])


class RoundObjective:
    """The logistic objective of examples x = side · d e_1 + e with e ~ N(0, I), as far as `newton_cg` asks for it.

    Newton's method with conjugate gradients sees the examples through some dozens of products. So they are not drawn.
    """

    def __init__(self, d: float, n: int, side: Array, rng: np.random.Generator) -> None:
        self.n_parameters, self.n_examples = n + 1, len(side)
        self.unit, self.cost = 1.0, Cost()
        self._noise, self._signal, self._y = NeverDrawn(len(side), n, rng), d * side, (side > 0).astype(np.float64)
        self._at, self._curvature = self.start(), np.zeros(len(side))  # of the θ that was asked for last

    def start(self) -> Array:
        """θ = (w, b) = 0."""
        return np.zeros(self.n_parameters)

    def value_and_gradient(self, theta: Array) -> tuple[float, Array]:
        """F(θ) = sum_i log(1 + e^(z_i)) - y_i z_i and ∇F(θ), shape (n + 1,)."""
        self._at = theta
        value, slope, self._curvature = Logistic().all(self._y, self._predictors(theta))
        return float(value.sum()), self._transposed(slope)

    def hessian_product(self, theta: Array, direction: Array) -> Array:
        """∇²F(θ) times a direction, shape (n + 1,), at the θ whose value was asked for last, as `newton_cg` does."""
        if not np.array_equal(theta, self._at):
            raise ValueError("a product with the Hessian is known only where the value was asked for last")
        return self._transposed(self._curvature * self._predictors(direction))

    def _predictors(self, theta: Array) -> Array:
        return self._noise.times(theta[:-1]) + theta[0] * self._signal + theta[-1]

    def _transposed(self, c: Array) -> Array:
        total = np.append(self._noise.transposed_times(c), c.sum())
        total[0] += self._signal @ c
        return total


def _error_of_one(d: float, n: int, side: Array, rng: np.random.Generator) -> float:
    """The same for one large set."""
    # A bound on the gap would need a Hessian, and with it all examples.
    run = Run(RoundObjective(d, n, side, rng), None, TOLERANCE, max_iterations=60, certified=False)
    solution = iterate(run)
    if not solution.certificate.converged or solution.value < 1:
        raise ValueError(f"{len(side)} examples of {n} features can be separated, or nearly: take more examples")
    return float(_error(d, solution.theta[:-1], solution.theta[-1]))


def _error(d: float, w: Array, b: Array) -> Array:
    """(Φ(-(d w_1 + b) / |w|) + Φ(-(d w_1 - b) / |w|)) / 2."""
    length = np.sqrt((w**2).sum(axis=-1))
    return (ndtr(-(d * w[..., 0] + b) / length) + ndtr(-(d * w[..., 0] - b) / length)) / 2
