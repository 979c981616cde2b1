"""What `python -m course` says where it cannot do what it is asked to: one message, status 1, no traceback."""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from course.__main__ import main
from course.stages import closure

ROOT = Path(__file__).parents[2]
COMMANDS = ["ledger", "equations", "headlines", "stages", "reproduce", "check", "validate", "cite"]


WITH_A_NAME = ["run", "form", "reseed"]


@pytest.mark.parametrize(
    "arguments", [*([name, "mail"] for name in WITH_A_NAME), *([name] for name in COMMANDS)], ids=" ".join
)
def test_outside_the_projects_folder(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 1
    said = capsys.readouterr()
    assert said.err == (
        f"error: {tmp_path} is not the project's folder (it has no dvc.yaml): change to it and try again\n"
    )
    assert said.out == ""
    assert not [*tmp_path.iterdir()]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with one note of the course and all parameters."""
    (tmp_path / "notebooks").mkdir()
    for file in ("dvc.yaml", "params.yaml", "notebooks/20-naive-bayes-by-hand.ipynb"):
        (tmp_path / file).write_bytes((ROOT / file).read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", WITH_A_NAME)
def test_an_unknown_note(project, capsys, command):
    assert main([command, "06-naive-bayes"]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("error: there is no notebook '06-naive-bayes' in ")
    assert said.endswith("Known: 20-naive-bayes-by-hand")


def test_a_note_without_its_section(project, capsys):
    params = (project / "params.yaml").read_text(encoding="utf-8")
    assert "\n20-naive-bayes-by-hand:" in params
    (project / "params.yaml").write_text(params.replace("\n20-naive-bayes-by-hand:", "\n05-by-hand:"), encoding="utf-8")
    assert main(["run", "20-naive-bayes-by-hand"]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"error: {project / 'params.yaml'} has no section '20-naive-bayes-by-hand'")
    assert not (project / "results").exists()


def test_no_parameters_at_all(project, capsys):
    (project / "params.yaml").unlink()
    assert main(["run", "20-naive-bayes-by-hand"]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"error: {project / 'params.yaml'}")
    assert "disk full" not in said


WITHOUT = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {package!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
from course.__main__ import main
sys.exit(main({arguments!r}))
"""


@pytest.mark.parametrize(
    ("command", "package"),
    [
        ("run", "nbformat"),
        ("run", "papermill"),
        ("run", "ipykernel"),
        ("reproduce", "dvc"),
        ("cite", "pybtex"),
        ("validate", "nbval"),
        ("validate", "xdist"),
        ("check", "matplotlib"),
        ("equations", "sympy"),
        ("stages", "yaml"),
        ("site", "sphinx"),
    ],
)
def test_a_package_that_is_not_installed(project, command, package):
    (project / "results" / "20-naive-bayes-by-hand").mkdir(parents=True)
    (project / "results" / "20-naive-bayes-by-hand" / "notebook.ipynb").write_text("earlier")
    arguments = [command, *["20-naive-bayes-by-hand"] * (command == "run")]
    script = WITHOUT.format(package=package, arguments=arguments)
    ran = subprocess.run([sys.executable, "-c", script], cwd=project, capture_output=True, text=True)
    assert ran.returncode == 1, ran.stderr
    assert ran.stderr.splitlines()[-1] == (
        f"error: {command} needs the package {package}, which is not installed here: set up .venv by `sh .ci/setup` "
        "and use its Python, or pip install -e '.[course,curves,dev,site]'"
    )
    assert "Traceback" not in ran.stderr
    assert (project / "results" / "20-naive-bayes-by-hand" / "notebook.ipynb").read_text() == "earlier"


def test_a_missing_module_of_our_own_is_no_missing_package(project, monkeypatch):
    monkeypatch.setitem(sys.modules, "course.results.headlines", None)
    monkeypatch.delattr("course.results.headlines", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"course\.results\.headlines"):
        main(["headlines"])


@pytest.mark.parametrize("command", WITH_A_NAME)
def test_a_path_in_place_of_a_name(project, capsys, command):
    assert main([command, "../notebooks/20-naive-bayes-by-hand"]) == 1
    assert capsys.readouterr().err == (
        f"error: {command} takes the name of a file in notebooks/ without .ipynb, received "
        "'../notebooks/20-naive-bayes-by-hand'\n"
    )
    assert not (project / ".work").exists()


def test_a_folder_in_place_of_a_file_is_no_full_disk(tmp_path, capsys):
    assert main(["strip", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"error: [Errno 21] Is a directory: '{tmp_path}'\n"


@pytest.mark.parametrize("command", ["ledger", "equations", "headlines"])
def test_commands_that_write_results_take_turns(project, monkeypatch, command):
    order = []

    @contextmanager
    def turn(root, name):
        order.append(f"{name} begins")
        yield
        order.append(f"{name} ends")

    monkeypatch.setattr("course.notebook.staging.turn", turn)
    writers = {"ledger": "results.ledger", "equations": "equations.page", "headlines": "results.headlines"}
    monkeypatch.setattr(f"course.{writers[command]}.write", lambda results: order.append("written"))
    assert main([command]) == 0
    assert order == [f"{command} begins", "written", f"{command} ends"]


def test_the_pipeline_sees_all_that_writes_receipts():
    source = (ROOT / "course" / "__main__.py").read_text(encoding="utf-8")
    assert "write_receipt" not in source
    assert ROOT / "course" / "data" / "receipt.py" in closure(ROOT, "course.data.fetch")
