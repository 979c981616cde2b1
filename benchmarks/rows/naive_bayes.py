"""Naive Bayes, all event models."""

import numpy as np
import sklearn.naive_bayes as peer
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from benchmarks.rows.classifiers import Problem, rows
from benchmarks.rows.normal_classes import normal_classes
from course.datasets import load
from probml import naive_bayes
from probml.text import BagOfWords


def newsgroups() -> Problem:
    """Word counts of 20 Newsgroups, split by date."""
    data, bag = load("newsgroups"), BagOfWords()
    X = bag.fit_transform(data.train.X)
    return Problem("20 Newsgroups", X, data.train.y, bag.transform(data.test.X))


def categories(m: int = 200_000, n: int = 20, n_categories: int = 10, K: int = 3) -> Problem:
    """n independent features in each of K classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, K, m)
    cumulative = rng.dirichlet(np.ones(n_categories), (K, n)).cumsum(axis=-1)[..., :-1]
    u = rng.uniform(size=(m, n))
    X = sum((u > cumulative[y, :, category]).astype(np.int64) for category in range(n_categories - 1))
    return Problem(f"random, {K} classes, {n_categories} categories", X, y, X)


def log_probabilities(model: ClassifierMixin, _: Problem) -> tuple[NDArray, NDArray]:
    """The parameters themselves."""
    return model.feature_log_prob_, model.class_log_prior_


ROWS = (
    *rows(
        "multinomial",
        "multinomial naive Bayes",
        newsgroups,
        naive_bayes.MultinomialNB(),
        (peer.MultinomialNB(),),
        log_probabilities,
    ),
    *rows(
        "bernoulli",
        "Bernoulli naive Bayes",
        newsgroups,
        naive_bayes.BernoulliNB(),
        (peer.BernoulliNB(),),
        log_probabilities,
    ),
    *rows("gaussian", "Gaussian naive Bayes", normal_classes, naive_bayes.GaussianNB(), (peer.GaussianNB(),)),
    *rows("categorical", "categorical naive Bayes", categories, naive_bayes.CategoricalNB(), (peer.CategoricalNB(),)),
)
