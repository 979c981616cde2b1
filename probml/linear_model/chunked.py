"""Linear models of examples in chunks: the first pass, a chunk's share of the objective, better columns from sums.

The way to the minimum is that of `probml.linear_model.minimum`, with sums over chunks for what a fit in memory finds in
X. The rank of the columns, and orthogonal ones in their place, come from triangular factors: those of two chunks, one
on top of the other, have the factor of both chunks, and nothing is squared that would lose digits.

What is not had in chunks: solvers that draw, sort or mark examples; the linear program that finds separation, so that
UndecidedSeparationError says what cannot be told; a bound on the gap of losses without self-concordance; `summary`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np
from scipy.linalg import solve_triangular
from sklearn.base import BaseEstimator, clone, is_classifier

from probml.chunks import Checked, Chunk, Chunks, checked
from probml.errors import UndecidedSeparationError
from probml.inputs import weights as weights_of
from probml.linear_model.design import (
    BetterColumns,
    Rank,
    dense,
    divided,
    magnitudes,
    rank_of_centred,
    scale_of,
    unit_of_penalty,
)
from probml.linear_model.minimum import Recast, Task
from probml.linear_model.rows import Rows, in_ordinary_unit, offset_of
from probml.linear_model.solving import ModelObjective
from probml.objectives.chunked import ChunkedObjective
from probml.typing import Array, Indices, Labels, Mask, Matrix

CHECKS: dict[str, Any] = {"accept_sparse": "csr", "dtype": np.float64}
Make: TypeAlias = Callable[..., ModelObjective]  # of X, y=, weight= and, if there is one, offset=


@dataclass(frozen=True)
class Totals:
    """What the first pass adds up, of the rows with a weight above 0.

    magnitudes : of the columns, shape (n,). dense : whether all chunks are. weighted : whether any has weights.
    labels : of a classifier, sorted; of other responses the two smallest and the largest.
    weights : for each label its number of rows, the sum of their weights, and the largest; of responses that are no
    labels for all of them, under None. response, offset : of these sum_i s_i y_i and sum_i s_i o_i.
    """

    magnitudes: Array
    dense: bool
    weighted: bool
    labels: Labels
    weights: dict[object, tuple[int, float, float]]
    response: float = 0.0
    offset: float = 0.0

    def __add__(self, other: "Totals") -> "Totals":
        labels, weights = np.union1d(self.labels, other.labels), self.weights | other.weights
        for label in self.weights.keys() & other.weights.keys():
            (m, s, highest), (more, extra, higher) = self.weights[label], other.weights[label]
            weights[label] = m + more, s + extra, max(highest, higher)
        return Totals(
            np.maximum(self.magnitudes, other.magnitudes),
            self.dense and other.dense,
            self.weighted or other.weighted,
            extremes(labels) if None in weights else labels,
            weights,
            self.response + other.response,
            self.offset + other.offset,
        )

    @property
    def m(self) -> int:
        """How many rows there are."""
        return sum(rows for rows, _, _ in self.weights.values())

    def by_label(self) -> tuple[Array, Array]:
        """Sums of weights and largest weights in the order of the labels, shape (K,), or of all responses, (1,)."""
        keys = [None] if None in self.weights else self.labels.tolist()
        _, total, largest = zip(*(self.weights[key] for key in keys), strict=True)
        return np.array(total), np.array(largest)

    def of_classes(self, kept: Mask) -> "Totals":
        """Of some of the labels alone."""
        labels = self.labels[kept]
        return replace(self, labels=labels, weights={label: self.weights[label] for label in labels.tolist()})


def extremes(y: Labels) -> Labels:
    """The two smallest of distinct responses, sorted, and the largest: whether all of them are 0 or 1, or below 0."""
    return np.concatenate([y[:2], y[2:][-1:]])


def rows_of(chunk: Checked) -> Rows:
    """The rows of a chunk with a weight above 0, their responses checked by the model."""
    X, given = chunk.X, chunk.others
    offset = offset_of(X, given.get("offset"), given.get("exposure"))
    weight = weights_of(given.get("sample_weight"), X, may_be_empty=True)
    rows = Rows(X, chunk.y, weight, offset)
    if weight is not None and not (counts := weight > 0).all():
        rows = Rows(X[counts], chunk.y[counts], weight[counts], None if offset is None else offset[counts])
    return rows._replace(y=chunk.model._responses(rows.y))


def totals_of(chunk: Checked) -> Totals:
    """Those of one chunk."""
    X, y, weight, offset = rows_of(chunk)
    s = np.ones(len(y)) if weight is None else weight
    largest = magnitudes(X) if len(y) else np.zeros(X.shape[1])
    labels, codes = np.unique(y, return_inverse=True)
    found = Totals(largest, isinstance(X, np.ndarray), weight is not None, labels, {})
    if is_classifier(chunk.model):
        of_label = (s[codes == k] for k in range(len(labels)))
        weights = {
            label: (len(w), float(w.sum()), float(w.max())) for label, w in zip(labels.tolist(), of_label, strict=True)
        }
        return replace(found, weights=weights)
    weights = {None: (len(y), float(s.sum()), float(s.max(initial=0.0)))}
    offsets = 0.0 if offset is None else float(s @ offset)
    return replace(found, labels=extremes(labels), weights=weights, response=float(s @ y), offset=offsets)


@dataclass(frozen=True)
class Share:
    """From a chunk to its share of the objective: the sum of the losses of its examples.

    model : whose input the chunks are. make : the objective. classes, factor : the labels, and by what the weights of
    their examples are multiplied, shape (K,); None if y is no label. scale, unit : by which columns and weights are
    divided. kept, columns : in place of which columns of X there are better ones.
    """

    model: BaseEstimator
    make: Make
    classes: Labels | None
    factor: Array | None
    scale: Array
    unit: float
    kept: Indices | None = None
    columns: BetterColumns | None = None

    def __call__(self, chunk: Chunk, name: str) -> ModelObjective | None:
        """The objective of a chunk; None without any examples that count."""
        rows = self.rows(chunk, name)
        if rows is None or not rows.X.shape[0]:
            return None
        given = {} if rows.offset is None else {"offset": rows.offset}
        return self.make(self.recast(rows), y=rows.y, weight=rows.weight, **given)

    def rows(self, chunk: Chunk, name: str) -> Rows | None:
        """Its rows that count, in ordinary units, with classes as 0 to K - 1."""
        if (found := checked(self.model, chunk, name, **CHECKS)) is None:
            return None
        X, y, weight, offset = rows_of(found)
        if (self.scale != 1).any():
            X = divided(X, self.scale)
        if self.classes is not None:
            codes = np.searchsorted(self.classes, y)
            codes[codes == len(self.classes)] = 0
            if not (known := self.classes[codes] == y).all():  # the others have a class weight of 0
                X, codes, weight = X[known], codes[known], None if weight is None else weight[known]
            y = codes
        if self.factor is not None:
            weight = self.factor[y] if weight is None else weight * self.factor[y]
        return Rows(X, y, weight if weight is None else weight / self.unit, offset)

    def recast(self, rows: Rows) -> Matrix:
        """The columns that there are in place of those of X: (X - centre) R^-1."""
        if self.columns is None:
            return rows.X
        X = dense(rows.X if self.kept is None else rows.X[:, self.kept]) - self.columns.centre
        R = self.columns.R
        return X if R is None else np.ascontiguousarray(solve_triangular(R, X.T, trans="T").T)


@dataclass(frozen=True)
class Reach:
    """Where a likelihood of examples in chunks can want infinite predictors.

    of_chunk : from the objective of a chunk and its predictors without offset, shape (m, V), to the largest of them in
    the direction that makes its y more likely.
    """

    of_chunk: Callable[[Any, Array], float]

    def reach_at(self, objective: ChunkedObjective, theta: Array) -> float:
        """The largest of all."""
        return objective.largest(partial(self._of_objective, theta))

    def _of_objective(self, theta: Array, objective: ModelObjective) -> float:
        W, n = theta.reshape(objective.n_vectors, -1), objective.n_features
        return self.of_chunk(objective, objective.X @ W[:, :n].T + W[:, n:].sum(axis=1))


@dataclass(frozen=True)
class ChunkedTask(Task):
    """The problem of a sum over chunks. m, mean_weight : of all examples with a weight above 0."""

    chunks: Chunks
    share: Share
    m: int
    mean_weight: float

    @classmethod
    def of(
        cls, model: BaseEstimator, chunks: Chunks, totals: Totals, make: Make, factor: Array | None = None
    ) -> "ChunkedTask":
        """The task of a model with parameters l2 and fit_intercept. factor : by class, of weights, shape (K,)."""
        classes = totals.labels if None not in totals.weights else None
        total, largest = totals.by_label()
        if factor is not None:
            total, largest = total * factor, largest * factor
        weighted = totals.weighted or factor is not None
        _, l2, unit = in_ordinary_unit(largest if weighted else None, float(model.l2))
        scale, l2 = scale_of(totals.magnitudes, l2)
        c = unit_of_penalty(l2)
        share = Share(clone(model), make, classes, factor, scale * c, unit)
        mean = float(total.sum()) / unit / totals.m if weighted else 1.0
        return cls(l2 / c / c, bool(model.fit_intercept), scale * c, unit, totals.dense, chunks, share, totals.m, mean)

    def objective(self) -> ChunkedObjective:
        """F of the columns of X."""
        return self._of(self.share)

    def centred(self) -> Recast:
        """Of the same length."""
        return self._in(None, BetterColumns(np.empty((0, len(self.scale))), None, self._centre()))

    def unchanged(self) -> Recast:
        """F of the columns as they are."""
        n = len(self.scale)
        return self.objective(), BetterColumns(np.empty((0, n)), None, np.zeros(n))

    def orthogonal(self, kept: Indices) -> Recast:
        """With a mean square of 1, by the triangular factor of the centred columns."""
        R = np.linalg.qr(self._centred_factor()[:, kept], mode="r") / np.sqrt(self.m)
        return self._in(kept, BetterColumns(np.empty((0, len(kept))), R, self._centre()[kept]))

    def rank(self) -> Rank:
        """From the triangular factor of all chunks."""
        norms = np.linalg.norm(self._factor[:, int(self.intercept) :], axis=0)
        return rank_of_centred(self._centred_factor(), self._centre(), norms, self.m, self.intercept)

    def refuse_separation(self, boundary: Reach, kept: Indices | None = None) -> None:
        """UndecidedSeparationError: no sum over chunks says which rows are separated."""
        raise UndecidedSeparationError(
            "the likelihood may have no maximum: a linear predictor may separate rows, and want to be infinite. In "
            "chunks that is not found out: use l2 > 0, or fit to a part of the rows in memory, which says what is "
            "separated"
        )

    @cached_property
    def _factor(self) -> Array:
        """R of (1, X) = Q R, or of X without intercept, shape (p, p), or less if there are fewer rows: one pass."""
        found = self.chunks.total(partial(_triangle, self.share, self.intercept), _stacked)
        return np.zeros((0, len(self.columns))) if found is None else found

    def _centred_factor(self) -> Array:
        """That of the centred columns: what is left of them below the row of the column of ones."""
        return self._factor[1:, 1:] if self.intercept else self._factor

    def _centre(self) -> Array:
        if not self.intercept:
            return np.zeros(len(self.scale))
        return np.asarray(self._factor[0, 1:] / self._factor[0, 0])

    def _in(self, kept: Indices | None, columns: BetterColumns) -> Recast:
        return self._of(replace(self.share, kept=kept, columns=columns)), columns

    def _of(self, share: Share) -> ChunkedObjective:
        n = len(self.scale) if share.kept is None else len(share.kept)
        like = share.make(np.zeros((0, n)), y=np.zeros(0, dtype=int))
        return ChunkedObjective(self.chunks, share, like, l2=self.l2, n_examples=self.m, unit=self.mean_weight)


def _triangle(share: Share, intercept: bool, chunk: Chunk, name: str) -> Array | None:
    if (rows := share.rows(chunk, name)) is None:
        return None
    X = dense(rows.X)
    return _stacked(np.column_stack([np.ones(len(X)), X]) if intercept else X)


def _stacked(*blocks: Array) -> Array:
    """The triangular factor of blocks on top of each other."""
    return np.asarray(np.linalg.qr(np.vstack(blocks), mode="r"))
