"""Logistic regression: two classes with linear log odds, or more with linear scores."""

from functools import partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_expit, log_softmax
from sklearn.utils.validation import check_is_fitted

from probml.chunks import Chunks, chunks_of
from probml.families import Bernoulli
from probml.linear_model.base import ProbabilisticClassifier
from probml.linear_model.chunked import ChunkedTask, Reach
from probml.linear_model.likelihood import Likelihood
from probml.linear_model.minimum import Boundary, minimise
from probml.linear_model.pooling import pooled, spread
from probml.linear_model.separation import separation
from probml.linear_model.softmax import shortest_vectors, softmax_in_chunks, softmax_problem
from probml.linear_model.summary import Summary
from probml.losses import GLMLoss, Logistic, Logit
from probml.objectives import LinearObjective
from probml.typing import Array, Matrix


class LogisticRegression(ProbabilisticClassifier):
    r"""p(second class | x) = σ(z) = 1 / (1 + e^-z),   z = x · w + b.

    .. math::
        \min_{w, b} \; \sum_i s_i [\log(1 + e^{z_i}) - y_i z_i] + \tfrac{1}{2} l_2 |w|^2, \quad
        y_i = 1 \text{ for the second class, else } 0

    K > 2 classes: softmax regression, p(y = k | x) in proportion to e^(z_k), with the objective of SoftmaxRegression
    and its K shortest vectors.

    X : dense or CSR, shape (m, n). y : labels, shape (m,). sample_weight : s, like repetitions. Or chunks of all three
    (`probml.chunks`), by Newton steps whose sums are over chunks: without `summary`, and with few other solvers
    (`probml.linear_model.chunked`).

    Parameters
    ----------
    l2 : the penalty, 1 / C of scikit-learn's namesake. 0, the default, is no penalty but maximum likelihood (C = inf).
        Separated classes then have no maximum: SeparationError.
    fit_intercept : whether there is a b, which is not penalised.
    class_weight : {label: weight}, which multiplies s for examples of that class (1 for labels that are left out); or
        "balanced", sum of s / (K times the sum of s over the class), so that all classes weigh the same.
    solver : a name in `probml.linear_model.solving.SOLVERS`, with solver_options for its other arguments; or "auto",
        Newton's method in the form that suits the size of X.
    tol, max_iter : tolerance and max_iterations of the solver, in its own measure. "newton" stops at a gain to come of
        tol times F, which is the square of a distance: None is 1e-20, ten digits or more. "growing-newton" measures it
        by the mean weight of an example: 1e-22. The others stop at tol times the first gradient: 1e-8, and 1e-14 where
        "auto" takes one of them for up to 1000 parameters. Not converged: ConvergenceWarning.
    random_state : seed of the solver "sgd"; None is another order of the examples each time.
    warm_start : whether to begin at the coefficients of the last fit, if they have the shape that is needed.

    Attributes
    ----------
    classes_ (K,); with V = 1 for two classes and V = K for more: coef_ (V, n), intercept_ (V,); n_iter_, solution_
    (θ = (w, b) or all (w_k, b_k) in turn, trace, certificate)
    """

    def fit(self, X: Matrix | Chunks, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (m, n), and labels y, shape (m,); or to chunks (X, y)."""
        if (chunks := chunks_of(X, y=y, sample_weight=sample_weight)) is not None:
            return self._fit_chunks(chunks)
        rows, codes, classes = self._labelled(X, y, sample_weight)
        if len(classes) > 2:  # see SoftmaxRegression
            fewer, columns = pooled(rows, self.l2)
            found = spread(self._minimise(fewer, *softmax_problem(self, codes, len(classes), columns)), columns)
            found = shortest_vectors(found, len(classes), self.fit_intercept)
        else:
            sign = 2 * codes - 1
            problem = partial(LinearObjective, y=codes, loss=Logistic(), intercept=self.fit_intercept)
            boundary = Boundary(
                reach=lambda z: float(np.max(sign * z[:, 0])),
                separation=lambda X: separation(X, sign, self.fit_intercept),
            )
            found = self._minimise(rows, problem, self._last(1), boundary)
            rows = rows._replace(y=codes.astype(np.float64))
            self._training = Likelihood(rows, Logistic(), GLMLoss(Bernoulli(), Logit()))
        self._keep(X, found, classes)
        self.solution_ = found.solution
        return self

    def _fit_chunks(self, chunks: Chunks) -> Self:
        schema, totals, factor = self._survey_of_classes(chunks)
        if len(totals.labels) > 2:
            make, start, reach = softmax_in_chunks(self, len(totals.labels))
        else:
            make, start = partial(LinearObjective, loss=Logistic(), intercept=self.fit_intercept), self._last(1)
            reach = Reach(_reach_of_chunk)
        task = ChunkedTask.of(self, chunks, totals, make, factor)
        found = minimise(task, self._method(), start, reach, self.solver)
        if len(totals.labels) > 2:
            found = shortest_vectors(found, len(totals.labels), self.fit_intercept)
        self._keep(schema, found, totals.labels)
        self.solution_ = found.solution
        return self

    def _log_posterior(self, X: Matrix) -> Array:
        """log σ(∓z), or z_k - log sum_l e^(z_l). Shape (m, K)."""
        z = self._decision(X)
        if z.ndim == 2:
            return np.asarray(log_softmax(z, axis=1))
        return np.column_stack([log_expit(-z), log_expit(z)])

    def summary(self, level: float = 0.95) -> Summary:
        """Standard errors, tests and goodness of fit, with intervals of this level. For two classes."""
        check_is_fitted(self, "coef_")
        if (K := len(self.classes_)) > 2:
            raise ValueError(
                f"standard errors of {K} classes are those of log odds against one of them: use "
                "SoftmaxRegression(reference=True)"
            )
        return Summary.of(self, level)


def _reach_of_chunk(objective: LinearObjective, z: Array) -> float:
    """The largest ± z, with the sign of y."""
    return float(np.max((2 * objective.y - 1) * z[:, 0]))
