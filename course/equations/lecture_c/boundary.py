"""From normal classes with shared variances to the logistic function and the softmax."""

import mpmath
from mpmath import exp, log

from course.equations.calculus import dot
from course.equations.cases import precise
from course.equations.entry import Conditional, Erratum, Holds, Lecture
from course.equations.lecture_c.cases import shared_variances
from course.equations.lecture_c.normal import shares

lecture = Lecture("C")


def posterior(pi, mu, sigma, x):
    """p(y = k | x) by Bayes' theorem, for independent normal features with standard deviations sigma."""
    return shares([p * mpmath.fprod(map(mpmath.npdf, x, m, sigma)) for p, m in zip(pi, mu, strict=True)])


def two(pi, mu):
    """The first two of the classes."""
    return shares(pi[:2]), mu[:2]


def weights(pi, mu, sigma):
    """theta_k of one class: the coefficients of 1 and of x in log pi_k N(x | mu_k, sigma), up to what classes share."""
    constant = log(pi) - sum(m**2 / (2 * s**2) for m, s in zip(mu, sigma, strict=True))
    return [constant, *(m / s**2 for m, s in zip(mu, sigma, strict=True))]


def difference(pi, mu, sigma):
    """theta_1 - theta_2."""
    first, second = (weights(p, m, sigma) for p, m in zip(pi, mu, strict=True))
    return [a - b for a, b in zip(first, second, strict=True)]


@lecture.holds(
    "C12a",
    "slide *The predictive distribution*, two classes, first step",
    r"p(y_n^1 = 1 \mid \mathbf x_n) = \frac1{1 + \frac{\pi_2 \exp\{-\sum_j (\frac1{2 \sigma_j^2} (x_{nj} - \mu_{2j})^2 + \log \sigma_j + C)\}}"
    r"{\pi_1 \exp\{-\sum_j (\frac1{2 \sigma_j^2} (x_{nj} - \mu_{1j})^2 + \log \sigma_j + C)\}}}",
    "G4",
    "the fraction is garbled in our copy of the slide; this is how we read it. Here log σ cancels, with either sign",
    method="50 digits",
    case=precise(shared_variances),
)
def posterior_odds_of_two_classes(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    meaning = posterior(pi, mu, sigma, x)[0]
    q1, q2 = (
        sum((t - m) ** 2 / (2 * s**2) + log(s) for t, m, s in zip(x, of_class, sigma, strict=True)) for of_class in mu
    )
    formula = 1 / (1 + pi[1] * exp(-q2) / (pi[0] * exp(-q1)))
    return Holds(meaning, formula)


@lecture.erratum(
    "C12b",
    "slide *The predictive distribution*, two classes, second step",
    r"p(y_n^1 = 1 \mid \mathbf x_n) = \frac1{1 + \exp\{-\sum_j (\frac{\mu_{1j} - \mu_{2j}}{\sigma_j^2} x_{nj} - "
    r"\frac{\mu_{1j}^2 - \mu_{2j}^2}{2 \sigma_j^2}) + \log \frac{1 - \pi_1}{\pi_1}\}}",
    "G4",
    "the constant term has the wrong sign and lacks a factor 1/2: as printed, the boundary of equally probable classes "
    "does not pass half-way between the means",
    printed=r"\frac1{1 + \exp\{-\sum_j (\frac{\mu_{1j} - \mu_{2j}}{\sigma_j^2} x_{nj} + "
    r"\frac{\mu_{1j}^2 - \mu_{2j}^2}{\sigma_j^2}) + \log \frac{1 - \pi_1}{\pi_1}\}}",
    method="50 digits",
    case=precise(shared_variances),
)
def posterior_of_two_classes_is_logistic(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    meaning = posterior(pi, mu, sigma, x)[0]
    features = list(zip(x, *mu, sigma, strict=True))
    formula = 1 / (
        1
        + exp(
            -sum((a - b) / s**2 * t - (a**2 - b**2) / (2 * s**2) for t, a, b, s in features) + log((1 - pi[0]) / pi[0])
        )
    )
    exponent = -sum((a - b) / s**2 * t + (a**2 - b**2) / s**2 for t, a, b, s in features) + log((1 - pi[0]) / pi[0])
    printed = 1 / (1 + exp(exponent))
    return Erratum(meaning, formula, printed)


@lecture.erratum(
    "C13a",
    "slide *The decision boundary*, display 1, first form",
    r"p(y_n^1 = 1 \mid \mathbf x_n) = \frac1{1 + \exp\{-\sum_{j=1}^d \theta_j x_{nj} - \theta_0\}}",
    "G4",
    r"the sum runs over the i of the weights and not over the j of the features: as printed, all weights meet one feature. "
    r"The slide does not say what they are: $\theta_j = (\mu_{1j} - \mu_{2j}) / \sigma_j^2$, and $\theta_0$ is the rest of C12b",
    printed=r"\frac1{1 + \exp\{-\sum_{i=1}^d \theta_i x_{nj} - \theta_0\}}",
    method="50 digits",
    case=precise(shared_variances),
)
def logistic_posterior_with_intercept(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    meaning = posterior(pi, mu, sigma, x)[0]
    intercept, *theta = difference(pi, mu, sigma)
    formula = 1 / (1 + exp(-dot(theta, x) - intercept))
    printed = 1 / (1 + exp(-sum(theta) * x[0] - intercept))  # with the first feature for j
    return Erratum(meaning, formula, printed)


@lecture.holds(
    "C13b",
    "slide *The decision boundary*, display 1, second form",
    r"p(y_n^1 = 1 \mid \mathbf x_n) = \frac1{1 + e^{-\boldsymbol\theta^\top \mathbf x_n}} \quad (x_{n0} = 1)",
    "G4",
    method="50 digits",
    case=precise(shared_variances),
)
def logistic_posterior(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    meaning = posterior(pi, mu, sigma, x)[0]
    theta, x = difference(pi, mu, sigma), [1, *x]
    formula = 1 / (1 + exp(-dot(theta, x)))
    return Holds(meaning, formula)


@lecture.holds(
    "C14a",
    "slide *The decision boundary*, display 2, first step",
    r"\ln \frac{p(y_n^1 = 1 \mid \mathbf x_n)}{p(y_n^2 = 1 \mid \mathbf x_n)} = "
    r"\ln \frac{1 / (1 + e^{-\boldsymbol\theta^\top \mathbf x_n})}{e^{-\boldsymbol\theta^\top \mathbf x_n} / (1 + e^{-\boldsymbol\theta^\top \mathbf x_n})}",
    "L1",
    method="50 digits",
    case=precise(shared_variances),
)
def log_odds_of_two_classes(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    first, second = posterior(pi, mu, sigma, x)
    meaning = log(first / second)
    score = dot(difference(pi, mu, sigma), [1, *x])
    formula = log((1 / (1 + exp(-score))) / (exp(-score) / (1 + exp(-score))))
    return Holds(meaning, formula)


@lecture.holds(
    "C14b",
    "slide *The decision boundary*, display 2, second step",
    r"\ln \frac{p(y_n^1 = 1 \mid \mathbf x_n)}{p(y_n^2 = 1 \mid \mathbf x_n)} = \boldsymbol\theta^\top \mathbf x_n",
    "L1",
    method="50 digits",
    case=precise(shared_variances),
)
def log_odds_are_linear(pi, mu, sigma, x):
    pi, mu = two(pi, mu)
    first, second = posterior(pi, mu, sigma, x)
    meaning = log(first / second)
    theta = difference(pi, mu, sigma)
    formula = dot(theta, [1, *x])
    return Holds(meaning, formula)


@lecture.condition(
    "C15",
    "slide *The decision boundary*, display 3",
    r"p(y_n^k = 1 \mid \mathbf x_n) = \frac{e^{-\boldsymbol\theta_k^\top \mathbf x_n}}{\sum_{k'} e^{-\boldsymbol\theta_{k'}^\top \mathbf x_n}}",
    "L4",
    r"if $\boldsymbol\theta_k$ has the signs of costs, so that for two classes $\boldsymbol\theta$ of C13b is $\boldsymbol\theta_2 - \boldsymbol\theta_1$; "
    "the slide does not say. With the signs of scores it needs plus signs. The slide sums over i what has the index j; the check reads one letter for "
    "both. And all classes must share their covariance",
    method="50 digits",
    case=precise(shared_variances),
)
def posterior_of_many_classes_is_a_softmax(pi, mu, sigma, x):
    meaning = posterior(pi, mu, sigma, x)
    score = [dot(weights(p, m, sigma), [1, *x]) for p, m in zip(pi, mu, strict=True)]
    cost = [0 - each for each in score]
    formula = [exp(-cost[k]) / sum(exp(-cost[c]) for c in range(3)) for k in range(3)]
    with_scores = shares([exp(-each) for each in score])
    return Conditional(meaning, formula, without=(meaning, with_scores))
