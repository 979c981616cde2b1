"""Poisson regression: counts with a linear log rate."""

from collections.abc import Mapping

import numpy as np

from probml.families import Poisson
from probml.linear_model.base import Array, LinearModel
from probml.linear_model.glm import GLM
from probml.linear_model.solving import RandomState
from probml.losses import GLMLoss, Log


class PoissonRegression(GLM):
    """p(y | x) = e^-μ μ^y / y!,   log μ = x · w + b + log exposure.

        minimise  sum_i s_i [e^(z_i) - y_i z_i] + l2/2 |w|²

    l2 = alpha sum_i s_i gives the minimum of scikit-learn's PoissonRegressor(alpha), whose losses are averaged; 0, the
    default, is maximum likelihood.

    X : dense or CSR, shape (m, n). y : counts 0, 1, 2, ..., or other numbers of at least 0, shape (m,). offset or
    exposure as in GLM.

    The gradient, sum_i s_i (μ_i - y_i) x_i, asks for nothing but E[y] = μ, so that y need not be whole: counts per
    exposure, such as claims a year, with the exposures for sample_weight, give the same coefficients as the counts
    themselves with exposure=. There is no likelihood then, and `summary` says what is left without it (quasi-Poisson).

    Parameters and attributes are those of GLM, and one more. Zero counts that a direction separates from the others
    have no maximum of the likelihood without l2: SeparationError.

    whole : whether to refuse y that are not whole numbers.
    """

    family, link = Poisson(), Log()

    def __init__(
        self,
        *,
        whole: bool = False,
        l2: float = 0.0,
        fit_intercept: bool = True,
        solver: str = "auto",
        solver_options: Mapping[str, object] | None = None,
        tol: float | None = None,
        max_iter: int | None = None,
        random_state: RandomState = 0,
        warm_start: bool = False,
    ) -> None:
        LinearModel.__init__(
            self,
            l2=l2,
            fit_intercept=fit_intercept,
            solver=solver,
            solver_options=solver_options,
            tol=tol,
            max_iter=max_iter,
            random_state=random_state,
            warm_start=warm_start,
        )

        self.whole = whole

    def _answers(self, y: Array, glm: GLMLoss) -> Array:
        if not isinstance(self.whole, bool | np.bool_):
            raise ValueError(f"whole must be True or False, received {self.whole!r}")
        y = super()._answers(y, glm)
        if self.whole and (parts := y != np.floor(y)).any():
            row = int(np.flatnonzero(parts)[0])
            raise ValueError(f"with whole=True y must be counts 0, 1, 2, ...; row {row} has {y[row]:g}")
        return y
