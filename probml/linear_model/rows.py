"""The examples that a linear model is fitted to: X, y, and weights of examples and of classes, offsets."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from probml.inputs import given_weights
from probml.linear_model.design import ORDINARY
from probml.objectives.base import checked_rows
from probml.typing import Array, Labels, Matrix

ClassWeight = Mapping[object, float] | Literal["balanced"] | None


class Rows(NamedTuple):
    """Examples X, shape (m, n), y, shape (m,), with weights and offsets of this shape, if any."""

    X: Matrix
    y: Labels
    weight: Array | None = None
    offset: Array | None = None

    def weighted(self, weight: ArrayLike | None) -> "Rows":
        """The rows with these weights, of which those of weight 0 are left out; None is 1 for each.

        None may be negative, some have to be above 0, and their sum has to be a number.
        """
        if weight is None:
            return self
        weight = given_weights(weight, self.X)
        with np.errstate(over="ignore"):
            total = weight.sum()
        if not np.isfinite(total):
            raise ValueError("the sum of sample_weight is more than a floating-point number can hold: rescale it")
        if not total > 0:  # older versions of scikit-learn let this pass
            raise ValueError("all of sample_weight is 0: there is nothing to fit")
        if (counts := weight > 0).all():
            return self._replace(weight=weight)
        offset = None if self.offset is None else self.offset[counts]
        return Rows(self.X[counts], self.y[counts], weight[counts], offset)

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
        return float(
            np.average(values, weights=in_ordinary_unit(self.weight)[0]) if self.weight is not None else values.mean()
        )


def weight_of_class(class_weight: ClassWeight, rows: Rows) -> Array:
    """The weights of the rows, each times that of its label in y, shape (m,)."""
    classes, codes = np.unique(rows.y, return_inverse=True)
    each = factor_of_class(class_weight, classes, np.bincount(codes, weights=rows.weight).astype(np.float64))
    return np.asarray(each[codes] if rows.weight is None else each[codes] * rows.weight)


def factor_of_class(class_weight: ClassWeight, classes: Labels, total: Array) -> Array:
    """The weight of each label, shape (K,); total : the sum of the weights of its rows.

    A dict says it for each label, and 1 is for those that it leaves out. "balanced" gives all K classes the same sum of
    weights, sum_i s_i / K.
    """
    if isinstance(class_weight, str) and class_weight == "balanced":
        each = total.sum() / len(classes) / total
    elif isinstance(class_weight, Mapping):
        labels = classes.tolist()
        left_out = [label for label in labels if label not in class_weight]
        unknown = [label for label in class_weight if label not in labels]
        if left_out and unknown:  # a label of no example alone may be one that a part of the data lacks
            raise ValueError(f"class_weight has {unknown}, which are no labels of y, and leaves out {left_out}")
        each = np.array([class_weight.get(label, 1.0) for label in labels], dtype=np.float64)
        if not ((each >= 0) & (each < np.inf)).all():
            raise ValueError(f"class_weight must have finite weights of at least 0, received {class_weight!r}")
    else:
        raise ValueError(f'class_weight must be {{label: weight}}, "balanced" or None; received {class_weight!r}')
    return np.asarray(each)


def in_ordinary_unit(weight: Array | None, l2: float = 0.0) -> tuple[Array | None, float, float]:
    """weight / c, l2 / c, and c, by which F is divided with them: so that weights of any size are the same problem.

    c is a power of two, so that nothing is rounded: the largest weight is then from 1 to 2. It is 1 for weights of
    ordinary size.
    """
    exponent = 0 if weight is None else int(np.frexp(weight.max())[1])
    if weight is None or abs(exponent) <= ORDINARY:
        return weight, l2, 1.0
    unit = float(np.ldexp(1.0, exponent - 1))
    if l2 > 0 and not 0 < l2 / unit < np.inf:
        raise ValueError(f"weights of up to {weight.max():g} do not go together with l2={l2:g}: rescale one of them")
    return weight / unit, l2 / unit, unit


def offset_of(X: Matrix, offset: ArrayLike | None, exposure: ArrayLike | None) -> Array | None:
    """offset + log exposure, shape (m,); None if there is neither."""
    if offset is None and exposure is None:
        return None
    total = np.zeros(X.shape[0] if hasattr(X, "shape") else len(X))
    for name, given in (("offset", offset), ("exposure", exposure)):
        if given is None:
            continue
        values = checked_rows(name, given, len(total))
        if name == "exposure" and len(none := np.flatnonzero(values <= 0)):
            raise ValueError(
                f"exposure must be above 0; row {none[0]} has {values[none[0]]}: leave out rows without exposure"
            )
        total += np.log(values) if name == "exposure" else values
    return total
