"""What classifiers with linear scores share: labels, and the class of the largest score."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin

from probml.inputs import handed_out, parameters, precision_of
from probml.linear_model.base import LinearModel
from probml.linear_model.minimum import Minimum
from probml.linear_model.rows import Rows, finite
from probml.linear_model.weights import ClassWeight, checked_weight, weight_of_class
from probml.typing import Array, Indices, Labels, Matrix


@parameters
class LinearClassifier(ClassifierMixin, LinearModel):
    """Two classes: the second one where z = x · w + b is above 0. coef_ (1, n), intercept_ (1,), classes_ (2,).

    K > 2 classes: the one with the largest z_k = x · w_k + b_k. coef_ (K, n), intercept_ (K,), classes_ (K,).
    """

    class_weight: ClassWeight = None

    def decision_function(self, X: Matrix) -> Array:
        """z. Shape (m,) for two classes, (m, K) for more."""
        return handed_out(self._decision(X), precision_of(X), self.coef_.dtype)

    def _decision(self, X: Matrix) -> Array:
        X = self._valid(X)
        with np.errstate(over="ignore", invalid="ignore"):
            if len(self.classes_) == 2:
                return finite(X @ self.coef_[0] + self.intercept_[0])
            return finite(X @ self.coef_.T + self.intercept_)

    def predict(self, X: Matrix) -> Labels:
        """Of two classes the second where z > 0, the first elsewhere; of more that of the largest z_k. Shape (m,)."""
        z = self._decision(X)
        labels: Labels = self.classes_[(z > 0).astype(int) if z.ndim == 1 else z.argmax(axis=1)]
        return labels

    def _keep(self, X: Matrix, found: Minimum, classes: Labels) -> None:
        """What was found from X, shape (m, n), in its precision."""
        self.coef_, self.intercept_ = (handed_out(each, precision_of(X)) for each in (found.coef, found.intercept))
        self.classes_, self.n_iter_ = classes, found.solution.iterations

    def _labelled(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None) -> tuple[Rows, Indices, Labels]:
        """The examples, weighted by class too, their classes as 0 to K - 1, and the labels of these."""
        rows = self._rows(X, y, sample_weight)
        if self.class_weight is not None:
            weight = weight_of_class(self.class_weight, rows.y, rows.weight)
            weight = weight if rows.weight is None else weight * rows.weight
            rows = rows._replace(weight=checked_weight(weight, rows.X)).counted()
        classes, codes = np.unique(rows.y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"{type(self).__name__} needs examples of two classes, with weights above 0; received one class only: "
                f"{classes.tolist()[0]!r}"
            )
        return rows, codes, classes


class ProbabilisticClassifier(LinearClassifier, ABC):
    """A linear classifier that has a probability for each class."""

    def predict_log_proba(self, X: Matrix) -> Array:
        """log p(y = k | x). Shape (m, K)."""
        return handed_out(self._log_posterior(X), precision_of(X), self.coef_.dtype)

    def predict_proba(self, X: Matrix) -> Array:
        """p(y = k | x). Shape (m, K)."""
        return handed_out(np.exp(self._log_posterior(X)), precision_of(X), self.coef_.dtype)

    @abstractmethod
    def _log_posterior(self, X: Matrix) -> Array:
        """log p(y = k | x) in double precision. Shape (m, K)."""
