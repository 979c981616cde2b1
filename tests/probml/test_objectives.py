"""Objectives against plain formulas, complex steps, exhaustive averages and minima found in high precision."""

from itertools import product

import numpy as np
import pytest
from mpmath import mp
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.linalg import eigvalsh

from probml.families import Bernoulli, Gaussian, Poisson
from probml.losses import GLMLoss, Hinge, Logistic, PoissonLoss, Probit, Squared, SquaredHinge
from probml.losses.glm import MEAN_FORMS
from probml.objectives import Cost, LinearObjective, SoftmaxObjective, base
from probml.objectives import gap as gaps
from probml.objectives.gap import dual_gap, gap_bound, hessian_gap, self_concordant_gap
from probml.solvers import newton
from probml.solvers.coordinate_newton import newton_round
from probml.solvers.irls import least_squares_system

LOSSES = [Logistic(), PoissonLoss(), Squared(), SquaredHinge()]
# l(y, z) for complex z, so that the imaginary part of l(z + ih) / h is the derivative.
COMPLEX = {
    Logistic: lambda y, z: np.log(1 + np.exp(z)) - y * z,
    PoissonLoss: lambda y, z: np.exp(z) - y * z,
    Squared: lambda y, z: (z - y) ** 2 / 2,
    SquaredHinge: lambda y, z: np.where((1 - y * z).real > 0, (1 - y * z) ** 2 / 2, 0),
}
OPTIONS = list(product([False, True], [False, True], [False, True], [0.0, 0.7]))  # intercept, weight, offset, l2


def kind(value):
    return type(value).__name__ if not isinstance(value, tuple | str | bool | float) else str(value)


def data(loss=None, m=23, n=4, seed=0, classes=None):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.7)
    y = {
        Logistic: lambda: rng.integers(0, 2, m).astype(float),
        PoissonLoss: lambda: rng.poisson(2.0, m).astype(float),
        Squared: lambda: rng.normal(size=m),
        SquaredHinge: lambda: rng.choice([-1.0, 1.0], m),
    }
    y = rng.integers(0, classes, m) if classes else y[type(loss)]()
    return X, y, rng.uniform(0.2, 3, m), rng.normal(size=m)


def with_ones(X, intercept):
    return np.column_stack([X, np.ones(len(X))]) if intercept else X


def plain(X, y, loss, theta, intercept, weight, offset, l2):
    """F, as it is written down, for real or complex θ."""
    z = with_ones(X, intercept) @ theta + (0 if offset is None else offset)
    w = theta[: X.shape[1]]
    return np.sum((1 if weight is None else weight) * COMPLEX[type(loss)](y, z)) + l2 / 2 * np.sum(w * w)


def complex_gradient(function, theta, h=1e-30):
    return np.array([np.imag(function(theta + 1j * h * e)) / h for e in np.eye(len(theta))])


def differences(gradient, theta, h=1e-5):
    return np.array([(gradient(theta + h * e) - gradient(theta - h * e)) / (2 * h) for e in np.eye(len(theta))])


@pytest.mark.parametrize("layout", ["dense", "csr_array", "csr_matrix", "csc_array"])
@pytest.mark.parametrize("loss", LOSSES, ids=kind)
def test_linear_derivatives(loss, layout):
    X, y, weight, offset = data(loss)
    stored = X if layout == "dense" else getattr(sparse, layout)(X)
    rng = np.random.default_rng(1)
    for intercept, weighted, shifted, l2 in OPTIONS:
        s, o = weight if weighted else None, offset if shifted else None
        objective = LinearObjective(stored, y, loss, l2=l2, intercept=intercept, weight=s, offset=o)
        theta = rng.normal(size=objective.n_parameters) * 0.7

        def function(theta, intercept=intercept, s=s, o=o, l2=l2):
            return plain(X, y, loss, theta, intercept, s, o, l2)

        value, gradient = objective.value_and_gradient(theta)
        assert_allclose([value, objective.value(theta)], function(theta), rtol=1e-13)
        assert_allclose(gradient, complex_gradient(function, theta), rtol=1e-11, atol=1e-12)
        value, gradient, hessian = objective.newton_system(theta)
        assert_allclose(value, function(theta), rtol=1e-13)
        assert_allclose(gradient, complex_gradient(function, theta), rtol=1e-11, atol=1e-12)
        assert_array_equal(hessian, hessian.T)
        assert_allclose(hessian, differences(lambda t: complex_gradient(function, t), theta), rtol=1e-6, atol=1e-6)
        direction = rng.normal(size=len(theta))
        assert_allclose(objective.hessian_product(theta, direction), hessian @ direction, rtol=1e-11, atol=1e-12)


def softmax_plain(X, y, K, theta, intercept, weight, l2, reference):
    W = theta.reshape(K - reference, -1)
    z = with_ones(X, intercept) @ W.T
    z = np.column_stack([z, np.zeros(len(z))]) if reference else z
    each = np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(y)), y]
    W = W[:, : X.shape[1]]
    return np.sum((1 if weight is None else weight) * each) + l2 / 2 * np.sum(W * W)


@pytest.mark.parametrize("layout", ["dense", "csr_array", "csr_matrix"])
@pytest.mark.parametrize("reference", [False, True])
def test_softmax_derivatives(layout, reference):
    X, y, weight, _ = data(classes=3)
    stored = X if layout == "dense" else getattr(sparse, layout)(X)
    rng = np.random.default_rng(1)
    for intercept, weighted, l2 in product([False, True], [False, True], [0.0, 0.7]):
        s = weight if weighted else None
        objective = SoftmaxObjective(stored, y, 3, l2=l2, intercept=intercept, weight=s, reference=reference)
        theta = rng.normal(size=objective.n_parameters)

        def function(theta, intercept=intercept, s=s, l2=l2):
            return softmax_plain(X, y, 3, theta, intercept, s, l2, reference)

        value, gradient = objective.value_and_gradient(theta)
        assert_allclose([value, objective.value(theta)], function(theta), rtol=1e-13)
        assert_allclose(gradient, complex_gradient(function, theta), rtol=1e-11, atol=1e-12)
        value, gradient, hessian = objective.newton_system(theta)
        assert_allclose(value, function(theta), rtol=1e-13)
        assert_allclose(gradient, complex_gradient(function, theta), rtol=1e-11, atol=1e-12)
        assert_allclose(hessian, differences(lambda t: complex_gradient(function, t), theta), rtol=1e-6, atol=1e-6)
        direction = rng.normal(size=len(theta))
        assert_allclose(objective.hessian_product(theta, direction), hessian @ direction, rtol=1e-11, atol=1e-12)


def everything(objective, theta, direction):
    """All that can be asked, as one vector."""
    value, gradient, hessian = objective.newton_system(theta)
    parts = [
        [value, objective.value(theta), objective.value_and_gradient(theta)[0], gap_bound(objective, theta)],
        [*gradient, *objective.value_and_gradient(theta)[1], *objective.hessian_product(theta, direction)],
        [*hessian.ravel(), *objective.hessian_bound().ravel()],
    ]
    return np.concatenate(parts)


@pytest.mark.parametrize("block", [1, 9, 40])
@pytest.mark.parametrize("layout", ["dense", "csr_array"])
def test_blocks_make_no_difference(block, layout, monkeypatch):
    X, y, weight, offset = data(Logistic())
    stored = X if layout == "dense" else sparse.csr_array(X)
    rng = np.random.default_rng(2)
    for make in (
        lambda: LinearObjective(stored, y, Logistic(), l2=0.3, weight=weight, offset=offset),
        lambda: SoftmaxObjective(stored, y.astype(int), 3, l2=0.3, weight=weight),
    ):
        theta, direction = rng.normal(size=(2, make().n_parameters)) * 0.1
        whole = everything(make(), theta, direction)
        with monkeypatch.context() as patched:
            patched.setattr(base, "BLOCK_NUMBERS", block)
            assert_allclose(everything(make(), theta, direction), whole, rtol=1e-11, atol=1e-12)


def test_weights_are_repetitions():
    X, y, _, offset = data(Logistic())
    times = np.random.default_rng(3).integers(0, 4, len(y))
    again = np.repeat(np.arange(len(y)), times)
    rng = np.random.default_rng(2)
    for weighted, repeated in (
        (
            LinearObjective(X, y, Logistic(), l2=0.3, weight=times, offset=offset),
            LinearObjective(X[again], y[again], Logistic(), l2=0.3, offset=offset[again]),
        ),
        (
            SoftmaxObjective(X, y.astype(int), 3, l2=0.3, weight=times),
            SoftmaxObjective(X[again], y[again].astype(int), 3, l2=0.3),
        ),
    ):
        theta, direction = rng.normal(size=(2, weighted.n_parameters)) * 0.1
        ours, theirs = everything(weighted, theta, direction), everything(repeated, theta, direction)
        ours[3] = theirs[3] = 0  # a bound on the gap may be larger for weights, whose largest |x| counts as well
        assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("layout", ["dense", "csr_array"])
def test_gradients_of_some_rows_are_right_on_average(layout):
    X, y, weight, offset = data(Logistic())
    stored = X if layout == "dense" else sparse.csr_array(X)
    rng = np.random.default_rng(2)
    for intercept, weighted, shifted, l2 in OPTIONS:
        s, o = weight if weighted else None, offset if shifted else None
        for objective in (
            LinearObjective(stored, y, Logistic(), l2=l2, intercept=intercept, weight=s, offset=o),
            SoftmaxObjective(stored, y.astype(int), 3, l2=l2, intercept=intercept, weight=s),
        ):
            theta = rng.normal(size=objective.n_parameters)
            gradient = objective.value_and_gradient(theta)[1]
            singles = [objective.gradient_of(np.array([i]), theta) for i in range(len(y))]
            assert_allclose(np.mean(singles, axis=0), gradient, rtol=1e-11, atol=1e-12)
            pair = objective.gradient_of(np.array([3, 7]), theta)
            assert_allclose(pair, (singles[3] + singles[7]) / 2, rtol=1e-11, atol=1e-12)
            assert_allclose(objective.gradient_of(rng.permutation(len(y)), theta), gradient, rtol=1e-11, atol=1e-12)


def test_hessian_bound_is_above_every_hessian():
    rng = np.random.default_rng(4)
    X, y, weight, _ = data(Logistic(), m=60)
    objectives = [
        LinearObjective(X, y, Logistic(), l2=0.3, weight=weight),
        LinearObjective(X, y, Squared(), l2=0.3, weight=weight),
        LinearObjective(X, 2 * y - 1, SquaredHinge(), weight=weight),
        SoftmaxObjective(X, y.astype(int), 3, l2=0.3, weight=weight),
        SoftmaxObjective(X, y.astype(int), 3, weight=weight, reference=True),
    ]
    for objective in objectives:
        bound = objective.hessian_bound()
        for scale in (0, 0.1, 1, 10):
            theta = scale * rng.normal(size=objective.n_parameters)
            smallest = eigvalsh(bound - objective.newton_system(theta)[2])[0]
            assert smallest >= -1e-10 * np.abs(bound).max()
    for objective in objectives[:2]:  # at θ = 0 the logistic loss has its largest curvature: the bound is reached
        assert_allclose(objective.newton_system(objective.start())[2], objective.hessian_bound(), rtol=1e-12)
    # With two classes the bound of softmax is reached as well.
    two = SoftmaxObjective(X, y.astype(int), 2, l2=0.3, weight=weight)
    assert_allclose(two.newton_system(two.start())[2], two.hessian_bound(), rtol=1e-12, atol=1e-12)
    for loss, answers in ((PoissonLoss(), y), (Hinge(), 2 * y - 1)):
        with pytest.raises(ValueError, match=f"{type(loss).__name__} has a curvature without bound"):
            LinearObjective(X, answers, loss).hessian_bound()


def test_two_classes_are_logistic_regression():
    X, y, weight, _ = data(Logistic())
    rng = np.random.default_rng(5)
    logistic = LinearObjective(X, y, Logistic(), weight=weight)
    both = SoftmaxObjective(X, y.astype(int), 2, weight=weight)
    other = SoftmaxObjective(X, 1 - y.astype(int), 2, weight=weight, reference=True)  # class 0 is y = 1
    for scale in (0.1, 1, 30, 300):
        theta, shift = scale * rng.normal(size=(2, logistic.n_parameters))
        value, gradient = logistic.value_and_gradient(theta)
        split = np.concatenate([shift, shift + theta])
        assert_allclose(both.value(split), value, rtol=1e-11, atol=1e-11)
        halves = both.value_and_gradient(split)[1].reshape(2, -1)
        assert_allclose(halves, [-gradient, gradient], rtol=1e-9, atol=1e-9)
        assert_allclose(other.value(theta), value, rtol=1e-12)
        assert_allclose(other.value_and_gradient(theta)[1], gradient, rtol=1e-11, atol=1e-12)
        assert_allclose(other.newton_system(theta)[2], logistic.newton_system(theta)[2], rtol=1e-9, atol=1e-12)


def test_softmax_keeps_the_digits_of_small_losses():
    one = SoftmaxObjective(np.array([[1.0]]), [0], 2, intercept=False, reference=True)
    for z in (40.0, 300.0, 700.0):
        value, gradient = one.value_and_gradient(np.array([z]))
        assert_allclose([value, gradient[0]], [np.exp(-z), -np.exp(-z)], rtol=1e-13)
    assert one.value(np.array([-800.0])) == 800


def test_the_reference_class_is_a_shift():
    X, y, weight, _ = data(classes=3)
    full = SoftmaxObjective(X, y, 3, weight=weight)
    reduced = SoftmaxObjective(X, y, 3, weight=weight, reference=True)
    theta = np.random.default_rng(6).normal(size=full.n_parameters)
    W = theta.reshape(3, -1)
    shifted = (W - W[-1])[:-1].ravel()
    assert_allclose(full.value(theta), reduced.value(shifted), rtol=1e-12)
    p = reduced.n_parameters
    assert_allclose(full.value_and_gradient(theta)[1][:p], reduced.value_and_gradient(shifted)[1], rtol=1e-10)
    assert_allclose(full.newton_system(theta)[2][:p, :p], reduced.newton_system(shifted)[2], rtol=1e-10, atol=1e-12)


def exact_minimum(X, y, loss, l2, weight):
    """θ and F at the minimum with an intercept, by Newton's method with 40 digits."""
    n = X.shape[1]
    rate = {Logistic: lambda z: 1 / (1 + mp.exp(-z)), PoissonLoss: mp.exp, Squared: lambda z: z}[type(loss)]
    bend = {Logistic: lambda z: rate(z) * (1 - rate(z)), PoissonLoss: mp.exp, Squared: lambda z: mp.mpf(1)}[type(loss)]
    each = {
        Logistic: lambda y, z: mp.log(1 + mp.exp(z)) - y * z,
        PoissonLoss: lambda y, z: mp.exp(z) - y * z,
        Squared: lambda y, z: (z - y) ** 2 / 2,
    }[type(loss)]
    A, s = mp.matrix(with_ones(X, True).tolist()), [mp.mpf(float(v)) for v in weight]
    penalty = mp.diag([mp.mpf(l2)] * n + [0])
    start = newton(LinearObjective(X, y, loss, l2=l2, weight=weight), tolerance=1e-20).theta
    theta = mp.matrix(start.tolist())
    for _ in range(3):
        z = A * theta
        slope = mp.matrix([v * (rate(t) - a) for v, t, a in zip(s, z, y, strict=True)])
        curved = mp.diag([v * bend(t) for v, t in zip(s, z, strict=True)])
        theta -= mp.lu_solve(A.T * curved * A + penalty, A.T * slope + penalty * theta)
    value = mp.fsum(v * each(a, t) for v, a, t in zip(s, y, A * theta, strict=True))
    return np.array([float(v) for v in theta]), value + (theta.T * penalty * theta)[0] / 2


@pytest.mark.parametrize("l2", [0.0, 0.5])
@pytest.mark.parametrize("loss", LOSSES[:3], ids=kind)
def test_the_gap_is_never_larger_than_its_bound(loss, l2):
    X, y, weight, _ = data(loss, m=40, n=3)
    rng = np.random.default_rng(7)
    with mp.workdps(40):
        best, lowest = exact_minimum(X, y, loss, l2, weight)
    objective = LinearObjective(X, y, loss, l2=l2, weight=weight)
    found = 0
    for scale in 10.0 ** np.arange(-7, 2):
        for _ in range(10):
            theta = best + scale * rng.normal(size=len(best))
            gap = objective.value(theta) - float(lowest)
            rounding = 1e-13 * max(abs(float(lowest)), gap)
            bounds = [gap_bound(objective, theta), dual_gap(objective, theta)]
            assert all(bound >= gap - rounding for bound in bounds)
            if l2:
                assert np.isfinite(bounds).all() or scale > 5
            found += np.isfinite(bounds[0])
            if scale <= 1e-3:  # near the minimum the bound is what F is above it, to first order in the distance
                gap = exact_gap(objective, best, theta)
                assert_allclose(bounds[0], gap, rtol=max(20 * scale, 1e-6))
    assert found >= 50


def exact_gap(objective, best, theta):
    """F(θ) - F(best) without cancellation: ∇F(best) = 0, so the integral of (1 - t) d^T H(best + t d) d."""
    d = theta - best
    nodes, weights = np.polynomial.legendre.leggauss(4)
    bends = [d @ objective.newton_system(best + t * d)[2] @ d for t in (nodes + 1) / 2]
    return np.sum(weights / 2 * (1 - (nodes + 1) / 2) * bends)


@pytest.mark.parametrize("l2", [0.0, 0.5])
def test_the_gap_of_softmax_is_never_larger_than_its_bound(l2):
    X, y, weight, _ = data(classes=3, m=60, n=3)
    objective = SoftmaxObjective(X, y, 3, l2=l2, weight=weight)
    best = newton(objective, tolerance=1e-28).theta
    rng, found = np.random.default_rng(8), 0
    for scale in 10.0 ** np.arange(-6, 2):
        for _ in range(5):
            theta = best + scale * rng.normal(size=len(best))
            bound, gap = gap_bound(objective, theta), objective.value(theta) - objective.value(best)
            assert bound >= gap - 1e-12
            found += np.isfinite(bound)
            if scale <= 1e-3:
                assert_allclose(bound, exact_gap(objective, best, theta), rtol=max(50 * scale, 1e-5))
    assert found >= 20


@pytest.mark.parametrize("u", [1e-12, 1e-6, 0.9999e-4, 1.0001e-4, 0.01, 0.5, 0.999])
def test_the_formula_of_the_gap(u):
    gradient, hessian, r = np.array([3.0, 0.0]), np.diag([4.0, 0.0]), u / 1.5  # ν = 3 / 2; the second direction is flat
    with mp.workdps(60):
        exact = (mp.mpf(u) + (1 - mp.mpf(u)) * mp.log(1 - mp.mpf(u))) / (mp.mpf(u) / mp.mpf("1.5")) ** 2
    assert_allclose(
        self_concordant_gap(gradient, hessian, [lambda smallest, h: r * (smallest == 1) * (h[0] == 4)]),
        float(exact),
        rtol=2e-8,
    )
    assert self_concordant_gap(gradient, hessian, [lambda smallest, h: 1 / 1.5]) == np.inf


def test_a_slope_where_the_hessian_is_flat_is_rounding_or_no_bound_is_known():
    """H = (1, 1) (1, 1)^T is flat along (1, -1): 1e-8 is rounding of a gradient of 1e6, and 1e-4 is not."""
    for slope, bound in [(0.0, 5e11), (1e-8, 5e11), (1e-4, np.inf)]:
        gradient = np.array([1e6 + slope, 1e6 - slope])
        assert_allclose(self_concordant_gap(gradient, np.ones((2, 2)), [lambda smallest, h: 0.0]), bound, rtol=1e-12)


def test_without_curvature_the_gap_is_zero_where_there_is_no_slope_and_else_unknown():
    for slope, bound in ((0.0, 0.0), (1.0, np.inf)):
        assert self_concordant_gap(np.full(2, slope), np.zeros((2, 2)), [lambda smallest, h: 1.0]) == bound


def bound_from(gradient, hessian, radius):
    """The bound of `self_concordant_gap`, from the formula of its docstring, for a Hessian of full rank."""
    nu = np.sqrt(gradient @ np.linalg.solve(hessian, gradient))
    u = radius * nu
    assert 0.01 < u < 1
    return nu**2 * (u + (1 - u) * np.log(1 - u)) / u**2


def smallest_of_unit_diagonal(hessian):
    h = np.diag(hessian)
    return eigvalsh(hessian / np.sqrt(np.outer(h, h)))[0]


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("intercept", [False, True])
def test_the_bound_on_the_gap_is_that_of_its_formula(layout, intercept):
    """Where examples have little weight, and so little curvature, the norms of the rows of X bound it."""
    X, y, weight, _ = data(Logistic(), m=200, n=3)
    X[0] = 5.0  # the longest row
    weight = 4 * weight
    weight[1:50] = 1e-6
    options = {"l2": 0.7, "intercept": intercept, "weight": weight}
    objective = LinearObjective(layout(X), y, Logistic(), **options)
    theta = newton(objective).theta + 0.02
    _, gradient, hessian = objective.newton_system(theta)
    p = 1 / (1 + np.exp(-with_ones(X, intercept) @ theta))
    norms = np.sum(with_ones(X, intercept) ** 2 / np.diag(hessian), axis=1) / smallest_of_unit_diagonal(hessian)
    radius = np.sqrt(np.max(np.minimum(norms, 1 / (weight * p * (1 - p)))))
    assert_allclose(hessian_gap(objective, theta), bound_from(gradient, hessian, radius), rtol=1e-9)


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("intercept", [False, True])
def test_the_bound_on_the_gap_of_softmax_is_that_of_its_formula(layout, intercept):
    X, y, weight, _ = data(classes=3, m=200, n=3)
    objective = SoftmaxObjective(layout(X), y, 3, l2=0.7, weight=weight, reference=True, intercept=intercept)
    theta = newton(objective).theta + 0.02
    _, gradient, hessian = objective.newton_system(theta)
    h = np.diag(hessian).reshape(2, -1)
    norms = with_ones(X, intercept) ** 2 @ (1 / h).T
    radius = np.sqrt(2 * norms.max() / smallest_of_unit_diagonal(hessian))
    assert_allclose(hessian_gap(objective, theta), bound_from(gradient, hessian, radius), rtol=1e-9)


def test_gap_bound_knows_what_it_does_not_know():
    X, y, _, _ = data(Logistic())
    assert gap_bound(LinearObjective(X, 2 * y - 1, SquaredHinge()), np.zeros(5)) == np.inf
    for l2 in (0.0, 1.0):
        assert gap_bound(LinearObjective(X, y, GLMLoss(Bernoulli(), Probit()), l2=l2), np.zeros(5)) == np.inf
    assert gap_bound(LinearObjective(X, y, Logistic()), np.full(5, 30.0)) == np.inf
    # No curvature, and a gradient that is not flat; nor is it known how far the minimum of a separable problem is.
    assert gap_bound(LinearObjective(np.zeros((2, 1)), [1.0, 1.0], Logistic()), np.array([0.0, -900.0])) == np.inf


@pytest.mark.parametrize(
    ("family", "loss"), [(Gaussian(), Squared()), (Bernoulli(), Logistic()), (Poisson(), PoissonLoss())], ids=kind
)
def test_canonical_links_have_the_bound_of_the_loss_they_are(family, loss):
    X, y, weight, _ = data(loss)
    glm = GLMLoss(family, MEAN_FORMS[type(family)].canonical)
    assert glm.curvature_bound == loss.curvature_bound
    for l2 in (0.0, 0.5):
        best = newton(LinearObjective(X, y, loss, l2=l2, weight=weight)).theta
        bounds = [gap_bound(LinearObjective(X, y, each, l2=l2, weight=weight), best + 0.01) for each in (loss, glm)]
        assert 0 < bounds[0] < np.inf
        assert_allclose(bounds[1], bounds[0], rtol=1e-9)


@pytest.mark.parametrize("reference", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_the_dual_bound_of_softmax(reference, intercept):
    X, y, weight, _ = data(classes=3, m=60, n=3)
    objective = SoftmaxObjective(X, y, 3, l2=0.5, weight=weight, reference=reference, intercept=intercept)
    solution = newton(objective, tolerance=1e-28)
    rng = np.random.default_rng(8)
    for scale in 10.0 ** np.arange(-6, 0):
        theta = solution.theta + scale * rng.normal(size=len(solution.theta))
        bound, gap = dual_gap(objective, theta), objective.value(theta) - solution.value
        assert gap - 1e-12 <= bound <= 1000 * gap + 1e-11


@pytest.mark.parametrize("unit", [2.0**-60, 2.0**-30, 2.0**30, 2.0**60])
def test_the_dual_bound_of_softmax_has_the_unit_of_the_weights(unit):
    X, y, weight, _ = data(classes=3, m=60, n=3)
    theta = np.random.default_rng(8).normal(size=12)
    bound = dual_gap(SoftmaxObjective(X, y, 3, l2=0.5, weight=weight), theta)
    assert dual_gap(SoftmaxObjective(X, y, 3, l2=0.5 * unit, weight=weight * unit), theta) == pytest.approx(
        bound * unit
    )


def test_the_dual_bound_of_the_squared_hinge():
    X, y, weight, _ = data(Logistic(), m=60)
    objective = LinearObjective(X, 2 * y - 1, SquaredHinge(), l2=0.5, weight=weight)
    best = newton(objective, tolerance=1e-28)
    assert best.certificate.gap < 1e-12
    rng = np.random.default_rng(8)
    for scale in 10.0 ** np.arange(-6, 0):
        theta = best.theta + scale * rng.normal(size=5)
        gap = objective.value(theta) - best.value
        assert gap - 1e-12 <= gap_bound(objective, theta) <= 1000 * gap + 1e-11


@pytest.mark.parametrize("shift", [-9.0, -0.5, 2.0, 9.0])
@pytest.mark.parametrize("loss", LOSSES, ids=kind)
def test_the_dual_point_does_not_depend_on_the_intercept(loss, shift):
    """It belongs to the best intercept for w, so that only F changes; Newton's method alone would leap too far."""
    X, y, weight, offset = data(loss, m=60, n=3)
    objective = LinearObjective(X, y, loss, l2=0.5, weight=weight, offset=offset)
    theta = newton(objective).theta + np.array([0.3, -0.2, 0.1, 0.0])
    moved = theta + np.array([0.0, 0.0, 0.0, shift])
    if not np.isfinite(loss.self_concordance):  # Newton's method for a parabola in pieces ends in a few steps, or not
        moved[-1] = theta[-1] + shift / 9
    higher = objective.value(moved) - objective.value(theta)
    assert_allclose(dual_gap(objective, moved), dual_gap(objective, theta) + higher, rtol=1e-9)


def entropy(p):
    return np.sum(p * np.log(p))


def test_the_dual_gap_is_that_of_fenchel():
    """F - D, with D = -sum_i s_i l*(l'_i) - |X^T s l'|² / (2 l2), and minus the entropy of p as the conjugate of l."""
    X, y, weight, _ = data(Logistic(), m=40, n=3)
    rng = np.random.default_rng(3)
    w, W = rng.normal(size=3), rng.normal(size=(3, 3))
    p = 1 / (1 + np.exp(-X @ w))
    dual = -weight @ [entropy(np.array([a, 1 - a])) for a in p] - np.sum((X.T @ (weight * (p - y))) ** 2) / (2 * 0.7)
    objective = LinearObjective(X, y, Logistic(), l2=0.7, weight=weight, intercept=False)
    assert_allclose(dual_gap(objective, w), objective.value(w) - dual, rtol=1e-11)
    classes = rng.integers(0, 3, 40)
    P = np.exp(X @ W.T)
    P /= P.sum(axis=1, keepdims=True)
    slopes = weight[:, None] * (P - np.eye(3)[classes])
    dual = -weight @ [entropy(row) for row in P] - np.sum((slopes.T @ X) ** 2) / (2 * 0.7)
    objective = SoftmaxObjective(X, classes, 3, l2=0.7, weight=weight, intercept=False)
    assert_allclose(dual_gap(objective, W.ravel()), objective.value(W.ravel()) - dual, rtol=1e-11)


def test_large_problems_use_the_dual_bound(monkeypatch):
    X, y, weight, _ = data(Logistic())
    objective = LinearObjective(X, y, Logistic(), l2=0.3, weight=weight)
    theta = np.full(5, 0.2)
    monkeypatch.setattr(gaps, "LARGEST_TO_BOUND_GAP", 4)
    assert gap_bound(objective, theta) == dual_gap(objective, theta) < np.inf
    assert gap_bound(LinearObjective(X, y, Logistic()), theta) == np.inf
    assert gap_bound(SoftmaxObjective(X, y.astype(int), 2), np.zeros(10)) == np.inf
    penalised = SoftmaxObjective(X, y.astype(int), 2, l2=0.3)
    assert gap_bound(penalised, np.zeros(10)) == dual_gap(penalised, np.zeros(10)) < np.inf


def spent(objective, method, *arguments):
    objective.cost = Cost()
    getattr(objective, method)(*arguments)
    return objective.cost.passes, objective.cost.flops


def test_costs_of_a_linear_objective():
    X, y, _, _ = data(Logistic(), m=20, n=3)
    X[X == 0] = 0.5
    X[:10, 0] = 0
    theta = np.full(4, 0.1)
    for stored, entries, square in (
        (X, 60, 60 * (3 + 2)),
        (sparse.csr_array(X), 50, 50 + 2 * (10 * 4 + 10 * 9)),
    ):
        F = LinearObjective(stored, y, Logistic())
        assert spent(F, "value", theta) == (1, 2 * entries)
        assert spent(F, "value_and_gradient", theta) == (1, 4 * entries)
        assert spent(F, "newton_system", theta) == (1, 4 * entries + square)
        assert spent(F, "hessian_bound") == (1, square)
        assert spent(F, "hessian_product", theta, theta) == (1, 4 * entries)  # the θ of the gradient: nothing anew
        assert spent(F, "hessian_product", 2 * theta, theta) == (2, 6 * entries)
        assert spent(F, "hessian_product", 2 * theta, theta) == (1, 4 * entries)
        assert spent(F, "gradient_of", np.arange(5), theta) == (0.25, entries)
        assert spent(F, "gradient_of", np.arange(1), theta) == (0.05, pytest.approx(entries / 5))
        assert spent(F, "predictors", 3 * theta) == spent(F, "change", theta) == (1, 2 * entries)
        F.value_and_gradient(4 * theta)
        assert spent(F, "predictors", 4 * theta) == (0, 0)  # known from the gradient there
        for step, cost in ((least_squares_system, (1, 2 * entries * 4)), (newton_round, (2, 11 * entries))):
            F.cost = Cost()
            step(F, theta)
            assert (F.cost.passes, F.cost.flops) == cost


def test_costs_of_a_softmax_objective():
    X, y, _, _ = data(m=20, n=3, classes=3)
    X[X == 0] = 0.5
    X[:10, 0] = 0
    for stored, entries in ((X, 180), (sparse.csr_array(X), 150)):
        F = SoftmaxObjective(stored, y, 3)
        theta = np.full(12, 0.1)
        assert spent(F, "value", theta) == (1, 2 * entries)
        assert spent(F, "value_and_gradient", theta) == (1, 4 * entries)
        assert spent(F, "newton_system", theta) == (1, 180 * 4 + 60 * 7 * 6)
        assert spent(F, "hessian_bound") == (1, 60 * 7)
        assert spent(F, "hessian_product", theta, theta) == (1, 4 * entries)  # the θ of the gradient: nothing anew
        assert spent(F, "hessian_product", 2 * theta, theta) == (2, 6 * entries)
        assert spent(F, "hessian_product", 2 * theta, theta) == (1, 4 * entries)
        assert spent(F, "preconditioner", 2 * theta) == (1, 80 * 5)  # products of all pairs of columns
        assert spent(F, "gradient_of", np.arange(5), theta) == (0.25, entries)


def test_products_notice_a_new_theta():
    X, y, _, _ = data(Logistic())
    for objective in (LinearObjective(X, y, Logistic()), SoftmaxObjective(X, y.astype(int), 2)):
        theta = np.zeros(objective.n_parameters)
        direction = np.arange(1.0, len(theta) + 1)
        for _ in range(3):
            theta += 0.5  # in place: the same array, with other numbers
            expected = objective.newton_system(theta)[2] @ direction
            assert_allclose(objective.hessian_product(theta, direction), expected, rtol=1e-11, atol=1e-11)


def test_what_is_returned_may_be_changed():
    rng = np.random.default_rng(0)
    objective = LinearObjective(rng.normal(size=(30, 2)), np.arange(30) % 2, Logistic())
    theta = np.array([0.1, 0.2, 0.0])
    expected = gap_bound(objective, theta)
    for part in objective.newton_system(theta)[1:]:
        part[:] = 0.0
    assert gap_bound(objective, theta) == expected > 0
    assert objective.hessian_below(theta).any()


def test_least_squares_and_rounds_of_coordinates():
    X, y, weight, offset = data(Logistic(), m=60)
    rng = np.random.default_rng(9)
    for stored, (intercept, weighted, shifted, l2) in product((X, sparse.csr_array(X)), OPTIONS):
        s, o = weight if weighted else None, offset if shifted else None
        objective = LinearObjective(stored, y, Logistic(), l2=l2, intercept=intercept, weight=s, offset=o)
        theta = rng.normal(size=objective.n_parameters) * 0.3
        value, gradient, hessian = objective.newton_system(theta)
        A, u = least_squares_system(objective, theta)
        assert_allclose(A.T @ A, hessian, rtol=1e-11, atol=1e-12)
        assert_allclose(A.T @ (A @ theta - u), gradient, rtol=1e-10, atol=1e-11)
        # The same round, with derivatives of F at each coordinate's turn; the steps are small enough to be full ones.
        expected = theta.copy()
        for j in range(len(theta)):
            _, g, H = objective.newton_system(expected)
            expected[j] -= g[j] / H[j, j]
        after = newton_round(objective, theta)
        assert_allclose(after, expected, rtol=1e-10, atol=1e-12)
        assert objective.value(after) < value


def test_entries_stored_twice_are_added():
    twice = sparse.csr_array((np.array([1.0, 2.0, 5.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    y, theta = [1.0, 0.0], np.array([0.3, -0.2, 0.1])
    ours, plain = (LinearObjective(X, y, Logistic(), l2=0.1) for X in (twice, twice.toarray()))
    assert_allclose(newton_round(ours, theta), newton_round(plain, theta), rtol=1e-12)
    row = np.array([0])
    assert_allclose(ours.gradient_of(row, theta), plain.gradient_of(row, theta), rtol=1e-12)
    assert twice.nnz == 3  # what was given is left as it was


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"y": [0.0, 1.0]}, r"X has 3 rows, y has the shape \(2,\)"),
        ({"y": [0.0, 1.0, 5.0]}, "row 2 has 5.0"),
        ({"l2": -1.0}, "l2 must be a finite number of at least 0, received -1.0"),
        ({"l2": np.nan}, "l2 .* nan"),
        ({"weight": [1.0, 1.0]}, r"weight must have the shape \(3,\).*received \(2,\)"),
        ({"weight": [1.0, -2.0, 1.0]}, "weight must be finite numbers of at least 0; row 1 has -2.0"),
        ({"offset": [1.0, -2.0, np.nan]}, "offset must be finite numbers; row 2 has nan"),
    ],
)
def test_input_without_an_answer(options, words):
    arguments = {"y": [0.0, 1.0, 1.0], **options}
    with pytest.raises(ValueError, match=words):
        LinearObjective(np.ones((3, 2)), loss=Logistic(), **arguments)


@pytest.mark.parametrize("y", [[0, 1, 3], [0, -1, 1], [0.0, 1.0, 2.0], [0, 1]])
def test_classes_are_checked(y):
    with pytest.raises(ValueError, match="y must be 3 classes from 0 to 2, received"):
        SoftmaxObjective(np.ones((3, 2)), y, 3)


def test_overflow_is_infinite_and_silent():
    X = np.array([[1e200], [-1e200]])
    for objective in (
        LinearObjective(X, [0.0, 1.0], Squared(), intercept=False, l2=1.0),
        LinearObjective(X, [0.0, 1.0], PoissonLoss(), intercept=False, l2=1.0),
    ):
        theta = np.array([1e150])
        for value in (
            objective.value(theta),
            objective.value_and_gradient(theta)[0],
            objective.newton_system(theta)[0],
        ):
            assert not np.isfinite(value)


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("reference", [True, False])
def test_the_preconditioner_of_softmax_is_exact_where_all_posteriors_are_equal(layout, intercept, reference):
    """There it is the inverse of the Hessian, but for l2 on the intercepts, too."""
    rng = np.random.default_rng(11)
    X, y, weight = rng.normal(size=(30, 4)), rng.integers(0, 3, 30), rng.uniform(0.5, 2, 30)
    options = {"l2": 0.7, "intercept": intercept, "weight": weight, "reference": reference}
    objective = SoftmaxObjective(layout(X), y, 3, **options)
    theta = objective.start()
    theta.reshape(objective.n_vectors, -1)[:, -1] = [0.5, -1.0, 0.2][: objective.n_vectors] if intercept else 0.0
    hessian = objective.newton_system(theta)[2]
    if intercept:
        last = np.arange(1, objective.n_vectors + 1) * 5 - 1
        hessian[last, last] += 0.7
    inverse = np.array([objective.preconditioner(theta)(unit) for unit in np.eye(len(theta))])
    assert_allclose(inverse @ hessian, np.eye(len(theta)), atol=1e-12)


def test_the_preconditioner_of_softmax_sees_some_of_many_rows():
    rng = np.random.default_rng(12)
    X, y = np.repeat(rng.normal(size=(50, 3)), 8, axis=0), rng.integers(0, 3, 400)
    objective = SoftmaxObjective(X, y, 3, l2=0.7, intercept=False)  # every 12th row would be enough
    hessian = objective.newton_system(objective.start())[2]
    inverse = np.array([objective.preconditioner(objective.start())(unit) for unit in np.eye(9)])
    eigenvalues = np.linalg.eigvals(inverse @ hessian).real
    assert 0.4 < eigenvalues.min() < eigenvalues.max() < 2.5
    sure = SoftmaxObjective(np.ones((2, 1)), np.array([0, 0]), 2, l2=1.0)  # no curvature is left of the losses
    assert_array_equal(sure.preconditioner(np.array([900.0, 0.0, -900.0, 0.0]))(np.arange(4.0)), np.arange(4.0))
    one = LinearObjective(X, (y == 0).astype(float), Logistic())
    assert_array_equal(one.preconditioner(one.start())(np.arange(4.0)), np.arange(4.0))


def test_a_negligible_gap_is_read_off_the_dual(monkeypatch):
    """Above a hundred parameters, and with the Hessian not known yet; a larger gap is bounded by the Hessian."""
    X, y, weight, _ = data(Logistic())
    best = newton(LinearObjective(X, y, Logistic(), l2=0.3, weight=weight), tolerance=1e-20).theta
    monkeypatch.setattr(gaps, "SMALL_HESSIAN", 1)
    objective = LinearObjective(X, y, Logistic(), l2=0.3, weight=weight)
    assert gap_bound(objective, best + 1e-7) == dual_gap(objective, best + 1e-7) < 1e-7
    assert objective.point.second is None
    assert gap_bound(objective, best + 0.01) == hessian_gap(objective, best + 0.01) != dual_gap(objective, best + 0.01)
