"""Gaussian naive Bayes on a census: where it is undecided, how sure it is, and variances in between."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import multivariate_normal, norm
from sklearn.linear_model import LogisticRegression as PeerLogisticRegression

from course import datasets
from course.studies.gaussian_naive_bayes.boundary import cuts, log_joint, log_odds
from course.studies.gaussian_naive_bayes.confidence import Confidence, left_out, simulated
from course.studies.gaussian_naive_bayes.people import People
from course.studies.gaussian_naive_bayes.repairs import (
    each_left_out,
    kernels_apart,
    kernels_together,
    logistic,
    normals_apart,
)
from course.studies.gaussian_naive_bayes.shrinkage import mean_log_loss
from course.studies.gaussian_naive_bayes.variances import separate_and_shared
from probml.metrics import log_loss
from probml.naive_bayes import GaussianNB

SIX = np.array([100.0, 120, 140, 150, 160, 170])[:, None]
CLASSES = np.array([0, 0, 0, 1, 1, 1])


@pytest.fixture(scope="module")
def census():
    return People.of(datasets.load("howell"))


def test_people_are_adults_from_eighteen_on(census):
    assert np.bincount(census.adult).tolist() == [192, 352]
    assert census.age[census.adult == 1].min() == 18
    assert census.X.shape == (544, 2)


def test_cuts_are_where_the_log_odds_change_sign():
    own = GaussianNB(var_smoothing=0).fit(SIX, CLASSES)
    found = [brentq(lambda x: log_odds(own, np.array([[x]]))[0], *ends) for ends in ((130, 160), (160, 220))]
    np.testing.assert_allclose(cuts(own), found)
    shared = GaussianNB(var_smoothing=0, shared_variance=True).fit(SIX, CLASSES)
    np.testing.assert_allclose(cuts(shared), [140])


def test_log_joint_is_prior_times_density_and_gives_the_log_odds():
    own = GaussianNB(var_smoothing=0, priors=[0.75, 0.25]).fit(SIX, CLASSES)
    found = log_joint(own, [118.0, 171.5])
    expected = [
        [
            np.log(p * norm(mean, np.sqrt(variance)).pdf(x))
            for p, mean, variance in ((0.75, 120, 800 / 3), (0.25, 160, 200 / 3))
        ]
        for x in (118.0, 171.5)
    ]
    np.testing.assert_allclose(found, expected)
    np.testing.assert_allclose(found[:, 1] - found[:, 0], log_odds(own, np.array([[118.0], [171.5]])))


def test_no_cut_where_one_class_always_wins():
    own = GaussianNB(var_smoothing=0, priors=[0.9999, 0.0001]).fit(SIX, CLASSES)
    assert (log_odds(own, np.linspace(0, 300, 301)[:, None]) < 0).all()
    assert len(cuts(own)) == 0


def test_confidence_counts():
    posterior = np.array([[0.995, 0.005], [0.992, 0.008], [0.3, 0.7], [0.6, 0.4]])
    found = Confidence.of(np.array([0, 1, 1, 1]), np.log(posterior))
    assert (found.people, found.sure, found.sure_and_wrong) == (4, 2, 1)
    assert found.error == 0.5
    assert found.sure_expected == pytest.approx(0.005 + 0.008)
    assert found.expected_error == pytest.approx((0.005 + 0.008 + 0.3 + 0.4) / 4)
    assert found.log_loss == pytest.approx(-np.log([0.995, 0.008, 0.7, 0.4]).mean())


def test_limits_are_the_roots_of_wilsons_equation():
    found = Confidence(
        people=544, error=23 / 544, expected_error=0, log_loss=0, sure=0, sure_and_wrong=0, sure_expected=0
    )
    z = norm.ppf(0.975)
    for p in found.limits:
        assert abs(23 / 544 - p) == pytest.approx(z * np.sqrt(p * (1 - p) / 544))
    assert found.interval() == "2.8% to 6.3%"


def test_left_out_is_fitted_to_the_others(census):
    few = slice(0, 60)
    X, y = census.X[few], census.adult[few]
    logs = left_out(X, y, shared_variance=True)
    others = np.arange(60) != 7
    model = GaussianNB(var_smoothing=0, shared_variance=True).fit(X[others], y[others])
    np.testing.assert_allclose(logs[7], model.predict_log_proba(X[[7]])[0])
    assert logs.shape == (60, 2)


def test_each_is_judged_by_a_model_of_all_others(census):
    X, y = census.X[:60], census.adult[:60]
    np.testing.assert_allclose(each_left_out(X, y, normals_apart), left_out(X, y))


def _posterior(scores):
    return np.log(np.exp(scores) / np.exp(scores).sum())


@pytest.mark.parametrize("width", [1.0, 0.5])
def test_kernel_densities_are_means_of_normal_densities(census, width):
    X, y, x = census.X[:80], census.adult[:80], np.array([146.0, 37.0])
    apart, together = [], []
    for j in (0, 1):
        own = X[y == j]
        m, covariance = len(own), np.cov(own.T) * width**2
        widths = np.sqrt(np.diag(covariance)) * m ** (-1 / 5)
        apart.append(np.log(m / 80) + np.log(norm.pdf(x, own, widths).mean(axis=0)).sum())
        around = multivariate_normal(x, covariance * m ** (-2 / 6))
        together.append(np.log(m / 80) + np.log(around.pdf(own).mean()))
    np.testing.assert_allclose(kernels_apart(X, y, x, width), _posterior(apart))
    np.testing.assert_allclose(kernels_together(X, y, x, width), _posterior(together))


def test_logistic_is_that_of_another_library(census):
    X, y, x = census.X, census.adult, np.array([146.0, 37.0])
    scale = X.std(axis=0)
    peer = PeerLogisticRegression(C=1e10, tol=1e-10, max_iter=1000).fit((X - X.mean(axis=0)) / scale, y)
    expected = peer.predict_log_proba(((x - X.mean(axis=0)) / scale)[None])[0]
    np.testing.assert_allclose(logistic(X, y, x), expected, rtol=1e-4)


@pytest.mark.parametrize("correlated", [False, True])
def test_simulated_people_have_the_moments_of_the_census(census, correlated):
    X, y = census.X, census.adult
    features, classes, logs = simulated(X, y, 40_000, np.random.default_rng(1), correlated=correlated)
    assert classes.mean() == pytest.approx(y.mean(), abs=0.01)
    for j in (0, 1):
        np.testing.assert_allclose(features[classes == j].mean(axis=0), X[y == j].mean(axis=0), rtol=0.02)
        np.testing.assert_allclose(features[classes == j].std(axis=0), X[y == j].std(axis=0), rtol=0.03)
        expected = np.corrcoef(X[y == j].T)[0, 1] if correlated else 0
        assert np.corrcoef(features[classes == j].T)[0, 1] == pytest.approx(expected, abs=0.03)
    model = GaussianNB(var_smoothing=0).fit(X, y)
    np.testing.assert_allclose(logs[:5], model.predict_log_proba(features[:5]))


def test_separate_and_shared_are_tried_on_the_same_people(census):
    found = separate_and_shared(census, 300, 200, 2, 5)
    order = np.random.default_rng(5).permutation(544)
    own, other = order[:300], order[300:500]
    model = GaussianNB(shared_variance=True).fit(census.X[own][:, [1]], census.adult[own])
    expected = log_loss(census.adult[other], model.predict_log_proba(census.X[other][:, [1]]))
    assert found["weight"][1].log_loss[0] == pytest.approx(expected)
    assert list(found) == ["height", "weight", "height and weight"]


def test_shrinkage_ends_at_separate_and_at_pooled_variances(census):
    found = mean_log_loss(census, 40, np.array([0.0, 1.0]), 1, 3)
    rng = np.random.default_rng(3)
    own = np.concatenate([rng.permutation(np.flatnonzero(census.adult == j))[:20] for j in (0, 1)])
    others = np.setdiff1d(np.arange(544), own)
    for k, shared in enumerate((False, True)):
        model = GaussianNB(var_smoothing=0, shared_variance=shared).fit(census.X[own], census.adult[own])
        expected = log_loss(census.adult[others], model.predict_log_proba(census.X[others]))
        assert found[k] == pytest.approx(expected)
