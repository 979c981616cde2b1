"""How scikit-learn's tests are run with our classes: on a made-up test module."""

import os
import subprocess
import sys
from pathlib import Path

HARNESS = Path(__file__).parent / "scikit_learn" / "conftest.py"

THEIRS = """
import warnings
import pytest
from shapes import Circle, Square

@pytest.mark.parametrize("shape", [Square, Circle])
@pytest.mark.parametrize("size", [1, 2])
def test_area(shape, size):
    assert shape(size).area() == size**2

def test_error():
    with pytest.raises(ValueError, match="of theirs"):
        Square(-1)

def test_warning():
    warnings.warn("no concern of ours")
    assert Square(1).area() == 1

def helper():
    return Square(3)

def test_by_a_helper():
    assert helper().area() == 9

def test_of_another_class():
    assert Circle(1).area() == 0
"""
SHAPES = """
class Circle:
    def __init__(self, size):
        self.size = size
    def area(self):
        return self.size**2
class Square(Circle):
    pass
"""
OURS = """
class Square:
    def __init__(self, size):
        if size < 0:
            raise ValueError("of ours")
        self.size = size
    def area(self):
        return 10 if self.size == 3 else self.size + self.size
"""


def run(folder, does_not_apply, *arguments):
    (folder / "conftest.py").write_bytes(HARNESS.read_bytes())
    for name, source in {"test_shapes": THEIRS, "shapes": SHAPES, "ours": OURS}.items():
        (folder / f"{name}.py").write_text(source)
    (folder / "suite.toml").write_text(
        f'module = "test_shapes"\n[classes]\n"shapes.Square" = "ours.Square"\n[does_not_apply]\n{does_not_apply}\n'
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-W", "error", "-rA", "--color=no"]
    return subprocess.run(
        [*command, *(arguments or ["suite.toml"])],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    ).stdout


def test_tests_that_do_not_apply_have_to_fail(tmp_path):
    found = run(tmp_path, '"adds" = ["test_area", "test_by_a_helper", "test_warning"]')
    assert "XFAIL suite.toml::test_area[1-Square] - adds" in found
    assert "XFAIL suite.toml::test_by_a_helper" in found
    assert "XFAIL suite.toml::test_warning" in found  # by its assertion, not by its warning
    assert "PASSED suite.toml::test_error" in found  # in other words
    assert "FAILED suite.toml::test_area[2-Square]" in found
    assert "[XPASS(strict)] adds. If it passes, take it off the list in suite.toml" in found
    assert "test_of_another_class" not in found
    assert "Circle" not in found
    assert "1 failed, 1 passed, 3 xfailed" in found


def test_one_test_and_one_set_of_parameters_by_name(tmp_path):
    found = run(tmp_path, '"adds" = ["test_area[1-Square]"]', "suite.toml::test_area")
    assert "1 passed, 1 xfailed" in found
    assert "1 passed" in run(tmp_path, "", "suite.toml::test_area[2-Square]")


def test_a_list_with_a_test_that_is_not_there(tmp_path):
    found = run(tmp_path, '"adds" = ["test_of_volume"]')
    assert "suite.toml lists tests that are not there or use none of our classes: ['test_of_volume']" in found
