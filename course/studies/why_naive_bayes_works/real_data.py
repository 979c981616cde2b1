"""Naive Bayes and logistic regression on discrete data: decisions, probabilities, and how dependent attributes are."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from course.studies.ng_jordan import ng_jordan
from course.studies.resampled import resampled_interval
from probml.linear_model import LogisticRegression
from probml.metrics import log_loss
from probml.naive_bayes import CategoricalNB

Array = NDArray[np.float64]
Interval = tuple[float, float]  # a mean and half the width of its interval

TRAINING = 0.7  # proportion of the rows
SHUFFLES = 5  # of the attributes within classes, to see what mutual information chance alone gives


@dataclass(frozen=True)
class Problem:
    """Two classes and discrete attributes, rows without gaps.

    X : numbers of categories, shape (m, d). indicators : the same as 0 and 1, shape (m, .). y : 0 and 1.
    categories : how many each attribute has.
    """

    name: str
    X: NDArray[np.int64]
    indicators: Array
    y: NDArray[np.intp]
    categories: tuple[int, ...]

    @classmethod
    def of(cls, name: str, rows: int, rng: np.random.Generator) -> Self:
        """A discrete problem of Ng and Jordan; of more than `rows` rows, so many are drawn."""
        coded, binary = ng_jordan(name, coding="categories", complete=True), ng_jordan(name, complete=True)
        kept = np.sort(rng.permutation(len(coded.y))[:rows])
        X = coded.X[kept].astype(np.int64)
        return cls(name.removesuffix("-discrete"), X, binary.X[kept], coded.y[kept], coded.categories)

    def splits(self, repeats: int, rng: np.random.Generator) -> list[tuple[NDArray, NDArray]]:
        """Rows for training and test."""
        size = round(TRAINING * len(self.y))
        orders = [rng.permutation(len(self.y)) for _ in range(repeats)]
        return [(order[:size], order[size:]) for order in orders]


@dataclass(frozen=True)
class Outcome:
    """What two classifiers did on the splits of a problem. Arrays of shape (repeats,) by classifier.

    larger : the proportion of the larger class, which a constant answer gets right.
    dependence : mutual information of two attributes given the class, in bits, above what shuffled attributes have,
    mean over pairs. strongest : the largest for a pair.
    """

    name: str
    rows: int
    larger: float
    train: int
    test: int
    accuracy: dict[str, Array]
    confidence: dict[str, Array]
    loss: dict[str, Array]
    dependence: float
    strongest: float

    def interval(self, values: Array) -> Interval:
        """Mean over splits, and half the width of its 95 % interval."""
        return resampled_interval(values, self.train, self.test)

    @property
    def lead(self) -> Interval:
        """By how much logistic regression is more accurate."""
        return self.interval(self.accuracy["logistic"] - self.accuracy["naive Bayes"])

    @property
    def excess_loss(self) -> Interval:
        """By how much the log loss of naive Bayes is larger."""
        return self.interval(self.loss["naive Bayes"] - self.loss["logistic"])

    @property
    def overconfidence(self) -> Interval:
        """Mean confidence of naive Bayes minus its accuracy."""
        return self.interval(self.confidence["naive Bayes"] - self.accuracy["naive Bayes"])


def compared(problem: Problem, repeats: int, rng: np.random.Generator) -> Outcome:
    """Fit both classifiers to random training parts, and look at the test parts."""
    accuracy, confidence, loss = ({"naive Bayes": [], "logistic": []} for _ in range(3))
    splits = problem.splits(repeats, rng)
    for train, test in splits:
        y = problem.y[test]
        naive = CategoricalNB(alpha=1.0, min_categories=list(problem.categories))
        log_posteriors = {
            "naive Bayes": naive.fit(problem.X[train], problem.y[train]).predict_log_proba(problem.X[test]),
            "logistic": LogisticRegression(l2=1.0)
            .fit(problem.indicators[train], problem.y[train])
            .predict_log_proba(problem.indicators[test]),
        }
        for model, posterior in log_posteriors.items():
            accuracy[model].append((posterior.argmax(axis=1) == y).mean())
            confidence[model].append(np.exp(posterior.max(axis=1)).mean())
            loss[model].append(log_loss(y, posterior))
    given_class = conditional_information(problem.X, problem.y)
    by_chance = np.mean(
        [conditional_information(shuffled(problem.X, problem.y, rng), problem.y) for _ in range(SHUFFLES)], axis=0
    )
    as_arrays = [{model: np.array(values) for model, values in of.items()} for of in (accuracy, confidence, loss)]
    excess = given_class - by_chance
    sizes = len(splits[0][0]), len(splits[0][1])
    larger = larger_class(problem.y)
    return Outcome(problem.name, len(problem.y), larger, *sizes, *as_arrays, float(excess.mean()), float(excess.max()))


def larger_class(y: NDArray[np.intp]) -> float:
    """The proportion of the larger class."""
    return float(np.bincount(y).max() / len(y))


def conditional_information(X: NDArray[np.int64], y: NDArray[np.intp]) -> Array:
    """I(x_i; x_k | y) in bits for each pair of attributes i < k, from the proportions in the table."""
    found = []
    for i, k in combinations(range(X.shape[1]), 2):
        total = 0.0
        for j in np.unique(y):
            first, second = X[y == j, i], X[y == j, k]
            table = np.zeros((first.max() + 1, second.max() + 1))
            np.add.at(table, (first, second), 1 / len(y))
            share = table.sum()
            expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / share
            seen = table > 0
            total += (table[seen] * np.log2(table[seen] / expected[seen])).sum()
        found.append(total)
    return np.array(found)


def shuffled(X: NDArray[np.int64], y: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.int64]:
    """Each attribute permuted within each class: the same marginals, and independent given the class."""
    mixed = X.copy()
    for j in np.unique(y):
        rows = np.flatnonzero(y == j)
        for column in range(X.shape[1]):
            mixed[rows, column] = X[rng.permutation(rows), column]
    return mixed


@dataclass(frozen=True)
class Copies:
    """Accuracy, mean confidence and log loss of naive Bayes if it sees every attribute k times; mean over splits."""

    name: str
    prior: float
    copies: tuple[int, ...]
    accuracy: Array
    confidence: Array
    loss: Array


def with_copies(problem: Problem, copies: Sequence[int], repeats: int, rng: np.random.Generator) -> Copies:
    """All numbers of copies see the same splits. prior : the proportion of the larger class."""
    splits, found = problem.splits(repeats, rng), []
    for k in copies:
        X, categories = np.tile(problem.X, k), list(problem.categories) * k
        for train, test in splits:
            model = CategoricalNB(alpha=1.0, min_categories=categories).fit(X[train], problem.y[train])
            posterior, y = model.predict_log_proba(X[test]), problem.y[test]
            right = (posterior.argmax(axis=1) == y).mean()
            found.append((right, np.exp(posterior.max(axis=1)).mean(), log_loss(y, posterior)))
    means = np.array(found).reshape(len(copies), repeats, 3).mean(axis=1)
    return Copies(problem.name, larger_class(problem.y), tuple(copies), *means.T)


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Spearman's correlation, and the proportion of all orders in which it is as large in absolute value."""
    found = spearmanr(first, second).statistic
    every = [spearmanr(first, order).statistic for order in permutations(second)]
    return float(found), float(np.mean(np.abs(every) >= abs(found) - 1e-12))
