"""The posterior of a generative model, written as the softmax (or logistic) model that it is."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import log_softmax

from probml.generative.classifier import representable
from probml.inputs import matrix
from probml.typing import Array, Labels, Matrix


@dataclass(frozen=True)
class LinearPosterior:
    """Softmax model: log p(y = j | x) = w_j · f(x) + b_j - log sum_k exp(w_k · f(x) + b_k).

    classes : labels, shape (K,). coef : weights w_j, shape (K, p). intercept : b_j, shape (K,).
    features : f, from X of shape (m, n) to the p features in which the posterior is linear; mostly X itself.

    Adding one vector to all w_j, or one number to all b_j, changes nothing.
    """

    classes: Labels
    coef: Array
    intercept: Array
    features: Callable[[Matrix], Matrix] = matrix

    def __post_init__(self) -> None:
        if not (np.isfinite(self.coef).all() and np.isfinite(self.intercept).all()):
            raise ValueError(
                "a probability of the model is 0 or 1, so that its linear form has infinite weights: "
                "use alpha > 0 and a class prior without zeros"
            )

    def logistic(self) -> tuple[Array, float]:
        """theta, shape (p,), and theta_0 of p(second of two classes | x) = 1 / (1 + exp(-theta · f(x) - theta_0))."""
        if len(self.classes) != 2:
            raise ValueError(f"the logistic form is for two classes, this posterior has {len(self.classes)}: use coef")
        return self.coef[1] - self.coef[0], float(self.intercept[1] - self.intercept[0])

    def predict_log_proba(self, X: Matrix) -> Array:
        """Log posterior. Shape (m, K)."""
        features = self.features(X)
        if features.shape[1] != (p := self.coef.shape[1]):
            raise ValueError(f"X has {features.shape[1]} features, but this posterior has weights for {p}")
        with np.errstate(over="ignore", invalid="ignore"):  # refused where scores have to be representable
            log_posterior: Array = log_softmax(representable(features @ self.coef.T + self.intercept), axis=1)
        return log_posterior

    def predict_proba(self, X: Matrix) -> Array:
        """Posterior. Shape (m, K)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Matrix) -> Labels:
        """Class of the largest posterior. Shape (m,)."""
        predicted: Labels = self.classes[self.predict_log_proba(X).argmax(axis=1)]
        return predicted
