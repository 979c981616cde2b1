"""The protocol of the database, run by ourselves: five random test parts, five training parts within each."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB

from course.datasets import load
from course.studies.two_regimes.ladder import in_own_units, standardised
from course.studies.two_regimes.leads import OUTER_SPLITS, OVERLAP
from probml.threads import one_blas_thread

Array = NDArray[np.float64]
INNER = 5  # training parts within an outer split
TEST, VALIDATION = 0.1, 0.1  # shares that are set aside, the second one of what the first leaves

# As the database has them: scikit-learn's classifiers as they come.
LEARNERS: dict[str, ClassifierMixin] = {
    "lda": LinearDiscriminantAnalysis(),
    "logistic": LogisticRegression(),
    "bernoulli-nb": BernoulliNB(),
}


def splits(rows: int, m: int, rng: np.random.Generator) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Rows to train on, shape (m,), and to test on: 25 pairs, five for each random tenth of the rows.

    The database also sets a tenth of the rest aside for validation, which limits the largest m and nothing else; it
    draws classes in proportion to their sizes, we draw rows at random.
    """
    for _ in range(OUTER_SPLITS):
        order = rng.permutation(rows)
        test, learn = np.split(order, [int(TEST * rows)])
        for _ in range(INNER):
            yield rng.permutation(learn)[:m], test


def redone(sizes: Sequence[int], seed: int) -> dict[tuple[str, int], Array]:
    """Errors of the learners on optdigits, all ten digits as the file has them, by learner and size. Shape (25,)."""
    data = load("optdigits")
    work = [(name, m) for m in sizes for name in LEARNERS]
    found = Parallel(n_jobs=-1)(
        delayed(_errors)(LEARNERS[name], data.X, data.y, m, np.random.default_rng([seed, 7, m])) for name, m in work
    )
    return dict(zip(work, found, strict=True))


@dataclass(frozen=True)
class Calibration:
    """How much the mean lead of 25 repeats varies between data sets of the same kind.

    spread : its standard deviation over disjoint data sets. plain, conservative : the standard errors that one data set
    would state, on average.
    """

    spread: float
    plain: float
    conservative: float


def calibration(m: int, rows: int, number: int, seed: int) -> Calibration:
    """The protocol at one size, on disjoint data sets of so many rows each, cut from the census of adults at random.

    LDA against logistic regression (λ = 1), on standardised continuous inputs.
    """
    X, y = in_own_units("adult-continuous")
    X = standardised(X)
    order = np.random.default_rng([seed, 8]).permutation(len(y))
    sets = order[: number * rows].reshape(number, rows)
    models = {"g": LinearDiscriminantAnalysis(), "d": LogisticRegression()}
    found = Parallel(n_jobs=-1)(
        delayed(_both)(models, X[some], y[some], m, np.random.default_rng([seed, 9, m, k]))
        for k, some in enumerate(sets)
    )
    leads = np.array([errors["d"].mean() - errors["g"].mean() for errors in found])
    sd = np.array([np.hypot(errors["g"].std(ddof=1), errors["d"].std(ddof=1)) for errors in found])
    return Calibration(
        float(leads.std(ddof=1)),
        float(sd.mean() / np.sqrt(OUTER_SPLITS * INNER)),
        float(sd.mean() * np.sqrt(1 / OUTER_SPLITS + OVERLAP)),
    )


def _both(
    models: Mapping[str, ClassifierMixin], X: Array, y: NDArray[np.intp], m: int, rng: np.random.Generator
) -> dict[str, Array]:
    state = rng.bit_generator.state
    found = {}
    for name, model in models.items():
        rng.bit_generator.state = state  # the same splits for both
        found[name] = _errors(model, X, y, m, rng)
    return found


def _errors(model: ClassifierMixin, X: Array, y: NDArray[np.intp], m: int, rng: np.random.Generator) -> Array:
    with warnings.catch_warnings(), one_blas_thread():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.array(
            [
                np.mean(clone(model).fit(X[train], y[train]).predict(X[test]) != y[test])
                for train, test in splits(len(y), m, rng)
            ]
        )
