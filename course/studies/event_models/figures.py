"""The figures of the note."""

import numpy as np
from matplotlib.axes import Axes

from course.figures import BLACK, BLUE, GREEN, GREY, VERMILLION, Picture, figure
from course.studies.event_models.by_length import Fifths
from course.studies.event_models.curves import Curves
from course.studies.event_models.length import Lengths
from course.studies.event_models.pieces import CHANGES, MODELS

WIDTH = 6.2  # inches: narrow, so that the letters can be read on a telephone
COLOURS = dict(zip(MODELS, (BLUE, GREEN, "#B97A00", VERMILLION), strict=True))
STYLES = dict(zip(MODELS, ("-", "--", "-.", "-"), strict=True))
MARKERS = dict(zip(MODELS, "o^Ds", strict=True))
# Areas in light shades, so that black numbers can be read on them.
CHANGE_COLOURS = dict(zip(CHANGES, ("#A9CDE6", "#E6E6E6", "#F2B48C"), strict=True))


def four_models(curves: Curves) -> Picture:
    """Accuracy of the four models against the number of words, over random splits."""
    fig, ax = figure(width=WIDTH, height=4.4)
    for name in MODELS:
        accuracy = 100 * curves.of(name)
        middle, spread = accuracy.mean(axis=0), accuracy.std(axis=0, ddof=1)
        ax.fill_between(curves.sizes, middle - 2 * spread, middle + 2 * spread, color=COLOURS[name], alpha=0.18, lw=0)
        ax.plot(curves.sizes, middle, STYLES[name], color=COLOURS[name], marker=MARKERS[name], label=name, ms=4.5)
    for name, words, height, side in (
        ("multinomial on presence", 780, 82.5, "right"),
        ("multinomial", 4.3e4, 91.2, "center"),
        ("Bernoulli without length", 3100, 77.2, "left"),
        ("Bernoulli", 2.4e4, 66.5, "center"),
    ):
        ax.annotate(name, (words, height), color=COLOURS[name], fontweight="bold", ha=side, fontsize=10)
    ax.set(
        xscale="log",
        ylim=(28, 95),
        xlabel="words in the vocabulary, the most informative first",
        ylabel="test accuracy, %",
        title="Without its length term the Bernoulli model\ncatches up with the multinomial model",
    )
    return Picture(
        fig,
        "four-models",
        "Test accuracy of four models on random splits of 20 Newsgroups against the number of words on a logarithmic "
        "axis, with bands over splits. The multinomial model, the same on presence and the Bernoulli model without "
        "its length term rise together to about 87 %. The Bernoulli model falls behind from about a hundred "
        "words on and ends near 70 %. With twenty words the Bernoulli models are ahead.",
    )


def six_orders(curves: Curves) -> Picture:
    """The difference between multinomial and Bernoulli model, divided among the changes in each order."""
    steps = curves.steps()
    fig, ax = figure(width=WIDTH, height=3.6)
    for row, (order, added) in enumerate(steps.items()):
        left = 0.0
        for change in order:
            lost = -100 * added[change][0]
            ax.barh(row, lost, left=left, height=0.72, color=CHANGE_COLOURS[change], edgecolor="white", lw=1)
            if lost > 3:
                ax.text(left + lost / 2, row, f"{change} {lost:.1f}", ha="center", va="center", fontsize=9.5)
            left += lost
    ax.annotate("absence", (17, 1), color=GREY, va="center", fontsize=9.5)
    ax.set_yticks(range(len(steps)), [" → ".join(order) for order in steps], fontsize=9.5)
    ax.invert_yaxis()
    ax.grid(visible=False, axis="y")
    ax.set(xlim=(0, 19), xlabel="points of accuracy lost")
    title = "The length term costs half of the gap or nearly all of it,\ndepending on the order of the changes"
    fig.suptitle(title, x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    return Picture(
        fig,
        "six-orders",
        "Six horizontal bars of the same length, one for each order in which presence, absence and length can be "
        "changed, divided by what each change costs. Where presence comes before length, the length takes nearly the "
        "whole bar. Where length comes first, it takes about half, and presence, coming later, the other half. Absence "
        "is a sliver in all.",
    )


def lengths(found: Lengths) -> Picture:
    """Numbers of different words: real posts and drawn ones; what the Bernoulli model expects of each group."""
    fig, (top, bottom) = figure(2, 1, width=WIDTH, height=6.6)
    bins = np.geomspace(5, 2500, 45)
    small, large = (name for name in found.drawn if name.startswith("Bernoulli"))
    styles = {
        "real posts": (found.seen, BLACK, "-", (9, 0.085)),
        "multinomial": (found.drawn["multinomial"], BLUE, "--", (480, 0.045)),
        small: (found.drawn[small], VERMILLION, "-", (22, 0.27)),
        large: (found.drawn[large], VERMILLION, ":", (420, 0.27)),
    }
    for name, (values, colour, style, where) in styles.items():
        share = np.histogram(values, bins)[0] / len(values)
        top.stairs(share, bins, color=colour, linestyle=style, linewidth=2)
        top.annotate(name, where, color=colour, fontweight="bold", fontsize=10)
    top.set(
        xscale="log",
        xlabel="different words in a document",
        ylabel="proportion of documents",
        title="Real posts vary in length far more\nthan the Bernoulli model allows",
    )
    small_alpha, alpha = sorted(found.expected)
    for a, colour, marker in ((alpha, VERMILLION, "s"), (small_alpha, "#B97A00", "o")):
        bottom.plot(found.mean, found.expected[a], marker, color=colour)
    ends = np.array([70, 220])
    bottom.plot(ends, ends, color=GREY, linewidth=1)
    bottom.annotate(f"Λ with α = {alpha:g}", (100, 318), color=VERMILLION, fontweight="bold")
    bottom.annotate(f"Λ with α = {small_alpha:g}", (128, 112), color="#B97A00", fontweight="bold")
    bottom.annotate("as many as are seen", (219, 160), color=GREY, ha="right", va="top")
    bottom.set(
        xlabel="different words in a post, mean of the group",
        ylabel="expected by the model, Λ",
        title="Smoothing with α = 1 makes it expect\nmore than a hundred words too many",
        ylim=(60, 395),
    )
    return Picture(
        fig,
        "length",
        "Top: histograms of the number of different words in a document on a logarithmic axis. Real posts and posts "
        "drawn from the multinomial model spread from ten to a thousand words; those from the Bernoulli model form "
        "a narrow peak, with smoothing one at twice the number of words. Bottom: what the Bernoulli model expects for "
        "each of twenty groups against the mean that is seen. With smoothing one all points lie more than a hundred "
        "words above the diagonal.",
    )


def short_documents(fifths: Fifths, group: int, name_of_group: str) -> Picture:
    """Accuracy by the length of the document, and where the shortest documents are sent."""
    fig, (top, bottom) = figure(2, 1, width=WIDTH, height=7.0)
    for i, name in enumerate(MODELS):
        values = 100 * fifths.share_right[name]
        ends = [values - 100 * fifths.low[name], 100 * fifths.high[name] - values]
        places = np.arange(5) + 0.06 * (i - 1.5)
        style = {"color": COLOURS[name], "linestyle": STYLES[name], "marker": MARKERS[name], "capsize": 2}
        top.errorbar(places, values, yerr=ends, **style)
    _labelled(top, (("three models without the length term", 1.1, 88, BLACK), ("Bernoulli", 1.5, 56, VERMILLION)))
    top.set_xticks(range(5), [f"{low:,}–{high:,}" for low, high in fifths.spans], fontsize=9.5)
    top.set(
        ylim=(20, 96),
        xlabel="different words in the test document, fifths",
        ylabel="test accuracy, %",
        title="Short documents pay for the length term",
    )
    for name in ("multinomial", "Bernoulli"):
        bottom.plot(fifths.expected, fifths.sent[name], MARKERS[name], color=COLOURS[name])
    bottom.axhline(1, color=GREY, linewidth=1)
    _labelled(bottom, (("Bernoulli", 326, 0.2, VERMILLION), ("multinomial", 335, 1.75, BLUE)))
    where = fifths.expected[group], fifths.sent["Bernoulli"][group]
    bottom.annotate(name_of_group, where, xytext=(8, -4), textcoords="offset points", fontsize=10)
    bottom.set(
        xlabel="different words that the Bernoulli model expects, Λ",
        ylabel="predicted ÷ true number",
        title="Far too many of the shortest go to one group,\nthe one with the smallest Λ",
    )
    return Picture(
        fig,
        "short-documents",
        "Top: test accuracy in fifths of the test documents by length, with intervals. Three models stay between "
        "70 and 87 %; the Bernoulli model is right for one in three of the shortest documents and draws level for the "
        "longest. Bottom: how often the shortest documents are assigned to each group, relative to the true number, "
        "against the number of words that the Bernoulli model expects of the group. The Bernoulli model assigns about "
        f"five times too many to {name_of_group}, the group of the shortest posts, and none to groups of long posts.",
    )


def _labelled(ax: Axes, labels: tuple[tuple[str, float, float, str], ...]) -> None:
    """Names beside what they name, in its colour."""
    for name, x, y, colour in labels:
        ax.annotate(name, (x, y), color=colour, fontweight="bold", ha="center", fontsize=10)
