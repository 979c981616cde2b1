"""What Sphinx does for this site beyond its own: folds, boxes that scroll, figures, addresses, links to the source."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge
from sphinx.writers.html5 import HTML5Translator

from course.site import docstrings, source, typography
from course.site.highlighting import Formatter
from course.site.images import pixels

_NUMBERED = re.compile(r"(\d+)\s")


class fold(nodes.Element):  # noqa: N801  nodes of docutils have names in lower case
    """Something that is closed until the reader opens it: `kind` for its looks, `title` for its summary."""


class scroll(nodes.Element):  # noqa: N801
    """A box that scrolls sideways, if what it holds is wide: `label` for those who cannot see it."""


class figure_box(nodes.Element):  # noqa: N801
    """A figure that leads to its file, full size. It scrolls on a narrow page, lest its lettering be too small."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register everything with Sphinx."""
    PygmentsBridge.html_formatter = Formatter
    app.add_config_value("project_root", None, "env", types=(str,))
    app.add_node(fold, html=(_open_fold, _close_fold))
    app.add_node(scroll, html=(_open_scroll, _close_scroll))
    app.add_node(figure_box, html=(_open_figure, _close_figure))
    app.connect("doctree-read", _read)
    app.connect("html-page-context", _with_maths, priority=400)  # before MathJax asks
    app.connect("html-page-context", _name_arrows, priority=900)  # after the theme
    app.connect("autodoc-process-docstring", docstrings.process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _read(app: Sphinx, document: nodes.document) -> None:
    docname = app.env.current_document.docname
    if docname.startswith("sheets/"):
        document.next_node(nodes.section)["classes"].append("sheet")
    _fold_marks(document)
    _fold_code(document)
    _fold_tables(document)
    _number_sections(document)
    _set_off_formulas(document)
    _resolve_addresses(document, docname, Path(app.config.project_root))
    _link_signatures(document, docname, Path(app.config.project_root))
    typography.bind(document)
    _box_what_is_wide(document)
    box_figures(document)


def _with_maths(_app: Sphinx, _page: str, _template: str, context: dict[str, object], _tree: object) -> None:
    """Formulas that came as HTML count, too."""
    if 'class="math ' in str(context.get("body", "")):
        context["has_maths_elements"] = True


def _name_arrows(_app: Sphinx, _page: str, _template: str, context: dict[str, object], _tree: object) -> None:
    """The arrows that open a part of the navigation are pictures alone: a name for those who do not see them."""
    sidebar = context.get("generate_toctree_html")

    def named(*arguments: object, **options: object) -> str:
        return str(sidebar(*arguments, **options)).replace("<summary><span", '<summary aria-label="Pages below"><span')

    if sidebar:
        context["generate_toctree_html"] = named


def _fold_marks(document: nodes.document) -> None:
    for mark in list(document.findall(nodes.comment)):
        command, _, rest = mark.astext().partition(" ")
        kind, _, title = rest.partition(" ")
        if command in ("fold", "fold-rest"):
            parent, at = mark.parent, mark.parent.index(mark)
            following = parent.children[at + 1 :]
            ends = (k for k, node in enumerate(following) if _is_mark(node, "unfold"))
            following = following[: next(ends, len(following))]
            box = fold(kind=kind, title=title)
            parent[at : at + 1 + len(following)] = [box]
            box += following
    for mark in list(document.findall(nodes.comment)):
        if _is_mark(mark, "unfold"):
            mark.parent.remove(mark)


def _is_mark(node: nodes.Node, command: str) -> bool:
    return isinstance(node, nodes.comment) and node.astext() == command


def _fold_code(document: nodes.document) -> None:
    for cell in list(_of_class(document, "tag_fold-input")):
        for code in list(_of_class(cell, "cell_input")):
            lines = len(code.astext().splitlines())
            box = fold(kind="code", title=f"Code, {lines} lines")
            code.parent.replace(code, box)
            box += code


def _fold_tables(document: nodes.document) -> None:
    for cell in list(_of_class(document, "tag_aside")):
        for table in list(cell.findall(nodes.table)):
            body = table.next_node(nodes.tbody)
            box = fold(kind="table", title=f"Table, {len(body)} rows")
            table.parent.replace(table, box)
            box += table


def _number_sections(document: nodes.document) -> None:
    """`section-3` as a second name of the section whose heading begins with 3, so that other pages can lead to it."""
    for section in document.findall(nodes.section):
        if found := _NUMBERED.match(section.next_node(nodes.title).astext()):
            name = f"section-{found[1]}"
            if name not in document.ids:
                section["ids"].append(name)
                document.ids[name] = section


def _set_off_formulas(document: nodes.document) -> None:
    for cell in _of_class(document, "tag_formula"):
        label = nodes.paragraph("", "The formula as code", classes=["formula-label"])
        cell.insert(0, label)


def _resolve_addresses(document: nodes.document, docname: str, root: Path) -> None:
    up = "../" * docname.count("/")
    for node in document.findall(nodes.reference):
        uri = node.get("refuri", "")
        scheme, _, rest = uri.partition(":")
        if scheme == "site":
            page = re.match(r"[^?#]*", rest)[0]
            node["refuri"] = f"{up}{page}.html{rest[len(page) :]}"
            node["internal"] = True
        elif scheme == "source":
            file, _, fragment = rest.partition("#")
            if address := source.address(root, file, fragment, node.astext()):
                node["refuri"] = up + address
                node["internal"] = True
                node["classes"].append("source-link")
            else:
                node.replace_self(node.children)


def _link_signatures(document: nodes.document, docname: str, root: Path) -> None:
    """The source of each class, function and method of the API, beside its signature."""
    for signature in document.findall(addnodes.desc_signature):
        name = signature.get("fullname")
        found = source.of_object(root, signature["module"], name) if name and signature.get("module") else None
        if found:
            uri = "../" * docname.count("/") + found
            link = nodes.reference("", "source", refuri=uri, internal=True, classes=["source-link", "of-signature"])
            signature += link


def _box_what_is_wide(document: nodes.document) -> None:
    """Tables, displayed formulas and printed output keep their lines, and scroll where the page is too narrow.

    Sentences do not: they are broken into lines, in tables and in what is printed.
    """
    for table in document.findall(nodes.table):
        typography.stack(table)
    wide = [("Table", each) for each in document.findall(nodes.table)]
    wide += [("Formula", each) for each in document.findall(nodes.math_block)]
    wide += [
        ("Output", block)
        for output in _of_class(document, "cell_output")
        for block in output.findall(nodes.literal_block)
    ]
    for label, node in wide:
        if label == "Output" and typography.is_prose(node.astext()):
            node["classes"].append("prose")
            continue
        box = scroll(label=label)
        node.parent.replace(node, box)
        box += node


def box_figures(document: nodes.document) -> None:
    """All figures of cells but those that make way for an interactive one."""
    for output in list(_of_class(document, "cell_output")):
        if any('class="probml-figure"' in each.astext() for each in output.findall(nodes.raw)):
            continue
        for image in list(output.findall(nodes.image)):
            if not isinstance(image.parent, figure_box):
                box = figure_box()
                image.parent.replace(image, box)
                box += image


def _of_class(node: nodes.Node, name: str) -> Iterator[nodes.Element]:
    return (each for each in node.findall(nodes.Element) if name in each.get("classes", ()))


def _open_fold(self: HTML5Translator, node: fold) -> None:
    title = self.encode(node["title"])
    self.body.append(f'<details class="fold fold-{node["kind"]}"><summary>{title}</summary>\n<div class="fold-body">\n')


def _close_fold(self: HTML5Translator, _: fold) -> None:
    self.body.append("</div></details>\n")


def _open_scroll(self: HTML5Translator, node: scroll) -> None:
    self.body.append(f'<div class="scroll-x" data-label="{self.attval(node["label"])}">\n')


def _close_scroll(self: HTML5Translator, _: scroll) -> None:
    self.body.append("</div>\n")


def _open_figure(self: HTML5Translator, node: figure_box) -> None:
    uri = node[0]["uri"]
    file = self.builder.images.get(uri)
    address = posixpath.join(self.builder.imgpath, quote(file)) if file else uri
    width, _ = pixels((Path(self.builder.srcdir) / uri).read_bytes())
    self.body.append(
        f'<div class="scroll-x figure-box" data-label="Figure" style="--natural: {width}">'
        f'<a href="{self.attval(address)}" title="Open at full size">'
    )


def _close_figure(self: HTML5Translator, _: figure_box) -> None:
    self.body.append("</a></div>\n")
