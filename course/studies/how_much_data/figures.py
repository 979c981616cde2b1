"""The figures of the note on how much data is needed, one function each."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullFormatter, NullLocator

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILLION, Picture, figure
from course.studies.how_much_data.forecasts import Forecasts, replicates
from course.studies.how_much_data.tables import coverage_by_law
from course.studies.how_much_data.twice import Forecast
from course.studies.two_regimes.database import Database
from probml.comparison.extrapolation import Extrapolation, ends

SEEN, AHEAD, BAND = BLUE, VERMILLION, "#F4C7A9"
# Curves that are shown: data set, learner, size of the cut, and the words above.
FALLS, PEAK, FIRST_PHASE = (
    (28, "logistic", 256, "Logistic regression, digits"),
    (554, "lda", 256, "A peak ahead: LDA on MNIST\nrises out of its band"),
    (1468, "bernoulli-nb", 256, "A first phase: naive Bayes on\ncnae-9 falls below its band"),
)
COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE)


def covered(of: Forecasts, resamples: int, seed: int) -> Picture:
    """How often intervals hold what was measured, by law and distance, without and with the misfit."""
    shares = coverage_by_law(of, resamples, seed)
    fig, ax = figure(width=6.4, height=3.0)
    names = list(shares)
    for place, name in enumerate(names):
        for shift, times, colour in ((-0.14, 2, SEEN), (0.14, 4, AHEAD)):
            share = shares[name][times]
            ax.plot([100 * share.low, 100 * share.high], [place + shift] * 2, color=colour, linewidth=1.6)
            ax.plot(100 * share.mean, place + shift, "o", color=colour)
    ax.axvline(95, color=BLACK, linewidth=1, linestyle="--")
    ax.annotate("stated", (95, -0.75), xytext=(4, 0), textcoords="offset points", va="center", fontsize=10)
    ax.set_yticks(range(len(names)), names)
    ax.set(ylim=(len(names) - 0.5, -1.05), xlim=(48, 100), xlabel="% of the intervals that hold the measured error")
    ax.grid(visible=False, axis="y")
    ax.annotate("twice the size", (49, 2.9), color=SEEN, fontweight="bold", va="center")
    ax.annotate("four times", (49, 3.8), color=AHEAD, fontweight="bold", va="center")
    fig.suptitle("Intervals of fitted laws promise too much", x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    words = "; ".join(f"{n} {100 * s[2].mean:.0f} and {100 * s[4].mean:.0f}" for n, s in shares.items())
    return Picture(
        fig,
        "covered",
        alt="Dots with intervals: per cent of 95 % intervals that hold the error measured at twice and at four times "
        f"the size, by law. {words}. A dashed line marks 95.",
    )


def on_log_axes(database: Database, seed: int) -> Picture:
    """One curve, its law, and what lies beyond."""
    fig, axes = figure(1, 2, width=7.2, height=2.9)
    rng = np.random.default_rng([seed, 3])
    for ax, log in zip(axes, (False, True), strict=True):
        _cut_curve(ax, database, FALLS, rng, log=log)
    axes[0].set_title("Linear axes hide the curve …", fontsize=11)
    axes[1].set_title("… on logarithmic axes it still falls", fontsize=11)
    axes[0].set_ylabel("test error, %")
    axes[0].annotate("seen", (0.06, 0.72), xycoords="axes fraction", color=SEEN, fontweight="bold")
    axes[0].annotate("measured later", (0.45, 0.34), xycoords="axes fraction", color=AHEAD, fontweight="bold")
    return Picture(
        fig,
        "on-log-axes",
        alt="The learning curve of logistic regression on handwritten digits, twice. On linear axes it drops and goes "
        "flat; on logarithmic axes it is a slightly bent line. The band of the prediction from 256 examples holds the "
        "errors that were measured later.",
    )


def two_failures(database: Database, seed: int) -> Picture:
    """A curve with a peak ahead, and one in its first phase."""
    fig, axes = figure(1, 2, width=6.4, height=2.9)
    rng = np.random.default_rng([seed, 4])
    for ax, case in zip(axes, (PEAK, FIRST_PHASE), strict=True):
        _cut_curve(ax, database, case, rng, log=True)
        ax.set_title(case[3], fontsize=10.5)
    axes[0].set_ylabel("test error, %")
    return Picture(
        fig,
        "two-failures",
        alt="Two learning curves on logarithmic axes, seen up to 256 examples and extrapolated. LDA on MNIST falls at "
        "first and then rises steeply out of the band, to fall again later. Bernoulli naive Bayes on cnae-9 is nearly "
        "flat at first and then falls far below its band.",
    )


def _cut_curve(
    ax: Axes, database: Database, case: tuple[int, str, int, str], rng: np.random.Generator, *, log: bool
) -> None:
    number, learner, cut, _ = case
    curve = database.curves[number][learner]
    stop = int(np.searchsorted(curve.sizes, cut, side="right"))
    law = Extrapolation.of(curve.sizes[:stop], curve.error[:stop], replicates(curve, stop, rng), curve.sd[:stop], rng)
    last = min(int(curve.sizes[-1]), 8 * cut)
    n = np.geomspace(law.first, last, 80)
    beyond = n[n >= cut]
    band = np.array([ends(law.drawn(each)) for each in beyond])
    ax.fill_between(beyond, 100 * band[:, 0], 100 * band[:, 1], color=BAND, linewidth=0)
    ax.plot(n, [100 * law.law(each)[0] for each in n], color=GREY, linewidth=1.2)
    shown = curve.sizes <= last
    later = shown & (curve.sizes > cut)
    ax.plot(curve.sizes[:stop], 100 * curve.error[:stop], "o", color=SEEN)
    ax.plot(curve.sizes[later], 100 * curve.error[later], "s", color=AHEAD, markersize=5)
    ax.set_xlabel("training examples")
    if log:
        ax.set(xscale="log", yscale="log")
        ticks = [m for m in (16, 64, 256, 1024, 4096) if m <= 1.1 * last]
        ax.set_xticks(ticks, [f"{m:,}" for m in ticks])
        ax.xaxis.set_minor_locator(NullLocator())
        low, high = 100 * min(curve.error[shown].min(), band.min()), 100 * curve.error[shown].max()
        ticks = [e for e in (1, 2, 5, 10, 20, 50) if 0.7 * low < e < 1.3 * high]
        ax.set_yticks(ticks, [str(e) for e in ticks])
        ax.yaxis.set_minor_formatter(NullFormatter())
        ax.yaxis.set_minor_locator(NullLocator())


def at_twice(found: Sequence[Forecast]) -> Picture:
    """Predicted errors with their intervals, against those that were measured."""
    fig, ax = figure(width=5.2, height=3.6)
    for each in found:
        colour, shape = (SEEN, "o") if not each.against else (GREY, "x")
        colour = colour if each.covered else AHEAD
        ax.plot([100 * each.measured] * 2, [100 * each.low, 100 * each.high], color=colour, linewidth=1.1, alpha=0.7)
        ax.plot(100 * each.measured, 100 * each.value, shape, color=colour, markersize=5)
    ends_ = np.array([1, 62])
    ax.plot(ends_, ends_, color=BLACK, linewidth=0.9, linestyle="--", zorder=0)
    ax.set(xscale="log", yscale="log", xlim=ends_, ylim=(0.3, 75))
    ticks = (0.5, 1, 2, 5, 10, 20, 50)
    ax.set_xticks(ticks[1:], [f"{tick:g}" for tick in ticks[1:]])
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_minor_locator(NullLocator())
    ax.set(xlabel="error measured with twice the rows, %", ylabel="predicted, %")
    for place, (text, colour) in enumerate((("supported", SEEN), ("not supported", GREY), ("missed", AHEAD))):
        ax.annotate(
            text, (0.97, 0.21 - 0.08 * place), xycoords="axes fraction", color=colour, ha="right", fontweight="bold"
        )
    inside = sum(each.covered for each in found)
    fig.suptitle(
        f"{inside} of {len(found)} intervals hold the truth", x=0.01, ha="left", fontsize=12.5, fontweight="bold"
    )
    missed = ", ".join(f"{each.classifier} on {each.table}" for each in found if not each.covered) or "none"
    return Picture(
        fig,
        "at-twice",
        alt=f"Predicted against measured errors of five classifiers on {len({f.table for f in found})} tables, with "
        f"intervals, on logarithmic axes; a dashed line marks equality. {inside} of {len(found)} intervals hold the "
        f"measured error. Missed: {missed}.",
    )


def report(answers: Mapping[str, Any]) -> Picture:
    """The picture of the package's report: curves with bands, and what is predicted."""
    fig, ax = figure(width=6.4, height=3.2)
    sizes = np.array(answers["settings"]["sizes"])
    for m, (curve, colour) in enumerate(zip(answers["curves"], COLOURS, strict=True)):
        error = {key: 100 * np.array(values) for key, values in curve["error"].items()}
        ax.fill_between(sizes, error["low"], error["high"], color=colour, alpha=0.1, linewidth=0)
        ax.plot(sizes, error["mean"], color=colour, marker="o", markersize=3.5, label=curve["name"], linewidth=1.6)
        for ahead in answers["ahead"]:
            prediction = ahead["predictions"][m]["error"]
            if not prediction["against"]:
                at = ahead["rows"] * (1 + 0.03 * (m - 2))
                ax.plot([at] * 2, [100 * prediction["low"], 100 * prediction["high"]], color=colour, linewidth=1.4)
                ax.plot(at, 100 * prediction["value"], "o", color=colour, markerfacecolor="white", markersize=5)
    guess = 100 * answers["today"]["guess"]["error"]
    ax.axhline(guess, color=GREY, linewidth=1, linestyle="--")
    ax.set_xscale("log")
    ticks = [n for n in (10, 30, 100, 300, 1000, 3000, 10000) if sizes[0] <= n <= 16 * sizes[-1]]
    ax.set_xticks(ticks, [f"{n:,}" for n in ticks])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set(xlabel="rows to learn from", ylabel="error, %", ylim=(10, 1.3 * guess))
    ax.annotate(
        "a guess", (sizes[0], guess), xytext=(0, -4), textcoords="offset points", va="top", color=GREY, fontsize=10
    )
    for ahead in answers["ahead"]:
        ax.annotate(f"× {ahead['times']:g}", (ahead["rows"], 12), ha="center", fontsize=10)
    fig.suptitle("More rows do not tell the classifiers apart", x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    ax.legend(loc="upper right", fontsize=9, ncols=2)
    last = ", ".join(f"{c['name']} {100 * c['error']['mean'][-1]:.1f}" for c in answers["curves"])
    return Picture(
        fig,
        "report",
        alt=f"Learning curves of five classifiers with bands, from {sizes[0]} to {sizes[-1]} rows on a logarithmic "
        f"axis, and predictions beyond them where supported. Errors at the last size, in per cent: {last}. A guess "
        f"errs in {guess:.1f} per cent.",
    )
