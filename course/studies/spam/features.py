"""Properties of a message that are no words: how it is written, what signs it holds, how long it is."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from probml.text import BagOfWords
from probml.text.properties import NAMES

CURRENCY = "£$€"
COLUMNS = (*NAMES, "currency", "words", "characters")


def message_features(texts: Sequence[str], dictionary: Collection[str]) -> NDArray[np.float64]:
    """Counts of the words with each property, of currency signs, of words and of characters. Shape (m, 8): COLUMNS.

    dictionary : well-spelt words; a word of letters that is not among them counts as misspelt.
    """
    written = BagOfWords(vocabulary=["a"], properties=NAMES, dictionary=dictionary).fit_transform(texts)
    counts = written[:, 1:].toarray()
    signs = [sum(map(text.count, CURRENCY)) for text in texts]
    return np.column_stack(
        [counts, signs, [len(text.split()) for text in texts], [len(text) for text in texts]]
    ).astype(np.float64)
