"""Nine titles of technical reports, and their matrix of counts."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probml.text import BagOfWords

FUNCTION_WORDS = ["a", "and", "for", "in", "of", "the", "to"]
COLUMNS = ("c1", "c2", "c3", "c4", "c5", "m1", "m2", "m3", "m4")
# The terms in the order in which they are printed, and the matrix: one string a term, one digit a title.
PRINTED = {
    "human": "100100000",
    "interface": "101000000",
    "computer": "110000000",
    "user": "011010000",
    "system": "011200000",
    "response": "010010000",
    "time": "010010000",
    "eps": "001100000",
    "survey": "010000001",
    "trees": "000001110",
    "graph": "000000111",
    "minors": "000000011",
}


class TermDocumentMatrix(NamedTuple):
    """counts : how often each term (row) occurs in each title (column)."""

    terms: tuple[str, ...]
    counts: NDArray[np.int64]


def term_document_matrix(titles: Sequence[str]) -> TermDocumentMatrix:
    """The words that occur in at least two of the nine titles, without function words, in the printed order."""
    bag = BagOfWords(stop_words=FUNCTION_WORDS, min_df=2)
    counts = bag.fit_transform(titles).toarray().T
    terms = sorted(bag.words_, key=list(PRINTED).index)
    return TermDocumentMatrix(tuple(terms), counts[np.searchsorted(bag.words_, terms)])


def shared_terms(matrix: TermDocumentMatrix) -> tuple[str, ...]:
    """The terms that occur in titles of both groups."""
    first = np.array([column.startswith("c") for column in COLUMNS])
    shared = matrix.counts[:, first].any(axis=1) & matrix.counts[:, ~first].any(axis=1)
    return tuple(term for term, both in zip(matrix.terms, shared, strict=True) if both)
