"""Classifiers of the survey: each column alone with several families, and the whole table."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import make_pipeline

from course.datasets import Dataset
from course.studies.features_of_any_kind.codings import (
    MONEY,
    Coding,
    by_column,
    by_kind,
    money_in_bins,
    taken_from,
    without,
    yes_or_no,
)
from course.studies.held_out import Entrant, Losses, Name, held_out
from course.studies.resampled import Mean, resampled_interval
from course.teaching.discretise import Discretiser
from probml.families import Gamma, Gaussian, Poisson
from probml.naive_bayes import CategoricalNB, GaussianNB, MixedNB

Array = NDArray[np.float64]

AGE_BINS = (8, 64)  # asked for, beside the families of the age
CHANGED = ("age", "fnlwgt", "education-num", "hours-per-week")  # columns to which `by_column` gives another family


# For each reading of the whole table, the one that it is compared with.
COMPARED_WITH = {
    "by kind": "all normal",
    "gain and loss in bins": "by kind",
    "by column": "gain and loss in bins",
    "by kind, without gain and loss": "by kind",
    "gain and loss in bins, edges by a rule": "gain and loss in bins",
    "by column, gain and loss yes or no": "by column",
    "all normal, default smoothing": "all normal",
    "gain and loss in bins, default smoothing": "gain and loss in bins",
}


def _money_or_none(data: Dataset) -> Coding:
    """Only whether there is a gain or a loss."""
    return yes_or_no(by_kind(data), data, tuple(MONEY))


# What each coding of `codings` makes of a column, and what else one might try on its numbers.
CANDIDATES = {
    "age": {"normal": Gaussian(), "Poisson": Poisson(), "gamma": by_column},
    "hours-per-week": {"normal": Gaussian(), "Poisson": Poisson(), "gamma": Gamma(), "bins": by_column},
    "education-num": {"normal": Gaussian(), "Poisson": Poisson(), "categorical": by_column},
    "capital-gain": {"normal": Gaussian(), "Bernoulli": _money_or_none, "bins": by_column},
    "marital-status": {"normal": Gaussian(), "categorical": by_kind},
}


class Prior:
    """Always the proportions of the classes 0 and 1 among the examples fitted, whatever x is."""

    def fit(self, X: Array, y: NDArray[np.intp]) -> "Prior":
        """Count the classes y, shape (m,)."""
        self.log_prior_ = np.log(np.bincount(y, minlength=2) / len(y))
        return self

    def predict_log_proba(self, X: Array) -> Array:
        """log p(y = j), shape (m, 2)."""
        return np.tile(self.log_prior_, (len(X), 1))


def candidates(data: Dataset) -> dict[tuple[str, str], Entrant]:
    """An entrant for each pair of a column and the name of a family; first the one that sees no column."""
    found = {("none", "prior"): Entrant(data.X[:, :0], Prior)}
    for column, families in CANDIDATES.items():
        a = data.feature_names.index(column)
        for name, family in families.items():
            coding = family(data) if callable(family) else Coding(data.X, (family,) * data.X.shape[1])
            found[column, name] = Entrant(coding.X[:, [a]], partial(MixedNB, coding.families[a], var_smoothing=0))
        if column == "age":
            found |= {(column, f"{k} bins"): Entrant(data.X[:, [a]], partial(_in_bins, k)) for k in AGE_BINS}
    return found


def bins_made(data: Dataset, asked: int, train: int, draws: int, seed: int | list[int]) -> NDArray[np.intp]:
    """How many bins of the age `train` random people leave of those asked for, as edges coincide. Shape (draws,)."""
    rng, age = np.random.default_rng(seed), data.X[:, [data.feature_names.index("age")]]
    return np.array([Discretiser(asked).fit(age[rng.permutation(len(age))[:train]]).n_bins_[0] for _ in range(draws)])


def by_age(data: Dataset, bins: list[int]) -> dict[str, Entrant]:
    """Age alone: cut into so many bins, or normal with separate variances or with one."""
    age = data.X[:, [data.feature_names.index("age")]]
    found = {f"{k} bins": Entrant(age, partial(_in_bins, k)) for k in bins}
    found["normal, separate variances"] = Entrant(age, GaussianNB)
    found["normal, one variance"] = Entrant(age, partial(GaussianNB, shared_variance=True))
    return found


def _in_bins(k: int) -> object:
    return make_pipeline(Discretiser(k), CategoricalNB())


def entrants(codings: Mapping[Name, Coding], var_smoothing: float = 0.0) -> dict[Name, Entrant]:
    """Each coding of a whole table as an entrant: a family of its own for each column.

    var_smoothing : share of the largest variance of a normal column that is added to all of them. None by default, as
    the columns have different units: 1e-9 of the variance of the survey weights exceeds the variance of the schooling.
    """
    return {
        name: Entrant(X, partial(MixedNB, families, var_smoothing=var_smoothing))
        for name, (X, families) in codings.items()
    }


def one_column_each(losses: Mapping[tuple[str, str], Losses], train: int, test: int) -> list[list[object]]:
    """The rows of a table of `candidates`: error, log loss, and log loss minus that of the column's normal family."""
    rows: list[list[object]] = []
    for (column, family), each in losses.items():
        error, loss = (resampled_interval(values, train, test) for values in each)
        rows.append([column, family, "{:.1%} ± {:.1%}".format(*error), "{:.3f} ± {:.3f}".format(*loss)])
        normal = losses.get((column, "normal"))
        if normal is None or family == "normal":
            rows[-1].append("")
        else:
            change = resampled_interval(each.log_loss - normal.log_loss, train, test)
            rows[-1].append("{:+.3f} ± {:.3f}".format(*change))
    return rows


def compared(
    losses: Mapping[str, Losses], train: int, test: int, pairs: Mapping[str, str] = COMPARED_WITH
) -> list[list[object]]:
    """The rows of a table: error and log loss of each reading, and minus those of another reading on the same splits.

    pairs : for a reading the one that it is compared with; a reading that is not among them is compared with none.
    Differences of errors are in percentage points.
    """
    number, rows = {name: k for k, name in enumerate(losses, start=1)}, []
    for name, each in losses.items():
        error, loss = (resampled_interval(values, train, test) for values in each)
        rows.append([number[name], name, "{:.1%} ± {:.1%}".format(*error), "{:.3f} ± {:.3f}".format(*loss)])
        other = pairs.get(name)
        if other is None:
            rows[-1] += ["", "", ""]
            continue
        error = resampled_interval(100 * (each.error - losses[other].error), train, test)
        loss = resampled_interval(each.log_loss - losses[other].log_loss, train, test)
        rows[-1] += [number[other], "{:+.1f} ± {:.1f}".format(*error), "{:+.3f} ± {:.3f}".format(*loss)]
    return rows


def rises(
    data: Dataset, left_out: Sequence[str], train: int, test: int, splits: int, seed: int | list[int]
) -> dict[str, tuple[Mean, Mean, Mean]]:
    """Log loss with the family of `by_column` in one column minus that with a normal one, by the name of the column.

    Three times: for a classifier that sees this column only, the whole table as in `money_in_bins`, and this table
    without the columns `left_out`. All on the same random splits.
    """
    place, before, after = data.feature_names.index, money_in_bins(data), by_column(data)
    dropped = [place(name) for name in left_out]
    tables = {("table", ""): before, ("rest", ""): without(before, dropped)}
    for name in CHANGED:
        a = place(name)
        others, changed = [b for b in range(len(data.features)) if b != a], taken_from(before, after, a)
        tables["alone", name], tables["alone, changed", name] = without(before, others), without(changed, others)
        tables["table, changed", name], tables["rest, changed", name] = changed, without(changed, dropped)
    losses = held_out(entrants(tables), data.y, train, test, splits, seed)

    def rise(where: str, name: str) -> Mean:
        base = losses[where, name if where == "alone" else ""]
        return resampled_interval(losses[f"{where}, changed", name].log_loss - base.log_loss, train, test)

    return {name: (rise("alone", name), rise("table", name), rise("rest", name)) for name in CHANGED}


class GainExcess(NamedTuple):
    """What a normal capital gain costs more than bins, in nats averaged over all people tested and over the splits.

    no_gain, poor_with_gain, rich_with_gain : what these groups of people contribute; the three add up to `total`
    largest : what those of the poorer class contribute who gained as much as its richest
    announced, actual : P(rich) of the normal model for people with no gain, and their proportion of rich people
    nats_of_rich : -log P(rich) of the normal model for the rich among these
    """

    total: float
    no_gain: float
    poor_with_gain: float
    rich_with_gain: float
    largest: float
    announced: float
    actual: float
    nats_of_rich: float


def gain_excess(data: Dataset, train: int, test: int, splits: int, seed: int | list[int]) -> GainExcess:
    """Of classifiers that see the capital gain only, by groups of people, on random splits as in `held_out`."""
    a, y, rng = data.feature_names.index("capital-gain"), data.y, np.random.default_rng(seed)
    gain, binned = data.X[:, a], by_column(data)
    largest, found = gain[y == 0].max(), []
    for _ in range(splits):
        order = rng.permutation(len(y))
        own, other = order[:train], order[train : train + test]
        normal, bins = (
            MixedNB(family, var_smoothing=0).fit(x[own, None], y[own]).predict_log_proba(x[other, None])
            for x, family in ((gain, Gaussian()), (binned.X[:, a], binned.families[a]))
        )
        x, rich = gain[other], y[other]
        excess = (bins - normal)[np.arange(test), rich]
        groups = (x >= 0, x == 0, (x > 0) & (rich == 0), (x > 0) & (rich == 1), (x == largest) & (rich == 0))
        shares = [excess[group].sum() / test for group in groups]
        none, rich_none = x == 0, (x == 0) & (rich == 1)
        found.append([*shares, np.exp(normal[none, 1]).mean(), rich[none].mean(), -normal[rich_none, 1].mean()])
    return GainExcess(*np.mean(found, axis=0).tolist())
