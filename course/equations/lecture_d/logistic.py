"""Logistic regression: loss, gradient, and stochastic gradient descent."""

import math

import mpmath
from mpmath import exp, log

from course.equations.calculus import gradient
from course.equations.cases import precise
from course.equations.entry import Conditional, Holds, Lecture
from course.equations.lecture_d.cases import scores
from course.equations.lecture_d.discriminative import probability_of_0, probability_of_1, score

lecture = Lecture("D")


def loss(x, y, w, w0):
    """Minus the logarithm of the probability of the classes."""
    rows = zip(score(x, w, w0), y, strict=True)
    return -log(mpmath.fprod(probability_of_1(h) if y_n else probability_of_0(h) for h, y_n in rows))


def sigmoid(h):
    """sigma of D38."""
    return 1 / (1 + exp(-h))


lecture.definition(
    "D39a",
    "slides *Logistic regression*, display 1; *Fitting model*",
    r"p(y = 1 \mid \mathbf x; \mathbf w) = \sigma(\mathbf w^\top \mathbf x + w_0)",
    "L1",
    "the model",
)


@lecture.holds(
    "D39b",
    "slides *Logistic regression*, display 2; *Fitting model*",
    r"p(y = 0 \mid \mathbf x; \mathbf w) = 1 - \sigma(\mathbf w^\top \mathbf x + w_0) = (1 + \exp h)^{-1}",
    "L1",
    method="50 digits",
    case=precise(scores),
)
def what_is_left_for_class_0(x, y, w, w0, eta):
    h = score(x, w, w0)
    meaning = [{"first": p, "second": p} for p in map(probability_of_0, h)]
    formula = [{"first": 1 - sigmoid(each), "second": 1 / (1 + exp(each))} for each in h]
    return Holds(meaning, formula)


lecture.definition(
    "D40a",
    "slide *Fitting model*, loss, first form",
    r"\mathcal L(\mathbf w) = -\sum_n \ln p(y_n \mid \mathbf x_n; \mathbf w)",
    "L2",
)


@lecture.holds(
    "D40b",
    "slide *Fitting model*, loss, second form",
    r"\mathcal L(\mathbf w) = -\sum_n \ln \sigma(h_n)^{y_n} (1 - \sigma(h_n))^{1 - y_n}",
    "L2",
    method="50 digits",
    case=precise(scores),
)
def loss_by_powers(x, y, w, w0, eta):
    meaning = loss(x, y, w, w0)
    rows = list(zip(score(x, w, w0), y, strict=True))
    formula = -sum(log(sigmoid(h) ** y_n * (1 - sigmoid(h)) ** (1 - y_n)) for h, y_n in rows)
    return Holds(meaning, formula)


@lecture.holds(
    "D40c",
    "slides *Fitting model*, loss, third form; *Likelihood and estimation*, reminder",
    r"\mathcal L(\mathbf w) = \sum_n y_n \ln(1 + \exp(-h_n)) + (1 - y_n) \ln(1 + \exp h_n)",
    "L2",
    method="50 digits",
    case=precise(scores),
)
def loss_by_scores(x, y, w, w0, eta):
    meaning = loss(x, y, w, w0)
    rows = list(zip(score(x, w, w0), y, strict=True))
    formula = sum(y_n * log(1 + exp(-h)) + (1 - y_n) * log(1 + exp(h)) for h, y_n in rows)
    return Holds(meaning, formula)


lecture.definition(
    "D41", "slide *Likelihood and estimation*, reminder", r"h_n = \mathbf w^\top \mathbf x_n + w_0", "L2"
)


@lecture.holds(
    "D42a",
    "slide *Likelihood and estimation*, gradient 1, first form",
    r"\frac\partial{\partial \mathbf w} \ln(1 + \exp(-h_n)) = -\mathbf x_n \frac{\exp(-h_n)}{1 + \exp(-h_n)}",
    "L2",
    method="differences",
    case=precise(scores),
)
def slope_of_the_loss_in_class_1(x, y, w, w0, eta):
    meaning = gradient(lambda v: loss(x[:1], [1], v, w0), w)
    h = score(x, w, w0)[0]
    formula = [-x_j * exp(-h) / (1 + exp(-h)) for x_j in x[0]]
    return Holds(meaning, formula)


@lecture.holds(
    "D42b",
    "slide *Likelihood and estimation*, gradient 1, second form",
    r"\frac\partial{\partial \mathbf w} \ln(1 + \exp(-h_n)) = -\mathbf x_n\, p(y_n = 0 \mid \mathbf x_n)",
    "L2",
    "the slide leaves out the index of x under the probability, here and in the next gradient; it is that of the example",
    method="differences",
    case=precise(scores),
)
def slope_in_class_1_by_the_other_probability(x, y, w, w0, eta):
    h = score(x, w, w0)[0]
    meaning = gradient(lambda v: log(1 + exp(-score(x, v, w0)[0])), w)
    p_0 = probability_of_0(h)
    formula = [-x_j * p_0 for x_j in x[0]]
    return Holds(meaning, formula)


@lecture.holds(
    "D43a",
    "slide *Likelihood and estimation*, gradient 2, first form",
    r"\frac\partial{\partial \mathbf w} \ln(1 + \exp h_n) = \mathbf x_n \frac{\exp h_n}{1 + \exp h_n}",
    "L2",
    method="differences",
    case=precise(scores),
)
def slope_of_the_loss_in_class_0(x, y, w, w0, eta):
    meaning = gradient(lambda v: loss(x[:1], [0], v, w0), w)
    h = score(x, w, w0)[0]
    formula = [x_j * exp(h) / (1 + exp(h)) for x_j in x[0]]
    return Holds(meaning, formula)


@lecture.holds(
    "D43b",
    "slide *Likelihood and estimation*, gradient 2, second form",
    r"\frac\partial{\partial \mathbf w} \ln(1 + \exp h_n) = \mathbf x_n\, p(y_n = 1 \mid \mathbf x_n)",
    "L2",
    method="differences",
    case=precise(scores),
)
def slope_in_class_0_by_the_other_probability(x, y, w, w0, eta):
    h = score(x, w, w0)[0]
    meaning = gradient(lambda v: log(1 + exp(score(x, v, w0)[0])), w)
    p_1 = probability_of_1(h)
    formula = [x_j * p_1 for x_j in x[0]]
    return Holds(meaning, formula)


@lecture.holds(
    "D44",
    "slide *Likelihood and estimation*, gradient 3",
    r"\frac\partial{\partial \mathbf w} \mathcal L(\mathbf w) = \sum_n -y_n \mathbf x_n\, p(y_n = 0 \mid \mathbf x_n) + "
    r"(1 - y_n)\, \mathbf x_n\, p(y_n = 1 \mid \mathbf x_n)",
    "L2",
    method="differences",
    case=precise(scores),
)
def gradient_of_the_loss(x, y, w, w0, eta):
    meaning = gradient(lambda v: loss(x, y, v, w0), w)
    h = score(x, w, w0)
    rows = list(zip(x, y, map(probability_of_0, h), map(probability_of_1, h), strict=True))
    formula = [sum(-y_n * x_n[j] * p_0 + (1 - y_n) * x_n[j] * p_1 for x_n, y_n, p_0, p_1 in rows) for j in range(2)]
    return Holds(meaning, formula)


lecture.definition(
    "D45",
    "slide *Recall: perceptron algorithm*",
    r"\text{if } y_n \ne \hat y_n: \; \mathbf w \leftarrow \mathbf w \pm \eta\, \mathbf x_n",
    "L5",
    "the algorithm; plus for class 1",
)


@lecture.holds(
    "D46a",
    "slide *SGD on logistic regression*, class 1",
    r"y_n = 1: \; \mathbf w \leftarrow \mathbf w + \eta\, \mathbf x_n\, p(y_n = 0 \mid \mathbf x_n)",
    "L3",
    method="differences",
    case=precise(scores),
)
def step_of_sgd_in_class_1(x, y, w, w0, eta):
    slope = gradient(lambda v: loss(x[:1], [1], v, w0), w)
    meaning = [a - eta * b for a, b in zip(w, slope, strict=True)]
    p_0 = probability_of_0(score(x, w, w0)[0])
    formula = [w_j + eta * x_j * p_0 for w_j, x_j in zip(w, x[0], strict=True)]
    return Holds(meaning, formula)


@lecture.holds(
    "D46b",
    "slide *SGD on logistic regression*, class 0",
    r"y_n = 0: \; \mathbf w \leftarrow \mathbf w - \eta\, \mathbf x_n\, p(y_n = 1 \mid \mathbf x_n)",
    "L3",
    method="differences",
    case=precise(scores),
)
def step_of_sgd_in_class_0(x, y, w, w0, eta):
    slope = gradient(lambda v: loss(x[:1], [0], v, w0), w)
    meaning = [a - eta * b for a, b in zip(w, slope, strict=True)]
    p_1 = probability_of_1(score(x, w, w0)[0])
    formula = [w_j - eta * x_j * p_1 for w_j, x_j in zip(w, x[0], strict=True)]
    return Holds(meaning, formula)


def biased_coin(rng):
    """heads out of four tosses: the feature is 1, and the best weight is the log odds of heads."""
    return {"heads": int(rng.integers(1, 4))}


@lecture.condition(
    "D47",
    "slide *SGD on logistic regression*, guarantee",
    r"\mathbf w^t \to \arg\max_{\mathbf w} \prod_n p(y_n \mid \mathbf x_n; \mathbf w)",
    "L3",
    "if the steps shrink like 1/t, and a maximum exists (no line separates the classes): with steps of 1 the weight of a constant feature, "
    "for four tosses of a coin, is still going around its best value after 2000 steps",
    method="enumeration",
    case=biased_coin,
)
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
