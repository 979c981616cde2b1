"""Logistic regression for a batch of training subsets: maximum likelihood, and what to do where it does not exist."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from probml.curves.checks import require_comparable, require_number, require_squares
from probml.curves.logistic_minimum import minima
from probml.curves.logistic_newton import minimise, ones_of
from probml.curves.margin import largest_margin, least_squares
from probml.curves.row_space import row_spaces, with_one
from probml.curves.scores import LinearScores
from probml.curves.subsets import Fit, Subsets
from probml.errors import ParameterError, SeparationError
from probml.typing import Array, Indices, Mask

EXAMPLES_PER_DIMENSION = 2  # up to which random classes are separable more often than not (Cover 1965)
REGULAR_PENALTY = 1e-6  # share of the largest |x|² above which a penalty keeps a system regular


class Choice(Protocol):
    """A way of one's own to choose among the hyperplanes that separate a training subset."""

    name: str  # of its curve

    def __call__(self, A: Array, inside: Array, generators: list[np.random.Generator]) -> Array:
        """A point of each cone {θ : a_i · θ > 0 for all i}, with rows A, shape (b, c, d). Shape (b, d).

        θ is (w, b). inside : a point of each cone, shape (b, d). generators : one for each of them.
        """


Rule = Literal["margin", "ridge"] | Choice
RULES = ("margin", "ridge")


@dataclass(frozen=True)
class LogisticRegression:
    r"""p(second of two classes | x) = σ(w · x + b): the batched twin of `probml.linear_model.LogisticRegression`.

    Of each training subset, with examples x_i, shape (m, n), and sides y_i = 1 for the second class, else -1, this
    minimises

    .. math::
        \sum_i \log(1 + e^{-y_i (w \cdot x_i + b)}) + \tfrac{1}{2} l_2 |w|^2

    b is not penalised. Of all w that are equally good, the shortest. If l2 = 0, a training subset has

        a finite maximum           which Newton's method finds;
        complete separation        a w for which all examples are on the right side, at which Newton's method stops: an
                                   exact proof. What to take instead is for `separable` to say;
        quasi-complete separation  a supremum at infinity, but no such w: some examples stay undecided. The path of
                                   Newton's method is followed until the likelihood is within 1e-9 of the supremum.

    separable : a rule, or several, each of which gives a curve; the other subsets share their fits. None: an error.
        "margin"  of the largest margin, which is where the path of the likelihood goes.
        "ridge"   the penalty ridge/2 |w|².
        a `Choice` of your own: any hyperplane that separates all examples.
    """

    l2: float = 0.0
    separable: Rule | tuple[Rule, ...] | None = None
    ridge: float = 1e-3
    rules: dict[str, Rule] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        require_number("l2", self.l2)
        require_number("ridge", self.ridge, positive=True)
        given: tuple[Any, ...] = (self.separable,)
        if self.separable is None or isinstance(self.separable, tuple | list):
            given = tuple(self.separable or ())
        named: dict[Any, Any] = {rule if rule in RULES else getattr(rule, "name", None): rule for rule in given}
        if None in named:
            raise ParameterError(f"separable must be of {', '.join(RULES)}, or a Choice; received {named[None]!r}")
        if len(named) < len(given):
            raise ParameterError(f"each rule of separable needs a name of its own, received {', '.join(named)}")
        object.__setattr__(self, "rules", named)

    def check(self, X: Array, K: int) -> None:
        """Refuse more than two classes, and features of scales so different that a penalty or a rule would lose some.

        Both compare features with each other and with the 1 that goes with the intercept. Maximum likelihood alone
        compares none, but squares them.
        """
        if K != 2:
            raise ParameterError(
                f"LogisticRegression is for two classes, y has {K}: take two of them, or use GaussianNB or GDA"
            )
        ranges = require_squares(X, of_each=True)
        if self.l2 > 0 or self.rules:
            require_comparable(np.append(ranges, 1.0), "features, and the 1 of an intercept,")

    def fit(self, subsets: Subsets) -> Fit:
        """All training subsets at once. θ is (w, b), in all features: shape (B, n + 1)."""
        every = np.arange(len(subsets.X))
        if self.l2 > 0:
            return Fit({"": scores_of(penalised(subsets, every, self.l2))})
        separable, theta = separated_at_once(subsets)
        others = every[~separable]
        theta[others], separable[others] = minima(subsets.X, sides(subsets.y), others, 0.0)
        if separable.any() and not self.rules:
            raise SeparationError(
                f"{separable.sum()} of {len(separable)} training subsets of {subsets.X.shape[1]} examples are "
                "completely separable, so that the likelihood has no maximum: give "
                f"separable={RULES[0]!r} or {RULES[1]!r}, or use l2 > 0"
            )
        scores = {}
        for name, rule in self.rules.items():
            chosen = theta.copy()
            chosen[separable] = self._by_rule(rule, subsets, every[separable], theta[separable])
            scores[name] = scores_of(chosen)
        without_scale = tuple(name for name in scores if name != "ridge")
        return Fit(scores or {"": scores_of(theta)}, separable, without_scale)

    def _by_rule(self, rule: Rule, subsets: Subsets, which: Indices, inside: Array) -> Array:
        """θ of the subsets `which`, that are separable, by the rule. inside : θ that separate them."""
        if callable(rule):
            margins = sides(subsets.y[which])[:, :, None] * with_one(subsets.X[which])
            return rule(margins, inside, subsets.generators(which))
        if rule == "ridge":
            return penalised(subsets, which, self.ridge)
        return in_row_spaces(
            subsets, which, 1.0, lambda A, side, penalty: largest_margin(side[:, :, None] * A, penalty)
        )


def sides(y: Indices) -> Array:
    """+1 for the second class, -1 for the first."""
    return 2.0 * y.astype(np.float64) - 1


def scores_of(theta: Array) -> LinearScores:
    """The log odds w · x + b, for θ of shape (B, n + 1)."""
    return LinearScores(np.ascontiguousarray(theta[:, None, :-1]), np.ascontiguousarray(theta[:, -1:]))


def separated_at_once(subsets: Subsets) -> tuple[Mask, Array]:
    """Training subsets that least squares separate, shape (B,), and the θ that do.

    With at most as many examples as dimensions these are nearly all; with many more, nearly none.
    """
    B, m, n = subsets.X.shape
    if m > EXAMPLES_PER_DIMENSION * (n + 1):
        return np.zeros(B, dtype=bool), np.empty((B, n + 1))
    theta, separable = least_squares(sides(subsets.y)[:, :, None] * with_one(subsets.X))
    return separable, theta


def penalised(subsets: Subsets, which: Indices, l2: float) -> Array:
    """θ of the subsets `which` under a penalty. Unless that is tiny, no orthonormal basis is needed."""
    strong = l2 > REGULAR_PENALTY * np.einsum("bmn,bmn->bm", subsets.X, subsets.X).max(axis=1)[which]
    theta = np.empty((len(which), subsets.X.shape[2] + 1))
    theta[strong], _ = minima(subsets.X, sides(subsets.y), which[strong], l2)
    theta[~strong] = in_row_spaces(subsets, which[~strong], l2, each_minimum)
    return theta


def in_row_spaces(subsets: Subsets, which: Indices, l2: float, solve: Callable[[Array, Array, Array], Array]) -> Array:
    """θ of the subsets `which`, shape (len(which), n + 1), each found in orthonormal coordinates Z of its row space.

    solve : θ, shape (b, r + 1), from (Z, 1), shape (b, m, r + 1), sides, shape (b, m), and the penalty of each entry of
    θ that is l2 for the features, shape (b, r + 1).
    """
    theta = np.empty((len(subsets.X), subsets.X.shape[2] + 1))
    for space in row_spaces(subsets.X, which):
        theta[space.which] = space.raw(solve(with_one(space.Z), sides(subsets.y[space.which]), space.penalty(l2)))
    return theta[which]


def each_minimum(A: Array, side: Array, penalty: Array) -> Array:
    """θ at the minimum of loss + sum_j penalty_j θ_j² / 2 for each subset, shape (b, r + 1)."""
    theta = np.zeros(penalty.shape)
    for k in range(len(A)):
        minimise(A[k], side[k], penalty[k], theta[k], ones_of(A[k]))
    return theta
