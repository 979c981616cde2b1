"""The two kinds of factors of the Bernoulli model, smoothed apart."""

import numpy as np

from course.studies.corpus import Corpus
from probml.metrics import accuracy
from probml.naive_bayes import BernoulliNB


def accuracy_smoothed_apart(corpus: Corpus, alpha_present: float, alpha_absent: float) -> float:
    """Test accuracy of the Bernoulli model with one alpha for words that are present and another for absent words.

    phi_jn = (M_jn + alpha_present) / (M_j + 2 alpha_present) where the document holds word n, and
    1 - phi_jn = (M_j - M_jn + alpha_absent) / (M_j + 2 alpha_absent) where it does not.
    """
    model = BernoulliNB().fit(corpus.X_train, corpus.y_train)
    documents, with_word = model.class_count_[:, None], model.feature_count_
    log_present = np.log((with_word + alpha_present) / (documents + 2 * alpha_present))
    log_absent = np.log((documents - with_word + alpha_absent) / (documents + 2 * alpha_absent))
    presence = (corpus.X_test > 0).astype(float)
    joint = model.class_log_prior_ + log_absent.sum(axis=1) + presence @ (log_present - log_absent).T
    return accuracy(corpus.y_test, model.classes_[joint.argmax(axis=1)])
