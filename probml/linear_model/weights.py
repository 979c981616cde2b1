"""Weights of examples and classes: which are allowed, and their unit, which is also that of the objective."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from probml.inputs import given_weights
from probml.linear_model.design import ORDINARY
from probml.solvers import Solution
from probml.typing import Array, Labels, Matrix

ClassWeight = Mapping[object, float] | Literal["balanced"] | None


def checked_weight(sample_weight: ArrayLike, X: Matrix) -> Array:
    """Weights of the rows of X, shape (m,), if none is negative, some are above 0 and their sum is a number."""
    weight = given_weights(sample_weight, X)
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not np.isfinite(total):
        raise ValueError("the sum of sample_weight is more than a floating-point number can hold: rescale it")
    if not total > 0:  # older versions of scikit-learn let this pass
        raise ValueError("all of sample_weight is 0: there is nothing to fit")
    return weight


def weight_of_class(class_weight: ClassWeight, y: Labels, weight: Array | None) -> Array:
    """What multiplies the weight of each example, by its label in y, shape (m,).

    A dict says it for each label, and 1 is for those that it leaves out. "balanced" gives all K classes the same sum of
    weights, sum_i s_i / K.
    """
    classes, codes = np.unique(y, return_inverse=True)
    if isinstance(class_weight, str) and class_weight == "balanced":
        total = np.bincount(codes, weights=weight)
        return np.asarray((total.sum() / len(classes) / total)[codes])
    if not isinstance(class_weight, Mapping):
        raise ValueError(f'class_weight must be {{label: weight}}, "balanced" or None; received {class_weight!r}')
    labels = classes.tolist()
    left_out = [label for label in labels if label not in class_weight]
    unknown = [label for label in class_weight if label not in labels]
    if left_out and unknown:  # a label of no example alone may be one that a part of the data lacks
        raise ValueError(f"class_weight has {unknown}, which are no labels of y, and leaves out {left_out}")
    each = np.array([class_weight.get(label, 1.0) for label in labels], dtype=np.float64)
    if not ((each >= 0) & (each < np.inf)).all():
        raise ValueError(f"class_weight must have finite weights of at least 0, received {class_weight!r}")
    return each[codes]


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


def in_unit(solution: Solution, unit: float) -> Solution:
    """The solution of unit · F, from that of F."""
    if unit == 1:
        return solution
    value, gap = solution.value * unit, solution.certificate.gap * unit
    if not np.isfinite(value):
        raise ValueError("the objective is more than a floating-point number can hold: rescale sample_weight")
    trace = tuple(
        replace(step, value=step.value * unit, gradient_norm=step.gradient_norm * unit) for step in solution.trace
    )
    return replace(solution, value=value, trace=trace, certificate=replace(solution.certificate, gap=gap))
