"""Derivatives with respect to vectors and matrices, entry by entry, exact but for rounding."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEP = 1e-30  # nothing is subtracted, so that it may be as small as one likes


def derivative(f: Callable[[NDArray], complex], at: Array, *, symmetric: bool = False) -> Array:
    """∂f/∂A_ab for each entry of the array A, by f(A + i h E_ab) = f(A) + i h ∂f/∂A_ab + O(h²).

    f : analytic, so that it takes complex arrays. symmetric : move A_ab and A_ba together, as one variable.
    """
    gradient = np.empty(at.shape)
    for place in np.ndindex(at.shape):
        moved = at.astype(complex)
        moved[place] += 1j * STEP
        if symmetric and place != place[::-1]:
            moved[place[::-1]] += 1j * STEP
        gradient[place] = f(moved).imag / STEP
    return gradient
