"""What an excess error is made of, and bias and variance of probabilities."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from course.studies.same_limit_or_not import limit
from course.studies.same_limit_or_not.fits import descended, fitted
from course.studies.same_limit_or_not.normals import TwoNormals

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Known:
    """The Bayes error, and the smallest error of any hyperplane."""

    bayes: float
    best: float

    @classmethod
    def of(cls, problem: TwoNormals) -> Self:
        """For one or two features."""
        return cls(limit.bayes_error(problem), limit.least_error(problem))


@dataclass(frozen=True)
class Parts:
    """Parts of the mean error above the Bayes error; they add up to it exactly.

    approximation : of the best hyperplane. criterion : of the limit of the method, above the best hyperplane; it comes
    from maximising a likelihood, not counting errors, and from what is assumed. estimation : of the mean over training
    sets, above the limit, with its standard error. optimisation : of stopping early, above the fit that is not.
    """

    approximation: float
    criterion: float
    estimation: float
    estimation_error: float
    optimisation: float
    optimisation_error: float


def parts_of(
    problem: TwoNormals, model: str, m: int, runs: int, rng: np.random.Generator, steps: int | None, known: Known
) -> Parts:
    """Of a model fitted to `runs` sets of m examples; with steps, of logistic regression stopped after so many."""
    final = limit_error(problem, model)
    X, y = problem.draw(m, rng, runs)
    full = problem.error(*fitted(model, X, y))
    early = full if steps is None else problem.error(*descended(X, y, steps))
    return Parts(
        known.best - known.bayes,
        final - known.best,
        float(full.mean() - final),
        float(full.std(ddof=1) / np.sqrt(runs)),
        float((early - full).mean()),
        float((early - full).std(ddof=1) / np.sqrt(runs)),
    )


def limit_error(problem: TwoNormals, model: str) -> float:
    """The error with infinitely many examples."""
    return float(problem.error(*limit.of(model, problem)))


def bias_and_variance(
    problem: TwoNormals, model: str, m: int, runs: int, X: Array, rng: np.random.Generator
) -> tuple[float, float]:
    """Means over the rows of X, shape (u, n), of (E p̂ - p)² and of the variance of p̂ = p̂(y = 1 | x).

    Their sum is E (p̂ - p)², by which the Brier score of p̂ is above that of the truth p. Both are without bias: the
    variance has runs - 1 in the denominator, and its share of the squared difference is taken off.
    """
    w, b = fitted(model, *problem.draw(m, rng, runs))
    estimate = expit(w @ X.T + b[:, None])
    variance = estimate.var(axis=0, ddof=1)
    bias = (estimate.mean(axis=0) - expit(problem.log_odds(X))) ** 2 - variance / runs
    return float(bias.mean()), float(variance.mean())


def along_sizes(
    problem: TwoNormals, model: str, sizes: Iterable[int], runs: int, X: Array, seed: Sequence[int]
) -> Array:
    """`bias_and_variance` for each number of examples, shape (sizes, 2); all models see the same training sets."""
    return np.array(
        [bias_and_variance(problem, model, int(m), runs, X, np.random.default_rng([*seed, int(m)])) for m in sizes]
    )
