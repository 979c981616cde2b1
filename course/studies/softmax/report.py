"""The comparison of the classifiers of digits as a table, with intervals for the differences from one of them."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course.studies.resampled import resampled_interval
from course.studies.softmax.comparison import Outcome

MEASURES = ("accuracy", "cross_entropy", "calibration_error")


class Difference(NamedTuple):
    """Mean over the cuts, and half the width of its interval of 95 %."""

    mean: float
    half: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval lies on one side of zero."""
        return abs(self.mean) > self.half

    def written(self, digits: int) -> str:
        """As it stands in the table."""
        return f"{self.mean:+.{digits}f} ± {self.half:.{digits}f}".replace("-", "−")


def difference(
    outcomes: Mapping[str, Outcome], name: str, reference: str, measure: str, train: int, test: int
) -> Difference:
    """A measure of one model minus that of the reference, on the same cuts."""
    values: NDArray = getattr(outcomes[name], measure) - getattr(outcomes[reference], measure)
    if not np.any(values):
        return Difference(0.0, 0.0)
    return Difference(*resampled_interval(values, train, test))


def rows(outcomes: Mapping[str, Outcome], reference: str, train: int, test: int) -> list[list[str]]:
    """A row for each model: accuracy in per cent, cross-entropy, calibration error, each with its difference."""
    table = []
    for name, outcome in outcomes.items():
        row = [name]
        for measure, factor, digits in zip(MEASURES, (100, 1, 1), (1, 3, 3), strict=True):
            row.append(f"{factor * getattr(outcome, measure).mean():.{digits}f}")
            gap = difference(outcomes, name, reference, measure, train, test)
            row.append("" if name == reference else Difference(factor * gap.mean, factor * gap.half).written(digits))
        table.append(row)
    return table
