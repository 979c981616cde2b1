r"""How sure the means over splits are, and a power law through them: error(n) = a + b n^-c with a, b ≥ 0 and c > 0.

Splits share rows: two parts held out, each a share h of the rows, have h of theirs in common, and training parts more.
The variance of a mean over R splits is therefore not s² / R but, after Nadeau and Bengio (2003), about

.. math:: \left(\frac{1}{R} + \frac{h}{1 - h}\right) s^2,

with s² the variance between splits. Intervals of means take it with Student's t; the bootstrap over splits stretches
its deviations by the same factor. So both say how the result would vary with other rows of the same source.

No curve is exactly a power law. What that adds to the error of a prediction grows with the distance: its logarithm gets
a normal error of MISFIT for each doubling beyond the largest size. MISFIT was chosen on one half of the data sets of
the Learning Curve Database and verified on the other: note 69 of the course.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm
from scipy.stats import t as student

from probml.typing import Array, Indices

LEVEL = 0.95
REPLICATES = 400
STEEPEST = 3.0  # the largest c
FITTED_SIZES = 7  # at most: near chance, at the smallest sizes, no curve is a power law
FEWEST_SIZES = 4
MISFIT = 0.05  # standard deviation of the logarithm of a prediction, for each doubling
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
        """Weighted least squares for curves, shape (B, S), with weights, shape (S,) or (B, S).

        For a given c the best a and b are those of a straight line in x = n^-c; c is looked for on a grid, which then
        closes in on the best of its points.
        """
        scale = float(sizes[-1])
        low, high = np.full(len(curves), np.log(1e-2)), np.full(len(curves), np.log(STEEPEST))
        rows = np.arange(len(curves))
        for _ in range(12):
            c = np.exp(np.linspace(low, high, 17, axis=1))
            a, b, misfit = _line((sizes / scale) ** -c[..., None], curves[:, None], np.atleast_2d(weight)[:, None])
            best = misfit.argmin(axis=1)
            low, high = np.log(c[rows, np.maximum(best - 1, 0)]), np.log(c[rows, np.minimum(best + 1, 16)])
        return cls(a[rows, best], b[rows, best], c[rows, best], scale)


def _line(x: Array, y: Array, weight: Array) -> tuple[Array, Array, Array]:
    """a, b ≥ 0 of the line a + b x with the least sum of squares, and that sum, for the last axis of x."""
    w = weight / weight.sum(axis=-1, keepdims=True)
    mean_x, mean_y = _sum(w, x), _sum(w, y)
    from_mean = x - mean_x[..., None]
    b = _sum(w * from_mean, y) / _sum(w * from_mean, from_mean)
    b = np.maximum(b, 0)  # a curve that rises is taken for a constant
    a = mean_y - b * mean_x
    b = np.where(a < 0, np.maximum(_sum(w * x, y) / _sum(w * x, x), 0), b)
    a = np.maximum(a, 0)
    residual = y - a[..., None] - b[..., None] * x
    return a, b, _sum(w * residual, residual)


def _sum(one: Array, other: Array) -> Array:
    """Sum of the products along the last axis."""
    return np.asarray(np.einsum("...s,...s->...", one, other))


@dataclass(frozen=True)
class Extrapolation:
    """The power law of a curve and of its replicates, and what speaks against using it.

    first : the smallest size it is fitted to; a curve that first rises, as that of an unpenalised model does where rows
    are about as many as columns, is taken from its peak on. falls : whether nearly all replicates fall. Some of the
    replicates are fitted from one or two sizes later on, so that their spread also says how much depends on that.
    misfit : standard normal numbers, one for each replicate.
    """

    sizes: Indices
    first: int
    law: PowerLaw
    replicated: PowerLaw
    misfit: Array
    now: float
    falls: bool

    @classmethod
    def of(
        cls, sizes: Indices, curve: Array, replicates: Array, error: Array, rng: np.random.Generator
    ) -> "Extrapolation":
        """curve : shape (S,). replicates : shape (B, S). error : standard errors of the curve, shape (S,)."""
        S = len(sizes)
        start = min(max(int(curve.argmax()), S - FITTED_SIZES), S - 2)
        weight = 1 / np.maximum(error, max(1e-3 * float(curve.mean()), 1e-12)) ** 2
        replicates = np.maximum(replicates, 0)
        falls = np.mean(replicates[:, -1] < replicates[:, start]) >= LEVEL
        begins = [start, *(begin for begin in (start + 1, start + 2) if begin <= S - FEWEST_SIZES)]
        begin = np.sort(np.resize(begins, len(replicates)))
        later = weight[start:] * (np.arange(start, S) >= begin[:, None])
        replicated = PowerLaw.fit(sizes[start:], replicates[:, start:], later)
        law = PowerLaw.fit(sizes[start:], curve[None, start:], weight[start:])
        misfit = rng.permutation(norm.ppf((np.arange(len(replicates)) + 0.5) / len(replicates)))
        return cls(sizes, int(sizes[start]), law, replicated, misfit, float(curve[-1]), bool(falls))

    def drawn(self, n: float) -> Array:
        """Predictions of the replicates for n rows, shape (B,), none of which is exactly a power law."""
        doublings = max(float(np.log2(n / self.sizes[-1])), 0.0)
        values: Array = self.replicated(n) * np.exp(MISFIT * doublings * self.misfit)
        return values

    def at(self, n: float) -> tuple[float, float, float]:
        """Predicted for n rows, with the ends of its interval."""
        low, high = ends(self.drawn(n))
        return float(self.law(n)[0]), float(low), float(high)

    def gain(self, n: float, more: float) -> tuple[float, float, float]:
        """By how much it falls from n rows to n + more."""
        low, high = ends(self.drawn(n) - self.drawn(n + more))
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
