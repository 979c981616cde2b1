"""Logistic regression: two classes with linear log odds."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_expit

from probml.families import Bernoulli
from probml.linear_model.base import Array, Boundary
from probml.linear_model.binary import BinaryClassifier
from probml.linear_model.design import Matrix
from probml.linear_model.likelihood import Training
from probml.linear_model.separation import separation
from probml.linear_model.summary import Summary
from probml.losses import GLMLoss, Logistic, Logit
from probml.objectives import LinearObjective


class LogisticRegression(BinaryClassifier):
    """p(second class | x) = σ(z) = 1 / (1 + e^-z),   z = x · w + b.

        minimise  sum_i s_i [log(1 + e^(z_i)) - y_i z_i] + l2/2 |w|²,     y_i = 1 for the second class, else 0

    X : dense or CSR, shape (m, n). y : labels of two classes, shape (m,). sample_weight : s, like repetitions.

    Parameters
    ----------
    l2 : the penalty, 1 / C of scikit-learn's namesake. 0, the default, is no penalty but maximum likelihood (C = inf).
        Separated classes then have no maximum: SeparationError.
    fit_intercept : whether there is a b, which is not penalised.
    solver : a name in `probml.linear_model.solving.SOLVERS`, with solver_options for its other arguments; or "auto",
        Newton's method in the form that suits the size of X.
    tol, max_iter : tolerance and max_iterations of the solver; None is its own. Not converged: ConvergenceWarning.
    random_state : seed of the solver "sgd"; None is another order of the examples each time.

    Attributes
    ----------
    classes_ (2,), coef_ (1, n), intercept_ (1,), n_iter_, solution_ (θ = (w, b), trace, certificate)
    """

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (m, n), and labels y, shape (m,)."""
        rows, codes, classes = self._two_classes(X, y, sample_weight)
        side = 2 * codes - 1

        def problem(X: Matrix, l2: float, weight: Array | None) -> LinearObjective:
            return LinearObjective(X, codes, Logistic(), l2=l2, intercept=self.fit_intercept, weight=weight)

        boundary = Boundary(
            reach=lambda z: float(np.max(side * z[:, 0])),
            separation=lambda X: separation(X, side, self.fit_intercept),
        )
        self.coef_, self.intercept_ = self._minimise(rows, problem, boundary=boundary)
        self.classes_ = classes
        self._training = Training(rows._replace(y=codes.astype(np.float64)), Logistic(), GLMLoss(Bernoulli(), Logit()))
        return self

    def predict_log_proba(self, X: Matrix) -> Array:
        """log p(y = j | x) = log σ(∓z). Shape (m, 2)."""
        z = self.decision_function(X)
        return np.column_stack([log_expit(-z), log_expit(z)])

    def predict_proba(self, X: Matrix) -> Array:
        """p(y = j | x). Shape (m, 2)."""
        return np.exp(self.predict_log_proba(X))

    def summary(self, level: float = 0.95) -> Summary:
        """Standard errors, tests and goodness of fit, with intervals of this level."""
        return Summary.of(self, level)
