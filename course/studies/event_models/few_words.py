"""Why the curves cross: documents that hold none of the few words of the vocabulary."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus
from course.studies.event_models.length import words_of
from course.studies.event_models.pieces import right
from course.studies.sweeps import by_information


@dataclass(frozen=True)
class FewWords:
    """words : the best. empty : which test documents hold none of them. is_right : for each model, shape (m,).

    repeats : the mean count of a word in the training documents that hold it.
    """

    words: tuple[str, ...]
    empty: NDArray[np.bool_]
    is_right: dict[str, NDArray[np.bool_]]
    repeats: float


def few_words(corpus: Corpus, sizes: Sequence[int], alpha: float) -> dict[int, FewWords]:
    """The same documents with only the most informative words, for each number of words."""
    ranking, found = by_information(corpus), {}
    for size in sizes:
        part = corpus.restricted_to(ranking[:size])
        words = tuple(corpus.words[ranking[:size]])
        repeats = float(part.X_train.sum() / part.X_train.nnz)
        found[size] = FewWords(words, words_of(part.X_test) == 0, right(part, alpha), repeats)
    return found
