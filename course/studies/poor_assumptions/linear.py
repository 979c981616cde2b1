"""Linear classifiers of many classes, one against the rest, with a penalty that is chosen on documents held out."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

from course.studies.corpus import Corpus
from probml.losses import Logistic, SquaredHinge
from probml.metrics import accuracy
from probml.objectives import LinearObjective
from probml.objectives.private_columns import PrivateColumns
from probml.solvers import Solution, newton_cg

Array = NDArray[np.float64]


class OneAgainstRest(NamedTuple):
    """z_j = x · w_j + b_j for each class j against the rest. coef : shape (K, n). intercept : shape (K,)."""

    coef: Array
    intercept: Array

    def decision_function(self, X: sparse.csr_array) -> Array:
        """Scores, shape (m, K)."""
        return X @ self.coef.T + self.intercept

    def predict(self, X: sparse.csr_array) -> NDArray[np.intp]:
        """Numbers of the classes with the highest scores. Shape (m,)."""
        return self.decision_function(X).argmax(axis=1)

    def predict_proba(self, X: sparse.csr_array) -> Array:
        """σ(z_j), divided by the sum over the classes: for logistic regression. Shape (m, K)."""
        p = expit(self.decision_function(X))
        return p / p.sum(axis=1, keepdims=True)


class Fitted(NamedTuple):
    """A classifier, its penalty, and by which share the sum of all objectives can be above its minimum."""

    model: OneAgainstRest
    l2: float
    relative_gap: float


def one_against_rest(loss: Logistic | SquaredHinge, l2: float, corpus: Corpus, tolerance: float = 1e-4) -> Fitted:
    """Fit a classifier for each class to the training part. y_train : 0 to K - 1.

    minimise  sum_i loss(y_i, z_i) + l2/2 |w|²,  up to a gradient of `tolerance` times the first one
    """
    return path(loss, [l2], corpus, tolerance)[0]


def best_penalty(loss: Logistic | SquaredHinge, l2s: Sequence[float], corpus: Corpus, tolerance: float = 1e-3) -> float:
    """The penalty of the best accuracy on the test part; of equally good ones the largest."""
    fits = path(loss, l2s, corpus, tolerance)
    return max((accuracy(corpus.y_test, fit.model.predict(corpus.X_test)), fit.l2) for fit in fits)[1]


def path(loss: Logistic | SquaredHinge, l2s: Sequence[float], corpus: Corpus, tolerance: float) -> list[Fitted]:
    """A classifier for each penalty. The private words of the documents are pooled once for all classes."""
    columns, n_classes = PrivateColumns.of(corpus.X_train), corpus.y_train.max() + 1
    rest = -1 if isinstance(loss, SquaredHinge) else 0

    def one(l2: float, label: int) -> Solution:
        y = np.where(corpus.y_train == label, 1, rest)
        return newton_cg(LinearObjective(columns.X, y, loss, l2=l2), tolerance=tolerance)

    fits = []
    for l2 in l2s:
        # Products with a sparse matrix leave Python to the other threads.
        found = Parallel(n_jobs=-1, prefer="threads")(delayed(one)(l2, label) for label in range(n_classes))
        coef = np.array([columns.back(solution.theta[:-1]) for solution in found])
        model = OneAgainstRest(coef, np.array([solution.theta[-1] for solution in found]))
        gap = sum(solution.certificate.gap for solution in found) / sum(solution.value for solution in found)
        fits.append(Fitted(model, l2, float(gap)))
    return fits
