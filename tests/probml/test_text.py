"""Bags of words against scikit-learn's counts."""

import re
from collections import defaultdict
from functools import partial
from itertools import count, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer

from probml.text import BagOfWords, bag_of_words, tokens, word_lookup
from probml.text.grams import distinct
from probml.text.tokens import number_tokens

TEXTS = ["The cat sat on the mat", "", "A dog, a cat and the DOG", "mat mat mat"]


WORDS = r"\w+"
SKLEARN = r"(?u)\b\w\w+\b"
PATTERNS = [WORDS, SKLEARN, r"\b\w\w+\b", r"(\w)\w*", r"[ab ]+", r"a*", r"\S+"]
# Letters and digits of one to four bytes, a capital that becomes two characters (İ), a final sigma, a combining mark,
# a lone surrogate, characters below the space, words around the 8 and 16 bytes at which the look-up cuts.
TEXT = st.lists(
    st.one_of(
        st.text("abAB é,1_", max_size=12),
        st.text("aİiΣς\u0301漢ß²\x00\x1f\n\ud800𝒜 ", max_size=8),
        st.sampled_from([" ", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnopq", "abcdefghijklmnopr"]),
        st.text(max_size=4),
    ),
    max_size=6,
).map("".join)
TEXTS_OF_A_CORPUS = st.lists(TEXT, min_size=1, max_size=6)
NGRAM_RANGES = st.sampled_from([(1, 1), (1, 2), (2, 2)])


def assert_same_matrix(found, expected):
    expected.sort_indices()
    assert found.shape == expected.shape
    assert (found.dtype, found.indices.dtype) == (np.int64, np.int32)
    assert found.has_canonical_format
    np.testing.assert_array_equal(found.indptr, expected.indptr)
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_array_equal(found.data, expected.data)


def peer_of(bag):
    return CountVectorizer(**bag.get_params())


@settings(max_examples=120, deadline=None)
@given(
    TEXTS_OF_A_CORPUS,
    TEXTS_OF_A_CORPUS,
    st.fixed_dictionaries(
        {
            "lowercase": st.booleans(),
            "token_pattern": st.sampled_from(PATTERNS),
            "stop_words": st.sampled_from([None, ["a", "ab", "é"]]),
            "ngram_range": NGRAM_RANGES,
            "binary": st.booleans(),
            "min_df": st.sampled_from([1, 2, 0.0, 0.3, 1.0]),
            "max_df": st.sampled_from([1.0, 0.7, 0.5, 1, 3]),
        }
    ),
)
@pytest.mark.filterwarnings("ignore:.*stop_words may be inconsistent")
def test_same_matrix_as_count_vectorizer(texts, others, options):
    bag = BagOfWords(**options)
    peer = peer_of(bag)
    try:
        expected = peer.fit_transform(texts)
    except ValueError:
        with pytest.raises(ValueError, match="no word is left"):
            bag.fit(texts)
        return
    assert_same_matrix(bag.fit_transform(texts), expected)
    assert list(bag.words_) == list(peer.get_feature_names_out())
    assert bag.vocabulary_ == peer.vocabulary_
    assert_same_matrix(bag.transform(texts), expected)
    assert_same_matrix(bag.transform(others), peer.transform(others))
    assert_same_matrix(clone(bag).fit(texts).transform(others), peer.transform(others))


@pytest.mark.parametrize(("texts", "others"), [(["a1b"], ["ab a"]), ([" 1ab"], ["  ab"]), (["a  b"], ["a1 b", "b"])])
def test_a_word_with_spaces_that_is_the_name_of_a_pair(texts, others):
    bag = BagOfWords(token_pattern="[ab ]+", ngram_range=(1, 2))
    peer = peer_of(bag)
    assert_same_matrix(bag.fit_transform(texts), peer.fit_transform(texts))
    assert_same_matrix(bag.transform(others), peer.transform(others))


@pytest.mark.parametrize("pattern", [r"\w+", r"(?:[a-z]+)", r"\b\w{2,}\b", "[A-Za-z']+", r"\d+|\w+"])
def test_patterns_known_to_match_no_space(pattern):
    assert bag_of_words.WITHOUT_SPACES.fullmatch(pattern)


@pytest.mark.parametrize("pattern", ["[ab ]+", r"\S+ ?", ".+", "[^a]+", r"\W+", "[!-z]+", r"\s+", "a b", "[\x1f-z]"])
def test_patterns_that_may_match_a_space(pattern):
    assert not bag_of_words.WITHOUT_SPACES.fullmatch(pattern)


@settings(max_examples=60, deadline=None)
@given(
    TEXTS_OF_A_CORPUS,
    st.lists(
        st.sampled_from(["a", "b", "ab", "a b", "b a", "a b a", " a", "a ", "é", "漢", "1 ab"]), min_size=1, unique=True
    ),
    NGRAM_RANGES,
    st.sampled_from(PATTERNS),
    st.sampled_from([None, ["b"]]),
)
@pytest.mark.filterwarnings("ignore:.*stop_words may be inconsistent")
def test_given_vocabulary_counts_as_count_vectorizer(texts, vocabulary, ngram_range, token_pattern, stop_words):
    texts = [*texts, "a b a ab", "b  a"]
    bag = BagOfWords(vocabulary=vocabulary, ngram_range=ngram_range, token_pattern=token_pattern, stop_words=stop_words)
    assert_same_matrix(bag.fit_transform(texts), peer_of(bag).fit_transform(texts))
    assert list(bag.words_) == vocabulary


@settings(max_examples=100, deadline=None)
@given(TEXTS_OF_A_CORPUS, st.sampled_from([WORDS, SKLEARN, r"[a-z]+", r"\S+"]), st.booleans())
@example(["a\0 a \0 \0a", "a \0\0 b\x1cb\x85c\xa0d", "\ud800 a"], r"\S+", True)
@example(["\u212aelvin AND Kelvin, \u0130stanbul", "aZz[`{@b"], r"[a-z]+", True)
def test_runs_of_word_characters_are_the_matches_of_the_pattern(texts, token_pattern, lowercase):
    numbers = defaultdict(count().__next__)
    found = number_tokens(texts, partial(map, numbers.__getitem__), token_pattern=token_pattern, lowercase=lowercase)
    words = list(numbers)
    expected = [re.findall(token_pattern, text.lower() if lowercase else text) for text in texts]
    assert [
        [words[number] for number in found.numbers[start:stop]] for start, stop in pairwise(found.bounds)
    ] == expected


def test_every_word_is_looked_up_when_it_is_first_met():
    """Also those of a single byte, of which one looks like an empty slot with a 1 in it."""
    lookup = word_lookup.WordLookup(lambda names: [ord(name) for name in names], shortest=1)
    words = [chr(code) for code in range(1, 128) if not chr(code).isspace()]
    for _ in range(2):
        numbers, before = lookup(" ".join(words).encode())
        assert numbers.tolist() == [ord(word) for word in words]
        assert before.tolist() == list(range(0, 2 * len(words), 2))


@pytest.mark.parametrize("options", [{}, {"ngram_range": (1, 2)}, {"token_pattern": r"(?u)\b\w\w+\b"}])
def test_corpora_of_many_chunks(options, monkeypatch):
    """Words are looked up a chunk at a time: those of earlier chunks are known then, and others are new."""
    rng = np.random.default_rng(0)
    words = ["a", "an", "cat", "Dog", "naïve", "eightlet", "ninelette", "abcdefghijklmnop", "abcdefghijklmnopqrstuvw"]
    texts = [" ".join(rng.choice(words[: 1 + i // 4], rng.integers(0, 9))) for i in range(40)]
    peer = peer_of(BagOfWords(**options))
    expected = peer.fit_transform(texts)
    assert_same_matrix(BagOfWords(**options).fit_transform(texts), expected)
    monkeypatch.setattr(tokens, "CHUNK", 60)  # characters
    monkeypatch.setattr(tokens, "BLOCK", 5)  # words, of which the counts are sorted at a time; some texts have more
    bag = BagOfWords(**options)
    assert_same_matrix(bag.fit_transform(texts), expected)
    assert bag.words_.tolist() == peer.get_feature_names_out().tolist()


def test_look_up_is_exact_when_all_words_share_a_slot(monkeypatch):
    monkeypatch.setattr(word_lookup, "MIX", np.uint64(0))
    texts = ["cat dog cat cat abcdefghijklmnop", "dog cat abcdefghijklmnop abcdefghijklmnopq cat"]
    assert_same_matrix(BagOfWords().fit_transform(texts), peer_of(BagOfWords()).fit_transform(texts))


@settings(max_examples=50, deadline=None)
@given(TEXTS_OF_A_CORPUS, NGRAM_RANGES, st.integers(1, 5), st.integers(1, 2))
def test_max_features_keeps_the_most_frequent(texts, ngram_range, max_features, min_df):
    try:
        whole = BagOfWords(ngram_range=ngram_range, min_df=min_df)
        counts = whole.fit_transform(texts).toarray()
    except ValueError:
        return
    most = sorted(whole.words_, key=lambda word: (-counts[:, whole.vocabulary_[word]].sum(), word))[:max_features]
    bag = BagOfWords(ngram_range=ngram_range, min_df=min_df, max_features=max_features)
    found = bag.fit_transform(texts)
    assert list(bag.words_) == sorted(most)
    np.testing.assert_array_equal(found.toarray(), counts[:, [whole.vocabulary_[word] for word in sorted(most)]])
    np.testing.assert_array_equal(bag.transform(texts).toarray(), found.toarray())


def test_max_features_of_a_binary_bag_are_those_of_most_documents():
    assert list(BagOfWords(binary=True, max_features=1).fit(["b b b a", "a"]).words_) == ["a"]
    assert list(BagOfWords(max_features=1).fit(["b b b a", "a"]).words_) == ["b"]


def test_unknown_words_break_a_pair_and_stop_words_do_not():
    bag = BagOfWords(ngram_range=(2, 2), stop_words=["the"]).fit(["cat the mat"])
    assert list(bag.words_) == ["cat mat"]
    assert bag.transform(["cat mat", "cat the mat", "cat unseen mat", "cat", ""]).toarray().ravel().tolist() == [
        1,
        1,
        0,
        0,
        0,
    ]


@pytest.mark.parametrize("largest", [5, 10**9, 2**62])  # the last does not fit beside a position in 63 bits
def test_distinct_numbers_and_their_places(largest):
    numbers = np.random.default_rng(0).integers(0, largest, 200, endpoint=True)
    numbers = np.concatenate([numbers, numbers[::3], [0, largest]])
    found, place = distinct(numbers)
    np.testing.assert_array_equal(found, sorted(set(numbers.tolist())))
    np.testing.assert_array_equal(found[place], numbers)
    assert len(distinct(numbers[:0])[0]) == len(distinct(numbers[:0])[1]) == 0


def test_pairs_do_not_cross_documents():
    assert list(BagOfWords(ngram_range=(2, 2)).fit(["a b", "", "c", "d e"]).words_) == ["a b", "d e"]


def test_documents_may_be_an_iterator():
    bag = BagOfWords()
    expected = bag.fit_transform(TEXTS).toarray()
    np.testing.assert_array_equal(bag.fit_transform(iter(TEXTS)).toarray(), expected)
    np.testing.assert_array_equal(bag.transform(text for text in TEXTS).toarray(), expected)
    assert bag.transform([]).shape == (0, len(bag.words_))


def test_stop_words_and_unseen_words():
    bag = BagOfWords(stop_words=["the", "a"], min_df=2)
    assert list(bag.fit(TEXTS).words_) == ["cat", "mat"]
    np.testing.assert_array_equal(bag.transform(["unseen", "cat unseen cat"]).toarray(), [[0, 0], [2, 0]])
    assert list(bag.get_feature_names_out()) == ["cat", "mat"]


def test_given_vocabulary_keeps_its_order():
    bag = BagOfWords(vocabulary=["mat", "cat"])
    np.testing.assert_array_equal(bag.fit_transform(TEXTS).toarray(), [[1, 1], [0, 0], [0, 1], [3, 0]])


@pytest.mark.parametrize(
    ("options", "texts", "error", "message"),
    [
        ({}, "one text", TypeError, "received one str"),
        ({}, ["text", None], TypeError, "document 1 is NoneType"),
        ({}, ["", "!"], ValueError, "no word is left"),
        ({}, [], ValueError, "no word is left of 0 found"),
        ({"stop_words": ["text"]}, ["text"], ValueError, "no word is left"),
        ({"ngram_range": (2, 2)}, ["one", "two"], ValueError, "no word is left"),
        ({"min_df": 0}, TEXTS, ValueError, "min_df. parameter .* Got 0"),
        ({"min_df": 1.5}, TEXTS, ValueError, "min_df. parameter .* Got 1.5"),
        ({"min_df": float("nan")}, TEXTS, ValueError, "min_df. parameter .* Got nan"),
        ({"min_df": "2"}, TEXTS, ValueError, "min_df. parameter .* Got '2'"),
        ({"max_df": 0}, TEXTS, ValueError, "max_df. parameter .* Got 0"),
        ({"max_df": 1.5}, TEXTS, ValueError, "max_df. parameter .* Got 1.5"),
        ({"max_df": 1, "min_df": 2}, TEXTS, ValueError, "no word is left of .* min_df=2, max_df=1"),
        ({"max_features": 0}, TEXTS, ValueError, "max_features. parameter .* Got 0"),
        ({"max_features": 1.0}, TEXTS, ValueError, "max_features. parameter .* Got 1.0"),
        ({"ngram_range": (2, 1)}, TEXTS, ValueError, r"ngram_range .* received \(2, 1\)"),
        ({"ngram_range": (0, 1)}, TEXTS, ValueError, r"ngram_range .* received \(0, 1\)"),
        ({"ngram_range": [1, 2]}, TEXTS, ValueError, r"ngram_range. parameter .* Got \[1, 2\]"),
        ({"ngram_range": 2}, TEXTS, ValueError, "ngram_range. parameter .* Got 2"),
        ({"vocabulary": []}, TEXTS, ValueError, "empty"),
        ({"vocabulary": ["a", "a"]}, TEXTS, ValueError, "Duplicate term in vocabulary: .a."),
        ({"stop_words": "german"}, TEXTS, ValueError, "stop_words. parameter .*'english'.* Got 'german'"),
        (
            {"stop_words": {"the": 1}},
            TEXTS,
            ValueError,
            "stop_words. parameter .* 'list' or None. Got {'the': 1}",
        ),
        ({"vocabulary": {"cat": 1}}, TEXTS, ValueError, "size 1 doesn.t contain index 0"),
        ({"vocabulary": {"cat": 0, "dog": 0}}, TEXTS, ValueError, "repeated indices"),
        ({"vocabulary": 5}, TEXTS, ValueError, "vocabulary. parameter .* Got 5"),
        ({"analyzer": "letter"}, TEXTS, ValueError, "analyzer. parameter .* Got 'letter'"),
        ({"strip_accents": "latin"}, TEXTS, ValueError, "strip_accents. parameter .* Got 'latin'"),
        ({"input": "url"}, TEXTS, ValueError, "input. parameter .* Got 'url'"),
        ({"token_pattern": r"(a)(b)"}, TEXTS, ValueError, "More than 1 capturing group"),
    ],
)
def test_bad_input(options, texts, error, message):
    with pytest.raises(error, match=message):
        BagOfWords(**options).fit(texts)


def test_transform_before_fit():
    with pytest.raises(NotFittedError):
        BagOfWords().transform(TEXTS)
    with pytest.raises(NotFittedError):
        BagOfWords().get_feature_names_out()


def test_capitals_are_folded_by_default():
    assert BagOfWords().fit_transform(["Dog dog DOG"]).toarray().tolist() == [[3]]
    assert BagOfWords(lowercase=False, vocabulary=["Dog"]).fit_transform(["Dog dog DOG"]).toarray().tolist() == [[1]]


def test_a_table_is_no_list_of_documents():
    for table in (np.array([["a b"], ["c"]]), pd.DataFrame({"text": ["a b", "c"]})):
        with pytest.raises(TypeError, match=r"received a table of shape \(2, 1\): pass its column of texts"):
            BagOfWords().fit(table)


def test_words_that_differ_in_one_byte_only():
    """Of up to 20 bytes, met one after the other, twice."""
    words = ["a" * before + letter + "a" * after for before in range(20) for after in (0, 2) for letter in "bc"]
    numbers = {word: number for number, word in enumerate(words)}
    lookup = word_lookup.WordLookup(lambda names: [numbers[name] for name in names], shortest=1)
    for word in words * 2:
        found, _ = lookup(word.encode())
        assert found.tolist() == [numbers[word]]
