"""Experiments on regression: least squares, LMS, families, bicycles; against independent oracles."""

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from course.studies.linear_regression_and_glms.bicycles import Hours, days_apart, hours
from course.studies.linear_regression_and_glms.diagnostics import (
    deviance_residuals,
    dispersion,
    errors_by_group,
    interval_by_groups,
    resampled_groups,
    spread_by_mean,
)
from course.studies.linear_regression_and_glms.family_checks import Entry, check, counts, entries, integers
from course.studies.linear_regression_and_glms.lms import drifting, least_squares_so_far, lms, lms_batch, tracking_error
from course.studies.linear_regression_and_glms.normal_equations import by_normal_equations, exactly, powers
from course.studies.linear_regression_and_glms.predictive import (
    covered,
    gaussian_interval,
    overdispersed_interval,
    poisson_interval,
)
from probml import datasets
from probml.families import Poisson
from probml.linear_model import PoissonRegression
from probml.losses import Squared
from probml.objectives import LinearObjective

# Least squares


def test_fractions_find_a_polynomial_exactly():
    x = np.arange(8.0)
    np.testing.assert_array_equal(exactly(powers(x, 3), 2 - x + 3 * x**3), [2.0, -1.0, 0.0, 3.0])


def test_fractions_and_normal_equations_agree_with_lapack():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
    expected = np.linalg.lstsq(X, y, rcond=None)[0]
    np.testing.assert_allclose(exactly(X, y), expected, rtol=1e-12)
    np.testing.assert_allclose(by_normal_equations(X, y), expected, rtol=1e-11)


# LMS


def test_lms_by_hand():
    path = lms(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([3.0, 1.0]), [0.1, 0.5], start=np.array([1.0, 0.0]))
    # residual 3 - 1 = 2: θ = (1, 0) + 0.2 (1, 2); then 1 - 0.4 = 0.6: θ = (1.2, 0.4) + 0.3 (0, 1)
    np.testing.assert_allclose(path, [[1.0, 0.0], [1.2, 0.4], [1.2, 0.7]])


def test_batch_is_gradient_descent_and_the_sum_of_single_steps():
    rng = np.random.default_rng(1)
    X, y, start = rng.normal(size=(9, 3)), rng.normal(size=9), rng.normal(size=3)
    gradient = LinearObjective(X, y, Squared(), intercept=False).value_and_gradient(start)[1]
    np.testing.assert_allclose(lms_batch(X, y, 0.01, 1, start)[1], start - 0.01 * gradient)
    single = sum(lms(X[[i]], y[[i]], 0.01, start)[1] - start for i in range(9))
    np.testing.assert_allclose(lms_batch(X, y, 0.01, 1, start)[1], start + single)


def test_tracking_error_is_what_a_long_run_settles_at():
    X, y, truth = drifting(200_000, 0.05, 1.0, np.random.default_rng(2))
    squares = np.sum((lms(X, y, 0.2)[1:] - truth) ** 2, axis=1)[1000:]
    blocks = squares.reshape(199, 1000).mean(axis=1)
    assert abs(blocks.mean() - tracking_error(0.2, 0.05, 1.0)) < 4 * blocks.std(ddof=1) / np.sqrt(199)
    with pytest.raises(ValueError, match=r"between 0 and 0\.5, received 0\.5"):
        tracking_error(0.5, 0.05, 1.0)


def test_least_squares_so_far_forgets_nothing():
    X, y, _ = drifting(40, 0.1, 0.5, np.random.default_rng(3))
    found = least_squares_so_far(X, y, [10, 40])
    np.testing.assert_allclose(found, [exactly(X[:10], y[:10]), exactly(X, y)], rtol=1e-10)


# Families


@pytest.mark.parametrize("name", entries())
def test_every_family_passes(name):
    errors = check(entries()[name])
    assert max(errors.density, errors.normaliser, errors.mean, errors.covariance) < 1e-12
    assert errors.slope < 1e-9


class WrongPoisson(Poisson):
    """A Poisson family with one mistake."""

    def __init__(self, mistake):
        object.__setattr__(self, "mistake", mistake)

    def log_base(self, x):
        return super().log_base(x) + (0.01 if self.mistake == "base" else 0.0)

    def cumulant(self, theta, order=0):
        return super().cumulant(theta, order) * (1.01 if self.mistake == order else 1.0)


@pytest.mark.parametrize(
    ("mistake", "seen"),
    [
        ("base", {"density", "normaliser"}),
        (0, {"density", "normaliser", "slope"}),
        (1, {"slope", "mean"}),
        (2, {"covariance"}),
    ],
    ids=["base", "A", "mean", "variance"],
)
def test_a_wrong_row_is_found_where_it_is_wrong(mistake, seen):
    errors = check(replace(entries()["Poisson"], family=WrongPoisson(mistake)))
    assert {name for name, error in errors._asdict().items() if error > 1e-4} == seen


def test_rules_of_counts():
    assert len(counts(4, 3).x) == 15  # (4 + 2 choose 2)
    assert (counts(4, 3).x.sum(axis=1) == 4).all()
    assert integers(0, 3).x.tolist() == [0, 1, 2, 3]
    entry = Entry(Poisson(), {"rate": 2.0}, integers(0, 1), stats.poisson(2.0).logpmf)
    assert check(entry).normaliser > 0.1  # a rule that leaves out most of the support


# Bicycles


@pytest.fixture(scope="module")
def rented():
    return hours(datasets.load("bike-sharing"))


def test_design_of_the_bicycles(rented):
    assert rented.X.shape == (17379, len(rented.names)) == (17379, 65)
    X = np.column_stack([rented.X, np.ones(len(rented.X))])
    assert np.linalg.matrix_rank(X) == 66
    assert rented.day.max() == 730
    column = dict(zip(rented.names, rented.X.T, strict=True))
    np.testing.assert_array_equal(column["hour 8"], rented.hour == 8)
    np.testing.assert_array_equal(column["hour 8, working day"], (rented.hour == 8) & (column["working day"] == 1))
    assert rented.y.sum() == 3292679


def test_whole_days_are_held_out(rented):
    train, test = days_apart(rented, 0.25, np.random.default_rng(0))
    assert not set(train.day) & set(test.day)
    assert len(set(test.day)) == round(0.25 * 731)
    assert len(train.y) + len(test.y) == len(rented.y)
    again = days_apart(rented, 0.25, np.random.default_rng(0))[1]
    np.testing.assert_array_equal(test.day, again.day)


def test_hours_keep_together_what_belongs_together():
    data = Hours(np.arange(6.0)[:, None], np.arange(6.0), ("x",), np.arange(6), np.arange(6))
    part = data.at(np.array([4, 1]))
    assert part.X[:, 0].tolist() == part.y.tolist() == part.day.tolist() == part.hour.tolist() == [4, 1]


# Diagnostics


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 2))
    y = rng.poisson(np.exp(1 + X @ [0.3, -0.2]) * np.repeat(rng.gamma(4, 0.25, 60), 5)).astype(float)
    group = np.repeat(np.arange(60), 5)
    model = PoissonRegression().fit(X, y)
    design = np.column_stack([X, np.ones(300)])
    return design, y, group, model.predict(X)


def test_residuals_dispersion_and_errors_are_those_of_statsmodels(fitted):
    design, y, group, mu = fitted
    peer = sm.GLM(y, design, family=sm.families.Poisson())
    plain = peer.fit(scale="X2")
    np.testing.assert_allclose(deviance_residuals(y, mu), plain.resid_deviance, rtol=1e-6)
    assert np.isclose(dispersion(y, mu, 3), plain.scale)
    clustered = peer.fit(cov_type="cluster", cov_kwds={"groups": group, "use_correction": False})
    np.testing.assert_allclose(errors_by_group(design, y, mu, group), clustered.bse, rtol=1e-6)


def test_zero_counts_have_residuals():
    np.testing.assert_allclose(deviance_residuals(np.array([0.0, 2.0]), np.array([2.0, 2.0])), [-2.0, 0.0])


def test_groups_are_drawn_whole():
    group = np.array([5, 2, 5, 9, 2, 2])
    rows = resampled_groups(group, np.random.default_rng(0))
    drawn, size = np.unique(group[rows], return_counts=True)
    np.testing.assert_array_equal(size % [np.sum(group == g) for g in drawn], 0)
    assert sum(n // np.sum(group == g) for g, n in zip(drawn, size, strict=True)) == 3


def test_interval_by_groups_is_wider_than_by_rows():
    rng = np.random.default_rng(6)
    values = np.repeat(rng.normal(size=100), 10)
    group = np.repeat(np.arange(100), 10)
    low, high = interval_by_groups(lambda rows: values[rows].mean(), group, 400, rng)
    assert 0.7 < (high - low) / (2 * 1.96 * values.std() / 10) < 1.3  # 100 observations, not 1000


def test_spread_by_mean():
    middle, square = spread_by_mean(np.array([1.0, 5.0, 2.0, 9.0]), np.array([2.0, 4.0, 2.0, 6.0]), 2)
    np.testing.assert_allclose(middle, [2.0, 5.0])
    np.testing.assert_allclose(square, [0.5, 5.0])


# Intervals


def test_intervals_hold_what_they_promise():
    rng, mu, n = np.random.default_rng(7), np.full(40_000, 30.0), 40_000
    drawn = {
        "gaussian": (rng.normal(30, 3, n), gaussian_interval(mu, 9.0, 0.9)),
        "poisson": (rng.poisson(30, n), poisson_interval(mu, 0.9)),
        "mixed": (rng.poisson(rng.gamma(30 / 4, 4, n)), overdispersed_interval(mu, 5.0, 0.9)),
    }
    for name, (y, interval) in drawn.items():
        share = covered(y, interval).mean()
        assert 0.893 < share < 0.93, name  # counts are discrete: a little more than promised
    y = drawn["mixed"][0]
    assert abs(y.var() / y.mean() - 5) < 0.15
    with pytest.raises(ValueError, match=r"φ > 1, received 1\.0"):
        overdispersed_interval(mu, 1.0, 0.9)
