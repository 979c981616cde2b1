"""Exponential families against high precision, exact enumeration, quadrature, SciPy and exact fractions."""

from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from numpy.testing import assert_allclose
from scipy import integrate, special, stats

from probml.families import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Dirichlet,
    ExponentialFamily,
    Gamma,
    Gaussian,
    Multinomial,
    MultivariateNormal,
    Poisson,
    Totals,
)
from probml.families.gamma import digamma_gap
from probml.families.poisson import stirling_error

SIGMA = np.array([[2.0, -0.6, 0.3], [-0.6, 1.0, 0.2], [0.3, 0.2, 0.5]])
# One member of every family, as its usual parameters.
USUAL = {
    Bernoulli(): {"probability": 0.3},
    Categorical(3): {"probabilities": [0.2, 0.5, 0.3]},
    Binomial(7): {"probability": 0.3},
    Multinomial(3): {"probabilities": [0.2, 0.5, 0.3]},
    Gaussian(): {"mean": 1.5, "variance": 0.7},
    Poisson(): {"rate": 2.5},
    Gamma(): {"shape": 2.5, "rate": 1.7},
    Beta(): {"a": 2.5, "b": 1.7},
    Dirichlet(3): {"concentration": [1.5, 2.5, 0.8]},
    MultivariateNormal(3): {"mean": [1.0, -2.0, 0.5], "covariance": SIGMA},
}
SCALAR = [family for family in USUAL if not family.event_ndim]
ONE_PARAMETER = [Bernoulli(), Binomial(7), Poisson()]
MINIMAL = [Bernoulli(), Binomial(7), Poisson(), Gaussian(), Gamma(), Beta(), Dirichlet(3)]
BATCHES = {
    Bernoulli(): {"probability": [0.3, 0.9]},
    Categorical(3): {"probabilities": [[0.2, 0.5, 0.3], [0.7, 0.1, 0.2]]},
    Binomial(7): {"probability": [0.3, 0.9]},
    Multinomial(3): {"probabilities": [[0.2, 0.5, 0.3], [0.7, 0.1, 0.2]]},
    Gaussian(): {"mean": [1.5, -20.0], "variance": [0.7, 9.0]},
    Poisson(): {"rate": [2.5, 40.0]},
    Gamma(): {"shape": [2.5, 0.4], "rate": [1.7, 30.0]},
    Beta(): {"a": [2.5, 0.6], "b": [1.7, 9.0]},
    Dirichlet(3): {"concentration": [[1.5, 2.5, 0.8], [20.0, 0.5, 3.0]]},
    MultivariateNormal(3): {"mean": [[1.0, -2.0, 0.5], [0.0, 10.0, 1.0]], "covariance": SIGMA},
}

families = pytest.mark.parametrize("family", USUAL, ids=repr)


def draw(family, size=50, seed=1):
    """A sample of the batch of two, shape (size, 2) or (size, 2, d)."""
    more = {"trials": 9} if isinstance(family, Multinomial) else {}
    return family.sample(family.natural(**BATCHES[family]), np.random.default_rng(seed), (size,), **more)


# High precision ------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _fifty_digits():
    with mp.workdps(50):
        yield


def exact_log_partition(family, eta, trials=1):
    """A(η), from its definition."""
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
        case Beta() | Dirichlet():
            return mp.fsum(map(mp.loggamma, eta)) - mp.loggamma(mp.fsum(eta))
        case MultivariateNormal(d):
            linear = mp.matrix(eta[:d])
            precision = mp.matrix(d, d)
            for i, j in product(range(d), range(d)):
                precision[i, j] = -(eta[d + d * i + j] + eta[d + d * j + i])
            return (linear.T * mp.lu_solve(precision, linear))[0] / 2 - mp.log(mp.det(precision)) / 2


def exact_log_density(family, x, eta):
    """log h(x) + η · T(x) - A(η) at exactly these floating-point numbers."""
    eta = [mp.mpf(float(e)) for e in eta]
    x = [mp.mpf(float(v)) for v in np.atleast_1d(x)]
    log_base, trials = mp.mpf(0), 1
    match family:
        case Bernoulli() | Gaussian() | Poisson() | Binomial():
            T = [x[0], x[0] ** 2][: family.n_natural]
        case Categorical():
            T = [mp.mpf(c == x[0]) for c in range(family.categories)]
        case Multinomial():
            T, trials = x, mp.fsum(x)
            log_base = mp.loggamma(trials + 1) - mp.fsum(mp.loggamma(v + 1) for v in x)
        case Gamma():
            T, log_base = [mp.log(x[0]), x[0]], -mp.log(x[0])
        case Beta():
            T = [mp.log(x[0]), mp.log(1 - x[0])]
            log_base = -mp.fsum(T)
        case Dirichlet():
            T = [mp.log(v) for v in x]
            log_base = -mp.fsum(T)
        case MultivariateNormal():
            T = x + [a * b for a, b in product(x, x)]
            log_base = -family.dimension * mp.log(2 * mp.pi) / 2
    match family:
        case Gaussian():
            log_base = -mp.log(2 * mp.pi) / 2
        case Poisson():
            log_base = -mp.loggamma(x[0] + 1)
        case Binomial(n):
            log_base = mp.loggamma(n + 1) - mp.loggamma(x[0] + 1) - mp.loggamma(n - x[0] + 1)
    return log_base + mp.fsum(e * t for e, t in zip(eta, T, strict=True)) - exact_log_partition(family, eta, trials)


EXTREME = [
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
    (Beta(), {"a": 1e-3, "b": 1e-3}, [1e-300, 0.5, 1 - 1e-16], 2e-14),
    (Beta(), {"a": 1e6, "b": 3e6}, [0.2, 0.2501, 0.25], 1e-12),
    (Beta(), {"a": 1e-3, "b": 1e5}, [1e-200, 1e-5, 0.1], 1e-13),
    (Dirichlet(3), {"concentration": [1e-3, 1.0, 1e5]}, [[1e-200, 1e-5, 1 - 1e-5], [0.25, 0.25, 0.5]], 1e-13),
    (Dirichlet(3), {"concentration": [2e5, 5e5, 3e5]}, [[0.2, 0.5, 0.3], [0.201, 0.499, 0.3]], 1e-11),
]


@pytest.mark.parametrize(("family", "usual", "xs", "tolerance"), EXTREME)
def test_log_density_at_extreme_parameters_against_high_precision(family, usual, xs, tolerance):
    eta = family.natural(**usual)
    for x, ours in zip(xs, family.log_density(xs, eta), strict=True):
        exact = exact_log_density(family, x, eta)
        assert abs(ours - exact) <= tolerance * max(1, abs(exact)), (x, ours, exact)


@families
def test_log_density_against_high_precision(family):
    eta = family.natural(**USUAL[family])
    for x in draw(family, 20)[:, 0]:
        exact = exact_log_density(family, x, eta)
        assert abs(family.log_density(x, eta) - exact) <= 2e-14 * max(1, abs(exact))


@families
def test_generic_form_is_the_density(family):
    """h(x) exp(η · T(x) - A(η)), put together from the three methods."""
    eta = family.natural(**USUAL[family])
    x = draw(family, 20)[:, 0]
    more = {"trials": 9} if isinstance(family, Multinomial) else {}
    generic = family.log_base(x) + family.statistic(x) @ eta - family.log_partition(eta, **more)
    assert_allclose(family.log_density(x, eta), generic, rtol=1e-12)
    if not more:
        assert_allclose(family._log_density(x, eta), super(type(family), family)._log_density(x, eta), rtol=1e-12)


def test_generic_form_takes_zero_times_infinity_as_zero():
    x, eta = np.array([0.0, 1.0, 2.0]), np.array([np.log(0.25), np.log(0.75), -np.inf])
    assert_allclose(ExponentialFamily._log_density(Categorical(3), x, eta), eta, rtol=1e-15)
    assert ExponentialFamily._log_density(Poisson(), np.array([0.0, 2.0]), np.array([-np.inf])).tolist() == [0, -np.inf]


DERIVATIVES = [
    *USUAL.items(),
    (Bernoulli(), {"probability": 1e-300}),
    (Binomial(100_000), {"probability": 1 - 1e-9}),
    (Categorical(3), {"probabilities": [1e-200, 0.4, 0.6]}),
    (Poisson(), {"rate": 1e8}),
    (Poisson(), {"rate": 1e-200}),
    (Gamma(), {"shape": 1e-3, "rate": 1e3}),
    (Gamma(), {"shape": 1e6, "rate": 0.1}),
    (Beta(), {"a": 1e-3, "b": 50.0}),
    (Dirichlet(3), {"concentration": [1e-3, 1.0, 50.0]}),
]


@pytest.mark.parametrize(("family", "usual"), DERIVATIVES)
def test_log_partition_and_its_derivatives_against_high_precision(family, usual):
    eta = family.natural(**usual)
    k = family.n_natural
    point = [mp.mpf(float(e)) for e in eta]
    discrete = not isinstance(family, Gaussian | Gamma | Beta | Dirichlet | MultivariateNormal)
    digits = 420 if discrete else 80  # A = log(1 + 1e-300) has to be told from 0, and so have its differences
    rounding = 0 if discrete else 2e-15  # of ψ(a) - ψ(a + b), where it is next to nothing

    def partition(*eta):
        return exact_log_partition(family, list(eta))

    def derivative(*orders):
        with mp.workdps(digits):
            step = mp.mpf(10) ** (-40 if discrete else -25) * min(1, min(abs(e) for e in point))
            return float(mpmath.diff(partition, tuple(point), orders, h=step))

    unit = np.eye(k, dtype=int)
    gradient = [derivative(*unit[i].tolist()) for i in range(k)]
    with mp.workdps(digits):
        exact = float(partition(*point))
    assert_allclose(family.log_partition(eta), exact, rtol=2e-14, atol=0 if k == 1 else 2e-16)
    assert_allclose(family.mean_statistic(eta), gradient, rtol=2e-13, atol=rounding)
    rows = range(k) if k <= 3 else [0, 2, 3, 5, 11]  # the Hessian of the multivariate normal is large
    for i, j in product(rows, rows):
        if i <= j:
            exact = derivative(*(unit[i] + unit[j]).tolist())
            ours = family.variance_statistic(eta)[[i, j], [j, i]]
            assert_allclose(ours, [exact, exact], rtol=2e-12, atol=rounding)


@pytest.mark.parametrize("trials", [1, 4, np.array([2, 7])])
def test_multinomial_scales_with_trials(trials):
    family = Multinomial(3)
    eta = family.natural(**BATCHES[family])
    n = np.broadcast_to(trials, 2)
    assert_allclose(family.log_partition(eta + 0.5, trials), n * 0.5, rtol=1e-14)
    p = np.array(BATCHES[family]["probabilities"])
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


# SciPy, sums and integrals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "usual", "x", "oracle"),
    [
        (Bernoulli(), {"probability": 0.3}, [0, 1], stats.bernoulli(0.3).logpmf),
        (Binomial(12), {"probability": 0.3}, range(13), stats.binom(12, 0.3).logpmf),
        (Multinomial(3), {"probabilities": [0.2, 0.5, 0.3]}, [[1, 2, 0], [0, 0, 3]], None),
        (Poisson(), {"rate": 30.0}, range(100), stats.poisson(30).logpmf),
        (Gaussian(), {"mean": -1.0, "variance": 4.0}, [-30, -1, 0, 7.5], stats.norm(-1, 2).logpdf),
        (Gamma(), {"shape": 2.5, "rate": 4.0}, [1e-9, 0.3, 7.5], stats.gamma(2.5, scale=0.25).logpdf),
        (Beta(), {"a": 2.5, "b": 0.4}, [1e-9, 0.3, 0.999], stats.beta(2.5, 0.4).logpdf),
        (Dirichlet(3), {"concentration": [1.5, 2.5, 0.8]}, [[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]], None),
        (MultivariateNormal(3), USUAL[MultivariateNormal(3)], [[1, -2, 0.5], [0, 5, -3]], None),
    ],
)
def test_log_density_against_scipy(family, usual, x, oracle):
    match family:
        case Multinomial():
            oracle = stats.multinomial(3, usual["probabilities"]).logpmf
        case Dirichlet():
            oracle = lambda x: stats.dirichlet(usual["concentration"]).logpdf(np.transpose(x))  # noqa: E731
        case MultivariateNormal():
            oracle = stats.multivariate_normal(usual["mean"], usual["covariance"]).logpdf
    assert_allclose(family.log_density(x, family.natural(**usual)), oracle(x), rtol=1e-12)


def grid(family, eta):
    """Points x and weights w, so that sum_i w_i f(x_i) p(x_i) is E[f] up to 1e-10 or so for smooth f."""
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
        case Beta():
            t = np.linspace(-30, 30, 20_001)
            return special.expit(t), special.expit(t) * special.expit(-t) * (t[1] - t[0])
        case Dirichlet():  # x = (u, (1 - u) v, (1 - u)(1 - v)), u and v logistic
            t = np.linspace(-45, 45, 301)
            u, v = (axis.ravel() for axis in np.meshgrid(t, t))
            du, dv = special.expit(u) * special.expit(-u), special.expit(v) * special.expit(-v)
            rest = special.expit(-u)
            x = np.stack([special.expit(u), rest * special.expit(v), rest * special.expit(-v)], axis=-1)
            return x, du * dv * rest * (t[1] - t[0]) ** 2
        case MultivariateNormal():
            mean, covariance = family.usual(eta).values()
            t = np.linspace(-8, 8, 41)
            z = np.array(list(product(t, repeat=3)))
            scale = np.linalg.cholesky(covariance)
            return mean + z @ scale.T, np.full(len(z), np.linalg.det(scale) * (t[1] - t[0]) ** 3)


@families
def test_density_sums_to_one_and_its_moments_are_the_derivatives(family):
    eta = family.natural(**USUAL[family])
    x, weight = grid(family, eta)
    more = {"trials": 5} if isinstance(family, Multinomial) else {}
    p = weight * np.exp(family.log_density(x, eta))
    assert_allclose(p.sum(), 1, rtol=1e-10)

    T = family.statistic(x)
    mean = p @ T
    covariance = (T - mean).T @ (p[:, None] * (T - mean))
    assert_allclose(family.mean_statistic(eta, **more), mean, rtol=1e-9)
    assert_allclose(family.variance_statistic(eta, **more), covariance, rtol=1e-8, atol=1e-9)

    x = np.asarray(x, dtype=float).reshape(len(p), -1)
    mean = p @ x
    covariance = (x - mean).T @ (p[:, None] * (x - mean))
    scalar = not family.event_ndim
    assert_allclose(family.mean(eta, **more), mean[0] if scalar else mean, rtol=1e-9)
    assert_allclose(family.variance(eta, **more), covariance[0, 0] if scalar else covariance, rtol=1e-8, atol=1e-10)


def test_integral_of_densities_by_adaptive_quadrature():
    for family, low, high in [(Gaussian(), -np.inf, np.inf), (Gamma(), 1e-300, np.inf), (Beta(), 1e-300, 1 - 1e-16)]:
        eta = family.natural(**USUAL[family])
        total, _ = integrate.quad(lambda x, f=family, e=eta: np.exp(f.log_density(x, e)), low, high)
        assert_allclose(total, 1, rtol=1e-7)


# Parameters ----------------------------------------------------------------------------------------------------------


@families
def test_usual_and_natural_are_inverse(family):
    usual = BATCHES[family]
    eta = family.natural(**usual)
    assert eta.shape == (2, family.n_natural)
    assert tuple(family.usual(eta)) == tuple(usual)
    for name, value in family.usual(eta).items():
        expected = np.broadcast_to(usual[name], value.shape)
        assert_allclose(value, expected, rtol=1e-14, atol=1e-14)
    assert_allclose(family.natural(**family.usual(eta)), eta, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize(
    ("family", "usual"),
    [
        (Bernoulli(), {"probability": np.array([0, 1e-300, 1e-10, 0.5, 1])}),
        (Poisson(), {"rate": np.array([0, 1e-300, 1e-3, 1e300])}),
        (Categorical(3), {"probabilities": np.array([[0, 0, 1], [1e-300, 0.5, 0.5]])}),
        (Gaussian(), {"mean": np.array([1e8, 1e-100, -3e100]), "variance": np.array([1, 1e-200, 1e200])}),
        (Gamma(), {"shape": np.array([1e-300, 1e300]), "rate": np.array([1e300, 1e-300])}),
        (Beta(), {"a": np.array([1e-300, 1e300]), "b": np.array([1e300, 1e-300])}),
    ],
)
def test_round_trip_of_extreme_parameters(family, usual):
    for name, value in family.usual(family.natural(**usual)).items():
        assert_allclose(value, usual[name], rtol=2e-13, atol=0)


def test_natural_parameters_by_hand():
    assert_allclose(Bernoulli().natural(probability=0.8), [np.log(4)])
    assert_allclose(Gaussian().natural(mean=3, variance=0.5), [6, -1])
    assert_allclose(Poisson().natural(rate=7), [np.log(7)])
    assert_allclose(Gamma().natural(shape=2, rate=3), [2, -3])
    eta = MultivariateNormal(2).natural(mean=[1, 2], covariance=[[2, 1], [1, 1]])
    assert_allclose(eta, [-1, 3, -0.5, 0.5, 0.5, -1], rtol=1e-14)
    eta = MultivariateNormal(2).natural(mean=[1, 2], covariance=[[[2, 1], [1, 1]], [[1, 0], [0, 4]]])
    assert_allclose(eta, [[-1, 3, -0.5, 0.5, 0.5, -1], [1, 0.5, -0.5, 0, 0, -0.125]], rtol=1e-14)


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


@families
def test_densities_broadcast(family):
    eta = family.natural(**BATCHES[family])
    x = draw(family, 5)
    table = family.log_density(x[:, :1], eta)
    assert table.shape == (5, 2)
    assert_allclose(
        family.log_density(x, eta), [[family.log_density(x[i, j], eta[j]) for j in (0, 1)] for i in range(5)]
    )
    assert_allclose(table, [[family.log_density(x[i, 0], eta[j]) for j in (0, 1)] for i in range(5)], rtol=1e-14)
    batch = np.broadcast_to(eta, (4, 3, *eta.shape))
    assert family.log_partition(batch).shape == (4, 3, 2)
    k = family.n_natural
    assert family.mean_statistic(batch).shape == (4, 3, 2, k)
    assert family.variance_statistic(batch).shape == (4, 3, 2, k, k)
    event = x.shape[2:]
    assert family.mean(batch).shape == (4, 3, 2, *event)
    assert family.variance(batch).shape == (4, 3, 2, *event, *event)
    assert family.sample(eta, np.random.default_rng(0)).shape == (2, *event)
    assert family.sample(eta, np.random.default_rng(0), 6).shape == (6, 2, *event)
    assert family.sample(batch, np.random.default_rng(0), (6, 1)).shape == (6, 1, 4, 3, 2, *event)
    statistics = family.collect(np.broadcast_to(x[:, None], (5, 3, *x.shape[1:])))
    assert statistics.count.shape == (3, 2)
    assert family.nothing((3, 2)).count.shape == (3, 2)


def test_families_are_values():
    assert Binomial(3) == Binomial(3) != Binomial(4)
    assert len({Categorical(3), Categorical(3), Multinomial(3), Dirichlet(3)}) == 3
    with pytest.raises(FrozenInstanceError):
        Binomial(3).trials = 4


# Statistics ----------------------------------------------------------------------------------------------------------


def assert_same(a, b, rtol=1e-12, atol=1e-11):
    assert type(a) is type(b)
    for name in vars(a):
        assert_allclose(getattr(a, name), getattr(b, name), rtol=rtol, atol=atol, err_msg=name)


@families
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_statistics_of_parts_add_up_to_those_of_the_whole(family, data):
    x = draw(family, 12, seed=data.draw(st.integers(0, 99)))
    weight = np.array(data.draw(st.lists(st.sampled_from([0, 0.25, 1, 3, 1e3]), min_size=12, max_size=12)), dtype=float)
    part = np.array(data.draw(st.lists(st.integers(0, 2), min_size=12, max_size=12)))
    if not family.event_ndim:
        x[np.array(data.draw(st.lists(st.booleans(), min_size=12, max_size=12))), 1] = np.nan
    whole = family.collect(x, weight)
    a, b, c = (family.collect(x[part == i], weight[part == i]) for i in range(3))
    assert_same((a + b) + c, whole)
    assert_same(a + (b + c), whole)
    assert_same(c + a + b, whole)


@families
def test_nothing_is_neutral(family):
    x = draw(family)
    statistics = family.collect(x)
    for nothing in (family.nothing((2,)), family.nothing(), family.collect(x[:0]), family.collect(x, np.zeros(len(x)))):
        assert_same(statistics + nothing, statistics, rtol=0, atol=0)
        assert_same(nothing + statistics, statistics, rtol=0, atol=0)


@families
def test_statistics_are_the_sums_of_their_definition(family):
    x = draw(family)
    weight = np.random.default_rng(2).uniform(0, 2, len(x))
    statistics = family.collect(x, weight)
    assert_allclose(statistics.count, np.full(2, weight.sum()), rtol=1e-14)
    if isinstance(statistics, Totals):
        total = np.einsum("m,mbk->bk", weight, family.statistic(x))
        assert_allclose(statistics.total, total, rtol=1e-13)
    else:
        x = x.reshape(len(x), 2, -1)
        mean = np.einsum("m,mbd->bd", weight, x) / weight.sum()
        scatter = np.einsum("m,mbi,mbj->bij", weight, x - mean, x - mean)
        assert_allclose(statistics.mean.reshape(mean.shape), mean, rtol=1e-13)
        assert_allclose(statistics.scatter.reshape(scatter.shape), scatter, rtol=1e-12)


@families
def test_weights_are_repetitions(family):
    x = draw(family, 8)
    weight = np.array([0, 1, 2, 5, 1, 0, 3, 1])
    assert_same(family.collect(x, weight), family.collect(np.repeat(x, weight, axis=0)))
    assert_same(family.collect(x), family.collect(x, np.ones(8)), rtol=0, atol=0)


@pytest.mark.parametrize("family", SCALAR, ids=repr)
def test_missing_values_are_left_out(family):
    x = draw(family, 20)
    x[3:9, 0] = x[[1, 12], 1] = np.nan
    statistics = family.collect(x, np.arange(20))
    columns = [family.collect(column[~np.isnan(column)], np.arange(20)[~np.isnan(column)]) for column in x.T]
    for name in vars(statistics):
        assert_allclose(getattr(statistics, name), [getattr(column, name) for column in columns], rtol=1e-13)
    eta = family.natural(**BATCHES[family])
    assert (family.log_density(x, eta)[np.isnan(x)] == 0).all()
    assert_allclose(
        family.log_density(x, eta)[~np.isnan(x)], family.log_density(np.nan_to_num(x, nan=x[0, 0]), eta)[~np.isnan(x)]
    )
    nothing = family.collect(np.full((4, 2), np.nan))
    assert_same(nothing, family.nothing((2,)), rtol=0, atol=0)


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

    vectors = np.stack([x, 1e8 - x + rng.standard_normal(10_000)], axis=-1)
    family = MultivariateNormal(2)
    statistics = sum((family.collect(part) for part in np.array_split(vectors, parts)), family.nothing())
    centred = vectors - np.array([1e8, 0])
    centred -= centred.mean(axis=0)
    expected = centred.T @ centred / len(x)
    assert_allclose(statistics.scatter / len(x), expected, rtol=1e-9 if parts > 1 else 1e-13)
    assert_allclose(family.usual(family.mle(statistics))["covariance"], expected, rtol=1e-9)


def test_statistics_do_not_mix():
    with pytest.raises(TypeError, match="unsupported operand"):
        Gaussian().nothing() + Poisson().nothing()
    with pytest.raises(TypeError, match="unsupported operand"):
        Poisson().nothing() + Gaussian().nothing()
    with pytest.raises(TypeError, match="unsupported operand"):
        MultivariateNormal(2).nothing() + Gaussian().nothing((2,))


# Maximum likelihood ---------------------------------------------------------------------------------------------------


def average_statistic(family, x, weight):
    T = family.statistic(x)
    return np.einsum("m,mbk->bk", weight, T) / weight.sum()


@families
def test_mle_matches_the_mean_statistic_and_is_a_maximum(family):
    rng = np.random.default_rng(3)
    x, weight = draw(family, 40), rng.uniform(0, 2, 40)
    eta = family.mle(family.collect(x, weight))
    more = {"trials": 9} if isinstance(family, Multinomial) else {}
    assert eta.shape == (2, family.n_natural)
    assert_allclose(family.mean_statistic(eta, **more), average_statistic(family, x, weight), rtol=1e-12, atol=1e-13)

    def likelihood(eta):
        return weight @ family.log_density(x, eta)

    for size in (1e-3, 1e-1):
        for _ in range(20):
            direction = rng.standard_normal(eta.shape)
            if isinstance(family, Categorical | Multinomial):
                direction -= direction.mean(axis=-1, keepdims=True)  # along the constant nothing changes
            nearby = eta * (1 + size * direction / np.linalg.norm(direction, axis=-1, keepdims=True))
            assert (likelihood(nearby) < likelihood(eta)).all()


def test_log_less_digamma_and_its_derivative():
    a = np.array([0.05, 1.0, 14.9, 15.0, 15.1, 40.0, 300.0, 1e6, 1e10])
    with mp.workdps(60):
        exact = [[mp.log(v) - mp.digamma(v), 1 / mp.mpf(v) - mp.psi(1, v)] for v in a.tolist()]
    assert_allclose(np.transpose(digamma_gap(a)), np.array(exact, dtype=float), rtol=3e-14)


@pytest.mark.parametrize("shape", [1e-3, 0.05, 1.0, 14.9, 15.1, 300.0, 1e6, 1e10])
def test_gamma_mle_against_high_precision(shape):
    # Statistics of a sample with this shape and rate 1, and what its rounded numbers imply exactly.
    total = np.array([float(mp.digamma(shape)), shape])
    gap = mp.log(mp.mpf(float(total[1]))) - mp.mpf(float(total[0]))
    exact = mp.findroot(lambda u: mp.log(mp.log(mp.exp(u)) - mp.digamma(mp.exp(u))) - mp.log(gap), mp.log(shape))
    a, b = Gamma().usual(Gamma().mle(Totals(np.array(1.0), total))).values()
    rounding = 4e-16 * max(1, abs(total[0])) / float(gap)  # of log(mean) - mean(log)
    assert_allclose(a, float(mp.exp(exact)), rtol=1e-13 + rounding)
    assert_allclose(a / b, shape, rtol=1e-15)


@pytest.mark.parametrize(
    "alpha",
    [[1e-2, 1e-3], [0.5, 0.5], [1.0, 1.0], [0.02, 300.0], [14.9, 15.2, 1e-2], [1e6, 3e6], [1e-2, 1.0, 1e4], [3.0] * 50],
    ids=lambda alpha: f"{alpha[0]}-{alpha[-1]}",
)
def test_beta_and_dirichlet_mle_against_high_precision(alpha):
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


@families
def test_sampling_and_fitting_recover_the_parameters(family):
    """Within five standard errors from the Fisher information ∇²A: of T as Cov[T] / m, of η as its inverse / m."""
    m = 4000
    eta = family.natural(**BATCHES[family])
    x = draw(family, m, seed=11)
    family.check(x)
    fitted = family.mle(family.collect(x))
    more = {"trials": 9} if isinstance(family, Multinomial) else {}
    information = family.variance_statistic(eta, **more)
    error = np.sqrt(np.diagonal(information, axis1=-2, axis2=-1) / m)
    assert (np.abs(average_statistic(family, x, np.ones(m)) - family.mean_statistic(eta, **more)) < 5 * error).all()
    # For the over-complete forms the pseudo-inverse leaves out the directions in which nothing changes.
    if isinstance(family, Categorical | Multinomial):
        eta, fitted = (e - e.mean(axis=-1, keepdims=True) for e in (eta, fitted))
    error = np.sqrt(np.diagonal(np.linalg.pinv(information, rcond=1e-10), axis1=-2, axis2=-1) / m)
    assert (np.abs(fitted - eta) < 5 * error).all()
    assert (np.abs(fitted - eta) > 1e-3 * error).any()


@pytest.mark.parametrize("family", MINIMAL, ids=repr)
def test_information_is_positive_definite(family):
    assert (np.linalg.eigvalsh(family.variance_statistic(family.natural(**BATCHES[family]))) > 0).all()


def test_samples_have_the_distribution():
    rng = np.random.default_rng(8)
    for family, usual, cdf in [
        (Gaussian(), {"mean": 3.0, "variance": 4.0}, stats.norm(3, 2).cdf),
        (Gamma(), {"shape": 0.1, "rate": 5.0}, stats.gamma(0.1, scale=0.2).cdf),
        (Gamma(), {"shape": 30.0, "rate": 5.0}, stats.gamma(30, scale=0.2).cdf),
        (Beta(), {"a": 0.3, "b": 2.0}, stats.beta(0.3, 2).cdf),
    ]:
        x = family.sample(family.natural(**usual), rng, 4000)
        assert stats.kstest(x, cdf).pvalue > 1e-3
    x = Dirichlet(3).sample([0.5, 2.0, 3.0], rng, 4000)
    assert stats.kstest(x[:, 0], stats.beta(0.5, 5).cdf).pvalue > 1e-3
    codes = Categorical(3).sample(np.log([0.2, 0.5, 0.3]), rng, 4000)
    assert stats.chisquare(np.bincount(codes.astype(int)), [800, 2000, 1200]).pvalue > 1e-3


def test_samples_stay_in_the_support_where_they_underflow():
    rng = np.random.default_rng(9)
    Gamma().check(Gamma().sample([1e-4, -1.0], rng, 1000))
    x = Beta().check(Beta().sample([1e-4, 1e-4], rng, 1000))
    assert 0 < x.min() < 1e-300
    assert 1 - 1e-15 < x.max() < 1
    Dirichlet(3).check(Dirichlet(3).sample([1e-4, 1e-4, 1e-4], rng, 1000))
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
    for family in (Gaussian(), Poisson(), Gamma(), Beta(), Dirichlet(3), MultivariateNormal(3)):
        assert not hasattr(family, "pseudo_counts")


# What has no answer ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "x", "message"),
    [
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
        (Beta(), [0.5, 1], "x = 1.0 at index 1 .* between 0 and 1"),
        (Dirichlet(3), [0.5, 0.2, 0.2], "3 numbers above 0 that sum to 1"),
        (Dirichlet(3), [0.5, 0.5, 0.0], "3 numbers above 0 that sum to 1"),
        (Dirichlet(3), [0.5, 0.5], r"shape \(..., 3\)"),
        (MultivariateNormal(2), [1, np.nan], "2 finite numbers"),
        (MultivariateNormal(2), [1, 2, 3], r"shape \(..., 2\)"),
    ],
)
def test_x_outside_the_support(family, x, message):
    eta = family.natural(**USUAL[family]) if family in USUAL else np.zeros(family.n_natural)
    for method in (family.check, family.statistic, family.log_base, lambda x: family.log_density(x, eta)):
        with pytest.raises(ValueError, match=message):
            method(x)


@pytest.mark.parametrize(
    ("family", "eta", "message"),
    [
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
        (Gamma(), [1, 1], "eta_2 below 0"),
        (Beta(), [1, 0], "above 0"),
        (Dirichlet(2), [1, np.inf], "above 0"),
        (MultivariateNormal(2), [0, 0, 1, 0, 0, -1], "negative definite"),
        (MultivariateNormal(2), [0, np.nan, -1, 0, 0, -1], "negative definite"),
    ],
)
def test_eta_outside_the_domain(family, eta, message):
    for method in (family.usual, family.log_partition, family.mean_statistic, family.variance_statistic):
        with pytest.raises(ValueError, match=message):
            method(eta)
    with pytest.raises(ValueError, match=message):
        family.sample(eta, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bernoulli().natural(probability=[0.1, 1.1]), "probability must be between 0 and 1, received 1.1 at"),
        (lambda: Categorical(2).natural(probabilities=[0.5, 0.6]), "sum to 1"),
        (lambda: Categorical(2).natural(probabilities=[1.0]), r"shape \(..., 2\), received \(1,\)"),
        (lambda: Gaussian().natural(mean=0, variance=0), "variance must be finite and above 0, received 0.0"),
        (lambda: Poisson().natural(rate=-1), "rate must be finite and at least 0, received -1.0"),
        (lambda: Gamma().natural(shape=1, rate=np.inf), "rate must be finite"),
        (lambda: MultivariateNormal(2).natural(mean=[0, 0], covariance=[[1, 1], [1, 1]]), "positive definite"),
        (lambda: MultivariateNormal(2).natural(mean=[0, 0], covariance=[[1, 0.5], [0, 1]]), "symmetric"),
        (lambda: MultivariateNormal(2).natural(mean=[0, 0], covariance=[1, 2]), r"shape \(..., 2, 2\)"),
        (lambda: Binomial(0), "trials must be an integer of at least 1, received 0"),
        (lambda: Categorical(2.5), "categories must be an integer"),
        (lambda: Dirichlet(1), "at least 2"),
        (lambda: MultivariateNormal(0), "dimension must be an integer of at least 1"),
        (lambda: Bernoulli().pseudo_counts(-1), "alpha must be finite and at least 0, received -1.0"),
        (lambda: Bernoulli().collect([0, 1], [1, -1]), "not negative, received -1.0 at index 1"),
        (lambda: Bernoulli().collect([0, 1], [1]), r"weight must have the shape \(2,\), .* received \(1,\)"),
        (lambda: Bernoulli().collect(1), "along axis 0"),
        (lambda: Gaussian().collect([1e200, -1e200]), "scatter of the sample is inf.* Rescale"),
        (lambda: Gaussian().collect([1e308, -1e308]), "Rescale"),
        (lambda: MultivariateNormal(1).collect([[1e200], [-1e200]]), "Rescale"),
        (lambda: Gamma().collect(np.full(3, 1e308)), "total of the sample is inf.* Rescale"),
    ],
)
def test_other_errors_name_what_was_received(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@families
def test_no_mle_of_nothing(family):
    x = draw(family)
    with pytest.raises(ValueError, match="no observations at index 0"):
        family.mle(family.nothing((2,)))
    with pytest.raises(ValueError, match="no observations, "):
        family.mle(family.nothing())
    with pytest.raises(ValueError, match="no observations"):
        family.mle(family.collect(x, np.zeros(len(x))))


@pytest.mark.parametrize("value", [0.1, 0.7, 1 / 3])
@pytest.mark.parametrize("family", [Gaussian(), Gamma(), Beta()], ids=repr)
def test_constant_samples_have_no_mle(family, value):
    x = np.stack([np.linspace(0.2, 0.8, 1001), np.full(1001, value)], axis=-1)
    weight = np.random.default_rng(0).uniform(0, 2, 1001)
    for statistics in (family.collect(x), family.collect(x, weight), family.collect(x[:7]) + family.collect(x[7:])):
        with pytest.raises(ValueError, match=r"sample is constant at index 1, x = .* no maximum"):
            family.mle(statistics)


def test_vectors_that_have_no_mle():
    rng = np.random.default_rng(6)
    family = MultivariateNormal(3)
    x = rng.standard_normal((40, 3))
    for bad, rank in (
        (np.column_stack([x[:, :2], np.full(40, 0.1)]), 2),
        (np.column_stack([x[:, :2], 1e6 * x[:, 0] - x[:, 1]]), 2),
        (x[:1], 0),
        (x[:3], 2),
        (1e-8 * np.column_stack([x[:, :2], x[:, 1]]), 2),
    ):
        with pytest.raises(ValueError, match=f"singular: its rank is {rank} of 3"):
            family.mle(family.collect(bad))
    units = np.array([1e-9, 1.0, 1e9])  # of different units, but of full rank
    assert_allclose(
        family.usual(family.mle(family.collect(x * units)))["covariance"], np.cov((x * units).T, ddof=0), rtol=1e-9
    )
    with pytest.raises(ValueError, match=r"Dirichlet.* constant .* no maximum"):
        Dirichlet(3).mle(Dirichlet(3).collect(np.tile([[0.1, 0.2, 0.7]], (10, 2, 1))))
    with pytest.raises(ValueError, match="all counts are zero at index 1"):
        Multinomial(2).mle(Multinomial(2).collect([[[1, 2], [0, 0]]]))


# What has no answer, and numbers at the ends of the range


def test_parameters_without_a_natural_parameter():
    with pytest.raises(ValueError, match="mean must be finite, received nan"):
        Gaussian().natural(mean=np.nan, variance=1)
    for mean, variance in [(0, 1e-310), (1e300, 1e-300)]:
        with pytest.raises(ValueError, match="outside the domain"):
            Gaussian().natural(mean=mean, variance=variance)
    with pytest.raises(ValueError, match=r"covariance must be finite, received inf at index \(0, 1\)"):
        MultivariateNormal(2).natural(mean=[0, 0], covariance=[[1, np.inf], [np.inf, 1]])


def test_extreme_parameters_give_no_nan_and_no_warning():
    assert Gamma().variance(Gamma().natural(shape=1e-100, rate=1e-160)) == pytest.approx(1e220)
    for covariance in (Beta().variance_statistic([1e-200, 1.0]), Dirichlet(2).variance_statistic([1e-200, 1.0])):
        np.testing.assert_allclose(covariance, [[np.inf, -(np.pi**2) / 6], [-(np.pi**2) / 6, 0]], atol=1e-15)


@families
def test_an_estimate_from_a_sample_that_was_not_collected_is_refused(family):
    for sample in ([1.0, 2.0], np.ones((4, 3)), 3):
        with pytest.raises(ValueError, match="needs statistics by its own `collect`, received"):
            family.mle(sample)


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


def test_probabilities_of_single_precision():
    x = np.random.default_rng(0).dirichlet([1, 2, 5], 50)
    single = x.astype(np.float32)
    assert (single.sum(axis=1, dtype=np.float64) != 1).any()
    np.testing.assert_allclose(
        Dirichlet(3).mle(Dirichlet(3).collect(single)), Dirichlet(3).mle(Dirichlet(3).collect(x)), rtol=1e-6
    )
    np.testing.assert_allclose(
        Dirichlet(3).log_density(single, [1, 2, 5]), Dirichlet(3).log_density(x, [1, 2, 5]), atol=1e-5
    )


def test_the_error_of_stirlings_formula_has_all_of_its_digits():
    x = np.array([15.01, 16.0, 21.5, 100.0, 1e6])
    with mp.workdps(40):
        exact = [
            mp.loggamma(v + 1) - (v + mp.mpf(1) / 2) * mp.log(v) + v - mp.log(2 * mp.pi) / 2 for v in map(mp.mpf, x)
        ]
    assert_allclose(stirling_error(x), [float(v) for v in exact], rtol=3e-15)
