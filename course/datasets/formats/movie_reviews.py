"""Film reviews: 25,000 of IMDB and the sentences of Rotten Tomatoes in one file, all 50,000 of IMDB in another."""

import csv
import io
from collections import Counter

import numpy as np

from course.datasets.dataset import Column, Table
from course.errors import DataError

CLASSES = ("negative", "positive")


def read(files: dict[str, bytes], *, origin: str) -> Table:
    """The reviews of `origin` in the file `labelled`; what else the file `all` holds, if given, is the test part.

    The published test half of IMDB is nowhere on its own. It is what is left of all reviews when the training half is
    taken away, text by text and as often as it occurs there.
    """
    training = [(text, int(label)) for text, label, where in _rows(files["labelled"]) if where == origin]
    test = []
    if "all" in files:
        of_training = Counter(training)
        for text, sentiment in _rows(files["all"]):
            review = (text, CLASSES.index(sentiment))
            if of_training[review]:
                of_training[review] -= 1
            else:
                test.append(review)
        if left := sum(of_training.values()):
            raise DataError(f"{left} training reviews are not among all reviews")
    texts = [text for text, _ in training + test]
    y = np.array([label for _, label in training + test], dtype=np.intp)
    return Table(texts, y, (Column("text", "text"),), Column("sentiment", "discrete", CLASSES), len(training))


def _rows(content: bytes) -> list[list[str]]:
    csv.field_size_limit(2**24)
    return list(csv.reader(io.StringIO(content.decode("utf-8"), newline="")))[1:]
