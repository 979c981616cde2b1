"""Corpora, sweeps and telling words, on counts small enough to check by hand."""

import numpy as np
import pytest
from scipy import sparse

from course.studies.corpus import Corpus, corpus, pooled
from course.studies.naive_bayes_newsgroups.absent_words import accuracy_smoothed_apart
from course.studies.naive_bayes_newsgroups.telling_words import telling_words
from course.studies.sweeps import by_alpha, by_vocabulary, held_out_accuracy
from probml import datasets
from probml.naive_bayes import BernoulliNB, MultinomialNB
from probml.text import mutual_information


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
    alphas = [0.1, 1.0]
    expected = [
        MultinomialNB(alpha=a).fit(small.X_train, small.y_train).score(small.X_test, small.y_test) for a in alphas
    ]
    np.testing.assert_array_equal(by_alpha(MultinomialNB, small, alphas), expected)

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
