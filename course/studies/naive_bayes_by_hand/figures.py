"""The figures of the note."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle
from numpy.typing import ArrayLike, NDArray

from course.figures import BLACK, BLUE, GREY, VERMILLION, Picture, figure
from course.studies.naive_bayes_by_hand.documents import CLASSES, LABELS, QUESTION, TEXTS, VOCABULARY
from course.studies.naive_bayes_by_hand.posteriors import against_alpha, fitted, of_copies, on_grid, with_companions

WIDTH = 5.2  # inches: narrow, so that the letters can be read on a telephone
MODEL_COLOURS = {"multinomial": BLUE, "Bernoulli": VERMILLION}
# Areas and letters of the classes, in a light and a dark shade of green and purple; what is of both is grey.
PALE = {"China": "#BFE3D6", "Japan": "#EBCBDD", "both": "#E6E6E6"}
INK = {"China": "#00674C", "Japan": "#8A3565"}


def two_verdicts() -> Picture:
    """The five documents as rows of words, and what each event model, with alpha = 1, says about the fifth."""
    posterior = {name: float(china[0]) for name, china in against_alpha([1.0]).items()}
    fig, (top, bottom) = figure(2, 1, width=WIDTH, height=3.8, height_ratios=(2.3, 1))
    _blank(top, (0, WIDTH), (-0.4, 4.6))
    for row, (text, label) in enumerate(zip([*TEXTS, QUESTION], [*LABELS, "?"], strict=True)):
        height = 4.1 - row - 0.2 * (label == "?")
        top.text(0, height, label, va="center", fontweight="bold", color=INK.get(label, BLACK))
        _words(top, text.split(), 0.8, height)
    top.axhline(0.5, color=GREY, linewidth=0.8)
    top.set_title("Two models disagree about the fifth document")
    _blank(bottom, (0, WIDTH), (-0.1, 2.9))
    left, width = 1.2, WIDTH - 1.25
    for height, (name, china) in zip((1.1, 0.0), posterior.items(), strict=True):
        bottom.text(0, height + 0.4, name, va="center", fontweight="bold", color=MODEL_COLOURS[name])
        ends = (left, left + china * width, left + width)
        for label, start, end, share in zip(CLASSES, ends[:-1], ends[1:], (china, 1 - china), strict=True):
            bottom.add_patch(Rectangle((start, height), end - start, 0.8, color=PALE[label]))
            style = {"ha": "center", "va": "center", "color": INK[label], "fontweight": "bold"}
            bottom.text((start + end) / 2, height + 0.37, f"{share:.2f}", **style)
    bottom.text(left, 2.2, "China", va="center", color=INK["China"], fontweight="bold")
    bottom.text(left + width, 2.2, "Japan", ha="right", va="center", color=INK["Japan"], fontweight="bold")
    return Picture(
        fig,
        "two-verdicts",
        "Top: four training documents as rows of word tiles. Three have the class China (Chinese Beijing Chinese; "
        "Chinese Chinese Shanghai; Chinese Macao), one has the class Japan (Tokyo Japan Chinese). A fifth, Chinese "
        "Chinese Chinese Tokyo Japan, has a question mark. Bottom: what two models say about it. The multinomial "
        f"model gives China {posterior['multinomial']:.2f}, the Bernoulli model {posterior['Bernoulli']:.2f}.",
    )


def two_stories() -> Picture:
    """How a document of the class China comes about in each event model: as a plate diagram, and as an example of it.

    The probabilities of the words are those that the models have with alpha = 1.
    """
    beta, phi = (np.exp(fitted(name).feature_log_prob_[0]) for name in MODEL_COLOURS)
    fig, axes = figure(2, 2, width=7.2, height=5.3, height_ratios=(1, 1.35))
    for ax, top in zip(axes.flat, (1.85, 1.85, 2.5, 2.5), strict=True):
        _blank(ax, (0, 3.5), (0, top))
    axes[0, 0].set_title("Multinomial: for each position,\ndraw a word", color=BLUE)
    axes[0, 1].set_title("Bernoulli: for each word of the\nvocabulary, toss a coin", color=VERMILLION)
    _plates(axes[0, 0], "$w_{di}$", r"$\beta_j$")
    _plates(axes[0, 1], "$b_{dn}$", r"$\phi_{jn}$")
    _draws(axes[1, 0], beta)
    _coins(axes[1, 1], phi)
    return Picture(
        fig,
        "two-stories",
        "Two plate diagrams, and below each a document of the class China that is written in this way. Left, the "
        "multinomial model: pi points to the class y of a document, y and beta point to the word w, which lies in a "
        "plate of positions within the plate of documents; beta lies in a plate of classes. Below, a column is divided "
        "among the six words by their probabilities, and four positions are filled from it: Chinese, Macao, Chinese, "
        "Beijing. Right, the Bernoulli model: y and phi point to the indicator b, which lies where the plate of "
        "documents and the plate of words overlap; phi lies in the plate of words and in one of classes. Below, six "
        "boxes, one for each word of the vocabulary, are filled to the probability that the document contains the "
        "word; here the coins give yes for Chinese, Beijing and Macao, no for Shanghai, Tokyo and Japan.",
    )


def contributions(prior: float, multinomial: ArrayLike, bernoulli: ArrayLike) -> Picture:
    """The log odds of China against Japan as a sum: the prior, and a term for each word in each event model."""
    multinomial, bernoulli = np.asarray(multinomial), np.asarray(bernoulli)
    words = QUESTION.split()
    counts = [f"×{words.count(word)}" if word in words else "absent" for word in VOCABULARY]
    names = ["prior", *(f"{_italic(w)} {count}" for w, count in zip(VOCABULARY, counts, strict=True)), "sum"]
    fig, ax = figure(width=WIDTH, height=4.1)
    position = np.arange(len(names), dtype=float)
    position[-1] += 0.25
    for (name, colour), terms, shift in zip(MODEL_COLOURS.items(), (multinomial, bernoulli), (-0.2, 0.2), strict=True):
        values = np.array([prior, *terms, prior + terms.sum()])
        ax.barh(position + shift, values, 0.38, color=colour, label=name)
        for y, value in zip(position + shift, values, strict=True):
            if value:
                side = 1 if value > 0 else -1
                ax.annotate(
                    f"{value:+.2f}".replace("-", "−"),
                    (value, y),
                    xytext=(4 * side, 0),
                    textcoords="offset points",
                    va="center",
                    ha="left" if side > 0 else "right",
                    fontsize=10,
                    color=colour,
                    fontweight="bold" if y > len(names) - 1.5 else "normal",
                )
    for occurrence in (1, 2):  # the bar of Chinese has a part for each of its three occurrences
        ax.plot([multinomial[0] * occurrence / 3] * 2, [0.61, 0.99], color="white", linewidth=2)
    ax.axvline(0, color=BLACK, linewidth=1)
    ax.axhline(len(names) - 1.37, color=GREY, linewidth=1)
    ax.set_yticks(position, names)
    ax.invert_yaxis()
    ax.grid(visible=False)
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.set_xticks([-1, 1.2], ["← for Japan", "for China →"], fontweight="bold")
    for tick, label in zip(ax.get_xticklabels(), reversed(CLASSES), strict=True):
        tick.set_color(INK[label])
    ax.set(xlim=(-2.35, 2.7))
    ax.text(2.7, 4.0, "multinomial", color=BLUE, fontweight="bold", ha="right", va="center")
    ax.text(2.7, 4.5, "Bernoulli", color=VERMILLION, fontweight="bold", ha="right", va="center")
    fig.suptitle("The models differ most over the repeated word", x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    return Picture(
        fig,
        "contributions",
        "Bars of what the prior and each word add to the log odds of China against Japan, in both models. The prior "
        "adds 1.10 in both. Chinese, which occurs three times, adds 1.97 in the multinomial model, in three equal "
        "parts, and 0.18 in the Bernoulli model. The absence of Beijing, Shanghai and Macao takes away 0.11 each in "
        "the Bernoulli model, nothing in the multinomial model. Tokyo and Japan take away 1.13 each in the "
        "multinomial and 1.20 each in the Bernoulli model. The sums are plus 0.80 and minus 1.44.",
    )


def posterior_against_alpha(low: float, high: float) -> Picture:
    """The posterior of China for the fifth document, against alpha from `low` to `high`."""
    alphas = np.geomspace(low, high, 121)
    curves, at_one = against_alpha(alphas), against_alpha([1.0])
    fig, ax = figure(width=WIDTH, height=3.4)
    for name, colour in MODEL_COLOURS.items():
        ax.plot(alphas, curves[name], color=colour)
        ax.plot(1, at_one[name], "o", color=colour)
    ax.axhline(0.5, color=GREY, linewidth=1)
    ax.axhline(0.75, color=GREY, linewidth=1, linestyle="--")
    ax.annotate("prior, 3/4", (low, 0.75), xytext=(0, 4), textcoords="offset points", color=GREY)
    for label, up in zip(CLASSES, (4, -4), strict=True):
        style = {"color": INK[label], "fontweight": "bold", "va": "bottom" if up > 0 else "top"}
        ax.annotate(label, (low, 0.5), xytext=(0, up), textcoords="offset points", **style)
    ax.set(xscale="log", ylim=(0, 1), yticks=(0, 0.5, 1), xlabel="smoothing α", ylabel=r"posterior of $\bf{China}$")
    ax.minorticks_off()
    ax.grid(visible=False)
    ax.set_title("Both verdicts depend on the smoothing α")
    ax.annotate("multinomial", (0.5, 0.62), color=BLUE, fontweight="bold", ha="right")
    ax.annotate("Bernoulli", (3.2, 0.33), color=VERMILLION, fontweight="bold")
    return Picture(
        fig,
        "posterior-against-alpha",
        "Posterior of China against the smoothing constant alpha on a logarithmic axis, for both event models. Both "
        "curves lead from zero to the prior of three quarters; the multinomial one crosses one half below alpha one "
        "and overshoots the prior, the Bernoulli one crosses one half above alpha one.",
    )


def counted_twice(copies: int = 20, companions: int = 5) -> Picture:
    """The posterior of China as the fifth document is copied, and as more and more words accompany Tokyo."""
    fig, axes = figure(1, 2, width=7.2, height=3.3, sharey=True)
    ks = (range(1, copies + 1), range(companions + 1))
    for ax, each, curves in zip(axes, ks, (of_copies(ks[0]), with_companions("Tokyo", ks[1])), strict=True):
        for name, colour in MODEL_COLOURS.items():
            ax.plot(each, curves[name], "o-", color=colour, markersize=4.5, linewidth=1.2)
        ax.axhline(0.5, color=GREY, linewidth=1)
        ax.grid(visible=False)
    axes[0].set(ylim=(0, 1), yticks=(0, 0.5, 1), ylabel=r"posterior of $\bf{China}$")
    axes[0].set(xlabel="copies of the fifth document", xticks=(1, 5, 10, 15, 20))
    axes[1].set(xlabel=f"words that always come with {_italic('Tokyo')}")
    axes[0].annotate("multinomial", (2.6, 0.61), color=BLUE, fontweight="bold")
    axes[0].annotate("Bernoulli", (20, 0.22), color=VERMILLION, fontweight="bold", ha="right")
    axes[0].set_title("the same text again", fontsize=11)
    axes[1].set_title("words that go together", fontsize=11)
    fig.suptitle(
        "Nothing new is said, and the posterior still moves", x=0.01, ha="left", fontsize=12.5, fontweight="bold"
    )
    return Picture(
        fig,
        "counted-twice",
        "Posterior of China in both models. Left, against the number of copies of the fifth document: the multinomial "
        "posterior falls from 0.69 to nearly zero at 20 copies, the Bernoulli posterior stays at 0.19. Right, against "
        "the number of words that always come with Tokyo, from none to five: the multinomial posterior falls from "
        "0.69 to 0.39, the Bernoulli posterior from 0.19 to nearly zero.",
    )


def straight_line(most: int = 5, highest: int = 3) -> Picture:
    """The multinomial answer for documents that hold Chinese k times, Tokyo t times, and nothing else."""
    posterior = on_grid("Chinese", "Tokyo", most, highest)["multinomial"]
    china = posterior > 0.5
    theta, theta_0 = fitted("multinomial").to_linear().logistic()
    chinese, tokyo = theta[VOCABULARY.index("Chinese")], theta[VOCABULARY.index("Tokyo")]
    k = np.array([-0.5, most + 0.5])
    undecided = -(theta_0 + chinese * k) / tokyo
    fig, ax = figure(width=WIDTH, height=2.7)
    ax.plot(k, undecided, color=BLACK, linewidth=1.5)
    for label, edge, of, at in zip(CLASSES, (-0.5, 9), (china, ~china), ((4.5, 1.5), (0.5, 2.5)), strict=True):
        ax.fill_between(k, undecided, edge, color=PALE[label], linewidth=0)
        ax.plot(*np.nonzero(of)[::-1], "o", color=INK[label])
        ax.text(*at, label, ha="center", va="center", color=INK[label], fontweight="bold")
    # The one document so close to the line that the eye cannot tell its side.
    ax.annotate(f"{posterior[1, 0]:.3f}", (0, 1), (7, -13), textcoords="offset points", color=INK["Japan"], fontsize=10)
    ax.set(xlim=(-0.5, most + 0.5), ylim=(-0.5, highest + 0.5), xticks=range(most + 1), yticks=range(highest + 1))
    ax.set(xlabel=f"occurrences of {_italic('Chinese')}", ylabel=f"occurrences of {_italic('Tokyo')}")
    ax.grid(visible=False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title("A straight line separates the answers")
    return Picture(
        fig,
        "straight-line",
        "Documents made of Chinese, 0 to 5 times, and Tokyo, 0 to 3 times, as dots of a grid. A rising straight line "
        "separates those that the multinomial model assigns to Japan, above it, from those of China, below it. Tokyo "
        f"alone is just above it: China has {posterior[1, 0]:.3f}.",
    )


def _blank(ax: Axes, xlim: tuple[float, float], ylim: tuple[float, float]) -> None:
    """Axes to draw on freely."""
    ax.set(xlim=xlim, ylim=ylim)
    ax.set_axis_off()


def _italic(word: str) -> str:
    """A word of a document, in the type that tells it from the name of a class."""
    return rf"$\it{{{word}}}$"


def _kind(word: str) -> str:
    """The class whose training documents alone hold the word, or "both"."""
    of = {label for text, label in zip(TEXTS, LABELS, strict=True) if word in text.split()}
    return of.pop() if len(of) == 1 else "both"


def _words(ax: Axes, words: Sequence[str], start: float, height: float) -> None:
    """Words as a row of tiles, each in the colour of the class whose training documents alone hold it."""
    for word in words:
        width = 0.2 + 0.081 * len(word)
        ax.add_patch(Rectangle((start, height - 0.36), width, 0.72, color=PALE[_kind(word)]))
        ax.text(start + width / 2, height - 0.02, word, ha="center", va="center", fontsize=10, fontstyle="italic")
        start += width + 0.08


def _plates(ax: Axes, event: str, parameter: str) -> None:
    """A plate diagram: prior, class of the document, event and its parameter. A box repeats what lies in it."""
    by_word = "n" in event
    at = {r"$\pi$": 0.3, "$y_d$": 1.14, event: 1.98, parameter: 2.98}
    level, radius = 1.15, 0.26
    plates = [((0.72, 0.05, 1.68, 1.75), "documents $d$")]
    if by_word:
        plates += [((1.56, 0.33, 1.9, 1.38), "words $n$"), ((2.57, 0.61, 0.8, 1.01), "classes $j$")]
    else:
        plates += [((1.52, 0.33, 0.8, 1.38), "positions $i$"), ((2.57, 0.33, 0.8, 1.38), "classes $j$")]
    for (left, bottom, width, height), name in plates:
        ax.add_patch(Rectangle((left, bottom), width, height, fill=False, edgecolor=GREY, linewidth=1))
        right = "words" in name  # its lower left corner lies in another plate
        x, side = (left + width - 0.05, "right") if right else (left + 0.05, "left")
        ax.text(x, bottom + 0.04, name, ha=side, va="bottom", fontsize=8.5, color=GREY)
    for name, x in at.items():
        seen = name in ("$y_d$", event)
        ground = PALE["both"] if seen else "white"
        ax.add_patch(Circle((x, level), radius, facecolor=ground, edgecolor=BLACK, linewidth=1.2, zorder=3))
        ax.text(x, level - 0.01, name, ha="center", va="center", fontsize=12, zorder=4)
    for tail, head in ((r"$\pi$", "$y_d$"), ("$y_d$", event), (parameter, event)):
        way = radius if at[head] > at[tail] else -radius
        arrow = {"arrowstyle": "-|>", "color": BLACK, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", (at[head] - way, level), (at[tail] + way, level), arrowprops=arrow, zorder=5)
    ax.set_aspect("equal")


def _draws(ax: Axes, beta: NDArray[np.float64]) -> None:
    """The multinomial story: a column divided by the probabilities, and a document of four draws from it."""
    low, height, width = 0.05, 2.35, 1.15
    style = {"ha": "center", "va": "center", "fontsize": 9, "fontstyle": "italic"}
    bottom = low + height
    for word, share in zip(VOCABULARY, beta, strict=True):
        bottom -= height * share
        segment = Rectangle((0.05, bottom), width, height * share, edgecolor="white", linewidth=1.5)
        segment.set_facecolor(PALE[_kind(word)])
        ax.add_patch(segment)
        ax.text(0.05 + width / 2, bottom + height * share / 2 - 0.01, word, **style)
    for position, word in enumerate(("Chinese", "Macao", "Chinese", "Beijing")):
        middle = 2.0 - 0.55 * position
        ax.text(1.95, middle, f"$i = {position + 1}$", ha="center", va="center", fontsize=10)
        ax.add_patch(Rectangle((2.35, middle - 0.19), 1.0, 0.38, color=PALE[_kind(word)]))
        ax.text(2.85, middle - 0.01, word, **style | {"fontsize": 10})
    ax.annotate("", (1.62, 1.2), (1.28, 1.2), arrowprops={"arrowstyle": "-|>", "color": BLACK, "linewidth": 1.2})


def _coins(ax: Axes, phi: NDArray[np.float64]) -> None:
    """The Bernoulli story: a coin for each word, and the six answers."""
    answers = (True, True, False, True, False, False)
    pitch, left, width = 2.4 / len(VOCABULARY), 0.95, 1.5
    for n, (word, share, present) in enumerate(zip(VOCABULARY, phi, answers, strict=True)):
        middle = 2.4 - (n + 0.5) * pitch
        ax.text(0.85, middle, word, ha="right", va="center", fontsize=10, fontstyle="italic")
        ax.add_patch(Rectangle((left, middle - 0.13), width * share, 0.26, color=PALE[_kind(word)]))
        ax.add_patch(Rectangle((left, middle - 0.13), width, 0.26, fill=False, edgecolor=GREY, linewidth=0.8))
        weight, colour = ("bold", BLACK) if present else ("normal", GREY)
        answer = "yes" if present else "no"
        ax.text(2.85, middle, answer, ha="center", va="center", fontweight=weight, color=colour)
