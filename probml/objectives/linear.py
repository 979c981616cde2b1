"""The objective of all models with a linear predictor z = x · w + b, for any solver."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from probml.objectives.base import Array, overflow_is_inf
from probml.objectives.linear_derivatives import known_at
from probml.objectives.linear_gap import LinearGap

HALVINGS = 50
ROUNDING = 4 * np.finfo(np.float64).eps


class LinearObjective(LinearGap):
    r"""The sum of losses of a linear predictor, and a penalty; θ = (w, b), the intercept b last and not penalised.

    .. math::
        F(w, b) = \sum_i s_i \, l(y_i, x_i \cdot w + b + o_i) + \tfrac{1}{2} l_2 |w|^2

    Its derivatives and the gap to its minimum are what it is built on; here is what single solvers ask for beyond
    that: gradients of some examples, a part of the examples, least squares, one coordinate after the other.

    X : dense or CSR, shape (m, n). y : shape (m,). weight : s, not negative, shape (m,). offset : o, shape (m,).
    They are not copied: what is known at the last θ holds for as long as they are not changed.
    """

    @overflow_is_inf
    def gradient_of(self, rows: NDArray[np.intp], theta: Array) -> Array:
        """m / |rows| times the sum of the gradients of these examples, and the gradient of the penalty."""
        share = len(rows) / self.n_examples
        self.cost.add(share, 4 * self._entries * share)
        gradient = self._penalty_gradient(theta)
        if len(rows) == 1:
            return self._add_single(gradient, rows, theta)
        X = self.X[rows]
        slope = self._weighted(self.loss.gradient(self.y[rows], self._predictor(X, rows, theta)), rows)
        self._add_transposed(gradient, X, slope / share)
        return gradient

    def _add_single(self, gradient: Array, row: NDArray[np.intp], theta: Array) -> Array:
        """The same for one example: a slice of X as a matrix would take most of the time."""
        columns, x = slice(self.n_features), self.X
        if sparse.issparse(x):
            stored = slice(*x.indptr[row[0] : row[0] + 2])
            columns, x = x.indices[stored], x.data[stored]
        else:
            x = x[row[0]]
        z = np.array([x @ theta[columns]])
        if self.intercept:
            z += theta[-1]
        if self.offset is not None:
            z += self.offset[row]
        slope = self.n_examples * self._weighted(self.loss.gradient(self.y[row], z), row)[0]
        gradient[columns] += slope * x
        if self.intercept:
            gradient[-1] += slope
        return gradient

    def thinned(self, k: int) -> "LinearObjective":
        """F / k, approximately: the same objective on every k-th example, which is kept for `hessian_below`."""
        weight = None if self.weight is None else self.weight[::k]
        offset = None if self.offset is None else self.offset[::k]
        l2, intercept = self.l2 / k, self.intercept
        self._part = LinearObjective(
            self.X[::k], self.y[::k], self.loss, l2=l2, intercept=intercept, weight=weight, offset=offset
        )
        return self._part

    def hessian_below(self, theta: Array) -> Array:
        """The Hessian at θ if it is known; else that of a part of the examples, if known; else it is computed."""
        for objective in (self, self._part):
            if objective is not None and known_at(theta, objective._second):
                return objective._second[2]
        return self.newton_system(theta)[2]

    def least_squares(self, theta: Array) -> tuple[Array, Array]:
        """Matrix and answers of the least-squares problem that replaces F near θ (`probml.solvers.irls`)."""
        n, p = self.n_features, self.n_parameters
        self.cost.add(1, 2 * self._entries * (n + 1))
        z = self._predictor(self.X, slice(None), theta)
        slope, curvature = self.loss.gradient(self.y, z), self.loss.curvature(self.y, z)
        flat = curvature <= 0  # no parabola there, and no weight
        answer = z - np.divide(slope, curvature, out=np.zeros_like(z), where=~flat)
        if self.offset is not None:
            answer -= self.offset
        root = np.sqrt(self._weighted(curvature, slice(None)))
        matrix = np.zeros((self.n_examples + (n if self.l2 else 0), p))
        matrix[: self.n_examples, :n] = self.X.toarray() if sparse.issparse(self.X) else self.X
        matrix[: self.n_examples, n:] = 1.0
        matrix[: self.n_examples] *= root[:, None]
        if self.l2:
            matrix[self.n_examples :, :n] = np.sqrt(self.l2) * np.eye(n)
        return matrix, np.concatenate([root * answer, np.zeros(len(matrix) - self.n_examples)])

    @overflow_is_inf
    def round_of_coordinates(self, theta: Array) -> Array:
        """θ after a Newton step in each coordinate, one after the other (`probml.solvers.coordinate_newton`).

        z = X θ is kept up to date, and only the examples with x_ij ≠ 0 are looked at.
        """
        self.cost.add(2, 11 * self._entries)
        theta, z = theta.copy(), self._predictor(self.X, slice(None), theta)
        columns = sparse.csc_array(self.X) if sparse.issparse(self.X) else self.X
        for j in range(self.n_parameters):
            rows, x = self._column(columns, j)
            penalty = self.l2 if j < self.n_features else 0.0
            value, slope, curvature = (self._weighted(part, rows) for part in self.loss.all(self.y[rows], z[rows]))
            F_j, F_jj = slope @ x + penalty * theta[j], curvature @ x**2 + penalty
            if F_j == 0 or F_jj <= 0:
                continue
            step = -F_j / F_jj
            before = value.sum() + penalty / 2 * theta[j] ** 2
            for _ in range(HALVINGS):
                there = self._weighted(self.loss.value(self.y[rows], z[rows] + step * x), rows).sum()
                there += penalty / 2 * (theta[j] + step) ** 2
                if there <= before + 1e-4 * step * F_j + ROUNDING * max(1.0, abs(before)):
                    theta[j] += step
                    z[rows] += step * x
                    break
                step /= 2
        return theta

    def _column(self, columns: NDArray | sparse.csc_array, j: int) -> tuple[slice | NDArray, Array]:
        """The examples in which coordinate j takes part, and its values there."""
        if j == self.n_features:
            return slice(None), np.ones(self.n_examples)
        if not sparse.issparse(columns):
            return slice(None), columns[:, j]
        stored = slice(columns.indptr[j], columns.indptr[j + 1])
        return columns.indices[stored], columns.data[stored]
