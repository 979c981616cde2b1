"""Softmax regression: K classes, each with a linear score."""

from dataclasses import replace
from functools import partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve
from scipy.special import log_softmax

from probml.chunks import Chunks, chunks_of
from probml.inputs import parameters, require_flags
from probml.linear_model.base import LinearClassifier, ProbabilisticClassifier, theta_of
from probml.linear_model.chunked import ChunkedTask, Make, Reach
from probml.linear_model.design import rank_of, rescale
from probml.linear_model.minimum import Boundary, Minimum, Problem, minimise
from probml.linear_model.pooling import pooled, spread
from probml.linear_model.separation import softmax_separation
from probml.linear_model.summary import Summary, names_of, require_training, require_unchanged
from probml.objectives import SoftmaxObjective
from probml.objectives.private_columns import PrivateColumns
from probml.typing import Array, Indices, Matrix


@parameters
class SoftmaxRegression(ProbabilisticClassifier):
    r"""p(y = k | x) = e^(z_k) / sum_l e^(z_l),   z_k = x · w_k + b_k.

    .. math::
        \min_{W, b} \; \sum_i s_i \left[\log \sum_k e^{z_{ik}} - z_{i, y_i}\right] + \tfrac{1}{2} l_2 \sum_k |w_k|^2

    One vector added to all w_k, or one number to all b_k, changes no probability. With `reference` the last class has
    w = 0 and b = 0, K - 1 vectors remain, and the penalty depends on which class is the last; without it the K
    vectors are the shortest ones: they add up to 0, as do the b_k.

    X : dense or CSR, shape (m, n). y : labels, shape (m,). sample_weight : s, like repetitions. Or chunks of them.
    Other parameters are those of LogisticRegression.

    Attributes
    ----------
    classes_ (K,), coef_ (K, n) or, with reference, (K - 1, n), intercept_ (K,) or (K - 1,), n_iter_, solution_
    """

    reference: bool = False

    def fit(self, X: Matrix | Chunks, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (m, n), and labels y, shape (m,); or to chunks (X, y)."""
        require_flags(self, "reference")
        if (chunks := chunks_of(X, y=y, sample_weight=sample_weight)) is not None:
            return self._fit_chunks(chunks)
        rows, codes, classes = self._labelled(X, y, sample_weight)
        K, reference = len(classes), bool(self.reference)
        fewer, columns = pooled(rows, self.l2)
        found = spread(self._minimise(fewer, *softmax_problem(self, codes, K, columns, reference)), columns)
        found = found if reference else shortest_vectors(found, K, self.fit_intercept)
        self._keep(X, found, classes)
        self.solution_ = found.solution
        self._training = rows._replace(y=codes)
        return self

    def _fit_chunks(self, chunks: Chunks) -> Self:
        schema, totals, factor = self._survey_of_classes(chunks)
        K, reference = len(totals.labels), bool(self.reference)
        make, start, reach = softmax_in_chunks(self, K, reference)
        task = ChunkedTask.of(self, chunks, totals, make, factor)
        found = minimise(task, self._method(), start, reach, self.solver)
        found = found if reference else shortest_vectors(found, K, self.fit_intercept)
        self._keep(schema, found, totals.labels)
        self.solution_ = found.solution
        return self

    def _decision(self, X: Matrix) -> Array:
        """z, shape (m, K); for two classes z_1 - z_0, the log odds of the second, shape (m,), as scikit-learn does."""
        z = self._all_scores(X)
        return z[:, 1] - z[:, 0] if len(self.classes_) == 2 else z

    def _log_posterior(self, X: Matrix) -> Array:
        return np.asarray(log_softmax(self._all_scores(X), axis=1))

    def summary(self, level: float = 0.95) -> Summary:
        """Standard errors and tests of the log odds against the last class. For reference=True."""
        require_training(self)
        rows = self._training
        if len(self.coef_) == len(self.classes_):
            raise ValueError("standard errors are those of log odds against a reference class: use reference=True")
        X, scale, _ = rescale(rows.X, 0.0)
        if rank_of(X, self.fit_intercept).deficient:
            raise ValueError("columns of X are combinations of others, so that coefficients have no standard errors")
        K, theta = len(self.classes_), self.solution_.theta
        columns = np.tile(np.append(scale, [1.0] * self.fit_intercept), K - 1)
        objective = SoftmaxObjective(X, rows.y, K, intercept=self.fit_intercept, weight=rows.weight, reference=True)
        value, _, hessian = objective.newton_system(theta * columns)
        require_unchanged(value, self.solution_.value, objective.unit)
        root = np.sqrt(np.diagonal(hessian))
        inverse = cho_solve(cho_factor(hessian / root / root[:, None]), np.eye(len(root)))
        count = np.bincount(rows.y, weights=rows.weight, minlength=K)
        null = count @ np.log(count / count.sum() if self.fit_intercept else np.full(K, 1 / K))
        return Summary(
            names=tuple(f"{label}: {name}" for label in self.classes_[:-1] for name in names_of(self)),
            coefficient=theta.copy(),
            standard_error=np.sqrt(np.diagonal(inverse)) / root / columns,
            statistic_name="z",
            level=level,
            deviance=2 * value,
            null_deviance=-2 * float(null),
            log_likelihood=-value,
            n_examples=float(count.sum()),
            df_model=(K - 1) * self.n_features_in_,
            dispersion=1.0,
        )

    def _all_scores(self, X: Matrix) -> Array:
        z = self._scores(X)
        if len(self.coef_) < len(self.classes_):  # with a reference, whatever `reference` says now
            z = np.column_stack([z, np.zeros(len(z))])
        return z


def softmax_problem(
    model: LinearClassifier, codes: Indices, K: int, columns: PrivateColumns | None, reference: bool = False
) -> tuple[Problem, Array | None, Boundary]:
    """The objective of K classes, given as 0 to K - 1, shape (m,), where to start, and where it has no minimum.

    columns : how those of X are pooled, if they are. Without a penalty nothing holds the common part of K vectors: as
    with a reference, K - 1 are fitted.
    """
    make, start, _ = softmax_in_chunks(model, K, reference)
    intercept = model.fit_intercept
    if start is not None and columns is not None:
        start = columns.pool(start)

    boundary = Boundary(partial(_reach, codes, K), lambda X: softmax_separation(X, codes, K, intercept))
    return partial(make, y=codes), start, boundary


def softmax_in_chunks(model: LinearClassifier, K: int, reference: bool = False) -> tuple[Make, Array | None, Reach]:
    """The same, but for the classes of the examples, which each chunk has."""
    fewer = reference or model.l2 == 0
    last = model._last(K - reference)
    start = last[:-1] - last[-1] if last is not None and fewer and not reference else last
    make = partial(SoftmaxObjective, n_classes=K, intercept=model.fit_intercept, reference=fewer)
    return make, start, Reach(_reach_of_chunk)


def _reach_of_chunk(objective: SoftmaxObjective, z: Array) -> float:
    return _reach(objective.y, objective.n_classes, z)


def _reach(codes: Indices, K: int, z: Array) -> float:
    """The largest z_y - z_k; z : shape (m, K), or (m, K - 1) if that of the last class is 0."""
    z = np.column_stack([z, np.zeros((len(z), K - z.shape[1]))])
    return float((z[np.arange(len(z)), codes][:, None] - z).max())


def shortest_vectors(found: Minimum, K: int, fit_intercept: bool) -> Minimum:
    """K vectors and intercepts that add up to 0, from K, or from K - 1 where the last is 0: the same probabilities."""
    coef, intercept, solution = found
    if len(coef) < K:
        coef, intercept = np.vstack([coef, np.zeros_like(coef[:1])]), np.append(intercept, 0.0)
    coef, intercept = coef - coef.mean(axis=0), intercept - intercept.mean()
    return Minimum(coef, intercept, replace(solution, theta=theta_of(coef, intercept, fit_intercept).ravel()))
