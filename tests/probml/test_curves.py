"""The engine of learning curves: splits, test parts, the same numbers however the work is cut."""

from itertools import combinations
from math import comb

import joblib
import numpy as np
import pytest
from choices import Nearby
from scipy.stats import chisquare

from probml import linear_model, naive_bayes
from probml.curves import (
    GDA,
    BernoulliNB,
    Curve,
    GaussianNB,
    LogisticRegression,
    learning_curves,
)
from probml.curves.pool import Pool
from probml.curves.scores import LinearScores
from probml.curves.splits import draw_splits, share_with_all, subsets
from probml.errors import ParameterError, SeparationError

RNG = np.random.default_rng(0)
Y = (np.arange(90) % 3 == 0).astype(int)
X = np.round(RNG.standard_normal((90, 4)) + 0.8 * Y[:, None], 1)
INDICATORS = (X > 0.5).astype(float)
BOTH = {"nb": GaussianNB(), "lr": LogisticRegression(separable=(Nearby(), "margin"))}


def curves(models, data=X, sizes=(6, 30), **options):
    return learning_curves(data, Y, sizes, models, **{"n_splits": 40, "n_jobs": 1} | options)


def same(a, b):
    assert a.error.keys() == b.error.keys()
    for name in a.error:
        np.testing.assert_array_equal(a.error[name].losses, b.error[name].losses)
    for name in a.separable:
        np.testing.assert_array_equal(a.separable[name], b.separable[name])


# Splits


@pytest.mark.parametrize(("N", "size"), [(6, 2), (6, 4), (5, 1), (5, 5)])
def test_subsets_are_uniform(N, size):
    drawn = np.sort(subsets(N, size, 30_000, np.random.default_rng(0)), axis=1)
    kinds = dict.fromkeys(combinations(range(N), size), 0)
    for row in drawn:
        kinds[tuple(row.tolist())] += 1
    assert chisquare(list(kinds.values())).pvalue > 1e-4 or len(kinds) == 1


def test_subsets_are_those_of_floyds_algorithm_one_at_a_time():
    N, size, number = 40, 15, 200
    drawn = np.random.default_rng(3).integers(0, np.arange(N - size, N)[:, None] + 1, (size, number))
    for t_of_each, found in zip(drawn.T, subsets(N, size, number, np.random.default_rng(3)), strict=True):
        expected = []
        for j, t in enumerate(t_of_each, start=N - size):
            expected.append(j if t in expected else t)
        np.testing.assert_array_equal(found, expected)


def test_training_parts_are_uniform_among_those_with_every_class():
    y = np.array([0, 0, 0, 1, 2])
    rows = np.sort(draw_splits(y, 3, 20_000, 0), axis=1)
    found, count = np.unique(rows, axis=0, return_counts=True)
    assert found.tolist() == [[0, 3, 4], [1, 3, 4], [2, 3, 4]]
    assert chisquare(count).pvalue > 1e-4


def test_splits_depend_on_seed_and_size_only():
    first = draw_splits(Y, 10, 5, 1)
    np.testing.assert_array_equal(first, draw_splits(Y, 10, 5, 1))
    assert (first != draw_splits(Y, 10, 5, 2)).any()
    assert all(len(set(row)) == 10 for row in first.tolist())


def test_share_of_subsets_with_both_classes():
    assert share_with_all(np.array([3, 2]), 2) == pytest.approx(1 - (comb(3, 2) + comb(2, 2)) / comb(5, 2))


def test_share_of_subsets_with_three_classes():
    """The product over the classes, which is near the share of all subsets that hold each of them."""
    y = np.repeat([0, 1, 2], [3, 4, 5])
    absent = [comb(12 - count, 5) / comb(12, 5) for count in (3, 4, 5)]
    found = share_with_all(np.bincount(y), 5)
    assert found == pytest.approx((1 - absent[0]) * (1 - absent[1]) * (1 - absent[2]))
    assert found == pytest.approx(
        np.mean([len(set(y[list(rows)])) == 3 for rows in combinations(range(12), 5)]), abs=0.03
    )


# Test parts


@pytest.mark.parametrize(
    ("model", "estimator", "data"),
    [
        (GaussianNB(), naive_bayes.GaussianNB(shared_variance=True), X),
        (GaussianNB(shared_variance=False), naive_bayes.GaussianNB(), X),
        (BernoulliNB(prior_alpha=0), naive_bayes.BernoulliNB(), INDICATORS),
        (LogisticRegression(l2=0.1), linear_model.LogisticRegression(l2=0.1), X),
    ],
    ids=["gaussian", "gaussian per class", "bernoulli", "logistic"],
)
@pytest.mark.parametrize("y", [Y, np.arange(90) % 3], ids=["two", "three"])
def test_errors_and_log_losses_are_those_of_a_loop(model, estimator, data, y):
    if isinstance(model, LogisticRegression) and y.max() > 1:
        pytest.skip("two classes only")
    size, n_splits = 31, 15
    found = learning_curves(data, y, [size], {"it": model}, n_splits=n_splits, seed=3, log_loss=True, n_jobs=1)
    for split, train in enumerate(draw_splits(y, size, n_splits, 3)):
        test = np.setdiff1d(np.arange(len(y)), train)
        fitted = estimator.fit(data[train], y[train])
        posterior = fitted.predict_proba(data[test])
        close = np.abs(np.diff(np.sort(posterior, axis=1)[:, -2:], axis=1)) < 1e-9
        assert not close.any(), "a tie: choose other data"
        wrong = np.mean(fitted.predict(data[test]) != y[test])
        assert found.error["it"].losses[0, split] == pytest.approx(wrong, abs=1e-12)
        loss = -fitted.predict_log_proba(data[test])[np.arange(len(test)), y[test]].mean()
        assert found.log_loss["it"].losses[0, split] == pytest.approx(loss, rel=1e-9)


def test_distinct_rows_are_counted():
    data = np.array([[0.0, 1], [0, 1], [-0.0, 1], [1, 1]])
    pool = Pool.of(data, np.array([0, 1, 1, 0]))
    np.testing.assert_array_equal(pool.rows[pool.row_of], data)
    assert sorted(pool.count.tolist()) == [[1, 0], [1, 2]]


@pytest.mark.parametrize("K", [2, 3])
def test_ties_go_to_the_first_or_last_class_or_count_as_a_share(K):
    y = np.arange(12) % K
    pool = Pool.of(np.repeat(np.arange(12.0)[:, None], 2, axis=1), y)
    V = 1 if K == 2 else K
    coef = np.where(np.arange(V)[:, None] == 0, [0.1 + 0.2, -0.3], 0.0)  # 5e-17 x, all of it rounding
    flat = LinearScores(coef[None], np.zeros((1, V)))
    assert flat.of(pool.rows, slice(None)).any()
    train = np.array([[0, K, 2 * K]])  # three of the first class
    first, _ = pool.test_losses(flat, train, "first", False, 10**6)
    half, _ = pool.test_losses(flat, train, "half", False, 10**6)
    last, _ = pool.test_losses(flat, train, "last", False, 10**6)
    np.testing.assert_allclose(first, 1 - (12 // K - 3) / 9)
    np.testing.assert_allclose(last, 1 - (12 // K) / 9)
    np.testing.assert_allclose(half, 1 - 1 / K)


def test_log_loss_is_not_a_number_where_a_rule_gives_no_probabilities():
    found = curves({"lr": LogisticRegression(separable=(Nearby(), "ridge"))}, log_loss=True)
    assert found.separable["lr"][0] > 0
    expected = np.isnan(found.log_loss["lr (nearby)"].losses).mean(axis=1)
    np.testing.assert_array_equal(expected, found.separable["lr"])
    assert np.isfinite(found.log_loss["lr (ridge)"].losses).all()


# The same numbers


@pytest.mark.parametrize("data", [X, INDICATORS], ids=["continuous", "discrete"])
def test_batches_order_and_other_models_change_nothing(data):
    whole = curves(BOTH, data)
    assert whole.separable["lr"][0] > 0
    same(whole, curves(BOTH, data, batch_bytes=1))
    same(whole, curves(BOTH, data, batch_bytes=20_000))
    turned = curves(BOTH, data, sizes=(30, 6))
    for name, curve in whole.error.items():
        np.testing.assert_array_equal(curve.losses, turned.error[name].losses[::-1])
    alone = curves({"lr": LogisticRegression(separable="margin")}, data, sizes=(30,))
    np.testing.assert_array_equal(alone.error["lr"].losses[0], whole.error["lr (margin)"].losses[1])
    assert (whole.error["nb"].losses != curves(BOTH, data, seed=1).error["nb"].losses).any()


def test_two_processes_give_the_same_numbers():
    same(curves(BOTH), curves(BOTH, n_jobs=2, batch_bytes=20_000))


def test_a_dask_cluster_gives_the_same_numbers():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        same(curves(BOTH), curves(BOTH, n_jobs=None, batch_bytes=20_000))


# The result


def test_the_rarest_class_is_named_where_subsets_miss_it():
    X, y = np.arange(5001.0)[:, None], np.repeat(["common", "rare"], [5000, 1])
    with pytest.raises(ParameterError, match=r"hold every class; class rare has only 1 of 5001"):
        learning_curves(X, y, [2], {"naive Bayes": GaussianNB()}, n_jobs=1)


def test_one_number_that_is_missing_is_named():
    X = np.arange(20.0).reshape(10, 2)
    X[3, 1] = np.nan
    with pytest.raises(ParameterError, match="X has nan in row 3, column 1"):
        learning_curves(X, np.arange(10) % 2, [4], {"naive Bayes": GaussianNB()}, n_jobs=1)


def test_one_feature_is_enough():
    X, y = np.arange(40.0)[:, None], np.repeat([0, 1], 20)
    error = learning_curves(X, y, [30], {"naive Bayes": GaussianNB()}, n_splits=5, n_jobs=1).error["naive Bayes"]
    assert error.mean[0] < 0.2


@pytest.mark.parametrize("models", [{}, [GaussianNB()], []])
def test_models_have_names(models):
    with pytest.raises(ParameterError, match="models"):
        learning_curves(np.arange(20.0).reshape(10, 2), np.arange(10) % 2, [4], models, n_jobs=1)


def test_means_and_bands():
    losses = np.random.default_rng(0).random((3, 400))
    curve = Curve(np.array([1, 2, 3]), losses)
    se = losses.std(axis=1, ddof=1) / 20
    np.testing.assert_allclose(curve.mean, losses.mean(axis=1))
    np.testing.assert_allclose(curve.standard_error, se)
    low, high = curve.band()
    np.testing.assert_array_equal((low, high), curve.band(0.95))
    np.testing.assert_allclose([low, high], [curve.mean - 1.959964 * se, curve.mean + 1.959964 * se], rtol=1e-7)
    with pytest.raises(ParameterError, match=r"level must be between 0 and 1, received 95"):
        curve.band(95)
    for level in (0, 1):
        with pytest.raises(ParameterError, match=f"level must be between 0 and 1, received {level}"):
            curve.band(level)
    with pytest.raises(ParameterError, match="two splits"):
        _ = Curve(np.array([1]), np.ones((1, 1))).standard_error


def test_more_examples_help():
    found = curves({"nb": GaussianNB()}, sizes=(2, 10, 60), n_splits=200)
    assert (np.diff(found.error["nb"].mean) < 0).all()


# Bad input


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": [90]}, r"90 of 90 examples leaves none to test"),
        ({"sizes": [200]}, r"200 of 90 examples leaves none"),
        ({"sizes": [1]}, r"1 examples cannot hold 2 classes"),
        ({"sizes": [4, 4]}, r"different whole numbers.*\[4, 4\]"),
        ({"sizes": []}, r"at least one"),
        ({"sizes": [2.5]}, r"whole number of at least 1, received 2.5"),
        ({"X": X[:, 0]}, r"shape \(N, n\) and y \(N,\), received \(90,\)"),
        ({"X": X[:-1]}, r"received \(89, 4\) and \(90,\)"),
        ({"X": [["a"]] * 90}, r"X must be numbers"),
        ({"X": np.where(np.arange(90)[:, None] == 7, np.nan, X)}, r"nan in row 7, column 0.*missing"),
        ({"y": np.where(Y == 1, np.nan, 0)}, r"y has nan in row 0"),
        ({"y": np.zeros(90)}, r"one only: 0.0"),
        ({"y": np.arange(90) == 3, "sizes": [2]}, None),
        ({"models": {}}, r"mapping from names to models"),
        ({"models": {"nb": "naive"}}, r"models\['nb'\] is 'naive'"),
        ({"models": {"nb": GaussianNB}}, r"not a model of probml.curves"),
        ({"models": {"nb": BernoulliNB()}}, r"needs X of 0 and 1, received"),
        ({"models": {"lr": LogisticRegression(l2=1)}, "y": np.arange(90) % 3}, r"two classes, y has 3"),
        ({"n_splits": 0}, r"n_splits must be a whole number of at least 1, received 0"),
        ({"seed": -1}, r"seed must be"),
        ({"batch_bytes": 0.5}, r"batch_bytes must be"),
        ({"ties": "other"}, r"ties must be of first, last, half; received 'other'"),
    ],
)
def test_bad_input_is_refused_before_the_work(change, message, monkeypatch):
    monkeypatch.setattr("probml.curves.engine.draw_splits", None)
    arguments = {"X": X, "y": Y, "sizes": [5], "models": {"nb": GaussianNB()}, "n_jobs": 1} | change
    if message is None:
        message = r"fewer than one in"
        arguments["X"], arguments["y"] = np.arange(9000.0)[:, None], np.arange(9000) == 3
    with pytest.raises(ParameterError, match=message):
        learning_curves(**arguments)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LogisticRegression(separable="nearest"), r"margin, ridge, or a Choice; received 'nearest'"),
        (lambda: LogisticRegression(separable=("margin", "x")), r"received 'x'"),
        (lambda: LogisticRegression(separable=("margin", Nearby(), Nearby())), r"name of its own, .* margin, nearby"),
        (lambda: LogisticRegression(l2=-1), r"l2 must be a finite number of at least 0"),
        (lambda: LogisticRegression(ridge=0), r"ridge must be a finite number above 0"),
        (lambda: GaussianNB(var_smoothing=np.nan), r"var_smoothing"),
        (lambda: BernoulliNB(alpha=0), r"alpha must be a finite number above 0"),
        (lambda: GDA("round"), r"covariance must be one of .*'round'"),
        (lambda: GDA(shrinkage=2), r"shrinkage must be a number from 0 to 1"),
    ],
)
def test_bad_parameters_are_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_a_separable_part_without_a_rule_is_an_error():
    with pytest.raises(SeparationError, match="separable='margin'"):
        curves({"lr": LogisticRegression()}, sizes=(4,))
