"""The tool behind `make mutants`: which changes it makes, and under which names they are known."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tests/mutants"

SOURCE = '''"""Two is not one."""

FACTOR = 2.0


class Line:
    slope: int | None = None

    def at(self, x, shift=0):
        """A line."""
        if x < 1 and not shift:
            raise ValueError(f"{x + 1} is too small")
        return -FACTOR * x**2 + 1 + 1
'''


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOL))
    import mutations

    yield mutations
    for name in ("mutations", "outcomes"):
        sys.modules.pop(name, None)


def test_every_sign_factor_power_comparison_and_number_is_changed_once(tool, tmp_path):
    (tmp_path / "line.py").write_text(SOURCE)
    found = tool.mutations(tmp_path, "line.py")
    assert [(each.where, each.old, each.new, each.nth) for each in found] == [
        ("", "FACTOR = 2.0", "FACTOR = 4.0", 1),
        ("Line.at", "self, x, shift=0", "self, x, shift=1", 1),
        ("Line.at", "x < 1 and (not shift)", "x < 1 or not shift", 1),
        ("Line.at", "x < 1 and (not shift)", "x >= 1 and (not shift)", 1),
        ("Line.at", "x < 1 and (not shift)", "x < 2 and (not shift)", 1),
        ("Line.at", "x < 1 and (not shift)", "x < 1 and (not not shift)", 1),
        ("Line.at", "return -FACTOR * x ** 2 + 1 + 1", "return -FACTOR * x ** 2 + 1 - 1", 1),
        ("Line.at", "return -FACTOR * x ** 2 + 1 + 1", "return -FACTOR * x ** 2 - 1 + 1", 1),
        ("Line.at", "return -FACTOR * x ** 2 + 1 + 1", "return -FACTOR / x ** 2 + 1 + 1", 1),
        ("Line.at", "return -FACTOR * x ** 2 + 1 + 1", "return +FACTOR * x ** 2 + 1 + 1", 1),
        ("Line.at", "return -FACTOR * x ** 2 + 1 + 1", "return -FACTOR * x ** 3 + 1 + 1", 1),
        ("Line.at", "return -FACTOR * x ** 2 + 1 + 1", "return -FACTOR * x ** 2 + 2 + 1", 1),
        ("Line.at", "return -FACTOR * x ** 2 + 1 + 1", "return -FACTOR * x ** 2 + 1 + 2", 1),
    ]
    assert [each.in_body for each in found] == [False] * 2 + [True] * 11
    for each in found:
        assert each.new in ast.unparse(tool.mutated(tmp_path, each))


def test_names_outlast_moved_lines(tool, tmp_path):
    (tmp_path / "line.py").write_text(SOURCE)
    before = tool.mutations(tmp_path, "line.py")
    (tmp_path / "line.py").write_text(SOURCE.replace("\n\nclass", "\n\n\n# moved\nclass"))
    after = tool.mutations(tmp_path, "line.py")
    assert [each.key for each in before] == [each.key for each in after]
    assert before[-1].lines != after[-1].lines


def test_every_survivor_of_the_library_has_a_reason():
    survivors = tomllib.loads((TOOL / "survivors.toml").read_text(encoding="utf-8"))["survivor"]
    names = [(each["file"], each["where"], each["old"], each["new"], each.get("nth", 1)) for each in survivors]
    assert len(set(names)) == len(names)
    for each in survivors:
        assert (ROOT / each["file"]).is_file()
        assert len(each["reason"]) > 10
