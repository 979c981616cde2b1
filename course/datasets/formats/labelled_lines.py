"""One message a line: its label, a tab, its text."""

from course.datasets.dataset import Column, Table, classes
from course.errors import DataError


def read(files: dict[str, bytes], *, target: str) -> Table:
    """The file `lines`."""
    pairs = [line.partition("\t") for line in files["lines"].decode("utf-8").split("\n") if line]
    wrong = next((label for label, tab, _ in pairs if not tab), None)
    if wrong is not None:
        raise DataError(f"expected 'label <tab> text', received {wrong[:60]!r}")
    y, names = classes([label for label, _, _ in pairs])
    texts = [text for _, _, text in pairs]
    return Table(texts, y, (Column("text", "text"),), Column(target, "discrete", names), len(texts))
