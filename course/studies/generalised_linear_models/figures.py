"""The figures of the note on generalised linear models, one function each."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Picture, figure
from course.studies.generalised_linear_models import beetle_links
from course.studies.generalised_linear_models.textbook import COUNTS, DOSE, EXPOSED, KILLED, X
from probml.families import ExponentialFamily, Gaussian, Poisson
from probml.linear_model import GLM
from probml.losses import CLogLog, Logit, Probit
from probml.metrics.wilson import wilson_interval

Array = NDArray[np.float64]
COLOURS = {"Gaussian": BLUE, "Bernoulli": VERMILLION, "Poisson": GREEN}
LINKS = {"logit": (Logit(), BLUE, "-"), "probit": (Probit(), ORANGE, "--"), "cloglog": (CLogLog(), VERMILLION, "-")}


def three_models() -> Picture:
    """Means on a straight line or a curve, and the distribution around them: nine counts twice, and the beetles."""
    fig, (left, middle, right) = figure(1, 3, width=8.4, height=3.5)
    line = np.linspace(-1.3, 1.6, 100)
    for ax, family in ((left, Gaussian()), (middle, Poisson())):
        model = GLM(family).fit(X[:, None], COUNTS)
        colour = COLOURS[type(family).__name__]
        ax.plot(line, model.predict(line[:, None]), color=colour)
        for x, mu in zip((-1.0, 0.0, 1.0), model.predict([[-1.0], [0.0], [1.0]]), strict=True):
            _sideways(ax, x, mu, family, colour, model.summary().dispersion)
        ax.plot(X, COUNTS, "o", color=BLACK, zorder=3)
        ax.axhline(0, color=GREY, linewidth=1)
        ax.set(xlabel="x", ylabel="count y", xticks=[-1, 0, 1], ylim=(-3.5, 22))
    left.set_title("Gaussian:\na line, one spread")
    middle.set_title("Poisson: above 0,\nspread grows")
    model = beetle_links.fitted(Logit())
    dose = np.linspace(1.66, 1.92, 100)
    right.plot(dose, model.predict(dose[:, None]), color=VERMILLION)
    for at, p in zip((1.72, 1.79, 1.86), model.predict([[1.72], [1.79], [1.86]]), strict=True):
        right.barh([0, 1], [0.045 * (1 - p), 0.045 * p], 0.07, left=at, color=VERMILLION, alpha=0.35)
        right.plot([at, at], [-0.05, 1.05], color=VERMILLION, linewidth=0.8)
    right.plot(DOSE, KILLED / EXPOSED, "o", color=BLACK, zorder=3)
    right.set(xlabel="dose x", ylabel="proportion killed", yticks=[0, 0.5, 1], ylim=(-0.15, 1.15))
    right.set_title("Bernoulli:\nbetween 0 and 1")
    return Picture(
        fig,
        "three-models",
        alt="Three panels with points, a fitted mean, and the distribution around it drawn sideways at three places. "
        "Left: nine counts with a straight line and three equal bell curves, the lowest of which reaches below zero. "
        "Middle: the same counts with a rising exponential curve and Poisson probabilities that spread more as the "
        "mean grows. Right: the proportion of beetles killed against the dose, with an S-shaped curve between zero and "
        "one; the distributions are two bars, at zero and at one, of which the upper one grows with the dose.",
    )


def _sideways(ax: Axes, x: float, mu: float, family: ExponentialFamily, colour: str, variance: float) -> None:
    """The distribution around a mean, drawn to the right of x."""
    if isinstance(family, Gaussian):
        y = mu + np.sqrt(variance) * np.linspace(-3.2, 3.2, 100)
        density = stats.norm.pdf(y, mu, np.sqrt(variance))
        ax.fill_betweenx(y, x, x + 0.55 * density / density.max(), color=colour, alpha=0.35, linewidth=0)
    else:
        y = np.arange(0, 30)
        density = stats.poisson.pmf(y, mu)
        seen = density > 0.004
        ax.barh(y[seen], 0.55 * density[seen] / 0.22, 0.8, left=x, color=colour, alpha=0.35)
    ax.plot([x, x], [y[density > 0.004][0], y[density > 0.004][-1]], color=colour, linewidth=0.8)


def moments(eta: float) -> Picture:
    """The log-partition function of three families with its tangent at η, and below it the mean with a band."""
    parts = {
        "Gaussian": (np.linspace(-3, 3, 200), lambda e: e**2 / 2, lambda e: e, np.ones_like),
        "Bernoulli": (np.linspace(-4, 4, 200), lambda e: np.logaddexp(0, e), expit, lambda e: expit(e) * expit(-e)),
        "Poisson": (np.linspace(-1.5, 2.3, 200), np.exp, np.exp, np.exp),
    }
    fig, axes = figure(2, 3, width=8.4, height=5.2, sharex="col")
    for (upper, lower), (name, (line, A, mean, variance)) in zip(axes.T, parts.items(), strict=True):
        colour, slope = COLOURS[name], float(mean(eta))
        upper.plot(line, A(line), color=colour)
        upper.plot(line, A(eta) + slope * (line - eta), color=BLACK, linewidth=1.2, linestyle="--")
        upper.plot(eta, A(eta), "o", color=BLACK)
        upper.set(ylim=(-0.06 * A(line).max(), 1.05 * A(line).max()))
        upper.annotate(f"slope {slope:.2f}", (0.4, 0.9), ha="center", xycoords="axes fraction", fontweight="bold")
        spread = np.sqrt(variance(line))
        lower.fill_between(line, mean(line) - spread, mean(line) + spread, color=colour, alpha=0.2, linewidth=0)
        lower.plot(line, mean(line), color=colour)
        lower.plot(eta, slope, "o", color=BLACK)
        lower.annotate(f"mean {slope:.2f}", (0.25, 0.9), ha="center", xycoords="axes fraction", fontweight="bold")
        lower.set(xlabel="natural parameter η")
    for ax, title in zip(
        axes[0], ("Gaussian:\nvariance 1", "Bernoulli:\nvariance p (1 − p)", "Poisson:\nvariance = mean"), strict=True
    ):
        ax.set_title(title)
    axes[0, 0].set_ylabel("A(η)")
    axes[1, 0].set_ylabel("mean A′(η)\n± √A″(η)")
    axes[1, 1].set(xticks=[-4, -2, 0, 2, 4], yticks=[0, 0.5, 1])
    axes[1, 2].set_yticks([0, 5, 10])
    return Picture(
        fig,
        "moments",
        alt="Three columns: Gaussian, Bernoulli, Poisson. Above, the log-partition function A, convex in each: a "
        "parabola, a softplus, an exponential, with the dashed tangent at the natural parameter log 4, of slope "
        "1.39, 0.80 and 4.00. Below, the slope of A as a curve, which has these heights at log 4, with a band of "
        "one standard deviation to either side: a straight line with a band of constant "
        "width, a logistic curve whose band is widest in the middle, an exponential curve whose band grows.",
    )


def irls_steps(path: Array) -> Picture:
    """Working responses of the nine counts at the first parameters of a path of IRLS, and the line fitted to them.

    path : (θ₀, θ₁) after 0, 1, 2, … steps, shape (k, 2)
    """
    fig, axes = figure(1, 3, width=8.4, height=3.5, sharey=True)
    line = np.array([-1.35, 1.35])
    titles = "Step 1:\nequal weights", "Step 2: larger\nmeans count more", "Step 3:\nalmost there"
    for step, (ax, title) in enumerate(zip(axes, titles, strict=True)):
        z = path[step, 0] + path[step, 1] * X
        mu = np.exp(z)
        t = z + (COUNTS - mu) / mu
        ax.scatter(X, t, s=14 * mu, color=GREEN, alpha=0.45, edgecolor=GREEN, zorder=3)
        for theta, style, colour in ((path[step], "--", GREY), (path[step + 1], "-", BLACK)):
            ax.plot(line, theta[0] + theta[1] * line, style, color=colour)
        ax.set(xlabel="x", xticks=[-1, 0, 1], title=title)
    axes[0].set_ylabel("z, and working response t")
    axes[0].annotate("before", (-1.3, 2.13), color=GREY, fontweight="bold")
    axes[0].annotate("after", (0.45, 2.55), ha="right", color=BLACK, fontweight="bold")
    return Picture(
        fig,
        "irls-steps",
        alt="Three panels, one for each of the first three steps. Circles are the working responses of nine counts; "
        "their areas are the weights. In step 1 the line before the step is horizontal, all weights are equal, "
        "and the fitted line has a slope of 0.6. In step 2 the circles at x = 1 are larger than those at x = -1, and "
        "the line moves down and gets a little steeper. In step 3 the fitted line and the one before nearly coincide.",
    )


def three_links() -> Picture:
    """The beetles under three links: the curves, and the deviance split by dose for two of them."""
    fig, (left, right) = figure(1, 2, width=8.0, height=3.7, width_ratios=[1.15, 1])
    low, high = wilson_interval(KILLED, EXPOSED)
    share = KILLED / EXPOSED
    left.errorbar(DOSE, share, [share - low, high - share], fmt="o", color=BLACK, capsize=3, zorder=3)
    dose = np.linspace(1.67, 1.9, 200)
    for link, colour, style in LINKS.values():
        left.plot(dose, beetle_links.fitted(link).predict(dose[:, None]), style, color=colour)
    left.annotate("logit", (1.787, 0.82), ha="right", color=BLUE, fontweight="bold")
    left.annotate("probit", (1.787, 0.73), ha="right", color=ORANGE, fontweight="bold")
    left.annotate("complementary\nlog-log", (1.8, 0.36), color=VERMILLION, fontweight="bold")
    left.set(xlabel="dose, log10 of mg/l", ylabel="proportion killed", yticks=[0, 0.5, 1])
    left.set_title("The log-log curve is closer")
    place = np.arange(len(DOSE))
    for shift, name in ((-0.2, "logit"), (0.2, "cloglog")):
        link, colour, _ = LINKS[name]
        parts = beetle_links.deviance_by_dose(link)
        right.bar(place + shift, parts, 0.4, color=colour)
        label = f"{'log-log' if name == 'cloglog' else name}:\nsum {parts.sum():.2f}"
        right.annotate(label, (3.5 + 10 * shift, 2.75), ha="center", color=colour, fontweight="bold")
    right.set_xticks(place, [f"{each:.2f}" for each in DOSE], fontsize=9)
    right.set(xlabel="dose, log10 of mg/l", ylabel="part of the deviance", ylim=(0, 3.4))
    right.set_title("Better at six of eight doses")
    return Picture(
        fig,
        "three-links",
        alt="Left: the proportion of beetles killed at eight doses with intervals of 95 per cent, and three fitted "
        "curves. Logit and probit nearly coincide; they are too low at the lowest dose and too high in the middle. The "
        "complementary log-log curve rises more slowly at first and more steeply at the end, closer to the points. "
        "Right: the deviance split by dose. For the logit it comes from nearly all doses, for the complementary "
        "log-log link the parts are smaller at six of eight doses.",
    )
