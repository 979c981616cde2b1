"""All contenders on the same splits: nested training parts, and a part held out that is the same for all sizes."""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from probml.comparison.columns import Examples
from probml.comparison.contenders import CONTENDERS, Contender, Design, Scaling
from probml.errors import DataError
from probml.threads import one_blas_thread
from probml.typing import Array, Indices

HELD_OUT = 0.2  # of the rows, in every split
SIZES = 10
SMALLEST = 10  # rows to learn from
BINS = 10  # of the probability of the predicted class, from 0 to 1
FEWEST_SPLITS = 3
MOST_NATS = 1e9  # for a probability of 0, so that means stay numbers

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Race:
    """What came out, for R splits, M contenders, S sizes.

    error, log_loss : shape (R, M, S). bins : of the held-out rows at the largest size by the probability of the class
    predicted: their number, the sum of these probabilities, and how many were right, shape (R, M, BINS, 3).
    held_out : rows held out in a split. planned : splits asked for; R is less where it was interrupted.
    """

    examples: Examples
    contenders: tuple[Contender, ...]
    sizes: Indices
    held_out: int
    error: Array
    log_loss: Array
    bins: Array
    planned: int


def run(examples: Examples, splits: int, seed: int, progress: Progress, contenders: Iterable[Contender] = ()) -> Race:
    """One split after the other; Ctrl-C (KeyboardInterrupt) ends the race and keeps the splits that are done."""
    contenders = tuple(contenders) or CONTENDERS
    design = Design.of(examples)
    held_out = max(int(HELD_OUT * len(examples.y)), len(examples.classes))
    try:
        sizes = training_sizes(np.bincount(examples.y), len(examples.y) - held_out)
    except DataError as reason:
        raise DataError(f"{examples.source}: {reason}") from reason
    done: list[tuple[Array, Array, Array]] = []
    with one_blas_thread(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # columns that are combinations of others: one of many equal solutions does
        try:
            for split in range(splits):
                order = stratified_order(examples.y, np.random.default_rng([seed, split]))
                done.append(one_split(design, contenders, sizes, order, held_out))
                progress(len(done), splits)
        except KeyboardInterrupt:
            if len(done) < FEWEST_SPLITS:
                raise
    error, log_loss, bins = (np.stack(each) for each in zip(*done, strict=True))
    return Race(examples, contenders, sizes, held_out, error, log_loss, bins, splits)


def training_sizes(class_count: Indices, largest: int) -> Indices:
    """SIZES sizes at most, in about equal ratios, of which the smallest has two rows or more of every class."""
    N, K = int(class_count.sum()), len(class_count)
    smallest = max(SMALLEST, int(np.ceil(K + 2 * N / class_count.min())))
    if 2 * smallest > largest:
        raise DataError(
            f"{N} rows are too few: with {K} classes, of which the rarest has {class_count.min()} rows, the smallest "
            f"training part needs {smallest}, and the largest has {largest}"
        )
    return np.unique(np.rint(np.geomspace(smallest, largest, SIZES)).astype(np.intp))


def stratified_order(y: Indices, rng: np.random.Generator) -> Indices:
    """A random order in which any stretch has the classes in nearly the shares of the whole."""
    position = np.empty(len(y))
    for k in range(int(y.max()) + 1):
        own = np.flatnonzero(y == k)
        position[rng.permutation(own)] = (np.arange(len(own)) + rng.random()) / len(own)
    return np.argsort(position, kind="stable")


def one_split(
    design: Design, contenders: tuple[Contender, ...], sizes: Indices, order: Indices, held_out: int
) -> tuple[Array, Array, Array]:
    """Errors and log losses, shape (M, S), and bins at the largest size, shape (M, BINS, 3)."""
    y, test = design.examples.y, order[-held_out:]
    error, log_loss = np.empty((2, len(contenders), len(sizes)))
    bins = np.zeros((len(contenders), BINS, 3))
    for s, size in enumerate(sizes):
        train = order[:size]
        scaling = Scaling.of(design.linear[train])
        linear = scaling(design.linear[train]), scaling(design.linear[test])
        for m, contender in enumerate(contenders):
            fitted_to, tested_on = linear if contender.linear else (design.mixed[train], design.mixed[test])
            log_p = contender.fit(design, fitted_to, y[train]).predict_log_proba(tested_on)
            right = log_p.argmax(axis=1) == y[test]
            error[m, s] = 1 - right.mean()
            log_loss[m, s] = np.minimum(-log_p[np.arange(held_out), y[test]], MOST_NATS).mean()
            if s == len(sizes) - 1:
                p = np.exp(log_p.max(axis=1))
                which = np.clip(np.ceil(p * BINS).astype(np.intp) - 1, 0, BINS - 1)
                bins[m] = np.column_stack([np.bincount(which, w, BINS) for w in (np.ones(held_out), p, right)])
    return error, log_loss, bins
