"""The linear support vector machine with squared hinge."""

from collections.abc import Mapping
from typing import Self

from numpy.typing import ArrayLike

from probml.linear_model.binary import BinaryClassifier
from probml.linear_model.design import Matrix
from probml.losses import SquaredHinge
from probml.objectives import LinearObjective


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
        tolerance: float | None = None,
        max_iterations: int | None = None,
    ) -> None:
        super().__init__(
            l2=l2,
            fit_intercept=fit_intercept,
            solver=solver,
            solver_options=solver_options,
            tolerance=tolerance,
            max_iterations=max_iterations,
        )

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (m, n), and labels y, shape (m,)."""
        rows, codes, classes = self._two_classes(X, y, sample_weight)

        def problem(X: Matrix, l2: float) -> LinearObjective:
            return LinearObjective(
                X, 2 * codes - 1, SquaredHinge(), l2=l2, intercept=self.fit_intercept, weight=rows.weight
            )

        self.coef_, self.intercept_ = self._minimise(rows.X, problem)
        self.classes_ = classes
        return self
