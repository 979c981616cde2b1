"""Newton's method on growing parts: the same minimum, for less work."""

import numpy as np
import pytest
from scipy import sparse

from probml.losses import Logistic, PoissonLoss
from probml.objectives import LinearObjective
from probml.objectives.gap import gap_bound, hessian_gap
from probml.solvers import growing_newton, newton
from probml.solvers.growing_newton import gap_by_subset, thinned


def problem(loss, m=20_000, n=5, seed=0, **options):
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(m, n)), rng.normal(size=n) / 2
    mean = np.exp(X @ w)
    y = rng.poisson(mean) if isinstance(loss, PoissonLoss) else rng.random(m) < mean / (1 + mean)
    return LinearObjective(X, y.astype(float), loss, **options)


@pytest.mark.parametrize("loss", [Logistic(), PoissonLoss()])
@pytest.mark.parametrize("options", [{}, {"l2": 3.0}, {"intercept": False}])
def test_same_minimum_for_less_work(loss, options):
    whole, grown = problem(loss, **options), problem(loss, **options)
    expected = newton(whole, tolerance=1e-14)
    found = growing_newton(grown, tolerance=1e-18)
    assert found.certificate.converged
    np.testing.assert_allclose(found.theta, expected.theta, atol=1e-8)
    assert found.trace[-1].flops < 0.75 * expected.trace[-1].flops
    assert grown.cost.flops == found.trace[-1].flops


def test_weights_offset_and_sparse_rows_are_thinned_alike():
    rng = np.random.default_rng(1)
    dense = problem(Logistic())
    weight, offset = rng.uniform(0, 2, dense.n_examples), rng.normal(size=dense.n_examples)
    options = {"weight": weight, "offset": offset, "l2": 2.0}
    for X in (dense.X, sparse.csr_array(dense.X)):
        objective = LinearObjective(X, dense.y, Logistic(), **options)
        part = thinned(objective, 4)
        theta = rng.normal(size=6)
        by_hand = LinearObjective(
            dense.X[::4], dense.y[::4], Logistic(), weight=weight[::4], offset=offset[::4], l2=0.5
        )
        assert part.value(theta) == pytest.approx(by_hand.value(theta), rel=1e-13)
        expected = newton(LinearObjective(dense.X, dense.y, Logistic(), **options), tolerance=1e-14).theta
        np.testing.assert_allclose(growing_newton(objective, tolerance=1e-22).theta, expected, atol=1e-8)


def test_a_separable_part_does_no_harm():
    """Every 64th and every 8th example is separable; the whole is not."""
    objective = problem(Logistic())
    objective.y[::8] = objective.X[::8, 0] > 0
    expected = newton(problem_of(objective), tolerance=1e-14)
    found = growing_newton(objective, tolerance=1e-22)
    assert found.certificate.converged
    np.testing.assert_allclose(found.theta, expected.theta, atol=1e-8)


def problem_of(objective):
    return LinearObjective(objective.X, objective.y.copy(), objective.loss)


def test_few_examples_are_taken_at_once():
    objective = problem(Logistic(), m=100)
    assert growing_newton(objective).trace[0].passes == newton(problem(Logistic(), m=100)).trace[0].passes


def test_the_bound_from_a_part_holds():
    """The Hessian of every 8th example bounds the gap of all: by about 8 times what there is."""
    best = newton(problem(Logistic()), tolerance=1e-24).value
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10):
        found = growing_newton(problem(Logistic()), tolerance=tolerance)
        assert (gap := found.value - best) <= found.certificate.gap
        assert found.certificate.gap <= 10 * gap + 1e-9


def test_the_bound_from_a_part_stands_in_for_an_unknown_hessian_only():
    objective, same = problem(Logistic(), m=2000), problem(Logistic(), m=2000)
    theta, part = newton(problem(Logistic(), m=2000)).theta + 1e-3, thinned(objective, 8)
    assert gap_by_subset(objective, part, theta) == gap_bound(same, theta) < np.inf  # the gradient is not known either
    objective = problem(Logistic(), m=2000)
    _, gradient = objective.value_and_gradient(theta)
    by_part = gap_by_subset(objective, part, theta)
    assert by_part == hessian_gap(part, theta, gradient) > 4 * gap_bound(same, theta)
    objective.second_order(theta)
    assert gap_by_subset(objective, part, theta) == gap_bound(same, theta)


@pytest.mark.parametrize("loss", [Logistic(), PoissonLoss()])
@pytest.mark.parametrize("step", [3, 101])
def test_columns_that_parts_hardly_see(loss, step):
    """Indicators that are 1 in a few rows only, or that no part sees: the Hessian of a part says nothing of them."""
    plain = problem(loss)
    rare = np.zeros((plain.n_examples, 2))
    rare[step :: 8 * step, 0] = 1.0  # not one of every 8th row
    rare[:: 64 * step, 1] = 1.0  # those of every 64th row, and no others
    whole = LinearObjective(np.hstack([plain.X, rare]), plain.y, loss)
    grown = LinearObjective(whole.X, plain.y, loss)
    expected = newton(whole, tolerance=1e-22)
    found = growing_newton(grown, tolerance=1e-22)
    assert found.certificate.converged
    np.testing.assert_allclose(found.theta, expected.theta, atol=1e-8)


@pytest.mark.parametrize("largest", [30.0, 300.0, 3000.0])
def test_examples_that_are_far_from_the_minimum_of_a_part(largest):
    """One row that no part sees: with the coefficients of the others its rate, or the next step, overflows."""
    plain = problem(PoissonLoss())
    X = plain.X.copy()
    X[3] = largest * np.sign(newton(problem(PoissonLoss())).theta[:-1])
    found = growing_newton(LinearObjective(X, plain.y, PoissonLoss()), tolerance=1e-20)
    expected = newton(LinearObjective(X, plain.y, PoissonLoss()), tolerance=1e-20)
    assert found.certificate.converged
    assert found.value == pytest.approx(expected.value, rel=1e-13)
    np.testing.assert_allclose(found.theta, expected.theta, atol=1e-8)


def test_few_iterations_are_not_exceeded():
    for most in range(4):
        assert growing_newton(problem(Logistic()), tolerance=1e-300, max_iterations=most).iterations <= most
