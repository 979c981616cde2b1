"""From texts to counts: the bag of words, and the ranking of words by mutual information with the class."""

from probml.text.bag_of_words import BagOfWords
from probml.text.mutual_information import mutual_information

__all__ = ["BagOfWords", "mutual_information"]
