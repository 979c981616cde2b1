"""The perceptron: its mistakes, its ends, and its compiled passes."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from probml.linear_model import Perceptron
from probml.linear_model.perceptron import compiled_pass, one_pass


def test_perceptron_makes_no_more_mistakes_than_the_bound():
    rng = np.random.default_rng(3)
    w = np.array([0.6, -0.8])
    X = rng.uniform(-1, 1, (300, 2))
    X = X[np.abs(X @ w) > 0.05]
    y = np.where(X @ w > 0, "above", "below")
    model = Perceptron(fit_intercept=False).fit(X, y)
    R, margin = np.linalg.norm(X, axis=1).max(), np.abs(X @ w).min()
    assert 0 < model.n_mistakes_ <= (R / margin) ** 2
    assert model.score(X, y) == 1
    assert model.solution_.certificate.converged
    assert model.solution_.value == 0


def test_perceptron_by_hand():
    model = Perceptron().fit([[1.0, 0], [0, 1], [-1, 0]], [1, 1, 0])
    # (1, 0): z = 0, a mistake: w = (1, 0), b = 1. (0, 1): z = 1. (-1, 0): z = 0, a mistake: w = (2, 0), b = 0.
    # (1, 0): z = 2. (0, 1): z = 0, a mistake: w = (2, 1), b = 1. (-1, 0): z = -1. Third pass: no mistake.
    np.testing.assert_array_equal(model.coef_, [[2, 1]])
    np.testing.assert_array_equal(model.intercept_, [1])
    assert (model.n_mistakes_, model.n_iter_) == (3, 3)


def test_perceptron_without_a_solution():
    X, y = [[0.0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]
    with pytest.warns(ConvergenceWarning, match="mistakes in pass 50, the last of max_iter.*gap.*gradient.*no hyp"):
        model = Perceptron(max_iter=50, tol=0).fit(X, y)
    assert model.n_iter_ == 50
    assert not model.solution_.certificate.converged


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_perceptron_ends_when_no_margin_is_left(intercept, weighted):
    """At the first pass after which the longest sum of steps, over the sum of their lengths, is below the tolerance."""
    rng = np.random.default_rng(4)
    X = rng.integers(-9, 10, (60, 3)) * [1.0, 0.5, 2.0]
    y = np.where(rng.uniform(size=60) < 0.3, 1, X[:, 0] > 0)
    weight = rng.integers(1, 4, 60).astype(float) if weighted else None
    A = np.column_stack([X, np.ones((60, int(intercept)))])
    units = np.abs(A).max(axis=0)
    R, tolerance, passes, longest = np.linalg.norm(A / units, axis=1).max(), 0.01, 0, 0.0
    theta, S, s = np.zeros(3 + intercept), 0.0, np.ones(60) if weight is None else weight
    while longest >= tolerance * R * S:
        for x, sign, length in zip(A, 2 * y - 1, s, strict=True):
            if sign * (x @ theta) <= 0:
                theta, S = theta + length * sign * x, S + length
        longest, passes = max(longest, np.linalg.norm(theta / units)), passes + 1
    assert passes > 5
    with pytest.warns(ConvergenceWarning, match=f"in pass {passes}, when no hyperplane can have a margin of tol=0.01"):
        model = Perceptron(fit_intercept=intercept, tol=tolerance).fit(X, y, weight)
    np.testing.assert_array_equal(model.solution_.theta, theta)
    with pytest.warns(ConvergenceWarning, match="the last of max_iter"):
        assert Perceptron(fit_intercept=intercept, tol=tolerance, max_iter=passes - 1).fit(X, y, weight)


@pytest.mark.parametrize("rows", [np.asarray, np.asfortranarray, sparse.csr_array])
@pytest.mark.parametrize("intercept", [True, False])
def test_compiled_passes_of_the_perceptron_make_the_same_mistakes(rows, intercept):
    """Whole numbers, of which sums are exact in any order."""
    rng = np.random.default_rng(5)
    X = rng.integers(-3, 4, (80, 6)) * (rng.uniform(size=(80, 6)) < 0.5)
    signs = rng.choice([-1.0, 1.0], 80)
    steps = signs * rng.integers(1, 5, 80)
    X, found, expected = rows(X.astype(float)), np.zeros(6 + intercept), np.zeros(6 + intercept)
    before = X.copy()
    for _ in range(10):
        said = compiled_pass(X, signs, steps, found[:6], found[6:])
        assert said == one_pass(X, signs, steps, expected[:6], expected[6:])
        assert said[0] > 0
        np.testing.assert_array_equal(found, expected)
    assert not (abs(X - before)).max()


@pytest.mark.parametrize("rows", [np.asarray, sparse.csr_array])
def test_perceptron_of_many_rows_is_that_of_few(rows, monkeypatch):
    """A read-only X as well, as memory maps are."""
    rng = np.random.default_rng(6)
    X = rng.integers(-4, 5, (300, 4)).astype(float)
    y = X @ [2, -1, 1, 3] + 0.5 > 0
    X.flags.writeable = False
    few = Perceptron().fit(rows(X), y)
    monkeypatch.setattr("probml.linear_model.perceptron.ROWS_WORTH_COMPILING", 0)
    many = Perceptron().fit(rows(X), y)
    assert (many.n_iter_, many.n_mistakes_) == (few.n_iter_, few.n_mistakes_)
    np.testing.assert_array_equal(many.coef_, few.coef_)
    assert many.score(X, y) == 1


@pytest.mark.parametrize("unit", [2.0**-565, 2.0**530])
def test_the_unit_of_the_weights_is_that_of_the_steps(unit):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = X[:, 0] + 0.3 > 0
    plain, found = Perceptron().fit(X, y), Perceptron().fit(X, y, np.full(60, unit))
    assert (found.n_iter_, found.n_mistakes_) == (plain.n_iter_, plain.n_mistakes_)
    np.testing.assert_array_equal(found.coef_, plain.coef_ * unit)
    np.testing.assert_array_equal(found.intercept_, plain.intercept_ * unit)


def test_rows_of_zeros_alone_have_no_margin():
    with pytest.warns(ConvergenceWarning, match="no hyperplane can have a margin") as caught:
        Perceptron(fit_intercept=False).fit([[0.0], [0.0]], [0, 1])
    assert len(caught) == 1
