"""Linear regression: least squares, by orthogonal factors or by the LMS rule."""

from dataclasses import replace
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_consistent_length, column_or_1d

from probml.families import Gaussian
from probml.inputs import handed_out, parameters, precision_of
from probml.linear_model.design import Rank, dense, rank_of, rescale
from probml.linear_model.glm import score_of
from probml.linear_model.least_squares import factors, least_squares, normal_equations
from probml.linear_model.likelihood import Training, objective
from probml.linear_model.minimum import Minimum, shortest, warn_of_rank
from probml.linear_model.regressor import LinearRegressor
from probml.linear_model.rows import Rows, finite
from probml.linear_model.solving import Method, ModelObjective
from probml.linear_model.weights import in_ordinary_unit
from probml.losses import GLMLoss, Identity, Squared
from probml.objectives import LinearObjective
from probml.solvers import Certificate, Solution, Step
from probml.typing import Array, Matrix

LMS = {"lms-batch": "gradient-descent", "lms-stochastic": "sgd", "lms-online": "sgd"}
SUSPECT_PIVOT = 1e-6  # what other columns leave of a column, below which the rank is looked at


class OnePass(Method):
    """One pass is what is asked for, and all that can be had: its gap is in the certificate, and no warning."""

    @property
    def tolerance(self) -> float:
        """None is asked for."""
        return np.inf

    def solve(self, objective: ModelObjective, start: Array | None) -> Solution:
        """θ after a pass over the examples."""
        if self.max_iter not in (None, 1):
            raise ValueError(f"lms-online is one pass, received max_iter={self.max_iter!r}")
        solution = Method.solve(replace(self, max_iter=1), objective, start)
        return replace(solution, certificate=Certificate(True, solution.certificate.gap, "one pass over the examples"))


@parameters
class LinearRegression(LinearRegressor):
    r"""y = x · w + b + noise.

    .. math::
        \min_{w, b} \; \tfrac{1}{2} \sum_i s_i (x_i \cdot w + b - y_i)^2 + \tfrac{1}{2} l_2 |w|^2

    X : dense or CSR, shape (m, n); "qr" and "svd" make it dense. y : shape (m,). sample_weight : s.

    Parameters
    ----------
    l2 : the penalty, alpha of scikit-learn's Ridge; 0, the default, is least squares.
    fit_intercept : whether there is a b, which is not penalised.
    solver : "qr" or "svd" of X itself, refined (for a large X that is well conditioned "qr" has its R from X^T X, and
        refinement gives the same digits); "lms-batch", gradient descent; "lms-stochastic", w ← w - t (z_i - y_i) x_i
        for examples in random order, many passes; "lms-online", one pass.
    solver_options, tol, max_iter : of `gradient_descent` and `sgd` in probml.solvers (tolerance and max_iterations
        there). The step size of `sgd` is 1 / max |x_i|² unless given.
    random_state : seed of the order of examples; None is another order each time.
    warm_start : whether the LMS rules begin at the coefficients of the last fit; factors need no beginning.

    Attributes
    ----------
    coef_ (n,), intercept_, n_iter_, solution_ (θ = (w, b), trace, certificate)
    """

    solver: str = "qr"

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (m, n), and y, shape (m,)."""
        rows = self._rows(X, y, sample_weight)
        rows = rows._replace(y=rows.y.astype(np.float64))
        if self.solver not in ("qr", "svd", *LMS):
            raise ValueError(f"solver must be one of qr, svd, {', '.join(LMS)}; received {self.solver!r}")

        def problem(X: Matrix, l2: float, weight: Array | None) -> LinearObjective:
            return LinearObjective(X, rows.y, Squared(), l2=l2, intercept=self.fit_intercept, weight=weight)

        by_steps = self.solver in LMS
        self._keep(X, self._minimise(rows, problem, self._last(1)) if by_steps else self._factored(rows))
        self._training = Training(rows, Squared(), GLMLoss(Gaussian(), Identity()))
        return self

    def predict(self, X: Matrix) -> Array:
        """x · w + b. Shape (m,)."""
        return handed_out(self._predictor(X), precision_of(X), self.coef_.dtype)

    def _predictor(self, X: Matrix) -> Array:
        X = self._valid(X)
        with np.errstate(over="ignore", invalid="ignore"):
            return finite(X @ self.coef_ + self.intercept_)

    def score(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """R² = 1 - sum of squares / that around the mean. If all y are alike, 1 for exact predictions and else 0."""
        response: Array = column_or_1d(y, dtype=np.float64)
        check_consistent_length(X, response)
        rows = Rows(self._predictor(X)[:, None], response, None, None)
        return score_of(rows, sample_weight, GLMLoss(Gaussian(), Identity()))

    def _method(self) -> Method:
        method = replace(super()._method(), solver=LMS[self.solver])
        return OnePass(**vars(method)) if self.solver == "lms-online" else method

    def _factored(self, rows: Rows) -> Minimum:
        """By factors of √s (X, 1), with √l2 I below for the penalty; columns scaled to lengths from 1/2 to 1."""
        scaled, scale, l2 = rescale(dense(rows.X), float(self.l2))
        weight, l2, unit = in_ordinary_unit(rows.weight, l2)
        m, n = scaled.shape
        A = np.zeros((m + (n if l2 else 0), n + self.fit_intercept))
        A[:m, :n], A[:m, n:] = scaled, 1.0
        b = np.zeros(len(A))
        b[:m] = rows.y
        if weight is not None:
            root = np.sqrt(weight)
            A[:m] *= root[:, None]
            b[:m] *= root
        if l2:
            A[m:, :n] = np.sqrt(l2) * np.eye(n)
        lengths = np.ldexp(1.0, np.frexp(np.linalg.norm(A, axis=0))[1])
        lengths[~A.any(axis=0)] = 1.0
        A /= lengths
        quick = normal_equations(A, b) if self.solver == "qr" else None
        if quick is not None:
            theta, gap = quick[0][None] / lengths, quick[1]
        else:
            theta, gap, rank = self._by_factors(A, b, lengths, scaled, scale, may_be_deficient=not l2)
            if rank is not None:
                warn_of_rank(rank)
        with np.errstate(over="ignore"):
            theta /= np.concatenate([scale, np.ones(A.shape[1] - n)])
        if not np.isfinite(theta).all():
            raise ValueError("the coefficients are more than a floating-point number can hold: rescale X or y")
        way = "orthogonal factors" if quick is None else "normal equations, refined"
        of_rows = objective(rows, Squared(), self.fit_intercept)
        solution = direct(of_rows, theta[0], float(self.l2), gap * unit, way)
        return Minimum(theta[:, :n], theta[:, n] if self.fit_intercept else np.zeros(1), solution)

    def _by_factors(
        self, A: Array, b: Array, lengths: Array, scaled: Array, scale: Array, may_be_deficient: bool
    ) -> tuple[Array, float, Rank | None]:
        """θ for the columns of A times `lengths`, shape (1, n + 1), its gap, and the rank of X if it is deficient.

        Of equal solutions, θ is the shortest.
        """
        method: Literal["qr", "svd"] = "svd" if self.solver == "svd" else "qr"
        F = factors(A, method)
        if may_be_deficient and F.size < SUSPECT_PIVOT and (rank := rank_of(scaled, self.fit_intercept)).deficient:
            kept = np.concatenate([rank.kept, np.arange(scaled.shape[1], A.shape[1])])
            theta = np.zeros((1, A.shape[1]))
            theta[0, kept], gap = least_squares(A[:, kept], b, factors(A[:, kept], method))
            return shortest(theta / lengths, rank, scale), gap, rank
        x, gap = least_squares(A, b, F)
        return x[None] / lengths, gap, None


def direct(objective: LinearObjective, theta: Array, l2: float, gap: float, way: str) -> Solution:
    """The solution that was found without iterations. way : how, in words."""
    with np.errstate(over="ignore", invalid="ignore"):
        w = theta[: objective.n_features]
        value = objective.value(theta) + (l2 / 2 * float(w @ w) if l2 else 0.0)
    if not np.isfinite(value):
        raise ValueError("the sum of squares is more than a floating-point number can hold: rescale X or y")
    step = Step(1, 1.0, 2.0 * objective.n_parameters**2 * objective.n_examples, 0.0, value, np.sqrt(2 * gap))
    return Solution(theta, value, (step,), Certificate(True, gap, f"solved by {way}"))
