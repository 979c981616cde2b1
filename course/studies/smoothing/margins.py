"""What a change of alpha does to the margin of each document: the log odds of its leading class and the runner-up.

Every word of a document belongs to one of four kinds: both classes have used it in training, only the leading class,
only the runner-up, or neither.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.studies.smoothing.judges import scores

Array = NDArray[np.float64]
KINDS = ("both", "only the leading class", "only the runner-up", "neither")


class Margins(NamedTuple):
    """Of every document, for the pair of classes that lead at the alpha in the middle.

    low, high : the margin with the smaller and with the larger alpha, shape (documents,)
    change : of the margin, by the kind of the word and, last, by the denominators, shape (documents, 5)
    tokens : share of the tokens of each kind, shape (4,)
    """

    low: Array
    high: Array
    change: Array
    tokens: Array


def margins(
    X: sparse.csr_array, counts: Array, log_prior: Array, low: float, high: float, middle: float = 0.1
) -> Margins:
    """Margins with two amounts of smoothing, and their difference by kinds of words."""
    X = X.tocsr()
    first, second = np.argsort(-scores(X, counts, log_prior, middle), axis=1)[:, :2].T
    documents = np.arange(X.shape[0])
    found = [scores(X, counts, log_prior, alpha) for alpha in (low, high)]
    margin = [each[documents, first] - each[documents, second] for each in found]

    place = np.repeat(documents, np.diff(X.indptr))
    mine, other = counts[first[place], X.indices], counts[second[place], X.indices]
    grown = np.log((mine + high) / (mine + low)) - np.log((other + high) / (other + low))
    kinds = np.select([(mine > 0) & (other > 0), mine > 0, other > 0], [0, 1, 2], 3)
    change = np.zeros((len(documents), len(KINDS) + 1))
    np.add.at(change, (place, kinds), X.data * grown)

    tokens, sides = counts.sum(axis=1), counts.shape[1]
    denominators = np.log((tokens + sides * high) / (tokens + sides * low))
    change[:, -1] = -np.asarray(X.sum(axis=1)).ravel() * (denominators[first] - denominators[second])
    shares = np.bincount(kinds, weights=X.data, minlength=len(KINDS)) / X.data.sum()
    return Margins(*margin, change, shares)
