"""Conjugate priors of coins and dice: where add-α smoothing comes from.

With N_c observations of category c, N in all, and K categories, the add-α estimate

    p_c = (N_c + α) / (N + K α)

is the mean of the posterior under the prior Dirichlet(α, ..., α), and its mode (the MAP estimate) under the prior
Dirichlet(α + 1, ..., α + 1). Add-one smoothing is thus the mean under the uniform prior, under which the mode is the
maximum of the likelihood.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainccinv, betaincinv, gammaln

from course.teaching.dirichlet import Beta, Dirichlet
from probml.families.base import Shape, Statistics, Totals
from probml.families.bernoulli import Bernoulli
from probml.families.categorical import Categorical
from probml.families.checks import require_positive
from probml.families.poisson import stirling_error
from probml.typing import Array


@dataclass(frozen=True)
class BetaBernoulli:
    """A coin with φ ~ Beta(a, b):   after s successes and f failures φ ~ Beta(a + s, b + f).

    The data of its methods are a sequence of 0 and 1, shape (m,), NaN for missing, or `Bernoulli().collect` of one.
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            object.__setattr__(self, name, float(require_positive(name, getattr(self, name))))

    def update(self, data: ArrayLike | Totals) -> Self:
        """The posterior, Beta(a + s, b + f)."""
        success, failure = self._counts(data)
        return type(self)(self.a + success, self.b + failure)

    @property
    def mean(self) -> float:
        """E[φ] = a / (a + b)."""
        return self.a / (self.a + self.b)

    @property
    def mode(self) -> float:
        """The most probable φ, (a - 1) / (a + b - 2), for a, b ≥ 1, not both 1."""
        if min(self.a, self.b) < 1 or self.a + self.b <= 2:
            raise ValueError(f"{self} has no single mode: a and b must be at least 1, and one of them above 1")
        return (self.a - 1) / (self.a + self.b - 2)

    def predictive(self, x: ArrayLike = 1) -> Array:
        """Probability that the next observation is x: a / (a + b) for 1, b / (a + b) for 0."""
        return np.where(_present(x, Bernoulli()) == 1, self.a, self.b) / (self.a + self.b)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The interval that holds φ with the probability `level`, with equal probabilities on both sides."""
        if not 0 < level < 1:
            raise ValueError(f"level must be between 0 and 1, received {level!r}")
        tail = (1 - level) / 2
        return float(betaincinv(self.a, self.b, tail)), float(betainccinv(self.a, self.b, tail))

    def log_evidence(self, data: ArrayLike | Totals) -> float:
        """log ∫ p(x_1, ..., x_m | φ) p(φ) dφ = log B(a + s, b + f) - log B(a, b), of the sequence in its order."""
        return log_evidence((self.a, self.b), self._counts(data))

    def log_evidence_of_counts(self, data: ArrayLike | Totals) -> float:
        """The same for s successes in any order: log (s + f choose s) more. The two tell the same of a and b."""
        return self.log_evidence(data) + log_orders(self._counts(data))

    def sample(self, rng: np.random.Generator, size: int | Shape = ()) -> Array:
        """Draws of φ, of the shape `size`."""
        return Beta().sample([self.a, self.b], rng, size)

    def _counts(self, data: ArrayLike | Totals) -> Array:
        total = _totals(data, Bernoulli())
        success, count = float(total.total[0]), float(total.count)
        if success > count * (1 + 1e-9):
            raise ValueError(
                f"data has {success:g} successes in {count:g} observations: give a sequence of 0 and 1, or statistics "
                "of `Bernoulli().collect`"
            )
        return np.array([success, max(count - success, 0.0)])  # weights may round to a little less than nothing


@dataclass(frozen=True)
class DirichletMultinomial:
    """A die with p ~ Dirichlet(α):   after N_c observations of each category c, p ~ Dirichlet(α + N).

    alpha : K positive numbers.

    The data of its methods are a sequence of codes 0, ..., K - 1, shape (m,), NaN for missing, or statistics: those of
    `Categorical(K).collect`, or of `Multinomial(K).collect` for data that come as counts.
    """

    alpha: tuple[float, ...]

    def __post_init__(self) -> None:
        alpha = require_positive("alpha", self.alpha)
        if alpha.ndim != 1 or len(alpha) < 2:
            raise ValueError(f"alpha must be a sequence of at least 2 numbers, received {self.alpha!r}")
        object.__setattr__(self, "alpha", tuple(alpha.tolist()))

    def update(self, data: ArrayLike | Totals) -> Self:
        """The posterior, Dirichlet(α + N)."""
        return type(self)(tuple(self.alpha + self._counts(data)))

    @property
    def mean(self) -> Array:
        """E[p] = α / α_0, α_0 = sum_c α_c. Shape (K,)."""
        return np.array(self.alpha) / np.sum(self.alpha)

    @property
    def mode(self) -> Array:
        """The most probable p, (α - 1) / (α_0 - K), for α_c ≥ 1, not all 1. Shape (K,)."""
        excess = np.array(self.alpha) - 1
        if excess.min() < 0 or excess.sum() <= 0:
            raise ValueError(f"{self} has no single mode: alpha must be at least 1, and one of them above 1")
        return excess / excess.sum()

    def predictive(self, x: ArrayLike) -> Array:
        """Probability α_x / α_0 that the next observation is x."""
        return self.mean[_present(x, Categorical(len(self.alpha))).astype(np.intp)]

    def log_evidence(self, data: ArrayLike | Totals) -> float:
        """log ∫ p(x_1, ..., x_m | p) p(p) dp of the sequence in its order."""
        return log_evidence(self.alpha, self._counts(data))

    def log_evidence_of_counts(self, data: ArrayLike | Totals) -> float:
        """The same for the counts N_c in any order: log N! / (N_1! ... N_K!) more. The two tell the same of α."""
        return self.log_evidence(data) + log_orders(self._counts(data))

    def sample(self, rng: np.random.Generator, size: int | Shape = ()) -> Array:
        """Draws of p, of the shape (*size, K)."""
        return Dirichlet(len(self.alpha)).sample(self.alpha, rng, size)

    def _counts(self, data: ArrayLike | Totals) -> Array:
        return _totals(data, Categorical(len(self.alpha))).total


def _totals(data: ArrayLike | Totals, family: Bernoulli | Categorical) -> Totals:
    totals = data if isinstance(data, Statistics) else family.collect(data)
    if not isinstance(totals, Totals) or totals.total.shape != (family.n_natural,):
        raise ValueError(f"data must be one sequence, shape (m,), or statistics of {family} for one, received {data!r}")
    return totals


def _present(x: ArrayLike, family: Bernoulli | Categorical) -> Array:
    x = family.check(x)
    if np.isnan(x).any():
        raise ValueError("x has a missing value, NaN, which has no predictive probability: leave it out")
    return x


def log_evidence(alpha: ArrayLike, counts: Array) -> float:
    """sum_c log Γ(α_c + N_c) / Γ(α_c) - log Γ(α_0 + N) / Γ(α_0) with α_0 = sum_c α_c, N = sum_c N_c."""
    return float(log_rising(alpha, counts).sum() - log_rising(np.sum(alpha), counts.sum()))


def log_rising(a: ArrayLike, n: ArrayLike) -> Array:
    """log Γ(a + n) / Γ(a) = log a (a + 1) ... (a + n - 1). For large a the two cancel; there by Stirling's formula."""
    a, n = np.broadcast_arrays(np.asarray(a, dtype=np.float64), n)
    large = np.maximum(a, 15.0)
    by_stirling = (large - 0.5) * np.log1p(n / large) + n * np.log(large + n) - n
    by_stirling = by_stirling + stirling_error(large + n) - stirling_error(large)
    return np.where(a > 15, by_stirling, gammaln(a + n) - gammaln(a))


def log_orders(counts: Array) -> float:
    """log N! / (N_1! ... N_K!), the number of sequences with these counts."""
    return float(gammaln(counts.sum() + 1) - gammaln(counts + 1).sum())
