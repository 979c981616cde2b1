"""The figures of the note on sample complexity, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.special import ndtr
from scipy.stats import norm

from course.figures import BLACK, BLUE, GREY, VERMILLION, Picture, figure
from course.studies.sample_complexity import bounds
from course.studies.sample_complexity.excess import LR, NB, Curves, Key, families
from course.studies.sample_complexity.needed import Needed

Array = NDArray[np.float64]
WIDTH = 7.2  # in inches: on a phone the letters are still legible
COLORS = {NB: BLUE, LR: VERMILLION}
MARKERS = {NB: "o", LR: "s"}
SHADES = ("#7FB8D9", "#2F8DC4", "#00466E")  # light to dark blue: few to many features
SYMBOLS = "os^D"  # of numbers of features


def examples_needed(features: Sequence[int], needed: Mapping[Key, Sequence[Needed]], eps: float) -> Picture:
    """Examples to come within eps of the final error, against the number of features, in two families."""
    fig, axes = figure(1, 2, width=WIDTH, height=4.0, sharey=True)
    titles = {
        "common noise": "Common noise: naive Bayes\nneeds fewer than eight examples",
        "thin": "Thin signal:\nboth need order n examples",
    }
    last = features[-1]
    for ax, (family, title) in zip(axes, titles.items(), strict=True):
        for model in (LR, NB):
            _needed(ax, features, needed[model, family], model)
            ax.annotate(
                str(needed[model, family][-1]),
                (last, needed[model, family][-1].m),
                xytext=(16, -10) if (model, family) == (NB, "thin") else (2, 8),
                textcoords="offset points",
                color=COLORS[model],
                ha="right",
                va="top" if (model, family) == (NB, "thin") else "bottom",
                fontsize=10,
            )
        _logarithmic(ax, [4, 16, 64, 256, 1024])
        ax.set(yscale="log", ylim=(2.5, 70_000), xlim=(3, 3500), xlabel="features n")
        ax.set_yticks([10, 100, 1000, 10_000], ["10", "100", "1,000", "10,000"])
        ax.minorticks_off()
        ax.set_title(title, fontsize=11.5)
        ax.annotate(LR, (3.6, 2600), color=VERMILLION, fontweight="bold")
    axes[0].set_ylabel("examples needed")
    axes[0].annotate(NB, (3.6, 9.5), color=BLUE, fontweight="bold")
    axes[1].annotate(NB, (130, 230), color=BLUE, fontweight="bold", va="top")
    at = {key: needed[key][-1].m for key in needed}
    return Picture(
        fig,
        "examples-needed",
        alt=f"Examples needed to come within {eps} of the final error against the number of features, both on "
        f"logarithmic axes. Left, features with common noise: logistic regression rises in proportion to the number "
        f"of features, to {at[LR, 'common noise']:,.0f} with {features[-1]}; naive Bayes stays below eight. "
        f"Right, the signal spread thin over independent features: the same line of logistic regression, and naive "
        f"Bayes rises in parallel below it, to {at[NB, 'thin']:,.0f}.",
    )


def lemma(largest: Mapping[int, Array], features: Sequence[int], eps: float, delta: float) -> Picture:
    """The largest error of 2 n estimates against m, and the examples for all to be within eps against n.

    largest : of `bounds.largest_by_size`
    """
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.8)
    sizes = bounds.SIZES
    for (n, drawn), color, marker in zip(largest.items(), SHADES, SYMBOLS, strict=False):
        quantile = np.quantile(drawn, 1 - delta, axis=1)
        left.plot(sizes, quantile, color=color, marker=marker, linestyle="none", label=f"n = {n}")
        left.plot(sizes, [bounds.hoeffding_radius(n, int(m), delta) for m in sizes], color=color, linestyle="--")
    left.plot([], [], color=BLACK, linestyle="--", label="lemma")
    left.legend(loc="lower left", fontsize=9.5)
    left.set(xscale="log", yscale="log", xlabel="examples m", ylabel="largest error, 95 % quantile", ylim=(0.017, 0.8))
    left.set_xticks([32, 128, 512, 2048, 8192], ["32", "128", "512", "2048", "8192"])
    left.set_yticks([0.03, 0.1, 0.3], ["0.03", "0.1", "0.3"])
    left.minorticks_off()
    left.set_title("The largest error is\n0.7 to 0.95 times its bound", fontsize=11.5)
    n = np.array(features)
    exact = {p: [bounds.exact_examples(each, eps, delta, p) for each in features] for p in (0.5, 0.1)}
    right.plot(n, [bounds.hoeffding_examples(each, eps, delta) for each in features], color=BLACK, linestyle="--")
    right.plot(n, exact[0.5], color=BLUE, marker="o")
    right.plot(n, exact[0.1], color=BLUE, marker="o", markerfacecolor="white")
    _logarithmic(right, [4, 16, 64, 256, 1024])
    right.annotate("lemma", (90, 4050), ha="right", fontweight="bold")
    right.annotate("exact, p = ½", (110, 2400), color=BLUE, fontweight="bold", va="top")
    right.annotate("exact, p = 0.1", (110, 950), color=BLUE, fontweight="bold", va="top")
    right.set(ylim=(0, 5200), xlabel="features n", ylabel=f"examples for all errors ≤ {eps}")
    right.set_title("Examples needed grow\nlinearly in log n", fontsize=11.5)
    return Picture(
        fig,
        "lemma",
        alt="Left: the 95 per cent quantile of the largest error of all estimated probabilities against the number of "
        "examples, on logarithmic axes, for 4, 64 and 2048 features: points on falling straight lines, each "
        "a little below its dashed bound. Right: the examples after which all estimates are within "
        f"{eps}, against the number of features on a logarithmic axis: three straight lines, that of the lemma on top, "
        "the exact one for probability one half parallel below it, that for probability 0.1 lower and flatter.",
    )


def condition(d: float, tau: float) -> Picture:
    """The distribution of the log odds divided by n, signed so that right is positive, for three families."""
    fig, axes = figure(1, 3, width=WIDTH, height=3.0)
    grid = np.linspace(-2, 4, 1501)
    titles = {
        "thin": "Thin: log odds / n\nshrink to 0",
        "common noise": "Common noise: log odds / n\nkeep their spread",
        "rich": "Rich: log odds / n\nconcentrate at 1/2",
    }
    for ax, (family, title) in zip(axes, titles.items(), strict=True):
        ax.axvspan(0, tau, color="#B0B0B0", linewidth=0)
        for n, color in zip((4, 16, 64), SHADES, strict=True):
            mean, deviation = families(d)[family](n).log_odds_per_feature
            ax.plot(grid, norm.pdf(grid, mean, deviation), color=color, linewidth=1.8, label=f"n = {n}")
        ax.set(xlabel=r"log odds / n:  $\tilde y\,z_\infty/n$", xlim=(-1.6, 3.4), yticks=[], xticks=[-1, 0, 1, 2, 3])
        ax.set_ylim(0, 0.55 if family == "common noise" else 3.6)  # areas are 1: the middle panel is magnified
        ax.set_title(title, fontsize=9.5)
    axes[0].set_ylabel("density")
    axes[0].legend(loc="upper right", fontsize=9, handlelength=1)
    axes[0].annotate(f"0 to τ = {tau}", (0.5, 1.4), color=GREY, fontsize=9.5)
    axes[1].annotate("density × 6.5", (0.15, 0.5), color=GREY, fontsize=9.5)
    return Picture(
        fig,
        "condition",
        alt="Densities of the log odds divided by the number of features, in three panels for 4, 16 and 64 features, "
        f"with a narrow strip from 0 to {tau}. Thin: the density contracts to a spike at zero, inside the strip. "
        "Common noise, with a vertical scale 6.5 times as large: the curves hardly change, with mean one and standard "
        "deviation one. Rich: the curves contract around one half, away from the strip.",
    )


def excess_error(curves: Curves, d: float, eps: float) -> Picture:
    """Mean excess errors: a law of m / n for two classifiers, and a law of m for one of them."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=4.1, sharey=True)
    grid = np.geomspace(2, 32, 100)
    left.plot(grid, np.sqrt(np.log(grid) / grid), color=BLACK, linestyle="--", linewidth=1.5)
    left.plot(grid, ndtr(-(d**2) / np.sqrt(d**2 + 1 / grid)) - ndtr(-d), color=BLUE, linewidth=1.5)
    largest = max(curves.logistic)
    sizes, mean, _ = curves.logistic[largest]
    left.plot(sizes / largest, mean, color=VERMILLION, linewidth=1.5)
    for n, marker in zip(curves.thin, SYMBOLS, strict=True):
        style = {"marker": marker, "linestyle": "none", "markersize": 5, "markerfacecolor": "white"}
        left.plot(curves.logistic[n][0] / n, curves.logistic[n][1], color=VERMILLION, **style)
        left.plot(curves.thin[n][0] / n, curves.thin[n][1], color=BLUE, **style)
        right.plot(*curves.common[n][:2], color=BLUE, linewidth=1.2, **(style | {"linestyle": "-"}))
        right.plot([], [], color=BLACK, **style, label=f"n = {n}")
    left.annotate("order of the VC bound", (2.1, 0.7), fontsize=9.5, fontweight="bold", va="bottom")
    left.annotate(LR, (6.5, 0.062), color=VERMILLION, fontsize=9.5, fontweight="bold")
    left.annotate("naive Bayes, thin,\nand its formula", (2.1, 0.0045), color=BLUE, fontsize=9.5, fontweight="bold")
    left.set(xscale="log", yscale="log", xlabel="examples for each feature, m / n", ylabel="mean excess error")
    left.set_xticks([2, 4, 8, 16, 32], ["2", "4", "8", "16", "32"])
    left.set_ylim(3e-4, 1.5)
    left.set_yticks([0.001, 0.01, 0.1, 1], ["0.001", "0.01", "0.1", "1"])
    right.set(xscale="log", xlabel="examples m")
    right.set_xticks([4, 16, 64, 256], ["4", "16", "64", "256"])
    right.legend(loc="upper right", fontsize=9.5)
    right.annotate("naive Bayes,\ncommon noise", (5, 0.0012), color=BLUE, fontsize=9.5, fontweight="bold")
    for ax, title in (
        (left, "Thin signal: the excess error\ndepends mainly on m / n"),
        (right, "Common noise: it depends\non m, hardly on n"),
    ):
        ax.axhline(eps, color=GREY, linewidth=1, linestyle=":")
        ax.minorticks_off()
        ax.set_title(title, fontsize=11.5)
    left.annotate(f"{eps}", (33, eps), color=GREY, fontsize=9.5, ha="right", va="bottom")
    return Picture(
        fig,
        "excess-error",
        alt="Mean excess error on logarithmic axes. Left, against the number of examples for each feature: the marks "
        f"of logistic regression for {', '.join(map(str, curves.thin))} features lie on one falling line; those of "
        "naive Bayes in the thin family lie on or slightly above the curve of the formula, below logistic regression; "
        "the bound lies far above both. Right, against the number of examples: naive Bayes with common noise, whose "
        "curves for all numbers of features nearly agree.",
    )


def per_feature(features: Sequence[int], needed: Mapping[Key, Sequence[Needed]], formula: float) -> Picture:
    """Examples for each feature in the thin family, with intervals."""
    fig, ax = figure(width=5.2, height=2.8)
    n = np.array(features)
    for model in (LR, NB):
        found = needed[model, "thin"]
        low, high = np.array([each.interval for each in found]).T / n
        ax.plot(n, np.array([each.m for each in found]) / n, color=COLORS[model], marker=MARKERS[model], linewidth=1.5)
        ax.fill_between(n, low, high, color=COLORS[model], alpha=0.2, linewidth=0)
    ax.axhline(formula, color=BLACK, linewidth=1.2, linestyle="--")
    ax.annotate(f"formula: {formula:.2f}", (2048, formula - 0.25), ha="right", va="top", fontsize=9.5)
    ax.annotate(LR, (2048, 8.0), color=VERMILLION, fontweight="bold", ha="right")
    ax.annotate(NB, (2048, 4.2), color=BLUE, fontweight="bold", ha="right")
    ax.set(ylim=(0, 11), xlabel="features n", ylabel="examples for each feature")
    ax.set_title("Thin signal: a fixed number for each feature", fontsize=11.5)
    _logarithmic(ax, [4, 16, 64, 256, 1024])
    return Picture(
        fig,
        "per-feature",
        alt="Examples for each feature in the thin family against the number of features. Logistic regression stays "
        f"near nine and a half; naive Bayes falls from five towards the dashed line of the formula at {formula:.2f}.",
    )


def _needed(ax: Axes, features: Sequence[int], found: Sequence[Needed], model: str) -> None:
    """m against n, with its interval."""
    low, high = np.array([each.interval for each in found]).T
    ax.fill_between(features, low, high, color=COLORS[model], alpha=0.2, linewidth=0)
    style = {"color": COLORS[model], "marker": MARKERS[model], "linewidth": 1.8}
    ax.plot(features, [each.m for each in found], **style)


def _logarithmic(ax: Axes, ticks: Sequence[int]) -> None:
    ax.set_xscale("log")
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.minorticks_off()
