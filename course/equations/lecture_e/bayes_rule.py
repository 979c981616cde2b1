"""Equations 53 to 55: generative models and Bayes' rule, on a table of p(x, y)."""

from course.equations.cases import joint
from course.equations.entry import Erratum, Holds, check


def parts(p):
    """p(y), p(x) and p(x | y) of a table p[y][x]; all pairs of a class and a value."""
    prior = [sum(row) for row in p]
    evidence = [sum(column) for column in zip(*p, strict=True)]
    given = [[p_xy / p_y for p_xy in row] for row, p_y in zip(p, prior, strict=True)]
    return prior, evidence, given, [(y, x) for y in range(len(p)) for x in range(len(p[0]))]


@check("E53", "fractions", joint)
def joint_probability(p):
    prior, _, given, pairs = parts(p)
    meaning = [p[y][x] for y, x in pairs]
    formula = [given[y][x] * prior[y] for y, x in pairs]
    printed = [given[y][x] * prior[y] / sum(given[k][x] * prior[k] for k in range(len(p))) for y, x in pairs]
    return Erratum(meaning, formula, printed)


@check("E54", "fractions", joint)
def bayes_rule(p):
    prior, evidence, given, pairs = parts(p)
    meaning = [p[y][x] / sum(row[x] for row in p) for y, x in pairs]
    formula = [given[y][x] * prior[y] / evidence[x] for y, x in pairs]
    return Holds(meaning, formula)


@check("E55", "fractions", joint)
def most_probable_class(p):
    prior, evidence, given, _ = parts(p)
    classes, values = range(len(p)), range(len(p[0]))
    meaning = [max(classes, key=lambda y, x=x: p[y][x] / evidence[x]) for x in values]
    formula = [max(classes, key=lambda y, x=x: given[y][x] * prior[y]) for x in values]
    return Holds(meaning, formula)
