"""Poisson regression: counts with a linear log rate."""

from dataclasses import field

from probml.families import Poisson
from probml.inputs import parameters
from probml.linear_model.glm import GLM
from probml.losses import Log


@parameters
class PoissonRegression(GLM):
    r"""p(y | x) = e^-μ μ^y / y!,   log μ = x · w + b + log exposure.

    .. math::
        \min_{w, b} \; \sum_i s_i [e^{z_i} - y_i z_i] + \tfrac{1}{2} l_2 |w|^2

    l2 = alpha sum_i s_i gives the minimum of scikit-learn's PoissonRegressor(alpha), whose losses are averaged; 0, the
    default, is maximum likelihood.

    X : dense or CSR, shape (m, n). y : counts 0, 1, 2, ..., or other numbers of at least 0, shape (m,). offset or
    exposure as in GLM.

    The gradient, sum_i s_i (μ_i - y_i) x_i, asks for nothing but E[y] = μ, so that y need not be whole: counts per
    exposure, such as claims a year, with the exposures for sample_weight, give the same coefficients as the counts
    themselves with exposure=. There is no likelihood then, and `summary` says what is left without it (quasi-Poisson).

    Parameters and attributes are those of GLM. Zero counts that a direction separates from the others have no maximum
    of the likelihood without l2: SeparationError.
    """

    family: Poisson = field(default=Poisson(), init=False)
    link: Log = field(default=Log(), init=False)
