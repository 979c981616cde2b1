"""The figures of the note."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from course.figures import BLUE, GREY, ORANGE, VERMILLION, Picture, figure
from course.studies.errata.questions import QUESTIONS

WIDTH = 6.4  # inches
RIGHT, WRONG = BLUE, VERMILLION  # the correct form, and the printed one


def by_question(counts: Mapping[int, Mapping[str, int]]) -> Picture:
    """counts : for each question, the errata that are certainly the lecture's, and those perhaps due to conversion."""
    places = np.arange(len(counts))
    certain = np.array([each["lecture"] for each in counts.values()])
    perhaps = np.array([each["conversion"] for each in counts.values()])
    fig, ax = figure(width=WIDTH, height=3.6)
    ax.barh(places, certain, color=BLUE, height=0.62)
    ax.barh(places, perhaps, left=certain, color="white", edgecolor=BLUE, hatch="////", height=0.62, linewidth=1.2)
    for place, total in enumerate(certain + perhaps):
        ax.text(total + 0.2, place, str(total), va="center", fontweight="bold")
    ax.set_yticks(places, [f"{number}  {QUESTIONS[number]}" for number in counts])
    ax.invert_yaxis()
    ax.set(xlim=(0, 12.6), xticks=range(0, 13, 2), xlabel="formulas that fail as printed")
    ax.grid(visible=False, axis="y")
    ax.text(6.4, 4.35, "filled: certain", color=BLUE, fontweight="bold", fontsize=10)
    ax.text(6.4, 4.95, "hatched: possibly lost or\nmisread in conversion", color=BLUE, fontsize=10, va="center")
    common = sorted(counts, key=lambda number: -sum(counts[number].values()))[:2]
    caught = sum(sum(counts[number].values()) for number in common)
    title = f"We count {caught} of the {sum(certain) + sum(perhaps)} errors under two questions"
    fig.suptitle(title, x=0.02, ha="left", fontsize=12.5, fontweight="bold")
    bars = "; ".join(
        f"{QUESTIONS[number].lower()} {a + b}, {a} of them certain"
        for number, a, b in zip(counts, certain, perhaps, strict=True)
    )
    return Picture(fig, "by-question", f"Bars: how many errors we count under each of the six questions. {bars}.")


def posterior_and_prior(
    x: NDArray[np.float64], correct: NDArray[np.float64], printed: NDArray[np.float64], means: Sequence[float]
) -> Picture:
    """Posterior of the second class against x, as it should be and as printed. All arrays have the shape of x."""
    fig, ax = figure(width=WIDTH, height=3.3)
    ax.plot(x, correct, color=RIGHT)
    ax.plot(x, printed, color=WRONG, linestyle="--")
    ax.text(5.2, 0.87, "corrected", color=RIGHT, fontweight="bold")
    ax.text(5.2, printed[-1] + 0.04, "as printed", color=WRONG, fontweight="bold")
    for mean, name in zip(means, ("mean of class 1", "mean of class 2"), strict=True):
        ax.axvline(mean, color=GREY, linestyle=":", linewidth=1.2)
        ax.text(mean + 0.08, 1.06, name, color=GREY, fontsize=9.5)
    ax.set(
        xlim=(x[0], x[-1]),
        ylim=(-0.03, 1.14),
        xlabel="x",
        ylabel="posterior probability\nof class 2",
        title="As printed, the posterior does not look at x",
    )
    return Picture(
        fig,
        "posterior-and-prior",
        "The posterior probability of class 2 against x. The corrected formula rises in an S-curve from nearly 0 at "
        "the mean of class 1 to nearly 1 at the mean of class 2. The printed one is a horizontal line at the prior.",
    )


def two_signs(distances: Mapping[str, Sequence[float]]) -> Picture:
    """distances : how far below the maximum the log likelihood is after each step, by what is wrong with the step."""
    styles = {"corrected": (RIGHT, "-", 2.0), "both slips": (ORANGE, ":", 4.0), "one slip": (WRONG, "--", 2.0)}
    fig, ax = figure(width=WIDTH, height=3.5)
    for name, values in distances.items():
        color, line, width = styles[name]
        ax.semilogy(values, color=color, linestyle=line, marker="o", linewidth=width)
    last = len(distances["one slip"]) - 1
    ax.text(1.72, 6e-4, "corrected, and both\nslips together", color="#00527F", fontweight="bold", fontsize=10)
    ax.text(1.55, 60, "one slip alone", color=WRONG, fontweight="bold", fontsize=10, ha="right")
    ax.set(
        xticks=range(last + 1),
        xlabel="steps of Newton's method",
        ylabel="log likelihood,\nbelow its maximum by",
        title="Two wrong signs cancel; one alone goes downhill",
    )
    return Picture(
        fig,
        "two-signs",
        "How far the log likelihood of a small logistic regression is below its maximum, on a logarithmic scale, over "
        "the steps of Newton's method. The corrected step and the step with both slips lie on each other and fall "
        "steeply towards zero. With one slip alone the distance grows at every step.",
    )
