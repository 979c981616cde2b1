"""Experiments on solvers: problems, paths, counted work, orders, Minka's comparison; against independent oracles."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit
from scipy.stats import norm

from course.studies.minka_redone import minka
from course.studies.minka_redone.iterative_scaling import iterative_scaling
from course.studies.minka_redone.newton_on_a_line import bounded, conjugate, newton_on_a_line, quasi_newton
from course.studies.newton_v_sgd.orders import Fit, errors, exponent, order
from course.studies.newton_v_sgd.problems import Problem, dirichlet, gaussian, seen_through, separable
from course.studies.newton_v_sgd.race import SOLVERS, Course, course, minimum, race, tolerance_for
from course.studies.newton_v_sgd.scaling import (
    fitted_terms,
    flops_per_iteration,
    flops_per_update,
    local_exponents,
)
from course.studies.newton_v_sgd.stochastic import gaps_reshuffled, gaps_with_replacement
from course.studies.newton_v_sgd.style import STYLES
from course.studies.newton_v_sgd.watched import WatchedObjective
from probml.linear_model.separation import separation
from probml.losses import Logistic, Squared
from probml.objectives import LinearObjective
from probml.solvers import bfgs, fixed_hessian, gradient_descent, irls, lbfgs, newton, sgd


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


def test_updates_of_sgd_are_the_formula(problem):
    objective = problem.objective()
    solution = sgd(objective, step_size=0.1, max_iterations=1, seed=4)
    order_of_rows = np.random.default_rng(4).permutation(60)
    theta = np.zeros(4)
    for row, seen in zip(order_of_rows, objective.updates, strict=True):
        np.testing.assert_allclose(seen, theta, atol=1e-14)
        theta = theta + 0.1 * (problem.y[row] - expit(problem.X[row] @ theta)) * problem.X[row]
    np.testing.assert_allclose(solution.theta, theta, atol=1e-14)


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


# Solvers that only the comparison needs


def test_iterative_scaling_minimises_its_bound_and_goes_down(problem):
    solution = iterative_scaling(problem.objective(), max_iterations=3000, tolerance=1e-9)
    first = iterative_scaling(problem.objective(), max_iterations=1).theta
    values = [step.value for step in solution.trace]
    assert (np.diff(values) <= 1e-12).all()
    np.testing.assert_allclose(solution.theta, minimum(problem).theta, atol=1e-6)

    towards = problem.X * (2 * problem.y - 1)[:, None]
    s = np.abs(towards).sum(axis=1).max()
    for j in range(4):  # at θ = 0 every wrong answer has the probability 1/2

        def bound(delta, j=j):
            return 0.5 * np.sum(np.abs(towards[:, j]) / s * np.exp(-s * np.sign(towards[:, j]) * delta))

        best = minimize_scalar(bound, bracket=(-0.1, 0.1), tol=1e-12).x
        np.testing.assert_allclose(first[j], best, atol=1e-8)


def test_iterative_scaling_records_and_counts_what_the_objective_does(problem):
    objective = problem.objective()
    solution = iterative_scaling(objective, max_iterations=50)
    other = problem.objective()
    value, gradient = other.value_and_gradient(solution.theta)
    assert solution.value == pytest.approx(value, rel=1e-13)
    assert solution.trace[-1].gradient_norm == pytest.approx(np.abs(gradient).max(), rel=1e-9)
    assert solution.trace[-1].flops == 51 * other.cost.flops
    assert solution.trace[-1].passes == 51


def test_iterative_scaling_stops_where_it_is_told_to(problem):
    whole = iterative_scaling(problem.objective(), max_iterations=200)
    enough = whole.trace[20].value
    stopped = iterative_scaling(problem.objective(), max_iterations=200, enough=enough)
    assert [step.value for step in stopped.trace] == [step.value for step in whole.trace[:21]]
    assert stopped.certificate.converged


@pytest.mark.parametrize(("l2", "intercept"), [(0.0, False), (0.3, True)])
def test_quick_round_of_coordinates_is_the_round_of_the_package(l2, intercept):
    drawn = gaussian(80, 6, np.random.default_rng(4))
    quick = Problem(drawn.X, drawn.y, l2, intercept).objective()
    slow = LinearObjective(drawn.X, drawn.y, Logistic(), l2=l2, intercept=intercept)
    theta = 3 * np.random.default_rng(5).normal(size=6 + intercept)  # far away: some steps are halved
    for _ in range(4):
        after = slow.round_of_coordinates(theta)
        np.testing.assert_allclose(quick.round_of_coordinates(theta), after, rtol=1e-9, atol=1e-9)
        theta = after
    assert quick.cost == slow.cost


def test_quick_round_is_for_the_logistic_loss_only():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    watched = WatchedObjective(X, y, Squared())
    slow = LinearObjective(X, y, Squared())
    start = np.zeros(4)
    np.testing.assert_array_equal(watched.round_of_coordinates(start), slow.round_of_coordinates(start))


def test_iterative_scaling_says_what_it_is_not_for(problem):
    with pytest.raises(ValueError, match="without penalty"):
        iterative_scaling(Problem(problem.X, problem.y, l2=1.0).objective())
    with pytest.raises(ValueError, match="one class only"):
        iterative_scaling(Problem(np.column_stack([problem.X, problem.y]), problem.y).objective())
    with pytest.raises(ValueError, match="one class only"):
        iterative_scaling(
            Problem(np.column_stack([problem.X, problem.y + 1e-17 * (problem.y == 0)]), problem.y).objective()
        )


def test_conjugate_directions_and_bfgs_are_the_same_on_a_parabola():
    """With exact steps, from G = I; and both end after as many steps as there are parameters."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 5)) * [1, 2, 3, 4, 5], rng.normal(size=30)
    solutions = {
        rule: newton_on_a_line(LinearObjective(X, y, Squared(), intercept=False), direction=rule, max_iterations=5)
        for rule in (conjugate, quasi_newton)
    }
    expected = np.linalg.lstsq(X, y, rcond=None)[0]
    for rule, solution in solutions.items():
        np.testing.assert_allclose(solution.theta, expected, rtol=1e-8, err_msg=rule.__name__)
    traces = [[step.value for step in solution.trace] for solution in solutions.values()]
    np.testing.assert_allclose(*traces, rtol=1e-9)
    # with the bound equal to the Hessian, one step is enough
    one = newton_on_a_line(LinearObjective(X, y, Squared(), intercept=False), direction=bounded, max_iterations=1)
    np.testing.assert_allclose(one.theta, expected, rtol=1e-10)


def test_scaled_start_of_bfgs_is_the_inverse_curvature_along_the_first_step():
    X, y = np.diag([1.0, 3.0]), np.array([1.0, 1.0])
    objective = LinearObjective(X, y, Squared(), intercept=False)
    rule = quasi_newton(objective, scaled=True)
    before, gradient = np.array([-2.0, 0.0]), np.array([-1.0, 0.0])
    first = rule(np.zeros(2), np.zeros(2), before)
    np.testing.assert_array_equal(first, -before)
    # s = (1/2, 0), y = (1, 0): G = I/2 explains the change at once, and is not changed by the update
    np.testing.assert_allclose(rule(np.array([0.5, 0.0]), before, gradient), -gradient / 2)


@pytest.mark.parametrize("rule", [conjugate, quasi_newton, bounded])
def test_newton_on_a_line_of_one_parameter_is_newtons_method(rule):
    one = gaussian(50, 1, np.random.default_rng(4))
    objective = one.objective()
    path = objective.path(newton_on_a_line(objective, direction=rule))
    other = one.objective()
    expected = other.path(newton(other, tolerance=1e-20))
    np.testing.assert_allclose(path[:4], expected[:4], rtol=1e-9, atol=1e-14)


def test_newton_on_a_line_counts_six_operations_for_each_entry(problem):
    m, d = problem.X.shape
    for rule, once, each in (
        (conjugate, 0, 0),
        (quasi_newton, 0, 12 * d**2),
        (bounded, m * d * (d + 2) + d**3 / 3, 2 * d**2),
    ):
        trace = newton_on_a_line(problem.objective(), direction=rule, max_iterations=3, tolerance=1e-15).trace
        expected = [once + 4 * m * d + k * (6 * m * d + each) for k in range(4)]
        np.testing.assert_allclose([step.flops for step in trace], expected, err_msg=rule.__name__)
        assert trace[-1].value - minimum(problem).value < 0.1 * (trace[0].value - minimum(problem).value)


def test_minka_counts():
    m, d = 300, 100
    assert minka.work("conjugate gradient", m, d).each == 6 * m * d + 47 * m
    assert minka.work("Newton", m, d).each == pytest.approx(2 * m * d**2 + 5 * m * d + 42 * m + 2 * d**3 / 3)
    assert minka.work("fixed Hessian", m, d).once == pytest.approx(2 * m * d**2 + d**3 / 3)
    one = Course(np.ones(3), np.ones(3), np.array([1.0, 0.1, 0.01]), None)
    found = minka.flops_until(one, "coordinate Newton", 0.05, m, d)
    assert found == 3 * m * d + 2 * 50 * m * d
    np.testing.assert_array_equal(minka.flops(one, "conjugate gradient", m, d), (6 * m * d + 47 * m) * np.arange(3))
    assert minka.flops_until(one, "BFGS", 0.001, m, d) == np.inf
    assert set(minka.SOLVERS) == {name for name in minka.SOLVERS if minka.work(name, m, d).each > 0}


def test_ranking_joins_what_chance_may_tell_apart():
    slow, fast, mixed = np.arange(10.0, 20), np.arange(10.0), np.where(np.arange(10) % 2, 21.0, 9.0)
    assert minka.ranking({"slow": slow, "fast": fast}) == "fast < slow"
    assert minka.ranking({"slow": slow, "mixed": mixed}) == "slow ≈ mixed"
    assert minka.ranking({"a": np.full(10, np.inf), "b": np.full(10, np.inf)}) == "a ≈ b"
    # 9 of 10 is beyond chance (p = .021), 8 of 10 is not (p = .109)
    assert minka.ranking({"a": np.ones(10), "b": [0.5] + [2.0] * 9}) == "a < b"
    assert minka.ranking({"a": np.ones(10), "b": [0.5] * 2 + [2.0] * 8}) == "a ≈ b"


def test_problems_that_have_a_minimum():
    found, tried = minka.with_a_minimum(lambda rng: gaussian(6, 2, rng), 4, seed=0)
    assert len(found) == 4 < tried
    for each in found:
        assert not separation(each.X, 2 * each.y - 1, intercept=False).rows.any()


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


# Costs of iterations, and SGD


def test_price_of_an_iteration():
    sizes = [(200, 4), (400, 4)]
    steady = partial(gradient_descent, step_size=1e-4)
    np.testing.assert_allclose(flops_per_iteration(steady, sizes, seed=0), [4 * 200 * 4, 4 * 400 * 4])
    np.testing.assert_allclose(flops_per_update([(200, 4), (400, 8)]), [16, 32])
    hessian = 200 * 4 * 6 + 4 * 200 * 4 + 4**3 / 3 + 2 * 4**2
    np.testing.assert_allclose(flops_per_iteration(newton, sizes[:1], seed=0), [hessian])
    many = [(m, d) for m in (50, 100, 300) for d in (3, 10, 30)]
    by_hand = [5 * m * d**2 + d**3 / 3 + 7 * m * d for m, d in many]
    assert fitted_terms(many, by_hand) == pytest.approx({"m d²": 5, "d³": 1 / 3, "m d": 7})
    np.testing.assert_allclose(local_exponents([1, 2, 4], np.array([3.0, 12.0, 96.0])), [2, 3])


def test_sgd_with_replacement_is_sgd_on_a_stream(problem):
    m, passes, seed = 60, 3, 0
    found = gaps_with_replacement(problem, 1, [1, 3], step_size=0.2, decay=0.5)
    rows = np.random.default_rng([seed, passes]).integers(m, size=passes * m)
    rows = rows[np.random.default_rng(seed).permutation(passes * m)]
    theta, expected, best = np.zeros(4), [], minimum(problem).value
    for k, row in enumerate(rows):
        theta = theta + 0.2 / (1 + 0.5 * k / m) * (problem.y[row] - expit(problem.X[row] @ theta)) * problem.X[row]
        if k + 1 in (m, 3 * m):
            expected.append(negative_log_likelihood(problem, theta) - best)
    np.testing.assert_allclose(found, [expected], rtol=1e-9)


def test_gaps_of_reshuffled_sgd(problem):
    gaps = gaps_reshuffled(problem, 2, 5, step_size=0.1)
    assert gaps.shape == (2, 6)
    assert (gaps > 0).all()
    assert not np.array_equal(gaps[0], gaps[1])
    np.testing.assert_allclose(gaps[:, 0], 60 * np.log(2) - minimum(problem).value)
    again = sgd(problem.objective(), seed=1, step_size=0.1, max_iterations=5)
    np.testing.assert_allclose(gaps[1, -1], again.value - minimum(problem).value)


def test_sgd_that_diverges_says_so():
    problem = Problem(
        1e3 * np.array([[1.0, 2.0], [-1.0, 0.5], [0.3, -2.0], [1.0, 1.0]]), np.array([1.0, 0, 0, 1]), l2=1.0
    )
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="smaller step size"):
        gaps_reshuffled(problem, 2, 200, step_size=1e6)


@pytest.mark.parametrize("options", [{"schedule": "decaying", "decay": 0.5}, {"batch": 5}])
@pytest.mark.parametrize(("l2", "intercept"), [(0.0, False), (0.5, True)])
def test_sgd_of_all_orders_at_once_is_the_solver_of_each(problem, options, l2, intercept):
    other = Problem(problem.X, problem.y, l2, intercept)
    gaps = gaps_reshuffled(other, 3, 4, step_size=0.2, **options)
    for seed, found in enumerate(gaps):
        trace = sgd(other.objective(), seed=seed, step_size=0.2, max_iterations=4, **options).trace
        np.testing.assert_allclose(found, [step.value - minimum(other).value for step in trace], rtol=1e-9)
    with pytest.raises(ValueError, match="60 examples cannot be taken 7 at a time"):
        gaps_reshuffled(other, 1, 1, step_size=0.2, batch=7)


def test_every_solver_has_a_line_style_of_its_own():
    assert {*SOLVERS, *minka.SOLVERS, "SGD"} <= set(STYLES)
    looks = [tuple(sorted(style.items())) for style in STYLES.values()]
    assert len(set(looks)) == len(looks)
