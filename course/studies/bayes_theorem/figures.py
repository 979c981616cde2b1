"""The figures of the note."""

from collections.abc import Sequence
from math import log

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREY, VERMILLION, Picture, figure
from course.studies.bayes_theorem.panel import TESTS, Ward
from course.studies.bayes_theorem.people import PREVALENCE, REPEATED, SENSITIVITY, SPECIFICITY, counts, two_tests

WIDTH = 5.2  # inches: narrow, so that the letters can be read on a telephone
PALE = "#C9D3DA"  # of the many who are healthy and test negative
ROWS = 20  # of dots
RULE_COLOURS = {"full table": VERMILLION, "naive product": BLUE}
WARD_TITLES = {"independent": "Independent tests", "common cause": "Tests with a common cause"}


def thousand_people() -> Picture:
    """A thousand people as dots, and below them only those who test positive."""
    people = counts(1000)
    ill, false_alarms = int(people.ill_positive), int(people.healthy_positive)
    fig, (top, bottom) = figure(2, 1, width=WIDTH, height=4.3, height_ratios=(2.6, 1))
    _blank(top, (-1.0, 51.5), (-2.2, ROWS + 3.4))
    groups = [(ill, VERMILLION, "o"), (int(people.ill_negative), VERMILLION, "hollow")]
    _dots(top, groups, 0)
    _dots(top, [(false_alarms, BLUE, "o"), (int(people.healthy_negative), PALE, "o")], 1.7)
    bold = {"fontweight": "bold", "va": "center"}
    top.text(-0.6, ROWS + 1.9, "20 ill", color=VERMILLION, **bold)
    top.text(51, ROWS + 1.9, "980 healthy", ha="right", color=BLUE, **bold)
    top.text(-0.6, -1.6, "filled: 18 test positive", color=VERMILLION, va="center", fontsize=10)
    top.text(51, -1.6, "blue: 49 test positive, pale: 931 negative", ha="right", color=BLUE, va="center", fontsize=10)
    fig.suptitle("Of 67 positive tests, 18 come from ill people", x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    _blank(bottom, (-1.0, 51.5), (-2.2, 7.4))
    place = np.arange(ill + false_alarms)
    colours = [VERMILLION] * ill + [BLUE] * false_alarms
    bottom.scatter(2.2 * (place // 3) * 51 / 52, 4 - 2 * (place % 3), s=30, c=colours, linewidths=0)
    bottom.text(-0.6, 6.6, "18 ill: 27 %", color=VERMILLION, **bold)
    bottom.text(51, 6.6, "49 healthy: 73 %", ha="right", color=BLUE, **bold)
    bottom.text(-0.6, -1.9, "the 67 who test positive", color=GREY, va="center", fontsize=10)
    return Picture(
        fig,
        "thousand-people",
        "A thousand people as dots. Twenty are ill, and 18 of these test positive. 980 are healthy, and 49 of these "
        "test positive, while 931 test negative. Below, the 67 people with a positive test alone: 18 of them, 27 per "
        "cent, are ill, and 49, or 73 per cent, are healthy.",
    )


def evidence_adds_up() -> Picture:
    """Log odds of being ill: the prior, and how far a positive and a negative result move them."""
    prior = log(PREVALENCE / (1 - PREVALENCE))
    up = log(SENSITIVITY / (1 - SPECIFICITY))
    down = log((1 - SENSITIVITY) / SPECIFICITY)
    paths = (("+", (up,)), ("+ +", (up, up)), ("+ −", (up, down)), ("−", (down,)))
    fig, ax = figure(width=WIDTH, height=3.3)
    for row, (name, steps) in enumerate(paths):
        at = prior
        for k, step in enumerate(steps):
            height = row + 0.3 * (k == 1 and step < 0)  # the way back runs below the way there
            colour = VERMILLION if step > 0 else BLUE
            style = {"arrowstyle": "-|>", "color": colour, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
            ax.annotate("", (at + step, height), (at, height), arrowprops=style)
            side = 0.26 if height > row else -0.24
            ax.text(at + step / 2, height + side, _signed(step), ha="center", va="center", color=colour)
            at += step
        ax.plot(at, height, "o", color=BLACK, markersize=6)
        probability = 1 / (1 + np.exp(-at))
        text = (f"{probability:.0%}" if probability > 0.01 else f"{probability:.1%}").replace("%", " %")
        side, align = (0.25, "left") if steps[-1] > 0 else (-0.25, "right")
        white = {"color": "white", "pad": 1}
        ax.text(at + side, height, text, ha=align, va="center", fontweight="bold", bbox=white)
        ax.text(-8.6, row, name, va="center", fontweight="bold", fontsize=12)
    ax.plot(prior, -0.85, "o", color=GREY)
    ax.text(prior - 0.25, -0.85, "before any test: 2 %", ha="right", va="center", color=GREY)
    ax.axvline(prior, color=GREY, linewidth=1, linestyle=":")
    ax.axvline(0, color=BLACK, linewidth=1)
    ax.set(xlim=(-8.7, 3.9), ylim=(3.7, -1.3), yticks=[], xlabel="log odds of being ill")
    ax.spines["left"].set_visible(False)
    ax.grid(visible=False)
    ax.text(0.12, 3.55, "more probably ill →", fontsize=10, color=BLACK, va="bottom")
    ax.set_title("Evidence adds up on the scale of log odds")
    return Picture(
        fig,
        "evidence-adds-up",
        "The log odds of being ill start at minus 3.89, a probability of 2 per cent. A positive result adds 2.89 and "
        "leads to 27 per cent; a second one adds as much again and leads to 87 per cent, beyond zero. A negative "
        "result subtracts 2.25: after a positive result it leads back to 4 per cent, from the start to 0.2 per cent.",
    )


def positive_twice(people: int = 20_000) -> Picture:
    """Who is left after one and after two positive tests, if false positives are independent and if half repeat."""
    bars = [
        (f"of {people:,} people, positive once", two_tests(), {"first": 1}),
        ("positive twice if independent given health", two_tests(), {"first": 1, "second": 1}),
        ("positive twice if half of the false positives repeat", two_tests(REPEATED), {"first": 1, "second": 1}),
    ]
    fig, ax = figure(width=WIDTH, height=3.0)
    for row, (name, joint, event) in enumerate(bars):
        ill, healthy = (float(people * joint.p(ill=state, **event)) for state in (1, 0))
        ax.barh(row, ill, 0.5, color=VERMILLION)
        ax.barh(row, healthy, 0.5, left=ill, color=BLUE)
        ax.text(0, row - 0.42, name, va="center", fontsize=10, fontweight="bold")
        ax.text(ill / 2, row, f"{ill:g} ill", ha="center", va="center", color="white", fontweight="bold")
        if healthy > 200:
            ax.text(
                ill + healthy / 2, row, f"{healthy:g} healthy", ha="center", va="center", color="white", weight="bold"
            )
        share = ill / (ill + healthy)
        after = f"{share:.0%} are ill".replace("%", " %")
        text = after if healthy > 200 else f"{healthy:g} healthy: {after}"
        ax.text(ill + healthy + 20, row, text, va="center", fontweight="bold")
    ax.set(xlim=(0, 1720), ylim=(2.45, -0.75), yticks=[], xticks=[])
    ax.spines[:].set_visible(False)
    ax.set_title("Two positive tests may say much, or little")
    return Picture(
        fig,
        "positive-twice",
        "Bars of people out of 20,000. Positive once: 360 ill and 980 healthy, so 27 per cent are ill. Positive "
        "twice if the results are independent given the state of health: 324 ill and 49 healthy, 87 per cent ill. "
        "Positive twice if half of the false positives repeat: 324 ill and 490 healthy, 40 per cent ill.",
    )


def price_of_numbers(
    sizes: Sequence[int], errors: dict[tuple[str, str], NDArray[np.float64]], wards: dict[str, Ward]
) -> Picture:
    """Errors of the full table and of the naive product against the number of people they were learned from."""
    fig, axes = figure(2, 1, width=WIDTH, height=5.4, sharex=True, sharey=True)
    for ax, (name, ward) in zip(axes, wards.items(), strict=True):
        for rule, colour in RULE_COLOURS.items():
            values = errors[name, rule]
            mean, reach = values.mean(axis=1), 2 * values.std(axis=1, ddof=1) / np.sqrt(values.shape[1])
            ax.plot(sizes, mean, "o-", color=colour, markersize=4.5)
            ax.fill_between(sizes, mean - reach, mean + reach, color=colour, alpha=0.2, linewidth=0)
        ax.axhline(ward.least_error, color=GREY, linewidth=1.2, linestyle="--")
        ax.set(xscale="log", ylim=(0.04, 0.5), yticks=[0.1, 0.2, 0.3, 0.4, 0.5])
        ax.set_title(WARD_TITLES[name], fontsize=11)
        ax.set_ylabel("wrong answers")
        ax.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}".replace("%", " %"))
    top, bottom = axes
    bold = {"fontweight": "bold", "fontsize": 10}
    top.text(420, 0.31, f"full table: {2**TESTS - 1} numbers\nfor each class", color=VERMILLION, **bold)
    top.text(sizes[0], 0.06, f"naive product: {TESTS} numbers\nfor each class", color=BLUE, **bold)
    top.text(sizes[-1], 0.085, "all probabilities known", color=GREY, ha="right", fontsize=10)
    bottom.text(sizes[-1], 0.205, "naive product", color=BLUE, ha="right", **bold)
    bottom.text(420, 0.34, "full table", color=VERMILLION, **bold)
    fig.suptitle("Few numbers are learned sooner than many", x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    bottom.set_xlabel("people to learn from")
    bottom.set_xticks(sizes, [f"{size:,}" for size in sizes])
    bottom.minorticks_off()
    return Picture(
        fig,
        "price-of-numbers",
        "Proportion of wrong answers against the number of people to learn from, on a logarithmic axis from 30 to "
        "30,000. Above, independent tests: the naive product of 8 numbers comes close to the best possible 14 per cent "
        "with 300 people, the full table of 255 numbers needs 10,000. Below, tests with a common cause: the naive "
        "product is better with up to 300 people but stops at 19 per cent, and the full table meets it at about 1000 "
        "people on its way down to 13 per cent.",
    )


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def _blank(ax: Axes, xlim: tuple[float, float], ylim: tuple[float, float]) -> None:
    """Axes to draw on freely."""
    ax.set(xlim=xlim, ylim=ylim)
    ax.set_axis_off()


def _dots(ax: Axes, groups: Sequence[tuple[int, str, str]], left: float) -> None:
    """Groups of people as dots, one group after the other, column by column from the top."""
    begin = 0
    for size, colour, kind in groups:
        place = np.arange(begin, begin + size)
        fill = {"facecolors": "none", "edgecolors": colour} if kind == "hollow" else {"c": colour, "linewidths": 0}
        ax.scatter(left + place // ROWS, ROWS - 1 - place % ROWS, s=16 if kind == "hollow" else 21, **fill)
        begin += size
