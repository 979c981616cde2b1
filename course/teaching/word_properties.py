"""Properties of words: what the way in which a text is written tells, beside its words.

capital       begins with a capital                                  Your, JOB
all-capitals  has two or more letters, and all letters are capitals  JOB, MP3
number        has a digit                                            1998, mp3
long-run      has a letter three times in a row                      sooo, WWW
misspelling   has letters only, and is not in a dictionary           uuniversity
"""

import re
from collections.abc import Collection, Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

NAMES = ("capital", "all-capitals", "number", "long-run", "misspelling")
WORD = re.compile(r"\w+")
LETTER_THREE_TIMES = re.compile(r"([^\W\d_])\1\1", re.IGNORECASE)


def count_properties(texts: Iterable[str], dictionary: Collection[str]) -> NDArray[np.int64]:
    """How many words of each text have each property, in the order of NAMES. Shape (m, 5).

    dictionary : well-spelt words.
    """
    well_spelt = {word.lower() for word in dictionary}
    if isinstance(dictionary, str) or not well_spelt:
        raise ValueError(f"dictionary must be a list or set of well-spelt words, received {dictionary!r}")

    @cache  # a word is looked at once
    def properties(word: str) -> NDArray[np.int64]:
        return np.array([*_written(word), word.isalpha() and word.lower() not in well_spelt], dtype=np.int64)

    nothing = np.zeros(len(NAMES), dtype=np.int64)
    return np.array([sum(map(properties, WORD.findall(text)), start=nothing) for text in texts])


def _written(word: str) -> tuple[bool, ...]:
    """All properties but the last."""
    letters = [character for character in word if character.isalpha()]
    return (
        word[:1].isupper() or word[:1].istitle(),  # istitle: a digraph such as ǅ
        len(letters) >= 2 and all(map(str.isupper, letters)),
        any(map(str.isdigit, word)),
        LETTER_THREE_TIMES.search(word) is not None,
    )
