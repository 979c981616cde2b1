"""Counts on a logarithmic scale: the tenth occurrence of a word tells less than the first."""

import numpy as np

from probml.text.features import CountFeatures
from probml.typing import Matrix


class LogCounts(CountFeatures):
    """x_dn becomes log(1 + x_dn).

    X : counts, not negative, dense or CSR, shape (m, n).
    """

    def _features(self, X: Matrix) -> Matrix:
        return np.log1p(X) if isinstance(X, np.ndarray) else X.log1p()
