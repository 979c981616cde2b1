"""What is known of an objective at one point: solvers come back to where they have just been."""

from dataclasses import dataclass
from typing import NamedTuple

from scipy import sparse

from probml.typing import Array, Matrix


class FirstOrder(NamedTuple):
    """Of a pass for the gradient: ∇F, shape (p,), and the predictors, shape (m,)."""

    gradient: Array
    predictors: Array


class SecondOrder(NamedTuple):
    """Of a pass for the Hessian: ∇F, shape (p,), ∇²F, shape (p, p), and the curvatures s l'', shape (m,)."""

    gradient: Array
    hessian: Array
    curvatures: Array


class CurvedRows(NamedTuple):
    """The examples that have a curvature s l'': these, their rows of X, and the transpose of the rows if sparse."""

    curvatures: Array
    X: Matrix
    transposed: sparse.csc_array | None


@dataclass
class Point:
    """θ, shape (p,), and what passes over the examples have found there.

    hessian_below : a matrix H ≤ ∇²F(θ) that a solver has left here: where it is regular, the Hessian is.
    """

    theta: Array
    first: FirstOrder | None = None
    second: SecondOrder | None = None
    curved: CurvedRows | None = None
    hessian_below: Array | None = None
