"""The figures of the note on inference for logistic regression, one function each."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.special import expit, log_expit, logit
from scipy.stats import chi2, norm

from course.figures import BLACK, BLUE, GREY, VERMILLION, Picture, figure
from course.studies.how_sure_are_we.calibration import Tested
from course.studies.how_sure_are_we.profile import profile_of_weight
from course.studies.how_sure_are_we.sampling import CENTRE, REACH, Simulated
from course.studies.logistic_regression.adults import Adults
from probml.linear_model import LogisticRegression
from probml.metrics import CalibrationCurve

Array = NDArray[np.float64]
WIDTH = 7.2  # of figures with two panels, in inches: on a phone their letters are still legible
SHOWN = 40  # simulated censuses whose curves are drawn
BACKED = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}  # behind a word that lies on lines


def sampling_distribution(simulated: Simulated) -> Picture:
    """Curves fitted to simulated censuses, and their slopes beside the normal density of the formula."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.6)
    line = np.linspace(143, 168, 200)
    for w, b in simulated.estimate[:SHOWN]:
        left.plot(line, expit(w * (line - CENTRE[0]) + b), color=BLUE, linewidth=0.8, alpha=0.45)
    w, b = simulated.truth
    left.plot(line, expit(w * (line - CENTRE[0]) + b), color=BLACK, linewidth=2.6)
    left.annotate("the census", (158.0, 0.55), color=BLACK, fontweight="bold")
    left.annotate(f"{SHOWN} simulated\ncensuses", (143.3, 0.5), color=BLUE, fontweight="bold")
    left.set(xlabel="height, cm", ylabel="probability of being a man", title="Other censuses, other curves")
    right.hist(simulated.slope, 20, density=True, color=BLUE, alpha=0.45)
    reach = 4 * simulated.standard_error
    slopes = np.linspace(w - reach, w + 1.1 * reach, 300)
    right.plot(slopes, norm.pdf(slopes, w, simulated.standard_error), color=BLACK)
    right.annotate("predicted\nfrom one\ncensus", (w - reach, 7.4), color=BLACK, fontweight="bold")
    right.annotate("slopes", (w + 0.065, 6.0), color=BLUE, fontweight="bold")
    right.set(xlabel="slope, log odds per cm", ylabel="density", title="Their spread can be predicted")
    return Picture(
        fig,
        "sampling-distribution",
        alt="Left: the logistic curve of the probability of being a man against height, fitted to the census, amid "
        f"{SHOWN} thin curves fitted to simulated censuses, some steeper and some flatter. Right: a histogram of the "
        "slopes of all simulated censuses, with a normal density on top that was computed from one census alone: it "
        "has nearly the same centre and width.",
    )


def null_distribution(simulated: Simulated, statistics: dict[str, float]) -> Picture:
    """The likelihood-ratio statistic where weight is irrelevant, with χ² and the observed statistics, by name."""
    fig, ax = figure(width=6.4, height=3.7)
    values = simulated.likelihood_ratio
    end = max(12.0, float(values.max()))
    ax.hist(values, np.arange(0, end + 0.5, 0.5), density=True, color=BLUE, alpha=0.45)
    line = np.linspace(0.08, end, 500)
    ax.plot(line, chi2(1).pdf(line), color=BLACK)
    cut = REACH**2
    beyond = np.linspace(cut, end, 200)
    ax.fill_between(beyond, chi2(1).pdf(beyond), color=BLACK, alpha=0.55, linewidth=0)
    ax.axvline(cut, color=GREY, linewidth=1.2, linestyle=":", ymax=0.72)
    ax.annotate(f"{cut:.2f}: 5 % lie beyond", (cut + 0.15, 0.9), color=GREY, fontweight="bold")
    ax.annotate("χ² density with one degree of freedom", (0.55, 1.2), color=BLACK)
    ax.annotate("simulated censuses", (0.55, 1.06), color=BLUE, fontweight="bold")
    for (name, value), at in zip(statistics.items(), ((1.15, 0.56), (8.4, 0.42)), strict=True):
        ax.annotate(
            f"{name}: {value:.2f}",
            (value, 0.02),
            at,
            color=VERMILLION,
            fontweight="bold",
            arrowprops={"arrowstyle": "-|>", "color": VERMILLION},
        )
    ax.set(xlabel="likelihood-ratio statistic", ylabel="density")
    ax.set_title("0.29 is an ordinary value; 10.17 is not")
    ax.set(xlim=(-0.3, end + 0.5), xticks=range(0, 13, 2), ylim=(0, 1.4))
    return Picture(
        fig,
        "null-distribution",
        alt="Histogram of the likelihood-ratio statistic of weight in simulated censuses in which weight is "
        "irrelevant. It follows the density of chi-squared with one degree of freedom, of which five per cent lie "
        "beyond 3.84. The observed value for weight, 0.29, lies in the bulk; that for the square of height, 10.17, "
        "far out on the right.",
    )


def two_parabolas(adults: Adults) -> Picture:
    """ℓ and Wald's parabola: for the weight of the adults, where they agree, and near separation, where they do not."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.6)
    summary = LogisticRegression().fit(adults.features - CENTRE, adults.man).summary()
    best, error, top = summary.coefficient[1], summary.standard_error[1], summary.log_likelihood
    line = np.linspace(best - 3 * error, best + 3 * error, 61)
    left.plot(line, profile_of_weight(adults, line), color=BLUE)
    left.plot(line, top - (line - best) ** 2 / (2 * error**2), color=VERMILLION, linestyle="--")
    left.axhline(top - REACH**2 / 2, color=GREY, linewidth=1, linestyle=":")
    ends = best - REACH * error, best + REACH * error
    left.annotate("", (ends[0], top - 2.15), (ends[1], top - 2.15), arrowprops=_between(VERMILLION))
    left.annotate("95 % interval", (best, top - 2.7), ha="center", color=VERMILLION, fontweight="bold", bbox=BACKED)
    left.annotate("1.92 below the top", (best, top - 1.75), ha="center", color=GREY, bbox=BACKED)
    left.annotate("ℓ", (-0.1, top - 3.6), color=BLUE, fontweight="bold", fontsize=14)
    left.annotate("parabola", (-0.1, top - 4.1), color=VERMILLION, fontweight="bold")
    left.annotate("no effect", (0.003, top - 4.35), color=GREY)
    left.axvline(0, color=GREY, linewidth=1)
    left.set(xlabel="coefficient of weight, per kg", ylabel="log likelihood ℓ", title="Census: the curves agree")
    left.set_xticks([-0.1, -0.05, 0, 0.05])
    _near_separation(right, correct_of_hundred=99)
    return Picture(
        fig,
        "two-parabolas",
        alt="Log likelihood and Wald's parabola. Left: for the coefficient of weight in the census the two curves can "
        "hardly be told apart; zero lies within the interval of 95 per cent, where the curve is less than 1.92 below "
        "its top. Right: for two groups of which 99 in 100 are on their own side, the log likelihood falls by 127 from "
        "its maximum near 4.6 to zero, while the parabola falls by 21.",
    )


def _between(color: str) -> dict[str, object]:
    return {"arrowstyle": "<->", "color": color, "shrinkA": 0, "shrinkB": 0, "linewidth": 1.6}


def _near_separation(ax: Axes, correct_of_hundred: int) -> None:
    """Half of each statistic as a drop: of the log likelihood, and of the parabola. The groups are at x = -1 and 1."""
    p = correct_of_hundred / 100
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
        ax.annotate("", (x, bottom), (x, top), arrowprops=_between(color))
        ax.annotate(name, (x, at), va="center", ha="right", color=color, fontweight="bold")
    ax.axhline(top, color=GREY, linewidth=1, linestyle=":")
    ax.annotate("parabola", (5.0, -43), color=VERMILLION, fontweight="bold")
    ax.annotate("ℓ", (1.7, -75), color=BLUE, fontweight="bold", fontsize=14)
    ax.set(xlabel="slope w", title="Near separation: they part")
    ax.set(xlim=(-3.6, 9.2), xticks=range(-2, 9, 2))


def calibration(curve: CalibrationCurve, tested: Tested) -> Picture:
    """Proportion of men against the mean probability in groups by height; the running sum beside those of chance."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.6)
    left.plot([0, 1], [0, 1], color=GREY, linewidth=1)
    reach = [curve.observed - curve.lower, curve.upper - curve.observed]
    left.errorbar(curve.predicted, curve.observed, reach, fmt="o", color=BLUE, capsize=3)
    left.set(
        xlabel="mean fitted probability",
        ylabel="proportion of men",
        title="Every interval meets the line",
        xlim=(-0.03, 1.03),
        ylim=(-0.03, 1.03),
    )
    rare = float(np.quantile(tested.sum_by_chance, 0.95))
    right.fill_between(tested.heights, *tested.band, step="post", color=BLUE, alpha=0.25, linewidth=0)
    for side in (-rare, rare):
        right.axhline(side, color=GREY, linewidth=1.2, linestyle=":")
    right.step(tested.heights, tested.running_sum, where="post", color=VERMILLION)
    highest, lowest = tested.running_sum.argmax(), np.abs(tested.running_sum).argmax()
    for k, at in ((highest, (137.0, 5.95)), (lowest, (157.5, -7.3))):
        height, value = tested.heights[k], tested.running_sum[k]
        right.plot(height, value, "o", color=VERMILLION)
        name = f"{height:.1f} cm: {value:+.1f}".replace("-", "−")
        right.annotate(name, at, color=VERMILLION, fontweight="bold")
    right.annotate("5 % go beyond", (180, rare - 0.85), ha="right", color=GREY, fontweight="bold")
    right.annotate("95 % of sums\nat each height", (163.6, 1.6), fontsize=10, color=BLUE, fontweight="bold")
    right.set(
        xlabel="height up to which we add, cm",
        ylabel="men found − expected",
        title="But the sum strays too far",
        ylim=(-8.2, 7.2),
    )
    return Picture(
        fig,
        "calibration",
        alt="Left: proportion of men against the mean fitted probability in eight groups of people of similar height, "
        "with intervals of 95 per cent; all of them contain the diagonal, though the fourth point lies well below it. "
        "Right: men found minus men expected, added up from the shortest person to each height. The sum rises to 4.4 "
        "near 152 cm, falls within four centimetres to -6.6 at 156.2 cm, and climbs back to zero. At both extremes "
        "it leaves the band that holds 95 per cent of the simulated censuses at each height, and the second one lies "
        "beyond the dotted line, -5.4, that only five per cent of them pass anywhere.",
    )
