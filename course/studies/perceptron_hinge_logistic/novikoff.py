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

    w of least length with G w ≥ 1, G = (y_i x_i), has u = w / |w| and γ = 1 / |w|. It is a least distance problem,
    which Lawson and Hanson (1974, chapter 23) turn into non-negative least squares: for the a ≥ 0 that minimises
    |(G, 1)^T a - (0, ..., 0, 1)|, w = -r_1..n / r_(n+1), r being the residual. r = 0 if there is no such w.
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


def on_the_sphere(m: int, n: int, gamma: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """X, shape (m, n), uniform on the unit sphere where |x_1| ≥ γ, and y = sign(x_1): a margin of at least γ."""
    kept = np.empty((0, n))
    while len(kept) < m:
        x = rng.standard_normal((m, n))
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        kept = np.vstack([kept, x[np.abs(x[:, 0]) >= gamma]])
    return kept[:m], np.sign(kept[:m, 0])


def mistakes(X: Array, y: Array, passes: int = 10_000) -> tuple[int, Array, Array]:
    """The perceptron from w = 0: the number of its mistakes, and after each of them w · u and |w|².

    u is the direction of the widest margin. Shapes (mistakes,). Raises if `passes` do not suffice.
    """
    u, w = widest_margin(X, y).direction, np.zeros(X.shape[1])
    along, length = [], []
    for _ in range(passes):
        clean = True
        for x, sign in zip(X, y, strict=True):
            if sign * (x @ w) <= 0:
                w, clean = w + sign * x, False
                along.append(w @ u)
                length.append(w @ w)
        if clean:
            return len(along), np.array(along), np.array(length)
    raise ValueError(f"the perceptron still makes mistakes after {passes} passes")
