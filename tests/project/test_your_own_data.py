"""What README shows of `probml curves` is what it prints, and the notes that it names are notes of the course."""

import re
import subprocess
import sys
from pathlib import Path

from sklearn.datasets import load_breast_cancer

from course.outline import notes
from probml.comparison.contenders import CONTENDERS

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Your own data\n")[2].partition("\n## ")[0]


def test_the_output_that_the_readme_shows(tmp_path):
    """In a process of its own, as the command is run."""
    data = load_breast_cancer(as_frame=True)
    data.frame.assign(target=data.target_names[data.target]).to_csv(tmp_path / "tumours.csv", index=False)
    command = re.search(r"```sh\nprobml (.*)\n```", SECTION)[1].split()
    ran = subprocess.run([sys.executable, "-m", "probml", *command], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    shown = re.search(r"```text\n(.*?)```", SECTION, re.DOTALL)[1]
    assert len(shown.splitlines()) > 8
    assert shown in ran.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "report.json", "tumours.csv"]


def test_the_notes_that_are_named():
    titles = {f"{name[:2]}, {note.title}" for name, note in notes().items()}
    assert {contender.note for contender in CONTENDERS} <= titles
