"""NBSVM against the formulas in NumPy with scikit-learn's SVM, its two ends, and input that has no answer."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from scipy import sparse
from sklearn import svm
from sklearn.utils.estimator_checks import parametrize_with_checks

from probml.linear_model import LinearSVC
from probml.naive_bayes import MultinomialNB
from probml.nbsvm import NBSVM
from probml.objectives.private_columns import PrivateColumns
from probml.text import BagOfWords

TEXTS = ["Chinese Beijing Chinese", "Chinese Chinese Shanghai", "Chinese Macao", "Tokyo Japan Chinese"]


@parametrize_with_checks([NBSVM(), NBSVM(beta=1.0, binarise=False)])
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@pytest.fixture
def counts():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 90)
    return rng.poisson(rng.gamma(1, 0.5, (3, 40))[y]), np.array(["a", "b", "c"])[y]


def oracle(F, second, alpha, C, beta):
    """The published formulas, with scikit-learn's SVM; its intercept is a column so large that no penalty sees it."""
    p, q = alpha + F[second].sum(axis=0), alpha + F[~second].sum(axis=0)
    r = np.log(p / p.sum()) - np.log(q / q.sum())
    large = 1e3
    peer = svm.LinearSVC(C=C, intercept_scaling=large, tol=1e-12, max_iter=10**7, dual=False).fit(F * r, second)
    w, b = peer.coef_[0], peer.intercept_[0]
    mean = np.sum(np.abs(w)) / len(w)
    c = np.log(second.sum() / (~second).sum())
    return r * ((1 - beta) * mean + beta * w), (1 - beta) * mean * c + beta * b


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("binarise", [True, False])
@pytest.mark.parametrize(("alpha", "C", "beta"), [(1.0, 1.0, 0.25), (0.5, 0.1, 0.7), (1.0, 3.0, 1.0), (2.0, 1.0, 0.0)])
def test_two_classes(container, binarise, alpha, C, beta, counts):
    X, y = counts[0][counts[1] != "c"], counts[1][counts[1] != "c"]
    model = NBSVM(alpha=alpha, C=C, beta=beta, binarise=binarise).fit(container(X), y)
    F = (X > 0).astype(float) if binarise else X
    coef, intercept = oracle(F, y == "b", alpha, C, beta)
    np.testing.assert_allclose(model.coef_[0], coef, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(model.intercept_[0], intercept, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(model.decision_function(container(X)), F @ coef + intercept, rtol=1e-3, atol=1e-5)
    assert (model.predict(container(X)) == np.where(F @ coef + intercept > 0, "b", "a")).all()


def test_three_classes_are_one_against_the_rest(counts):
    X, y = counts
    model = NBSVM().fit(X, y)
    F = (X > 0).astype(float)
    each = [oracle(F, y == label, 1.0, 1.0, 0.25) for label in "abc"]
    expected = np.column_stack([F @ coef + intercept for coef, intercept in each])
    np.testing.assert_allclose(model.decision_function(X), expected, rtol=1e-3, atol=1e-5)
    assert (model.predict(X) == np.array(list("abc"))[expected.argmax(axis=1)]).all()
    assert model.score(X, y) > 0.9


def test_log_count_ratio_by_hand():
    bag = BagOfWords(binary=True)
    X = bag.fit_transform(TEXTS)
    model = NBSVM().fit(X, ["j", "j", "j", "k"])
    # Documents that have the word, in class j and in class k; add-one smoothing adds six to both totals.
    total = {"j": 3 + 3 + 6, "k": 3 + 6}
    seen = {"beijing": (1, 0), "chinese": (3, 1), "japan": (0, 1), "macao": (1, 0), "shanghai": (1, 0), "tokyo": (0, 1)}
    expected = [log(Fraction(k + 1, total["k"]) / Fraction(j + 1, total["j"])) for j, k in seen.values()]
    assert list(bag.words_) == list(seen)
    np.testing.assert_allclose(model.log_count_ratio_[0], expected, rtol=1e-13)
    assert model.prior_log_odds_[0] == pytest.approx(log(1 / 3))


def test_the_ends_are_naive_bayes_and_the_svm(counts):
    X, y = counts[0][counts[1] != "c"], counts[1][counts[1] != "c"]
    F = (X > 0).astype(float)
    model = NBSVM(beta=0.0).fit(X, y)
    bayes = MultinomialNB().fit(F, y)
    log_odds = np.diff(bayes.predict_joint_log_proba(F), axis=1)[:, 0]
    scale = np.abs(model.svm_coef_).mean()
    np.testing.assert_allclose(model.decision_function(X), scale * log_odds, rtol=1e-9)
    assert (model.predict(X) == bayes.predict(F)).all()
    machine = LinearSVC(l2=0.5).fit(F * model.log_count_ratio_, y)
    np.testing.assert_allclose(
        model.with_beta(1.0).decision_function(X), machine.decision_function(F * model.log_count_ratio_), rtol=1e-9
    )


def test_another_beta_is_another_fit(counts):
    model = NBSVM(beta=0.25).fit(*counts)
    other = model.with_beta(0.6)
    np.testing.assert_array_equal(other.coef_, NBSVM(beta=0.6).fit(*counts).coef_)
    assert (model.beta, other.beta) == (0.25, 0.6)
    np.testing.assert_array_equal(model.coef_, NBSVM(beta=0.25).fit(*counts).coef_)
    with pytest.raises(ValueError, match="beta must be a number from 0"):
        model.with_beta(1.5)


def test_classes_exchanged_change_the_sign(counts):
    X, y = counts[0][counts[1] != "c"], counts[1][counts[1] != "c"]
    one, other = NBSVM().fit(X, y == "a"), NBSVM().fit(X, y == "b")
    np.testing.assert_allclose(one.decision_function(X), -other.decision_function(X), rtol=1e-6, atol=1e-9)


def test_weights_are_repetitions(counts):
    X, y = counts
    times = np.random.default_rng(1).integers(0, 4, len(y))
    one, other = NBSVM().fit(X, y, times), NBSVM().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(one.intercept_, other.intercept_, rtol=1e-6, atol=1e-9)


def test_documents_without_a_known_word_get_the_class_of_the_intercept():
    bag = BagOfWords()
    model = NBSVM().fit(bag.fit_transform(TEXTS), ["j", "j", "j", "k"])
    questions = bag.transform(["", "Osaka Kyoto", "東京と大阪", "столица"])
    np.testing.assert_array_equal(model.decision_function(questions), model.intercept_.repeat(4))
    assert list(model.predict(questions)) == ["j"] * 4  # three documents in four


def test_a_document_of_a_million_words_is_its_different_words():
    bag = BagOfWords()
    X = bag.fit_transform(TEXTS)
    model = NBSVM().fit(X, ["j", "j", "j", "k"])
    once, often = (bag.transform([TEXTS[3] + " "]) * times for times in (1, 1_000_000))
    np.testing.assert_array_equal(model.decision_function(often), model.decision_function(once))
    assert list(model.predict(often)) == ["k"]


def test_a_label_that_never_occurs_in_training():
    bag = BagOfWords()
    X = bag.fit_transform(TEXTS)
    model = NBSVM().fit(X, ["j", "j", "j", "k"])
    assert list(model.classes_) == ["j", "k"]
    assert model.score(X, ["j", "j", "j", "new"]) == 0.75  # it is never predicted, so it counts as an error


def test_a_class_of_one_document_is_enough():
    bag = BagOfWords()
    X = bag.fit_transform(TEXTS)
    assert list(NBSVM().fit(X, ["j", "j", "j", "k"]).predict(X)) == ["j", "j", "j", "k"]
    assert list(NBSVM().fit(X, ["i", "j", "j", "k"]).predict(X)) == ["i", "j", "j", "k"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.0}, "alpha must be a finite number above 0, received 0.0"),
        ({"alpha": [1.0]}, "alpha must be a finite number above 0"),
        ({"C": -1.0}, "C must be a finite number above 0, received -1.0$"),
        ({"beta": 1.1}, "beta must be a number from 0"),
        ({"binarise": "yes"}, "binarise must be True or False, received 'yes'"),
    ],
    ids=str,
)
def test_parameters_out_of_range(options, message, counts):
    with pytest.raises(ValueError, match=message):
        NBSVM(**options).fit(*counts)


def test_input_without_an_answer():
    X = np.array([[1, 0], [0, 1]])
    with pytest.raises(ValueError, match="one class only: 'a'"):
        NBSVM().fit(X, ["a", "a"])
    with pytest.raises(ValueError, match="one class only: 'a'"):
        NBSVM().fit(X, ["a", "b"], [1, 0])
    with pytest.raises(ValueError, match="Negative values in data passed to NBSVM"):
        NBSVM().fit(-X, ["a", "b"])


# Columns that only one row uses


def sparse_rows(m, n, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((m, n), density=0.004, rng=rng, format="csr")
    X.data = rng.normal(size=X.nnz)
    return X, np.where(rng.random(m) < 0.5, 1, 0)


def test_pooled_columns_have_the_same_minimum():
    X, y = sparse_rows(150, 1500)
    columns = PrivateColumns.of(X)
    assert len(columns.private) > 300
    assert columns.X.shape[1] < 500 + 150
    pooled = LinearSVC(l2=0.3).fit(X, y)
    plain = LinearSVC(l2=0.3, solver="newton").fit(X.toarray(), y)
    np.testing.assert_allclose(pooled.coef_, plain.coef_, atol=1e-7)
    np.testing.assert_allclose(pooled.intercept_, plain.intercept_, atol=1e-7)
    np.testing.assert_allclose(pooled.solution_.theta, np.append(pooled.coef_, pooled.intercept_))
    assert pooled.solution_.value == pytest.approx(plain.solution_.value, rel=1e-10)
    without = LinearSVC(l2=0.3, fit_intercept=False).fit(X, y)
    assert without.solution_.theta.shape == (1500,)


def test_pooling_keeps_products_and_norms():
    X, _ = sparse_rows(40, 300, seed=1)
    X.data[::7] = 0.0  # a column with one stored zero has no weight
    columns = PrivateColumns.of(X)
    v = np.random.default_rng(2).normal(size=columns.X.shape[1])
    w = columns.back(v)
    np.testing.assert_allclose(X @ w, columns.X @ v, atol=1e-12)
    assert np.linalg.norm(w) == pytest.approx(np.linalg.norm(v))
    np.testing.assert_allclose(columns.pool(w), v, atol=1e-12)  # E^T E = I
    g = np.random.default_rng(3).normal(size=300)
    assert columns.pool(g) @ v == pytest.approx(g @ w)  # E^T is the transpose of E
    in_order = PrivateColumns.of(X, keep_order=True)
    assert (np.diff(in_order.columns) > 0).all()
    np.testing.assert_allclose(in_order.X @ in_order.pool(g), columns.X @ columns.pool(g), atol=1e-12)
    most_used_first = np.bincount(X.indices, minlength=300)[columns.columns]
    assert (np.diff(most_used_first) <= 0).all()
    assert most_used_first[0] > 1


def test_entries_stored_twice_are_added_up():
    twice = sparse.csr_array((np.array([1.0, 2.0, 5.0]), np.array([1, 1, 0]), np.array([0, 2, 3])), shape=(2, 3))
    columns = PrivateColumns.of(twice)
    np.testing.assert_array_equal(columns.X.toarray(), [[0, 3], [5, 0]])
    np.testing.assert_array_equal(columns.back(np.array([7.0, 2.0])), [7, 2, 0])
    assert twice.nnz == 3
