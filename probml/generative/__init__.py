"""What all generative classifiers share: statistics that add up, Bayes' theorem in log space, sampling.

Where the formulas are: `classifier.py` has Bayes' theorem, in `StatisticsClassifier._log_posterior`; `statistics.py`
the class prior N_j / N, in `class_prior`; and `gaussian.py` the means and scatters of the classes, in `add_block`.
"""

from probml.generative.classifier import Generative, LinearPosterior, StatisticsClassifier
from probml.generative.gaussian import Moments
from probml.generative.statistics import ClassStatistics

__all__ = ["ClassStatistics", "Generative", "LinearPosterior", "Moments", "StatisticsClassifier"]
