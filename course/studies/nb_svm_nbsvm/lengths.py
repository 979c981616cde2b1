"""The slogan tested: texts of several lengths, equal numbers of them, and settings tuned at each length.

A contest is one collection at one length. Each of its draws has training texts and test texts, which no model has seen.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from course.datasets import Dataset
from course.studies.nb_svm_nbsvm.collections import (
    PUBLISHED_HALVES,
    Collection,
    Words,
    folds,
    two_groups,
    without_breaks,
)
from course.studies.nb_svm_nbsvm.models import NAMES, fitted
from course.studies.nb_svm_nbsvm.published import PAIRS
from course.studies.nb_svm_nbsvm.tuned import Setting, tuned
from course.studies.posts import without_header
from course.studies.resampled import Mean, mean_of

WHOLE = None
"""The length of texts that are not cut."""

ALL = "all of IMDB"
"""The contest on the published halves of 25,000 reviews each."""

ALL_SENTENCES = "all of RT-s"
"""The contest on ten folds of all sentences; those not named here have few training texts."""

FOLDS = 10  # of all sentences

UNITS = {"IMDB": "reviews", "RT-s": "sentences", "AthR": "posts", "XGraph": "posts", "BbCrypt": "posts"}
TEST_REVIEWS = 2300  # of each draw from IMDB
RARE = 5  # training texts, at most, that have a rare word
Draw = tuple[NDArray[np.intp], NDArray[np.intp]]


class Texts(NamedTuple):
    """A collection before it is cut: words, classes, and whether it is large enough for draws that share no text."""

    words: Words
    y: NDArray[np.intp]
    disjoint: bool

    def at(self, length: int | None, seed: int) -> Collection:
        """Which words occur in a window of so many words, at a random place of each text."""
        place = np.random.default_rng([seed, 61]).random(len(self.y))
        return self.words.window(length, place).collection(self.y, "uni")


class Contest(NamedTuple):
    """Accuracies in percent of the models, with published settings (naive Bayes and SVM) and with tuned ones (all).

    Shape (draws, models), or (test texts, models), 0 or 100, if there is one draw only. overlap : see `mean_of`.
    settings : what was chosen, one for each draw.
    """

    published: NDArray[np.float64]
    tuned: NDArray[np.float64]
    overlap: float
    settings: list[dict[str, Setting]]

    def lead(self, first: str, second: str, *, settings: str = "tuned") -> Mean:
        """Accuracy of one model minus that of another, in points, with its interval."""
        accuracy = getattr(self, settings)
        difference = accuracy[:, NAMES.index(first)] - accuracy[:, NAMES.index(second)]
        return mean_of(difference, overlap=self.overlap)


Contests = dict[str, dict[int | None, Contest]]
"""By collection and length."""


def collections_of(news: Dataset, sentences: Dataset, imdb: Dataset) -> dict[str, Texts]:
    """The five collections; a word is what stands between spaces, in lower case."""
    texts = {
        "IMDB": Texts(Words.of(without_breaks(imdb.X)), imdb.y, disjoint=True),
        "RT-s": Texts(Words.of(sentences.X), sentences.y, disjoint=True),
    }
    for column, groups in PAIRS.items():
        posts, y = two_groups(news, groups, without_header)
        texts[column] = Texts(Words.of(posts), y, disjoint=False)
    return texts


def all_contests(texts: dict[str, Texts], cut_to: Sequence[int], train: int, n_draws: int, seed: int) -> Contests:
    """Every collection at the lengths `cut_to` and whole, sentences as they are; and all of IMDB and of RT-s."""
    lengths = [*cut_to, WHOLE]
    contests = {ALL: compete_on_halves(texts["IMDB"], lengths, PUBLISHED_HALVES, seed)}
    for column, each in texts.items():
        few = each
        if column == "IMDB":
            rows = np.random.default_rng([seed, 64]).permutation(len(each.y))[: n_draws * (train + TEST_REVIEWS)]
            few = Texts(each.words.of_rows(rows), each.y[rows], disjoint=True)
        contests[column] = compete(few, [WHOLE] if column == "RT-s" else lengths, train, n_draws, seed)
        if column == "RT-s":
            contests[ALL_SENTENCES] = {WHOLE: compete_in_folds(each, FOLDS, seed)}
    return contests


def rare_proportion(texts: Texts, length: int | None, train: NDArray[np.intp], seed: int) -> float:
    """Of the words that the training texts have, how many are rare: the mean over the places where they stand."""
    X = texts.at(length, seed).X[train]
    texts_with = np.bincount(X.indices)
    return float(np.mean(texts_with[X.indices] <= RARE))


def draws(texts: Texts, train: int, n_draws: int, seed: int) -> list[Draw]:
    """Training and test texts: parts of one shuffled collection, or if it is small, the whole of it shuffled anew."""
    m = len(texts.y)
    if texts.disjoint:
        orders = np.array_split(np.random.default_rng([seed, 62]).permutation(m), n_draws)
    else:
        orders = [np.random.default_rng([seed, 63, k]).permutation(m) for k in range(n_draws)]
    if min(map(len, orders)) <= train:
        raise ValueError(f"{m} texts are too few for {n_draws} draws with {train} training texts each")
    return [(order[:train], order[train:]) for order in orders]


def compete(
    texts: Texts, lengths: Iterable[int | None], train: int, n_draws: int, seed: int
) -> dict[int | None, Contest]:
    """The contest at each length. The draws, and the places of the windows in the texts, are the same at all."""
    cuts = draws(texts, train, n_draws, seed)
    overlap = 0.0 if texts.disjoint else (len(texts.y) - train) / train
    return {length: _contest(texts.at(length, seed), cuts, overlap, seed) for length in lengths}


def compete_in_folds(texts: Texts, k: int, seed: int) -> Contest:
    """The contest on whole texts with each of k parts once as test part; the others are its training part."""
    return _contest(texts.at(WHOLE, seed), list(folds(len(texts.y), k, seed)), 1 / (k - 1), seed)


def compete_on_halves(
    texts: Texts, lengths: Iterable[int | None], halves: Draw, seed: int
) -> dict[int | None, Contest]:
    """The same with one draw, that of the published halves: the interval is over test texts.

    The settings are chosen on a fifth of the training part.
    """
    train, test = halves

    def one(length: int | None) -> Contest:
        collection = texts.at(length, seed)
        best = tuned(collection, train, test, seed, validation_folds=(5, 1))
        right = [_right_as_published(collection, train, test), best.right]
        columns = [100.0 * np.column_stack(list(each.values())) for each in right]
        return Contest(*columns, 0.0, [best.settings])

    lengths = list(lengths)
    found = Parallel(n_jobs=2, prefer="threads")(delayed(one)(length) for length in lengths)
    return dict(zip(lengths, found, strict=True))


def _contest(collection: Collection, cuts: Sequence[Draw], overlap: float, seed: int) -> Contest:
    def one(k: int, train: NDArray[np.intp], test: NDArray[np.intp]) -> tuple:
        best = tuned(collection, train, test, seed + k)
        as_published = _right_as_published(collection, train, test)
        return *([100 * each.mean() for each in right.values()] for right in (as_published, best.right)), best.settings

    found = Parallel(n_jobs=2, prefer="threads")(delayed(one)(k, *cut) for k, cut in enumerate(cuts))
    published, best, settings = zip(*found, strict=True)
    return Contest(np.array(published), np.array(best), overlap, list(settings))


def _right_as_published(
    collection: Collection, train: NDArray[np.intp], test: NDArray[np.intp]
) -> dict[str, NDArray[np.bool_]]:
    parts = collection.cut(train, test)
    return {name: fitted(name, parts).predict(parts.X_test) == parts.y_test for name in ("MNB", "SVM")}
