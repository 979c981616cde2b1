"""Tables for readers of a notebook."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the runner, which imports this package too, shows nothing
    from IPython.display import Markdown


def table(header: Sequence[str], rows: Iterable[Sequence[object]], *, left: int = 1) -> "Markdown":
    """A Markdown table: the first `left` columns flush left, the others flush right. Cells are shown by `str`.

    No cell may hold a |, which would begin another one.
    """
    from IPython.display import Markdown

    rule = [":---"] * left + ["---:"] * (len(header) - left)
    body = [[str(cell) for cell in row] for row in rows]
    if any(len(row) != len(header) for row in body):
        raise ValueError(f"every row needs {len(header)} cells, as the header has")
    if piped := [cell for row in [header, *body] for cell in row if "|" in cell]:
        raise ValueError(f"| would begin another cell in {piped[0]!r}: name it in words, or write \\vert in a formula")
    return Markdown("\n".join("| " + " | ".join(cells) + " |" for cells in [list(header), rule, *body]))
