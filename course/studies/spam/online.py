"""Learning message by message: predict first, then look at the label and learn."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from probml.naive_bayes import MultinomialNB


class Prequential(NamedTuple):
    """What was said of each message before it was learned.

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
