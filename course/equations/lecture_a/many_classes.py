"""Logistic regression with more than two classes, compared with the last of them."""

import mpmath

from course.equations.calculus import dot
from course.equations.cases import precise
from course.equations.entry import Holds, Lecture
from course.equations.lecture_a.cases import many_classes

lecture = Lecture("A")
exp = mpmath.exp

MULTICLASS = "slide *What about Multiclass Classification?*"


def softmax_and_differences(x, vectors):
    """Probabilities of four classes from four vectors, and the scores of the first three against the last."""
    weights = [exp(dot(each, x)) for each in vectors]
    scores = [dot([a - b for a, b in zip(each, vectors[-1], strict=True)], x) for each in vectors[:-1]]
    return [each / sum(weights) for each in weights], scores


@lecture.holds(
    "A46a",
    MULTICLASS,
    r"P(Y = j \mid \mathbf x) = \frac{\exp(\boldsymbol\theta_j^\top \mathbf x)}{1 + \sum_{m=1}^{M-1} \exp(\boldsymbol\theta_m^\top \mathbf x)}, \quad j < M",
    "L4",
    method="50 digits",
    case=precise(many_classes),
)
def classes_with_a_vector_of_their_own(x, vectors):
    probabilities, z = softmax_and_differences(x, vectors)
    meaning = probabilities[:-1]
    formula = [exp(z_j) / (1 + sum(exp(z_m) for z_m in z)) for z_j in z]
    return Holds(meaning, formula)


@lecture.holds(
    "A46b",
    MULTICLASS,
    r"P(Y = M \mid \mathbf x) = \frac1{1 + \sum_{m=1}^{M-1} \exp(\boldsymbol\theta_m^\top \mathbf x)}",
    "L4",
    method="50 digits",
    case=precise(many_classes),
)
def class_that_the_others_are_compared_with(x, vectors):
    probabilities, z = softmax_and_differences(x, vectors)
    meaning = probabilities[-1]
    formula = 1 / (1 + sum(exp(z_m) for z_m in z))
    return Holds(meaning, formula)
