"""Concepts without noise, all examples equally likely: which of them does naive Bayes decide correctly?"""

from fractions import Fraction
from math import comb


def wrong_on_m_of_n(m: int, n: int) -> Fraction:
    """The proportion of the 2 ** n examples that naive Bayes decides wrongly, or not at all, if + means m ones or more.

    All attributes are alike, so the decision depends on the number of ones only.
    """
    if not 1 <= m <= n:
        raise ValueError(f"m must be from 1 to n = {n}, received {m}")
    ones = {True: range(m, n + 1), False: range(m)}  # numbers of ones in class + and in class -
    size = {plus: sum(comb(n, k) for k in ks) for plus, ks in ones.items()}
    # Of the examples with k ones, k / n have a one in a given place.
    phi = {plus: Fraction(sum(k * comb(n, k) for k in ks), n * size[plus]) for plus, ks in ones.items()}
    wrong = 0
    for k in range(n + 1):
        score = {plus: size[plus] * phi[plus] ** k * (1 - phi[plus]) ** (n - k) for plus in (True, False)}
        is_plus = k >= m
        if score[is_plus] <= score[not is_plus]:
            wrong += comb(n, k)
    return Fraction(wrong, 2**n)
