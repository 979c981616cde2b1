"""What `solver="auto"` stands for beside each of our solvers: is it the fastest of them?"""

from sklearn.base import clone

from benchmarks.row import AUTO, Row
from benchmarks.rows.estimators import Model
from benchmarks.rows.minimum import Objectives, against_rest, fit_row, linear, softmax
from benchmarks.rows.problems import (
    SMALL,
    Source,
    fraud,
    large_digits,
    movie_reviews,
    newsgroups_tf_idf,
    pair,
    responses,
    several_classes,
    small_digits,
    sparse_binary,
    sparse_counts,
    strong,
)
from probml.linear_model import LinearSVC, LogisticRegression, PoissonRegression, SoftmaxRegression
from probml.losses import Logistic, PoissonLoss, SquaredHinge

SOME = 3000
ALL_CLASSES = ("newton", "newton-cg", "lbfgs", "bfgs", "conjugate-gradient")
ONE_PREDICTOR = (*ALL_CLASSES, "growing-newton", "irls", "coordinate-newton", "fixed-hessian")
WIDE = ("newton-cg", "lbfgs", "conjugate-gradient", "coordinate-newton")
MARGIN = ("finite-newton", "newton-cg", "lbfgs", "conjugate-gradient", "coordinate-newton")


def _some(source: Source) -> Source:
    """Fewer examples, so that slow solvers get to the minimum, too."""
    return lambda rows: source(min(rows, SOME))


def _row(name: str, source: Source, objectives: Objectives, model: Model, solvers: tuple[str, ...]) -> Row:
    models = (clone(model).set_params(solver=solver) for solver in ("auto", *solvers))
    penalty = f"l2 = {model.l2:g}" if model.l2 else "no penalty"
    return fit_row(AUTO, f"auto-{name}", f"{type(model).__name__}, {penalty}", source, objectives, tuple(models))


def _logistic(name: str, source: Source, l2: float, solvers: tuple[str, ...] = ONE_PREDICTOR) -> Row:
    return _row(name, source, linear(Logistic(), l2), LogisticRegression(l2=l2), solvers)


def _softmax(name: str, source: Source, l2: float, solvers: tuple[str, ...] = ALL_CLASSES) -> Row:
    return _row(name, source, softmax(l2), SoftmaxRegression(l2=l2), solvers)


def _poisson(name: str, source: Source) -> Row:
    solvers = tuple(each for each in ONE_PREDICTOR if each != "fixed-hessian")  # its curvature has no bound
    return _row(name, source, linear(PoissonLoss()), PoissonRegression(), solvers)


def _svc(name: str, source: Source) -> Row:
    return _row(name, source, against_rest(SquaredHinge(), 1.0), LinearSVC(), MARGIN)


ROWS = (
    _logistic("small", responses(*SMALL, "binary"), 1.0),
    _logistic("tall", responses(300_000, 50, "binary"), 0.0),
    _logistic("strong", strong(), 0.0),
    _logistic("weak", strong(features=60), 0.0),
    _logistic("fraud", fraud, 1.0),
    _logistic("square", responses(2000, 600, "binary"), 1.0),
    _logistic("sparse", sparse_binary(100_000, 500, 0.02), 1.0),
    _logistic("wide", pair("alt.atheism", "talk.religion.misc"), 1.0, WIDE),
    _softmax("classes", several_classes(100_000, 20, K=3), 0.0),
    _softmax("digits", small_digits, 1.0),
    _softmax("mnist", _some(large_digits), 100.0, ("newton-cg", "lbfgs", "conjugate-gradient")),
    _softmax("newsgroups", _some(newsgroups_tf_idf), 1.0, ("newton-cg", "lbfgs", "conjugate-gradient")),
    _poisson("poisson", responses(100_000, 50, "counts")),
    _poisson("poisson-sparse", sparse_counts(100_000, 300, 0.02)),
    _svc("svc-small", responses(*SMALL, "binary")),
    _svc("svc-tall", responses(100_000, 50, "binary")),
    _svc("svc-imdb", movie_reviews),
)
