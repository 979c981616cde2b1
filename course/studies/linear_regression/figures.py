"""The figures of the note on linear regression, one function each."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, SKY, VERMILLION, Picture, figure
from course.studies.linear_regression import three_points, tracking
from course.studies.linear_regression.intervals import Fit
from course.studies.linear_regression.lms import lms, lms_batch
from course.studies.linear_regression.normal_equations import Rounding
from course.studies.linear_regression.tracking import Stream, Tracking, tracking_error
from course.studies.logistic_regression.adults import Adults

Array = NDArray[np.float64]
WIDTH = 7.2  # of figures with two panels, in inches: on a phone their letters are still legible
BACKED = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}  # behind a word that lies on lines
ROUNDING_UNIT = np.finfo(float).eps / 2


def weight_on_height(adults: Adults, level: float) -> Picture:
    """The adults, the fitted line, the confidence band of the line and the prediction band of a person."""
    fit = Fit.of(_with_ones(adults.height - 155), adults.weight)
    line = np.linspace(136, 180, 200)
    at = _with_ones(line - 155)
    mean = at @ fit.theta
    fig, ax = figure(width=6.4, height=4.3)
    for reach, color, shade in (
        (fit.reach_of_response(at, level), SKY, 0.25),
        (fit.reach_of_mean(at, level), BLUE, 0.55),
    ):
        ax.fill_between(line, mean - reach, mean + reach, color=color, alpha=shade, linewidth=0)
    ax.plot(adults.height, adults.weight, "o", color=BLACK, markersize=3.4, alpha=0.5, mew=0)
    ax.plot(line, mean, color=BLUE, linewidth=1.8)
    arrow = {"arrowstyle": "-", "color": BLUE, "linewidth": 1}
    for words, tip, place in (
        (f"{level * 100:g} % confidence\nfor the mean", (174.5, 56.8), (180, 39.5)),
        (f"{level * 100:g} % of\nall people", (161.5, 42.0), (167.5, 33)),
    ):
        ax.annotate(words, tip, place, ha="right", color=BLUE, fontweight="bold", arrowprops=arrow)
    ax.set(xlabel="height, cm", ylabel="weight, kg", xlim=(135.5, 180.5), ylim=(24, 70))
    ax.set_title("The mean is known to about a kilogram,\na person's weight to about eight")
    return Picture(
        fig,
        "weight-on-height",
        alt="Weight against height of 352 adults, a cloud that rises from 35 kg at 140 cm to 60 kg at 175 cm, with "
        "the fitted line. A narrow band around the line, half a kilogram to either side in the middle and about one at "
        "the ends, is the confidence interval for the mean. A wide band, eight kilograms to either side, holds about "
        f"{level:.0%} of the people.",
    )


def projection() -> Picture:
    """Three points with their line; and the same as vectors: the responses, their projection and the residual."""
    X, y = three_points.X, three_points.Y
    theta = np.linalg.solve(X.T @ X, X.T @ y)
    fitted = X @ theta
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.5, width_ratios=[1, 1.25])
    ends = np.array([-0.3, 2.3])
    left.plot(ends, theta[0] + theta[1] * ends, color=BLUE)
    for x, response, mean in zip(X[:, 1], y, fitted, strict=True):
        left.plot([x, x], [mean, response], color=VERMILLION, linewidth=2.4)
        left.annotate(
            f"{response - mean:+.0f}".replace("-", "−"),
            (x + 0.09, (mean + response) / 2),
            color=VERMILLION,
            va="center",
        )
    left.plot(X[:, 1], y, "o", color=BLACK, markersize=8)
    left.plot(X[:, 1], fitted, "D", color=BLUE, markersize=6)
    left.annotate("1 + x", (0.42, 1.72), color=BLUE, fontweight="bold", ha="right")
    left.set(xlabel="x", ylabel="y", xlim=(-0.35, 2.5), xticks=[0, 1, 2], yticks=range(5), ylim=(-0.5, 4.6))
    left.set_title("Three points, one line")
    _plane(right, X, y, fitted)
    return Picture(
        fig,
        "projection",
        alt="Left: the points (0, 0), (1, 4) and (2, 2) with the line 1 + x; the residuals are minus one, two and "
        "minus one. Right: the same three responses as one vector y = (0, 4, 2) in space. Below it lies the plane of "
        "the columns (1, 1, 1) and (0, 1, 2); the fitted vector (1, 2, 3) is the foot of the perpendicular from y onto "
        "the plane, and the residual (-1, 2, -1) stands at a right angle on it.",
    )


def _plane(ax: Axes, X: Array, y: Array, fitted: Array) -> None:
    """Draw vectors of three numbers as seen from the side: the plane of the columns of X lies flat."""
    first = fitted / np.linalg.norm(fitted)
    normal = (y - fitted) / np.linalg.norm(y - fitted)
    second = np.cross(normal, first)

    def seen(v: Array) -> Array:
        return np.array([v @ first - 0.55 * (v @ second), v @ normal + 0.75 * (v @ second)])

    corners = [a * first + b * second for a, b in ((-1.0, -1.4), (4.6, -1.4), (4.6, 1.2), (-1.0, 1.2))]
    ax.fill(*np.array([seen(corner) for corner in corners]).T, color=SKY, alpha=0.25, linewidth=0)
    for vector, name, color, offset in (
        (X[:, 0], "(1, 1, 1)", BLACK, (-62, 4)),
        (X[:, 1], "(0, 1, 2)", BLACK, (-22, -16)),
        (fitted, "ŷ = (1, 2, 3)", BLUE, (-32, -16)),
        (y, "y = (0, 4, 2)", BLACK, (-52, 5)),
    ):
        tip = seen(vector)
        arrow = {"arrowstyle": "-|>", "color": color, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", tip, (0, 0), arrowprops=arrow)
        ax.annotate(name, tip, xytext=offset, textcoords="offset points", color=color, fontweight="bold")
    ax.plot(*np.array([seen(fitted), seen(y)]).T, color=VERMILLION, linewidth=2.4)
    beside = (seen(fitted) + seen(y)) / 2 + np.array([0.12, 0.25])
    ax.annotate("residual\n(−1, 2, −1)", beside, color=VERMILLION, fontweight="bold", va="center")
    corner = [fitted - 0.3 * first, fitted - 0.3 * first + 0.3 * normal, fitted + 0.3 * normal]
    ax.plot(*np.array([seen(each) for each in corner]).T, color=VERMILLION, linewidth=1.2)
    ax.annotate("plane of the columns", seen(1.9 * first - 1.85 * second), ha="center", color=GREY)
    ax.set(title="Least squares is a projection", aspect="equal", xlim=(-1.8, 5.7), ylim=(-1.6, 3.0))
    ax.set_anchor("N")
    ax.axis("off")


def rounding_errors(found: Rounding) -> Picture:
    """Relative errors of polynomial coefficients against the condition number, for three methods."""
    fig, ax = figure(width=6.4, height=4.2)
    kappa = found.condition
    for values, color, marker in ((found.normal, VERMILLION, "o"), (found.qr, BLUE, "s"), (found.package, GREEN, "D")):
        ax.plot(kappa, np.clip(values, 1e-16, None), marker + "-", color=color)
    ends = np.array([kappa[0] / 2, kappa[-1] * 2])
    ax.plot(ends, ROUNDING_UNIT * ends, "--", color=GREY, linewidth=1)
    ax.plot(ends, ROUNDING_UNIT * ends**2, "--", color=GREY, linewidth=1)
    ax.annotate("ε κ²", (4e4, 4e-9), color=GREY)
    ax.annotate("ε κ", (1.5e4, 2e-14), color=GREY)
    ax.annotate("normal equations", (2e5, 3e-3), ha="right", color=VERMILLION, fontweight="bold")
    ax.annotate("QR", (3e9, 2e-5), ha="right", color=BLUE, fontweight="bold")
    ax.annotate("the package:\nQR, refined", (2e9, 1e-11), ha="left", va="top", color=GREEN, fontweight="bold")
    ax.axhline(1, color=GREY, linewidth=1)
    ax.annotate("no digit is right", (30, 1.6), color=GREY)
    ax.set(xscale="log", yscale="log", ylim=(3e-17, 30), xlim=ends)
    ax.set(xlabel=f"condition number κ of X (degrees 1 to {len(kappa)})", ylabel="relative error of the coefficients")
    ax.set_title("Forming XᵀX squares the condition number")
    return Picture(
        fig,
        "rounding-errors",
        alt="Relative error of the coefficients of polynomials of rising degree against the condition number of the "
        "design matrix, both logarithmic. The error of the normal equations follows the square of the condition number "
        "and is one from degree six on; that of QR follows the condition number itself; that of the package, which "
        "refines the result of QR, is about a thousand times smaller.",
    )


def step_sizes(adults: Adults) -> Picture:
    """How gradient descent nears the least mean squared error, by the step size and the unit of height."""
    runs = (
        ("height in cm, 1.02 × limit", 1, 1.02, VERMILLION, (44, 3e4)),
        ("height in cm, 0.5 × limit", 1, 0.5, BLUE, (44, 25)),
        ("height in units of 8 cm, 0.5 × limit", 8, 0.5, GREEN, (7, 1e-3)),
    )
    fig, ax = figure(width=6.4, height=3.9)
    iterations = np.arange(101)
    for name, unit, factor, color, place in runs:
        X, y = _with_ones((adults.height - 155) / unit), adults.weight
        limit = 2 / np.linalg.eigvalsh(X.T @ X / len(y))[-1]
        best = Fit.of(X, y).theta
        away = (lms_batch(X, y, factor * limit, len(iterations) - 1) - best) @ X.T
        excess = np.mean(away**2, axis=1)
        ax.plot(iterations, np.clip(excess, 1e-12, None), color=color)
        ax.annotate(name, place, color=color, fontweight="bold")
    ax.set(yscale="log", xlabel="step of gradient descent", ylabel="mean squared error above the least, kg²")
    ax.set(ylim=(1e-6, 1e6), xlim=(0, 100))
    ax.set_title("The steepest direction limits the step,\nthe flattest one sets the speed")
    return Picture(
        fig,
        "step-sizes",
        alt="Mean squared error above its least value against the number of gradient steps, on a logarithmic scale. "
        "With height in centimetres and a step 2 per cent above the limit the error first falls and then grows without "
        "bound; at half the limit it falls slowly, by a factor of about thirty in a hundred steps. With height in "
        "units of 8 cm and half the limit it falls below a millionth within five steps.",
    )


def lms_paths(adults: Adults, passes: int, rng: np.random.Generator) -> Picture:
    """Paths of LMS over the squared error, with a constant step and with shrinking ones."""
    X, y = _with_ones((adults.height - 155) / 8), adults.weight
    order = np.concatenate([rng.permutation(len(y)) for _ in range(passes)])
    best, start, k = Fit.of(X, y).theta, np.array([34.0, -2.0]), np.arange(len(order))
    scenes = (("A constant step never settles", 0.1, VERMILLION), ("Shrinking steps settle", 0.1 / (1 + k / 40), BLUE))
    intercepts, slopes = np.linspace(32, 51, 90), np.linspace(-4, 10, 80)
    away = np.array(np.meshgrid(intercepts, slopes)) - best[:, None, None]
    excess = np.einsum("iab,ij,jab->ab", away, X.T @ X / len(y), away)
    fig, axes = figure(1, 2, width=WIDTH, height=3.6, sharey=True)
    for ax, (title, steps, color) in zip(axes, scenes, strict=True):
        ax.contour(intercepts, slopes, excess, levels=[0.5, 4, 16, 49, 100, 169], colors="#B5B5B5", linewidths=0.8)
        ax.plot(*lms(X[order], y[order], steps, start).T, color=color, linewidth=0.7)
        ax.plot(*start, "o", color=BLACK, markersize=7)
        ax.plot(*best, "*", color=BLACK, markersize=13, mec="white", mew=0.8)
        ax.set(title=title, xlabel="intercept, kg", xlim=(32, 51), ylim=(-4, 10))
        ax.grid(visible=False)
    axes[0].annotate("start", (34.6, -2.9), fontweight="bold", bbox=BACKED)
    axes[1].annotate("minimum", (45.3, 7.4), ha="center", fontweight="bold", bbox=BACKED)
    axes[0].set_ylabel("slope, kg per 8 cm")
    return Picture(
        fig,
        "lms-paths",
        alt="Contours of the mean squared error over intercept and slope, twice, with the path of LMS from the lower "
        "left. With a constant step of 0.1 the path arrives at the minimum and then wanders around it in a cloud of "
        "about two kilograms; with shrinking steps it arrives and settles.",
    )


def drift(found: Tracking, rng: np.random.Generator) -> Picture:
    """A drifting target with two estimates of it; and the error of LMS by its step, beside theory and refitting."""
    streams, best = len(found.refitted), tracking.DRIFT / tracking.NOISE
    stream = Stream.drawn(tracking.LENGTH, tracking.DRIFT, tracking.NOISE, rng)
    fig, (left, right) = figure(1, 2, width=WIDTH + 0.6, height=3.9)
    time = np.arange(tracking.LENGTH)
    left.plot(time, stream.followed(best)[:, 0], color=BLUE, linewidth=0.9, label="LMS, α = 0.03")
    left.plot(time, stream.target[:, 0], color=BLACK, linewidth=1.5, label="target")
    left.plot(time[20:], stream.refitted()[19:, 0], color=VERMILLION, linewidth=1.5, label="least squares so far")
    left.legend(loc="best", fontsize=9.5, handlelength=1.2, labelcolor="linecolor")
    left.set(xlabel="examples seen", ylabel="first coefficient", xticks=[0, 1000, 2000])
    left.set_title("A constant step tracks\na drifting target")
    mean, reach = found.followed.mean(axis=0), 2 * found.followed.std(axis=0, ddof=1) / np.sqrt(streams)
    grid = np.geomspace(tracking.STEPS[0], tracking.STEPS[-1], 100)
    theory = [tracking_error(step, tracking.DRIFT, tracking.NOISE) for step in grid]
    right.plot(grid, theory, color=GREY, linewidth=1.5)
    right.errorbar(tracking.STEPS, mean, reach, fmt="o", color=BLUE, capsize=3)
    level, half = found.refitted.mean(), 2 * found.refitted.std(ddof=1) / np.sqrt(streams)
    right.axhspan(level - half, level + half, color=VERMILLION, alpha=0.25, linewidth=0)
    right.axhline(level, color=VERMILLION)
    right.annotate("least squares so far", (0.3, level + half * 1.3), ha="right", color=VERMILLION, fontweight="bold")
    right.annotate("LMS and its\ntheory (grey)", (0.06, 0.26), ha="center", color=BLUE, fontweight="bold")
    right.axvline(best, color=ORANGE, linewidth=1.5, linestyle=":")
    right.annotate("d / σ", (best * 1.06, 0.031), color=BLACK)
    right.set(xscale="log", yscale="log", ylim=(0.028, 2.5), xlabel="step size α", ylabel="mean squared error of θ")
    right.set_xticks([0.01, 0.03, 0.1, 0.3], labels=["0.01", "0.03", "0.1", "0.3"])
    right.set_yticks([0.03, 0.1, 0.3, 1], labels=["0.03", "0.1", "0.3", "1"])
    right.minorticks_off()
    right.set_title("The best step is about\ndrift / noise")
    return Picture(
        fig,
        "drift",
        alt="Left: the first coefficient of a target that drifts at random over 2000 examples. LMS with a step of 0.03 "
        "stays close to it; least squares on all examples so far lags behind. Right: the mean squared error of LMS "
        "against its step is a valley that follows the theoretical curve, with its lowest point near the ratio of "
        "drift to noise, 0.03. Least squares on all examples so far is a horizontal line many times higher.",
    )


def _with_ones(x: Array) -> Array:
    return np.column_stack([np.ones(len(x)), x])
