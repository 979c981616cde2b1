"""Naive Bayes on tables: the joint distribution of a class and of two-valued attributes, known exactly."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def examples(attributes: int) -> NDArray[np.int64]:
    """All examples, shape (2 ** attributes, attributes)."""
    return np.array(list(product((0, 1), repeat=attributes)))


def naive(P: Array) -> Array:
    """The joint distribution that naive Bayes makes of P: the same prior and marginals, attributes independent.

    P : probabilities of class and example, shape (..., 2, 2 ** d), examples in the order of `examples(d)`.
    """
    attributes = P.shape[-1].bit_length() - 1
    X = examples(attributes)
    prior = P.sum(axis=-1, keepdims=True)
    phi = (P @ X) / prior
    of_attribute = np.where(X, phi[..., None, :], 1 - phi[..., None, :])
    return prior * of_attribute.prod(axis=-1)


def random_tables(attributes: int, tables: int, rng: np.random.Generator) -> Array:
    """Joint distributions drawn uniformly from all there are, shape (tables, 2, 2 ** attributes)."""
    cells = 2 ** (attributes + 1)
    return rng.dirichlet(np.ones(cells), size=tables).reshape(tables, 2, -1)


def agreement(P: Array) -> Array:
    """The probability that naive Bayes decides an example of P as the best classifier does. Shape (...,)."""
    Q = naive(P)
    same = (P[..., 1, :] > P[..., 0, :]) == (Q[..., 1, :] > Q[..., 0, :])
    return (P.sum(axis=-2) * same).sum(axis=-1)


def errors(P: Array) -> tuple[Array, Array]:
    """Probabilities of a wrong decision: of the best classifier, and of naive Bayes. Shape (...,) each."""
    Q = naive(P)
    best = P.min(axis=-2).sum(axis=-1)
    of_naive = np.where(Q[..., 1, :] > Q[..., 0, :], P[..., 0, :], P[..., 1, :]).sum(axis=-1)
    return best, of_naive
