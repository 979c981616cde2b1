"""The multivariate normal family: what every family has to satisfy, and samples that are hard on its statistics."""

from itertools import product
from typing import ClassVar

import numpy as np
import pytest
from family_checks import FamilyChecks
from mpmath import mp
from numpy.testing import assert_allclose
from scipy import stats

from course.teaching.multivariate_normal import MultivariateNormal
from probml.families import Gaussian
from probml.gda import GDA

SIGMA = np.array([[2.0, -0.6, 0.3], [-0.6, 1.0, 0.2], [0.3, 0.2, 0.5]])


class TestFamily(FamilyChecks):
    USUAL: ClassVar = {MultivariateNormal(3): {"mean": [1.0, -2.0, 0.5], "covariance": SIGMA}}
    BATCHES: ClassVar = {
        MultivariateNormal(3): {"mean": [[1.0, -2.0, 0.5], [0.0, 10.0, 1.0]], "covariance": SIGMA},
    }
    DISCRETE = ()
    SCIPY: ClassVar = [
        (
            MultivariateNormal(3),
            {"mean": [1.0, -2.0, 0.5], "covariance": SIGMA},
            [[1, -2, 0.5], [0, 5, -3]],
            stats.multivariate_normal([1.0, -2.0, 0.5], SIGMA).logpdf,
        ),
    ]
    OUTSIDE_THE_SUPPORT: ClassVar = [
        (MultivariateNormal(2), [1, np.nan], "2 finite numbers"),
        (MultivariateNormal(2), [1, 2, 3], r"shape \(..., 2\)"),
    ]
    OUTSIDE_THE_DOMAIN: ClassVar = [
        (MultivariateNormal(2), [0, 0, 1, 0, 0, -1], "negative definite"),
        (MultivariateNormal(2), [0, np.nan, -1, 0, 0, -1], "negative definite"),
    ]

    def exact_log_partition(self, family, eta):
        d = family.dimension
        linear = mp.matrix(eta[:d])
        precision = mp.matrix(d, d)
        for i, j in product(range(d), range(d)):
            precision[i, j] = -(eta[d + d * i + j] + eta[d + d * j + i])
        return (linear.T * mp.lu_solve(precision, linear))[0] / 2 - mp.log(mp.det(precision)) / 2

    def exact_terms(self, family, x):
        return x + [a * b for a, b in product(x, x)], -family.dimension * mp.log(2 * mp.pi) / 2

    def grid(self, family, eta):
        mean, covariance = family.usual(eta).values()
        t = np.linspace(-8, 8, 41)
        z = np.array(list(product(t, repeat=3)))
        scale = np.linalg.cholesky(covariance)
        return mean + z @ scale.T, np.full(len(z), np.linalg.det(scale) * (t[1] - t[0]) ** 3)


def test_natural_parameters_by_hand():
    eta = MultivariateNormal(2).natural(mean=[1, 2], covariance=[[2, 1], [1, 1]])
    assert_allclose(eta, [-1, 3, -0.5, 0.5, 0.5, -1], rtol=1e-14)
    eta = MultivariateNormal(2).natural(mean=[1, 2], covariance=[[[2, 1], [1, 1]], [[1, 0], [0, 4]]])
    assert_allclose(eta, [[-1, 3, -0.5, 0.5, 0.5, -1], [1, 0.5, -0.5, 0, 0, -0.125]], rtol=1e-14)


@pytest.mark.parametrize("parts", [1, 2, 100])
def test_far_from_zero(parts):
    """Mean 1e8 and standard deviation 1: sums of x² would have lost all digits of the variance."""
    rng = np.random.default_rng(5)
    x = 1e8 + rng.standard_normal(10_000)
    vectors = np.stack([x, 1e8 - x + rng.standard_normal(10_000)], axis=-1)
    family = MultivariateNormal(2)
    statistics = sum((family.collect(part) for part in np.array_split(vectors, parts)), family.nothing())
    centred = vectors - np.array([1e8, 0])
    centred -= centred.mean(axis=0)
    expected = centred.T @ centred / len(x)
    assert_allclose(statistics.scatter / len(x), expected, rtol=1e-9 if parts > 1 else 1e-13)
    assert_allclose(family.usual(family.mle(statistics))["covariance"], expected, rtol=1e-9)


def test_statistics_do_not_mix():
    with pytest.raises(TypeError, match="unsupported operand"):
        MultivariateNormal(2).nothing() + Gaussian().nothing((2,))


@pytest.mark.parametrize("weighted", [False, True])
def test_moments_of_discriminant_analysis_are_the_statistics_of_its_classes(weighted):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.standard_normal((60, 3)) + y[:, None]
    weight = np.arange(1.0, 61) if weighted else None
    found = GDA.statistics(X, y, sample_weight=weight, covariance="per-class")
    for j in range(3):
        expected = MultivariateNormal(3).collect(X[y == j], None if weight is None else weight[y == j])
        assert_allclose(found.class_count[j], expected.count, rtol=1e-15)
        assert_allclose(found.mean[j], expected.mean, rtol=1e-13)
        assert_allclose(found.scatter[j], expected.scatter, rtol=1e-12)


def test_discriminant_analysis_is_the_family_in_each_class():
    rng = np.random.default_rng(0)
    y, family = np.arange(60) % 3, MultivariateNormal(3)
    X = rng.standard_normal((60, 3)) + y[:, None]
    joint = GDA(covariance="per-class").fit(X, y).log_joint(X)
    for j in range(3):
        density = family.log_density(X, family.mle(family.collect(X[y == j])))
        assert_allclose(joint[:, j], density - np.log(3), rtol=1e-11)


def test_vectors_that_have_no_mle():
    rng = np.random.default_rng(6)
    family = MultivariateNormal(3)
    x = rng.standard_normal((40, 3))
    for bad, rank in (
        (np.column_stack([x[:, :2], np.full(40, 0.1)]), 2),
        (np.column_stack([x[:, :2], 1e6 * x[:, 0] - x[:, 1]]), 2),
        (x[:1], 0),
        (x[:3], 2),
        (1e-8 * np.column_stack([x[:, :2], x[:, 1]]), 2),
    ):
        with pytest.raises(ValueError, match=f"singular: its rank is {rank} of 3"):
            family.mle(family.collect(bad))
    units = np.array([1e-9, 1.0, 1e9])  # of different units, but of full rank
    assert_allclose(
        family.usual(family.mle(family.collect(x * units)))["covariance"], np.cov((x * units).T, ddof=0), rtol=1e-9
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MultivariateNormal(2).natural(mean=[0, 0], covariance=[[1, 1], [1, 1]]), "positive definite"),
        (lambda: MultivariateNormal(2).natural(mean=[0, 0], covariance=[[1, 0.5], [0, 1]]), "symmetric"),
        (lambda: MultivariateNormal(2).natural(mean=[0, 0], covariance=[1, 2]), r"shape \(..., 2, 2\)"),
        (
            lambda: MultivariateNormal(2).natural(mean=[0, 0], covariance=[[1, np.inf], [np.inf, 1]]),
            "be finite.* inf at",
        ),
        (lambda: MultivariateNormal(0), "dimension must be an integer of at least 1"),
        (lambda: MultivariateNormal(1).collect([[1e200], [-1e200]]), "Rescale"),
    ],
)
def test_errors_name_what_was_received(make, message):
    with pytest.raises(ValueError, match=message):
        make()
