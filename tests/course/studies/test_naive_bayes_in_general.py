"""Experiments on naive Bayes in general: fractions by hand, codings of the census, losses on splits."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from course.studies.naive_bayes_in_general.by_hand import factors
from course.studies.naive_bayes_in_general.codings import all_gaussian, by_column, by_kind, cut, with_bins, without
from course.studies.naive_bayes_in_general.held_out import Entrant, held_out, interval
from probml import datasets
from probml.families import Categorical, Gaussian
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


def test_codings_fit_the_census(adult):
    few = slice(0, 3000)
    for coding in (all_gaussian(adult), by_kind(adult), by_column(adult), with_bins(adult)):
        assert coding.X.shape == adult.X.shape
        assert len(coding.families) == 14
        np.testing.assert_array_equal(np.isnan(coding.X), np.isnan(adult.X))
        MixedNB(coding.families).fit(coding.X[few], adult.y[few])
    assert set(all_gaussian(adult).families) == {Gaussian()}
    assert by_kind(adult).families[1] == Categorical(8)


def test_columns_that_no_coding_changes(adult):
    same = [a for a, column in enumerate(adult.features) if column.categories]
    assert len(same) == 8
    np.testing.assert_array_equal(with_bins(adult).X[:, same], adult.X[:, same])
    ages = by_column(adult).X[:, adult.feature_names.index("age")]
    assert ages.min() == 1
    gain = adult.feature_names.index("capital-gain")
    np.testing.assert_array_equal(with_bins(adult).X[:, gain] > 0, adult.X[:, gain] > 0)


def test_without_leaves_out_columns(adult):
    left = without(by_kind(adult), [3, 0])
    assert left.X.shape[1] == len(left.families) == 12
    np.testing.assert_array_equal(left.X[:, 0], adult.X[:, 1])
    assert left.families[0] == Categorical(8)


def test_cut_counts_edges_at_or_below():
    np.testing.assert_array_equal(cut(np.array([0.0, 1.0, 2.5, 9.0]), (1, 3)), [0, 1, 1, 2])


class Told:
    """Two classes, the second with probability `p` whatever x is."""

    def __init__(self, p):
        self.p = p

    def fit(self, X, y):
        return self

    def predict_log_proba(self, X):
        return np.log([[1 - self.p, self.p]] * len(X))


def test_losses_are_those_of_the_test_part():
    y = np.array([0] * 30 + [1] * 10)
    X = y[:, None].astype(float)
    entrants = {"told": Entrant(X, lambda: Told(0.25)), "sees": Entrant(X, lambda: GaussianNB(var_smoothing=0.01))}
    found = held_out(entrants, y, 10, 30, 6, 0)
    assert (found["sees"].error == 0).all()
    share = found["told"].error  # of class 1 in the test part
    np.testing.assert_allclose(found["told"].log_loss, -(share * np.log(0.25) + (1 - share) * np.log(0.75)))
    np.testing.assert_array_equal(held_out(entrants, y, 10, 30, 6, 0)["told"].error, share)
    with pytest.raises(ValueError, match="11 examples to train and 30 to test are more than the 40 there are"):
        held_out(entrants, y, 11, 30, 1, 0)


def test_interval_is_students():
    values = np.random.default_rng(1).normal(0.3, 1.0, 12)
    found = interval(values, 0.9)
    peer = ttest_1samp(values, 0).confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((peer.low, peer.high))
    assert found.mean == pytest.approx(values.mean())
