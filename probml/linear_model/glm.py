"""Generalised linear models: a family for y, a link between its mean and the linear predictor."""

from dataclasses import field
from functools import partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length, column_or_1d

from probml import losses
from probml.errors import SeparationError
from probml.families import Bernoulli, ExponentialFamily, Gaussian, Poisson
from probml.inputs import in_precision, parameters, precision_of
from probml.linear_model.base import LinearRegressor, finite
from probml.linear_model.design import dense
from probml.linear_model.likelihood import Likelihood
from probml.linear_model.minimum import Boundary
from probml.linear_model.rows import Rows, offset_of
from probml.linear_model.separation import separation
from probml.losses import GLMLoss, Identity, Link, Log, Loss
from probml.losses.glm import MEAN_FORMS
from probml.objectives import LinearObjective
from probml.typing import Array, Matrix


@parameters
class GLM(LinearRegressor):
    r"""E[y | x] = μ = g^-1(z),   z = x · w + b + offset,   with y of an exponential family.

    .. math::
        \min_{w, b} \; \sum_i s_i \, l(y_i, z_i) + \tfrac{1}{2} l_2 |w|^2, \quad
        l = -\log p(y \mid \mu) + \text{constant, for dispersion } 1

    X : dense or CSR, shape (m, n). y : responses of the family, shape (m,). For Bernoulli they may be proportions of
    successes with the numbers of trials as sample_weight, for Poisson rates with the exposures as sample_weight: see
    PoissonRegression. offset, shape (m,), or exposure e > 0, which is the offset log e.

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
        X: Matrix,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        offset: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
    ) -> Self:
        """Fit to X, shape (m, n), and responses y, shape (m,)."""
        glm = self._glm()
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

    def _boundary(self, rows: Rows, glm: GLMLoss) -> Boundary | None:
        """Shares of 0 or 1, and means of 0 with a log or inverse link, are reached only by infinite predictors."""
        match glm.family, glm.link:
            case Bernoulli(), losses.Logit() | losses.Probit() | losses.CLogLog():
                sign = (rows.y == 1).astype(int) - (rows.y == 0)
            case Bernoulli() | Poisson(), Log():
                sign = -(rows.y == 0).astype(int)
            case Bernoulli() | Poisson(), losses.Inverse():
                sign = (rows.y == 0).astype(int)
            case Gaussian(), Log():  # of all means above 0, those near 0 are the nearest to responses below
                sign = -(rows.y <= 0).astype(int)
            case _:
                return None
        if self.fit_intercept and (sign == sign[0]).all() and sign[0]:
            what = f"{rows.y[0]:g}" if (rows.y == rows.y[0]).all() else "at most 0"
            raise SeparationError(
                f"all {len(sign)} responses are {what}: the likelihood wants an intercept of "
                f"{'+' if sign[0] > 0 else '-'}inf, so that it has no maximum"
            )

        def reach(z: Array) -> float:
            """-log |y - μ|: about the predictor of logistic and Poisson models; other links get there sooner."""
            mu = glm.link.inverse(z[:, 0] if rows.offset is None else z[:, 0] + rows.offset)
            nearest = float(np.abs(np.maximum(rows.y, 0.0) - mu)[sign != 0].min(initial=1.0))
            return float(-np.log(max(nearest, np.finfo(np.float64).tiny)))

        return Boundary(reach, lambda X: separation(X, sign, self.fit_intercept))

    def _start(self, likelihood: Likelihood) -> Array:
        """The best constant mean if there is an intercept; without it 0, or a fit of g(y) if 0 gives no mean."""
        rows, _, glm = likelihood
        theta = np.zeros(rows.X.shape[1] + int(self.fit_intercept))
        offset = 0.0 if rows.offset is None else rows.offset
        if self.fit_intercept:
            shift = 0.0 if rows.offset is None else rows.average(rows.offset)
            with np.errstate(divide="ignore", invalid="ignore"):
                constant = float(glm.link.of(np.asarray(rows.average(rows.y))))
            theta[-1] = (constant if np.isfinite(constant) else 0.0) - shift
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
