"""All documents of one length: does the cost of the length term go away?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus
from course.studies.event_models.cut_documents import some_words
from course.studies.event_models.length import words_of
from course.studies.event_models.pieces import right

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Cost:
    """share_right : of each model. length : what the length term costs, and half the width of its interval."""

    share_right: dict[str, float]
    length: tuple[float, float]


def cut(corpus: Corpus, same_words: int, rng: np.random.Generator) -> dict[str, Corpus]:
    """Documents of at least `same_words` different words: whole, cut to one proportion, and cut to one length."""
    long_enough = [words_of(X) >= same_words for X in (corpus.X_train, corpus.X_test)]
    whole = replace(
        corpus,
        X_train=corpus.X_train[long_enough[0]],
        y_train=corpus.y_train[long_enough[0]],
        X_test=corpus.X_test[long_enough[1]],
        y_test=corpus.y_test[long_enough[1]],
    )
    parts = (whole.X_train, whole.X_test)
    proportion = same_words / words_of(whole.X_train).mean()
    some = [some_words(X, np.rint(proportion * words_of(X)).astype(int), rng) for X in parts]
    same = [some_words(X, same_words, rng) for X in parts]
    return {
        "whole": whole,
        f"{proportion:.0%} of each": replace(whole, X_train=some[0], X_test=some[1]),
        f"{same_words} words of each": replace(whole, X_train=same[0], X_test=same[1]),
    }


def costs(arms: Mapping[str, Corpus], alphas: Sequence[float]) -> dict[tuple[float, str], Cost]:
    """Accuracies and the cost of the length term, for each alpha and each way to cut the documents."""
    found = {}
    for alpha in alphas:
        for arm, corpus in arms.items():
            is_right = right(corpus.without_rare_words(1), alpha)
            lost = paired(is_right["Bernoulli without length"], is_right["Bernoulli"])
            found[alpha, arm] = Cost({name: float(values.mean()) for name, values in is_right.items()}, lost)
    return found


def paired(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> tuple[float, float]:
    """The difference of two proportions on the same test documents, and half its 95 % interval (normal)."""
    gap = first.astype(float) - second
    return float(gap.mean()), float(1.959964 * gap.std(ddof=1) / np.sqrt(len(gap)))
