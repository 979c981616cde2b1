"""Inference for logistic regression: simulated censuses, profiles, odds ratios, calibration, figures."""

import numpy as np
import pytest
from scipy.special import log_expit
from scipy.stats import chi2
from sklearn.linear_model import LogisticRegression as PeerLogisticRegression

from course.figures import Picture
from course.studies.how_sure_are_we import figures, held_out, odds
from course.studies.how_sure_are_we.profile import profile_of_weight
from course.studies.how_sure_are_we.sampling import CENTRE, simulate
from course.studies.logistic_regression.adults import Adults
from probml import datasets
from probml.linear_model import LogisticRegression
from probml.metrics import calibration_curve

REPEATS = 60


@pytest.fixture(scope="module")
def adults():
    return Adults.of(datasets.load("howell"))


@pytest.fixture(scope="module")
def simulated(adults):
    return simulate(adults, REPEATS, np.random.default_rng(0))


# --- simulated censuses ---


def test_simulated_censuses(adults, simulated):
    truth = LogisticRegression().fit(adults.height[:, None] - CENTRE[0], adults.man)
    np.testing.assert_allclose(simulated.truth, [truth.coef_.item(), truth.intercept_.item()])
    np.testing.assert_allclose(np.sqrt(np.diag(simulated.covariance)), truth.summary().standard_error)
    assert simulated.standard_error == pytest.approx(truth.summary().standard_error[0])
    assert simulated.slope.std() == pytest.approx(simulated.standard_error, rel=0.35)
    assert 0.8 < simulated.covered.mean() <= 1
    assert (simulated.likelihood_ratio > -1e-9).all()
    assert np.mean(simulated.likelihood_ratio > chi2(1).ppf(0.95)) < 0.25
    np.testing.assert_allclose(simulated.wald, simulated.likelihood_ratio, atol=0.5)


def test_one_step_from_the_truth_comes_close_to_the_estimate(simulated):
    remainder = simulated.one_step - simulated.estimate
    moved = simulated.estimate - simulated.truth
    assert np.abs(remainder[:, 0]).mean() < 0.5 * np.abs(moved[:, 0]).mean()
    assert np.corrcoef(simulated.one_step[:, 0], simulated.slope)[0, 1] > 0.95


def test_a_simulated_census_is_what_the_library_would_fit(adults):
    found = simulate(adults, 1, np.random.default_rng(7))
    X = adults.standardised
    truth = LogisticRegression().fit(X[:, :1], adults.man)
    p = truth.predict_proba(X[:, :1])[:, 1]
    y = (np.random.default_rng(7).random(len(p)) < p).astype(int)
    null, full = (PeerLogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(each, y) for each in (X[:, :1], X))
    likelihoods = [
        log_expit((2 * y - 1) * fit.decision_function(each)).sum() for fit, each in ((null, X[:, :1]), (full, X))
    ]
    assert found.slope[0] == pytest.approx(null.coef_.item() / adults.height.std(), rel=1e-5)
    assert found.likelihood_ratio[0] == pytest.approx(2 * (likelihoods[1] - likelihoods[0]), abs=1e-6)


# --- profile, odds ratios ---


def test_the_profile_is_highest_at_the_estimate_and_at_zero_that_of_height_alone(adults):
    full = LogisticRegression().fit(adults.features - CENTRE, adults.man).summary()
    null = LogisticRegression().fit(adults.features[:, :1] - CENTRE[0], adults.man).summary()
    best = full.coefficient[1]
    profile = profile_of_weight(adults, np.array([best - 0.05, best, best + 0.05, 0.0]))
    assert profile[1] == pytest.approx(full.log_likelihood)
    assert profile[3] == pytest.approx(null.log_likelihood)
    assert profile[1] > profile.max(where=[True, False, True, True], initial=-np.inf)


def test_odds_ratios(adults):
    rows = {(model, name): (float(ratio), interval) for model, name, ratio, interval in odds.ratios(adults)}
    model = LogisticRegression().fit(adults.features, adults.man)
    assert rows["both", "1 cm"][0] == pytest.approx(np.exp(model.coef_[0, 0]), abs=0.005)
    low, high = np.exp(10 * model.summary().interval[1])
    assert rows["both", "10 kg"] == (0.82, f"{low:.2f} to {high:.2f}")


# --- held out ---


def test_held_out_probabilities_are_those_of_models_without_the_person(adults):
    p = held_out.probabilities(adults)
    X = adults.height[:, None] - CENTRE[0]
    model = LogisticRegression().fit(np.delete(X, 7, axis=0), np.delete(adults.man, 7))
    assert p[7] == pytest.approx(model.predict_proba(X[[7]])[0, 1])
    seen = LogisticRegression().fit(X, adults.man).predict_proba(X)[:, 1]
    assert ((p < seen) == (adults.man == 1)).all()  # without a person the model leans away from their sex


def test_errors_by_chance_vanish_where_nothing_is_left_to_chance():
    p = np.repeat([0.0, 1.0], 20)
    assert held_out.errors_by_chance(p, 2, 5, np.random.default_rng(0)).max() == 0
    halves = held_out.errors_by_chance(np.linspace(0.3, 0.7, 100), 4, 50, np.random.default_rng(0))
    assert 0.03 < halves.mean() < 0.12


# --- figures ---


def test_figures(adults, simulated):
    curve = calibration_curve(adults.man, np.linspace(0.01, 0.99, len(adults)), 8, "quantile")
    pictures = [
        figures.sampling_distribution(simulated),
        figures.null_distribution(simulated, {"weight": 0.29, "height²": 10.2}),
        figures.two_parabolas(adults),
        figures.calibration(curve, np.linspace(0.01, 0.07, 50)),
    ]
    assert all(isinstance(picture, Picture) and len(picture.alt) > 100 for picture in pictures)
    assert len({picture.name for picture in pictures}) == len(pictures)
