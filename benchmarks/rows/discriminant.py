"""Gaussian discriminant analysis. All sides divide the scatter by the number of examples (maximum likelihood)."""

from typing import Any

from numpy.typing import NDArray
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from benchmarks.row import Row
from benchmarks.rows.estimators import rows, transform_side
from benchmarks.rows.problems import SMALL, Problem, Source, large_digits
from benchmarks.rows.problems import normal_classes as normal
from probml.gda import GDA

FAMILY = "Gaussian discriminant analysis"


def _sizes(name: str) -> dict[str, Source]:
    return {
        f"{name}-small": normal(*SMALL),
        f"{name}-working": normal(100_000, 50),
        f"{name}-large": normal(1_000_000, 50),
    }


def _linear(**settings: float) -> tuple[LinearDiscriminantAnalysis, ...]:
    return tuple(LinearDiscriminantAnalysis(solver=solver, **settings) for solver in ("lsqr", "eigen"))


def _products(projected: NDArray[Any], _: Problem) -> tuple:
    """Inner products of the first projections with all: the signs of the directions are free."""
    return (projected @ projected[:10].T,)


def _projection(name: str, source: Source) -> Row:
    ours, peer = (transform_side(model, _products) for model in (GDA(), LinearDiscriminantAnalysis()))
    return Row(
        "Fisher's projection",
        f"{name}-transform",
        "two directions",
        "transform",
        source,
        lambda problem: problem.size,
        ours,
        (peer,),
    )


SHARED = _sizes("gda-shared")
ROWS = (
    *rows(FAMILY, "one covariance", SHARED, GDA(), (LinearDiscriminantAnalysis(), *_linear())),
    *(_projection(name, source) for name, source in SHARED.items()),
    *rows(
        FAMILY,
        "one covariance, shrunk by a tenth",
        {"gda-shared-mnist": large_digits},
        GDA(shrinkage=0.1),
        _linear(shrinkage=0.1),
    ),
    *rows(
        FAMILY,
        "a covariance for each class",
        _sizes("gda-per-class"),
        GDA(covariance="per-class"),
        tuple(QuadraticDiscriminantAnalysis(solver=solver) for solver in ("svd", "eigen")),
    ),
    *rows(
        FAMILY,
        "variances for each class",
        _sizes("gda-diagonal"),
        GDA(covariance="diagonal"),
        (GaussianNB(var_smoothing=0),),
    ),
)
