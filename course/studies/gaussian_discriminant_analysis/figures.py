"""The figures of the note on Gaussian discriminant analysis, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.special import expit

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILLION, Picture, figure
from course.studies.gaussian_discriminant_analysis.census import CHILD, Census
from course.studies.gaussian_discriminant_analysis.cuts import STRENGTHS, Outcome
from course.studies.gaussian_discriminant_analysis.ellipses import ellipse, radius_of
from course.studies.gaussian_discriminant_analysis.problems import Problem
from probml.gda import GDA
from probml.metrics import wilson_interval

Array = NDArray[np.float64]
MAN, WOMAN = BLUE, VERMILLION
COLOURS, MARKERS = (GREEN, WOMAN, MAN), "so^"  # of children, women and men
BACKED = {"facecolor": "white", "edgecolor": "none", "pad": 1.2}  # behind a word that lies on lines
WIDTH = 7.2  # inches: on a phone the letters are still legible
LINES = {"liver": PURPLE, "diabetes": BLUE, "houses": ORANGE, "radar": VERMILLION, "sonar": GREEN}
SHADES = ("#9ECAE1", "#56A0CE", "#1F6FAE", "#08306B")  # from the smallest training sets to the largest
LAYOUT = (  # of the six shapes: one covariance for each class, one for all
    (("per-class", "QDA"), ("diagonal", "naive Bayes"), ("spherical", "spherical")),
    (("shared", "LDA"), ("shared-diagonal", "diagonal LDA"), ("shared-spherical", "spherical")),
)


def shapes(census: Census) -> Picture:
    """Six shapes of a covariance on children, women and men: ellipses, and regions of the predicted groups."""
    fig, axes = figure(2, 3, width=WIDTH, height=3.9, sharex=True, sharey=True)
    grid = np.meshgrid(np.linspace(45, 190, 300), np.linspace(-6, 72, 200))
    plane = np.column_stack([each.ravel() for each in grid])
    for row, named in zip(axes, LAYOUT, strict=True):
        for ax, (shape, title) in zip(row, named, strict=True):
            model = GDA(covariance=shape).fit(census.X, census.group)
            region = model.predict(plane).reshape(grid[0].shape)
            ax.contourf(*grid, region, levels=[-0.5, 0.5, 1.5, 2.5], colors=COLOURS, alpha=0.15)
            for j, (color, marker) in enumerate(zip(COLOURS, MARKERS, strict=True)):
                people = census.X[census.group == j]
                ax.plot(*people.T, marker, color=color, markersize=1.7, alpha=0.45, markeredgewidth=0)
                ax.plot(*ellipse(model.means_[j], covariance_of(model, j), radius_of(0.9)), color=color, linewidth=1.6)
            ax.set_title(title, fontsize=10.5)
            ax.set(xlim=(45, 190), ylim=(-6, 72), aspect="equal", xticks=[60, 100, 140, 180], yticks=[0, 30, 60])
            ax.grid(visible=False)
    for row, name in zip(axes, ("one per class", "one for all"), strict=True):
        row[0].set_ylabel(f"{name}\nweight, kg", fontsize=10)
    for ax in axes[1]:
        ax.set_xlabel("height, cm")
    for place, name, color in (((62, 26), "children", GREEN), ((148, 20), "women", WOMAN), ((126, 62), "men", MAN)):
        axes[0, 0].annotate(name, place, color=color, fontsize=9.5, fontweight="bold")
    _headline(fig, "One covariance per class: curves. One for all: straight lines.")
    return Picture(
        fig,
        "shapes",
        alt="Six panels with the same children, women and men by height and weight, one cm as long as one kg. "
        "Upper row, a covariance for each class: slanted ellipses of different sizes (QDA), upright ellipses (naive "
        "Bayes), circles of three sizes, all with curved boundaries. Lower row, one covariance for all: three equal "
        "slanted ellipses (LDA), equal upright ellipses, equal circles, all with straight boundaries.",
    )


def covariance_of(model: GDA, j: int) -> Array:
    """The covariance of class j as a matrix, whatever its shape."""
    own = model.covariance_ if model.covariance.startswith("shared") else model.covariance_[j]
    return own if own.ndim == 2 else own * np.eye(model.n_features_in_)


def stretched(census: Census) -> Picture:
    """The men in coordinates in which they are round, and as they are measured."""
    X, man = census.adults
    men = X[man == 1]
    mu, Sigma = men.mean(axis=0), np.cov(men.T, bias=True)
    A = np.linalg.cholesky(Sigma)
    fig, (left, right) = figure(1, 2, width=WIDTH, height=4.1)
    panels = ((left, np.linalg.solve(A, (men - mu).T).T, np.zeros(2), np.eye(2)), (right, men, mu, A))
    for ax, points, centre, root in panels:
        ax.plot(*points.T, "^", color=MAN, markersize=3.6, alpha=0.5, markeredgewidth=0)
        for share in (0.5, 0.9):
            outline = ellipse(centre, root @ root.T, radius_of(share))
            ax.plot(*outline, color=BLACK, linewidth=1.5)
            at = outline[:, outline[1].argmin()]
            ax.annotate(f"{share:.0%}", at, ha="center", va="center", fontsize=9.5, bbox=BACKED)
        for a in (0, 1):
            ax.annotate("", centre + root[:, a], centre, arrowprops=_arrow(VERMILLION))
        ax.set_aspect("equal")
    values, vectors = np.linalg.eigh(Sigma)
    for value, vector in zip(values, vectors.T, strict=True):
        right.plot(*(mu[:, None] + np.outer(vector, [-2.15, 2.15]) * np.sqrt(value)), ":", color=GREY, linewidth=1.3)
    left.set(xlabel="z₁", ylabel="z₂", title="z = A⁻¹(x − μ): round", xticks=range(-3, 4))
    left.set(xlim=(-3.6, 3.6), ylim=(-3.6, 3.6))
    right.set(xlabel="height, cm", ylabel="weight, kg", title="x = μ + A z: an ellipse")
    right.set(xlim=(140, 182), ylim=(27.5, 69.5), xticks=range(140, 181, 10))
    return Picture(
        fig,
        "stretched",
        alt="Right: height and weight of 165 men with two slanted ellipses that should hold half and nine tenths of "
        "them, the axes of the ellipses as dotted lines, and the columns of A as arrows. Left: the same men in the "
        "coordinates z, where the ellipses are circles around zero and the arrows the unit vectors.",
    )


def posterior(census: Census) -> Picture:
    """The boundaries of LDA and of diagonal LDA with their coefficients, and the posterior along the score."""
    X, man = census.adults
    model, naive = (GDA(covariance=shape).fit(X, man) for shape in ("shared", "shared-diagonal"))
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.55, width_ratios=[1.25, 1])
    _people(left, X, man)
    left.annotate("", model.means_[1], model.means_[0], arrowprops=_arrow(GREY))
    for each, style, foot in ((model, "-", 34.0), (naive, "--", 53.5)):
        theta, theta_0 = each.coef_[0], each.intercept_[0]
        weight = np.array([28.0, 66.0])
        left.plot(-(theta[1] * weight + theta_0) / theta[0], weight, style, color=BLACK, linewidth=2)
        start = np.array([-(theta[1] * foot + theta_0) / theta[0], foot])
        left.annotate("", start + 25 * theta, start, arrowprops=_arrow(BLACK))
    for text, place, color in (
        ("θ of LDA", (165.2, 33.3), BLACK),
        ("θ of diagonal LDA", (157.5, 63.6), BLACK),
        ("μ₁ − μ₀", (161.2, 50.5), GREY),
        ("women", (137, 51), WOMAN),
        ("men", (173, 45), MAN),
    ):
        left.annotate(text, place, color=color, fontsize=9.5, fontweight="bold", va="center", bbox=BACKED)
    left.set(xlim=(135, 181), ylim=(28, 66), aspect="equal", xlabel="height, cm", ylabel="weight, kg")
    left.set_title("θ is at 90° to its boundary")
    left.grid(visible=False)
    groups = proportions_along(model.decision_function(X), man)
    line = np.linspace(-8, 8, 300)
    right.plot(line, expit(line), color=BLACK)
    right.errorbar(groups[0], groups[1], groups[2:], fmt="o", color=MAN, capsize=3)
    right.set(xlabel="score  θ · x + θ₀", ylabel="proportion of men", title="The posterior is logistic")
    right.set(yticks=[0, 0.25, 0.5, 0.75, 1])
    return Picture(
        fig,
        "posterior",
        alt="Left: women and men by height and weight, a centimetre as long as a kilogram. The boundary of LDA is "
        "upright, and its coefficients are a horizontal arrow at a right angle to it. The boundary of diagonal LDA is "
        "slanted, again with its coefficients at a right angle. The arrow from the mean of the women to that of the "
        "men points to the upper right. Right: proportions of men in eight groups of the score with 95 per cent "
        "intervals, which follow the logistic curve; only the lowest group lies above it.",
    )


def proportions_along(score: Array, man: NDArray[np.intp], groups: int = 8) -> Array:
    """Mean score, proportion of men, and lengths of the two arms of Wilson's interval, in groups of equal size."""
    edges = np.quantile(score, np.linspace(0, 1, groups + 1))
    group = np.clip(np.searchsorted(edges, score, side="right") - 1, 0, groups - 1)
    number, men = np.bincount(group), np.bincount(group, man)
    low, high = wilson_interval(men, number)
    return np.array([np.bincount(group, score) / number, men / number, men / number - low, high - men / number])


def _people(ax: Axes, X: Array, man: NDArray[np.intp]) -> None:
    for value, color, marker in ((0, WOMAN, "o"), (1, MAN, "^")):
        ax.plot(*X[man == value].T, marker, color=color, markersize=3.6, alpha=0.45, markeredgewidth=0)


def _arrow(color: str) -> dict[str, object]:
    return {"arrowstyle": "-|>", "color": color, "linewidth": 2, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 14}


def projections(census: Census) -> Picture:
    """The adults projected onto Fisher's direction, and onto the line through the means."""
    X, man = census.adults
    model = GDA().fit(X, man)
    towards = model.means_[1] - model.means_[0]
    directions = {"along Σ⁻¹(μ₁ − μ₀)": model.coef_[0], "along μ₁ − μ₀": towards, "weight alone": np.array([0.0, 1.0])}
    fig, axes = figure(1, 3, width=WIDTH, height=3.0, sharex=True, sharey=True)
    bins = np.linspace(-3.9, 4.3, 24)
    for ax, (title, v) in zip(axes, directions.items(), strict=True):
        projected = (X - model.means_.mean(axis=0)) @ v / np.sqrt(v @ model.covariance_ @ v)
        for value, color in ((0, WOMAN), (1, MAN)):
            ax.hist(projected[man == value], bins, color=color, alpha=0.5)
            ax.axvline(projected[man == value].mean(), color=color, linewidth=2)
        ax.annotate(f"J = {_ratio(model, v):.2f}", (0.02, 0.91), xycoords="axes fraction", fontweight="bold")
        ax.set_title(title, fontsize=10.5)
        ax.set(xticks=range(-4, 5, 2), ylim=(0, 42))
    axes[0].annotate("women", (-3.9, 22), color=WOMAN, fontsize=9.5, fontweight="bold")
    axes[0].annotate("men", (2.1, 15), color=MAN, fontsize=9.5, fontweight="bold")
    axes[0].set_ylabel("adults")
    axes[1].set_xlabel("standard deviations within the classes")
    _headline(fig, "Fisher's direction separates the classes best")
    return Picture(
        fig,
        "projections",
        alt="Histograms of women and men along three directions, in standard deviations within the classes, with the "
        "class means as upright lines. Along Fisher's direction the means are farthest apart and the ratio J is "
        f"{_ratio(model, model.coef_[0]):.2f}, along the line through the means {_ratio(model, towards):.2f}, and "
        f"for weight alone {_ratio(model, np.array([0.0, 1.0])):.2f}, with much overlap.",
    )


def _ratio(model: GDA, v: Array) -> float:
    return float((v @ (model.means_[1] - model.means_[0])) ** 2 / (v @ model.covariance_ @ v))


def conics(census: Census) -> Picture:
    """QDA's boundary between women and men, and between children and adults, seen from afar."""
    adults, man = census.adults
    scenes = (
        ("Women, men: an ellipse", adults, man, (WOMAN, MAN)),
        ("Children, adults: a hyperbola", census.X, (census.group != CHILD).astype(int), (GREEN, BLACK)),
    )
    fig, axes = figure(1, 2, width=WIDTH, height=3.7, sharey=True)
    x, y = np.linspace(30, 200, 400), np.linspace(-35, 130, 400)
    plane = np.column_stack([each.ravel() for each in np.meshgrid(x, y)])
    for ax, (title, X, label, colours) in zip(axes, scenes, strict=True):
        model = GDA(covariance="per-class").fit(X, label)
        for value, color, marker in zip((0, 1), colours, "o^", strict=True):
            ax.plot(*X[label == value].T, marker, color=color, markersize=2, alpha=0.45, markeredgewidth=0)
            ax.plot(*ellipse(model.means_[value], model.covariance_[value], radius_of(0.9)), color=color, linewidth=1.6)
        log_odds = model.decision_function(plane).reshape(len(y), len(x))
        ax.contour(x, y, log_odds, levels=[0], colors=PURPLE, linewidths=2.2)
        ax.set(xlim=(30, 200), ylim=(-35, 130), aspect="equal", xlabel="height, cm")
        ax.set_title(title, fontsize=11.5)
    for ax, text, place, color in (
        (axes[0], "women", (108, 19), WOMAN),
        (axes[0], "men", (176, 62), MAN),
        (axes[1], "children", (40, 24), GREEN),
        (axes[1], "adults", (120, 66), BLACK),
    ):
        ax.annotate(text, place, color=color, fontsize=9.5, fontweight="bold")
    axes[0].set_ylabel("weight, kg")
    return Picture(
        fig,
        "conics",
        alt="QDA's boundaries, drawn far beyond the data. Left: between women and men, the boundary is one flank of a "
        "long narrow ellipse, of which the upper tip is seen; the women lie inside. Right: between children and "
        "adults, it is a hyperbola: one branch runs between the two groups, the other far below all people.",
    )


def towards_diagonal(outcomes: Mapping[str, Sequence[Outcome]], problems: Sequence[Problem]) -> Picture:
    """Error against the strength of shrinkage, five data sets, and which strengths were chosen."""
    fig, axes = figure(2, 3, width=WIDTH, height=5.2)
    for ax, problem in zip(axes.flat, problems, strict=False):
        for outcome, color in zip(outcomes[problem.label], SHADES, strict=False):
            error = outcome.error.mean(axis=0)  # NaN, and so not drawn, where some training set has no estimate
            ax.plot(STRENGTHS, error, color=color, linewidth=1.8)
            ax.plot(outcome.strength.mean(), outcome.chosen.mean(), "D", color=VERMILLION, markersize=5, zorder=3)
        ends = [outcome.error[:, -1].mean() for outcome in outcomes[problem.label]]
        for outcome, color, at in zip(outcomes[problem.label], SHADES, _apart(ends, ax), strict=False):
            ax.annotate(str(outcome.size), (1.04, at), va="center", fontsize=8.5, color=color, annotation_clip=False)
        ax.set_title(problem.title, fontsize=10.5)
        ax.set(xlim=(-0.03, 1.0), xticks=[0, 0.5, 1])
        ax.set_xticklabels(["0\nLDA", "½", "1\ndiagonal"])
    last = axes[1, 2]
    for problem in problems:
        found = outcomes[problem.label]
        strength = [outcome.strength.mean() for outcome in found]
        last.plot([outcome.size for outcome in found], strength, "D-", color=LINES[problem.label], markersize=4)
    for problem in problems:
        final = outcomes[problem.label][-1]
        above = 0.06 if problem.label == "sonar" else 0.0
        place = (final.size * 1.12, final.strength.mean() + above)
        last.annotate(problem.label, place, va="center", color=LINES[problem.label], fontsize=9, fontweight="bold")
    last.set(xscale="log", xlim=(17, 560), ylim=(0, 1), xlabel="training examples m")
    last.set_xticks([20, 40, 80, 160], ["20", "40", "80", "160"])
    last.minorticks_off()
    last.set_title("chosen γ falls with m", fontsize=10.5)
    axes[0, 1].annotate("◆ chosen", (0.3, 0.84), xycoords="axes fraction", color=VERMILLION, fontweight="bold")
    for ax in axes[:, 0]:
        ax.set_ylabel("error, %")
    for ax in axes.flat[:5]:
        ax.set_xlabel("strength γ", labelpad=-1)
    _headline(fig, "The more examples, the weaker the chosen shrinkage")
    return Picture(
        fig,
        "towards-diagonal",
        alt="Five panels, one for each data set: error on new examples against the strength of the shrinkage, from LDA "
        "at zero to a diagonal covariance at one, for training sets of 20, 40, 80 and 160 examples. Liver: the error "
        "rises with the strength throughout. Diabetes: flat, and with 20 examples falling. Houses, radar and sonar: "
        "U-shaped curves with the lowest error in between. Diamonds mark the strength chosen on the training data and "
        "its error, close to the lowest point except in liver. Sixth panel: the chosen strength falls with the number "
        "of examples in all five data sets.",
    )


def _apart(values: Sequence[float], ax: Axes) -> list[float]:
    """Heights of labels at these values, moved apart where they would overlap."""
    gap = 0.075 * float(np.ptp(ax.get_ylim()))
    placed = np.array(values, dtype=float)
    for first, second in zip(np.argsort(placed)[:-1], np.argsort(placed)[1:], strict=True):
        placed[second] = max(placed[second], placed[first] + gap)
    return [float(each) for each in placed]


def _headline(fig: Figure, text: str) -> None:
    fig.suptitle(text, x=0.01, ha="left", fontsize=12.5, fontweight="bold")


def against_the_ends(outcomes: Mapping[str, Sequence[Outcome]]) -> Picture:
    """Error of the chosen strength minus that of LDA and of the diagonal, with intervals."""
    fig, axes = figure(1, 2, width=WIDTH, height=4.6, sharey=True)
    place, ticks = 0.0, []
    for label, found in outcomes.items():
        for outcome in found:
            for ax, end in zip(axes, (0, -1), strict=True):
                if (lead := outcome.lead(end)) is not None:
                    ax.errorbar(lead[0], place, xerr=lead[1], fmt="o", color=LINES[label], capsize=2, markersize=5)
            ticks.append((place, f"{label}, {outcome.size}"))
            place -= 1
        place -= 0.6
    for ax, title in zip(axes, ("against LDA (γ = 0)", "against the diagonal (γ = 1)"), strict=True):
        ax.axvline(0, color=BLACK, linewidth=1)
        ax.set_title(title, fontsize=10.5)
        ax.set_xlabel("chosen γ: difference of errors, points")
        ax.grid(visible=False, axis="y")
    axes[0].annotate("chosen better ←", (-0.4, 0.6), ha="right", fontsize=9)
    axes[0].annotate("→ worse", (0.4, 0.6), fontsize=9)
    axes[0].set_yticks([at for at, _ in ticks], [name for _, name in ticks], fontsize=9)
    _headline(fig, "The chosen γ is seldom worse than an end, often better")
    return Picture(
        fig,
        "against-the-ends",
        alt="Differences of errors with 95 per cent intervals, for five data sets and training sets of 20 to 160 "
        "examples. Left, chosen strength against LDA: better by several points for houses, radar and sonar where "
        "examples are few for the features, worse by about three points for liver with 20 and 40 examples, close to "
        "zero otherwise. Right, against the diagonal covariance: nowhere worse, better for most.",
    )


def towards_shared(outcomes: Mapping[str, Outcome]) -> Picture:
    """Error against the strength of the compromise between QDA and LDA."""
    fig, ax = figure(width=5.8, height=3.5)
    for label, outcome in outcomes.items():
        error = outcome.error.mean(axis=0)  # NaN, and so not drawn, where some training set has no estimate
        ax.plot(STRENGTHS, error, color=LINES[label], linewidth=3 if label == "radar" else 1.6)
        ax.plot(outcome.strength.mean(), outcome.chosen.mean(), "D", color=LINES[label], markersize=6, zorder=3)
    for label, place in (
        ("liver", (0.3, 37.8)),
        ("diabetes", (0.3, 26.6)),
        ("sonar", (0.42, 20.9)),
        ("houses", (0.3, 15.0)),
        ("radar", (0.3, 7.2)),
    ):
        ax.annotate(label, place, color=LINES[label], fontweight="bold")
    ax.annotate("◆ chosen", (0.02, 0.05), xycoords="axes fraction", fontweight="bold")
    ax.set_title("Radar: the middle beats both ends")
    ax.set(ylabel="error, %", xlabel="strength λ", xticks=[0, 0.25, 0.5, 0.75, 1], ylim=(0, 42))
    ax.set_xticklabels(["0\nQDA", "¼", "½", "¾", "1\nLDA"])
    return Picture(
        fig,
        "towards-shared",
        alt="Error on new examples against the strength of the compromise, from QDA at zero to LDA at one. Radar: some "
        "15 per cent at both ends and 6 to 7 per cent between them. Sonar is lowest in the middle too. Liver, diabetes "
        "and houses fall from QDA towards LDA and are lowest near or at LDA. Diamonds mark the means of the chosen "
        "strength and of its error.",
    )


def three_digits(plane: Array, digit: NDArray[np.intp]) -> Picture:
    """Handwritten digits along the two directions of Fisher's projection. plane : shape (m, 2)."""
    fig, ax = figure(width=4.8, height=4.0)
    for value, color, marker in zip(np.unique(digit), (VERMILLION, BLUE, GREEN), "o^s", strict=True):
        own = plane[digit == value]
        ax.plot(*own.T, marker, color=color, markersize=3, alpha=0.4, markeredgewidth=0)
        ax.annotate(str(value), own.mean(axis=0), fontsize=20, fontweight="bold", ha="center", va="center", bbox=BACKED)
    ax.set(aspect="equal", xlabel="first direction", ylabel="second direction")
    ax.set_title("64 pixels, two directions")
    return Picture(
        fig,
        "three-digits",
        alt="Handwritten digits 2, 3 and 5 in the plane of Fisher's two directions: three round clouds of about the "
        "same size at the corners of a triangle, which hardly overlap.",
    )
