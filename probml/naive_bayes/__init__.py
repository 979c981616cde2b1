"""Naive Bayes: the features are independent given the class."""

from probml.naive_bayes.bernoulli import BernoulliNB
from probml.naive_bayes.multinomial import MultinomialNB

__all__ = ["BernoulliNB", "MultinomialNB"]
