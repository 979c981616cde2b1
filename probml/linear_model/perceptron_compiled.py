"""`one_pass` of the perceptron, compiled, for dense and for sparse rows.

Products are added up one after the other, which may change the last digit of z.
"""

from probml.compiled import compiled
from probml.typing import Array, Indices


@compiled
def dense_pass(X: Array, signs: Array, steps: Array, w: Array, b: Array) -> tuple[int, float]:
    """For X of shape (m, n)."""
    mistakes, length = 0, 0.0
    for i in range(len(X)):
        z = 0.0
        for j in range(len(w)):
            z += X[i, j] * w[j]
        if signs[i] * (z + b.sum()) <= 0:
            for j in range(len(w)):
                w[j] += steps[i] * X[i, j]
            b += steps[i]
            mistakes += 1
            length += abs(steps[i])
    return mistakes, length


@compiled
def sparse_pass(
    data: Array, indices: Indices, indptr: Indices, signs: Array, steps: Array, w: Array, b: Array
) -> tuple[int, float]:
    """For the stored entries of a CSR matrix."""
    mistakes, length = 0, 0.0
    for i in range(len(signs)):
        z = 0.0
        for at in range(indptr[i], indptr[i + 1]):
            z += data[at] * w[indices[at]]
        if signs[i] * (z + b.sum()) <= 0:
            for at in range(indptr[i], indptr[i + 1]):
                w[indices[at]] += steps[i] * data[at]
            b += steps[i]
            mistakes += 1
            length += abs(steps[i])
    return mistakes, length
