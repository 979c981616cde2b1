"""The docstrings of `probml` as reStructuredText.

They are written to be read in the source: plain text, formulas as indented blocks, `name : meaning` for parameters. TeX
stands between dollars, or in a `.. math::` directive.
"""

import re

_NAME = re.compile(r"^(\*{0,2}[\w, .*]+?) : (.*)$")
_NEXT = re.compile(r"(?<=\.) (?=\w+(?:, \w+)* : )")  # X : dense or CSR. y : labels


def process(_app: object, _what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    """Sphinx's hook: changes the lines in place."""
    lines[:] = converted(lines)


def converted(lines: list[str]) -> list[str]:
    """The lines of a docstring as reStructuredText."""
    out: list[str] = []
    k = 0
    while k < len(lines):
        line = lines[k]
        indent = len(line) - len(line.lstrip())
        if line.startswith(".. "):  # a directive is what it should be
            block, k = _block(lines, k + 1)
            out += [line, *block, ""]
        elif k + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[k + 1].strip()) and line.strip():
            out += ["", f".. rubric:: {line.strip()}", ""]
            k += 2
        elif indent >= 4 and line.strip() and (not out or not out[-1].strip()):
            block, k = _block(lines, k)
            out += [
                "",
                ".. code-block:: text",
                "   :class: formula-text",
                "",
                *(f"   {each[4:]}" for each in block),
                "",
            ]
        elif _NAME.match(line) and not line.startswith(" "):
            block, k = _paragraph(lines, k + 1)
            for each in _NEXT.split(" ".join([line, *(each.strip() for each in block)])):
                if found := _NAME.match(each):
                    names = ", ".join(f"``{name.strip()}``" for name in found[1].split(","))
                    out += ["", f"- {names}: {escaped(found[2].strip())}", ""]
                else:  # a sentence before the first name
                    out += ["", escaped(each), ""]
        else:
            out.append(escaped(line))
            k += 1
    return [*out, ""]


def _paragraph(lines: list[str], k: int) -> tuple[list[str], int]:
    """The lines from k that go on with what was said of a name."""
    start = k
    while k < len(lines) and lines[k].strip() and (lines[k].startswith(" ") or not _NAME.match(lines[k])):
        k += 1
    return lines[start:k], k


def _block(lines: list[str], k: int) -> tuple[list[str], int]:
    """The lines from k that are indented, blank ones between them included."""
    start = k
    while k < len(lines) and (lines[k].startswith("   ") or not lines[k].strip()):
        k += 1
    block = lines[start:k]
    while block and not block[-1].strip():
        block.pop()
    return block, k


def escaped(text: str) -> str:
    """Plain text in which nothing is markup but `names` and $formulas$."""
    out = []
    for part in re.split(r"(`+[^`]+`+|\$[^$]+\$|:\w+:`[^`]+`)", text):
        if part.startswith("`"):
            out.append(f"``{part.strip('`')}``")
        elif part.startswith("$") and len(part) > 1:
            out.append(f":math:`{part.strip('$')}`")
        else:
            out.append(re.sub(r"[*|\\]|(?<=\w)_(?!\w)", r"\\\g<0>", part))
    return "".join(out)
