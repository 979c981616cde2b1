"""Odds ratios of height and weight, alone and together, as rows of a table."""

import numpy as np

from course.studies.logistic_regression.adults import Adults
from probml.linear_model import LogisticRegression


def odds_ratios(adults: Adults) -> list[list[str]]:
    """For each feature its name, its odds ratio, and the 95 % interval of it."""
    both, height, weight = adults.features, adults.features[:, :1], adults.features[:, 1:]
    rows = []
    for name, X, j, units in (
        ("height alone, 1 cm", height, 0, 1),
        ("weight alone, 1 kg", weight, 0, 1),
        ("height, given weight, 1 cm", both, 0, 1),
        ("weight, given height, 1 kg", both, 1, 1),
        ("weight, given height, 10 kg", both, 1, 10),
    ):
        summary = LogisticRegression().fit(X, adults.man).summary()
        ratio, (low, high) = np.exp(units * summary.coefficient[j]), np.exp(units * summary.interval[j])
        rows.append([name, f"{ratio:.2f}", f"{low:.2f} to {high:.2f}"])
    return rows
