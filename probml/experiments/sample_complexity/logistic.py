"""Logistic regression on two shifted normal classes, in the coordinates in which they are round."""

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.special import ndtr

from probml.curves import LogisticRegression
from probml.curves.parts import Parts
from probml.experiments.sample_complexity.problems import even
from probml.losses import Logistic
from probml.objectives import LinearObjective
from probml.solvers.base import Run
from probml.solvers.newton_cg import iterate

Array = NDArray[np.float64]
SMALL = 64  # features, or examples, up to which all sets are fitted at once, by Newton's method with its Hessian
TOLERANCE = 1e-3  # of the gradient, relative to the first: errors are then right to five digits


def errors(half: float, n: int, m: int, runs: int, rng: np.random.Generator) -> Array:
    """Exact errors of logistic regression fitted to `runs` sets of m examples, shape (runs,).

    X A with an invertible A gives the same predictions: maximum likelihood does not depend on the coordinates. So any
    `Shifted` problem may be turned until its means differ in the first coordinate only, and scaled until both
    covariances are I. Only n and half are left of it, and x_1 = side · half + e_1, x_j = e_j.

    Where a hyperplane separates the examples, a tiny penalty, 1e-3 / 2 |w|², picks a w close to the largest margin; for
    many examples of many features that is an error.
    """
    side = np.repeat([-1.0, 1.0], even(m) // 2)
    if min(n, m) <= SMALL:
        X = rng.standard_normal((runs, m, n))
        X[:, :, 0] += half * side
        y = np.tile((side > 0).astype(np.intp), (runs, 1))
        scores = LogisticRegression(separable="ridge").fit(Parts(X, y, K=2)).scores["ridge"]
        return _error(half, scores.coef[:, 0], scores.intercept[:, 0])
    work = (delayed(_error_of_one)(half, n, side, generator) for generator in rng.spawn(runs))
    return np.array(Parallel(n_jobs=-1, prefer="threads")(work))


def _error_of_one(half: float, n: int, side: Array, rng: np.random.Generator) -> float:
    """The same for one large set."""
    X = rng.standard_normal((len(side), n))
    X[:, 0] += half * side
    objective = LinearObjective(X, (side > 0).astype(np.float64), Logistic())
    # The bound on the gap needs a Hessian, which would take ten times as long as all the rest.
    solution = iterate(Run(objective, None, TOLERANCE, max_iterations=60, certified=False))
    if not solution.certificate.converged or solution.value < 1:
        raise ValueError(f"{len(side)} examples of {n} features can be separated, or nearly: take more examples")
    return float(_error(half, solution.theta[:-1], solution.theta[-1]))


def _error(half: float, w: Array, b: Array) -> Array:
    """(Φ(-(half w_1 + b) / |w|) + Φ(-(half w_1 - b) / |w|)) / 2."""
    length = np.sqrt((w**2).sum(axis=-1))
    return (ndtr(-(half * w[..., 0] + b) / length) + ndtr(-(half * w[..., 0] - b) / length)) / 2
