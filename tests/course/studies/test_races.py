"""Solvers side by side: problems, paths, counted work, orders and exponents; against independent oracles."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import norm

from course import datasets
from course.studies.races import coordinates
from course.studies.races.orders import Fit, errors, exponent, order
from course.studies.races.problems import Problem, dirichlet, gaussian, seen_through, separable
from course.studies.races.race import SOLVERS, Course, course, minimum, race, tolerance_for
from course.studies.races.style import STYLES
from course.studies.races.watched import WatchedObjective, quick_round
from course.studies.races.women import Women
from probml.linear_model.separation import separation
from probml.losses import Logistic, Squared
from probml.objectives import LinearObjective
from probml.solvers import bfgs, fixed_hessian, gradient_descent, irls, lbfgs, newton, sgd
from probml.solvers.coordinate_newton import newton_round


@pytest.fixture(scope="module")
def women():
    return Women.of(datasets.load("pima"))


@pytest.fixture(scope="module")
def problem():
    return gaussian(60, 4, np.random.default_rng(1))


def negative_log_likelihood(problem, theta):
    """By the definition, one example after the other."""
    z = problem.X @ theta
    return -sum(np.log(expit(z_i if y_i else -z_i)) for z_i, y_i in zip(z, problem.y, strict=True))


# Problems


def test_share_of_labels_that_the_true_weights_get_wrong():
    drawn = gaussian(200_000, 2, np.random.default_rng(0), radius=np.sqrt(2))
    # the direction of w is not given: the best linear classifier has the same errors
    theta = minimum(drawn).theta
    wrong = np.mean((drawn.X @ theta > 0) != drawn.y)
    expected = quad(lambda z: expit(-abs(z)) * norm.pdf(z, scale=np.sqrt(2)), -30, 30)[0]
    assert abs(wrong - expected) < 4 * np.sqrt(expected * (1 - expected) / 200_000)
    assert abs(np.linalg.norm(theta) - np.sqrt(2)) < 0.03


def test_shifted_features_leave_the_predictors_as_they_are():
    plain, shifted = (gaussian(300, 5, np.random.default_rng(2), shift=c) for c in (0.0, 10.0))
    np.testing.assert_array_equal(plain.y, shifted.y)
    np.testing.assert_allclose(shifted.X[:, :-1] - 10.0, plain.X, atol=1e-14)
    assert (shifted.X[:, -1] == 1).all()
    # the column of ones lets the minimum only go down
    with_intercept = Problem(plain.X, plain.y, intercept=True)
    assert abs(minimum(shifted).value - minimum(with_intercept).value) < 1e-9


def test_dirichlet_rows_are_distributions():
    drawn = dirichlet(50, 7, np.random.default_rng(3))
    assert (drawn.X > 0).all()
    np.testing.assert_allclose(drawn.X.sum(axis=1), 1.0)


def test_the_same_problem_in_other_coordinates(problem):
    other = seen_through(problem, 1e4, np.random.default_rng(0))
    np.testing.assert_allclose(minimum(other).value, minimum(problem).value, rtol=1e-10)
    orthogonal = Problem(np.linalg.qr(problem.X)[0], problem.y)
    squares = np.linalg.svd(seen_through(orthogonal, 100.0, np.random.default_rng(0)).X, compute_uv=False) ** 2
    np.testing.assert_allclose(squares[0] / squares[-1], 100.0)


def test_separable_classes():
    drawn = separable(40, 3, 0.5, np.random.default_rng(0))
    assert separation(drawn.X, 2 * drawn.y - 1, intercept=False).complete
    with pytest.raises(ValueError, match="is it separable"):
        minimum(drawn)


def test_diabetes_data_are_standardised(women):
    assert women.measured.shape == (768, 8)
    assert women.y.sum() == 268
    np.testing.assert_allclose(women.standardised.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(women.standardised.var(axis=0), 1)
    assert women.problem().n_parameters == 9


# Worse coordinates


@pytest.mark.parametrize("name", list(coordinates.SPOILED))
def test_spoiled_coordinates_are_the_same_problem(women, name):
    problem = women.problem()
    spoiled = coordinates.SPOILED[name](problem, 100.0, np.random.default_rng(0))
    assert minimum(spoiled).value == pytest.approx(minimum(problem).value, rel=1e-10)
    assert coordinates.condition(spoiled) > 10 * coordinates.condition(problem)
    unchanged = coordinates.SPOILED[name](problem, 1.0, np.random.default_rng(0))
    assert coordinates.condition(unchanged) == pytest.approx(coordinates.condition(problem), rel=0.3)


def test_standardising_undoes_units_and_origins_only(women):
    problem = women.problem()
    for name in ("other units", "other origins"):
        spoiled = coordinates.SPOILED[name](problem, 100.0, np.random.default_rng(1))
        np.testing.assert_allclose(coordinates.standardised(spoiled).X, problem.X, atol=1e-10)
    mixed = coordinates.SPOILED["mixed features"](problem, 100.0, np.random.default_rng(1))
    again = coordinates.standardised(mixed)
    np.testing.assert_allclose(again.X.std(axis=0), 1)
    assert coordinates.condition(again) > 5 * coordinates.condition(problem)


def test_condition_is_that_of_the_hessian():
    problem = gaussian(300, 3, np.random.default_rng(0))
    p = 1 / (1 + np.exp(-problem.X @ minimum(problem).theta))
    hessian = problem.X.T @ np.diag(p * (1 - p)) @ problem.X
    assert coordinates.condition(problem) == pytest.approx(np.linalg.cond(hessian))


def test_counts_of_iterations(women):
    problem = women.problem()
    cures = coordinates.cures(problem, [1.0, 30.0], 2, seed=0)
    assert set(cures) == set(coordinates.SPOILED)
    for cure in cures.values():
        assert cure.steps[0].shape == cure.kappa[1].shape == (2, 2)
        assert (cure.steps[0][:, 1] > cure.steps[0][:, 0]).all()
    found = coordinates.iterations_by_solver(problem, [1.0, 30.0], 2, 0, ["Newton", "gradient descent"])
    np.testing.assert_array_equal(found["gradient descent"], cures["mixed features"].steps[0])
    assert np.unique(found["Newton"]).size == 1
    assert np.isnan(coordinates.iterations(problem, "gradient descent", 3))


# Paths and counted work


def test_path_of_newton_is_the_formula(problem):
    objective = problem.objective()
    path = objective.path(newton(objective))
    for theta, following in pairwise(path):
        p = expit(problem.X @ theta)
        hessian = problem.X.T @ np.diag(p * (1 - p)) @ problem.X
        step = np.linalg.solve(hessian, problem.X.T @ (problem.y - p))
        np.testing.assert_allclose(following, theta + step, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", list(SOLVERS))
def test_path_has_the_values_of_the_trace(problem, name):
    objective = problem.objective()
    solution = SOLVERS[name](objective)
    values = [negative_log_likelihood(problem, theta) for theta in objective.path(solution)]
    np.testing.assert_allclose(values, [step.value for step in solution.trace], rtol=1e-12)
    with pytest.raises(ValueError, match="not of this objective"):
        problem.objective().path(solution)


def test_minimum_is_that_of_scipy(problem):
    found = minimize(lambda theta: negative_log_likelihood(problem, theta), np.zeros(4), method="BFGS", tol=1e-9)
    np.testing.assert_allclose(minimum(problem).value, found.fun, rtol=1e-10)
    np.testing.assert_allclose(minimum(problem).theta, found.x, atol=1e-5)


def test_counted_operations(problem):
    m, d = problem.X.shape
    gradient, square = 4 * m * d, m * d * (d + 2)
    best = minimum(problem).value
    flops = course(problem, newton, best).flops
    k = np.arange(len(flops))
    np.testing.assert_allclose(flops, (k + 1) * (gradient + square) + k * (d**3 / 3 + 2 * d**2))
    flops = course(problem, fixed_hessian, best).flops
    k = np.arange(len(flops))
    expected = (k + 1) * gradient + k * 2 * d**2 + (k > 0) * (square + d**3 / 3)
    np.testing.assert_allclose(flops, expected)
    flops = course(problem, partial(gradient_descent, step_size=1e-3), best, max_iterations=7).flops
    np.testing.assert_allclose(flops, gradient * np.arange(1, 9))
    one = course(problem, bfgs, best, max_iterations=3)
    np.testing.assert_allclose(one.flops - [s.flops for s in one.solution.trace], 12 * d**2 * np.arange(4))
    one = course(problem, partial(lbfgs, memory=10), best, max_iterations=3)
    np.testing.assert_allclose(one.flops - [s.flops for s in one.solution.trace], 80 * d * np.arange(4))
    # SGD: a pass over all examples costs as much as a gradient; to report F costs it nothing
    one = course(problem, partial(sgd, step_size=0.1), best, max_iterations=3)
    np.testing.assert_allclose(one.flops, gradient * np.arange(4))
    np.testing.assert_allclose(one.passes, np.arange(4))


def test_race_ends_at_the_same_minimum(problem):
    courses = race(problem, SOLVERS, {})
    for each in courses.values():
        assert each.gap[-1] < 1e-10
        assert each.solution.certificate.gap < 1e-10
    assert race(problem, SOLVERS, {"Newton": 2})["Newton"].solution.iterations == 2
    assert tolerance_for(newton, 1e-3) == pytest.approx(1e-6)
    assert tolerance_for(irls, 1e-3) == 1e-3


def test_first_time_below_a_gap(problem):
    solution = minimum(problem)
    one = Course(np.array([1, 2, 3.0]), np.array([10.0, 20, 30]), np.array([1.0, 0.1, 0.01]), solution)
    assert [one.until(gap) for gap in (2.0, 0.1, 0.05, 0.001)] == [0, 1, 2, None]
    assert [one.flops_until(gap) for gap in (2.0, 0.1, 0.05, 0.001)] == [10.0, 20.0, 30.0, np.inf]


@pytest.mark.parametrize(("l2", "intercept"), [(0.0, False), (0.3, True)])
def test_quick_round_of_coordinates_is_the_round_of_the_package(l2, intercept):
    drawn = gaussian(80, 6, np.random.default_rng(4))
    quick = Problem(drawn.X, drawn.y, l2, intercept).objective()
    slow = LinearObjective(drawn.X, drawn.y, Logistic(), l2=l2, intercept=intercept)
    theta = 3 * np.random.default_rng(5).normal(size=6 + intercept)  # far away: some steps are halved
    for _ in range(4):
        after = newton_round(slow, theta)
        np.testing.assert_allclose(quick_round(quick, theta), after, rtol=1e-9, atol=1e-9)
        theta = after
    assert quick.cost == slow.cost


def test_quick_round_is_for_the_logistic_loss_only():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    watched = WatchedObjective(X, y, Squared())
    slow = LinearObjective(X, y, Squared())
    start = np.zeros(4)
    np.testing.assert_array_equal(quick_round(watched, start), newton_round(slow, start))


# Orders and exponents


@pytest.mark.parametrize("q", [1.0, 1.5, 2.0])
def test_order_of_a_sequence_that_has_one(q):
    runs = []
    for constant in (0.3, 0.3, 0.3):
        e = [0.05 / (1 + len(runs))]
        while e[-1] > 1e-14:
            e.append(constant * e[-1] ** q)
        runs.append(np.array(e))
    fit = order(runs, np.random.default_rng(0))
    np.testing.assert_allclose([fit.slope, fit.low, fit.high], q, rtol=1e-9)


def test_exponent_and_its_interval():
    x = np.array([1.0, 2, 4, 8, 16])
    exact = exponent(x, [3 * x**-2, 5 * x**-2], np.random.default_rng(0))
    assert exact.slope == pytest.approx(-2)
    assert str(Fit(1.234, 1.0, 1.5)) == "1.23 [1.00, 1.50]"
    rng, inside = np.random.default_rng(1), 0
    for _ in range(200):
        curves = x**-1.0 * np.exp(rng.normal(size=(25, 5)))
        fit = exponent(x, curves, rng)
        inside += fit.low <= -1 <= fit.high
        np.testing.assert_allclose(fit.slope, np.polyfit(np.tile(np.log(x), 25), np.log(curves).ravel(), 1)[0])
    assert 175 <= inside <= 200  # 95 % of 200 are 190; below 175 only with a probability of 1e-5, even at 93 %
    with pytest.raises(ValueError, match="above 0"):
        exponent(x, [0 * x], rng)


def test_order_needs_errors_in_its_range():
    with pytest.raises(ValueError, match="two runs or more"):
        order([np.array([1.0, 0.5]), np.array([1e-14, 1e-15])], np.random.default_rng(0))


def test_errors_of_newtons_method_are_squared(problem):
    e = errors(problem, newton)
    assert e[0] == 1.0  # from θ = 0, relative to the solution
    small = (e[:-1] < 1e-2) & (e[1:] > 1e-14)
    assert small.any()
    assert (e[1:][small] < 10 * e[:-1][small] ** 2).all()


def test_every_solver_has_a_line_style_of_its_own():
    assert {*SOLVERS, "SGD", "iterative scaling"} <= set(STYLES)
    looks = [tuple(sorted(style.items())) for style in STYLES.values()]
    assert len(set(looks)) == len(looks)
