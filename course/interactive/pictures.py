"""The interactive figures as they stand before a reader moves anything: seen where scripts do not run, and on paper."""

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREEN, GREY, VERMILLION, Picture, figure
from probml.gda import GDA
from probml.losses import Logistic
from probml.naive_bayes import BernoulliNB, MultinomialNB
from probml.objectives import LinearObjective
from probml.solvers import newton
from probml.text import BagOfWords

Array = NDArray[np.float64]

TRAINING = [
    ("Chinese Beijing Chinese", "China"),
    ("Chinese Chinese Shanghai", "China"),
    ("Chinese Macao", "China"),
    ("Tokyo Japan Chinese", "Japan"),
]
VOCABULARY = ["Chinese", "Beijing", "Shanghai", "Macao", "Tokyo", "Japan"]
QUESTION = "Chinese Chinese Chinese Tokyo Japan"

# Height in centimetres and sex (1 = man) of every 22nd adult of Howell's census of the !Kung.
PEOPLE = [(152, 1), (147, 0), (159, 0), (149, 0), (151, 0), (167, 1), (156, 0), (149, 1)]
PEOPLE += [(156, 0), (163, 1), (148, 0), (158, 1), (157, 1), (161, 1), (146, 0), (161, 1)]


def smoothing() -> Picture:
    """Posterior of both event models against α, and what each word adds to the log odds at α = 1."""
    texts, labels = zip(*TRAINING, strict=True)
    bag = BagOfWords(lowercase=False, vocabulary=VOCABULARY)
    X, x = bag.fit_transform(texts), bag.transform([QUESTION])
    models = {"multinomial": (MultinomialNB, BLUE), "Bernoulli": (BernoulliNB, VERMILLION)}
    alphas = np.geomspace(1e-3, 1e3, 121)
    names = ["prior", *(f"{word} ×{n}" for word, n in zip(VOCABULARY, x.toarray()[0], strict=True)), "sum"]
    rows = np.arange(len(names))

    fig, (left, right) = figure(1, 2, width=8.6, height=3.6)
    for k, (name, (model, color)) in enumerate(models.items()):
        fitted = [model(alpha=alpha).fit(X, labels) for alpha in alphas]
        left.plot(alphas, [each.predict_proba(x)[0, 0] for each in fitted], color=color)
        at_one = model(alpha=1.0).fit(X, labels)
        left.plot(1, at_one.predict_proba(x)[0, 0], "o", color=color)
        left.annotate(name, ((0.5, 0.63), (3.5, 0.33))[k], color=color, weight="bold", ha=("right", "left")[k])
        right.barh(rows + 0.4 * k - 0.2, log_odds_terms(at_one, x.toarray()[0]), 0.36, color=color)
    left.axhline(0.5, color=GREY, linewidth=1)
    left.set(xscale="log", ylim=(0, 1), xlabel="smoothing α", ylabel="posterior of China")
    left.set_title("Each model turns at another α")
    right.axvline(0, color=BLACK, linewidth=1)
    right.axhline(len(names) - 1.5, color=GREY, linewidth=1)
    right.set_yticks(rows, names)
    right.invert_yaxis()
    right.grid(axis="y", visible=False)
    right.set(xlabel="log odds, for China to the right", title="Repetition divides the models (α = 1)")
    alt = (
        "Left, the posterior of China against the smoothing constant alpha, for both event models: from zero to the "
        "prior of three quarters; the multinomial curve crosses one half below alpha one, the Bernoulli curve above "
        "it. Right, what each word adds to the log odds at alpha one: three times Chinese decides for China in the "
        "multinomial model, while the Bernoulli model decides for Japan."
    )
    return Picture(fig, "interactive-smoothing", alt)


def two_gaussians() -> Picture:
    """Densities, posterior and log odds of two normal classes: with one width, and with two."""
    x = np.linspace(-6, 6, 241)
    fig, axes = figure(2, 2, width=8.6, height=5.2, sharex=True)
    for column, (widths, title) in zip(
        axes.T,
        (((1.0, 1.0), "One width: a logistic curve"), ((1.0, 2.0), "Two widths: no logistic curve")),
        strict=True,
    ):
        model = gaussian_classes((-1.0, 1.0), widths, 0.5)
        joint = np.exp(model.log_joint(x[:, None]))
        for values, color in zip(joint.T, (VERMILLION, BLUE), strict=True):
            column[0].plot(x, values, color=color)
        column[0].fill_between(x, joint.min(axis=1), color=BLACK, alpha=0.25, linewidth=0)
        column[0].set(ylim=(0, 0.22), title=title)
        column[1].plot(
            x, gaussian_classes((-1.0, 1.0), widths, 0.5, shared=True).predict_proba(x[:, None])[:, 1], "--", color=GREY
        )
        column[1].plot(x, model.predict_proba(x[:, None])[:, 1], color=GREEN, linewidth=2.6)
        column[1].set(ylim=(-0.02, 1.02), xlabel="x")
    axes[0, 0].set_ylabel("prior · density")
    axes[1, 0].set_ylabel("posterior of class 1")
    alt = (
        "Two normal classes with means minus one and one and equal priors, densities above and the posterior of the "
        "second class below. On the left both have the width one, and the posterior is a logistic curve. On the right "
        "the second is twice as wide: the posterior falls and rises again, unlike the logistic curve of a pooled "
        "width, drawn dashed. The overlap of the densities, shaded, is the Bayes error."
    )
    return Picture(fig, "interactive-two-gaussians", alt)


def gaussian_classes(
    means: tuple[float, float], widths: tuple[float, float], prior: float, *, shared: bool = False
) -> GDA:
    """GDA fitted to two points of each class, a width on either side of its mean, which gives just these parameters.

    prior : that of the second class, as the weight of its points. shared : one pooled width.
    """
    points = [mean + sign * width for mean, width in zip(means, widths, strict=True) for sign in (-1, 1)]
    weights = np.repeat([1 - prior, prior], 2)
    model = GDA(covariance="shared" if shared else "per-class")
    return model.fit(np.reshape(points, (4, 1)), [0, 0, 1, 1], sample_weight=weights)


def newton_v_sgd() -> Picture:
    """The paths of Newton's method, gradient ascent and SGD on the log likelihood of sex on height."""
    objective = likelihood()
    best = newton(objective).theta
    start = np.array([0.5, -1.5])  # slope and intercept
    paths = {"Newton": [start], "gradient ascent": [start], "SGD": [start]}
    for order in itertools.islice(orders(1), 5):
        _, gradient, hessian = objective.newton_system(paths["Newton"][-1])
        paths["Newton"].append(paths["Newton"][-1] - np.linalg.solve(hessian, gradient))
        theta = paths["gradient ascent"][-1]
        paths["gradient ascent"].append(theta - objective.value_and_gradient(theta)[1] / len(PEOPLE))
        for row in order:
            theta = paths["SGD"][-1]
            paths["SGD"].append(theta - objective.gradient_of(np.array([row]), theta) / len(PEOPLE))

    b, w = np.linspace(-4, 4, 61), np.linspace(-3, 6, 61)
    surface = [[-objective.value_and_gradient(np.array([slope, intercept]))[0] for intercept in b] for slope in w]
    fig, ax = figure(width=6.4, height=4.4)
    top = -objective.value_and_gradient(best)[0]
    depths = np.array([32, 16, 8, 4, 2, 1, 0.25])
    ax.contour(b, w, surface, levels=top - depths, colors=GREY, linewidths=0.8, linestyles="solid")
    styles = {"SGD": (VERMILLION, 1.0, ""), "gradient ascent": (GREEN, 2.2, "o"), "Newton": (BLUE, 2.2, "o")}
    for name, (color, width, marker) in styles.items():
        slope, intercept = np.transpose(paths[name])
        ax.plot(intercept, slope, color=color, linewidth=width, marker=marker, markersize=4, label=name)
    ax.plot(best[1], best[0], "+", color=BLACK, markersize=11, markeredgewidth=2)
    ax.set(xlim=(-4, 4), ylim=(-3, 6), xlabel="intercept b", ylabel="slope w")
    ax.set_title("Newton arrives, the others are on the way")
    ax.legend(loc="upper left")
    alt = (
        "Contours of the log likelihood of a logistic regression in intercept and slope, with three paths of five "
        "passes from one start. Newton's method goes past the maximum and then arrives, gradient ascent has come "
        "somewhat more than half the way, and stochastic gradient ascent wanders about the maximum."
    )
    return Picture(fig, "interactive-newton-v-sgd", alt)


def likelihood() -> LinearObjective:
    """The negative log likelihood of sex on height, in units of 8 cm from 155 cm, with θ = (slope, intercept)."""
    height, man = np.array(PEOPLE, dtype=float).T
    return LinearObjective((height[:, None] - 155) / 8, man, Logistic(), intercept=True)


def orders(seed: int) -> Iterator[list[int]]:
    """Orders of the people, pass by pass, by Lehmer's generator and the shuffle of Fisher and Yates."""
    while True:
        order = list(range(len(PEOPLE)))
        for k in range(len(PEOPLE) - 1, 0, -1):
            seed = seed * 48271 % 2147483647
            other = seed % (k + 1)
            order[k], order[other] = order[other], order[k]
        yield order


def log_odds_terms(model: MultinomialNB | BernoulliNB, counts: NDArray[np.int64]) -> Array:
    """Terms of the log odds of the first class against the second: prior, each word, and their sum."""
    logs = model.feature_log_prob_
    bernoulli = isinstance(model, BernoulliNB)
    of_words = np.where(counts > 0, logs, np.log1p(-np.exp(logs))) if bernoulli else counts * logs
    terms = np.append(np.subtract(*model.class_log_prior_), np.subtract(*of_words))
    return np.append(terms, terms.sum())
