"""Generative classifiers and their discriminative partners: learning curves on the same training sets.

Simulated tasks have fresh training sets and fresh test sets, so that runs are independent. Of real data a third is held
out, many times; each time the models are fitted to some training sets of each size from the other two thirds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from course import datasets
from course.studies.resampled import Mean, mean_of
from course.studies.same_limit_or_not.normals import TwoNormals
from probml.curves import GDA, GaussianNB, LogisticRegression, Model
from probml.curves.subsets import Subsets
from probml.threads import one_blas_thread

Array = NDArray[np.float64]
Labels = NDArray[np.intp]
RIDGE = 1e-3  # keeps covariances of few examples regular, and weights finite where classes are separable
TESTS = 1000  # fresh test examples for each simulated training set
HELD_OUT = 3  # one row of real data in this many
TRAINING_SETS = 12  # of each size, for each split of real data
ROWS = 5000  # of the largest data set
MIN_OF_CLASS = 2  # training examples of each class
LINEAR: Mapping[str, Model] = {
    "naive Bayes": GaussianNB(var_smoothing=RIDGE),
    "LDA": GDA("shared", ridge=RIDGE),
    "QDA": GDA("per-class", ridge=RIDGE),
    "linear logistic": LogisticRegression(l2=RIDGE),
}
QUADRATIC: Mapping[str, Model] = {"quadratic logistic": LogisticRegression(l2=RIDGE)}
PAIRS = {
    "naive Bayes v. linear": ("naive Bayes", "linear logistic"),
    "LDA v. linear": ("LDA", "linear logistic"),
    "QDA v. quadratic": ("QDA", "quadratic logistic"),
}


def with_products(X: Array) -> Array:
    """x_j and x_j x_k for j ≤ k: shape (..., n + n (n + 1) / 2)."""
    products = [X[..., j] * X[..., k] for j, k in combinations_with_replacement(range(X.shape[-1]), 2)]
    return np.concatenate([X, np.stack(products, axis=-1)], axis=-1)


@dataclass(frozen=True)
class PairCurves:
    """Test errors of all models, shape (sizes, runs), on the same sets.

    overlap : 0 for independent runs, else test / train of the splits (see course/studies/resampled.py)
    """

    title: str
    sizes: tuple[int, ...]
    error: Mapping[str, Array]
    overlap: float = 0.0

    def mean(self, model: str) -> Array:
        """For each size."""
        return self.error[model].mean(axis=1)

    def lead(self, pair: str, place: int) -> Mean:
        """Error of the generative minus that of the discriminative model at a size: negative, the first is ahead."""
        generative, discriminative = PAIRS[pair]
        return mean_of(self.error[generative][place] - self.error[discriminative][place], overlap=self.overlap)

    def leads(self, pair: str) -> list[Mean]:
        """At every size."""
        return [self.lead(pair, place) for place in range(len(self.sizes))]


def truths() -> dict[str, TwoNormals]:
    """Five features: independent, dependent in the same way in both classes, dependent in two ways."""

    def decaying(r: float) -> Array:
        return r ** np.abs(np.subtract.outer(np.arange(5), np.arange(5)))

    shift = 0.7 * np.array([1.0, 0.8, 0.6, 0.4, 0.2])
    return {
        "diagonal Σ": TwoNormals([-shift, shift], np.eye(5)),
        "one full Σ": TwoNormals([-shift, shift], decaying(0.7)),
        "two full Σ": TwoNormals([-shift / 2, shift / 2], [decaying(0.7), decaying(-0.5)]),
    }


def fresh(title: str, truth: TwoNormals, sizes: Sequence[int], runs: int, seed: Sequence[int]) -> PairCurves:
    """Every training set and every test set is drawn anew."""
    error: dict[str, list[Array]] = {}
    for m in sizes:
        rng = np.random.default_rng([*seed, m])
        X, y = truth.draw(m, rng, runs)
        Z, truth_of = truth.draw(TESTS, rng, runs)
        with one_blas_thread():
            for name, wrong in _wrong(X, y, Z, truth_of):
                error.setdefault(name, []).append(wrong)
    return PairCurves(title, tuple(sizes), {name: np.array(each) for name, each in error.items()})


def real(name: str, sizes: Sequence[int], splits: int, seed: Sequence[int]) -> PairCurves:
    """Of the continuous features of a data set, standardised; errors are means over the training sets of a split."""
    data = datasets.load(name)
    rows = np.sort(np.random.default_rng(seed).permutation(len(data.y))[:ROWS])
    X, y = data.X[np.ix_(rows, data.continuous)], data.y[rows]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    test = len(y) // HELD_OUT
    error: dict[str, list[list[float]]] = {}
    for split in range(splits):
        rng = np.random.default_rng([*seed, split])
        order = rng.permutation(len(y))
        held_out, others = order[:test], order[test:]
        for place, m in enumerate(sizes):
            sets = np.stack([_training_set(y, others, m, rng) for _ in range(TRAINING_SETS)])
            Z, labels = (np.broadcast_to(each[held_out], (TRAINING_SETS, *each[held_out].shape)) for each in (X, y))
            with one_blas_thread():
                for model, wrong in _wrong(X[sets], y[sets], Z, labels):
                    error.setdefault(model, [[] for _ in sizes])[place].append(float(wrong.mean()))
    return PairCurves(
        name, tuple(sizes), {model: np.array(each) for model, each in error.items()}, test / (len(y) - test)
    )


def _wrong(X: Array, y: Labels, Z: Array, truth: Labels) -> Iterator[tuple[str, Array]]:
    """Each model and its test errors, shape (sets,). X : (sets, m, n). y : (sets, m). Z : (sets, t, n)."""
    for models, lift in ((LINEAR, lambda A: A), (QUADRATIC, with_products)):
        subsets = Subsets(lift(X), y, K=2)
        for name, model in models.items():
            (scores,) = model.fit(subsets).scores.values()
            lifted = lift(Z)
            yield (
                name,
                np.array(
                    [np.mean((scores.of(lifted[k], slice(k, k + 1))[0, 0] > 0) != truth[k]) for k in range(len(lifted))]
                ),
            )


def _training_set(y: Labels, rows: Labels, m: int, rng: np.random.Generator) -> Labels:
    while True:
        drawn = rng.permutation(rows)[:m]
        if np.bincount(y[drawn], minlength=2).min() >= MIN_OF_CLASS:
            return drawn
