"""Experiments of the note on NBSVM: cuts, subjects, snippets, macro-F1, the published table."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score

from course.studies.nb_svm_nbsvm import published
from course.studies.nb_svm_nbsvm.collections import (
    Words,
    counted,
    folds,
    halves,
    halves_of_threads,
    subject,
    two_groups,
    without_breaks,
)
from course.studies.nb_svm_nbsvm.intervals import mean_of
from course.studies.nb_svm_nbsvm.models import accuracies, accuracies_and_sweeps, fit_together, model
from course.studies.nb_svm_nbsvm.stripped_posts import macro_f1
from probml.datasets.dataset import Column, Dataset
from probml.text import BagOfWords

TEXTS = ["a fine film", "fine acting, fine film", "a dull film", "dull and long", "fine and short", "a long dull bore"]
Y = np.array([1, 1, 0, 0, 1, 0])


def test_a_cut_has_the_vocabulary_of_its_training_part():
    for grams, ngram_range in (("uni", (1, 1)), ("bi", (1, 2))):
        train, test = np.array([0, 2, 3]), np.array([1, 4, 5])
        parts = counted(TEXTS, Y, grams).cut(train, test)
        bag = BagOfWords(ngram_range=ngram_range, binary=True, token_pattern=r"\S+")
        np.testing.assert_array_equal(parts.X_train.toarray(), bag.fit_transform([TEXTS[i] for i in train]).toarray())
        np.testing.assert_array_equal(parts.X_test.toarray(), bag.transform([TEXTS[i] for i in test]).toarray())
        assert (list(parts.y_train), list(parts.y_test)) == ([1, 0, 0], [1, 1, 0])


def test_halves_and_folds_are_partitions():
    for cuts in (list(halves(7, 5, 0)), list(folds(7, 3, 0))):
        for train, test in cuts:
            assert sorted([*train, *test]) == list(range(7))
    assert [len(train) for train, _ in halves(7, 2, 0)] == [3, 3]
    assert sorted(np.concatenate([test for _, test in folds(7, 3, 0)])) == list(range(7))
    first, second = halves(100, 2, 0)
    assert set(first[0]) != set(second[0])
    assert set(next(halves(100, 1, 1))[0]) != set(first[0])


def test_threads_stay_together():
    posts = [f"From: x\nSubject: {'Re: ' * (n % 3)}Topic {n // 4}\n\nbody {n}" for n in range(40)]
    assert subject(posts[7]) == "topic 1"
    assert subject("From: x\n\nSubject: not in the header") == ""
    for train, test in halves_of_threads(posts, 5, 0):
        assert sorted([*train, *test]) == list(range(40))
        assert not {n // 4 for n in train} & {n // 4 for n in test}
        assert 16 <= len(train) <= 20


def test_two_groups_are_told_apart_by_their_names():
    target = Column("group", "discrete", ("a", "b", "c"))
    data = Dataset(["1", "2", "3", "4"], np.array([2, 0, 1, 2]), (Column("text", "text"),), target, 4)
    assert two_groups(data, ("c", "a"), lambda text: text + "!")[0] == ["1!", "2!", "4!"]
    assert list(two_groups(data, ("c", "a"))[1]) == [0, 1, 0]


def test_accuracies_are_those_of_the_models():
    collection = counted(TEXTS * 3, np.tile(Y, 3), "bi")
    cuts = list(halves(18, 2, 0))
    found = accuracies(collection, cuts, ["MNB", "SVM", "NBSVM"])
    for row, (train, test) in zip(found, cuts, strict=True):
        parts = collection.cut(train, test)
        for value, name, together in zip(
            row, ("MNB", "SVM", "NBSVM"), fit_together(["MNB", "SVM", "NBSVM"], parts), strict=True
        ):
            alone = model(name).fit(parts.X_train, parts.y_train).predict(parts.X_test)
            assert value == np.mean(alone == parts.y_test)
            assert (together.predict(parts.X_test) == alone).all()


def test_published_settings():
    assert model("MNB").alpha == 1
    assert model("SVM").l2 == 5  # C = 1 / (2 l2) = .1
    assert (model("NBSVM").alpha, model("NBSVM").C, model("NBSVM").beta) == (1, 1, 0.25)
    assert published.ACCURACY.keys() == published.BOUND.keys()
    assert all(len(column) == len(published.MODELS) for column in published.ACCURACY.values())
    with pytest.raises(KeyError):
        model("LDA")


def test_first_words():
    texts = list(without_breaks(["one, Two three", "", "  one", "a.b<br />c d"]))
    cut = ["one, two", "", "one", "a.b c"]
    for grams, ngram_range in (("uni", (1, 1)), ("bi", (1, 2))):
        bag = BagOfWords(ngram_range=ngram_range, binary=True, token_pattern=r"\S+")
        expected = bag.fit_transform(cut).toarray()
        X = Words.of(texts).first(2).collection(np.zeros(4, dtype=np.intp), grams).X.toarray()
        np.testing.assert_array_equal(X[:, X.any(axis=0)], expected)  # words that come later have an empty column


def test_a_sweep_is_that_of_the_fitted_model():
    collection, cuts = counted(TEXTS * 3, np.tile(Y, 3), "uni"), list(halves(18, 2, 0))
    found, swept = accuracies_and_sweeps(collection, cuts, ["MNB", "NBSVM"], [0.0, 0.25, 1.0])
    np.testing.assert_array_equal(found, accuracies(collection, cuts, ["MNB", "NBSVM"]))
    for row, (train, test) in zip(swept, cuts, strict=True):
        parts = collection.cut(train, test)
        for value, beta in zip(row, (0.0, 0.25, 1.0), strict=True):
            alone = model("NBSVM").set_params(beta=beta).fit(parts.X_train, parts.y_train)
            assert value == alone.score(parts.X_test, parts.y_test)


def test_macro_f1_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    y, predicted = rng.integers(0, 4, 60), rng.integers(0, 4, 60)
    assert macro_f1(y, predicted, 4) == pytest.approx(f1_score(y, predicted, average="macro"), rel=1e-12)


def test_interval_of_a_mean_is_student_s():
    values = [1.0, 2.0, 4.0]
    found = mean_of(values, 0.9)
    low, high = stats.ttest_1samp(values, 0.0).confidence_interval(0.9)
    np.testing.assert_allclose([found.low, found.high], [low, high], rtol=1e-12)
    assert str(mean_of([1.0, 3.0], 0.5)) == "+2.0 ± 1.0"
    with pytest.raises(ValueError, match="at least two values"):
        mean_of([1.0])
