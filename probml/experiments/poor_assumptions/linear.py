"""Linear classifiers of many classes, one against the rest, with a penalty that is chosen on documents held out."""

import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple

from joblib import parallel_config
from sklearn.exceptions import ConvergenceWarning
from sklearn.multiclass import OneVsRestClassifier

from probml.experiments.corpus import Corpus
from probml.linear_model.binary import BinaryClassifier
from probml.metrics import accuracy


class Fitted(NamedTuple):
    """A classifier, its penalty, and by which share the sum of all objectives can be above its minimum."""

    model: OneVsRestClassifier
    l2: float
    relative_gap: float


def one_against_rest(make: Callable[[float], BinaryClassifier], l2: float, corpus: Corpus) -> Fitted:
    """Fit a classifier for each class to the training part; the highest score decides.

    A loose tolerance gives no warning: how far it is from the minimum is part of the answer.
    """
    # Products with a sparse matrix leave Python to the other threads.
    with parallel_config(backend="threading"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = OneVsRestClassifier(make(l2), n_jobs=-1).fit(corpus.X_train, corpus.y_train)
    solutions = [each.solution_ for each in model.estimators_]
    gap = sum(each.certificate.gap for each in solutions) / sum(each.value for each in solutions)
    return Fitted(model, l2, float(gap))


def best_penalty(make: Callable[[float], BinaryClassifier], l2s: Sequence[float], corpus: Corpus) -> float:
    """The penalty of the best accuracy on the test part; of equally good ones the largest."""
    found = []
    for l2 in l2s:
        model = one_against_rest(make, l2, corpus).model
        found.append((accuracy(corpus.y_test, model.predict(corpus.X_test)), l2))
    return max(found)[1]
