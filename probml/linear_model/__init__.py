"""Models with a linear predictor: regression, generalised linear models, linear classifiers."""

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
