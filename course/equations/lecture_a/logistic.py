"""Logistic regression: from linear regression to the probabilities of two classes."""

import mpmath

from course.equations.calculus import derivative, dot
from course.equations.cases import precise, two_classes
from course.equations.entry import Holds, Lecture
from course.equations.lecture_a.cases import number

lecture = Lecture("A")
exp = mpmath.exp

REGRESSIONS = "slide *Linear Regression VS. Logistic Regression*"
TWO_CLASSES = "slide *Modeling Probabilities of Two Classes*"

lecture.definition(
    "A27",
    REGRESSIONS,
    r"y = \boldsymbol\theta^\top \mathbf x = \theta_0 + \theta_1 x_1 + \dots + \theta_p x_p",
    "R1",
    "the prediction, with a constant feature 1 in x; the answer itself varies about it, as the next line says",
)
lecture.definition(
    "A28",
    REGRESSIONS + " and *Recall Linear Regression and Logistic Regression*",
    r"y \mid \mathbf x, \boldsymbol\theta \sim N(\boldsymbol\theta^\top \mathbf x, \sigma^2)",
    "R3",
)
lecture.definition(
    "A29",
    REGRESSIONS,
    r"P(Y = j \mid \mathbf x, \boldsymbol\theta) \in [0, 1], \quad \sum_j P(Y = j \mid \mathbf x, \boldsymbol\theta) = 1",
    "L4",
)
lecture.definition("A30", "slide *Logistic Function*", r"\sigma(z) = \frac1{1 + e^{-z}}", "L1")


def sigma(z):
    """The logistic function, by a formula that is not in the lecture."""
    return (1 + mpmath.tanh(z / 2)) / 2


@lecture.holds(
    "A31",
    "slide *Logistic Function*, note",
    r"\sigma'(z) = \sigma(z)\, (1 - \sigma(z))",
    "L1",
    method="differences",
    case=precise(number),
)
def slope_of_the_logistic_function(z):
    meaning = derivative(lambda t: 1 / (1 + exp(-t)), z)
    formula = sigma(z) * (1 - sigma(z))
    return Holds(meaning, formula)


lecture.definition(
    "A32a",
    TWO_CLASSES,
    r"P(Y = 1 \mid \mathbf x, \boldsymbol\theta) = \sigma(\boldsymbol\theta^\top \mathbf x) = \frac1{1 + \exp(-\boldsymbol\theta^\top \mathbf x)}",
    "L1",
)


@lecture.holds(
    "A32b",
    TWO_CLASSES,
    r"P(Y = 1 \mid \mathbf x, \boldsymbol\theta) = \frac{\exp(\boldsymbol\theta^\top \mathbf x)}{1 + \exp(\boldsymbol\theta^\top \mathbf x)}",
    "L1",
    method="50 digits",
    case=precise(number),
)
def class_1_by_growing_exponentials(z):
    meaning = sigma(z)
    formula = exp(z) / (1 + exp(z))
    return Holds(meaning, formula)


@lecture.holds(
    "A33a",
    TWO_CLASSES,
    r"P(Y = 0 \mid \mathbf x, \boldsymbol\theta) = 1 - \sigma(\boldsymbol\theta^\top \mathbf x) = \frac{\exp(-\boldsymbol\theta^\top \mathbf x)}{1 + \exp(-\boldsymbol\theta^\top \mathbf x)}",
    "L1",
    method="50 digits",
    case=precise(number),
)
def class_0_by_falling_exponentials(z):
    meaning = 1 - sigma(z)
    formula = exp(-z) / (1 + exp(-z))
    return Holds(meaning, formula)


@lecture.holds(
    "A33b",
    TWO_CLASSES,
    r"P(Y = 0 \mid \mathbf x, \boldsymbol\theta) = \frac1{1 + \exp(\boldsymbol\theta^\top \mathbf x)}",
    "L1",
    method="50 digits",
    case=precise(number),
)
def class_0_by_growing_exponentials(z):
    meaning = 1 - sigma(z)
    formula = 1 / (1 + exp(z))
    return Holds(meaning, formula)


lecture.definition("A34", TWO_CLASSES, r"\boldsymbol\theta = (\theta_0, \theta_1, \dots, \theta_p)^\top", "L1")
lecture.definition(
    "A35",
    TWO_CLASSES + " and *Recall Linear Regression and Logistic Regression*",
    r"y \mid \mathbf x, \boldsymbol\theta \sim \text{Bernoulli}(\sigma(\boldsymbol\theta^\top \mathbf x))",
    "L1",
)


@lecture.holds(
    "A36",
    "slide *The 1-d Situation*",
    r"P(Y = 1 \mid x, \theta_0, \theta_1) = \sigma(\theta_1 x + \theta_0)",
    "L1",
    method="50 digits",
    case=precise(two_classes),
)
def one_feature_and_a_constant(x, y, theta):
    weights = theta[:2]
    meaning = [sigma(dot(weights, row[:2])) for row in x]
    values, theta_0, theta_1 = [row[1] for row in x], *weights
    formula = [sigma(theta_1 * value + theta_0) for value in values]
    return Holds(meaning, formula)


@lecture.holds(
    "A37",
    "slide *Classification Assuming Parameters are Given: Inference*",
    r"\text{class } 1 \text{ if } \sigma(\boldsymbol\theta^\top \mathbf x) > 0.5, \text{ otherwise class } 0",
    "L1",
    method="50 digits",
    case=precise(two_classes),
)
def the_rule_errs_least(x, y, theta):
    def errs(answer, row):
        odds = {0: mpmath.mpf(1), 1: exp(dot(theta, row))}
        return sum(odds[label] for label in odds if label != answer) / sum(odds.values())

    meaning = [errs(1, row) < errs(0, row) for row in x]
    formula = [sigma(dot(theta, row)) > 0.5 for row in x]
    return Holds(meaning, formula)
