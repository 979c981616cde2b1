"""Gaussian discriminant analysis. All sides divide the scatter by the number of examples (maximum likelihood)."""

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from benchmarks.rows.classifiers import rows
from benchmarks.rows.normal_classes import normal_classes
from probml.gda import GDA

ROWS = (
    *rows(
        "gda-shared",
        "GDA, shared covariance",
        normal_classes,
        GDA(covariance="shared"),
        tuple(LinearDiscriminantAnalysis(solver=solver) for solver in ("svd", "lsqr", "eigen")),
    ),
    *rows(
        "gda-per-class",
        "GDA, a covariance for each class",
        normal_classes,
        GDA(covariance="per-class"),
        tuple(QuadraticDiscriminantAnalysis(solver=solver) for solver in ("svd", "eigen")),
    ),
)
