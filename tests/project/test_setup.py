"""The set-up script, in a copy of the files it needs, in a folder with spaces in its name."""

import base64
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ["df", "awk", "cat", "cksum", "cp", "date", "dirname", "mkdir", "rm", "sh"]
PACKAGES = Path(".venv", "lib", "python{}.{}".format(*sys.version_info), "site-packages")

# Stands in for Python: it answers truly what its version is and what state the files are in, makes a .venv of copies of
# itself, and of all that it is asked to install brings one package. It fails where the command contains $FAIL; where it
# contains $PAUSE, it tells so by one pipe and waits for the other.
STAND_IN = """#!/bin/sh
case "$1" in -c | -I) exec "$REAL" "$@" ;; esac
if [ "$*" = "-m pip config get global.index-url" ]; then exit 1; fi
printf '%s\\n' "$*" >> "$CALLS"
case "$*" in *"${FAIL:-nothing}"*) exit 1 ;; esac
case "$*" in *"${PAUSE:-nothing}"*) echo begun > "$CALLS.begun"; cat "$CALLS.go" ;; esac
case "$*" in
    "-m venv .venv")
        mkdir -p .venv/bin
        cp "$0" .venv/bin/python
        printf '#!%s\\n' "$PWD/.venv/bin/python" > .venv/bin/pip ;;
    *"uv pip sync"* | *"-r requirements.lock")
        printf '%s\\n' "${UV_DEFAULT_INDEX:-}" > "$CALLS.index"
        printf '%s\\n' "${UV_LINK_MODE:-}" > "$CALLS.mode"
        mkdir -p "$PACKAGES"
        if [ -n "${UV_NO_CACHE:-}" ]; then cp -R "$REGISTRY/." "$PACKAGES"; else cp -R "$CACHE/." "$PACKAGES"; fi ;;
esac
"""


def record(files: dict[str, bytes], name: str) -> str:
    """The RECORD of a distribution."""
    checksums = {path: base64.urlsafe_b64encode(hashlib.sha256(content).digest()) for path, content in files.items()}
    rows = [f"{path},sha256={checksums[path].rstrip(b'=').decode()},{len(files[path])}" for path in files]
    return "\n".join([*rows, f"{name}.dist-info/RECORD,,", ""])


SHELF = {
    "shelf/__init__.py": b"content = 'books'\n",
    "shelf/py.typed": b"",
    "board.py": b"",
    "shelf-1.0.dist-info/METADATA": b"""\
Metadata-Version: 2.1
Name: shelf
Version: 1.0
""",
}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


class Project:
    """A copy of the project to set up; `calls` is what its Python was asked to do since the last `set_up` began."""

    def __init__(self, folder: Path):
        self.outside = folder
        self.root = folder / "a folder with spaces"
        (self.root / ".ci").mkdir(parents=True)
        for file in [".ci/setup", ".ci/seal.py", ".ci/plots.py", "requirements.lock", "pyproject.toml"]:
            shutil.copy(ROOT / file, self.root / file)
        (folder / "bin").mkdir()
        for tool in TOOLS:
            (folder / "bin" / tool).symlink_to(shutil.which(tool))
        self.python = self.script("python-stand-in", STAND_IN)
        for store in ["registry", "cache"]:
            for path, content in {**SHELF, "shelf-1.0.dist-info/RECORD": record(SHELF, "shelf-1.0").encode()}.items():
                (folder / store / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / store / path).write_bytes(content)

    def script(self, name: str, text: str) -> Path:
        path = self.outside / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    @property
    def ready(self) -> bool:
        return (self.root / ".venv" / ".ready").exists()

    def start(self, **variables: str) -> subprocess.Popen:
        environment = {
            "PATH": str(self.outside / "bin"),
            "HOME": str(self.outside),
            "CALLS": str(self.notes),
            "CACHE": str(self.outside / "cache"),
            "REGISTRY": str(self.outside / "registry"),
            "PACKAGES": str(PACKAGES),
            "REAL": sys.executable,
            "PYTHON": str(self.python),
            **variables,
        }
        return subprocess.Popen(
            ["sh", str(self.root / ".ci" / "setup")],
            env=environment,
            cwd=self.outside,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    @contextmanager
    def under_way(self, step: str) -> Iterator[subprocess.Popen]:
        """A set-up that has come to a step and stays there until `go` is called."""
        for pipe in ["calls.begun", "calls.go"]:
            os.mkfifo(self.outside / pipe)
        process = self.start(PAUSE=step)
        (self.outside / "calls.begun").read_text()
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

    def go(self):
        (self.outside / "calls.go").write_text("")

    @property
    def notes(self) -> Path:
        return self.outside / "calls"

    @property
    def calls(self) -> list[str]:
        return self.notes.read_text().splitlines() if self.notes.exists() else []

    def set_up(self, **variables: str) -> subprocess.CompletedProcess:
        self.notes.unlink(missing_ok=True)
        process = self.start(**variables)
        stdout, stderr = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


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
        ".ci/plots.py": "plots",
    }
    return [next(step for part, step in known.items() if part in call) for call in project.calls]


ALL = ["venv", "pip uv", "uv sync", "editable", "plots"]


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


@pytest.mark.parametrize("file", ["requirements.lock", "pyproject.toml", ".ci/plots.py"])
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


def test_without_registry(project):
    done = project.set_up(FAIL="uv.lock")
    assert done.returncode == 1
    assert "needs a package registry: check the network" in done.stderr
    assert not project.ready
    assert project.set_up().returncode == 0
    assert steps(project) == ALL  # a .venv that was never finished is not built upon


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
    assert steps(project) == ["venv", "pip uv", "uv sync", "pip lock", "editable", "plots"]


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


def test_page_of_plots_cannot_be_written(project):
    done = project.set_up(FAIL=".ci/plots.py")
    assert done.returncode == 1
    assert "could not write the page of 'dvc plots show'" in done.stderr
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


# Two at once.


@pytest.mark.parametrize("step", ["-m venv", "uv pip sync"])
def test_two_set_ups_take_turns(project, step):
    with project.under_way(step) as first, project.start() as second:
        assert second.stderr.readline() == "Waiting for another set-up of this folder to end ...\n"
        project.go()
        assert first.wait() == 0, first.stderr.read()
        assert second.wait() == 0, second.stderr.read()
        assert second.stderr.read() == ""
    assert steps(project) == ALL
    assert project.ready


def test_set_up_that_was_killed_holds_up_no_other(project):
    with project.under_way("uv pip sync") as first:
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        done = project.set_up()
    assert done.returncode == 0, done.stderr
    assert "Waiting" not in done.stderr
    assert steps(project) == ALL


# A damaged environment.


def empty(path: Path):
    path.write_bytes(b"")


def edit(path: Path):
    path.write_bytes(path.read_bytes().replace(b"books", b"socks"))


def put_a_pipe(path: Path):
    path.unlink()
    os.mkfifo(path)


def put_a_folder(path: Path):
    path.unlink()
    path.mkdir()


def cut(path: Path):
    path.write_bytes(path.read_bytes()[:200])


def add(path: Path):
    path.parent.mkdir(exist_ok=True)
    path.write_text("raise SystemExit('not what was installed')\n")


ADDED = [
    "sitecustomize.py",
    "usercustomize/__init__.py",
    "start.pth",
    "shelf/books.py",
    "shelf.so",
    "board/__init__.py",
]

MODULE = PACKAGES / "shelf" / "__init__.py"
DAMAGE = {
    "emptied": (MODULE, empty, f"{MODULE} is empty."),
    "edited": (MODULE, edit, f"{MODULE} is not what was installed."),
    "deleted": (MODULE, Path.unlink, f"{MODULE} is missing."),
    "a pipe in its place": (MODULE, put_a_pipe, f"{MODULE} is no file."),
    "a folder in its place": (MODULE, put_a_folder, f"{MODULE} is no file."),
    "package deleted": (PACKAGES, shutil.rmtree, "is missing (and 4 more like it)."),
    "pip emptied": (Path(".venv/bin/pip"), empty, ".venv/bin/pip is empty."),
    "python deleted": (Path(".venv/bin/python"), Path.unlink, ".venv/bin/python does not run."),
    "python emptied": (Path(".venv/bin/python"), empty, ".venv/bin/python does not run."),
    "note emptied": (Path(".venv/.ready"), empty, ".venv/.ready is not what was written."),
    "note cut": (Path(".venv/.ready"), cut, ".venv/.ready is not what was written."),
    **{
        f"{file} added": (PACKAGES / file, add, f"{PACKAGES / file} was not installed by the set-up.") for file in ADDED
    },
}


@pytest.mark.parametrize(("path", "damage", "message"), DAMAGE.values(), ids=DAMAGE)
def test_damage_is_named_and_mended(project, path, damage, message):
    project.set_up()
    damage(project.root / path)
    done = project.set_up()
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("Environment damaged: ")
    assert done.stderr.splitlines()[0].endswith(message)
    assert steps(project) == ALL
    assert (project.root / MODULE).read_bytes() == SHELF["shelf/__init__.py"]
    again = project.set_up()
    assert (again.returncode, again.stderr, project.calls) == (0, "", [])


def test_python_of_another_version_finds_no_packages(project):
    seal = project.root / ".ci" / "seal.py"
    now = seal.read_text()
    seal.write_text(now.replace('PYTHON = "python{}.{}".format(*sys.version_info)', 'PYTHON = "python3.9"'))
    project.set_up()
    seal.write_text(now)
    done = project.set_up()
    assert f"damaged: .venv/bin/python is {PACKAGES.parent.name} now, not python3.9." in done.stderr
    assert steps(project) == ALL


def test_environment_without_its_note_is_made_anew(project):
    project.set_up()
    edit(project.root / MODULE)
    (project.root / ".venv" / ".ready").unlink()
    assert project.set_up().returncode == 0
    assert steps(project) == ALL
    assert (project.root / MODULE).read_bytes() == SHELF["shelf/__init__.py"]


def test_files_that_were_only_touched_or_compiled_are_no_damage(project):
    project.set_up()
    os.utime(project.root / MODULE, ns=(0, 0))
    compiled = (project.root / MODULE).parent / "__pycache__" / "x.pyc"
    compiled.parent.mkdir()
    compiled.touch()
    (project.root / ".venv" / "notes of mine").touch()
    done = project.set_up()
    assert (done.returncode, done.stderr, project.calls) == (0, "", [])


def test_what_was_installed_by_hand_is_no_damage(project):
    project.set_up()
    own = {"lamp/__init__.py": b"", "lamp-start.pth": b"", "lamp-1.0.dist-info/METADATA": b""}
    for path, content in {**own, "lamp-1.0.dist-info/RECORD": record(own, "lamp-1.0").encode()}.items():
        (project.root / PACKAGES / path).parent.mkdir(exist_ok=True)
        (project.root / PACKAGES / path).write_bytes(content)
    for path in ["mine.py", "shelf/.hidden"]:
        (project.root / PACKAGES / path).touch()
    done = project.set_up()
    assert (done.returncode, done.stderr, project.calls) == (0, "", [])
    add(project.root / PACKAGES / "shelf" / "lamp.py")
    done = project.set_up()
    assert f"damaged: {PACKAGES / 'shelf' / 'lamp.py'} was not installed by the set-up." in done.stderr


def test_files_of_two_packages_and_files_without_checksum_are_no_damage(project):
    other = project.outside / "cache" / "other-1.0.dist-info" / "RECORD"
    other.parent.mkdir()
    other.write_text(record({"shelf/__init__.py": b"another"}, "other-1.0") + "../../../bin/other,,\n")
    done = project.set_up()
    assert done.returncode == 0, done.stderr
    assert steps(project) == ALL


@pytest.mark.parametrize(
    ("file", "damage", "message"),
    [
        ("shelf/__init__.py", empty, "__init__.py is empty."),
        ("shelf/__init__.py", edit, "__init__.py is not what was installed."),
        ("shelf/__init__.py", Path.unlink, "__init__.py is missing."),
        ("shelf-1.0.dist-info/RECORD", empty, "RECORD is empty."),
        ("shelf-1.0.dist-info/RECORD", cut, "RECORD is not what was installed."),
        ("shelf-1.0.dist-info/RECORD", Path.unlink, "RECORD is missing."),
    ],
)
def test_damaged_cache_is_named_and_gone_round(project, file, damage, message):
    damage(project.outside / "cache" / file)
    done = project.set_up()
    assert done.returncode == 0, done.stderr
    assert "Installed from a cache that is damaged: .venv" in done.stderr
    assert f"{message} Installing without it" in done.stderr
    assert steps(project) == ALL + ALL
    assert (project.root / MODULE).read_bytes() == SHELF["shelf/__init__.py"]
    again = project.set_up()
    assert (again.returncode, again.stderr, project.calls) == (0, "", [])


def test_what_stays_damaged_is_an_error(project):
    for store in ["cache", "registry"]:
        empty(project.outside / store / "shelf" / "__init__.py")
    done = project.set_up()
    assert done.returncode == 1
    assert f"error: just installed, and yet damaged: {MODULE} is empty." in done.stderr
    assert steps(project) == ALL + ALL
    assert not project.ready


def test_files_are_not_linked_from_the_cache(project):
    project.set_up(UV_LINK_MODE="hardlink")
    assert (project.outside / "calls.mode").read_text() == "copy\n"


# Once for real: pip and uv install four wheels, three of them packed from what is installed here.


def packed(name: str) -> Iterator[tuple[str, bytes]]:
    """Content of the wheel that an installed distribution came from."""
    installed = distribution(name)
    for path in installed.files:
        if path.hash is None or path.name in {"INSTALLER", "REQUESTED", "direct_url.json"}:
            continue
        if ".." not in path.parts:
            yield str(path), path.read_binary()
        elif path.name.startswith("uv"):  # the others are made at installation
            yield f"{name}-{installed.version}.data/scripts/{path.name}", path.read_binary()


def write_wheel(folder: Path, name: str, version: str, files: dict[str, bytes]) -> str:
    """Write a wheel; return the line that locks it."""
    base = f"{name}-{version}"
    tags = [line.split()[1] for line in files[f"{base}.dist-info/WHEEL"].decode().splitlines() if line[:4] == "Tag:"]
    path = folder / f"{base}-{tags[0]}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for file, content in files.items():
            entry = zipfile.ZipInfo(file)
            entry.external_attr = (0o100755 if "/scripts/" in file else 0o100644) << 16
            wheel.writestr(entry, content)
        wheel.writestr(f"{base}.dist-info/RECORD", record(files, base))
    return f"{name}=={version} \\\n    --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


def test_real_environment_from_a_damaged_cache(project):
    wheels = project.outside / "wheels"
    wheels.mkdir()
    plain = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    lock = [
        write_wheel(wheels, "shelf", "1.0", {**SHELF, "shelf-1.0.dist-info/WHEEL": plain}),
        *(
            write_wheel(wheels, name, distribution(name).version, dict(packed(name)))
            for name in ["pip", "setuptools", "uv"]
        ),
    ]
    (project.root / "requirements.lock").write_text("".join(lock))
    (project.root / ".ci" / "plots.py").write_text("")  # Vega is not in this lock
    (project.root / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        '[project]\nname = "probml"\nversion = "0"\n[tool.setuptools]\npackages = []\n'
    )
    settings = {
        "PYTHON": sys.executable,
        "PIP_NO_INDEX": "1",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_FIND_LINKS": wheels.as_uri(),  # a path would be split at its spaces
        "UV_FIND_LINKS": wheels.as_uri(),
        "UV_OFFLINE": "1",
        "UV_CACHE_DIR": str(project.outside / "uv-cache"),
    }
    first, target = project.outside / "shelf.lock", project.outside / "target"
    first.write_text(lock[0])
    fill = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "install",
        "--quiet",
        "--require-hashes",
        "--target",
        target,
        "-r",
        first,
    ]
    subprocess.run(fill, env={**os.environ, **settings, "UV_LINK_MODE": "hardlink"}, check=True)
    empty(target / "shelf" / "__init__.py")  # and with it the cached file
    done = project.set_up(**settings)
    assert done.returncode == 0, done.stderr
    assert f"Installed from a cache that is damaged: {MODULE} is empty. Installing without it" in done.stderr
    content = [project.root / ".venv" / "bin" / "python", "-c", "import shelf; print(shelf.content)"]
    assert subprocess.check_output(content, text=True) == "books\n"
    again = project.set_up(**settings)
    assert (again.returncode, again.stderr) == (0, "")
