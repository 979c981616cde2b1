"""Intervals of means over random splits are Student's, and wider where the training parts overlap.

Without this, notes could call differences between classifiers significant that are not.
"""

import numpy as np
import pytest
from scipy import stats

from course.studies.resampled import mean_of


def test_interval_of_a_mean_is_student_s():
    values = [1.0, 2.0, 4.0]
    found = mean_of(values, level=0.9)
    low, high = stats.ttest_1samp(values, 0.0).confidence_interval(0.9)
    np.testing.assert_allclose([found.low, found.high], [low, high], rtol=1e-12)
    assert str(mean_of([1.0, 3.0], level=0.5)) == "+2.0 ± 1.0"
    with pytest.raises(ValueError, match="at least 2 values"):
        mean_of([1.0])


def test_interval_of_draws_that_overlap_is_wider():
    values = [1.0, 2.0, 4.0]
    alone, corrected = mean_of(values), mean_of(values, overlap=1.0)
    assert corrected.half == pytest.approx(alone.half * np.sqrt((1 / 3 + 1) / (1 / 3)))
    assert corrected.mean == alone.mean


def test_a_difference_of_pairs_in_points():
    gap = mean_of(np.array([1, 1, 0, 1]) - np.array([0, 1, 0, 0]))
    assert gap == (0.5, gap.half)
    assert gap.half == pytest.approx(stats.t.ppf(0.975, 3) * np.std([1, 0, 0, 1], ddof=1) / 2)
    assert (gap.low, gap.high) == (gap.mean - gap.half, gap.mean + gap.half)
    assert mean_of([-1.0, 0.0], level=0.0).in_points() == "−50.0 ± 0.0"
