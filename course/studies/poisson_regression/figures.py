"""The figures of the note on Poisson regression, one function each."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy import stats

from course.figures import BLACK, BLUE, GREEN, GREY, PURPLE, SKY, VERMILLION, Picture, figure
from course.studies.poisson_regression.bicycles import MILD, Hours
from course.studies.poisson_regression.diagnostics import counted_by_expected, spread_by_mean
from course.studies.poisson_regression.predictive import MODELS, HeldOut
from course.studies.poisson_regression.standard_errors import DAYS
from course.studies.poisson_regression.temperature import factors

Array = NDArray[np.float64]
WIDTH = 7.2  # inches: on a phone the letters of such a figure are still legible
WEEK = 68  # 21 to 27 April 2012: a week that is covered about as often as all weeks are, with rain in it
DAYS_OF_WEEK = ("Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri")
COLOURS = dict(zip(MODELS, (BLUE, VERMILLION, GREEN, PURPLE), strict=True))
MARKERS = dict(zip(MODELS, "soD^", strict=True))
KINDS = (("Working days", True), ("Days off", False))
Z95 = stats.norm.ppf(0.975)


def one_week(data: Hours, out: HeldOut, level: float) -> Picture:
    """The counts of one week that was held out, with the intervals of the Poisson and the negative binomial model."""
    rows = np.flatnonzero(data.week == WEEK)
    rows = rows[np.argsort(data.day[rows] * 24 + data.hour[rows], kind="stable")]
    at = (data.day[rows] - WEEK * 7) * 24 + data.hour[rows]
    share = {name: out.hits[k, rows].mean() for k, name in enumerate(MODELS)}
    fig, axes = figure(2, 1, width=WIDTH, height=4.9, sharex=True, sharey=True)
    for ax, name in zip(axes, ("Poisson", "negative binomial"), strict=True):
        k, color = MODELS.index(name), COLOURS[name]
        ax.fill_between(at, out.low[k, rows], out.high[k, rows], color=color, alpha=0.3, linewidth=0, step="mid")
        inside = out.hits[k, rows]
        ax.plot(at[inside], data.y[rows][inside], "o", color=BLACK, markersize=3)
        ax.plot(at[~inside], data.y[rows][~inside], "o", color=BLACK, markersize=3, markerfacecolor="white", mew=0.9)
        ax.set_title(f"{name[0].upper() + name[1:]}: the {level:.0%} band contains {share[name]:.0%}")
        ax.set(ylim=(0, 1300), ylabel="bicycles an hour", xlim=(-1, 168))
        ax.set_xticks(np.arange(7) * 24, DAYS_OF_WEEK, ha="left")
        ax.tick_params(axis="x", length=0)
        for day in np.unique(at // 24):
            wet = at[data.rain[rows] & (at // 24 == day)]
            ax.plot(wet, np.full(len(wet), 1230), "|", color=BLUE, markersize=7)
    axes[1].set_xlabel("21 to 27 April 2012, a week that the models had not seen")
    note = {"ha": "right", "va": "center", "fontweight": "bold", "fontsize": 9.5}
    axes[0].annotate("blue: rain or snow", (167, 1230), color=BLUE, **note)
    axes[0].annotate("open circles: outside the band", (167, 1060), **note)
    return Picture(
        fig,
        "one-week",
        alt="Hourly counts of bicycles in the week from 21 to 27 April 2012, twice, each time with bands that should "
        "contain 90 per cent of them; the models had not seen this week. Rainy hours are marked. The band of the "
        f"Poisson model is narrow and contains {share['Poisson']:.0%} of the counts. The band of the negative binomial "
        f"model is several times as wide in the busy hours and contains {share['negative binomial']:.0%}.",
    )


def temperature(data: Hours, theta: Array) -> Picture:
    """The rate against that at 20 °C: the parabola of the model, and a model with a factor for each five degrees."""
    linear, square = (theta[data.names.index(name)] for name in ("temperature", "temperature²"))
    grid = np.linspace(-6, 38, 200)
    u = (grid - MILD) / 10
    middles, steps = factors(data)
    fig, ax = figure(width=6.4, height=3.5)
    ax.plot(grid, np.exp(linear * u + square * u**2), color=BLUE)
    ax.plot(middles, steps, "s", color=BLACK, markersize=7, markerfacecolor="none", mew=1.6)
    ax.plot(MILD, 1, "o", color=BLUE, markersize=9)
    ax.annotate("a factor for each 5 °C", (-6.5, 0.84), fontweight="bold")
    ax.annotate("", (0, 0.55), (0, 0.82), arrowprops={"arrowstyle": "-", "color": BLACK, "linewidth": 0.8})
    ax.annotate("the model's parabola, exponentiated", (13, 0.55), color=BLUE, fontweight="bold")
    ax.set(xlabel="temperature, °C", ylabel="rate, as a multiple of that at 20 °C", ylim=(0, 1.2))
    ax.set_title("Warmth brings more rentals up to about 25 °C")
    return Picture(
        fig,
        "temperature",
        alt="The rate of rentals as a multiple of that at 20 degrees, against the temperature, with hour, month and "
        "weather held fixed. The curve of the model rises from 0.3 at minus 5 degrees to one at 20, is flat "
        "between 20 and 30 degrees, and falls to 0.8 at 38. Squares from a model with a factor for each five degrees "
        "follow it from 5 to 30 degrees, and lie above it at 0 degrees and less and below it at 35 degrees.",
    )


def by_hour(data: Hours, one_profile: Array, two_profiles: Array) -> Picture:
    """Mean counts by hour of working days and days off, with the means of the models with one and two profiles."""
    fig, axes = figure(1, 2, width=WIDTH, height=3.6, sharey=True)
    for ax, (title, kind) in zip(axes, KINDS, strict=True):
        rows = [(data.hour == h) & (data.working == kind) for h in range(24)]
        n = np.array([r.sum() for r in rows])
        reach = Z95 * np.array([data.y[r].std(ddof=1) for r in rows]) / np.sqrt(n)
        ax.plot(range(24), [one_profile[r].mean() for r in rows], "--", color=VERMILLION)
        ax.plot(range(24), [two_profiles[r].mean() for r in rows], "-", color=GREEN)
        ax.errorbar(
            range(24), [data.y[r].mean() for r in rows], reach, fmt="o", color=BLACK, markersize=4, linewidth=1.2
        )
        ax.set(xlabel=f"hour ({n.min()} to {n.max()} days a dot)", xticks=range(0, 24, 4), ylim=(0, 570))
        ax.set_title(title, fontweight="normal")
    _headed(fig, "Working days have a profile of their own")
    axes[0].set_ylabel("bicycles an hour, mean")
    axes[0].annotate("one profile", (9.0, 322), color=VERMILLION, fontweight="bold", fontsize=10)
    axes[0].annotate("two profiles", (10.4, 80), color=GREEN, fontweight="bold")
    axes[0].annotate("counted", (5.9, 520), ha="right", fontweight="bold")
    axes[0].annotate("", (7.7, 480), (5.6, 515), arrowprops={"arrowstyle": "-", "color": BLACK, "linewidth": 0.8})
    axes[1].annotate("one profile", (8.2, 395), color=VERMILLION, fontweight="bold", ha="center")
    return Picture(
        fig,
        "by-hour",
        alt="Mean number of bicycles by hour, on working days and on days off, with intervals of 95 per cent. Working "
        "days have peaks at 8 and at 17 hours, days off one hump in the early afternoon. The model with one profile "
        "of hours draws the same two peaks for both: far too low for working days at 8 hours, three times too high for "
        "days off. The model with two profiles passes through all dots.",
    )


def rainy_hours(data: Hours, mu: Array) -> Picture:
    """Counted by expected bicycles in rainy hours, hour by hour, with intervals and the number of hours."""
    fig, axes = figure(1, 2, width=WIDTH, height=3.6, sharey=True)
    for ax, (title, kind) in zip(axes, KINDS, strict=True):
        rows = [data.rain & (data.hour == h) & (data.working == kind) for h in range(24)]
        n = [int(r.sum()) for r in rows]
        ratio, error = np.array([counted_by_expected(data.y[r], mu[r]) for r in rows]).T
        clear = np.abs(ratio - 1) > Z95 * error
        ax.axhline(1, color=GREY, linewidth=1)
        for which, color in ((~clear, BLUE), (clear, VERMILLION)):
            at = np.flatnonzero(which)
            ax.errorbar(at, ratio[which], Z95 * error[which], fmt="o", color=color, markersize=4, linewidth=1.4)
        ax.set(xlabel=f"hour ({min(n)} to {max(n)} rainy ones a dot)", xticks=range(0, 24, 4), ylim=(0.3, 2.3))
        ax.set_title(title, fontweight="normal")
    _headed(fig, "One factor for rain fits by day, but not at night")
    axes[0].set_ylabel("counted / expected, in the rain")
    axes[0].annotate("interval contains 1", (23.5, 2.12), ha="right", color=BLUE, fontweight="bold")
    axes[0].annotate("does not", (23.5, 1.97), ha="right", color=VERMILLION, fontweight="bold")
    return Picture(
        fig,
        "rainy-hours",
        alt="Bicycles counted in rainy hours divided by the number that the model expects, by hour, with intervals of "
        "95 per cent, for working days and days off. Nearly all intervals from 6 hours on contain one, also that of "
        "working days at 8 hours. From 1 to 5 hours all ten ratios lie above one, with wide intervals.",
    )


def spread(data: Hours, mu: Array, phi: float, alpha: float) -> Picture:
    """Counts of hours with a mean near 100 beside two distributions, and the variance against the mean."""
    near = (mu > 90) & (mu < 110)
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.7)
    left.hist(data.y[near], np.arange(0, 241, 8), density=True, color=SKY, alpha=0.6)
    counts = np.arange(0, 241)
    left.plot(counts, stats.poisson.pmf(counts, 100), color=COLOURS["Poisson"])
    left.plot(counts, stats.nbinom.pmf(counts, 1 / alpha, 1 / (1 + 100 * alpha)), color=COLOURS["negative binomial"])
    left.annotate("Poisson", (116, 0.034), color=COLOURS["Poisson"], fontweight="bold")
    left.annotate("negative\nbinomial", (150, 0.0085), color=COLOURS["negative binomial"], fontweight="bold")
    left.set(xlabel="bicycles in the hour", ylabel="proportion (per bicycle)", xlim=(0, 245))
    left.annotate("counted", (6, 0.0098), color=BLUE, fontweight="bold")
    left.set_title("Hours with a mean near 100", fontweight="normal")
    _headed(fig, "The counts spread far more than Poisson counts do")
    middle, square = spread_by_mean(data.y, mu, 25)
    grid = np.geomspace(middle[0], middle[-1], 50)
    right.plot(middle, square, "o", color=BLACK)
    lines = (
        ("Poisson", grid, "μ", (250, 90)),
        ("quasi-Poisson", phi * grid, f"{phi:.0f} μ", (11, 330)),
        ("negative binomial", grid + alpha * grid**2, "μ + αμ²", (150, 2.2e4)),
    )
    for name, values, formula, place in lines:
        right.plot(grid, values, color=COLOURS[name])
        right.annotate(formula, place, color=COLOURS[name], fontweight="bold", ha="center")
    right.set(xscale="log", yscale="log", xlabel="mean μ", ylabel="mean of (y − μ)²")
    right.set_title("Variance against mean", fontweight="normal")
    return Picture(
        fig,
        "spread",
        alt="Left: histogram of the counts in hours for which the model expects 90 to 110 bicycles, with the Poisson "
        "distribution of mean 100, which is several times too narrow, and the negative binomial one, which fits "
        "roughly. Right: mean squared residuals against the mean on logarithmic axes. They start near the Poisson line "
        "and rise more steeply than it, cross the quasi-Poisson line, which is parallel to it, and stay mostly below "
        "the curve of the negative binomial model at large means.",
    )


def coverage(out: HeldOut, low: Array, high: Array, level: float) -> Picture:
    """Coverage of the intervals in ten groups of hours, with 95 % intervals from weeks drawn anew."""
    share = out.coverage()[:, :10]
    mu, tenth = out.mean[MODELS.index("Poisson")], out.tenth
    middles = np.array([mu[tenth == each].mean() for each in range(10)])
    fig, axes = figure(1, 2, width=WIDTH, height=3.9, sharey=True)
    shown = (("Gaussian", "Poisson"), ("quasi-Poisson", "negative binomial"))
    for ax, names in zip(axes, shown, strict=True):
        for name in names:
            k, color = MODELS.index(name), COLOURS[name]
            ax.fill_between(middles, low[k, :10], high[k, :10], color=color, alpha=0.15, linewidth=0)
            ax.plot(middles, share[k], MARKERS[name] + "-", color=color)
        ax.axhline(level, color=BLACK, linewidth=1)
        ax.set(xscale="log", ylim=(0.25, 1.02), xlabel="mean, bicycles an hour", xticks=[10, 100])
        ax.set_xticks([10, 100], ["10", "100"])
    left, right = axes
    left.set_ylabel("proportion within the interval")
    left.set_title("Two that fail")
    right.set_title("Two within 10 points of 90 %")
    left.annotate("least squares,\nGaussian", (26, 0.72), color=BLUE, fontweight="bold")
    left.annotate("Poisson", (40, 0.31), color=VERMILLION, fontweight="bold")
    right.annotate("quasi-Poisson", (25, 0.76), color=GREEN, fontweight="bold")
    right.annotate("", (25, 0.955), (40, 0.79), arrowprops={"arrowstyle": "-", "color": GREEN, "linewidth": 0.9})
    right.annotate("negative binomial", (9, 0.68), color=PURPLE, fontweight="bold")
    right.annotate("", (19, 0.835), (14, 0.71), arrowprops={"arrowstyle": "-", "color": PURPLE, "linewidth": 0.9})
    return Picture(
        fig,
        "coverage",
        alt="Coverage of prediction intervals of 90 per cent in weeks held out, in ten groups of hours by their mean. "
        "Left: Gaussian intervals around a linear model cover 92 per cent or more up to medium means and about 60 per "
        "cent of the busiest hours; Poisson intervals cover 85 per cent of the quietest hours and 40 per cent or "
        "less from eighty bicycles on. Right: quasi-Poisson intervals fall from nearly 100 to about 87 per cent, "
        "negative binomial ones fall from 92 to 84 and rise to 97.",
    )


def blocks(data: Hours, mu: Array, errors: Mapping[int, Array], poisson: Array) -> Picture:
    """Counted by expected week by week, and standard errors against the length of the blocks.

    errors : by the length of blocks in days, 0 for single hours; poisson : those of the Poisson model. All have
    shape (p,).
    """
    fig, (left, right) = figure(2, 1, width=6.6, height=6.6)
    weeks = range(data.week.max() + 1)
    ratio = [data.y[data.week == k].sum() / mu[data.week == k].sum() for k in weeks]
    left.axhline(1, color=GREY, linewidth=1)
    left.plot(weeks, ratio, "o-", color=BLUE, markersize=3.5, linewidth=1.2)
    left.set_xticks([0, 26, 52, 78, 104], ["Jan 2011", "Jul 2011", "Jan 2012", "Jul 2012", "Dec 2012"])
    left.set(ylabel="counted / expected", ylim=(0.4, 1.4), title="Good weeks and bad weeks come in spells")
    place = {0: 1 / 24} | {days: float(days) for days in DAYS}
    curves = (
        ("year 2012", VERMILLION, "o", "year 2012"),
        ("rain or snow", BLUE, "s", "rain or snow"),
        ("mist", GREEN, "D", "mist"),
    )
    for name, color, marker, label in curves:
        j = data.names.index(name)
        x = [place[days] for days in errors]
        y = [value[j] / poisson[j] for value in errors.values()]
        right.plot(x, y, marker + "-", color=color, markersize=5)
        right.annotate(label, (64, y[-1]), color=color, fontweight="bold", va="center", annotation_clip=False)
    right.set(xscale="log", yscale="log", xlim=(0.035, 420), ylim=(3, 40), ylabel="error / Poisson's error")
    right.set_yticks([3, 5, 10, 20, 40], ["3", "5", "10", "20", "40"])
    right.minorticks_off()
    right.set_xticks([1 / 24, 1, 7, 56], ["1 hour", "1 day", "1 week", "8 weeks"])
    right.set_xlabel("blocks that are taken to be independent")
    right.set_title("Longer blocks, larger errors; for mist only up to a day")
    return Picture(
        fig,
        "blocks",
        alt="Top: bicycles counted divided by bicycles expected, week by week through two years: below one in the "
        "first winter, above one in the summer of 2011 and the next spring, with a few very low weeks at the ends of "
        "the years. Bottom: standard errors divided by those of the Poisson model, against the length of the blocks "
        "that are taken to be independent, from an hour to eight weeks. That of the factor for 2012 grows from 4 to "
        "more than 25, that of rain from 7 to about 20; that of mist stays near 7 from one day on.",
    )


def _headed(fig: Figure, finding: str) -> None:
    """The finding above all panels, where a title of one panel would stand."""
    fig.suptitle(finding, x=0.01, ha="left", fontsize=12.5, fontweight="bold")
