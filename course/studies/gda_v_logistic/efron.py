"""Efron's relative efficiency (1975), by his integrals."""

from functools import cache

import numpy as np
from scipy.integrate import quad

from course.studies.gda_v_logistic.two_normals import TwoNormals

NO_BOUNDARY = "classes of one mean and different sizes have no boundary: give delta above 0, or prior = 0.5"


def information(case: TwoNormals) -> tuple[float, float, float]:
    """A_i = E[p (1 - p) x_1^i] for i = 0, 1, 2, where p = P(y = 1 | x).

    = p_0 p_1 e^(-Δ²/8) ∫ x^i φ(x) / (p_1 e^(Δx/2) + p_0 e^(-Δx/2)) dx, whatever the dimension.
    """
    return _information(case.delta, case.prior)


@cache
def _information(delta: float, p1: float) -> tuple[float, float, float]:
    p0, half = 1 - p1, delta / 2

    def integrand(x: float, i: int) -> float:
        return x**i * np.exp(-(x**2) / 2 - np.logaddexp(np.log(p1) + half * x, np.log(p0) - half * x))

    scale = p0 * p1 * np.exp(-(delta**2) / 8) / np.sqrt(2 * np.pi)
    return tuple(scale * quad(integrand, -40, 40, args=(i,), epsabs=1e-13, limit=200)[0] for i in range(3))


def variances(case: TwoNormals) -> dict[str, tuple[float, float]]:
    """m times the variance of the score b + w · x on the true boundary x_1 = τ, in two terms, for each model.

    The first is that of b + τ w_1, which shifts the boundary; the second that of one of the other n - 1 weights,
    which tilt it.
    """
    p0, p1 = case.priors
    if case.delta == 0 and p0 != p1:
        raise ValueError(NO_BOUNDARY)
    half, tau = case.delta / 2, -case.log_prior_odds / case.delta if case.delta else 0.0
    shift = 1 / (p0 * p1) + (tau - half) ** 2 / p1 + (tau + half) ** 2 / p0 + 2 * (tau * case.delta) ** 2
    tilt = 1 / (p0 * p1) + case.delta**2
    A0, A1, A2 = information(case)
    return {
        "GDA": (shift, tilt),
        "logistic": ((A2 - 2 * tau * A1 + tau**2 * A0) / (A0 * A2 - A1**2), 1 / A0),
    }


def efficiency(case: TwoNormals) -> float:
    """Excess error of GDA over that of logistic regression, for m → ∞.

    So many of its examples does GDA need to be as good: an efficiency of 1/2 says that logistic regression needs twice
    as many. With equal priors shift and tilt have the same ratio, and the dimension does not matter.
    """
    (gda_shift, gda_tilt), (shift, tilt) = variances(case).values()
    return (gda_shift + (case.n - 1) * gda_tilt) / (shift + (case.n - 1) * tilt)


def efficiency_of_tilt(case: TwoNormals) -> float:
    """The limit of `efficiency` for n → ∞: (1 + p_0 p_1 Δ²) A_0 / (p_0 p_1), Efron's one-line formula."""
    p0, p1 = case.priors
    return (1 + p0 * p1 * case.delta**2) * information(case)[0] / (p0 * p1)
