"""Tables of the site that a script can filter and that read without it, and what stands in their cells."""

import re
from html import escape

from course.site import typography


def table(name: str, head: list[str], rows: list[str], filters: list[tuple[str, str, list[str]]]) -> str:
    """The form, which a script shows, and the table. If its cells have labels, they stack on a phone."""
    stacks = " stacks" if "cell-label" in rows[0] else ""
    controls = "".join(
        f'<label>{label}<select data-filter="{key}"><option value="">all</option>'
        + "".join(f"<option>{escape(value)}</option>" for value in values)
        + "</select></label>"
        for key, label, values in filters
    )
    form = (
        f'<form class="filters" hidden role="search" aria-label="Filter the {name}">'
        f'<label>Text<input type="search" data-filter-text></label>{controls}'
        f'<p class="filter-count" role="status"><span>{len(rows)}</span> of {len(rows)} {name}</p></form>'
    )
    cells = "".join(f'<th scope="col">{each}</th>' for each in head)
    body = "\n".join(rows)
    return (
        f"```{{raw}} html\n{form}\n"
        f'<div class="scroll-x ledger" data-label="Table of {name}" tabindex="0" role="group" '
        f'aria-label="Table of {name}, scrolls sideways">\n'
        f'<table class="table ledger-table{" stacks" if stacks else ""}"><thead><tr>{cells}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>\n```"
    )


def summary(head: tuple[str, ...], rows: list[tuple]) -> str:
    """A small table in Markdown: words in the first column, numbers in the others."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def attributes(**values: str) -> str:
    """Attributes of a row by which the script filters."""
    return " ".join(f'data-{key}="{escape(value, quote=True)}"' for key, value in values.items())


def math(tex: str) -> str:
    """A formula within a text."""
    return f'<span class="math notranslate nohighlight">\\({escape(tex.strip(), quote=False)}\\)</span>'


def inline(text: str) -> str:
    """Text with emphasis and formulas as HTML, each number together with its per cent sign."""
    parts = re.split(r"(\$[^$]+\$|`[^`]+`)", text)
    out = []
    for part in parts:
        if part.startswith("$") and len(part) > 1:
            out.append(math(part[1:-1]))
        elif part.startswith("`") and len(part) > 1:
            out.append(f"<code>{escape(part[1:-1])}</code>")
        else:
            out.append(re.sub(r"\*([^*]+)\*", r"<em>\1</em>", escape(typography.bound(part), quote=False)))
    return "".join(out)
