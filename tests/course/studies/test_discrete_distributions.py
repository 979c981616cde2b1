"""Probabilities found by listing all sequences are those of the multinomial, and intervals cover as often as is said.

Without this, the note on discrete distributions could call an interval honest that is not, or print a wrong p-value.
"""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.stats import binom, binomtest, chi2_contingency, fisher_exact, multinomial

from course.figures import Picture, png
from course.studies.discrete_distributions import figures
from course.studies.discrete_distributions.coverage import (
    clopper_pearson_interval,
    coverage,
    mean_coverage,
    wald_interval,
)
from course.studies.discrete_distributions.joint import at_least_as_uneven, statistic
from course.studies.discrete_distributions.sequences import by_counts, coefficient, moments
from course.studies.discrete_distributions.simplex import CORNERS, compositions, in_triangle
from probml.metrics import wilson_interval

P = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]


def test_enumeration_is_the_multinomial_distribution():
    cells = by_counts(P, 5)
    assert len(cells) == comb(7, 2)
    for counts, cell in cells.items():
        assert cell.sequences == coefficient(counts)
        expected = multinomial.pmf(counts, 5, np.array(P, dtype=float))
        assert np.isclose(float(cell.probability), expected, rtol=1e-12)
    mean, covariance = moments(cells)
    assert np.allclose(np.array(mean, dtype=float), multinomial.mean(5, np.array(P, dtype=float)))
    assert np.allclose(np.array(covariance, dtype=float), multinomial.cov(5, np.array(P, dtype=float)))


def test_too_many_sequences():
    with pytest.raises(ValueError, match=r"3\^20 sequences"):
        by_counts(P, 20)


def test_compositions_are_all_of_them_once():
    found = compositions(7, 3)
    assert len(found) == comb(9, 2)
    assert len({tuple(row) for row in found.tolist()}) == len(found)
    assert (found.sum(axis=1) == 7).all()
    assert found.min() == 0


def test_triangle():
    assert np.allclose(in_triangle(np.eye(3)), CORNERS)
    assert np.allclose(in_triangle([1 / 3, 1 / 3, 1 / 3]), CORNERS.mean(axis=0))
    sides = np.linalg.norm(CORNERS - np.roll(CORNERS, 1, axis=0), axis=1)
    assert np.allclose(sides, 1)


def test_coverage_by_hand():
    # counts 0 and 2 of two draws give intervals of length zero, count 1 gives 1/2 ± 1.96 sqrt(1/8), beyond [0, 1]
    assert np.allclose(coverage(wald_interval, 2, [0.3, 0.5]), [2 * 0.3 * 0.7, 0.5])


@pytest.mark.parametrize("interval", [wald_interval, wilson_interval], ids=["wald", "wilson"])
def test_coverage_is_that_of_a_simulation(interval):
    n, p, size = 30, 0.12, 200_000
    x = np.random.default_rng(0).binomial(n, p, size)
    low, high = interval(x, n, 0.9)
    share = np.mean((low <= p) & (p <= high))
    exact = coverage(interval, n, p, 0.9)[0]
    assert abs(share - exact) < 4 * np.sqrt(exact * (1 - exact) / size)


def test_an_interval_of_everything_covers():
    assert np.allclose(coverage(lambda x, n, level: (np.zeros(n + 1), np.ones(n + 1)), 9, [0.1, 0.8]), 1)
    only_zero = coverage(lambda x, n, level: (np.where(x == 0, 0.0, 2.0), np.ones(n + 1)), 9, [0.1])
    assert np.isclose(only_zero[0], binom.pmf(0, 9, 0.1))
    with pytest.raises(ValueError, match="level"):
        wald_interval(3, 9, 95)


@pytest.mark.parametrize(("x", "n", "level"), [(0, 9, 0.95), (9, 9, 0.95), (3, 9, 0.95), (1, 30, 0.9), (40, 98, 0.99)])
def test_clopper_and_pearson_as_in_scipy(x, n, level):
    theirs = binomtest(x, n).proportion_ci(level, method="exact")
    assert np.allclose(clopper_pearson_interval(x, n, level), theirs, rtol=1e-10)


def test_clopper_and_pearson_leave_the_same_in_both_tails():
    x = np.arange(1, 30)
    low, high = clopper_pearson_interval(x, 30, 0.95)
    assert np.allclose(binom.sf(x - 1, 30, low), 0.025)
    assert np.allclose(binom.cdf(x, 30, high), 0.025)
    with pytest.raises(ValueError, match="level"):
        clopper_pearson_interval(3, 9, 95)


def test_clopper_and_pearson_keep_their_promise():
    p = np.linspace(0.0005, 0.9995, 1999)
    for n, level in ((5, 0.9), (30, 0.95)):
        assert coverage(clopper_pearson_interval, n, p, level).min() >= level


@pytest.mark.parametrize("interval", [wald_interval, wilson_interval, clopper_pearson_interval])
def test_mean_coverage_is_that_of_a_fine_grid(interval):
    p = (np.arange(20_000) + 0.5) / 20_000
    assert abs(mean_coverage(interval, 12, 0.9) - coverage(interval, 12, p, 0.9).mean()) < 1e-4


def test_mean_coverage_of_everything_and_of_nothing():
    everything = mean_coverage(lambda x, n, level: (np.full(n + 1, -1.0), np.full(n + 1, 2.0)), 7)
    nothing = mean_coverage(lambda x, n, level: (np.full(n + 1, 0.3), np.full(n + 1, 0.3)), 7)
    assert np.isclose(everything, 1)
    assert nothing == 0


# --- all words together ---


@pytest.mark.parametrize("table", [[[3, 0, 1], [0, 4, 2]], [[2, 2, 0, 1], [1, 1, 3, 0]], [[1, 5], [4, 2]]])
def test_choices_at_least_as_uneven_are_those_that_are_found_by_going_through_all(table):
    counts = np.array(table)
    words = np.repeat(np.arange(counts.shape[1]), counts.sum(axis=0))
    observed = chi2_contingency(counts, correction=False).statistic
    assert statistic(table) == pytest.approx(observed)
    found = total = 0
    for chosen in combinations(range(len(words)), int(counts[0].sum())):
        first = np.bincount(words[list(chosen)], minlength=counts.shape[1])
        value = chi2_contingency([first, counts.sum(axis=0) - first], correction=False).statistic
        found, total = found + (value >= observed - 1e-9), total + 1
    assert at_least_as_uneven(table) == (found, total)


def test_equal_groups_are_never_less_uneven_and_one_word_is_fisher_s_test():
    assert at_least_as_uneven([[2, 3], [2, 3]]) == (comb(10, 5), comb(10, 5))
    found, total = at_least_as_uneven([[3, 6], [0, 20]])
    assert found / total == pytest.approx(fisher_exact([[3, 6], [0, 20]]).pvalue)
    with pytest.raises(ValueError, match="two groups"):
        at_least_as_uneven([[1, 0], [2, 0]])


TABLE = [[3, 2, 0, 4], [0, 1, 5, 9]]
PICTURES = {
    "every count": lambda: figures.every_count(30, 0.05, 0.95),
    "orders": lambda: figures.orders([1 / 2, 1 / 3, 1 / 6]),
    "likelihood": figures.likelihood,
    "coverage": lambda: figures.coverage_curves(30, 0.95),
    "words": lambda: figures.word_intervals(["a", "b", "c", "d"], TABLE, ("first", "second"), 0.95),
}


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_figures_are_drawn_the_same_twice(picture):
    first, second = picture(), picture()
    assert isinstance(first, Picture)
    assert len(first.alt) > 100
    assert png(first.fig) == png(second.fig)


def test_alternative_text_of_the_hero_has_the_coverage():
    alt = figures.every_count(30, 0.05, 0.95).alt
    for name, interval in (("Wald's interval misses in", wald_interval), ("Wilson's in", wilson_interval)):
        assert f"{name} {1 - coverage(interval, 30, 0.05)[0]:.0%}" in alt
    assert f"not seen at all in {binom.pmf(0, 30, 0.05):.0%}" in alt


def test_words_stand_at_their_relative_frequencies():
    ax = figures.word_intervals(["a", "b", "c", "d"], TABLE, ("first", "second"), 0.95).fig.axes[0]
    order = [["a", "b", "c", "d"].index(label.get_text()) for label in ax.get_xticklabels()]
    for line, counts in zip(ax.lines, np.array(TABLE), strict=True):
        assert np.allclose(line.get_ydata(), counts[order] / counts.sum())
