"""Newton's method for the squared hinge: exact and inexact steps, the line search, and what it refuses."""

from importlib import import_module

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.optimize import minimize_scalar

from probml.linear_model import LinearSVC
from probml.linear_model.solving import chosen
from probml.losses import Logistic, SquaredHinge
from probml.objectives import LinearObjective, SoftmaxObjective
from probml.solvers import finite_newton, newton

module = import_module("probml.solvers.finite_newton")  # the package has a function of this name


def problem(m=60, n=150, seed=0, **options):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((m, n), density=0.08, rng=rng, format="csr")
    X.data = rng.normal(size=X.nnz)
    y = np.where(X @ rng.normal(size=n) + rng.normal(size=m) > 0.3, 1, -1)
    return LinearObjective(X, y, SquaredHinge(), **{"l2": 0.2, **options})


RNG = np.random.default_rng(5)
WEIGHT, OFFSET = RNG.integers(0, 4, 60).astype(float), RNG.normal(size=60)  # some rows count for nothing
OPTIONS = {
    "plain": {},
    "no intercept": {"intercept": False},
    "weights and offset": {"weight": WEIGHT, "offset": OFFSET},
    "nearly no penalty": {"l2": 1e-3, "weight": WEIGHT + 0.1},
    "nearly all penalty": {"l2": 30.0, "offset": OFFSET, "intercept": False},
}


@pytest.mark.parametrize("few", [0, 1000], ids=["inexact", "exact"])
@pytest.mark.parametrize("given", OPTIONS.values(), ids=OPTIONS)
def test_it_finds_the_minimum(few, given, monkeypatch):
    monkeypatch.setattr(module, "LARGEST_GRAM_ROWS", few)
    objective = problem(**given)
    best = newton(problem(**given), tolerance=1e-20)
    solution = finite_newton(objective, tolerance=1e-12)
    assert solution.certificate.converged
    assert_allclose(solution.theta, best.theta, atol=1e-8)
    assert solution.value == pytest.approx(best.value, rel=1e-12)
    values = [step.value for step in solution.trace]
    assert (np.diff(values) <= 1e-12).all()
    again = finite_newton(objective, solution.theta + 0.1, tolerance=1e-12)
    assert_allclose(again.theta, best.theta, atol=1e-8)


def test_exact_steps_are_few_and_cost_no_passes():
    objective = problem(m=200, n=2000, l2=0.01)
    solution = finite_newton(objective)
    assert solution.certificate.converged
    assert solution.iterations <= 10
    assert solution.trace[-1].passes == 1 + 2 * solution.iterations  # to the gradient and along the step


@pytest.mark.parametrize("few", [0, 1000], ids=["inexact", "exact"])
def test_dense_rows_are_welcome(few, monkeypatch):
    monkeypatch.setattr(module, "LARGEST_GRAM_ROWS", few)
    of_sparse = problem()
    of_dense = LinearObjective(of_sparse.X.toarray(), of_sparse.y, SquaredHinge(), l2=0.2)
    assert_allclose(finite_newton(of_dense).theta, finite_newton(of_sparse).theta, atol=1e-8)


def test_pooled_directions_solve_the_system_of_all_columns():
    objective = problem()
    theta = np.random.default_rng(1).normal(size=151)
    _, gradient, hessian = objective.newton_system(theta)
    active = np.flatnonzero(objective.y * objective.predictors(theta) < 1)
    d = module.pooled_direction(objective, objective.X, gradient, active, 1e-9)
    assert_allclose(hessian @ d, -gradient, atol=1e-8)
    exact = module.exact_direction(objective, objective.X, module.gram(objective.X), theta, active)
    assert_allclose(d, exact, atol=1e-8)


def test_inexact_directions_leave_as_much_as_they_say():
    objective = problem()
    theta = np.random.default_rng(1).normal(size=151)
    _, gradient, hessian = objective.newton_system(theta)
    active = np.flatnonzero(objective.y * objective.predictors(theta) < 1)
    enough = 0.2 * np.linalg.norm(gradient)
    left = np.linalg.norm(
        hessian @ module.pooled_direction(objective, objective.X, gradient, active, enough) + gradient
    )
    assert 1e-6 < left <= enough


@pytest.mark.parametrize("seed", range(20))
def test_the_line_search_finds_the_lowest_point(seed):
    rng = np.random.default_rng(seed)
    short, gain, weight = rng.normal(size=30).round(1), rng.normal(size=30).round(1), rng.integers(0, 3, 30)
    curvature = 0.1 + rng.random()

    def height(t, slope):
        return np.sum(weight * np.maximum(0, short - t * gain) ** 2) / 2 + t * slope + t * t / 2 * curvature

    steepest = np.sum(weight * np.maximum(0, short) * gain)
    for slope in (steepest - 1, steepest - 100):  # it goes down by 1 or 100 at first
        t = module.lowest_along(short, gain, weight, slope, curvature)
        best = minimize_scalar(height, args=(slope,), bounds=(0, 2000), method="bounded", options={"xatol": 1e-10})
        assert t == pytest.approx(best.x, rel=1e-5, abs=1e-6)
        assert t > 0


def test_the_line_search_knows_rows_on_the_edge():
    # F = max(0, t)² / 2 - t: the row has its margin exactly, and loses it with the first step
    assert module.lowest_along(np.zeros(1), -np.ones(1), np.ones(1), -1.0, 0.0) == 1.0
    # and a row that only gains is never seen
    assert module.lowest_along(np.zeros(1), np.ones(1), np.ones(1), -1.0, 0.5) == 2.0


def test_gram_matrix():
    rng = np.random.default_rng(0)
    X = sparse.csr_array(np.column_stack([rng.random((40, 3)), rng.random((40, 50)) * (rng.random((40, 50)) < 0.04)]))
    often = np.bincount(X.indices, minlength=53) > 40 / 16
    assert 0 < often.sum() < 53
    assert_allclose(module.gram(X), X.toarray() @ X.toarray().T, atol=1e-12)


def test_what_is_no_piecewise_parabola_is_refused():
    X, y = np.eye(3), np.array([1, -1, 1])
    for objective in (
        LinearObjective(X, y, SquaredHinge()),
        LinearObjective(X, (y + 1) / 2, Logistic(), l2=1.0),
        SoftmaxObjective(X, np.array([0, 1, 2]), 3, l2=1.0),
    ):
        with pytest.raises(ValueError, match="squared hinge with l2 > 0"):
            finite_newton(objective)


def test_iterations_can_run_out():
    solution = finite_newton(problem(), max_iterations=1)
    assert not solution.certificate.converged
    assert solution.iterations == 1


def test_auto_takes_it_for_large_problems_only():
    X, y = sparse.eye_array(20, 1200, format="csr"), np.arange(20) % 2 * 2 - 1
    assert chosen("auto", LinearObjective(X, y, SquaredHinge(), l2=1.0)) == "finite-newton"
    assert chosen("auto", LinearObjective(X, y, SquaredHinge())) == "newton-cg"
    assert chosen("auto", LinearObjective(X, (y + 1) / 2, Logistic(), l2=1.0)) == "newton-cg"
    assert chosen("auto", LinearObjective(X[:, :9], y, SquaredHinge(), l2=1.0)) == "newton"


def test_by_name():
    of = problem()
    model = LinearSVC(l2=0.2, solver="finite-newton").fit(of.X, of.y)
    assert_allclose(model.coef_, LinearSVC(l2=0.2, solver="newton").fit(of.X, of.y).coef_, atol=1e-7)
