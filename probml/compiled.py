"""Loops over numbers, compiled to machine code when they are first called, and kept on disk from then on."""

import hashlib
import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numba


def compiled(function: Callable) -> Callable:
    """The function, compiled by Numba for the types it is called with.

    Sums are added up in the order in which they are written, on every machine. Division by zero gives what NumPy gives.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _kept_in(Path(inspect.getfile(function)).parent)
    try:
        return numba.njit(cache=True, error_model="numpy")(function)
    except RuntimeError:  # neither this folder nor one of the user's can be written to
        return numba.njit(error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before


@cache
def _kept_in(folder: Path) -> str:
    """Where the compiled functions of a folder are kept: another place after any change in one of its files.

    Numba looks at the file of a function only, and would go on with what it calls in others as that once was.
    """
    sources = b"".join(path.read_bytes() for path in sorted(folder.glob("*.py")))
    return str(folder / "__pycache__" / f"compiled-{hashlib.sha256(sources).hexdigest()[:16]}")
