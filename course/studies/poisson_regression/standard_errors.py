"""How far may the coefficients of a Poisson regression be off? Five answers, and two ways to judge them."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from course.studies.poisson_regression.bicycles import Hours
from course.studies.poisson_regression.diagnostics import dispersion
from probml.linear_model import PoissonRegression

Array = NDArray[np.float64]
DAYS = (1, 2, 4, 7, 14, 28, 56)  # lengths of blocks
STEPS = 20  # of Newton's method, at most
WEATHER = ("mist", "rain or snow", "temperature", "temperature²", "humidity", "wind")


def robust_covariance(X: Array, y: Array, mu: Array, group: NDArray[np.intp]) -> Array:
    """Covariance of the coefficients if only the groups are independent. X : with the column of ones.

        B^-1 (sum_g u_g u_g^T) B^-1,     u_g = sum_(i in g) (y_i - μ_i) x_i,     B = X^T diag(μ) X

    It asks nothing of the variance of y, nor of the dependence within a group. Shape (p, p).
    """
    _, code = np.unique(group, return_inverse=True)
    scores = np.zeros((code.max() + 1, X.shape[1]))
    np.add.at(scores, code, (y - mu)[:, None] * X)
    spread = np.linalg.solve((X.T * mu) @ X, scores.T)
    return spread @ spread.T


def robust_errors(X: Array, y: Array, mu: Array, group: NDArray[np.intp]) -> Array:
    """Roots of the diagonal of `robust_covariance`, shape (p,)."""
    return np.sqrt(np.diag(robust_covariance(X, y, mu, group)))


def by_block_length(data: Hours, mu: Array) -> dict[int, Array]:
    """Robust errors with blocks of so many days as groups, each of shape (p,); 0 stands for single hours."""
    X = data.design
    errors = {0: robust_errors(X, data.y, mu, np.arange(len(mu)))}
    return errors | {days: robust_errors(X, data.y, mu, data.day // days) for days in DAYS}


def refitted(data: Hours, theta: Array, days: int, draws: int, rng: np.random.Generator) -> Array:
    """Coefficients, shape (draws, p), of fits in which each block of so many days has a random weight.

    The weights are exponential, with mean and variance one, as are the numbers of times that a block is drawn in the
    bootstrap, but never zero: no month is lost. theta : coefficients of the fit without weights, shape (p,).
    """
    X, block = data.design, data.day // days
    found = []
    for _ in range(draws):
        weight = rng.exponential(size=block.max() + 1)[block]
        found.append(_fit(X, data.y, weight, theta))
    return np.array(found)


def _fit(X: Array, y: Array, weight: Array, theta: Array) -> Array:
    """Newton's method for the weighted log likelihood, from theta."""
    for _ in range(STEPS):
        mu = weight * np.exp(X @ theta)
        step = np.linalg.solve((X.T * mu) @ X, X.T @ (weight * y - mu))
        theta = theta + step
        if np.abs(step).max() < 1e-5:
            return theta
    raise RuntimeError(f"Newton's method has not converged in {STEPS} steps")


def two_years(data: Hours) -> tuple[tuple[str, ...], tuple[Array, Array], Mapping[str, Array]]:
    """Each year fitted on its own: names, the coefficients of both, and their differences in standard errors.

    The differences, each of shape (n,), are divided by the root of the sum of the squared errors of both years, in turn
    by each kind of error. The year itself is no feature, and the intercept is left out.
    """
    column = data.names.index("year 2012")
    names = tuple(name for name in data.names if name != "year 2012")
    coefficients, squares = [], []
    for year in (0, 1):
        part = data.at(data.X[:, column] == year)
        X = np.delete(part.design, column, axis=1)
        model = PoissonRegression().fit(X[:, :-1], part.y)
        mu = model.predict(X[:, :-1])
        poisson = model.summary().standard_error ** 2
        coefficients.append(model.coef_)
        squares.append(
            {
                "Poisson": poisson,
                "quasi-Poisson": dispersion(part.y, mu, X.shape[1]) * poisson,
                "hours independent": robust_errors(X, part.y, mu, np.arange(len(mu))) ** 2,
                "days independent": robust_errors(X, part.y, mu, part.day) ** 2,
                "weeks independent": robust_errors(X, part.y, mu, part.week) ** 2,
            }
        )
    first, second = coefficients
    return (
        names,
        (first, second),
        {kind: (second - first) / np.sqrt(squares[0][kind] + squares[1][kind])[:-1] for kind in squares[0]},
    )
