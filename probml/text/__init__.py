"""From texts to counts and on to features: the bag of words, its transformations, words ranked by what they tell."""

from probml.text.bag_of_words import BagOfWords
from probml.text.features import InverseDocumentFrequency, LogCounts, TfidfTransformer, UnitLength
from probml.text.mutual_information import mutual_information

__all__ = [
    "BagOfWords",
    "InverseDocumentFrequency",
    "LogCounts",
    "TfidfTransformer",
    "UnitLength",
    "mutual_information",
]
