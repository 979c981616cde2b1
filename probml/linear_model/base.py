"""What models with a linear predictor share: parameters, input, the way to the minimum, and what is kept of it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from probml.chunks import ChunkByChunk, Chunks, Schema, survey
from probml.inputs import (
    AllOrNothing,
    examples,
    in_precision,
    is_number,
    parameters,
    precision_of,
    require_flags,
    training_examples,
)
from probml.linear_model.chunked import CHECKS, Totals, totals_of
from probml.linear_model.minimum import Boundary, Minimum, Problem, TaskInMemory, minimise
from probml.linear_model.rows import ClassWeight, Rows, factor_of_class, offset_of, weight_of_class
from probml.linear_model.solving import Method
from probml.linear_model.summary import Summary
from probml.typing import Array, Indices, Labels, Matrix, RandomState


@parameters
class LinearModel(AllOrNothing, ChunkByChunk, BaseEstimator):
    """A model of z = x · w + b, fitted by minimising sum_i s_i l(y_i, z_i) + l2/2 |w|². b is not penalised.

    X : dense or CSR, shape (m, n). Columns with magnitudes beyond 2^±20 are scaled by powers of two on the way, and so
    is the objective where the largest weight is beyond; value, trace and certificate of `solution_` are those of the
    objective as it is written here.
    """

    l2: float = 0.0
    fit_intercept: bool = True
    solver: str = "auto"
    solver_options: Mapping[str, object] | None = None
    tol: float | None = None
    max_iter: int | None = None
    random_state: RandomState = 0
    warm_start: bool = False

    def __sklearn_tags__(self) -> Tags:
        """Sparse matrices are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def __getstate__(self) -> dict[str, object]:
        """Without the training data, which only `summary` reads."""
        return {name: value for name, value in super().__getstate__().items() if name != "_training"}

    def _valid(self, X: Matrix) -> Matrix:
        check_is_fitted(self, "coef_")
        return examples(self, X, reset=False, accept_sparse="csr", dtype=np.float64)

    def _rows(
        self,
        X: Matrix,
        y: ArrayLike | None,
        sample_weight: ArrayLike | None,
        offset: Array | None = None,
        ensure_all_finite: bool = True,
    ) -> Rows:
        self._check_parameters()
        X, y = training_examples(self, X, y, accept_sparse="csr", dtype=np.float64, ensure_all_finite=ensure_all_finite)
        return Rows(X, y, offset=offset).weighted(sample_weight)

    def _check_parameters(self) -> None:
        if not (is_number(self.l2) and 0 <= self.l2 < np.inf):
            raise ValueError(f"l2 must be a finite number of at least 0, received {self.l2!r}")
        require_flags(self, "fit_intercept", "warm_start")

    def _survey(self, chunks: Chunks) -> tuple[Schema, Totals]:
        """The first pass over examples in chunks: what all have in common, and what is added up."""
        self._check_parameters()
        self.__dict__.pop("_training", None)  # of an earlier fit
        schema, totals = survey(chunks, self, totals_of, **CHECKS)
        if not totals.m:
            raise ValueError("all of sample_weight is 0: there is nothing to fit")
        schema.adopt(self)
        return schema, totals

    def _responses(self, y: Labels) -> Labels:
        """y, shape (m,), if the model can have such responses."""
        return y

    def _last(self, vectors: int) -> Array | None:
        """With warm_start, the last fit as rows (w, b) or w, shape (V, n + 1) or (V, n), if it had this shape, too."""
        if not (self.warm_start and hasattr(self, "coef_")):
            return None
        coef, intercept = np.atleast_2d(self.coef_).astype(np.float64), np.atleast_1d(self.intercept_)
        return theta_of(coef, intercept, self.fit_intercept) if coef.shape == (vectors, self.n_features_in_) else None

    def _method(self) -> Method:
        return Method(
            self.solver, self.solver_options, self.tol, self.max_iter, self.random_state, bool(self.warm_start)
        )

    def _scores(self, X: Matrix) -> Array:
        """x · w + b: shape (m,) for one predictor, (m, V) for V of them."""
        X = self._valid(X)
        one = self.coef_.shape[:-1] == (1,)
        w, b = (self.coef_[0], self.intercept_[0]) if one else (self.coef_.T, self.intercept_)
        with np.errstate(over="ignore", invalid="ignore"):
            return finite(X @ w + b)

    def _minimise(
        self, rows: Rows, problem: Problem, start: Array | None = None, boundary: Boundary | None = None
    ) -> Minimum:
        """The minimum of the objective `problem(X, l2=, weight=)`: see `probml.linear_model.minimum`.

        start : (w, b) or w for each of V predictors, one after the other; None is that of the objective.
        """
        weights_as_given = "step_size" in (self.solver_options or {})
        task = TaskInMemory.of(rows, problem, float(self.l2), bool(self.fit_intercept), weights_as_given)
        return minimise(task, self._method(), start, boundary, self.solver)


class LinearRegressor(RegressorMixin, LinearModel):
    """One predictor z = x · w + b: coef_ (n,), intercept_, n_iter_, solution_."""

    def summary(self, level: float = 0.95) -> Summary:
        """Standard errors, tests and goodness of fit, with intervals of this level."""
        return Summary.of(self, level)

    def _predictor(self, X: Matrix, offset: ArrayLike | None = None, exposure: ArrayLike | None = None) -> Array:
        z, extra = self._scores(X), offset_of(X, offset, exposure)
        return z if extra is None else finite(z + extra)

    def _keep(self, X: Matrix | Schema, found: Minimum) -> None:
        """What was found from X, shape (m, n), in its precision."""
        self.coef_, self.intercept_ = in_precision(found.coef[0], precision_of(X)), float(found.intercept[0])
        self.solution_, self.n_iter_ = found.solution, found.solution.iterations


@parameters
class LinearClassifier(ClassifierMixin, LinearModel):
    """Two classes: the second one where z = x · w + b is above 0. coef_ (1, n), intercept_ (1,), classes_ (2,).

    K > 2 classes: the one with the largest z_k = x · w_k + b_k. coef_ (K, n), intercept_ (K,), classes_ (K,).
    """

    class_weight: ClassWeight = None

    def decision_function(self, X: Matrix) -> Array:
        """z. Shape (m,) for two classes, (m, K) for more."""
        return in_precision(self._decision(X), precision_of(X), self.coef_.dtype)

    def predict(self, X: Matrix) -> Labels:
        """Of two classes the second where z > 0, the first elsewhere; of more that of the largest z_k. Shape (m,)."""
        z = self._decision(X)
        labels: Labels = self.classes_[(z > 0).astype(int) if z.ndim == 1 else z.argmax(axis=1)]
        return labels

    def _decision(self, X: Matrix) -> Array:
        return self._scores(X)

    def _keep(self, X: Matrix | Schema, found: Minimum, classes: Labels) -> None:
        """What was found from X, shape (m, n), in its precision."""
        self.coef_, self.intercept_ = (in_precision(each, precision_of(X)) for each in (found.coef, found.intercept))
        self.classes_, self.n_iter_ = classes, found.solution.iterations

    def _labelled(
        self, X: Matrix, y: ArrayLike | None, sample_weight: ArrayLike | None
    ) -> tuple[Rows, Indices, Labels]:
        """The examples, weighted by class too, their classes as 0 to K - 1, and the labels of these."""
        rows = self._rows(X, y, sample_weight)
        if self.class_weight is not None:
            rows = rows.weighted(weight_of_class(self.class_weight, rows))
        classes, codes = np.unique(rows.y, return_inverse=True)
        self._require_two(classes)
        return rows, codes, classes

    def _survey_of_classes(self, chunks: Chunks) -> tuple[Schema, Totals, Array | None]:
        """The first pass, and the weights of the classes, if any; without classes that have a weight of 0."""
        (schema, totals), factor = self._survey(chunks), None
        if self.class_weight is not None:
            factor = factor_of_class(self.class_weight, totals.labels, totals.by_label()[0])
            totals, factor = totals.of_classes(factor > 0), factor[factor > 0]
        self._require_two(totals.labels)
        return schema, totals, factor

    def _require_two(self, classes: Labels) -> None:
        if len(classes) < 2:
            raise ValueError(
                f"{type(self).__name__} needs examples of two classes, with weights above 0; received one class only: "
                f"{classes.tolist()[0]!r}"
            )


class ProbabilisticClassifier(LinearClassifier, ABC):
    """A linear classifier that has a probability for each class."""

    def predict_log_proba(self, X: Matrix) -> Array:
        """log p(y = k | x). Shape (m, K)."""
        return in_precision(self._log_posterior(X), precision_of(X), self.coef_.dtype)

    def predict_proba(self, X: Matrix) -> Array:
        """p(y = k | x). Shape (m, K)."""
        return in_precision(np.exp(self._log_posterior(X)), precision_of(X), self.coef_.dtype)

    @abstractmethod
    def _log_posterior(self, X: Matrix) -> Array:
        """log p(y = k | x) in double precision. Shape (m, K)."""


def theta_of(coef: Array, intercept: Array, fit_intercept: bool) -> Array:
    """Rows (w, b), or w alone: shape (V, n + 1) or (V, n), from coef, shape (V, n), and intercept, shape (V,)."""
    return np.column_stack([coef, intercept] if fit_intercept else [coef])  # never coef itself


def finite(z: Array) -> Array:
    """The predictors, if all of them are numbers."""
    if not np.isfinite(z).all():
        raise ValueError("the values of X give predictors that are more than a floating-point number can hold")
    return z
