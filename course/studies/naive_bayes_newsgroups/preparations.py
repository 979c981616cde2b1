"""What is kept of a post, and how far that moves the accuracy on random splits."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from course.studies.corpus import Corpus, pooled
from course.studies.naive_bayes_newsgroups.tuning import MODELS
from course.studies.posts import body, with_two_header_lines, without_header
from course.studies.sweeps import by_vocabulary

STREAM = 9  # of the random numbers of this study, beside the seed
LETTERS = {"token_pattern": r"[a-z]+"}
AS_HERE, MORE_TRAINING = "as in this note", "as in this note, 80 % for training"
TWO_LINES, NO_HEADER = "raw posts, sender and subject of the header", "raw posts, without header"
BARE = "raw posts, without header, signature, quotations"


class Accuracy(NamedTuple):
    """Means over random splits, with alpha = 1. best : of each model, at its best size. all_words : multinomial."""

    best: dict[str, float]
    all_words: float


def accuracy_by_preparation(
    as_here: Corpus, sizes: Sequence[int], random_splits: int, seed: int
) -> dict[str, Accuracy]:
    """Accuracy for each preparation. as_here : from `pooled`. sizes : numbers of words, to which all are added."""
    prepared = {
        AS_HERE: (as_here, 0.6),
        MORE_TRAINING: (as_here, 0.8),
        TWO_LINES: (pooled("newsgroups-raw", with_two_header_lines, **LETTERS), 0.6),
        NO_HEADER: (pooled("newsgroups-raw", without_header, **LETTERS), 0.6),
        BARE: (pooled("newsgroups-raw", body, **LETTERS), 0.6),
    }
    return {name: _accuracy(*posts, sizes, random_splits, seed) for name, posts in prepared.items()}


def _accuracy(posts: Corpus, part: float, sizes: Sequence[int], random_splits: int, seed: int) -> Accuracy:
    train_size = round(part * (len(posts.y_train) + len(posts.y_test)))
    models = [model(alpha=1.0) for model in MODELS.values()]
    found = []
    for k in range(random_splits):
        drawn = posts.shuffled(np.random.default_rng([seed, STREAM, k]), train_size)
        found.append(by_vocabulary(models, drawn, [*sizes, len(drawn.words)]))
    mean = np.mean(found, axis=0)
    return Accuracy(dict(zip(MODELS, mean.max(axis=1), strict=True)), float(mean[0, -1]))
