"""The figures of the note on Newton's method and its relatives, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Picture, figure
from course.studies.newtons_method import bowl
from course.studies.newtons_method.glucose import Glucose
from course.studies.races.coordinates import Cure
from course.studies.races.orders import Fit, pairs
from course.studies.races.race import Course
from course.studies.races.style import STYLES

Array = NDArray[np.float64]
WIDTH = 6.3  # in inches: on a phone the letters are still legible
NEWTON, GRADIENT, CONJUGATE, QUASI_NEWTON = BLUE, VERMILLION, ORANGE, GREEN
BACKED = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}  # behind a word that lies on lines
DARK_ORANGE = "#9A6A00"  # for letters


def zig_zag() -> Picture:
    """Gradient descent, conjugate gradients and Newton's method in one ill-conditioned bowl."""
    fig, ax = figure(width=WIDTH, height=2.75)
    u, v = np.meshgrid(np.linspace(-1.2, 10.2, 229), np.linspace(-2.1, 2.1, 85))
    surface = bowl.value(np.stack([u, v], axis=-1))
    ax.contour(u, v, surface, levels=45 * 0.64 ** np.arange(0, 10, 2)[::-1], colors="#C4C4C4", linewidths=0.8)
    descent, conjugate = bowl.gradient_path(0.2, 16), bowl.conjugate_path(2)
    ax.plot(*descent.T, color=GRADIENT, marker="o", markersize=4, linewidth=1.6, zorder=3)
    ax.plot(*conjugate.T, color=CONJUGATE, marker="s", markersize=6, linewidth=2.2, linestyle="--", zorder=4)
    ax.plot([bowl.START[0], 0], [bowl.START[1], 0], color=NEWTON, linewidth=2.4, zorder=5)
    ax.plot(0, 0, marker="*", markersize=15, color=BLACK, linestyle="none", zorder=6)
    ax.plot(*bowl.START, marker="o", markersize=8, color=BLACK, linestyle="none", zorder=6)
    for text, at, color in (
        ("gradient descent: a step leaves 0.8 of the error", (1.1, -1.45), GRADIENT),
        ("conjugate gradients: two steps", (2.3, -1.05), DARK_ORANGE),
        ("Newton: one step", (1.9, 1.0), NEWTON),
        ("start", (9.0, 1.35), BLACK),
    ):
        ax.annotate(text, at, color=color, fontweight="bold", fontsize=10, bbox=BACKED, zorder=7)
    ax.set(xlim=(-1.2, 10.2), ylim=(-1.9, 1.9), xlabel="u", ylabel="v", aspect="equal", yticks=[-1, 0, 1])
    ax.grid(visible=False)
    ax.set_title("Downhill is not towards the bottom")
    return Picture(
        fig,
        "zig-zag",
        alt="Contours of a bowl that is nine times as steep in the v direction as in the u direction, and three paths "
        "from one start. Gradient descent goes to and fro across the valley, and after 16 steps is still short of the "
        "bottom. Conjugate gradients take the same first step and reach the bottom with the second. Newton's method "
        "goes to the bottom in one step.",
    )


def parabola(glucose: Glucose) -> Picture:
    """Newton's steps with one parameter: from near the minimum, and from so far away that a full step goes up."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.1)
    line = np.linspace(-0.5, 2.0, 200)
    left.plot(line, glucose.value(line), color=BLACK)
    w = 0.0
    for k, color in enumerate((NEWTON, GREEN)):
        _tangent_parabola(left, glucose, w, line, color)
        left.annotate(
            str(k),
            (w, glucose.value(w)),
            xytext=(9 - 25 * k, -2 - 8 * k),
            textcoords="offset points",
            fontweight="bold",
        )
        w = glucose.step(w)
    left.plot(w, glucose.value(w), "D", color=BLACK, markersize=6, zorder=4)
    left.annotate("2", (w, glucose.value(w)), xytext=(5, -14), textcoords="offset points", fontweight="bold")
    for k, at, color in ((0, (0.6, 505), NEWTON), (1, (-0.43, 470), GREEN)):
        left.annotate(f"parabola\nat {k}", at, color=color, fontweight="bold", fontsize=9.5)
    low = glucose.value(glucose.minimum())
    left.set(xlabel="weight w of glucose", ylabel="F(w)", ylim=(low - 18, low + 90), xlim=(-0.5, 2.0))
    left.set_title("Near: almost there in two", fontsize=11)
    far, start = np.linspace(-8, 6, 300), glucose.far
    right.plot(far, glucose.value(far), color=BLACK)
    _tangent_parabola(right, glucose, start, far, NEWTON)
    for share, name, shift in ((1.0, "full step", -3), (0.5, "half", 5), (0.25, "a quarter", -17)):
        at = start + share * (glucose.step(start) - start)
        lower = glucose.value(at) < glucose.value(start)
        right.plot(at, glucose.value(at), "D", color=GREEN if lower else VERMILLION, markersize=7, zorder=4)
        right.annotate(
            name, (at, glucose.value(at)), xytext=(7, shift), textcoords="offset points", fontsize=9.5,
            color=GREEN if lower else VERMILLION, fontweight="bold", bbox=BACKED,
        )  # fmt: skip
    right.annotate(
        "start", (start, glucose.value(start)), xytext=(-18, 9), textcoords="offset points", fontweight="bold"
    )
    right.set(xlabel="weight w of glucose", xlim=(-7, 6), ylim=(0, 3100))
    right.set_title("Far: halve until F falls", fontsize=11)
    return Picture(
        fig,
        "parabola",
        alt="Two panels with F against the weight of glucose and parabolas that touch it. Left: from w = 0 the bottom "
        "of the parabola is near the minimum, and the bottom of a second parabola is very close to it. Right: from a "
        "start far away the parabola is so flat that its bottom lies far beyond the minimum, where F is higher than "
        "at the start. Half of the step goes up, too; a quarter of it ends lower.",
    )


def _tangent_parabola(ax: Axes, glucose: Glucose, w: float, line: Array, color: str) -> None:
    slope, curvature = glucose.derivatives(w)
    touching = glucose.value(w) + slope * (line - w) + curvature / 2 * (line - w) ** 2
    ax.plot(line, touching, color=color, linestyle="--", linewidth=1.6)
    ax.plot(w, glucose.value(w), "o", color=BLACK, markersize=6, zorder=4)
    bottom = w - slope / curvature
    ends = glucose.value(w) - slope**2 / curvature / 2, glucose.value(bottom)
    ax.plot([bottom, bottom], ends, color=color, linewidth=1.2, linestyle=":")


def standardising(cures: Mapping[str, Cure]) -> Picture:
    """Iterations of gradient descent in spoiled coordinates, and after standardising these."""
    fig, axes = figure(1, 3, width=WIDTH, height=2.9, sharey=True, sharex=True)
    titles = ("Units: cured", "Origins: cured", "Mixed: not cured")
    for ax, cure, title in zip(axes, cures.values(), titles, strict=True):
        kappa = cure.kappa[0].mean(axis=0)
        ax.plot(kappa, cure.steps[0].mean(axis=0), color=GRADIENT, marker="o", label="as it is")
        ax.plot(kappa, cure.steps[1].mean(axis=0), color=BLACK, marker="s", linestyle="--", label="standardised")
        ax.set(xscale="log", yscale="log", ylim=(9, 3000))
        ax.set_title(title, fontsize=11)
    axes[1].set_xlabel("condition κ of the coordinates as they are")
    axes[0].set_ylabel("iterations of gradient descent", fontsize=10.5)
    axes[0].legend(loc="upper left", fontsize=9.5, handlelength=2.2)
    return Picture(
        fig,
        "standardising",
        alt="Three panels: iterations of gradient descent against the condition of the coordinates, both logarithmic, "
        "as the data are and after standardising. With other units and with other origins the iterations grow in "
        "proportion to the condition, and after standardising they are 18 throughout. With mixed features they grow "
        "nearly as fast after standardising as before.",
    )


def orders(runs: Mapping[str, Sequence[Array]], fits: Mapping[str, Fit], shown: int = 5) -> Picture:
    """Error after an iteration against the error before it, for the first problems."""
    fig, ax = figure(width=5.8, height=3.9)
    line = np.array([1e-12, 1e-2])
    for q, text, x in ((1, "slope 1", 3e-9), (1.5, "3/2", 2.2e-6), (2, "2", 2.2e-6)):
        ax.plot(line, line**q, color=GREY, linewidth=1, linestyle="--")
        ax.annotate(text, (x, x**q), xytext=(-4, 5), textcoords="offset points", color=GREY, ha="right")
    for name, marker in {"gradient descent": "v", "BFGS": "s", "Newton-CG": "^", "Newton": "o"}.items():
        both = pairs(runs[name][:shown], 1e-12, 1e-2)
        before, after = (np.concatenate(side) for side in zip(*both, strict=True))
        if name == "gradient descent":
            before, after = before[::6], after[::6]
        hollow = {"markerfacecolor": "none"} if name == "Newton-CG" else {}
        color = STYLES[name]["color"]
        ax.plot(before, after, marker, color=color, markersize=6, label=f"{name}: {fits[name]}", **hollow)
    ax.set(xscale="log", yscale="log", xlim=(6e-13, 1.6e-2), ylim=(5e-13, 2e-2))
    ax.set(xlabel="relative error before an iteration", ylabel="relative error after it")
    ax.legend(loc="upper left", title="fitted order [95 %]", alignment="left", fontsize=9.5, handletextpad=0.2)
    ax.set_title("The order of convergence is a slope")
    return Picture(
        fig,
        "orders",
        alt="Error after an iteration against the error before it, both logarithmic, for four solvers on five "
        "problems. Gradient descent follows a line of slope one, BFGS one a little steeper, Newton-CG about three "
        "halves, Newton's method slope two.",
    )


RACERS = ("Newton", "BFGS", "L-BFGS", "conjugate gradient", "gradient descent")


def race(courses: Mapping[str, Course]) -> Picture:
    """The gap of five solvers against iterations and against operations."""
    fig, axes = figure(1, 2, width=WIDTH, height=3.5, sharey=True)
    for ax, clock in zip(axes, ("iterations", "operations, millions"), strict=True):
        for name in RACERS:
            run = courses[name]
            x = np.arange(len(run.gap)) if clock == "iterations" else run.flops / 1e6
            ax.plot(x, np.maximum(run.gap, 1e-13), label=name, **STYLES[name])
        ax.set(yscale="log", ylim=(1e-9, 4e2), xlabel=clock)
    axes[0].set(xlim=(0, 27), ylabel="F − min F")
    axes[1].set(xlim=(0, 1.2))
    axes[0].set_title("By iterations: far apart", fontsize=11)
    axes[1].set_title("By operations: closer", fontsize=11)
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=9.5)
    return Picture(
        fig,
        "race",
        alt="Gap to the minimum on a logarithmic axis for five solvers on the diabetes data, against iterations and "
        "against operations. Against iterations Newton's method plunges far ahead of the others, and gradient descent "
        "is last. Against operations all five are closer together, with L-BFGS ahead and gradient descent last.",
    )
