"""Naive Bayes, the SVM and NBSVM with settings that are chosen on the training part alone."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course.studies.nb_svm_nbsvm.collections import Collection, Parts, folds
from course.studies.nb_svm_nbsvm.models import NAMES
from probml.linear_model import LinearSVC
from probml.naive_bayes import MultinomialNB
from probml.nbsvm import NBSVM

Model = MultinomialNB | LinearSVC | NBSVM
ALPHAS = (3.0, 1.0, 0.3, 0.1, 0.03)
PENALTIES = {"SVM": (0.001, 0.01, 0.1, 1.0), "NBSVM": (0.01, 0.1, 1.0)}  # C: weight of the loss against the penalty
BETAS = (0.0, 0.1, 0.25, 0.5, 1.0)


class Setting(NamedTuple):
    """The numbers that a model was given; those that it does not have are left at 0."""

    alpha: float = 0.0
    C: float = 0.0
    beta: float = 0.0


def candidates(name: str, parts: Parts, alpha: float) -> Iterator[tuple[Setting, Model]]:
    """Each setting of a model with the model fitted to the training part, strong smoothing and penalties first.

    alpha : of NBSVM, which takes the smoothing that was chosen for naive Bayes
    """
    X, y = parts.X_train, parts.y_train
    match name:
        case "MNB":
            yield from ((Setting(alpha=each), MultinomialNB(alpha=each).fit(X, y)) for each in ALPHAS)
        case "SVM":
            svm = LinearSVC(warm_start=True)  # each fit begins where the one before has ended
            for C in PENALTIES["SVM"]:
                yield Setting(C=C), svm.set_params(l2=1 / (2 * C)).fit(X, y)
        case "NBSVM":
            for C in PENALTIES["NBSVM"]:
                fitted = NBSVM(alpha=alpha, C=C).fit(X, y)
                yield from ((Setting(alpha, C, beta), fitted.with_beta(beta)) for beta in BETAS)
        case _:
            raise ValueError(f"expected one of {', '.join(NAMES)}, received {name!r}")


def chosen(name: str, inner: Sequence[Parts], alpha: float = 0.0) -> Setting:
    """The setting with the most validation texts right over all inner folds; of several, the first."""
    right: dict[Setting, int] = {}
    for parts in inner:
        for setting, model in candidates(name, parts, alpha):
            right[setting] = right.get(setting, 0) + np.count_nonzero(model.predict(parts.X_test) == parts.y_test)
    return max(right, key=right.__getitem__)


def with_setting(name: str, setting: Setting) -> Model:
    """The model, not fitted yet."""
    return {
        "MNB": lambda: MultinomialNB(alpha=setting.alpha),
        "SVM": lambda: LinearSVC(l2=1 / (2 * setting.C)),
        "NBSVM": lambda: NBSVM(alpha=setting.alpha, C=setting.C, beta=setting.beta),
    }[name]()


class Tuned(NamedTuple):
    """What was chosen for each model, and which test texts it then gets right."""

    settings: dict[str, Setting]
    right: dict[str, NDArray[np.bool_]]


def tuned(
    collection: Collection,
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    seed: int,
    validation_folds: tuple[int, int] = (3, 3),
) -> Tuned:
    """Settings chosen within the training part, then one fit to all of it; the test part is seen last.

    validation_folds : into how many folds the training part is cut, and how many of them serve for validation
    """
    n_folds, n_used = validation_folds
    cuts = islice(folds(len(train), n_folds, seed), n_used)
    inner = [collection.cut(train[fit], train[validation]) for fit, validation in cuts]
    settings = {name: chosen(name, inner) for name in ("MNB", "SVM")}
    settings["NBSVM"] = chosen("NBSVM", inner, settings["MNB"].alpha)
    parts = collection.cut(train, test)
    fits = {name: with_setting(name, settings[name]).fit(parts.X_train, parts.y_train) for name in NAMES}
    return Tuned(settings, {name: fits[name].predict(parts.X_test) == parts.y_test for name in NAMES})
