"""Responses drawn from a fitted model: how estimates, intervals and tests behave if the model is true."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.studies.logistic_regression.adults import Adults
from probml.linear_model import LogisticRegression
from probml.losses import Logistic
from probml.objectives import LinearObjective
from probml.solvers import newton

Array = NDArray[np.float64]
REACH = 1.959963984540054  # standard errors to either side of a 95 % interval


@dataclass(frozen=True)
class Simulated:
    """One entry for each census with responses drawn anew from the model with height alone, shape (repeats,).

    slope : of height, per cm, in the model with height alone. covered : whether its 95 % interval holds the true one.
    likelihood_ratio, wald : statistics for the coefficient of weight, which is truly zero, in the model with both.
    true_slope, standard_error : of the model that the responses are drawn from.
    """

    slope: Array
    covered: NDArray[np.bool_]
    likelihood_ratio: Array
    wald: Array
    true_slope: float
    standard_error: float


def simulate(adults: Adults, repeats: int, rng: np.random.Generator) -> Simulated:
    """Draw the sex of every adult anew from σ(w · height + b), refit with height alone and with weight, and repeat."""
    features, unit = adults.standardised, adults.height.std()
    truth = LogisticRegression().fit(features[:, :1], adults.man)
    p = truth.predict_proba(features[:, :1])[:, 1]
    true_slope = truth.coef_.item()
    start = np.array([true_slope, truth.intercept_.item()])
    slope, error, ratio, wald = (np.empty(repeats) for _ in range(4))
    for k in range(repeats):
        y = (rng.random(len(adults)) < p).astype(int)
        without, (slope[k], _), (error[k], _) = _fit(features[:, :1], y, start)
        value, (_, weight, _), (_, weight_error, _) = _fit(features, y, np.insert(start, 1, 0.0))
        ratio[k], wald[k] = 2 * (without - value), (weight / weight_error) ** 2
    return Simulated(
        slope=slope / unit,
        covered=np.abs(slope - true_slope) < REACH * error,
        likelihood_ratio=ratio,
        wald=wald,
        true_slope=true_slope / unit,
        standard_error=truth.summary().standard_error[0] / unit,
    )


def _fit(X: Array, y: NDArray, start: Array) -> tuple[float, Array, Array]:
    """-ℓ at its minimum, θ = (w, b) and the standard errors, shape (p,)."""
    objective = LinearObjective(X, y, Logistic())
    solution = newton(objective, start, tolerance=1e-14)
    information = objective.newton_system(solution.theta)[2]
    return solution.value, solution.theta, np.sqrt(np.diag(np.linalg.inv(information)))
