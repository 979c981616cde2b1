"""Texts with labels in Orange's tab-separated format."""

from course.datasets.dataset import Column, Table, classes
from course.errors import DataError

HEADER = ["Category\tText", "d\tstring", "class\t"]


def read(files: dict[str, bytes]) -> Table:
    """The file `train` and, if there is one, the file `test`."""
    texts, labels = parse(files["train"])
    n_train = len(texts)
    if "test" in files:
        more_texts, more_labels = parse(files["test"])
        texts, labels = texts + more_texts, labels + more_labels
    y, names = classes(labels)
    return Table(texts, y, (Column("text", "text"),), Column("category", "discrete", names), n_train)


def parse(content: bytes) -> tuple[list[str], list[str]]:
    """Texts and labels of a file: three header lines, then `label <tab> text`, a line for each example."""
    lines = content.decode("ascii").splitlines()
    if lines[:3] != HEADER:
        raise DataError(f"expected the header {HEADER}, received {lines[:3]}")
    texts, labels = [], []
    for line in lines[3:]:
        label, separator, text = line.partition("\t")
        if line.strip():
            if not (label and separator):
                raise DataError(f"expected 'label <tab> text', received {line[:60]!r}")
            labels.append(label)
            texts.append(text)
    return texts, labels
