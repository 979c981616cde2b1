"""Texts made up to test an explanation: some properties of real text are put in, the others are left out."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from course.studies.smoothing.judges import judge
from course.teaching.dirichlet import Dirichlet

Array = NDArray[np.float64]
WORDS, CLASSES, TOKENS, DOCUMENTS, LENGTH = 20_000, 20, 40_000, 2_000, 100  # tokens of a class and length, on average
SPREAD = 1.0  # standard deviation of the log of a class's taste for a word


class Made(NamedTuple):
    """Counts of the training part, shape (K, V), and documents of the test part with their classes."""

    counts: Array
    X: sparse.csr_array
    y: NDArray[np.intp]


def made_text(frequencies: Array, tokens: NDArray[np.int64], rng: np.random.Generator) -> Made:
    """Classes that share the overall frequencies of words and differ by a random taste for each of them.

    frequencies : of the words, shape (V,). tokens : of each class in the training part, shape (K,).
    """
    p = frequencies * np.exp(SPREAD * rng.normal(size=(len(tokens), len(frequencies))))
    p /= p.sum(axis=1, keepdims=True)
    counts = np.stack([rng.multinomial(n, row) for n, row in zip(tokens, p, strict=True)]).astype(np.float64)
    y = rng.integers(len(tokens), size=DOCUMENTS)
    lengths = rng.geometric(1 / LENGTH, size=DOCUMENTS)
    steps = np.cumsum(p, axis=1)[:, :-1]
    words = [np.searchsorted(steps[j], rng.random(n)) for j, n in zip(y, lengths, strict=True)]
    ends = np.append(0, np.cumsum(lengths))
    X = sparse.csr_array((np.ones(ends[-1]), np.concatenate(words), ends), shape=(DOCUMENTS, len(frequencies)))
    seen = np.flatnonzero(counts.sum(axis=0))  # the vocabulary is that of the training part
    return Made(counts[:, seen], X[:, seen], y)


def two_by_two(sizes: ArrayLike, alphas: ArrayLike, texts: int, seed: int) -> dict[tuple[str, str], Array]:
    """Accuracy with words by a power law or equally frequent, and classes of these relative sizes or of one size.

    Values: shape (texts, alphas).
    """
    sizes = np.asarray(sizes, dtype=np.float64)
    words = {"power law": 1 / np.arange(1, WORDS + 1), "flat": np.ones(WORDS)}
    tokens = {
        "unequal": np.rint(TOKENS * sizes / sizes.mean()).astype(np.int64),
        "equal": np.full(len(sizes), TOKENS),
    }
    found: dict[tuple[str, str], list[Array]] = {}
    for source in np.random.SeedSequence(seed).spawn(texts):
        for kind, each in zip(((w, t) for w in words for t in tokens), source.spawn(4), strict=True):
            frequencies = words[kind[0]] / words[kind[0]].sum()
            made = made_text(frequencies, tokens[kind[1]], np.random.default_rng(each))
            even = np.zeros(len(sizes))  # no class is more frequent than another among the documents
            found.setdefault(kind, []).append(judge(made.X, made.y, made.counts, even, alphas).right.mean(axis=1))
    return {kind: np.array(values) for kind, values in found.items()}


def from_the_prior(alpha: float, totals: NDArray[np.intp], sides: int, rng: np.random.Generator) -> Array:
    """Counts for which the prior is right: every class draws its word probabilities from Dirichlet(alpha, ..., alpha).

    totals : tokens of each class. sides : number of words. Shape (len(totals), sides).
    """
    p = Dirichlet(sides).sample(np.full((len(totals), sides), alpha), rng)
    return np.stack(
        [rng.multinomial(n, row) for n, row in zip(totals, p / p.sum(axis=1, keepdims=True), strict=True)]
    ).astype(float)
