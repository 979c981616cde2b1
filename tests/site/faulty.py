"""A small site with a fault on each page but one, to see that every check can fail."""

import subprocess
import sys
from pathlib import Path

from files import Site
from nbformat import v4, write

CONFIGURATION = """
project = "Faults"
extensions = ["myst_parser", "sphinx-mathjax-offline"]
myst_enable_extensions = ["dollarmath"]
html_theme = "sphinx_book_theme"
html_theme_options = {"navbar_persistent": [], "use_download_button": False}
html_context = {"default_mode": "auto"}
html_static_path = ["dot.png"]
html_copy_source = False
html_show_search_summary = False
suppress_warnings = ["toc.not_included", "myst.header"]
"""
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cfc000000301"
    "0100c9fe92ef0000000049454e44ae426082"
)
SOUND = """
Bayes' rule, $p(y \\mid x) \\propto p(x \\mid y)\\, p(y)$, in a sentence, and in a display:

$$p(y \\mid x) = \\frac{p(x \\mid y)\\, p(y)}{p(x)}.$$

<p><img src="_static/dot.png" alt="A dot." width="20" height="20"></p>
<details><summary>Solution 1</summary><p>One half.</p></details>
<div class="scroll-x" tabindex="0" role="group" aria-label="Wide table" style="overflow-x: auto">
<table style="min-width: 3000px"><tr><td>A wide table, marked as one that scrolls.</td></tr></table></div>

[The same page](#sound), [another](contrast.md).
"""
# Of each page: what it holds, and the faults to be found there, by their kind and a part of their place.
FAULTS = {
    "sound": (SOUND, {}),
    "console-error": ('<script>console.error("out of ink")</script>', {"console error": "out of ink"}),
    "page-error": ('<script>throw new Error("no paper")</script>', {"page error": "no paper"}),
    "outside-request": (
        '<script>new Image().src = "https://example.org/pixel.gif"</script>',
        {"outside request": "https://example.org/pixel.gif"},
    ),
    "outside-reference": (
        '<link rel="preconnect" href="https://example.org">',
        {"outside reference": "https://example.org"},
    ),
    "missing-script": (
        '<script src="_static/missing.js"></script>',
        {"broken link": "_static/missing.js", "failed request": "missing.js"},
    ),
    "maths-error": ("$\\left( x$", {"maths error": "missing \\right"}),
    "undefined-macro": ("$\\argmax x$", {"maths error": "\\argmax"}),
    "untypeset-maths": ('<p class="tex2jax_ignore">\\(x^2\\)</p>', {"maths not typeset": "x^2"}),
    "raw-markdown": ("<p>| a | b |<br>|:---|---:|</p>", {"raw Markdown": "a | b"}),
    "raw-citation": ("<p>As [@ng2002] have it.</p>", {"raw Markdown": "[@ng2002]"}),
    "broken-image": (
        '<p><img src="_static/missing.png" alt="Nothing."></p>',
        {"broken link": "missing.png", "failed request": "missing.png", "broken image": "Nothing."},
    ),
    "image-without-text": (
        '<p><img src="_static/dot.png" alt="" width="20" height="20"></p>',
        {"no alternative text": "p > img"},
    ),
    "unfolded": (
        "<details open><summary>Solution 1</summary><p>One half.</p></details>",
        {"unfolded at load": "Solution 1"},
    ),
    "fold-without-title": (
        "<details><p>One half.</p></details>",
        {"fold without a title": "One half"},
    ),
    "mouse-only": (
        '<details><summary onkeydown="event.preventDefault()">Solution 1</summary><p>One half.</p></details>',
        {"does not open by keyboard": "Solution 1"},
    ),
    "wide-page": (
        '<div style="width: 3000px; height: 9px"></div>',
        {"sideways at 1400 px": "juts out", "sideways at 390 px": "juts out"},
    ),
    "wide-in-a-fold": (
        '<details><summary>Solution 1</summary><div style="width: 3000px">wide</div></details>',
        {"sideways at 1400 px": "wide", "sideways at 390 px": "wide"},
    ),
    "wide-for-a-phone": ('<div style="width: 600px">wide</div>', {"sideways at 390 px": "wide"}),
    "scrolls-unmarked": (
        '<div tabindex="0" style="width: 300px; overflow-x: auto"><div style="width: 400px">wide</div></div>',
        {"sideways at 1400 px": "scrolls, 400 in 300", "sideways at 390 px": "scrolls, 400 in 300"},
    ),
    "wide-formula": (
        f"$${' + '.join(['x^2'] * 40)}$$",
        {"sideways at 1400 px": "mjx-container", "sideways at 390 px": "mjx-container"},
    ),
    "cut-off": (
        '<div style="width: 300px; overflow: hidden"><div style="width: 400px">wide</div></div>',
        {"sideways at 1400 px": "is cut off, 400 in 300", "sideways at 390 px": "is cut off, 400 in 300"},
    ),
    "contrast": ('<p style="color: #bbb">pale</p>', {"accessibility, light": "color-contrast: #contrast"}),
    "contrast-in-the-dark": ('<p style="color: #333">black</p>', {"accessibility, dark": "color-contrast: #contrast"}),
    "contrast-in-a-fold": (
        '<details><summary>Solution 1</summary><p style="color: #bbb">pale</p></details>',
        {"accessibility, light": "color-contrast: details > p"},
    ),
    "not-dark": (
        "<style>body { background: white !important }</style>",
        {"not dark": "rgb(255, 255, 255)", "accessibility, dark": "color-contrast: #not-dark > h1"},
    ),
    "broken-link": ('<p><a href="nowhere.html">there</a></p>', {"broken link": "nowhere.html"}),
    "broken-anchor": ('<p><a href="sound.html#nowhere">there</a></p>', {"broken anchor": "sound.html#nowhere"}),
    "out-of-the-site": ('<p><a href="../README.md">there</a></p>', {"link out of the site": "../README.md"}),
    "folder": ('<p><a href="_static/">there</a></p>', {"broken link": "_static/"}),
    "repeated-anchor": ('<p id="twice">a</p><p id="twice">b</p>', {"repeated anchor": "twice"}),
}
# An interactive figure with a point on a line, a slider and a text field, in the form that those of the course have.
# %s is where faults are put in.
FIGURE = """
<div class="cell_output"><p><img src="_static/dot.png" alt="A point on a line." width="20" height="20"></p>
<div class="probml-figure" data-figure="point"></div></div>
<p>Move the point, the slider and the word.</p>
<script>
const host = document.querySelector(".probml-figure");
host.innerHTML = `
  <svg width="200" height="40" role="group" aria-label="Line">
    <circle role="slider" tabindex="0" aria-label="Point" aria-valuenow="0" cx="100" cy="20" r="12"></circle></svg>
  <label>Width <input type="range" min="0" max="10" value="5"></label>
  <label>Word <input type="text" value=""></label>
  <button type="button">Again</button>
  <p role="status"></p>`;
const parts = ["circle", "[type=range]", "[type=text]", "[role=status]"];
const [point, range, field, status] = parts.map((part) => host.querySelector(part));
let at = 100, held = false;
point.style.touchAction = "none";
const draw = () => {
  point.setAttribute("cx", at);
  status.textContent = `point at ${at}, width ${range.value}, word ${field.value}`;
};
point.onkeydown = (event) => { at += { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0; draw(); };
point.onpointerdown = (event) => { held = true; point.setPointerCapture(event.pointerId); };
point.onpointermove = (event) => { if (held) { at = event.offsetX; draw(); } };
point.onpointerup = () => (held = false);
range.oninput = field.oninput = draw;
document.querySelector("img").parentElement.hidden = true;
draw();
%s
</script>
"""
DEAF = """point.addEventListener("pointerdown", (event) => { held &&= event.pointerType !== "%s"; })"""
# Of each page with a figure: what is done to it, and what the tests find then.
FIGURE_FAULTS = {
    "figure": ("", {}),
    "figure-unmounted": ("host.replaceChildren()", {"figure not mounted": "point"}),
    "figure-speechless": (
        "status.remove()",
        {
            "figure without text of its state": "point",
            "figure does not follow arrow keys": "point: Point",
            "figure does not follow mouse": "point: Point",
            "figure does not follow touch": "point: Point",
            "figure does not follow typed text": "point: field 1",
        },
    ),
    "figure-beside-its-picture": (
        'document.querySelector("img").parentElement.hidden = false',
        {"picture shown beside its figure": "A point on a line."},
    ),
    "figure-without-handles": ("point.remove(); range.remove()", {"figure without handles": "point"}),
    "figure-without-keys": ("point.onkeydown = null", {"figure does not follow arrow keys": "point: Point"}),
    "figure-without-mouse": (DEAF % "mouse", {"figure does not follow mouse": "point: Point"}),
    "figure-without-touch": (DEAF % "touch", {"figure does not follow touch": "point: Point"}),
    "figure-with-an-error": (
        'host.querySelector("button").onclick = () => { throw new Error("not again") }',
        {"page error": "not again"},
    ),
}
# Of each page that is read without scripts: what it holds, and what is found.
SCRIPTLESS_FAULTS = {
    "text-by-script": ('<script>document.write("words")</script>', {"without scripts": "words are shown"}),
    "picture-by-script": (
        '<p style="display: none"><img src="_static/dot.png" alt="A dot." width="20" height="20"></p>'
        "<p>A picture that only a script shows, and words enough to be a page.</p>",
        {"without scripts, picture not shown": "A dot."},
    ),
}
LOST = {"alternative text lost": "A curve.", "not folded": "Solution 2"}


def build(folder: Path) -> Site:
    """Build the pages above by Sphinx; beside them `note.html`, which has lost what its note holds."""
    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text(CONFIGURATION, encoding="utf-8")
    (source / "dot.png").write_bytes(DOT)
    pages = {name: text for name, (text, _) in {**FAULTS, **SCRIPTLESS_FAULTS}.items()}
    pages |= {name: FIGURE % change for name, (change, _) in FIGURE_FAULTS.items()}
    pages["note"] = "<details><summary>Solution 1</summary><p>One half.</p></details>\n\n**Solution 2.** A third."
    pages["index"] = "A site.\n\n```{toctree}\n" + "\n".join(pages) + "\n```"
    for name, text in pages.items():
        (source / f"{name}.md").write_text(f"({name})=\n# {name.capitalize()}\n\n{text}\n", encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", str(source), str(folder / "site")]
    subprocess.run(command, check=True)
    return Site(folder / "site")


def note(folder: Path) -> Path:
    """An executed note, whose page is `note.html`."""
    output = v4.new_output("display_data", {"image/png": ""}, metadata={"image/png": {"alt": "A curve."}})
    cells = [
        v4.new_code_cell("figure", outputs=[output]),
        v4.new_markdown_cell("**Solution 1.** One half."),
        v4.new_markdown_cell("#### Solution 2\n\nA third."),
    ]
    write(v4.new_notebook(cells=cells), folder / "note.ipynb")
    return folder / "note.ipynb"
