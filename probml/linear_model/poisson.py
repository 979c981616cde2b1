"""Poisson regression: counts with a linear log rate."""

from collections.abc import Mapping

from sklearn.utils import Tags

from probml.families import Poisson
from probml.linear_model.base import LinearModel
from probml.linear_model.glm import GLM
from probml.losses import GLMLoss, Log


class PoissonRegression(GLM):
    """p(y | x) = e^-μ μ^y / y!,   log μ = x · w + b + log exposure.

        minimise  sum_i s_i [e^(z_i) - y_i z_i] + l2/2 |w|²

    X : dense or CSR, shape (m, n). y : counts 0, 1, 2, ..., shape (m,). offset or exposure as in GLM.

    Parameters and attributes are those of GLM. Zero counts that a direction separates from the others have no maximum
    of the likelihood without l2: SeparationError.
    """

    def __init__(
        self,
        *,
        l2: float = 0.0,
        fit_intercept: bool = True,
        solver: str = "auto",
        solver_options: Mapping[str, object] | None = None,
        tolerance: float | None = None,
        max_iterations: int | None = None,
    ) -> None:
        LinearModel.__init__(
            self,
            l2=l2,
            fit_intercept=fit_intercept,
            solver=solver,
            solver_options=solver_options,
            tolerance=tolerance,
            max_iterations=max_iterations,
        )

    def __sklearn_tags__(self) -> Tags:
        """Counts are not negative."""
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags

    def _glm(self) -> GLMLoss:
        return GLMLoss(Poisson(), Log())
