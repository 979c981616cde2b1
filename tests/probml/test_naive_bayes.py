"""Naive Bayes against high precision, scikit-learn, and its own invariances."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sklearn.naive_bayes
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from probml.errors import ZeroEvidenceError
from probml.naive_bayes import BernoulliNB, MultinomialNB

MODELS = [MultinomialNB, BernoulliNB]


@pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.SkipTestWarning"
)  # checks that need pandas or another array library
@parametrize_with_checks([MultinomialNB(), BernoulliNB()])
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@pytest.fixture
def counts():
    rng = np.random.default_rng(3)
    return rng.poisson(0.7, (60, 12)).astype(float), rng.integers(0, 4, 60)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, sparse.csc_matrix])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"alpha": 0.01},
        {"alpha": 1e-8},
        {"alpha": 0.5, "force_alpha": False},
        {"fit_prior": False},
        {"class_prior": [0.1, 0.2, 0.3, 0.4]},
    ],
    ids=str,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_agrees_with_scikit_learn(model, container, options, weighted, counts):
    X, y = counts
    weight = np.random.default_rng(0).uniform(0, 3, len(y)) if weighted else None
    peer = getattr(sklearn.naive_bayes, model.__name__)(**options).fit(container(X), y, weight)
    ours = model(**options).fit(container(X), y, weight)
    for attribute in ("class_count_", "feature_count_", "class_log_prior_", "feature_log_prob_"):
        np.testing.assert_allclose(getattr(ours, attribute), getattr(peer, attribute), rtol=1e-12, atol=1e-12)
    for method in ("predict_joint_log_proba", "predict_log_proba", "predict_proba"):
        expected = getattr(peer, method)(container(X))
        np.testing.assert_allclose(getattr(ours, method)(container(X)), expected, rtol=1e-10, atol=1e-10)
    assert (ours.predict(container(X)) == peer.predict(container(X))).all()


def test_one_alpha_for_each_word(counts):
    X, y = counts
    alpha = np.linspace(0.1, 2, 12)
    peer, ours = sklearn.naive_bayes.MultinomialNB(alpha=alpha).fit(X, y), MultinomialNB(alpha=alpha).fit(X, y)
    np.testing.assert_allclose(ours.feature_log_prob_, peer.feature_log_prob_, rtol=1e-12)
    each = [BernoulliNB(alpha=a).fit(X[:, [n]], y).feature_log_prob_[:, 0] for n, a in enumerate(alpha)]
    np.testing.assert_allclose(BernoulliNB(alpha=alpha).fit(X, y).feature_log_prob_.T, each, rtol=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_tiny_alpha_is_raised_with_a_warning(model, counts):
    with pytest.warns(UserWarning, match="raised to 1e-10"):
        raised = model(alpha=0, force_alpha=False).fit(*counts)
    np.testing.assert_array_equal(raised.feature_log_prob_, model(alpha=1e-10).fit(*counts).feature_log_prob_)


def test_bernoulli_binarize_agrees_with_scikit_learn(counts):
    X, y = counts
    for options, features in (({"binarize": 1.0}, X), ({"binarize": None}, np.minimum(X, 1))):
        peer = sklearn.naive_bayes.BernoulliNB(**options).fit(features, y)
        ours = BernoulliNB(**options).fit(features, y)
        np.testing.assert_allclose(ours.predict_log_proba(features), peer.predict_log_proba(features), atol=1e-10)


@pytest.mark.parametrize("model", MODELS)
def test_extreme_documents_against_mpmath(model):
    """10^5 words and alpha = 1e-10: the log posterior is right to the last digits although the posterior underflows."""
    X = np.array([[3.0, 0, 1], [0, 5, 1], [2, 1, 0]])
    y = [0, 1, 0]
    question = np.array([[60_000.0, 30_000, 10_000]])
    alpha = 1e-10
    log_posterior = model(alpha=alpha).fit(X, y).predict_log_proba(question)[0]
    with mpmath.workdps(60):
        a = mpmath.mpf(alpha)
        joint = []
        for rows, prior in ((X[[0, 2]], mpmath.mpf(2) / 3), (X[[1]], mpmath.mpf(1) / 3)):
            if model is MultinomialNB:
                count = [mpmath.mpf(float(c)) + a for c in rows.sum(axis=0)]
                logs = [int(x) * mpmath.log(c / sum(count)) for x, c in zip(question[0], count, strict=True)]
            else:
                logs = [mpmath.log((int(c) + a) / (len(rows) + 2 * a)) for c in (rows > 0).sum(axis=0)]
            joint.append(mpmath.log(prior) + sum(logs))
        evidence = mpmath.log(sum(mpmath.exp(value) for value in joint))
        expected = [float(value - evidence) for value in joint]
    np.testing.assert_allclose(log_posterior, expected, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("model", MODELS)
@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_invariances(model, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.poisson(0.8, (25, 6)).astype(float), rng.integers(0, 3, 25)
    base = model().fit(X, y)
    expected = base.predict_joint_log_proba(X)
    # repeating rows is the same as weighting them
    times = rng.integers(1, 4, 25)
    weighted = model().fit(X, y, sample_weight=times)
    repeated = model().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.predict_joint_log_proba(X), repeated.predict_joint_log_proba(X), atol=1e-12)
    # batches add up to the whole
    cut = int(rng.integers(1, 24))
    batches = model().partial_fit(X[:cut], y[:cut], classes=np.unique(y)).partial_fit(X[cut:], y[cut:])
    np.testing.assert_allclose(batches.predict_joint_log_proba(X), expected, atol=1e-12)
    # the order of rows and features does not matter, names of classes only name the columns
    rows, features = rng.permutation(25), rng.permutation(6)
    shuffled = model().fit(X[rows][:, features], y[rows])
    np.testing.assert_allclose(shuffled.predict_joint_log_proba(X[:, features]), expected, atol=1e-12)
    renamed = model().fit(X, np.array(["z", "y", "x"])[y])
    order = [list(renamed.classes_).index("zyx"[label]) for label in base.classes_]
    np.testing.assert_allclose(renamed.predict_joint_log_proba(X)[:, order], expected, atol=1e-12)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_without_smoothing(model, container):
    X = container(np.array([[1.0, 0, 0, 2], [1, 1, 0, 0]]))
    fitted = model(alpha=0).fit(X, ["p", "q"])
    # word 1 is unknown to p: whatever else a document holds, it is q's
    assert fitted.predict(container([[1.0, 1, 0, 0]]))[0] == "q"
    np.testing.assert_array_equal(fitted.predict_proba(container([[1.0, 1, 0, 0]])), [[0, 1]])
    # word 2 is unknown to both, and words 1 and 3 exclude one class each
    for impossible in ([[1.0, 0, 1, 0]], [[1.0, 1, 0, 1]]):
        with pytest.raises(ZeroEvidenceError, match=r"alpha > 0 \(it is 0\)"):
            fitted.predict(container(impossible))
    assert np.isneginf(fitted.predict_joint_log_proba(container([[1.0, 0, 1, 0]]))).all()


def test_certain_word_without_smoothing():
    """A word of all documents of a class: without it, a document cannot be of that class."""
    model = BernoulliNB(alpha=0).fit([[1, 0], [1, 1], [0, 1], [0, 0]], [0, 0, 1, 1])
    np.testing.assert_array_equal(model.predict_proba([[0, 1], [1, 1]]), [[0, 1], [1, 0]])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), alpha=st.sampled_from([0.0, 1e-17, 1e-300]))
def test_weighted_bernoulli_is_never_nan(container, seed, alpha):
    """N_j - N_jn must not round below zero, nor above it for a word that all documents of a class hold."""
    rng = np.random.default_rng(seed)
    X, y, weight = rng.random((12, 5)) < 0.7, rng.integers(0, 2, 12), rng.random(12)
    X[y == 0, 0], X[y == 1, 0], y[:2] = True, False, (0, 1)
    X[:2, 0] = True, False
    X = container(X.astype(float))
    for fitted in (
        BernoulliNB(alpha=alpha).fit(X, y, weight),
        BernoulliNB(alpha=alpha)
        .partial_fit(X[:7], y[:7], [0, 1], weight[:7])
        .partial_fit(X[7:], y[7:], None, weight[7:]),
    ):
        assert not np.isnan(fitted.predict_joint_log_proba(X)).any()
        assert (fitted.predict(X) == y).all()  # word 0 is the class
        if alpha == 0:
            np.testing.assert_array_equal(fitted.feature_log_prob_[:, 0], [0, -np.inf])


def test_repeated_entries_of_a_cell_are_one_count():
    twice = sparse.csr_array((np.ones(3), [0, 0, 1], [0, 2, 3]), shape=(2, 2))
    with pytest.raises(ValueError, match="0 and 1 only"):
        BernoulliNB(binarize=None).fit(twice, [0, 1])
    assert twice.nnz == 3  # the caller's matrix stays as it was
    assert BernoulliNB().fit(twice, [0, 1]).feature_count_.tolist() == [[1, 0], [0, 1]]
    assert MultinomialNB().fit(twice, [0, 1]).feature_count_.tolist() == [[2, 0], [0, 1]]


@pytest.mark.parametrize("model", MODELS)
def test_a_failed_fit_changes_nothing(model, counts):
    X, y = counts
    fresh = model()
    with pytest.raises(ValueError, match="label 3"):
        fresh.partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(NotFittedError):
        fresh.predict(X)
    with pytest.raises(ValueError, match="classes="):
        fresh.partial_fit(X, y)
    fitted = model().fit(X, y)
    before = fitted.predict_joint_log_proba(X)
    with pytest.raises(ValueError, match="not negative"):
        fitted.set_params(alpha=-1).fit(X, np.where(y == 0, 7, y))
    np.testing.assert_array_equal(fitted.predict_joint_log_proba(X), before)
    assert fitted.classes_.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": -1}, "not negative, received -1"),
        ({"alpha": np.nan}, "finite"),
        ({"alpha": np.inf}, "finite"),
        ({"alpha": [1.0, 2.0]}, "one for each of 12 features"),
        ({"alpha": np.ones((4, 12))}, "one for each of 12 features"),
        ({"alpha": 1e308}, "rescale"),
        ({"fit_prior": "no"}, "fit_prior must be True or False"),
        ({"force_alpha": "no"}, "force_alpha must be True or False"),
        ({"class_prior": [0.25, 0.25, 0.25, 0.2]}, "sum to one"),
        ({"class_prior": [0.5]}, "has shape"),
        ({"class_prior": [0.5, 0.2, 0.3, 0.1]}, "sum to one"),
        ({"class_prior": [1.5, -0.5, 0, 0]}, "probabilities"),
    ],
)
def test_bad_options(model, options, message, counts):
    with pytest.raises(ValueError, match=message):
        model(**options).fit(*counts)


def test_bad_input(counts):
    X, y = counts
    with pytest.raises(ValueError, match="Negative values"):
        MultinomialNB().fit(X - 1, y)
    with pytest.raises(ValueError, match="classes="):
        MultinomialNB().partial_fit(X, y)
    with pytest.raises(ValueError, match="label 3"):
        MultinomialNB().partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="not the same as on the first call"):
        MultinomialNB().partial_fit(X, y, classes=[0, 1, 2, 3]).partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="0 and 1 only"):
        BernoulliNB(binarize=None).fit(X, y)
    with pytest.raises(ValueError, match="at least 0, received -1"):
        BernoulliNB(binarize=-1).fit(sparse.csr_array(X), y)
    with pytest.raises(ValueError, match="no words"):
        MultinomialNB(alpha=0).fit([[1, 2], [0, 0]], [0, 1])
    with pytest.raises(ValueError, match="no examples"):
        BernoulliNB(alpha=0).partial_fit([[1, 2]], [0], classes=[0, 1]).predict([[1, 2]])
    for threshold in (np.nan, "x", -0.1):
        with pytest.raises(ValueError, match="binarize must be"):
            BernoulliNB(binarize=threshold).fit(X, y)
    with pytest.raises(ValueError, match="0 and 1 only"):
        BernoulliNB(binarize=None).fit(-np.minimum(X, 1), y)
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        MultinomialNB().fit(X, y, sample_weight=np.full(len(y), -1.0))
    with pytest.raises(ValueError, match="not the same as on the first call"):
        MultinomialNB().partial_fit(X, y, classes=[0, 1, 2, 3]).partial_fit(X, y, classes=[0, 1, 2, 4])
    with pytest.raises(ValueError, match="at least one non-zero"):
        MultinomialNB().fit(X, y, sample_weight=np.zeros(len(y)))


def test_words_without_smoothing_beside_words_with():
    """Class 0 has the counts 0, 1, 2 and class 1 has 1, 1, 0; the first word, without alpha, is not in the question."""
    model = MultinomialNB(alpha=[0, 1, 1]).fit([[0, 1, 2], [1, 1, 0]], [0, 1])
    first, second = Fraction(2, 5) * Fraction(3, 5), Fraction(2, 4) * Fraction(1, 4)
    np.testing.assert_allclose(model.predict_proba([[0, 1, 1]])[0, 0], float(first / (first + second)), rtol=1e-14)
    assert model.predict_proba([[1, 0, 5]]).tolist() == [[0, 1]]


@pytest.mark.parametrize("alpha", [[1.0, np.nan], [np.inf, 1.0], [1.0, -1.0]])
def test_each_alpha_has_to_be_a_number(alpha):
    for model in (MultinomialNB(alpha=alpha), BernoulliNB(alpha=alpha)):
        with pytest.raises(ValueError, match="alpha must be"):
            model.fit([[1, 0], [0, 1]], [0, 1])
