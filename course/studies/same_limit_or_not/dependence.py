"""Three ways for features to depend on each other, and what naive Bayes and logistic regression lose in the limit."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.studies.same_limit_or_not import limit
from course.studies.same_limit_or_not.normals import TwoNormals

Array = NDArray[np.float64]


def correlated(rho: float) -> TwoNormals:
    """Two features of means ±1 and ±0.3, with correlation ρ."""
    mu = np.array([1.0, 0.3])
    return TwoNormals([-mu, mu], np.array([[1, rho], [rho, 1]]))


def repeated(k: int) -> TwoNormals:
    """Two independent features of means ±1, the first one written down k times, each time with a little noise."""
    mu, same = np.ones(k + 1), np.append(np.ones(k), 0.0)
    return TwoNormals([-mu, mu], np.outer(same, same) * 0.99 + np.diag(np.append(np.full(k, 0.01), 1.0)))


def one_measurement(k: int) -> TwoNormals:
    """k features that all repeat one measurement in the same way: Σ = 0.1 I + 0.9 1 1^T."""
    return TwoNormals([-np.ones(k), np.ones(k)], 0.1 * np.eye(k) + 0.9)


@dataclass(frozen=True)
class Limits:
    """Errors and log losses with unlimited data along x, shape (points,), by model."""

    x: Array
    error: dict[str, Array]
    log_loss: dict[str, Array]


def limits(x: ArrayLike, problems: Iterable[TwoNormals]) -> Limits:
    """Of naive Bayes with shared variances, and of logistic regression. All problems have one Σ for both classes."""
    error: dict[str, list[float]] = {"naive Bayes": [], "logistic regression": []}
    loss: dict[str, list[float]] = {name: [] for name in error}
    for problem in problems:
        for name in error:
            w, b = limit.discriminant(problem, naive=name == "naive Bayes")
            error[name].append(float(problem.error(w, b)))
            loss[name].append(float(problem.log_loss(w, b)))
    return Limits(
        np.asarray(x, dtype=np.float64),
        *({name: np.array(each) for name, each in values.items()} for values in (error, loss)),
    )


RHOS = np.linspace(-0.95, 0.95, 77)
COPIES = np.arange(1, 33)


def three() -> tuple[Limits, Limits, Limits]:
    """Along the correlation of two features, the copies of one of two, and the copies of one measurement."""
    return (
        limits(RHOS, [correlated(float(rho)) for rho in RHOS]),
        limits(COPIES, [repeated(int(k)) for k in COPIES]),
        limits(COPIES, [one_measurement(int(k)) for k in COPIES]),
    )
