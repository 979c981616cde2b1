"""Likelihoods of fitted models: deviance, null model, Pearson's chi-squared."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import qr, solve_triangular
from scipy.special import gammaln

from probml.families import Bernoulli, Gamma, Gaussian, Poisson
from probml.linear_model.design import dense, rank_of, rescale
from probml.linear_model.rows import Rows
from probml.linear_model.weights import in_ordinary_unit
from probml.losses import GLMLoss, Logistic, Loss
from probml.objectives import LinearObjective
from probml.solvers import newton
from probml.typing import Array

ROUNDING = 4 * float(np.finfo(np.float64).eps)
RESPONSE_ROUNDING = 1e-9  # of y: what its logarithm, with all digits, or Newton's method may lose


class Training(NamedTuple):
    """What a model of one predictor was fitted to: the examples, its loss, and that of a family with a link."""

    rows: Rows
    loss: Loss
    glm: GLMLoss


def objective(rows: Rows, loss: Loss, intercept: bool) -> LinearObjective:
    """The sum of the losses."""
    return LinearObjective(rows.X, rows.y, loss, intercept=intercept, weight=rows.weight, offset=rows.offset)


def has_proportions(rows: Rows, glm: GLMLoss) -> bool:
    """Whether y are shares, and the weights numbers of trials."""
    return isinstance(glm.family, Bernoulli) and not ((rows.y == 0) | (rows.y == 1)).all()


def has_rates(rows: Rows, glm: GLMLoss) -> bool:
    """Whether y are Poisson rates, not counts, and the weights exposures: only the mean of y is modelled then."""
    return isinstance(glm.family, Poisson) and not (rows.y == np.floor(rows.y)).all()


def unit_errors(rows: Rows, V: Array, intercept: bool) -> Array:
    """Standard errors for dispersion 1: roots of the diagonal of (A^T A)^-1 with A = √(s V) (X, 1) = Q R.

    They are the lengths of the rows of R^-1.
    """
    X, scale, _ = rescale(rows.X, 0.0)
    if rank_of(X, intercept).deficient:
        raise ValueError(
            "columns of X are combinations of others, so that coefficients have no standard errors: leave them out"
        )
    A = np.column_stack([dense(X), np.ones((len(V), int(intercept)))])
    A *= np.sqrt(V if rows.weight is None else V * rows.weight)[:, None]
    lengths = np.linalg.norm(A, axis=0)
    R = qr(A / lengths, mode="r")[0][: A.shape[1]]
    columns = np.append(scale, [1.0] * intercept)
    return np.asarray(np.linalg.norm(solve_triangular(R, np.eye(len(R))), axis=1) / lengths / columns)


def deviance(rows: Rows, loss: Loss, glm: GLMLoss, z: Array) -> float:
    """2 (log likelihood of the means y - log likelihood) for dispersion 1."""
    if isinstance(loss, Logistic):  # the likelihood of the means y is 1, and the loss keeps its digits for large z
        return 2 * rows.total(loss.value(rows.y, z))
    return rows.total(glm.form.unit_deviance(rows.y, glm.link.inverse(z)))


def pearson(rows: Rows, glm: GLMLoss, z: Array) -> float:
    """sum_i s_i (y_i - μ_i)² / V(μ_i)."""
    mu = glm.link.inverse(z)
    return rows.total((rows.y - mu) ** 2 / glm.form.variance(mu))


def fits_exactly(rows: Rows, glm: GLMLoss, z: Array) -> bool:
    """Whether all residuals are rounding: their squares below ε² of those of the responses."""
    return pearson(rows, glm, z) <= ROUNDING**2 * rows.total(rows.y**2 / glm.form.variance(glm.link.inverse(z)))


def null_model(rows: Rows, loss: Loss, glm: GLMLoss, intercept: bool) -> Array:
    """Predictors of the model without x, shape (m,): one constant, besides the offset."""
    offset = np.zeros(len(rows.y)) if rows.offset is None else rows.offset
    if not intercept:
        return offset
    constant = float(glm.link.of(np.asarray(rows.average(rows.y))))
    if rows.offset is None:
        return np.full(len(rows.y), constant)
    alone = rows._replace(X=np.empty((len(rows.y), 0)), weight=in_ordinary_unit(rows.weight)[0])
    start = [constant - rows.average(offset)]
    return offset + newton(objective(alone, loss, True), start, tolerance=1e-20).theta


def null_deviance(rows: Rows, loss: Loss, glm: GLMLoss, intercept: bool) -> float:
    """Of the model without x; 0, not what rounding leaves of it, where that gives every y."""
    y, alike = rows.y, bool((rows.y == rows.y[0]).all())
    # Counts of 0 alone, and shares of 0 or 1 alone, are the limit of an intercept that goes to infinity.
    if intercept and alike and (rows.offset is None or not glm.form.is_mean(y[0])):
        return 0.0
    z = null_model(rows, loss, glm, intercept)
    return 0.0 if rows.offset is not None and exact(y, glm.link.inverse(z)) else deviance(rows, loss, glm, z)


def exact(y: Array, mu: Array) -> bool:
    """Whether the means are the responses, as well as a predictor of 16 digits can say."""
    return np.allclose(mu, y, rtol=RESPONSE_ROUNDING, atol=0.0)


def explained(rows: Rows, loss: Loss, glm: GLMLoss, z: Array) -> float:
    """D² = 1 - deviance / null deviance; where the latter is 0, 1 for predictions that are exact and else 0."""
    if len(rows.y) < 2:
        raise ValueError(
            f"D² compares answers with their mean, and needs two examples with a weight above 0 or more; received "
            f"{len(rows.y)}"
        )
    mu, (low, high) = glm.link.inverse(z), glm.form.limits
    if (outside := ~((mu >= low) & (mu <= high))).any():
        row = int(np.flatnonzero(outside)[0])
        raise ValueError(
            f"the mean of example {row} of those with a weight is {mu[row]:g}, which {type(glm.family).__name__} does "
            "not allow: use a link whose means are all allowed, such as Log()"
        )
    rows = rows._replace(weight=in_ordinary_unit(rows.weight)[0])  # D² is the same in any unit
    if null := null_deviance(rows, loss, glm, intercept=True):
        return float(1 - deviance(rows, loss, glm, z) / null)
    return float(exact(rows.y, mu))


def log_likelihood(rows: Rows, loss: Loss, glm: GLMLoss, z: Array, dispersion: float) -> float | None:
    """log p(y | X), complete; None where y are rates, of which no distribution is assumed."""
    y = rows.y
    if has_rates(rows, glm):
        return None
    match glm.family:
        case Gaussian():
            n = rows.total(np.ones_like(y))
            with np.errstate(divide="ignore"):
                return float(-n / 2 * (np.log(2 * np.pi * pearson(rows, glm, z) / n) + 1))
        case Gamma():
            shape, mu = 1 / dispersion, glm.link.inverse(z)
            each = shape * (np.log(shape * y / mu) - y / mu) - np.log(y) - gammaln(shape)
            return rows.total(each)
        case Poisson():
            return rows.total(glm.form.log_base(y) - loss.value(y, z))
    if not has_proportions(rows, glm):
        return -rows.total(loss.value(y, z))
    trials = np.ones_like(y) if rows.weight is None else rows.weight
    choose = gammaln(trials + 1) - gammaln(trials * y + 1) - gammaln(trials * (1 - y) + 1)
    return float(choose.sum() - rows.total(loss.value(y, z)))
