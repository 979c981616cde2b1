"""The figures of the note on efficiency, one function each. GDA is blue, logistic regression orange."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray
from scipy.special import expit, ndtr
from scipy.stats import norm

from course.figures import BLACK, BLUE, GREY, ORANGE, PURPLE, Picture, figure
from course.studies.efficiency.small_samples import AtSize
from course.studies.gda_v_logistic import efron
from course.studies.gda_v_logistic.ratio import Ratio
from course.studies.gda_v_logistic.two_normals import TwoNormals

Array = NDArray[np.float64]
WIDTH = 7.2  # in inches: on a phone the letters are still legible
DARK_ORANGE = "#A36F00"  # legible as text
DARK_PURPLE = "#A8527F"
DELTAS = np.linspace(0, 4, 81)


def efficiency(simulated: Mapping[TwoNormals, Ratio]) -> Picture:
    """Relative efficiency for equal priors against the distance of the means: integrals, and simulated points."""
    fig, ax = figure(width=WIDTH, height=3.7)
    ax.plot(DELTAS, [efron.efficiency(TwoNormals(float(delta))) for delta in DELTAS], color=ORANGE)
    ends = np.array([[each.value - each.low, each.high - each.value] for each in simulated.values()]).T
    ax.errorbar(
        [case.delta for case in simulated],
        [each.value for each in simulated.values()],
        ends,
        fmt="o",
        color=BLACK,
        markersize=4,
    )
    ax.axhline(1, color=BLUE, linewidth=2)
    ax.annotate("GDA = 1", (0.03, 1.02), color=BLUE, fontweight="bold", fontsize=10)
    ax.annotate("logistic regression", (2.62, 0.78), color=DARK_ORANGE, fontweight="bold", fontsize=10)
    ax.annotate("dots: simulated, with intervals", (0.03, 0.12), fontsize=10)
    for delta in (1.0, 2.0, 3.0, 4.0):
        text = f"{100 * ndtr(-delta / 2):.0f} %"
        ax.annotate(text if delta > 1 else f"best error {text}", (delta, 0.015), ha="center", color=GREY, fontsize=9)
    ax.set(xlabel="distance of the class means Δ", ylabel="relative efficiency", ylim=(0, 1.12), xlim=(-0.08, 4.25))
    ax.set_title("The farther apart the classes, the more normality is worth")
    return Picture(
        fig,
        "efficiency",
        alt="Asymptotic relative efficiency of logistic regression against the distance of the class means, for equal "
        "priors: 1 at distance 0, 0.9 at 2, 0.64 at 3 and 0.34 at 4, with simulated points on the curve. The best "
        "possible errors at distances 1 to 4 are 31, 16, 7 and 2 per cent.",
    )


def cost_of_a_shift() -> Picture:
    """A boundary that is shifted and tilted, and the loss along one line across it."""
    delta, tau = 2.0, 0.0
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.4)
    angle = np.linspace(0, 2 * np.pi, 200)
    for centre, color, name in ((-delta / 2, GREY, "class 0"), (delta / 2, PURPLE, "class 1")):
        left.plot(centre + np.cos(angle), np.sin(angle), color=color)
        text = DARK_PURPLE if color == PURPLE else color
        left.annotate(name, (1.55 * centre, 1.25), color=text, ha="center", fontweight="bold", fontsize=10)
    across = np.array([-3.0, 3.0])
    shifted = 0.35 + 0.22 * across
    left.fill_betweenx(across, tau, shifted, color=ORANGE, alpha=0.3, linewidth=0)
    left.plot([tau, tau], across, color=BLACK)
    left.plot(shifted, across, color=ORANGE)
    left.annotate("true", (-0.1, 2.15), ha="right", fontsize=10, fontweight="bold")
    left.annotate("estimated", (0.95, 2.25), color=DARK_ORANGE, fontsize=10, fontweight="bold")
    left.set(xlim=(-3, 3), ylim=(-2.6, 2.6), aspect="equal", xticks=[], yticks=[], xlabel="$x_1$", ylabel="$x_2$")
    left.set_title("An estimate is shifted and tilted", fontsize=11.5)
    x = np.linspace(-0.8, 1.4, 300)
    gap = (norm.pdf(x, delta / 2) - norm.pdf(x, -delta / 2)) / 2
    t = 0.6
    right.plot(x, gap, color=BLACK)
    right.plot(x, delta * norm.pdf(delta / 2) / 2 * x, color=GREY, linestyle="--", linewidth=1.3)
    inside = (x >= 0) & (x <= t)
    right.fill_between(x, 0, gap, where=inside, color=ORANGE, alpha=0.35, linewidth=0)
    right.axhline(0, color=GREY, linewidth=1)
    right.annotate("loss", (0.4, 0.03), color=DARK_ORANGE, fontweight="bold", fontsize=10, ha="center")
    right.annotate("τ + t", (t, -0.022), ha="center", fontsize=11, fontweight="bold")
    right.annotate("τ", (0.0, -0.022), ha="center", fontsize=11, fontweight="bold")
    right.set(xlim=(-0.8, 1.2), ylim=(-0.12, 0.2), xticks=[], yticks=[0], xlabel="$x_1$")
    right.set_ylabel("$\\pi_1 f_1 - \\pi_0 f_0$")
    right.set_title("A triangle: the loss grows as $t^2$", fontsize=11.5)
    return Picture(
        fig,
        "cost-of-a-shift",
        alt="Left: two round classes, the true boundary between them, and an estimated one that is shifted and tilted; "
        "the area between the two is where the rule errs needlessly. Right: the difference of the class densities "
        "along a line across the boundary is zero at τ and rises nearly along a straight line; the loss of a boundary "
        "that is shifted by t is nearly the area of a triangle.",
    )


def who_informs() -> Picture:
    """Examples by their place, and by the weight p(1 - p) that they have for logistic regression."""
    fig, axes = figure(1, 2, width=WIDTH, height=3.0, sharey=True)
    _headline(fig, "Far-apart classes leave few examples that inform logistic regression")
    x = np.linspace(-4.5, 4.5, 400)
    shares = []
    for ax, delta in zip(axes, (1.0, 3.0), strict=True):
        density = (norm.pdf(x, delta / 2) + norm.pdf(x, -delta / 2)) / 2
        p = expit(delta * x)
        ax.plot(x, density, color=BLUE)
        ax.fill_between(x, 4 * p * (1 - p) * density, color=ORANGE, linewidth=0)
        shares.append(4 * efron.information(TwoNormals(delta))[0])
        ax.set_title(f"Δ = {delta:g}: mean weight {shares[-1]:.0%}", fontsize=11)
        ax.set(xlabel="$x_1$", xticks=[-3, 0, 3], yticks=[], ylim=(0, 0.42))
    axes[0].annotate("all examples", (1.7, 0.22), color=BLUE, fontweight="bold", fontsize=10)
    axes[1].annotate(
        "weighted by 4 p (1 − p)", (0, 0.25), color=DARK_ORANGE, ha="center", fontweight="bold", fontsize=10
    )
    axes[0].set_ylabel("density")
    return Picture(
        fig,
        "who-informs",
        alt="Density of the examples along the line of the means, and the same density weighted by four times p times "
        f"one minus p, for distances 1 and 3. At distance 1 the weighted density has {shares[0]:.0%} of the mass, at "
        f"distance 3 only {shares[1]:.0%}, in a narrow peak at the boundary between the two hills of examples.",
    )


def small_samples(found: Mapping[TwoNormals, Sequence[AtSize]]) -> Picture:
    """How many times larger the excess error of logistic regression is, against the number of examples."""
    fig, axes = figure(1, 2, width=WIDTH, height=3.4, sharey=True)
    _headline(fig, "With few examples the ratio differs from Efron's limit")
    for ax, (case, sizes) in zip(axes, found.items(), strict=True):
        limit = 1 / efron.efficiency(case)
        ax.axhline(1, color=GREY, linewidth=1)
        ax.axhline(limit, color=BLACK, linewidth=1.4, linestyle="--")
        ratio = [each.ratio for each in sizes]
        ends = np.array([[each.value - each.low, each.high - each.value] for each in ratio]).T
        m = [each.m for each in sizes]
        ax.errorbar(m, [each.value for each in ratio], ends, color=ORANGE, marker="^")
        ax.set(xscale="log", xlabel="training examples m", ylim=(0.4, 2.5))
        ax.set_xticks([20, 100, 1000], ["20", "100", "1000"])
        ax.xaxis.set_minor_locator(NullLocator())
        ax.set_title(f"n = {case.n} features", fontsize=11)
    axes[1].annotate("GDA ahead", (1000, 1.08), ha="right", color=BLUE, fontsize=9.5, fontweight="bold")
    axes[1].annotate("behind", (1000, 0.9), ha="right", va="top", color=DARK_ORANGE, fontsize=9.5, fontweight="bold")
    axes[0].annotate(f"limit {1 / efron.efficiency(next(iter(found))):.2f}", (15, 1.38), fontsize=9.5)
    axes[0].set_ylabel("excess error, logistic / GDA")
    return Picture(
        fig,
        "small-samples",
        alt="Excess error of logistic regression divided by that of GDA, against the number of training examples, with "
        "Efron's limit as a dashed line. With 2 features the ratio lies above the limit at first and comes down to "
        "it. With 10 features it is below 1 for 15 and 20 examples, rises to above 2 near 100, and comes down to the "
        "limit.",
    )


def _headline(fig: Figure, text: str) -> None:
    fig.suptitle(text, x=0.01, ha="left", fontsize=12, fontweight="bold")
