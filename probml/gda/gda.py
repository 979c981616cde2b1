"""Gaussian discriminant analysis."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from probml.errors import NoEstimateError
from probml.families.base import log
from probml.gda.covariance import SHAPES, Shape, covariances, inverse_root, needed_scatter, regularised, whitened
from probml.gda.projection import FisherProjection, checked_components, fisher_projection
from probml.generative import Generative, LinearPosterior, Moments
from probml.generative.gaussian import LOG_2_PI, centred_products, squared_distances
from probml.generative.moments import Scatter, collect_moments
from probml.inputs import handed_out, is_number, parameters, precision_of, require_flags
from probml.typing import Array, Indices, Labels, Matrix


@parameters
class GDA(FisherProjection, Generative[Moments]):
    r"""Gaussian discriminant analysis: y ~ Categorical(phi), x | y = j ~ Normal(mu_j, Sigma_j).

    .. math::
        \log p(x \mid y = j) &= -\tfrac{1}{2}
        \left[\log \det(2 \pi \Sigma_j) + (x - \mu_j)^T \Sigma_j^{-1} (x - \mu_j)\right] \\
        \phi_j &= N_j / N

    with mu_j the mean of class j and Sigma_j its covariance, or one for all classes. Then the posterior is linear in x,

    .. math::
        p(y = j \mid x) = \mathrm{softmax}_j(w_j \cdot x + b_j), \quad
        w_j = \Sigma^{-1} \mu_j, \quad b_j = \log \phi_j - \tfrac{1}{2} \mu_j^T \Sigma^{-1} \mu_j;

    otherwise it is quadratic.

    With one Sigma, `transform` is Fisher's projection: x -> v_k · (x - c), with B v_k = lambda_k Sigma v_k for B the
    covariance of the means, c their mean under phi, and v_k^T Sigma v_k = 1. Along all min(K - 1, n) directions it
    keeps what tells the classes apart: within the classes the projected x has the covariance I, and the posterior is
    the same. It is that of scikit-learn's LinearDiscriminantAnalysis, but for signs, and but for shrinkage, which there
    shrinks B as well, so that these directions are no longer all that matters.

    X : dense, shape (m, n). sample_weight : like repetitions.

    Parameters
    ----------
    covariance : "shared", "shared-diagonal" or "shared-spherical" (one for all classes, and the posterior is linear);
        "per-class", "diagonal" or "spherical" (one for each class).
    priors : class prior, shape (K,), or "uniform"; estimated if None. A given prior moves the intercepts only: it says
        how often a class is met, not how much the examples know about Sigma, and the likelihood is largest for a shared
        Sigma in which all examples count alike. So does scikit-learn's LinearDiscriminantAnalysis by its solver "svd";
        its "lsqr" and "eigen" weigh the covariances of the classes by the given prior instead, sum_j phi_j S_j / N_j,
        which is here what the weights phi_j / N_j of examples of class j give.
    shrinkage : s from 0 to 1, towards the sphere of the same mean variance: (1 - s) Sigma + s mean(diag Sigma) I. There
        is no "auto": Ledoit and Wolf's s takes fourth moments of the data, which the statistics do not have.
    ridge : added to every variance. The parameter reg_param of scikit-learn's QuadraticDiscriminantAnalysis gives
        (1 - r) Sigma + r I, which is 1 - r times the covariance that the ridge r / (1 - r) gives here.
    unbiased : divide the scatter by N - K (shared) or N_j - 1, not by N or N_j.
    n_components : how many of Fisher's directions `transform` keeps, those of the largest lambda; all if None.
        Without a covariance that is shared there are none.

    Attributes
    ----------
    classes_ (K,), class_count_ (K,), priors_ (K,) = phi, means_ (K, n) = mu,
    covariance_ = (n, n), (n,) or () where shared, and (K, n, n), (K, n) or (K,) where not, statistics_;
    where shared also coef_ and intercept_, of the shapes (K, n) and (K,), or (1, n) and (1,) for two classes,
    xbar_ (n,) = c, scalings_ (n, n_components) = the v_k, explained_variance_ratio_ (n_components,) = lambda_k / sum of
    all lambda, or 0 where all means are the same
    """

    _checks = {"dtype": [np.float64, np.float32]}  # noqa: RUF012
    _remedy = "They are too far away from all classes: look for wrong units or typing errors in X."

    covariance: Shape = "shared"
    priors: ArrayLike | None = None
    shrinkage: float = 0.0
    ridge: float = 0.0
    unbiased: bool = False
    n_components: int | None = None

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate from X, shape (m, n), and labels y, shape (m,)."""
        super().fit(X, y, sample_weight)
        self._precision = precision_of(X)
        if self._linear():
            self.coef_ = handed_out(self.coef_, self._precision)
            self.intercept_ = handed_out(self.intercept_, self._precision)
        return self

    def decision_function(self, X: Matrix) -> Matrix:
        """Log joint of each class up to a common term, shape (m, K); for two classes the log odds, shape (m,).

        The common term is scikit-learn's, of the default solvers and estimated priors.
        """
        joint = self._possible_joint(X)
        with np.errstate(over="ignore"):
            scores = joint[:, 1] - joint[:, 0] if len(self.classes_) == 2 else joint
        return handed_out(scores, precision_of(X), self._precision)

    def predict_log_proba(self, X: Matrix) -> Matrix:
        """Log posterior log p(y = j | x). Shape (m, K)."""
        return handed_out(super().predict_log_proba(X), precision_of(X), self._precision)

    def predict_proba(self, X: Matrix) -> Matrix:
        """Posterior p(y = j | x). Shape (m, K), rows sum to one."""
        return handed_out(super().predict_proba(X), precision_of(X), self._precision)

    def to_linear(self) -> LinearPosterior:
        """The posterior as a softmax model of x: w_j = Sigma^-1 (mu_j - c), with c the mean of all examples."""
        self._check_estimated()
        if not self._linear():
            raise ValueError(
                "with a covariance for each class the posterior is quadratic in x; it is linear if the classes share "
                'one, as with covariance="shared"'
            )
        if (self.priors_ == 0).any():
            raise ValueError(f"class {self.classes_[self.priors_ == 0][0]} has prior 0, and so an infinite intercept")
        return LinearPosterior(self.classes_, self._coef, self._log_prior() + self._offset - self._coef @ self._centre)

    def _linear(self) -> bool:
        """Whether the model was fitted with a covariance that the classes share, whatever `covariance` says now."""
        return hasattr(self, "_coef")

    def _kind(self) -> Scatter:
        if self.covariance not in SHAPES:
            raise ValueError(f"covariance must be one of {', '.join(SHAPES)}; received {self.covariance!r}")
        return needed_scatter(self.covariance)

    def _collect(self, X: Matrix, codes: Indices, classes: Labels, weight: Array | None) -> Moments:
        return collect_moments(X, codes, classes, weight, self._kind())

    def _estimate(self, statistics: Moments) -> None:
        """phi_j = N_j / N, mu_j = the means, Sigma_j = S_j / N_j or Sigma = sum_j S_j / N, with the scatters S_j."""
        self._check_parameters()
        N, classes = statistics.class_count, statistics.classes
        self.class_count_, self.means_ = N, statistics.mean
        self.priors_ = statistics.class_prior(self.priors, "priors")
        n_components = checked_components(self.n_components, *self.means_.shape)
        if (N == 0).any():
            raise NoEstimateError(
                f"class {classes[N == 0][0]} has no examples, and so no mean: give some, or leave it out of the classes"
            )
        with np.errstate(over="ignore", invalid="ignore"):  # refused by inverse_root
            sigma = covariances(statistics, self.covariance, self.unbiased)
            self.covariance_ = regularised(sigma, self.covariance, self.shrinkage, self.ridge)
        self._precision = np.dtype(np.float64)  # of statistics; `fit` knows its X
        shared = self.covariance.startswith("shared")
        whose = ["the classes together"] if shared else [f"class {label}" for label in classes]
        sigmas = self.covariance_[None] if shared else self.covariance_
        if self.covariance.endswith("spherical"):
            sigmas = np.repeat(sigmas[:, None], self.means_.shape[1], axis=1)
        roots, log_dets = zip(*map(inverse_root, sigmas, whose), strict=True)
        self._roots, self._log_det = list(roots), np.array(log_dets)
        if shared:
            self._estimate_linear(roots[0])
            self.xbar_, self.scalings_, self.explained_variance_ratio_ = fisher_projection(
                self.means_, self.priors_, roots[0], n_components
            )
            self._n_features_out = n_components

    def _estimate_linear(self, root: Array) -> None:
        """w_j = Sigma^-1 (mu_j - c) and b_j = log phi_j - (mu_j - c)^T Sigma^-1 (mu_j - c) / 2 - w_j · c.

        With c the mean of all examples: the term that is the same for all classes keeps the weights small.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            centre = (self.class_count_ / self.class_count_.sum()) @ self.means_
            apart = whitened(self.means_ - centre, root)
            coef = whitened(apart, root.T)
            offset = -(apart**2).sum(axis=1) / 2
            shift = coef @ centre
            twice = 2 * coef, 2 * (offset - shift)  # as two of them may be subtracted
        if not all(np.isfinite(weights).all() for weights in twice):
            raise ValueError("the classes are farther apart than a floating-point number can hold: rescale X")
        intercept = self._log_prior() + offset - shift
        two = len(intercept) == 2
        self.coef_ = coef[[1]] - coef[[0]] if two else coef
        self.intercept_ = intercept[[1]] - intercept[[0]] if two else intercept
        self._coef, self._offset, self._centre = coef, offset, centre

    def _check_parameters(self) -> None:
        if str(self.shrinkage) == "auto":
            raise ValueError(
                'shrinkage="auto", as of Ledoit and Wolf, needs fourth moments of the data, and statistics that add up '
                "have the first two: give a number from 0 to 1, as found by cross-validation or by "
                "sklearn.covariance.ledoit_wolf_shrinkage"
            )
        if not (is_number(self.shrinkage) and 0 <= self.shrinkage <= 1):
            raise ValueError(f"shrinkage must be a number from 0 to 1, received {self.shrinkage!r}")
        if not (is_number(self.ridge) and 0 <= self.ridge < np.inf):
            raise ValueError(f"ridge must be a finite number of at least 0, received {self.ridge!r}")
        require_flags(self, "unbiased")

    def _log_prior(self) -> Array:
        return log(self.priors_)

    def _log_likelihood(self, X: Matrix) -> Array:
        if self._linear():
            scores = centred_products(X, self._centre, self._coef)
            scores += self._offset
            return scores
        total = squared_distances(X, self.means_, self._roots)
        total += self._log_det
        total /= -2
        return total

    def _log_common(self, X: Matrix) -> Array | float:
        """The constant and, where the posterior is linear, what determinant and quadratic term add to all classes."""
        constant: float = X.shape[1] * LOG_2_PI
        if not self._linear():
            return -constant / 2
        distance = squared_distances(X, self._centre[None], self._roots)[:, 0]
        log_common: Array = -(distance + self._log_det + constant) / 2
        return log_common

    def _draw(self, codes: Indices, rng: np.random.Generator) -> Array:
        """mu_j + Sigma_j^(1/2) z, with z standard normal: solves R^T (x - mu) = z, as Sigma^-1 = R R^T."""
        z = rng.standard_normal((len(codes), self.n_features_in_))
        X = np.empty_like(z)
        for j in np.unique(codes):
            own, root = codes == j, self._roots[0 if self._linear() else j]
            X[own] = np.linalg.solve(root.T, z[own].T).T if root.ndim == 2 else z[own] / root
        return self.means_[codes] + X
