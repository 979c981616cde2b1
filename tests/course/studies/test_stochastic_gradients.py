"""Stochastic gradients: methods against their formulas, noise against exact equations, work against counts."""

import numpy as np
import pytest
from scipy.linalg import solve_continuous_lyapunov
from scipy.special import expit

from course.studies.races.problems import Problem, gaussian
from course.studies.races.race import minimum
from course.studies.stochastic_gradients import choice, experiments
from course.studies.stochastic_gradients.runs import (
    SAGA,
    SGD,
    Adam,
    MeanLoss,
    Momentum,
    gaps,
    path,
    reshuffled,
    with_replacement,
)
from probml.solvers import sgd

M = 60


@pytest.fixture(scope="module")
def problem():
    return gaussian(M, 4, np.random.default_rng(1))


@pytest.fixture(params=[(0.0, False), (0.5, True)], ids=["plain", "penalty and intercept"])
def loss(problem, request):
    l2, intercept = request.param
    return MeanLoss.of(Problem(problem.X, problem.y, l2, intercept))


def gradient(loss, i, theta):
    """By the definition, of one example."""
    return (expit(loss.X[i] @ theta) - loss.y[i]) * loss.X[i] + loss.penalty * theta


def test_gap_is_that_of_the_objective(problem):
    other = Problem(problem.X, problem.y, l2=0.5, intercept=True)
    loss, theta = MeanLoss.of(other), np.array([0.3, -0.2, 0.5, 1.0, -0.4])
    expected = (other.objective().value(theta) - minimum(other).value) / M
    assert loss.gap(theta) == pytest.approx(expected)
    assert loss.gap(minimum(other).theta) == pytest.approx(0, abs=1e-14)
    assert loss.single_curvature() == pytest.approx(max(x @ x for x in loss.X) / 4 + 0.5 / M)


@pytest.mark.parametrize("options", [{}, {"decay": 0.5}, {"batch": 5}])
@pytest.mark.parametrize(("l2", "intercept"), [(0.0, False), (0.5, True)])
def test_sgd_is_the_solver_of_the_package(problem, options, l2, intercept):
    other = Problem(problem.X, problem.y, l2, intercept)
    found = gaps(MeanLoss.of(other), SGD(0.2, **options), reshuffled(M, 4, 3))
    trace = sgd(other.objective(), seed=3, step_size=0.2, max_iterations=4, **options).trace
    np.testing.assert_allclose(found, [step.value / M - minimum(other).value / M for step in trace], rtol=1e-8)


def test_batches_must_divide_the_examples(problem):
    with pytest.raises(ValueError, match="60 examples cannot be taken 7 at a time"):
        gaps(MeanLoss.of(problem), SGD(0.2, batch=7), reshuffled(M, 1, 0))


def test_a_step_that_is_much_too_long_is_reported():
    X = 1e3 * np.array([[1.0, 2.0], [-1.0, 0.5], [0.3, -2.0], [1.0, 1.0]])
    loss = MeanLoss.of(Problem(X, np.array([1.0, 0, 0, 1]), l2=1.0))
    with pytest.raises(ValueError, match="smaller step size"):
        path(loss, SGD(1e6), reshuffled(4, 200, 0))


def test_momentum_is_the_formula(loss):
    rows, theta = with_replacement(M, 2, 5), np.zeros(loss.X.shape[1])
    v = np.zeros_like(theta)
    for i in rows.ravel():
        v = 0.8 * v - 0.05 * gradient(loss, i, theta)
        theta = theta + v
    np.testing.assert_allclose(path(loss, Momentum(0.05, 0.8), rows)[-1], theta, rtol=1e-9)
    np.testing.assert_allclose(
        path(loss, Momentum(0.05, 0.0), rows), path(loss, SGD(0.05), rows), rtol=1e-9, atol=1e-15
    )


def test_adam_is_the_formula(loss):
    rows, theta = reshuffled(M, 2, 6), np.zeros(loss.X.shape[1])
    history = []
    for k, i in enumerate(rows.ravel(), start=1):
        history.append(gradient(loss, i, theta))
        # weighted means of all gradients so far, the weights adding up to 1
        first, second = (beta ** np.arange(k)[::-1] for beta in (0.9, 0.999))
        mean = first @ np.array(history) / first.sum()
        square = second @ np.array(history) ** 2 / second.sum()
        theta = theta - 0.01 / (1 + 0.5 * (k - 1) / M) * mean / (np.sqrt(square) + 1e-8)
    np.testing.assert_allclose(path(loss, Adam(0.01, decay=0.5), rows)[-1], theta, rtol=1e-8)


def test_saga_is_the_formula(loss):
    rows, theta = with_replacement(M, 2, 7), np.zeros(loss.X.shape[1])
    table = np.array([(0.5 - y_i) * x for x, y_i in zip(loss.X, loss.y, strict=True)])
    for i in rows.ravel():
        new = (expit(loss.X[i] @ theta) - loss.y[i]) * loss.X[i]
        theta = theta - 0.05 * (new - table[i] + table.mean(axis=0) + loss.penalty * theta)
        table[i] = new
    np.testing.assert_allclose(path(loss, SAGA(0.05), rows)[-1], theta, rtol=1e-9)


def test_saga_arrives_with_a_constant_step_and_sgd_does_not(loss):
    rows, step = with_replacement(M, 400, 8), 1 / (3 * loss.single_curvature())
    assert abs(gaps(loss, SAGA(step), rows)[-1]) < 1e-10
    assert gaps(loss, SGD(step), rows)[-1] > 1e-5


def test_orders_of_the_examples():
    assert (np.sort(reshuffled(20, 3, 0), axis=1) == np.arange(20)).all()
    assert not np.array_equal(*reshuffled(20, 2, 0))
    drawn = with_replacement(20, 500, 0)
    assert drawn.shape == (500, 20)
    counts = np.bincount(drawn.ravel(), minlength=20)
    assert (np.abs(counts - 500) < 5 * np.sqrt(500)).all()


def test_noise_at_the_minimum(problem):
    loss, best = MeanLoss.of(problem), minimum(problem).theta
    noise = experiments.Noise.of(loss, best)
    single = np.array([gradient(loss, i, best) for i in range(M)])
    np.testing.assert_allclose(noise.C, np.cov(single.T, bias=True), atol=1e-12)
    np.testing.assert_allclose(noise.hessian, problem.objective().newton_system(best)[2] / M)
    # H V + V H = α C, solved by another library
    V = solve_continuous_lyapunov(noise.hessian, 0.01 * noise.C)
    assert noise.cloud(0.01) == pytest.approx(np.trace(noise.hessian @ V) / 2)


def test_constant_of_shrinking_steps_is_the_limit_of_the_recursion(problem):
    noise = experiments.Noise.of(MeanLoss.of(problem), minimum(problem).theta)
    c, H = 1 / noise.curvatures[0], noise.hessian
    V, identity = np.zeros_like(H), np.eye(len(H))
    steps = 40_000
    for k in range(10, steps):
        A = identity - c / k * H
        V = A @ V @ A.T + (c / k) ** 2 * noise.C
    assert steps * np.trace(H @ V) / 2 == pytest.approx(noise.shrinking(c), rel=0.01)


def test_shrinking_steps_are_c_over_k_in_the_end(problem):
    loss = MeanLoss.of(problem)
    method = experiments.decaying(loss, 3.0)
    k = 10**7
    assert method.step / (1 + method.decay * k / M) * k == pytest.approx(3.0, rel=1e-4)
    assert method.step == pytest.approx(1 / loss.single_curvature())


def test_valley(problem):
    valley = experiments.Valley.of(problem)
    theta = np.array([0.3, -0.2, 0.5, 1.0])
    np.testing.assert_allclose(valley.gradient(theta), problem.objective().value_and_gradient(theta)[1] / M)
    np.testing.assert_allclose(valley.gradient(valley.best), 0, atol=1e-12)
    for each in (theta, valley.best, np.zeros(4)):
        eigenvalues = np.linalg.eigvalsh(problem.objective().newton_system(each)[2] / M)
        assert eigenvalues[-1] <= valley.L * (1 + 1e-12)
    assert valley.kappa == pytest.approx(valley.L / valley.mu)


def test_tuned_is_the_best_of_six(problem):
    best = experiments.tuned(problem, SGD, runs=2, passes=5, seed=0)
    loss = MeanLoss.of(problem)
    one = experiments.many(loss, SGD(1 / loss.single_curvature(), decay=1.0), reshuffled, 2, 5, 0)
    assert 0 < best <= one[:, -1].mean()


def test_race_of_the_first_figure(problem):
    courses = experiments.race(problem, runs=2, seed=0, most=4)
    assert set(courses) == {"gradient descent", "L-BFGS", "SGD, constant step", "SGD, shrinking", "SAGA"}
    start = np.log(2) - minimum(problem).value / M
    for work, gap in courses.values():
        assert len(work) == len(gap)
        assert gap[0] == pytest.approx(start)
    assert courses["SGD, constant step"][0].tolist() == [0, 1, 2, 3, 4]
    assert courses["SAGA"][0].tolist() == [0, 2, 4]  # a pass costs two full gradients
    assert courses["L-BFGS"][0][0] == pytest.approx(1)


def test_positions_of_a_constant_step_lie_around_the_minimum(problem):
    loss, best = MeanLoss.of(problem), minimum(problem).theta
    longer, shorter = (experiments.positions(loss, step, seed=0) for step in (0.1, 0.025))
    assert longer.shape == shorter.shape == (experiments.POSITIONS, loss.X.shape[1])
    assert shorter.std(axis=0).max() < 0.7 * longer.std(axis=0).min()
    assert (np.abs(shorter.mean(axis=0) - best) < 0.5 * shorter.std(axis=0)).all()


def test_work_until_a_gap(problem):
    found = choice.work(problem, seed=0)
    assert set(found) == {*choice.BATCH_SOLVERS, *choice.OPERATIONS}
    for rough, exact in found.values():
        assert 0 < rough <= exact
    loss = MeanLoss.of(problem)
    method = choice.schedules(problem, loss)["SAGA"]
    after = gaps(loss, method, reshuffled(M, choice.MAX_PASSES, [0, 32]))
    first = int(np.argmax(after <= choice.EXACT))
    assert after[first] <= choice.EXACT
    # two gradients' worth of operations in a pass; looked at more often than once a pass in the first three only
    assert found["SAGA"][1] == pytest.approx(2 * first) or first <= choice.FIRST_PASSES


def test_work_as_it_is_shown():
    assert choice.pair((0.44, np.inf)) == "0.4 / –"
    assert choice.pair((12.6, 1234.0)) == "13 / 1,234"
