"""The figures of the note on features of any kind, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Picture, figure
from course.studies.features_of_any_kind.candidates import by_age
from course.studies.held_out import Losses
from course.studies.resampled import resampled_interval
from probml.datasets import Dataset
from probml.families import Gaussian
from probml.metrics import wilson_interval
from probml.naive_bayes import CategoricalNB, MixedNB

WIDTH = 7.2  # of figures with two panels, in inches: on a phone their letters are still legible
READING_COLOURS = {"all normal": VERMILLION, "by kind": ORANGE, "by column": BLUE, "with bins": GREEN}
MARITAL = {  # categories of the census, and shorter names for them
    "Never-married": "never married",
    "Separated": "separated",
    "Widowed": "widowed",
    "Married-spouse-absent": "spouse absent",
    "Divorced": "divorced",
    "Married-civ-spouse": "married",
}
YEARS = np.arange(17, 91)  # ages of the census


def families(adult: Dataset, census: Mapping[str, Losses], train: int, test: int) -> Picture:
    """Names taken for numbers in one column; and error and log loss of four readings of the whole table."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=4.0, width_ratios=[1.15, 1])
    _marital_status(left, adult)
    for (name, losses), marker in zip(census.items(), "os^D", strict=True):
        (error, across), (loss, upwards) = (resampled_interval(each, train, test) for each in losses)
        color = READING_COLOURS[name]
        right.errorbar(100 * error, loss, upwards, 100 * across, marker=marker, color=color, markersize=8, capsize=3)
        shift = {"by kind": (34, 8), "all normal": (40, 8), "by column": (22, 9), "with bins": (-2, -18)}[name]
        right.annotate(
            name,
            (100 * error, loss),
            xytext=shift,
            textcoords="offset points",
            color=color,
            fontweight="bold",
            ha="center",
        )
    right.set(xlabel="error on other people, %", ylabel="log loss", xlim=(15.6, 23.4), ylim=(0.33, 1.45))
    right.set_title("Closer looks, lower log loss")
    return Picture(
        fig,
        "families",
        alt="Left: the proportion of people who earn above 50,000 dollars by marital status (without 23 spouses of "
        "soldiers). A categorical family "
        "follows the proportions, which are high for married people only; a normal distribution of the numbers of the "
        "categories draws a smooth curve that misses most of them. Right: error and log loss of four readings of the "
        "census. The log loss falls from all normal, above 1, over by kind and by column to with bins, 0.44; the error "
        "is largest for all normal, about 20 per cent, and 17 to 19 per cent for the others.",
    )


def _marital_status(ax: Axes, adult: Dataset) -> None:
    """Counted proportions, a categorical family, and a normal family of the numbers of the categories."""
    a = adult.feature_names.index("marital-status")
    codes = [adult.features[a].categories.index(name) for name in MARITAL]
    x, rich = adult.X[:, a], adult.y
    n = np.array([np.sum(x == c) for c in codes])
    earning = np.array([np.sum((x == c) & (rich == 1)) for c in codes])
    low, high = wilson_interval(earning, n)
    order = np.argsort(codes)
    names = np.array(list(MARITAL.values()))[order]
    place = np.sort(codes)
    counted = (earning / n)[order]
    ax.errorbar(place, counted, [counted - low[order], high[order] - counted], fmt="o", color=GREEN, capsize=3)
    by_number = MixedNB(Gaussian()).fit(x[:, None], rich)
    along = np.linspace(place[0] - 0.3, place[-1] + 0.3, 200)
    ax.plot(along, by_number.predict_proba(along[:, None])[:, 1], color=VERMILLION)
    ax.set_xticks(place, names, rotation=35, ha="right", fontsize=10)
    ax.set(ylabel="P(above 50,000 dollars)", ylim=(0, 0.55))
    ax.annotate("categorical", (place[0] - 0.2, 0.50), color=GREEN, fontweight="bold")
    ax.annotate("normal, of\nthe numbers\n0, 1, 2, …", (6.3, 0.3), color=VERMILLION, fontweight="bold", ha="right")
    ax.set_title("A category is not a number")


def bins(
    adult: Dataset, losses: Mapping[str, Losses], shown: Sequence[int], train: int, test: int, seed: list[int]
) -> Picture:
    """The probability of a high income against age, by three models; and log loss against the number of bins."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.9, width_ratios=[1.2, 1])
    age, rich = adult.X[:, adult.feature_names.index("age")], adult.y
    group = (age - YEARS[0]) // 3
    n, earning = (np.bincount(group.astype(int), weights) for weights in (None, rich))
    many = n >= 30
    centre = YEARS[0] + 1 + 3 * np.arange(len(n))
    left.plot(centre[many], (earning / np.maximum(n, 1))[many], "o", color=GREY, markersize=4)
    drawn = np.random.default_rng(seed).permutation(len(rich))[:train]
    entrants = by_age(adult, list(shown))
    curves = {"8 bins": (BLUE, "-"), "normal, own variances": (VERMILLION, "-"), "normal, one variance": (ORANGE, "--")}
    fine = np.arange(17, 85.1, 0.1)[:, None]
    for name, (color, style) in curves.items():
        model = entrants[name].make().fit(entrants[name].X[drawn], rich[drawn])
        left.plot(fine, model.predict_proba(fine)[:, 1], style, color=color)
    left.set(xlabel="age, years", ylabel="P(above 50,000 dollars)", ylim=(0, 0.8), xlim=(15, 86))
    left.set_title("High incomes peak around 50")
    for text, place, color in (
        ("dots: counted,\nall people", (17, 0.68), GREY),
        ("8 bins", (68, 0.28), BLUE),
        ("own\nvariances", (54, 0.03), VERMILLION),
        ("one variance", (66, 0.6), ORANGE),
    ):
        ha = "right" if color == ORANGE else "left"
        left.annotate(text, place, color=color, fontweight="bold", ha=ha)
    base = losses["8 bins"].log_loss
    gaps = {name: resampled_interval(each.log_loss - base, train, test) for name, each in losses.items()}
    at = np.log2(shown)
    mean, half = np.array([gaps[f"{k} bins"] for k in shown]).T
    right.errorbar(at, mean, half, fmt="o", color=BLUE, capsize=3)
    for name, place in (("normal, own variances", at[-1] + 1.2), ("normal, one variance", at[-1] + 2.6)):
        right.errorbar(place, *([value] for value in gaps[name]), fmt="s", color=curves[name][0], capsize=3)
    right.axhline(0, color=BLACK, linewidth=1)
    ticks = [*at, at[-1] + 1.2, at[-1] + 2.6]
    right.set_xticks(ticks, [*map(str, shown), "own", "one"])
    right.set(xlabel="bins, or normal variances", ylabel="log loss minus that of 8 bins")
    right.set_title("Too few bins, too many")
    return Picture(
        fig,
        "bins",
        alt="Left: the proportion of people who earn above 50,000 dollars rises from nothing at 17 to forty per cent "
        f"at 50 and falls again. Of three models fitted to {train} people, eight bins follow it in steps, two normal "
        "distributions with own variances follow it as a smooth hump, and with one variance the curve only rises. "
        "Right: log loss on other people minus that of 8 bins, with intervals. Two bins, 64 bins and normal "
        "distributions with one variance lie above zero; 4, 8 and 16 bins and own variances lie close to zero.",
    )


def digits(optdigits: Dataset, train: int, seed: int) -> Picture:
    """Of each digit: what categorical naive Bayes expects, what it draws, and what it misses most confidently."""
    ink, digit = optdigits.X, optdigits.y
    order = np.random.default_rng([seed, 7]).permutation(len(digit))
    own, other = order[:train], order[train:]
    model = CategoricalNB(min_categories=17).fit(ink[own], digit[own])
    drawn, drawn_class = model.sample(400, seed=[seed, 8])
    expected = np.stack([np.exp(logs) @ np.arange(17) for logs in model.feature_log_prob_], axis=1)
    posterior = model.predict_proba(ink[other])
    wrong = posterior.argmax(axis=1) != digit[other]
    fig, axes = figure(3, 10, width=WIDTH, height=2.9)
    for j in range(10):
        missed = np.flatnonzero(wrong & (digit[other] == j))
        worst = missed[posterior[missed].max(axis=1).argmax()]
        for ax, image in zip(axes[:, j], (expected[j], drawn[drawn_class == j][0], ink[other][worst]), strict=True):
            ax.imshow(image.reshape(8, 8), cmap="Greys", vmin=0, vmax=16)
            ax.set(xticks=[], yticks=[])
            ax.spines[:].set_visible(False)
        axes[2, j].set_xlabel(f"“{posterior[worst].argmax()}”", color=VERMILLION, fontsize=11)
    for ax, name in zip(axes[:, 0], ("expected", "drawn", "missed"), strict=True):
        ax.set_ylabel(name, fontweight="bold")
    fig.suptitle("The model draws pixels that do not know their neighbours", x=0.01, ha="left", fontweight="bold")
    return Picture(
        fig,
        "digits",
        alt="For each of the ten digits: the expected image of categorical naive Bayes, a blurred digit; an image "
        "drawn from the model, the same digit covered with noise; and a test image that the model misses with the "
        "greatest confidence, with the digit that it names instead.",
    )
