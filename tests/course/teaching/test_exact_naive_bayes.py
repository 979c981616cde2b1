"""Naive Bayes in exact fractions: worked by hand, and what the estimators of the library give for any documents."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.teaching.exact_naive_bayes import ExactBernoulliNB, ExactMultinomialNB
from probml.errors import ZeroEvidenceError
from probml.naive_bayes import BernoulliNB, MultinomialNB

MODELS = [MultinomialNB, BernoulliNB]
EXACT = {MultinomialNB: ExactMultinomialNB, BernoulliNB: ExactBernoulliNB}
WORDS = ["a", "b", "c", "d"]


def as_counts(documents):
    return np.array([[document.count(word) for word in WORDS] for document in documents], dtype=float)


documents = st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=2, max_size=7)


@pytest.mark.parametrize("model", MODELS)
@settings(deadline=None, max_examples=60)
@given(documents=documents, question=st.lists(st.sampled_from(WORDS), max_size=8), data=st.data())
def test_exact_fractions(model, documents, question, data):
    labels = data.draw(st.lists(st.sampled_from(["x", "y", "z"]), min_size=len(documents), max_size=len(documents)))
    alpha = data.draw(st.fractions(Fraction(1, 100), 3) | st.just(Fraction(0)))
    try:
        exact = EXACT[model](documents, labels, WORDS, alpha)
    except ZeroDivisionError:
        with pytest.raises(ValueError, match="no words"):
            model(alpha=0).fit(as_counts(documents), labels)
        return
    ours = model(alpha=float(alpha)).fit(as_counts(documents), labels)
    assert list(ours.classes_) == list(exact.prior)
    for j, label in enumerate(exact.prior):
        np.testing.assert_allclose(np.exp(ours.class_log_prior_[j]), float(exact.prior[label]), rtol=1e-13)
        word = [float(exact.word[label][w]) for w in WORDS]
        np.testing.assert_allclose(np.exp(ours.feature_log_prob_[j]), word, rtol=1e-13)
    try:
        posterior = exact.posterior(question)
    except ZeroDivisionError:
        with pytest.raises(ZeroEvidenceError):
            ours.predict_proba(as_counts([question]))
        return
    np.testing.assert_allclose(
        ours.predict_proba(as_counts([question]))[0], [float(p) for p in posterior.values()], rtol=1e-11
    )


def test_exact_worked_example():
    texts = ["C B C", "C C S", "C M", "T J C"]
    vocabulary = ["C", "B", "S", "M", "T", "J"]
    arguments = ([text.split() for text in texts], ["c", "c", "c", "j"], vocabulary)
    question = ["C", "C", "C", "T", "J"]
    multinomial, bernoulli = ExactMultinomialNB(*arguments), ExactBernoulliNB(*arguments)
    assert multinomial.word["c"] == dict(zip(vocabulary, [Fraction(n, 14) for n in (6, 2, 2, 2, 1, 1)], strict=True))
    assert multinomial.joint(question) == {
        "c": Fraction(3, 4) * Fraction(3, 7) ** 3 / 196,
        "j": Fraction(1, 4) * Fraction(2, 9) ** 5,
    }
    assert bernoulli.joint(question)["c"] == Fraction(3, 4) * Fraction(4, 5) * Fraction(3, 5) ** 3 * Fraction(1, 5) ** 2
    assert bernoulli.joint(question)["j"] == Fraction(1, 4) * Fraction(2, 3) ** 6
    assert sum(bernoulli.posterior(question).values()) == 1
    with pytest.raises(ZeroDivisionError):
        ExactBernoulliNB(*arguments[:2], [*vocabulary, "never"], alpha=0).posterior(["never"])
