"""scikit-learn's documented example: what header, footer and quotes of a post give away."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from course.datasets import Dataset
from course.studies.posts import body
from probml.naive_bayes import MultinomialNB

GROUPS = ("alt.atheism", "talk.religion.misc", "comp.graphics", "sci.space")
DOCUMENTED = {"whole posts": 0.88213, "test posts stripped": 0.77310, "all posts stripped": 0.76995}


def macro_f1(y: NDArray[np.intp], predicted: NDArray[np.intp], n_classes: int) -> float:
    """The mean over the classes of 2 TP / (2 TP + FP + FN)."""
    hits = np.bincount(y[y == predicted], minlength=n_classes)
    return float(
        np.mean(2 * hits / (np.bincount(y, minlength=n_classes) + np.bincount(predicted, minlength=n_classes)))
    )


def documented_figures(data: Dataset, alpha: float = 0.01) -> dict[str, float]:
    """Macro-F1 of multinomial naive Bayes on tf-idf weights of four groups, for the three ways to prepare the posts."""
    groups = sorted(data.class_names.index(group) for group in GROUPS)

    def chosen(texts: Sequence[str], y: NDArray[np.intp]) -> tuple[list[str], NDArray[np.intp]]:
        rows = np.flatnonzero(np.isin(y, groups))
        return [texts[row] for row in rows], np.searchsorted(groups, y[rows])

    train, y_train = chosen(data.train.X, data.train.y)
    test, y_test = chosen(data.test.X, data.test.y)

    def figure(of_training: Callable[[str], str], of_test: Callable[[str], str]) -> float:
        tfidf = TfidfVectorizer()
        model = MultinomialNB(alpha=alpha).fit(tfidf.fit_transform(map(of_training, train)), y_train)
        return macro_f1(y_test, model.predict(tfidf.transform(map(of_test, test))), len(groups))

    return dict(zip(DOCUMENTED, (figure(str, str), figure(str, body), figure(body, body)), strict=True))
