"""The adults of the census and the small examples have the fits that the note on logistic regression names.

Without this, its figures and texts could tell of separated classes, odds and Newton steps that are not there.
"""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import expit

from course import datasets
from course.figures import Picture
from course.studies.logistic_regression import eight_examples, figures, six_examples
from course.studies.logistic_regression.adults import Adults
from course.studies.logistic_regression.sampled_by_outcome import without_half_the_men
from probml.errors import SeparationError
from probml.linear_model import LogisticRegression


@pytest.fixture(scope="module")
def adults():
    return Adults.of(datasets.load("howell"))


def test_adults(adults):
    assert len(adults) == 352
    assert np.bincount(adults.man).tolist() == [187, 165]
    assert adults.height.min() > 130
    assert adults.weight.max() < 70
    np.testing.assert_allclose(adults.standardised.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(adults.standardised.std(axis=0), 1)


# --- six examples ---


def test_log_posterior_is_that_of_each_example():
    w, b, penalty = 1.3, -0.4, 0.7
    each = [
        np.log(expit(w * x + b)) if y else np.log(1 - expit(w * x + b))
        for x, y in zip(six_examples.X, six_examples.OVERLAPPING, strict=True)
    ]
    found = six_examples.log_posterior(six_examples.OVERLAPPING, [w, w], b, penalty)
    np.testing.assert_allclose(found, sum(each) - penalty * w**2 / 2)


def test_one_set_is_separated_and_the_other_is_not():
    LogisticRegression().fit(six_examples.X[:, None], six_examples.OVERLAPPING)
    with pytest.raises(SeparationError):
        LogisticRegression().fit(six_examples.X[:, None], six_examples.SEPARATED)
    assert ((six_examples.X > six_examples.MIDDLE) == six_examples.SEPARATED).all()


# --- eight examples ---


def test_eight_examples_are_one_in_four_on_the_left_and_three_in_four_on_the_right():
    x = np.repeat([-1.0, 1.0], 4)
    y = np.array([1, 0, 0, 0, 1, 1, 1, 0])
    for w in (-0.7, 0.0, 2.3):
        p = expit(w * x)
        by_example = np.log(np.where(y == 1, p, 1 - p)).sum()
        assert eight_examples.log_likelihood(w) == pytest.approx(by_example)
        slope, curvature = eight_examples.slope_and_curvature(w)
        assert slope == pytest.approx(np.sum((y - p) * x))
        assert curvature == pytest.approx(-np.sum(p * (1 - p)))


def test_newton_steps_lead_to_log_three_from_nearby_and_astray_from_afar():
    w = 0.0
    for _ in range(6):
        w = eight_examples.newton_step(w)
    best = minimize_scalar(lambda w: -eight_examples.log_likelihood(w))
    assert w == pytest.approx(np.log(3))
    assert w == pytest.approx(best.x, abs=1e-6)
    assert eight_examples.newton_step(3.0) < -1


# --- sampled by outcome ---


def test_without_half_the_men(adults):
    changes = without_half_the_men(adults, 20, np.random.default_rng(1))
    assert changes.observed.shape == changes.if_true.shape == (20, 3)
    slope = LogisticRegression().fit(adults.height[:, None], adults.man).coef_.item()
    np.testing.assert_allclose(changes.expected, [0, -np.log(165 / 82), np.log(165 / 82) / slope])
    assert (np.abs(changes.if_true.mean(axis=0) - changes.expected) < [0.03, 0.12, 0.2]).all()


def test_a_man_who_counts_less_is_a_man_repeated_less_often(adults):
    changes = without_half_the_men(adults, 1, np.random.default_rng(1))
    tall_enough = (adults.man == 0) | (adults.height > 143)
    centre = adults.height.mean()
    for keep, found in ((np.ones(352, dtype=bool), changes.weighted), (tall_enough, changes.weighted_without_short)):
        height, man = adults.height[keep] - centre, adults.man[keep]
        full = LogisticRegression().fit(height[:, None], man)
        often = np.where(man == 1, 82, 165)
        repeated = LogisticRegression().fit(np.repeat(height, often)[:, None], np.repeat(man, often))
        slopes, constants = zip(*((m.coef_.item(), m.intercept_.item()) for m in (full, repeated)), strict=True)
        heights = -np.array(constants) / slopes
        np.testing.assert_allclose(found, np.diff([slopes, constants, heights])[:, 0], atol=1e-7)
    assert np.count_nonzero(~tall_enough) == 2


# --- figures ---


def test_figures(adults):
    pictures = [
        figures.sex_on_height(adults),
        figures.newton_steps(),
        figures.six(),
        figures.prior_on_six(0.1),
        figures.height_and_weight(adults),
        figures.coefficient_paths(adults),
    ]
    assert all(isinstance(picture, Picture) and len(picture.alt) > 100 for picture in pictures)
    assert len({picture.name for picture in pictures}) == len(pictures)


def test_contours_of_six_examples_have_the_axes_of_the_interactive_figure():
    panels = [figures.six().fig.axes[2], figures.six().fig.axes[3], figures.prior_on_six(0.1).fig.axes[0]]
    assert {panel.get_xlabel() for panel in panels} == {"intercept b"}
    assert all(panel.get_ylim() == (-1.5, 10) for panel in panels)
    dot = panels[0].get_lines()[0].get_xydata()[0]
    model = LogisticRegression().fit(six_examples.X[:, None], six_examples.OVERLAPPING)
    np.testing.assert_allclose(dot, [model.intercept_.item(), model.coef_.item()])


def test_the_weight_vector_of_the_figure_stands_at_right_angles_to_the_boundary(adults):
    ax = figures.height_and_weight(adults).fig.axes[0]
    model = LogisticRegression().fit(adults.standardised, adults.man)
    lines = [line.get_xydata() for line in ax.get_lines() if len(line.get_xydata()) == 2]
    assert len(lines) == 5
    for level, line in zip((-4, -2, 0, 2, 4), lines, strict=True):
        np.testing.assert_allclose(model.decision_function(line), level, atol=1e-9)
        assert (line[1] - line[0]) @ model.coef_[0] == pytest.approx(0, abs=1e-9)
    assert ax.get_aspect() == 1
