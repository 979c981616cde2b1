"""Corpora, sweeps over pseudo-counts and telling words, on counts small enough to check by hand.

Without this, the note on newsgroups could tune on its test part, or compare vocabularies that differ by accident.
"""

import numpy as np
import pytest
from scipy import sparse

from course import datasets
from course.studies.corpus import Corpus, corpus, pooled
from course.studies.naive_bayes_newsgroups import families, figures
from course.studies.naive_bayes_newsgroups.absent_words import accuracy_smoothed_apart
from course.studies.naive_bayes_newsgroups.discussions import clustered_half_width, discussions
from course.studies.naive_bayes_newsgroups.equal_text import accuracy_with_equal_text
from course.studies.naive_bayes_newsgroups.lengths import by_length
from course.studies.naive_bayes_newsgroups.random_splits import on_random_splits
from course.studies.naive_bayes_newsgroups.telling_words import telling_words
from course.studies.naive_bayes_newsgroups.tuning import MODELS, by_one_standard_error, cross_validated, deal, tune
from course.studies.sweeps import by_vocabulary, held_out_accuracy
from course.teaching.mutual_information import mutual_information
from probml.metrics import confusion_matrix
from probml.naive_bayes import BernoulliNB, MultinomialNB


@pytest.fixture
def small():
    """Word c tells the class, word b half of it, word a nothing."""
    X_train = np.array([[1, 1, 0], [2, 0, 0], [1, 1, 3], [1, 1, 1], [0, 0, 2]])
    X_test = np.array([[1, 0, 0], [1, 1, 2], [3, 1, 0]])
    words = np.array(["a", "b", "c"], dtype=object)
    y_train, y_test = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 0])
    return Corpus(sparse.csr_array(X_train), y_train, sparse.csr_array(X_test), y_test, words, ("n", "p"))


def test_corpus_counts_every_word_of_the_training_part():
    data, counted = datasets.load("r8"), corpus("r8")
    assert list(counted.words) == sorted({word for text in data.train.X for word in text.split()})
    assert counted.X_train.sum() == sum(len(text.split()) for text in data.train.X)
    known = set(counted.words)
    assert counted.X_test[0].sum() == sum(word in known for word in data.test.X[0].split())
    np.testing.assert_array_equal(counted.y_test, data.test.y)


def test_fewer_words(small):
    part = small.restricted_to(np.array([2, 0]))
    assert list(part.words) == ["a", "c"]
    np.testing.assert_array_equal(part.X_test.toarray(), small.X_test.toarray()[:, [0, 2]])
    assert list(small.without_rare_words(4).words) == ["a"]
    assert list(small.without_rare_words(3).words) == ["a", "b", "c"]


def test_shuffled_keeps_documents_with_their_labels(small):
    again = small.shuffled(np.random.default_rng(1))
    assert again.X_train.shape == small.X_train.shape  # each word still occurs in the training part

    def rows(c):
        X, y = sparse.vstack([c.X_train, c.X_test]).toarray(), np.append(c.y_train, c.y_test)
        return sorted(map(tuple, np.column_stack([X, y])))

    assert rows(again) == rows(small)
    assert not np.array_equal(again.X_train.toarray(), small.X_train.toarray())
    same = small.shuffled(np.random.default_rng(1))
    np.testing.assert_array_equal(again.X_train.toarray(), same.X_train.toarray())


def test_shuffled_with_another_share_for_training(small):
    again = small.shuffled(np.random.default_rng(1), 6)
    assert (len(again.y_train), len(again.y_test)) == (6, 2)
    for size in (0, 8):
        with pytest.raises(ValueError, match=f"{size} of 8 documents for training leave one of the parts empty"):
            small.shuffled(np.random.default_rng(1), size)


def test_a_random_split_has_every_word_of_its_training_part():
    data, both = datasets.load("r8"), pooled("r8")
    texts = [*data.train.X, *data.test.X]
    assert list(both.words) == sorted({word for text in texts for word in text.split()})
    train = np.random.default_rng(1).permutation(len(texts))[: len(data.train.X)]
    again = both.shuffled(np.random.default_rng(1))
    assert list(again.words) == sorted({word for row in train for word in texts[row].split()})
    assert again.X_train.sum() == sum(len(texts[row].split()) for row in train)
    first_words = pooled("r8", prepare=lambda text: text.split()[0])
    assert first_words.X_train.sum() == len(data.train.X)


def test_sweeps(small):
    ranking = np.argsort(-mutual_information(small.X_train, small.y_train), kind="stable")
    assert small.words[ranking[0]] == "c"
    found = by_vocabulary([MultinomialNB(), BernoulliNB()], small, [1, 3])
    only_c = small.restricted_to(np.array([2]))
    assert found.tolist() == [
        [held_out_accuracy(MultinomialNB(), only_c), held_out_accuracy(MultinomialNB(), small)],
        [held_out_accuracy(BernoulliNB(), only_c), held_out_accuracy(BernoulliNB(), small)],
    ]
    assert found[1, 0] == 1  # presence of c alone separates the classes; its count alone cannot
    assert found[0, 0] < 1
    with pytest.raises(ValueError, match="best 4 words, but the vocabulary has only 3"):
        by_vocabulary([MultinomialNB()], small, [4])


def test_telling_words_by_the_definition(small):
    model = MultinomialNB(alpha=0.5).fit(small.X_train, small.y_train)
    counts = np.array([[3, 1, 0], [2, 2, 6]]) + 0.5
    beta = counts / counts.sum(axis=1, keepdims=True)
    score = beta * np.log(beta / beta[::-1])  # with two classes the rest is the other class
    expected = [[small.words[n] for n in np.argsort(-row)] for row in score]
    assert telling_words(model, small.words, 3) == expected
    assert telling_words(model, small.words, 1) == [["a"], ["c"]]
    with pytest.raises(ValueError, match="alpha > 0"):
        telling_words(MultinomialNB(alpha=0).fit(small.X_train, small.y_train), small.words, 1)
    model.set_params(alpha=7)  # the words are those of the fitted model
    assert telling_words(model, small.words, 3) == expected


def test_smoothed_apart_with_equal_alphas_is_the_bernoulli_model():
    news = corpus("r8")
    for alpha in (0.01, 1.0):
        assert accuracy_smoothed_apart(news, alpha, alpha) == held_out_accuracy(BernoulliNB(alpha=alpha), news)
    assert accuracy_smoothed_apart(news, 0.01, 1.0) != accuracy_smoothed_apart(news, 1.0, 0.01)


ALPHAS = [0.01, 0.1, 1.0]


@pytest.fixture(scope="module")
def wires():
    """A few hundred newswire stories of three topics."""
    c = corpus("r8")
    kept = [np.flatnonzero(np.isin(y, (2, 4, 6)))[:400] for y in (c.y_train, c.y_test)]
    topics = np.array([0, 0, 0, 0, 1, 1, 2, 2])
    train, test = kept
    return Corpus(
        c.X_train[train], topics[c.y_train[train]], c.X_test[test], topics[c.y_test[test]], c.words, ("a", "b", "c")
    ).without_rare_words(1)


def test_cross_validation_is_that_of_a_loop_over_folds_and_alphas(wires):
    fold = deal(len(wires.y_train), 3, np.random.default_rng(1))
    assert set(np.bincount(fold) - len(fold) // 3) <= {0, 1}
    found = cross_validated(wires, ALPHAS, fold, [50])
    X, y = wires.X_train.toarray(), wires.y_train
    for i, model in enumerate(MODELS.values()):
        for k, alpha in enumerate(ALPHAS):
            right = np.zeros((2, len(y)), dtype=bool)
            for part in range(3):
                train, held_out = fold != part, fold == part
                seen = X[train].any(axis=0)
                ranking = np.argsort(-mutual_information(X[train][:, seen], y[train]), kind="stable")
                for s, columns in enumerate((np.flatnonzero(seen)[ranking[:50]], np.flatnonzero(seen))):
                    fitted = model(alpha=alpha).fit(X[train][:, columns], y[train])
                    right[s, held_out] = fitted.predict(X[held_out][:, columns]) == y[held_out]
            np.testing.assert_allclose(found[i, k], right.mean(axis=1))


def test_tuned_measures_on_the_test_part_with_the_alpha_of_the_training_part(wires):
    tuned = tune(wires, ALPHAS, np.random.default_rng(1), folds=3, sizes=[50])
    assert tuned.sizes.tolist() == [50, len(wires.words)]
    columns = np.argsort(-mutual_information(wires.X_train, wires.y_train), kind="stable")[:50]
    for name, model in MODELS.items():
        chosen = tuned.chosen(name)
        assert tuned.alpha(name) == ALPHAS[chosen[-1]]
        expected = [
            held_out_accuracy(model(alpha=ALPHAS[chosen[0]]), wires.restricted_to(columns)),
            held_out_accuracy(model(alpha=ALPHAS[chosen[1]]), wires),
        ]
        np.testing.assert_allclose(tuned.with_chosen(name), expected)
        assert tuned.with_alpha(name, 1.0)[-1] == pytest.approx(held_out_accuracy(model(alpha=1.0), wires))
    blind = Corpus(wires.X_train, wires.y_train, wires.X_test, wires.y_test[::-1], wires.words, wires.class_names)
    again = tune(blind, ALPHAS, np.random.default_rng(1), folds=3, sizes=[50])
    assert all((again.chosen(name) == tuned.chosen(name)).all() for name in MODELS)  # the test part has no say


def test_one_standard_error_rule_by_hand():
    # Of 100 documents: the standard error of 0.9 is 0.03, that of 0.5 is 0.05.
    accuracy = np.array([[0.86, 0.50], [0.90, 0.40], [0.88, 0.46], [0.869, 0.44]])
    assert by_one_standard_error(accuracy, 100).tolist() == [2, 2]
    assert by_one_standard_error(accuracy, 10_000).tolist() == [1, 0]
    assert by_one_standard_error(accuracy, 10).tolist() == [3, 3]


def test_random_splits_are_tuned_within_their_training_parts(wires):
    found = on_random_splits(wires, [50], ALPHAS, np.random.default_rng(2), n_splits=2, folds=3)
    rng = np.random.default_rng(2)
    drawn = [wires.shuffled(rng) for _ in range(2)]
    for k, split in enumerate(drawn):
        tuned = tune(split, ALPHAS, rng, folds=3)
        for name, model in MODELS.items():
            assert found.tuned[name][k] == pytest.approx(tuned.with_chosen(name)[-1])
            assert found.add_one[name][k, -1] == pytest.approx(held_out_accuracy(model(alpha=1.0), split))
    values = found.add_one["Bernoulli"]
    assert found.best_with_add_one("Bernoulli") == pytest.approx(values.mean(axis=0).max())
    at = values.mean(axis=0).argmax()
    assert found.spread_at_best("Bernoulli") == pytest.approx(abs(values[0, at] - values[1, at]))


def test_equal_text_changes_nothing_where_text_is_equal(small):
    X = sparse.csr_array(np.array([[2, 1, 0], [0, 1, 2]]))
    equal = Corpus(X, np.array([0, 1]), small.X_test, small.y_test, small.words, small.class_names)
    for alpha in (0.1, 1.0, 10.0):
        assert accuracy_with_equal_text(equal, alpha) == held_out_accuracy(MultinomialNB(alpha=alpha), equal)


def test_equal_text_takes_the_same_share_from_a_class_of_five_words_as_from_one_of_four_hundred():
    X_train = sparse.csr_array(np.array([[2, 3, 0], [0, 220, 180]]))
    X_test, words = sparse.csr_array(np.array([[0, 1, 0]])), np.array(["a", "b", "c"], dtype=object)
    c = Corpus(X_train, np.array([0, 1]), X_test, np.array([0]), words, ("few", "many"))
    assert 3 / 5 > 220 / 400  # the word b is more frequent in the class of few words
    assert (3 + 1) / (5 + 3) < (220 + 1) / (400 + 3)  # add-one smoothing turns that around
    assert held_out_accuracy(MultinomialNB(alpha=1.0), c) == 0
    assert accuracy_with_equal_text(c, 1.0) == 1


def test_families_of_the_twenty_groups():
    groups = datasets.load("newsgroups").class_names
    order = families.by_family(groups)
    assert sorted(order) == list(range(20))
    of = [families.family(groups[k]) for k in order]
    assert [of.count(name) for name in families.PREFIXES] == [5, 4, 4, 1, 3, 3]
    assert of == sorted(of, key=list(families.PREFIXES).index)
    pairs = 5 * 4 + 4 * 3 + 4 * 3 + 0 + 3 * 2 + 3 * 2
    assert families.within_families_by_chance(groups) == pytest.approx(pairs / (20 * 19))
    counts = np.diag(np.full(20, 7))
    cars, bikes, space = (groups.index(name) for name in ("rec.autos", "rec.motorcycles", "sci.space"))
    counts[cars, bikes], counts[cars, space] = 3, 1
    assert families.within_families(counts, groups) == 0.75
    assert families.errors(counts).sum() == 4


def test_by_length_of_ten_documents():
    length = np.array([10, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    p = np.linspace(0.55, 0.95, 10)
    y = np.array([0, 0, 0, 0, 1, 1, 0, 0, 1, 0])
    found = by_length(sparse.csr_array(length[:, None]), y, np.log(np.column_stack([p, 1 - p])))
    assert found.shortest.tolist() == [1, 3, 5, 7, 9]
    order = np.argsort(length)
    true = np.where(y == 0, p, 1 - p)[order].reshape(5, 2)
    np.testing.assert_allclose(found.confidence, p[order].reshape(5, 2).mean(axis=1))
    np.testing.assert_allclose(found.accuracy, (true > 0.5).mean(axis=1))
    np.testing.assert_allclose(found.log_loss, -np.log(true).mean(axis=1))


def test_figures_say_what_they_show(wires):
    tuned = tune(wires, ALPHAS, np.random.default_rng(1), folds=3, sizes=[20, 50])
    posterior = {
        name: model(alpha=tuned.alpha(name)).fit(wires.X_train, wires.y_train).predict_log_proba(wires.X_test)
        for name, model in MODELS.items()
    }
    parts = {name: by_length(wires.X_test, wires.y_test, log_p) for name, log_p in posterior.items()}
    counts = confusion_matrix(wires.y_test, posterior["multinomial"].argmax(axis=1), 3)
    groups = ["sci.med", "comp.graphics", "rec.autos"]
    pictures = [
        figures.accuracy_against_vocabulary(tuned),
        figures.accuracy_against_alpha(tuned),
        figures.confusion(counts, groups),
        figures.calibration(wires.y_test, {name: np.exp(log_p) for name, log_p in posterior.items()}),
        figures.confidence_and_length(parts),
    ]
    names = ["accuracy-against-vocabulary", "accuracy-against-alpha", "confusion", "calibration"]
    assert [picture.name for picture in pictures] == [*names, "confidence-and-length"]
    assert f"{tuned.with_alpha('Bernoulli', 1.0)[-1]:.3f}" in pictures[0].alt
    assert [label.get_text() for label in pictures[2].fig.axes[0].get_yticklabels()] == [
        "comp.graphics",
        "rec.autos",
        "sci.med",
    ]


def test_discussions_are_told_by_group_and_subject():
    posts = ["re re old bikes for sale now", "old bikes for everyone", "old bikes and sale", "old bikes for sale"]
    found = discussions(posts, np.array([0, 0, 0, 1]))
    assert found.tolist() == [0, 0, 1, 2]


def test_clustered_interval():
    rng = np.random.default_rng(0)
    values = rng.random(500)
    alone = clustered_half_width(values, np.arange(500))
    assert alone == pytest.approx(1.96 * values.std() / np.sqrt(500))
    # every value four times, in one cluster: as uncertain as the values themselves
    assert clustered_half_width(np.repeat(values, 4), np.repeat(np.arange(500), 4)) == pytest.approx(alone)
    sizes = rng.integers(1, 6, size=300)
    effect = rng.standard_normal((4000, 300))
    means = (effect * sizes).sum(axis=1) / sizes.sum()
    half = [clustered_half_width(np.repeat(row, sizes), np.repeat(np.arange(300), sizes)) for row in effect[:200]]
    assert np.mean(half) == pytest.approx(1.96 * means.std(), rel=0.05)
