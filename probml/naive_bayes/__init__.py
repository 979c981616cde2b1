"""Naive Bayes: the features are independent given the class."""

from probml.naive_bayes.bernoulli import BernoulliNB
from probml.naive_bayes.categorical import CategoricalNB
from probml.naive_bayes.complement import ComplementNB
from probml.naive_bayes.gaussian import GaussianNB
from probml.naive_bayes.mixed import MixedNB
from probml.naive_bayes.multinomial import MultinomialNB

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MixedNB", "MultinomialNB"]
