"""Constraints: Lagrangian, primal and dual problem, conditions at the solution."""

import math
from fractions import Fraction
from itertools import product

import mpmath

from course.equations.calculus import derivative, gradient
from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.lecture_a.cases import constraints, projection, two_points


def lowest(parabola):
    """Where a parabola is lowest, or highest if it opens down, from three of its values."""
    left, middle, right = (parabola(t) for t in (-1, 0, 1))
    return (left - right) / (2 * (left - 2 * middle + right))


def nearest(a, b, p, q, c, d=None):
    """The point of the line p w1 + q w2 = c nearest to (a, b), with w1 at most d: w2 is eliminated."""
    w1 = lowest(lambda t: (t - a) ** 2 + ((c - p * t) / q - b) ** 2)
    if d is not None:
        w1 = min(w1, d)
    return w1, (c - p * w1) / q


def cost(a, b, p, q, c, d=None):
    """The squared distance of that point."""
    w1, w2 = nearest(a, b, p, q, c, d)
    return (w1 - a) ** 2 + (w2 - b) ** 2


@check("A56", "fractions", projection)
def lagrangian_is_stationary_at_the_solution(a, b, p, q, c, d):
    w1, w2 = nearest(a, b, p, q, c)
    # The multiplier is what the minimum loses when the constraint moves: h = u in place of h = 0.
    alpha = (cost(a, b, p, q, c - 1) - cost(a, b, p, q, c + 1)) / 2
    meaning = [0, 0, 0]
    formula = [2 * (w1 - a) + alpha * p, 2 * (w2 - b) + alpha * q, p * w1 + q * w2 - c]
    at = 0
    return Conditional(meaning, formula, without=(0, 1 + 2 * alpha * at))


def largest_lagrangian(f, h, g):
    """Largest f + alpha h + beta g with beta >= 0: linear, so at a corner of a box; infinite if it grows with it."""

    def within(size):
        return max(f + alpha * h + beta * g for alpha, beta in product((-size, 0, size), (0, size)))

    return within(10) if within(10) == within(1000) else math.inf


@check("A60a", "enumeration", constraints)
def multipliers_punish_what_is_not_allowed(points):
    meaning = [largest_lagrangian(*point) for point in points]
    formula = [f if h == 0 and g <= 0 else math.inf for f, h, g in points]
    return Holds(meaning, formula)


@check("A60b", "enumeration", constraints)
def constrained_minimum_without_constraints(points):
    meaning = min(f for f, h, g in points if h == 0 and g <= 0)
    formula = min(largest_lagrangian(*point) for point in points)
    return Holds(meaning, formula)


@check("A63", "fractions", two_points)
def dual_is_below_primal(f, g):
    primal = min(f_w for f_w, g_w in zip(f, g, strict=True) if g_w <= 0)
    # The dual function is a minimum of two lines in beta: it is largest at 0 or where they cross.
    crossing = (f[1] - f[0]) / (g[0] - g[1])
    dual = max(min(f[0] + beta * g[0], f[1] + beta * g[1]) for beta in (Fraction(0), crossing))
    meaning = True
    formula = dual <= primal
    printed = primal <= dual
    return Erratum(meaning, formula, printed)


def dual_of_the_projection(a, b, p, q, c, d):
    """Largest value, over alpha and beta >= 0, of the Lagrangian's minimum over w: parabolas all the way."""

    def least_over_w(alpha, beta):
        def lagrangian(w1, w2):
            return (w1 - a) ** 2 + (w2 - b) ** 2 + alpha * (p * w1 + q * w2 - c) + beta * (w1 - d)

        return lagrangian(lowest(lambda t: lagrangian(t, 0)), lowest(lambda t: lagrangian(0, t)))

    def best_alpha(beta):
        return least_over_w(lowest(lambda alpha: least_over_w(alpha, beta)), beta)

    return best_alpha(max(0, lowest(best_alpha)))


def far_away(beta):
    """The Lagrangian of exp(y) + beta (|(x, y)| - x - z) + beta z at a point where it is nearly 0."""
    y, x = mpmath.mpf(-200), mpmath.mpf(10) ** 90
    return mpmath.exp(y) + beta * y**2 / (mpmath.hypot(x, y) + x)


@check("A64", "fractions", projection)
def no_gap_under_slaters_condition(a, b, p, q, c, d):
    meaning = cost(a, b, p, q, c, d)
    formula = dual_of_the_projection(a, b, p, q, c, d)
    # z = 0 leaves y = 0 only. In the dual, alpha = beta (else z makes it minus infinity), and far away little is left.
    without = (mpmath.exp(0), max(far_away(beta) for beta in (0, 1, 100, 10**6)))
    return Conditional(meaning, formula, without)


def solution(a, b, p, q, c, d):
    """w1, w2 and the multipliers: what the minimum loses when h = u, g <= v are allowed, for a small u or v."""
    w1, w2 = nearest(a, b, p, q, c, d)
    alpha = -derivative(lambda u: cost(a, b, p, q, c + u, d), 0)
    beta = -derivative(lambda v: cost(a, b, p, q, c, d + v), 0)
    return w1, w2, alpha, beta


@check("A65a", "differences", projection)
def lagrangian_is_stationary_in_w(a, b, p, q, c, d):
    w1, w2, alpha, beta = solution(a, b, p, q, c, d)
    meaning = gradient(lambda w: (w[0] - a) ** 2 + (w[1] - b) ** 2, [w1, w2])
    formula = [-(alpha * p + beta), -alpha * q]  # what the terms of the constraints must cancel
    return Holds(meaning, formula)


@check("A65b", "differences", projection)
def multiplier_or_constraint_is_zero(a, b, p, q, c, d):
    w1, _, _, beta = solution(a, b, p, q, c, d)
    meaning = 0
    formula = beta * (w1 - d)
    return Holds(meaning, formula)


@check("A65c", "differences", projection)
def solution_is_allowed_and_multiplier_not_negative(a, b, p, q, c, d):
    w1, w2, _, beta = solution(a, b, p, q, c, d)
    meaning = [0, True, True]
    formula = [p * w1 + q * w2 - c, w1 - d <= 0, beta >= 0]
    return Holds(meaning, formula)
