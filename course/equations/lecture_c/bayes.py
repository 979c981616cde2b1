"""Bayes' theorem, the Bayes classifier, conditional independence."""

from fractions import Fraction
from itertools import product

from course.equations.cases import joint
from course.equations.entry import Holds, check
from course.equations.lecture_c.cases import population, three_variables


@check("C1", "fractions", population)
def share_of_a_class_among_those_with_x(count):
    of_class, of_value = [sum(row) for row in count], [sum(column) for column in zip(*count, strict=True)]
    everyone = sum(of_class)
    p_y, p_x = [Fraction(n, everyone) for n in of_class], [Fraction(n, everyone) for n in of_value]
    p_x_given_y = [[Fraction(n, of_class[y]) for n in row] for y, row in enumerate(count)]
    meaning = [[Fraction(count[y][x], of_value[x]) for x in range(4)] for y in range(3)]
    formula = [[p_x_given_y[y][x] * p_y[y] / p_x[x] for x in range(4)] for y in range(3)]
    return Holds(meaning, formula)


@check("C2", "enumeration", joint)
def no_rule_errs_less_than_the_bayes_classifier(p):
    def error(h):
        return sum(p[y][x] for y in range(3) for x in range(4) if h[x] != y)

    bayes = [max(range(3), key=lambda y, x=x: p[y][x]) for x in range(4)]
    rules = list(product(range(3), repeat=4))
    meaning = {"none is better": True, "error": min(error(h) for h in rules)}
    formula = {"none is better": all(error(bayes) <= error(h) for h in rules), "error": error(bayes)}
    return Holds(meaning, formula)


@check("C3a", "fractions", population)
def share_of_those_with_class_and_value(count):
    of_class = [sum(row) for row in count]
    everyone = sum(of_class)
    p_y = [Fraction(n, everyone) for n in of_class]
    p_x_given_y = [[Fraction(n, of_class[y]) for n in row] for y, row in enumerate(count)]
    meaning = [[Fraction(n, everyone) for n in row] for row in count]
    formula = [[p_y[y] * p_x_given_y[y][x] for x in range(4)] for y in range(3)]
    return Holds(meaning, formula)


@check("C6", "enumeration", three_variables)
def two_forms_of_conditional_independence(independent, dependent):
    def conditional(p):
        """P(x | y, z) = P(x | z) in all cells, by the definition of a conditional probability."""
        return all(
            p[z][x][y] / sum(p[z][i][y] for i in range(3)) == sum(p[z][x]) / sum(map(sum, p[z]))
            for z, x, y in product(range(2), range(3), range(3))
        )

    def given_z(p):
        """For each cell, P(x, y | z), P(x | z) and P(y | z)."""
        for z, x, y in product(range(2), range(3), range(3)):
            p_z = sum(map(sum, p[z]))
            yield p[z][x][y] / p_z, sum(p[z][x]) / p_z, sum(p[z][i][y] for i in range(3)) / p_z

    meaning = [conditional(p) for p in (independent, dependent)]
    formula = [all(xy == x * y for xy, x, y in given_z(p)) for p in (independent, dependent)]
    return Holds(meaning, formula)
