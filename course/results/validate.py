"""Validate the executed notebooks with nbval: each stored text output against a fresh run.

`make reproduce` is such a run. A long notebook that it has executed in this folder, by the same Python, from just the
files that are here now, and whose results are still, byte for byte, what it wrote, is not executed a second time.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from course.errors import ResultsError
from course.notebook.isolation import isolation
from course.notebook.normal import ADDRESS, NO_ADDRESS
from course.results.graph import Stage, read_stages, sections
from course.results.journal import COMPLETE, Journal
from course.results.meta import seconds

LONG = 20  # seconds that a notebook takes, as dvc.yaml states them, from which on it is not executed twice


def validate(root: Path, workers: int = 2) -> None:
    """Run nbval over results/ in parallel, notebook by notebook. Nothing is written into results/."""
    import nbval  # noqa: F401  pytest needs both: if one is missing, that is said here
    import xdist  # noqa: F401

    names = longest_first(root)
    if not names:
        raise ResultsError("results/ holds no executed notebook: run `make reproduce` first")
    if known := fresh(root, names):
        print(f"as `make reproduce` has just executed them, not run again: {', '.join(known)}", file=sys.stderr)
    notebooks = [os.path.join(name, "notebook.ipynb") for name in names if name not in known]
    if not notebooks:
        return
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-p", "course.results.nbval_stderr"]
    # Cells of one notebook share a kernel, so they have to stay on one worker: loadscope, in the order given.
    command += ["-n", str(min(workers, len(notebooks))), "--dist", "loadscope", "--no-loadscope-reorder"]
    command += ["--nbval-sanitize-with", "addresses"]
    with isolation() as environment, tempfile.TemporaryDirectory(prefix="probml-") as scratch:
        # nbval starts the kernel in the folder of the notebook: a copy, lest it find other results, or leave files.
        for notebook in notebooks:
            Path(scratch, notebook).parent.mkdir()
            shutil.copy(root / "results" / notebook, Path(scratch, notebook))
        Path(scratch, "pytest.ini").touch()
        Path(scratch, "addresses").write_text(f"regex: {ADDRESS.pattern}\nreplace: {NO_ADDRESS}\n", encoding="utf-8")
        done = subprocess.run([*command, *notebooks], cwd=scratch, env=environment, check=False)
    if done.returncode != 0:
        raise ResultsError("the stored outputs of the notebooks are not those of a fresh run (report above)")


def fresh(root: Path, names: Sequence[str]) -> list[str]:
    """The long notebooks among these whose results are those of the last `make reproduce`, run on what is here now."""
    stages, journal = read_stages(root), Journal(root, COMPLETE)
    return [name for name in names if name in stages and _is_long(stages[name]) and journal.holds(stages[name])]


def _is_long(stage: Stage) -> bool:
    return seconds(stage.meta) >= LONG


def longest_first(root: Path) -> list[str]:
    """Names of the executed notebooks: the longest first, as dvc.yaml states it, so that no worker ends long alone."""
    stages = sections(root / "dvc.yaml")

    def takes(name: str) -> float:
        stage = stages.get(name)
        return seconds(stage.get("meta")) if isinstance(stage, dict) else 0

    names = sorted(path.parent.name for path in (root / "results").glob("*/notebook.ipynb"))
    return sorted(names, key=takes, reverse=True)
