"""The figures of the note on naive Bayes, the SVM and NBSVM, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILLION, Picture, figure
from course.studies.nb_svm_nbsvm.lengths import ALL_SENTENCES, UNITS, WHOLE, Contests
from course.studies.nb_svm_nbsvm.published import ACCURACY, BOUND, MODELS
from course.studies.nb_svm_nbsvm.replication import Replication

Array = NDArray[np.float64]
COLOURS = {"MNB": BLUE, "SVM": VERMILLION, "NBSVM": GREEN}
MARKERS = {"MNB": "o", "SVM": "s", "NBSVM": "D"}
CALLED = {"MNB": "naive Bayes", "SVM": "SVM", "NBSVM": "NBSVM"}
WIDTH = 7.2  # in inches: on a phone the letters are still legible


def who_leads(contests: Contests, train: int) -> Picture:
    """Accuracy of naive Bayes and of NBSVM minus that of the SVM, all tuned, against the length of the texts.

    train : training texts of all contests but the two largest
    """
    many_sentences = contests[ALL_SENTENCES][WHOLE]
    contests = {column: each for column, each in contests.items() if column != ALL_SENTENCES}
    lengths = list(dict.fromkeys(length for each in contests.values() for length in each))
    fig, axes = figure(2, 3, width=WIDTH, height=5.4, sharex=True, sharey=True)
    for ax, (column, of_length) in zip(axes.flat, contests.items(), strict=True):
        ax.axhline(0, color=VERMILLION, linewidth=1.6)
        for name, shift in (("MNB", -0.09), ("NBSVM", 0.09)):
            leads = {lengths.index(length): each.lead(name, "SVM") for length, each in of_length.items()}
            # A single length is that of whole sentences, whose words number about as many as the shortest windows.
            at = np.array([0.0]) if len(leads) == 1 else np.array(list(leads), dtype=float)
            mean, half = np.transpose(list(leads.values()))
            ax.errorbar(at + shift, mean, half, color=COLOURS[name], marker=MARKERS[name], capsize=3, markersize=6)
        number = f"{train:,}" if column in UNITS else "25,000"
        title = f"{column if column in UNITS else 'IMDB'}, {number} {UNITS.get(column, 'reviews')}"
        ax.set_title("RT-s, two sizes" if column == "RT-s" else title, fontsize=10.5)
    sentences = axes[0, 2]
    for name, shift in (("MNB", -0.09), ("NBSVM", 0.09)):
        mean, half = many_sentences.lead(name, "SVM")
        sentences.errorbar(1 + shift, mean, half, color=COLOURS[name], marker=MARKERS[name], capsize=3, markersize=6)
    for at, height, number in ((0, -0.6, f"{train:,}"), (1, -0.6, "7,677"), (0.5, -2.1, "sentences, whole")):
        sentences.annotate(number, (at, height), ha="center", va="top", fontsize=9.5)
    for name, height in (("MNB", 7.2), ("NBSVM", 5.6)):
        sentences.annotate(CALLED[name], (0.75, height), color=COLOURS[name], fontweight="bold", va="center")
    sentences.annotate("SVM", (1.7, 0.25), color=VERMILLION, fontweight="bold", va="bottom")
    axes[0, 0].set_xticks(range(len(lengths)), ["whole" if length is None else str(length) for length in lengths])
    axes[0, 0].set_xlim(-0.45, len(lengths) - 0.55)
    for ax in axes[:, 0]:
        ax.set_ylabel("points above the SVM")
    fig.supxlabel("words of each text", fontsize=11)
    fig.suptitle(
        "The SVM beats naive Bayes only on many long reviews", x=0.01, ha="left", fontweight="bold", fontsize=12.5
    )
    return Picture(
        fig,
        "who-leads",
        alt="Six panels: accuracy of tuned naive Bayes and tuned NBSVM minus that of a tuned SVM, against the length "
        "of the texts from 20 words to whole texts, with intervals. With 25,000 IMDB reviews naive Bayes is level at "
        "20 words and more than four points below the SVM on whole reviews, where NBSVM is above it. With 700 reviews "
        "naive Bayes is level or ahead at every length. On sentences naive Bayes and NBSVM are one to two points "
        "ahead, with 700 of them within wide intervals, with 7,677 within narrow ones. On the three pairs of "
        "newsgroups, with 700 posts, naive Bayes and NBSVM are ahead at every length by several points.",
    )


def weights(words: Sequence[str], by_model: Mapping[str, Array]) -> Picture:
    """The weight of each word in three models, each divided by the mean size of its weights."""
    order = np.argsort(np.round(by_model["MNB"], 9), kind="stable")  # equal weights in the order of the words
    fig, ax = figure(width=WIDTH, height=3.5)
    ax.axvline(0, color=GREY, linewidth=1)
    for name, weight in by_model.items():
        scaled = weight / np.abs(weight).mean()
        style = {"color": COLOURS[name], "markersize": 8.5, "alpha": 0.9, "label": CALLED[name]}
        ax.plot(scaled[order], range(len(words)), MARKERS[name], **style)
    ax.set_yticks(range(len(words)), [words[n] for n in order])
    ax.set(
        xlabel="weight, in units of the model's mean |weight|",
        title="Only the plain SVM makes much of “not”",
        ylim=(-0.6, len(words) - 0.4),
    )
    ax.legend(loc="lower right", labelcolor="linecolor", prop={"weight": "bold"})
    return Picture(
        fig,
        "weights",
        alt="Weights of seven words in three models, each in units of its mean absolute weight, sorted by naive Bayes: "
        "bad, film, long and not count against a film, good, great and fun for it. The plain SVM makes not the "
        "heaviest word of all; naive Bayes and NBSVM give it about half of the mean weight.",
    )


def beta(betas: Sequence[float], curves: Mapping[str, Array]) -> Picture:
    """Accuracy of NBSVM against beta, above the better of its two ends. curves : shape (splits, betas)."""
    fig, ax = figure(width=WIDTH, height=4.0)
    ax.axhline(0, color=GREY, linewidth=1)
    ax.axvline(0.25, color=GREY, linewidth=1, linestyle="--")
    ax.annotate("β = ¼", (0.26, 0.02), xycoords=("data", "axes fraction"), color=GREY)
    styles = zip((BLUE, SKY, GREEN, PURPLE, VERMILLION, ORANGE), "os^vDP", strict=True)
    ends = {}
    for (column, values), (colour, marker) in zip(curves.items(), styles, strict=True):
        mean = values.mean(axis=0)
        above = mean - max(mean[0], mean[-1])
        ax.plot(betas, above, marker + "-", color=colour, markersize=6)
        ends[column] = above[-1], colour
    _labels_at_the_end(ax, ends)
    ax.set(
        xlabel="β: 0 is naive Bayes, 1 the SVM on r ∘ f",
        ylabel="points above the better end",
        title="What interpolation adds: on IMDB, β = ¼ beats both ends",
        xlim=(-0.02, 1.27),
        xticks=[0, 0.25, 0.5, 0.75, 1],
    )
    return Picture(
        fig,
        "beta",
        alt="Accuracy of NBSVM against beta, from 0, naive Bayes, to 1, the SVM on weighted words, in points above the "
        "better of the two ends, for six collections. Most curves rise above zero between the ends; "
        "for IMDB the top is at one quarter.",
    )


def _labels_at_the_end(ax: Axes, ends: Mapping[str, tuple[float, str]]) -> None:
    """Names to the right of lines that end at β = 1, moved apart where they would lie on each other."""
    low, high = ax.get_ylim()
    gap, at = 0.062 * (high - low), -np.inf
    for column, (value, colour) in sorted(ends.items(), key=lambda each: each[1][0]):
        at = max(at + gap, value)
        behind = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        ax.annotate(column, (1.03, at), color=colour, fontweight="bold", fontsize=10, va="center", bbox=behind)


def published_and_ours(replication: Replication) -> Picture:
    """Our accuracies minus the published ones, against the bounds within which the paper calls nothing significant."""
    fig, ax = figure(width=WIDTH, height=4.0)
    ax.axvline(0, color=BLACK, linewidth=1)
    for row, column in enumerate(ACCURACY):
        ax.barh(-row, 2 * BOUND[column], 0.8, -BOUND[column], color="#DDDDDD", zorder=1)
        for place, model in enumerate(MODELS):
            name, grams = model.split("-")
            face = COLOURS[name] if grams == "uni" else "white"
            at = -row + 0.3 - 0.12 * place
            ax.plot(
                replication.off(column, model),
                at,
                MARKERS[name],
                color=COLOURS[name],
                markerfacecolor=face,
                markersize=6.5,
                markeredgewidth=1.6,
                zorder=3,
            )
    for name, called in CALLED.items():
        ax.plot([], [], MARKERS[name], color=COLOURS[name], label=called)
        ax.plot([], [], MARKERS[name], color=COLOURS[name], markerfacecolor="white", label="with pairs")
    ax.barh(0, 0, color="#DDDDDD", label="the paper's bound")
    ax.set_yticks(-np.arange(len(ACCURACY)), list(ACCURACY))
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="ours minus published accuracy, points", title="Three of five columns lie within the paper's bounds")
    ax.set_xlim(-3.1, 3.1)
    fig.legend(loc="outside lower center", ncols=4, fontsize=10)
    return Picture(
        fig,
        "published-and-ours",
        alt="For each of five collections, our accuracies of six models minus the published ones, over a bar for the "
        "bound of the paper. All six of IMDB, AthR and XGraph lie within it. Four of BbCrypt lie one and a half to "
        "two points below zero, outside a narrow bar; of the sentences, RT-s, three lie more than a point below.",
    )
