"""What several files of this lecture use: the logistic function, densities, expectations."""

from itertools import product

import mpmath

from course.equations.calculus import dot

# Candidates for three weights, where a check searches for the best.
GRID = list(product((-1, 0, 1), repeat=3))


def sigmoid(eta):
    """The logistic function."""
    return 1 / (1 + mpmath.exp(-eta))


def bernoulli(y, p):
    """Probability of y, 0 or 1, if that of 1 is p."""
    return p if y == 1 else 1 - p


def normal_density(values, means, sigmas):
    """Density of a normal vector of uncorrelated entries, from the determinant and a solve with its covariance."""
    covariance = mpmath.diag([sigma**2 for sigma in sigmas])
    error = mpmath.matrix([value - mean for value, mean in zip(values, means, strict=True)])
    distance = (error.T * mpmath.lu_solve(covariance, error))[0]
    return mpmath.exp(-distance / 2) / mpmath.sqrt(mpmath.det(2 * mpmath.pi * covariance))


def integral(f, low, high, step):
    """Of a smooth f that vanishes at both ends, by the trapezoidal rule."""
    return step * sum(f(low + k * step) for k in range(1, int((high - low) / step)))


def normal_mean(mean, sigma):
    """The integral of t times the normal density.

    Beyond 16 sigma there is less than 1e-55 of it, and steps of sigma / 3 make an error of exp(-18 pi^2) at most.
    """
    return integral(lambda t: t * mpmath.npdf(t, mean, sigma), mean - 16 * sigma, mean + 16 * sigma, sigma / 3)


def poisson(lam, size):
    """Probabilities of 0 to size - 1 events, each from the one before: p(k) = p(k - 1) lam / k."""
    found = [mpmath.exp(-lam)]
    for k in range(1, size):
        found.append(found[-1] * lam / k)
    return found


def poisson_mean(lam):
    """The sum of k p(k) over 150 terms; for lam below 20 what is left out is less than 1e-60."""
    return dot(range(150), poisson(lam, 150))
