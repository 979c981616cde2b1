"""Properties of words, by hand."""

import pytest

from course.teaching.word_properties import count_properties

SPAM = "Your diploma puts a UUNIVERSITY JOB PLACEMENT COUNSELOR at your disposal."
WELL_SPELT = ["your", "diploma", "puts", "a", "university", "job", "placement", "Counselor", "at", "disposal"]


def test_properties_of_the_words_of_a_message():
    found = count_properties([SPAM, "", "Sooo2 MP3 a_b ǅ 漢漢 WwW x² A"], WELL_SPELT)
    # capital, all capitals, a number, a long run, misspelt
    assert found.tolist() == [[5, 4, 0, 0, 1], [0] * 5, [5, 1, 3, 2, 3]]


def test_every_word_counts_as_often_as_it_stands():
    assert count_properties(["Cat cat Cat", "cat"], ["cat"])[:, 0].tolist() == [2, 0]


@pytest.mark.parametrize("dictionary", [[], "cat"])
def test_a_dictionary_is_a_list_of_words(dictionary):
    with pytest.raises(ValueError, match="dictionary must be a list or set of well-spelt words, received"):
        count_properties(["a"], dictionary)
