"""Models of the library with given parameters, and counts as examples: what calls of the library need again and again.

A model gets its parameters by a fit to weighted examples of which they are the estimate, or, where they have a name in
the documentation of the class, by that name.
"""

import warnings
from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from probml.gda import GDA
from probml.linear_model import LinearRegression, LogisticRegression, PoissonRegression, SoftmaxRegression
from probml.losses import Logistic, Loss
from probml.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from probml.objectives import LinearObjective, Objective
from probml.solvers import Solution

Array = np.ndarray


def of_population(rows: list[dict]) -> tuple[CategoricalNB, Array]:
    """The model of y and the whole of x as one feature, which assumes nothing; and the values of that feature.

    rows : people, each with a class y and features x = (x1, x2, ...).
    """
    values = sorted({row["x"] for row in rows})
    X = np.array([[values.index(row["x"])] for row in rows])
    model = CategoricalNB(alpha=0).fit(X, [row["y"] for row in rows])
    return model, np.arange(len(values))[:, None]


def clear_cut(case: Callable[..., dict]) -> Callable[..., dict]:
    """The case of a population without two classes that are equally frequent for some x: rounding decides there."""

    def drawn(rng: np.random.Generator) -> dict:
        while True:
            found = case(rng)
            counts = Counter((row["x"], row["y"]) for row in found["rows"])
            of_value = [[n for (x, _), n in counts.items() if x == value] for value, _ in counts]
            if all(sorted(each)[-2] < max(each) for each in of_value):
                return found

    return drawn


def of_table(p: ArrayLike) -> tuple[CategoricalNB, Array]:
    """The same for a table of probabilities or counts, p[y][x]."""
    weight = np.array(p, dtype=float)
    y, x = (each.ravel() for each in np.indices(weight.shape))
    model = CategoricalNB(alpha=0).fit(x[:, None], y, weight.ravel())
    return model, np.arange(weight.shape[1])[:, None]


def multinomial(pi: ArrayLike, beta: ArrayLike) -> MultinomialNB:
    """Class prior pi, shape (K,), and probabilities of words beta, shape (K, n), which are counts that sum to one."""
    return MultinomialNB(alpha=0, class_prior=pi).fit(np.array(beta), np.arange(len(beta)))


def bernoulli(pi: ArrayLike, phi: ArrayLike) -> BernoulliNB:
    """Class prior pi, shape (K,), and probabilities phi, shape (K, n): a document for every level that some exceed."""
    X, y, weight = [], [], []
    for label, of_class in enumerate(np.array(phi)):
        levels = np.unique([0.0, *of_class, 1.0])
        X += [(of_class > low).astype(int) for low in levels[:-1]]
        y += [label] * (len(levels) - 1)
        weight += list(np.diff(levels))
    return BernoulliNB(alpha=0, class_prior=pi).fit(X, y, weight)


def gaussian(pi: ArrayLike, mu: ArrayLike, sigma: ArrayLike, shared: bool = False) -> GaussianNB:
    """Class prior pi, means mu and standard deviations sigma, shape (K, n): two examples a class, sigma from mu."""
    mu, sigma = np.array(mu), np.broadcast_to(sigma, np.shape(mu))
    X, y = np.concatenate([mu - sigma, mu + sigma]), np.tile(np.arange(len(mu)), 2)
    return GaussianNB(priors=pi, var_smoothing=0, shared_variance=shared).fit(X, y)


def gda(pi: ArrayLike, mu: ArrayLike, roots: ArrayLike, shared: bool = True) -> GDA:
    """Class prior pi, means mu, shape (K, n), and covariances A A', of one A for all classes or one for each.

    For every column a of A two examples, at mu - √n a and mu + √n a.
    """
    mu = np.array(mu)
    spread = np.sqrt(mu.shape[1]) * np.swapaxes(np.broadcast_to(roots, (len(mu), mu.shape[1], mu.shape[1])), 1, 2)
    X = np.concatenate([mean + sign * rows for mean, rows in zip(mu, spread, strict=True) for sign in (-1, 1)])
    y = np.repeat(np.arange(len(mu)), 2 * mu.shape[1])
    return GDA(covariance="shared" if shared else "per-class", priors=pi).fit(X, y)


def own(log_p: Array, y: ArrayLike) -> Array:
    """Of log p(x, y = j), shape (m, K), the entry of each example's own class."""
    return log_p[np.arange(len(y)), np.array(y)]


EXAMPLES = np.array([[0.0], [0.0], [1.0], [1.0]])


def logistic(w: ArrayLike, b: float = 0.0) -> LogisticRegression:
    """Weights w, shape (n,), and the intercept b."""
    model = LogisticRegression(l2=1.0).fit(np.repeat(EXAMPLES, len(w), axis=1), [0, 1, 0, 1])
    model.coef_, model.intercept_ = np.array([w]), np.array([b])
    return model


def softmax(W: ArrayLike) -> SoftmaxRegression:
    """A vector of weights for each class but the last, shape (K - 1, n); that of the last is 0."""
    y = np.arange(len(W) + 1)
    model = SoftmaxRegression(reference=True, l2=1.0).fit(np.zeros((len(y), np.shape(W)[1])), y)
    model.coef_, model.intercept_ = np.array(W), np.zeros(len(W))
    return model


def linear(w: ArrayLike) -> LinearRegression:
    """Weights w, shape (n,), and no intercept."""
    model = LinearRegression(l2=1.0, fit_intercept=False).fit(np.repeat(EXAMPLES, len(w), axis=1), [0, 1, 0, 1])
    model.coef_ = np.array(w)
    return model


def poisson(w: ArrayLike) -> PoissonRegression:
    """Weights w, shape (n,), and no intercept."""
    model = PoissonRegression(l2=1.0).fit(np.repeat(EXAMPLES, len(w), axis=1), [1, 0, 1, 2])
    model.coef_, model.intercept_ = np.array(w), 0.0
    return model


def objective(x: ArrayLike, y: ArrayLike, loss: Loss | None = None, *, intercept: bool = False) -> LinearObjective:
    """The sum of the losses, logistic unless given, of weights without an intercept unless there is one."""
    return LinearObjective(np.array(x), y, loss or Logistic(), intercept=intercept)


def one_step(solver: object, of: Objective, start: ArrayLike, **options: float) -> Solution:
    """Where one iteration ends."""
    return solver(of, start, max_iterations=1, **options)


def without_warning(model: object, *data: ArrayLike) -> object:
    """The model fitted by as many passes as it is allowed, which are too few to converge."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*data)
