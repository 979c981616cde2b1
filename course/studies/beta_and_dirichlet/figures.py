"""The figures of the note."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.special import expit, logit
from scipy.stats import beta, dirichlet

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Picture, figure
from course.studies.beta_and_dirichlet.coin import PRIORS, tosses
from course.studies.beta_and_dirichlet.scales import Summary, by_log_odds, by_probability
from course.studies.discrete_distributions.simplex import CORNERS, compositions, in_triangle
from course.teaching.conjugate import BetaBernoulli, DirichletMultinomial

Array = NDArray[np.float64]
COLOURS = {"Beta(1, 1)": BLUE, "Beta(10, 10)": VERMILLION}
NEAR_CORNER = 0.9  # a distribution with a larger probability counts as lying in a corner of its triangle


def tosses_arrive(sizes: Sequence[int] = (0, 1, 3, 10, 30, 100)) -> Picture:
    """The posterior of two priors after the first few tosses of the bent coin."""
    x, phi = tosses(), np.linspace(0, 1, 401)
    fig, axes = figure(2, 3, height=4.6, sharex=True, sharey=True)
    for ax, n in zip(axes.flat, sizes, strict=True):
        heads = int(x[:n].sum())
        for name, (a, b) in PRIORS.items():
            posterior = BetaBernoulli(a, b).update(x[:n])
            density = beta.pdf(phi, posterior.a, posterior.b)
            ax.fill_between(phi, density, color=COLOURS[name], alpha=0.12, linewidth=0)
            ax.plot(phi, density, color=COLOURS[name])
        if n:
            ax.plot(heads / n, 0, marker=7, color=BLACK, markersize=9, clip_on=False, zorder=5)  # a caret, from below
        ax.set_title("before any toss" if n == 0 else f"{heads} of {n} heads", fontsize=11.5, pad=5)
        ax.set(xlim=(0, 1), ylim=(0, 9.5), xticks=(0, 0.5, 1), yticks=())
    first = axes[0, 0]
    for text, y, colour in (
        ("Beta(1, 1):\nno preference", 9.3, BLUE),
        ("Beta(10, 10): expects\na fair coin", 6.7, VERMILLION),
    ):
        first.text(0.03, y, text, color=colour, fontsize=10, fontweight="bold", va="top")
    axes[0, 1].annotate(
        "▼ relative frequency", (0.97, 0.93), xycoords="axes fraction", ha="right", va="top", fontsize=10, color=BLACK
    )
    for ax in axes[1]:
        ax.set_xlabel("probability of heads φ")
    title = "As tosses arrive, two different priors come to agree"
    fig.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold")
    return Picture(
        fig,
        "tosses-arrive",
        "Six panels with the densities of the probability of heads, for a uniform prior and for the prior Beta(10, "
        "10), which is a peak at one half. They stand before any toss and after 1 of 1, 2 of 3, 7 of 10, 20 of 30 and "
        "67 of 100 heads. After one toss the uniform one is a slope and the other has hardly moved. From panel to "
        "panel both become narrower and come closer to the relative frequency; after 100 tosses they nearly coincide.",
    )


def two_scales(a: float = 3, b: float = 2, level: float = 0.95) -> Picture:
    """Beta(a, b) measured by φ and by log odds: which summaries stay where they are."""
    fig, axes = figure(1, 2, height=3.9)
    phi = np.linspace(0, 1, 801)
    _summarised(axes[0], phi, beta.pdf(phi, a, b), by_probability(a, b, level), lambda value: value)
    z = np.linspace(-3.6, 5.6, 801)
    p = expit(z)
    _summarised(axes[1], z, beta.pdf(p, a, b) * p * (1 - p), by_log_odds(a, b, level), logit)
    axes[0].set(xlabel="φ, on its own scale", xlim=(0, 1))
    axes[0].set_title("Measured by φ", pad=6)
    ticks = np.array([0.05, 0.2, 0.5, 0.8, 0.95, 0.99])
    axes[1].set_xticks(logit(ticks), [f"{tick:g}" for tick in ticks])
    axes[1].set(xlabel="φ, on the scale of log odds", xlim=(z[0], z[-1]))
    axes[1].set_title("Measured by log odds", pad=6)
    fig.suptitle(
        "Mode, mean and the interval of highest density move; quantiles stay", x=0.01, ha="left", fontweight="bold"
    )
    left, right = by_probability(a, b, level), by_log_odds(a, b, level)
    return Picture(
        fig,
        "two-scales",
        f"The density of Beta({a}, {b}) against the probability of heads, and the density of the same coin against its "
        f"log odds. By probability the mode is {left.mode:.3f} and the mean {left.mean:.3f}; by log odds, taken back "
        f"to probabilities, the mode is {right.mode:.3f} and the mean {right.mean:.3f}. Below each curve are two "
        "intervals of 95 percent. The one between quantiles has the same ends in both panels, "
        f"{left.quantiles[0]:.2f} and {left.quantiles[1]:.2f}; the one of highest density runs from "
        f"{left.highest_density[0]:.2f} to {left.highest_density[1]:.2f} by probability and from "
        f"{right.highest_density[0]:.2f} to {right.highest_density[1]:.2f} by log odds.",
    )


def _summarised(ax: Axes, x: Array, density: Array, summary: Summary, place: Callable[[float], float]) -> None:
    """A density with its mode and mean, and two intervals below it. place : from φ to the scale of the axis."""
    top = density.max()
    ax.plot(x, density, color=BLACK)
    for name, value, colour, marker in (("mode", summary.mode, BLUE, "^"), ("mean", summary.mean, VERMILLION, "o")):
        at = place(value)
        height = np.interp(at, x, density)
        ax.plot([at, at], [0, height], color=colour, linewidth=1.4, linestyle=(0, (3, 2)))
        ax.plot(at, height, marker, color=colour, markersize=8)
        right = value == max(summary.mode, summary.mean)
        ax.annotate(
            f"{name} {value:.3f}",
            (at, height),
            xytext=(8 if right else -8, 7),
            textcoords="offset points",
            ha="left" if right else "right",
            color=colour,
            fontweight="bold",
            fontsize=10.5,
        )
    rows = (("between quantiles", summary.quantiles, GREEN), ("highest density", summary.highest_density, ORANGE))
    for k, (name, (low, high), colour) in enumerate(rows):
        y = -(0.13 + 0.19 * k) * top
        ax.plot([place(low), place(high)], [y, y], color=colour, linewidth=5, solid_capstyle="butt")
        ax.text(
            0.5 * (place(low) + place(high)),
            y - 0.045 * top,
            f"{name}: {low:.2f} to {high:.2f}",
            ha="center",
            va="top",
            fontsize=10,
            color=BLACK,
        )
    ax.axhline(0, color=GREY, linewidth=0.8)
    ax.set(ylim=(-0.5 * top, 1.22 * top), yticks=())
    ax.spines["left"].set_visible(False)
    ax.grid(visible=False)


def forecasts(n: int = 10, seen: int = 7) -> Picture:
    """The probability of each number of heads in n tosses, before any of them, under three priors."""
    fig, axes = figure(1, 3, height=3.4, sharey=True)
    heads = np.arange(n + 1)
    priors = {"Beta(1, 1)": (1.0, 1.0), "Beta(10, 10)": (10.0, 10.0), "Beta(½, ½)": (0.5, 0.5)}
    told = []
    for ax, (name, prior) in zip(axes, priors.items(), strict=True):
        p = forecast(*prior, n)
        told.append(f"{p[seen]:.3f} under {name}")
        ax.bar(heads, p, 0.78, color=[BLUE if s == seen else "#BDBDBD" for s in heads])
        ax.text(10.6, 0.245, f"{seen} heads:\n{p[seen]:.3f}", ha="right", va="top", color=BLUE, fontweight="bold")
        ax.set_title(name, fontsize=11.5)
        ax.set(xlabel=f"heads in {n} tosses", xticks=(0, 5, 10), ylim=(0, 0.25))
        ax.grid(axis="x", visible=False)
    axes[0].set_ylabel("probability")
    fig.suptitle(
        f"{seen} heads in {n}: the prior that bet on the middle forecast them best",
        x=0.01,
        ha="left",
        fontweight="bold",
    )
    return Picture(
        fig,
        "forecasts",
        f"Three bar charts with the probability of each number of heads in {n} tosses before any toss is made. Under "
        "the uniform prior all eleven numbers are equally probable; under Beta(10, 10) they form a hill around five; "
        f"under Beta(1/2, 1/2) they are most probable at 0 and {n}. The number that came, {seen}, has the probability "
        f"{'; '.join(told)}.",
    )


def forecast(a: float, b: float, n: int) -> Array:
    """The probability of 0, ..., n heads under the prior Beta(a, b). Shape (n + 1,)."""
    coin = BetaBernoulli(a, b)
    return np.exp([coin.log_evidence_of_counts(np.arange(n) < s) for s in range(n + 1)])


def triangles(alphas: Sequence[float], draws: int, seed: int) -> Picture:
    """The Dirichlet distribution with three equal parameters: its density, and distributions drawn from it."""
    fig, axes = figure(1, 3, height=3.5)
    grid = compositions(90, 3)
    inside = (grid > 0).all(axis=1)
    p = grid[inside] / 90
    rng = np.random.default_rng(seed)
    titles = (
        "α = {:g}: most authors\nstick to one word",
        "α = {:g}: authors\nof every kind",
        "α = {:g}: all authors\nare nearly even",
    )
    for ax, alpha, title in zip(axes, alphas, titles, strict=True):
        density = dirichlet.pdf(p.T, np.full(3, alpha))
        # Cut off at a quantile: near the edges the density of a small alpha has no bound.
        shade = 0.12 if np.ptp(density) < 1e-9 else density / np.quantile(density, 0.995)
        ax.tripcolor(
            *in_triangle(p).T,
            np.clip(np.broadcast_to(shade, len(p)), 0, 1),
            shading="gouraud",
            cmap="Blues",
            vmin=0,
            vmax=1.6,
        )
        drawn = DirichletMultinomial((alpha,) * 3).sample(rng, draws)
        ax.plot(
            *in_triangle(drawn).T, "o", color=VERMILLION, markersize=3.6, alpha=0.8, markeredgewidth=0, clip_on=False
        )
        ax.plot(*np.vstack([CORNERS, CORNERS[:1]]).T, color=GREY, linewidth=1)
        # Where many dots lie on top of each other, their number stands beside the corner.
        crowd = (drawn > NEAR_CORNER).sum(axis=0) if alpha < 1 else [0, 0, 0]
        words = zip(CORNERS, ("graph", "tree", "survey"), (True, True, False), crowd, strict=True)
        for corner, name, below, number in words:
            gap = "\n" if below else " "
            text = f"{name}{gap}({number})" if number else name
            place = corner[1] + (-0.04 if below else 0.04)
            ax.text(corner[0], place, text, ha="center", va="top" if below else "bottom")
        if alpha < 1:
            ax.text(0.5, -0.32, f"(dots with p above {NEAR_CORNER:g})", ha="center", va="top", fontsize=9.5)
        ax.set_title(title.format(alpha), fontsize=11.5, loc="center")
        ax.set(aspect="equal", xlim=(-0.12, 1.12), ylim=(-0.42, 1.02))
        ax.axis("off")
    return Picture(
        fig,
        "triangles",
        f"Three triangles whose corners stand for the words graph, tree and survey, each with {draws} distributions "
        f"drawn from a Dirichlet prior with equal parameters. With alpha {alphas[0]:g} the points crowd in the corners "
        f"(their numbers are given) and along the edges, with alpha {alphas[1]:g} they are spread evenly over the "
        f"triangle, and with alpha {alphas[2]:g} they gather around the middle.",
    )
