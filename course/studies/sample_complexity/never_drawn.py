"""A matrix of independent normal numbers, of which nothing is drawn but what is asked for.

Let E, shape (m, n), have independent entries of N(0, 1). For orthonormal u_1, u_2, ... the vectors E u_a are
independent of each other, and given E^T v_b for some orthonormal v_b, the part of E u_a that is orthogonal to all v_b
is still normal, with the identity (on what is orthogonal to them) as its covariance. So each product with a new
direction costs a vector of new numbers, not a matrix, and all answers together have the distribution of those of a
drawn matrix.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
KNOWN = 1e-10  # share of a vector outside of the known directions that is rounding
ROOM = 32  # directions for which there is room at first


class Directions:
    """Orthonormal directions of the one side, rows of `basis`, and what the matrix makes of them, rows of `image`."""

    def __init__(self, size: int, size_of_images: int) -> None:
        self.number = 0
        self._basis, self._image = np.empty((ROOM, size)), np.empty((ROOM, size_of_images))

    @property
    def basis(self) -> Array:
        """Shape (number, size)."""
        return self._basis[: self.number]

    @property
    def image(self) -> Array:
        """Shape (number, size of images)."""
        return self._image[: self.number]

    def append(self, direction: Array, image: Array) -> None:
        """One more."""
        if self.number == len(self._basis):
            self._basis, self._image = (
                np.concatenate([each, np.empty_like(each)]) for each in (self._basis, self._image)
            )
        self._basis[self.number], self._image[self.number] = direction, image
        self.number += 1


class NeverDrawn:
    """E, shape (m, n), with independent entries of N(0, 1)."""

    def __init__(self, m: int, n: int, rng: np.random.Generator) -> None:
        self._rng = rng
        self._right, self._left = Directions(n, m), Directions(m, n)

    def times(self, w: Array) -> Array:
        """E w, shape (m,)."""
        return self._product(w, self._right, self._left)

    def transposed_times(self, c: Array) -> Array:
        """E^T c, shape (n,)."""
        return self._product(c, self._left, self._right)

    def _product(self, x: Array, own: Directions, other: Directions) -> Array:
        share = own.basis @ x
        rest = x - share @ own.basis
        again = own.basis @ rest  # rounding leaves a little of it
        rest -= again @ own.basis
        answer = (share + again) @ own.image
        length = float(np.linalg.norm(rest))
        if length > KNOWN * np.linalg.norm(x) and own.number < len(x):
            direction = rest / length
            image = self._rng.standard_normal(len(answer))
            image += (other.image @ direction - other.basis @ image) @ other.basis
            own.append(direction, image)
            answer += length * image
        return answer
