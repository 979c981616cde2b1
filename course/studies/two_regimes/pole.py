"""What an estimated covariance costs: two normal classes with n independent features, in theory and by simulation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.stats import norm

from course.studies.two_regimes.pseudo_lda import PseudoLDA
from probml.curves import GDA, LogisticRegression, Model
from probml.curves.scores import LinearScores
from probml.curves.subsets import Subsets

Array = NDArray[np.float64]
NAIVE, LDA, SHRUNKEN = "naive Bayes", "LDA", "LDA, shrunken"
PENALISED, UNPENALISED = "logistic, λ = 1", "logistic, no penalty"
SHRINKAGE = 0.5  # of the covariance, towards a multiple of the identity

MODELS: dict[str, Model] = {
    NAIVE: GDA("shared-diagonal"),
    LDA: PseudoLDA(),
    SHRUNKEN: GDA(shrinkage=SHRINKAGE),
    PENALISED: LogisticRegression(l2=1.0),
    UNPENALISED: LogisticRegression(separable="margin"),
}


@dataclass(frozen=True)
class TwoClouds:
    """x | y = 0 ~ Normal(0, I), x | y = 1 ~ Normal((Δ, 0, ..., 0), I), equally likely, with n features."""

    features: int
    distance: float

    def draw(self, m: int, samples: int, rng: np.random.Generator) -> Subsets:
        """Training subsets of m / 2 examples of each class."""
        y = np.tile(np.arange(m) % 2, (samples, 1))
        X = rng.standard_normal((samples, m, self.features))
        X[:, :, 0] += self.distance * y
        return Subsets(X, y, 2)

    def errors(self, scores: LinearScores) -> Array:
        """Exact errors of linear rules, shape (B,)."""
        w, b = scores.coef[:, 0], scores.intercept[:, 0]
        length = np.maximum(np.linalg.norm(w, axis=1), np.finfo(float).tiny)
        return (norm.cdf(b / length) + norm.cdf(-(self.distance * w[:, 0] + b) / length)) / 2


def expected_error(distance: float, features: int, m: Array, *, known_covariance: bool = False) -> Array:
    """Error of LDA after m examples, m above n, in the limit of large n and m at a fixed n / m; NaN below."""
    m = np.asarray(m, dtype=float)
    loss = 1 + 4 * features / (distance**2 * m)
    if not known_covariance:
        loss = loss * np.where(m > features, m, np.nan) / np.where(m > features, m - features, np.nan)
    return norm.cdf(-distance / 2 / np.sqrt(loss))


def simulate(
    clouds: TwoClouds, sizes: Sequence[int], samples: int, seed: int, models: Mapping[str, Model] | None = None
) -> dict[str, Array]:
    """Mean errors of the models at each size, shape (S,), over fresh samples."""
    models = MODELS if models is None else models
    found = Parallel(n_jobs=-1)(delayed(_at)(clouds, m, samples, seed, models) for m in sorted(sizes, reverse=True))
    by_size = dict(zip(sorted(sizes, reverse=True), found, strict=True))
    return {name: np.array([by_size[m][name] for m in sizes]) for name in models}


def _at(clouds: TwoClouds, m: int, samples: int, seed: int, models: Mapping[str, Model]) -> dict[str, float]:
    subsets = clouds.draw(m, samples, np.random.default_rng([seed, m]))
    fits = {name: next(iter(model.fit(subsets).scores.values())) for name, model in models.items()}
    return {name: float(clouds.errors(scores).mean()) for name, scores in fits.items()}
