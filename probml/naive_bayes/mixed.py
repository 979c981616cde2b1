"""The general framework: any family for any feature, discrete and continuous together, values missing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, fields, replace
from functools import reduce
from operator import add
from typing import Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from probml.errors import NoEstimateError
from probml.families import Centred, ExponentialFamily, Statistics
from probml.families.base import log
from probml.families.bernoulli import Trials
from probml.families.categorical import Categories
from probml.families.checks import at
from probml.families.gaussian import Gaussian
from probml.generative import ClassStatistics, Generative, LinearPosterior
from probml.generative.gaussian import SMALLEST_VARIANCE
from probml.inputs import parameters, require_number
from probml.typing import Array, Indices, Labels, Matrix

ROWS_AT_A_TIME = 1024  # whose densities, for all classes and features, are held
T = TypeVar("T", bound=Statistics)


@dataclass(frozen=True, eq=False)
class FamilyStatistics(ClassStatistics):
    """parts : for each group of features of one family, its statistics with the batch shape (K, features)."""

    parts: tuple[Statistics, ...]

    def _plus(self, other: Self) -> Self:
        parts = tuple(ours + theirs for ours, theirs in zip(self.parts, other.parts, strict=True))
        return replace(self, class_count=self.class_count + other.class_count, parts=parts)

    def _spread(self, spread: Callable[[Array], Array]) -> Self:
        return replace(self, parts=tuple(_each_field(spread, part) for part in self.parts))


@parameters
class MixedNB(Generative[FamilyStatistics]):
    r"""Naive Bayes with an exponential family of its own for each feature.

    .. math::
        \log p(x \mid y = j) = \sum_n \log p_n(x_n \mid \eta_{jn}), \quad
        p_n(x \mid \eta) = h_n(x) \exp(\eta \cdot T_n(x) - A_n(\eta))

    A missing value (NaN) is marginalised: its factor is 1, and it is left out of the estimate of that feature only.

    X : dense, shape (m, n), with NaN where a value is missing.

    Parameters
    ----------
    families : the family of all features (Gaussian if None), or a sequence with one for each; of numbers, not vectors.
    priors : class prior, shape (K,), or "uniform"; estimated if None.
    alpha : pseudo-count of each value, for families that have finitely many (Bernoulli, categorical, binomial).
    var_smoothing : for Gaussian features, a share of the largest variance among them, added to all variances.

    Attributes
    ----------
    classes_ (K,), class_count_ (K,), class_prior_ (K,), natural_ = for each feature its eta, shape (K, k), statistics_
    """

    _checks = {"dtype": np.float64, "ensure_all_finite": "allow-nan"}  # noqa: RUF012
    _input_tags = {"allow_nan": True}  # noqa: RUF012
    _remedy = "Smooth with alpha > 0 (it is {alpha!r}), or choose families under which they can occur."

    families: ExponentialFamily | Sequence[ExponentialFamily] | None = field(default=None, kw_only=False)
    priors: ArrayLike | None = None
    alpha: float = 1.0
    var_smoothing: float = 1e-9

    def usual_parameters(self, feature: int) -> dict[str, Array]:
        """The usual parameters of a feature in each class, such as mean and variance, by name. Shapes (K, ...)."""
        self._check_estimated()
        return self._families(self.n_features_in_)[feature].usual(self.natural_[feature])

    def to_linear(self) -> LinearPosterior:
        """The posterior as a softmax model of the sufficient statistics T_n(x_n), none missing: w_j = eta_j."""
        self._check_estimated()
        pairs = zip(self._families(self.n_features_in_), self.natural_, strict=True)
        intercept = self._log_prior() - np.sum([family.log_partition(eta) for family, eta in pairs], axis=0)
        return LinearPosterior(self.classes_, np.concatenate(self.natural_, axis=1), intercept, copy(self)._features)

    def _features(self, X: Matrix) -> Array:
        """T_1(x_1), ..., T_n(x_n) side by side."""
        X = self._valid(X)
        if np.isnan(X).any():
            raise ValueError("X has missing values (NaN), for which the posterior has no fixed linear form")
        pairs = zip(self._families(X.shape[1]), X.T, strict=True)
        return np.concatenate([family.statistic(x) for family, x in pairs], axis=1)

    def _families(self, n_features: int) -> list[ExponentialFamily]:
        given = Gaussian() if self.families is None else self.families
        if not isinstance(given, ExponentialFamily | Iterable) or isinstance(given, str):
            raise ValueError(f"families must be a family, such as Poisson(), or a sequence of them; received {given!r}")
        families = [given] * n_features if isinstance(given, ExponentialFamily) else list(given)
        if len(families) != n_features:
            raise ValueError(
                f"families has {len(families)} entries, but X has {n_features} features: give one for each"
            )
        for family in families:
            if not isinstance(family, ExponentialFamily) or family.event_ndim:
                raise ValueError(
                    f"families must be exponential families of numbers, such as Poisson(); received {family!r}"
                )
        return families

    def _groups(self, n_features: int) -> dict[ExponentialFamily, list[int]]:
        """The columns of each family, to be treated together."""
        groups: dict[ExponentialFamily, list[int]] = {}
        for column, family in enumerate(self._families(n_features)):
            groups.setdefault(family, []).append(column)
        return groups

    def _kind(self) -> str:
        names = [str(family) for family in self._families(self.n_features_in_)]
        return f"statistics of {names[0] if len(set(names)) == 1 else ', '.join(names)}"

    def _collect(self, X: Matrix, codes: Indices, classes: Labels, weight: Array | None) -> FamilyStatistics:
        parts = []
        for family, columns in self._groups(X.shape[1]).items():
            with _explained(f"in the features {columns}: "):
                by_class = [
                    family.collect(X[np.ix_(own, columns)], None if weight is None else weight[own])
                    for own in (codes == j for j in range(len(classes)))
                ]
            parts.append(_each_field(lambda *values: np.stack(values), *by_class))
        class_count = np.bincount(codes, weight, len(classes)).astype(np.float64)
        return FamilyStatistics(self._kind(), classes, class_count, X.shape[1], tuple(parts))

    def _estimate(self, statistics: FamilyStatistics) -> None:
        """eta_jn is the maximum-likelihood estimate of its family, from statistics that are smoothed."""
        require_number("alpha", self.alpha)
        require_number("var_smoothing", self.var_smoothing)
        self.class_count_, self.class_prior_ = statistics.class_count, statistics.class_prior(self.priors, "priors")
        self.natural_: list[Array] = [np.empty(0)] * statistics.n_features
        for (family, columns), part in zip(self._groups(statistics.n_features).items(), statistics.parts, strict=True):
            where = f"of the classes {statistics.classes.tolist()} and the features {columns}: "
            with _explained(where, NoEstimateError), np.errstate(over="ignore", invalid="ignore"):  # refused by name
                eta = family.check_natural(family.mle(self._smoothed(family, part)))
            for column, own in zip(columns, np.moveaxis(eta, 1, 0), strict=True):
                self.natural_[column] = own

    def _smoothed(self, family: ExponentialFamily, part: Statistics) -> Statistics:
        if isinstance(family, Trials | Categories):
            return part + family.pseudo_counts(np.full(part.count.shape, self.alpha))
        if isinstance(part, Centred):
            classes = (Centred(*each) for each in zip(part.count, part.mean, part.scatter, strict=True))
            together = reduce(add, classes)
            largest = np.max(together.scatter / np.maximum(together.count, 1e-300))
            scatter = part.scatter + self.var_smoothing * largest * part.count
            _require_variances(largest, scatter, part.count)
            return replace(part, scatter=scatter)
        return part

    def _log_prior(self) -> Array:
        return log(self.class_prior_)

    def _log_likelihood(self, X: Matrix) -> Array:
        total = np.zeros((len(X), len(self.classes_)))
        for family, columns in self._groups(X.shape[1]).items():
            eta = np.stack([self.natural_[column] for column in columns], axis=1)
            for start in range(0, len(X), ROWS_AT_A_TIME):
                with _explained(f"in the features {columns}, rows from {start}: "):
                    density = family.log_density(X[start : start + ROWS_AT_A_TIME, None, columns], eta)
                total[start : start + ROWS_AT_A_TIME] += density.sum(axis=-1)
        return total

    def _draw(self, codes: Indices, rng: np.random.Generator) -> Array:
        pairs = zip(self._families(self.n_features_in_), self.natural_, strict=True)
        return np.stack([family.sample(eta[codes], rng) for family, eta in pairs], axis=1)


def _each_field(function: Callable[..., Array], *statistics: T) -> T:
    """Statistics whose every field is a function of those fields."""
    names = [field.name for field in fields(statistics[0])]
    return type(statistics[0])(*(function(*(getattr(each, name) for each in statistics)) for name in names))


def _require_variances(largest: float, scatter: Array, count: Array) -> None:
    """Refuse Gaussian features that are all constant, and variances, scatter / count, that are next to nothing.

    largest : variance of a feature over all classes. scatter, count : shape (K, features).
    """
    if largest == 0:
        raise ValueError(
            "every Gaussian feature is constant: there is only one sample, or all are alike (or missing, or "
            "too small to be squared): give more, leave them out, or rescale X"
        )
    if (constant := (scatter > 0) & (scatter / np.maximum(count, 1e-300) < SMALLEST_VARIANCE)).any():
        raise ValueError(f"a variance is below {SMALLEST_VARIANCE:.1g}{at(constant)}: rescale the feature")


@contextmanager
def _explained(where: str, kind: type[ValueError] = ValueError) -> Iterator[None]:
    """Say of what the indices of an error are."""
    try:
        yield
    except ValueError as error:
        raise kind(where + str(error)) from error
