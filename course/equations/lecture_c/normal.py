"""Normal classes: their densities, the naive simplification, and what Bayes' theorem makes of them."""

from fractions import Fraction
from itertools import product

import mpmath
from mpmath import exp, log, sqrt

from course.equations.calculus import derivative, vector
from course.equations.cases import precise
from course.equations.entry import Erratum, Holds, Lecture
from course.equations.lecture_c.cases import (
    independent_features,
    naive_classes,
    normal_classes,
    one_feature,
    population,
)

lecture = Lecture("C")


def density_from_cdf(x, mean, sigma):
    """The normal density as what it is: the slope of the distribution function."""
    return derivative(lambda t: mpmath.ncdf(t, mean, sigma), x)


def density_from_standard(x, mean, lower):
    """Density of mean + L z at x for independent standard normal z: theirs, over the change of area |det L|."""
    z = vector(mpmath.lu_solve(mpmath.matrix(lower), mpmath.matrix(x) - mpmath.matrix(mean)))
    return mpmath.fprod(map(mpmath.npdf, z)) / abs(mpmath.det(mpmath.matrix(lower)))


def quadratic_form(x, mean, covariance):
    """(x - mean)' covariance^-1 (x - mean)."""
    gap = mpmath.matrix(x) - mpmath.matrix(mean)
    return (gap.T * mpmath.lu_solve(covariance, gap))[0]


def shares(weights):
    """Weights over their sum."""
    return [each / sum(weights) for each in weights]


@lecture.erratum(
    "C3b",
    "slide *Gaussian discriminative analysis*, second line of the joint probability",
    r"p(x_n, y_n^k = 1) = \pi_k \frac1{(2 \pi \sigma^2)^{1/2}} \exp\Bigl\{-\frac1{2 \sigma^2} (x_n - \mu_k)^2\Bigr\}",
    "G2",
    "the minus of the exponent is missing: as printed, the density grows without bound",
    printed=r"\pi_k \frac1{(2 \pi \sigma^2)^{1/2}} \exp\Bigl\{\frac1{2 \sigma^2} (x_n - \mu_k)^2\Bigr\}",
    method="differences",
    case=precise(one_feature),
)
def joint_density_of_a_normal_class(pi, mu, sigma, x):
    meaning = [p * density_from_cdf(x, m, sigma) for p, m in zip(pi, mu, strict=True)]
    formula = [
        p * (1 / sqrt(2 * mpmath.pi * sigma**2)) * exp(-(1 / (2 * sigma**2)) * (x - m) ** 2)
        for p, m in zip(pi, mu, strict=True)
    ]
    printed = [
        p * (1 / sqrt(2 * mpmath.pi * sigma**2)) * exp((1 / (2 * sigma**2)) * (x - m) ** 2)
        for p, m in zip(pi, mu, strict=True)
    ]
    return Erratum(meaning, formula, printed)


@lecture.erratum(
    "C4",
    "slide *Gaussian discriminative analysis*, last display",
    r"p(y_n^k = 1 \mid x_n) = \frac{\pi_k (2 \pi \sigma^2)^{-1/2} \exp\{-\frac1{2 \sigma^2} (x_n - \mu_k)^2\}}"
    r"{\sum_{k'} \pi_{k'} (2 \pi \sigma^2)^{-1/2} \exp\{-\frac1{2 \sigma^2} (x_n - \mu_{k'})^2\}}",
    "G4",
    "the mean of the denominator has the index of the numerator: as printed, the posterior is the prior",
    printed=r"\frac{\pi_k (2 \pi \sigma^2)^{-1/2} \exp\{-\frac1{2 \sigma^2} (x_n - \mu_k)^2\}}"
    r"{\sum_{k'} \pi_{k'} (2 \pi \sigma^2)^{-1/2} \exp\{-\frac1{2 \sigma^2} (x_n - \mu_k)^2\}}",
    method="differences",
    case=precise(one_feature),
)
def posterior_of_a_normal_class(pi, mu, sigma, x):
    meaning = shares([p * density_from_cdf(x, m, sigma) for p, m in zip(pi, mu, strict=True)])
    scale = 1 / sqrt(2 * mpmath.pi * sigma**2)
    formula = [
        pi[k]
        * scale
        * exp(-((x - mu[k]) ** 2) / (2 * sigma**2))
        / sum(pi[c] * scale * exp(-((x - mu[c]) ** 2) / (2 * sigma**2)) for c in range(3))
        for k in range(3)
    ]
    density = [scale * exp(-((x - m) ** 2) / (2 * sigma**2)) for m in mu]
    printed = [pi[k] * density[k] / sum(pi[c] * density[k] for c in range(3)) for k in range(3)]
    return Erratum(meaning, formula, printed)


@lecture.erratum(
    "C7",
    "slide *Naive Bayes classifier*, second line of the joint probability",
    r"p(\mathbf x_n, y_n^k = 1) = \pi_k \frac1{(2 \pi)^{d/2} \lvert \Sigma \rvert^{1/2}} "
    r"\exp\Bigl\{-\frac12 (\mathbf x_n - \boldsymbol\mu_k)^\top \Sigma^{-1} (\mathbf x_n - \boldsymbol\mu_k)\Bigr\}",
    "G1",
    "the power d of 2π is missing: as printed, it integrates to the class prior in one dimension only",
    printed=r"\pi_k \frac1{(2 \pi \lvert \Sigma \rvert)^{1/2}} "
    r"\exp\Bigl\{-\frac12 (\mathbf x_n - \boldsymbol\mu_k)^\top \Sigma^{-1} (\mathbf x_n - \boldsymbol\mu_k)\Bigr\}",
    method="50 digits",
    case=precise(normal_classes),
)
def joint_density_of_a_normal_class_in_the_plane(pi, mu, lower, x):
    d, covariance = 2, mpmath.matrix(lower[0]) * mpmath.matrix(lower[0]).T
    size, form = mpmath.det(covariance), quadratic_form(x, mu[0], covariance)
    meaning = pi[0] * density_from_standard(x, mu[0], lower[0])
    formula = pi[0] * (1 / ((2 * mpmath.pi) ** (mpmath.mpf(d) / 2) * sqrt(size))) * exp(-form / 2)
    printed = pi[0] * (1 / sqrt(2 * mpmath.pi * size)) * exp(-form / 2)
    return Erratum(meaning, formula, printed)


lecture.definition(
    "C8a",
    "slide *Naive Bayes classifier*, the simplification, first line",
    r"p(\mathbf x_n, y_n^k = 1) = p(y_n^k = 1) \prod_j p(x_{nj} \mid y_n^k = 1, \mu_{kj}, \sigma_{kj})",
    "N5",
    "the assumption of naive Bayes",
)


@lecture.erratum(
    "C8b",
    "slide *Naive Bayes classifier*, the simplification, second line",
    r"p(\mathbf x_n, y_n^k = 1) = \pi_k \prod_j \frac1{(2 \pi \sigma_{kj}^2)^{1/2}} "
    r"\exp\Bigl\{-\frac1{2 \sigma_{kj}^2} (x_{nj} - \mu_{kj})^2\Bigr\}",
    "N5",
    "the minus of the exponent is missing, as in C3b",
    printed=r"\pi_k \prod_j \frac1{(2 \pi \sigma_{kj}^2)^{1/2}} \exp\Bigl\{\frac1{2 \sigma_{kj}^2} (x_{nj} - \mu_{kj})^2\Bigr\}",
    method="differences",
    case=precise(naive_classes),
)
def joint_density_of_independent_normal_features(pi, mu, sigma, x):
    features = list(zip(x, mu[0], sigma[0], strict=True))
    meaning = pi[0] * mpmath.fprod(density_from_cdf(*each) for each in features)
    formula = pi[0] * mpmath.fprod(
        (1 / sqrt(2 * mpmath.pi * s**2)) * exp(-(1 / (2 * s**2)) * (t - m) ** 2) for t, m, s in features
    )
    printed = pi[0] * mpmath.fprod(
        (1 / sqrt(2 * mpmath.pi * s**2)) * exp((1 / (2 * s**2)) * (t - m) ** 2) for t, m, s in features
    )
    return Erratum(meaning, formula, printed)


@lecture.erratum(
    "C9",
    "slide *Naive Bayes classifier*, more generally",
    r"p(\mathbf x_n, y_n \mid \eta, \pi) = p(y_n \mid \pi) \prod_{j=1}^d p(x_{nj} \mid y_n, \eta)",
    "N6",
    "the product runs over i, its factors have j: as printed, one feature is counted d times. The check lists all that a class can draw, feature after feature, and counts",
    printed=r"p(y_n \mid \pi) \prod_{i=1}^d p(x_{nj} \mid y_n, \eta)",
    method="fractions",
    case=independent_features,
)
def joint_probability_of_features_of_any_kind(pi, features):
    """features[j][y] : a list of equally likely values of feature j in class y."""
    draws = {y: list(product(*(feature[y] for feature in features))) for y in (0, 1)}
    x = [feature[0][0] for feature in features]
    meaning = [pi[y] * Fraction(draws[y].count(tuple(x)), len(draws[y])) for y in (0, 1)]
    p = [
        [Fraction(feature[y].count(x_j), len(feature[y])) for x_j, feature in zip(x, features, strict=True)]
        for y in (0, 1)
    ]
    formula = [pi[y] * (p[y][0] * p[y][1] * p[y][2]) for y in (0, 1)]
    first = 0  # whichever feature j is taken to be, it is the same in all factors
    printed = [pi[y] * p[y][first] ** 3 for y in (0, 1)]
    return Erratum(meaning, formula, printed)


@lecture.holds(
    "C10a",
    "slide *The predictive distribution*, first step",
    r"p(y_n^k = 1 \mid \mathbf x_n) = \frac{p(y_n^k = 1, \mathbf x_n)}{p(\mathbf x_n)}",
    "F2",
    "the denominator depends on the class prior too, which the slide leaves out there",
    method="fractions",
    case=population,
)
def share_of_a_class_from_joint_and_evidence(count):
    everyone = sum(map(sum, count))
    joint = [[Fraction(n, everyone) for n in row] for row in count]
    evidence = [Fraction(sum(column), everyone) for column in zip(*count, strict=True)]
    meaning = [[Fraction(row[x], sum(each[x] for each in count)) for x in range(4)] for row in count]
    formula = [[row[x] / evidence[x] for x in range(4)] for row in joint]
    return Holds(meaning, formula)


@lecture.erratum(
    "C10b",
    "slide *The predictive distribution*, the formula with one star",
    r"p(y_n^k = 1 \mid \mathbf x_n) = \frac{\pi_k \mathcal N(\mathbf x_n \mid \boldsymbol\mu_k, \Sigma_k)}"
    r"{\sum_{k'} \pi_{k'} \mathcal N(\mathbf x_n \mid \boldsymbol\mu_{k'}, \Sigma_{k'})}",
    "G4",
    "the class prior of the denominator has the index of the numerator: as printed, the prior cancels",
    printed=r"\frac{\pi_k \mathcal N(\mathbf x_n \mid \boldsymbol\mu_k, \Sigma_k)}"
    r"{\sum_{k'} \pi_k \mathcal N(\mathbf x_n \mid \boldsymbol\mu_{k'}, \Sigma_{k'})}",
    method="50 digits",
    case=precise(normal_classes),
)
def posterior_of_classes_with_their_own_covariances(pi, mu, lower, x):
    meaning = shares([p * density_from_standard(x, m, low) for p, m, low in zip(pi, mu, lower, strict=True)])
    covariance = [mpmath.matrix(low) * mpmath.matrix(low).T for low in lower]
    normal = [
        exp(-quadratic_form(x, m, c) / 2) / (2 * mpmath.pi * sqrt(mpmath.det(c)))
        for m, c in zip(mu, covariance, strict=True)
    ]
    formula = [pi[k] * normal[k] / sum(pi[other] * normal[other] for other in range(2)) for k in range(2)]
    printed = [pi[k] * normal[k] / sum(pi[k] * normal[other] for other in range(2)) for k in range(2)]
    return Erratum(meaning, formula, printed)


NAIVE_POSTERIOR = (
    r"p(y_n^k = 1 \mid \mathbf x_n) = \frac{\pi_k \exp\{-\sum_j (\frac1{2 \sigma_{kj}^2} (x_{nj} - \mu_{kj})^2 + \log \sigma_{kj} + C)\}}"
    r"{\sum_{k'} \pi_{k'} \exp\{-\sum_j (\frac1{2 \sigma_{k'j}^2} (x_{nj} - \mu_{k'j})^2 + \log \sigma_{k'j} + C)\}}"
)


@lecture.erratum(
    "C11",
    "slide *The predictive distribution*, the formula with two stars",
    NAIVE_POSTERIOR,
    "N5",
    "two errors: the sign of log σ (which cancels only if all classes share their variances), and the mean of "
    "the denominator with the index of the numerator; C, half of log 2π, cancels with either sign",
    printed=r"\frac{\pi_k \exp\{-\sum_j (\frac1{2 \sigma_{kj}^2} (x_{nj} - \mu_{kj})^2 - \log \sigma_{kj} - C)\}}"
    r"{\sum_{k'} \pi_{k'} \exp\{-\sum_j (\frac1{2 \sigma_{k'j}^2} (x_{nj} - \mu_{kj})^2 - \log \sigma_{k'j} - C)\}}",
    method="50 digits",
    case=precise(naive_classes),
)
def posterior_under_naive_bayes(pi, mu, sigma, x):
    density = [mpmath.fprod(map(mpmath.npdf, x, mu[k], sigma[k])) for k in range(3)]
    meaning = shares([p * each for p, each in zip(pi, density, strict=True)])
    C = log(2 * mpmath.pi) / 2
    of = [list(zip(x, mu[k], sigma[k], strict=True)) for k in range(3)]
    formula = [
        pi[k]
        * exp(-sum((t - m) ** 2 / (2 * s**2) + log(s) + C for t, m, s in of[k]))
        / sum(pi[c] * exp(-sum((t - m) ** 2 / (2 * s**2) + log(s) + C for t, m, s in of[c])) for c in range(3))
        for k in range(3)
    ]

    def as_printed(k, mean):
        """The term of class k, with the mean of class `mean`."""
        features = zip(x, mu[mean], sigma[k], strict=True)
        return pi[k] * exp(-sum((t - m) ** 2 / (2 * s**2) - log(s) - C for t, m, s in features))

    printed = [as_printed(k, k) / sum(as_printed(c, k) for c in range(3)) for k in range(3)]
    return Erratum(meaning, formula, printed)


@lecture.erratum(
    "C47",
    "slide *Naive Bayes v. logistic regression* 1, NB",
    NAIVE_POSTERIOR,
    "N5",
    "the sign of log σ, as in C11; the index of the mean is right here",
    printed=r"\frac{\pi_k \exp\{-\sum_j (\frac1{2 \sigma_{kj}^2} (x_j - \mu_{kj})^2 - \log \sigma_{kj} - C)\}}"
    r"{\sum_{k'} \pi_{k'} \exp\{-\sum_j (\frac1{2 \sigma_{k'j}^2} (x_j - \mu_{k'j})^2 - \log \sigma_{k'j} - C)\}}",
    method="50 digits",
    case=precise(naive_classes),
)
def posterior_of_two_classes_that_differ_in_variance(pi, mu, sigma, x):
    """One feature and two classes are enough to see the sign."""
    x, pi, mu, sigma = x[0], shares(pi[:2]), [mu[0][0], mu[1][0]], [sigma[0][0], sigma[1][0]]
    meaning = shares([pi[k] * mpmath.npdf(x, mu[k], sigma[k]) for k in range(2)])
    formula = [
        pi[k]
        * exp(-((x - mu[k]) ** 2 / (2 * sigma[k] ** 2) + log(sigma[k])))
        / sum(pi[c] * exp(-((x - mu[c]) ** 2 / (2 * sigma[c] ** 2) + log(sigma[c]))) for c in range(2))
        for k in range(2)
    ]
    printed = shares([pi[k] * exp(-((x - mu[k]) ** 2 / (2 * sigma[k] ** 2) - log(sigma[k]))) for k in range(2)])
    return Erratum(meaning, formula, printed)
