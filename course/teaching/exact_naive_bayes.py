"""Both event models in exact rational arithmetic: for examples small enough to be worked by hand.

No logarithms, no floating point, no vectors: what the estimators compute has to agree with what is written here.
Words outside the vocabulary are passed over, as `BagOfWords` passes them over.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import prod

Document = Sequence[str]


class ExactNB(ABC):
    """Naive Bayes with every probability a `Fraction`.

    prior[j] = pi_j and word[j][w], the probability of word w in class j, estimated with add-alpha smoothing.
    """

    def __init__(
        self, documents: Sequence[Document], labels: Sequence[str], vocabulary: Sequence[str], alpha: int | Fraction = 1
    ) -> None:
        self.vocabulary = tuple(vocabulary)
        self.prior = {label: Fraction(count, len(labels)) for label, count in sorted(Counter(labels).items())}
        self.word = {
            label: self._estimate([d for d, y in zip(documents, labels, strict=True) if y == label], Fraction(alpha))
            for label in self.prior
        }

    @abstractmethod
    def _estimate(self, documents: Sequence[Document], alpha: Fraction) -> dict[str, Fraction]:
        """Word probabilities from the documents of one class."""

    @abstractmethod
    def likelihood(self, document: Document, label: str) -> Fraction:
        """p(x | y = label)."""

    def joint(self, document: Document) -> dict[str, Fraction]:
        """p(y = j) p(x | y = j) for each class j."""
        return {label: prior * self.likelihood(document, label) for label, prior in self.prior.items()}

    def posterior(self, document: Document) -> dict[str, Fraction]:
        """p(y = j | x) by Bayes' theorem. Raises ZeroDivisionError where it is 0/0."""
        joint = self.joint(document)
        evidence = sum(joint.values())
        return {label: value / evidence for label, value in joint.items()}


class ExactMultinomialNB(ExactNB):
    """beta_w = (N_w + alpha) / (N + alpha |V|) and p(x | y) = product of beta_w over the tokens of the document."""

    def _estimate(self, documents: Sequence[Document], alpha: Fraction) -> dict[str, Fraction]:
        count = Counter(word for document in documents for word in document)
        total = sum(count[word] + alpha for word in self.vocabulary)
        return {word: (count[word] + alpha) / total for word in self.vocabulary}

    def likelihood(self, document: Document, label: str) -> Fraction:
        """p(x | y = label), for the sequence of the tokens (without the multinomial coefficient)."""
        return prod((self.word[label][token] for token in document if token in self.word[label]), start=Fraction(1))


class ExactBernoulliNB(ExactNB):
    """phi_w = (documents with w + alpha) / (documents + 2 alpha); absent words count by 1 - phi_w."""

    def _estimate(self, documents: Sequence[Document], alpha: Fraction) -> dict[str, Fraction]:
        total = len(documents) + 2 * alpha
        return {word: (sum(word in document for document in documents) + alpha) / total for word in self.vocabulary}

    def likelihood(self, document: Document, label: str) -> Fraction:
        """p(x | y = label): a factor for each word of the vocabulary."""
        return prod((phi if word in document else 1 - phi for word, phi in self.word[label].items()), start=Fraction(1))
