"""A support vector machine on texts of length one, for the last exercise."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.studies.nb_svm_nbsvm.collections import folds
from course.studies.nb_svm_nbsvm.lengths import WHOLE, Texts, draws
from probml.linear_model import LinearSVC

PENALTIES = (0.1, 1.0, 10.0)  # C


def unit_length(X: sparse.csr_array) -> sparse.csr_array:
    """Rows of zeros and ones, each divided by the root of its number of ones; empty rows stay empty."""
    ones = np.diff(X.indptr)
    return sparse.csr_array((np.repeat(1 / np.sqrt(np.maximum(ones, 1)), ones), X.indices, X.indptr), shape=X.shape)


def of_unit_length(texts: Texts, train: int, n_draws: int, seed: int) -> NDArray[np.float64]:
    """Accuracy in percent on whole texts, with C chosen by three folds within each training part. Shape (draws,)."""
    collection, accuracy = texts.at(WHOLE, seed), []
    for k, (rows, test) in enumerate(draws(texts, train, n_draws, seed)):
        right = dict.fromkeys(PENALTIES, 0.0)
        for fit, validation in folds(train, 3, seed + k):
            inner = collection.cut(rows[fit], rows[validation])
            for C in PENALTIES:
                svm = LinearSVC(l2=1 / (2 * C)).fit(unit_length(inner.X_train), inner.y_train)
                right[C] += svm.score(unit_length(inner.X_test), inner.y_test)
        parts = collection.cut(rows, test)
        svm = LinearSVC(l2=1 / (2 * max(right, key=right.__getitem__))).fit(unit_length(parts.X_train), parts.y_train)
        accuracy.append(100 * svm.score(unit_length(parts.X_test), parts.y_test))
    return np.array(accuracy)
