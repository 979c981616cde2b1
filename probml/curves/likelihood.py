"""What logistic and softmax regression share: maximum likelihood, and what to do where it does not exist."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from probml.curves.checks import require_comparable, require_number, require_squares
from probml.curves.least_squares import least_squares
from probml.curves.margin import largest_margin
from probml.curves.model import Fit
from probml.curves.parts import Parts
from probml.curves.row_space import RowSpace, row_spaces
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
    """Maximum likelihood, or with a penalty l2/2 |w|², of linear scores w · x + b. b is not penalised.

    Of all w that are equally good, the shortest. If l2 = 0, a training part has

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
        given: tuple[Rule, ...] = ()
        if self.separable is not None:
            given = tuple(self.separable) if isinstance(self.separable, tuple | list) else (self.separable,)
        if nameless := [rule for rule in given if _name(rule) is None]:
            raise ParameterError(f"separable must be of {', '.join(RULES)}, or a Choice; received {nameless[-1]!r}")
        named = {name: rule for rule in given if (name := _name(rule)) is not None}
        if len(named) < len(given):
            raise ParameterError(f"each rule of separable needs a name of its own, received {', '.join(named)}")
        object.__setattr__(self, "rules", named)

    def fit(self, parts: Parts) -> Fit:
        """All parts at once."""
        every = np.arange(len(parts.X))
        found = self._empty(parts)
        if self.l2 > 0:
            self._put_penalised(found, parts, every, self.l2)
            return Fit({"": found.scores()})
        separable, inside = self._at_once(parts)
        which = every[~separable]
        inside[which], separable[which] = self._most_likely(parts, which)
        found.put(which, inside[which])
        if separable.any() and not self.rules:
            raise SeparationError(
                f"{separable.sum()} of {len(separable)} training parts of {parts.X.shape[1]} examples are completely "
                f"separable, so that the likelihood has no maximum: give separable={RULES[0]!r} or {RULES[1]!r}, "
                "or use l2 > 0"
            )
        which = every[separable]
        scores = {
            name: self._by_rule(rule, parts, found, which, inside[which]).scores() for name, rule in self.rules.items()
        }
        return Fit(scores or {"": found.scores()}, separable, tuple(name for name in scores if name != "ridge"))

    def _at_once(self, parts: Parts) -> tuple[Mask, Array]:
        """Parts that least squares separate, shape (B,), and the (w, b) that do, shape (B, d), of all features.

        With at most as many examples as dimensions these are nearly all; with many more, nearly none.
        """
        B, m, n = parts.X.shape
        if m > EXAMPLES_PER_DIMENSION * (n + 1):
            return np.zeros(B, dtype=bool), np.empty((B, self._empty(parts).E.shape[1] * (n + 1)))
        theta, separable = least_squares(self._cone(parts, np.arange(B)))
        return separable, theta

    def _by_rule(
        self, rule: Rule, parts: Parts, found: "Coefficients", which: Indices, inside: Array
    ) -> "Coefficients":
        """With the parts `which`, that are separable, by the rule. inside : (w, b) that separate them."""
        found = found.copy()
        if callable(rule):
            found.put(which, rule(self._cone(parts, which), inside, parts.generators(which)))
        elif rule == "ridge":
            self._put_penalised(found, parts, which, self.ridge)
        else:
            for space in row_spaces(parts.X, which):
                penalty = penalties(space, 1.0, found.E.shape[1])
                found.put(space.which, space.raw(largest_margin(self._constraints(space, parts), penalty)))
        return found

    def _put_penalised(self, found: "Coefficients", parts: Parts, which: Indices, l2: float) -> None:
        """The minima of the parts `which` under a penalty. Unless that is tiny, no orthonormal basis is needed."""
        strong = l2 > REGULAR_PENALTY * np.einsum("bmn,bmn->bm", parts.X, parts.X).max(axis=1)[which]
        found.put(which[strong], self._least_penalised(parts, which[strong], l2))
        for space in row_spaces(parts.X, which[~strong]):
            found.put(space.which, space.raw(self._solve(space, parts, l2)[0]))

    def check(self, X: Array, K: int) -> None:
        """Refuse features of scales so different that a penalty or a rule, which compare them, would lose some.

        They are compared with each other and with the 1 that goes with the intercept. Maximum likelihood alone
        compares none, but squares them.
        """
        ranges = require_squares(X, of_each=True)
        if self.l2 > 0 or self.rules:
            require_comparable(np.append(ranges, 1.0), "features, and the 1 of an intercept,")

    @abstractmethod
    def _most_likely(self, parts: Parts, which: Indices) -> tuple[Array, Mask]:
        """θ of the largest likelihood of the parts `which`, of all features, and which of them it separates."""

    @abstractmethod
    def _least_penalised(self, parts: Parts, which: Indices, l2: float) -> Array:
        """θ of the parts `which`, of all features, where the penalty is strong enough to keep all systems regular."""

    @abstractmethod
    def _solve(self, space: RowSpace, parts: Parts, l2: float) -> tuple[Array, Mask]:
        """θ of the parts of `space`, in its coordinates, and which of them it separates."""

    @abstractmethod
    def _constraints(self, space: RowSpace, parts: Parts) -> Array:
        """G with margins G θ, shape (b, c, p), θ in the coordinates of `space`."""

    @abstractmethod
    def _cone(self, parts: Parts, which: Indices) -> Array:
        """Margins as a matrix in all features and the intercept, shape (b, c, d)."""

    @abstractmethod
    def _empty(self, parts: Parts) -> "Coefficients":
        """Coefficients to be filled in."""


@dataclass(frozen=True)
class Coefficients:
    """coef, shape (B, V, n), and intercept, shape (B, V): V scores E Θ (x, 1), E of shape (V, C). To be filled in."""

    coef: Array
    intercept: Array
    E: Array

    @classmethod
    def empty(cls, B: int, n: int, E: Array) -> "Coefficients":
        """Zeros."""
        return cls(np.zeros((B, len(E), n)), np.zeros((B, len(E))), E)

    def copy(self) -> "Coefficients":
        """Arrays of their own."""
        return Coefficients(self.coef.copy(), self.intercept.copy(), self.E)

    def put(self, which: Indices, theta: Array) -> None:
        """From θ = (w, b) of all features, shape (b, C (n + 1))."""
        Theta = self.E @ theta.reshape(len(theta), self.E.shape[1], self.coef.shape[2] + 1)
        self.coef[which], self.intercept[which] = Theta[:, :, :-1], Theta[:, :, -1]

    def scores(self) -> LinearScores:
        """One score is the log odds of two classes; of two or more, each is of a class."""
        if len(self.E) == 1:
            return LinearScores(self.coef, self.intercept)
        return LinearScores.of_classes(self.coef, self.intercept)


def _name(rule: Rule) -> str | None:
    """Of a rule's curve; None for what is no rule."""
    if isinstance(rule, str) and rule in RULES:
        return rule
    name: str | None = getattr(rule, "name", None)
    return name


def with_one(X: Array) -> Array:
    """(x, 1), shape (b, m, n + 1)."""
    return np.concatenate([X, np.ones((*X.shape[:2], 1))], axis=2)


def penalties(space: RowSpace, l2: float, times: int) -> Array:
    """l2 / s_j² for the coordinates, 0 for the intercept, repeated: shape (b, times (r + 1))."""
    one = np.concatenate([l2 / space.square, np.zeros((len(space.square), 1))], axis=1)
    return np.tile(one, (1, times))
