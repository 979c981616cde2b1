"""Limits of linear classifiers on two normal classes: against drawn examples, scikit-learn and closed forms."""

import numpy as np
import pytest
from scipy.special import expit, ndtr
from scipy.stats import multivariate_normal
from sklearn.linear_model import LogisticRegression as PeerLogisticRegression

from course.studies.same_limit_or_not import limit
from course.studies.same_limit_or_not.decomposition import Known, bias_and_variance, limit_error, parts_of
from course.studies.same_limit_or_not.fits import descended, fitted
from course.studies.same_limit_or_not.normals import TwoNormals
from course.studies.same_limit_or_not.pairs import curves_of_pairs, with_products
from probml.curves import LogisticRegression as Batched
from probml.curves import learning_curves
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


def test_products():
    X = np.array([[2.0, 3.0, 5.0]])
    np.testing.assert_array_equal(with_products(X), [[2, 3, 5, 4, 6, 10, 9, 15, 25]])


def test_pairs_see_the_same_splits():
    problem = TwoNormals(MEAN, OWN)
    X, y = problem.draw(200, np.random.default_rng(8))
    curves = curves_of_pairs(X, y, [20, 50], 5, seed=1)
    assert list(curves) == [
        "naive Bayes, shared variances",
        "naive Bayes, own variances",
        "LDA",
        "QDA",
        "linear logistic",
        "quadratic logistic",
    ]
    Q = with_products((X - X.mean(axis=0)) / X.std(axis=0))
    Q = (Q - Q.mean(axis=0)) / Q.std(axis=0)
    alone = learning_curves(Q, y, [20, 50], {"q": Batched(l2=1e-3)}, n_splits=5, seed=1, progress=False)
    np.testing.assert_array_equal(alone.error["q"].losses, curves["quadratic logistic"].losses)
