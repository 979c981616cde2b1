"""Execute a notebook with papermill, and put its results in place only when all of it has succeeded."""

import errno
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from probml.errors import NotebookError
from probml.notebook import normal, parameters
from probml.notebook.record import OUTPUT

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def run(name: str, root: Path) -> None:
    """Execute notebooks/`name`.ipynb with the parameters of params.yaml, into results/`name`/.

    All outputs are first written to .work/, then renamed into results/, file by file. A notebook that fails, a full
    disk or a killed process leave the earlier results as they were.
    """
    notebook = _read(root / "notebooks" / f"{name}.ipynb")
    values = parameters.given(root / "params.yaml", name)
    parameters.check(name, parameters.declared(notebook, name), values)

    staging = root / ".work" / name
    shutil.rmtree(staging, ignore_errors=True)
    try:
        staging.mkdir(parents=True)
        started = time.perf_counter()
        print(f"{name}: executing {len(notebook.cells)} cells ...", file=sys.stderr, flush=True)
        text, stderr = normal.executed(_execute(name, notebook, values, staging))
        (staging / "notebook.ipynb").write_text(text, encoding="utf-8")
        if stderr:
            print(f"{name}: written to stderr by the notebook:\n{stderr.rstrip()}", file=sys.stderr)
        _install(staging, root / "results" / name)
        print(f"{name}: done in {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
    except OSError as error:
        what = "no space left on the disk" if error.errno == errno.ENOSPC else str(error)
        raise NotebookError(f"{name}: could not write the results ({what}). Earlier results are untouched.") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def isolated_environment() -> dict[str, str]:
    """Settings under which a notebook gives the same everywhere: one BLAS thread, this environment's own kernel."""
    return {**dict.fromkeys(THREADS, "1"), "JUPYTER_PREFER_ENV_PATH": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}


def _read(path: Path) -> NotebookNode:
    try:
        return nbformat.read(path, as_version=4)
    except FileNotFoundError:
        known = ", ".join(sorted(other.stem for other in path.parent.glob("*.ipynb"))) or "none"
        raise NotebookError(f"there is no notebook {path.stem!r} in {path.parent}. Known: {known}") from None
    except (nbformat.reader.NotJSONError, nbformat.ValidationError) as error:
        raise NotebookError(f"{path} is not a valid notebook: {error}") from None


def _execute(name: str, notebook: NotebookNode, values: dict[str, object], output: Path) -> NotebookNode:
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from papermill import execute_notebook
    from papermill.exceptions import PapermillExecutionError

    with tempfile.TemporaryDirectory(prefix="probml-") as scratch:
        # The kernel starts in an empty folder and with an empty profile: it sees neither the user's IPython
        # configuration nor files that happen to lie around.
        os.environ.update(isolated_environment())
        os.environ.update({OUTPUT: os.fspath(output), "IPYTHONDIR": scratch})
        bar = {"desc": name, "unit": "cell", "leave": False} if sys.stderr.isatty() else False
        try:
            return execute_notebook(notebook, None, values, kernel_name="python3", progress_bar=bar, cwd=scratch)
        except PapermillExecutionError as error:
            trace = "\n".join(error.traceback)
            raise NotebookError(
                f"{trace}\n{name}: cell {error.cell_index + 1} raised {error.ename}: {error.evalue} "
                "(traceback above). Earlier results are untouched."
            ) from None
        except (DeadKernelError, CellTimeoutError) as error:
            raise NotebookError(
                f"{name}: the kernel died ({error}). Out of memory? Earlier results are untouched."
            ) from None


def _install(staging: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    fresh = {path.name for path in staging.iterdir()}
    for file in sorted(fresh):
        os.replace(staging / file, target / file)
    for stale in target.iterdir():
        if stale.name not in fresh:
            stale.unlink()
