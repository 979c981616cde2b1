"""Models fitted to samples of a scenario, and what they lose to the best rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.special import expit, log_expit

from course.studies.gda_v_logistic.quick_logistic import QuickLogistic
from course.studies.gda_v_logistic.ratio import Ratio, ratio_of_means
from course.studies.gda_v_logistic.scenarios import Array, Kind, Sample, Scenario
from probml.curves import GDA
from probml.curves.subsets import Model, Subsets
from probml.threads import one_blas_thread

# Where a sample is separable the likelihood has no maximum; the largest margin is where its path leads.
MODELS: Mapping[str, Model] = {"GDA": GDA(), "logistic": QuickLogistic()}
TEST = 400  # new examples for each sample


@dataclass(frozen=True)
class Losses:
    """Of each model, for each sample, shape (samples,): excess error over the best rule, and excess log loss.

    The excess log loss is the mean of KL(p ‖ q) from the true posterior p to the model's q; None where a model gives
    classes only, or where it was not asked for.
    """

    error: Mapping[str, Array]
    log_loss: Mapping[str, Array | None]

    def ratio(self, over: str = "logistic", under: str = "GDA", level: float = 0.95) -> Ratio:
        """Mean excess error of one model over that of another: above 1 where the second wins."""
        return ratio_of_means(self.error[over], self.error[under], level)


def contest(
    scenario: Scenario,
    m: int,
    samples: int,
    seed: int | list[int],
    models: Mapping[str, Model] = MODELS,
    *,
    log_loss: bool = False,
) -> Losses:
    """Fit the models to so many samples of m examples, those that hold both classes, each tested on its own examples.

    Errors are not counted but computed: at a point where the rule is not the best one, it loses |2p - 1|.
    """
    rng = np.random.default_rng(seed)
    train, test = scenario((samples, m), rng), scenario((samples, TEST), rng)
    both = (train.y.min(axis=1) == 0) & (train.y.max(axis=1) == 1)
    if both.sum() < 2:
        raise ValueError(f"hardly any sample of {m} examples holds both classes: give a larger m")
    subsets = Subsets(train.X[both], train.y[both], 2)
    test = Sample(test.X[both], test.y[both], test.log_odds[both])
    error, lost = {}, {}
    with one_blas_thread():
        for name, model in models.items():
            fit = model.fit(subsets)
            (scores,) = fit.scores.values()
            z = np.stack([scores.of(own, slice(i, i + 1))[0, 0] for i, own in enumerate(test.X)])
            error[name] = excess_error(z, test.log_odds)
            sure = fit.separable is None or not fit.separable.any()
            lost[name] = excess_log_loss(z, test.log_odds) if log_loss and sure else None
    return Losses(error, lost)


def excess_error(z: Array, log_odds: Array) -> Array:
    """Mean over the examples of |2p - 1| where the signs of z and of the true log odds differ."""
    return (np.abs(np.tanh(log_odds / 2)) * ((z > 0) != (log_odds > 0))).mean(axis=-1)


def excess_log_loss(z: Array, log_odds: Array) -> Array:
    """Mean over the examples of KL(p ‖ q) with log odds `log_odds` of p and z of q."""
    p = expit(log_odds)
    gain = p * (log_expit(log_odds) - log_expit(z)) + (1 - p) * (log_expit(-log_odds) - log_expit(-z))
    return gain.mean(axis=-1)


@dataclass(frozen=True)
class Race:
    """Both models for each degree of a violation and each sample size, shape (degrees, sizes).

    error : mean excess errors, by model, and spread : their standard errors. ratio : excess error of logistic
    regression over that of GDA. winner : 1 for GDA, -1 for logistic regression, 0 where the interval of the ratio
    holds 1.
    """

    kind: Kind
    sizes: tuple[int, ...]
    error: Mapping[str, Array]
    spread: Mapping[str, Array]
    ratio: Array
    winner: NDArray[np.int8]


def race(kind: Kind, sizes: Sequence[int], samples: int, seed: list[int], level: float = 0.99) -> Race:
    """Fit both models to the same samples, for all degrees of a kind and all sizes. level : of the intervals."""
    shape = (len(kind.degrees), len(sizes))
    cells = list(np.ndindex(*shape))
    found = Parallel(n_jobs=-1)(
        delayed(contest)(kind.at(kind.degrees[i]), sizes[j], samples, [*seed, i, j]) for i, j in cells
    )
    ratios = [each.ratio(level=level) for each in found]
    error = {name: np.array([each.error[name].mean() for each in found]).reshape(shape) for name in MODELS}
    spread = {
        name: np.array([each.error[name].std(ddof=1) / np.sqrt(len(each.error[name])) for each in found]).reshape(shape)
        for name in MODELS
    }
    winner = np.array([(each.low > 1) - (each.high < 1) for each in ratios], dtype=np.int8)
    ratio = np.array([each.value for each in ratios])
    return Race(kind, tuple(sizes), error, spread, ratio.reshape(shape), winner.reshape(shape))
