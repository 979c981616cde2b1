"""What stays together at the end of a line, and what is broken into lines or scrolls on a narrow page."""

import io
import struct

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document
from PIL import Image

from course.site import extension, tables, typography
from course.site.images import WHOLE, part, pixels

SPACE = "\N{NO-BREAK SPACE}"


def paragraph(*children):
    document = new_document("page", get_default_settings())
    document += nodes.paragraph("", "", *(nodes.Text(each) if isinstance(each, str) else each for each in children))
    return document


def formula():
    return nodes.math("", "x")


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("about 5 % of them", f"about 5{SPACE}% of them"),
        ("46.5 % and 90 %", f"46.5{SPACE}% and 90{SPACE}%"),
        ("a % b and 5%", "a % b and 5%"),
    ],
)
def test_numbers_stay_with_their_per_cent_signs(text, bound):
    document = paragraph(text)
    typography.bind(document)
    assert document.astext() == bound


def test_so_they_do_in_the_tables_of_the_ledgers_but_not_in_code():
    assert tables.inline("*5.3 %* of `5 % 3`") == f"<em>5.3{SPACE}%</em> of <code>5 % 3</code>"


def test_code_is_left_alone():
    document = paragraph(nodes.literal("", "5 % 2"))
    typography.bind(document)
    assert document.astext() == "5 % 2"


def test_texts_that_read_the_same_are_told_apart():
    document = paragraph(
        "of ", nodes.strong("", "a"), ", and ", nodes.strong("", "b"), " is ", formula(), ", and ", "c"
    )
    typography.bind(document)
    assert document.astext() == "of a, and b is x, and c"


@pytest.mark.parametrize(
    ("before", "after", "together"),
    [
        ("the score ", ", as above", "x,"),
        ("the score (", ") is", "(x)"),
        ("about ", " % of them", f"x{SPACE}%"),
        ("the end, ", ").", "x)."),
        ("the ", "-th word", "x-th"),
    ],
)
def test_formulas_stay_with_the_punctuation_around_them(before, after, together):
    document = paragraph(before, formula(), after)
    typography.bind(document)
    (box,) = (each for each in document.findall(nodes.inline) if "together" in each["classes"])
    assert box.astext() == together
    assert document.astext() == f"{before}x{after}".replace("x %", f"x{SPACE}%")


@pytest.mark.parametrize("children", [[formula()], ["the ", formula(), " and "], [formula(), formula()]])
def test_formulas_with_nothing_to_keep_stay_as_they_are(children):
    document = paragraph(*children)
    typography.bind(document)
    assert not list(document.findall(nodes.inline))


def table(heads, rows):
    def row(texts):
        return nodes.row("", *(nodes.entry("", nodes.paragraph("", text)) for text in texts))

    body = nodes.tbody("", *map(row, rows))
    return nodes.table("", nodes.tgroup("", nodes.thead("", row(heads)), body, cols=len(heads)))


def test_tables_of_sentences_are_stacked_on_a_narrow_page():
    found = table(["data", "first", "because"], [["texts", "naive Bayes", "word " * 20]])
    typography.stack(found)
    assert "stacks" in found["classes"]
    labels = [each.astext() for each in found.findall(nodes.inline) if "cell-label" in each["classes"]]
    assert labels == ["first: ", "because: "]


@pytest.mark.parametrize(
    "found", [table(["a", "b", "c"], [["1", "2", "3"]]), table(["symbol", "meaning"], [["x", "word " * 20]])]
)
def test_other_tables_are_not(found):
    typography.stack(found)
    assert not found["classes"]


@pytest.mark.parametrize(
    ("printed", "prose"),
    [
        ("ValueError: alpha is 0, and a word was never seen", True),
        ("", True),
        ("model    accuracy\nBayes    0.8", False),
        ("[[1 2]\n [3 4]]", False),
    ],
)
def test_printed_sentences_are_broken_into_lines(printed, prose):
    assert typography.is_prose(printed) == prose


@pytest.mark.parametrize("script", [False, True])
def test_figures_are_boxed_unless_they_make_way_for_an_interactive_one(script):
    document = paragraph()
    output = nodes.container("", nodes.image(uri="a.png"), classes=["cell_output"])
    if script:
        output += nodes.raw("", '<div class="probml-figure"></div>', format="html")
    document += output
    extension.box_figures(document)
    extension.box_figures(document)
    assert len(list(document.findall(extension.figure_box))) == (not script)


def test_pixels():
    assert pixels(b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 950, 382)) == (950, 382)


def test_part_of_a_picture():
    picture = Image.new("L", (200, 100))
    picture.putpixel((110, 50), 7)
    file = io.BytesIO()
    picture.save(file, "PNG")
    assert part(file.getvalue(), WHOLE) == file.getvalue()
    found = Image.open(io.BytesIO(part(file.getvalue(), (0.5, 0.4, 0.75, 1))))
    assert found.size == (50, 60)
    assert found.getpixel((10, 10)) == 7
