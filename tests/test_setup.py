"""The set-up script, in a copy of the files it needs, in a folder with spaces in its name."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOLS = ["df", "awk", "cat", "cksum", "cp", "date", "dirname", "grep", "mkdir", "rm", "sh"]

# Stands in for Python: it answers the question for the version truly, makes a .venv of copies of itself, and only
# notes what it is asked to install. It fails where the command contains $FAIL.
STAND_IN = """#!/bin/sh
if [ "$1" = -c ]; then exec "$REAL" "$@"; fi
if [ "$*" = "-m pip config get global.index-url" ]; then exit 1; fi
printf '%s\\n' "$*" >> "$CALLS"
case "$*" in *"${FAIL:-nothing}"*) exit 1 ;; esac
case "$*" in
    "-m venv .venv")
        mkdir -p .venv/bin
        cp "$0" .venv/bin/python
        printf '#!%s\\n' "$PWD/.venv/bin/python" > .venv/bin/pip ;;
    *"uv pip sync"*) printf '%s\\n' "${UV_DEFAULT_INDEX:-}" > "$CALLS.index" ;;
esac
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


class Project:
    """A copy of the project to set up; `calls` is what its Python was asked to do in the last run."""

    def __init__(self, folder: Path):
        self.outside = folder
        self.root = folder / "a folder with spaces"
        (self.root / ".ci").mkdir(parents=True)
        for file in [".ci/setup", "requirements.lock", "pyproject.toml"]:
            shutil.copy(ROOT / file, self.root / file)
        (folder / "bin").mkdir()
        for tool in TOOLS:
            (folder / "bin" / tool).symlink_to(shutil.which(tool))
        self.python = self.script("python-stand-in", STAND_IN)

    def script(self, name: str, text: str) -> Path:
        path = self.outside / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    @property
    def ready(self) -> bool:
        return (self.root / ".venv" / ".ready").exists()

    def set_up(self, **variables: str) -> subprocess.CompletedProcess:
        notes = self.outside / "calls"
        notes.unlink(missing_ok=True)
        environment = {
            "PATH": str(self.outside / "bin"),
            "HOME": str(self.outside),
            "CALLS": str(notes),
            "REAL": sys.executable,
            "PYTHON": str(self.python),
            **variables,
        }
        command = ["sh", str(self.root / ".ci" / "setup")]
        done = subprocess.run(command, env=environment, cwd=self.outside, capture_output=True, text=True, check=False)
        self.calls = notes.read_text().splitlines() if notes.exists() else []
        return done


@pytest.fixture
def project(tmp_path) -> Project:
    return Project(tmp_path)


def steps(project: Project) -> list[str]:
    """The calls in short."""
    known = {
        "-m venv": "venv",
        "-r .venv/uv.lock": "pip uv",
        "uv pip sync": "uv sync",
        "-r requirements.lock": "pip lock",
        "--editable .": "editable",
    }
    calls = [call for call in project.calls if "uv --version" not in call]  # a look whether uv works
    return [next(step for part, step in known.items() if part in call) for call in calls]


ALL = ["venv", "pip uv", "uv sync", "editable"]


def test_sets_up_once(project):
    done = project.set_up()
    assert done.returncode == 0, done.stderr
    assert "Environment ready after" in done.stderr
    assert steps(project) == ALL
    again = project.set_up()
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert project.calls == []


def test_everything_is_installed_by_hash(project):
    project.set_up()
    assert all("--require-hashes" in call for call in project.calls if "requirements.lock" in call or "uv.lock" in call)
    first, *hashes = (project.root / ".venv" / "uv.lock").read_text().splitlines()
    assert first.startswith("uv==")
    assert hashes
    assert all(line.strip().startswith("--hash=sha256:") for line in hashes)


@pytest.mark.parametrize("file", ["requirements.lock", "pyproject.toml"])
def test_changed_file_is_installed_into_the_same_venv(project, file):
    project.set_up()
    with (project.root / file).open("a") as changed:
        changed.write("# changed\n")
    assert project.set_up().returncode == 0
    assert steps(project) == ALL[1:]


def test_moved_folder_gets_a_new_venv(project):
    project.set_up()
    project.root = project.root.rename(project.outside / "another folder")
    assert project.set_up().returncode == 0
    assert steps(project) == ALL


def test_venv_without_pip_is_made_anew(project):
    project.set_up(FAIL="uv.lock")
    (project.root / ".venv" / "bin" / "pip").unlink()
    assert project.set_up().returncode == 0
    assert steps(project) == ALL


def test_without_registry(project):
    done = project.set_up(FAIL="uv.lock")
    assert done.returncode == 1
    assert "needs a package registry: check the network" in done.stderr
    assert not project.ready
    assert project.set_up().returncode == 0
    assert steps(project) == ALL[1:]


def test_lost_registry_is_reported_after_a_change_of_the_lock(project):
    project.set_up()
    with (project.root / "requirements.lock").open("a") as changed:
        changed.write("# changed\n")
    done = project.set_up(FAIL="uv.lock")
    assert done.returncode == 1
    assert "needs a package registry" in done.stderr
    assert not project.ready


def test_pip_steps_in_for_uv(project):
    done = project.set_up(FAIL="uv pip sync")
    assert done.returncode == 0
    assert "trying pip" in done.stderr
    assert steps(project) == ["venv", "pip uv", "uv sync", "pip lock", "editable"]


def test_neither_uv_nor_pip_can_install(project):
    done = project.set_up(FAIL="requirements.lock")
    assert done.returncode == 1
    assert "needs a package registry" in done.stderr
    assert steps(project) == ["venv", "pip uv", "uv sync", "pip lock"]
    assert not project.ready


def test_package_itself_cannot_be_installed(project):
    done = project.set_up(FAIL="--editable")
    assert done.returncode == 1
    assert "could not install the package of this folder" in done.stderr
    assert not project.ready


def test_mirror_of_the_user_is_handed_to_uv(project):
    project.set_up(PIP_INDEX_URL="https://mirror.example/simple")
    assert (project.outside / "calls.index").read_text() == "https://mirror.example/simple\n"


def test_venv_cannot_be_made(project):
    done = project.set_up(FAIL="-m venv")
    assert done.returncode == 1
    assert "apt install python3-venv" in done.stderr
    assert not (project.root / ".venv").exists()


def test_python_too_old_or_missing(project):
    old = project.script("old", "#!/bin/sh\nexit 1\n")
    for python in [old, project.outside / "missing"]:
        done = project.set_up(PYTHON=str(python))
        assert done.returncode == 1
        assert f"error: no Python 3.11 or newer found (tried {python})." in done.stderr
        assert "Install one, or name it: make PYTHON=" in done.stderr
        assert not (project.root / ".venv").exists()


def test_no_python_on_the_path(project):
    done = project.set_up(PYTHON="")
    assert done.returncode == 1
    assert "no Python 3.11 or newer found (tried python3, python3.11 to python3.14 and python)" in done.stderr
    assert "not found\n" not in done.stderr


def test_later_candidate_is_found_behind_a_python3_that_is_too_old(project):
    shutil.copy(project.script("old", "#!/bin/sh\nexit 1\n"), project.outside / "bin" / "python3")
    shutil.copy(project.python, project.outside / "bin" / "python3.12")
    assert project.set_up(PYTHON="").returncode == 0
    assert steps(project) == ALL


def test_real_python_without_registry(project):
    done = project.set_up(PYTHON=sys.executable, PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)
    assert done.returncode == 1
    assert "No matching distribution found for uv==" in done.stderr
    assert "needs a package registry" in done.stderr
    assert (project.root / ".venv" / "bin" / "python").exists()
    assert not project.ready


def test_uv_installed_by_half_is_installed_again(project):
    done = project.set_up(FAIL="uv --version")
    assert done.returncode == 0, done.stderr
    assert steps(project) == ["venv", "pip uv", "pip uv", "uv sync", "editable"]
    assert any("--force-reinstall" in call for call in project.calls)
