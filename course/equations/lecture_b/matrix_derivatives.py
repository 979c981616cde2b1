"""Rules of matrix calculus that the covariance takes: a determinant, a form with an inverse, a transpose."""

import mpmath

from course.equations.calculus import dot, gradient, table, vector
from course.equations.entry import Holds, check
from course.equations.lecture_b.cases import gda, square
from course.equations.lecture_b.normal import covariance


def flat(rows):
    return [each for row in rows for each in row]


@check("B14", "differences", square)
def derivative_of_a_determinant(A, a, b):
    def determinant(entries):
        p, q, r, s, t, u, v, w, z = entries
        return p * (t * z - u * w) - q * (s * z - u * v) + r * (s * w - t * v)

    meaning = gradient(determinant, flat(A))
    M = mpmath.matrix(A)
    formula = flat(table(mpmath.det(M) * mpmath.inverse(M).T))
    return Holds(meaning, formula)


@check("B15", "differences", square)
def derivative_of_a_form_with_an_inverse(A, a, b):
    def form(entries):
        return dot(
            a, vector(mpmath.lu_solve(mpmath.matrix([entries[:3], entries[3:6], entries[6:]]), mpmath.matrix(b)))
        )

    meaning = gradient(form, flat(A))
    T = mpmath.inverse(mpmath.matrix(A)).T
    formula = flat(table(-T * mpmath.matrix(a) * mpmath.matrix(b).T * T))
    return Holds(meaning, formula)


@check("B15a", "50 digits", gda)
def inverse_of_a_symmetric_matrix(x, y, phi, mu, root):
    S = covariance(root)
    (a, b), (c, d) = table(S)
    size = a * d - b * c
    meaning = [[d / size, -b / size], [-c / size, a / size]]
    formula = table(mpmath.inverse(S).T)
    return Holds(meaning, formula)
