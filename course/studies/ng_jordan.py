"""The 15 two-class problems of Ng & Jordan (2002), with what the paper leaves open decided once, here.

The paper says: each experiment uses only the continuous or only the discrete attributes; inputs are scaled to [0, 1];
discrete naive Bayes smooths by (# + 1) / (# + 2). It does not say how more than two values or classes were coded, nor
what became of missing values. The choices, with the reasons for them:

scaling      a continuous attribute goes from its smallest to its largest value over all rows of the problem. Which of
             the two classes a row has plays no part. A constant attribute becomes 0.
coding       every discrete feature is 0 or 1, since (# + 1) / (# + 2) is the estimate for two outcomes. An attribute
             with two values is one feature, any other is one indicator for each of its values. Two complementary
             indicators would make naive Bayes count one piece of evidence twice.
missing      no row is lost, and nothing is filled in. Where an attribute of two values has gaps, a second feature says
             that the value is missing; of more than two values, a gap turns none of the indicators on.
boston       is the price above the median? Rows at the median count as not above. All 13 attributes are numbers and
             are used as such, the indicator of the river among them.
lymphography metastases against malign lymph. The other two diagnoses have six patients together, and the published
             curve ends at m = 135 of the 142 rows that are left.
lenses       any lenses (hard or soft) against none, all 24 rows. The panel is titled "hard vs soft", but only nine rows
             are either, while the curve reaches m = 23: the task must have used all rows.
sick         the discrete attributes of the joined records; see the format `sick`.
ionosphere   the 32 continuous attributes; the first two, one binary and one constant, are discrete and left out.

These are the defaults of `ng_jordan`. What the published curves say about the same questions is another matter, which
the note on the paper looks into; the arguments of `ng_jordan` give the other answers.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from course.datasets import Column, Dataset, load
from course.errors import UnknownDataError
from probml.errors import ParameterError

Kind = Literal["continuous", "discrete"]
Coding = Literal["binary", "contrasts", "categories"]


@dataclass(frozen=True)
class Task:
    """A two-class problem: X of shape (rows, features) with entries from 0 to 1, y of 0 and 1.

    Where the kind is "discrete", X holds only 0 and 1; or, with categories, the number of the category of each
    attribute. class_names : of y = 0 and y = 1. categories : how many each attribute has, if X holds their numbers.
    """

    name: str
    kind: Kind
    X: NDArray[np.float64]
    y: NDArray[np.intp]
    feature_names: tuple[str, ...]
    class_names: tuple[str, str]
    categories: tuple[int, ...] = ()


# task: data set, kind of attributes, classes that count as 0 and as 1; rows of other classes are left out
_TASKS: dict[str, tuple[str, Kind, tuple[str, ...], tuple[str, ...]]] = {
    "pima": ("pima", "continuous", ("tested_negative",), ("tested_positive",)),
    "adult-continuous": ("adult", "continuous", ("<=50K",), (">50K",)),
    "boston": ("boston", "continuous", ("not above the median",), ("above the median",)),
    "optdigits-01": ("optdigits", "continuous", ("0",), ("1",)),
    "optdigits-23": ("optdigits", "continuous", ("2",), ("3",)),
    "ionosphere": ("ionosphere", "continuous", ("b",), ("g",)),
    "liver": ("liver", "continuous", ("1",), ("2",)),
    "sonar": ("sonar", "continuous", ("R",), ("M",)),
    "adult-discrete": ("adult", "discrete", ("<=50K",), (">50K",)),
    "promoters": ("promoters", "discrete", ("mm",), ("pp",)),
    "lymphography": ("lymphography", "discrete", ("malign lymph",), ("metastases",)),
    "breast-cancer": ("breast-cancer", "discrete", ("no-recurrence-events",), ("recurrence-events",)),
    "lenses": ("lenses", "discrete", ("none",), ("hard", "soft")),
    "sick": ("sick", "discrete", ("negative",), ("sick",)),
    "voting": ("voting", "discrete", ("republican",), ("democrat",)),
}


def task_names() -> list[str]:
    """Names of the 15 problems, in the order of the paper's figure."""
    return list(_TASKS)


def task_source(name: str) -> str:
    """Name of the data set that the problem `name` is made of."""
    return _entry(name)[0]


def task_kind(name: str) -> Kind:
    """Whether the problem `name` uses the continuous or the discrete attributes."""
    return _entry(name)[1]


def ng_jordan(name: str, *, coding: Coding = "binary", complete: bool = False, two_valued: bool = False) -> Task:
    """The problem `name` of `task_names()`.

    coding : of discrete attributes. "binary" as above; "contrasts" one indicator for each value but that which comes
        first in the file, whatever their number; "categories" the number of the value. The last two have no way to say
        that a value is missing: they need complete=True where some are.
    complete : leave out rows in which an attribute of the problem is missing.
    two_valued : of a continuous problem, use discrete attributes of at most two values too, as numbers.
    """
    source, kind, zero, one = _entry(name)
    if coding not in get_args(Coding):
        raise ParameterError(f"coding must be one of {', '.join(get_args(Coding))}; received {coding!r}")
    data = load(source)
    labels = _labels(data)
    columns = data.continuous if kind == "continuous" else ~data.continuous
    if two_valued and kind == "continuous":
        columns = columns | np.array([0 < len(feature.categories) <= 2 for feature in data.features])
    features = [feature for feature, wanted in zip(data.features, columns, strict=True) if wanted]
    rows = np.isin(labels, [*zero, *one])
    if complete:
        rows &= ~np.isnan(data.X[:, columns]).any(axis=1)
    X, categories = data.X[np.ix_(rows, columns)], ()
    if coding != "binary" and kind == "discrete" and (gaps := np.isnan(X).any(axis=1).sum()):
        raise ParameterError(f"{name} has {gaps} rows with missing values, which {coding} cannot say: complete=True")
    if kind == "continuous":
        X, names = _scaled(X), [feature.name for feature in features]
    elif coding == "categories":
        names, categories = [feature.name for feature in features], tuple(len(f.categories) for f in features)
    else:
        shown = [
            _shown(coding, x, feature.categories) for x, feature in zip(data.X[:, columns].T, features, strict=True)
        ]
        coded = [_indicators(*each) for each in zip(X.T, features, shown, strict=True)]
        X = np.column_stack([indicators for indicators, _ in coded])
        names = [name for _, of_feature in coded for name in of_feature]
    y = np.isin(labels[rows], one).astype(np.intp)
    return Task(name, kind, X, y, tuple(names), (" or ".join(zero), " or ".join(one)), categories)


def decisions(name: str) -> list[str]:
    """What the defaults of `ng_jordan` mean for the problem `name`, in words, counted from its data."""
    source, kind, zero, one = _entry(name)
    data = load(source)
    labels = _labels(data)
    used = data.continuous if kind == "continuous" else ~data.continuous
    found = [f"{' and '.join(classes)} are one class" for classes in (zero, one) if len(classes) > 1]
    if not data.class_names:
        found.append(f"two classes: above the median of {np.median(data.y):g}, or not")
    if left_out := np.count_nonzero(~np.isin(labels, [*zero, *one])):
        found.append(f"{left_out:,} rows of other classes left out")
    if not used.all():
        found.append(f"{(~used).sum()} {'discrete' if kind == 'continuous' else 'continuous'} attributes left out")
    if kind == "discrete":
        gaps = np.isnan(data.X).any(axis=0) & used
        two_valued = np.array([len(feature.categories) == 2 for feature in data.features]) & used
        for of_kind, coded, marked in (
            (two_valued, "two-valued attributes ({}): one feature each", "a second feature says so"),
            (used & ~two_valued, "attributes of more values ({}): an indicator for each value", "no indicator is on"),
        ):
            if of_kind.any():
                found.append(coded.format(of_kind.sum()))
            if (gaps & of_kind).any():
                found.append(f"gaps in {(gaps & of_kind).sum()} of these: {marked}")
    return found


def _entry(name: str) -> tuple[str, Kind, tuple[str, ...], tuple[str, ...]]:
    if name not in _TASKS:
        raise UnknownDataError(f"unknown task {name!r}. Known: {', '.join(_TASKS)}")
    return _TASKS[name]


def _labels(data: Dataset) -> NDArray[np.str_]:
    if data.class_names:
        return np.array(data.class_names)[data.y]
    return np.where(data.y > np.median(data.y), "above the median", "not above the median")


def _scaled(X: NDArray[np.float64]) -> NDArray[np.float64]:
    low, span = X.min(axis=0), np.ptp(X, axis=0)
    return (X - low) / np.where(span > 0, span, 1)


def _shown(coding: Coding, codes: NDArray[np.float64], categories: tuple[str, ...]) -> list[int]:
    """Categories that get an indicator. codes : of all rows of the file."""
    if coding == "contrasts":
        return [n for n in range(len(categories)) if n != codes[~np.isnan(codes)][0]]
    return [1] if len(categories) == 2 else list(range(len(categories)))


def _indicators(codes: NDArray[np.float64], feature: Column, shown: list[int]) -> tuple[NDArray[np.float64], list[str]]:
    features = (codes[:, None] == np.array(shown)).astype(float)
    names = [f"{feature.name}={feature.categories[n]}" for n in shown]
    gaps = np.isnan(codes)
    if len(feature.categories) == 2 and gaps.any():
        return np.column_stack([features, gaps]), [*names, f"{feature.name}=?"]
    return features, names
