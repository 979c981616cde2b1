"""Hourly counts of bicycles: their design, their spread, prediction intervals and standard errors; against oracles."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from course import datasets
from course.figures import Picture
from course.studies.poisson_regression import figures, negative_binomial, standard_errors, temperature
from course.studies.poisson_regression.bicycles import Hours, celsius, feels_like, folds_of_weeks, hours
from course.studies.poisson_regression.diagnostics import (
    counted_by_expected,
    dispersion,
    growth,
    interval_by_groups,
    resampled_groups,
    spread_by_mean,
)
from course.studies.poisson_regression.predictive import (
    MODELS,
    HeldOut,
    covered,
    gaussian_interval,
    held_out,
    mixed_interval,
    poisson_interval,
    predicted,
)
from probml.linear_model import PoissonRegression


@pytest.fixture(scope="module")
def file():
    return datasets.load("bike-sharing")


@pytest.fixture(scope="module")
def rented(file):
    return hours(file)


@pytest.fixture(scope="module")
def fitted(rented):
    return PoissonRegression().fit(rented.X, rented.y)


# Bicycles


def test_design_of_the_bicycles(rented):
    assert rented.X.shape == (17379, len(rented.names)) == (17379, 65)
    assert np.linalg.matrix_rank(rented.design) == 66
    assert (rented.design[:, -1] == 1).all()
    assert rented.day.max() == 730
    column = dict(zip(rented.names, rented.X.T, strict=True))
    np.testing.assert_array_equal(column["hour 8"], rented.hour == 8)
    np.testing.assert_array_equal(column["hour 8, working day"], (rented.hour == 8) & rented.working)
    np.testing.assert_array_equal(column["rain or snow"], rented.rain)
    np.testing.assert_allclose(20 + 10 * column["temperature"], rented.celsius)
    np.testing.assert_allclose(column["temperature"] ** 2, column["temperature²"])
    assert np.isclose(column["humidity"].max(), 10)  # 100 %
    assert np.isclose(column["wind"].max(), 5.7, atol=0.01)  # 57 km/h
    assert rented.y.sum() == 3292679


def test_without_interaction_there_is_one_profile(file, rented):
    one = hours(file, interaction=False)
    assert set(rented.names) - set(one.names) == {f"hour {h}, working day" for h in range(1, 24)}
    assert set(one.names) < set(rented.names)


def test_temperatures_are_degrees(file):
    felt, calm = feels_like(file), file.X[:, file.feature_names.index("windspeed")] == 0
    assert np.abs(felt - felt.round()).max() < 0.01
    mild = calm & (celsius(file) > 5) & (celsius(file) < 15)
    assert np.quantile(np.abs(felt - celsius(file))[mild], 0.9) < 0.6


def test_whole_weeks_are_held_out(rented):
    fold = folds_of_weeks(rented.week, 4, np.random.default_rng(0))
    assert rented.week.max() == 104
    assert all(len(set(fold[rented.week == week])) == 1 for week in range(105))
    weeks = [len(set(rented.week[fold == each])) for each in range(4)]
    assert sorted(weeks) == [26, 26, 26, 27]


def small(rows):
    index = np.arange(rows)
    flags = index % 2 == 0
    return Hours(index[:, None] * 1.0, index * 1.0, ("x",), index, index, flags, flags, index * 1.0)


def test_hours_keep_together_what_belongs_together():
    part = small(6).at(np.array([4, 1]))
    assert part.X[:, 0].tolist() == part.y.tolist() == part.day.tolist() == part.celsius.tolist() == [4, 1]
    assert part.working.tolist() == [True, False]
    assert part.names == ("x",)


# Diagnostics


@pytest.fixture(scope="module")
def clustered():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 2))
    y = rng.poisson(np.exp(1 + X @ [0.3, -0.2]) * np.repeat(rng.gamma(4, 0.25, 60), 5)).astype(float)
    group = np.repeat(np.arange(60), 5)
    model = PoissonRegression().fit(X, y)
    return np.column_stack([X, np.ones(300)]), y, group, model


def test_dispersion_and_robust_errors_are_those_of_statsmodels(clustered):
    design, y, group, model = clustered
    mu = model.predict(design[:, :-1])
    peer = sm.GLM(y, design, family=sm.families.Poisson())
    assert np.isclose(dispersion(y, mu, 3), peer.fit(scale="X2").scale)
    by_group = peer.fit(cov_type="cluster", cov_kwds={"groups": group, "use_correction": False})
    np.testing.assert_allclose(standard_errors.robust_errors(design, y, mu, group), by_group.bse, rtol=1e-6)
    np.testing.assert_allclose(
        standard_errors.robust_covariance(design, y, mu, group), by_group.cov_params(), rtol=1e-5, atol=1e-9
    )
    by_row = peer.fit(cov_type="HC0").bse
    np.testing.assert_allclose(standard_errors.robust_errors(design, y, mu, np.arange(300)), by_row, rtol=1e-6)


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


def test_growth_finds_the_exponent():
    rng = np.random.default_rng(8)
    mu = np.geomspace(5, 500, 40_000)
    assert abs(growth(mu + mu**0.75 * rng.normal(size=len(mu)), mu) - 1.5) < 0.03


def test_counted_by_expected_by_hand():
    # 12 counted, 10 expected; residuals 3 and -1
    ratio, error = counted_by_expected(np.array([9.0, 3.0]), np.array([6.0, 4.0]))
    assert ratio == pytest.approx(1.2)
    assert error == pytest.approx(np.sqrt(10) / 10)


# Standard errors


def test_reweighted_fits_spread_as_the_robust_errors_say(clustered):
    design, y, group, model = clustered
    data = Hours(design[:, :-1], y, ("a", "b"), group, group, group > 0, group > 0, y)
    found = standard_errors.refitted(data, model.solution_.theta, 1, 400, np.random.default_rng(5))
    expected = standard_errors.robust_errors(design, y, model.predict(design[:, :-1]), group)
    np.testing.assert_allclose(found.std(axis=0, ddof=1) / expected, 1, atol=0.2)


def test_blocks_of_one_day_and_single_hours(rented, fitted):
    mu = fitted.predict(rented.X)
    errors = standard_errors.by_block_length(rented, mu)
    assert list(errors) == [0, *standard_errors.DAYS]
    np.testing.assert_allclose(errors[1], standard_errors.robust_errors(rented.design, rented.y, mu, rented.day))
    np.testing.assert_allclose(errors[7], standard_errors.robust_errors(rented.design, rented.y, mu, rented.week))


def test_two_years_are_fitted_apart(rented):
    names, (first, second), differences = standard_errors.two_years(rented)
    assert "year 2012" not in names
    assert len(names) == 64 == len(first)
    early = rented.at(rented.day < 365)
    kept = [k for k, name in enumerate(rented.names) if name != "year 2012"]
    peer = sm.GLM(early.y, sm.add_constant(early.X[:, kept], prepend=False), family=sm.families.Poisson()).fit()
    np.testing.assert_allclose(first, peer.params[:-1], atol=1e-6)
    later = rented.at(rented.day >= 365)
    other = sm.GLM(later.y, sm.add_constant(later.X[:, kept], prepend=False), family=sm.families.Poisson()).fit()
    expected = (other.params - peer.params) / np.hypot(other.bse, peer.bse)
    np.testing.assert_allclose(second, other.params[:-1], atol=1e-6)
    np.testing.assert_allclose(differences["Poisson"], expected[:-1], rtol=1e-4, atol=1e-4)
    assert np.abs(differences["quasi-Poisson"] / differences["Poisson"]).max() < 0.4


# Negative binomial


def test_probabilities_are_those_of_scipy_and_of_the_mixture():
    y, mu, alpha = np.arange(40.0), 6.0, 0.3
    ours = [negative_binomial.log_likelihood(np.array([each]), mu, alpha) for each in y]
    np.testing.assert_allclose(ours, stats.nbinom.logpmf(y, 1 / alpha, 1 / (1 + alpha * mu)), rtol=1e-10)
    rates = np.linspace(1e-6, 80, 400_001)
    density = stats.gamma.pdf(rates, 1 / alpha, scale=mu * alpha)
    mixed = [np.sum(stats.poisson.pmf(each, rates) * density) * (rates[1] - rates[0]) for each in range(5)]
    np.testing.assert_allclose(np.exp(ours[:5]), mixed, rtol=1e-5)


def test_fit_is_that_of_statsmodels():
    rng = np.random.default_rng(9)
    X = np.column_stack([rng.normal(size=(800, 2)), np.ones(800)])
    y = rng.poisson(np.exp(X @ [0.4, -0.3, 2.0]) * rng.gamma(4, 0.25, 800)).astype(float)
    start = PoissonRegression().fit(X[:, :-1], y).solution_.theta
    found = negative_binomial.fit(X, y, start)
    peer = sm.NegativeBinomial(y, X).fit(disp=False, method="newton", maxiter=200)
    np.testing.assert_allclose([*found.theta, found.alpha], peer.params, rtol=1e-4)
    assert np.isclose(negative_binomial.log_likelihood(y, found.predict(X), found.alpha), peer.llf)


# Intervals


def test_intervals_hold_what_they_promise():
    rng, mu, n = np.random.default_rng(7), np.full(40_000, 30.0), 40_000
    drawn = {
        "gaussian": (rng.normal(30, 3, n), gaussian_interval(mu, 9.0, 0.9)),
        "poisson": (rng.poisson(30, n), poisson_interval(mu, 0.9)),
        "mixed": (rng.poisson(rng.gamma(30 / 4, 4, n)), mixed_interval(mu, 5.0 * mu, 0.9)),
    }
    for name, (y, interval) in drawn.items():
        share = covered(y, interval).mean()
        assert 0.893 < share < 0.93, name  # counts are discrete: a little more than promised
    y = drawn["mixed"][0]
    assert abs(y.var() / y.mean() - 5) < 0.15
    with pytest.raises(ValueError, match="a variance above its mean"):
        mixed_interval(mu, mu, 0.9)


def test_predictions_are_of_the_models_that_they_name(rented):
    train, test = rented.at(rented.week % 4 > 0), rented.at(rented.week % 4 == 0)
    mean, low, high = predicted(train, test, 0.9)
    assert mean.shape == low.shape == high.shape == (4, len(test.y))
    poisson = PoissonRegression().fit(train.X, train.y)
    mu = poisson.predict(test.X)
    np.testing.assert_allclose(mean[1:3], [mu, mu])
    np.testing.assert_array_equal(low[1], stats.poisson.ppf(0.05, mu))
    phi = np.sum((train.y - poisson.predict(train.X)) ** 2 / poisson.predict(train.X)) / (len(train.y) - 66)
    np.testing.assert_array_equal(high[2], stats.nbinom.ppf(0.95, mu / (phi - 1), 1 / phi))
    line = sm.OLS(train.y, train.design).fit()
    np.testing.assert_allclose(high[0] - low[0], 2 * 1.6448536 * np.sqrt(line.scale), rtol=1e-6)
    np.testing.assert_allclose(mean[0], line.predict(test.design), atol=1e-6)


def test_coverage_by_hand():
    y = np.arange(20.0)
    mean = np.tile(y[::-1] + 1, (4, 1))
    low, high = np.zeros((4, 20)), np.full((4, 20), 9.0)
    out = HeldOut(mean, low, high, y, np.arange(20) // 2)
    np.testing.assert_array_equal(out.tenth, np.arange(20)[::-1] // 2)
    np.testing.assert_array_equal(out.coverage()[0], [0] * 5 + [1] * 5 + [0.5])
    np.testing.assert_array_equal(out.coverage(np.repeat(np.arange(20), 3)), out.coverage())


# Temperature


def test_factors_by_temperature_are_those_of_statsmodels(rented):
    middles, found = temperature.factors(rented)
    assert middles.tolist() == list(range(-5, 36, 5))
    group = np.clip(np.round(rented.celsius / 5), -1, 7)
    kept = [name not in ("temperature", "temperature²") for name in rented.names]
    ranges = [group == k for k in range(-1, 8) if k != 4]
    design = np.column_stack([rented.X[:, kept], np.ones(len(group)), *ranges])
    peer = sm.GLM(rented.y, design, family=sm.families.Poisson()).fit()
    np.testing.assert_allclose(np.delete(found, 5), np.exp(peer.params[-8:]), rtol=1e-5)
    assert found[5] == 1


# Figures


@pytest.fixture(scope="module")
def pictures(file, rented, fitted):
    mu, theta = fitted.predict(rented.X), fitted.solution_.theta
    one = hours(file, interaction=False)
    out = held_out(rented, 4, 0.9, np.random.default_rng([0, 0]))
    share = out.coverage()
    errors = standard_errors.by_block_length(rented, mu)
    return out, [
        figures.one_week(rented, out, 0.9),
        figures.temperature(rented, theta),
        figures.by_hour(rented, PoissonRegression().fit(one.X, one.y).predict(one.X), mu),
        figures.rainy_hours(rented, mu),
        figures.spread(rented, mu, 13.0, 0.097),
        figures.coverage(out, share - 0.01, share + 0.01, 0.9),
        figures.blocks(rented, mu, errors, fitted.summary().standard_error),
    ]


def test_figures_have_names_and_alternative_texts(pictures):
    assert all(isinstance(picture, Picture) and len(picture.alt) > 100 for picture in pictures[1])
    assert len({picture.name for picture in pictures[1]}) == 7


def test_the_week_of_the_first_figure_is_a_typical_one(rented, pictures):
    out = pictures[0]
    of_week = out.hits[:, rented.week == figures.WEEK].mean(axis=1)
    np.testing.assert_allclose(of_week[[1, 3]], out.coverage()[[1, 3], -1], atol=0.03)
    assert MODELS[1::2] == ("Poisson", "negative binomial")
    assert rented.rain[rented.week == figures.WEEK].sum() > 20
