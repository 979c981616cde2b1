"""Linear models."""

from typing import Any, Self

import numpy as np
import sklearn.linear_model as peer
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import MultinomialNB
from sklearn.svm import LinearSVC as PeerSVC

from benchmarks.rows.elsewhere import Glum, Snapml, Statsmodels, onedal
from benchmarks.rows.estimators import Model
from benchmarks.rows.minimum import against_rest, direct_rows, linear, rows, softmax
from benchmarks.rows.problems import (
    SMALL,
    Matrix,
    Problem,
    Source,
    counts,
    fraud,
    integers,
    large_digits,
    movie_reviews,
    newsgroups_tf_idf,
    pair,
    regression,
    responses,
    several_classes,
    small_digits,
    sparse_binary,
    sparse_counts,
    strong,
)
from probml.families import Bernoulli, Gamma
from probml.linear_model import (
    GLM,
    LinearRegression,
    LinearSVC,
    LogisticRegression,
    Perceptron,
    PoissonRegression,
    SoftmaxRegression,
)
from probml.losses import GLMLoss, Log, Logistic, PoissonLoss, Probit, SquaredHinge
from probml.nbsvm import NBSVM
from probml.objectives import LinearObjective, Objective

PASSES = 10
SEED = 0  # of peers that take examples at random
NEWTON, SECOND_ORDER = ("newton-cholesky", "lbfgs"), ("newton-cholesky", "lbfgs", "newton-cg")
ALL = (*SECOND_ORDER, "sag", "saga")
RELIGION, GRAPHICS = pair("alt.atheism", "talk.religion.misc"), pair("comp.graphics", "comp.windows.x")


def _sizes(name: str, kind: str, large: int) -> dict[str, Source]:
    return {
        f"{name}-small": responses(*SMALL, kind),
        f"{name}-working": responses(200_000, 50, kind),
        f"{name}-large": responses(1_000_000, large, kind),
    }


def _logistic(solvers: tuple[str, ...], l2: float = 0.0) -> tuple[Model, ...]:
    """scikit-learn's, with so many of its solvers."""
    C = 1 / l2 if l2 else np.inf
    drawn = dict.fromkeys(("sag", "saga"), SEED)  # the same order in each run, and so the same digits
    return tuple(
        peer.LogisticRegression(C=C, solver=solver, max_iter=10_000, random_state=drawn.get(solver))
        for solver in solvers
    )


def _liblinear(l2: float) -> tuple[Model, ...]:
    """It penalises the intercept too; as a tenth of it enters, that is not seen at this gap."""
    return (
        peer.LogisticRegression(C=1 / l2, solver="liblinear", intercept_scaling=10, max_iter=10_000, random_state=SEED),
        Snapml("LogisticRegression", l2=l2),
    )


def _onedal(l2: float = 0.0) -> tuple[Model, ...]:
    return (onedal("LogisticRegression", C=1 / l2 if l2 else np.inf, max_iter=10_000),)


def _binomial(l2: float = 0.0) -> tuple[Model, ...]:
    options = {"family": "binomial", "max_iter": 10_000}
    return tuple(Glum({**options, "solver": solver}, l2=l2) for solver in ("irls-ls", "lbfgs"))


def _squared_hinge(l2: float) -> tuple[Model, ...]:
    options = {"C": 1 / (2 * l2), "intercept_scaling": 10, "max_iter": 100_000, "random_state": SEED}
    return tuple(PeerSVC(dual=dual, **options) for dual in (False, True))


class PeerNBSVM(ClassifierMixin, BaseEstimator):
    """NBSVM of two classes, of scikit-learn's parts."""

    def __init__(self, *, C: float = 1.0, dual: bool = True, tol: float = 1e-4) -> None:
        self.C = C
        self.dual = dual
        self.tol = tol

    @property
    def title(self) -> str:
        """Its parts."""
        return f"sklearn.MultinomialNB(), and LinearSVC(dual={self.dual}, intercept_scaling=10) on weighted words"

    def fit(self, X: Matrix, y: NDArray[Any]) -> Self:
        """Fit both."""
        present = _present(X)
        ratio, prior = _log_ratio(present, y)
        svm = PeerSVC(C=self.C, dual=self.dual, intercept_scaling=10, tol=self.tol, max_iter=100_000, random_state=SEED)
        svm.fit(_weighted(present, ratio), y)
        self.classes_, self.svm_coef_, self.svm_intercept_ = svm.classes_, svm.coef_, svm.intercept_
        beta, mean = 0.25, np.abs(svm.coef_).mean()
        self.coef_ = ((1 - beta) * mean + beta * svm.coef_) * ratio
        self.intercept_ = (1 - beta) * mean * prior + beta * svm.intercept_
        return self

    def predict(self, X: Matrix) -> NDArray[Any]:
        """Labels, shape (m,)."""
        z = (_present(X) @ self.coef_.T + self.intercept_)[:, 0]
        labels: NDArray[Any] = self.classes_[(z > 0).astype(int)]
        return labels


def _present(X: Matrix) -> Matrix:
    return (X > 0).astype(np.float64)


def _log_ratio(present: Matrix, y: NDArray[Any]) -> tuple[NDArray[Any], float]:
    bayes = MultinomialNB().fit(present, y)
    return bayes.feature_log_prob_[1] - bayes.feature_log_prob_[0], bayes.class_log_prior_ @ [-1, 1]


def _weighted(present: Matrix, ratio: NDArray[Any]) -> Matrix:
    return sparse.csr_array(present.multiply(ratio)) if sparse.issparse(present) else present * ratio


def _svm_of_nbsvm(problem: Problem) -> tuple[Objective, ...]:
    present = _present(problem.X)
    weighted = _weighted(present, _log_ratio(present, problem.y)[0])
    return (LinearObjective(weighted, np.where(problem.y > 0, 1, -1), SquaredHinge(), l2=0.5),)


LEAST_SQUARES = (
    *direct_rows(
        "Linear regression",
        "least squares",
        {
            "least-squares-small": regression(*SMALL),
            "least-squares-working": regression(100_000, 50),
            "least-squares-large": regression(1_000_000, 50),
        },
        LinearRegression(),
        (
            peer.LinearRegression(),
            onedal("LinearRegression"),
            Glum({"family": "normal"}),
            Statsmodels("Gaussian", "Identity"),
        ),
    ),
    *direct_rows(
        "Linear regression",
        "least squares, l2 = 1",
        {"ridge-small": regression(*SMALL), "ridge-large": regression(1_000_000, 50)},
        LinearRegression(l2=1),
        (
            *(peer.Ridge(solver=solver) for solver in ("cholesky", "svd")),
            onedal("Ridge"),
            Glum({"family": "normal"}, l2=1),
        ),
    ),
)
LOGISTIC = (
    *rows(
        "Logistic regression",
        "maximum likelihood",
        {"logistic-small": responses(*SMALL, "binary"), "logistic-working": responses(200_000, 50, "binary")},
        linear(Logistic()),
        LogisticRegression(),
        (*_logistic(ALL), *_onedal(), *_binomial(), Statsmodels("Binomial", "Logit")),
    ),
    *rows(
        "Logistic regression",
        "maximum likelihood",
        {"logistic-large": responses(1_000_000, 100, "binary")},
        linear(Logistic()),
        LogisticRegression(),
        (*_logistic(NEWTON), *_onedal(), _binomial()[0]),
    ),
    *rows(
        "Logistic regression",
        "maximum likelihood",
        {"logistic-strong": strong(), "logistic-weak": strong(features=60)},
        linear(Logistic()),
        LogisticRegression(),
        (*_logistic(SECOND_ORDER), *_onedal(), _binomial()[0]),
    ),
    *rows(
        "Logistic regression",
        "l2 = 1",
        {"logistic-l2-small": responses(*SMALL, "binary")},
        linear(Logistic(), 1.0),
        LogisticRegression(l2=1),
        (*_logistic(ALL, 1.0), *_liblinear(1.0), *_onedal(1.0), *_binomial(1.0)),
    ),
    *rows(
        "Logistic regression",
        "l2 = 1",
        {"logistic-fraud": fraud},
        linear(Logistic(), 1.0),
        LogisticRegression(l2=1),
        (*_logistic(SECOND_ORDER, 1.0), *_liblinear(1.0), *_onedal(1.0), *_binomial(1.0)),
    ),
    *rows(
        "Logistic regression",
        "l2 = 1",
        {
            "logistic-sparse": RELIGION,
            "logistic-sparse-x": GRAPHICS,
            "logistic-sparse-working": sparse_binary(100_000, 10_000, 0.002),
        },
        linear(Logistic(), 1.0),
        LogisticRegression(l2=1),
        (*_logistic(("lbfgs", "newton-cg", "sag"), 1.0), *_liblinear(1.0), *_onedal(1.0)),
    ),
)
SOFTMAX = (
    *rows(
        "Softmax regression",
        "LogisticRegression, l2 = 1",
        {
            "logistic-classes-small": several_classes(*SMALL, K=3),
            "logistic-classes-working": several_classes(100_000, 20, K=3),
        },
        softmax(1.0),
        LogisticRegression(l2=1),
        (*_logistic(ALL, 1.0), *_onedal(1.0)),
    ),
    *rows(
        "Softmax regression",
        "l2 = 1",
        {
            "softmax-small": several_classes(*SMALL, K=3),
            "softmax-working": several_classes(100_000, 50, K=5),
            "softmax-large": several_classes(1_000_000, 20, K=3),
            "softmax-digits": small_digits,
        },
        softmax(1.0),
        SoftmaxRegression(l2=1),
        (*_logistic(SECOND_ORDER, 1.0), *_onedal(1.0)),
    ),
    *rows(
        "Softmax regression",
        "l2 = 1",
        {"softmax-newsgroups": newsgroups_tf_idf},
        softmax(1.0),
        SoftmaxRegression(l2=1),
        _logistic(("newton-cg",), 1.0),
    ),
    *rows(
        "Softmax regression",
        "l2 = 100",
        {"softmax-mnist": large_digits},
        softmax(100.0),
        SoftmaxRegression(l2=100),
        (*_logistic(("lbfgs", "newton-cg"), 100.0), *_onedal(100.0)),
    ),
)
GENERALISED = (
    *rows(
        "Poisson regression",
        "maximum likelihood",
        _sizes("poisson", "counts", 50),
        linear(PoissonLoss()),
        PoissonRegression(),
        (
            *(peer.PoissonRegressor(alpha=0, solver=solver, max_iter=10_000) for solver in NEWTON),
            *(Glum({"family": "poisson", "solver": solver, "max_iter": 10_000}) for solver in ("irls-ls", "lbfgs")),
            Statsmodels("Poisson", "Log"),
        ),
    ),
    *rows(
        "Poisson regression",
        "maximum likelihood",
        {"poisson-sparse": sparse_counts(100_000, 300, 0.02)},
        linear(PoissonLoss()),
        PoissonRegression(),
        (
            *(peer.PoissonRegressor(alpha=0, solver=solver, max_iter=10_000) for solver in NEWTON),
            *(Glum({"family": "poisson", "solver": solver, "max_iter": 10_000}) for solver in ("irls-ls", "lbfgs")),
        ),
    ),
    *rows(
        "Other generalised linear models",
        "gamma with log link",
        _sizes("gamma", "gamma", 20),
        linear(GLMLoss(Gamma(), Log())),
        GLM(Gamma(), Log()),
        (
            *(peer.GammaRegressor(alpha=0, solver=solver, max_iter=10_000) for solver in NEWTON),
            Glum({"family": "gamma", "link": "log", "max_iter": 10_000}),
            Statsmodels("Gamma", "Log"),
        ),
    ),
    *rows(
        "Other generalised linear models",
        "Bernoulli with probit link",
        _sizes("probit", "probit", 20),
        linear(GLMLoss(Bernoulli(), Probit())),
        GLM(Bernoulli(), Probit()),
        (Statsmodels("Binomial", "Probit"),),
    ),
)
MARGINS = (
    *rows(
        "Linear support vector machine",
        "squared hinge, l2 = 1",
        {
            "svc-small": responses(*SMALL, "binary"),
            "svc-working": responses(100_000, 50, "binary"),
            "svc-large": responses(1_000_000, 50, "binary"),
            "svc-newsgroups": newsgroups_tf_idf,
            "svc-sparse": RELIGION,
            "svc-imdb": movie_reviews,
        },
        against_rest(SquaredHinge(), 1.0),
        LinearSVC(),
        _squared_hinge(1.0),
    ),
    *rows(
        "NBSVM",
        "C = 1",
        {"nbsvm-small": counts(*SMALL, K=2), "nbsvm-sparse": RELIGION, "nbsvm-imdb": movie_reviews},
        _svm_of_nbsvm,
        NBSVM(),
        (PeerNBSVM(), PeerNBSVM(dual=False)),
    ),
    *direct_rows(
        "Perceptron",
        f"{PASSES} passes over classes that are not separable",
        {
            "perceptron-small": integers(200, 5),
            "perceptron-working": integers(20_000),
            "perceptron-large": integers(1_000_000),
        },
        Perceptron(max_iter=PASSES, tol=0),
        (peer.Perceptron(max_iter=PASSES, tol=None, shuffle=False),),
    ),
    *direct_rows(  # scikit-learn's steps of the intercept are a hundredth of ours where rows are sparse
        "Perceptron",
        f"{PASSES} passes over sparse rows, no intercept",
        {"perceptron-sparse": RELIGION},
        Perceptron(max_iter=PASSES, tol=0, fit_intercept=False),
        (peer.Perceptron(max_iter=PASSES, tol=None, shuffle=False, fit_intercept=False),),
    ),
)
ROWS = (*LEAST_SQUARES, *LOGISTIC, *SOFTMAX, *GENERALISED, *MARGINS)
