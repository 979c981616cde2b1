"""Validate the executed notebooks with nbval: each stored text output against a fresh run."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from course.errors import ResultsError
from course.notebook.isolation import isolation
from course.notebook.normal import ADDRESS, NO_ADDRESS
from course.results.graph import sections
from course.results.meta import seconds


def validate(root: Path, workers: int = 2) -> None:
    """Run nbval over results/ in parallel, notebook by notebook. Nothing is written into results/."""
    import nbval  # noqa: F401  pytest needs both: if one is missing, that is said here
    import xdist  # noqa: F401

    notebooks = [os.path.join(name, "notebook.ipynb") for name in longest_first(root)]
    if not notebooks:
        raise ResultsError("results/ holds no executed notebook: run `make reproduce` first")
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


def longest_first(root: Path) -> list[str]:
    """Names of the executed notebooks: the longest first, as dvc.yaml states it, so that no worker ends long alone."""
    stages = sections(root / "dvc.yaml")

    def takes(name: str) -> float:
        stage = stages.get(name)
        return seconds(stage.get("meta")) if isinstance(stage, dict) else 0

    names = sorted(path.parent.name for path in (root / "results").glob("*/notebook.ipynb"))
    return sorted(names, key=takes, reverse=True)
