"""What logistic and softmax regression share: maximum likelihood, and what to do where it does not exist."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from probml.curves.checks import require_comparable, require_number, require_squares
from probml.curves.margin import largest_margin, least_squares
from probml.curves.parts import Fit, Parts
from probml.curves.row_space import RowSpace, row_spaces, with_one
from probml.curves.scores import LinearScores
from probml.errors import ParameterError, SeparationError
from probml.typing import Array, Indices, Mask

EXAMPLES_PER_DIMENSION = 2  # up to which random classes are separable more often than not (Cover 1965)
REGULAR_PENALTY = 1e-6  # share of the largest |x|² above which a penalty keeps a system regular


class Choice(Protocol):
    """A way of one's own to choose among the hyperplanes that separate a part."""

    name: str  # of its curve

    def __call__(self, A: Array, inside: Array, generators: list[np.random.Generator]) -> Array:
        """A point of each cone {θ : a_i · θ > 0 for all i}, with rows A, shape (b, c, d). Shape (b, d).

        θ is (w, b). inside : a point of each cone, shape (b, d). generators : one for each of them.
        """


Rule = Literal["margin", "ridge"] | Choice
RULES = ("margin", "ridge")


@dataclass(frozen=True)
class Likelihood(ABC):
    r"""Maximum likelihood, or with a penalty l2/2 |w|², of linear scores w · x + b. b is not penalised.

    Of each training part, with examples x_i, shape (m, n), and classes y_i, this minimises

    .. math::
        -\sum_i \log p(y_i \mid x_i) + \tfrac{1}{2} l_2 |w|^2, \quad
        p(y = k \mid x) = \mathrm{softmax}_k(w_k \cdot x + b_k)

    with scores that sum to 0 over the classes; for logistic regression p(y = 1 | x) = σ(w · x + b), with one score. Of
    all w that are equally good, the shortest. If l2 = 0, a training part has

        a finite maximum           which Newton's method finds;
        complete separation        a w for which all examples are on the right side, at which Newton's method stops: an
                                   exact proof. What to take instead is for `separable` to say;
        quasi-complete separation  a supremum at infinity, but no such w: some examples stay undecided. The path of
                                   Newton's method is followed until the likelihood is within 1e-9 of the supremum.

    separable : a rule, or several, each of which gives a curve; the fits of all other parts are shared. None: an error.
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
        """Refuse features of scales so different that a penalty or a rule, which compare them, would lose some.

        They are compared with each other and with the 1 that goes with the intercept. Maximum likelihood alone
        compares none, but squares them.
        """
        ranges = require_squares(X, of_each=True)
        if self.l2 > 0 or self.rules:
            require_comparable(np.append(ranges, 1.0), "features, and the 1 of an intercept,")

    def fit(self, parts: Parts) -> Fit:
        """All parts at once. θ is (w, b), or C of them, in all features: shape (B, C (n + 1))."""
        every = np.arange(len(parts.X))
        if self.l2 > 0:
            return Fit({"": self._scores(self._penalised(parts, every, self.l2), parts.K)})
        separable, theta = self._at_once(parts)
        others = every[~separable]
        theta[others], separable[others] = self._minima(parts, others, 0.0)
        if separable.any() and not self.rules:
            raise SeparationError(
                f"{separable.sum()} of {len(separable)} training parts of {parts.X.shape[1]} examples are completely "
                f"separable, so that the likelihood has no maximum: give separable={RULES[0]!r} or {RULES[1]!r}, "
                "or use l2 > 0"
            )
        scores = {}
        for name, rule in self.rules.items():
            chosen = theta.copy()
            chosen[separable] = self._by_rule(rule, parts, every[separable], theta[separable])
            scores[name] = self._scores(chosen, parts.K)
        without_scale = tuple(name for name in scores if name != "ridge")
        return Fit(scores or {"": self._scores(theta, parts.K)}, separable, without_scale)

    def _at_once(self, parts: Parts) -> tuple[Mask, Array]:
        """Parts that least squares separate, shape (B,), and the θ that do.

        With at most as many examples as dimensions these are nearly all; with many more, nearly none.
        """
        B, m, n = parts.X.shape
        if m > EXAMPLES_PER_DIMENSION * (n + 1):
            return np.zeros(B, dtype=bool), np.empty((B, self._contrasts(parts.K).shape[1] * (n + 1)))
        theta, separable = least_squares(self._margins(with_one(parts.X), parts.y, parts.K))
        return separable, theta

    def _by_rule(self, rule: Rule, parts: Parts, which: Indices, inside: Array) -> Array:
        """θ of the parts `which`, that are separable, by the rule. inside : θ that separate them."""
        if callable(rule):
            return rule(
                self._margins(with_one(parts.X[which]), parts.y[which], parts.K), inside, parts.generators(which)
            )
        if rule == "ridge":
            return self._penalised(parts, which, self.ridge)
        theta = np.empty((len(parts.X), inside.shape[1]))
        for space in row_spaces(parts.X, which):
            margins = self._margins(with_one(space.Z), parts.y[space.which], parts.K)
            penalty = space.penalty(1.0, self._contrasts(parts.K).shape[1])
            theta[space.which] = space.raw(largest_margin(margins, penalty))
        return theta[which]

    def _penalised(self, parts: Parts, which: Indices, l2: float) -> Array:
        """θ of the parts `which` under a penalty. Unless that is tiny, no orthonormal basis is needed."""
        strong = l2 > REGULAR_PENALTY * np.einsum("bmn,bmn->bm", parts.X, parts.X).max(axis=1)[which]
        regular, _ = self._minima(parts, which[strong], l2)
        theta = np.empty((len(which), regular.shape[1]))
        theta[strong] = regular
        theta[~strong], _ = self._in_spaces(row_spaces(parts.X, which[~strong]), parts, which[~strong], l2)
        return theta

    def _in_spaces(self, spaces: Iterable[RowSpace], parts: Parts, which: Indices, l2: float) -> tuple[Array, Mask]:
        """θ of the parts `which`, that the spaces together hold, and which of them it separates."""
        B, _, n = parts.X.shape
        theta = np.empty((B, self._contrasts(parts.K).shape[1] * (n + 1)))
        separable = np.empty(B, dtype=bool)
        for space in spaces:
            found, separable[space.which] = self._solve(space, parts, l2)
            theta[space.which] = space.raw(found)
        return theta[which], separable[which]

    def _scores(self, theta: Array, K: int) -> LinearScores:
        """E Θ (x, 1): of one score the log odds of two classes; of two or more, each is of a class."""
        E = self._contrasts(K)
        Theta = E @ theta.reshape(len(theta), E.shape[1], -1)
        coef, intercept = np.ascontiguousarray(Theta[:, :, :-1]), np.ascontiguousarray(Theta[:, :, -1])
        return LinearScores(coef, intercept) if len(E) == 1 else LinearScores.of_classes(coef, intercept)

    @abstractmethod
    def _contrasts(self, K: int) -> Array:
        """E, shape (V, C): V scores E Θ (x, 1), with Θ of shape (C, n + 1)."""

    @abstractmethod
    def _margins(self, A: Array, y: Indices, K: int) -> Array:
        """G with margins G θ, shape (b, c, C q), for examples A = (x, 1), in any coordinates, shape (b, m, q)."""

    @abstractmethod
    def _minima(self, parts: Parts, which: Indices, l2: float) -> tuple[Array, Mask]:
        """θ of the parts `which`, and which of them it separates; l2 is 0, or keeps all systems regular."""

    @abstractmethod
    def _solve(self, space: RowSpace, parts: Parts, l2: float) -> tuple[Array, Mask]:
        """θ of the parts of `space`, in its coordinates, and which of them it separates."""
