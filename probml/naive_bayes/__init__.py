"""Naive Bayes: the features are independent given the class.

Where the formulas are: each model's file has its estimate, in `_estimate`, and log p(x | y = j), in `_log_likelihood`;
`base.py` has the counts N_jn, in `CountNB._collect`, and the class prior. Bayes' theorem, from these to the posterior,
is `_log_posterior` of `probml/generative/classifier.py`.
"""

from probml.naive_bayes.bernoulli import BernoulliNB
from probml.naive_bayes.categorical import CategoricalNB
from probml.naive_bayes.complement import ComplementNB
from probml.naive_bayes.gaussian import GaussianNB
from probml.naive_bayes.mixed import MixedNB
from probml.naive_bayes.multinomial import MultinomialNB

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MixedNB", "MultinomialNB"]
