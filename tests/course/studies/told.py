"""A classifier that learns nothing, for tests of what is done with classifiers."""

import numpy as np


class Told:
    """Two classes, the second with probability `p` whatever x is."""

    def __init__(self, p):
        self.p = p

    def fit(self, X, y):
        return self

    def predict_log_proba(self, X):
        return np.log([[1 - self.p, self.p]] * len(X))
