"""The laws for learning curves, forecasts of cut curves and what is made of them, and tables as the package reads."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from course.studies.how_much_data import forecasts, twice
from course.studies.how_much_data.laws import LAWS, forecast
from course.studies.two_regimes.database import Database, Published

SIZES = np.array([16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512])
SEEN = SIZES[:7]


@pytest.mark.parametrize("name", LAWS)
def test_a_curve_that_is_a_law_is_predicted_exactly(name):
    law = LAWS[name]
    theta = law.grid[len(law.grid) // 3]
    offset = 0.1 if law.offset else 0.0
    curve = offset + 0.2 * law.g(SIZES[:, None] / SEEN[-1], *theta[:, None])[:, 0]
    predicted = forecast(law, SEEN, curve[None, :7], np.arange(1.0, 8), [256, 512])
    assert_allclose(predicted[0], curve[[8, 10]], rtol=1e-4)


def test_numbers_of_parameters_are_those_in_the_names():
    assert all(law.parameters == int(name[-1]) for name, law in LAWS.items())


@pytest.mark.parametrize("name", LAWS)
def test_no_law_rises_or_falls_below_zero(name):
    rising, steep = np.linspace(0.1, 0.4, 7), 0.5 * (SEEN / 16.0) ** -4
    ahead = forecast(LAWS[name], SEEN, np.stack([rising, steep]), np.ones(7), [256, 512, 4096])
    assert (np.diff(ahead, axis=1) <= 1e-12).all()
    assert (ahead >= 0).all()


def database():
    """Two learners on three sets, of which two are one family; noise is small, and power laws hold."""

    def curve(c):
        return Published(SIZES, 0.05 + 0.8 * SIZES**-c, np.full(len(SIZES), 0.003), np.full(len(SIZES), 25))

    longer = Published(np.append(SIZES, 724), np.append(curve(0.5).error, 0.08), np.full(12, 0.003), np.full(12, 25))
    return Database({1: {"lda": curve(0.4), "qda": curve(0.7)}, 2: {"lda": curve(0.6)}, 5: {"lda": longer}}, {})


def test_exact_power_laws_are_foreseen():
    found = forecasts.forecasts(database(), 0, cuts=(64, 128))
    assert len(found.truth) == 4 * 2 * 2
    assert set(found.times.tolist()) == {2, 4}
    assert_allclose(found.value["package"], found.truth, rtol=1e-3)
    assert found.covers("package").all()
    assert found.miss("no change").min() > found.miss("package").max()
    assert_allclose(np.ptp(found.widened[:, 5], axis=1), np.ptp(found.interval["package"], axis=1), rtol=0.05)
    assert (np.ptp(found.widened[:, 10], axis=1) > np.ptp(found.widened[:, 0], axis=1)).all()
    assert forecasts.smallest_misfit(found, found.chosen_on) == 0
    assert set(found.data_set[found.chosen_on]) in ({1, 2}, {5})  # families stay together


def test_each_data_set_counts_once():
    found = forecasts.forecasts(database(), 0, cuts=(64,))
    values = np.where(found.data_set == 1, 1.0, 0.0)
    share = forecasts.over_sets(found, values, np.ones(len(values), dtype=bool), 500, np.random.default_rng(0))
    assert (share.mean, share.sets, share.rows) == (pytest.approx(1 / 3), 3, 8)
    assert (share.low, share.high) == (0, pytest.approx(1 / 2))  # both families, or one of them twice
    assert share.in_percent() == "33.3 (0.0 to 50.0)"


def test_a_table_has_words_for_categories():
    table = twice.columns("saheart")
    assert set(table["famhist"]) == {"= Absent", "= Present"}
    assert table["sbp"][:2] == [160, 144]
    assert twice.some(table, np.array([1]))[twice.TARGET] == ["1"]
