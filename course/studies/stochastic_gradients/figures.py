"""The figures of the note on stochastic gradients, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILLION, Picture, figure
from course.studies.stochastic_gradients.experiments import Noise

Array = NDArray[np.float64]
WIDTH = 6.6  # in inches
LABELS = {"SGD, shrinking": "SGD, shrinking, c = 1/μ", "SAGA": "SAGA (a pass costs two)"}
LOOKS = {
    "gradient descent": (VERMILLION, "-"),
    "L-BFGS": (GREEN, "--"),
    "SGD, constant step": (GREY, "-"),
    "SGD, shrinking": (ORANGE, "-"),
    "SAGA": (PURPLE, "-"),
}


def race(courses: Mapping[str, tuple[Array, Array]]) -> Picture:
    """What is left to gain against passes over the data, for solvers with all examples and with one at a time."""
    fig, ax = figure(width=WIDTH, height=3.8)
    for name, (passes, gap) in courses.items():
        color, style = LOOKS[name]
        ax.plot(passes, np.maximum(gap, 1e-13), color=color, linestyle=style, label=LABELS.get(name, name))
    ax.set(
        yscale="log", ylim=(1e-10, 0.5), xlim=(0, 24), xlabel="passes over the data", ylabel="mean loss − its minimum"
    )
    ax.legend(loc="lower left", fontsize=9.5)
    ax.set_title("SGD: ahead at first, then held up by noise")
    return Picture(
        fig,
        "race",
        alt="Gap of the mean loss to its minimum on a logarithmic axis against passes over the diabetes data, for five "
        "methods. In the first two passes stochastic gradient descent with shrinking steps is ahead, with c = 1/μ, "
        "which nobody knows in advance. With a constant step it then stays where it is, with shrinking steps it falls "
        "more and more slowly. SAGA, whose passes cost twice as much, falls along a straight line, as gradient descent "
        "does, and L-BFGS bends downwards.",
    )


def cloud(steps: Sequence[float], settled: Mapping[str, Array], noise: Noise) -> Picture:
    """The gap in the end against the constant step size, measured and predicted."""
    fig, ax = figure(width=5.6, height=3.3)
    line = np.array([min(steps), max(steps)])
    ax.plot(line, [noise.cloud(each) for each in line], color=BLACK, linewidth=1.4, linestyle="--")
    ax.annotate("α tr C / 4", (0.0068, 0.006), color=BLACK, fontweight="bold")
    for name, marker, color in (("with replacement", "o", ORANGE), ("reshuffled", "s", BLUE)):
        ax.plot(steps, settled[name].mean(axis=0), marker, color=color, label=name, markersize=7)
    ax.set(xscale="log", yscale="log", xlabel="step size α", ylabel="gap in the end")
    ax.legend(loc="lower right")
    ax.set_title("A constant step ends in a cloud")
    return Picture(
        fig,
        "cloud",
        alt="The gap that remains in the end against the constant step size, both logarithmic. Drawn with replacement, "
        "the markers lie on the predicted line, which is proportional to the step size, except for the longest steps, "
        "where they are above it. Reshuffled, they fall below the line, the more so the shorter the step.",
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
    ax.plot(k, predicted / (m * k), color=BLACK, linestyle="--", linewidth=1.4, label="predicted: A / k")
    ax.set(xscale="log", yscale="log", xlabel="passes", ylabel="gap", ylim=(None, 0.05))
    ax.legend(loc="lower left", fontsize=9.5)
    ax.set_title("Steps c / k: as 1 / k, more slowly, or faster")
    return Picture(
        fig,
        "rates",
        alt="The gap against passes, both logarithmic, for steps that shrink as c over k. With c one over the smallest "
        "curvature and examples drawn with replacement it lies on the predicted line of slope minus one. With a "
        "quarter of that c it falls more slowly. Reshuffled, it falls much faster.",
    )


def momentum(plain: Array, heavy: Array, stochastic: Mapping[str, Array]) -> Picture:
    """Momentum with full gradients, and with the gradient of one example, on the same data."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.1)
    left.plot(plain / plain[0], color=VERMILLION, label="gradient descent")
    left.plot(heavy / heavy[0], color=BLUE, label="with momentum")
    left.set(yscale="log", ylim=(1e-9, 3), xlabel="steps", ylabel="error / first error")
    left.legend(loc="lower left", fontsize=9)
    left.set_title("All examples: a great gain", fontsize=11)
    for (name, each), color, style in zip(stochastic.items(), (VERMILLION, BLUE), ("-", "--"), strict=True):
        right.plot(each.mean(axis=0)[:31], color=color, linestyle=style, label=name)
    right.set(yscale="log", xlabel="passes", ylabel="gap", ylim=(8e-3, 0.5))
    right.legend(loc="upper right", fontsize=9)
    right.set_title("One at a time: no gain", fontsize=11)
    return Picture(
        fig,
        "momentum",
        alt="Left: the error of gradient descent and of momentum on a problem with a large condition number, against "
        "steps: momentum falls many times faster. Right: the gap of stochastic gradient descent with and without "
        "momentum on the same problem, against passes: the two curves lie on each other.",
    )
