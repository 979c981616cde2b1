"""What published numbers are compared with: random splits of 20 Newsgroups, and an SVM on plain counts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus, pooled
from course.studies.poor_assumptions.ladder import STEPS, ladder, transformed
from course.studies.poor_assumptions.linear import one_against_rest
from probml.losses import SquaredHinge
from probml.metrics import accuracy
from probml.text import UnitLength

MIN_POSTS = (1, 2, 5, 10, 20, 50)  # that hold a word, for the word to be counted


@dataclass(frozen=True)
class RandomSplits:
    """Accuracies with alpha = 1 of the multinomial model and of the whole ladder, and of a linear SVM.

    ends : of both models on each split, shape (splits, 2)
    svm : on the first split
    common : of both models on the first split, by the number of training posts that a word needs to be counted
    svm_on_common : of the SVM on the first split, with the most common words only
    """

    ends: NDArray[np.float64]
    svm: float
    common: dict[int, tuple[float, float]]
    svm_on_common: float


def on_random_splits(seed: int, splits: int, l2: float) -> RandomSplits:
    """20 Newsgroups pooled, also the words of later posts, and cut anew at random."""
    every_word = pooled("newsgroups")
    drawn = [every_word.shuffled(np.random.default_rng([seed, 4, k])) for k in range(splits)]
    common = {posts: drawn[0].without_rare_words(posts) for posts in MIN_POSTS}
    return RandomSplits(
        np.array([_ends(each) for each in drawn]),
        svm_accuracy(ladder(drawn[0])["unit length"].corpus, l2),
        {posts: _ends(each) for posts, each in common.items()},
        svm_accuracy(ladder(common[MIN_POSTS[-1]])["unit length"].corpus, l2),
    )


def svm_on_plain_counts(of: Corpus, l2: float) -> float:
    """Accuracy of a linear SVM on counts of unit length, without logarithms and idf."""
    return svm_accuracy(transformed(of, UnitLength()), l2)


def svm_accuracy(features: Corpus, l2: float) -> float:
    """Accuracy of a linear SVM with the penalty `l2`, fitted roughly."""
    model = one_against_rest(SquaredHinge(), l2, features, tolerance=1e-3).model
    return accuracy(features.y_test, model.predict(features.X_test))


def _ends(of: Corpus) -> tuple[float, float]:
    rungs = ladder(of)
    first, last = (accuracy(of.y_test, rungs[step].predictions(1.0)) for step in (STEPS[0], STEPS[-1]))
    return first, last
