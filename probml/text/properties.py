"""Properties of words, as features beside the words themselves.

capital       begins with a capital                                  Your, JOB
all-capitals  has two or more letters, and all letters are capitals  JOB, MP3
number        has a digit                                            1998, mp3
long-run      has a letter three times in a row                      sooo, WWW
misspelling   has letters only, and is not in a dictionary           uuniversity
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import count

import numpy as np

from probml.text.analysis import Tokenizer
from probml.text.tokens import count_rows, number_words
from probml.text.word_lookup import WordNumbers
from probml.typing import Indices

LETTER_THREE_TIMES = re.compile(r"([^\W\d_])\1\1", re.IGNORECASE)


def _capital(word: str) -> bool:
    return word[:1].isupper() or word[:1].istitle()  # istitle: a digraph such as ǅ


def _all_capitals(word: str) -> bool:
    letters = [character for character in word if character.isalpha()]
    return len(letters) >= 2 and all(map(str.isupper, letters))


def _number(word: str) -> bool:
    return any(map(str.isdigit, word))


def _long_run(word: str) -> bool:
    return LETTER_THREE_TIMES.search(word) is not None


PROPERTIES = {"capital": _capital, "all-capitals": _all_capitals, "number": _number, "long-run": _long_run}
NAMES = (*PROPERTIES, "misspelling")


def word_properties(names: Sequence[str], dictionary: Collection[str] | None) -> list[Callable[[str], bool]]:
    """One test of a word for each name. dictionary : the well-spelt words, needed by "misspelling" only."""
    if isinstance(names, str) or not set(names) <= set(NAMES) or len(set(names)) != len(names):
        raise ValueError(f"properties must be a list of different names out of {', '.join(NAMES)}; received {names!r}")
    if "misspelling" not in names:
        return [PROPERTIES[name] for name in names]
    if dictionary is None or isinstance(dictionary, str):
        raise ValueError(
            f"the property 'misspelling' needs dictionary, a list or set of well-spelt words; "
            f"received {type(dictionary).__name__}"
        )
    well_spelt = {word.lower() for word in dictionary}
    if not well_spelt:
        raise ValueError("dictionary is empty: every word would be a misspelling")

    def misspelling(word: str) -> bool:
        return word.isalpha() and word.lower() not in well_spelt

    return [PROPERTIES.get(name, misspelling) for name in names]


def count_properties(texts: Iterable[str], tokenize: Tokenizer, tests: Sequence[Callable[[str], bool]]) -> Indices:
    """How many words of each text pass each test, shape (texts, tests). A word is tested once."""
    numbers: WordNumbers = defaultdict(count().__next__)
    tokens = number_words(texts, partial(map, numbers.__getitem__), tokenize, lowercase=False)
    passes = np.array([[test(word) for test in tests] for word in numbers], dtype=np.int64)
    return np.asarray(count_rows(tokens, len(numbers)) @ passes.reshape(-1, len(tests)))
