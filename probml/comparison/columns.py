"""What each column is, found by inspection: numbers, categories, or something that no classifier here can use."""

import datetime
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from probml.comparison.table import Table
from probml.errors import DataError
from probml.families import Bernoulli, Categorical, ExponentialFamily, Gamma, Gaussian, Poisson
from probml.typing import Array, Indices, Mask

MISSING = {"", "?", "NA", "N/A", "#N/A", "na", "n/a", "NaN", "nan", "NULL", "null", "None", "NaT", "<NA>"}
NUMBERS = {"gaussian": Gaussian(), "gamma": Gamma(), "poisson": Poisson()}
KINDS = ("number", *NUMBERS, "category", "drop")
MOST_LEVELS = 100  # of a category that is kept without being asked for
MOST_LEVELS_ASKED = 1000
MOST_CLASSES = 50
FEWEST_OF_A_CLASS = 10
LARGEST = 1e100  # of numbers, whose squares still can be added up; ranges are at least one over this
MOSTLY = 0.9  # share of numbers from which on anything else in the column is a slip
TELLS = 0.02  # of the errors of the most frequent class: a column of few values that by itself makes no more is suspect
WRITTEN = re.compile(  # numbers as people write them, with currency, percent sign, thousands or a decimal comma
    r"[-+]?([$€£]\s?|[A-Z]{3}\s)?(\d{1,3}([,.' \u00a0\u202f]\d{3})+|\d+)([.,]\d+)?(\s?[%$€£]|\s[A-Z]{3})?"
)
DATE = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?|\d{1,2}[./]\d{1,2}[./](\d{4}|\d\d)( .*)?")


@dataclass(frozen=True)
class Column:
    """A column to learn from.

    values : shape (N,), NaN where missing: numbers, or numbers of `levels`. family : its distribution within a class.
    """

    name: str
    values: Array
    family: ExponentialFamily
    levels: tuple[str, ...] = ()

    @property
    def missing(self) -> int:
        """How many values are missing."""
        return int(np.isnan(self.values).sum())

    @property
    def described(self) -> str:
        """Kind and family in words."""
        if self.levels:
            return f"{len(self.levels)} categories"
        return {"Gaussian": "number, normal", "Gamma": "number, gamma", "Poisson": "count, Poisson"}[
            type(self.family).__name__
        ]


@dataclass(frozen=True)
class Examples:
    """A table ready for the race. y : numbers of the classes, shape (N,). left_out : reasons by column."""

    source: str
    target: str
    columns: tuple[Column, ...]
    y: Indices
    classes: tuple[str, ...]
    left_out: Mapping[str, str]
    notices: tuple[str, ...] = ()


def inspect(table: Table, target: str, kinds: Mapping[str, str] | None = None) -> Examples:
    """Type every column but the target. kinds : of columns that are not to be inspected, by name."""
    kinds = dict(kinds or {})
    if target not in table.columns:
        raise DataError(f"{table.source}: no column {target!r} to predict; there are {_listed(table.columns)}")
    others = {name: values for name, values in table.columns.items() if name != target}
    if not others:
        raise DataError(f"{table.source}: no column but {target!r}, and nothing to predict it from")
    for name, kind in kinds.items():
        if name not in others or kind not in KINDS:
            raise DataError(
                f"{table.source}: cannot take column {name!r} for {kind!r}: kinds are {', '.join(KINDS)}, columns "
                f"{_listed(others)}"
            )
    y, classes, rows, notices = _classes(table, target)
    columns, left_out = [], {}
    for name, values in others.items():
        try:
            column = _column(table, name, [_present(values[row]) for row in rows], rows, kinds.get(name, ""))
        except _LeftOutError as reason:
            left_out[name] = str(reason)
            continue
        exceptions = len(y) if kinds.get(name) else _exceptions(column, y, len(classes))
        if exceptions == 0:
            left_out[name] = f"a leak: each of its values occurs with one {target!r} only. Is it known beforehand?"
            continue
        if exceptions <= TELLS * (len(y) - np.bincount(y).max()):
            notices.append(
                f"Column {name!r} by itself tells {target!r} in all rows but {exceptions:,}. Is it known beforehand? "
                f"If not, leave it out: --column {name}=drop"
            )
        columns.append(column if kinds.get(name) in NUMBERS or column.levels else _with_family(column, y))
    if not columns:
        reasons = [f"{name}: {reason}" for name, reason in left_out.items()]
        more = [f"and {len(reasons) - 2} more"] * (len(reasons) > 2)
        raise DataError(f"{table.source}: no column is left to learn from. {'; '.join([*reasons[:2], *more])}")
    return Examples(table.source, target, tuple(columns), y, classes, left_out, tuple(notices))


class _LeftOutError(Exception):
    """Why a column is of no use."""


def _classes(table: Table, target: str) -> tuple[Indices, tuple[str, ...], list[int], list[str]]:
    """Classes of the rows that have one, their names, these rows, and what is to be said of the others."""
    values = [_present(value) for value in table.columns[target]]
    rows = [row for row, value in enumerate(values) if value is not None]
    where, notices = f"{table.source}, column {target!r}", []
    if not rows:
        raise DataError(f"{where}: the class is missing in every row")
    if len(rows) < len(values):
        first = table.place(values.index(None))
        without = len(values) - len(rows)
        notices.append(f"Rows without {target!r} are left out: {without:,} of {len(values):,}, the first in {first}")
    labels = [_name(values[row]) for row in rows]
    count = Counter(labels)
    if len(count) == 1:
        raise DataError(f"{where}: there is one class only, {labels[0]!r}, and nothing to tell apart")
    if len(count) > MOST_CLASSES:
        raise DataError(
            f"{where}: {len(count):,} different values are too many for classes ({MOST_CLASSES} at most). If it is a "
            "quantity, cut it into classes first"
        )
    rarest = min(sorted(count), key=lambda name: count[name])
    if count[rarest] < FEWEST_OF_A_CLASS:
        raise DataError(
            f"{where}: class {rarest!r}, first in {table.place(rows[labels.index(rarest)])}, has too few rows "
            f"({count[rarest]}): a curve takes {FEWEST_OF_A_CLASS} or more of each class. Merge it with another "
            "or leave it out"
        )
    classes = tuple(_sorted(count))
    number = {name: k for k, name in enumerate(classes)}
    return np.array([number[label] for label in labels], dtype=np.intp), classes, rows, notices


def _column(table: Table, name: str, values: list[object], rows: Sequence[int], kind: str) -> Column:
    """Numbers or categories; raises _LeftOutError for what is neither."""
    if kind == "drop":
        raise _LeftOutError("as you asked")
    there = [value for value in values if value is not None]
    if not there:
        raise _LeftOutError("all its values are missing")
    if len(distinct := set(map(_name, there))) == 1:
        raise _LeftOutError(f"constant: always {next(iter(distinct))!r}")
    numbers = [_number(value) for value in values]
    slips = [place for place, value in enumerate(values) if value is not None and numbers[place] is None]
    odd = {_name(values[place]) for place in slips}
    # One word among many numbers says "missing", however often.
    mostly = len(there) - len(slips) >= MOSTLY * len(there) or len(odd) == 1
    is_number = mostly and len(distinct) > 2
    if kind == "number" or kind in NUMBERS or (not kind and is_number and not slips):
        return _of_numbers(table, name, numbers, rows, kind)
    if kind == "category":
        return _of_categories(name, values, MOST_LEVELS_ASKED)
    if is_number and len(odd) < len(distinct) - len(odd) > MOST_LEVELS / 10:
        raise DataError(
            f"{table.source}, {table.place(rows[slips[0]])}, column {name!r}: {values[slips[0]]!r} among numbers. "
            f"Correct it, or say --column {name}=number (all else is then missing) or --column {name}=category"
        )
    if all(isinstance(value, datetime.date | datetime.time) or DATE.fullmatch(str(value)) for value in there):
        raise _LeftOutError("dates: make numbers of them, such as the age in days or the month")
    written = [place for place in slips if WRITTEN.fullmatch(str(values[place]))]
    if written and len(distinct) > MOST_LEVELS / 10 and len(slips) - len(written) <= (1 - MOSTLY) * len(there):
        example = f"{values[written[0]]!r} in {table.place(rows[written[0]])}"
        raise _LeftOutError(
            f"numbers written as text, {example}: write them like 1234.5, or say --column {name}=category"
        )
    if len(distinct) > max(MOST_LEVELS, len(there) / 2):
        words = sum(str(value).count(" ") for value in there) / len(there) + 1
        if words >= 3:
            raise _LeftOutError("free text: see probml.text for features made of words")
        raise _LeftOutError(f"an identifier: {len(distinct):,} different values in {len(there):,} rows")
    return _of_categories(name, values, MOST_LEVELS)


def _of_numbers(table: Table, name: str, numbers: list[float | None], rows: Sequence[int], kind: str) -> Column:
    x = np.array([np.nan if value is None else value for value in numbers])
    family = NUMBERS.get(kind, Gaussian())
    for refused, why in (
        (np.isinf(x), "is not a finite number"),
        (np.abs(x) > LARGEST, "is too large: rescale it"),
        (~np.isnan(x) & ~_supported(family, x), f"cannot occur under {kind}, which is for {family.support}"),
    ):
        if refused.any():
            row = int(np.argmax(refused))
            raise DataError(f"{table.source}, {table.place(rows[row])}, column {name!r}: {x[row]:g} {why}")
    there = x[~np.isnan(x)]
    if not len(there) or np.ptp(there) == 0:
        raise _LeftOutError("constant, where it is a number")
    if np.ptp(there) < 1 / LARGEST:
        raise DataError(f"{table.source}, column {name!r}: its range, {np.ptp(there):g}, is too small: rescale it")
    whole = bool((there == np.rint(there)).all())
    if not kind and whole and len(there) > MOST_LEVELS / 2 and len(set(there)) == len(there) > np.ptp(there) / 2:
        raise _LeftOutError(f"an identifier: whole numbers from {there.min():.0f} to {there.max():.0f}, each once")
    return Column(name, x, family)


def _of_categories(name: str, values: list[object], most: int) -> Column:
    levels = _sorted({_name(value) for value in values if value is not None})
    if len(levels) > most:
        raise _LeftOutError(f"{len(levels):,} categories, more than {most}: group them")
    number = {level: float(k) for k, level in enumerate(levels)}
    codes = np.array([np.nan if value is None else number[_name(value)] for value in values])
    family = Bernoulli() if len(levels) == 2 else Categorical(len(levels))
    return Column(name, codes, family, tuple(levels))


def _with_family(column: Column, y: Indices) -> Column:
    """The family of numbers with the largest likelihood within the classes, less half of log N for each parameter."""
    there = ~np.isnan(column.values)
    x, y = column.values[there], y[there]
    whole = bool((x == np.rint(x)).all())

    def score(family: ExponentialFamily) -> float:
        if isinstance(family, Poisson) and not whole:
            return -np.inf
        if not _supported(family, x).all():
            return -np.inf
        total = -0.5 * family.n_natural * len(set(y)) * np.log(len(y))
        for k in set(y):
            own = x[y == k]
            try:
                eta = family.mle(family.collect(own))
            except ValueError:  # all values of the class are the same
                return -np.inf
            total += float(np.sum(family.log_density(own, eta)))
        return total

    best = max(NUMBERS.values(), key=score)
    return replace(column, family=best if score(best) > -np.inf else Gaussian())


def _supported(family: ExponentialFamily, x: Array) -> Mask:
    """Whether each number can occur, and is not missing."""
    if isinstance(family, Gaussian):
        return np.isfinite(x)
    return np.asarray(x > 0 if isinstance(family, Gamma) else (x >= 0) & (x == np.rint(x)))


def _exceptions(column: Column, y: Indices, K: int) -> int:
    """How many rows are not of the class that is most frequent with their value; all rows, where values are many."""
    values = np.nan_to_num(column.values, nan=-np.inf)
    distinct, number = np.unique(values, return_inverse=True)
    if len(distinct) > 2 * K:
        return len(y)
    counts = np.zeros((len(distinct), K))
    np.add.at(counts, (number, y), 1)
    return len(y) - int(counts.max(axis=1).sum())


def _present(value: object) -> object:
    """None for all that says that there is no value."""
    return None if str(value).strip() in MISSING else value


def _number(value: object) -> float | None:
    if isinstance(value, bool | datetime.date | datetime.time) or value is None:
        return None
    try:
        return None if isinstance(value, str) and "_" in value else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    except OverflowError:  # an integer beyond the largest float
        return math.inf


def _name(value: object) -> str:
    """1 and 1.0 are the same class."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _sorted(names: Counter[str] | set[str]) -> list[str]:
    """By number where all are numbers."""
    numbers = {name: _number(name) for name in names}
    if all(number is not None for number in numbers.values()):
        return sorted(names, key=lambda name: (numbers[name], name))
    return sorted(names)


def _listed(names: Mapping[str, object], most: int = 12) -> str:
    shown = ", ".join(repr(name) for name in list(names)[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
