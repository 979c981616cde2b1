"""The discriminative view: from a linear score to a probability."""

import mpmath
from mpmath import exp, log

from course.equations.calculus import dot
from course.equations.entry import Erratum, Holds, check
from course.equations.lecture_d.cases import scores


def probability_of_1(h):
    """The probability whose log odds are h, by the hyperbolic tangent: ln((1 + tanh(h/2)) / (1 - tanh(h/2))) = h."""
    return (1 + mpmath.tanh(h / 2)) / 2


def probability_of_0(h):
    """What is left of 1."""
    return (1 - mpmath.tanh(h / 2)) / 2


def score(x, w, w0):
    """h of each row of x."""
    return [dot(w, x_n) + w0 for x_n in x]


@check("D34", "50 digits", scores)
def log_probability_of_class_1(x, y, w, w0, eta):
    h = score(x[:2], w, w0)
    meaning = [log(probability_of_1(each)) for each in h]
    formula = [each - log(exp(each) + exp(0)) for each in h]
    printed = [each * meaning[0] / h[0] for each in h]  # the factor that fits the first point
    return Erratum(meaning, formula, printed)


@check("D35", "50 digits", scores)
def log_probability_of_class_0(x, y, w, w0, eta):
    h = score(x[:2], w, w0)
    meaning = [log(probability_of_0(each)) for each in h]
    formula = [-log(exp(each) + exp(0)) for each in h]
    return Erratum(meaning, formula, printed=[0 for _ in h])


@check("D36a", "50 digits", scores)
def probability_of_class_1_normalised(x, y, w, w0, eta):
    meaning = list(map(probability_of_1, score(x, w, w0)))
    formula = [exp(h) / (exp(h) + exp(0)) for h in score(x, w, w0)]
    return Holds(meaning, formula)


@check("D36b", "50 digits", scores)
def probability_of_class_1_as_sigmoid(x, y, w, w0, eta):
    meaning = list(map(probability_of_1, score(x, w, w0)))
    formula = [1 / (1 + exp(-h)) for h in score(x, w, w0)]
    return Holds(meaning, formula)


@check("D37a", "50 digits", scores)
def probability_of_class_0_normalised(x, y, w, w0, eta):
    meaning = list(map(probability_of_0, score(x, w, w0)))
    formula = [exp(0) / (exp(h) + exp(0)) for h in score(x, w, w0)]
    return Holds(meaning, formula)


@check("D37b", "50 digits", scores)
def probability_of_class_0_as_sigmoid(x, y, w, w0, eta):
    meaning = list(map(probability_of_0, score(x, w, w0)))
    formula = [1 / (1 + exp(h)) for h in score(x, w, w0)]
    return Holds(meaning, formula)
