"""Test accuracy of naive Bayes on a corpus, as one setting varies."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from course.studies.corpus import Corpus
from course.studies.growing_vocabulary import GrowingVocabulary
from course.teaching.mutual_information import mutual_information
from probml.metrics import accuracy
from probml.naive_bayes.base import DiscreteNB


def held_out_accuracy(model: DiscreteNB, corpus: Corpus) -> float:
    """Accuracy on the test part after fitting to the training part."""
    model.fit(corpus.X_train, corpus.y_train)
    return accuracy(corpus.y_test, model.predict(corpus.X_test))


def by_information(corpus: Corpus) -> NDArray[np.intp]:
    """Columns, ranked by mutual information with the class in the training part; ties keep the order of the columns."""
    return np.argsort(-mutual_information(corpus.X_train, corpus.y_train), kind="stable")


def by_vocabulary(models: Sequence[DiscreteNB], corpus: Corpus, sizes: Sequence[int]) -> NDArray[np.float64]:
    """Test accuracy with only the most informative words, for each number of words. Shape (len(models), len(sizes))."""
    growing = GrowingVocabulary.of(corpus, by_information(corpus), sizes)
    return np.array([(growing.predictions(model) == corpus.y_test).mean(axis=1) for model in models])
