"""What the site makes of the cells of a note, before Sphinx sees them."""

import re
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course.errors import CitationError
from course.site import cells, docstrings, links
from course.site.errors import SiteError
from course.site.notes import Context, page, without_solutions

ROOT = Path(__file__).parents[2]
NAME = "20-naive-bayes-by-hand"
PAGES = {f"notes/{NAME}", "notes/12-discrete-distributions", "ledgers/equations", "ledgers/published-numbers", "data"}


def code(source: str, *tags: str, outputs: tuple = ()) -> NotebookNode:
    cell = new_code_cell(source, outputs=list(outputs))
    cell.metadata["tags"] = list(tags)
    return cell


def text(source: str, *tags: str) -> NotebookNode:
    cell = new_markdown_cell(source)
    cell.metadata["tags"] = list(tags)
    return cell


def picture(alt: str) -> NotebookNode:
    metadata = {"image/png": {"alt": alt, "width": 720}} if alt else {}
    return new_output("display_data", data={"image/png": "aGk=", "text/plain": "<Image>"}, metadata=metadata)


def note(*parts: NotebookNode) -> NotebookNode:
    return new_notebook(cells=[text("# Title\n\nThe answer."), *parts])


def staged(*parts: NotebookNode, student: bool = False) -> list[NotebookNode]:
    return page(NAME, note(*parts), Context(ROOT, PAGES, student)).cells


def marks(found: list[NotebookNode]) -> list[str]:
    """The marks of a page, with the first line of every other cell."""
    return [cell.source.splitlines()[0] if cell.source else "" for cell in found][1:]


NEW_FORM = (
    code("alpha = 1.0  # of smoothing", "parameters"),
    code("import numpy as np", "setup"),
    text("## 1 A section"),
    code("x = 1", "formula"),
    text("## Exercises\n\n1. Why?"),
    text("#### Solution 1\n\nBecause.", "solution"),
    code("1 + 1", "solution"),
    text("#### Solution 2\n\nSo.", "solution"),
    text("## Further reading"),
    text("## Published numbers\n\nNone."),
    text("## Checks"),
    code("record.check('It is so.', True)"),
)


def test_the_parts_of_a_note_in_the_new_form():
    assert marks(staged(*NEW_FORM)) == [
        "% fold setup Set-up: parameters and imports",
        "alpha = 1.0  # of smoothing",
        "import numpy as np",
        "% unfold",
        "## 1 A section",
        "x = 1",
        "## Exercises",
        "% fold solution Solution 1",
        "Because.",
        "1 + 1",
        "% unfold",
        "% fold solution Solution 2",
        "So.",
        "% unfold",
        "## Further reading",
        "## Published numbers",
        "## Checks",
        "record.check('It is so.', True)",
    ]


def test_the_last_sections_are_folded_below_their_headings():
    found = [cell.source for cell in staged(*NEW_FORM)]
    (numbers,) = (each for each in found if each.startswith("## Published numbers"))
    (checks,) = (each for each in found if each.startswith("## Checks"))
    assert re.fullmatch(r"## Published numbers\n\n% fold-rest published-numbers [^\n]+\n\n\nNone\.", numbers)
    assert re.fullmatch(r"## Checks\n\n% fold-rest checks [^\n]+\n", checks)


def test_solutions_of_old_notes_go_on_until_something_else_begins():
    found = staged(
        text("### Exercises"),
        text("**Solution 1.** First."),
        code("1 + 1"),
        text("It goes on."),
        text("**Solution 2.** Second."),
        text(
            "---\n\n[A map of the course](../00-course-map/notebook.ipynb) · next: [Foundations](../02/notebook.ipynb)"
        ),
    )
    assert marks(found) == [
        "### Exercises",
        "% fold solution Solution 1",
        "First.",
        "1 + 1",
        "It goes on.",
        "% unfold",
        "% fold solution Solution 2",
        "Second.",
        "% unfold",
    ]


def test_checks_of_solutions_are_not_in_the_student_edition():
    check = code('record.check("Solution 1: it is 2.20.", True)')
    assert [cell.source for cell in without_solutions(note(check)).cells] == ["# Title\n\nThe answer."]


def test_the_student_edition_has_no_solutions():
    assert not any("olution" in cell.source or "1 + 1" in cell.source for cell in staged(*NEW_FORM, student=True))
    kept = without_solutions(note(*NEW_FORM))
    assert [cell.source for cell in kept.cells] == [
        cell.source for cell in note(*NEW_FORM).cells if "solution" not in cells.tags(cell)
    ]


@pytest.mark.parametrize(("injected", "shown"), [("alpha = 1.0", 1), ("alpha = 2.0", 2)])
def test_injected_parameters_are_shown_if_they_say_something_new(injected, shown):
    found = staged(code("alpha = 1.0  # of smoothing", "parameters"), code(injected, "injected-parameters"))
    assert sum("alpha" in cell.source for cell in found) == shown


def test_long_code_is_folded():
    short, long = "\n".join(["x = 1"] * 15), "\n".join(["x = 1"] * 16)
    assert [cells.is_long(code(each), new_form=False) for each in (short, long)] == [False, True]
    assert [cells.is_long(code(each, *tags), new_form=True) for each, tags in ((long, ()), (short, ["long"]))] == [
        False,
        True,
    ]
    assert any("fold-input" in cells.tags(cell) for cell in staged(code(long)))


def test_a_side_note_is_folded_under_its_title():
    found = staged(text("Before."), text("**How it moves.** Like *this*.", "aside"), text("After."))
    assert marks(found) == ["Before.", "% fold aside How it moves", "Like *this*.", "% unfold", "After."]


@pytest.mark.parametrize("source", ["**How it moves.** So.", "**How it moves** is open."])
def test_only_a_tagged_cell_with_a_title_is_a_side_note(source):
    assert marks(staged(text(source))) == [source]
    assert cells.aside(text(source, "aside")) == (("How it moves", "So.") if ".**" in source else None)


@pytest.mark.parametrize(
    ("source", "only"),
    [
        ("assert x > 0", True),
        ("if x:\n    assert y\nassert z", True),
        ("y = f(x)\nassert y", True),
        ("y = f(x)", False),
        ("assert x\nprint(x)", False),
        ("%matplotlib", False),
        ("", False),
    ],
)
def test_cells_of_assertions(source, only):
    assert cells.is_only_checks(code(source)) is only


def test_alternative_texts_are_where_myst_nb_looks_for_them():
    found = staged(code("f()", outputs=(picture("A curve."), picture("Another."))))
    shown = [cell for cell in found if cell.cell_type == "code"]
    assert [cell.metadata["mystnb"]["image"]["alt"] for cell in shown] == ["A curve.", "Another."]
    assert [len(cell.outputs) for cell in shown] == [1, 1]
    assert [cells.tags(cell) for cell in shown] == [[], ["remove-input"]]


def test_a_picture_and_the_script_beside_it_stay_together():
    script = new_output("display_data", data={"text/html": "<script>1 < 2</script>"})
    (cell,) = (cell for cell in staged(code("f()", outputs=(picture("A curve."), script))) if cell.cell_type == "code")
    assert cell.outputs[1]["data"]["text/html"] == "<script>1 < 2</script>"


@pytest.mark.parametrize(
    ("source", "made_by"),
    [
        ("record.figure(figures.two_verdicts(alpha))", "figures.two_verdicts"),
        ('record.interactive("smoothing", figures.curve(low, high))', "figures.curve"),
        ('record.interactive("two-gaussians", pictures.two_gaussians())', "pictures.two_gaussians"),
        ("table(*tables.stages_of(paths()[unfolded]), left=2)", "tables.stages_of"),
        ("x = 1\nrecord.figure(figures.two_verdicts(alpha))", None),
        ("table(['a'], [[1]])", None),
    ],
)
def test_calls_that_are_shown_small_below_what_they_make(source, made_by):
    assert cells.call(code(source)) == made_by


def test_the_call_of_an_interactive_figure_stands_below_it_with_its_source():
    source = 'record.interactive("two-gaussians", pictures.two_gaussians())'
    shown, caption = staged(code(source, outputs=(picture("Two curves."),)))[1:3]
    assert "remove-input" in cells.tags(shown)
    assert f"[`{source}`](source:course/interactive/pictures.py#L" in caption.source


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (code("f()", outputs=(picture(""),)), "cell 2: a figure has no alternative text"),
        (
            text("[there](../99-nowhere/notebook.ipynb)"),
            r"cell 2: the link to \.\./99-nowhere/notebook\.ipynb leads nowhere",
        ),
        (text("[there](../../probml/nothing.py)"), r"cell 2: the link to \.\./\.\./probml/nothing\.py leads nowhere"),
        (text("![](curve.png)"), r"cell 2: the image curve\.png has no alternative text"),
        (text("As [@nobody1999] say."), "cell 2: 'nobody1999' is no key of the bibliography"),
        (text('[Who (1999)](https://doi.org/1 "nobody1999: What")'), "cell 2: 'nobody1999' is no key"),
        (
            code("f()", outputs=(new_output("display_data", data={"text/markdown": "[a](../98-b/notebook.ipynb)"}),)),
            "cell 2: the link to",
        ),
    ],
)
def test_what_is_wrong_with_a_note_names_its_place(cell, message):
    with pytest.raises((SiteError, CitationError), match=f"note {NAME}, {message}"):
        staged(cell)


def test_a_note_without_a_title():
    with pytest.raises(SiteError, match=f"note {NAME}, cell 1: expected a title"):
        page(NAME, new_notebook(cells=[text("No title")]), Context(ROOT, PAGES))


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("../12-discrete-distributions/notebook.ipynb", "site:notes/12-discrete-distributions"),
        ("../12-discrete-distributions/notebook.ipynb#a", "site:notes/12-discrete-distributions#a"),
        ("../EQUATIONS.md", "site:ledgers/equations"),
        ("../LEDGER.md", "site:ledgers/published-numbers"),
        ("../../data/README.md", "site:data"),
        ("../../probml/gda/gda.py", "source:probml/gda/gda.py"),
        ("../../probml/gda/gda.py#L20", "source:probml/gda/gda.py#L20"),
        ("https://doi.org/10.1", "https://doi.org/10.1"),
        ("#here", "#here"),
    ],
)
def test_addresses(target, address):
    assert links.address(target, f"results/{NAME}", ROOT, PAGES) == address


def test_links_in_code_are_left_alone():
    fence = "```\n[x](nowhere)\n```\n"
    assert links.rewrite(fence, "data", ROOT, PAGES, pytest.fail) == fence


def test_names_of_the_library_lead_to_their_source():
    found = staged(code("from probml.gda import GDA"), text("Here `GDA` is fitted, [`GDA`](https://a.b) and `x`."))
    assert "[`GDA`](source:probml/gda/gda.py#L" in found[2].source
    assert "[`GDA`](https://a.b)" in found[2].source
    assert "**In the code** [`GDA`](source:probml/gda/gda.py#L" in found[-1].source


def test_docstrings():
    lines = [
        "p(x | y) = σ(z), with `coef_` and $x^2$.",
        "",
        "    a = b * c",
        "",
        "Parameters",
        "----------",
        "alpha : how much, or",
        "    one for each",
        "tol, max_iter : of the solver",
        "",
        "X : dense, shape (m, n). y : labels, shape (m,).",
        "",
        "Counts of words. words : their names",
    ]
    assert [line for line in docstrings.converted(lines) if line] == [
        r"p(x \| y) = σ(z), with ``coef_`` and :math:`x^2`.",
        ".. code-block:: text",
        "   :class: formula-text",
        "   a = b * c",
        ".. rubric:: Parameters",
        "- ``alpha``: how much, or one for each",
        "- ``tol``, ``max_iter``: of the solver",
        "- ``X``: dense, shape (m, n).",
        "- ``y``: labels, shape (m,).",
        "Counts of words.",
        "- ``words``: their names",
    ]
