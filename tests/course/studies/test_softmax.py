"""Softmax regression and its rivals: one-versus-rest, pieces of a cross-entropy and tuning are what the note says.

Without this, its table could be of classifiers tuned on different grids, or on the examples that judge them.
"""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import entropy
from sklearn.linear_model import LogisticRegression as PeerLogisticRegression
from sklearn.metrics import log_loss as peer_log_loss
from sklearn.multiclass import OneVsRestClassifier
from told import Told

from course import datasets
from course.studies.resampled import resampled_interval
from course.studies.softmax import figures
from course.studies.softmax.age_groups import AgeGroups
from course.studies.softmax.comparison import (
    CANDIDATES,
    Candidate,
    Part,
    compare,
    cross_validated,
    cut,
    scores,
)
from course.studies.softmax.one_v_rest import OneVersusRest
from course.studies.softmax.pieces import pieces
from course.studies.softmax.report import Difference, difference, rows
from probml.gda import GDA


@pytest.fixture(scope="module")
def people():
    return AgeGroups.of(datasets.load("howell"))


@pytest.fixture
def clouds():
    rng = np.random.default_rng(3)
    y = rng.integers(3, size=300)
    return rng.normal(size=(300, 2)) + np.array([[0, 0], [2, 0], [0, 2]])[y], y


def test_age_groups_count_everyone_once(people):
    census = datasets.load("howell")
    assert people.counts.sum(axis=0).tolist() == [
        np.sum(census.X[:, 2] < 10),
        np.sum((census.X[:, 2] >= 10) & (census.X[:, 2] < 18)),
        np.sum(census.X[:, 2] >= 18),
    ]
    assert np.abs(130 + 10 * people.x - census.X[:, 0]).max() <= 5
    at_130 = np.abs(census.X[:, 0] - 130) < 5
    assert people.counts[people.levels == 0].sum() == at_130.sum()


def test_one_v_rest_is_scikit_learns(clouds):
    X, y = clouds
    ours = np.exp(OneVersusRest(l2=0.5).fit(X, y).predict_log_proba(X))
    peer = OneVsRestClassifier(PeerLogisticRegression(C=2.0, tol=1e-10)).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(ours, peer, atol=1e-5)


def test_separate_probabilities_are_those_of_each_regression(clouds):
    X, y = clouds
    model = OneVersusRest().fit(X, y)
    second = model.models[1]
    expected = expit(X @ second.coef_[0] + second.intercept_[0])
    np.testing.assert_allclose(np.exp(model.log_separate(X))[:, 1], expected)


def test_pieces_by_scipy():
    counts = np.array([[1, 24, 0], [2, 3, 5]])
    p = np.array([[0.1, 0.7, 0.2], [0.3, 0.3, 0.4]])
    found = pieces(counts, np.log(p))
    q = counts / counts.sum(axis=1, keepdims=True)
    share = [25 / 35, 10 / 35]
    assert found.entropy == pytest.approx(np.dot(share, entropy(q, axis=1)))
    assert found.divergence == pytest.approx(np.dot(share, entropy(q, p, axis=1)))
    assert found.cross_entropy == pytest.approx(-np.sum(counts * np.log(p)) / 35)


def test_an_event_without_probability_costs_nothing_if_it_never_happens():
    with np.errstate(divide="ignore"):
        assert pieces(np.array([[1, 3, 0]]), np.log([[0.25, 0.75, 0.0]])).divergence == pytest.approx(0)


def test_parts_hold_every_example_once():
    X, y = np.arange(20.0)[:, None], np.arange(20)
    parts = cut(X, y, [5, 3], np.random.default_rng(0))
    assert [len(part.y) for part in parts] == [5, 3, 12]
    assert sorted(np.concatenate([part.y for part in parts])) == list(range(20))
    assert all((part.X[:, 0] == part.y).all() for part in parts)
    with pytest.raises(ValueError, match=r"parts of \[15, 5\] examples leave nothing of 20"):
        cut(X, y, [15, 5], np.random.default_rng(0))


def test_scores_by_hand():
    part = Part(np.zeros((4, 1)), np.array([1, 1, 1, 0]))
    found = scores(Told(0.9), part)
    assert found.accuracy == 0.75
    assert found.cross_entropy == pytest.approx(peer_log_loss(part.y, np.full(4, 0.9)))
    assert found.calibration_error == pytest.approx(0.15)


def test_folds_judge_what_they_were_not_fitted_to(clouds):
    train = Part(*clouds)
    candidate = Candidate(lambda ridge: GDA(ridge=ridge), "ridge", (1e-3, 1e3))
    found = cross_validated(candidate, train, 3)
    by_hand = []
    for k in range(3):
        out = np.arange(300) % 3 == k
        model = GDA(ridge=1e-3).fit(train.X[~out], train.y[~out])
        by_hand.append(scores(model, Part(train.X[out], train.y[out])))
    np.testing.assert_allclose(found.held_out[0], np.mean(by_hand, axis=0))
    assert found.held_out[1, 1] > found.held_out[0, 1] + 0.3


def test_settings_are_chosen_on_the_training_part_once_for_each_purpose():
    # Three quarters of class 1 in training: 0.75 has the least cross-entropy. In the tests they are a quarter.
    train = Part(np.zeros((12, 1)), np.tile([1, 1, 1, 0], 3))
    test = Part(np.zeros((8, 1)), np.tile([0, 0, 0, 1], 2))
    found = compare([(train, test)] * 2, {"told": Candidate(Told, "p", (0.25, 0.75, 0.95))}, folds=3)["told"]
    assert found.for_probabilities.tolist() == [0.75, 0.75]
    assert found.for_accuracy.tolist() == [0.75, 0.75]  # the first of the two that are right most often
    assert found.accuracy.tolist() == [0.25, 0.25]
    assert found.cross_entropy == pytest.approx([peer_log_loss(test.y, np.full(8, 0.75))] * 2)
    assert found.posteriors.shape == (16, 2)


def test_grids_are_equally_generous():
    assert {len(candidate.grid) for candidate in CANDIDATES.values()} == {6}
    assert all(np.all(np.diff(candidate.grid) > 0) for candidate in CANDIDATES.values())


@pytest.fixture(scope="module")
def outcomes():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=400)
    X = rng.normal(size=(400, 2)) + np.array([[0, 0], [2, 0], [0, 2]])[y]
    cuts = [cut(X, y, [200], np.random.default_rng(k)) for k in range(3)]
    wide = Candidate(lambda ridge: GDA(ridge=ridge), "ridge", (10.0, 100.0))
    return compare(cuts, {"near": wide._replace(grid=(0.001, 0.01)), "far": wide}, folds=2)


def test_differences_are_paired(outcomes):
    found = difference(outcomes, "far", "near", "cross_entropy", 200, 200)
    expected = resampled_interval(outcomes["far"].cross_entropy - outcomes["near"].cross_entropy, 200, 200)
    assert found == Difference(*expected)
    assert found.excludes_zero
    assert not Difference(0.1, 0.2).excludes_zero
    assert not Difference(-0.1, 0.2).excludes_zero
    assert Difference(-0.2, 0.1).excludes_zero


def test_the_table_has_the_reference_without_differences(outcomes):
    near, far = rows(outcomes, "near", 200, 200)
    assert near[0] == "near"
    assert near[2::2] == ["", "", ""]
    assert far[1] == f"{100 * outcomes['far'].accuracy.mean():.1f}"
    assert far[4].startswith("+")
    assert far[4].endswith(f"± {difference(outcomes, 'far', 'near', 'cross_entropy', 200, 200).half:.3f}")


def test_pictures_of_the_census_say_what_they_show(people):
    for draw in (figures.middle_class, figures.pieces_of_cross_entropy, figures.regions):
        picture = draw(people)
        assert len(picture.alt) > 100
        assert picture.name == picture.name.lower()
