"""Separate variances for each class beside shared ones, on people that the models were not fitted to."""

from course.studies.gaussian_naive_bayes.people import People
from course.studies.held_out import Entrant, Losses, held_out
from probml.naive_bayes import GaussianNB

FEATURES = {"height": [0], "weight": [1], "height and weight": [0, 1]}


def separate_and_shared(
    people: People, train: int, test: int, splits: int, seed: int | list[int]
) -> dict[str, tuple[Losses, Losses]]:
    """Losses with separate variances and with shared ones, for each set of features, all on the same random splits."""
    entrants = {
        (name, shared): Entrant(people.X[:, columns], lambda shared=shared: GaussianNB(shared_variance=shared))
        for name, columns in FEATURES.items()
        for shared in (False, True)
    }
    found = held_out(entrants, people.adult, train, test, splits, seed)
    return {name: (found[name, False], found[name, True]) for name in FEATURES}
