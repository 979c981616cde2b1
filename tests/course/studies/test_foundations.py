"""Experiments of the note on foundations, against independent oracles."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.special import ndtr

from course.studies.foundations import sensor, tables
from course.studies.foundations.every_classifier import answers, bayes_mistakes, mistakes
from course.studies.foundations.fits import FITS, best_line
from course.studies.foundations.joint import Joint
from course.studies.foundations.normals import PlaneNormals
from probml.linear_model import LogisticRegression

# A joint table in fractions


def two_coins():
    return Joint.of(("a", "b"), lambda a, b: Fraction(1 + a, 3) * Fraction(1 + 2 * b, 4))


def test_sums_and_quotients_of_a_joint_table():
    joint = Joint.of(("a", "b"), lambda a, b: {(0, 0): 1, (0, 1): 2, (1, 0): 3, (1, 1): 4}[a, b] * Fraction(1, 10))
    assert joint.p() == 1
    assert joint.p(a=1) == Fraction(7, 10)
    assert joint.p(a=1, b=0) == Fraction(3, 10)
    assert joint.given(b=1).p(a=0) == Fraction(2, 6)
    assert joint.given(b=1).names == ("a",)
    assert not joint.independent("a", "b")
    assert two_coins().independent("a", "b")


def test_joint_refuses_what_has_no_answer():
    certain = Joint.of(("a", "b"), lambda a, b: Fraction(int(a == b), 2))
    with pytest.raises(ZeroDivisionError, match="probability 0"):
        certain.given(a=1).given(b=0)
    with pytest.raises(ValueError, match=r"received c=1"):
        certain.p(c=1)
    with pytest.raises(ValueError, match="sum to 1"):
        Joint.of(("a",), lambda a: Fraction(1, 3))
    with pytest.raises(ValueError, match="each of the 2 outcomes"):
        Joint(("a",), {(0,): Fraction(1)})


# All classifiers


@pytest.mark.parametrize("shape", [(5, 2), (4, 3)], ids=["binary", "three classes"])
def test_mistakes_are_those_of_each_rule(shape):
    joint = np.random.default_rng(0).integers(0, 20, size=shape)
    cells, classes = shape
    wrong = mistakes(joint)
    assert len(wrong) == classes**cells
    for number, rule in enumerate(product(range(classes), repeat=cells)):
        assert answers(number, cells, classes).tolist() == list(rule)
        assert wrong[number] == sum(joint[x, k] for x in range(cells) for k in range(classes) if k != rule[x])
    assert wrong.min() == bayes_mistakes(joint)


def test_classifiers_of_a_bad_table():
    with pytest.raises(ValueError, match="whole numbers"):
        mistakes(np.ones((3, 2)))
    with pytest.raises(ValueError, match="too many"):
        mistakes(np.ones((40, 2), dtype=int))


# Two normal classes in the plane

PROBLEM = PlaneNormals([[0.0, 0.0], [1.6, 0.8]], [[1.5, 1.2], [0.7, 0.7]], prior=0.4)


def test_error_of_a_line_is_the_closed_form():
    w, b = np.array([0.8, -0.5]), 0.3
    centre, spread = PROBLEM.mean @ w + b, np.sqrt((PROBLEM.deviation * w) ** 2 @ np.ones(2))
    expected = 0.6 * ndtr(centre[0] / spread[0]) + 0.4 * ndtr(-centre[1] / spread[1])
    assert np.isclose(PROBLEM.error(lambda X: X @ w + b), expected, atol=1e-12)
    assert np.isclose(PROBLEM.error(lambda X: -(X @ w + b)), 1 - expected, atol=1e-12)


@pytest.mark.parametrize("across", [0, 1], ids=["upright line", "level line"])
def test_error_of_lines_along_the_axes(across):
    centre, spread = PROBLEM.mean[:, across], PROBLEM.deviation[:, across]
    expected = 0.6 * ndtr((centre[0] - 0.5) / spread[0]) + 0.4 * ndtr((0.5 - centre[1]) / spread[1])
    assert np.isclose(
        PROBLEM.error(lambda X: X[:, across] - 0.5, nodes=20001), expected, atol=3e-4 if across == 0 else 1e-12
    )


def test_error_of_constant_answers():
    assert np.isclose(PROBLEM.error(lambda X: np.ones(len(X))), 0.6)
    assert np.isclose(PROBLEM.error(lambda X: -np.ones(len(X))), 0.4)


def test_bayes_error_is_the_integral_of_the_smaller_joint_density():
    first, second = np.linspace(-14, 14, 1201), np.linspace(-12, 12, 1201)
    plane = np.column_stack([each.ravel() for each in np.meshgrid(first, second, indexing="ij")])
    smaller = np.exp(PROBLEM.log_joint(plane).min(axis=1)).reshape(1201, 1201)
    assert np.isclose(PROBLEM.bayes_error, np.trapezoid(np.trapezoid(smaller, second, axis=1), first), atol=1e-6)
    whole = np.exp(PROBLEM.log_joint(plane)).sum(axis=1).reshape(1201, 1201)
    assert np.isclose(np.trapezoid(np.trapezoid(whole, second, axis=1), first), 1, atol=1e-9)


def test_error_of_fitted_rules_is_that_of_many_new_examples():
    X, y = PROBLEM.draw(100, np.random.default_rng(1))
    new, label = PROBLEM.draw(400_000, np.random.default_rng(2))
    for fit in FITS.values():
        score = fit(X, y)
        exact = PROBLEM.error(score)
        assert exact > PROBLEM.bayes_error
        assert abs(np.mean((score(new) > 0) != label) - exact) < 4 * np.sqrt(exact * (1 - exact) / len(label))
    assert abs(label.mean() - 0.4) < 4 * np.sqrt(0.24 / len(label))


def test_posterior_is_calibrated():
    new, label = PROBLEM.draw(200_000, np.random.default_rng(3))
    p = PROBLEM.posterior(new)
    for low in (0.1, 0.5, 0.8):
        inside = (p > low) & (p < low + 0.1)
        assert abs(label[inside].mean() - p[inside].mean()) < 4 * 0.5 / np.sqrt(inside.sum())


def test_best_line_is_below_every_fitted_line_and_above_bayes():
    best = best_line(PROBLEM)
    X, y = PROBLEM.draw(2000, np.random.default_rng(4))
    assert PROBLEM.bayes_error < best < PROBLEM.error(FITS["logistic, linear"](X, y))
    same = PlaneNormals([[0.0, -1.0], [0.0, 1.0]], np.ones((2, 2)))
    assert np.isclose(best_line(same), ndtr(-1), atol=1e-7)  # where the Bayes rule is a line
    assert np.isclose(same.bayes_error, ndtr(-1), atol=1e-12)


def test_bad_normals():
    with pytest.raises(ValueError, match=r"shape \(2, 2\)"):
        PlaneNormals([0.0, 1.0], np.ones((2, 2)))
    with pytest.raises(ValueError, match="positive"):
        PlaneNormals(np.zeros((2, 2)), np.zeros((2, 2)))


# The sensor


def test_conditional_estimate_is_a_logistic_regression_with_one_weight():
    counts, prior = np.array([[6, 20], [3, 71]]), 0.9
    found = sensor.conditional_estimate(counts, prior)
    # log odds of y are logit(prior) ± logit(θ): symmetric in x = ±1, with the intercept known. The score must vanish.
    slope = approx_fprime(np.array([found]), lambda t: sensor.conditional_log_likelihood(t[0], counts, prior), 1e-6)
    assert abs(slope[0]) < 0.01
    free = LogisticRegression().fit(
        np.array([[-1.0], [-1.0], [1.0], [1.0]]), [0, 1, 0, 1], sample_weight=counts.ravel()
    )
    at = free.predict_proba(np.array([[-1.0], [1.0]]))
    best = float((counts * np.log(at)).sum())  # a logistic regression with two weights fits at least as well
    assert sensor.conditional_log_likelihood(found, counts, prior) < best
    with pytest.raises(ValueError, match="right and wrong"):
        sensor.conditional_estimate([[5, 0], [0, 5]], prior)


def test_joint_estimate_maximises_the_joint_likelihood():
    counts, prior = np.array([[6, 20], [3, 71]]), 0.9
    grid = np.linspace(0.001, 0.999, 999)
    values = [(counts * np.log(sensor.cell_probabilities(theta, prior))).sum() for theta in grid]
    assert np.isclose(grid[np.argmax(values)], sensor.joint_estimate(counts), atol=1e-3)


@pytest.mark.parametrize("prior", [0.5, 0.7, 0.9])
def test_information_is_the_expected_squared_slope(prior):
    theta, step = 0.8, 1e-6
    p = sensor.cell_probabilities(theta, prior)
    assert np.isclose(p.sum(), 1)

    def logs(t):
        joint = sensor.cell_probabilities(t, prior)
        return np.log(joint), np.log(joint / joint.sum(axis=1, keepdims=True))

    for above, below, expected in zip(
        logs(theta + step), logs(theta - step), sensor.information(theta, prior), strict=True
    ):
        assert np.isclose((p * ((above - below) / (2 * step)) ** 2).sum(), expected, rtol=1e-6)


# Tables


def test_tables_are_distributions_with_the_given_frequencies():
    phi = np.array([0.3, 0.6, 0.5])
    for table in (tables.coins(phi), tables.hidden_cause(phi, 0.2)):
        assert np.isclose(table.sum(), 1)
        assert np.allclose(table @ tables.outcomes(3), phi)
    assert np.isclose(tables.coins(phi)[0b101], 0.3 * 0.4 * 0.5)
    assert tables.divergence(tables.coins(phi), tables.coins(phi)) == 0
    assert tables.divergence(tables.hidden_cause(phi, 0.2), tables.coins(phi)) > 0.01


def test_estimated_tables():
    counts = np.array([3, 0, 1, 4])
    assert np.allclose(tables.full_table(counts), np.array([3.5, 0.5, 1.5, 4.5]) / 10)
    assert np.allclose(tables.naive_table(counts, 2), tables.coins(np.array([5.5, 4.5]) / 9))
