"""Two event models of a text: words there or not, and words one after the other."""

from fractions import Fraction
from itertools import product
from math import prod

from course.equations.entry import Conditional, Erratum, Holds, Lecture
from course.equations.estimates import most_likely, posterior_mean
from course.equations.lecture_a.cases import corpus
from course.equations.lecture_b.cases import emails

lecture = Lecture("B")
WORDS = range(3)
EVENTS = "section *Event Models for Text Classification*"


@lecture.holds(
    "B29",
    EVENTS + ", Bernoulli model",
    r"p(\mathbf x, y) = p(y) \prod_{j=1}^n p(x_j \mid y), \quad x_j \in \lbrace 0, 1 \rbrace",
    "N2",
    note="checked: the probabilities of all messages sum to 1, and those with a word to its own probability",
    method="enumeration",
    case=emails,
)
def messages_of_the_bernoulli_model(x, y, phi, phi_y):
    prior = [1 - phi_y, phi_y]
    messages = list(product((0, 1), repeat=3))
    meaning = [1, *(phi_y * phi[1][j] + (1 - phi_y) * phi[0][j] for j in range(3))]

    def word(k, j, there):
        return phi[k][j] if there else 1 - phi[k][j]

    formula = [
        sum(prior[k] * prod(word(k, j, there) for j, there in enumerate(m)) for k in (0, 1) for m in those)
        for those in (messages, *([m for m in messages if m[j]] for j in range(3)))
    ]
    return Holds(meaning, formula)


@lecture.condition(
    "B30",
    EVENTS + ", multinomial model",
    r"p(\mathbf x, y) = p(y) \prod_{j=1}^n p(x_j \mid y), \quad x_j \in \lbrace 1, \dots, \lvert V \rvert \rbrace",
    "N1",
    "if the length n is given; otherwise a factor p(n) is missing: the messages of each length alone sum to 1",
    method="enumeration",
    case=corpus,
)
def messages_of_the_multinomial_model(words, y, pi, beta):
    def messages(length):
        return list(product(WORDS, repeat=length))

    two = messages(2)
    meaning = 1
    formula = sum(pi[k] * prod(beta[k][w] for w in m) for k in (0, 1) for m in two)
    every = sum(pi[k] * prod(beta[k][w] for w in m) for k in (0, 1) for m in messages(1) + messages(2))
    return Conditional(meaning, formula, without=(1, every))


lecture.definition(
    "B31a", EVENTS, r"\phi_y = p(y = 1)", "N1", "printed p(y); the parameter is the probability of class 1"
)
lecture.definition("B31b", EVENTS, r"\phi_{k \mid y=1} = p(x_j = k \mid y = 1) \text{ for any } j", "N1")


@lecture.erratum(
    "B31c",
    EVENTS,
    r"\phi_{k \mid y=0} = p(x_j = k \mid y = 0) \text{ for any } j",
    "N1",
    "the class on the left: this is the parameter of class 0, printed with the name of the one of class 1",
    printed=r"\phi_{k \mid y=1} = p(x_j = k \mid y = 0)",
    method="enumeration",
    case=corpus,
)
def words_of_class_0(words, y, pi, beta):
    stories = {(k, *m): pi[k] * prod(beta[k][w] for w in m) for k in (0, 1) for m in product(WORDS, repeat=2)}

    def given_class_0(place, word):
        inside = {story: p for story, p in stories.items() if story[0] == 0}
        return sum(p for story, p in inside.items() if story[place] == word) / sum(inside.values())

    meaning = [[given_class_0(place, w) for w in WORDS] for place in (1, 2)]
    formula = [beta[0], beta[0]]
    printed = [beta[1], beta[1]]
    return Erratum(meaning, formula, printed)


lecture.definition(
    "B32a",
    EVENTS + ", display 1",
    r"L(\phi_y, \phi_{k \mid y=1}, \phi_{k \mid y=0}) = \prod_i p(\mathbf x_i, y_i)",
    "N1",
)


@lecture.erratum(
    "B32b",
    EVENTS + ", display 1",
    r"L = \prod_i \Bigl(\prod_{j=1}^{n_i} p(x_{ij} \mid y_i; \phi_{k \mid y=1}, \phi_{k \mid y=0})\Bigr) p(y_i; \phi_y)",
    "N1",
    "the index of y in the inner product: the words of an email depend on its own class",
    printed=r"\prod_i \Bigl(\prod_{j=1}^{n_i} p(x_{ij} \mid y; \phi_{k \mid y=1}, \phi_{k \mid y=0})\Bigr) p(y_i; \phi_y)",
    method="fractions",
    case=corpus,
)
def likelihood_of_emails(words, y, pi, beta):
    # Two emails, one of each class. All that was seen in one row: classes and words, each with its probability.
    data = list(zip(words[:2], y[:2], strict=True))
    seen = [pi[k] for _, k in data] + [beta[k][w] for document, k in data for w in document]
    meaning = prod(seen)
    formula = prod(prod(beta[y_i][w] for w in document) * pi[y_i] for document, y_i in data)
    one_class = 1
    printed = prod(prod(beta[one_class][w] for w in document) * pi[y_i] for document, y_i in data)
    return Erratum(meaning, formula, printed)


def written(words, y, k):
    """All words of the emails of class k, in one row."""
    return [w for document, y_i in zip(words, y, strict=True) if y_i == k for w in document]


def estimate_of_class(key, c):
    @lecture.holds(
        key,
        EVENTS + ", display 2",
        rf"\hat\phi_{{k \mid y={c}}} = \frac{{\sum_i \sum_{{j=1}}^{{n_i}} 1(x_{{ij}} = k \wedge y_i = {c})}}{{\sum_i 1(y_i = {c})\, n_i}}",
        "N1",
        method="enumeration",
        case=corpus,
    )
    def most_likely_words_of_a_class(words, y, pi, beta):
        row = written(words, y, c)
        meaning = most_likely(3, len(row), lambda p: prod(p[w] for w in row))
        data = list(zip(words, y, strict=True))
        n = [Fraction(len(document)) for document in words]
        formula = [
            sum(sum(w == k and y_i == c for w in document) for document, y_i in data)
            / sum((y_i == c) * n_i for y_i, n_i in zip(y, n, strict=True))
            for k in WORDS
        ]
        return Holds(meaning, formula)


estimate_of_class("B33a", 1)
estimate_of_class("B33b", 0)


@lecture.holds(
    "B33c",
    EVENTS + ", display 2",
    r"\hat\phi_y = \frac{\sum_i 1(y_i = 1)}m",
    "N1",
    method="enumeration",
    case=corpus,
)
def most_likely_share_of_class_1(words, y, pi, beta):
    meaning = most_likely(2, 4 * len(y), lambda p: prod(p[k] for k in y))[1]
    m = Fraction(len(y))
    formula = sum(y_i == 1 for y_i in y) / m
    return Holds(meaning, formula)


def smoothed_estimate_of_class(key, c):
    @lecture.holds(
        key,
        EVENTS + ", display 3",
        rf"\hat\phi_{{k \mid y={c}}} = \frac{{\sum_i \sum_{{j=1}}^{{n_i}} 1(x_{{ij}} = k \wedge y_i = {c}) + 1}}{{\sum_i 1(y_i = {c})\, n_i + \lvert V \rvert}}",
        "P3",
        note="checked as the posterior mean under a flat prior",
        method="fractions",
        case=corpus,
    )
    def smoothed_words_of_a_class(words, y, pi, beta):
        row = written(words, y, c)
        meaning = posterior_mean([row.count(k) for k in WORDS])
        data = list(zip(words, y, strict=True))
        n, V = [Fraction(len(document)) for document in words], len(WORDS)
        formula = [
            (sum(sum(w == k and y_i == c for w in document) for document, y_i in data) + 1)
            / (sum((y_i == c) * n_i for y_i, n_i in zip(y, n, strict=True)) + V)
            for k in WORDS
        ]
        return Holds(meaning, formula)


smoothed_estimate_of_class("B34a", 1)
smoothed_estimate_of_class("B34b", 0)
