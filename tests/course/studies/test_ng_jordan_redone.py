"""The experiments of Ng and Jordan: published curves, protocols and comparisons, against independent oracles."""

import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kstest
from sklearn.naive_bayes import CategoricalNB as SklearnCategoricalNB
from sklearn.neighbors import NearestCentroid

from course.studies.ng_jordan import task_names
from course.studies.ng_jordan_redone import hyperplanes, protocols
from course.studies.ng_jordan_redone.compare import (
    crossing,
    crossing_interval,
    difference,
    gap,
    noise,
    p_value,
    paired,
)
from course.studies.ng_jordan_redone.hyperplanes import CHOICES, Chosen
from course.studies.ng_jordan_redone.published import published
from course.studies.ng_jordan_redone.study import at, curve, doubling, redone, some_of, together
from probml.curves import Curve, LogisticRegression
from probml.curves.splits import draw_splits

ROOT = Path(__file__).parents[3]
PANELS = published()


# What is published


def test_panels_are_the_tasks():
    assert list(PANELS) == task_names()
    for panel in PANELS.values():
        assert panel.sizes.dtype.kind == "i"
        assert panel.sizes[0] == 2
        assert all(a < b for a, b in pairwise(panel.sizes))
        assert panel.nb.shape == panel.lr.shape == panel.sizes.shape
        assert 0 < min(panel.nb.min(), panel.lr.min()) < max(panel.nb.max(), panel.lr.max()) < 0.7


@pytest.mark.parametrize("name", task_names())
def test_stated_and_revealed(name):
    """Every published size leaves something to test; only discrete tasks are coded in another way."""
    stated, revealed = protocols.stated(name), protocols.revealed(name)
    assert list(stated) == list(revealed) == ["nb", "lr"]
    for trial in (*stated.values(), *revealed.values()):
        assert PANELS[name].sizes[-1] < len(trial.task.y)
    assert stated["nb"].model != revealed["nb"].model
    same = np.array_equal(stated["lr"].task.X, revealed["lr"].task.X)
    assert same == (stated["lr"].task.kind == "continuous")
    assert revealed["nb"].task.X.shape[1] == {"ionosphere": 34}.get(name, revealed["nb"].task.X.shape[1])


def test_published_winners_are_those_that_the_paper_counts():
    """Logistic regression has 9 panels at the last size; naive Bayes all but adult discrete and sick at m = 2."""
    assert sum(panel.winner(-1) == "lr" for panel in PANELS.values()) == 9
    assert {name for name, panel in PANELS.items() if panel.winner(0) == "lr"} == {"adult-discrete", "sick"}


def test_the_curves_are_package_data():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"][
        "package-data"
    ]
    data = {path.relative_to(ROOT / "probml").as_posix() for path in (ROOT / "probml").rglob("*.toml")}
    assert data <= set(declared["probml"])


# Protocols, against scikit-learn


def errors_by_hand(model, task, size, splits, seed):
    """Test error of each split, fitted one by one."""
    found = []
    for rows in draw_splits(task.y, size, splits, seed):
        test = np.setdiff1d(np.arange(len(task.y)), rows)
        found.append(np.mean(model.fit(task.X[rows], task.y[rows]).predict(task.X[test]) != task.y[test]))
    return found


def test_revealed_continuous_naive_bayes_is_the_nearest_class_mean():
    trial = protocols.revealed("liver")["nb"]
    found = curve(trial, [5, 20], 15, 3)
    for place, size in enumerate((5, 20)):
        np.testing.assert_allclose(
            found.losses[place], errors_by_hand(NearestCentroid(), trial.task, size, 15, 3), atol=1e-12
        )


def test_revealed_discrete_naive_bayes_counts_categories_and_gives_ties_to_class_1():
    trial = protocols.revealed("lenses")["nb"]
    found = curve(trial, [6, 15], 40, 1)
    for place, size in enumerate((6, 15)):
        expected = []
        for rows in draw_splits(trial.task.y, size, 40, 1):
            test = np.setdiff1d(np.arange(24), rows)
            y = trial.task.y[rows]
            prior = (np.bincount(y) + 1) / (len(y) + 2)
            model = SklearnCategoricalNB(class_prior=prior, min_categories=list(trial.task.categories))
            scores = model.fit(trial.task.X[rows].astype(int), y).predict_joint_log_proba(
                trial.task.X[test].astype(int)
            )
            said = scores[:, 1] - scores[:, 0] > -1e-12
            expected.append(np.mean(said != trial.task.y[test]))
        np.testing.assert_allclose(found.losses[place], expected, atol=1e-12)


def test_inputs_are_moved_and_nothing_else():
    plain, moved = protocols.logistic("pima"), protocols.INPUTS["[-1, 1]"]("pima")
    np.testing.assert_array_equal(moved.task.X, 2 * plain.task.X - 1)
    assert moved.task.X.min() == -1
    assert moved.task.X.max() == 1
    assert moved.model == plain.model
    # far from separable, maximum likelihood does not see it
    np.testing.assert_allclose(curve(plain, [400], 4, 0).losses, curve(moved, [400], 4, 0).losses, atol=1e-12)


# Studies


def test_both_classifiers_have_splits_of_their_own():
    trials = protocols.stated("lenses")
    found = redone(trials, PANELS["lenses"], {"nb": 30, "lr": 20}, 4)
    assert found["nb"].losses.shape == (22, 30)
    assert found["lr"].losses.shape == (22, 20)
    np.testing.assert_array_equal(found["nb"].losses, curve(trials["nb"], PANELS["lenses"].sizes, 30, 8).losses)
    np.testing.assert_array_equal(found["lr"].losses, curve(trials["lr"], PANELS["lenses"].sizes, 20, 9).losses)


def test_models_together_see_the_same_splits():
    trial = protocols.spherical("liver", prior_alpha=np.inf)
    found = together(trial.task, {"a": trial.model, "b": trial.model}, [10], 8, 0)
    np.testing.assert_array_equal(found.error["a"].losses, found.error["b"].losses)


def test_a_curve_at_some_of_its_sizes(made):
    part = at(made([1.0, 2.0, 3.0], 4), [10, 30])
    assert part.sizes.tolist() == [10, 30]
    assert part.mean.tolist() == [1.0, 3.0]


def test_sizes():
    assert some_of([2, 5, 8, 11, 14], 3) == [2, 8, 14]
    assert some_of([2, 5], 6) == [2, 5]
    assert doubling(59, 768) == [118, 236, 472, 691]
    assert doubling(59, 768, most=300) == [118, 300]
    assert doubling(97, 106) == []


# Comparisons


@pytest.fixture
def made():
    """Curves of known mean and deviation: halves of the splits at mean ± 1."""

    def curve_of(means, splits):
        sides = np.where(np.arange(splits) % 2, 1.0, -1.0)
        return Curve(np.arange(len(means)) * 10 + 10, np.array(means)[:, None] + sides)

    return curve_of


def test_gap_and_what_chance_makes_of_it(made):
    ours = made([1.0, 2.0], 500)
    found = gap(ours, np.array([1.5, 1.0]))
    assert found.mean == pytest.approx(0.75)
    deviation = np.sqrt(500 / 499)
    assert noise(ours) == pytest.approx(deviation * np.sqrt(1 / 500 + 1 / 1000), rel=1e-12)
    # by simulation: two means of the same expectation
    rng = np.random.default_rng(0)
    draws = deviation * (rng.standard_normal(10**6) / np.sqrt(500) - rng.standard_normal(10**6) / np.sqrt(1000))
    assert found.by_chance == pytest.approx(np.abs(draws).mean(), rel=5e-3)


def test_how_often_chance_sets_curves_farther_apart(made):
    ours = made([1.0, 2.0], 500)
    off = np.array([0.08, -0.03])
    rng = np.random.default_rng(0)
    squares = ((off / noise(ours)) ** 2).sum()
    assert p_value(ours, ours.mean - off) == pytest.approx(np.exp(-squares / 2), rel=1e-9)  # of two sizes
    farther = (rng.standard_normal((10**5, 2)) ** 2).sum(axis=1) > squares
    assert p_value(ours, ours.mean + off) == pytest.approx(farther.mean(), abs=5e-3)


def test_differences_and_winners(made):
    nb, lr = made([1.0, 1.0, 1.0], 400), made([2.0, 1.01, 0.5], 400)
    assert [difference(nb, lr, place).winner for place in range(3)] == ["nb", "≈", "lr"]
    first = difference(nb, lr, 0)
    assert first.high - first.value == pytest.approx(1.96 * np.sqrt(2 / 399), rel=1e-4)
    # on the same splits the halves cancel, and the difference is known exactly
    assert paired(nb, lr, 1).winner == "nb"
    assert paired(nb, lr, 1).low == pytest.approx(paired(nb, lr, 1).high, abs=1e-12)


def test_few_splits_have_wider_intervals():
    """Student's table: 4.303 for three splits, whose differences 1, 2, 3 have a standard error of 1/√3."""
    nb, lr = (Curve(np.array([5]), np.array([losses])) for losses in ([0.0, 0.0, 0.0], [1.0, 2.0, 3.0]))
    found = paired(nb, lr, 0)
    assert found.value == 2
    assert found.high - found.value == pytest.approx(4.303 / np.sqrt(3), rel=1e-4)
    assert found.winner == "≈"


def test_crossing_is_the_last_change_of_sign():
    sizes = np.array([2, 4, 8, 16])
    nb = np.zeros(4)
    assert crossing(sizes, nb, np.array([1.0, 1.0, -1.0, -1.0])) == 6
    assert crossing(sizes, nb, np.array([1.0, 3.0, -1.0, -1.0])) == 7
    assert crossing(sizes, nb, np.array([1.0, -1.0, 1.0, -3.0])) == 10
    assert crossing(sizes, nb, np.array([-1.0, -1.0, -1.0, 1.0])) == np.inf
    assert crossing(sizes, nb, -np.ones(4)) == 0


def test_interval_of_the_crossing_follows_the_slope(made):
    """Where the lines meet at a size, a difference of q there moves the crossing by 10 q / (1 + q), to either side."""
    slope, nb = made([2.0, 1.0, 0.0, -1.0, -2.0], 40001), made([0.0] * 5, 40001)
    low, high = crossing_interval(nb, slope, 20000, 0)
    q = 1.96 * nb.standard_error[0] * np.sqrt(2)
    assert low == pytest.approx(30 - 10 * q / (1 + q), abs=0.005)
    assert high == pytest.approx(30 + 10 * q / (1 + q), abs=0.005)
    assert (low, high) == crossing_interval(nb, slope, 20000, 0)
    assert crossing_interval(slope, nb, 100, 0)[1] == np.inf


# Other hyperplanes


def cones(number, c, d, seed):
    """Rows of cones that are not empty, shape (number, c, d), and a Generator for each of them."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((number, c, d))
    A *= np.sign(A @ rng.standard_normal(d))[:, :, None]
    return A, [np.random.default_rng([seed, k]) for k in range(number)]


@pytest.mark.parametrize("title", CHOICES)
def test_choices_separate(title):
    A, generators = cones(6, 12, 5, 1)
    found = CHOICES[title](A, generators)
    assert found.shape == (6, 5)
    assert (np.linalg.norm(found, axis=1) > 0).all()
    lowest = (A @ found[:, :, None]).min()
    assert lowest > (-1e-9 if "vertex" in title else 0)
    assert CHOICES[title](A[:0], []).shape == (0, 5)


def test_perceptron_by_hand():
    A, generators = cones(3, 10, 4, 2)
    found = hyperplanes.perceptron(A, generators)
    _, again = cones(3, 10, 4, 2)
    for rows, w, generator in zip(A, found, again, strict=True):
        rows, v = generator.permutation(rows), np.zeros(4)
        while (rows @ v <= 0).any():
            for row in rows:
                v = v + row if row @ v <= 0 else v
        np.testing.assert_allclose(w, v, atol=1e-12)


def test_newton_begins_with_least_squares():
    """From 0 all weights are 1/4, and the first step is twice the solution of A w = 1, if that separates."""
    A, generators = cones(20, 7, 6, 3)
    found = hyperplanes.newton(A, generators)
    checked = 0
    for rows, w in zip(A, found, strict=True):
        first = 2 * np.linalg.lstsq(rows, np.ones(7), rcond=None)[0]
        if (rows @ first > 0).all():
            np.testing.assert_allclose(w, first, rtol=1e-3)
            checked += 1
    assert checked > 3


def test_newton_goes_on_until_it_separates():
    A, generators = cones(40, 30, 5, 4)
    first = np.array([np.linalg.lstsq(rows, np.ones(30), rcond=None)[0] for rows in A])
    assert ((A @ first[:, :, None]).min(axis=(1, 2)) < 0).any()
    assert ((A @ hyperplanes.newton(A, generators)[:, :, None]) > 0).all()


def test_vertices():
    """As many walls meet there as there are dimensions."""
    A, generators = cones(8, 15, 4, 5)
    for rows, w in zip(A, hyperplanes.random_vertex(A, generators), strict=True):
        assert np.abs(w).max() == pytest.approx(1)
        assert (np.abs(rows @ w) < 1e-9).sum() + (np.abs(w) > 1 - 1e-9).sum() >= 4
    for rows, w in zip(A, hyperplanes.any_vertex(A, generators), strict=True):
        assert (rows @ w).min() == pytest.approx(1)
        assert (np.abs(rows @ w - 1) < 1e-9).sum() + (np.abs(w) < 1e-9).sum() >= 4


def test_random_vertices_are_random():
    A, _ = cones(1, 15, 4, 6)
    A = np.repeat(A, 20, axis=0)
    found = hyperplanes.random_vertex(A, [np.random.default_rng(k) for k in range(20)])
    assert len(np.unique(found.round(6), axis=0)) > 3


WEDGE = np.array([[1.0, -1.0], [0.0, 1.0]])  # w_1 > w_2 > 0


def corner(A, generators):
    """A start that is far from everything else."""
    return np.tile([1.0, 0.01], (len(A), 1))


def test_hit_and_run_becomes_uniform_over_angles():
    A = np.repeat(WEDGE[None], 2000, axis=0)
    generators = [np.random.default_rng([7, k]) for k in range(2000)]
    found = hyperplanes.hit_and_run(A, generators, start=corner, steps=20)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1)
    assert kstest(np.arctan2(found[:, 1], found[:, 0]) / (np.pi / 4), "uniform").pvalue > 0.01


def test_hit_and_run_begins_at_its_start():
    A = np.repeat(WEDGE[None], 3, axis=0)
    found = hyperplanes.hit_and_run(A, [np.random.default_rng(k) for k in range(3)], start=corner, steps=0)
    np.testing.assert_allclose(found, np.tile([1.0, 0.01], (3, 1)) / np.hypot(1, 0.01))


def test_coordinates_become_uniform_in_the_box():
    """In the triangle 1 > w_1 > w_2 > 0, w_1² and w_2 / w_1 are uniform and independent."""
    A = np.repeat(WEDGE[None], 2000, axis=0)
    generators = [np.random.default_rng([8, k]) for k in range(2000)]
    found = hyperplanes.coordinates(A, generators, start=corner, sweeps=60)
    assert kstest(found[:, 0] ** 2, "uniform").pvalue > 0.01
    assert kstest(found[:, 1] / found[:, 0], "uniform").pvalue > 0.01


def test_only_separable_parts_are_chosen():
    task = protocols.logistic("pima").task
    models = {
        "lr": LogisticRegression(separable="margin"),
        "chosen": LogisticRegression(separable=Chosen(hyperplanes.perceptron)),
    }
    found = together(task, models, [26], 40, 0)
    share = found.separable["lr"][0]
    same = found.error["lr"].losses[0] == found.error["chosen"].losses[0]
    assert 0.2 < share < 0.8
    assert 1 - share <= same.mean() < 1 - share + 0.2
    assert found.separable["chosen"][0] == share


def test_what_is_chosen_is_what_is_tested():
    """Errors on the other rows, counted one by one."""
    task = protocols.logistic("sonar").task
    found = (
        together(task, {"it": LogisticRegression(separable=Chosen(hyperplanes.newton))}, [40], 5, 3)
        .error["it"]
        .losses[0]
    )
    for rows, error in zip(draw_splits(task.y, 40, 5, 3), found, strict=True):
        A = (2.0 * task.y[rows] - 1)[:, None] * np.column_stack([task.X[rows], np.ones(40)])
        w = hyperplanes.newton(A[None], [np.random.default_rng()])[0]
        test = np.setdiff1d(np.arange(len(task.y)), rows)
        said = task.X[test] @ w[:-1] + w[-1] > 0
        assert error == pytest.approx(np.mean(said != task.y[test]), abs=1e-12)
