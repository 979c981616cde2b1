"""Write the pages that Sphinx reads, into a folder of their own."""

import json
import shutil
from pathlib import Path

from nbformat import NotebookNode

from course.data import cards
from course.notebook.read import read_notebook
from course.outline import notes
from course.site import api, benchmarks, bibliography, claims, code_links, drawings, front, ledgers, links, sheets
from course.site import notes as note_pages
from course.site.errors import SiteError

PAGES = "course/site/pages"  # pages of the site alone, in Markdown


def stage(root: Path, folder: Path, *, only: tuple[str, ...] = (), student: bool = False) -> list[str]:
    """Write all pages into `folder`. only : names of notes, for a site of some. Returns the names of the notes."""
    shutil.rmtree(folder, ignore_errors=True)
    names = [name for name in note_names(root) if not only or name in only]
    of_sheets = {name: f"sheets/{name}" for name in sheets.names(root)}
    pages = {f"notes/{name}" for name in note_names(root)} | set(links.PAGES.values()) | set(of_sheets.values())
    context = note_pages.Context(root, pages, student, ledgers.entries(root))
    texts = {
        "ledgers/equations.md": ledgers.equations(root),
        "ledgers/published-numbers.md": ledgers.published_numbers(root),
        "ledgers/claims.md": _rewritten(claims.page(root), "results/claims/page", root, pages),
        "data.md": _rewritten(cards.page(), "data/README.md", root, pages),
        "benchmarks.md": benchmarks.page(_rewritten(_text(root / benchmarks.PAGE), benchmarks.PAGE, root, pages)),
    }
    for path in (root / PAGES).glob("*.md"):
        texts[path.name] = drawings.drawn(_rewritten(_text(path), f"{PAGES}/{path.name}", root, pages))
    texts |= {f"{path}.md": sheets.page(root, name, pages) for name, path in of_sheets.items()}
    executed = {name: _executed(root, name) for name in names}
    texts |= api.pages(root, code_links.notes_using(executed, root))
    for name, notebook in executed.items():
        texts[f"notes/{name}.ipynb"] = json.dumps(note_pages.page(name, notebook, context), ensure_ascii=False)
    texts["index.md"] = front.page(root, names)
    texts["bibliography.md"] = bibliography.page({name: _markdown(each) for name, each in executed.items()})
    benchmarks.copy_figure(root, folder)
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return names


def note_names(root: Path) -> list[str]:
    """All notes in their order: the map, and what the outline lists."""
    maps = [path.stem for path in sorted((root / "notebooks").glob("*.ipynb")) if path.stem not in notes()]
    return [*maps, *notes()]


def downloads(root: Path, names: list[str], folder: Path, *, student: bool) -> None:
    """The executed notebooks, beside the pages that are made of them."""
    for name in names:
        target = folder / f"notes/{name}.ipynb"
        if student:
            notebook = note_pages.without_solutions(_executed(root, name))
            target.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        else:
            shutil.copyfile(root / f"results/{name}/notebook.ipynb", target)


def _executed(root: Path, name: str) -> NotebookNode:
    path = root / f"results/{name}/notebook.ipynb"
    if not path.is_file():
        raise SiteError(
            f"note {name}: results/{name}/notebook.ipynb is missing. Execute it by `python -m course run {name}`, or "
            "bring it back with git checkout"
        )
    return read_notebook(path)


def _markdown(notebook: NotebookNode) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def _text(path: Path) -> str:
    if not path.is_file():
        raise SiteError(f"{path.name} of the folder {path.parent.name} is missing: bring it back with git checkout")
    return path.read_text(encoding="utf-8")


def _rewritten(text: str, file: str, root: Path, pages: set[str]) -> str:
    def report(problem: str) -> None:
        raise SiteError(f"{file}: {problem}")

    return links.rewrite(text, file.rpartition("/")[0], root, pages, report)
