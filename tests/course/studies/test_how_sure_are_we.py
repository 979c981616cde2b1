"""Standard errors, profiles, p-values and bands of logistic regression hold what they promise in simulated censuses.

Without this, the note could be too sure, and its figures would look the same.
"""

import numpy as np
import pytest
from scipy.special import expit, log_expit
from scipy.stats import chi2
from sklearn.linear_model import LogisticRegression as PeerLogisticRegression

from course import datasets
from course.figures import Picture
from course.studies.how_sure_are_we import calibration, figures, odds
from course.studies.how_sure_are_we.profile import profile_of_weight
from course.studies.how_sure_are_we.sampling import CENTRE, simulate
from course.studies.logistic_regression.adults import Adults
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
    assert rows["height and weight", "1 cm"][0] == pytest.approx(np.exp(model.coef_[0, 0]), abs=0.005)
    low, high = np.exp(10 * model.summary().interval[1])
    assert rows["height and weight", "10 kg"] == (0.82, f"{low:.2f} to {high:.2f}")


def test_sandwich_errors_add_up_what_a_little_more_weight_on_each_person_changes(adults):
    X, y = adults.features - CENTRE, adults.man
    little, usual = 1e-4, LogisticRegression().fit(X, y).summary().coefficient
    moved = [
        LogisticRegression().fit(X, y, sample_weight=1 + little * more).summary().coefficient - usual
        for more in np.eye(len(y))
    ]
    errors = np.sqrt(np.square(moved).sum(axis=0)) / little
    np.testing.assert_allclose(odds.sandwich_errors(X, y), errors, rtol=1e-3)


def test_intervals_if_the_line_bends(adults):
    kept = (adults.man == 0) | (adults.height > 143)
    found = odds.if_the_line_bends(adults, kept)
    usual = LogisticRegression().fit(adults.features, adults.man).summary()
    np.testing.assert_allclose(found["as in section 3"][:, 1:], np.exp(usual.interval[:2]))
    robust = found["sandwich errors"]
    np.testing.assert_allclose(robust[:, 0], np.exp(usual.coefficient[:2]))
    width = 2 * 1.96 * odds.sandwich_errors(adults.features - CENTRE, adults.man)[:2]
    np.testing.assert_allclose(np.log(robust[:, 2] / robust[:, 1]), width, rtol=1e-4)
    fewer = LogisticRegression().fit(adults.features[kept], adults.man[kept]).summary()
    np.testing.assert_allclose(found["without the two men"][:, 1:], np.exp(fewer.interval[:2]))
    height, weight = adults.features.T
    curved = LogisticRegression().fit(np.column_stack([height, weight, (height - 155) ** 2]), adults.man).summary()
    np.testing.assert_allclose(found["with height² added, at 155 cm"][:, 1:], np.exp(curved.interval[:2]), rtol=1e-6)


# --- calibration ---


def census(heights, men, count):
    """Adults with `men` men among `count` people of each height."""
    man = np.concatenate([np.arange(c) < k for k, c in zip(men, count, strict=True)]).astype(int)
    return Adults(np.repeat(np.asarray(heights, dtype=float), count), np.full(len(man), 45.0), man)


def test_people_of_equal_height_stay_together_in_groups_of_about_equal_size(adults):
    for groups in (4, 8, 15):
        group = calibration.by_height(adults.height, groups)
        assert (np.diff(group[np.argsort(adults.height)]) >= 0).all()
        assert len(set(zip(adults.height, group, strict=True))) == len(set(adults.height))
        assert np.bincount(group, minlength=groups).min() > len(adults) / groups / 2
    assert calibration.by_height(np.array([1.0, 2, 3, 4]), 2).tolist() == [0, 0, 1, 1]
    assert calibration.by_height(np.array([1.0, 2, 3, 4]), 2, np.array([4.0, 1])).tolist() == [1, 0]


def test_errors_and_sums_are_those_of_the_library_s_fit(adults):
    found = calibration.against_chance(adults, [4, 8, 15], 2, np.random.default_rng(0))
    X = adults.height[:, None] - CENTRE[0]
    p = LogisticRegression().fit(X, adults.man).predict_proba(X)[:, 1]
    expected = [calibration_curve(adults.man, p, groups, "quantile").error for groups in found.groups]
    np.testing.assert_allclose(found.error, expected, atol=1e-9)
    up_to = [abs((adults.man - p)[adults.height <= h].sum()) for h in set(adults.height)]
    assert found.largest_sum == pytest.approx(max(up_to))
    sums = [(adults.man - p)[adults.height <= h].sum() for h in found.heights]
    np.testing.assert_allclose(found.running_sum, sums, atol=1e-7)
    np.testing.assert_array_equal(found.heights, np.unique(adults.height))


@pytest.mark.parametrize("degree", [1, 2])
def test_a_simulated_census_is_fitted_again(adults, degree):
    found = calibration.against_chance(adults, [8], 1, np.random.default_rng(5), degree)
    heights, count = np.unique(adults.height, return_counts=True)

    def powers(height):
        return np.column_stack([((height - 155) / 8) ** k for k in range(1, degree + 1)])

    truth = LogisticRegression().fit(powers(adults.height), adults.man)
    drawn = np.random.default_rng(5).binomial(count, truth.predict_proba(powers(heights))[:, 1])
    again = census(heights, drawn, count)
    peer = PeerLogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(powers(again.height), again.man)
    p = expit(peer.decision_function(powers(again.height)))
    sums = np.cumsum(np.bincount(np.unique(again.height, return_inverse=True)[1], again.man - p))
    assert found.sum_by_chance[0] == pytest.approx(np.abs(sums).max(), abs=1e-4)
    np.testing.assert_allclose(found.band, [sums, sums], atol=1e-4)  # both ends of the middle of a single census
    group = calibration.by_height(again.height, 8)
    error = sum(abs((again.man - p)[group == g].sum()) for g in range(8)) / len(again)
    assert found.error_by_chance[0, 0] == pytest.approx(error, abs=1e-6)


def test_p_values_are_small_for_a_wrong_model_and_evenly_spread_for_a_true_one():
    heights, count = np.arange(140, 171, 2), np.full(16, 20)
    bent = census(heights, np.rint(20 * expit(((heights - 155) / 8) ** 2 - 1)).astype(int), count)
    rng = np.random.default_rng(0)
    assert calibration.against_chance(bent, [5], 200, rng).p_value_without_groups < 0.02
    assert calibration.against_chance(bent, [5], 200, rng).p_values[0] < 0.02
    assert calibration.against_chance(bent, [5], 200, rng, degree=2).p_value_without_groups > 0.5
    line = expit(0.2 * (heights - 155))
    p_values = [
        calibration.against_chance(census(heights, rng.binomial(count, line), count), [5], 100, rng) for _ in range(60)
    ]
    for found in ([each.p_values[0] for each in p_values], [each.p_value_without_groups for each in p_values]):
        assert 0.35 < np.mean(found) < 0.65
        assert np.mean(np.array(found) < 0.1) < 0.25


def test_the_band_reaches_1_96_standard_deviations_of_the_running_sum():
    heights, count = np.arange(140, 171, 2), np.full(16, 40)
    people = census(heights, np.rint(40 * expit(0.2 * (heights - 155))).astype(int), count)
    found = calibration.against_chance(people, [4], 4000, np.random.default_rng(0))
    p = expit(0.2 * (heights - 155))
    X, variance = np.column_stack([heights - 155, np.ones(16)]), count * p * (1 - p)
    fitted = (X.T * variance).T @ np.linalg.inv((X.T * variance) @ X) @ (X.T * variance)  # what the refit takes away
    up_to = np.tril(np.ones((16, 16)))
    deviation = np.sqrt(np.diag(up_to @ (np.diag(variance) - fitted) @ up_to.T)[3:-3])
    np.testing.assert_allclose(found.band[:, 3:-3], 1.96 * np.array([-deviation, deviation]), rtol=0.1)


def test_a_fit_that_does_not_converge_is_an_error():
    separated = census([140, 150, 160, 170], [0, 0, 10, 10], [10, 10, 10, 10])
    with pytest.raises((RuntimeError, np.linalg.LinAlgError)):
        calibration.against_chance(separated, [2], 1, np.random.default_rng(0))


def test_left_out_probabilities_are_those_of_models_without_the_person(adults):
    p = calibration.left_out(adults)
    X = adults.height[:, None] - CENTRE[0]
    model = LogisticRegression().fit(np.delete(X, 7, axis=0), np.delete(adults.man, 7))
    assert p[7] == pytest.approx(model.predict_proba(X[[7]])[0, 1])
    seen = LogisticRegression().fit(X, adults.man).predict_proba(X)[:, 1]
    assert ((p < seen) == (adults.man == 1)).all()  # without a person the model leans away from their sex


# --- figures ---


def test_figures(adults, simulated):
    curve = calibration_curve(adults.man, np.linspace(0.01, 0.99, len(adults)), 8, "quantile")
    pictures = [
        figures.sampling_distribution(simulated),
        figures.null_distribution(simulated, {"weight": 0.29, "height²": 10.2}),
        figures.two_parabolas(adults),
        figures.calibration(curve, calibration.against_chance(adults, range(4, 16), 50, np.random.default_rng(0))),
    ]
    assert all(isinstance(picture, Picture) and len(picture.alt) > 100 for picture in pictures)
    assert len({picture.name for picture in pictures}) == len(pictures)
