"""Every classifier that there is on a finite set of inputs."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def mistakes(joint: ArrayLike) -> NDArray[np.int64]:
    """Weight of the wrong answers of each of the K^c rules h: {0, ..., c - 1} → {0, ..., K - 1}. Shape (K^c,).

    joint : whole numbers in proportion to p(x, y), shape (c, K), so that the comparison of two rules is exact.
    Rule number r answers for cell x with the x-th digit of r to the base K, the first digit being the highest.
    """
    joint = np.asarray(joint)
    if joint.ndim != 2 or not np.issubdtype(joint.dtype, np.integer) or joint.min() < 0:
        raise ValueError(f"joint must be whole numbers of shape (cells, classes), received {joint.dtype} {joint.shape}")
    c, K = joint.shape
    if K**c > 10**7:
        raise ValueError(f"{K}^{c} rules are too many to look at one by one: take fewer cells or classes")
    right = np.zeros(1, dtype=np.int64)
    for cell in joint:
        right = (right[:, None] + cell).ravel()
    return joint.sum() - right


def answers(rule: int, cells: int, classes: int) -> NDArray[np.intp]:
    """What rule number `rule` answers for each cell, shape (cells,)."""
    return np.array(np.unravel_index(rule, (classes,) * cells))


def bayes_mistakes(joint: ArrayLike) -> int:
    """Weight of the wrong answers of argmax_k p(x, k): the sum over x of p(x) - max_k p(x, k)."""
    joint = np.asarray(joint)
    return int((joint.sum(axis=1) - joint.max(axis=1)).sum())
