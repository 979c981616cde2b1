"""Who is ahead, early and late: leads of a generative learner over a discriminative one, with their intervals."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, t

from course.studies.resampled import Mean
from course.studies.two_regimes.database import Database
from probml.metrics import wilson_interval

Array = NDArray[np.float64]
Policy = Literal["signs", "plain", "conservative"]

GENERATIVE = ("lda", "qda", "bernoulli-nb", "multinomial-nb")
TITLES = {
    "lda": "LDA",
    "qda": "QDA",
    "bernoulli-nb": "Bernoulli naive Bayes",
    "multinomial-nb": "multinomial naive Bayes",
    "logistic": "logistic regression",
    "linear-svm": "linear SVM",
    "perceptron": "perceptron",
}
MIN_SIZES = 6  # of a curve that has an early and a late end
END = 3  # sizes that make an end
OUTER_SPLITS = 5  # random test parts of the database, each with five training parts
OVERLAP = 1 / 9  # test over training examples of an outer split, at most
LEARNT = 64  # examples after which a learner that can learn something has done so
SAME_ERROR = 0.01  # errors that differ by less count as the same


@dataclass(frozen=True)
class Comparison:
    """One data set, at the sizes at which both learners have an error. All arrays have the shape (S,).

    lead : error of the discriminative learner less that of the generative one. sd : √(sd² + sd²) of the two, as if they
    had not seen the same splits. repeats : the smaller number of the two.
    """

    sizes: NDArray[np.intp]
    lead: Array
    sd: Array
    repeats: NDArray[np.intp]

    def half(self, policy: Policy = "conservative") -> Array:
        """Half of the 95 % interval of the lead at each size, shape (S,).

        plain         t sd / √J for J independent repeats
        conservative  t sd √(1/5 + 1/9) with 4 degrees of freedom: five random splits of one data set into a tenth to
                      test and the rest, whatever number of training parts was drawn within them
        signs         0
        """
        if policy == "signs":
            return np.zeros_like(self.sd)
        if policy == "plain":
            return t.ppf(0.975, self.repeats - 1) * self.sd / np.sqrt(self.repeats)
        return t.ppf(0.975, OUTER_SPLITS - 1) * np.sqrt(1 / OUTER_SPLITS + OVERLAP) * self.sd

    def early(self, policy: Policy = "conservative") -> Mean:
        """The lead at the three smallest sizes."""
        return self._end(slice(None, END), policy)

    def late(self, policy: Policy = "conservative") -> Mean:
        """The lead at the three largest sizes."""
        return self._end(slice(-END, None), policy)

    def _end(self, where: slice, policy: Policy) -> Mean:
        """Training parts grow by adding examples, so that noise of three sizes does not average out: half is a mean."""
        return Mean(float(self.lead[where].mean()), float(self.half(policy)[where].mean()))

    def direction(self, policy: Policy = "signs") -> str:
        """Who is ahead early and late, in the letters G, D and = : "GD" is the published order, "DG" the reverse."""
        return _side(self.early(policy)) + _side(self.late(policy))

    def crossing(self) -> float:
        """Where the last change of sign lies, straight in log m; NaN if there is none, or it is at the last size."""
        sign = np.sign(self.lead)
        change = np.flatnonzero(sign[:-1] * sign[-1] <= 0)
        if not change.size or sign[-1] == 0:
            return np.nan
        k = change[-1]
        share = self.lead[k] / (self.lead[k] - self.lead[k + 1])
        return float(self.sizes[k] * (self.sizes[k + 1] / self.sizes[k]) ** share)

    def crossing_interval(self, policy: Policy = "plain") -> tuple[float, float]:
        """Sizes between which the crossing lies.

        From the last size at which who is ahead early still leads clearly (0 if nowhere) to the size from which on the
        other one leads clearly at every size (infinite if at none).
        """
        clear = np.sign(self.lead) * (np.abs(self.lead) > self.half(policy))
        first, last = (np.sign(end.mean) for end in (self.early(), self.late()))
        before = np.flatnonzero(clear == first)
        after = np.flatnonzero(clear != last)
        low = float(self.sizes[before[-1]]) if before.size else 0.0
        if not after.size:
            return low, float(self.sizes[0])
        return low, float(self.sizes[after[-1] + 1]) if after[-1] + 1 < len(self.sizes) else np.inf


Comparisons = dict[int, Comparison]


def compare(database: Database, generative: str, discriminative: str = "logistic") -> Comparisons:
    """Of all data sets on which both learners have at least six sizes in common, by OpenML number."""
    found = {}
    for number, curves in database.curves.items():
        if generative not in curves or discriminative not in curves:
            continue
        g, d = curves[generative], curves[discriminative]
        sizes, in_g, in_d = np.intersect1d(g.sizes, d.sizes, return_indices=True)
        if len(sizes) >= MIN_SIZES:
            sd = np.hypot(g.sd[in_g], d.sd[in_d])
            repeats = np.minimum(g.repeats[in_g], d.repeats[in_d])
            found[number] = Comparison(sizes, d.error[in_d] - g.error[in_g], sd, repeats)
    return found


@dataclass(frozen=True)
class Share:
    """A number of data sets among others, with Wilson's interval of the share, sets taken as independent."""

    count: int
    of: int

    @property
    def value(self) -> float:
        """The share."""
        return self.count / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, of 95 %."""
        low, high = wilson_interval(self.count, self.of)
        return float(low), float(high)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


EVENTS: dict[str, Callable[[str], bool]] = {
    "ahead early": lambda direction: direction[0] == "G",
    "ahead late": lambda direction: direction[1] == "G",
    "published order": lambda direction: direction == "GD",
    "reverse order": lambda direction: direction == "DG",
    "logistic at both ends": lambda direction: direction == "DD",
}


ORDERS = ("published order", "reverse order")


def directions(comparisons: Comparisons, policy: Policy = "signs") -> dict[int, str]:
    """Of every data set."""
    return {number: each.direction(policy) for number, each in comparisons.items()}


def tally(found: Mapping[int, str]) -> dict[str, Share]:
    """How many data sets show each event of `EVENTS`."""
    return {name: Share(sum(map(happens, found.values())), len(found)) for name, happens in EVENTS.items()}


def family_votes(found: Mapping[int, str], family: Mapping[int, int]) -> tuple[int, int]:
    """Families in which the published order is the more frequent one, and in which the reverse is."""
    net: dict[int, int] = {}
    for number, direction in found.items():
        net[family[number]] = net.get(family[number], 0) + (direction == "GD") - (direction == "DG")
    return sum(value > 0 for value in net.values()), sum(value < 0 for value in net.values())


def votes(pairs: Mapping[str, Comparisons], family: Mapping[int, int], policy: Policy) -> dict[str, tuple[int, int]]:
    """Families for the published order and for the reverse, of each learner."""
    return {name: family_votes(directions(of, policy), family) for name, of in pairs.items()}


def only_class_sizes(database: Database, learner: str = "bernoulli-nb") -> set[int]:
    """Described data sets on which a learner, from some size on, has the error of guessing the largest class."""
    found = set()
    for number, about in database.described.items():
        if learner in (curves := database.curves[number]):
            late = curves[learner].error[curves[learner].sizes >= LEARNT]
            if np.abs(late - (1 - about.largest_class)).max() < SAME_ERROR:
                found.add(number)
    return found


def sign_test(one: int, other: int) -> float:
    """Two-sided p-value of the hypothesis that a vote is equally likely to be for either, independently of others."""
    return float(binomtest(one, one + other).pvalue) if one + other else 1.0


def holm(p_values: Iterable[float]) -> list[float]:
    """P-values for several questions at once: the k-th smallest times the number of those that are not smaller."""
    p = np.array(list(p_values))
    order = np.argsort(p)
    adjusted = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    back = np.empty_like(p)
    back[order] = np.minimum(adjusted, 1)
    return back.tolist()


def family_interval(
    values: Mapping[int, float], family: Mapping[int, int], resamples: int, rng: np.random.Generator
) -> tuple[float, float]:
    """95 % percentile interval of a mean or share over data sets, by a bootstrap that draws whole families."""
    numbers = list(values)
    _, group = np.unique([family[number] for number in numbers], return_inverse=True)
    sets = np.bincount(group).astype(float)
    total = np.bincount(group, [values[number] for number in numbers])
    times = rng.multinomial(len(sets), np.full(len(sets), 1 / len(sets)), size=resamples)
    low, high = np.quantile((times @ total) / (times @ sets), [0.025, 0.975])
    return float(low), float(high)


@dataclass(frozen=True)
class Pooled:
    """Median and mean lead over data sets, and a 95 % interval of the mean."""

    median: float
    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        median, mean, low, high = (f"{100 * x:.1f}" for x in (self.median, self.mean, self.low, self.high))
        return f"{median}; {mean} ({low} to {high})".replace("-0.0;", "0.0;").replace("-", "−")


def pooled(
    comparisons: Comparisons, family: Mapping[int, int], resamples: int, rng: np.random.Generator
) -> tuple[Pooled, Pooled]:
    """Leads over all data sets, early and late, with a bootstrap over families."""
    both = []
    for end in (Comparison.early, Comparison.late):
        leads = {number: end(each).mean for number, each in comparisons.items()}
        values = list(leads.values())
        interval = family_interval(leads, family, resamples, rng)
        both.append(Pooled(float(np.median(values)), float(np.mean(values)), *interval))
    return both[0], both[1]


def family_intervals(
    found: Mapping[str, Mapping[int, str]], family: Mapping[int, int], resamples: int, rng: np.random.Generator
) -> dict[str, dict[str, tuple[float, float]]]:
    """Intervals of the shares of both orders, for each learner."""
    return {
        name: {
            event: family_interval({n: EVENTS[event](d) for n, d in of.items()}, family, resamples, rng)
            for event in ORDERS
        }
        for name, of in found.items()
    }


@dataclass(frozen=True)
class Count:
    """Each generative learner against logistic regression, by its name.

    order : of each data set, by signs. tallies, clear : by signs and by plain intervals. shares : intervals of the
    shares of both orders, by a bootstrap over families.
    """

    pairs: dict[str, Comparisons]
    order: dict[str, dict[int, str]]
    tallies: dict[str, dict[str, Share]]
    clear: dict[str, dict[str, Share]]
    shares: dict[str, dict[str, tuple[float, float]]]

    @classmethod
    def of(cls, database: Database, resamples: int, seed: int) -> "Count":
        """All four of them."""
        pairs = {name: compare(database, name) for name in GENERATIVE}
        order = {name: directions(of) for name, of in pairs.items()}
        clear = {name: tally(directions(of, "plain")) for name, of in pairs.items()}
        rng = np.random.default_rng([seed, 1])
        shares = family_intervals(order, database.family, resamples, rng)
        return cls(pairs, order, {name: tally(of) for name, of in order.items()}, clear, shares)


def _side(lead: Mean) -> str:
    return "G" if lead.low > 0 else "D" if lead.high < 0 else "="
