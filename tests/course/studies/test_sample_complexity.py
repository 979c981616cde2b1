"""Sample complexity: exact errors, fits from sufficient statistics, crossings and the lemma, each by another way."""

from math import comb

import numpy as np
import pytest
from scipy.stats import ks_2samp, kstest, norm

from course.studies.sample_complexity import counting, excess, logistic, naive_bayes
from course.studies.sample_complexity.bounds import (
    SETS,
    SIZES,
    exact_examples,
    hoeffding_examples,
    hoeffding_radius,
    largest_by_size,
    largest_errors,
    vc_examples,
    vc_radius,
)
from course.studies.sample_complexity.needed import Needed, examples_needed, power, size
from course.studies.sample_complexity.never_drawn import NeverDrawn
from course.studies.sample_complexity.problems import Shifted
from probml.curves import GaussianNB, LogisticRegression
from probml.curves.subsets import Subsets
from probml.linear_model import LogisticRegression as OneLogisticRegression
from probml.losses import Logistic
from probml.objectives import LinearObjective


def error_of_round(half, w, b):
    """Of the sign of w · x + b where x ~ Normal(±half e_1, I)."""
    length = np.linalg.norm(w, axis=-1)
    return (norm.sf((half * w[..., 0] + b) / length) + norm.sf((half * w[..., 0] - b) / length)) / 2


PROBLEMS = [Shifted.spread(5, 1.2), Shifted.with_common_noise(5, 1.2, 0.8), Shifted(5, 0.4, 0.3)]


@pytest.mark.parametrize("problem", PROBLEMS, ids=["spread", "common", "other"])
def test_error_is_that_of_drawn_examples(problem):
    rng = np.random.default_rng(0)
    w, b = rng.normal(1, 0.5, size=5), 0.3
    X, y = problem.draw(200_000, rng)
    wrong = np.mean((X @ w + b > 0) != (y == 1))
    assert abs(problem.error(w, b) - wrong) < 4 * np.sqrt(wrong / len(y))


@pytest.mark.parametrize("problem", PROBLEMS, ids=["spread", "common", "other"])
def test_no_direction_is_better_than_that_of_the_covariance(problem):
    covariance = np.eye(5) + problem.common**2
    best = np.linalg.solve(covariance, np.full(5, problem.shift))
    assert problem.error(best, 0.0) == pytest.approx(problem.bayes_error, rel=1e-12)
    assert problem.error(np.ones(5), 0.0) == pytest.approx(problem.bayes_error, rel=1e-12)
    distance = np.sqrt(problem.shift * best.sum())
    assert norm.cdf(-distance) == pytest.approx(problem.bayes_error, rel=1e-12)
    assert (problem.error(best + np.random.default_rng(1).normal(size=(50, 5)), 0.0) > problem.bayes_error).all()


def test_families_have_the_bayes_error_that_is_asked_for():
    for n in (1, 4, 2048):
        assert Shifted.spread(n, 1.3).bayes_error == pytest.approx(norm.cdf(-1.3), rel=1e-12)
        assert Shifted.with_common_noise(n, 1.3, 0.7).bayes_error == pytest.approx(norm.cdf(-1.3), rel=1e-12)


@pytest.mark.parametrize("problem", PROBLEMS, ids=["spread", "common", "other"])
def test_share_of_small_log_odds_is_that_of_drawn_examples(problem):
    X, y = problem.draw(100_000, np.random.default_rng(2))
    log_odds = (norm.logpdf(X, problem.shift, np.sqrt(1 + problem.common**2))).sum(axis=1)
    log_odds -= (norm.logpdf(X, -problem.shift, np.sqrt(1 + problem.common**2))).sum(axis=1)
    right = (2 * y - 1) * log_odds
    for tau in (0.05, 0.3, 10.0):
        share = np.mean((right >= 0) & (right <= tau * problem.n))
        assert abs(problem.share_of_small_log_odds(tau) - share) < 4 * np.sqrt(0.25 / len(y))
    assert problem.share_of_small_log_odds(1e9) == pytest.approx(1 - problem.bayes_error)


@pytest.mark.parametrize("problem", PROBLEMS, ids=["spread", "common", "other"])
@pytest.mark.parametrize("m", [4, 10])
def test_naive_bayes_from_statistics_is_naive_bayes_of_examples(problem, m):
    runs, rng = 3000, np.random.default_rng(3)
    drawn = [problem.draw(m, rng) for _ in range(runs)]
    subsets = Subsets(np.array([X for X, _ in drawn]), np.array([y for _, y in drawn]), K=2)
    scores = GaussianNB(var_smoothing=0.0).fit(subsets).scores[""]
    from_examples = problem.error(scores.coef[:, 0], scores.intercept[:, 0])
    from_statistics = naive_bayes.errors(problem, m, runs, rng)
    assert ks_2samp(from_examples, from_statistics).pvalue > 1e-3
    w, b = naive_bayes.fitted_weights(problem, m, runs, rng)
    assert ks_2samp(w[:, 0], scores.coef[:, 0, 0]).pvalue > 1e-3
    assert ks_2samp(b, scores.intercept[:, 0]).pvalue > 1e-3


def test_logistic_regression_does_not_see_the_coordinates():
    """The same draws, seen as a problem with common noise and in the coordinates in which it is round."""
    n, m, runs, rng = 4, 60, 20, np.random.default_rng(4)
    problem = Shifted.with_common_noise(n, 1.0)
    drawn = [problem.draw(m, rng) for _ in range(runs)]
    X, y = np.array([X for X, _ in drawn]), np.array([y for _, y in drawn])
    first = np.full((n, 1), 1 / np.sqrt(n))
    turn = np.linalg.qr(np.hstack([first, rng.normal(size=(n, n - 1))]))[0]
    turn *= np.sign(turn[0, 0] * first[0, 0])
    scale = np.array([1 / np.sqrt(1 + n * problem.common**2), *np.ones(n - 1)])
    model = LogisticRegression(separable="ridge")
    ours = model.fit(Subsets(X, y, K=2))
    assert not ours.separable.any()
    round_ = model.fit(Subsets(X @ turn * scale, y, K=2)).scores["ridge"]
    seen = problem.error(ours.scores["ridge"].coef[:, 0], ours.scores["ridge"].intercept[:, 0])
    turned = error_of_round(problem.d, round_.coef[:, 0], round_.intercept[:, 0])
    np.testing.assert_allclose(seen, turned, rtol=1e-7)


def test_errors_of_few_features_are_those_of_the_fitted_lines():
    n, m, runs = 4, 60, 20
    X = np.random.default_rng(6).standard_normal((runs, m, n))
    side = np.repeat([-1.0, 1.0], m // 2)
    X[:, :, 0] += 0.9 * side
    fits = [OneLogisticRegression().fit(each, side) for each in X]
    w, b = np.array([fit.coef_[0] for fit in fits]), np.array([fit.intercept_[0] for fit in fits])
    found = logistic.errors(0.9, n, m, runs, np.random.default_rng(6))
    np.testing.assert_allclose(found, error_of_round(0.9, w, b), rtol=1e-7)


def test_many_features_that_are_never_drawn_have_the_errors_of_drawn_ones():
    n, m, runs, rng = 80, 600, 150, np.random.default_rng(5)
    side = np.repeat([-1.0, 1.0], m // 2)
    expected = []
    for _ in range(runs):
        X = rng.standard_normal((m, n))
        X[:, 0] += side
        model = OneLogisticRegression().fit(X, side)
        expected.append(error_of_round(1.0, model.coef_[0], model.intercept_[0]))
    assert ks_2samp(logistic.errors(1.0, n, m, runs, rng), expected).pvalue > 1e-3
    with pytest.raises(ValueError, match=r"100 examples of 80 features can be separated"):
        logistic.errors(1.0, n, 100, 1, np.random.default_rng(5))


def test_a_matrix_that_is_never_drawn_is_one_matrix():
    """Asked for more products than it has rows and columns, in turns, it answers as one matrix does."""
    m, n, rng = 50, 40, np.random.default_rng(8)
    E = NeverDrawn(m, n, np.random.default_rng(9))
    asked = [(rng.normal(size=n), rng.normal(size=m)) for _ in range(60)]
    answers = [(E.times(w), E.transposed_times(c)) for w, c in asked]
    whole = np.column_stack([E.times(e) for e in np.eye(n)])
    for (w, c), (Ew, Ec) in zip(asked, answers, strict=True):
        np.testing.assert_allclose(Ew, whole @ w, atol=1e-9)
        np.testing.assert_allclose(Ec, whole.T @ c, atol=1e-9)


def test_a_matrix_that_is_never_drawn_has_independent_normal_entries():
    """Whatever was asked before, also where that depends on the answers."""
    entries = []
    for run in range(2000):
        E = NeverDrawn(4, 3, np.random.default_rng([10, run]))
        E.times(E.transposed_times(np.array([1.0, 2.0, 0.0, -1.0])))
        E.transposed_times(E.times(np.ones(3)))
        entries.append(np.column_stack([E.times(e) for e in np.eye(3)]).ravel())
    entries = np.array(entries)
    assert kstest(entries.ravel(), "norm").pvalue > 1e-3
    assert np.abs(entries.mean(axis=0)).max() < 4 / np.sqrt(2000)
    assert np.abs(np.cov(entries.T) - np.eye(12)).max() < 4.5 * np.sqrt(2 / 2000)


def test_objective_of_examples_that_are_never_drawn(monkeypatch):
    """Against the objective of the same examples, drawn in the end."""
    made = []
    monkeypatch.setattr(logistic, "NeverDrawn", lambda *given: made.append(NeverDrawn(*given)) or made[-1])
    n, half, rng = 5, 0.7, np.random.default_rng(11)
    side = np.repeat([-1.0, 1.0], 15)
    ours = logistic.RoundObjective(half, n, side, np.random.default_rng(12))
    theta, direction = rng.normal(size=(2, n + 1))
    value, gradient = ours.value_and_gradient(theta)
    product = ours.hessian_product(theta, direction)
    (noise,) = made
    X = np.column_stack([noise.times(e) for e in np.eye(n)])
    X[:, 0] += half * side
    other = LinearObjective(X, side > 0, Logistic())
    expected = other.value_and_gradient(theta)
    assert value == pytest.approx(expected[0], rel=1e-12)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-9)
    np.testing.assert_allclose(product, other.hessian_product(theta, direction), rtol=1e-9)
    with pytest.raises(ValueError, match="asked for last"):
        ours.hessian_product(2 * theta, direction)


@pytest.mark.parametrize("m", [0, 1, 7])
def test_classes_of_equal_size(m):
    for draw in (
        lambda: Shifted(2, 1.0).draw(m, np.random.default_rng(0)),
        lambda: logistic.errors(1.0, 2, m, 1, np.random.default_rng(0)),
        lambda: naive_bayes.errors(Shifted(2, 1.0), m, 1, np.random.default_rng(0)),
    ):
        with pytest.raises(ValueError, match=f"even and at least 2, received {m}"):
            draw()


def test_a_shared_variance_needs_four_examples():
    with pytest.raises(ValueError, match="at least 4, received 2"):
        naive_bayes.errors(Shifted(2, 1.0), 2, 1, np.random.default_rng(0))


@pytest.mark.parametrize("start", [4, 90, 5000])
def test_examples_needed_of_a_known_law(start):
    """Excess 3 / m falls to .02 at m = 150, from wherever one starts."""
    found = examples_needed(lambda m: np.full(5, 3 / m), 0.02, start, seed=0)
    assert found.m == pytest.approx(150, rel=1e-9)
    assert found.interval == pytest.approx((150, 150), rel=1e-9)
    assert not found.at_floor
    floor = examples_needed(lambda m: np.full(5, 3 / m), 2.0, start, seed=0)
    assert floor.at_floor
    assert floor.interval == (4, 4)
    assert [str(each) for each in (found, floor, Needed(5.26, np.array([5.0])))] == ["150", "≤ 4", "5.3"]


def test_interval_of_the_examples_needed_covers():
    """Runs with a scatter of 10 %: the interval of 95 % covers the truth in 88 % of 200 studies at least."""
    covered = 0
    for study in range(200):
        rng = np.random.default_rng(study)
        low, high = examples_needed(lambda m: 3 / m * (1 + 0.1 * rng.normal(size=40)), 0.02, 150, seed=study).interval  # noqa: B023
        covered += low <= 150 <= high
    assert covered >= 176


def test_many_runs_are_drawn_again_in_groups_and_vary_as_runs_do():
    """Against the propagated errors of two means m = 3 / mean apart, where log m is linear in the logarithm."""
    values = np.random.default_rng(0).exponential(size=20_001)
    values /= values.mean()
    found = examples_needed(lambda m: 3 / m * values, 0.02, 150, seed=1)
    below = max(m for m in (size(place, 4) for place in range(60)) if m < 150)
    above = min(m for m in (size(place, 4) for place in range(60)) if m >= 150)
    share = np.log(150 / below) / np.log(above / below)
    error = values.std() / np.sqrt(len(values)) * np.hypot(1 - share, share)
    assert np.log(found.again).mean() == pytest.approx(np.log(150), abs=0.003)
    assert np.log(found.again).std() == pytest.approx(error, rel=0.15)


def test_no_crossing_is_an_error():
    with pytest.raises(ValueError, match=r"near 10 brings the mean excess error to 0.1"):
        examples_needed(lambda m: np.full(5, 0.2), 0.1, 10, seed=0)


def test_sizes_are_even_and_grow():
    sizes = [size(place, 4) for place in range(60)]
    assert all(m % 2 == 0 for m in sizes)
    assert (np.diff(sizes) >= 0).all()


def test_growth_of_known_laws():
    n = np.array([4, 16, 64, 256])

    def exactly(m):
        return [Needed(value, value * np.exp([-0.01, 0.0, 0.01])) for value in m]

    fit = power(n, exactly(3 * n**0.75))
    assert fit.value == pytest.approx(0.75)
    assert (fit.low, fit.high) == pytest.approx((0.75, 0.75))  # a common factor does not change an exponent


def test_largest_errors_have_their_exact_distribution():
    n, m, p, eps, runs = 3, 20, 0.3, 0.2, 20_000
    inside = sum(comb(10, k) * p**k * (1 - p) ** (10 - k) for k in range(11) if abs(k / 10 - p) <= eps + 1e-12)
    share = np.mean(largest_errors(n, m, p, runs, np.random.default_rng(6)) <= eps + 1e-12)
    assert abs(share - inside ** (2 * n)) < 4 * np.sqrt(0.25 / runs)


def test_exact_examples_by_counting():
    n, eps, delta, p = 2, 0.2, 0.1, 0.5

    def within(k):
        inside = sum(comb(k, c) for c in range(k + 1) if abs(c - k * p) <= eps * k + 1e-9) / 2**k
        return inside ** (2 * n)

    m = exact_examples(n, eps, delta, p)
    assert within(m // 2 - 1) < 1 - delta
    assert all(within(k) >= 1 - delta for k in range(m // 2, m // 2 + 60))
    assert m <= hoeffding_examples(n, eps, delta)
    assert hoeffding_radius(n, hoeffding_examples(n, eps, delta), delta) == pytest.approx(eps)


def test_largest_errors_for_every_size():
    drawn = largest_by_size([1, 3], 0.5, seed=0)
    assert {n: each.shape for n, each in drawn.items()} == {1: (len(SIZES), SETS), 3: (len(SIZES), SETS)}
    np.testing.assert_array_equal(drawn[3][0], largest_errors(3, 32, 0.5, SETS, np.random.default_rng([0, 3, 32])))


def test_bound_for_all_hyperplanes():
    """In one dimension the number of labellings is known, 2 m, and with it a smaller radius of the same form."""
    m, delta = 500, 0.1
    exact = np.sqrt(32 / m * np.log(8 * 2 * m / delta))
    assert exact < vc_radius(1, m, delta) < 1.3 * exact
    assert 8 * (np.e * m / 2) ** 2 * np.exp(-m * vc_radius(1, m, delta) ** 2 / 32) == pytest.approx(delta)
    for n, eps in ((1, 0.2), (2048, 0.03)):
        assert 2 * vc_radius(n, vc_examples(n, eps, delta), delta) == pytest.approx(eps)


def test_families():
    thin, common, rich = (excess.families(1.3)[name] for name in ("thin", "common noise", "rich"))
    assert thin(7).bayes_error == pytest.approx(norm.cdf(-1.3))
    assert thin(7).common == 0
    assert common(7).bayes_error == pytest.approx(norm.cdf(-1.3))
    assert common(7).common == 1
    assert rich(4) == thin(4)
    assert rich(16).bayes_error == pytest.approx(norm.cdf(-2.6))


def test_log_odds_per_feature_are_those_of_drawn_examples():
    problem = PROBLEMS[1]
    X, y = problem.draw(100_000, np.random.default_rng(3))
    deviation = np.sqrt(1 + problem.common**2)
    log_odds = (norm.logpdf(X, problem.shift, deviation) - norm.logpdf(X, -problem.shift, deviation)).sum(axis=1)
    seen = (2 * y - 1) * log_odds / problem.n
    mean, spread = problem.log_odds_per_feature
    assert abs(seen.mean() - mean) < 4 * spread / np.sqrt(len(y))
    assert seen.std() == pytest.approx(spread, rel=0.02)


def test_needed_finds_the_formula_of_the_thin_family():
    """m / n = 1 / (d² (d²/q² - 1)), and a few examples more; logistic regression needs more than that."""
    n, eps, half = 64, 0.06, 1.0
    q = -norm.ppf(norm.cdf(-half) + eps)
    found = excess.needed([n], eps, half, 4096, seed=3)
    by_formula = n / (half**2 * (half**2 / q**2 - 1))
    assert by_formula < found[excess.NB, "thin"][0].m < by_formula + 15
    assert found[excess.LR, "thin"][0].m > 1.5 * found[excess.NB, "thin"][0].m
    assert found[excess.LR, "thin"] == found[excess.LR, "common noise"]
    assert found[excess.NB, "common noise"][0].m < 10


def test_curves_are_means_with_standard_errors():
    curves = excess.curves([8], 1.0, 400, seed=1)
    sizes, mean, error = curves.thin[8]
    drawn = excess.of_naive_bayes(Shifted.spread(8, 1.0), int(sizes[2]), seed=1)
    assert sizes[2] == 32
    assert mean[2] == pytest.approx(drawn.mean())
    assert error[2] == pytest.approx(drawn.std(ddof=1) / np.sqrt(len(drawn)))
    assert curves.logistic[8][0].tolist() == [48, 64, 96, 128, 192]
    assert len(excess.of_logistic(1.0, 8, 48, 400, seed=1)) == 50
    assert (np.diff(curves.common[8][1]) < 0).all()


def test_parameters_of_fitted_models():
    rng = np.random.default_rng(0)
    n, y = 3, np.repeat([0, 1], 40)
    X = rng.normal(size=(80, n)) + 0.5 * y[:, None]
    assert list(counting.parameters(X, y).values()) == [7, 10, 13, 13, 19, 4]


def test_a_feature_left_out():
    """Where another feature says nearly the same, its weight takes over; a weight is told in its standard errors."""
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=400)
    first = rng.normal(size=400) + y
    X = np.column_stack([first, first + 0.3 * rng.normal(size=400), rng.normal(size=400)])
    told = counting.left_out(X, y, 0)
    full = OneLogisticRegression().fit(X, y)
    np.testing.assert_allclose(told.with_it, full.coef_[0, 1:])
    np.testing.assert_allclose(told.without_it, OneLogisticRegression().fit(X[:, 1:], y).coef_[0])
    np.testing.assert_allclose(
        told.moved * full.summary().standard_error[2:], told.without_it - told.with_it, rtol=1e-9
    )
    assert told.moved[0] > 2 > 0.5 > abs(told.moved[1])
