"""Experiments on softmax regression: vectors that predict the same, parts, scores and settings."""

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.metrics import log_loss as peer_log_loss

from course.studies.softmax.comparison import Part, cut, scores, tuned
from course.studies.softmax.vectors import against, centred, differences
from probml.gda import GDA


@pytest.fixture
def theta():
    return np.random.default_rng(0).normal(size=(4, 3))


def test_shifted_vectors_predict_the_same(theta):
    x = np.random.default_rng(1).normal(size=(5, 3))
    for other in (against(theta, 2), centred(theta)):
        np.testing.assert_allclose(softmax(x @ other.T, axis=1), softmax(x @ theta.T, axis=1))
        np.testing.assert_allclose(differences(other), differences(theta))
    assert (against(theta, 2)[2] == 0).all()


def test_centred_vectors_are_the_shortest(theta):
    shortest = np.sum(centred(theta) ** 2)
    for shift in np.random.default_rng(2).normal(size=(20, 3)):
        assert np.sum((centred(theta) + shift) ** 2) > shortest
    assert differences(theta).shape == (6, 3)
    np.testing.assert_array_equal(differences(theta)[0], theta[0] - theta[1])


def test_parts_hold_every_example_once():
    X, y = np.arange(20.0)[:, None], np.arange(20)
    parts = cut(X, y, [5, 3], np.random.default_rng(0))
    assert [len(part.y) for part in parts] == [5, 3, 12]
    assert sorted(np.concatenate([part.y for part in parts])) == list(range(20))
    assert all((part.X[:, 0] == part.y).all() for part in parts)
    with pytest.raises(ValueError, match=r"parts of \[15, 5\] examples leave nothing of 20"):
        cut(X, y, [15, 5], np.random.default_rng(0))


class Told:
    """Probabilities of two classes, whatever is asked: `p` of the second."""

    def __init__(self, p):
        self.p = p

    def fit(self, X, y):
        return self

    def predict_log_proba(self, X):
        return np.log([[1 - self.p, self.p]] * len(X))


def test_scores_by_hand():
    part = Part(np.zeros((4, 1)), np.array([1, 1, 1, 0]))
    found = scores(Told(0.9), part)
    assert found.accuracy == 0.75
    assert found.log_loss == pytest.approx(peer_log_loss(part.y, np.full(4, 0.9)))
    assert found.calibration_error == pytest.approx(0.15)


def test_the_best_setting_is_that_of_the_validation_part():
    train, validation = Part(np.zeros((2, 1)), np.array([0, 1])), Part(np.zeros((4, 1)), np.array([1, 1, 1, 0]))
    setting, model = tuned(Told, [0.5, 0.75, 0.95], train, validation)
    assert setting == model.p == 0.75


def test_settings_of_a_model_of_the_package():
    rng = np.random.default_rng(3)
    y = rng.integers(3, size=300)
    X = rng.normal(size=(300, 2)) + np.array([[0, 0], [2, 0], [0, 2]])[y]
    train, validation, test = cut(X, y, [100, 100], rng)
    setting, model = tuned(lambda ridge: GDA(ridge=ridge), [1e-3, 1e3], train, validation)
    assert setting == 1e-3
    assert scores(model, test).accuracy > 0.7
