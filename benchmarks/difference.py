"""How far two answers are apart."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


def difference(ours: Sequence, theirs: Sequence) -> float:
    """Largest absolute difference over all entries of all arrays; inf where words or labels differ."""
    return max(_difference(a, b) for a, b in zip(ours, theirs, strict=True))


def _difference(a: NDArray | sparse.sparray, b: NDArray | sparse.sparray) -> float:
    if a.shape != b.shape:
        raise ValueError(f"the answers have different shapes, {a.shape} and {b.shape}: compare what means the same")
    if sparse.issparse(a):
        return float(abs(sparse.csr_array(a) - sparse.csr_array(b)).max())
    if a.dtype.kind not in "fiub":
        return 0.0 if np.array_equal(a, b) else np.inf
    with np.errstate(invalid="ignore"):
        return float(np.max(np.where(a == b, 0.0, np.abs(a - b))))  # -inf and -inf are no distance apart
