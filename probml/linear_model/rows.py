"""The examples that a linear model is fitted to, and predictors of them."""

from typing import NamedTuple

import numpy as np

from probml.linear_model.weights import in_ordinary_unit
from probml.typing import Array, Labels, Matrix


class Rows(NamedTuple):
    """Examples X, shape (m, n), y, shape (m,), with weights and offsets of this shape, if any."""

    X: Matrix
    y: Labels
    weight: Array | None
    offset: Array | None

    def counted(self) -> "Rows":
        """The rows with a weight above 0."""
        if self.weight is None or (counts := self.weight > 0).all():
            return self
        offset = None if self.offset is None else self.offset[counts]
        return Rows(self.X[counts], self.y[counts], self.weight[counts], offset)

    def predictor(self, theta: Array) -> Array:
        """z = x · w + b + offset, shape (m,), with θ = (w, b) or w."""
        n = self.X.shape[1]
        z: Array = self.X @ theta[:n] + theta[n:].sum()
        return z if self.offset is None else z + self.offset

    def total(self, values: Array) -> float:
        """sum_i s_i v_i."""
        return float(values.sum() if self.weight is None else self.weight @ values)

    def average(self, values: Array) -> float:
        """sum_i s_i v_i / sum_i s_i."""
        return float(np.average(values, weights=in_ordinary_unit(self.weight)[0]))


def predictors(X: Matrix, theta: Array) -> Array:
    """z = X w + b for each row (w, b) of theta, or w alone: shape (m, V)."""
    n = X.shape[1]
    z: Array = X @ theta[:, :n].T + theta[:, n:].sum(axis=1)
    return z


def finite(z: Array) -> Array:
    """The predictors, if all of them are numbers."""
    if not np.isfinite(z).all():
        raise ValueError("the values of X give predictors that are more than a floating-point number can hold")
    return z
