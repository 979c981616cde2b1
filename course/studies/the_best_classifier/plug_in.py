"""Plug-in classifiers: estimate p(x, y) from examples, and answer as if the estimate were the truth."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from course.studies.the_best_classifier.hormone import Rule, TwoNormals

Array = NDArray[np.float64]

BIN_WIDTH = 6.0  # of a histogram, for one example; divided by the cube root of their number
RANGE = (0.0, 22.0)  # of the bins; beyond it the outermost bins answer


def two_widths(x: Array, y: NDArray[np.intp]) -> Rule:
    """A normal distribution for each class, with its own mean and standard deviation."""
    means, widths = ([statistic(x[y == k]) for k in (0, 1)] for statistic in (np.mean, np.std))
    return TwoNormals(tuple(means), tuple(widths), np.mean(y)).bayes_rule()


def one_width(x: Array, y: NDArray[np.intp]) -> Rule:
    """A normal distribution for each class, with one standard deviation for both: a single cut."""
    means = [np.mean(x[y == k]) for k in (0, 1)]
    width = np.sqrt(np.mean((x - np.take(means, y)) ** 2))
    return TwoNormals(tuple(means), (width, width), np.mean(y)).bayes_rule()


def histogram(x: Array, y: NDArray[np.intp]) -> Rule:
    """The more common class in each bin. Where a bin is empty or a tie, the more common class of all."""
    low, high = RANGE
    cuts = np.linspace(low, high, round((high - low) / (BIN_WIDTH / np.cbrt(len(x)))) + 1)
    bins = np.searchsorted(cuts, x)
    counts = np.array([np.bincount(bins[y == k], minlength=len(cuts) + 1) for k in (0, 1)])
    majority = int(2 * np.sum(y) > len(y))
    return Rule(cuts, np.where(counts[0] == counts[1], majority, counts[1] > counts[0]).astype(np.intp))


RULES = {"two widths": two_widths, "one width": one_width, "histogram": histogram}


def excess_errors(problem: TwoNormals, sizes: Sequence[int], runs: int, seed: int) -> dict[str, Array]:
    """Exact error above the Bayes error of each rule, fitted to training sets of each size. Shape (sizes, runs)."""
    excess = {name: np.empty((len(sizes), runs)) for name in RULES}
    for s, m in enumerate(sizes):
        for r in range(runs):
            x, y = problem.draw(m, np.random.default_rng([seed, 1, m, r]))
            for name, fit in RULES.items():
                excess[name][s, r] = problem.error(fit(x, y)) - problem.bayes_error
    return excess


def on_test_sets(problem: TwoNormals, m: int, tested: int, sets: int, seed: int) -> tuple[NDArray[np.int64], Array]:
    """Mistakes of the fitted rule of two widths less those of the Bayes classifier, and their exact expectation.

    For each of so many sets, the rule is fitted to m examples and both are tested on so many new ones.
    """
    difference, expected = np.empty(sets, dtype=np.int64), np.empty(sets)
    bayes = problem.bayes_rule()
    for r in range(sets):
        rng = np.random.default_rng([seed, 2, r])
        fitted = two_widths(*problem.draw(m, rng))
        expected[r] = tested * (problem.error(fitted) - problem.bayes_error)
        x, y = problem.draw(tested, rng)
        difference[r] = np.sum(fitted(x) != y) - np.sum(bayes(x) != y)
    return difference, expected
