"""Gaussian discriminant analysis, and Fisher's projection."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.metaestimators import available_if

from probml.chunks import Chunks
from probml.errors import NoEstimateError
from probml.families.base import log
from probml.gda.covariance import SHAPES, CovarianceShape, fisher_projection, inverse_root, regularised
from probml.generative import LinearPosterior, Moments
from probml.generative.gaussian import LOG_2_PI, NormalClasses, Scatter, centred_products, squared_distances, whitened
from probml.inputs import in_precision, is_whole, parameters, precision_of, require_flags, require_number
from probml.typing import Array, Indices, Labels, Matrix

PROJECTING = ("transform", "fit_transform", "get_feature_names_out")  # only with a covariance that the classes share


@parameters
class GDA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, NormalClasses):
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
    covariance of the means, c their mean under phi, and v_k^T Sigma v_k = 1. All min(K - 1, n) directions keep the
    posterior, and the covariance within the classes is I. It is that of scikit-learn's LinearDiscriminantAnalysis but
    for signs, and for shrinkage, which there shrinks B as well.

    X : dense, shape (m, n). sample_weight : like repetitions.

    Parameters
    ----------
    covariance : "shared", "shared-diagonal" or "shared-spherical" (one for all classes, and the posterior is linear);
        "per-class", "diagonal" or "spherical" (one for each class).
    priors : class prior, shape (K,), or "uniform"; estimated if None. A given prior moves the intercepts only, as with
        the solver "svd" of scikit-learn's LinearDiscriminantAnalysis; its "lsqr" and "eigen" take sum_j phi_j S_j / N_j
        for Sigma, which is here what the weights phi_j / N_j of examples of class j give.
    shrinkage : s from 0 to 1, towards the sphere of the same mean variance: (1 - s) Sigma + s mean(diag Sigma) I.
    ridge : added to every variance. The parameter reg_param of scikit-learn's QuadraticDiscriminantAnalysis gives
        (1 - r) Sigma + r I, which is 1 - r times the covariance that the ridge r / (1 - r) gives here.
    unbiased : divide the scatter by N - K (shared) or N_j - 1, not by N or N_j.
    n_components : how many of Fisher's directions `transform` keeps, those of the largest lambda; all if None.

    Attributes
    ----------
    classes_ (K,), class_count_ (K,), priors_ (K,) = phi, means_ (K, n) = mu, statistics_,
    covariance_ = (n, n), (n,) or () where shared, and (K, n, n), (K, n) or (K,) where not, in the order above;
    where shared also coef_ and intercept_, of the shapes (K, n) and (K,), or (1, n) and (1,) for two classes,
    xbar_ (n,) = c, scalings_ (n, n_components) = the v_k, explained_variance_ratio_ (n_components,) = lambda_k / sum of
    all lambda, or 0 where all means are the same
    """

    covariance: CovarianceShape = "shared"
    priors: ArrayLike | None = None
    shrinkage: float = 0.0
    ridge: float = 0.0
    unbiased: bool = False
    n_components: int | None = None

    def fit(self, X: Matrix | Chunks, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate from X, shape (m, n), and labels y, shape (m,); or from chunks (X, y)."""
        super().fit(X, y, sample_weight)
        self._precision = precision_of(X)
        if self._linear():
            self.coef_: Array = in_precision(self.coef_, self._precision)
            self.intercept_: Array = in_precision(self.intercept_, self._precision)
        return self

    def decision_function(self, X: Matrix) -> Matrix:
        """Log joint of each class up to a common term, shape (m, K); for two classes the log odds, shape (m,).

        The common term is scikit-learn's, of the default solvers and estimated priors.
        """
        joint = self._possible_joint(X)
        with np.errstate(over="ignore"):
            scores = joint[:, 1] - joint[:, 0] if len(self.classes_) == 2 else joint
        return self._in_precision(scores, X)

    def transform(self, X: Matrix) -> Matrix:
        """V^T (x - c): coordinates of X, shape (m, n), along Fisher's directions. Shape (m, n_components)."""
        self._check_estimated()
        if not self._linear():
            raise ValueError("the model was fitted with a covariance for each class: fit it again with the shared one")
        projected = centred_products(self._valid(X), self.xbar_, self.scalings_.T)
        if not np.isfinite(projected).all():
            row = np.flatnonzero(~np.isfinite(projected).all(axis=1))[0]
            raise ValueError(f"the projection of row {row} is more than a floating-point number can hold: rescale X")
        return self._in_precision(projected, X)

    def to_linear(self) -> LinearPosterior:
        """The posterior as a softmax model of x: w_j = Sigma^-1 (mu_j - c), with c the mean of all examples."""
        self._check_estimated()
        if not self._linear():
            raise ValueError(
                "with a covariance for each class the posterior is quadratic in x; it is linear if the classes share "
                'one, as with covariance="shared"'
            )
        return LinearPosterior(self.classes_, self._coef, self._log_prior() + self._offset - self._coef @ self._centre)

    def _in_precision(self, values: Array, X: Matrix) -> Array:
        return in_precision(values, precision_of(X), self._precision)

    def _linear(self) -> bool:
        """Whether the model was fitted with a covariance that the classes share, whatever `covariance` says now."""
        return hasattr(self, "_coef")

    def _kind(self) -> Scatter:
        """The least that has to be collected."""
        if self.covariance not in SHAPES:
            raise ValueError(f"covariance must be one of {', '.join(SHAPES)}; received {self.covariance!r}")
        if self.covariance == "shared":
            return "pooled covariance"
        return "covariances" if self.covariance == "per-class" else "variances"

    def _estimate(self, statistics: Moments) -> None:
        """phi_j = N_j / N, mu_j = the mean of class j, and Sigma; of each Sigma the root R, with Sigma^-1 = R R^T.

        statistics : N_j, mu_j and the scatter S_j, the sum over class j of (x - mu_j)(x - mu_j)^T: only its diagonal
            where that is enough, and the sum over all classes for covariance="shared".
        """
        n_components = self._check_parameters(*statistics.mean.shape)
        N, self.means_ = statistics.class_count, statistics.mean
        self.class_count_, self.priors_ = N, statistics.class_prior(self.priors, "priors")
        if (N == 0).any():
            unseen = statistics.classes[N == 0][0]
            raise NoEstimateError(
                f"class {unseen} has no examples, and so no mean: give some, or leave it out of the classes"
            )
        with np.errstate(over="ignore", invalid="ignore"):  # refused by inverse_root
            sigma = self._maximum_likelihood(N, statistics.scatter, statistics.classes)
            self.covariance_ = sigma = regularised(sigma, self.covariance, self.shrinkage, self.ridge)
        if self.covariance.endswith("spherical"):
            sigma = np.repeat(sigma[..., None], self.means_.shape[1], axis=-1)
        self._precision = np.dtype(np.float64)  # of statistics; `fit` knows its X
        shared = self.covariance.startswith("shared")
        whose = ["the classes together"] if shared else [f"class {label}" for label in statistics.classes]
        self._roots, log_dets = zip(*map(inverse_root, sigma[None] if shared else sigma, whose), strict=True)
        self._log_det = np.array(log_dets)
        if shared:
            self._estimate_linear(self._roots[0])
            self.xbar_, self.scalings_, self.explained_variance_ratio_ = fisher_projection(
                self.means_, self.priors_, self._roots[0], n_components
            )
            self._n_features_out = n_components

    def _maximum_likelihood(self, N: Array, S: Array, classes: Labels) -> Array:
        """Sigma from the scatters S_j, or the unbiased one of N - K and N_j - 1, in the smallest form:

        shared            sum_j S_j / N        (n, n)          per-class    S_j / N_j             (K, n, n)
        shared-diagonal   its diagonal         (n,)            diagonal     diagonals             (K, n)
        shared-spherical  mean of that         ()              spherical    means of those        (K,)
        """
        shared = self.covariance.startswith("shared")
        degrees = np.asarray(N.sum() - len(N) * self.unbiased if shared else N - self.unbiased)
        if (few := degrees <= 0).any():
            raise NoEstimateError(
                f"{N.sum():g} examples of {len(N)} classes are too few: give more"
                if shared
                else f"class {classes[few][0]} has {N[few][0]:g} examples, too few for a covariance of its own: give "
                'more, or share the covariance (covariance="shared")'
            )
        if self.covariance == "shared":  # S is summed over the classes already
            sigma = S / degrees
        elif shared:
            sigma = S.sum(axis=0) / degrees
        else:
            sigma = S / np.expand_dims(degrees, tuple(range(1, S.ndim)))
        return sigma.mean(axis=-1) if self.covariance.endswith("spherical") else sigma

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

    def _check_parameters(self, n_classes: int, n_features: int) -> int:
        """The number of Fisher's directions to keep, if no parameter is wrong."""
        if str(self.shrinkage) == "auto":
            raise ValueError(
                'shrinkage="auto", as of Ledoit and Wolf, needs fourth moments of the data, and statistics that add up '
                "have the first two: give a number from 0 to 1, as found by cross-validation or by "
                "sklearn.covariance.ledoit_wolf_shrinkage"
            )
        require_number("shrinkage", self.shrinkage, at_most=1)
        require_number("ridge", self.ridge)
        require_flags(self, "unbiased")
        most, given = min(n_classes - 1, n_features), self.n_components
        if given is None:
            return most
        if not (is_whole(given) and not isinstance(given, bool) and 1 <= given <= most):
            raise ValueError(
                f"n_components must be None or a whole number from 1 to min(K - 1, n) = {most}, as there are "
                f"{n_classes} classes and {n_features} features; received {given!r}"
            )
        return int(given)

    def _log_prior(self) -> Array:
        return log(self.priors_)

    def _log_likelihood(self, X: Matrix) -> Array:
        if self._linear():
            return centred_products(X, self._centre, self._coef, self._offset)
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
        return -(distance + self._log_det + constant) / 2

    def _draw(self, codes: Indices, rng: np.random.Generator) -> Array:
        """mu_j + Sigma_j^(1/2) z, with z standard normal: solves R^T (x - mu) = z, as Sigma^-1 = R R^T."""
        z = rng.standard_normal((len(codes), self.n_features_in_))
        X = np.empty_like(z)
        for j in np.unique(codes):
            own, root = codes == j, self._roots[0 if self._linear() else j]
            X[own] = np.linalg.solve(root.T, z[own].T).T if root.ndim == 2 else z[own] / root
        return self.means_[codes] + X

    def __getattr__(self, name: str) -> object:
        """Why there is no projection. Python asks here for what it does not find."""
        if name in PROJECTING:
            raise AttributeError(
                f"there is no {name} with covariance={self.covariance!r}: Fisher's projection compares the scatter "
                'between the classes with a covariance that they share, as with covariance="shared"'
            )
        return super().__getattr__(name)


def _shares_covariance(model: GDA) -> bool:
    return str(model.covariance).startswith("shared")


# A decorator in the class would have no effect: when that is made, scikit-learn wraps `transform`, for set_output, in a
# function that is always there.
for _name in PROJECTING:
    setattr(GDA, _name, available_if(_shares_covariance)(getattr(GDA, _name)))
