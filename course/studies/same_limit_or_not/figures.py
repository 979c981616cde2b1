"""The figures of the note on limits, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, VERMILLION, Picture, figure
from course.studies.same_limit_or_not.approach import Approach
from course.studies.same_limit_or_not.decomposition import Parts
from course.studies.same_limit_or_not.dependence import Limits
from course.studies.same_limit_or_not.pairs import PairCurves

Array = NDArray[np.float64]
WIDTH = 7.2  # in inches: on a phone the letters are still legible
COLORS = {"naive Bayes": BLUE, "LDA": GREEN, "logistic regression": VERMILLION}
MARKERS = {"naive Bayes": "o", "LDA": "^", "logistic regression": "s"}
KINDS = {"approximation": "#9A9A9A", "criterion": "#E69F00", "estimation": "#56B4E9", "optimisation": "#A8527F"}
PAIR_TITLES = {
    "diagonal Σ": "diagonal Σ:\nall end equal",
    "one full Σ": "one full Σ:\nnaive Bayes crosses",
    "two full Σ": "two full Σ:\nQDA leads throughout",
    "pima": "pima:\nnaive Bayes leads early",
    "liver": "liver:\nnaive Bayes trails",
    "adult": "adult:\nevery pair crosses",
}
PAIR_STYLES = {
    "naive Bayes v. linear": {"color": BLUE, "marker": "o"},
    "LDA v. linear": {"color": GREEN, "marker": "^"},
    "QDA v. quadratic": {"color": BLACK, "marker": "D", "linestyle": "--"},
}


def dependence(correlated: Limits, repeated: Limits, one_measurement: Limits) -> Picture:
    """Errors in the limit along a correlation and along copies, and log losses where errors are the same."""
    fig, axes = figure(1, 3, width=7.4, height=3.19)
    for ax, limits, values in (
        (axes[0], correlated, correlated.error),
        (axes[1], repeated, repeated.error),
        (axes[2], one_measurement, one_measurement.log_loss),
    ):
        for model in ("logistic regression", "naive Bayes"):
            ax.plot(limits.x, values[model], color=COLORS[model])
    for ax in axes[:2]:
        ax.set(ylim=(0, 0.25), yticks=[0, 0.1, 0.2])
        ax.set_ylabel("error in the limit")
    axes[0].set(xlabel="correlation ρ", xticks=[-0.9, 0, 0.9])
    axes[1].set(xlabel="copies k of one feature", xticks=[1, 16, 32])
    axes[2].set(xlabel="features k", xticks=[1, 16, 32], ylim=(0, 5))
    axes[2].set_ylabel("log loss in the limit")
    axes[2].axhline(np.log(2), color=GREY, linewidth=1, linestyle=":")
    axes[2].annotate("coin", (32, np.log(2) + 0.1), color=GREY, fontsize=9.5, ha="right")
    axes[0].annotate("naive Bayes", (-0.95, 0.185), color=BLUE, fontsize=9.5, fontweight="bold")
    axes[0].annotate(
        "logistic\nregression", (0.1, 0.05), color=VERMILLION, fontsize=9.5, fontweight="bold", ha="center"
    )
    titles = (
        "Correlation: naive Bayes\nis never better",
        "Copies cost naive Bayes\nerrors",
        "Repeats cost it\nonly log loss",
    )
    for ax, title in zip(axes, titles, strict=True):
        ax.set_title(title, fontsize=9.5)
    return Picture(
        fig,
        "dependence",
        alt="What naive Bayes (blue) and logistic regression (orange) lose with unlimited data, in three panels. Left: "
        "errors against the correlation of two features: equal at zero, naive Bayes is worse on both sides, by 19 "
        "points at 0.95. Middle: one of two features written down k times: the error of naive Bayes rises "
        "from 8 to 15 per cent, that of logistic regression stays. Right: k features that repeat one measurement: "
        "the log loss of naive Bayes rises in a straight line above 4, that of logistic regression stays at 0.33.",
    )


def same_limit(found: Approach) -> Picture:
    """Distance of the weights from their common limit, and error above it, against the number of examples."""
    fig, axes = figure(1, 2, width=5.4, height=2.5)
    for model in found.excess:
        distance = np.sqrt(found.squared_distance[model].mean(axis=1))
        for ax, values in ((axes[0], distance), (axes[1], found.excess[model].mean(axis=1))):
            ax.plot(found.sizes, values, color=COLORS[model], marker=MARKERS[model], linewidth=1.5)
    for ax, scale, power in ((axes[0], 22, -0.5), (axes[1], 2.4, -1.0)):
        ax.plot(found.sizes, scale * found.sizes**power, color=GREY, linestyle=":", linewidth=1.5)
        ax.set(xscale="log", yscale="log", xlabel="examples m")
        ax.set_xticks([16, 128, 1024], ["16", "128", "1024"])
        ax.minorticks_off()
    axes[0].set_title("Weights: order $m^{-1/2}$", fontsize=11)
    axes[1].set_title("Errors: order $m^{-1}$", fontsize=11)
    axes[0].set_ylabel("distance from the limit")
    axes[1].set_ylabel("error above the limit")
    axes[1].annotate("naive Bayes", (17, 0.0011), color=BLUE, fontsize=9.5, fontweight="bold")
    axes[1].annotate("logistic\nregression", (250, 0.017), color=VERMILLION, fontsize=9.5, fontweight="bold")
    return Picture(
        fig,
        "same-limit",
        alt="Distance of the weights from their common limit, and error above it, against the number of examples on "
        "logarithmic axes. From 256 examples on naive Bayes and logistic regression fall along straight lines, with "
        "slope minus one half for the weights and minus one for the errors; naive Bayes is lower by a nearly constant "
        "factor.",
    )


def four_errors(found: Mapping[tuple[str, int], Parts], methods: Sequence[str], numbers: Sequence[int]) -> Picture:
    """Stacked bars of the four parts of the error above the Bayes error."""
    fig, axes = figure(1, len(numbers), width=WIDTH, height=3.7, sharey=True)
    for ax, m in zip(axes, numbers, strict=True):
        for place, name in enumerate(methods):
            bottom = negative = 0.0
            for kind, color in KINDS.items():
                value = 100 * getattr(found[name, m], kind)
                ax.bar(place, value, bottom=bottom if value >= 0 else 0, color=color, width=0.72)
                bottom, negative = bottom + max(value, 0), negative + min(value, 0)
            ax.plot([place - 0.42, place + 0.42], [bottom + negative] * 2, color=BLACK, linewidth=2)
        ax.axhline(0, color=BLACK, linewidth=0.8)
        ax.set_xticks(range(len(methods)), methods, rotation=90, fontsize=9)
        ax.set_title(f"m = {m}", fontsize=11)
        ax.grid(visible=False, axis="x")
    axes[0].set(ylabel="points above the Bayes error", ylim=(-2, 11.5), yticks=range(0, 12, 2))
    fig.suptitle("Only the estimation error vanishes as m grows", fontsize=11.5, fontweight="bold")
    for kind, color in KINDS.items():
        axes[-1].bar(0, 0, color=color, label=kind)
    axes[-1].plot([], [], color=BLACK, linewidth=2, label="sum")
    fig.legend(*axes[-1].get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=9.5, handlelength=1)
    return Picture(
        fig,
        "four-errors",
        alt="Stacked bars of four parts of the error above the Bayes error, for naive Bayes, LDA, logistic regression "
        "and logistic regression stopped early, at 10, 40, 160 and 640 examples. With ten examples estimation "
        "dominates for LDA and logistic regression, and stopping early takes something off. With 640 the criterion is "
        "nearly all of naive Bayes, and stopping early costs more than everything else of logistic regression.",
    )


def bias_and_variance(sizes: Array, measured: Mapping[str, Array]) -> Picture:
    """Squared bias and variance of probabilities, and their sum, against the number of examples."""
    fig, axes = figure(1, 3, width=WIDTH, height=3.0, sharey=True)
    for ax, title, pick in zip(
        axes,
        ("Bias²: naive Bayes keeps it", "Variance: all fall as 1/m", "Sum: the curves cross"),
        (lambda v: v[:, 0], lambda v: v[:, 1], lambda v: v.sum(axis=1)),
        strict=True,
    ):
        for model, both in measured.items():
            values = np.where(pick(both) > 1.2e-4, pick(both), np.nan)  # smaller ones are noise
            ax.plot(sizes, values, color=COLORS[model], marker=MARKERS[model], linewidth=1.5, label=model)
        ax.set(xscale="log", yscale="log", xlabel="examples m", ylim=(1.2e-4, 0.3))
        ax.set_xticks([10, 100, 1000], ["10", "100", "1000"])
        ax.set_yticks([0.001, 0.01, 0.1], ["0.001", "0.01", "0.1"])
        ax.minorticks_off()
        ax.set_title(title, fontsize=9.5)
    axes[0].set_ylabel("mean square")
    axes[2].legend(loc="lower left", fontsize=9)
    return Picture(
        fig,
        "bias-and-variance",
        alt="Squared bias, variance and their sum against the number of examples, for naive Bayes, LDA and logistic "
        "regression on correlated features. The squared bias of naive Bayes stays between 0.03 and 0.05, that of the "
        "others vanishes. The variance of naive Bayes is the lowest. The sums cross between 10 and 40 examples.",
    )


def pairs(curves: Sequence[PairCurves]) -> Picture:
    """Error of the generative minus that of the discriminative model, for three pairs, with intervals of 95 %."""
    fig, axes = figure(2, 3, width=6.4, height=4.7, sharey="row")
    for ax, found in zip(axes.flat, curves, strict=True):
        ax.axhline(0, color=GREY, linewidth=1)
        for k, (pair, style) in enumerate(PAIR_STYLES.items()):
            leads = found.leads(pair)
            x = np.array(found.sizes) * 1.08 ** (k - 1)  # side by side
            y, half = (100 * np.array([getattr(each, part) for each in leads]) for part in ("mean", "half"))
            ax.errorbar(x, y, half, linewidth=1.3, elinewidth=0.9, markersize=3.5, label=pair, **style)
        _sizes(ax, found.sizes)
        ax.set_title(PAIR_TITLES[found.title], fontsize=9.5)
    for ax in axes[1]:
        ax.set_xlabel("examples m")
    axes[0, 0].set(ylim=(-10, 4))
    axes[1, 0].set(ylim=(-13, 17))
    fig.supylabel("generative minus discriminative error, points", fontsize=11)
    axes[0, 0].annotate("generative ahead", (1280, -9.6), fontsize=9, color=GREY, ha="right")
    axes[0, 0].annotate("discriminative ahead", (1280, 2.3), fontsize=9, color=GREY, ha="right")
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=9.5)
    return Picture(
        fig,
        "pairs",
        alt="Six panels: error of the generative minus that of the discriminative model against the number of "
        "examples, for naive Bayes v. linear, LDA v. linear and QDA v. quadratic logistic regression, with intervals. "
        "Simulated: with a diagonal covariance all pairs rise from negative values to zero; with one full covariance "
        "naive Bayes crosses zero and ends two points above it, while LDA stays at zero; with two, "
        "naive Bayes and QDA stay below zero. Real data: wide intervals; on pima naive Bayes rises from below zero "
        "to above it, where its interval includes zero; on adult all pairs cross zero; on liver naive Bayes is above.",
    )


def _sizes(ax: Axes, sizes: Sequence[int]) -> None:
    shown = [m for m in (20, 80, 320, 1280) if m <= max(sizes)]
    ax.set_xscale("log")
    ax.set_xticks(shown, [str(m) for m in shown])
    ax.minorticks_off()
