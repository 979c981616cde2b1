"""The 15 problems of Ng & Jordan: sizes and codings, against the raw files read once more, in another way."""

import csv
import io
import re
from functools import cache

import numpy as np
import pytest

from course import datasets
from course.datasets import registry, wheels
from course.errors import DataError, UnknownDataError
from course.studies.ng_jordan import Task, decisions, ng_jordan, task_kind, task_names, task_source
from probml.errors import ParameterError

# task: rows, features, rows of the class 1; in the order of the paper's figure
CONTINUOUS = {
    "pima": (768, 8, 268),
    "adult-continuous": (32561, 6, 7841),
    "boston": (506, 13, 250),
    "optdigits-01": (1125, 64, 571),
    "optdigits-23": (1129, 64, 572),
    "ionosphere": (351, 32, 225),
    "liver": (345, 6, 200),
    "sonar": (208, 60, 111),
}
DISCRETE = {
    "adult-discrete": (32561, 98, 7841),
    "promoters": (106, 228, 53),
    "lymphography": (142, 50, 81),
    "breast-cancer": (286, 39, 85),
    "lenses": (24, 6, 9),
    "sick": (3772, 26, 231),
    "voting": (435, 32, 267),
}

task = cache(ng_jordan)


def test_tasks_are_in_the_order_of_the_figure():
    assert task_names() == [*CONTINUOUS, *DISCRETE]
    assert len(task_names()) == 15


@pytest.mark.parametrize(("name", "rows", "features", "ones"), [(n, *s) for n, s in (CONTINUOUS | DISCRETE).items()])
def test_sizes_and_ranges(name, rows, features, ones):
    made = task(name)
    assert isinstance(made, Task)
    assert made.name == name
    assert made.kind == ("continuous" if name in CONTINUOUS else "discrete")
    assert made.X.shape == (rows, features)
    assert made.X.dtype == np.float64
    assert np.isfinite(made.X).all()
    assert made.X.min() == 0
    assert made.X.max() == 1
    assert made.y.shape == (rows,)
    assert made.y.dtype == np.intp
    assert set(made.y) == {0, 1}
    assert made.y.sum() == ones
    assert len(made.feature_names) == len(set(made.feature_names)) == features
    assert len(set(made.class_names)) == 2


# Continuous attributes.


def rows_of(name: str) -> np.ndarray:
    """The rows of a task's data set that belong to it."""
    digits = {"optdigits-01": ("0", "1"), "optdigits-23": ("2", "3")}.get(name)
    data = datasets.load(data_set(name))
    return np.isin(np.array(data.class_names)[data.y], digits) if digits else np.full(len(data.y), True)


def data_set(name: str) -> str:
    return name.partition("-")[0] if name.startswith(("adult", "optdigits")) else name


@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous_columns_go_from_0_to_1_and_back_to_the_raw_ones(name):
    made, data = task(name), datasets.load(data_set(name))
    raw = data.X[rows_of(name)][:, data.continuous]
    assert made.feature_names == tuple(np.array(data.feature_names)[data.continuous])
    constant = raw.min(axis=0) == raw.max(axis=0)
    np.testing.assert_array_equal(made.X.min(axis=0), 0)
    np.testing.assert_array_equal(made.X.max(axis=0), ~constant)
    np.testing.assert_allclose(made.X * np.ptp(raw, axis=0) + raw.min(axis=0), raw, rtol=1e-12, atol=1e-12)


def test_only_digits_have_constant_columns():
    constant = {name: int((task(name).X == 0).all(axis=0).sum()) for name in CONTINUOUS}
    assert {name for name, count in constant.items() if count} == {"optdigits-01", "optdigits-23"}


def test_digits_are_scaled_over_the_two_of_the_task():
    data, made = datasets.load("optdigits"), task("optdigits-23")
    two_or_three = np.isin(data.y, [2, 3])
    np.testing.assert_array_equal(made.y, data.y[two_or_three] == 3)
    assert (data.X.max(axis=0) > data.X[two_or_three].max(axis=0)).any()


def test_ionosphere_has_neither_the_binary_nor_the_constant_attribute():
    assert task("ionosphere").feature_names == tuple(f"a{n}" for n in range(3, 35))


def test_boston_asks_whether_the_price_is_above_the_median():
    made, price = task("boston"), datasets.load("boston").y
    middle = np.sort(price)[252:254].mean()
    np.testing.assert_array_equal(made.y, price > middle)
    at_the_median = price == middle
    assert at_the_median.any()
    assert not made.y[at_the_median].any()
    assert made.class_names == ("not above the median", "above the median")
    assert "MEDV" not in made.feature_names


# Discrete attributes.

CLASS_1 = {
    "adult-discrete": [">50K"],
    "promoters": ["pp"],
    "lymphography": ["metastases"],
    "breast-cancer": ["recurrence-events"],
    "lenses": ["hard", "soft"],
    "sick": ["sick"],
    "voting": ["democrat"],
}
GRADES = ["lym_dimin", "lym_enlar", "no_nodes"]  # marked continuous in the file
NO_ATTRIBUTE = ["age", "TSH", "T3", "TT4", "T4U", "FTI", "TBG", "TBG_measured", "Class"]  # of the thyroid records


@cache
def raw(name: str) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """The discrete attributes as strings, "" where missing, and the labels."""
    files = {key: wheels.read(member).decode() for key, member in registry.entry(data_set(name)).files.items()}
    if name == "sick":
        attributes, labels = (list(csv.DictReader(io.StringIO(files[key]))) for key in ("attributes", "labels"))
        names = [column for column in attributes[0] if column not in NO_ATTRIBUTE]
        table = {column: np.array([row[column].replace("?", "") for row in attributes]) for column in names}
        return table, np.array([row["class"] for row in labels])
    header, kinds, _, *rows = ([cell.strip() for cell in line.split("\t")] for line in files["table"].splitlines())
    table = {column: np.array([row[n].replace("?", "") for row in rows]) for n, column in enumerate(header)}
    labels = table.pop(registry.entry(data_set(name)).options["target"])
    kind = dict(zip(header, kinds, strict=True))
    return {c: v for c, v in table.items() if kind[c] not in ("c", "continuous") or c in GRADES}, labels


@pytest.mark.parametrize("name", DISCRETE)
def test_discrete_features_are_indicators_of_the_raw_values(name):
    made = task(name)
    assert set(np.unique(made.X)) == {0, 1}
    attributes, labels = raw(name)
    kept = np.isin(labels, ["malign lymph", "metastases"]) if name == "lymphography" else np.full(len(labels), True)
    np.testing.assert_array_equal(made.y, np.isin(labels[kept], CLASS_1[name]))
    column = dict(zip(made.feature_names, made.X.T, strict=True))
    for attribute, all_values in attributes.items():
        values = all_values[kept]
        present = sorted(set(all_values) - {""})
        indicators = {value: column.pop(f"{attribute}={value}", None) for value in present}
        if len(present) == 2:
            assert indicators.pop(present[0]) is None, attribute  # the second value's indicator says it all ...
            if "" in values:  # ... but for the gaps
                np.testing.assert_array_equal(column.pop(f"{attribute}=?"), values == "", err_msg=attribute)
        else:
            np.testing.assert_array_equal(sum(indicators.values()), values != "", err_msg=attribute)
        for value, indicator in indicators.items():
            np.testing.assert_array_equal(indicator, values == value, err_msg=f"{attribute}={value}")
    assert not column, "features of no attribute"


@pytest.mark.parametrize(
    ("name", "missing"),
    [("adult-discrete", 4262), ("breast-cancer", 9), ("sick", 150), ("voting", 392), ("lenses", 0), ("promoters", 0)],
)
def test_every_missing_cell_can_be_told(name, missing):
    """By an indicator of its own for attributes of two values, by none that is on for the others."""
    attributes, _ = raw(name)
    made, told = task(name), 0
    for attribute, values in attributes.items():
        features = [n for n, feature in enumerate(made.feature_names) if feature.rpartition("=")[0] == attribute]
        if f"{attribute}=?" in made.feature_names:
            told += made.X[:, made.feature_names.index(f"{attribute}=?")].sum()
        elif len(set(values) - {""}) > 2:
            told += (made.X[:, features].sum(axis=1) == 0).sum()
    assert told == missing


# Other codings.


def rows_of_the_task(name: str, labels: np.ndarray) -> np.ndarray:
    return np.isin(labels, ["malign lymph", "metastases"]) if name == "lymphography" else np.full(len(labels), True)


@pytest.mark.parametrize("name", DISCRETE)
def test_categories_are_the_raw_values_of_complete_rows(name):
    made = ng_jordan(name, coding="categories", complete=True)
    attributes, labels = raw(name)
    kept = rows_of_the_task(name, labels) & np.all([values != "" for values in attributes.values()], axis=0)
    np.testing.assert_array_equal(made.y, np.isin(labels[kept], CLASS_1[name]))
    assert made.feature_names == tuple(attributes)
    assert len(made.categories) == made.X.shape[1]
    for (attribute, values), codes, k in zip(attributes.items(), made.X.T, made.categories, strict=True):
        present = sorted(set(values) - {""})
        assert k == len(present), attribute
        # one code for each value: as many pairs as values, and none above k - 1
        pairs = set(zip(codes, values[kept], strict=True))
        assert len(pairs) == len({code for code, _ in pairs}) == len({value for _, value in pairs}), attribute
        assert {code for code, _ in pairs} <= set(range(k))


@pytest.mark.parametrize("name", DISCRETE)
def test_contrasts_leave_out_the_value_that_comes_first_in_the_file(name):
    made = ng_jordan(name, coding="contrasts", complete=True)
    attributes, labels = raw(name)
    kept = rows_of_the_task(name, labels) & np.all([values != "" for values in attributes.values()], axis=0)
    assert len(made.y) == kept.sum()
    column = dict(zip(made.feature_names, made.X.T, strict=True))
    for attribute, values in attributes.items():
        first = next(value for value in values if value)
        others = sorted(set(values) - {"", first})
        for value in others:
            np.testing.assert_array_equal(column.pop(f"{attribute}={value}"), values[kept] == value)
    assert not column


@pytest.mark.parametrize(
    ("name", "rows"), [("adult-discrete", 30162), ("breast-cancer", 277), ("sick", 3622), ("voting", 232)]
)
def test_complete_rows(name, rows):
    made = ng_jordan(name, complete=True)
    assert made.X.shape[0] == len(made.y) == rows
    assert not any(feature.endswith("=?") for feature in made.feature_names)
    for coding in ("categories", "contrasts"):
        with pytest.raises(ParameterError, match=rf"^{name} has {len(task(name).y) - rows} rows with missing values"):
            ng_jordan(name, coding=coding)


def test_ionosphere_with_all_34_attributes():
    made, data = ng_jordan("ionosphere", two_valued=True), datasets.load("ionosphere")
    assert made.feature_names == tuple(f"a{n}" for n in range(1, 35))
    np.testing.assert_array_equal(made.X[:, 0], data.X[:, 0])  # 0 and 1 already
    assert not made.X[:, 1].any()
    np.testing.assert_array_equal(made.X[:, 2:], task("ionosphere").X)
    np.testing.assert_array_equal(ng_jordan("sonar", two_valued=True).X, task("sonar").X)


def test_unknown_coding_gives_the_known_ones():
    with pytest.raises(ParameterError, match="binary, contrasts, categories; received 'one-hot'"):
        ng_jordan("voting", coding="one-hot")


def test_sources_and_kinds():
    assert {task_source(name) for name in task_names()} <= set(datasets.names())
    assert [task_source(name) for name in task_names()] == [data_set(name) for name in task_names()]
    assert [name for name in task_names() if task_kind(name) == "discrete"] == list(DISCRETE)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pima", []),
        ("boston", ["two classes: above the median of 21.2, or not"]),
        ("optdigits-01", ["4,495 rows of other classes left out"]),
        ("ionosphere", ["2 discrete attributes left out"]),
        (
            "lenses",
            [
                "hard and soft are one class",
                "two-valued attributes (3): one feature each",
                "attributes of more values (1): an indicator for each value",
            ],
        ),
        ("voting", ["two-valued attributes (16): one feature each", "gaps in 16 of these: a second feature says so"]),
        (
            "breast-cancer",
            [
                "two-valued attributes (3): one feature each",
                "gaps in 1 of these: a second feature says so",
                "attributes of more values (6): an indicator for each value",
                "gaps in 1 of these: no indicator is on",
            ],
        ),
    ],
)
def test_decisions_are_counted_from_the_data(name, expected):
    assert decisions(name) == expected


@pytest.mark.parametrize("name", DISCRETE)
def test_decisions_tell_how_many_features_there_are(name):
    features, told = task(name).feature_names, " ".join(decisions(name))
    marks, attributes = sum(feature.endswith("=?") for feature in features), {f.split("=")[0] for f in features}
    coded = [int(number) for number in re.findall(r"attributes [a-z ]*\((\d+)\)", told)]
    assert sum(coded) == len(attributes)
    assert sum(map(int, re.findall(r"gaps in (\d+) of these: a second", told))) == marks


def test_lenses_are_any_against_none():
    assert task("lenses").class_names == ("none", "hard or soft")
    assert task("lenses").feature_names[:3] == ("age=pre-presbyopic", "age=presbyopic", "age=young")


def test_no_feature_names_the_class():
    for name in DISCRETE:
        target = registry.entry(data_set(name)).columns[-1].split()[0]
        assert not any(feature.partition("=")[0] in (target, "Class") for feature in task(name).feature_names), name


def test_unknown_task_gives_the_known_names():
    with pytest.raises(UnknownDataError, match="unknown task 'adult'") as caught:
        ng_jordan("adult")
    assert isinstance(caught.value, DataError)
    assert all(name in str(caught.value) for name in task_names())
