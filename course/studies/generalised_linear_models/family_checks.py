"""Every row of the table of exponential families, held against sums, integrals and another library."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit, logsumexp, softmax

from course.teaching.dirichlet import Beta, Dirichlet
from course.teaching.multivariate_normal import MultivariateNormal
from probml.families import (
    Bernoulli,
    Binomial,
    Categorical,
    ExponentialFamily,
    Gamma,
    Gaussian,
    Multinomial,
    Poisson,
)

Array = NDArray[np.float64]


class Rule(NamedTuple):
    """sum_i e^(log_weight_i) f(x_i), which is the sum or the integral of f over the support.

    x : shape (q,) or (q, d). log_weight : shape (q,).
    """

    x: Array
    log_weight: Array


@dataclass(frozen=True)
class Entry:
    """A family with usual parameters, a rule for its support, and the logarithm of the density by scipy.

    options : of the methods of the family, such as the number of trials.
    """

    family: ExponentialFamily
    usual: Mapping[str, object]
    rule: Rule
    log_density: Callable[[Array], Array]
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def eta(self) -> Array:
        """The natural parameter, shape (k,)."""
        return self.family.natural(**self.usual)


class Errors(NamedTuple):
    """Largest differences, relative to the larger of 1 and what is compared.

    density : of h(x) exp(η · T - A) from scipy's. normaliser : of A from log ∫ h e^(η · T). slope : of ∇A from
    differences of A. mean, covariance : of ∇A and ∇²A from those of T under the density.
    """

    density: float
    normaliser: float
    slope: float
    mean: float
    covariance: float


def integers(low: int, high: int) -> Rule:
    """low, ..., high."""
    x = np.arange(low, high + 1.0)
    return Rule(x, np.zeros_like(x))


def line(u: Array, x: Array, log_slope: Array) -> Rule:
    """The trapezoidal rule in u, with dx/du = e^(log_slope): exact to rounding for what vanishes at both ends."""
    return Rule(x, np.log(u[1] - u[0]) + log_slope)


def plane(u: Array) -> tuple[Array, float]:
    """Points (u, u'), shape (q², 2), and the logarithm of their common weight."""
    return np.stack(np.meshgrid(u, u), axis=-1).reshape(-1, 2), 2 * np.log(u[1] - u[0])


def counts(trials: int, categories: int) -> Rule:
    """All vectors of counts with this sum, shape (q, categories)."""
    grid = np.stack(np.meshgrid(*[np.arange(trials + 1.0)] * categories), axis=-1).reshape(-1, categories)
    x = grid[grid.sum(axis=1) == trials]
    return Rule(x, np.zeros(len(x)))


def entries() -> dict[str, Entry]:
    """One distribution of each family, by name."""
    p, alpha = np.array([0.2, 0.5, 0.3]), np.array([1.5, 2.5, 4.0])
    mu, sigma = np.array([0.5, -1.0]), np.array([[2.0, 0.6], [0.6, 0.5]])
    u, v = np.linspace(-36, 36, 721), np.linspace(-24, 6, 601)
    simplex, cell = plane(np.linspace(-30, 30, 301))
    inside = softmax(np.column_stack([simplex, np.zeros(len(simplex))]), axis=1)
    normal, patch = plane(np.linspace(-12, 12, 121))
    root = np.linalg.cholesky(sigma)
    normal_x = mu + normal @ root.T
    return {
        "Bernoulli": Entry(Bernoulli(), {"probability": 0.3}, integers(0, 1), stats.bernoulli(0.3).logpmf),
        "binomial, n = 7": Entry(Binomial(7), {"probability": 0.3}, integers(0, 7), stats.binom(7, 0.3).logpmf),
        "categorical, K = 3": Entry(
            Categorical(3), {"probabilities": p}, integers(0, 2), lambda x: np.log(p)[x.astype(int)]
        ),
        "multinomial, K = 3, n = 4": Entry(
            Multinomial(3), {"probabilities": p}, counts(4, 3), stats.multinomial(4, p).logpmf, {"trials": 4}
        ),
        "Poisson": Entry(Poisson(), {"rate": 4.2}, integers(0, 120), stats.poisson(4.2).logpmf),
        "Gaussian": Entry(
            Gaussian(),
            {"mean": 1.3, "variance": 0.7},
            line(u, 1.3 + u * np.sqrt(0.7) / 2, np.full_like(u, np.log(0.7) / 2 - np.log(2))),
            stats.norm(1.3, np.sqrt(0.7)).logpdf,
        ),
        "gamma": Entry(
            Gamma(), {"shape": 2.4, "rate": 1.7}, line(v, np.exp(v), v), stats.gamma(2.4, scale=1 / 1.7).logpdf
        ),
        "beta": Entry(
            Beta(),
            {"a": 2.0, "b": 3.5},
            line(u, expit(u), np.log(expit(u)) + np.log(expit(-u))),
            stats.beta(2.0, 3.5).logpdf,
        ),
        "Dirichlet, K = 3": Entry(
            Dirichlet(3),
            {"concentration": alpha},
            Rule(inside, cell + np.log(inside).sum(axis=1)),
            lambda x: stats.dirichlet.logpdf((x / x.sum(axis=1, keepdims=True)).T, alpha),
        ),
        "normal, d = 2": Entry(
            MultivariateNormal(2),
            {"mean": mu, "covariance": sigma},
            Rule(normal_x, np.full(len(normal), patch + np.log(np.diagonal(root)).sum())),
            stats.multivariate_normal(mu, sigma).logpdf,
        ),
    }


def check(entry: Entry) -> Errors:
    """How far the family is from sums, integrals, differences and scipy."""
    family, eta, options = entry.family, entry.eta, entry.options
    x, log_weight = entry.rule
    T = family.statistic(x)
    form = family.log_base(x) + T @ eta - family.log_partition(eta, **options)
    reference = entry.log_density(x)
    mass = np.exp(log_weight + reference)  # of the distribution, by scipy, so that ∇A is held against it and not itself
    mean = mass @ T
    deviation = T - mean
    covariance = (mass[:, None] * deviation).T @ deviation
    normaliser = logsumexp(log_weight + family.log_base(x) + T @ eta)
    counted = log_weight + reference > -60  # what is rarer is of no account, and scipy rounds it
    return Errors(
        density=_difference(form[counted], reference[counted]),
        normaliser=_difference(family.log_partition(eta, **options), normaliser),
        slope=_difference(family.mean_statistic(eta, **options), differences(entry)),
        mean=_difference(family.mean_statistic(eta, **options), mean),
        covariance=_difference(family.variance_statistic(eta, **options), covariance),
    )


def differences(entry: Entry, h: float = 1e-3) -> Array:
    """∇A by central differences with an error of order h⁴ (one step of Richardson's). Shape (k,)."""
    eta = entry.eta

    def partition(direction: Array) -> float:
        return float(entry.family.log_partition(eta + direction, **entry.options))

    def slope(direction: Array, h: float) -> float:
        return (partition(h * direction) - partition(-h * direction)) / (2 * h)

    return np.array([(4 * slope(e, h) - slope(e, 2 * h)) / 3 for e in np.eye(len(eta))])


def _difference(ours: Array, theirs: Array) -> float:
    return float(np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs))))
