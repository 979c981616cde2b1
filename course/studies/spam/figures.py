"""The figures of the note, one function each."""

import textwrap
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator
from numpy.typing import NDArray
from scipy.special import logit

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Picture, figure
from course.studies.resampled import resampled_interval
from course.studies.spam.contributions import Contributions, Story
from course.studies.spam.costs import thresholds
from course.studies.spam.coverage import Simulated
from course.studies.spam.online import Progress
from probml.metrics import roc_curve, wilson_interval

Array = NDArray[np.float64]
Labels = NDArray[np.intp]
WIDTH = 7.2  # inches: narrow, so that the letters can be read on a telephone
HAM, SPAM = BLUE, VERMILLION
BOLD = {"fontweight": "bold"}
FARTHEST = 52  # log odds beyond which messages are drawn at the edge
SHOWN_WORDS = 7  # with the largest contributions to a message's log odds
SHOWN_SETS = 50  # data sets whose intervals are drawn
MIN_MESSAGES = 15  # in a bin: below, the proportion of spam says little
CALIBRATION_EDGES = (-60, -30, -20, -15, -10, -7.5, -5, -2.5, 0, 2.5, 5, 10, 20, 30)


def where_to_stop(h: Array, y: Labels, costs: Sequence[float]) -> Picture:
    """Log odds of ham and spam, and the calibrated threshold for each cost of a ham that is stopped."""
    at_cost = {cost: thresholds(h, y, cost).calibrated for cost in costs}
    fig, ax = figure(width=WIDTH, height=3.9)
    edges = np.arange(-FARTHEST, FARTHEST + 1, 4)
    for label, colour in ((0, HAM), (1, SPAM)):
        values = np.clip(h[y == label], -FARTHEST + 1, FARTHEST - 1)
        ax.hist(values, edges, color=colour, alpha=0.3, linewidth=0)
        ax.hist(values, edges, color=colour, histtype="step", linewidth=1.6)
    ax.set(yscale="log", ylim=(0.7, 3500), xlim=(-FARTHEST, FARTHEST), ylabel="messages")
    ax.set_yticks([1, 10, 100, 1000], ["1", "10", "100", "1,000"])
    ax.yaxis.set_minor_locator(NullLocator())
    ax.set_xlabel("log odds of spam, held out (the outermost bars also hold what lies beyond)")
    for cost, at in at_cost.items():
        ax.axvline(at, ymax=0.86, color=BLACK, linewidth=1.6)
        ax.text(at, 1500, f"{cost:g}×", ha="center", va="bottom", fontsize=10, fontweight="bold")
    ax.text(max(at_cost.values()) + 4, 1500, "cost of a lost ham", va="bottom", fontsize=10)
    ax.text(max(at_cost.values()) + 4, 1450, "(by Platt scaling)", va="top", fontsize=10)
    ax.text(-34, 500, "ham", color=HAM, fontweight="bold", ha="right")
    ax.text(38, 60, "spam", color=SPAM, fontweight="bold", ha="center")
    ax.grid(visible=False)
    ax.set_title("The more a lost ham costs, the higher the threshold")
    counts = "; ".join(
        f"{cost:g} times, {np.sum(h[y == 0] > at)} hams are stopped and {np.sum(h[y == 1] <= at)} spams get through"
        for cost, at in at_cost.items()
    )
    return Picture(
        fig,
        "where-to-stop",
        "Histograms of the log odds of ham, most of it between minus 50 and 0 and a few up to about 15, and of spam, "
        "mostly above 10 with a thin tail that reaches below minus 20. Vertical lines mark thresholds by Platt "
        f"scaling, higher the more a ham that is stopped costs, in units of a spam that gets through: {counts}.",
    )


def why(stories: Sequence[Story]) -> Picture:
    """What each word of a message adds to its log odds."""
    fig, axes = figure(1, len(stories), width=7.6, height=4.9)
    for ax, (title, reasons, text) in zip(axes, stories, strict=True):
        _bars(ax, reasons)
        ax.set_title(title, fontsize=11)
        quoted = textwrap.fill(textwrap.shorten(text, 135, placeholder=" …"), 36)
        ax.set_xlabel(f"for ham  ←  log odds  →  for spam\n\n“{quoted}”", fontsize=9.5)
    fig.suptitle("Why the filter got these two messages wrong", x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    said = ". ".join(
        f"{title.capitalize()}: the prior adds {reasons.prior:.1f} and the strongest word, {reasons.words[0]}, "
        f"{reasons.by_word[0]:.1f}; the sum is {reasons.total:.1f}"
        for title, reasons, _ in stories
    )
    return Picture(fig, "why", f"Bars of what the prior and single words add to the log odds of two messages. {said}.")


def _bars(ax: Axes, reasons: Contributions) -> None:
    """One bar for the prior, for each of the strongest words, for the rest and for the sum."""
    shown = min(SHOWN_WORDS, len(reasons.words))
    strongest = zip(reasons.words[:shown], reasons.times[:shown], strict=True)
    labels = ["prior", *(word if times == 1 else f"{word} ×{times}" for word, times in strongest)]
    values = [reasons.prior, *reasons.by_word[:shown]]
    if len(reasons.words) > shown:
        labels.append(f"{len(reasons.words) - shown} others")
        values.append(float(reasons.by_word[shown:].sum()))
    labels.append("sum")
    values.append(reasons.total)
    colours = [SPAM if value > 0 else HAM for value in values[:-1]] + [BLACK]
    position = np.arange(len(values))
    ax.barh(position, values, 0.7, color=colours)
    ax.axvline(0, color=BLACK, linewidth=1)
    ax.axhline(len(values) - 1.5, color=GREY, linewidth=1)
    ax.set_yticks(position, labels)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)


def coverage(simulated: Simulated) -> Picture:
    """The usual and the corrected interval of the first data sets, and how many of all contain the truth."""
    fig, axes = figure(1, 2, width=WIDTH, height=4.2, sharey=True, sharex=True)
    first = slice(SHOWN_SETS)
    percent = []
    for ax, name, half in zip(axes, ("usual", "corrected"), (simulated.usual, simulated.corrected), strict=True):
        covered = simulated.covered(half)
        percent.append(100 * covered.mean())
        for k, (mean, reach, inside) in enumerate(
            zip(simulated.means[first], half[first], covered[first], strict=True)
        ):
            ends = 100 * max(mean - reach, 0), 100 * (mean + reach)
            ax.plot(ends, (k, k), color=GREY if inside else VERMILLION, linewidth=1.2 if inside else 2)
        ax.axvline(100 * simulated.truth, color=BLACK, linewidth=1.5)
        ax.set_title(f"{name}: {percent[-1]:.0f} % contain the truth", fontsize=11)
        ax.text(100 * simulated.truth, SHOWN_SETS + 0.5, " truth", fontweight="bold", va="bottom")
        ax.set(xlabel="error, %", yticks=[], xlim=(0, 100 * np.max((simulated.means + simulated.corrected)[first])))
        ax.grid(axis="y", visible=False)
    axes[0].set(ylabel=f"{SHOWN_SETS} of {len(simulated.means)} data sets", ylim=(-2, SHOWN_SETS + 5))
    place = {"transform": axes[0].get_yaxis_transform(), "ha": "right", "va": "bottom"}
    axes[0].text(0.98, SHOWN_SETS + 0.5, "misses it", color=VERMILLION, fontweight="bold", **place)
    fig.suptitle("The usual interval over splits is too short", x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    return Picture(
        fig,
        "coverage",
        f"95 percent intervals for the error over {simulated.errors.shape[1]} splits of each of {SHOWN_SETS} data "
        "sets, those that miss the truth in orange, with a vertical line at the true error, "
        f"{100 * simulated.truth:.1f} percent. Left, the usual ones: short, and only {percent[0]:.0f} percent of all "
        "contain the truth. Right, the corrected ones: about three "
        f"times as wide, and {percent[1]:.0f} percent contain it.",
    )


def differences(changes: Mapping[str, Array], train: int, test: int) -> Picture:
    """Change of the error against words alone, with both intervals. changes : values on the J splits, shape (J,)."""
    fig, ax = figure(width=WIDTH, height=3.6)
    said = []
    for row, (name, values) in enumerate(changes.items()):
        mean, half = (100 * each for each in resampled_interval(values, train, test))
        usual = half / np.sqrt(1 + len(values) * test / train)
        clear = abs(mean) > half
        colour = GREY if not clear else GREEN if mean < 0 else VERMILLION
        ax.plot((mean - half, mean + half), (row, row), color=colour, linewidth=2)
        ax.plot((mean - usual, mean + usual), (row, row), color=colour, linewidth=8, alpha=0.45, solid_capstyle="butt")
        ax.plot(mean, row, "o", color=colour, markersize=7)
        ax.text(
            1.02,
            row,
            f"{mean:+.2f} ± {half:.2f}".replace("-", "−"),
            transform=ax.get_yaxis_transform(),
            va="center",
            color=colour,
        )
        said.append(f"{name}: {mean:+.2f} plus or minus {half:.2f} percentage points")
    ax.axvline(0, color=BLACK, linewidth=1.2)
    ax.text(0.99, 0.03, "thin: corrected, thick: usual", transform=ax.transAxes, ha="right", color=GREY, fontsize=10)
    ax.set_yticks(range(len(changes)), list(changes))
    ax.set(ylim=(len(changes) - 0.5, -0.5), xlabel="error minus that of words alone, percentage points")
    ax.grid(axis="y", visible=False)
    ax.set_title("Six coins help, Poisson counts of the same do harm", x=-0.38)
    return Picture(
        fig,
        "differences",
        "Change of the error against the filter that reads words only, with the corrected 95 percent interval as a "
        f"line and the usual one, about three times shorter, as a bar. {'; '.join(said)}.",
    )


def roc_and_precision(h: Array, y: Labels, base_rates: Sequence[float]) -> Picture:
    """Left the ROC curve, right precision against recall for several proportions of spam; h = 0 is marked."""
    fig, (left, right) = figure(1, 2, width=7.6, height=3.9)
    roc = roc_curve(y, h)
    fpr, recall = roc.false_positive_rate, roc.true_positive_rate
    at = int(np.flatnonzero(roc.threshold > 0)[-1])
    left.plot(100 * fpr, 100 * recall, color=BLACK, drawstyle="steps-post")
    left.plot(100 * fpr[at], 100 * recall[at], "o", color=BLACK, markersize=8)
    left.annotate("h > 0", (100 * fpr[at], 100 * recall[at]), (10, -14), textcoords="offset points")
    left.set(xlim=(-0.1, 5), ylim=(60, 101), xlabel="ham stopped, %", ylabel="recall: spam stopped, %")
    left.set_title("ROC: the same for every\nproportion of spam", fontsize=11)
    reached = []
    for base, colour in zip(base_rates, (GREEN, BLACK, ORANGE, VERMILLION), strict=True):
        precision = base * recall[1:] / (base * recall[1:] + (1 - base) * fpr[1:])
        right.plot(100 * recall[1:], 100 * precision, color=colour, linewidth=1.8)
        right.plot(100 * recall[at], 100 * precision[at - 1], "o", color=colour, markersize=8)
        reached.append(f"{100 * base:.3g} percent spam, {100 * precision[at - 1]:.0f} percent")
        label = f"{100 * base:.3g} % spam: {100 * precision[at - 1]:.0f} %"
        right.text(62, 62 - 9 * len(reached), label, color=colour, fontweight="bold")
    right.text(62, 62, "precision for h > 0")
    right.set(xlim=(60, 101), ylim=(0, 103), xlabel="recall: spam stopped, %", ylabel="precision, %")
    right.set_title("Precision: lower where\nspam is rarer", fontsize=11)
    return Picture(
        fig,
        "roc-and-precision",
        f"Left, the ROC curve: with the threshold 0 the filter stops {100 * recall[at]:.0f} percent of the spam and "
        f"{100 * fpr[at]:.1f} percent of the ham. Right, precision against recall, one curve for each proportion of "
        f"spam; with the same threshold the precision is, at {'; at '.join(reached)}.",
    )


def calibration(h: Array, y: Labels, a: float, b: float) -> Picture:
    """The proportion of spam against the model's log odds, beside what the model and Platt scaling say."""
    fig, ax = figure(width=WIDTH, height=4.2)
    for low, high in pairwise((*CALIBRATION_EDGES, np.inf)):
        inside = (h > low) & (h <= high)
        n, spam = int(inside.sum()), int(y[inside].sum())
        if n >= MIN_MESSAGES:
            ends = wilson_interval(spam, n)
            x = min(h[inside].mean(), 38)
            ax.plot((x, x), logit(np.clip(ends, 1e-4, 1 - 1e-4)), color=BLACK, linewidth=1.4)
            if 0 < spam < n:
                ax.plot(x, logit(spam / n), "o", color=BLACK, markersize=7)
            else:
                end = logit(np.clip(ends[0] if spam else ends[1], 1e-4, 1 - 1e-4))
                ax.plot(x, end, "_", color=BLACK, markersize=9)
                ax.text(x - 1, end, "all spam" if spam else "all ham", ha="right", va="center", fontsize=9)
    line = np.array([-45.0, 45.0])
    ax.plot(line, line, color=GREY, linewidth=1.6, linestyle="--")
    ax.plot(line, a * line + b, color=VERMILLION)
    shown = np.array([0.0003, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999])
    ax.set(
        xlim=(-45, 42),
        ylim=logit([0.0002, 0.9995]),
        xlabel="log odds h of the filter (the last group lies further right)",
        ylabel="proportion of spam (scale of log odds)",
    )
    ax.set_yticks(logit(shown), [f"{100 * p:g} %" for p in shown])
    ax.text(3.5, 6.3, "what the\nfilter says", color=GREY, fontweight="bold", ha="right", va="center")
    ax.text(27.5, 2.6, "Platt scaling", color=VERMILLION, fontweight="bold", ha="left", va="center")
    ax.text(-40, -4.3, "counted", color=BLACK, fontweight="bold")
    ax.set_title("The log odds are exaggerated, and not by one factor")
    return Picture(
        fig,
        "calibration",
        "Proportion of spam, on a scale of log odds, against the log odds of the filter. The counted proportions rise "
        "far more slowly than the filter says: they stay near one percent from minus 20 to minus 5, climb steeply from "
        f"minus 2 to 10, and are close to 1 beyond. The straight line of Platt scaling, {a:.2f} h {b:+.2f}, lies above "
        "them between minus 10 and minus 2, below them between 2 and 10, and far below them left of minus 20.",
    )


def online(progress: Progress) -> Picture:
    """Errors within windows of a stream, learned message by message, beside batch learners tested on the others."""
    fig, ax = figure(width=WIDTH, height=3.9)
    middle = (progress.edges[:-1] + progress.edges[1:]) / 2
    proportions = progress.wrong / progress.judged
    low, high = wilson_interval(progress.wrong, progress.judged)
    ax.vlines(middle, 100 * low, 100 * high, color=BLUE, linewidth=2)
    ax.plot(middle, 100 * proportions, "o", color=BLUE, markersize=7)
    ax.plot(progress.sizes, 100 * progress.batch, "s-", color=VERMILLION, linewidth=1.6)
    ax.axhline(100 * progress.all_ham, color=GREY, linestyle="--", linewidth=1.2)
    ax.text(
        progress.edges[-1], 100 * progress.all_ham + 0.3, "call everything ham", ha="right", va="bottom", color=GREY
    )
    ax.text(middle[2] * 1.15, 100 * proportions[2] + 1, "online, on the messages that follow", color=BLUE, **BOLD)
    ax.text(progress.sizes[0], 0.5, "batch, n messages at once,\ntested on the others", color=VERMILLION, **BOLD)
    ax.set(xscale="log", ylim=(0, None), xlabel="messages n learned so far", ylabel="error, %")
    ax.set_xticks(progress.sizes, [f"{n:,}" for n in progress.sizes])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.set_title("Online learning keeps pace with batch learning")
    return Picture(
        fig,
        "online",
        "Error against the number of messages learned so far, on a logarithmic axis. Dots with 95 percent intervals: "
        "messages judged one by one before they were learned, in windows. Line: filters that learned the first n "
        "messages at once, tested on all others. Both fall together from about the error of calling everything ham to "
        f"{100 * progress.batch[-1]:.1f} percent.",
    )
