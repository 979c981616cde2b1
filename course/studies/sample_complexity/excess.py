"""Excess errors of naive Bayes and logistic regression in three families of problems, and the examples they need."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from course.studies.sample_complexity import logistic, naive_bayes
from course.studies.sample_complexity.needed import Needed, examples_needed
from course.studies.sample_complexity.problems import Shifted

Array = NDArray[np.float64]
Family = Callable[[int], Shifted]
Key = tuple[str, str]  # model, family
NB, LR = "naive Bayes", "logistic regression"
NB_NUMBERS = 80_000  # fits of naive Bayes times features, for each m
LEAST_NB_FITS = 1000
LEAST_LR_FITS = 24


def families(d: float) -> dict[str, Family]:
    """The problem with n features, for each family. d : half the distance of the means; of rich features, for n = 4."""
    return {
        "thin": lambda n: Shifted.spread(n, d),
        "common noise": lambda n: Shifted.with_common_noise(n, d),
        "rich": lambda n: Shifted(n, d / 2),
    }


def of_naive_bayes(problem: Shifted, m: int, seed: int) -> Array:
    """Excess errors of naive Bayes fitted to sets of m examples, shape (fits,)."""
    fits = max(NB_NUMBERS // problem.n, LEAST_NB_FITS)
    rng = np.random.default_rng([seed, problem.n, m, 2])
    return naive_bayes.errors(problem, m, fits, rng) - problem.bayes_error


def of_logistic(d: float, n: int, m: int, fits_times_n: int, seed: int) -> Array:
    """Excess errors of logistic regression fitted to sets of m examples, shape (fits,)."""
    fits = max(fits_times_n // n, LEAST_LR_FITS)
    return logistic.errors(d, n, m, fits, np.random.default_rng([seed, n, m, 1])) - ndtr(-d)


def needed(features: Sequence[int], eps: float, d: float, fits_times_n: int, seed: int) -> dict[Key, list[Needed]]:
    """m at which the mean excess error falls to eps, for each model and family, and each number of features.

    Logistic regression does not see the coordinates, so that one search serves the first two families.
    """

    def generative(make: Family, n: int, m: int) -> Array:
        return of_naive_bayes(make(n), m, seed)

    def discriminative(make: Family, n: int, m: int) -> Array:
        return of_logistic(make(n).d, n, m, fits_times_n, seed)

    makes = families(d)
    found = {(NB, name): _along(features, partial(generative, make), eps, seed) for name, make in makes.items()}
    for name in ("thin", "rich"):
        found[LR, name] = _along(features, partial(discriminative, makes[name]), eps, seed)
    return found | {(LR, "common noise"): found[LR, "thin"]}


def _along(features: Iterable[int], excess: Callable[[int, int], Array], eps: float, seed: int) -> list[Needed]:
    """For one number of features after the other: each search begins where growth as between the last two leads."""
    found: list[Needed] = []
    for n in features:
        start = 30.0 if not found else found[-1].m * found[-1].m / found[max(len(found) - 2, 0)].m
        found.append(examples_needed(partial(excess, n), eps, max(start, 4.0), seed))
    return found


@dataclass(frozen=True)
class Curves:
    """Mean excess errors along m, for some numbers of features, with their standard errors.

    Each of the three is {n: (m, mean, standard error)}, with arrays of one length.
    """

    logistic: dict[int, tuple[Array, Array, Array]]
    thin: dict[int, tuple[Array, Array, Array]]
    common: dict[int, tuple[Array, Array, Array]]


def curves(features: Sequence[int], d: float, fits_times_n: int, seed: int) -> Curves:
    """Logistic regression from 6 n examples on (fewer can often be separated), and naive Bayes in two families."""
    makes, ratios = families(d), np.array([2, 3, 4, 6, 8, 12, 16, 24, 32])
    few = np.array([4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256])

    def along(sizes: Array, excess: Callable[[int], Array]) -> tuple[Array, Array, Array]:
        values = [excess(int(m)) for m in sizes]
        errors = [each.std(ddof=1) / np.sqrt(len(each)) for each in values]
        return sizes, np.array([each.mean() for each in values]), np.array(errors)

    return Curves(
        {n: along(ratios[3:-1] * n, lambda m, n=n: of_logistic(d, n, m, fits_times_n, seed)) for n in features},
        {n: along(ratios * n, lambda m, n=n: of_naive_bayes(makes["thin"](n), m, seed)) for n in features},
        {n: along(few, lambda m, n=n: of_naive_bayes(makes["common noise"](n), m, seed)) for n in features},
    )
