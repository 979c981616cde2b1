"""Rules on known densities make the errors that are stated for them, and none makes fewer than the Bayes rule.

Without this, the note on the best classifier could measure its excess errors from a wrong minimum.
"""

from itertools import product

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from course.studies.the_best_classifier import likelihoods, plug_in
from course.studies.the_best_classifier.every_classifier import answers, bayes_mistakes, mistakes
from course.studies.the_best_classifier.hormone import CLINIC, Rule, TwoNormals
from probml.gda import GDA

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


# Two normal classes on a line

PROBLEMS = [
    CLINIC,
    TwoNormals((0.0, 2.0), (1.0, 1.0), 0.5),
    TwoNormals((1.0, -0.5), (2.0, 0.7), 0.2),
    TwoNormals((0.0, 0.5), (1.0, 1.01), 0.05),  # the class 1 is never named, or only far out
    TwoNormals((0.0, 0.0), (1.0, 1.0), 0.3),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=range(len(PROBLEMS)))
def test_bayes_rule_and_error_are_those_of_the_larger_density(problem):
    x = np.linspace(-30, 40, 70_001)
    joint = problem.joint(x)
    classes = [norm(mean, width) for mean, width in zip(problem.means, problem.widths, strict=True)]
    expected = np.transpose([p * each.pdf(x) for p, each in zip(problem.priors, classes, strict=True)])
    np.testing.assert_allclose(joint, expected, rtol=1e-9, atol=1e-300)
    rule = problem.bayes_rule()
    clear = np.abs(joint[:, 1] - joint[:, 0]) > 1e-12 * joint.max(axis=1)
    clear &= joint.max(axis=1) > 1e-290
    assert (rule(x) == (joint[:, 1] > joint[:, 0]))[clear].all()

    def smaller(t):
        return problem.joint(t).min()

    ends = [-30, *(cut for cut in rule.cuts if -30 < cut < 40), *problem.means, 40]
    area = sum(quad(smaller, *pair, epsabs=1e-13)[0] for pair in zip(sorted(ends), sorted(ends)[1:], strict=False))
    assert np.isclose(problem.bayes_error, area, rtol=0, atol=1e-9)


def test_error_of_a_rule_is_that_of_many_new_examples():
    x, y = CLINIC.draw(400_000, np.random.default_rng(1))
    rule = Rule(np.array([7.0, 9.5, 10.0]), np.array([0, 1, 0, 1]))
    exact = CLINIC.error(rule)
    assert abs(np.mean(rule(x) != y) - exact) < 4 * np.sqrt(exact * (1 - exact) / len(x))
    assert abs(y.mean() - CLINIC.prior) < 4 * np.sqrt(0.24 / len(y))
    opposite = Rule(rule.cuts, 1 - rule.answers)
    assert np.isclose(CLINIC.error(opposite), 1 - exact)


def test_excess_is_the_area_between_the_densities_where_rules_disagree():
    cut = 10.7
    x = np.linspace(-20, 40, 600_001)
    disagree = CLINIC.bayes_rule()(x) != CLINIC.one_cut(cut)(x)
    area = np.abs(np.diff(CLINIC.joint(x), axis=1))[disagree].sum() * (x[1] - x[0])
    assert np.isclose(CLINIC.error(CLINIC.one_cut(cut)) - CLINIC.bayes_error, area, atol=1e-4)


def test_best_cut_has_no_better_one():
    errors = [CLINIC.error(CLINIC.one_cut(cut)) for cut in np.linspace(-5, 30, 3501)]
    assert CLINIC.error(CLINIC.one_cut(CLINIC.best_cut())) <= min(errors)


def test_bad_normals():
    with pytest.raises(ValueError, match="positive"):
        TwoNormals((0.0, 1.0), (1.0, 0.0), 0.5)
    with pytest.raises(ValueError, match="prior"):
        TwoNormals((0.0, 1.0), (1.0, 1.0), 1.0)


# Plug-in classifiers


@pytest.mark.parametrize(("fit", "covariance"), [(plug_in.two_widths, "per-class"), (plug_in.one_width, "shared")])
def test_normal_rules_are_gda(fit, covariance):
    x, y = CLINIC.draw(200, np.random.default_rng(3))
    model = GDA(covariance=covariance).fit(x[:, None], y)
    grid = np.linspace(0, 22, 2001)
    assert (fit(x, y)(grid) == model.predict(grid[:, None])).all()


def test_one_width_is_one_cut():
    assert len(plug_in.one_width(*CLINIC.draw(50, np.random.default_rng(4))).cuts) == 1


def test_histogram_names_the_majority_of_each_bin():
    x = np.array([1.0, 1.1, 1.2, 9.0, 9.1, 15.0, 30.0, -3.0])
    y = np.array([1, 1, 0, 0, 1, 1, 1, 0])
    rule = plug_in.histogram(x, y)  # 8 examples: bins of 22 / 7
    assert np.allclose(np.diff(rule.cuts), 22 / 7)
    assert rule([1.0, 9.05, 15.0, 30.0, -3.0, 20.0]).tolist() == [1, 1, 1, 1, 0, 1]  # ties and empty: class 1 of all


def test_excess_errors_are_never_negative_and_follow_the_seed():
    excess = plug_in.excess_errors(CLINIC, [30, 300], 20, seed=0)
    for values in excess.values():
        assert values.shape == (2, 20)
        assert values.min() > -1e-12
    assert excess["two widths"][1].mean() < excess["two widths"][0].mean()
    other = plug_in.excess_errors(CLINIC, [30, 300], 20, seed=1)
    assert (other["histogram"] != excess["histogram"]).any()


def test_differences_on_test_sets_have_their_exact_mean():
    difference, expected = plug_in.on_test_sets(CLINIC, 100, 200, 400, seed=0)
    assert expected.min() > 0
    assert abs(difference.mean() - expected.mean()) < 4 * difference.std() / np.sqrt(400)


# The two likelihoods


def test_estimates_maximise_their_likelihoods():
    rng = np.random.default_rng(5)
    for counts in rng.integers(1, 40, size=(20, 2, 2)):
        for prior in (0.1, 0.5, 0.8):
            for which, found in enumerate(
                (likelihoods.joint_estimate(counts), likelihoods.conditional_estimate(counts, prior))
            ):
                best = minimize_scalar(
                    lambda theta, k=which, N=counts, p=prior: -likelihoods.log_likelihoods(theta, N, p)[k],
                    bounds=(1e-6, 1 - 1e-6),
                    method="bounded",
                    options={"xatol": 1e-10},
                )
                assert np.isclose(found, best.x, atol=1e-5)


def test_likelihoods_differ_by_that_of_the_features():
    counts = np.array([[71, 3], [20, 6]])
    joint, conditional = likelihoods.log_likelihoods(0.7, counts, 0.1)
    p_x = np.array([0.9 * 0.7 + 0.1 * 0.3, 0.9 * 0.3 + 0.1 * 0.7])
    assert np.isclose(joint - conditional, counts.sum(axis=1) @ np.log(p_x))


def test_many_tables_are_estimated_at_once():
    tables = np.random.default_rng(6).integers(1, 40, size=(4, 3, 2, 2))
    together = likelihoods.conditional_estimate(tables, 0.3)
    assert together.shape == (4, 3)
    assert np.isclose(together[2, 1], likelihoods.conditional_estimate(tables[2, 1], 0.3))


def test_an_estimate_at_the_edge_is_refused():
    with pytest.raises(ValueError, match="right and wrong"):
        likelihoods.conditional_estimate([[5, 0], [0, 5]], 0.9)
