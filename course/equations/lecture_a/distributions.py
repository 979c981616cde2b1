"""Counts of words; Bernoulli, categorical, binomial and multinomial distribution."""

from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

from course.equations.counting import probability_of_tally, tallies, tally
from course.equations.entry import Holds, Lecture
from course.equations.lecture_a.cases import categorical, coin

lecture = Lecture("A")

lecture.definition(
    "A3",
    "slide *Represent A Document*",
    r"x_{dn} = \sum_i 1(w_{di} = n), \quad \mathbf w_d = (w_{d1}, \dots, w_{dN_d})",
    "P4",
)
lecture.definition(
    "A4", "slide *Bernoulli and Categorical Distribution*", r"P(X = 1) = p, \quad P(X = 0) = 1 - p", "P1"
)
lecture.definition(
    "A5", "slide *Bernoulli and Categorical Distribution*", r"P(X = k) = p_k, \quad \sum_k p_k = 1", "P1"
)


@lecture.holds(
    "A6",
    "slide *Binomial and Multinomial Distribution*",
    r"P(X = x) = \binom nx p^x (1 - p)^{n - x}",
    "P1",
    method="enumeration",
    case=coin,
)
def binomial_by_all_sequences_of_trials(phi):
    n = 5
    meaning = [
        sum(
            prod(phi if trial else 1 - phi for trial in trials)
            for trials in product((0, 1), repeat=n)
            if sum(trials) == x
        )
        for x in range(n + 1)
    ]
    successes = range(n + 1)
    formula = [comb(n, x) * phi**x * (1 - phi) ** (n - x) for x in successes]
    return Holds(meaning, formula)


@lecture.holds(
    "A7",
    "slide *Binomial and Multinomial Distribution*",
    r"\sum_k x_k = n",
    "P1",
    method="enumeration",
    case=categorical,
)
def counts_sum_to_the_number_of_trials(p, n):
    outcomes = list(product(range(len(p)), repeat=n))
    meaning = [len(outcome) for outcome in outcomes]
    formula = [sum(tally(outcome, len(p))) for outcome in outcomes]
    return Holds(meaning, formula)


@lecture.holds(
    "A8",
    "slide *Binomial and Multinomial Distribution*",
    r"P(X_1 = x_1, \dots, X_K = x_K) = \frac{n!}{x_1! \cdots x_K!} \prod_k p_k^{x_k}",
    "P1",
    method="enumeration",
    case=categorical,
)
def multinomial_by_all_sequences_of_trials(p, n):
    counts = tallies(n, len(p))
    meaning = [probability_of_tally(x, p) for x in counts]
    orders = Fraction(factorial(n))
    formula = [
        orders / prod(factorial(int(k)) for k in x) * prod(q**k for q, k in zip(p, x, strict=True)) for x in counts
    ]
    return Holds(meaning, formula)
