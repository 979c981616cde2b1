"""The figures of the note."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Picture, figure
from course.studies.the_best_classifier.hormone import CLINIC, TwoNormals

WIDTH = 5.2  # inches: narrow, so that the letters can be read on a telephone
LEVELS = np.linspace(2, 20, 721)
CLASS_COLOURS = (BLUE, VERMILLION)
PLUG_IN_COLOURS = {"two widths": BLUE, "one width": VERMILLION, "histogram": GREEN}


def bayes_error(problem: TwoNormals = CLINIC) -> Picture:
    """The joint densities of both classes with the smaller of the two shaded, and the posterior below."""
    joint = problem.joint(LEVELS)
    low, high = problem.bayes_rule().cuts
    fig, (top, bottom) = figure(2, 1, width=WIDTH, height=4.6, sharex=True, height_ratios=(1.7, 1))
    _densities(top, joint)
    top.fill_between(LEVELS, joint.min(axis=1), color=BLACK, alpha=0.3, linewidth=0)
    style = {"arrowstyle": "-", "color": BLACK, "linewidth": 1}
    error = f"Bayes error:\n{problem.bayes_error:.1%} of all\npatients".replace("%", " %")
    top.annotate(error, (11.15, 0.03), (14.2, 0.16), arrowprops=style, ha="left", va="center", fontweight="bold")
    _title(fig, "The best rule errs where the classes overlap")
    bottom.plot(LEVELS, joint[:, 1] / joint.sum(axis=1), color=BLACK)
    bottom.axhline(0.5, color=GREY, linewidth=1)
    for ax in (top, bottom):
        for cut in (low, high):
            ax.axvline(cut, color=GREY, linewidth=1.2, linestyle=":")
    for x, text, colour in ((5, "say ill", VERMILLION), (9.875, "say\nhealthy", BLUE), (15.5, "say ill", VERMILLION)):
        bottom.text(x, 0.75, text, ha="center", va="center", color=colour, fontweight="bold")
    bottom.set(xlim=(2, 20), ylim=(-0.04, 1.04), yticks=[0, 0.5, 1], xlabel="hormone level x")
    bottom.set_ylabel("p(ill | x)")
    for ax in (top, bottom):
        ax.grid(visible=False)
    return Picture(
        fig,
        "bayes-error",
        "Above, two curves over the hormone level: the healthy, a high narrow bell around 10 with an area of 0.6, and "
        "the ill, a low wide bell around 11 with an area of 0.4. The area below both curves is shaded: the Bayes "
        f"error, {problem.bayes_error:.1%} of all patients. Below, the probability of being ill: near one at both "
        f"ends, and under one half between {low:.2f} and {high:.2f}, where the best rule says healthy.",
    )


def price_of_one_cut(problem: TwoNormals = CLINIC) -> Picture:
    """The error of a rule with one cut as two areas: the Bayes error, and what is lost where the rules disagree."""
    joint = problem.joint(LEVELS)
    cut = problem.best_cut()
    low = problem.bayes_rule().cuts[0]
    error = problem.error(problem.one_cut(cut))
    fig, ax = figure(width=WIDTH, height=3.6)
    _densities(ax, joint)
    lost = low > LEVELS
    ax.fill_between(LEVELS, joint.min(axis=1), color=BLACK, alpha=0.3, linewidth=0)
    ax.fill_between(LEVELS[lost], joint[lost, 0], joint[lost, 1], color=ORANGE, alpha=0.75, linewidth=0)
    ax.axvline(cut, color=BLACK, linewidth=1.5)
    ax.text(cut + 0.2, 0.235, "say ill →", fontsize=10)
    ax.text(cut - 0.2, 0.265, "← say healthy", ha="right", fontsize=10, bbox={"color": "white", "pad": 1})
    ax.text(14.2, 0.155, _percent(problem.bayes_error) + " Bayes error", fontweight="bold", color="#555555")
    excess = f"+ {_percent(error - problem.bayes_error)} lost below {low:.0f}"
    ax.text(14.2, 0.13, excess, fontweight="bold", color="#8A5A00")
    ax.text(14.2, 0.105, f"= {_percent(error)} of one cut", fontweight="bold")
    style = {"arrowstyle": "-", "color": "#8A5A00", "linewidth": 1}
    ax.annotate("", (6.9, 0.02), (5.0, 0.075), arrowprops=style)
    ax.text(
        4.9,
        0.08,
        "mostly ill, yet\ncalled healthy",
        ha="center",
        va="bottom",
        color="#8A5A00",
        fontweight="bold",
    )
    ax.set(xlim=(2, 21.5), xticks=range(2, 21, 2), xlabel="hormone level x")
    ax.grid(visible=False)
    _title(fig, "A rule loses only where it disagrees with the best")
    return Picture(
        fig,
        "price-of-one-cut",
        f"The two curves of the first figure with a single cut at {cut:.2f}: above it the rule says ill, below it "
        f"healthy. Its error is the shaded area below both curves, {_percent(problem.bayes_error)}, plus the area "
        f"between the curves at low levels, {_percent(error - problem.bayes_error)}, where the ill are more numerous "
        f"and the rule says healthy: together {_percent(error)}.",
    )


def every_rule(errors: NDArray[np.float64], marks: dict[str, float]) -> Picture:
    """Histogram of the errors of all rules, and where some of them stand. marks : name of a rule → its error."""
    fig, ax = figure(width=WIDTH, height=3.5)
    ax.hist(errors, bins=np.linspace(0.2, 0.8, 61), color=BLUE, alpha=0.45)
    top = ax.get_ylim()[1]
    for height, (name, error) in zip((1.38, 1.23, 1.08), marks.items(), strict=False):
        ax.plot([error, error], [0, height * top], color=BLACK, linewidth=1.5)
        ax.text(error + 0.008, height * top, f"{name}, {_percent(error)}", va="top", fontsize=10, fontweight="bold")
    ax.set(xlim=(0.19, 0.81), ylim=(0, 1.42 * top), xlabel="proportion of wrong answers", ylabel="number of rules")
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}".replace("%", " %"))
    ax.grid(visible=False)
    _title(fig, f"None of the {len(errors)} rules beats the Bayes classifier")
    return Picture(
        fig,
        "every-rule",
        f"Histogram of the errors of all {len(errors)} rules that say ill or healthy in twelve ranges of the hormone "
        "level. It is symmetric about one half and runs from the error of the Bayes classifier to one minus it. "
        + " ".join(f"{name}: {_percent(error)}." for name, error in marks.items()),
    )


def two_likelihoods(theta: float, joint: NDArray[np.float64], conditional: NDArray[np.float64]) -> Picture:
    """Histograms of the estimates of both likelihoods from the same samples."""
    fig, ax = figure(width=WIDTH, height=3.1)
    bins = np.linspace(0.7, 0.9, 51)
    for values, colour, name, at in (
        (joint, BLUE, "joint likelihood", (0.822, 0.8)),
        (conditional, VERMILLION, "conditional likelihood", (0.843, 0.3)),
    ):
        ax.hist(values, bins=bins, histtype="stepfilled", color=colour, alpha=0.25, linewidth=0)
        ax.hist(values, bins=bins, histtype="step", color=colour, linewidth=1.8)
        text = f"{name}\nstandard deviation {values.std(ddof=1):.3f}"
        ax.text(
            *at, text, transform=ax.get_xaxis_transform(), color=colour, fontweight="bold", fontsize=10, va="center"
        )
    ax.axvline(theta, color=BLACK, linewidth=1.2)
    ax.set(
        xlim=(0.7, 0.93),
        xticks=[0.7, 0.75, 0.8, 0.85, 0.9],
        yticks=[],
        xlabel="estimate of θ from 500 patients (the truth is 0.8)",
    )
    ax.spines["left"].set_visible(False)
    ax.grid(visible=False)
    _title(fig, "The conditional likelihood says less about θ")
    return Picture(
        fig,
        "two-likelihoods",
        "Histograms of estimates of theta from many samples of 500 patients, around the true value of 0.8. Those of "
        f"the joint likelihood have a standard deviation of {joint.std(ddof=1):.3f}, those of the conditional "
        f"likelihood are more spread out, {conditional.std(ddof=1):.3f}.",
    )


def approach(sizes: Sequence[int], excess: dict[str, NDArray[np.float64]], best_cut: float) -> Picture:
    """Mean excess error of each plug-in rule against the number of examples. best_cut : that of the best single cut."""
    fig, ax = figure(width=WIDTH, height=4.0)
    for name, colour in PLUG_IN_COLOURS.items():
        mean = excess[name].mean(axis=1)
        reach = 2 * excess[name].std(axis=1, ddof=1) / np.sqrt(excess[name].shape[1])
        ax.plot(sizes, mean, "o-", color=colour, markersize=4.5)
        ax.fill_between(sizes, mean - reach, mean + reach, color=colour, alpha=0.2, linewidth=0)
    ax.axhline(best_cut, color=GREY, linewidth=1.2, linestyle="--")
    ax.text(sizes[-1], best_cut * 0.92, "best single cut", color=GREY, fontsize=10, ha="right", va="top")
    bold = {"fontweight": "bold", "fontsize": 10}
    ax.text(sizes[-1], 0.073, "normal, one width", color=VERMILLION, ha="right", **bold)
    ax.text(1300, 0.011, "histogram", color=GREEN, **bold)
    ax.text(300, 0.00055, "normal,\ntwo widths", color=BLUE, ha="right", **bold)
    ax.set(xscale="log", yscale="log", xlabel="training examples", ylabel="excess error")
    ax.set(ylim=(2e-5, 0.25))
    ax.set_yticks([1e-4, 1e-3, 1e-2, 1e-1], ["0.01 %", "0.1 %", "1 %", "10 %"])
    ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
    ax.minorticks_off()
    _title(fig, "More data cannot mend a model that is too simple")
    return Picture(
        fig,
        "approach",
        "Excess error against the number of training examples, both on logarithmic axes. The rule of "
        "two normal distributions with two widths falls from 2 per cent with 30 examples to a few thousandths of a "
        "per cent with 10,000; the histogram falls more slowly, from 7 to 0.1 per cent; the rule with one width "
        "falls from 13 per cent and stops near 6 per cent, above the best single cut at 5 per cent.",
    )


def _densities(ax: Axes, joint: ArrayLike) -> None:
    """p(x, y) of both classes over the hormone level, with their names."""
    for values, colour in zip(np.transpose(joint), CLASS_COLOURS, strict=True):
        ax.plot(LEVELS, values, color=colour)
    ax.text(7.8, 0.2, "healthy\n(60 %)", ha="right", va="center", color=BLUE, fontweight="bold")
    ax.text(14.3, 0.045, "ill (40 %)", color=VERMILLION, fontweight="bold")
    ax.set(ylim=(0, 0.28), yticks=[0, 0.1, 0.2], ylabel="p(x, y)")


def _title(fig: Figure, text: str) -> None:
    """A title as wide as the figure."""
    fig.suptitle(text, x=0.01, ha="left", fontsize=12.5, fontweight="bold")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
