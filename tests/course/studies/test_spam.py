"""A spam filter: messages, splits and intervals, features, thresholds, reasons; and input nobody trained it for."""

import re

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import nbinom, norm, poisson, t
from sklearn.naive_bayes import MultinomialNB as PeerNB

from course import datasets
from course.studies.resampled import resampled_interval
from course.studies.spam import comparison, coverage, templates
from course.studies.spam.contributions import contributions, word_by_word, worst_errors
from course.studies.spam.costs import judge, mean_cost, platt, summary, thresholds
from course.studies.spam.features import COLUMNS, dictionary, properties
from course.studies.spam.held_out import folds, log_odds, out_of_fold
from course.studies.spam.joined import JoinedNB
from course.studies.spam.messages import messages, restored
from course.studies.spam.never_seen import fate
from course.studies.spam.online import prequential, progress
from course.studies.spam.splits import in_training_words, splits
from course.studies.spam.spread_counts import fit_by_moments, log_probability, log_ratio
from probml.errors import ZeroEvidenceError
from probml.families import Bernoulli, Gaussian, Poisson
from probml.naive_bayes import BernoulliNB, MultinomialNB
from probml.text import BagOfWords

TEXTS = ["win cash now", "cash prize now", "see you at home", "home at six", "you at work now", "are you home"]
LABELS = np.array([1, 1, 0, 0, 0, 0])
JOINED = comparison.COINS, comparison.POISSON, comparison.SPREAD, comparison.STACKED


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


def test_splits_contain_every_row_once():
    first, second = splits(10, 0.7, 2, seed=0)
    assert [len(part) for part in first] == [7, 3]
    assert sorted(np.concatenate(first)) == list(range(10))
    assert not np.array_equal(first[0], second[0])
    again = next(splits(10, 0.7, 2, seed=0))
    np.testing.assert_array_equal(np.concatenate(first), np.concatenate(again))
    with pytest.raises(ValueError, match="between 0 and 1, received 1"):
        next(splits(10, 1, 1, seed=0))


def test_words_of_the_test_part_alone_are_ignored(bag):
    A, B = in_training_words(bag.transform(TEXTS), np.array([0, 1]), np.array([2, 4]))
    assert A.shape == (2, 4)  # cash, now, prize, win
    assert B.toarray().tolist() == [[0, 0, 0, 0], [0, 1, 0, 0]]


def test_resampled_interval_by_hand():
    mean, half = resampled_interval([0.1, 0.2, 0.6], train=200, test=100)
    assert mean == pytest.approx(0.3)
    assert half == pytest.approx(t.ppf(0.975, 2) * np.sqrt((1 / 3 + 1 / 2) * 0.07))
    with pytest.raises(ValueError, match=r"at least 2 values, shape \(J,\), received \(1,\)"):
        resampled_interval([0.1], 2, 1)
    with pytest.raises(ValueError, match="received 0 and 1"):
        resampled_interval([0.1, 0.2], 0, 1)


def test_resampled_interval_covers_where_the_plain_one_does_not():
    """The mean of x, estimated on splits of one sample: each value is the mean of a random third of 30 draws."""
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


def test_simulated_filters_are_those_of_the_package(bag):
    """All splits at once, in matrix form, against one filter at a time."""
    X = bag.transform(TEXTS * 5)
    y, in_test = np.tile(LABELS, 5), np.zeros((3, 30), dtype=bool)
    for row, start in enumerate((0, 7, 20)):
        in_test[row, start : start + 10] = True
    found = coverage.log_odds(X.toarray().astype(float), y, 0.1, ~in_test)
    for row, test in enumerate(in_test):
        A, B = in_training_words(X, np.flatnonzero(~test), np.flatnonzero(test))
        model = MultinomialNB(alpha=0.1).fit(A, y[~test])
        np.testing.assert_allclose(found[row, test], log_odds(model, B), rtol=1e-10)


def test_simulated_splits_are_thirds_of_their_set(bag):
    """Of messages that no filter can get wrong, and of labels that no filter can learn."""
    X, rng = bag.transform(TEXTS * 20), np.random.default_rng(0)
    options = {"sets": 30, "size": 60, "splits": 8, "rng": rng}
    easy = coverage.simulate(X, np.tile(LABELS, 20), 0.1, **options)
    assert easy.errors.shape == (30, 8)
    assert (easy.train, easy.test) == (40, 20)
    assert easy.truth < 0.02
    coins = coverage.simulate(X, rng.integers(0, 2, size=120), 0.1, **options)
    assert 0.4 < coins.truth < 0.65
    assert set(np.unique(coins.errors * 20).round(9)) <= set(range(21))


def test_coverage_and_correlation_by_hand():
    """Values that consist of what a set's splits share, with variance 1, and of what they do not, with variance 3."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(20_000, 1)) + np.sqrt(3) * rng.normal(size=(20_000, 5))
    simulated = coverage.Simulated(values, train=200, test=100)
    assert simulated.correlation == pytest.approx(1 / 4, abs=0.01)
    assert simulated.corrected / simulated.usual == pytest.approx(np.sqrt(1 + 5 / 2))
    assert simulated.usual[0] == pytest.approx(t.ppf(0.975, 4) * values[0].std(ddof=1) / np.sqrt(5))
    reach = np.full(20_000, 1.96 * np.sqrt(1 + 3 / 5))  # of the mean's own deviation
    assert simulated.covered(reach).mean() == pytest.approx(0.95, abs=0.01)


def test_properties_by_hand():
    found = properties(["WIN £100 sooo easy", "a quiet evenning", ""], ["a", "quiet", "win", "easy", "evening"])
    by_name = dict(zip(COLUMNS, found.T.tolist(), strict=True))
    assert by_name == {
        "capital": [1, 0, 0],
        "all-capitals": [1, 0, 0],
        "number": [1, 0, 0],
        "long-run": [1, 0, 0],
        "misspelling": [1, 1, 0],
        "currency": [1, 0, 0],
    }


def test_the_dictionary_knows_words_and_no_misspellings():
    known = set(dictionary())
    assert {"prize", "message", "the"} <= known
    assert not known & {"evenning", "zzqx"}


def test_filters_are_compared_on_the_same_splits(bag):
    X, y = bag.transform(TEXTS * 10), np.tile(LABELS, 10)
    telling = np.column_stack([5 * y, np.ones(60)])  # a property of spam only, and one of all messages
    nothing = np.zeros((60, 2))
    parts = list(splits(60, 2 / 3, 3, seed=0))
    helped, alone = (comparison.compare(X[:, [0]] * 0, each, y, parts, 0.1) for each in (telling, nothing))
    assert set(helped) == {comparison.WORDS, comparison.ABSENCE, *JOINED}
    base = [np.mean(y[test]) for _, test in parts]  # of calling everything ham
    for name in (comparison.WORDS, comparison.ABSENCE):
        np.testing.assert_allclose(helped[name], base)
    for name in JOINED:
        np.testing.assert_allclose(helped[name], 0)
        np.testing.assert_allclose(alone[name], base)


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


def test_platt_scaling_undoes_an_affine_map():
    rng = np.random.default_rng(2)
    z = rng.normal(0, 2, size=50_000)
    y = (rng.random(len(z)) < 1 / (1 + np.exp(-z))).astype(int)
    a, b = platt((z + 1) * 4, y)
    assert a == pytest.approx(1 / 4, rel=0.03)
    assert b == pytest.approx(-1, abs=0.05)


def test_mean_cost_by_hand():
    assert mean_cost(np.array([2.0, 1.0, -1.0, 0.0]), np.array([1, 0, 1, 0]), 0.5, 7.0) == 2.0  # 7 and 1, of 4
    assert mean_cost(np.array([0.5]), np.array([0]), 0.5, 7.0) == 7.0  # a score at the threshold is stopped


def test_folds_are_dealt_evenly():
    found = folds(11, 4, np.random.default_rng(0))
    assert sorted(np.bincount(found)) == [2, 3, 3, 3]


def test_out_of_fold_learns_from_the_other_folds(bag):
    X, fold = bag.transform(TEXTS), np.array([0, 1, 0, 1, 0, 1])
    found = out_of_fold(X, LABELS, 0.5, fold)
    train, own = [1, 3, 5], [0, 2, 4]
    known = np.flatnonzero(X[train].sum(axis=0))
    peer = PeerNB(alpha=0.5, class_prior=[2 / 3, 1 / 3]).fit(X[train][:, known], LABELS[train])
    joint = peer.predict_joint_log_proba(X[own][:, known])
    np.testing.assert_allclose(found[own], joint[:, 1] - joint[:, 0], rtol=1e-9, atol=1e-12)


def test_the_judge_sees_the_test_part_only():
    """Words that tell the class nine times in ten, each in a group of its own: the log odds need no repair."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, size=3000)
    told = np.where(rng.random(3000) < 0.9, y, 1 - y)
    X = sparse.csr_array(np.column_stack([told, 1 - told]).astype(float))
    parts = list(splits(3000, 2 / 3, 2, seed=0))
    found = judge(X, y, 1.0, parts, [1.0, 5.0], np.random.default_rng(0))
    assert found.cost.shape == found.ham_stopped.shape == found.spam_passed.shape == (2, 2, 3)
    costs = np.array([1.0, 5.0])[:, None]
    np.testing.assert_allclose(1000 * found.cost, costs * found.ham_stopped + found.spam_passed)
    assert found.slope == pytest.approx(1, abs=0.1)
    assert found.log_loss == pytest.approx(-0.9 * np.log(0.9) - 0.1 * np.log(0.1), abs=0.05)
    assert found.cost[:, 0] == pytest.approx(0.1, abs=0.03)
    for k, (_, test) in enumerate(parts):
        assert found.ham_stopped[k, 0, 0] == np.sum(told[test][y[test] == 0])
    rows = summary(found, [1.0, 5.0], 2000, 1000)
    assert [row[0] for row in rows[:3]] == ["log loss", "cost 1: hams stopped", "cost 1: spams let through"]
    mean, half = resampled_interval(found.log_loss[:, 0] - found.log_loss[:, 1], 2000, 1000)
    assert rows[0][4] == f"{mean:+.3f} ± {half:.3f}".replace("-", "−")


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


def test_two_messages_word_by_word():
    words, counts, w = ["free", "home", "now"], [np.array([1, 5, 2]), np.array([4, 0, 2])], np.array([1.5, -2.25, 0.5])
    header, rows = word_by_word(["Free now", "now home now"], words, counts, -1.0, w)
    assert header == ["", "in ham", "in spam", "*Free now*", "*now home now*"]
    assert rows == [
        ["prior", "", "", "−1.00", "−1.00"],
        ["*free*", "1", "4", "+1.50", ""],
        ["*now*", "2", "2", "+0.50", "+1.00"],
        ["*home*", "5", "0", "", "−2.25"],
        ["**sum**", "", "", "**+1.00**", "**−2.25**"],
    ]


def test_worst_errors_are_the_extremes(bag):
    X = bag.transform(TEXTS)
    model = MultinomialNB(alpha=0.5).fit(X, LABELS)
    h = log_odds(model, X)
    ham, spam = worst_errors(model, X, LABELS, TEXTS, bag.words_)
    assert ham.text == TEXTS[2 + int(h[2:].argmax())]
    assert spam.text == TEXTS[int(h[:2].argmin())]
    assert ham.reasons.total == pytest.approx(h[2:].max())


def test_progress_counts_each_message_once(bag):
    X, y = bag.transform(TEXTS * 5), np.tile(LABELS, 5)
    found = progress(X, y, 0.3, edges=(0, 4, 12), orders=2, rng=np.random.default_rng(0))
    assert found.judged.tolist() == [8, 16]
    assert found.sizes.tolist() == [4, 12]
    assert found.all_ham == pytest.approx(1 / 3)
    again, wrong, batch = np.random.default_rng(0), 0, 0
    for _ in range(2):
        order = again.permutation(30)
        run = prequential(X[order[:12]], y[order[:12]], 0.3, prior_alpha=1.0)
        wrong += run.wrong.sum()
        batch += np.mean(run.model.predict(X[order[12:]]) != y[order[12:]]) / 2
    assert found.wrong.sum() == wrong
    assert found.batch[-1] == pytest.approx(batch)


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


def test_negative_binomial_is_scipys():
    counts, rate, shape = np.arange(12.0)[:, None], np.array([2.5]), np.array([0.7])
    expected = nbinom.logpmf(counts[:, 0], 0.7, 0.7 / (0.7 + 2.5))
    np.testing.assert_allclose(log_probability(counts, rate, shape)[:, 0], expected, rtol=1e-12)


def test_moments_of_the_negative_binomial():
    drawn = np.random.default_rng(0).negative_binomial(2.0, 0.4, size=(200_000, 1)).astype(float)
    rate, shape = fit_by_moments(drawn, 0.1)
    assert rate[0] == pytest.approx(3.0, rel=0.02)
    assert shape[0] == pytest.approx(2.0, rel=0.05)
    even = np.tile([1.0, 2.0], 50)[:, None]  # less spread than a Poisson count: taken for one
    rate, shape = fit_by_moments(even, 0.0)
    np.testing.assert_allclose(log_probability(even, rate, shape), poisson.logpmf(even, 1.5), atol=1e-5)
    assert np.isfinite(fit_by_moments(np.zeros((5, 1)), 0.1)).all()


def test_ratio_favours_the_class_of_the_counts():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 300)
    counts = np.column_stack([rng.poisson(1 + 3 * y), rng.poisson(2.0, 600)]).astype(float)
    ratio = log_ratio(counts, y, counts, 0.1)
    assert np.mean((ratio > 0) == y) > 0.8
    np.testing.assert_allclose(log_ratio(counts, 1 - y, counts, 0.1), -ratio)


def test_relatives_share_half_of_their_joint_words():
    X = sparse.csr_array(np.array([[1, 1, 1, 0, 0], [2, 1, 0, 0, 0], [1, 0, 0, 1, 1], [0, 0, 0, 1, 1]]))
    assert templates.relatives(X).tolist() == [
        [False, True, False, False],
        [True, False, False, False],
        [False, False, False, True],
        [False, False, True, False],
    ]


def test_recall_of_known_and_new_spam():
    words = np.eye(8, dtype=int)
    old, new, ham = words[0] + words[1], words[4], words[6] + words[7]
    X, y = sparse.csr_array(np.array([old, old + words[2], ham, ham, old, new, ham])), np.array([1, 1, 0, 0, 1, 1, 0])
    train, test = np.arange(4), np.arange(4, 7)
    share, found = templates.recall(X, y, [(train, test)], 0.1)
    assert share == 3 / 4
    assert found.with_relative == 0.5
    assert found.known == 1.0
    assert found.new == 0.0  # a word that training has not seen leaves the prior, and a tie delivers the message
