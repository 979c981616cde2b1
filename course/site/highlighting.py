"""Code in colours, with no more marks than the colours need."""

from collections.abc import Iterable
from functools import cache
from typing import TextIO

from pygments.formatters import HtmlFormatter
from pygments.styles import get_style_by_name
from pygments.token import STANDARD_TYPES, Text, _TokenType

STYLES = {"light": "a11y-high-contrast-light", "dark": "a11y-high-contrast-dark"}


class Formatter(HtmlFormatter):
    """HTML in which only what differs from plain text is marked.

    Most of Python is names, brackets and blanks, which look like plain text. Marked one by one, they would take more
    bytes than the code itself.
    """

    def format(self, tokensource: Iterable[tuple[_TokenType, str]], outfile: TextIO) -> None:
        """Write tokens as HTML."""
        super().format(((Text if looks_plain(kind) else kind, text) for kind, text in tokensource), outfile)


@cache
def looks_plain(kind: _TokenType) -> bool:
    """Whether tokens of a kind look like plain text, in the light as in the dark."""
    if kind not in STANDARD_TYPES:  # a style knows no others
        return False
    styles = map(get_style_by_name, STYLES.values())
    return all(style.style_for_token(kind) == style.style_for_token(Text) for style in styles)
