"""Raw 20 Newsgroups as scikit-learn caches it: a compressed pickle, read without trusting it."""

import io
import pickle
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.datasets.dataset import Column, Table
from course.errors import DataError


class _Bunch(dict[Any, Any]):
    """Stands in for scikit-learn's class of this name, which is a dictionary."""

    def __setstate__(self, state: object) -> None:
        """Nothing: the items are all there is."""


class _Dtype:
    """Stands in for numpy's class: keeps name and byte order."""

    def __init__(self, name: str, *_: object) -> None:
        self.name = name

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.name = state[1] + self.name


class _Array:
    """Stands in for numpy's class, which a pickle can lead to take any bytes for pointers: keeps type and bytes."""

    dtype: _Dtype  # no array is without one

    def __init__(self, *_: object) -> None:
        self.content = b""

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, _, self.dtype, _, self.content = state

    def numbers(self) -> NDArray[np.int64]:
        if self.dtype.name != "<i8":
            raise DataError(f"the pickle should hold arrays of the type '<i8', received {self.dtype.name!r}")
        return np.frombuffer(self.content, dtype="<i8")


class AllowListUnpickler(pickle.Unpickler):
    """Builds dictionaries and the parts of arrays and refuses everything else, before it is called.

    A pickle names the functions that it wants called; any function would do for an attack. So even those on the list
    are not the real ones.
    """

    ALLOWED = {  # noqa: RUF012  read only
        ("sklearn.utils", "Bunch"): _Bunch,
        ("numpy.core.multiarray", "_reconstruct"): _Array,
        ("numpy", "ndarray"): None,  # only an argument of the above
        ("numpy", "dtype"): _Dtype,
    }

    def find_class(self, module: str, name: str) -> object:
        """What the pickle asks for, if it is on the list."""
        try:
            return self.ALLOWED[module, name]
        except KeyError:
            raise DataError(
                f"the pickle asks for {module}.{name}, which is not on the list of what it may use"
            ) from None


def read(files: dict[str, bytes]) -> Table:
    """The file `pickle`: a dictionary with the parts `train` and `test`."""
    try:
        parts = AllowListUnpickler(io.BytesIO(zlib.decompress(files["pickle"]))).load()
        train, test = parts["train"], parts["test"]
        texts = [*train["data"], *test["data"]]
        y = np.concatenate([train["target"].numbers(), test["target"].numbers()]).astype(np.intp)
        names = tuple(train["target_names"])
    except DataError:
        raise
    except Exception as error:  # a damaged pickle can raise almost anything
        raise DataError(f"not a pickle of 20 Newsgroups: {error!r}") from error
    return Table(texts, y, (Column("text", "text"),), Column("group", "discrete", names), len(train["data"]))
