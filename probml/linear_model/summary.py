"""What a fit says about its coefficients: standard errors, tests, intervals, goodness of fit."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit
from sklearn.utils.validation import check_is_fitted

from probml.linear_model.likelihood import Likelihood
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
    statistic_name: str
    level: float
    deviance: float
    null_deviance: float
    log_likelihood: float | None
    n_examples: float
    df_model: int
    dispersion: float

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise ValueError(f"level must be between 0 and 1, received {self.level!r}")

    @property
    def df_residual(self) -> float:
        """Examples that are left when each coefficient has taken one."""
        return self.n_examples - len(self.coefficient)

    @property
    def statistic(self) -> Array:
        """z or t: coefficients in standard errors."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.coefficient / self.standard_error

    @property
    def p_value(self) -> Array:
        """How likely a statistic as far from 0 as this, or farther, would be if the coefficient were 0."""
        distance = -np.abs(self.statistic)
        return np.asarray(2 * (ndtr(distance) if self.statistic_name == "z" else stdtr(self.df_residual, distance)))

    @property
    def interval(self) -> Array:
        """Of all coefficients that a test does not refuse."""
        q = (1 + self.level) / 2
        reach = self.standard_error * (ndtri(q) if self.statistic_name == "z" else stdtrit(self.df_residual, q))
        return np.column_stack([self.coefficient - reach, self.coefficient + reach])

    @property
    def aic(self) -> float | None:
        """-2 log p(y | X) + 2 p."""
        return None if self.log_likelihood is None else -2 * self.log_likelihood + 2 * len(self.coefficient)

    @property
    def bic(self) -> float | None:
        """-2 log p(y | X) + p log n."""
        cost = np.log(self.n_examples) * len(self.coefficient)
        return None if self.log_likelihood is None else -2 * self.log_likelihood + cost

    @classmethod
    def of(cls, model: "LinearModel", level: float) -> Self:
        """Of a fitted model with one predictor."""
        require_training(model)
        training: Likelihood = model._training
        rows, _, glm = training
        theta, intercept = model.solution_.theta, model.fit_intercept
        objective = training.objective(intercept)
        require_unchanged(objective.value(theta), model.solution_.value, objective.unit)
        z, p = rows.predictor(theta), len(theta)
        by_row = training.of_proportions or training.of_rates
        n = float(len(z) if by_row or rows.weight is None else rows.weight.sum())
        free = glm.form.free_dispersion or training.of_rates
        if free and n <= p:
            raise ValueError(f"{n:g} examples leave nothing to estimate the dispersion with {p} coefficients")
        if free and training.fits_exactly(z):
            raise ValueError(
                "the model gives every response exactly, which leaves no dispersion to test coefficients with"
            )
        dispersion = training.pearson(z) / (n - p) if free else 1.0
        return cls(
            names=names_of(model),
            coefficient=theta.copy(),
            standard_error=np.sqrt(dispersion) * training.unit_errors(z, intercept),
            statistic_name="t" if free else "z",
            level=level,
            deviance=training.deviance(z),
            null_deviance=training.null_deviance(intercept),
            log_likelihood=training.log_likelihood(z, dispersion),
            n_examples=n,
            df_model=p - intercept,
            dispersion=dispersion,
        )

    def __str__(self) -> str:
        """A table."""
        width = max(len("coefficient"), *(len(name) for name in self.names))
        columns = self.names, self.coefficient, self.standard_error, self.statistic, self.p_value, self.interval
        likelihood = "no likelihood, AIC or BIC: the responses are rates, not counts"
        if self.log_likelihood is not None:
            likelihood = f"log likelihood {self.log_likelihood:.6g}, AIC {self.aic:.6g}, BIC {self.bic:.6g}"
        return "\n".join(
            [
                f"{'':{width}}  {'estimate':>11}  {'std. error':>11}  {self.statistic_name:>8}  {'p':>8}  "
                f"{f'{self.level:.0%} interval':>24}",
                *(
                    f"{name:{width}}  {b:11.5g}  {e:11.5g}  {s:8.3f}  {p:8.2g}  {low:11.5g}  {high:11.5g}"
                    for name, b, e, s, p, (low, high) in zip(*columns, strict=True)
                ),
                "",
                f"deviance {self.deviance:.6g} on {self.df_residual:g} degrees of freedom, null deviance "
                f"{self.null_deviance:.6g}, dispersion {self.dispersion:.6g}",
                f"{likelihood}, {self.n_examples:g} examples",
            ]
        )


def require_training(model: "LinearModel") -> None:
    """Refuse a model that is not fitted, has no training data any more, or a penalty."""
    check_is_fitted(model, "coef_")
    if not hasattr(model, "_training"):
        raise ValueError(
            "a model that was copied, stored and loaded, or fitted in chunks has no training data any more: fit again "
            "before summary()"
        )
    if model.l2:
        raise ValueError(f"standard errors are those of maximum likelihood; this model has l2={model.l2!r}: use l2=0")


def require_unchanged(value: float, fitted: float, unit: float) -> None:
    """Refuse arrays that somebody wrote to after fit: the objective is then another one at the same θ.

    fitted : its value as it was. unit : that of the objective, so that weights of any size are told apart alike.
    """
    if not abs(value - fitted) <= 1e-6 * abs(fitted) + 1e-9 * unit:
        raise ValueError("the arrays given to fit, or parameters, have been changed since: fit again before summary()")


def names_of(model: "LinearModel") -> tuple[str, ...]:
    """Names of the columns of X, or x0, x1, ..., and the intercept."""
    names = getattr(model, "feature_names_in_", [f"x{j}" for j in range(model.n_features_in_)])
    return (*map(str, names), *(["intercept"] if model.fit_intercept else []))
