"""Empirical Bayes: the alpha under which the counts that came were most probable.

Each of K dice with V sides has p_j ~ Dirichlet(alpha, ..., alpha) and shows the counts N_jn, N_j in all. Tossed one
after the other, the i-th repetition of a side has probability (alpha + i) / (V alpha + tosses so far), hence

    log p(N | alpha) = sum_i T_i log(alpha + i)  -  sum_i U_i log(V alpha + i),      i = 0, 1, 2, ...

    T_i = number of cells N_jn above i,      U_i = number of rows N_j above i.

The derivative by u = log alpha is a sum of fractions, without a gamma function and without cancellation:

    g(u) = sum_i T_i alpha / (alpha + i)  -  sum_i U_i V alpha / (V alpha + i)
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probml.families.newton import root

SMALLEST, LARGEST = 1e-12, 1e12  # where a maximum is looked for


class Tails(NamedTuple):
    """All that the evidence knows of a table of counts.

    cells : T_0, T_1, ... rows : U_0, U_1, ... sides : V.
    """

    cells: NDArray[np.float64]
    rows: NDArray[np.float64]
    sides: int


def tails(counts: ArrayLike) -> Tails:
    """The tails of a table of whole counts, shape (K, V), or (V,) for a single die."""
    counts = np.atleast_2d(np.asarray(counts))
    if counts.ndim != 2 or counts.shape[1] < 2:
        raise ValueError(f"counts must have the shape (K, V) with V of at least 2, received the shape {counts.shape}")
    if not (np.isfinite(counts).all() and (counts >= 0).all() and (counts == np.rint(counts)).all()):
        raise ValueError(
            "counts must be whole numbers of at least 0: the evidence is one of tosses, which have no parts"
        )
    if not counts.any():
        raise ValueError("counts are all 0: nothing was seen, and every alpha explains that equally well")
    counts = counts.astype(np.int64)
    return Tails(_above(counts[counts > 0]), _above(counts.sum(axis=1)), counts.shape[1])


def _above(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """How many of the counts are above 0, above 1, ..., up to the last that is not zero."""
    exactly = np.bincount(counts)
    return np.cumsum(exactly[::-1])[::-1][1:].astype(np.float64)


def log_evidence(counts: ArrayLike | Tails, alpha: float) -> float:
    """log p(N | alpha), of the tosses in their order."""
    cells, rows, sides = counts if isinstance(counts, Tails) else tails(counts)
    if not 0 < alpha < np.inf:
        raise ValueError(f"alpha must be above 0 and finite, received {alpha!r}")
    i, total = np.arange(len(cells)), np.arange(len(rows))
    return float(cells @ np.log(alpha + i) - rows @ np.log(sides * alpha + total))


def slope(counts: ArrayLike | Tails, alpha: float) -> tuple[float, float]:
    """First and second derivative of the log evidence by log alpha."""
    cells, rows, sides = counts if isinstance(counts, Tails) else tails(counts)
    i, total, mass = np.arange(len(cells)), np.arange(len(rows)), sides * alpha
    first = cells @ (alpha / (alpha + i)) - rows @ (mass / (mass + total))
    second = cells @ (alpha * i / (alpha + i) ** 2) - rows @ (mass * total / (mass + total) ** 2)
    return float(first), float(second)


def words_from_the_prior(counts: ArrayLike | Tails, alpha: float) -> float:
    """Tosses that the prior supplies, its shares in all predictions added up: sum_i U_i V alpha / (V alpha + i)."""
    _, rows, sides = counts if isinstance(counts, Tails) else tails(counts)
    mass = sides * alpha
    return float(rows @ (mass / (mass + np.arange(len(rows)))))


def best_alpha(counts: ArrayLike) -> float:
    """The alpha of the largest evidence, by Newton's method on log alpha, safeguarded by bisection.

    There is none if every row shows one side only: then the evidence grows as alpha falls to 0. There is none either if
    the counts are as even as those of fair dice, or more so: then it grows with alpha without end.
    """
    known = tails(counts)
    if slope(known, SMALLEST)[0] <= 0:
        raise ValueError(
            f"each of the {int(known.rows[0])} rows with counts shows one side only: the evidence grows as alpha falls "
            "to 0 and has no maximum; choose alpha by what is known beside the counts"
        )
    if slope(known, LARGEST)[0] >= 0:
        raise ValueError(
            "the counts are as even as those of fair dice, or more so: the evidence grows with alpha without end and "
            "has no maximum; any large alpha, which is the uniform distribution, does"
        )

    def equation(u: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        first, second = slope(known, float(np.exp(u)))
        return np.array(first), np.array(second)

    return float(np.exp(root(equation, np.log(SMALLEST), np.log(LARGEST))))
