"""Solvers on problems made to have a known minimum: that they find it, how fast, and what they say if they do not."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.linalg import eigh, eigvalsh

from probml.families import Bernoulli
from probml.losses import GLMLoss, Hinge, Logistic, Logit, Loss, PerceptronLoss, PoissonLoss, Squared, SquaredHinge
from probml.objectives import LinearObjective, SoftmaxObjective
from probml.solvers import (
    bfgs,
    conjugate_gradient,
    coordinate_newton,
    fixed_hessian,
    gradient_descent,
    growing_newton,
    irls,
    largest_curvature,
    lbfgs,
    newton,
    newton_cg,
    sgd,
)
from probml.solvers.base import Run
from probml.solvers.coordinate_newton import newton_round
from probml.solvers.line_search import backtrack, goes_down, magnitude, wolfe
from probml.solvers.newton import inverse, regular_factor
from probml.solvers.newton_cg import inexact_direction, residual_allowed

SECOND_ORDER = [newton, irls, newton_cg]
QUASI_NEWTON = [bfgs, lbfgs, conjugate_gradient]
LINEAR = [fixed_hessian, gradient_descent, coordinate_newton]
SOLVERS = [*SECOND_ORDER, *QUASI_NEWTON, *LINEAR]
DESCENT = [solver for solver in SOLVERS if solver is not irls]  # IRLS takes full steps, come what may
TIGHT = {newton: 1e-24}  # the tolerance of Newton's method is one of F, that is the square of a distance


def name(value):
    return value.__name__ if callable(value) else str(value)


def binary(X, theta, l2=0.0, seed=0, layout=np.asarray, total=1.0):
    """Logistic regression whose minimum is θ: every x with both answers, weighted so that the gradient is zero there.

    With s_1 + s_0 = total and s_1 = total p + l2 a, sum_i (total p_i - s_1i) x_i + l2 w = 0 for w = X^T a, sum a = 0.
    """
    a = np.zeros(len(X))
    if l2:
        a = np.random.default_rng(seed).normal(size=len(X)) / 2
        a -= a.mean()
        theta = np.append(X.T @ a, theta[-1])
    p = 1 / (1 + np.exp(-(X @ theta[:-1] + theta[-1])))
    positive = total * p + l2 * a
    assert (positive >= 0).all()
    assert (positive <= total).all()
    weight = np.concatenate([positive, total - positive])
    y = np.repeat([1.0, 0.0], len(X))
    return LinearObjective(layout(np.vstack([X, X])), y, Logistic(), l2=l2, weight=weight), theta


def counts(X, theta):
    """Poisson regression whose minimum is θ: each rate as the mean of the whole numbers around it."""
    rate = np.exp(X @ theta[:-1] + theta[-1])
    below = np.floor(rate)
    y, weight = np.concatenate([below, below + 1]), np.concatenate([below + 1 - rate, rate - below])
    return LinearObjective(np.vstack([X, X]), y, PoissonLoss(), weight=weight), theta


def quadratic(X, theta, l2=0.0, seed=0):
    """Least squares whose minimum is θ: residuals at right angles to all columns, up to the penalty's share."""
    A = np.column_stack([X, np.ones(len(X))])
    residual = np.random.default_rng(seed).normal(size=len(X))
    residual -= A @ np.linalg.lstsq(A, residual, rcond=None)[0]
    pull = A @ np.linalg.solve(A.T @ A, l2 * np.append(theta[:-1], 0.0))
    return LinearObjective(X, A @ theta + pull + residual, Squared(), l2=l2), theta


def times(objective, c):
    """c F: weights and penalty times c."""
    weight = c * (np.ones(objective.n_examples) if objective.weight is None else objective.weight)
    return LinearObjective(objective.X, objective.y, objective.loss, l2=c * objective.l2, weight=weight)


def make(problem):
    rng = np.random.default_rng(5)
    X, theta = rng.normal(size=(60, 4)), np.array([0.8, -1.2, 0.3, 0.5, -0.4])
    rotated = np.linalg.qr(rng.normal(size=(60, 4)))[0] * 10.0 ** np.linspace(0, -3, 4) * 30
    rotated = rotated @ np.linalg.qr(rng.normal(size=(4, 4)))[0]
    wide = rng.normal(size=(12, 40)) / 5
    return {
        "long": lambda: binary(X, theta),
        "wide": lambda: binary(wide, np.zeros(41), l2=0.5, total=4.0),
        "sparse": lambda: binary(X * (rng.random(X.shape) < 0.3), theta, layout=sparse.csr_array),
        "condition 1e6": lambda: binary(rotated, theta),
        "large counts": lambda: counts(X / 2, np.array([0.8, -1.2, 0.3, 0.5, 8.0])),
        "least squares": lambda: quadratic(X, theta, l2=3.0),
    }[problem]()


CASES = [
    (solver, problem)
    for problem in ("long", "wide", "sparse", "condition 1e6", "large counts", "least squares")
    for solver in SOLVERS
    if not (problem == "condition 1e6" and solver in (gradient_descent, coordinate_newton))  # some 10⁶ iterations
    and not (problem == "large counts" and solver is fixed_hessian)  # a curvature without bound
]


@pytest.mark.parametrize(("solver", "problem"), CASES, ids=name)
def test_solvers_find_the_minimum(solver, problem):
    objective, best = make(problem)
    gradient = objective.value_and_gradient(best)[1]
    scale = np.abs(objective.value_and_gradient(objective.start())[1]).max()
    assert np.abs(gradient).max() <= 1e-13 * scale  # the problem is what it should be
    start = best + 0.3 if (solver, problem) == (irls, "large counts") else None  # full steps need a good start
    solution = solver(objective, start, tolerance=TIGHT.get(solver, 1e-10))
    assert solution.certificate.converged, solution.certificate
    assert_allclose(solution.theta, best, atol=1e-3 if problem == "condition 1e6" else 2e-7)
    assert solution.value == objective.value(solution.theta) or solution.value == pytest.approx(
        objective.value(solution.theta), rel=1e-13
    )
    assert solution.value - objective.value(best) <= 1e-12 * max(1, abs(solution.value))
    assert solution.certificate.gap <= 1e-6 * max(1, abs(solution.value))


@pytest.mark.parametrize("solver", [s for s in SOLVERS if s not in (irls, coordinate_newton)], ids=name)
def test_solvers_of_softmax(solver):
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(50, 3)), rng.integers(0, 3, 50)
    objective = SoftmaxObjective(X, y, 3, l2=0.5)
    best = newton(objective, tolerance=1e-28).theta
    solution = solver(objective, tolerance=TIGHT.get(solver, 1e-10))
    assert solution.certificate.converged
    assert_allclose(objective.value(solution.theta), objective.value(best), rtol=1e-14)
    assert_allclose(solution.theta.reshape(3, 4)[:, :3], best.reshape(3, 4)[:, :3], atol=1e-7)


@pytest.mark.parametrize("solver", SOLVERS, ids=name)
def test_collinear_columns_have_a_minimum_too(solver):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(60, 2))
    theta = np.array([0.7, -0.4, 0.2])
    plain, _ = binary(X, theta)
    twice, _ = binary(np.column_stack([X, X @ [1.0, 2.0], X[:, 0]]), np.array([0.7, -0.4, 0.0, 0.0, 0.2]))
    solution = solver(twice, tolerance=TIGHT.get(solver, 1e-9))
    assert solution.certificate.converged, solution.certificate
    assert_allclose(twice.X @ solution.theta[:-1] + solution.theta[-1], plain.X @ theta[:2] + theta[2], atol=1e-6)
    assert np.abs(solution.theta).max() < 10  # no flight along the direction that changes nothing
    assert solution.certificate.gap < 1e-9


@pytest.mark.parametrize("solver", SOLVERS, ids=name)
def test_at_the_minimum_nothing_is_left_to_do(solver):
    objective, best = make("long")
    solution = solver(objective, best)
    assert solution.iterations == 0
    assert solution.certificate.converged
    assert_array_equal(solution.theta, best)
    assert solution.theta is not best
    assert solution.certificate.gap < 1e-20


@pytest.mark.parametrize("solver", [*SOLVERS, sgd], ids=name)
def test_iterations_run_out(solver):
    options = {"step_size": 0.1} if solver is sgd else {}
    for most in (0, 1, 2):
        objective, _ = make("wide")
        solution = solver(objective, max_iterations=most, tolerance=1e-300, **options)
        assert solution.iterations == most == len(solution.trace) - 1
        assert not solution.certificate.converged
        assert solution.certificate.reason == f"not converged within {most} iterations"
        assert np.isfinite([[s.value, s.gradient_norm, s.passes, s.flops, s.seconds] for s in solution.trace]).all()
        assert solution.value == pytest.approx(objective.value(solution.theta), rel=1e-14)
    assert_array_equal(solver(objective, max_iterations=0, tolerance=1e-300, **options).theta, 0)


@pytest.mark.parametrize("solver", [*SOLVERS, sgd], ids=name)
def test_traces_only_grow_and_begin_anew(solver):
    objective, _ = make("long")
    options = {"step_size": 0.1, "max_iterations": 5} if solver is sgd else {}
    first, second = (solver(objective, **options) for _ in range(2))
    for solution in (first, second):
        for field in ("iteration", "passes", "flops", "seconds"):
            assert (np.diff([getattr(step, field) for step in solution.trace]) > 0).all()
        assert 0 < solution.trace[0].passes <= 2
    costs = [[(step.passes, step.flops, step.value) for step in solution.trace] for solution in (first, second)]
    assert_allclose(*costs, rtol=1e-12)


@pytest.mark.parametrize("unit", [1.0, 1e-16, 1e-18])
@pytest.mark.parametrize("problem", ["long", "wide", "least squares"])
@pytest.mark.parametrize("solver", DESCENT, ids=name)
def test_values_never_go_up(solver, problem, unit):
    objective, best = make(problem)
    if unit != 1:
        objective = times(objective, unit)
    start = best + 20 * np.random.default_rng(8).normal(size=len(best))  # far away, where full steps would overshoot
    values = np.array([step.value for step in solver(objective, start, max_iterations=300).trace])
    assert (np.diff(values) <= 8 * np.finfo(float).eps * np.abs(values[:-1]).clip(unit)).all()
    assert values[-1] < values[0]


# ------------------------------------------------------------------------------------------ costs


def test_an_accepted_newton_step_costs_one_pass():
    objective, _ = make("long")
    solution = newton(objective)
    assert [step.passes for step in solution.trace] == list(range(1, solution.iterations + 2))


def test_a_newton_step_that_overshoots_is_halved():
    objective, best = make("long")
    start = best + 6.0
    value, gradient, hessian = objective.newton_system(start)
    full = objective.value(start - np.linalg.solve(hessian, gradient))
    assert not full < value  # the full step goes up
    solution = newton(objective, start, tolerance=1e-24)
    assert solution.certificate.converged
    # The step is the first of 1, 1/2, 1/4, ... that goes down.
    moved = iterates(newton, objective, start, 1)[1] - start
    step = np.linalg.norm(moved) / np.linalg.norm(np.linalg.solve(hessian, gradient))
    assert step == pytest.approx(2.0 ** -(solution.trace[1].passes - 3), rel=1e-9)
    assert objective.value(start + moved) < value < objective.value(start + 2 * moved)
    assert_allclose(solution.theta, best, atol=1e-9)


def test_a_preconditioner_saves_products():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 20)) * np.geomspace(1, 30, 20)
    y = (X @ rng.normal(size=(20, 4)) / 20 + rng.gumbel(size=(400, 4))).argmax(axis=1)
    plain, helped = (SoftmaxObjective(X, y, 4, l2=0.1) for _ in range(2))
    slow, fast = newton_cg(plain, tolerance=1e-10), newton_cg(helped, tolerance=1e-10, preconditioned=True)
    assert fast.certificate.converged
    assert_allclose(fast.theta, slow.theta, atol=1e-8)
    assert fast.trace[-1].passes < slow.trace[-1].passes / 2


def test_newton_cg_costs_one_product_for_each_inner_step():
    objective, _ = make("long")
    products = []
    plain = objective.hessian_product
    objective.hessian_product = lambda theta, d: (products.append(1), plain(theta, d))[1]
    solution = newton_cg(objective)
    # A pass for each gradient and each product, as all trials were accepted; curvatures come with the gradients.
    assert solution.trace[-1].passes == (solution.iterations + 1) + len(products)


# ------------------------------------------------------------------------------------------ equivalences


def iterates(solver, objective, start=None, most=6, **options):
    return [solver(objective, start, tolerance=1e-300, max_iterations=k, **options).theta for k in range(most + 1)]


@pytest.mark.parametrize("problem", ["long", "wide", "large counts", "least squares"])
def test_irls_is_newton(problem):
    objective, best = make(problem)
    start = best + 0.1 if problem == "large counts" else None
    for ours, theirs in zip(iterates(irls, objective, start, 4), iterates(newton, objective, start, 4), strict=True):
        assert_allclose(ours, theirs, atol=1e-10)


def test_irls_with_an_offset_and_a_glm():
    rng = np.random.default_rng(9)
    X, y, offset = rng.normal(size=(60, 3)), rng.integers(0, 2, 60).astype(float), rng.normal(size=60)
    logistic = LinearObjective(X, y, Logistic(), offset=offset)
    glm = LinearObjective(X, y, GLMLoss(Bernoulli(), Logit()), offset=offset)
    for ours, theirs in zip(iterates(irls, glm, most=4), iterates(newton, logistic, most=4), strict=True):
        assert_allclose(ours, theirs, atol=1e-10)


def test_irls_stops_where_one_coefficient_is_not_finite(monkeypatch):
    monkeypatch.setitem(irls.__globals__, "lstsq", lambda *_, **__: (np.array([np.inf, 0.0, 0.0]),))
    rng = np.random.default_rng(9)
    solution = irls(LinearObjective(rng.normal(size=(60, 2)), rng.integers(0, 2, 60).astype(float), Logistic()))
    assert not solution.certificate.converged
    assert solution.iterations == 0


@pytest.mark.parametrize(("share", "iterations"), [(0.99, 1), (1.01, 0)])
def test_newton_is_done_when_half_the_squared_decrement_is_within_the_tolerance(share, iterations):
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60).astype(float)
    objective = LinearObjective(X, y, Logistic(), l2=1.0)
    start = newton(objective, tolerance=1e-12).theta + 1e-3
    value, gradient, hessian = objective.newton_system(start)
    decrement = gradient @ np.linalg.solve(hessian, gradient)
    assert value > 1  # so that the tolerance is a share of it
    assert newton(objective, start, tolerance=share * decrement / 2 / value).iterations == iterations


def test_newton_does_not_depend_on_the_coordinates():
    rng = np.random.default_rng(10)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60).astype(float)
    A = rng.normal(size=(4, 4)) * [1, 10, 100, 1e4]
    plain = iterates(newton, LinearObjective(X, y, Logistic(), intercept=False), most=5)
    changed = iterates(newton, LinearObjective(X @ A, y, Logistic(), intercept=False), most=5)
    for theta, phi in zip(plain, changed, strict=True):
        assert_allclose(A @ phi, theta, atol=1e-9)
    descent = [
        gradient_descent(LinearObjective(Z, y, Logistic(), intercept=False), max_iterations=3).theta for Z in (X, X @ A)
    ]
    assert np.abs(A @ descent[1] - descent[0]).max() > 1e-3  # as gradient descent does


def test_conjugate_gradients_and_newton_solve_a_parabola_in_few_steps():
    objective, best = make("least squares")
    assert newton(objective).iterations == 1
    assert irls(objective).iterations == 1
    assert fixed_hessian(objective).iterations == 1
    assert conjugate_gradient(objective).iterations <= len(best)
    assert_allclose(iterates(newton, objective, most=1)[1], best, atol=1e-12)


def test_directions_of_conjugate_gradients():
    objective, _ = make("long")
    points = iterates(conjugate_gradient, objective, most=3)
    g = [objective.value_and_gradient(point)[1] for point in points]
    d = -g[0]
    for k in (1, 2):
        d = -g[k] + max(0.0, g[k] @ (g[k] - g[k - 1]) / (g[k - 1] @ g[k - 1])) * d
        moved = points[k + 1] - points[k]
        assert_allclose(moved / np.linalg.norm(moved), d / np.linalg.norm(d), atol=1e-9)


def test_lbfgs_with_all_steps_in_memory_is_bfgs_up_to_its_first_matrix():
    objective, best = make("long")
    assert_allclose(iterates(bfgs, objective, most=2)[2], iterates(lbfgs, objective, most=2)[2], atol=1e-12)
    short, long = (lbfgs(objective, memory=k) for k in (1, 30))
    assert long.iterations < short.iterations
    assert_allclose(short.theta, best, atol=1e-6)


# ------------------------------------------------------------------------------------------ orders of convergence


def errors(solver, problem, most, distance=0.5, **options):
    objective, best = make(problem)
    start = best + distance * np.random.default_rng(11).normal(size=len(best))
    return np.array([np.linalg.norm(t - best) for t in iterates(solver, objective, start, most, **options)])


def test_newton_converges_quadratically():
    for solver in (newton, irls):
        e = errors(solver, "long", 4)
        e = e[e > 1e-13]
        orders = np.log(e[2:] / e[1:-1]) / np.log(e[1:-1] / e[:-2])
        assert 1.8 < orders[-1] < 2.3
        constants = e[1:] / e[:-1] ** 2
        assert constants.max() < 5  # the error is squared, up to a factor


def test_gradient_descent_converges_linearly():
    objective, best = make("long")
    L = largest_curvature(objective)
    assert_allclose(L, eigvalsh(objective.hessian_bound())[-1])
    e = errors(gradient_descent, "long", 80, step_size=1 / L)
    rate = 1 - eigvalsh(objective.newton_system(best)[2])[0] / L
    ratios = e[1:] / e[:-1]
    assert_allclose(ratios[-5:], rate, atol=2e-3)
    assert ratios[-1] < 1


def test_a_fixed_hessian_converges_linearly():
    objective, best = make("long")
    H, B = objective.newton_system(best)[2], objective.hessian_bound()
    rate = 1 - eigh(H, B, eigvals_only=True)[0]
    e = errors(fixed_hessian, "long", 40)
    ratios = e[1:] / e[:-1]
    assert_allclose(ratios[20:35], rate, atol=2e-2)


@pytest.mark.parametrize("solver", [bfgs, newton_cg], ids=name)
def test_convergence_faster_than_linear(solver):
    e = errors(solver, "long", 25)
    e = e[: np.argmax(e < 1e-11)]  # before rounding
    ratios = e[1:] / e[:-1]
    assert ratios[-2:].max() < 0.1 < ratios[:2].max() * 2
    assert len(e) < 25


def test_the_error_of_decaying_steps_falls_as_one_over_k():
    sizes, theta = np.array([200, 800, 3200]), np.array([1.0, -0.5])
    mean_square = []
    for m in sizes:
        squares = []
        for seed in range(12):
            rng = np.random.default_rng([seed, m])
            X = rng.normal(size=(m, 2))
            objective = LinearObjective(X, X @ theta + rng.normal(size=m), Squared(), intercept=False)
            # t_k = 1.5 / (10 + k), one pass over examples that are new: the error is that to the true θ
            online = sgd(objective, step_size=0.15, decay=m / 10, max_iterations=1, seed=seed)
            squares.append(np.sum((online.theta - theta) ** 2))
        mean_square.append(np.mean(squares))
    slope = np.polyfit(np.log(sizes), np.log(mean_square), 1)[0]
    assert -1.35 < slope < -0.7


# ------------------------------------------------------------------------------------------ stochastic gradients


def test_sgd_by_hand():
    rng = np.random.default_rng(12)
    X, y, weight = rng.normal(size=(7, 2)), rng.integers(0, 2, 7).astype(float), rng.uniform(0.5, 2, 7)
    for batch, decay, average in ((1, 0.0, False), (3, 2.0, False), (2, 2.0, True)):
        objective = LinearObjective(X, y, Logistic(), l2=0.6, weight=weight)
        options = {"step_size": 0.3, "decay": decay, "batch": batch, "average": average}
        solution = sgd(objective, **options, seed=4, max_iterations=4, tolerance=1e-300)
        theta, order, k, seen = np.zeros(3), np.random.default_rng(4), 0, []
        for epoch in range(4):
            rows = order.permutation(7)
            for first in range(0, 7, batch):
                some = rows[first : first + batch]
                A = np.column_stack([X[some], np.ones(len(some))])
                slope = weight[some] * (1 / (1 + np.exp(-A @ theta)) - y[some])
                step = 0.3 / (1 + decay * k / 7)
                theta = theta - step * (A.T @ slope / len(some) + 0.6 / 7 * np.append(theta[:2], 0))
                k += len(some)
                if epoch >= 2:  # the last half of the passes
                    seen.append(theta)
        assert_allclose(solution.theta, np.mean(seen, axis=0) if average else theta, rtol=1e-12)


def test_sgd_is_repeatable_and_random():
    objective, _ = make("long")
    runs = [sgd(objective, step_size=0.1, max_iterations=3, seed=seed).theta for seed in (0, 0, 1)]
    assert_array_equal(runs[0], runs[1])
    assert (runs[0] != runs[2]).any()


def test_sgd_reaches_the_minimum_where_there_is_no_noise():
    rng = np.random.default_rng(13)
    X, theta = rng.normal(size=(40, 3)), np.array([0.5, -1.0, 2.0, 0.3])
    exact = LinearObjective(X, X @ theta[:3] + theta[3], Squared())  # one θ fits every example
    for batch in (1, 8):
        solution = sgd(exact, step_size=0.1, batch=batch, max_iterations=400)
        assert solution.certificate.converged
        assert_allclose(solution.theta, theta, atol=1e-6)
    full = sgd(exact, step_size=0.1, batch=1000, max_iterations=5, tolerance=1e-300)  # all examples: gradient descent
    plain = gradient_descent(exact, step_size=0.1 / 40, max_iterations=5, tolerance=1e-300)
    assert_allclose(full.theta, plain.theta, rtol=1e-12)


def test_averages_are_better_than_the_last_iterate():
    rng = np.random.default_rng(14)
    X = rng.normal(size=(300, 3))
    objective = LinearObjective(X, X @ [1.0, -1.0, 0.5] + 2 * rng.normal(size=300), Squared())
    best = newton(objective).value
    last, mean = (
        [sgd(objective, step_size=0.1, average=average, seed=s, max_iterations=6).value - best for s in range(4)]
        for average in (False, True)
    )
    assert np.mean(mean) < np.mean(last) / 5
    assert (np.array(mean) < np.array(last)).all()


def test_decaying_steps_are_better_than_constant_ones_in_the_end():
    objective, _ = make("long")
    best = newton(objective).value
    gaps = [sgd(objective, step_size=0.5, decay=decay, max_iterations=60).value - best for decay in (0.0, 1.0)]
    assert gaps[1] < gaps[0] / 5


@pytest.mark.parametrize("loss", [PerceptronLoss(), Hinge(), SquaredHinge()], ids=lambda loss: type(loss).__name__)
def test_losses_with_corners_learn_by_subgradients(loss):
    rng = np.random.default_rng(15)
    X = rng.normal(size=(80, 2))
    y = np.where(X @ [1.0, 2.0] > 0.1, 1.0, -1.0)
    X += 0.3 * y[:, None]  # a gap between the classes
    objective = LinearObjective(X, y, loss)
    solution = sgd(objective, step_size=0.2, max_iterations=100)
    assert (np.sign(X @ solution.theta[:2] + solution.theta[2]) == y).all()
    if isinstance(loss, PerceptronLoss):
        assert solution.certificate.converged  # no mistake, no step: the gradient is zero
        assert solution.value == 0


def test_sgd_on_sparse_rows_is_sgd_on_dense_rows():
    rng = np.random.default_rng(16)
    X, y = rng.normal(size=(50, 6)) * (rng.random((50, 6)) < 0.3), rng.integers(0, 2, 50).astype(float)
    for batch in (1, 4):
        runs = [
            sgd(LinearObjective(Z, y, Logistic(), l2=0.1), step_size=0.3, batch=batch, max_iterations=3).theta
            for Z in (X, sparse.csr_array(X))
        ]
        assert_allclose(*runs, rtol=1e-12)


# ------------------------------------------------------------------------------------------ what has no answer


@pytest.mark.parametrize("solver", [gradient_descent, sgd], ids=name)
def test_steps_that_are_too_long_are_an_error(solver):
    objective, _ = make("least squares")
    step = 2.5 / largest_curvature(objective)
    step = {"step_size": step} if solver is gradient_descent else {"step_size": 60 * step, "batch": 60}
    with pytest.raises(ValueError, match=r"the objective is (inf|nan) after \d+ iterations: use a smaller step size"):
        solver(objective, max_iterations=10_000, **step)


def test_steps_just_below_two_over_the_largest_curvature_still_go_down():
    objective, best = make("least squares")
    solution = gradient_descent(objective, step_size=1.95 / largest_curvature(objective))
    assert (np.diff([step.value for step in solution.trace]) <= 1e-12).all()
    assert_allclose(solution.theta, best, atol=1e-6)


@pytest.mark.parametrize("solver", [newton, bfgs, lbfgs, conjugate_gradient, newton_cg, gradient_descent], ids=name)
@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_units_of_measurement_do_not_matter(solver, scale):
    rng = np.random.default_rng(17)
    X, y = rng.normal(size=(50, 2)), rng.integers(0, 2, 50).astype(float)
    plain = newton(LinearObjective(X, y, Logistic(), intercept=False), tolerance=1e-24)
    objective = LinearObjective(scale * X, y, Logistic(), intercept=False)
    solution = solver(objective, tolerance=min(1e-10 * min(scale, 1), TIGHT.get(solver, 1)))
    assert solution.iterations < 200
    assert_allclose(solution.theta * scale, plain.theta, atol=1e-5)


@pytest.mark.parametrize("solver", SOLVERS, ids=name)
def test_a_problem_without_minimum_is_not_called_solved_with_a_small_gap(solver):
    X, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array([0.0, 0.0, 1.0, 1.0])
    solution = solver(LinearObjective(X, y, Logistic()), max_iterations=6)
    assert np.isfinite(solution.theta).all()
    assert np.isfinite(solution.value)
    assert solution.certificate.gap >= solution.value * (1 - 1e-9)  # the infimum is 0


@pytest.mark.parametrize("solver", [*SOLVERS, sgd], ids=name)
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tolerance": 0}, "tolerance must be a number above 0, received 0"),
        ({"tolerance": -1e-8}, "tolerance .* -1e-08"),
        ({"tolerance": np.nan}, "tolerance .* nan"),
        ({"tolerance": np.inf}, "tolerance .* inf"),
        ({"tolerance": "small"}, "tolerance .* 'small'"),
        ({"max_iterations": -1}, "max_iterations must be a whole number of at least 0, received -1"),
        ({"max_iterations": 2.5}, "max_iterations .* 2.5"),
        ({"start": [0.0, 0.0]}, r"start must have the shape \(5,\), received \(2,\)"),
        ({"start": [0.0, 0.0, np.nan, 0.0, 0.0]}, "start must be finite, received"),
    ],
    ids=str,
)
def test_bad_options(solver, options, words):
    objective, _ = make("long")
    more = {"step_size": 0.1} if solver is sgd else {}
    with pytest.raises(ValueError, match=words):
        solver(objective, **options, **more)


@pytest.mark.parametrize(
    ("solver", "options", "words"),
    [
        (sgd, {"step_size": 0}, "step_size must be a number above 0, received 0"),
        (sgd, {"step_size": np.inf}, "step_size .* inf"),
        (sgd, {"step_size": None}, "step_size .* None"),
        (sgd, {"step_size": 1.0, "batch": 0}, "batch must be a whole number of at least 1, received 0"),
        (sgd, {"step_size": 1.0, "batch": 1.5}, "batch .* 1.5"),
        (sgd, {"step_size": 1.0, "decay": -1.0}, "decay must be a number of at least 0, received -1.0"),
        (gradient_descent, {"step_size": -1.0}, "step_size must be a number above 0, or None .* received -1.0"),
        (gradient_descent, {"step_size": np.nan}, "step_size .* nan"),
        (gradient_descent, {"step_size": "big"}, "step_size .* 'big'"),
        (lbfgs, {"memory": 0}, "memory must be a whole number of at least 1, received 0"),
    ],
    ids=name,
)
def test_bad_options_of_one_solver(solver, options, words):
    objective, _ = make("long")
    with pytest.raises(ValueError, match=words):
        solver(objective, **options)


@pytest.mark.parametrize("solver", SOLVERS, ids=name)
def test_a_start_without_value_is_refused(solver):
    objective = LinearObjective(np.ones((3, 1)), [1.0, 2.0, 3.0], PoissonLoss(), l2=1.0)
    if solver is fixed_hessian:
        objective = LinearObjective(np.full((3, 1), 1e200), [1.0, 2.0, 3.0], Squared())
    with pytest.raises(ValueError, match="the objective is inf at the start: use another start, or rescale X"):
        solver(objective, np.array([800.0, 800.0]))


# ------------------------------------------------------------------------------------------ parts


def test_line_searches_keep_their_conditions():
    rng = np.random.default_rng(18)
    objective, best = make("long")
    for scale in (0.01, 1, 30):
        theta = best + scale * rng.normal(size=5)
        value, gradient = objective.value_and_gradient(theta)
        d, slope = -gradient, -gradient @ gradient
        step, there, F, g = backtrack(objective, theta, value, gradient, d)
        assert_array_equal(there, theta + step * d)
        assert objective.value(there) == pytest.approx(F, rel=1e-14)
        assert_array_equal(g, objective.value_and_gradient(there)[1])
        assert value + 1e-4 * step * slope >= F
        if step < 1:
            assert objective.value(theta + 2 * step * d) > value + 2e-4 * step * slope
        for strong, curvature in ((False, 0.9), (True, 0.1)):
            step, there, F, g = wolfe(objective, theta, value, gradient, d, curvature=curvature, strong=strong)
            assert_array_equal(there, theta + step * d)
            assert objective.value(there) == pytest.approx(F, rel=1e-14)
            assert value + 1e-4 * step * slope >= F
            assert g @ d >= curvature * slope
            if strong:
                assert abs(g @ d) <= -curvature * slope
    for search, value in ((backtrack, np.inf), (wolfe, np.nan)):
        nowhere = SimpleNamespace(value_and_gradient=lambda theta, value=value: (value, np.ones(1)), unit=1.0)
        assert search(nowhere, np.zeros(1), 0.0, -np.ones(1), np.ones(1)) is None


@pytest.mark.parametrize(
    ("lowest", "trials"),
    [
        (0.3, [1, 0.3]),  # too far: a line through both slopes
        (5, [1, 5]),  # not far enough
        (50, [1, 10, 50]),  # no more than ten times as far
        (0.05, [1, 0.1, 0.05]),  # no nearer to an end than a tenth of what is left
        (0.95, [1, 0.9, 0.95]),
        (0.912, [1, 0.9, 0.912]),
        (0.995, [1, 0.9, 0.99, 0.995]),
        (1.2, [1, 1.5, 1.2]),  # a longer step is longer by half at least
    ],
)
def test_a_parabola_is_searched_by_lines_through_its_slopes(lowest, trials):
    seen = []

    def parabola(theta):
        seen.append(theta[0])
        return (theta[0] - lowest) ** 2 / 2, theta - lowest

    objective, start = SimpleNamespace(value_and_gradient=parabola, unit=1.0), np.zeros(1)
    step, *_ = wolfe(objective, start, lowest**2 / 2, start - lowest, np.ones(1), curvature=0.001, strong=True)
    assert_allclose(seen, trials, rtol=1e-14)
    assert step == seen[-1]


def test_where_a_slope_is_unknown_the_middle_is_tried():
    seen = []

    def cliff(theta):
        seen.append(theta[0])
        return ((theta[0] - 0.5) ** 2, 2 * theta - 1) if theta[0] < 0.9 else (np.inf, np.full(1, np.nan))

    objective = SimpleNamespace(value_and_gradient=cliff, unit=1.0)
    assert wolfe(objective, np.zeros(1), 0.25, -np.ones(1), np.ones(1))[0] == 0.5
    assert seen == [1.0, 0.5]


def test_what_it_means_to_go_down():
    """F + c t slope, with F = 10, c = 0.1, t = 0.5 and slope = -2, is 9.9; 4 eps F of it may be rounding."""
    eps = np.finfo(float).eps
    for value, slope, down in [
        (9.9 - 60 * eps, 5.0, True),
        (9.9 - 20 * eps, 5.0, False),
        (10 + 32 * eps, 1.6 - 1e-12, True),  # as high as before but for rounding: the slope decides
        (10 + 32 * eps, 1.6 + 1e-12, False),
        (10 + 64 * eps, -5.0, False),
        (np.nan, -5.0, False),
    ]:
        assert goes_down(value, slope, 10.0, -2.0, step=0.5, sufficient=0.1) is down
    assert (magnitude(-7.0, 3.0), magnitude(0.5, 3.0), magnitude(0.0, 0.01), magnitude(0.5, 0.01)) == (7, 1, 0.01, 0.5)


@pytest.mark.parametrize("l2", [0.0, 0.1, 0.7, 20.0])
def test_a_step_in_one_coordinate_is_halved_until_it_gains(l2):
    """As with F itself in place of the terms that change; far from the minimum whole steps go too far."""
    rng = np.random.default_rng(20)
    objective = LinearObjective(rng.normal(size=(30, 3)), rng.integers(0, 2, 30), Logistic(), l2=l2)
    halved = 0
    for theta in 3 * rng.normal(size=(8, 4)):
        expected = theta.copy()
        for j, unit in enumerate(np.eye(4)):
            value, gradient, hessian = objective.newton_system(expected)
            step = -gradient[j] / hessian[j, j]
            while objective.value(expected + step * unit) > value + 1e-4 * step * gradient[j]:
                step, halved = step / 2, halved + 1
            expected[j] += step
        assert_allclose(newton_round(objective, theta), expected, rtol=1e-9)
    assert halved or l2 > 1


def test_how_exactly_the_systems_of_newton_cg_are_solved():
    """To min(1/2, √(|∇F| / the first)) |∇F|, but no further than the tolerance asks for."""
    objective = LinearObjective(np.eye(2), [1.0, 0.0], Squared(), intercept=False)
    run = Run(objective, np.array([9.0, 0.0]), 1e-3, 10)
    run.look()
    assert run.steps[0].gradient_norm == 8
    for norm, left in ((0.08, 0.1 * 0.08), (4.0, 2.0), (16.0, 8.0), (1e-3, 4e-3)):
        assert_allclose(residual_allowed(run, np.array([0.6, -0.8]) * norm), left, rtol=1e-14)


def test_where_the_hessian_is_flat_newton_cg_goes_down_the_gradient():
    gradient = np.array([3.0, -4.0])
    for hessian, direction in (((0, 0), [-3, 4]), ((1, 1), [-3, 4]), ((1, 2), [-3, 2])):
        objective = SimpleNamespace(hessian_product=lambda _, p, hessian=hessian: np.array(hessian) * p)
        assert_allclose(inexact_direction(objective, np.zeros(2), gradient, 1e-12), direction, rtol=1e-14)


def test_a_solver_that_is_stuck_says_so():
    class Cliff(LinearObjective):
        """Every step away from the start is into the abyss."""

        def value(self, theta):
            return super().value(theta) if not theta.any() else np.inf

        def value_and_gradient(self, theta):
            return self.value(theta), super().value_and_gradient(theta)[1]

        def newton_system(self, theta):
            return self.value(theta), *super().newton_system(theta)[1:]

    for solver in (newton, newton_cg, bfgs, lbfgs, conjugate_gradient, gradient_descent):
        solution = solver(Cliff(np.eye(2), [0.0, 1.0], Logistic(), l2=0.1))
        assert solution.iterations == 0
        assert not solution.certificate.converged
        assert solution.certificate.reason == "no step gains more than rounding loses"


class Huber(Loss):
    """A parabola for |z - y| ≤ 1, straight lines beyond."""

    curvature_bound = 1.0
    responses = "finite numbers"

    def value(self, y, z):
        r = np.abs(z - y)
        return np.where(r <= 1, r**2 / 2, r - 0.5)

    def gradient(self, y, z):
        return np.clip(z - y, -1.0, 1.0)

    def curvature(self, y, z):
        return (np.abs(z - y) <= 1).astype(float)

    def _valid(self, y):
        return np.isfinite(y)


@pytest.mark.parametrize("l2", [0.0, 10.0])
@pytest.mark.parametrize("loss", [Huber(), Hinge(), PerceptronLoss()], ids=lambda loss: type(loss).__name__)
@pytest.mark.parametrize("solver", [*SOLVERS, growing_newton], ids=name)
def test_where_a_loss_is_straight_no_solver_takes_a_slope_for_a_minimum(solver, loss, l2):
    rng = np.random.default_rng(21)
    X = rng.normal(size=(4000, 2))
    y = X @ [1.0, -1.0] + rng.normal(size=4000) + 0.3
    objective = LinearObjective(X, 100 + y if isinstance(loss, Huber) else np.where(y > 0, 1.0, -1.0), loss, l2=l2)
    if solver is fixed_hessian and not isinstance(loss, Huber):
        with pytest.raises(ValueError, match="a curvature without bound"):
            solver(objective)
        return
    solution = solver(objective, max_iterations=60)
    gradient = objective.value_and_gradient(solution.theta)[1]
    if solution.certificate.converged:
        assert np.abs(gradient).max() <= 1e-5 * solution.trace[0].gradient_norm
    if solver in (newton, growing_newton) and l2 == 0:  # no row has any curvature at the start
        assert solution.iterations == 0
        assert not solution.certificate.converged
        assert solution.certificate.reason == "the Hessian is flat in a direction in which the gradient is not 0"
        assert solution.certificate.gap == np.inf


@pytest.mark.parametrize("solver", [bfgs, lbfgs, conjugate_gradient, gradient_descent], ids=name)
def test_a_gradient_so_small_that_its_square_is_zero(solver):
    """log(1 + e^-400θ) has no minimum: the first step is to θ = 1, where the derivative is -400 e^-400."""
    solution = solver(LinearObjective(np.array([[400.0]]), [1.0], Logistic(), intercept=False))
    assert_array_equal(solution.theta, [1.0])
    assert solution.certificate.converged
    assert solution.certificate.gap == np.inf


@pytest.mark.parametrize(("off", "regular"), [(1 - 1e-13, True), (1 - 1e-16, False)])
@pytest.mark.parametrize("unit", [1e-5, 1.0, 1e5])
def test_a_matrix_is_singular_where_a_pivot_is_rounding(off, regular, unit):
    """The square of the second pivot of ((1, c), (c, 1)) is 1 - c², about 2e-13 or 2e-16; 2 ε is 4e-16."""
    assert (regular_factor(np.array([[1.0, off * unit], [off * unit, unit**2]])) is not None) == regular


def test_inverse_of_regular_and_singular_matrices():
    rng = np.random.default_rng(19)
    A = rng.normal(size=(30, 4)) * [1, 1e-5, 1e5, 1]
    g = rng.normal(size=4)
    assert_allclose(inverse(A.T @ A)(g), np.linalg.solve(A.T @ A, g), rtol=1e-8)  # badly scaled is not singular
    twice = np.column_stack([A[:, :1], A[:, :1], A[:, 3:]])
    H = twice.T @ twice
    g = H @ np.array([1.0, 2.0, 3.0])
    x = inverse(H)(g)
    assert_allclose(H @ x, g, rtol=1e-10)
    assert_allclose(x, [1.5, 1.5, 3.0], rtol=1e-8)  # the shortest
