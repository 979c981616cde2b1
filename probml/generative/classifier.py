"""From statistics to parameters to posteriors: the one path of all generative classifiers."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax, logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from probml.chunks import Checked, ChunkByChunk, Chunks, chunks_of, survey
from probml.errors import NoEstimateError, ZeroEvidenceError
from probml.generative.statistics import ClassStatistics, codes_of
from probml.inputs import AllOrNothing, examples, is_whole, labels, matrix, training_examples, weights
from probml.threads import by_blocks
from probml.typing import Array, Indices, Labels, Matrix

S = TypeVar("S", bound=ClassStatistics)


class StatisticsClassifier(AllOrNothing, ChunkByChunk, ClassifierMixin, BaseEstimator, ABC, Generic[S]):
    """A classifier whose parameters are a function of sufficient statistics that add up.

        fit            parameters(statistics of X, y)
        partial_fit    parameters(statistics so far + statistics of X, y)
        anywhere else  Model.from_statistics(sum of Model.statistics(X, y) over the parts)

    A model says what to collect (`_collect`), how statistics become parameters (`_estimate`), and the score of each
    class (`_log_likelihood`, with the log prior added here). The class of the largest score is predicted, and the
    posterior is the softmax of the scores: Bayes' theorem in log space.

    X of `fit` may be in chunks, of Dask or of any iterable (`probml.chunks`): their statistics are added up.
    Batches of `partial_fit` may begin with some that give no estimate yet, as a class without examples has no mean:
    their statistics are kept, and what is missing is said when predictions or parameters are asked for.
    """

    classes_: Labels
    statistics_: S
    n_features_in_: int
    _estimated: set[str]  # names of the attributes that `_estimate` has set
    _lacking: str  # why there is no estimate yet
    _checks: ClassVar[dict[str, object]] = {}  # how scikit-learn is to validate X
    _remedy: ClassVar[str] = ""  # what to do about an example that is impossible under every class
    _input_tags: ClassVar[dict[str, bool]] = {}  # what scikit-learn is to know of X

    def fit(self, X: Matrix | Chunks, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate from X, shape (m, n), and labels y, shape (m,); or from chunks (X, y)."""
        if (chunks := chunks_of(X, y=y, sample_weight=sample_weight)) is not None:
            schema, statistics = survey(chunks, self, _statistics_of, **self._checks)
            schema.adopt(self)
            return self._learn(statistics)
        return self._learn(self._collected(X, y, None, sample_weight, reset=True, part=False))

    def partial_fit(
        self, X: Matrix, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Add one more batch. The first call has to name all `classes`; no batch needs to have examples of each."""
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ValueError("the first call of partial_fit needs classes=, the labels of all classes to come")
        known = self.classes_ if classes is None else np.unique(labels(classes, "classes"))
        if not first and not np.array_equal(known, self.classes_):
            raise ValueError(f"classes={known!r} is not the same as on the first call: {self.classes_!r}")
        batch = self._collected(X, y, known, sample_weight, reset=first, part=True)
        return self._learn(batch if first else self.statistics_ + batch, patient=True)

    @classmethod
    def statistics(
        cls,
        X: Matrix,
        y: ArrayLike | None,
        *,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        **parameters: object,
    ) -> S:
        """Sufficient statistics of X, shape (m, n), and y, shape (m,), for a model with these parameters.

        `classes` names all classes, if y may lack some; they are also found when statistics are added.
        """
        known = None if classes is None else np.unique(labels(classes, "classes"))
        return cls(**parameters)._collected(X, y, known, sample_weight, reset=True, part=True)

    @classmethod
    def from_statistics(cls, statistics: S, **parameters: object) -> Self:
        """The fitted model with these parameters: the same as `fit` on the examples behind the statistics."""
        model = cls(**parameters)
        model.n_features_in_ = statistics.n_features
        return model._learn(statistics)

    def predict_joint_log_proba(self, X: Matrix) -> Array:
        """Score of each class: log p(x | y = j) + log p(y = j), up to a term that all classes share. Shape (m, K)."""
        self._check_estimated()
        return representable(self._joint(self._valid(X)))

    def predict_log_proba(self, X: Matrix) -> Array:
        """Log posterior log p(y = j | x). Shape (m, K)."""
        return self._in_precision(self._log_posterior(X), X)

    def predict_proba(self, X: Matrix) -> Array:
        """Posterior p(y = j | x). Shape (m, K), rows sum to one."""
        return self._in_precision(np.exp(self._log_posterior(X)), X)

    def predict(self, X: Matrix) -> Labels:
        """Class of the largest posterior. Shape (m,)."""
        joint = self._possible_joint(X)
        best = np.empty(len(joint), dtype=np.intp)
        by_blocks(lambda rows: joint[rows].argmax(axis=1, out=best[rows]), *joint.shape)
        return self.classes_[best]

    def _log_posterior(self, X: Matrix) -> Array:
        """Bayes' theorem: s_j - log sum_k exp(s_k), with s_j = log p(x | y = j) + log p(y = j). Shape (m, K)."""
        joint = self._possible_joint(X)
        with np.errstate(over="ignore"):  # odds of more than a floating-point number are a posterior of zero
            return log_softmax(joint, axis=1)

    def _joint(self, X: Matrix) -> Array:
        """s_j = log p(x | y = j) + log p(y = j), for valid X. Shape (m, K)."""
        joint = self._log_likelihood(X)
        joint += self._log_prior()
        return joint

    def _possible_joint(self, X: Matrix) -> Array:
        """The scores, if each x is possible in some class. Shape (m, K)."""
        joint = self.predict_joint_log_proba(X)
        possible = np.isfinite(joint)
        if not possible.all() and len(impossible := np.flatnonzero(~possible.any(axis=1))):
            raise ZeroEvidenceError(
                f"{len(impossible)} of {len(joint)} examples, the first in row {impossible[0]}, have probability zero "
                f"under every class, so that their posterior is 0/0. {self._remedy.format(**vars(self))}"
            )
        return joint

    @abstractmethod
    def _kind(self) -> str:
        """What `_collect` collects, in words: statistics of another kind are refused."""

    @abstractmethod
    def _collect(self, X: Matrix, codes: Indices, classes: Labels, weight: Array | None) -> S:
        """Statistics of X, shape (m, n), with classes[codes] its labels. No weight means that all are one."""

    @abstractmethod
    def _estimate(self, statistics: S) -> None:
        """Set the fitted attributes. NoEstimateError where more examples are needed."""

    @abstractmethod
    def _log_prior(self) -> Array:
        """log p(y = j). Shape (K,)."""

    @abstractmethod
    def _log_likelihood(self, X: Matrix) -> Array:
        """log p(x | y = j), up to a term that is the same for all classes. Shape (m, K)."""

    def _valid(self, X: Matrix) -> Matrix:
        return examples(self, X, reset=False, **self._checks)

    def _collected(
        self,
        X: Matrix,
        y: ArrayLike | None,
        classes: Labels | None,
        weight: ArrayLike | None,
        *,
        reset: bool,
        part: bool,
    ) -> S:
        """part : these are not all examples, so that all of their weights may be 0."""
        X, y = training_examples(self, X, y, reset=reset, **self._checks)
        classes, codes = np.unique(y, return_inverse=True) if classes is None else (classes, codes_of(y, classes))
        return self._collect(X, codes, classes, weights(weight, X, may_be_empty=part))

    def _learn(self, statistics: S, patient: bool = False) -> Self:
        """Parameters from the statistics, in place of those of an earlier fit, to which AllOrNothing goes back.

        patient : where more examples are needed for that, keep the statistics until they come.
        """
        if statistics.kind != self._kind():
            raise ValueError(
                f"{type(self).__name__} needs statistics of the kind {self._kind()!r}, received {statistics.kind!r}"
            )
        estimated = vars(self).get("_estimated", set())
        others = {name: value for name, value in vars(self).items() if name not in estimated}
        self.__dict__, lacking = others.copy(), ""
        try:
            self._estimate(statistics)
        except NoEstimateError as error:
            if not patient:
                raise
            self.__dict__, lacking = others.copy(), str(error)
        self._estimated = vars(self).keys() - others.keys()
        self.classes_, self.statistics_, self._lacking = statistics.classes, statistics, lacking
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = replace(tags.input_tags, **self._input_tags)
        tags.classifier_tags.poor_score = "sparse" in self._input_tags  # counts: not scikit-learn's Gaussian test data
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return bool(getattr(self, "_estimated", False))

    def _check_estimated(self) -> None:
        if "classes_" not in vars(self):
            check_is_fitted(self, "classes_")  # which says so, and takes its time
        if self._lacking:
            raise NotFittedError(f"this {type(self).__name__} has no estimate yet: {self._lacking}")

    def __getattr__(self, name: str) -> object:
        """Why a fitted attribute is not there yet. Python asks here for what it does not find."""
        if name.endswith("_") and not name.startswith("_") and (lacking := vars(self).get("_lacking")):
            raise NotFittedError(f"this {type(self).__name__} has no {name} yet: {lacking}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _in_precision(self, values: Array, X: Matrix) -> Array:
        """What was computed from X, in the precision of the model."""
        return values


def _statistics_of(chunk: Checked) -> ClassStatistics:
    """Those of a chunk, among the classes that it has."""
    classes, codes = np.unique(chunk.y, return_inverse=True)
    weight = weights(chunk.others.get("sample_weight"), chunk.X, may_be_empty=True)
    found: ClassStatistics = chunk.model._collect(chunk.X, codes, classes, weight)
    return found


def representable(scores: Array) -> Array:
    """The scores, shape (m, K), if none is NaN or infinite: -inf, the logarithm of zero, is allowed."""
    if not (scores < np.inf).all():
        row = np.flatnonzero(~(scores < np.inf).all(axis=1))[0]
        raise ValueError(
            f"the values of X in row {row} give scores that are more than a floating-point number can hold: rescale X"
        )
    return scores


class Generative(StatisticsClassifier[S]):
    """What a model of p(x, y), and not only of p(y | x), can do besides."""

    def log_joint(self, X: Matrix) -> Array:
        """log p(x, y = j), complete. Shape (m, K)."""
        self._check_estimated()
        X = self._valid(X)
        return representable(representable(self._joint(X)) + np.asarray(self._log_common(X))[..., None])

    def log_marginal(self, X: Matrix) -> Array:
        """The evidence log p(x) = log sum_j p(x, y = j). Shape (m,). -inf where x is impossible."""
        return logsumexp(self.log_joint(X), axis=1)

    def sample(self, n: int = 1, seed: int | np.random.Generator | None = None) -> tuple[Matrix, Labels]:
        """Draw y from the prior, then x from p(x | y). Returns X, shape (n, n_features), and y, shape (n,)."""
        rng = np.random.default_rng(seed)
        codes = self._draw_classes(n, rng)
        return self._draw(codes, rng), self.classes_[codes]

    def _draw_classes(self, n: int, rng: np.random.Generator) -> Indices:
        self._check_estimated()
        if not (is_whole(n) and n >= 1):
            raise ValueError(f"sample needs a whole number n of at least 1, received {n!r}")
        return rng.choice(len(self.classes_), size=n, p=np.exp(self._log_prior()))

    def _log_common(self, X: Matrix) -> Array | float:
        """The term that `_log_likelihood` leaves out. Shape (m,), or a number."""
        return 0.0

    @abstractmethod
    def _draw(self, codes: Indices, rng: np.random.Generator) -> Matrix:
        """x for each of the classes, by their numbers. Shape (n, n_features)."""


@dataclass(frozen=True)
class LinearPosterior:
    """Softmax model: log p(y = j | x) = w_j · f(x) + b_j - log sum_k exp(w_k · f(x) + b_k).

    classes : labels, shape (K,). coef : weights w_j, shape (K, p). intercept : b_j, shape (K,).
    features : f, from X of shape (m, n) to the p features in which the posterior is linear; mostly X itself.

    Adding one vector to all w_j, or one number to all b_j, changes nothing.
    """

    classes: Labels
    coef: Array
    intercept: Array
    features: Callable[[Matrix], Matrix] = matrix

    def __post_init__(self) -> None:
        if not (np.isfinite(self.coef).all() and np.isfinite(self.intercept).all()):
            raise ValueError(
                "a probability of the model is 0 or 1, so that its linear form has infinite weights: "
                "use alpha > 0 and a class prior without zeros"
            )

    def logistic(self) -> tuple[Array, float]:
        """theta, shape (p,), and theta_0 of p(second of two classes | x) = 1 / (1 + exp(-theta · f(x) - theta_0))."""
        if len(self.classes) != 2:
            raise ValueError(f"the logistic form is for two classes, this posterior has {len(self.classes)}: use coef")
        return self.coef[1] - self.coef[0], float(self.intercept[1] - self.intercept[0])

    def predict_log_proba(self, X: Matrix) -> Array:
        """Log posterior. Shape (m, K)."""
        features = self.features(X)
        if features.shape[1] != (p := self.coef.shape[1]):
            raise ValueError(f"X has {features.shape[1]} features, but this posterior has weights for {p}")
        with np.errstate(over="ignore", invalid="ignore"):  # refused where scores have to be representable
            return log_softmax(representable(features @ self.coef.T + self.intercept), axis=1)

    def predict_proba(self, X: Matrix) -> Array:
        """Posterior. Shape (m, K)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Matrix) -> Labels:
        """Class of the largest posterior. Shape (m,)."""
        return self.classes[self.predict_log_proba(X).argmax(axis=1)]
