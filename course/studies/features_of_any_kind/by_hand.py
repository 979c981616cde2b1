"""Categorical naive Bayes in fractions, for tables small enough to be counted by hand."""

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

from course.datasets import Dataset


class Factors(NamedTuple):
    """What one class contributes to the joint probability: p(y = j), and p(x_a | y = j) for each feature a."""

    prior: Fraction
    likelihood: tuple[Fraction, ...]

    @property
    def joint(self) -> Fraction:
        """p(y = j) prod_a p(x_a | y = j)."""
        return self.prior * prod(self.likelihood)


def factors(
    rows: Sequence[Sequence[str]], labels: Sequence[str], x: Sequence[str], label: str, alpha: int = 0
) -> Factors:
    """p(y = j) = N_j / m and p(x_a = c | y = j) = (N_jac + alpha) / (N_j + k_a alpha), for the class `label`.

    rows : m examples of n categories each, of which feature a has k_a different ones. x : the example asked about.
    alpha : 0 is maximum likelihood, 1 Laplace's rule.
    """
    own = [row for row, y in zip(rows, labels, strict=True) if y == label]
    if not own:
        raise ValueError(f"no example has the label {label!r}; there are {', '.join(sorted(set(labels)))}")
    likelihood = tuple(
        Fraction(sum(row[a] == c for row in own) + alpha, len(own) + alpha * len({row[a] for row in rows}))
        for a, c in enumerate(x)
    )
    return Factors(Fraction(len(own), len(rows)), likelihood)


def all_factors(
    rows: Sequence[Sequence[str]], labels: Sequence[str], x: Sequence[str], classes: Sequence[str], alpha: int = 0
) -> dict[str, Factors]:
    """The factors of every class, by its name."""
    return {label: factors(rows, labels, x, label, alpha) for label in classes}


def in_words(data: Dataset) -> tuple[list[list[str]], list[str]]:
    """The rows and the classes of a table of categories, by their names."""
    rows = [[column.categories[int(c)] for column, c in zip(data.features, row, strict=True)] for row in data.X]
    return rows, [data.class_names[j] for j in data.y]
