"""The figures of the note on the poor assumptions of naive Bayes, one function each."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray
from scipy.special import gammaln

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Picture, figure
from course.studies.poor_assumptions.ladder import STEPS
from course.studies.poor_assumptions.recurrence import LEVELS, SAME_BOTH, SAME_GROUP, SAME_POST, Pairs
from course.studies.poor_assumptions.study import CHOSEN, LOGISTIC, ONE, SVM, TITLES, Study, Variant
from course.studies.poor_assumptions.temperature import tempered
from probml.metrics import Reliability, log_loss, wilson_interval

Array = NDArray[np.float64]
WIDTH = 7.2  # in inches: on a phone the letters are still legible
FEW_POSTS = 30  # a group with fewer is not drawn in a reliability diagram


def decisions_and_probabilities(study: Study) -> Picture:
    """Accuracy and log loss of naive Bayes as it is and repaired in two ways, beside linear classifiers."""
    climb, linear = study.climbs["newsgroups"], study.linear["newsgroups"]
    right = {
        "naive Bayes": climb.right[CHOSEN][STEPS[0]],
        "… with five repairs": climb.right[CHOSEN][STEPS[-1]],
        "… with a temperature": climb.right[CHOSEN][STEPS[0]],
        "logistic regression": linear[LOGISTIC].right,
        "linear SVM": linear[SVM].right,
    }
    before, after = study.sureness[STEPS[0]]
    loss = [before.loss.mean(), None, after.loss.mean(), study.sureness_of_logistic.loss.mean(), None]
    colours = [BLUE, ORANGE, VERMILLION, BLACK, BLACK]
    rows = np.arange(len(right))
    fig, (left, beside) = figure(1, 2, width=WIDTH, height=3.6, sharey=True)
    for row, correct, colour in zip(rows, right.values(), colours, strict=True):
        low, high = 100 * np.array(wilson_interval(correct.sum(), len(correct)))
        left.plot([low, high], [row, row], color=colour)
        left.plot(100 * correct.mean(), row, "o", color=colour, markersize=8)
        left.text(100 * correct.mean(), row - 0.32, f"{100 * correct.mean():.1f}", color=colour, ha="center")
    for row, value, colour in zip(rows, loss, colours, strict=True):
        if value is None:
            beside.text(0.42, row, "no probabilities", color=GREY, fontsize=9.5, va="center", fontstyle="italic")
        else:
            beside.plot(value, row, "o", color=colour, markersize=8)
            beside.text(value, row - 0.32, f"{value:.2f}", color=colour, ha="center")
    arrow = {"arrowstyle": "-|>", "color": VERMILLION, "linewidth": 2, "shrinkA": 8, "shrinkB": 8}
    beside.annotate("", (loss[2], 2), (loss[0], 0), arrowprops=arrow)
    beside.text(2.9, 1.72, f"÷ {loss[0] / loss[2]:.0f}", color=VERMILLION, fontweight="bold", fontsize=13)
    left.set_yticks(rows, list(right))
    left.set(ylim=(4.5, -0.7), xlabel="test accuracy, % (95 % intervals)", title="Decisions, 20 Newsgroups")
    beside.set(xscale="log", xlim=(0.38, 11), xlabel="log loss (lower is better)", title="Probabilities")
    beside.set_xticks([0.5, 1, 2, 5, 10], ["0.5", "1", "2", "5", "10"])
    beside.minorticks_off()
    for ax in (left, beside):
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
    _title(fig, f"Five repairs gain one point; a temperature divides the log loss by {loss[0] / loss[2]:.0f}")
    return Picture(
        fig,
        "decisions-and-probabilities",
        "Five classifiers on the test posts of 20 Newsgroups. Left, accuracy: naive Bayes near 83 per cent, with five "
        "repairs about a point better, with a temperature unchanged; logistic regression and a linear support vector "
        "machine near 86. Right, log loss on a logarithmic axis: naive Bayes about 6.5, with a temperature about 0.8, "
        "an eighth of it; logistic regression 0.55; the repaired model and the support vector machine give no "
        "probabilities.",
    )


def recurrence(pairs: Pairs, interval: Array, window: int) -> Picture:
    """The chance that a word comes again, by where one looks. interval : ends for each level, shape (2, levels)."""
    means = pairs.means()
    drawn = float(np.mean(1 - (1 - pairs.beta) ** window))
    colours = [GREY, BLUE, ORANGE, ORANGE, ORANGE, VERMILLION]
    rows = np.arange(len(LEVELS))
    fig, ax = figure(width=WIDTH, height=4.0)
    ax.barh(rows, means, 0.62, color=colours)
    ax.errorbar(means, rows, xerr=[means - interval[0], interval[1] - means], fmt="none", color=BLACK, capsize=3)
    ax.plot([drawn, drawn], [SAME_GROUP - 0.42, SAME_GROUP + 0.42], color=BLACK, linewidth=2.5)
    for row, mean, high, colour in zip(rows, means, interval[1], colours, strict=True):
        at = drawn if row == SAME_GROUP else high
        ax.text(at + 0.002, row, f"{100 * mean:.1f} %", va="center", fontweight="bold", color=colour)
    ax.text(drawn + 0.0165, SAME_GROUP, f"(independent draws: {100 * drawn:.1f} %)", va="center", fontsize=10)
    for low, high, name in ((SAME_GROUP, SAME_BOTH, "thread and author"), (SAME_BOTH, SAME_POST, "burst")):
        style = {"arrowstyle": "<->", "color": BLACK, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", (means[high], high - 0.5), (means[low], high - 0.5), arrowprops=style)
        ax.text(means[high] + 0.002, high - 0.5, name, va="center", fontweight="bold", fontsize=10)
    ax.set_yticks(rows, LEVELS)
    ax.set(
        ylim=(5.5, -0.5),
        xlim=(0, 0.135),
        xlabel=f"chance that the word is among {window} words of …",
    )
    _title(fig, "A word recurs in its own post more than thread and author explain")
    ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.grid(visible=False, axis="y")
    ax.tick_params(axis="y", length=0)
    return Picture(
        fig,
        "recurrence",
        f"Bars of the chance that a word of the first {window} words of a post is among {window} other words: of a "
        f"post of another group {100 * means[0]:.1f} per cent, of another post of the group {100 * means[1]:.1f}, of "
        f"the same author in another thread {100 * means[2]:.1f}, of another author in the same thread "
        f"{100 * means[3]:.1f}, of the same author in the same thread {100 * means[4]:.1f}, of the same post "
        f"{100 * means[5]:.1f} per cent. Independent draws from the words of the group: {100 * drawn:.1f} per cent.",
    )


def second_time(concentration: float, beta_1: float, beta_0: float, most: int = 6) -> Picture:
    """What the occurrences of one word add to the log odds: in full, by the urn, and by the logarithm of the count."""
    x = np.arange(most + 1)
    first = np.log(beta_1 / beta_0)
    a1, a0 = concentration * beta_1, concentration * beta_0
    exact = gammaln(a1 + x) - gammaln(a1) - gammaln(a0 + x) + gammaln(a0)
    fig, ax = figure(width=WIDTH, height=3.5)
    for values, colour, marker, name, dy in (
        (x * first, BLUE, "s", "multinomial:\neach counts in full", 0),
        (first * np.log1p(x) / np.log(2), ORANGE, "^", "log counts", 0),
        (exact, VERMILLION, "o", "the urn", -2),
    ):
        ax.plot(x, values, marker=marker, color=colour)
        ax.annotate(
            name,
            (x[-1], values[-1]),
            xytext=(8, dy),
            textcoords="offset points",
            va="center",
            color=colour,
            fontweight="bold",
            annotation_clip=False,
        )
    ax.set(
        xlabel="occurrences of the word in the document",
        ylabel="log odds from this word",
        title="In the urn, repetitions of a word add little evidence",
        xlim=(0, most + 3.1),
        ylim=(0, None),
    )
    ax.set_xticks(x)
    ax.spines["bottom"].set_bounds(0, most)
    return Picture(
        fig,
        "second-time",
        "What one word adds to the log odds against how often it occurs, from 0 to 6 times. The multinomial model is a "
        "straight line up to 8.3. The urn gives the same for the first occurrence, 1.4, and then hardly rises any "
        "more. Log counts lie between the two.",
    )


def ladder(study: Study) -> Picture:
    """The accuracy of every step on every collection, for both ways of smoothing, with that of a linear SVM."""
    rows = np.arange(len(STEPS))
    fig, axes = figure(1, len(TITLES), width=WIDTH, height=4.1, sharey=True)
    for ax, (name, title) in zip(axes, TITLES.items(), strict=True):
        climb, m = study.climbs[name], len(study.corpora[name].y_test)
        for way, colour, marker, shift in ((ONE, VERMILLION, "s", 0.08), (CHOSEN, BLUE, "o", -0.08)):
            right = np.array([climb.right[way][step].sum() for step in STEPS])
            low, high = 100 * np.array(wilson_interval(right, m))
            value = 100 * right / m
            ax.errorbar(value, rows + shift, xerr=[value - low, high - value], color=colour, marker=marker, capsize=2)
        svm = 100 * study.linear[name][SVM].right.mean()
        ax.axvspan(*100 * np.array(wilson_interval(study.linear[name][SVM].right.sum(), m)), color="#D5EDE5", zorder=0)
        ax.axvline(svm, color=GREEN, linewidth=2)
        ax.set_title(title, fontsize=11.5)
        ax.set_xlabel("accuracy, %")
        ax.tick_params(axis="y", length=0)
        low, high = ax.get_xlim()
        ax.text(svm - 0.02 * (high - low), 5.42, "SVM", color=GREEN, fontweight="bold", ha="right", va="center")
    axes[2].text(72.5, 1.25, "α = 1", color=VERMILLION, fontweight="bold")
    axes[2].text(91.4, 3.5, "α chosen", color=BLUE, fontweight="bold", rotation=90, va="center", ha="left")
    axes[0].set_yticks(rows, STEPS)
    axes[0].set_ylim(5.65, -0.4)
    _title(fig, "With α chosen the repairs change little, and the SVM stays ahead")
    return Picture(
        fig,
        "ladder",
        "Three panels, 20 Newsgroups, R8 and R52: test accuracy of naive Bayes at six steps, from the multinomial "
        "model at the top to normalised weights at the bottom. With alpha equal to one the steps swing widely, down by "
        "as much as 18 points at unit length and back at complement. With chosen alpha the line is nearly straight: it "
        "gains about a point on 20 Newsgroups and loses one on R8 and R52. A linear support vector machine is above "
        "all steps in each panel, with a shaded interval.",
    )


def reliability(study: Study) -> Picture:
    """The reliability diagram of the multinomial model, as it is and with its temperature."""
    before, after = study.sureness["multinomial"]
    fig, ax = figure(width=WIDTH, height=4.0)
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=1)
    _reliability(ax, before.curve, BLUE, "s")
    _reliability(ax, after.curve, VERMILLION, "o")
    ax.text(0.72, 0.14, "naive Bayes as it is", color=BLUE, fontweight="bold", ha="center")
    ax.text(0.13, 0.66, "with its temperature", color=VERMILLION, fontweight="bold")
    ax.text(0.2, 0.13, "calibrated: on this line", color=GREY, fontsize=10)
    ax.set(
        xlim=(0, 1.02),
        ylim=(0, 1.02),
        xlabel="posterior of the predicted class",
        ylabel="proportion correct",
    )
    _title(fig, "Multinomial naive Bayes is overconfident; its temperature helps")
    return Picture(
        fig,
        "reliability",
        "Reliability diagram of the multinomial model on the test posts of 20 Newsgroups, with intervals. As it is, it "
        "runs far below the diagonal; with its temperature it lies near the diagonal at high posteriors and above it "
        "at low ones.",
    )


def temperatures(study: Study) -> Picture:
    """Log loss against the temperature, for three steps, beside that of logistic regression."""
    y = study.corpora["newsgroups"].y_test
    grid = np.geomspace(0.05, 100, 60)
    fig, ax = figure(width=WIDTH, height=3.8)
    for step, colour, style, at in (
        ("multinomial", BLUE, "-", (31, 0.72)),
        ("unit length", GREEN, "-", (13, 2.1)),
        ("complement", ORANGE, "--", (16, 3.06)),
    ):
        scores, T = study.scores(step), study.temperatures[step]
        ax.plot(grid, [log_loss(y, tempered(scores, each)) for each in grid], style, color=colour)
        ax.plot(T, study.sureness[step][1].loss.mean(), "o", color=colour, markersize=8)
        ax.text(*at, step, color=colour, fontweight="bold")
    ax.axvline(1, color=GREY, linewidth=1)
    logistic = study.sureness_of_logistic.loss.mean()
    ax.axhline(logistic, color=BLACK, linewidth=1.2, linestyle=":")
    ax.text(100, logistic - 0.06, "logistic regression", ha="right", va="top", fontsize=10)
    ax.set(xscale="log", ylim=(0.3, 3.2), xlabel="temperature T", ylabel="log loss on the test posts")
    ax.set_xticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    _title(fig, "Each model has its own best temperature")
    return Picture(
        fig,
        "temperatures",
        "Log loss on the test posts against the temperature, on a logarithmic axis, with the temperatures chosen on "
        "held-out posts marked. The multinomial model is best above ten, unit length close to one, complement below a "
        "fifth. The least log loss of unit length is about that of logistic regression, a dotted line.",
    )


def variants(of: Mapping[str, Variant]) -> Picture:
    """Accuracy and mean posterior of the multinomial model on posts without bursts, co-occurrence, or both."""
    names = {
        "independent draws": "no bursts, no co-occurrence\n(independent draws)",
        "bursts": "bursts, no co-occurrence",
        "co-occurrence": "co-occurrence, no bursts",
        "real posts": "bursts and co-occurrence\n(real posts)",
    }
    rows = np.arange(len(names))
    fig, ax = figure(width=WIDTH, height=3.5)
    for row, name in zip(rows, names, strict=True):
        variant = of[name]
        ax.plot([100 * variant.accuracy, 100 * variant.confidence], [row, row], color=GREY, linewidth=3, zorder=1)
        ax.plot(100 * variant.accuracy, row, "o", color=VERMILLION, markersize=9)
        ax.plot(100 * variant.confidence, row, "D", color=BLUE, markersize=8)
        gap = 100 * (variant.confidence - variant.accuracy)
        ax.text(102.3, row, f"{gap:.1f}", va="center", ha="right", fontweight="bold")
        ax.text(105.0, row, f"{variant.temperature:.2g}", va="center", ha="right", fontweight="bold")
        ax.text(107.8, row, f"{100 * variant.svm:.1f}", va="center", ha="right", fontweight="bold", color=GREEN)
    for at, heading, colour in ((102.3, "gap", BLACK), (105.0, "best T", BLACK), (107.8, "SVM, %", GREEN)):
        ax.text(at, -0.72, heading, ha="right", va="center", color=colour)
    right, sure = of["co-occurrence"].accuracy, of["co-occurrence"].confidence
    ax.text(100 * right, 1.72, "accuracy", color=VERMILLION, fontweight="bold", ha="center", va="bottom")
    ax.text(100 * sure, 1.72, "mean posterior", color=BLUE, fontweight="bold", ha="center", va="bottom")
    ax.set_yticks(rows, list(names.values()))
    ax.set(xlim=(88, 108), ylim=(3.5, -1), xlabel="naive Bayes: accuracy and mean posterior of its answers, %")
    _title(fig, "Co-occurring words cost accuracy; bursts mostly inflate confidence")
    ax.set_xticks(range(88, 101, 2))
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False, axis="y")
    return Picture(
        fig,
        "variants",
        "Four rows: accuracy of the multinomial model, mean posterior of its predictions, its best temperature, and "
        "the accuracy of a linear support vector machine. "
        + " ".join(
            f"{name.capitalize()}: accuracy {100 * of[name].accuracy:.1f} per cent, mean posterior "
            f"{100 * of[name].confidence:.1f}, temperature {of[name].temperature:.2g}; "
            f"support vector machine {100 * of[name].svm:.1f}."
            for name in names
        ),
    )


def _title(fig: Figure, finding: str) -> None:
    """A title over the whole width of a figure."""
    fig.suptitle(finding, x=0.01, ha="left", fontsize=12.5, fontweight="bold")


def _reliability(ax: Axes, curve: Reliability, colour: str, marker: str) -> None:
    """Accuracy against confidence with Wilson intervals, for groups that are not too small."""
    drawn = curve.count >= FEW_POSTS
    value, count = curve.accuracy[drawn], curve.count[drawn]
    low, high = wilson_interval(np.rint(value * count), count)
    error = [np.maximum(value - low, 0), np.maximum(high - value, 0)]
    ax.errorbar(curve.confidence[drawn], value, yerr=error, color=colour, marker=marker, capsize=2)
