"""The figures of the note on logistic regression, one function each."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.special import expit, log_expit, logit
from scipy.stats import chi2

from course.figures import BLACK, BLUE, GREY, VERMILLION, Picture, figure
from course.studies.logistic_regression import six_examples
from course.studies.logistic_regression.adults import Adults
from course.studies.logistic_regression.sampling import Simulated
from probml.linear_model import LogisticRegression
from probml.metrics import CalibrationCurve
from probml.metrics.wilson import wilson_interval

Array = NDArray[np.float64]
MAN, WOMAN = BLUE, VERMILLION
BACKED = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}  # behind a word that lies on lines
HEIGHTS = np.array([136.0, 143.0, 147.0, 150.0, 153.0, 156.0, 159.0, 162.0, 166.0, 180.0])  # edges of groups, in cm
PENALTIES = np.geomspace(1e-3, 1e4, 71)
WIDTH = 7.2  # of figures with two panels, in inches: on a phone their letters are still legible


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
    left.legend(loc="lower right", handletextpad=0.1, borderpad=0.2, frameon=True, edgecolor="none", framealpha=0.9)
    _curve_along_score(right, z, adults.man)
    return Picture(
        fig,
        "height-and-weight",
        alt="Left: height and weight of the adults, women to the left and men to the right. Five parallel, nearly "
        "upright lines mark probabilities of being a man of 2, 12, 50, 88 and 98 per cent, at equal distances; the "
        "weight vector stands at right angles to them and points along the height. Right: the logistic curve over "
        "the log odds, with each person as a tick at the bottom, for women, or at the top, for men.",
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
        title="Probability: an S-curve",
        ylim=(-0.14, 1.14),
        xticks=range(-8, 9, 4),
        yticks=[0, 0.25, 0.5, 0.75, 1],
    )


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
    left.annotate(f"{-b / w:.1f} cm", (-b / w + 0.6, 0.02), color=GREY, fontweight="bold")
    left.set(xlabel="height, cm", ylabel="proportion of men", title="Proportions: an S-curve")
    half = np.log((men + 0.5) / (n - men + 0.5))
    right.plot(line, w * line + b, color=BLACK)
    # Where all or none are men, one end of the interval is infinite.
    inside = logit(np.clip([low, high], 1e-9, 1 - 1e-9))
    right.errorbar(centre, half, np.abs(inside - half), fmt="o", color=BLUE, capsize=3)
    right.set(xlabel="height, cm", ylabel="log odds", title="Log odds: nearly a line", ylim=(-6, 8.5))
    return Picture(
        fig,
        "sex-on-height",
        alt="Left: the proportion of men in nine groups of height with intervals, low below 147 cm and close to one "
        "above 160 cm, with the fitted S-shaped curve, which is one half at 155 cm. Right: the log odds of the "
        "same proportions rise nearly along the fitted straight line; the shortest group lies above it.",
    )


def maximum() -> Picture:
    """Log likelihood of six examples with overlapping classes, and with separated ones."""
    w, b = np.meshgrid(np.linspace(-1.5, 10, 90), np.linspace(-6, 6, 90))
    scenes = (
        ("Overlap: one maximum", six_examples.OVERLAPPING),
        ("Separated: no maximum", six_examples.SEPARATED),
    )
    fig, axes = figure(1, 2, width=WIDTH, height=3.1, sharey=True)
    levels = -np.array([6, 4.5, 3.5, 2.7, 1.6, 0.7, 0.2])
    for ax, (title, y) in zip(axes, scenes, strict=True):
        surface = six_examples.log_posterior(y, w, b)
        ax.contour(w, b, surface, levels=levels, colors=BLUE, linewidths=1.2, linestyles="-")
        ax.grid(visible=False)
        ax.set(title=title, xlabel="w", xticks=range(0, 11, 2))
    model = LogisticRegression().fit(six_examples.X[:, None], six_examples.OVERLAPPING)
    axes[0].plot(model.coef_.item(), model.intercept_.item(), "o", color=VERMILLION, markersize=9)
    axes[1].annotate("", (9.8, 0), (2, 0), arrowprops={"arrowstyle": "-|>", "color": VERMILLION, "linewidth": 2})
    axes[1].annotate("uphill for ever", (3.2, 0.55), color=VERMILLION, fontweight="bold", bbox=BACKED)
    axes[0].set_ylabel("b")
    return Picture(
        fig,
        "maximum",
        alt="Contours of the log likelihood over slope and intercept. Overlapping classes: closed curves around one "
        "maximum. Separated classes: a ridge that widens and rises for ever to the right.",
    )


def coefficient_paths(adults: Adults) -> Picture:
    """Coefficients against the penalty: of height and weight, and of six separated examples."""
    X = adults.standardised
    of_adults = np.array([LogisticRegression(l2=each).fit(X, adults.man).coef_[0] for each in PENALTIES])
    six, separated = six_examples.X[:, None], six_examples.SEPARATED
    of_six = [LogisticRegression(l2=each).fit(six, separated).coef_.item() for each in PENALTIES]
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.2)
    left.plot(PENALTIES, of_adults[:, 0], color=BLUE)
    left.plot(PENALTIES, of_adults[:, 1], color=VERMILLION, linestyle="--")
    left.annotate("height", (2e-3, 2.42), color=BLUE, fontweight="bold")
    left.annotate("weight", (2e-3, 0.08), color=VERMILLION, fontweight="bold")
    left.axhline(0, color=GREY, linewidth=1)
    left.set_title("A prior shares the credit")
    right.plot(PENALTIES, of_six, color=BLACK)
    right.set_title("Separated: finite again")
    for ax in (left, right):
        ax.set(xscale="log", xlabel="penalty λ = 1 / τ²", ylabel="coefficient")
    return Picture(
        fig,
        "paths",
        alt="Coefficients against the penalty on a logarithmic axis. Left: that of height falls from 2.8 to zero; that "
        "of weight rises from just below zero to 0.4 at a penalty of about 30 before it falls to zero too. Right: the "
        "slope of six separated examples, which grows without bound as the penalty goes to zero.",
    )


def wald_and_wilks(simulated: Simulated, statistics: dict[str, float]) -> Picture:
    """The likelihood-ratio statistic of simulated censuses, and Wald's parabola beside ℓ for nearly separated groups.

    statistics : likelihood-ratio statistics to be marked, by name.
    """
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.5)
    values = simulated.likelihood_ratio
    end = max(12.0, values.max())
    left.hist(values, np.arange(0, end + 0.5, 0.5), density=True, color=BLUE, alpha=0.45)
    line = np.linspace(0.08, end, 500)
    left.plot(line, chi2(1).pdf(line), color=BLACK)
    left.annotate("χ² density, one\ndegree of freedom", (0.6, 0.95), color=BLACK)
    for (name, value), shift, height in zip(statistics.items(), (1.6, 0.0), (0.55, 0.3), strict=True):
        left.annotate(
            f"{name}: {value:.2f}",
            (value, 0.01),
            (value + shift, height),
            ha="left" if shift else "center",
            color=VERMILLION,
            fontweight="bold",
            arrowprops={"arrowstyle": "-|>", "color": VERMILLION},
        )
    left.set(xlabel="likelihood-ratio statistic", ylabel="density", title="LR under the null: χ²")
    left.set(xlim=(-0.4, end + 1), xticks=range(0, 13, 4))
    _drop(right, right_of_hundred=99)
    return Picture(
        fig,
        "wald-and-wilks",
        alt="Left: histogram of the likelihood-ratio statistic of weight in simulated censuses, which follows the "
        "density of chi-squared with one degree of freedom; the observed values for weight, in the bulk, and for "
        "height squared, far out, are marked. Right: log likelihood against the slope for two groups of which 99 in "
        "100 are on their own side. From its maximum near 4.6 it falls by 127 at zero, while the parabola with the "
        "same curvature, which the Wald test uses, falls by 21.",
    )


def _drop(ax: Axes, right_of_hundred: int) -> None:
    """Half of each statistic as a drop: of the log likelihood, and of the parabola. The groups are at x = -1 and 1."""
    p = right_of_hundred / 100
    best, information = logit(p), 200 * p * (1 - p)

    def log_likelihood(w: Array | float) -> Array:
        return 200 * (p * log_expit(w) + (1 - p) * log_expit(-np.asarray(w)))

    line, top = np.linspace(-0.4, 9, 200), log_likelihood(best)
    ax.plot(line, log_likelihood(line), color=BLUE)
    ax.plot(line, top - information * (line - best) ** 2 / 2, color=VERMILLION, linestyle="--")
    drops = (
        (0.0, log_likelihood(0.0), BLUE, "½ LR ", -100.0),
        (-0.3, top - information * best**2 / 2, VERMILLION, "½ Wald ", -24.0),
    )
    for x, bottom, color, name, at in drops:
        arrow = {"arrowstyle": "<->", "color": color, "shrinkA": 0, "shrinkB": 0, "linewidth": 1.6}
        ax.annotate("", (x, bottom), (x, top), arrowprops=arrow)
        ax.annotate(name, (x, at), va="center", ha="right", color=color, fontweight="bold")
    ax.axhline(top, color=GREY, linewidth=1, linestyle=":")
    ax.annotate("parabola", (5.0, -43), color=VERMILLION, fontweight="bold")
    ax.annotate("ℓ", (1.7, -75), color=BLUE, fontweight="bold", fontsize=14)
    ax.set(xlabel="w", ylabel="log likelihood ℓ", title="Near separation: Wald fails")
    ax.set(xlim=(-3.6, 9.2), xticks=range(-2, 9, 2))


def calibration(curve: CalibrationCurve, errors_by_chance: Array) -> Picture:
    """Proportion of men against the mean probability in groups of held-out people; the error beside that of chance."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.4)
    left.plot([0, 1], [0, 1], color=GREY, linewidth=1)
    reach = [curve.observed - curve.lower, curve.upper - curve.observed]
    left.errorbar(curve.predicted, curve.observed, reach, fmt="o", color=BLUE, capsize=3)
    left.set(
        xlabel="mean predicted probability",
        ylabel="proportion of men",
        title="Close to the diagonal",
        xlim=(-0.03, 1.03),
        ylim=(-0.03, 1.03),
    )
    right.hist(errors_by_chance, np.linspace(0, 0.1, 41), color=BLUE, alpha=0.45)
    right.axvline(curve.error, color=VERMILLION)
    at = (curve.error + 0.002, 0.94 * right.get_ylim()[1])
    right.annotate(f"observed: {curve.error:.3f}", at, color=VERMILLION, fontweight="bold")
    right.set(
        xlabel="expected calibration error",
        ylabel="simulations",
        title="What chance alone does",
        xlim=(0, 0.1),
    )
    return Picture(
        fig,
        "calibration",
        alt="Left: proportion of men against the mean predicted probability in eight groups of held-out people, with "
        "intervals of 95 per cent; the points follow the diagonal. Right: histogram of the expected calibration error "
        "of simulated responses for which the probabilities are exactly right, centred near 0.04, with the observed "
        "error, near 0.05, as a line.",
    )
