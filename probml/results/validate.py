"""Validate the executed notebooks with nbval: each stored text output against a fresh run."""

import os
import subprocess
import sys
from pathlib import Path

from probml.errors import ResultsError
from probml.notebook.record import OUTPUT
from probml.notebook.run import isolated_environment


def validate(root: Path, workers: int = 2) -> None:
    """Run nbval over results/ in parallel, notebook by notebook. Nothing is written into results/."""
    notebooks = sorted(os.fspath(path.relative_to(root)) for path in root.glob("results/*/notebook.ipynb"))
    if not notebooks:
        raise ResultsError("results/ holds no executed notebook: run `make reproduce` first")
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-p", "probml.results.nbval_stderr"]
    # Cells of one notebook share a kernel, so they have to stay on one worker: loadscope.
    command += ["-n", str(min(workers, len(notebooks))), "--dist", "loadscope", "-o", "filterwarnings=default"]
    environment = {key: value for key, value in os.environ.items() if key != OUTPUT} | isolated_environment()
    done = subprocess.run([*command, *notebooks], cwd=root, env=environment, check=False)
    if done.returncode != 0:
        raise ResultsError("the stored outputs of the notebooks are not those of a fresh run (report above)")
