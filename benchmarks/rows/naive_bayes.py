"""Naive Bayes, all event models."""

from typing import Any, Self

import numpy as np
import sklearn.naive_bayes as peer
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks.rows.estimators import Model, rows
from benchmarks.rows.problems import SMALL, Problem, Source, categories, counts, large_digits, mixed, newsgroups, words
from benchmarks.rows.problems import normal_classes as normal
from probml import naive_bayes
from probml.families import Categorical, Gaussian

FAMILY = "Naive Bayes"


class TwoParts(ClassifierMixin, BaseEstimator):
    """p(y | x) in proportion to p(y) p(normal features | y) p(others | y): two models of scikit-learn, put together."""

    title = "sklearn.GaussianNB() and sklearn.CategoricalNB(), posteriors multiplied"

    def fit(self, X: NDArray[Any], y: NDArray[Any]) -> Self:
        """Fit both: the first half of the columns is normal."""
        n = X.shape[1] // 2
        self.normal_ = peer.GaussianNB().fit(X[:, :n], y)
        self.discrete_ = peer.CategoricalNB().fit(X[:, n:].astype(np.int64), y)
        self.classes_ = self.normal_.classes_
        return self

    def predict_log_proba(self, X: NDArray[Any]) -> NDArray[Any]:
        """Log posteriors, shape (m, K)."""
        n = X.shape[1] // 2
        joint = self.normal_.predict_joint_log_proba(X[:, :n])
        joint += self.discrete_.predict_joint_log_proba(X[:, n:].astype(np.int64)) - self.discrete_.class_log_prior_
        log_posterior: NDArray[Any] = joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)
        return log_posterior

    def predict(self, X: NDArray[Any]) -> NDArray[Any]:
        """Classes, shape (m,)."""
        labels: NDArray[Any] = self.classes_[self.predict_log_proba(X).argmax(axis=1)]
        return labels


def log_probabilities(model: Model, _: Problem) -> tuple:
    """The parameters themselves."""
    return model.feature_log_prob_, model.class_log_prior_


def _counts(name: str) -> dict[str, Source]:
    return {
        f"{name}-small": counts(*SMALL),
        f"{name}-working": counts(100_000, 50),
        f"{name}-large": counts(1_000_000, 50),
        f"{name}-sparse": words(100_000, 10_000),
        f"{name}-sparse-large": words(1_000_000, 10_000),
        f"{name}-newsgroups": newsgroups,
    }


def _mixed(n: int) -> naive_bayes.MixedNB:
    return naive_bayes.MixedNB(families=[Gaussian()] * n + [Categorical(5)] * n)


ROWS = (
    *rows(
        FAMILY,
        "multinomial",
        _counts("multinomial"),
        naive_bayes.MultinomialNB(),
        (peer.MultinomialNB(),),
        log_probabilities,
    ),
    *rows(
        FAMILY,
        "Bernoulli",
        _counts("bernoulli"),
        naive_bayes.BernoulliNB(),
        (peer.BernoulliNB(),),
        log_probabilities,
    ),
    *rows(FAMILY, "complement", _counts("complement"), naive_bayes.ComplementNB(), (peer.ComplementNB(),)),
    *rows(
        FAMILY,
        "Gaussian",
        {
            "gaussian-small": normal(*SMALL),
            "gaussian-working": normal(100_000, 50),
            "gaussian-large": normal(1_000_000, 50),
        },
        naive_bayes.GaussianNB(),
        (peer.GaussianNB(),),
    ),
    *rows(
        FAMILY,
        "Gaussian, 10 % of the largest variance added",
        {"gaussian-mnist": large_digits},
        naive_bayes.GaussianNB(var_smoothing=0.1),
        (peer.GaussianNB(var_smoothing=0.1),),
    ),
    *rows(
        FAMILY,
        "categorical",
        {
            "categorical-small": categories(*SMALL, k=4),
            "categorical-working": categories(200_000, 20),
            "categorical-large": categories(1_000_000, 20),
        },
        naive_bayes.CategoricalNB(),
        (peer.CategoricalNB(),),
    ),
    *(
        row
        for name, (m, n) in {"small": (200, 3), "working": (100_000, 10), "large": (1_000_000, 10)}.items()
        for row in rows(FAMILY, "mixed", {f"mixed-{name}": mixed(m, n)}, _mixed(n), (TwoParts(),))
    ),
)
