"""Bicycles rented in an hour: a design matrix, and days held out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probml.datasets.dataset import Dataset

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Hours:
    """X, shape (m, n), with the names of its columns; y, bicycles rented, shape (m,).

    day : 0 to 730, hour : 0 to 23, both of shape (m,).
    """

    X: Array
    y: Array
    names: tuple[str, ...]
    day: NDArray[np.intp]
    hour: NDArray[np.intp]

    def at(self, rows: NDArray) -> "Hours":
        """Some of the hours: a mask, or indices."""
        return Hours(self.X[rows], self.y[rows], self.names, self.day[rows], self.hour[rows])


def hours(data: Dataset) -> Hours:
    """The hourly counts with what can be known before: hour by kind of day, month, year, weather.

    Effects are against midnight of a day off, January, 2011 and clear sky. Temperature enters with its square, in
    units of the file (41 °C), as do humidity (100 %) and wind speed (67 km/h).
    """
    column = dict(zip(data.feature_names, data.X.T, strict=True))
    working = column["workingday"]
    columns = {"working day": working}
    for h in range(1, 24):
        columns[f"hour {h}"] = column["hr"] == h
    for h in range(1, 24):
        columns[f"hour {h}, working day"] = (column["hr"] == h) * working
    for month in range(1, 12):
        columns[f"month {month + 1}"] = column["mnth"] == month
    columns["year 2012"] = column["yr"]
    columns["mist"] = column["weathersit"] == 1
    columns["rain or snow"] = column["weathersit"] >= 2
    columns["temperature"] = column["temp"]
    columns["temperature²"] = column["temp"] ** 2
    columns["humidity"] = column["hum"]
    columns["wind"] = column["windspeed"]
    X = np.column_stack([np.asarray(values, dtype=np.float64) for values in columns.values()])
    return Hours(X, data.y, tuple(columns), column["dteday"].astype(np.intp), column["hr"].astype(np.intp))


def days_apart(data: Hours, share: float, rng: np.random.Generator) -> tuple[Hours, Hours]:
    """A training part, and a share of the days held out with all of their hours."""
    days = rng.permutation(data.day.max() + 1)
    out = np.isin(data.day, days[: round(share * len(days))])
    return data.at(~out), data.at(out)
