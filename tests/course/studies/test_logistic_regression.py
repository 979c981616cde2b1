"""Logistic regression: the adults of the census, six examples, simulated responses, calibration, figures."""

import numpy as np
import pytest
from scipy.special import expit, log_expit
from scipy.stats import chi2
from sklearn.linear_model import LogisticRegression as PeerLogisticRegression

from course.figures import Picture
from course.studies.logistic_regression import figures, held_out, six_examples
from course.studies.logistic_regression.adults import Adults
from course.studies.logistic_regression.odds import odds_ratios
from course.studies.logistic_regression.sampled_by_outcome import without_half_the_men
from course.studies.logistic_regression.sampling import simulate
from probml import datasets
from probml.errors import SeparationError
from probml.linear_model import LogisticRegression
from probml.metrics import calibration_curve

REPEATS = 60


@pytest.fixture(scope="module")
def adults():
    return Adults.of(datasets.load("howell"))


@pytest.fixture(scope="module")
def simulated(adults):
    return simulate(adults, REPEATS, np.random.default_rng(0))


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


# --- simulated responses ---


def test_simulated_censuses(adults, simulated):
    truth = LogisticRegression().fit(adults.height[:, None], adults.man)
    assert simulated.true_slope == pytest.approx(truth.coef_.item())
    assert simulated.standard_error == pytest.approx(truth.summary().standard_error[0])
    assert simulated.slope.std() == pytest.approx(simulated.standard_error, rel=0.35)
    assert 0.8 < simulated.covered.mean() <= 1
    assert (simulated.likelihood_ratio > -1e-9).all()
    assert np.mean(simulated.likelihood_ratio > chi2(1).ppf(0.95)) < 0.25
    np.testing.assert_allclose(simulated.wald, simulated.likelihood_ratio, atol=0.5)


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


# --- held out, and sampled by outcome ---


def test_held_out_probabilities_are_those_of_models_without_the_person(adults):
    p = held_out.probabilities(adults, 4, np.random.default_rng(3))
    fold = np.random.default_rng(3).permutation(len(adults)) % 4
    height = adults.standardised[:, :1]
    model = LogisticRegression().fit(height[fold != 2], adults.man[fold != 2])
    np.testing.assert_allclose(p[fold == 2], model.predict_proba(height[fold == 2])[:, 1])


def test_errors_by_chance_vanish_where_nothing_is_left_to_chance():
    p = np.repeat([0.0, 1.0], 20)
    assert held_out.errors_by_chance(p, 2, 5, np.random.default_rng(0)).max() == 0
    halves = held_out.errors_by_chance(np.linspace(0.3, 0.7, 100), 4, 50, np.random.default_rng(0))
    assert 0.03 < halves.mean() < 0.12


def test_without_half_the_men(adults):
    changes = without_half_the_men(adults, 20, np.random.default_rng(1))
    assert changes.observed.shape == changes.if_true.shape == (20, 3)
    slope = LogisticRegression().fit(adults.height[:, None], adults.man).coef_.item()
    np.testing.assert_allclose(changes.expected, [0, -np.log(165 / 82), np.log(165 / 82) / slope])
    assert (np.abs(changes.if_true.mean(axis=0) - changes.expected) < [0.03, 0.12, 0.2]).all()


# --- odds ratios ---


def test_odds_ratios(adults):
    rows = {name: (float(ratio), interval) for name, ratio, interval in odds_ratios(adults)}
    model = LogisticRegression().fit(adults.features, adults.man)
    assert rows["height, given weight, 1 cm"][0] == pytest.approx(np.exp(model.coef_[0, 0]), abs=0.005)
    low, high = np.exp(10 * model.summary().interval[1])
    assert rows["weight, given height, 10 kg"] == (0.82, f"{low:.2f} to {high:.2f}")


# --- figures ---


def test_figures(adults, simulated):
    curve = calibration_curve(adults.man, np.linspace(0.01, 0.99, len(adults)), 8, "quantile")
    pictures = [
        figures.height_and_weight(adults),
        figures.sex_on_height(adults),
        figures.maximum(),
        figures.coefficient_paths(adults),
        figures.wald_and_wilks(simulated, {"weight": 0.29, "height²": 10.2}),
        figures.calibration(curve, np.linspace(0.01, 0.07, 50)),
    ]
    assert all(isinstance(picture, Picture) and len(picture.alt) > 100 for picture in pictures)
    assert len({picture.name for picture in pictures}) == len(pictures)


def test_the_weight_vector_of_the_figure_stands_at_right_angles_to_the_boundary(adults):
    ax = figures.height_and_weight(adults).fig.axes[0]
    model = LogisticRegression().fit(adults.standardised, adults.man)
    lines = [line.get_xydata() for line in ax.get_lines() if len(line.get_xydata()) == 2]
    assert len(lines) == 5
    for level, line in zip((-4, -2, 0, 2, 4), lines, strict=True):
        np.testing.assert_allclose(model.decision_function(line), level, atol=1e-9)
        assert (line[1] - line[0]) @ model.coef_[0] == pytest.approx(0, abs=1e-9)
    assert ax.get_aspect() == 1
