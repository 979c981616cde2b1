"""The discriminative view: from a linear score to a probability; loss, gradient and SGD; more than two classes."""

import math

import mpmath
from mpmath import exp, log

from course.equations.calculus import dot, gradient
from course.equations.entry import Conditional, Holds, check
from course.equations.lecture_d.cases import many_classes, scores


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
    formula = [each - log(exp(each) + exp(0)) for each in h]  # less the summand of both classes
    proportional = [each * meaning[0] / h[0] for each in h]  # the factor that fits the first point
    return Conditional(meaning, formula, without=(meaning, proportional))


@check("D35", "50 digits", scores)
def log_probability_of_class_0(x, y, w, w0, eta):
    h = score(x[:2], w, w0)
    meaning = [log(probability_of_0(each)) for each in h]
    formula = [0 - log(exp(each) + exp(0)) for each in h]  # less the summand of both classes
    return Conditional(meaning, formula, without=(meaning, [0 for _ in h]))


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


def loss(x, y, w, w0):
    """Minus the logarithm of the probability of the classes."""
    rows = zip(score(x, w, w0), y, strict=True)
    return -log(mpmath.fprod(probability_of_1(h) if y_n else probability_of_0(h) for h, y_n in rows))


def sigmoid(h):
    """sigma of D38."""
    return 1 / (1 + exp(-h))


@check("D39b", "50 digits", scores)
def what_is_left_for_class_0(x, y, w, w0, eta):
    h = score(x, w, w0)
    meaning = [{"first": p, "second": p} for p in map(probability_of_0, h)]
    formula = [{"first": 1 - sigmoid(each), "second": 1 / (1 + exp(each))} for each in h]
    return Holds(meaning, formula)


@check("D40b", "50 digits", scores)
def loss_by_powers(x, y, w, w0, eta):
    meaning = loss(x, y, w, w0)
    rows = list(zip(score(x, w, w0), y, strict=True))
    formula = -sum(log(sigmoid(h) ** y_n * (1 - sigmoid(h)) ** (1 - y_n)) for h, y_n in rows)
    return Holds(meaning, formula)


@check("D40c", "50 digits", scores)
def loss_by_scores(x, y, w, w0, eta):
    meaning = loss(x, y, w, w0)
    rows = list(zip(score(x, w, w0), y, strict=True))
    formula = sum(y_n * log(1 + exp(-h)) + (1 - y_n) * log(1 + exp(h)) for h, y_n in rows)
    return Holds(meaning, formula)


@check("D42a", "differences", scores)
def slope_of_the_loss_in_class_1(x, y, w, w0, eta):
    meaning = gradient(lambda v: loss(x[:1], [1], v, w0), w)
    h = score(x, w, w0)[0]
    formula = [-x_j * exp(-h) / (1 + exp(-h)) for x_j in x[0]]
    return Holds(meaning, formula)


@check("D42b", "differences", scores)
def slope_in_class_1_by_the_other_probability(x, y, w, w0, eta):
    h = score(x, w, w0)[0]
    meaning = gradient(lambda v: log(1 + exp(-score(x, v, w0)[0])), w)
    p_0 = probability_of_0(h)
    formula = [-x_j * p_0 for x_j in x[0]]
    return Holds(meaning, formula)


@check("D43a", "differences", scores)
def slope_of_the_loss_in_class_0(x, y, w, w0, eta):
    meaning = gradient(lambda v: loss(x[:1], [0], v, w0), w)
    h = score(x, w, w0)[0]
    formula = [x_j * exp(h) / (1 + exp(h)) for x_j in x[0]]
    return Holds(meaning, formula)


@check("D43b", "differences", scores)
def slope_in_class_0_by_the_other_probability(x, y, w, w0, eta):
    h = score(x, w, w0)[0]
    meaning = gradient(lambda v: log(1 + exp(score(x, v, w0)[0])), w)
    p_1 = probability_of_1(h)
    formula = [x_j * p_1 for x_j in x[0]]
    return Holds(meaning, formula)


@check("D44", "differences", scores)
def gradient_of_the_loss(x, y, w, w0, eta):
    meaning = gradient(lambda v: loss(x, y, v, w0), w)
    h = score(x, w, w0)
    rows = list(zip(x, y, map(probability_of_0, h), map(probability_of_1, h), strict=True))
    formula = [sum(-y_n * x_n[j] * p_0 + (1 - y_n) * x_n[j] * p_1 for x_n, y_n, p_0, p_1 in rows) for j in range(2)]
    return Holds(meaning, formula)


@check("D46a", "differences", scores)
def step_of_sgd_in_class_1(x, y, w, w0, eta):
    slope = gradient(lambda v: loss(x[:1], [1], v, w0), w)
    meaning = [a - eta * b for a, b in zip(w, slope, strict=True)]
    p_0 = probability_of_0(score(x, w, w0)[0])
    formula = [w_j + eta * x_j * p_0 for w_j, x_j in zip(w, x[0], strict=True)]
    return Holds(meaning, formula)


@check("D46b", "differences", scores)
def step_of_sgd_in_class_0(x, y, w, w0, eta):
    slope = gradient(lambda v: loss(x[:1], [0], v, w0), w)
    meaning = [a - eta * b for a, b in zip(w, slope, strict=True)]
    p_1 = probability_of_1(score(x, w, w0)[0])
    formula = [w_j - eta * x_j * p_1 for w_j, x_j in zip(w, x[0], strict=True)]
    return Holds(meaning, formula)


def biased_coin(rng):
    """heads out of four tosses: the feature is 1, and the best weight is the log odds of heads."""
    return {"heads": int(rng.integers(1, 4))}


@check("D47", "enumeration", biased_coin)
def sgd_ends_at_the_maximum(heads):
    def descend(step):
        """2000 steps of D46 through the tosses in turn, with the feature 1."""
        w = 0.0
        for t in range(2000):
            p_1 = 1 / (1 + math.exp(-w))
            w += step(t) * (1 - p_1 if t % 4 < heads else -p_1)
        return w

    best = math.log(heads / (4 - heads))
    w = descend(lambda t: 8 / (t + 8))
    meaning = True
    formula = abs(w - best) <= 0.02
    return Conditional(meaning, formula, without=(True, abs(descend(lambda t: 1) - best) <= 0.02))


@check("D54", "50 digits", many_classes)
def softmax_of_two_classes(w, x):
    weights = [exp(dot(x, of_class)) for of_class in w]
    meaning = weights[0] / sum(weights)
    formula = 1 / (1 + exp(-dot(x, [a - b for a, b in zip(*w, strict=True)])))
    return Holds(meaning, formula)
