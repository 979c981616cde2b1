"""Each model on documents of its own making."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus
from course.studies.event_models.length import tokens_of
from course.studies.event_models.pieces import right
from course.studies.sweeps import by_information
from probml.naive_bayes import BernoulliNB, MultinomialNB


def right_at_home(
    corpus: Corpus, words: int, alpha: float, small_alpha: float, simulated: int, seed: int
) -> dict[str, dict[str, NDArray[np.bool_]]]:
    """Which test documents each model classifies rightly: drawn from the multinomial model, from Bernoulli's, and real.

    Both models are fitted to the most informative words with little smoothing. They draw `simulated` documents for
    training and half as many for the test, the multinomial model with the numbers of words of real documents.
    """
    part = corpus.restricted_to(by_information(corpus)[:words])
    lengths, found = tokens_of(part.X_train), {}
    for k, (name, model) in enumerate((("multinomial", MultinomialNB), ("Bernoulli", BernoulliNB))):
        rng = np.random.default_rng([seed, 4, k])
        maker = model(alpha=small_alpha).fit(part.X_train, part.y_train)
        drawn = []
        for n in (simulated, simulated // 2):
            options = {"length": rng.choice(lengths, n)} if name == "multinomial" else {}
            drawn.append(maker.sample(n, rng, **options))
        (X_train, y_train), (X_test, y_test) = drawn
        made = replace(part, X_train=X_train, y_train=y_train, X_test=X_test, y_test=y_test)
        found[f"drawn from the {name} model"] = right(made, alpha)
    return found | {"real posts": right(part, alpha)}
