"""What can be said of a data set before any model sees it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.datasets import Dataset


def kinds(data: Dataset) -> str:
    """How many features of each kind there are, in words."""
    found = [column.kind for column in data.features]
    return ", ".join(kind if kind == "text" else f"{found.count(kind)} {kind}" for kind in sorted(set(found)))


def share_of_largest(data: Dataset) -> float:
    """The proportion of the largest class."""
    return float(np.bincount(data.y).max() / len(data.y))


def missing_cells(data: Dataset) -> int:
    """How many cells are marked as missing."""
    return 0 if isinstance(data.X, list) else int(data.missing.sum())


class Gap(NamedTuple):
    """A column with missing values: their proportion in the two classes, and how many standard errors these differ."""

    column: str
    classes: tuple[str, str]
    missing: tuple[float, float]
    standard_errors: float


def widest_gap(data: Dataset) -> Gap:
    """The column of a set of two classes in which most values are missing."""
    worst = int(np.argmax(data.missing.sum(axis=0)))
    parts = [data.missing[data.y == k, worst] for k in (0, 1)]
    error = np.sqrt(sum(part.var() / len(part) for part in parts))
    shares = tuple(float(part.mean()) for part in parts)
    return Gap(data.feature_names[worst], tuple(data.class_names), shares, float((shares[0] - shares[1]) / error))


def correlation_of_pairs(data: Dataset, pairs: Iterable[tuple[int, int]]) -> float:
    """The mean of |correlation| of two features within a class, over classes and those pairs that vary in the class.

    Rows in which one of the two is missing are left out.
    """
    found = []
    for k in range(len(data.class_names)):
        part = data.X[data.y == k]
        for a, b in pairs:
            whole = part[~np.isnan(part[:, [a, b]]).any(axis=1)][:, [a, b]]
            if (whole.std(axis=0) > 0).all():
                found.append(abs(np.corrcoef(whole, rowvar=False)[0, 1]))
    return float(np.mean(found))


def correlation_by_chance(data: Dataset, pairs: Iterable[tuple[int, int]], rng: np.random.Generator) -> float:
    """The same after each feature has been shuffled within each class, so that only chance relates two of them."""
    X = np.array(data.X)
    for k in range(len(data.class_names)):
        X[data.y == k] = rng.permuted(X[data.y == k], axis=0)
    return correlation_of_pairs(replace(data, X=X), pairs)


def correlations(data: Dataset) -> NDArray[np.float64]:
    """|Correlation| of any two features within a class, averaged over the classes. Shape (features, features)."""
    matrix = np.eye(data.X.shape[1])
    for a, b in combinations(range(len(matrix)), 2):
        matrix[a, b] = matrix[b, a] = correlation_of_pairs(data, [(a, b)])
    return matrix


def pixels_side_by_side(size: int = 8) -> list[tuple[int, int]]:
    """Pairs of neighbouring pixels in the rows of a square image."""
    rows = np.arange(size * size).reshape(size, size)
    return [pair for row in rows.tolist() for pair in pairwise(row)]


def yeas(votes: Dataset) -> NDArray[np.float64]:
    """The proportion of yeas among the votes cast, shape (2, votes): Democrats, Republicans."""
    return np.array([np.nanmean(votes.X[votes.y == k], axis=0) for k in range(2)])


def letters_apart(dna: Dataset, letters: int = 4) -> NDArray[np.float64]:
    """The total variation distance between the letters of the two classes, at each position."""
    share = np.array([[(dna.X[dna.y == k] == each).mean(axis=0) for each in range(letters)] for k in range(2)])
    return np.abs(share[1] - share[0]).sum(axis=0) / 2


class Cut(NamedTuple):
    """The rule "above the cut means class 1": the best cut, and the proportion that it gets right."""

    at: float
    right: float


def best_cut(x: ArrayLike, y: ArrayLike) -> Cut:
    """The best of all cuts, judged by the examples on which it is chosen."""
    cuts = np.unique(x)
    right = (np.asarray(x) > cuts[:, None]) == np.asarray(y)
    share = right.mean(axis=1)
    return Cut(float(cuts[share.argmax()]), float(share.max()))


def best_cuts_of_shuffled(x: ArrayLike, y: ArrayLike, times: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """What the best cut gets right where the classes are dealt out at random, so that x says nothing about them."""
    above = np.asarray(x) > np.unique(x)[:, None]
    return np.array([(above == rng.permutation(y)).mean(axis=1).max() for _ in range(times)])


def repeated_in_test(texts: Sequence[str], test_share: float, rng: np.random.Generator) -> float:
    """The proportion of test texts that occur, word for word, in the training part of a random split."""
    test = rng.random(len(texts)) < test_share
    seen = {text for text, out in zip(texts, test, strict=True) if not out}
    return float(np.mean([text in seen for text, out in zip(texts, test, strict=True) if out]))
