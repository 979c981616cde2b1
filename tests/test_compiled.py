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
        ran = subprocess.run([sys.executable, "caller.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
        return ran.stdout.split()

    (tmp_path / "caller.py").write_text(CALLER)
    assert run("2") == ["6.0", "0"]
    assert run("2") == ["6.0", "1"]
    assert run("3") == ["13.5", "0"]


def test_settings_of_the_user_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    compiled(np_half)
    assert str(tmp_path) == numba.config.CACHE_DIR


def np_half(x):
    return x / 2


@pytest.mark.parametrize("writable", [True, False])
def test_works_without_a_folder_to_be_kept_in(writable, monkeypatch):
    if not writable:
        monkeypatch.setattr(numba.core.caching.CacheImpl, "_locator_classes", [])
    assert compiled(np_half)(3.0) == 1.5


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
