"""How often a classifier is wrong, and how often it expects to be."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from probml.metrics import log_loss, wilson_interval
from probml.naive_bayes import GaussianNB

Array = NDArray[np.float64]
Classes = NDArray[np.intp]


@dataclass(frozen=True)
class Confidence:
    """Means over people: proportion of errors, the proportion that the posteriors announce, and log loss in nats.

    sure, sure_and_wrong : people whose class is given a posterior of at least `SURE`, and the errors among them
    sure_expected : how many errors among these their posteriors announce
    """

    people: int
    error: float
    expected_error: float
    log_loss: float
    sure: int
    sure_and_wrong: int
    sure_expected: float

    SURE = 0.99

    @classmethod
    def of(cls, y: Classes, log_posterior: Array) -> Self:
        """y : the true classes, shape (m,). log_posterior : shape (m, K), of classes 0 to K - 1."""
        largest = np.exp(log_posterior.max(axis=1))
        wrong, sure = log_posterior.argmax(axis=1) != y, largest >= cls.SURE
        return cls(
            people=len(y),
            error=float(wrong.mean()),
            expected_error=float(np.mean(1 - largest)),
            log_loss=log_loss(y, log_posterior),
            sure=int(sure.sum()),
            sure_and_wrong=int(np.sum(sure & wrong)),
            sure_expected=float(np.sum((1 - largest)[sure])),
        )

    @property
    def limits(self) -> tuple[float, float]:
        """Ends of Wilson's 95 % interval of the proportion of errors."""
        low, high = wilson_interval(round(self.error * self.people), self.people)
        return float(low), float(high)

    def interval(self) -> str:
        """The same in words."""
        low, high = self.limits
        return f"{low:.1%} to {high:.1%}"


def left_out(X: Array, y: Classes, *, shared_variance: bool = False) -> Array:
    """log p(y | x_i) of each example i by Gaussian naive Bayes fitted to all others, shape (m, K)."""
    model = GaussianNB(shared_variance=shared_variance, var_smoothing=0)
    others = ~np.eye(len(y), dtype=bool)
    return np.concatenate([model.fit(X[own], y[own]).predict_log_proba(X[~own]) for own in others])


def simulated(
    X: Array, y: Classes, size: int, rng: np.random.Generator, *, correlated: bool
) -> tuple[Array, Classes, Array]:
    """New people with the priors, means and variances of X and y: their features, classes and log posteriors.

    Features are normal given the class, and independent, as Gaussian naive Bayes assumes; or `correlated` as in X. The
    log posteriors are those of Gaussian naive Bayes fitted to X and y, which knows the true means and variances.
    """
    model = GaussianNB(var_smoothing=0).fit(X, y)
    classes = rng.choice(len(model.classes_), size, p=model.class_prior_)
    drawn = rng.standard_normal((size, X.shape[1]))
    if correlated:
        for j in model.classes_:
            root = np.linalg.cholesky(np.corrcoef(X[y == j].T))
            drawn[classes == j] = drawn[classes == j] @ root.T
    features = model.theta_[classes] + np.sqrt(model.var_[classes]) * drawn
    return features, classes, model.predict_log_proba(features)
