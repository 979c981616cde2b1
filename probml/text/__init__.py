"""From texts to counts and on to features: the bag of words, its transformations, words ranked by what they tell."""

from probml.text.bag_of_words import BagOfWords
from probml.text.inverse_document_frequency import InverseDocumentFrequency
from probml.text.log_counts import LogCounts
from probml.text.mutual_information import mutual_information
from probml.text.tfidf import TfidfTransformer
from probml.text.unit_length import UnitLength

__all__ = [
    "BagOfWords",
    "InverseDocumentFrequency",
    "LogCounts",
    "TfidfTransformer",
    "UnitLength",
    "mutual_information",
]
