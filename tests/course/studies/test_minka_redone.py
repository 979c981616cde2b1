"""Minka's solvers take the steps of his formulas and cost the operations that he counts; against independent oracles.

Without this, a cost that differs from the published one could be ours: of another search, start or count.
"""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from course.studies.minka_redone import experiments, figures, minka
from course.studies.minka_redone.iterative_scaling import iterative_scaling
from course.studies.minka_redone.newton_on_a_line import (
    bounded,
    conjugate,
    newton_on_a_line,
    polak_ribiere,
    quasi_newton,
    wolfe_on_a_line,
)
from course.studies.races.problems import Problem, gaussian
from course.studies.races.race import Course, minimum
from course.studies.races.style import STYLES
from probml.linear_model.separation import separation
from probml.losses import Squared
from probml.objectives import LinearObjective
from probml.solvers import bfgs, newton


@pytest.fixture(scope="module")
def problem():
    return gaussian(60, 4, np.random.default_rng(1))


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
        for rule in (conjugate, polak_ribiere, quasi_newton)
    }
    expected = np.linalg.lstsq(X, y, rcond=None)[0]
    for rule, solution in solutions.items():
        np.testing.assert_allclose(solution.theta, expected, rtol=1e-8, err_msg=rule.__name__)
    traces = [[step.value for step in solution.trace] for solution in solutions.values()]
    np.testing.assert_allclose(traces[0], traces[1], rtol=1e-9)
    np.testing.assert_allclose(traces[0], traces[2], rtol=1e-9)
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


@pytest.mark.parametrize("rule", [conjugate, polak_ribiere, quasi_newton, bounded])
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


def test_every_solver_has_a_line_style():
    assert set(minka.SOLVERS) <= set(STYLES)


def test_beta_of_polak_and_ribiere_uses_the_direction_not_the_step():
    rule = polak_ribiere(gaussian(10, 2, np.random.default_rng(0)).objective())
    before, gradient = np.array([2.0, 0.0]), np.array([0.5, 1.0])
    np.testing.assert_array_equal(rule(np.zeros(2), np.zeros(2), before), -before)
    # β = (1/2, 1) · (-3/2, 1) / 4 = 1/16, whatever the length of the step
    found = rule(np.array([-7.0, 0.0]), before, gradient)
    np.testing.assert_allclose(found, -gradient - before / 16)
    # a negative β is 0
    np.testing.assert_allclose(rule(found, gradient, gradient / 2), -gradient / 2)


def test_bfgs_of_exchangeable_parts_is_the_packages(problem):
    """With the scaled start and Wolfe's conditions; from the identity it is another method with the same minimum."""
    expected = [step.value for step in bfgs(problem.objective(), tolerance=1e-7).trace]
    scaled = wolfe_on_a_line(problem.objective(), direction=partial(quasi_newton, scaled=True), tolerance=1e-7)
    np.testing.assert_allclose([step.value for step in scaled.trace], expected, rtol=1e-12)
    plain = wolfe_on_a_line(problem.objective(), direction=quasi_newton, tolerance=1e-7)
    assert plain.trace[1].value == scaled.trace[1].value
    assert abs(plain.trace[2].value - scaled.trace[2].value) > 1e-3
    np.testing.assert_allclose(plain.theta, minimum(problem).theta, atol=1e-6)
    assert plain.certificate.converged
    assert not wolfe_on_a_line(problem.objective(), direction=quasi_newton, max_iterations=1).certificate.converged


@pytest.fixture(scope="module")
def small():
    return experiments.ladder(60, 5, 3, 1e-5, seed=0)


def test_ladder_changes_one_thing_at_a_time(small):
    costs = small.costs
    assert list(costs) == [experiments.OURS, experiments.SEARCH, experiments.START, experiments.COUNT]
    for name in ("Newton", "coordinate Newton"):
        np.testing.assert_array_equal(costs[experiments.OURS][name], costs[experiments.SEARCH][name])
    for name in ("Newton", "coordinate Newton", "fixed Hessian"):
        np.testing.assert_array_equal(costs[experiments.SEARCH][name], costs[experiments.START][name])
    for name in experiments.PUBLISHED:
        # iterations are those of the same run: only what each of them costs is another
        iterations = small.first[name].until(1e-5 * 60)
        own = minka.work(name, 60, 5)
        assert costs[experiments.COUNT][name][0] == pytest.approx(own.once + own.each * iterations)
        assert costs[experiments.START][name][0] == small.first[name].flops[iterations]
        assert small.whole_sum[name][0] >= costs[experiments.COUNT][name][0]


def test_distance_from_the_published_costs():
    assert experiments.off(experiments.PUBLISHED) == 1
    doubled = {name: 2 * value for name, value in experiments.PUBLISHED.items()}
    assert experiments.off(doubled) == pytest.approx(2)
    one = dict(experiments.PUBLISHED) | {"BFGS": experiments.PUBLISHED["BFGS"] / 32}
    assert experiments.off(one) == pytest.approx(2)  # 32 to the power of 1/5, whichever way


def test_reading_error_is_a_factor_either_way():
    value = experiments.PUBLISHED["Newton"]
    costs = {experiments.COUNT: {"Newton": value * np.array([0.78, 0.8, 1.0, 1.25, 1.27])}}
    assert experiments.Ladder([], costs, {}, {}).within_reading_error("Newton") == 3


def test_scaling_runs_until_the_gap(small):
    runs = experiments.scaling(small.problems[:2], 1e-3, 5000)
    for factor, run in zip((0.1, 1.0), runs, strict=True):
        gaps = run["iterative scaling"].gap / 60
        assert gaps[-1] <= factor * 1e-3 < gaps[-2]


def test_bfgs_versions_with_and_without_offset():
    shifted = experiments.offset(10.0, 60, 5, 2, seed=0)
    taken = experiments.bfgs_iterations(shifted.problems, 1e-5)
    assert set(taken) == set(experiments.BFGS)
    for start, search in taken:
        assert (taken[start, search] > 0).all()
    assert (taken["scaled", "Wolfe"] > taken["G = I", "Newton"]).all()
    few = experiments.bfgs_iterations(shifted.problems, 1e-5, most=2)
    assert np.isnan(few["scaled", "Wolfe"]).all()
    costs = shifted.costs(1e-5)
    iterations = shifted.runs[0]["Newton"].until(1e-5 * 60)
    assert costs["Newton"][0] == pytest.approx(iterations * minka.work("Newton", 60, 6).each)


def test_third_experiment_and_larger_size_count_with_their_own_sizes():
    third = experiments.positive(60, 4, 2, 1e-5, seed=0)
    np.testing.assert_allclose(third.problems[0].X.sum(axis=1), 1)
    assert third.his["conjugate gradient"][0] % minka.work("conjugate gradient", 60, 4).each == 0
    assert set(third.ours) == {*experiments.NOT_IN_THE_PAPER, *experiments.ROBUST}
    larger = experiments.larger(80, 6, 1e-5, seed=0)
    assert larger["Newton"] % minka.work("Newton", 80, 6).each == pytest.approx(0, abs=1e-6)


def test_bound_of_the_figure_touches_the_loss_and_lies_above_it():
    """F is the sum of log(1 + e^(-θ)) twice and log(1 + e^θ), and each step leads to the lowest point of a bound."""
    way = Course(np.ones(3), np.ones(3), np.array([1.0, 0.1, 0.01]), None)
    picture = figures.safe_bound(dict.fromkeys(("conjugate gradient", "Newton", "iterative scaling"), way), 60, 5)
    lines = [line.get_xydata().T for line in picture.fig.axes[0].lines]
    (theta, F), *bounds = (line for line in lines if line.shape[1] > 1)
    dots = [line[:, 0] for line in lines if line.shape[1] == 1]
    np.testing.assert_allclose(F, 2 * np.log1p(np.exp(-theta)) + np.log1p(np.exp(theta)), rtol=1e-12)
    assert len(bounds) == 2
    for (at, value), (following, _), (_, bound) in zip(dots, dots[1:], bounds, strict=False):
        assert (bound >= F - 1e-12).all()
        assert value == pytest.approx(2 * np.log1p(np.exp(-at)) + np.log1p(np.exp(at)))
        assert np.interp(at, theta, bound) == pytest.approx(value, abs=1e-4)
        assert abs(following - theta[bound.argmin()]) < 0.01
    assert dots[-1] == pytest.approx([np.log(2), F.min()], abs=1e-4)
