r"""Data without a maximum of the likelihood: separation, found exactly by linear programming.

Along a direction d = (w, b) the predictor of row i changes by z_i = x_i · w + b. A convex objective has no minimum
exactly if some d never makes any loss go up and makes at least one go down for ever (a direction of recession):

    y = 1 of two classes               log(1 + e^-z) falls as z grows         z_i ≥ 0      sign +1
    y = 0 of two classes, count of 0   log(1 + e^z), e^z fall as z shrinks    z_i ≤ 0      sign -1
    a share between 0 and 1, count > 0 the loss goes up on both sides         z_i = 0      sign 0

and side_i z_i > 0 for some row: this row is *separated*. Directions of recession add up to one of them, so there is
one that separates all the rows that any of them separates, and it may be as long as we like. So

    maximise sum_i t_i    subject to  0 ≤ t_i ≤ 1,   side_i z_i ≥ t_i where side_i ≠ 0,   z_i = 0 where side_i = 0

has t_i = 1 for all rows that can be separated, t_i = 0 for the others, and as its value their number. 0: there is a
minimum. All rows: *complete* separation. Anything between: *quasi-complete* (Albert and Anderson 1984).

The program is solved within a tolerance, in which a tiny overlap would vanish. So what it finds is checked: for rows
that are not separated z has to be 0, and the others have to stay separated by the part of d for which it is. If they
do not, they are looked at once more, with directions of this kind only.

Softmax: D has a vector for each class, that of the last may be 0, and each row has a pair (i, k) for each wrong class,
with z_i,y_i - z_ik ≥ t_ik.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.linalg import null_space
from scipy.optimize import linprog

from probml.errors import SeparationError, UndecidedSeparationError
from probml.linear_model.design import magnitudes
from probml.typing import Array, Indices, Mask, Matrix


@dataclass(frozen=True)
class Separation:
    """rows : which rows are separated, shape (m,). complete : whether all are, from all other classes."""

    rows: Mask
    complete: bool

    def raise_if_any(self, features: int) -> None:
        """SeparationError that says what was found."""
        if not self.rows.any():
            return
        kind = "complete" if self.complete else "quasi-complete"
        remedy = "use l2 > 0, or leave out the feature that separates them" if features else "there is nothing to fit"
        raise SeparationError(
            f"{kind} separation: {self.rows.sum()} of {len(self.rows)} rows are separated by a linear predictor, which "
            f"the likelihood wants to be infinite, so that it has no maximum: {remedy}"
        )


def separation(X: Matrix, sign: Indices, intercept: bool) -> Separation:
    """Separation of rows X, shape (m, n), with signs +1, -1 and 0, shape (m,), as above."""
    A = with_ones(X, intercept)
    free = sign != 0
    signed = sparse.diags_array(sign[free].astype(np.float64)) @ A[free]
    rows = np.zeros(len(sign), dtype=bool)
    rows[free] = most_separated(signed, A[~free])
    return Separation(rows, bool(rows.all()))


def softmax_separation(X: Matrix, codes: Indices, K: int, intercept: bool) -> Separation:
    """Separation of rows X, shape (m, n), of the classes 0 to K - 1, shape (m,)."""
    A = with_ones(X, intercept)
    rows, wrong = np.nonzero(codes[:, None] != np.arange(K))
    blocks = [sparse.diags_array((codes[rows] == k) * 1.0 - (wrong == k)) @ A[rows] for k in range(K - 1)]
    pairwise = most_separated(sparse.hstack(blocks, format="csr"), sparse.csr_array((0, (K - 1) * A.shape[1])))
    found = pairwise.reshape(len(codes), K - 1)
    return Separation(np.asarray(found.any(axis=1)), bool(found.all()))


def with_ones(X: Matrix, intercept: bool) -> sparse.csr_array:
    """(X, 1), with columns scaled to a largest value of 1, which changes no direction's sign."""
    largest = magnitudes(X)
    scaled = sparse.csr_array(X) @ sparse.diags_array(1 / np.where(largest > 0, largest, 1.0))
    return sparse.hstack([scaled, np.ones((X.shape[0], int(intercept)))], format="csr")


def most_separated(signed: sparse.csr_array, fixed: sparse.csr_array) -> Mask:
    """Whether t = 1, shape (rows of signed,): maximise sum t with signed d ≥ t, 0 ≤ t ≤ 1, fixed d = 0."""
    rows, p = signed.shape
    if not rows or not p:
        return np.zeros(rows, dtype=bool)
    program = linprog(
        np.concatenate([np.zeros(p), -np.ones(rows)]),
        A_ub=sparse.hstack([-signed, sparse.eye_array(rows)], format="csr"),
        b_ub=np.zeros(rows),
        A_eq=sparse.hstack([fixed, sparse.csr_array((fixed.shape[0], rows))], format="csr"),
        b_eq=np.zeros(fixed.shape[0]),
        bounds=[(None, None)] * p + [(0.0, 1.0)] * rows,
        method="highs",
    )
    if program.status != 0:
        raise UndecidedSeparationError(
            "the likelihood may have no maximum: whether a linear predictor separates rows was not found out, since "
            f"the linear program that looks for it failed ({program.message}). Use l2 > 0, or "
            "leave out columns"
        )
    d: Array = program.x[:p]
    separated: Mask = program.x[p:] > 0.5
    if separated.all() and not fixed.shape[0]:
        return separated
    flat = null_space(np.linalg.qr(sparse.vstack([signed[~separated], fixed]).toarray(), mode="r"))
    within = sparse.csr_array(signed[separated] @ flat)
    if not (within @ (flat.T @ d) > 0.25).all():
        separated[separated] = most_separated(within, sparse.csr_array((0, flat.shape[1])))
    return separated
