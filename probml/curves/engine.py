"""The engine: splits of each size in batches, batches over all cores, and what all splits say together."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import get_args

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike
from tqdm import tqdm

from probml.compiled import require_compiler
from probml.curves.checks import examples, require_whole, training_sizes
from probml.curves.pool import Pool, Ties
from probml.curves.splits import draw_splits
from probml.curves.subsets import Model, Subsets
from probml.errors import ParameterError
from probml.threads import one_blas_thread
from probml.typing import Array, Indices, Mask

COPIES = 4  # arrays of the size of a batch that a fit holds at once
SCORED = 32  # share of the memory that scores of all rows may take, one over this: small enough to stay in the cache


@dataclass(frozen=True)
class Curve:
    """Losses of one model on the test parts of all splits.

    sizes : of the training subsets, shape (S,). losses : shape (S, splits).
    """

    sizes: Indices
    losses: Array

    @property
    def mean(self) -> Array:
        """Mean over the splits, shape (S,)."""
        mean: Array = self.losses.mean(axis=1)
        return mean

    @property
    def standard_error(self) -> Array:
        """Of the mean, shape (S,): standard deviation of the splits / √splits.

        Splits are drawn from the same examples, which this takes as given: it says how well the mean over all possible
        splits of these examples is known, not how it would vary with other examples.
        """
        n = self.losses.shape[1]
        if n < 2:
            raise ParameterError("a standard error needs two splits or more")
        error: Array = self.losses.std(axis=1, ddof=1) / np.sqrt(n)
        return error

    def band(self, level: float = 0.95) -> tuple[Array, Array]:
        """Confidence limits of the mean, mean ± z standard errors, each of shape (S,)."""
        if not 0 < level < 1:
            raise ParameterError(f"level must be between 0 and 1, received {level!r}")
        z = NormalDist().inv_cdf((1 + level) / 2)
        return self.mean - z * self.standard_error, self.mean + z * self.standard_error


@dataclass(frozen=True)
class Curves:
    """Learning curves of several models on the same splits.

    error : share of errors on the test part, a Curve for each model (and rule). log_loss : likewise, if it was asked
    for; NaN for splits whose rule gives classes but no probabilities. separable : share of completely separable
    training subsets, shape (S,), of each model that looks for them.
    """

    sizes: Indices
    error: Mapping[str, Curve]
    log_loss: Mapping[str, Curve]
    separable: Mapping[str, Array]


def learning_curves(
    X: ArrayLike,
    y: ArrayLike,
    sizes: Iterable[int],
    models: Mapping[str, Model],
    *,
    n_splits: int = 1000,
    seed: int = 0,
    log_loss: bool = False,
    ties: Ties = "first",
    batch_bytes: int = 2**26,
    n_jobs: int = -1,
    progress: bool = True,
) -> Curves:
    """Test errors of `models` fitted to random training subsets of X, shape (N, n), and labels y, shape (N,).

    For each size, `n_splits` training subsets are drawn uniformly among those that hold every class; the rest is the
    test part. All models see the same splits. Errors depend on the data, the sizes' values, the seed and n_splits only:
    not on batch_bytes, n_jobs, the order of the sizes, or which other models there are. Log losses may depend on
    batch_bytes, by rounding.

    models : a name for each. A model with several rules for separable subsets gives a curve for each, "name (rule)".
    ties : scores that are equal to rounding give the "first" class, as `predict` does, the "last" of those that are
        equal, or "half" an error (a share of one, if more than two are equal).
    batch_bytes : memory of a worker, roughly. n_jobs : of joblib, whose `parallel_config(backend=...)` around the call
        sends batches elsewhere, "dask" to a cluster. progress : a bar on the terminal, if there is one.
    """
    require_compiler()
    X, classes, codes = examples(X, y)
    sizes = training_sizes(sizes, codes, classes)
    n_splits, seed = require_whole("n_splits", n_splits, 1), require_whole("seed", seed, 0)
    memory = require_whole("batch_bytes", batch_bytes, 1)
    _check_models(models, X, len(classes))
    if ties not in get_args(Ties):
        raise ParameterError(f"ties must be of {', '.join(get_args(Ties))}; received {ties!r}")
    pool = Pool.of(X, codes)
    found: list[Losses] = []
    bar = tqdm(total=len(sizes) * n_splits, unit="split", disable=not (progress and sys.stderr.isatty()), leave=False)
    work = _batches(codes, sizes, n_splits, seed, X.shape[1], memory)
    settings = (dict(models), seed, ties, memory, bool(log_loss))
    with bar:
        parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
        for losses in parallel(delayed(run_batch)(pool, batch, *settings) for batch in work):
            found.append(losses)
            bar.update(len(losses.batch.train))
    return _joined(found, sizes, n_splits)


@dataclass(frozen=True)
class Batch:
    """Some training subsets of one size. size : its place among the sizes. train : rows, shape (B, m)."""

    size: int
    first: int
    train: Indices


@dataclass(frozen=True)
class Losses:
    """Of a batch: errors and log losses of each curve, and separable subsets of each model, all of shape (B,)."""

    batch: Batch
    error: dict[str, Array]
    log_loss: dict[str, Array]
    separable: dict[str, Mask]


def run_batch(
    pool: Pool, batch: Batch, models: Mapping[str, Model], seed: int, ties: Ties, memory: int, log_loss: bool = False
) -> Losses:
    """Fit all models to a batch of training subsets, and test them. memory : bytes of a batch, roughly."""
    losses = Losses(batch, {}, {}, {})
    with one_blas_thread():
        rows, y = pool.rows[pool.row_of[batch.train]], pool.y[batch.train]
        subsets = Subsets(rows, y, pool.count.shape[1], seed, batch.first)
        fits = {name: model.fit(subsets) for name, model in models.items()}
        del subsets, rows
        for name, fit in fits.items():
            if fit.separable is not None:
                losses.separable[name] = fit.separable
            for rule, scores in fit.scores.items():
                title = f"{name} ({rule})" if len(fit.scores) > 1 else name
                losses.error[title], loss = pool.test_losses(scores, batch.train, ties, log_loss, memory // SCORED)
                if loss is not None:
                    if fit.separable is not None and rule in fit.direction_only:
                        loss[fit.separable] = np.nan
                    losses.log_loss[title] = loss
    return losses


def _batches(codes: Indices, sizes: list[int], n_splits: int, seed: int, n: int, memory: int) -> Iterator[Batch]:
    """Batches that fit into the memory, those of the largest subsets first, so that short ones fill up at the end."""
    for place in sorted(range(len(sizes)), key=lambda place: -sizes[place]):
        m = sizes[place]
        train = draw_splits(codes, m, n_splits, seed)
        number = max(1, memory // (8 * COPIES * m * (n + 1)))
        for first in range(0, n_splits, number):
            yield Batch(place, first, train[first : first + number])


def _joined(found: list[Losses], sizes: list[int], n_splits: int) -> Curves:
    order = np.array(sizes)

    def collected(kind: str) -> dict[str, Array]:
        arrays = {name: np.empty((len(sizes), n_splits)) for name in getattr(found[0], kind)}
        for losses in found:
            place, first = losses.batch.size, losses.batch.first
            for name, values in getattr(losses, kind).items():
                arrays[name][place, first : first + len(values)] = values
        return arrays

    return Curves(
        order,
        {name: Curve(order, losses) for name, losses in collected("error").items()},
        {name: Curve(order, losses) for name, losses in collected("log_loss").items()},
        {name: separable.mean(axis=1) for name, separable in collected("separable").items()},
    )


def _check_models(models: Mapping[str, Model], X: Array, K: int) -> None:
    if not isinstance(models, Mapping) or not models:
        raise ParameterError(f"models must be a mapping from names to models of probml.curves, received {models!r}")
    for name, model in models.items():
        if not (hasattr(model, "check") and hasattr(model, "fit")) or isinstance(model, type):
            raise ParameterError(
                f"models[{name!r}] is {model!r}, not a model of probml.curves such as GaussianNB() or "
                "LogisticRegression(separable='margin')"
            )
        model.check(X, K)
