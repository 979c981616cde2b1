"""Execute a notebook with papermill, and put its results in place only when all of it has succeeded."""

import errno
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from probml.errors import NotebookError
from probml.notebook import normal, parameters
from probml.notebook.record import OUTPUT

COLOR = re.compile(r"\x1b\[[0-9;]*m")
# Sums are rounded in the order in which a processor's widest registers take them up. These settings are those of a
# processor with AVX2, which nearly all have, so that others give the same bits.
SAME_BITS = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"}
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def run(name: str, root: Path) -> None:
    """Execute notebooks/`name`.ipynb with the parameters of params.yaml, into results/`name`/.

    All outputs are first written to .work/; once complete, their folder takes the place of the earlier one by renames.
    A notebook that fails, a full disk or a killed process leave the earlier results as they were.
    """
    notebook = read_notebook(root / "notebooks" / f"{name}.ipynb")
    values = parameters.given(root / "params.yaml", name)
    parameters.check(name, parameters.declared(notebook, name), values)

    staging, target = root / ".work" / name, root / "results" / name
    _put_back(staging, target)
    shutil.rmtree(staging, ignore_errors=True)
    try:
        staging.mkdir(parents=True)
        started = time.perf_counter()
        print(f"{name}: executing {len(notebook.cells)} cells ...", file=sys.stderr, flush=True)
        text, stderr = normal.executed(_execute(name, notebook, values, staging))
        (staging / "notebook.ipynb").write_text(text, encoding="utf-8")
        if stderr:
            print(f"{name}: written to stderr by the notebook:\n{stderr.rstrip()}", file=sys.stderr)
        _install(staging, target)
        print(f"{name}: done in {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
    except OSError as error:
        what = "no space left on the disk" if error.errno == errno.ENOSPC else str(error)
        raise NotebookError(f"{name}: could not write the results ({what}). Earlier results are untouched.") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def isolation() -> Iterator[dict[str, str]]:
    """Environment variables under which a notebook gives the same everywhere, and a scratch folder they refer to.

    One BLAS thread, and sums rounded alike on all processors; sets in a fixed order; one time zone; the kernel of this
    environment, whatever other kernels the user has; no start-up file, and an IPython profile that holds nothing but
    the order to keep quiet, so that the user's own configuration and history play no part.
    """
    with tempfile.TemporaryDirectory(prefix="probml-") as scratch:
        profile = Path(scratch, "profile_default")
        profile.mkdir()
        (profile / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 'CRITICAL'\n", encoding="utf-8")
        Path(scratch, "matplotlibrc").touch()
        yield {
            **dict.fromkeys(THREADS, "1"),
            **(SAME_BITS if platform.machine().lower() in ("x86_64", "amd64") else {}),
            "PYTHONHASHSEED": "0",
            "TZ": "UTC",
            "JUPYTER_PREFER_ENV_PATH": "1",
            "IPYTHONDIR": scratch,
            "MATPLOTLIBRC": scratch,
            "PYTHONSTARTUP": "",
        }


def read_notebook(path: Path) -> NotebookNode:
    """A notebook from its file."""
    try:
        return nbformat.read(path, as_version=4)
    except FileNotFoundError:
        known = ", ".join(sorted(other.stem for other in path.parent.glob("*.ipynb"))) or "none"
        raise NotebookError(f"there is no notebook {path.stem!r} in {path.parent}. Known: {known}") from None
    except (nbformat.reader.NotJSONError, nbformat.ValidationError) as error:
        raise NotebookError(f"{path} is not a valid notebook: {error}") from None


def _execute(name: str, notebook: NotebookNode, values: dict[str, object], output: Path) -> NotebookNode:
    from papermill import execute_notebook
    from papermill.exceptions import PapermillExecutionError

    with isolation() as environment, tempfile.TemporaryDirectory(prefix="probml-") as empty:
        os.environ.update({**environment, OUTPUT: os.fspath(output)})
        bar = {"desc": name, "unit": "cell", "leave": False} if sys.stderr.isatty() else False
        try:
            return execute_notebook(notebook, None, values, kernel_name="python3", progress_bar=bar, cwd=empty)
        except PapermillExecutionError as error:
            trace = "\n".join(error.traceback)
            if not sys.stderr.isatty():
                trace = COLOR.sub("", trace)
            # where there are parameters, papermill has put a cell of its own behind the one that declares them
            number = error.cell_index + (not values or error.cell_index <= parameters.position(notebook, name))
            print(trace, file=sys.stderr)
            raise NotebookError(
                f"{name}: cell {number} raised {error.ename}: {error.evalue} (traceback above). "
                "Earlier results are untouched."
            ) from None
        except RuntimeError as error:  # a kernel that does not start, or that dies
            raise NotebookError(
                f"{name}: the kernel failed ({error}). Out of memory? Earlier results are untouched."
            ) from None


def _install(staging: Path, target: Path) -> None:
    """Put the folder `staging` in the place of `target`, or leave `target` as it was."""
    earlier = _earlier(staging)
    shutil.rmtree(earlier, ignore_errors=True)
    target.parent.mkdir(exist_ok=True)
    with suppress(FileNotFoundError):
        os.replace(target, earlier)
    try:
        os.replace(staging, target)
    except BaseException:
        _put_back(staging, target)
        raise
    shutil.rmtree(earlier, ignore_errors=True)


def _put_back(staging: Path, target: Path) -> None:
    """Undo the first of the two renames of `_install`, where the second did not follow."""
    if not target.exists() and _earlier(staging).exists():
        os.replace(_earlier(staging), target)


def _earlier(staging: Path) -> Path:
    return staging.with_name(f"{staging.name}.earlier")
