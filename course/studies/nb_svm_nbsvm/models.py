"""The three models with the published settings, and how many of the test texts they get right."""

from collections.abc import Iterable, Sequence

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from course.studies.nb_svm_nbsvm.collections import Collection, Parts
from probml.linear_model import LinearSVC
from probml.naive_bayes import MultinomialNB
from probml.nbsvm import NBSVM

NAMES = ("MNB", "SVM", "NBSVM")


def model(name: str) -> MultinomialNB | LinearSVC | NBSVM:
    """MNB: alpha = 1. SVM: C = .1. NBSVM: alpha = 1, C = 1, beta = 1/4."""
    return {
        "MNB": MultinomialNB(alpha=1.0),
        "SVM": LinearSVC(l2=1 / (2 * 0.1)),
        "NBSVM": NBSVM(alpha=1.0, C=1.0, beta=0.25),
    }[name]


def fitted(name: str, parts: Parts) -> MultinomialNB | LinearSVC | NBSVM:
    """The model of this name, fitted to the training part."""
    return model(name).fit(parts.X_train, parts.y_train)


def fit_together(names: Iterable[str], parts: Parts) -> list[MultinomialNB | LinearSVC | NBSVM]:
    """Several models of one training part, each in a thread of its own: products of sparse matrices need no lock."""
    return Parallel(n_jobs=2, prefer="threads")(delayed(fitted)(name, parts) for name in names)


def accuracies(
    collection: Collection, splits: Iterable[tuple[NDArray[np.intp], NDArray[np.intp]]], names: Iterable[str]
) -> NDArray[np.float64]:
    """Accuracy in percent on each test part, shape (splits, models)."""
    return accuracies_and_sweeps(collection, splits, names, ())[0]


def accuracies_and_sweeps(
    collection: Collection,
    splits: Iterable[tuple[NDArray[np.intp], NDArray[np.intp]]],
    names: Iterable[str],
    betas: Sequence[float],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Accuracy in percent on each test part, shape (splits, models), and of NBSVM by beta, shape (splits, betas)."""
    names = list(names)

    def one(train: NDArray[np.intp], test: NDArray[np.intp]) -> tuple[list[float], list[float]]:
        parts = collection.cut(train, test)
        models = {name: fitted(name, parts) for name in names}
        swept = [models["NBSVM"].with_beta(beta) for beta in betas]
        return tuple([each.score(parts.X_test, parts.y_test) for each in group] for group in (models.values(), swept))

    found = Parallel(n_jobs=2, prefer="threads")(delayed(one)(train, test) for train, test in splits)
    return tuple(100 * np.array(part) for part in zip(*found, strict=True))
