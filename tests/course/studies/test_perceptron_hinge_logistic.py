"""Experiments on losses of the margin, against independent oracles."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.svm import SVC

from course.studies.perceptron_hinge_logistic.best_score import best_score, expected_loss
from course.studies.perceptron_hinge_logistic.fits import (
    Line,
    as_probability,
    averaged_perceptron,
    hinge,
    logistic,
    perceptron,
    squared,
    squared_hinge,
)
from course.studies.perceptron_hinge_logistic.novikoff import mistakes, on_the_sphere, widest_margin
from course.studies.perceptron_hinge_logistic.scenes import (
    Scene,
    bayes_error,
    clouds,
    posterior,
    separable,
    with_one_wrong,
)
from course.studies.perceptron_hinge_logistic.walks import sharpened, walk
from probml.linear_model import Perceptron
from probml.losses import Hinge, Logistic, PerceptronLoss, Squared, SquaredHinge
from probml.objectives import LinearObjective

SCENES = {
    "clouds": lambda rng: clouds(50, 2.0, rng),
    "separable": lambda rng: separable(50, 0.6, rng),
    "one wrong": lambda rng: with_one_wrong(separable(50, 0.6, rng), 1.5),
}


# Scenes


def test_posterior_and_error_of_the_clouds():
    drawn = clouds(200_000, 2.0, np.random.default_rng(0))
    p = posterior(drawn.X, 2.0)
    wrong = np.mean((p > 0.5) != (drawn.y > 0))
    assert abs(wrong - bayes_error(2.0)) < 4 * np.sqrt(0.16 * 0.84 / 200_000)
    middle = (p > 0.6) & (p < 0.7)
    assert abs(np.mean(drawn.y[middle] > 0) - p[middle].mean()) < 4 * 0.5 / np.sqrt(middle.sum())


def test_separable_scene_has_its_gap():
    drawn = separable(500, 0.6, np.random.default_rng(1))
    assert np.min(drawn.y * drawn.X.sum(axis=1) / np.sqrt(2)) >= 0.3
    more = with_one_wrong(drawn, 1.5)
    assert more.y[-1] == 1
    assert np.isclose(more.X[-1].sum() / np.sqrt(2), -1.5)


# The bound


@pytest.mark.parametrize("seed", range(5))
def test_widest_margin_is_that_of_a_general_solver(seed):
    X, y = on_the_sphere(30, 4, 0.1, np.random.default_rng(seed))
    found = widest_margin(X, y)
    G = y[:, None] * X
    by_program = minimize(
        lambda w: w @ w / 2,
        found.direction,
        jac=lambda w: w,
        constraints={"type": "ineq", "fun": lambda w: G @ w - 1, "jac": lambda w: G},
        method="SLSQP",
        options={"ftol": 1e-14},
    )
    assert np.isclose(found.gamma, 1 / np.linalg.norm(by_program.x), rtol=1e-6)
    assert np.isclose((G @ found.direction).min(), found.gamma)
    assert np.isclose(found.radius, 1)
    assert np.isclose(found.bound, found.gamma**-2)


def test_no_margin_is_an_error():
    with pytest.raises(ValueError, match="no hyperplane through the origin"):
        widest_margin(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([1.0, -1.0]))


def test_unit_vectors_attain_the_bound():
    y = np.array([1.0, -1.0, 1.0, 1.0])
    assert np.isclose(widest_margin(np.eye(4), y).bound, 4)
    count, along, length = mistakes(np.eye(4), y)
    assert count == 4
    np.testing.assert_allclose(along, np.arange(1, 5) / 2)
    np.testing.assert_allclose(length, np.arange(1, 5))


def test_too_few_passes_are_an_error():
    X, y = on_the_sphere(50, 5, 0.01, np.random.default_rng(0))
    with pytest.raises(ValueError, match="after 1 passes"):
        mistakes(X, y, passes=1)


@pytest.mark.parametrize("seed", range(5))
def test_perceptron_never_gives_up_on_a_margin_within_the_tolerance(seed):
    X, y = on_the_sphere(100, 3, 0.02, np.random.default_rng(seed))
    margin = widest_margin(X / np.abs(X).max(axis=0), y)
    model = Perceptron(fit_intercept=False, tol=margin.gamma / margin.radius, max_iter=10**5).fit(X, y)
    assert model.solution_.certificate.converged
    assert model.score(X, y) == 1


# Walks


def test_walk_is_the_gradient_of_one_example_at_a_time():
    scene = clouds(6, 2.0, np.random.default_rng(2))
    codes = (scene.y > 0).astype(float)
    path = walk(LinearObjective(scene.X, codes, Logistic()), np.array([3, 0]), 0.5)
    first = 0.5 * (codes[3] - 0.5) * scene.with_ones[3]
    second = first + 0.5 * (codes[0] - expit(first @ scene.with_ones[0])) * scene.with_ones[0]
    np.testing.assert_allclose(path, [np.zeros(3), first, second])


def test_sharpened_update_is_logistic_for_beta_1_and_perceptron_in_the_limit():
    scene = clouds(30, 2.0, np.random.default_rng(3))
    X, order, start = scene.with_ones, np.arange(30), np.array([0.3, -0.2, 0.1])
    plain = walk(LinearObjective(X, (scene.y > 0).astype(float), Logistic(), intercept=False), order, 1.0, start)
    np.testing.assert_allclose(sharpened(X, scene.y, order, 1.0, start), plain)
    hard = walk(LinearObjective(X, scene.y, PerceptronLoss(), intercept=False), order, 1.0, start)
    np.testing.assert_allclose(sharpened(X, scene.y, order, 1e9, start), hard, atol=1e-12)


# What losses ask for


def test_best_scores():
    p, z = np.array([0.1, 0.4, 0.8]), np.linspace(-3, 3, 6001)
    np.testing.assert_allclose(best_score(Squared(), p, z), 2 * p - 1, atol=1e-9)
    np.testing.assert_allclose(best_score(SquaredHinge(), p, z), 2 * p - 1, atol=1e-9)
    np.testing.assert_allclose(best_score(Logistic(), p, z, answers=(0.0, 1.0)), np.log(p / (1 - p)), atol=6e-4)
    np.testing.assert_allclose(best_score(Hinge(), p, z), [-1, -1, 1], atol=1e-9)
    assert (best_score(PerceptronLoss(), p, z) == 0).all()
    np.testing.assert_allclose(expected_loss(Hinge(), np.array([0.75]), np.array([0.0, 2.0])), [[1.0, 0.75]])


# Fits


@pytest.mark.parametrize("name", SCENES)
def test_hinge_is_the_support_vector_machine_of_scikit_learn(name):
    scene = SCENES[name](np.random.default_rng(4))
    line, peer = hinge(scene, 0.1), SVC(kernel="linear", C=10, tol=1e-10).fit(scene.X, scene.y)
    np.testing.assert_allclose(line.w, peer.coef_[0], atol=1e-4)
    assert abs(line.b - peer.intercept_[0]) < 1e-4


@pytest.mark.parametrize(
    ("fit", "loss"),
    [
        (lambda s: squared(s), lambda m, w: np.sum((1 - m) ** 2) / 2),
        (lambda s: squared_hinge(s, 0.1), lambda m, w: np.sum(np.maximum(0, 1 - m) ** 2) / 2 + 0.05 * w @ w),
        (lambda s: logistic(s, 0.1), lambda m, w: np.sum(np.logaddexp(0, -m)) + 0.05 * w @ w),
    ],
    ids=["squared", "squared hinge", "logistic"],
)
def test_fits_minimise_their_loss_of_the_margin(fit, loss):
    scene = SCENES["one wrong"](np.random.default_rng(5))
    line = fit(scene)

    def value(v):
        return loss(scene.y * (scene.X @ v[:2] + v[2]), v[:2])

    found = minimize(value, np.zeros(3), method="BFGS", options={"gtol": 1e-8})
    np.testing.assert_allclose([*line.w, line.b], found.x, atol=1e-4)


def test_perceptron_and_its_average():
    scene = Scene(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, -1.0]))
    order = np.array([0, 1])
    # (1, 0, 1); then z = 1 for the second, a mistake: (1, -1, 0); then no more
    assert perceptron(scene, order, 5) == (pytest.approx([1, -1]), 0.0)
    mean = averaged_perceptron(scene, order, 2)
    np.testing.assert_allclose([*mean.w, mean.b], [1, -3 / 4, 1 / 4])


def test_lines():
    line = Line(np.array([1.0, 1.0]), -1.0)
    scene = Scene(np.array([[1.0, 1.0], [0.0, 0.0], [0.5, 0.5]]), np.array([1.0, 1.0, -1.0]))
    assert line.error(scene) == pytest.approx(1 / 3)
    assert line.angle() == pytest.approx(45)
    np.testing.assert_allclose(as_probability(line, scene.X), expit([1, -1, 0]))
