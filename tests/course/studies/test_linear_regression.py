"""Least squares, its intervals and rounding errors, LMS and drifting targets; against independent oracles."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from course import datasets
from course.studies.linear_regression import figures, three_points, tracking
from course.studies.linear_regression.intervals import Fit, covered_when_left_out
from course.studies.linear_regression.lms import lms, lms_batch
from course.studies.linear_regression.normal_equations import by_normal_equations, by_qr, exactly, powers, rounding
from course.studies.linear_regression.tracking import Stream, Tracking, tracking_error
from course.studies.logistic_regression.adults import Adults
from probml.losses import Squared
from probml.objectives import LinearObjective

# Least squares


def test_fractions_find_a_polynomial_exactly():
    x = np.arange(8.0)
    np.testing.assert_array_equal(exactly(powers(x, 3), 2 - x + 3 * x**3), [2.0, -1.0, 0.0, 3.0])


def test_all_methods_agree_with_lapack():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
    expected = np.linalg.lstsq(X, y, rcond=None)[0]
    np.testing.assert_allclose(exactly(X, y), expected, rtol=1e-12)
    np.testing.assert_allclose(by_normal_equations(X, y), expected, rtol=1e-11)
    np.testing.assert_allclose(by_qr(X, y), expected, rtol=1e-12)


def test_three_points_have_whole_numbers():
    assert exactly(three_points.X, three_points.Y).tolist() == [1, 1]


def test_rounding_grows_with_the_condition_number_and_its_square():
    x = np.linspace(1.3, 1.8, 40)
    found = rounding(x, np.sin(9 * x), range(1, 9))
    unit = np.finfo(float).eps / 2
    assert np.all(np.diff(found.condition) > 0)
    assert found.condition[0] == pytest.approx(np.linalg.cond(powers(x, 1)))
    assert np.all(found.normal[2:5] > 10 * found.qr[2:5])
    assert np.all(found.qr < 1000 * unit * found.condition)
    assert np.all(found.normal[6:] > 0.1)  # no digit is right, on any processor
    assert np.all(found.package <= np.maximum(found.qr, 1e-15))


# Intervals


@pytest.fixture(scope="module")
def noisy():
    rng = np.random.default_rng(1)
    X = sm.add_constant(rng.normal(size=(25, 2)))
    return X, X @ [1.0, 2.0, -1.0] + rng.normal(size=25)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_intervals_are_those_of_statsmodels(noisy, level):
    X, y = noisy
    at = np.array([[1.0, 0.0, 0.0], [1.0, 2.0, -3.0]])
    ours, theirs = Fit.of(X, y), sm.OLS(y, X).fit()
    np.testing.assert_allclose(ours.theta, theirs.params)
    assert (ours.variance, ours.freedom) == (pytest.approx(theirs.scale), 22)
    predicted = theirs.get_prediction(at)
    for reach, limits in (
        (ours.reach_of_mean(at, level), predicted.conf_int(alpha=1 - level)),
        (ours.reach_of_response(at, level), predicted.conf_int(obs=True, alpha=1 - level)),
    ):
        np.testing.assert_allclose(limits, np.column_stack([at @ ours.theta - reach, at @ ours.theta + reach]))


def test_left_out_is_judged_by_the_externally_studentised_residual(noisy):
    X, y = noisy
    t = sm.OLS(y, X).fit().get_influence().resid_studentized_external
    np.testing.assert_array_equal(covered_when_left_out(X, y, 0.7), np.abs(t) <= stats.t.ppf(0.85, 21))
    assert 0 < covered_when_left_out(X, y, 0.7).sum() < 25


# LMS


def test_lms_by_hand():
    path = lms(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([3.0, 1.0]), [0.1, 0.5], start=np.array([1.0, 0.0]))
    # residual 3 - 1 = 2: θ = (1, 0) + 0.2 (1, 2); then 1 - 0.4 = 0.6: θ = (1.2, 0.4) + 0.3 (0, 1)
    np.testing.assert_allclose(path, [[1.0, 0.0], [1.2, 0.4], [1.2, 0.7]])


def test_batch_is_gradient_descent_and_the_mean_of_single_steps():
    rng = np.random.default_rng(1)
    X, y, start = rng.normal(size=(9, 3)), rng.normal(size=9), rng.normal(size=3)
    gradient = LinearObjective(X, y, Squared(), intercept=False).value_and_gradient(start)[1] / 9
    np.testing.assert_allclose(lms_batch(X, y, 0.1, 1, start)[1], start - 0.1 * gradient)
    single = np.mean([lms(X[[i]], y[[i]], 0.1, start)[1] - start for i in range(9)], axis=0)
    np.testing.assert_allclose(lms_batch(X, y, 0.1, 1, start)[1], start + single)


# Drift


def test_tracking_error_is_what_a_long_run_settles_at():
    stream = Stream.drawn(200_000, 0.05, 1.0, np.random.default_rng(2))
    blocks = stream.error(stream.followed(0.2))[1000:].reshape(199, 1000).mean(axis=1)
    assert abs(blocks.mean() - tracking_error(0.2, 0.05, 1.0)) < 4 * blocks.std(ddof=1) / np.sqrt(199)
    with pytest.raises(ValueError, match=r"between 0 and 0\.5, received 0\.5"):
        tracking_error(0.5, 0.05, 1.0)


def test_the_target_drifts_by_what_it_should():
    stream = Stream.drawn(50_000, 0.05, 0.7, np.random.default_rng(4))
    assert np.diff(stream.target, axis=0).std() == pytest.approx(0.05, rel=0.02)
    noise = stream.y - np.sum(stream.X * stream.target, axis=1)
    assert noise.std() == pytest.approx(0.7, rel=0.02)


def test_refitting_forgets_nothing():
    stream = Stream.drawn(40, 0.1, 0.5, np.random.default_rng(3))
    found = stream.refitted()
    assert found.shape == (39, 2)
    for k in (10, 40):
        np.testing.assert_allclose(found[k - 2], exactly(stream.X[:k], stream.y[:k]), rtol=1e-9)


def test_errors_of_streams_by_step(monkeypatch):
    monkeypatch.setattr(tracking, "LENGTH", 60)
    found = Tracking.measured(3, np.random.default_rng(5))
    assert found.followed.shape == (3, len(tracking.STEPS))
    stream = Stream.drawn(60, tracking.DRIFT, tracking.NOISE, np.random.default_rng(5))
    late = [np.sum((lms(stream.X, stream.y, tracking.STEPS[2])[k + 1] - stream.target[k]) ** 2) for k in range(30, 60)]
    assert found.followed[0, 2] == pytest.approx(np.mean(late))
    whole = [np.linalg.lstsq(stream.X[: k + 1], stream.y[: k + 1])[0] - stream.target[k] for k in range(30, 60)]
    assert found.refitted[0] == pytest.approx(np.mean(np.sum(np.square(whole), axis=1)))


# Figures


def test_figures_have_names_and_alternative_texts(monkeypatch):
    monkeypatch.setattr(tracking, "LENGTH", 100)
    adults, rng = Adults.of(datasets.load("howell")), np.random.default_rng(0)
    pictures = [
        figures.weight_on_height(adults, 0.95),
        figures.projection(),
        figures.rounding_errors(rounding(adults.height[:30] / 100, adults.weight[:30], range(1, 4))),
        figures.step_sizes(adults),
        figures.lms_paths(adults, 1, rng),
        figures.drift(Tracking.measured(2, rng), rng),
    ]
    assert len({picture.name for picture in pictures}) == len(pictures)
    assert all(len(picture.alt) > 100 for picture in pictures)
