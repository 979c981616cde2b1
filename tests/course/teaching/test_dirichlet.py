"""The beta and the Dirichlet family: what every family has to satisfy, and estimates against high precision."""

from typing import ClassVar

import numpy as np
import pytest
from family_checks import FamilyChecks
from mpmath import mp
from numpy.testing import assert_allclose
from scipy import special, stats

from course.teaching.dirichlet import Beta, Dirichlet
from probml.families import Totals
from probml.naive_bayes import MixedNB


class TestFamilies(FamilyChecks):
    USUAL: ClassVar = {
        Beta(): {"a": 2.5, "b": 1.7},
        Dirichlet(3): {"concentration": [1.5, 2.5, 0.8]},
    }
    BATCHES: ClassVar = {
        Beta(): {"a": [2.5, 0.6], "b": [1.7, 9.0]},
        Dirichlet(3): {"concentration": [[1.5, 2.5, 0.8], [20.0, 0.5, 3.0]]},
    }
    MINIMAL: ClassVar = [Beta(), Dirichlet(3)]
    DISCRETE = ()
    WITH_A_SPREAD: ClassVar = [Beta()]
    EXTREME: ClassVar = [
        (Beta(), {"a": 1e-3, "b": 1e-3}, [1e-300, 0.5, 1 - 1e-16], 2e-14),
        (Beta(), {"a": 1e6, "b": 3e6}, [0.2, 0.2501, 0.25], 1e-12),
        (Beta(), {"a": 1e-3, "b": 1e5}, [1e-200, 1e-5, 0.1], 1e-13),
        (Dirichlet(3), {"concentration": [1e-3, 1.0, 1e5]}, [[1e-200, 1e-5, 1 - 1e-5], [0.25, 0.25, 0.5]], 1e-13),
        (Dirichlet(3), {"concentration": [2e5, 5e5, 3e5]}, [[0.2, 0.5, 0.3], [0.201, 0.499, 0.3]], 1e-11),
    ]
    FAR: ClassVar = [
        (Beta(), {"a": 1e-3, "b": 50.0}),
        (Dirichlet(3), {"concentration": [1e-3, 1.0, 50.0]}),
    ]
    ROUND_TRIPS: ClassVar = [(Beta(), {"a": np.array([1e-300, 1e300]), "b": np.array([1e300, 1e-300])})]
    SCIPY: ClassVar = [
        (Beta(), {"a": 2.5, "b": 0.4}, [1e-9, 0.3, 0.999], stats.beta(2.5, 0.4).logpdf),
        (
            Dirichlet(3),
            {"concentration": [1.5, 2.5, 0.8]},
            [[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]],
            lambda x: stats.dirichlet([1.5, 2.5, 0.8]).logpdf(np.transpose(x)),
        ),
    ]
    INTERVALS: ClassVar = [(Beta(), 1e-300, 1 - 1e-16)]
    OUTSIDE_THE_SUPPORT: ClassVar = [
        (Beta(), [0.5, 1], "x = 1.0 at index 1 .* between 0 and 1"),
        (Dirichlet(3), [0.5, 0.2, 0.2], "3 numbers above 0 that sum to 1"),
        (Dirichlet(3), [0.5, 0.5, 0.0], "3 numbers above 0 that sum to 1"),
        (Dirichlet(3), [0.5, 0.5], r"shape \(..., 3\)"),
    ]
    OUTSIDE_THE_DOMAIN: ClassVar = [
        (Beta(), [1, 0], "above 0"),
        (Dirichlet(2), [1, np.inf], "above 0"),
    ]

    def exact_log_partition(self, family, eta):
        return mp.fsum(map(mp.loggamma, eta)) - mp.loggamma(mp.fsum(eta))

    def exact_terms(self, family, x):
        T = [mp.log(v) for v in ([x[0], 1 - x[0]] if family == Beta() else x)]
        return T, -mp.fsum(T)

    def grid(self, family, eta):
        if family == Beta():
            t = np.linspace(-30, 30, 20_001)
            return special.expit(t), special.expit(t) * special.expit(-t) * (t[1] - t[0])
        # x = (u, (1 - u) v, (1 - u)(1 - v)), u and v logistic
        t = np.linspace(-45, 45, 301)
        u, v = (axis.ravel() for axis in np.meshgrid(t, t))
        du, dv = special.expit(u) * special.expit(-u), special.expit(v) * special.expit(-v)
        rest = special.expit(-u)
        x = np.stack([special.expit(u), rest * special.expit(v), rest * special.expit(-v)], axis=-1)
        return x, du * dv * rest * (t[1] - t[0]) ** 2


@pytest.mark.parametrize(
    "alpha",
    [[1e-2, 1e-3], [0.5, 0.5], [1.0, 1.0], [0.02, 300.0], [14.9, 15.2, 1e-2], [1e6, 3e6], [1e-2, 1.0, 1e4], [3.0] * 50],
    ids=lambda alpha: f"{alpha[0]}-{alpha[-1]}",
)
@mp.workdps(50)
def test_mle_against_high_precision(alpha):
    """The exact statistics E[log x] of α, rounded, have to give α back, up to what rounding can do to them."""
    mean_log = np.array([float(mp.digamma(a) - mp.digamma(mp.fsum(map(mp.mpf, alpha)))) for a in alpha])
    statistics = Totals(np.array(4.0), 4 * mean_log)
    eta = Dirichlet(len(alpha)).mle(statistics)
    hessian = Dirichlet(len(alpha)).variance_statistic(alpha)
    rounding = np.abs(np.linalg.inv(hessian)) @ (4e-16 * np.maximum(np.abs(mean_log), 1e-300)) / alpha
    rounding = np.maximum(rounding, 2e-16 * np.sum(alpha))
    assert (np.abs(eta - alpha) <= (1e-13 + 4 * rounding) * alpha).all(), (eta, rounding)
    if len(alpha) == 2:
        assert_allclose(Beta().mle(statistics), eta, rtol=1e-15)


def test_samples_have_the_distribution():
    rng = np.random.default_rng(8)
    assert stats.kstest(Beta().sample([0.3, 2.0], rng, 4000), stats.beta(0.3, 2).cdf).pvalue > 1e-3
    x = Dirichlet(3).sample([0.5, 2.0, 3.0], rng, 4000)
    assert stats.kstest(x[:, 0], stats.beta(0.5, 5).cdf).pvalue > 1e-3


def test_samples_stay_in_the_support_where_they_underflow():
    rng = np.random.default_rng(9)
    x = Beta().check(Beta().sample([1e-4, 1e-4], rng, 1000))
    assert 0 < x.min() < 1e-300
    assert 1 - 1e-15 < x.max() < 1
    Dirichlet(3).check(Dirichlet(3).sample([1e-4, 1e-4, 1e-4], rng, 1000))


def test_errors_name_what_was_received():
    with pytest.raises(ValueError, match="categories must be an integer of at least 2, received 1"):
        Dirichlet(1)
    with pytest.raises(ValueError, match=r"Dirichlet.* constant .* no maximum"):
        Dirichlet(3).mle(Dirichlet(3).collect(np.tile([[0.1, 0.2, 0.7]], (10, 2, 1))))


def test_extreme_parameters_give_no_nan_and_no_warning():
    for covariance in (Beta().variance_statistic([1e-200, 1.0]), Dirichlet(2).variance_statistic([1e-200, 1.0])):
        assert_allclose(covariance, [[np.inf, -(np.pi**2) / 6], [-(np.pi**2) / 6, 0]], atol=1e-15)


def test_probabilities_of_single_precision():
    x = np.random.default_rng(0).dirichlet([1, 2, 5], 50)
    single = x.astype(np.float32)
    assert (single.sum(axis=1, dtype=np.float64) != 1).any()
    assert_allclose(
        Dirichlet(3).mle(Dirichlet(3).collect(single)), Dirichlet(3).mle(Dirichlet(3).collect(x)), rtol=1e-6
    )
    assert_allclose(Dirichlet(3).log_density(single, [1, 2, 5]), Dirichlet(3).log_density(x, [1, 2, 5]), atol=1e-5)


def test_naive_bayes_takes_shares_as_a_feature():
    """Its density in each class is that of SciPy at the parameters that the model reports."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = rng.beta(2, 1 + y)[:, None]
    model = MixedNB(Beta(), priors=[0.3, 0.7]).fit(X, y)
    a, b = model.usual_parameters(0).values()
    assert_allclose(model.log_joint(X), np.log([0.3, 0.7]) + stats.beta(a, b).logpdf(X), rtol=1e-11)
