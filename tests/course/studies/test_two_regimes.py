"""The two regimes, counted: counts, intervals and models, against independent oracles."""

import csv
import gzip
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom, norm, spearmanr, t
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression as SklearnLogistic
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from course.studies.ng_jordan import ng_jordan
from course.studies.resampled import mean_of
from course.studies.two_regimes import database, figures, ladder, leads, pole, predictors, protocol
from course.studies.two_regimes.fitted import Fitted
from course.studies.two_regimes.leads import Comparison, Share
from course.studies.two_regimes.pseudo_lda import PseudoLDA
from course.studies.two_regimes.quadratic import qda_errors
from probml.curves.subsets import Subsets

LCDB = database.read()
PAIRS = {name: leads.compare(LCDB, name) for name in leads.GENERATIVE}


def comparison(lead, sd=0.01, repeats=25):
    lead = np.asarray(lead, dtype=float)
    sizes = np.round(16 * 2 ** (np.arange(len(lead)) / 2)).astype(int)
    return Comparison(sizes, lead, np.full(len(lead), sd), np.full(len(lead), repeats))


# The database


def test_every_row_of_the_file_is_read():
    packed = files("course.studies.two_regimes").joinpath("lcdb-curves.csv.gz").read_bytes()
    rows = list(csv.DictReader(gzip.decompress(packed).decode().splitlines()))
    assert len(rows) == 23915 == sum(len(c.sizes) for of in LCDB.curves.values() for c in of.values())
    assert len(LCDB.curves) == 248
    assert len(LCDB.described) == 197
    for row in rows[::997]:
        curve = LCDB.curves[int(row["openml"])][row["learner"]]
        k = list(curve.sizes).index(int(row["m"]))
        assert (curve.error[k], curve.sd[k], curve.repeats[k]) == (
            float(row["error"]),
            float(row["sd"]),
            int(row["repeats"]),
        )


def test_curves_are_sorted_and_plausible():
    for of in LCDB.curves.values():
        assert set(of) <= set(leads.TITLES)
        for curve in of.values():
            assert all(a < b for a, b in pairwise(curve.sizes))
            assert curve.error.min() >= 0
            assert curve.error.max() <= 1
            assert curve.repeats.min() >= 5


def test_description_counts_features_without_the_class():
    chess = LCDB.described[3]
    assert (chess.name, chess.rows, chess.features, chess.classes, chess.discrete) == ("kr-vs-kp", 3196, 36, 2, 1.0)
    assert chess.largest_class == 1669 / 3196
    assert LCDB.described[28].discrete == 0


def test_origin_is_beside_the_files():
    text = files("course.studies.two_regimes").joinpath("ORIGIN.md").read_text(encoding="utf-8")
    assert "MIT" in text
    assert "Permission is hereby granted" in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [("fri_c0_1000_5", "fri"), ("OVA_Breast", "ova"), ("kdd_ipums_la_97-small", "ipums"), ("2dplanes", "2dplanes")],
)
def test_stem(name, expected):
    assert database.stem(name) == expected


def test_families_hold_relatives():
    family = LCDB.family
    named = {}
    for number, of in LCDB.described.items():
        named.setdefault(of.name, []).append(number)
    for numbers in named.values():
        assert len({family[number] for number in numbers}) == 1
    assert family[1086] == family[1087]
    assert family[3] != family[24]
    assert list(LCDB.twins()) == [(1086, 1087)]


# Leads


def test_conservative_interval_is_that_of_five_splits():
    values = np.random.default_rng(0).normal(size=5)
    each = comparison(np.zeros(6), sd=values.std(ddof=1))
    assert np.allclose(each.half("conservative"), mean_of(values, overlap=1 / 9).half)


def test_plain_interval_is_that_of_independent_repeats():
    values = np.random.default_rng(1).normal(size=14)
    each = comparison(np.zeros(6), sd=values.std(ddof=1), repeats=14)
    assert np.allclose(each.half("plain"), mean_of(values).half)
    assert not each.half("signs").any()


def test_lead_is_positive_where_the_generative_learner_errs_less():
    of = LCDB.curves[28]
    each = PAIRS["lda"][28]
    k = list(each.sizes).index(64)
    assert each.lead[k] == pytest.approx(0.13766 - 0.64334)
    assert each.sd[k] == pytest.approx(np.hypot(of["lda"].sd[4], of["logistic"].sd[4]))


@pytest.mark.parametrize(
    ("lead", "policy", "expected"),
    [
        ([1, 1, 1, 0, -1, -1, -1], "signs", "GD"),
        ([-1, -1, -1, 0, 1, 1, 1], "plain", "DG"),
        ([0.004, 0.004, 0.004, 0, -1, -1, -1], "plain", "=D"),
        ([0.014, 0.014, 0.014, 0, -1, -1, -1], "plain", "GD"),
        ([0.014, 0.014, 0.014, 0, -1, -1, -1], "conservative", "=D"),
        ([0, 0, 0, 0, 0, 0], "signs", "=="),
    ],
)
def test_direction(lead, policy, expected):
    assert comparison(lead).direction(policy) == expected


def test_crossing_is_the_root_of_a_line_in_log_m():
    each = comparison(np.zeros(9))
    straight = np.log(100 / each.sizes)
    for lead in (straight, -straight):
        assert comparison(lead).crossing() == pytest.approx(100)
    assert np.isnan(comparison(np.ones(6)).crossing())


def test_crossing_interval():
    lead = np.array([0.02, 0.02, 0.02, 0.001, -0.001, -0.02, -0.02, -0.02])
    each = comparison(lead)
    assert each.crossing_interval("plain") == (each.sizes[2], each.sizes[5])
    assert each.crossing_interval("conservative") == (each.sizes[2], each.sizes[5])
    vague = comparison(lead, sd=0.1)
    assert vague.crossing_interval("plain") == (0, np.inf)


@pytest.mark.parametrize(("count", "of"), [(0, 133), (12, 170), (54, 170)])
def test_share_has_wilsons_interval(count, of):
    expected = proportion_confint(count, of, method="wilson")
    assert Share(count, of).interval == pytest.approx(expected, abs=1e-12)


def test_share_in_per_cent():
    assert str(Share(54, 170)) == "32 % (25 to 39)"


def test_tally_adds_up():
    of = {1: "GD", 2: "DG", 3: "GG", 4: "DD", 5: "G=", 6: "=="}
    assert {name: share.count for name, share in leads.tally(of).items()} == {
        "ahead early": 3,
        "ahead late": 2,
        "published order": 1,
        "reverse order": 1,
        "logistic at both ends": 1,
    }


def test_a_family_has_one_vote():
    found = {1: "GD", 2: "GD", 3: "DG", 4: "DG", 5: "GG", 6: "DG"}
    assert leads.family_votes(found, dict.fromkeys(found, 0)) == (0, 1)
    assert leads.family_votes(found, {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 2}) == (1, 2)


def test_votes_by_signs_and_beyond_plain_half_widths():
    assert list(leads.votes(PAIRS, LCDB.family, "signs").values()) == [(9, 35), (3, 34), (22, 7), (23, 9)]
    assert list(leads.votes(PAIRS, LCDB.family, "plain").values()) == [(2, 10), (0, 17), (11, 2), (8, 4)]


def test_sets_on_which_only_class_sizes_are_learnt():
    found = leads.only_class_sizes(LCDB)
    assert len(found) == 27
    for number in found:
        curve = LCDB.curves[number]["bernoulli-nb"]
        assert curve.error[-1] == pytest.approx(1 - LCDB.described[number].largest_class, abs=0.01)
    assert 3 not in found
    assert not leads.only_class_sizes(LCDB, "lda") & {3, 28}


def test_sign_test_is_exact():
    assert leads.sign_test(9, 35) == pytest.approx(2 * binom.cdf(9, 44, 0.5))
    assert leads.sign_test(0, 0) == 1


def test_holm():
    p = [0.04, 0.001, 0.03, 0.2, 0.0301]
    assert leads.holm(p) == pytest.approx(multipletests(p, method="holm")[1])


def test_bootstrap_draws_whole_families():
    rng = np.random.default_rng(3)
    events = {k: k < 30 for k in range(100)}
    assert leads.family_interval(events, dict.fromkeys(events, 0), 200, rng) == (0.3, 0.3)
    low, high = leads.family_interval(events, {k: k for k in events}, 4000, rng)
    assert (low, high) == pytest.approx(np.array(binom.interval(0.95, 100, 0.3)) / 100, abs=0.015)
    halves = leads.family_interval(events, {k: k % 2 if k < 30 else 2 + k % 7 for k in events}, 4000, rng)
    assert halves[1] - halves[0] > 2 * (high - low)


def test_pooled_leads_are_medians_and_means_with_intervals_over_families():
    for name, of in PAIRS.items():
        both = leads.pooled(of, LCDB.family, 400, np.random.default_rng(14))
        for end, found in zip(("early", "late"), both, strict=True):
            values = [getattr(each, end)().mean for each in of.values()]
            assert (found.median, found.mean) == pytest.approx((np.median(values), np.mean(values))), name
            assert found.low < found.mean < found.high
    assert str(leads.Pooled(-0.0001, -0.0266, -0.058, -0.001)) == "0.0; −2.7 (−5.8 to −0.1)"
    assert str(leads.Pooled(0.013, 0.02, -0.01, 0.05)) == "1.3; 2.0 (−1.0 to 5.0)"


# What goes with the direction


def test_weighted_correlation_is_that_of_repeated_rows():
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(2, 12))
    weight = rng.integers(0, 4, size=(3, 12)).astype(float)
    for row, value in zip(weight, predictors.weighted_correlation(x, y, weight), strict=True):
        times = row.astype(int)
        assert value == pytest.approx(np.corrcoef(np.repeat(x, times), np.repeat(y, times))[0, 1])


def test_rank_correlations_are_spearmans():
    found = predictors.rank_correlations(LCDB, PAIRS["lda"], 50, 0.95, np.random.default_rng(5))
    numbers = [number for number in PAIRS["lda"] if number in LCDB.described]
    features = [LCDB.described[number].features for number in numbers]
    early = [PAIRS["lda"][number].early().mean for number in numbers]
    assert found["features"][0].value == pytest.approx(spearmanr(features, early).statistic)
    assert found["features"][0].low < found["features"][0].value < found["features"][0].high < 0
    assert found["features"][0].clear


def test_bins_of_the_ratio_hold_what_a_count_by_hand_finds():
    found = predictors.by_ratio(LCDB, PAIRS["qda"], 100, np.random.default_rng(6))
    for ratio, ahead, sets in zip(found.ratio, found.ahead, found.sets, strict=True):
        low = 2.0 ** np.floor(np.log2(ratio))
        share = predictors.ahead_between(LCDB, PAIRS["qda"], low, 2 * low)
        assert (share.of, share.value) == (sets, pytest.approx(ahead))
    assert np.all(found.low <= found.ahead)
    assert np.all(found.ahead <= found.high)


def test_sets_seen_on_both_sides_of_a_ratio():
    found = predictors.on_both_sides(LCDB, PAIRS["lda"], 2, 4)
    assert (len(found), *np.sum(list(found.values()), axis=0)) == (81, 10, 47)
    number = 28  # digits, 64 features
    ratio = PAIRS["lda"][number].sizes / 64
    lead = PAIRS["lda"][number].lead
    assert found[number] == (lead[ratio < 2].mean() > 0, lead[ratio >= 4].mean() > 0)


def test_common_sets_have_all_learners():
    shared = predictors.common(PAIRS)
    assert len(shared) == 99
    assert all(set(leads.GENERATIVE) | {"logistic"} <= set(LCDB.curves[number]) for number in shared)


# Models


@pytest.mark.parametrize(("m", "n", "K"), [(30, 5, 2), (12, 20, 2), (40, 30, 3), (40, 60, 4)])
def test_pseudo_lda_is_scikit_learns(m, n, K):
    rng = np.random.default_rng(7)
    y = np.array([rng.permutation(np.arange(m) % K) for _ in range(3)])
    X = rng.normal(size=(3, m, n)) * np.exp(rng.normal(size=n))
    X[:, :, 0] += y
    scores = PseudoLDA().fit(Subsets(X, y, K)).scores[""].of(X[0], slice(None))
    for k in range(3):
        peer = LinearDiscriminantAnalysis().fit(X[k], y[k])
        ours, theirs = scores[k].T, peer.decision_function(X[0]).reshape(m, -1)
        if K > 2:
            ours, theirs = (each - each.mean(axis=1, keepdims=True) for each in (ours, theirs))
        assert np.allclose(ours, theirs, rtol=1e-6, atol=1e-8 * np.abs(theirs).max())


def test_pseudo_lda_gives_constant_features_no_weight():
    rng = np.random.default_rng(8)
    y = np.arange(20)[None] % 2
    X = rng.normal(size=(1, 20, 3))
    X[:, :, 1] = 0.1
    coef = PseudoLDA().fit(Subsets(X, y, 2)).scores[""].coef
    assert coef[0, 0, 1] == 0
    assert np.abs(coef[0, 0, [0, 2]]).min() > 1e-3


def test_fitted_predicts_as_the_classifier():
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(2, 30, 4)), np.tile(np.arange(30) % 2, (2, 1))
    X[:, :, 0] += y
    scores = Fitted(SklearnLogistic()).fit(Subsets(X, y, 2)).scores[""].of(X[0], slice(None))
    for k in range(2):
        assert np.allclose(scores[k, 0], SklearnLogistic().fit(X[k], y[k]).decision_function(X[0]))


# What a covariance costs


def test_expected_error_in_the_limits():
    assert pole.expected_error(3.0, 40, 1e9) == pytest.approx(norm.cdf(-1.5), rel=1e-6)
    assert np.isnan(pole.expected_error(3.0, 40, 40))
    assert pole.expected_error(3.0, 40, 40 + 1e-9) == pytest.approx(0.5, abs=1e-4)


def test_errors_of_linear_rules_are_exact():
    clouds = pole.TwoClouds(5, 2.0)
    scores = PseudoLDA().fit(clouds.draw(40, 1, np.random.default_rng(10))).scores[""]
    test = clouds.draw(200_000, 1, np.random.default_rng(11))
    wrong = np.mean((scores.of(test.X[0], slice(None))[0, 0] > 0) != test.y[0])
    assert clouds.errors(scores)[0] == pytest.approx(wrong, abs=0.003)


def test_simulation_meets_the_formula():
    clouds = pole.TwoClouds(40, 3.0)
    models = {pole.LDA: pole.MODELS[pole.LDA], pole.NAIVE: pole.MODELS[pole.NAIVE]}
    found = pole.simulate(clouds, [80, 400], 60, 0, models)
    assert np.allclose(found[pole.LDA], pole.expected_error(3.0, 40, [80, 400]), atol=0.008)
    known = pole.expected_error(3.0, 40, [80, 400], known_covariance=True)
    assert np.allclose(found[pole.NAIVE], known, atol=0.008)


def test_qda_reaches_the_bayes_error():
    assert qda_errors(pole.TwoClouds(2, 2.0), 4000, 3, 0) == pytest.approx(norm.cdf(-1), abs=0.02)
    assert qda_errors(pole.TwoClouds(10, 2.0), 40, 10, 0) > norm.cdf(-1) + 0.03


# Our own runs


@pytest.mark.parametrize("name", ["pima", "boston", "optdigits-23"])
def test_own_units_become_the_task_when_scaled(name):
    X, y = ladder.in_own_units(name)
    task = ng_jordan(name)
    spread = np.ptp(X, axis=0)
    assert np.allclose((X - X.min(axis=0)) / np.where(spread > 0, spread, 1), task.X)
    assert np.array_equal(y, task.y)
    scaled = ladder.standardised(X)
    assert np.allclose(scaled.mean(axis=0), 0)
    assert np.allclose(scaled.std(axis=0)[spread > 0], 1)


def test_runs_of_a_small_problem():
    runs = ladder.run_discrete("lymphography", 6, 0)
    assert list(runs.sizes) == [16, 23, 32, 57, 81, 115]
    lead = runs.lead(ladder.NAIVE, ladder.SCALED, late=True)
    by_hand = runs.error[ladder.SCALED].mean[3:].mean() - runs.error[ladder.NAIVE].mean[3:].mean()
    assert lead.mean == pytest.approx(by_hand)
    assert lead.half > 0
    assert ladder.points(runs)[1] == lead.in_points()
    assert ladder.at_both_ends({"one": runs, "two": runs}, ladder.NAIVE, ladder.NAIVE) == ""


def test_mean_lead_over_problems_has_students_interval():
    problems = {name: ladder.run_discrete(name, 4, 0) for name in ("lymphography", "promoters", "breast-cancer")}
    each = [of.lead(ladder.NAIVE, ladder.SCALED, late=True).mean for of in problems.values()]
    found = ladder.over_problems(problems, ladder.NAIVE, ladder.SCALED, late=True)
    assert found.mean == pytest.approx(np.mean(each))
    assert found.half == pytest.approx(t.ppf(0.975, 2) * np.std(each, ddof=1) / np.sqrt(3))
    assert ladder.at_both_ends(problems, ladder.NAIVE, ladder.SCALED).split("; ")[1] == found.in_points()
    assert ladder.mean_points(problems)[1] == found.in_points()


def test_splits_of_the_protocol():
    pairs = list(protocol.splits(200, 30, np.random.default_rng(12)))
    assert len(pairs) == 25
    for k, (train, test) in enumerate(pairs):
        assert (len(train), len(test)) == (30, 20)
        assert not set(train) & set(test)
        assert np.array_equal(test, pairs[k - k % 5][1])
    assert len({tuple(train) for train, _ in pairs}) == 25
    assert len({tuple(sorted(test)) for _, test in pairs}) == 5


def test_standard_errors_of_the_calibration_have_the_ratio_of_the_policies():
    found = protocol.calibration(32, 300, 3, 0)
    assert found.conservative / found.plain == pytest.approx(5 * np.sqrt(1 / 5 + 1 / 9))
    assert found.spread > 0


def test_pictures_of_the_database():
    count = leads.Count.of(LCDB, 100, 0)
    for picture in (figures.directions(count), figures.three_sets(LCDB)):
        assert picture.alt
        assert picture.fig.axes
    assert "LDA 7 per cent" in figures.directions(count).alt
