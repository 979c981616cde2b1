"""What data that were held out say of alpha.

With N_jn the counts of word n in class j that were learned from, and M_jn those held out, the held-out log likelihood

    sum_jn M_jn log beta_jn,      beta_jn = (N_jn + alpha) / (N_j + V alpha),

needs nothing but the two tables, shape (K, V). The tables have the same columns: a word may be new in M.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize_scalar

from probml.naive_bayes import MultinomialNB

Array = NDArray[np.float64]
RANGE = (np.log(1e-8), np.log(1e4))  # of log alpha


def class_counts(X: sparse.csr_array, y: NDArray[np.intp], n_classes: int) -> Array:
    """N_jn, the sum of the rows of each class. Shape (n_classes, V)."""
    return MultinomialNB.statistics(X, y, classes=np.arange(n_classes)).feature_count


def cut_documents(
    X: sparse.csr_array, y: NDArray[np.intp], n_classes: int, share: float, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Tables of a random share of the documents, and of the others."""
    order = rng.permutation(len(y))
    learned, held_out = np.split(order, [round(_share(share) * len(y))])
    return class_counts(X[learned], y[learned], n_classes), class_counts(X[held_out], y[held_out], n_classes)


def cut_tokens(counts: Array, share: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """Tables of a random share of the tokens, each token drawn on its own, and of the others."""
    learned, seen = np.zeros(counts.shape), np.nonzero(counts)  # most words are not in most classes
    learned[seen] = rng.binomial(counts[seen].astype(np.int64), _share(share))
    return learned, counts - learned


def best_held_out_alpha(learned: Array, held_out: Array) -> float:
    """The alpha of the largest held-out log likelihood, by Brent's method on log alpha."""
    if learned.shape != held_out.shape:
        raise ValueError(f"the tables have the shapes {learned.shape} and {held_out.shape}: give them the same words")
    cells = held_out > 0
    N_j, M_j, V = learned.sum(axis=1), held_out.sum(axis=1), learned.shape[1]
    if not cells.any():
        raise ValueError("nothing is held out: every alpha explains that equally well")
    # Cells that were learned from equally often have the same beta in their class: one logarithm for all of them.
    N, place = np.unique(learned[cells], return_inverse=True)
    M = np.bincount(place, weights=held_out[cells])

    def loss(u: float) -> float:
        alpha = np.exp(u)
        return float(M_j @ np.log(N_j + V * alpha) - M @ np.log(N + alpha))

    found = minimize_scalar(loss, bounds=RANGE, method="bounded", options={"xatol": 1e-6}).x
    if not RANGE[0] + 0.01 < found < RANGE[1] - 0.01:
        raise ValueError(
            f"the held-out likelihood is largest at alpha = {np.exp(found):.3g}, the edge of the search: nothing held "
            "out is new, or the counts are as even as those of a fair die"
        )
    return float(np.exp(found))


def _share(share: float) -> float:
    if not 0 < share < 1:
        raise ValueError(f"share must be between 0 and 1, received {share!r}")
    return share
