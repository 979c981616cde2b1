"""The figures of the note."""

from collections.abc import Sequence

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.colors import BoundaryNorm, Normalize
from matplotlib.patches import RegularPolygon
from numpy.typing import ArrayLike
from scipy.stats import binom

from course.figures import BLACK, BLUE, GREEN, ORANGE, SEQUENTIAL, VERMILLION, Picture, figure
from course.studies.discrete_distributions.coverage import (
    clopper_pearson_interval,
    coverage,
    mean_coverage,
    wald_interval,
)
from course.studies.discrete_distributions.sequences import coefficient
from course.studies.discrete_distributions.simplex import CORNERS, compositions, in_triangle
from probml.families import Multinomial
from probml.metrics import wilson_interval

INTERVALS = {
    "Wald": (wald_interval, VERMILLION),
    "Wilson": (wilson_interval, BLUE),
    "Clopper–Pearson": (clopper_pearson_interval, GREEN),
}
LEVELS = [-20, -10, -6, -4, -2, -1, -0.5, -0.1, 0]  # of the log likelihood below its maximum


def every_count(n: int, p: float, level: float, most: int = 6) -> Picture:
    """What can come out of n draws: each count with its probability, and the intervals that it leads to."""
    x = np.arange(most + 1)
    probability = binom.pmf(x, n, p)
    fig, (left, right) = figure(1, 2, height=3.6, sharey=True, width_ratios=(1, 1.9))
    left.barh(x, probability, 0.62, color="#BDBDBD")
    for count, share in zip(x, probability, strict=True):
        left.text(share + 0.008, count, f"{share:.0%}" if share > 0.005 else "<1%", va="center", fontsize=10)
    left.set(xlim=(0, 0.43), xticks=[], ylabel=f"times seen in {n} words")
    left.set_yticks(x)
    left.set_title("How often?", pad=22)
    missed = {}
    for (name, (interval, colour)), shift in zip(list(INTERVALS.items())[:2], (-0.15, 0.15), strict=True):
        low, high = interval(np.arange(n + 1), n, level)
        holds = (low <= p) & (p <= high)
        missed[name] = 1 - binom.pmf(np.arange(n + 1), n, p)[holds].sum()
        for count in x:
            style = {"linewidth": 3} if holds[count] else {"linewidth": 1.5, "linestyle": (0, (2, 1.5))}
            right.plot([low[count], high[count]], [count + shift] * 2, color=colour, **style)
            right.plot(count / n, count + shift, "o" if holds[count] else "x", color=colour, markersize=6, mew=2)
        right.plot([], [], color=colour, linewidth=3, label=f"{name}, misses {missed[name]:.0%}")
    right.axvline(p, color=BLACK, linewidth=1.2)
    right.text(p, most + 0.52, f"truth: {p}", ha="center", va="bottom", fontsize=10)
    right.set(xlabel="probability of the word, as estimated", xlim=(-0.05, 0.45), ylim=(-0.5, most + 0.5))
    right.legend(loc="lower right", fontsize=10)
    right.set_title("Never seen: Wald says impossible", pad=22)
    for ax in (left, right):
        ax.grid(axis="y", visible=False)
        ax.tick_params(length=0)
    left.spines["bottom"].set_visible(False)
    return Picture(
        fig,
        "every-count",
        f"Rows for a word of probability {p} that is seen 0, 1, up to {most} times in {n} words. Left: how often that "
        f"happens; it is not seen at all in {probability[0]:.0%} of the samples. Right: the estimate, Wald's and "
        "Wilson's interval of each row, with a line at the truth. In the row of no occurrence Wald's interval is the "
        "single point 0 and misses the truth, Wilson's reaches above 0.1. In all, Wald's interval misses in "
        f"{missed['Wald']:.0%} of the samples, Wilson's in {missed['Wilson']:.0%}.",
    )


def orders(p: ArrayLike, few: int = 6, many: int = 30) -> Picture:
    """The multinomial distribution of three values over the triangle of all counts, for few and for many draws."""
    p = np.asarray(p, dtype=np.float64)
    fig, axes = figure(1, 2, height=3.5)
    for ax, n in zip(axes, (few, many), strict=True):
        counts = compositions(n, 3)
        probability = np.exp(Multinomial(3).log_density(counts, Multinomial(3).natural(probabilities=p)))
        cells = [RegularPolygon(tuple(place), 6, radius=1 / (n * np.sqrt(3))) for place in in_triangle(counts / n)]
        shade = Normalize(0, probability.max())
        tiles = PatchCollection(cells, cmap=SEQUENTIAL, norm=shade, edgecolor="#DADADA", linewidth=2.4 / n)
        tiles.set_array(probability)
        ax.add_collection(tiles)
        if n == few:
            for x, place, value in zip(counts.tolist(), in_triangle(counts / n), probability, strict=True):
                colour = "white" if value > 0.55 * probability.max() else BLACK
                ax.text(*place, str(coefficient(tuple(x))), ha="center", va="center", fontsize=9, color=colour)
        else:
            ax.plot(*in_triangle(p), "+", color=VERMILLION, markersize=11, markeredgewidth=2.2)
        margin = 0.04 + 0.6 / n
        for corner, name, below in zip(CORNERS, ("graph", "tree", "survey"), (True, True, False), strict=True):
            height = corner[1] + (-margin if below else margin)
            ax.text(corner[0], height, f"all {name}", ha="center", va="top" if below else "bottom", fontsize=10)
        ax.set(aspect="equal", xlim=(-0.14, 1.14), ylim=(-0.2, 1.08))
        ax.axis("off")
    axes[0].set_title(f"{few} words: 60 orders beat one")
    axes[1].set_title(f"{many} words: counts near {many} p")
    return Picture(
        fig,
        "distributions",
        f"Two triangles of hexagons, one for each way in which {few} and {many} words can be divided among graph, tree "
        f"and survey, darker where it is more probable. For {few} words the number of orders stands in each hexagon: 1 "
        "in the corners, up to 90 in the middle. The darkest, with 3, 2 and 1, has 60 orders; the corner of graph "
        f"alone is pale. For {many} words the dark cells form a small spot around {many} p, marked by a cross.",
    )


def likelihood(counts: Sequence[Sequence[int]] = ((5, 2, 1), (7, 3, 0))) -> Picture:
    """The log likelihood over the triangle of all distributions of three values, for counts without and with a zero."""
    grid = compositions(120, 3) / 120
    fig, axes = figure(1, 2, height=3.4)
    titles = ("the peak is inside", "the peak is on the edge")
    for ax, observed, finding in zip(axes, counts, titles, strict=True):
        N = np.array(observed, dtype=np.float64)
        seen, peak = N > 0, N / N.sum()
        with np.errstate(divide="ignore"):
            below = np.log(grid[:, seen] / peak[seen]) @ N[seen]
        inside = np.isfinite(below)
        shown = ax.tricontourf(
            *in_triangle(grid[inside]).T,
            np.minimum(below[inside], -1e-9),
            levels=LEVELS,
            norm=BoundaryNorm(LEVELS, 256, extend="min"),
            cmap=SEQUENTIAL,
            extend="min",
        )
        ax.plot(*np.vstack([CORNERS, CORNERS[:1]]).T, color=BLACK, linewidth=1)
        ax.plot(*in_triangle(peak), "o", color=VERMILLION, markersize=8, clip_on=False)
        ax.annotate(
            "p̂",
            in_triangle(peak),
            xytext=(0.02, 0.5) if seen.all() else (in_triangle(peak)[0] - 0.02, -0.1),
            textcoords="data",
            color=VERMILLION,
            fontweight="bold",
            fontsize=13,
            arrowprops={"arrowstyle": "-", "color": VERMILLION} if seen.all() else None,
        )
        for corner, name, offset in zip(CORNERS, ("p₁ = 1", "p₂ = 1", "p₃ = 1"), (-6, -6, 4), strict=True):
            ax.annotate(
                name,
                corner,
                xytext=(0, offset),
                textcoords="offset points",
                ha="center",
                va="top" if offset < 0 else "bottom",
                fontsize=10,
            )
        ax.set(aspect="equal", xlim=(-0.1, 1.1), ylim=(-0.13, 1.0))
        ax.set_title(f"{tuple(observed)}: {finding}")
        ax.axis("off")
    bar = fig.colorbar(shown, ax=axes, shrink=0.85, pad=0.02)
    bar.set_label("log likelihood below the peak", fontsize=10)
    bar.ax.tick_params(labelsize=9)
    return Picture(
        fig,
        "likelihood",
        "The log likelihood over the triangle of all distributions of three values. Left, counts 5, 2, 1: level lines "
        "are closed around a maximum inside, at the relative frequencies. Right, counts 7, 3, 0: the likelihood still "
        "rises when it meets the edge where the third probability is 0, and has its maximum on that edge.",
    )


def coverage_curves(n: int, level: float) -> Picture:
    """The coverage of three intervals against p. It is the same at p and 1 - p, so half of the axis is enough."""
    p = np.linspace(0.0005, 0.5, 2500)
    fig, axes = figure(1, 3, height=3.2, sharey=True, sharex=True)
    for ax, (name, (interval, colour)) in zip(axes, INTERVALS.items(), strict=True):
        ax.plot(p, coverage(interval, n, p, level), color=colour, linewidth=1.2)
        ax.axhline(level, color=BLACK, linewidth=1, linestyle="--")
        ax.set_title(name, color=colour, fontsize=11)
        ax.text(0.48, 0.8, f"mean {mean_coverage(interval, n, level):.3f}", ha="right", color=colour, fontsize=10)
        ax.set(xlim=(0, 0.5), ylim=(0.75, 1.005), xlabel="true p")
        ax.set_xticks([0, 0.25, 0.5], ["0", "0.25", "0.5"])
    axes[0].set_ylabel("coverage")
    title = "Where p is small, Wald's interval breaks its promise"
    fig.suptitle(title, x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    axes[0].annotate(
        "to 0",
        (0.012, 0.752),
        xytext=(0.1, 0.775),
        color=VERMILLION,
        fontsize=10,
        va="center",
        arrowprops={"arrowstyle": "->", "color": VERMILLION},
    )
    axes[2].annotate(
        f"promised: {level}",
        (0.48, level),
        xytext=(0, -5),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=10,
    )
    return Picture(
        fig,
        "coverage",
        f"Coverage of three {level:.0%} intervals from {n} draws against the true probability p, from 0 to one half. "
        "All are saw-toothed. Wald's is below the promise nearly everywhere and falls to 0 as p does. Wilson's "
        "oscillates around the promise, with one deep dip close to p = 0. The Clopper–Pearson interval's is never "
        "below the promise.",
    )


def word_intervals(words: Sequence[str], counts: ArrayLike, groups: Sequence[str], level: float) -> Picture:
    """Relative frequency and Wilson's interval of each word in each of two groups. counts : shape (2, words)."""
    counts = np.asarray(counts)
    order = np.argsort(-(counts[0] - counts[1] / 10), kind="stable")
    place = np.arange(len(words))
    fig, ax = figure(height=3.7)
    for row, name, colour, shift in zip(counts, groups, (BLUE, ORANGE), (-0.17, 0.17), strict=True):
        n = int(row.sum())
        low, high = wilson_interval(row[order], np.full(len(words), n), level)
        ax.vlines(place + shift, low, high, color=colour, linewidth=5, alpha=0.35)
        end = float(wilson_interval(0, n, level)[1])
        ax.plot(place + shift, row[order] / n, "o", color=colour, label=f"{name}, {n} words; a zero: up to {end:.2f}")
    ax.set_xticks(place, [words[k].replace("eps", "EPS") for k in order], rotation=35, ha="right")
    ax.tick_params(axis="x", length=0)
    ax.grid(axis="x", visible=False)
    ax.set(ylabel="probability of the word", ylim=(-0.02, 0.68))
    ax.set_title("Every pair of intervals overlaps, and that settles nothing")
    ax.legend(loc="upper right", fontsize=10)
    return Picture(
        fig,
        "titles",
        f"Relative frequencies of {len(words)} words in the titles on {groups[0]} and on {groups[1]}, with {level:.0%} "
        "Wilson intervals. Most words have an estimate of zero in one of the groups, with an interval that reaches "
        "above 0.1. All intervals are wide, and for every word those of the two groups overlap.",
    )
