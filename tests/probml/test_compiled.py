"""Compiled functions: where they are kept, and what they make of sums and zeros."""

import subprocess
import sys

import numba
import numpy as np
import pytest

from probml.compiled import compiled

CALLER = """
from probml.compiled import compiled
from callee import twice

@compiled
def four_times(x):
    return twice(twice(x))

print(four_times(1.5), len(four_times.stats.cache_hits))
"""
CALLEE = """
from probml.compiled import compiled

@compiled
def twice(x):
    return FACTOR * x
"""


def test_kept_on_disk_until_a_file_beside_changes(tmp_path):
    def run(factor):
        (tmp_path / "callee.py").write_text(CALLEE.replace("FACTOR", factor))
        # without -B Python keeps bytecode by the second and the length of its source: 3 in place of 2 could go unseen
        command = [sys.executable, "-B", "caller.py"]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return ran.stdout.split()

    (tmp_path / "caller.py").write_text(CALLER)
    assert run("2") == ["6.0", "0"]
    assert run("2") == ["6.0", "1"]
    assert run("3") == ["13.5", "0"]


@pytest.fixture
def half(tmp_path):
    """A function of a file in a folder of its own."""
    file = tmp_path / "code" / "halves.py"
    file.parent.mkdir()
    file.write_text("def half(x):\n    return x / 2\n")
    names = {"__name__": "halves"}  # not imported, which would keep bytecode beside it
    exec(compile(file.read_text(), file, "exec"), names)
    return names["half"]


def test_kept_where_the_user_wants_it(tmp_path, monkeypatch, half):
    wanted = tmp_path / "wanted"
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(wanted))
    assert compiled(half)(3.0) == 1.5
    assert list(wanted.glob("compiled-*/**/*.nbi"))
    assert str(wanted) == numba.config.CACHE_DIR


def test_not_kept_where_nothing_can_be_written(tmp_path, monkeypatch, half):
    """Nor anywhere else where Numba would not see a change."""
    occupied = tmp_path / "code" / "__pycache__"
    occupied.touch()
    monkeypatch.setattr("probml.compiled.user_cache_path", lambda _: occupied)
    function = compiled(half)
    assert function(3.0) == 1.5
    assert not function.stats.cache_path


def test_kept_by_the_user_where_the_code_cannot_be_written_to(tmp_path, monkeypatch, half):
    (tmp_path / "code" / "__pycache__").touch()
    monkeypatch.setattr("probml.compiled.user_cache_path", lambda name: tmp_path / "cache" / name)
    function = compiled(half)
    assert function(3.0) == 1.5
    assert list(tmp_path.glob("cache/probml/compiled-*/**/*.nbi"))


def test_division_by_zero_is_that_of_numpy():
    assert compiled(inverse)(np.zeros(1))[0] == np.inf


def inverse(x):
    y = np.empty(1)
    y[0] = 1 / x[0]
    return y


def test_sums_are_added_up_in_the_order_in_which_they_are_written():
    x = np.random.default_rng(0).normal(size=10_001) * 10.0 ** np.arange(10_001) ** 0.1
    total = 0.0
    for value in x.tolist():
        total += value * value
    assert compiled(squares)(x) == total


def squares(x):
    total = 0.0
    for value in x:
        total += value * value
    return total
