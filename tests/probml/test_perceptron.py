"""The perceptron: its mistakes, its ends, and its compiled passes."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from probml.linear_model import Perceptron, perceptron


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


@pytest.mark.parametrize("tol", [1.0, 1.5, -0.1, np.nan])
def test_the_margin_to_hope_for_is_a_share(tol):
    with pytest.raises(ValueError, match="tol must be a number of at least 0 and below 1"):
        Perceptron(tol=tol).fit([[1.0], [2.0]], [0, 1])


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_longest_row_may_be_any(layout, place):
    X = np.ones((3, 2))
    X[place] = [6.0, 4.0]
    for intercept, longest in ((0, 5.0), (1, np.sqrt(26))):
        assert perceptron.longest_row(layout(X), np.array([2.0, 1.0]), intercept) == longest


def test_one_mistake_in_each_pass_is_enough_to_give_up():
    """Without an intercept a row of zeros is never right: after 10 passes w = 1, over 11 steps, is below the margin."""
    with pytest.warns(ConvergenceWarning, match=r"1 mistakes in pass 10, when no hyperplane"):
        model = Perceptron(fit_intercept=False, tol=0.1).fit([[0.0], [1.0], [-1.0]], [1, 1, 0])
    assert model.n_iter_ == 10


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
@pytest.mark.parametrize("tol", [0, 0.01])
def test_compiled_and_plain_passes_are_the_same_to_the_last_digit(rows, intercept, tol, monkeypatch):
    """Tenths, whose sums are near to 0 where they should be 0: the order of the sum then has the last word."""
    rng = np.random.default_rng(5)
    X = rng.integers(-3, 4, (80, 6)) * (rng.uniform(size=(80, 6)) < 0.5) / 10
    X.flags.writeable = False
    y, weight = rng.choice(["no", "yes"], 80), rng.integers(1, 5, 80) / 10
    model = Perceptron(fit_intercept=intercept, tol=tol, max_iter=60)
    found = []
    for worth in (0, 10**9):
        monkeypatch.setattr(perceptron, "ROWS_WORTH_COMPILING", worth)
        with pytest.warns(ConvergenceWarning):
            model.fit(rows(X), y, weight)
        found.append((model.n_iter_, model.n_mistakes_, *model.solution_.theta))
    assert found[0] == found[1]
    assert (found[0][0] < 60) == (tol > 0)


@pytest.mark.parametrize("worth", [0, 10**9])
@pytest.mark.parametrize("rows", [np.array, sparse.csr_array])
@pytest.mark.parametrize(("x", "mistakes"), [([0.2, 0.6, -0.9, 0.1], 1), ([0.1, 0.6, 0.2, -0.9], 2)])
def test_a_predictor_near_to_zero_is_added_up_in_order(x, mistakes, rows, worth, monkeypatch):
    """The sum is 0, but from left to right it comes out above 0 in the first order, and below it in the second."""
    monkeypatch.setattr(perceptron, "ROWS_WORTH_COMPILING", worth)
    model = Perceptron(fit_intercept=False, warm_start=True, max_iter=1)
    for _ in range(2):
        with pytest.warns(ConvergenceWarning):
            model.fit(rows([x, x]), [1, 0])
        found, model.coef_ = model.n_mistakes_, np.ones((1, 4))
    assert found == mistakes


@pytest.mark.parametrize("rows", [np.array, sparse.csr_array])
@pytest.mark.parametrize("intercept", [0, 1])
@pytest.mark.parametrize("rounding", [0.0, 1e9])
def test_loops_to_be_compiled_as_plain_python(rows, intercept, rounding, monkeypatch):
    """Whole numbers, whose sums are exact in any order."""
    monkeypatch.setattr(perceptron, "product", getattr(perceptron.product, "py_func", perceptron.product))
    rng = np.random.default_rng(6)
    X, s = rng.integers(-3, 4, (40, 3)) * rng.integers(0, 2, (40, 3)) * 1.0, rng.integers(1, 5, 40) * 1.0
    y, start = rng.choice([-1.0, 1.0], 40), np.array([1.0, -2.0, 0.0, 3.0])[: 3 + intercept]
    theta, mistakes, length = start.copy(), 0, 0.0
    for x, sign, step in zip(np.column_stack([X, np.ones((40, intercept))]), y, s, strict=True):
        if sign * (x @ theta) <= 0:
            theta, mistakes, length = theta + step * sign * x, mistakes + 1, length + step
    entries = perceptron.entries_of(rows(X))
    for one_pass in (perceptron.one_pass, perceptron.loops(entries)):
        w, b = start[:3].copy(), start[3:].copy()
        assert one_pass(entries, y, s, w, b, rounding) == (mistakes, length)
        np.testing.assert_array_equal([*w, *b], theta)


def test_many_small_fits_are_compiled_in_the_end(monkeypatch):
    monkeypatch.setattr(perceptron, "plain_loop", perceptron.PlainLoop())
    monkeypatch.setattr(perceptron, "ROWS_WORTH_COMPILING", 500)
    called = []
    monkeypatch.setattr(perceptron, "compiled_passes", lambda *problem: called.append(1) or perceptron.passes(*problem))
    X, y = np.arange(-5.0, 5)[:, None], np.arange(10) >= 5
    first = Perceptron().fit(X, y)
    assert not called
    for _ in range(20):
        last = Perceptron().fit(X, y)
    assert called
    np.testing.assert_array_equal(first.solution_.theta, last.solution_.theta)
    assert perceptron.plain_loop.rows <= 500


@pytest.mark.parametrize("unit", [2.0**-565, 2.0**530])
def test_the_unit_of_the_weights_is_that_of_the_steps(unit):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = X[:, 0] + 0.3 > 0
    plain, found = Perceptron().fit(X, y), Perceptron().fit(X, y, np.full(60, unit))
    assert (found.n_iter_, found.n_mistakes_) == (plain.n_iter_, plain.n_mistakes_)
    np.testing.assert_array_equal(found.coef_, plain.coef_ * unit)
    np.testing.assert_array_equal(found.intercept_, plain.intercept_ * unit)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("unit", [2.0**-600, 2.0**600])
def test_units_whose_squares_are_no_numbers_make_the_same_mistakes(unit, sign):
    X = sign * np.random.default_rng(0).uniform(0.5, 2.0, size=(60, 3))
    y = X[:, 0] > X[:, 1]
    plain, found = Perceptron(fit_intercept=False).fit(X, y), Perceptron(fit_intercept=False).fit(X * unit, y)
    assert (found.n_iter_, found.n_mistakes_) == (plain.n_iter_, plain.n_mistakes_)
    assert (found.predict(X * unit) == y).all()


def test_the_loss_has_the_unit_of_the_weights_twice():
    """That of the weights of its sum, and that of the steps of which θ is made; the gradient has the first alone."""
    X, y, unit = [[0.0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1], 2.0**-500
    plain, found = (Perceptron(max_iter=7, tol=0.0) for _ in range(2))
    with pytest.warns(ConvergenceWarning, match="mistakes in pass 7"):
        plain.fit(X, y)
    with pytest.warns(ConvergenceWarning, match="mistakes in pass 7"):
        found.fit(X, y, np.full(4, unit))
    assert found.solution_.value == plain.solution_.value * unit**2 > 0
    last, before = found.solution_.trace[-1], plain.solution_.trace[-1]
    assert last.gradient_norm == before.gradient_norm * unit > 0


def test_rows_of_zeros_alone_have_no_margin():
    with pytest.warns(ConvergenceWarning, match="no hyperplane can have a margin") as caught:
        Perceptron(fit_intercept=False).fit([[0.0], [0.0]], [0, 1])
    assert len(caught) == 1
