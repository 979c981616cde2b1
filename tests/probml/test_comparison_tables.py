"""Reading tables and typing columns: the rules, and what is said of tables that cannot be used."""

import datetime
import importlib
import re

import numpy as np
import pandas as pd
import pytest

from probml.comparison.columns import inspect
from probml.comparison.table import Table, read
from probml.errors import DataError, MissingPackageError
from probml.families import Bernoulli, Categorical, Gamma, Gaussian, Poisson

N = 200
RNG = np.random.default_rng(0)
Y = ["a", "b"] * (N // 2)
X = RNG.normal(size=N).tolist()


def typed(column, kinds=None):
    """The column, or why it is left out."""
    examples = inspect(read({"x": X, "it": column, "y": Y}), "y", kinds)
    by_name = {each.name: each for each in examples.columns}
    return by_name.get("it", examples.left_out.get("it"))


@pytest.mark.parametrize(
    ("column", "family"),
    [
        (X, Gaussian()),
        (RNG.gamma(0.7, size=N).tolist(), Gamma()),
        (RNG.poisson(2, N).tolist(), Poisson()),
        (RNG.poisson(400, N).tolist(), Poisson()),  # nearly normal, with one parameter less
        ([str(each) for each in RNG.poisson(2, N)], Poisson()),
        (RNG.integers(0, 2, N).tolist(), Bernoulli()),
        ([bool(each) for each in RNG.integers(0, 2, N)], Bernoulli()),
        ([["red", "green", "blue"][each] for each in RNG.integers(0, 3, N)], Categorical(3)),
        ([["1", "2", "3a"][each] for each in RNG.integers(0, 3, N)], Categorical(3)),
    ],
)
def test_the_family_of_a_column(column, family):
    assert typed(column).family == family


def test_levels_are_in_order_and_1_is_1_0():
    assert typed([1.0, "1", 10, "9"] * (N // 4), {"it": "category"}).levels == ("1", "9", "10")
    assert typed([*["c", "a", "b"] * 66, "a", "a"]).levels == ("a", "b", "c")


@pytest.mark.parametrize("missing", [None, float("nan"), np.float32("nan"), "", "NA", " nan ", "NULL", "?", "#N/A"])
def test_what_is_missing(missing):
    column = typed([missing, *X[1:]])
    assert column.missing == 1
    assert np.isnan(column.values[0])
    assert np.array_equal(column.values[1:], X[1:])
    assert typed([missing, *["p", "q", "r"] * 66, "p"]).missing == 1


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ([7] * N, "constant: always '7'"),
        ([None] * N, "all its values are missing"),
        (Y, "a leak: each of its values occurs with one 'y' only. Is it known beforehand?"),
        ([{"a": 1, "b": 5}[each] for each in Y], "a leak"),
        ([{"a": 1, "b": None}[each] for each in Y], "constant"),
        (list(range(1000, 1000 + N)), "an identifier: whole numbers from 1000 to 1199, each once"),
        ([f"user-{i}" for i in range(N)], "an identifier: 200 different values in 200 rows"),
        ([f"the {i} words of a customer" for i in range(N)], "free text: see probml.text"),
        ([f"2024-01-{1 + i % 28:02}" for i in range(N)], "dates: make numbers of them"),
        ([datetime.date(2024, 1, 1 + i % 28) for i in range(N)], "dates: make numbers of them"),
        ([f"{1 + i % 28}/12/2023" for i in range(N)], "dates: make numbers of them"),
        (
            [f"{i % 50},5" for i in range(N)],
            "numbers written as text, '0,5' in row 0: write them like 1234.5, or",
        ),
        ([f"${1000 * x:,.2f}" for x in range(N)], "numbers written as text, '$0.00'"),
        ([f"{x % 40} %" for x in range(N)], "numbers written as text, '0 %'"),
        ([f"1.{100 + x},50 EUR" for x in range(N)], "numbers written as text, '1.100,50 EUR'"),
        ([f"{990 + x:,}" for x in range(N)], "numbers written as text, '1,000' in row 10"),  # next to plain numbers
    ],
)
def test_what_is_left_out_and_why(column, reason):
    assert typed(column).startswith(reason)


def test_a_hundred_thousand_categories():
    rows = 200_000
    columns = {
        "x": RNG.normal(size=rows).tolist(),
        "it": [f"c{i // 2}" for i in range(rows)],
        "y": ["a", "b"] * (rows // 2),
    }
    assert inspect(read(columns), "y").left_out["it"] == "100,000 categories, more than 100: group them"
    asked = inspect(read(columns), "y", {"it": "category"})
    assert asked.left_out["it"] == "100,000 categories, more than 1000: group them"


def test_what_is_asked_for_is_done():
    assert typed(X, {"it": "drop"}) == "as you asked"
    assert typed(Y, {"it": "category"}).family == Bernoulli()  # a leak, but wanted
    assert typed(RNG.poisson(2, N).tolist(), {"it": "gaussian"}).family == Gaussian()
    assert typed(["twelve", *X[1:]], {"it": "number"}).missing == 1
    assert typed(list(range(N)), {"it": "number"}).family is not None


def refused(columns, target="y", kinds=None):
    with pytest.raises(DataError) as error:
        inspect(read(columns), target, kinds)
    return str(error.value)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"x": X, "y": [None] * N}, "the table, column 'y': the class is missing in every row"),
        ({"x": X, "y": ["a"] * N}, "column 'y': there is one class only, 'a', and nothing to tell apart"),
        (
            {"x": X, "y": X},
            "column 'y': 200 different values are too many for classes (50 at most). If it is a quantity",
        ),
        (
            {"x": X, "y": ["c", *Y[1:]]},
            "column 'y': class 'c', first in row 0, has too few rows (1): a curve takes 10 or more of each class.",
        ),
        ({"x": [1] * N, "y": Y}, "no column is left to learn from. x: constant: always '1'"),
        ({"x": ["twelve", *X[1:]], "y": Y}, "the table, row 0, column 'x': 'twelve' among numbers. Correct it, or say"),
        ({"x": ["-" if i % 3 else x for i, x in enumerate(X)], "y": Y}, "row 1, column 'x': '-' among numbers."),
        ({"x": [float("inf"), *X[1:]], "y": Y}, "the table, row 0, column 'x': inf is not a finite number"),
        ({"x": [10**400, *X[1:]], "y": Y}, "the table, row 0, column 'x': inf is not a finite number"),
        ({"y": Y}, "the table: no column but 'y', and nothing to predict it from"),
        ({"p": [1] * N, "q": [2] * N, "r": [3] * N, "y": Y}, "q: constant: always '2'; and 1 more"),
        ({"x": [1e200, *X[1:]], "y": Y}, "the table, row 0, column 'x': 1e+200 is too large: rescale it"),
        ({"x": [1e-200 * x for x in X], "y": Y}, "the table, column 'x': its range, "),
        ({"x": X[1:], "y": Y}, "the table: the columns must be of one length, received [199, 200]"),
        ({"x": [], "y": []}, "the table has no rows or no columns"),
    ],
)
def test_what_cannot_be_used(columns, words):
    assert words in refused(columns)


def test_a_kind_that_values_contradict():
    said = refused({"x": [0.5, *RNG.poisson(2, N - 1).tolist()], "y": Y}, kinds={"x": "poisson"})
    assert "row 0, column 'x': 0.5 cannot occur under poisson, which is for an integer of at least 0" in said


def test_the_target_is_of_no_kind():
    assert "cannot take column 'y' for 'number'" in refused({"x": X, "y": Y}, kinds={"y": "number"})


@pytest.mark.parametrize(("exceptions", "noticed"), [(1, True), (2, True), (3, False)])
def test_a_column_that_all_but_gives_the_answer_away_is_named(exceptions, noticed):
    nearly = [*["b", "a"][:exceptions], *["b"][: exceptions - 2], *Y[exceptions:]]
    examples = inspect(read({"x": X, "it": nearly, "y": Y}), "y")
    assert "it" not in examples.left_out
    said = "Column 'it' by itself tells 'y' in all rows but"
    assert [said in notice and "it=drop" in notice for notice in examples.notices] == [True] * noticed
    assert not inspect(read({"x": X, "it": nearly, "y": Y}), "y", {"it": "category"}).notices


def test_rows_without_a_class_are_left_out():
    examples = inspect(read({"x": X, "y": [*Y[:50], None, *Y[51:]]}), "y")
    assert len(examples.y) == N - 1
    assert examples.notices == ("Rows without 'y' are left out: 1 of 200, the first in row 50",)
    assert np.array_equal(examples.columns[0].values, [*X[:50], *X[51:]])


def test_frames_of_pandas():
    """Nullable types, and names that are no strings."""
    counts = pd.array([None, *range(N - 1)], dtype="Int64") % 5
    frame = pd.DataFrame({0: counts, ("p", "q"): pd.array([pd.NA, *Y[1:]], dtype="string"), "y": Y})
    frame.index = frame.index * 7
    examples = inspect(read(frame), "y", {"('p', 'q')": "category"})
    assert {each.name: (each.described, each.missing) for each in examples.columns} == {
        "0": ("count, Poisson", 1),
        "('p', 'q')": ("2 categories", 1),
    }
    frame.columns = ["p", "p", "y"]
    with pytest.raises(DataError, match=r"the data frame: each column needs a name of its own\. .*'p' 2 times"):
        read(frame)


def test_other_things_are_no_tables():
    with pytest.raises(DataError, match="cannot read a table from int"):
        read(3)
    with pytest.raises(DataError, match=re.escape("shape (N, n), received shape (3,)")):
        read(np.arange(3))
    made = Table("it", {"x": [1]})
    assert read(made) is made


def text(folder, content, name="mine.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "p,q\n1, x \n\n2,y\n"),
        ("a.csv", "\ufeffp;q\r\n1;x\r\n\r\n2;y\r\n"),
        ("a.tsv", "p\tq\n1\tx\n\n2\ty"),
        ("a.CSV", 'p|q\n"1"|x\n\n2|"y"\n'),
        ("a.csv", "p;q\r1;x\r\r2;y\r"),
    ],
)
def test_text_is_read_with_the_lines_of_its_rows(tmp_path, name, content):
    found = read(text(tmp_path, content, name))
    assert {name: list(values) for name, values in found.columns.items()} == {"p": ["1", "2"], "q": ["x", "y"]}
    assert [found.place(row) for row in range(2)] == ["line 2", "line 4"]


def test_names_with_commas_do_not_make_the_comma_the_delimiter(tmp_path):
    found = read(text(tmp_path, '"p, in EUR, net";q\n1;2\n'))
    assert found.columns == {"p, in EUR, net": ("1",), "q": ("2",)}


def test_values_over_several_lines(tmp_path):
    found = read(text(tmp_path, 'p,q\n"a\nb",1\nc,2\n'))
    assert found.place(1) == "line 4"
    assert found.columns["p"] == ("a\nb", "c")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "mine.csv: the file is empty"),
        ("p,q\n", "mine.csv: a line of names, and no rows below it"),
        ("p,q\n1,2\n3\n", "mine.csv, line 3: 1 values where the first line has 2 names"),
        ("p,p\n1,2\n", "mine.csv, line 1: each column needs a name of its own; received twice: ['p']"),
        ("p,\n1,2\n", "mine.csv, line 1: column 2 of 2 has no name. Give it one, or remove it; the index of a data"),
        ('p,q\n1,2\n"3,4\n5,6\n', "mine.csv, line 3: broken: unexpected end of data"),
        (b"p,q\n1,\xff\n", "mine.csv, line 2: not UTF-8 text: save the file as UTF-8"),
        (b"p,q\n" + 9999 * b"1,2\n" + b"\xff,2\n", "mine.csv, line 10001: not UTF-8 text"),
    ],
)
def test_broken_text(tmp_path, content, words):
    with pytest.raises(DataError, match=re.escape(words)):
        read(text(tmp_path, content))


def test_files_that_are_not_there_or_of_another_kind(tmp_path):
    with pytest.raises(DataError, match=r"none\.csv: there is no such file"):
        read(tmp_path / "none.csv")
    with pytest.raises(DataError, match="a folder, not a file"):
        read(tmp_path)
    with pytest.raises(DataError, match=re.escape("mine.xlsx: the name must end in .arrow, .csv")):
        read(text(tmp_path, "", "mine.xlsx"))


def test_parquet_says_what_it_needs(tmp_path, monkeypatch):
    def absent(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("probml.comparison.table.import_module", absent)
    with pytest.raises(MissingPackageError, match=r"to read \.parquet takes polars or pyarrow: pip install pyarrow"):
        read(text(tmp_path, "", "mine.parquet"))


@pytest.mark.parametrize("kind", ["parquet", "arrow", "feather"])
def test_parquet_and_arrow(tmp_path, kind):
    try:
        polars = importlib.import_module("polars")
    except ModuleNotFoundError:
        pytest.skip("polars is optional")
    frame = polars.DataFrame({"p": [1, None, 3], "q": ["x", "y", None]})
    path = tmp_path / f"mine.{kind}"
    frame.write_parquet(path) if kind == "parquet" else frame.write_ipc(path)
    assert read(path).columns == {"p": [1, None, 3], "q": ["x", "y", None]}
    path.write_bytes(b"broken")
    with pytest.raises(DataError, match=rf"not a \.{kind} file that polars can read"):
        read(path)


def test_a_message_names_file_line_and_column(tmp_path):
    rows = "\n".join(f"{x},{y}" for x, y in zip(X, Y, strict=True))
    path = text(tmp_path, f"x,y\n{rows}\ntwelve,a\n")
    with pytest.raises(DataError, match=re.escape(f"{path}, line 202, column 'x': 'twelve' among numbers")):
        inspect(read(path), "y")
