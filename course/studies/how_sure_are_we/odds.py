"""Odds ratios of height and weight, alone and together, as rows of a table."""

import numpy as np

from course.studies.logistic_regression.adults import Adults
from probml.linear_model import LogisticRegression


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
