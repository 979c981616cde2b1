"""Random directions in cones: against closed forms, symmetry and rejection sampling.

Samples are independent from cone to cone, each a chain of its own, so that standard errors are those of plain means.
"""

import numpy as np
import pytest

from course.studies.ng_jordan_redone import barrier, billiards, random_hyperplane, rotation
from course.studies.ng_jordan_redone.random_hyperplane import RandomHyperplane
from probml.curves import LogisticRegression, learning_curves
from probml.curves.subsets import Subsets
from probml.errors import ParameterError

CHAINS = 2000
ONE = np.array([0])


def directions(rows, inside, steps=4, chains=CHAINS, seed=0, both=False):
    """From a point inside; by both kinds of steps also where the cone is wide."""
    rows = np.array(rows, dtype=float)
    generators = [np.random.default_rng([seed, chain]) for chain in range(chains)]
    A = np.repeat(rows[None], chains, axis=0)
    point = np.repeat(np.array(inside, dtype=float)[None], chains, axis=0)
    sample = random_hyperplane.by_both if both else random_hyperplane.random_directions
    w = sample(A, point, generators, steps)
    assert ((A @ w[:, :, None]) > 0).all()
    return w / np.linalg.norm(w, axis=1, keepdims=True)


def assert_mean(values, expected, z=4.5):
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    assert (np.abs(values.mean(axis=0) - expected) < z * error + 1e-12).all(), (values.mean(axis=0), expected, error)


KINDS = pytest.mark.parametrize("both", [False, True], ids=["rotations", "both"])


@KINDS
def test_orthant(both):
    """|x| of x uniform on the sphere in d dimensions: E|x_1| = Γ(d/2) / (√π Γ((d+1)/2)); here 4: 4 / (3π)."""
    u = directions(np.eye(4), inside=(1.0, 0.1, 2.0, 0.5), both=both)
    assert_mean(u, 4 / (3 * np.pi))
    assert_mean(u**2, 1 / 4)
    assert_mean(u[:, 0] * u[:, 1], 1 / (2 * np.pi))  # E|x_1 x_2| = (2/π) / d


@pytest.mark.parametrize(
    ("half", "inside", "both"),
    [
        (1e-4, (1.0, 0.0), False),
        (0.5, (1.0, 0.3), False),
        (1e-9, (1.0, 0.0), False),
        (0.01, (1.0, 0.0), True),
        (1.5, (1.0, 0.0), True),
    ],
)
def test_angle_in_the_plane_is_uniform(half, inside, both):
    rows = [(np.sin(half), np.cos(half)), (np.sin(half), -np.cos(half))]
    u = directions(rows, inside=inside, both=both)
    angle = np.arctan2(u[:, 1], u[:, 0]) / half
    assert (np.abs(angle) < 1 + 1e-9).all()
    assert_mean(angle, 0)
    assert_mean(angle**2, 1 / 3)
    assert_mean(angle**4, 1 / 5)


@pytest.mark.parametrize("half", [0.01, 1e-5])
def test_narrow_cones_from_a_point_at_the_edge(half):
    """The start is forgotten: the angle is uniform."""
    rows = np.array([(np.sin(half), np.cos(half)), (np.sin(half), -np.cos(half))])
    A = np.repeat(rows[None], CHAINS, axis=0)
    start = np.tile([np.cos(0.999 * half), np.sin(0.999 * half)], (CHAINS, 1))
    generators = [np.random.default_rng([2, chain]) for chain in range(CHAINS)]
    w = random_hyperplane.random_directions(A, start, generators, 24, from_inside=True)
    angle = np.arctan2(w[:, 1], w[:, 0]) / half
    assert_mean(angle, 0)
    assert_mean(angle**2, 1 / 3)


@KINDS
def test_half_space(both):
    u = directions([(2.0, 0.0, 0.0)], inside=(1.0, 0.2, 0.1), both=both)
    assert_mean(u[:, 0], 1 / 2)  # Archimedes: the height is uniform
    assert_mean(u[:, 0] ** 2, 1 / 3)
    assert_mean(u[:, 1:], 0)


@KINDS
def test_a_round_cone_of_many_walls_has_uniform_heights_and_angles(both):
    """A cone of 24 walls around an axis: nearly a cap, on which the height is uniform (Archimedes)."""
    angles = 2 * np.pi * np.arange(24) / 24
    half = 0.3
    rows = np.column_stack([np.full(24, np.sin(half)), np.cos(half) * np.cos(angles), np.cos(half) * np.sin(angles)])
    u = directions(rows, inside=(1.0, 0.05, -0.1), both=both)
    turn = np.arctan2(u[:, 2], u[:, 1])
    for k in (1, 2, 3):
        assert_mean(np.column_stack([np.cos(k * turn), np.sin(k * turn)]), 0)
    proposals = np.random.default_rng(1).standard_normal((2_000_000, 3))
    accepted = proposals[(proposals @ rows.T > 0).all(axis=1)]
    height = accepted[:, 0] / np.linalg.norm(accepted, axis=1)
    assert len(height) > 30_000
    difference = u[:, 0].mean() - height.mean()
    assert abs(difference) < 4.5 * np.hypot(u[:, 0].std() / np.sqrt(CHAINS), height.std() / np.sqrt(len(height)))


@KINDS
@pytest.mark.parametrize("number", [4, 9])
def test_the_same_as_rejection_sampling_in_five_dimensions(number, both):
    rng = np.random.default_rng(3)
    centre = np.array([1.0, 0.5, 0, 0, 0])
    rows = rng.standard_normal((number, 5)) + centre
    proposals = rng.standard_normal((1_000_000, 5))
    accepted = proposals[(proposals @ rows.T > 0).all(axis=1)]
    accepted /= np.linalg.norm(accepted, axis=1, keepdims=True)
    assert len(accepted) > 5000
    u = directions(rows, inside=accepted[0], both=both)
    for moment in (lambda x: x, lambda x: x**2, lambda x: x @ rows.T):
        ours, theirs = moment(u), moment(accepted)
        error = np.hypot(ours.std(axis=0) / np.sqrt(len(ours)), theirs.std(axis=0) / np.sqrt(len(theirs)))
        assert (np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) < 4.5 * error).all()


def test_a_step_of_either_kind_leaves_the_distribution_as_it_is():
    """From exact samples, one step of each: moments stay, points do not."""
    rows = np.array([[1.0, 0.2, 0.0], [0.3, 1.0, 0.0], [0.5, -0.2, 1.0], [1.0, 1.0, 0.3]])
    rng = np.random.default_rng(0)
    w = rng.standard_normal((60_000, 3))
    w = w[(w @ rows.T > 0).all(axis=1)]
    mirrors = rows * np.sqrt(2 / (rows**2).sum(axis=1, keepdims=True))
    K = np.repeat((mirrors @ mirrors.T)[None], len(w), axis=0)
    v = rng.standard_normal(w.shape)
    angle = rng.uniform(0.1, rotation.QUARTER, len(w))
    push, lost = rotation.rotate(K, w @ mirrors.T, v @ mirrors.T, angle)
    assert not lost.any()
    moved = w * np.cos(angle)[:, None] + v * np.sin(angle)[:, None] + push @ mirrors
    assert (moved @ rows.T > -1e-12).all()
    assert np.abs(moved - w).mean() > 0.1
    assert_mean(moved - w, 0)
    assert_mean(moved**2 - w**2, 0)
    # billiards, in a metric that is not the cone's
    ball = w * (rng.random(len(w)) ** (1 / 3) / np.linalg.norm(w, axis=1))[:, None]
    G = np.repeat(np.array([[0.2, 0.1, 0.4]]), len(w), axis=0)
    v = np.sqrt(G) * rng.standard_normal(w.shape)
    A = np.repeat(rows[None], len(w), axis=0)
    moved, lost = billiards.bounce(A, G, A * G[:, None] @ A.transpose(0, 2, 1), ball, v, 2.0)
    assert lost == 0
    assert (moved @ rows.T > -1e-12).all()
    assert (np.linalg.norm(moved, axis=1) <= 1 + 1e-12).all()
    assert np.abs(moved - ball).mean() > 0.1
    assert_mean(moved - ball, 0)
    assert_mean(moved**2 - ball**2, 0)


def test_paths_that_meet_too_many_walls_are_counted():
    """Across a wedge of a millionth of a right angle there are about a million walls to meet."""
    A = np.array([[[0.0, 1.0], [1e-6, -1.0]]])
    w, v = np.array([[0.5, 2.5e-7]]), np.array([[0.0, 1.0]])
    _, lost = billiards.bounce(A, np.ones((1, 2)), A @ A.transpose(0, 2, 1), w, v, 2.0)
    assert lost == 1
    _, lost = billiards.bounce(A, np.ones((1, 2)), A @ A.transpose(0, 2, 1), w, 1e-3 * v, 2.0)
    assert lost == 0


def test_in_no_time_nothing_moves():
    """Not even from walls: margins that are 0 but for rounding, with speeds towards them."""
    K = np.array([[[2.0, 0.5], [0.5, 2.0]]])
    push, lost = rotation.rotate(K, np.array([[rotation.TINY, 1.0]]), np.array([[-50.0, -3.0]]), np.zeros(1))
    assert not push.any()
    assert not lost.any()


def test_analytic_centre_of_an_orthant():
    """By symmetry w = (a, a), and -2/a + 2 · 2 a / (1 - 2 a²) ... = 0 gives |w|² = c / (c + 2), c walls."""
    w = barrier.analytic_centre(barrier.Barriers(np.eye(3)[None]), np.array([[0.5, 0.1, 0.2]]), 1e-12)
    np.testing.assert_allclose(w, np.sqrt(3 / 5 / 3), rtol=1e-9)


def test_analytic_centre_from_far_off():
    """From next to walls and the sphere, where full steps are too short or leave the cone; one at a time or all."""
    A = np.repeat(np.eye(3)[None], 3, axis=0)
    start = np.array([[0.99, 1e-3, 1e-3], [1e-9, 1e-9, 1e-9], [0.57, 0.57, 0.57]])
    w = barrier.analytic_centre(barrier.Barriers(A), start, 1e-12)
    np.testing.assert_allclose(w, np.sqrt(3 / 5 / 3), rtol=1e-9)
    alone = [barrier.analytic_centre(barrier.Barriers(A[:1]), start[k : k + 1], 1e-12)[0] for k in range(3)]
    np.testing.assert_array_equal(w, alone)


def test_barrier_derivatives():
    rng = np.random.default_rng(0)
    A = rng.uniform(0, 1, (1, 5, 3))
    problem, w, h = barrier.Barriers(A), np.array([[0.3, 0.2, 0.4]]), 1e-5
    gradient, hessian = problem.system(problem.predictors(w))
    for j, e in enumerate(np.eye(3)):
        up, down = problem.predictors(w + h * e), problem.predictors(w - h * e)
        np.testing.assert_allclose(
            (problem.loss(up, ONE) - problem.loss(down, ONE)) / (2 * h), gradient[:, j], rtol=1e-7
        )
        change = (problem.system(up)[0] - problem.system(down)[0]) / (2 * h)
        np.testing.assert_allclose(change, hessian[:, j], rtol=1e-7)


def test_wide_and_narrow_cones_do_not_depend_on_each_other():
    halves = np.array([1.0, 1e-5, 0.5, 1e-6])
    A = np.array([[(np.sin(half), np.cos(half)), (np.sin(half), -np.cos(half))] for half in halves])
    inside = np.array([(1.0, 0.0)] * 4)

    def found(some):
        generators = [np.random.default_rng([1, part]) for part in some]
        return random_hyperplane.random_directions(A[some], inside[some], generators, 4)

    together = found(np.arange(4))
    for part in range(4):
        np.testing.assert_array_equal(found(np.array([part])), together[[part]])


# As a rule of learning curves

Y = (np.arange(90) % 3 == 0).astype(int)
X = np.round(np.random.default_rng(0).standard_normal((90, 4)) + 0.8 * Y[:, None], 1)


def curves(model, **options):
    options = {"sizes": (6, 30), "n_splits": 40, "n_jobs": 1} | options
    return learning_curves(X, Y, models={"lr": model}, **options)


@pytest.mark.parametrize("work", [{"batch_bytes": 1}, {"n_jobs": 2, "batch_bytes": 20_000}])
def test_how_the_work_is_cut_changes_nothing(work):
    model = LogisticRegression(separable=(RandomHyperplane(), "margin"))
    whole, cut = curves(model), curves(model, **work)
    assert whole.separable["lr"][0] > 0
    for name, curve in whole.error.items():
        np.testing.assert_array_equal(curve.losses, cut.error[name].losses)
    assert (whole.error["lr (random)"].losses != whole.error["lr (margin)"].losses).any()


def test_more_steps_do_not_change_the_mean():
    few, many = (
        curves(LogisticRegression(separable=RandomHyperplane(steps)), n_splits=600, sizes=(6, 12)) for steps in (4, 16)
    )
    difference = few.error["lr"].losses - many.error["lr"].losses
    assert difference.std() > 0
    assert (np.abs(difference.mean(axis=1)) < 4 * difference.std(axis=1) / np.sqrt(600)).all()


@pytest.mark.parametrize(("m", "n"), [(8, 12), (14, 3)])
def test_the_hyperplane_separates(m, n):
    y = np.tile(np.arange(m) % 2, (30, 1))
    subsets = Subsets(np.random.default_rng(4).standard_normal((30, m, n)) + 4.0 * np.eye(n)[y], y, 2)
    fit = LogisticRegression(separable=RandomHyperplane()).fit(subsets)
    assert fit.separable.any()
    scores = fit.scores["random"]
    z = (subsets.X @ scores.coef[:, 0, :, None])[:, :, 0] + scores.intercept
    np.testing.assert_array_equal(z[fit.separable] > 0, subsets.y[fit.separable] == 1)


def test_a_chain_has_a_step():
    with pytest.raises(ParameterError, match="steps must be a whole number"):
        RandomHyperplane(steps=0)
