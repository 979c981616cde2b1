"""A batched twin of `probml.solvers.newton`: logistic regression of many samples at once, from a point that is near.

A simulation knows the true parameters, and GDA of the same sample is mostly near as well. Four or five steps are
enough, none of which needs a line search.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probml.curves import GDA, LogisticRegression
from probml.curves.scores import LinearScores
from probml.curves.subsets import Fit, Subsets
from probml.typing import Array

GAP = 1e-7  # half of Newton's decrement before the last step, which squares what is left
DAMPING = 1e-13  # share of the trace of the Hessian: enough to keep a system regular, too little to move a maximum
MOST = 10  # steps
STILL = 0.1  # by which the last step may move a predictor
CURVED = 1e-11  # share of the trace above which the smallest curvature is more than damping


def logistic_from(start: Array, subsets: Subsets, cautious: LogisticRegression) -> tuple[Array, NDArray[np.bool_]]:
    """(b, w) of maximum likelihood, shape (B, n + 1), and which samples have none as they are separable, shape (B,).

    start : where to begin, shape (n + 1,) or (B, n + 1). Samples for which this is not near enough, and those that are
    separable, are left to `cautious`.
    """
    found, solved = _newton(start, subsets)
    separable = np.zeros(len(found), dtype=bool)
    if not solved.all():
        fit = cautious.fit(Subsets(subsets.X[~solved], subsets.y[~solved], subsets.K))
        found[~solved], separable[~solved] = coefficients(fit), fit.separable
    return found, separable


def coefficients(fit: Fit) -> Array:
    """(b, w) of a linear model without or with one rule for separable subsets, shape (B, n + 1)."""
    (scores,) = fit.scores.values()
    return np.concatenate([scores.intercept, scores.coef[:, 0]], axis=1)


@dataclass(frozen=True)
class QuickLogistic:
    """`curves.LogisticRegression(separable="margin")`, but from the parameters of GDA: the same, and sooner.

    GDA needs features that do not depend on each other linearly.
    """

    def check(self, X: Array, K: int) -> None:
        """As the model that it stands for."""
        LogisticRegression().check(X, K)

    def fit(self, subsets: Subsets) -> Fit:
        """All subsets at once."""
        start = coefficients(GDA().fit(subsets))
        theta, separable = logistic_from(start, subsets, LogisticRegression(separable="margin"))
        return Fit({"margin": LinearScores(theta[:, None, 1:], theta[:, :1])}, separable, ("margin",))


def _newton(start: Array, subsets: Subsets) -> tuple[Array, NDArray[np.bool_]]:
    """θ of each sample and whether it is the maximum. Each sample ends by itself, whatever the others need."""
    A = np.concatenate([np.ones((*subsets.y.shape, 1)), subsets.X], axis=2)
    columns = np.ascontiguousarray(A.transpose(0, 2, 1))
    theta = np.broadcast_to(start, (len(A), A.shape[2]))
    diagonal = np.arange(A.shape[2])
    near, solved = np.zeros((2, len(A)), dtype=bool)
    for _ in range(MOST):
        z = (theta[:, None] @ columns)[:, 0]
        p = 1 / (1 + np.exp(-np.clip(z, -500, 500)))
        gradient = ((subsets.y - p)[:, None] @ A)[:, 0]
        information = (columns * (p * (1 - p))[:, None]) @ A
        trace = np.trace(information, axis1=1, axis2=2)
        information[:, diagonal, diagonal] += DAMPING * trace[:, None] + 1e-200
        step = np.linalg.solve(information, gradient[:, :, None])[:, :, 0]
        step[near] = 0.0
        theta = theta + step
        last = ~near & (np.einsum("bp,bp->b", step, gradient) / 2 <= GAP)
        apart = ((z > 0) == subsets.y).all(axis=1)
        solved[last] = ~apart[last] & _at_rest(columns[last], step[last], information[last], trace[last])
        near |= last
        if near.all():
            break
    return theta, solved


def _at_rest(columns: Array, step: Array, information: Array, trace: Array) -> NDArray[np.bool_]:
    """Whether a maximum is what the last step comes to, of samples that are not separated, shape (b,).

    Where some of the examples can be separated, the gap becomes small as well, but on the way to infinity: predictors
    go on by about 1 a step, until no curvature is left.
    """
    moved = np.abs((step[:, None] @ columns)[:, 0]).max(axis=1)
    return (moved <= STILL) & (np.linalg.eigvalsh(information)[:, 0] > CURVED * trace)
