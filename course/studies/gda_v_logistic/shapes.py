"""Two features whose classes are told apart by means, by shapes, or by how two correlated ones differ."""

from collections.abc import Mapping

import numpy as np

from course.studies.gda_v_logistic.discretised import DiscretisedNB
from course.studies.gda_v_logistic.quick_logistic import QuickLogistic
from course.studies.gda_v_logistic.scenarios import Array, Sample, Scenario, normal
from probml import curves
from probml.curves import Model

MODE = 2.0  # distance of the two modes of a feature from its mean
CORRELATION = 0.8


def two_modes(shape: tuple[int, int], rng: np.random.Generator) -> Sample:
    """Class 0 has standard normal features, class 1 features with two modes: Normal(±MODE, 1/4). All means are 0."""
    y = rng.integers(2, size=shape)
    X = rng.standard_normal((*shape, 2))
    modes = X / 2 + MODE * rng.choice([-1.0, 1.0], (*shape, 2))
    X = np.where(y[..., None] == 1, modes, X)
    towards = np.logaddexp(-2 * (X - MODE) ** 2, -2 * (X + MODE) ** 2)  # log density of class 1, but for log(1 / √2π)
    return Sample(X, y, (towards + X**2 / 2).sum(axis=-1))


def correlated(shape: tuple[int, int], rng: np.random.Generator) -> Sample:
    """Normal features with one covariance, of unit variance and correlation CORRELATION; means (0, 0) and (1.5, 0)."""
    y = rng.integers(2, size=shape)
    X = rng.standard_normal((*shape, 2))
    X[..., 1] = CORRELATION * X[..., 0] + np.sqrt(1 - CORRELATION**2) * X[..., 1]
    mean = np.array([1.5, 0.0])
    w: Array = np.linalg.solve([[1.0, CORRELATION], [CORRELATION, 1.0]], mean)
    X += y[..., None] * mean
    return Sample(X, y, X @ w - mean @ w / 2)


SHAPES: Mapping[str, Scenario] = {
    "normal": normal,
    "two modes": two_modes,
    "correlated": correlated,
}

MODELS: Mapping[str, Model] = {
    "GDA": curves.GDA(),
    "GDA, per class": curves.GDA("per-class", shrinkage=0.05),
    "logistic": QuickLogistic(),
    "6 bins": DiscretisedNB(6),
}
