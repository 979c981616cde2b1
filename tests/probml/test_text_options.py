"""The options that a bag of words shares with CountVectorizer, against it and by hand."""

import io
import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from probml.text import BagOfWords

TEXTS = ["The cat sat on the mat", "", "A dog, a cat and the DOG", "mat mat mat"]
CAFE = "Ein Café,  ein\tCAFÉ: straße №1"


def reversed_words(text):
    return [word[::-1] for word in text.split()]


def without_vowels(text):
    return re.sub("[aeiou]", "", text)


TEXT = st.lists(
    st.one_of(
        st.text("abAB é,1_  \t\n", max_size=12),
        st.text("aİiΣς\u0301漢ß²\x1f\n\u0130𝒜Å ", max_size=8),
        st.sampled_from([" ", "the", "THE cat", "cafe\u0301", "ab ab ab"]),
    ),
    max_size=6,
).map("".join)
CORPUS = st.lists(TEXT, min_size=1, max_size=5)
OPTIONS = st.fixed_dictionaries(
    {
        "analyzer": st.sampled_from(["word", "char", "char_wb", str.split]),
        "ngram_range": st.tuples(st.integers(1, 4), st.integers(0, 3)).map(lambda pair: (pair[0], sum(pair))),
        "lowercase": st.booleans(),
        "strip_accents": st.sampled_from([None, "ascii", "unicode", without_vowels]),
        "preprocessor": st.sampled_from([None, without_vowels]),
        "tokenizer": st.sampled_from([None, reversed_words]),
        "token_pattern": st.sampled_from([r"\w+", r"(?u)\b\w\w+\b", r"(\w)\w*"]),
        "stop_words": st.sampled_from([None, ["a", "ab"], "english"]),
        "max_df": st.sampled_from([1.0, 0.7, 2]),
        "min_df": st.sampled_from([1, 0.3, 2]),
        "max_features": st.sampled_from([None, 3]),
        "binary": st.booleans(),
        "dtype": st.sampled_from([np.int64, np.int32, np.float32, np.float64]),
    }
)


def same(found, expected):
    expected.sort_indices()
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found.toarray(), expected.toarray())


@settings(max_examples=250, deadline=None)
@given(CORPUS, CORPUS, OPTIONS)
@pytest.mark.filterwarnings("ignore")
def test_same_matrix_as_count_vectorizer_with_any_options(texts, others, options):
    bag, peer = BagOfWords(**options), CountVectorizer(**options)
    for text in others:
        assert list(bag.build_analyzer()(text)) == list(peer.build_analyzer()(text))
    try:
        # ours breaks ties between words by the alphabet, theirs by the sorting algorithm
        expected = peer.set_params(max_features=None).fit_transform(texts)
    except ValueError:
        with pytest.raises(ValueError, match="no word is left"):
            bag.fit(texts)
        return
    if options["max_features"] is None:
        same(bag.fit_transform(texts), expected)
        vocabulary = peer.vocabulary_
    else:
        totals = np.asarray(expected.sum(axis=0)).ravel()
        most = sorted(peer.vocabulary_, key=lambda word: (-totals[peer.vocabulary_[word]], word))[:3]
        vocabulary = {word: column for column, word in enumerate(sorted(most))}
        bag.fit(texts)
    assert bag.vocabulary_ == vocabulary
    given_vocabulary = CountVectorizer(**options | {"vocabulary": vocabulary})
    same(bag.transform(others), given_vocabulary.transform(others))
    same(BagOfWords(**options | {"vocabulary": vocabulary}).transform(others), given_vocabulary.transform(others))
    same(pickle.loads(pickle.dumps(bag)).transform(others), given_vocabulary.transform(others))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, ["ein", "café", "ein", "café", "straße", "1"]),
        ({"lowercase": False}, ["Ein", "Café", "ein", "CAFÉ", "straße", "1"]),
        ({"strip_accents": "ascii"}, ["ein", "cafe", "ein", "cafe", "strae", "No1"]),
        ({"strip_accents": "unicode"}, ["ein", "cafe", "ein", "cafe", "straße", "No1"]),
        ({"strip_accents": without_vowels}, ["n", "cfé", "n", "cfé", "strß", "1"]),
        ({"preprocessor": without_vowels}, ["En", "Cfé", "n", "CAFÉ", "strß", "1"]),
        ({"tokenizer": str.split}, ["ein", "café,", "ein", "café:", "straße", "№1"]),
        ({"stop_words": ["ein"], "ngram_range": (4, 9)}, ["café café straße 1"]),
        ({"analyzer": str.split}, ["Ein", "Café,", "ein", "CAFÉ:", "straße", "№1"]),
    ],
)
def test_words_by_hand(options, words):
    assert BagOfWords(**options).build_analyzer()(CAFE) == words


@pytest.mark.parametrize(
    ("analyzer", "ngram_range", "grams"),
    [
        ("char", (1, 1), ["a", "b", " ", "c"]),
        ("char", (3, 9), ["ab ", "b c", "ab c"]),
        ("char", (5, 5), []),
        ("char_wb", (1, 1), [" ", "a", "b", " ", " ", "c", " "]),
        ("char_wb", (3, 9), [" ab", "ab ", " ab ", " c "]),
        ("char_wb", (5, 6), [" ab ", " c "]),
    ],
)
def test_characters_by_hand(analyzer, ngram_range, grams):
    assert BagOfWords(analyzer=analyzer, ngram_range=ngram_range).build_analyzer()("AB \n c") == grams


def test_limits_of_document_frequency():
    texts = ["a b c", "a b", "a", "d"]  # a in 3, b in 2, c and d in 1 of 4
    for limits, words in [
        ({"max_df": 2}, "bcd"),
        ({"max_df": 0.5}, "bcd"),
        ({"max_df": 0.49}, "cd"),
        ({"max_df": 1.0}, "abcd"),
        ({"max_df": 1}, "cd"),
        ({"max_df": 2, "min_df": 2}, "b"),
        ({"max_df": 0.5, "min_df": 0.5}, "b"),
    ]:
        assert list(BagOfWords(**limits).fit(texts).words_) == list(words), limits


@pytest.mark.parametrize(
    "vocabulary",
    [
        {"cat": 1, "mat": 0, "the": 2},
        {"the": np.int64(2), "mat": np.int64(0), "cat": np.int64(1)},
        ["mat", "cat", "the"],
        ("mat", "cat", "the"),
        np.array(["mat", "cat", "the"]),
        iter(["mat", "cat", "the"]),
    ],
    ids=["dict", "numpy", "list", "tuple", "array", "iterator"],
)
@pytest.mark.parametrize("ngram_range", [(1, 1), (1, 2), (1, 3)])
def test_vocabulary_in_any_form(vocabulary, ngram_range):
    if iter(vocabulary) is vocabulary:
        vocabulary = iter(["mat", "cat", "the"])  # each test needs its own
    bag = BagOfWords(vocabulary=vocabulary, ngram_range=ngram_range).fit(TEXTS)
    assert list(bag.words_) == ["mat", "cat", "the"]
    assert bag.vocabulary_ == {"mat": 0, "cat": 1, "the": 2}
    assert bag.transform(TEXTS).toarray().tolist() == [[1, 1, 2], [0, 0, 0], [0, 1, 1], [3, 0, 0]]


def test_a_set_as_vocabulary_is_in_alphabetical_order():
    assert list(BagOfWords(vocabulary={"the", "mat", "cat"}).get_feature_names_out()) == ["cat", "mat", "the"]


def test_a_given_vocabulary_needs_no_fit():
    bag = BagOfWords(vocabulary=["mat", "the cat"], ngram_range=(1, 2))
    assert clone(bag).transform(TEXTS).toarray().tolist() == [[1, 1], [0, 0], [0, 0], [3, 0]]
    assert [list(words) for words in clone(bag).inverse_transform([[1, 0], [2, 3]])] == [["mat"], ["mat", "the cat"]]
    assert list(clone(bag).get_feature_names_out()) == ["mat", "the cat"]
    assert bag.fit([]).fixed_vocabulary_
    assert not BagOfWords().fit(TEXTS).fixed_vocabulary_
    learned = BagOfWords()
    for ask in (learned.get_feature_names_out, lambda: learned.inverse_transform([[1]])):
        with pytest.raises(NotFittedError):
            ask()


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, sparse.csc_array, sparse.coo_array])
def test_inverse_transform(container):
    bag = BagOfWords(ngram_range=(1, 3))
    counts = bag.fit_transform(TEXTS)
    found = bag.inverse_transform(container(counts.toarray()))
    assert [list(words) for words in found] == [sorted(set(bag.build_analyzer()(text))) for text in TEXTS]


def test_english_stop_words():
    bag = BagOfWords(stop_words="english")
    assert bag.get_stop_words() == ENGLISH_STOP_WORDS
    assert BagOfWords().get_stop_words() is None
    assert BagOfWords(stop_words=["a", "b", "a"]).get_stop_words() == {"a", "b"}
    assert list(bag.fit(TEXTS).words_) == ["cat", "dog", "mat", "sat"]


def test_documents_in_bytes_and_in_files(tmp_path):
    texts = ["Zürich liegt am See", "am See"]
    plain = BagOfWords(ngram_range=(1, 2), strip_accents="unicode")
    expected = plain.fit_transform(texts)
    files = []
    for number, text in enumerate(texts):
        files.append(tmp_path / f"{number}.txt")
        files[-1].write_bytes(text.encode("latin-1"))
    latin = clone(plain).set_params(encoding="latin-1")
    same(latin.fit_transform([text.encode("latin-1") for text in texts]), expected)
    same(clone(latin).set_params(input="filename").fit_transform(files), expected)
    for open_file in (lambda file: io.BytesIO(file.read_bytes()), lambda file: io.StringIO(file.read_text("latin-1"))):
        bag = clone(latin).set_params(input="file")
        same(bag.fit_transform(map(open_file, files)), expected)
    with pytest.raises(UnicodeDecodeError):
        BagOfWords().fit([texts[0].encode("latin-1")])
    ignored = BagOfWords(decode_error="ignore").fit([texts[0].encode("latin-1")])
    assert list(ignored.words_) == ["am", "liegt", "see", "zrich"]


def test_documents_that_are_no_texts():
    documents = [{"text": "cat mat"}, {"text": "cat"}]
    for options in (
        {"preprocessor": lambda document: document["text"]},
        {"preprocessor": lambda document: document["text"], "analyzer": "char_wb", "ngram_range": (5, 5)},
        {"analyzer": lambda document: document["text"].split()},
    ):
        found = BagOfWords(**options).fit_transform(documents)
        assert found.toarray().tolist() == [[1, 1], [1, 0]]
    pairs = BagOfWords(analyzer=lambda pairs: pairs).fit([[(1, 2), (0, 3)], [(1, 2)]])
    assert list(pairs.words_) == [(0, 3), (1, 2)]
    assert pairs.transform([[(1, 2), (1, 2), (5, 5)]]).toarray().tolist() == [[0, 2]]


def test_steps_that_a_subclass_builds_are_used():
    class Stemmed(BagOfWords):
        def build_analyzer(self):
            analyze = super().build_analyzer()
            return lambda document: [word.rstrip("s") for word in analyze(document)]

    class Upper(BagOfWords):
        def build_preprocessor(self):
            return str.upper

    class Split(BagOfWords):
        def build_tokenizer(self):
            return str.split

    assert list(Stemmed(stop_words=["the"]).fit(["the cats, the cat"]).words_) == ["cat"]
    assert list(Upper(ngram_range=(1, 2)).fit(["a cat"]).words_) == ["A", "A CAT", "CAT"]
    assert list(Split(ngram_range=(1, 2)).fit(["a, cat"]).words_) == ["a,", "a, cat", "cat"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"stop_words": ["you've", "you", "AND"]},
            r"inconsistent .* generated tokens \['and', 've'\]",
        ),
        ({"vocabulary": ["cat", "Dog"]}, "vocabulary has 'Dog', which lowercase=True never finds"),
        (
            {"tokenizer": str.split, "token_pattern": "cat"},
            "'token_pattern' will not be used since 'tokenizer'",
        ),
        ({"analyzer": "char", "token_pattern": "cat"}, "'token_pattern' will not be used since 'analyzer' != 'word'"),
        ({"analyzer": "char", "stop_words": ["a"]}, "'stop_words' will not be used since 'analyzer' != 'word'"),
        ({"analyzer": "char_wb", "tokenizer": str.split}, "'tokenizer' will not be used since 'analyzer' != 'word'"),
        ({"analyzer": str.split, "ngram_range": (1, 2)}, "'ngram_range' will not be used since 'analyzer' is callable"),
        (
            {"analyzer": str.split, "preprocessor": str.lower},
            "'preprocessor' will not be used since 'analyzer'",
        ),
    ],
)
def test_options_that_do_not_what_they_seem_to(options, message):
    with pytest.warns(UserWarning, match=message):
        BagOfWords(**options).fit(TEXTS)


def test_options_that_need_no_warning():
    """Warnings are errors here."""
    BagOfWords(stop_words=["and"], preprocessor=lambda document: document["text"]).fit([{"text": "a"}])
    BagOfWords(tokenizer=str.split).fit(TEXTS)
    BagOfWords(tokenizer=str.split, token_pattern=None).fit(TEXTS)
    BagOfWords(analyzer="char", token_pattern=None).fit(TEXTS)
    BagOfWords(preprocessor=str.upper, vocabulary=["CAT"]).fit(TEXTS)
    BagOfWords(lowercase=False, vocabulary=["Cat"], stop_words=["The"]).fit(TEXTS)


@pytest.mark.parametrize(
    "options", [{}, {"ngram_range": (1, 2)}, {"strip_accents": "unicode"}, {"preprocessor": str.upper}, {"max_df": 2}]
)
def test_words_and_pairs_by_a_pattern_keep_the_quick_way(options, monkeypatch):
    def slow(*_):
        raise AssertionError("one document after another")

    monkeypatch.setattr("probml.text.bag_of_words.number_features", slow)
    BagOfWords(**options).fit(TEXTS).transform(TEXTS)
    with pytest.raises(AssertionError, match="one document after another"):
        BagOfWords(**options | {"ngram_range": (1, 3)}).fit(TEXTS)


def test_built_steps_can_be_pickled():
    bag = BagOfWords(strip_accents="unicode", ngram_range=(1, 2))
    for build in (bag.build_analyzer, bag.build_preprocessor, bag.build_tokenizer):
        assert pickle.loads(pickle.dumps(build()))(CAFE) == build()(CAFE)


RANGES = [(1, 1), (1, 2), (2, 2), (1, 3), (2, 3)]


@pytest.mark.parametrize("later", RANGES)
@pytest.mark.parametrize("first", RANGES)
def test_n_grams_of_another_range_than_that_of_fit(first, later):
    """The vocabulary is that of fit, and what is counted that of the options as they are."""
    documents = ["a cat and a dog", "the cat and a dog eat", "a dog"]
    ours = BagOfWords(ngram_range=first).fit(documents).set_params(ngram_range=later)
    peer = CountVectorizer(token_pattern=r"\w+", ngram_range=first).fit(documents).set_params(ngram_range=later)
    np.testing.assert_array_equal(ours.transform(documents).toarray(), peer.transform(documents).toarray())
