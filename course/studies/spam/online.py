"""Learning message by message: predict first, then look at the label and learn."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from probml.naive_bayes import MultinomialNB


class Prequential(NamedTuple):
    """What the filter said of each message before it was learned.

    log_loss : -log p(y_i | x_i), shape (m,). wrong : whether the verdict was, shape (m,). model : at the end.
    """

    log_loss: NDArray[np.float64]
    wrong: NDArray[np.bool_]
    model: MultinomialNB


def prequential(X: sparse.csr_array, y: NDArray[np.intp], alpha: float, prior_alpha: float = 0.0) -> Prequential:
    """Go through the messages in their order. y : 0 or 1; both classes are announced before the first message.

    prior_alpha : pseudo-messages of each class in the class prior. With 0 the first message of a class comes as a
        surprise without bound: its class had the probability 0. Before anything is seen, both classes have 1/2.
    """
    if (other := ~np.isin(y, (0, 1))).any():
        row = int(np.argmax(other))
        raise ValueError(f"y must be 0 or 1, received the label {y[row]} in row {row}")
    model, count = MultinomialNB(alpha=alpha), np.full(2, float(prior_alpha))
    losses, wrong = np.empty(len(y)), np.empty(len(y), dtype=bool)
    for i, label in enumerate(y):
        x = X[[i]]
        log_posterior = model.predict_log_proba(x)[0] if i else np.full(2, -np.log(2))
        losses[i], wrong[i] = -log_posterior[label], log_posterior.argmax() != label
        count[label] += 1
        model.class_prior = count / count.sum()
        model.partial_fit(x, [label], classes=[0, 1])
    return Prequential(losses, wrong, model)


class Progress(NamedTuple):
    """Errors on the way through a stream of messages, and of filters that learned its beginning at once.

    edges : ends of the windows of the stream, shape (w + 1,). wrong, judged : messages within each window, over all
        orders, shape (w,). sizes, batch : messages learned at once, and the error on those outside the stream.
    all_ham : error of calling everything ham.
    """

    edges: NDArray[np.intp]
    wrong: NDArray[np.intp]
    judged: NDArray[np.intp]
    sizes: NDArray[np.intp]
    batch: NDArray[np.float64]
    all_ham: float


def progress(
    X: sparse.csr_array,
    y: NDArray[np.intp],
    alpha: float,
    *,
    edges: Sequence[int],
    orders: int,
    rng: np.random.Generator,
) -> Progress:
    """Learn streams of edges[-1] messages in several random orders. The first edge may be 0; sizes are the others."""
    bounds = np.array(edges)
    sizes = bounds[bounds > 0]
    wrong, batch = np.zeros(len(bounds) - 1, dtype=np.intp), np.zeros(len(sizes))
    for _ in range(orders):
        order = rng.permutation(len(y))
        stream, others = order[: bounds[-1]], order[bounds[-1] :]
        run = prequential(X[stream], y[stream], alpha, prior_alpha=1.0)
        wrong += [int(run.wrong[low:high].sum()) for low, high in pairwise(bounds)]
        for k, n in enumerate(sizes):
            prior = (np.bincount(y[stream[:n]], minlength=2) + 1) / (n + 2)
            model = MultinomialNB(alpha=alpha, class_prior=prior).partial_fit(X[stream[:n]], y[stream[:n]], [0, 1])
            batch[k] += np.mean(model.predict(X[others]) != y[others]) / orders
    return Progress(bounds, wrong, orders * np.diff(bounds), sizes, batch, float(np.mean(y)))
