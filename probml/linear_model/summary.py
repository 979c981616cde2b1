"""What a fit says about its coefficients: standard errors, tests, intervals, goodness of fit."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit
from sklearn.utils.validation import check_is_fitted

from probml.linear_model.likelihood import (
    Training,
    deviance,
    fits_exactly,
    has_proportions,
    has_rates,
    log_likelihood,
    null_deviance,
    objective,
    pearson,
    unit_errors,
)
from probml.typing import Array

if TYPE_CHECKING:
    from probml.linear_model.base import LinearModel


@dataclass(frozen=True, eq=False)
class Summary:
    """names, coefficient, standard_error, statistic, p_value : shape (p,); interval : shape (p, 2), of this level.

    The intercept is the last. Standard errors are the roots of the diagonal of dispersion · (X^T V X)^-1, with V the
    expected curvature of the losses. dispersion is 1 for Bernoulli and Poisson; for Gaussian and Gamma it is Pearson's
    chi-squared / df_residual, and the tests are t tests instead of z tests.
    n_examples : the sum of the weights; the number of rows where weights are numbers of trials or exposures.
    null_deviance : of the model with the intercept (and offset) alone; without intercept, of z = offset.
    log_likelihood : for Gaussian at the most likely variance, for Gamma at the dispersion. AIC and BIC count the
    coefficients, not the dispersion.

    Responses of a Poisson model that are not all whole are rates, with exposures for weights: only E[y] = μ and
    Var[y] = dispersion · μ / exposure are assumed (quasi-Poisson). The dispersion is estimated as for Gaussian and
    Gamma, and log_likelihood, aic and bic are None: there is no likelihood.
    """

    names: tuple[str, ...]
    coefficient: Array
    standard_error: Array
    statistic: Array
    statistic_name: str
    p_value: Array
    interval: Array
    level: float
    deviance: float
    null_deviance: float
    log_likelihood: float | None
    aic: float | None
    bic: float | None
    n_examples: float
    df_model: int
    df_residual: float
    dispersion: float

    @classmethod
    def of(cls, model: "LinearModel", level: float) -> Self:
        """Of a fitted model with one predictor."""
        require_training(model)
        training: Training = model._training
        rows, loss, glm = training
        theta = model.solution_.theta
        p = len(theta)
        of_rows = objective(rows, loss, model.fit_intercept)
        require_unchanged(of_rows.value(theta), model.solution_.value, of_rows.unit)
        z = rows.predictor(theta)
        by_row = has_proportions(rows, glm) or has_rates(rows, glm)
        n = float(len(z) if by_row or rows.weight is None else rows.weight.sum())
        free = glm.form.free_dispersion or has_rates(rows, glm)
        if free and n <= p:
            raise ValueError(f"{n:g} examples leave nothing to estimate the dispersion with {p} coefficients")
        if free and fits_exactly(rows, glm, z):
            raise ValueError(
                "the model gives every answer exactly, which leaves no dispersion to test coefficients with"
            )
        dispersion = pearson(rows, glm, z) / (n - p) if free else 1.0
        V = loss.curvature(rows.y, z)
        error = np.sqrt(dispersion) * unit_errors(rows, V, model.fit_intercept)
        return cls.from_estimates(
            names_of(model),
            theta,
            error,
            level=level,
            t_freedom=n - p if free else np.inf,
            deviance=deviance(rows, loss, glm, z),
            null_deviance=null_deviance(rows, loss, glm, model.fit_intercept),
            log_likelihood=log_likelihood(rows, loss, glm, z, dispersion),
            n_examples=n,
            df_model=p - model.fit_intercept,
            dispersion=dispersion,
        )

    @classmethod
    def from_estimates(
        cls,
        names: tuple[str, ...],
        theta: Array,
        error: Array,
        *,
        level: float,
        t_freedom: float,
        deviance: float,
        null_deviance: float,
        log_likelihood: float | None,
        n_examples: float,
        df_model: int,
        dispersion: float,
    ) -> Self:
        """Tests and intervals of estimates θ with standard errors, shape (p,)."""
        if not 0 < level < 1:
            raise ValueError(f"level must be between 0 and 1, received {level!r}")
        p, exact = len(theta), np.isinf(t_freedom)
        with np.errstate(divide="ignore", invalid="ignore"):
            statistic = theta / error
        tail = ndtr(-np.abs(statistic)) if exact else stdtr(t_freedom, -np.abs(statistic))
        reach = error * (ndtri((1 + level) / 2) if exact else stdtrit(t_freedom, (1 + level) / 2))
        return cls(
            names=names,
            coefficient=theta.copy(),
            standard_error=error,
            statistic=statistic,
            statistic_name="z" if exact else "t",
            p_value=2 * tail,
            interval=np.column_stack([theta - reach, theta + reach]),
            level=level,
            deviance=deviance,
            null_deviance=null_deviance,
            log_likelihood=log_likelihood,
            aic=None if log_likelihood is None else -2 * log_likelihood + 2 * p,
            bic=None if log_likelihood is None else -2 * log_likelihood + np.log(n_examples) * p,
            n_examples=n_examples,
            df_model=df_model,
            df_residual=n_examples - p,
            dispersion=dispersion,
        )

    def __str__(self) -> str:
        """A table."""
        width = max(len("coefficient"), *(len(name) for name in self.names))
        bounds = f"{self.level:.0%} interval"
        lines = [
            f"{'':{width}}  {'estimate':>11}  {'std. error':>11}  {self.statistic_name:>8}  {'p':>8}  {bounds:>24}"
        ]
        lines += [
            f"{name:{width}}  {b:11.5g}  {e:11.5g}  {s:8.3f}  {p:8.2g}  {low:11.5g}  {high:11.5g}"
            for name, b, e, s, p, (low, high) in zip(
                self.names,
                self.coefficient,
                self.standard_error,
                self.statistic,
                self.p_value,
                self.interval,
                strict=True,
            )
        ]
        return "\n".join(
            [
                *lines,
                "",
                f"deviance {self.deviance:.6g} on {self.df_residual:g} degrees of freedom, null deviance "
                f"{self.null_deviance:.6g}, dispersion {self.dispersion:.6g}",
                f"{self._likelihood()}, {self.n_examples:g} examples",
            ]
        )

    def _likelihood(self) -> str:
        if self.log_likelihood is None:
            return "no likelihood, AIC or BIC: the answers are rates, not counts"
        return f"log likelihood {self.log_likelihood:.6g}, AIC {self.aic:.6g}, BIC {self.bic:.6g}"


def require_unchanged(value: float, fitted: float, unit: float) -> None:
    """Refuse arrays that somebody wrote to after fit: the objective is then another one at the same θ.

    fitted : its value as it was. unit : that of the objective, so that weights of any size are told apart alike.
    """
    if not abs(value - fitted) <= 1e-6 * abs(fitted) + 1e-9 * unit:
        raise ValueError("the arrays given to fit, or parameters, have been changed since: fit again before summary()")


def require_training(model: "LinearModel") -> None:
    """Refuse a model that is not fitted, has no training data any more, or a penalty."""
    check_is_fitted(model, "coef_")
    if not hasattr(model, "_training"):
        raise ValueError(
            "a model that was copied, or stored and loaded, has no training data any more: fit again before summary()"
        )
    if model.l2:
        raise ValueError(f"standard errors are those of maximum likelihood; this model has l2={model.l2!r}: use l2=0")


def names_of(model: "LinearModel") -> tuple[str, ...]:
    """Names of the columns of X, or x0, x1, ..., and the intercept."""
    names = getattr(model, "feature_names_in_", [f"x{j}" for j in range(model.n_features_in_)])
    return (*map(str, names), *(["intercept"] if model.fit_intercept else []))
