"""The answers as a page of HTML that stands by itself, on a screen, in the dark and on paper."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from probml.comparison import pictures, terminal
from probml.comparison.verdict import Answer

STYLE = files("probml.comparison").joinpath("report.css").read_text(encoding="utf-8")
LEGEND = (
    "On rows held out, with 95% bands. Dashed vertical line: the most rows that could be learnt from; open "
    "circles beyond are extrapolated. Dotted: a guess without the columns, of the most frequent class or, for log "
    "loss, with the shares of the classes. Curves that leave the picture are worse than that."
)
CALIBRATION = (
    "Across: the probability given to the class predicted; up: the share of these predictions that is right; "
    "areas: the share of the rows. Circles below the diagonal: too sure."
)
METHOD = (
    "The rows are split {splits} times. In each split {held_out:,} are held out, and the training parts are "
    "nested stretches of one random order of the others, with the classes in nearly the shares of the whole. "
    "Everything that is estimated, means and scales included, comes from the training part; only the family of a "
    "column is chosen once, on all rows. Seed: {seed}.",
    "Bands and intervals ({level:.0%}) are those of the mean over splits with the variance of Nadeau and Bengio, "
    "(1/R + 1/4) s² for R splits that hold out a fifth: splits share rows, and are not independent. They hold for "
    "one size and one comparison at a time. A crossing is reported where one of two is clearly ahead at one size "
    "and the other at a larger one; its interval is that of the bootstrap over splits, stretched by the same "
    "factor.",
    "Predictions are a power law with an offset, a + b n^-c, fitted to the means by weighted least squares with "
    "a, b ≥ 0 and c > 0, at the largest sizes, seven at most, and from the peak of the curve on. Their intervals "
    "come from the same bootstrap, where some fits begin at larger sizes, and are widened with each doubling of the "
    "rows, since no curve is exactly a power law. They are not supported where the curve does not fall measurably, "
    "where they would reach farther ahead than the sizes reach back, or where the interval "
    "would be wider than the loss itself.",
)


def page(found: Answer) -> str:
    """A complete document."""
    title = escape(f"Which classifier needs how much data: {found['data']['target']}")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<title>{title}</title></head>\n<body class="probml-page">\n{body(found)}</body></html>\n'
    )


def body(found: Answer) -> str:
    """What a notebook shows."""
    data = found["data"]
    parts = [
        f"<h1>Which classifier needs how much data: {escape(data['target'])}</h1>",
        _paragraph(terminal.about(data), "soft"),
        *(f"<p><strong>{escape(line)}</strong></p>" for line in [*terminal.interrupted(found), *data["notices"]]),
        _advice(found["recommendation"]),
        _curves(found),
        "<h2>In words</h2>",
        *map(_paragraph, terminal.sentences(found)),
        "<h2>In numbers</h2>",
        _errors(found),
        "<h2>What one more batch is worth</h2>",
        _batches(found),
        "<h2>Calibration</h2>",
        _calibration(found),
        "<h2>What was learnt from</h2>",
        _columns(data),
        "<h2>How this was found</h2>",
        *(_paragraph(text.format(**found["settings"])) for text in METHOD),
    ]
    return f'<div class="probml"><style>\n{STYLE}</style>\n' + "\n".join(parts) + "\n</div>\n"


def _paragraph(text: str, kind: str = "") -> str:
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def _advice(advice: Answer) -> str:
    parts = [
        f"<p><strong>Recommended: {escape(advice['name'])}</strong></p>",
        _paragraph(" ".join(advice["reasons"])),
        *(_paragraph(line, "soft") for line in terminal.explained(advice)),
    ]
    return f'<div class="advice">{"".join(parts)}</div>'


def _curves(found: Answer) -> str:
    legend = [
        f'<li>{pictures.key(m)}{escape(c["name"])} <span class="soft">({escape(c["what"])})</span></li>'
        for m, c in enumerate(found["curves"])
    ]
    figures = [
        f"<figure><figcaption>{title}</figcaption>{pictures.curves(found, measure)}</figure>"
        for measure, title in (("error", "Error"), ("log_loss", "Log loss, in nats"))
    ]
    shown = f'<ul class="legend">{"".join(legend)}</ul>\n<div class="pair">{"".join(figures)}</div>\n'
    return shown + _paragraph(LEGEND, "soft")


def _calibration(found: Answer) -> str:
    figures = [
        f"<figure>{pictures.calibration(found, m)}<figcaption>{escape(c['name'])}</figcaption></figure>"
        for m, c in enumerate(found["curves"])
    ]
    return f'{_paragraph(CALIBRATION, "soft")}\n<div class="row">{"".join(figures)}</div>'


def _errors(found: Answer) -> str:
    head, *rows = terminal.errors(found)
    return _table(
        [escape(cell) for cell in head], [[escape(row[0]), *map(_small, row[1:])] for row in rows]
    ) + _paragraph(terminal.marks(found), "soft")


def _small(text: str) -> str:
    """A value, and its interval smaller than that."""
    value, bracket, rest = escape(text).partition(" (")
    return f"{value} <small>({rest}</small>" if bracket else value


def _batches(found: Answer) -> str:
    rows = []
    for each in found["batch"]:
        worth = f"{1000 * each['fewer']:.1f} ({1000 * each['low']:.1f}–{1000 * each['high']:.1f})"
        unknown = escape(f"cannot be said: {each['against']}")
        rows.append([escape(each["name"]), unknown if each["against"] else _small(worth)])
    head = ["", f"fewer errors in 1,000 predictions, after {found['settings']['batch']:,} more rows"]
    return _table(head, rows, "words")


def _columns(data: Answer) -> str:
    rows = [[escape(c["name"]), escape(c["kind"]), f"{c['missing']:,}"] for c in data["columns"]]
    rows += [[escape(name), f"left out: {escape(reason)}", ""] for name, reason in data["left_out"].items()]
    table = _table(["column", "what it is", "missing"], rows, "words")
    return f"<details><summary>{len(rows)} columns</summary>{table}</details>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    """Cells are HTML already."""
    names = "".join(f'<th scope="col">{name}</th>' for name in head)
    lines = "\n".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    table = f'<table class="{kind}"><thead><tr>{names}</tr></thead>\n<tbody>{lines}</tbody></table>'
    return f'<div class="scroll" tabindex="0">{table}</div>'
