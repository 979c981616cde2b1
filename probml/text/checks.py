"""What the options of a bag of words may be."""

import re
from collections.abc import Collection
from numbers import Integral, Real

import numpy as np

NGRAM_RANGES = ((1, 1), (1, 2), (2, 2))


def check_token_pattern(pattern: str) -> None:
    """A regular expression with at most one group."""
    try:
        groups = re.compile(pattern).groups
    except (re.error, TypeError) as error:
        raise ValueError(f"token_pattern must be a regular expression, received {pattern!r}: {error}") from error
    if groups > 1:
        raise ValueError(f"token_pattern {pattern!r} has more than one group: which one is the word?")


def check_ngram_range(ngram_range: tuple[int, int]) -> None:
    """Words, pairs, or both."""
    if not isinstance(ngram_range, tuple) or ngram_range not in NGRAM_RANGES:
        raise ValueError(f"ngram_range must be (1, 1), (1, 2) or (2, 2), received {ngram_range!r}")


def check_min_df(min_df: int | float) -> None:
    """A number of documents, or a share of them."""
    if isinstance(min_df, Integral) and not isinstance(min_df, bool) and min_df >= 1:
        return
    if isinstance(min_df, Real) and not isinstance(min_df, Integral) and 0 <= min_df <= 1:
        return
    raise ValueError(
        f"min_df must be at least 1 document (int) or a share of the documents from 0.0 to 1.0 (float), "
        f"received {min_df!r}"
    )


def check_max_features(max_features: int | None) -> None:
    """A number of words, or no limit."""
    if max_features is None:
        return
    if not isinstance(max_features, Integral) or isinstance(max_features, bool) or max_features < 1:
        raise ValueError(
            f"max_features must be a number of words from 1 on, or None for all, received {max_features!r}"
        )


def check_stop_words(stop_words: Collection[str], lowercase: bool) -> None:
    """A collection of words."""
    if not isinstance(stop_words, list | tuple | set | frozenset | np.ndarray):
        raise TypeError(f"stop_words must be a list of words, received {type(stop_words).__name__}")
    _check_words("stop_words", stop_words, lowercase)


def check_vocabulary(vocabulary: Collection[str], lowercase: bool) -> None:
    """Different words, in an order."""
    if not isinstance(vocabulary, list | tuple | np.ndarray):
        raise TypeError(f"vocabulary must be a list of words, received {type(vocabulary).__name__}")
    _check_words("vocabulary", vocabulary, lowercase)
    if len(vocabulary) == 0:
        raise ValueError("vocabulary is empty: give at least one word, or None to learn it")
    if len(set(vocabulary)) != len(vocabulary):
        raise ValueError("vocabulary has repeated words; each word is one column")


def _check_words(name: str, words: Collection[str], lowercase: bool) -> None:
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name} has {word!r}, expected only str")
        if lowercase and word != word.lower():
            raise ValueError(f"{name} has {word!r}, which lowercase=True never finds: write it in lower case")
