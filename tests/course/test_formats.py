"""The readers on small files written by hand: what they make of good ones, and what they say of bad ones."""

import csv
import gzip
import io
import os
import pickle
import struct
import sys
import zlib
from functools import cache
from types import ModuleType

import numpy as np
import pytest

from course.datasets import registry, wheels
from course.datasets.dataset import Column, classes, coded
from course.datasets.formats import (
    READERS,
    columns,
    delimited,
    idx,
    labelled_lines,
    movie_reviews,
    newsgroups_pickle,
    orange_table,
    orange_text,
    sick,
)
from course.errors import DataError


def test_every_registered_format_has_a_reader():
    assert {registry.entry(name).format for name in registry.names()} == set(READERS)


# Columns.


def test_coding_is_by_sorted_categories_with_nan_for_missing():
    codes, categories = coded(["b", "?", "a", "", "b"], missing=("", "?"))
    np.testing.assert_array_equal(codes, [1, np.nan, 0, np.nan, 1])
    assert categories == ("a", "b")
    y, names = classes(["no", "yes", "no"])
    assert (y.tolist(), names, y.dtype) == ([0, 1, 0], ("no", "yes"), np.intp)


def test_columns_become_a_table():
    table = columns.table({"x": ["1", "?", ""], "kind": ["b", "a", "?"], "y": ["no", "yes", "no"]}, "y", {"kind"})
    np.testing.assert_array_equal(table.X, [[1, 1], [np.nan, 0], [np.nan, np.nan]])
    assert table.y.tolist() == [0, 1, 0]
    assert table.features == (Column("x", "continuous"), Column("kind", "discrete", ("a", "b")))
    assert table.target == Column("y", "discrete", ("no", "yes"))
    assert table.n_train == 3


def test_columns_with_a_number_as_target():
    table = columns.table({"x": ["1", "2"], "y": ["0.5", "-1e3"]}, "y", set(), regression=True)
    assert table.y.tolist() == [0.5, -1000]
    assert table.target == Column("y", "continuous")
    with pytest.raises(DataError, match=r"column 'y' should hold numbers: .*'high'"):
        columns.table({"x": ["1"], "y": ["high"]}, "y", set(), regression=True)


def test_columns_without_the_target():
    with pytest.raises(DataError, match="there is no column 'z' among x, y"):
        columns.table({"x": ["1"], "y": ["a"]}, "z", set())


# Text with a row a line.


def test_delimited_with_a_header():
    content = b' x;"kind";row;y\r\n1;a;1;no\r\n\r\n2.5;"b;c";2;yes\r\n'
    table = delimited.read({"table": content}, target="y", separator=";", discrete=["kind"], leave_out=["row"])
    assert table.X.tolist() == [[1, 0], [2.5, 1]]
    assert table.features == (Column("x", "continuous"), Column("kind", "discrete", ("a", "b;c")))
    assert table.y.tolist() == [0, 1]


def test_delimited_with_given_names():
    table = delimited.read({"table": b"1,2,3,no\n4,5,6,yes\n"}, target="y", names=["a", "b1..2", "y"])
    assert table.X.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert [column.name for column in table.features] == ["a", "b1", "b2"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x,y\n1,no\n1,2,yes\n", r"expected 2 columns, received 3: \['1', '2', 'yes'\]"),
        (b"x,y\n1\n", r"expected 2 columns, received 1"),
        (b"x,y\none,no\n", "column 'x' should hold numbers: .*'one'"),
        (b"x,z\n1,no\n", "there is no column 'y' among x, z"),
    ],
    ids=["too many columns", "too few columns", "not a number", "wrong header"],
)
def test_delimited_that_is_wrong(content, message):
    with pytest.raises(DataError, match=message):
        delimited.read({"table": content}, target="y")


TABLE = b"x\tkind\tgrade\ty\nc\ta b\tcontinuous\td\n\t\t\tclass \n1.5\tb \t3\tno\n?\ta\t1\tyes\n\n2\t\t3\tno\n"


def test_orange_table():
    table = orange_table.read({"table": TABLE}, target="y", discrete=["grade"])
    np.testing.assert_array_equal(table.X, [[1.5, 1, 1], [np.nan, 0, 0], [2, np.nan, 1]])
    assert [column.kind for column in table.features] == ["continuous", "discrete", "discrete"]
    assert [column.categories for column in table.features] == [(), ("a", "b"), ("1", "3")]
    assert table.y.tolist() == [0, 1, 0]
    assert orange_table.read({"table": TABLE}, target="y", leave_out=["kind", "grade"]).X.shape == (3, 1)
    with_number = orange_table.read({"table": TABLE}, target="grade", regression=True)
    assert with_number.y.tolist() == [3, 1, 3]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TABLE.replace(b"\t3\tno", b"\t3\tno\tmore"), "expected 4 columns, received 5"),
        (TABLE.replace(b"1.5", b"1,5"), "column 'x' should hold numbers: .*'1,5'"),
        (TABLE.replace(b"grade\ty", b"grade\tz"), "there is no column 'y' among x, kind, grade, z"),
    ],
    ids=["too many columns", "not a number", "wrong header"],
)
def test_orange_table_that_is_wrong(content, message):
    with pytest.raises(DataError, match=message):
        orange_table.read({"table": content}, target="y")


# Texts.

HEADER = b"Category\tText\nd\tstring\nclass\t\n"


def test_orange_text_keeps_tabs_of_the_text_and_skips_blank_lines():
    texts, labels = orange_text.parse(HEADER + b"cat\tone\ttwo\n\ndog\t\n")
    assert (texts, labels) == (["one\ttwo", ""], ["cat", "dog"])


def test_orange_text_with_a_test_part():
    table = orange_text.read({"train": HEADER + b"dog\tbarks\n", "test": HEADER + b"cat\tpurrs\ndog\tsits\n"})
    assert table.X == ["barks", "purrs", "sits"]
    assert table.y.tolist() == [1, 0, 1]
    assert table.n_train == 1
    assert table.target == Column("category", "discrete", ("cat", "dog"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected the header"),
        (HEADER.replace(b"Category", b"Topic") + b"cat\tpurrs\n", "expected the header .*received .*Topic"),
        (HEADER + b"cat purrs\n", "expected 'label <tab> text', received 'cat purrs'"),
    ],
    ids=["empty", "wrong header", "no tab"],
)
@pytest.mark.parametrize("part", ["train", "test"])
def test_orange_text_that_is_wrong(content, message, part):
    with pytest.raises(DataError, match=message):
        orange_text.read({"train": HEADER + b"cat\tpurrs\n", part: content})


def test_labelled_lines():
    content = "spam\tcall now\tfree £5\nham\tsee you\u2028later\n\nham\t\n"
    table = labelled_lines.read({"lines": content.encode()}, target="kind")
    assert table.X == ["call now\tfree £5", "see you\u2028later", ""]
    assert table.y.tolist() == [1, 0, 0]
    assert table.target == Column("kind", "discrete", ("ham", "spam"))
    with pytest.raises(DataError, match="expected 'label <tab> text', received 'ham see you'"):
        labelled_lines.read({"lines": b"spam\tcall\nham see you\n"}, target="kind")


def as_csv(*rows: tuple) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file).writerows(rows)
    return file.getvalue().encode()


LABELLED = as_csv(
    ("text", "label", "source"),
    ("good, they say", 1, "imdb"),
    ("dull", 0, "imdb"),
    ("a sentence", 1, "rotten"),
    ("dull", 0, "imdb"),
)
ALL = [("dull", "negative"), ("new", "negative"), ("good, they say", "positive"), ("dull", "negative")]


def test_movie_reviews_of_one_origin():
    table = movie_reviews.read({"labelled": LABELLED}, origin="rotten")
    assert (table.X, table.y.tolist(), table.n_train) == (["a sentence"], [1], 1)


def test_movie_reviews_test_part_is_what_is_left_of_all_as_often_as_it_occurs():
    both_sides = as_csv(("review", "sentiment"), *ALL, ("dull", "negative"), ("dull", "positive"))
    table = movie_reviews.read({"labelled": LABELLED, "all": both_sides}, origin="imdb")
    assert table.X == ["good, they say", "dull", "dull", "new", "dull", "dull"]
    assert table.y.tolist() == [1, 0, 0, 0, 0, 1]
    assert table.n_train == 3
    assert table.target.categories == ("negative", "positive")


@pytest.mark.parametrize("without", [0, 2], ids=["one of two copies", "the only copy"])
def test_movie_reviews_with_a_training_review_that_is_not_among_all(without):
    rest = as_csv(("review", "sentiment"), *(row for n, row in enumerate(ALL) if n != without))
    with pytest.raises(DataError, match="1 training reviews are not among all reviews"):
        movie_reviews.read({"labelled": LABELLED, "all": rest}, origin="imdb")


# Images.


def as_idx(values: np.ndarray, kind: int = 8) -> bytes:
    return struct.pack(f">HBB{values.ndim}I", 0, kind, values.ndim, *values.shape) + values.astype(np.uint8).tobytes()


def test_idx():
    images, labels = np.arange(3 * 2 * 2).reshape(3, 2, 2), np.array([3, 0, 9])
    parts = {
        "train-images": images[:2],
        "train-labels": labels[:2],
        "test-images": images[2:],
        "test-labels": labels[2:],
    }
    table = idx.read({name: gzip.compress(as_idx(values)) for name, values in parts.items()})
    assert table.X.tolist() == images.reshape(3, 4).tolist()
    assert table.X.dtype == np.uint8
    assert table.y.tolist() == [3, 0, 9]
    assert table.n_train == 2
    assert len(table.features) == 4
    assert table.features[0] == Column("pixel0", "pixels")
    assert table.target.categories == tuple("0123456789")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\0\1" + as_idx(np.zeros(3))[2:], "not an IDX file of bytes"),
        (as_idx(np.zeros(3), kind=13), "not an IDX file of bytes"),
        (as_idx(np.zeros((2, 3)))[:-1], r"an IDX file of shape \(2, 3\) with 5 bytes"),
        (as_idx(np.zeros((2, 3))) + b"\0", r"an IDX file of shape \(2, 3\) with 7 bytes"),
    ],
    ids=["magic", "type", "too short", "too long"],
)
def test_idx_that_is_wrong(content, message):
    with pytest.raises(DataError, match=message):
        idx.parse(content)


# The join of the thyroid records, on the real files.


@cache
def sick_files() -> dict[str, bytes]:
    return {key: wheels.read(member) for key, member in registry.entry("sick").files.items()}


def sick_rows(key: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(sick_files()[key].decode(), newline="")))


def read_sick(**changed: list[list[str]]) -> object:
    return sick.read(sick_files() | {key: as_csv(*rows) for key, rows in changed.items()})


def test_sick_files_agree_but_for_the_imputed_sex():
    attributes, labels = sick_rows("attributes"), sick_rows("labels")
    of_attributes, of_labels = attributes[0].index("sex"), labels[0].index("sex")
    pairs = [(a[of_attributes], b[of_labels]) for a, b in zip(attributes[1:], labels[1:], strict=True)]
    assert {pair for pair in pairs if pair[0] != pair[1]} == {("?", "F")}
    assert sum(a != b for a, b in pairs) == 150
    table = read_sick()
    assert table.X.shape == (3772, 27)
    names = [column.name for column in table.features]
    assert np.isnan(table.X[:, names.index("sex")]).sum() == 150
    assert {column.name for column in table.features if column.kind == "continuous"} == set(sick.MEASURED)
    assert not {"Class", "class", "TBG", "TBG_measured"} & set(names)
    assert table.target.categories == ("negative", "sick")
    assert [labels[n + 1][-1] for n in (0, 100, 3771)] == [table.target.categories[table.y[n]] for n in (0, 100, 3771)]


@pytest.mark.parametrize("key", ["attributes", "labels"])
def test_sick_with_rows_in_another_order(key):
    rows = sick_rows(key)
    first = 1
    second = next(n for n in range(2, len(rows)) if rows[n][2:16] != rows[first][2:16])
    rows[first], rows[second] = rows[second], rows[first]
    with pytest.raises(DataError, match=r"the two files no longer agree: column '\w+', row 0: \('.', '.'\)"):
        read_sick(**{key: rows})


@pytest.mark.parametrize("key", ["attributes", "labels"])
@pytest.mark.parametrize(
    ("column", "row", "value"),
    [("pregnant", 0, "t"), ("referral_source", 3771, "elsewhere"), ("sex", 17, "X"), ("TSH_measured", 5, "?")],
)
def test_sick_with_a_changed_cell(key, column, row, value):
    rows = sick_rows(key)
    rows[row + 1][rows[0].index(column)] = value
    with pytest.raises(DataError, match=f"no longer agree: column '{column}', row {row}: .*'{value}'"):
        read_sick(**{key: rows})


def test_sick_sex_may_be_missing_only_where_it_was_recorded():
    attributes, labels = sick_rows("attributes"), sick_rows("labels")
    attributes[1][attributes[0].index("sex")] = "?"
    names = [column.name for column in read_sick().features]
    assert np.isnan(read_sick(attributes=attributes).X[:, names.index("sex")]).sum() == 151
    labels[1][labels[0].index("sex")] = "?"
    with pytest.raises(DataError, match=r"column 'sex', row 0: \('F', '\?'\)"):
        read_sick(labels=labels)


# The pickle. What it may use is named as in the real file: an older numpy's and scikit-learn's names.


@pytest.fixture
def bunch(monkeypatch) -> type:
    """A dictionary that is pickled under the name of scikit-learn's, without scikit-learn."""
    kind = type("Bunch", (dict,), {"__module__": "sklearn.utils"})
    for name in ("sklearn", "sklearn.utils"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    sys.modules["sklearn.utils"].Bunch = kind
    return kind


def parts(bunch: type, target: object = None, **more: object) -> dict:
    def part(texts: list[str], labels: list[int]) -> dict:
        numbers = np.array(labels, dtype="<i8") if target is None else target
        return bunch(data=texts, target=numbers, target_names=["a", "b"], filenames=np.array(["x"]), **more)

    return {"train": part(["one", "two"], [1, 0]), "test": part(["three"], [1])}


def compressed(content: object) -> dict[str, bytes]:
    """As the old numpy would have pickled it; in the protocol 3, a name ends with its line and can be replaced."""
    old = pickle.dumps(content, protocol=3).replace(b"numpy._core.multiarray\n", b"numpy.core.multiarray\n")
    return {"pickle": zlib.compress(old)}


def test_pickle_of_dictionaries_and_arrays(bunch):
    table = newsgroups_pickle.read(compressed(parts(bunch)))
    assert table.X == ["one", "two", "three"]
    assert table.y.tolist() == [1, 0, 1]
    assert table.y.dtype == np.intp
    assert table.n_train == 2
    assert table.target == Column("group", "discrete", ("a", "b"))


class Hostile:
    """Pickled, it asks for a function to be called."""

    def __init__(self, function: object, *arguments: object) -> None:
        self.call = function, arguments

    def __reduce__(self):
        return self.call


ATTACKS = {
    "os.system": lambda path: Hostile(os.system, f"echo > {path}"),
    "eval": lambda path: Hostile(eval, f"open({path!r}, 'w').close()"),
    "exec": lambda path: Hostile(exec, f"open({path!r}, 'w').close()"),
    "open": lambda path: Hostile(open, path, "w"),
    "numpy.save": lambda path: Hostile(np.save, path, [1]),
    "numpy.savetxt": lambda path: Hostile(np.savetxt, path, [1]),
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_attacks_would_work_on_the_ordinary_unpickler(attack, tmp_path):
    path = tmp_path / "side-effect.npy"
    result = pickle.loads(pickle.dumps(attack(str(path))))
    if isinstance(result, io.IOBase):
        result.close()
    assert path.exists()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_hostile_pickle_is_refused_and_not_executed(attack, protocol, tmp_path, bunch):
    path = tmp_path / "side-effect.npy"
    hostile = attack(str(path))
    for content in [hostile, {"train": [hostile]}, bunch(data=hostile), {hostile}, (1, hostile)]:
        packed = zlib.compress(pickle.dumps(content, protocol=protocol))
        with pytest.raises(DataError, match="which is not on the list of what it may use"):
            newsgroups_pickle.read({"pickle": packed})
    assert list(tmp_path.iterdir()) == []


def test_hostile_pickle_with_all_that_is_expected_is_refused_too(tmp_path, bunch):
    path = tmp_path / "side-effect"
    with pytest.raises(DataError, match=r"the pickle asks for posix\.system|nt\.system"):
        newsgroups_pickle.read(compressed(parts(bunch, more=Hostile(os.system, f"echo > {path}"))))
    assert not path.exists()


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("numpy", "load"),
        ("numpy", "fromfile"),
        ("numpy", "memmap"),
        ("numpy", "ndarray.tofile"),
        ("numpy", "dtype.__class__"),
        ("numpy.core.multiarray", "scalar"),
        ("numpy.core.multiarray", "_reconstruct.__self__"),
        ("numpy._core.multiarray", "_reconstruct"),
        ("sklearn.utils", "Bunch.__init__"),
        ("sklearn.utils", "os.system"),
        ("builtins", "getattr"),
        ("__builtin__", "eval"),
        ("importlib", "import_module"),
        ("functools", "partial"),
        ("pickle", "loads"),
    ],
)
def test_pickle_may_use_no_other_name(module, name):
    def text(string: str) -> bytes:
        return pickle.SHORT_BINUNICODE + bytes([len(string)]) + string.encode()

    content = b"\x80\x04" + text(module) + text(name) + pickle.STACK_GLOBAL + b"."
    with pytest.raises(DataError, match=f"the pickle asks for {module}.{name}, which is not on the list"):
        newsgroups_pickle.read({"pickle": zlib.compress(content)})


def test_pickle_cannot_make_an_array_of_pointers():
    """With numpy's own classes, these would end the process."""
    dtype = b"cnumpy\ndtype\n(VO8\nI00\nI01\ntR(I3\nV|\nNNNI-1\nI-1\nI0\ntb"
    array = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntC\x01btR(I1\n(I1\nt" + dtype
    from_state = array + b"I00\nC\x08AAAAAAAAtb"
    from_buffer = b"cnumpy\nndarray\n((I1\nt" + dtype + b"C\x08AAAAAAAAtR"
    for pointers in (from_state, from_buffer):
        part = b"(dVdata\n(lsVtarget\n" + pointers + b"sVtarget_names\n(ls"
        content = b"(dVtrain\n" + part + b"sVtest\n" + part + b"s."
        with pytest.raises(DataError):
            newsgroups_pickle.read({"pickle": zlib.compress(content)})


@pytest.mark.parametrize("dtype", ["<f8", ">i8", "<U3", "O"])
def test_pickle_with_labels_of_another_type(bunch, dtype):
    with pytest.raises(DataError, match="should hold arrays of the type '<i8', received"):
        newsgroups_pickle.read(compressed(parts(bunch, target=np.array([0, 1], dtype=dtype))))


def test_file_that_is_no_compressed_pickle(bunch):
    good = compressed(parts(bunch))["pickle"]
    plain = zlib.decompress(good)
    rng = np.random.default_rng(1)
    noise = [rng.bytes(30) for _ in range(300)]
    broken = [b"", b"not compressed", good[:-1], good[: len(good) // 2], plain]
    broken += [zlib.compress(content) for content in (b"", b"no pickle", *noise)]
    broken += [zlib.compress(plain[:length]) for length in range(len(plain))]
    for content in broken:
        with pytest.raises(DataError):
            newsgroups_pickle.read({"pickle": content})


@pytest.mark.parametrize(
    "content",
    [None, [], {}, {"train": {}, "test": {}}, {"train": None, "test": None}, {"train": {"data": []}}],
    ids=str,
)
def test_pickle_of_something_else(content):
    with pytest.raises(DataError, match="not a pickle of 20 Newsgroups"):
        newsgroups_pickle.read(compressed(content))
