"""From texts to counts, on the training part of 20 Newsgroups: the same matrix from both sides."""

from collections.abc import Sequence

import numpy as np
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.row import Row, Side
from benchmarks.rows.classifiers import title
from course.datasets import load
from probml.text import BagOfWords

Texts = Sequence[str]
SCIKIT_LEARNS_PATTERN = CountVectorizer().token_pattern


def _texts() -> Texts:
    return load("newsgroups").train.X


def _size(texts: Texts) -> str:
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    return f"20 Newsgroups, {len(texts):,} texts, {megabytes:.1f} MB"


def _counting(bag: TransformerMixin) -> Side:
    def answer(_: Texts, counts: sparse.csr_array) -> tuple[sparse.csr_array, np.ndarray]:
        return counts, bag.get_feature_names_out()

    return Side(title(bag), prepare=lambda texts: texts, run=bag.fit_transform, answer=answer)


def _row(name: str, work: str, **settings: object) -> Row:
    bag, vectorizer = BagOfWords(**settings), CountVectorizer(**settings)
    return Row(name, f"bag of words: {work}", _texts, _size, _counting(bag), (_counting(vectorizer),))


ROWS = (
    _row("words", r"words `\w+`", token_pattern=r"\w+"),
    _row("words-of-two-letters", f"words `{SCIKIT_LEARNS_PATTERN}`", token_pattern=SCIKIT_LEARNS_PATTERN),
    _row("words-and-pairs", r"words `\w+` and pairs of them", token_pattern=r"\w+", ngram_range=(1, 2)),
)
