"""Who may import whom: a layer knows only the ones below it, and the library knows nothing of the course."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = [
    {"errors", "typing"},
    {"threads", "compiled", "inputs"},
    {"chunks"},
    {"families", "metrics", "text"},
    {"losses"},
    {"objectives"},
    {"solvers"},
    {"generative", "linear_model"},
    {"naive_bayes", "gda"},
    {"nbsvm", "curves", "comparison"},
    {"__main__"},
]
# What all of the course uses, the studies and ledgers, and what runs and shows them.
COURSE = [
    {"errors"},
    {"bibliography", "datasets", "files", "figures", "outline", "teaching"},
    {"interactive"},
    {"studies", "equations", "notebook", "data", "stages"},
    {"results", "form"},
    {"site"},
    {"__main__"},
]


def rooms(package):
    return {
        path.stem if path.is_file() else path.name
        for path in (ROOT / package).iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    } - {"__init__"}


def imports(path):
    """Names of the modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imported_rooms(package, room):
    """Other rooms of the package that files of this one import."""
    path = ROOT / package / room
    files = path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]
    names = {name for file in files for name in imports(file) if name.startswith(f"{package}.")}
    return {name.split(".")[1] for name in names} & rooms(package) - {room}


@pytest.mark.parametrize(("package", "layers"), [("probml", LIBRARY), ("course", COURSE)])
def test_a_layer_knows_only_those_below(package, layers):
    assert set().union(*layers) == rooms(package)
    for height, layer in enumerate(layers):
        below = set().union(*layers[:height])
        for room in layer:
            assert imported_rooms(package, room) <= below, f"{package}.{room}"


def test_the_library_knows_nothing_of_the_course():
    for file in (ROOT / "probml").rglob("*.py"):
        assert not {"course", "benchmarks", "tests"} & {name.split(".")[0] for name in imports(file)}, file


def test_tests_of_the_library_need_no_course():
    """They go where the library goes."""
    for file in (ROOT / "tests/probml").rglob("*.py"):
        assert "course" not in {name.split(".")[0] for name in imports(file)}, file


def test_a_room_of_the_studies_belongs_to_a_note():
    notes = {path.stem.partition("-")[2].replace("-", "_") for path in (ROOT / "notebooks").glob("*.ipynb")}
    folders = {path.name for path in (ROOT / "course/studies").iterdir() if (path / "__init__.py").is_file()}
    assert folders <= notes | {"races"}  # of solvers, which three notes share
