"""Execute a notebook with papermill, and put its results in place only when all of it has succeeded."""

import errno
import os
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from nbformat import NotebookNode

from course.errors import NotebookError
from course.notebook import normal, parameters
from course.notebook.isolation import isolation
from course.notebook.read import read_notebook
from course.notebook.record import OUTPUT
from course.notebook.staging import staged

COLOR = re.compile(r"\x1b\[[0-9;]*m")


def run(name: str, root: Path, cell_timeout: int) -> None:
    """Execute notebooks/`name`.ipynb with the parameters of params.yaml, into results/`name`/.

    All outputs are first written to a folder of this run in .work/. Once complete, it takes the place of the earlier
    results in one step. A notebook that fails, a full disk or a killed process leave these as they were. Two runs of
    one notebook take turns.

    cell_timeout : seconds after which a cell is ended, and the run has failed.
    """
    read(name, root)  # what is wrong with it is said at once, before anything is touched
    try:
        with staged(root, name) as staging:
            notebook, values = read(name, root)  # as it is now: this run may have waited for its turn
            started = time.perf_counter()
            print(f"{name}: executing {len(notebook.cells)} cells ...", file=sys.stderr, flush=True)
            executed = execute(name, notebook, values, staging, cell_timeout)
            text, stderr = normal.executed(parameters.as_run(executed, name, values))
            (staging / "notebook.ipynb").write_text(text, encoding="utf-8")
            if stderr:
                print(f"{name}: written to stderr by the notebook:\n{stderr.rstrip()}", file=sys.stderr)
    except OSError as error:
        what = "no space left on the disk" if error.errno == errno.ENOSPC else str(error)
        raise NotebookError(f"{name}: could not write the results ({what}). Earlier results are untouched.") from error
    print(f"{name}: done in {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)


def read(name: str, root: Path) -> tuple[NotebookNode, dict[str, object]]:
    """The notebook and its parameters."""
    notebook = read_notebook(root / "notebooks" / f"{name}.ipynb")
    values = parameters.given(root / "params.yaml", name)
    parameters.check(name, parameters.declared(notebook, name), values)
    return notebook, values


def execute(
    name: str,
    notebook: NotebookNode,
    values: dict[str, object],
    output: Path,
    timeout: int,
    *,
    startup: str = "",
    variables: Mapping[str, str] = MappingProxyType({}),
) -> NotebookNode:
    """Execute a notebook with these values of its parameters, isolated from whatever the user has set.

    output : folder into which it records its results
    startup : code that its kernel executes before all cells
    variables : environment variables that it has beside those of every notebook
    """
    with isolation() as environment, tempfile.TemporaryDirectory(prefix="probml-") as empty:
        environment |= {OUTPUT: os.fspath(output), **variables}
        if startup:
            folder = Path(environment["IPYTHONDIR"], "profile_default", "startup")
            folder.mkdir()
            (folder / "startup.py").write_text(startup, encoding="utf-8")
        with _in_place_of_ours(environment), warnings.catch_warnings(action="ignore"):
            return _execute_here(name, notebook, values, empty, timeout)


def _execute_here(
    name: str, notebook: NotebookNode, values: dict[str, object], folder: str, timeout: int
) -> NotebookNode:
    """Execute the notebook by a kernel that begins in `folder`, in the environment of this process."""
    import ipykernel  # noqa: F401  the kernel needs it: if it is missing, that is said here
    from nbclient.exceptions import CellTimeoutError
    from papermill import execute_notebook
    from papermill.exceptions import PapermillExecutionError

    begun = []  # indices of the cells
    options = {
        "kernel_name": "python3",
        "progress_bar": {"desc": name, "unit": "cell", "leave": False} if sys.stderr.isatty() else False,
        "cwd": folder,
        "execution_timeout": timeout,
        "on_cell_start": lambda cell, cell_index: begun.append(cell_index),
    }

    def number(index: int) -> int:
        # where there are parameters, papermill has put a cell of its own behind the one that declares them
        return index + (not values or index <= parameters.position(notebook, name))

    try:
        return _started(lambda: execute_notebook(notebook, None, values, **options), begun, name)
    except PapermillExecutionError as error:
        trace = "\n".join(error.traceback)
        print(trace if sys.stderr.isatty() else COLOR.sub("", trace), file=sys.stderr)
        raise NotebookError(
            f"{name}: cell {number(error.cell_index)} raised {error.ename}: {error.evalue} (traceback above). "
            "Earlier results are untouched."
        ) from None
    except CellTimeoutError:
        cell = number(begun[-1])
        line = next(iter(notebook.cells[cell - 1].source.splitlines()), "")
        raise NotebookError(
            f"{name}: cell {cell} ({line!r}) took longer than {timeout} s and was ended. Earlier results are "
            "untouched. If it needs longer, say so by --cell-timeout SECONDS."
        ) from None
    except RuntimeError as error:  # a kernel that does not start, or that dies
        raise NotebookError(
            f"{name}: the kernel failed ({error}). Out of memory? Earlier results are untouched."
        ) from None


def _started(execute: Callable[[], NotebookNode], begun: list[int], name: str) -> NotebookNode:
    """What `execute` gives; a kernel that fails before its first cell is started once more.

    Kernels that start at the same time may be given the same port, and then one of them fails.
    begun : the cells that have begun so far.
    """
    try:
        return execute()
    except RuntimeError as error:
        if begun:
            raise
        print(f"{name}: the kernel did not start ({error}), once more ...", file=sys.stderr)
        return execute()


@contextmanager
def _in_place_of_ours(environment: Mapping[str, str]) -> Iterator[None]:
    """Let the environment variables of this process be these and no others. A kernel inherits them."""
    ours = dict(os.environ)
    try:
        os.environ.clear()
        os.environ.update(environment)
        yield
    finally:
        os.environ.clear()
        os.environ.update(ours)
