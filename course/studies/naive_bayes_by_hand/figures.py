"""The figures of the note."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle
from numpy.typing import ArrayLike, NDArray

from course.figures import BLACK, BLUE, GREY, VERMILLION, Picture, figure
from course.studies.naive_bayes_by_hand.documents import CLASSES, LABELS, QUESTION, TEXTS, VOCABULARY
from course.studies.naive_bayes_by_hand.posteriors import against_alpha, fitted, on_grid

MODEL_COLOURS = {"multinomial": BLUE, "Bernoulli": VERMILLION}
# Areas and letters of the classes, in a light and a dark shade of green and purple; what is of both is grey.
PALE = {"China": "#BFE3D6", "Japan": "#EBCBDD", "both": "#E6E6E6"}
INK = {"China": "#00674C", "Japan": "#8A3565"}


def two_verdicts() -> Picture:
    """The five documents as rows of words, and what each event model, with alpha = 1, says about the fifth."""
    posterior = {name: float(china[0]) for name, china in against_alpha([1.0]).items()}
    fig, (left, right) = figure(1, 2, height=2.9, width_ratios=(1.45, 1))
    _blank(left, (0, 10.2), (-0.75, 5.2))
    for row, (text, label) in enumerate(zip([*TEXTS, QUESTION], [*LABELS, "?"], strict=True)):
        height = 4.75 - row - 0.35 * (label == "?")
        left.text(0, height, label, va="center", fontweight="bold", color=INK.get(label, BLACK))
        _words(left, text.split(), 1.55, height)
    left.axhline(0.94, color=GREY, linewidth=0.8)
    left.set_title("To which class does the fifth belong?")
    _blank(right, (-0.02, 1.02), (-0.75, 5.2))
    for height, (name, china) in zip((3.2, 0.75), posterior.items(), strict=True):
        right.text(0, height + 0.8, f"{name} model", fontweight="bold", color=MODEL_COLOURS[name])
        right.add_patch(Rectangle((0, height - 0.5), china, 1.0, color=PALE["China"]))
        right.add_patch(Rectangle((china, height - 0.5), 1 - china, 1.0, color=PALE["Japan"]))
        for label, middle, share in zip(CLASSES, (china / 2, (1 + china) / 2), (china, 1 - china), strict=True):
            right.text(middle, height, f"{share:.2f}", ha="center", va="center", color=INK[label], fontweight="bold")
    right.text(0, -0.3, "China", color=INK["China"], fontweight="bold", va="center")
    right.text(1, -0.3, "Japan", color=INK["Japan"], fontweight="bold", ha="right", va="center")
    right.set_title("Two models, two answers")
    return Picture(
        fig,
        "two-verdicts",
        "Left: four training documents as rows of word tiles. Three have the class China (Chinese Beijing Chinese; "
        "Chinese Chinese Shanghai; Chinese Macao), one has the class Japan (Tokyo Japan Chinese). A fifth, Chinese "
        "Chinese Chinese Tokyo Japan, has a question mark. Right: what two models say about the fifth. The multinomial "
        f"model gives China {posterior['multinomial']:.2f}, the Bernoulli model {posterior['Bernoulli']:.2f}.",
    )


def two_stories() -> Picture:
    """How a document about China comes about in each event model, as a story and as a plate diagram.

    The probabilities of the words are those that the models have with alpha = 1.
    """
    beta, phi = (np.exp(fitted(name).feature_log_prob_[0]) for name in MODEL_COLOURS)
    fig, axes = figure(2, 2, height=4.7, height_ratios=(1.2, 1))
    for ax in axes[0]:
        _blank(ax, (0, 6.4), (-0.2, 5.4))
    for ax in axes[1]:
        _blank(ax, (0, 6.4), (0, 4.1), equal=True)
    axes[0, 0].set_title("Multinomial: draw words", color=BLUE)
    axes[0, 1].set_title("Bernoulli: toss coins", color=VERMILLION)
    _draws(axes[0, 0], beta)
    _coins(axes[0, 1], phi)
    _plates(axes[1, 0], observed="w_i", inner="$i = 1, …, N_d$", parameter=r"\beta_j", per_word=False)
    _plates(axes[1, 1], observed="b_n", inner="$n ∈ V$", parameter=r"\phi_{jn}", per_word=True)
    return Picture(
        fig,
        "two-stories",
        "Two columns, for documents about China. Multinomial model: a word is drawn for each place of the document, "
        "always from the same bar, which is divided among the six words by their probabilities; the document "
        "becomes a sequence of words with repetitions. In its plate diagram an arrow leads from the class y to the "
        "word w in a plate that is repeated for each place. Bernoulli model: six coins are tossed, "
        "one for each word of the vocabulary; the document becomes a list of six answers, yes or no. In its "
        "plate diagram an arrow leads from y to b in a plate that is repeated for each word of the vocabulary.",
    )


def contributions(prior: float, multinomial: ArrayLike, bernoulli: ArrayLike) -> Picture:
    """The log odds of China against Japan as a sum: the prior, and a term for each word in each event model."""
    multinomial, bernoulli = np.asarray(multinomial), np.asarray(bernoulli)
    words = QUESTION.split()
    names = ["prior", *(f"{w} ×{words.count(w)}" if w in words else f"{w} (absent)" for w in VOCABULARY), "sum"]
    fig, ax = figure(height=4.3)
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
                    fontsize=9,
                    color=colour,
                    fontweight="bold" if y > len(names) - 1.5 else "normal",
                )
    ax.axvline(0, color=BLACK, linewidth=1)
    ax.axhline(len(names) - 1.37, color=GREY, linewidth=1)
    ax.set_yticks(position, names)
    ax.invert_yaxis()
    ax.grid(visible=False)
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.set_xticks([-1, 1], ["← for Japan", "for China →"])
    ax.set(xlim=(-2.0, 2.5))
    ax.set_title("The models part ways over the word that is repeated")
    ax.legend(loc="upper left", fontsize=10)
    return Picture(
        fig,
        "contributions",
        "Bars of what the prior and each word add to the log odds of China against Japan, in both models. The prior "
        "adds 1.10 in both. Chinese, which occurs three times, adds 1.97 in the multinomial model and 0.18 in the "
        "Bernoulli model. The absence of Beijing, Shanghai and Macao takes away 0.11 each in the Bernoulli model, "
        "nothing in the multinomial model. Tokyo and Japan take away 1.13 each in the multinomial and 1.20 each in "
        "the Bernoulli model. The sums are plus 0.80 and minus 1.44.",
    )


def posterior_against_alpha(low: float, high: float) -> Picture:
    """The posterior of China for the fifth document, against alpha from `low` to `high`."""
    alphas = np.geomspace(low, high, 121)
    curves, at_one = against_alpha(alphas), against_alpha([1.0])
    fig, ax = figure(height=3.8)
    for name, colour in MODEL_COLOURS.items():
        ax.plot(alphas, curves[name], color=colour)
        ax.plot(1, at_one[name], "o", color=colour)
    ax.axhline(0.5, color=GREY, linewidth=1)
    ax.axhline(0.75, color=GREY, linewidth=1, linestyle="--")
    ax.annotate("prior, 3/4", (low, 0.75), xytext=(0, 4), textcoords="offset points", color=GREY)
    ax.annotate("China", (low, 0.5), xytext=(0, 4), textcoords="offset points", color=GREY)
    ax.annotate("Japan", (low, 0.5), xytext=(0, -4), textcoords="offset points", color=GREY, va="top")
    ax.set(xscale="log", ylim=(0, 1), yticks=(0, 0.5, 1), xlabel="smoothing α", ylabel="posterior of China")
    ax.minorticks_off()
    ax.grid(visible=False)
    ax.set_title("Either model gives either verdict, if α is chosen for it")
    ax.annotate("multinomial", (0.5, 0.62), color=BLUE, fontweight="bold", ha="right")
    ax.annotate("Bernoulli", (3.2, 0.33), color=VERMILLION, fontweight="bold")
    return Picture(
        fig,
        "posterior-against-alpha",
        "Posterior of China against the smoothing constant alpha on a logarithmic axis, for both event models. Both "
        "curves lead from zero to the prior of three quarters; the multinomial one crosses one half below alpha one "
        "and overshoots the prior, the Bernoulli one crosses one half above alpha one.",
    )


def line_and_corners(most: int = 5, highest: int = 3) -> Picture:
    """The posterior of China for documents that hold Chinese k times and Tokyo t times, and nothing else."""
    posteriors = on_grid("Chinese", "Tokyo", most, highest)
    fig, axes = figure(1, 2, height=3.2, sharey=True)
    for ax, (name, colour) in zip(axes, MODEL_COLOURS.items(), strict=True):
        ax.set(xlabel="times Chinese", xlim=(-0.5, most + 0.5), ylim=(-0.5, highest + 0.5))
        ax.set_xticks(range(most + 1))
        ax.set_yticks(range(highest + 1))
        ax.grid(visible=False)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        ax.set_title({"multinomial": "multinomial: a line", "Bernoulli": "Bernoulli: four corners"}[name], color=colour)
    axes[0].set_ylabel("times Tokyo")
    for (t, k), china in np.ndenumerate(posteriors["multinomial"]):
        _cell(axes[0], (k - 0.5, t - 0.5, 1, 1), china)
    corners = posteriors["Bernoulli"]
    for (t, k), box in {
        (0, 0): (-0.5, -0.5, 1, 1),
        (0, 1): (0.5, -0.5, most, 1),
        (1, 0): (-0.5, 0.5, 1, highest),
        (1, 1): (0.5, 0.5, most, highest),
    }.items():
        _cell(axes[1], box, corners[t, k])
    k = np.array([-0.5, most + 0.5])
    theta, theta_0 = fitted("multinomial").to_linear().logistic()
    chinese, tokyo = theta[VOCABULARY.index("Chinese")], theta[VOCABULARY.index("Tokyo")]
    axes[0].plot(k, -(theta_0 + chinese * k) / tokyo, color=BLACK, linewidth=1.5)
    axes[1].plot([-0.5, 0.5, 0.5], [0.5, 0.5, highest + 0.5], color=BLACK, linewidth=1.5)
    return Picture(
        fig,
        "line-and-corners",
        "Two grids of documents made of Chinese, 0 to 5 times, and Tokyo, 0 to 3 times, with the posterior of China "
        "in each field. In the multinomial model a rising straight line separates Japan, above it, from China, "
        "below it. The Bernoulli model has only four fields, by whether each word occurs: .88 if neither does, .94 "
        "for Chinese alone, .65 for both, and .49, the only answer for Japan, for Tokyo alone.",
    )


def _blank(ax: Axes, xlim: tuple[float, float], ylim: tuple[float, float], *, equal: bool = False) -> None:
    """Axes to draw on freely."""
    ax.set(xlim=xlim, ylim=ylim)
    ax.set_axis_off()
    if equal:
        ax.set_aspect("equal", anchor="W")


def _cell(ax: Axes, box: tuple[float, float, float, float], china: float) -> None:
    """A field (left, bottom, width, height) in the colour of the more probable class, with the posterior of China."""
    left, bottom, width, height = box
    label = CLASSES[0] if china > 0.5 else CLASSES[1]
    ax.add_patch(Rectangle((left, bottom), width, height, facecolor=PALE[label], edgecolor="white", linewidth=1.5))
    middle = (left + width / 2, bottom + height / 2)
    ground = {"facecolor": PALE[label], "edgecolor": "none", "pad": 1.5}
    number = f"{china:.2f}".lstrip("0")
    ax.text(*middle, number, ha="center", va="center", color=INK[label], fontsize=10, bbox=ground, zorder=3)


def _kind(word: str) -> str:
    """The class whose training documents alone hold the word, or "both"."""
    of = {label for text, label in zip(TEXTS, LABELS, strict=True) if word in text.split()}
    return of.pop() if len(of) == 1 else "both"


def _words(ax: Axes, words: Sequence[str], start: float, height: float, *, size: float = 9, scale: float = 1.0) -> None:
    """Words as a row of tiles, each in the colour of the class whose training documents alone hold it."""
    for word in words:
        width = scale * (0.55 + 0.155 * len(word))
        shape = "round,pad=0,rounding_size=0.12"
        tile = FancyBboxPatch((start, height - 0.33), width, 0.66, boxstyle=shape, color=PALE[_kind(word)])
        ax.add_patch(tile)
        ax.text(start + width / 2, height - 0.02, word, ha="center", va="center", fontsize=size)
        start += width + 0.14


def _draws(ax: Axes, beta: NDArray[np.float64]) -> None:
    """The multinomial story: a bar divided by the probabilities, and a document of four draws from it."""
    ax.text(0, 5.0, "For each place, draw a word:", va="center", fontsize=10)
    left = 0.1
    for word, share in zip(VOCABULARY, beta, strict=True):
        width, colour = 6 * share, PALE[_kind(word)]
        ax.add_patch(Rectangle((left, 3.2), width, 1.0, facecolor=colour, edgecolor="white", linewidth=1.5))
        below = 2.75 if word != VOCABULARY[-1] else 2.25  # the last two are narrow
        ax.text(left + width / 2, below, word, ha="center", va="center", fontsize=7.5)
        left += width
    ax.text(0, 1.1, "The document is a sequence:", va="center", fontsize=10)
    _words(ax, ("Chinese", "Macao", "Chinese", "Beijing"), 0.1, 0.2, size=8.5, scale=0.82)


def _coins(ax: Axes, phi: NDArray[np.float64]) -> None:
    """The Bernoulli story: a coin for each word, and the six answers."""
    ax.text(0, 5.0, "For each word, toss its coin:", va="center", fontsize=10)
    answers = (True, True, False, True, False, False)
    for n, (word, share, present) in enumerate(zip(VOCABULARY, phi, answers, strict=True)):
        left = 0.1 + n
        ax.add_patch(Rectangle((left, 3.2), 0.8, 1.3 * share, color=PALE[_kind(word)]))
        ax.add_patch(Rectangle((left, 3.2), 0.8, 1.3, fill=False, edgecolor=GREY, linewidth=0.8))
        ax.text(left + 0.4, 2.75, word, ha="center", va="center", fontsize=7.5)
        weight, colour = ("bold", BLACK) if present else ("normal", GREY)
        answer = "yes" if present else "no"
        ax.text(left + 0.4, 0.2, answer, ha="center", va="center", fontsize=9, fontweight=weight, color=colour)
    ax.text(0, 1.1, "The document is a list of answers:", va="center", fontsize=10)


def _plates(ax: Axes, *, observed: str, inner: str, parameter: str, per_word: bool) -> None:
    """A plate diagram: what is repeated stands in a frame with its index; what is observed is grey.

    per_word : the parameter has the index of the inner plate too, so that this plate reaches up to it
    """
    ax.text(0, 3.85, "As a diagram:", va="center", fontsize=10)
    _frame(ax, (1.15, 0.05, 4.4, 2.25), "$d = 1, …, M$", "left")
    _frame(ax, (3.1, 0.4, 2.25, 3.6 if per_word else 1.72), inner, "right")
    _frame(ax, (3.3, 2.55, 1.85, 1.3), "$j$", "right")
    _node(ax, (0.5, 1.35), r"$\pi$", "white")
    _node(ax, (2.0, 1.35), "$y$", PALE["both"])
    _node(ax, (4.0, 1.35), f"${observed}$", PALE["both"])
    _node(ax, (4.0, 3.25), f"${parameter}$", "white")
    for start, end in (((0.9, 1.35), (1.6, 1.35)), ((2.4, 1.35), (3.6, 1.35)), ((4.0, 2.85), (4.0, 1.75))):
        ax.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": BLACK, "shrinkA": 0, "shrinkB": 0})


def _frame(ax: Axes, box: tuple[float, float, float, float], index: str, side: str) -> None:
    """A plate: left, bottom, width, height, and its index in a lower corner."""
    left, bottom, width, height = box
    ax.add_patch(Rectangle((left, bottom), width, height, fill=False, edgecolor=GREY, linewidth=0.9))
    x = left + 0.08 if side == "left" else left + width - 0.08
    ax.text(x, bottom + 0.06, index, ha=side, va="bottom", fontsize=8, color=GREY)


def _node(ax: Axes, centre: tuple[float, float], name: str, colour: str) -> None:
    """A variable of a plate diagram."""
    ax.add_patch(Circle(centre, 0.4, facecolor=colour, edgecolor=BLACK, linewidth=0.9))
    ax.text(*centre, name, ha="center", va="center", fontsize=11)
