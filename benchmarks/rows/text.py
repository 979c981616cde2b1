"""From texts to counts and on to features: the same matrix from both sides."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.preprocessing import FunctionTransformer, Normalizer

from benchmarks.row import Row, Side
from benchmarks.rows.estimators import Model, dense_or_sparse, fit_side, title, transform_side
from benchmarks.rows.problems import SMALL, Problem, Source, at_most, counts, newsgroups, words
from course.datasets import load
from probml.text import (
    BagOfWords,
    InverseDocumentFrequency,
    LogCounts,
    UnitLength,
)

if TYPE_CHECKING:
    import polars

TWO_LETTERS = CountVectorizer().token_pattern


@dataclass(frozen=True)
class Texts:
    """Texts to learn the words from, and others to count them in."""

    name: str
    train: list[str]
    test: list[str]

    @property
    def size(self) -> str:
        """Name, number and length."""
        megabytes = sum(len(text.encode()) for text in self.train) / 1e6
        return f"{self.name}, {len(self.train):,} texts, {megabytes:.2g} MB; {len(self.test):,} more"


class PolarsBag(TransformerMixin, BaseEstimator):
    """Single words counted by a query of polars, which uses all cores."""

    package = "polars"

    def __init__(self, *, token_pattern: str) -> None:
        self.token_pattern = token_pattern

    @property
    def title(self) -> str:
        """What the query consists of."""
        return f"polars.Series.str.extract_all({self.token_pattern!r}), and group_by"

    def fit(self, texts: list[str]) -> "PolarsBag":
        """Learn the words."""
        self.fit_transform(texts)
        return self

    def fit_transform(self, texts: list[str]) -> sparse.csr_array:
        """Learn the words and count them."""
        pairs = self._counted(texts)
        self.words_ = pairs.select("word").unique().sort("word").with_row_index("column")
        return self._matrix(pairs, len(texts))

    def transform(self, texts: list[str]) -> sparse.csr_array:
        """Count the words that are known."""
        return self._matrix(self._counted(texts), len(texts))

    def get_feature_names_out(self) -> NDArray[Any]:
        """The words."""
        return np.array(self.words_["word"].to_list(), dtype=object)

    def _counted(self, texts: list[str]) -> "polars.DataFrame":
        import polars

        found = polars.Series("word", texts).str.to_lowercase().str.extract_all(self.token_pattern)
        frame = polars.DataFrame({"row": np.arange(len(texts), dtype=np.int32), "word": found})
        return frame.explode("word").drop_nulls().group_by("row", "word").len()

    def _matrix(self, pairs: "polars.DataFrame", m: int) -> sparse.csr_array:
        known = pairs.join(self.words_, on="word").sort("row", "column")
        indptr = np.searchsorted(known["row"].to_numpy(), np.arange(m + 1))
        parts = (known["len"].to_numpy().astype(np.int64), known["column"].to_numpy().astype(np.int32), indptr)
        return sparse.csr_array(parts, shape=(m, len(self.words_)))


def _texts(name: str, data: str, m: int = 10**9) -> Callable[[int], Texts]:
    def source(rows: int) -> Texts:
        found, most = load(data), min(m, rows)
        train = [found.train.X[row] for row in at_most(most, len(found.train.y))]
        return Texts(name, train, list(found.test.X[:most]) if len(found.test.y) else list(found.train.X[-most:]))

    return source


def _counting(bag: Model) -> Side:
    return Side(
        title(bag),
        prepare=lambda texts: texts,
        run=lambda texts: bag.fit_transform(texts.train),
        answer=lambda _, counts: (counts, np.asarray(bag.get_feature_names_out(), dtype=str)),
        package=getattr(bag, "package", None),
    )


def _counting_known_words(bag: Model) -> Side:
    return Side(
        title(bag),
        prepare=lambda texts: (bag.fit(texts.train), texts),
        run=lambda state: state[0].transform(state[1].test),
        answer=lambda _, counts: (counts,),
        package=getattr(bag, "package", None),
    )


def _bags(work: str, sources: Mapping[str, Callable[[int], Texts]], **settings: object) -> tuple[Row, ...]:
    bags: list[Any] = [BagOfWords(**settings), CountVectorizer(**settings)]
    if "ngram_range" not in settings:
        bags.append(PolarsBag(token_pattern=settings["token_pattern"]))
    return tuple(
        Row("Bag of words", f"{name}-{task}", work, task, source, lambda texts: texts.size, side(bags[0]), peers)
        for name, source in sources.items()
        for task, side in (("fit", _counting), ("transform", _counting_known_words))
        for peers in [tuple(map(side, bags[1:]))]
    )


def _features(
    work: str,
    sources: Mapping[str, Source],
    ours: Model,
    peer: Model,
    tasks: tuple[str, ...] = ("fit", "transform"),
    theirs: Callable[[Model, Problem], tuple] = lambda transformed, _: dense_or_sparse(transformed),
) -> tuple[Row, ...]:
    """theirs : what of the peer's features is to be compared with ours."""

    def side(model: Model, task: str) -> Side:
        answer = theirs if model is peer else lambda transformed, _: dense_or_sparse(transformed)
        if task == "transform":
            return transform_side(model, answer)
        return fit_side(model, lambda fitted, problem: answer(fitted.transform(problem.X_new), problem))

    return tuple(
        Row(
            "Features",
            f"{name}-{task}",
            work,
            task,
            source,
            lambda problem: problem.size,
            side(ours, task),
            (side(peer, task),),
        )
        for name, source in sources.items()
        for task in tasks
    )


def _matrices(name: str) -> dict[str, Source]:
    return {
        f"{name}-small": counts(*SMALL),
        f"{name}-working": words(100_000, 10_000),
        f"{name}-large": words(1_000_000, 10_000),
        f"{name}-newsgroups": newsgroups,
    }


BAGS = (
    *_bags(
        r"words `\w+`",
        {
            "words-small": _texts("SMS", "sms-spam", 200),
            "words-working": _texts("20 Newsgroups", "newsgroups"),
            "words-large": _texts("IMDB", "imdb"),
        },
        token_pattern=r"\w+",
    ),
    *_bags(
        f"words `{TWO_LETTERS}`",
        {"words-of-two-letters": _texts("20 Newsgroups", "newsgroups")},
        token_pattern=TWO_LETTERS,
    ),
    *_bags(
        r"words `\w+` and pairs of them",
        {"pairs-working": _texts("20 Newsgroups", "newsgroups"), "pairs-large": _texts("IMDB", "imdb")},
        token_pattern=r"\w+",
        ngram_range=(1, 2),
    ),
)
FEATURES = (
    *_features(
        "inverse document frequency",
        _matrices("idf"),
        InverseDocumentFrequency(),
        TfidfTransformer(norm=None, smooth_idf=False),
        theirs=lambda weighted, problem: dense_or_sparse(weighted - problem.X_new),  # scikit-learn's weight is 1 more
    ),
    *_features(
        "log(1 + count)",
        _matrices("log-counts"),
        LogCounts(),
        FunctionTransformer(np.log1p, accept_sparse=True),
        ("transform",),
    ),
    *_features("unit length", _matrices("unit-length"), UnitLength(), Normalizer(), ("transform",)),
)
ROWS = (*BAGS, *FEATURES)
