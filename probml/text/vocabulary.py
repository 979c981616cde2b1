"""A vocabulary that is given: which column counts what."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any


def in_order_of_columns(vocabulary: Mapping[Hashable, int] | Iterable[Hashable]) -> list[Any]:
    """What is counted, column by column. A mapping names the columns; a set has alphabetical order."""
    if isinstance(vocabulary, str) or not isinstance(vocabulary, Iterable):
        raise TypeError(
            f"vocabulary must be a list or set of words, or a dict from word to column, "
            f"received {type(vocabulary).__name__}"
        )
    if isinstance(vocabulary, Mapping):
        words = sorted(vocabulary, key=vocabulary.__getitem__)
        for column, word in enumerate(words):
            if vocabulary[word] != column:
                raise ValueError(
                    f"vocabulary must give its {len(words)} words the columns 0 to {len(words) - 1}, one each: "
                    f"column {column} is missing or repeated"
                )
    else:
        words = sorted(vocabulary) if isinstance(vocabulary, set | frozenset) else list(vocabulary)
    if len(words) == 0:
        raise ValueError("vocabulary is empty: give at least one word, or None to learn it")
    if len(set(words)) != len(words):
        raise ValueError("vocabulary has repeated words; each word is one column")
    return words
