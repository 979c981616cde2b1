"""What the transformations of a matrix of counts share: which X they take, and how."""

from abc import ABC, abstractmethod
from typing import Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, check_non_negative

from probml.inputs import examples, handed_out, precision_of
from probml.typing import Matrix


class CountFeatures(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, ABC):
    """From counts, or anything that is not negative, to features of the same shape; zeros stay zeros.

    X : dense or CSR, shape (m, n). A sparse X gives a CSR array.
    """

    def fit(self, X: Matrix, y: object = None) -> Self:
        """Learn what has to be learned from X, shape (m, n)."""
        self._learn(self._valid(X, reset=True))
        return self

    def transform(self, X: Matrix) -> Matrix:
        """The features. Shape (m, n)."""
        check_is_fitted(self)
        counts = self._valid(X, reset=False)
        # Features stand at the indices of the counts, which are not to be those of the caller.
        features = self._features(counts.copy() if sparse.issparse(counts) else counts)
        return handed_out(features, precision_of(X))

    def _learn(self, X: Matrix) -> None:
        """Most transformations have nothing to learn."""

    @abstractmethod
    def _features(self, X: Matrix) -> Matrix:
        """The features of a valid X, which may not be changed."""

    def _valid(self, X: Matrix, reset: bool) -> Matrix:
        X = examples(self, X, reset=reset, accept_sparse="csr", dtype=np.float64)
        check_non_negative(X, f"{type(self).__name__} (input X are counts)")
        return X

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
