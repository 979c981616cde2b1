"""What "auto" and other fast ways choose gives ten digits: against the slow and sure way to the same minimum."""

from fractions import Fraction
from operator import mul

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.linalg import qr
from sklearn.datasets import load_digits

from probml.linear_model import LinearRegression, LogisticRegression, SoftmaxRegression
from probml.linear_model import least_squares as module
from probml.linear_model.least_squares import least_squares, normal_equations
from probml.linear_model.solving import chosen
from probml.losses import Logistic
from probml.objectives import LinearObjective, SoftmaxObjective
from probml.solvers import newton


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


def exact_least_squares(A, b):
    """A^T A x = A^T b in fractions."""
    whole = [[int(Fraction(value) * 2**140) for value in row] for row in np.column_stack([A, b])]
    columns = list(zip(*whole, strict=True))
    rows = [[Fraction(sum(map(mul, left, right))) for right in columns] for left in columns[:-1]]
    for i in range(len(rows)):
        pivot = [value / rows[i][i] for value in rows[i]]
        left = [[v - row[i] * u for v, u in zip(row, pivot, strict=True)] for row in rows]
        rows = [*left[:i], pivot, *left[i + 1 :]]
    return [row[-1] for row in rows]


@pytest.mark.parametrize("noise", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("condition", [1.0, 1e2, 900.0])
def test_normal_equations_are_refined_to_the_digits_of_orthogonal_factors(condition, noise, monkeypatch):
    rng = np.random.default_rng(7)
    Q, P = np.linalg.qr(rng.standard_normal((2000, 4)))[0], np.linalg.qr(rng.standard_normal((4, 4)))[0]
    A = Q * np.geomspace(1, 1 / condition, 4) @ P
    b = A @ rng.standard_normal(4) + noise * rng.standard_normal(2000)
    monkeypatch.setattr(module, "SMALL_MATRIX", 0)
    (found, bound), (slow, gap) = normal_equations(A, b), least_squares(A, b, *qr(A, mode="economic"))
    exact = exact_least_squares(A, b)
    error, other = (
        max(float(abs(Fraction(v) / w - 1)) for v, w in zip(x.tolist(), exact, strict=True)) for x in (found, slow)
    )
    # In the long doubles of both the condition number counts twice: 1e6 · 2^-64, more or less.
    assert max(error, other) <= (4e-15 if condition > 100 else 2.3e-16)
    if condition == 1:
        assert bound == pytest.approx(gap, rel=0.1)


def test_normal_equations_are_left_where_digits_would_be_lost():
    rng = np.random.default_rng(8)
    A = rng.standard_normal((20_000, 8))
    b = A.sum(axis=1)
    assert normal_equations(A, b) is not None
    assert normal_equations(A[:1000], b[:1000]) is None
    A[:, 0] = A[:, 1] + 1e-3 * A[:, 0]
    assert normal_equations(A, b) is None
    A[:, 0] = A[:, 1]
    assert normal_equations(A, b) is None
    assert not normal_equations(rng.standard_normal((20_000, 8)), np.zeros(20_000))[0].any()


@pytest.mark.parametrize("l2", [0.0, 2.0])
@pytest.mark.parametrize("weighted", [True, False])
def test_linear_regression_of_a_large_design_is_that_of_a_small_one(l2, weighted, monkeypatch):
    rng = np.random.default_rng(9)
    X = rng.standard_normal((3000, 6)) * [1, 10, 1e-3, 1, 1e9, 1] + [5, 0, 0, -3, 0, 0]
    y, weight = X[:, 0] + rng.standard_normal(3000), rng.uniform(0.5, 2, 3000) if weighted else None
    small = LinearRegression(l2=l2).fit(X, y, weight)
    monkeypatch.setattr(module, "SMALL_MATRIX", 0)
    monkeypatch.setattr(module, "BLOCK", 700)
    large = LinearRegression(l2=l2).fit(X, y, weight)
    np.testing.assert_allclose(large.solution_.theta, small.solution_.theta, rtol=1e-15)
    assert large.solution_.certificate.reason == "solved by normal equations, refined"
    assert small.solution_.certificate.reason == "solved by orthogonal factors"
