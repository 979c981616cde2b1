"""Properties of the words of a message: how they are written, and which signs stand among them."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from course import datasets
from probml.text import BagOfWords
from probml.text.properties import NAMES

CURRENCY = "£$€"
COLUMNS = (*NAMES, "currency")
MIN_POSTS = 5  # of 20 Newsgroups that contain a word, if it is to count as well spelt


def dictionary() -> list[str]:
    """Well-spelt words: those of at least five posts of 20 Newsgroups."""
    return BagOfWords(min_df=MIN_POSTS).fit(datasets.load("newsgroups").X).words_.tolist()


def properties(texts: Sequence[str], dictionary: Collection[str]) -> NDArray[np.float64]:
    """Counts of the words with each property, and of currency signs. Shape (m, 6): COLUMNS.

    dictionary : well-spelt words; a word of letters that is not among them counts as misspelt.
    """
    written = BagOfWords(vocabulary=["a"], properties=NAMES, dictionary=dictionary).fit_transform(texts)
    signs = [sum(map(text.count, CURRENCY)) for text in texts]
    return np.column_stack([written[:, 1:].toarray(), signs]).astype(np.float64)
