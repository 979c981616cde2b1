"""From texts to counts and on to features: the bag of words and its transformations."""

from probml.text.bag_of_words import BagOfWords
from probml.text.features import InverseDocumentFrequency, LogCounts, UnitLength

__all__ = ["BagOfWords", "InverseDocumentFrequency", "LogCounts", "UnitLength"]
