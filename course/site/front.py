"""The front page: what the notes found, in pictures; the paths through the course; the map."""

import base64
import json
from html import escape
from pathlib import Path

from course.interactive import html as interactive
from course.notebook.read import read_notebook
from course.outline import MAP, notes
from course.outline.findings import Demo, Finding, demo, findings
from course.outline.paths import CoursePath, hours, paths
from course.site import sheets, typography
from course.site.api import PACKAGES
from course.site.errors import SiteError
from course.site.images import WHOLE, part, pixels
from course.studies.course_map import figures

FIGURES = "_images/front"  # of the site: where the pictures of this page are
_MORE = """\
The notes have exercises with folded solutions; `python -m course site --student` builds an edition without these. Each
page offers its notebook for download, and `make lab` opens all of them in JupyterLab.

The models are a small library with scikit-learn's interface, [probml](site:api/index), whose code reads like the
formulas. Where scikit-learn fits the same model, it gives the same numbers; the [benchmarks](site:benchmarks) say how
fast. [How the library is built](site:architecture) shows it in drawings, and how to add a family, a loss or a solver of
your own.

Nothing here asks for trust. The [ledger of equations](site:ledgers/equations) has a check for every formula that claims
something, the [ledger of published numbers](site:ledgers/published-numbers) shows where we agree with the literature,
where we do not, and why, and the [table of claims](site:ledgers/claims) how many of twenty other seeds each sentence of
the notes holds for."""


def page(root: Path, names: list[str]) -> str:
    """Front page and tables of contents."""
    parts = [
        "---\nhtml_theme.sidebar_secondary.remove: true\n---",
        "# Which classifier, and why?",
        _raw(_welcome(root)),
        f"## {demo().title}",
        _raw(_demo(root, demo())),
        "## What we found, in pictures",
        _raw(_list("findings", [_finding(root, each) for each in findings()])),
        "## Paths through the notes",
        _raw(_list("paths", [_path(each) for each in paths().values()])),
        "## The map",
        _raw(_map(root)),
        "## Teach with it, build on it, check it",
        _more(root),
        *_trees(root, names),
    ]
    return "\n\n".join(parts) + "\n"


def copy_figures(root: Path, site: Path) -> None:
    """Put the pictures of this page into the folder of the site."""
    (site / FIGURES).mkdir(parents=True, exist_ok=True)
    whole = [(demo().note, demo().figure), (MAP, "map")]
    for note, figure, crop in [*((*each, WHOLE) for each in whole), *((f.note, f.figure, f.crop) for f in findings())]:
        png = (root / f"results/{note}/{figure}.png").read_bytes()
        (site / _address(note, figure)).write_bytes(part(png, crop))


def _welcome(root: Path) -> str:
    formulas = _summary(root, "equations")
    claims = _summary(root, "ledger")
    published = {kind: sum(verdicts.values()) for kind, verdicts in claims.items() if kind != "computed"}
    facts = [
        (f"{len(notes())}", f"notes, {hours(sum(note.minutes for note in notes().values()))} to read"),
        (f"{sum(formulas.values())}", f"formulas of five lectures, {formulas['erratum']} of them wrong as printed"),
        (f"{sum(published.values())}", "published numbers set beside ours"),
        ("1", "command that runs every note again and compares all results, byte for byte"),
    ]
    items = "\n".join(f"<li><strong>{number}</strong> {escape(words)}</li>" for number, words in facts)
    return f"""\
<p class="welcome">Executable lecture notes on probabilistic classifiers. They derive naive Bayes, Gaussian discriminant
analysis and logistic regression in one notation, run each formula beside its code, and redo the experiments behind the
textbook advice. Much of it stands, and some of it does not.</p>
<p class="ways"><a class="way first" href="notes/{MAP}.html#section-1">Open the map</a>
<a class="way" href="notes/20-naive-bayes-by-hand.html">Start with five documents</a>
<a class="way" href="notes/{MAP}.html">Just tell me which classifier</a></p>
<ul class="facts">
{items}
</ul>"""


def _demo(root: Path, shown: Demo) -> str:
    """An interactive figure as an output of a cell: after its picture, the place of which it takes."""
    return f"""\
<p>{_bound(shown.sentence)} <a href="notes/{shown.note}.html">Note {shown.note[:2]}</a> shows why.</p>
<div class="cell_output demo"><div>{_image(root, shown.note, shown.figure)}</div>
<div class="text_html">{interactive(shown.interactive)}</div></div>"""


def _finding(root: Path, finding: Finding) -> str:
    note = notes()[finding.note]
    return f"""\
<li class="finding">{_image(root, finding.note, finding.figure, finding.crop)}
<h3><a href="notes/{finding.note}.html">{escape(finding.title)}</a></h3>
<p>{_bound(finding.sentence)}</p>
<p class="meta">Note {finding.note[:2]} · {escape(note.title)} · {note.minutes} minutes</p></li>"""


def _path(path: CoursePath) -> str:
    stages = "\n".join(
        f"<li>{escape(stage.title)}: {', '.join(_numbered(name) for name in stage.notes)}</li>" for stage in path.stages
    )
    return f"""\
<li class="path"><h3>{escape(path.title)}</h3>
<p class="meta">{len(path.notes)} notes · {hours(path.minutes)}</p>
<p>{escape(path.audience).replace("`fit`", "<code>fit</code>")}</p>
<p>{escape(path.outcome)}</p>
<details><summary>Which notes, in which order</summary><ul>
{stages}
</ul></details></li>"""


def _bound(sentence: str) -> str:
    """A sentence as HTML, each number together with its per cent sign."""
    return escape(typography.bound(sentence))


def _numbered(name: str) -> str:
    return f'<a href="notes/{name}.html">{name[:2]} {escape(notes()[name].title)}</a>'


def _map(root: Path) -> str:
    return f"""\
<p>Read from top to bottom, or follow a path: the dots on the right show which notes it visits. The
<a href="notes/{MAP}.html">first note</a> has the same map with the questions that the notes ask, all topics and the
notation.</p>
<div class="map scroll-x" data-label="Map"><div class="places">{_image(root, MAP, "map")}{_places()}</div></div>"""


def _places() -> str:
    """Links on the titles of the map."""
    links = []
    for name, place in figures.places().items():
        where = ";".join(
            f"{side}:{100 * share:.2f}%" for side, share in zip(("left", "top", "width", "height"), place, strict=True)
        )
        links.append(f'<a href="notes/{name}.html" style="{where}" aria-label="{escape(notes()[name].title)}"></a>')
    return "".join(links)


def _more(root: Path) -> str:
    """What there is beside the notes."""
    linked = ", ".join(f"[{sheets.title(root, name)}](site:sheets/{name})" for name in sheets.names(root))
    return _MORE + (f"\n\nTo print and keep: {linked}." if linked else "")


def _trees(root: Path, names: list[str]) -> list[str]:
    parts: dict[str, list[str]] = {}
    for name in names:
        parts.setdefault(notes()[name].part if name in notes() else "Start here", []).append(name)
    return [
        *(_tree(part, [_entry(name) for name in of_part]) for part, of_part in parts.items()),
        *([_tree("Sheets", [f"sheets/{name}" for name in sheets.names(root)])] if sheets.names(root) else []),
        _tree("Ledgers", ["ledgers/equations", "ledgers/published-numbers", "ledgers/claims"]),
        _tree("The package", ["architecture", "api/index", *(f"api/{name}" for name in PACKAGES), "benchmarks"]),
        _tree("Sources", ["data", "bibliography"]),
    ]


def _entry(name: str) -> str:
    """A note in the navigation, with the number by which other notes and the map call it."""
    return f"{name[:2]} {notes()[name].title} <notes/{name}>" if name in notes() else f"notes/{name}"


def _tree(caption: str, entries: list[str]) -> str:
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *entries, "```"])


def _list(name: str, items: list[str]) -> str:
    return f'<ul class="{name}">\n' + "\n".join(items) + "\n</ul>"


def _raw(html: str) -> str:
    return f"````{{raw}} html\n{html}\n````"


def _address(note: str, figure: str) -> str:
    return f"{FIGURES}/{note[:2]}-{figure}.png"


def _summary(root: Path, ledger: str) -> dict:
    path = root / f"results/{ledger}.json"
    if not path.is_file():
        raise SiteError(f"results/{ledger}.json is missing: bring it back with git checkout")
    return json.loads(path.read_text(encoding="utf-8"))["summary"]


def _image(root: Path, note: str, figure: str, crop: tuple[float, float, float, float] = WHOLE) -> str:
    """A figure of a note, or a part of it, with the alternative text that it has there."""
    path = root / f"results/{note}/{figure}.png"
    if not path.is_file():
        raise SiteError(
            f"front page: results/{note}/{figure}.png is missing. course/outline/findings.toml names it: execute the "
            "note, or choose another of its figures"
        )
    png = path.read_bytes()
    width, height = pixels(part(png, crop))
    said = ("" if crop == WHOLE else "Part of a figure: ") + _alternative_text(root, note, figure, png)
    alt = escape(said, quote=True)
    size = f'width="{width}" height="{height}"'
    return f'<img src="{_address(note, figure)}" alt="{alt}" {size}>'


def _alternative_text(root: Path, note: str, figure: str, png: bytes) -> str:
    """What a figure shows: the alternative text of the output of the executed note that holds the same picture."""
    for cell in read_notebook(root / f"results/{note}/notebook.ipynb").cells:
        for output in cell.get("outputs", []):
            shown = output.get("data", {}).get("image/png", "")
            if shown and base64.b64decode(shown) == png:
                return output["metadata"]["image/png"]["alt"]
    raise SiteError(f"front page: note {note} does not show its figure {figure}.png: execute it anew")
