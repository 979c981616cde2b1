"""Code in colours: fewer marks than Pygments makes, and the same look."""

import re
from html import unescape

import pytest
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from pygments.styles import get_style_by_name
from pygments.token import STANDARD_TYPES, Keyword, Name, Punctuation, String, Text, Token, Whitespace

from course.site.highlighting import STYLES, Formatter, looks_plain

CODE = '''"""Text & <marks>."""
import numpy as np


@cache
def f(x: float, *rest) -> str:  # why
    if x < 1 and not rest:
        raise ValueError(f"{x:.2f} of {rest!r}\\n")
    return self.g(x)[0] @ np.pi ** 2.5
'''
KINDS = {short: kind for kind, short in STANDARD_TYPES.items()}


def letters(formatter, style):
    """Each letter of the code but blanks, with its look in a style."""
    page = highlight(CODE, PythonLexer(), formatter)
    found = []
    for short, inside, outside in re.findall(r'<span class="(\w+)">([^<]*)</span>|([^<]+)|<[^>]*>', page):
        look = style.style_for_token(KINDS[short] if short else Text)
        found += [(letter, look) for letter in unescape(inside or outside) if not letter.isspace()]
    return found


@pytest.mark.parametrize("name", STYLES.values())
def test_every_letter_looks_the_same(name):
    style = get_style_by_name(name)
    found = letters(Formatter(), style)
    assert "".join(letter for letter, _ in found) == "".join(CODE.split())
    assert found == letters(HtmlFormatter(), style)
    assert len({look["color"] for _, look in found}) > 3


def test_less_than_two_thirds_of_the_bytes():
    ours, theirs = (len(highlight(CODE, PythonLexer(), each)) for each in (Formatter(), HtmlFormatter()))
    assert ours < 2 / 3 * theirs


def test_what_looks_plain():
    assert all(map(looks_plain, (Text, Name, Name.Namespace, Punctuation, Whitespace)))
    assert not any(map(looks_plain, (Keyword, Name.Function, String, Token.Of.No.Style)))
