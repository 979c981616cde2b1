"""Experiments on normal classes: the census, compromises between covariances, integrals, derivatives, ellipses."""

import numpy as np
import pytest
from scipy.stats import chi2, multivariate_normal

from course import datasets
from course.studies.gaussian_discriminant_analysis import cuts
from course.studies.gaussian_discriminant_analysis.census import CHILD, MAN, WOMAN, Census, leave_one_out
from course.studies.gaussian_discriminant_analysis.compromises import towards_diagonal, towards_shared
from course.studies.gaussian_discriminant_analysis.derivatives import derivative
from course.studies.gaussian_discriminant_analysis.ellipses import ellipse, radius_of
from course.studies.gaussian_discriminant_analysis.likelihood import joint_log_likelihood
from course.studies.gaussian_discriminant_analysis.problems import Problem, problems
from course.studies.gaussian_discriminant_analysis.quadrature import grid_moments
from probml.gda import GDA

SIGMA = np.array([[2.0, 0.6], [0.6, 0.5]])
MU = np.array([1.0, -2.0])


def test_moments_of_a_normal_distribution():
    mass, first, second = grid_moments(multivariate_normal(MU, SIGMA).pdf, MU - 15, MU + 15, 400)
    assert mass == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(first, MU, atol=1e-12)
    np.testing.assert_allclose(second - np.outer(MU, MU), SIGMA, atol=1e-11)


def test_moments_in_one_dimension():
    mass, first, _ = grid_moments(lambda x: 3 * np.exp(-((x[:, 0] - 1) ** 2)), [-9], [11], 200)
    assert mass == pytest.approx(3 * np.sqrt(np.pi), abs=1e-12)
    assert first == pytest.approx(3 * np.sqrt(np.pi), abs=1e-12)


def test_derivative_of_polynomials():
    A = np.array([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_allclose(derivative(lambda M: M[0, 0] ** 2 * M[0, 1] + M[1, 0] ** 3, A), [[4, 1], [27, 0]])
    found = derivative(lambda M: M[0, 1] * 5 + M[1, 0] * 2 + M[1, 1], A, symmetric=True)
    np.testing.assert_allclose(found, [[0, 7], [7, 1]])
    np.testing.assert_allclose(derivative(lambda v: (v**2).sum(), np.array([1.0, -3.0])), [2, -6])


def test_log_likelihood_is_that_of_the_model():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=50)
    X = rng.normal(size=(50, 2)) @ SIGMA + y[:, None]
    model = GDA().fit(X, y)
    value = joint_log_likelihood(X, y, model.priors_[1], model.means_, model.covariance_)
    assert value == pytest.approx(model.log_joint(X)[np.arange(50), y].sum())
    peer = sum(multivariate_normal(MU, SIGMA).logpdf(X[y == j]).sum() for j in (0, 1))
    peer += np.log(0.3) * y.sum() + np.log(0.7) * (1 - y).sum()
    assert joint_log_likelihood(X, y, 0.3, np.array([MU, MU]), SIGMA) == pytest.approx(peer)


def test_ellipses_have_one_mahalanobis_radius():
    deviation = ellipse(MU, SIGMA, 1.7).T - MU
    np.testing.assert_allclose(np.sum(deviation * np.linalg.solve(SIGMA, deviation.T).T, axis=1), 1.7**2)
    assert radius_of(0.9) ** 2 == pytest.approx(chi2(2).ppf(0.9))
    with pytest.raises(ValueError, match=r"share must be between 0 and 1, received 1\.0"):
        radius_of(1.0)


# --- the census ---


def test_groups_of_the_census():
    census = Census.of(datasets.load("howell"))
    assert [np.sum(census.group == each) for each in (CHILD, WOMAN, MAN)] == [192, 187, 165]
    X, man = census.adults
    assert len(X) == len(man) == 352
    assert X[man == 1].mean(axis=0) == pytest.approx(census.X[census.group == MAN].mean(axis=0))
    assert X[man == 1, 0].mean() > X[man == 0, 0].mean() + 10  # men are taller by more than ten centimetres


def test_each_person_is_predicted_by_a_fit_to_the_others():
    X = np.array([[0.0], [1.0], [6.4], [10.0], [11.0], [12.0]])
    group = np.array([0, 0, 0, 1, 1, 1])
    np.testing.assert_array_equal(GDA(covariance="shared").fit(X, group).predict(X), group)
    assert leave_one_out("shared", X, group) == 1  # without the third, its class has its mean at 0.5
    X[2] = 2.0
    assert leave_one_out("shared", X, group) == 0


# --- compromises between covariances ---


@pytest.fixture
def few():
    """Twenty examples with three features, and five further ones."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], [8, 12])
    X = rng.normal(size=(20, 3)) @ rng.normal(size=(3, 3)) * np.where(y == 1, 2, 1)[:, None] + y[:, None]
    return X, y, rng.normal(size=(5, 3))


def log_odds(X, y, Z, covariances):
    """By Bayes' theorem, from densities of another library."""
    joint = [
        np.log(np.mean(y == j)) + multivariate_normal(X[y == j].mean(axis=0), covariances[j]).logpdf(Z) for j in (0, 1)
    ]
    return joint[1] - joint[0]


def scatter(X, y):
    own = [np.cov(X[y == j].T, bias=True) for j in (0, 1)]
    return own, np.mean(y == 0) * own[0] + np.mean(y == 1) * own[1]


@pytest.mark.parametrize("strength", [0.0, 0.3, 1.0])
def test_shrinkage_towards_the_diagonal_is_bayes_theorem(few, strength):
    X, y, Z = few
    S = scatter(X, y)[1]
    shrunken = (1 - strength) * S + strength * np.diag(np.diag(S))
    found = towards_diagonal(X, y, Z, np.array([0.7, strength]))
    np.testing.assert_allclose(found[1], log_odds(X, y, Z, [shrunken, shrunken]), rtol=1e-9)


@pytest.mark.parametrize("strength", [0.0, 0.3, 1.0])
def test_the_compromise_between_lda_and_qda_is_bayes_theorem(few, strength):
    X, y, Z = few
    own, S = scatter(X, y)
    mixed = [(1 - strength) * each + strength * S for each in own]
    found = towards_shared(X, y, Z, np.array([0.7, strength]))
    np.testing.assert_allclose(found[1], log_odds(X, y, Z, mixed), rtol=1e-9)


def test_units_do_not_matter(few):
    X, y, Z = few
    units, strengths = np.array([1e-3, 1.0, 1e4]), np.array([0.0, 0.4, 1.0])
    for family in (towards_diagonal, towards_shared):
        np.testing.assert_allclose(family(X * units, y, Z * units, strengths), family(X, y, Z, strengths), rtol=1e-6)


def test_a_constant_feature_is_left_out(few):
    X, y, Z = few
    strengths = np.array([0.0, 0.5, 1.0])
    for family in (towards_diagonal, towards_shared):
        found = family(np.column_stack([X, np.full(20, 7.0)]), y, np.column_stack([Z, np.full(5, 9.0)]), strengths)
        np.testing.assert_allclose(found, family(X, y, Z, strengths), rtol=1e-9)


def test_a_singular_covariance_has_no_log_odds(few):
    X, y, Z = few
    double, further = np.column_stack([X, X[:, 0] + X[:, 1]]), np.column_stack([Z, Z[:, 0] + Z[:, 1]])
    found = towards_diagonal(double, y, further, np.array([0.0, 0.1, 1.0]))
    assert np.isnan(found[0]).all()
    assert np.isfinite(found[1:]).all()
    assert np.isnan(towards_shared(double, y, further, np.array([0.0, 0.5, 1.0]))).all()
    # two examples of a class have no covariance of their own, but with a part of the shared one they do
    found = towards_shared(X[6:], y[6:], Z, np.array([0.0, 0.2]))
    assert np.isnan(found[0]).all()
    assert np.isfinite(found[1]).all()


# --- cuts ---


def test_cross_validation_takes_the_smallest_log_loss():
    """A family whose log odds are right, of strength s, times s: the largest s of those that are sure of nothing."""
    y = np.tile([0, 1], 10)
    X = y[:, None].astype(float)

    def sure(_, __, Z, strengths):
        truth = np.where(Z[:, 0] == 1, 1.0, -1.0)
        scores = strengths[:, None] * truth
        scores[strengths > 0.65] = np.nan
        return scores

    assert cuts.STRENGTHS[cuts.chosen_strength(sure, X, y, np.random.default_rng(0))] == 0.6


def test_cross_validation_never_sees_the_fold_it_judges():
    """Features that name the example tell nothing about a fold that was left out."""
    seen = []

    def spy(X, y, Z, strengths):
        seen.append(not set(X[:, 0]) & set(Z[:, 0]) and set(y) == {0, 1})
        return np.zeros((len(strengths), len(Z)))

    cuts.chosen_strength(spy, np.arange(20.0)[:, None], np.repeat([0, 1], [2, 18]), np.random.default_rng(0))
    assert seen == [True] * cuts.FOLDS


def test_cuts_hold_rows_out_and_choose_on_training_rows():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=90)
    problem = Problem("normal", rng.normal(size=(90, 2)) + 3 * y[:, None], y)
    found = cuts.over_cuts(towards_diagonal, problem, 30, cuts=6, repeats=3, seed=[0])
    assert (found.train, found.test, found.size) == (60, 30, 30)
    assert found.error.shape == (6, len(cuts.STRENGTHS))
    assert found.error.mean() < 6  # the Bayes error is 1.7 %
    assert found.log_loss.shape == found.error.shape
    assert 0.01 < found.log_loss.mean() < 0.3  # far below log 2, the loss of one half
    assert np.all(found.chosen >= found.error.min(axis=1) - 1e-9)
    assert np.all(found.chosen <= found.error.max(axis=1) + 1e-9)
    again = cuts.over_cuts(towards_diagonal, problem, 30, cuts=6, repeats=3, seed=[0])
    np.testing.assert_array_equal(found.chosen, again.chosen)
    mean, half = found.lead(-1)
    assert mean == pytest.approx(np.mean(found.chosen - found.error[:, -1]))
    assert half >= 0
    with pytest.raises(ValueError, match="normal leaves 60 rows for training, fewer than 61"):
        cuts.over_cuts(towards_diagonal, problem, 61, cuts=1, repeats=1, seed=[0])


def test_a_lead_over_an_end_without_estimate_is_none():
    outcome = cuts.Outcome(
        20, np.array([[np.nan, 3.0], [2.0, 4.0]]), np.array([2.0, 3.0]), np.zeros(2), np.ones((2, 2)), 20, 10
    )
    assert outcome.lead(0) is None
    assert outcome.lead(-1)[0] == pytest.approx(-1)


def test_problems_have_labels_and_features():
    found = problems("liver", "pima", "boston", "ionosphere", "sonar")
    assert [each.title for each in found] == [
        "liver, n = 6",
        "diabetes, n = 8",
        "houses, n = 12",
        "radar, n = 32",
        "sonar, n = 60",
    ]
    assert all(set(each.y) == {0, 1} for each in found)
