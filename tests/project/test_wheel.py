"""What `pip install .` gives: the wheel, and the library with nothing beside it but its dependencies."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built of a copy: what an earlier build has left in the project's folder would get into it."""
    folder = tmp_path_factory.mktemp("wheel")
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, folder)
    for package in ("probml", "course", "tests", "benchmarks", "notebooks", "data"):
        ignored = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
        shutil.copytree(ROOT / package, folder / package, ignore=ignored)
    pip = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", "built", "."]
    subprocess.run(pip, cwd=folder, check=True, capture_output=True)
    (built,) = (folder / "built").iterdir()
    return zipfile.ZipFile(built)


def test_the_wheel_holds_the_library_and_nothing_else(wheel):
    files = {name for name in wheel.namelist() if ".dist-info/" not in name}
    library = {path.relative_to(ROOT).as_posix() for path in (ROOT / "probml").rglob("*.py")}
    assert files == library | {"probml/py.typed", "probml/comparison/report.css"}


def test_the_wheel_asks_for_the_dependencies_and_leaves_the_rest_to_extras(wheel):
    (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    asked = re.findall(r"^Requires-Dist: (.*)$", wheel.read(metadata).decode(), re.MULTILINE)
    always = {Requirement(line).name for line in asked if "extra ==" not in line}
    assert always == {Requirement(line).name for line in PROJECT["dependencies"]}


def installed_with(names):
    """Distributions that come with these, by what each asks for in turn."""
    found, left = set(), [*names]
    while left:
        if (name := canonicalize_name(left.pop())) not in found:
            found.add(name)
            needed = map(Requirement, requires(name) or [])
            left += [each.name for each in needed if not each.marker or each.marker.evaluate({"extra": ""})]
    return found


@cache
def hidden():
    """Modules that can be imported here, but could not after `pip install .` in an empty environment."""
    there = installed_with(Requirement(line).name for line in PROJECT["dependencies"])
    owners = {module: set(map(canonicalize_name, each)) for module, each in packages_distributions().items()}
    return {module for module, of in owners.items() if not of & there} - {"probml"} | {"course", "tests", "benchmarks"}


HIDING = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {hidden!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
sys.path.insert(0, {site!r})
import numpy as np
import probml
assert probml.__file__.startswith({site!r})

def message(kind, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except kind as error:
        print(error)
"""


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    """Where the wheel is installed."""
    folder = tmp_path_factory.mktemp("site")
    wheel.extractall(folder)
    return folder


@pytest.fixture
def alone(site, tmp_path):
    """Runs a script with the library of the wheel and what it depends on; gives back what it prints."""

    def run(script):
        (tmp_path / "script.py").write_text(HIDING.format(hidden=hidden(), site=str(site)) + script)
        ran = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        assert not ran.stderr
        return ran.stdout

    return run


def test_what_is_hidden():
    assert {"numba", "dask", "distributed", "matplotlib", "dvc", "papermill", "IPython", "pandas"} <= hidden()
    assert {"pip", "filelock"} <= hidden()  # by which the course fetches its data
    assert not {"numpy", "scipy", "sklearn", "joblib", "tqdm", "probml"} & hidden()


def test_every_module_can_be_imported_and_a_model_fitted(alone):
    script = """
import importlib, pkgutil
names = [module.name for module in pkgutil.walk_packages(probml.__path__, "probml.")]
for name in names:
    importlib.import_module(name)
from probml.naive_bayes import MultinomialNB
X = np.array([[2, 0], [1, 1], [0, 3]])
print(len(names), *MultinomialNB().fit(X, [0, 0, 1]).predict(X))
"""
    number, *predicted = alone(script).split()
    assert int(number) > 100
    assert predicted == ["0", "0", "1"]


def test_learning_curves_say_that_they_need_numba(alone):
    """Where the curves are asked for, or a model is fitted by itself, and not where the module is imported."""
    script = """
from probml.curves import LogisticRegression, learning_curves
from probml.curves.subsets import Subsets
X, y = np.arange(8.0).reshape(4, 2) ** 2, np.array([0, 0, 1, 1])
message(ImportError, learning_curves, X, y, [2], {"lr": LogisticRegression()})
message(ImportError, LogisticRegression(l2=1.0).fit, Subsets(X[None], y[None], 2, 0, 0))
"""
    said = "learning curves are computed by loops that Numba compiles, and it is not installed: "
    assert alone(script).splitlines() == [said + "pip install 'probml[curves]'"] * 2


def test_the_perceptron_does_without_numba(alone):
    """Of so many rows that it would compile."""
    script = """
from scipy.sparse import csr_array
from probml.linear_model import perceptron
X = np.random.default_rng(0).normal(size=(400, 3))
y = X @ [1, 2, 3] > 0.1
few = perceptron.Perceptron().fit(X, y)
perceptron.ROWS_WORTH_COMPILING = 0
for kind in (np.asarray, csr_array):
    many = perceptron.Perceptron().fit(kind(X), y)
    np.testing.assert_allclose(many.coef_, few.coef_, rtol=1e-12)
    print(many.score(X, y))
"""
    assert alone(script).split() == ["1.0", "1.0"]


def test_the_first_example_of_the_readme_needs_the_library_alone(alone):
    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    call, said = re.search(r"^(model\.predict_proba\(.*\))  # (.*)$", example, re.MULTILINE).groups()
    shown = f"print(*(f'{{name}} {{p:.2f}}' for name, p in zip(model.classes_, {call}[0])), sep=', ')"
    assert alone(f"{example}\n{shown}\n") == f"{said}\n"
