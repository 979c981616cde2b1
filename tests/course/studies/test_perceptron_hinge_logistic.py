"""Perceptron, hinge and logistic loss get the same training sets, and each fit minimises its own loss.

Without this, a difference between the losses in the note could be one of the draws, of the solvers or of the error.
"""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit
from sklearn.svm import SVC

from course.figures import png
from course.studies.perceptron_hinge_logistic import figures, readings
from course.studies.perceptron_hinge_logistic.fits import (
    Line,
    hinge,
    logistic,
    perceptron_passes,
    squared,
    squared_hinge,
)
from course.studies.perceptron_hinge_logistic.novikoff import widest_margin
from course.studies.perceptron_hinge_logistic.scenes import Scene, bayes_error, clouds, mean, posterior, separable
from course.studies.perceptron_hinge_logistic.six_points import DIRECTION, POSITIVE_IN_CELL, SEVEN, SIX, five_cells
from probml.linear_model import Perceptron

SCENES = {
    "clouds": lambda rng: clouds(50, 2.0, rng),
    "separable": lambda rng: separable(50, 0.6, rng),
    "seven points": lambda rng: SEVEN,
}


def on_the_sphere(m, n, gamma, rng):
    """X uniform on the unit sphere where |x_1| ≥ γ, and y = sign(x_1): a margin of at least γ."""
    kept = np.empty((0, n))
    while len(kept) < m:
        x = rng.standard_normal((m, n))
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        kept = np.vstack([kept, x[np.abs(x[:, 0]) >= gamma]])
    return kept[:m], np.sign(kept[:m, 0])


# Scenes


def test_posterior_and_error_of_the_clouds():
    drawn = clouds(200_000, 2.0, np.random.default_rng(0))
    p = posterior(drawn.X, 2.0)
    wrong = np.mean((p > 0.5) != (drawn.y > 0))
    assert abs(wrong - bayes_error(2.0)) < 4 * np.sqrt(0.16 * 0.84 / 200_000)
    middle = (p > 0.6) & (p < 0.7)
    assert abs(np.mean(drawn.y[middle] > 0) - p[middle].mean()) < 4 * 0.5 / np.sqrt(middle.sum())
    assert np.linalg.norm(mean(2.0)) == pytest.approx(1)


def test_separable_scene_has_its_gap():
    drawn = separable(500, 0.6, np.random.default_rng(1))
    assert np.min(drawn.y * drawn.X.sum(axis=1) / np.sqrt(2)) >= 0.3


def test_five_cells_hold_their_proportions():
    scene = five_cells()
    assert scene.X.sum(axis=0).tolist() == [100] * 5
    assert (scene.X.T @ (scene.y > 0)).tolist() == POSITIVE_IN_CELL.tolist()


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
    for X, y in (
        (np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([1.0, -1.0])),
        (SEVEN.with_ones, SEVEN.y),
    ):
        with pytest.raises(ValueError, match="no hyperplane through the origin"):
            widest_margin(X, y)


def test_unit_vectors_attain_the_bound():
    y = np.array([1.0, -1.0, 1.0, 1.0])
    assert np.isclose(widest_margin(np.eye(4), y).bound, 4)
    assert Perceptron(fit_intercept=False).fit(np.eye(4), y).n_mistakes_ == 4


def test_direction_of_the_six_points_is_that_of_their_widest_margin():
    found = widest_margin(SIX.with_ones, SIX.y)
    np.testing.assert_allclose(found.direction, DIRECTION, atol=1e-9)
    assert found.bound == pytest.approx(22)


@pytest.mark.parametrize("seed", range(5))
def test_perceptron_never_gives_up_on_a_margin_within_the_tolerance(seed):
    X, y = on_the_sphere(100, 3, 0.02, np.random.default_rng(seed))
    margin = widest_margin(X / np.abs(X).max(axis=0), y)
    model = Perceptron(fit_intercept=False, tol=margin.gamma / margin.radius, max_iter=10**5).fit(X, y)
    assert model.solution_.certificate.converged
    assert model.score(X, y) == 1


# The perceptron


def test_passes_of_the_perceptron_and_their_average():
    scene = Scene(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, -1.0]))
    last, average = perceptron_passes(scene, np.array([0, 1]), 2)
    # (1, 0, 1); then z = 1 for the second, a mistake: (1, -1, 0); then no more
    assert [*last[0].w, last[0].b] == [*last[1].w, last[1].b] == [1, -1, 0]
    np.testing.assert_allclose([*average[0].w, average[0].b], [1, -1 / 2, 1 / 2])
    np.testing.assert_allclose([*average[1].w, average[1].b], [1, -3 / 4, 1 / 4])


def test_passes_are_those_of_the_package():
    scene, order = clouds(40, 2.0, np.random.default_rng(3)), np.random.default_rng(4).permutation(40)
    last, _ = perceptron_passes(scene, order, 7)
    with pytest.warns(match="still makes"):
        peer = Perceptron(max_iter=7, tol=0).fit(scene.X[order], scene.y[order])
    np.testing.assert_allclose([*last[-1].w, last[-1].b], [*peer.coef_[0], *peer.intercept_], atol=1e-12)


# Fits


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("l2", [0.1, 5.0])
def test_hinge_is_the_support_vector_machine_of_scikit_learn(name, l2):
    scene = SCENES[name](np.random.default_rng(4))
    line, peer = hinge(scene, l2), SVC(kernel="linear", C=1 / l2, tol=1e-10).fit(scene.X, scene.y)
    np.testing.assert_allclose(line.w, peer.coef_[0], atol=1e-4)
    assert abs(line.b - peer.intercept_[0]) < 1e-4


def test_hinge_on_seven_points_is_a_line_in_sevenths():
    w_b = [Fraction(6, 7), Fraction(8, 7), Fraction(-3, 7)]
    z = [w_b[0] * int(x1) + w_b[1] * int(x2) + w_b[2] for x1, x2 in SEVEN.X]
    margins = [int(y) * each for y, each in zip(SEVEN.y, z, strict=True)]
    assert [margins[i] for i in (0, 4, 5)] == [1, 1, 1]  # A, E and F lie on the parallels
    # The pulls of C and G are 1, those beyond margin 1 are 0; those of A, E and F make λ w and balance the classes.
    A, C, E, F, G = (SEVEN.X[i] for i in (0, 2, 4, 5, 6))
    equations = np.vstack([np.column_stack([A, E, -F]), [1, 1, -1]])
    pulls = np.linalg.solve(equations, np.append(0.1 * np.array(w_b[:2], dtype=float) - C + G, 0))
    assert ((pulls >= 0) & (pulls <= 1)).all()
    line = hinge(SEVEN, 0.1)
    np.testing.assert_allclose([*line.w, line.b], np.array(w_b, dtype=float), atol=1e-5)


@pytest.mark.parametrize(
    ("fit", "loss"),
    [
        (lambda s: squared(s), lambda t, w: np.sum((1 - t) ** 2) / 2),
        (lambda s: squared_hinge(s, 0.1), lambda t, w: np.sum(np.maximum(0, 1 - t) ** 2) / 2 + 0.05 * w @ w),
        (lambda s: logistic(s, 0.1), lambda t, w: np.sum(np.logaddexp(0, -t)) + 0.05 * w @ w),
    ],
    ids=["squared", "squared hinge", "logistic"],
)
@pytest.mark.parametrize("name", SCENES)
def test_fits_minimise_their_loss_of_the_margin(name, fit, loss):
    scene = SCENES[name](np.random.default_rng(5))
    line = fit(scene)

    def value(v):
        return loss(scene.y * (scene.X @ v[:2] + v[2]), v[:2])

    found = minimize(value, np.zeros(3), method="BFGS", options={"gtol": 1e-8})
    np.testing.assert_allclose([*line.w, line.b], found.x, atol=1e-4)


def test_error_of_a_line_is_that_of_many_new_points():
    line, new = Line(np.array([1.0, 0.3]), -0.4), clouds(400_000, 2.0, np.random.default_rng(6))
    counted = np.mean(new.y * line.score(new.X) <= 0)
    assert abs(line.error(2.0) - counted) < 4 * np.sqrt(0.25 / 400_000)
    assert Line(np.array([3.0, 3.0]), 0.0).error(2.0) == pytest.approx(bayes_error(2.0))


# Readings


def test_readings_undo_what_the_losses_ask_for():
    p = np.array([0.05, 0.4, 0.9])
    np.testing.assert_allclose(readings.as_log_odds(np.log(p / (1 - p))), p)
    np.testing.assert_allclose(readings.as_mean(2 * p - 1), p)
    assert readings.as_mean(np.array([-3.0, 5.0])).tolist() == [0, 1]


def test_scores_in_five_places_are_what_the_losses_ask_for():
    p, found = POSITIVE_IN_CELL / 100, readings.in_five_places()
    np.testing.assert_allclose(found["logistic"], logit(p), atol=1e-4)
    np.testing.assert_allclose(found["squared"], 2 * p - 1, atol=1e-9)
    np.testing.assert_allclose(found["squared hinge"], 2 * p - 1, atol=1e-5)
    np.testing.assert_allclose(found["hinge"], np.sign(2 * p - 1), atol=1e-4)


def test_distances_are_those_of_the_lines():
    found = readings.distances([30], redraws=2, l2=0.1, seed=5)
    new = clouds(readings.NEW_POINTS, 2.0, np.random.default_rng([5, 10])).X
    line = logistic(clouds(30, 2.0, np.random.default_rng([5, 11, 30, 1])), 0.1)
    expected = np.mean(np.abs(expit(line.score(new)) - expit(np.sqrt(2) * new.sum(axis=1))))
    assert found["logistic"][0, 1] == pytest.approx(expected)
    assert {name: each.shape for name, each in found.items()} == dict.fromkeys(readings.READINGS, (1, 2))


def test_all_methods_see_the_same_training_sets():
    last, average = readings.passes_and_errors(20, redraws=2, passes=3, seed=1)
    rng = np.random.default_rng([1, 9, 1])
    scene = clouds(20, 2.0, rng)
    lines, averages = perceptron_passes(scene, rng.permutation(20), 3)
    assert last[1].tolist() == [line.error(2.0) for line in lines]
    assert average[1].tolist() == [line.error(2.0) for line in averages]
    others = readings.errors(20, redraws=2, l2=0.1, seed=1)
    assert others["squared"][1] == squared(scene).error(2.0)
    assert others["hinge"][1] == hinge(scene, 0.1).error(2.0)


# Figures


def test_frames_are_drawn_the_same_each_time_and_say_what_they_show():
    updates = [(0, np.array([3.0, -1.0, 1.0]))] * 6
    one, other = figures.frames(updates), figures.frames(updates)
    assert png(one.fig) == png(other.fig)
    assert "A, weights (3, −1, 1)" in one.alt
