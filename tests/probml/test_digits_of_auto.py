"""What "auto" and other fast ways choose gives ten digits: against the slow and sure way to the same minimum."""

from fractions import Fraction
from operator import mul

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import sparse
from sklearn.datasets import load_digits

from probml.errors import RankWarning
from probml.linear_model import LinearRegression, LogisticRegression, SoftmaxRegression
from probml.linear_model import normal_equations as module
from probml.linear_model.solving import chosen
from probml.losses import Logistic, SquaredHinge
from probml.objectives import LinearObjective, SoftmaxObjective
from probml.solvers import newton, newton_cg


def test_growing_newton_gives_the_digits_of_newton():
    """Fair's data of affairs: F is in the thousands, and a tolerance relative to it would cost two digits."""
    data = sm.datasets.fair.load_pandas().data
    X, y = data.drop(columns="affairs").to_numpy(), (data["affairs"] > 0).to_numpy().astype(float)
    objective = LinearObjective(X, y, Logistic())
    assert chosen("auto", objective) == "growing-newton"
    expected = newton(objective, tolerance=1e-30).theta
    np.testing.assert_allclose(LogisticRegression().fit(X, y).solution_.theta, expected, rtol=1e-10)


def test_softmax_of_many_parameters_goes_without_the_hessian():
    X, y = load_digits(return_X_y=True)
    model = SoftmaxRegression(l2=1.0).fit(X / 16, y)
    objective = SoftmaxObjective(X / 16, y, 10, l2=1.0)
    assert chosen("auto", objective) == "newton-cg"
    theta = newton(objective, model.solution_.theta, tolerance=1e-30, max_iterations=3).theta.reshape(10, -1)
    expected = theta[:, :64]
    np.testing.assert_allclose(model.coef_, expected, rtol=0, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize(
    ("shape", "l2", "solver"),
    [
        ((2000, 30, 10), 1.0, "newton-cg"),
        ((2000, 30, 10), 1e-6, "newton"),  # conjugate gradients would need too many products
        ((2000, 30, 10), 0.0, "newton"),  # and here nobody knows how many
        ((150, 4, 3), 1.0, "newton"),
        ((2000, 200, 10), 0.0, "newton-cg"),
    ],
)
def test_auto_of_softmax_goes_by_cost(shape, l2, solver):
    rng = np.random.default_rng(0)
    m, n, K = shape
    weight = rng.uniform(1, 2, m)
    objective = SoftmaxObjective(rng.standard_normal((m, n)), np.arange(m) % K, K, l2=l2, weight=weight)
    assert chosen("auto", objective) == solver


@pytest.mark.parametrize(
    ("shape", "l2", "solver"),
    [
        ((1000, 400), 1.0, "newton-cg"),
        ((1000, 400), 1e-4, "newton"),  # a small gradient would mean fewer digits
        ((1000, 400), 0.0, "newton"),  # and here nobody knows how many
        ((1000, 100), 1.0, "newton"),
        ((9000, 40), 1.0, "growing-newton"),
    ],
)
def test_auto_of_one_predictor_goes_by_cost(shape, l2, solver):
    rng = np.random.default_rng(0)
    m, n = shape
    X, y = rng.standard_normal((m, n)), np.arange(m) % 2
    objective = LinearObjective(X, y, Logistic(), l2=l2)
    assert chosen("auto", objective) == solver
    assert chosen("auto", LinearObjective(X, 2 * y - 1, SquaredHinge(), l2=l2)) != "newton-cg"
    model, newton_model = (LogisticRegression(l2=l2, solver=each) for each in ("auto", "newton"))
    if solver == "newton-cg":
        expected = newton_model.fit(X, y).coef_
        np.testing.assert_allclose(model.fit(X, y).coef_, expected, rtol=0, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("model", [SoftmaxRegression, LogisticRegression])
@pytest.mark.parametrize("intercept", [True, False])
def test_private_columns_of_softmax_are_pooled_and_spread(model, intercept):
    rng = np.random.default_rng(4)
    X = sparse.random_array((120, 1300), density=0.005, rng=rng, format="csr")
    y = np.arange(120) % 3
    fitted = model(l2=0.3, fit_intercept=intercept).fit(X, y)
    best = newton_cg(SoftmaxObjective(X, y, 3, l2=0.3, intercept=intercept), tolerance=1e-13).theta.reshape(3, -1)
    np.testing.assert_allclose(fitted.coef_, best[:, :1300], atol=1e-7)
    theta = fitted.solution_.theta.reshape(3, -1)
    np.testing.assert_array_equal(theta[:, :1300], fitted.coef_)
    assert theta.shape == (3, 1300 + intercept)
    again = model(l2=0.3, fit_intercept=intercept, warm_start=True).fit(X, y).fit(X, y)
    assert again.n_iter_ == 0
    np.testing.assert_allclose(again.coef_, fitted.coef_, atol=1e-12)


def exact_least_squares(A, b, weight=None, l2=0):
    """(A^T S A + l2 I) x = A^T S b in fractions; the last of x is not penalised."""
    unit = 2**140
    columns = [[int(Fraction(value) * unit) for value in column] for column in np.column_stack([A, b]).T]
    weighted = columns[:-1]
    if weight is not None:
        whole = [int(Fraction(value) * unit) for value in weight]
        weighted = [[s * v for s, v in zip(whole, column, strict=True)] for column in weighted]
    rows = [[Fraction(sum(map(mul, left, right))) for right in columns] for left in weighted]
    for j in range(len(rows) - 1):
        rows[j][j] += Fraction(l2) * unit ** (2 if weight is None else 3)
    for i in range(len(rows)):
        pivot = [value / rows[i][i] for value in rows[i]]
        left = [[v - row[i] * u for v, u in zip(row, pivot, strict=True)] for row in rows]
        rows = [*left[:i], pivot, *left[i + 1 :]]
    return [row[-1] for row in rows]


def relative_error(found, exact):
    """The largest of any entry."""
    return max(float(abs(Fraction(v) / w - 1)) for v, w in zip(found.tolist(), exact, strict=True))


def solved_by(model):
    return model.solution_.certificate.reason.removeprefix("solved by ")


def fit_and_way(model, *data):
    """The solution, and what it was solved by."""
    solution = model.fit(*data).solution_
    return solution, solution.certificate.reason.removeprefix("solved by ")


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("noise", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("condition", [1.0, 1e2, 900.0])
def test_normal_equations_are_refined_to_the_last_digit(condition, noise, intercept, monkeypatch):
    rng = np.random.default_rng(7)
    Q, P = np.linalg.qr(rng.standard_normal((2000, 4)))[0], np.linalg.qr(rng.standard_normal((4, 4)))[0]
    X = Q * np.geomspace(1, 1 / condition, 4) @ P + np.array([0.3, 0, 0, -0.05]) * intercept
    y = X @ rng.standard_normal(4) + noise * rng.standard_normal(2000)
    model = LinearRegression(fit_intercept=intercept)
    factors, way = fit_and_way(model, X, y)
    assert way == "orthogonal factors"
    monkeypatch.setattr(module, "SMALL_DESIGN", 0)
    found, way = fit_and_way(model, X, y)
    assert way == "normal equations, refined"
    exact = exact_least_squares(np.column_stack([X, np.ones((2000, int(intercept)))]), y)
    error = max(float(abs(Fraction(v) / w - 1)) for v, w in zip(found.theta.tolist(), exact, strict=True))
    # Residuals are long doubles, and the condition number counts in them, too: 900 · 2^-64, more or less.
    assert error <= (1e-15 if condition > 100 else 2.3e-16)
    assert found.value == pytest.approx(factors.value, rel=1e-13)
    if condition == 1 and not intercept:  # where factors find the last digit, too
        assert found.certificate.gap == pytest.approx(factors.certificate.gap, rel=0.1)


def test_normal_equations_are_left_where_digits_would_be_lost():
    rng = np.random.default_rng(8)
    X = rng.standard_normal((20_000, 8))
    y, model = X.sum(axis=1) + 1, LinearRegression()
    designs = {
        "ordinary": X,
        "means like those of years": X + 200,
        "means that hide the numbers": X + 1e6,
        "small": X[:1000],
        "nearly the same": np.column_stack([X[:, 1] + 1e-4 * X[:, 0], X[:, 1:]]),
        "squares that vanish": X * [1, 1e-160, *[1] * 6],
        "squares that overflow": X * [1, 1e160, *[1] * 6],
    }
    ways = {name: fit_and_way(model, given, y[: len(given)])[1] for name, given in designs.items()}
    quick = [name for name, way in ways.items() if way == "normal equations, refined"]
    assert quick == ["ordinary", "means like those of years"]
    with pytest.warns(RankWarning, match="rank 8, but 9 columns"):
        model.fit(X[:, [0, 0, 2, 3, 4, 5, 6, 7]], y)
    solution, way = fit_and_way(LinearRegression(), X, np.zeros(20_000))
    assert way == "normal equations, refined"
    assert not solution.theta.any()
    assert solution.value == 0


@pytest.mark.parametrize("where", [(0, 0), (19_999, 7)])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_large_design_with_a_number_missing_is_refused(where, value):
    rng = np.random.default_rng(8)
    X = rng.standard_normal((20_000, 8))
    y = X.sum(axis=1)
    X[where] = value
    for weight in (None, np.ones(20_000), np.arange(20_000) % 19_999):  # also where its weight is 0
        with pytest.raises(ValueError, match="Input X contains"):
            LinearRegression().fit(X, y, weight)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("l2", [0.0, 2.0])
@pytest.mark.parametrize("weighted", [True, False])
def test_linear_regression_of_a_large_design_is_that_of_a_small_one(l2, weighted, intercept, order, monkeypatch):
    rng = np.random.default_rng(9)
    X = rng.standard_normal((3000, 6)) * [1, 10, 1e-3, 1, 1e9, 1] + [5, 0, 0, -3, 0, 0]
    X = np.asarray(X, order=order)
    y, weight = X[:, 0] + rng.standard_normal(3000), rng.uniform(0.5, 2, 3000) if weighted else None
    model = LinearRegression(l2=l2, fit_intercept=intercept)
    small, way = fit_and_way(model, X, y, weight)
    assert way == "orthogonal factors"
    monkeypatch.setattr(module, "SMALL_DESIGN", 0)
    monkeypatch.setattr(module, "GRAM_BLOCK_NUMBERS", 700)
    large, way = fit_and_way(model, X, y, weight)
    assert way == "normal equations, refined"
    if intercept:
        exact = exact_least_squares(np.column_stack([X, np.ones(3000)]), y, weight, l2)
        np.testing.assert_allclose(large.theta, [float(value) for value in exact], rtol=2.3e-16)
    # Roots of the weights, which factors take, are rounded, and the fourth coefficient is near 0.
    np.testing.assert_allclose(large.theta, small.theta, rtol=1e-15 if weight is None else 1e-13)
    assert large.value == pytest.approx(small.value, rel=1e-13)


def test_the_number_of_cores_changes_no_bit(monkeypatch):
    rng = np.random.default_rng(10)
    X, y = rng.standard_normal((40_000, 8)), rng.standard_normal(40_000)
    found = []
    for cores in (1, 2, 5):
        monkeypatch.setattr("probml.threads.cpu_count", lambda cores=cores: cores)
        found.append(LinearRegression().fit(X, y).solution_)
    for other in found[1:]:
        np.testing.assert_array_equal(other.theta, found[0].theta)
        assert (other.value, other.certificate) == (found[0].value, found[0].certificate)


@pytest.mark.parametrize("unit", [1e-10, 1.0, 1e10])
def test_a_large_design_that_gives_every_response(unit):
    """What is left is rounding, and `summary` says so."""
    rng = np.random.default_rng(11)
    X = rng.standard_normal((20_000, 8)) + 4
    y = unit * (X @ np.arange(1.0, 9.0) + 2)
    model = LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, unit * np.arange(1.0, 9.0), rtol=1e-14)
    assert model.solution_.value <= 1e-28 * (y @ y)
    with pytest.raises(ValueError, match="gives every response exactly"):
        model.summary()
    held = LinearRegression(l2=3.0).fit(X, y)
    expected = np.linalg.solve((Z := X - X.mean(axis=0)).T @ Z + 3 * np.eye(8), Z.T @ (y - y.mean()))
    np.testing.assert_allclose(held.coef_, expected, rtol=1e-11)


@pytest.mark.parametrize("shape", [(4000, 300), (200_000, 1)])
def test_normal_equations_of_wide_and_narrow_designs(shape):
    rng = np.random.default_rng(12)
    X, y = rng.standard_normal(shape) - 2, rng.standard_normal(shape[0])
    solution, way = fit_and_way(LinearRegression(), X, y)
    assert way == "normal equations, refined"
    A = np.column_stack([X, np.ones(len(X))])
    np.testing.assert_allclose(solution.theta, np.linalg.lstsq(A, y, rcond=None)[0], rtol=1e-9, atol=1e-15)
    assert solution.value == pytest.approx(np.sum((A @ solution.theta - y) ** 2) / 2, rel=1e-12)
