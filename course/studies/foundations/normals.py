"""Two normal classes in the plane, and exact errors of rules with lines and conic sections as boundaries."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

Array = NDArray[np.float64]
Score = Callable[[Array], Array]


@dataclass(frozen=True)
class PlaneNormals:
    """y ~ Bernoulli(prior), x | y = k ~ Normal(mean_k, diag(deviation_k²)) in the plane.

    mean, deviation : shape (2, 2), a row for each class.
    """

    mean: Array
    deviation: Array
    prior: float = 0.5

    def __post_init__(self) -> None:
        for name in ("mean", "deviation"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
            if getattr(self, name).shape != (2, 2):
                raise ValueError(f"{name} must have the shape (2, 2), received {getattr(self, name).shape}")
        if not (self.deviation > 0).all() or not 0 < self.prior < 1:
            raise ValueError(f"deviations must be positive and 0 < prior < 1, received {self.deviation}, {self.prior}")

    @property
    def priors(self) -> Array:
        """p(y = 0) and p(y = 1)."""
        return np.array([1 - self.prior, self.prior])

    def log_joint(self, X: Array) -> Array:
        """log p(x, y = k), shape (m, 2), for X of shape (m, 2)."""
        z = (X[:, None, :] - self.mean) / self.deviation
        return np.log(self.priors) - (z**2).sum(axis=2) / 2 - np.log(2 * np.pi * self.deviation.prod(axis=1))

    def log_odds(self, X: Array) -> Array:
        """log p(y = 1 | x) / p(y = 0 | x), shape (m,): quadratic in x. Its sign is the Bayes classifier."""
        joint = self.log_joint(X)
        return joint[:, 1] - joint[:, 0]

    def posterior(self, X: Array) -> Array:
        """p(y = 1 | x), shape (m,)."""
        return expit(self.log_odds(X))

    def draw(self, m: int, rng: np.random.Generator) -> tuple[Array, NDArray[np.intp]]:
        """m independent examples: X, shape (m, 2), and y, shape (m,)."""
        y = (rng.random(m) < self.prior).astype(np.intp)
        return self.mean[y] + self.deviation[y] * rng.standard_normal((m, 2)), y

    def error(self, score: Score, nodes: int = 2001) -> float:
        """P(the sign of score(x) is not the class), for a score that is linear or quadratic in x.

        Given x_1, the score is a quadratic function of x_2, known from three values, and the rule answers 1 on
        intervals between its roots: their probability is a difference of normal distribution functions. Over x_1
        we sum by the trapezoidal rule, on nine standard deviations to both sides. (To a boundary that is parallel to
        the second axis the rule is blind between two nodes; all others are found to six digits.)
        """
        low = (self.mean - 9 * self.deviation)[:, 0].min()
        high = (self.mean + 9 * self.deviation)[:, 0].max()
        x1 = np.linspace(low, high, nodes)
        below, at, above = (score(np.column_stack([x1, np.full(nodes, x2)])) for x2 in (-1.0, 0.0, 1.0))
        a, b, c = (above + below) / 2 - at, (above - below) / 2, at
        z = (x1[:, None] - self.mean[:, 0]) / self.deviation[:, 0]
        density = self.priors * np.exp(-(z**2) / 2) / (np.sqrt(2 * np.pi) * self.deviation[:, 0])
        says_one = _probability_positive(a, b, c, self.mean[:, 1], self.deviation[:, 1])
        wrong = density[:, 0] * says_one[:, 0] + density[:, 1] * (1 - says_one[:, 1])
        return float(np.trapezoid(wrong, x1))

    @property
    def bayes_error(self) -> float:
        """The error of the sign of the true log odds."""
        return self.error(self.log_odds, nodes=20001)


def _probability_positive(a: Array, b: Array, c: Array, mean: Array, deviation: Array) -> Array:
    """P(a t² + b t + c > 0) for t ~ Normal(mean_k, deviation_k²). a, b, c : shape (m,). Shape (m, 2)."""
    D = b * b - 4 * a * c
    q = -(b + np.where(b < 0, -1.0, 1.0) * np.sqrt(np.maximum(D, 0))) / 2  # of one sign: no digits cancel
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = np.sort(np.column_stack([q / a, c / q]), axis=1)  # a line, a = 0, has its other root at infinity
    low, high = (ndtr((root[:, None] - mean) / deviation) for root in roots.T)
    between = high - low
    crossing = np.where((a < 0)[:, None], between, 1 - between)
    everywhere = (np.where(a == 0, c, a) > 0)[:, None].astype(np.float64)
    return np.where((D > 0)[:, None], crossing, everywhere)
