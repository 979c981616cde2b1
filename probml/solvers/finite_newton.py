"""Newton's method for the squared hinge, which is a parabola for as long as the same examples have a margin below 1."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve

from probml.losses import Squared, SquaredHinge
from probml.objectives.base import Objective
from probml.objectives.linear import LinearObjective
from probml.objectives.private_columns import PrivateColumns
from probml.solvers.base import Run, Solution
from probml.solvers.newton_cg import inexact_direction, residual_allowed
from probml.threads import one_blas_thread
from probml.typing import Array, Indices

LARGEST_GRAM_ROWS = 1000  # up to which all of their products are computed once and for all
DENSE_SHARE = 1 / 16  # of the rows: columns that so many use are multiplied as a dense matrix


def finite_newton(
    objective: LinearObjective, start: ArrayLike | None = None, *, tolerance: float = 1e-8, max_iterations: int = 200
) -> Solution:
    """θ ← θ + t d, with d to the minimum of the parabola at θ, and t where F is least along d.

        F(w, b) = sum_i s_i max(0, 1 - y_i z_i)²/2 + l2/2 |w|²,     z_i = x_i · w + b + o_i,     A = {i : y_i z_i < 1}

    As long as A stays the same F is sum_A s_i (y_i - z_i)²/2 + l2/2 |w|². With exact steps there are finitely many
    (Mangasarian 2002). For up to `LARGEST_GRAM_ROWS` rows the steps are exact, by the Gram matrix X X^T. For more they
    are found by conjugate gradients, as well as `newton_cg` asks for (Keerthi and DeCoste 2005).
    """
    if not is_piecewise_parabolic(objective):
        raise ValueError(
            "finite_newton is for the squared hinge with l2 > 0; received "
            f"{type(getattr(objective, 'loss', objective)).__name__}, l2={getattr(objective, 'l2', None)}"
        )
    run = Run(objective, start, tolerance, max_iterations)
    with one_blas_thread():
        rows = sparse.csr_array(objective.X)
        products = gram(rows) if objective.n_examples <= LARGEST_GRAM_ROWS else None
        value, gradient = run.look()
        while not run.flat():
            if run.exhausted:
                return run.given_up()
            z = objective.predictors(run.theta)
            active = np.flatnonzero(objective.y * z < 1)
            if products is not None:
                d = exact_direction(objective, rows, products, run.theta, active)
            else:
                d = pooled_direction(objective, rows, gradient, active, residual_allowed(run, gradient))
            w, d_w = run.theta[: objective.n_features], d[: objective.n_features]
            short, gain = 1 - objective.y * z, objective.y * objective.change(d)
            weight = np.ones(len(z)) if objective.weight is None else objective.weight
            t = lowest_along(short, gain, weight, objective.l2 * float(w @ d_w), objective.l2 * float(d_w @ d_w))
            there = run.theta + t * d
            new_value, new_gradient = objective.value_and_gradient(there)
            if new_value >= value and np.linalg.norm(new_gradient) >= np.linalg.norm(gradient):
                return run.stuck()
            run.theta, value, gradient = there, new_value, new_gradient
            run.record(value, gradient)
        return run.converged()


def is_piecewise_parabolic(objective: Objective) -> bool:
    """Whether this is the squared hinge with a penalty, which makes each parabola one with a single minimum."""
    return isinstance(objective, LinearObjective) and isinstance(objective.loss, SquaredHinge) and objective.l2 > 0


def gram(X: sparse.csr_array) -> Array:
    """X X^T, shape (m, m), for X of shape (m, n).

    A column with k entries costs k² products of numbers one by one, m² in a dense matrix: by then in blocks that stay
    in the cache, and so the few columns that most rows use go there.
    """
    m, n = X.shape
    often = np.bincount(X.indices, minlength=n) > DENSE_SHARE * m
    dense, rest = X[:, np.flatnonzero(often)].toarray(), X[:, np.flatnonzero(~often)]
    products: Array = dense @ dense.T + (rest @ rest.T).toarray()
    return products


def exact_direction(
    objective: LinearObjective, rows: sparse.csr_array, products: Array, theta: Array, active: Indices
) -> Array:
    """d to the minimum of the parabola of the active rows, from the Gram matrix K = X X^T.

    At the minimum w = X_A^T α with l2 α_i = s_i (y_i - z_i), and without a slope in b:

        (K_AA + l2 diag(1 / s)) α = y - o - b 1,      sum α = 0
    """
    weight = np.ones(len(active)) if objective.weight is None else objective.weight[active]
    y = objective.y[active] - (0.0 if objective.offset is None else objective.offset[active])
    counts = weight > 0  # a row without a weight has α = 0
    active, weight, y = active[counts], weight[counts], y[counts]
    system = products[active][:, active]  # np.ix_ takes longer
    system[np.diag_indices(len(active))] += objective.l2 / weight
    objective.cost.add(0, len(active) ** 3 / 3)
    factor = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
    of_y, of_ones = cho_solve(factor, np.column_stack([y, np.ones(len(y))]), check_finite=False).T
    b = of_y.sum() / of_ones.sum() if objective.intercept and len(y) else 0.0
    w = rows[active].T @ (of_y - b * of_ones)
    return np.append(w, b)[: objective.n_parameters] - theta


def pooled_direction(
    objective: LinearObjective, rows: sparse.csr_array, gradient: Array, active: Indices, enough: float
) -> Array:
    """d with |H d + ∇F| ≤ enough for the Hessian H = X_A^T diag(s) X_A + l2 I of the active rows.

    These rows see w through E^T w only, with E the orthonormal columns of `PrivateColumns`: X_A = X E^T with fewer and
    shorter rows X. Where they see nothing H is l2 I, and d is -∇F / l2.
    """
    n = objective.n_features
    seen = PrivateColumns.of(rows[active], keep_order=True)
    weight = None if objective.weight is None else objective.weight[active]
    parabola = LinearObjective(
        seen.X, objective.y[active], Squared(), l2=objective.l2, intercept=objective.intercept, weight=weight
    )
    pooled = seen.pool(gradient[:n])
    v = inexact_direction(parabola, parabola.start(), np.append(pooled, gradient[n:]), enough)
    share = len(active) / objective.n_examples
    objective.cost.add(parabola.cost.passes * share, parabola.cost.flops)
    d_w = seen.back(v[: len(pooled)] + pooled / objective.l2) - gradient[:n] / objective.l2
    return np.append(d_w, v[len(pooled) :])


def lowest_along(short: Array, gain: Array, weight: Array, slope: float, curvature: float) -> float:
    """t ≥ 0 of the least  sum_i s_i max(0, f_i - t e_i)²/2 + t slope + t²/2 curvature,  which goes down from t = 0.

    short : f, what a margin lacks. gain : e, what a step adds to it. weight : s. Shapes (m,).
    The derivative is a broken line, a + c t on each piece, and goes up. At t = f_i / e_i a row leaves the sum, if e_i
    is positive, or joins it; the minimum is on the first piece whose right end has a derivative above 0.
    """
    inside = (short > 0) | ((short == 0) & (gain < 0))
    moving = np.flatnonzero((short > 0) & (gain > 0) | (short < 0) & (gain < 0))
    kinks = short[moving] / gain[moving]
    order = np.argsort(kinks)
    kinks, moving = kinks[order], moving[order]
    leaves = np.sign(gain[moving]) * weight[moving] * gain[moving]
    a = slope - np.sum((weight * short * gain)[inside]) + np.append(0.0, np.cumsum(leaves * short[moving]))
    c = curvature + np.sum((weight * gain * gain)[inside]) - np.append(0.0, np.cumsum(leaves * gain[moving]))
    past = np.flatnonzero(a[:-1] + c[:-1] * kinks >= 0)
    piece = past[0] if len(past) else len(kinks)
    return max(0.0, float(-a[piece] / c[piece]))
