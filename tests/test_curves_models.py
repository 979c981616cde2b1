"""Batched models against the package's own estimators, part by part."""

import warnings

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.special import expit
from sklearn.svm import SVC

from probml import gda, linear_model, naive_bayes
from probml.curves import GDA, BernoulliNB, CategoricalNB, GaussianNB, LogisticRegression, SoftmaxRegression
from probml.curves.dual_logistic import DualLogisticProblems
from probml.curves.least_squares import least_squares
from probml.curves.logistic_loss import LogisticProblems
from probml.curves.newton import newton
from probml.curves.parts import Parts
from probml.curves.row_space import row_spaces
from probml.curves.scores import NormalScores
from probml.curves.softmax_loss import SoftmaxProblems, contrasts
from probml.errors import ParameterError, RankWarning, SeparationError
from probml.gda.covariance import SHAPES
from probml.linear_model.separation import separation

ONE = np.array([0])


def parts_of(seed, B=12, m=20, n=4, K=2, *, discrete=0, shift=0.7):
    """Random parts that hold every class; of whole numbers below `discrete` if that is not 0."""
    rng = np.random.default_rng(seed)
    y = np.array([rng.permutation(np.arange(m) % K) for _ in range(B)])
    X = rng.standard_normal((B, m, n)) + shift * (y[:, :, None] == np.arange(n) % K)
    if discrete:
        X = np.clip(np.floor(X + discrete / 2), 0, discrete - 1)
    return Parts(X, y, K)


def odds(joint):
    """Scores as the engine has them: log odds for two classes, scores up to a common term for more."""
    joint = np.asarray(joint)
    return (joint[:, 1:] - joint[:, :1]).T if joint.shape[1] == 2 else (joint - joint.mean(axis=1, keepdims=True)).T


def compare(model, parts, looped, D, rtol=1e-8):
    scores = model.fit(parts).scores[""]
    ours = scores.of(D, slice(None))
    for b in range(len(parts.X)):
        theirs = odds(looped().fit(parts.X[b], parts.y[b]).predict_joint_log_proba(D))
        mine = ours[b] if len(ours[b]) == 1 else ours[b] - ours[b].mean(axis=0)
        np.testing.assert_allclose(mine, theirs, rtol=rtol, atol=rtol * np.abs(theirs).max())


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("m", [6, 25])
def test_gaussian(K, shared, m):
    parts = parts_of(1, m=m, K=K)
    parts.X[:, :, 0] = 0.1  # constant in every part
    parts.X[0, :, 1] = parts.y[0]  # constant in every class
    D = np.random.default_rng(2).standard_normal((30, 4))
    if m == 25:
        D[:, 0] = 0.1  # elsewhere the estimator of the package subtracts numbers of 1e9
        compare(GaussianNB(shared_variance=shared), parts, lambda: naive_bayes.GaussianNB(shared_variance=shared), D)
    model = GaussianNB(shared_variance=shared, var_smoothing=1e-3)
    compare(model, parts, lambda: naive_bayes.GaussianNB(shared_variance=shared, var_smoothing=1e-3), D)


def test_signs_of_log_odds_are_those_of_the_log_odds():
    """Also of ties, of variances that are nearly 0, and where a parabola cancels to nothing."""
    rng = np.random.default_rng(2)
    D = np.concatenate([rng.normal(size=(200, 3)), np.zeros((1, 3)), [[1e200, 0, 0]]])
    mean = rng.normal(size=(40, 2, 3))
    root = 10.0 ** rng.uniform(-3, 8, (40, 2, 3))
    offset = rng.normal(size=(40, 2))
    mean[:10, 1], root[:10, 1], offset[:10, 1] = -mean[:10, 0], root[:10, 0], offset[:10, 0]  # a tie at 0
    mean[10:20, 1], root[10:20, 1], offset[10:20, 1] = mean[10:20, 0], root[10:20, 0], offset[10:20, 0]  # and anywhere
    scores = NormalScores(mean, root, offset)
    with np.errstate(invalid="ignore"):
        z = scores.of(D, slice(None))
    np.testing.assert_array_equal(scores.of(D, slice(None), values=False) > 0, z > 0)
    few = slice(3, 7)
    np.testing.assert_array_equal(scores.of(D, few, values=False) > 0, z[few] > 0)


def test_gaussian_of_one_example_a_class_is_the_nearest():
    X = np.array([[[0.0, 0.0], [1.0, 2.0]]])
    scores = GaussianNB().fit(Parts(X, np.array([[0, 1]]), 2)).scores[""]
    D = np.random.default_rng(0).uniform(-1, 3, (50, 2))
    nearer = ((D - X[0, 1]) ** 2).sum(axis=1) < ((D - X[0, 0]) ** 2).sum(axis=1)
    np.testing.assert_array_equal(scores.of(D, slice(None))[0, 0] > 0, nearer)


def test_gaussian_without_smoothing_refuses_a_constant_feature():
    parts = parts_of(1)
    parts.X[3, :, 2] = 1.0
    with pytest.raises(ParameterError, match=r"feature 2 is constant in part 3 of 20 examples.*var_smoothing"):
        GaussianNB(var_smoothing=0.0).fit(parts)


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_bernoulli(K, alpha):
    parts = parts_of(3, K=K, discrete=2)
    D = np.random.default_rng(2).integers(0, 2, (30, 4)).astype(float)
    compare(BernoulliNB(alpha=alpha, prior_alpha=0), parts, lambda: naive_bayes.BernoulliNB(alpha=alpha), D)


@pytest.mark.parametrize("K", [2, 3])
def test_categorical(K):
    parts = parts_of(3, K=K, discrete=4)
    D = np.random.default_rng(2).integers(0, 4, (30, 4)).astype(float)
    compare(
        CategoricalNB((4, 4, 4, 4), alpha=0.5, prior_alpha=0),
        parts,
        lambda: naive_bayes.CategoricalNB(alpha=0.5, min_categories=4),
        D,
    )


def test_priors_are_smoothed_like_the_features():
    parts = Parts(np.zeros((1, 4, 1)), np.array([[0, 1, 1, 1]]), 2)
    zero = np.zeros((1, 1))
    likelihood = np.log(4 / 5) - np.log(2 / 3)  # of x = 0
    for model, prior in [(BernoulliNB(), (4 / 6) / (2 / 6)), (BernoulliNB(prior_alpha=0), 3), (BernoulliNB(2.0), None)]:
        z = model.fit(parts).scores[""].of(zero, slice(None))[0, 0, 0]
        expected = (
            np.log(5 / 8 / (3 / 8)) + np.log(5 / 7) - np.log(3 / 5) if prior is None else np.log(prior) + likelihood
        )
        np.testing.assert_allclose(z, expected, rtol=1e-14)


def test_a_sphere_and_a_uniform_prior_are_the_nearest_mean():
    parts = parts_of(6, m=9)
    scores = GDA("shared-spherical", prior_alpha=np.inf).fit(parts).scores[""]
    D = np.random.default_rng(0).standard_normal((50, 4))
    for b, (X, y) in enumerate(zip(parts.X, parts.y, strict=True)):
        far = [((D - X[y == k].mean(axis=0)) ** 2).sum(axis=1) for k in (0, 1)]
        np.testing.assert_array_equal(scores.of(D, slice(None))[b, 0] > 0, far[1] < far[0])


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "options", [{}, {"ridge": 0.1, "shrinkage": 0.2}, {"unbiased": True}], ids=["ml", "ridge", "unbiased"]
)
def test_gda(shape, K, options):
    parts = parts_of(5, m=24, K=K)
    D = np.random.default_rng(2).standard_normal((30, 4))
    compare(GDA(shape, **options), parts, lambda: gda.GDA(covariance=shape, **options), D)


def test_gda_refuses_a_singular_covariance():
    parts = parts_of(5, m=4)
    with pytest.raises(ParameterError, match=r"singular in 12 of 12 training parts of 4 examples.*ridge"):
        GDA("shared").fit(parts)


# Maximum likelihood


def looped(model, parts, b):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RankWarning)
        return model.fit(parts.X[b], parts.y[b])


@pytest.mark.parametrize("kind", ["continuous", "discrete", "dependent", "wide"])
@pytest.mark.parametrize("l2", [0.0, 0.5])
def test_logistic_is_that_of_the_package(kind, l2):
    """With constant and dependent columns, of which the shortest coefficients are taken."""
    parts = parts_of(7, m=40, n=5, discrete=0 if kind in ("continuous", "wide") else 3, shift=0.3)
    if kind == "dependent":
        parts.X[:, :, 3] = 2 * parts.X[:, :, 0] - parts.X[:, :, 1] + 1
        parts.X[:, :, 4] = 1.0
    if kind == "wide":
        if l2 == 0:
            pytest.skip("more features than examples are always separable")
        parts = parts_of(7, m=10, n=25)
    scores = LogisticRegression(l2=l2).fit(parts).scores[""]
    for b in range(len(parts.X)):
        model = looped(linear_model.LogisticRegression(l2=l2), parts, b)
        np.testing.assert_allclose(scores.coef[b], model.coef_, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(scores.intercept[b], model.intercept_, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("l2", [1e-9, 1e-6, 1e-3, 1.0, 1e3])
@pytest.mark.parametrize(("m", "n"), [(8, 30), (20, 20), (21, 20), (60, 6)])
def test_every_form_of_a_penalised_fit_has_a_gradient_of_zero(m, n, l2):
    """One unknown for each example or for each feature, or orthonormal ones: constant, dependent, repeated columns."""
    parts = parts_of(3, B=12, m=m, n=n, shift=0.5)
    parts.X[:, :, 0], parts.X[:, :, 1], parts.X[:, :, 2] = 1.0, parts.X[:, :, 3], 100 + parts.X[:, :, 4]
    scores = LogisticRegression(l2=l2).fit(parts).scores[""]
    for X, y, w, b in zip(parts.X, parts.y, scores.coef[:, 0], scores.intercept[:, 0], strict=True):
        slope = expit(X @ w + b) - y
        np.testing.assert_allclose(slope.sum(), 0, atol=1e-9)
        np.testing.assert_allclose((X - X.mean(axis=0)).T @ slope + l2 * w, 0, atol=1e-8)


def test_a_step_of_the_dual_is_that_of_the_features():
    """From any α that sums to 0: the same change of the predictors, the same slope, the same penalty."""
    parts = parts_of(5, B=4, m=7, n=12)
    rng, l2 = np.random.default_rng(5), 0.3
    X, side = parts.X - parts.X.mean(axis=1, keepdims=True), 2.0 * parts.y - 1
    alpha = rng.normal(size=(4, 7))
    alpha -= alpha.mean(axis=1, keepdims=True)
    b = rng.normal(size=(4, 1))
    dual = DualLogisticProblems(X @ X.transpose(0, 2, 1), side, l2)
    A = np.concatenate([X, np.ones((4, 7, 1))], axis=2)
    primal = LogisticProblems(A, side, np.tile([l2] * 12 + [0.0], (4, 1)))
    theta, own = np.column_stack([alpha, b]), np.column_stack([(alpha[:, None] @ X)[:, 0], b])
    z = dual.predictors(theta)
    np.testing.assert_allclose(z, primal.predictors(own), rtol=1e-12)
    (step, slope), (own_step, own_slope) = dual.step(theta, z), primal.step(own, z)
    np.testing.assert_allclose(dual.predictors(step), primal.predictors(own_step), rtol=1e-9)
    np.testing.assert_allclose(slope, own_slope, rtol=1e-9)
    for ours, theirs in zip(dual.penalty_along(theta, step), primal.penalty_along(own, own_step), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)


@pytest.mark.parametrize("l2", [0.0, 0.5])
@pytest.mark.parametrize("K", [2, 3, 4])
def test_softmax_is_that_of_the_package(K, l2):
    parts = parts_of(8, m=60, n=3, K=K, shift=0.3)
    parts.X[:, :, 2] = parts.X[:, :, 0] + parts.X[:, :, 1]
    scores = SoftmaxRegression(l2=l2).fit(parts).scores[""]
    for b in range(len(parts.X)):
        model = looped(linear_model.SoftmaxRegression(l2=l2), parts, b)
        coef, intercept = model.coef_, model.intercept_
        if K == 2:
            coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        np.testing.assert_allclose(scores.coef[b], coef, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(scores.intercept[b], intercept, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("m", "n", "discrete"), [(12, 3, 2), (12, 6, 2), (16, 4, 3), (14, 5, 0)])
def test_complete_separation_is_found_exactly(m, n, discrete, seed):
    parts = parts_of(seed, B=60, m=m, n=n, discrete=discrete, shift=1.0)
    fit = LogisticRegression(separable="ridge").fit(parts)
    expected = [separation(X, 2 * y - 1, True).complete for X, y in zip(parts.X, parts.y, strict=True)]
    np.testing.assert_array_equal(fit.separable, expected)
    if (m, n) == (12, 6):
        assert 0 < fit.separable.mean() < 1


def test_quasi_complete_separation_is_followed_to_the_supremum():
    """The loss is within 1e-8 of its infimum: that of the rows that are not separated, alone."""
    parts = parts_of(2, B=80, m=24, n=6, discrete=2, shift=0.6)
    fit = LogisticRegression(separable="ridge").fit(parts)
    found = 0
    for b, (X, y) in enumerate(zip(parts.X, parts.y, strict=True)):
        rows = separation(X, 2 * y - 1, True)
        if rows.complete or not rows.rows.any():
            continue
        found += 1
        rest = X[~rows.rows], y[~rows.rows]
        model = looped(linear_model.LogisticRegression(), Parts(rest[0][None], rest[1][None], 2), 0)
        infimum = -model.predict_log_proba(rest[0])[np.arange(len(rest[1])), rest[1]].sum()
        t = (2 * y - 1) * (X @ fit.scores["ridge"].coef[b, 0] + fit.scores["ridge"].intercept[b, 0])
        assert -1e-10 < np.logaddexp(0, -t).sum() - infimum < 1e-8
        assert (t[rows.rows] > 15).all()
    assert found > 10


def test_a_separable_part_needs_a_rule():
    parts = parts_of(2, m=6, n=8)
    with pytest.raises(SeparationError, match=r"12 of 12 training parts of 6 examples.*separable='random'"):
        LogisticRegression().fit(parts)
    assert LogisticRegression(l2=0.1).fit(parts).separable is None


def test_rules_share_the_fits_of_the_other_parts():
    parts = parts_of(2, B=60, m=12, n=6, discrete=2, shift=1.0)
    fit = LogisticRegression(separable=("random", "margin", "ridge")).fit(parts)
    assert 0 < fit.separable.mean() < 1
    for rule in ("margin", "ridge"):
        same = (fit.scores[rule].coef == fit.scores["random"].coef).all(axis=(1, 2))
        np.testing.assert_array_equal(same, ~fit.separable)


@pytest.mark.parametrize("model", [LogisticRegression, SoftmaxRegression])
@pytest.mark.parametrize(("m", "n"), [(8, 12), (14, 3)])
def test_every_rule_separates(model, m, n):
    parts = parts_of(4, B=30, m=m, n=n, K=3 if model is SoftmaxRegression else 2, shift=4.0)
    fit = model(separable=("random", "margin", "ridge"), ridge=1e-4).fit(parts)
    assert fit.separable.any()
    for scores in fit.scores.values():
        for b in np.flatnonzero(fit.separable):
            z = parts.X[b] @ scores.coef[b].T + scores.intercept[b]
            predicted = (z[:, 0] > 0).astype(int) if z.shape[1] == 1 else z.argmax(axis=1)
            np.testing.assert_array_equal(predicted, parts.y[b])


@pytest.mark.parametrize(("m", "n", "discrete"), [(8, 12, 0), (14, 3, 0), (10, 9, 2)])
def test_largest_margin_is_that_of_a_support_vector_machine(m, n, discrete):
    parts = parts_of(4, B=20, m=m, n=n, discrete=discrete, shift=3.0)
    fit = LogisticRegression(separable="margin").fit(parts)
    assert fit.separable.sum() > 5
    for b in np.flatnonzero(fit.separable):
        machine = SVC(kernel="linear", C=1e12, tol=1e-10).fit(parts.X[b], parts.y[b])
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
    fit = LogisticRegression(separable="margin").fit(Parts(X[None], y[None], 2))
    w, b = fit.scores["margin"].coef[0, 0], fit.scores["margin"].intercept[0, 0]
    sides = 2.0 * y - 1
    margins = sides * (X @ w + b)
    assert margins.min() > 1 - 1e-9
    # Lagrange: w is a positive combination of the examples on the margin, whose weights balance
    active = margins < 1 + 1e-6
    rows = np.column_stack([X, np.ones(len(X))])[active] * sides[active, None]
    _, residual = nnls(rows.T, np.append(w, 0.0))
    assert residual < 1e-6 * np.linalg.norm(w)


def test_largest_margin_of_three_classes_is_optimal():
    """Lagrange: multipliers of the active constraints, none negative, explain w."""
    parts = parts_of(4, B=5, m=12, n=2, K=3, shift=5.0)
    fit = SoftmaxRegression(separable="margin").fit(parts)
    assert fit.separable.all()
    for b in range(5):
        W, c, X, y = fit.scores["margin"].coef[b], fit.scores["margin"].intercept[b], parts.X[b], parts.y[b]
        s = X @ W.T + c
        pairs = [(i, k) for i in range(12) for k in range(3) if k != y[i]]
        slack = np.array([s[i, y[i]] - s[i, k] - 1 for i, k in pairs])
        assert (slack > -1e-8).all()
        gradients = np.zeros((len(pairs), 3, 3))
        for row, (i, k) in zip(gradients, pairs, strict=True):
            row[y[i]], row[k] = np.append(X[i], 1), -np.append(X[i], 1)
        target = np.column_stack([W, np.zeros(3)]).ravel()
        active = slack < 1e-6
        multipliers, residual = nnls(gradients[active].reshape(active.sum(), -1).T, target)
        assert residual < 1e-5 * np.linalg.norm(target)  # they leave nothing for the intercepts
        assert multipliers.any()


@pytest.mark.parametrize("K", [2, 3])
def test_ridge_is_the_penalty(K):
    parts = parts_of(4, m=8, n=12, K=K)
    model = SoftmaxRegression if K == 3 else LogisticRegression
    by_rule = model(separable="ridge", ridge=0.02).fit(parts).scores["ridge"]
    np.testing.assert_array_equal(by_rule.coef, model(l2=0.02).fit(parts).scores[""].coef)


# Parts of it


def test_derivatives_of_the_losses():
    rng = np.random.default_rng(0)
    A = rng.standard_normal((1, 9, 3))
    logistic = LogisticProblems(A, np.sign(rng.standard_normal((1, 9))), np.zeros((1, 3)))
    softmax = SoftmaxProblems(A, rng.integers(0, 3, (1, 9)), 3, np.zeros((1, 6)))
    for problem in (logistic, softmax):
        p = problem.penalty.shape[1]
        theta, h = rng.standard_normal((1, p)), 1e-5
        gradient, hessian = problem.system(problem.predictors(theta))
        for j, e in enumerate(np.eye(p)):
            up, down = problem.predictors(theta + h * e), problem.predictors(theta - h * e)
            np.testing.assert_allclose(
                (problem.loss(up, ONE) - problem.loss(down, ONE)) / (2 * h), gradient[:, j], rtol=1e-6
            )
            change = (problem.system(up)[0] - problem.system(down)[0]) / (2 * h)
            np.testing.assert_allclose(change, hessian[:, j], rtol=1e-6, atol=1e-8)


def test_contrasts_are_orthonormal_and_sum_to_zero():
    for K in (2, 3, 5):
        E = contrasts(K)
        np.testing.assert_allclose(E.T @ E, np.eye(K - 1), atol=1e-15)
        np.testing.assert_allclose(E.sum(axis=0), 0, atol=1e-15)


@pytest.mark.parametrize(("m", "n"), [(30, 11), (6, 20), (9, 9)])
def test_row_space(m, n):
    parts = parts_of(0, B=30, m=m, n=n, discrete=2)
    X, seen = parts.X, []
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
    parts = parts_of(0, B=60, m=m, n=n, discrete=2)
    G = (2.0 * parts.y - 1)[:, :, None] * np.concatenate([parts.X, np.ones((60, m, 1))], axis=2)
    theta, separable = least_squares(G)
    assert ((G[separable] @ theta[separable][:, :, None]) > 0).all()
    known = np.array([separation(X, 2 * y - 1, True).complete for X, y in zip(parts.X, parts.y, strict=True)])
    assert not (separable & ~known).any()
    assert separable.sum() > known.sum() / 2
    rank = np.array([np.linalg.matrix_rank(g) for g in G])
    assert separable[rank == m].all()


def test_newton_shortens_steps_that_overshoot():
    """From far off, where a full step goes beyond: log(1 + e^-t) of both sides of 40."""
    A = np.ones((1, 2, 1))
    problem = LogisticProblems(A, np.array([[1.0, -1.0]]), np.zeros((1, 1)))
    theta, separable = newton(problem, np.array([[20.0]]))
    np.testing.assert_allclose(theta, 0, atol=1e-12)
    assert not separable.any()
