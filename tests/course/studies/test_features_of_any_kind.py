"""Features of any kind: fractions by hand, codings of the survey, families of a column and of a pixel."""

from fractions import Fraction

import numpy as np
import pytest

from course import datasets
from course.studies.features_of_any_kind.by_hand import all_factors, factors, in_words
from course.studies.features_of_any_kind.candidates import (
    Prior,
    bins_made,
    by_age,
    candidates,
    compared,
    entrants,
    gain_excess,
    one_column_each,
    rises,
)
from course.studies.features_of_any_kind.codings import (
    HOURS,
    MONEY,
    all_gaussian,
    by_column,
    by_kind,
    cut,
    fifths,
    in_bins,
    money_in_bins,
    readings,
    taken_from,
    variants,
    with_missing_as_category,
    without,
    yes_or_no,
)
from course.studies.features_of_any_kind.pixels import SHARES, ChosenShareNB, families, lead, sureness_when_wrong
from course.studies.held_out import Entrant, Losses, held_out
from course.studies.resampled import resampled_interval
from probml.families import Categorical, Gaussian, Poisson
from probml.metrics import log_loss
from probml.naive_bayes import CategoricalNB, GaussianNB, MixedNB

ROWS = [("a", "u"), ("a", "v"), ("b", "v"), ("c", "v"), ("b", "u")]
LABELS = ["no", "no", "no", "yes", "yes"]


def test_factors_counted_by_hand():
    found = factors(ROWS, LABELS, ("a", "v"), "no")
    assert found.prior == Fraction(3, 5)
    assert found.likelihood == (Fraction(2, 3), Fraction(2, 3))
    assert found.joint == Fraction(4, 15)
    assert factors(ROWS, LABELS, ("a", "v"), "yes").joint == 0
    assert factors(ROWS, LABELS, ("a", "v"), "yes", alpha=1).likelihood == (Fraction(1, 5), Fraction(2, 4))
    with pytest.raises(ValueError, match="no example has the label 'maybe'; there are no, yes"):
        factors(ROWS, LABELS, ("a", "v"), "maybe")


@pytest.mark.parametrize("alpha", [1, 2])
def test_factors_are_those_of_the_estimator(alpha):
    codes = np.array([["abc".index(row[0]), "uv".index(row[1])] for row in ROWS])
    model = CategoricalNB(alpha=alpha).fit(codes, LABELS)
    joint = [factors(ROWS, LABELS, ("b", "v"), label, alpha).joint for label in model.classes_]
    np.testing.assert_allclose(model.predict_proba([[1, 1]])[0], [float(each / sum(joint)) for each in joint])


@pytest.fixture(scope="module")
def adult():
    return datasets.load("adult")


def test_codings_fit_the_survey(adult):
    few = slice(0, 3000)
    for coding in readings(adult).values():
        assert coding.X.shape == adult.X.shape
        assert len(coding.families) == 14
        np.testing.assert_array_equal(np.isnan(coding.X), np.isnan(adult.X))
        MixedNB(coding.families).fit(coding.X[few], adult.y[few])
    assert set(all_gaussian(adult).families) == {Gaussian()}
    assert by_kind(adult).families[1] == Categorical(8)


def test_columns_that_no_coding_changes(adult):
    same = [a for a, column in enumerate(adult.features) if column.categories]
    assert len(same) == 8
    np.testing.assert_array_equal(by_column(adult).X[:, same], adult.X[:, same])
    ages = by_column(adult).X[:, adult.feature_names.index("age")]
    assert ages.min() == 1
    gain, hours = (adult.feature_names.index(name) for name in ("capital-gain", "hours-per-week"))
    np.testing.assert_array_equal(by_column(adult).X[:, gain] > 0, adult.X[:, gain] > 0)
    np.testing.assert_array_equal(money_in_bins(adult).X[:, hours], adult.X[:, hours])
    np.testing.assert_array_equal(money_in_bins(adult).X[:, gain], by_column(adult).X[:, gain])
    assert money_in_bins(adult).families[hours] == Gaussian()
    assert by_column(adult).families[hours] == Categorical(len(HOURS["hours-per-week"]) + 1)


def test_bins_and_yes_or_no_change_the_named_columns_only(adult):
    before = by_kind(adult)
    gain = adult.feature_names.index("capital-gain")
    binned = in_bins(before, adult, {"capital-gain": (1, 5000)})
    assert binned.families[gain] == Categorical(3)
    x = adult.X[:, gain]
    np.testing.assert_array_equal(binned.X[:, gain], (x >= 1).astype(int) + (x >= 5000))
    flagged = yes_or_no(before, adult, ["capital-gain"])
    np.testing.assert_array_equal(flagged.X[:, gain], (x > 0).astype(float))
    others = [a for a in range(14) if a != gain]
    for after in (binned, flagged):
        np.testing.assert_array_equal(after.X[:, others], before.X[:, others])
        assert all(after.families[a] == before.families[a] for a in others)


def test_fifths_of_the_positive_values(adult):
    edges = fifths(adult, tuple(MONEY))
    assert list(edges) == ["capital-gain", "capital-loss"]
    x = adult.X[:, adult.feature_names.index("capital-gain")]
    sizes = np.bincount(cut(x, edges["capital-gain"]).astype(int))
    assert sizes[0] == np.sum(x == 0)
    assert sizes[1:].sum() == np.sum(x > 0)
    assert np.all(np.abs(sizes[1:] / np.sum(x > 0) - 0.2) < 0.1)


def test_without_leaves_out_columns(adult):
    left = without(by_kind(adult), [3, 0])
    assert left.X.shape[1] == len(left.families) == 12
    np.testing.assert_array_equal(left.X[:, 0], adult.X[:, 1])
    assert left.families[0] == Categorical(8)


def test_one_column_is_taken_from_another_coding(adult):
    age = adult.feature_names.index("age")
    before, other = money_in_bins(adult), by_column(adult)
    after = taken_from(before, other, age)
    np.testing.assert_array_equal(after.X[:, age], other.X[:, age])
    assert after.families[age] == other.families[age] != before.families[age]
    others = [a for a in range(14) if a != age]
    np.testing.assert_array_equal(after.X[:, others], before.X[:, others])
    assert all(after.families[a] == before.families[a] for a in others)


def test_variants_change_gain_and_loss_only(adult):
    left_out, by_rule, flagged = variants(adult).values()
    money = [adult.feature_names.index(name) for name in MONEY]
    others = [a for a in range(14) if a not in money]
    np.testing.assert_array_equal(left_out.X, adult.X[:, others])
    np.testing.assert_array_equal(by_rule.X[:, others], adult.X[:, others])
    assert all(isinstance(by_rule.families[a], Categorical) for a in money)
    np.testing.assert_array_equal(flagged.X[:, money], adult.X[:, money] > 0)
    np.testing.assert_array_equal(flagged.X[:, others], by_column(adult).X[:, others])


def test_no_variance_is_added_unless_asked_for(adult):
    few, school = slice(0, 3000), adult.feature_names.index("education-num")
    table = {"all": all_gaussian(adult)}
    variances = {}
    for share in (0.0, 1e-9):
        X, make = entrants(table, share)["all"]
        variances[share] = make().fit(X[few], adult.y[few]).usual_parameters(school)["variance"]
    own = [adult.X[few][adult.y[few] == j, school].var() for j in (0, 1)]
    np.testing.assert_allclose(variances[0.0], own)
    np.testing.assert_allclose(variances[1e-9] - own, 1e-9 * np.nanvar(adult.X[few], axis=0).max())
    assert entrants(table)["all"].make().var_smoothing == 0


def test_rises_are_differences_of_log_losses(adult):
    found = rises(adult, ["marital-status"], 1000, 500, 2, 3)
    before, age = money_in_bins(adult), adult.feature_names.index("age")
    after = taken_from(before, by_column(adult), age)
    married, others = [adult.feature_names.index("marital-status")], [a for a in range(14) if a != age]
    for mean, dropped in zip(found["age"], (others, [], married), strict=True):
        pair = {name: without(coding, dropped) for name, coding in (("old", before), ("new", after))}
        losses = held_out(entrants(pair), adult.y, 1000, 500, 2, 3)
        assert mean.mean == pytest.approx((losses["new"].log_loss - losses["old"].log_loss).mean())
    assert list(found) == ["age", "fnlwgt", "education-num", "hours-per-week"]


def test_the_excess_of_a_normal_gain_by_groups(adult):
    found = gain_excess(adult, 2000, 1000, 3, 4)
    alone = {name: candidates(adult)["capital-gain", name] for name in ("normal", "bins")}
    losses = held_out(alone, adult.y, 2000, 1000, 3, 4)
    assert found.total == pytest.approx((losses["normal"].log_loss - losses["bins"].log_loss).mean())
    assert found.no_gain + found.poor_with_gain + found.rich_with_gain == pytest.approx(found.total)
    gain = adult.X[:, adult.feature_names.index("capital-gain")]
    assert found.actual == pytest.approx(adult.y[gain == 0].mean(), abs=0.03)
    assert found.nats_of_rich == pytest.approx(-np.log(found.announced), abs=0.1)


def test_cut_counts_edges_at_or_below():
    np.testing.assert_array_equal(cut(np.array([0.0, 1.0, 2.5, 9.0]), (1, 3)), [0, 1, 1, 2])


def test_readings_are_the_four_codings(adult):
    found = readings(adult)
    assert list(found) == ["all normal", "by kind", "gain and loss in bins", "by column"]
    assert found["by kind"].families == by_kind(adult).families
    np.testing.assert_array_equal(entrants(found)["by column"].X, by_column(adult).X)
    assert entrants(found)["all normal"].make().families == all_gaussian(adult).families


def test_missing_values_become_the_last_category(adult):
    work = adult.feature_names.index("workclass")
    before, after = by_kind(adult), with_missing_as_category(by_kind(adult), [work])
    assert not np.isnan(after.X[:, work]).any()
    assert after.families[work] == Categorical(9)
    np.testing.assert_array_equal(after.X[:, work] == 8, np.isnan(before.X[:, work]))
    unchanged = [a for a in range(14) if a != work]
    np.testing.assert_array_equal(after.X[:, unchanged], before.X[:, unchanged])
    assert all(after.families[a] == before.families[a] for a in unchanged)


def test_candidates_see_one_column_each(adult):
    found = candidates(adult)
    few = slice(0, 2000)
    for (column, name), entrant in found.items():
        assert entrant.X.shape == (len(adult.y), int(column != "none")), (column, name)
        entrant.make().fit(entrant.X[few], adult.y[few])
    assert found["age", "Poisson"].make().families == Poisson()
    assert set(np.unique(found["capital-gain", "Bernoulli"].X)) == {0, 1}
    assert found["capital-gain", "bins"].X.max() == 5


def test_differences_are_paired():
    first, second = np.array([0.2, 0.3, 0.25]), np.array([0.19, 0.28, 0.25])
    losses = {"all normal": Losses(first, 2 * first), "by kind": Losses(second, 2 * second)}
    rows = compared(losses, 200, 100)
    assert rows[0][:2] == [1, "all normal"]
    assert rows[0][4:] == ["", "", ""]
    mean, half = resampled_interval(first - second, 200, 100)
    assert rows[1][4:] == [1, f"{-100 * mean:+.1f} ± {100 * half:.1f}", f"{-2 * mean:+.3f} ± {2 * half:.3f}"]
    reverse = compared(losses, 200, 100, {"all normal": "by kind"})
    assert reverse[0][4:] == [2, f"{100 * mean:+.1f} ± {100 * half:.1f}", f"{2 * mean:+.3f} ± {2 * half:.3f}"]
    assert reverse[1][4:] == ["", "", ""]


def test_a_family_is_compared_with_the_normal_one_of_its_column():
    first, second = np.array([0.2, 0.3, 0.25]), np.array([0.19, 0.28, 0.25])
    losses = {
        ("none", "prior"): Losses(first, 3 * first),
        ("age", "normal"): Losses(first, 2 * first),
        ("age", "gamma"): Losses(second, 2 * second),
        ("status", "normal"): Losses(second, 5 * second),
    }
    rows = one_column_each(losses, 200, 100)
    mean, half = resampled_interval(2 * (second - first), 200, 100)
    assert [row[:2] for row in rows] == [list(pair) for pair in losses]
    assert [row[4] for row in rows] == ["", "", f"{mean:+.3f} ± {half:.3f}", ""]
    assert rows[2][3] == "{:.3f} ± {:.3f}".format(*resampled_interval(2 * second, 200, 100))


def test_prior_knows_the_proportions_only():
    logs = Prior().fit(np.zeros((4, 0)), np.array([0, 1, 0, 0])).predict_log_proba(np.zeros((2, 0)))
    np.testing.assert_allclose(np.exp(logs), [[0.75, 0.25]] * 2)


def test_fewer_bins_are_made_where_edges_coincide(adult):
    made = bins_made(adult, 64, 300, 3, 5)
    rng = np.random.default_rng(5)
    ages = adult.X[:, adult.feature_names.index("age")]
    for found in made:
        drawn = ages[rng.permutation(len(ages))[:300]]
        edges = np.unique(np.quantile(drawn, np.arange(1, 64) / 64))
        assert found == np.sum(edges > drawn.min()) + 1 < 64


def test_ages_in_bins(adult):
    found = by_age(adult, [2, 8])
    assert list(found) == ["2 bins", "8 bins", "normal, separate variances", "normal, one variance"]
    age = found["2 bins"].X
    halves = found["2 bins"].make().fit(age, adult.y).predict_proba(age)[:, 1]
    older = age[:, 0] >= np.median(age)
    assert len(np.unique(halves.round(9))) == 2
    assert halves[older].mean() == pytest.approx((adult.y[older].sum()) / older.sum(), abs=0.001)
    assert found["normal, one variance"].make().shared_variance


def test_a_table_in_words():
    lenses = datasets.load("lenses")
    rows, labels = in_words(lenses)
    assert len(rows) == len(labels) == 24
    found = all_factors(rows, labels, ("young", "myope", "yes", "normal"), lenses.class_names)
    assert sum(each.prior for each in found.values()) == 1
    assert found["soft"].joint == 0
    assert found["hard"].joint == Fraction(1, 16)


class Sure:
    """Always the class 0, with probability `p` of three."""

    def __init__(self, p):
        self.p = p

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return np.tile([self.p, (1 - self.p) / 2, (1 - self.p) / 2], (len(X), 1))


def test_sureness_is_that_of_wrong_answers():
    digit = np.repeat([0, 1, 2], 10)
    entrant = Entrant(np.zeros((30, 1)), lambda: Sure(0.8))
    assert sureness_when_wrong(entrant, digit, 10, 0) == pytest.approx(0.8)


class Ranked(Sure):
    """Scores log(p), log((1 - p) / 2) and once more this: the lead of the first is log(2 p / (1 - p))."""

    def predict_log_proba(self, X):
        return np.log(self.predict_proba(X))


def test_lead_is_that_over_the_second_best():
    entrant = Entrant(np.zeros((30, 1)), lambda: Ranked(0.8))
    assert lead(entrant, np.repeat([0, 1, 2], 10), 10, 0) == pytest.approx(np.log(8))


def test_the_share_chosen_is_best_on_every_third_image():
    rng = np.random.default_rng(2)
    digit = rng.integers(0, 3, 150)
    ink = np.clip(rng.normal(digit[:, None] * np.array([1, 2, 0, 3]), 3), 0, None)
    model = ChosenShareNB().fit(ink, digit)
    tried, fitted = np.arange(0, 150, 3), np.setdiff1d(np.arange(150), np.arange(0, 150, 3))
    losses = {}
    for share in SHARES:
        other = GaussianNB(var_smoothing=share).fit(ink[fitted], digit[fitted])
        losses[share] = log_loss(digit[tried], other.predict_log_proba(ink[tried]))
    assert model.share_ == min(losses, key=losses.get)
    whole = GaussianNB(var_smoothing=model.share_).fit(ink, digit)
    np.testing.assert_allclose(model.predict_log_proba(ink), whole.predict_log_proba(ink))
    np.testing.assert_allclose(model.predict_proba(ink), np.exp(model.predict_log_proba(ink)))


def test_families_of_a_pixel():
    ink = np.array([[0.0, 7, 8], [16, 3, 2]])
    found = families(ink)
    np.testing.assert_array_equal(found["Bernoulli"].X, [[0, 0, 1], [1, 0, 0]])
    for entrant in families(np.tile(ink, (6, 1))).values():
        model = entrant.make().fit(entrant.X, np.tile([0, 1], 6))
        assert model.predict(entrant.X[:2]).tolist() == [0, 1]
