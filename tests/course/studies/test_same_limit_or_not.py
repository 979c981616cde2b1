"""Limits of linear classifiers on two normal classes: against drawn examples, scikit-learn and closed forms."""

import numpy as np
import pytest
from scipy.special import expit, ndtr
from scipy.stats import multivariate_normal
from sklearn.linear_model import LogisticRegression as PeerLogisticRegression

from course import datasets
from course.studies.resampled import mean_of, resampled_interval
from course.studies.same_limit_or_not import dependence, figures, limit, pairs
from course.studies.same_limit_or_not.approach import Approach, approach
from course.studies.same_limit_or_not.decomposition import (
    Known,
    along_sizes,
    bias_and_variance,
    limit_error,
    parts_of,
)
from course.studies.same_limit_or_not.fits import descended, fewest_errors, fitted
from course.studies.same_limit_or_not.normals import TwoNormals
from course.studies.same_limit_or_not.pairs import PairCurves, with_products
from probml.gda import GDA
from probml.linear_model import LogisticRegression
from probml.naive_bayes import GaussianNB

MEAN = np.array([[-0.8, 0.1], [0.7, 0.3]])
SHARED = np.array([[1.0, 0.6], [0.6, 2.0]])
OWN = np.array([SHARED, [[0.5, -0.2], [-0.2, 0.8]]])


def test_errors_log_losses_and_log_odds_are_those_of_drawn_examples():
    problem, w, b = TwoNormals(MEAN, OWN), np.array([1.2, -0.4]), 0.2
    X, y = problem.draw(400_000, np.random.default_rng(0))
    z, side = X @ w + b, 2 * y - 1
    assert abs(problem.error(w, b) - np.mean(side * z < 0)) < 4 * np.sqrt(0.25 / len(y))
    loss = np.logaddexp(0, -side * z)
    assert abs(problem.log_loss(w, b) - loss.mean()) < 4 * loss.std() / np.sqrt(len(y))
    densities = [multivariate_normal(MEAN[k], OWN[k]).logpdf(X[:50]) for k in (0, 1)]
    np.testing.assert_allclose(problem.log_odds(X[:50]), densities[1] - densities[0], rtol=1e-9)
    for k in (0, 1):
        np.testing.assert_allclose(np.cov(X[y == k].T), OWN[k], atol=0.03)


def test_sets_for_each_run():
    X, y = TwoNormals(MEAN, OWN).draw(6, np.random.default_rng(1), runs=3)
    assert X.shape == (3, 6, 2)
    np.testing.assert_array_equal(y, np.tile([0, 0, 0, 1, 1, 1], (3, 1)))
    with pytest.raises(ValueError, match="must be even, received 5"):
        TwoNormals(MEAN, OWN).draw(5, np.random.default_rng(1))


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match=r"received \(2, 2\) and \(2, 3, 3\)"):
        TwoNormals(MEAN, np.eye(3))


def test_limits_with_a_shared_covariance():
    problem = TwoNormals(MEAN, SHARED)
    w, b = limit.discriminant(problem, naive=False)
    expected = np.linalg.inv(SHARED) @ (MEAN[1] - MEAN[0])
    np.testing.assert_allclose(w, expected)
    assert b == pytest.approx(-expected @ MEAN.mean(axis=0))
    np.testing.assert_allclose(np.append(*limit.logistic(problem)), np.append(w, b), atol=1e-7)
    bayes = ndtr(-np.sqrt((MEAN[1] - MEAN[0]) @ expected) / 2)
    assert problem.error(w, b) == pytest.approx(bayes, rel=1e-12)
    assert limit.bayes_error(problem) == pytest.approx(bayes, abs=1e-6)
    assert limit.least_error(problem) == pytest.approx(bayes, abs=1e-9)
    naive, _ = limit.discriminant(problem, naive=True)
    np.testing.assert_allclose(naive, (MEAN[1] - MEAN[0]) / np.diag(SHARED))


def test_limits_with_two_covariances_are_those_of_many_examples():
    problem = TwoNormals(MEAN, OWN)
    X, y = problem.draw(400_000, np.random.default_rng(2))
    logistic = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(limit.logistic(problem)[0], logistic.coef_[0], atol=0.03)
    lda = GDA().fit(X, y)
    np.testing.assert_allclose(limit.discriminant(problem, naive=False)[0], lda.coef_[0], atol=0.03)
    naive = GaussianNB(shared_variance=True).fit(X, y)
    expected = (naive.theta_[1] - naive.theta_[0]) / naive.var_[0]
    np.testing.assert_allclose(limit.discriminant(problem, naive=True)[0], expected, atol=0.03)
    right = np.minimum(*(multivariate_normal(MEAN[k], OWN[k]).pdf(X) for k in (0, 1)))
    total = sum(multivariate_normal(MEAN[k], OWN[k]).pdf(X) for k in (0, 1))
    bayes, least = limit.bayes_error(problem), limit.least_error(problem)
    assert bayes == pytest.approx(np.mean(right / total), abs=0.002)
    assert bayes < least
    for model in ("naive Bayes", "LDA", "logistic regression"):
        assert limit_error(problem, model) >= least


def test_bayes_error_in_one_dimension():
    problem = TwoNormals([[-1.0], [1.0]], np.eye(1))
    assert limit.bayes_error(problem) == pytest.approx(ndtr(-1), abs=1e-5)
    with pytest.raises(ValueError, match="one or two features, not 3"):
        limit.bayes_error(TwoNormals(np.zeros((2, 3)), np.eye(3)))


def test_fits_of_many_sets_are_those_of_one():
    problem = TwoNormals(MEAN, OWN)
    X, y = problem.draw(60, np.random.default_rng(3), runs=4)
    w, b = fitted("logistic regression", X, y)
    peer = PeerLogisticRegression(C=np.inf, tol=1e-10).fit(X[2], y[2])
    np.testing.assert_allclose(np.append(w[2], b[2]), np.append(peer.coef_[0], peer.intercept_), atol=1e-5)
    np.testing.assert_allclose(fitted("LDA", X, y)[0][1], GDA().fit(X[1], y[1]).coef_[0], rtol=1e-4)


def test_descent_is_gradient_descent_and_ends_at_the_fit():
    X, y = TwoNormals(MEAN, OWN).draw(60, np.random.default_rng(4), runs=2)
    A = np.column_stack([X[0], np.ones(60)])
    L = np.linalg.norm(A, 2) ** 2 / 4
    theta = np.zeros(3)
    for _ in range(2):
        theta = theta - A.T @ (expit(A @ theta) - y[0]) / L
    w, b = descended(X, y, 2)
    np.testing.assert_allclose(np.append(w[0], b[0]), theta, rtol=1e-10)
    end, full = descended(X, y, 3000), fitted("logistic regression", X, y)
    np.testing.assert_allclose(end[0], full[0], rtol=1e-6)


def test_parts_add_up_to_the_error():
    problem, runs = TwoNormals(MEAN, OWN), 50
    known = Known.of(problem)
    parts = parts_of(problem, "logistic regression", 40, runs, np.random.default_rng(5), 3, known)
    X, y = problem.draw(40, np.random.default_rng(5), runs)
    stopped = problem.error(*descended(X, y, 3)).mean()
    total = parts.approximation + parts.criterion + parts.estimation + parts.optimisation
    assert known.bayes + total == pytest.approx(stopped, rel=1e-12)
    assert parts.approximation > 0
    assert parts.criterion >= 0
    whole = parts_of(problem, "naive Bayes", 40, runs, np.random.default_rng(5), None, known)
    assert whole.optimisation == whole.optimisation_error == 0


def test_bias_and_variance_add_up_and_bias_is_that_of_the_limit():
    problem = TwoNormals(MEAN, SHARED)
    X = problem.draw(200, np.random.default_rng(6))[0]
    bias, variance = bias_and_variance(problem, "naive Bayes", 4000, 200, X, np.random.default_rng(7))
    w, b = limit.discriminant(problem, naive=True)
    expected = np.mean((expit(X @ w + b) - expit(problem.log_odds(X))) ** 2)
    assert bias == pytest.approx(expected, rel=0.05)
    estimates = fitted("naive Bayes", *problem.draw(4000, np.random.default_rng(7), 200))
    squares = (expit(estimates[0] @ X.T + estimates[1][:, None]) - expit(problem.log_odds(X))) ** 2
    assert bias + variance == pytest.approx(squares.mean(), rel=1e-9)


def test_along_sizes():
    problem = TwoNormals(MEAN, SHARED)
    X = problem.draw(50, np.random.default_rng(6))[0]
    both = along_sizes(problem, "LDA", [20, 60], 30, X, [5, 7])
    assert both.shape == (2, 2)
    assert tuple(both[1]) == bias_and_variance(problem, "LDA", 60, 30, X, np.random.default_rng([5, 7, 60]))


def test_limits_by_name():
    problem = TwoNormals(MEAN, OWN)
    for model, expected in (
        ("naive Bayes", limit.discriminant(problem, naive=True)),
        ("LDA", limit.discriminant(problem, naive=False)),
        ("logistic regression", limit.logistic(problem)),
    ):
        np.testing.assert_allclose(np.append(*limit.of(model, problem)), np.append(*expected))


def test_fewest_errors_by_trying_all_thresholds():
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=(20, 9))
    x = rng.normal(size=(20, 9)) + y
    for row, labels, threshold in zip(x, y, fewest_errors(x, y), strict=True):
        tried = [np.sum((row > t) != labels) for t in [row.min() - 1, *row]]
        assert np.sum((row > threshold) != labels) == min(tried)


def test_dependent_features():
    """Closed forms: a pair of means ±μ with covariance Σ has the error Φ(-√(μ^T Σ^-1 μ))."""
    found = dependence.limits([0.5], [dependence.correlated(0.5)])
    mu, S = np.array([1.0, 0.3]), np.array([[1, 0.5], [0.5, 1]])
    assert found.error["logistic regression"][0] == pytest.approx(ndtr(-np.sqrt(mu @ np.linalg.solve(S, mu))))
    assert found.error["naive Bayes"][0] == pytest.approx(ndtr(-(mu @ mu) / np.sqrt(mu @ S @ mu)))
    copies = dependence.repeated(3)
    np.testing.assert_allclose(np.diag(copies.covariance[0]), 1)
    assert copies.covariance[0][0, 1] == pytest.approx(0.99)
    assert copies.covariance[0][0, 3] == 0
    best = np.sqrt(1 + 1 / (0.99 + 0.01 / 3))  # the mean of the copies has variance .99 + .01 / 3
    assert dependence.limits([3], [copies]).error["logistic regression"][0] == pytest.approx(ndtr(-best))
    same = dependence.limits([4], [dependence.one_measurement(4)])
    expected = ndtr(-1 / np.sqrt(0.9 + 0.1 / 4))
    assert same.error["naive Bayes"][0] == pytest.approx(expected)
    assert same.error["logistic regression"][0] == pytest.approx(expected)
    rho, k, measurement = dependence.three()
    assert len(rho.x) == len(rho.error["naive Bayes"])
    assert len(k.x) == len(measurement.log_loss["naive Bayes"]) == 32


def test_approach_to_a_known_law():
    sizes = np.array([10, 100, 1000])
    law = Approach(sizes, {"a": np.outer(5 / sizes, np.ones(3))}, {"a": np.outer(2 / sizes, [0.5, 1, 1.5])})
    assert law.exponents("a", 10) == pytest.approx((-0.5, -1.0))
    found = approach(TwoNormals([[-1.0], [1.0]], np.eye(1)), [100, 400], 200, seed=2)
    # One feature: w is (2 + difference of two means) / variance, b is normal of variance 4 / m. Their mean squares add.
    X, y = TwoNormals([[-1.0], [1.0]], np.eye(1)).draw(400, np.random.default_rng([2, 400]), 200)
    w, b = fitted("naive Bayes", X, y)
    np.testing.assert_allclose(found.squared_distance["naive Bayes"][1], (w[:, 0] - 2) ** 2 + b**2)
    np.testing.assert_allclose(
        found.excess["naive Bayes"][1],
        (ndtr(-1 - b / w[:, 0]) + ndtr(-1 + b / w[:, 0])) / 2 - ndtr(-1),
        atol=1e-12,
    )


def test_products():
    X = np.array([[2.0, 3.0, 5.0]])
    np.testing.assert_array_equal(with_products(X), [[2, 3, 5, 4, 6, 10, 9, 15, 25]])


def test_fresh_pairs_are_those_of_single_fits():
    """The first run of each model again, by the estimators of the package."""
    truth = pairs.truths()["one full Σ"]
    found = pairs.fresh("one full Σ", truth, [40], 3, [4, 5])
    rng = np.random.default_rng([4, 5, 40])
    X, y = truth.draw(40, rng, 3)
    Z, labels = truth.draw(pairs.TESTS, rng, 3)
    linear = LogisticRegression(l2=pairs.RIDGE).fit(X[0], y[0])
    assert found.error["linear logistic"][0, 0] == np.mean(linear.predict(Z[0]) != labels[0])
    quadratic = LogisticRegression(l2=pairs.RIDGE).fit(with_products(X[0]), y[0])
    assert found.error["quadratic logistic"][0, 0] == np.mean(quadratic.predict(with_products(Z[0])) != labels[0])
    naive = GaussianNB(shared_variance=True, var_smoothing=pairs.RIDGE).fit(X[0], y[0])
    assert abs(found.error["naive Bayes"][0, 0] - np.mean(naive.predict(Z[0]) != labels[0])) <= 0.002
    lda, qda = (GDA(covariance=kind).fit(X[0], y[0]) for kind in ("shared", "per-class"))
    assert abs(found.error["LDA"][0, 0] - np.mean(lda.predict(Z[0]) != labels[0])) <= 0.01
    assert abs(found.error["QDA"][0, 0] - np.mean(qda.predict(Z[0]) != labels[0])) <= 0.01
    assert found.overlap == 0


def test_intervals_of_pairs_follow_the_policy():
    rng = np.random.default_rng(0)
    error = {name: rng.random((2, 30)) for name in (*pairs.LINEAR, *pairs.QUADRATIC)}
    values = error["LDA"][1] - error["linear logistic"][1]
    independent, splits = (PairCurves("", (20, 40), error, overlap) for overlap in (0.0, 0.5))
    assert independent.lead("LDA v. linear", 1) == mean_of(values)
    assert splits.leads("LDA v. linear")[1] == resampled_interval(values, train=200, test=100)
    assert splits.mean("QDA")[0] == error["QDA"][0].mean()


def test_real_pairs_hold_out_a_third():
    found = pairs.real("liver", [20, 60], 3, [1])
    rows = len(datasets.load("liver").y)
    assert found.overlap == pytest.approx((rows // 3) / (rows - rows // 3))
    assert list(found.error) == [*pairs.LINEAR, *pairs.QUADRATIC]
    assert all(each.shape == (2, 3) for each in found.error.values())
    wrong = found.error["linear logistic"] * (rows // 3) * pairs.TRAINING_SETS
    np.testing.assert_allclose(wrong, np.round(wrong), atol=1e-6)
    assert 0.25 < found.mean("linear logistic")[1] < found.mean("linear logistic")[0] + 0.02


def test_every_pair_has_a_style():
    assert list(figures.PAIR_STYLES) == list(pairs.PAIRS)


def test_threshold_of_one_feature():
    w, b = np.array([2.0]), -1.0
    at = limit.threshold(w, b)
    assert w[0] * at + b == 0
    assert f"{limit.threshold(w, 1e-17):.3f}" == "0.000"
