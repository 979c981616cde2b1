"""The figures of the note on the two regimes, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.ticker import NullLocator, PercentFormatter
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILLION, Picture, figure
from course.studies.two_regimes import ladder, pole
from course.studies.two_regimes.database import Database
from course.studies.two_regimes.ladder import Runs
from course.studies.two_regimes.leads import TITLES, Count, compare
from course.studies.two_regimes.pole import TwoClouds, expected_error
from course.studies.two_regimes.predictors import ByRatio

Array = NDArray[np.float64]
GENERATIVE, LOGISTIC, LOGISTIC_TEXT = BLUE, ORANGE, VERMILLION
PUBLISHED, REVERSE = GREEN, PURPLE
THREE = (
    (399, "multinomial-nb", "m (ohscal.wc)"),
    (28, "lda", "m (optdigits)"),
    (3, "bernoulli-nb", "m (kr-vs-kp)"),
)
WIDTH = 7.2


def directions(count: Count) -> Picture:
    """Shares of data sets with the published order, and with the reverse, of each generative learner."""
    tallies, clear, intervals = count.tallies, count.clear, count.shares
    fig, ax = figure(width=6.4, height=3.2)
    names = list(tallies)
    for place, name in enumerate(names):
        for side, event, color in ((-1, "published order", PUBLISHED), (1, "reverse order", REVERSE)):
            share, sure = tallies[name][event].value, clear[name][event].value
            low, high = intervals[name][event]
            ax.barh(-place, side * share, height=0.56, color=color, alpha=0.45, linewidth=0)
            ax.barh(-place, side * sure, height=0.56, color=color, linewidth=0)
            ax.plot([side * low, side * high], [-place, -place], color=BLACK, linewidth=1.2)
            ax.annotate(
                f"{100 * share:.0f} %",
                (side * (high + 0.012), -place),
                ha="right" if side < 0 else "left",
                va="center",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
            )
    ax.axvline(0, color=BLACK, linewidth=1)
    bottom = 0.45 - len(names)
    for x in (-0.25, 0.25):
        ax.plot([x, x], [bottom, 0.33], color=GREY, linewidth=1, linestyle=":", zorder=0)
    ax.annotate("noise alone", (0.26, bottom + 0.06), color=GREY, fontsize=9.5)
    ax.set_yticks(-np.arange(len(names)), [TITLES[name].replace(" ", "\n", 1) for name in names])
    ax.grid(visible=False)
    ax.set(
        xlim=(-0.42, 0.52),
        ylim=(bottom, 0.95),
        xlabel="share of the data sets; dark: both leads beyond plain half-widths",
    )
    ax.xaxis.set_major_formatter(lambda value, _: f"{100 * abs(value):.0f} %")
    ax.annotate("generative first,\nlogistic later", (-0.2, 0.4), color=PUBLISHED, fontweight="bold", ha="center")
    ax.annotate("logistic first,\ngenerative later", (0.2, 0.4), color=REVERSE, fontweight="bold", ha="center")
    title = "By signs, naive Bayes crosses more often as published,\nLDA and QDA in reverse"
    fig.suptitle(title, x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    return Picture(
        fig,
        "directions",
        alt="Bars for four generative learners against logistic regression. To the left the share of data sets on "
        "which the generative learner is ahead early and behind late: "
        + ", ".join(f"{TITLES[name]} {100 * tallies[name]['published order'].value:.0f} per cent" for name in names)
        + ". To the right the share with the reverse order: "
        + ", ".join(f"{TITLES[name]} {100 * tallies[name]['reverse order'].value:.0f} per cent" for name in names)
        + ". Darker parts, much shorter, are the sets on which both leads exceed plain half-widths. Dotted lines mark "
        "25 per cent, which noise alone would give.",
    )


def three_sets(database: Database) -> Picture:
    """Published curves of three data sets: the published order, a peak, and no crossing at all."""
    titles = ("The published order", "A peak at m = n = 64", "Logistic throughout")
    fig, axes = figure(1, 3, width=6.4, height=2.8)
    for ax, (number, learner, name), title in zip(axes, THREE, titles, strict=True):
        curves = database.curves[number]
        shown = compare(database, learner)[number].sizes
        for which, color in ((learner, GENERATIVE), ("logistic", LOGISTIC)):
            of = curves[which]
            ax.plot(of.sizes, of.error, color=color, linestyle="-" if which == learner else "--")
        ax.set(xscale="log", ylim=(0, None), xlim=(shown[0], shown[-1]))
        ax.grid(visible=False)
        ax.set_title(title, fontsize=10.5)
        ax.set_xlabel(name, fontsize=10)
        ax.set_xticks([16, 128, 1024], labels=["16", "128", "1,024"])
        ax.xaxis.set_minor_locator(NullLocator())
    axes[0].set_ylabel("test error")
    for ax, text, at, color in (
        (axes[0], "multinomial\nnaive Bayes", (17, 0.16), GENERATIVE),
        (axes[0], "logistic", (60, 0.68), LOGISTIC_TEXT),
        (axes[1], "LDA", (90, 0.56), GENERATIVE),
        (axes[2], "Bernoulli\nnaive Bayes", (150, 0.22), GENERATIVE),
    ):
        ax.annotate(text, at, color=color, fontweight="bold", fontsize=9.5)
    return Picture(
        fig,
        "three-sets",
        alt="Test error against training examples on three data sets of the database. Left, word counts: multinomial "
        "naive Bayes is below logistic regression at first and above it later. Middle, ten handwritten digits with 64 "
        "features: the error of LDA falls, rises to a peak of more than 60 per cent at 64 examples, and falls to meet "
        "that of logistic regression, which falls steadily. Right, chess end games: logistic regression is below "
        "Bernoulli naive Bayes at every size, by more and more.",
    )


def by_ratio(found: Mapping[str, ByRatio]) -> Picture:
    """The share of data sets on which a generative learner is ahead, against training examples per feature."""
    fig, axes = figure(1, 2, width=6.6, height=3.4, sharey=True)
    panels = ((("lda", BLUE, "-"), ("qda", SKY, "--")), (("multinomial-nb", BLUE, "-"), ("bernoulli-nb", SKY, "--")))
    for ax, lines in zip(axes, panels, strict=True):
        for name, color, style in lines:
            of = found[name]
            if style == "-":
                ax.fill_between(of.ratio, of.low, of.high, color=color, alpha=0.2, linewidth=0)
            ax.plot(of.ratio, of.ahead, color=color, linestyle=style)
        ax.axhline(0.5, color=GREY, linewidth=1)
        ax.grid(visible=False)
        ax.set(xscale="log", ylim=(0, 1), xlim=(1 / 300, 4000))
        ax.set_xticks([0.01, 1, 100], labels=["1/100", "1", "100"])
        ax.xaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    left, right = axes
    left.set_ylabel("sets on which it is ahead")
    left.annotate("LDA", (3, 0.74), color=BLUE, fontweight="bold")
    left.annotate("QDA", (25, 0.17), color="#2B7FB0", fontweight="bold")
    right.annotate("multinomial\nnaive Bayes", (0.02, 0.78), color=BLUE, fontweight="bold")
    right.annotate("Bernoulli\nnaive Bayes", (8, 0.3), color="#2B7FB0", fontweight="bold")
    fig.supxlabel("training examples per feature, m / n", fontsize=11)
    left.set_title("LDA and QDA trail\nat small m / n", fontsize=11)
    right.set_title("Multinomial naive Bayes\nleads where m ≪ n", fontsize=11)
    return Picture(
        fig,
        "by-ratio",
        alt="Share of data sets on which a generative learner has the smaller error, against training examples per "
        "feature on a logarithmic scale. Left: LDA stays near 15 per cent below two examples per feature, rises "
        "steeply, and is at about one half from four examples per feature on; QDA rises from zero and reaches one half "
        "near two hundred. Right: multinomial naive Bayes falls from about 60 per cent far below one example per "
        "feature to about 15 per cent; Bernoulli naive Bayes is never above 30 per cent.",
    )


def pole_of(clouds: TwoClouds, sizes: Sequence[int], found: Mapping[str, Array]) -> Picture:
    """Errors against the number of examples where the Gaussian model is right: theory as lines, simulation as marks."""
    n, m = clouds.features, np.asarray(sizes, dtype=float)
    fig, ax = figure(width=6.2, height=3.7)
    fine = np.geomspace(n * 1.03, m[-1], 300)
    ax.plot(fine, expected_error(clouds.distance, n, fine), color=BLUE)
    wide = np.geomspace(m[0], m[-1], 200)
    ax.plot(wide, expected_error(clouds.distance, n, wide, known_covariance=True), color=GREY)
    for name, color, marker in (
        (pole.LDA, BLUE, "o"),
        (pole.SHRUNKEN, GREEN, "^"),
        (pole.NAIVE, SKY, "s"),
        (pole.PENALISED, ORANGE, "D"),
        (pole.UNPENALISED, VERMILLION, "x"),
    ):
        style = "none" if name in (pole.LDA, pole.NAIVE) else ":"
        front = 4 if name == pole.SHRUNKEN else 2
        ax.plot(m, found[name], marker, color=color, markersize=5.5, linestyle=style, label=name, zorder=front)
    ax.axvline(n, color=GREY, linewidth=1, linestyle=":")
    ax.annotate(f"m = n = {n}", (n * 0.97, 0.45), color=GREY, ha="right")
    ax.annotate("formula", (n * 1.12, 0.383), color=BLUE, fontsize=9.5)
    ax.annotate("formula without $T_\\Sigma$", (m[0], 0.085), color=GREY, fontsize=9.5)
    ax.legend(loc="upper right")
    ax.set(xscale="log", xlabel="training examples m", ylabel="error", ylim=(0, 0.48))
    ax.grid(axis="x", visible=False)
    ax.set_xticks([10, 40, 100, 400, 1000], labels=["10", "40", "100", "400", "1,000"])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_title("LDA has a pole at m = n, the others have none")
    return Picture(
        fig,
        "pole",
        alt=f"Error against training examples for two normal classes with {n} independent features. The error of LDA "
        f"peaks near {n} examples, at about 36 per cent, and falls along the theoretical curve to below 8 per cent. "
        "That of naive Bayes falls steadily along the curve for a known covariance, from 24 per cent, and is below "
        "that of logistic regression at all sizes from thirty on. LDA with a shrunken covariance has no such peak and "
        "stays near naive Bayes; logistic regression has none either, with or without a penalty.",
    )


def rungs(runs: Mapping[str, Runs]) -> Picture:
    """Leads of three generative models over four logistic regressions, early and late: eight problems and means."""
    fig, axes = figure(1, 2, width=6.6, height=4.6, sharey=True)
    places = np.arange(len(ladder.DISCRIMINATIVE))
    lines = ((ladder.NAIVE, SKY, "s-."), (ladder.LDA, BLUE, "o-"), (ladder.SHRUNKEN, GREEN, "D--"))
    for ax, late in zip(axes, (False, True), strict=True):
        for shift, (name, color, style) in zip((-0.2, 0, 0.2), lines, strict=True):
            leads = np.array([_leads(each, name, late=late) for each in runs.values()])
            for each in leads:
                ax.plot(places + shift, each, ".", color=color, markersize=8, alpha=0.55, markeredgewidth=0)
            ax.plot(places + shift, leads.mean(axis=0), style, color=color, linewidth=2, markersize=6, label=name)
        ax.axhline(0, color=BLACK, linewidth=1)
        ax.set_xticks(places, ["as run", "solver", "scaled", "λ = 0"])
        ax.grid(axis="x", visible=False)
    left, right = axes
    left.set(ylabel="lead over logistic regression, points", ylim=(-14, 10), xlim=(-0.5, 3.5))
    right.set(xlim=(-0.5, 3.5))
    left.set_title("16 to 32 examples", fontsize=11.5)
    right.set_title("The three largest sizes", fontsize=11.5)
    fig.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=10)
    fig.suptitle(
        "Eight problems: shrunken LDA is level with penalised\nlogistic regression once features are scaled",
        x=0.01,
        ha="left",
        fontsize=12.5,
        fontweight="bold",
    )
    for ax in axes:
        ax.grid(visible=False)
    return Picture(
        fig,
        "rungs",
        alt="Leads over logistic regression on eight problems, as dots, and their means, as lines, for four versions "
        "of logistic regression: as in the database, with a solver that has finished, with scaled features, and "
        "without a penalty. Left, with few examples: LDA and naive Bayes are on average one to two points behind as in "
        "the database, three to four points behind when features are scaled, and less without a penalty; shrunken LDA "
        "goes from two points ahead to about level, where its dots lie close together. The dots of all others spread "
        "over about ten points. Right, with many examples: LDA and shrunken LDA are on average within about a point of "
        "logistic regression in every version, naive Bayes is four to five points behind.",
    )


def _leads(runs: Runs, generative: str, *, late: bool) -> Array:
    return np.array([100 * runs.lead(generative, each, late=late).mean for each in ladder.DISCRIMINATIVE])
