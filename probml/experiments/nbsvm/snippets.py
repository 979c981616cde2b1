"""The same reviews, cut to their first words: does the length of a text decide who wins?"""

from collections.abc import Sequence


def first_words(texts: Sequence[str], length: int) -> list[str]:
    """The first `length` words of each text, as spaces part them."""
    return [" ".join(text.replace("<br />", " ").split()[:length]) for text in texts]
