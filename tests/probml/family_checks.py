"""What every exponential family has to satisfy: a test class derived from `FamilyChecks` says for which ones."""

from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mpmath import mp
from numpy.testing import assert_allclose
from scipy import integrate

from probml.families import Categorical, Multinomial, Totals


def over(table, names="family"):
    """Run a test for each entry that the class has in this table."""

    def mark(test):
        test.table = table, names
        return test

    return mark


def assert_same(a, b, rtol=1e-12, atol=1e-11):
    assert type(a) is type(b)
    for name in vars(a):
        assert_allclose(getattr(a, name), getattr(b, name), rtol=rtol, atol=atol, err_msg=name)


def average_statistic(family, x, weight):
    T = family.statistic(x)
    return np.einsum("m,mbk->bk", weight, T) / weight.sum()


class FamilyChecks:
    """Tests of the families in the tables of a derived class, and the oracles that it has to write.

    USUAL, BATCHES : one member and two members of every family, as its usual parameters.
    MINIMAL : families whose η has no parameter too many. DISCRETE : types of those with countably many x.
    WITH_A_SPREAD : families of numbers that a constant sample does not determine.
    EXTREME, FAR : further parameters for densities, and for the derivatives of A. ROUND_TRIPS : and for `natural`.
    SCIPY : densities of SciPy. INTERVALS : ends of the support, for quadrature.
    OUTSIDE_THE_SUPPORT, OUTSIDE_THE_DOMAIN : x and η that are refused, and what is said.
    Tests whose table is empty are left out.
    """

    MINIMAL = WITH_A_SPREAD = EXTREME = FAR = ROUND_TRIPS = INTERVALS = ()

    def exact_log_partition(self, family, eta, trials=1):
        """A(η), from its definition, for numbers of mpmath."""
        raise NotImplementedError

    def exact_terms(self, family, x):
        """T(x) and log h(x), for numbers of mpmath."""
        raise NotImplementedError

    def grid(self, family, eta):
        """Points x and weights w, so that sum_i w_i f(x_i) p(x_i) is E[f] up to 1e-10 or so for smooth f."""
        raise NotImplementedError

    def __init_subclass__(cls):
        cls.NUMBERS = [family for family in cls.USUAL if not family.event_ndim]
        cls.DERIVATIVES = [*cls.USUAL.items(), *cls.FAR]
        for name, test in vars(FamilyChecks).items():
            if hasattr(test, "table") and not getattr(cls, test.table[0]):
                setattr(cls, name, None)  # there is nothing to run it for

    def pytest_generate_tests(self, metafunc):
        if hasattr(metafunc.function, "table"):
            table, names = metafunc.function.table
            metafunc.parametrize(names, list(getattr(self, table)), ids=repr if names == "family" else None)

    @pytest.fixture(autouse=True)
    def _fifty_digits(self):
        with mp.workdps(50):
            yield

    def draw(self, family, size=50, seed=1):
        """A sample of the batch of two, shape (size, 2) or (size, 2, d)."""
        more = {"trials": 9} if isinstance(family, Multinomial) else {}
        return family.sample(family.natural(**self.BATCHES[family]), np.random.default_rng(seed), (size,), **more)

    def exact_log_density(self, family, x, eta):
        """log h(x) + η · T(x) - A(η) at exactly these floating-point numbers."""
        eta = [mp.mpf(float(e)) for e in eta]
        x = [mp.mpf(float(v)) for v in np.atleast_1d(x)]
        T, log_base = self.exact_terms(family, x)
        more = {"trials": mp.fsum(x)} if isinstance(family, Multinomial) else {}
        product = mp.fsum(e * t for e, t in zip(eta, T, strict=True))
        return log_base + product - self.exact_log_partition(family, eta, **more)

    @over("EXTREME", "family, usual, xs, tolerance")
    def test_log_density_at_extreme_parameters_against_high_precision(self, family, usual, xs, tolerance):
        eta = family.natural(**usual)
        for x, ours in zip(xs, family.log_density(xs, eta), strict=True):
            exact = self.exact_log_density(family, x, eta)
            assert abs(ours - exact) <= tolerance * max(1, abs(exact)), (x, ours, exact)

    @over("USUAL")
    def test_log_density_against_high_precision(self, family):
        eta = family.natural(**self.USUAL[family])
        for x in self.draw(family, 20)[:, 0]:
            exact = self.exact_log_density(family, x, eta)
            assert abs(family.log_density(x, eta) - exact) <= 2e-14 * max(1, abs(exact))

    @over("USUAL")
    def test_generic_form_is_the_density(self, family):
        """h(x) exp(η · T(x) - A(η)), put together from the three methods."""
        eta = family.natural(**self.USUAL[family])
        x = self.draw(family, 20)[:, 0]
        more = {"trials": 9} if isinstance(family, Multinomial) else {}
        generic = family.log_base(x) + family.statistic(x) @ eta - family.log_partition(eta, **more)
        assert_allclose(family.log_density(x, eta), generic, rtol=1e-12)
        if not more:
            assert_allclose(family._log_density(x, eta), super(type(family), family)._log_density(x, eta), rtol=1e-12)

    @over("DERIVATIVES", "family, usual")
    def test_log_partition_and_its_derivatives_against_high_precision(self, family, usual):
        eta = family.natural(**usual)
        k = family.n_natural
        point = [mp.mpf(float(e)) for e in eta]
        discrete = isinstance(family, self.DISCRETE)
        digits = 420 if discrete else 80  # A = log(1 + 1e-300) has to be told from 0, and so have its differences
        rounding = 0 if discrete else 2e-15  # of ψ(a) - ψ(a + b), where it is next to nothing

        def partition(*eta):
            return self.exact_log_partition(family, list(eta))

        def derivative(*orders):
            with mp.workdps(digits):
                step = mp.mpf(10) ** (-40 if discrete else -25) * min(1, min(abs(e) for e in point))
                return float(mpmath.diff(partition, tuple(point), orders, h=step))

        unit = np.eye(k, dtype=int)
        gradient = [derivative(*unit[i].tolist()) for i in range(k)]
        with mp.workdps(digits):
            exact = float(partition(*point))
        assert_allclose(family.log_partition(eta), exact, rtol=2e-14, atol=0 if k == 1 else 2e-16)
        assert_allclose(family.mean_statistic(eta), gradient, rtol=2e-13, atol=rounding)
        rows = range(k) if k <= 3 else [0, 2, 3, 5, 11]  # the Hessian of the multivariate normal is large
        for i, j in product(rows, rows):
            if i <= j:
                exact = derivative(*(unit[i] + unit[j]).tolist())
                ours = family.variance_statistic(eta)[[i, j], [j, i]]
                assert_allclose(ours, [exact, exact], rtol=2e-12, atol=rounding)

    @over("SCIPY", "family, usual, x, oracle")
    def test_log_density_against_scipy(self, family, usual, x, oracle):
        assert_allclose(family.log_density(x, family.natural(**usual)), oracle(x), rtol=1e-12)

    @over("USUAL")
    def test_density_sums_to_one_and_its_moments_are_the_derivatives(self, family):
        eta = family.natural(**self.USUAL[family])
        x, weight = self.grid(family, eta)
        more = {"trials": 5} if isinstance(family, Multinomial) else {}
        p = weight * np.exp(family.log_density(x, eta))
        assert_allclose(p.sum(), 1, rtol=1e-10)

        T = family.statistic(x)
        mean = p @ T
        covariance = (T - mean).T @ (p[:, None] * (T - mean))
        assert_allclose(family.mean_statistic(eta, **more), mean, rtol=1e-9)
        assert_allclose(family.variance_statistic(eta, **more), covariance, rtol=1e-8, atol=1e-9)

        x = np.asarray(x, dtype=float).reshape(len(p), -1)
        mean = p @ x
        covariance = (x - mean).T @ (p[:, None] * (x - mean))
        scalar = not family.event_ndim
        assert_allclose(family.mean(eta, **more), mean[0] if scalar else mean, rtol=1e-9)
        assert_allclose(family.variance(eta, **more), covariance[0, 0] if scalar else covariance, rtol=1e-8, atol=1e-10)

    @over("INTERVALS", "family, low, high")
    def test_integral_of_densities_by_adaptive_quadrature(self, family, low, high):
        eta = family.natural(**self.USUAL[family])
        total, _ = integrate.quad(lambda x: np.exp(family.log_density(x, eta)), low, high)
        assert_allclose(total, 1, rtol=1e-7)

    @over("USUAL")
    def test_usual_and_natural_are_inverse(self, family):
        usual = self.BATCHES[family]
        eta = family.natural(**usual)
        assert eta.shape == (2, family.n_natural)
        assert tuple(family.usual(eta)) == tuple(usual)
        for name, value in family.usual(eta).items():
            expected = np.broadcast_to(usual[name], value.shape)
            assert_allclose(value, expected, rtol=1e-14, atol=1e-14)
        assert_allclose(family.natural(**family.usual(eta)), eta, rtol=1e-13, atol=1e-14)

    @over("ROUND_TRIPS", "family, usual")
    def test_round_trip_of_extreme_parameters(self, family, usual):
        for name, value in family.usual(family.natural(**usual)).items():
            assert_allclose(value, usual[name], rtol=2e-13, atol=0)

    @over("USUAL")
    def test_densities_broadcast(self, family):
        eta = family.natural(**self.BATCHES[family])
        x = self.draw(family, 5)
        table = family.log_density(x[:, :1], eta)
        assert table.shape == (5, 2)
        assert_allclose(
            family.log_density(x, eta), [[family.log_density(x[i, j], eta[j]) for j in (0, 1)] for i in range(5)]
        )
        assert_allclose(table, [[family.log_density(x[i, 0], eta[j]) for j in (0, 1)] for i in range(5)], rtol=1e-14)
        batch = np.broadcast_to(eta, (4, 3, *eta.shape))
        assert family.log_partition(batch).shape == (4, 3, 2)
        k = family.n_natural
        assert family.mean_statistic(batch).shape == (4, 3, 2, k)
        assert family.variance_statistic(batch).shape == (4, 3, 2, k, k)
        event = x.shape[2:]
        assert family.mean(batch).shape == (4, 3, 2, *event)
        assert family.variance(batch).shape == (4, 3, 2, *event, *event)
        assert family.sample(eta, np.random.default_rng(0)).shape == (2, *event)
        assert family.sample(eta, np.random.default_rng(0), 6).shape == (6, 2, *event)
        assert family.sample(batch, np.random.default_rng(0), (6, 1)).shape == (6, 1, 4, 3, 2, *event)
        statistics = family.collect(np.broadcast_to(x[:, None], (5, 3, *x.shape[1:])))
        assert statistics.count.shape == (3, 2)
        assert family.nothing((3, 2)).count.shape == (3, 2)

    @over("USUAL")
    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.differing_executors])
    @given(data=st.data())
    def test_statistics_of_parts_add_up_to_those_of_the_whole(self, family, data):
        x = self.draw(family, 12, seed=data.draw(st.integers(0, 99)))
        weight = np.array(
            data.draw(st.lists(st.sampled_from([0, 0.25, 1, 3, 1e3]), min_size=12, max_size=12)), dtype=float
        )
        part = np.array(data.draw(st.lists(st.integers(0, 2), min_size=12, max_size=12)))
        if not family.event_ndim:
            x[np.array(data.draw(st.lists(st.booleans(), min_size=12, max_size=12))), 1] = np.nan
        whole = family.collect(x, weight)
        a, b, c = (family.collect(x[part == i], weight[part == i]) for i in range(3))
        assert_same((a + b) + c, whole)
        assert_same(a + (b + c), whole)
        assert_same(c + a + b, whole)

    @over("USUAL")
    def test_nothing_is_neutral(self, family):
        x = self.draw(family)
        statistics = family.collect(x)
        for nothing in (
            family.nothing((2,)),
            family.nothing(),
            family.collect(x[:0]),
            family.collect(x, np.zeros(len(x))),
        ):
            assert_same(statistics + nothing, statistics, rtol=0, atol=0)
            assert_same(nothing + statistics, statistics, rtol=0, atol=0)

    @over("USUAL")
    def test_statistics_are_the_sums_of_their_definition(self, family):
        x = self.draw(family)
        weight = np.random.default_rng(2).uniform(0, 2, len(x))
        statistics = family.collect(x, weight)
        assert_allclose(statistics.count, np.full(2, weight.sum()), rtol=1e-14)
        if isinstance(statistics, Totals):
            total = np.einsum("m,mbk->bk", weight, family.statistic(x))
            assert_allclose(statistics.total, total, rtol=1e-13)
        else:
            x = x.reshape(len(x), 2, -1)
            mean = np.einsum("m,mbd->bd", weight, x) / weight.sum()
            scatter = np.einsum("m,mbi,mbj->bij", weight, x - mean, x - mean)
            assert_allclose(statistics.mean.reshape(mean.shape), mean, rtol=1e-13)
            assert_allclose(statistics.scatter.reshape(scatter.shape), scatter, rtol=1e-12)

    @over("USUAL")
    def test_weights_are_repetitions(self, family):
        x = self.draw(family, 8)
        weight = np.array([0, 1, 2, 5, 1, 0, 3, 1])
        assert_same(family.collect(x, weight), family.collect(np.repeat(x, weight, axis=0)))
        assert_same(family.collect(x), family.collect(x, np.ones(8)), rtol=0, atol=0)

    @over("NUMBERS")
    def test_missing_values_are_left_out(self, family):
        x = self.draw(family, 20)
        x[3:9, 0] = x[[1, 12], 1] = np.nan
        statistics = family.collect(x, np.arange(20))
        columns = [family.collect(column[~np.isnan(column)], np.arange(20)[~np.isnan(column)]) for column in x.T]
        for name in vars(statistics):
            assert_allclose(getattr(statistics, name), [getattr(column, name) for column in columns], rtol=1e-13)
        eta = family.natural(**self.BATCHES[family])
        assert (family.log_density(x, eta)[np.isnan(x)] == 0).all()
        assert_allclose(
            family.log_density(x, eta)[~np.isnan(x)],
            family.log_density(np.nan_to_num(x, nan=x[0, 0]), eta)[~np.isnan(x)],
        )
        nothing = family.collect(np.full((4, 2), np.nan))
        assert_same(nothing, family.nothing((2,)), rtol=0, atol=0)

    @over("USUAL")
    def test_mle_matches_the_mean_statistic_and_is_a_maximum(self, family):
        rng = np.random.default_rng(3)
        x, weight = self.draw(family, 40), rng.uniform(0, 2, 40)
        eta = family.mle(family.collect(x, weight))
        more = {"trials": 9} if isinstance(family, Multinomial) else {}
        assert eta.shape == (2, family.n_natural)
        assert_allclose(
            family.mean_statistic(eta, **more), average_statistic(family, x, weight), rtol=1e-12, atol=1e-13
        )

        def likelihood(eta):
            return weight @ family.log_density(x, eta)

        for size in (1e-3, 1e-1):
            for _ in range(20):
                direction = rng.standard_normal(eta.shape)
                if isinstance(family, Categorical | Multinomial):
                    direction -= direction.mean(axis=-1, keepdims=True)  # along the constant nothing changes
                nearby = eta * (1 + size * direction / np.linalg.norm(direction, axis=-1, keepdims=True))
                assert (likelihood(nearby) < likelihood(eta)).all()

    @over("USUAL")
    def test_sampling_and_fitting_recover_the_parameters(self, family):
        """Within five standard errors from the Fisher information ∇²A: of T as Cov[T] / m, of η as its inverse / m."""
        m = 4000
        eta = family.natural(**self.BATCHES[family])
        x = self.draw(family, m, seed=11)
        family.check(x)
        fitted = family.mle(family.collect(x))
        more = {"trials": 9} if isinstance(family, Multinomial) else {}
        information = family.variance_statistic(eta, **more)
        error = np.sqrt(np.diagonal(information, axis1=-2, axis2=-1) / m)
        assert (np.abs(average_statistic(family, x, np.ones(m)) - family.mean_statistic(eta, **more)) < 5 * error).all()
        # For the over-complete forms the pseudo-inverse leaves out the directions in which nothing changes.
        if isinstance(family, Categorical | Multinomial):
            eta, fitted = (e - e.mean(axis=-1, keepdims=True) for e in (eta, fitted))
        error = np.sqrt(np.diagonal(np.linalg.pinv(information, rcond=1e-10), axis1=-2, axis2=-1) / m)
        assert (np.abs(fitted - eta) < 5 * error).all()
        assert (np.abs(fitted - eta) > 1e-3 * error).any()

    @over("MINIMAL")
    def test_information_is_positive_definite(self, family):
        assert (np.linalg.eigvalsh(family.variance_statistic(family.natural(**self.BATCHES[family]))) > 0).all()

    @over("OUTSIDE_THE_SUPPORT", "family, x, message")
    def test_x_outside_the_support(self, family, x, message):
        eta = family.natural(**self.USUAL[family]) if family in self.USUAL else np.zeros(family.n_natural)
        for method in (family.check, family.statistic, family.log_base, lambda x: family.log_density(x, eta)):
            with pytest.raises(ValueError, match=message):
                method(x)

    @over("OUTSIDE_THE_DOMAIN", "family, eta, message")
    def test_eta_outside_the_domain(self, family, eta, message):
        for method in (family.usual, family.log_partition, family.mean_statistic, family.variance_statistic):
            with pytest.raises(ValueError, match=message):
                method(eta)
        with pytest.raises(ValueError, match=message):
            family.sample(eta, np.random.default_rng(0))

    @over("USUAL")
    def test_no_mle_of_nothing(self, family):
        x = self.draw(family)
        with pytest.raises(ValueError, match="no observations at index 0"):
            family.mle(family.nothing((2,)))
        with pytest.raises(ValueError, match="no observations, "):
            family.mle(family.nothing())
        with pytest.raises(ValueError, match="no observations"):
            family.mle(family.collect(x, np.zeros(len(x))))

    @over("WITH_A_SPREAD")
    @pytest.mark.parametrize("value", [0.1, 0.7, 1 / 3])
    def test_constant_samples_have_no_mle(self, family, value):
        x = np.stack([np.linspace(0.2, 0.8, 1001), np.full(1001, value)], axis=-1)
        weight = np.random.default_rng(0).uniform(0, 2, 1001)
        for statistics in (family.collect(x), family.collect(x, weight), family.collect(x[:7]) + family.collect(x[7:])):
            with pytest.raises(ValueError, match=r"sample is constant at index 1, x = .* no maximum"):
                family.mle(statistics)

    @over("USUAL")
    def test_an_estimate_from_a_sample_that_was_not_collected_is_refused(self, family):
        for sample in ([1.0, 2.0], np.ones((4, 3)), 3):
            with pytest.raises(ValueError, match="needs statistics by its own `collect`, received"):
                family.mle(sample)
