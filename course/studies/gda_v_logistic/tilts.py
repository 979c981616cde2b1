"""Pairs of class densities, some of which are exponential tilts of each other: which have log odds on a line?"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from course.teaching.dirichlet import Beta
from probml.families import Bernoulli, Binomial, Gamma, Gaussian, Poisson

Array = NDArray[np.float64]
MODES = ((-1.5, 0.6), (1.5, 0.9))  # mean and standard deviation of the halves of a density with two modes
TILT = 0.8  # w of f_1 = e^(wx + c) f_0


def pairs() -> Mapping[str, tuple[Array, Array]]:
    """By name: places x of equal steps, shape (N,), and log densities of both classes there, shape (N, 2)."""
    counts, positive = np.arange(16.0), np.linspace(0.1, 12, 120)
    shares, line = np.linspace(0.02, 0.98, 97), np.linspace(-5, 7, 121)
    families = {
        "Bernoulli": (np.arange(2.0), Bernoulli(), {"probability": [0.2, 0.7]}),
        "binomial": (counts, Binomial(15), {"probability": [0.2, 0.5]}),
        "Poisson": (counts, Poisson(), {"rate": [2.0, 6.0]}),
        "normal, one variance": (line, Gaussian(), {"mean": [0.0, 2.0], "variance": [1.0, 1.0]}),
        "normal, two variances": (line, Gaussian(), {"mean": [0.0, 2.0], "variance": [1.0, 3.0]}),
        "gamma, one shape": (positive, Gamma(), {"shape": [3.0, 3.0], "rate": [2.0, 0.7]}),
        "gamma, two shapes": (positive, Gamma(), {"shape": [1.5, 6.0], "rate": [1.0, 1.0]}),
        "beta": (shares, Beta(), {"a": [2.0, 4.0], "b": [4.0, 2.0]}),
    }
    found = {
        name: (x, family.log_density(x[:, None], family.natural(**usual)))
        for name, (x, family, usual) in families.items()
    }
    return found | {"two modes, tilted": (line, _two_modes(line))}


def bend(x: Array, log_density: Array) -> float:
    """The largest second difference of the log odds on a grid of equal steps: 0 for a line, and for two points."""
    return float(np.abs(np.diff(log_density[:, 1] - log_density[:, 0], 2)).max(initial=0.0))


def _two_modes(x: Array) -> Array:
    """A mixture of two normal distributions, and its tilt: E[e^(wx)] of a mixture is the mixture of theirs."""
    zero = np.logaddexp(*(norm.logpdf(x, mean, sd) for mean, sd in MODES)) - np.log(2)
    c = -np.log(np.mean([np.exp(mean * TILT + (sd * TILT) ** 2 / 2) for mean, sd in MODES]))
    return np.column_stack([zero, zero + TILT * x + c])
