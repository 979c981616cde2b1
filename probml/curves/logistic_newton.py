"""The compiled twin of `probml.solvers.newton` for logistic regression of one small training subset.

`minimise` looks for θ, and `dual_minimum` for an unknown of each example. The objective

    F(θ) = sum_i log(1 + e^-t_i) + sum_j penalty_j θ_j² / 2,      t_i = side_i (θ · a_i)

has the gradient -sum_i side_i σ(-t_i) a_i + penalty θ and the Hessian sum_i σ(t_i) σ(-t_i) a_i a_i^T + diag(penalty).
A step of Newton's is doubled for as long as that lowers the objective: where some examples want infinite predictors,
each step of length 1 lowers their loss by no more than the factor e. The Hessian is damped by a tiny multiple of the
identity (Levenberg), which moves no minimum, but holds what has no curvature left.

Without a penalty, the method ends as soon as θ separates all examples: there is no minimum, and this θ is the proof.
Otherwise it ends after a step from where the gap is below `GAP`: at the minimum, to rounding; or, under quasi-complete
separation, on the path of the likelihood where it comes this close to its supremum. Separable examples cannot end
there: a loss below log 2 separates, and their infimum is 0.
"""

import numpy as np

from probml.compiled import compiled
from probml.curves.cholesky import factor, solve_transposed, solve_triangular
from probml.typing import Array, Indices

Ones = tuple[Indices, Indices]
GAP = 1e-9  # the last step is taken where Newton's decrement, the gap that the quadratic model sees, is below this
DAMPING = 1e-13  # share of the trace of the Hessian
LONGEST = 64.0  # step
SHORTEST = 2.0**-30
NEWTON_STEPS = 200
CERTAIN = 1e-9  # share of the largest margin below which one that should be above 0 may be rounding
UNSOLVED = f"a logistic regression is not solved after {NEWTON_STEPS} steps of Newton's method: scale the features"
FACTORS = 1000  # of at most 2, whose product is a floating-point number


@compiled
def minimise(A: Array, side: Array, penalty: Array, theta: Array, ones: Ones) -> bool:
    """Moves θ, shape (p,), to the minimum, or until it separates all examples; whether it does.

    A : rows a_i, shape (m, p). side : +1 for the second class, -1 for the first, shape (m,). penalty : shape (p,).
    ones : `ones_of` A.
    """
    t = side * np.dot(A, theta)
    value = loss(t, t, 0.0)
    for _ in range(NEWTON_STEPS):
        gradient, hessian = system(A, side, t, ones)
        gradient += penalty * theta
        trace = 0.0
        for j in range(len(theta)):
            trace += hessian[j, j]
        damping = max(DAMPING * trace, 1e-300)
        for j in range(len(theta)):
            hessian[j, j] += penalty[j] + damping
        R, step = factor(hessian), -gradient
        solve_transposed(R, step)
        solve_triangular(R, step)
        change = side * np.dot(A, step)
        near = -(gradient * step).sum() / 2 <= GAP
        length = 1.0
        if not near:  # so near rounding hides what a step gains
            linear, square = (penalty * step * theta).sum(), (penalty * step**2).sum()
            length, value = _length(t, change, value, linear, square)
        theta += length * step
        t += length * change
        # All margins are above 0, and above the rounding of an example that no w gets off the boundary.
        right = not penalty.any() and t.min() > CERTAIN * max(1.0, t.max())
        if right or near or length < SHORTEST:
            return right
    raise RuntimeError(UNSOLVED)


@compiled
def system(A: Array, side: Array, t: Array, ones: Ones) -> tuple[Array, Array]:
    """Gradient, shape (p,), and Hessian, shape (p, p), at least its lower triangle, of the loss. ones : `ones_of` A."""
    m, p = A.shape
    pull, weight = _slopes(side, t)
    start, columns = ones
    if len(start) == 0:
        root = np.empty((m, p))
        for i in range(m):
            scale = np.sqrt(weight[i])
            for j in range(p):
                root[i, j] = scale * A[i, j]
        return np.dot(pull, A), np.dot(root.T, root)
    hessian = np.zeros((p, p))
    for i in range(m):
        for first in range(start[i], start[i + 1]):
            row = hessian[columns[first]]
            for other in range(start[i], first + 1):
                row[columns[other]] += weight[i]
    return np.dot(pull, A), hessian


@compiled
def _slopes(side: Array, t: Array) -> tuple[Array, Array]:
    """First and second derivatives of the losses by side t, the predictors: -side σ(-t) and σ(t) σ(-t)."""
    pull, weight = np.empty(len(t)), np.empty(len(t))
    for i in range(len(t)):
        e = np.exp(-abs(t[i]))
        less, more = e / (1 + e), 1 / (1 + e)
        pull[i] = -side[i] * (less if t[i] > 0 else more)
        weight[i] = less * more
    return pull, weight


@compiled
def dual_minimum(K: Array, side: Array, l2: float) -> tuple[Array, float]:
    """(α, b) at the minimum of sum_i log(1 + e^-t_i) + l2 α^T K α / 2, with t = side (K α + b).

    One unknown for each example: w = Xc^T α, for rows Xc with the products K = Xc Xc^T, shape (m, m). With slopes g and
    curvatures W of the losses, Newton's step (δ, δ_b) solves

        (W K + l2) δ + W 1 δ_b = -r,    1 · δ = 0,    r = g + l2 α,

    by a factor of B = S K S + l2 with S² = W, for (W K + l2)^-1 r = (r - S B^-1 S K r) / l2, and S B^-1 S 1 for W 1.
    """
    m = len(K)
    alpha, b, t = np.zeros(m), 0.0, np.zeros(m)
    value = loss(t, t, 0.0)
    for _ in range(NEWTON_STEPS):
        pull, weight = _slopes(side, t)
        r, root = pull + l2 * alpha, np.sqrt(weight)
        B = np.empty((m, m))
        for i in range(m):
            for j in range(m):
                B[i, j] = root[i] * K[i, j] * root[j]
            B[i, i] += l2
        R, of_r, of_one = factor(B), root * np.dot(K, r), root.copy()
        for right in (of_r, of_one):
            solve_transposed(R, right)
            solve_triangular(R, right)
        of_r, of_one = (r - root * of_r) / l2, root * of_one
        step_b = -of_r.sum() / of_one.sum()
        step = -of_r - step_b * of_one
        along = np.dot(K, step)
        change = side * (along + step_b)
        near = -(r * side * change).sum() / 2 <= GAP
        length = 1.0
        if not near:
            length, value = _length(t, change, value, l2 * (alpha * along).sum(), l2 * (step * along).sum())
        alpha += length * step
        b += length * step_b
        t += length * change
        if near or length < SHORTEST:
            return alpha, b
    raise RuntimeError(UNSOLVED)


@compiled
def _length(t: Array, change: Array, value: float, linear: float, square: float) -> tuple[float, float]:
    """1, 2, 4, ... while the objective falls; where 1 is too long, the first of 1/2, 1/4, ... that lowers it.

    And the loss there; here it is `value`. The penalty grows by linear s + square s² / 2 on the way s.
    """
    length, ahead = 1.0, loss(t, change, 1.0)
    best = value - ahead - linear - square / 2
    while best > 0 and length < LONGEST:
        farther = loss(t, change, 2 * length)
        gain = value - farther - 2 * length * (linear + length * square)
        if gain <= best:
            return length, ahead
        length, ahead, best = 2 * length, farther, gain
    while best <= 0 and length >= SHORTEST:
        length /= 2
        ahead = loss(t, change, length)
        best = value - ahead - length * (linear + length * square / 2)
    return length, ahead


@compiled
def loss(t: Array, change: Array, length: float) -> float:
    """sum_i log(1 + e^-z_i) = sum_i max(-z_i, 0) + log prod_i (1 + e^-|z_i|),  z = t + length change.

    One logarithm of a product takes less time than many. It is exact to m ε, far below what Newton's method looks at.
    """
    total = 0.0
    for start in range(0, len(t), FACTORS):
        product = 1.0
        for i in range(start, min(start + FACTORS, len(t))):
            z = t[i] + length * change[i]
            total += max(-z, 0.0)
            product *= 1 + np.exp(-abs(z))
        total += np.log(product)
    return total


@compiled
def ones_of(A: Array) -> Ones:
    """Where A, of 0s and 1s, shape (m, p), has its ones: where each row starts, shape (m + 1,), and their columns.

    Two empty arrays if A holds any other number.
    """
    m, p = A.shape
    start, columns = np.zeros(m + 1, dtype=np.intp), np.empty(m * p, dtype=np.intp)
    found = 0
    for i in range(m):
        for j in range(p):
            if A[i, j] == 1:
                columns[found] = j
                found += 1
            elif A[i, j] != 0:
                return start[:0], columns[:0]
        start[i + 1] = found
    return start, columns[:found]
