"""Classifiers for two classes with one linear predictor."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags

from probml.linear_model.base import Array, LinearModel, Rows, finite
from probml.linear_model.design import Matrix


class BinaryClassifier(ClassifierMixin, LinearModel):
    """Two classes: the second one where z = x · w + b is above 0. coef_ (1, n), intercept_ (1,), classes_ (2,)."""

    def __sklearn_tags__(self) -> Tags:
        """Two classes only."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def decision_function(self, X: Matrix) -> Array:
        """z = x · w + b. Shape (m,)."""
        X = self._valid(X)
        with np.errstate(over="ignore", invalid="ignore"):
            return finite(X @ self.coef_[0] + self.intercept_[0])

    def predict(self, X: Matrix) -> NDArray:
        """The second class where z > 0, the first elsewhere. Shape (m,)."""
        second = self.decision_function(X) > 0
        return self.classes_[second.astype(int)]

    def _two_classes(
        self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Rows, NDArray[np.intp], NDArray]:
        """The examples, their classes as 0 and 1, and the labels of these."""
        rows = self._rows(X, y, sample_weight)
        classes, codes = np.unique(rows.y, return_inverse=True)
        if len(classes) > 2:
            raise ValueError(
                f"Only binary classification is supported by {type(self).__name__}: y has {len(classes)} classes. "
                "Use SoftmaxRegression"
            )
        require_two(type(self).__name__, classes)
        return rows, codes, classes


def require_two(name: str, classes: NDArray) -> None:
    """Refuse a y that is always the same."""
    if len(classes) < 2:
        raise ValueError(
            f"{name} needs examples of two classes, with weights above 0; received one class only: "
            f"{classes.tolist()[0]!r}"
        )
