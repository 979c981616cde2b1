"""Logistic regression of many samples at once, by Newton's method from the true parameters.

A simulation knows them, and the maximum of the likelihood is near: four steps, none of which needs a line search.
"""

import numpy as np
from scipy.special import expit

from probml.curves import LogisticRegression
from probml.curves.parts import Array, Parts

GAP = 1e-7  # half of Newton's decrement before the last step, which squares what is left
MOST = 10  # steps


def logistic_from(start: Array, parts: Parts) -> Array:
    """(b, w) of maximum likelihood for each sample, shape (B, n + 1). start : where to begin, shape (n + 1,).

    Samples for which this is not near enough, or that have no maximum, are left to `curves.LogisticRegression`.
    """
    found, solved = _newton(start, parts)
    if not solved.all():
        rest = Parts(parts.X[~solved], parts.y[~solved], parts.K)
        (scores,) = LogisticRegression().fit(rest).scores.values()
        found[~solved] = np.concatenate([scores.intercept, scores.coef[:, 0]], axis=1)
    return found


def _newton(start: Array, parts: Parts) -> tuple[Array, np.ndarray]:
    """θ of each sample and whether it is the maximum."""
    A = np.concatenate([np.ones((*parts.y.shape, 1)), parts.X], axis=2)
    columns = np.ascontiguousarray(A.transpose(0, 2, 1))
    theta = np.repeat(start[None], len(A), axis=0)
    near = np.zeros(len(A), dtype=bool)
    for _ in range(MOST):
        p = expit((theta[:, None] @ columns)[:, 0])
        gradient = ((parts.y - p)[:, None] @ A)[:, 0]
        information = (columns * (p * (1 - p))[:, None]) @ A
        try:
            step = np.linalg.solve(information, gradient[:, :, None])[:, :, 0]
        except np.linalg.LinAlgError:  # one of them ran away, and hides the others
            return theta, np.zeros_like(near)
        theta = theta + step
        near = np.einsum("bp,bp->b", step, gradient) / 2 <= GAP
        if near.all():
            break
    # On the way to infinity steps become small as well; but there all examples are on the right side.
    apart = ((p > 0.5) == parts.y).all(axis=1)
    return theta, near & ~apart
