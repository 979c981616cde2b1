"""The messages, each text once, and random cuts of them."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probml import datasets

Rows = NDArray[np.intp]


class Messages(NamedTuple):
    """texts : distinct, in the order in which they first come. y : 1 for spam, 0 for ham. repeated : those left out."""

    texts: list[str]
    y: NDArray[np.intp]
    repeated: int


def messages() -> Messages:
    """The SMS Spam Collection without its repetitions.

    A message that is in both the training and the test part is recognised, not classified.
    """
    data = datasets.load("sms-spam")
    spam = data.class_names.index("spam")
    label = {text: int(y == spam) for text, y in zip(data.X, data.y, strict=True)}
    return Messages(list(label), np.array(list(label.values()), dtype=np.intp), len(data.X) - len(label))


def cuts(m: int, shares: tuple[float, ...], count: int, seed: int) -> Iterator[list[Rows]]:
    """`count` random cuts of m rows into parts of these shares and a last part, the rest."""
    if not (all(share > 0 for share in shares) and sum(shares) < 1):
        raise ValueError(f"shares must be above 0 and leave a rest, received {shares!r}")
    ends = np.rint(np.cumsum(shares) * m).astype(int)
    for source in np.random.SeedSequence(seed).spawn(count):
        yield np.split(np.random.default_rng(source).permutation(m), ends)
