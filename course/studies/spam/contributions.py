"""Why was this message stopped? Its log odds, word by word."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from probml.naive_bayes import MultinomialNB


class Contributions(NamedTuple):
    """log p(1 | x) / p(0 | x) = prior + sum of by_word.

    words, times, by_word : each word once, the strongest first.
    """

    words: list[str]
    times: NDArray[np.intp]
    by_word: NDArray[np.float64]
    prior: float

    @property
    def total(self) -> float:
        """The log odds."""
        return self.prior + float(self.by_word.sum())


def contributions(model: MultinomialNB, x: sparse.csr_array, words: NDArray) -> Contributions:
    """x_n log(beta_1n / beta_0n) for each word n of one message x, shape (1, n), and the prior's log odds."""
    if x.shape[0] != 1:
        raise ValueError(f"contributions are those of one message, received {x.shape[0]}: pass one row")
    weight = model.feature_log_prob_[1] - model.feature_log_prob_[0]
    x = sparse.csr_array(x)
    value = x.data * weight[x.indices]
    order = np.argsort(-np.abs(value), kind="stable")
    prior = float(model.class_log_prior_[1] - model.class_log_prior_[0])
    return Contributions(words[x.indices[order]].tolist(), x.data[order].astype(np.intp), value[order], prior)


def word_by_word(
    texts: Sequence[str], words: Sequence[str], counts: Sequence[NDArray], prior: float, w: NDArray[np.float64]
) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a table: what the prior and each word add to the log odds of the texts.

    counts : of the words in the ham and in the spam of the training part. w : weight of each word.
    """
    messages = [text.lower().split() for text in texts]
    rows = [["prior", "", "", *[_signed(prior)] * len(texts)]]
    for word in dict.fromkeys(chain(*messages)):
        n = words.index(word)
        adds = [_signed(message.count(word) * w[n]) if word in message else "" for message in messages]
        rows.append([f"*{word}*", *(str(count[n]) for count in counts), *adds])
    totals = [prior + sum(w[words.index(word)] for word in message) for message in messages]
    rows.append(["**sum**", "", "", *(f"**{_signed(total)}**" for total in totals)])
    return ["", "in ham", "in spam", *(f"*{text}*" for text in texts)], rows


def _signed(value: float) -> str:
    """Two decimals and a sign, a true minus included."""
    return f"{value:+.2f}".replace("-", "−")


class Story(NamedTuple):
    """A message and the reasons for the verdict on it."""

    title: str
    reasons: Contributions
    text: str


def worst_errors(
    model: MultinomialNB, X: sparse.csr_array, y: NDArray[np.intp], texts: Sequence[str], words: NDArray
) -> list[Story]:
    """The ham with the largest log odds and the spam with the smallest. X : counts of the texts, shape (m, n)."""
    weight = model.feature_log_prob_[1] - model.feature_log_prob_[0]
    h = X @ weight
    ham, spam = np.flatnonzero(y == 0), np.flatnonzero(y == 1)
    rows = {"the ham most like spam": ham[h[ham].argmax()], "the spam most like ham": spam[h[spam].argmin()]}
    return [Story(title, contributions(model, X[[row]], words), texts[row]) for title, row in rows.items()]
