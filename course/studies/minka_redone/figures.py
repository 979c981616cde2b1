"""The figures of the note on Minka's comparison, one function each."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILLION, Picture, figure
from course.studies.minka_redone import minka
from course.studies.minka_redone.experiments import (
    COUNT,
    NOT_IN_THE_PAPER,
    OURS,
    PUBLISHED,
    READING_ERROR,
    SEARCH,
    START,
    Costs,
    Ladder,
    Offset,
)
from course.studies.races.race import Course

Array = NDArray[np.float64]
WIDTH = 6.1  # in inches: on a phone the letters are still legible
COLORS = {
    "Newton": BLUE,
    "conjugate gradient": ORANGE,
    "BFGS": GREEN,
    "fixed Hessian": PURPLE,
    "coordinate Newton": BLACK,
    "iterative scaling": GREY,
}
LETTERS = COLORS | {"conjugate gradient": "#9A6A00", "BFGS": "#00735A", "fixed Hessian": "#A0497A"}  # dark enough
SHORT = {"conjugate gradient": "conjugate gradients", "Newton": "Newton's method"}
HIS, MINE = VERMILLION, BLUE  # of his programs, and of the package
ABOVE = 2e9  # operations that iterative scaling was published to exceed
BACKED = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}  # behind a word that lies on lines


def published_and_redone(ladder: Ladder, scaling: Costs) -> Picture:
    """Costs of all solvers: published, of his programs and of the package. scaling : those of iterative scaling."""
    names = [*NOT_IN_THE_PAPER, *PUBLISHED, "iterative scaling"]
    his = ladder.costs[COUNT] | scaling
    fig, ax = figure(width=WIDTH, height=3.7)
    for row, name in enumerate(names):
        for costs, color, marker, shift in ((his, HIS, "o", -0.13), (ladder.costs[OURS], MINE, "s", 0.2)):
            if name in costs:
                _middle_half(ax, costs[name], row + shift, color, marker)
    rows = np.array([names.index(name) for name in PUBLISHED]) - 0.13
    values = np.array(list(PUBLISHED.values()))
    ax.hlines(rows, values / READING_ERROR, values * READING_ERROR, color=BLACK, linewidth=1.2, zorder=5)
    ax.plot(values, rows, "D", color="none", markeredgecolor=BLACK, markeredgewidth=1.5, markersize=9, zorder=6)
    last = names.index("iterative scaling") - 0.13
    ax.annotate("", (6e9, last), (ABOVE, last), arrowprops={"arrowstyle": "->", "color": BLACK, "linewidth": 1.4})
    ax.plot(ABOVE, last, "D", color="none", markeredgecolor=BLACK, markeredgewidth=1.5, markersize=9, zorder=6)
    for text, color, row in (
        ("◇ published, read by eye", BLACK, 0.0),
        ("● his line search, start and count", HIS, 0.8),
        ("■ the package's own", MINE, 1.6),
    ):
        ax.annotate(text, (2.2e7, row), color=color, fontweight="bold", va="center")
    ax.set_yticks(range(len(names)), [SHORT.get(name, name) for name in names])
    ax.grid(axis="y", visible=False)
    ax.set(
        xscale="log",
        xlim=(1.5e6, 7e9),
        ylim=(len(names) - 0.5, -0.6),
        xlabel="operations to a gap of $10^{-5}$ per example",
    )
    ax.minorticks_off()
    ax.set_title("With his search, start and count, our medians\nlie close to the published costs", x=-0.34)
    return Picture(
        fig,
        "published-and-redone",
        alt="Operations of eight solvers on a logarithmic axis. For conjugate gradients, BFGS, the fixed Hessian, "
        "Newton's method and coordinate Newton the medians of Minka's programs lie near the published values. With the "
        "package's line searches and count, BFGS, Newton's method and coordinate Newton are cheaper, conjugate "
        "gradients and the fixed Hessian more expensive. L-BFGS and Newton-CG, not in the paper, are at the cheap end; "
        "iterative scaling lies far to the right of everything else.",
    )


def safe_bound(runs: Mapping[str, Course], m: int, d: int) -> Picture:
    """Iterative scaling: its bound for three examples, and its way to the minimum of experiment 1."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=2.6, width_ratios=[1, 1.15])
    theta = np.linspace(-0.25, 1.45, 200)
    left.plot(theta, _three(theta), color=BLACK)
    at = 0.0
    for k, color in enumerate((VERMILLION, GREEN)):
        left.plot(theta, _bound(theta, at), color=color, linestyle="--", linewidth=1.6)
        left.plot(at, _three(at), "o", color=BLACK, markersize=6, zorder=4)
        left.annotate(str(k), (at, _three(at)), xytext=(-12, -10), textcoords="offset points", fontweight="bold")
        at += _step(at)
    left.plot(at, _three(at), "o", color=BLACK, markersize=6, zorder=4)
    left.annotate("2", (at, _three(at)), xytext=(-2, -15), textcoords="offset points", fontweight="bold")
    left.plot(np.log(2), _three(np.log(2)), "*", color=BLACK, markersize=13, zorder=5)
    left.annotate("F", (1.33, 2.13), fontweight="bold")
    left.annotate("bounds", (0.5, 2.14), fontweight="bold", color=VERMILLION, ha="center")
    left.set(xlabel="θ", ylabel="F", xlim=(-0.25, 1.45), ylim=(1.86, 2.3))
    left.set_title("Safe: a bound above F", fontsize=11.5)
    for name in ("conjugate gradient", "Newton", "iterative scaling"):
        flops, gap = minka.flops(runs[name], name, m, d)[1:], runs[name].gap[1:] / m
        keep = np.unique(np.geomspace(1, len(gap), 120).astype(int)) - 1
        right.plot(flops[keep], np.maximum(gap[keep], 1e-12), color=COLORS[name], linewidth=2.2)
    for text, at_, name in (
        ("conjugate\ngradients", (5e3, 3e-6), "conjugate gradient"),
        ("Newton", (5e7, 3e-8), "Newton"),
        ("iterative\nscaling", (7e8, 2e-2), "iterative scaling"),
    ):
        right.annotate(text, at_, color=LETTERS[name], fontweight="bold", va="center", fontsize=10)
    right.set(
        xscale="log", yscale="log", xlim=(3e3, 9e10), ylim=(1e-9, 1), xlabel="operations", ylabel="gap per example"
    )
    right.minorticks_off()
    right.set_title("And very slow", fontsize=11.5)
    return Picture(
        fig,
        "safe-bound",
        alt="Left: the loss of three examples as a curve with its minimum at 0.69, and two dashed bounds above it that "
        "touch it at 0 and at 0.35; each step goes to the lowest point of a bound, and after two steps the minimum is "
        "not reached. Right: gap per example against operations in experiment 1. Conjugate gradients and Newton's "
        "method fall steeply; iterative scaling creeps and needs more than ten times as many operations as either.",
    )


def one_change(ladder: Ladder) -> Picture:
    """Median costs of five solvers as one thing after another is exchanged, and the published costs."""
    stages = (OURS, SEARCH, START, COUNT)
    fig, ax = figure(width=WIDTH, height=3.3)
    for name, published in PUBLISHED.items():
        costs = [ladder.median(stage)[name] for stage in stages]
        ax.plot(range(4), costs, color=COLORS[name], marker="o", linewidth=2.2)
        x = 4.12 if name == "fixed Hessian" else 4  # two were published at the same place
        ax.errorbar(
            x,
            published,
            yerr=[[published - published / READING_ERROR], [published * READING_ERROR - published]],
            fmt="D",
            color=COLORS[name],
            markersize=8,
            markerfacecolor="white",
            markeredgewidth=1.8,
            linewidth=1.5,
        )
        left = costs[0] * {"Newton": 1.12, "fixed Hessian": 0.95, "coordinate Newton": 0.92}.get(name, 1.0)
        ax.annotate(
            SHORT.get(name, name),
            (-0.1, left),
            color=LETTERS[name],
            fontweight="bold",
            va="center",
            ha="right",
            fontsize=10,
        )
    ax.set(yscale="log", xlim=(-2.25, 4.4), ylabel="operations", ylim=(2e6, 1e8))
    ax.set_xticks(range(5), ["package", "+ line\nsearch", "+ start\nand β", "+ count", "published"])
    ax.set_title("Search, start and count each move different solvers")
    return Picture(
        fig,
        "one-change",
        alt="Median operations of five solvers in four stages, and the published values. His line search makes "
        "conjugate gradients, the fixed Hessian and, a little, BFGS cheaper. His start makes BFGS more than twice as "
        "expensive and moves nothing else. His count raises coordinate Newton by a factor of more than three, Newton's "
        "method by more than one and a half, the fixed Hessian a little.",
    )


def experiment_2(offsets: Mapping[float, Offset]) -> Picture:
    """Gap against operations with features that share an offset, his programs on one data set."""
    fig, axes = figure(1, 2, width=WIDTH, height=2.85, sharey=True)
    titles = (f"Offset {c:g}: they {what}" for c, what in zip(offsets, ("arrive last", "level off"), strict=True))
    for ax, title, offset in zip(axes, titles, offsets.values(), strict=True):
        m, width = offset.problems[0].X.shape
        for name, run in offset.runs[0].items():
            gap = run.gap[1:] / m
            ax.plot(minka.flops(run, name, m, width)[1:], np.maximum(gap, 1e-12), color=COLORS[name])
        ax.set(xscale="log", yscale="log", xlim=(1.5e5, 3e8), ylim=(1e-9, 1), xlabel="operations")
        ax.minorticks_off()
        ax.set_title(title, fontsize=11.5)
    axes[0].set_ylabel("gap per example")
    left, right = axes
    for ax, text, at, name in (
        (left, "BFGS", (3.2e6, 1e-6), "BFGS"),
        (left, "conjugate\ngradients", (5e7, 5e-3), "conjugate gradient"),
        (right, "conjugate\ngradients", (3.2e7, 6e-2), "conjugate gradient"),
        (right, "fixed\nHessian", (2.2e6, 3e-6), "fixed Hessian"),
        (right, "Newton", (5e7, 1e-6), "Newton"),
    ):
        ax.annotate(text, at, color=LETTERS[name], fontweight="bold", va="center", fontsize=10)
    fig.suptitle(
        "Conjugate gradients fall behind as the offset grows", x=0.01, ha="left", fontsize=12.5, fontweight="bold"
    )
    return Picture(
        fig,
        "experiment-2",
        alt="Gap per example against operations for features shifted by 1 and by 10, with Minka's programs. Newton's "
        "method, BFGS and the fixed Hessian arrive in both panels. Conjugate gradients come last with an offset of 1, "
        "and with an offset of 10 they creep above a gap of a thousandth while the others arrive.",
    )


def relative(costs: Mapping[str, Costs]) -> Picture:
    """Costs of his programs in units of Newton's method, for each setting: medians over data sets."""
    fig, ax = figure(width=WIDTH, height=3.3)
    settings, limit = list(costs), 2.2
    for name, marker, shift in (("conjugate gradient", "s", 0.16), ("BFGS", "o", 0.0), ("fixed Hessian", "D", -0.16)):
        medians = [float(np.median(costs[each][name] / costs[each]["Newton"])) for each in settings]
        for row, value in enumerate(medians):
            beyond = not np.isfinite(value)
            at = limit if beyond else value
            ax.plot(at, row + shift, ">" if beyond else marker, color=COLORS[name], markersize=7)
        _above(
            ax, SHORT.get(name, name), medians[0] * {"BFGS": 0.85, "fixed Hessian": 1.08}.get(name, 1.0), LETTERS[name]
        )
    ax.axvline(1, color=BLUE, linewidth=2, ymax=0.82)
    _above(ax, SHORT["Newton"], 1.25, BLUE)
    ax.annotate(
        "not reached",
        (limit, len(settings) - 1),
        xytext=(0, 3),
        textcoords="offset points",
        color=LETTERS["conjugate gradient"],
        ha="center",
        fontsize=9.5,
    )
    alone = [len(costs[each]["Newton"]) == 1 for each in settings]
    names = [f"{each},\none set" if one else each for each, one in zip(settings, alone, strict=True)]
    ax.set_yticks(range(len(settings)), names)
    ax.set(
        xscale="log", xlim=(0.0075, 4.2), ylim=(len(settings) - 0.6, -1.05), xlabel="cost relative to Newton's method"
    )
    ax.set_xticks([0.01, 0.03, 0.1, 0.3, 1, 3], ["0.01", "0.03", "0.1", "0.3", "1", "3"])
    ax.minorticks_off()
    ax.grid(axis="y", visible=False)
    ax.set_title("The cheapest solver depends on the data", x=-0.22)
    return Picture(
        fig,
        "relative",
        alt="Cost of three solvers relative to that of Newton's method in five settings. Conjugate gradients range "
        "from about a fiftieth with 500 independent features to more than Newton's method with an offset of 1, and do "
        "not arrive with an offset of 10. BFGS and the fixed Hessian stay below Newton's method everywhere. With "
        "positive features the three are close together; with an offset of 10 the fixed Hessian is the cheapest.",
    )


def _above(ax: Axes, text: str, x: float, color: str) -> None:
    """A name above the first row, beside it."""
    where = {"xytext": (0, 15), "textcoords": "offset points"}
    ax.annotate(text, (x, 0), color=color, fontweight="bold", fontsize=9.5, ha="center", **where)


def _middle_half(ax: Axes, costs: Array, row: float, color: str, marker: str) -> None:
    low, median, high = np.quantile(costs, [0.25, 0.5, 0.75], method="nearest")
    ax.hlines(row, low, min(high, 1e10), color=color, linewidth=3, alpha=0.4)
    ax.plot(median, row, marker, color=color, markersize=7, zorder=4)


def _three(theta: Array | float) -> Array:
    """F for a constant feature and the responses 1, 1, 0."""
    return 3 * np.logaddexp(0, theta) - 2 * np.asarray(theta)


def _pulls(theta: float) -> tuple[float, float]:
    p = 1 / (1 + np.exp(-theta))
    return 2 * (1 - p), p


def _step(theta: float) -> float:
    up, down = _pulls(theta)
    return float(np.log(up / down) / 2)


def _bound(theta: Array, at: float) -> Array:
    up, down = _pulls(at)
    return _three(at) + up * np.expm1(-(theta - at)) + down * np.expm1(theta - at)
