"""Gaussian naive Bayes and discriminant analysis against scikit-learn, SciPy, high precision and the likelihood."""

import mpmath
import numpy as np
import pytest
import sklearn.naive_bayes
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from scipy.special import logsumexp
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from probml.errors import ZeroEvidenceError
from probml.gda import GDA
from probml.gda.covariance import SHAPES
from probml.naive_bayes import GaussianNB, MixedNB

SHARED = [shape for shape in SHAPES if shape.startswith("shared")]
OWN = [shape for shape in SHAPES if not shape.startswith("shared")]


def singular_data(estimator):
    """The checks whose data have a singular covariance, which maximum likelihood refuses, by shape of covariance."""
    if not isinstance(estimator, GDA) or estimator.ridge or estimator.covariance == "shared-spherical":
        return {}
    one_each = {"check_sample_weight_equivalence_on_dense_data": "fewer examples than features, or one in a class"}
    constant = "its data have a feature that is constant in a class"
    two_constant = {"check_sample_weights_shape": constant, "check_sample_weights_not_overwritten": constant}
    return {"spherical": one_each, "shared-diagonal": two_constant}.get(
        estimator.covariance, {**one_each, **two_constant}
    )


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(
    [
        GaussianNB(),
        GaussianNB(shared_variance=True),
        *[GDA(covariance=shape) for shape in SHAPES],
        *[GDA(covariance=shape, ridge=1e-3) for shape in SHAPES],
    ],
    expected_failed_checks=singular_data,
    xfail_strict=True,
)
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


def classes(K, n=3, m=90, seed=0):
    """m correlated examples of K classes with covariances of their own, none of them nearly singular."""
    rng = np.random.default_rng(seed)
    y = np.arange(m) % K
    mix = np.linalg.qr(rng.normal(size=(K, n, n)))[0] * rng.uniform(0.5, 2, (K, 1, n)) + 0.1
    return np.einsum("ij,ijk->ik", rng.normal(size=(m, n)), mix[y]) + rng.normal(size=(K, n))[y], y


@pytest.fixture
def data():
    return classes(3)


def wide(model):
    """Covariance matrices of all classes, shape (K, n, n), from the smallest form of each shape."""
    K, n = model.means_.shape
    own = model.covariance_ if model.covariance in OWN else np.stack([model.covariance_] * K)
    if model.covariance.endswith("spherical"):
        return own[:, None, None] * np.eye(n)
    return own[:, :, None] * np.eye(n) if model.covariance.endswith("diagonal") else own


# Agreement with scikit-learn


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("var_smoothing", [0.0, 1e-9, 0.3])
@pytest.mark.parametrize("priors", [None, "skewed"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_gaussian_nb_agrees_with_scikit_learn(K, var_smoothing, priors, dtype):
    X, y = classes(K)
    X = X.astype(dtype)
    options = {
        "var_smoothing": var_smoothing,
        "priors": None if priors is None else np.arange(1, K + 1) * 2 / K / (K + 1),
    }
    ours = GaussianNB(**options).fit(X, y)
    # scikit-learn would compute in single precision
    peer = sklearn.naive_bayes.GaussianNB(**options).fit(X.astype(np.float64), y)
    for attribute in ("theta_", "var_", "class_prior_", "class_count_", "epsilon_", "classes_"):
        np.testing.assert_allclose(getattr(ours, attribute), getattr(peer, attribute), rtol=1e-12, atol=1e-12)
    for method in ("predict_joint_log_proba", "predict_log_proba", "predict_proba"):
        expected = getattr(peer, method)(X.astype(np.float64))
        np.testing.assert_allclose(getattr(ours, method)(X), expected, rtol=1e-10, atol=1e-10)
    assert (ours.predict(X) == peer.predict(X)).all()


def test_weighted_gaussian_nb_agrees_with_scikit_learn(data):
    """Without smoothing: scikit-learn's epsilon is of the unweighted variance, ours is that of repeated examples."""
    X, y = data
    weight = np.random.default_rng(1).uniform(0, 3, len(y))
    ours = GaussianNB(var_smoothing=0).fit(X, y, weight)
    peer = sklearn.naive_bayes.GaussianNB(var_smoothing=0).fit(X, y, weight)
    for attribute in ("theta_", "var_", "class_prior_", "class_count_"):
        np.testing.assert_allclose(getattr(ours, attribute), getattr(peer, attribute), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(ours.predict_log_proba(X), peer.predict_log_proba(X), rtol=1e-10, atol=1e-10)


def test_epsilon_is_of_the_weighted_variance(data):
    X, y = data
    times = np.random.default_rng(1).integers(0, 4, len(y))
    ours = GaussianNB(var_smoothing=0.2).fit(X, y, times)
    assert ours.epsilon_ == pytest.approx(0.2 * np.repeat(X, times, axis=0).var(axis=0).max(), rel=1e-12)


@pytest.mark.parametrize("shared", [False, True])
def test_gaussian_nb_weights_are_repetitions(shared, data):
    """Also with so much smoothing that another epsilon would be seen."""
    X, y = data
    times = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = GaussianNB(var_smoothing=0.2, shared_variance=shared).fit(X, y, times)
    repeated = GaussianNB(var_smoothing=0.2, shared_variance=shared).fit(
        np.repeat(X, times, axis=0), np.repeat(y, times)
    )
    for attribute in ("epsilon_", "theta_", "var_", "class_prior_", "class_count_"):
        np.testing.assert_allclose(getattr(weighted, attribute), getattr(repeated, attribute), rtol=1e-12)
    np.testing.assert_allclose(weighted.log_joint(X), repeated.log_joint(X), rtol=1e-11)


def test_weighted_gaussian_nb_agrees_with_scikit_learn_for_the_same_epsilon(data):
    """scikit-learn's is a share of the variance without weights; here features are in units far apart."""
    X, y = data
    X, weight = X * [1e-2, 1.0, 30.0], np.random.default_rng(1).uniform(0, 3, len(y))
    share = 1e-3
    ours = GaussianNB(var_smoothing=share).fit(X, y, weight)
    spread = np.average((X - np.average(X, axis=0, weights=weight)) ** 2, axis=0, weights=weight).max()
    peer = sklearn.naive_bayes.GaussianNB(var_smoothing=share * spread / X.var(axis=0).max()).fit(X, y, weight)
    assert ours.epsilon_ == pytest.approx(peer.epsilon_, rel=1e-12)
    np.testing.assert_allclose(ours.var_, peer.var_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict_log_proba(X), peer.predict_log_proba(X), rtol=1e-9, atol=1e-10)


def test_shared_variance_is_the_variance_within_the_classes(data):
    X, y = data
    ours = GaussianNB(shared_variance=True, var_smoothing=0).fit(X, y)
    within = np.concatenate([X[y == j] - X[y == j].mean(axis=0) for j in range(3)])
    np.testing.assert_allclose(ours.var_, np.tile((within**2).mean(axis=0), (3, 1)), rtol=1e-12)
    smoothed = GaussianNB(shared_variance=True, var_smoothing=0.1).fit(X, y)
    np.testing.assert_allclose(smoothed.var_ - ours.var_, 0.1 * X.var(axis=0).max(), rtol=1e-10)


def up_to_a_shift(scores):
    return scores - scores.mean(axis=1, keepdims=True) if scores.ndim == 2 else scores


def assert_same_posterior(ours, peer, X):
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(
        up_to_a_shift(ours.decision_function(X)), up_to_a_shift(peer.decision_function(X)), rtol=1e-10, atol=1e-10
    )
    assert (ours.predict(X) == peer.predict(X)).all()


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
@pytest.mark.parametrize("shrinkage", [None, 0.0, 0.3])
def test_gda_agrees_with_linear_discriminant_analysis(K, solver, shrinkage):
    """With estimated priors: scikit-learn weighs the covariances of the classes with the priors that it is given."""
    if solver == "svd" and shrinkage is not None:
        pytest.skip("the solver svd has no shrinkage")
    X, y = classes(K)
    peer = LinearDiscriminantAnalysis(solver=solver, shrinkage=shrinkage, store_covariance=True).fit(X, y)
    ours = GDA(shrinkage=shrinkage or 0.0).fit(X, y)
    assert_same_posterior(ours, peer, X)
    np.testing.assert_allclose(ours.means_, peer.means_, rtol=1e-12)
    np.testing.assert_allclose(ours.priors_, peer.priors_, rtol=1e-12)
    np.testing.assert_allclose(ours.covariance_, peer.covariance_, rtol=1e-10, atol=1e-12)
    if K == 2 or solver == "svd":  # the other solvers leave another term to all classes alike
        np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-9)
        np.testing.assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-9)
        np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), rtol=1e-9, atol=1e-10)
    assert (ours.coef_.shape, ours.intercept_.shape) == (peer.coef_.shape, peer.intercept_.shape)


def test_weights_and_scores_of_linear_discriminant_analysis_where_the_classes_differ_in_size():
    X, y = classes(3)
    few = np.concatenate([np.flatnonzero(y > 0), np.flatnonzero(y == 0)[:10]])
    ours, peer = GDA().fit(X[few], y[few]), LinearDiscriminantAnalysis().fit(X[few], y[few])
    for attribute in ("coef_", "intercept_"):
        np.testing.assert_allclose(getattr(ours, attribute), getattr(peer, attribute), rtol=1e-9)
    np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), rtol=1e-9, atol=1e-10)


def test_given_priors_move_the_intercept_only(data):
    """Maximum likelihood of Sigma does not look at the priors."""
    X, y = data
    estimated, given = GDA().fit(X, y), GDA(priors=[0.2, 0.7, 0.1]).fit(X, y)
    np.testing.assert_array_equal(estimated.covariance_, given.covariance_)
    np.testing.assert_array_equal(estimated.coef_, given.coef_)
    moved = given.intercept_ - estimated.intercept_
    np.testing.assert_allclose(moved, np.log([0.2, 0.7, 0.1]) - np.log(np.bincount(y) / len(y)), rtol=1e-12)
    np.testing.assert_array_equal(GDA(priors="uniform").fit(X, y).priors_, [1 / 3] * 3)


def test_which_classes_a_given_prior_weighs():
    """scikit-learn's svd, as here, weighs examples; its other solvers weigh classes by the prior that is given."""
    X, y = classes(3)
    X = X * (1 + np.array([0, 1, 3]))[y, None]  # covariances that differ, so that it matters
    few = np.concatenate([np.flatnonzero(y > 0), np.flatnonzero(y == 0)[:10]])
    X, y, prior = X[few], y[few], np.array([0.7, 0.2, 0.1])
    by_examples = LinearDiscriminantAnalysis(priors=prior, solver="svd").fit(X, y)
    assert_same_posterior(GDA(priors=prior).fit(X, y), by_examples, X)
    for solver in ("lsqr", "eigen"):
        by_prior = LinearDiscriminantAnalysis(priors=prior, solver=solver, store_covariance=True).fit(X, y)
        weighed = GDA().fit(X, y, (prior / np.bincount(y))[y])
        np.testing.assert_allclose(weighed.covariance_, by_prior.covariance_, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(weighed.priors_, prior, rtol=1e-12)
        assert_same_posterior(weighed, by_prior, X)
        assert np.abs(by_prior.predict_proba(X) - by_examples.predict_proba(X)).max() > 0.05


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("solver", ["svd", "eigen"])
@pytest.mark.parametrize("priors", [None, "skewed"])
def test_gda_agrees_with_quadratic_discriminant_analysis(K, solver, priors):
    X, y = classes(K)
    priors = None if priors is None else np.arange(1, K + 1) * 2 / K / (K + 1)
    peer = QuadraticDiscriminantAnalysis(solver=solver, priors=priors, store_covariance=True).fit(X, y)
    ours = GDA(covariance="per-class", priors=priors).fit(X, y)
    assert_same_posterior(ours, peer, X)
    np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(ours.means_, peer.means_, rtol=1e-12)
    np.testing.assert_allclose(ours.priors_, peer.priors_, rtol=1e-12)
    np.testing.assert_allclose(ours.covariance_, peer.covariance_, rtol=1e-10, atol=1e-12)


def test_a_second_fit_leaves_nothing_of_the_first(data):
    X, y = data
    model = GDA().fit(X, y)
    shared = model.predict_log_proba(X)
    model.set_params(covariance="per-class")
    np.testing.assert_array_equal(model.predict_log_proba(X), shared)  # until it is fitted again
    model.fit(X, y)
    np.testing.assert_array_equal(
        model.predict_log_proba(X), GDA(covariance="per-class").fit(X, y).predict_log_proba(X)
    )
    assert not hasattr(model, "coef_")
    with pytest.raises(ValueError, match="quadratic in x"):
        model.to_linear()
    np.testing.assert_array_equal(model.set_params(covariance="shared").fit(X, y).predict_log_proba(X), shared)


# Densities against SciPy


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("options", [{}, {"shrinkage": 0.4, "ridge": 0.3}, {"unbiased": True}], ids=str)
def test_gda_log_joint_against_scipy(shape, options, data):
    X, y = data
    ours = GDA(covariance=shape, priors=[0.2, 0.7, 0.1], **options).fit(X, y)
    rows = np.vstack([X[:20], 30 * X[:5]])
    expected = np.log([0.2, 0.7, 0.1]) + np.column_stack(
        [
            stats.multivariate_normal(mean, covariance).logpdf(rows)
            for mean, covariance in zip(ours.means_, wide(ours), strict=True)
        ]
    )
    np.testing.assert_allclose(ours.log_joint(rows), expected, rtol=1e-10)
    np.testing.assert_allclose(ours.log_marginal(rows), logsumexp(expected, axis=1), rtol=1e-10)


@pytest.mark.parametrize("shape", SHAPES)
def test_gda_covariances_against_numpy(shape, data):
    X, y = data
    for unbiased in (False, True):
        own = np.array([np.cov(X[y == j].T, bias=not unbiased) for j in range(3)])
        N = np.bincount(y) - unbiased
        if shape in SHARED:
            own = np.tile(np.einsum("j,jab->ab", N, own) / N.sum(), (3, 1, 1))
        if shape.endswith(("diagonal", "spherical")):
            own *= np.eye(3)
        if shape.endswith("spherical"):
            own = np.trace(own, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)
        plain = GDA(covariance=shape, unbiased=unbiased).fit(X, y)
        np.testing.assert_allclose(wide(plain), own, rtol=1e-11, atol=1e-13)
        sphere = np.trace(own, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)
        regular = GDA(covariance=shape, unbiased=unbiased, shrinkage=0.3, ridge=0.05).fit(X, y)
        np.testing.assert_allclose(wide(regular), 0.7 * own + 0.3 * sphere + 0.05 * np.eye(3), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("shared", [False, True])
def test_gaussian_nb_log_joint_against_scipy(shared, data):
    X, y = data
    ours = GaussianNB(shared_variance=shared, var_smoothing=0.1, priors="uniform").fit(X, y)
    density = stats.norm(ours.theta_, np.sqrt(ours.var_)).logpdf(X[:, None]).sum(axis=-1)
    np.testing.assert_allclose(ours.log_joint(X), density - np.log(3), rtol=1e-12)
    np.testing.assert_allclose(ours.log_marginal(X), logsumexp(density - np.log(3), axis=1), rtol=1e-12)


# Maximum likelihood


@pytest.mark.parametrize("shape", SHAPES)
def test_gda_maximises_the_likelihood(shape, data):
    """No step away from phi, mu or Sigma, within the shape of the covariance, has a larger likelihood."""
    X, y = data
    ours = GDA(covariance=shape).fit(X, y)
    rng = np.random.default_rng(2)

    def log_likelihood(phi, mu, sigma):
        total = 0.0
        for j in range(3):
            own = X[y == j]
            total += len(own) * np.log(phi[j]) + stats.multivariate_normal(mu[j], sigma[j]).logpdf(own).sum()
        return total

    phi, mu, sigma = ours.priors_, ours.means_, wide(ours)
    best = log_likelihood(phi, mu, sigma)
    assert ours.log_joint(X)[np.arange(len(y)), y].sum() == pytest.approx(best, rel=1e-12)

    def symmetric():
        step = rng.normal(size=(1 if shape in SHARED else 3, 3, 3))
        step = step + step.transpose(0, 2, 1)
        if shape.endswith(("diagonal", "spherical")):
            step *= np.eye(3)
        if shape.endswith("spherical"):
            step = step[:, :1, :1] * np.eye(3)
        return np.broadcast_to(step, (3, 3, 3))

    for _ in range(10):
        d_phi, d_mu, d_sigma = rng.normal(size=3), rng.normal(size=(3, 3)), symmetric()
        d_phi -= d_phi.mean()
        for steps in ((d_phi, 0, 0), (0, d_mu, 0), (0, 0, d_sigma), (d_phi, d_mu, d_sigma)):
            for h in (1e-3, -1e-3):
                there = log_likelihood(*(at + h * step for at, step in zip((phi, mu, sigma), steps, strict=True)))
                assert there < best
            h = 1e-5
            up, down = (
                log_likelihood(*(at + s * h * step for at, step in zip((phi, mu, sigma), steps, strict=True)))
                for s in (1, -1)
            )
            # a covariance of N - K instead of N has a slope above 1
            assert abs(up - down) / (2 * h) < 1e-3


def test_theta_of_two_classes():
    """theta = Sigma^-1 (mu_1 - mu_0), theta_0 = log phi_1 / phi_0 - (mu_1 + mu_0) · theta / 2, from numpy alone."""
    X, y = classes(2)
    mu0, mu1 = X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)
    sigma = ((X - np.where(y[:, None], mu1, mu0)).T @ (X - np.where(y[:, None], mu1, mu0))) / len(y)
    theta = np.linalg.inv(sigma) @ (mu1 - mu0)
    theta_0 = (
        np.log(y.sum() / (1 - y).sum()) - (mu1 @ np.linalg.inv(sigma) @ mu1 - mu0 @ np.linalg.inv(sigma) @ mu0) / 2
    )
    ours = GDA().fit(X, y)
    found, found_0 = ours.to_linear().logistic()
    np.testing.assert_allclose(found, theta, rtol=1e-11)
    assert found_0 == pytest.approx(theta_0, rel=1e-11)
    np.testing.assert_allclose(ours.coef_[0], theta, rtol=1e-11)
    np.testing.assert_allclose(ours.intercept_, theta_0, rtol=1e-11)
    np.testing.assert_allclose(ours.predict_proba(X)[:, 1], 1 / (1 + np.exp(-X @ theta - theta_0)), rtol=1e-11)
    np.testing.assert_allclose(ours.decision_function(X), X @ theta + theta_0, rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("shape", SHAPES)
def test_gda_weights_are_repetitions(shape, data):
    X, y = data
    times = np.random.default_rng(3).integers(0, 4, len(y))
    for unbiased in (False, True):
        weighted = GDA(covariance=shape, unbiased=unbiased).fit(X, y, times)
        repeated = GDA(covariance=shape, unbiased=unbiased).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        np.testing.assert_allclose(weighted.log_joint(X), repeated.log_joint(X), rtol=1e-11)


# Invariances


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32 - 1))
def test_affine_maps_leave_the_posterior_of_gda(seed):
    rng = np.random.default_rng(seed)
    X, y = classes(3, m=40, seed=seed)
    A = np.linalg.qr(rng.normal(size=(3, 3)))[0] * rng.uniform(0.2, 5, 3) + 0.1
    if abs(np.linalg.det(A)) < 0.01:
        return
    b = rng.normal(size=3)
    columns, turned = 10.0 ** rng.uniform(-6, 6, 3), np.linalg.qr(A)[0] * 3
    maps = {"diagonal": np.diag(columns), "spherical": turned}
    for shape in SHAPES:
        M = maps.get(shape.removeprefix("shared-"), A)
        before, after = GDA(covariance=shape).fit(X, y), GDA(covariance=shape).fit(X @ M + b, y)
        np.testing.assert_allclose(
            after.predict_log_proba(X @ M + b), before.predict_log_proba(X), rtol=1e-7, atol=1e-7, err_msg=shape
        )
        # the density changes by the volume of the map
        gained = before.log_joint(X) - after.log_joint(X @ M + b)
        np.testing.assert_allclose(gained, np.log(abs(np.linalg.det(M))), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("shared", [False, True])
def test_gaussian_nb_is_diagonal_gda(shared, data):
    X, y = data
    naive = GaussianNB(var_smoothing=0, shared_variance=shared).fit(X, y)
    analysis = GDA(covariance="shared-diagonal" if shared else "diagonal").fit(X, y)
    np.testing.assert_allclose(naive.log_joint(X), analysis.log_joint(X), rtol=1e-12)
    np.testing.assert_allclose(naive.var_, np.broadcast_to(analysis.covariance_, (3, 3)), rtol=1e-14)


MODELS = [GaussianNB(), GaussianNB(shared_variance=True), *[GDA(covariance=shape) for shape in SHAPES]]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_large_mean_and_small_deviation(model):
    """Mean 1e8 and deviation 1: as if the data were centred, but for the rounding of the data themselves."""
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 3)), rng.integers(0, 3, 200)
    X = np.round((X + y[:, None]) * 2**20) / 2**20  # so that 1e8 is added without rounding
    assert ((X + 1e8) - 1e8 == X).all()
    near, far = model.fit(X, y).predict_log_proba(X), model.fit(X + 1e8, y).predict_log_proba(X + 1e8)
    np.testing.assert_allclose(far, near, rtol=0, atol=2e-7)  # the mean has 1.5e-8 between two numbers
    scatter = model.fit(X, y).statistics_.scatter
    np.testing.assert_allclose(model.fit(X + 1e8, y).statistics_.scatter, scatter, rtol=1e-12)
    halves = [
        type(model).statistics(X[half] + 1e8, y[half], **model.get_params()) for half in (slice(77), slice(77, None))
    ]
    np.testing.assert_allclose((halves[0] + halves[1]).scatter, scatter, rtol=1e-7)


# Extremes against high precision


def test_far_away_and_tiny_priors_against_mpmath():
    """x 1e6 standard deviations away, a prior of 1e-300: the log posterior is right, the posterior underflows."""
    X, y, eps = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 2.5], [-1.0, 4.0]]), [0, 0, 1, 1], np.finfo(float).eps
    for shared in (False, True):
        model = GaussianNB(priors=[1e-300, 1.0], var_smoothing=0, shared_variance=shared).fit(X, y)
        rows = [[1e6, -3e6], [0.5, 2.0], [0.501, 2.01]]
        with mpmath.workdps(60):
            means = [[mpmath.mpf(1) / 2, 2], [mpmath.mpf(1) / 2, mpmath.mpf("3.25")]]
            variance = [[mpmath.mpf("0.25"), 1], [mpmath.mpf("2.25"), mpmath.mpf("0.5625")]]
            if shared:
                variance = [[(a + b) / 2 for a, b in zip(*variance, strict=True)]] * 2
            for row, found in zip(rows, model.predict_log_proba(rows), strict=True):
                joint = [
                    mpmath.log(prior)
                    - sum(
                        (mpmath.mpf(x) - mu) ** 2 / v + mpmath.log(2 * mpmath.pi * v)
                        for x, mu, v in zip(row, means[j], variance[j], strict=True)
                    )
                    / 2
                    for j, prior in enumerate((mpmath.mpf(1e-300), mpmath.mpf(1)))
                ]
                evidence = mpmath.log(mpmath.exp(joint[0]) + mpmath.exp(joint[1]))
                np.testing.assert_allclose(
                    found,
                    [float(value - evidence) for value in joint],
                    rtol=1e-13,
                    atol=4 * eps * float(max(map(abs, joint))),
                )


@pytest.mark.parametrize("scale", [1e-150, 1e-100, 1e100, 1e150])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_units_do_not_matter(model, scale, data):
    X, y = data
    expected = model.fit(X, y).predict_proba(X)
    np.testing.assert_allclose(model.fit(X * scale, y).predict_proba(X * scale), expected, rtol=1e-8, atol=1e-10)


def test_far_in_large_units_is_not_infinitely_far():
    """A square of the deviation would overflow, that of the deviation in standard deviations does not."""
    X, y = np.array([[-1.0], [1], [-2], [2]]), [0, 0, 1, 1]
    near, far = GaussianNB(var_smoothing=0).fit(X, y), GaussianNB(var_smoothing=0).fit(X * 1e150, y)
    np.testing.assert_allclose(far.predict_log_proba([[1e155]]), near.predict_log_proba([[1e5]]), rtol=1e-12)


# Input without an answer


def test_constant_features(data):
    X, y = data
    constant = np.column_stack([X, np.full(len(y), 0.1)])  # the mean of 0.1, computed carelessly, is not 0.1
    with pytest.raises(ValueError, match=r"feature 3 is constant in class 0.*var_smoothing > 0"):
        GaussianNB(var_smoothing=0).fit(constant, y)
    with pytest.raises(ValueError, match="feature 3 is constant in class 0"):
        GaussianNB(var_smoothing=0).fit(constant, y, np.random.default_rng(0).random(len(y)))
    for shape in SHAPES:
        if not shape.endswith("spherical"):
            with pytest.raises(ValueError, match=r"feature 3 is constant in .*ridge > 0"):
                GDA(covariance=shape).fit(constant, y)
        regular = GDA(covariance=shape, ridge=0.1).fit(constant, y)
        assert np.isfinite(regular.predict_log_proba(constant)).all()
    # the constant feature says nothing: smoothing makes it harmless
    kept, left_out = GaussianNB().fit(constant, y), GaussianNB().fit(X, y)
    np.testing.assert_allclose(kept.predict_proba(constant), left_out.predict_proba(X), rtol=1e-9)
    nothing = np.full((6, 2), 0.1)
    for model in (*MODELS, MixedNB()):
        with pytest.raises(ValueError, match=r"every .*feature is constant"):
            model.fit(nothing, [0, 1, 0, 1, 0, 1])
        with pytest.raises(ValueError, match=r"every .*feature is constant"):
            model.fit(nothing, [0, 1, 0, 1, 0, 1], [0.1, 0.7, 0.3, 0.2, 0.9, 0.1])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("m", [12, 3000])
def test_singular_covariance(seed, m):
    """A feature that is the sum of others, up to rounding."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(m, 4)), np.arange(m) % 2
    X[:, 3] = X[:, :3] @ rng.normal(size=3)
    with pytest.raises(ValueError, match=r"rank 3 for 4 features.*ridge > 0"):
        GDA().fit(X, y)
    with pytest.raises(ValueError, match="class 0 is singular, of rank 3 for 4"):
        GDA(covariance="per-class").fit(X, y)
    for regular in (GDA(ridge=1e-6), GDA(shrinkage=0.01), GDA(covariance="diagonal")):
        assert np.isfinite(regular.fit(X, y).predict_log_proba(X)).all()
    # nearly dependent is still independent
    X[:, 3] += 1e-5 * rng.normal(size=m)
    assert np.isfinite(GDA().fit(X, y).predict_log_proba(X)).all()


def test_more_features_than_examples():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(8, 20)), np.arange(8) % 2
    with pytest.raises(ValueError, match="rank 6 for 20 features"):
        GDA().fit(X, y)
    with pytest.raises(ValueError, match="rank 3 for 20 features"):
        GDA(covariance="per-class").fit(X, y)
    assert (GDA(shrinkage=0.5).fit(X, y).predict(X) == y).all()
    assert (GDA(covariance="shared-diagonal").fit(X, y).predict(X) == y).all()


def test_classes_with_one_example_or_none():
    X, y = np.array([[0.0], [1.0], [3.0], [5.0], [9.0]]), np.array([0, 0, 1, 1, 2])
    # a class of one example has the variance epsilon, or the shared one
    assert GaussianNB().fit(X, y).var_[2, 0] == pytest.approx(1e-9 * X.var(), rel=1e-12)
    with pytest.raises(ValueError, match="feature 0 is constant in class 2"):
        GaussianNB(var_smoothing=0).fit(X, y)
    np.testing.assert_allclose(GDA().fit(X, y).covariance_, [[2.5 / 5]])
    with pytest.raises(ValueError, match="constant in class 2"):
        GDA(covariance="per-class").fit(X, y)
    with pytest.raises(ValueError, match="class 2 has 1 examples, too few for a covariance of its own"):
        GDA(covariance="per-class", unbiased=True).fit(X, y)
    with pytest.raises(ValueError, match="2 examples of 2 classes are too few"):
        GDA(unbiased=True).fit(X[[0, 2]], [0, 1])
    # a class that was announced but never seen
    for shared in (False, True):
        model = GaussianNB(shared_variance=shared).partial_fit(X, y, classes=[0, 1, 2, 3])
        assert model.class_prior_[3] == 0
        posterior = model.predict_proba([[0.0], [4.0], [9.0]])
        np.testing.assert_array_equal(posterior[:, 3], 0)
        seen = GaussianNB(shared_variance=shared).fit(X, y)
        np.testing.assert_allclose(posterior[:, :3], seen.predict_proba([[0.0], [4.0], [9.0]]), rtol=1e-12)
        with pytest.raises(ValueError, match=r"class 3 has a prior of 0.25, but no examples"):
            GaussianNB(priors="uniform").partial_fit(X, y, classes=[0, 1, 2, 3]).predict(X)
    with pytest.raises(ValueError, match="class 3 has no examples"):
        GDA().partial_fit(X, y, classes=[0, 1, 2, 3]).predict(X)
    with pytest.raises(ValueError, match="class 2 has no examples"):
        GDA().fit(X, y, [1, 1, 1, 1, 0])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (GaussianNB(var_smoothing=-1), "var_smoothing must be a finite number of at least 0, received -1"),
        (GaussianNB(var_smoothing=np.nan), "var_smoothing"),
        (GaussianNB(var_smoothing=np.inf), "var_smoothing"),
        (GaussianNB(var_smoothing="1"), "var_smoothing"),
        (GaussianNB(shared_variance="yes"), "shared_variance must be True or False"),
        (GaussianNB(priors=[0.5, 0.5]), r"priors has shape \(2,\), but y has 3 classes"),
        (GaussianNB(priors=[0.5, 0.4, 0.2]), "priors must be probabilities that sum to one"),
        (GaussianNB(priors=[1.5, -0.5, 0]), "priors must be probabilities"),
        (GaussianNB(priors=[np.nan, 0.5, 0.5]), "priors must be probabilities"),
        (GaussianNB(priors="equal"), 'priors must be None, "uniform" or 3 probabilities'),
        (GDA(priors=[[0.2, 0.3, 0.5]]), r"priors has shape \(1, 3\)"),
        (GDA(priors="equal"), "priors must be None"),
        (GDA(covariance="full"), "covariance must be one of shared, per-class, .*received 'full'"),
        (GDA(shrinkage=-0.1), "shrinkage must be a number from 0 to 1, received -0.1"),
        (GDA(shrinkage=1.1), "shrinkage"),
        (GDA(shrinkage="auto"), "shrinkage"),
        (GDA(ridge=-1), "ridge must be a finite number of at least 0"),
        (GDA(ridge=np.inf), "ridge"),
        (GDA(unbiased="no"), "unbiased must be True or False"),
    ],
    ids=str,
)
def test_bad_options(model, message, data):
    with pytest.raises(ValueError, match=message):
        model.fit(*data)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_bad_input(model, data):
    X, y = data
    for bad in (np.nan, np.inf):
        broken = X.copy()
        broken[3, 1] = bad
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            model.fit(broken, y)
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            model.fit(X, y).predict(broken)
    with pytest.raises(ValueError, match="0 feature"):
        model.fit(X[:, :0], y)
    with pytest.raises(ValueError, match="expecting 3 features"):
        model.fit(X, y).predict(X[:, :2])
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        model.fit(sparse.csr_array(X), y)
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        model.fit(X, y, np.full(len(y), -1.0))
    with pytest.raises(ValueError, match="at least one non-zero"):
        model.fit(X, y, np.zeros(len(y)))
    with pytest.raises(ValueError, match="needs classes="):
        type(model)().partial_fit(X, y)
    names = np.array(["ham", "spam", "eggs"])
    named = model.fit(X, names[y])
    assert named.classes_.tolist() == ["eggs", "ham", "spam"]
    order = [1, 2, 0]  # of the classes 0, 1, 2 among the names
    posterior = named.predict_proba(X)[:, order]
    assert (named.predict(X) == names[posterior.argmax(axis=1)]).all()
    np.testing.assert_allclose(posterior, model.fit(X, y).predict_proba(X), rtol=1e-9)


def test_the_linear_form_needs_a_fit():
    for model in (GDA(), GaussianNB(shared_variance=True)):
        with pytest.raises(NotFittedError):
            model.to_linear()


def test_numbers_too_large_to_square(data):
    X, y = data
    for model in MODELS:
        for scale in (1e200, 1e307):
            with pytest.raises(ValueError, match="rescale X"):
                model.fit(X * scale, y)
        with pytest.raises(ValueError, match="rescale X"):
            type(model).statistics(X * [1, 1e200, 1], y, **model.get_params())
        with pytest.raises(ValueError, match="rescale X"):
            model.fit(X, y, np.full(len(y), 1e308))
        a, b = (type(model).statistics(X + shift, y, **model.get_params()) for shift in (1e200, -1e200))
        with pytest.raises(ValueError, match="rescale X"):
            _ = a + b
    for shape in OWN:
        with pytest.raises(ZeroEvidenceError, match="too far away"):
            GDA(covariance=shape).fit(X, y).predict([[1e308, -1e308, 1e308]])
        with pytest.raises(ZeroEvidenceError, match="too far away"):
            GDA(covariance=shape).fit(X, y).decision_function([[1e200, -1e200, 1e200]])
    for shape in SHARED:  # linear: 1e300 times a weight is still a number, and the class is certain
        model = GDA(covariance=shape).fit(X, y)
        far = np.array([[1e300, -1e300, 1e300]])
        np.testing.assert_array_equal(np.sort(model.predict_proba(far)[0]), [0, 0, 1])
        assert model.predict(far)[0] == np.argmax(far @ model.coef_.T)
        assert np.isneginf(model.log_marginal(far)).all()
        with pytest.raises(ValueError, match=r"row 1 .*rescale X"):
            model.set_params().fit(X / 100, y).predict([[0, 0, 0], [1.7e308, -1.7e308, 1.7e308]])


def test_variances_too_small_for_a_number(data):
    X, y = data
    for model in MODELS:
        with pytest.raises(ValueError, match=r"2e-308|constant"):
            model.fit(X * 1e-156, y)


WILD = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, 0.1, 1.0, -1.0, 1e150, -1e150, 1e-150, 5e-324, 1e-310, 1e154, 1e308, -1e308]),
)


@pytest.mark.parametrize(
    "model",
    [
        *MODELS,
        GaussianNB(var_smoothing=0),
        GDA(ridge=1e-3),
        GDA(covariance="per-class", shrinkage=0.2),
        MixedNB(),
        MixedNB(var_smoothing=0),
    ],
    ids=str,
)
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_a_posterior_or_an_error_but_never_nan(model, data):
    m, n = data.draw(st.integers(2, 7)), data.draw(st.integers(1, 3))
    scale = data.draw(st.sampled_from([1e-150, 1e-20, 1.0, 1.0, 1e150]))
    tame = st.floats(-4, 4).map(lambda x: x * scale)
    columns = [
        data.draw(st.lists(kind, min_size=m, max_size=m))
        for kind in data.draw(st.lists(st.sampled_from([tame, tame, WILD, st.just(0.1)]), min_size=n, max_size=n))
    ]
    X, y = np.array(columns).T, np.arange(m) % 2
    rows = np.vstack([X, data.draw(st.lists(WILD, min_size=n, max_size=n))])
    try:
        model.fit(X, y)
    except ValueError:
        return
    for row in rows:
        try:
            posterior = model.predict_proba(row[None])
            evidence = model.log_marginal(row[None])
        except ValueError:
            continue
        assert np.isfinite(posterior).all()
        assert posterior.sum() == pytest.approx(1, abs=1e-12)
        assert (evidence < np.inf).all()


def test_a_class_without_examples_has_no_variance_either_below_the_smallest():
    """All that it has is the smoothing, times the largest variance."""
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    model = GaussianNB(var_smoothing=1e-310)
    with pytest.raises(NotFittedError, match="feature 0 is constant in class 2"):
        model.partial_fit(X, y, classes=[0, 1, 2]).predict(X)
