"""The bound on the mistakes of the perceptron, and what it needs: the widest margin."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

Array = NDArray[np.float64]


class Margin(NamedTuple):
    """u of length 1 with y_i x_i · u ≥ γ for all i and γ as large as can be; R = max |x_i|; the bound (R / γ)²."""

    direction: Array
    gamma: float
    radius: float

    @property
    def bound(self) -> float:
        """(R / γ)²."""
        return (self.radius / self.gamma) ** 2


def widest_margin(X: Array, y: Array) -> Margin:
    """The largest margin of a hyperplane through the origin. X : shape (m, n), with ones for an intercept.

    w of least length with G w ≥ 1, G = (y_i x_i), has u = w / |w| and γ = 1 / |w|. Lawson and Hanson (1974, chapter
    23) find it by non-negative least squares: for the a ≥ 0 that minimises |(G, 1)^T a - (0, ..., 0, 1)|, it is
    w = -r_1..n / r_(n+1), r being the residual. r = 0 if there is no such w.
    """
    G = y[:, None] * X
    A = np.vstack([G.T, np.ones(len(G))])
    target = np.append(np.zeros(X.shape[1]), 1.0)
    a, _ = nnls(A, target)
    r = A @ a - target
    w = -r[:-1] / r[-1] if r[-1] < -1e-9 else np.zeros(X.shape[1])
    if not (G @ w > 0.5).all():
        raise ValueError("no hyperplane through the origin separates the classes: there is no margin")
    length = float(np.linalg.norm(w))
    return Margin(w / length, 1 / length, float(np.linalg.norm(X, axis=1).max()))
