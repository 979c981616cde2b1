"""The generative view: class prior, class-conditional distribution, joint likelihood."""

from math import sqrt

import mpmath
import numpy as np
from mpmath import log

from course.equations.cases import precise
from course.equations.entry import Estimate, Holds, Lecture
from course.equations.lecture_c.cases import labelled_points
from course.equations.lecture_d.cases import generator

lecture = Lecture("D")
lecture.definition("D1", "slide *Last class: binary classification*", r"\mathcal Y = \{-1, 1\}", "L5")


@lecture.holds(
    "D2",
    "slide *Generative classification view*, display 1",
    r"p(\mathbf x, y) = p(y)\, p(\mathbf x \mid y)",
    "F1",
    "the check draws 20000 classes, and a feature for each, as the slide says, and counts",
    method="simulation",
    case=generator,
)
def class_first_then_features(theta, p, seed):
    rng, draws = np.random.default_rng(seed), 20000
    y = (rng.random(draws) < float(theta)).astype(int)
    below = np.cumsum(np.array(p, dtype=float), axis=1)[y]
    x = np.sum(rng.random(draws)[:, None] > below[:, :2], axis=1)
    counted = [[float(np.mean((y == b) & (x == v))) for v in range(3)] for b in range(2)]
    meaning = [[Estimate(share, sqrt(share * (1 - share) / draws)) for share in row] for row in counted]
    p_y = [1 - theta, theta]
    formula = [[p_y[b] * p[b][v] for v in range(3)] for b in range(2)]
    return Holds(meaning, formula)


lecture.definition("D3", "slide *Generative classification view*, display 2", r"\mathcal Y = \{0, 1\}", "F1")
lecture.definition(
    "D4",
    "slide *Class probability*, display 1",
    r"p(y = 1; \theta) = \theta \quad \text{and} \quad p(y = 0; \theta) = 1 - \theta",
    "P1",
)


@lecture.holds(
    "D5",
    "slide *Class probability*, display 2",
    r"p(y; \theta) = \theta^y (1 - \theta)^{1-y}",
    "P1",
    method="fractions",
    case=generator,
)
def both_cases_in_one_product(theta, p, seed):
    meaning = {0: 1 - theta, 1: theta}
    formula = {y: theta**y * (1 - theta) ** (1 - y) for y in (0, 1)}
    return Holds(meaning, formula)


lecture.definition(
    "D6",
    "slide *Class-conditional probability*, display 1",
    r"p(\mathbf x \mid y, \mathbf w_0, \mathbf w_1)",
    "G2",
)
lecture.definition(
    "D7a",
    "slide *Class-conditional probability*, display 2",
    r"p(\mathbf x \mid y = 0; \boldsymbol\mu_0, \Sigma_0, \boldsymbol\mu_1, \Sigma_1) = \mathcal N(\mathbf x \mid \boldsymbol\mu_0, \Sigma_0)",
    "G3",
    "an assumption about the data",
)
lecture.definition(
    "D7b",
    "slide *Class-conditional probability*, display 3",
    r"p(\mathbf x \mid y = 1; \boldsymbol\mu_0, \Sigma_0, \boldsymbol\mu_1, \Sigma_1) = \mathcal N(\mathbf x \mid \boldsymbol\mu_1, \Sigma_1)",
    "G3",
    "an assumption about the data",
)
lecture.definition(
    "D8",
    "slide *Class-conditional probability*, display 4",
    r"p(\mathbf x \mid y; \boldsymbol\pi_0, \boldsymbol\pi_1)",
    "N1",
)


@lecture.holds(
    "D9",
    "slide *Maximum likelihood*",
    r"\min \mathcal L(\boldsymbol\pi_0, \boldsymbol\pi_1, \theta) = "
    r"\min -\sum_n \bigl(\ln p(y_n; \theta) + \ln p(\mathbf x_n \mid y_n; \boldsymbol\pi_0, \boldsymbol\pi_1)\bigr)",
    "F1",
    "the loss is minus the logarithm of the probability of the data",
    method="50 digits",
    case=precise(labelled_points),
)
def loss_of_independent_examples(p, x, y):
    p_y = [sum(row) for row in p]
    p_x_given_y = [[each / p_y[b] for each in row] for b, row in enumerate(p)]
    examples = list(zip(x, y, strict=True))
    meaning = -log(mpmath.fprod(p[b][v] for v, b in examples))
    formula = -sum(log(p_y[b]) + log(p_x_given_y[b][v]) for v, b in examples)
    return Holds(meaning, formula)
