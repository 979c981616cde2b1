"""Families that a pixel of a digit might have."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from course.studies.held_out import Entrant
from probml.families import Binomial
from probml.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MixedNB, MultinomialNB

LEVELS = 16  # most ink of a pixel
DARK = 8  # from so much ink on a pixel counts as dark


def families(ink: NDArray[np.float64]) -> dict[str, Entrant]:
    """ink : 0 to 16 for each pixel, shape (m, 64). The multinomial is one family for all pixels of an image."""
    return {
        "Bernoulli": Entrant((ink >= DARK).astype(np.float64), BernoulliNB),
        "categorical": Entrant(ink, partial(CategoricalNB, min_categories=LEVELS + 1)),
        "normal": Entrant(ink, partial(GaussianNB, var_smoothing=0.01)),
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
