"""Gaussian naive Bayes: each feature normal given the class."""

import numpy as np
from numpy.typing import ArrayLike

from probml.errors import NoEstimateError
from probml.families.base import log
from probml.generative import LinearPosterior, Moments
from probml.generative.gaussian import LOG_2_PI, SMALLEST_VARIANCE, NormalClasses, Scatter, squared_distances
from probml.inputs import parameters, require_flags, require_number
from probml.typing import Array, Indices, Matrix


@parameters
class GaussianNB(NormalClasses):
    r"""Gaussian naive Bayes.

    .. math::
        \log p(x \mid y = j) = -\frac{1}{2} \sum_n
        \left[\log(2 \pi \sigma^2_{jn}) + \frac{(x_n - \mu_{jn})^2}{\sigma^2_{jn}}\right]

    with the mean mu_jn of feature n in class j, and its variance there, divided by N_j, plus epsilon. With
    `shared_variance` every class has the mean of these variances, weighted by N_j, and the posterior is linear in x;
    otherwise it is quadratic. Each feature of a class is of the family `probml.families.Gaussian`, whose formulas are
    written here for the whole matrix at once.

    X : dense, shape (m, n). sample_weight : like repetitions, in every estimate.

    Parameters
    ----------
    priors : class prior, shape (K,), or "uniform"; estimated if None.
    var_smoothing : epsilon is this share of the largest variance of a feature over all examples. With weights it is
        the weighted variance: a weight of 2 is an example that is there twice. (scikit-learn takes the variance
        without weights, so that repeated examples give it another epsilon than weights do.)
    shared_variance : one variance a feature for all classes.

    Attributes
    ----------
    classes_ (K,), class_count_ (K,), class_prior_ (K,), theta_ (K, n) = mu, var_ (K, n) = s2, epsilon_, statistics_
    """

    priors: ArrayLike | None = None
    var_smoothing: float = 1e-9
    shared_variance: bool = False

    def to_linear(self) -> LinearPosterior:
        """The posterior as a softmax model of x: w_jn = (mu_jn - c_n) / s2_n, with c the mean of all classes.

        The term that is the same for all classes, which c stands for, keeps the weights small.
        """
        self._check_estimated()
        if not self.shared_variance:
            raise ValueError("with a variance of its own for each class the posterior is quadratic in x, not linear")
        centre = self.theta_.mean(axis=0)
        coef = (self.theta_ - centre) / self.var_
        intercept = self._log_prior() - (coef * (self.theta_ + centre)).sum(axis=1) / 2
        return LinearPosterior(self.classes_, coef, intercept)

    def _kind(self) -> Scatter:
        return "variances"

    def _estimate(self, statistics: Moments) -> None:
        """mu_jn = the mean, s2_jn = scatter_jn / N_j + epsilon, or for all classes sum_j scatter_jn / N + epsilon."""
        require_number("var_smoothing", self.var_smoothing)
        require_flags(self, "shared_variance")
        N, mean = statistics.class_count, statistics.mean
        prior = statistics.class_prior(self.priors, "priors")
        with np.errstate(over="ignore", invalid="ignore"):  # refused below
            within = statistics.scatter.sum(axis=0)
            if self.shared_variance:
                variance = np.tile(within / N.sum(), (len(N), 1))
            else:
                variance = statistics.scatter / np.where(N > 0, N, 1.0)[:, None]
            apart = mean - mean[N.argmax()]  # from one of the means: a feature without variance has none here
            apart -= N @ apart / N.sum()
            largest = ((within + N @ apart**2) / N.sum()).max()  # of the variances within and between the classes
            epsilon = float(self.var_smoothing * largest) if self.var_smoothing else 0.0
            variance += epsilon
        self._require_estimates(statistics, prior, variance)
        variance[N == 0] = np.where(variance[N == 0] > 0, variance[N == 0], 1.0)  # of a class that never is predicted
        self.class_count_, self.class_prior_ = N, prior
        self.theta_, self.var_, self.epsilon_ = mean, variance, epsilon

    def _require_estimates(self, statistics: Moments, prior: Array, variance: Array) -> None:
        """Refuse a prior, shape (K,), on a class without examples, and variances, shape (K, n), that are not above 0.

        A class without examples may have variances of 0: it is never predicted.
        """
        seen, classes = statistics.class_count > 0, statistics.classes
        if (unknown := ~seen & (prior > 0)).any():
            raise NoEstimateError(f"class {classes[unknown][0]} has a prior of {prior[unknown][0]:g}, but no examples")
        if not np.isfinite(variance).all():
            raise ValueError("the variances of X are more than a floating-point number can hold: rescale X")
        if not variance.any():
            raise NoEstimateError(
                "every feature is constant in every class: there is only one sample, or all are alike (or too small "
                "to be squared): give more, or rescale X"
            )
        if (constant := (variance < SMALLEST_VARIANCE) & (seen[:, None] | (variance > 0))).any():
            j, n = np.argwhere(constant)[0]
            raise NoEstimateError(
                f"feature {n} is constant in class {classes[j]}, so that its variance is zero (or below "
                f"{SMALLEST_VARIANCE:.1g}): leave it out, rescale it, or set var_smoothing > 0 (it is "
                f"{self.var_smoothing!r}, times the largest variance of a feature)"
            )

    def _log_prior(self) -> Array:
        return log(self.class_prior_)

    def _log_likelihood(self, X: Matrix) -> Array:
        log_scale = np.sum(np.log(self.var_) + LOG_2_PI, axis=1)
        total = squared_distances(X, self.theta_, 1 / np.sqrt(self.var_))
        total += log_scale
        total /= -2
        return total

    def _draw(self, codes: Indices, rng: np.random.Generator) -> Array:
        z = rng.standard_normal((len(codes), self.n_features_in_))
        return self.theta_[codes] + np.sqrt(self.var_[codes]) * z
