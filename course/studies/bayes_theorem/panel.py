"""A panel of yes-or-no tests: one probability for each combination of results, or one for each test."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TESTS = 8
ILL = 0.6  # P(a test is positive | ill)
CARRIERS = 0.2  # of the healthy people, in the ward with a common cause
OF_CARRIERS, OF_OTHERS = 0.8, 0.1  # P(a test is positive | healthy) there
HEALTHY = CARRIERS * OF_CARRIERS + (1 - CARRIERS) * OF_OTHERS  # the same for each test alone, in both wards


def outcomes(n: int) -> Array:
    """All 2^n vectors of n zeros and ones, shape (2^n, n)."""
    return np.array(list(product((0.0, 1.0), repeat=n)))


def naive_product(phi: Array) -> Array:
    """p(x) = prod_j phi_j^x_j (1 - phi_j)^(1 - x_j) for each outcome: independent tests. Shape (2^n,)."""
    x = outcomes(len(phi))
    return np.prod(np.where(x == 1, phi, 1 - phi), axis=1)


@dataclass(frozen=True)
class Ward:
    """p(x | y) of every outcome of the panel, a row each for healthy and ill, of whom there are equally many."""

    table: Array

    def error(self, says_ill: Array | NDArray[np.bool_]) -> float:
        """P(wrong answer) of a rule, given by how probably it says ill to each outcome: 0, 1, or ½ for a coin."""
        says_ill = np.asarray(says_ill, dtype=float)
        return float((self.table[0] @ says_ill + self.table[1] @ (1 - says_ill)) / 2)

    @property
    def least_error(self) -> float:
        """The error of the more probable state of health, with the true probabilities."""
        return self.error(self.table[1] > self.table[0])

    @property
    def naive_error(self) -> float:
        """The error with the true probability of each test alone, multiplied as if the tests were independent."""
        return self.error(np.greater(*(naive_product(row @ outcomes(TESTS)) for row in self.table[::-1])))

    def draw(self, people: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """How many of so many people are healthy and ill with each outcome, shape (2, 2^n)."""
        return rng.multinomial(people, self.table.ravel() / 2).reshape(self.table.shape)


def wards() -> dict[str, Ward]:
    """Two wards that agree on each test alone. In the first the tests are independent given the state of health."""
    ill, healthy, carriers, others = (naive_product(np.full(TESTS, p)) for p in (ILL, HEALTHY, OF_CARRIERS, OF_OTHERS))
    mixed = CARRIERS * carriers + (1 - CARRIERS) * others
    return {"independent": Ward(np.array([healthy, ill])), "common cause": Ward(np.array([mixed, ill]))}


def by_full_table(counts: NDArray[np.int64]) -> Array:
    """Says ill where more people with this outcome were ill than healthy. counts : shape (2, 2^n).

    A coin decides a tie, ½; an outcome that nobody had is a tie.
    """
    return np.heaviside(counts[1] - counts[0], 0.5)


def by_naive_product(counts: NDArray[np.int64]) -> Array:
    """Says ill where class size times product of relative frequencies is larger for the ill, ½ in a tie.

    Half a count is added to positive and to negative results, lest a product be zero.
    """
    people = counts.sum(axis=1)
    phi = (counts @ outcomes(TESTS) + 0.5) / (people[:, None] + 1)
    healthy, ill = (m * naive_product(row) for m, row in zip(people, phi, strict=True))
    return np.heaviside(ill - healthy, 0.5)


RULES = {"full table": by_full_table, "naive product": by_naive_product}


def learning_curves(sizes: Sequence[int], runs: int, seed: int) -> dict[tuple[str, str], Array]:
    """Exact errors of both rules in both wards, (ward, rule) → shape (sizes, runs)."""
    errors = {(ward, rule): np.empty((len(sizes), runs)) for ward in wards() for rule in RULES}
    for w, (name, ward) in enumerate(wards().items()):
        for s, people in enumerate(sizes):
            for r in range(runs):
                counts = ward.draw(people, np.random.default_rng([seed, w, people, r]))
                for rule, decide in RULES.items():
                    errors[name, rule][s, r] = ward.error(decide(counts))
    return errors
