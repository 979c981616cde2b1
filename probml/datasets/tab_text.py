"""Texts with labels in Orange's tab-separated format."""

from probml.errors import DataError

HEADER = ["Category\tText", "d\tstring", "class\t"]


def parse(content: bytes) -> tuple[list[str], list[str]]:
    """Texts and labels of a file: three header lines, then `label <tab> text`, a line for each example."""
    lines = content.decode("ascii").splitlines()
    if lines[:3] != HEADER:
        raise DataError(f"expected the header {HEADER}, received {lines[:3]}")
    texts, labels = [], []
    for line in lines[3:]:
        label, separator, text = line.partition("\t")
        if label:
            if not separator:
                raise DataError(f"expected 'label <tab> text', received {line[:60]!r}")
            labels.append(label)
            texts.append(text)
    return texts, labels
