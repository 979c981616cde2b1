"""Losses and links against 50 digits, numerical search, SciPy's densities and each other."""

import numpy as np
import pytest
from mpmath import mp
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from probml.families import Bernoulli, Binomial, Gamma, Gaussian, Poisson
from probml.losses import (
    CLogLog,
    GLMLoss,
    Hinge,
    Identity,
    Inverse,
    Log,
    Logistic,
    Logit,
    PerceptronLoss,
    PoissonLoss,
    Probit,
    Squared,
    SquaredHinge,
)
from probml.losses.glm import MEAN_FORMS

Z = np.array([0.0, 1e-300, 1e-12, 1e-3, 0.3, 0.7, 1.0, 1.5, 3.0, 17.0, 36.0, 40.0, 100.0, 300.0, 700.0, 745.0, 800.0])
Z = np.concatenate([-Z[:0:-1], Z])

# Losses as one writes them down, at any precision.
EXACT = {
    Logistic(): ((0, 1), lambda y, z: mp.log(1 + mp.exp(z)) - y * z),
    PoissonLoss(): ((0, 1, 7, 1_000_000), lambda y, z: mp.exp(z) - y * z),
    Squared(): ((-3.5, 0, 2), lambda y, z: (z - y) ** 2 / 2),
    SquaredHinge(): ((-1, 1), lambda y, z: max(mp.mpf(0), 1 - y * z) ** 2 / 2),
    Hinge(): ((-1, 1), lambda y, z: max(mp.mpf(0), 1 - y * z)),
    PerceptronLoss(): ((-1, 1), lambda y, z: max(mp.mpf(0), -y * z)),
}
CORNERS = {SquaredHinge: 1.0, Hinge: 1.0, PerceptronLoss: 0.0}  # of the margin
LINKS = [Identity(), Log(), Logit(), Probit(), CLogLog(), Inverse()]
EXACT_INVERSE = {
    Identity(): lambda z: z,
    Log(): mp.exp,
    Logit(): lambda z: 1 / (1 + mp.exp(-z)),
    Probit(): mp.ncdf,
    CLogLog(): lambda z: 1 - mp.exp(-mp.exp(z)),
    Inverse(): lambda z: 1 / z,
}
# Predictors that give a mean, by family and link.
EVERYWHERE, ABOVE, UNIT = [-30.0, -2.5, -0.4, 0.6, 1.7, 3.3], [0.02, 0.6, 1.7, 9.0], [0.02, 0.3, 0.9]
PAIRS = {
    (Gaussian(), Identity()): EVERYWHERE,
    (Gaussian(), Log()): EVERYWHERE,
    (Gaussian(), Inverse()): EVERYWHERE,
    (Gaussian(), Logit()): EVERYWHERE,
    (Gaussian(), Probit()): EVERYWHERE,
    (Gaussian(), CLogLog()): EVERYWHERE,
    (Bernoulli(), Logit()): EVERYWHERE,
    (Bernoulli(), Probit()): EVERYWHERE[1:],
    (Bernoulli(), CLogLog()): EVERYWHERE,
    (Bernoulli(), Log()): [-30.0, -2.5, -0.4, -0.01],
    (Bernoulli(), Identity()): UNIT,
    (Bernoulli(), Inverse()): [1.02, 3.0, 40.0],
    (Poisson(), Log()): EVERYWHERE,
    (Poisson(), Identity()): ABOVE,
    (Poisson(), Inverse()): ABOVE,
    (Poisson(), Logit()): EVERYWHERE,
    (Poisson(), Probit()): EVERYWHERE[1:],
    (Poisson(), CLogLog()): EVERYWHERE,
    (Gamma(), Inverse()): ABOVE,
    (Gamma(), Log()): EVERYWHERE,
    (Gamma(), Identity()): ABOVE,
    (Gamma(), Logit()): EVERYWHERE,
    (Gamma(), Probit()): EVERYWHERE[1:],
    (Gamma(), CLogLog()): EVERYWHERE,
}
ANSWERS = {Gaussian: [-1.5, 0.0, 2.0], Bernoulli: [0.0, 1.0, 0.3], Poisson: [0.0, 1.0, 8.0], Gamma: [0.01, 1.3, 20.0]}
EXACT_LOSS = {
    Gaussian: lambda y, mu: mu**2 / 2 - y * mu,
    Bernoulli: lambda y, mu: -(y * mp.log(mu) if y else 0) - ((1 - y) * mp.log(1 - mu) if y != 1 else 0),
    Poisson: lambda y, mu: mu - (y * mp.log(mu) if y else 0),
    Gamma: lambda y, mu: mp.log(mu) + y / mu,
}
EXACT_VARIANCE = {
    Gaussian: lambda mu: mp.mpf(1),
    Bernoulli: lambda mu: mu * (1 - mu),
    Poisson: lambda mu: mu,
    Gamma: lambda mu: mu**2,
}


def name(value):
    return "-".join(map(name, value)) if isinstance(value, tuple) else type(value).__name__


def as_float(x):
    """The double nearest to x: inf beyond the largest."""
    return float(x) if abs(x) < mp.mpf(2) ** 1024 else float(np.inf * mp.sign(x))


@pytest.mark.parametrize("loss", EXACT, ids=name)
def test_losses_have_the_right_digits_at_any_predictor(loss):
    answers, exact = EXACT[loss]
    corner = CORNERS.get(type(loss))
    with mp.workdps(50):
        for y in answers:
            z = np.array([z for z in Z if corner is None or y * z != corner])
            # Work with enough digits for 1 + e^-800, and derivatives by differences at that precision.
            with mp.workdps(1100):
                at, h = [mp.mpf(float(v)) for v in z], mp.mpf(10) ** -350
                low, mid, high = ([exact(y, v + s * h) for v in at] for s in (-1, 0, 1))
                slopes = [(b - a) / (2 * h) for a, b in zip(low, high, strict=True)]
                curvatures = [(a - 2 * b + c) / h**2 for a, b, c in zip(low, mid, high, strict=True)]
            expected = [np.array([as_float(v) for v in values]) for values in (mid, slopes, curvatures)]
            ys = np.full_like(z, y)
            for ours, theirs in zip((loss.value, loss.gradient, loss.curvature), expected, strict=True):
                # Below the smallest normal number there are fewer digits to get right; y e^z near its root cancels.
                cancels = 2e-16 * y * (1 + np.abs(z)) if isinstance(loss, PoissonLoss) else 0.0
                error = np.abs(np.subtract(ours(ys, z), theirs, where=np.isfinite(theirs), out=np.zeros_like(z)))
                assert (error <= 5e-15 * np.abs(theirs) + 1e-307 + cancels).all()
                assert_array_equal(np.isinf(ours(ys, z)), np.isinf(theirs))


@pytest.mark.parametrize("loss", EXACT, ids=name)
def test_all_is_the_three_together(loss):
    for y in EXACT[loss][0]:
        z = np.concatenate([Z, [-1e300, 1e300]])
        ys = np.full_like(z, y)
        together, apart = loss.all(ys, z), (loss.value(ys, z), loss.gradient(ys, z), loss.curvature(ys, z))
        for ours, theirs in zip(together, apart, strict=True):
            assert_allclose(ours, theirs, rtol=1e-14, atol=1e-307)


@pytest.mark.parametrize("loss", EXACT, ids=name)
def test_losses_are_convex_and_subgradients_lie_below(loss):
    rng = np.random.default_rng(0)
    u, z = rng.normal(scale=3, size=(2, 500))
    z[:20] = np.repeat([-1.0, 0.0, 1.0, 2.0], 5)  # the corners too
    for y in EXACT[loss][0][:2]:
        ys = np.full_like(z, y)
        tangent = loss.value(ys, z) + loss.gradient(ys, z) * (u - z)
        assert (loss.value(ys, u) >= tangent - 1e-9 * (1 + np.abs(tangent))).all()
        assert (loss.curvature(ys, z) >= 0).all()


def test_what_the_perceptron_and_the_hinge_do_at_their_corners():
    y, z = np.array([1.0, -1.0, 1.0, -1.0]), np.array([0.0, 0.0, 1.0, -1.0])
    assert_array_equal(PerceptronLoss().gradient(y, z), [-1, 1, 0, 0])
    assert_array_equal(Hinge().gradient(y, z), [-1, 1, 0, 0])
    assert_array_equal(PerceptronLoss().curvature(y, z), 0)


@pytest.mark.parametrize("loss", EXACT, ids=name)
def test_curvature_bound_is_the_smallest(loss):
    z = np.linspace(-6, 6, 4001)
    for y in EXACT[loss][0][:2]:
        ys = np.full_like(z, y)
        steepest = np.max(np.diff(loss.gradient(ys, z)) / np.diff(z))
        if np.isfinite(loss.curvature_bound):
            assert steepest <= loss.curvature_bound * (1 + 1e-9)
            assert steepest >= loss.curvature_bound * (1 - 1e-4)
            assert loss.curvature(ys, z).max() <= loss.curvature_bound
        else:  # a corner, as steep as the grid is fine, or an exponential
            assert steepest > 300


@pytest.mark.parametrize("loss", EXACT, ids=name)
def test_self_concordance_is_the_smallest(loss):
    z, h = np.linspace(-30, 30, 6001), 1e-4
    ys = np.full_like(z, EXACT[loss][0][0])
    third = (loss.curvature(ys, z + h) - loss.curvature(ys, z - h)) / (2 * h)
    curvature = loss.curvature(ys, z)
    if np.isfinite(loss.self_concordance):
        ratio = np.max(np.abs(third) / curvature)
        assert ratio <= loss.self_concordance + 1e-6
        assert ratio >= loss.self_concordance - 1e-6
    else:  # the third derivative is not bounded by the second, or no derivative at all
        assert isinstance(loss, Hinge | PerceptronLoss | SquaredHinge)
        jump = np.abs(np.diff(loss.gradient(ys, z) if isinstance(loss, Hinge | PerceptronLoss) else curvature))
        assert jump.max() == 1


def test_canonical_pairs_are_the_plain_losses():
    z = np.concatenate([Z, [-1e5, 1e5]])
    with np.errstate(all="raise", under="ignore"):
        for plain, family, link, answers in [
            (Logistic(), Bernoulli(), Logit(), (0, 1)),
            (PoissonLoss(), Poisson(), Log(), (0, 1, 5000)),
            (Squared(), Gaussian(), Identity(), (-3.5, 0, 2)),
        ]:
            loss = GLMLoss(family, link)
            assert loss.form.canonical == link
            for y in answers:
                ys = np.full_like(z, y)
                constant = y**2 / 2 if isinstance(plain, Squared) else 0.0
                ours = loss.value(ys, z) + constant
                assert_allclose(ours, plain.value(ys, z), rtol=1e-14, atol=1e-15 * constant + 1e-307)
                assert_allclose(loss.gradient(ys, z), plain.gradient(ys, z), rtol=1e-14, atol=1e-307)
                assert_allclose(loss.curvature(ys, z), plain.curvature(ys, z), rtol=1e-14, atol=1e-307)


@pytest.mark.parametrize("pair", PAIRS, ids=name)
def test_every_family_with_every_link(pair):
    family, link = pair
    loss, kind = GLMLoss(family, link), type(family)
    with mp.workdps(60):
        for y in ANSWERS[kind]:
            for z in PAIRS[pair]:
                mean = EXACT_INVERSE[link]
                value = EXACT_LOSS[kind](y, mean(mp.mpf(z)))
                slope = mp.diff(lambda t, y=y, mean=mean: EXACT_LOSS[kind](y, mean(t)), mp.mpf(z))
                information = mp.diff(mean, mp.mpf(z)) ** 2 / EXACT_VARIANCE[kind](mean(mp.mpf(z)))
                ys, zs = np.array([y]), np.array([z])
                scale = float(abs(value) + abs(y * z) + abs(slope))
                assert_allclose(loss.value(ys, zs), float(value), rtol=1e-13, atol=1e-14 * scale)
                assert_allclose(loss.gradient(ys, zs), float(slope), rtol=1e-11, atol=1e-14 * scale)
                assert_allclose(loss.curvature(ys, zs), float(information), rtol=1e-11)


@pytest.mark.parametrize("link", [Logit(), Probit(), CLogLog()], ids=name)
def test_bernoulli_means_that_round_to_0_or_1_lose_no_digits(link):
    loss = GLMLoss(Bernoulli(), link)
    top = 6.5 if link == CLogLog() else 35.0
    z = np.array([-745.0, -300.0, -38.0, -9.0, 6.0, top])
    with mp.workdps(1000 if link == CLogLog() else 500):
        for y in (0, 1):
            for v in z:
                if link == Probit():  # Φ by its tail, which 1 - Φ would lose
                    mean, rest = (mp.erfc(mp.mpf(s * v) / mp.sqrt(2)) / 2 for s in (-1, 1))
                    density = mp.npdf(v)
                elif link == Logit():
                    mean, rest = (1 / (1 + mp.exp(mp.mpf(s * v))) for s in (-1, 1))
                    density = mean * rest
                else:
                    rest = mp.exp(-mp.exp(mp.mpf(v)))
                    mean, density = 1 - rest, mp.exp(v) * rest
                expected = -mp.log(mean if y else rest), -density / mean if y else density / rest
                ours = loss.value(np.array([y]), np.array([v])), loss.gradient(np.array([y]), np.array([v]))
                for got, want in zip(ours, expected, strict=True):
                    assert_allclose(got, as_float(want), rtol=2e-13, atol=1e-300)
                information = density**2 / (mean * rest)
                assert_allclose(
                    loss.curvature(np.array([y]), np.array([v])), as_float(information), rtol=2e-13, atol=1e-300
                )
    huge = np.array([-1e4, -800.0, 800.0, 1e4])
    with np.errstate(all="raise", under="ignore"):
        for y in (0.0, 1.0, 0.3):
            for part in loss.all(np.full(4, y), huge):
                assert not np.isnan(part).any()


@pytest.mark.parametrize("pair", PAIRS, ids=name)
def test_the_loss_is_minus_the_log_density_of_scipy(pair):
    family, link = pair
    loss, h = GLMLoss(family, link), 1e-5
    form = loss.form
    density = {
        Gaussian: lambda y, mu: stats.norm.logpdf(y, mu),
        Bernoulli: lambda y, mu: stats.bernoulli.logpmf(y, mu),
        Poisson: lambda y, mu: stats.poisson.logpmf(y, mu),
        Gamma: lambda y, mu: stats.expon.logpdf(y, scale=mu),  # dispersion 1: shape 1
    }[type(family)]
    z = np.array([z for z in PAIRS[pair] if -3 < z < 2])  # SciPy takes the mean, which must not round
    for y in ANSWERS[type(family)][:2]:
        ys = np.full_like(z, y)
        expected = -density(ys, link.inverse(z))
        assert_allclose(loss.value(ys, z) - form.log_base(ys), expected, rtol=1e-9, atol=1e-9)
        step = h * np.minimum(1, np.abs(z))
        low, high = (-density(ys, link.inverse(z + s * step)) for s in (-1, 1))
        assert_allclose(loss.gradient(ys, z), (high - low) / (2 * step), rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("pair", "z"),
    [
        ((Poisson(), Identity()), [-0.1, -5.0]),
        ((Gamma(), Inverse()), [-0.1, 0.0]),
        ((Bernoulli(), Identity()), [-0.1, 1.1]),
        ((Bernoulli(), Log()), [0.1, 800.0]),
        ((Gaussian(), Log()), [800.0, 1e4]),
    ],
    ids=name,
)
def test_no_mean_costs_infinitely_much(pair, z):
    loss, z = GLMLoss(*pair), np.array(z)
    assert (loss.value(np.ones(2), z) == np.inf).all()
    mu = loss.link.inverse(z)
    outside = (mu < loss.form.limits[0]) | (mu > loss.form.limits[1])  # and not, as e^800, at the limit itself
    for slope in (loss.gradient(np.ones(2), z), loss.curvature(np.ones(2), z)):
        assert not np.isnan(slope).any()
        assert (slope[outside] == 0).all()


@pytest.mark.parametrize("link", LINKS, ids=name)
def test_links_and_their_derivatives(link):
    z = np.array([0.1, 1.0, 7.0] if link == Inverse() else [-5.0, -0.2, 0.0, 0.4, 1.5])
    mu = link.inverse(z)
    assert_allclose(link.of(mu), z, rtol=1e-13, atol=1e-15)
    assert_allclose(link.inverse(link.of(mu)), mu, rtol=1e-13)
    with mp.workdps(40):
        exact = EXACT_INVERSE[link]
        for i, v in enumerate(mp.mpf(float(v)) for v in z):
            assert_allclose(mu[i], float(exact(v)), rtol=1e-14)
            assert_allclose(link.derivative(z)[i], float(mp.diff(exact, v)), rtol=1e-13)
            at = z[i : i + 1]
            if mu[i] > 0:
                assert_allclose(link.log_inverse(at), float(mp.log(exact(v))), rtol=1e-13, atol=1e-15)
                assert_allclose(link.log_derivative(at), float(mp.diff(exact, v) / exact(v)), rtol=1e-13)
            if mu[i] < 1:
                rest = 1 - exact(v)
                assert_allclose(link.log_complement(at), float(mp.log(rest)), rtol=1e-12)
                assert_allclose(link.log_complement_derivative(at), float(-mp.diff(exact, v) / rest), rtol=1e-12)


def test_log_complements_of_the_log_link_lose_no_digits_near_either_end():
    """1 - e^z cancels for z near 0, and rounds to 1 for z far below."""
    z = np.array([-1e-300, -1e-12, -0.3, -0.999, -1.001, -3.0, -30.0, -50.0])
    with mp.workdps(400):
        exact = [float(mp.log(1 - mp.exp(mp.mpf(v)))) for v in z]
    with np.errstate(divide="ignore"):
        assert_allclose(Log().log_complement(z), exact, rtol=1e-15)


@pytest.mark.parametrize("family", MEAN_FORMS, ids=lambda family: family.__name__)
def test_means_lie_between_the_limits(family):
    form = MEAN_FORMS[family]
    low, high = form.limits
    assert (low, high) == tuple({Gaussian: (-np.inf, np.inf), Bernoulli: (0, 1)}.get(family, (0, np.inf)))
    assert_array_equal(form.is_mean(np.array([low, 0.4, high])), [False, True, False])


@pytest.mark.parametrize("family", [Gaussian(), Bernoulli(), Poisson(), Gamma()], ids=name)
def test_deviance_is_twice_the_log_ratio_of_likelihoods(family):
    form, kind = MEAN_FORMS[type(family)], type(family)
    means = {Gaussian: [-3.0, 0.5], Bernoulli: [1e-9, 0.3, 0.999]}.get(kind, [1e-5, 0.7, 30.0])
    limit = {Bernoulli: mp.mpf("1e-60"), Poisson: mp.mpf("1e-60")}
    with mp.workdps(80):
        for y in ANSWERS[kind]:
            # The likelihood of y itself as the mean: at the end of the range, its limit.
            own = mp.mpf(y) + (limit[kind] if kind in limit and y == 0 else 0)
            own = own - (limit[kind] if kind is Bernoulli and y == 1 else 0)
            for mu in means:
                expected = 2 * (EXACT_LOSS[kind](y, mp.mpf(mu)) - EXACT_LOSS[kind](y, own))
                got = form.unit_deviance(np.array([y]), np.array([mu]))
                assert_allclose(got, float(expected), rtol=1e-12, atol=1e-15)


def test_deviance_is_never_negative_and_zero_for_the_answer_itself():
    rng = np.random.default_rng(1)
    near = 1 + np.concatenate([[0.0], rng.normal(scale=1e-9, size=300)])
    for family, y in ((Poisson, 1e6), (Gamma, 3.0), (Gaussian, 2.0), (Bernoulli, 0.4)):
        deviance = MEAN_FORMS[family].unit_deviance(np.full(301, y), y * near)
        assert (deviance >= 0).all()
        assert deviance[0] == 0
    zero_or_one = np.array([0.0, 1.0])
    assert_array_equal(MEAN_FORMS[Bernoulli].unit_deviance(zero_or_one, zero_or_one), 0)  # means that were rounded
    assert_array_equal(MEAN_FORMS[Bernoulli].unit_deviance(zero_or_one, 1 - zero_or_one), np.inf)


def test_variance_is_that_of_scipy():
    mu = np.array([0.2, 0.7])
    for family, variance in (
        (Bernoulli, stats.bernoulli.var(mu)),
        (Poisson, stats.poisson.var(mu)),
        (Gamma, stats.expon.var(scale=mu)),
        (Gaussian, np.ones(2)),
    ):
        assert_allclose(MEAN_FORMS[family].variance(mu), variance)


@pytest.mark.parametrize(
    ("loss", "good", "bad", "words"),
    [
        (Logistic(), [0, 1], 2, "Logistic needs y to be 0 or 1; row 2 has 2"),
        (Logistic(), [0, 1], 0.5, "0 or 1"),
        (PoissonLoss(), [0, 1.5], -1.5, "counts 0, 1, 2, .*rates of at least 0; row 2 has -1.5"),
        (PoissonLoss(), [0, 3], -1, "row 2 has -1"),
        (PoissonLoss(), [0, 3], np.inf, "row 2 has inf"),
        (Squared(), [0, -3.5], np.nan, "Squared needs y to be finite numbers; row 2 has nan"),
        (Squared(), [0, -3.5], np.inf, "row 2 has inf"),
        (Hinge(), [-1, 1], 0, "Hinge needs y to be -1 or 1; row 2 has 0"),
        (SquaredHinge(), [-1, 1], 0, "-1 or 1"),
        (PerceptronLoss(), [-1, 1], 0, "-1 or 1"),
        (GLMLoss(Gamma(), Log()), [1, 2], 0, "numbers above 0; row 2 has 0"),
        (GLMLoss(Bernoulli(), Logit()), [1, 0.5], 1.1, "shares between .*row 2 has 1.1"),
        (GLMLoss(Poisson(), Log()), [0.5, 0], -0.5, "counts .*row 2 has -0.5"),
        (GLMLoss(Gaussian(), Identity()), [1, 0], np.nan, "finite numbers; row 2 has nan"),
    ],
)
def test_answers_are_checked(loss, good, bad, words):
    checked = loss.check(good)
    assert checked.dtype == np.float64
    assert_array_equal(checked, good)
    with pytest.raises(ValueError, match=words):
        loss.check([*good, bad])
    with pytest.raises(ValueError, match=r"one number for each row of X, received the shape \(1, 2\)"):
        loss.check([good])


def test_a_family_without_mean_form_is_refused():
    words = r"needs one of the families Gaussian\(\), Bernoulli\(\).*received Binomial\(trials=3\)"
    with pytest.raises(ValueError, match=words):
        GLMLoss(Binomial(3), Logit()).check([0.5])
