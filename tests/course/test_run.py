"""A notebook runs with its declared parameters and none of the user's settings, and leaves results whole or untouched.

Without this, a misspelt parameter could be ignored, bytes could depend on the machine, and a kill could mix results.
"""

import errno
import json
import os
import platform
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import matplotlib as mpl
import nbformat
import papermill
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course.__main__ import _signals_as_errors, main
from course.errors import NotebookError
from course.files import write_text, write_texts
from course.notebook import normal, parameters, staging
from course.notebook import run as runner
from course.notebook.isolation import isolation
from probml.errors import ParameterError


def notebook(*sources, declares=""):
    declaration = new_code_cell(declares, id="parameters", metadata={"tags": ["parameters"]})
    cells = [new_code_cell(source, id=f"cell-{number}") for number, source in enumerate(sources)]
    return new_notebook(cells=[declaration, *cells])


# --- parameters ---


def test_declared_and_given(tmp_path):
    cell = "seed = 0\nalpha: float = 0.5  # smoothing\nsizes = [10, -20]\nname = 'spam'"
    (tmp_path / "params.yaml").write_text("mail: {seed: 1, alpha: 2, sizes: [], name: ham}\nother: {seed: x}\n")
    defaults = parameters.declared(notebook("x = 1", declares=cell), "mail")
    assert defaults == {"seed": 0, "alpha": 0.5, "sizes": [10, -20], "name": "spam"}
    values = parameters.given(tmp_path / "params.yaml", "mail")
    assert values == {"seed": 1, "alpha": 2, "sizes": [], "name": "ham"}
    parameters.check("mail", defaults, values)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("alpha = float('inf')", "'alpha' is not a literal"),
        ("alpha = [1, beta]", "'alpha' is not a literal"),
        ("import os", "only assign literals to names, found: import os"),
        ("alpha = beta = 1", "only assign literals to names, found: alpha = beta = 1"),
        ("alpha: float", "only assign literals to names, found: alpha: float"),
        ("alpha = ", "not valid Python"),
        ("%matplotlib inline", "not valid Python"),
        ("alpha = 1\0", "not valid Python"),
        ("alpha = {[]: 1}", "'alpha' is not a literal"),
    ],
)
def test_a_parameter_has_a_literal_as_default(cell, message):
    with pytest.raises(NotebookError, match=f"^mail: .*{re.escape(message)}"):
        parameters.declared(notebook(declares=cell), "mail")


@pytest.mark.parametrize("count", [0, 2])
def test_there_is_one_cell_of_parameters(count):
    cells = [new_code_cell("alpha = 1", metadata={"tags": ["parameters"]}) for _ in range(count)]
    with pytest.raises(NotebookError, match=f"^mail: expected one cell tagged 'parameters', found {count}"):
        parameters.declared(new_notebook(cells=cells), "mail")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "params.yaml is missing"),
        ("mail: {alpha: 1", "params.yaml is not valid YAML"),
        ("", "params.yaml has no section 'mail'"),
        ("- mail", "params.yaml has no section 'mail'"),
        ("post: {alpha: 1}", "params.yaml has no section 'mail'"),
        ("mail: 3", "params.yaml has no section 'mail'"),
    ],
)
def test_a_section_for_the_notebook_has_to_be_there(tmp_path, text, message):
    if text is not None:
        (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(ParameterError, match=message):
        parameters.given(tmp_path / "params.yaml", "mail")


@pytest.mark.parametrize(
    ("default", "value"),
    [
        (1, True),
        (1, 1.0),
        (1, "1"),
        (1, None),
        (0.5, "1e-3"),  # YAML 1.1 takes 1e-3, without a point, for a word
        (0.5, True),
        (0.5, [0.5]),
        (True, 1),
        ("a", 1),
        ([1], 1),
        ([1], [1, "2"]),
        ([1], [1, 2.5]),
        ([1], [True]),
        ([[1]], [1]),
        ((0.5,), ["0.5"]),
        ({"a": 1}, [1]),
    ],
)
def test_values_of_another_type_are_refused(default, value):
    with pytest.raises(ParameterError, match=r"section 'mail': 'alpha' is .* the notebook declares"):
        parameters.check("mail", {"alpha": default}, {"alpha": value})


@pytest.mark.parametrize(
    ("default", "value"),
    [(0.5, 1), (1, 2), ([0.5], [1, 2.5]), ([1], []), ([], [1, "a"]), ((1, 2), [3]), ([[1]], [[2], []]), (None, None)],
)
def test_values_of_the_declared_type_are_accepted(default, value):
    parameters.check("mail", {"alpha": default}, {"alpha": value})


def test_all_problems_are_named_at_once():
    with pytest.raises(ParameterError) as caught:
        parameters.check("mail", {"alpha": 0.5, "seed": 0, "n": 1}, {"alhpa": 0.5, "seed": 0, "n": "x"})
    message = str(caught.value)
    assert "section 'mail'" in message
    assert "'alhpa' is not declared by the notebook" in message
    assert "'alpha' is declared but has no value" in message
    assert "'n' is str ('x'), the notebook declares int" in message
    assert "Declared: alpha, n, seed." in message


# --- values as run, in the cell that declares them ---


@pytest.mark.parametrize(
    ("cell", "values", "expected"),
    [
        ("seed = 0  # of the draws", {"seed": 7}, "seed = 7  # of the draws"),
        ("seed = 0", {}, "seed = 0"),
        ("n=1_000 # as written", {"n": 1000}, "n=1_000 # as written"),
        ("shift = -1.5", {"shift": -2}, "shift = -2"),
        ("shift = 2", {"shift": -3}, "shift = -3"),
        ("gap = 1e-5  # per example", {"gap": 1.0e-5}, "gap = 1e-5  # per example"),
        ("gap = 0.1", {"gap": 1.0e-5}, "gap = 1e-5"),
        ("gap = 0.1", {"gap": 2.5e20}, "gap = 2.5e20"),
        ("top = 1.0", {"top": float("inf")}, 'top = float("inf")'),
        ("alpha: float = 0.5", {"alpha": 1.0}, "alpha: float = 1.0"),
        ("alpha = 1.0", {"alpha": 1}, "alpha = 1"),  # what ran was a whole number
        ("exact = True", {"exact": False}, "exact = False"),
        ("limit = None", {"limit": None}, "limit = None"),
        ("text = 'ham'  # 'or'", {"text": "ham"}, "text = 'ham'  # 'or'"),
        ("text = 'ham'", {"text": 'say "spam" # \\\n'}, r'text = "say \"spam\" # \\\n"'),
        ("text = 'Übergröße'; n = 1  # ü", {"text": "naïve", "n": 2}, 'text = "naïve"; n = 2  # ü'),
        ("sizes = [1, 2]", {"sizes": [1, 2]}, "sizes = [1, 2]"),
        ("sizes = [1, 2]  # rows", {"sizes": [3]}, "sizes = [3]  # rows"),
        ("sizes = [1, 2]", {"sizes": []}, "sizes = []"),
        ("pair = (1, 2)", {"pair": [1, 2]}, "pair = [1, 2]"),
        ("names = [['a']]", {"names": [["x", "y"], []]}, 'names = [["x", "y"], []]'),
        ("cost = {'ham': 1}", {"cost": {"ham": 10, "spam": 0.5}}, 'cost = {"ham": 10, "spam": 0.5}'),
        ("n = [\n    10,  # few\n    -20,  # many\n]", {"n": [10, -30]}, "n = [\n    10,  # few\n    -30,  # many\n]"),
        ("n = [\n    10,  # few\n]  # rows\nseed = 0", {"n": [1, 2], "seed": 1}, "n = [1, 2]  # rows\nseed = 1"),
        ("text = (\n    'one '\n    'two'\n)", {"text": "three"}, 'text = (\n    "three"\n)'),
        ("# A comment.\n\nseed = 0\n\n# The last line.", {"seed": 1}, "# A comment.\n\nseed = 1\n\n# The last line."),
    ],
)
def test_values_as_run_stand_in_place_of_the_literals(cell, values, expected):
    assert parameters.with_values(cell, values, "mail") == expected
    assigned = {}
    exec(expected, assigned)
    assert assigned.items() >= values.items()


def test_a_list_too_wide_for_its_line_is_laid_out():
    cell = "alphas = [1.0]  # of section 3\nseed = 0"
    values = {"alphas": [i / 1000 for i in range(1, 31)], "seed": 1}
    found = parameters.with_values(cell, values, "mail")
    first, *items, last, seed = found.splitlines()
    assert (first, last, seed) == ("alphas = [", "]  # of section 3", "seed = 1")
    assert len(items) == 3
    assert all(len(line) <= parameters.WIDTH for line in items)
    assert parameters.declared(notebook(declares=found), "mail") == values
    narrower = parameters.with_values(found, {"alphas": [0.5]}, "mail")
    assert narrower == "alphas = [0.5]  # of section 3\nseed = 1"


def test_an_executed_notebook_has_one_cell_of_parameters():
    declared, first, second = notebook("f()", "g()", declares="seed = 0  # of the draws").cells
    injected = new_code_cell("seed = 7", execution_count=2, metadata={"tags": ["injected-parameters"]})
    result = new_output("execute_result", {"text/plain": "3"}, execution_count=3)
    declared.execution_count, first.execution_count, first.outputs, second.execution_count = 1, 3, [result], None
    cells = [new_markdown_cell("Text"), declared, injected, first, second]
    found = parameters.as_run(new_notebook(cells=cells), "mail", {"seed": 7})
    assert [cell.source for cell in found.cells] == ["Text", "seed = 7  # of the draws", "f()", "g()"]
    assert found.cells[1].metadata.tags == ["parameters"]
    assert [cell.execution_count for cell in found.cells[1:]] == [1, 2, None]
    assert found.cells[2].outputs[0].execution_count == 2


# --- normal form ---


def stream(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def executed_notebook(when="2001-01-01"):
    """A notebook as papermill leaves it, with the traces of a run at some time, somewhere."""
    address = f"0x7f{abs(hash(when)):012x}"
    tags = {"tags": ["parameters"], "papermill": {"start_time": when}}
    declared = new_code_cell("alpha = 2", id="declared", metadata=tags)
    shown = [
        stream("one "),
        stream("a warning", "stderr"),
        stream(f"two <object at {address[:5]}"),  # the kernel may cut its output anywhere
        stream(f"{address[5:]}>\n"),
        new_output("display_data", {"text/plain": f"<Axes at {address}>", "image/png": "0x7f1234567890"}),
        stream("three\n"),
    ]
    code = new_code_cell(
        "f()",
        id="code",
        execution_count=2,
        outputs=shown,
        metadata={"execution": {"iopub.status.busy": when}, "collapsed": False},
    )
    metadata = {"papermill": {"start_time": when}, "language_info": {"name": "python", "version": when}}
    return new_notebook(cells=[new_markdown_cell("Text", id="text"), declared, code], metadata=metadata)


def test_normal_form_keeps_what_the_notebook_says_and_no_traces_of_the_run():
    text, stderr = normal.executed(executed_notebook())
    assert stderr == "a warning"
    assert "2001" not in text
    found = nbformat.reads(text, as_version=4)
    assert found.metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert [cell.id for cell in found.cells] == ["text", "declared", "code"]
    assert [cell.metadata for cell in found.cells] == [{}, {"tags": ["parameters"]}, {}]
    first, display, last = found.cells[2].outputs
    assert first.text == "one two <object at 0x...>\n"
    assert display.data["text/plain"] == "<Axes at 0x...>"
    assert display.data["image/png"] == "0x7f1234567890"  # not text
    assert last.text == "three\n"
    assert found.cells[2].execution_count == 2


def test_normal_form_is_one_for_two_runs_and_for_itself():
    text, _ = normal.executed(executed_notebook("2001-01-01"))
    assert normal.executed(executed_notebook("2002-02-02")) == (text, "a warning")
    assert normal.executed(nbformat.reads(text, as_version=4)) == (text, "")
    assert text.endswith("}\n")


def test_short_numbers_are_no_addresses():
    text, _ = normal.executed(new_notebook(cells=[new_code_cell("", outputs=[stream("0xff 0x12345 10x123456")])]))
    assert "0xff 0x12345 10x123456" in text


def test_source_form_has_no_outputs(tmp_path):
    file = tmp_path / "a.ipynb"
    nbformat.write(executed_notebook(), file)
    assert main(["strip", str(file)]) == 0
    once = file.read_bytes()
    found = nbformat.read(file, as_version=4)
    assert [cell.source for cell in found.cells] == ["Text", "alpha = 2", "f()"]
    assert [cell.metadata for cell in found.cells] == [{}, {"tags": ["parameters"]}, {}]
    assert (found.cells[2].outputs, found.cells[2].execution_count) == ([], None)
    assert "papermill" not in found.metadata
    assert main(["strip", str(file)]) == 0
    assert file.read_bytes() == once


# --- runner ---


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project's folder, in which the process works."""
    root = tmp_path / "project"
    make_project(root)
    monkeypatch.chdir(root)
    return root


def make_project(root):
    (root / "notebooks").mkdir(parents=True)
    (root / "results").mkdir()
    (root / "dvc.yaml").touch()


def write_notebook(root, *sources, declares="", params="{}"):
    """The project's notebook `mail`."""
    (root / "notebooks" / "mail.ipynb").write_text(normal.source(notebook(*sources, declares=declares)))
    (root / "params.yaml").write_text(f"mail: {params}\n")


def write_earlier_results(root):
    """Results of an earlier run of `mail`, one of which a new run would not write, nor would a run a folder."""
    for file, content in {
        "notebook.ipynb": "earlier notebook",
        "metrics.json": "earlier metrics",
        "old.png": "stale",
        ".ipynb_checkpoints/notebook-checkpoint.ipynb": "stale",
    }.items():
        path = root / "results" / "mail" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return files(root / "results")


def left_behind(root):
    """What runs of `mail` have left in .work/, but for the file by which they take turns."""
    return [path.name for path in (root / ".work" / "mail").iterdir() if path.name != "lock"]


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


SUCCEEDS = (
    """
import importlib.util, os, sys, time
from pathlib import Path
print("files", sorted(Path().iterdir()), importlib.util.find_spec("lying_around"))
print("leaks", [name for name in globals() if name.startswith("leak")])
print("threads", os.environ["OMP_NUM_THREADS"], "zone", time.tzname[0], object())
print("parameters", scale, names)
print("set", *{*"abcdefghijklmnopqrstuvwxyz"})
print("a warning", file=sys.stderr)
""",
    """
from course import figures
from course.notebook import Record
record = Record()
record.metrics("metrics", {"scale": scale / 3})
fig, ax = figures.figure()
ax.plot([0, scale], label="line")
record.figure(fig, "line", alt="A line")
""",
)


def test_results_are_the_same_bytes_whatever_the_surroundings(tmp_path):
    surroundings = {
        "here": {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C", "OMP_NUM_THREADS": "2"},
        "there": {"PYTHONHASHSEED": "2", "TZ": "America/Lima", "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "3"},
    }
    running = {}
    for name, environment in surroundings.items():
        root, home = tmp_path / name, tmp_path / f"home of {name}"
        make_project(root)
        write_notebook(
            root, *SUCCEEDS, declares="scale = 1.0  # of the line\nnames = ['a']", params="{scale: 2, names: [x, y]}"
        )
        write_earlier_results(root)
        (root / "lying_around.py").touch()
        startup = home / ".ipython" / "profile_default" / "startup" / "leak.py"
        startup.parent.mkdir(parents=True)
        startup.write_text("leak_of_profile = 1")
        (home / "startup.py").write_text("leak_of_startup = 1")
        kernel = home / "jupyter" / "kernels" / "python3" / "kernel.json"
        kernel.parent.mkdir(parents=True)
        kernel.write_text(json.dumps({"argv": ["false"], "display_name": "Python 3", "language": "python"}))
        environment |= {"HOME": str(home), "PYTHONSTARTUP": str(home / "startup.py")}
        environment |= {"IPYTHONDIR": str(home / ".ipython"), "JUPYTER_DATA_DIR": str(home / "jupyter")}
        environment |= {"JUPYTER_PREFER_ENV_PATH": "0"}
        environment |= {"MPLCONFIGDIR": mpl.get_cachedir()}  # a list of fonts takes long to make
        running[root] = subprocess.Popen(
            [sys.executable, "-m", "course", "run", "mail"],
            cwd=root,
            env=os.environ | environment,
            stderr=subprocess.PIPE,
            text=True,
        )
    said_by_runner = [process.communicate(timeout=60)[1] for process in running.values()]
    for process, stderr in zip(running.values(), said_by_runner, strict=True):
        assert process.returncode == 0, stderr
        assert "mail: executing 3 cells" in stderr
        assert "written to stderr by the notebook:\na warning\n" in stderr
        assert "mail: done in" in stderr

    here, there = (files(root / "results" / "mail") for root in running)
    assert here.keys() == {"line.png", "metrics.json", "notebook.ipynb"}  # and nothing of the earlier run
    assert here == there
    assert json.loads(here["metrics.json"]) == {"scale": 0.666667}
    declared, shown, figure = nbformat.reads(here["notebook.ipynb"].decode(), as_version=4).cells
    assert declared.source.splitlines() == ["scale = 2  # of the line", 'names = ["x", "y"]']
    assert [cell.execution_count for cell in (declared, shown, figure)] == [1, 2, 3]
    (said,) = shown.outputs
    *lines, in_order = said.text.splitlines()
    assert lines == [
        "files [] None",
        "leaks []",
        "threads 1 zone UTC <object object at 0x...>",
        "parameters 2 ['x', 'y']",
    ]
    assert len(in_order.split()) == 27
    assert figure.outputs[0].data.keys() == {"image/png", "text/plain"}
    assert not any(left_behind(root) for root in running)


@pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="settings of x86 processors")
def test_linear_algebra_rounds_as_on_a_processor_with_avx2_and_no_more(monkeypatch):
    """Whatever this one has, and whatever the user has set."""
    code = """
import numpy._core._multiarray_umath as umath
import scipy.linalg
from threadpoolctl import threadpool_info

print(*{library["architecture"] for library in threadpool_info() if library["user_api"] == "blas"})
print(*sorted(name for name, there in umath.__cpu_features__.items() if there and name in umath.__cpu_dispatch__))
"""
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Nehalem")
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", "")
    with isolation() as environment:
        seen = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert seen.stdout.split() == ["Haswell", "X86_V3"]
    assert not seen.stderr


def test_a_notebook_that_raises_leaves_the_earlier_results(project, capfd):
    write_notebook(
        project,
        "import os, pathlib\npathlib.Path(os.environ['PROBML_OUTPUT'], 'metrics.json').write_text('new')",
        "def ratio(a, b):\n    return a / b\nratio(1, zero)",
        declares="zero = 1",
        params="{zero: 0}",
    )
    earlier = write_earlier_results(project)
    assert main(["run", "mail"]) == 1
    stderr = capfd.readouterr().err
    assert "\x1b" not in stderr  # colours are for terminals
    assert "return a / b" in stderr
    assert "mail: cell 3 raised ZeroDivisionError: division by zero" in stderr
    assert "Earlier results are untouched." in stderr
    assert files(project / "results") == earlier
    assert left_behind(project) == []


def test_a_kernel_that_dies_leaves_the_earlier_results(project, capfd):
    write_notebook(project, "import os\nos._exit(1)")
    earlier = write_earlier_results(project)
    assert main(["run", "mail"]) == 1
    assert "mail: the kernel failed (Kernel died)" in capfd.readouterr().err
    assert files(project / "results") == earlier
    assert left_behind(project) == []


def test_a_runner_that_is_ended_ends_the_processes_of_its_notebook_and_leaves_nothing(project, tmp_path):
    """Two processes work for the notebook, for a minute if nobody ends them. Each has the same pipe open meanwhile."""
    fifo = tmp_path / "of the workers"
    os.mkfifo(fifo)
    write_notebook(
        project,
        "import time\nfrom joblib import Parallel, delayed",
        f"def work(_):\n    with open({str(fifo)!r}, 'w') as fifo:\n        print('begun', file=fifo, flush=True)\n"
        "        time.sleep(60)",
        "Parallel(n_jobs=2)(delayed(work)(i) for i in range(2))",
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "course", "run", "mail"],
        env=os.environ | {"TMPDIR": str(scratch)},
    )
    with open(os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), encoding="utf-8") as workers:
        while not select.select([workers], [], [], 0.1)[0]:
            assert process.poll() is None
        os.set_blocking(workers.fileno(), True)
        assert workers.readline() == "begun\n"
        process.terminate()
        ended = time.monotonic()
        assert process.wait(timeout=30) == 128 + signal.SIGTERM
        workers.read()  # until no worker is there that could write
    assert time.monotonic() - ended < 30
    assert left_behind(project) == list(scratch.glob("probml-*")) == []


def test_signals_are_errors_but_for_those_that_are_ignored():
    """`nohup` ignores SIGHUP."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with _signals_as_errors():
            signal.raise_signal(signal.SIGHUP)
            with pytest.raises(SystemExit, match="143"):
                signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_killed_runner_leaves_the_earlier_results_and_the_next_run_succeeds(project, tmp_path, monkeypatch):
    note = tmp_path / "pid of the kernel"
    write_notebook(
        project,
        "import os, pathlib, time\nfolder = pathlib.Path(os.environ['PROBML_OUTPUT'])",
        "(folder / 'metrics.json').write_text('half')\n(folder / 'half.png').touch()",
        f"note = pathlib.Path({str(note)!r})\nnote.with_suffix('.new').write_text(str(os.getpid()))",
        "note.with_suffix('.new').rename(note)\ntime.sleep(60)",
    )
    earlier = write_earlier_results(project)
    process = subprocess.Popen(
        [sys.executable, "-m", "course", "run", "mail"],
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    try:
        until = time.monotonic() + 40
        while not note.exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()
    with suppress(ProcessLookupError):  # it ends by itself, a second after the runner
        os.kill(int(note.read_text()), signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert files(project / "results") == earlier
    (left,) = left_behind(project)
    assert (project / ".work" / "mail" / left / "half.png").exists()

    monkeypatch.setattr(runner, "execute", execute_without_kernel)
    assert main(["run", "mail"]) == 0
    found = files(project / "results" / "mail")
    assert found.keys() == {"metrics.json", "notebook.ipynb"}
    assert found["metrics.json"] == b"new metrics"
    assert left_behind(project) == []


def execute_without_kernel(name, source, values, output, timeout):
    (output / "metrics.json").write_text("new metrics")
    return source


def full_disk(*_, **__):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_folders_change_places_in_one_step(tmp_path, monkeypatch):
    """Without a rename, between two of which a kill could come."""
    (tmp_path / "results" / "mail").mkdir(parents=True)
    (tmp_path / "results" / "mail" / "earlier.txt").touch()
    monkeypatch.setattr(os, "rename", full_disk)
    with staging.staged(tmp_path, "mail") as folder:
        (folder / "new.txt").touch()
    assert files(tmp_path / "results").keys() == {"mail/new.txt"}


def test_the_new_folder_of_results_is_one_like_any_other(project, monkeypatch):
    """With the permissions that the user's umask gives, whether it is the first or takes another's place."""
    write_notebook(project)
    monkeypatch.setattr(runner, "execute", execute_without_kernel)
    (project / "plain").mkdir()
    for _ in range(2):
        assert main(["run", "mail"]) == 0
        assert (project / "results" / "mail").stat().st_mode == (project / "plain").stat().st_mode
        assert left_behind(project) == []


@pytest.fixture
def without_exchange(monkeypatch):
    """A filesystem on which two folders cannot change places."""
    system = SimpleNamespace(renameat2=lambda *_: -1)
    monkeypatch.setattr(staging, "ctypes", SimpleNamespace(CDLL=lambda *_, **__: system))


@pytest.mark.parametrize("renames", [0, 1])
@pytest.mark.usefixtures("without_exchange")
def test_renames_that_fail_leave_the_earlier_results(project, monkeypatch, capsys, renames):
    """The disk is full after so many renames."""
    write_notebook(project)
    earlier = write_earlier_results(project)
    monkeypatch.setattr(runner, "execute", execute_without_kernel)
    rename, calls = os.rename, []

    def failing(old, new):
        calls.append(old)
        if len(calls) == renames + 1:
            full_disk()
        rename(old, new)

    monkeypatch.setattr(os, "rename", failing)
    assert main(["run", "mail"]) == 1
    assert "mail: could not write the results (no space left on the disk)" in capsys.readouterr().err
    assert files(project / "results") == earlier
    assert left_behind(project) == []


def test_a_disk_that_is_full_leaves_the_earlier_results(project, monkeypatch, capsys):
    write_notebook(project)
    earlier = write_earlier_results(project)
    monkeypatch.setattr(runner, "execute", lambda _name, source, *_: source)
    monkeypatch.setattr(Path, "write_text", full_disk)
    assert main(["run", "mail"]) == 1
    assert "mail: could not write the results (no space left on the disk)" in capsys.readouterr().err
    assert files(project / "results") == earlier


@pytest.mark.usefixtures("without_exchange")
def test_a_run_killed_between_two_renames_is_undone_by_the_next(project, monkeypatch):
    write_notebook(project)
    earlier = write_earlier_results(project)
    monkeypatch.setattr(runner, "execute", execute_without_kernel)
    rename = os.rename

    def killed(old, new):
        if Path(new) == project / "results" / "mail":
            raise KeyboardInterrupt  # stands for the end of the process: nothing is put back
        rename(old, new)

    with monkeypatch.context() as killing:
        killing.setattr(staging, "_put_back", lambda *_: None)
        killing.setattr(os, "rename", killed)
        assert main(["run", "mail"]) == 130
    assert files(project / "results") == {}

    with monkeypatch.context() as failing:
        failing.setattr(runner, "execute", full_disk)
        assert main(["run", "mail"]) == 1
    assert files(project / "results") == earlier
    assert main(["run", "mail"]) == 0
    assert files(project / "results" / "mail").keys() == {"metrics.json", "notebook.ipynb"}
    assert left_behind(project) == []


# --- two runs at once ---


def start(root, *options, **environment):
    return subprocess.Popen(
        [sys.executable, "-m", "course", "run", "mail", *options],
        cwd=root,
        env=os.environ | environment,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_runs_of_one_notebook_take_turns_and_each_leaves_all_its_files(project, tmp_path):
    """The first has written one of its two files when the second begins, and writes the other when that one waits."""
    begun, go_on = tmp_path / "begun", tmp_path / "go on"
    for fifo in (begun, go_on):
        os.mkfifo(fifo)
    write_notebook(
        project,
        "import os, pathlib\nfolder = pathlib.Path(os.environ['PROBML_OUTPUT'])",
        "(folder / 'a.txt').write_text(str(turn))",
        f"if turn == 1:\n    open({str(begun)!r}, 'w').close()\n    open({str(go_on)!r}).close()",
        "(folder / 'b.txt').write_text(str(turn))",
        declares="turn = 0",
        params="{turn: 1}",
    )
    with start(project) as first:
        begun.open().close()
        with start(project) as second:
            said = second.stderr.readline()
            assert said == f"mail: waiting for another run of it to end (process {first.pid}) ...\n"
            (project / "params.yaml").write_text("mail: {turn: 2}\n")
            assert not (project / "results" / "mail").exists()
            go_on.open("w").close()
            assert first.wait() == 0, first.stderr.read()
            assert second.wait() == 0, second.stderr.read()
    found = files(project / "results" / "mail")
    assert found.keys() == {"a.txt", "b.txt", "notebook.ipynb"}
    assert found["a.txt"] == found["b.txt"] == b"2"  # the parameters are those of when its turn came
    assert left_behind(project) == []


def test_a_run_that_waits_can_be_ended(project):
    write_notebook(project)
    with staging.turn(project, "mail"), start(project) as waiting:
        assert "waiting for another run of it" in waiting.stderr.readline()
        waiting.terminate()
        assert waiting.wait() == 128 + signal.SIGTERM
    assert not (project / "results" / "mail").exists()


# --- files ---


def test_of_two_writers_of_the_same_files_each_writes_all_of_them(tmp_path):
    """Both write 200 times; whatever the moment, the two files were written together, or one after the other."""
    code = f"""
import sys
from pathlib import Path
from course.files import write_texts
folder = Path({str(tmp_path)!r})
for i in range(200):
    write_texts({{folder / name: f"{{sys.argv[1]}} {{i}} " * 1000 for name in ("a", "b")}})
"""
    writers = [subprocess.Popen([sys.executable, "-c", code, name]) for name in ("one", "other")]
    assert [writer.wait() for writer in writers] == [0, 0]
    found = files(tmp_path)
    assert found.keys() == {"a", "b"}
    assert found["a"] == found["b"]
    assert found["a"] in (b"one 199 " * 1000, b"other 199 " * 1000)


def test_what_a_killed_writer_has_left_is_not_found_in_the_text(tmp_path):
    (tmp_path / ".a.partial").write_text("half of a long text")
    write_text(tmp_path / "a", "whole")
    assert files(tmp_path) == {"a": b"whole"}


def test_texts_that_cannot_be_written_leave_all_files_as_they_were(tmp_path):
    (tmp_path / "a").write_text("earlier")
    with pytest.raises(UnicodeEncodeError):
        write_texts({tmp_path / "a": "new", tmp_path / "b": "\ud800"})
    assert files(tmp_path) == {"a": b"earlier"}


# --- what the user's environment must not change ---


HOSTILE = {
    "PYTHONOPTIMIZE": "1",
    "PYTHONWARNINGS": "error",
    "PYTHONINSPECT": "1",
    "PYTHONDEVMODE": "1",
    "PYTHONUTF8": "0",
    "PYTHONSTARTUP": "{folder}/startup.py",
    "PYTHONPATH": "{folder}",
    "PYTHONUSERBASE": "{folder}",
    "PYTHONHASHSEED": "7",
    "PYTHONPLATLIBDIR": "lib",
    "IPYTHONDIR": "{folder}",
    "JUPYTER_CONFIG_DIR": "{folder}",
    "JUPYTER_PATH": "{folder}",
    "JUPYTER_DATA_DIR": "{folder}",
    "MPLBACKEND": "svg",
    "MATPLOTLIBRC": "{folder}",
    "OMP_NUM_THREADS": "3",
    "OPENBLAS_NUM_THREADS": "3",
    "NUMBA_DISABLE_JIT": "1",
    "SKLEARN_ASSUME_FINITE": "1",
    "SCIPY_ARRAY_API": "1",
    "LC_ALL": "C",
    "LANG": "de_DE.UTF-8",
    "PYTEST_ADDOPTS": "--collect-only",
}
ALLOWED = {
    "PROBML_CACHE": "/cache",
    "XDG_CACHE_HOME": "/cache",
    "HTTPS_PROXY": "http://proxy",
    "no_proxy": "here",
    "PIP_INDEX_URL": "https://mirror",
    "SSL_CERT_FILE": "/certificates",
}


@pytest.fixture
def hostile(tmp_path, monkeypatch):
    """All of these variables set at once, and files in a folder that they name."""
    folder = tmp_path / "hostile"
    (folder / "profile_default" / "startup").mkdir(parents=True)
    (folder / "startup.py").write_text("leak = 1")
    (folder / "profile_default" / "startup" / "leak.py").write_text("leak = 1")
    (folder / "matplotlibrc").write_text("lines.linewidth: 9")
    (folder / "leaking.py").touch()
    for name, value in {**HOSTILE, **ALLOWED}.items():
        monkeypatch.setenv(name, value.format(folder=folder))
    return folder


def test_only_what_is_allowed_is_inherited(hostile):
    with isolation() as environment:
        assert environment.items() >= ALLOWED.items()
        inherited = {name for name, value in HOSTILE.items() if environment.get(name) == value.format(folder=hostile)}
        assert inherited == set()
        assert environment.keys() & {"PYTHONOPTIMIZE", "PYTHONWARNINGS", "PYTHONPATH", "NUMBA_DISABLE_JIT"} == set()
        assert environment["PATH"] == os.environ["PATH"]


SEES = """
import importlib.util, locale, os, sys, warnings
print(sorted(name for name in os.environ if name.startswith(("PYTHON", "LC_", "LANG", "NUMBA", "SK", "SCIPY"))))
print(sys.flags.optimize, sys.flags.dev_mode, sys.flags.utf8_mode, sys.flags.no_user_site, sys.warnoptions)
print(importlib.util.find_spec("leaking"), "leak" in globals(), locale.getencoding())
import matplotlib
print(matplotlib.rcParams["lines.linewidth"], os.path.basename(matplotlib.get_backend()))
warnings.warn("a warning")
"""


def test_a_notebook_sees_the_same_whatever_the_user_has_set(project, hostile, capfd):
    """All at once, in the environment of the very process that runs it; and this one has back its own in the end."""
    write_notebook(project, SEES)
    before = dict(os.environ)
    assert main(["run", "mail"]) == 0
    assert dict(os.environ) == before
    assert "UserWarning: a warning" in capfd.readouterr().err
    under_these = files(project / "results" / "mail")
    for name in HOSTILE:
        os.environ.pop(name)
    assert main(["run", "mail"]) == 0
    assert "UserWarning: a warning" in capfd.readouterr().err
    assert files(project / "results" / "mail") == under_these
    said = nbformat.reads(under_these["notebook.ipynb"].decode(), as_version=4).cells[1].outputs[0].text
    assert said.splitlines()[1] == "0 False 1 1 []"


@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONOPTIMIZE": "1"},
        {"PYTHONWARNINGS": "ignore", "PYTHONINSPECT": "1", "PYTHONDEVMODE": "1", "PYTHONUTF8": "0", "LC_ALL": "C"},
        {"PYTHONOPTIMIZE": "2", "PYTHONWARNINGS": "error", "PYTHONNOUSERSITE": "", "SKLEARN_ASSUME_FINITE": "1"},
    ],
    ids=lambda variables: "+".join(variables),
)
def test_a_false_assertion_fails_whatever_the_user_has_set(project, variables):
    write_notebook(project, "assert 1 == 2, 'false'")
    earlier = write_earlier_results(project)
    with start(project, **variables) as process:
        assert "mail: cell 2 raised AssertionError: false" in process.stderr.read()
    assert process.returncode == 1
    assert files(project / "results") == earlier


# --- the time limit of a cell ---


def test_a_cell_that_takes_too_long_is_named_and_its_kernel_is_ended(project, tmp_path, capfd):
    alive = tmp_path / "alive"
    os.mkfifo(alive)
    with open(os.open(alive, os.O_RDONLY | os.O_NONBLOCK)) as kernel:
        write_notebook(
            project,
            f"file = open({str(alive)!r}, 'w')\nimport time",
            "while True:  # for ever\n    time.sleep(1)",
            declares="seed = 0",
            params="{seed: 1}",
        )
        earlier = write_earlier_results(project)
        assert main(["run", "mail", "--cell-timeout", "1"]) == 1
        os.set_blocking(kernel.fileno(), True)
        assert kernel.read() == ""  # which ends when no process has the pipe open
    said = capfd.readouterr().err.splitlines()[-1]
    assert said.startswith("error: mail: cell 3 ('while True:  # for ever') took longer than 1 s and was ended.")
    assert files(project / "results") == earlier
    assert left_behind(project) == []


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "1.5", "soon"])
def test_a_time_limit_is_a_number_of_seconds(project, capsys, limit):
    with pytest.raises(SystemExit):
        main(["run", "mail", "--cell-timeout", limit])
    assert f"1 or more, received {limit!r}" in capsys.readouterr().err


# --- files that cannot be read ---


def cell(**changes):
    fields = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": [], "source": ""}
    return {**fields, **changes}


def json_notebook(cells, **changes):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **changes}).encode()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "not a valid notebook (Expecting value"),
        (b"<<<<<<< HEAD", "not a valid notebook (Expecting value"),
        (b'{"cells": "caf\xe9"}', "is not UTF-8 (byte 14: "),
        (b"[]", "found list"),
        (b"null", "found NoneType"),
        (b"{}", "found nbformat None"),
        (json_notebook([], nbformat=99), "found nbformat 99"),
        (json_notebook([], nbformat="4"), "found nbformat '4'"),
        (json_notebook(5), "5 is not of type 'array'"),
        (json_notebook([5]), "['cells'][0]: 5 is not"),
        (json_notebook([cell(source=5)]), "['source']: 5 is not"),
        (json_notebook([cell(metadata={"tags": 5})]), "['tags']: 5 is not of type 'array'"),
        (json_notebook([cell(metadata={"tags": [5]})]), "5 is not of type 'string'"),
        (json_notebook([cell(metadata=[])]), "[] is not of type 'object'"),
        (b"[" * 100_000, "it is nested too deeply"),
        (json_notebook([], metadata=0).replace(b"0", b'{"a":' * 900 + b"0" + b"}" * 900, 1), "nested too deeply"),
    ],
)
def test_a_file_that_is_no_notebook(project, capsys, content, problem):
    write_notebook(project)
    earlier = write_earlier_results(project)
    (project / "notebooks" / "mail.ipynb").write_bytes(content)
    assert main(["run", "mail"]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert str(project / "notebooks" / "mail.ipynb") in said
    assert problem in said
    assert "git checkout" in said
    assert files(project / "results") == earlier


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"mail: {name: caf\xe9}", "params.yaml is not UTF-8 (byte 16: "),
        (b"mail: {alpha: 1", "params.yaml is not valid YAML (line 1, column 16: "),
        (b"mail: \x00", "params.yaml is not valid YAML (unacceptable character"),
        (b"mail: 2001-99-99", "params.yaml is not valid YAML (month must be in 1..12"),
        (b"[" * 5000, "params.yaml is not valid YAML (it is nested too deeply)"),
        (b"mail: 5", "params.yaml has no section 'mail'"),
    ],
)
def test_parameters_that_cannot_be_read(project, capsys, content, problem):
    write_notebook(project)
    earlier = write_earlier_results(project)
    (project / "params.yaml").write_bytes(content)
    assert main(["run", "mail"]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert problem in said
    assert files(project / "results") == earlier


def test_a_misspelt_parameter(project, capsys):
    write_notebook(project, declares="alpha = 0.5", params="{alhpa: 1}")
    earlier = write_earlier_results(project)
    assert main(["run", "mail"]) == 1
    message = capsys.readouterr().err
    assert "section 'mail'" in message
    assert "'alhpa' is not declared" in message
    assert files(project / "results") == earlier


@pytest.mark.parametrize(("deaths", "cell", "status", "tries"), [(1, None, 0, 2), (2, None, 1, 2), (1, 0, 1, 1)])
def test_a_kernel_that_does_not_start_is_started_once_more(project, monkeypatch, capfd, deaths, cell, status, tries):
    """Once, and not if it dies while it runs a cell."""
    write_notebook(project)
    earlier = write_earlier_results(project)
    execute, tried = papermill.execute_notebook, []

    def dying(*given, on_cell_start, **options):
        tried.append("try")
        if len(tried) > deaths:
            return execute(*given, on_cell_start=on_cell_start, **options)
        if cell is not None:
            on_cell_start(None, cell)
        raise RuntimeError("Kernel died before replying")

    monkeypatch.setattr(papermill, "execute_notebook", dying)
    assert main(["run", "mail"]) == status
    said = capfd.readouterr().err
    again = "mail: the kernel did not start (Kernel died before replying), once more"
    assert (again in said) == (cell is None)
    assert ("mail: the kernel failed (Kernel died before replying)" in said) == bool(status)
    assert len(tried) == tries
    assert (files(project / "results") == earlier) == bool(status)
