"""Exponential families: one interface from the Bernoulli to the multivariate normal distribution."""

from probml.families.base import ExponentialFamily, OneParameter, Statistics
from probml.families.bernoulli import Bernoulli
from probml.families.categorical import Categorical
from probml.families.gamma import Gamma
from probml.families.gaussian import Gaussian
from probml.families.poisson import Poisson

__all__ = [
    "Bernoulli",
    "Categorical",
    "ExponentialFamily",
    "Gamma",
    "Gaussian",
    "OneParameter",
    "Poisson",
    "Statistics",
]
