"""What all generative classifiers share: statistics that add up, Bayes' theorem in log space, sampling."""

from probml.generative.classifier import Generative, LinearPosterior, StatisticsClassifier
from probml.generative.gaussian import Moments
from probml.generative.statistics import ClassStatistics

__all__ = ["ClassStatistics", "Generative", "LinearPosterior", "Moments", "StatisticsClassifier"]
