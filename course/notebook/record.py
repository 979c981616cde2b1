"""The results of a notebook: figures, metrics, tables and claims about published numbers."""

import csv
import importlib
import io
import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from course.errors import ClaimError
from course.notebook.claim import Attested, Claim, Value

if TYPE_CHECKING:  # the runner reads this file too, and need not wait for matplotlib
    from IPython.display import Image
    from matplotlib.figure import Figure

    from course.figures import Picture

OUTPUT = "PROBML_OUTPUT"  # the runner's word on where results go; without it nothing is written
COLLECT = "PROBML_COLLECT_CHECKS"  # set where a check that fails is recorded and the note goes on
DIGITS = 6


class Record:
    """Collects the results of one notebook.

    Executed by the pipeline, a notebook writes its results into the folder that the runner names. Opened by hand or
    validated by nbval, it computes and shows the same and writes nothing.
    """

    def __init__(self) -> None:
        folder = os.environ.get(OUTPUT)
        self._folder = Path(folder) if folder else None
        self._claims: dict[str, Claim] = {}
        self._checks: dict[str, dict[str, object]] = {}

    def figure(self, fig: "Figure | Picture", name: str = "", *, alt: str = "") -> "Image":
        """Save a figure as `name`.png and show it. alt : what it shows, for those who cannot see it.

        A `Picture` brings its name and its alternative text along.
        """
        from IPython.display import Image

        from course import figures

        if isinstance(fig, figures.Picture):
            fig, name, alt = fig.fig, fig.name, fig.alt
        file = f"{_slug(name)}.png"
        if not alt.strip():
            raise ValueError(f"figure {name!r} has no alternative text: say what it shows to those who cannot see it")
        content = figures.png(fig)
        self._write(file, content)
        return Image(content, width=round(fig.get_figwidth() * 100), alt=alt)

    def interactive(self, name: str, picture: "Picture") -> None:
        """Show a figure that the reader moves, `name` of course/interactive, after its picture, which is saved.

        Where scripts run the figure takes the place of the picture; elsewhere, and on paper, the picture is seen.
        """
        from IPython.display import HTML, display

        # By name: only notes that show such a figure depend on the scripts (course/stages.py adds them there).
        html = importlib.import_module("course.interactive").html(name)
        display(self.figure(picture), HTML(html))

    def metrics(self, name: str, values: Mapping[str, float]) -> None:
        """Save a row of numbers as `name`.json: what is measured gives the name, whose it is the keys.

        `dvc metrics show` makes one table of all rows, so that keys that recur share a column.
        """
        if name in ("claims", "checks"):
            raise ValueError(f"{name!r} is the file of the {name}: give the metrics another name")
        self._write(f"{_slug(name)}.json", _json(values))

    def table(self, name: str, columns: Mapping[str, Sequence]) -> None:
        """Save columns of equal length as `name`.csv."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(map(rounded, column) for column in columns.values()), strict=True))
        self._write(f"{_slug(name)}.csv", buffer.getvalue().encode())

    def claim(
        self,
        id: str,  # noqa: A002  the word that the ledger uses
        *,
        source: str,
        quantity: str,
        published: Value,
        ours: Value,
        tolerance: float | None = None,
        attested: Attested = "seen",
        because: str = "",
        remark: str = "",
    ) -> str:
        """Set a published value beside ours; see `Claim`. Returns a line that says how they compare."""
        if id in self._claims and self._folder:
            raise ClaimError(f"claim {id} is recorded twice")
        values = rounded(published), attested, rounded(ours), tolerance
        claim = Claim(_slug(id), source, quantity, *values, because, remark)
        self._claims[id] = claim
        self._write("claims.json", _json([each.as_json() for each in self._claims.values()]), again=True)
        return str(claim)

    def check(self, sentence: str, holds: object, *, this_run: bool = False) -> None:
        """Hold a sentence of the note to what was computed. A sentence that is false ends the run.

        holds : one truth value
        this_run : the sentence states a fact about this run; other seeds need not give the same
        """
        if sentence in self._checks and self._folder:
            raise ValueError(f"checked twice: {sentence!r}")
        if getattr(holds, "shape", ()) != ():
            raise TypeError(f"a check takes one truth value, received an array of shape {holds.shape}: {sentence!r}")
        self._checks[sentence] = {"sentence": sentence, "holds": bool(holds)} | ({"this run": True} if this_run else {})
        self._write("checks.json", _json(list(self._checks.values())), again=True)
        if not holds and not os.environ.get(COLLECT):
            raise AssertionError(f"no longer true: {sentence}")
        print("✓" if holds else "✗", sentence)

    def _write(self, file: str, content: bytes, *, again: bool = False) -> None:
        if self._folder:
            path = self._folder / file
            if path.exists() and not again:
                raise ValueError(f"{file} is recorded twice: each result needs a name of its own")
            path.write_bytes(content)


def rounded(value: object) -> object:
    """Plain Python numbers of six significant digits, through lists and dictionaries.

    The digits that are cut off are those in which machines may differ.
    """
    if isinstance(value, Mapping):
        return {str(key): rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers
        return rounded(value.tolist())
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"a result is {value}: only finite numbers are recorded")
        return float(f"{value:.{DIGITS}g}")
    return value


def _json(content: object) -> bytes:
    return (json.dumps(rounded(content), indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _slug(name: str) -> str:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise ValueError(f"{name!r} is no name for a result: use lower-case letters, digits and single hyphens")
    return name
