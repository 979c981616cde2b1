"""Loops over numbers, compiled to machine code when they are first called, and kept on disk from then on."""

from collections.abc import Callable

from numba import njit


def compiled(function: Callable) -> Callable:
    """The function, compiled by Numba for the types it is called with.

    Sums are added up in the order in which they are written, on every machine. Division by zero gives what NumPy gives.
    """
    try:
        return njit(cache=True, error_model="numpy")(function)
    except RuntimeError:  # neither the folder of the package nor that of the user can be written to
        return njit(error_model="numpy")(function)
