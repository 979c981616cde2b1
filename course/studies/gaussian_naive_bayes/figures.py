"""The figures of the note on Gaussian naive Bayes, one function each."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Ellipse
from numpy.typing import NDArray
from scipy.stats import norm

from course.figures import BLACK, BLUE, GREEN, GREY, VERMILLION, Picture, figure
from course.studies.gaussian_naive_bayes.boundary import cuts, log_odds
from course.studies.gaussian_naive_bayes.confidence import Confidence
from course.studies.gaussian_naive_bayes.people import People
from probml.naive_bayes import GaussianNB

CLASS_COLOURS = (VERMILLION, BLUE)  # children, adults
MARKERS = ("o", "^")
WIDTH = 7.2  # of figures with two panels, in inches: on a phone their letters are still legible
BACKED = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}  # behind a word that lies on lines


def two_boundaries(people: People) -> Picture:
    """The plane of height and weight, with own variances and with shared ones: classes, ellipses and boundary."""
    fig, axes = figure(1, 2, width=WIDTH, height=4.4, sharey=True)
    titles = ("Own variances: an ellipse", "Shared variances: a line")
    for ax, shared, title in zip(axes, (False, True), titles, strict=True):
        model = GaussianNB(shared_variance=shared, var_smoothing=0).fit(people.X, people.adult)
        _plane(ax, people.X, people.adult, model, (30, 225), (-10, 132))
        ax.set(title=title, xlabel="height, cm", xticks=range(50, 201, 50), yticks=range(0, 121, 40))
    axes[0].set_ylabel("weight, kg")
    axes[0].annotate("children", (98, 42), color=CLASS_COLOURS[0], fontweight="bold", ha="right")
    axes[0].annotate("adults", (160, 74), color=CLASS_COLOURS[1], fontweight="bold", ha="center", bbox=BACKED)
    axes[0].annotate("boundary", (118, 100), color=BLACK, fontweight="bold", ha="right")
    return Picture(
        fig,
        "two-boundaries",
        alt="Height and weight of 544 people, twice: children, spread from 54 to 158 cm, and adults, close together "
        "around 155 cm and 45 kg. Around each class lie two ellipses whose axes are horizontal and vertical. Left: the "
        "classes have their own variances, and the boundary is a large ellipse around the adults that closes again "
        "beyond the tallest and heaviest of them. Right: they share their variances, the ellipses of both "
        "classes have the same size, and the boundary is a falling straight line between them.",
    )


def _plane(
    ax: Axes,
    X: NDArray[np.float64],
    y: NDArray[np.intp],
    model: GaussianNB,
    across: tuple[float, float],
    upwards: tuple[float, float],
) -> None:
    """Examples of two classes, the ellipses of one and two standard deviations, and the boundary."""
    for j, (color, marker) in enumerate(zip(CLASS_COLOURS, MARKERS, strict=True)):
        ax.plot(*X[y == j].T, marker, color=color, markersize=3.2, alpha=0.55, markeredgewidth=0)
        for radius in (1, 2):
            width, height = 2 * radius * np.sqrt(model.var_[j])
            ax.add_patch(Ellipse(model.theta_[j], width, height, fill=False, edgecolor=color, linewidth=1.3))
    first, second = np.meshgrid(np.linspace(*across, 240), np.linspace(*upwards, 240))
    z = log_odds(model, np.column_stack([first.ravel(), second.ravel()])).reshape(first.shape)
    ax.contour(first, second, z, levels=[0], colors=BLACK, linewidths=2.2)
    ax.set(xlim=across, ylim=upwards)
    ax.grid(visible=False)


def heights(people: People) -> Picture:
    """Histograms of the heights of both classes, with the fitted normal densities."""
    fig, ax = figure(width=WIDTH, height=3.1)
    line = np.linspace(40, 200, 500)
    for j, (name, color) in enumerate(zip(("children", "adults"), CLASS_COLOURS, strict=True)):
        x = people.X[people.adult == j, 0]
        ax.hist(x, bins=np.arange(50, 186, 5), density=True, color=color, alpha=0.3)
        ax.plot(line, norm.pdf(line, x.mean(), x.std()), color=color)
        ax.annotate(name, ((80, 0.019), (166, 0.040))[j], color=color, fontweight="bold", ha=("right", "left")[j])
    ax.set(xlabel="height, cm", ylabel="density, per cm", xlim=(40, 200))
    ax.set_title("The heights of children spread three times as widely")
    return Picture(
        fig,
        "heights",
        alt="Histograms of heights with fitted normal curves. The adults form a narrow bell around 155 cm, which their "
        "curve follows. The children spread widely and unevenly between 54 and 158 cm, with many between 120 and 150 "
        "cm, while their curve is highest at 108 cm and goes on beyond 170 cm.",
    )


def parabola(people: People) -> Picture:
    """The log odds of being an adult against height alone, with own variances and with one for both classes."""
    x, y = people.X[:, :1], people.adult
    own, shared = (GaussianNB(shared_variance=each, var_smoothing=0).fit(x, y) for each in (False, True))
    fig, ax = figure(width=WIDTH, height=3.5)
    line = np.linspace(90, 215, 400)
    ax.axhline(0, color=GREY, linewidth=1)
    for model, color, style in ((own, GREEN, "-"), (shared, BLACK, "--")):
        z = log_odds(model, line[:, None])
        ax.plot(line[z > -9], z[z > -9], style, color=color)  # below, bars show the heights that there are
        ax.plot(cuts(model), np.zeros(len(cuts(model))), "o", color=color, markersize=7)
    for cut, side in zip(cuts(own), ("left", "right"), strict=True):
        shift = (7, -15) if side == "left" else (-7, -15)
        ax.annotate(
            f"{cut:.1f} cm", (cut, 0), xytext=shift, textcoords="offset points", ha=side, color=GREEN, fontweight="bold"
        )
    ax.annotate(
        f"{cuts(shared)[0]:.1f} cm",
        (cuts(shared)[0], 0),
        xytext=(-7, 6),
        textcoords="offset points",
        ha="right",
        fontweight="bold",
    )
    ax.axvspan(x[y == 1].min(), x[y == 1].max(), ymax=0.045, color=BLUE, linewidth=0)
    ax.axvspan(90, x[y == 0].max(), ymin=0.055, ymax=0.1, color=VERMILLION, linewidth=0)
    ax.annotate("heights of adults", (181, -11.9), color=BLUE, fontweight="bold", va="bottom")
    ax.annotate("heights of children", (160, -10.5), color=VERMILLION, fontweight="bold", va="bottom")
    ax.annotate("own variances", (166, 3.6), color=GREEN, fontweight="bold")
    ax.annotate("one variance", (173, 9.4), color=BLACK, fontweight="bold", ha="right")
    ax.set(xlabel="height, cm", ylabel="log odds of an adult", xlim=(90, 215), ylim=(-12, 12))
    ax.set_title("The parabola comes down again, the line does not")
    return Picture(
        fig,
        "parabola",
        alt="Log odds of being an adult against height. With own variances they are a parabola, positive only between "
        "137.5 and 180.9 cm, just beyond the tallest adult; with one variance a rising straight line, zero at 127.9 "
        "cm. Bars at the bottom show that the children are at most 158 cm tall and the adults between 137 and 179 cm.",
    )


def expected_and_actual(worlds: Mapping[str, Confidence]) -> Picture:
    """The proportion of errors that the posteriors announce, and the actual one, for each kind of data or model."""
    fig, ax = figure(width=WIDTH, height=3.0)
    gaps = [found.error - found.expected_error for found in worlds.values()]
    for row, found in enumerate(worlds.values()):
        expected, actual = 100 * found.expected_error, 100 * found.error
        ax.plot([expected, actual], [row, row], color=GREY, linewidth=2, zorder=1)
        ax.plot(expected, row, "o", color=BLUE, markersize=10, markerfacecolor="white", markeredgewidth=2)
        ax.plot(actual, row, "o", color=VERMILLION, markersize=10)
    widest = max(range(len(worlds)), key=lambda row: gaps[row])
    labelled = list(worlds.values())[widest]
    for value, name, color in (
        (labelled.expected_error, "announced", BLUE),
        (labelled.error, "actual", VERMILLION),
    ):
        ax.annotate(name, (100 * value, widest - 0.28), color=color, fontweight="bold", ha="center")
    ax.set_yticks(range(len(worlds)), worlds)
    ax.set(xlim=(0, 5), ylim=(len(worlds) - 0.6, -0.5), xlabel="people assigned to the wrong class, %")
    ax.grid(visible=False, axis="y")
    ax.set_title("Knowing the correlation closes only half of the gap")
    pairs = "; ".join(
        f"{name}: announced {found.expected_error:.1%}, actual {found.error:.1%}" for name, found in worlds.items()
    )
    return Picture(
        fig,
        "expected-and-actual",
        alt="The proportion of errors that the posteriors announce and the actual proportion, in simulations and the "
        f"census. {pairs.replace('%', ' per cent')}.",
    )
