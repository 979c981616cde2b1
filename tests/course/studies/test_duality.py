"""Each dual value is the smallest Lagrangian, and three roads lead to the same largest margin.

Without this, the note on duality could draw a bound that is none, and nobody would see it in the figure.
"""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.svm import SVC

from course.studies.duality import double_well, figures, multinomial
from course.studies.duality.kkt import residuals
from course.studies.duality.largest_margin import by_active_set, by_program, conditions
from course.studies.duality.pair_ascent import pair_ascent
from course.studies.duality.scenes import solved
from course.studies.perceptron_hinge_logistic.novikoff import widest_margin
from course.studies.perceptron_hinge_logistic.scenes import separable

# The double well


@pytest.mark.parametrize("beta", [0.0, 0.1, 0.25, 0.4, 1.5])
def test_dual_of_the_double_well_is_the_smallest_lagrangian(beta):
    w = np.linspace(-3, 3, 600_001)
    assert np.isclose(double_well.dual(beta), (double_well.objective(w) - beta * w).min(), atol=1e-9)


def test_primal_of_the_double_well():
    w, value = double_well.primal()
    found = minimize_scalar(double_well.objective, bounds=(0, 2), method="bounded", options={"xatol": 1e-10})
    assert np.isclose(w, found.x, atol=1e-6)
    assert np.isclose(value, found.fun, atol=1e-12)
    assert value - double_well.dual(0.25) > 0.2


# The multinomial estimate


def test_multinomial_dual_is_the_smallest_lagrangian():
    counts, alpha = np.array([5, 2, 1]), 6.5
    each = [
        minimize_scalar(lambda p, N=N: -N * np.log(p) + alpha * p, bounds=(1e-6, 5), method="bounded") for N in counts
    ]
    assert np.isclose(multinomial.dual(alpha, counts), sum(one.fun for one in each) - alpha, atol=1e-8)
    assert multinomial.dual(-1.0, counts) == -np.inf


def test_multinomial_values_meet_also_with_zero_counts():
    for counts in ([5, 2, 1], [7, 3, 0], [4, 0, 0]):
        N = np.array(counts)
        assert np.isclose(multinomial.dual(N.sum(), N), multinomial.primal(N / N.sum(), N), atol=1e-12)
        assert multinomial.dual(N.sum() + 0.5, N) < multinomial.dual(N.sum(), N)
    assert np.isclose(multinomial.divergence([0.5, 0.5, 0], [0.25, 0.5, 0.25]), 0.5 * np.log(2))
    with pytest.raises(ValueError, match="not all 0"):
        multinomial.dual(1.0, [0, 0])


# The conditions


def test_each_residual_sees_its_own_condition():
    good = {
        "gradient": [2.0, 0.0],
        "constraint": [0.0, -1.0],
        "jacobian": [[-1.0, 0.0], [0.0, 1.0]],
        "beta": [2.0, 0.0],
    }
    assert residuals(**good).largest == 0
    assert residuals(**{**good, "gradient": [2.5, 0.0]}) == (0.5, 0, 0, 0)
    assert residuals(**{**good, "constraint": [0.0, -1.0], "beta": [2.0, 0.25]}).slackness == 0.25
    assert residuals(**{**good, "constraint": [0.0, 0.75]}).feasibility == 0.75
    assert residuals(**{**good, "beta": [2.0, -0.5]}).sign == 0.5
    with pytest.raises(ValueError, match="received"):
        residuals([1.0], [0.0], [[1.0, 2.0]], [0.0])


# The largest margin

SIX = [(1, 3), (4, 4), (2, 5), (1, 0), (3, 1), (4, 0)]
SIGNS = [1, 1, 1, -1, -1, -1]


def test_six_points_exactly():
    found = by_active_set(SIX, SIGNS)
    assert found.w == [Fraction(-1, 4), Fraction(3, 4)]
    assert found.b == -1
    assert found.beta == [Fraction(3, 16), Fraction(1, 8), 0, 0, Fraction(5, 16), 0]
    X, y = np.array(SIX, dtype=float), np.array(SIGNS, dtype=float)
    exact = (np.array(each, dtype=float) for each in (found.w, found.b, found.beta))
    assert conditions(X, y, *exact).largest < 1e-15


@pytest.mark.parametrize("seed", range(6))
def test_three_roads_to_the_largest_margin(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, size=(8, 2))
    y = np.where(X[:, 0] + 2 * X[:, 1] > 0, 1, -1)
    y[0], X[0] = 1, (6, 6)
    y[1], X[1] = -1, (-6, -6)
    X = X + 2 * y[:, None]
    exact = by_active_set(X.tolist(), y.tolist())
    ascent = pair_ascent(X, y)
    w, b = by_program(X.astype(float), y.astype(float))
    expected = np.array([*exact.w, exact.b], dtype=float)
    assert np.allclose([*ascent.w, ascent.b], expected, atol=1e-5)
    assert np.allclose([*w, b], expected, atol=1e-5)
    peer = SVC(kernel="linear", C=1e8, tol=1e-10).fit(X, y)
    assert np.allclose([*peer.coef_[0], peer.intercept_[0]], expected, atol=1e-4)
    half = float(sum(c * c for c in exact.w)) / 2
    assert (ascent.dual <= half * (1 + 1e-12)).all()
    assert (ascent.primal >= half * (1 - 1e-12)).all()
    assert np.isclose(float(sum(exact.beta)) - half, half)


def test_ascent_keeps_to_the_constraints():
    scene = separable(30, 0.6, np.random.default_rng(7))
    found = pair_ascent(scene.X, scene.y, tolerance=1e-10)
    assert found.beta.min() >= 0
    assert abs(found.beta @ scene.y) < 1e-9 * found.beta.sum()
    assert np.allclose(found.w, (found.beta * scene.y) @ scene.X)
    assert (np.diff(found.dual) > -1e-12).all()
    # about the centre between the classes the intercept is 0, and a margin through the origin is the margin
    moved = scene.X + found.b * found.w / (found.w @ found.w)
    assert np.isclose(widest_margin(moved, scene.y).gamma, 1 / np.linalg.norm(found.w), rtol=1e-4)


def test_margin_of_classes_that_no_line_separates():
    X, y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([1.0, 1.0, -1.0, -1.0])
    with pytest.raises(ValueError, match="sweeps"):
        pair_ascent(X, y, max_sweeps=50)
    with pytest.raises(ValueError, match="no line"):
        by_active_set(X.astype(int).tolist(), y.astype(int).tolist())
    with pytest.raises(ValueError, match="no line"):
        by_program(X, y)
    with pytest.raises(ValueError, match="-1 and 1"):
        pair_ascent(X, np.ones(4))


def test_scenes_are_those_of_the_seed_and_both_roads_agree():
    found = solved(5, 12, 3)
    assert set(found.supports) <= {2, 3}
    assert found.apart < 1e-4
    assert found.residual < 1e-4
    assert solved(5, 12, 3) == found
    assert solved(5, 12, 4) != found


def test_bounds_are_named_in_the_alternative_text():
    picture = figures.bounds({"α = 2": 2.112}, {"uniform": 11.09}, 7.202)
    assert "α = 2 2.11; uniform 11.09" in picture.alt
    assert "reach 7.202" in picture.alt
