"""The classifiers of the race, each with what it is given to learn from; all of it estimated on the training part."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from sklearn.base import clone

from probml.comparison.columns import Examples
from probml.gda import GDA
from probml.linear_model import LogisticRegression
from probml.naive_bayes import MixedNB
from probml.typing import Array, Indices

POOLED = 0.1  # of an example: the weight with which each class also gets rows of all classes, so that it has estimates
POOLED_ROWS = 1000  # at most
RIDGE = 0.01  # of the variance of a column, added to covariances
NEARLY_NONE = 0.01  # a penalty so small that it matters only where classes are separated, and there is no maximum
TOLERANCE = 1e-8  # of the gain to come, relative: far below what splits differ by


class Predictor(Protocol):
    """A fitted model."""

    def predict_log_proba(self, X: Array) -> Array:
        """log p(y = k | x), shape (m, K)."""


@dataclass(frozen=True)
class Design:
    """Rows as numbers.

    mixed : numbers and codes of categories, NaN where missing, shape (N, n). linear : numbers (NaN where missing), an
    indicator for each category but the first, and one for "missing" of each column that has missing values, (N, p).
    """

    examples: Examples
    mixed: Array
    linear: Array

    @classmethod
    def of(cls, examples: Examples) -> "Design":
        """Nothing in it is estimated."""
        parts = []
        for column in examples.columns:
            x = column.values[:, None]
            parts.append((x == np.arange(1, len(column.levels))) if column.levels else x)
            if column.missing:
                parts.append(np.isnan(x))
        mixed = np.column_stack([column.values for column in examples.columns])
        return cls(examples, mixed, np.hstack(parts).astype(np.float64))


@dataclass(frozen=True)
class Scaling:
    """Columns of the linear design by mean and standard deviation of the training part; what is missing is the mean."""

    used: Indices
    mean: Array
    scale: Array

    @classmethod
    def of(cls, X: Array) -> "Scaling":
        """Of a training part, shape (m, p), without the columns that are constant there."""
        there = ~np.isnan(X)
        count = np.maximum(there.sum(axis=0), 1)
        mean = np.where(there, X, 0).sum(axis=0) / count
        scale = np.sqrt(np.where(there, (X - mean) ** 2, 0).sum(axis=0) / count)
        used = np.flatnonzero(scale > 1e-12 * np.maximum(np.abs(mean), 1e-300))
        return cls(used, mean[used], scale[used])

    def __call__(self, X: Array) -> Array:
        """Shape (m, used)."""
        scaled: Array = np.nan_to_num((X[:, self.used] - self.mean) / self.scale, nan=0.0)
        return scaled


@dataclass(frozen=True)
class OfSome:
    """Naive Bayes of the columns that vary in the training part."""

    model: MixedNB
    used: Indices

    def predict_log_proba(self, X: Array) -> Array:
        """For rows of the mixed design."""
        found: Array = self.model.predict_log_proba(X[:, self.used])
        return found


@dataclass(frozen=True)
class Shares:
    """What is left where no column varies in the training part: every row has the classes in their shares, (K,)."""

    shares: Array

    @classmethod
    def of(cls, y: Indices, K: int) -> "Shares":
        """Of a training part."""
        return cls(np.bincount(y, minlength=K) / len(y))

    def predict_log_proba(self, X: Array) -> Array:
        """The same for all rows."""
        return np.tile(np.log(self.shares), (len(X), 1))


Fit = Callable[[Design, Array, Indices], Predictor]  # to rows of a design and their classes


def naive_bayes(design: Design, X: Array, y: Indices) -> Predictor:
    """A family for each column; each class also gets rows of all classes, with the weight of a tenth of an example."""
    every = X[np.linspace(0, len(X) - 1, min(len(X), POOLED_ROWS)).astype(np.intp)]
    used = np.flatnonzero(np.fmax.reduce(every, axis=0) > np.fmin.reduce(every, axis=0))  # NaN where all are missing
    K = len(design.examples.classes)
    if not len(used):
        return Shares.of(y, K)
    rows = np.vstack([X, *[every] * K])[:, used]
    labels = np.concatenate([y, np.repeat(np.arange(K), len(every))])
    weight = np.concatenate([np.ones(len(X)), np.full(K * len(every), POOLED / len(every))])
    families = [design.examples.columns[j].family for j in used]
    return OfSome(MixedNB(families, var_smoothing=0.0).fit(rows, labels, weight), used)


def of_linear_design(model: GDA | LogisticRegression) -> Fit:
    """A model that is given the linear design: a new one in every fit."""

    def fit(design: Design, X: Array, y: Indices) -> Predictor:
        return clone(model).fit(X, y) if X.shape[1] else Shares.of(y, len(design.examples.classes))

    return fit


@dataclass(frozen=True)
class Contender:
    """A classifier. what : in a phrase. why : one would take it among equals. note : of the course, which explains it.

    linear : whether it is given the linear design, or the mixed one.
    """

    name: str
    what: str
    why: str
    note: str
    linear: bool
    fit: Fit


# Among equals the first is recommended.
CONTENDERS = (
    Contender(
        "penalised logistic",
        "l2 = 1 on columns of variance 1",
        "it assumes nothing of how columns are distributed, and a penalty holds it where rows are few",
        "43, Logistic regression",
        True,
        of_linear_design(LogisticRegression(l2=1.0, tol=TOLERANCE)),
    ),
    Contender(
        "naive Bayes",
        "a distribution for each column",
        "it is the quickest to fit, and leaves out missing values rather than guess them",
        "27, Features of any kind",
        False,
        naive_bayes,
    ),
    Contender(
        "GDA",
        "normal classes, one covariance",
        "it has a closed form, and nothing to tune",
        "30, Gaussian discriminant analysis",
        True,
        of_linear_design(GDA(ridge=RIDGE)),
    ),
    Contender(
        "logistic",
        "maximum likelihood (l2 = 0.01)",
        "it assumes nothing of how columns are distributed",
        "43, Logistic regression",
        True,
        of_linear_design(LogisticRegression(l2=NEARLY_NONE, tol=TOLERANCE)),
    ),
    Contender(
        "GDA per class",
        "a covariance for each class",
        "it bends its boundaries",
        "30, Gaussian discriminant analysis",
        True,
        of_linear_design(GDA(covariance="per-class", ridge=RIDGE)),
    ),
)
