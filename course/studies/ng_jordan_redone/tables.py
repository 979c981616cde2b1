"""The rows of the note's tables."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from course.datasets import load
from course.studies.ng_jordan import ng_jordan, task_kind, task_source
from course.studies.ng_jordan_redone.compare import (
    ALL,
    EVEN,
    ODD,
    crossing,
    crossing_interval,
    gap,
    jointly,
    noise,
    p_value,
)
from course.studies.ng_jordan_redone.protocols import COLUMNS, WIDE, Classifier
from course.studies.ng_jordan_redone.regimes import (
    RULES,
    Contest,
    Contests,
    Lead,
    Share,
    at_the_end,
    count,
    early,
    late,
    mean_lead,
    published_lead,
)
from course.studies.ng_jordan_redone.reproduction import NAMES, PROTOCOLS, Reproduction
from course.studies.ng_jordan_redone.sensitivity import NEAREST, PRIORS, Floor, Hyperplanes
from course.studies.ng_jordan_redone.splits import complete_rows
from course.studies.ng_jordan_redone.variants import Variants
from probml.curves import Curve

KINDS = ("continuous", "discrete")
UNLIKELY = 0.01
LEAST = 1e-6
EARLY = [
    "mean lead of naive Bayes, points [95 % over data sets]",
    *("m = 2", "second size", "third", "fourth"),
    "second size: panels ahead / behind / undecided, over splits",
]
LATE = [
    "mean lead of naive Bayes, points [95 % over data sets]",
    *("fifth size", "sixth", "seventh", "largest we ran"),
    "largest: panels ahead / behind / undecided, over examples",
]
SHARES = ["share of the rule", "share", "± over splits", "95 % over data sets"]
GAPS = ["", "mean gap", "at even sizes", "by chance", "p < 0.01", "p, panels together"]
FLOORS = ["floor", *(f"mean gap, {each}" for each in PRIORS), *(f"early error, {each}" for each in PRIORS)]
SECOND = ["panel", "second size, m", "separable", *("lead, random", "lead, margin", "lead, penalty")]
DATA = [
    "panel",
    *("rows in the file", "used", "complete", "features", "as numbers"),
    *("class 1", "class 0", "share of class 1"),
]
Row = list[str]


def points(value: float, digits: int = 2) -> str:
    """A proportion, in points, with a proper minus."""
    return f"{100 * value:.{digits}f}".replace("-", "−")


def summary(found: Reproduction, classifiers: Sequence[Classifier]) -> list[Row]:
    """Mean gaps by classifier, kind of panel and protocol: at all sizes, at even ones, and there by chance.

    Then how many curves chance does not explain, and p for all. All panels together as reconstructed only.
    """
    rows = []
    for which in classifiers:
        for kind in (*KINDS, ""):
            names = [panel for panel in found.panels if task_kind(panel) == kind or not kind]
            for protocol in PROTOCOLS if kind else ["reconstructed"]:
                every, even = ([found.gap(protocol, panel, which, sizes) for panel in names] for sizes in (ALL, EVEN))
                means = [np.mean([each.mean for each in gaps]) for gaps in (every, even)]
                means.append(np.mean([each.by_chance for each in even]))
                p = p_values(found, protocol, which, names)
                low = f"{sum(value < UNLIKELY for value in p.values())} of {len(names)}"
                title = f"{NAMES[which]}, {kind or 'all fifteen'}, as {protocol}"
                rows.append([title, *map(points, means), low, small(jointly([*p.values()]))])
    return rows


def small(p: float) -> str:
    """A p-value, of which at least 1e-6 is shown."""
    return f"{p:.2g}" if p >= LEAST else f"< {LEAST:.0e}"


def p_values(
    found: Reproduction, protocol: str, which: Classifier, names: Sequence[str], sizes: slice = EVEN
) -> dict[str, float]:
    """How often chance would set the published curves of some panels farther from ours."""
    return {
        name: p_value(found.full[protocol, name, which], getattr(found.panels[name], which), sizes) for name in names
    }


def unlikely(found: Reproduction, protocol: str, which: Classifier, sizes: slice = EVEN) -> list[str]:
    """Panels whose published curve chance would set as far from ours in fewer than 1 of 100 cases."""
    return [name for name, p in p_values(found, protocol, which, list(found.panels), sizes).items() if p < UNLIKELY]


def data_rows(found: Reproduction) -> list[Row]:
    """What each panel is made of: rows, features before and after coding as described, and classes."""
    rows = []
    for name in found.panels:
        task = ng_jordan(name)
        complete, features = complete_rows(name).sum(), task.X.shape[1]
        if task_kind(name) == "discrete":
            features = ng_jordan(name, coding="categories", complete=True).X.shape[1]
        numbers = (len(load(task_source(name)).y), len(task.y), complete, features, task.X.shape[1])
        rows.append([name, *(f"{n:,}" for n in numbers), *task.class_names[::-1], f"{task.y.mean():.2f}"])
    return rows


def signed_rows(found: Variants, names: Sequence[str]) -> tuple[list[str], list[Row]]:
    """Header and rows: ours minus published of logistic regression, at all sizes of some panels.

    For the ionosphere a second time, with all columns of the file.
    """
    header, columns = [], []
    for name in names:
        panel = found.panels[name]
        header += [f"{name}: m", "separable", "ours − published"]
        columns += [[str(m) for m in panel.sizes], [f"{share:.0%}" for share in found.separable[name]]]
        columns.append(_signed(found.full["reconstructed", name, "lr"], panel.lr))
        if name == WIDE:
            header.append(f"with {max(COLUMNS)} columns")
            columns.append(_signed(found.columns["lr", max(COLUMNS)], panel.lr))
    return header, [[*cells] for cells in zip_longest(*columns, fillvalue="")]


def _signed(curve: Curve, published: NDArray[np.float64]) -> list[str]:
    """Ours minus published in points, with one standard error."""
    gaps = zip(curve.mean - published, noise(curve), strict=True)
    return [f"{points(value, 1)} ± {points(error, 1)}" for value, error in gaps]


def by_panel(found: Reproduction) -> list[Row]:
    """For each panel and classifier: gap as described, as reconstructed, by chance, and p at even sizes."""
    rows = []
    for name, panel in found.panels.items():
        row = [name]
        for which in NAMES:
            first, second = (found.gap(protocol, name, which) for protocol in PROTOCOLS)
            p = p_value(found.full["reconstructed", name, which], getattr(panel, which), EVEN)
            row += [points(first.mean), points(second.mean), points(second.by_chance), small(p)]
        rows.append(row)
    return rows


def size(m: float, digits: int = 1) -> str:
    """A crossing."""
    return "∞" if m == np.inf else f"{m:.{digits}f}"


def crossings(found: Reproduction, resamples: int, seed: int) -> dict[str, dict[str, tuple[float, float, float]]]:
    """Of each panel: the published crossing, and ours with its interval, by protocol."""
    rows: dict[str, dict[str, tuple[float, float, float]]] = {}
    for name, panel in found.panels.items():
        theirs = crossing(panel.sizes, panel.nb - panel.lr)
        rows[name] = {"published": (theirs, theirs, theirs)}
        for protocol in PROTOCOLS:
            nb, lr = (found.full[protocol, name, which] for which in NAMES)
            n = min(nb.losses.shape[1], lr.losses.shape[1])
            ours = crossing(panel.sizes, (nb.losses[:, :n] - lr.losses[:, :n]).mean(axis=1))
            rows[name][protocol] = (ours, *crossing_interval(nb, lr, resamples, seed))
    return rows


def inside(of: Mapping[str, tuple[float, float, float]], protocol: str) -> bool:
    """Whether the published crossing is in our interval."""
    return of[protocol][1] <= of["published"][0] <= of[protocol][2]


def finite(of: Mapping[str, Mapping[str, tuple[float, float, float]]]) -> list[str]:
    """Panels whose published curves cross."""
    return [name for name, each in of.items() if each["published"][0] < np.inf]


def crossing_rows(of: Mapping[str, Mapping[str, tuple[float, float, float]]]) -> list[Row]:
    """The panels whose published curves cross."""
    rows = []
    for name in finite(of):
        row = [name, size(of[name]["published"][0], 2)]
        for protocol in PROTOCOLS:
            value, low, high = (size(m, 2) for m in of[name][protocol])
            mark = " ✓" if inside(of[name], protocol) else ""
            row.append(f"{value} [{low}, {high}]{mark}")
        rows.append(row)
    return rows


def lead_cell(lead: Lead) -> str:
    """The lead in points, with its interval over data sets."""
    return f"{points(lead.value, 1)} [{points(lead.low, 1)}, {points(lead.high, 1)}]"


def share_rows(shares: Mapping[str, Share]) -> list[Row]:
    """Shares of the lead that are gone under another rule, with both intervals."""
    return [
        [title, f"{of.value:.0%}", f"{2 * of.error:.0%}", f"{of.low:.0%} to {of.high:.0%}".replace("-", "−")]
        for title, of in shares.items()
    ]


def _by_rule(contests: Contests) -> dict[str, tuple[str, Mapping[str, Contest], Mapping[str, Contest]]]:
    """By the title of a row: its rule, its contests within the published sizes, and those beyond."""
    rebuilt = {f"as reconstructed, {RULES[rule]}": rule for rule in ("random", "margin")}
    described = {f"as described, {title}": rule for rule, title in RULES.items()}
    rows = {title: (rule, contests.rebuilt, contests.rebuilt_beyond) for title, rule in rebuilt.items()}
    return rows | {title: (rule, contests.within, contests.beyond) for title, rule in described.items()}


def _published_leads(found: Reproduction, places: Sequence[int], resamples: int, seed: int) -> Row:
    return ["published", *(lead_cell(published_lead(found.panels, place, resamples, seed)) for place in places)]


def early_rows(found: Reproduction, contests: Contests, places: Sequence[int], resamples: int, seed: int) -> list[Row]:
    """Mean leads with their intervals at some of the sizes, and counts at the second: published, and ours by rule."""
    rows = [[*_published_leads(found, places, resamples, seed), ""]]
    for title, (rule, within, _) in _by_rule(contests).items():
        leads = [mean_lead(within, rule, place, resamples, seed) for place in places]
        rows.append([title, *map(lead_cell, leads), count(early(within, rule, 1)).cell()])
    return rows


def panel_rows(within: Mapping[str, Contest], place: int) -> list[Row]:
    """Of each panel at one of the seven sizes: share of separable training subsets, and the leads by three rules."""
    rows = []
    for name, of in within.items():
        leads = [points(of.lead(rule, place).mean(), 1) for rule in ("random", "margin", "l2")]
        rows.append([name, str(of.sizes[place]), f"{of.separable[place]:.0%}", *leads])
    return rows


def late_rows(found: Reproduction, contests: Contests, places: Sequence[int], resamples: int, seed: int) -> list[Row]:
    """Mean leads at some of the seven sizes and at the largest, with counts there: published, and ours by rule."""
    rows = [[*_published_leads(found, places, resamples, seed), "", ""]]
    for title, (rule, within, beyond) in _by_rule(contests).items():
        leads = [mean_lead(within, rule, place, resamples, seed) for place in places]
        leads.append(mean_lead(at_the_end(within, beyond), rule, -1, resamples, seed))
        rows.append([title, *map(lead_cell, leads), count(late(within, beyond, rule)).cell()])
    return rows


def floor_rows(found: Sequence[Floor]) -> list[Row]:
    """Gap and early error for each floor, with each prior."""
    rows = []
    for of in found:
        title = f"{of.floor:g}" if of.floor < np.inf else NEAREST
        cells = [points(by[prior]) if prior in by else "–" for by in (of.gap, of.error) for prior in PRIORS]
        rows.append([title, *cells])
    return rows


def column_rows(found: Variants) -> list[Row]:
    """Gaps of both classifiers on the ionosphere, with 32 and with 34 columns."""
    rows = []
    for which, name in NAMES.items():
        for number in COLUMNS:
            published = getattr(found.panels[WIDE], which)
            odd, even, every = (gap(found.columns[which, number], published, sizes) for sizes in (ODD, EVEN, ALL))
            rows.append([f"{name}, {number} columns", points(odd.mean), points(even.mean), points(every.by_chance)])
    return rows


def hyperplane_rows(found: Hyperplanes) -> tuple[list[str], list[Row]]:
    """Header and rows: what has to be explained, and what each choice changes."""
    header = ["points of error", *(f"{name}, {m}" for name, m in found.needed), "mean gap", "by chance", "p"]
    mean = float(np.mean(np.abs(list(found.needed.values()))))
    rows = [["published minus ours", *(points(value, 1) for value in found.needed.values()), points(mean), "", ""]]
    for title, of in found.shift.items():
        cells = [f"{points(each.value, 1)} ± {points((each.high - each.low) / 2, 1)}" for each in of.values()]
        rest = [points(found.remains(title)), points(found.by_chance(title)), small(found.p_value(title))]
        rows.append([title, *cells, *rest])
    return header, rows
