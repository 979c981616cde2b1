"""The experiments of Ng and Jordan: published curves, protocols and comparisons, against independent oracles."""

import tomllib
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import kstest, norm
from sklearn.naive_bayes import CategoricalNB as SklearnCategoricalNB
from sklearn.neighbors import NearestCentroid
from sklearn.svm import SVC

from course.studies.ng_jordan import ng_jordan, task_kind, task_names
from course.studies.ng_jordan_redone import convergence, hyperplanes, plane, protocols, regimes, sensitivity, tables
from course.studies.ng_jordan_redone.compare import (
    EVEN,
    ODD,
    crossing,
    crossing_interval,
    gap,
    gap_change,
    jointly,
    noise,
    p_value,
    paired,
)
from course.studies.ng_jordan_redone.hyperplanes import CHOICES, Chosen
from course.studies.ng_jordan_redone.published import Panel, published
from course.studies.ng_jordan_redone.random_hyperplane import RandomHyperplane
from course.studies.ng_jordan_redone.regimes import Contest
from course.studies.ng_jordan_redone.reproduction import reproduce
from course.studies.ng_jordan_redone.splits import complete_rows, coupled, draws
from course.studies.ng_jordan_redone.study import at, largest, run, some_of
from course.studies.ng_jordan_redone.variants import try_all
from course.studies.resampled import Mean, resampled_interval
from probml.curves import Curve, LogisticRegression, learning_curves
from probml.curves.splits import draw_splits
from probml.losses import Logistic
from probml.objectives import LinearObjective
from probml.solvers import newton

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
@pytest.mark.parametrize("which", ["nb", "lr"])
def test_candidates(name, which):
    """Every published size leaves something to test, and the first candidate has all rows and no special columns."""
    trials = [protocol(name) for protocol in protocols.candidates(name, which).values()]
    assert len(trials) >= 3
    assert not trials[0].complete
    np.testing.assert_array_equal(trials[0].task.y, ng_jordan(name).y)
    for trial in trials:
        assert PANELS[name].sizes[-1] < len(trial.task.y)
        assert len(trial.task.y) == (complete_rows(name).sum() if trial.complete else len(ng_jordan(name).y))


def test_columns_of_the_ionosphere():
    assert protocols.logistic("ionosphere").task.X.shape[1] == 32
    assert protocols.logistic("ionosphere", two_valued=True).task.X.shape[1] == 34
    assert protocols.spherical("ionosphere", two_valued=True).task.X.shape[1] == 34
    assert protocols.spherical("sonar", two_valued=True).task.X.shape[1] == 60


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


@pytest.mark.parametrize("name", task_names())
def test_what_comes_closest_is_a_candidate(name):
    for which in ("nb", "lr"):
        title = protocols.CLOSEST[task_kind(name), which]
        assert title in protocols.candidates(name, which)
        expected = protocols.candidates(name, which)[title](name)
        trial = protocols.reconstructed(name, which)
        assert trial.model == expected.model
        assert trial.task.X.shape[1] == (34 if (name, which) == ("ionosphere", "nb") else expected.task.X.shape[1])
        assert (
            protocols.described(name, which).model == next(iter(protocols.candidates(name, which).values()))(name).model
        )


@pytest.fixture(scope="module")
def some_panels():
    """Few sizes of a panel of each kind, and of the one whose columns are varied."""
    places = [0, 3, 6]
    return {
        name: Panel(of.title, of.sizes[places], of.nb[places], of.lr[places])
        for name, of in PANELS.items()
        if name in ("ionosphere", "liver", "lenses")
    }


def test_variants_begin_with_the_curves_of_the_reproduction(some_panels):
    found, again = reproduce(some_panels, 9, 5, 2), try_all(some_panels, 9, 5, 2)
    for (protocol, name, which), curve in found.full.items():
        few = 5 if which == "lr" and name != "ionosphere" else 9
        expected = curve.losses[:, :few]
        np.testing.assert_array_equal(again.full[protocol, name, which].losses[:, :few], expected)
    for name in some_panels:
        np.testing.assert_array_equal(again.separable[name], found.separable[name])
    assert all(curve.losses.shape[1] == 5 for of in again.tried.values() for curve in of.values())
    np.testing.assert_array_equal(
        again.columns["nb", 34].losses, found.full["reconstructed", "ionosphere", "nb"].losses[:, :5]
    )
    np.testing.assert_array_equal(
        again.columns["lr", 32].losses, found.full["reconstructed", "ionosphere", "lr"].losses[:, :5]
    )
    assert (again.columns["lr", 34].losses != again.columns["lr", 32].losses).any()
    assert (again.columns["nb", 34].losses != again.columns["nb", 32].losses).any()


def test_variants_are_chosen_at_odd_sizes(some_panels):
    found = try_all(some_panels, 9, 5, 2)
    for (kind, which), title in found.chosen.items():
        names = found.family((kind, which))
        assert names == {
            ("continuous", "nb"): ["ionosphere", "liver"],
            ("continuous", "lr"): ["liver"],
        }.get((kind, which), ["lenses"])
        gaps = {
            each: np.mean(
                [
                    np.abs(found.tried[name, which][each].mean - getattr(some_panels[name], which))[::2].mean()
                    for name in names
                ]
            )
            for each in protocols.CANDIDATES[kind, which]
        }
        assert gaps[title] == pytest.approx(min(gaps.values()))
        assert found.gap_of((kind, which), title, ODD) == pytest.approx(gaps[title])
    assert [row[-1] for row in found.rows()].count("chosen") == 4
    kinds = {kind for kind, *_ in found.rows()}
    assert {"naive Bayes, continuous", "logistic regression, continuous, 1 of 2 panels"} <= kinds


def test_the_chosen_variant_with_the_chosen_columns(some_panels):
    found = try_all(some_panels, 9, 5, 2)
    title, number = found.chosen["continuous", "nb"], found.chosen_columns["nb"]
    curves = found.with_columns(title)
    assert curves["ionosphere"] is found.columns["nb", number]
    assert curves["liver"] is found.tried["liver", "nb"][title]
    (row,) = (row for row in found.rows() if row[1] == f"the same, ionosphere with {number} columns")
    even = np.mean([100 * gap(curve, some_panels[name].nb, EVEN).mean for name, curve in curves.items()])
    assert float(row[3]) == pytest.approx(even, abs=0.005)
    (chosen,) = (row for row in found.rows() if row[1] == title)
    change = float(row[-1].partition(" ± ")[0].replace("−", "-"))
    assert change == pytest.approx(float(row[3]) - float(chosen[3]), abs=0.02)


# Protocols, against scikit-learn


def errors_by_hand(model, task, size, splits, seed):
    """Test error of each split, fitted one by one."""
    found = []
    for rows in draw_splits(task.y, size, splits, seed):
        test = np.setdiff1d(np.arange(len(task.y)), rows)
        found.append(np.mean(model.fit(task.X[rows], task.y[rows]).predict(task.X[test]) != task.y[test]))
    return found


def losses(trial, sizes, splits, seed):
    """Of one trial, on the splits of the engine."""
    train = {m: draw_splits(trial.task.y, m, splits, seed) for m in sizes}
    return run(trial.task, {"it": trial.model}, train, seed, trial.ties).error["it"].losses


def test_one_variance_and_a_flat_prior_are_the_nearest_class_mean():
    trial = protocols.spherical("liver", prior_alpha=protocols.FLAT)
    for size, found in zip((5, 20), losses(trial, (5, 20), 15, 3), strict=True):
        np.testing.assert_allclose(found, errors_by_hand(NearestCentroid(), trial.task, size, 15, 3), atol=1e-12)


def test_categories_with_ties_to_class_1():
    trial = protocols.categorical("lenses", ties="last")
    for size, found in zip((6, 15), losses(trial, (6, 15), 40, 1), strict=True):
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
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_inputs_are_moved_and_nothing_else():
    plain = protocols.logistic("pima")
    moved = protocols.CANDIDATES["continuous", "lr"]["features in [-1, 1]"]("pima")
    np.testing.assert_array_equal(moved.task.X, 2 * plain.task.X - 1)
    assert moved.task.X.min() == -1
    assert moved.task.X.max() == 1
    assert moved.model == plain.model
    # far from separable, maximum likelihood does not see it
    np.testing.assert_allclose(losses(plain, [400], 4, 0), losses(moved, [400], 4, 0), atol=1e-12)


def test_a_large_floor_makes_variances_alike():
    """With a floor far above all variances the described naive Bayes is, but for the prior, the nearest mean."""
    flat = {"prior_alpha": protocols.FLAT}
    near = losses(protocols.gaussian("liver", floor=1e9, **flat), [20], 30, 0)
    np.testing.assert_allclose(near, losses(protocols.spherical("liver", **flat), [20], 30, 0), atol=1e-12)
    assert (losses(protocols.gaussian("liver", **flat), [20], 30, 0) != near).any()


# Splits


def test_rows_of_both_kinds_are_the_same_where_no_value_is_missing():
    found = draws("lenses", [2, 6], 30, 0)
    assert complete_rows("lenses").all()
    for m in (2, 6):
        np.testing.assert_array_equal(found.every[m], found.complete[m])
        assert found.every[m].shape == (30, m)


def test_complete_rows_are_numbered_as_in_their_task():
    """A row has the same class under both numbers; and both kinds of parts hold both classes."""
    found = draws("voting", [2, 20], 50, 1)
    y, complete = ng_jordan("voting").y, ng_jordan("voting", complete=True).y
    which = np.flatnonzero(complete_rows("voting"))
    assert len(complete) == len(which) == 232
    for m in (2, 20):
        np.testing.assert_array_equal(y[which[found.complete[m]]], complete[found.complete[m]])
        for labels in (y[found.every[m]], complete[found.complete[m]]):
            assert (labels.min(axis=1) == 0).all()
            assert (labels.max(axis=1) == 1).all()
        shared = [len(np.intersect1d(a, which[b])) for a, b in zip(found.every[m], found.complete[m], strict=True)]
        # Of two independent parts it would be m / 435 of them; of two examples, often one part alone is drawn again.
        assert np.mean(shared) > (0.45 if m > 2 else 0.15) * m


def test_coupled_parts_are_uniform_among_those_with_both_classes():
    y = np.array([0, 0, 0, 1, 1, 0, 1])
    complete = np.array([True, True, False, True, True, True, False])
    every, some = coupled(y, complete, 2, 30_000, 0)
    for rows, allowed in ((every, np.arange(7)), (some, np.flatnonzero(complete))):
        pairs = {(i, j) for i in allowed for j in allowed if i < j and y[i] != y[j]}
        drawn, counts = np.unique(np.sort(rows, axis=1), axis=0, return_counts=True)
        assert {tuple(pair) for pair in drawn} == pairs
        expected = len(rows) / len(pairs)
        assert (np.abs(counts - expected) < 4.5 * np.sqrt(expected)).all()


def test_some_of_the_draws_are_the_first():
    found = draws("lenses", [2, 6], 30, 0)
    part = found.some([6], 5)
    assert list(part.every) == [6]
    np.testing.assert_array_equal(part.every[6], found.every[6][:5])


# Studies


def test_the_runner_is_the_engine_on_its_own_splits():
    task = ng_jordan("sonar")
    models = {
        "nb": protocols.gaussian("sonar").model,
        "lr": LogisticRegression(separable=(RandomHyperplane(), "margin")),
    }
    train = {m: draw_splits(task.y, m, 12, 5) for m in (10, 40)}
    found = run(task, models, train, 5)
    expected = learning_curves(task.X, task.y, [10, 40], models, n_splits=12, seed=5, ties="half", n_jobs=1)
    assert set(found.error) == {"nb", "lr (random)", "lr (margin)"}
    for title, curve in found.error.items():
        np.testing.assert_array_equal(curve.losses, expected.error[title].losses)
    np.testing.assert_array_equal(found.separable["lr"].mean(axis=1), expected.separable["lr"])


def test_the_first_splits_do_not_depend_on_the_others():
    task, model = ng_jordan("lenses"), LogisticRegression(separable=RandomHyperplane())
    train = {6: draw_splits(task.y, 6, 20, 0)}
    whole = run(task, {"": model}, train, 0).error[""].losses
    np.testing.assert_array_equal(run(task, {"": model}, {6: train[6][:7]}, 0).error[""].losses, whole[:, :7])


def test_a_curve_at_some_of_its_sizes(made):
    part = at(made([1.0, 2.0, 3.0], 4), [10, 30])
    assert part.sizes.tolist() == [10, 30]
    assert part.mean.tolist() == [1.0, 3.0]


def test_sizes():
    assert some_of([2, 5, 8, 11, 14], 3) == [2, 8, 14]
    assert some_of([2, 5], 6) == [2, 5]
    assert largest(768) == 691
    assert largest(768, most=300) == 300
    assert largest(32_561) == 4096


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


def test_p_values_taken_together():
    # -2 (log 0.1 + log 0.1) is chi-squared with four degrees of freedom, whose tail is (1 + x/2) exp(-x/2)
    assert jointly([0.1, 0.1]) == pytest.approx(0.01 * (1 - np.log(0.01)))
    assert jointly([0.3]) == pytest.approx(0.3)


def test_gaps_at_odd_and_at_even_sizes(made):
    ours, theirs = made([1.0, 2.0, 4.0], 500), np.array([1.0, 1.0, 1.0])
    assert gap(ours, theirs, ODD).mean == pytest.approx(1.5)
    assert gap(ours, theirs, EVEN).mean == pytest.approx(1.0)
    assert p_value(ours, ours.mean, EVEN) == 1


def test_the_change_of_a_gap_and_its_error():
    """Above the published value a larger error is a larger gap, below it a smaller one."""
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 2, 400))
    new, old = (Curve(np.array([5, 9]), z + np.array(mean)[:, None]) for z, mean in ((x, [3, -3]), (y, [2, -1])))
    value, error = gap_change([new], [old], [np.zeros(2)])
    assert value == pytest.approx((x[0].mean() + 3 - y[0].mean() - 2 + 3 - x[1].mean() - 1 + y[1].mean()) / 2)
    each = np.array([x[0] - y[0], y[1] - x[1]])
    assert error == pytest.approx(np.sqrt((each.var(axis=1, ddof=1) / 400).sum()) / 2)
    assert gap_change([new, new], [old, old], [np.zeros(2)] * 2)[1] == pytest.approx(error / np.sqrt(2))
    assert gap_change([new], [new], [np.zeros(2)]) == (0, 0)


def test_winners(made):
    nb, lr = made([1.0, 1.0, 1.0], 400), made([2.0, 1.01, 0.5], 400)
    # on the same splits the halves cancel, and the difference is known exactly
    assert [paired(nb, lr, place).winner for place in range(3)] == ["nb", "nb", "lr"]
    assert paired(nb, lr, 1).low == pytest.approx(paired(nb, lr, 1).high, abs=1e-12)
    fewer = Curve(lr.sizes, lr.losses[:, :100])
    assert paired(nb, fewer, 0).value == pytest.approx(1)


def test_few_splits_have_wider_intervals():
    """Student's table: 4.303 for three splits, whose differences 1, 2, 3 have a standard error of 1/√3."""
    nb, lr = (Curve(np.array([5]), np.array([losses])) for losses in ([0.0, 0.0, 0.0], [1.0, 2.0, 3.0]))
    found = paired(nb, lr, 0)
    assert found.value == 2
    assert found.high - found.value == pytest.approx(4.303 / np.sqrt(3), rel=1e-4)
    assert found.winner == "≈"


def test_crossing_is_the_last_change_of_sign():
    sizes = np.array([2, 4, 8, 16])
    assert crossing(sizes, -np.array([1.0, 1.0, -1.0, -1.0])) == 6
    assert crossing(sizes, -np.array([1.0, 3.0, -1.0, -1.0])) == 7
    assert crossing(sizes, -np.array([1.0, -1.0, 1.0, -3.0])) == 10
    assert crossing(sizes, -np.array([-1.0, -1.0, -1.0, 1.0])) == np.inf
    assert crossing(sizes, np.ones(4)) == 0


def test_interval_of_the_crossing_follows_the_slope(made):
    """Where the lines meet at a size, a difference of q there moves the crossing by 10 q / (1 + q), to either side.

    On the same splits ours is known exactly; what is left are the 1000 splits of the paper, twice.
    """
    slope, nb = made([2.0, 1.0, 0.0, -1.0, -2.0], 40001), made([0.0] * 5, 40001)
    low, high = crossing_interval(nb, slope, 20000, 0)
    q = 1.96 * np.sqrt(2 / 1000)
    assert low == pytest.approx(30 - 10 * q / (1 + q), abs=0.02)
    assert high == pytest.approx(30 + 10 * q / (1 + q), abs=0.02)
    assert (low, high) == crossing_interval(nb, slope, 20000, 0)
    assert crossing_interval(slope, nb, 100, 0)[1] == np.inf


def test_finite_crossings_are_counted_apart():
    of = {
        "a": {"published": (5.0, 5.0, 5.0), "described": (np.inf, np.inf, np.inf), "reconstructed": (4.0, 3.0, 6.0)},
        "b": {"published": (np.inf,) * 3, "described": (np.inf,) * 3, "reconstructed": (np.inf,) * 3},
    }
    assert tables.finite(of) == ["a"]
    assert tables.inside(of["a"], "reconstructed")
    assert not tables.inside(of["a"], "described")
    assert tables.crossing_rows(of) == [["a", "5.00", "∞ [∞, ∞]", "4.00 [3.00, 6.00] ✓"]]


def test_what_the_panels_are_made_of():
    rows = {row[0]: row[1:] for row in tables.data_rows(SimpleNamespace(panels=PANELS))}
    assert list(rows) == list(PANELS)
    assert all(len(row) + 1 == len(tables.DATA) for row in rows.values())
    assert rows["lymphography"] == ["148", "142", "142", "18", "50", "metastases", "malign lymph", "0.57"]
    assert rows["lenses"] == ["24", "24", "24", "4", "6", "hard or soft", "none", "0.38"]
    assert rows["voting"][:5] == ["435", "435", "232", "16", "32"]
    assert rows["ionosphere"][3:5] == ["32", "32"]


def test_signed_gaps(made):
    lr = made([0.5, 0.4, 0.3, 0.2, 0.1], 100)
    panel = SimpleNamespace(sizes=lr.sizes, lr=lr.mean + 0.01)
    short = SimpleNamespace(sizes=lr.sizes[:2], lr=lr.mean[:2] - 0.02)
    few = Curve(lr.sizes[:2], lr.losses[:2])
    found = SimpleNamespace(
        full={("reconstructed", "a", "lr"): lr, ("reconstructed", "b", "lr"): few},
        panels={"a": panel, "b": short},
        separable={"a": np.linspace(1, 0, 5), "b": np.ones(2)},
    )
    header, rows = tables.signed_rows(found, ("a", "b"))
    assert header[::3] == ["a: m", "b: m"]
    assert [row[1] for row in rows] == ["100%", "75%", "50%", "25%", "0%"]
    assert all(row[2].startswith("−1.0 ± ") for row in rows)
    assert all(row[5].startswith("2.0 ± ") for row in rows[:2])
    assert rows[-1][3:] == ["", "", ""]


def test_signed_gaps_of_the_ionosphere_with_all_columns(made):
    lr, wide = made([0.5, 0.4], 100), made([0.7, 0.4], 100)
    found = SimpleNamespace(
        full={("reconstructed", "ionosphere", "lr"): lr},
        columns={("lr", 34): wide},
        panels={"ionosphere": SimpleNamespace(sizes=lr.sizes, lr=lr.mean)},
        separable={"ionosphere": np.ones(2)},
    )
    header, rows = tables.signed_rows(found, ("ionosphere",))
    assert header[-1] == "with 34 columns"
    assert [row[3].split(" ± ")[0] for row in rows] == ["20.0", "0.0"]


# Regimes


def contest(nb, random, margin, rows=100):
    curves = {
        title: Curve(np.array([2, 10]), np.array([[0.0] * len(values), values]))
        for title, values in (("nb", nb), ("random", random), ("margin", margin))
    }
    return Contest(np.array([2, 10]), curves, np.ones(2), rows)


@pytest.fixture
def found():
    """Two panels of one data set and one of another, with leads of 0.4, 0.2 and 0.6 by the random rule."""
    return {
        "optdigits-01": contest([0.1, 0.3], [0.5, 0.7], [0.2, 0.4]),
        "optdigits-23": contest([0.1, 0.3], [0.2, 0.6], [0.1, 0.3]),
        "pima": contest([0.0, 0.0], [0.6, 0.6], [0.3, 0.1]),
    }


def test_mean_leads(found):
    lead = regimes.mean_lead(found, "random", 1, 4000, 0)
    assert lead.value == pytest.approx(0.4)
    # only the second panel differs from split to split: 0.1 and 0.3
    assert lead.error == pytest.approx(np.std([0.1, 0.3], ddof=1) / np.sqrt(2) / 3)
    # two data sets, drawn twice: digits only (mean 0.3), pima only (0.6), or both (0.4)
    assert (lead.low, lead.high) == pytest.approx((0.3, 0.6))


def test_published_leads():
    sizes = np.array([2, 4, 6, 8, 10, 12, 14])
    of = [Panel("", sizes, np.zeros(7), np.arange(7.0) + more) for more in (0.0, 1.0, 5.0)]
    panels = dict(zip(("optdigits-01", "optdigits-23", "pima"), of, strict=True))
    lead = regimes.published_lead(panels, 2, 4000, 0)
    assert lead.value == pytest.approx(4.0)
    # two data sets, drawn twice: digits only (mean 2.5), pima only (7), or both (4)
    assert (lead.low, lead.high) == pytest.approx((2.5, 7.0))
    assert np.isnan(lead.error)


@pytest.fixture(scope="module")
def small():
    """A panel with a late size, one without, and one with missing values, at few sizes and splits."""
    panels = {
        name: Panel(of.title, of.sizes[[0, 2, 4]], of.nb[[0, 2, 4]], of.lr[[0, 2, 4]])
        for name, of in PANELS.items()
        if name in ("liver", "voting")
    }
    panels["lenses"] = PANELS["lenses"]
    found = reproduce(panels, 8, 6, 3)
    return found, regimes.contests(found, 5, 4, 3)


def test_contests_are_over_the_same_splits(small):
    found, contests = small
    for of, protocol in ((contests.within, "described"), (contests.rebuilt, "reconstructed")):
        for name, each in of.items():
            for title, which in (("nb", "nb"), ("random", "lr")):
                expected = at(found.full[protocol, name, which], each.sizes, 5)
                np.testing.assert_array_equal(each.error[title].losses, expected.losses)
            assert {curve.losses.shape for curve in each.error.values()} == {(len(each.sizes), 5)}
    assert contests.rebuilt["liver"].error["margin"] is contests.within["liver"].error["margin"]


def test_the_margin_as_reconstructed_is_in_its_own_coding(small):
    found, contests = small
    trial = protocols.reconstructed("voting", "lr")
    m = int(contests.rebuilt["voting"].sizes[-1])
    models = {"lr": LogisticRegression(separable="margin")}
    expected = run(trial.task, models, {m: found.draws["voting"].complete[m][:5]}, 3).error["lr"].losses[0]
    margin = contests.rebuilt["voting"].error["margin"].losses[-1]
    np.testing.assert_array_equal(margin, expected)
    assert (margin != contests.within["voting"].error["margin"].losses[-1]).any()
    assert contests.rebuilt["voting"].rows == 232


def test_the_largest_sizes(small):
    _, contests = small
    sizes = {
        name: (int(contests.beyond[name].sizes[0]), int(contests.rebuilt_beyond[name].sizes[0]))
        for name in contests.beyond
    }
    assert sizes == {"liver": (310, 310), "voting": (391, 208)}  # the last size of lenses is 23 of 24 rows
    assert set(contests.rebuilt_beyond["voting"].error) == {"nb", "random", "margin"}
    np.testing.assert_array_equal(
        contests.rebuilt_beyond["liver"].lead("margin", 0) + contests.rebuilt_beyond["liver"].error["nb"].losses[0],
        contests.beyond["liver"].error["margin"].losses[0],
    )


def test_share_of_the_rule(found):
    share = regimes.share_of_rule(found, "margin", 1, 4000, 0)
    left = (0.1 + 0.0 + 0.2) / 3
    assert share.value == pytest.approx(1 - left / 0.4)
    assert (share.low, share.high) == pytest.approx((1 - 0.2 / 0.6, 1 - 0.05 / 0.3))
    ratio = left / 0.4
    each = [np.array([0.0, 0.0]), -ratio * np.array([0.1, 0.3]), np.array([0.3, 0.1])]
    spread = np.sqrt(sum(of.var(ddof=1) / 2 for of in each)) / 3 / 0.4
    assert share.error == pytest.approx(spread)


def test_share_of_the_rule_against_another_naive_bayes(found):
    better = {name: Contest(of.sizes, {**of.error}, of.separable, of.rows) for name, of in found.items()}
    pima = found["pima"].error["random"]
    better["pima"].error["nearest mean"] = Curve(pima.sizes, pima.losses / 6)
    share = regimes.share_of_rule(better, "margin", 1, 100, 0, "nearest mean")
    assert share.value == pytest.approx(1 - (0.1 + 0.0 + 0.1) / (0.4 + 0.2 + 0.5))


def test_leads_of_panels(found):
    leads = {name: Contest(of.sizes, {**of.error, "l2": of.error["nb"]}, of.separable, 9) for name, of in found.items()}
    assert tables.panel_rows(leads, 1)[0] == ["optdigits-01", "10", "100%", "40.0", "10.0", "0.0"]


def test_rows_of_shares():
    shares = {"early": regimes.Share(0.704, 0.016, 0.41, 1.02), "late": regimes.Share(1.0, 0.04, -3.54, 4.48)}
    assert tables.share_rows(shares) == [["early", "70%", "3%", "41% to 102%"], ["late", "100%", "8%", "−354% to 448%"]]


def test_counts():
    of = regimes.count({"a": Mean(1.0, 0.5), "b": Mean(-1.0, 0.5), "c": Mean(0.1, 0.5), "d": Mean(2.0, 0.1)})
    assert (of.nb, of.lr, of.undecided) == (("a", "d"), ("b",), ("c",))
    assert of.cell() == "2 / 1 / 1"


def test_late_intervals_allow_for_other_examples(found):
    beyond = {"pima": contest([0.0, 0.2], [0.1, 0.1], [0.2, 0.0], rows=40)}
    of = regimes.late(found, beyond, "margin")
    assert of["pima"] == pytest.approx(resampled_interval([0.2, -0.2], 10, 30))
    assert of["optdigits-23"] == pytest.approx((0.0, 0.0), abs=1e-12)
    assert regimes.late(found, beyond, "random")["optdigits-23"] == pytest.approx(
        resampled_interval([0.1, 0.3], 10, 90)
    )


def test_naive_bayes_and_the_margin_are_one_classifier_of_two_examples():
    task = ng_jordan("promoters")
    models = {"nb": protocols.bernoulli("promoters").model, "lr": LogisticRegression(separable="margin")}
    found = run(task, models, {2: draw_splits(task.y, 2, 40, 0)}, 0).error
    np.testing.assert_allclose(found["nb"].losses, found["lr"].losses, atol=1e-12)


# The ten points


def test_error_of_a_line_by_simulation():
    rng = np.random.default_rng(0)
    y = np.arange(400_000) % 2
    X = (2 * y - 1)[:, None] * plane.MEAN + rng.standard_normal((len(y), 2))
    for theta in (np.array([1.0, 0.5, 0.0]), np.array([1.0, -0.4, 0.3])):
        wrong = np.mean((X @ theta[:2] + theta[2] > 0) != y)
        assert plane.error(theta) == pytest.approx(wrong, abs=0.003)


def test_largest_margin_is_that_of_a_support_vector_machine():
    machine = SVC(kernel="linear", C=1e8, tol=1e-10).fit(plane.X, plane.Y)
    theta = np.append(machine.coef_[0], machine.intercept_)
    np.testing.assert_allclose(plane.largest_margin(plane.X, plane.Y), theta / np.linalg.norm(theta), atol=1e-5)


def test_random_lines_are_uniform_in_the_cone():
    """As by rejection."""
    rows = plane.cone(plane.X, plane.Y)
    proposals = np.random.default_rng(1).standard_normal((2_000_000, 3))
    accepted = proposals[(proposals @ rows.T > 0).all(axis=1)]
    expected = plane.error(accepted)
    found = plane.error(plane.random_lines(plane.X, plane.Y, 2000, 0))
    error = np.hypot(found.std() / np.sqrt(len(found)), expected.std() / np.sqrt(len(expected)))
    assert len(expected) > 20_000
    assert abs(found.mean() - expected.mean()) < 4.5 * error


def test_corners_of_the_cone():
    """Random directions are inside the polygon of its corners."""
    axis = plane.largest_margin(plane.X, plane.Y)
    corners = plane.edges(plane.X, plane.Y, axis)
    following = np.roll(corners, -1, axis=0)
    for point in plane.end_on(plane.random_lines(plane.X, plane.Y, 200, 0), axis):
        (ax, ay), (bx, by) = (following - corners).T, (point - corners).T
        turn = ax * by - ay * bx
        assert (turn > 0).all() or (turn < 0).all()


# Convergence


def test_chains_begin_at_the_centre_and_at_an_edge():
    task = ng_jordan("sonar")
    train = draw_splits(task.y, 40, 12, 0)
    found = convergence.chains("sonar", train, (0, 1, 8), 3, 0)
    assert found.m == 40
    assert found.centre.shape == found.edge.shape == (3, 12)
    before, _ = found.apart(0)
    after, error = found.apart(2)
    assert before > 0.03
    assert abs(after) < 4.5 * error
    assert (found.centre[0].mean() < found.centre[2].mean()) & (found.edge[0].mean() > found.edge[2].mean())


def test_errors_of_chains_are_those_of_other_rows():
    X, y = plane.X, plane.Y
    w = np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.5]])
    train = np.array([[0, 5], [2, 6]])
    # the first line has the sign of x_1, and is right on all points; the second calls the point at -0.2 class 1
    np.testing.assert_allclose(convergence.errors(w, X, y, train), [0.0, 0.0])
    np.testing.assert_allclose(convergence.errors(w, X, y, train[::-1]), [0.0, 1 / 8])


def test_bias_of_the_chains():
    T = len(sensitivity.STEP_COUNTS)
    centre, edge = np.zeros((T, 2)), np.zeros((T, 2))
    centre[4], centre[5], edge[5] = [0.10, 0.20], [0.12, 0.26], [0.14, 0.22]
    of = convergence.Chains("sonar", 52, sensitivity.STEP_COUNTS, centre, edge)
    other = convergence.Chains("optdigits-23", 82, sensitivity.STEP_COUNTS, centre + 1, edge)
    bias = sensitivity.bias([of, other])
    # (0.13 - 0.10 + 0.24 - 0.20) / 2, whose two terms differ by 0.01
    assert bias.mean == pytest.approx(0.035)
    assert bias.half == pytest.approx(1.959964 * 0.01 / 2)


# Floors


def test_floors():
    """A large floor with equal proportions is the nearest mean; the observed ones take over."""
    drawn = {"liver": SimpleNamespace(every={m: draw_splits(ng_jordan("liver").y, m, 20, 0) for m in (5, 20)})}
    panel = Panel("", np.array([5, 20]), np.array([0.4, 0.4]), np.array([0.4, 0.4]))
    found = SimpleNamespace(panels={"liver": panel}, draws=drawn)
    small, large, nearest = sensitivity.floors(found, [1e-9, 1e9], 20, 0)
    assert [of.floor for of in (small, large, nearest)] == [1e-9, 1e9, np.inf]
    assert large.error["equal"] == pytest.approx(nearest.error["equal"])
    assert large.gap["equal"] == pytest.approx(nearest.gap["equal"])
    assert large.gap["observed"] != pytest.approx(large.gap["equal"])
    assert small.gap["equal"] != pytest.approx(large.gap["equal"])
    rows = tables.floor_rows([small, large, nearest])
    assert [row[0] for row in rows] == ["1e-09", "1e+09", "nearest mean"]
    assert [cell == "–" for cell in rows[-1]] == [False, True, False, True, False]


# Other hyperplanes


def test_what_a_choice_leaves_and_what_chance_would():
    """Over n of 1000 splits, with as many of theirs, by simulation: errors of ours and of the choice, correlated."""
    rng, n, spread, reps = np.random.default_rng(0), 250, 0.1, 2000
    shared = rng.standard_normal((reps, 1000))
    ours = spread * (shared + rng.standard_normal((reps, 1000)))
    chosen = spread * (shared[:, :n] + rng.standard_normal((reps, n)))
    theirs = spread * np.sqrt(2 / 1000) * rng.standard_normal(reps)
    left = theirs - ours.mean(axis=1) - (chosen - ours[:, :n]).mean(axis=1)
    each = chosen[0] - ours[0, :n]
    shift = paired(Curve(np.array([9]), ours[:1, :n]), Curve(np.array([9]), chosen[:1]), 0)
    cell = ("sonar", 9)
    of = sensitivity.Hyperplanes(
        {cell: float(shift.value + 0.03)}, {cell: spread * np.sqrt(4 / 1000)}, {"it": {cell: shift}}, {"it": n}
    )
    assert shift.value == pytest.approx(each.mean())
    assert of.remains("it") == pytest.approx(0.03)
    assert of.error("it", cell) == pytest.approx(left.std(), rel=0.08)
    assert of.by_chance("it") == pytest.approx(np.abs(left).mean(), rel=0.08)
    assert of.misses("it") == 1
    assert of.p_value("it") == pytest.approx(2 * norm.sf(0.03 / of.error("it", cell)))


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


def test_newton_takes_the_steps_of_the_solver():
    A, generators = cones(20, 30, 5, 4)
    for rows, w in zip(A, hyperplanes.newton(A, generators), strict=True):
        objective, steps = LinearObjective(rows, np.ones(30), Logistic(), intercept=False), 1
        while (rows @ (theta := newton(objective, tolerance=1e-300, max_iterations=steps).theta) <= 0).any():
            steps += 1
        np.testing.assert_allclose(w, theta, rtol=1e-5)


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
    found = run(task, models, {26: draw_splits(task.y, 26, 40, 0)}, 0)
    share = found.separable["lr"].mean()
    same = found.error["lr"].losses[0] == found.error["chosen"].losses[0]
    assert 0.2 < share < 0.8
    assert 1 - share <= same.mean() < 1 - share + 0.2
    np.testing.assert_array_equal(found.separable["chosen"], found.separable["lr"])


def test_what_is_chosen_is_what_is_tested():
    """Errors on the other rows, counted one by one."""
    task = protocols.logistic("sonar").task
    train = draw_splits(task.y, 40, 5, 3)
    found = run(task, {"it": LogisticRegression(separable=Chosen(hyperplanes.newton))}, {40: train}, 3)
    for rows, error in zip(train, found.error["it"].losses[0], strict=True):
        A = (2.0 * task.y[rows] - 1)[:, None] * np.column_stack([task.X[rows], np.ones(40)])
        w = hyperplanes.newton(A[None], [np.random.default_rng()])[0]
        test = np.setdiff1d(np.arange(len(task.y)), rows)
        said = task.X[test] @ w[:-1] + w[-1] > 0
        assert error == pytest.approx(np.mean(said != task.y[test]), abs=1e-12)


def test_trials_are_the_same_only_where_nothing_differs():
    whole, complete = (protocols.bernoulli("promoters", complete=each) for each in (False, True))
    assert whole.same_as(complete)  # no value is missing
    assert not protocols.bernoulli("voting").same_as(protocols.bernoulli("voting", complete=True))
    assert not whole.same_as(protocols.logistic("promoters"))
    assert not protocols.categorical("promoters").same_as(protocols.categorical("promoters", ties="first"))
