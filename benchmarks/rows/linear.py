"""Linear models that are fitted by iteration. All sides go to within 1e-8 of the minimum of the same objective."""

import importlib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression as Peer
from sklearn.linear_model import PoissonRegressor

from benchmarks.memory import in_child
from benchmarks.progress import say
from benchmarks.row import Row, Side
from benchmarks.rows.classifiers import title
from course.datasets import load
from probml.linear_model import LogisticRegression, PoissonRegression, SoftmaxRegression
from probml.losses import Logistic, PoissonLoss
from probml.objectives import LinearObjective, Objective, SoftmaxObjective
from probml.solvers import newton, newton_cg
from probml.text import BagOfWords

GAP = 1e-8  # what all sides have to come near to the minimum, relative to it
EXACTLY = partial(newton, tolerance=1e-20)
TOLERANCES = 10.0 ** -np.arange(1, 13)


@dataclass(frozen=True)
class Fitting:
    """Data, objective and its minimum; and, by the name of a side, the loosest tolerance that comes within the gap."""

    name: str
    objective: Objective
    minimum: float
    tolerances: dict[str, float]

    def gap(self, model: BaseEstimator) -> float:
        """How far F is above its minimum, relative to that."""
        coef, intercept = np.atleast_2d(model.coef_), np.reshape(model.intercept_, (-1, 1))
        theta = np.column_stack([coef, intercept] if self.objective.intercept else [coef]).ravel()
        return float((self.objective.value(theta) - self.minimum) / abs(self.minimum))


def _tolerance_of(model: BaseEstimator) -> str:
    return next(name for name in ("tol", "gradient_tol") if name in model.get_params())


def _fit(model: BaseEstimator, tolerance: float, objective: Objective) -> BaseEstimator:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # near to rounding some solvers complain of their last step
        return clone(model).set_params(**{_tolerance_of(model): tolerance}).fit(objective.X, objective.y)


def _tuned(problem: Callable[[], tuple[str, Objective]], models: tuple[BaseEstimator, ...], solve: Callable) -> Fitting:
    name, objective = problem()
    fitting = Fitting(name, objective, in_child(lambda: solve(objective).value), {})
    for model in models:
        fitting.tolerances[title(model)] = in_child(partial(_loosest, model, fitting))
    return fitting


def _loosest(model: BaseEstimator, fitting: Fitting) -> float:
    for tolerance in TOLERANCES:
        if (gap := fitting.gap(_fit(model, tolerance, fitting.objective))) <= GAP:
            say(f"{title(model)}: gap of {gap:.1e} at the tolerance {tolerance:.0e}")
            return float(tolerance)
    raise ValueError(f"{title(model)} comes only within {gap:.1e} of the minimum, at a tolerance of {tolerance}")


def _side(model: BaseEstimator) -> Side:
    return Side(
        title(model),
        prepare=lambda fitting: fitting,
        run=lambda fitting: _fit(model, fitting.tolerances[title(model)], fitting.objective),
        answer=lambda fitting, fitted: (np.array([fitting.gap(fitted)]),),
    )


def _size(fitting: Fitting) -> str:
    X = fitting.objective.X
    shape = " × ".join(f"{length:,}" for length in X.shape)
    return f"{fitting.name}, {shape}" + (f", {X.nnz:,} entries" if sparse.issparse(X) else "")


def _row(
    name: str,
    work: str,
    problem: Callable[[], tuple[str, Objective]],
    ours: BaseEstimator,
    peers: tuple[BaseEstimator, ...],
    solve: Callable = EXACTLY,
) -> Row:
    setup = partial(_tuned, problem, (ours, *peers), solve)
    return Row(name, f"{work}: fit", setup, _size, _side(ours), tuple(_side(peer) for peer in peers))


def _features(m: int, n: int) -> tuple[NDArray, NDArray, np.random.Generator]:
    """Features that share ten factors, as those of real tables do, and a predictor with standard deviation 1.5."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((m, n))
    X += rng.standard_normal((m, 10)) @ (rng.standard_normal((10, n)) / np.sqrt(5))
    z = X @ rng.standard_normal(n)
    return X, 1.5 * z / z.std(), rng


def _logistic(m: int, n: int) -> tuple[str, Objective]:
    X, z, rng = _features(m, n)
    y = (rng.uniform(size=m) < 1 / (1 + np.exp(0.5 - z))).astype(np.float64)
    return "random, ten factors", LinearObjective(X, y, Logistic())


def _poisson(m: int, n: int) -> tuple[str, Objective]:
    X, z, rng = _features(m, n)
    return "random, ten factors", LinearObjective(X, rng.poisson(np.exp(z / 1.5)).astype(np.float64), PoissonLoss())


def _tf_idf(*groups: str) -> tuple[sparse.csr_array, NDArray]:
    """tf-idf of the texts of these groups, or of all."""
    train = load("newsgroups").train
    names = np.array(load("newsgroups").class_names)[train.y]
    rows = np.flatnonzero(np.isin(names, groups or names))
    counts = BagOfWords().fit_transform([train.X[row] for row in rows])
    return sparse.csr_array(TfidfTransformer().fit_transform(counts)), np.unique(names[rows], return_inverse=True)[1]


def _newsgroups() -> tuple[str, Objective]:
    X, y = _tf_idf()
    return "20 Newsgroups, tf-idf", SoftmaxObjective(X, y, 20, l2=1.0)


def _digits() -> tuple[str, Objective]:
    X, y = load_digits(return_X_y=True)
    return "8 × 8 digits", SoftmaxObjective(X / 16, y, 10, l2=1.0)


def _pair(intercept: bool, *groups: str) -> tuple[str, Objective]:
    X, y = _tf_idf(*groups)
    name = f"20 Newsgroups, tf-idf, {' v. '.join(groups)}"
    return name, LinearObjective(X, y.astype(np.float64), Logistic(), l2=1.0, intercept=intercept)


def _maximum_likelihood(*solvers: str) -> tuple[Peer, ...]:
    return tuple(Peer(C=np.inf, solver=solver, max_iter=10_000) for solver in solvers)


def _poisson_peers() -> tuple[BaseEstimator, ...]:
    peers = tuple(PoissonRegressor(alpha=0, solver=solver, max_iter=10_000) for solver in ("newton-cholesky", "lbfgs"))
    if importlib.util.find_spec("glum") is None:
        return peers
    from glum import GeneralizedLinearRegressor

    return *peers, GeneralizedLinearRegressor(family="poisson", alpha=0)


def _pair_row(name: str, *groups: str) -> Row:
    # liblinear penalises the intercept too; as a tenth of it enters, that is not seen at this gap
    peers = (
        *(Peer(solver=solver) for solver in ("lbfgs", "newton-cg")),
        Peer(solver="liblinear", intercept_scaling=10),
    )
    solve = partial(newton_cg, tolerance=1e-13)
    return _row(
        name, "logistic regression, l2 = 1", partial(_pair, True, *groups), LogisticRegression(l2=1), peers, solve
    )


ROWS = (
    _row(
        "logistic",
        "logistic regression",
        partial(_logistic, 200_000, 50),
        LogisticRegression(),
        _maximum_likelihood("newton-cholesky", "lbfgs", "newton-cg"),
    ),
    _row(
        "logistic-large",
        "logistic regression",
        partial(_logistic, 1_000_000, 100),
        LogisticRegression(),
        _maximum_likelihood("newton-cholesky", "lbfgs"),
    ),
    _row("poisson", "Poisson regression", partial(_poisson, 200_000, 50), PoissonRegression(), _poisson_peers()),
    _row(
        "softmax",
        "softmax regression, l2 = 1",
        _newsgroups,
        SoftmaxRegression(l2=1),
        (Peer(solver="lbfgs", max_iter=10_000), Peer(solver="newton-cg", max_iter=10_000)),
        partial(newton_cg, tolerance=1e-11),
    ),
    _row(
        "softmax-digits",
        "softmax regression, l2 = 1",
        _digits,
        SoftmaxRegression(l2=1),
        tuple(Peer(solver=solver, max_iter=10_000) for solver in ("newton-cg", "lbfgs", "newton-cholesky")),
        partial(newton_cg, tolerance=1e-13),
    ),
    _pair_row("logistic-sparse", "alt.atheism", "talk.religion.misc"),
    _pair_row("logistic-sparse-x", "comp.graphics", "comp.windows.x"),
)
