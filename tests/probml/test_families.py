"""Exponential families against high precision, exact enumeration, quadrature, SciPy and exact fractions."""

from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import product
from typing import ClassVar

import numpy as np
import pytest
from family_checks import FamilyChecks
from mpmath import mp
from numpy.testing import assert_allclose
from scipy import stats

from probml.families import (
    Bernoulli,
    Binomial,
    Categorical,
    ExponentialFamily,
    Gamma,
    Gaussian,
    Multinomial,
    Poisson,
    Totals,
)
from probml.families.gamma import digamma_gap
from probml.families.newton import root
from probml.families.poisson import stirling_error

ONE_PARAMETER = [Bernoulli(), Binomial(7), Poisson()]


class TestFamilies(FamilyChecks):
    USUAL: ClassVar = {
        Bernoulli(): {"probability": 0.3},
        Categorical(3): {"probabilities": [0.2, 0.5, 0.3]},
        Binomial(7): {"probability": 0.3},
        Multinomial(3): {"probabilities": [0.2, 0.5, 0.3]},
        Gaussian(): {"mean": 1.5, "variance": 0.7},
        Poisson(): {"rate": 2.5},
        Gamma(): {"shape": 2.5, "rate": 1.7},
    }
    BATCHES: ClassVar = {
        Bernoulli(): {"probability": [0.3, 0.9]},
        Categorical(3): {"probabilities": [[0.2, 0.5, 0.3], [0.7, 0.1, 0.2]]},
        Binomial(7): {"probability": [0.3, 0.9]},
        Multinomial(3): {"probabilities": [[0.2, 0.5, 0.3], [0.7, 0.1, 0.2]]},
        Gaussian(): {"mean": [1.5, -20.0], "variance": [0.7, 9.0]},
        Poisson(): {"rate": [2.5, 40.0]},
        Gamma(): {"shape": [2.5, 0.4], "rate": [1.7, 30.0]},
    }
    MINIMAL: ClassVar = [Bernoulli(), Binomial(7), Poisson(), Gaussian(), Gamma()]
    DISCRETE = (Bernoulli, Categorical, Binomial, Multinomial, Poisson)
    WITH_A_SPREAD: ClassVar = [Gaussian(), Gamma()]
    EXTREME: ClassVar = [
        (Bernoulli(), {"probability": 1e-300}, [0, 1], 1e-15),
        (Bernoulli(), {"probability": 1 - 1e-15}, [0, 1], 1e-15),
        (Categorical(3), {"probabilities": [1e-300, 1 - 1e-12, 1e-12]}, [0, 1, 2], 1e-15),
        (Binomial(100_000), {"probability": 0.3}, [0, 29_000, 30_000, 30_001, 31_500, 100_000], 1e-13),
        (Binomial(10**9), {"probability": 1e-9}, [0, 1, 5], 2e-14),
        (Binomial(20), {"probability": 1e-300}, [0, 1, 20], 1e-14),
        (Multinomial(3), {"probabilities": [0.2, 0.5, 0.3]}, [[20_100, 49_900, 30_000], [100_000, 0, 0]], 1e-13),
        (Multinomial(3), {"probabilities": [1e-200, 0.5, 0.5]}, [[0, 50_000, 50_000], [1, 2, 3], [0, 0, 0]], 1e-13),
        (Gaussian(), {"mean": 1e8, "variance": 1.0}, [1e8, 1e8 + 1, 1e8 - 3.25], 1e-15),
        (Gaussian(), {"mean": 1e-150, "variance": 1e-300}, [0, 2e-150, 1e-140], 1e-14),
        (Gaussian(), {"mean": 3.0, "variance": 1e200}, [3, 1e100, -1e101], 1e-14),
        (Poisson(), {"rate": 1e-200}, [0, 1, 5], 1e-15),
        (Poisson(), {"rate": 1e8}, [0, 99_990_000, 10**8, 100_020_000, 2 * 10**8], 1e-12),
        (Poisson(), {"rate": 1e5}, [99_000, 100_000, 100_317], 1e-13),
        (Gamma(), {"shape": 1e-3, "rate": 2.0}, [1e-300, 1e-5, 1.0, 50.0], 2e-14),
        (Gamma(), {"shape": 1e6, "rate": 2e6}, [0.3, 0.4995, 0.5, 0.501], 1e-12),
        (Gamma(), {"shape": 1e6, "rate": 1e-200}, [1e206, 1.001e206], 1e-11),
    ]
    FAR: ClassVar = [
        (Bernoulli(), {"probability": 1e-300}),
        (Binomial(100_000), {"probability": 1 - 1e-9}),
        (Categorical(3), {"probabilities": [1e-200, 0.4, 0.6]}),
        (Poisson(), {"rate": 1e8}),
        (Poisson(), {"rate": 1e-200}),
        (Gamma(), {"shape": 1e-3, "rate": 1e3}),
        (Gamma(), {"shape": 1e6, "rate": 0.1}),
    ]
    ROUND_TRIPS: ClassVar = [
        (Bernoulli(), {"probability": np.array([0, 1e-300, 1e-10, 0.5, 1])}),
        (Poisson(), {"rate": np.array([0, 1e-300, 1e-3, 1e300])}),
        (Categorical(3), {"probabilities": np.array([[0, 0, 1], [1e-300, 0.5, 0.5]])}),
        (Gaussian(), {"mean": np.array([1e8, 1e-100, -3e100]), "variance": np.array([1, 1e-200, 1e200])}),
        (Gamma(), {"shape": np.array([1e-300, 1e300]), "rate": np.array([1e300, 1e-300])}),
    ]
    SCIPY: ClassVar = [
        (Bernoulli(), {"probability": 0.3}, [0, 1], stats.bernoulli(0.3).logpmf),
        (Binomial(12), {"probability": 0.3}, range(13), stats.binom(12, 0.3).logpmf),
        (
            Multinomial(3),
            {"probabilities": [0.2, 0.5, 0.3]},
            [[1, 2, 0], [0, 0, 3]],
            stats.multinomial(3, [0.2, 0.5, 0.3]).logpmf,
        ),
        (Poisson(), {"rate": 30.0}, range(100), stats.poisson(30).logpmf),
        (Gaussian(), {"mean": -1.0, "variance": 4.0}, [-30, -1, 0, 7.5], stats.norm(-1, 2).logpdf),
        (Gamma(), {"shape": 2.5, "rate": 4.0}, [1e-9, 0.3, 7.5], stats.gamma(2.5, scale=0.25).logpdf),
    ]
    INTERVALS: ClassVar = [(Gaussian(), -np.inf, np.inf), (Gamma(), 1e-300, np.inf)]
    OUTSIDE_THE_SUPPORT: ClassVar = [
        (Bernoulli(), [0, 1, 0.5], r"Bernoulli\(\): x = 0.5 at index 2 .* 0 or 1"),
        (Categorical(3), [[0, 1], [3, 2]], r"x = 3.0 at index \(1, 0\) .* an integer from 0 to 2"),
        (Categorical(3), [1.5], "x = 1.5"),
        (Categorical(3), -1, "x = -1.0 is outside"),
        (Binomial(4), [5], "x = 5.0 at index 0 .* an integer from 0 to 4"),
        (Multinomial(3), [[1, 2, 3], [1, -2, 3]], r"x = \[ 1. -2.  3.\] at index 1 .* 3 integers of at least 0"),
        (Multinomial(3), [1, 2], r"shape \(..., 3\), received \(2,\)"),
        (Multinomial(3), [1, np.nan, 2], "outside the support"),
        (Multinomial(3), 5, "received the shape"),
        (Gaussian(), [0, np.inf], "x = inf at index 1 .* a finite number"),
        (Poisson(), [-1], "x = -1.0 .* an integer of at least 0"),
        (Poisson(), [np.inf], "x = inf"),
        (Gamma(), [1, 0], "x = 0.0 at index 1 .* above 0"),
    ]
    OUTSIDE_THE_DOMAIN: ClassVar = [
        (Bernoulli(), [np.nan], "eta = .nan. is outside the domain. Expected a number"),
        (Bernoulli(), [1.0, 2.0], r"eta must have the shape \(..., 1\), received \(2,\)"),
        (Bernoulli(), 1.0, r"received \(\)"),
        (Binomial(2), [np.nan], "Expected a number"),
        (Categorical(2), [-np.inf, -np.inf], "not all -inf"),
        (Categorical(2), [np.inf, 0], "not all -inf"),
        (Multinomial(2), [np.nan, 0], "not all -inf"),
        (Gaussian(), [[0, -1], [0, 0]], r"eta = \[0. 0.\] at index 1 .* below 0"),
        (Poisson(), [np.inf], "a number or -inf"),
        (Gamma(), [0, -1], "eta_1 above 0"),
        (Gamma(), [1, 0], "eta_2 below 0"),
        (Gamma(), [[1, -1], [1, 0.5]], r"eta = \[1.  0.5\] at index 1"),
    ]

    def exact_log_partition(self, family, eta, trials=1):
        match family:
            case Bernoulli():
                return mp.log(1 + mp.exp(eta[0]))
            case Binomial():
                return family.trials * mp.log(1 + mp.exp(eta[0]))
            case Categorical() | Multinomial():
                return trials * mp.log(mp.fsum(map(mp.exp, eta)))
            case Gaussian():
                return -(eta[0] ** 2) / (4 * eta[1]) - mp.log(-2 * eta[1]) / 2
            case Poisson():
                return mp.exp(eta[0])
            case Gamma():
                return mp.loggamma(eta[0]) - eta[0] * mp.log(-eta[1])

    def exact_terms(self, family, x):
        match family:
            case Bernoulli():
                return x, 0
            case Categorical(K):
                return [mp.mpf(c == x[0]) for c in range(K)], 0
            case Binomial(n):
                return x, mp.loggamma(n + 1) - mp.loggamma(x[0] + 1) - mp.loggamma(n - x[0] + 1)
            case Multinomial():
                return x, mp.loggamma(mp.fsum(x) + 1) - mp.fsum(mp.loggamma(v + 1) for v in x)
            case Gaussian():
                return [x[0], x[0] ** 2], -mp.log(2 * mp.pi) / 2
            case Poisson():
                return x, -mp.loggamma(x[0] + 1)
            case Gamma():
                return [mp.log(x[0]), x[0]], -mp.log(x[0])

    def grid(self, family, eta):
        match family:
            case Bernoulli() | Binomial() | Categorical():
                size = {"Bernoulli": 2, "Binomial": 8, "Categorical": 3}[type(family).__name__]
                return np.arange(size), np.ones(size)
            case Poisson():
                return np.arange(200), np.ones(200)
            case Multinomial():
                x = np.array([x for x in product(range(6), repeat=3) if sum(x) == 5])
                return x, np.ones(len(x))
            case Gaussian():
                mean, variance = family.usual(eta).values()
                x = mean + np.sqrt(variance) * np.linspace(-12, 12, 2001)
                return x, np.full(2001, x[1] - x[0])
            case Gamma():
                t = np.linspace(-60, 5, 20_001)
                return np.exp(t), np.exp(t) * (t[1] - t[0])


# High precision ------------------------------------------------------------------------------------------------------


def test_generic_form_takes_zero_times_infinity_as_zero():
    x, eta = np.array([0.0, 1.0, 2.0]), np.array([np.log(0.25), np.log(0.75), -np.inf])
    assert_allclose(ExponentialFamily._log_density(Categorical(3), x, eta), eta, rtol=1e-15)
    assert ExponentialFamily._log_density(Poisson(), np.array([0.0, 2.0]), np.array([-np.inf])).tolist() == [0, -np.inf]


def test_base_of_one_is_one_number_for_each_vector():
    assert ExponentialFamily._log_base(Multinomial(3), np.ones((4, 5, 3))).shape == (4, 5)


@mp.workdps(40)
def test_counts_near_a_large_rate_against_high_precision():
    """The deviance and Stirling's series, in each term that counts for the digits of the density."""
    x = np.array([16.0, 17.0, 20.0, 40.0, 300.0, 1e5, 1e8])
    for ratio in (0.83, 0.93, 0.999, 1.0, 1.001, 1.07, 1.2):
        eta = np.log(ratio * x)
        count, log_rate = map(mp.mpf, x.tolist()), map(mp.mpf, eta.tolist())
        exact = [float(k * t - mp.exp(t) - mp.loggamma(k + 1)) for k, t in zip(count, log_rate, strict=True)]
        rounding = 4e-16 * np.abs(1 - ratio) * x  # of the rate, which weighs as its difference from the count
        error = np.abs(Poisson().log_density(x, eta[:, None]) - exact)
        assert (error <= 2e-15 * np.abs(exact) + rounding).all()


@pytest.mark.parametrize("trials", [1, 4, np.array([2, 7])])
def test_multinomial_scales_with_trials(trials):
    family = Multinomial(3)
    p = np.array([[0.2, 0.5, 0.3], [0.7, 0.1, 0.2]])
    eta = family.natural(probabilities=p)
    n = np.broadcast_to(trials, 2)
    assert_allclose(family.log_partition(eta + 0.5, trials), n * 0.5, rtol=1e-14)
    assert_allclose(family.mean(eta, trials), n[:, None] * p)
    covariance = [n[i] * (np.diag(p[i]) - np.outer(p[i], p[i])) for i in range(2)]
    assert_allclose(family.variance(eta, trials), covariance, atol=1e-16)
    x = family.sample(eta, np.random.default_rng(0), (5,), trials)
    assert x.shape == (5, 2, 3)
    assert (x.sum(axis=-1) == n).all()


@pytest.mark.parametrize("family", ONE_PARAMETER, ids=repr)
def test_cumulants_are_elementwise(family):
    theta = np.linspace(-3, 3, 12).reshape(3, 4)
    A, mean, variance = family.cumulants(theta)
    assert_allclose(A, family.log_partition(theta[..., None]))
    assert_allclose(mean, family.mean_statistic(theta[..., None])[..., 0])
    assert_allclose(variance, family.variance_statistic(theta[..., None])[..., 0, 0])


# Parameters ----------------------------------------------------------------------------------------------------------


def test_natural_parameters_by_hand():
    assert_allclose(Bernoulli().natural(probability=0.8), [np.log(4)])
    assert_allclose(Gaussian().natural(mean=3, variance=0.5), [6, -1])
    assert_allclose(Poisson().natural(rate=7), [np.log(7)])
    assert_allclose(Gamma().natural(shape=2, rate=3), [2, -3])


def test_degenerate_parameters_have_exact_densities():
    certain = Bernoulli().natural(probability=[0.0, 1.0])
    assert certain.tolist() == [[-np.inf], [np.inf]]
    assert Bernoulli().log_density([[0], [1]], certain).tolist() == [[0, -np.inf], [-np.inf, 0]]
    assert Binomial(5).log_density([[0], [3], [5]], certain).tolist() == [[0, -np.inf], [-np.inf] * 2, [-np.inf, 0]]
    assert Bernoulli().variance(certain).tolist() == [0, 0]
    assert Poisson().log_density([0, 1], Poisson().natural(rate=0)).tolist() == [0, -np.inf]
    assert Poisson().log_density([0, 3], [800.0]).tolist() == [-np.inf, -np.inf]  # e^800 overflows
    eta = Categorical(3).natural(probabilities=[0, 1, 0])
    assert Categorical(3).log_density([0, 1, 2], eta).tolist() == [-np.inf, 0, -np.inf]
    assert Categorical(3).log_partition(eta) == 0
    assert not np.isnan(Categorical(3).variance_statistic(eta)).any()
    assert Multinomial(3).log_density([[0, 4, 0], [1, 3, 0], [0, 0, 0]], eta).tolist() == [0, -np.inf, 0]
    assert Gaussian().log_density(1e200, Gaussian().natural(mean=0, variance=1e-200)) == -np.inf


def test_over_complete_form_has_a_free_constant():
    eta = np.array([0.3, -2, 1.1])
    for family, x in ((Categorical(3), [0, 1, 2]), (Multinomial(3), [[2, 0, 1], [0, 1, 1]])):
        assert_allclose(family.log_density(x, eta + 700), family.log_density(x, eta), rtol=1e-12)
        assert_allclose(family.variance_statistic(eta) @ np.ones(3), 0, atol=1e-16)


def test_families_are_values():
    assert Binomial(3) == Binomial(3) != Binomial(4)
    assert len({Categorical(3), Categorical(3), Multinomial(3)}) == 2
    with pytest.raises(FrozenInstanceError):
        Binomial(3).trials = 4


# Statistics ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 2, 100])
def test_gaussian_far_from_zero(parts):
    """Mean 1e8 and standard deviation 1: sums of x² would have lost all digits of the variance."""
    rng = np.random.default_rng(5)
    x = 1e8 + rng.standard_normal(10_000)
    exact = [Fraction(v) for v in x]
    mean = sum(exact) / len(x)
    variance = float(sum((v - mean) ** 2 for v in exact) / len(x))
    statistics = sum((Gaussian().collect(part) for part in np.array_split(x, parts)), Gaussian().nothing())
    assert_allclose(statistics.mean, float(mean), rtol=1e-15)
    assert_allclose(statistics.scatter / len(x), variance, rtol=1e-9 if parts > 1 else 1e-14)
    fitted = Gaussian().usual(Gaussian().mle(statistics))
    assert_allclose(fitted["mean"], float(mean), rtol=1e-15)
    assert_allclose(fitted["variance"], variance, rtol=1e-9)


def test_scatter_where_the_first_example_is_far_away_and_hardly_counts():
    """Deviations from it are rounded to 1e-4: the second round has to put mean and scatter right."""
    x, weight = [1e12, 1.0, 2.0, 4.0], [1e-60, 1.0, 1.0, 1.0]
    statistics = Gaussian().collect(x, weight)
    assert_allclose(statistics.mean, 7 / 3, rtol=1e-15)
    assert_allclose(statistics.scatter, 14 / 3, rtol=1e-14)


def test_mean_of_a_constant_sample_with_missing_values_has_all_digits():
    """Ten times 0.1 does not add up to 1: sums are of deviations from the first value that is there."""
    sample = [np.nan, *[0.1] * 5, np.nan, *[0.1] * 5]
    statistics = Gamma().collect(sample)
    assert (statistics.total / statistics.count[..., None] == Gamma().statistic(0.1)).all()
    assert Gaussian().collect(sample).mean == 0.1


def test_statistics_do_not_mix():
    with pytest.raises(TypeError, match="unsupported operand"):
        Gaussian().nothing() + Poisson().nothing()
    with pytest.raises(TypeError, match="unsupported operand"):
        Poisson().nothing() + Gaussian().nothing()


# Maximum likelihood ---------------------------------------------------------------------------------------------------


def test_log_less_digamma_and_its_derivative():
    a = np.array([0.05, 1.0, 14.9, 15.0, 15.1, 40.0, 300.0, 1e6, 1e10])
    with mp.workdps(60):
        exact = [[mp.log(v) - mp.digamma(v), 1 / mp.mpf(v) - mp.psi(1, v)] for v in a.tolist()]
    assert_allclose(np.transpose(digamma_gap(a)), np.array(exact, dtype=float), rtol=3e-14)


@pytest.mark.parametrize("shape", [1e-3, 0.05, 1.0, 14.9, 15.1, 300.0, 1e6, 1e10])
@mp.workdps(50)
def test_gamma_mle_against_high_precision(shape):
    # Statistics of a sample with this shape and rate 1, and what its rounded numbers imply exactly.
    total = np.array([float(mp.digamma(shape)), shape])
    gap = mp.log(mp.mpf(float(total[1]))) - mp.mpf(float(total[0]))
    exact = mp.findroot(lambda u: mp.log(mp.log(mp.exp(u)) - mp.digamma(mp.exp(u))) - mp.log(gap), mp.log(shape))
    a, b = Gamma().usual(Gamma().mle(Totals(np.array(1.0), total))).values()
    rounding = 4e-16 * max(1, abs(total[0])) / float(gap)  # of log(mean) - mean(log)
    assert_allclose(a, float(mp.exp(exact)), rtol=1e-13 + rounding)
    assert_allclose(a / b, shape, rtol=1e-15)


def test_roots_are_found_by_few_steps_of_newtons_method():
    """Newton's own steps from here would leave for infinity, and halving takes 50: both would be seen in the count."""
    calls, at = [], np.array([-7.3, 0.3, 11.0])

    def falling(u):
        calls.append(u)
        return -np.arctan(20 * (u - at)), -20 / (1 + (20 * (u - at)) ** 2)

    assert_allclose(root(falling, np.full(3, -10.0), np.full(3, 20.0)), at, rtol=1e-15)
    assert len(calls) <= 14


@pytest.mark.parametrize("value", [1.0001, 3e200])
def test_constant_samples_of_many_weights_have_no_mle(value):
    """Sums that have been rounded often: what they leave of the logarithm's spread is no spread."""
    weights = np.random.default_rng(0).uniform(0.1, 3.0, size=(40, 3))
    statistics = sum((Gamma().collect(np.full(3, value), weight) for weight in weights), Gamma().nothing())
    with pytest.raises(ValueError, match="the sample is constant"):
        Gamma().mle(statistics)


def test_less_than_one_observation_is_enough():
    statistics = Categorical(2).collect([0, 1], weight=[0.2, 0.05])
    assert_allclose(Categorical(2).usual(Categorical(2).mle(statistics))["probabilities"], [0.8, 0.2])


def test_mle_by_hand():
    x = np.array([0, 1, 1, 3])
    assert_allclose(Poisson().usual(Poisson().mle(Poisson().collect(x)))["rate"], 5 / 4)
    assert_allclose(Bernoulli().mle(Bernoulli().collect([0, 1, 1, 1])), [np.log(3)])
    assert_allclose(Binomial(5).usual(Binomial(5).mle(Binomial(5).collect(x)))["probability"], 5 / 20)
    p = Categorical(4).usual(Categorical(4).mle(Categorical(4).collect(x)))["probabilities"]
    assert_allclose(p, [1 / 4, 1 / 2, 0, 1 / 4])
    fit = Gaussian().usual(Gaussian().mle(Gaussian().collect(x)))
    assert_allclose([fit["mean"], fit["variance"]], [5 / 4, 11 / 4 - 25 / 16])
    rows = [[2, 0, 1], [1, 0, 4]]
    assert_allclose(np.exp(Multinomial(3).mle(Multinomial(3).collect(rows))), [3 / 8, 0, 5 / 8])


def test_mle_at_the_boundary():
    for weight in (np.ones(30), np.random.default_rng(1).uniform(0, 1, 30)):
        x = np.stack([np.zeros(30), np.ones(30)], axis=-1)
        assert Bernoulli().mle(Bernoulli().collect(x, weight)).tolist() == [[-np.inf], [np.inf]]
        assert Binomial(3).mle(Binomial(3).collect(3 * x, weight)).tolist() == [[-np.inf], [np.inf]]
        assert Poisson().mle(Poisson().collect(x[:, :1], weight)).tolist() == [[-np.inf]]
        assert np.exp(Categorical(2).mle(Categorical(2).collect(x, weight))).tolist() == [[1, 0], [0, 1]]


def test_samples_have_the_distribution():
    rng = np.random.default_rng(8)
    for family, usual, cdf in [
        (Gaussian(), {"mean": 3.0, "variance": 4.0}, stats.norm(3, 2).cdf),
        (Gamma(), {"shape": 0.1, "rate": 5.0}, stats.gamma(0.1, scale=0.2).cdf),
        (Gamma(), {"shape": 30.0, "rate": 5.0}, stats.gamma(30, scale=0.2).cdf),
    ]:
        x = family.sample(family.natural(**usual), rng, 4000)
        assert stats.kstest(x, cdf).pvalue > 1e-3
    codes = Categorical(3).sample(np.log([0.2, 0.5, 0.3]), rng, 4000)
    assert stats.chisquare(np.bincount(codes.astype(int)), [800, 2000, 1200]).pvalue > 1e-3


def test_samples_stay_in_the_support_where_they_underflow():
    rng = np.random.default_rng(9)
    Gamma().check(Gamma().sample([1e-4, -1.0], rng, 1000))
    assert (Bernoulli().sample([[np.inf], [-np.inf]], rng, 100) == [1, 0]).all()
    assert set(Categorical(3).sample([0, -np.inf, 0], rng, 100)) == {0, 2}
    assert (Poisson().sample([-np.inf], rng, 100) == 0).all()


# Smoothing and conjugate priors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0, Fraction(1, 2), 1, 3])
def test_pseudo_counts_are_add_alpha_smoothing(alpha):
    x = np.array([1, 1, 0, 1, 1])
    a = float(alpha)
    fit = Bernoulli().mle(Bernoulli().collect(x) + Bernoulli().pseudo_counts(a))
    assert_allclose(Bernoulli().usual(fit)["probability"], float((4 + alpha) / (5 + 2 * Fraction(alpha))), rtol=1e-15)
    fit = Binomial(3).mle(Binomial(3).collect([2, 3, 0, 1]) + Binomial(3).pseudo_counts(a))
    assert_allclose(Binomial(3).usual(fit)["probability"], float((6 + alpha) / (12 + 2 * Fraction(alpha))), rtol=1e-15)
    fit = Categorical(3).mle(Categorical(3).collect(x) + Categorical(3).pseudo_counts(a))
    expected = [float((n + alpha) / (5 + 3 * Fraction(alpha))) for n in (1, 4, 0)]
    assert_allclose(np.exp(fit), expected, rtol=1e-15)
    counts = [[2, 0, 1], [4, 0, 2]]
    fit = Multinomial(3).mle(Multinomial(3).collect(counts) + Multinomial(3).pseudo_counts(a))
    assert_allclose(np.exp(fit), [float((n + alpha) / (9 + 3 * Fraction(alpha))) for n in (6, 0, 3)], rtol=1e-15)
    assert Binomial(4).pseudo_counts(3).count == 6 / 4
    for family in (Bernoulli(), Categorical(3), Binomial(3), Multinomial(3)):
        assert family.pseudo_counts([a, a]).total.shape == (2, family.n_natural)


def test_continuous_families_have_no_pseudo_counts():
    for family in (Gaussian(), Poisson(), Gamma()):
        assert not hasattr(family, "pseudo_counts")


# What has no answer ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bernoulli().natural(probability=[0.1, 1.1]), "probability must be between 0 and 1, received 1.1 at"),
        (lambda: Categorical(2).natural(probabilities=[0.5, 0.6]), "sum to 1"),
        (lambda: Categorical(2).natural(probabilities=[[0.5, 0.5], [0.5, 0.6]]), r"sum to 1 .* \[0.5 0.6\] at index 1"),
        (lambda: Gamma().log_partition([[1, -1], [1, 1]]), r"eta = \[1. 1.\] at index 1"),
        (lambda: Multinomial(2).mean(np.zeros(2), [3, 2.5]), "whole numbers, received 2.5 at index 1"),
        (lambda: Gaussian().collect([[1.0, 1e200], [2.0, -1e200]]), "scatter of the sample is inf at index 1"),
        (lambda: Categorical(2).natural(probabilities=[1.0]), r"shape \(..., 2\), received \(1,\)"),
        (lambda: Gaussian().natural(mean=0, variance=0), "variance must be finite and above 0, received 0.0"),
        (lambda: Poisson().natural(rate=-1), "rate must be finite and at least 0, received -1.0"),
        (lambda: Gamma().natural(shape=1, rate=np.inf), "rate must be finite"),
        (lambda: Binomial(0), "trials must be an integer of at least 1, received 0"),
        (lambda: Categorical(2.5), "categories must be an integer"),
        (lambda: Bernoulli().pseudo_counts(-1), "alpha must be finite and at least 0, received -1.0"),
        (lambda: Bernoulli().collect([0, 1], [1, -1]), "not negative, received -1.0 at index 1"),
        (lambda: Bernoulli().collect([0, 1], [1]), r"weight must have the shape \(2,\), .* received \(1,\)"),
        (lambda: Bernoulli().collect([0, 1], [1, np.inf]), "weights must be finite .* received inf at index 1"),
        (lambda: Bernoulli().collect(1), "along axis 0"),
        (lambda: Multinomial(2).collect([1, 2]), "along axis 0"),
        (lambda: Gaussian().collect([1e200, -1e200]), "scatter of the sample is inf.* Rescale"),
        (lambda: Gaussian().collect([1e308, -1e308]), "Rescale"),
        (lambda: Gamma().collect(np.full(3, 1e308)), "total of the sample is inf.* Rescale"),
    ],
)
def test_other_errors_name_what_was_received(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_counts_of_zero_have_no_mle():
    with pytest.raises(ValueError, match="all counts are zero at index 1"):
        Multinomial(2).mle(Multinomial(2).collect([[[1, 2], [0, 0]]]))


# What has no answer, and numbers at the ends of the range


def test_parameters_without_a_natural_parameter():
    with pytest.raises(ValueError, match="mean must be finite, received nan"):
        Gaussian().natural(mean=np.nan, variance=1)
    for mean, variance in [(0, 1e-310), (1e300, 1e-300)]:
        with pytest.raises(ValueError, match="outside the domain"):
            Gaussian().natural(mean=mean, variance=variance)


def test_extreme_parameters_give_no_nan_and_no_warning():
    assert Gamma().variance(Gamma().natural(shape=1e-100, rate=1e-160)) == pytest.approx(1e220)


def test_statistics_of_another_family_are_refused():
    with pytest.raises(ValueError, match="length 1 and 2 are of different families"):
        Poisson().collect([1]) + Gamma().collect([1.0])
    for family, other in [(Gaussian(), Poisson()), (Gamma(), Poisson()), (Poisson(), Gaussian())]:
        with pytest.raises(ValueError, match="needs statistics by its own `collect`, received"):
            family.mle(other.collect([1, 2]))


@pytest.mark.parametrize("trials", [-1, 2.5, np.nan])
def test_trials_are_whole_numbers(trials):
    eta, family = np.zeros(3), Multinomial(3)
    for method in (family.mean, family.variance, family.log_partition):
        with pytest.raises(ValueError, match="trials must be"):
            method(eta, trials)
    with pytest.raises(ValueError, match="trials must be"):
        family.sample(eta, np.random.default_rng(0), trials=trials)


def test_the_error_of_stirlings_formula_has_all_of_its_digits():
    x = np.array([15.01, 16.0, 21.5, 100.0, 1e6])
    with mp.workdps(40):
        exact = [
            mp.loggamma(v + 1) - (v + mp.mpf(1) / 2) * mp.log(v) + v - mp.log(2 * mp.pi) / 2 for v in map(mp.mpf, x)
        ]
    assert_allclose(stirling_error(x), [float(v) for v in exact], rtol=3e-15)
