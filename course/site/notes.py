"""A note as the page that Sphinx reads: an executed notebook, with its parts marked for the extension.

Marks are comments of MyST, which no reader sees: `% fold KIND TITLE` and `% unfold` around cells, and `% fold-rest KIND
TITLE` for all that follows in a section, up to `% unfold` if there is one.
"""

import copy
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from urllib.parse import quote

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from course.bibliography import cite, works
from course.outline import notes
from course.outline.card import NOTHING
from course.outline.layout import APPENDICES
from course.site import cells, code_links, links, source
from course.site.errors import SiteError

_SUMMARIES = {
    "Published numbers": "Published numbers, beside what we find",
    "Checks": "Checks of what this note says, sentence by sentence",
}
_SILENT_IMAGE = re.compile(r"!\[\s*\]\(([^)\s]*)")
_GAP = re.compile(r"\n{3,}")  # in a short cell one empty line is enough
_TITLE = re.compile(r"# (.+)\n*")


@dataclass(frozen=True)
class Context:
    """What a page of a note needs to know of the rest.

    root : the project
    pages : names of all pages
    student : whether solutions are left out
    entries : of each note, how many entries each ledger has
    """

    root: Path
    pages: set[str]
    student: bool = False
    entries: Mapping[str, Mapping[tuple[str, str], int]] = field(default_factory=dict)


def page(name: str, notebook: NotebookNode, context: Context) -> NotebookNode:
    """The notebook that stands for the note `name` on the site."""
    found = _Page(name, notebook, context)
    found.check_figures()
    return found.notebook()


def without_solutions(notebook: NotebookNode) -> NotebookNode:
    """The notebook of the student edition: the same without its solutions."""
    kept = copy.deepcopy(notebook)
    kept.cells = [cell for cell, part in _parts(kept.cells) if part is None and not cells.tells_solution(cell)]
    return kept


def _parts(all_cells: list[NotebookNode]) -> list[tuple[NotebookNode, str | None]]:
    """Each cell with the title of the solution that it is part of, if it is."""
    result, title = [], None
    for cell in chain.from_iterable(map(cells.pieces, all_cells)):
        if begun := cells.solution(cell):
            title = begun[0]
        elif "solution" not in cells.tags(cell) and (cells.in_new_form(all_cells) or cells.ends_solution(cell)):
            title = None
        result.append((cell, title))
    return result


class _Page:
    def __init__(self, name: str, notebook: NotebookNode, context: Context) -> None:
        self.name, self.context = name, context
        self.source = copy.deepcopy(notebook)
        self.new_form = cells.in_new_form(notebook.cells)
        self.sources = code_links.addresses(notebook, context.root)
        for number, cell in enumerate(self.source.cells, 1):
            cell["number"] = number

    def notebook(self) -> NotebookNode:
        """All cells, with marks."""
        result = self.source
        parameters = next((cell for cell in result.cells if "parameters" in cells.tags(cell)), None)
        out: list[NotebookNode] = []
        open_fold: str | None = None  # "set-up" or the title of a solution
        for cell, solution in _parts(result.cells):
            if cells.is_navigation(cell):
                continue
            if "injected-parameters" in cells.tags(cell) and parameters and cells.repeats(cell, parameters):
                continue
            if self.context.student and (solution or cells.tells_solution(cell)):
                continue
            wanted = solution or ("set-up" if cells.is_setup(cell, new_form=self.new_form) else None)
            if wanted != open_fold:
                out += [_mark("unfold")] if open_fold else []
                if wanted:
                    kind, title = ("solution", wanted) if solution else ("setup", "Set-up: parameters and imports")
                    out.append(_mark(f"fold {kind} {title}"))
                open_fold = wanted
            out += self._shown(cell, in_fold=bool(wanted))
        out += [_mark("unfold")] if open_fold else []
        out += [_mark("unfold"), new_markdown_cell(foot)] if (foot := self._foot()) else []
        result.cells = out
        for position, cell in enumerate(result.cells):
            cell.pop("number", None)
            cell["id"] = f"cell-{position}"
        result.metadata["mystnb"] = {"execution_mode": "off"}
        return result

    def _shown(self, cell: NotebookNode, *, in_fold: bool) -> list[NotebookNode]:
        if cell.cell_type == "markdown":
            if in_fold or not (side_note := cells.aside(cell)):
                return [self._markdown(cell)]
            title, cell.source = side_note
            return [_mark(f"fold aside {title}"), self._markdown(cell), _mark("unfold")]
        if cell.cell_type != "code" or not (cell.source.strip() or cell.outputs):
            return []
        self._link_outputs(cell)
        cell.source = _GAP.sub("\n\n", cell.source)
        if not in_fold and not self.new_form and cells.is_only_checks(cell) and not cell.outputs:
            return [_mark("fold checks What the text says, as assertions"), cell, _mark("unfold")]
        if not in_fold and not self.new_form and cells.is_only_claims(cell):
            return [_mark("fold claims Published numbers beside ours"), cell, _mark("unfold")]
        if cells.is_long(cell, new_form=self.new_form) and not in_fold:
            cell.metadata["tags"] = [*cells.tags(cell), "fold-input"]
        if made_by := cells.call(cell):
            cell.metadata["tags"] = [*cells.tags(cell), "remove-input"]
            return [*_one_image_a_cell(cell), new_markdown_cell(self._caption(cell, made_by))]
        return _one_image_a_cell(cell)

    def _caption(self, cell: NotebookNode, made_by: str) -> str:
        """The call of a figure or table, small below it, with a link to its code."""
        module, _, function = made_by.partition(".")
        call = " ".join(cell.source.split())
        study = self.name.partition("-")[2].replace("-", "_")
        folder = "course/interactive" if module == "pictures" else f"course/studies/{study}"
        path = f"{folder}/{module}.py"
        code = f"`{call}`"
        if path in source.files(self.context.root):
            line = source.definitions(self.context.root, path).get(function)
            code = f"[{code}](source:{path}{f'#L{line}' if line else ''})"
        return f"{{.figure-source}}\n{code}"

    def _markdown(self, cell: NotebookNode) -> NotebookNode:
        text, problems = cite(cell.source, works())
        if problems:
            self._at(cell)(problems[0])
        text = links.rewrite(text, f"results/{self.name}", self.context.root, self.context.pages, self._at(cell))
        text = code_links.linked(text, self.sources)
        if cells.solution(cell):
            text = cells.solution(new_markdown_cell(text))[1]
        if "card" in cells.tags(cell):
            text = f"{{.note-card}}\n{text.lstrip()}"
        if cell["number"] == 1:
            text = self._head(cells.without_contents(text))
        for title in APPENDICES:
            mark = f"% fold-rest {_kind(title)} {_SUMMARIES[title]}"
            text = re.sub(rf"^(##+ (?:\d+ )?{title})[ ]*$", rf"\1\n\n{mark}\n", text, flags=re.MULTILINE)
        cell.source = text
        return cell

    def _head(self, text: str) -> str:
        """The title, and below it what belongs to the note: its number, part, minutes, the notebook to download."""
        if not (found := _TITLE.match(text)):
            raise SiteError(f"note {self.name}, cell 1: expected a title, '# ...', found {text[:40]!r}")
        note = notes().get(self.name)
        items = [f"Note {self.name.partition('-')[0]}", *([note.part] if note else [])]
        items.append(f'<a class="download" href="{self.name}.ipynb" download>Download the notebook</a>')
        head = f'{found[0].rstrip()}\n\n<p class="note-head">{" · ".join(items)}</p>'
        return f"{head}{self._card()}\n\n{text[found.end() :]}"

    def _card(self) -> str:
        """What a note in the new form says itself: what it needs, how long it takes."""
        note = notes().get(self.name)
        if self.new_form or not note:
            return ""
        needs = ", ".join(f"[{notes()[name].title}](site:notes/{name})" for name in note.needs) or NOTHING
        lines = [f"**You need** {needs}", f"**Reading time** {note.minutes} minutes", f"**Level** {note.level}"]
        return f"\n\n{{.question}}\n{note.question}\n\n{{.note-card}}\n" + "  \n".join(lines)

    def _foot(self) -> str:
        """Where the note is in the code and in the ledgers."""
        lines = []
        if self.sources:
            names = ", ".join(f"[`{name}`]({address})" for name, address in self.sources.items())
            lines.append(f"**In the code** {names}")
        title = notes()[self.name].title if self.name in notes() else ""
        counts = self.context.entries.get(self.name, {})
        found = [
            f"[{count} {what}](site:{page}?note={quote(title)})" for (page, what), count in counts.items() if count
        ]
        lines += [f"**In the ledgers** {' and '.join(found)}"] if found else []
        return "{.note-foot}\n" + "  \n".join(lines) if lines else ""

    def _link_outputs(self, cell: NotebookNode) -> None:
        for output in cell.outputs:
            data = output.get("data", {})
            if "text/markdown" in data:
                text, folder = data["text/markdown"], f"results/{self.name}"
                data["text/markdown"] = links.rewrite(
                    text, folder, self.context.root, self.context.pages, self._at(cell)
                )

    def check_figures(self) -> None:
        """Every figure must say what it shows."""
        for cell in self.source.cells:
            if cell.cell_type == "markdown" and (found := _SILENT_IMAGE.search(cell.source)):
                self._at(cell)(f"the image {found[1]} has no alternative text: write it between the brackets")
            for output in cell.get("outputs", []):
                alt = output.get("metadata", {}).get("image/png", {}).get("alt", "")
                if "image/png" in output.get("data", {}) and not alt.strip():
                    raise SiteError(
                        f"note {self.name}, cell {cell['number']}: a figure has no alternative text. Give "
                        "record.figure its alt: what it shows to those who cannot see it"
                    )

    def _at(self, cell: NotebookNode) -> Callable[[str], None]:
        def report(problem: str) -> None:
            raise SiteError(f"note {self.name}, cell {cell['number']}: {problem}")

        return report


def _one_image_a_cell(cell: NotebookNode) -> list[NotebookNode]:
    """Cells with one image each: the alternative text of an image is taken from its cell."""
    images = [k for k, output in enumerate(cell.outputs) if "image/png" in output.get("data", {})]
    starts = [0, *images[1:], len(cell.outputs)]
    result = []
    for k, (begin, end) in enumerate(pairwise(starts)):
        part = copy.deepcopy(cell)
        part.outputs = part.outputs[begin:end]
        if k:
            part.metadata["tags"] = [*cells.tags(part), "remove-input"]
        for output in part.outputs:
            if alt := output.get("metadata", {}).get("image/png", {}).get("alt"):
                part.metadata["mystnb"] = {"image": {"alt": alt}}
        result.append(part)
    return result


def _kind(title: str) -> str:
    return title.lower().replace(" ", "-")


def _mark(text: str) -> NotebookNode:
    return new_markdown_cell(f"% {text}")
