"""The Learning Curve Database, aggregated: see ORIGIN.md beside this file."""

import csv
import gzip
import io
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Published:
    """Test errors of one learner on one data set, all of shape (S,): means and standard deviations over the splits."""

    sizes: NDArray[np.intp]
    error: Array
    sd: Array
    repeats: NDArray[np.intp]


@dataclass(frozen=True)
class Description:
    """What is known of a data set. features : columns without the class, before symbolic ones become indicators."""

    name: str
    rows: int
    features: int
    classes: int
    largest_class: float  # share of the rows
    discrete: float  # share of the features that are symbolic

    @classmethod
    def of(cls, row: dict[str, str]) -> "Description":
        """From a line of the file, in which the class counts as a symbolic column."""
        features = int(row["columns"]) - 1
        discrete = min(max(int(row["symbolic"]) - 1, 0) / features, 1.0)
        largest = float(row["largest_class"]) / int(row["rows"])
        return cls(row["name"], int(row["rows"]), features, int(row["classes"]), largest, discrete)


@dataclass(frozen=True)
class Database:
    """curves : by OpenML number and learner. described : by OpenML number, of those that have a description."""

    curves: dict[int, dict[str, Published]]
    described: dict[int, Description]

    @cached_property
    def family(self) -> dict[int, int]:
        """A number for the family of each data set: sets that may be made of the same rows or by the same program.

        Two sets are related if their longest curves end at the same size, for then they have as many rows, or if their
        names begin with the same word (fri_c0_1000_5, fri_c4_1000_100); relatives of relatives are one family. This
        joins some strangers too, which can only make intervals longer.
        """
        first: dict[object, int] = {}
        parent = {number: number for number in self.curves}

        def root(number: int) -> int:
            while parent[number] != number:
                number = parent[number]
            return number

        for number, of in self.curves.items():
            marks: list[object] = [max(int(curve.sizes[-1]) for curve in of.values())]
            if number in self.described:
                marks.append(stem(self.described[number].name))
            for mark in marks:
                parent[root(number)] = root(first.setdefault(mark, number))
        return {number: root(number) for number in self.curves}

    def twins(self, learner: str = "logistic") -> Iterator[tuple[int, int]]:
        """Pairs of data sets on which a learner without chance of its own has the very same curve."""
        curves = {number: of[learner] for number, of in self.curves.items() if learner in of}
        for (one, first), (other, second) in combinations(curves.items(), 2):
            if np.array_equal(first.sizes, second.sizes) and np.array_equal(first.error, second.error):
                yield one, other


def stem(name: str) -> str:
    """The first word of a name, in lower case: what is left of versions and parts of one data set."""
    found = re.match(r"[a-z]+", re.sub(r"^kdd_", "", name.lower()))
    return found.group() if found else name


def read() -> Database:
    """The files of this folder."""
    folder = files(__package__)
    packed = folder.joinpath("lcdb-curves.csv.gz").read_bytes()
    lines: dict[tuple[int, str], list[tuple[float, ...]]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO(gzip.decompress(packed).decode())):
        values = tuple(float(row[name]) for name in ("m", "error", "sd", "repeats"))
        lines[int(row["openml"]), row["learner"]].append(values)
    curves: dict[int, dict[str, Published]] = defaultdict(dict)
    for (number, learner), values in lines.items():
        m, error, sd, repeats = np.array(sorted(values)).T
        curves[number][learner] = Published(m.astype(np.intp), error, sd, repeats.astype(np.intp))
    text = folder.joinpath("lcdb-datasets.csv").read_text(encoding="utf-8")
    described = {int(row["openml"]): Description.of(row) for row in csv.DictReader(io.StringIO(text))}
    return Database(dict(curves), described)
