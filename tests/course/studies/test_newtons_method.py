"""Gradient descent and Newton's method: a bowl, a parabola, coordinates, separable classes, costs; against oracles."""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from course import datasets
from course.studies.newtons_method import bowl, separated
from course.studies.newtons_method.glucose import Glucose
from course.studies.newtons_method.scaling import fitted_terms, flops_per_iteration, local_exponents
from course.studies.races.women import Women
from probml.linear_model.separation import separation
from probml.losses import Logistic
from probml.objectives import LinearObjective
from probml.solvers import gradient_descent, newton


@pytest.fixture(scope="module")
def women():
    return Women.of(datasets.load("pima"))


@pytest.fixture(scope="module")
def glucose(women):
    return Glucose.of(women)


def test_zig_zag_is_a_geometric_sequence():
    k = np.arange(17)
    expected = np.column_stack([9 * 0.8**k, (-0.8) ** k])
    np.testing.assert_allclose(bowl.gradient_path(0.2, 16), expected)
    np.testing.assert_allclose(bowl.value(expected), 45 * 0.64**k)
    # the fixed step is also the exact one: F along the gradient has its minimum there
    along = minimize_scalar(lambda t: float(bowl.value(bowl.START - t * bowl.HESSIAN @ bowl.START)))
    assert along.x == pytest.approx(0.2)


def test_conjugate_gradients_need_two_steps_in_the_plane():
    path = bowl.conjugate_path(2)
    np.testing.assert_allclose(path[1], bowl.gradient_path(0.2, 1)[1])
    np.testing.assert_allclose(path[2], 0, atol=1e-12)
    first, second = np.diff(path, axis=0)
    assert first @ bowl.HESSIAN @ second == pytest.approx(0, abs=1e-12)


def test_glucose_is_a_logistic_regression_with_one_parameter(glucose):
    objective = LinearObjective(glucose.x[:, None], glucose.y, Logistic(), intercept=False)
    for w in (-1.5, 0.0, 2.0):
        value, gradient, hessian = objective.newton_system(np.array([w]))
        assert float(glucose.value(w)) == pytest.approx(value)
        assert glucose.derivatives(w) == pytest.approx((gradient[0], hessian[0, 0]))
        step = 1e-4
        third = (glucose.derivatives(w + step)[1] - glucose.derivatives(w - step)[1]) / (2 * step)
        assert glucose.third(w) == pytest.approx(third, rel=1e-5)
    assert glucose.minimum() == pytest.approx(newton(objective, tolerance=1e-20).theta[0])
    bottom = minimize_scalar(
        lambda w: glucose.derivatives(0.0)[0] * w + glucose.derivatives(0.0)[1] / 2 * w**2, tol=1e-12
    )
    assert glucose.step(0.0) == pytest.approx(bottom.x, abs=1e-6)


def test_separable_classes_have_no_minimum():
    problem = separated.two_classes(0)
    assert separation(problem.X, 2 * problem.y - 1, intercept=False).complete
    falls = separated.falls(problem, newton_steps=12, gradient_steps=50)
    assert len(falls.newton) == 13
    assert len(falls.fixed_step) == 51
    assert (np.diff(falls.newton) < 0).all()
    assert (np.diff(falls.fixed_step) < 0).all()
    offered = separated.as_offered(problem)
    assert all(each.certificate.gap == np.inf for each in offered.values())
    assert offered["fixed Hessian"].iterations == 1000


def test_price_of_an_iteration():
    sizes = [(200, 4), (400, 4)]
    steady = partial(gradient_descent, step_size=1e-4)
    np.testing.assert_allclose(flops_per_iteration(steady, sizes, seed=0), [4 * 200 * 4, 4 * 400 * 4])
    hessian = 200 * 4 * 6 + 4 * 200 * 4 + 4**3 / 3 + 2 * 4**2
    np.testing.assert_allclose(flops_per_iteration(newton, sizes[:1], seed=0), [hessian])
    many = [(m, d) for m in (50, 100, 300) for d in (3, 10, 30)]
    by_hand = [5 * m * d**2 + d**3 / 3 + 7 * m * d for m, d in many]
    assert fitted_terms(many, by_hand) == pytest.approx({"m d²": 5, "d³": 1 / 3, "m d": 7})
    np.testing.assert_allclose(local_exponents([1, 2, 4], np.array([3.0, 12.0, 96.0])), [2, 3])
