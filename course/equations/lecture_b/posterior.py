"""Bayes' rule for two classes, and classes whose posterior is logistic."""

import mpmath

from course.equations.calculus import dot, vector
from course.equations.counting import VALUES, argmax, normalised, people, share
from course.equations.entry import Conditional, Holds, check
from course.equations.lecture_b.cases import gda, rates
from course.equations.lecture_b.normal import covariance, density


@check("B1", "fractions", people(2))
def bayes_rule_by_counting(rows):
    meaning = [share(rows, {"y": y}, {"x": x}) for y in (0, 1) for x in VALUES]
    formula = [
        share(rows, {"x": x}, {"y": y}) * share(rows, {"y": y}) / share(rows, {"x": x}) for y in (0, 1) for x in VALUES
    ]
    return Holds(meaning, formula)


@check("B2", "fractions", people(2))
def evidence_of_two_classes(rows):
    meaning = [share(rows, {"x": x}) for x in VALUES]
    one, zero = {"y": 1}, {"y": 0}
    formula = [
        share(rows, {"x": x}, one) * share(rows, one) + share(rows, {"x": x}, zero) * share(rows, zero) for x in VALUES
    ]
    return Holds(meaning, formula)


@check("B3a", "fractions", people(2))
def most_probable_class_by_bayes_rule(rows):
    meaning = [argmax([share(rows, {"y": y}, {"x": x}) for y in (0, 1)]) for x in VALUES]
    evidence = {x: share(rows, {"x": x}) for x in VALUES}
    by_rule = {
        (x, y): share(rows, {"x": x}, {"y": y}) * share(rows, {"y": y}) / evidence[x] for x in VALUES for y in (0, 1)
    }
    formula = [argmax([by_rule[x, y] for y in (0, 1)]) for x in VALUES]
    return Holds(meaning, formula)


@check("B3b", "fractions", people(2))
def most_probable_class_without_the_evidence(rows):
    meaning = [argmax([share(rows, {"y": y}, {"x": x}) for y in (0, 1)]) for x in VALUES]
    formula = [argmax([share(rows, {"x": x}, {"y": y}) * share(rows, {"y": y}) for y in (0, 1)]) for x in VALUES]
    return Holds(meaning, formula)


exp, log = mpmath.exp, mpmath.log
half = mpmath.mpf("0.5")


@check("B16", "50 digits", gda)
def posterior_of_gda_is_logistic(x, y, phi, mu, root):
    joint = [[(1 - phi) * density(x_i, mu[0], root), phi * density(x_i, mu[1], root)] for x_i in x]
    meaning = [normalised(each)[1] for each in joint]
    S = covariance(root)
    by_covariance = [vector(mpmath.lu_solve(S, mpmath.matrix(mu_k))) for mu_k in mu]
    w = [v - u for u, v in zip(*by_covariance, strict=True)]
    q = [dot(mu_k, s) for mu_k, s in zip(mu, by_covariance, strict=True)]
    formula = [1 / (1 + exp(-(dot(w, x_i) + log(phi / (1 - phi)) - half * (q[1] - q[0])))) for x_i in x]
    return Holds(meaning, formula)


@check("B17", "50 digits", gda)
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


@check("B18", "50 digits", rates)
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
