"""Experiments on normal classes: integrals, derivatives, ellipses, the joint log likelihood."""

import numpy as np
import pytest
from scipy.stats import chi2, multivariate_normal

from course.studies.gaussian_discriminant_analysis.derivatives import derivative
from course.studies.gaussian_discriminant_analysis.ellipses import ellipse, radius_of
from course.studies.gaussian_discriminant_analysis.likelihood import joint_log_likelihood
from course.studies.gaussian_discriminant_analysis.quadrature import grid_moments
from probml.gda import GDA

SIGMA = np.array([[2.0, 0.6], [0.6, 0.5]])
MU = np.array([1.0, -2.0])


def test_moments_of_a_normal_distribution():
    mass, first, second = grid_moments(multivariate_normal(MU, SIGMA).pdf, MU - 15, MU + 15, 400)
    assert mass == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(first, MU, atol=1e-12)
    np.testing.assert_allclose(second - np.outer(MU, MU), SIGMA, atol=1e-11)


def test_moments_in_one_dimension():
    mass, first, _ = grid_moments(lambda x: 3 * np.exp(-((x[:, 0] - 1) ** 2)), [-9], [11], 200)
    assert mass == pytest.approx(3 * np.sqrt(np.pi), abs=1e-12)
    assert first == pytest.approx(3 * np.sqrt(np.pi), abs=1e-12)


def test_derivative_of_polynomials():
    A = np.array([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_allclose(derivative(lambda M: M[0, 0] ** 2 * M[0, 1] + M[1, 0] ** 3, A), [[4, 1], [27, 0]])
    found = derivative(lambda M: M[0, 1] * 5 + M[1, 0] * 2 + M[1, 1], A, symmetric=True)
    np.testing.assert_allclose(found, [[0, 7], [7, 1]])
    np.testing.assert_allclose(derivative(lambda v: (v**2).sum(), np.array([1.0, -3.0])), [2, -6])


def test_log_likelihood_is_that_of_the_model():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=50)
    X = rng.normal(size=(50, 2)) @ SIGMA + y[:, None]
    model = GDA().fit(X, y)
    value = joint_log_likelihood(X, y, model.priors_[1], model.means_, model.covariance_)
    assert value == pytest.approx(model.log_joint(X)[np.arange(50), y].sum())
    peer = sum(multivariate_normal(MU, SIGMA).logpdf(X[y == j]).sum() for j in (0, 1))
    peer += np.log(0.3) * y.sum() + np.log(0.7) * (1 - y).sum()
    assert joint_log_likelihood(X, y, 0.3, np.array([MU, MU]), SIGMA) == pytest.approx(peer)


def test_ellipses_have_one_mahalanobis_radius():
    deviation = ellipse(MU, SIGMA, 1.7).T - MU
    np.testing.assert_allclose(np.sum(deviation * np.linalg.solve(SIGMA, deviation.T).T, axis=1), 1.7**2)
    assert radius_of(0.9) ** 2 == pytest.approx(chi2(2).ppf(0.9))
    with pytest.raises(ValueError, match=r"share must be between 0 and 1, received 1\.0"):
        radius_of(1.0)
