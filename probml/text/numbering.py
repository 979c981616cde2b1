"""Documents as numbers, by the quickest way that their analyzer leaves open."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeGuard

from probml.text.analyzers import Matches, Preprocess, Words
from probml.text.tokens import Tokens, number_features, number_tokens
from probml.text.word_lookup import WordNumbers

Analyzer = Callable[[object], Iterable[Hashable]]

STOP = -2
"""Number of a stop word, which is removed before pairs are formed."""


def is_quick(analyze: Analyzer) -> TypeGuard[Words]:
    """Whether words are found by a pattern and n-grams are pairs at most: then no `str` is made for each of them."""
    return isinstance(analyze, Words) and isinstance(analyze.tokenize, Matches) and analyze.ngram_range[1] <= 2


def stop_numbers(analyze: Analyzer) -> WordNumbers:
    """Numbers of the stop words that are left to `number_documents`; an analyzer that is not quick removes its own."""
    return dict.fromkeys(analyze.stop_words, STOP) if is_quick(analyze) else {}


def number_documents(documents: Iterable[object], numbers: WordNumbers, analyze: Analyzer) -> Tokens:
    """Words by their numbers, if the analyzer is quick, n-grams otherwise, without what has the number STOP."""
    if not is_quick(analyze):
        return number_features(documents, numbers, analyze)
    if isinstance(analyze.preprocess, Preprocess) and analyze.preprocess.strip_accents is None:
        texts, lowercase = map(analyze.decode, documents), analyze.preprocess.lowercase
    else:
        texts, lowercase = map(analyze.text, documents), False
    tokens = number_words(texts, numbers, analyze.tokenize, lowercase=lowercase)
    return tokens.only(tokens.numbers != STOP)


def number_words(
    texts: Iterable[str],
    numbers: WordNumbers,
    tokenize: Callable[[str], Iterable[Hashable]],
    *,
    lowercase: bool,
) -> Tokens:
    """All words of the texts by their numbers."""
    if isinstance(tokenize, Matches):
        return number_tokens(texts, numbers, token_pattern=tokenize.expression.pattern, lowercase=lowercase)
    return number_features(texts, numbers, tokenize)
