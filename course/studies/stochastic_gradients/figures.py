"""The figures of the note on stochastic gradients, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILLION, Picture, figure
from course.studies.stochastic_gradients.experiments import Noise

Array = NDArray[np.float64]
WIDTH = 6.6  # in inches
SHOWN_PASSES = 21
LABELS = {"SGD, shrinking": "SGD, shrinking steps"}
LOOKS = {
    "gradient descent": (VERMILLION, "-"),
    "L-BFGS": (GREEN, "--"),
    "SGD, constant step": (GREY, "-"),
    "SGD, shrinking": (ORANGE, "-"),
    "SAGA": (PURPLE, "-"),
}


def race(courses: Mapping[str, tuple[Array, Array]]) -> Picture:
    """What is left to gain against the work, for solvers with all examples and with one at a time."""
    fig, ax = figure(width=WIDTH, height=3.8)
    for name, (work, gap) in courses.items():
        color, style = LOOKS[name]
        ax.plot(work, np.maximum(gap, 1e-13), color=color, linestyle=style, label=LABELS.get(name, name))
    ax.set(
        yscale="log", ylim=(1e-10, 0.5), xlim=(0, 36), xlabel="work in full gradients", ylabel="mean loss − its minimum"
    )
    ax.legend(loc="upper right", bbox_to_anchor=(1.0, 0.81), fontsize=9.5, labelspacing=0.3)
    ax.set_title("SGD is ahead at first, then held up by its noise")
    return Picture(
        fig,
        "race",
        alt="Gap of the mean loss to its minimum on a logarithmic axis against the work, in full gradients over the "
        "diabetes data, for five methods. For the work of the first two gradients stochastic gradient descent with "
        "shrinking steps is ahead. With a constant step it then stays where it is, with shrinking steps it falls "
        "more and more slowly. SAGA falls along a straight line, about as fast as gradient descent, and L-BFGS bends "
        "downwards, far below all others.",
    )


def cloud(
    steps: Sequence[float],
    settled: Mapping[str, Array],
    noise: Noise,
    positions: Mapping[float, Array],
    best: Array,
    names: tuple[str, str],
) -> Picture:
    """Where a constant step stays, and the gap there against the step size, measured and predicted.

    positions : two coefficients of θ, shape (k, 2), for some step sizes, the longest first. best : at the minimum.
    """
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.6)
    for (step, points), color in zip(positions.items(), ("#F0C060", VERMILLION), strict=True):
        left.plot(*points.T, ".", color=color, markersize=3, label=f"α = {step}")
    left.plot(*best, "+", color=BLACK, markersize=12, markeredgewidth=2, label="minimum")
    left.set(xlabel=f"coefficient of {names[0]}", ylabel=f"coefficient of {names[1]}")
    left.margins(y=0.25)
    left.legend(loc="upper left", fontsize=8.5, ncols=2, handletextpad=0.1, columnspacing=0.8)
    left.set_title("Shorter steps:\na smaller cloud", fontsize=11)
    line = np.array([min(steps), max(steps)])
    right.plot(line, [noise.cloud(each) for each in line], color=BLACK, linewidth=1.4, linestyle="--")
    right.annotate("α tr C / 4", (0.0068, 0.0075), color=BLACK, fontweight="bold", fontsize=9.5)
    for name, marker, color in (("with replacement", "o", ORANGE), ("reshuffled", "s", BLUE)):
        right.plot(steps, settled[name].mean(axis=0), marker, color=color, label=name, markersize=6)
    right.set(xscale="log", yscale="log", xlabel="step size α", ylabel="final gap")
    right.legend(loc="lower right", fontsize=9)
    right.set_title("Final gap: proportional to α;\nreshuffled, far smaller", fontsize=11)
    return Picture(
        fig,
        "cloud",
        alt="Left: two coefficients after many updates with a constant step, for two step sizes: two clouds of points "
        "around the minimum, that of the shorter step much smaller. Right: the final gap against the step size, both "
        "logarithmic. Drawn with replacement, the markers lie on the predicted line, which is proportional to the step "
        "size, except for the longest steps, where they are above it. Reshuffled, they fall below the line, the more "
        "so the shorter the step.",
    )


def rates(gaps: Mapping[str, Array], predicted: float, m: int) -> Picture:
    """The gap with steps that shrink as c / k: three power laws."""
    fig, ax = figure(width=6.2, height=3.9)
    last = next(iter(gaps.values())).shape[1] - 1
    k = np.unique(np.geomspace(2, last, 24).round().astype(int))
    for name, text, color in (
        ("too short", "c = 1/(4μ), with replacement", GREY),
        ("with replacement", "c = 1/μ, with replacement", ORANGE),
        ("reshuffled", "c = 1/μ, reshuffled", BLUE),
    ):
        ax.plot(k, gaps[name].mean(axis=0)[k], color=color, label=text)
    ax.plot(k, predicted / (m * k), color=BLACK, linestyle="--", linewidth=1.4, label=f"predicted: A / ({m} × passes)")
    ax.set(xscale="log", yscale="log", xlabel="passes", ylabel="gap", ylim=(None, 0.05))
    ax.legend(loc="lower left", fontsize=9.5)
    ax.set_title("Steps c / k: the gap falls as 1 / k; reshuffled, as 1 / k²")
    return Picture(
        fig,
        "rates",
        alt="The gap against passes, both logarithmic, for steps that shrink as c over k. With c one over the smallest "
        "curvature and examples drawn with replacement it lies on the predicted line of slope minus one. With a "
        "quarter of that c it falls more slowly. Reshuffled, it falls much faster.",
    )


def momentum(plain: Array, heavy: Array, stochastic: Mapping[str, Array], floor: float) -> Picture:
    """Momentum with full gradients, and with the gradient of one example.

    stochastic : gaps after every pass, shape (runs, passes + 1). floor : the predicted final gap.
    """
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.4)
    left.plot(plain / plain[0], color=VERMILLION, label="gradient descent")
    left.plot(heavy / heavy[0], color=BLUE, label="with momentum")
    left.set(yscale="log", ylim=(1e-9, 3), xlabel="steps", ylabel="error / first error")
    left.legend(loc="lower left", fontsize=9)
    left.set_title("All examples:\nfar fewer steps", fontsize=10.5)
    for (name, each), color, style in zip(stochastic.items(), (VERMILLION, BLUE), ("-", "--"), strict=True):
        right.plot(each.mean(axis=0)[:SHOWN_PASSES], color=color, linestyle=style, label=name)
    right.axhline(floor, color=BLACK, linestyle=":", linewidth=1.6, label="predicted: α tr C / 4")
    right.set(yscale="log", xlabel="passes", ylabel="gap", ylim=(8e-3, 0.5))
    right.legend(loc="upper right", fontsize=9)
    right.set_title("One example at a time:\nsame noise floor", fontsize=10.5)
    return Picture(
        fig,
        "momentum",
        alt="Left: the error of gradient descent and of momentum on a problem with a large condition number, against "
        "steps: momentum falls many times faster. Right: the gap of stochastic gradient descent with and without "
        "momentum on the standardised data, against passes: from the second pass on, both curves stay at the "
        "predicted gap, a horizontal line.",
    )
