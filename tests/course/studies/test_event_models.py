"""The steps between the event models, the length that the Bernoulli model believes in, and documents cut short."""

from fractions import Fraction
from math import prod

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import poisson
from sklearn.naive_bayes import BernoulliNB as PeerBernoulliNB
from sklearn.naive_bayes import MultinomialNB as PeerMultinomialNB

from course.studies.corpus import Corpus
from course.studies.event_models.cut_documents import some_words
from course.studies.event_models.four_models import MODELS, right, right_by_vocabulary, scores
from course.studies.event_models.length_belief import expected_words, length_term, words_of
from course.studies.growing_vocabulary import GrowingVocabulary
from course.studies.sweeps import by_information, by_vocabulary
from probml.naive_bayes import BernoulliNB, MultinomialNB


@pytest.fixture
def drawn():
    """Sixty documents of three classes with twelve words, some of them empty."""
    rng = np.random.default_rng(0)
    X, y = rng.poisson(rng.gamma(0.5, 1, (60, 12))), np.arange(60) % 3
    X[:2] = 0
    words = np.array([f"w{n:02}" for n in range(12)], dtype=object)
    return Corpus(sparse.csr_array(X[:40]), y[:40], sparse.csr_array(X[40:]), y[40:], words, ("a", "b", "c"))


def test_bernoulli_parameters_are_those_of_the_multinomial_on_presence_times_the_expected_words():
    """φ_jn = Λ_j β_jn, in exact fractions, for any α."""
    documents = {0: [(1, 1, 0), (0, 1, 0)], 1: [(1, 0, 0), (1, 1, 1), (0, 1, 0)]}
    alpha = Fraction(1, 3)
    for own in documents.values():
        holding = [sum(each) for each in zip(*own, strict=True)]
        phi = [(count + alpha) / (len(own) + 2 * alpha) for count in holding]
        beta = [(count + alpha) / (sum(holding) + 3 * alpha) for count in holding]
        assert [sum(phi) * share for share in beta] == phi
    X = np.vstack([*documents.values()])
    y = np.repeat([0, 1], [2, 3])
    expected = [
        sum((sum(each) + alpha) / (len(own) + 2 * alpha) for each in zip(*own, strict=True))
        for own in documents.values()
    ]
    np.testing.assert_allclose(expected_words(BernoulliNB(alpha=1 / 3).fit(X, y)), [float(each) for each in expected])


def test_scores_are_those_of_scikit_learn(drawn):
    found = scores(drawn, 0.5)
    here, there = (drawn.X_train > 0).astype(float), (drawn.X_test > 0).astype(float)
    peers = {
        "multinomial": PeerMultinomialNB(alpha=0.5)
        .fit(drawn.X_train, drawn.y_train)
        .predict_joint_log_proba(drawn.X_test),
        "multinomial on presence": PeerMultinomialNB(alpha=0.5).fit(here, drawn.y_train).predict_joint_log_proba(there),
        "Bernoulli": PeerBernoulliNB(alpha=0.5).fit(here, drawn.y_train).predict_joint_log_proba(there),
    }
    assert tuple(found) == MODELS
    for name, expected in peers.items():
        np.testing.assert_allclose(found[name], expected, rtol=1e-11, atol=1e-11)


def test_without_length_by_the_definition(drawn):
    """What is left of log p(x | j) after Poisson's probability of D is taken away, but for D!, word by word."""
    model = BernoulliNB(alpha=0.5).fit(drawn.X_train, drawn.y_train)
    phi, found = np.exp(model.feature_log_prob_), scores(drawn, 0.5)["Bernoulli without length"]
    for d, document in enumerate(drawn.X_test.toarray()):
        for j in range(3):
            likelihood = prod(p if x > 0 else 1 - p for x, p in zip(document, phi[j], strict=True))
            of_length = poisson.logpmf((document > 0).sum(), phi[j].sum()) + np.log(
                prod(range(1, int((document > 0).sum()) + 1))
            )
            expected = model.class_log_prior_[j] + np.log(likelihood) - of_length
            assert found[d, j] == pytest.approx(expected, rel=1e-11, abs=1e-11)


def test_words_are_counted_once_and_stored_zeros_not():
    X = sparse.csr_array(([3, 0, 1, 1], ([0, 0, 1, 1], [0, 1, 0, 2])), shape=(3, 3))
    assert words_of(X).tolist() == [1, 2, 0]
    model = BernoulliNB().fit(np.eye(3), [0, 1, 1])
    expected = expected_words(model)
    np.testing.assert_allclose(length_term(model, X), np.outer([1, 2, 0], np.log(expected)) - expected)


def test_an_empty_document_gets_a_score_from_every_model(drawn):
    empty = sparse.csr_array((1, 12), dtype=np.int64)
    found = scores(Corpus(drawn.X_train, drawn.y_train, empty, np.zeros(1, int), drawn.words, drawn.class_names), 1.0)
    prior = np.log(np.bincount(drawn.y_train) / 40)
    np.testing.assert_allclose(found["multinomial"][0], prior)
    np.testing.assert_allclose(found["multinomial on presence"][0], prior)
    assert all(np.isfinite(score).all() for score in found.values())


def test_right_by_vocabulary_agrees_with_the_sweep(drawn):
    sizes = [1, 4, 12]
    found = right_by_vocabulary(drawn, sizes, 1.0)
    assert found.shape == (4, 3, 20)
    expected = by_vocabulary([MultinomialNB(), BernoulliNB()], drawn, sizes)
    np.testing.assert_allclose(found[[0, 3]].mean(axis=2), expected)
    np.testing.assert_array_equal(found[:, -1], right(drawn, 1.0))
    with pytest.raises(ValueError, match="best 13 words, but the vocabulary has only 12"):
        right_by_vocabulary(drawn, [13], 1.0)


def test_right_by_vocabulary_is_what_a_fit_for_each_size_gives(drawn):
    ranking, sizes = by_information(drawn), [1, 2, 5, 11, 12]
    expected = [right(drawn.restricted_to(ranking[:size]), 0.3) for size in sizes]
    np.testing.assert_array_equal(right_by_vocabulary(drawn, sizes, 0.3), np.stack(expected, axis=1))


@pytest.mark.parametrize("alpha", [0.01, 1.0])
def test_a_growing_vocabulary_has_the_scores_of_models_fitted_to_the_best_words(drawn, alpha):
    X_test = drawn.X_test.astype(float)
    X_test.data[::5] = 0  # stored zeros are no words
    corpus = Corpus(drawn.X_train, drawn.y_train + 3, X_test, drawn.y_test + 3, drawn.words, drawn.class_names)
    ranking, sizes = np.random.default_rng(2).permutation(12), [1, 3, 4, 9]
    growing = GrowingVocabulary.of(corpus, ranking, sizes)
    for s, size in enumerate(sizes):
        columns = ranking[:size]
        X, there = corpus.X_train[:, columns], X_test[:, columns]
        here, present = (X > 0).astype(float), (there > 0).astype(float)
        multinomial = PeerMultinomialNB(alpha=alpha).fit(X, corpus.y_train)
        on_presence = PeerMultinomialNB(alpha=alpha).fit(here, corpus.y_train)
        bernoulli = PeerBernoulliNB(alpha=alpha).fit(here, corpus.y_train)
        for found, expected in (
            (growing.multinomial(alpha)[s], multinomial.predict_joint_log_proba(there)),
            (growing.multinomial(alpha, presence=True)[s], on_presence.predict_joint_log_proba(present)),
            (growing.bernoulli(alpha)[s], bernoulli.predict_joint_log_proba(present)),
            (growing.expected_words(alpha)[s, 0], np.exp(bernoulli.feature_log_prob_).sum(axis=1)),
        ):
            np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)
        for model, peer, X_peer in ((MultinomialNB, multinomial, there), (BernoulliNB, bernoulli, present)):
            np.testing.assert_array_equal(growing.predictions(model(alpha=alpha))[s], peer.predict(X_peer))


def test_a_growing_vocabulary_refuses_what_it_cannot_do(drawn):
    ranking = np.arange(12)
    for sizes in ([3, 3], [4, 2], [0, 5]):
        with pytest.raises(ValueError, match="increasing numbers of words from 1 on"):
            GrowingVocabulary.of(drawn, ranking, sizes)
    growing = GrowingVocabulary.of(drawn, ranking, [2, 12])
    for score in (growing.multinomial, growing.bernoulli):
        with pytest.raises(ValueError, match="alpha must be above 0"):
            score(0.0)
    for model in (MultinomialNB(fit_prior=False), BernoulliNB(binarize=2.0), PeerMultinomialNB()):
        with pytest.raises(ValueError, match="only MultinomialNB and BernoulliNB with an alpha"):
            growing.predictions(model)


def test_some_words_keeps_that_many_and_changes_no_count(drawn):
    X = drawn.X_train[2:]
    kept = np.diff(X.indptr) // 2
    cut = some_words(X, kept, np.random.default_rng(1))
    assert np.diff(cut.indptr).tolist() == kept.tolist()
    assert cut.has_canonical_format
    whole, part = X.toarray(), cut.toarray()
    assert ((part == 0) | (part == whole)).all()
    same = some_words(X, kept, np.random.default_rng(1))
    np.testing.assert_array_equal(same.toarray(), part)
    np.testing.assert_array_equal(some_words(X, np.diff(X.indptr), np.random.default_rng(1)).toarray(), whole)


def test_every_word_is_as_likely_to_be_kept():
    X = sparse.csr_array(np.ones((4000, 5), dtype=np.int64))
    share = some_words(X, 2, np.random.default_rng(2)).sum(axis=0) / 4000
    assert np.abs(share - 2 / 5).max() < 5 * np.sqrt(0.4 * 0.6 / 4000)


def test_a_document_that_is_too_short_is_named():
    X = sparse.csr_array([[1, 2, 0], [0, 1, 0]])
    with pytest.raises(ValueError, match="document 1 has 1 different words, of which 2 cannot be kept"):
        some_words(X, 2, np.random.default_rng(0))
