"""More data than memory: examples in chunks, whose statistics are added up here, or by Dask wherever the chunks are.

Whatever a model takes from its examples is a sum over them: counts, moments, an objective with its derivatives. So a
fit asks for a *share* of each chunk, a few numbers, and adds the shares up:

    total = share(chunk 0) + share(chunk 1) + ...

Chunks of an iterable are read one after the other, and each is let go before the next is read. Those of a Dask
collection stay where they are: Dask sends the work to them, adds up pairs in a tree, and starts anew whatever was lost
with a worker. Each pass computes the chunks again, unless they are kept (`X.persist()`).
"""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import partial, reduce, wraps
from importlib import import_module
from inspect import isfunction, signature
from itertools import chain, count, pairwise
from typing import Any, NamedTuple, TypeAlias, TypeVar
from uuid import uuid4

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.utils.validation import check_is_fitted

from probml.errors import DataError, MissingPackageError
from probml.inputs import precision_of, training_examples
from probml.typing import Labels, Matrix

Chunk: TypeAlias = Any  # whatever a source gives
Collection: TypeAlias = Any  # of Dask, or what is delayed
Check: TypeAlias = Any  # of validation
FAN_IN = 8  # shares that one task of Dask adds up
ARGUMENTS = ("X", "y", "sample_weight")
PREDICTIONS = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "predict_joint_log_proba",
    "log_joint",
    "log_marginal",
    "decision_function",
    "transform",
)
Share = TypeVar("Share")
R = TypeVar("R")
Model = TypeVar("Model", bound=BaseEstimator)


class Chunks:
    """Examples in parts, of which only one at a time has to be in memory.

    source : an iterable that begins anew each time, such as a list of chunks; or a function that returns an iterator,
        such as one that reads files with `yield`. An iterator itself is enough where one pass is.
    A chunk is a tuple (X, y) or (X, y, sample_weight), or a mapping of the arguments of `fit` by their names; of texts,
    a list of str. Messages count chunks, and rows within a chunk, from 0.
    """

    def __init__(self, source: object) -> None:
        self.source, self._spent = source, False

    def total(self, share: Callable[[Chunk, str], Share | None], add: Callable[[Share, Share], Share]) -> Share | None:
        """The sum of share(chunk, its name) over all chunks; a share that is None adds nothing."""
        total = None
        for number, chunk in self.read():
            total = _added(add, [total, _named(share, chunk, f"chunk {number}")])
            del chunk  # before the next one is read
        return total

    def read(self) -> Iterator[tuple[int, Any]]:
        """All chunks with their numbers. An error in reading one names it."""
        source: Any = self.source() if callable(self.source) else self.source
        chunks = iter(source)
        if chunks is self.source:
            if self._spent:
                raise ValueError(
                    "an iterator gives its chunks only once, and this fit takes several passes: give the function that "
                    "makes it, fit(read) instead of fit(read()), or a list"
                )
            self._spent = True
        for number in count():
            try:
                chunk = next(chunks)
            except StopIteration:
                return
            except Exception as error:  # whatever the reader of a broken file raises
                raise _unreadable(f"chunk {number}", error) from error
            yield number, chunk
            del chunk


class DaskChunks(Chunks):
    """The same of collections of Dask.

    parts : for each chunk something delayed that is the chunk, or a mapping from names of arguments to such things.
    nested : whether each part is a list of chunks, as partitions of a bag are.
    """

    def __init__(self, parts: list[Any], nested: bool = False) -> None:
        super().__init__(parts)
        self.parts, self.nested = parts, nested

    def total(self, share: Callable[[Chunk, str], Share | None], add: Callable[[Share, Share], Share]) -> Share | None:
        """The sum, by a tree of tasks."""
        delayed, token = _dask("dask.delayed").delayed, uuid4().hex
        work = partial(_share_of_list, share, add) if self.nested else partial(_named, share)
        tasks = [
            delayed(work)(part, f"chunk {number}", dask_key_name=f"chunk-{number}-{token}")
            for number, part in enumerate(self.parts)
        ]
        while len(tasks) > 1:
            tasks = [delayed(partial(_added, add))(tasks[i : i + FAN_IN]) for i in range(0, len(tasks), FAN_IN)]
        return self._computed(tasks[0]) if tasks else None

    def _computed(self, task: Collection) -> Share | None:
        try:
            total: Share | None = task.compute()
            return total
        except DataError:
            raise
        except Exception as error:
            if type(error).__name__ == "KilledWorker":
                raise DataError(
                    f"{self._name_of(error.args[0])}: every worker that was given it died, probably out of memory: "
                    f"make chunks smaller, or give workers more memory. {error}"
                ) from error
            for number, part in enumerate(self.parts):  # which of them cannot be computed?
                try:
                    _dask("dask.delayed").delayed(_nothing)(part).compute()
                except Exception as cause:
                    raise _unreadable(f"chunk {number}", cause) from cause
            raise

    def _name_of(self, key: object) -> str:
        """The name of the chunk that a task of Dask computes, or is asked about."""
        if found := re.match(r"chunk-(\d+)-", str(key)):
            return f"chunk {found[1]}"
        for number, part in enumerate(self.parts):
            if any(key in each.__dask_graph__() for each in (part.values() if isinstance(part, Mapping) else [part])):
                return f"chunk {number}"
        return "a chunk"


def chunks_of(X: object, **others: object) -> Chunks | None:
    """The chunks that X and the other arguments of `fit` are; None if they are arrays, tables or lists of numbers."""
    if type(X) is np.ndarray:
        return None
    given = {name: value for name, value in others.items() if value is not None}
    if is_dask(X):
        if not given and type(X).__name__ in ("Array", "DataFrame"):
            raise ValueError("y is missing: give a collection of Dask with the partitions of X")
        return _of_dask({"X": X, **given})
    if isinstance(X, Chunks) and given:
        raise ValueError(f"{', '.join(given)} belong into each chunk: (X, y), (X, y, sample_weight), or a mapping")
    if isinstance(X, Chunks):
        return X
    return Chunks(X) if "y" not in given and _gives_chunks(X) else None


def chunks_of_texts(documents: object) -> Chunks | None:
    """The chunks that documents are in. A list holds documents: chunks come from Dask, a function, or `Chunks`."""
    if is_dask(documents):
        return DaskChunks(_partitions(documents))
    return chunks_of(documents) if callable(documents) or isinstance(documents, Chunks) else None


def is_dask(X: object) -> bool:
    """Whether this is a collection of Dask, or a list of what is delayed."""
    return hasattr(X, "__dask_graph__") or (isinstance(X, list | tuple) and bool(X) and hasattr(X[0], "__dask_graph__"))


def _gives_chunks(X: object) -> bool:
    """Whether X is, or gives, an iterator of chunks, and is no array, table or list of numbers or texts."""
    if isinstance(X, list | tuple):
        return bool(X) and isinstance(X[0], tuple | Mapping)
    tabular = any(hasattr(X, name) for name in ("shape", "__array__", "__dataframe__"))
    return not tabular and not isinstance(X, str | bytes | Mapping) and (callable(X) or isinstance(X, Iterable))


def _dask(module: str) -> Collection:
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"collections of Dask need Dask, which is not installed ({error}): pip install 'probml[dask]'"
        ) from error


def _of_dask(given: dict[str, object]) -> DaskChunks:
    """Chunks of the partitions of collections, which have to be as many of each."""
    nested = isinstance(given["X"], _dask("dask.bag").Bag)
    if nested and len(given) > 1:
        raise ValueError("a bag has chunks (X, y) or (X, y, sample_weight): give nothing beside it")
    return DaskChunks(_rows_together(given) if len(given) > 1 else _partitions(given["X"]), nested)


def _rows_together(given: Mapping[str, object]) -> list[dict[str, Any]]:
    """For each partition of X the parts of all arguments, by name."""
    X: Any = given["X"]
    rows = X.chunks[0] if hasattr(X, "chunks") else ()
    known, parts = bool(rows) and not np.isnan(rows).any(), {}
    value: Any
    for name, value in given.items():
        if is_dask(value):
            misfit = known and hasattr(value, "chunks") and value.shape[:1] == X.shape[:1] and value.chunks[0] != rows
            parts[name] = _partitions(value.rechunk({0: rows}) if misfit else value)
        elif known and np.shape(value)[:1] == X.shape[:1]:
            ends = np.cumsum([0, *rows])
            parts[name] = [np.asarray(value)[start:end] for start, end in pairwise(ends)]
        else:
            raise ValueError(f"{name} must be a collection of Dask with the partitions of X, or have as many rows as X")
        if len(parts[name]) != len(parts["X"]):
            raise ValueError(f"X has {len(parts['X'])} partitions, {name} has {len(parts[name])}: they have to agree")
    return [dict(zip(parts, each, strict=True)) for each in zip(*parts.values(), strict=True)]


def _partitions(given: Collection) -> list[Any]:
    """What is delayed of each partition: all columns of some rows."""
    if isinstance(given, list | tuple):
        return list(given)
    if isinstance(given, _dask("dask.delayed").Delayed):
        return [given]
    if getattr(given, "ndim", 1) == 2 and hasattr(given, "rechunk"):
        given = given.rechunk({1: -1})
    parts = given.to_delayed()
    return parts.ravel().tolist() if isinstance(parts, np.ndarray) else list(parts)


def _named(share: Callable[[Chunk, str], Share], chunk: Chunk, name: str) -> Share:
    """share(chunk, name), with the name in whatever error there is."""
    try:
        return share(chunk, name)
    except DataError:
        raise
    except MemoryError as error:
        raise DataError(f"{name} does not fit into memory: make chunks smaller. {error}") from error
    except (ValueError, TypeError) as error:
        raise DataError(f"{name}: {error}") from error


def _share_of_list(
    share: Callable[[Chunk, str], Share | None], add: Callable[[Share, Share], Share], chunks: list[Chunk], name: str
) -> Share | None:
    """The sum over the chunks that are the items of a partition."""
    names = [name] if len(chunks) == 1 else [f"{name}, item {item}" for item in range(len(chunks))]
    return _added(add, [_named(share, chunk, each) for chunk, each in zip(chunks, names, strict=True)])


def _added(add: Callable[[Share, Share], Share], shares: Iterable[Share | None]) -> Share | None:
    found = [share for share in shares if share is not None]
    return reduce(add, found) if found else None


def _nothing(part: object) -> None:
    """To compute a chunk, and keep nothing of it."""


def _unreadable(name: str, error: BaseException) -> Exception:
    return DataError(f"{name} could not be read: {type(error).__name__}: {error}")


# What a chunk holds


@dataclass(frozen=True)
class Schema:
    """What all chunks have to share. chunk : the name of the first of them.

    n_features, names : of the columns of X. text : whether labels are text. dtype : the precision of X.
    """

    chunk: str
    n_features: int
    names: tuple[str, ...] | None
    text: bool
    dtype: np.dtype

    def __add__(self, other: "Schema") -> "Schema":
        if (n := self.n_features) != other.n_features:
            raise DataError(f"{other.chunk} has {other.n_features} columns, but {self.chunk} has {n}")
        if self.names != other.names:
            pairs = zip(self.names or ["no name"] * n, other.names or ["no name"] * n, strict=True)
            column, (ours, theirs) = next((j, pair) for j, pair in enumerate(pairs) if pair[0] != pair[1])
            raise DataError(f"column {column} of {other.chunk} is {theirs!r}, but that of {self.chunk} is {ours!r}")
        if self.text != other.text:
            ours, theirs = (("numbers", "text")[each.text] for each in (self, other))
            raise DataError(
                f"the labels of {other.chunk} are {theirs}, but those of {self.chunk} are {ours}: make all of them "
                "text, or all of them numbers"
            )
        return replace(self, dtype=np.result_type(self.dtype, other.dtype))

    def adopt(self, model: BaseEstimator) -> None:
        """Tell a model what its columns are."""
        model.n_features_in_ = self.n_features
        vars(model).pop("feature_names_in_", None)
        if self.names is not None:
            model.feature_names_in_ = np.array(self.names, dtype=object)


class Checked(NamedTuple):
    """A chunk in which nothing is wrong: X, shape (m, n), y, shape (m,), and the other arguments of `fit` by name.

    model : a copy of the model, which knows the columns.
    """

    model: Any
    schema: Schema
    X: Matrix
    y: Labels
    others: dict[str, Any]


def checked(model: BaseEstimator, chunk: Chunk, name: str, **checks: Check) -> Checked | None:
    """The chunk as the model takes it; None without rows. An error names chunk, row and column."""
    if isinstance(chunk, tuple) and 2 <= len(chunk) <= len(ARGUMENTS):
        chunk = dict(zip(ARGUMENTS, chunk, strict=False))
    arguments = [each for each in signature(type(model).fit).parameters if each != "self"]
    if not isinstance(chunk, Mapping) or not {"X", "y"} <= chunk.keys() <= {*arguments}:
        received = f"one of {', '.join(chunk)}" if isinstance(chunk, Mapping) else f"a {type(chunk).__name__}"
        raise TypeError(
            f"a chunk has to be (X, y), (X, y, sample_weight), or a mapping of {', '.join(arguments)}; "
            f"received {received}"
        )
    X, y = chunk["X"], chunk["y"]
    others = {key: value for key, value in chunk.items() if key not in ("X", "y") and value is not None}
    if not (X.shape[0] if hasattr(X, "shape") else len(X)):
        return None
    reader = copy(model)
    try:
        valid, labels = training_examples(reader, X, y, **checks)
    except (ValueError, TypeError) as error:
        response = None if is_classifier(model) else y
        fault = _first_fault(X, response, checks.get("ensure_all_finite") == "allow-nan")
        raise DataError(f"{name}{fault}: {str(error).splitlines()[0]}") from error
    names = tuple(reader.feature_names_in_) if hasattr(reader, "feature_names_in_") else None
    schema = Schema(name, valid.shape[1], names, labels.dtype.kind not in "biufc", precision_of(X))
    return Checked(reader, schema, valid, labels, others)


def survey(chunks: Chunks, model: Model, collect: Callable[[Checked], Any], **checks: object) -> tuple[Schema, Any]:
    """The first pass: what all chunks share, and the sum of what `collect` finds in each of them."""
    found = chunks.total(partial(_survey_of_chunk, clone(model), collect, checks), _together)
    empty, schema, total = found or ((), None, None)
    if schema is None:
        raise ValueError("no chunk has any rows: there is nothing to fit")
    if empty:
        warnings.warn(f"{', '.join(empty)} without any rows: passed over", stacklevel=4)
    return schema, total


def _survey_of_chunk(
    model: BaseEstimator, collect: Callable[[Checked], Any], checks: dict[str, object], chunk: Chunk, name: str
) -> tuple[tuple[str, ...], Schema | None, Any]:
    found = checked(model, chunk, name, **checks)
    return ((name,), None, None) if found is None else ((), found.schema, collect(found))


def _together(ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Two surveys: names of empty chunks, schema and sums."""
    pairs = zip(ours, theirs, strict=True)
    return tuple(b if a is None else a if b is None else a + b for a, b in pairs)


def _first_fault(X: Chunk, y: Chunk, allow_nan: bool) -> str:
    """Row and column of the first entry of X, or of y, that is no finite number; "" without any."""
    entries: Iterable[tuple[object, object, Any]]
    if sparse.issparse(X):
        X = X.tocoo()
        entries = zip(X.row, X.col.tolist(), X.data, strict=True)
    else:
        named = hasattr(X, "columns")
        table = X if named else np.atleast_2d(np.asarray(X, dtype=object)).T
        columns = [(name, X[name]) for name in X.columns] if named else enumerate(table)
        entries = ((row, name, value) for name, values in columns for row, value in enumerate(np.asarray(values)))
    responses = ((row, "y", value) for row, value in enumerate([] if y is None else np.ravel(y)))
    for row, column, value in chain(entries, responses):
        try:
            fine = np.isfinite(float(value)) or (allow_nan and value != value)
        except (TypeError, ValueError):
            fine = False
        if not fine:
            return f", row {row}, column {column!r}, which has {value!s}"
    return ""


# Predictions


class ChunkByChunk:
    """A model whose predictions of a Dask collection are an array of Dask: each chunk when it is asked for.

    Those of `Chunks` are an iterator of arrays.
    """

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        for name in PREDICTIONS:
            if isfunction(method := vars(cls).get(name)):
                setattr(cls, name, _chunk_by_chunk(method))

    def _columns_of(self, method: str) -> int | None:
        """How many columns the answers of this method have; None for one number, or label, of each row."""
        if method in ("predict", "log_marginal"):
            return None
        if method == "transform":
            return int(self._n_features_out)  # type: ignore[attr-defined]
        K = len(self.classes_)  # type: ignore[attr-defined]
        return None if method == "decision_function" and K == 2 else K

    def _dtype_of(self, method: str, X: Collection) -> np.dtype:
        if method == "predict" and hasattr(self, "classes_"):
            return np.asarray(self.classes_).dtype
        own = getattr(self, "_precision", getattr(getattr(self, "coef_", None), "dtype", np.float64))
        return np.result_type(precision_of(X), own)


def _chunk_by_chunk(method: Callable[..., R]) -> Callable[..., R]:
    @wraps(method)
    def predict(self: Model, X: Collection, *others: object, **options: object) -> R | Collection:
        if type(X) is np.ndarray or not (isinstance(X, Chunks) or is_dask(X)):
            return method(self, X, *others, **options)
        return (_one_by_one if isinstance(X, Chunks) else _lazily)(self, method.__name__, X, options)

    return predict


def _one_by_one(model: BaseEstimator, method: str, chunks: Chunks, options: Mapping[str, object]) -> Iterator[object]:
    for _, chunk in chunks.read():
        X = chunk[0] if isinstance(chunk, tuple) else chunk["X"] if isinstance(chunk, Mapping) else chunk
        del chunk
        answer = getattr(model, method)(X, **options)
        del X
        yield answer


def _lazily(model: BaseEstimator, method: str, X: Collection, options: Mapping[str, object]) -> Collection:
    """An array of Dask, with a chunk for each partition of X."""
    check_is_fitted(model)
    delayed, array = _dask("dask.delayed").delayed, _dask("dask.array")
    parts = _rows_together({"X": X} | {name: value for name, value in options.items() if value is not None})
    sizes = X.chunks[0] if hasattr(X, "chunks") else [np.nan] * len(parts)
    columns, dtype, sent = model._columns_of(method), model._dtype_of(method, X), delayed(model, traverse=False)
    answers = [
        array.from_delayed(delayed(_answer)(sent, method, part), (size,) if columns is None else (size, columns), dtype)
        for part, size in zip(parts, sizes, strict=True)
    ]
    return array.concatenate(answers, allow_unknown_chunksizes=True)


def _answer(model: BaseEstimator, method: str, part: dict[str, Any]) -> object:
    return getattr(model, method)(**part)
