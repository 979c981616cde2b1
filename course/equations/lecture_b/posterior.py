"""Bayes' rule for two classes."""

from course.equations.counting import VALUES, argmax, people, share
from course.equations.entry import Holds, check


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
