"""Beta and Dirichlet: summaries on two scales against integrals, forecasts against fractions, and the figures."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import beta

from course.studies.beta_and_dirichlet import figures
from course.studies.beta_and_dirichlet.coin import tosses
from course.studies.beta_and_dirichlet.scales import by_log_odds, by_probability, shortest

SHAPES = [(3, 2), (2.5, 7), (20, 4)]


def test_the_tosses_are_those_of_the_note():
    assert [int(tosses()[:n].sum()) for n in (1, 3, 10, 30, 100)] == [1, 2, 7, 20, 67]
    assert set(tosses().tolist()) == {0, 1}


def density_of_log_odds(z, a, b):
    phi = expit(z)
    return beta.pdf(phi, a, b) * phi * (1 - phi)


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_the_mean_by_log_odds_is_an_integral(a, b):
    mean = quad(lambda z: z * density_of_log_odds(z, a, b), -60, 60, limit=200)[0]
    assert by_log_odds(a, b, 0.9).mean == pytest.approx(float(expit(mean)), abs=1e-9)


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_modes_are_where_the_densities_are_largest(a, b):
    phi, z = np.linspace(0.0005, 0.9995, 100_001), np.linspace(-9, 9, 100_001)
    assert by_probability(a, b, 0.9).mode == pytest.approx(phi[beta.pdf(phi, a, b).argmax()], abs=1e-4)
    assert by_log_odds(a, b, 0.9).mode == pytest.approx(
        float(expit(z[density_of_log_odds(z, a, b).argmax()])), abs=1e-4
    )


@pytest.mark.parametrize(("a", "b"), SHAPES)
@pytest.mark.parametrize("log_odds", [False, True])
def test_the_interval_of_highest_density_has_its_probability_and_equal_densities_at_its_ends(a, b, log_odds):
    low, high = shortest(a, b, 0.9, log_odds=log_odds)
    assert np.diff(beta.cdf([low, high], a, b))[0] == pytest.approx(0.9, abs=1e-9)
    ends = density_of_log_odds(logit([low, high]), a, b) if log_odds else beta.pdf([low, high], a, b)
    assert ends[0] == pytest.approx(ends[1], rel=1e-3)


def test_quantiles_and_median_do_not_depend_on_the_scale_and_the_rest_does():
    one, other = by_probability(3, 2, 0.95), by_log_odds(3, 2, 0.95)
    np.testing.assert_allclose(one.quantiles, beta.ppf([0.025, 0.975], 3, 2))
    np.testing.assert_allclose(one.quantiles, other.quantiles)
    assert one.median == pytest.approx(other.median) == pytest.approx(beta.median(3, 2))
    assert (one.mean, one.mode) == pytest.approx((3 / 5, 2 / 3))
    assert other.mean == pytest.approx(float(expit(0.5)))
    assert abs(one.highest_density[0] - other.highest_density[0]) > 0.04
    with pytest.raises(ValueError, match="level must be between 0 and 1, received 1"):
        shortest(3, 2, 1)


def rising(a, n):
    value = Fraction(1)
    for k in range(n):
        value *= a + k
    return value


@pytest.mark.parametrize(("a", "b"), [(1, 1), (10, 10), (Fraction(1, 2), Fraction(1, 2))])
def test_the_forecast_is_a_distribution_of_the_number_of_heads(a, b):
    a, b = Fraction(a), Fraction(b)
    exact = [comb(10, s) * rising(a, s) * rising(b, 10 - s) / rising(a + b, 10) for s in range(11)]
    assert sum(exact) == 1
    np.testing.assert_allclose(figures.forecast(float(a), float(b), 10), [float(p) for p in exact], rtol=1e-12)


def test_figures_say_what_they_show():
    drawn = [figures.tosses_arrive(), figures.two_scales(), figures.forecasts(), figures.triangles((0.1, 1, 10), 20, 0)]
    assert all(isinstance(picture.fig, Figure) and len(picture.alt) > 100 for picture in drawn)
    assert len({picture.name for picture in drawn}) == len(drawn)
    assert "the mean 0.622" in drawn[1].alt
    assert "0.126 under Beta(10, 10)" in drawn[2].alt
