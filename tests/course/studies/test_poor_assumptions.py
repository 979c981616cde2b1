"""The ladder, linear classifiers of many classes, temperatures, and documents with bursts."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import dirichlet_multinomial
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import log_loss as peer_log_loss
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import ComplementNB as PeerComplementNB

from course.studies.corpus import Corpus
from course.studies.poor_assumptions.bursts import BurstyClasses
from course.studies.poor_assumptions.ladder import STEPS, best_alpha, held_out, ladder
from course.studies.poor_assumptions.linear import best_penalty, one_against_rest
from course.studies.poor_assumptions.sharpness import best_temperature, tempered
from probml.linear_model import LinearSVC, LogisticRegression
from probml.losses import Logistic, SquaredHinge
from probml.naive_bayes import MultinomialNB


@pytest.fixture
def drawn():
    """A hundred and twenty documents of three classes that each prefer four of twelve words."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    X = rng.poisson(rng.gamma(0.5, 1, (120, 12)) * np.where(np.arange(12) // 4 == y[:, None], 2.0, 0.5))
    words = np.array([f"w{n:02}" for n in range(12)], dtype=object)
    return Corpus(sparse.csr_array(X[:80]), y[:80], sparse.csr_array(X[80:]), y[80:], words, ("a", "b", "c"))


def test_steps_keep_those_before_them(drawn):
    rungs = ladder(drawn)
    assert tuple(rungs) == STEPS
    np.testing.assert_array_equal(rungs["multinomial"].corpus.X_train.toarray(), drawn.X_train.toarray())
    logs = np.log1p(drawn.X_test.toarray())
    np.testing.assert_allclose(rungs["log counts"].corpus.X_test.toarray(), logs)
    idf = np.log(80 / (drawn.X_train.toarray() > 0).sum(axis=0))
    np.testing.assert_allclose(rungs["idf"].corpus.X_test.toarray(), logs * idf)
    lengths = np.linalg.norm(logs * idf, axis=1, keepdims=True)
    expected = np.divide(logs * idf, lengths, out=np.zeros_like(logs), where=lengths > 0)
    for name in STEPS[3:]:
        np.testing.assert_allclose(rungs[name].corpus.X_test.toarray(), expected)
    assert [type(rungs[name].model(alpha=1.0)).__name__ for name in STEPS] == ["MultinomialNB"] * 4 + [
        "ComplementNB"
    ] * 2


def test_the_top_of_the_ladder_is_that_of_scikit_learn(drawn):
    """Their idf has a one added to it, which is taken away here."""
    train, test = (np.log1p(X.toarray()) for X in (drawn.X_train, drawn.X_test))
    idf = TfidfTransformer(smooth_idf=False).fit(drawn.X_train).idf_ - 1
    train, test = (
        (X * idf) / np.maximum(np.linalg.norm(X * idf, axis=1, keepdims=True), 1e-300) for X in (train, test)
    )
    for name, norm in (("complement", False), ("normalised weights", True)):
        peer = PeerComplementNB(alpha=0.3, norm=norm).fit(train, drawn.y_train)
        np.testing.assert_array_equal(ladder(drawn)[name].predictions(0.3), peer.predict(test))


def test_held_out_documents_are_of_the_training_part(drawn):
    part = held_out(drawn, 0.25, np.random.default_rng(1))
    assert (len(part.y_train), len(part.y_test)) == (60, 20)
    rows = sorted(map(tuple, np.vstack([part.X_train.toarray(), part.X_test.toarray()])))
    assert rows == sorted(map(tuple, drawn.X_train.toarray()))
    with pytest.raises(ValueError, match=r"a share of 1\.0 of 80 documents leaves one of the parts empty"):
        held_out(drawn, 1.0, np.random.default_rng(1))


def test_best_settings_by_trying_all(drawn):
    rung, alphas = ladder(drawn)["multinomial"], [0.01, 1.0, 100.0]
    shares = [np.mean(rung.predictions(alpha) == drawn.y_test) for alpha in alphas]
    assert best_alpha(rung, alphas) == max(zip(shares, alphas, strict=True))[1]
    scaled, l2s = ladder(drawn)["unit length"].corpus, [0.01, 1.0, 1e4]
    shares = [
        np.mean(one_against_rest(SquaredHinge(), l2, scaled).model.predict(scaled.X_test) == scaled.y_test)
        for l2 in l2s
    ]
    assert best_penalty(SquaredHinge(), l2s, scaled) == max(zip(shares, l2s, strict=True))[1]


@pytest.mark.parametrize(("loss", "model"), [(Logistic(), LogisticRegression), (SquaredHinge(), LinearSVC)])
def test_one_against_rest_is_one_fit_for_each_class(drawn, loss, model):
    found = one_against_rest(loss, 0.5, drawn, tolerance=1e-10)
    peer = OneVsRestClassifier(model(l2=0.5)).fit(drawn.X_train, drawn.y_train)
    for k, alone in enumerate(peer.estimators_):
        np.testing.assert_allclose(found.model.coef[k], alone.coef_[0], atol=1e-8)
        np.testing.assert_allclose(found.model.intercept[k], alone.intercept_[0], atol=1e-8)
    np.testing.assert_array_equal(found.model.predict(drawn.X_test), peer.predict(drawn.X_test))
    if model is LogisticRegression:
        np.testing.assert_allclose(found.model.predict_proba(drawn.X_test), peer.predict_proba(drawn.X_test), atol=1e-8)
    assert found.l2 == 0.5
    assert 0 <= found.relative_gap < 1e-8


def test_the_best_temperature_undoes_sharpening():
    rng = np.random.default_rng(2)
    joint = rng.normal(size=(4000, 3)) * 2
    y = (rng.random((4000, 1)) > np.cumsum(np.exp(tempered(joint, 1.0)), axis=1)).sum(axis=1)
    honest = best_temperature(joint, y)
    assert abs(honest - 1) < 0.1
    assert best_temperature(7 * joint, y) == pytest.approx(7 * honest, rel=1e-4)
    least = peer_log_loss(y, np.exp(tempered(joint, honest)))
    for other in (0.9, 1.1):
        assert peer_log_loss(y, np.exp(tempered(joint, other * honest))) > least


def test_exact_posterior_of_bursts_against_scipy():
    classes = BurstyClasses(np.array([[0.3, 1.2, 2.0], [1.0, 0.4, 0.1]]))
    X = np.array([x for x in product(range(5), repeat=3) if sum(x) == 4], dtype=float)
    expected = [
        dirichlet_multinomial.logpmf(x.astype(int), classes.a[1], 4)
        - dirichlet_multinomial.logpmf(x.astype(int), classes.a[0], 4)
        for x in X
    ]
    np.testing.assert_allclose(classes.log_odds(X), expected, rtol=1e-11, atol=1e-11)


def test_without_bursts_the_multinomial_model_is_exact():
    shares = np.array([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3]])
    X = np.array([[3.0, 1, 0], [0, 0, 5]])
    model = MultinomialNB(alpha=0).from_statistics(MultinomialNB.statistics(10 * shares, [0, 1]), alpha=0)
    naive = np.diff(model.predict_joint_log_proba(X), axis=1).ravel()
    np.testing.assert_allclose(BurstyClasses(shares).naive_log_odds(X), naive, atol=1e-12)
    np.testing.assert_allclose(BurstyClasses(1e7 * shares).log_odds(X), naive, atol=1e-4)
    assert np.abs(BurstyClasses(shares).log_odds(X) - naive).max() > 0.5


def test_drawn_bursts_have_the_probabilities_of_the_model():
    classes = BurstyClasses(np.array([[0.5, 1.0], [2.0, 0.7]]))
    X, y = classes.draw(40_000, 2, np.random.default_rng(3))
    assert (X.sum(axis=1) == 2).all()
    for j in (0, 1):
        for x in (0, 1, 2):
            p = dirichlet_multinomial.pmf([x, 2 - x], classes.a[j], 2)
            seen = np.mean(X[y == j, 0] == x)
            assert abs(seen - p) < 5 * np.sqrt(p * (1 - p) / np.sum(y == j)), (j, x)
    assert abs(y.mean() - 0.5) < 5 * 0.5 / np.sqrt(40_000)


def test_shares_of_drawn_classes():
    classes = BurstyClasses.drawn(50, 0.5, 20.0, np.random.default_rng(4))
    np.testing.assert_allclose(classes.a.sum(axis=1), 20)
    apart = np.log(classes.a[1] / classes.a[0])
    assert 0.4 < apart.std() < 1.0  # two draws of 0.5 each
