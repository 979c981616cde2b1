r"""How sure the means over splits are, and a power law through them: error(n) = a + b n^-c with a, b ≥ 0 and c > 0.

Splits share rows: two parts held out, each a share h of the rows, have h of theirs in common, and training parts more.
The variance of a mean over R splits is therefore not s² / R but, after Nadeau and Bengio (2003), about

.. math:: \left(\frac{1}{R} + \frac{h}{1 - h}\right) s^2,

with s² the variance between splits. Intervals of means take it with Student's t; the bootstrap over splits stretches
its deviations by the same factor. So both say how the result would vary with other rows of the same source.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from probml.typing import Array, Indices

LEVEL = 0.95
REPLICATES = 400
STEEPEST = 3.0  # the largest c
FITTED_SIZES = 7  # at most: near chance, at the smallest sizes, no curve is a power law
FEWEST_SIZES = 4
WIDEST = 1.0  # times the error at the largest size: a wider interval is no prediction


def stretch(splits: int, share: float) -> float:
    """Standard error of a mean over splits, by that of as many independent ones. share : of the rows held out."""
    return float(np.sqrt(1 + splits * share / (1 - share)))


def interval(losses: Array, share: float, least: float = 0.0) -> tuple[Array, Array, Array]:
    """Mean over the splits, the first axis, and the ends of its interval. least : of s, where no split has an error."""
    R = len(losses)
    mean = losses.mean(axis=0)
    half = (
        student.ppf((1 + LEVEL) / 2, R - 1)
        * stretch(R, share)
        * np.maximum(losses.std(axis=0, ddof=1), least)
        / np.sqrt(R)
    )
    return mean, mean - half, mean + half


def bootstrap(losses: Array, share: float, rng: np.random.Generator) -> Array:
    """Means over splits drawn again, stretched around the mean itself, shape (REPLICATES, ...)."""
    R = len(losses)
    weight = rng.multinomial(R, np.full(R, 1 / R), REPLICATES) / R
    mean = losses.mean(axis=0)
    drawn = np.tensordot(weight, losses, 1)
    spread: Array = mean + stretch(R, share) * np.sqrt(R / (R - 1)) * (drawn - mean)
    return spread


def ends(replicates: Array) -> tuple[Array, Array]:
    """The quantiles between which LEVEL of the replicates are."""
    low, high = np.quantile(replicates, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return low, high


@dataclass(frozen=True)
class PowerLaw:
    """error(n) = a + b (n / scale)^-c, for a batch of curves. a, b, c : shape (B,)."""

    a: Array
    b: Array
    c: Array
    scale: float

    def __call__(self, n: float) -> Array:
        """Shape (B,)."""
        value: Array = self.a + self.b * (n / self.scale) ** -self.c
        return value

    @classmethod
    def fit(cls, sizes: Indices, curves: Array, weight: Array) -> "PowerLaw":
        """Weighted least squares for curves, shape (B, S), with weights, shape (S,).

        For a given c the best a and b are those of a straight line in x = n^-c; c is looked for on a grid, which then
        closes in on the best of its points.
        """
        scale = float(sizes[-1])
        low, high = np.full(len(curves), np.log(1e-2)), np.full(len(curves), np.log(STEEPEST))
        rows = np.arange(len(curves))
        for _ in range(12):
            c = np.exp(np.linspace(low, high, 17, axis=1))
            a, b, misfit = _line((sizes / scale) ** -c[..., None], curves[:, None], weight)
            best = misfit.argmin(axis=1)
            low, high = np.log(c[rows, np.maximum(best - 1, 0)]), np.log(c[rows, np.minimum(best + 1, 16)])
        return cls(a[rows, best], b[rows, best], c[rows, best], scale)


def _line(x: Array, y: Array, weight: Array) -> tuple[Array, Array, Array]:
    """a, b ≥ 0 of the line a + b x with the least sum of squares, and that sum, for the last axis of x."""
    w = weight / weight.sum()
    mean_x, mean_y = (w * x).sum(axis=-1), (w * y).sum(axis=-1)
    b = (w * (x - mean_x[..., None]) * y).sum(axis=-1) / (w * (x - mean_x[..., None]) ** 2).sum(axis=-1)
    b = np.maximum(b, 0)  # a curve that rises is taken for a constant
    a = mean_y - b * mean_x
    b = np.where(a < 0, np.maximum((w * x * y).sum(axis=-1) / (w * x**2).sum(axis=-1), 0), b)
    a = np.maximum(a, 0)
    return a, b, (w * (y - a[..., None] - b[..., None] * x) ** 2).sum(axis=-1)


@dataclass(frozen=True)
class Extrapolation:
    """The power law of a curve and of its replicates, and what speaks against using it.

    first : the smallest size it is fitted to; a curve that first rises, as that of an unpenalised model does where rows
    are about as many as columns, is taken from its peak on. falls : whether nearly all replicates fall. Some of the
    replicates are fitted from one or two sizes later on, so that their spread also says how much depends on that.
    """

    sizes: Indices
    first: int
    law: PowerLaw
    replicated: PowerLaw
    now: float
    falls: bool

    @classmethod
    def of(cls, sizes: Indices, curve: Array, replicates: Array, error: Array) -> "Extrapolation":
        """curve : shape (S,). replicates : shape (B, S). error : standard errors of the curve, shape (S,)."""
        S = len(sizes)
        start = min(max(int(curve.argmax()), S - FITTED_SIZES), S - 2)
        weight = 1 / np.maximum(error, max(1e-3 * float(curve.mean()), 1e-12)) ** 2
        replicates = np.maximum(replicates, 0)
        falls = np.mean(replicates[:, -1] < replicates[:, start]) >= LEVEL
        begins = [start, *(begin for begin in (start + 1, start + 2) if begin <= S - FEWEST_SIZES)]
        shares = zip(begins, np.array_split(replicates, len(begins)), strict=True)
        laws = [PowerLaw.fit(sizes[begin:], share[:, begin:], weight[begin:]) for begin, share in shares]
        a, b, c = (np.concatenate([getattr(law, name) for law in laws]) for name in "abc")
        law = PowerLaw.fit(sizes[start:], curve[None, start:], weight[start:])
        return cls(sizes, int(sizes[start]), law, PowerLaw(a, b, c, law.scale), float(curve[-1]), bool(falls))

    def at(self, n: float) -> tuple[float, float, float]:
        """Predicted for n rows, with the ends of its interval."""
        low, high = ends(self.replicated(n))
        return float(self.law(n)[0]), float(low), float(high)

    def gain(self, n: float, more: float) -> tuple[float, float, float]:
        """By how much it falls from n rows to n + more."""
        low, high = ends(self.replicated(n) - self.replicated(n + more))
        return float(self.law(n)[0] - self.law(n + more)[0]), float(low), float(high)

    def against(self, n: float) -> str:
        """Why no prediction for n rows is supported, or nothing."""
        largest = float(self.sizes[-1])
        if np.sum(self.sizes >= self.first) < FEWEST_SIZES or not self.falls:
            return "the curve does not fall measurably"
        if n > largest * largest / self.first:
            return f"{n / largest:.0f} times the largest size measured is farther ahead than the sizes reach back"
        _, low, high = self.at(n)
        if high - low > WIDEST * self.now:
            return "the interval would be wider than the loss itself"
        return ""
