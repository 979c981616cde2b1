"""The number of examples at which a mean excess error falls to eps, and how it grows with the number of features."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
STEP = 2**0.25  # from one number of examples to the next
DRAWS = 1000  # of the bootstrap
GROUPS = 500  # of runs that the bootstrap takes together, at least, where there are more runs than that
FARTHEST = 60  # steps


@dataclass(frozen=True)
class Needed:
    """m at which the mean excess error is eps, and the same for runs drawn again with replacement, shape (DRAWS,).

    at_floor : the smallest m that was tried has a smaller mean already, so that m is an upper bound
    """

    m: float
    again: Array
    at_floor: bool = False

    def __str__(self) -> str:
        if self.at_floor:
            return f"≤ {self.m:.0f}"
        return f"{self.m:,.0f}" if self.m >= 10 else f"{self.m:.1f}"

    @property
    def interval(self) -> tuple[float, float]:
        """Of 95 %."""
        low, high = np.quantile(self.again, [0.025, 0.975])
        return float(low), float(high)


@dataclass(frozen=True)
class Growth:
    """A fitted coefficient with an interval of 95 %."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"


def examples_needed(excess: Callable[[int], Array], eps: float, start: float, seed: int, least: int = 4) -> Needed:
    """Where the mean of excess(m), shape (runs,), falls to eps.

    From `start`, m goes up or down by the factor STEP until two neighbours enclose eps; between them log m is linear in
    the logarithm of the mean.
    """
    place, known = round(np.log(start / least) / np.log(STEP)), {}

    def at(place: int) -> Array:
        if place not in known:
            known[place] = excess(size(place, least))
        return known[place]

    place = max(place, 0)
    for _ in range(FARTHEST):
        if at(place).mean() > eps:
            if size(place + 1, least) > size(place, least) and at(place + 1).mean() <= eps:
                return _between(at(place), at(place + 1), size(place, least), size(place + 1, least), eps, seed)
            place += 1
        elif place == 0:
            return Needed(float(least), np.full(DRAWS, float(least)), at_floor=True)
        else:
            place -= 1
    raise ValueError(f"no number of examples near {start:g} brings the mean excess error to {eps}")


def size(place: int, least: int) -> int:
    """The even number nearest to least · STEP^place."""
    return 2 * round(least * STEP**place / 2)


def _between(above: Array, below: Array, m: int, more: int, eps: float, seed: int) -> Needed:
    rng = np.random.default_rng(seed)

    def crossing(first: Array, second: Array) -> Array:
        # Resampled means that hardly differ would cross anywhere: no farther than eight steps away.
        with np.errstate(divide="ignore"):
            share = np.clip(np.log(first / eps) / np.log(first / second), -8, 8)
        return m * (more / m) ** share

    first, second = (_resampled_means(values, rng) for values in (above, below))
    return Needed(float(crossing(above.mean(), below.mean())), crossing(first, second))


def _resampled_means(values: Array, rng: np.random.Generator) -> Array:
    """Means of runs drawn again with replacement, shape (DRAWS,); many runs in equal groups, GROUPS at least.

    Runs are independent, so that the means of groups are, too, and vary as much as they should.
    """
    together = max(1, len(values) // GROUPS)
    groups = values[: len(values) // together * together].reshape(-1, together).mean(axis=1)
    return groups[rng.integers(len(groups), size=(DRAWS, len(groups)))].mean(axis=1)


def power(n: ArrayLike, needed: Sequence[Needed]) -> Growth:
    """a in m ≈ c n^a, by least squares on logarithms."""
    x = np.log(np.asarray(n, dtype=np.float64))
    x = x - x.mean()
    value = x @ np.log([each.m for each in needed]) / (x @ x)
    low, high = np.quantile(x @ np.log([each.again for each in needed]) / (x @ x), [0.025, 0.975])
    return Growth(float(value), float(low), float(high))
