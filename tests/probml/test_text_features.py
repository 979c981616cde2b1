"""Transformations of counts against scikit-learn's and by hand; pipelines on documents that are hard to read."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.naive_bayes import ComplementNB as PeerComplementNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import normalize
from sklearn.utils.estimator_checks import parametrize_with_checks

from probml.naive_bayes import ComplementNB, MultinomialNB
from probml.text import BagOfWords, InverseDocumentFrequency, LogCounts, UnitLength

TRANSFORMS = [
    LogCounts(),
    InverseDocumentFrequency(),
    UnitLength(),
]


@parametrize_with_checks(TRANSFORMS)
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@pytest.fixture
def counts():
    """Counts of twenty documents, one of them empty; one word in all others, one in none."""
    X = np.random.default_rng(0).poisson(0.6, (20, 9))
    X[:, 0], X[:, 1], X[7] = 1, 0, 0
    return X


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, sparse.csr_matrix, sparse.csc_array])
def test_against_scikit_learn(container, counts):
    X = container(counts)
    seen = counts.any(axis=0)
    with np.errstate(divide="ignore"):
        peer = TfidfTransformer(norm=None, smooth_idf=False).fit(counts)
    ours = InverseDocumentFrequency().fit(X)
    np.testing.assert_allclose(
        ours.idf_[seen], peer.idf_[seen] - 1, rtol=1e-13, atol=1e-15
    )  # it adds one to every weight
    weighted = ours.transform(X)
    expected = np.zeros(counts.shape)
    expected[:, seen] = peer.transform(counts).toarray()[:, seen] - counts[:, seen]
    found = weighted.toarray() if sparse.issparse(weighted) else weighted
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)

    scaled = UnitLength().fit_transform(X)
    found = scaled.toarray() if sparse.issparse(scaled) else scaled
    np.testing.assert_allclose(found, normalize(counts.astype(float)), rtol=1e-14)

    logs = LogCounts().fit_transform(X)
    found = logs.toarray() if sparse.issparse(logs) else logs
    np.testing.assert_array_equal(found, np.log1p(counts))
    if sparse.issparse(X):
        assert all(isinstance(each, sparse.csr_array) for each in (weighted, scaled, logs))


def test_features_keep_names_and_give_frames():
    frame = pd.DataFrame([[3, 4], [0, 3]], columns=["cat", "dog"])
    found = UnitLength().set_output(transform="pandas").fit_transform(frame)
    assert list(found.columns) == ["cat", "dog"]
    np.testing.assert_allclose(found, [[0.6, 0.8], [0, 1]])
    pipeline = make_pipeline(BagOfWords(), UnitLength()).fit(TEXTS)
    assert list(pipeline.get_feature_names_out()) == list(pipeline[0].words_)


def test_tf_idf_by_hand():
    X = [[1, 2, 0], [1, 0, 0], [1, 0, 3], [1, 1, 0]]
    found = make_pipeline(LogCounts(), InverseDocumentFrequency(), UnitLength()).fit_transform(X)
    np.testing.assert_allclose(found, [[0, 1, 0], [0, 0, 0], [0, 0, 1], [0, 1, 0]], atol=1e-15)
    weighted = InverseDocumentFrequency().fit(X)
    assert weighted.document_frequency_.tolist() == [4, 2, 1]
    np.testing.assert_allclose(weighted.idf_, [0, math.log(2), math.log(4)], atol=1e-15)
    np.testing.assert_allclose(weighted.transform([[5, 3, 2]]), [[0, 3 * math.log(2), 2 * math.log(4)]], atol=1e-14)


def test_input_is_left_alone(counts):
    X = sparse.csr_array(counts.astype(float))
    for transform in TRANSFORMS:
        found = transform.fit_transform(X)
        found.data[:] = -1
        np.testing.assert_array_equal(X.toarray(), counts)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_lengths_beyond_the_squares_of_numbers(size):
    for X in (np.array([[3, 4.0], [0, 1]]) * size, sparse.csr_array(np.array([[3, 4.0], [0, 1]]) * size)):
        found = UnitLength().fit_transform(X)
        found = found.toarray() if sparse.issparse(found) else found
        np.testing.assert_allclose(found, [[0.6, 0.8], [0, 1]], rtol=1e-14)


@pytest.mark.parametrize("size", [2.0**1023, 2.0**-1074])
def test_lengths_of_the_largest_and_smallest_numbers(size):
    X = np.array([[size, size], [0, size], [0, 0]])
    for given in (X, sparse.csr_array(X)):
        found = UnitLength().fit_transform(given)
        found = found.toarray() if sparse.issparse(found) else found
        np.testing.assert_allclose(found, [[0.5**0.5, 0.5**0.5], [0, 1], [0, 0]], rtol=1e-15)


@pytest.mark.parametrize("transform", TRANSFORMS, ids=lambda each: type(each).__name__)
def test_negative_counts_are_refused(transform):
    with pytest.raises(ValueError, match=f"{type(transform).__name__}.*counts"):
        transform.fit([[1, -1]])
    with pytest.raises(ValueError, match=r"2 features, but .* is expecting 3"):
        transform.fit(np.eye(3)).transform(np.eye(2))


TEXTS = ["cat cat dog", "dog mouse", "stock bond", "bond bond share price", "cat mouse"]
LABELS = ["pets", "pets", "money", "money", "pets"]


def ladder(last):
    return make_pipeline(BagOfWords(), LogCounts(), InverseDocumentFrequency(), UnitLength(), last).fit(TEXTS, LABELS)


@pytest.mark.parametrize(
    "document",
    ["", "   \n", "zebra quagga", "кошка и собака", "犬と猫"],
    ids=["empty", "blank", "unseen", "Cyrillic", "Japanese"],
)
def test_documents_without_a_known_word_get_the_prior(document):
    multinomial = ladder(MultinomialNB())
    np.testing.assert_allclose(multinomial.predict_proba([document])[0], [2 / 5, 3 / 5])
    for norm in (False, True):  # this model has no prior: every class is as good
        np.testing.assert_array_equal(ladder(ComplementNB(norm=norm)).predict_proba([document])[0], [0.5, 0.5])


def test_a_document_of_a_million_words():
    model, texts = ladder(ComplementNB()), ["bond " * 1_000_000, "cat dog " * 500_000]
    assert model.predict(texts).tolist() == ["money", "pets"]
    features = model[:-1].transform(texts)
    np.testing.assert_allclose(features.multiply(features).sum(axis=1), 1, rtol=1e-12)
    assert np.isfinite(ladder(MultinomialNB()).predict_log_proba(texts)).all()


def test_the_last_steps_are_those_of_scikit_learn():
    features = ladder(ComplementNB())[:-1].transform(TEXTS)
    for norm in (False, True):
        ours = ComplementNB(norm=norm).fit(features, LABELS)
        peer = PeerComplementNB(norm=norm).fit(features, LABELS)
        np.testing.assert_allclose(ours.feature_log_prob_, peer.feature_log_prob_, rtol=1e-12)
        assert ours.predict(features).tolist() == peer.predict(features).tolist()
