"""Where both models go with unlimited data, for each way to be wrong: seen along the line through the class means.

Every scenario is the same for both features, so that the limit of either model is a line across the diagonal. All that
matters of an example is then its place s = (x_1 + x_2) / √2 on the diagonal.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit, log_expit

from course.studies.gda_v_logistic.scenarios import BASE, ERROR, FAR, gamma_scale, poisson_rate

Array = NDArray[np.float64]
GRID = 20_001  # points of the sums that stand for integrals
STEPS = 100  # of Newton's method, at most


@dataclass(frozen=True)
class Along:
    """The classes along the diagonal; class 1 is the upper one.

    density, below : density and distribution function of each class at s, shape (2, ...). means, variances : of s in
    the two classes; NaN where they do not exist. low, high : where the densities are drawn and summed.
    steps : distance of neighbouring values if s is discrete, else 0. best : error of the best rule, of the plane.
    flips : proportion of labels that are wrong in training.
    """

    density: Callable[[Array], Array]
    below: Callable[[Array], Array]
    means: Array
    variances: Array
    low: float
    high: float
    best: float = ERROR
    steps: float = 0.0
    flips: float = 0.0

    @property
    def places(self) -> Array:
        """The values of s that sums run over, or a fine grid of them."""
        return np.arange(self.low, self.high, self.steps) if self.steps else np.linspace(self.low, self.high, GRID)

    def error(self, cut: float) -> float:
        """Of the rule that calls all above `cut` class 1, with equal priors."""
        zero, one = self.below(np.asarray(cut))
        return float((1 - zero + one) / 2)

    def gda(self) -> float:
        """Boundary of GDA: halfway between the means, whatever the classes look like. NaN without means."""
        return float(np.mean(self.means))

    def logistic(self) -> float:
        """Boundary of logistic regression: where b + w s = 0 for the (b, w) of the largest mean log likelihood."""
        s = self.places
        mass = self.density(s)
        mass = mass / mass.sum(axis=1, keepdims=True)
        told = (1 - self.flips) * mass + self.flips * mass[::-1]
        centre, scale = (self.low + self.high) / 2, (self.high - self.low) / 10
        A = np.column_stack([np.ones_like(s), (s - centre) / scale])

        def mean_log_likelihood(theta: Array) -> float:
            z = A @ theta
            return float(told[1] @ log_expit(z) + told[0] @ log_expit(-z))

        theta = np.zeros(2)
        for _ in range(STEPS):
            p = expit(A @ theta)
            gradient = A.T @ (told[1] * (1 - p) - told[0] * p)
            information = (A.T * (told.sum(axis=0) * p * (1 - p))) @ A
            step = np.linalg.solve(information, gradient)
            if gradient @ step < 1e-18:  # Newton's decrement
                break
            while mean_log_likelihood(theta + step) < mean_log_likelihood(theta) and np.abs(step).max() > 1e-12:
                step = step / 2
            theta = theta + step
        return float(centre - scale * theta[0] / theta[1])

    def floors(self) -> dict[str, float]:
        """Excess error over the best rule that remains with unlimited data. NaN for GDA where means do not exist."""
        cuts = {"GDA": self.gda(), "logistic": self.logistic()}
        return {name: np.nan if np.isnan(cut) else self.error(cut) - self.best for name, cut in cuts.items()}


def along(kind: str, degree: float) -> Along:
    """The scenario of `scenarios.KINDS` along the diagonal."""
    return _SIDES[kind](degree) if degree else _normal()


def _normal(flips: float = 0.0) -> Along:
    centres = np.array([-BASE / 2, BASE / 2])
    return _two([(stats.norm(c),) for c in centres], [(1.0,)] * 2, -6.0, 6.0, flips=flips)


def _heavy_tails(degree: float) -> Along:
    half = -stats.t.ppf(ERROR, 1 / degree)
    return _two([(stats.t(1 / degree, loc=c),) for c in (-half, half)], [(1.0,)] * 2, -6 * half, 6 * half)


def _skew(degree: float) -> Along:
    a = 2 * 4 / degree**2  # of the sum of two features
    scales = np.array([1.0, gamma_scale(4 / degree**2)]) / np.sqrt(2)
    high = float(stats.gamma(a, scale=scales[1]).isf(1e-12))
    return _two([(stats.gamma(a, scale=each),) for each in scales], [(1.0,)] * 2, 0.0, high)


def _counts(degree: float) -> Along:
    rates = 2 * np.array([1 / degree, poisson_rate(1 / degree)])
    root = np.sqrt(2)
    return Along(
        density=lambda s: np.array([stats.poisson(rate).pmf(np.rint(root * s)) for rate in rates]),
        below=lambda s: np.array([stats.poisson(rate).cdf(root * s + 1e-9) for rate in rates]),
        means=rates / root,
        variances=rates / 2,
        low=0.0,
        high=float(stats.poisson(rates[1]).isf(1e-13)) / root,
        steps=1 / root,
    )


def _two_covariances(degree: float) -> Along:
    deviation = np.array([1.0, 2.0**degree])
    deviation = deviation / np.sqrt((deviation**2).mean())
    parts = [(stats.norm(c, s),) for c, s in zip((-BASE / 2, BASE / 2), deviation, strict=True)]
    reach = 8 * deviation[1]
    return _two(parts, [(1.0,)] * 2, -reach, reach, best=_circle_error(deviation))


def _outliers(degree: float) -> Along:
    parts = [(stats.norm(-BASE / 2),), (stats.norm(BASE / 2), stats.norm(BASE / 2 + FAR))]
    mixed = [(1.0,), (1 - degree, degree)]
    s = np.linspace(-BASE / 2 - 9, BASE / 2 + FAR + 9, GRID)
    both = [sum(w * part.pdf(s) for w, part in zip(ws, ps, strict=True)) for ws, ps in zip(mixed, parts, strict=True)]
    best = float(np.trapezoid(np.minimum(*both), s) / 2)
    return _two(parts, mixed, -BASE / 2 - 6, BASE / 2 + FAR + 6, best=best)


def _two(parts: list[tuple], weights: list[tuple[float, ...]], low: float, high: float, **options: float) -> Along:
    """Two classes that are mixtures of distributions of SciPy."""

    def mixed(value: Callable) -> Array:
        return np.array(
            [
                sum(w * value(part) for w, part in zip(ws, own, strict=True))
                for ws, own in zip(weights, parts, strict=True)
            ]
        )

    means = mixed(lambda part: _finite(part.mean()))
    second = mixed(lambda part: _finite(part.var()) + _finite(part.mean()) ** 2)
    return Along(
        density=lambda s: mixed(lambda part: part.pdf(s)),
        below=lambda s: mixed(lambda part: part.cdf(s)),
        means=means,
        variances=second - means**2,
        low=low,
        high=high,
        **options,
    )


def _finite(value: float) -> float:
    return float(value) if np.isfinite(value) else np.nan


def _circle_error(deviation: Array) -> float:
    """Error of the best rule for round normal classes of two deviations: inside a circle around class 0, or outside.

    The log odds are constant on circles around a point beyond class 0, on the side away from class 1, and distances
    from there are noncentral χ in either class.
    """
    d0, d1 = 1 / deviation**2
    centres = np.array([-BASE / 2, BASE / 2])
    middle = (d0 * centres[0] - d1 * centres[1]) / (d0 - d1)
    # (d0 (s - c0)² - d1 (s - c1)²) = (d0 - d1) (s - middle)² + rest, along the diagonal and across it
    rest = d0 * centres[0] ** 2 - d1 * centres[1] ** 2 - (d0 - d1) * middle**2
    radius2 = (2 * 2 * np.log(deviation[1] / deviation[0]) - rest) / (d0 - d1)
    inside = [
        stats.ncx2(2, ((middle - c) / s) ** 2).cdf(radius2 / s**2) for c, s in zip(centres, deviation, strict=True)
    ]
    return float((1 - inside[0] + inside[1]) / 2)


_SIDES: dict[str, Callable[[float], Along]] = {
    "heavy tails": _heavy_tails,
    "skew": _skew,
    "discrete features": _counts,
    "two covariances": _two_covariances,
    "outliers": _outliers,
    "wrong labels": lambda degree: _normal(flips=degree),
}
