"""What all generative classifiers share: statistics that add up, Bayes' theorem in log space, sampling."""

from probml.generative.classifier import Generative, StatisticsClassifier
from probml.generative.linear import LinearPosterior
from probml.generative.moments import Moments
from probml.generative.statistics import ClassStatistics

__all__ = ["ClassStatistics", "Generative", "LinearPosterior", "Moments", "StatisticsClassifier"]
