"""The answers as pictures: SVG written by hand, the same bytes every time, whose colours are those of the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log, log10

from probml.comparison.verdict import Answer

WIDTH, HEIGHT = 660, 340
LEFT, RIGHT, TOP, BOTTOM = 52, 28, 14, 44  # at the right there is room for half of the last label
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4")  # lines stay apart without colours


@dataclass(frozen=True)
class Axes:
    """From numbers of rows, on a scale of logarithms, and losses to places in the picture."""

    left: float
    right: float
    bottom: float
    top: float

    def x(self, n: float) -> float:
        """Place of n rows."""
        return LEFT + (WIDTH - LEFT - RIGHT) * log(n / self.left) / log(self.right / self.left)

    def y(self, loss: float) -> float:
        """Place of a loss; what is too large lies above the picture, and is cut off there."""
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min((loss - self.bottom) / (self.top - self.bottom), 9)

    def path(self, xs: Sequence[float], ys: Sequence[float]) -> str:
        """A line through points."""
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in zip(xs, ys, strict=True))


def curves(found: Answer, measure: str) -> str:
    """Learning curves with bands, and the predictions beyond them that are supported."""
    sizes, lines = found["settings"]["sizes"], [curve[measure] for curve in found["curves"]]
    axes, guess = _axes(found, measure), found["today"]["guess"][measure]
    clip, now = f"inside-{measure}", axes.x(sizes[-1])
    frame = f'x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}"'
    parts = [
        f'<clipPath id="{clip}"><rect {frame}/></clipPath>',
        _grid(axes, "%" if measure == "error" else ""),
        f'<g clip-path="url(#{clip})">',
        _straight("guess", LEFT, WIDTH - RIGHT, axes.y(guess), axes.y(guess)),
    ]
    for m, line in enumerate(lines):
        shown = [s for s in range(len(sizes)) if line["mean"][s] <= axes.top]
        there, back = [sizes[s] for s in shown], shown[::-1]
        ends = [*(line["low"][s] for s in shown), *(line["high"][s] for s in back)]
        parts.append(f'<polygon class="band c{m}" points="{axes.path([*there, *there[::-1]], ends)}"/>')
    for m, line in enumerate(lines):
        path = axes.path(sizes, line["mean"])
        parts.append(f'<polyline class="line c{m}" stroke-dasharray="{DASHES[m]}" points="{path}"/>')
        for place in path.split():
            x, _, y = place.partition(",")
            parts.append(f'<circle class="dot c{m}" cx="{x}" cy="{y}" r="2.4"/>')
        parts += [_prediction(axes, each["rows"], each["predictions"][m][measure], m) for each in found["ahead"]]
    parts += ["</g>", _straight("now", now, now, TOP, HEIGHT - BOTTOM)]
    last = "; ".join(f"{c['name']} {c[measure]['mean'][-1]:.3g}" for c in found["curves"])
    name = "Error" if measure == "error" else "Log loss"
    words = f"{name} on held-out rows against the number of rows to learn from. With {sizes[-1]}: {last}."
    return _svg(WIDTH, HEIGHT, words, parts)


def _axes(found: Answer, measure: str) -> Axes:
    """Axes that show a guess, and what is better."""
    guess = found["today"]["guess"][measure]
    values = [value for curve in found["curves"] for value in curve[measure]["mean"]]
    lowest, top = min(*values, guess), min(1.1 * max(values), 1.15 * guess)
    top = top if top > lowest else 1.1 * lowest or 1.0
    bottom = max(0.0, 1.5 * lowest - 0.5 * top) if lowest > top / 2 else 0.0
    sizes = found["settings"]["sizes"]
    ahead = [a["rows"] for a in found["ahead"] if any(not p[measure]["against"] for p in a["predictions"])]
    return Axes(sizes[0], 1.25 * max(ahead) if ahead else 1.05 * sizes[-1], bottom, top)


def _straight(kind: str, x1: float, x2: float, y1: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}"/>'


def _prediction(axes: Axes, n: float, prediction: Answer, m: int) -> str:
    if prediction["against"]:
        return ""
    x = axes.x(n) + 3 * (m - 2)
    low, value, high = (axes.y(prediction[key]) for key in ("low", "value", "high"))
    return (
        f'<line class="line c{m}" x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}"/>'
        f'<circle class="open c{m}" cx="{x:.1f}" cy="{value:.1f}" r="3.4"/>'
    )


def _grid(axes: Axes, unit: str) -> str:
    step, parts = _round_step((axes.top - axes.bottom) / 4), []
    for k in range(ceil(axes.bottom / step), floor(axes.top / step) + 1):
        y = axes.y(k * step)
        label = f"{100 * k * step:.3g}%" if unit else f"{k * step:.3g}"
        parts.append(_straight("grid", LEFT, WIDTH - RIGHT, y, y))
        parts.append(f'<text x="{LEFT - 7}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for n in _round_sizes(axes.left, axes.right):
        x = axes.x(n)
        parts.append(_straight("grid", x, x, TOP, HEIGHT - BOTTOM))
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 17}" text-anchor="middle">{n:,}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 8}" text-anchor="middle">rows to learn from</text>')
    return "".join(parts)


def _round_step(step: float) -> float:
    """1, 2 or 5 times a power of ten, at least `step`."""
    unit: float = 10.0 ** floor(log10(step))
    return next(f * unit for f in (1, 2, 5, 10) if f * unit >= 0.999 * step)


def _round_sizes(low: float, high: float) -> list[int]:
    """Numbers 1, 2 or 5 times a power of ten; only powers where there are many."""
    factors = (1,) if high / low > 2000 else (1, 3) if high / low > 300 else (1, 2, 5)
    return [f * 10**k for k in range(9) for f in factors if low <= f * 10**k <= high]


def calibration(found: Answer, m: int) -> str:
    """Share of right predictions against the probability that they were given, with the share of rows as the area."""
    each, side, low, high = found["calibration"][m], 150, 24, 138
    length = high - low

    def at(p: float) -> float:
        return low + length * p

    parts = [
        _straight("grid", at(0), at(1), side - at(0), side - at(1)),
        f'<rect class="frame" x="{low}" y="{side - high}" width="{length}" height="{length}"/>',
        f'<text x="{low}" y="{side - 8}">0</text><text x="{high}" y="{side - 8}" text-anchor="end">1</text>',
        f'<text x="{low - 5}" y="{side - low}" text-anchor="end">0</text>',
        f'<text x="{low - 5}" y="{side - high + 9}" text-anchor="end">1</text>',
    ]
    for said, right, share in zip(*(each["bins"][name] for name in ("said", "right", "share")), strict=True):
        place = f'cx="{at(said):.1f}" cy="{side - at(right):.1f}" r="{1.5 + 7 * share**0.5:.1f}"'
        parts.append(f'<circle class="open c{m}" {place}/>')
    words = (
        f"Calibration of {each['name']}: on average it gives the class it predicts the probability {each['said']:.3g}, "
        f"and is right in a share {each['right']:.3g}."
    )
    return _svg(side, side, words, parts)


def key(m: int) -> str:
    """The line of a contender, for the legend."""
    line = f'<line class="line c{m}" stroke-dasharray="{DASHES[m]}" x1="1" x2="33" y1="5" y2="5"/>'
    return f'<svg class="key" width="34" height="10" aria-hidden="true">{line}</svg>'


def _svg(width: int, height: int, words: str, parts: Sequence[str]) -> str:
    picture = f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(words)}">'
    return f"{picture}{''.join(parts)}</svg>"
