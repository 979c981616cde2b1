"""Batched models against the package's own estimators, subset by subset."""

import warnings

import numpy as np
import pytest
from choices import Nearby
from scipy.optimize import nnls
from scipy.special import expit
from scipy.stats import multivariate_normal
from sklearn.svm import SVC

from probml import gda, linear_model, naive_bayes
from probml.curves import (
    GDA,
    BernoulliNB,
    GaussianNB,
    LogisticRegression,
    learning_curves,
)
from probml.curves.cholesky import factor, independent, solve_transposed, solve_triangular
from probml.curves.logistic_minimum import minimum
from probml.curves.logistic_newton import loss, minimise, ones_of, system
from probml.curves.margin import least_squares
from probml.curves.row_space import row_spaces
from probml.curves.scores import NormalScores
from probml.curves.subsets import Subsets
from probml.errors import ParameterError, RankWarning, SeparationError
from probml.gda.covariance import SHAPES, inverse_root
from probml.linear_model.separation import separation
from probml.losses import Logistic
from probml.objectives import LinearObjective
from probml.solvers import newton


def subsets_of(seed, B=12, m=20, n=4, K=2, *, discrete=0, shift=0.7):
    """Random subsets that hold every class; of whole numbers below `discrete` if that is not 0."""
    rng = np.random.default_rng(seed)
    y = np.array([rng.permutation(np.arange(m) % K) for _ in range(B)])
    X = rng.standard_normal((B, m, n)) + shift * (y[:, :, None] == np.arange(n) % K)
    if discrete:
        X = np.clip(np.floor(X + discrete / 2), 0, discrete - 1)
    return Subsets(X, y, K)


def odds(joint):
    """Scores as the engine has them: log odds for two classes, scores up to a common term for more."""
    joint = np.asarray(joint)
    return (joint[:, 1:] - joint[:, :1]).T if joint.shape[1] == 2 else (joint - joint.mean(axis=1, keepdims=True)).T


def compare(model, subsets, looped, D, rtol=1e-8):
    scores = model.fit(subsets).scores[""]
    ours = scores.of(D, slice(None))
    for b in range(len(subsets.X)):
        theirs = odds(looped().fit(subsets.X[b], subsets.y[b]).predict_joint_log_proba(D))
        mine = ours[b] if len(ours[b]) == 1 else ours[b] - ours[b].mean(axis=0)
        np.testing.assert_allclose(mine, theirs, rtol=rtol, atol=rtol * np.abs(theirs).max())


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("m", [6, 25])
def test_gaussian(K, shared, m):
    subsets = subsets_of(1, m=m, K=K)
    subsets.X[:, :, 0] = 0.1  # constant in every part
    subsets.X[0, :, 1] = subsets.y[0]  # constant in every class
    D = np.random.default_rng(2).standard_normal((30, 4))
    if m == 25:
        D[:, 0] = 0.1  # elsewhere the estimator of the package subtracts numbers of 1e9
        compare(GaussianNB(shared_variance=shared), subsets, lambda: naive_bayes.GaussianNB(shared_variance=shared), D)
    model = GaussianNB(shared_variance=shared, var_smoothing=1e-3)
    compare(model, subsets, lambda: naive_bayes.GaussianNB(shared_variance=shared, var_smoothing=1e-3), D)


@pytest.mark.parametrize("K", [2, 3])
def test_normal_scores_are_log_densities(K):
    """Feature by feature, or by a matrix that is diagonal; of a row so far off that its score is -inf, too."""
    rng = np.random.default_rng(2)
    D = np.concatenate([rng.normal(size=(50, 3)), [[1e200, 0, 0]]])
    mean, root, offset = rng.normal(size=(5, K, 3)), 10.0 ** rng.uniform(-3, 3, (5, K, 3)), rng.normal(size=(5, K))
    few = slice(1, 4)
    found = NormalScores(mean, root, offset).of(D, few)
    as_matrix = NormalScores(mean, root[..., None] * np.eye(3), offset).of(D, few)
    np.testing.assert_allclose(found, as_matrix, rtol=1e-12)
    density = multivariate_normal(mean[2, 1], np.diag(root[2, 1] ** -2.0)).logpdf(D[:-1])
    constant = offset[2, 1] - np.log(root[2, 1]).sum() + 1.5 * np.log(2 * np.pi)
    if K == 3:
        np.testing.assert_allclose(found[1, 1, :-1], density + constant, rtol=1e-10)


def test_gaussian_of_one_example_a_class_is_the_nearest():
    X = np.array([[[0.0, 0.0], [1.0, 2.0]]])
    scores = GaussianNB().fit(Subsets(X, np.array([[0, 1]]), 2)).scores[""]
    D = np.random.default_rng(0).uniform(-1, 3, (50, 2))
    nearer = ((D - X[0, 1]) ** 2).sum(axis=1) < ((D - X[0, 0]) ** 2).sum(axis=1)
    np.testing.assert_array_equal(scores.of(D, slice(None))[0, 0] > 0, nearer)


def test_gaussian_without_smoothing_refuses_a_constant_feature():
    subsets = subsets_of(1)
    subsets.X[3, :, 2] = 1.0
    with pytest.raises(ParameterError, match=r"feature 2 is constant in training subset 3 of 20.*var_smoothing"):
        GaussianNB(var_smoothing=0.0).fit(subsets)


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_bernoulli(K, alpha):
    subsets = subsets_of(3, K=K, discrete=2)
    D = np.random.default_rng(2).integers(0, 2, (30, 4)).astype(float)
    compare(BernoulliNB(alpha=alpha, prior_alpha=0), subsets, lambda: naive_bayes.BernoulliNB(alpha=alpha), D)


def test_priors_are_smoothed_like_the_features():
    subsets = Subsets(np.zeros((1, 4, 1)), np.array([[0, 1, 1, 1]]), 2)
    zero = np.zeros((1, 1))
    likelihood = np.log(4 / 5) - np.log(2 / 3)  # of x = 0
    for model, prior in [(BernoulliNB(), (4 / 6) / (2 / 6)), (BernoulliNB(prior_alpha=0), 3), (BernoulliNB(2.0), None)]:
        z = model.fit(subsets).scores[""].of(zero, slice(None))[0, 0, 0]
        expected = (
            np.log(5 / 8 / (3 / 8)) + np.log(5 / 7) - np.log(3 / 5) if prior is None else np.log(prior) + likelihood
        )
        np.testing.assert_allclose(z, expected, rtol=1e-14)


def test_a_sphere_and_a_uniform_prior_are_the_nearest_mean():
    subsets = subsets_of(6, m=9)
    scores = GDA("shared-spherical", prior_alpha=np.inf).fit(subsets).scores[""]
    D = np.random.default_rng(0).standard_normal((50, 4))
    for b, (X, y) in enumerate(zip(subsets.X, subsets.y, strict=True)):
        far = [((D - X[y == k].mean(axis=0)) ** 2).sum(axis=1) for k in (0, 1)]
        np.testing.assert_array_equal(scores.of(D, slice(None))[b, 0] > 0, far[1] < far[0])


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("options", [{}, {"ridge": 0.1, "shrinkage": 0.2}], ids=["ml", "ridge"])
def test_gda(shape, K, options):
    subsets = subsets_of(5, m=24, K=K)
    D = np.random.default_rng(2).standard_normal((30, 4))
    compare(GDA(shape, **options), subsets, lambda: gda.GDA(covariance=shape, **options), D)


@pytest.mark.parametrize("shape", ["per-class", "diagonal", "spherical"])
def test_roots_and_determinants_are_those_of_one_covariance_at_a_time(shape):
    subsets = subsets_of(41, K=3)
    scores = GDA(shape, ridge=0.1, prior_alpha=np.inf).fit(subsets).scores[""]
    for b in range(len(subsets.X)):
        covariances = gda.GDA(covariance=shape, ridge=0.1).fit(subsets.X[b], subsets.y[b]).covariance_
        for k, covariance in enumerate(covariances):
            R, log_det = inverse_root(np.full(4, covariance) if shape == "spherical" else covariance, "a class")
            ours = scores.root[b, k]
            if shape == "per-class":  # eigenvectors have either sign
                ours, R = ours @ ours.T, R @ R.T
            np.testing.assert_allclose(ours, R, rtol=1e-11, atol=1e-12 * np.abs(R).max())
            assert scores.offset[b, k] == pytest.approx(-np.log(3) - log_det / 2, rel=1e-12)


def test_gda_refuses_a_singular_covariance():
    subsets = subsets_of(5, m=4)
    with pytest.raises(ParameterError, match=r"singular in 12 of 12 training subsets of 4 examples.*ridge"):
        GDA("shared").fit(subsets)


# Maximum likelihood


def looped(model, subsets, b):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RankWarning)
        return model.fit(subsets.X[b], subsets.y[b])


@pytest.mark.parametrize("kind", ["continuous", "discrete", "dependent", "wide"])
@pytest.mark.parametrize("l2", [0.0, 0.5])
def test_logistic_is_that_of_the_package(kind, l2):
    """With constant and dependent columns, of which the shortest coefficients are taken."""
    subsets = subsets_of(7, m=40, n=5, discrete=0 if kind in ("continuous", "wide") else 3, shift=0.3)
    if kind == "dependent":
        subsets.X[:, :, 3] = 2 * subsets.X[:, :, 0] - subsets.X[:, :, 1] + 1
        subsets.X[:, :, 4] = 1.0
    if kind == "wide":
        if l2 == 0:
            pytest.skip("more features than examples are always separable")
        subsets = subsets_of(7, m=10, n=25)
    scores = LogisticRegression(l2=l2).fit(subsets).scores[""]
    for b in range(len(subsets.X)):
        model = looped(linear_model.LogisticRegression(l2=l2), subsets, b)
        np.testing.assert_allclose(scores.coef[b], model.coef_, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(scores.intercept[b], model.intercept_, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("l2", [1e-9, 1e-6, 1e-3, 1.0, 1e3])
@pytest.mark.parametrize(("m", "n"), [(8, 30), (20, 20), (21, 20), (60, 6)])
def test_every_form_of_a_penalised_fit_has_a_gradient_of_zero(m, n, l2):
    """One unknown for each example or for each feature, or orthonormal ones: constant, dependent, repeated columns."""
    subsets = subsets_of(3, B=12, m=m, n=n, shift=0.5)
    subsets.X[:, :, 0], subsets.X[:, :, 1], subsets.X[:, :, 2] = 1.0, subsets.X[:, :, 3], 100 + subsets.X[:, :, 4]
    scores = LogisticRegression(l2=l2).fit(subsets).scores[""]
    for X, y, w, b in zip(subsets.X, subsets.y, scores.coef[:, 0], scores.intercept[:, 0], strict=True):
        slope = expit(X @ w + b) - y
        np.testing.assert_allclose(slope.sum(), 0, atol=1e-9)
        np.testing.assert_allclose((X - X.mean(axis=0)).T @ slope + l2 * w, 0, atol=1e-8)


@pytest.mark.parametrize("discrete", [0, 2])
@pytest.mark.parametrize("l2", [0.0, 0.3])
def test_minimise_is_newton(l2, discrete):
    subsets = subsets_of(8, B=6, m=40, n=4, discrete=discrete, shift=0.3)
    for X, y in zip(subsets.X, subsets.y, strict=True):
        A, theta = np.column_stack([X, np.ones(40)]), np.zeros(5)
        assert not minimise(A, 2.0 * y - 1, np.array([l2] * 4 + [0.0]), theta, ones_of(A))
        expected = newton(LinearObjective(X, y, Logistic(), l2=l2), tolerance=1e-20).theta
        np.testing.assert_allclose(theta, expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("discrete", [0, 2])
def test_the_dual_form_is_that_of_the_features(discrete):
    """With examples that stand there twice, too, so that the products of the examples are singular."""
    subsets = subsets_of(5, B=6, m=7, n=12, discrete=discrete)
    subsets.X[:, 1], subsets.y[:, 0], subsets.y[:, 1] = subsets.X[:, 0], 0, 1
    side = 2.0 * subsets.y - 1
    A = np.concatenate([subsets.X - subsets.X.mean(axis=1, keepdims=True), np.ones((6, 7, 1))], axis=2)
    theta = np.zeros((6, 13))
    for k in range(6):
        minimise(A[k], side[k], np.array([0.3] * 12 + [0.0]), theta[k], ones_of(A[k]))
    found = np.array([minimum(subsets.X[k], side[k], 0.3)[0] for k in range(6)])
    np.testing.assert_allclose(found[:, :-1], theta[:, :-1], rtol=1e-9, atol=1e-12)
    predictors = (subsets.X @ found[:, :-1, None])[:, :, 0] + found[:, -1:]
    np.testing.assert_allclose(predictors, (A @ theta[:, :, None])[:, :, 0], rtol=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("m", "n", "discrete"), [(12, 3, 2), (12, 6, 2), (16, 4, 3), (14, 5, 0)])
def test_complete_separation_is_found_exactly(m, n, discrete, seed):
    subsets = subsets_of(seed, B=60, m=m, n=n, discrete=discrete, shift=1.0)
    fit = LogisticRegression(separable="ridge").fit(subsets)
    expected = [separation(X, 2 * y - 1, True).complete for X, y in zip(subsets.X, subsets.y, strict=True)]
    np.testing.assert_array_equal(fit.separable, expected)
    if (m, n) == (12, 6):
        assert 0 < fit.separable.mean() < 1


def test_quasi_complete_separation_is_followed_to_the_supremum():
    """The loss is within 1e-8 of its infimum: that of the rows that are not separated, alone."""
    subsets = subsets_of(2, B=80, m=24, n=6, discrete=2, shift=0.6)
    fit = LogisticRegression(separable="ridge").fit(subsets)
    found = 0
    for b, (X, y) in enumerate(zip(subsets.X, subsets.y, strict=True)):
        rows = separation(X, 2 * y - 1, True)
        if rows.complete or not rows.rows.any():
            continue
        found += 1
        rest = X[~rows.rows], y[~rows.rows]
        model = looped(linear_model.LogisticRegression(), Subsets(rest[0][None], rest[1][None], 2), 0)
        infimum = -model.predict_log_proba(rest[0])[np.arange(len(rest[1])), rest[1]].sum()
        t = (2 * y - 1) * (X @ fit.scores["ridge"].coef[b, 0] + fit.scores["ridge"].intercept[b, 0])
        assert -1e-10 < np.logaddexp(0, -t).sum() - infimum < 1e-8
        assert (t[rows.rows] > 15).all()
    assert found > 10


@pytest.mark.parametrize("discrete", [0, 2])
def test_more_features_than_examples_that_no_hyperplane_separates(discrete):
    """Two equal examples of different classes keep each other at log odds of 0; the others go to infinity."""
    subsets = subsets_of(5, B=6, m=7, n=30, discrete=discrete)
    subsets.X[:, 1], subsets.y[:, 0], subsets.y[:, 1] = subsets.X[:, 0], 0, 1
    fit = LogisticRegression().fit(subsets)
    assert not fit.separable.any()
    margins = (2 * subsets.y - 1) * (
        (subsets.X @ fit.scores[""].coef[:, 0, :, None])[:, :, 0] + fit.scores[""].intercept
    )
    np.testing.assert_allclose(margins[:, :2], 0, atol=1e-6)
    assert (margins[:, 2:] > 15).all()


@pytest.mark.parametrize("scale", [1e7, 1e-7])
def test_the_scale_of_one_feature_does_not_hide_the_others(scale):
    subsets = subsets_of(7, m=40, n=4, shift=0.3)
    plain = LogisticRegression().fit(subsets).scores[""].coef
    subsets.X[:, :, 0] *= scale
    scaled = LogisticRegression().fit(subsets).scores[""].coef
    np.testing.assert_allclose(scaled[:, :, 0] * scale, plain[:, :, 0], rtol=1e-6)
    np.testing.assert_allclose(scaled[:, :, 1:], plain[:, :, 1:], rtol=1e-6)


@pytest.mark.parametrize("l2", [1e-8, 1e-3, 1.0])
def test_scales_that_a_weak_penalty_bears(l2):
    """At the minimum the gradient is 0, by each feature in its own units."""
    subsets = subsets_of(7, m=40, n=4, shift=0.3)
    units = np.array([1e3, 1.0, 1.0, 1.0])
    subsets.X[:] *= units
    model = LogisticRegression(l2=l2)
    model.check(subsets.X.reshape(-1, 4), 2)
    scores = model.fit(subsets).scores[""]
    for X, y, w, b in zip(subsets.X, subsets.y, scores.coef[:, 0], scores.intercept[:, 0], strict=True):
        gradient = X.T @ (expit(X @ w + b) - y) + l2 * w
        np.testing.assert_allclose(gradient / units, 0, atol=1e-9)


@pytest.mark.parametrize("options", [{"l2": 1e-8}, {"separable": "margin"}, {"separable": (Nearby(), "ridge")}])
def test_scales_that_hide_features_are_refused(options):
    X = subsets_of(7, m=40, n=4).X.reshape(-1, 4)
    X[:, 2] = 0.1
    X /= np.where(np.ptp(X, axis=0) > 0, np.ptp(X, axis=0), 1.0)
    LogisticRegression(**options).check(X, 2)  # a constant has no scale
    for units in ([1e4, 1, 1, 1], [1, 1e-4, 1, 1], [1e4, 1e4, 1e4, 1e4]):
        LogisticRegression(**options).check(X * units * 0.999 ** np.sign(np.log(units)), 2)
        with pytest.raises(ParameterError, match=r"ranges from \S+ to \S+: .* Scale them"):
            LogisticRegression(**options).check(X * units * 1.001 ** np.sign(np.log(units)), 2)
    LogisticRegression().check(X * [1e6, 1, 1, 1], 2)  # its maximum likelihood compares no scales


def test_features_whose_squares_are_no_numbers_are_refused():
    subsets = subsets_of(7, m=40, n=4)
    with pytest.raises(ParameterError, match=r"too large.*scale the features"):
        LogisticRegression().fit(Subsets(subsets.X * 1e160, subsets.y, 2))


def test_a_single_value_whose_square_is_no_number_is_refused():
    X = np.random.default_rng(0).normal(size=(40, 4))
    X[3, 1] = -1e160
    with pytest.raises(ParameterError, match=r"values of up to 1e\+160, whose squares are too large"):
        LogisticRegression().check(X, 2)


def test_what_models_are_unless_told_otherwise():
    assert GDA() == GDA(covariance="shared", shrinkage=0.0, ridge=0.0, prior_alpha=0.0)
    assert GaussianNB() == GaussianNB(shared_variance=True, var_smoothing=1e-9, prior_alpha=0.0)
    assert LogisticRegression() == LogisticRegression(l2=0.0, separable=None, ridge=1e-3)


NORMAL = [
    GaussianNB(),
    GaussianNB(shared_variance=False),
    *(GDA(covariance=shape) for shape in SHAPES),
]


@pytest.mark.parametrize("model", [*NORMAL, LogisticRegression()], ids=repr)
def test_units_of_the_features_do_not_matter_or_are_refused(model):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 120)
    X = rng.normal(size=(120, 3)) + y[:, None] * [1.0, -0.5, 0.2]

    def curve(X):
        curves = learning_curves(X, y, [40], {"": model}, n_splits=10, log_loss=True, n_jobs=1, progress=False)
        return curves.error[""].losses, curves.log_loss[""].losses

    error, log_loss = curve(X)
    for scale in (1e-145, 1e-100, 1e-20, 1e20, 1e100, 1e145):
        scaled = curve(X * scale)
        np.testing.assert_array_equal(scaled[0], error)
        np.testing.assert_allclose(scaled[1], log_loss, rtol=1e-9)
    for scale, message in ((1e-300, "small"), (1e-160, "small"), (1e155, "large"), (1e200, "large"), (1e300, "large")):
        with pytest.raises(ParameterError, match=f"squares are too {message} for a .*: scale the features"):
            curve(X * scale)


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e-100, 1e-7, 1e-3, 1e3, 1e7, 1e100])
def test_a_feature_in_another_unit_counts_or_is_refused(scale):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 120)
    X = rng.normal(size=(120, 3)) + y[:, None] * [1.0, -0.5, 0.2]

    def errors(X):
        models = {"": LogisticRegression()}
        return learning_curves(X, y, [40], models, n_splits=10, n_jobs=1, progress=False).error[""].losses

    if scale < 1e-150:
        with pytest.raises(ParameterError, match="scale the features"):
            errors(X * [scale, 1, 1])
    else:
        np.testing.assert_array_equal(errors(X * [scale, 1, 1]), errors(X))


def test_a_separable_part_needs_a_rule():
    subsets = subsets_of(2, m=6, n=8)
    with pytest.raises(SeparationError, match=r"12 of 12 training subsets of 6 examples.*separable='margin'"):
        LogisticRegression().fit(subsets)
    assert LogisticRegression(l2=0.1).fit(subsets).separable is None


def test_rules_share_the_fits_of_the_other_parts():
    subsets = subsets_of(2, B=60, m=12, n=6, discrete=2, shift=1.0)
    fit = LogisticRegression(separable=(Nearby(), "margin", "ridge")).fit(subsets)
    assert 0 < fit.separable.mean() < 1
    for rule in ("margin", "ridge"):
        same = (fit.scores[rule].coef == fit.scores["nearby"].coef).all(axis=(1, 2))
        np.testing.assert_array_equal(same, ~fit.separable)


@pytest.mark.parametrize(("m", "n"), [(8, 12), (14, 3)])
def test_every_rule_separates(m, n):
    subsets = subsets_of(4, B=30, m=m, n=n, shift=4.0)
    fit = LogisticRegression(separable=(Nearby(), "margin", "ridge"), ridge=1e-4).fit(subsets)
    assert fit.separable.any()
    for scores in fit.scores.values():
        z = (subsets.X @ scores.coef[:, 0, :, None])[:, :, 0] + scores.intercept
        np.testing.assert_array_equal(z[fit.separable] > 0, subsets.y[fit.separable] == 1)


@pytest.mark.parametrize(("m", "n", "discrete"), [(8, 12, 0), (14, 3, 0), (10, 9, 2)])
def test_largest_margin_is_that_of_a_support_vector_machine(m, n, discrete):
    subsets = subsets_of(4, B=20, m=m, n=n, discrete=discrete, shift=3.0)
    fit = LogisticRegression(separable="margin").fit(subsets)
    assert fit.separable.sum() > 5
    for b in np.flatnonzero(fit.separable):
        machine = SVC(kernel="linear", C=1e12, tol=1e-10).fit(subsets.X[b], subsets.y[b])
        np.testing.assert_allclose(fit.scores["margin"].coef[b], machine.coef_, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(fit.scores["margin"].intercept[b], machine.intercept_, rtol=1e-6, atol=1e-6)


def test_largest_margin_of_a_part_on_which_corrections_go_round_in_circles():
    """Thirteen people of the adult data: Mehrotra's method alone does not end here."""
    X = np.array(
        [
            [0.3425, 0.1073, 0.8667, 0.1408, 0.0, 0.602],
            [0.3699, 0.0118, 0.8, 0.0, 0.5184, 0.398],
            [0.3836, 0.1363, 0.6, 0.0, 0.0, 0.5],
            [0.0685, 0.0212, 0.6, 0.0, 0.0, 0.398],
            [0.2329, 0.0249, 0.8, 0.0, 0.0, 0.398],
            [0.5616, 0.0602, 0.5333, 0.0, 0.0, 0.5],
            [0.2192, 0.0975, 0.9333, 0.0, 0.0, 0.398],
            [0.2329, 0.1263, 0.6, 0.031, 0.0, 0.398],
            [0.3425, 0.0729, 0.5333, 0.0, 0.3625, 0.4184],
            [0.0685, 0.0119, 0.6, 0.0, 0.0, 0.2959],
            [0.3425, 0.0141, 0.5333, 0.0, 0.0, 0.398],
            [0.1644, 0.1558, 0.8667, 0.0, 0.0, 0.449],
            [0.1507, 0.0341, 0.5333, 0.0, 0.0, 0.4286],
        ]
    )
    y = np.array([1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0])
    fit = LogisticRegression(separable="margin").fit(Subsets(X[None], y[None], 2))
    w, b = fit.scores["margin"].coef[0, 0], fit.scores["margin"].intercept[0, 0]
    sides = 2.0 * y - 1
    margins = sides * (X @ w + b)
    assert margins.min() > 1 - 1e-9
    # Lagrange: w is a positive combination of the examples on the margin, whose weights balance
    active = margins < 1 + 1e-6
    rows = np.column_stack([X, np.ones(len(X))])[active] * sides[active, None]
    _, residual = nnls(rows.T, np.append(w, 0.0))
    assert residual < 1e-6 * np.linalg.norm(w)


def test_ridge_is_the_penalty():
    subsets = subsets_of(4, m=8, n=12)
    by_rule = LogisticRegression(separable="ridge", ridge=0.02).fit(subsets).scores["ridge"]
    np.testing.assert_array_equal(by_rule.coef, LogisticRegression(l2=0.02).fit(subsets).scores[""].coef)


# Subsets of it


@pytest.mark.parametrize("binary", [False, True])
def test_derivatives_of_the_logistic_loss(binary):
    rng = np.random.default_rng(0)
    A, side = rng.standard_normal((30, 4)), rng.choice([-1.0, 1.0], 30)
    if binary:
        A = (A > 0.4).astype(float)
    ones = ones_of(A)
    assert (len(ones[0]) == 31) == binary
    theta, h, still = rng.standard_normal(4), 1e-5, np.zeros(30)
    gradient, hessian = system(A, side, side * (A @ theta), ones)
    for j, e in enumerate(np.eye(4)):
        up, down = side * (A @ (theta + h * e)), side * (A @ (theta - h * e))
        np.testing.assert_allclose((loss(up, still, 0.0) - loss(down, still, 0.0)) / (2 * h), gradient[j], rtol=1e-6)
        change = (system(A, side, up, ones)[0] - system(A, side, down, ones)[0]) / (2 * h)
        np.testing.assert_allclose(change[: j + 1], hessian[j, : j + 1], rtol=1e-6, atol=1e-8)


def test_logistic_loss_of_many_examples_far_out():
    """More factors than a floating-point number can be the product of; on a line."""
    rng = np.random.default_rng(1)
    t, change = rng.normal(0, 300, 5003), rng.normal(0, 100, 5003)
    t[:4000] = 1e-3
    np.testing.assert_allclose(loss(t, change, 0.0), np.logaddexp(0, -t).sum(), rtol=1e-13)
    np.testing.assert_allclose(loss(t, change, 3.0), np.logaddexp(0, -t - 3 * change).sum(), rtol=1e-13)


def test_cholesky():
    rng = np.random.default_rng(0)
    X, x = rng.standard_normal((9, 5)), rng.standard_normal(5)
    M = X.T @ X
    R = factor(M)
    np.testing.assert_array_equal(R, np.triu(R))
    np.testing.assert_allclose(R.T @ R, M, rtol=1e-13)
    for solve, matrix in ((solve_transposed, R.T), (solve_triangular, R)):
        solved = x.copy()
        solve(R, solved)
        np.testing.assert_allclose(matrix @ solved, x, rtol=1e-12)


@pytest.mark.parametrize(("m", "n", "discrete"), [(30, 11, 2), (6, 20, 0), (12, 5, 3), (4, 7, 2)])
def test_independent_columns(m, n, discrete):
    for X in subsets_of(0, B=30, m=m, n=n, discrete=discrete).X:
        X[:, 1] = X[:, 0]
        X[:, 2] = 0.0
        M = X.T @ X
        R, columns = independent(M)
        assert len(columns) == len(R) == np.linalg.matrix_rank(X)
        np.testing.assert_allclose(R.T @ R, M, atol=1e-10)
        np.testing.assert_array_equal(R[:, columns], np.triu(R[:, columns]))
        assert np.linalg.matrix_rank(X[:, columns]) == len(columns)
    assert len(independent(np.zeros((3, 3)))[1]) == 0


@pytest.mark.parametrize(("m", "n"), [(30, 11), (6, 20), (9, 9)])
def test_row_space(m, n):
    subsets = subsets_of(0, B=30, m=m, n=n, discrete=2)
    X, seen = subsets.X, []
    for space in row_spaces(X, np.arange(30)):
        for k, b in enumerate(space.which):
            seen.append(b)
            centred = X[b] - X[b].mean(axis=0)
            rank = np.linalg.matrix_rank(centred)
            Z = space.Z[k][:, (space.Z[k] != 0).any(axis=0)]
            assert Z.shape[1] == rank
            np.testing.assert_allclose(Z.T @ Z, np.eye(rank), atol=1e-12)
            np.testing.assert_allclose(centred @ space.back[k], space.Z[k], atol=1e-12)
            np.testing.assert_allclose(space.back[k], np.linalg.pinv(centred) @ space.Z[k], atol=1e-10)
            np.testing.assert_allclose(space.centre[k] @ space.back[k], X[b].mean(axis=0) @ space.back[k], atol=1e-12)
    assert sorted(seen) == list(range(30))


@pytest.mark.parametrize(("m", "n"), [(6, 20), (9, 8), (24, 14)])
def test_least_squares_separate_only_what_is_separable(m, n):
    """Most of what is; all of it where the rows (x, 1) are independent."""
    subsets = subsets_of(0, B=60, m=m, n=n, discrete=2)
    G = (2.0 * subsets.y - 1)[:, :, None] * np.concatenate([subsets.X, np.ones((60, m, 1))], axis=2)
    theta, separable = least_squares(G)
    assert ((G[separable] @ theta[separable][:, :, None]) > 0).all()
    known = np.array([separation(X, 2 * y - 1, True).complete for X, y in zip(subsets.X, subsets.y, strict=True)])
    assert not (separable & ~known).any()
    assert separable.sum() > known.sum() / 2
    rank = np.array([np.linalg.matrix_rank(g) for g in G])
    assert separable[rank == m].all()


def test_newton_shortens_steps_that_overshoot():
    """From far off, where a full step goes beyond: log(1 + e^-t) of both sides of 40."""
    theta = np.array([20.0])
    A = np.full((2, 1), 1.0)
    assert not minimise(A, np.array([1.0, -1.0]), np.zeros(1), theta, ones_of(A))
    np.testing.assert_allclose(theta, 0, atol=1e-12)
