"""The multinomial distribution, and its maximum likelihood by a Lagrange multiplier."""

from collections import Counter
from itertools import product
from math import factorial, prod

import mpmath
from mpmath import log

from course.equations.calculus import derivative, dot, gradient, hessian, vector
from course.equations.cases import precise
from course.equations.entry import Conditional, Erratum, Holds, Lecture
from course.equations.lecture_d.cases import documents, histograms

lecture = Lecture("D")


def of_histogram(x, pi):
    """P(histogram x) by the definition: the sum over all sequences of words that have it."""
    words = range(len(x))
    sequences = (each for each in product(words, repeat=sum(x)) if [each.count(j) for j in words] == x)
    return sum(prod(pi[j] for j in sequence) for sequence in sequences)


def coefficient(x):
    """How many sequences have the histogram x."""
    return factorial(sum(x)) // prod(map(factorial, x))


def log_probability(x, pi):
    """ln p(x; pi), coefficient and all."""
    return log(coefficient(x)) + dot(x, map(log, pi))


def columns(x):
    """Counts of each word in all documents."""
    return [sum(column) for column in zip(*x, strict=True)]


def log_likelihood(x):
    """ln of the probability of all documents x, as a function of pi."""
    constant, words = sum(log(coefficient(x_n)) for x_n in x), columns(x)
    return lambda pi: constant + dot(words, map(log, pi))


def maximiser(f, start):
    """The probabilities with the largest f, which takes a list of them, by Newton's method with differences.

    The probabilities are e^eta_j over their sum, the last eta 0, so that no constraint is left.
    """

    def probabilities(eta):
        weights = [*map(mpmath.exp, eta), mpmath.mpf(1)]
        return [each / sum(weights) for each in weights]

    def of_eta(eta):
        return f(probabilities(eta))

    eta = [log(each / start[-1]) for each in start[:-1]]
    for _ in range(8):
        slope, bend = gradient(of_eta, eta), hessian(of_eta, eta)
        step = vector(mpmath.lu_solve(mpmath.matrix(bend), mpmath.matrix(slope)))
        eta = [a - b for a, b in zip(eta, step, strict=True)]
        if max(map(abs, step)) < mpmath.mpf("1e-25"):
            break
    return probabilities(eta)


def most_likely(x):
    """The probabilities that make the documents x most probable."""
    return maximiser(log_likelihood(x), start=[mpmath.mpf(n + 1) for n in columns(x)])


def lagrangian(x, pi, lam):
    """L(pi, lambda) of D17."""
    return sum(x_n[j] * log(pi[j]) for x_n in x for j in range(3)) + lam * (1 - sum(pi))


lecture.definition(
    "D14",
    "slide *Multinomial distribution*, constraint",
    r"\sum_{j=1}^m \pi_j = 1, \quad \pi_j \ge 0",
    "P1",
)


@lecture.holds(
    "D15a",
    "slide *Multinomial distribution*, first line",
    r"p(\mathbf x; \boldsymbol\pi) = \frac{(\sum_j x_j)!}{\prod_j x_j!} \prod_{j=1}^m \pi_j^{x_j}",
    "P1",
    "the check sums over all sequences of five words",
    method="fractions",
    case=histograms,
)
def probability_of_a_histogram(pi, rho, x, other):
    draws, repeats = factorial(sum(x)), prod(map(factorial, x))
    meaning = of_histogram(x, pi)
    formula = draws * prod(p**n for p, n in zip(pi, x, strict=True)) / repeats
    return Holds(meaning, formula)


@lecture.condition(
    "D15b",
    "slide *Multinomial distribution*, second line",
    r"p(\mathbf x; \boldsymbol\pi) \propto \prod_{j=1}^m \pi_j^{x_j}",
    "P1",
    "as a function of the probabilities, for one x: the check compares two sets of probabilities. As a function of x it fails, since the coefficient changes",
    method="fractions",
    case=histograms,
)
def proportional_in_the_probabilities(pi, rho, x, other):
    def kernel(counts, p):
        return prod(each**n for each, n in zip(p, counts, strict=True))

    meaning = of_histogram(x, pi) / of_histogram(x, rho)
    formula = kernel(x, pi) / kernel(x, rho)
    without = of_histogram(x, pi) / of_histogram(other, pi), kernel(x, pi) / kernel(other, pi)
    return Conditional(meaning, formula, without)


@lecture.holds(
    "D16",
    "slide *Fitting multinomial*",
    r"\arg\max_{\boldsymbol\pi \ge 0} \prod_n p(\mathbf x_n; \boldsymbol\pi) = "
    r"\arg\max_{\boldsymbol\pi \ge 0} \sum_n \sum_j x_{nj} \ln \pi_j \quad \text{s.t. } \sum_j \pi_j = 1",
    "P2",
    "the check: from any one set of probabilities to any other, the logarithm of the product and the sum change by the same amount",
    method="50 digits",
    case=precise(histograms),
)
def same_order_of_all_probabilities(pi, rho, x, other):
    x = [x, other]
    meaning = log(prod(of_histogram(x_n, pi) for x_n in x)) - log(prod(of_histogram(x_n, rho) for x_n in x))
    log_pi, log_rho = list(map(log, pi)), list(map(log, rho))
    formula = sum(dot(x_n, log_pi) for x_n in x) - sum(dot(x_n, log_rho) for x_n in x)
    return Holds(meaning, formula)


lecture.definition(
    "D17",
    "slides *Maximum likelihood (1)* and *(2)*, display 1",
    r"L(\boldsymbol\pi, \lambda) = \sum_n \sum_j x_{nj} \ln \pi_j + \lambda \Bigl(1 - \sum_j \pi_j\Bigr)",
    "P2",
)


@lecture.holds(
    "D18a",
    "slide *Maximum likelihood (1)*, display 2, line 1",
    r"\frac{\partial}{\partial \pi_j} L(\boldsymbol\pi, \lambda) = \sum_n x_{nj} / \pi_j - \lambda \; (= 0)",
    "P2",
    method="differences",
    case=precise(documents),
)
def slope_of_the_lagrangian(x, y, pi, lam):
    meaning = gradient(lambda p: lagrangian(x, p, lam), pi)
    formula = [sum(x_n[j] / pi[j] for x_n in x) - lam for j in range(3)]
    return Holds(meaning, formula)


def flat_point(x, lam, j):
    """The pi_j at which L is flat: where its slope, by differences, changes sign."""

    def slope(logarithm):
        return derivative(
            lambda t: lagrangian(x, [t if i == j else mpmath.mpf(1) for i in range(3)], lam), mpmath.exp(logarithm)
        )

    return mpmath.exp(mpmath.findroot(slope, (-10, 10), solver="ridder"))


@lecture.holds(
    "D18b",
    "slides *Maximum likelihood (1)*, display 2, line 2; *(2)*, display 2",
    r"\pi_j = \sum_n x_{nj} / \lambda",
    "P2",
    method="differences",
    case=precise(documents),
)
def where_the_lagrangian_is_flat(x, y, pi, lam):
    meaning = [flat_point(x, lam, j) for j in range(3)]
    formula = [sum(x_n[j] for x_n in x) / lam for j in range(3)]
    return Holds(meaning, formula)


@lecture.erratum(
    "D19a",
    "slide *Maximum likelihood (2)*, display 3, line 1",
    r"\frac{\partial}{\partial \lambda} L(\boldsymbol\pi, \lambda) = 1 - \sum_j \pi_j = 0",
    "P2",
    "the derivative is 1 minus the sum, and must be 0; the sum itself, which must be 1, is what follows from it",
    printed=r"\frac{\partial}{\partial \lambda} L(\boldsymbol\pi, \lambda) = \sum_j \pi_j = 1",
    method="differences",
    case=precise(documents),
)
def slope_in_the_multiplier(x, y, pi, lam):
    meaning = derivative(lambda t: lagrangian(x, pi, t), lam)
    formula = 1 - sum(pi)
    printed = sum(pi)
    return Erratum(meaning, formula, printed)


@lecture.holds(
    "D19b",
    "slide *Maximum likelihood (2)*, display 3, line 2",
    r"\sum_j \pi_j = \sum_j \sum_n x_{nj} / \lambda \; (= 1)",
    "P2",
    method="differences",
    case=precise(documents),
)
def sum_of_flat_points(x, y, pi, lam):
    meaning = sum(flat_point(x, lam, j) for j in range(3))
    formula = sum(sum(x_n[j] / lam for x_n in x) for j in range(3))
    return Holds(meaning, formula)


@lecture.holds(
    "D19c",
    "slide *Maximum likelihood (2)*, display 3, line 3",
    r"\lambda = \sum_n \sum_j x_{nj}",
    "P2",
    "at the maximum the slope of the objective is the multiplier in all directions; the check finds the maximum by Newton's method",
    method="differences",
    case=precise(documents),
)
def multiplier_is_the_number_of_words(x, y, pi, lam):
    meaning = gradient(log_likelihood(x), most_likely(x))
    formula = [sum(sum(x_n) for x_n in x)] * 3
    return Holds(meaning, formula)


@lecture.holds(
    "D20a",
    "slide *Multinomial MLE matrix form*, first form",
    r"\hat{\boldsymbol\pi} = \frac{\sum_n \mathbf x_n}{\sum_n \sum_j x_{nj}}",
    "P2",
    method="differences",
    case=precise(documents),
)
def shares_of_words_are_most_likely(x, y, pi, lam):
    meaning = most_likely(x)
    total = mpmath.mpf(sum(map(sum, x)))
    formula = [sum(x_n[j] for x_n in x) / total for j in range(3)]
    return Holds(meaning, formula)


@lecture.holds(
    "D20b",
    "slide *Multinomial MLE matrix form*, second form",
    r"\hat{\boldsymbol\pi} = \frac{X^\top \mathbf 1}{\mathbf 1^\top X \mathbf 1}",
    "P2",
    "the check counts the words of all documents, one after the other",
    method="50 digits",
    case=precise(documents),
)
def shares_of_words_in_matrix_form(x, y, pi, lam):
    words = [j for x_n in x for j, n in enumerate(x_n) for _ in range(n)]
    counted = Counter(words)
    meaning = [mpmath.mpf(counted[j]) / len(words) for j in range(3)]
    X, words_1, documents_1 = mpmath.matrix(x), mpmath.ones(3, 1), mpmath.ones(len(x), 1)
    formula = vector(X.T * documents_1 / (documents_1.T * X * words_1)[0])
    return Holds(meaning, formula)
