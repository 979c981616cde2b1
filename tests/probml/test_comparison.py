"""From a table of yours to answers: power laws, crossings, intervals, the race, and what it says."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import narwhals as nw
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from probml import curves
from probml.comparison import Comparison, compare
from probml.comparison.columns import inspect
from probml.comparison.command import main
from probml.comparison.contenders import CONTENDERS, Design, Scaling, naive_bayes
from probml.comparison.extrapolation import Extrapolation, PowerLaw, bootstrap, ends, interval
from probml.comparison.race import Race, run, stratified_order, training_sizes
from probml.comparison.table import read
from probml.comparison.verdict import answers, crossing, rounded
from probml.errors import DataError, ParameterError
from probml.families import Gaussian, Poisson

SIZES = np.array([10, 20, 40, 80, 160, 320])


def table(N=150, seed=0):
    """Two classes that a number, a count and a category tell apart to some degree; values are missing in one."""
    rng = np.random.default_rng(seed)
    y = np.arange(N) % 2
    x = rng.normal(y, 1.5)
    x[::17] = np.nan
    return {
        "x": x.tolist(),
        "visits": rng.poisson(1 + 2 * y).tolist(),
        "colour": [["red", "green", "blue"][i] for i in (rng.integers(0, 2, N) + y)],
        "y": ["yes" if each else "no" for each in y],
    }


@pytest.fixture(scope="module")
def found():
    return compare(table(), "y", splits=5, progress=False)


@pytest.mark.parametrize(
    ("a", "b", "c"), [(0.1, 0.3, 0.5), (0.0, 0.2, 0.25), (0.05, 0.01, 1.0), (0.0, 0.3, 0.012), (0.2, 1.0, 2.0)]
)
def test_the_power_law_of_an_exact_curve_is_found(a, b, c):
    curve = a + b * (SIZES / 320) ** -c
    law = PowerLaw.fit(SIZES, curve[None], np.arange(1.0, 7.0))
    assert_allclose([law.a[0], law.b[0], law.c[0]], [a, b, c], rtol=1e-5, atol=1e-5)
    assert_allclose(law(3200)[0], a + b * 10**-c, rtol=1e-6)


def test_no_power_law_is_steeper_than_one_over_n_cubed():
    law = PowerLaw.fit(SIZES, (SIZES / 320.0)[None] ** -5, np.ones(len(SIZES)))
    assert_allclose(law.c, 3)


def test_the_power_law_is_the_best_of_all_with_a_and_b_of_at_least_0():
    rng = np.random.default_rng(1)
    weight = rng.uniform(1, 3, len(SIZES))
    curves_ = rng.uniform(0, 0.2, (5, 1)) + rng.normal(0, 0.1, (5, len(SIZES)))
    law = PowerLaw.fit(SIZES, curves_, weight)
    x = SIZES / SIZES[-1]

    def misfit(a, b, c):
        return float((weight * (curve - a - b * x**-c) ** 2).sum())

    for i, curve in enumerate(curves_):
        assert law.a[i] >= 0
        assert law.b[i] >= 0
        least = misfit(law.a[i], law.b[i], law.c[i])
        for c in np.geomspace(0.01, 3, 40):
            for a in np.linspace(0, max(curve.max(), 0.01), 40):
                b = max(0.0, (weight * (curve - a) * x**-c).sum() / (weight * x ** (-2 * c)).sum())
                assert least <= misfit(a, b, c) * (1 + 1e-6) + 1e-12


def extrapolated(curve, spread=0.002, sizes=SIZES):
    """With replicates that differ from the curve by a normal factor, the same at all sizes."""
    rng = np.random.default_rng(0)
    noise = rng.normal(0, spread, (200, 1))
    return Extrapolation.of(sizes, curve, curve * (1 + noise), np.full(len(sizes), spread), rng)


def test_predictions_that_are_supported():
    law = extrapolated(0.1 + 0.3 * SIZES**-0.5)
    assert law.against(640) == ""
    value, low, high = law.at(640)
    assert low < value < high
    assert_allclose(value, 0.1 + 0.3 * 640**-0.5, rtol=1e-4)
    gain, low, high = law.gain(320, 320)
    assert low < gain < high
    assert_allclose(gain, 0.3 * (320**-0.5 - 640**-0.5), rtol=1e-3)


def test_who_would_be_ahead_is_not_said_without_those_who_are_ahead_today(found):
    for ahead in found.answers["ahead"]:
        supported = {each["name"] for each in ahead["predictions"] if not each["error"]["against"]}
        assert set(ahead["not_worse"]) <= supported
        assert not ahead["not_worse"] or set(found.answers["today"]["not_worse"]) <= supported
    assert "who would be ahead cannot be said" in str(found)


def test_predictions_that_are_not_supported():
    falling = 0.1 + 0.3 * SIZES**-0.5
    assert extrapolated(0.2 - falling / 10).against(640) == "the curve does not fall measurably"
    assert extrapolated(np.full(len(SIZES), 0.2)).against(640) == "the curve does not fall measurably"
    peak_late = np.array([0.2, 0.2, 0.2, 0.4, 0.3, 0.25])  # three sizes are left
    assert extrapolated(peak_late).against(400) == "the curve does not fall measurably"
    assert extrapolated(falling).against(320 * 32) == ""
    assert extrapolated(falling).against(320 * 33).startswith("33 times the largest size measured is farther ahead")
    assert extrapolated(falling, spread=0.4).against(640) == "the interval would be wider than the loss itself"


def test_a_curve_is_extrapolated_from_its_peak_on():
    curve = 0.1 + 0.3 * (SIZES / 20) ** -0.5
    curve[0] = 0.2
    law = extrapolated(curve)
    assert law.first == 20
    assert_allclose(law.at(640)[0], 0.1 + 0.3 * 32**-0.5, rtol=1e-4)


def test_what_the_law_itself_is_wrong_by_grows_with_each_doubling():
    """Where all replicates are alike, nothing else makes the interval."""
    law = extrapolated(0.1 + 0.3 * SIZES**-0.5, spread=1e-9)
    for doublings, n in ((1, 640), (2, 1280)):
        value, low, high = law.at(n)
        assert_allclose([low / value, high / value], np.exp(1.96 * 0.05 * doublings * np.array([-1, 1])), rtol=0.01)
    for n in (160, 320):  # within what was measured there is nothing to add
        assert_allclose(law.at(n), law.at(n)[0], rtol=1e-6)
    _, low, high = law.gain(320, 320)
    assert low < 0 < high  # the slope is not known as well as the level


def test_some_replicates_are_fitted_from_later_sizes():
    """A curve that is steeper at first: it matters from which size it is fitted, and so the interval is wider."""
    curve = 0.1 + 0.3 * SIZES**-0.5 + np.array([0.1, 0.02, 0, 0, 0, 0])
    law = extrapolated(curve, spread=1e-9)
    assert_allclose(law.replicated(640)[-60:], 0.1 + 0.3 * 640**-0.5, rtol=1e-4)
    assert np.ptp(law.replicated(640)) > 1e-3


def test_intervals_are_those_of_nadeau_and_bengio():
    losses = np.random.default_rng(0).normal(0.3, 0.1, (10, 3))
    mean, low, high = interval(losses, 0.2)
    half = 2.2621571628 * np.sqrt((1 / 10 + 1 / 4) * losses.var(axis=0, ddof=1))  # t of 9 degrees of freedom
    assert_allclose([low, mean, high], [losses.mean(0) - half, losses.mean(0), losses.mean(0) + half])
    replicates = bootstrap(losses, 0.2, np.random.default_rng(1))
    assert_allclose(replicates.std(axis=0), half / 2.2621571628, rtol=0.15)
    assert_allclose(replicates.mean(axis=0), mean, atol=0.01)
    few = np.array([[0.1], [0.2], [0.6]])
    spread = bootstrap(few, 0.2, np.random.default_rng(0)).std()
    assert_allclose(spread, np.sqrt((1 / 3 + 1 / 4) * few.var(ddof=1)), rtol=0.1)
    assert interval(np.zeros((10, 1)), 0.2, 0.01)[2][0] > 0  # no error seen is not none to come


def test_where_curves_cross():
    difference = np.log(SIZES / 57.0)
    assert_allclose(crossing(SIZES, difference[None], 0, 5), 57)
    assert_allclose(crossing(SIZES, np.array([[-1.0, 1, -1, 1, 1, 1]]), 0, 5), np.sqrt(40 * 80))  # the last one
    never = np.ones((1, 6))
    assert_allclose([crossing(SIZES, never, 1, 4)[0], crossing(SIZES, -never, 1, 4)[0]], [20, 160])


def test_a_crossing_is_reported_with_its_interval():
    """Naive Bayes learns a wrong model fast."""
    rng = np.random.default_rng(0)
    y = np.arange(1500) % 2
    X = rng.normal(size=(1500, 12)) + 0.5 * y[:, None]
    X[:, 6:] = X[:, :1] + 0.3 * rng.normal(size=(1500, 6))
    found = compare(X, y, splits=12, progress=False).answers
    crossed = found["crossings"]
    assert crossed
    mean = {each["name"]: np.array(each["error"]["mean"]) for each in found["curves"]}
    sizes = np.array(found["settings"]["sizes"])
    for each in crossed:
        ahead = mean[each["below"]] < mean[each["above"]]
        assert ahead[sizes < each["size"]].any()
        assert not ahead[sizes > each["size"]].all()
        assert 10 <= each["low"] <= each["size"] <= each["high"] <= 1200


def test_stretches_of_an_order_have_the_classes_in_their_shares():
    y = np.repeat([0, 1, 2], [200, 70, 30])
    order = stratified_order(y, np.random.default_rng(3))
    assert_array_equal(np.sort(order), np.arange(300))
    for stretch in (order[:100], order[100:200], order[-60:]):
        assert_allclose(np.bincount(y[stretch]), len(stretch) * np.array([2 / 3, 7 / 30, 0.1]), atol=2)
    assert len({tuple(stratified_order(y, np.random.default_rng(seed))) for seed in range(5)}) == 5


def test_ten_training_parts_in_equal_ratios():
    assert training_sizes(np.array([100, 100]), 160).tolist() == [10, 14, 19, 25, 34, 47, 63, 86, 118, 160]


def test_training_parts_have_two_rows_of_each_class():
    y = np.repeat([0, 1, 2], [200, 88, 12])
    sizes = training_sizes(np.bincount(y), 240)
    assert sizes[-1] == 240
    for seed in range(200):
        order = stratified_order(y, np.random.default_rng(seed))
        assert np.bincount(y[order[: sizes[0]]], minlength=3).min() >= 2
    with pytest.raises(DataError, match="30 rows are too few: with 2 classes"):
        training_sizes(np.array([15, 15]), 18)


def test_too_few_rows_are_an_error_that_names_the_table():
    examples = inspect(read({"x": [*range(5)] * 4, "y": [0, 1] * 10}), "y")
    with pytest.raises(DataError, match="the table: 20 rows are too few: with 2 classes"):
        run(examples, 3, 0, lambda done, planned: None)


def test_training_parts_are_nested_and_nothing_is_learnt_from_what_is_held_out():
    examples, seen = inspect(read(table()), "y"), []

    class Spy:
        def predict_log_proba(self, X):
            whole = {tuple(row) for row in X[~np.isnan(X[:, 0])]}
            assert not whole & {tuple(row) for row in seen[-1]}
            return np.full((len(X), 2), np.log(0.5))

    def spy(design, X, y):
        seen.append(X)
        return Spy()

    spying = CONTENDERS[1].__class__("spy", "", "", "", False, spy)
    race = run(examples, 3, 0, lambda *_: None, [spying])
    sizes = len(race.sizes)
    for split in range(3):
        parts = seen[split * sizes : (split + 1) * sizes]
        for smaller, larger in pairwise(parts):
            assert_array_equal(smaller, larger[: len(smaller)])
    assert race.error.shape == race.log_loss.shape == (3, 1, sizes)
    assert_allclose(race.bins[..., 0].sum(axis=-1), race.held_out)
    assert_allclose(race.bins[:, 0, :, 2].sum(axis=-1), (1 - race.error[:, 0, -1]) * race.held_out)
    assert_allclose(race.log_loss, np.log(2))


def test_bins_of_the_probability_of_the_class_predicted():
    class Given:
        def predict_log_proba(self, X):
            p = np.resize([0.55, 0.65, 0.75, 0.85, 0.95, 1.0], len(X))
            return np.log(np.column_stack([p, 1 - p]))

    given = CONTENDERS[1].__class__("given", "", "", "", False, lambda *_: Given())
    race = run(inspect(read(table()), "y"), 1, 0, lambda *_: None, [given])
    assert race.held_out == 30
    assert_array_equal(race.bins[0, 0, :, 0], [0, 0, 0, 0, 0, 5, 5, 5, 5, 10])
    assert_allclose(race.bins[0, 0, 5:, 1], np.array([0.55, 0.65, 0.75, 0.85, 1.95]) * 5)


def test_the_linear_design_and_its_scaling():
    design = Design.of(inspect(read(table(40)), "y", {"visits": "number"}))
    colours = table(40)["colour"]
    assert design.linear.shape == (40, 5)  # x and whether it is missing, visits, two of three colours
    assert_array_equal(design.linear[:, 3], [each == "green" for each in colours])  # after blue, the first
    assert_array_equal(design.linear[:, 1], np.isnan(design.linear[:, 0]))
    scaled = Scaling.of(design.linear)(design.linear)
    there = ~np.isnan(design.linear[:, 0])
    assert_allclose(scaled[there, 0].mean(), 0, atol=1e-12)
    assert_allclose(scaled[there, 0].std(), 1)
    assert_array_equal(scaled[~there, 0], 0)
    part = design.linear[:20] * [1, 1, 0, 1, 1]
    assert 2 not in Scaling.of(part).used


def test_naive_bayes_has_estimates_where_a_class_has_next_to_none():
    values = table(40) | {"rare": [0] * 38 + [3, 4]}
    design = Design.of(inspect(read(values), "y", {"rare": "poisson", "x": "gaussian"}))
    assert [column.family for column in design.examples.columns[:1]] == [Gaussian()]
    assert design.examples.columns[3].family == Poisson()
    y = design.examples.y
    part = np.r_[0:4, 39]  # "rare" is 0 in one of the classes, and then not
    log_p = naive_bayes(design, design.mixed[part], y[part]).predict_log_proba(design.mixed)
    assert np.isfinite(log_p).all()


def made_race(*curves_, said=None):
    """A race with these mean errors, from which ten splits differ by little."""
    examples = inspect(read(table()), "y")
    noise = np.random.default_rng(0).normal(0, 0.002, (10, 1, len(SIZES)))
    error = np.array(curves_) + noise
    bins = np.zeros((10, len(curves_), 10, 3))
    bins[:, :, 8] = said or [30, 26, 26]
    return Race(examples, CONTENDERS[: len(curves_)], SIZES, 30, error, error, bins, 10)


def test_who_would_be_ahead_is_said_where_the_best_can_be_predicted():
    falling, flat = 0.1 + 0.5 * SIZES**-0.5, np.full(len(SIZES), 0.05)
    first, second = (contender.name for contender in CONTENDERS[:2])
    found = answers(made_race(falling, flat), 0)
    assert found["today"]["not_worse"] == [second]
    assert not found["ahead"][0]["predictions"][0]["error"]["against"]
    assert found["ahead"][0]["predictions"][1]["error"]["against"] == "the curve does not fall measurably"
    assert found["ahead"][0]["not_worse"] == []
    found = answers(made_race(falling, falling + 0.1), 0)
    assert found["today"]["not_worse"] == found["ahead"][0]["not_worse"] == [first]
    assert "clearly fewer errors" in found["recommendation"]["reasons"][0]


def test_what_holds_today_holds_at_the_largest_size():
    """The first contender is better at all sizes but the last, where it is worse than a guess."""
    first, second = np.r_[np.full(5, 0.1), 0.6], np.full(6, 0.2)
    found = answers(made_race(first, second), 0)
    name, today = CONTENDERS[1].name, found["today"]
    assert (today["size"], today["lowest"]) == (320, name)
    assert today["not_worse"] == today["nor_in_log_loss"] == today["better_than_guess"]["error"] == [name]
    assert today["better_than_guess"]["log_loss"] == [each.name for each in CONTENDERS[:2]]


def test_ends_are_those_of_the_middle_95_in_a_hundred():
    replicates = np.random.default_rng(0).permutation(np.arange(401.0))
    assert_allclose(ends(np.column_stack([replicates, 2 * replicates])), [[10, 20], [390, 780]])


@pytest.mark.parametrize(("last", "falls"), [(0.45, True), (0.55, False)])
def test_a_curve_falls_if_its_replicates_are_lower_at_the_largest_size(last, falls):
    curve = np.array([0.5, 0.4, 0.3, 0.2, 0.1, 0.4])
    replicates = np.tile(np.r_[curve[:-1], last], (20, 1))
    assert Extrapolation.of(SIZES, curve, replicates, np.full(6, 0.01), np.random.default_rng(0)).falls == falls


def test_a_power_law_goes_by_the_sizes_that_are_known_best():
    exact = 0.1 + 0.5 * SIZES**-0.5
    curve, error = exact + np.array([0, 0, 0, 0.05, 0, 0]), np.array([1e-4, 1e-4, 1e-4, 1.0, 1e-4, 1e-4])
    law = Extrapolation.of(SIZES, curve, np.tile(curve, (20, 1)), error, np.random.default_rng(0)).law
    assert_allclose(law(640), 0.1 + 0.5 * 640**-0.5, atol=1e-3)


def test_of_equals_the_one_with_the_best_probabilities_is_recommended():
    equal = np.full(6, 0.2)
    race = made_race(equal, equal, equal)
    first, second, third = (contender.name for contender in CONTENDERS[:3])
    one = race.error + np.array([0.2, 0.0, 0.3])[:, None]
    found = answers(replace(race, log_loss=one), 0)["recommendation"]
    assert found["name"] == second
    assert found["reasons"][:2] == [
        f"With 320 rows to learn from, these data show no difference in errors between {first}, {second} and {third}.",
        "Of these, its probabilities are clearly the best (log loss).",
    ]
    two = race.error + np.array([0.2, 0.0, 0.0])[:, None]
    found = answers(replace(race, log_loss=two), 0)["recommendation"]
    assert found["reasons"][0].endswith(f"{second} and {third}; nor, in log loss, between {second} and {third}.")
    assert found["reasons"][1].startswith("Take it for another reason: ")


def test_being_ahead_at_one_size_is_enough_to_cross():
    (crossed,) = answers(made_race(np.r_[0.1, np.full(5, 0.3)], np.full(6, 0.2)), 0)["crossings"]
    assert (crossed["below"], crossed["above"]) == tuple(contender.name for contender in CONTENDERS[:2])
    assert_allclose(crossed["size"], np.sqrt(10 * 20), rtol=0.02)  # half the way on a scale of log n


def test_curves_that_cross_are_found_and_the_later_winner_is_foreseen():
    steep, level = 0.02 + 0.9 * SIZES**-0.5, 0.1 + 0.1 * SIZES**-0.5
    first, second = (contender.name for contender in CONTENDERS[:2])
    found = answers(made_race(steep, level), 0)
    (crossed,) = found["crossings"]
    assert (crossed["below"], crossed["above"]) == (second, first)
    assert_allclose(crossed["size"], 100, rtol=0.1)  # where 0.08 = 0.8 / √n
    assert crossed["low"] <= crossed["size"] <= crossed["high"]
    assert found["recommendation"]["name"] == first
    assert f"rows, {second} was ahead of it." in found["recommendation"]["reasons"][-1]


def test_too_sure_is_a_positive_gap():
    sure = answers(made_race(0.5 * SIZES**-0.5, said=[30, 27, 24]), 0)["calibration"][0]
    assert_allclose([sure["said"], sure["right"], sure["gap"], sure["expected_error"]], [0.9, 0.8, 0.1, 0.1])
    unsure = answers(made_race(0.5 * SIZES**-0.5, said=[30, 24, 27]), 0)["calibration"][0]
    assert_allclose(unsure["gap"], -0.1)


def test_where_nothing_varies_the_shares_of_the_classes_are_left():
    """Small training parts rarely hold one of the few rows in which the only column is not 0."""
    y = np.arange(90) % 3 % 2  # two thirds are of the first class
    rare = np.zeros((90, 1))
    rare[::23] = [[1.0], [2.0], [3.0], [4.0]]
    design = Design.of(inspect(read({"x": rare[:, 0], "y": y}), "y"))
    part = np.arange(1, 23)
    expected = np.log(np.bincount(y[part]) / 22)
    X = Scaling.of(design.linear[part])(design.linear)
    for contender in CONTENDERS:
        given = X if contender.linear else design.mixed
        log_p = contender.fit(design, given[part], y[part]).predict_log_proba(given)
        assert_allclose(log_p, np.tile(expected, (90, 1)))
    assert np.isfinite(compare(rare, y, splits=3, progress=False).answers["curves"][0]["error"]["mean"]).all()


def test_the_answers(found):
    said = found.answers
    assert set(said) == {
        *("data", "settings", "curves", "today", "crossings", "ahead", "batch", "calibration", "recommendation")
    }
    assert json.loads(found.to_json()) == said
    names = [each["name"] for each in said["curves"]]
    assert names == [each["name"] for each in said["batch"]] == [each["name"] for each in said["calibration"]]
    assert said["today"]["size"] == said["settings"]["sizes"][-1] == 120
    assert said["settings"]["batch"] == 15  # a tenth of the rows
    S = len(said["settings"]["sizes"])
    for each in said["curves"]:
        for measure in ("error", "log_loss"):
            assert {len(values) for values in each[measure].values()} == {S}
            assert all(low <= mean <= high for low, mean, high in zip(*map(each[measure].get, LIMITS), strict=True))
    for ahead, times in zip(said["ahead"], (2, 10), strict=True):
        assert ahead["rows"] == times * 150
        assert [each["name"] for each in ahead["predictions"]] == names
    assert said["recommendation"]["name"] == said["today"]["nor_in_log_loss"][0]
    assert said["data"]["classes"] == {"no": 75, "yes": 75}
    assert {each["name"]: each["missing"] for each in said["data"]["columns"]} == {"x": 9, "visits": 0, "colour": 0}


LIMITS = ("low", "mean", "high")


def test_the_recommendation_follows_from_intervals():
    """Where classes do not differ, nobody is recommended."""
    rng = np.random.default_rng(0)
    noise = compare(rng.normal(size=(200, 3)), rng.integers(0, 2, 200), splits=6, progress=False)
    assert len(noise.answers["today"]["not_worse"]) == 5
    assert noise.answers["today"]["better_than_guess"] == {"error": [], "log_loss": []}
    assert noise.answers["recommendation"]["name"] == "none"
    for shown in (str(noise), noise.to_html()):
        assert "Recommended: none" in shown
        assert "Explained in note" not in shown
    assert not noise.answers["crossings"]
    y = np.arange(600) % 2
    ring = rng.normal(size=(600, 2)) * (1 + 3 * y[:, None])  # the classes differ by their spread
    best = compare(ring, y, splits=6, progress=False)
    assert "GDA per class" in best.answers["today"]["not_worse"]
    assert not {"GDA", "logistic", "penalised logistic"} & set(best.answers["today"]["not_worse"])


def test_a_guess_without_columns(found):
    """By the most frequent class, or with the shares of the classes as probabilities."""
    today = found.answers["today"]
    assert today["guess"] == {"name": "no", "error": 0.5, "log_loss": 0.693147}
    assert set(today["better_than_guess"]["error"]) == {each["name"] for each in found.answers["curves"]}
    assert "Always saying “no” errs in 50.0%." in str(found)
    rng = np.random.default_rng(0)
    y = np.arange(2000) % 25 == 0
    rare = compare(rng.normal(size=(2000, 1)) + 1.2 * y[:, None], y, splits=6, progress=False).answers
    assert rare["today"]["guess"] == {"name": "False", "error": 0.04, "log_loss": 0.167944}
    name = rare["recommendation"]["name"]
    assert name in rare["today"]["better_than_guess"]["log_loss"]
    assert name not in rare["today"]["better_than_guess"]["error"]
    assert (
        "It is not shown to make fewer errors than always saying “False”, which errs in 4.0%; its probabilities are "
        "better than the shares of the classes."
    ) in rare["recommendation"]["reasons"]


def test_an_equal_that_alone_beats_a_guess_is_named():
    race = made_race(np.full(len(SIZES), 0.45), np.full(len(SIZES), 0.44))
    race.error[:, 0] += 0.3 * (-1.0) ** np.arange(10)[:, None]  # so that it may be as good, and worse than a guess
    found = answers(race, 0)
    first, second = (contender.name for contender in CONTENDERS[:2])
    assert found["today"]["not_worse"] == [first, second]
    assert found["today"]["better_than_guess"] == {"error": [second], "log_loss": [second]}
    assert found["recommendation"]["name"] == first
    assert found["recommendation"]["reasons"][-1] == (
        "It is not shown to make fewer errors than always saying “no”, which errs in 50.0%; of its equals, "
        f"{second} can be said to beat a guess."
    )


def test_the_same_seed_gives_the_same_bytes(found):
    again = compare(table(), "y", splits=5, progress=False)
    other = compare(table(), "y", splits=5, seed=1, progress=False)
    assert again.to_json() == found.to_json() != other.to_json()
    assert again.to_html() == found.to_html() != other.to_html()
    assert str(again) == str(found) != str(other)


def test_ctrl_c_keeps_what_is_done(found):
    def interrupt(done, planned):
        assert planned == 30
        if done == 5:
            raise KeyboardInterrupt

    part = compare(table(), "y", progress=interrupt)
    assert part.answers["settings"]["splits"] == 5
    assert part.answers["curves"] == found.answers["curves"]
    assert "Interrupted: 5 of 30 splits are done" in str(part)
    assert "Interrupted: 5 of 30 splits are done" in part.to_html()
    assert "Interrupted" not in str(found)

    def at_once(done, planned):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare(table(), "y", progress=at_once)


def test_the_page_stands_by_itself(found):
    page = found.to_html()
    assert not re.search(r"https?://|src=|<link|<script|@import|url\((?!#)", page)
    assert page.count("<svg") == page.count("</svg>") == 2 + 2 * len(CONTENDERS)
    assert page.count('role="img" aria-label="') == 2 + len(CONTENDERS)
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    assert not re.search(r"\bnan\b", page.lower())
    assert found._repr_html_() in page


def test_a_guess_that_is_better_than_all_is_in_the_picture():
    page = Comparison(answers(made_race(np.full(len(SIZES), 0.6)), 0)).to_html()
    place = float(re.search(r'class="guess" [^>]*y1="([0-9.]+)"', page)[1])
    assert 14 < place < 296  # of the picture, from top to bottom


def test_names_are_escaped():
    values = {f"<{name}>": column for name, column in table().items()}
    page = compare(values, "<y>", splits=3, progress=False).to_html()
    assert "<visits>" not in page
    assert "&lt;visits&gt;" in page


def test_frames_arrays_and_mappings_give_the_same(found):
    values = table()
    frame = pd.DataFrame(values)
    for X, y in ((frame, "y"), (nw.from_native(frame), "y"), (frame.drop(columns="y"), values["y"])):
        again = compare(X, y, splits=5, progress=False).answers
        assert again["curves"] == found.answers["curves"]
    assert curves.compare is compare
    X = np.random.default_rng(0).normal(size=(60, 2))
    assert [each["name"] for each in compare(X, [0, 1] * 30, splits=3).answers["data"]["columns"]] == ["x0", "x1"]


def test_numbers_are_plain_and_rounded():
    value = {"a": np.float64(1 / 3), "b": [np.int64(2), -0.0, np.inf], "c": np.array([1e-9, np.nan]), "d": "x"}
    assert json.dumps(rounded(value)) == '{"a": 0.333333, "b": [2, 0.0, null], "c": [1e-09, null], "d": "x"}'


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"splits": 2}, "splits must be a whole number of at least 3, received 2"),
        ({"seed": -1}, "seed must be a whole number of at least 0, received -1"),
        ({"batch": 0}, "batch must be a whole number of at least 1, received 0"),
        ({"batch": 1.5}, "batch must be a whole number of at least 1, received 1.5"),
    ],
)
def test_arguments_that_cannot_be_used(arguments, words):
    with pytest.raises(ParameterError, match=words):
        compare(table(), "y", **arguments)


def written(folder):
    frame = pd.DataFrame(table())
    frame.to_csv(folder / "mine.csv", index=False)
    return folder / "mine.csv"


def test_the_command(tmp_path, capsys, found):
    page, data = tmp_path / "report.html", tmp_path / "report.json"
    arguments = ["curves", str(written(tmp_path)), "--target", "y", "--splits", "5"]
    assert main([*arguments, "--out", str(page), "--out", str(data)]) == 0
    printed = capsys.readouterr().out
    assert "Recommended: " in printed
    said = json.loads(data.read_text(encoding="utf-8"))
    assert said["curves"] == found.answers["curves"]
    assert Comparison(said).to_html() == page.read_text(encoding="utf-8")
    assert str(Comparison(said)) == printed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.csv", "report.html", "report.json"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--target", "z"], "mine.csv: no column 'z' to predict; there are 'x', 'visits', 'colour', 'y'"),
        (["--target", "y", "--column", "x"], "--column takes NAME=KIND, received 'x'"),
        (["--target", "y", "--column", "x=date"], "cannot take column 'x' for 'date': kinds are number, gaussian"),
        (["--target", "y", "--out", "report.pdf"], "report.pdf: the name must end in .html or .json"),
        (["--target", "y", "--out", "nowhere/report.html"], "in a folder that exists"),
        (["--target", "y", "--out", "mine.csv/report.html"], "in a folder that exists"),
    ],
)
def test_a_command_that_cannot_be_done_writes_nothing(tmp_path, capsys, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    path = written(tmp_path)
    assert main(["curves", str(path), "--out", "report.json", *arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    assert not said.out
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_written_to_is_named_before_the_race(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path)
    assert main(["curves", str(written(tmp_path)), "--target", "y", "--out", str(tmp_path / "report.html")]) == 2
    assert "no permission to write to the folder" in capsys.readouterr().err


def test_a_report_that_cannot_be_written_leaves_the_earlier_one(tmp_path, found, monkeypatch):
    page = tmp_path / "report.html"
    page.write_text("earlier")
    monkeypatch.setattr(type(page), "replace", lambda self, target: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        found.save(page)
    assert page.read_text() == "earlier"
    assert list(tmp_path.iterdir()) == [page]


def test_a_reader_that_leaves_and_one_without_unicode(tmp_path):
    script = "import sys; from probml.comparison.command import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", script, "curves", str(written(tmp_path)), "--target", "y", "--splits", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as ran:
        ran.stdout.close()
        assert ran.stderr.read() == ""
    assert ran.returncode == 0
    ran = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=True)
    assert b"(?10)" in ran.stdout


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_of_the_command(tmp_path):
    """As the terminal sends it, to a process in the middle of its work."""
    script = (
        "import os, signal, sys\n"
        "from probml.comparison import comparison, command\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # which a shell's background job would ignore
        "run = comparison.run\n"
        "def interrupted(examples, splits, seed, progress):\n"
        "    kill = lambda done, planned: done == 4 and os.kill(os.getpid(), signal.SIGINT)\n"
        "    return run(examples, splits, seed, kill)\n"
        "comparison.run = interrupted\n"
        "sys.exit(command.main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", script, "curves", str(written(tmp_path)), "--target", "y"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    said = " ".join(ran.stdout.split())  # lines are broken, by the length of the path
    assert "Interrupted: 4 of 30 splits are done" in said or "Interrupted: 5 of 30 splits are done" in said
    assert "Traceback" not in ran.stderr
