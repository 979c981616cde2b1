"""The data sets as registered, and the cache: every way in which a download or a cached file can go wrong."""

import errno
import hashlib
import itertools
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import zipfile
from dataclasses import asdict, replace
from pathlib import Path, PurePosixPath

import numpy as np
import pytest

from course import datasets
from course.datasets import Column, parsed, registry, verify, wheels
from course.datasets.dataset import Table
from course.datasets.formats import READERS
from course.datasets.registry import Entry, Member, Wheel
from course.errors import DataError, UnknownDataError

ROOT = Path(__file__).parents[2]


# The registry.


@pytest.mark.parametrize("name", registry.names())
def test_registered_fields_are_sane(name):
    declared = registry.entry(name)
    assert declared.name == name
    assert all([declared.title, declared.description, declared.source, declared.citation, declared.licence])
    assert declared.format in READERS
    assert declared.files
    assert declared.rows[0] > 0
    assert len(declared.classes) != 1
    assert not declared.classes or sum(declared.classes.values()) == sum(declared.rows)
    assert all(re.fullmatch(r"\S+ (text|pixels|continuous|discrete\(\d+\)) [0-9a-f]{8}", c) for c in declared.columns)
    assert len({column.split()[0] for column in declared.columns}) == len(declared.columns) >= 2
    for wheel in declared.wheels:
        assert re.fullmatch(r"[\w-]+==[\w.]+", wheel.requirement)
        assert wheel.file.endswith(".whl")
        assert PurePosixPath(wheel.file).name == wheel.file
        assert wheel.bytes > 0
    for file in [*declared.wheels, *declared.files.values()]:
        assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "a/..", "a\\b", "..\\x"])
def test_member_that_leads_out_of_its_wheel_is_refused(path):
    with pytest.raises(DataError, match="is no path inside a wheel"):
        Member(Wheel("shelf==1.0", "shelf-1.0-py3-none-any.whl", 1, "0" * 64), path, "0" * 64)


def test_default_download_is_small():
    default = {wheel for name in datasets.names(on_demand=False) for wheel in registry.entry(name).wheels}
    assert sum(wheel.bytes for wheel in default) < 250e6


def test_unknown_set_gives_a_suggestion_and_the_known_names():
    with pytest.raises(UnknownDataError) as caught:
        datasets.load("newsgrops")
    assert "Did you mean 'newsgroups'?" in str(caught.value)
    assert all(name in str(caught.value) for name in datasets.names())
    with pytest.raises(UnknownDataError, match=r"unknown data set 'zzz'\. Known:"):
        registry.entry("zzz")


# The real sets: training rows, test rows, features, missing cells, and the classes (their counts or their number; None
# where the target is a number).

DEFAULT = {
    "adult": (32561, 0, 14, 4262, {"<=50K": 24720, ">50K": 7841}),
    "bike-sharing": (17379, 0, 13, 0, None),
    "boston": (506, 0, 13, 0, None),
    "breast-cancer": (286, 0, 9, 9, {"no-recurrence-events": 201, "recurrence-events": 85}),
    "deerwester": (9, 0, 1, 0, {"graphs": 4, "human-computer interaction": 5}),
    "howell": (544, 0, 3, 0, {"0": 287, "1": 257}),
    "imdb": (25000, 25000, 1, 0, {"negative": 25000, "positive": 25000}),
    "ionosphere": (351, 0, 34, 0, {"b": 126, "g": 225}),
    "lenses": (24, 0, 4, 0, {"hard": 4, "none": 15, "soft": 5}),
    "liver": (345, 0, 6, 0, {"1": 145, "2": 200}),
    "lymphography": (148, 0, 18, 0, {"fibrosis": 4, "malign lymph": 61, "metastases": 81, "normal": 2}),
    "newsgroups": (11293, 7528, 1, 0, 20),
    "newsgroups-raw": (11314, 7532, 1, 0, 20),
    "optdigits": (5620, 0, 64, 0, 10),
    "pima": (768, 0, 8, 0, {"tested_negative": 500, "tested_positive": 268}),
    "promoters": (106, 0, 57, 0, {"mm": 53, "pp": 53}),
    "r52": (6532, 2568, 1, 0, 52),
    "r8": (5485, 2189, 1, 0, 8),
    "rotten-tomatoes": (8530, 0, 1, 0, {"negative": 4265, "positive": 4265}),
    "sick": (3772, 0, 27, 2292, {"negative": 3541, "sick": 231}),
    "sms-spam": (5574, 0, 1, 0, {"ham": 4827, "spam": 747}),
    "sonar": (208, 0, 60, 0, {"M": 111, "R": 97}),
    "voting": (435, 0, 16, 392, {"democrat": 267, "republican": 168}),
}
ON_DEMAND = {
    "balance-scale": (625, 0, 4, 0, {"B": 49, "L": 288, "R": 288}),
    "banana": (5300, 0, 2, 0, {"1.0": 2376, "-1.0": 2924}),
    "mammographic": (830, 0, 5, 0, {"0": 427, "1": 403}),
    "ring": (7400, 0, 20, 0, {" 0": 3664, " 1": 3736}),
    "saheart": (462, 0, 9, 0, {"0": 302, "1": 160}),
    "tic-tac-toe": (958, 0, 9, 0, {"n": 332, "p": 626}),
    "titanic": (2201, 0, 3, 0, {"no": 1490, "yes": 711}),
    "vowel": (990, 0, 12, 0, 11),
    "heights": (10000, 0, 2, 0, {"Female": 5000, "Male": 5000}),
    "mnist": (60000, 10000, 784, 0, 10),
}
UNTESTED = ["credit-fraud"]  # long to parse


def test_names_are_those_of_the_sets_tested_here():
    assert datasets.names(on_demand=False) == sorted(DEFAULT)
    assert datasets.names() == sorted([*DEFAULT, *ON_DEMAND, *UNTESTED])


def by_number(category: str) -> tuple[float, str]:
    digits = "".join(itertools.takewhile(str.isdigit, category))
    return (int(digits) if digits else float("inf"), category)


def test_categories_that_are_numbers_are_in_their_order():
    bikes = datasets.load("bike-sharing")
    assert bikes.features[bikes.feature_names.index("hr")].categories == tuple(map(str, range(24)))
    cancer = datasets.load("breast-cancer")
    assert cancer.features[cancer.feature_names.index("tumor-size")].categories[:3] == ("0-4", "5-9", "10-14")


def check_set(data: datasets.Dataset, train: int, test: int, features: int, missing: int, classes: object) -> None:
    assert (len(data.train.X), len(data.test.X), len(data.features)) == (train, test, features)
    assert (data.train.y.shape, data.test.y.shape) == ((train,), (test,))
    for column in (*data.features, data.target):
        assert column.categories == tuple(sorted(set(column.categories), key=by_number))
        assert (column.kind == "discrete") == bool(column.categories)
    if isinstance(data.X, list):
        assert all(type(text) is str for text in data.X)
    else:
        assert data.X.shape == (train + test, features)
        assert data.missing.sum() == missing
        for x, column in zip(data.X.T, data.features, strict=True):
            if column.kind == "discrete":
                assert set(np.unique(x[~np.isnan(x)])) == set(range(len(column.categories))), column.name
    if classes is None:
        assert (data.class_names, data.class_counts()) == ((), {})
        assert data.y.dtype.kind == "f"
        assert np.isfinite(data.y).all()
        return
    assert data.y.dtype == np.intp
    assert set(data.train.y) == set(range(len(data.class_names)))
    counts = data.class_counts()
    assert list(counts) == (["train", "test"] if test else ["train"])
    assert sum(counts["train"].values()) == train
    if isinstance(classes, int):
        assert len(data.class_names) == classes
    else:
        assert {name: sum(part[name] for part in counts.values()) for name in data.class_names} == classes


@pytest.mark.parametrize("name", DEFAULT)
def test_default_sets_load_with_the_published_counts(name):
    data = datasets.load(name)
    check_set(data, *DEFAULT[name])
    assert (data.name, data.title) == (name, registry.entry(name).title)
    if not isinstance(data.X, list):  # the copy and what is read anew are the same
        np.testing.assert_array_equal(datasets.parse(registry.entry(name)).X, data.X)


def cached(name: str) -> bool:
    return all((wheels.cache_dir() / wheel.file).is_file() for wheel in registry.entry(name).wheels)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.skipif(not cached(name), reason=f"{name} is large, and not in the cache"))
        for name in ON_DEMAND
    ],
)
def test_on_demand_sets_load_with_the_published_counts_if_they_are_there(name, monkeypatch):
    def fetch(wheel: Wheel) -> None:
        pytest.fail(f"{wheel.file} in the cache is damaged: remove it")

    monkeypatch.setattr(wheels, "fetch", fetch)
    data = datasets.load(name)
    check_set(data, *ON_DEMAND[name])


def test_halves_of_imdb_share_123_texts_and_have_as_many_of_each_class():
    data = datasets.load("imdb")
    assert len(set(data.train.X) & set(data.test.X)) == 123
    assert data.class_counts()["train"] == {"negative": 12500, "positive": 12500}


def test_deerwester_has_five_titles_of_one_class_and_four_of_the_other():
    data = datasets.load("deerwester")
    about_graphs = {label for text, label in zip(data.train.X, data.train.y, strict=True) if "graph" in text.lower()}
    assert len(about_graphs) == 1
    with pytest.raises(TypeError, match="deerwester is a set of texts"):
        _ = data.missing


# Verification: whatever is changed is named.


def with_cell(table: Table, row: int, column: int, change) -> Table:
    X = table.X.copy()
    X[row, column] = change(X[row, column])
    return replace(table, X=X)


def with_column(table: Table, number: int, **changes) -> Table:
    columns = [replace(c, **changes) if n == number else c for n, c in enumerate(table.features)]
    return replace(table, features=tuple(columns))


def with_labels(table: Table, **labels: int) -> Table:
    y = table.y.copy()
    y[[int(row.removeprefix("row")) for row in labels]] = list(labels.values())
    return replace(table, y=y)


def renamed(categories: tuple[str, ...]) -> tuple[str, ...]:
    return (*categories[:-1], categories[-1] + "x")


# breast-cancer: age is column 0 and has six categories, node-caps is column 4 and missing in row 145, the target is
# recurrence, with the class 0 in row 0 and the class 1 in row 285
CHANGES = {
    "cell": (lambda t: with_cell(t, 3, 0, lambda code: (code + 1) % 6), "column 'age' is"),
    "cell of the last row": (lambda t: with_cell(t, 285, 8, lambda code: 1 - code), "column 'irradiat' is"),
    "category": (lambda t: with_column(t, 0, categories=renamed(t.features[0].categories)), "column 'age' is"),
    "new category": (lambda t: with_column(t, 0, categories=(*t.features[0].categories, "z")), r"'age discrete\(7\)"),
    "name": (lambda t: with_column(t, 4, name="caps"), "column 'caps' is .* registry says 'node-caps "),
    "kind": (lambda t: with_column(t, 4, kind="continuous"), "column 'node-caps' is 'node-caps continuous"),
    "order of columns": (lambda t: replace(t, X=t.X[:, [1, 0, *range(2, 9)]]), "column 'age' is"),
    "order of rows": (lambda t: replace(t, X=t.X[::-1]), "column 'age' is"),
    "column less": (
        lambda t: replace(t, X=t.X[:, 1:], features=t.features[1:]),
        "found 9 columns, the registry says 10",
    ),
    "label": (lambda t: with_labels(t, row0=1), r"column 'recurrence' has the classes .*: 200.* registry says .*: 201"),
    "label of no class": (lambda t: with_labels(t, row0=7), "column 'recurrence' has the classes"),
    "labels swapped": (lambda t: with_labels(t, row0=1, row285=0), "column 'recurrence' is"),
    "class name": (
        lambda t: replace(t, target=replace(t.target, categories=renamed(t.target.categories))),
        "column 'recurrence' has the classes .*recurrence-eventsx",
    ),
    "target name": (lambda t: replace(t, target=replace(t.target, name="again")), "column 'again' is"),
    "row less": (
        lambda t: replace(t, X=t.X[1:], y=t.y[1:], n_train=285),
        r"found \(285, 0\) rows \(training, test\), the registry says \(286, 0\)",
    ),
    "split": (lambda t: replace(t, n_train=200), r"found \(200, 86\) rows"),
    "missing more": (lambda t: with_cell(t, 0, 0, lambda _: np.nan), "column 'age' is"),
    "missing less": (lambda t: with_cell(t, 145, 4, lambda _: 0), "column 'node-caps' is"),
}


@pytest.mark.parametrize(("change", "message"), CHANGES.values(), ids=CHANGES)
def test_changed_table_is_named(change, message):
    declared = registry.entry("breast-cancer")
    table = datasets.load("breast-cancer")
    assert np.isnan(table.X[145, 4])
    assert (table.y[0], table.y[285]) == (0, 1)
    verify.check(declared, table)
    with pytest.raises(DataError, match=f"^breast-cancer: .*{message}"):
        verify.check(declared, change(table))


def test_number_of_missing_cells_is_checked():
    declared = replace(registry.entry("breast-cancer"), missing=8)
    with pytest.raises(DataError, match=r"^breast-cancer: found 9 missing cells, the registry says 8"):
        verify.check(declared, datasets.load("breast-cancer"))


def test_last_bit_of_a_number_is_noticed():
    declared, table = registry.entry("boston"), datasets.load("boston")
    with pytest.raises(DataError, match=r"^boston: column 'NOX' is"):
        verify.check(declared, with_cell(table, 505, 4, lambda x: np.nextafter(x, 1)))
    y = table.y.copy()
    y[0] = np.nextafter(y[0], 0)
    with pytest.raises(DataError, match=r"^boston: column 'MEDV' is"):
        verify.check(declared, replace(table, y=y))


def test_letter_of_a_text_is_noticed():
    declared, table = registry.entry("deerwester"), datasets.load("deerwester")
    with pytest.raises(DataError, match=r"^deerwester: column 'text' is"):
        verify.check(declared, replace(table, X=[*table.X[:-1], table.X[-1] + "."]))


def test_whole_table_has_a_checksum():
    declared, table = registry.entry("boston"), datasets.load("boston")
    wrong = replace(declared, table="0" * 64)
    with pytest.raises(DataError, match=rf"^boston: the table has sha256 {declared.table}, the registry says 0000"):
        verify.check(wrong, table)
    with pytest.raises(DataError, match=r"^boston: the table has sha256 [0-9a-f]{64}, the registry says nothing"):
        verify.check(replace(declared, table=""), table)


def test_checksum_of_a_table_depends_on_every_bit_and_on_the_layout_but_not_on_the_machine():
    columns = tuple(Column(name, "continuous") for name in "ab")
    table = Table(np.arange(6.0).reshape(3, 2), np.array([0, 1, 0]), columns, Column("y", "continuous"), 3)
    assert len(verify.checksum(table)) == 64
    portable = replace(table, X=np.asfortranarray(table.X).astype(">f8"), y=table.y.astype(">i4"))
    assert verify.checksum(portable) == verify.checksum(table)
    others = [
        with_cell(table, 2, 1, lambda x: np.nextafter(x, 9)),
        with_labels(table, row0=1),
        with_column(table, 1, name="c"),
        with_column(table, 1, categories=("no",)),
        replace(table, X=table.X.view(np.int64)),
        replace(table, y=table.y.view(np.float64)),
        replace(table, X=["a", "b", "c"]),
        replace(table, X=["a", "b", "d"]),
    ]
    assert len({verify.checksum(other) for other in [table, *others]}) == len(others) + 1


def test_pixel_is_noticed_and_the_checksum_does_not_depend_on_the_machine():
    pixels = tuple(Column(f"pixel{n}", "pixels") for n in range(4))
    table = Table(np.arange(8, dtype=np.uint8).reshape(2, 4), np.array([0, 1]), pixels, Column("y", "continuous"), 2)
    lines = verify.describe(table)
    assert lines[0].startswith("4-pixels pixels ")
    assert len(lines) == 2
    assert verify.describe(with_cell(table, 1, 1, lambda x: x + 1))[0] != lines[0]
    assert verify.describe(replace(table, X=np.asfortranarray(table.X), y=table.y.astype(">i4"))) == lines
    assert verify.count_missing(table) == 0


# A tiny wheel, and two ways to serve it: the real pip, and a stand-in that counts its calls and can be held.

HEADER = "Category\tText\nd\tstring\nclass\t\n"
TEXTS = f"{HEADER}cat\ta purring pet\ndog\ta barking pet\ncat\tit purrs\n"
MEMBER = "shelf/texts.tab"
STAND_IN = """
import os, pathlib, shutil, sys, tempfile, time
index = pathlib.Path(os.environ["TEST_INDEX"])
with (index / "calls").open("a") as calls:
    calls.write(tempfile.gettempdir() + "\\n")
wanted = sys.argv[-1].partition("==")[0]
for switch in (index / "stderr", index / f"{wanted}.stderr"):
    if switch.exists():
        sys.exit(switch.read_text())
dest = pathlib.Path(sys.argv[sys.argv.index("--dest") + 1])
for wheel in list(index.glob(f"{wanted}-*.whl")) or index.glob("*.whl"):
    (dest / wheel.name).write_bytes(wheel.read_bytes()[:100])
    while (index / "hold").exists():
        time.sleep(0.01)
    shutil.copy(wheel, dest)
"""


def build_wheel(folder: Path, content: str = TEXTS, name: str = "shelf", version: str = "1.0") -> Member:
    """Write a valid wheel with one data file into `folder`, and declare the file as the registry would."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MEMBER, content)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", f"{MEMBER},,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")
    wheel = Wheel(f"{name}=={version}", path.name, path.stat().st_size, wheels.sha256(path))
    return Member(wheel, MEMBER, hashlib.sha256(content.encode()).hexdigest())


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("PROBML_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def real_index(tmp_path, monkeypatch, cache) -> Path:
    """Folder that is pip's only index, whatever the user's settings: no test here uses the network."""
    folder = tmp_path / "index"
    folder.mkdir()
    for variable in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def index(tmp_path, monkeypatch, real_index) -> Path:
    """The same folder served by the stand-in, which finds its switches there too."""
    package = tmp_path / "path" / "pip"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(STAND_IN)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    monkeypatch.setenv("TEST_INDEX", str(real_index))
    return real_index


def calls(index: Path) -> int:
    file = index / "calls"
    return len(file.read_text().splitlines()) if file.exists() else 0


def offline(index: Path) -> None:
    (index / "stderr").write_text("ERROR: No matching distribution found")


def fetching(wheel: Wheel) -> subprocess.Popen:
    """A process of its own, and a group of its own, that fetches the wheel."""
    code = f"from course.datasets import registry, wheels; wheels.fetch(registry.Wheel(**{asdict(wheel)}))"
    return subprocess.Popen([sys.executable, "-c", code], start_new_session=True)


def wait_for(condition, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.01)


def held(cache: Path) -> set[str]:
    """What the cache holds, but for lock files."""
    return {path.name for path in cache.iterdir() if path.suffix != ".lock"}


# With the real pip.


def test_first_fetch_downloads_and_later_ones_need_no_index(real_index, cache):
    member = build_wheel(real_index)
    wheel = member.wheel
    served = (real_index / wheel.file).read_bytes()
    assert wheels.fetch(wheel) == cache / wheel.file
    assert held(cache) == {wheel.file}
    (real_index / wheel.file).unlink()
    assert wheels.fetch(wheel).read_bytes() == served
    assert wheels.read(member) == TEXTS.encode()


def test_without_network_and_cache_the_error_says_what_to_do(real_index, cache):
    wheel = Wheel("shelf==1.0", "shelf-1.0-py3-none-any.whl", 1, "0" * 64)
    with pytest.raises(DataError) as caught:
        wheels.fetch(wheel)
    message = str(caught.value)
    assert "pip: ERROR: No matching distribution found for shelf==1.0" in message
    assert "Check the network" in message
    assert f"put the file {wheel.file} (sha256 {wheel.sha256}) into {cache} by hand" in message
    assert held(cache) == set()


def test_wheel_with_another_hash_is_discarded(real_index, cache):
    cache.mkdir()
    other = build_wheel(cache, name="other").wheel
    wheel = build_wheel(real_index).wheel
    build_wheel(real_index, TEXTS + "cat\tnot in the registry\n")
    with pytest.raises(DataError, match=r"as served by the package index has sha256 .* discarded"):
        wheels.fetch(wheel)
    assert held(cache) == {other.file}
    assert wheels.sha256(cache / other.file) == other.sha256


def test_wheel_that_disappeared_from_the_index(real_index, cache):
    wheel = build_wheel(real_index).wheel
    (real_index / wheel.file).unlink()
    build_wheel(real_index, version="2.0")
    with pytest.raises(DataError) as caught:
        wheels.fetch(wheel)
    message = str(caught.value)
    assert "could not download shelf==1.0" in message
    assert "(from versions: 2.0)" in message
    assert f"put the file {wheel.file} (sha256 {wheel.sha256}) into {cache} by hand" in message
    assert held(cache) == set()


# With the stand-in.


def test_pip_is_called_once(index, cache):
    member = build_wheel(index)
    wheel = member.wheel
    for _ in range(2):
        wheels.fetch(wheel)
        wheels.read(member)
    assert calls(index) == 1


def test_pip_keeps_its_scratch_files_in_the_cache(index, cache):
    wheel = build_wheel(index).wheel
    wheels.fetch(wheel)
    assert (index / "calls").read_text() == f"{cache / wheel.file}.partial\n"


def test_index_with_another_file_than_the_declared(index, cache):
    build_wheel(index, name="other")
    wheel = Wheel("shelf==1.0", "shelf-1.0-py3-none-any.whl", 1, "0" * 64)
    with pytest.raises(DataError, match=r"should bring shelf-1.0.*served other-1.0"):
        wheels.fetch(wheel)
    assert held(cache) == set()


def flip(content: bytes, position: int) -> bytes:
    return content[:position] + bytes([content[position] ^ 0xFF]) + content[position + 1 :]


DAMAGE = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "data": lambda content: flip(content, 30 + len(MEMBER) + 5),
    "local header": lambda content: flip(content, 0),
    "version needed": lambda content: flip(content, content.index(b"PK\1\2") + 6),
    "encryption flag": lambda content: flip(content, content.index(b"PK\1\2") + 8),
    "compression method": lambda content: flip(content, content.index(b"PK\1\2") + 10),
    "member name": lambda content: flip(content, content.index(b"PK\1\2") + 46),
    "directory offset": lambda content: flip(content, content.index(b"PK\5\6") + 16),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_wheel_is_healed(index, cache, damage):
    member = build_wheel(index)
    wheel = member.wheel
    wheels.fetch(wheel)
    path = cache / wheel.file
    path.write_bytes(damage(path.read_bytes()))
    assert wheels.read(member) == TEXTS.encode()
    assert wheels.sha256(path) == wheel.sha256
    assert calls(index) == 2


def put_a_socket(path: Path):
    with socket.socket(socket.AF_UNIX) as server, pytest.MonkeyPatch.context() as patch:
        patch.chdir(path.parent)  # the address of a socket has to be short
        server.bind(path.name)


NO_FILES = {
    "pipe": os.mkfifo,
    "socket": put_a_socket,
    "endless device": lambda path: path.symlink_to("/dev/zero"),
    "link to nothing": lambda path: path.symlink_to("nothing"),
}


@pytest.fixture
def impatient():
    """Fails a test that would wait for ever."""

    def give_up(*_):
        pytest.fail("still waiting after half a minute")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("put", NO_FILES.values(), ids=NO_FILES)
def test_what_is_no_file_is_replaced_by_the_wheel(index, cache, put):
    member = build_wheel(index)
    cache.mkdir()
    put(cache / member.wheel.file)
    assert wheels.read(member) == TEXTS.encode()
    assert (cache / member.wheel.file).is_file()
    assert calls(index) == 1


def test_folder_in_place_of_a_wheel_is_named(index, cache):
    member = build_wheel(index)
    (cache / member.wheel.file).mkdir(parents=True)
    with pytest.raises(DataError, match=f"{member.wheel.file} is a folder, where the wheel should be: remove it"):
        wheels.read(member)
    assert calls(index) == 0


@pytest.mark.usefixtures("impatient")
def test_pipe_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="is no regular file"):
        wheels.sha256(tmp_path / "pipe")


def test_damaged_wheel_without_network(index, cache):
    member = build_wheel(index)
    wheel = member.wheel
    wheels.fetch(wheel).write_bytes(b"damaged")
    offline(index)
    with pytest.raises(DataError, match="could not download"):
        wheels.read(member)
    assert held(cache) == {wheel.file}


def test_file_put_by_hand_is_used(index, cache):
    member = build_wheel(index)
    wheel = member.wheel
    cache.mkdir()
    (index / wheel.file).rename(cache / wheel.file)
    assert wheels.read(member) == TEXTS.encode()
    assert wheels.fetch(wheel) == cache / wheel.file
    assert calls(index) == 0


def test_wrong_file_put_by_hand_is_replaced(index, cache):
    wheel = build_wheel(index).wheel
    cache.mkdir()
    (cache / wheel.file).write_bytes(b"x" * wheel.bytes)
    assert wheels.sha256(wheels.fetch(wheel)) == wheel.sha256


def test_member_that_is_not_what_the_registry_says(index, cache):
    member = build_wheel(index)
    with pytest.raises(DataError, match=f"{MEMBER} has sha256 {member.sha256}, the registry says 0000"):
        wheels.read(replace(member, sha256="0" * 64))
    with pytest.raises(DataError, match="holds no shelf/nothing"):
        wheels.read(replace(member, path="shelf/nothing"))
    assert calls(index) == 1


@pytest.mark.parametrize("child", ["file/cache", "x" * 300], ids=["child of a file", "name too long"])
def test_unusable_cache_folder(index, tmp_path, monkeypatch, child):
    (tmp_path / "file").touch()
    monkeypatch.setenv("PROBML_CACHE", str(tmp_path / child))
    member = build_wheel(index)
    wheel = member.wheel
    for attempt in [lambda: wheels.fetch(wheel), lambda: wheels.read(member)]:
        with pytest.raises(DataError, match=r"cannot use the data cache .* set PROBML_CACHE"):
            attempt()
    assert calls(index) == 0


def test_disk_full_while_pip_downloads(index, cache):
    wheel = build_wheel(index).wheel
    (index / "stderr").write_text("ERROR: Could not install: [Errno 28] No space left on device")
    with pytest.raises(DataError, match=r"no space left for the data cache .* PROBML_CACHE"):
        wheels.fetch(wheel)
    assert held(cache) == set()


def test_disk_full_while_the_wheel_is_put_into_place(index, cache, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    wheel = build_wheel(index).wheel
    with monkeypatch.context() as patch:
        patch.setattr(wheels.os, "replace", full)
        with pytest.raises(DataError, match="no space left for the data cache"):
            wheels.fetch(wheel)
    assert held(cache) == set()
    assert wheels.fetch(wheel).is_file()


def test_stale_partial_folder_is_cleaned(index, cache):
    wheel = build_wheel(index).wheel
    stale = cache / f"{wheel.file}.partial"
    stale.mkdir(parents=True)
    (stale / wheel.file).write_bytes(b"half")
    (stale / "unrelated").write_bytes(b"left over")
    wheels.fetch(wheel)
    assert held(cache) == {wheel.file}


def test_download_killed_midway_leaves_nothing_that_hurts(index, cache):
    member = build_wheel(index)
    wheel = member.wheel
    partial = cache / f"{wheel.file}.partial"
    (index / "hold").touch()
    with fetching(wheel) as process:
        wait_for((partial / wheel.file).exists)
        os.killpg(process.pid, signal.SIGKILL)
    assert held(cache) == {partial.name}
    (index / "hold").unlink()
    assert wheels.read(member) == TEXTS.encode()
    assert held(cache) == {wheel.file}


def test_two_processes_download_once(index, cache):
    wheel = build_wheel(index).wheel
    (index / "hold").touch()
    with fetching(wheel) as first, fetching(wheel) as second:
        wait_for(lambda: calls(index) > 0)
        time.sleep(0.5)  # time enough for the other one to call pip too, did it not wait
        (index / "hold").unlink()
        assert first.wait(20) == second.wait(20) == 0
    assert calls(index) == 1
    assert held(cache) == {wheel.file}


# Several wheels.


def test_wheels_are_fetched_two_at_a_time(index, cache):
    several = [build_wheel(index, name=f"shelf{n}").wheel for n in range(4)]
    (index / "hold").touch()
    thread = threading.Thread(target=wheels.fetch_all, args=[[*several, several[0]]])
    thread.start()
    try:
        wait_for(lambda: calls(index) == 2)
        time.sleep(0.5)  # time enough for a third one
        assert calls(index) == 2
    finally:
        (index / "hold").unlink()
        thread.join(20)
    assert not thread.is_alive()
    assert calls(index) == 4
    assert held(cache) == {wheel.file for wheel in several}
    assert all(wheels.sha256(cache / wheel.file) == wheel.sha256 for wheel in several)


def test_first_error_is_reported_after_the_others_have_finished(index, cache):
    several = [build_wheel(index, name=f"shelf{n}").wheel for n in range(5)]
    (index / "shelf1.stderr").write_text("ERROR: No matching distribution found")
    build_wheel(index, "something else", name="shelf3")
    with pytest.raises(DataError, match=r"could not download shelf1==1\.0"):
        wheels.fetch_all(several)
    assert calls(index) == 5
    assert held(cache) == {several[n].file for n in (0, 2, 4)}
    assert all(wheels.sha256(cache / several[n].file) == several[n].sha256 for n in (0, 2, 4))
    (index / "shelf1.stderr").unlink()
    with pytest.raises(DataError, match=r"shelf3-1\.0-py3-none-any\.whl as served by the package index has sha256"):
        wheels.fetch_all(several)
    assert calls(index) == 7
    assert held(cache) == {several[n].file for n in (0, 1, 2, 4)}


def test_no_wheels_at_all(cache):
    wheels.fetch_all([])
    assert not cache.exists()


# From a wheel to a data set.

NUMBERS = "x,kind,y\n1,a,no\n2.5,b,yes\n,a,no\n"


def toy(index: Path, content: str, kind: str = "orange-text", **declared) -> Entry:
    """A set whose declaration is right, but for what is declared otherwise."""
    key, options = ("train", {}) if kind == "orange-text" else ("table", {"target": "y", "discrete": ["kind"]})
    found = {}
    try:
        table = READERS[kind]({key: content.encode()}, **options)
        counts = np.bincount(table.y).tolist()
        found["rows"] = (len(table.y), 0)
        found["columns"] = tuple(verify.describe(table))
        found["table"] = verify.checksum(table)
        found["classes"] = dict(zip(table.target.categories, counts, strict=True))
        found["missing"] = verify.count_missing(table)
    except DataError:
        found = {"rows": (3, 0), "columns": ()}
    files = {key: build_wheel(index, content)}
    return Entry("toy", "Toy", "A toy", kind, "us", "us", "free", files, options=options, **(found | declared))


@pytest.fixture
def register(monkeypatch):
    """Makes a toy the only registered set."""

    def only(declared: Entry) -> Entry:
        monkeypatch.setattr(datasets, "entry", {"toy": declared}.__getitem__)
        return declared

    return only


def test_toy_set_loads(index, register):
    register(toy(index, TEXTS))
    data = datasets.load("toy")
    assert data.class_names == ("cat", "dog")
    assert data.train.X == ["a purring pet", "a barking pet", "it purrs"]
    assert data.train.y.tolist() == [0, 1, 0]
    assert data.test.X == []
    assert data.test.y.shape == (0,)
    assert data.class_counts() == {"train": {"cat": 2, "dog": 1}}
    assert (data.title, data.source, data.licence) == ("Toy", "us", "free")


@pytest.mark.parametrize(
    ("texts", "declared", "message"),
    [
        (TEXTS.replace("Category", "Topic"), {}, "expected the header"),
        ("", {}, "expected the header"),
        (TEXTS.replace("dog\t", "dog "), {}, "expected 'label <tab> text', received 'dog a barking pet'"),
        (TEXTS, {"rows": (4, 0)}, r"found \(3, 0\) rows \(training, test\), the registry says \(4, 0\)"),
        (TEXTS, {"rows": (2, 1)}, r"found \(3, 0\) rows"),
        (TEXTS, {"classes": {"cat": 2, "cow": 1}}, "column 'category' has the classes .*'dog': 1.* says .*'cow': 1"),
        (TEXTS, {"columns": ("text text 00000000", "category discrete(2) 00000000")}, "column 'text' is"),
        (TEXTS, {"missing": 1}, "found 0 missing cells, the registry says 1"),
    ],
    ids=["header", "empty", "no tab", "rows", "split", "classes", "columns", "missing"],
)
def test_file_that_does_not_parse_as_declared(index, register, texts, declared, message):
    register(toy(index, texts, **declared))
    with pytest.raises(DataError, match=f"^toy: .*{message}"):
        datasets.load("toy")


# The copy of a parsed table.


@pytest.fixture
def table(index, register) -> Entry:
    return register(toy(index, NUMBERS, "delimited"))


def check_toy(data: datasets.Dataset) -> None:
    np.testing.assert_array_equal(data.X, [[1, 0], [2.5, 1], [np.nan, 0]])
    assert data.y.tolist() == [0, 1, 0]
    assert data.y.dtype == np.intp
    assert data.features == (Column("x", "continuous"), Column("kind", "discrete", ("a", "b")))
    assert data.target == Column("y", "discrete", ("no", "yes"))
    assert data.n_train == 3


def never(*_) -> None:
    pytest.fail("the wheel should not be read")


def test_second_load_does_not_touch_the_wheel(table, cache, monkeypatch):
    check_toy(datasets.load("toy"))
    assert [path.name for path in (cache / "parsed").iterdir()] == [parsed.path_of(table).name]
    (cache / table.wheels[0].file).unlink()
    monkeypatch.setattr(wheels, "read", never)
    check_toy(datasets.load("toy"))


def test_texts_are_not_copied(index, register, cache):
    register(toy(index, TEXTS))
    datasets.load("toy")
    assert not (cache / "parsed").exists()


def test_another_declaration_has_another_copy(table, register, monkeypatch):
    datasets.load("toy")
    wrong = register(replace(table, columns=tuple(f"{line[:-1]}x" for line in table.columns)))
    assert parsed.path_of(wrong) != parsed.path_of(table)
    with pytest.raises(DataError, match=r"^toy: column 'x' is"):
        datasets.load("toy")
    assert not parsed.path_of(wrong).exists()


def test_table_that_is_not_as_declared_is_not_copied(index, register, cache):
    register(toy(index, NUMBERS, "delimited", missing=2))
    with pytest.raises(DataError, match="found 1 missing cells, the registry says 2"):
        datasets.load("toy")
    assert not (cache / "parsed").exists()


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as arrays:
        return dict(arrays)


def directory(content: bytes, offset: int) -> bytes:
    return flip(content, content.index(b"PK\1\2") + offset)


COPY_DAMAGE = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "last byte": lambda content: content[:-1],
    "no archive": lambda content: b"x" * len(content),
    "data": lambda content: flip(content, content.index(b"NUMPY") + 130),
    "local header": lambda content: flip(content, 0),
    "version needed": lambda content: directory(content, 6),
    "encryption flag": lambda content: directory(content, 8),
    "compression method": lambda content: directory(content, 10),
    "member name": lambda content: directory(content, 46),
    "directory offset": lambda content: flip(content, content.index(b"PK\5\6") + 16),
}


def check_healed(declared: Entry, index: Path, monkeypatch) -> None:
    check_toy(datasets.load("toy"))
    assert calls(index) == 1
    monkeypatch.setattr(wheels, "read", never)
    check_toy(datasets.load("toy"))
    assert [path.name for path in parsed.path_of(declared).parent.iterdir()] == [parsed.path_of(declared).name]


@pytest.mark.parametrize("damage", COPY_DAMAGE.values(), ids=COPY_DAMAGE)
def test_damaged_copy_is_healed(table, index, damage, monkeypatch):
    datasets.load("toy")
    path = parsed.path_of(table)
    path.write_bytes(damage(path.read_bytes()))
    check_healed(table, index, monkeypatch)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("put", NO_FILES.values(), ids=NO_FILES)
def test_what_is_no_file_is_replaced_by_the_copy(table, index, put, monkeypatch):
    datasets.load("toy")
    path = parsed.path_of(table)
    path.unlink()
    put(path)
    check_healed(table, index, monkeypatch)
    assert path.is_file()


def test_folder_in_place_of_a_copy_is_left_alone(table):
    parsed.path_of(table).mkdir(parents=True)
    for _ in range(2):
        check_toy(datasets.load("toy"))
    assert os.listdir(parsed.path_of(table).parent) == [parsed.path_of(table).name]


@pytest.mark.parametrize("changed", [{"X": [[1, 0], [2.6, 1], [np.nan, 0]]}, {"y": [1, 0, 0]}], ids=["cell", "label"])
def test_copy_whose_columns_have_the_declared_digits_is_not_trusted(table, index, register, changed, monkeypatch):
    monkeypatch.setattr(verify, "DIGITS", 0)  # digits that agree by chance, or were made to
    register(replace(table, columns=tuple(line[:-8] for line in table.columns)))
    declared = datasets.entry("toy")
    datasets.load("toy")
    np.savez(parsed.path_of(declared), **(arrays_of(parsed.path_of(declared)) | changed))
    check_healed(declared, index, monkeypatch)


COLUMNS = '[["x", "continuous", []], ["kind", "discrete", ["a", "b"]], ["y", "discrete", ["no", "yes"]]]'
TAMPERED = {
    "cell": {"X": [[1, 0], [2.6, 1], [np.nan, 0]]},
    "missing cell": {"X": [[1, 0], [2.5, 1], [3, 0]]},
    "numbers of half the size": {"X": np.array([[1, 0], [2.5, 1], [np.nan, 0]], dtype=np.float32)},
    "row less": {"X": [[1, 0], [2.5, 1]]},
    "one dimension": {"X": [1.0, 2, 3]},
    "no number": {"X": [["a", "b"]] * 3},
    "label": {"y": [0, 0, 1]},
    "label of no class": {"y": [0, 5, 0]},
    "negative label": {"y": [0, -1, 0]},
    "fractional label": {"y": [0, 0.5, 0]},
    "labels in two dimensions": {"y": [[0], [1], [0]]},
    "split": {"n_train": 2},
    "no split": {"n_train": [1, 2]},
    "category": {"columns": COLUMNS.replace('"a"', '"c"')},
    "class": {"columns": COLUMNS.replace('"no"', '"never"')},
    "kind": {"columns": COLUMNS.replace('"continuous"', '"pixels"')},
    "no features": {"columns": '[["y", "discrete", ["no", "yes"]]]'},
    "no columns": {"columns": "[]"},
    "no JSON": {"columns": "{"},
    "other JSON": {"columns": "7"},
}


@pytest.mark.parametrize("changed", TAMPERED.values(), ids=TAMPERED)
def test_copy_that_was_tampered_with_is_healed(table, index, changed, monkeypatch):
    datasets.load("toy")
    path = parsed.path_of(table)
    arrays = arrays_of(path)
    assert str(arrays["columns"]) == COLUMNS
    np.savez(path, **(arrays | changed))
    check_healed(table, index, monkeypatch)


@pytest.mark.parametrize("without", ["X", "y", "columns", "n_train"])
def test_copy_that_lacks_a_part_is_healed(table, index, without, monkeypatch):
    datasets.load("toy")
    arrays = arrays_of(parsed.path_of(table))
    del arrays[without]
    np.savez(parsed.path_of(table), **arrays)
    check_healed(table, index, monkeypatch)


class Hostile:
    """Unpickled, it creates a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize("part", ["X", "y", "columns", "n_train", None])
def test_copy_with_a_pickle_is_not_executed(table, index, part, tmp_path, monkeypatch):
    datasets.load("toy")
    path, side_effect = parsed.path_of(table), tmp_path / "side-effect"
    pickle.loads(pickle.dumps(Hostile(tmp_path / "it would work"))).close()
    assert (tmp_path / "it would work").exists()
    if part is None:
        path.write_bytes(pickle.dumps(Hostile(side_effect)))
    else:
        np.savez(path, **(arrays_of(path) | {part: np.array([Hostile(side_effect)], dtype=object)}))
    check_healed(table, index, monkeypatch)
    assert not side_effect.exists()


def test_unwritable_folder_of_the_copies_is_no_error(table, cache):
    cache.mkdir()
    (cache / "parsed").write_text("a file in its place")
    for _ in range(2):
        check_toy(datasets.load("toy"))
    assert held(cache) == {"parsed", table.wheels[0].file}


@pytest.mark.parametrize("step", ["savez", "replace"])
def test_disk_full_while_the_copy_is_written_is_no_error(table, cache, monkeypatch, step):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    wheels.fetch(table.wheels[0])
    with monkeypatch.context() as patch:
        patch.setattr(np if step == "savez" else os, step, full)
        check_toy(datasets.load("toy"))
    assert list((cache / "parsed").iterdir()) == []
    check_toy(datasets.load("toy"))
    assert parsed.path_of(table).exists()


# Where the cache is.


def test_cache_folder_is_the_chosen_one(monkeypatch, tmp_path):
    monkeypatch.setenv("PROBML_CACHE", str(tmp_path))
    assert wheels.cache_dir() == tmp_path
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PROBML_CACHE", "~/data")
    assert wheels.cache_dir() == tmp_path / "data"


@pytest.mark.skipif(sys.platform == "win32", reason="HOME does not move the cache folder of Windows")
def test_default_cache_folder_is_per_user(monkeypatch, tmp_path):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("PROBML_CACHE", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert wheels.cache_dir().is_relative_to(tmp_path)
    assert wheels.cache_dir().name == "probml"


def test_cache_folder_that_is_no_plain_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROBML_CACHE", "here ")
    assert wheels.cache_dir() == tmp_path / "here"
    monkeypatch.setenv("PROBML_CACHE", "~nobody-of-this-name/x")
    with pytest.raises(DataError, match="which is no folder"):
        wheels.cache_dir()
