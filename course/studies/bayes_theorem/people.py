"""A medical test in natural frequencies: how many of so many people are ill, and how many of these test positive."""

from dataclasses import dataclass
from fractions import Fraction

from course.studies.bayes_theorem.joint import Joint

PREVALENCE = Fraction(2, 100)  # of the disease
SENSITIVITY = Fraction(90, 100)  # P(positive | ill)
SPECIFICITY = Fraction(95, 100)  # P(negative | healthy)
REPEATED = Fraction(1, 2)  # of the false positives, where one cause makes a second test err again


@dataclass(frozen=True)
class Counts:
    """Expected numbers of people in four groups."""

    ill_positive: Fraction
    ill_negative: Fraction
    healthy_positive: Fraction
    healthy_negative: Fraction

    @property
    def positive(self) -> Fraction:
        """All who test positive."""
        return self.ill_positive + self.healthy_positive

    @property
    def negative(self) -> Fraction:
        """All who test negative."""
        return self.ill_negative + self.healthy_negative


def counts(people: int) -> Counts:
    """The four groups among so many people, with the prevalence and the test of the note."""
    ill = people * PREVALENCE
    healthy = people - ill
    return Counts(ill * SENSITIVITY, ill * (1 - SENSITIVITY), healthy * (1 - SPECIFICITY), healthy * SPECIFICITY)


def two_tests(repeated: Fraction | None = None) -> Joint:
    """p(ill, first, second): state of health and two results, 1 for ill and for positive.

    Ill people test positive independently. repeated : P(second positive | first positive, healthy). None is the value
    that it has if the results are independent given the state of health. In all cases both tests have the sensitivity
    and the specificity of the note.
    """
    false_positive = 1 - SPECIFICITY
    both = false_positive * (false_positive if repeated is None else repeated)
    one = false_positive - both
    healthy = {(1, 1): both, (1, 0): one, (0, 1): one, (0, 0): 1 - both - 2 * one}

    def probability(ill: int, first: int, second: int) -> Fraction:
        if not ill:
            return (1 - PREVALENCE) * healthy[first, second]
        positive = first + second
        return PREVALENCE * SENSITIVITY**positive * (1 - SENSITIVITY) ** (2 - positive)

    return Joint.of(("ill", "first", "second"), probability)
