"""What the linear classifiers share with scikit-learn's of the same name: K classes."""

import numpy as np
import pytest
import sklearn.linear_model as peers
from scipy import sparse
from sklearn.svm import LinearSVC as PeerSVC

from probml.errors import SeparationError
from probml.linear_model import LinearSVC, LogisticRegression, SoftmaxRegression
from probml.linear_model.solving import LARGEST_HESSIAN

EXACT = {"solver": "newton-cholesky", "tol": 1e-14, "max_iter": 1000}


@pytest.fixture
def data():
    """X, two overlapping classes, three overlapping classes of different sizes, weights."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(90, 4))
    score = X @ [1.0, -0.5, 0.3, 0.0] + rng.logistic(size=90)
    return X, (score > 1).astype(int), np.digitize(score, [-0.5, 1.5]), rng.integers(1, 4, 90).astype(float)


# K classes


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # theirs cannot meet its tolerance
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("l2", [0.0, 0.7])
def test_logistic_regression_of_three_classes_agrees_with_its_namesake(data, l2, fit_intercept):
    X, _, three, weight = data
    names = np.array(["c", "a", "b"])[three]
    C = 1 / l2 if l2 else np.inf
    ours = LogisticRegression(l2=l2, fit_intercept=fit_intercept).fit(X, names, weight)
    theirs = peers.LogisticRegression(C=C, fit_intercept=fit_intercept, **EXACT).fit(X, names, weight)
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), atol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.coef_.shape == theirs.coef_.shape == (3, 4)
    np.testing.assert_allclose(ours.coef_.sum(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(ours.coef_, theirs.coef_ - theirs.coef_.mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_ - theirs.intercept_.mean(), atol=1e-9)


@pytest.mark.parametrize("l2", [0.0, 0.7])
def test_logistic_regression_of_three_classes_is_softmax_regression(data, l2):
    X, _, three, _ = data
    logistic, softmax = LogisticRegression(l2=l2).fit(X, three), SoftmaxRegression(l2=l2).fit(X, three)
    for name in ("coef_", "intercept_", "n_iter_"):
        np.testing.assert_array_equal(getattr(logistic, name), getattr(softmax, name))
    np.testing.assert_array_equal(logistic.solution_.theta, softmax.solution_.theta)
    np.testing.assert_array_equal(logistic.decision_function(X), softmax.decision_function(X))
    np.testing.assert_array_equal(logistic.predict_proba(X), softmax.predict_proba(X))
    with pytest.raises(ValueError, match=r"of 3 classes.*use SoftmaxRegression\(reference=True\)"):
        logistic.summary()


def test_three_separated_classes_have_no_maximum():
    with pytest.raises(SeparationError, match="complete separation"):
        LogisticRegression().fit([[0.0], [1.0], [2.0]], [0, 1, 2])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("columns", [4, LARGEST_HESSIAN + 100])
def test_linear_svc_of_three_classes_is_one_against_the_rest(data, container, columns):
    X, _, three, weight = data
    wide = np.zeros((len(X), columns))
    wide[:, :4] = X
    if columns > 4:
        wide[np.arange(40), np.arange(columns - 40, columns)] = 1.0  # used by one row only
    many = LinearSVC(l2=0.7).fit(container(wide), three, weight)
    assert many.coef_.shape == (3, columns)
    for k in range(3):
        one = LinearSVC(l2=0.7).fit(container(wide), three == k, weight)
        np.testing.assert_array_equal(many.coef_[k], one.coef_[0])
        np.testing.assert_array_equal(many.intercept_[k], one.intercept_[0])
        np.testing.assert_array_equal(many.solution_[k].theta, one.solution_.theta)
        np.testing.assert_array_equal(many.solution_[k].theta[:-1], many.coef_[k])
    assert many.n_iter_ == max(solution.iterations for solution in many.solution_)


def test_linear_svc_of_three_classes_agrees_with_its_namesake(data):
    X, _, three, weight = data
    names = np.array(["c", "a", "b"])[three]
    ours = LinearSVC(l2=0.7, fit_intercept=False).fit(X, names, weight)
    theirs = PeerSVC(C=1 / 1.4, fit_intercept=False, dual=False, tol=1e-10, max_iter=10_000).fit(X, names, weight)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-6)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.classes_, ["a", "b", "c"])
