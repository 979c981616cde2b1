"""Look up all words of a text at once."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

WordNumbers: TypeAlias = dict[Any, int]  # by word: a str, or of any type that an analyzer finds

SPACE, NUL = b" ", b"\0"

SLOT_BITS = 18
BYTES_OF_WORD = 16
FIRST_BYTES = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)
"""Masks that keep the first 0, 1, ..., 8 bytes of an integer, read from the lowest byte on."""

MIX, MIX_TAIL = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
"""Odd multipliers: the highest bits of the product depend on all bytes (multiplicative hashing)."""


class WordLookup:
    """Numbers of the words of a text in which spaces part the words.

    Most words of a text have been met before. Each slot of a table holds the last word met with that hash value, and
    its number; one look into the table answers for all words of a text, by array operations. Only words that are not
    in their slot become a `str`, are looked up in `numbers` and take the slot over.

    A word of up to 16 bytes is two integers, `head` and `tail`, filled up with zeros, so that comparing it with a slot
    is exact. A longer word has no slot and is always looked up, and so are all words of a text that has zeros itself.
    An empty slot has head 0, which is no word.
    """

    def __init__(self, numbers: WordNumbers, shortest: int) -> None:
        self.number_of = numbers.__getitem__
        self.shortest = shortest
        self.heads = np.zeros(2**SLOT_BITS, dtype=np.uint64)
        self.tails = np.zeros(2**SLOT_BITS, dtype=np.uint64)
        self.numbers = np.zeros(2**SLOT_BITS, dtype=np.int32)

    def __call__(self, text: bytes) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Number and first byte of each word of at least `shortest` bytes. text : UTF-8."""
        padded = SPACE + text + SPACE * BYTES_OF_WORD  # so that 16 bytes can be read from each word on
        in_word = np.frombuffer(padded, dtype=np.uint8) != ord(SPACE)
        edges = np.flatnonzero(in_word[1:] != in_word[:-1]) + 1
        starts, stops = edges[0::2], edges[1::2]
        if self.shortest > 1:
            long_enough = stops - starts >= self.shortest
            starts, stops = starts[long_enough], stops[long_enough]
        sizes = stops - starts
        eight_bytes = np.ndarray(len(padded) - 7, dtype="<u8", buffer=padded, strides=(1,))  # from each byte on
        head = eight_bytes[starts] & FIRST_BYTES.take(sizes, mode="clip")
        tail = eight_bytes[starts + 8] & FIRST_BYTES.take(sizes - 8, mode="clip")
        slot = ((head ^ tail * MIX_TAIL) * MIX >> np.uint64(64 - SLOT_BITS)).astype(np.intp)
        fits = sizes <= (BYTES_OF_WORD if NUL not in text else 0)
        known = (self.heads[slot] == head) & (self.tails[slot] == tail) & fits
        found = self.numbers[slot]

        new = np.flatnonzero(~known)
        words = [padded[start:stop] for start, stop in zip(starts[new].tolist(), stops[new].tolist(), strict=True)]
        names = SPACE.join(words).decode("utf-8", "surrogatepass").split()
        found[new] = np.fromiter(map(self.number_of, names), np.int32, len(new))

        new = new[fits[new]]
        slot = slot[new]
        self.heads[slot], self.tails[slot], self.numbers[slot] = head[new], tail[new], found[new]
        return found, starts - 1
