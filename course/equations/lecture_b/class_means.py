"""The means of Gaussian discriminant analysis, one class after the other: derivatives and where they are 0."""

import mpmath

from course.equations.calculus import gradient, vector
from course.equations.cases import precise
from course.equations.entry import Holds, Lecture
from course.equations.estimates import maximum
from course.equations.lecture_b.cases import gda
from course.equations.lecture_b.normal import MODEL, covariance, log_likelihood

lecture = Lecture("B")
half = mpmath.mpf("0.5")


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
