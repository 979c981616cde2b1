"""Maximum likelihood of Gaussian discriminant analysis: class prior, means, covariance; its posterior."""

from fractions import Fraction
from math import prod

import mpmath

from probml.equations.calculus import derivative, dot, gradient, table, total, vector
from probml.equations.cases import precise
from probml.equations.counting import normalised
from probml.equations.entry import Conditional, Holds, Lecture
from probml.equations.estimates import maximum, most_likely
from probml.equations.lecture_b.cases import gda, rates, square
from probml.equations.lecture_b.normal import MODEL, covariance, density, log_likelihood

lecture = Lecture("B")
exp, log = mpmath.exp, mpmath.log
half = mpmath.mpf("0.5")

PHI = MODEL + ", display 4"
SIGMA = MODEL + ", display 7"
DISCUSSION = "section *Discussion: GDA and Logistic Regression*"


@lecture.holds(
    "B10a",
    PHI,
    r"\frac{\partial \ell}{\partial \phi} = \sum_i \Bigl(y_i \frac1\phi - (1 - y_i) \frac1{1 - \phi}\Bigr)",
    "G2",
    method="differences",
    case=precise(gda),
)
def derivative_in_the_class_prior(x, y, phi, mu, root):
    meaning = derivative(lambda t: log_likelihood(x, y, t, mu, root), phi)
    formula = sum(y_i * (1 / phi) - (1 - y_i) * (1 / (1 - phi)) for y_i in y)
    return Holds(meaning, formula)


def cleared(x, y, phi, mu, root):
    """The derivative in phi, multiplied by phi (1 - phi): 0 where the derivative is."""
    return phi * (1 - phi) * derivative(lambda t: log_likelihood(x, y, t, mu, root), phi)


@lecture.holds(
    "B10b",
    PHI,
    r"\sum_i \bigl(y_i (1 - \phi) - (1 - y_i)\, \phi\bigr) = 0",
    "G2",
    note="the left side is φ(1 - φ) times the derivative, as in the next two lines; this is what is checked",
    method="differences",
    case=precise(gda),
)
def class_prior_without_fractions(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    formula = sum(y_i * (1 - phi) - (1 - y_i) * phi for y_i in y)
    return Holds(meaning, formula)


@lecture.holds("B10c", PHI, r"\sum_i (y_i - \phi) = 0", "G2", method="differences", case=precise(gda))
def class_prior_as_a_sum_of_residuals(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    formula = sum(y_i - phi for y_i in y)
    return Holds(meaning, formula)


@lecture.holds("B10d", PHI, r"\sum_i y_i - m \phi = 0", "G2", method="differences", case=precise(gda))
def class_prior_as_a_difference(x, y, phi, mu, root):
    meaning = cleared(x, y, phi, mu, root)
    m = len(y)
    formula = sum(y) - m * phi
    return Holds(meaning, formula)


@lecture.holds(
    "B10e",
    PHI + ", and display 8",
    r"\hat\phi = \frac1m \sum_i y_i = \frac1m \sum_i 1(y_i = 1)",
    "G2",
    method="enumeration",
    case=gda,
)
def most_likely_class_prior(x, y, phi, mu, root):
    meaning = [most_likely(2, 4 * len(y), lambda p: prod(p[k] for k in y))[1]] * 2
    m = Fraction(len(y))
    formula = [1 / m * sum(y), 1 / m * sum(y_i == 1 for y_i in y)]
    return Holds(meaning, formula)


def mean_of_class(number, display, j, weight, indicator):
    """Five lines for the mean of class j; `weight` is how the lecture writes 1 for this class and 0 for the other."""
    place = f"{MODEL}, display {display}"

    def slope(x, y, phi, mu, root):
        return gradient(lambda t: log_likelihood(x, y, phi, [t if k == j else mu[k] for k in (0, 1)], root), mu[j])

    def times_covariance(x, y, phi, mu, root):
        return vector(covariance(root) * mpmath.matrix(slope(x, y, phi, mu, root)))

    def pulls(x, mu, root):
        """Sigma^-1 (x_i - mu_j) for each example."""
        S = covariance(root)
        return [
            vector(mpmath.lu_solve(S, mpmath.matrix([a - b for a, b in zip(x_i, mu[j], strict=True)]))) for x_i in x
        ]

    def members(y):
        return [int(y_i == j) for y_i in y]

    @lecture.holds(
        f"B{number}a",
        place,
        rf"\frac{{\partial \ell}}{{\partial \mu_{j}}} = \sum_i {weight} \bigl(-\tfrac12\bigr) \bigl(-2 \Sigma^{{-1}} (\mathbf x_i - \mu_{j})\bigr)",
        "G2",
        method="differences",
        case=precise(gda),
    )
    def derivative_in_a_mean(x, y, phi, mu, root):
        meaning = slope(x, y, phi, mu, root)
        pull = pulls(x, mu, root)
        formula = [sum(w * -half * (-2 * q[k]) for w, q in zip(members(y), pull, strict=True)) for k in (0, 1)]
        return Holds(meaning, formula)

    @lecture.holds(
        f"B{number}b",
        place,
        rf"\frac{{\partial \ell}}{{\partial \mu_{j}}} = \sum_i {weight}\, \Sigma^{{-1}} (\mathbf x_i - \mu_{j})",
        "G2",
        method="differences",
        case=precise(gda),
    )
    def derivative_in_a_mean_simplified(x, y, phi, mu, root):
        meaning = slope(x, y, phi, mu, root)
        pull = pulls(x, mu, root)
        formula = [sum(w * q[k] for w, q in zip(members(y), pull, strict=True)) for k in (0, 1)]
        return Holds(meaning, formula)

    @lecture.holds(
        f"B{number}c",
        place,
        rf"\sum_i {weight} (\mathbf x_i - \mu_{j}) = 0",
        "G2",
        note="the left side is Σ times the derivative, as in the next line; this is what is checked",
        method="differences",
        case=precise(gda),
    )
    def mean_as_a_sum_of_residuals(x, y, phi, mu, root):
        meaning = times_covariance(x, y, phi, mu, root)
        formula = [sum(w * (x_i[k] - mu[j][k]) for w, x_i in zip(members(y), x, strict=True)) for k in (0, 1)]
        return Holds(meaning, formula)

    @lecture.holds(
        f"B{number}d",
        place,
        rf"\sum_i {weight}\, \mathbf x_i - \sum_i {weight}\, \mu_{j} = 0",
        "G2",
        method="differences",
        case=precise(gda),
    )
    def mean_as_a_difference(x, y, phi, mu, root):
        meaning = times_covariance(x, y, phi, mu, root)
        weights = members(y)
        formula = [
            sum(w * x_i[k] for w, x_i in zip(weights, x, strict=True)) - sum(w * mu[j][k] for w in weights)
            for k in (0, 1)
        ]
        return Holds(meaning, formula)

    @lecture.holds(
        f"B{number}e",
        f"{place}, and display 8",
        rf"\hat\mu_{j} = \frac{{\sum_i {weight}\, \mathbf x_i}}{{\sum_i {weight}}} = \frac{{\sum_i {indicator}\, \mathbf x_i}}{{\sum_i {indicator}}}",
        "G2",
        method="differences",
        case=precise(gda),
    )
    def most_likely_mean(x, y, phi, mu, root):
        def profile(t):
            return log_likelihood(x, y, phi, [t if k == j else mu[k] for k in (0, 1)], root)

        meaning = maximum(profile, [0, 0])
        formula = [
            sum((y_i == j) * x_i[k] for x_i, y_i in zip(x, y, strict=True)) / sum(y_i == j for y_i in y) for k in (0, 1)
        ]
        return Holds(meaning, formula)


mean_of_class(11, 5, 0, "(1 - y_i)", "1(y_i = 0)")
mean_of_class(12, 6, 1, "y_i", "1(y_i = 1)")


def log_likelihood_of_matrix(x, y, phi, mu, S):
    """The log likelihood where Sigma is any matrix of two rows, symmetric or not: its four entries are free."""
    (a, b), (c, d) = S
    det = a * d - b * c
    weight = [log((1 - phi) / (2 * mpmath.pi)), log(phi / (2 * mpmath.pi))]
    log_det = log(det)
    terms = []
    for x_i, y_i in zip(x, y, strict=True):
        s, t = x_i[0] - mu[y_i][0], x_i[1] - mu[y_i][1]
        squares = (d * s * s - (b + c) * s * t + a * t * t) / det
        terms.append(weight[y_i] - (log_det + squares) / 2)
    return total(terms)


def skewed(root):
    """A covariance made unsymmetric, so that a forgotten transpose shows; its determinant stays positive."""
    S = table(covariance(root))
    S[0][1], S[1][0] = S[0][1] + half * root[0][0] * root[1][1], S[1][0] - half * root[0][0] * root[1][1]
    return S


def slope_in_covariance(x, y, phi, mu, S):
    slope = gradient(lambda s: log_likelihood_of_matrix(x, y, phi, mu, [s[:2], s[2:]]), [*S[0], *S[1]])
    return mpmath.matrix([slope[:2], slope[2:]])


def outer(x_i, mu_k):
    r = mpmath.matrix([a - b for a, b in zip(x_i, mu_k, strict=True)])
    return r * r.T


@lecture.holds(
    "B13a",
    SIGMA,
    r"\frac{\partial \ell}{\partial \Sigma} = \sum_i \Bigl[(1 - y_i) \bigl(-\tfrac1{2 \lvert\Sigma\rvert} \lvert\Sigma\rvert \Sigma^{-\top} - \tfrac12 (-\Sigma^{-\top} (\mathbf x_i - \mu_0) (\mathbf x_i - \mu_0)^\top \Sigma^{-\top})\bigr) + y_i \bigl(-\tfrac1{2 \lvert\Sigma\rvert} \lvert\Sigma\rvert \Sigma^{-\top} - \tfrac12 (-\Sigma^{-\top} (\mathbf x_i - \mu_1) (\mathbf x_i - \mu_1)^\top \Sigma^{-\top})\bigr)\Bigr]",
    "G2",
    note="all entries of Σ vary freely here, as if it need not be symmetric",
    method="differences",
    case=precise(gda),
)
def derivative_in_the_covariance(x, y, phi, mu, root):
    S = skewed(root)
    meaning = table(slope_in_covariance(x, y, phi, mu, S))
    T, det = mpmath.inverse(mpmath.matrix(S)).T, mpmath.det(mpmath.matrix(S))
    formula = table(
        sum(
            (1 - y_i) * (-1 / (2 * det) * det * T - half * (-T * outer(x_i, mu[0]) * T))
            + y_i * (-1 / (2 * det) * det * T - half * (-T * outer(x_i, mu[1]) * T))
            for x_i, y_i in zip(x, y, strict=True)
        )
    )
    return Holds(meaning, formula)


@lecture.holds(
    "B13b",
    SIGMA,
    r"\frac{\partial \ell}{\partial \Sigma} = -\tfrac12 \Sigma^{-\top} \sum_i \Bigl[(1 - y_i) \bigl(I - (\mathbf x_i - \mu_0) (\mathbf x_i - \mu_0)^\top \Sigma^{-\top}\bigr) + y_i \bigl(I - (\mathbf x_i - \mu_1) (\mathbf x_i - \mu_1)^\top \Sigma^{-\top}\bigr)\Bigr]",
    "G2",
    note="from here on the lecture writes 1 for the identity matrix I, and m for mI",
    method="differences",
    case=precise(gda),
)
def derivative_in_the_covariance_factored(x, y, phi, mu, root):
    S = skewed(root)
    meaning = table(slope_in_covariance(x, y, phi, mu, S))
    T, identity = mpmath.inverse(mpmath.matrix(S)).T, mpmath.eye(2)
    formula = table(
        -half
        * T
        * sum(
            (1 - y_i) * (identity - outer(x_i, mu[0]) * T) + y_i * (identity - outer(x_i, mu[1]) * T)
            for x_i, y_i in zip(x, y, strict=True)
        )
    )
    return Holds(meaning, formula)


@lecture.holds(
    "B13c",
    SIGMA,
    r"\frac{\partial \ell}{\partial \Sigma} = -\tfrac12 \Sigma^{-\top} \sum_i \bigl[I - (\mathbf x_i - \mu_{y_i}) (\mathbf x_i - \mu_{y_i})^\top \Sigma^{-\top}\bigr]",
    "G2",
    method="differences",
    case=precise(gda),
)
def derivative_in_the_covariance_by_own_means(x, y, phi, mu, root):
    S = skewed(root)
    meaning = table(slope_in_covariance(x, y, phi, mu, S))
    T, identity = mpmath.inverse(mpmath.matrix(S)).T, mpmath.eye(2)
    own = [outer(x_i, mu[y_i]) for x_i, y_i in zip(x, y, strict=True)]
    formula = table(-half * T * sum(identity - r * T for r in own))
    return Holds(meaning, formula)


@lecture.holds(
    "B13d",
    SIGMA,
    r"\sum_i \bigl[I - (\mathbf x_i - \mu_{y_i}) (\mathbf x_i - \mu_{y_i})^\top \Sigma^{-\top}\bigr] = 0",
    "G2",
    note="the left side is -2Σ' times the derivative, as in the next line; this is what is checked",
    method="differences",
    case=precise(gda),
)
def covariance_as_a_sum_of_differences(x, y, phi, mu, root):
    S = skewed(root)
    meaning = table(-2 * mpmath.matrix(S).T * slope_in_covariance(x, y, phi, mu, S))
    T, identity = mpmath.inverse(mpmath.matrix(S)).T, mpmath.eye(2)
    own = [outer(x_i, mu[y_i]) for x_i, y_i in zip(x, y, strict=True)]
    formula = table(sum(identity - r * T for r in own))
    return Holds(meaning, formula)


@lecture.holds(
    "B13e",
    SIGMA,
    r"m I - \sum_i (\mathbf x_i - \mu_{y_i}) (\mathbf x_i - \mu_{y_i})^\top \Sigma^{-\top} = 0",
    "G2",
    method="differences",
    case=precise(gda),
)
def covariance_as_a_difference(x, y, phi, mu, root):
    S = skewed(root)
    meaning = table(-2 * mpmath.matrix(S).T * slope_in_covariance(x, y, phi, mu, S))
    T, identity, m = mpmath.inverse(mpmath.matrix(S)).T, mpmath.eye(2), len(y)
    own = [outer(x_i, mu[y_i]) for x_i, y_i in zip(x, y, strict=True)]
    formula = table(m * identity - sum(r * T for r in own))
    return Holds(meaning, formula)


@lecture.holds(
    "B13f",
    SIGMA,
    r"m \Sigma - \sum_i (\mathbf x_i - \mu_{y_i}) (\mathbf x_i - \mu_{y_i})^\top = 0",
    "G2",
    note="now Σ is symmetric; the left side is -2Σ times the derivative times Σ",
    method="differences",
    case=precise(gda),
)
def covariance_without_its_inverse(x, y, phi, mu, root):
    S = covariance(root)
    meaning = table(-2 * S * slope_in_covariance(x, y, phi, mu, table(S)) * S)
    m = len(y)
    own = [outer(x_i, mu[y_i]) for x_i, y_i in zip(x, y, strict=True)]
    formula = table(m * S - sum(own))
    return Holds(meaning, formula)


@lecture.condition(
    "B13g",
    SIGMA + ", and display 8",
    r"\hat\Sigma = \frac1m \sum_i (\mathbf x_i - \mu_{y_i}) (\mathbf x_i - \mu_{y_i})^\top",
    "G2",
    "if this matrix is invertible, which takes at least n + 2 examples; with one example in each class the likelihood grows without bound as Σ shrinks",
    method="differences",
    case=precise(gda),
)
def most_likely_covariance(x, y, phi, mu, root):
    x, y = x[:4], y[:4]  # the least number of examples that n = 2 features need

    def from_precision(point):
        """Sigma^-1 = R R^T with R of positive diagonal: every point is a covariance."""
        (a, b), c = (exp(each) for each in point[:2]), point[2]
        det = (a * b) ** 2
        return [[(b**2 + c**2) / det, -a * c / det], [-a * c / det, a**2 / det]]

    meaning = from_precision(maximum(lambda t: log_likelihood_of_matrix(x, y, phi, mu, from_precision(t)), [0, 0, 0]))
    m = mpmath.mpf(len(y))
    own = [outer(x_i, mu[y_i]) for x_i, y_i in zip(x, y, strict=True)]
    formula = table(1 / m * sum(own))
    pair = [x[0], x[2]]  # one of each class: its own mean, no residuals
    narrow = [[[mpmath.mpf(10) ** -k, 0], [0, mpmath.mpf(10) ** -k]] for k in (10, 20, 30)]
    shrinking = [log_likelihood_of_matrix(pair, [0, 1], phi, pair, S) for S in narrow]
    has_maximum = not shrinking[0] < shrinking[1] < shrinking[2]
    return Conditional(meaning, formula, without=(True, has_maximum))


def flat(rows):
    return [each for row in rows for each in row]


@lecture.holds(
    "B14",
    MODEL + ", below display 7",
    r"\frac\partial{\partial A} \lvert A \rvert = \lvert A \rvert A^{-\top}",
    "G2",
    method="differences",
    case=precise(square),
)
def derivative_of_a_determinant(A, a, b):
    def determinant(entries):
        p, q, r, s, t, u, v, w, z = entries
        return p * (t * z - u * w) - q * (s * z - u * v) + r * (s * w - t * v)

    meaning = gradient(determinant, flat(A))
    M = mpmath.matrix(A)
    formula = flat(table(mpmath.det(M) * mpmath.inverse(M).T))
    return Holds(meaning, formula)


@lecture.holds(
    "B15",
    MODEL + ", below display 7",
    r"\frac\partial{\partial A} \mathbf a^\top A^{-1} \mathbf b = -A^{-\top} \mathbf a \mathbf b^\top A^{-\top}",
    "G2",
    method="differences",
    case=precise(square),
)
def derivative_of_a_form_with_an_inverse(A, a, b):
    def form(entries):
        return dot(
            a, vector(mpmath.lu_solve(mpmath.matrix([entries[:3], entries[3:6], entries[6:]]), mpmath.matrix(b)))
        )

    meaning = gradient(form, flat(A))
    T = mpmath.inverse(mpmath.matrix(A)).T
    formula = flat(table(-T * mpmath.matrix(a) * mpmath.matrix(b).T * T))
    return Holds(meaning, formula)


@lecture.holds(
    "B15a",
    MODEL + ", below display 7",
    r"\Sigma^{-\top} = \Sigma^{-1}",
    "G2",
    note="for a symmetric matrix, as the lecture says; B13a to B13e are checked with one that is not",
    method="50 digits",
    case=precise(gda),
)
def inverse_of_a_symmetric_matrix(x, y, phi, mu, root):
    S = covariance(root)
    (a, b), (c, d) = table(S)
    size = a * d - b * c
    meaning = [[d / size, -b / size], [-c / size, a / size]]
    formula = table(mpmath.inverse(S).T)
    return Holds(meaning, formula)


@lecture.holds(
    "B16",
    DISCUSSION,
    r"p(y = 1 \mid \mathbf x; \phi, \mu_0, \mu_1, \Sigma) = \sigma(\mathbf w \cdot \mathbf x + b), \quad \mathbf w = \Sigma^{-1} (\mu_1 - \mu_0), \quad b = \log \tfrac\phi{1 - \phi} - \tfrac12 (\mu_1^\top \Sigma^{-1} \mu_1 - \mu_0^\top \Sigma^{-1} \mu_0)",
    "G4",
    note="the lecture speaks of an appropriate θ; this is it",
    method="50 digits",
    case=precise(gda),
)
def posterior_of_gda_is_logistic(x, y, phi, mu, root):
    joint = [[(1 - phi) * density(x_i, mu[0], root), phi * density(x_i, mu[1], root)] for x_i in x]
    meaning = [normalised(each)[1] for each in joint]
    S = covariance(root)
    by_covariance = [vector(mpmath.lu_solve(S, mpmath.matrix(mu_k))) for mu_k in mu]
    w = [v - u for u, v in zip(*by_covariance, strict=True)]
    q = [dot(mu_k, s) for mu_k, s in zip(mu, by_covariance, strict=True)]
    formula = [1 / (1 + exp(-(dot(w, x_i) + log(phi / (1 - phi)) - half * (q[1] - q[0])))) for x_i in x]
    return Holds(meaning, formula)


@lecture.condition(
    "B17",
    DISCUSSION,
    r"\mathbf x \mid y \text{ normal} \;\Rightarrow\; p(y = 1 \mid \mathbf x) = \sigma(\mathbf w \cdot \mathbf x + b)",
    "G4",
    "if both classes have the same covariance; otherwise the log odds are quadratic. Checked halfway between two points, where linear log odds are the mean of theirs",
    method="50 digits",
    case=precise(gda),
)
def log_odds_of_normal_classes_are_linear(x, y, phi, mu, root):
    def log_odds(v, other_root):
        return log(phi * density(v, mu[1], other_root)) - log((1 - phi) * density(v, mu[0], root))

    middle = [(a + b) / 2 for a, b in zip(x[0], x[1], strict=True)]
    meaning = log_odds(middle, root)
    formula = (log_odds(x[0], root) + log_odds(x[1], root)) / 2
    wider = [[2 * each for each in row] for row in root]
    return Conditional(
        meaning, formula, without=(log_odds(middle, wider), (log_odds(x[0], wider) + log_odds(x[1], wider)) / 2)
    )


def poisson(k, rate, shape):
    return k * log(rate) - rate - log(mpmath.factorial(k))


def gamma(t, rate, shape):
    return shape * log(rate) + (shape - 1) * log(t) - rate * t - mpmath.loggamma(shape)


@lecture.condition(
    "B18",
    DISCUSSION,
    r"\mathbf x \mid y \sim \text{ExponentialFamily}(\eta_y) \;\Rightarrow\; p(y = 1 \mid \mathbf x) = \sigma(\mathbf w \cdot \mathbf x + b)",
    "G5",
    "if the classes differ in a natural parameter of x itself, T(x) = x: Poisson, or Gamma of one shape. Gamma classes of two shapes have a log x in their log odds. None of these is normal: the converse of B17 fails, as the lecture says",
    method="50 digits",
    case=precise(rates),
)
def log_odds_of_exponential_families(phi, rate, shape):
    def log_odds(family, v, shapes):
        return log(phi) + family(v, rate[1], shapes[1]) - log(1 - phi) - family(v, rate[0], shapes[0])

    same, two = [shape, shape], [shape, shape + 1]
    meaning = [log_odds(poisson, 2, same), log_odds(gamma, 2, same)]
    formula = [
        (log_odds(poisson, 1, same) + log_odds(poisson, 3, same)) / 2,
        (log_odds(gamma, 1, same) + log_odds(gamma, 3, same)) / 2,
    ]
    without = (log_odds(gamma, 2, two), (log_odds(gamma, 1, two) + log_odds(gamma, 3, two)) / 2)
    return Conditional(meaning, formula, without)
