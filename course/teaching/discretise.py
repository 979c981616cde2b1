"""Continuous features cut into bins, so that categorical naive Bayes can use them."""

from dataclasses import field
from typing import Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from probml.inputs import examples, is_whole, parameters
from probml.typing import Indices, Matrix


@parameters
class Discretiser(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Replace x_n by the number of its bin, 0 to k_n - 1: the count of inner edges e_n1 < e_n2 < ... at or below x_n.

    The first and the last bin have no outer end, so that every finite number has a bin.

    Parameters
    ----------
    bins : number of bins k of each feature. Fewer are made where edges coincide; a constant feature has one.
    strategy : "quantile", about as many training examples in each bin, or "uniform", bins of equal width.

    Attributes
    ----------
    edges_ : list of n arrays of inner edges. n_bins_ : shape (n,), what CategoricalNB takes as `min_categories`.
    """

    bins: int = field(default=10, kw_only=False)
    strategy: Literal["quantile", "uniform"] = "quantile"

    def fit(self, X: Matrix, y: object = None) -> Self:
        """Choose the edges from X, shape (m, n)."""
        if not (is_whole(self.bins) and self.bins >= 2):
            raise ValueError(f"bins must be a whole number of at least 2, received {self.bins!r}")
        if self.strategy not in ("quantile", "uniform"):
            raise ValueError(f'strategy must be "quantile" or "uniform", received {self.strategy!r}')
        X = examples(self, X, reset=True, dtype=np.float64)
        inner = np.arange(1, self.bins) / self.bins
        low, high = X.min(axis=0), X.max(axis=0)
        with np.errstate(over="ignore", invalid="ignore"):
            edges = np.quantile(X, inner, axis=0) if self.strategy == "quantile" else low + np.outer(inner, high - low)
        if not np.isfinite(edges).all():
            raise ValueError("the range of X is more than a floating-point number can hold: rescale X")
        # An edge at the smallest value would cut off nothing.
        self.edges_ = [np.unique(own[own > least]) for own, least in zip(edges.T, low, strict=True)]
        self.n_bins_ = np.array([len(own) + 1 for own in self.edges_])
        return self

    def transform(self, X: Matrix) -> Indices:
        """Numbers of the bins, shape (m, n)."""
        check_is_fitted(self, "edges_")
        X = examples(self, X, reset=False, dtype=np.float64)
        bins = [np.searchsorted(own, x, side="right") for own, x in zip(self.edges_, X.T, strict=True)]
        return np.stack(bins, axis=1)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []  # numbers of bins are whole
        return tags
