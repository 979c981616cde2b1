"""Properties of the words of a message: how they are written, and which signs stand among them."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from course import datasets
from course.teaching.word_properties import NAMES, count_properties
from probml.text import BagOfWords

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
    signs = [sum(map(text.count, CURRENCY)) for text in texts]
    return np.column_stack([count_properties(texts, dictionary), signs]).astype(np.float64)
