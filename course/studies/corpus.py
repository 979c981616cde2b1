"""A text data set as matrices of counts."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course import datasets
from probml.text import BagOfWords


@dataclass(frozen=True)
class Corpus:
    """Word counts and classes of a training and a test part.

    X_train, X_test : CSR, shape (documents, words). y_train, y_test : indices into class_names. words : the columns.
    """

    X_train: sparse.csr_array
    y_train: NDArray[np.intp]
    X_test: sparse.csr_array
    y_test: NDArray[np.intp]
    words: NDArray
    class_names: tuple[str, ...]

    def restricted_to(self, columns: NDArray[np.intp]) -> "Corpus":
        """The same documents, counting only some words."""
        columns = np.sort(columns)
        return replace(
            self, X_train=self.X_train[:, columns], X_test=self.X_test[:, columns], words=self.words[columns]
        )

    def without_rare_words(self, min_df: int) -> "Corpus":
        """The same documents, counting only words that occur in at least `min_df` documents of the training part."""
        document_frequency = np.bincount(self.X_train.indices, minlength=len(self.words))
        return self.restricted_to(np.flatnonzero(document_frequency >= min_df))

    def shuffled(self, rng: np.random.Generator, train_size: int | None = None) -> "Corpus":
        """Both parts pooled and cut anew at random, into parts of the same sizes or with `train_size` for training.

        The vocabulary is what of the present one occurs in the new training part. A word that only the present test
        part holds can be in it if the corpus comes from `pooled`.
        """
        X, y = sparse.vstack([self.X_train, self.X_test], format="csr"), np.append(self.y_train, self.y_test)
        size = len(self.y_train) if train_size is None else train_size
        if not 0 < size < len(y):
            raise ValueError(f"{size!r} of {len(y)} documents for training leave one of the parts empty")
        train, test = np.split(rng.permutation(len(y)), [size])
        drawn = replace(self, X_train=X[train], y_train=y[train], X_test=X[test], y_test=y[test])
        return drawn.without_rare_words(1)


def corpus(name: str) -> Corpus:
    """The text data set `name` with its published split; the vocabulary is all words of the training part."""
    data = datasets.load(name)
    bag = BagOfWords()
    X_train = bag.fit_transform(data.train.X)
    X_test = bag.transform(data.test.X)
    return Corpus(X_train, data.train.y, X_test, data.test.y, bag.words_, data.class_names)


def pooled(name: str, prepare: Callable[[str], str] = str, **options: object) -> Corpus:
    """The same with every word of both parts as vocabulary: to be cut anew by `shuffled`.

    prepare : what becomes of each text before it is counted. options : of `BagOfWords`.
    """
    data = datasets.load(name)
    bag = BagOfWords(**options)
    X = bag.fit_transform([prepare(text) for text in (*data.train.X, *data.test.X)])
    m = len(data.train.y)
    return Corpus(X[:m], data.train.y, X[m:], data.test.y, bag.words_, data.class_names)
