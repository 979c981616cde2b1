"""Linear regression: least squares, by orthogonal factors or by the LMS rule."""

from dataclasses import replace
from functools import partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import qr
from scipy.sparse import issparse
from sklearn.utils.validation import assert_all_finite, check_consistent_length, column_or_1d

from probml.chunks import Chunks, chunks_of
from probml.families import Gaussian
from probml.inputs import in_precision, parameters, precision_of
from probml.linear_model.base import LinearRegressor
from probml.linear_model.chunked import ChunkedTask
from probml.linear_model.design import dense, rank_of, rescale
from probml.linear_model.glm import score_of
from probml.linear_model.least_squares import least_squares
from probml.linear_model.likelihood import Likelihood
from probml.linear_model.minimum import Minimum, in_columns, in_orthogonal_columns, reported, warn_of_rank
from probml.linear_model.normal_equations import normal_equations
from probml.linear_model.rows import Rows, in_ordinary_unit
from probml.linear_model.solving import Method
from probml.losses import GLMLoss, Identity, Squared
from probml.objectives import LinearObjective
from probml.solvers import Certificate, Solution, Step
from probml.typing import Array, Labels, Matrix

GAUSSIAN = GLMLoss(Gaussian(), Identity())
LMS = {"lms-batch": "gradient-descent", "lms-stochastic": "sgd", "lms-online": "sgd"}
NEARLY_EXACT = 1e-22  # of the sum of y²
SUSPECT_PIVOT = 1e-6  # what other columns leave of a column, below which the rank is looked at


@parameters
class LinearRegression(LinearRegressor):
    r"""y = x · w + b + noise.

    .. math::
        \min_{w, b} \; \tfrac{1}{2} \sum_i s_i (x_i \cdot w + b - y_i)^2 + \tfrac{1}{2} l_2 |w|^2

    X : dense or CSR, shape (m, n); "qr" makes it dense. y : shape (m,). sample_weight : s. Or chunks of them, as in
    LogisticRegression: "qr" is then Newton steps, in columns that triangular factors of the chunks make orthogonal.

    Parameters
    ----------
    l2 : the penalty, alpha of scikit-learn's Ridge; 0, the default, is least squares.
    fit_intercept : whether there is a b, which is not penalised.
    solver : "qr" of X itself, refined (for a large, tall X that is well conditioned, normal equations, refined to the
        same digits); "lms-batch", gradient descent; "lms-stochastic", w ← w - t (z_i - y_i) x_i
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

    def fit(self, X: Matrix | Chunks, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (m, n), and y, shape (m,); or to chunks (X, y)."""
        if (chunks := chunks_of(X, y=y, sample_weight=sample_weight)) is not None:
            return self._fit_chunks(chunks)
        # Of all examples the sums show whether X is finite; of some left out, with a weight of 0, only X itself does.
        seen_later = self.solver == "qr" and sample_weight is None and not issparse(X)
        rows = self._rows(X, y, sample_weight, ensure_all_finite=not seen_later)
        rows = rows._replace(y=rows.y.astype(np.float64))
        if self.solver not in ("qr", *LMS):
            raise ValueError(f"solver must be one of qr, {', '.join(LMS)}; received {self.solver!r}")
        if self.solver in LMS:
            problem = partial(LinearObjective, y=rows.y, loss=Squared(), intercept=self.fit_intercept)
            found = self._minimise(rows, problem, self._last(1))
        else:
            found = self._at_once(rows)
        self._keep(X, found)
        self._training = Likelihood(rows, Squared(), GAUSSIAN)
        return self

    def predict(self, X: Matrix) -> Array:
        """x · w + b. Shape (m,)."""
        return in_precision(self._predictor(X), precision_of(X), self.coef_.dtype)

    def score(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """R² = 1 - sum of squares / that around the mean. If all y are alike, 1 for exact predictions and else 0."""
        response: Array = column_or_1d(y, dtype=np.float64)
        check_consistent_length(X, response)
        return score_of(Rows(self._predictor(X)[:, None], response), sample_weight, GAUSSIAN)

    def _fit_chunks(self, chunks: Chunks) -> Self:
        """Newton steps for columns that lose no digits: orthogonal ones, or, under a penalty, centred ones."""
        if self.solver != "qr":
            raise ValueError(f"solver must be qr for examples in chunks, received {self.solver!r}")
        schema, totals = self._survey(chunks)
        make = partial(LinearObjective, loss=Squared(), intercept=self.fit_intercept)
        task, method = ChunkedTask.of(self, chunks, totals, make), replace(self._method(), solver="newton")
        if not task.l2:
            found, rank = in_orthogonal_columns(task, method, None)
            if rank.deficient:
                warn_of_rank(rank, stacklevel=5)
        else:
            recast = task.centred() if task.intercept and task.dense else task.unchanged()
            found = in_columns(recast, np.arange(len(task.columns)), task, method, None)
        self._keep(schema, reported(found, task))
        return self

    def _responses(self, y: Labels) -> Labels:
        return y.astype(np.float64)

    def _method(self) -> Method:
        if (online := self.solver == "lms-online") and self.max_iter not in (None, 1):
            raise ValueError(f"lms-online is one pass, received max_iter={self.max_iter!r}")
        return replace(super()._method(), solver=LMS.get(self.solver, self.solver), one_pass=online)

    def _at_once(self, rows: Rows) -> Minimum:
        """By normal equations, where that costs no digits, or by orthogonal factors."""
        X, y, weight, _ = rows
        l2, intercept, (m, n) = float(self.l2), bool(self.fit_intercept), X.shape
        F = LinearObjective(X, y, Squared(), l2=l2, intercept=intercept, weight=weight)
        weight, _, unit = in_ordinary_unit(weight)
        found = normal_equations(dense(X), y, weight, l2 / unit, intercept)
        if found is None:
            assert_all_finite(X, estimator_name=type(self).__name__, input_name="X")
            theta, gap = self._factored(rows)
            value, passes, way = F.value(theta[0]), 1.0, "orthogonal factors"
        else:
            theta, value, gap = found.theta[None], found.value * unit, found.gap * unit
            passes, way = 2.0, "normal equations, refined"
            if value <= NEARLY_EXACT * rows.total(y**2):  # all that is left of residuals comes from rounding θ
                value = F.value(theta[0])
        if not np.isfinite(value):
            raise ValueError("the sum of squares is more than a floating-point number can hold: rescale X or y")
        step = Step(1, passes, 2.0 * theta.size**2 * m, 0.0, value, np.sqrt(2 * gap))
        solution = Solution(theta[0], value, (step,), Certificate(True, gap, f"solved by {way}"))
        return Minimum(theta[:, :n], theta[:, n] if intercept else np.zeros(1), solution)

    def _factored(self, rows: Rows) -> tuple[Array, float]:
        """θ, shape (1, p), and its gap, by factors of √s (X, 1), with √l2 I below for the penalty.

        Columns are scaled to lengths from 1/2 to 1.
        """
        scaled, scale, l2 = rescale(dense(rows.X), float(self.l2))
        weight, l2, unit = in_ordinary_unit(rows.weight, l2)
        m, n = scaled.shape
        A, b = np.column_stack([scaled, np.ones((m, int(self.fit_intercept)))]), rows.y
        if weight is not None:
            root = np.sqrt(weight)
            A, b = A * root[:, None], b * root
        if l2:
            A, b = np.vstack([A, np.sqrt(l2) * np.eye(n, A.shape[1])]), np.append(b, np.zeros(n))
        lengths = np.ldexp(1.0, np.frexp(np.linalg.norm(A, axis=0))[1])  # 1 for a column of zeros
        A /= lengths
        Q, R = qr(A, mode="economic")
        rank, x = None, np.zeros(A.shape[1])
        if not l2 and (len(R) < len(x) or np.abs(np.diagonal(R)).min(initial=1.0) < SUSPECT_PIVOT):
            rank = rank_of(scaled, self.fit_intercept)
        if rank is None or not rank.deficient:
            x, gap = least_squares(A, b, Q, R)
        else:
            kept = np.append(rank.kept, np.arange(n, len(x)))
            x[kept], gap = least_squares(A[:, kept], b, *qr(A[:, kept], mode="economic"))
        theta = x[None] / lengths
        if rank is not None and rank.deficient:
            theta = rank.shortest(theta, scale)
            warn_of_rank(rank, stacklevel=6)
        with np.errstate(over="ignore"):
            theta /= np.append(scale, np.ones(len(x) - n))
        if not np.isfinite(theta).all():
            raise ValueError("the coefficients are more than a floating-point number can hold: rescale X or y")
        return theta, gap * unit
