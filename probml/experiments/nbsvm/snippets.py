"""The same reviews, cut to their first words: does the length of a text decide who wins?"""

import re
from collections.abc import Sequence

from probml.experiments.nbsvm.collections import TOKEN


def first_words(texts: Sequence[str], length: int) -> list[str]:
    """The first `length` words of each text, joined by spaces."""
    cut = re.compile(rf"(?:\W*{TOKEN}){{0,{length}}}")
    return [cut.match(text)[0] for text in texts]
