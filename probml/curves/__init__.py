"""Learning curves: thousands of small fits as one batched computation.

    curves = learning_curves(X, y, sizes, {"nb": GaussianNB(), "lr": LogisticRegression(separable="margin")})
    curves.error["nb"].mean, curves.error["nb"].band()

The models have the names of those in `probml.naive_bayes`, `probml.gda` and `probml.linear_model`, and give the same
answers, for all training subsets of one size at once.

`compare` answers for a table of yours which classifier needs how much data: see `probml.comparison`.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from probml.curves.engine import Curve, Curves, learning_curves
from probml.curves.gda import GDA
from probml.curves.logistic import Choice, LogisticRegression
from probml.curves.naive_bayes import BernoulliNB, GaussianNB
from probml.curves.subsets import Model

__all__ = [
    "GDA",
    "BernoulliNB",
    "Choice",
    "Curve",
    "Curves",
    "GaussianNB",
    "LogisticRegression",
    "Model",
    "learning_curves",
]


def __getattr__(name: str) -> Callable[..., Any]:
    """`compare`, which is of another package of this layer, and is imported where it is asked for."""
    if name == "compare":
        return import_module("probml.comparison").compare
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
