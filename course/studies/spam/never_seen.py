"""Words that a class never used, and what maximum likelihood makes of messages that hold them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


class Fate(NamedTuple):
    """Of each message: has it a word that ham, or spam, never used? Shapes (m,)."""

    new_to_ham: NDArray[np.bool_]
    new_to_spam: NDArray[np.bool_]

    @property
    def undecided(self) -> NDArray[np.bool_]:
        """Without smoothing impossible under both classes: a posterior of 0/0."""
        return self.new_to_ham & self.new_to_spam

    @property
    def decided_by_a_zero(self) -> NDArray[np.bool_]:
        """Impossible under one class only, so that the posterior is exactly 0 or 1."""
        return self.new_to_ham != self.new_to_spam


def fate(X_train: sparse.csr_array, y_train: NDArray[np.intp], X: sparse.csr_array) -> Fate:
    """What maximum likelihood says of the messages X after learning from X_train, y_train (1 is spam)."""
    unused = [np.asarray(X_train[y_train == j].sum(axis=0)).ravel() == 0 for j in (0, 1)]
    return Fate(*(((X > 0) @ column.astype(np.int64)) > 0 for column in unused))
