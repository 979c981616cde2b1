"""The figures of the note."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREY, SKY, VERMILLION, Picture, figure
from course.studies.duality import double_well
from course.studies.duality.largest_margin import Solution
from course.studies.duality.pair_ascent import Ascent

WIDE, NARROW = 8.4, 6.4  # inches
DUAL, PRIMAL = VERMILLION, BLUE
OF_BETA = ("#FDAE6B", "#F16913", "#D94801", "#8C2D04")  # the larger the multiplier, the darker
ON_WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
ROUNDING = 1e-13  # distances below are rounding errors


def tangency() -> Picture:
    """w1 + 2 w2 on a circle: gradients at the minimum, where they are parallel, and at another point."""
    fig, ax = figure(width=NARROW, height=5.2)
    first, second = np.meshgrid(np.linspace(-3.6, 4.2, 60), np.linspace(-4.2, 3.6, 60))
    levels = np.arange(-9, 10, 2)
    ax.contour(first, second, first + 2 * second, levels=levels, colors=SKY, linewidths=1.2, linestyles="-")
    turn = np.linspace(0, 2 * np.pi, 300)
    ax.plot(np.sqrt(5) * np.cos(turn), np.sqrt(5) * np.sin(turn), color=BLACK)
    for point, name, place in (((-1, -2), "minimum,\nf = −5", (-3.1, -2.6)), ((1, 2), "maximum, f = 5", (0.3, 2.95))):
        ax.plot(*point, "o", color=VERMILLION, markersize=8)
        ax.text(*place, name, color=VERMILLION, fontweight="bold", bbox=ON_WHITE)
    other = (np.sqrt(5), 0.0)
    ax.plot(*other, "o", color=BLACK, markersize=7)
    for point in ((-1, -2), other):
        _arrow(ax, point, np.array([1, 2]) * 0.6, BLUE)
        _arrow(ax, point, np.array(point) * 0.6, BLACK)
    ax.text(-0.32, -0.95, "∇f", color=BLUE, fontweight="bold")
    ax.text(-1.35, -3.3, "∇h", fontweight="bold", bbox=ON_WHITE)
    ax.text(2.95, 1.2, "∇f", color=BLUE, fontweight="bold")
    ax.text(3.2, -0.5, "∇h", fontweight="bold", bbox=ON_WHITE)
    ax.text(0.15, -0.1, "not parallel:\nf can go lower", fontsize=10, bbox=ON_WHITE)
    ax.set(aspect="equal", xlabel="$w_1$", ylabel="$w_2$", xlim=(-3.6, 4.2), ylim=(-4.2, 3.6))
    ax.grid(visible=False)
    _title(fig, "At the minimum the two gradients are parallel")
    return Picture(
        fig,
        "tangency",
        "Level lines of a linear function f and a circle, on which h is 0. At the minimum and at the maximum a level "
        "line touches the circle. At the minimum the gradients of f and of h are drawn: they point in opposite "
        "directions. At a third point of the circle they point in different directions.",
    )


def two_orders() -> Picture:
    """Parabolas of the Lagrangian for several multipliers, and the dual function that their lowest points trace."""
    fig, (left, right) = figure(1, 2, width=WIDE, height=3.9, sharey=True)
    w = np.linspace(-0.5, 2.5, 200)
    for beta, shade in zip((0, 0.5, 1, 2), OF_BETA, strict=True):
        left.plot(w, w**2 / 2 + beta * (1 - w), color=shade, linewidth=1.8, label=f"β = {beta:g}")
        left.plot(beta, beta - beta**2 / 2, "v", color=shade, markersize=7)
    allowed = w >= 1
    left.plot(w[allowed], w[allowed] ** 2 / 2, color=PRIMAL, linewidth=4.5, alpha=0.75)
    left.plot([1, 1], [0.5, 4], color=PRIMAL, linewidth=4.5, alpha=0.75, linestyle=(0, (1, 0.6)))
    left.text(1.55, 2.35, "$\\theta_P = f$", color=PRIMAL, ha="right", fontweight="bold")
    left.text(0.92, 2.9, "$\\theta_P = \\infty$", color=PRIMAL, ha="right", fontweight="bold", bbox=ON_WHITE)
    left.plot(1, 0.5, "o", color=BLACK, markersize=7, zorder=5)
    left.set(xlabel="w", ylabel="L(w, β)", ylim=(-1.2, 3.6), title="β answers w")
    left.legend(loc="lower left", fontsize=9.5, ncols=2)
    betas = np.linspace(0, 2.6, 200)
    right.plot(betas, betas - betas**2 / 2, color=DUAL)
    right.axhline(0.5, color=PRIMAL, linestyle="--", linewidth=1.5)
    right.text(1.7, 0.6, "p* = 1/2", color=PRIMAL, fontweight="bold")
    right.plot(1, 0.5, "o", color=BLACK, markersize=7)
    right.text(1.1, -0.75, "$\\theta_D(\\beta) = \\beta - \\beta^2/2$", color=DUAL, fontweight="bold", ha="center")
    right.set(xlabel="β", title="w answers β")
    _title(fig, "Played in either order, the game has the value ½")
    return Picture(
        fig,
        "two-orders",
        "Left: parabolas of the Lagrangian for four multipliers, with their lowest points marked. They meet at w = 1; "
        "left of it larger multipliers lift them without limit, right of it the multiplier 0 is the highest. Right: "
        "the dual function, a parabola in beta that touches the line p* = 1/2 at beta = 1.",
    )


def four_values() -> Picture:
    """Four value functions and the supporting lines of the dual."""
    fig, axes = figure(2, 2, width=WIDE, height=6.4)
    u = np.linspace(-1.2, 1.8, 301)
    ax = axes[0, 0]
    ax.plot(u, np.where(u < 1, (1 - u) ** 2 / 2, 0), color=PRIMAL)
    ax.plot(u, 0.5 - u, color=DUAL, linewidth=1.6)
    _dot(ax, 0.5, "p* = d*", (8, 6))
    ax.set(title="(a) a line touches at u = 0", ylim=(-1.1, 2.1))
    ax = axes[0, 1]
    reach, candidates = np.linspace(-1.45, 1.8, 401), np.linspace(-2.0, 2.0, 4001)
    value = double_well.objective(candidates)
    best_from = np.minimum.accumulate(value[::-1])[::-1]
    ax.plot(reach, np.interp(-reach, candidates, best_from), color=PRIMAL)
    ax.plot(reach, -reach / 4, color=DUAL, linewidth=1.6)
    _dot(ax, double_well.primal()[1], "p* = 0.246", (-74, 8))
    _dot(ax, 0.0, "d* = 0", (-52, -17))
    ax.set(title="(b) no line comes up to p*", ylim=(-0.6, 1.3), xlim=(-1.5, 1.8))
    ax = axes[1, 0]
    right = np.linspace(0, 1.8, 300)
    ax.plot(right, -np.sqrt(right), color=PRIMAL)
    for beta, shade in zip((0.5, 1.0, 3.0), OF_BETA, strict=False):
        ax.plot(u, -1 / (4 * beta) - beta * u, color=shade, linewidth=1.6, label=f"β = {beta:g}")
    _dot(ax, 0.0, "p* = d*,\nnot attained", (12, 4))
    ax.legend(loc="lower left", fontsize=9.5)
    ax.set(title="(c) the tangent is vertical", ylim=(-1.8, 1.1), xlim=(-0.8, 1.8))
    ax = axes[1, 1]
    ax.plot([0, 1.8], [0, 0], color=PRIMAL)
    ax.plot([-0.8, 1.8], [0, 0], color=DUAL, linewidth=1.6, linestyle="--")
    ax.plot(0, 0, "o", color="white", markeredgecolor=PRIMAL, markersize=8, markeredgewidth=1.8)
    _dot(ax, 1.0, "p* = 1", (8, 5))
    ax.annotate("d* = 0", (0, 0), (-54, 7), textcoords="offset points", fontweight="bold")
    ax.set(title="(d) the value jumps", ylim=(-0.6, 1.5), xlim=(-0.8, 1.8))
    for ax in axes.ravel():
        ax.axvline(0, color=GREY, linewidth=0.9)
        ax.set(xlabel="u, where the constraint is g ≤ u", ylabel="v(u)")
    return Picture(
        fig,
        "four-values",
        "Four value functions v(u) and supporting lines of the dual. (a) A convex curve with a tangent at u = 0. (b) A "
        "curve with a shelf: the best line from below touches it left and right of the axis, and is at 0 on the axis, "
        "below p* = 0.246. (c) Minus the root of u: lines of ever steeper slope come close to the origin and never "
        "touch it. (d) A value of 1 at u = 0 and of 0 to the right of it: no line from below is above 0.",
    )


def bounds(lower: Mapping[str, float], upper: Mapping[str, float], value: float) -> Picture:
    """lower, upper : bounds on the optimal value, by the multiplier or the distribution that gives them."""
    fig, ax = figure(width=NARROW, height=3.1)
    for y, found, color, side in ((0, lower, DUAL, "v"), (1, upper, PRIMAL, "^")):
        ax.plot(list(found.values()), [y] * len(found), side, color=color, markersize=9, clip_on=False)
        for number, (name, each) in enumerate(found.items()):
            ax.annotate(
                name,
                (each, y),
                (0, (13 if number % 2 else 26) * (1 if y else -1)),
                textcoords="offset points",
                ha="center",
                va="center",
                fontsize=9.5,
                color=color,
            )
    ax.axvline(value, color=BLACK, linewidth=1.4)
    ax.text(value + 0.06, 0.5, f"p* = d* = {value:.3f}", fontweight="bold", va="center")
    ax.set(ylim=(-0.75, 1.75), xlim=(1.5, 11.8), xlabel="value")
    ax.set_yticks([0, 1], ["dual: every α\nis a lower bound", "primal: every p\nis an upper bound"])
    ax.grid(visible=False, axis="y")
    _title(fig, "Bounds from both sides meet at the estimate")
    return Picture(
        fig,
        "bounds",
        "A scale of values. Multipliers give lower bounds on the optimal value and distributions upper bounds: "
        + "; ".join(f"{name} {each:.2f}" for name, each in {**lower, **upper}.items())
        + f". Both kinds reach {value:.3f}, at alpha equal to the number of draws and at the relative frequencies.",
    )


def largest_margin(
    X: NDArray[np.float64], y: NDArray[np.float64], exact: Solution, ascent: Ascent, value: float
) -> Picture:
    """Six points with their multipliers; and how both values close in. X : shape (m, 2). y : -1 or 1, shape (m,)."""
    fig, (left, right) = figure(1, 2, width=WIDE, height=4.3)
    across = np.array([-0.6, 5.6])
    wx, wy, b = (float(each) for each in (*exact.w, exact.b))
    for level, style, width in ((0, "-", 2.2), (1, "--", 1.2), (-1, "--", 1.2)):
        left.plot(across, (level - b - wx * across) / wy, color=BLACK, linestyle=style, linewidth=width)
    for sign, color, marker in ((1, BLUE, "o"), (-1, VERMILLION, "s")):
        left.plot(*X[y == sign].T, marker, color=color, markersize=8)
    for x, beta in zip(X, exact.beta, strict=True):
        if beta:
            left.plot(*x, "o", color="none", markeredgecolor=BLACK, markersize=17, markeredgewidth=1.5)
        left.annotate(f"β = {beta}", x, (11, -17 if beta else 7), textcoords="offset points", fontsize=10)
    left.set(
        aspect="equal",
        xlim=(-0.6, 5.6),
        ylim=(-0.8, 5.8),
        xlabel="$x_1$",
        ylabel="$x_2$",
        title="Three points hold the line",
    )
    left.grid(visible=False)
    sweeps = np.arange(1, len(ascent.dual) + 1)
    for distance, marker, color, name in (
        (ascent.primal - value, "s-", PRIMAL, "upper bound − p*"),
        (value - ascent.dual, "o-", DUAL, "p* − lower bound"),
    ):
        drawn = (distance > ROUNDING) & np.isfinite(distance)
        right.plot(sweeps[drawn], distance[drawn], marker, color=color, label=name, markersize=4.5)
    right.set(yscale="log", xlabel="sweeps over all pairs", ylim=(1e-14, 3), title="The bounds close in on p*")
    right.legend(loc="upper right", fontsize=9.5)
    return Picture(
        fig,
        "largest-margin",
        "Left: six points of two classes, the line with the largest margin and its two parallels. Two points of one "
        "class and one of the other lie on the parallels and are circled, with multipliers 3/16, 1/8 and 5/16; the "
        "other three have multiplier 0. Right: the distances of the lower and the upper bound from 5/16 against the "
        "number of sweeps, both falling along nearly straight lines on a logarithmic axis.",
    )


def _arrow(ax: Axes, start: Sequence[float], by: NDArray[np.float64], color: str) -> None:
    ax.annotate("", np.add(start, by), start, arrowprops={"arrowstyle": "->", "color": color, "linewidth": 2})


def _dot(ax: Axes, height: float, name: str, shift: tuple[float, float]) -> None:
    """A point on the axis u = 0, and what it is."""
    ax.plot(0, height, "o", color=BLACK)
    ax.annotate(name, (0, height), shift, textcoords="offset points", fontweight="bold")


def _title(fig: object, words: str) -> None:
    fig.suptitle(words, x=0.02, ha="left", fontsize=12.5, fontweight="bold")
