"""Families that a pixel of a digit might have."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from course.studies.held_out import Entrant
from probml.families import Binomial
from probml.metrics import log_loss
from probml.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MixedNB, MultinomialNB

LEVELS = 16  # most ink of a pixel
DARK = 8  # from so much ink on a pixel counts as dark
SHARES = (0.001, 0.01, 0.1, 0.3, 1.0, 3.0)  # of the largest variance, to be added to every variance


class ChosenShareNB:
    """Gaussian naive Bayes whose `var_smoothing` has the smallest log loss on every third of the examples to fit.

    The share is chosen among `SHARES` with a model fitted to the other two thirds; the model used is fitted to all.
    """

    def fit(self, X: NDArray[np.float64], y: NDArray[np.intp]) -> "ChosenShareNB":
        """Fit to X, shape (m, n), in random order, and classes y, shape (m,)."""
        tried = np.arange(len(y)) % 3 == 0
        losses = [
            log_loss(y[tried], GaussianNB(var_smoothing=s).fit(X[~tried], y[~tried]).predict_log_proba(X[tried]))
            for s in SHARES
        ]
        self.share_ = SHARES[int(np.argmin(losses))]
        self.model_ = GaussianNB(var_smoothing=self.share_).fit(X, y)
        return self

    def predict_log_proba(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """log p(y = j | x), shape (m, K)."""
        return self.model_.predict_log_proba(X)

    def predict_proba(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """p(y = j | x), shape (m, K)."""
        return self.model_.predict_proba(X)

    def predict(self, X: NDArray[np.float64]) -> NDArray[np.intp]:
        """The class with the largest posterior, shape (m,)."""
        return self.model_.predict(X)


def families(ink: NDArray[np.float64]) -> dict[str, Entrant]:
    """ink : 0 to 16 for each pixel, shape (m, 64). The multinomial is one family for all pixels of an image."""
    return {
        "Bernoulli": Entrant((ink >= DARK).astype(np.float64), BernoulliNB),
        "categorical": Entrant(ink, partial(CategoricalNB, min_categories=LEVELS + 1)),
        "normal, share of 1 %": Entrant(ink, partial(GaussianNB, var_smoothing=0.01)),
        "normal, share chosen": Entrant(ink, ChosenShareNB),
        "multinomial": Entrant(ink, MultinomialNB),
        "binomial": Entrant(ink, partial(MixedNB, Binomial(LEVELS))),
    }


def sureness_when_wrong(entrant: Entrant, digit: NDArray[np.intp], train: int, seed: int | list[int]) -> float:
    """Median posterior of the chosen class where it is wrong, of a model fitted to `train` random images."""
    order = np.random.default_rng(seed).permutation(len(digit))
    own, other = order[:train], order[train:]
    posterior = entrant.make().fit(entrant.X[own], digit[own]).predict_proba(entrant.X[other])
    wrong = posterior.argmax(axis=1) != digit[other]
    return float(np.median(posterior[wrong].max(axis=1)))


def lead(entrant: Entrant, digit: NDArray[np.intp], train: int, seed: int | list[int]) -> float:
    """By how many nats the best class leads the second best in the median image not among `train` random ones."""
    order = np.random.default_rng(seed).permutation(len(digit))
    own, other = order[:train], order[train:]
    ranked = np.sort(entrant.make().fit(entrant.X[own], digit[own]).predict_log_proba(entrant.X[other]), axis=1)
    return float(np.median(ranked[:, -1] - ranked[:, -2]))
