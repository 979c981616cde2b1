"""Odds ratios of height and weight with their intervals: by model, and under assumptions that differ."""

import numpy as np
from numpy.typing import NDArray

from course.studies.how_sure_are_we.sampling import CENTRE, REACH
from course.studies.logistic_regression.adults import Adults
from probml.linear_model import LogisticRegression

Array = NDArray[np.float64]


def ratios(adults: Adults) -> list[list[str]]:
    """For each model and feature: their names, the odds ratio, and its 95 % interval."""
    both, height, weight = adults.features, adults.features[:, :1], adults.features[:, 1:]
    rows = []
    for model, name, X, j, units in (
        ("height alone", "1 cm", height, 0, 1),
        ("weight alone", "1 kg", weight, 0, 1),
        ("height and weight", "1 cm", both, 0, 1),
        ("height and weight", "1 kg", both, 1, 1),
        ("height and weight", "10 kg", both, 1, 10),
    ):
        summary = LogisticRegression().fit(X, adults.man).summary()
        ratio, (low, high) = np.exp(units * summary.coefficient[j]), np.exp(units * summary.interval[j])
        rows.append([model, name, f"{ratio:.2f}", f"{low:.2f} to {high:.2f}"])
    return rows


def sandwich_errors(X: Array, y: NDArray[np.intp]) -> Array:
    """Standard errors of (w, b) that do not suppose the model true, only that people are independent. Shape (p + 1,).

    The curvature at the estimate stands on either side of the sum of the squares of each person's own gradient.
    """
    p = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    design = np.column_stack([X, np.ones(len(y))])
    inverse = np.linalg.inv((design.T * (p * (1 - p))) @ design)
    return np.sqrt(np.diag(inverse @ (design.T * (y - p) ** 2) @ design @ inverse))


def if_the_line_bends(adults: Adults, kept: NDArray[np.bool_]) -> dict[str, Array]:
    """Estimate and ends of the 95 % interval for the odds ratios of 1 cm and 1 kg at once, shape (2, 3), in four ways.

    kept : the people who stay if some are left out, shape (m,). The square is that of the height above 155 cm, so that
    the odds ratio of 1 cm is the one at this height.
    """
    both, y = adults.features - CENTRE, adults.man
    with_square = np.column_stack([both, both[:, 0] ** 2])
    found = {}
    for name, X, labels, robust in (
        ("as in section 3", both, y, False),
        ("sandwich errors", both, y, True),
        ("without the two men", both[kept], y[kept], False),
        ("with height² added, at 155 cm", with_square, y, False),
    ):
        summary = LogisticRegression().fit(X, labels).summary()
        errors = sandwich_errors(X, labels) if robust else summary.standard_error
        found[name] = np.exp(summary.coefficient[:2, None] + np.outer(errors[:2], [0, -REACH, REACH]))
    return found
