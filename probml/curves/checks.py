"""Bad input is refused before the work starts."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from probml.curves.splits import RAREST, share_with_all
from probml.errors import ParameterError
from probml.inputs import is_number, is_whole, labels
from probml.typing import Array, Indices, Labels

LARGEST_VALUE = 1e150  # numbers from one over this up to this have squares that can be added up
SCALES = 1e4  # times the range of a feature, up to which that of another does not hide its squares behind rounding


def require_number(name: str, value: float, *, positive: bool = False) -> None:
    """A finite number of at least 0, or above it."""
    if not (is_number(value) and 0 <= value < np.inf) or (positive and value == 0):
        raise ParameterError(
            f"{name} must be a finite number {'above' if positive else 'of at least'} 0, not {value!r}"
        )


def require_prior(alpha: float) -> None:
    """A smoothing of the prior: at least 0, or infinite."""
    if alpha != np.inf:
        require_number("prior_alpha", alpha)


def require_whole(name: str, value: int, least: int) -> int:
    """A whole number of at least `least`."""
    if not is_whole(value) or isinstance(value, bool) or value < least:
        raise ParameterError(f"{name} must be a whole number of at least {least}, received {value!r}")
    return int(value)


def require_squares(X: Array, *, of_each: bool = False) -> Array:
    """Ranges of the features that are not constant, if squares of X are numbers and those of ranges are not 0.

    of_each : of no feature; otherwise not of all of them.
    """
    if (largest := np.abs(X).max()) > LARGEST_VALUE:
        raise ParameterError(
            f"X has values of up to {largest:.2g}, whose squares are too large for a floating-point number: scale the "
            "features"
        )
    ranges: Array = np.ptp(X, axis=0)
    ranges = ranges[ranges > 0]
    if len(ranges) and (smallest := ranges.min() if of_each else ranges.max()) < 1 / LARGEST_VALUE:
        raise ParameterError(
            f"features have ranges of {smallest:.2g}, whose squares are too small for a floating-point number: scale "
            "the features"
        )
    return ranges


def require_comparable(ranges: Array, what: str) -> None:
    """Refuse ranges so different that, beside squares of the largest, those of the smallest are rounding."""
    if len(ranges) and ranges.max() > SCALES * ranges.min():
        raise ParameterError(
            f"{what} have ranges from {ranges.min():.2g} to {ranges.max():.2g}: beside the largest, rounding would "
            "hide the smallest. Scale them, each to a range of 1 for example"
        )


def examples(X: ArrayLike, y: ArrayLike) -> tuple[Array, Labels, Indices]:
    """X as numbers, shape (N, n), the labels of the classes, shape (K,), and which of them each example has, (N,)."""
    if sparse.issparse(X):
        raise ParameterError("X is sparse: learning curves need a dense array, X.toarray()")
    try:
        X = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"X must be numbers: {error}") from error
    try:
        y = labels(y)
    except ValueError as error:
        raise ParameterError(str(error)) from error
    if X.ndim != 2 or y.shape != X.shape[:1] or not X.size:
        raise ParameterError(f"X must have shape (N, n) and y (N,), received {X.shape} and {y.shape}")
    if not np.isfinite(X).all():
        row, column = np.argwhere(~np.isfinite(X))[0]
        raise ParameterError(
            f"X has {X[row, column]} in row {row}, column {column}: leave out rows with missing values, or code them"
        )
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ParameterError(f"y needs examples of two classes or more, received one only: {classes.tolist()[0]!r}")
    return X, classes, codes.reshape(-1).astype(np.intp)


def training_sizes(sizes: Iterable[int], codes: Indices, classes: Labels) -> list[int]:
    """The sizes, if training subsets of them exist, hold every class, and leave something to test."""
    N, K, count = len(codes), len(classes), np.bincount(codes)
    sizes = [require_whole("a size", size, 1) for size in sizes]
    if not sizes or len(set(sizes)) < len(sizes):
        raise ParameterError(f"sizes must be different whole numbers, at least one; received {sizes}")
    for size in sizes:
        if size < K:
            raise ParameterError(f"a training subset of {size} examples cannot hold {K} classes: leave out this size")
        if size >= N:
            raise ParameterError(
                f"a training subset of {size} of {N} examples leaves none to test: leave out this size"
            )
        if share_with_all(count, size) < RAREST:
            k = count.argmin()
            raise ParameterError(
                f"fewer than one in {1 / RAREST:.0f} subsets of {size} examples hold every class; class {classes[k]} "
                f"has only {count[k]} of {N}: leave it out, or begin with a larger size"
            )
    return sizes
