"""Random cases of lecture C: tables of three variables, normal classes, steps of descent, scores of moderate size."""

from fractions import Fraction

import numpy as np

from course.equations.cases import distribution, fraction, fractions, probability, regression


def population(rng: np.random.Generator) -> dict:
    """count : how many of each class (three rows) have each value of x (four columns)."""
    return {"count": [[int(each) for each in rng.integers(1, 30, 4)] for _ in range(3)]}


def three_variables(rng: np.random.Generator) -> dict:
    """Two tables p[z][x][y]: x and y independent given z in `independent`, not in `dependent`."""
    p_z = distribution(rng, 2)
    p_x, p_y = ([distribution(rng, 3) for _ in p_z] for _ in range(2))
    independent = [[[p_z[z] * p_x[z][x] * p_y[z][y] for y in range(3)] for x in range(3)] for z in range(2)]
    flat = iter(distribution(rng, 18))
    return {"independent": independent, "dependent": [[[next(flat) for _ in range(3)] for _ in range(3)] for _ in p_z]}


def labelled_points(rng: np.random.Generator) -> dict:
    """p : a joint distribution p[y][x] of two classes and three values; three examples (x, y)."""
    flat = distribution(rng, 6)
    x = [int(each) for each in rng.integers(0, 3, 3)]
    return {"p": [flat[:3], flat[3:]], "x": x, "y": [int(each) for each in rng.integers(0, 2, 3)]}


def one_feature(rng: np.random.Generator) -> dict:
    """Three normal classes on a line with one variance: pi, mu, sigma; a point x."""
    return {"pi": distribution(rng, 3), "mu": fractions(rng, 3), "sigma": fraction(rng, 7, 20), "x": fraction(rng)}


def normal_classes(rng: np.random.Generator) -> dict:
    """Two normal classes in the plane: pi, mu, and lower triangles L with covariances L L'; a point x."""
    lower = [[[fraction(rng, 4, 14), Fraction(0)], [fraction(rng, -9, 9), fraction(rng, 4, 14)]] for _ in range(2)]
    return {"pi": distribution(rng, 2), "mu": fractions(rng, 2, 2), "lower": lower, "x": fractions(rng, 2)}


def naive_classes(rng: np.random.Generator) -> dict:
    """Three classes of two independent normal features: pi, mu[k][j], sigma[k][j]; a point x."""
    sigma = [[fraction(rng, 7, 20) for _ in range(2)] for _ in range(3)]
    return {"pi": distribution(rng, 3), "mu": fractions(rng, 3, 2), "sigma": sigma, "x": fractions(rng, 2)}


def independent_features(rng: np.random.Generator) -> dict:
    """pi : probabilities of two classes; features[j][y] : equally likely values of feature j in class y, one is 0."""
    features = [[[0, *(int(each) for each in rng.integers(0, 3, 3))] for _ in range(2)] for _ in range(3)]
    return {"pi": distribution(rng, 2), "features": features}


def shared_variances(rng: np.random.Generator) -> dict:
    """Three classes of two independent normal features with variances sigma[j]^2 of all classes; a point x."""
    return {**naive_classes(rng), "sigma": [fraction(rng, 7, 20) for _ in range(2)]}


def descent(rng: np.random.Generator) -> dict:
    """A regression (five rows, three features), weights theta, and a step alpha."""
    case = regression(rng)
    return {"x": case["x"], "y": case["y"], "theta": case["theta"], "alpha": probability(rng)}


def moderate_scores(rng: np.random.Generator) -> dict:
    """Two classes, four rows of three features, the first 1; scores theta'x so small that no probability is near 0."""
    y = [0, 1, *(int(each) for each in rng.integers(0, 2, 2))]
    x = [[Fraction(1), fraction(rng, over=15), fraction(rng, over=15)] for _ in y]
    return {"x": x, "y": y, "theta": [fraction(rng, over=20) for _ in range(3)]}


def two_thetas(rng: np.random.Generator) -> dict:
    """As moderate_scores, with a second vector of weights, and t between 0 and 1."""
    return {**moderate_scores(rng), "other": [fraction(rng, over=20) for _ in range(3)], "t": probability(rng)}


def parabola(rng: np.random.Generator) -> dict:
    """l(theta) = height - bend (theta - top)^2, which is largest at top; a start theta."""
    return {"top": fraction(rng), "bend": fraction(rng, 1, 20), "height": fraction(rng), "theta": fraction(rng, 21, 40)}


def paraboloid(rng: np.random.Generator) -> dict:
    """l(theta) = -(theta - top)' L L' (theta - top) in the plane; a start theta."""
    lower = [[fraction(rng, 4, 14), Fraction(0)], [fraction(rng, -9, 9), fraction(rng, 4, 14)]]
    return {"top": fractions(rng, 2), "lower": lower, "theta": [fraction(rng, 21, 40) for _ in range(2)]}
