"""A joint distribution of a few events, in exact fractions."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

Outcome = tuple[int, ...]


@dataclass(frozen=True)
class Joint:
    """p(a, b, c, ...) of named variables with values 0 and 1. table : probability of each of the 2^n outcomes."""

    names: tuple[str, ...]
    table: dict[Outcome, Fraction]

    def __post_init__(self) -> None:
        if set(self.table) != set(product((0, 1), repeat=len(self.names))):
            raise ValueError(f"the table needs each of the {2 ** len(self.names)} outcomes of {self.names} once")
        if min(self.table.values()) < 0 or sum(self.table.values()) != 1:
            raise ValueError(f"probabilities must not be negative and must sum to 1, received {self.table}")

    @classmethod
    def of(cls, names: tuple[str, ...], probability: Callable[..., Fraction]) -> "Joint":
        """probability : of an outcome, given as one argument for each name, in their order."""
        return cls(names, {outcome: probability(*outcome) for outcome in product((0, 1), repeat=len(names))})

    def p(self, **event: int) -> Fraction:
        """Probability of an event such as rain=1, lightning=0: the sum over all outcomes that agree with it."""
        self._known(event)
        return sum((value for outcome, value in self.table.items() if self._agrees(outcome, event)), start=Fraction(0))

    def given(self, **event: int) -> "Joint":
        """Distribution of the other variables where the event is known: p(others, event) / p(event)."""
        evidence = self.p(**event)
        if evidence == 0:
            raise ZeroDivisionError(f"the event {event} has probability 0: nothing can be said of what it implies")
        others = tuple(name for name in self.names if name not in event)
        return Joint.of(others, lambda *values: self.p(**dict(zip(others, values, strict=True)), **event) / evidence)

    def independent(self, first: str, second: str) -> bool:
        """Whether p(a, b) = p(a) p(b) for all values of the two."""
        return all(
            self.p(**{first: a, second: b}) == self.p(**{first: a}) * self.p(**{second: b})
            for a, b in product((0, 1), repeat=2)
        )

    def _known(self, event: dict[str, int]) -> None:
        if wrong := [
            f"{name}={value!r}" for name, value in event.items() if name not in self.names or value not in (0, 1)
        ]:
            raise ValueError(f"expected values 0 or 1 of {', '.join(self.names)}, received {', '.join(wrong)}")

    def _agrees(self, outcome: Outcome, event: dict[str, int]) -> bool:
        values = dict(zip(self.names, outcome, strict=True))
        return all(values[name] == value for name, value in event.items())
