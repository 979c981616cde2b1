"""Features of texts: counts, words, properties of words."""

from course.equations.entry import Holds, check


def no_case(rng):
    """The texts are fixed: nothing is random."""
    return {}


@check("D12", "enumeration", no_case)
def words_that_are_there():
    words = ["A", "sentimental", "mess"]
    meaning = [words.count(word) for word in ("A", "mess", "sentimental", "true")]
    formula = [1, 1, 1, 0]
    return Holds(meaning, formula)


@check("D13", "enumeration", no_case)
def properties_that_are_there():
    words, dictionary = ["Your", "diploma", "a", "UUNIVERSITY", "JOB"], {"your", "diploma", "a", "university", "job"}
    tests = (
        lambda word: word.lower() not in dictionary,
        str.isupper,
        lambda word: word == "diploma",
        lambda word: word == "mess",
    )
    meaning = [int(any(map(test, words))) for test in tests]
    formula = [1, 1, 1, 0]
    return Holds(meaning, formula)
