"""Features of texts: counts, words, properties of words."""

from course.equations.entry import Holds, Lecture

lecture = Lecture("D")


def no_case(rng):
    """The texts are fixed: nothing is random."""
    return {}


lecture.definition(
    "D10",
    "slide *Discrete features*",
    r"\mathbf x = [0; 0; 1; \dots; 0; 10; 0]",
    "P4",
    "an example of counts",
)
lecture.definition(
    "D11",
    "slide *Features 1: sparse bag-of-words features*, display 1",
    r"\boldsymbol\phi(\mathbf x) = [\phi_{\text{word:A}}(\mathbf x); \dots; \phi_{\text{word:sentimental}}(\mathbf x); \phi_{\text{word:mess}}(\mathbf x); \dots]",
    "P4",
)


@lecture.holds(
    "D12",
    "slide *Features 1: sparse bag-of-words features*, display 2",
    r"\boldsymbol\phi(\text{A sentimental mess}) = [\underbrace1_{\text{A}}; \dots; \underbrace1_{\text{mess}}; \underbrace1_{\text{sentimental}}; 0]",
    "P4",
    method="enumeration",
    case=no_case,
)
def words_that_are_there():
    words = ["A", "sentimental", "mess"]
    meaning = [words.count(word) for word in ("A", "mess", "sentimental", "true")]
    formula = [1, 1, 1, 0]
    return Holds(meaning, formula)


@lecture.holds(
    "D13",
    "slide *Features 2: sparse word properties*",
    r"\boldsymbol\phi(\mathbf x) = [\underbrace1_{\text{misspelling}}; \dots; \underbrace1_{\text{capital}}; \underbrace1_{\text{word:diploma}}; 0]",
    "P4",
    "the check has five of the words of the message: Your, diploma, a, UUNIVERSITY, JOB",
    method="enumeration",
    case=no_case,
)
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
