"""The evidence of counts under a Dirichlet prior in fractions, for examples worked by hand."""

from collections.abc import Sequence
from fractions import Fraction
from math import prod


def evidence(alpha: Sequence[Fraction | int], counts: Sequence[int]) -> Fraction:
    """The probability of tosses in their order. alpha, counts : one for each side n.

    prod_n alpha_n (alpha_n + 1) ... (alpha_n + N_n - 1)  /  alpha_0 (alpha_0 + 1) ... (alpha_0 + N - 1)
    """
    factors = (rising(Fraction(a), n) for a, n in zip(alpha, counts, strict=True))
    return prod(factors, start=Fraction(1)) / rising(Fraction(sum(alpha)), sum(counts))


def rising(a: Fraction, n: int) -> Fraction:
    """a (a + 1) ... (a + n - 1)."""
    return prod((a + i for i in range(n)), start=Fraction(1))
