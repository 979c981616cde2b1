"""GDA v. logistic regression: theory three ways, densities against SciPy's, batches against single fits."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.special import expit

from course.studies.gda_v_logistic import (
    delta_method,
    efron,
    quick_logistic,
    real_data,
    scenarios,
    shapes,
    tilts,
    waiting,
)
from course.studies.gda_v_logistic.contest import contest, excess_error, excess_log_loss, race
from course.studies.gda_v_logistic.discretised import DiscretisedNB
from course.studies.gda_v_logistic.limits import along
from course.studies.gda_v_logistic.ratio import ratio_of_means
from course.studies.gda_v_logistic.simulation import simulate
from course.studies.gda_v_logistic.two_normals import TwoNormals
from course.teaching.discretise import Discretiser
from probml import curves, gda
from probml.curves import GDA
from probml.curves.subsets import Subsets
from probml.errors import SeparationError
from probml.linear_model import LogisticRegression
from probml.naive_bayes import CategoricalNB


@pytest.mark.parametrize("delta", [0.0, 0.5, 1.0, 2.0, 3.0, 4.0])
@pytest.mark.parametrize("n", [1, 4])
def test_efficiency_for_equal_priors_is_an_expectation(delta, n):
    """(4 + Δ²) E[p (1 - p)], the expectation over the mixture of the classes itself."""

    def weighted(x):
        p = expit(delta * x)
        return p * (1 - p) * (stats.norm.pdf(x, delta / 2) + stats.norm.pdf(x, -delta / 2)) / 2

    expected = (4 + delta**2) * quad(weighted, -12, 12, epsabs=1e-13)[0]
    assert efron.efficiency(TwoNormals(delta, 0.5, n)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("prior", [0.5, 0.3, 0.9])
@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("delta", [0.5, 2.0, 4.0])
def test_integrals_and_delta_method_agree(delta, prior, n):
    case = TwoNormals(delta, prior, n)
    np.testing.assert_allclose(delta_method.efficiency(case), efron.efficiency(case), rtol=2e-7)


def test_one_line_formula_is_the_limit_of_many_dimensions():
    assert abs(efron.efficiency(TwoNormals(3.0, 0.8, 10**7)) - efron.efficiency_of_tilt(TwoNormals(3.0, 0.8))) < 1e-6
    assert abs(efron.efficiency(TwoNormals(3.0, 0.8, 1)) - efron.efficiency_of_tilt(TwoNormals(3.0, 0.8))) > 0.01


def test_no_boundary_no_efficiency():
    with pytest.raises(ValueError, match="have no boundary"):
        efron.efficiency(TwoNormals(0.0, 0.7))
    with pytest.raises(ValueError, match="have no boundary"):
        delta_method.efficiency(TwoNormals(0.0))
    with pytest.raises(ValueError, match=r"received -1, 0\.5 and 1"):
        TwoNormals(-1)


def test_error_of_a_rule():
    case = TwoNormals(2.0, 0.7, 2)
    theta = np.array([0.3, 1.0, -2.0])
    projected = [stats.norm(0.3 + theta[1:] @ mu, np.sqrt(5)) for mu in case.means]
    assert case.error(theta) == pytest.approx(0.3 * projected[0].sf(0) + 0.7 * projected[1].cdf(0), rel=1e-14)
    assert TwoNormals(3.0).bayes_error == pytest.approx(stats.norm.cdf(-1.5), rel=1e-14)
    other = case.theta + np.random.default_rng(0).normal(size=(100, 3))
    assert (case.error(other) > case.bayes_error).all()


def test_gda_covariance_is_that_of_fitted_models():
    case = TwoNormals(2.0, 0.7, 2)
    fits = simulate(case, 400, 4000, 0)
    expected = delta_method.gda_covariance(case)
    np.testing.assert_allclose(400 * np.cov(fits.gda.T), expected, rtol=0.12, atol=0.1 * np.sqrt(expected.max()))


def test_simulation_fits_what_single_models_fit():
    case = TwoNormals(2.0, 0.7, 2)
    fits, subsets = simulate(case, 60, 10, 0), case.draw(10, 60, np.random.default_rng(0))
    for model, found in ((gda.GDA(), fits.gda), (LogisticRegression(), fits.logistic)):
        single = model.fit(subsets.X[3], subsets.y[3])
        np.testing.assert_allclose(found[3], [single.intercept_.item(), *single.coef_.ravel()], rtol=1e-7)


def test_newton_from_nearby_finds_what_the_cautious_one_finds():
    case = TwoNormals(3.0, 0.8, 3)
    subsets, cautious = case.draw(200, 300, np.random.default_rng(1)), curves.LogisticRegression()
    expected = quick_logistic.coefficients(cautious.fit(subsets))
    far = np.array([-20.0, 30.0, 10.0, -10.0])  # from there Newton's steps run away
    for start, helper in ((case.theta, None), (expected + 0.1, None), (far, cautious)):  # None: not needed
        theta, separable = quick_logistic.logistic_from(start, subsets, helper)
        np.testing.assert_allclose(theta, expected, atol=1e-6)
        assert not separable.any()


def test_separable_samples_are_refused_from_any_start():
    case = TwoNormals(8.0, 0.5, 2)
    subsets = case.draw(20, 10, np.random.default_rng(0))
    for start in (case.theta, 3 * case.theta):
        with pytest.raises(SeparationError, match="completely separable"):
            quick_logistic.logistic_from(start, subsets, curves.LogisticRegression())


def test_what_can_be_separated_in_part_is_left_to_the_careful_solver():
    """All with x = 1 are of one class: their predictors go to infinity, and those of the others do not."""
    x = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0])
    y = np.array([0, 1, 0, 1, 1, 1])
    spread = np.array([-1.0, -0.5, 0.5, 1.0, 0.3, -0.3])
    subsets = Subsets(np.stack([np.column_stack([x, spread])] * 2), np.stack([y, y]), 2)
    careful = curves.LogisticRegression(separable="margin")
    far = np.array([0.0, 20.0, 0.0])  # where the gap is small already
    theta, separable = quick_logistic.logistic_from(far, subsets, careful)
    np.testing.assert_array_equal(theta, quick_logistic.coefficients(careful.fit(subsets)))
    assert not separable.any()


def test_a_quick_fit_does_not_depend_on_its_batch():
    sample = scenarios.KINDS["discrete features"].at(10.0)((40, 50), np.random.default_rng(0))
    X, y = sample.X, sample.y
    together = quick_logistic.QuickLogistic().fit(Subsets(X, y, 2)).scores["margin"]
    for b in range(len(X)):
        alone = quick_logistic.QuickLogistic().fit(Subsets(X[b : b + 1], y[b : b + 1], 2)).scores["margin"]
        np.testing.assert_array_equal(alone.coef[0], together.coef[b])


@pytest.mark.parametrize("name", scenarios.KINDS)
@pytest.mark.parametrize("m", [20, 200])
def test_quick_logistic_regression_is_logistic_regression(name, m):
    kind = scenarios.KINDS[name]
    sample = kind.at(kind.degrees[-1])((60, m), np.random.default_rng(0))
    both = (sample.y.min(axis=1) == 0) & (sample.y.max(axis=1) == 1)
    subsets = Subsets(sample.X[both], sample.y[both], 2)
    quick, slow = (
        model.fit(subsets) for model in (quick_logistic.QuickLogistic(), curves.LogisticRegression(0.0, "margin"))
    )
    np.testing.assert_array_equal(quick.separable, slow.separable)
    expected = quick_logistic.coefficients(slow)
    np.testing.assert_allclose(
        quick_logistic.coefficients(quick), expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max()
    )


@pytest.mark.parametrize(("delta", "prior"), [(0.0, 0.5), (2.0, 0.5), (3.0, 0.8)])
def test_simulated_efficiency(delta, prior):
    case = TwoNormals(delta, prior, 2)
    found = simulate(case, 500, 400, 1).efficiency(level=0.999)
    assert found.low - 0.001 <= efron.efficiency(case) <= found.high + 0.001
    assert found.high / found.low < 1.4


def test_ratio_of_means():
    a, b = np.array([1.0, 2.0, 6.0]), np.array([2.0, 2.0, 2.0])
    found = ratio_of_means(a, b)
    half = stats.norm.ppf(0.975) * np.std(a, ddof=1) / np.sqrt(3) / 3
    np.testing.assert_allclose([found.value, found.low, found.high], [1.5, 1.5 / np.exp(half), 1.5 * np.exp(half)])
    exact = ratio_of_means(3 * a, a)
    assert exact.low == pytest.approx(3)
    assert exact.covers(exact.value)
    assert not exact.covers(3.01)
    with pytest.raises(ValueError, match="two or more pairs"):
        ratio_of_means([1.0], [1.0])
    assert ratio_of_means([0.0, 0.0], a[:2]).high == 0
    assert ratio_of_means(a[:2], [0.0, 0.0]).low == np.inf
    with pytest.raises(ValueError, match="not both 0"):
        ratio_of_means([0.0, 0.0], [0.0, 0.0])
    with pytest.raises(ValueError, match="level"):
        ratio_of_means(a, b, 95)


def _diagonal(distance):
    return np.outer([-0.5, 0.5], np.full(2, distance / np.sqrt(2)))


def _log_density(name, degree, X):
    """Log densities of both classes by SciPy, shape (2, m)."""
    if name == "heavy tails":
        means = _diagonal(-2 * stats.t.ppf(stats.norm.cdf(-1.5), 1 / degree))
        return [stats.multivariate_t(mu, np.eye(2), df=1 / degree).logpdf(X) for mu in means]
    if name == "two covariances":
        r = 2.0**degree
        sd = np.array([1, r]) / np.sqrt((1 + r**2) / 2)
        return [stats.multivariate_normal(mu, s**2).logpdf(X) for mu, s in zip(_diagonal(3.0), sd, strict=True)]
    zero, one = (stats.multivariate_normal(mu).logpdf(X) for mu in _diagonal(3.0))
    if name == "outliers":
        far = stats.multivariate_normal(_diagonal(3.0)[1] + 6 / np.sqrt(2)).logpdf(X)
        one = np.log((1 - degree) * np.exp(one) + degree * np.exp(far))
    return [zero, one]


@pytest.mark.parametrize("name", ["heavy tails", "two covariances", "outliers", "wrong labels"])
def test_log_odds_of_scenarios(name):
    degree = 0.25
    sample = scenarios.KINDS[name].at(degree)((2, 50), np.random.default_rng(0))
    zero, one = _log_density(name, degree, sample.X.reshape(-1, 2))
    np.testing.assert_allclose(sample.log_odds.ravel(), one - zero, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["skew", "discrete features"])
@pytest.mark.parametrize("degree", [0.3, 2.0])
def test_log_odds_of_scenarios_that_stay_logistic(name, degree):
    sample = scenarios.KINDS[name].at(degree)((1, 4000), np.random.default_rng(0))
    X, y = sample.X[0], sample.y[0]
    mean = np.array([X[y == k].mean() for k in (0, 1)])
    if name == "skew":
        a = 4 / degree**2
        scale = np.array([1.0, scenarios.gamma_scale(a)])
        np.testing.assert_allclose(mean, a * scale, rtol=0.1)
        zero, one = (stats.gamma(a, scale=s).logpdf(X).sum(axis=1) for s in scale)
        assert stats.gamma(a).stats("s") == pytest.approx(degree)
    else:
        rate = np.array([1 / degree, scenarios.poisson_rate(1 / degree)])
        np.testing.assert_allclose(mean, rate, rtol=0.1)
        zero, one = (stats.poisson(r).logpmf(X).sum(axis=1) for r in rate)
    np.testing.assert_allclose(sample.log_odds[0], one - zero, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", scenarios.KINDS)
def test_scenarios_draw_what_they_say(name):
    """The labels agree with the log odds: their mean in a bin is the mean of the probabilities."""
    kind = scenarios.KINDS[name]
    rng = np.random.default_rng(0)
    for degree in kind.degrees[::2]:
        sample = kind.at(degree)((1, 40_000), rng)
        told = degree if name == "wrong labels" else 0.0
        p = told + (1 - 2 * told) * expit(sample.log_odds)
        for low, high in ((0, 0.2), (0.2, 0.8), (0.8, 1)):
            inside = (p >= low) & (p <= high)
            if inside.sum() > 200:
                error = sample.y[inside].mean() - p[inside].mean()
                assert abs(error) < 4.5 * np.sqrt((p * (1 - p))[inside].mean() / inside.sum()) + 1e-12
        if name in ("heavy tails", "skew", "discrete features", "wrong labels"):
            assert abs(scenarios.bayes_error(sample) - scenarios.ERROR) < 0.004


@pytest.mark.parametrize("name", ["two modes", "correlated"])
def test_log_odds_of_shapes(name):
    sample = shapes.SHAPES[name]((1, 60), np.random.default_rng(0))
    X = sample.X[0]
    if name == "two modes":
        zero = stats.norm.logpdf(X).sum(axis=1)
        one = np.log((stats.norm.pdf(X, 2, 0.5) + stats.norm.pdf(X, -2, 0.5)) / 2).sum(axis=1)
    else:
        zero, one = (stats.multivariate_normal(mu, [[1, 0.8], [0.8, 1]]).logpdf(X) for mu in ([0, 0], [1.5, 0]))
    np.testing.assert_allclose(sample.log_odds[0], one - zero, rtol=1e-9, atol=1e-9)


def test_excess_losses_by_hand():
    p, q = np.array([[0.9, 0.2, 0.5]]), np.array([[0.4, 0.1, 0.7]])
    z, truth = np.log(q / (1 - q)), np.log(p / (1 - p))
    np.testing.assert_allclose(excess_error(z, truth), [0.8 / 3])
    divergence = [stats.entropy([a, 1 - a], [b, 1 - b]) for a, b in zip(p[0], q[0], strict=True)]
    np.testing.assert_allclose(excess_log_loss(z, truth), [np.mean(divergence)])


def test_contest_is_paired_and_leaves_out_samples_of_one_class():
    scenario = scenarios.KINDS["wrong labels"].at(0.0)
    losses = contest(scenario, 5, 200, 0)
    assert len(losses.error["GDA"]) < 200
    np.testing.assert_array_equal(*(contest(scenario, 50, 20, 0).error["GDA"] for _ in range(2)))
    assert contest(scenario, 20, 50, 0).log_loss["logistic"] is None  # some are separable
    with pytest.raises(ValueError, match="both classes"):
        contest(scenario, 1, 5, 0)


def test_a_race_knows_who_wins():
    found = race(scenarios.KINDS["skew"].only(0.0, 2.0), [40, 400], 60, [0], 0.99)
    assert found.ratio.shape == found.winner.shape == found.error["GDA"].shape == (2, 2)
    np.testing.assert_array_equal(found.winner, [[1, 1], [-1, -1]])
    np.testing.assert_array_equal(np.sign(np.log(found.ratio)), found.winner)
    np.testing.assert_allclose(found.ratio, found.error["logistic"] / found.error["GDA"])
    alone = contest(scenarios.KINDS["skew"].at(2.0), 400, 60, [0, 1, 1]).error["GDA"]
    assert found.error["GDA"][1, 1] == alone.mean()
    assert found.spread["GDA"][1, 1] == pytest.approx(stats.sem(alone))


# --- unlimited data ---


@pytest.mark.parametrize("kind", scenarios.KINDS)
def test_limits_are_where_large_samples_go(kind):
    """Boundaries and excess errors of both models, fitted to samples of 40,000 examples."""
    degree = {"heavy tails": 0.2}.get(kind, scenarios.KINDS[kind].degrees[3])
    found = along(kind, degree)
    scenario = scenarios.KINDS[kind].at(degree)
    sample = scenario((4, 40_000), np.random.default_rng(0))
    subsets = Subsets(sample.X, sample.y, 2)
    for model, cut in ((GDA(), found.gda()), (curves.LogisticRegression(), found.logistic())):
        theta = quick_logistic.coefficients(model.fit(subsets))
        w = theta[:, 1:]
        s = -theta[:, 0] / w.sum(axis=1) * np.sqrt(2)  # where the line crosses the diagonal
        width = np.sqrt(found.variances.mean())
        assert np.abs(s.mean() - cut) < 0.03 * width
        assert np.abs(w[:, 0] / w[:, 1] - 1).max() < 0.2  # across the diagonal
    floors = contest(scenario, 20_000, 8, 1).error
    for name, floor in found.floors().items():
        spread = floors[name].std(ddof=1) / np.sqrt(8)
        assert floors[name].mean() == pytest.approx(floor, abs=4 * spread + 3e-4)


@pytest.mark.parametrize("kind", ["skew", "two covariances", "outliers", "heavy tails"])
def test_classes_along_the_diagonal(kind):
    """Densities, distribution functions and means of one scenario agree with each other and with what is drawn."""
    degree = 0.2 if kind == "heavy tails" else scenarios.KINDS[kind].degrees[2]
    found = along(kind, degree)
    s = np.linspace(found.low, found.high, 200_001)
    density = found.density(s)
    np.testing.assert_allclose(np.trapezoid(density, s), 1, atol=2e-3)
    inner = s[50_000]
    below = [np.trapezoid(each[:50_001], s[:50_001]) for each in density]
    np.testing.assert_allclose(found.below(np.asarray(inner)), below, atol=2e-3)
    sample = scenarios.KINDS[kind].at(degree)((1, 100_000), np.random.default_rng(1))
    drawn = sample.X[0].sum(axis=1) / np.sqrt(2)
    for k in (0, 1):
        own = drawn[sample.y[0] == k]
        assert own.mean() == pytest.approx(found.means[k], abs=5 * own.std() / np.sqrt(len(own)))
        if kind != "heavy tails":
            assert own.var() == pytest.approx(found.variances[k], rel=0.04)
    assert scenarios.bayes_error(sample) == pytest.approx(found.best, abs=0.002)


def test_a_cauchy_distribution_has_no_midpoint():
    assert np.isnan(along("heavy tails", 1.0).floors()["GDA"])
    assert along("heavy tails", 1.0).floors()["logistic"] == pytest.approx(0, abs=1e-9)


# --- waiting times, and tilts ---


def test_waiting_times():
    cut = waiting.crossing()
    zero, one = waiting.density(np.array([cut]))
    assert zero == pytest.approx(one)
    b, w = np.array([-cut, cut, -3.0, 3.0, 1.0]), np.array([1.0, -1.0, 1.0, 1.0, 0.0])
    by_hand = [stats.expon.sf(c) / 2 + stats.expon(scale=9).cdf(c) / 2 for c in (cut, 3.0, 0.0)]
    np.testing.assert_allclose(waiting.error(b, w), [by_hand[0], 1 - by_hand[0], by_hand[1], by_hand[2], 0.5])


def test_excess_errors_of_waiting_times_are_those_of_single_fits():
    found = waiting.excess_errors([30], 5, [3])
    rng = np.random.default_rng([3, 0])
    y = np.repeat([0, 1], 15)
    X = rng.standard_exponential((5, 30)) * np.array(waiting.MEANS)[y]
    for name, model in (("GDA", gda.GDA()), ("logistic", LogisticRegression())):
        fit = model.fit(X[2][:, None], y)
        lost = waiting.error(fit.intercept_, fit.coef_[0]) - waiting.error(np.array(-waiting.crossing()), np.array(1.0))
        np.testing.assert_allclose(found[name][0, 2], lost, rtol=1e-6)


def test_tilts():
    found = tilts.pairs()
    x, f = found["two modes, tilted"]
    np.testing.assert_allclose(np.diff(f[:, 1] - f[:, 0]) / np.diff(x), tilts.TILT)
    np.testing.assert_allclose(np.trapezoid(np.exp(f), x, axis=0), 1, atol=1e-4)
    np.testing.assert_allclose(found["Poisson"][1], stats.poisson([2, 6]).logpmf(np.arange(16)[:, None]))
    assert tilts.bend(np.arange(3.0), np.array([[0, 0], [0, 1], [0, 4]])) == 2
    assert tilts.bend(*found["Bernoulli"]) == 0


# --- real data ---


def test_learning_curves_are_those_of_single_fits():
    task = replace(real_data.tasks()[0], sizes=(40, 235))
    found = real_data.learning_curves(task, 3, 2, [5])
    assert (found.train, found.test) == (235, 117)
    rng = np.random.default_rng([5, 1])
    order = rng.permutation(352)
    sets = [rng.permutation(order[117:])[:40] for _ in range(2)]
    wrong = [
        np.mean(gda.GDA().fit(task.X[rows], task.y[rows]).predict(task.X[order[:117]]) != task.y[order[:117]])
        for rows in sets
    ]
    assert found.error["GDA"][0, 1] == pytest.approx(np.mean(wrong))
    lead = found.lead("logistic", "GDA", 1)
    difference = found.error["logistic"][1] - found.error["GDA"][1]
    assert lead.mean == pytest.approx(difference.mean())
    assert lead.half == pytest.approx(stats.t.ppf(0.975, 2) * difference.std(ddof=1) * np.sqrt(1 / 3 + 117 / 235))
    with pytest.raises(ValueError, match="fewer than 300"):
        real_data.learning_curves(replace(task, sizes=(300,)), 2, 1, [0])


def test_real_tasks():
    for task, n in zip(real_data.tasks(), (2, 8, 32), strict=True):
        assert task.X.shape == (len(task.y), n)
        assert (task.X.min(), task.X.max()) == (0, 1)
        assert max(task.sizes) <= len(task.y) - len(task.y) // real_data.HELD_OUT


@pytest.mark.parametrize("bins", [2, 5, 9])
def test_discretised_naive_bayes_is_discretiser_and_categorical(bins):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3, 40, 3))
    X[..., 1] = np.round(X[..., 1])  # edges that coincide
    X[..., 2] = np.maximum(X[..., 2], 0)  # an edge at the smallest value
    y = rng.integers(2, size=(3, 40))
    new = rng.normal(size=(25, 3))
    (scores,) = DiscretisedNB(bins, alpha=0.5).fit(Subsets(X, y, 2)).scores.values()
    z = scores.of(new, slice(0, 3))
    for part in range(3):
        cut = Discretiser(bins).fit(X[part])
        model = CategoricalNB(alpha=0.5, min_categories=cut.n_bins_).fit(cut.transform(X[part]), y[part])
        joint = model.predict_joint_log_proba(cut.transform(new))
        np.testing.assert_allclose(z[part, 0], joint[:, 1] - joint[:, 0], atol=1e-12)


def test_discretised_naive_bayes_of_three_classes():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2, 30, 2)), np.tile(np.arange(30) % 3, (2, 1))
    (scores,) = DiscretisedNB(4).fit(Subsets(X, y, 3)).scores.values()
    z = scores.of(X[1], slice(1, 2))
    cut = Discretiser(4).fit(X[1])
    model = CategoricalNB(min_categories=cut.n_bins_).fit(cut.transform(X[1]), y[1])
    np.testing.assert_allclose(z[0].T, model.predict_joint_log_proba(cut.transform(X[1])), atol=1e-12)


def test_shared_covariance_of_a_contest_is_the_single_model():
    scenario = scenarios.KINDS["skew"].at(1.0)
    sample = scenario((5, 30), np.random.default_rng(3))
    (scores,) = GDA().fit(Subsets(sample.X, sample.y, 2)).scores.values()
    single = gda.GDA().fit(sample.X[2], sample.y[2])
    np.testing.assert_allclose(scores.coef[2, 0], single.coef_[0], rtol=1e-10)
