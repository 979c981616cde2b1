"""The multinomial model as if every class had written the same amount of text."""

import numpy as np

from course.studies.corpus import Corpus
from probml.metrics import accuracy
from probml.naive_bayes import MultinomialNB


def accuracy_with_equal_text(corpus: Corpus, alpha: float) -> float:
    """Test accuracy if the counts of each class are multiplied by one number before alpha is added to them.

    The number makes the counts of all classes add up to the same total, the mean of what they add up to. The relative
    frequencies of the words do not change, but alpha then takes the same share from every class.
    """
    model = MultinomialNB(alpha=alpha).fit(corpus.X_train, corpus.y_train)
    words = model.feature_count_.sum(axis=1, keepdims=True)
    smoothed = model.feature_count_ * (words.mean() / words) + alpha
    log_beta = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
    scores = corpus.X_test @ log_beta.T + model.class_log_prior_
    return accuracy(corpus.y_test, model.classes_[scores.argmax(axis=1)])
