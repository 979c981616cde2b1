"""The generative view: class prior, class-conditional distribution, joint likelihood."""

from math import sqrt

import mpmath
import numpy as np
from mpmath import log

from course.equations.entry import Estimate, Holds, check
from course.equations.lecture_c.cases import labelled_points
from course.equations.lecture_d.cases import generator


@check("D2", "simulation", generator)
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


@check("D5", "fractions", generator)
def both_cases_in_one_product(theta, p, seed):
    meaning = {0: 1 - theta, 1: theta}
    formula = {y: theta**y * (1 - theta) ** (1 - y) for y in (0, 1)}
    return Holds(meaning, formula)


@check("D9", "50 digits", labelled_points)
def loss_of_independent_examples(p, x, y):
    p_y = [sum(row) for row in p]
    p_x_given_y = [[each / p_y[b] for each in row] for b, row in enumerate(p)]
    examples = list(zip(x, y, strict=True))
    meaning = -log(mpmath.fprod(p[b][v] for v, b in examples))
    formula = -sum(log(p_y[b]) + log(p_x_given_y[b][v]) for v, b in examples)
    return Holds(meaning, formula)
