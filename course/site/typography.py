"""What must not be torn apart at the end of a line, and how wide things behave on a narrow page."""

import re

from docutils import nodes

_PER_CENT = re.compile(r"(?<=\d) (?=%)")
_AFTER = re.compile(r"(?: %|-\w+)?[.,;:!?)\]’”…]*")
_BEFORE = re.compile(r"[(\[‘“]*$")
_LAYOUT = re.compile(r"^ |\S {2,}", re.MULTILINE)
LONG_CELL = 60  # characters: a table with longer cells is a text, and read row by row where the page is narrow


def bind(document: nodes.document) -> None:
    """Keep a number with its per cent sign, and a formula with the punctuation around it."""
    for text in list(document.findall(nodes.Text)):
        if not _is_verbatim(text) and bound(text) != text:
            text.parent.replace(text, nodes.Text(bound(text)))
    for formula in list(document.findall(nodes.math)):
        _keep_together(formula)


def bound(text: str) -> str:
    """A text with no-break spaces between numbers and per cent signs."""
    return _PER_CENT.sub("\N{NO-BREAK SPACE}", text)


def stack(table: nodes.table) -> None:
    """Mark a table of sentences: on a narrow page its cells stand below each other, each with its heading."""
    heads = [entry for row in table.findall(nodes.thead) for entry in row.findall(nodes.entry)]
    rows = [list(row.findall(nodes.entry)) for body in table.findall(nodes.tbody) for row in body.findall(nodes.row)]
    if len(heads) < 3 or not any(len(entry.astext()) > LONG_CELL for row in rows for entry in row):
        return
    table["classes"].append("stacks")
    for row in rows:
        for head, entry in zip(heads[1:], row[1:], strict=True):
            if entry.children:
                words = [part.deepcopy() for paragraph in head.children for part in paragraph.children]
                label = nodes.inline("", "", *words, nodes.Text(": "), classes=["cell-label"])
                entry.children[0].insert(0, label)


def is_prose(printed: str) -> bool:
    """Whether printed lines may be broken: they have no columns and no indentation to keep."""
    return not _LAYOUT.search(printed)


def _keep_together(formula: nodes.math) -> None:
    parent, at = formula.parent, formula.parent.index(formula)
    before = parent[at - 1] if at else None
    after = parent[at + 1] if at + 1 < len(parent) else None
    opening = _BEFORE.search(before)[0] if isinstance(before, nodes.Text) else ""
    closing = _AFTER.match(after)[0] if isinstance(after, nodes.Text) else ""
    if not opening and not closing:
        return
    box = nodes.inline("", "", classes=["together"])
    parent.replace(formula, box)
    box += [nodes.Text(opening), formula, nodes.Text(closing.replace(" ", "\N{NO-BREAK SPACE}"))]
    # By their places: `replace` would look for the first text that reads the same.
    if closing:
        parent[at + 1] = nodes.Text(after[len(closing) :])
    if opening:
        parent[at - 1] = nodes.Text(before[: -len(opening)])


def _is_verbatim(text: nodes.Text) -> bool:
    node = text.parent
    while node is not None:
        if isinstance(node, nodes.literal | nodes.literal_block | nodes.math | nodes.math_block | nodes.raw):
            return True
        node = node.parent
    return False
