"""Losses of a linear predictor: value, gradient and curvature, elementwise."""

from probml.losses.base import Loss
from probml.losses.glm import GLMLoss
from probml.losses.links import CLogLog, Identity, Inverse, Link, Log, Logit, Probit
from probml.losses.logistic import Logistic
from probml.losses.margin import Hinge, PerceptronLoss, SquaredHinge
from probml.losses.poisson import PoissonLoss
from probml.losses.squared import Squared

__all__ = [
    "CLogLog",
    "GLMLoss",
    "Hinge",
    "Identity",
    "Inverse",
    "Link",
    "Log",
    "Logistic",
    "Logit",
    "Loss",
    "PerceptronLoss",
    "PoissonLoss",
    "Probit",
    "Squared",
    "SquaredHinge",
]
