"""A citation leads to the work that it names, and what is wrong in note or bibliography is named with its place.

Without this, readers could be sent to a wrong work, or a mistake could be written into half of the notes.
"""

import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course.__main__ import main
from course.bibliography import FILE, KEY, cite, works
from course.errors import CitationError
from course.form.cite import with_citations

ROOT = Path(__file__).parents[2]
NG = '[Ng & Jordan (2002)](https://proceedings.neurips.cc/paper/2001/hash/7b7a53e239400a13bd6be6c91c4f6c4e-Abstract.html "ng2002: On discriminative vs. generative classifiers: A comparison of logistic regression and naive Bayes")'  # noqa: E501


@pytest.mark.parametrize("work", works().values(), ids=lambda work: work.key)
def test_a_work_has_all_that_a_citation_needs(work):
    assert work.authors
    assert work.title.strip()
    assert re.fullmatch(r"\d{4}", work.year)
    assert re.search(r"\d{4}", work.key)[0] == work.year
    assert work.link.startswith("https://")
    assert work.venue
    assert cite(work.citation, works()) == (work.citation, [])


def test_links_and_citations_are_told_apart():
    assert len({work.link for work in works().values()}) == len(works())
    assert len({work.label for work in works().values()}) == len(works())


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb")))
def test_citations_of_a_note_are_those_of_the_bibliography(name):
    notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    before = [cell.source for cell in notebook.cells]
    assert with_citations(notebook, name) == []
    changed = [number for number, cell in enumerate(notebook.cells, start=1) if cell.source != before[number - 1]]
    assert changed == [], f"run: python -m course cite notebooks/{name}.ipynb"


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("cox1958", "Cox (1958)"),
        ("ng2002", "Ng & Jordan (2002)"),
        ("robertson1976", "Robertson & Spärck Jones (1976)"),
        ("rennie2003", "Rennie et al. (2003)"),
    ],
)
def test_label(key, label):
    assert works()[key].label == label


def test_a_reference():
    assert works()["cortes1995"].reference == (
        "Corinna Cortes & Vladimir Vapnik (1995). [Support-vector networks](https://doi.org/10.1007/BF00994018). "
        "*Machine Learning*, 20, 273–297."
    )


def test_citations_are_written_once():
    text = 'As [@ng2002] show, and [@ng2002] again; see [note 20](../20-naive-bayes-by-hand/notebook.ipynb "a: b").'
    once, problems = cite(text, works())
    assert problems == []
    assert once == text.replace("[@ng2002]", NG)
    assert cite(once, works()) == (once, [])


def test_a_citation_follows_the_bibliography():
    old = '[Ng and Jordan, 2001](http://old.example/a "ng2002: An earlier title")'
    assert cite(f"({old})", works()) == (f"({NG})", [])


def test_an_address_with_brackets_can_stand_in_markdown():
    assert works()["deerwester1990"].link == (
        "https://doi.org/10.1002/%28SICI%291097-4571%28199009%2941:6%3C391::AID-ASI1%3E3.0.CO;2-9"
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[@ng2003]", "'ng2003' is no key of the bibliography: did you mean ng2002?"),
        ("[@qxz3456]", "'qxz3456' is no key of the bibliography: add it to bibliography.bib"),
        ('[N. (1900)](https://a.example "nobody1900: T")', "'nobody1900' is no key of the bibliography"),
        ("[@ng2002, p. 3] said", "'[@ng2002, p. 3] said' is no citation: write [@key]"),
        ("[@ng2002; @cox1958]", "'[@ng2002; @cox1958]' is no citation"),
        ("[@ng2002", "'[@ng2002' is no citation"),
        ("[@]", "'[@]' is no citation"),
        ("[@Ng2002]", "'[@Ng2002]' is no citation"),
        ("[@ ng2002]", "'[@ ng2002]' is no citation"),
    ],
)
def test_what_is_no_citation(text, problem):
    found, (said,) = cite(text, works())
    assert found == text
    assert said.startswith(problem)


# --- the command ---


def write(folder, name, *cells):
    nbformat.write(new_notebook(cells=list(cells)), folder / f"{name}.ipynb")


def test_the_command_writes_notes_in_place(tmp_path, capsys):
    write(tmp_path, "a", new_markdown_cell("[@ng2002]", id="a"), new_code_cell('"[@ng2002]"', id="b"))
    write(tmp_path, "b", new_markdown_cell("nothing"))
    arguments = ["cite", str(tmp_path / "a.ipynb"), str(tmp_path / "b.ipynb")]
    assert main(arguments) == 0
    assert capsys.readouterr().err == "a: citations written\n"
    found = nbformat.read(tmp_path / "a.ipynb", as_version=4)
    assert [cell.source for cell in found.cells] == [NG, '"[@ng2002]"']
    assert main(arguments) == 0
    assert capsys.readouterr().err == ""


def test_a_broken_citation_is_named_with_its_place_and_nothing_is_written(tmp_path, capsys):
    write(tmp_path, "a", new_markdown_cell("[@ng2002]"))
    write(tmp_path, "b", new_markdown_cell("fine"), new_markdown_cell("[@ng2003] and [@ng2002"))
    before = (tmp_path / "a.ipynb").read_bytes()
    assert main(["cite", str(tmp_path / "a.ipynb"), str(tmp_path / "b.ipynb")]) == 1
    assert capsys.readouterr().err == (
        "error: b, cell 2: 'ng2003' is no key of the bibliography: did you mean ng2002?\n"
        "b, cell 2: '[@ng2002' is no citation: write [@key], one key in each pair of brackets\n"
    )
    assert (tmp_path / "a.ipynb").read_bytes() == before


# --- a bibliography that cannot be read ---

FIELDS = {"author": "{A. Author}", "title": "{T}", "year": "2001", "doi": "{10.1/2}"}


def entry(key="author2001", **changes):
    fields = {**FIELDS, **changes}
    return f"@article{{{key},\n" + ",\n".join(f"  {name} = {text}" for name, text in fields.items() if text) + "\n}\n"


def test_an_entry(tmp_path):
    file = tmp_path / "works.bib"
    file.write_text(entry(author='{de la Author, A. and {\\"O}zg{\\"u}r, B.}', title="{On ``naive'' {B}ayes \"here\"}"))
    (work,) = works(file).values()
    assert work.label == "de la Author & Özgür (2001)"
    assert work.citation.endswith("(https://doi.org/10.1/2 \"author2001: On “naive” Bayes 'here'\")")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("@article{author2001, title = {T}", "cannot be read: syntax error in line 1: premature end of file"),
        (entry() + entry(), "cannot be read: repeated bibliography entry: author2001"),
        (entry(author=""), "author2001 has no author"),
        (entry(title="", year=""), "author2001 has no title and no year"),
        (entry(doi=""), "author2001 has no doi or url"),
        (entry(key="Author-A"), "Author-A is no key"),
        (entry(doi="", url="{https://a.example/b(c)}"), "'https://a.example/b(c)' of author2001 is no address"),
        (entry(doi="", url="{ftp://a.example}"), "'ftp://a.example' of author2001 is no address"),
    ],
)
def test_a_bibliography_that_is_not_whole(tmp_path, text, problem):
    file = tmp_path / "works.bib"
    file.write_text(text)
    with pytest.raises(CitationError, match=re.escape(f"works.bib{': ' if 'read' not in problem else ' '}{problem}")):
        works(file)


def test_a_bibliography_that_is_missing(tmp_path):
    with pytest.raises(CitationError, match=r"works\.bib cannot be read"):
        works(tmp_path / "works.bib")


def test_keys_of_the_file_are_in_its_order():
    written = re.findall(rf"^@\w+\{{({KEY}),$", FILE.read_text(encoding="utf-8"), re.MULTILINE)
    assert written == list(works())
