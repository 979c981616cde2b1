"""A spam filter: messages, features, zeros, thresholds, learning on the way; and input that nobody trained it for."""

import re

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import norm, poisson, t
from sklearn.naive_bayes import MultinomialNB as PeerNB

from course.studies.spam.contributions import contributions
from course.studies.spam.costs import costs, costs_by_fold, out_of_fold, thresholds
from course.studies.spam.features import COLUMNS, message_features
from course.studies.spam.joined import JoinedNB
from course.studies.spam.messages import cuts, messages, restored
from course.studies.spam.never_seen import fate
from course.studies.spam.online import prequential
from course.studies.spam.resampled import resampled_interval
from probml import datasets
from probml.errors import ZeroEvidenceError
from probml.families import Bernoulli, Gaussian, Poisson
from probml.naive_bayes import BernoulliNB, MultinomialNB
from probml.text import BagOfWords

TEXTS = ["win cash now", "cash prize now", "see you at home", "home at six", "you at work now", "are you home"]
LABELS = np.array([1, 1, 0, 0, 0, 0])


@pytest.fixture
def bag():
    return BagOfWords().fit(TEXTS)


def test_messages_are_distinct_and_keep_their_labels():
    found, as_collected, raw = messages(), messages(restore=False), datasets.load("sms-spam")
    assert len(set(found.texts)) == len(found.texts) == len(set(as_collected.texts)) == 5171
    assert found.repeated == as_collected.repeated == 403
    spam = {text for text, y in zip(raw.X, raw.y, strict=True) if raw.class_names[y] == "spam"}
    assert [text in spam for text in as_collected.texts] == (found.y == 1).tolist()


def test_only_ham_was_masked_and_what_is_put_back_tells_nothing():
    found, as_collected = messages(), messages(restore=False)
    touched = np.array([old != new for old, new in zip(as_collected.texts, found.texts, strict=True)])
    assert touched[found.y == 0].sum() > 200
    assert not touched[found.y == 1].any()
    assert not any("&lt;" in text or "&amp;" in text for text in found.texts)
    put_back = [number for text in found.texts for number in re.findall(r"70000\d{3}", text)]
    assert len(put_back) == len(set(put_back)) > 200
    assert not any(re.search(r"70000\d{3}", text) for text in as_collected.texts)


def test_restored():
    text = "be there at &lt;#&gt; &amp; bring &lt;DECIMAL&gt; &lt;URL&gt;"
    assert restored(text, iter([71, 72])) == "be there at 71 & bring 72 <URL>"


def test_cuts_hold_every_row_once():
    first, second = cuts(10, (0.5, 0.2), 2, seed=0)
    assert [len(part) for part in first] == [5, 2, 3]
    assert sorted(np.concatenate(first)) == list(range(10))
    assert not np.array_equal(first[0], second[0])
    again = next(cuts(10, (0.5, 0.2), 2, seed=0))
    np.testing.assert_array_equal(np.concatenate(first), np.concatenate(again))
    with pytest.raises(ValueError, match=r"leave a rest, received \(0.5, 0.5\)"):
        next(cuts(10, (0.5, 0.5), 1, seed=0))


def test_resampled_interval_by_hand():
    mean, half = resampled_interval([0.1, 0.2, 0.6], train=200, test=100)
    assert mean == pytest.approx(0.3)
    assert half == pytest.approx(t.ppf(0.975, 2) * np.sqrt((1 / 3 + 1 / 2) * 0.07))
    with pytest.raises(ValueError, match=r"at least 2 cuts, shape \(J,\), received \(1,\)"):
        resampled_interval([0.1], 2, 1)
    with pytest.raises(ValueError, match="received 0 and 1"):
        resampled_interval([0.1, 0.2], 0, 1)


def test_resampled_interval_covers_where_the_plain_one_does_not():
    """The mean of x, estimated on cuts of one sample: each value is the mean of a random third of 30 draws."""
    rng = np.random.default_rng(0)
    held, plain, runs = 0, 0, 400
    for _ in range(runs):
        x = rng.normal(size=30)
        values = np.array([x[rng.permutation(30)[20:]].mean() for _ in range(20)])
        mean, half = resampled_interval(values, 20, 10)
        held += abs(mean) <= half
        plain += abs(mean) <= t.ppf(0.975, 19) * values.std(ddof=1) / np.sqrt(20)
    assert held / runs > 0.93
    assert plain / runs < 0.7


def test_features_by_hand():
    found = message_features(["WIN £100 sooo easy", "a quiet evenning", ""], ["a", "quiet", "win", "easy", "evening"])
    by_name = dict(zip(COLUMNS, found.T.tolist(), strict=True))
    assert by_name == {
        "capital": [1, 0, 0],
        "all-capitals": [1, 0, 0],
        "number": [1, 0, 0],
        "long-run": [1, 0, 0],
        "misspelling": [1, 1, 0],
        "currency": [1, 0, 0],
        "words": [4, 3, 0],
        "characters": [18, 16, 0],
    }


def test_joined_model_multiplies_its_factors(bag):
    X = bag.transform(TEXTS)
    rng = np.random.default_rng(0)
    features = np.column_stack([rng.poisson(2 + 3 * LABELS), rng.normal(LABELS, 1)])
    found = JoinedNB([Poisson(), Gaussian()], alpha=0.5).fit(X, features, LABELS).predict_log_proba(X, features)
    peer = PeerNB(alpha=0.5).fit(X, LABELS)
    joint = peer.predict_joint_log_proba(X)
    for j in (0, 1):
        own = features[LABELS == j]
        joint[:, j] += poisson.logpmf(features[:, 0], own[:, 0].mean())
        joint[:, j] += norm.logpdf(features[:, 1], own[:, 1].mean(), own[:, 1].std())
    np.testing.assert_allclose(found, joint - np.logaddexp.reduce(joint, axis=1, keepdims=True), rtol=1e-6, atol=1e-7)


def test_a_feature_that_tells_nothing_changes_nothing(bag):
    X, constant = bag.transform(TEXTS), np.zeros((6, 1))
    balanced = np.array([0, 1, 0, 1, 0, 1])
    found = JoinedNB([Bernoulli()], alpha=1.0).fit(X, constant, balanced).predict_log_proba(X, constant)
    np.testing.assert_allclose(found, MultinomialNB(alpha=1.0).fit(X, balanced).predict_log_proba(X), rtol=1e-10)


def test_fate_is_what_maximum_likelihood_does(bag):
    new = bag.transform(["cash home", "cash now", "now", "home you", ""])
    found = fate(bag.transform(TEXTS), LABELS, new)
    assert found.new_to_ham.tolist() == [True, True, False, False, False]
    assert found.new_to_spam.tolist() == [True, False, False, True, False]
    model = MultinomialNB(alpha=0.0).fit(bag.transform(TEXTS), LABELS)
    assert model.predict(new[[1, 3]]).tolist() == [1, 0]
    assert np.isin(model.predict_proba(new[[1, 3]]), (0, 1)).all()
    assert found.decided_by_a_zero.tolist() == [False, True, False, True, False]
    with pytest.raises(ZeroEvidenceError, match="1 of 5 examples, the first in row 0"):
        model.predict(new)


def test_thresholds_of_honest_log_odds_are_all_the_same():
    rng = np.random.default_rng(1)
    h = rng.normal(0, 3, size=40_000)
    y = (rng.random(len(h)) < 1 / (1 + np.exp(-h))).astype(int)
    believed, calibrated, tried = thresholds(h, y, 5.0)
    assert believed == pytest.approx(np.log(5))
    assert calibrated == pytest.approx(believed, abs=0.1)
    assert tried == pytest.approx(believed, abs=0.5)
    _, exaggerated, _ = thresholds(3 * h, y, 5.0)
    assert exaggerated == pytest.approx(3 * believed, abs=0.3)
    with pytest.raises(ValueError, match="is y 1 for spam"):
        thresholds(-h, y, 5.0)


def test_costs_by_hand():
    assert costs(np.array([2.0, 1.0, -1.0, 0.0]), np.array([1, 0, 1, 0]), 0.5, 7.0).tolist() == [0, 7, 1, 0]
    assert costs(np.array([0.5]), np.array([0]), 0.5, 7.0).tolist() == [7]  # a score at the threshold is called spam


def test_out_of_fold_learns_from_the_other_folds(bag):
    X, fold = bag.transform(TEXTS), np.array([0, 1, 0, 1, 0, 1])
    found = out_of_fold(X, LABELS, 0.5, fold)
    train, own = [1, 3, 5], [0, 2, 4]
    known = np.flatnonzero(X[train].sum(axis=0))
    peer = PeerNB(alpha=0.5, class_prior=[0.5, 0.5]).fit(X[train][:, known], LABELS[train])
    joint = peer.predict_joint_log_proba(X[own][:, known])
    np.testing.assert_allclose(found[own], joint[:, 1] - joint[:, 0], rtol=1e-9, atol=1e-12)


def test_costs_by_fold_use_thresholds_of_the_other_folds():
    rng = np.random.default_rng(2)
    h = rng.normal(0, 3, size=200)
    y, fold = (rng.random(200) < 1 / (1 + np.exp(-h))).astype(int), np.arange(200) % 2
    found = costs_by_fold(h, y, 4.0, fold)
    for row, cut in enumerate(thresholds(h[fold == 1], y[fold == 1], 4.0)):
        np.testing.assert_array_equal(found[row, fold == 0], costs(h[fold == 0], y[fold == 0], cut, 4.0))


def test_online_ends_where_batch_does(bag):
    X = bag.transform(TEXTS)
    run = prequential(X, LABELS, alpha=0.3, prior_alpha=1.0)
    batch = MultinomialNB(alpha=0.3).fit(X, LABELS)
    np.testing.assert_array_equal(run.model.feature_log_prob_, batch.feature_log_prob_)
    np.testing.assert_allclose(np.exp(run.model.class_log_prior_), [5 / 8, 3 / 8])
    assert run.log_loss[0] == pytest.approx(np.log(2))


def test_online_judges_each_message_by_what_came_before(bag):
    X = bag.transform(TEXTS)
    run = prequential(X, LABELS, alpha=0.3, prior_alpha=1.0)
    for i in range(3, 6):
        seen = np.bincount(LABELS[:i], minlength=2) + 1
        log_posterior = (
            MultinomialNB(alpha=0.3, class_prior=seen / seen.sum()).fit(X[:i], LABELS[:i]).predict_log_proba(X[[i]])[0]
        )
        assert run.log_loss[i] == pytest.approx(-log_posterior[LABELS[i]], rel=1e-12)
        assert run.wrong[i] == (log_posterior.argmax() != LABELS[i])


def test_the_first_message_of_a_class_is_impossible_without_pseudo_messages(bag):
    X = bag.transform(TEXTS)
    assert np.flatnonzero(np.isinf(prequential(X, LABELS, alpha=0.3).log_loss)).tolist() == [2]
    assert np.isfinite(prequential(X, LABELS, alpha=0.3, prior_alpha=0.5).log_loss).all()


def test_contributions_add_up_to_the_log_odds(bag):
    model = MultinomialNB(alpha=0.5).fit(bag.transform(TEXTS), LABELS)
    x = bag.transform(["cash cash home now"])
    found = contributions(model, x, bag.words_)
    log_posterior = model.predict_log_proba(x)[0]
    assert found.total == pytest.approx(log_posterior[1] - log_posterior[0], rel=1e-12)
    assert dict(zip(found.words, found.times.tolist(), strict=True)) == {"cash": 2, "home": 1, "now": 1}
    assert (np.diff(np.abs(found.by_word)) <= 0).all()
    with pytest.raises(ValueError, match="one message, received 2"):
        contributions(model, bag.transform(["a", "b"]), bag.words_)


# Messages that nobody trained the filter for


@pytest.mark.parametrize(
    "text",
    ["zzqx zzqy", "", "   !?", "Καλημέρα σας", "日本語のメッセージ"],
    ids=["unseen", "empty", "signs", "greek", "japanese"],
)
def test_a_message_without_a_known_word_gets_the_prior(bag, text):
    x = bag.transform([text])
    assert x.sum() == 0
    model = MultinomialNB(alpha=0.1).fit(bag.transform(TEXTS), LABELS)
    np.testing.assert_allclose(model.predict_proba(x)[0], [2 / 3, 1 / 3], rtol=1e-12)
    assert model.predict(x).tolist() == [0]
    assert contributions(model, x, bag.words_).words == []
    maximum_likelihood = MultinomialNB(alpha=0.0).fit(bag.transform(TEXTS), LABELS)
    np.testing.assert_allclose(maximum_likelihood.predict_proba(x)[0], [2 / 3, 1 / 3], rtol=1e-12)


def test_the_bernoulli_model_reads_silence(bag):
    """An empty message is every word absent, which is evidence: the posterior is not the prior."""
    X = bag.transform(TEXTS)
    model = BernoulliNB(alpha=1.0).fit(X, LABELS)
    phi = [(X.toarray()[LABELS == j] > 0).sum(axis=0) for j in (0, 1)]
    joint = [n / 6 * np.prod(1 - (present + 1) / (n + 2)) for n, present in zip((4, 2), phi, strict=True)]
    np.testing.assert_allclose(model.predict_proba(bag.transform([""]))[0], np.array(joint) / sum(joint), rtol=1e-12)


def test_words_of_another_alphabet_are_words():
    texts = ["Καλημέρα φίλε", "κέρδισες χρήματα"]
    bag = BagOfWords().fit(texts)
    model = MultinomialNB().fit(bag.transform(texts), [0, 1])
    assert model.predict(bag.transform(["ΚΈΡΔΙΣΕΣ!", "φίλε"])).tolist() == [1, 0]


def test_a_document_of_a_million_words(bag):
    model = MultinomialNB(alpha=0.1).fit(bag.transform(TEXTS), LABELS)
    x = bag.transform(["cash home " * 500_000])
    assert x.sum() == 1_000_000
    log_posterior = model.predict_log_proba(x)
    assert np.isfinite(log_posterior).all()
    assert np.exp(log_posterior).sum() == pytest.approx(1)
    weight = model.feature_log_prob_[:, [bag.vocabulary_["cash"], bag.vocabulary_["home"]]].sum(axis=1)
    odds = 500_000 * (weight[1] - weight[0]) + np.log(0.5)
    assert log_posterior[0, 1] - log_posterior[0, 0] == pytest.approx(odds, rel=1e-9)


def test_a_label_that_never_occurs_in_training(bag):
    X = bag.transform(TEXTS)
    online = MultinomialNB(alpha=0.1).partial_fit(X, LABELS, classes=[0, 1, 2])
    np.testing.assert_array_equal(online.predict_proba(X)[:, 2], 0)  # announced, never seen: prior 0
    with pytest.raises(ValueError, match="y has the label 7, which is not among the classes"):
        online.partial_fit(X[:1], [7])
    with pytest.raises(ValueError, match="y must be 0 or 1, received the label 2 in row 2"):
        prequential(X, np.array([0, 1, 2, 0, 0, 0]), alpha=0.1)


def test_labels_of_one_class_only(bag):
    model = MultinomialNB(alpha=0.1).fit(bag.transform(TEXTS), np.zeros(6, dtype=int))
    assert model.classes_.tolist() == [0]
    np.testing.assert_allclose(model.predict_proba(sparse.csr_array(bag.transform(["cash"]))), [[1.0]])
