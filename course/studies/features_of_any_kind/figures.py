"""The figures of the note on features of any kind, one function each."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course.datasets import Dataset
from course.figures import BLACK, BLUE, GREEN, GREY, VERMILLION, Picture, figure
from course.studies.features_of_any_kind.candidates import by_age
from course.studies.held_out import Losses
from course.studies.resampled import resampled_interval
from probml.families import Gaussian
from probml.metrics import wilson_interval
from probml.naive_bayes import CategoricalNB, MixedNB

WIDTH = 7.2  # of figures with two panels, in inches: on a phone their letters are still legible
MARITAL = {  # categories of the survey, and shorter names for them
    "Divorced": "divorced",
    "Married-AF-spouse": "military spouse",
    "Married-civ-spouse": "married",
    "Married-spouse-absent": "spouse absent",
    "Never-married": "never married",
    "Separated": "separated",
    "Widowed": "widowed",
}
READING_WORDS = {  # what the four readings of the table do, in words that need no explanation
    "all normal": "every column normal",
    "by kind": "category codes made\ncategorical",
    "gain and loss in bins": "… and capital gain and\nloss cut into bins",
    "by column": "… and four more columns\nin families of their own",
}
YEARS = np.arange(17, 91)  # ages in the survey


def families(adult: Dataset, survey: Mapping[str, Losses], train: int, test: int) -> Picture:
    """Codes taken for measurements in one column; and log loss and error of four readings of the whole table."""
    fig, (left, right) = figure(1, 2, width=WIDTH, height=4.2, width_ratios=[1, 1.05])
    _marital_status(left, adult)
    for row, (name, losses) in enumerate(survey.items()):
        error, loss = losses.error.mean(), resampled_interval(losses.log_loss, train, test)
        color = VERMILLION if name == "all normal" else GREEN
        right.errorbar(loss.mean, row, xerr=loss.half, fmt="o", color=color, markersize=7, capsize=3)
        right.annotate(READING_WORDS[name], (0.02, row - 0.2), fontsize=10, va="bottom")
        right.annotate(
            f"{100 * error:.1f} % errors", (1.7, row - 0.2), color=GREY, fontsize=10, ha="right", va="bottom"
        )
    right.set(xlabel="log loss on other people", xlim=(0, 1.7), ylim=(len(survey) - 0.6, -0.8))
    right.set(xticks=(0, 0.5, 1, 1.5), yticks=[])
    right.grid(visible=False, axis="y")
    right.spines["left"].set_visible(False)
    right.set_title("Two changes are enough")
    return Picture(
        fig,
        "families",
        alt="Left: the proportion of people who earn above 50,000 dollars, by marital status. A categorical family "
        "follows the proportions, which are high for married people only; a normal distribution of the codes of the "
        "categories draws a smooth curve that misses most of them. Right: log loss, with intervals, and error of four "
        "readings of the table. "
        + "; ".join(
            f"{READING_WORDS[name].replace('… and ', 'also ').replace(chr(10), ' ')}: {losses.log_loss.mean():.2f}, "
            f"{100 * losses.error.mean():.1f} per cent errors"
            for name, losses in survey.items()
        )
        + ".",
    )


def _marital_status(ax: Axes, adult: Dataset) -> None:
    """Counted proportions, which a categorical family follows, and a normal family of the codes of the categories."""
    a = adult.feature_names.index("marital-status")
    x, rich = adult.X[:, a], adult.y
    codes = np.arange(len(adult.features[a].categories))
    n, earning = (np.bincount(x.astype(int), weights) for weights in (None, rich))
    low, high = wilson_interval(earning, n)
    counted = earning / n
    ax.errorbar(codes, counted, [counted - low, high - counted], fmt="o", color=GREEN, capsize=3)
    by_code = MixedNB(Gaussian()).fit(x[:, None], rich)
    along = np.linspace(-0.3, codes[-1] + 0.3, 200)
    ax.plot(along, by_code.predict_proba(along[:, None])[:, 1], color=VERMILLION)
    names = [f"{MARITAL[name]} {code}" for code, name in enumerate(adult.features[a].categories)]
    ax.set_xticks(codes, names, rotation=38, ha="right", fontsize=10)
    ax.set(ylabel="P(above 50,000 dollars)", ylim=(0, 0.68))
    ax.annotate("categorical", (2.2, 0.46), color=GREEN, fontweight="bold")
    ax.annotate("normal, of the\ncodes 0 to 6", (3.2, 0.28), color=VERMILLION, fontweight="bold")
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
    curves = {
        "8 bins": (BLUE, "-"),
        "normal, separate variances": (GREEN, "-"),
        "normal, one variance": (VERMILLION, "--"),
    }
    fine = np.arange(17, 85.1, 0.1)[:, None]
    for name, (color, style) in curves.items():
        model = entrants[name].make().fit(entrants[name].X[drawn], rich[drawn])
        left.plot(fine, model.predict_proba(fine)[:, 1], style, color=color)
    left.set(xlabel="age, years", ylabel="P(above 50,000 dollars)", ylim=(0, 0.8), xlim=(15, 86))
    left.set_title("High incomes peak around 50")
    for text, place, color in (
        ("dots: counted,\nall people", (17, 0.68), GREY),
        ("8 bins", (68, 0.28), BLUE),
        ("separate\nvariances", (54, 0.03), GREEN),
        ("one variance", (66, 0.6), VERMILLION),
    ):
        ha = "right" if color == VERMILLION else "left"
        left.annotate(text, place, color=color, fontweight="bold", ha=ha)
    base = losses["8 bins"].log_loss
    gaps = {name: resampled_interval(each.log_loss - base, train, test) for name, each in losses.items()}
    at = np.log2(shown)
    mean, half = np.array([gaps[f"{k} bins"] for k in shown]).T
    right.errorbar(at, mean, half, fmt="o", color=BLUE, capsize=3)
    for name, place in (("normal, separate variances", at[-1] + 1.2), ("normal, one variance", at[-1] + 2.6)):
        right.errorbar(place, *([value] for value in gaps[name]), fmt="s", color=curves[name][0], capsize=3)
    right.axhline(0, color=BLACK, linewidth=1)
    ticks = [*at, at[-1] + 1.2, at[-1] + 2.6]
    right.set_xticks(ticks, [*map(str, shown), "two", "one"])
    right.set(xlabel="bins asked for, or normal variances", ylabel="log loss minus that of 8 bins")
    right.set_title("Too few bins, too many")
    return Picture(
        fig,
        "bins",
        alt="Left: the proportion of people who earn above 50,000 dollars rises from nothing at 17 to forty per cent "
        f"at 50 and falls again. Of three models fitted to {train} people, eight bins follow it in steps, two normal "
        "distributions with separate variances follow it as a smooth hump, and with one variance the curve only rises. "
        "Right: log loss on other people minus that of 8 bins, with intervals. Two bins, 64 bins and normal "
        "distributions with one variance lie above zero; 4, 8 and 16 bins and separate variances lie close to zero.",
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
