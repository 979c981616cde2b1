"""What the options of a bag of words may be."""

import re
from collections.abc import Callable, Collection, Hashable, Iterable

import numpy as np

from probml.inputs import is_number, is_whole

ANALYZERS = ("word", "char", "char_wb")
INPUTS = ("content", "filename", "file")


def check_token_pattern(pattern: str | None) -> re.Pattern[str]:
    """A regular expression with at most one group."""
    if pattern is None:
        raise ValueError("token_pattern must be a regular expression, received None: give one, or a tokenizer")
    try:
        expression = re.compile(pattern)
    except (re.error, TypeError) as error:
        raise ValueError(f"token_pattern must be a regular expression, received {pattern!r}: {error}") from error
    if expression.groups > 1:
        raise ValueError(f"token_pattern {pattern!r} has more than one group: which one is the word?")
    return expression


def check_ngram_range(ngram_range: tuple[int, int]) -> None:
    """The shortest and the longest n."""
    match ngram_range:
        case (int(shortest), int(longest)) if isinstance(ngram_range, tuple) and 1 <= shortest <= longest:
            return
    raise ValueError(
        f"ngram_range must be (shortest, longest) with 1 <= shortest <= longest, such as (1, 2) for words and pairs, "
        f"received {ngram_range!r}"
    )


def check_document_frequency(name: str, limit: int | float) -> None:
    """A number of documents, or a share of them."""
    if is_whole(limit) and not isinstance(limit, bool) and limit >= 1:
        return
    if is_number(limit) and not is_whole(limit) and 0 <= limit <= 1:
        return
    raise ValueError(
        f"{name} must be at least 1 document (int) or a share of the documents from 0.0 to 1.0 (float), "
        f"received {limit!r}"
    )


def check_max_features(max_features: int | None) -> None:
    """A number of words, or no limit."""
    if max_features is None:
        return
    if not is_whole(max_features) or isinstance(max_features, bool) or max_features < 1:
        raise ValueError(
            f"max_features must be a number of words from 1 on, or None for all, received {max_features!r}"
        )


def check_analyzer(analyzer: str | Callable[[object], Iterable[Hashable]]) -> None:
    """One of three names, or a function."""
    if not callable(analyzer) and analyzer not in ANALYZERS:
        raise ValueError(f"analyzer must be {', '.join(map(repr, ANALYZERS))} or a function, received {analyzer!r}")


def check_input(name: str) -> None:
    """What the documents are."""
    if name not in INPUTS:
        raise ValueError(f"input must be {', '.join(map(repr, INPUTS))}, received {name!r}")


def check_stop_words(stop_words: Collection[str] | str) -> None:
    """A collection of words, or "english"."""
    if isinstance(stop_words, str):
        if stop_words != "english":
            raise ValueError(f"the only list of stop words with a name is 'english', received {stop_words!r}")
        return
    if not isinstance(stop_words, list | tuple | set | frozenset | np.ndarray):
        raise TypeError(f"stop_words must be a list of words or 'english', received {type(stop_words).__name__}")
    for word in stop_words:
        if not isinstance(word, str):
            raise TypeError(f"stop_words has {word!r}, expected only str")
