"""Logistic regression with more than two classes, compared with the last of them."""

import mpmath

from course.equations.calculus import dot
from course.equations.entry import Holds, check
from course.equations.lecture_a.cases import many_classes

exp = mpmath.exp


def softmax_and_differences(x, vectors):
    """Probabilities of four classes from four vectors, and the scores of the first three against the last."""
    weights = [exp(dot(each, x)) for each in vectors]
    scores = [dot([a - b for a, b in zip(each, vectors[-1], strict=True)], x) for each in vectors[:-1]]
    return [each / sum(weights) for each in weights], scores


@check("A46a", "50 digits", many_classes)
def classes_with_a_vector_of_their_own(x, vectors):
    probabilities, z = softmax_and_differences(x, vectors)
    meaning = probabilities[:-1]
    formula = [exp(z_j) / (1 + sum(exp(z_m) for z_m in z)) for z_j in z]
    return Holds(meaning, formula)


@check("A46b", "50 digits", many_classes)
def class_that_the_others_are_compared_with(x, vectors):
    probabilities, z = softmax_and_differences(x, vectors)
    meaning = probabilities[-1]
    formula = 1 / (1 + sum(exp(z_m) for z_m in z))
    return Holds(meaning, formula)
