"""pyproject.toml says what is needed, requirements.lock pins it, environment.yml points at the lock."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")

DECLARED = [
    *PYPROJECT["build-system"]["requires"],
    *PYPROJECT["project"]["dependencies"],
    *(needed for extra in PYPROJECT["project"]["optional-dependencies"].values() for needed in extra),
]
ENTRIES = [
    line
    for line in LOCK.replace("\\\n", " ").splitlines()  # an entry and its hashes on one line
    if line and not line.startswith("#")
]


def pinned(entry: str) -> Requirement:
    return Requirement(entry.partition("--hash")[0])


@pytest.mark.parametrize("needed", DECLARED)
def test_every_dependency_is_pinned_at_a_version_that_satisfies_it(needed):
    needed = Requirement(needed)
    pins = [
        requirement.specifier
        for requirement in map(pinned, ENTRIES)
        if canonicalize_name(requirement.name) == canonicalize_name(needed.name)
    ]
    versions = [pin.version for specifier in pins for pin in specifier]
    assert versions
    assert all(needed.specifier.contains(version) for version in versions)


def test_lock_entries_are_exact_and_hashed():
    assert ENTRIES
    for entry in ENTRIES:
        (pin,) = pinned(entry).specifier
        assert pin.operator == "=="
        assert "*" not in pin.version
        hashes = entry.split("--hash=")[1:]
        assert hashes, entry
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}\s*", value) for value in hashes), entry


def test_lock_names_no_registry():
    assert "://" not in LOCK


def test_conda_environment_is_python_pip_and_the_lock():
    assert CONDA["name"] == PYPROJECT["project"]["name"]
    assert CONDA["channels"] == ["conda-forge", "nodefaults"]
    python, *rest = CONDA["dependencies"]
    assert rest == ["pip", {"pip": ["-r requirements.lock"]}]
    python = Requirement(python)
    assert python.name == "python"
    assert python.specifier == SpecifierSet(PYPROJECT["project"]["requires-python"])
