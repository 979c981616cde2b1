"""The linear models: numbers of others, exact least squares, separation, rank, what must not matter, refusals."""

import pickle
import warnings
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import sklearn.linear_model as peers
import statsmodels.api as sm
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import d2_tweedie_score, r2_score
from sklearn.svm import LinearSVC as PeerSVC
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from probml.errors import RankWarning, SeparationError
from probml.families import Bernoulli, Gamma, Gaussian, Poisson
from probml.linear_model import (
    GLM,
    LinearRegression,
    LinearSVC,
    LogisticRegression,
    Perceptron,
    PoissonRegression,
    SoftmaxRegression,
    minimum,
)
from probml.linear_model.design import ordinary, rank_of
from probml.linear_model.normal_equations import LEADING, bits_beside_leading, leading
from probml.linear_model.separation import most_separated, separation
from probml.linear_model.softmax import softmax_problem
from probml.linear_model.solving import ONE_PREDICTOR, SOLVERS, chosen
from probml.losses import CLogLog, Log, Logistic, Probit
from probml.objectives import LinearObjective, SoftmaxObjective, gap

CLASSIFIERS = [LogisticRegression, SoftmaxRegression, LinearSVC]
LONGER_STEPS = "a weight makes a step longer; a repeated example makes one more step"
EXPECTED = {
    Perceptron: {
        "check_sample_weight_equivalence_on_dense_data": LONGER_STEPS,
        "check_sample_weight_equivalence_on_sparse_data": LONGER_STEPS,
    },
}


# Most data of these checks are separable: there is no maximum of the likelihood without a penalty.
@pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.SkipTestWarning",
    "ignore::sklearn.exceptions.ConvergenceWarning",
    "ignore::probml.errors.RankWarning",
)
@parametrize_with_checks(
    [
        LinearRegression(),
        LogisticRegression(l2=1.0),
        SoftmaxRegression(l2=1.0),
        SoftmaxRegression(l2=1.0, reference=True),
        PoissonRegression(),
        GLM(Gaussian()),
        GLM(Poisson(), Log()),
        GLM(Gamma(), Log()),
        LinearSVC(),
        Perceptron(max_iter=10),
    ],
    expected_failed_checks=lambda model: EXPECTED.get(type(model), {}),
    xfail_strict=True,
)
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@pytest.fixture
def data():
    """X, two overlapping classes, three overlapping classes, counts, numbers."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(80, 4))
    z = X @ [1.0, -0.5, 0.3, 0.0]
    two = (z + rng.logistic(size=80) > 0.2).astype(int)
    three = rng.integers(0, 3, 80)
    return X, two, three, rng.poisson(np.exp(0.5 * z)), z + rng.normal(size=80)


def bundled(name):
    table = getattr(sm.datasets, name).load()
    return np.asarray(table.exog, dtype=float), np.asarray(table.endog, dtype=float)


def with_ones(X):
    return np.column_stack([X, np.ones(len(X))])


def same(ours, theirs, tolerance=1e-8, deviance=True):
    np.testing.assert_allclose(ours.coefficient, theirs.params, rtol=tolerance, atol=1e-12)
    np.testing.assert_allclose(ours.standard_error, theirs.bse, rtol=tolerance)
    np.testing.assert_allclose(ours.p_value, theirs.pvalues, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(ours.interval, theirs.conf_int(), rtol=1e-6)
    np.testing.assert_allclose(ours.df_residual, theirs.df_resid)
    np.testing.assert_allclose([ours.log_likelihood, ours.aic], [theirs.llf, theirs.aic], rtol=tolerance)
    if deviance:
        found = ours.deviance, ours.null_deviance, ours.dispersion
        np.testing.assert_allclose(found, (theirs.deviance, theirs.null_deviance, theirs.scale), rtol=tolerance)


# statsmodels


@pytest.mark.parametrize("name", ["cpunish", "randhie"])
def test_poisson_agrees_with_statsmodels(name):
    X, y = bundled(name)
    theirs = sm.GLM(y, with_ones(X), sm.families.Poisson()).fit(tol=1e-14)
    same(PoissonRegression().fit(X, y).summary(), theirs)
    assert np.isclose(PoissonRegression().fit(X, y).summary().bic, theirs.bic_llf)


def test_gaussian_with_log_link_agrees_with_statsmodels():
    X, y = bundled("cpunish")
    family = sm.families.Gaussian(sm.families.links.Log())
    theirs = sm.GLM(y, with_ones(X), family).fit(tol=1e-13, maxiter=500, tol_criterion="params", use_t=True)
    ours = GLM(Gaussian(), Log()).fit(X, y).summary()
    np.testing.assert_allclose(ours.coefficient, theirs.params, rtol=1e-8)
    np.testing.assert_allclose(ours.standard_error, theirs.bse, rtol=1e-8)
    np.testing.assert_allclose(ours.p_value, theirs.pvalues, rtol=1e-7)
    np.testing.assert_allclose(
        [ours.deviance, ours.dispersion, ours.log_likelihood],  # at the most likely variance
        [theirs.deviance, theirs.scale, theirs.llf_scaled(theirs.deviance / len(y))],
        rtol=1e-10,
    )


def test_shares_with_trials_agree_with_statsmodels():
    X, counts = bundled("star98")
    trials = counts.sum(axis=1)
    theirs = sm.GLM(counts, with_ones(X), sm.families.Binomial()).fit(tol=1e-14)
    same(GLM(Bernoulli()).fit(X, counts[:, 0] / trials, trials).summary(), theirs)


@pytest.mark.parametrize(
    ("link", "theirs"), [(Probit(), sm.families.links.Probit()), (CLogLog(), sm.families.links.CLogLog())]
)
def test_links_agree_with_statsmodels(link, theirs):
    X, y = bundled("spector")
    fit = sm.GLM(y, with_ones(X), sm.families.Binomial(theirs)).fit(tol=1e-13, maxiter=500, tol_criterion="params")
    same(GLM(Bernoulli(), link).fit(X, y).summary(), fit, tolerance=1e-7)


def test_logistic_agrees_with_statsmodels():
    X, y = bundled("spector")
    theirs = sm.Logit(y, with_ones(X)).fit(disp=False, tol=1e-14)
    ours = LogisticRegression().fit(X, y).summary()
    same(ours, theirs, deviance=False)
    np.testing.assert_allclose(ours.null_deviance, -2 * theirs.llnull)
    same(GLM(Bernoulli()).fit(X, y).summary(), theirs, deviance=False)


@pytest.mark.filterwarnings("ignore::statsmodels.tools.sm_exceptions.DomainWarning")
@pytest.mark.parametrize(("link", "theirs"), [(None, None), (Log(), sm.families.links.Log())])
def test_gamma_agrees_with_statsmodels(link, theirs):
    X, y = bundled("scotland")
    fit = sm.GLM(y, with_ones(X), sm.families.Gamma(theirs)).fit(
        tol=1e-12, maxiter=300, tol_criterion="params", use_t=True
    )
    same(GLM(Gamma(), link).fit(X, y).summary(), fit)


def test_least_squares_agrees_with_statsmodels():
    X, y = bundled("longley")
    ours, theirs = LinearRegression().fit(X, y).summary(), sm.OLS(y, with_ones(X)).fit()
    same(ours, theirs, deviance=False)
    np.testing.assert_allclose([ours.deviance, ours.null_deviance], [theirs.ssr, theirs.centered_tss], rtol=1e-8)
    assert (ours.df_model, ours.df_residual) == (theirs.df_model, theirs.df_resid)


def test_how_far_ahead_of_another_class_the_own_one_is():
    """Of classes without a vector, as the last is here, the score is 0."""
    _, _, boundary = softmax_problem(SoftmaxRegression(), np.array([0, 2, 2]), 3, None)
    assert boundary.reach(np.array([[2.0, -1.0], [0.5, 3.0], [-4.0, -1.0]])) == 4
    assert boundary.reach(np.array([[2.0, -1.0, 0.0], [0.5, 3.0, 1.0], [-4.0, -1.0, 3.0]])) == 7


def test_operations_of_least_squares_are_counted():
    X = np.random.default_rng(0).normal(size=(50, 3))
    (step,) = LinearRegression().fit(X, X[:, 0]).solution_.trace
    assert (step.passes, step.flops) == (1, 2 * 50 * 4**2)


def test_without_rows_or_columns_nothing_is_separated():
    for shape in ((0, 2), (3, 0), (0, 0)):
        found = most_separated(sparse.csr_array(shape), sparse.csr_array((0, shape[1])))
        assert found.tolist() == [False] * shape[0]


def test_long_names_make_a_wide_table():
    X = pd.DataFrame({"a_name_that_is_longer_than_most": [0.3, 1.0, 0.7, 1.2, 2.0]})
    head, *rows = str(PoissonRegression().fit(X, [1, 4, 2, 3, 5]).summary()).splitlines()[:3]
    assert [row.split()[0] for row in rows] == [X.columns[0], "intercept"]
    ends = {row.index(row.split()[1]) + len(row.split()[1]) for row in rows}
    assert ends == {head.index("estimate") + len("estimate")}


def test_without_an_intercept_the_model_without_x_has_the_mean_of_a_predictor_of_0():
    y = np.array([1, 4, 2, 3])
    summary = PoissonRegression(fit_intercept=False).fit(np.array([[0.3], [1.0], [0.7], [1.2]]), y).summary()
    np.testing.assert_allclose(summary.null_deviance, 2 * np.sum(y * np.log(y) - (y - 1)), rtol=1e-14)


@pytest.mark.parametrize("last", [2.0**21, -(2.0**21), 2.0**20, -(2.0**20)])
def test_ordinary_magnitudes(last):
    """The first of many rows is a glance; large numbers are looked for in all of them."""
    X = np.ones((1200, 2))
    X[-1, 1] = last
    for layout in (np.asarray, sparse.csr_array):
        assert ordinary(layout(X)) == (abs(last) <= 2**20)


@pytest.mark.parametrize("model", [LogisticRegression, SoftmaxRegression])
def test_a_minimum_without_a_bound_on_its_gap_is_the_same_minimum(model, monkeypatch):
    """As with thousands of parameters: whether classes are separated is then seen by how far predictors reach."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = np.argmax(X @ rng.normal(size=(2, 3)) + rng.gumbel(size=(80, 3)), axis=1)
    expected = model().fit(X, y)
    monkeypatch.setattr(gap, "LARGEST_TO_BOUND_GAP", 1)
    found = model().fit(X, y)
    assert found.solution_.certificate.gap == np.inf > expected.solution_.certificate.gap
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-6)
    with pytest.raises(SeparationError, match="complete separation"):
        model().fit(X, X[:, 0] > 0)


def test_softmax_agrees_with_statsmodels():
    X, y = bundled("anes96")
    theirs = sm.MNLogit(y, with_ones(X)).fit(disp=False, method="newton", tol=1e-14)
    ours = SoftmaxRegression(reference=True).fit(X, 6 - y).summary()  # the reference is the last here, there the first
    np.testing.assert_allclose(ours.coefficient, np.asarray(theirs.params)[:, ::-1].T.ravel(), rtol=1e-8)
    np.testing.assert_allclose(ours.standard_error, np.asarray(theirs.bse)[:, ::-1].T.ravel(), rtol=1e-8)
    np.testing.assert_allclose([ours.aic, ours.null_deviance], [theirs.aic, -2 * theirs.llnull], rtol=1e-8)
    assert (ours.df_model, ours.dispersion) == (6 * X.shape[1], 1)  # of seven answers


def test_dobson():
    """A randomised controlled trial: nine counts by outcome and treatment (Dobson 1990), as in R's help of glm."""
    y = np.array([18, 17, 15, 20, 10, 20, 25, 13, 12])
    outcome, treatment = np.tile([0, 1, 2], 3), np.repeat([0, 1, 2], 3)
    X = np.column_stack([outcome == 1, outcome == 2, treatment == 1, treatment == 2]).astype(float)
    summary = PoissonRegression().fit(X, y).summary()
    same(summary, sm.GLM(y, with_ones(X), sm.families.Poisson()).fit(tol=1e-14))
    np.testing.assert_allclose(summary.coefficient[:2], [-0.4542553, -0.2929871], atol=5e-8)
    np.testing.assert_allclose(summary.standard_error[[0, 1, 4]], [0.2022, 0.1927, 0.1709], atol=5e-5)
    np.testing.assert_allclose([summary.deviance, summary.null_deviance], [5.1291, 10.5814], atol=5e-5)
    assert summary.df_residual == 4
    assert round(summary.aic, 2) == 56.76


def test_offset_and_exposure_agree_with_statsmodels(data):
    X, _, _, y, _ = data
    exposure = np.random.default_rng(0).uniform(0.1, 9, len(y))
    theirs = sm.GLM(y, with_ones(X), sm.families.Poisson(), exposure=exposure).fit(tol=1e-14)
    model = PoissonRegression().fit(X, y, exposure=exposure)
    same(model.summary(), theirs)
    np.testing.assert_allclose(model.predict(X, exposure=exposure), theirs.mu, rtol=1e-10)
    other = GLM(Poisson()).fit(X, y, offset=np.log(exposure))
    np.testing.assert_allclose(other.coef_, model.coef_, rtol=1e-10)
    assert 0 < model.score(X, y, exposure=exposure) < 1


# exact least squares


def exact_least_squares(X, y):
    """(w, b) by fractions, rounded."""
    return np.array([float(value) for value in exact_solution(X, y)])


def exact_solution(X, y):
    """(w, b) in fractions."""
    A = [[*map(Fraction, row), Fraction(1)] for row in X.tolist()]
    p = len(A[0])
    N = [
        [sum(row[i] * row[j] for row in A) for j in range(p)]
        + [sum(row[i] * Fraction(v) for row, v in zip(A, y.tolist(), strict=True))]
        for i in range(p)
    ]
    for i in range(p):
        N[i] = [v / N[i][i] for v in N[i]]
        for k in set(range(p)) - {i}:
            N[k] = [a - N[k][i] * c for a, c in zip(N[k], N[i], strict=True)]
    return [row[-1] for row in N]


def exact_squares(X, y, theta):
    """Half the sum of squared residuals, in fractions."""
    w, b = [*map(Fraction, theta[:-1])], Fraction(theta[-1])
    rows = zip(X.tolist(), y.tolist(), strict=True)
    return sum((sum(Fraction(v) * c for v, c in zip(x, w, strict=True)) + b - Fraction(t)) ** 2 for x, t in rows) / 2


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="the gap is computed with the digits of a long double")
@pytest.mark.parametrize("seed", range(4))
def test_gap_of_least_squares_is_what_rounding_left(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((20, 3)), rng.standard_normal(20)
    model = LinearRegression().fit(X, y)
    theta = [*model.coef_.tolist(), float(model.intercept_)]
    gap = float(exact_squares(X, y, theta) - exact_squares(X, y, exact_solution(X, y)))
    assert gap / 1.5 < model.solution_.certificate.gap < 1.5 * gap


DELTA = [759, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 1838, -2048]
DELTA = np.array([*DELTA, 2048.0, *reversed(DELTA)])


@pytest.mark.parametrize("problem", range(1, 6))
def test_wampler(problem):
    x = np.arange(21.0)
    X = np.column_stack([x**k for k in range(1, 6)])
    if problem == 2:
        y, truth = sum((x / 10) ** k for k in range(6)), 10.0 ** -np.array([1, 2, 3, 4, 5, 0])
    else:
        y, truth = 1 + X.sum(axis=1) + {1: 0, 3: 1, 4: 100, 5: 10_000}[problem] * DELTA, np.ones(6)
    exact = exact_least_squares(X, y)
    np.testing.assert_allclose(exact, truth, rtol=1e-10)
    model = LinearRegression().fit(X, y)
    rounding = 1e-8 if problem == 5 else 1e-9  # which grows with the residuals, up to 2 · 10^7 in the last problem
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), exact, rtol=rounding)


@pytest.mark.parametrize("refinements", [1, 2, 3, 4])
def test_refinement_keeps_the_residual(refinements, monkeypatch):
    """Of large residuals none of the refinements may lose what those before it have gained."""
    monkeypatch.setattr("probml.linear_model.least_squares.REFINEMENTS", refinements)
    X = np.column_stack([np.arange(21.0) ** k for k in range(1, 6)])
    y = 1 + X.sum(axis=1) + 10_000 * DELTA
    model = LinearRegression().fit(X, y)
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), np.ones(6), rtol=1e-8)


def test_longley_exactly():
    X, y = bundled("longley")
    model = LinearRegression().fit(X, y)
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), exact_least_squares(X, y), rtol=1e-12)


# scikit-learn


@pytest.mark.parametrize("l2", [0.1, 3.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_agrees_with_scikit_learn(data, l2, intercept):
    X, two, three, counts, numbers = data
    options = {"fit_intercept": intercept}
    weight = np.random.default_rng(1).uniform(0.5, 2, len(X))
    newton = {"C": 1 / l2, "solver": "newton-cholesky", "tol": 1e-12, **options}
    pairs = [
        (LogisticRegression(l2=l2, **options), peers.LogisticRegression(**newton), two),
        (SoftmaxRegression(l2=l2, **options), peers.LogisticRegression(**newton), three),
        (
            PoissonRegression(l2=l2, **options),
            peers.PoissonRegressor(alpha=l2 / weight.sum(), solver="newton-cholesky", tol=1e-12, **options),
            counts,
        ),
        (LinearRegression(l2=l2, **options), peers.Ridge(l2, **options), numbers),
        (GLM(Gaussian(), l2=l2, **options), peers.Ridge(l2, **options), numbers),
    ]
    for ours, theirs, y in pairs:
        ours.fit(X, y, weight)
        theirs.fit(X, y, weight)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(ours.score(X, y, weight), theirs.score(X, y, weight), rtol=1e-6)
        if hasattr(theirs, "predict_proba"):
            np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-6)
            np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-6)
            np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
        else:
            np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-6)


def test_support_vectors_agree_with_scikit_learn(data):
    X, two, *_ = data
    theirs = PeerSVC(C=1 / (2 * 0.7), fit_intercept=False, dual=False, tol=1e-10, max_iter=10_000).fit(X, two)
    ours = LinearSVC(l2=0.7, fit_intercept=False).fit(X, two)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6)


def test_least_squares_without_penalty_agrees_with_scikit_learn(data):
    X, *_, y = data
    theirs = peers.LinearRegression().fit(X, y)
    for solver in ("qr", "lms-batch"):
        ours = LinearRegression(solver=solver).fit(X, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6)
        np.testing.assert_allclose(ours.score(X, y), theirs.score(X, y))
    ours = LinearRegression(solver="lms-stochastic", solver_options={"average": True, "step_size": 0.01}, max_iter=200)
    with pytest.warns(ConvergenceWarning):  # noise remains
        ours.fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=0.02)
    online = LinearRegression(solver="lms-online").fit(X, y)
    assert online.n_iter_ == 1
    assert 0 < online.solution_.certificate.gap < len(y)


# solvers


def test_a_pass_of_lms_takes_its_steps_where_columns_depend_on_each_other():
    """w ← w - t (z - y) x from w = 0, for one example: t y x. In other columns the step would be another."""
    x, y, t = np.array([[1.0, -2.0, 0.5]]), np.array([1.7]), 0.1
    model = LinearRegression(solver="lms-online", fit_intercept=False, solver_options={"step_size": t})
    np.testing.assert_allclose(model.fit(x, y).coef_, t * y[0] * x[0], rtol=1e-14)
    model.set_params(fit_intercept=True).fit(x, y)
    np.testing.assert_allclose([*model.coef_, model.intercept_], t * y[0] * np.append(x[0], 1), rtol=1e-14)


def test_auto_suits_the_size():
    y = np.arange(2000) % 2.0
    sizes = {"newton": (100, 5), "growing-newton": (2000, 5), "newton-cg": (50, 1200)}
    for expected, (m, n) in sizes.items():
        assert chosen("auto", LinearObjective(np.ones((m, n)), y[:m], Logistic())) == expected
    assert chosen("auto", SoftmaxObjective(np.ones((2000, 5)), y.astype(int), 2)) == "newton"
    assert chosen("bfgs", LinearObjective(np.ones((9, 2)), y[:9], Logistic())) == "bfgs"
    with pytest.raises(ValueError, match=r"'memory': 3.*belong to one solver"):
        LogisticRegression(solver_options={"memory": 3}).fit([[0.0], [1.0], [0.5]], [0, 1, 0])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(solver="sgd", max_iter=2),
        SoftmaxRegression(solver="sgd", max_iter=2),
        LinearSVC(solver="sgd", max_iter=2),
        PoissonRegression(solver="sgd", solver_options={"step_size": 0.01}, max_iter=2),
        LinearRegression(solver="lms-stochastic", max_iter=2),
        LinearRegression(solver="lms-online"),
    ],
)
def test_random_state_seeds_the_order_of_examples(data, model):
    X, two, *_ = data

    def fitted(**parameters):
        return clone(model).set_params(**parameters).fit(X, two).solution_.theta

    np.testing.assert_array_equal(fitted(), fitted(random_state=0))
    np.testing.assert_array_equal(fitted(random_state=1), fitted(random_state=1))
    assert (fitted(random_state=1) != fitted(random_state=0)).any()
    assert (fitted(random_state=None) != fitted(random_state=None)).any()
    with pytest.raises(ValueError, match=r"solver_options=.*'seed': 3.*do not fit solver 'sgd'"):
        clone(model).set_params(solver_options={**(model.solver_options or {}), "seed": 3}).fit(X, two)


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name not in ("sgd", "finite-newton")])
def test_all_solvers_find_the_same(data, solver):
    X, two, three, *_ = data
    best = LogisticRegression().fit(X, two)
    model = LogisticRegression(solver=solver).fit(X, two)
    np.testing.assert_allclose(model.coef_, best.coef_, atol=1e-6)
    assert model.solution_.certificate.gap < 1e-9
    if solver in ONE_PREDICTOR:
        with pytest.raises(ValueError, match="one predictor"):
            SoftmaxRegression(solver=solver).fit(X, three)
    elif solver != "gradient-descent":  # which would take long
        best = SoftmaxRegression().fit(X, three)
        np.testing.assert_allclose(SoftmaxRegression(solver=solver).fit(X, three).coef_, best.coef_, atol=1e-6)


def test_not_converged(data):
    X, two, three, counts, numbers = data
    for model, y in [
        (LogisticRegression(max_iter=1), two),
        (SoftmaxRegression(max_iter=1), three),
        (PoissonRegression(max_iter=1), counts),
        (LinearRegression(solver="lms-batch", max_iter=2), numbers),
        (LinearSVC(max_iter=0), two),
        (LogisticRegression(solver="sgd"), two),
    ]:
        with pytest.warns(ConvergenceWarning, match=r"not converged within \d+ iterations.*gap.*gradient") as caught:
            model.fit(X, y)
        assert len(caught) == 1
        assert caught[0].filename == __file__
        assert not model.solution_.certificate.converged


@pytest.mark.parametrize("unit", [2.0**-10, 1.0, 2.0**10])
def test_leading_bits(unit):
    """With five bits in the largest of numbers, which is from 1/2 to 1: the nearest multiples of 1/32."""
    found = leading(np.array([17 / 32, 9 / 32 + 3 / 256, -1 / 32, 3 / 256]) * unit, 5)
    assert (found / unit).tolist() == [17 / 32, 9 / 32, -1 / 32, 0]


@pytest.mark.parametrize("terms", [1, 1000, 1024, 1025])
def test_sums_of_leading_parts_are_not_rounded(terms):
    """The largest of them: a leading part of X - c has one bit more than that of X, and all bits may be ones."""
    one, other = 2 ** bits_beside_leading(terms) - 1, 2 ** (LEADING + 1) - 1
    assert sum([float(one) * float(other)] * terms) == one * other * terms < 2**53
    assert 4 * one * other * terms > 2**50  # and no bit is given away


# separation


def no_maximum(model, X, y, kind, rows, **options):
    with pytest.raises(SeparationError, match=rf"^{kind} separation: {rows} of {len(y)} rows.*use l2 > 0"):
        model.fit(X, y, **options)
    type(model)(l2=0.1, **{k: v for k, v in model.get_params().items() if k != "l2"}).fit(X, y, **options)


@pytest.mark.parametrize(
    "model", [LogisticRegression(), SoftmaxRegression(), GLM(Bernoulli()), GLM(Bernoulli(), Probit())]
)
def test_separation_of_two_classes(model):
    line = np.arange(6.0)[:, None]
    no_maximum(model, line, [0, 0, 0, 1, 1, 1], "complete", 6)
    no_maximum(model, np.array([[0.0], [1], [2], [2], [3], [4]]), [0, 0, 0, 1, 1, 1], "quasi-complete", 4)
    model.fit(np.array([[0.0], [1], [2], [3], [4], [1.5]]), [0, 0, 0, 1, 1, 1])  # one point overlaps
    rng = np.random.default_rng(2)
    X, y = np.column_stack([rng.normal(size=(50, 2)), np.zeros(50)]), rng.integers(0, 2, 50)
    y[0], X[0, 2] = 1, 1  # a feature that only one example has
    no_maximum(model, X, y, "quasi-complete", 1)


def test_without_a_direction_nothing_is_separated():
    rows = sparse.csr_array((3, 0))
    assert most_separated(rows, sparse.csr_array((0, 0))).tolist() == [False] * 3
    assert most_separated(sparse.csr_array((0, 2)), sparse.csr_array((3, 2))).tolist() == []


@pytest.mark.parametrize("overlap", [1e-3, 1e-6, 1e-9, 1e-12])
def test_the_smallest_overlap_is_no_separation(overlap):
    X = np.array([[0.0], [1], [2], [3], [4], [2 - overlap]])
    y = np.array([0, 0, 0, 1, 1, 1])
    model = LogisticRegression().fit(X, y)
    error = y - model.predict_proba(X)[:, 1]
    np.testing.assert_allclose([error.sum(), error @ X[:, 0]], 0, atol=1e-9)  # the gradient
    with pytest.raises(SeparationError, match="quasi-complete separation: 4 of 6"):
        LogisticRegression().fit(np.maximum(X, [[0.0], [0], [0], [0], [0], [2]]), y)
    with pytest.raises(SeparationError, match="quasi-complete separation: 1 of 6"):  # by a feature of one row
        LogisticRegression().fit(np.column_stack([X, np.arange(6) == 0]), y)


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "finite-newton"])
def test_no_solver_takes_separated_classes(solver):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    with pytest.raises(SeparationError, match="complete separation: 40 of 40"):
        LogisticRegression(solver=solver).fit(X, X[:, 0] > 0)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-8])
def test_separation_is_seen_at_any_tolerance(tolerance):
    X = np.random.default_rng(0).normal(size=(40, 3))
    for solver in ("newton", "lbfgs"):
        with pytest.raises(SeparationError):
            LogisticRegression(solver=solver, tol=tolerance).fit(X, X[:, 0] > 0)


def test_one_predictor_on_its_way_to_infinity_is_enough(monkeypatch):
    """The predictors are looked at where a model has too many parameters for a bound on the gap from its Hessian."""
    monkeypatch.setattr(gap, "LARGEST_TO_BOUND_GAP", 0)
    rng = np.random.default_rng(2)
    X, y = np.column_stack([rng.normal(size=(50, 2)), np.arange(50) == 0]), rng.integers(0, 2, 50)
    y[0] = 1
    with pytest.raises(SeparationError, match="quasi-complete separation: 1 of 50"):
        LogisticRegression(solver="lbfgs", tol=1e-4).fit(X, y)


def test_separation_of_shares_and_counts():
    X = np.array([[0.0], [0], [1], [1]])
    no_maximum(PoissonRegression(), X, [0, 0, 3, 1], "quasi-complete", 2)
    PoissonRegression().fit(X, [0, 1, 3, 1])
    PoissonRegression().fit(np.array([[0.0], [2], [1], [3]]), [0, 0, 3, 1])  # zeros on both sides of a count
    share = np.array([0, 0, 0.5, 0.25])
    with pytest.raises(SeparationError, match="quasi-complete separation: 2 of 4"):
        GLM(Bernoulli()).fit(X, share, sample_weight=[4, 4, 4, 4])
    for y in ([0, 0, 0, 0], [0.0] * 4):
        with pytest.raises(SeparationError, match=r"all 4 responses are 0: .* an intercept of -inf"):
            PoissonRegression(l2=1.0).fit(X, y)
    with pytest.raises(SeparationError, match=r"all 4 responses are 1: .* an intercept of \+inf"):
        GLM(Bernoulli()).fit(X, [1, 1, 1, 1])


def test_separation_of_several_classes(data):
    X, _, three, *_ = data
    bins = np.digitize(X[:, 0], [-0.5, 0.5])
    no_maximum(SoftmaxRegression(), X, bins, "complete", len(X))
    no_maximum(SoftmaxRegression(reference=True), np.column_stack([X, three == 2]), three, "quasi-complete", len(X))
    SoftmaxRegression().fit(X, three)


def test_the_linear_program_counts_separated_rows():
    """Against all directions on a fine circle, for small sets in the plane without intercept."""
    rng = np.random.default_rng(7)
    angle = np.linspace(0, 2 * np.pi, 100_001)
    directions = np.column_stack([np.cos(angle), np.sin(angle)])
    kinds = set()
    for _ in range(60):
        X, side = rng.integers(-3, 4, (5, 2)).astype(float), rng.choice([-1, 1], 5)
        exact = np.vstack([directions, X[:, ::-1] * [1, -1], X[:, ::-1] * [-1, 1]])  # also those along an edge
        margins = (exact @ X.T).round(9) * side
        allowed = margins[(margins >= 0).all(axis=1)]
        expected = (allowed > 0).any(axis=0)
        found = separation(X, side, intercept=False)
        np.testing.assert_array_equal(found.rows, expected)
        assert found.complete == expected.all()
        kinds.add(int(expected.sum()))
    assert len(kinds) > 3


def test_ordinary_fits_run_no_linear_program(data, monkeypatch):
    X, two, three, counts, _ = data

    def refuse(*_):
        raise AssertionError("a check that ordinary fits do not need")

    monkeypatch.setattr("probml.linear_model.separation.linprog", refuse)
    monkeypatch.setattr(minimum, "rank_of", refuse)
    LogisticRegression().fit(X, two)
    SoftmaxRegression().fit(X, three)
    PoissonRegression().fit(X, counts)


# rank


def test_dependent_columns_of_least_squares(data):
    X, *_, y = data
    X = np.column_stack([X, X[:, 0] - 2 * X[:, 1], np.full(len(X), 3.0), np.zeros(len(X))])
    with pytest.warns(RankWarning, match="rank 5, but 8 columns") as caught:
        model = LinearRegression().fit(X, y)
    assert caught[0].filename == __file__
    theirs = peers.LinearRegression().fit(X, y)  # the smallest |w| of the centred columns
    np.testing.assert_allclose(model.coef_, theirs.coef_, atol=1e-10)
    np.testing.assert_allclose(model.intercept_, theirs.intercept_, atol=1e-10)
    with pytest.raises(ValueError, match="combinations of others"):
        model.summary()


@pytest.mark.parametrize("solver", ["newton", "lbfgs", "irls"])
def test_dependent_columns_of_glms(data, solver):
    X, two, _, counts, _ = data
    double = np.column_stack([X, X[:, 0], X[:, 1] + X[:, 2]])
    for model, y in [(LogisticRegression(solver=solver), two), (PoissonRegression(solver=solver), counts)]:
        plain = np.atleast_2d(model.fit(X, y).coef_)[0]
        predictor = X @ plain
        with pytest.warns(RankWarning, match="rank 5, but 7 columns"):
            model.fit(double, y)
        w = np.atleast_2d(model.coef_)[0]
        centred = double - double.mean(axis=0)
        np.testing.assert_allclose(w, np.linalg.pinv(centred) @ (predictor - predictor.mean()), atol=1e-6)
    with pytest.warns(RankWarning):
        ours = SoftmaxRegression().fit(double, two)
    np.testing.assert_allclose(ours.coef_[:, 0], ours.coef_[:, 4], atol=1e-10)


def test_dependent_columns_run_no_linear_program(data, monkeypatch):
    """They make the Hessian singular, but a bound on the gap in the columns that are left proves a minimum."""
    X, two, three, counts, _ = data
    monkeypatch.setattr("probml.linear_model.separation.linprog", lambda *_, **__: pytest.fail("not needed"))
    double = np.column_stack([X, X[:, 0] + X[:, 1]])
    for model, y in [
        (LogisticRegression(), two),
        (SoftmaxRegression(reference=True), three),
        (PoissonRegression(), counts),
    ]:
        predictor = model.fit(X, y).coef_ @ X.T
        with pytest.warns(RankWarning, match="rank 5, but 6 columns"):
            model.fit(double, y)
        difference = model.coef_ @ double.T - predictor
        np.testing.assert_allclose(difference - difference[..., :1], 0, atol=1e-8)


def test_dependent_columns_hide_no_separation(data):
    X, _, three, counts, _ = data
    bins = np.digitize(X[:, 0], [-0.5, 0.5])
    double = np.column_stack([X, X[:, 0] + X[:, 1]])
    no_maximum(SoftmaxRegression(), double, bins, "complete", len(X))
    no_maximum(LogisticRegression(), double, X[:, 0] > 0, "complete", len(X))
    last = np.column_stack([double, three == 2])
    no_maximum(SoftmaxRegression(reference=True), last, three, "quasi-complete", len(X))
    none = np.column_stack([double, (counts == 0) * 1.0])
    no_maximum(PoissonRegression(), none, counts, "quasi-complete", int((counts == 0).sum()))


def test_a_linear_program_that_fails_is_an_error_with_advice(monkeypatch):
    failed = SimpleNamespace(status=4, message="numbers in trouble")
    monkeypatch.setattr("probml.linear_model.separation.linprog", lambda *_, **__: failed)
    with pytest.raises(SeparationError, match=r"may have no maximum.*\(numbers in trouble\)\. Use l2 > 0"):
        LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])


def test_more_columns_than_rows():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(10, 20))
    with pytest.raises(SeparationError):
        LogisticRegression().fit(X, np.arange(10) % 2)
    for model, y in [(LinearRegression(), rng.normal(size=10)), (PoissonRegression(), 1 + np.arange(10))]:
        with pytest.warns(RankWarning, match="rank 10, but 21"):
            model.fit(X, y)
        np.testing.assert_allclose(model.predict(X), y, rtol=1e-6)
    LogisticRegression(l2=1.0).fit(X, np.arange(10) % 2)


def test_rank_is_relative_to_each_column():
    X = np.random.default_rng(0).normal(size=(30, 3))
    assert not rank_of(X * [1e-12, 1, 1e12], intercept=True).deficient
    assert rank_of(np.column_stack([X, X @ [1, 1, 1]]) * [1e-12, 1, 1e12, 1], intercept=True).rank == 4


# invariances


@pytest.mark.parametrize("sparse_rows", [False, True])
def test_weights_are_repetitions(data, sparse_rows):
    X, two, three, counts, numbers = data
    weight = np.random.default_rng(0).integers(0, 4, len(X))
    repeated = np.repeat(np.arange(len(X)), weight)
    X = np.round(X, 1)
    given = sparse.csr_matrix(X) if sparse_rows else X
    for model, y in [
        (LogisticRegression(), two),
        (SoftmaxRegression(), three),
        (SoftmaxRegression(reference=True), three),
        (PoissonRegression(), counts),
        (GLM(Gamma(), Log()), np.exp(numbers)),
        (LinearRegression(), numbers),
        (LinearSVC(), two),
    ]:
        ours = model.fit(given, y, weight)
        coef = ours.coef_
        summary = ours.summary() if not isinstance(ours, LinearSVC) and getattr(ours, "reference", True) else None
        model.fit(X[repeated], y[repeated])
        np.testing.assert_allclose(coef, model.coef_, atol=1e-8)
        if summary is not None:
            np.testing.assert_allclose(summary.standard_error, model.summary().standard_error, rtol=1e-6)
            np.testing.assert_allclose([summary.aic, summary.bic], [model.summary().aic, model.summary().bic])


def test_columns_may_be_scaled(data):
    X, two, three, counts, numbers = data
    factor = np.array([1e-9, 1e3, 1.0, 1e12])
    for model, y in [
        (LogisticRegression(), two),
        (SoftmaxRegression(), three),
        (PoissonRegression(), counts),
        (LinearRegression(), numbers),
    ]:
        coef = model.fit(X, y).coef_
        np.testing.assert_allclose(model.fit(X * factor, y).coef_ * factor, coef, rtol=1e-7)


def test_two_classes_of_softmax_are_logistic(data):
    X, two, *_ = data
    logistic = LogisticRegression().fit(X, two)
    for reference in (False, True):
        softmax = SoftmaxRegression(reference=reference).fit(X, two)
        np.testing.assert_allclose(softmax.predict_log_proba(X), logistic.predict_log_proba(X), rtol=1e-9)
        np.testing.assert_allclose(softmax.decision_function(X), logistic.decision_function(X), atol=1e-9)
    penalised = LogisticRegression(l2=1.0).fit(X, two)  # |w|² / 2 for w = w_1 - w_0 is twice that of both
    np.testing.assert_allclose(
        SoftmaxRegression(l2=2.0).fit(X, two).predict_proba(X), penalised.predict_proba(X), rtol=1e-9
    )


def test_all_vectors_are_those_against_the_reference_but_for_a_shift(data):
    X, _, three, *_ = data
    all_of_them, fewer = SoftmaxRegression().fit(X, three), SoftmaxRegression(reference=True).fit(X, three)
    np.testing.assert_allclose(all_of_them.coef_[:-1] - all_of_them.coef_[-1], fewer.coef_, atol=1e-10)
    np.testing.assert_allclose(all_of_them.coef_.sum(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(all_of_them.intercept_.sum(), 0, atol=1e-12)
    np.testing.assert_allclose(all_of_them.predict_proba(X), fewer.predict_proba(X), rtol=1e-9)
    with pytest.raises(ValueError, match="reference=True"):
        all_of_them.summary()


def test_labels_may_be_strings(data):
    X, two, three, *_ = data
    names = np.array(["no", "yes"])[two]
    for model in (LogisticRegression(), LinearSVC(), SoftmaxRegression()):
        numbers = model.fit(X, two).predict(X)
        np.testing.assert_array_equal(model.fit(X, names).predict(X), np.array(["no", "yes"])[numbers])
    assert list(SoftmaxRegression().fit(X, np.array(["c", "a", "b"])[three]).classes_) == ["a", "b", "c"]


def test_sparse_is_dense(data):
    X, two, three, counts, numbers = data
    X = X * (np.abs(X) > 0.5)
    for model, y in [
        (LogisticRegression(), two),
        (SoftmaxRegression(), three),
        (PoissonRegression(), counts),
        (LinearRegression(), numbers),
        (LinearSVC(), two),
        (Perceptron(max_iter=5), two),
    ]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            coef, predicted = model.fit(X, y).coef_, model.predict(X)
            model.fit(sparse.csr_array(X), y)
        np.testing.assert_allclose(model.coef_, coef, atol=1e-9)
        np.testing.assert_allclose(model.predict(sparse.csr_matrix(X)), predicted, atol=1e-9)


# input without an answer


@pytest.mark.parametrize("model", [LogisticRegression(), SoftmaxRegression(), LinearSVC(), Perceptron()])
def test_one_class(model):
    X = np.arange(6.0).reshape(3, 2)
    with pytest.raises(ValueError, match=r"two classes.*one class only: 'a'"):
        model.fit(X, ["a", "a", "a"])
    with pytest.raises(ValueError, match="two classes"):
        model.fit(X, [0, 1, 1], sample_weight=[0, 1, 1])
    with pytest.raises(ValueError, match=r"all of sample_weight is 0|at least one non-zero"):
        model.fit(X, [0, 1, 1], sample_weight=[0, 0, 0])
    if isinstance(model, Perceptron):
        with pytest.raises(ValueError, match=r"3 classes.*Use LogisticRegression or LinearSVC"):
            model.fit(X, [0, 1, 2])


def test_bad_answers(data):
    X, *_ = data
    X = X[:3]
    for y in ([-1, 2, 3], [-0.5, 1, 2], [np.inf, 1, 2]):
        for model in (PoissonRegression(), GLM(Poisson())):
            with pytest.raises(ValueError, match=r"counts 0, 1, 2.*rates of at least 0.*row 0|infinity"):
                model.fit(X, y)
    with pytest.raises(ValueError, match=r"GLMLoss needs y to be 0 or 1, or shares.*row 1 has 2"):
        GLM(Bernoulli()).fit(X, [0, 2, 1])
    with pytest.raises(ValueError, match="numbers above 0; row 0 has 0"):
        GLM(Gamma()).fit(X, [0, 2, 1])
    with pytest.raises(ValueError, match="one of the families"):
        GLM("poisson").fit(X, [0, 2, 1])
    with pytest.raises(ValueError, match="link must be"):
        GLM(Poisson(), "log").fit(X, [0, 2, 1])
    with pytest.raises(ValueError, match="use another link"):
        GLM(Gamma(), fit_intercept=False).fit(np.array([[1.0], [-1], [2]]), [1, 2, 1])
    for exposure in ([1, 0, 1], [1, 2], [1, np.nan, 2]):
        with pytest.raises(ValueError, match="exposure must"):
            PoissonRegression().fit(X, [0, 2, 1], exposure=exposure)


@pytest.mark.parametrize(
    ("name", "bad", "message"),
    [
        ("offset", np.nan, r"^offset must be finite numbers; row 70 has nan$"),
        ("offset", np.inf, r"^offset must be finite numbers; row 70 has inf$"),
        ("exposure", np.nan, r"^exposure must be finite numbers; row 70 has nan$"),
        ("exposure", -2.5, r"^exposure must be above 0; row 70 has -2.5: leave out rows without exposure$"),
        ("exposure", 0.0, r"^exposure must be above 0; row 70 has 0.0: leave out rows without exposure$"),
    ],
)
def test_an_offset_that_is_none_is_named_by_its_row(name, bad, message):
    given = np.ones(90)
    given[[70, 80]] = bad
    X, y = np.arange(90.0)[:, None], np.arange(90) % 3
    with pytest.raises(ValueError, match=message):
        PoissonRegression().fit(X, y, **{name: given})
    with pytest.raises(ValueError, match=r"must have the shape \(90,\), a number for each row of X; received \(89,\)$"):
        PoissonRegression().fit(X, y, **{name: given[1:]})


def test_bad_parameters(data):
    X, two, *_ = data
    for parameters, message in [
        ({"l2": -1.0}, "l2 must be a finite number of at least 0, received -1.0"),
        ({"l2": np.inf}, "l2 must be"),
        ({"l2": "1"}, "l2 must be"),
        ({"fit_intercept": 2}, "fit_intercept must be True or False"),
        ({"solver": "newtons"}, "solver must be one of auto, newton, .*irls.*received 'newtons'"),
        ({"tol": 0.0}, "tol must be a number above 0"),
        ({"tol": np.nan}, "tol must be"),
        ({"max_iter": -1}, "max_iter must be"),
        ({"solver": "newton", "solver_options": {"speed": 3}}, "do not fit solver 'newton'"),
    ]:
        for model in CLASSIFIERS:
            with pytest.raises(ValueError, match=message):
                model(**parameters).fit(X, two)
    with pytest.raises(ValueError, match="solver must be one of qr, lms-batch"):
        LinearRegression(solver="newton").fit(X, two)
    with pytest.raises(ValueError, match="one pass"):
        LinearRegression(solver="lms-online", max_iter=3).fit(X, two)
    assert LinearRegression(solver="lms-online", max_iter=1).fit(X, two).n_iter_ == 1
    with pytest.raises(ValueError, match="one pass, received max_iter=2"):
        LinearRegression(solver="lms-online", max_iter=2).fit(X, two)
    with pytest.raises(SeparationError, match=r"all 1 responses are 0: .* intercept of -inf"):
        PoissonRegression().fit([[1.0]], [0])
    with pytest.raises(ValueError, match="step_size"):
        PoissonRegression(solver="sgd").fit(X, two)
    with pytest.raises(ValueError, match="reference must be"):
        SoftmaxRegression(reference="last").fit(X, two)
    with pytest.raises(ValueError, match="max_iter must be"):
        Perceptron(max_iter=0).fit(X, two)
    with pytest.raises(ValueError, match="tol must be a number of at least 0 and below 1, received -1"):
        Perceptron(tol=-1).fit(X, two)


@pytest.mark.parametrize("scale", [1e150, 1e-150])
def test_extreme_scales(data, scale):
    X, two, three, counts, numbers = data
    for model, y in [
        (LogisticRegression(), two),
        (SoftmaxRegression(), three),
        (PoissonRegression(), counts),
        (LinearRegression(), numbers),
        (LogisticRegression(solver="lbfgs"), two),
    ]:
        coef = model.fit(X, y).coef_
        np.testing.assert_allclose(model.fit(X * scale, y).coef_ * scale, coef, rtol=1e-6)
        mixed = np.array([scale, 1, 1 / scale, 1])
        np.testing.assert_allclose(model.fit(X * mixed, y).coef_ * mixed, coef, rtol=1e-6)
        model.set_params(l2=2.0)
        expected = model.fit(X, y).predict(X)
        rescaled = model.set_params(l2=2.0 * scale).fit(X * np.sqrt(scale), y)  # the same up to units
        np.testing.assert_allclose(rescaled.predict(X * np.sqrt(scale)), expected, rtol=1e-6)
    assert Perceptron().fit(X * scale, X[:, 0] > 0).score(X * scale, X[:, 0] > 0) == 1
    big = LinearRegression().fit(X, numbers * scale)
    np.testing.assert_allclose(big.coef_ / scale, LinearRegression().fit(X, numbers).coef_, rtol=1e-10)


def test_scales_beyond_hope(data):
    X, two, *_, numbers = data
    with pytest.raises(ValueError, match="rescale"):
        LogisticRegression(l2=1.0).fit(X * 1e-300, two)
    with pytest.raises(ValueError, match="rescale"):
        LinearRegression().fit(X, numbers * 1e200)
    with pytest.raises(ValueError, match="floating-point"):
        LogisticRegression().fit(X, two).predict(np.full((1, 4), 1e308) * [1, -1, 1, 1])


# summary


def test_summary_is_a_table_and_immutable(data):
    X, two, *_ = data
    model = LogisticRegression().fit(pd.DataFrame(X, columns=["age", "height", "weight", "shoe size"]), two)
    summary = model.summary(0.9)
    text = str(summary)
    assert text.splitlines()[0].split() == ["estimate", "std.", "error", "z", "p", "90%", "interval"]
    assert [line.split("  ")[0] for line in text.splitlines()[1:6]] == list(summary.names)
    assert summary.names[3:] == ("shoe size", "intercept")
    assert "AIC" in text
    with pytest.raises(AttributeError):
        summary.aic = 0
    for level in (95, 1, 0):
        with pytest.raises(ValueError, match=f"level must be between 0 and 1, received {level}"):
            model.summary(level)


@pytest.mark.parametrize("weight", [1e-200, 1e-20, 1.0, 1e20])
@pytest.mark.parametrize(
    "model",
    [PoissonRegression(), LogisticRegression(), SoftmaxRegression(reference=True)],
    ids=lambda m: type(m).__name__,
)
def test_arrays_changed_since_fit_are_noticed_whatever_the_unit_of_the_weights(model, weight):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((80, 2)), rng.integers(0, 2, 80)
    fitted = clone(model).fit(X, y, np.full(80, weight))
    fitted.summary()
    X *= 5
    with pytest.raises(ValueError, match="changed since"):
        fitted.summary()


def test_summaries_that_are_refused(data):
    X, two, *_, numbers = data
    with pytest.raises(ValueError, match="use l2=0"):
        LogisticRegression(l2=1.0).fit(X, two).summary()
    model = LogisticRegression().fit(X, two)
    stored = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(stored.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="fit again"):
        stored.summary()
    X *= 2
    with pytest.raises(ValueError, match="changed since"):
        model.summary()
    with pytest.raises(ValueError, match="leave nothing"):
        LinearRegression().fit(X[:5], numbers[:5]).summary()


# rates


@pytest.fixture
def claims():
    """X, exposures from days to two years, counts of claims."""
    rng = np.random.default_rng(11)
    X = np.column_stack([rng.normal(size=400), rng.integers(0, 2, 400), rng.uniform(0, 3, 400)])
    years = rng.uniform(0.02, 2.0, 400)
    return X, years, rng.poisson(years * np.exp(X @ [0.4, -0.7, 0.2] - 0.3) * rng.gamma(3.0, 1 / 3.0, 400))


@pytest.mark.parametrize("model", [PoissonRegression, lambda **options: GLM(Poisson(), **options)])
def test_claim_frequencies_are_counts_with_exposure(claims, model):
    """Claims a year with years for weights: the same gradient, sum of (e μ - claims) x, and so the same minimum."""
    X, years, count = claims
    for l2 in (0.0, 0.8):
        of_rates = model(l2=l2).fit(X, count / years, years)
        of_counts = model(l2=l2).fit(X, count, exposure=years)
        np.testing.assert_allclose(of_rates.coef_, of_counts.coef_, rtol=1e-10)
        assert of_rates.intercept_ == pytest.approx(of_counts.intercept_, rel=1e-10)
        np.testing.assert_allclose(of_rates.predict(X) * years, of_counts.predict(X, exposure=years), rtol=1e-10)
        theirs = peers.PoissonRegressor(alpha=l2 / years.sum(), solver="newton-cholesky", tol=1e-12)
        theirs.fit(X, count / years, years)
        np.testing.assert_allclose(of_rates.coef_, theirs.coef_, rtol=1e-7)
    assert of_rates.score(X, count / years, years) == pytest.approx(theirs.score(X, count / years, years), rel=1e-9)


def test_summary_of_rates_is_that_of_quasi_poisson(claims):
    X, years, count = claims
    ours = PoissonRegression().fit(X, count / years, years).summary()
    theirs = sm.GLM(count / years, with_ones(X), sm.families.Poisson(), var_weights=years).fit(
        tol=1e-14, scale="X2", use_t=True
    )
    np.testing.assert_allclose(ours.coefficient, theirs.params, rtol=1e-10)
    np.testing.assert_allclose(ours.standard_error, theirs.bse, rtol=1e-9)
    np.testing.assert_allclose(ours.p_value, theirs.pvalues, rtol=1e-6)
    np.testing.assert_allclose(ours.interval, theirs.conf_int(), rtol=1e-8)
    assert ours.dispersion == pytest.approx(theirs.scale, rel=1e-10)
    assert ours.dispersion > 1.1  # which is what a Poisson likelihood of counts would not have seen
    assert ours.deviance == pytest.approx(theirs.deviance, rel=1e-10)
    assert ours.null_deviance == pytest.approx(theirs.null_deviance, rel=1e-10)
    assert (ours.statistic_name, ours.n_examples, ours.df_residual) == ("t", 400, 396)
    # errors of the counts with offset, scaled by the dispersion of these
    counts = PoissonRegression().fit(X, count, exposure=years).summary()
    np.testing.assert_allclose(ours.standard_error, counts.standard_error * ours.dispersion**0.5, rtol=1e-9)
    assert counts.statistic_name == "z"
    assert (ours.log_likelihood, ours.aic, ours.bic) == (None, None, None)
    assert str(ours).endswith("no likelihood, AIC or BIC: the responses are rates, not counts, 400 examples")


# scores


@pytest.mark.parametrize(
    "make", [PoissonRegression, LinearRegression, lambda: GLM(Gaussian()), lambda: GLM(Gamma(), Log())]
)
def test_weights_of_a_score_are_checked(data, make):
    X, *_ = data
    y = np.arange(1.0, 81.0)
    model = make().fit(X, y)
    for weight, message in (
        (np.full(80, np.nan), "NaN"),
        (np.full(80, -1.0), r"[Nn]egative"),
        (np.zeros(80), r"at least one non-zero|all of sample_weight is 0"),
        (np.ones(3), "shape|inconsistent"),
        (np.ones((80, 1)), "1D"),
        (np.full(80, 1e308), "the sum of sample_weight is more"),
    ):
        with pytest.raises(ValueError, match=message):
            model.score(X, y, weight)
    weight = np.random.default_rng(0).integers(0, 3, 80).astype(float)
    repeated = model.score(np.repeat(X, weight.astype(int), axis=0), np.repeat(y, weight.astype(int)))
    for unit in (1.0, 1e-300, 1e300):
        assert model.score(X, y, weight * unit) == pytest.approx(repeated, rel=1e-12)


def test_scores_are_those_of_scikit_learn(data):
    X, _, _, counts, numbers = data
    weight = np.random.default_rng(0).uniform(size=80)
    for model in (LinearRegression(), GLM(Gaussian())):
        model.fit(X, numbers)
        for s in (None, weight):
            expected = r2_score(numbers, model.predict(X), sample_weight=s)
            assert model.score(X, numbers, s) == pytest.approx(expected, rel=1e-12)
    for model, y, power in ((PoissonRegression(), counts, 1), (GLM(Gamma(), Log()), counts + 0.5, 2)):
        model.fit(X, y)
        for s in (None, weight):
            expected = d2_tweedie_score(y, model.predict(X), sample_weight=s, power=power)
            assert model.score(X, y, s) == pytest.approx(expected, rel=1e-11)


@pytest.mark.filterwarnings("error")
def test_scores_where_there_is_nothing_to_explain(data):
    """As r2_score: 1 for exact predictions, else 0, also where rounding would leave a null deviance of 1e-30."""
    X, two, _, counts, numbers = data
    for model, y in (
        (PoissonRegression(), counts),
        (LinearRegression(), numbers),
        (GLM(Gaussian()), numbers),
        (GLM(Gamma(), Log()), counts + 0.1),
        (GLM(Bernoulli()), two),
    ):
        model.fit(X, y)
        for constant in (0.1, 0.7, 1.0) if isinstance(model, GLM) and model.family == Bernoulli() else (0.1, 0.7, 3.0):
            assert model.score(X, np.full(80, constant)) == 0.0
        with pytest.raises(ValueError, match=r"needs two examples .* or more; received 1"):
            model.score(X[:1], y[:1])
        with pytest.raises(ValueError, match=r"needs two examples .* or more; received 1"):
            model.score(X, y, np.eye(80)[0])
    for model in (PoissonRegression(), LinearRegression(), GLM(Gamma(), Log())):
        assert model.fit(X, np.full(80, 0.7)).score(X, np.full(80, 0.7)) == 1.0
    assert PoissonRegression().fit(X, counts).score(X, np.zeros(80)) == 0.0
    years = np.random.default_rng(0).uniform(0.1, 3, 80)
    model = PoissonRegression().fit(X, 0.3 * years, exposure=years)
    assert model.score(X, 0.3 * years, exposure=years) == 1.0
    assert PoissonRegression().fit(X, counts).score(X, 0.3 * years, exposure=years) == 0.0
    assert model.score(X, np.zeros(80), exposure=years) == 0.0


def test_scores_of_means_that_the_family_does_not_allow():
    model = GLM(Gamma()).fit([[1.0], [2.0], [3.0], [4.0]], [1.0, 0.6, 0.35, 0.25])
    assert model.predict([[-5.0]])[0] < 0
    with pytest.raises(ValueError, match=r"the mean of example 1 .* is -.*, which Gamma does not allow.*Log\(\)"):
        model.score([[1.0], [-5.0]], [1.0, 2.0])


def test_summaries_of_exact_fits_are_refused(data):
    X, *_ = data
    for model, y in ((LinearRegression(), np.full(80, 3.7)), (LinearRegression(), X @ [1.0, 2, 3, 4])):
        with pytest.raises(ValueError, match="gives every response exactly"):
            model.fit(X, y).summary()


@pytest.mark.parametrize(
    ("model", "positive"),
    [
        (PoissonRegression(), True),
        (GLM(Poisson()), True),
        (GLM(Gamma(), Log()), True),
        (GLM(Bernoulli()), True),
        (GLM(Gaussian()), False),
        (GLM("no family"), False),
        (LinearRegression(), False),
    ],
)
def test_answers_below_zero_are_in_the_tags(model, positive):
    assert get_tags(model).target_tags.positive_only is positive


def test_a_loose_tolerance_needs_no_linear_program(monkeypatch):
    """That there is a minimum is proved by a bound on the gap; only without one the classes may be separated."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 4))
    y = rng.uniform(size=3000) < 1 / (1 + np.exp(-3 * X[:, 0]))
    monkeypatch.setattr("probml.linear_model.logistic.separation", lambda *_: pytest.fail("not needed"))
    for solver in ("newton", "lbfgs", "growing-newton"):
        for tolerance in (0.5, 1e-2, 1e-6):
            LogisticRegression(solver=solver, tol=tolerance).fit(X, y)


def test_many_rows_that_are_not_separated_are_looked_at_without_a_large_matrix():
    """One row of 8000 is separated: what is left is a matrix of 8000 rows, whose null space has few columns."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=8000), np.zeros(8000)])
    X[7, 1] = 1.0
    side = np.where(rng.uniform(size=8000) < 0.5, 1, -1)
    side[7] = 1
    assert separation(X, side, True).rows.nonzero()[0].tolist() == [7]
