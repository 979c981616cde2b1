"""The linear support vector machine with squared hinge."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from probml.linear_model.base import Array, Problem, Rows
from probml.linear_model.binary import BinaryClassifier
from probml.linear_model.design import Matrix
from probml.linear_model.solving import LARGEST_HESSIAN, RandomState
from probml.losses import SquaredHinge
from probml.objectives import LinearObjective
from probml.objectives.private_columns import PrivateColumns


class LinearSVC(BinaryClassifier):
    """The second class where z = x · w + b > 0.

        minimise  sum_i s_i max(0, 1 - y_i z_i)² / 2 + l2/2 |w|²,     y_i = 1 for the second class, else -1

    This is the usual C/2-SVM with C = 1 / (2 l2), but the intercept is not penalised.

    X : dense or CSR, shape (m, n). y : labels of two classes, shape (m,). sample_weight : s, like repetitions.
    Parameters and attributes are those of LogisticRegression; a penalty, l2 = 1, belongs to the method.
    """

    def __init__(
        self,
        *,
        l2: float = 1.0,
        fit_intercept: bool = True,
        solver: str = "auto",
        solver_options: Mapping[str, object] | None = None,
        tol: float | None = None,
        max_iter: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            l2=l2,
            fit_intercept=fit_intercept,
            solver=solver,
            solver_options=solver_options,
            tol=tol,
            max_iter=max_iter,
            random_state=random_state,
        )

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (m, n), and labels y, shape (m,)."""
        rows, codes, classes = self._two_classes(X, y, sample_weight)

        def problem(X: Matrix, l2: float, weight: Array | None) -> LinearObjective:
            return LinearObjective(X, 2 * codes - 1, SquaredHinge(), l2=l2, intercept=self.fit_intercept, weight=weight)

        if self.l2 > 0 and sparse.issparse(rows.X) and rows.X.shape[1] > LARGEST_HESSIAN:
            self.coef_, self.intercept_ = self._minimise_pooled(rows, problem)
        else:
            self.coef_, self.intercept_ = self._minimise(rows, problem)
        self.classes_ = classes
        return self

    def _minimise_pooled(self, rows: Rows, problem: Problem) -> tuple[Array, Array]:
        """The same minimum, with all columns that only one row uses pooled into one for each such row."""
        columns = PrivateColumns.of(rows.X)
        w, b = self._minimise(rows._replace(X=columns.X), problem)
        coef = columns.back(w[0])[None]
        theta = np.append(coef, b) if self.fit_intercept else coef[0]
        self.solution_ = replace(self.solution_, theta=theta)
        return coef, b
