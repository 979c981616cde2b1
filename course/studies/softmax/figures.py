"""The figures of the note on softmax regression, one function each."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Picture, figure
from course.studies.softmax.age_groups import NAMES, ORIGIN, STEP, AgeGroups
from course.studies.softmax.comparison import PENALTIES, Outcome, Part
from course.studies.softmax.one_v_rest import OneVersusRest
from course.studies.softmax.pieces import pieces
from probml.linear_model import SoftmaxRegression
from probml.metrics import reliability, wilson_interval

Array = NDArray[np.float64]
CHILD, YOUTH, ADULT = BLUE, VERMILLION, GREEN
COLOURS = (CHILD, YOUTH, ADULT)
WIDTH = 7.2  # of figures with several panels, in inches: on a phone their letters are still legible
BACKED = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}  # behind a word that lies on lines
MIN_IMAGES = 20  # in a bin, for a dot of its own
HEADING = {"x": 0.01, "ha": "left", "fontsize": 12.5, "fontweight": "bold"}  # above all panels of a figure
BEYOND = 0.99  # quantile of the weights at which the scale of colours ends


def middle_class(people: AgeGroups) -> Picture:
    """Proportions of three ages by height, with the curves of softmax and of one-versus-rest."""
    x, line = people.x[:, None], np.linspace(-8.3, 5.3, 300)[:, None]
    curves = {
        "Softmax finds the youths": SoftmaxRegression().fit(x, people.y).predict_proba(line),
        "One-versus-rest loses them": np.exp(OneVersusRest().fit(x, people.y).log_separate(line)),
    }
    n = people.counts.sum(axis=1)
    height = ORIGIN + STEP * people.levels
    fig, axes = figure(1, 2, width=WIDTH, height=3.5, sharey=True)
    for ax, (title, values) in zip(axes, curves.items(), strict=True):
        for k, (name, color) in enumerate(zip(NAMES, COLOURS, strict=True)):
            counts = people.counts[:, k]
            ax.plot(ORIGIN + STEP * line[:, 0], values[:, k], color=color, label=name)
            seen = (counts > 0) | (k == 1)
            low, high = wilson_interval(counts, n)
            bars = np.where(n > 1, np.abs([counts / n - low, high - counts / n]), 0)[:, seen]
            ax.errorbar(height[seen], (counts / n)[seen], bars, fmt="o", color=color, markersize=4.5, linewidth=0.9)
        ax.set(title=title, xlabel="height, rounded to 10 cm", xticks=range(60, 181, 30), ylim=(-0.04, 1.07))
    for ax, at in zip(axes, ((96, 0.33), (84, 0.22)), strict=True):
        ax.annotate("child", (62, 0.83), color=CHILD, fontweight="bold")
        ax.annotate("adult", (179, 0.83), color=ADULT, fontweight="bold", ha="right")
        ax.annotate("youth", at, color=YOUTH, fontweight="bold", ha="center")
    axes[0].set_ylabel("proportion, and probability")
    return Picture(
        fig,
        "middle-class",
        alt="The proportions of children, youths and adults among people of each height, with intervals of 95 per "
        "cent: children up to 110 cm, youths around 130 cm, adults from 140 cm on. Left: three curves of softmax "
        "regression follow the dots, and that of the youths has a peak of four fifths at 130 cm. Right: of the three "
        "separate logistic regressions those of children and adults look the same, but that of the youths is nearly "
        "flat, between 0.1 and 0.2, and is highest at none of the heights that occur.",
    )


def pieces_of_cross_entropy(people: AgeGroups) -> Picture:
    """Probabilities at 130 cm, and the cross-entropies of three models as entropy plus divergence."""
    x, levels, counts = people.x[:, None], people.levels[:, None], people.counts
    models = {
        "no height": np.log(np.tile(counts.sum(axis=0) / counts.sum(), (len(levels), 1))),
        "one-versus-rest": OneVersusRest().fit(x, people.y).predict_log_proba(levels),
        "softmax": SoftmaxRegression().fit(x, people.y).predict_log_proba(levels),
    }
    at = int(np.flatnonzero(people.levels == 0)[0])
    fig, (left, right) = figure(1, 2, width=WIDTH, height=3.1, width_ratios=[1, 1.25])
    told = {name: np.exp(log_p[at]) for name, log_p in models.items()} | {"data": counts[at] / counts[at].sum()}
    for row, p in enumerate(told.values()):
        start = np.cumsum(p) - p
        for k, color in enumerate(COLOURS):
            left.barh(row, p[k], 0.62, left=start[k], color=color)
    left.set_yticks(range(len(told)), told)
    left.set(title="Softmax is closest", xlabel="probability at 130 cm", xlim=(0, 1), xticks=[0, 0.5, 1])
    left.annotate("child", (0.02, 0), color="white", fontweight="bold", va="center", fontsize=9)
    left.annotate("adult", (0.98, 0), color="white", fontweight="bold", va="center", ha="right", fontsize=9)
    left.annotate("youth", (0.52, 3), color="white", fontweight="bold", va="center", ha="center", fontsize=9)
    split = {name: pieces(counts, log_p) for name, log_p in models.items()}
    for row, each in enumerate(split.values()):
        right.barh(row, each.entropy, 0.62, color="#9A9A9A")
        right.barh(row, each.divergence, 0.62, left=each.entropy, color=ORANGE)
        right.annotate(f"{each.cross_entropy:.3f}", (each.cross_entropy + 0.015, row), va="center", fontweight="bold")
    right.annotate("entropy", (split["softmax"].entropy / 2, 2), ha="center", va="center", fontsize=9.5)
    right.annotate("KL divergence", (0.56, 0), ha="center", va="center", fontsize=9.5)
    right.set_yticks(range(len(split)), [])
    right.set(title="It leaves little divergence", xlabel="cross-entropy, nats", ylim=left.get_ylim(), xlim=(0, 1.05))
    for ax in (left, right):
        ax.grid(visible=False)
    return Picture(
        fig,
        "pieces-of-cross-entropy",
        alt="Left: what three models say about people of 130 cm, beside the data, of whom 96 per cent are youths: "
        "without the height 13 per cent youths, one-versus-rest 42 per cent, softmax 81 per cent. Right: their "
        "cross-entropies over all heights, as bars of two pieces. The entropy, 0.229, is the same in all; the "
        f"divergence is {split['no height'].divergence:.3f} without the height, "
        f"{split['one-versus-rest'].divergence:.3f} for one-versus-rest and {split['softmax'].divergence:.3f} for "
        "softmax.",
    )


def penalty(outcome: Outcome) -> Picture:
    """Cross-entropy, accuracy and calibration error of softmax regression against the penalty, from the folds."""
    fig, axes = figure(1, 3, width=WIDTH, height=3.3)
    panels = ((1, "Cross-entropy, nats"), (0, "Accuracy"), (2, "Calibration error"))
    for ax, (score, title) in zip(axes, panels, strict=True):
        for kind, color, style in (("fitted", GREY, "--"), ("held_out", BLUE, "-")):
            values = np.array([getattr(each, kind)[:, score] for each in outcome.validated])
            ax.fill_between(PENALTIES, values.min(axis=0), values.max(axis=0), color=color, alpha=0.2, linewidth=0)
            ax.plot(PENALTIES, values.mean(axis=0), style, color=color, marker="o", markersize=4)
        ax.set(xscale="log", xlabel="penalty λ", xticks=[0.01, 0.1, 1], xticklabels=["0.01", "0.1", "1"])
        ax.set_title(title, fontsize=10.5, fontweight="normal")
    axes[0].set_ylim(0, 0.4)
    axes[1].set(ylim=(0.9, 1.005), yticks=[0.9, 0.95, 1])
    axes[2].set_ylim(bottom=0)
    fig.suptitle("Accuracy hardly notices the penalty, probabilities do", **HEADING)
    axes[1].annotate("fitted to", (0.0105, 0.982), color=GREY, fontweight="bold")
    axes[1].annotate("held out", (0.0105, 0.927), color=BLUE, fontweight="bold")
    return Picture(
        fig,
        "penalty",
        alt="Cross-entropy, accuracy and calibration error of softmax regression against the penalty, on the images "
        "it was fitted to and on images held out, with bands over the random splits. On the fitted images "
        "cross-entropy and accuracy only get worse as the penalty grows. On the held-out images the cross-entropy "
        "has a minimum near 0.1, the accuracy hardly changes, and the calibration error is least below and at 0.1.",
    )


def weights(train: Part, coef: Array, l2: float) -> Picture:
    """The mean image of each digit and the weights of softmax regression, all on one scale of colours."""
    limit = float(np.quantile(np.abs(coef), BEYOND))
    fig, axes = figure(4, 5, width=WIDTH, height=6.2)
    for digit in range(10):
        above, below = axes[2 * (digit // 5) : 2 * (digit // 5) + 2, digit % 5]
        mean = train.X[train.y == digit].mean(axis=0).reshape(8, 8)
        above.imshow(mean, cmap="Greys", vmin=0, vmax=1)
        above.set_title(str(digit), loc="center", fontsize=13, pad=4)
        shown = below.imshow(coef[digit].reshape(8, 8), cmap="PuOr_r", vmin=-limit, vmax=limit)
    for ax in axes.flat:
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        ax.grid(visible=False)
    for row, name in enumerate(("mean image", "weights") * 2):
        axes[row, 0].set_ylabel(name, fontsize=10.5)
    fig.suptitle("Weights are not portraits of the digits", **HEADING)
    bar = fig.colorbar(shown, ax=axes, shrink=0.6, aspect=30, extend="both")
    bar.set_label(f"weight of a pixel, λ = {l2:g}")
    bar.outline.set_visible(False)
    return Picture(
        fig,
        "weights",
        alt="For each of the ten digits its mean image, and below it the 64 weights of softmax regression as an "
        "image, all on one scale: orange where ink speaks for the digit, purple where it speaks against it. Orange "
        "and purple alternate within most images; the strokes of the mean images can be made out in few of them. "
        "The digit 0 has purple weights in the middle, where its mean image is empty.",
    )


def calibration(outcomes: Mapping[str, Outcome]) -> Picture:
    """Proportion of right answers against confidence, on the test images of all splits, for each model."""
    fig, axes = figure(2, 3, width=WIDTH, height=5.6, sharex=True, sharey=True)
    *panels, key = axes.flat
    for ax, (name, outcome) in zip(panels, outcomes.items(), strict=True):
        _reliability(ax, outcome)
        ax.set_title(name, fontsize=10.5, fontweight="normal")
        ax.annotate(
            f"ECE {outcome.calibration_error.mean():.3f}",
            (0.97, 0.07),
            xycoords="axes fraction",
            ha="right",
            color=BLACK,
        )
    key.set_title("how to read", fontsize=10.5, fontweight="normal")
    key.plot([0, 1], [0, 1], color=GREY, linewidth=1)
    key.annotate("not sure\nenough", (0.4, 0.75), ha="center", va="center", color=BLACK)
    key.annotate("too sure", (0.77, 0.4), ha="center", va="center", color=BLACK)
    fig.suptitle("Softmax is well calibrated, LDA and QDA are too sure", **HEADING)
    for ax in axes[1]:
        ax.set_xlabel("confidence")
    for ax in axes[:, 0]:
        ax.set_ylabel("proportion right")
    return Picture(
        fig,
        "calibration",
        alt="The proportion of right answers against confidence on test images, for five models with settings chosen "
        "for their probabilities. Softmax regression and Gaussian naive Bayes lie close to the diagonal. "
        "One-versus-rest lies above it: it is right more often than it says. LDA and QDA lie below it: they are right "
        "less often than they say. A last panel names the two sides: above the diagonal a model is not sure enough, "
        "below it is too sure.",
    )


def _reliability(ax: Axes, outcome: Outcome) -> None:
    bins = reliability(outcome.answers, outcome.posteriors)
    often = bins.count >= MIN_IMAGES
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=1)
    ax.plot(bins.confidence[often], bins.accuracy[often], "o-", color=BLUE, markersize=5, linewidth=1.3)
    ax.set(xlim=(0.15, 1.03), ylim=(0.15, 1.04), xticks=[0.25, 0.5, 0.75, 1], yticks=[0.25, 0.5, 0.75, 1])


def regions(people: AgeGroups) -> Picture:
    """The plane of height and weight, cut into three regions by softmax regression."""
    X = np.column_stack([people.x, people.weight / 10])
    model = SoftmaxRegression().fit(X, people.y)
    reach = np.linspace(-8.5, 5.5, 400), np.linspace(0, 6.8, 400)
    grid = np.stack(np.meshgrid(*reach), axis=-1)
    best = model.predict(grid.reshape(-1, 2)).reshape(400, 400)
    fig, ax = figure(width=5.6, height=3.9)
    to_cm, to_kg = ORIGIN + STEP * reach[0], 10 * reach[1]
    ax.contourf(to_cm, to_kg, best, levels=[-0.5, 0.5, 1.5, 2.5], colors=COLOURS, alpha=0.15)
    for k, (name, color) in enumerate(zip(NAMES, COLOURS, strict=True)):
        own = people.y == k
        ax.plot(ORIGIN + STEP * people.x[own], people.weight[own], "o", color=color, markersize=3.5, alpha=0.6, mew=0)
        ax.annotate(name, ((70, 22), (160, 20), (100, 50))[k], color=color, fontweight="bold", ha="center", bbox=BACKED)
    ax.set(xlabel="height, rounded to 10 cm", ylabel="weight, kg", title="Three regions meet in a point")
    ax.grid(visible=False)
    return Picture(
        fig,
        "regions",
        alt="Height and weight of children, youths and adults, with the three regions of a softmax regression. The "
        "regions are bounded by straight lines that meet in one point, near 96 cm and 29 kg, where nobody is.",
    )
