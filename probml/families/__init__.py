"""Exponential families: one interface from the Bernoulli to the normal distribution."""

from probml.families.base import ExponentialFamily, OneParameter, Statistics, Totals
from probml.families.bernoulli import Bernoulli, Binomial
from probml.families.categorical import Categorical
from probml.families.centred import Centred
from probml.families.gamma import Gamma
from probml.families.gaussian import Gaussian
from probml.families.multinomial import Multinomial
from probml.families.poisson import Poisson

__all__ = [
    "Bernoulli",
    "Binomial",
    "Categorical",
    "Centred",
    "ExponentialFamily",
    "Gamma",
    "Gaussian",
    "Multinomial",
    "OneParameter",
    "Poisson",
    "Statistics",
    "Totals",
]
