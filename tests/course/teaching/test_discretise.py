"""Bins against scikit-learn's, and against their definition."""

import numpy as np
import pytest
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from course.teaching.discretise import Discretiser
from probml.naive_bayes import CategoricalNB


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")  # checks that need pandas
@parametrize_with_checks([Discretiser(), Discretiser(4, strategy="uniform")])
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
@pytest.mark.parametrize("bins", [2, 5, 10])
def test_agrees_with_scikit_learn(strategy, bins):
    rng = np.random.default_rng(0)
    X, new = rng.gamma(2, size=(200, 4)), rng.gamma(2, size=(50, 4))
    peer = KBinsDiscretizer(bins, encode="ordinal", strategy=strategy, quantile_method="linear").fit(X)
    ours = Discretiser(bins, strategy=strategy).fit(X)
    np.testing.assert_array_equal(ours.transform(X), peer.transform(X))
    np.testing.assert_array_equal(ours.transform(new), peer.transform(new))
    assert ours.n_bins_.tolist() == [bins] * 4


def test_bins_are_what_they_say():
    x = np.arange(12.0)[:, None]
    assert Discretiser(4).fit_transform(x).ravel().tolist() == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3
    skewed = np.array([0.0, 1, 2, 3, 10])[:, None]
    assert Discretiser(2, strategy="uniform").fit_transform(skewed).ravel().tolist() == [0, 0, 0, 0, 1]
    fitted = Discretiser(2, strategy="uniform").fit(skewed)
    assert fitted.transform([[5.0], [4.999], [-1e9], [1e9]]).ravel().tolist() == [1, 0, 0, 1]


def test_ties_and_constants_make_fewer_bins():
    X = np.column_stack([np.zeros(10), [0] * 8 + [1, 2], np.arange(10)])
    fitted = Discretiser(5).fit(X)
    assert fitted.n_bins_.tolist() == [1, 2, 5]
    codes = fitted.transform(X)
    assert (codes.max(axis=0) + 1).tolist() == [1, 2, 5]
    assert not codes[:, 0].any()


def test_feeds_categorical_naive_bayes():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 400)
    X = rng.normal(size=(400, 3)) + 3 * y[:, None]
    bins = Discretiser(8).fit(X[:300])
    model = CategoricalNB(min_categories=bins.n_bins_).fit(bins.transform(X[:300]), y[:300])
    assert model.score(bins.transform(X[300:]), y[300:]) > 0.95


@pytest.mark.parametrize(
    ("options", "message"),
    [({"bins": 1}, "at least 2, received 1"), ({"bins": 2.5}, "received 2.5"), ({"strategy": "x"}, "received 'x'")],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        Discretiser(**options).fit([[1.0], [2.0]])


def test_names_of_features_stay():
    fitted = Discretiser(2).fit(np.eye(3))
    assert fitted.get_feature_names_out(["a", "b", "c"]).tolist() == ["a", "b", "c"]


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_a_range_too_large(strategy):
    with pytest.raises(ValueError, match="range of X is more than a floating-point number can hold"):
        Discretiser(3, strategy=strategy).fit([[-1e308], [1e308]])
