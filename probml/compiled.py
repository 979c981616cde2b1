"""Loops over numbers, compiled to machine code when they are first called, and kept on disk from then on.

Numba, which compiles, does not come with the library alone. Without it modules can be imported all the same, and their
compiled functions say what is missing when they are called.
"""

import hashlib
import inspect
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from platformdirs import user_cache_path

from probml.errors import MissingPackageError

P = ParamSpec("P")
R = TypeVar("R")

try:
    numba: Any = import_module("numba")
except ModuleNotFoundError:
    numba = None


NO_COMPILER = (
    "learning curves are computed by loops that Numba compiles, and it is not installed: pip install 'probml[curves]'"
)


def can_compile() -> bool:
    """Whether there is a compiler."""
    return numba is not None


def require_compiler() -> None:
    """Refuse what only compiled loops can do, before any other work is done."""
    if not can_compile():
        raise MissingPackageError(NO_COMPILER)


def compiled(function: Callable[P, R], *, in_any_order: bool = False) -> Callable[P, R]:
    """The function, compiled by Numba for the types it is called with.

    What its loops add up they add in the order in which it is written, on every machine; products of matrices are
    those of the linear algebra library. Division by zero gives what NumPy gives.

    in_any_order : whether sums may be added up in the order that is fastest on a machine, with last digits of its own.
    """
    if not can_compile():

        @wraps(function)
        def refuse(*_: P.args, **__: P.kwargs) -> R:
            raise MissingPackageError(NO_COMPILER)

        return refuse
    folder = _kept_in(Path(inspect.getfile(function)).parent)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = folder
    try:
        program: Callable[P, R] = numba.njit(
            cache=bool(folder), error_model="numpy", fastmath={"reassoc", "nsz"} if in_any_order else False
        )(function)
        return program
    finally:
        numba.config.CACHE_DIR = before


def twin_of(original: Callable[..., object]) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Declare by which loops compiled functions do what they are written to do by `original`, which is plain Python.

    Decorates a function from the types of the arguments to these loops, whose signature is that of `original`.
    """

    def declare(choose: Callable[..., object]) -> Callable[..., object]:
        if can_compile():
            chosen = wraps(original)(lambda *types: choose(*types))  # Numba compares the signatures
            import_module("numba.extending").overload(original)(chosen)
        return choose

    return declare


@cache
def _kept_in(folder: Path) -> str:
    """Where the compiled functions of a folder are kept: another place after any change in one of its files, or here.

    Numba looks at the file of a function only, and would go on with what it calls in others as that once was. The
    place is the one that the user has set, or beside the code, or that of the user's caches; "" if none can be had.
    """
    sources = b"".join(path.read_bytes() for path in [Path(__file__), *sorted(folder.glob("*.py"))])
    name = f"compiled-{hashlib.sha256(sources).hexdigest()[:16]}"
    for base in (numba.config.CACHE_DIR, folder / "__pycache__", user_cache_path("probml")):
        if base:
            place = Path(base, name)
            with suppress(OSError):
                place.mkdir(parents=True, exist_ok=True)
                if os.access(place, os.W_OK):
                    return str(place)
    return ""
