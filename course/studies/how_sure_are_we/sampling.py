"""Censuses drawn from a fitted model: how estimates, intervals and tests behave if the model is true."""

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
CENTRE = np.array([155.0, 45.0])  # from which height, in cm, and weight, in kg, are measured


@dataclass(frozen=True)
class Simulated:
    """One row for each census with responses drawn anew from the model with height alone.

    estimate : slope per cm and log odds at 155 cm, fitted to it, shape (repeats, 2).
    one_step : where one Newton step from the true parameters leads, shape (repeats, 2).
    covered : whether the 95 % interval of the slope contains the true one, shape (repeats,).
    likelihood_ratio, wald : statistics for the coefficient of weight, which is truly zero, shape (repeats,).
    truth : the parameters that the responses are drawn from, shape (2,). covariance : by the formula, shape (2, 2).
    """

    estimate: Array
    one_step: Array
    covered: NDArray[np.bool_]
    likelihood_ratio: Array
    wald: Array
    truth: Array
    covariance: Array

    @property
    def slope(self) -> Array:
        """Slope per cm of each census, shape (repeats,)."""
        return self.estimate[:, 0]

    @property
    def standard_error(self) -> float:
        """Of the slope, by the formula, with the true parameters."""
        return float(np.sqrt(self.covariance[0, 0]))


def simulate(adults: Adults, repeats: int, rng: np.random.Generator) -> Simulated:
    """Draw the sex of every adult anew from σ(w · height + b), refit with height alone and with weight, and repeat."""
    both = adults.features - CENTRE
    height = both[:, :1]
    model = LogisticRegression().fit(height, adults.man)
    truth = np.append(model.coef_[0], model.intercept_)
    p = model.predict_proba(height)[:, 1]
    design = np.column_stack([height, np.ones(len(adults))])
    covariance = np.linalg.inv((design.T * (p * (1 - p))) @ design)
    estimate, one_step = np.empty((repeats, 2)), np.empty((repeats, 2))
    error, ratio, wald = np.empty(repeats), np.empty(repeats), np.empty(repeats)
    for k in range(repeats):
        y = (rng.random(len(adults)) < p).astype(int)
        one_step[k] = truth + covariance @ design.T @ (y - p)
        without, estimate[k], (error[k], _) = _fit(height, y, truth)
        value, (_, weight, _), (_, weight_error, _) = _fit(both, y, np.insert(truth, 1, 0.0))
        ratio[k], wald[k] = 2 * (without - value), (weight / weight_error) ** 2
    covered = np.abs(estimate[:, 0] - truth[0]) < REACH * error
    return Simulated(estimate, one_step, covered, ratio, wald, truth, covariance)


def _fit(X: Array, y: NDArray, start: Array) -> tuple[float, Array, Array]:
    """-ℓ at its minimum, θ = (w, b) and the standard errors, shape (p,)."""
    objective = LinearObjective(X, y, Logistic())
    solution = newton(objective, start, tolerance=1e-14)
    information = objective.newton_system(solution.theta)[2]
    return solution.value, solution.theta, np.sqrt(np.diag(np.linalg.inv(information)))
