"""Words that come back, the ladder, linear classifiers of many classes, temperatures, and documents with bursts."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import dirichlet_multinomial
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import log_loss as peer_log_loss
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import ComplementNB as PeerComplementNB
from sklearn.naive_bayes import MultinomialNB as PeerMultinomialNB
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC as PeerLinearSVC

from course.studies.corpus import Corpus
from course.studies.poor_assumptions import published, recurrence, study, urn
from course.studies.poor_assumptions.bursts import BurstyClasses
from course.studies.poor_assumptions.dealt import POSTS_OF_A_SET, dealt_anew
from course.studies.poor_assumptions.ladder import STEPS, best_alpha, held_out, ladder
from course.studies.poor_assumptions.linear import best_penalty, one_against_rest
from course.studies.poor_assumptions.temperature import best_temperature, tempered
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


# --- words that come back ---

SIX_POSTS = (  # group, thread, author, first window, second window
    ("hockey", "detroit", "ann", "goal ice", "goal red"),
    ("hockey", "detroit", "bob", "ice red", "ice goal"),
    ("hockey", "detroit", "ann", "goal goal", "ice red"),
    ("hockey", "boston", "ann", "goal red", "goal ice"),
    ("space", "moon", "cid", "ice goal", "ice ice"),
    ("space", "mars", "ann", "goal red", "red red"),
)


@pytest.fixture
def posts():
    def post(group, thread, author, first, second):
        return recurrence.Post(group, (group, thread), author, Counter(first.split()), Counter(second.split()))

    return [post(*each) for each in SIX_POSTS]


def test_pairs_by_looking_at_every_window(posts):
    found = recurrence.pairs(posts, 1, 10)
    rows = [(p, word) for p, post in enumerate(posts) for word in sorted(post.first)]
    np.testing.assert_array_equal(found.post, [p for p, _ in rows])
    for row, (p, word) in enumerate(rows):
        here = posts[p]
        of = [
            [q for q in posts if q.group != here.group],
            [q for q in posts if q.group == here.group and q is not here],
            [q for q in posts if q.group == here.group and q.author == here.author and q.thread != here.thread],
            [q for q in posts if q.thread == here.thread and q.author != here.author],
            [q for q in posts if q.thread == here.thread and q.author == here.author and q is not here],
            [here],
        ]
        expected = [np.mean([word in q.second for q in windows]) if windows else np.nan for windows in of]
        np.testing.assert_allclose(found.again[row], expected, err_msg=f"{p} {word}")
        others = [q.first + q.second for q in of[recurrence.SAME_GROUP]]
        assert found.beta[row] == pytest.approx(sum(c[word] for c in others) / sum(c.total() for c in others))
        assert found.count[row] == here.first[word]


def test_pairs_of_words_that_are_neither_rare_nor_common(posts):
    """Only goal is in all six posts, and in five of them it is in the first window."""
    assert len(recurrence.pairs(posts, 6, 6).beta) == 5
    assert len(recurrence.pairs(posts, 1, 5).beta) == len(recurrence.pairs(posts, 1, 6).beta) - 5


def test_a_post_sent_twice_is_no_other_post(posts):
    twice = [*posts[:1], posts[0], *posts[1:]]
    found, once = (recurrence.pairs(each, 1, 10).again[0, recurrence.SAME_BOTH] for each in (twice, posts))
    assert found == once


def test_comparable_pairs_have_every_level_and_keep_their_threads(posts):
    everything = recurrence.pairs(posts, 1, 10)
    kept = everything.comparable()
    finite = np.isfinite(everything.again).all(axis=1)
    assert 0 < finite.sum() < len(finite)
    np.testing.assert_array_equal(kept.again, everything.again[finite])
    same_thread = everything.thread[finite][:, None] == everything.thread[finite]
    np.testing.assert_array_equal(kept.thread[:, None] == kept.thread, same_thread)
    np.testing.assert_allclose(kept.means(), kept.again.mean(axis=0))


def test_intervals_resample_threads():
    """A hundred threads, all pairs of a thread alike: as uncertain as a hundred tosses, not as a thousand."""
    rng = np.random.default_rng(5)
    tosses = rng.random((100, len(recurrence.LEVELS))) < 0.3
    thread = np.repeat(np.arange(100), 10)
    nothing = np.zeros(1000)
    alike = recurrence.Pairs(tosses[thread].astype(float), nothing, nothing.astype(int), thread, thread)
    low, high = alike.intervals(rng, draws=2000)
    p = alike.means()
    np.testing.assert_allclose(high - low, 2 * 1.96 * np.sqrt(p * (1 - p) / 100), rtol=0.12)
    assert (low < p).all()
    assert (p < high).all()


def test_windows_of_a_post():
    words = list("abacdae")
    assert recurrence.two_windows(words, 3) == (Counter(a=2, b=1), Counter(c=1, d=1, a=1))
    assert recurrence.two_windows(words, 4) is None


def test_posts_by_group_thread_and_author(monkeypatch):
    text = "From: {}\nSubject: {}\n\n{}\n\n--\nsigned"
    said = "one two three four\n> quoted five six"
    letters = [
        text.format("Ann <ann@here.org>", "Re: RE: Ice", said),
        text.format("ann@here.org (Ann)", "ice", said),
        text.format("Bob", "Red", "too short"),
    ]
    part = type("Part", (), {"X": letters, "y": np.array([3, 3, 4])})
    none = type("Part", (), {"X": [], "y": np.array([], dtype=int)})
    monkeypatch.setattr(recurrence.datasets, "load", lambda _: type("Data", (), {"train": part, "test": none}))
    first, second = recurrence.usenet_posts(2)
    assert first == second
    assert first[:3] == (3, (3, "ice"), "ann@here.org")
    assert first[3:] == (Counter(one=1, two=1), Counter(three=1, four=1))


# --- the urn ---


def _urn(shares, length, concentration, rng):
    words = []
    for i in range(length):
        new = rng.random() < concentration / (concentration + i)
        words.append(rng.choice(len(shares), p=shares) if new else words[rng.integers(i)])
    return words


def test_chance_of_again_in_drawn_documents():
    rng, shares, window = np.random.default_rng(6), np.array([0.1, 0.2, 0.7]), 3
    again = {}
    for _ in range(6000):
        words = _urn(shares, 2 * window, 4.0, rng)
        again.setdefault(words[:window].count(0), []).append(0 in words[window:])
    for count in (0, 1, 2):
        p = urn.chance_of_again(4.0, shares[0], count, window)
        assert abs(np.mean(again[count]) - p) < 5 * np.sqrt(p * (1 - p) / len(again[count])), count


def test_without_copies_the_urn_draws_independently():
    share = np.array([1e-4, 0.01, 0.3])
    np.testing.assert_allclose(urn.chance_of_again(1e9, share, 2, 50), 1 - (1 - share) ** 50, rtol=1e-4)


def test_concentration_is_found_again():
    rng = np.random.default_rng(7)
    share, count = rng.uniform(0, 0.01, 300), rng.integers(1, 4, 300)
    again = np.zeros((300, len(recurrence.LEVELS)))
    again[:, recurrence.SAME_POST] = urn.chance_of_again(250.0, share, count, 50)
    pairs = recurrence.Pairs(again, share, count, count, count)
    assert urn.concentration_of(pairs, 50) == pytest.approx(250, rel=1e-6)


# --- words dealt anew ---


@pytest.fixture
def written():
    """Two classes, three sets of posts: words 0 and 1 go together, words 2 and 3 come in bursts."""
    rng = np.random.default_rng(8)
    y = np.repeat([0, 1], [2 * POSTS_OF_A_SET, POSTS_OF_A_SET])
    together = rng.random(len(y)) < 0.5
    X = np.column_stack([together, together, rng.geometric(0.3, len(y)) - 1, 5 * (rng.random(len(y)) < 0.3), y + 1])
    return sparse.csr_array(X.astype(float)), y


@pytest.mark.parametrize("bursts", [False, True])
def test_dealing_keeps_the_words_of_each_class(written, bursts):
    X, y = written
    dealt = dealt_anew(X, y, np.random.default_rng(9), bursts=bursts)
    assert dealt.shape == X.shape
    for label in (0, 1):
        np.testing.assert_array_equal(dealt[y == label].sum(axis=0), X[y == label].sum(axis=0))
    assert (dealt != X).nnz > 0


def test_dealing_keeps_bursts_or_takes_them_apart(written):
    X, y = written
    whole, single = (dealt_anew(X, y, np.random.default_rng(10), bursts=b).toarray() for b in (True, False))
    for label in (0, 1):
        here = y == label
        np.testing.assert_array_equal(np.sort(whole[here], axis=0), np.sort(X.toarray()[here], axis=0))
    burst = X.toarray()[:, 3]
    assert single[:, 3].var() < 0.6 * burst.var()
    assert set(np.unique(whole[:, 3])) == {0.0, 5.0}


def test_dealing_separates_words_that_go_together(written):
    X, y = written
    assert np.corrcoef(X.toarray()[:, :2].T)[0, 1] == pytest.approx(1)
    for bursts in (True, False):
        dealt = dealt_anew(X, y, np.random.default_rng(11), bursts=bursts).toarray()
        within = [np.corrcoef(dealt[y == label, :2].T)[0, 1] for label in (0, 1)]
        assert np.abs(within).max() < 0.4


def test_words_are_dealt_among_posts_of_about_the_same_length(written):
    """One set has short posts only, and keeps them short."""
    X, y = written
    length = X.sum(axis=1)
    dealt = dealt_anew(X, y, np.random.default_rng(12), bursts=True).sum(axis=1)
    assert np.corrcoef(length[y == 0], dealt[y == 0])[0, 1] > 0.5


def test_a_post_without_words_stays_empty():
    X = sparse.csr_array(np.array([[0.0, 0], [1, 1], [2, 0]]))
    dealt = dealt_anew(X, np.zeros(3, dtype=int), np.random.default_rng(13), bursts=False)
    assert dealt[[0]].sum() == 0
    np.testing.assert_array_equal(dealt.sum(axis=0), [3, 1])


# --- the study ---


@pytest.fixture
def small(monkeypatch, drawn):
    """The study, with the same small corpus for every collection."""
    monkeypatch.setattr(study, "corpus", lambda _: drawn)
    return study.Study(0, [0.1, 1.0], [0.3, 1.0], [0.03, 0.1])


def test_a_climb_is_measured_on_test_documents(small, drawn):
    climb = small.climbs["r8"]
    rungs = ladder(drawn)
    for way in (study.ONE, study.CHOSEN):
        for step in STEPS:
            alpha = 1.0 if way == study.ONE else climb.alpha[step]
            assert climb.accuracy(way)[step] == np.mean(rungs[step].predictions(alpha) == drawn.y_test)
        steps = sum(gain.mean for gain in climb.gains(way).values())
        assert climb.whole(way).mean == pytest.approx(steps)
    best = max(climb.accuracy(study.CHOSEN).values())
    assert climb.lead(np.ones(len(drawn.y_test), dtype=bool)).mean == pytest.approx(1 - best)


def test_temperatures_come_from_documents_held_out(small, drawn):
    climb = small.climbs["newsgroups"]
    inner = climb.inner["idf"].corpus
    assert (len(inner.y_train), len(inner.y_test)) == (53, 27)
    model = MultinomialNB(alpha=climb.alpha["idf"]).fit(inner.X_train, inner.y_train)
    expected = best_temperature(model.predict_joint_log_proba(inner.X_test), inner.y_test)
    assert small.temperatures["idf"] == pytest.approx(expected)
    raw, cool = small.sureness["idf"]
    assert raw.loss.mean() == pytest.approx(peer_log_loss(drawn.y_test, np.exp(raw.log_posterior)))
    np.testing.assert_array_equal(raw.log_posterior.argmax(axis=1), cool.log_posterior.argmax(axis=1))
    assert small.sureness_of_logistic.loss.shape == drawn.y_test.shape


def test_the_variant_of_real_posts_is_that_of_the_held_out_scores(small):
    scores, y = small.held_out_scores("multinomial")
    accuracy, confidence, temperature, svm = small.variants["real posts"]
    assert accuracy == np.mean(scores.argmax(axis=1) == y)
    assert confidence == pytest.approx(np.exp(tempered(scores, 1.0)).max(axis=1).mean())
    assert temperature == pytest.approx(small.temperatures["multinomial"])
    features = small.climbs["newsgroups"].inner["unit length"].corpus
    l2 = small.linear["newsgroups"][study.SVM].fitted.l2
    peer = OneVsRestClassifier(PeerLinearSVC(C=1 / (2 * l2), intercept_scaling=1e3, tol=1e-8, max_iter=100_000))
    assert abs(svm - peer.fit(features.X_train, features.y_train).score(features.X_test, y)) < 0.05


def test_a_reading_of_the_joint_probabilities_is_that_of_the_step(small, drawn):
    found = small.read(lambda model, X: model.predict_joint_log_proba(X), "idf")
    raw, cool = small.sureness["idf"]
    expected = (small.climbs["newsgroups"].accuracy(study.CHOSEN)["idf"], raw.loss.mean(), small.temperatures["idf"])
    assert found == pytest.approx((*expected, cool.loss.mean()))


def test_a_temperature_for_each_post_divides_its_scores_by_its_length(small, drawn):
    X = small.climbs["newsgroups"].rungs["log counts"].corpus.X_test.toarray()
    length = np.linalg.norm(X, axis=1)
    s = small.scores("log counts") / np.where(length > 0, length, 1)[:, None]  # an empty post stays as it is
    assert (length == 0).any()
    found = small.per_post["log counts"]
    assert found.accuracy == np.mean(s.argmax(axis=1) == drawn.y_test)
    posterior = np.exp(tempered(s, found.temperature))
    assert found.cool_loss == pytest.approx(peer_log_loss(drawn.y_test, posterior))
    same = small.per_post["unit length"]
    assert same.temperature == pytest.approx(small.temperatures["unit length"])


def test_co_occurrence_without_bursts_counts_every_word_of_a_post_once(small):
    climb = small.climbs["newsgroups"]
    inner = climb.inner["multinomial"].corpus
    train, test = ((X.toarray() > 0).astype(float) for X in (inner.X_train, inner.X_test))
    peer = PeerMultinomialNB(alpha=climb.alpha["multinomial"]).fit(train, inner.y_train)
    variant = small.variants["co-occurrence"]
    assert variant.accuracy == pytest.approx(peer.score(test, inner.y_test))
    assert variant.confidence == pytest.approx(peer.predict_proba(test).max(axis=1).mean())


def test_accuracies_beside_published_ones(monkeypatch, drawn):
    monkeypatch.setattr(published, "pooled", lambda _: drawn)
    monkeypatch.setattr(published, "MIN_POSTS", (1, 5))
    found = published.on_random_splits(0, 2, l2=1.0)
    first = drawn.shuffled(np.random.default_rng([0, 4, 0]))
    assert found.ends.shape == (2, 2)
    assert found.common[1] == tuple(found.ends[0])
    assert found.ends[0, 0] == np.mean(ladder(first)["multinomial"].predictions(1.0) == first.y_test)
    unit = [normalize(X.toarray()) for X in (drawn.X_train, drawn.X_test)]
    peer = PeerLinearSVC(C=0.5, intercept_scaling=1e3, tol=1e-8, max_iter=100_000).fit(unit[0], drawn.y_train)
    assert abs(published.svm_on_plain_counts(drawn, 1.0) - peer.score(unit[1], drawn.y_test)) < 0.05
