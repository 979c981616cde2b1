"""Classifiers that are compared see the same random splits and are judged by the examples held out, and by no others.

Without this, notes could compare losses on different examples, or on those that the classifiers have learned from.
"""

import numpy as np
import pytest
from told import Told

from course.studies.held_out import Entrant, held_out
from probml.naive_bayes import GaussianNB


def test_losses_are_those_of_the_test_part():
    y = np.array([0] * 30 + [1] * 10)
    X = y[:, None].astype(float)
    entrants = {"told": Entrant(X, lambda: Told(0.25)), "sees": Entrant(X, lambda: GaussianNB(var_smoothing=0.01))}
    found = held_out(entrants, y, 10, 30, 6, 0)
    assert (found["sees"].error == 0).all()
    share = found["told"].error  # of class 1 in the test part
    np.testing.assert_allclose(found["told"].log_loss, -(share * np.log(0.25) + (1 - share) * np.log(0.75)))
    np.testing.assert_array_equal(held_out(entrants, y, 10, 30, 6, 0)["told"].error, share)
    with pytest.raises(ValueError, match="11 examples to train and 30 to test are more than the 40 there are"):
        held_out(entrants, y, 11, 30, 1, 0)
