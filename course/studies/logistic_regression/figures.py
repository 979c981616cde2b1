"""The figures of the note on logistic regression, one function each."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.special import expit, logit

from course.figures import BLACK, BLUE, GREEN, GREY, VERMILLION, Picture, figure
from course.studies.logistic_regression import eight_examples, six_examples
from course.studies.logistic_regression.adults import Adults
from probml.linear_model import LogisticRegression
from probml.metrics.wilson import wilson_interval

Array = NDArray[np.float64]
MAN, WOMAN = BLUE, VERMILLION
BACKED = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}  # behind a word that lies on lines
HEIGHTS = np.array([136.0, 143.0, 147.0, 150.0, 153.0, 156.0, 159.0, 162.0, 166.0, 180.0])  # edges of groups, in cm
PENALTIES = np.geomspace(1e-3, 1e4, 71)
WIDTH = 7.2  # of figures with two panels, in inches: on a phone their letters are still legible
LEVELS = -np.array([6, 4.5, 3.5, 2.7, 1.6, 0.7, 0.2])  # contours of the log likelihood of six examples
INTERCEPTS, SLOPES = np.linspace(-6, 6, 90), np.linspace(-1.5, 10, 90)  # the plane of their parameters


def sex_on_height(adults: Adults) -> Picture:
    """Proportions of men by height, and their log odds, with the fitted model in both."""
    model = LogisticRegression().fit(adults.height[:, None], adults.man)
    w, b = model.coef_.item(), model.intercept_.item()
    group = np.searchsorted(HEIGHTS, adults.height) - 1
    n = np.bincount(group)
    men = np.bincount(group, adults.man)
    centre = np.bincount(group, adults.height) / n
    low, high = wilson_interval(men, n)
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.4)
    line = np.linspace(136, 180, 300)
    left.plot(line, expit(w * line + b), color=BLACK)
    left.errorbar(centre, men / n, [men / n - low, high - men / n], fmt="o", color=BLUE, capsize=3)
    left.axvline(-b / w, color=GREY, linewidth=1, linestyle=":")
    left.annotate(f"even odds\n{-b / w:.1f} cm", (-b / w + 0.6, 0.02), color=GREY, fontweight="bold")
    left.set(xlabel="height, cm", ylabel="proportion of men", title="Proportions: an S-curve")
    half = np.log((men + 0.5) / (n - men + 0.5))
    right.plot(line, w * line + b, color=BLACK)
    # Where all or none are men, one end of the interval is infinite.
    inside = logit(np.clip([low, high], 1e-9, 1 - 1e-9))
    right.errorbar(centre, half, np.abs(inside - half), fmt="o", color=BLUE, capsize=3)
    right.set(xlabel="height, cm", ylabel="log odds of being a man", title="Log odds: nearly a line", ylim=(-6, 8.5))
    return Picture(
        fig,
        "sex-on-height",
        alt="Left: the proportion of men in nine groups of height with intervals of 95 per cent, low below 147 cm and "
        "close to one above 160 cm, with the fitted S-shaped curve, which is one half at 155 cm. Right: the log odds "
        "in the same groups, with one half added to the number of men and of women, rise nearly along the fitted "
        "straight line; the shortest group lies above it.",
    )


def newton_steps() -> Picture:
    """One-dimensional Newton steps on the likelihood of eight examples: from near the maximum, and from far away."""
    scenes = (("Near the top: a good guess", 0.0), ("Far away: a step downhill", 3.0))
    fig, axes = figure(1, 2, width=WIDTH, height=3.3, sharey=True)
    line = np.linspace(-2.2, 4.2, 300)
    for ax, (title, start) in zip(axes, scenes, strict=True):
        top = eight_examples.newton_step(start)
        value = float(eight_examples.log_likelihood(start))
        slope, curvature = eight_examples.slope_and_curvature(start)
        ax.plot(line, eight_examples.log_likelihood(line), color=BLUE)
        parabola = value + slope * (line - start) + curvature * (line - start) ** 2 / 2
        ax.plot(line, parabola, color=VERMILLION, linestyle="--")
        peak = value - slope**2 / curvature / 2
        end = float(eight_examples.log_likelihood(top))
        ax.plot([top, top], [end, peak], color=GREY, linewidth=1.2, linestyle=":")
        ax.plot(start, value, "o", color=BLACK, markersize=8)
        ax.plot(top, end, "D", color=GREEN, markersize=8)
        ax.set(title=title, xlabel="slope w", xlim=(-2.2, 4.2), ylim=(-12.5, -1.8))
    left, right = axes
    left.set_ylabel("log likelihood ℓ(w)")
    left.annotate("start", (-0.3, -5.2), ha="right", fontweight="bold")
    left.annotate("after one step", (1, -3.9), ha="center", color=GREEN, fontweight="bold")
    left.annotate("ℓ", (3.5, -6.7), color=BLUE, fontsize=14, fontweight="bold")
    left.annotate("parabola", (2.6, -9.2), ha="right", color=VERMILLION, fontweight="bold")
    right.annotate("start", (3.15, -5.9), fontweight="bold")
    right.annotate("after one step", (-1.05, -11.3), color=GREEN, fontweight="bold")
    right.annotate("ℓ", (0.15, -6.8), color=BLUE, fontsize=14, fontweight="bold")
    right.annotate("parabola", (-0.2, -2.75), color=VERMILLION, fontweight="bold")
    return Picture(
        fig,
        "newton-steps",
        alt="The log likelihood of eight examples against the slope, twice, with the parabola that touches it at the "
        "start. Left: the start is at zero; the top of the parabola, at one, is close to the maximum at 1.1. Right: "
        "the start is at three, where the log likelihood is nearly straight; the top of the flat parabola lies at "
        "minus 1.5, where the log likelihood is lower than at the start.",
    )


def six() -> Picture:
    """Six examples with overlapping classes and with separated ones: fitted curves, and the log likelihood."""
    scenes = (
        ("Overlap: one maximum", six_examples.OVERLAPPING, [(-6.0, (0.0, 6.5)), (-4.5, (0.0, 4.7))]),
        ("Separated: no maximum", six_examples.SEPARATED, [(-6.0, (4.5, 2.5)), (-0.2, (-2.2, 7.6))]),
    )
    fig, axes = figure(2, 2, width=WIDTH, height=5.6, height_ratios=[1, 1.5], sharey="row", sharex="row")
    line = np.linspace(-3, 3, 400)
    model = LogisticRegression().fit(six_examples.X[:, None], six_examples.OVERLAPPING)
    w, b = model.coef_.item(), model.intercept_.item()
    for (upper, lower), (title, y, labels) in zip(axes.T, scenes, strict=True):
        for value, color, marker in ((0, WOMAN, "o"), (1, MAN, "^")):
            chosen = y == value
            upper.plot(six_examples.X[chosen], y[chosen], marker, color=color, markersize=8, zorder=3)
        upper.set(title=title, xlabel="x", xticks=range(-3, 4), yticks=[0, 0.5, 1])
        _contours(lower, y, penalty=0.0, labels=labels)
    axes[0, 0].plot(line, expit(w * line + b), color=BLACK)
    # The boundary of these curves is halfway between the two examples in the middle.
    for slope, shade in ((2, 0.35), (6, 0.6), (40, 1.0)):
        axes[0, 1].plot(line, expit(slope * (line - six_examples.MIDDLE)), color=BLACK, alpha=shade)
    axes[0, 1].annotate("w = 2, 6, 40\n(light to dark)", (0.3, 0.17), fontsize=9.5)
    axes[1, 0].plot(b, w, "o", color=VERMILLION, markersize=9)
    axes[1, 0].annotate("maximum", (b + 0.45, w + 0.75), color=VERMILLION, fontweight="bold", bbox=BACKED)
    axes[1, 1].annotate(
        "", (-9.6 * six_examples.MIDDLE, 9.6), (-1.8 * six_examples.MIDDLE, 1.8), arrowprops=_arrow(VERMILLION)
    )
    axes[1, 1].annotate("uphill\nfor ever", (0.35, 6.8), color=VERMILLION, fontweight="bold", bbox=BACKED)
    axes[0, 0].set_ylabel("y and p(y = 1 | x)")
    axes[1, 0].set_ylabel("slope w")
    return Picture(
        fig,
        "six-examples",
        alt="Above: six examples on a line with the response zero or one. Left, two of them are out of order, and the "
        "fitted curve rises gently. Right, all zeros lie left of all ones, and steeper and steeper curves between "
        "them fit better and better. Below: contours of the log likelihood over intercept and slope. Left: closed "
        "curves around one maximum, at a slope of 1.4. Right: a ridge that widens and rises for ever upwards.",
    )


def prior_on_six(penalty: float) -> Picture:
    """The log posterior of the separated examples under one prior, and the slope against the penalty."""
    X, y = six_examples.X[:, None], six_examples.SEPARATED
    slopes = [LogisticRegression(l2=each).fit(X, y).coef_.item() for each in PENALTIES]
    model = LogisticRegression(l2=penalty).fit(X, y)
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.5)
    _contours(left, y, penalty=penalty)
    left.plot(model.intercept_.item(), model.coef_.item(), "o", color=VERMILLION, markersize=9)
    left.set(title="With a prior: one maximum", ylabel="slope w")
    left.annotate(f"λ = {penalty:g}", (-5.6, -0.9), fontweight="bold", bbox=BACKED)
    right.plot(PENALTIES, slopes, color=BLACK)
    right.plot(penalty, model.coef_.item(), "o", color=VERMILLION, markersize=9)
    right.set(xscale="log", xlabel="penalty λ = 1 / τ²", ylabel="slope w", ylim=(-1.5, 10))
    right.set_title("λ decides where it is")
    return Picture(
        fig,
        "prior-on-six",
        alt="Left: contours of the log posterior of the six separated examples over intercept and slope, with a "
        f"penalty of {penalty:g}: closed curves around one maximum, at a slope of {model.coef_.item():.1f}. Right: "
        "the slope at the maximum against the penalty on a logarithmic axis; it grows without bound as the penalty "
        "goes to zero, and vanishes as the penalty grows.",
    )


def _contours(ax: Axes, y: NDArray, penalty: float, labels: Sequence[tuple[float, tuple[float, float]]] = ()) -> None:
    """Contours of ℓ(w, b) - λ w² / 2 of six examples; labels: some levels, each with the place of its name."""
    b, w = np.meshgrid(INTERCEPTS, SLOPES)
    surface = six_examples.log_posterior(y, w, b, penalty)
    lines = ax.contour(b, w, surface, levels=LEVELS, colors=BLUE, linewidths=1.2, linestyles="-")
    if labels:
        names = {level: f"ℓ = \N{MINUS SIGN}{-level:g}" for level, _ in labels}
        ax.clabel(lines, list(names), manual=[at for _, at in labels], fmt=names, fontsize=9.5)
    ax.grid(visible=False)
    ax.set(xlabel="intercept b", xticks=range(-6, 7, 2), yticks=range(0, 11, 2), ylim=(-1.5, 10))


def _arrow(color: str) -> dict[str, object]:
    return {"arrowstyle": "-|>", "color": color, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}


def height_and_weight(adults: Adults) -> Picture:
    """The plane of two features with lines of equal probability, and the logistic curve along the score."""
    X = adults.standardised
    model = LogisticRegression().fit(X, adults.man)
    (w, b), z = (model.coef_[0], model.intercept_.item()), model.decision_function(X)
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.9, width_ratios=[1.25, 1])
    _people(left, X, adults.man)
    unit, across = w / np.linalg.norm(w), np.array([-w[1], w[0]]) / np.linalg.norm(w)
    for level in (-4, -2, 0, 2, 4):
        foot = (level - b) / np.linalg.norm(w) * unit
        ends = np.array([foot + reach * across for reach in (-5, 5)])
        left.plot(*ends.T, color=BLACK, linewidth=2.2 if level == 0 else 0.9, linestyle="-" if level == 0 else "--")
        at = foot + across * (3.0 - foot[1]) / across[1]
        left.annotate(f"{expit(level):.0%}", at, ha="center", va="center", fontsize=9.5, bbox=BACKED)
    foot = -b / np.linalg.norm(w) * unit + 1.55 * -across
    left.annotate("", foot + unit, foot, arrowprops={"arrowstyle": "-|>", "color": BLACK, "linewidth": 2.4})
    left.annotate(
        "w", foot + unit, xytext=(4, -3), textcoords="offset points", fontsize=14, fontweight="bold", bbox=BACKED
    )
    for axis, values, ticks in (
        (left.xaxis, adults.height, np.arange(135, 181, 10)),
        (left.yaxis, adults.weight, np.arange(30, 66, 5)),
    ):
        axis.set_ticks((ticks - values.mean()) / values.std(), labels=[str(tick) for tick in ticks])
    left.set(
        xlabel="height, cm",
        ylabel="weight, kg",
        title="The boundary is nearly upright",
        aspect="equal",
        xlim=(-2.7, 3.3),
        ylim=(-2.5, 3.3),
    )
    left.grid(visible=False)
    left.legend(loc="lower right", handlelength=1, handletextpad=0.1, borderpad=0, frameon=False)
    _curve_along_score(right, z, adults.man)
    return Picture(
        fig,
        "height-and-weight",
        alt="Left: height and weight of the adults, women to the left and men to the right. Five parallel, nearly "
        "upright lines mark probabilities of being a man of 2, 12, 50, 88 and 98 per cent, at equal distances; the "
        "vector of coefficients is at right angles to them and points along the height. Right: the logistic curve "
        "over the log odds, with each person as a tick at the bottom, for women, or at the top, for men.",
    )


def _people(ax: Axes, X: Array, man: NDArray) -> None:
    for value, color, marker, name in ((0, WOMAN, "o", "women"), (1, MAN, "^", "men")):
        ax.plot(*X[man == value].T, marker, color=color, markersize=4.2, alpha=0.75, mew=0, label=name)


def _curve_along_score(ax: Axes, z: Array, man: NDArray) -> None:
    line = np.linspace(-7.5, 8.5, 300)
    ax.plot(line, expit(line), color=BLACK, linewidth=2.4)
    for value, color, level in ((0, WOMAN, -0.07), (1, MAN, 1.07)):
        ax.plot(z[man == value], np.full(np.sum(man == value), level), "|", color=color, markersize=9, alpha=0.6)
    for level in (-4, -2, 0, 2, 4):
        ax.plot([level, level], [0, expit(level)], color=GREY, linewidth=0.9, linestyle="--")
    ax.annotate("men", (-7.4, 0.93), color=MAN, fontweight="bold")
    ax.annotate("women", (4.6, -0.09), color=WOMAN, fontweight="bold")
    ax.set(
        xlabel="log odds  z = w · x + b",
        ylabel="probability of being a man",
        title="Only z matters",
        ylim=(-0.14, 1.14),
        xticks=range(-8, 9, 4),
        yticks=[0, 0.25, 0.5, 0.75, 1],
    )


def coefficient_paths(adults: Adults) -> Picture:
    """The coefficients of height and weight, each in standard deviations, against the penalty."""
    X = adults.standardised
    found = np.array([LogisticRegression(l2=each).fit(X, adults.man).coef_[0] for each in PENALTIES])
    fig, ax = figure(width=5.6, height=3.2)
    ax.plot(PENALTIES, found[:, 0], color=BLUE)
    ax.plot(PENALTIES, found[:, 1], color=VERMILLION, linestyle="--")
    ax.annotate("height", (2e-3, 2.42), color=BLUE, fontweight="bold")
    ax.annotate("weight", (2e-3, 0.08), color=VERMILLION, fontweight="bold")
    ax.axhline(0, color=GREY, linewidth=1)
    ax.set_title("A prior gives weight part of the credit")
    ax.set(xscale="log", xlabel="penalty λ = 1 / τ²", ylabel="log odds per standard deviation")
    return Picture(
        fig,
        "paths",
        alt="Coefficients per standard deviation against the penalty on a logarithmic axis. That of height falls from "
        "2.8 to zero; that of weight rises from just below zero to 0.4 at a penalty of about 30 before it falls to "
        "zero too.",
    )
