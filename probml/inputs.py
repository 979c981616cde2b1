"""The entrance of every model and measure: what is given is checked, brought into one form, and left as it is.

A sparse matrix may come in any format, with entries out of order, stored twice or stored though they are 0, and its
arrays may be read-only. Models see canonical CSR: the columns of a row ascending, each of them once, none with a 0.
Where that is what was given, its arrays are shared, not copied: whoever gets them may read them, and never write.

Models compute in double precision. Linear models, discriminant analysis and features of texts hand out what they find
in the precision of what they are given, as scikit-learn's do: single, if X is float32 (`precision_of`), and so is the X
that a model was fitted to; else double.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from numbers import Integral, Number, Real
from typing import Concatenate, ParamSpec, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, assert_all_finite, column_or_1d, validate_data

from probml.typing import Array, Labels, Mask, Matrix

NUMBER = Real | np.bool_
Model = TypeVar("Model")
P = ParamSpec("P")
R = TypeVar("R")

# To find NaN, scikit-learn adds up all of X: of large numbers, that is inf, or inf - inf.
_large_numbers_may_add_up = np.errstate(over="ignore", invalid="ignore")


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def parameters(model: type) -> type:
    """A model whose annotated names are its parameters: the arguments of its constructor, by name, with defaults.

    A subclass has the parameters of its base too, and may give them other defaults. scikit-learn reads the signature.
    """
    return dataclass(kw_only=True, eq=False, repr=False)(model)


def require_flags(model: BaseEstimator, *names: str) -> None:
    """Refuse what is neither True nor False, by the name of the parameter."""
    for name in names:
        if not isinstance(value := getattr(model, name), bool | np.bool_):
            raise ValueError(f"{name} must be True or False, received {value!r}")


def require_number(name: str, value: float, *, above: float | None = None, at_most: float = np.inf) -> None:
    """Refuse what is not one finite number of at least 0 (or `above` a number) and `at_most` another, by its name."""
    if not (is_number(value) and 0 <= value <= at_most and value < np.inf and (above is None or value > above)):
        limits = f"above {above:g}" if above is not None else "of at least 0"
        expected = f"a finite number {limits}" if at_most == np.inf else f"a number from 0 to {at_most:g}"
        raise ValueError(f"{name} must be {expected}, received {value!r}")


def is_number(value: object) -> bool:
    """Whether this is one real number."""
    return isinstance(value, Real)


def is_whole(value: object) -> bool:
    """Whether this is one whole number, by its type."""
    return isinstance(value, Integral)


class AllOrNothing:
    """A model that a `fit` or `partial_fit` which raises leaves as it was: validation alone sets names of features."""

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        for name in {"fit", "partial_fit"} & set(vars(cls)):
            setattr(cls, name, _all_or_nothing(vars(cls)[name]))


def _all_or_nothing(method: Callable[Concatenate[Model, P], R]) -> Callable[Concatenate[Model, P], R]:
    @wraps(method)
    def whole(self: Model, /, *args: P.args, **options: P.kwargs) -> R:
        before = vars(self).copy()
        try:
            return method(self, *args, **options)
        except BaseException:
            self.__dict__ = before  # in one step: a second Ctrl-C finds one of the two
            raise

    return whole


@_large_numbers_may_add_up
def examples(model: BaseEstimator, X: Matrix, *, reset: bool, **checks: object) -> Matrix:
    """X, shape (m, n), for a model: dense, or canonical CSR if `checks` accept sparse matrices.

    reset : whether this X says how many features there are, and their names; otherwise it has to agree.
    """
    given = _added_up(X)
    if not reset and _is_valid(model, given, **checks):
        return given
    valid = validate_data(model, given, reset=reset, **checks)
    return given if valid is given else canonical(valid)


def _is_valid(
    model: BaseEstimator,
    X: Matrix,
    dtype: object = "numeric",
    accept_sparse: object = False,
    ensure_all_finite: object = True,
) -> bool:
    """Whether X is a matrix in which validation, which takes longer than a small prediction, would find no fault."""
    fitted, numbers = vars(model), X.data if accept_sparse and isinstance(X, sparse.csr_array) else X
    return (
        type(numbers) is np.ndarray
        and (numbers.dtype == np.float64 or (numbers.dtype.kind in "iu" and dtype == "numeric"))
        and X.ndim == 2
        and X.shape[0] > 0
        and X.shape[1] == fitted.get("n_features_in_")
        and "feature_names_in_" not in fitted
        and (ensure_all_finite is False or bool(np.isfinite(numbers.sum())))
    )


@_large_numbers_may_add_up
def training_examples(
    model: BaseEstimator, X: Matrix, y: ArrayLike | None, *, reset: bool = True, **checks: object
) -> tuple[Matrix, Labels]:
    """X, shape (m, n), as above, and y, shape (m,): labels for a classifier, otherwise numbers."""
    classifies = isinstance(model, ClassifierMixin)
    if classifies and y is not None:  # scikit-learn says that there has to be one
        y = labels(y)
    if reset and _is_plain(X, y, **checks):
        vars(model).pop("feature_names_in_", None)
        model.n_features_in_ = X.shape[1]
        return X, np.asarray(y)
    X, valid = validate_data(model, _added_up(X), y, reset=reset, y_numeric=not classifies, **checks)
    return canonical(X), valid


def _is_plain(X: Matrix, y: ArrayLike | None, **checks: object) -> bool:
    """Whether these are arrays in which validation, which takes longer than a small fit, would find no fault."""
    return (
        type(X) is type(y) is np.ndarray
        and X.dtype == np.float64  # which all models take as it is
        and X.ndim == 2
        and X.size > 0
        and y.shape == X.shape[:1]
        and y.dtype.kind in "biufU"
        and (y.dtype.kind != "f" or bool(np.isfinite(y.sum())))
        and (checks.get("ensure_all_finite") is False or bool(np.isfinite(X.sum())))
    )


@_large_numbers_may_add_up
def matrix(X: Matrix, **checks: object) -> Matrix:
    """X, shape (m, n), for a function: dense or canonical CSR."""
    return canonical(check_array(_added_up(X), accept_sparse="csr", **checks))


@_large_numbers_may_add_up
def canonical(X: Matrix) -> Matrix:
    """Dense X as it is; sparse X as canonical CSR, with the arrays of X if these are so already, else with new ones."""
    if not sparse.issparse(X):
        return X
    # Not X itself: it may remember that it was in order, before somebody wrote to its arrays.
    rows = sparse.csr_array(X)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
        assert_all_finite(rows.data, input_name="X")  # the sum of two entries of a cell may be too large
    if not rows.data.all():
        rows = rows.copy()
        rows.eliminate_zeros()
    return rows


def precision_of(X: Matrix) -> np.dtype:
    """float32 for X of float32, an array or a table all of whose columns are; float64 for anything else."""
    dtypes = {X.dtype} if hasattr(X, "dtype") else set(getattr(X, "dtypes", ()))
    return np.dtype(np.float32 if dtypes == {np.dtype(np.float32)} else np.float64)


def in_precision(values: Matrix, *precisions: np.dtype) -> Matrix:
    """What was found in double precision, in single precision if all of these are."""
    if np.result_type(*precisions) != np.float32:
        return values
    try:
        with np.errstate(over="raise"):
            return values.astype(np.float32)
    except FloatingPointError as error:
        raise ValueError("X of float32 gives more than float32 can hold: rescale X, or give it as float64") from error


def _added_up(X: Matrix) -> Matrix:
    """X with each cell stored once, in the dtype of X: scikit-learn changes that first, and SciPy's `toarray` does not.

    Two entries True of a cell are True, not 2. float16 is left to scikit-learn: SciPy does not add it up.
    """
    return canonical(X) if sparse.issparse(X) and X.ndim == 2 and X.dtype.kind in "biuf" and X.dtype != "e" else X


def weights(sample_weight: ArrayLike | None, X: Matrix, *, may_be_empty: bool = False) -> Array | None:
    """Weights of the rows of X, as below; None if there are none."""
    return None if sample_weight is None else given_weights(sample_weight, X, may_be_empty=may_be_empty)


def given_weights(sample_weight: ArrayLike, X: Matrix, *, may_be_empty: bool = False) -> Array:
    """Weights of the rows of X, not negative, shape (m,).

    may_be_empty : all of them may be 0, as they may where X is only a part of the examples.
    """
    given = np.asarray(sample_weight)
    for row, each in enumerate(given.ravel().tolist() if given.dtype.kind not in "biuf" else ()):
        if not isinstance(each, Number | np.bool_):
            raise ValueError(f"sample_weight has {each!r} in row {row}, which is no number")
    m = X.shape[0]
    if may_be_empty and given.shape in ((), (m,)) and not given.any():
        return np.zeros(m)  # scikit-learn would refuse them
    weight: Array = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    return weight


def labels(y: ArrayLike, name: str = "y") -> Labels:
    """Labels of classes to learn, shape (m,): whole numbers, or text."""
    found: Labels = y if type(y) is np.ndarray and y.ndim == 1 else column_or_1d(y, warn=True)
    _require_labels(y, found, name)
    if found.dtype.kind not in "biuU":  # these are labels, whatever they are
        check_classification_targets(found)
    return found


def labels_to_compare(y: ArrayLike, name: str = "y") -> Labels:
    """Labels as an array of any shape: all of them numbers, or text."""
    found = np.asarray(y)
    _require_labels(y, found, name)
    return found


def require_same_kind(y: Labels, other: Labels, name: str) -> None:
    """Refuse numbers to be compared with text: 1 and "1" are never equal. y, other : labels, one or more of each."""
    if {_kind(y.item(0)), _kind(other.item(0))} == {str, NUMBER}:
        raise ValueError(
            f"y has {y.item(0)!r} and {name} has {other.item(0)!r}: a number never equals text. Make both text, "
            "or both numbers"
        )


def _require_labels(given: ArrayLike, found: Labels, name: str) -> None:
    """Refuse labels that are missing, or cannot be put in order; found : what NumPy has made of those given."""
    if found.dtype.kind == "f":
        _require_none_missing(found, np.isnan(found), name)
    # From a list of numbers and text NumPy makes text of all.
    elif found.dtype.kind == "O" or (found.dtype.kind in "US" and not hasattr(given, "dtype")):
        each = np.array(given, dtype=object).ravel()
        if set(map(type, each)) == {str}:
            return
        _require_none_missing(each, np.fromiter(map(_is_missing, each), bool, len(each)), name)
        kinds = [_kind(label) for label in each]
        if other := next((row for row, kind in enumerate(kinds) if kind != kinds[0]), 0):
            raise ValueError(
                f"{name} has labels of different types, {each[0]!r} in row 0 and {each[other]!r} in row {other}, which "
                "have no order: make all of them text, or all of them numbers"
            )
    if found.size and isinstance(found.item(0), bytes):
        raise ValueError(
            f"{name} has labels of bytes, {found.item(0)!r} in row 0, where text is needed: decode them, "
            "[label.decode() for label in y]"
        )


def _require_none_missing(each: Labels, missing: Mask, name: str) -> None:
    if missing.any():
        row = int(missing.argmax())
        raise ValueError(f"{name} has {each[row]} in row {row}, which is no label: leave out rows without one")


def _is_missing(label: object) -> bool:
    return label is None or (isinstance(label, Real) and bool(label != label))  # only NaN differs from itself


def _kind(label: object) -> object:
    return next((kind for kind in (str, bytes, NUMBER) if isinstance(label, kind)), type(label))
