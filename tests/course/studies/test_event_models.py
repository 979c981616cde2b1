"""The pieces by which two event models differ add up in every order, and the length term is that of its formula.

Without this, the note could blame the wrong piece for what multinomial and Bernoulli models do differently.
"""

from fractions import Fraction
from math import prod

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import poisson
from sklearn.naive_bayes import BernoulliNB as PeerBernoulliNB
from sklearn.naive_bayes import MultinomialNB as PeerMultinomialNB

from course.studies.corpus import Corpus
from course.studies.event_models.attribution import average_over_orders, in_each_order
from course.studies.event_models.by_length import Fifths
from course.studies.event_models.curves import Curves
from course.studies.event_models.cut_documents import some_words
from course.studies.event_models.few_words import few_words
from course.studies.event_models.length import Lengths, expected_words, length_term, tokens_of, words_of
from course.studies.event_models.one_length import costs, cut, paired
from course.studies.event_models.own_documents import right_at_home
from course.studies.event_models.pieces import EVERY_SET, MODELS, Pieces, right
from course.studies.event_models.published import best_over_splits, error_cut
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
    pieces = Pieces.of(drawn, 0.5)
    here, there = (drawn.X_train > 0).astype(float), (drawn.X_test > 0).astype(float)
    peers = {
        "multinomial": PeerMultinomialNB(alpha=0.5)
        .fit(drawn.X_train, drawn.y_train)
        .predict_joint_log_proba(drawn.X_test),
        "multinomial on presence": PeerMultinomialNB(alpha=0.5).fit(here, drawn.y_train).predict_joint_log_proba(there),
        "Bernoulli": PeerBernoulliNB(alpha=0.5).fit(here, drawn.y_train).predict_joint_log_proba(there),
    }
    for name, expected in peers.items():
        np.testing.assert_allclose(pieces.score(MODELS[name]), expected, rtol=1e-11, atol=1e-11)


def test_pieces_by_the_definition(drawn):
    """Absence and length from the coins, word by word, and Poisson's probability of D but for D!."""
    model = BernoulliNB(alpha=0.5).fit(drawn.X_train, drawn.y_train)
    phi, pieces = np.exp(model.feature_log_prob_), Pieces.of(drawn, 0.5)
    for d, document in enumerate(drawn.X_test.toarray()):
        D = int((document > 0).sum())
        for j in range(3):
            of_length = poisson.logpmf(D, phi[j].sum()) + np.log(prod(range(1, D + 1)))
            of_absence = sum(np.log1p(-p) + p for p in phi[j]) - sum(
                np.log1p(-p) for x, p in zip(document, phi[j], strict=True) if x > 0
            )
            assert pieces.length[d, j] == pytest.approx(of_length, rel=1e-11, abs=1e-11)
            assert pieces.absence[d, j] == pytest.approx(of_absence, rel=1e-10, abs=1e-10)


def test_every_set_of_changes_has_its_score(drawn):
    pieces = Pieces.of(drawn, 1.0)
    assert len(set(EVERY_SET)) == 8
    for changes in EVERY_SET:
        expected = pieces.present.copy() if "presence" in changes else pieces.counted.copy()
        for name in changes - {"presence"}:
            expected += getattr(pieces, name)
        np.testing.assert_allclose(pieces.score(changes), expected)
        np.testing.assert_array_equal(pieces.predictions(changes), expected.argmax(axis=1))


def test_words_are_counted_once_and_stored_zeros_not():
    X = sparse.csr_array(([3, 0, 1, 1], ([0, 0, 1, 1], [0, 1, 0, 2])), shape=(3, 3))
    assert words_of(X).tolist() == [1, 2, 0]
    model = BernoulliNB().fit(np.eye(3), [0, 1, 1])
    expected = expected_words(model)
    np.testing.assert_allclose(length_term(model, X), np.outer([1, 2, 0], np.log(expected)) - expected)


def test_an_empty_document_gets_a_score_from_every_model(drawn):
    empty = sparse.csr_array((1, 12), dtype=np.int64)
    pieces = Pieces.of(
        Corpus(drawn.X_train, drawn.y_train, empty, np.zeros(1, int), drawn.words, drawn.class_names), 1.0
    )
    prior = np.log(np.bincount(drawn.y_train) / 40)
    np.testing.assert_allclose(pieces.counted[0], prior)
    np.testing.assert_allclose(pieces.present[0], prior)
    assert all(np.isfinite(pieces.score(changes)).all() for changes in EVERY_SET)


def test_pieces_by_vocabulary_agree_with_the_sweep_and_with_a_fit_for_each_size(drawn):
    ranking, sizes = by_information(drawn), [1, 2, 5, 11, 12]
    pieces = Pieces.by_vocabulary(drawn, sizes, 0.3)
    for s, size in enumerate(sizes):
        one = Pieces.of(drawn.restricted_to(ranking[:size]), 0.3)
        for name in ("counted", "present", "absence", "length"):
            np.testing.assert_allclose(getattr(pieces, name)[s], getattr(one, name), rtol=1e-10, atol=1e-10)
    expected = by_vocabulary([MultinomialNB(alpha=0.3), BernoulliNB(alpha=0.3)], drawn, sizes)
    for row, name in zip(expected, ("multinomial", "Bernoulli"), strict=True):
        np.testing.assert_allclose((pieces.predictions(MODELS[name]) == drawn.y_test).mean(axis=1), row)
    with pytest.raises(ValueError, match="best 13 words, but the vocabulary has only 12"):
        Pieces.by_vocabulary(drawn, [13], 1.0)


def test_the_steps_of_an_order_and_their_average():
    """With an additive value the order does not matter; with an interaction each partner gets half of it."""
    worth = {"presence": 1.0, "absence": 20.0, "length": 300.0}
    additive = {changes: np.array(sum(worth[change] for change in changes)) for changes in EVERY_SET}
    assert len(in_each_order(additive)) == 6
    for added in in_each_order(additive).values():
        assert {change: float(value) for change, value in added.items()} == worth
    joint = {changes: value + 10 * ({"presence", "length"} <= changes) for changes, value in additive.items()}
    assert in_each_order(joint)["length", "absence", "presence"]["presence"] == 11
    average = {change: float(value) for change, value in average_over_orders(joint).items()}
    assert average == pytest.approx({"presence": 6, "absence": 20, "length": 305})


def test_curves_over_splits(drawn):
    curves = Curves.over_splits(drawn, [2, 5], 3, 1.0, seed=0)
    assert (curves.train, curves.test) == (40, 20)
    assert curves.of("Bernoulli").shape == (3, 3)
    split = drawn.shuffled(np.random.default_rng([0, 1, 2]))
    model = BernoulliNB().fit(split.X_train, split.y_train)
    assert curves.of("Bernoulli")[2, -1] == pytest.approx(np.mean(model.predict(split.X_test) == split.y_test))
    lead = curves.lead("multinomial", "Bernoulli", -1)
    assert lead[0] == pytest.approx(curves.mean("multinomial")[-1] - curves.mean("Bernoulli")[-1])
    assert lead[1] >= 0
    steps = curves.steps()
    for added in steps.values():
        assert sum(value for value, _ in added.values()) == pytest.approx(-lead[0])
    for change, value in curves.average().items():
        assert value == pytest.approx(np.mean([added[change][0] for added in steps.values()]))


def test_lengths_have_the_expected_words_of_the_formula(drawn):
    found = Lengths.of(drawn, 1.0, 0.01, np.random.default_rng(0))
    for alpha, expected in found.expected.items():
        by_formula = (found.documents * found.mean + alpha * 12) / (found.documents + 2 * alpha)
        np.testing.assert_allclose(expected, by_formula)
    assert found.seen.tolist() == (drawn.X_train.toarray() > 0).sum(axis=1).tolist()
    assert tokens_of(drawn.X_train).tolist() == drawn.X_train.toarray().sum(axis=1).tolist()
    within = [found.seen[drawn.y_train == j].var() for j in range(3)]
    assert found.spread[0] ** 2 == pytest.approx(np.average(within, weights=found.documents))
    drawn_words = found.drawn["Bernoulli, α = 0.01"]
    assert abs(drawn_words.mean() - np.average(found.mean, weights=found.documents)) < 0.5


def test_fifths_take_every_document_once():
    rng = np.random.default_rng(3)
    X = sparse.csr_array(rng.poisson(rng.gamma(1, 1, (400, 1)), (400, 30)))
    y = np.arange(400) % 3
    drawn = Corpus(X[:200], y[:200], X[200:], y[200:], np.arange(30).astype(str), ("a", "b", "c"))
    found, pieces, D = Fifths.of(drawn, 1.0), Pieces.of(drawn, 1.0), words_of(X[200:])
    assert found.spans[0][0] == D.min()
    assert found.spans[-1][1] == D.max()
    is_right = pieces.predictions(MODELS["Bernoulli"]) == drawn.y_test
    shortest = found.spans[0][1] >= D
    assert found.share_right["Bernoulli"][0] == pytest.approx(is_right[shortest].mean())
    assert (found.low["Bernoulli"] <= found.share_right["Bernoulli"]).all()
    assert (found.share_right["Bernoulli"] <= found.high["Bernoulli"]).all()
    there = np.bincount(drawn.y_test[shortest], minlength=3)
    assert found.sent["Bernoulli"] @ there == pytest.approx(shortest.sum())
    assert -1 <= found.rank_correlation("multinomial") <= 1


def test_documents_of_one_length_have_no_length_term(drawn):
    """With one D for all and hardly any smoothing, all classes expect the same: the term cancels."""
    arms = cut(drawn, 2, np.random.default_rng(0))
    whole, some, same = arms.values()
    assert (words_of(whole.X_train) >= 2).all()
    assert set(words_of(same.X_train)) == set(words_of(same.X_test)) == {2}
    assert words_of(some.X_train).sum() < words_of(whole.X_train).sum()
    found = costs(arms, (1e-6,))
    assert found[1e-6, list(arms)[-1]].length[0] == 0
    assert found[1e-6, "whole"].share_right == pytest.approx(
        {name: values.mean() for name, values in right(whole.without_rare_words(1), 1e-6).items()}
    )


def test_paired_difference():
    first, second = np.array([True, True, False, True]), np.array([False, True, False, False])
    gap, half = paired(first, second)
    assert gap == 0.5
    assert half == pytest.approx(1.959964 * np.std([1, 0, 0, 1], ddof=1) / 2)


def test_few_words_are_the_best_ones(drawn):
    found = few_words(drawn, (2, 12), 1.0)
    best = by_information(drawn)[:2]
    assert found[2].words == tuple(drawn.words[best])
    assert found[2].empty.tolist() == (drawn.X_test.toarray()[:, best].sum(axis=1) == 0).tolist()
    here = drawn.X_train.toarray()[:, best]
    assert found[2].repeats == pytest.approx(here[here > 0].mean())
    np.testing.assert_array_equal(found[12].is_right["Bernoulli"], right(drawn, 1.0)["Bernoulli"])


def test_each_model_is_best_on_its_own_documents(drawn):
    found = right_at_home(drawn, 12, 0.5, 0.5, 8000, 0)
    at_home, away, real = found.values()
    assert at_home["multinomial"].mean() > at_home["Bernoulli"].mean()
    assert away["Bernoulli"].mean() > away["multinomial"].mean()
    assert len(real["Bernoulli"]) == 20


def test_the_error_cut_is_that_of_the_best_vocabularies(drawn):
    found = error_cut(drawn, [2, 5], 1.0, np.random.default_rng(0))
    accuracies = by_vocabulary([MultinomialNB(), BernoulliNB()], drawn, [2, 5, 12]).max(axis=1)
    assert found.best["multinomial"] == pytest.approx(accuracies[0])
    assert found.best["Bernoulli"] == pytest.approx(accuracies[1])
    assert found.cut == pytest.approx(1 - (1 - accuracies[0]) / (1 - accuracies[1]))
    assert found.low <= found.cut <= found.high
    over_splits = best_over_splits(drawn, [2, 5], 2, 1.0, 0)
    assert {len(values) for values in over_splits.values()} == {2}


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
