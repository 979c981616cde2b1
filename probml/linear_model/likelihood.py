"""Likelihoods of fitted models: deviance, null model, Pearson's chi-squared."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import qr, solve_triangular
from scipy.special import gammaln

from probml.families import Bernoulli, Gamma, Gaussian, Poisson
from probml.linear_model.design import dense, rank_of, rescale
from probml.linear_model.rows import Rows, in_ordinary_unit
from probml.losses import GLMLoss, Logistic, Loss
from probml.objectives import LinearObjective
from probml.solvers import newton
from probml.solvers.line_search import RELATIVE_ROUNDING
from probml.typing import Array

RESPONSE_ROUNDING = 1e-9  # of y: what its logarithm, with all digits, or Newton's method may lose


class Likelihood(NamedTuple):
    """That of rows with one predictor each, z, shape (m,): their loss, and that of a family with a link.

    The two are the same function; the loss may have a formula of its own, which keeps more digits.
    """

    rows: Rows
    loss: Loss
    glm: GLMLoss

    def objective(self, intercept: bool) -> LinearObjective:
        """The sum of the losses."""
        X, y, weight, offset = self.rows
        return LinearObjective(X, y, self.loss, intercept=intercept, weight=weight, offset=offset)

    @property
    def of_proportions(self) -> bool:
        """Whether y are shares, and the weights numbers of trials."""
        y = self.rows.y
        return isinstance(self.glm.family, Bernoulli) and not ((y == 0) | (y == 1)).all()

    @property
    def of_rates(self) -> bool:
        """Whether y are Poisson rates, not counts, and the weights exposures: only the mean of y is modelled then."""
        return isinstance(self.glm.family, Poisson) and not (self.rows.y == np.floor(self.rows.y)).all()

    def deviance(self, z: Array) -> float:
        """2 (log likelihood of the means y - log likelihood) for dispersion 1."""
        rows = self.rows
        if isinstance(self.loss, Logistic):  # the likelihood of the means y is 1, and digits are kept for large z
            return 2 * rows.total(self.loss.value(rows.y, z))
        return rows.total(self.glm.form.unit_deviance(rows.y, self.glm.link.inverse(z)))

    def pearson(self, z: Array) -> float:
        """sum_i s_i (y_i - μ_i)² / V(μ_i)."""
        mu = self.glm.link.inverse(z)
        return self.rows.total((self.rows.y - mu) ** 2 / self.glm.form.variance(mu))

    def fits_exactly(self, z: Array) -> bool:
        """Whether all residuals are rounding: their squares below ε² of those of the responses."""
        squares = self.rows.total(self.rows.y**2 / self.glm.form.variance(self.glm.link.inverse(z)))
        return self.pearson(z) <= RELATIVE_ROUNDING**2 * squares

    def null_deviance(self, intercept: bool) -> float:
        """Of the model without x: one constant, besides the offset; 0, not rounding, if that gives every y."""
        rows, glm = self.rows, self.glm
        y, offset = rows.y, rows.offset
        # Counts of 0 alone, and shares of 0 or 1 alone, are the limit of an intercept that goes to infinity.
        if intercept and (y == y[0]).all() and (offset is None or not glm.form.is_mean(y[0])):
            return 0.0
        z = np.zeros(len(y)) if offset is None else offset
        if intercept:
            constant = float(glm.link.of(np.asarray(rows.average(y))))
            if offset is None:
                return self.deviance(np.full(len(y), constant))
            alone = rows._replace(X=np.empty((len(y), 0)), weight=in_ordinary_unit(rows.weight)[0])
            objective, start = self._replace(rows=alone).objective(True), [constant - rows.average(offset)]
            z = offset + newton(objective, start, tolerance=1e-20).theta
        return 0.0 if offset is not None and exact(y, glm.link.inverse(z)) else self.deviance(z)

    def explained(self, z: Array) -> float:
        """D² = 1 - deviance / null deviance; where the latter is 0, 1 for predictions that are exact and else 0."""
        rows = self.rows
        if len(rows.y) < 2:
            raise ValueError(
                "D² compares responses with their mean, and needs two examples with a weight above 0 or more; received "
                f"{len(rows.y)}"
            )
        mu, (low, high) = self.glm.link.inverse(z), self.glm.form.limits
        if (outside := ~((mu >= low) & (mu <= high))).any():
            row = int(np.flatnonzero(outside)[0])
            raise ValueError(
                f"the mean of example {row} of those with a weight is {mu[row]:g}, which "
                f"{type(self.glm.family).__name__} does not allow: use a link whose means are all allowed, such as "
                "Log()"
            )
        one_unit = self._replace(rows=rows._replace(weight=in_ordinary_unit(rows.weight)[0]))  # D² is the same in any
        if null := one_unit.null_deviance(intercept=True):
            return float(1 - one_unit.deviance(z) / null)
        return float(exact(rows.y, mu))

    def log_likelihood(self, z: Array, dispersion: float) -> float | None:
        """log p(y | X), complete; None where y are rates, of which no distribution is assumed."""
        rows, y = self.rows, self.rows.y
        if self.of_rates:
            return None
        match self.glm.family:
            case Gaussian():
                n = rows.total(np.ones_like(y))
                with np.errstate(divide="ignore"):
                    return float(-n / 2 * (np.log(2 * np.pi * self.pearson(z) / n) + 1))
            case Gamma():
                shape, mu = 1 / dispersion, self.glm.link.inverse(z)
                return rows.total(shape * (np.log(shape * y / mu) - y / mu) - np.log(y) - gammaln(shape))
            case Poisson():
                return rows.total(self.glm.form.log_base(y) - self.loss.value(y, z))
        if not self.of_proportions:
            return -rows.total(self.loss.value(y, z))
        trials = np.ones_like(y) if rows.weight is None else rows.weight
        choose = gammaln(trials + 1) - gammaln(trials * y + 1) - gammaln(trials * (1 - y) + 1)
        return float(choose.sum() - rows.total(self.loss.value(y, z)))

    def unit_errors(self, z: Array, intercept: bool) -> Array:
        """Standard errors for dispersion 1: roots of the diagonal of (A^T A)^-1 with A = √(s V) (X, 1) = Q R.

        They are the lengths of the rows of R^-1. V are the expected curvatures of the losses.
        """
        rows = self.rows
        X, scale, _ = rescale(rows.X, 0.0)
        if rank_of(X, intercept).deficient:
            raise ValueError(
                "columns of X are combinations of others, so that coefficients have no standard errors: leave them out"
            )
        V = self.loss.curvature(rows.y, z)
        A = np.column_stack([dense(X), np.ones((len(V), int(intercept)))])
        A *= np.sqrt(V if rows.weight is None else V * rows.weight)[:, None]
        lengths = np.linalg.norm(A, axis=0)
        R = qr(A / lengths, mode="r")[0][: A.shape[1]]
        columns = np.append(scale, [1.0] * intercept)
        return np.asarray(np.linalg.norm(solve_triangular(R, np.eye(len(R))), axis=1) / lengths / columns)


def exact(y: Array, mu: Array) -> bool:
    """Whether the means are the responses, as well as a predictor of 16 digits can say."""
    return np.allclose(mu, y, rtol=RESPONSE_ROUNDING, atol=0.0)
