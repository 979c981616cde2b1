"""Designs and weights on which solvers stop too early: the same answer as for the easy form, or a warning."""

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from probml.errors import RankWarning, SeparationError
from probml.families import Bernoulli, Gamma, Gaussian, Poisson
from probml.linear_model import (
    GLM,
    LinearRegression,
    LinearSVC,
    LogisticRegression,
    PoissonRegression,
    SoftmaxRegression,
)
from probml.linear_model.design import BetterColumns, magnitudes, ordinary, with_ordinary_penalty
from probml.linear_model.least_squares import least_squares
from probml.linear_model.minimum import Found
from probml.linear_model.solving import ONE_PREDICTOR, SOLVERS, stable_step
from probml.losses import Identity, Inverse, Log, Logistic, Probit
from probml.objectives import LinearObjective, SoftmaxObjective
from probml.solvers import (
    Certificate,
    Solution,
    bfgs,
    conjugate_gradient,
    gradient_descent,
    irls,
    lbfgs,
    newton,
    newton_cg,
)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((120, 3))
    y = (rng.uniform(size=120) < 1 / (1 + np.exp(-X @ [1, -1, 0.5]))).astype(int)
    return X, y


@pytest.mark.parametrize("unit", [1e-18, 1.0, 1e18])
def test_a_gap_is_rounding_where_it_is_in_the_unit_of_the_objective(data, unit):
    X, y = data
    objective = LinearObjective(X, y, Logistic(), weight=np.full(len(y), unit))
    theta = np.zeros((1, 4))

    def solved(value, gap):
        solution = Solution(theta[0], value, (), Certificate(False, gap, "stuck"))
        return Found(objective, solution, theta).solved()

    least = min(unit, 1.0)
    assert solved(0.0, 0.9e-14 * least)
    assert not solved(0.0, 1.1e-14 * least)
    assert solved(50.0 * unit, 49e-14 * unit)
    assert not solved(50.0 * unit, 51e-14 * unit)


# columns


@pytest.mark.parametrize(("l2", "c"), [(2.0**40, 1.0), (2.0**41, 2.0**20), (3 * 2.0**42, 2.0**21), (2.0**-50, 1.0)])
def test_a_penalty_beyond_2_to_the_40_is_made_ordinary(l2, c):
    """w c with the penalty l2 / c² is w with l2: a power of two, so that nothing is rounded."""
    X, scale, scaled = with_ordinary_penalty(np.array([[3.0, -1.0]]), np.array([1.0, 4.0]), l2)
    assert X.tolist() == [[3 / c, -1 / c]]
    assert scale.tolist() == [c, 4 * c]
    assert scaled == l2 / c**2


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_magnitudes_are_of_either_sign(container):
    X = np.array([[-5.0, 1.0, 0.0, -0.25], [2.0, -0.5, 0.0, -0.5]])
    assert magnitudes(container(X)).tolist() == [5.0, 1.0, 0.0, 0.5]


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    ("last", "expected"),
    [(3.0, True), (2.0**20, True), (-(2.0**20), True), (2.0**21, False), (-(2.0**21), False)],
)
def test_ordinary_columns_are_seen_at_a_glance(container, last, expected):
    assert ordinary(container(np.array([[-5.0, 1.0], [2.0, last]]))) is expected
    assert ordinary(container(np.array([[-5.0, 2.0**-21], [last, 2.0**-21]]))) is False
    assert ordinary(container(np.array([[-5.0, 2.0**-20], [last, 2.0**-20]]))) is expected


@pytest.mark.parametrize("mean", [2.0**14, 2.0**17, 2.0**27, 2.0**40])
@pytest.mark.parametrize(
    "model",
    [
        *(LogisticRegression(solver=solver) for solver in ("auto", "irls", "lbfgs", "newton-cg")),
        LogisticRegression(l2=0.5),
        SoftmaxRegression(),
        PoissonRegression(),
        GLM(Bernoulli(), Probit()),
        GLM(Bernoulli(), Probit(), solver="lbfgs"),
        LinearRegression(),
    ],
    ids=repr,
)
def test_columns_with_a_large_mean(data, model, mean):
    """As years have, and times in seconds: the intercept takes the mean, and nothing else changes."""
    X, y = data
    shift = np.array([mean, 0, 0])
    shifted = X + shift
    expected = np.array(model.fit(shifted - shift, y).coef_)
    np.testing.assert_allclose(model.fit(shifted, y).coef_, expected, rtol=1e-6, atol=1e-8)


def test_support_vectors_of_a_column_with_a_large_mean(data):
    X, y = data
    shift = np.array([2.0**27, 0, 0])
    shifted = X + shift
    expected = LinearSVC().fit(shifted - shift, y).coef_
    np.testing.assert_allclose(LinearSVC().fit(shifted, y).coef_, expected, rtol=1e-6)


@pytest.mark.parametrize("solver", ["auto", "irls", "lbfgs", "newton-cg"])
@pytest.mark.parametrize("distance", [2.0**-13, 2.0**-20, 2.0**-27])
def test_columns_that_are_nearly_the_same(data, solver, distance):
    X, y = data
    near = np.column_stack([X[:, 0], X[:, 0] + distance * X[:, 1], X[:, 2]])
    exact = np.column_stack([near[:, 0], (near[:, 1] - near[:, 0]) / distance, near[:, 2]])
    w = LogisticRegression().fit(exact, y).coef_[0]
    found = LogisticRegression(solver=solver).fit(near, y)
    np.testing.assert_allclose(found.coef_[0], [w[0] - w[1] / distance, w[1] / distance, w[2]], rtol=1e-5)


def test_units_of_other_columns_do_not_hide_a_column(data):
    """Of two columns that are the same the Hessian is singular; a third one in small units is not flat for that."""
    X, y = data
    expected = LogisticRegression().fit(X[:, :2], y)
    twice = LogisticRegression(l2=1e-14, solver="newton").fit(X[:, [0, 0, 1]] * [1e5, 1e5, 1e-4], y)
    np.testing.assert_allclose(twice.coef_[0, 2] * 1e-4, expected.coef_[0, 1], rtol=1e-5)
    assert twice.solution_.certificate.gap < 1e-10


def test_columns_of_zeros_alone():
    with pytest.warns(RankWarning, match="rank 0, but 1 columns"):
        model = LogisticRegression(fit_intercept=False).fit(np.zeros((4, 1)), [0, 1, 0, 1])
    assert model.coef_.tolist() == [[0.0]]


def test_the_shortest_coefficients_of_columns_in_large_units():
    """y = 5 + a from the columns a and a + 1, in a unit of 2^30: half of each, and 1/2 less of the intercept."""
    a, unit = np.array([1.0, 2.0, 4.0, 9.0]), 2.0**30
    with pytest.warns(RankWarning, match="rank 2, but 3 columns"):
        model = LinearRegression().fit(np.column_stack([a, a + 1]) * unit, 5 + a)
    np.testing.assert_allclose(model.coef_ * unit, [0.5, 0.5], rtol=1e-12)
    np.testing.assert_allclose(model.intercept_, 4.5, rtol=1e-12)


@pytest.mark.parametrize("intercept", [True, False])
def test_orthogonal_columns_give_the_same_predictors(data, intercept):
    X, _ = data
    columns, theta = (
        BetterColumns.orthogonal(X + 5, intercept),
        np.random.default_rng(0).normal(size=(2, 3 + intercept)),
    )
    moved = columns.to(theta)
    np.testing.assert_allclose(columns.Z.T @ columns.Z / len(X), np.eye(3), atol=1e-14)
    np.testing.assert_allclose(
        columns.Z @ moved[:, :3].T + moved[:, 3:].sum(axis=1), (X + 5) @ theta[:, :3].T + theta[:, 3:].sum(axis=1)
    )
    np.testing.assert_allclose(columns.back(moved), theta, rtol=1e-12)


def test_separation_behind_a_column_in_large_units(data):
    """The first gradient is that of the large column: relative to it, that of the other vanishes at once."""
    X, y = data
    side = (2 * y - 1) * (1 + np.abs(X[:, 1]))
    with pytest.raises(SeparationError, match="complete separation: 120 of 120"):
        LogisticRegression(solver="newton-cg").fit(np.column_stack([1e5 * X[:, 0], 1e-3 * side]), y)


def test_a_tolerance_that_is_met_far_from_the_minimum(data):
    X, y = data
    units = X * [1e5, 1e-3, 1]
    best = LogisticRegression().fit(units, y)
    np.testing.assert_allclose(
        LogisticRegression(solver="newton-cg").fit(units, y).coef_, best.coef_, rtol=1e-6
    )  # by orthogonal columns
    with pytest.warns(ConvergenceWarning, match="below the tolerance, but this is far from the minimum.*gap.*at most"):
        model = LogisticRegression(solver="newton-cg", l2=1e-9).fit(sparse.csr_array(units), y)
    assert model.solution_.certificate.gap > 1e-4


# weights


@pytest.mark.parametrize("weight", [1e-25, 1e-12, 1e12, 1e100])
@pytest.mark.parametrize("solver", ["auto", "newton", "irls", "newton-cg", "lbfgs", "bfgs", "sgd"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning:")
def test_weights_of_any_size_are_the_same_problem(data, solver, weight):
    X, y = data
    model = LogisticRegression(solver=solver)
    expected = np.array(model.fit(X, y).coef_)
    found = model.fit(X, y, sample_weight=np.full(len(y), weight))
    np.testing.assert_allclose(found.coef_, expected, rtol=1e-7)


@pytest.mark.parametrize(
    "solver", [newton, irls, newton_cg, lbfgs, bfgs, conjugate_gradient, gradient_descent], ids=lambda f: f.__name__
)
def test_solvers_of_small_weights(data, solver):
    X, y = data
    weight = np.full(len(y), 1e-20)
    small = solver(LinearObjective(X, y, Logistic(), weight=weight), tolerance=1e-14 if solver is newton else 1e-8)
    expected = newton(LinearObjective(X, y, Logistic()), tolerance=1e-20)
    assert small.certificate.converged
    np.testing.assert_allclose(small.theta, expected.theta, atol=1e-6)
    assert SoftmaxObjective(X, y, 2, weight=np.full(len(y), 1e-20)).unit == pytest.approx(1e-20)


WEIGHED = {
    "logistic": (LogisticRegression, "classes"),
    "softmax": (SoftmaxRegression, "classes"),
    "svc": (LinearSVC, "classes"),
    "poisson": (PoissonRegression, "counts"),
    "gamma": (lambda **options: GLM(Gamma(), Log(), **options), "times"),
    "gaussian": (lambda **options: GLM(Gaussian(), **options), "times"),
    "linear": (LinearRegression, "times"),
}
LINEAR = ("qr", "lms-batch", "lms-stochastic", "lms-online")


def goes_with(model, solver, l2):
    """Whether there is such a fit."""
    if model == "linear" or solver in LINEAR:
        return (model == "linear") == (solver in LINEAR)
    if solver in ONE_PREDICTOR and model == "softmax":
        return False
    if solver == "finite-newton":
        return model == "svc" and l2 > 0
    return not (solver in ("sgd", "fixed-hessian") and model in ("poisson", "gamma"))


@pytest.fixture(scope="module")
def weighed():
    """X, answers of all kinds, and weights whose largest is from 1 to 2."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 2))
    z = X @ [1.0, -0.5] + 0.4
    answers = {
        "classes": (z + rng.logistic(size=40) > 0).astype(int),
        "counts": rng.poisson(np.exp(z / 2)),
        "times": rng.gamma(2.0, np.exp(z / 2)),
    }
    return X, answers, np.append(rng.uniform(0.2, 1.9, 39), 1.5)


def fit_weighed(weighed, model, solver, l2, factor):
    X, answers, weight = weighed
    make, kind = WEIGHED[model]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = make(l2=l2 * factor, solver=solver).fit(X, answers[kind], weight * factor)
    return fitted, [str(warning.message).split(":")[0] for warning in caught]


@pytest.mark.parametrize("solver", ["auto", *SOLVERS, *LINEAR])
@settings(deadline=None, max_examples=12)
@given(data=st.data())
def test_the_unit_of_the_weights_changes_no_bit(weighed, solver, data):
    """By a power of two nothing is rounded: the same coefficients, and value, gap and trace in the other unit."""
    l2 = data.draw(st.sampled_from([0.7, 0.0]))
    models = [model for model in WEIGHED if goes_with(model, solver, l2)]
    if not models:
        return
    model = data.draw(st.sampled_from(models))
    factor = 2.0 ** data.draw(st.integers(-990, -25) | st.integers(25, 990))
    (expected, warned), (found, warns) = (fit_weighed(weighed, model, solver, l2, f) for f in (1.0, factor))
    np.testing.assert_array_equal(found.coef_, expected.coef_)
    np.testing.assert_array_equal(found.intercept_, expected.intercept_)
    assert warns == warned
    one, other = expected.solution_, found.solution_
    assert other.value == one.value * factor
    assert other.certificate.gap == one.certificate.gap * factor
    assert [step.value for step in other.trace] == [step.value * factor for step in one.trace]
    if solver != "qr":  # its own is a root of the gap
        assert [step.gradient_norm for step in other.trace] == [step.gradient_norm * factor for step in one.trace]


@pytest.mark.parametrize("factor", [1e-300, 1e-200, 1e-100, 1e-20, 1e-8, 1e-5, 1e5, 1e8, 1e20, 1e100, 1e300])
@pytest.mark.parametrize("model", WEIGHED)
def test_every_solver_of_weights_in_any_unit(weighed, model, factor):
    for solver, l2 in product(["auto", *SOLVERS, *LINEAR], [0.0, 0.7]):
        if solver not in ("sgd", "coordinate-newton") and goes_with(model, solver, l2):  # slow, and as good as these
            expected, _ = fit_weighed(weighed, model, solver, l2, 1.0)
            found, _ = fit_weighed(weighed, model, solver, l2, factor)
            np.testing.assert_allclose(found.coef_, expected.coef_, rtol=2e-6, err_msg=solver)
            np.testing.assert_allclose(found.intercept_, expected.intercept_, rtol=2e-6, err_msg=solver)
            assert found.solution_.value == pytest.approx(expected.solution_.value * factor, rel=1e-12)


def test_standard_errors_in_the_unit_of_the_weights(weighed):
    """A likelihood to the power of c has standard errors 1 / sqrt(c) as large, and c times the deviance."""
    for model in ("logistic", "poisson"):
        expected = fit_weighed(weighed, model, "auto", 0.0, 1.0)[0].summary()
        for factor in (1e-200, 1e200):
            found = fit_weighed(weighed, model, "auto", 0.0, factor)[0].summary()
            np.testing.assert_allclose(found.standard_error * factor**0.5, expected.standard_error, rtol=1e-9)
            for name in ("deviance", "null_deviance", "log_likelihood", "n_examples"):
                assert getattr(found, name) == pytest.approx(getattr(expected, name) * factor, rel=1e-9), name


def test_a_step_is_one_in_the_unit_of_the_weights(weighed):
    """θ ← θ - t ∇F: with c times the weights, t / c goes the same way."""
    X, answers, weight = weighed
    fits = [
        LogisticRegression(
            solver="gradient-descent", solver_options={"step_size": 0.02 / c}, tol=1e-3, max_iter=500
        ).fit(X, answers["classes"], weight * c)
        for c in (1.0, 2.0**40)
    ]
    np.testing.assert_array_equal(fits[1].coef_, fits[0].coef_)
    assert fits[1].n_iter_ == fits[0].n_iter_


@pytest.mark.parametrize("span", [3, 30, 145])
@pytest.mark.parametrize("model", ["logistic", "poisson", "gaussian"])
def test_weights_of_all_sizes_in_one_fit(weighed, model, span):
    """The certificate is believed only where it is small, and anything else is said aloud."""
    X, answers, _ = weighed
    make, kind = WEIGHED[model]
    weight = 10.0 ** np.random.default_rng(span).uniform(-span, span, len(X))
    for solver, l2 in product(["auto", "newton-cg", "bfgs", "irls"], [0.0, 1.0]):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            solution = make(solver=solver, l2=l2).fit(X, answers[kind], weight).solution_
        near = 1e-6 * max(abs(solution.value), weight.mean())
        assert caught or solution.certificate.gap <= near, (solver, l2)


@pytest.mark.parametrize("factor", [1e-14, 1e-20, 1e-100, 1e-200])
@pytest.mark.parametrize("solver", ["auto", *(name for name in SOLVERS if name not in ("sgd", "finite-newton"))])
def test_a_penalty_that_outweighs_all_examples_leaves_the_intercept(weighed, solver, factor):
    """w is then -∇/l2 at w = 0, and b, which has no penalty, the log odds of the classes."""
    X, answers, weight = weighed
    y = answers["classes"]
    share = np.average(y, weights=weight)
    slope = (weight * factor * (y - share)) @ X
    for rows in (np.asarray, sparse.csr_array):
        model = LogisticRegression(l2=1.0, solver=solver).fit(rows(X), y, weight * factor)
        assert model.intercept_[0] == pytest.approx(np.log(share / (1 - share)), rel=1e-6)
        if solver in ("auto", "newton"):
            np.testing.assert_allclose(model.coef_[0], slope, rtol=1e-6)
        likelihood = weight @ np.log(np.where(y == 1, share, 1 - share))
        assert model.solution_.value == pytest.approx(-factor * likelihood, rel=1e-9)


def test_weights_and_penalties_of_sizes_that_do_not_go_together(weighed):
    X, answers, weight = weighed
    for factor, l2 in ((1e-300, 1e100), (1e300, 1e-100)):
        for solver in ("auto", "newton-cg"):
            with pytest.raises(ValueError, match=r"weights of up to .* do not go together with l2"):
                LogisticRegression(l2=l2, solver=solver).fit(X, answers["classes"], weight * factor)
        with pytest.raises(ValueError, match=r"weights of up to .* do not go together with l2"):
            LinearRegression(l2=l2).fit(X, answers["times"], weight * factor)
    with pytest.raises(ValueError, match="the objective is more than a floating-point number can hold"):
        PoissonRegression(l2=1.0).fit(np.zeros((3, 1)), [1e8, 3e8, 2e8], np.full(3, 3e307))


@pytest.mark.parametrize("rows", [np.asarray, sparse.csr_array])
def test_the_step_of_sgd_by_hand(rows):
    """1 / max_i (c s_i (|x_i|² + 1) + l2 / m) with c = 1/4, for weights 2 and 8."""
    objective = LinearObjective(rows(np.array([[3.0, 0], [0, 1]])), [0, 1], Logistic(), weight=[2.0, 8.0], l2=6.0)
    assert stable_step(objective) == pytest.approx(1 / (max(2 * 10, 8 * 2) / 4 + 6 / 2))


# separation with other links


@pytest.mark.parametrize(
    ("family", "link", "answers"),
    [
        (Bernoulli(), Log(), [0, 0, 0, 0, 1, 1, 0, 0]),
        (Bernoulli(), Inverse(), [0, 0, 0, 0, 1, 1, 0, 0]),
        (Poisson(), Inverse(), [0, 0, 0, 0, 1, 2, 3, 4]),
        (Gaussian(), Log(), [-1, 0, -2, 0, 1, 2, 3, 4]),
    ],
)
def test_means_that_are_reached_at_infinity_only(family, link, answers):
    group = np.repeat([1.0, 0.0], 4)[:, None]
    with pytest.raises(SeparationError, match="quasi-complete separation: 4 of 8"):
        GLM(family, link).fit(group, answers)
    with pytest.raises(SeparationError, match=r"all 4 responses are (0|at most 0)"):
        GLM(family, link).fit(group[:4], answers[:4])
    mixed = [answers[0], *answers[5:], answers[4], *answers[1:4]]
    means = np.array([np.mean(np.array(mixed)[group[:, 0] == g]) for g in (0.0, 1.0)])
    model = GLM(family, link)
    if (means > 0).all():
        np.testing.assert_allclose(model.fit(group, mixed).predict([[0.0], [1.0]]), means, rtol=1e-6)


def test_means_at_the_end_of_their_range():
    with pytest.raises(
        ValueError, match=r"a mean is at the end of its range, or the objective is not convex .*, use another link"
    ):
        GLM(Poisson(), Identity()).fit(np.repeat([1.0, 0.0], 4)[:, None], [0, 0, 0, 0, 1, 2, 3, 4])


# scales


@pytest.mark.parametrize("scale", [1e-170, 1e160, 1e300])
@pytest.mark.parametrize(
    "model",
    [LogisticRegression(), PoissonRegression(), LinearRegression(), SoftmaxRegression(reference=True)],
    ids=lambda model: type(model).__name__,
)
def test_summaries_of_extreme_scales(data, model, scale):
    X, y = data
    expected = model.fit(X, y).summary()
    found = model.fit(X * scale, y).summary()
    np.testing.assert_allclose(found.standard_error[:3] * scale, expected.standard_error[:3], rtol=1e-8)
    np.testing.assert_allclose(found.p_value, expected.p_value, rtol=1e-6)


def test_numbers_that_are_nearly_zero(data):
    X, y = data
    for rows in (np.asarray, sparse.csr_array):
        with pytest.raises(ValueError, match="coefficients are more than a floating-point number can hold"):
            LogisticRegression().fit(rows(X * 1e-310), y)


def test_refined_least_squares_have_no_unit():
    """Responses in a unit that is a power of two give coefficients in that unit to the last bit, however small."""
    rng = np.random.default_rng(5)
    A = np.vander(rng.uniform(0.9, 1.1, 30), 6)
    b = rng.normal(size=30)
    Q, R = np.linalg.qr(A)
    x, gap = least_squares(A, b, Q, R)
    for unit in (2.0**-60, 2.0**60):
        scaled, scaled_gap = least_squares(A, b * unit, Q, R)
        assert scaled.tolist() == (x * unit).tolist()
        assert scaled_gap == gap * unit**2
