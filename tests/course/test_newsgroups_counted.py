"""The words of real posts are counted as scikit-learn counts them, on far more of them than made-up texts can have."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from course import datasets
from probml.text import BagOfWords


@pytest.fixture(scope="module")
def posts():
    return list(datasets.load("newsgroups").train.X)


def assert_same_matrix(found, expected):
    expected.sort_indices()
    assert found.shape == expected.shape
    assert (found.dtype, found.indices.dtype) == (np.int64, np.int32)
    assert found.has_canonical_format
    np.testing.assert_array_equal(found.indptr, expected.indptr)
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_array_equal(found.data, expected.data)


@pytest.mark.parametrize(
    ("options", "n_posts"),
    [
        ({}, None),
        ({"token_pattern": r"(?u)\b\w\w+\b", "stop_words": ["the", "of"], "ngram_range": (1, 2), "min_df": 3}, 400),
        ({"ngram_range": (2, 2), "binary": True}, 200),
    ],
)
def test_same_matrix_as_count_vectorizer(posts, options, n_posts):
    train, rest = posts[:n_posts], posts[-100:]
    bag, peer = BagOfWords(**options), CountVectorizer(**{"token_pattern": r"\w+"} | options)
    assert_same_matrix(bag.fit_transform(train), peer.fit_transform(train))
    assert bag.vocabulary_ == peer.vocabulary_
    assert_same_matrix(bag.transform(rest), peer.transform(rest))
