"""The site as a whole: built twice, the same bytes; and not too large."""

import os
import subprocess
import sys

from conftest import ROOT
from files import differences

MAX_SIZE = 40_000_000  # bytes
BUILD = """
import sys
from pathlib import Path
from course.site.build import build
build(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def test_two_builds_are_identical(site, tmp_path):
    """Also at another place, in another time zone, with other hashes of strings."""
    other = {"PYTHONHASHSEED": "20", "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"}
    second = tmp_path / "second"
    built = subprocess.run(
        [sys.executable, "-c", BUILD, ROOT, second],
        cwd=ROOT,
        env={**os.environ, **other},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    assert differences(site.root, second) == []


def test_the_site_is_small_enough_to_carry_about(site):
    assert site.size() < MAX_SIZE
