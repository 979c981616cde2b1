"""More than two classes."""

from mpmath import exp

from course.equations.calculus import dot
from course.equations.entry import Holds, check
from course.equations.lecture_d.cases import many_classes


@check("D54", "50 digits", many_classes)
def softmax_of_two_classes(w, x):
    weights = [exp(dot(x, of_class)) for of_class in w]
    meaning = weights[0] / sum(weights)
    formula = 1 / (1 + exp(-dot(x, [a - b for a, b in zip(*w, strict=True)])))
    return Holds(meaning, formula)
