"""The figures of the note."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Picture, figure
from course.studies.smoothing.judges import Judged
from course.studies.smoothing.margins import Margins

Array = NDArray[np.float64]
LIGHT = "#BDBDBD"


def three_judges(alphas: Sequence[float], accuracy: Array, log_loss: Array, evidence: Array, best: float) -> Picture:
    """Accuracy, log loss and evidence against alpha. best : the alpha of the largest evidence."""
    fig, axes = figure(1, 3, height=3.3)
    judges = (
        ("accuracy", accuracy, VERMILLION, "Accuracy: flat\nfrom 0.01 to 0.3", None),
        ("log loss of the class", log_loss, GREEN, "Log loss\nwants {:.2g}", alphas[int(np.argmin(log_loss))]),
        ("log evidence per word", evidence, BLUE, "Evidence\nwants {:.2g}", best),
    )
    for ax, (label, values, colour, title, peak) in zip(axes, judges, strict=True):
        ax.axvspan(0.01, 0.3, color=LIGHT, alpha=0.3, linewidth=0)
        ax.plot(alphas, values, color=colour, marker="o", markersize=4)
        ax.set(xscale="log", xlabel="smoothing α", xticks=(0.001, 0.03, 1))
        ax.set_xticklabels(["0.001", "0.03", "1"])
        ax.set_ylabel(label)
        ax.set_title(title.format(peak) if peak else title, color=colour)
        if peak:
            ax.axvline(peak, color=colour, linestyle="--", linewidth=1.3)
    axes[0].set_ylim(0.5, 0.9)
    band = (np.array(alphas) >= 0.01) & (np.array(alphas) <= 0.3)
    return Picture(
        fig,
        "three-judges",
        "Three curves against the smoothing alpha on a logarithmic axis, for naive Bayes on 20 Newsgroups, with the "
        f"range from 0.01 to 0.3 shaded. Accuracy stays between {accuracy[band].min():.3f} and "
        f"{accuracy[band].max():.3f} there and falls for larger alpha. The log loss falls from "
        f"{log_loss[band][0]:.1f} to {log_loss[band].min():.1f} within that range and rises beyond it. The log "
        f"evidence per word has its maximum at {best:.2g}.",
    )


def china_by_hand(words: Sequence[str], counts: Sequence[int], alphas: Sequence[float]) -> Picture:
    """The estimates of one class, drawn from the relative frequencies towards the uniform distribution."""
    N = np.array(counts, dtype=np.float64)
    fig, ax = figure(height=3.2)
    place = np.arange(len(words))
    ax.axhline(1 / len(words), color=GREY, linewidth=1.2)
    ax.text(len(words) - 0.45, 1 / len(words) + 0.012, "prior", ha="right", color=GREY, fontsize=10)
    colours = (BLACK, VERMILLION, BLUE, GREEN)
    for k, (alpha, colour) in enumerate(zip((0, *alphas), colours, strict=True)):
        values = (N + alpha) / (N.sum() + alpha * len(N))
        shift = (k - 1.5) * 0.17
        ax.vlines(place + shift, 0, values, color=colour, linewidth=7, alpha=0.85)
        label = "relative frequency" if alpha == 0 else f"α = {alpha:g}"
        ax.plot([], [], color=colour, linewidth=7, label=label)
    ax.set_xticks(place, words, style="italic")
    ax.set(ylabel=r"probability in $\bf{China}$", ylim=(0, 0.68))
    ax.grid(axis="x", visible=False)
    ax.tick_params(axis="x", length=0)
    ax.set_title("The larger α, the closer all words come to the prior's 1/6")
    ax.legend(loc="upper right", fontsize=10)
    return Picture(
        fig,
        "china-by-hand",
        "Estimated probability of six words in the class China, as relative frequencies and with alpha 0.1, 1 and 10. "
        "Chinese falls from five eighths towards one sixth, the words seen once rise a little, and the two words never "
        "seen rise from zero; with alpha 10 all six are close to one sixth.",
    )


def signs_and_sizes(found: Margins, low: float, high: float) -> Picture:
    """Margins with a small and with a larger alpha, and which words make the difference."""
    fig, (left, right) = figure(1, 2, height=3.9, width_ratios=(1, 1.15))
    reach = 200
    inside = (np.abs(found.low) < reach) & (np.abs(found.high) < reach)
    turned = (found.low > 0) != (found.high > 0)
    for chosen, colour, size in ((inside & ~turned, BLUE, 1.4), (inside & turned, VERMILLION, 2.2)):
        left.plot(
            found.low[chosen], found.high[chosen], "o", color=colour, markersize=size, alpha=0.6, markeredgewidth=0
        )
    left.plot([-40, reach], [-40, reach], color=GREY, linewidth=1, linestyle="--")
    left.text(108, 128, "no change", color=GREY, fontsize=10, rotation=53, ha="center", va="center")
    left.axhline(0, color=BLACK, linewidth=0.9)
    left.axvline(0, color=BLACK, linewidth=0.9)
    left.text(60, -30, f"{turned.mean():.0%} turn", color=VERMILLION, fontweight="bold", fontsize=10.5)
    left.set(
        xlim=(-40, reach), ylim=(-40, reach), xlabel=f"margin with α = {low:g}", ylabel=f"margin with α = {high:g}"
    )
    left.set_title("Margins shrink,\nsigns stay")

    names = ["used by both", "only by the\nleading class", "only by the\nrunner-up", "by neither", "denominators"]
    mean = found.change.mean(axis=0)
    rows = np.arange(len(names))
    right.barh(rows, mean, 0.6, color=[LIGHT, BLUE, ORANGE, LIGHT, LIGHT])
    shares = [*(f"  ({share:.1%} of words)" for share in found.tokens), ""]
    for row, value, share in zip(rows, mean, shares, strict=True):
        text = f"{value:+.1f}".replace("-", "−") if abs(value) > 0.05 else "0"
        right.text(max(value, 0) + 2, row, text + share, va="center", fontsize=10)
    right.set_yticks(rows, names)
    right.invert_yaxis()
    right.axvline(0, color=BLACK, linewidth=0.9)
    right.set(xlabel="mean change of the margin", xlim=(-62, 112), xticks=(-50, 0, 50))
    right.grid(axis="y", visible=False)
    right.tick_params(axis="y", length=0)
    right.set_title("It is the words that\none class lacks")
    return Picture(
        fig,
        "signs-and-sizes",
        f"Left, the margin of each test document with alpha {high:g} against its margin with alpha {low:g}, in nats. "
        "The points form a band below the diagonal: the margins shrink roughly in proportion. Only "
        f"{turned.mean():.0%} of the points lie in the two quadrants where the verdict turns, most of "
        "them near the origin. "
        "Right, the mean change of the margin by kinds of words: words that both classes have used change it by "
        f"{mean[0]:.1f}, words that only the leading class has used by {mean[1]:.1f}, words that only the "
        f"runner-up has used by {mean[2]:+.1f}, words that neither has used by nothing, and the denominators by "
        f"{mean[4]:+.1f}.",
    )


def zipf(counts: Array, made: Mapping[tuple[str, str], Array], alphas: Sequence[float]) -> Picture:
    """How often the r-th most frequent word occurs; and the accuracy in made-up texts of four kinds."""
    fig, (left, right) = figure(1, 2, height=3.9)
    total = np.sort(counts.sum(axis=0))[::-1]
    rank = np.arange(1, len(total) + 1)
    shown = np.unique(np.geomspace(1, len(total), 400).astype(int)) - 1
    left.plot(rank[shown], total[shown], color=BLUE, linewidth=2.6)
    left.plot([10, 1e5], [2e5, 20], color=GREY, linestyle="--", linewidth=1.2)
    left.text(1.5e3, 2.2e3, "∝ 1/rank", color=GREY, fontsize=10.5)
    once = (total == 1).mean()
    half = int(np.searchsorted(np.cumsum(total), total.sum() / 2)) + 1
    left.annotate(
        f"{half} words are half\nof the text",
        (half, total[half - 1]),
        xytext=(1.3, 40),
        fontsize=10,
        arrowprops={"arrowstyle": "->", "color": BLACK},
    )
    left.annotate(
        f"{once:.0%} of the words\noccur once",
        (5e4, 1.2),
        xytext=(14, 1.3),
        fontsize=10,
        arrowprops={"arrowstyle": "->", "color": BLACK},
    )
    left.set(
        xscale="log",
        yscale="log",
        xlabel="rank of the word",
        ylabel="times it occurs",
        xlim=(1, 1.2e5),
        ylim=(0.8, 4e5),
    )
    left.set_title("20 Newsgroups:\na power law")
    styles = {
        ("power law", "unequal"): (VERMILLION, "-", "power law, unequal classes"),
        ("power law", "equal"): (ORANGE, "--", "power law, equal classes"),
        ("flat", "unequal"): (BLUE, "-", "flat, unequal classes"),
        ("flat", "equal"): (GREEN, "--", "flat, equal classes"),
    }
    for kind, (colour, dash, text) in styles.items():
        mean = made[kind].mean(axis=0)
        right.fill_between(alphas, made[kind].min(axis=0), made[kind].max(axis=0), color=colour, alpha=0.2, linewidth=0)
        right.plot(alphas, mean, color=colour, linestyle=dash, label=text)
    right.set(xscale="log", xlabel="smoothing α", ylabel="accuracy", ylim=(0.55, 1.0))
    right.legend(loc="lower left", fontsize=10, title="made-up text", title_fontsize=10)
    right.set_title("Large α hurts only if\nboth come together")
    last = {kind: values.mean(axis=0)[-1] for kind, values in made.items()}
    return Picture(
        fig,
        "zipf",
        "Left, the number of occurrences of each word of 20 Newsgroups against its rank, both on logarithmic axes: a "
        f"nearly straight falling line, close to one over the rank. {half} words make up half of the text, and "
        f"{once:.0%} of all words occur once. Right, the accuracy of naive Bayes against alpha in made-up texts of "
        "four kinds. It falls steeply for large alpha only if word frequencies follow a power law and classes differ "
        f"in size, to {last['power law', 'unequal']:.2f}; in the three other kinds it stays above "
        f"{min(value for kind, value in last.items() if kind != ('power law', 'unequal')):.2f}.",
    )


def long_classes(
    alphas: Sequence[float], same: Judged, proportional: Judged, longest: Array, y: NDArray[np.intp]
) -> Picture:
    """The same alpha for all classes against one in proportion to their tokens: accuracy, and who gets the verdicts."""
    fig, (left, right) = figure(1, 2, height=3.5)
    for judged, colour in ((same, VERMILLION), (proportional, BLUE)):
        left.plot(alphas, judged.right.mean(axis=1), color=colour, marker="o", markersize=4)
        right.plot(alphas, np.isin(judged.predicted, longest).mean(axis=1), color=colour, marker="o", markersize=4)
    left.text(0.5, 0.5, "the same α\nfor all classes", color=VERMILLION, fontweight="bold", fontsize=10.5, ha="right")
    left.text(
        0.6, 0.87, "α in proportion to\nthe class's words", color=BLUE, fontweight="bold", fontsize=10.5, ha="center"
    )
    right.axhline(np.isin(y, longest).mean(), color=GREY, linewidth=1.2, linestyle="--")
    right.text(0.0011, np.isin(y, longest).mean() - 0.02, "in truth", color=GREY, fontsize=10, va="top")
    for ax, label in ((left, "accuracy"), (right, f"verdicts for the {len(longest)} longest classes")):
        ax.set(xscale="log", xlabel="smoothing α, on average", ylabel=label, xticks=(0.001, 0.01, 0.1, 1, 10))
        ax.set_xticklabels(["0.001", "0.01", "0.1", "1", "10"])
    left.set_ylim(0.35, 0.95)
    right.set_ylim(0, 0.8)
    left.set_title("Most of the loss is cured ...")
    right.set_title("... by not favouring length")
    return Picture(
        fig,
        "long-classes",
        "Two panels against the smoothing alpha, for 20 Newsgroups. Left, accuracy: with the same alpha for all "
        f"classes it falls to {same.right[-1].mean():.2f} at alpha {alphas[-1]:g}, with an alpha in proportion to the "
        f"words of a class only to {proportional.right[-1].mean():.2f}. Right, the share of verdicts that go to the "
        f"{len(longest)} classes with the most words: with the same alpha it rises to "
        f"{np.isin(same.predicted[-1], longest).mean():.2f}, with a proportional alpha it stays near the true "
        f"{np.isin(y, longest).mean():.2f}.",
    )
