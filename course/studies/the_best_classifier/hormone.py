"""A hormone level, normal in the healthy and in the ill, and the exact error of any rule made of intervals."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rule:
    """Answers on a line: answers[k] between cuts[k - 1] and cuts[k]. 0 is healthy, 1 is ill.

    cuts : ascending, shape (c,). answers : shape (c + 1,).
    """

    cuts: Array
    answers: NDArray[np.intp]

    def __call__(self, x: ArrayLike) -> NDArray[np.intp]:
        """The class that is named at each x."""
        return self.answers[np.searchsorted(self.cuts, x)]


@dataclass(frozen=True)
class TwoNormals:
    """y ~ Bernoulli(prior), x | y = k ~ Normal(means[k], widths[k]²). widths : standard deviations."""

    means: tuple[float, float]
    widths: tuple[float, float]
    prior: float

    def __post_init__(self) -> None:
        if min(self.widths) <= 0 or not 0 < self.prior < 1:
            raise ValueError(f"widths must be positive and 0 < prior < 1, received {self.widths}, {self.prior}")

    @property
    def priors(self) -> Array:
        """p(y = 0) and p(y = 1)."""
        return np.array([1 - self.prior, self.prior])

    def joint(self, x: ArrayLike) -> Array:
        """p(x, y = k), shape (..., 2)."""
        z = (np.asarray(x)[..., None] - self.means) / self.widths
        return self.priors * np.exp(-(z**2) / 2) / (np.sqrt(2 * np.pi) * np.array(self.widths))

    def draw(self, m: int, rng: np.random.Generator) -> tuple[Array, NDArray[np.intp]]:
        """m independent examples: levels x and classes y, shape (m,) each."""
        y = (rng.random(m) < self.prior).astype(np.intp)
        return np.take(self.means, y) + np.take(self.widths, y) * rng.standard_normal(m), y

    def cells(self, cuts: ArrayLike) -> Array:
        """P(x between two cuts, y = k), shape (c + 1, 2)."""
        z = (np.asarray(cuts, dtype=np.float64)[:, None] - self.means) / self.widths
        below = np.vstack([np.zeros(2), ndtr(z), np.ones(2)])
        return self.priors * np.diff(below, axis=0)

    def error(self, rule: Rule) -> float:
        """P(rule(x) ≠ y): the probability of the class that is not named, interval by interval."""
        cells = self.cells(rule.cuts)
        return float(cells[np.arange(len(cells)), 1 - rule.answers].sum())

    def bayes_rule(self) -> Rule:
        """Names the class with the larger p(x, y).

        The log odds are a quadratic function a x² + b x + c, and change sign where it is zero.
        """
        precision = 1 / np.square(self.widths)
        a = (precision[0] - precision[1]) / 2
        b = self.means[1] * precision[1] - self.means[0] * precision[0]
        c = (np.square(self.means) * precision) @ [0.5, -0.5]
        c += np.log(self.priors[1] / self.priors[0]) - np.log(self.widths[1] / self.widths[0])
        cuts = np.sort(_roots(a, b, c))
        inside = np.concatenate([cuts[:1] - 1, (cuts[:-1] + cuts[1:]) / 2, cuts[-1:] + 1]) if len(cuts) else np.zeros(1)
        return Rule(cuts, ((a * inside + b) * inside + c > 0).astype(np.intp))

    @property
    def bayes_error(self) -> float:
        """The error of the Bayes classifier: no rule has a smaller one."""
        return self.error(self.bayes_rule())

    def one_cut(self, cut: float) -> Rule:
        """Names class 1 above the cut."""
        return Rule(np.array([cut]), np.array([0, 1]))

    def best_cut(self) -> float:
        """The cut of the least error: of those at which the classes are equally probable, or none at all."""
        return min(self.bayes_rule().cuts, key=lambda cut: self.error(self.one_cut(cut)))


def _roots(a: float, b: float, c: float) -> Array:
    """Real roots of a x² + b x + c; those of a double root are left out, as the sign does not change there."""
    if a == 0:
        return np.array([-c / b]) if b else np.empty(0)
    discriminant = b * b - 4 * a * c
    if discriminant <= 0:
        return np.empty(0)
    q = -(b + np.copysign(np.sqrt(discriminant), b)) / 2  # of one sign: no digits cancel
    return np.array([q / a, c / q])


CLINIC = TwoNormals(means=(10.0, 11.0), widths=(1.0, 3.0), prior=0.4)
