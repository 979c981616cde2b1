"""The figures of the note, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREY, SEQUENTIAL, VERMILLION, Picture, figure
from course.studies.naive_bayes_newsgroups.families import by_family, errors, family
from course.studies.naive_bayes_newsgroups.lengths import ByLength
from course.studies.naive_bayes_newsgroups.tuning import Tuned
from probml.metrics import reliability, wilson_interval

Array = NDArray[np.float64]
WIDTH = 6.4  # inches: narrow, so that the letters can be read on a telephone
COLOURS = {"multinomial": BLUE, "Bernoulli": VERMILLION}
MIN_DOCUMENTS = 15  # in a bin: below, the proportion of right answers says little
MIN_ERRORS = 15  # posts of one kind of error that are written into the figure
BINS = 10


def accuracy_against_vocabulary(tuned: Tuned) -> Picture:
    """Test accuracy against the number of words, with alpha = 1 and with alpha chosen for each number."""
    fig, ax = figure(width=WIDTH, height=4.2)
    for name, colour in COLOURS.items():
        chosen, add_one = tuned.with_chosen(name), tuned.with_alpha(name, 1.0)
        ax.plot(tuned.sizes, add_one, "s--", color=colour, markersize=4, linewidth=1.6)
        ax.plot(tuned.sizes, chosen, "o-", color=colour)
        for values, label in ((chosen, "α chosen"), (add_one, "α = 1")):
            _beside(ax, (tuned.sizes[-1], values[-1]), f"{values[-1]:.3f}  {label}", colour)
    ax.annotate("multinomial", (1100, 0.79), color=BLUE, fontweight="bold", ha="right")
    ax.annotate("Bernoulli", (2600, 0.585), color=VERMILLION, fontweight="bold", ha="left")
    ax.set(xscale="log", xlim=(17, 5e5), ylim=(0.28, 0.87), xlabel="words in the vocabulary", ylabel="test accuracy")
    ax.set_xticks([20, 100, 1000, 10_000, tuned.sizes[-1]], ["20", "100", "1,000", "10,000", "all"])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_title("Rare words hurt only with add-one smoothing")
    return Picture(
        fig,
        "accuracy-against-vocabulary",
        "Test accuracy on 20 Newsgroups against the number of words, from 20 to all 73,712, on a logarithmic axis. "
        "With smoothing alpha chosen by cross-validation, the curves of both models rise to the end, that of the "
        f"multinomial model to {tuned.with_chosen('multinomial')[-1]:.3f} and that of the Bernoulli "
        f"model to {tuned.with_chosen('Bernoulli')[-1]:.3f}. With alpha 1 they lie below, turn down, and reach "
        f"{tuned.with_alpha('multinomial', 1.0)[-1]:.3f} and {tuned.with_alpha('Bernoulli', 1.0)[-1]:.3f}. With twenty "
        "words the Bernoulli model is ahead.",
    )


def accuracy_against_alpha(tuned: Tuned) -> Picture:
    """Cross-validated and test accuracy of both models with all words, against alpha; the chosen alphas are marked."""
    fig, axes = figure(1, 2, width=7.2, height=3.9, sharey=True)
    for ax, accuracy in zip(axes, (tuned.cross_validated, tuned.test), strict=True):
        ax.axvline(1, color=GREY, linewidth=1, linestyle="--")
        ax.annotate("add one", (1, 0.515), xytext=(-5, 0), textcoords="offset points", ha="right", color=GREY)
        for name, colour in COLOURS.items():
            values, at = accuracy[name][:, -1], tuned.chosen(name)[-1]
            ax.plot(tuned.alphas, values, color=colour)
            ax.plot(tuned.alphas[at], values[at], "o", color=colour, markersize=9)
            above = name == "multinomial"
            ax.annotate(
                f"{name}: {values[at]:.3f}, α = {_power(tuned.alphas[at])}",
                (tuned.alphas[0], values[: at + 1].max() if above else values[0]),
                xytext=(0, 7 if above else -20),
                textcoords="offset points",
                va="bottom" if above else "top",
                color=colour,
                fontweight="bold",
                fontsize=10,
            )
        ax.set(xscale="log", ylim=(0.5, 0.95), xlabel="smoothing α")
        ax.xaxis.set_minor_locator(NullLocator())
    axes[0].set_ylabel("accuracy, all words")
    axes[0].set_title("choose: cross-validation", fontsize=11.5)
    axes[1].set_title("measure: the test part", fontsize=11.5)
    fig.suptitle("Add-one is too much smoothing for both models", x=0.01, ha="left", fontweight="bold", fontsize=13)
    return Picture(
        fig,
        "accuracy-against-alpha",
        "Accuracy with all words against the smoothing constant alpha on a logarithmic axis, for both models; left by "
        "cross-validation within the training part, right on the test part. The curves of the multinomial model are "
        "nearly flat from 0.01 to 0.1 and fall steeply beyond 0.3; those of the Bernoulli model are nearly flat below "
        "0.0001 and fall from there on. The curves of the test part have the same shape and lie some eight points "
        f"lower. Dots mark the chosen values, {tuned.alpha('multinomial'):g} and {tuned.alpha('Bernoulli'):g}.",
    )


def confusion(counts: NDArray[np.int64], groups: Sequence[str]) -> Picture:
    """The errors of a confusion matrix, groups of one family side by side."""
    order = by_family(groups)
    mistakes, names = errors(counts)[np.ix_(order, order)], [groups[k] for k in order]
    families = [family(name) for name in names]
    starts = [k for k in range(len(names)) if k == 0 or families[k] != families[k - 1]]
    fig, ax = figure(width=7.2, height=6.6)
    ax.imshow(mistakes, cmap=SEQUENTIAL, vmin=0, vmax=mistakes.max() * 1.05, aspect="auto")
    for (row, column), posts in np.ndenumerate(mistakes):
        if posts >= MIN_ERRORS:
            colour = "white" if posts > 0.55 * mistakes.max() else BLACK
            ax.text(column, row, posts, ha="center", va="center", fontsize=8.5, color=colour)
    for start, end in zip(starts, [*starts[1:], len(names)], strict=True):
        square = [start - 0.5, end - 0.5]
        ax.plot([*square, *square[::-1], square[0]], [*np.repeat(square, 2), square[0]], color=VERMILLION)
        ax.text(
            len(names) - 0.2, (start + end - 1) / 2, families[start], va="center", color=VERMILLION, fontweight="bold"
        )
    ax.set_xticks(range(len(names)), names, rotation=90, fontsize=9)
    ax.set_yticks(range(len(names)), names, fontsize=9)
    ax.grid(visible=False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set(xlabel="answered", ylabel="true group")
    ax.set_title("More than half of the errors stay in the family")
    worst = [np.unravel_index(k, mistakes.shape) for k in np.argsort(-mistakes, axis=None, kind="stable")[:4]]
    return Picture(
        fig,
        "confusion",
        "The errors as a matrix of true group against answer, in counts of test posts, with the groups ordered by "
        "family: computers, leisure, science, for sale, politics, religion. Most large counts lie in the squares of "
        "families, above all computers, politics and religion. The largest are "
        + "; ".join(f"{names[i]} taken for {names[j]}, {mistakes[i, j]} posts" for i, j in worst)
        + ".",
    )


def calibration(y: NDArray[np.intp], posteriors: Mapping[str, Array]) -> Picture:
    """Reliability diagram of each model above the histogram of its confidence."""
    fig, axes = figure(2, 2, width=7.2, height=5.0, sharex=True, sharey="row", height_ratios=(2.3, 1))
    for column, (name, probabilities) in enumerate(posteriors.items()):
        above, below = axes[:, column]
        curve, colour = reliability(y, probabilities, BINS), COLOURS[name]
        seen = curve.count >= MIN_DOCUMENTS
        confidence, right = curve.confidence[seen], curve.accuracy[seen]
        low, high = wilson_interval(np.rint(right * curve.count[seen]), curve.count[seen])
        above.plot([0, 1], [0, 1], color=GREY, linewidth=1)
        above.vlines(confidence, right, confidence, color=colour, alpha=0.25, linewidth=6)
        bars = [np.maximum(right - low, 0), np.maximum(high - right, 0)]
        above.errorbar(confidence, right, bars, fmt="o-", color=colour, capsize=3)
        above.set_title(f"{name}: ECE {curve.error:.3f}", color=colour)
        above.annotate("calibrated", (0.36, 0.4), rotation=35, color=GREY, ha="center", va="bottom", fontsize=10)
        edges = np.linspace(0, 1, BINS + 1)
        posts = np.histogram(probabilities.max(axis=1), edges)[0]
        below.bar(edges[:-1], posts, width=1 / BINS, align="edge", color=colour, edgecolor="white")
        for left, count in zip(edges[:-1], posts, strict=True):
            if left > 0.35:
                place = (left + 0.05, count + 0.02 * len(y))
                below.annotate(f"{count:,}", place, ha="center", va="bottom", color=colour, fontsize=9)
        below.set(xlabel="posterior of the answer", xlim=(0.2, 1.01), ylim=(0, 1.2 * len(y)))
        below.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        below.grid(visible=False)
    axes[0, 0].set(ylim=(0, 1), ylabel="how often it is right")
    axes[1, 0].set(ylabel="posts", yticks=(0, 4000, 8000))
    fig.suptitle("Good decisions, bad probabilities", x=0.01, ha="left", fontweight="bold", fontsize=13)
    return Picture(
        fig,
        "calibration",
        "For each model, above, how often the answer is right against the posterior that the model gives it, in ten "
        f"bins with 95 % intervals (bins with fewer than {MIN_DOCUMENTS} posts left out). Both curves run far below "
        "the diagonal of calibrated probabilities: with a posterior of 0.8, fewer than half of the answers are "
        "right. Below, a histogram of these posteriors: more than nine posts in ten have one above 0.9. "
        + " ".join(
            f"Expected calibration error of the {name} model: {reliability(y, p, BINS).error:.3f}."
            for name, p in posteriors.items()
        ),
    )


def confidence_and_length(by_length: Mapping[str, ByLength]) -> Picture:
    """Mean confidence and accuracy of each model in fifths of the test posts by length."""
    fig, axes = figure(1, 2, width=7.2, height=3.5, sharey=True)
    for ax, (name, parts) in zip(axes, by_length.items(), strict=True):
        place, colour = np.arange(len(parts.accuracy)), COLOURS[name]
        ax.fill_between(place, parts.accuracy, parts.confidence, color=colour, alpha=0.12, linewidth=0)
        ax.plot(place, parts.confidence, "^--", color=colour)
        ax.plot(place, parts.accuracy, "o-", color=colour)
        ax.annotate("mean confidence", (2, 1.012), ha="center", va="bottom", color=colour)
        ax.annotate("accuracy", (3, parts.accuracy[3] - 0.025), ha="center", va="top", color=colour)
        ax.set_xticks(place, [f"{first:.0f}" for first in parts.shortest])
        ax.set(xlabel="words in the post, at least", ylim=(0.5, 1.07))
        ax.set_title(name, color=colour)
    axes[0].set_ylabel("proportion")
    fig.suptitle(
        "With length, confidence keeps growing; accuracy does not", x=0.01, ha="left", fontweight="bold", fontsize=13
    )
    multinomial, bernoulli = by_length["multinomial"], by_length["Bernoulli"]
    return Picture(
        fig,
        "confidence-and-length",
        "Mean confidence and accuracy of both models in five equal groups of test posts, from the shortest to the "
        "longest. Confidence rises from group to group, towards one. Accuracy rises up to the third group, "
        f"to {multinomial.accuracy[2]:.2f} for the multinomial and {bernoulli.accuracy[2]:.2f} for the Bernoulli "
        f"model, and no further. For the shortest posts it is {multinomial.accuracy[0]:.2f} and "
        f"{bernoulli.accuracy[0]:.2f}.",
    )


def _power(alpha: float) -> str:
    """A number of the grid, as a power of ten where its decimals would be many."""
    exponent = round(np.log10(alpha))
    return f"{alpha:g}" if alpha >= 0.001 else f"$10^{{{exponent}}}$"


def _beside(ax: Axes, place: tuple[float, float], text: str, colour: str) -> None:
    ax.annotate(
        text,
        place,
        xytext=(7, 0),
        textcoords="offset points",
        va="center",
        color=colour,
        fontsize=10,
        fontweight="bold",
    )
