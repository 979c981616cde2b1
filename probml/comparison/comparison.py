"""The whole way from a table to its answers, for the command line and for notebooks."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from probml.comparison import report, terminal
from probml.comparison.columns import inspect
from probml.comparison.race import FEWEST_SPLITS, Progress, run
from probml.comparison.table import Table, read
from probml.comparison.verdict import Answer, answers
from probml.errors import DataError, ParameterError
from probml.inputs import is_whole


@dataclass(frozen=True)
class Comparison:
    """Which classifier needs how much data. answers : all of it, in plain numbers and strings, as in the JSON."""

    answers: Answer

    def __str__(self) -> str:
        """Tables and sentences for a terminal."""
        return terminal.text(self.answers)

    def to_json(self) -> str:
        """The answers; `null` stands for what is not a finite number."""
        return json.dumps(self.answers, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def to_html(self) -> str:
        """A page that stands by itself: no script, and nothing that is fetched."""
        return report.page(self.answers)

    def _repr_html_(self) -> str:
        return report.body(self.answers)

    def save(self, path: str | Path) -> None:
        """Write JSON or HTML, by the name of the file; an error leaves what was there before."""
        path = Path(path)
        kinds = {".json": self.to_json, ".html": self.to_html, ".htm": self.to_html}
        if path.suffix.lower() not in kinds:
            raise ParameterError(f"{path}: the name must end in .html or .json")
        text = kinds[path.suffix.lower()]()
        part = path.with_name(f".{path.name}.part")
        try:
            part.write_text(text, encoding="utf-8", newline="\n")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def compare(
    X: Any,  # noqa: ANN401
    y: Any,  # noqa: ANN401
    *,
    kinds: Mapping[str, str] | None = None,
    splits: int = 30,
    seed: int = 0,
    batch: int | None = None,
    progress: Progress | bool = True,
) -> Comparison:
    """Learning curves of naive Bayes, GDA and logistic regression on a table of yours, and what follows from them.

        probml.curves.compare(frame, "churned").save("report.html")

    X : a data frame (pandas, polars, pyarrow and others), the path of a file (CSV, TSV, Parquet, Arrow), a mapping of
    columns, or an array of shape (N, n). y : the name of the column to predict, or the labels, shape (N,).

    kinds : what a column is, by name, where inspection is wrong: "number", one of its families "gaussian", "gamma" and
        "poisson", "category" or "drop".
    splits : of the rows into a part that is held out, one fifth, and nested training parts within the rest.
    batch : rows of the batch of labels whose worth is asked for; a tenth of the rows if None.
    progress : a bar on the terminal, or a function of the splits done and planned. KeyboardInterrupt, from Ctrl-C or
        from that function, ends the race, and what is done is reported; with fewer than three splits it is raised.

    Columns : numbers have the family of largest likelihood within the classes, found on all rows; two values, or
        strings, are categories. Left out, and named in the report, are columns that are constant, all missing, dates,
        free text, identifiers, of more than 100 categories, or that determine y. Rows without y are left out.
    Missing values : naive Bayes leaves them out; for the others they are the mean of the training part, or no category,
        and each column with missing values has an indicator of them.
    """
    for name, value, least in (
        ("splits", splits, FEWEST_SPLITS),
        ("seed", seed, 0),
        ("batch", 1 if batch is None else batch, 1),
    ):
        if not is_whole(value) or value < least:
            raise ParameterError(f"{name} must be a whole number of at least {least}, received {value!r}")
    table = read(X)
    table, y = (table, str(y)) if np.ndim(y) == 0 else _with_labels(table, y)
    examples = inspect(table, y, kinds)
    with tqdm(total=splits, unit="split", disable=progress is not True or not sys.stderr.isatty(), leave=False) as bar:

        def step(done: int, planned: int) -> None:
            bar.update()
            if callable(progress):
                progress(done, planned)

        race = run(examples, splits, seed, step)
    return Comparison(answers(race, seed, batch))


def _with_labels(table: Table, y: Any) -> tuple[Table, str]:  # noqa: ANN401
    labels = np.asarray(y, dtype=object)
    if labels.shape != (len(table),):
        raise DataError(f"y must be the name of a column or {len(table)} labels, received shape {labels.shape}")
    name = "y" if "y" not in table.columns else "the labels given"
    return Table(table.source, {**table.columns, name: labels.tolist()}, table.lines), name
