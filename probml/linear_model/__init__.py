"""Models with a linear predictor: regression, generalised linear models, linear classifiers.

A model's file says what is minimised. `base` checks what is given, and `minimum` is the way to the minimum, by a solver
that `solving` chooses. The formulas are in the layers below: of logistic regression, σ(z) - y and the weight σ(z) σ(-z)
in `probml.losses.logistic`, X^T (σ(z) - y) and X^T diag(σ(z) σ(-z)) X in `probml.objectives.linear`, the step in
`probml.solvers.newton` or `irls`.
"""

from probml.linear_model.glm import GLM
from probml.linear_model.linear_regression import LinearRegression
from probml.linear_model.logistic import LogisticRegression
from probml.linear_model.perceptron import Perceptron
from probml.linear_model.poisson import PoissonRegression
from probml.linear_model.softmax import SoftmaxRegression
from probml.linear_model.summary import Summary
from probml.linear_model.svc import LinearSVC

__all__ = [
    "GLM",
    "LinearRegression",
    "LinearSVC",
    "LogisticRegression",
    "Perceptron",
    "PoissonRegression",
    "SoftmaxRegression",
    "Summary",
]
