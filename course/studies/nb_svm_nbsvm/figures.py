"""The figures of the note on naive Bayes, the SVM and NBSVM, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, VERMILLION, Picture, figure
from course.studies.nb_svm_nbsvm.lengths import ALL_SENTENCES, UNITS, WHOLE, Contest, Contests
from course.studies.nb_svm_nbsvm.published import ACCURACY, BOUND, MODELS
from course.studies.nb_svm_nbsvm.replication import Replication

Array = NDArray[np.float64]
PALE = "#9A9A9A"
COLOURS = {"MNB": BLUE, "SVM": VERMILLION, "NBSVM": GREEN}
MARKERS = {"MNB": "o", "SVM": "s", "NBSVM": "D"}
CALLED = {"MNB": "naive Bayes", "SVM": "SVM", "NBSVM": "NBSVM"}
DESCRIBED = {
    "IMDB": "film reviews (IMDB)",
    "RT-s": "film sentences (RT-s)",
    "AthR": "atheism / religion (AthR)",
    "XGraph": "X / graphics (XGraph)",
    "BbCrypt": "baseball / crypt (BbCrypt)",
}
SENTENCES_IN_NINE_FOLDS = 7677  # of 8,530
WIDTH = 7.2  # in inches: on a phone the letters are still legible


def who_leads(contests: Contests, train: int) -> Picture:
    """Accuracy of naive Bayes and of NBSVM minus that of the SVM, all tuned, against the length of the texts.

    train : training texts of all contests but the two largest
    """
    fig, axes = figure(2, 3, width=WIDTH, height=5.9, sharey=True)
    by_length = [column for column in contests if column not in ("RT-s", ALL_SENTENCES)]
    for ax, column in zip([*axes[0, :2], *axes[1]], by_length, strict=True):
        few = column in UNITS
        number = f"{train:,} {UNITS[column]}" if few else "25,000 reviews"
        ticks = ["whole" if length is WHOLE else str(length) for length in contests[column]]
        _leads(ax, list(contests[column].values()), ticks)
        ax.set_title(f"{DESCRIBED[column if few else 'IMDB']}\n{number}", fontsize=10.5)
    sentences = axes[0, 2]
    fewest, most = contests["RT-s"][WHOLE], contests[ALL_SENTENCES][WHOLE]
    _leads(sentences, [fewest, most], [f"{train:,}", f"{SENTENCES_IN_NINE_FOLDS:,}"], joined=False)
    sentences.set_title(f"{DESCRIBED['RT-s']}\ntwo sizes", fontsize=10.5)
    sentences.set_xlabel("training sentences (whole)", fontsize=10)
    for name, height in (("MNB", 8.6), ("NBSVM", 6.9)):
        sentences.annotate(CALLED[name], (0.02, height), color=COLOURS[name], fontweight="bold", va="center")
    sentences.annotate("SVM", (1.42, -0.25), color=VERMILLION, fontweight="bold", va="top", ha="right")
    for ax in (*axes[0, :2], *axes[1]):
        ax.set_xlabel("words of each text", fontsize=10)
    for ax in axes[:, 0]:
        ax.set_ylabel("points above the SVM")
    fig.suptitle(
        "The SVM clearly leads naive Bayes only on many long reviews",
        x=0.01,
        ha="left",
        fontweight="bold",
        fontsize=12.5,
    )
    return Picture(
        fig,
        "who-leads",
        alt="Six panels: accuracy of tuned naive Bayes and tuned NBSVM minus that of a tuned SVM, with intervals. "
        "Five panels are against the length of the texts, from 20 words to whole texts. With 25,000 IMDB reviews naive "
        "Bayes is level at 20 words and more than four points below the SVM on whole reviews, where NBSVM is above it. "
        "With 700 reviews naive Bayes is level or ahead at every length. On the three pairs of newsgroups, with 700 "
        "posts, naive Bayes and NBSVM are ahead at every length by several points. The sixth panel, film sentences, is "
        "against their number: both are one to two points ahead, with 700 of them within wide intervals, with 7,677 "
        "within narrow ones.",
    )


def _leads(ax: Axes, contests: Sequence[Contest], ticks: Sequence[str], *, joined: bool = True) -> None:
    """What naive Bayes and NBSVM are above the SVM in some contests, one at each tick."""
    ax.axhline(0, color=VERMILLION, linewidth=1.6)
    for name, shift in (("MNB", -0.09), ("NBSVM", 0.09)):
        mean, half = np.transpose([contest.lead(name, "SVM") for contest in contests])
        line = "-" if joined else ""
        at = np.arange(len(ticks)) + shift
        ax.errorbar(at, mean, half, color=COLOURS[name], marker=MARKERS[name], linestyle=line, capsize=3, markersize=6)
    ax.set_xticks(range(len(ticks)), ticks)
    ax.set_xlim(-0.45, len(ticks) - 0.55)


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
        title="Only the plain SVM gives “not” a large weight",
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
    coloured = {"IMDB": (VERMILLION, "D", "-"), "IMDB, pairs": (BLUE, "o", "-")}
    others = iter(zip("s^vP", ("-", "--", ":", "-."), strict=True))
    for column, values in curves.items():
        colour, marker, line = coloured.get(column) or (PALE, *next(others))
        mean = values.mean(axis=0)
        above = mean - max(mean[0], mean[-1])
        order = 3 if column in coloured else 2
        label = {"IMDB": "IMDB, single words", "IMDB, pairs": "IMDB, with pairs"}.get(column, column)
        ax.plot(betas, above, line, marker=marker, color=colour, markersize=6, zorder=order, label=label)
    ax.set(
        xlabel="β: 0 is naive Bayes, 1 the SVM on r ∘ f",
        ylabel="points above the better end",
        title="On IMDB, β = ¼ is better than both ends",
        xlim=(-0.02, 1.02),
        xticks=[0, 0.25, 0.5, 0.75, 1],
    )
    handles, labels = ax.get_legend_handles_labels()
    first = sorted(range(len(labels)), key=lambda k: not labels[k].startswith("IMDB"))
    ax.legend([handles[k] for k in first], [labels[k] for k in first], loc="lower right", ncols=2, handlelength=3)
    return Picture(
        fig,
        "beta",
        alt="Accuracy of NBSVM against beta, from 0, naive Bayes, to 1, the SVM on weighted words, in points above the "
        "better of the two ends. For IMDB, with words and with pairs of words, the curves rise above zero with the top "
        "at one quarter. The four other collections, in grey, show no significant gain there.",
    )


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
