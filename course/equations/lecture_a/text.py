"""Multinomial naive Bayes: the model of a document, inference, learning, smoothing, the example of five documents."""

from fractions import Fraction
from math import prod

import mpmath

from course.equations.cases import precise
from course.equations.counting import argmax, joint_of_class_and_tally, normalised, probability_of_tally, tallies, tally
from course.equations.entry import Conditional, Holds, Lecture
from course.equations.estimates import most_likely, posterior_mean
from course.equations.lecture_a.cases import corpus, fixed, text_model

lecture = Lecture("A")
CLASSES = range(3)
WORDS = range(3)
DOCUMENTS = tallies(4, 3)  # the counts of all documents of four words

MODELING = "slide *Now Come to Text Setting: Modeling*"
INFERENCE = "slide *Classification Process Assuming Parameters are Given: Inference*"
MLE = "slide *Parameter Estimation via MLE: Learning*"
SMOOTHING = "slide *Smoothing*"

lecture.definition("A13", MODELING, r"p(w_{di} \mid y) = \beta_{y w_{di}}", "N1")
lecture.definition("A14a", MODELING, r"p(\mathbf w_d \mid y) = \prod_i \beta_{y w_{di}}", "N1")


def power_product(beta, x):
    return prod(b**n for b, n in zip(beta, x, strict=True))


@lecture.holds(
    "A14b",
    MODELING,
    r"\prod_i \beta_{y w_{di}} = \prod_n \beta_{yn}^{x_{dn}}",
    "N1",
    method="fractions",
    case=corpus,
)
def words_one_by_one_and_by_their_counts(words, y, pi, beta):
    meaning = [prod(beta[k][w] for w in document) for document, k in zip(words, y, strict=True)]
    formula = [prod(beta[k][n] ** document.count(n) for n in WORDS) for document, k in zip(words, y, strict=True)]
    return Holds(meaning, formula)


lecture.definition("A15", MODELING, r"p(y = j) = \pi_j", "N1")


@lecture.holds(
    "A16a",
    INFERENCE,
    r"\arg\max_y p(y \mid \mathbf x_d) = \arg\max_y p(\mathbf x_d, y)",
    "F2",
    method="enumeration",
    case=text_model,
)
def most_probable_class_from_the_joint(pi, beta):
    joint = joint_of_class_and_tally(pi, beta, 4)
    meaning = [argmax(normalised([joint[j, x] for j in CLASSES])) for x in DOCUMENTS]
    formula = [argmax([joint[j, x] for j in CLASSES]) for x in DOCUMENTS]
    return Holds(meaning, formula)


@lecture.holds(
    "A16b",
    INFERENCE,
    r"\arg\max_y p(\mathbf x_d, y) = \arg\max_y p(\mathbf x_d \mid y)\, p(y)",
    "F2",
    method="enumeration",
    case=text_model,
)
def joint_of_class_and_counts(pi, beta):
    joint = joint_of_class_and_tally(pi, beta, 4)
    meaning = [argmax([joint[j, x] for j in CLASSES]) for x in DOCUMENTS]
    formula = [argmax([probability_of_tally(x, beta[j]) * pi[j] for j in CLASSES]) for x in DOCUMENTS]
    return Holds(meaning, formula)


@lecture.holds(
    "A16c",
    INFERENCE,
    r"\arg\max_y p(\mathbf x_d \mid y)\, p(y) = \arg\max_y \prod_n \beta_{yn}^{x_{dn}} \times \pi_y",
    "N1",
    note="the line stands there twice, perhaps a fault of the conversion; the multinomial coefficient is the same for all classes and may go",
    method="enumeration",
    case=text_model,
)
def most_probable_class_from_the_product(pi, beta):
    meaning = [argmax([probability_of_tally(x, beta[j]) * pi[j] for j in CLASSES]) for x in DOCUMENTS]
    formula = [argmax([power_product(beta[j], x) * pi[j] for j in CLASSES]) for x in DOCUMENTS]
    return Holds(meaning, formula)


@lecture.condition(
    "A16d",
    INFERENCE,
    r"\arg\max_y \prod_n \beta_{yn}^{x_{dn}} \times \pi_y = \arg\max_y \sum_n x_{dn} \log \beta_{yn} + \log \pi_y",
    "N8",
    r"if no probability is 0, or with 0 log 0 = 0: in code, a word that neither the document nor the class has makes the sum NaN",
    method="50 digits",
    case=precise(text_model),
)
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


@lecture.holds(
    "A17a",
    MLE,
    r"\log \prod_d p(\mathbf x_d, y_d \mid \Theta) = \sum_d \log p(\mathbf x_d, y_d \mid \Theta)",
    "F1",
    method="50 digits",
    case=precise(corpus),
)
def logarithm_of_the_likelihood(words, y, pi, beta):
    joint = [pi[k] * probability_of_tally(tally(w, 3), beta[k]) for w, k in zip(words, y, strict=True)]
    meaning = mpmath.log(mpmath.fprod(joint))
    formula = sum(mpmath.log(each) for each in joint)
    return Holds(meaning, formula)


@lecture.holds(
    "A17b",
    MLE,
    r"\sum_d \log p(\mathbf x_d, y_d \mid \Theta) = \sum_d \log [p(\mathbf x_d \mid y_d)\, p(y_d)]",
    "N1",
    method="50 digits",
    case=precise(corpus),
)
def likelihood_of_documents_and_classes(words, y, pi, beta):
    data = list(zip([tally(w, 3) for w in words], y, strict=True))
    joint = {length: joint_of_class_and_tally(pi, beta, length) for length in (2, 3)}
    meaning = sum(mpmath.log(joint[sum(x)][k, x]) for x, k in data)
    formula = sum(mpmath.log(probability_of_tally(x, beta[k]) * pi[k]) for x, k in data)
    return Holds(meaning, formula)


@lecture.condition(
    "A17c",
    MLE,
    r"\sum_d \log [p(\mathbf x_d \mid y_d)\, p(y_d)] = \sum_d \Bigl(\sum_n x_{dn} \log \beta_{y_d n} + \log \pi_{y_d}\Bigr)",
    "N1",
    "if the words are given in their order; of the bare counts the logarithms of the multinomial coefficients are missing, which are the same for all parameters",
    method="50 digits",
    case=precise(corpus),
)
def log_likelihood_of_the_corpus(words, y, pi, beta):
    data = list(zip(words, y, strict=True))
    log = mpmath.log
    meaning = sum(log(pi[k] * prod(beta[k][w] for w in document)) for document, k in data)
    formula = sum(sum(document.count(n) * log(beta[k][n]) for n in WORDS) + log(pi[k]) for document, k in data)
    document, half = (0, 1), [mpmath.mpf("0.5")] * 2
    counts = log(probability_of_tally(tally(document, 2), half))
    return Conditional(meaning, formula, without=(counts, sum(log(half[w]) for w in document)))


lecture.definition(
    "A18",
    MLE,
    r"\max_\Theta \log L(\Theta) \text{ subject to } \pi_j \ge 0,\; \sum_j \pi_j = 1,\; \beta_{jn} \ge 0,\; \sum_n \beta_{jn} = 1 \text{ for all } j",
    "P2",
)


def counts_of_class(words, y, j):
    """Counts of the three words in all documents of class j."""
    return tally([w for document, k in zip(words, y, strict=True) if k == j for w in document], 3)


@lecture.holds(
    "A19a",
    "slide *Solve the Optimization Problem*",
    r"\hat\beta_{jn} = \frac{\sum_{d : y_d = j} x_{dn}}{\sum_{d : y_d = j} \sum_{n'} x_{dn'}}",
    "P2",
    note="0/0 if the class has no words",
    method="enumeration",
    case=corpus,
)
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


@lecture.holds(
    "A19b",
    "slide *Solve the Optimization Problem*",
    r"\hat\pi_j = \frac{\sum_d 1(y_d = j)}{\lvert D \rvert}",
    "P2",
    method="enumeration",
    case=corpus,
)
def most_likely_frequencies_of_classes(words, y, pi, beta):
    meaning = most_likely(2, 4 * len(y), lambda p: prod(p[k] for k in y))
    size = Fraction(len(y))
    formula = [sum(y_d == j for y_d in y) / size for j in (0, 1)]
    return Holds(meaning, formula)


@lecture.holds(
    "A20a",
    SMOOTHING,
    r"\hat\beta_{jn} = \frac{\sum_{d : y_d = j} x_{dn}}{\sum_{d : y_d = j} \sum_{n'} x_{dn'}} = 0 \text{ if word } n \text{ is in no document of class } j",
    "N1",
    method="enumeration",
    case=corpus,
)
def unseen_word_is_most_likely_impossible(words, y, pi, beta):
    seen = [w for document in words for w in document if w != 2]
    meaning = most_likely(3, len(seen), lambda p: prod(p[w] for w in seen))
    x = tally(seen, 3)
    formula = [*[x[n] / sum(x) for n in (0, 1)], 0]
    return Holds(meaning, formula)


@lecture.holds(
    "A20b",
    SMOOTHING,
    r"p(\mathbf x_d \mid y = j) \propto \prod_n \beta_{jn}^{x_{dn}}, \quad 0 \text{ if } \beta_{jn} = 0 \text{ for a word of } d",
    "N1",
    method="enumeration",
    case=text_model,
)
def one_unseen_word_rules_a_class_out(pi, beta):
    beta = [beta[0], beta[1], [beta[2][0] + beta[2][1], 0, beta[2][2]]]
    documents = [x for x in DOCUMENTS if x[1] > 0]
    meaning = [[*normalised([probability_of_tally(x, beta[j]) for j in (0, 1)]), 0] for x in documents]
    formula = [normalised([power_product(beta[j], x) for j in CLASSES]) for x in documents]
    return Holds(meaning, formula)


@lecture.holds(
    "A21",
    SMOOTHING,
    r"\hat\beta_{jn} = \frac{\sum_{d : y_d = j} x_{dn} + 1}{\sum_{d : y_d = j} \sum_{n'} x_{dn'} + N}",
    "P3",
    note="checked as the posterior mean, all distributions of words being equally plausible before",
    method="fractions",
    case=corpus,
)
def add_one_is_the_posterior_mean_under_a_flat_prior(words, y, pi, beta):
    counts = [counts_of_class(words, y, j) for j in (0, 1)]
    N = len(WORDS)
    meaning = [posterior_mean(x) for x in counts]
    formula = [[(x[n] + 1) / (sum(x) + N) for n in WORDS] for x in counts]
    return Holds(meaning, formula)


@lecture.holds("A22", SMOOTHING, r"\sum_n \hat\beta_{jn} = 1", "P3", method="fractions", case=corpus)
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


@lecture.holds(
    "A23a",
    "slide *Example*",
    r"\hat\beta_c = \bigl(\tfrac{5+1}{8+6}, \tfrac{1+1}{8+6}, \tfrac{1+1}{8+6}, \tfrac{1+1}{8+6}, \tfrac{0+1}{8+6}, \tfrac{0+1}{8+6}\bigr) = \bigl(\tfrac37, \tfrac17, \tfrac17, \tfrac17, \tfrac1{14}, \tfrac1{14}\bigr)",
    "N1",
    method="fractions",
    case=fixed,
)
def words_of_class_c():
    reduced = [Fraction(3, 7), Fraction(1, 7), Fraction(1, 7), Fraction(1, 7), Fraction(1, 14), Fraction(1, 14)]
    one, none = Fraction(1 + 1, 8 + 6), Fraction(1, 8 + 6)
    formula = [Fraction(5 + 1, 8 + 6), one, one, one, none, none]
    return Holds([learned("c")] * 2, [formula, reduced])


@lecture.holds(
    "A23b",
    "slide *Example*",
    r"\hat\beta_j = \bigl(\tfrac{1+1}{3+6}, \tfrac{0+1}{3+6}, \tfrac{0+1}{3+6}, \tfrac{0+1}{3+6}, \tfrac{1+1}{3+6}, \tfrac{1+1}{3+6}\bigr) = \bigl(\tfrac29, \tfrac19, \tfrac19, \tfrac19, \tfrac29, \tfrac29\bigr)",
    "N1",
    method="fractions",
    case=fixed,
)
def words_of_class_j():
    reduced = [Fraction(k, 9) for k in (2, 1, 1, 1, 2, 2)]
    none = Fraction(1, 3 + 6)
    formula = [Fraction(1 + 1, 3 + 6), none, none, none, Fraction(1 + 1, 3 + 6), Fraction(1 + 1, 3 + 6)]
    return Holds([learned("j")] * 2, [formula, reduced])


@lecture.holds(
    "A23c",
    "slide *Example*",
    r"\hat\pi_c = \tfrac34, \quad \hat\pi_j = \tfrac14",
    "N1",
    method="enumeration",
    case=fixed,
)
def frequencies_of_the_classes():
    labels = [label for label, documents in TRAINING.items() for _ in documents]
    meaning = most_likely(2, 4 * len(labels), lambda p: prod(p["cj".index(label)] for label in labels))
    formula = [Fraction(3, 4), Fraction(1, 4)]
    return Holds(meaning, formula)


def rounded(value):
    return f"{float(value):.4f}"


@lecture.holds(
    "A24a",
    "slide *Example (Continued)*",
    r"p(y = c \mid \mathbf x_5) \propto \tfrac34 \times \bigl(\tfrac37\bigr)^3 \times \tfrac1{14} \times \tfrac1{14} \approx 0.0003",
    "N1",
    method="fractions",
    case=fixed,
)
def score_of_class_c():
    formula = Fraction(3, 4) * Fraction(3, 7) ** 3 * Fraction(1, 14) * Fraction(1, 14)
    return Holds([score("c"), rounded(score("c"))], [formula, "0.0003"])


@lecture.holds(
    "A24b",
    "slide *Example (Continued)*",
    r"p(y = j \mid \mathbf x_5) \propto \tfrac14 \times \bigl(\tfrac29\bigr)^3 \times \tfrac29 \times \tfrac29 \approx 0.0001",
    "N1",
    method="fractions",
    case=fixed,
)
def score_of_class_j():
    formula = Fraction(1, 4) * Fraction(2, 9) ** 3 * Fraction(2, 9) * Fraction(2, 9)
    return Holds([score("j"), rounded(score("j"))], [formula, "0.0001"])


@lecture.holds(
    "A24c",
    "slide *Example (Continued)*, conclusion",
    r"\arg\max_y p(y \mid \mathbf x_5) = c",
    "N1",
    method="fractions",
    case=fixed,
)
def class_of_the_test_document():
    posterior = dict(zip("cj", normalised([score("c"), score("j")]), strict=True))
    meaning = "c" if posterior["c"] > Fraction(1, 2) else "j"
    formula = "c"
    return Holds(meaning, formula)
