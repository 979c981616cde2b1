"""The figures of the note on GDA and logistic regression, one function each.

GDA is blue and logistic regression orange in all of them; the classes are grey and purple.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREY, ORANGE, PURPLE, Picture, figure
from course.studies.gda_v_logistic import waiting
from course.studies.gda_v_logistic.contest import Race
from course.studies.gda_v_logistic.limits import along

Array = NDArray[np.float64]
WIDTH = 7.2  # in inches: on a phone the letters are still legible
DARK_ORANGE = "#A36F00"  # legible as text
DARK_PURPLE = "#A8527F"
MARKERS = {"GDA": "o", "logistic": "^"}
TINTS = {1: ("#D9E8F3", "#8DBFDF", BLUE), -1: ("#FBE9C6", "#F3C766", ORANGE)}  # by winner: up to 2, to 4, more
UNDECIDED = "#F1F1F1"
SHOWN = {  # the degree of each violation that is drawn; figures of six panels keep this order
    "heavy tails": 0.4,
    "two covariances": 1.5,
    "wrong labels": 0.2,
    "discrete features": 1.0,
    "skew": 1.2,
    "outliers": 0.2,
}


def early_and_late(skew: Race) -> Picture:
    """Excess errors of both models against the number of examples: normal classes, and slightly skewed ones."""
    fig, axes = figure(1, 2, width=6.2, height=2.9, sharey=True)
    _headline(fig, "A slightly wrong assumption helps at first and hurts later")
    for ax, row, title in zip(axes, (0, 1), ("normal classes", "skewness 0.4"), strict=True):
        for model, color in (("GDA", BLUE), ("logistic", ORANGE)):
            mean, spread = 100 * skew.error[model][row], 100 * skew.spread[model][row]
            ax.errorbar(skew.sizes, mean, 1.96 * spread, color=color, marker=MARKERS[model])
        ax.set_title(title, fontsize=11)
        ax.set(yscale="log", xlabel="training examples m")
        _sizes(ax, (20, 100, 800))
        ax.set_yticks([0.1, 1], ["0.1", "1"])
        ax.yaxis.set_minor_locator(NullLocator())
    floor = 100 * along("skew", skew.kind.degrees[1]).floors()["GDA"]
    axes[1].axhline(floor, color=BLUE, linestyle=":", linewidth=1.4)
    axes[1].annotate("GDA's limit", (22, floor * 0.84), color=BLUE, fontsize=9.5, va="top")
    axes[0].annotate("logistic regression", (60, 1.55), color=DARK_ORANGE, fontsize=10, fontweight="bold")
    axes[0].annotate("GDA", (27, 0.34), color=BLUE, fontsize=10, fontweight="bold")
    axes[0].set_ylabel("excess error, %")
    return Picture(
        fig,
        "early-and-late",
        alt="Excess error in per cent against the number of training examples, on logarithmic axes. Left, normal "
        "classes: both curves fall in parallel, GDA below logistic regression at every size. Right, classes with a "
        f"skewness of 0.4: GDA is lower with 20 examples, then levels off at {floor:.2f} per cent, while logistic "
        "regression keeps falling and is far lower with 800.",
    )


def converse(pairs: Mapping[str, tuple[Array, Array]]) -> Picture:
    """A density with two modes and its exponential tilt, and their log odds, which lie on a line."""
    x, f = pairs["two modes, tilted"]
    fig, (left, right) = figure(1, 2, width=6.0, height=2.4)
    _headline(fig, "A logistic posterior does not need normal classes")
    for k, color in enumerate((GREY, PURPLE)):
        left.plot(x, np.exp(f[:, k]), color=color)
    right.plot(x, f[:, 1] - f[:, 0], color=BLACK)
    right.axhline(0, color=GREY, linewidth=1)
    left.annotate("class 0", (-4.9, 0.3), color=GREY, fontsize=10, fontweight="bold")
    left.annotate("class 1", (3.4, 0.3), color=DARK_PURPLE, fontsize=10, fontweight="bold")
    left.set(xlabel="x", ylabel="density", xticks=[-4, 0, 4], yticks=[], ylim=(0, None))
    right.set(xlabel="x", ylabel="log odds", xticks=[-4, 0, 4], yticks=[-4, 0, 4])
    return Picture(
        fig,
        "converse",
        alt="Left: the density of class 0, with two modes, and that of class 1, its exponential tilt, in which the "
        "right mode is much higher than the left one. Right: their log odds, a straight line.",
    )


def shifted_boundary(sizes: Sequence[int], excess: Mapping[str, Array]) -> Picture:
    """Two exponential classes: the midpoint of the means is not where the densities cross, and data do not help."""
    fig, (left, right) = figure(1, 2, width=6.8, height=3.0, width_ratios=[1.15, 1])
    _headline(fig, "GDA's boundary: the midpoint of the means, with any amount of data")
    x = np.linspace(0, 14, 400)
    zero, one = waiting.density(x)
    middle, best = sum(waiting.MEANS) / 2, waiting.crossing()
    left.plot(x, zero, color=GREY)
    left.plot(x, one, color=PURPLE)
    lost = (x >= best) & (x <= middle)
    left.fill_between(x, zero, one, where=lost, color=BLUE, alpha=0.25, linewidth=0)
    for place, color in ((best, ORANGE), (middle, BLUE)):
        left.axvline(place, color=color, linewidth=2)
    left.annotate(f"crossing\n{best:.2f}", (best + 0.15, 0.31), color=DARK_ORANGE, fontsize=8.5)
    left.annotate(f"midpoint {middle:.0f}", (middle + 0.3, 0.245), color=BLUE, fontsize=9)
    left.annotate("← class 0, mean 1", (5.5, 0.40), color=GREY, fontsize=9.5, fontweight="bold")
    left.annotate("class 1, mean 9", (8.2, 0.062), color=DARK_PURPLE, fontsize=9.5, fontweight="bold")
    left.annotate("lost", (3.7, 0.125), color=BLUE, fontsize=9.5, fontweight="bold", ha="center")
    left.annotate("", (3.7, 0.048), (3.7, 0.118), arrowprops={"arrowstyle": "-", "color": BLUE})
    left.set(
        xlabel="waiting time x, minutes",
        ylabel="density",
        xlim=(0, 14),
        ylim=(0, 0.45),
        xticks=[0, 5, 10],
        yticks=[0, 0.2, 0.4],
    )
    floor = 100 * float(waiting.error(np.array(-middle), np.array(1.0)) - waiting.error(np.array(-best), np.array(1.0)))
    right.axhline(floor, color=BLUE, linestyle=":", linewidth=1.4)
    for model, color in (("GDA", BLUE), ("logistic", ORANGE)):
        right.plot(sizes, 100 * excess[model].mean(axis=1), color=color, marker=MARKERS[model])
    right.set(xscale="log", xlabel="training examples m", ylabel="excess error, %", ylim=(0, 6.4), yticks=[0, 2, 4, 6])
    right.set_xticks([20, 200, 2000], ["20", "200", "2000"])
    right.minorticks_off()
    right.annotate(f"GDA: {floor:.1f} %", (2000, floor - 0.62), color=BLUE, fontsize=10, fontweight="bold", ha="right")
    right.annotate("logistic regression", (40, 1.3), color=DARK_ORANGE, fontsize=10, fontweight="bold")
    return Picture(
        fig,
        "shifted-boundary",
        alt="Left: the densities of two exponential classes with means 1 and 9. They cross at "
        f"{best:.2f}; the midpoint of the means is at {middle:.0f}, and the area between the densities from one to the "
        "other is what GDA loses. Right: excess error against the number of examples; logistic regression falls to "
        f"nearly zero, GDA stays at {floor:.1f} per cent.",
    )


def six_ways() -> Picture:
    """The classes of each scenario along the line through their means, with the boundaries of unlimited data."""
    fig, axes = figure(2, 3, width=6.4, height=3.4)
    _headline(fig, "GDA loses for good where the midpoint is away from the crossing")
    for ax, (kind, degree) in zip(axes.flat, SHOWN.items(), strict=True):
        found = along(kind, degree)
        low, high = _window(kind, found.low, found.high)
        s = found.places if found.steps else np.linspace(low, high, 400)
        zero, one = found.density(s)
        if kind == "wrong labels":
            zero, one = ((1 - degree) * a + degree * b for a, b in ((zero, one), (one, zero)))
        for values, color in ((zero, GREY), (one, PURPLE)):
            if found.steps:
                ax.vlines(s + (0.08 if color == PURPLE else -0.08), 0, values, color=color, linewidth=3)
            else:
                ax.plot(s, values, color=color, linewidth=1.6)
        ax.axvline(found.gda(), color=BLUE, linewidth=2.2)
        ax.axvline(found.logistic(), color=ORANGE, linewidth=2.2, linestyle=(0, (4, 3)))
        floors = found.floors()
        ax.annotate(
            f"GDA {100 * abs(floors['GDA']):.1f} %",
            (1.0, 0.99),
            xycoords="axes fraction",
            ha="right",
            va="top",
            color=BLUE,
            fontsize=9,
            fontweight="bold",
        )
        ax.annotate(
            f"logistic {100 * abs(floors['logistic']):.1f} %",
            (1.0, 0.86),
            xycoords="axes fraction",
            ha="right",
            va="top",
            color=DARK_ORANGE,
            fontsize=9,
            fontweight="bold",
        )
        ax.set_title(f"{kind}, {degree:g}", fontsize=10.5)
        ax.set(xlim=(low, high), ylim=(0, 1.5 * max(zero.max(), one.max())), yticks=[], xticks=[])
    return Picture(
        fig,
        "six-ways",
        alt="Six panels with the densities of two classes along the line through their means, one for each violation, "
        "and the boundaries of both models with unlimited data. With heavy tails and with wrong labels both are at "
        "the crossing of the densities. With skew, counts, two covariances and outliers GDA's boundary, the midpoint "
        "of the means, lies away from the crossing, and the excess error that remains is given: "
        + "; ".join(
            f"{kind} {100 * abs(floors['GDA']):.1f} per cent for GDA and {100 * abs(floors['logistic']):.1f} for "
            "logistic regression"
            for kind, degree in SHOWN.items()
            for floors in [along(kind, degree).floors()]
        )
        + ".",
    )


def who_wins(races: Mapping[str, Race]) -> Picture:
    """Six tables of degrees and sample sizes: whose excess error is smaller, and by which factor."""
    fig, axes = figure(2, 3, width=WIDTH, height=4.6)
    _headline(fig, "Who wins depends on the violation and on the number of examples")
    sizes = next(iter(races.values())).sizes
    for ax, name in zip(axes.flat, SHOWN, strict=True):  # the front page shows the middle panel of the lower row
        race = races[name]
        for (i, j), winner in np.ndenumerate(race.winner):
            ratio = race.ratio[i, j]
            factor = max(ratio, 1 / ratio) if ratio > 0 else np.inf
            tint = UNDECIDED if winner == 0 else TINTS[int(winner)][int(np.searchsorted([2, 4], factor))]
            ax.add_patch(
                Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=tint, edgecolor="white", linewidth=1.2, antialiased=False)
            )
            text = "≈" if winner == 0 else "" if factor < 2 else f"{factor:.0f}" if factor < 99.5 else "99+"
            ax.annotate(text, (j, i), ha="center", va="center", fontsize=8, color="white" if tint == BLUE else BLACK)
        ax.set_yticks(range(len(race.kind.degrees)), [f"{degree:g}" for degree in race.kind.degrees], fontsize=8)
        ax.set(xlim=(-0.5, len(sizes) - 0.5), ylim=(-0.5, len(race.kind.degrees) - 0.5))
        ax.tick_params(length=0)
        ax.grid(visible=False)
        for side in ("left", "bottom"):
            ax.spines[side].set_visible(False)
        ax.set_title(name, fontsize=11, pad=5)
        ax.set_ylabel(race.kind.axis, fontsize=8.5)
        ax.set_xticks([])
    for ax in axes[1]:
        ax.set_xticks(range(len(sizes)), sizes, fontsize=8)
        ax.set_xlabel("training examples m", fontsize=9)
    fig.supxlabel(
        "blue: GDA wins   orange: logistic regression wins   number: by which factor, from 2 on   ≈: undecided",
        fontsize=8.5,
    )
    return Picture(
        fig,
        "who-wins",
        alt="Six tables, one for each violation, of which model has the smaller excess error, by sample size and "
        "degree. GDA wins along the bottom, where nothing is wrong. Logistic regression wins above and to the right "
        "for skew, discrete features, two covariances and outliers, and for very heavy tails. For wrong labels GDA "
        "wins, by less and less.",
    )


def _headline(fig: Figure, text: str) -> None:
    fig.suptitle(text, x=0.01, ha="left", fontsize=12, fontweight="bold")


def _sizes(ax: Axes, sizes: Sequence[int]) -> None:
    ax.set_xscale("log")
    ax.set_xticks(sizes, [str(m) for m in sizes])
    ax.xaxis.set_minor_locator(NullLocator())


def _window(kind: str, low: float, high: float) -> tuple[float, float]:
    """What of the diagonal is drawn: less than what is summed where tails are long."""
    windows = {
        "heavy tails": (-7.0, 7.0),
        "skew": (0.0, 32.0),
        "discrete features": (-0.5, 11.5),
        "two covariances": (-5.0, 7.0),
        "outliers": (-5.0, 11.0),
    }
    return windows.get(kind, (max(low, -5.0), min(high, 5.0)))
