"""Tables for readers of a notebook."""

from collections.abc import Iterable, Sequence

from IPython.display import Markdown


def table(header: Sequence[str], rows: Iterable[Sequence[object]], *, left: int = 1) -> Markdown:
    """A Markdown table: the first `left` columns flush left, the others flush right. Cells are shown by `str`."""
    rule = [":---"] * left + ["---:"] * (len(header) - left)
    body = [[str(cell) for cell in row] for row in rows]
    if any(len(row) != len(header) for row in body):
        raise ValueError(f"every row needs {len(header)} cells, as the header has")
    return Markdown("\n".join("| " + " | ".join(cells) + " |" for cells in [list(header), rule, *body]))
