"""Bags of words against scikit-learn's counts, and mutual information against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import mutual_info_score

from probml.text import BagOfWords, mutual_information

TEXTS = ["The cat sat on the mat", "", "A dog, a cat and the DOG", "mat mat mat"]


@given(st.lists(st.text("abAB é,1", max_size=30), min_size=1, max_size=8), st.booleans(), st.integers(1, 2))
def test_same_matrix_as_count_vectorizer(texts, lowercase, min_df):
    peer = CountVectorizer(lowercase=lowercase, token_pattern=r"\w+", min_df=min_df)
    ours = BagOfWords(lowercase=lowercase, min_df=min_df)
    try:
        expected = peer.fit_transform(texts)
    except ValueError:
        with pytest.raises(ValueError, match="no word is left"):
            ours.fit(texts)
        return
    found = ours.fit_transform(texts)
    assert list(ours.words_) == list(peer.get_feature_names_out())
    np.testing.assert_array_equal(found.toarray(), expected.toarray())
    assert found.has_sorted_indices
    np.testing.assert_array_equal(ours.transform(texts).toarray(), expected.toarray())


def test_stop_words_and_unseen_words():
    bag = BagOfWords(stop_words=["the", "a"], min_df=2)
    assert list(bag.fit(TEXTS).words_) == ["cat", "mat"]
    np.testing.assert_array_equal(bag.transform(["unseen", "cat unseen cat"]).toarray(), [[0, 0], [2, 0]])
    assert list(bag.get_feature_names_out()) == ["cat", "mat"]


def test_given_vocabulary_keeps_its_order():
    bag = BagOfWords(vocabulary=["mat", "cat"])
    np.testing.assert_array_equal(bag.fit_transform(TEXTS).toarray(), [[1, 1], [0, 0], [0, 1], [3, 0]])


@pytest.mark.parametrize(
    ("options", "texts", "error", "message"),
    [
        ({}, "one text", TypeError, "received one str"),
        ({}, ["text", None], TypeError, "document 1 is NoneType"),
        ({}, ["", "!"], ValueError, "no word is left"),
        ({"min_df": 0}, TEXTS, ValueError, "min_df"),
        ({"vocabulary": []}, TEXTS, ValueError, "empty"),
        ({"vocabulary": ["a", "a"]}, TEXTS, ValueError, "repeated"),
        ({"vocabulary": ["Cat"]}, TEXTS, ValueError, "'Cat', which lowercase=True never finds"),
        ({"stop_words": ["The"]}, TEXTS, ValueError, "'The', which lowercase=True never finds"),
        ({"stop_words": "english"}, TEXTS, TypeError, "stop_words must be a list of words, received str"),
        ({"vocabulary": {"cat": 1}}, TEXTS, TypeError, "vocabulary must be a list of words, received dict"),
        ({"token_pattern": r"(a)(b)"}, TEXTS, ValueError, "more than one group"),
    ],
)
def test_bad_input(options, texts, error, message):
    with pytest.raises(error, match=message):
        BagOfWords(**options).fit(texts)


def test_mutual_information_is_that_of_presence_and_class():
    rng = np.random.default_rng(0)
    X, y = rng.poisson(0.5, (80, 7)), rng.integers(0, 3, 80)
    X[:, 5], X[:, 6] = 0, 1  # never and always present: they tell nothing
    expected = [mutual_info_score(y, column > 0) for column in X.T]
    found = mutual_information(X, y)
    np.testing.assert_allclose(found, expected, atol=1e-14)
    np.testing.assert_allclose(found[5:], 0, atol=1e-15)
    np.testing.assert_allclose(mutual_information(X, np.array(["c", "a", "b"])[y]), expected, atol=1e-14)


def test_mutual_information_of_a_word_that_is_the_class():
    y = np.array([0, 0, 0, 1])
    entropy = -(0.75 * np.log(0.75) + 0.25 * np.log(0.25))
    np.testing.assert_allclose(mutual_information(y[:, None], y), [entropy], rtol=1e-14)
    with pytest.raises(ValueError, match="4 documents, y has 3"):
        mutual_information(y[:, None], y[:3])


def test_transform_before_fit():
    with pytest.raises(NotFittedError):
        BagOfWords().transform(TEXTS)


def test_capitals_are_folded_by_default():
    assert BagOfWords().fit_transform(["Dog dog DOG"]).toarray().tolist() == [[3]]
    assert BagOfWords(lowercase=False, vocabulary=["Dog"]).fit_transform(["Dog dog DOG"]).toarray().tolist() == [[1]]
