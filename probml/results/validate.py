"""Validate the executed notebooks with nbval: each stored text output against a fresh run."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from probml.errors import ResultsError
from probml.notebook.normal import ADDRESS, NO_ADDRESS
from probml.notebook.record import OUTPUT
from probml.notebook.run import isolation


def validate(root: Path, workers: int = 2) -> None:
    """Run nbval over results/ in parallel, notebook by notebook. Nothing is written into results/."""
    results = root / "results"
    notebooks = sorted(os.fspath(path.relative_to(results)) for path in results.glob("*/notebook.ipynb"))
    if not notebooks:
        raise ResultsError("results/ holds no executed notebook: run `make reproduce` first")
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-p", "probml.results.nbval_stderr"]
    # Cells of one notebook share a kernel, so they have to stay on one worker: loadscope.
    command += ["-n", str(min(workers, len(notebooks))), "--dist", "loadscope"]
    command += ["--nbval-sanitize-with", "addresses"]
    inherited = {key: value for key, value in os.environ.items() if key != OUTPUT}
    with isolation() as environment, tempfile.TemporaryDirectory(prefix="probml-") as scratch:
        # nbval starts the kernel in the folder of the notebook: a copy, lest it find other results, or leave files.
        for notebook in notebooks:
            Path(scratch, notebook).parent.mkdir()
            shutil.copy(results / notebook, Path(scratch, notebook))
        Path(scratch, "pytest.ini").touch()
        Path(scratch, "addresses").write_text(f"regex: {ADDRESS.pattern}\nreplace: {NO_ADDRESS}\n", encoding="utf-8")
        done = subprocess.run([*command, *notebooks], cwd=scratch, env={**inherited, **environment}, check=False)
    if done.returncode != 0:
        raise ResultsError("the stored outputs of the notebooks are not those of a fresh run (report above)")
