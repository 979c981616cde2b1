"""Drawings of boxes and arrows: written as Mermaid, which GitHub draws, and drawn here as SVG without a script.

Of Mermaid as much as is needed: `accTitle`, `accDescr`, boxes `name["first line<br>more"]`, and arrows `a --> b` or
`a -->|what goes along| b`. A box stands below those that lead to it, two that come from one stand side by side, and one
to which several lead stands between these. The width is that of a phone; text is never smaller than 12 pixels there.
"""

import re
from dataclasses import dataclass
from html import escape

from course.site.errors import SiteError

WIDTH, LINE, MARGIN, GAP, LABELLED_GAP = 380, 17, 9, 26, 44
FULL, HALF = 376, 184  # width of a box that stands alone in its row, and of one of two
LETTERS = (8.2, 7.0)  # pixels, at most, of a letter on average: in the first line, which is bold, and in the others

_FENCE = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_BOX = re.compile(r'(\w+)\["([^"]+)"\]')
_ARROW = re.compile(r"(\w+) -->(?:\|([^|]+)\|)? (\w+)")
_WORDS = re.compile(r"acc(Title|Descr): (.+)")


@dataclass(frozen=True)
class Drawing:
    """boxes : the lines of each, by its name. arrows : from, to, and what is written beside it."""

    title: str
    description: str
    boxes: dict[str, list[str]]
    arrows: list[tuple[str, str, str]]

    @property
    def rows(self) -> list[list[str]]:
        """Boxes that stand side by side, from the top."""
        level: dict[str, int] = {}
        for name in self.boxes:
            level[name] = max((level[start] + 1 for start, end, _ in self.arrows if end == name), default=0)
        return [[name for name in self.boxes if level[name] == k] for k in range(max(level.values()) + 1)]

    @property
    def sides(self) -> dict[str, int]:
        """-1 for boxes on the left, 1 on the right, 0 in the middle."""
        side: dict[str, int] = {}
        for name in self.boxes:
            before = [start for start, end, _ in self.arrows if end == name]
            beside = [end for start, end, _ in self.arrows if before == [start]]
            if len(before) == 1 and len(beside) == 2:
                side[name] = (-1, 1)[beside.index(name)]
            else:
                side[name] = side[before[0]] if len(before) == 1 else 0
        return side


def read(text: str) -> Drawing:
    """A drawing from its source. SiteError : it cannot be drawn, and why."""
    words, boxes, arrows = {}, {}, []
    first, *lines = [line.strip() for line in text.splitlines() if line.strip()]
    if first != "flowchart TD":
        raise SiteError(f"a drawing begins with 'flowchart TD', this one with {first!r}")
    for line in lines:
        if found := _BOX.fullmatch(line):
            boxes[found[1]] = found[2].split("<br>")
        elif found := _ARROW.fullmatch(line):
            arrows.append((found[1], found[3], found[2] or ""))
        elif found := _WORDS.fullmatch(line):
            words[found[1]] = found[2]
        else:
            raise SiteError(f"a drawing cannot have the line {line!r}")
    order = list(boxes)
    for start, end, _ in arrows:
        if not {start, end} <= set(boxes) or order.index(start) >= order.index(end):
            raise SiteError(f"an arrow leads from {start} to {end}: both must be boxes, the second below the first")
    if missing := {"Title", "Descr"} - set(words):
        raise SiteError(f"a drawing needs words for those who cannot see it: acc{min(missing)}")
    return Drawing(words["Title"], words["Descr"], boxes, arrows)


def svg(drawing: Drawing) -> str:
    """The drawing in the colours of the page (static/site.css)."""
    parts, places, y = [], {}, 2
    sides = drawing.sides
    for row in drawing.rows:
        labelled = any(label for _, end, label in drawing.arrows if end in row)
        y += (LABELLED_GAP if labelled else GAP) if places else 0
        height = 2 * MARGIN + LINE * max(len(drawing.boxes[name]) for name in row) - 2
        for name in row:
            width, lines = HALF if sides[name] else FULL, drawing.boxes[name]
            for k, line in enumerate(lines):
                if len(line) * LETTERS[k > 0] > width - 12:
                    raise SiteError(
                        f"the box {name} is {width} wide: too narrow for the {len(line)} letters of {line!r}"
                    )
            x = WIDTH / 2 + sides[name] * (WIDTH - HALF - 4) / 2
            places[name] = x, y, y + height
            parts.append(f'<rect x="{x - width / 2:g}" y="{y}" width="{width}" height="{height}" rx="6"/>')
            for k, line in enumerate(lines):
                name_of = ' class="name"' if k == 0 else ""
                parts.append(f'<text{name_of} x="{x:g}" y="{y + MARGIN + LINE * k + 12}">{escape(line)}</text>')
        y += height
    arrows = [_arrow(places[start], places[end], label) for start, end, label in drawing.arrows]
    return (
        f'<svg class="drawing" viewBox="0 0 {WIDTH} {y + 2}" role="img" aria-label="{escape(drawing.title)}: '
        f'{escape(drawing.description)}">' + "".join([*arrows, *parts]) + "</svg>"
    )


def _arrow(start: tuple[float, float, float], end: tuple[float, float, float], label: str) -> str:
    """Down, across if need be, and down again, with a head."""
    (x, _, top), (to, bottom, _) = start, end
    turn = top + 12 if x == WIDTH / 2 else bottom - 14
    path = f"M{x:g} {top}" + (f"V{turn}H{to:g}" if x != to else "") + f"V{bottom - 6}"
    arrow = f'<path class="line" d="{path}"/><path class="head" d="M{to:g} {bottom - 1}l-4.5 -8h9z"/>'
    if not label:
        return arrow
    left, anchor = (to - 8, ' text-anchor="end"') if to > WIDTH / 2 else (to + 8, ' text-anchor="start"')
    return f'{arrow}<text class="label" x="{left:g}" y="{bottom - 14}"{anchor}>{escape(label)}</text>'


def drawn(text: str) -> str:
    """A Markdown text with its drawings in place of their sources."""
    return _FENCE.sub(lambda found: f"```{{raw}} html\n{svg(read(found[1]))}\n```", text)
