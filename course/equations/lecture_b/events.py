"""Two event models of a text: words there or not, and words one after the other."""

from fractions import Fraction
from itertools import product
from math import prod

from course.equations.entry import Conditional, Erratum, Holds, check
from course.equations.estimates import most_likely, posterior_mean
from course.equations.lecture_a.cases import corpus
from course.equations.lecture_b.cases import emails

WORDS = range(3)


@check("B29", "enumeration", emails)
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


@check("B30", "enumeration", corpus)
def messages_of_the_multinomial_model(words, y, pi, beta):
    def messages(length):
        return list(product(WORDS, repeat=length))

    two = messages(2)
    meaning = 1
    formula = sum(pi[k] * prod(beta[k][w] for w in m) for k in (0, 1) for m in two)
    every = sum(pi[k] * prod(beta[k][w] for w in m) for k in (0, 1) for m in messages(1) + messages(2))
    return Conditional(meaning, formula, without=(1, every))


@check("B31c", "enumeration", corpus)
def words_of_class_0(words, y, pi, beta):
    stories = {(k, *m): pi[k] * prod(beta[k][w] for w in m) for k in (0, 1) for m in product(WORDS, repeat=2)}

    def given_class_0(place, word):
        inside = {story: p for story, p in stories.items() if story[0] == 0}
        return sum(p for story, p in inside.items() if story[place] == word) / sum(inside.values())

    meaning = [[given_class_0(place, w) for w in WORDS] for place in (1, 2)]
    formula = [beta[0], beta[0]]
    printed = [beta[1], beta[1]]
    return Erratum(meaning, formula, printed)


@check("B32b", "fractions", corpus)
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


@check("B33a", "enumeration", corpus, c=1)
@check("B33b", "enumeration", corpus, c=0)
def most_likely_words_of_a_class(words, y, pi, beta, c):
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


@check("B33c", "enumeration", corpus)
def most_likely_share_of_class_1(words, y, pi, beta):
    meaning = most_likely(2, 4 * len(y), lambda p: prod(p[k] for k in y))[1]
    m = Fraction(len(y))
    formula = sum(y_i == 1 for y_i in y) / m
    return Holds(meaning, formula)


@check("B34a", "fractions", corpus, c=1)
@check("B34b", "fractions", corpus, c=0)
def smoothed_words_of_a_class(words, y, pi, beta, c):
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
