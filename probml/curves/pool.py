"""All examples, as distinct rows with counts; errors on what a training subset leaves."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from probml.compiled import compiled
from probml.curves.scores import Scores
from probml.typing import Array, Indices

Ties = Literal["first", "last", "half"]


@dataclass(frozen=True)
class Pool:
    """The examples of a study. Discrete tasks have far fewer distinct rows than examples: each is scored once.

    rows : distinct rows, shape (u, n); columns : the same, column by column in memory. row_of : number of the row of
    each example, shape (N,). y : classes of the examples, shape (N,). count : examples with row u and class k, shape
    (u, K).
    """

    rows: Array
    columns: Array
    row_of: Indices
    y: Indices
    count: Array

    @classmethod
    def of(cls, X: Array, y: Indices) -> "Pool":
        """X, shape (N, n), and classes 0, ..., K - 1, shape (N,)."""
        # Rows are compared as bytes, which is fast; adding 0 makes 0 of -0.
        bytes_of_rows = np.ascontiguousarray(X + 0.0).view(f"V{X.itemsize * X.shape[1]}").ravel()
        _, first, row_of = np.unique(bytes_of_rows, return_index=True, return_inverse=True)
        rows, row_of = X[first], row_of.reshape(-1).astype(np.intp)
        K = int(y.max()) + 1
        count = np.bincount(row_of * K + y, minlength=len(rows) * K).reshape(len(rows), K)
        return cls(rows, np.asfortranarray(rows), row_of, y, count.astype(np.float64))

    @cached_property
    def largest(self) -> Array:
        """Size of the largest value of each feature, shape (n,)."""
        return np.asarray(np.abs(self.rows).max(axis=0))

    @cached_property
    def balance(self) -> NDArray[np.int64]:
        """How many more examples of a row are of the first of two classes, shape (u,)."""
        return np.asarray(self.count[:, 0] - self.count[:, 1], dtype=np.int64)

    def test_losses(
        self, scores: Scores, train: Indices, ties: Ties, log_loss: bool, memory: int
    ) -> tuple[Array, Array | None]:
        """Share of errors, and mean log loss, on the rows that are not in the training subset. Shapes (B,).

        Found on all rows, by one matrix product, less the training subset. train : shape (B, m). memory : bytes.
        """
        B, m = train.shape
        N, u = len(self.y), len(self.rows)
        step = max(1, memory // (8 * u * scores.width(self.rows.shape[1])))
        error, loss = np.empty(B), np.empty(B) if log_loss else None
        rounding = scores.rounding(self.largest)
        for start in range(0, B, step):
            some = slice(start, min(start + step, B))
            z = scores.of(self.columns, some)
            at, y = self.row_of[train[some]], self.y[train[some]]
            error[some] = self._errors(z, rounding[some], at, y, ties) / (N - m)
            if loss is not None:
                loss[some] = self._log_loss(z, at, y) / (N - m)
        return error, loss

    def _errors(self, z: Array, rounding: Array, at: Indices, y: Indices, ties: Ties) -> Array:
        """Errors on the test part, shape (b,). A tie goes to the first or the last class, or to each with its share."""
        b = np.arange(len(z))[:, None]
        if z.shape[1] > 1:
            best = z >= (z.max(axis=1) - rounding)[:, None, :]
            if ties == "half":
                chosen = best / best.sum(axis=1, keepdims=True)
            else:
                turn = slice(None, None, 1 if ties == "first" else -1)
                chosen = best & (best[:, turn].cumsum(axis=1) == 1)[:, turn]
            right = np.einsum("bku,uk->b", chosen.astype(np.float64), self.count) - chosen[b, y, at].sum(axis=1)
            return np.asarray(len(self.y) - at.shape[1] - right)
        second = {"first": 0.0, "last": 1.0, "half": 0.5}[ties]
        return np.asarray(self.y.sum() + _more_errors(z[:, 0], rounding[:, 0], self.balance, at, y, second))

    def _log_loss(self, z: Array, at: Indices, y: Indices) -> Array:
        """Sum of -log p(y | x) over the test part, shape (b,)."""
        if z.shape[1] == 1:
            z = np.concatenate([np.zeros_like(z), z], axis=1)
        z = z - z.max(axis=1, keepdims=True)
        z = np.log(np.exp(z).sum(axis=1, keepdims=True)) - z
        loss: Array = np.einsum("bku,uk->b", z, self.count) - z[np.arange(len(z))[:, None], y, at].sum(axis=1)
        return loss


@compiled
def _more_errors(z: Array, rounding: Array, balance: NDArray[np.int64], at: Indices, y: Indices, ties: float) -> Array:
    """Errors on the test part, shape (b,), above those of calling all rows the first class.

    z : log odds of the rows, shape (b, u). balance : how many more examples of a row are of the first class, shape
    (u,). at, y : rows and classes of the training subset, shape (b, m). ties : the share of a tie that is called
    second.
    """
    more = np.empty(len(z))
    for b in range(len(z)):
        called, tied = 0, 0  # whole numbers, whose sums do not depend on their order
        for u in range(len(balance)):
            called += balance[u] if z[b, u] > rounding[b] else 0
            tied += balance[u] if abs(z[b, u]) <= rounding[b] else 0
        more[b] = called + ties * tied
        for i in range(at.shape[1]):
            score = z[b, at[b, i]]
            second = 1.0 if score > rounding[b] else ties if abs(score) <= rounding[b] else 0.0
            more[b] -= abs(y[b, i] - second)
    return more
