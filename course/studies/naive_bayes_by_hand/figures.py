"""The figures of the note."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from course.figures import BLACK, BLUE, GREY, VERMILLION, Picture, figure
from course.studies.naive_bayes_by_hand.documents import CLASSES, LABELS, QUESTION, TEXTS, VOCABULARY
from course.studies.naive_bayes_by_hand.posteriors import against_alpha, fitted, on_grid

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
    """How a document of the class China comes about in each event model.

    The probabilities of the words are those that the models have with alpha = 1.
    """
    beta, phi = (np.exp(fitted(name).feature_log_prob_[0]) for name in MODEL_COLOURS)
    fig, axes = figure(2, 1, width=WIDTH, height=3.4)
    for ax in axes:
        _blank(ax, (0, WIDTH), (-0.3, 2.1))
    axes[0].set_title("Multinomial: draw word after word from one bar", color=BLUE)
    axes[1].set_title("Bernoulli: toss one coin for each word", color=VERMILLION)
    _draws(axes[0], beta)
    _coins(axes[1], phi)
    return Picture(
        fig,
        "two-stories",
        "How a document of the class China is written. Multinomial model: a bar is divided among the six words by "
        "their probabilities, and each word of the document is drawn from it; here Chinese, Macao, Chinese, "
        "Beijing. Bernoulli model: six boxes, one for each word of the vocabulary, are filled to the probability "
        "that the document contains the word; here the coins give yes for Chinese, Beijing and Macao, no for "
        "Shanghai, Tokyo and Japan.",
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


def straight_line(most: int = 5, highest: int = 3) -> Picture:
    """The multinomial answer for documents that hold Chinese k times, Tokyo t times, and nothing else."""
    china = on_grid("Chinese", "Tokyo", most, highest)["multinomial"] > 0.5
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
        "separates those that the multinomial model assigns to Japan, above it, from those of China, below it.",
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


def _draws(ax: Axes, beta: NDArray[np.float64]) -> None:
    """The multinomial story: a bar divided by the probabilities, and a document of four draws from it."""
    left = 0.0
    for word, share in zip(VOCABULARY, beta, strict=True):
        width = WIDTH * share
        ax.add_patch(Rectangle((left, 1.15), width, 0.9, facecolor=PALE[_kind(word)], edgecolor="white", linewidth=1.5))
        turned = 90 if share < 0.1 else 0  # narrow parts have their words upright
        style = {"ha": "center", "va": "center", "fontsize": 9.5, "fontstyle": "italic"}
        ax.text(left + width / 2, 1.59, word, rotation=turned, **style)
        left += width
    ax.text(0, 0.45, "document:", va="center")
    _words(ax, ("Chinese", "Macao", "Chinese", "Beijing"), 1.0, 0.45)


def _coins(ax: Axes, phi: NDArray[np.float64]) -> None:
    """The Bernoulli story: a coin for each word, and the six answers."""
    answers = (True, True, False, True, False, False)
    pitch = WIDTH / len(VOCABULARY)
    for n, (word, share, present) in enumerate(zip(VOCABULARY, phi, answers, strict=True)):
        left = n * pitch + 0.08
        ax.add_patch(Rectangle((left, 1.15), pitch - 0.16, 0.9 * share, color=PALE[_kind(word)]))
        ax.add_patch(Rectangle((left, 1.15), pitch - 0.16, 0.9, fill=False, edgecolor=GREY, linewidth=0.8))
        middle = (n + 0.5) * pitch
        ax.text(middle, 0.82, word, ha="center", va="center", fontsize=9.5, fontstyle="italic")
        weight, colour = ("bold", BLACK) if present else ("normal", GREY)
        answer = "yes" if present else "no"
        ax.text(middle, 0.3, answer, ha="center", va="center", fontweight=weight, color=colour)
