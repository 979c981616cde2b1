"""Classifiers of the census: each column alone with several families, and the whole table."""

from collections.abc import Mapping
from functools import partial

from sklearn.pipeline import make_pipeline

from course.studies.features_of_any_kind.codings import Coding, by_column, by_kind, with_bins
from course.studies.held_out import Entrant
from probml.datasets import Dataset
from probml.families import Gamma, Gaussian, Poisson
from probml.naive_bayes import CategoricalNB, Discretiser, GaussianNB, MixedNB

# What each coding of `codings` makes of a column, and what else one might try on its numbers.
CANDIDATES = {
    "age": {"normal": Gaussian(), "Poisson": Poisson(), "gamma": by_column},
    "hours-per-week": {"normal": Gaussian(), "Poisson": Poisson(), "gamma": Gamma(), "bins": with_bins},
    "education-num": {"normal": Gaussian(), "Poisson": Poisson(), "categorical": by_column},
    "capital-gain": {"normal": Gaussian(), "Bernoulli": by_column, "bins": with_bins},
    "marital-status": {"normal": Gaussian(), "categorical": by_kind},
}


def candidates(data: Dataset) -> dict[tuple[str, str], Entrant]:
    """An entrant for each pair of a column and the name of a family."""
    found = {}
    for column, families in CANDIDATES.items():
        a = data.feature_names.index(column)
        for name, family in families.items():
            coding = family(data) if callable(family) else Coding(data.X, (family,) * data.X.shape[1])
            found[column, name] = Entrant(coding.X[:, [a]], partial(MixedNB, coding.families[a]))
    return found


def by_age(data: Dataset, bins: list[int]) -> dict[str, Entrant]:
    """Age alone: cut into so many bins, or normal with own variances or with one."""
    age = data.X[:, [data.feature_names.index("age")]]
    found = {f"{k} bins": Entrant(age, partial(_in_bins, k)) for k in bins}
    found["normal, own variances"] = Entrant(age, GaussianNB)
    found["normal, one variance"] = Entrant(age, partial(GaussianNB, shared_variance=True))
    return found


def _in_bins(k: int) -> object:
    return make_pipeline(Discretiser(k), CategoricalNB())


def entrants(codings: Mapping[str, Coding]) -> dict[str, Entrant]:
    """Each coding of a whole table as an entrant: a family of its own for each column."""
    return {name: Entrant(X, partial(MixedNB, families)) for name, (X, families) in codings.items()}
