"""The data of the rows: random ones of any size, and real ones. All take how many rows there may be at most."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.feature_extraction.text import TfidfTransformer

from course.datasets import load
from probml.text import BagOfWords

Matrix: TypeAlias = NDArray[Any] | sparse.csr_array
SMALL = (200, 5)  # an exercise
WORDS = 30  # different ones in a random document, at most


@dataclass(frozen=True)
class Problem:
    """Examples to fit to, X of shape (m, n) and y of shape (m,), and examples X_new to predict."""

    name: str
    X: Matrix
    y: NDArray[Any]
    X_new: Matrix

    @property
    def size(self) -> str:
        """Name and shape of the data."""
        m, n = self.X.shape
        entries = f", {self.X.nnz:,} entries" if sparse.issparse(self.X) else ""
        new = f", {self.X_new.shape[0]:,} to predict" if self.X_new.shape[0] != m else ""
        return f"{self.name}, {m:,} × {n:,}{entries}{new}"

    def head(self, rows: int) -> "Problem":
        """The problem with its first rows only."""
        return Problem(self.name, self.X[:rows], self.y[:rows], self.X_new[:rows])


Source: TypeAlias = Callable[[int], Problem]


def at_most(rows: int, m: int) -> NDArray[np.intp]:
    """All of m rows in their order, or fewer at random."""
    return np.arange(m) if rows >= m else np.random.default_rng(0).permutation(m)[:rows]


def normal_classes(m: int, n: int, K: int = 3) -> Source:
    """K normal distributions that overlap, with correlated features and a covariance of their own each."""

    def source(rows: int) -> Problem:
        rng = np.random.default_rng(0)
        y = rng.integers(0, K, min(m, rows))
        means = 0.3 * rng.standard_normal((K, n))
        mixing = np.eye(n) + 0.1 * rng.standard_normal((K, n, n))
        X = rng.standard_normal((len(y), n))
        for j in range(K):
            X[y == j] = X[y == j] @ mixing[j] + means[j]
        return Problem(f"random, {K} classes", X, y, X)

    return source


def counts(m: int, n: int, K: int = 3) -> Source:
    """Poisson counts with rates of their own in each of K classes, as a dense matrix."""

    def source(rows: int) -> Problem:
        rng = np.random.default_rng(0)
        y = rng.integers(0, K, min(m, rows))
        X = rng.poisson(rng.gamma(1.0, 1.0, (K, n))[y]).astype(np.float64)
        return Problem(f"random counts, {K} classes", X, y, X)

    return source


def words(m: int, n: int, K: int = 3) -> Source:
    """Counts of words whose frequencies fall as 1 / rank, the ranks of their own in each class: a sparse matrix."""

    def source(rows: int) -> Problem:
        rng = np.random.default_rng(0)
        y = rng.integers(0, K, min(m, rows))
        rank = np.floor(np.exp(rng.uniform(0, np.log(n + 1), (len(y), WORDS)))).astype(np.int64) - 1
        column = np.minimum(rank + 3 * y[:, None] * (rank % 5 == 0), n - 1)
        row = np.repeat(np.arange(len(y)), WORDS)
        X = sparse.csr_array((np.ones(row.size), (row, column.ravel())), shape=(len(y), n))
        X.sum_duplicates()
        return Problem(f"random words, {K} classes", X, y, X)

    return source


def categories(m: int, n: int, k: int = 10, K: int = 3) -> Source:
    """n independent features of k categories in each of K classes. The first k rows have every category."""

    def source(rows: int) -> Problem:
        rng = np.random.default_rng(0)
        y = rng.integers(0, K, min(m, rows))
        cumulative = rng.dirichlet(np.ones(k), (K, n)).cumsum(axis=-1)[..., :-1]
        u = rng.uniform(size=(len(y), n))
        X = sum((u > cumulative[y, :, category]).astype(np.int64) for category in range(k - 1))
        X[:k] = np.arange(k)[:, None]
        return Problem(f"random, {K} classes, {k} categories", X, y, X)

    return source


def mixed(m: int, n: int) -> Source:
    """n normal features, and n of five categories."""

    def source(rows: int) -> Problem:
        normal, discrete = normal_classes(m, n)(rows), categories(m, n, k=5)(rows)  # with the same y
        X = np.hstack([normal.X, discrete.X])
        return Problem("random, 3 classes, half of the features of 5 categories", X, normal.y, X)

    return source


def factors(m: int, n: int, deviation: float = 1.5) -> tuple[NDArray, NDArray, np.random.Generator]:
    """Features that share ten factors, as those of real tables do, and a predictor with this standard deviation."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((m, n))
    X += rng.standard_normal((m, 10)) @ (rng.standard_normal((10, n)) / np.sqrt(5))
    z = X @ rng.standard_normal(n)
    return X, deviation * z / z.std(), rng


def regression(m: int, n: int) -> Source:
    """A response that is linear but for noise."""

    def source(rows: int) -> Problem:
        X, z, rng = factors(min(m, rows), n)
        return Problem("random, ten factors", X, z + rng.standard_normal(len(z)), X)

    return source


def responses(m: int, n: int, kind: str) -> Source:
    """Responses of a generalised linear model: "binary", "probit", "counts" or "gamma"."""

    def source(rows: int) -> Problem:
        X, z, rng = factors(min(m, rows), n, 1.0 if kind in ("counts", "gamma") else 1.5)
        u = rng.uniform(size=len(z))
        match kind:
            case "binary":
                y = (u < 1 / (1 + np.exp(0.5 - z))).astype(np.float64)
            case "probit":
                y = (z + rng.standard_normal(len(z)) > 0.5).astype(np.float64)
            case "counts":
                y = rng.poisson(np.exp(z)).astype(np.float64)
            case "gamma":
                y = rng.gamma(2.0, np.exp(z) / 2)
            case _:
                raise ValueError(kind)
        return Problem("random, ten factors", X, y, X)

    return source


def strong(m: int = 300_000, n: int = 60, features: int = 1) -> Source:
    """Two classes; independent features, of which so many carry the whole predictor, of standard deviation 3."""

    def source(rows: int) -> Problem:
        rng = np.random.default_rng(0)
        X = rng.standard_normal((min(m, rows), n))
        z = 3 / np.sqrt(features) * X[:, :features].sum(axis=1)
        y = (rng.uniform(size=len(z)) < 1 / (1 + np.exp(-z))).astype(np.float64)
        return Problem("one strong feature" if features == 1 else f"{features} weak features", X, y, X)

    return source


def several_classes(m: int, n: int, K: int) -> Source:
    """K classes with linear scores."""

    def source(rows: int) -> Problem:
        X, _, rng = factors(min(m, rows), n)
        z = X @ rng.standard_normal((n, K)) / np.sqrt(3 * n) + rng.gumbel(size=(len(X), K))
        return Problem(f"random, ten factors, {K} classes", X, z.argmax(axis=1), X)

    return source


def sparse_binary(m: int, n: int, density: float) -> Source:
    """Two classes and a sparse matrix, as dummy variables make it."""

    def source(rows: int) -> Problem:
        rng = np.random.default_rng(0)
        X = sparse.csr_array(sparse.random_array((min(m, rows), n), density=density, format="csr", rng=rng))
        z = X @ rng.standard_normal(n)
        y = (rng.uniform(size=len(z)) < 1 / (1 + np.exp(-2 * z / z.std()))).astype(np.float64)
        return Problem("random, sparse", X, y, X)

    return source


def sparse_counts(m: int, n: int, density: float) -> Source:
    """Counts and a sparse matrix."""

    def source(rows: int) -> Problem:
        binary = sparse_binary(m, n, density)(rows)
        y = np.random.default_rng(1).poisson(0.5 + binary.y).astype(np.float64)
        return Problem("random, sparse", binary.X, y, binary.X)

    return source


def integers(m: int, n: int = 40) -> Source:
    """Classes that no hyperplane separates, of small whole numbers: sums are exact, and so are the mistakes."""

    def source(rows: int) -> Problem:
        rng = np.random.default_rng(0)
        X = rng.integers(-8, 9, (min(m, rows), n)).astype(np.float64)
        z = X @ rng.standard_normal(n) / 15
        return Problem("random, overlapping", X, (rng.uniform(size=len(X)) < 1 / (1 + np.exp(-z))).astype(int), X)

    return source


def newsgroups(rows: int) -> Problem:
    """Word counts of 20 Newsgroups, split by date."""
    data, bag = load("newsgroups"), BagOfWords()
    some = at_most(rows, len(data.train.y))
    X = bag.fit_transform([data.train.X[row] for row in some])
    return Problem("20 Newsgroups", X, data.train.y[some], bag.transform(data.test.X[:rows]))


def newsgroups_tf_idf(rows: int) -> Problem:
    """tf-idf of 20 Newsgroups."""
    found, tf_idf = newsgroups(rows), TfidfTransformer()
    return Problem("20 Newsgroups, tf-idf", tf_idf.fit_transform(found.X), found.y, tf_idf.transform(found.X_new))


def pair(first: str, second: str) -> Source:
    """tf-idf of two of the groups."""

    def source(rows: int) -> Problem:
        train = load("newsgroups").train
        names = np.array(load("newsgroups").class_names)[train.y]
        some = np.flatnonzero(np.isin(names, (first, second)))
        some = some[at_most(rows, len(some))]
        counts = BagOfWords().fit_transform([train.X[row] for row in some])
        X = TfidfTransformer().fit_transform(counts)
        return Problem(f"20 Newsgroups, tf-idf, {first} v. {second}", X, (names[some] == second).astype(float), X)

    return source


def movie_reviews(rows: int) -> Problem:
    """Words and pairs of words of the IMDB reviews, present or not. Of each review a few are of one class alone."""
    train = load("imdb").train
    some = at_most(rows, len(train.y))
    X = BagOfWords(ngram_range=(1, 2), binary=True).fit_transform([train.X[row] for row in some])
    return Problem("IMDB, words and pairs", X.astype(np.float64), train.y[some].astype(np.float64), X[:5000])


def small_digits(rows: int) -> Problem:
    """Ten digits of 8 by 8 pixels."""
    X, y = load_digits(return_X_y=True)
    return Problem("8 × 8 digits", X / 16, y, X / 16).head(rows)


def large_digits(rows: int) -> Problem:
    """MNIST: ten digits of 28 by 28 pixels."""
    data = load("mnist")
    return Problem("MNIST", data.train.X / 255.0, data.train.y, data.test.X / 255.0).head(rows)


def fraud(rows: int) -> Problem:
    """Credit-card fraud: one example in 600 is of the second class; columns in units of their standard deviation."""
    train = load("credit-fraud").train
    X = (train.X - train.X.mean(axis=0)) / train.X.std(axis=0)
    some = at_most(rows, len(X))
    return Problem("credit-card fraud", X[some], train.y[some].astype(np.float64), X[some])


@cache
def texts() -> list[str]:
    """The training part of 20 Newsgroups."""
    return list(load("newsgroups").train.X)
