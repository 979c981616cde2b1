"""What the linear models share with scikit-learn's of the same name: K classes, class weights, warm starts."""

import warnings

import numpy as np
import pytest
import sklearn.linear_model as peers
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC as PeerSVC

from probml.errors import SeparationError
from probml.families import Gamma, Poisson
from probml.linear_model import (
    GLM,
    LinearRegression,
    LinearSVC,
    LogisticRegression,
    Perceptron,
    PoissonRegression,
    SoftmaxRegression,
)
from probml.linear_model.solving import LARGEST_TO_SOLVE
from probml.losses import Identity

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
@pytest.mark.parametrize("columns", [4, LARGEST_TO_SOLVE + 100])
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


# class weights

WEIGHTED = [LogisticRegression(l2=0.1), SoftmaxRegression(l2=0.1), LinearSVC(), Perceptron(max_iter=5)]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", WEIGHTED)
@pytest.mark.parametrize("weighted", [False, True])
def test_class_weights_multiply_sample_weights(data, model, weighted):
    X, two, three, weight = data
    y = two if isinstance(model, Perceptron) else three
    weight = weight if weighted else np.ones(len(X))
    given = weight if weighted else None
    total = np.bincount(y, weights=weight)
    for class_weight, by_class in [
        ({0: 3.0, 1: 0.5, 2: 1.0}, [3.0, 0.5, 1.0]),
        ({1: 0.25}, [1.0, 0.25, 1.0]),
        ("balanced", total.sum() / (len(total) * total)),
    ]:
        found = clone(model).set_params(class_weight=class_weight).fit(X, y, given)
        expected = clone(model).fit(X, y, weight * np.asarray(by_class)[y])
        np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-9)
        np.testing.assert_allclose(found.intercept_, expected.intercept_, rtol=1e-9)
        assert not np.allclose(found.coef_, clone(model).fit(X, y, given).coef_, rtol=1e-3)


@pytest.mark.parametrize("class_weight", ["balanced", {"a": 2.0, "b": 0.5}])
def test_class_weights_are_those_of_the_namesakes(data, class_weight):
    X, two, three, _ = data
    names = np.array(["c", "a", "b"])[three]
    ours = LogisticRegression(l2=1.0, class_weight=class_weight).fit(X, names)
    theirs = peers.LogisticRegression(class_weight=class_weight, solver="newton-cholesky", tol=1e-10).fit(X, names)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
    names = np.array(["b", "a"])[two]  # of more classes theirs weighs each one alone, not the rest
    ours = LinearSVC(l2=0.5, fit_intercept=False, class_weight=class_weight).fit(X, names)
    theirs = PeerSVC(fit_intercept=False, dual=False, tol=1e-10, class_weight=class_weight).fit(X, names)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)


def test_a_class_of_weight_0_is_left_out(data):
    X, _, three, _ = data
    model = LogisticRegression(l2=1.0, class_weight={1: 0}).fit(X, three)
    np.testing.assert_array_equal(model.classes_, [0, 2])
    kept = three != 1
    np.testing.assert_array_equal(
        model.coef_, LogisticRegression(l2=1.0).fit(X[kept], three[kept], np.ones(kept.sum())).coef_
    )
    model = LogisticRegression(l2=1.0, class_weight="balanced").fit(X, three, kept.astype(float))
    np.testing.assert_array_equal(model.classes_, [0, 2])
    with pytest.raises(ValueError, match="one class only: 2"):
        LogisticRegression(class_weight={0: 0, 1: 0}).fit(X, three)


def test_class_weights_without_an_answer(data):
    X, two, *_ = data
    for class_weight, message in [
        ("balance", "must be {label: weight}, \"balanced\" or None; received 'balance'"),
        ([1.0, 2.0], "must be {label: weight}"),
        ({0: -1.0}, "of at least 0, received {0: -1.0}"),
        ({0: np.nan}, "finite weights"),
        ({"1": 2.0}, r"has \['1'\], which are no labels of y, and leaves out \[0, 1\]"),
        ({0: 0, 1: 0}, "all of sample_weight is 0|at least one non-zero"),
    ]:
        with pytest.raises(ValueError, match=message):
            LogisticRegression(class_weight=class_weight).fit(X, two)
    LogisticRegression(class_weight={0: 1.0, 1: 2.0, 2: 3.0}).fit(X, two)  # a part of the data may lack a class


# warm starts


def answers_for(model, data):
    _, two, three, weight = data
    if isinstance(model, Perceptron):
        return two
    return three if hasattr(model, "class_weight") else weight


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        LogisticRegression(l2=0.5, solver="lbfgs"),
        LogisticRegression(fit_intercept=False),
        SoftmaxRegression(),
        SoftmaxRegression(l2=0.5),
        SoftmaxRegression(reference=True),
        LinearSVC(),
        PoissonRegression(),
        GLM(Gamma()),
        LinearRegression(solver="lms-batch"),
    ],
)
def test_a_warm_start_begins_where_the_last_fit_ended(data, model):
    X, y = data[0], answers_for(model, data)
    cold = clone(model).fit(X, y)
    warm = clone(model).set_params(warm_start=True).fit(X, y)
    np.testing.assert_array_equal(warm.coef_, cold.coef_)  # the first fit has nothing to begin with
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # without an iteration
        stopped = warm.set_params(max_iter=0).fit(X, y)
    np.testing.assert_allclose(stopped.coef_, cold.coef_, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(stopped.intercept_, cold.intercept_, rtol=1e-12, atol=1e-13)
    again = warm.set_params(max_iter=None).fit(X, y)
    assert again.n_iter_ < cold.n_iter_
    np.testing.assert_allclose(again.coef_, cold.coef_, atol=1e-6)


def test_a_warm_start_is_held_to_the_tolerance_of_a_cold_one():
    """Its first gradient is next to nothing: a share of that is beyond rounding, and was tried for 200 iterations."""
    X, y = load_digits(return_X_y=True)
    model = LogisticRegression(l2=1.0, warm_start=True).fit(X[::3], y[::3])  # "auto" is Newton-CG here
    coef, cold = model.coef_, model.n_iter_
    assert model.fit(X[::3], y[::3]).n_iter_ <= 1
    np.testing.assert_allclose(model.coef_, coef, atol=1e-9)
    assert model.set_params(l2=1.01).fit(X[::3], y[::3]).n_iter_ < cold
    np.testing.assert_allclose(model.coef_, LogisticRegression(l2=1.01).fit(X[::3], y[::3]).coef_, atol=1e-9)


@pytest.mark.parametrize("columns", [np.arange(3), np.arange(4)])
def test_a_warm_start_of_another_shape_is_a_cold_one(data, columns):
    X, two, three, _ = data
    model = LogisticRegression(warm_start=True).fit(X, two)
    np.testing.assert_array_equal(
        model.fit(X[:, columns], three).coef_, LogisticRegression().fit(X[:, columns], three).coef_
    )


def test_a_warm_start_of_pooled_columns(data):
    X, two, *_ = data
    wide = np.zeros((len(X), LARGEST_TO_SOLVE + 100))
    wide[:, :4] = X
    wide[np.arange(40), 500 + np.arange(40)] = 1.0
    wide[np.arange(40), 700 + np.arange(40)] = 2.0
    model = LinearSVC(warm_start=True).fit(sparse.csr_array(wide), two)
    coef, iterations = model.coef_, model.n_iter_
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.set_params(max_iter=0).fit(sparse.csr_array(wide), two)
    np.testing.assert_allclose(model.coef_, coef, rtol=1e-12)
    assert model.set_params(max_iter=None).fit(sparse.csr_array(wide), two).n_iter_ < iterations


def test_a_warm_start_that_gives_no_means_is_not_used():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([4.0, 3.0, 2.5, 1.0])
    model = GLM(Poisson(), Identity(), warm_start=True).fit(X, y)
    assert model.intercept_ + 9 * model.coef_[0] < 0
    np.testing.assert_allclose(model.fit(3 * X, y).coef_, GLM(Poisson(), Identity()).fit(3 * X, y).coef_, rtol=1e-9)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("unit", [1.0, 1e-150])  # the latter is scaled on the way
def test_perceptron_in_two_parts(data, unit):
    X, two, *_ = data
    X = unit * X
    whole = Perceptron(max_iter=6, tol=0).fit(X, two)
    model = Perceptron(max_iter=4, tol=0, warm_start=True).fit(X, two)
    np.testing.assert_allclose(model.set_params(max_iter=2).fit(X, two).coef_, whole.coef_, rtol=1e-12)
    np.testing.assert_array_equal(model.intercept_, whole.intercept_)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_warm_start_leaves_the_last_coefficients_alone(data):
    X, two, *_ = data
    model = Perceptron(max_iter=2, fit_intercept=False, warm_start=True).fit(1e-150 * X, two)  # scaled on the way
    last, copied = model.coef_, model.coef_.copy()
    model.fit(1e-150 * X, two)
    np.testing.assert_array_equal(last, copied)


def test_a_warm_perceptron_measures_its_way_from_the_start():
    """A long start, of no use, must not hide that the classes cannot be separated."""
    X, y = np.array([[1.0, 0], [-1.0, 0], [1.0, 0], [-1.0, 0]]), np.array([1, 0, 0, 1])
    model = Perceptron(warm_start=True, tol=0.1, fit_intercept=False)
    with pytest.warns(ConvergenceWarning, match="no hyperplane"):
        passes = model.fit(X, y).n_iter_
    model.coef_ = np.array([[0.0, 1e6]])
    with pytest.warns(ConvergenceWarning, match="no hyperplane"):
        assert model.fit(X, y).n_iter_ == passes


def test_warm_start_is_true_or_false(data):
    with pytest.raises(ValueError, match="warm_start must be True or False, received 'yes'"):
        LogisticRegression(warm_start="yes").fit(*data[:2])


def test_a_warm_start_that_is_worse_than_a_cold_one_is_not_taken():
    X, y = load_wine(return_X_y=True)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    warm = LogisticRegression(l2=1.0, warm_start=True).fit(Z, y).fit(X, y)
    cold = LogisticRegression(l2=1.0).fit(X, y)
    np.testing.assert_allclose(warm.predict_log_proba(X), cold.predict_log_proba(X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("reference", [True, False])
@pytest.mark.parametrize("K", [2, 3])
def test_softmax_is_what_was_fitted_whatever_its_parameter_says_now(reference, K):
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((90, 2)), np.arange(90) % K
    model = SoftmaxRegression(reference=reference, l2=1.0).fit(X, y)
    before = model.predict_proba(X)
    model.set_params(reference=not reference)
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_true_is_no_number_of_iterations():
    with pytest.raises(ValueError, match="max_iter must be a whole number"):
        LogisticRegression(max_iter=True).fit([[0.0], [1.0], [2.0]], [0, 1, 0])
