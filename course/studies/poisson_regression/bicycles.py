"""Bicycles rented in an hour: a design matrix in units that can be read, and weeks held out."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from course.datasets.dataset import Dataset

Array = NDArray[np.float64]
MILD = 20.0  # °C, the temperature with which others are compared
DAYS_OF_WEEK = 7


@dataclass(frozen=True)
class Hours:
    """X, shape (m, n), with the names of its columns; y, bicycles rented, shape (m,). All else has shape (m,).

    day : 0 to 730, hour : 0 to 23
    working : whether it is a working day, rain : whether it rains or snows
    celsius : temperature
    """

    X: Array
    y: Array
    names: tuple[str, ...]
    day: NDArray[np.intp]
    hour: NDArray[np.intp]
    working: NDArray[np.bool_]
    rain: NDArray[np.bool_]
    celsius: Array

    @property
    def week(self) -> NDArray[np.intp]:
        """0 to 104: weeks from 1 January 2011 on, the last of which has three days."""
        return self.day // DAYS_OF_WEEK

    @property
    def design(self) -> Array:
        """X with a last column of ones."""
        return np.column_stack([self.X, np.ones(len(self.y))])

    def at(self, rows: NDArray) -> "Hours":
        """Some of the hours: a mask, or indices."""
        kept = {name: value[rows] for name, value in vars(self).items() if name != "names"}
        return replace(self, **kept)


def celsius(data: Dataset) -> Array:
    """Temperature: the file has (t + 8) / 47. Shape (m,)."""
    return 47 * data.X[:, data.feature_names.index("temp")] - 8


def feels_like(data: Dataset) -> Array:
    """How warm it feels, in °C: the file has (t + 16) / 66. Shape (m,)."""
    return 66 * data.X[:, data.feature_names.index("atemp")] - 16


def hours(data: Dataset, *, interaction: bool = True) -> Hours:
    """The hourly counts with hour, kind of day, month, year and weather.

    Effects are against midnight of a day off, January, 2011, a clear sky, 20 °C, no humidity and no wind. Temperature
    enters in tens of degrees from 20 °C, with its square, humidity in tens of percentage points, wind in tens of km/h.

    interaction : whether working days have a profile of hours of their own, or only a factor
    """
    column = dict(zip(data.feature_names, data.X.T, strict=True))
    working, hour = column["workingday"], column["hr"]
    warmer = (celsius(data) - MILD) / 10
    columns = {"working day": working}
    columns |= {f"hour {h}": hour == h for h in range(1, 24)}
    if interaction:
        columns |= {f"hour {h}, working day": (hour == h) * working for h in range(1, 24)}
    columns |= {f"month {month + 1}": column["mnth"] == month for month in range(1, 12)}
    columns["year 2012"] = column["yr"]
    columns["mist"] = column["weathersit"] == 1
    columns["rain or snow"] = column["weathersit"] >= 2
    columns["temperature"] = warmer
    columns["temperature²"] = warmer**2
    columns["humidity"] = 10 * column["hum"]
    columns["wind"] = 6.7 * column["windspeed"]  # the file has km/h, divided by 67
    return Hours(
        np.column_stack([np.asarray(values, dtype=np.float64) for values in columns.values()]),
        data.y,
        tuple(columns),
        column["dteday"].astype(np.intp),
        hour.astype(np.intp),
        working == 1,
        column["weathersit"] >= 2,
        celsius(data),
    )


def folds_of_weeks(week: NDArray[np.intp], folds: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """For each hour the fold, 0 to folds - 1, in which its week is held out with all of its hours."""
    return (rng.permutation(week.max() + 1) % folds)[week]
