"""Categorical and complement naive Bayes against scikit-learn, exact counts, high precision, and their invariances."""

import mpmath
import numpy as np
import pandas as pd
import pytest
import sklearn.naive_bayes
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from probml.errors import NoEstimateError, ZeroEvidenceError
from probml.naive_bayes import CategoricalNB, ComplementNB, MultinomialNB

NOT_WHOLE = "its data are not whole numbers, which would have to be rounded to name categories"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": NOT_WHOLE,
    "check_classifiers_one_label_sample_weights": NOT_WHOLE,
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(
    [CategoricalNB(), ComplementNB(), ComplementNB(norm=True)],
    expected_failed_checks=lambda model: EXPECTED if isinstance(model, CategoricalNB) else {},
    xfail_strict=True,
)
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@pytest.fixture
def categories():
    rng = np.random.default_rng(3)
    return rng.integers(0, [2, 3, 5, 1], (60, 4)), rng.integers(0, 3, 60)


@pytest.fixture
def counts():
    rng = np.random.default_rng(4)
    return rng.poisson(0.7, (60, 12)).astype(float), rng.integers(0, 3, 60)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"alpha": 0.01},
        {"alpha": 3.5},
        {"alpha": 1e-8},
        {"fit_prior": False},
        {"class_prior": [0.1, 0.6, 0.3]},
        {"min_categories": 7},
        {"min_categories": [2, 4, 5, 3]},
    ],
    ids=str,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_categorical_agrees_with_scikit_learn(options, weighted, categories):
    X, y = categories
    weight = np.random.default_rng(0).uniform(0, 3, len(y)) if weighted else None
    peer = sklearn.naive_bayes.CategoricalNB(**options).fit(X, y, weight)
    ours = CategoricalNB(**options).fit(X, y, weight)
    np.testing.assert_array_equal(ours.n_categories_, peer.n_categories_)
    for attribute in ("class_count_", "class_log_prior_"):
        np.testing.assert_allclose(getattr(ours, attribute), getattr(peer, attribute), rtol=1e-12)
    for attribute in ("category_count_", "feature_log_prob_"):
        for one, other in zip(getattr(ours, attribute), getattr(peer, attribute), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    for method in ("predict_joint_log_proba", "predict_log_proba", "predict_proba"):
        np.testing.assert_allclose(getattr(ours, method)(X), getattr(peer, method)(X), rtol=1e-10, atol=1e-10)
    assert (ours.predict(X) == peer.predict(X)).all()


def test_categorical_by_hand():
    """p(x = c | j) = (N_jc + alpha) / (N_j + k alpha): class 0 has the categories 0, 0, 2 and class 1 has 1."""
    model = CategoricalNB(alpha=0.5, min_categories=4).fit([[0], [0], [2], [1]], [0, 0, 0, 1])
    expected = np.array([[2.5, 0.5, 1.5, 0.5], [0.5, 1.5, 0.5, 0.5]]) / [[5], [3]]
    np.testing.assert_allclose(np.exp(model.feature_log_prob_[0]), expected, rtol=1e-14)
    joint = np.array([[0.75 * expected[0, c], 0.25 * expected[1, c]] for c in range(4)])
    np.testing.assert_allclose(
        model.predict_proba([[0], [1], [2], [3]]), joint / joint.sum(axis=1, keepdims=True), rtol=1e-13
    )


def test_statistics_do_not_fix_the_number_of_categories(categories):
    X, y = categories
    statistics = CategoricalNB.statistics(X, y)
    read, fitted = (
        CategoricalNB.from_statistics(statistics, min_categories=7),
        CategoricalNB(min_categories=7).fit(X, y),
    )
    np.testing.assert_array_equal(read.n_categories_, fitted.n_categories_)
    np.testing.assert_array_equal(read.predict_log_proba(X), fitted.predict_log_proba(X))
    # a later batch may bring a category that the first did not have
    batches = CategoricalNB().partial_fit([[0], [1]], [0, 1], classes=[0, 1]).partial_fit([[4]], [1])
    np.testing.assert_array_equal(batches.category_count_[0], [[1, 0, 0, 0, 0], [0, 1, 0, 0, 1]])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, sparse.csc_matrix])
@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("alpha", [1.0, 0.01, 1e-8, 2.5, "each"])
@pytest.mark.parametrize("weighted", [False, True])
def test_complement_agrees_with_scikit_learn(container, norm, alpha, weighted, counts):
    X, y = counts
    alpha = np.linspace(0.1, 2, 12) if alpha == "each" else alpha
    weight = np.random.default_rng(0).uniform(0, 3, len(y)) if weighted else None
    peer = sklearn.naive_bayes.ComplementNB(alpha=alpha, norm=norm).fit(container(X), y, weight)
    ours = ComplementNB(alpha=alpha, norm=norm).fit(container(X), y, weight)
    for attribute in ("class_count_", "feature_count_", "feature_all_", "class_log_prior_", "feature_log_prob_"):
        np.testing.assert_allclose(getattr(ours, attribute), getattr(peer, attribute), rtol=1e-11, atol=1e-11)
    for method in ("predict_joint_log_proba", "predict_log_proba", "predict_proba"):
        expected = getattr(peer, method)(container(X))
        np.testing.assert_allclose(getattr(ours, method)(container(X)), expected, rtol=1e-10, atol=1e-10)
    assert (ours.predict(container(X)) == peer.predict(container(X))).all()


def test_complement_is_the_negative_multinomial_of_the_others(counts):
    """Of two classes, the weights are minus the multinomial log probabilities of the other class."""
    X, y = counts
    y = y % 2
    complement, multinomial = ComplementNB(alpha=0.3).fit(X, y), MultinomialNB(alpha=0.3).fit(X, y)
    np.testing.assert_allclose(complement.feature_log_prob_, -multinomial.feature_log_prob_[::-1], rtol=1e-13)
    with pytest.raises(AttributeError):
        complement.sample(3)  # it is no model of p(x, y)


def test_complement_loses_no_digits():
    """1e17 words of one class, one of the other: the difference of the sums would be 0 for it."""
    model = ComplementNB(alpha=1e-10).fit([[1e17, 1], [1, 1], [0, 3]], [0, 1, 2])
    with mpmath.workdps(40):
        a = mpmath.mpf(1e-10)
        for j, others in enumerate([(1, 4), (mpmath.mpf(1e17), 4), (mpmath.mpf(1e17) + 1, 2)]):
            smoothed = [count + a for count in others]
            expected = [float(-mpmath.log(count / sum(smoothed))) for count in smoothed]
            np.testing.assert_allclose(model.feature_log_prob_[j], expected, rtol=1e-13, atol=1e-16)


def test_extremes_against_mpmath():
    """10^4 and 10^5 features and alpha = 1e-10: the posterior underflows, its logarithm is right."""
    n, alpha = 100_000, 1e-10
    rng = np.random.default_rng(6)
    X = rng.integers(0, 2, (4, n))
    y = [0, 0, 1, 1]
    question = np.where(rng.random(n) < 0.6, X[0], rng.integers(0, 2, n))[None]  # mostly like the first example
    few = slice(n // 10)  # CategoricalNB has a table for each feature, and these suffice
    model = CategoricalNB(alpha=alpha, min_categories=2).fit(X[:, few], y)
    found = model.predict_log_proba(question[:, few])[0]
    with mpmath.workdps(60):
        a = mpmath.mpf(alpha)
        joint = []
        for rows in (X[:2, few], X[2:, few]):
            agree = np.bincount((rows == question[:, few]).sum(axis=0), minlength=3)  # features by examples alike
            joint.append(sum(int(m) * mpmath.log((c + a) / (2 + 2 * a)) for c, m in enumerate(agree)))
        evidence = mpmath.log(mpmath.exp(joint[0]) + mpmath.exp(joint[1]))
        expected = [float(value - evidence) for value in joint]
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    assert np.exp(found).min() == 0

    found = ComplementNB(alpha=alpha).fit(X, y).predict_joint_log_proba(question)[0]
    with mpmath.workdps(60):
        for j, others in enumerate((X[2:], X[:2])):
            count = others.sum(axis=0)
            total = int(count.sum()) + n * a
            asked = np.bincount(count[question[0] == 1], minlength=3)
            expected = -sum(int(m) * mpmath.log((c + a) / total) for c, m in enumerate(asked))
            assert found[j] == pytest.approx(float(expected), rel=1e-12)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1))
def test_invariances(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, [3, 2, 4], (25, 3)), np.concatenate([[0, 1, 2], rng.integers(0, 3, 22)])
    times, rows, features = rng.integers(0, 4, 25), rng.permutation(25), rng.permutation(3)
    relabel = [rng.permutation(4) for _ in range(3)]
    for make in (lambda: CategoricalNB(min_categories=4), lambda: ComplementNB(norm=bool(seed % 2))):
        base = make().fit(X, y)
        expected = base.predict_joint_log_proba(X)
        weighted = make().fit(X, y, times + 1)
        repeated = make().fit(np.repeat(X, times + 1, axis=0), np.repeat(y, times + 1))
        np.testing.assert_allclose(weighted.predict_joint_log_proba(X), repeated.predict_joint_log_proba(X), atol=1e-12)
        shuffled = make().fit(X[rows][:, features], y[rows])
        np.testing.assert_allclose(shuffled.predict_joint_log_proba(X[:, features]), expected, atol=1e-12)
        renamed = make().fit(X, np.array(["z", "y", "x"])[y])
        np.testing.assert_allclose(renamed.predict_joint_log_proba(X), expected[:, ::-1], atol=1e-12)
        assert (renamed.predict(X) == np.array(["x", "y", "z"])[expected[:, ::-1].argmax(axis=1)]).all()
    # categories are names
    other = np.column_stack([names[column] for names, column in zip(relabel, X.T, strict=True)])
    named = CategoricalNB(min_categories=4).fit(other, y).predict_joint_log_proba(other)
    np.testing.assert_allclose(named, CategoricalNB(min_categories=4).fit(X, y).predict_joint_log_proba(X), atol=1e-12)


def test_complement_without_smoothing():
    """Feature 0 occurs outside of class 0 once, which is enough; feature 1 outside of class 1 does not."""
    with pytest.raises(NoEstimateError, match="feature 1 does not occur outside class 1"):
        ComplementNB(alpha=0).fit([[5, 0], [1, 3]], [0, 1])


def test_categorical_without_smoothing():
    model = CategoricalNB(alpha=0).fit([[0, 0], [1, 0], [1, 1], [2, 1]], [0, 0, 1, 1])
    np.testing.assert_array_equal(model.predict_proba([[0, 0], [2, 1]]), [[1, 0], [0, 1]])
    with pytest.raises(ZeroEvidenceError, match=r"row 1, .*alpha > 0 \(it is 0\)"):
        model.predict([[0, 0], [0, 1]])
    assert np.isneginf(model.log_marginal([[0, 1]])).all()
    with pytest.raises(ValueError, match=r"class 1 has no examples.*use alpha > 0"):
        CategoricalNB(alpha=0).partial_fit([[0], [1]], [0, 0], classes=[0, 1]).predict([[0]])
    never = CategoricalNB().partial_fit([[0], [1]], [0, 0], classes=[0, 1])
    np.testing.assert_array_equal(never.predict_proba([[0], [1]]), [[1, 0], [1, 0]])


@pytest.mark.parametrize("model", [CategoricalNB, ComplementNB])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": -1}, "not negative, received -1"),
        ({"alpha": np.nan}, "finite"),
        ({"alpha": np.inf}, "finite"),
        ({"alpha": [1.0, 2.0]}, "one for each of 4 features"),
        ({"alpha": 1e308}, "rescale"),
        ({"fit_prior": "no"}, "fit_prior must be True or False"),
        ({"force_alpha": "no"}, "force_alpha must be True or False"),
        ({"class_prior": [0.5, 0.4, 0.2]}, "sum to one"),
        ({"class_prior": [0.5, 0.5]}, "has shape"),
        ({"class_prior": [1.5, -0.5, 0]}, "probabilities"),
    ],
)
def test_bad_options(model, options, message, categories):
    with pytest.raises(ValueError, match=message):
        model(**options).fit(*categories)


def test_bad_categories(categories):
    X, y = categories
    with pytest.raises(ValueError, match="Negative values"):
        CategoricalNB().fit(X - 1, y)
    with pytest.raises(ValueError, match="Negative values"):
        CategoricalNB().fit(X, y).predict(X - 1)
    with pytest.raises(ValueError, match=r"whole numbers that name categories, received \d.5"):
        CategoricalNB().fit(X + 0.5, y)
    with pytest.raises(ValueError, match=r"whole numbers that name categories, received \d.5"):
        CategoricalNB().fit(X, y).predict(X + 0.5)
    for large in (1e12, 1e200, 1e308, np.uint64(2**63 + 5)):
        with pytest.raises(ValueError, match=r"has the category [\d.e+]+, too large a number: number them anew"):
            CategoricalNB().fit([[large], [large]], [0, 1])
    with pytest.raises(ValueError, match=r"received 'red': number them, .*OrdinalEncoder"):
        CategoricalNB().fit(pd.DataFrame({"colour": pd.Categorical(["red", "green"])}), [0, 1])
    np.testing.assert_array_equal(
        CategoricalNB().fit(X.astype(np.float16), y).predict_proba(X), CategoricalNB().fit(X, y).predict_proba(X)
    )
    np.testing.assert_array_equal(
        CategoricalNB().fit(X.astype(float), y).predict_proba(X.astype(float)),
        CategoricalNB().fit(X, y).predict_proba(X),
    )
    with pytest.raises(
        ValueError, match=r"feature 2 has the category 5, but the model knows only 5, .*min_categories="
    ):
        CategoricalNB().fit(X, y).predict([[0, 0, 5, 0]])
    for fewest in (0, 2.5, [2, 2], "3", [1, 1, 1, 0]):
        with pytest.raises(ValueError, match="min_categories must be a whole number of at least 1"):
            CategoricalNB(min_categories=fewest).fit(X, y)
    with pytest.raises(ValueError, match="one number for all categories"):
        CategoricalNB(alpha=[1.0, 1, 1, 1]).fit(X, y)
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        CategoricalNB().fit(sparse.csr_array(X), y)
    for model in (CategoricalNB(), ComplementNB()):
        for bad in (np.nan, np.inf):
            with pytest.raises(ValueError, match=r"NaN|infinity"):
                model.fit(np.where(X == 4, bad, X), y)
        with pytest.raises(ValueError, match="0 feature"):
            model.fit(X[:, :0], y)
        with pytest.raises(ValueError, match="expecting 4 features"):
            model.fit(X, y).predict(X[:, :2])
        with pytest.raises(ValueError, match=r"[Nn]egative"):
            model.fit(X, y, np.full(len(y), -1.0))
        with pytest.raises(ValueError, match="at least one non-zero"):
            model.fit(X, y, np.zeros(len(y)))
        with pytest.raises(NotFittedError):
            type(model)().to_linear()


def test_bad_counts(counts):
    X, y = counts
    with pytest.raises(ValueError, match="Negative values"):
        ComplementNB().fit(X - 1, y)
    with pytest.raises(ValueError, match=r"feature 0 does not occur outside class 0, .*alpha > 0"):
        ComplementNB(alpha=0).fit([[1, 1], [0, 1]], [0, 1])
    with pytest.raises(ValueError, match="norm must be True or False"):
        ComplementNB(norm="yes").fit(X, y)
    with pytest.raises(ValueError, match="only one feature"):
        ComplementNB(norm=True).fit(X[:, :1], y)
    # of one class all is known
    np.testing.assert_array_equal(ComplementNB().fit(X, np.zeros(60)).predict_proba(X), np.ones((60, 1)))
    for container in (np.asarray, sparse.csr_array):
        for model in (ComplementNB(), MultinomialNB()):
            with pytest.raises(ValueError, match="rescale"):
                model.fit(container([[1e308, 1e308], [1, 1e308]]), [0, 1])
            fitted = model.fit(container(X), y)
            with pytest.raises(ValueError, match=r"row 1 .*rescale X"):
                fitted.predict_proba(container(np.vstack([X[:1], np.full((1, 12), 1e308)])))
            assert np.isfinite(fitted.predict_proba(container(np.full((1, 12), 1e200)))).all()
    with pytest.raises(ValueError, match="rescale X"):
        MultinomialNB().fit(X, y).log_joint(np.eye(12) * 1e306)


def test_alpha_is_one_unless_told_otherwise():
    X, y = np.array([[2, 0, 1], [0, 3, 0], [1, 1, 4]]), [0, 1, 1]
    model = ComplementNB().fit(X, y)
    assert model.alpha_ == 1
    beta = np.array([[1 + 1, 4 + 1, 4 + 1], [2 + 1, 0 + 1, 1 + 1]])  # counts in the other class, and one
    np.testing.assert_allclose(model.feature_log_prob_, -np.log(beta / beta.sum(axis=1, keepdims=True)), rtol=1e-14)


def test_one_feature_alone():
    model = CategoricalNB().fit([[0], [1], [2], [0]], [0, 1, 1, 0])
    np.testing.assert_allclose(np.exp(model.feature_log_prob_[0]), [[3 / 5, 1 / 5, 1 / 5], [1 / 5, 2 / 5, 2 / 5]])
    assert model.predict([[0], [2]]).tolist() == [0, 1]
