"""The figures of the note on Gaussian naive Bayes, one function each."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Ellipse
from scipy.stats import norm

from course.figures import BLACK, BLUE, GREY, VERMILLION, Picture, figure
from course.studies.gaussian_naive_bayes.boundary import cuts, log_joint, log_odds
from course.studies.gaussian_naive_bayes.confidence import Confidence
from course.studies.gaussian_naive_bayes.people import People
from probml.naive_bayes import GaussianNB

CLASS_COLOURS = (VERMILLION, BLUE)  # children, adults
MARKERS = ("o", "^")
WIDTH = 7.2  # of figures with two panels, in inches: on a phone their letters are still legible
BACKED = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}  # behind a word that lies on lines


def two_boundaries(people: People) -> Picture:
    """The plane of height and weight, with separate variances and with shared ones: classes, ellipses and boundary."""
    fig, axes = figure(1, 2, width=WIDTH, height=4.7, sharey=True)
    titles = ("Separate variances: an ellipse", "Shared variances: a line")
    for ax, shared, title in zip(axes, (False, True), titles, strict=True):
        model = GaussianNB(shared_variance=shared, var_smoothing=0).fit(people.X, people.adult)
        _plane(ax, people, model, (30, 225), (-10, 132))
        ax.set(title=title, xlabel="height, cm", xticks=range(50, 201, 50), yticks=range(0, 121, 40))
        if not shared:
            closer = ax.inset_axes((0.01, 0.56, 0.41, 0.42))
            _plane(closer, people, model, (134, 164), (24, 48), size=4.4)
            closer.set(xticks=(), yticks=())
            closer.spines[:].set(visible=True, color=GREY)
            ax.indicate_inset_zoom(closer, edgecolor=GREY, alpha=0.6)
    axes[0].set_ylabel("weight, kg")
    axes[0].annotate("children", (102, 40), color=CLASS_COLOURS[0], fontweight="bold", ha="right")
    axes[0].annotate("adults", (160, 70), color=CLASS_COLOURS[1], fontweight="bold", ha="center", bbox=BACKED)
    axes[0].annotate("boundary", (160, 124), color=BLACK, fontweight="bold", ha="center")
    return Picture(
        fig,
        "two-boundaries",
        alt="Height and weight of 544 people, twice: children, spread from 54 to 158 cm, and adults, close together "
        "around 155 cm and 45 kg. Around each class lie two ellipses whose axes are horizontal and vertical. Left: the "
        "classes have their own variances, and the boundary is a large ellipse around the adults that closes again "
        "beyond the tallest and heaviest of them. Right: they share their variances, the ellipses of both "
        "classes have the same size, and the boundary is a falling straight line between them. An enlarged part shows "
        "that some children are among the adults, on the wrong side of the boundary.",
    )


def _plane(
    ax: Axes,
    people: People,
    model: GaussianNB,
    across: tuple[float, float],
    upwards: tuple[float, float],
    size: float = 3.2,
) -> None:
    """People of two classes, the ellipses of one and two standard deviations, and the boundary."""
    for j in (1, 0):  # the few children among many adults lie on top
        inside = people.adult == j
        ax.plot(
            *people.X[inside].T,
            MARKERS[j],
            color=CLASS_COLOURS[j],
            markersize=size,
            alpha=(0.8, 0.5)[j],
            markeredgewidth=0,
        )
        for radius in (1, 2):
            width, height = 2 * radius * np.sqrt(model.var_[j])
            edge = {"fill": False, "edgecolor": CLASS_COLOURS[j], "linewidth": 1.3}
            ax.add_patch(Ellipse(model.theta_[j], width, height, **edge))
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
    ax.set_title("Children's heights spread three times as widely as adults'")
    return Picture(
        fig,
        "heights",
        alt="Histograms of heights with fitted normal curves. The adults form a narrow hill around 155 cm, with two "
        "bumps, which their curve follows roughly. The children spread widely and unevenly between 54 and 158 cm, with "
        "many between 120 and 150 cm, while their curve is highest at 108 cm and goes on beyond 170 cm.",
    )


def scores(people: People) -> Picture:
    """log p(y = j) N(x; ...) of both classes against height, with separate variances."""
    x, y = people.X[:, :1], people.adult
    model = GaussianNB(var_smoothing=0).fit(x, y)
    fig, ax = figure(width=WIDTH, height=3.4)
    line = np.linspace(90, 215, 400)
    for j, (name, color) in enumerate(zip(("children", "adults"), CLASS_COLOURS, strict=True)):
        score = log_joint(model, line)[:, j]
        ax.plot(line[score > -14], score[score > -14], color=color)
        low, high = x[y == j].min(), x[y == j].max()
        ax.plot([max(low, 90), high], [-15.3 - 0.9 * j] * 2, color=color, linewidth=7, solid_capstyle="butt")
        ax.annotate(f"heights of {name}", (high + 1.5, -15.3 - 0.9 * j), color=color, fontsize=10, va="center")
    for cut, side in zip(cuts(model), (1, -1), strict=True):
        height = float(log_joint(model, cut).max())
        ax.plot([cut, cut], [-14.4, height], color=GREY, linewidth=1, linestyle=":")
        ax.plot(cut, height, "o", color=BLACK, markersize=7)
        beside = {"xytext": (6 * side, 0), "textcoords": "offset points", "ha": "left" if side > 0 else "right"}
        ax.annotate(f"{cut:.1f} cm", (cut, -13.4), fontweight="bold", **beside)
    for name, color, place in (("adults", BLUE, (168, -4.0)), ("children", VERMILLION, (94, -4.6))):
        ax.annotate(name, place, color=color, fontweight="bold", va="bottom")
    ax.set(xlabel="height, cm", ylabel="log of prior × density", xlim=(90, 215), ylim=(-17, -1.8))
    ax.set_title("The wider curve wins on both sides")
    return Picture(
        fig,
        "scores",
        alt="The logarithm of prior times density against height: a wide parabola for the children and a narrow one "
        "for the adults, which is the higher one only between 137.5 and 180.9 cm. Bars at the bottom show that the "
        "tallest child measures 158 cm and that the adults measure between 137 and 179 cm.",
    )


def expected_and_actual(worlds: Mapping[str, Confidence]) -> Picture:
    """The proportion of errors that the posteriors announce, and the actual one, for each kind of data and model."""
    fig, ax = figure(width=WIDTH, height=2.9)
    for row, found in enumerate(worlds.values()):
        expected, actual = 100 * found.expected_error, 100 * found.error
        ax.plot([expected, actual], [row, row], color=GREY, linewidth=2, zorder=1)
        ax.plot(actual, row, "o", color=BLACK, markersize=10)
        ax.plot(expected, row, "o", color=BLACK, markersize=10, markerfacecolor="white", markeredgewidth=2)
    labelled = list(worlds.values())[1]
    for value, name in ((labelled.expected_error, "announced"), (labelled.error, "actual")):
        ax.annotate(name, (100 * value, 0.68), fontweight="bold", ha="center")
    ax.set_yticks(range(len(worlds)), worlds)
    ax.set(xlim=(0, 5), ylim=(len(worlds) - 0.6, -0.6), xlabel="people assigned to the wrong class, %")
    ax.grid(visible=False, axis="y")
    ax.set_title("Correlation alone can open such a gap")
    pairs = "; ".join(
        f"{name}: announced {found.expected_error:.1%}, actual {found.error:.1%}" for name, found in worlds.items()
    )
    return Picture(
        fig,
        "expected-and-actual",
        alt="The proportion of errors that the posteriors announce and the actual proportion, in simulations and the "
        f"census. {pairs.replace('%', ' per cent')}.",
    )
