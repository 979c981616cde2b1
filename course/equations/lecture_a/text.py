"""Multinomial naive Bayes: the model of a document, inference, learning, smoothing, the example of five documents."""

from fractions import Fraction
from math import prod

import mpmath

from course.equations.cases import fixed
from course.equations.counting import argmax, joint_of_class_and_tally, normalised, probability_of_tally, tallies, tally
from course.equations.entry import Conditional, Holds, check
from course.equations.estimates import most_likely, posterior_mean
from course.equations.lecture_a.cases import corpus, text_model

CLASSES = range(3)
WORDS = range(3)
DOCUMENTS = tallies(4, 3)  # the counts of all documents of four words


def power_product(beta, x):
    return prod(b**n for b, n in zip(beta, x, strict=True))


@check("A14b", "fractions", corpus)
def words_one_by_one_and_by_their_counts(words, y, pi, beta):
    meaning = [prod(beta[k][w] for w in document) for document, k in zip(words, y, strict=True)]
    formula = [prod(beta[k][n] ** document.count(n) for n in WORDS) for document, k in zip(words, y, strict=True)]
    return Holds(meaning, formula)


@check("A16a", "enumeration", text_model)
def most_probable_class_from_the_joint(pi, beta):
    joint = joint_of_class_and_tally(pi, beta, 4)
    meaning = [argmax(normalised([joint[j, x] for j in CLASSES])) for x in DOCUMENTS]
    formula = [argmax([joint[j, x] for j in CLASSES]) for x in DOCUMENTS]
    return Holds(meaning, formula)


@check("A16b", "enumeration", text_model)
def joint_of_class_and_counts(pi, beta):
    joint = joint_of_class_and_tally(pi, beta, 4)
    meaning = [argmax([joint[j, x] for j in CLASSES]) for x in DOCUMENTS]
    formula = [argmax([probability_of_tally(x, beta[j]) * pi[j] for j in CLASSES]) for x in DOCUMENTS]
    return Holds(meaning, formula)


@check("A16c", "enumeration", text_model)
def most_probable_class_from_the_product(pi, beta):
    meaning = [argmax([probability_of_tally(x, beta[j]) * pi[j] for j in CLASSES]) for x in DOCUMENTS]
    formula = [argmax([power_product(beta[j], x) * pi[j] for j in CLASSES]) for x in DOCUMENTS]
    return Holds(meaning, formula)


@check("A16d", "50 digits", text_model)
def most_probable_class_from_the_sum_of_logarithms(pi, beta):
    meaning = [argmax([power_product(beta[j], x) * pi[j] for j in CLASSES]) for x in DOCUMENTS]
    log = mpmath.log
    formula = [
        argmax([sum(x[n] * log(beta[j][n]) for n in WORDS) + log(pi[j]) for j in CLASSES])
        for x in ([int(k) for k in counts] for counts in DOCUMENTS)
    ]
    x, unseen = (2, 0), (mpmath.mpf(1), mpmath.mpf(0))
    without = (log(power_product(unseen, x)), sum(k * log(b) for k, b in zip(x, unseen, strict=True)))
    return Conditional(meaning, formula, without)


@check("A17a", "50 digits", corpus)
def logarithm_of_the_likelihood(words, y, pi, beta):
    joint = [pi[k] * probability_of_tally(tally(w, 3), beta[k]) for w, k in zip(words, y, strict=True)]
    meaning = mpmath.log(mpmath.fprod(joint))
    formula = sum(mpmath.log(each) for each in joint)
    return Holds(meaning, formula)


@check("A17b", "50 digits", corpus)
def likelihood_of_documents_and_classes(words, y, pi, beta):
    data = list(zip([tally(w, 3) for w in words], y, strict=True))
    joint = {length: joint_of_class_and_tally(pi, beta, length) for length in (2, 3)}
    meaning = sum(mpmath.log(joint[sum(x)][k, x]) for x, k in data)
    formula = sum(mpmath.log(probability_of_tally(x, beta[k]) * pi[k]) for x, k in data)
    return Holds(meaning, formula)


@check("A17c", "50 digits", corpus)
def log_likelihood_of_the_corpus(words, y, pi, beta):
    data = list(zip(words, y, strict=True))
    log = mpmath.log
    meaning = sum(log(pi[k] * prod(beta[k][w] for w in document)) for document, k in data)
    formula = sum(sum(document.count(n) * log(beta[k][n]) for n in WORDS) + log(pi[k]) for document, k in data)
    document, half = (0, 1), [mpmath.mpf("0.5")] * 2
    counts = log(probability_of_tally(tally(document, 2), half))
    return Conditional(meaning, formula, without=(counts, sum(log(half[w]) for w in document)))


def counts_of_class(words, y, j):
    """Counts of the three words in all documents of class j."""
    return tally([w for document, k in zip(words, y, strict=True) if k == j for w in document], 3)


@check("A19a", "enumeration", corpus)
def most_likely_words_of_a_class(words, y, pi, beta):
    def likelihood(j):
        written = [w for document, k in zip(words, y, strict=True) if k == j for w in document]
        return len(written), lambda p: prod(p[w] for w in written)

    meaning = [most_likely(3, *likelihood(j)) for j in (0, 1)]
    x = [tally(document, 3) for document in words]
    formula = [
        [
            sum(x_d[n] for x_d, y_d in zip(x, y, strict=True) if y_d == j)
            / sum(sum(x_d) for x_d, y_d in zip(x, y, strict=True) if y_d == j)
            for n in WORDS
        ]
        for j in (0, 1)
    ]
    return Holds(meaning, formula)


@check("A19b", "enumeration", corpus)
def most_likely_frequencies_of_classes(words, y, pi, beta):
    meaning = most_likely(2, 4 * len(y), lambda p: prod(p[k] for k in y))
    size = Fraction(len(y))
    formula = [sum(y_d == j for y_d in y) / size for j in (0, 1)]
    return Holds(meaning, formula)


@check("A20a", "enumeration", corpus)
def unseen_word_is_most_likely_impossible(words, y, pi, beta):
    seen = [w for document in words for w in document if w != 2]
    meaning = most_likely(3, len(seen), lambda p: prod(p[w] for w in seen))
    x = tally(seen, 3)
    formula = [*[x[n] / sum(x) for n in (0, 1)], 0]
    return Holds(meaning, formula)


@check("A20b", "enumeration", text_model)
def one_unseen_word_rules_a_class_out(pi, beta):
    beta = [beta[0], beta[1], [beta[2][0] + beta[2][1], 0, beta[2][2]]]
    documents = [x for x in DOCUMENTS if x[1] > 0]
    meaning = [[*normalised([probability_of_tally(x, beta[j]) for j in (0, 1)]), 0] for x in documents]
    formula = [normalised([power_product(beta[j], x) for j in CLASSES]) for x in documents]
    return Holds(meaning, formula)


@check("A21", "fractions", corpus)
def add_one_is_the_posterior_mean_under_a_flat_prior(words, y, pi, beta):
    counts = [counts_of_class(words, y, j) for j in (0, 1)]
    N = len(WORDS)
    meaning = [posterior_mean(x) for x in counts]
    formula = [[(x[n] + 1) / (sum(x) + N) for n in WORDS] for x in counts]
    return Holds(meaning, formula)


@check("A22", "fractions", corpus)
def smoothed_estimates_sum_to_one(words, y, pi, beta):
    counts = [counts_of_class(words, y, j) for j in (0, 1)]
    N = len(WORDS)
    meaning = [1, 1]
    formula = [sum((x[n] + 1) / (sum(x) + N) for n in WORDS) for x in counts]
    return Holds(meaning, formula)


TRAINING = {
    "c": ["Chinese Beijing Chinese", "Chinese Chinese Shanghai", "Chinese Macao"],
    "j": ["Tokyo Japan Chinese"],
}
TEST = "Chinese Chinese Chinese Tokyo Japan"
VOCABULARY = ["Chinese", "Beijing", "Shanghai", "Macao", "Tokyo", "Japan"]


def learned(label):
    """Smoothed probabilities of the six words in the documents of a class."""
    written = " ".join(TRAINING[label]).split()
    return posterior_mean([written.count(word) for word in VOCABULARY])


def score(label):
    """Prior times the probabilities of the words of the test document, one by one."""
    documents = sum(len(each) for each in TRAINING.values())
    beta = dict(zip(VOCABULARY, learned(label), strict=True))
    return Fraction(len(TRAINING[label]), documents) * prod(beta[word] for word in TEST.split())


@check("A23a", "fractions", fixed)
def words_of_class_c():
    reduced = [Fraction(3, 7), Fraction(1, 7), Fraction(1, 7), Fraction(1, 7), Fraction(1, 14), Fraction(1, 14)]
    one, none = Fraction(1 + 1, 8 + 6), Fraction(1, 8 + 6)
    formula = [Fraction(5 + 1, 8 + 6), one, one, one, none, none]
    return Holds([learned("c")] * 2, [formula, reduced])


@check("A23b", "fractions", fixed)
def words_of_class_j():
    reduced = [Fraction(k, 9) for k in (2, 1, 1, 1, 2, 2)]
    none = Fraction(1, 3 + 6)
    formula = [Fraction(1 + 1, 3 + 6), none, none, none, Fraction(1 + 1, 3 + 6), Fraction(1 + 1, 3 + 6)]
    return Holds([learned("j")] * 2, [formula, reduced])


@check("A23c", "enumeration", fixed)
def frequencies_of_the_classes():
    labels = [label for label, documents in TRAINING.items() for _ in documents]
    meaning = most_likely(2, 4 * len(labels), lambda p: prod(p["cj".index(label)] for label in labels))
    formula = [Fraction(3, 4), Fraction(1, 4)]
    return Holds(meaning, formula)


def rounded(value):
    return f"{float(value):.4f}"


@check("A24a", "fractions", fixed)
def score_of_class_c():
    formula = Fraction(3, 4) * Fraction(3, 7) ** 3 * Fraction(1, 14) * Fraction(1, 14)
    return Holds([score("c"), rounded(score("c"))], [formula, "0.0003"])


@check("A24b", "fractions", fixed)
def score_of_class_j():
    formula = Fraction(1, 4) * Fraction(2, 9) ** 3 * Fraction(2, 9) * Fraction(2, 9)
    return Holds([score("j"), rounded(score("j"))], [formula, "0.0001"])


@check("A24c", "fractions", fixed)
def class_of_the_test_document():
    posterior = dict(zip("cj", normalised([score("c"), score("j")]), strict=True))
    meaning = "c" if posterior["c"] > Fraction(1, 2) else "j"
    formula = "c"
    return Holds(meaning, formula)
