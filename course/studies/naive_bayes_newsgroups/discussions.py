"""Posts of one discussion are alike: intervals that take discussions, not posts, as the unit of chance."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WORDS = 3  # of the subject that tell a discussion
REPLY = "re"  # with which the subject of an answer begins


def discussions(posts: Sequence[str], y: NDArray[np.intp]) -> NDArray[np.intp]:
    """The number of each post's discussion: its group and the first words of its subject, without the mark of a reply.

    posts : texts that begin with their subject line. y : groups, shape (m,). Returns shape (m,).
    """
    keys = []
    for post, group in zip(posts, y, strict=True):
        words = post.split()[: 2 * WORDS]
        while words and words[0] == REPLY:
            words = words[1:]
        keys.append((int(group), *words[:WORDS]))
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.array([numbers[key] for key in keys])


def clustered_half_width(values: NDArray[np.float64], cluster: NDArray[np.intp]) -> float:
    """Half the width of a 95 % interval of the mean of `values` if only clusters are independent.

    The deviations from the mean are added up within each cluster; 1.96 times the root of the sum of the squares of
    these sums, divided by the number of values. With one value in each cluster this is the usual interval.
    values, cluster : shape (m,).
    """
    sums = np.bincount(cluster, weights=values - values.mean())
    return float(1.96 * np.sqrt(np.sum(sums**2)) / len(values))
