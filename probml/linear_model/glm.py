"""Generalised linear models: a family for y, a link between its mean and the linear predictor."""

from dataclasses import field
from functools import partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length, column_or_1d

from probml import losses
from probml.chunks import Chunks, chunks_of
from probml.errors import SeparationError
from probml.families import Bernoulli, ExponentialFamily, Gaussian, Poisson
from probml.inputs import in_precision, parameters, precision_of
from probml.linear_model.base import LinearRegressor, finite
from probml.linear_model.chunked import ChunkedTask, Reach
from probml.linear_model.design import dense
from probml.linear_model.likelihood import Likelihood
from probml.linear_model.minimum import Boundary, minimise
from probml.linear_model.rows import Rows, offset_of
from probml.linear_model.separation import separation
from probml.losses import GLMLoss, Identity, Link, Log, Loss
from probml.losses.glm import MEAN_FORMS
from probml.objectives import LinearObjective
from probml.typing import Array, Indices, Labels, Matrix


@parameters
class GLM(LinearRegressor):
    r"""E[y | x] = μ = g^-1(z),   z = x · w + b + offset,   with y of an exponential family.

    .. math::
        \min_{w, b} \; \sum_i s_i \, l(y_i, z_i) + \tfrac{1}{2} l_2 |w|^2, \quad
        l = -\log p(y \mid \mu) + \text{constant, for dispersion } 1

    X : dense or CSR, shape (m, n). y : responses of the family, shape (m,). For Bernoulli they may be proportions of
    successes with the numbers of trials as sample_weight, for Poisson rates with the exposures as sample_weight: see
    PoissonRegression. offset, shape (m,), or exposure e > 0, which is the offset log e. Or chunks of them, as in
    LogisticRegression; one with an offset is a mapping from these names.

    Parameters
    ----------
    family : Gaussian(), Bernoulli(), Poisson() or Gamma() of `probml.families`.
    link : g, one of `probml.losses`; None is the canonical one. With others the objective may have several minima.
    l2, fit_intercept, solver, solver_options, tol, max_iter, random_state, warm_start : as in LogisticRegression.

    Attributes
    ----------
    coef_ (n,), intercept_, n_iter_, solution_ (θ = (w, b), trace, certificate)
    """

    family: ExponentialFamily = field(kw_only=False)
    link: Link | None = field(default=None, kw_only=False)

    def __sklearn_tags__(self) -> Tags:
        """Whether the family has no responses below 0."""
        tags = super().__sklearn_tags__()
        form = MEAN_FORMS.get(type(self.family))
        tags.target_tags.positive_only = form is not None and form.limits[0] >= 0
        return tags

    def fit(
        self,
        X: Matrix | Chunks,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        offset: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
    ) -> Self:
        """Fit to X, shape (m, n), and responses y, shape (m,); or to chunks (X, y)."""
        glm = self._glm()
        chunks = chunks_of(X, y=y, sample_weight=sample_weight, offset=offset, exposure=exposure)
        if chunks is not None:
            return self._fit_chunks(chunks, glm)
        rows = self._rows(X, y, sample_weight, offset_of(X, offset, exposure))
        rows = rows._replace(y=glm.check(rows.y))
        likelihood = Likelihood(rows, simplest(glm, rows.y), glm)
        boundary, start = self._boundary(rows, glm), self._last(1)
        if start is None or not allowed(likelihood, start[0]):
            start = self._start(likelihood)
        problem = partial(
            LinearObjective, y=rows.y, loss=likelihood.loss, intercept=self.fit_intercept, offset=rows.offset
        )
        self._keep(X, self._minimise(rows, problem, start, boundary))
        self._training = likelihood
        return self

    def predict(self, X: Matrix, *, offset: ArrayLike | None = None, exposure: ArrayLike | None = None) -> Array:
        """The mean μ. Shape (m,)."""
        mean = finite(self._glm().link.inverse(self._predictor(X, offset, exposure)))
        return in_precision(mean, precision_of(X), self.coef_.dtype)

    def score(
        self,
        X: Matrix,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        offset: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
    ) -> float:
        """D² = 1 - deviance / deviance of the best constant model: the share explained, R² for the Gaussian.

        Responses that are all alike leave nothing to explain: D² is then 1 if all predictions are exact, and else 0, as
        R² is in scikit-learn. One example alone has no D²: ValueError.
        """
        glm = self._glm()
        y = glm.check(column_or_1d(y, dtype=np.float64))
        check_consistent_length(X, y)
        rows = Rows(self._predictor(X, offset, exposure)[:, None], y, offset=offset_of(X, offset, exposure))
        return score_of(rows, sample_weight, glm)

    def _glm(self) -> GLMLoss:
        link = GLMLoss(self.family, Identity()).form.canonical if self.link is None else self.link
        if not isinstance(link, Link):
            raise ValueError(f"link must be a link of probml.losses such as Log(), or None; received {link!r}")
        return GLMLoss(self.family, link)

    def _fit_chunks(self, chunks: Chunks, glm: GLMLoss) -> Self:
        schema, totals = self._survey(chunks)
        (total,), y = totals.by_label()[0], totals.labels
        if (sign := sign_of(glm, y)) is not None and self.fit_intercept:
            refuse_constant(y, sign, totals.m)
        make = partial(LinearObjective, loss=simplest(glm, y), intercept=self.fit_intercept)
        task, start = ChunkedTask.of(self, chunks, totals, make), self._last(1)
        objective = task.objective()

        def is_allowed(theta: Array) -> bool:
            return bool(np.isfinite(objective.value(theta * task.columns)))

        if start is None or not is_allowed(start[0]):
            start = np.zeros(len(task.columns))
            if self.fit_intercept:
                start[-1] = constant_predictor(glm, totals.response / total, totals.offset / total)
            if not is_allowed(start):
                raise ValueError(
                    f"no coefficients were found with means that {type(glm.family).__name__} allows under the link "
                    f"{glm.link!r}: use another link, such as Log(), or an intercept"
                )
        reach = None if sign is None else Reach(partial(_reach_of_chunk, glm))
        self._keep(schema, minimise(task, self._method(), start, reach, self.solver))
        return self

    def _responses(self, y: Labels) -> Labels:
        return self._glm().check(y)

    def _boundary(self, rows: Rows, glm: GLMLoss) -> Boundary | None:
        """Shares of 0 or 1, and means of 0 with a log or inverse link, are reached only by infinite predictors."""
        if (sign := sign_of(glm, rows.y)) is None:
            return None
        if self.fit_intercept:
            refuse_constant(rows.y, sign, len(sign))
        return Boundary(
            lambda z: reach_of(glm, sign, rows.y, rows.offset, z),
            lambda X: separation(X, sign, self.fit_intercept),
        )

    def _start(self, likelihood: Likelihood) -> Array:
        """The best constant mean if there is an intercept; without it 0, or a fit of g(y) if 0 gives no mean."""
        rows, _, glm = likelihood
        theta = np.zeros(rows.X.shape[1] + int(self.fit_intercept))
        offset = 0.0 if rows.offset is None else rows.offset
        if self.fit_intercept:
            shift = 0.0 if rows.offset is None else rows.average(rows.offset)
            theta[-1] = constant_predictor(glm, rows.average(rows.y), shift)
        if not allowed(likelihood, theta):
            near = np.clip(rows.y, *np.quantile(rows.y, [0.25, 0.75]))
            z = glm.link.of(np.where(glm.form.is_mean(near), near, np.average(rows.y)))
            design = np.column_stack([dense(rows.X), np.ones((len(rows.y), int(self.fit_intercept)))])
            theta = np.linalg.lstsq(design, z - offset, rcond=None)[0]
        if not allowed(likelihood, theta):
            raise ValueError(
                f"no coefficients were found with means that {type(glm.family).__name__} allows under the link "
                f"{glm.link!r}: use another link, such as Log()"
            )
        return theta


def sign_of(glm: GLMLoss, y: Array) -> Indices | None:
    """Which way an infinite predictor makes each response more likely: +1, -1, or 0 for neither; None for any y."""
    match glm.family, glm.link:
        case Bernoulli(), losses.Logit() | losses.Probit() | losses.CLogLog():
            return np.asarray((y == 1).astype(int) - (y == 0))
        case Bernoulli() | Poisson(), Log():
            return -(y == 0).astype(int)
        case Bernoulli() | Poisson(), losses.Inverse():
            return np.asarray((y == 0).astype(int))
        case Gaussian(), Log():  # of all means above 0, those near 0 are the nearest to responses below
            return -(y <= 0).astype(int)
    return None


def refuse_constant(y: Array, sign: Indices, m: int) -> None:
    """SeparationError if all m responses, of which y are some with all signs, want the same infinite intercept."""
    if (sign == sign[0]).all() and sign[0]:
        what = f"{y[0]:g}" if (y == y[0]).all() else "at most 0"
        raise SeparationError(
            f"all {m} responses are {what}: the likelihood wants an intercept of {'+' if sign[0] > 0 else '-'}inf, so "
            "that it has no maximum"
        )


def reach_of(glm: GLMLoss, sign: Indices, y: Array, offset: Array | None, z: Array) -> float:
    """-log |y - μ|: about the predictor of logistic and Poisson models; other links get there sooner."""
    mu = glm.link.inverse(z[:, 0] if offset is None else z[:, 0] + offset)
    nearest = float(np.abs(np.maximum(y, 0.0) - mu)[sign != 0].min(initial=1.0))
    return float(-np.log(max(nearest, np.finfo(np.float64).tiny)))


def _reach_of_chunk(glm: GLMLoss, objective: LinearObjective, z: Array) -> float:
    sign = sign_of(glm, objective.y)
    return -np.inf if sign is None else reach_of(glm, sign, objective.y, objective.offset, z)


def constant_predictor(glm: GLMLoss, mean: float, shift: float) -> float:
    """The intercept with this mean of y, if there is one, and this mean of the offset."""
    with np.errstate(divide="ignore", invalid="ignore"):
        constant = float(glm.link.of(np.asarray(mean)))
    return (constant if np.isfinite(constant) else 0.0) - shift


def score_of(rows: Rows, sample_weight: ArrayLike | None, glm: GLMLoss) -> float:
    """D² of predictors that are the only column of X, among the examples with a weight above 0."""
    rows = rows.weighted(sample_weight)
    return Likelihood(rows, simplest(glm, rows.y), glm).explained(rows.X[:, 0])


def allowed(likelihood: Likelihood, theta: Array) -> bool:
    """Whether θ gives means, and losses that are numbers, for all examples."""
    rows, loss, _ = likelihood
    return bool(np.isfinite(loss.value(rows.y, rows.predictor(theta))).all())


def simplest(glm: GLMLoss, y: Array) -> Loss:
    """The same loss by its own formula where there is one: it is faster, keeps more digits and bounds its gap."""
    match glm.family, glm.link:
        case Gaussian(), Identity():
            return losses.Squared()
        case Poisson(), Log():
            return losses.PoissonLoss()
        case Bernoulli(), losses.Logit() if ((y == 0) | (y == 1)).all():
            return losses.Logistic()
    return glm
