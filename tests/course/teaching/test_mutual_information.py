"""Mutual information against the definition."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import mutual_info_score

from course.teaching.mutual_information import mutual_information


def test_mutual_information_is_that_of_presence_and_class():
    rng = np.random.default_rng(0)
    X, y = rng.poisson(0.5, (80, 7)), rng.integers(0, 3, 80)
    X[:, 5], X[:, 6] = 0, 1  # never and always present: they tell nothing
    expected = [mutual_info_score(y, column > 0) for column in X.T]
    found = mutual_information(X, y)
    np.testing.assert_allclose(found, expected, atol=1e-14)
    np.testing.assert_allclose(found[5:], 0, atol=1e-15)
    np.testing.assert_allclose(mutual_information(X, np.array(["c", "a", "b"])[y]), expected, atol=1e-14)


def test_mutual_information_of_a_word_that_is_the_class():
    y = np.array([0, 0, 0, 1])
    entropy = -(0.75 * np.log(0.75) + 0.25 * np.log(0.25))
    np.testing.assert_allclose(mutual_information(y[:, None], y), [entropy], rtol=1e-14)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.ones((4, 1)), [0, 0, 1], r"y must have a label for each of 4 documents, received shape \(3,\)"),
        (np.ones(3), [0, 0, 1], "Expected 2D array, got 1D array"),
        (np.ones((3, 1)), [[0], [0], [1]], r"y must have a label for each of 3 documents, received shape \(3, 1\)"),
        (np.array([[1], [-1]]), [0, 1], "Negative values .*X are counts"),
        (np.array([[1], [np.nan]]), [0, 1], "Input X contains NaN"),
    ],
)
def test_mutual_information_of_bad_input(X, y, message):
    with pytest.raises(ValueError, match=message):
        mutual_information(X, y)


def test_mutual_information_of_lists_and_of_nothing():
    np.testing.assert_allclose(mutual_information([[1, 0], [0, 1]], [0, 1]), np.log(2))
    with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=\(0, 3\)\)"):
        mutual_information(np.zeros((0, 3)), [])


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, sparse.coo_matrix])
def test_mutual_information_of_every_form(form):
    X, y = np.random.default_rng(2).poisson(0.5, (60, 5)), np.arange(60) % 3
    np.testing.assert_array_equal(mutual_information(form(X), y), mutual_information(X, y))
