"""Types that all of the library uses: arrays of floats, matrices that may be sparse, sources of chance."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]  # rows, columns, numbers of classes
Mask: TypeAlias = NDArray[np.bool_]
Labels: TypeAlias = NDArray[Any]  # of classes: numbers, strings, whatever sorts
Matrix: TypeAlias = Array | sparse.csr_array  # dense or sparse, shape (m, n)
RandomState: TypeAlias = int | np.random.Generator | np.random.RandomState | None
