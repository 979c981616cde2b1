"""The figures of the note."""

from collections.abc import Mapping

import numpy as np

from course.datasets import Dataset
from course.figures import BLUE, GREEN, GREY, VERMILLION, Picture, figure
from course.studies.the_data.measures import best_cut, correlations, letters_apart, share_of_largest, yeas

ADULT, CHILD = 18, 12  # years: from here on, and below
BINDING_SITES = {"−35 site": (-38, -30), "−10 site": (-15, -7)}
PARTY_COLOURS = (BLUE, VERMILLION)
TEXTS = ("rotten-tomatoes", "r8", "newsgroups")


def class_balance(sets: Mapping[str, Dataset], strong: float) -> Picture:
    """The proportion of the largest class in each set; sets in which it is above `strong` are set off."""
    shares = {name: share_of_largest(data) for name, data in sets.items() if data.class_names}
    order = sorted(shares, key=shares.get)
    colours = [VERMILLION if shares[name] > strong else BLUE for name in order]
    fig, ax = figure(width=6, height=5.4)
    ax.barh(order, [shares[name] for name in order], 0.72, color=colours)
    for row, name in enumerate(order):
        style = {"va": "center", "fontsize": 9.5, "color": colours[row]}
        ax.annotate(f"{shares[name]:.0%}", (shares[name], row), xytext=(4, 0), textcoords="offset points", **style)
    ax.set(xlim=(0, 1.05), xticks=[0, 0.5, 1], xlabel="accuracy of always naming the largest class")
    ax.grid(axis="y", visible=False)
    ax.tick_params(axis="y", length=0)
    fig.suptitle(
        f"A constant answer can be right {max(shares.values()):.0%} of the time",
        x=0.01,
        ha="left",
        fontsize=12.5,
        fontweight="bold",
    )
    return Picture(
        fig,
        "class-balance",
        "Bars of the proportion of the largest class in each data set, from five percent in the newsgroups to 94 "
        "percent in sick. Four sets above two thirds are set off: breast-cancer, adult, sms-spam and sick.",
    )


def digits(data: Dataset, each: int, rng: np.random.Generator) -> Picture:
    """`each` images of every digit, chosen at random: a column for each digit."""
    chosen = [rng.choice(np.flatnonzero(data.y == k), each, replace=False) for k in range(10)]
    images = [[np.pad(data.X[i].reshape(8, 8), 2) for i in column] for column in chosen]
    fig, ax = figure(width=6, height=6 * each / 10 + 0.55)
    ax.imshow(np.hstack([np.vstack(column) for column in images]), cmap="Greys")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    ax.set_title("optdigits: where there is ink, the next pixel has some too")
    return Picture(
        fig,
        "optdigits",
        f"A column of {each} small grey images for each handwritten digit from 0 to 9, of 8 by 8 pixels. The "
        "strokes are two or three pixels wide, and the corners are empty.",
    )


def dependence(sonar: Dataset, voting: Dataset) -> Picture:
    """The absolute correlation of any two features within a class: bands of sonar, and votes."""
    fig, axes = figure(1, 2, width=6.4, height=3.5)
    for ax, data, name in zip(axes, (sonar, voting), ("sonar: 60 bands", "voting: 16 votes"), strict=True):
        size = data.X.shape[1]
        edges = (0.5, size + 0.5)
        shades = ax.imshow(correlations(data), cmap="Blues", vmin=0, vmax=1, extent=(*edges, *edges[::-1]))
        numbers = (1, size // 2, size) if size > 16 else (1, 5, 9, 16)
        ax.set(xticks=numbers, yticks=numbers)
        ax.set_title(name, fontsize=11)
        ax.grid(visible=False)
    fig.colorbar(shades, ax=axes, shrink=0.75, ticks=(0, 0.5, 1), label="|correlation| in a class")
    fig.suptitle(
        "Within a class, features go together",
        x=0.01,
        ha="left",
        fontsize=12.5,
        fontweight="bold",
    )
    return Picture(
        fig,
        "dependence",
        "Two square maps of the absolute correlation of any two features within a class, white for 0 and dark for 1. "
        "In sonar a broad dark band runs along the diagonal: neighbouring frequency bands go together. In voting a "
        "dark block holds votes 5 to 9, most of them on foreign policy and arms; others hardly go together.",
    )


def bands_and_letters(sonar: Dataset, dna: Dataset) -> Picture:
    """Mean sonar returns of mines and rocks; how differently the letters of promoters are distributed."""
    fig, (top, bottom) = figure(2, 1, width=6, height=6, gridspec_kw={"hspace": 0.06})
    bands = np.arange(1, sonar.X.shape[1] + 1)
    for k, (label, colour, at) in enumerate((("mines", BLUE, (19.5, 0.66)), ("rocks", VERMILLION, (36, 0.62)))):
        part = sonar.X[sonar.y == k]
        mean, error = part.mean(axis=0), part.std(axis=0) / np.sqrt(len(part))
        top.plot(bands, mean, color=colour)
        top.fill_between(bands, mean - 2 * error, mean + 2 * error, color=colour, alpha=0.25, linewidth=0)
        top.annotate(label, at, color=colour, fontweight="bold", ha="right" if k == 0 else "left")
    top.set(xlabel="frequency band", ylabel="mean return", ylim=(0, 0.85))
    top.set_title("sonar: mines and rocks differ in some bands")
    position = positions(dna)
    bound = sites(position)
    bottom.bar(position, letters_apart(dna), 0.8, color=np.where(bound, GREEN, GREY))
    for name, (first, last) in BINDING_SITES.items():
        height = 0.62 if name.startswith("−35") else 0.52
        bottom.annotate(name, ((first + last) / 2, height), color=GREEN, fontweight="bold", ha="center")
    bottom.set(xlabel="position, from the start of transcription", ylabel="letters differ by", ylim=(0, 0.7))
    bottom.set_title("promoters: two binding sites tell most")
    return Picture(
        fig,
        "bands-and-letters",
        "Top: mean sonar return of mines and rocks over 60 frequency bands, with two standard errors on either "
        "side; mines return more around bands 10, 21 and 45, rocks around 36. Bottom: the total variation distance"
        " between the letters of promoters and of other sequences at each position; the highest bars lie near "
        "minus 35 and minus 10.",
    )


def positions(dna: Dataset) -> np.ndarray:
    """Positions of the letters, counted from the start of transcription: there is no position 0."""
    before = 50
    return np.array([*range(-before, 0), *range(1, dna.X.shape[1] - before + 1)])


def sites(position: np.ndarray) -> np.ndarray:
    """Which positions lie in one of the two binding sites."""
    return np.any([(first <= position) & (position <= last) for first, last in BINDING_SITES.values()], axis=0)


def votes(data: Dataset) -> Picture:
    """The proportion of yeas in both parties, vote by vote."""
    shares = yeas(data)
    order = np.argsort(shares[0] - shares[1])
    fig, ax = figure(width=6.4, height=5)
    position = np.arange(len(order))
    ax.hlines(position, *shares[:, order], color="#BDBDBD", linewidth=3)
    for party, marker, colour, name in zip(shares, "os", PARTY_COLOURS, ("Democrats", "Republicans"), strict=True):
        ax.plot(party[order], position, marker, color=colour, markersize=8)
        style = {"textcoords": "offset points", "ha": "center", "color": colour, "fontweight": "bold"}
        ax.annotate(name, (party[order][-1], position[-1]), xytext=(0, 10), **style)
    ax.set_yticks(position, [f"{_short(data.feature_names[n])}  {n + 1}" for n in order], fontsize=9.5)
    ax.set(xlim=(-0.03, 1.03), ylim=(-0.7, len(order) + 0.3), xticks=(0, 0.5, 1), xlabel="yeas among the votes cast")
    ax.grid(axis="y", visible=False)
    ax.tick_params(axis="y", length=0)
    fig.suptitle("voting: most votes split the parties", x=0.01, ha="left", fontsize=12.5, fontweight="bold")
    return Picture(
        fig,
        "votes",
        "Sixteen pairs of points, the proportion of yeas among Democrats and among Republicans, sorted by their "
        "difference. For most votes they lie far apart, farthest for the physician fee freeze; for two they nearly"
        " coincide.",
    )


def people(data: Dataset) -> Picture:
    """Heights of women and men, among adults and among children under 12, each with the best cut."""
    height, _, age = data.X.T
    fig, axes = figure(2, 1, width=6, height=5.2, gridspec_kw={"hspace": 0.06})
    for ax, rows, width, title in zip(
        axes,
        (age >= ADULT, age < CHILD),
        (2.5, 7.5),
        ("howell, adults: height separates most women and men", "howell, children under 12: it hardly does"),
        strict=True,
    ):
        edges = np.arange(np.floor(height[rows].min() / width), np.ceil(height[rows].max() / width) + 1) * width
        for k, (colour, label, side) in enumerate(((VERMILLION, "female", "left"), (BLUE, "male", "right"))):
            counts, _ = np.histogram(height[rows & (data.y == k)], edges)
            ax.stairs(counts, edges, color=colour, linewidth=2.2)
            ax.stairs(counts, edges, color=colour, fill=True, alpha=0.15)
            x = 0.02 if side == "left" else 0.98
            ax.text(x, 0.86, label, transform=ax.transAxes, ha=side, color=colour, fontweight="bold")
        cut = best_cut(height[rows], data.y[rows])
        ax.axvline(cut.at, color=GREY, linewidth=1.5, linestyle="--")
        ax.set(ylabel="people", xlim=(edges[0], edges[-1]))
        ax.grid(axis="x", visible=False)
        ax.set_title(title)
    axes[1].set(xlabel="height, cm; dashed: the best cut", yticks=(0, 5, 10))
    return Picture(
        fig,
        "people",
        "Histograms of height by sex, with a dashed line at the cut that separates the sexes best. Among adults "
        "women and men form two hills, about 11 centimetres apart, which overlap around the cut. Among children "
        "under 12 the two histograms cover the same range and largely overlap.",
    )


def bicycles(data: Dataset) -> Picture:
    """The variance of the count against its mean, for each hour of the day."""
    hour = data.X[:, data.feature_names.index("hr")]
    mean, variance = np.transpose([(data.y[hour == h].mean(), data.y[hour == h].var()) for h in range(24)])
    fig, ax = figure(width=6, height=3.7)
    ax.plot(mean, variance, "o", color=BLUE)
    for h, away in ((4, (8, -4)), (8, (-6, 7)), (17, (7, 4))):
        side = "left" if away[0] > 0 else "right"
        ax.annotate(f"{h} h", (mean[h], variance[h]), xytext=away, textcoords="offset points", ha=side, color=BLUE)
    line = np.array([5, 600])
    ax.plot(line, line, color=GREY)
    ax.annotate("Poisson: variance = mean", (60, 60), xytext=(4, -14), textcoords="offset points", color=GREY)
    ax.set(xscale="log", yscale="log", xlabel="mean number of bicycles in that hour", ylabel="variance", ylim=(4, 2e5))
    ax.minorticks_off()
    ax.set_title("bike-sharing: far more spread than a Poisson count")
    return Picture(
        fig,
        "bicycles",
        "The variance of the number of bicycles rented in an hour against its mean, a point for each hour of the "
        "day, on logarithmic axes. All points lie far above the line on which variance and mean are equal, and the"
        " farther, the larger the mean: at 17 h the mean is about 460 and the variance about 50,000.",
    )


def lengths(sets: Mapping[str, Dataset]) -> Picture:
    """The cumulative distribution of the number of words in a document, for three collections."""
    fig, ax = figure(width=6, height=3.6)
    for row, (name, colour) in enumerate(zip(TEXTS, (GREEN, VERMILLION, BLUE), strict=True)):
        words = np.sort([len(text.split()) for text in sets[name].X])
        ax.plot(words, np.arange(1, len(words) + 1) / len(words), color=colour)
        style = {"ha": "right", "color": colour, "fontweight": "bold"}
        ax.text(18_000, 0.4 - 0.14 * row, f"{name}, median {np.median(words):.0f}", **style)
    ax.set(xscale="log", xlim=(1, 2e4), ylim=(0, 1.02), yticks=(0, 0.5, 1), xlabel="words in a document")
    ax.set(ylabel="documents up to that length")
    ax.minorticks_off()
    ax.set_title("Lengths of texts differ by powers of ten")
    return Picture(
        fig,
        "lengths",
        "Cumulative distributions of the number of words in a document, on a logarithmic axis: sentences of Rotten"
        " Tomatoes are shortest, R8 stories longer, newsgroup posts longest, up to more than ten thousand words.",
    )


def _short(name: str) -> str:
    """The name of a vote, in words that fit beside the axis."""
    words = name.replace("-", " ").replace("export administration act south africa", "exports to South Africa")
    for proper in ("Nicaraguan", "MX", "El Salvador"):
        words = words.replace(proper.lower(), proper)
    return words
