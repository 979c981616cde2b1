"""Naive Bayes with a family for each feature: against its special cases, by hand, and with values missing."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from probml.errors import ZeroEvidenceError
from probml.families import Bernoulli, Binomial, Categorical, Gamma, Gaussian, Multinomial, Poisson
from probml.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MixedNB

FAMILIES = [Gaussian(), Bernoulli(), Categorical(3), Poisson(), Gamma(), Binomial(5)]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks([MixedNB(), MixedNB(Gaussian(), var_smoothing=1e-3, priors="uniform")])
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


def one_of_each(m=120, seed=0):
    """A feature of each family of numbers, and two classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(m) % 2
    columns = [
        rng.normal(y, 1 + y),
        rng.random(m) < np.where(y, 0.7, 0.4),
        rng.integers(0, 3, m),
        rng.poisson(2 + 2 * y),
        rng.gamma(1 + y, 2, m),
        rng.binomial(5, 0.3 + 0.3 * y),
    ]
    return np.column_stack(columns).astype(float), y


def weights_of(y, weighted):
    return np.random.default_rng(1).uniform(0, 3, len(y)) if weighted else None


# Special cases


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("priors", [None, "uniform", [0.2, 0.8]], ids=str)
def test_gaussian(weighted, priors):
    X, y = one_of_each()
    X, weight = X[:, [0, 4, 5]], weights_of(y, weighted)
    for smoothing in (0.0, 1e-9, 0.2):
        ours = MixedNB(priors=priors, var_smoothing=smoothing).fit(X, y, weight)
        peer = GaussianNB(priors=priors, var_smoothing=smoothing).fit(X, y, weight)
        np.testing.assert_allclose(ours.log_joint(X), peer.log_joint(X), rtol=1e-11, atol=1e-11)
        for n in range(3):
            found = ours.usual_parameters(n)
            np.testing.assert_allclose(found["mean"], peer.theta_[:, n], rtol=1e-12)
            np.testing.assert_allclose(found["variance"], peer.var_[:, n], rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 0.5, 2.0])
def test_bernoulli_and_categorical(weighted, alpha):
    X, y = one_of_each()
    weight = weights_of(y, weighted)
    binary = np.column_stack([X[:, 1], X[:, 3] > 2])
    ours, peer = (
        MixedNB(Bernoulli(), alpha=alpha).fit(binary, y, weight),
        BernoulliNB(alpha=alpha).fit(binary, y, weight),
    )
    np.testing.assert_allclose(ours.log_joint(binary), peer.log_joint(binary), rtol=1e-11)
    np.testing.assert_allclose(
        ours.usual_parameters(1)["probability"], np.exp(peer.feature_log_prob_[:, 1]), rtol=1e-12
    )
    codes = np.column_stack([X[:, 2], X[:, 5]]).astype(int)
    ours = MixedNB(Categorical(6), alpha=alpha).fit(codes, y, weight)
    peer = CategoricalNB(alpha=alpha, min_categories=6).fit(codes, y, weight)
    np.testing.assert_allclose(ours.log_joint(codes), peer.log_joint(codes), rtol=1e-11)
    np.testing.assert_allclose(
        ours.usual_parameters(0)["probabilities"], np.exp(peer.feature_log_prob_[0]), rtol=1e-12, atol=1e-300
    )


def test_poisson_by_hand():
    """Class 0 has the counts 0, 2, 4 and class 1 has 5, 7: the rates are 2 and 6, and the prior 3/5 and 2/5."""
    model = MixedNB(Poisson()).fit([[0], [2], [4], [5], [7]], [0, 0, 0, 1, 1])
    np.testing.assert_allclose(np.exp(np.concatenate(model.natural_[0])), [2, 6], rtol=1e-14)
    with mpmath.workdps(30):
        joint = [
            [mpmath.mpf(p) / 5 * mpmath.exp(-r) * r**x / mpmath.factorial(x) for p, r in ((3, 2), (2, 6))]
            for x in (0, 3, 9)
        ]
        expected = [[float(p / sum(row)) for p in row] for row in joint]
        evidence = [float(mpmath.log(sum(row))) for row in joint]
    np.testing.assert_allclose(model.predict_proba([[0], [3], [9]]), expected, rtol=1e-13)
    np.testing.assert_allclose(model.log_marginal([[0], [3], [9]]), evidence, rtol=1e-13)


def test_all_families_in_one_model():
    """Each factor from SciPy's density at the parameters that the model reports."""
    X, y = one_of_each()
    model = MixedNB(FAMILIES, alpha=0.5, priors=[0.3, 0.7]).fit(X, y)
    expected = np.log([0.3, 0.7]) + np.zeros((len(y), 2))
    for j in range(2):
        own = [{name: values[j] for name, values in model.usual_parameters(n).items()} for n in range(6)]
        expected[:, j] += stats.norm(own[0]["mean"], np.sqrt(own[0]["variance"])).logpdf(X[:, 0])
        expected[:, j] += stats.bernoulli(own[1]["probability"]).logpmf(X[:, 1])
        expected[:, j] += np.log(own[2]["probabilities"])[X[:, 2].astype(int)]
        expected[:, j] += stats.poisson(np.exp(model.natural_[3][j, 0])).logpmf(X[:, 3])
        expected[:, j] += stats.gamma(own[4]["shape"], scale=1 / own[4]["rate"]).logpdf(X[:, 4])
        expected[:, j] += stats.binom(5, own[5]["probability"]).logpmf(X[:, 5])
        # the estimates themselves, with pseudo-counts where there are finitely many values
        mine = X[y == j]
        N = len(mine)
        assert own[0]["mean"] == pytest.approx(mine[:, 0].mean(), rel=1e-12)
        assert own[0]["variance"] == pytest.approx(mine[:, 0].var() + 1e-9 * X[:, 0].var(), rel=1e-12)
        assert own[1]["probability"] == pytest.approx((mine[:, 1].sum() + 0.5) / (N + 1), rel=1e-12)
        np.testing.assert_allclose(
            own[2]["probabilities"], (np.bincount(mine[:, 2].astype(int), minlength=3) + 0.5) / (N + 1.5), rtol=1e-12
        )
        assert np.exp(model.natural_[3][j, 0]) == pytest.approx(mine[:, 3].mean(), rel=1e-12)
        assert own[4]["shape"] / own[4]["rate"] == pytest.approx(mine[:, 4].mean(), rel=1e-10)
        assert own[5]["probability"] == pytest.approx((mine[:, 5].sum() + 0.5) / (5 * N + 1), rel=1e-12)
    np.testing.assert_allclose(model.log_joint(X), expected, rtol=1e-10, atol=1e-10)


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 2**32 - 1))
def test_invariances(seed):
    rng = np.random.default_rng(seed)
    X, y = one_of_each(40, seed)
    rows, features, times = rng.permutation(40), rng.permutation(6), rng.integers(1, 4, 40)
    X[rng.random(X.shape) < 0.1] = np.nan
    expected = MixedNB(FAMILIES).fit(X, y).log_joint(X)
    shuffled = MixedNB([FAMILIES[n] for n in features]).fit(X[rows][:, features], y[rows])
    np.testing.assert_allclose(shuffled.log_joint(X[:, features]), expected, rtol=1e-8, atol=1e-8)
    renamed = MixedNB(FAMILIES).fit(X, np.array(["z", "a"])[y])
    assert renamed.classes_.tolist() == ["a", "z"]
    np.testing.assert_allclose(renamed.log_joint(X)[:, ::-1], expected, rtol=1e-8, atol=1e-8)
    weighted = MixedNB(FAMILIES).fit(X, y, times)
    repeated = MixedNB(FAMILIES).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.log_joint(X), repeated.log_joint(X), rtol=1e-8, atol=1e-8)


# Missing values


def test_missing_values_are_marginalised():
    X, y = one_of_each()
    model = MixedNB(FAMILIES).fit(X, y)
    complete = X[:10].copy()
    for n in range(6):
        gap = complete.copy()
        gap[:, n] = np.nan
        others = [k for k in range(6) if k != n]
        without = MixedNB([FAMILIES[k] for k in others]).fit(X[:, others], y)
        np.testing.assert_allclose(model.log_joint(gap), without.log_joint(complete[:, others]), rtol=1e-11)
    nothing = np.full((1, 6), np.nan)
    np.testing.assert_allclose(model.predict_proba(nothing), [[0.5, 0.5]], rtol=1e-14)
    np.testing.assert_allclose(model.log_marginal(nothing), [0], atol=1e-14)


def test_estimates_leave_missing_values_out():
    X, y = one_of_each()
    rng = np.random.default_rng(2)
    X[rng.random(X.shape) < 0.3] = np.nan
    model = MixedNB(FAMILIES, var_smoothing=0).fit(X, y)
    for n, family in enumerate(FAMILIES):
        here = ~np.isnan(X[:, n])
        alone = MixedNB(family, var_smoothing=0).fit(X[here][:, [n]], y[here])
        np.testing.assert_allclose(model.natural_[n], alone.natural_[0], rtol=1e-10)
    np.testing.assert_array_equal(model.class_prior_, [0.5, 0.5])  # a row with gaps still counts for the prior
    assert np.isfinite(model.predict_log_proba(X)).all()


def test_sum_over_a_missing_value_is_the_sum_over_all_values():
    """p(x_1) = sum over x_2 of p(x_1, x_2), by enumeration."""
    X, y = one_of_each()
    model = MixedNB([Gaussian(), Categorical(3)]).fit(X[:, [0, 2]], y)
    joint = [np.exp(model.log_joint([[0.4, c]])) for c in range(3)]
    np.testing.assert_allclose(np.exp(model.log_joint([[0.4, np.nan]])), sum(joint), rtol=1e-13)


# Input without an answer


def test_bad_families():
    X, y = one_of_each()
    for families, message in [
        ([Gaussian()], "families has 1 entries, but X has 6 features"),
        (Gaussian, "families must be a family, such as Poisson"),
        (7, "families must be a family"),
        ("Gaussian", "families must be a family"),
        ([Gaussian] * 6, "exponential families of numbers"),
        (["Gaussian"] * 6, "exponential families of numbers"),
        (Multinomial(2), "exponential families of numbers"),
    ]:
        with pytest.raises(ValueError, match=message):
            MixedNB(families).fit(X, y)
    for kept in (tuple(FAMILIES), np.array(FAMILIES, dtype=object)):
        np.testing.assert_array_equal(
            MixedNB(kept).fit(X, y).predict_proba(X), MixedNB(FAMILIES).fit(X, y).predict_proba(X)
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": -1}, "alpha must be a finite number of at least 0, received -1"),
        ({"alpha": np.nan}, "alpha must be"),
        ({"alpha": "1"}, "alpha must be"),
        ({"var_smoothing": -1e-9}, "var_smoothing must be"),
        ({"var_smoothing": np.inf}, "var_smoothing must be"),
        ({"priors": [0.5, 0.4]}, "priors must be probabilities that sum to one"),
        ({"priors": [1.0]}, r"priors has shape \(1,\), but y has 2 classes"),
        ({"priors": "equal"}, "priors must be None"),
    ],
    ids=str,
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        MixedNB(FAMILIES, **options).fit(*one_of_each())


def test_bad_input():
    X, y = one_of_each()
    outside = {1: 2, 2: 3, 3: -1, 4: 0, 5: 6}
    for n, value in outside.items():
        wrong = X.copy()
        wrong[5, n] = value
        with pytest.raises(ValueError, match=rf"in the features \[{n}\].*outside the support"):
            MixedNB(FAMILIES).fit(wrong, y)
        with pytest.raises(ValueError, match=rf"in the features \[{n}\].*outside the support"):
            MixedNB(FAMILIES).fit(X, y).predict(wrong)
    with pytest.raises(ValueError, match="infinity"):
        MixedNB(FAMILIES).fit(np.where(X == X[3, 0], np.inf, X), y)
    with pytest.raises(ValueError, match="expecting 6 features"):
        MixedNB(FAMILIES).fit(X, y).predict(X[:, :3])
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        MixedNB().fit(sparse.csr_array(X), y)
    with pytest.raises(ValueError, match="0 feature"):
        MixedNB().fit(X[:, :0], y)
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        MixedNB().fit(X, y, np.full(len(y), -1.0))
    with pytest.raises(ValueError, match="at least one non-zero"):
        MixedNB().fit(X, y, np.zeros(len(y)))
    with pytest.raises(ValueError, match="no observations"):
        MixedNB(Poisson()).fit(np.where(y == 0, np.nan, X[:, 3])[:, None], y)  # missing throughout class 0
    with pytest.raises(ValueError, match="no observations"):
        MixedNB(Poisson()).partial_fit(X[:, [3]], y, classes=[0, 1, 2]).predict(X[:, [3]])
    with pytest.raises(ValueError, match=r"the features \[0\].*constant"):
        MixedNB([Gaussian(), Poisson()], var_smoothing=0).fit(np.column_stack([y, X[:, 3]]), y)
    with pytest.raises(NotFittedError):
        MixedNB().to_linear()
    with pytest.raises(NotFittedError):
        MixedNB().usual_parameters(0)


def test_never_seen_values_without_smoothing():
    X, y = np.array([[0.0, 0], [1, 0], [1, 1], [2, 1]]), [0, 0, 1, 1]
    model = MixedNB([Categorical(3), Bernoulli()], alpha=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba([[0, 0], [2, 1], [np.nan, 1]]), [[1, 0], [0, 1], [0, 1]])
    with pytest.raises(ZeroEvidenceError, match=r"row 0, .*alpha > 0 \(it is 0\)"):
        model.predict([[0, 1]])
    with pytest.raises(ValueError, match="infinite weights"):
        model.to_linear()
    assert np.isneginf(model.log_marginal([[0, 1]])).all()
    assert MixedNB([Categorical(3), Bernoulli()]).fit(X, y).predict_proba([[0, 1]]).sum() == pytest.approx(1)


def test_alpha_is_one_unless_it_is_said():
    X, y = np.array([[0], [0], [1], [1], [1]]), [0, 0, 0, 1, 1]
    p = MixedNB([Categorical(2)]).fit(X, y).predict_proba([[0]])
    zeros, prior = np.array([3 / 5, 1 / 4]), np.array([3 / 5, 2 / 5])  # (2 + 1) / (3 + 2) and (0 + 1) / (2 + 2)
    np.testing.assert_allclose(p[0], zeros * prior / (zeros @ prior), rtol=1e-14)


def test_a_variance_is_too_small_by_itself_and_not_by_its_sum_of_squares():
    x = np.concatenate([np.linspace(-1, 1, 20), np.tile([1e-154, -1e-154], 10)])
    with pytest.raises(ValueError, match=r"a variance is below 2e-308 .*rescale the feature"):
        MixedNB(var_smoothing=0).fit(x[:, None], np.repeat([0, 1], 20))


def test_numbers_too_large_or_too_small():
    X, y = one_of_each()
    for scale in (1e200, 1e307):
        with pytest.raises(ValueError, match=r"in the features .*Rescale"):
            MixedNB().fit(X * scale, y)
    with pytest.raises(ValueError, match="rescale the feature"):
        MixedNB().fit(X[:, :1] * 1e-156, y)
    with pytest.raises(ValueError, match=r"a variance is below 2e-308 .*rescale the feature"):
        MixedNB(var_smoothing=0).fit(X[:, [0, 0]] * [1, 1e-156], y)
    with pytest.raises(ZeroEvidenceError, match="choose families under which they can occur"):
        MixedNB().fit(X, y).predict(np.full((1, 6), 1e308))
    np.testing.assert_allclose(
        MixedNB().fit(X * 1e-100, y).predict_proba(X * 1e-100),
        MixedNB().fit(X, y).predict_proba(X),
        rtol=1e-8,
        atol=1e-10,
    )
