"""What regressions with one predictor share: the form of what is kept, and the summary."""

from sklearn.base import RegressorMixin

from probml.inputs import handed_out, precision_of
from probml.linear_model.base import LinearModel
from probml.linear_model.minimum import Minimum
from probml.linear_model.summary import Summary
from probml.typing import Matrix


class LinearRegressor(RegressorMixin, LinearModel):
    """One predictor z = x · w + b: coef_ (n,), intercept_, n_iter_, solution_."""

    def summary(self, level: float = 0.95) -> Summary:
        """Standard errors, tests and goodness of fit, with intervals of this level."""
        return Summary.of(self, level)

    def _keep(self, X: Matrix, found: Minimum) -> None:
        """What was found from X, shape (m, n), in its precision."""
        self.coef_, self.intercept_ = handed_out(found.coef[0], precision_of(X)), float(found.intercept[0])
        self.solution_, self.n_iter_ = found.solution, found.solution.iterations
