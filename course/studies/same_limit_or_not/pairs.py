"""Generative classifiers and their discriminative partners, on the same training parts."""

from collections.abc import Iterable
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probml.curves import GDA, Curve, GaussianNB, LogisticRegression, learning_curves

Array = NDArray[np.float64]
RIDGE = 1e-3  # keeps covariances of few examples regular, and weights finite where classes are separable


def with_products(X: Array) -> Array:
    """x_j and x_j x_k for j ≤ k: shape (m, n + n (n + 1) / 2)."""
    products = [X[:, j] * X[:, k] for j, k in combinations_with_replacement(range(X.shape[1]), 2)]
    return np.column_stack([X, *products])


def curves_of_pairs(X: Array, y: ArrayLike, sizes: Iterable[int], n_splits: int, seed: int) -> dict[str, Curve]:
    """Learning curves of naive Bayes, LDA and QDA, and of logistic regression without and with products.

    X is standardised, so that one ridge does for all features. Splits depend on y, the sizes and the seed only, and so
    are the same for all models.
    """
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    sizes = list(sizes)
    options = {"n_splits": n_splits, "seed": seed, "progress": False}
    linear = LogisticRegression(l2=RIDGE)
    models = {
        "naive Bayes, shared variances": GaussianNB(),
        "naive Bayes, own variances": GaussianNB(shared_variance=False, var_smoothing=RIDGE),
        "LDA": GDA("shared", ridge=RIDGE),
        "QDA": GDA("per-class", ridge=RIDGE),
        "linear logistic": linear,
    }
    curves = dict(learning_curves(X, y, sizes, models, **options).error)
    squares = with_products(X)
    squares = (squares - squares.mean(axis=0)) / squares.std(axis=0)
    return curves | dict(learning_curves(squares, y, sizes, {"quadratic logistic": linear}, **options).error)
