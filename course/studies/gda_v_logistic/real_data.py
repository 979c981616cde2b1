"""Learning curves on real data: models fitted to training sets drawn from one side of random splits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from course import datasets
from course.studies.gda_v_logistic.discretised import DiscretisedNB
from course.studies.ng_jordan import ng_jordan
from course.studies.resampled import Mean, resampled_interval
from probml import curves
from probml.curves.subsets import Model, Subsets
from probml.threads import one_blas_thread

Array = NDArray[np.float64]
HELD_OUT = 3  # one row in this many is held out for the test
MIN_OF_CLASS = 2  # training examples of each class
MODELS: Mapping[str, Model] = {
    "GDA": curves.GDA(),
    "GDA, shrunken": curves.GDA(shrinkage=0.1, ridge=1e-4),
    "GDA, per class": curves.GDA("per-class", shrinkage=0.1, ridge=1e-4),
    "logistic": curves.LogisticRegression(separable="ridge"),
    "6 bins": DiscretisedNB(6),
}


@dataclass(frozen=True)
class Task:
    """X : features from 0 to 1, shape (N, n). y : 0 and 1, shape (N,). sizes : numbers of training examples."""

    title: str
    X: Array
    y: NDArray[np.intp]
    sizes: tuple[int, ...]


def tasks() -> list[Task]:
    """Sex by height and weight, diabetes, radar returns. The last size is all that a split leaves for training."""
    howell = datasets.load("howell")
    columns = [howell.feature_names.index(name) for name in ("height", "weight", "age")]
    height_weight, age = howell.X[:, columns[:2]], howell.X[:, columns[2]]
    adults = height_weight[age >= 18]
    scaled = (adults - adults.min(axis=0)) / np.ptp(adults, axis=0)
    found = [Task("sex by height and weight", scaled, howell.y[age >= 18], (20, 40, 80, 160, 235))]
    for title, name, sizes in (
        ("diabetes", "pima", (20, 40, 80, 160, 320, 512)),
        ("radar returns", "ionosphere", (60, 100, 150, 234)),
    ):
        task = ng_jordan(name)
        found.append(Task(title, task.X, task.y, sizes))
    return found


@dataclass(frozen=True)
class Curves:
    """Errors on held-out rows, means over the training sets of each split, by model: shape (sizes, splits).

    separable : proportion of training sets that a line separates, shape (sizes,). train, test : rows on either side.
    """

    task: Task
    error: Mapping[str, Array]
    separable: Array
    train: int
    test: int

    def mean(self, model: str) -> Array:
        """For each size, shape (sizes,)."""
        return self.error[model].mean(axis=1)

    def lead(self, over: str, under: str, place: int, level: float = 0.95) -> Mean:
        """Error of `over` minus that of `under` at one size: positive where `under` is ahead.

        The interval is that of repeated splits. Two splits share test rows as the splits of all rows into `train` and
        `test` do; training sets smaller than `train` share fewer rows, so that it is rather too wide than too short.
        """
        return resampled_interval(self.error[over][place] - self.error[under][place], self.train, self.test, level)


def learning_curves(
    task: Task, splits: int, training_sets: int, seed: list[int], models: Mapping[str, Model] = MODELS
) -> Curves:
    """Hold out a third of the rows, `splits` times; each time fit to `training_sets` random sets of each size."""
    N, test = len(task.y), len(task.y) // HELD_OUT
    if max(task.sizes) > N - test:
        raise ValueError(f"{task.title} leaves {N - test} rows for training, fewer than {max(task.sizes)}")
    one = partial(_of_one_split, task, test, training_sets, models)
    found = Parallel(n_jobs=-1)(delayed(one)([*seed, split]) for split in range(splits))
    error = {name: np.stack([each[name] for each, _ in found], axis=1) for name in models}
    return Curves(task, error, np.mean([apart for _, apart in found], axis=0), N - test, test)


def _of_one_split(
    task: Task, test: int, training_sets: int, models: Mapping[str, Model], seed: Sequence[int]
) -> tuple[dict[str, Array], Array]:
    """Mean error of each model for each size, and the proportion of training sets that are separable."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(task.y))
    Z, truth, rows = task.X[order[:test]], task.y[order[:test]], order[test:]
    error: dict[str, list[float]] = {name: [] for name in models}
    separable = []
    with one_blas_thread():
        for m in task.sizes:
            # All rows are one training set only, whatever their order.
            sets = np.stack([_training_set(task.y, rows, m, rng) for _ in range(training_sets if m < len(rows) else 1)])
            subsets = Subsets(task.X[sets], task.y[sets], 2)
            apart = 0.0
            for name, model in models.items():
                fit = model.fit(subsets)
                (scores,) = fit.scores.values()
                wrong = (scores.of(Z, slice(0, len(sets)))[:, 0] > 0) != truth
                error[name].append(float(wrong.mean()))
                apart = apart if fit.separable is None else float(fit.separable.mean())
            separable.append(apart)
    return {name: np.array(each) for name, each in error.items()}, np.array(separable)


def _training_set(y: NDArray[np.intp], rows: NDArray[np.intp], m: int, rng: np.random.Generator) -> NDArray[np.intp]:
    while True:
        drawn = rng.permutation(rows)[:m]
        if np.bincount(y[drawn], minlength=2).min() >= MIN_OF_CLASS:
            return drawn
