"""The figures of the note."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, VERMILLION, Picture, figure
from course.studies.why_naive_bayes_works.real_data import Copies, Outcome

WIDTH = 5.6  # inches: narrow, so that the letters can be read on a telephone
# Names below their intervals, and which side of them is there, so that none lies on another interval.
LABELS = {"sick": (True, "left"), "breast-cancer": (True, "center"), "lymphography": (True, "right")}
PLUS, MINUS, APART = "#CFE3F1", "#ECECEC", "#F2B48C"


def counted_twice() -> Picture:
    """The square of what two attributes say, with the decisions that counting the first one twice turns round."""
    a = np.linspace(0, 1, 401)
    best, naive = 1 - a, (1 - a) ** 2 / (a**2 + (1 - a) ** 2)
    fig, ax = figure(width=WIDTH, height=4.9)
    ax.fill_between(a, np.maximum(best, naive), 1, color=PLUS, lw=0)
    ax.fill_between(a, 0, np.minimum(best, naive), color=MINUS, lw=0)
    ax.fill_between(a, best, naive, color=APART, lw=0)
    ax.plot(a, best, color=BLACK)
    ax.plot(a, naive, color=VERMILLION)
    ax.axvline(0.5, color=GREY, linestyle=":", linewidth=1.5)
    text = {"ha": "center", "va": "center", "fontsize": 11}
    ax.text(0.78, 0.74, "both say +", color="#004E7A", **text)
    ax.text(0.22, 0.26, "both say −", color="#444444", **text)
    arrow = {"arrowstyle": "-", "color": "#A04000"}
    ax.annotate("naive Bayes\nwrongly says −", (0.27, 0.78), (0.2, 0.52), color="#A04000", arrowprops=arrow, **text)
    ax.annotate("naive Bayes\nwrongly says +", (0.7, 0.2), (0.82, 0.46), color="#A04000", arrowprops=arrow, **text)
    ax.plot([0.7, 0.7], [0.6, 0.2], "o", color=BLACK, markersize=5)
    for point, below in (((0.7, 0.6), 0), ((0.7, 0.2), 16)):
        ax.annotate(f"{point}", point, (-6, -below), textcoords="offset points", ha="right", va="center", fontsize=9.5)
    ax.annotate("probabilities are\nright on this line", (0.5, 0.61), (0.52, 0.86), color=GREY, fontsize=9.5)
    ax.set(
        xlim=(0, 1),
        ylim=(0, 1),
        aspect="equal",
        xlabel="a, the probability of + given attribute A",
        ylabel="c, the probability of + given attribute C",
    )
    ax.grid(visible=False)
    title = "Counting A twice makes nearly every probability\nwrong, but decisions in only 9.7 % of the square"
    fig.suptitle(title, x=0.02, ha="left", fontsize=12.5, fontweight="bold")
    return Picture(
        fig,
        "counted-twice",
        "A square of the probabilities of the positive class given attribute A and given attribute C. The best "
        "decision is plus above the falling diagonal. Naive Bayes, which counts A twice, says plus above an "
        "S-shaped curve that crosses the diagonal in the middle. The two regions between the curves, where the "
        "decisions differ, are slender; the point (0.7, 0.2) lies in one of them, and (0.7, 0.6) does not. The "
        "probabilities agree only on the vertical line in the middle.",
    )


def random_tables(right: Mapping[int, NDArray[np.float64]]) -> Picture:
    """right : for each number of attributes, the proportions decided as the best classifier does, of random tables."""
    attributes = list(right)
    means = 100 * np.array([values.mean() for values in right.values()])
    low, high = (100 * np.array([np.quantile(values, q) for values in right.values()]) for q in (0.1, 0.9))
    fig, ax = figure(width=WIDTH, height=3.7)
    ax.fill_between(attributes, low, high, color=BLUE, alpha=0.18, lw=0)
    ax.plot(attributes, means, "o-", color=BLUE)
    ax.axhline(50, color=GREY, linestyle=":")
    ax.annotate("tossing a coin", (attributes[0], 51), color=GREY, fontsize=10)
    ax.annotate("mean, and the middle 80 % of the tables", (3.15, 92), color=BLUE, fontweight="bold", fontsize=9.5)
    ax.set(
        ylim=(40, 103),
        xticks=attributes,
        xlabel="two-valued attributes",
        ylabel="decided as the best\nclassifier does, %",
        title="On arbitrary distributions naive Bayes\napproaches a coin toss",
    )
    return Picture(
        fig,
        "random-tables",
        "The percentage of examples that naive Bayes decides as the best classifier does, for joint distributions "
        "drawn at random, against the number of attributes: 100 with one, and falling towards 50 with eight.",
    )


def copies(found: Sequence[Copies]) -> Picture:
    """Accuracy and confidence against the number of copies of every attribute."""
    colours = (BLUE, GREEN, VERMILLION)
    fig, (left, right) = figure(1, 2, width=6.6, height=3.9, sharex=True)
    for each, colour in zip(found, colours, strict=True):
        left.plot(each.copies, 100 * each.accuracy, "o-", color=colour)
        left.annotate(each.name, (1.05, 100 * each.accuracy[0] + 1.2), color=colour, fontweight="bold", fontsize=10)
        right.plot(each.copies, each.loss, "o-", color=colour)
    for ax in (left, right):
        ax.set_xscale("log", base=2)
        ax.set_xticks(found[0].copies, [str(k) for k in found[0].copies])
        ax.set_xlabel("copies of every attribute")
    left.set(ylim=(70, 100), ylabel="test accuracy, %", title="Decisions: little changes")
    right.set(yscale="log", ylabel="log loss", title="Probabilities: ruined")
    right.set_yticks([0.5, 1, 2, 5, 10], ["0.5", "1", "2", "5", "10"])
    return Picture(
        fig,
        "copies",
        "Left: the test accuracy of naive Bayes against the number of copies of every attribute is flat on voting and "
        "lymphography, and falls by a few points on adult. Right: the log loss, on a logarithmic axis, rises in "
        "proportion to the number of copies on all three.",
    )


def dependence(outcomes: Sequence[Outcome]) -> Picture:
    """What naive Bayes loses to logistic regression against how dependent the attributes are."""
    fig, ax = figure(width=WIDTH, height=4.0)
    ax.axhline(0, color=GREY, linewidth=1)
    for each in outcomes:
        lead, half = each.lead
        ax.errorbar(each.dependence, 100 * lead, yerr=100 * half, fmt="o", color=BLUE, capsize=3)
        below, side = LABELS.get(each.name, (False, "center"))
        ax.annotate(
            each.name,
            (each.dependence, 100 * (lead - half if below else lead + half)),
            xytext=({"left": 3, "center": 0, "right": 8}[side], -4 if below else 4),
            textcoords="offset points",
            ha=side,
            va="top" if below else "bottom",
            fontsize=10,
        )
    ax.set(
        xlim=(0, 0.107),
        ylim=(-9.5, 10),
        xlabel="dependence of a pair of attributes given the class, bits",
        ylabel="points of accuracy lost\nto logistic regression",
        title="Six data sets do not show whether\ndependence costs accuracy",
    )
    return Picture(
        fig,
        "dependence",
        "Points of accuracy that naive Bayes loses to logistic regression against the mean conditional mutual "
        "information of two attributes, for six data sets, with intervals. Most losses are of a few points or "
        "none, the intervals are wide, and no clear trend is seen.",
    )
