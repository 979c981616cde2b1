"""The rows of the note's tables."""

from collections.abc import Mapping, Sequence

import numpy as np

from course.studies.ng_jordan_redone.compare import ALL, EVEN, ODD, crossing, crossing_interval, gap, p_value
from course.studies.ng_jordan_redone.regimes import (
    RULES,
    Contest,
    at_the_end,
    count,
    early,
    late,
    mean_lead,
)
from course.studies.ng_jordan_redone.reproduction import COLUMNS, NAMES, WIDE, Reproduction
from course.studies.ng_jordan_redone.sensitivity import Floor, Hyperplanes

PROTOCOLS = ("described", "reconstructed")
UNLIKELY = 0.01
EARLY = [
    "mean lead of naive Bayes, points [95 %]",
    *("m = 2", "second size", "third", "fourth"),
    "second: ahead / behind / undecided",
    "ahead, proportion [95 %]",
]
Row = list[str]


def points(value: float, digits: int = 2) -> str:
    """A proportion, in points, with a proper minus."""
    return f"{100 * value:.{digits}f}".replace("-", "−")


def summary(found: Reproduction) -> list[Row]:
    """Mean gaps over all panels by classifier and protocol, and how many curves chance does not explain."""
    rows = []
    for which, name in NAMES.items():
        for protocol in PROTOCOLS:
            gaps = [found.gap(protocol, panel, which) for panel in found.panels]
            means = (np.mean([each.mean for each in gaps]), np.mean([each.by_chance for each in gaps]))
            rows.append([f"{name}, as {protocol}", *map(points, means), str(len(unlikely(found, protocol, which)))])
    return rows


def unlikely(found: Reproduction, protocol: str, which: str, sizes: slice = EVEN) -> list[str]:
    """Panels whose published curve chance would set as far from ours in fewer than 1 of 100 cases."""
    return [
        name
        for name, panel in found.panels.items()
        if p_value(found.full[protocol, name, which], getattr(panel, which), sizes) < UNLIKELY
    ]


def by_panel(found: Reproduction) -> list[Row]:
    """For each panel and classifier: gap as described, as reconstructed, by chance, and p at even sizes."""
    rows = []
    for name, panel in found.panels.items():
        row = [name]
        for which in NAMES:
            first, second = (found.gap(protocol, name, which) for protocol in PROTOCOLS)
            p = p_value(found.full["reconstructed", name, which], getattr(panel, which), EVEN)
            row += [points(first.mean), points(second.mean), points(second.by_chance), f"{max(p, 1e-6):.2g}"]
        rows.append(row)
    return rows


def size(m: float) -> str:
    """A crossing."""
    return "∞" if m == np.inf else f"{m:.0f}"


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
        row = [name, size(of[name]["published"][0])]
        for protocol in PROTOCOLS:
            value, low, high = of[name][protocol]
            mark = " ✓" if inside(of[name], protocol) else ""
            row.append(f"{size(value)} [{size(low)}, {size(high)}]{mark}")
        rows.append(row)
    return rows


def early_rows(within: Mapping[str, Contest], places: Sequence[int], resamples: int, seed: int) -> list[Row]:
    """For each rule: mean lead with its interval at some of the sizes, and counts at the second."""
    rows = []
    for rule, title in RULES.items():
        leads = [mean_lead(within, rule, place, resamples, seed) for place in places]
        cells = [f"{points(of.value, 1)} [{points(of.low, 1)}, {points(of.high, 1)}]" for of in leads]
        found = count(early(within, rule, 1))
        low, high = found.interval("nb")
        rows.append([title, *cells, found.cell(), f"{low:.2f} to {high:.2f}"])
    return rows


def late_rows(within: Mapping[str, Contest], beyond: Mapping[str, Contest], resamples: int, seed: int) -> list[Row]:
    """For each rule: mean lead of naive Bayes at the largest size, and counts."""
    rows = []
    for rule, title in RULES.items():
        lead = mean_lead(at_the_end(within, beyond), rule, -1, resamples, seed)
        found = count(late(within, beyond, rule))
        low, high = found.interval("lr")
        interval = f"{points(lead.value, 1)} [{points(lead.low, 1)}, {points(lead.high, 1)}]"
        rows.append([title, interval, found.cell(), f"{low:.2f} to {high:.2f}"])
    return rows


def floor_rows(found: Sequence[Floor]) -> list[Row]:
    """Gap and early error for each floor."""
    return [[f"{of.floor:g}", points(of.gap), points(of.error)] for of in found]


def column_rows(found: Reproduction) -> list[Row]:
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
    header = ["points of error", *(f"{name}, {m}" for name, m in found.needed), "mean gap"]
    mean = float(np.mean(np.abs(list(found.needed.values()))))
    rows = [["published less ours", *(points(value, 1) for value in found.needed.values()), points(mean, 1)]]
    for title, of in found.shift.items():
        cells = [f"{points(each.value, 1)} ± {points((each.high - each.low) / 2, 1)}" for each in of.values()]
        rows.append([title, *cells, points(found.remains(title), 1)])
    return header, rows
