"""The messages, each text once, without the traces of those who collected them."""

import html
import re
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course import datasets

MASKED_NUMBER = re.compile("&lt;(#|DECIMAL|TIME)&gt;")
FIRST_NUMBER = 70_000_001  # of those that stand for masked numbers; no message holds it, or a later one that is used


class Messages(NamedTuple):
    """texts : distinct, in the order in which they first come. y : 1 for spam, 0 for ham. repeated : those left out."""

    texts: list[str]
    y: NDArray[np.intp]
    repeated: int


def messages(*, restore: bool = True) -> Messages:
    """The SMS Spam Collection without its repetitions.

    A message that is in both the training and the test part is recognised, not classified.

    restore : undo what was done to ham only, where it would give the class away; see `restored`.
    """
    data = datasets.load("sms-spam")
    spam = data.class_names.index("spam")
    label = {text: int(y == spam) for text, y in zip(data.X, data.y, strict=True)}
    numbers = count(FIRST_NUMBER)
    texts = [restored(text, numbers) if restore else text for text in label]
    return Messages(texts, np.array(list(label.values()), dtype=np.intp), len(data.X) - len(label))


def restored(text: str, numbers: Iterator[int]) -> str:
    """The text with the next of `numbers` for each masked number, and with &, < and > for their names in HTML.

    Those who collected the messages hid the numbers of ham, as in &lt;#&gt;, and its & became &amp;. One number for all
    masks would be a word of ham again. A number that no other message has tells that it is one, and nothing else.
    """
    return html.unescape(MASKED_NUMBER.sub(lambda _: str(next(numbers)), text))
