"""What the checks of equations compare with: estimates by brute force, counts, differences of two sides."""

import math
from fractions import Fraction

import mpmath
import pytest

from course.equations.compare import discrepancy
from course.equations.counting import joint_of_class_and_tally, probability_of_tally, share, tallies
from course.equations.estimates import candidates, maximum, most_likely, posterior_mean


def test_infinite_differs_from_finite_and_from_its_negative():
    assert discrepancy(math.inf, math.inf) == 0
    assert discrepancy(math.inf, 1) == math.inf
    assert discrepancy([Fraction(1, 2)], [-math.inf]) == math.inf
    assert discrepancy(-math.inf, math.inf) == math.inf


def test_candidates_are_all_distributions():
    found = list(candidates(3, 6))
    assert len(found) == math.comb(8, 2)
    assert len({tuple(each) for each in found}) == len(found)
    assert all(sum(each) == 1 for each in found)


def test_two_most_likely_candidates_are_an_error():
    with pytest.raises(ValueError, match="two candidates are most likely"):
        most_likely(2, 3, lambda p: p[0] * p[1])


def test_posterior_mean_of_beta_and_dirichlet():
    assert posterior_mean([0, 0]) == [Fraction(1, 2)] * 2
    assert posterior_mean([3, 1]) == [Fraction(4, 6), Fraction(2, 6)]
    assert posterior_mean([5, 1, 1, 1, 0, 0]) == [Fraction(c, 14) for c in (6, 2, 2, 2, 1, 1)]


def test_maximum_is_found_to_many_digits():
    with mpmath.workdps(50):
        found = maximum(lambda p: mpmath.log(p[0] ** 2 + 1) - p[0] ** 2 / 3 - (p[1] - 1) ** 4 - (p[1] - 1) ** 2, [1, 0])
        assert discrepancy(found, [mpmath.sqrt(2), 1]) < 1e-22


def test_counts_have_the_multinomial_probabilities():
    beta = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    assert probability_of_tally((2, 1, 0), beta) == 3 * Fraction(1, 4) * Fraction(1, 3)
    assert sum(probability_of_tally(x, beta) for x in tallies(3, 3)) == 1
    joint = joint_of_class_and_tally([Fraction(1, 4), Fraction(3, 4)], [beta, beta[::-1]], 3)
    assert joint[1, (2, 1, 0)] == Fraction(3, 4) * 3 * Fraction(1, 36) * Fraction(1, 3)


def test_share_counts_within_what_is_given():
    rows = [{"y": 0, "x": 1}, {"y": 0, "x": 0}, {"y": 1, "x": 1}, {"y": 0, "x": 1}]
    assert share(rows, {"y": 0}) == Fraction(3, 4)
    assert share(rows, {"y": 0}, {"x": 1}) == Fraction(2, 3)
    assert share(rows, {"x": 1}, {"y": 0}) == Fraction(2, 3)
