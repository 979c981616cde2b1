"""Bayes' rule for two classes."""

from course.equations.counting import VALUES, argmax, people, share
from course.equations.entry import Holds, Lecture

lecture = Lecture("B")
SECTION = "section *Generative Learning Algorithm*"


@lecture.holds(
    "B1",
    SECTION + ", display 1",
    r"p(y \mid \mathbf x) = \frac{p(\mathbf x \mid y)\, p(y)}{p(\mathbf x)}",
    "F2",
    method="fractions",
    case=people(2),
)
def bayes_rule_by_counting(rows):
    meaning = [share(rows, {"y": y}, {"x": x}) for y in (0, 1) for x in VALUES]
    formula = [
        share(rows, {"x": x}, {"y": y}) * share(rows, {"y": y}) / share(rows, {"x": x}) for y in (0, 1) for x in VALUES
    ]
    return Holds(meaning, formula)


@lecture.holds(
    "B2",
    SECTION + ", below display 1",
    r"p(\mathbf x) = p(\mathbf x \mid y = 1)\, p(y = 1) + p(\mathbf x \mid y = 0)\, p(y = 0)",
    "F2",
    method="fractions",
    case=people(2),
)
def evidence_of_two_classes(rows):
    meaning = [share(rows, {"x": x}) for x in VALUES]
    one, zero = {"y": 1}, {"y": 0}
    formula = [
        share(rows, {"x": x}, one) * share(rows, one) + share(rows, {"x": x}, zero) * share(rows, zero) for x in VALUES
    ]
    return Holds(meaning, formula)


@lecture.holds(
    "B3a",
    SECTION + ", display 2",
    r"\arg\max_y p(y \mid \mathbf x) = \arg\max_y \frac{p(\mathbf x \mid y)\, p(y)}{p(\mathbf x)}",
    "F2",
    method="fractions",
    case=people(2),
)
def most_probable_class_by_bayes_rule(rows):
    meaning = [argmax([share(rows, {"y": y}, {"x": x}) for y in (0, 1)]) for x in VALUES]
    evidence = {x: share(rows, {"x": x}) for x in VALUES}
    by_rule = {
        (x, y): share(rows, {"x": x}, {"y": y}) * share(rows, {"y": y}) / evidence[x] for x in VALUES for y in (0, 1)
    }
    formula = [argmax([by_rule[x, y] for y in (0, 1)]) for x in VALUES]
    return Holds(meaning, formula)


@lecture.holds(
    "B3b",
    SECTION + ", display 2",
    r"\arg\max_y \frac{p(\mathbf x \mid y)\, p(y)}{p(\mathbf x)} = \arg\max_y p(\mathbf x \mid y)\, p(y)",
    "F2",
    method="fractions",
    case=people(2),
)
def most_probable_class_without_the_evidence(rows):
    meaning = [argmax([share(rows, {"y": y}, {"x": x}) for y in (0, 1)]) for x in VALUES]
    formula = [argmax([share(rows, {"x": x}, {"y": y}) * share(rows, {"y": y}) for y in (0, 1)]) for x in VALUES]
    return Holds(meaning, formula)
