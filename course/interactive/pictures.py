"""What stands for the interactive figures where scripts do not run, and on paper: their start, or what they teach."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.optimize import minimize, minimize_scalar
from scipy.stats import beta, norm

from course.figures import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Picture, figure
from course.teaching.conjugate import BetaBernoulli
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

COIN = (2.0, 2.0, 7, 3)  # parameters of the prior, heads and tails

FILTER = (0.13, 2.5, 10)  # proportion of spam, distance of the classes, cost of a lost message

# Means and ellipses (half axes, and the angle of the first in degrees) of two classes.
CLASS_MEANS = ((-1.5, -0.5), (1.5, 0.5))
CLASSES_ALIKE = ((1.6, 0.7, 45), (1.6, 0.7, 45))
CLASSES_ACROSS = ((1.6, 0.7, 45), (1.6, 0.7, 135))

SIX_POINTS = [(3, -1), (-3, 0), (0, 1), (-3, -1), (-1, 2), (-2, 1)]
SIX_CLASSES = [1, -1, 1, -1, 1, -1]
PLACES_OF_F = [(-1.5, 2), (-0.5, 1.5)]  # close to E, and halfway between E and C

DARK_ORANGE = "#A36F00"  # legible as text
TWO_CLASSES = (2.5, 10, 500)  # distance of the class means, features and examples

CONE_POINTS = [(2.2, 0.4), (-2.4, -0.2), (0.6, 1.8), (-1.0, -1.6), (0.9, -0.8), (-0.4, -0.9)]
CONE_CLASSES = [1, -1, 1, -1, 1, -1]
CONE_MEAN = (1.0, 0.5)  # of the positive class; the other one has its negative
PLACES_OF_E = [(0.1, -0.8), (-1.6, -1.0)]  # near the line through the others, and among the negative examples

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


def prior_to_posterior() -> Picture:
    """Prior, likelihood and posterior of a coin after ten tosses."""
    a, b, heads, tails = COIN
    prior = BetaBernoulli(a, b)
    posterior = prior.update(np.arange(heads + tails) < heads)
    low, high = posterior.interval()
    phi = np.linspace(0, 1, 401)
    fig, ax = figure(width=7.2, height=3.8)
    inside = (phi >= low) & (phi <= high)
    ax.fill_between(phi[inside], beta.pdf(phi[inside], posterior.a, posterior.b), color=BLUE, alpha=0.14, linewidth=0)
    curves = {
        "prior": (a, b, VERMILLION, "--", (0.12, 1.05), prior.mean),
        "likelihood": (heads + 1, tails + 1, GREEN, ":", (0.9, 2.1), heads / (heads + tails)),
        "posterior": (posterior.a, posterior.b, BLUE, "-", (0.44, 2.6), posterior.mean),
    }
    for name, (first, second, color, dash, place, mark) in curves.items():
        ax.plot(phi, beta.pdf(phi, first, second), color=color, linestyle=dash, linewidth=2.6)
        ax.plot(mark, 0, "o", color=color, markersize=9, clip_on=False, zorder=5)
        ax.text(*place, name, color=color, weight="bold", ha="center")
    ax.annotate(f"95%: {low:.2f} to {high:.2f}", (0.64, 0.5), ha="center", color=BLUE, fontsize=10)
    ax.set(xlim=(0, 1), ylim=(0, 3.3), xlabel="probability of heads φ", ylabel="density")
    ax.set_title(f"{heads} heads, {tails} tails: the posterior lies in between")
    alt = (
        f"Densities of the probability of heads: a dashed prior Beta({a:g}, {b:g}), a wide hill around one half; a "
        f"dotted likelihood of {heads} heads and {tails} tails, with its top at {heads / (heads + tails):g}; and the "
        f"posterior Beta({posterior.a:g}, {posterior.b:g}) between them, narrower than both, with its mean at "
        f"{posterior.mean:.2f}. Its middle 95 percent, from {low:.2f} to {high:.2f}, are shaded."
    )
    return Picture(fig, "interactive-prior-to-posterior", alt)


def two_gaussians() -> Picture:
    """Densities, posterior and log odds of two normal classes: with one width, and with two."""
    x = np.linspace(-6, 6, 241)
    fig, axes = figure(3, 2, width=8.6, height=6.9, sharex=True)
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
        pooled = np.exp(gaussian_classes((-1.0, 1.0), widths, 0.5, shared=True).log_joint(x[:, None]))
        for (_, posterior, log_odds), values, style in (
            (column, pooled, {"linestyle": "--", "color": GREY}),
            (column, joint, {"color": GREEN, "linewidth": 2.6}),
        ):
            posterior.plot(x, values[:, 1] / values.sum(axis=1), **style)
            log_odds.plot(x, np.log(values[:, 1] / values[:, 0]), **style)
        column[1].set(ylim=(-0.02, 1.02))
        column[2].set(ylim=(-12, 12), yticks=[-10, -5, 0, 5, 10], xlabel="x")
    axes[0, 0].set_ylabel("prior · density")
    axes[1, 0].set_ylabel("posterior of class 1")
    axes[2, 0].set_ylabel("log odds")
    axes[1, 1].annotate("pooled\nvariance", (2.6, 0.62), color=GREY)
    axes[2, 0].annotate("a straight line", (-5.5, 6.0), color=GREEN, weight="bold")
    axes[2, 1].annotate("a parabola", (-3.4, 5.0), color=GREEN, weight="bold")
    alt = (
        "Two normal classes with means minus one and one and equal priors: from top to bottom their densities, the "
        "posterior of the second class and its log odds. On the left both have the width one, the posterior is a "
        "logistic curve and the log odds are a straight line. On the right the second is twice as wide: the posterior "
        "falls and rises again and the log odds are a parabola, unlike those of a pooled width, drawn dashed. The "
        "overlap of the densities, shaded, is the Bayes error."
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
    ax.set_title("After five passes each: Newton is there, gradient\nascent on its way, SGD wanders about the top")
    ax.legend(loc="upper left")
    alt = (
        "Contours of the log likelihood of a logistic regression in intercept and slope, with three paths from one "
        "start, of five passes over the data each. Newton's method goes past the maximum and then arrives, gradient "
        "ascent is on its way, somewhat more than half of it done, and stochastic gradient ascent wanders about the "
        "maximum."
    )
    return Picture(fig, "interactive-newton-v-sgd", alt)


def medical_test() -> Picture:
    """A thousand people as dots, and the probability of being ill after a result against the prevalence."""
    prevalence = np.geomspace(0.001, 0.5, 109)
    after = np.array([posterior_of_test(each, 0.9, 0.95) for each in prevalence])
    fig, (left, right) = figure(1, 2, width=8.6, height=3.5, width_ratios=(1.15, 1))
    begin = 0
    for people, color, alpha in ((18, VERMILLION, 1), (2, VERMILLION, 0.25), (49, BLUE, 1), (931, BLUE, 0.25)):
        place = np.arange(begin, begin + people)
        left.scatter(place // 20, -(place % 20), s=15, c=color, alpha=alpha, linewidths=0)
        begin += people
    left.set(xlim=(-1, 50), ylim=(-20.5, 3.2))
    left.set_axis_off()
    left.text(-0.5, 2.6, "20 ill, 18 of them positive", color=VERMILLION, weight="bold", va="center")
    left.text(-0.5, 1.2, "980 healthy, 49 of them positive", color=BLUE, weight="bold", va="center")
    for k, (color, name, at) in enumerate(((BLUE, "negative", (0.1, -0.08)), (VERMILLION, "positive", (0.012, 0.62)))):
        right.plot(prevalence, after[:, k], color=color)
        right.plot(0.02, posterior_of_test(0.02, 0.9, 0.95)[k], "o", color=color)
        right.annotate(name, at, color=color, weight="bold")
    right.plot(prevalence, prevalence, "--", color=GREY)
    right.annotate("before", (0.2, 0.33), color=GREY, ha="right")
    right.set(xscale="log", ylim=(-0.12, 1.02), xlabel="prevalence", title="Rare disease: mostly false alarms")
    right.set_ylabel("probability of being ill")
    right.set_xticks([0.001, 0.01, 0.1, 0.5], ["0.1 %", "1 %", "10 %", "50 %"])
    right.minorticks_off()
    alt = (
        "Left, a thousand people as dots: 20 are ill, 18 of them test positive; 980 are healthy, 49 of them test "
        "positive. Right, the probability of being ill against the prevalence of the disease from 0.1 to 50 per cent, "
        "for a test with sensitivity 90 and specificity 95 per cent: after a positive result it rises from 2 to 95 per "
        "cent and is 27 per cent at a prevalence of 2 per cent; after a negative result it stays low."
    )
    return Picture(fig, "interactive-medical-test", alt)


def posterior_of_test(prevalence: float, sensitivity: float, specificity: float) -> Array:
    """p(ill | negative) and p(ill | positive): Bernoulli naive Bayes of one test, fitted to people as weights."""
    weights = [1 - prevalence, prevalence] * np.array([[specificity, 1 - sensitivity], [1 - specificity, sensitivity]])
    model = BernoulliNB(alpha=0).fit([[0], [0], [1], [1]], [0, 1, 0, 1], sample_weight=weights.ravel())
    return model.predict_proba([[0], [1]])[:, 1]


def prior_and_threshold() -> Picture:
    """Densities of the log odds, expected cost, ROC curve and precision against recall, with two thresholds on each."""
    prior, distance, cost = FILTER
    cuts, centre = np.linspace(-8, 8, 321), np.log(prior / (1 - prior))
    means = centre + distance**2 / 2 * np.array([-1, 1])
    h = np.linspace(-14, 14, 401)

    def rates(cut: Array | float) -> tuple[Array, Array]:
        return norm.sf(cut, means[0], distance), norm.sf(cut, means[1], distance)

    def precision(cut: Array | float) -> Array:
        lost, caught = rates(cut)
        return prior * caught / (prior * caught + (1 - prior) * lost)

    def expected_cost(cut: Array | float) -> Array:
        lost, caught = rates(cut)
        return 1000 * (cost * (1 - prior) * lost + prior * (1 - caught))

    fig, ((odds, costs), (roc, pr)) = figure(2, 2, width=8.6, height=6.4)
    for mean, share, name, color in zip(means, (1 - prior, prior), ("ham", "spam"), (BLUE, VERMILLION), strict=True):
        density = share * norm.pdf(h, mean, distance)
        odds.plot(h, density, color=color)
        odds.annotate(name, (mean + 1.2, density.max() + 0.002), color=color, weight="bold")
        wrong = h >= 0 if name == "ham" else h <= 0
        odds.fill_between(h[wrong], density[wrong], color=color, alpha=0.35, linewidth=0)
    odds.axvline(0, color=BLACK, linewidth=1.4)
    odds.set(ylim=(0, 0.17), yticks=[], xlabel="log odds of spam", title="Shaded: both kinds of error")
    costs.plot(cuts, expected_cost(cuts), color=BLACK)
    costs.set(ylim=(0, 400), xlabel="threshold on the log odds", title="Expected cost of 1000 messages")
    roc.plot(*rates(h), color=BLACK)
    roc.set(xlabel="ham stopped", ylabel="spam stopped", title="ROC: the prior does not move it")
    pr.plot(rates(cuts)[1], precision(cuts), color=BLACK)
    pr.axhline(prior, color=GREY, linestyle="--", linewidth=1.4)
    pr.set(ylim=(0, 1.03), xlabel="recall", ylabel="precision", title="Precision and recall: it does")
    for cut, color, name in ((0.0, BLACK, "0"), (np.log(cost), GREEN, "cheapest")):
        places = [(cut, expected_cost(cut)), rates(cut), (rates(cut)[1], precision(cut))]
        for ax, place in zip((costs, roc, pr), places, strict=True):
            ax.plot(*place, "o", color=color, markersize=8)
        costs.annotate(name, (cut + 0.4, expected_cost(cut) - 40 * (cut > 0)), color=color, weight="bold")
    alt = (
        "Four panels about a filter whose log odds are normal in both classes, with 13 percent spam and a lost ham "
        "ten times as expensive as a missed spam. Densities of the log odds with the errors shaded at the threshold 0; "
        "the expected cost against the threshold, lowest near 2.3; the ROC curve, and precision against recall, each "
        "with the points of both thresholds: the cheapest one stops fewer spam messages and hardly any ham."
    )
    return Picture(fig, "interactive-prior-and-threshold", alt)


def discriminant() -> Picture:
    """The boundaries of LDA and QDA for equal and for different covariances."""
    side = np.linspace(-5, 5, 201)
    grid = np.stack(np.meshgrid(side, side), axis=-1)
    titles = ("One covariance: the same line", "Two covariances: a hyperbola")
    fig, axes = figure(1, 2, width=8.6, height=4.5)
    for ax, title, ellipses in zip(axes, titles, (CLASSES_ALIKE, CLASSES_ACROSS), strict=True):
        models = [normal_classes(CLASS_MEANS, ellipses, 0.5, shared=shared) for shared in (False, True)]
        for mean, covariance, color in zip(CLASS_MEANS, map(covariance_of, ellipses), (VERMILLION, BLUE), strict=True):
            away = grid - np.array(mean)
            radius = np.sqrt(np.einsum("...i,ij,...j", away, np.linalg.inv(covariance), away))
            ax.contour(side, side, radius, levels=[1, 2], colors=color, linewidths=[2.2, 1.2])
        for model, color, dash in zip(models, (GREEN, BLACK), ("solid", "dashed"), strict=True):
            log_odds = np.diff(model.log_joint(grid.reshape(-1, 2)), axis=1).reshape(201, 201)
            ax.contour(side, side, log_odds, levels=[0], colors=color, linewidths=[2.6], linestyles=dash)
        theta = models[1].coef_[0] / np.linalg.norm(models[1].coef_)
        foot = -3.2 * np.array([-theta[1], theta[0]])
        ax.annotate("", foot + 1.5 * theta, foot, arrowprops={"arrowstyle": "->", "color": BLACK, "linewidth": 1.8})
        ax.annotate("θ", foot + 1.6 * theta, weight="bold", va="center")
        ax.set(aspect="equal", title=title, xlim=(-5, 5), ylim=(-5, 5))
    axes[1].annotate("QDA", (2.0, 3.1), color=GREEN, weight="bold")
    axes[1].annotate("LDA", (-1.8, 4.1), color=BLACK, weight="bold", ha="right")
    alt = (
        "Two normal classes in the plane as ellipses, twice. On the left both have the same covariance, and LDA and "
        "QDA draw the same straight line, with the vector theta at right angles to it. On the right the ellipses lie "
        "across each other: LDA still draws a line, QDA a hyperbola with two branches."
    )
    return Picture(fig, "interactive-discriminant", alt)


def covariance_of(ellipse: tuple[float, float, float]) -> Array:
    """The covariance of which an ellipse shows one standard deviation: its two half axes, and the first one's angle."""
    long, short, degrees = ellipse
    turned = np.array([[np.cos(np.radians(degrees))], [np.sin(np.radians(degrees))]])
    axes = np.hstack([turned, [-turned[1], turned[0]]])
    return axes @ np.diag([long**2, short**2]) @ axes.T


def normal_classes(
    means: Sequence[Sequence[float]],
    ellipses: Sequence[tuple[float, float, float]],
    prior: float,
    *,
    shared: bool = False,
) -> GDA:
    """GDA fitted to four points of each class, which give just these means and covariances.

    prior : that of the second class, as the weight of its points. shared : one pooled covariance.
    """
    corners = np.sqrt(2) * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    roots = [np.linalg.cholesky(covariance_of(ellipse)) for ellipse in ellipses]
    points = [np.array(mean) + corners @ root.T for mean, root in zip(means, roots, strict=True)]
    model = GDA(covariance="shared" if shared else "per-class")
    return model.fit(np.vstack(points), np.repeat([0, 1], 4), sample_weight=np.repeat([1 - prior, prior], 4))


def perceptron() -> Picture:
    """The last line of the perceptron on the six points, and on those with F moved, until no line separates them."""
    fig, axes = figure(1, 3, width=8.6, height=3.4, sharey=True)
    numbers = []
    for ax, place in zip(axes, (SIX_POINTS[-1], *PLACES_OF_F), strict=True):
        X, y = np.array([*SIX_POINTS[:-1], place], dtype=float), np.array(SIX_CLASSES)
        lines = mistakes(X, y)
        theta = lines[-1][0]
        stopped = np.all(y * (X @ theta[:2] + theta[2]) > 0)
        drawn = [(theta, GREEN, 2.4)] if stopped else [(each, GREY, 1.3) for each, _ in lines[-4:]]
        numbers.append(len(lines) - 1)
        for sign, color, marker in ((1, BLUE, "o"), (-1, VERMILLION, "s")):
            ax.scatter(*X[y == sign].T, c=color, s=60, marker=marker, zorder=3)
        for name, (u, v) in zip("ABCDEF", X, strict=True):
            at = {"xy": (u - 0.3, v), "ha": "right", "va": "center"} if name == "F" else {"xy": (u + 0.3, v + 0.3)}
            ax.annotate(name, **at, weight="bold", path_effects=[withStroke(linewidth=2, foreground="white")])
        for each, color, width in drawn:
            foot, along = -each[2] * each[:2] / (each[:2] @ each[:2]), np.array([-each[1], each[0]])
            ax.axline(foot, foot + along, color=color, linewidth=width)
        ax.set(aspect="equal", xlim=(-4, 4), ylim=(-4, 4), xticks=range(-4, 5, 2), yticks=range(-4, 5, 2))
        ax.set_title(f"{len(lines) - 1} mistakes, then none" if stopped else "Mistakes without end", fontsize=12)
    alt = (
        "Three times six points of two classes in the plane. Left: the perceptron ends with a line between them, "
        f"after {numbers[0]} mistakes. Middle: the negative point F has moved close to the positive point E, and the "
        f"perceptron needs {numbers[1]} mistakes. Right: F lies halfway between two positive points; no line separates "
        "the classes, and the lines after the last four mistakes point in different directions."
    )
    return Picture(fig, "interactive-perceptron", alt)


def mistakes(X: Array, y: NDArray[np.int64], visits: int = 72) -> list[tuple[Array, int]]:
    """(w, b) before the first mistake and after each, with the example of the mistake.

    It ends after a pass without a mistake, or after so many visits.
    """
    found, quiet = [(np.zeros(3), -1)], 0
    for i in itertools.islice(itertools.cycle(range(len(X))), visits):
        theta, example = found[-1][0], y[i] * np.append(X[i], 1.0)
        quiet = quiet + 1 if theta @ example > 0 else 0
        if quiet == len(X):
            break
        if quiet == 0:
            found.append((theta + example, i))
    return found


def how_many_examples() -> Picture:
    """Expected errors of both models against the number of examples, and examples needed against the distance."""
    delta, n, _ = TWO_CLASSES
    best = norm.cdf(-delta / 2)
    sizes, distances = np.geomspace(10, 10_000, 121), np.linspace(1, 4, 31)
    rates = {distance: excess_rates(distance) for distance in (delta, *distances)}
    fig, (left, right) = figure(1, 2, width=8.6, height=3.7, width_ratios=(1.3, 1))
    needed = {}
    labels = {"GDA": ("GDA", BLUE, (2.3, 12)), "logistic": ("logistic\nregression", DARK_ORANGE, (2.7, 29))}
    for name, color in (("GDA", BLUE), ("logistic", ORANGE)):
        needed[name] = 100 * n * rates[delta][name]
        first = (n + 2) * least_examples(delta)[name]
        errors = 100 * (best + n * rates[delta][name] / sizes)
        left.plot(sizes[sizes <= first], errors[sizes <= first], ":", color=color)
        left.plot(sizes[sizes >= first], errors[sizes >= first], color=color)
        left.plot(needed[name], 100 * best + 1, "o", color=color)
        per_feature = np.array([100 * rates[distance][name] for distance in distances])
        least = np.array([least_examples(distance)[name] * (n + 2) / n for distance in distances])
        right.plot(distances[per_feature >= least], per_feature[per_feature >= least], color=color)
        right.plot(distances[per_feature <= least], per_feature[per_feature <= least], ":", color=color)
        text, dark, place = labels[name]
        right.annotate(text, place, color=dark, weight="bold")
    left.axvspan(10, (n + 2) * least_examples(delta)["GDA"], color="#E8E8E8", zorder=0)
    left.axhline(100 * best, color=BLACK, linewidth=1.2)
    left.axhline(100 * best + 1, color=GREEN, linewidth=1.4, linestyle="--")
    left.annotate("1 point above the best", (9500, 100 * best + 1.1), color=GREEN, ha="right")
    left.set(xscale="log", xlim=(10, 10_000), ylim=(100 * best - 0.5, 100 * best + 5), xlabel="examples m")
    left.set(
        ylabel="expected error, %", title=f"{needed['GDA']:.0f} or {needed['logistic']:.0f} examples for {n} features"
    )
    right.set(ylim=(0, 48), xlabel="distance Δ of the class means", title="Far apart, GDA saves most")
    right.set_ylabel("examples needed per feature")
    alt = (
        "Left, the expected error of GDA and of logistic regression against the number of examples on a logarithmic "
        f"axis, for two normal classes of distance {delta} and {n} features: both fall to the error of the best rule, "
        f"{100 * best:.1f} percent; GDA is within one point of it from about {needed['GDA']:.0f} examples on, logistic "
        f"regression from about {needed['logistic']:.0f}. Where examples are few the curves are dotted, as the formula "
        "does not hold there. Right, the examples that each needs for a feature, against the distance: nearly "
        "the same at distance one, three times as many for logistic regression at distance four."
    )
    return Picture(fig, "interactive-how-many-examples", alt)


def excess_rates(delta: float) -> dict[str, float]:
    """m / n times the excess error of each model, for equal priors and many examples (Efron 1975).

    = φ(Δ/2) / 4Δ times 4 + Δ² for GDA and 1 / A_0 for logistic regression, where A_0 = E[p (1 - p)] is the information
    of an example about the intercept.
    """
    information = (
        quad(lambda x: norm.pdf(x) / np.cosh(delta * x / 2), -38, 38, epsabs=1e-13)[0] * np.exp(-(delta**2) / 8) / 4
    )
    factor = norm.pdf(delta / 2) / (4 * delta)
    return {"GDA": factor * (4 + delta**2), "logistic": factor / information}


def least_examples(delta: float) -> dict[str, float]:
    """Examples for each of n + 2 parameters from which on Efron's formula comes within a third of simulated errors."""
    return {"GDA": 10.0, "logistic": max(10.0, 2.5 / existence_threshold(delta))}


def existence_threshold(delta: float) -> float:
    """The n / m above which, for many features, a hyperplane separates two normal classes of equal size.

    It is the smallest value, over t, of E[(t V - Z)_+^2], where V ~ Normal(Δ/2, 1) and Z ~ Normal(0, 1): the threshold
    of Candès and Sur (2020), for these classes. With Δ = 0 it is Cover's 1/2.
    """

    def positive_part(t: float) -> float:
        mean, width = t * delta / 2, np.hypot(1, t)
        return (mean**2 + width**2) * norm.cdf(mean / width) + mean * width * norm.pdf(mean / width)

    return float(minimize_scalar(positive_part, bounds=(-50, 0), method="bounded", options={"xatol": 1e-10}).fun)


def weak_duality() -> Picture:
    """The best supporting line of a convex problem, and of one with two valleys, where a gap remains."""
    u = np.linspace(-1.5, 1.8, 331)
    well = minimize_scalar(two_valleys, bounds=(0, 2), method="bounded", options={"xatol": 1e-9})
    from_left = np.minimum.accumulate(two_valleys(np.linspace(3, -1.8, 4801)))  # of all w from 3 down to -u
    values = (np.maximum(1 - u, 0) ** 2 / 2, np.interp(u, np.linspace(-3, 1.8, 4801), from_left))
    curves = ((1 - u) ** 2 / 2, two_valleys(-u))
    titles = ("Convex: a line comes up to p*", "Two valleys: a gap remains")
    fig, axes = figure(1, 2, width=8.6, height=3.8)
    for k, (ax, primal, multiplier, dual) in enumerate(
        zip(axes, (0.5, well.fun), (1.0, 0.25), (0.5, 0.0), strict=True)
    ):
        ax.fill_between(u, values[k], 3, color="#E3EFF7", linewidth=0)
        ax.plot(u, curves[k], ":", color=GREY, linewidth=1.4)
        ax.plot(u, values[k], color=BLUE, linewidth=2.6)
        ax.plot(u, dual - multiplier * u, color=VERMILLION)
        ax.axvline(0, color=BLACK, linewidth=1)
        ax.plot([0, 0], [dual, primal], color=GREEN, linewidth=4)
        ax.plot(0, primal, "o", color=BLUE, markersize=8)
        ax.plot(0, dual, "o", color=VERMILLION, markersize=8 - 3 * (k == 0))
        ax.set(xlim=(-1.5, 1.8), ylim=((-1.0, 2.4), (-0.7, 1.5))[k], xlabel="constraint g(w)", title=titles[k])
        ax.set(xticks=(-1, 0, 1), yticks=(range(-1, 3), (-0.5, 0, 0.5, 1, 1.5))[k])
    axes[0].annotate("p* = d* = 0.5", (0.1, 0.6), weight="bold")
    axes[0].annotate("v(u)", (-0.95, 2.1), color=BLUE, weight="bold")
    axes[1].annotate(f"p* = {well.fun:.3f}", (0.08, well.fun + 0.08), color=BLUE, weight="bold")
    axes[1].annotate("d* = 0", (-0.08, -0.14), color=VERMILLION, weight="bold", ha="right")
    axes[0].set_ylabel("objective f(w)")
    alt = (
        "Two sets of values of constraint and objective, shaded, with their lower edge v(u) and the supporting line of "
        "the best multiplier. Left, w squared over two subject to 1 - w at most 0: the line of slope minus one touches "
        "the edge where the constraint is zero, and primal and dual value are both one half. Right, two valleys: the "
        "line of slope minus one quarter touches the edge left and right of zero and passes zero at height 0, below "
        f"the minimum of {well.fun:.3f}, at w = {well.x:.3f}."
    )
    return Picture(fig, "interactive-weak-duality", alt)


def two_valleys(w: Array | float) -> Array | float:
    """An objective with two minima, of which the left one is deeper."""
    return (w**2 - 1) ** 2 + w / 4


def separating_cone() -> Picture:
    """The lines that separate six examples, and those with E moved, until there is none."""
    fig, axes = figure(1, 3, width=8.6, height=3.4, sharey=True)
    widths, errors = [], []
    for ax, place in zip(axes, (CONE_POINTS[4], *PLACES_OF_E), strict=True):
        X, y = np.array([*CONE_POINTS[:4], place, CONE_POINTS[5]]), np.array(CONE_CLASSES)
        cone = separating_angles(y[:, None] * X)
        title = "No line separates"
        if cone is not None:
            angles = np.linspace(*cone, 25)
            for sign in (-8, 8):
                edge = sign * np.column_stack([-np.sin(angles), np.cos(angles)])
                ax.fill(*np.vstack([[0, 0], edge]).T, color="#DCEBE7", linewidth=0)
            v = largest_margin(y[:, None] * X)
            ax.axline((0, 0), (-v[1], v[0]), color=GREEN, linewidth=2.6)
            mean = quad(error_of_direction, *cone)[0] / (cone[1] - cone[0])
            widths.append(np.degrees(cone[1] - cone[0]))
            errors += [mean, error_of_direction(np.arctan2(v[1], v[0]))]
            title = f"Random line: {100 * mean:.1f} %\nLargest margin: {100 * errors[-1]:.1f} %"
            ax.annotate(f"cone of {widths[-1]:.0f}°", (3.1, 2.75), color=GREEN, weight="bold", ha="right")
        for sign, color, marker in ((1, BLUE, "o"), (-1, VERMILLION, "s")):
            ax.scatter(*X[y == sign].T, c=color, s=55, marker=marker, zorder=3)
            ax.plot(*(sign * np.array(CONE_MEAN)), "x", color=color, markersize=8)
        ax.annotate("E", (X[4, 0], X[4, 1] - 0.7), color=BLUE, weight="bold", ha="center")
        ax.set(aspect="equal", xlim=(-3.2, 3.2), ylim=(-3.2, 3.2), xticks=(-2, 0, 2), yticks=(-2, 0, 2))
        ax.set_title(title, fontsize=12)
    alt = (
        "Three times six examples of two classes in the plane, with all lines through the origin that separate them, "
        f"shaded, and that of the largest margin. Left: the directions fill a cone of {widths[0]:.0f} degrees; a "
        f"random one has a test error of {100 * errors[0]:.1f} percent on average, the largest margin "
        f"{100 * errors[1]:.1f}. Middle: the positive example E has moved near the negative ones, and the cone has "
        f"{widths[1]:.0f} degrees, {100 * errors[2]:.1f} percent on average and {100 * errors[3]:.1f} for the largest "
        "margin. Right: E lies among the negative examples, and no line separates the classes."
    )
    return Picture(fig, "interactive-separating-cone", alt)


def error_of_direction(angle: float) -> float:
    """P(y x · w < 0) for a fresh example and w of this direction: x is normal around y times the mean, variance one."""
    return float(norm.cdf(-(np.array([np.cos(angle), np.sin(angle)]) @ CONE_MEAN)))


def separating_angles(A: Array) -> tuple[float, float] | None:
    """Where the angles of all w with A w > 0 begin and end; None if there is no such w. A : shape (c, 2)."""
    angles = np.sort(np.arctan2(A[:, 1], A[:, 0]))
    gaps = np.diff(angles, append=angles[0] + 2 * np.pi)
    i = int(gaps.argmax())
    if gaps[i] <= np.pi or (A == 0).all(axis=1).any():
        return None
    turn = 2 * np.pi * (angles[i] > np.pi / 2 + np.arctan2(CONE_MEAN[1], CONE_MEAN[0]))
    return float(angles[i] - np.pi / 2 - turn), float(angles[i] + gaps[i] - 3 * np.pi / 2 - turn)


def largest_margin(A: Array) -> Array:
    """The shortest v with A v ≥ 1: the direction of the largest margin, which is 1 / |v|. A : shape (c, 2)."""
    return minimize(
        lambda v: v @ v / 2,
        A.mean(axis=0),
        jac=lambda v: v,
        constraints={"type": "ineq", "fun": lambda v: A @ v - 1, "jac": lambda _: A},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    ).x


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
