"""Look up all words of a text at once."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

WordNumbers: TypeAlias = dict[Any, int]  # by word: a str, or of any type that an analyzer finds
NumbersOf: TypeAlias = Callable[[Iterable[Any]], Iterator[int]]  # the numbers of words

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
    in their slot become a `str`, are looked up by `numbers_of` and take the slot over.

    A word of up to 16 bytes is one integer, `head`, or two, `head` and `tail`, filled up with zeros, so that comparing
    it with a slot is exact: the head alone tells a word of less than 8 bytes from all others, since its last byte is 0.
    A word of more than 16 has no slot and is always looked up, and so are all words of a text that has zeros itself. An
    empty slot has head 0, which is no word.
    """

    def __init__(self, numbers_of: NumbersOf, shortest: int) -> None:
        self.numbers_of = numbers_of
        self.shortest = shortest
        self.heads = np.zeros(2**SLOT_BITS, dtype=np.uint64)
        self.tails = np.zeros(2**SLOT_BITS, dtype=np.uint64)
        self.numbers = np.zeros(2**SLOT_BITS, dtype=np.int32)

    def __call__(self, text: bytes) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Number and first byte of each word of at least `shortest` bytes. text : UTF-8."""
        padded = SPACE + text + SPACE * BYTES_OF_WORD  # so that 16 bytes can be read from each word on
        in_word = np.frombuffer(padded, dtype=np.uint8) != ord(SPACE)
        edges = np.flatnonzero(in_word[1:] != in_word[:-1])  # the bytes before a word, and its last ones
        before, last = edges[0::2], edges[1::2]
        if self.shortest > 1:
            long_enough = last - before >= self.shortest
            before, last = before[long_enough], last[long_enough]
        sizes = last - before
        eight_bytes = np.ndarray(len(padded) - 8, dtype="<u8", buffer=padded, offset=1, strides=(1,))  # after each byte
        head = eight_bytes.take(before, mode="clip") & FIRST_BYTES.take(sizes, mode="clip")
        long = np.flatnonzero(sizes >= 8)
        tail = eight_bytes.take(before[long] + 8, mode="clip") & FIRST_BYTES.take(sizes[long] - 8, mode="clip")
        mixed = head * MIX
        mixed[long] += tail * MIX_TAIL
        slot = (mixed >> np.uint64(64 - SLOT_BITS)).view(np.int64)
        known = self.heads.take(slot, mode="clip") == head
        known[long] &= (self.tails.take(slot[long], mode="clip") == tail) & (sizes[long] <= BYTES_OF_WORD)
        has_slots = NUL not in text
        known &= has_slots
        found = self.numbers.take(slot, mode="clip")

        new = np.flatnonzero(~known)
        if len(new) == len(before):
            words = [word for word in text.split() if len(word) >= self.shortest]
        else:
            ends = zip((before[new] + 1).tolist(), (last[new] + 1).tolist(), strict=True)
            words = [padded[start:end] for start, end in ends]
        names = SPACE.join(words).decode("utf-8", "surrogatepass").split()
        found[new] = np.fromiter(self.numbers_of(names), np.int32, len(new))

        if has_slots:
            new = new[sizes[new] <= BYTES_OF_WORD]
            self.heads[slot[new]], self.numbers[slot[new]] = head[new], found[new]
            new_tail = ~known[long] & (sizes[long] <= BYTES_OF_WORD)
            self.tails[slot[long[new_tail]]] = tail[new_tail]
        return found, before
