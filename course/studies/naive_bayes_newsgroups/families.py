"""The twenty groups by family of subjects, and the errors within and between families."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

PREFIXES = {
    "computers": ("comp.",),
    "leisure": ("rec.",),
    "science": ("sci.",),
    "for sale": ("misc.forsale",),
    "politics": ("talk.politics.",),
    "religion": ("alt.atheism", "soc.religion.", "talk.religion."),
}


def family(group: str) -> str:
    """The family of a newsgroup."""
    (found,) = (name for name, prefixes in PREFIXES.items() if group.startswith(prefixes))
    return found


def by_family(groups: Sequence[str]) -> NDArray[np.intp]:
    """The order of the groups in which families stand together."""
    place = list(PREFIXES)
    return np.array(sorted(range(len(groups)), key=lambda k: (place.index(family(groups[k])), groups[k])))


def errors(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """A confusion matrix without its diagonal."""
    return counts - np.diag(np.diag(counts))


def within_families(counts: NDArray[np.int64], groups: Sequence[str]) -> float:
    """The proportion of the errors that stay within a family. counts : confusion matrix, shape (K, K)."""
    of = np.array([family(group) for group in groups])
    mistakes = errors(counts)
    return float(mistakes[of[:, None] == of].sum() / mistakes.sum())


def within_families_by_chance(groups: Sequence[str]) -> float:
    """The same if each group lost equally many posts, and lost them evenly to the other groups."""
    spread_evenly = np.ones((len(groups), len(groups)), dtype=np.int64)
    return within_families(spread_evenly, groups)
