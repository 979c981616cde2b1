"""Experiments of the note on discrete distributions, against independent oracles."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from course.studies.discrete_distributions.coverage import coverage, wald_interval
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
