"""The figures of the note on the perceptron and the losses of the margin, one function each."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray
from scipy.special import logit

from course.figures import BLACK, BLUE, GREEN, GREY, VERMILLION, Picture, figure
from course.studies.perceptron_hinge_logistic import readings
from course.studies.perceptron_hinge_logistic.fits import Line, hinge, logistic, perceptron_passes
from course.studies.perceptron_hinge_logistic.scenes import Scene, bayes_error, clouds, mean, posterior
from course.studies.perceptron_hinge_logistic.six_points import DIRECTION, NAMES, POSITIVE_IN_CELL, SEVEN, SIX

Array = NDArray[np.float64]
Updates = Sequence[tuple[int, Array]]
POSITIVE, NEGATIVE = BLUE, VERMILLION
COLORS = {
    "0-1": BLACK,
    "perceptron": VERMILLION,
    "hinge": GREEN,
    "squared hinge": "#A36F00",  # a darker orange, legible as text too
    "logistic": BLUE,
    "squared": "#A8527F",  # a darker purple
}
STYLES = {"0-1": "-", "perceptron": "-", "hinge": "-", "squared hinge": "--", "logistic": "-", "squared": ":"}
BACKED = {"facecolor": "white", "edgecolor": "none", "pad": 1.2, "alpha": 0.85}  # behind a word that lies on lines
WIDTH = 7.2  # in inches: on a phone the letters are still legible
ORDERS = 8  # in which the perceptron goes through the same data
REACH = np.array([-20.0, 20.0])  # beyond every window: where lines are drawn from and to


def three_lines(scene: Scene, l2: float, passes: int, seed: int) -> Picture:
    """Overlapping clouds: the perceptron in several orders, the support vector machine, logistic probabilities."""
    fig, axes = figure(1, 3, width=WIDTH, height=2.95, sharey=True)
    for k in range(ORDERS):
        order = np.random.default_rng([seed, 8, k]).permutation(len(scene.y))
        _draw(axes[0], perceptron_passes(scene, order, passes)[0][-1], color=BLACK, linewidth=1.2)
    machine = hinge(scene, l2)
    _road(axes[1], machine)
    chances = logistic(scene, l2)
    levels = (0.05, 0.25, 0.5, 0.75, 0.95)
    for p in levels:
        _draw(axes[2], chances, level=logit(p), color=BLACK, linewidth=2 if p == 0.5 else 1)
        at = chances.w * (logit(p) - chances.b) / (chances.w @ chances.w)  # the foot of the perpendicular
        across = np.array([-chances.w[1], chances.w[0]]) / np.linalg.norm(chances.w)
        axes[2].annotate(f"{p:.0%}", at + 2.5 * across, ha="center", va="center", fontsize=8.5, bbox=BACKED)
    titles = "Perceptron: any line", "SVM: a wide band", "Logistic: probabilities"
    for ax, title in zip(axes, titles, strict=True):
        _points(ax, scene, size=3.6)
        ax.set(xlim=(-3.6, 3.6), ylim=(-3.6, 3.6), aspect="equal", xlabel="$x_1$", xticks=[-2, 0, 2], yticks=[-2, 0, 2])
        ax.set_title(title, fontsize=10.5)
        ax.grid(visible=False)
    axes[0].set_ylabel("$x_2$")
    return Picture(
        fig,
        "three-lines",
        alt="Three times the same two overlapping classes of points in the plane. Left: eight lines of the perceptron, "
        f"each after {passes} passes in another order of the data, in very different directions. Middle: the line of "
        "the support vector machine between two dashed parallels. Right: five parallel lines of logistic regression, "
        "marked with probabilities of 5, 25, 50, 75 and 95 per cent.",
    )


def frames(updates: Updates) -> Picture:
    """The perceptron on six points, one panel for each mistake: the point, the old line and the new one."""
    fig, axes = figure(2, 3, width=WIDTH, height=4.6, sharex=True, sharey=True)
    fig.suptitle("Six mistakes, six new lines, then none", x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    before = np.zeros(3)
    for k, (ax, (i, after)) in enumerate(zip(axes.flat, updates, strict=True), start=1):
        _shade(ax, _line(after))
        if before.any():
            _draw(ax, _line(before), color=GREY, linewidth=1.6, linestyle="--")
        _draw(ax, _line(after), color=BLACK, linewidth=2)
        _points(ax, SIX, size=7, names=True)
        _ring(ax, SIX.X[[i]], BLACK)
        ax.set_title(f"{k}: {NAMES[i]}, now {_vector(after)}", fontsize=10)
        _small_window(ax)
        before = after
    for ax in axes[:, 0]:
        ax.set_ylabel("$x_2$")
    for ax in axes[1]:
        ax.set_xlabel("$x_1$")
    return Picture(
        fig,
        "frames",
        alt="Six panels, one for each mistake of the perceptron on six points, with the mistaken point circled, the "
        "line before it dashed and the line after it solid: "
        + "; ".join(f"{k}, {NAMES[i]}, weights {_vector(after)}" for k, (i, after) in enumerate(updates, start=1))
        + ". After the sixth, all points lie on their own side.",
    )


def two_sides(updates: Updates) -> Picture:
    """Novikoff's proof on the six points: θ · u above k γ, |θ| below √k R, and where the two curves meet."""
    thetas = np.array([theta for _, theta in updates])
    gamma = np.min(SIX.y * (SIX.with_ones @ DIRECTION))
    radius = np.max(np.linalg.norm(SIX.with_ones, axis=1))
    k, many = np.arange(1, len(thetas) + 1), np.linspace(0, 25, 300)
    bound = (radius / gamma) ** 2
    fig, ax = figure(width=6.4, height=3.6)
    ax.plot(many, np.sqrt(many) * radius, color=VERMILLION, linestyle="--", linewidth=1.5)
    ax.plot(many, many * gamma, color=BLUE, linestyle="--", linewidth=1.5)
    ax.plot(k, np.linalg.norm(thetas, axis=1), "s", color=VERMILLION, markersize=6)
    ax.plot(k, thetas @ DIRECTION, "o", color=BLUE, markersize=6)
    ax.axvline(bound, color=GREY, linewidth=1, linestyle=":")
    ax.annotate("ceiling  √k R", (12.6, 12.9), color=VERMILLION, fontweight="bold", ha="right")
    ax.annotate("floor  k γ", (14.2, 8.6), color=BLUE, fontweight="bold")
    ax.annotate("|θ|", (5.9, 6.35), color=VERMILLION, fontweight="bold", ha="center")
    ax.annotate("θ · u", (6.5, 3.2), color=BLUE, fontweight="bold")
    ax.annotate(f"{bound:.0f}", (bound - 0.3, 0.6), color=GREY, fontweight="bold", ha="right")
    ax.set(xlabel="mistakes k", ylabel="length", xlim=(0, 25), ylim=(0, 17.5))
    ax.set_title("A rising floor meets a flattening ceiling")
    return Picture(
        fig,
        "two-sides",
        alt="Against the number of mistakes: the length of the weights after each of six mistakes lies below a root "
        "curve, their projection on the separating direction above a straight line. The line and the root curve meet "
        f"at {bound:.0f} mistakes.",
    )


def overlap(last: Array, average: Array) -> Picture:
    """Seven points on which the perceptron runs in circles, and errors after each pass on overlapping clouds."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.5, width_ratios=[1, 1.15])
    lines, _ = perceptron_passes(SEVEN, np.arange(7), 9)
    for line, color in ((lines[5], BLACK), (lines[6], GREY)):
        _draw(left, line, color=color, linewidth=2)
    left.annotate("pass 3, 6, …", (1.75, -2.25), fontsize=9.5, ha="right", fontweight="bold")
    left.annotate("pass 4, 7, …", (1.25, 2.9), fontsize=9.5, color=GREY, fontweight="bold")
    _points(left, SEVEN, size=7, names=True)
    _small_window(left)
    left.set(xlabel="$x_1$", ylabel="$x_2$", anchor="N")
    left.set_title("Seven points: in circles", fontsize=11.5)
    k = np.arange(1, last.shape[1] + 1)
    for errors, color in ((last, VERMILLION), (average, BLUE)):
        right.fill_between(k, *np.quantile(100 * errors, [0.1, 0.9], axis=0), color=color, alpha=0.18, linewidth=0)
        right.plot(k, 100 * errors.mean(axis=0), color=color)
        right.plot(k, 100 * errors[0], color=color, linewidth=0.9, alpha=0.9)
    best = 100 * bayes_error(readings.DISTANCE)
    right.axhline(best, color=BLACK, linewidth=1, linestyle="--")
    right.annotate("Bayes error", (1.5, best - 0.4), va="top")
    right.annotate("average", (k[-1], best - 0.4), ha="right", va="top", color=BLUE, fontweight="bold")
    right.annotate("last weights", (2.5, 28.9), color=VERMILLION, fontweight="bold")
    right.set(xlabel="passes over the data", ylabel="error, %", ylim=(12.5, None), xlim=(1, k[-1]))
    right.set_title("Clouds: the average settles", fontsize=11.5)
    return Picture(
        fig,
        "overlap",
        alt="Left: seven points of two classes, one of them on the wrong side, and two of the lines among which "
        "the perceptron goes round: one with a single point on the wrong side, one with five. Right: the error "
        "on new points against the number of passes. That of the last weights stays several points above the Bayes "
        "error and jumps from pass to pass in a single run; that of the averaged weights falls close to the Bayes "
        "error within a few passes.",
    )


def losses(functions: Mapping[str, Callable[[Array], Array]]) -> Picture:
    """Six losses of the margin, and how hard each pulls an example: minus their slopes."""
    t = np.linspace(-2.5, 3, 551)
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.9)
    for name, loss in functions.items():
        style = {"color": COLORS[name], "linestyle": STYLES[name], "linewidth": 3 if name == "squared" else 2}
        left.plot(t, loss(t), **style)
        if name != "0-1":
            slope = np.gradient(loss(t), t)
            slope[np.abs(np.gradient(slope, t)) > 20] = np.nan  # a jump is not drawn as a slanted line
            width = 4.5 if name == "perceptron" else style["linewidth"]  # seen on both sides of the hinge
            right.plot(t, -slope, **(style | {"linewidth": width}))
    for name, at in {
        "squared": (1.3, 1.45),
        "squared hinge": (-1.55, 3.4),
        "hinge": (0.16, 0.93),
        "perceptron": (-2.1, 0.3),
        "logistic": (0.85, 0.62),
        "0-1": (-2.45, 1.08),
    }.items():
        left.annotate(name, at, color=COLORS[name], fontsize=9.5, fontweight="bold")
    for name, at in {
        "squared": (1.95, -0.75),
        "squared hinge": (-1.2, 2.55),
        "hinge": (0.25, 1.13),
        "perceptron": (-2.4, 1.13),
        "logistic": (-2.4, 0.55),
    }.items():
        right.annotate(name, at, color=COLORS[name], fontsize=9.5, fontweight="bold")
    left.set(xlabel="margin t = y z", ylabel="loss L(t)", ylim=(-0.05, 4.1), xlim=(-2.5, 3), xticks=range(-2, 4))
    right.set(xlabel="margin t = y z", ylabel="pull −L′(t)", ylim=(-1.6, 3.2), xlim=(-2.5, 3), xticks=range(-2, 4))
    right.axhline(0, color=GREY, linewidth=0.8)
    left.set_title("Convex stand-ins for the 0-1 loss", fontsize=11.5)
    right.set_title("Only the squared loss pulls back", fontsize=11.5)
    return Picture(
        fig,
        "losses",
        alt="Left: six losses against the margin. The 0-1 loss is a step from one to zero at zero; the perceptron's "
        "loss falls in a straight line to zero at margin zero, the hinge at margin one, the squared hinge along a "
        "parabola to margin one; the logistic loss falls smoothly and never reaches zero; the squared loss rises "
        "again beyond margin one. Right: minus their slopes. Those of perceptron and hinge jump from one to zero at "
        "margins zero and one, the logistic one falls smoothly from one to zero, the squared hinge falls in a straight "
        "line to zero at margin one, and the squared loss continues below zero.",
    )


def widest(penalties: Sequence[float], perceptron: Array) -> Picture:
    """The support vector machine on six points, and on seven with a weak and a strong penalty."""
    weak, strong = penalties
    fig, axes = figure(1, 3, width=WIDTH, height=2.75, sharey=True)
    fig.suptitle("Small λ: a narrow band; large λ: a wide one", x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    panels = (
        (SIX, 1.0, "Six points, λ ≤ 1"),
        (SEVEN, weak, f"Seven, λ = {weak:g}"),
        (SEVEN, strong, f"Seven, λ = {strong:g}"),
    )
    for ax, (scene, l2, title) in zip(axes, panels, strict=True):
        line = hinge(scene, l2)
        _road(ax, line)
        _points(ax, scene, size=6.5, names=True)
        _ring(ax, scene.X[scene.y * line.score(scene.X) < 1 + 1e-4], GREEN)
        ax.set_title(title, fontsize=10.5)
        _small_window(ax)
        ax.set_xlabel("$x_1$")
    _draw(axes[0], _line(perceptron), color=GREY, linewidth=1.4, linestyle=":")
    axes[0].set_ylabel("$x_2$")
    return Picture(
        fig,
        "widest",
        alt="Lines of the support vector machine with the parallels at scores of plus and minus one. Left: six points; "
        "three of them lie on the parallels, none between; the perceptron's line, dotted, passes closer to the points. "
        f"Middle: seven points with the penalty {weak:g}; the band is as narrow as before, the seventh point lies far "
        f"on the wrong side. Right: the same with the penalty {strong:g}; the band is about three times as wide, "
        "with three points inside it and two on its edges.",
    )


def best_scores(fitted: Mapping[str, Array]) -> Picture:
    """The score that minimises the expected loss, against p, and the scores fitted in five cells."""
    p = np.linspace(0.02, 0.98, 481)
    asked = {
        "logistic": (logit(p), "logistic: the log odds", (0.575, 2.25)),
        "squared": (2 * p - 1, "squared, squared hinge: 2p − 1", (0.52, -0.5)),
        "hinge": (np.where(p < 0.5, -1.0, 1.0), "hinge: the class", (0.515, 1.17)),
        "perceptron": (np.zeros_like(p), "perceptron: 0", (0.05, 0.18)),
    }
    markers = {"logistic": "o", "squared": "x", "squared hinge": "D", "hinge": "s"}
    fig, ax = figure(width=6.4, height=4.0)
    for name, (scores, text, at) in asked.items():
        ax.plot(p, scores, color=COLORS[name], linewidth=2)
        ax.annotate(text, at, color=COLORS[name], fontweight="bold", fontsize=10)
    cells = POSITIVE_IN_CELL / 100
    for name, scores in fitted.items():
        hollow = {"markerfacecolor": "none", "markeredgewidth": 1.8, "markersize": 10} if "D" in markers[name] else {}
        ax.plot(cells, scores, markers[name], color=COLORS[name], **({"markersize": 7, "markeredgewidth": 2} | hollow))
    ax.set(xlabel="probability p of y = 1", ylabel="best score z", ylim=(-3.2, 3.4), xlim=(0, 1))
    ax.set_title("A score is log odds, 2p − 1, or only the class")
    return Picture(
        fig,
        "best-scores",
        alt="The best score against the probability of the positive class: for the logistic loss the log odds, for "
        "squared loss and squared hinge a straight line from minus one to one, for the hinge a step from minus one to "
        "one at one half, for the perceptron's loss zero. Markers at probabilities 0.1, 0.3, 0.6, 0.75 and 0.95 are "
        "the scores of fitted models, and lie on the curves.",
    )


def probabilities(sizes: Sequence[int], distances: Mapping[str, Array], l2: float, seed: int) -> Picture:
    """Probabilities along the line between the clouds, and their distance from the truth against the data."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.8, width_ratios=[1.1, 1])
    at = np.linspace(-3, 3, 241)
    X = at[:, None] * mean(readings.DISTANCE) / np.linalg.norm(mean(readings.DISTANCE))
    scene = clouds(sizes[-1], readings.DISTANCE, np.random.default_rng([seed, 11, sizes[-1], 0]))
    misread = "squared hinge, as log odds"
    colors = COLORS | {misread: GREY}
    left.plot(at, posterior(X, readings.DISTANCE), color=BLACK, linewidth=4.5, alpha=0.25)
    for name, (fit, read) in readings.READINGS.items():
        style = "-." if name == misread else STYLES[name]
        left.plot(at, read(fit(scene, l2).score(X)), style, color=colors[name])
        right.plot(sizes, distances[name].mean(axis=1), "o" + style, color=colors[name])
    left.annotate("squared hinge", (0.95, 0.985), color=colors["squared hinge"], ha="right", va="bottom")
    left.annotate("logistic,\non the truth", (-0.4, 0.62), color=BLUE, ha="right")
    left.annotate("squared", (1.85, 0.9), color=colors["squared"])
    left.annotate("squared hinge\nas log odds", (0.9, 0.5), color=GREY, va="center")
    for name, (x, y) in {"logistic": (105, 0.011), "squared hinge": (1100, 0.042), "squared": (1100, 0.083)}.items():
        right.annotate(name, (x, y), color=colors[name])
    right.annotate("squared hinge\nas log odds", (1100, 0.149), color=GREY, va="top")
    for text in (*left.texts, *right.texts):
        text.set(fontweight="bold", fontsize=9.5)
    left.set(xlabel="position μ · x", ylabel="probability of y = 1", ylim=(-0.03, 1.1), xticks=range(-3, 4))
    right.set(xscale="log", xlabel="training examples", ylabel="mean distance |p̂ − p|", ylim=(0, 0.18))
    right.set_xticks(sizes, labels=[f"{size:,}" for size in sizes])
    right.xaxis.set_minor_locator(NullLocator())
    left.set_title("Straight scores miss the S", fontsize=11.5)
    right.set_title("Only logistic goes to 0", fontsize=11.5)
    return Picture(
        fig,
        "probabilities",
        alt="Left: probabilities along the line through the means of two clouds, from fits to "
        f"{sizes[-1]:,} examples. The logistic curve lies on the true S-shaped one. Read as (1 + z)/2 and cut off at 0 "
        "and 1, the squared hinge gives a straight line close to it in the middle, the squared loss one that is too "
        "flat; the squared hinge read as log odds is much too flat. Right: their mean distance from the true "
        "probabilities against the number of training examples. That of the logistic loss falls towards zero, that of "
        "the squared hinge levels off near 0.034, of the squared loss near 0.074, and of the squared hinge read as log "
        "odds near 0.165.",
    )


def _line(theta: Array) -> Line:
    return Line(theta[:-1], float(theta[-1]))


def _vector(theta: Array) -> str:
    return "(" + ", ".join(f"{value:.0f}".replace("-", "−") for value in theta) + ")"


def _draw(ax: Axes, line: Line, level: float = 0.0, **style: object) -> None:
    """The line z = level, across the whole window."""
    foot = line.w * (level - line.b) / (line.w @ line.w)
    across = np.array([-line.w[1], line.w[0]]) / np.linalg.norm(line.w)
    ax.plot(*(foot + REACH[:, None] * across).T, **style)


def _road(ax: Axes, line: Line) -> None:
    """A line with its parallels at z = ±1."""
    _draw(ax, line, color=BLACK, linewidth=2)
    for level in (-1, 1):
        _draw(ax, line, level=level, color=BLACK, linewidth=1, linestyle="--")


def _shade(ax: Axes, line: Line) -> None:
    """The positive side of a line, lightly."""
    unit = line.w / np.linalg.norm(line.w)
    foot, across = -line.b / np.linalg.norm(line.w) * unit, np.array([-unit[1], unit[0]])
    corners = [foot + REACH[0] * across, foot + REACH[1] * across]
    corners += [corners[1] + REACH[1] * unit, corners[0] + REACH[1] * unit]
    ax.fill(*np.array(corners).T, color=POSITIVE, alpha=0.1, linewidth=0, zorder=0)


def _points(ax: Axes, scene: Scene, size: float, *, names: bool = False) -> None:
    for sign, color, marker in ((1, POSITIVE, "o"), (-1, NEGATIVE, "s")):
        ax.plot(*scene.X[scene.y == sign].T, marker, color=color, markersize=size, mew=0, linestyle="none", zorder=3)
    if names:
        for name, x in zip(NAMES, scene.X, strict=False):
            ax.annotate(name, x, xytext=(6, 4), textcoords="offset points", fontsize=9.5, fontweight="bold", zorder=4)
            ax.texts[-1].set_path_effects([withStroke(linewidth=2.5, foreground="white")])


def _ring(ax: Axes, X: Array, color: str) -> None:
    ax.plot(*X.T, "o", markersize=13, markerfacecolor="none", markeredgecolor=color, mew=1.8, linestyle="none")


def _small_window(ax: Axes) -> None:
    ax.set(xlim=(-4, 4.3), ylim=(-2.6, 3.6), aspect="equal", xticks=range(-4, 5, 2), yticks=range(-2, 4, 2))
    ax.grid(visible=False)
