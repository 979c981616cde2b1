"""Counts of words; Bernoulli, categorical, binomial and multinomial distribution."""

from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

from course.equations.cases import coin
from course.equations.counting import probability_of_tally, tallies, tally
from course.equations.entry import Holds, check
from course.equations.lecture_a.cases import categorical


@check("A6", "enumeration", coin)
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


@check("A7", "enumeration", categorical)
def counts_sum_to_the_number_of_trials(p, n):
    outcomes = list(product(range(len(p)), repeat=n))
    meaning = [len(outcome) for outcome in outcomes]
    formula = [sum(tally(outcome, len(p))) for outcome in outcomes]
    return Holds(meaning, formula)


@check("A8", "enumeration", categorical)
def multinomial_by_all_sequences_of_trials(p, n):
    counts = tallies(n, len(p))
    meaning = [probability_of_tally(x, p) for x in counts]
    orders = Fraction(factorial(n))
    formula = [
        orders / prod(factorial(int(k)) for k in x) * prod(q**k for q, k in zip(p, x, strict=True)) for x in counts
    ]
    return Holds(meaning, formula)
