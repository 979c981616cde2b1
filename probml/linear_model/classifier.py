"""What classifiers with linear scores share: labels, and the class of the largest score."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin

from probml.inputs import parameters
from probml.linear_model.base import Array, LinearModel, Rows, counted, finite
from probml.linear_model.design import Matrix
from probml.linear_model.weights import ClassWeight, checked_weight, weight_of_class


@parameters
class LinearClassifier(ClassifierMixin, LinearModel):
    """Two classes: the second one where z = x · w + b is above 0. coef_ (1, n), intercept_ (1,), classes_ (2,).

    K > 2 classes: the one with the largest z_k = x · w_k + b_k. coef_ (K, n), intercept_ (K,), classes_ (K,).
    """

    class_weight: ClassWeight = None

    def decision_function(self, X: Matrix) -> Array:
        """z. Shape (m,) for two classes, (m, K) for more."""
        X = self._valid(X)
        with np.errstate(over="ignore", invalid="ignore"):
            if len(self.classes_) == 2:
                return finite(X @ self.coef_[0] + self.intercept_[0])
            return finite(X @ self.coef_.T + self.intercept_)

    def predict(self, X: Matrix) -> NDArray:
        """Of two classes the second where z > 0, the first elsewhere; of more that of the largest z_k. Shape (m,)."""
        z = self.decision_function(X)
        return self.classes_[(z > 0).astype(int) if z.ndim == 1 else z.argmax(axis=1)]

    def _labelled(
        self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Rows, NDArray[np.intp], NDArray]:
        """The examples, weighted by class too, their classes as 0 to K - 1, and the labels of these."""
        rows = self._rows(X, y, sample_weight)
        if self.class_weight is not None:
            weight = weight_of_class(self.class_weight, rows.y, rows.weight)
            weight = weight if rows.weight is None else weight * rows.weight
            rows = counted(rows._replace(weight=checked_weight(weight, rows.X)))
        classes, codes = np.unique(rows.y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"{type(self).__name__} needs examples of two classes, with weights above 0; received one class only: "
                f"{classes.tolist()[0]!r}"
            )
        return rows, codes, classes
