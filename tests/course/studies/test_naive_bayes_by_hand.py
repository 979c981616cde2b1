"""The worked example of naive Bayes: documents, posteriors, the nine titles, and figures that say what they show."""

from fractions import Fraction

import numpy as np
import pytest

from course import datasets
from course.figures import Picture, png
from course.studies import titles
from course.studies.naive_bayes_by_hand import figures, left_out, posteriors
from course.studies.naive_bayes_by_hand.documents import CLASSES, LABELS, QUESTION, TEXTS, VOCABULARY
from course.teaching.exact_naive_bayes import ExactBernoulliNB, ExactMultinomialNB
from probml.naive_bayes import BernoulliNB, MultinomialNB

EXACT = {"multinomial": ExactMultinomialNB, "Bernoulli": ExactBernoulliNB}


def exact(name, text, alpha=1):
    model = EXACT[name]([document.split() for document in TEXTS], LABELS, VOCABULARY, alpha)
    return float(model.posterior(text.split())["China"])


def test_counts_are_those_of_the_words():
    expected = [[text.split().count(word) for word in VOCABULARY] for text in (*TEXTS, QUESTION)]
    np.testing.assert_array_equal(posteriors.counts([*TEXTS, QUESTION]), expected)


def test_every_word_is_in_the_vocabulary():
    assert {word for text in (*TEXTS, QUESTION) for word in text.split()} == set(VOCABULARY)
    assert set(LABELS) == set(CLASSES)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("alpha", [Fraction(1, 100), Fraction(1), Fraction(30)])
@pytest.mark.parametrize("text", [QUESTION, "Tokyo", "Macao Macao Beijing"])
def test_posterior_against_alpha_is_the_exact_one(name, alpha, text):
    ours = posteriors.against_alpha([float(alpha)], text)[name]
    np.testing.assert_allclose(ours, [exact(name, text, alpha)], rtol=1e-12)


@pytest.mark.parametrize("name", EXACT)
def test_grid_has_one_word_down_and_the_other_across(name):
    grid = posteriors.on_grid("Chinese", "Tokyo", most=3, highest=2)[name]
    expected = [[exact(name, "Tokyo " * t + "Chinese " * k) for k in range(4)] for t in range(3)]
    np.testing.assert_allclose(grid, expected, rtol=1e-12)


@pytest.mark.parametrize("name", EXACT)
def test_copies_are_one_long_document(name):
    expected = [exact(name, " ".join([QUESTION] * k)) for k in (1, 3, 7)]
    np.testing.assert_allclose(posteriors.of_copies([1, 3, 7])[name], expected, rtol=1e-12)


@pytest.mark.parametrize("name", EXACT)
def test_companions_come_with_every_occurrence_of_the_word(name):
    expected = []
    for k in (0, 1, 3):
        together = " ".join(["Tokyo", *(f"companion{i}" for i in range(k))])
        texts = [text.replace("Tokyo", together).split() for text in TEXTS]
        model = EXACT[name](texts, LABELS, [*VOCABULARY, *together.split()[1:]], 1)
        expected.append(float(model.posterior(QUESTION.replace("Tokyo", together).split())["China"]))
    np.testing.assert_allclose(posteriors.with_companions("Tokyo", [0, 1, 3])[name], expected, rtol=1e-12)


@pytest.fixture
def nine():
    return datasets.load("deerwester").train


def test_matrix_of_the_titles_is_the_printed_one(nine):
    terms, counts = titles.term_document_matrix(nine.X)
    assert list(terms) == list(titles.PRINTED)
    assert ["".join(map(str, row)) for row in counts] == list(titles.PRINTED.values())
    assert counts.shape == (12, len(titles.COLUMNS))


@pytest.mark.parametrize("model", [MultinomialNB, BernoulliNB])
def test_titles_left_out_get_their_class(model, nine):
    assert left_out.correct(model, nine) == 9


def test_titles_left_out_are_not_learned_from(nine):
    class Memory:
        """Knows only the rows it has seen: right for none of the titles, unless they were among them."""

        def __init__(self, alpha):
            self.alpha = alpha

        def fit(self, X, y):
            self.seen = {tuple(row) for row in X.toarray()}
            self.classes = np.unique(y)
            return self

        def predict(self, X):
            assert not {tuple(row) for row in X.toarray()} & self.seen
            return np.array(["never"])

    assert left_out.correct(Memory, nine) == 0


@pytest.mark.parametrize(
    "picture",
    [
        figures.two_verdicts,
        figures.two_stories,
        lambda: figures.contributions(np.log(3), [2.0, 0, 0, 0, -1, -1], [0.2, -0.1, -0.1, -0.1, -1, -1]),
        lambda: figures.posterior_against_alpha(0.01, 100),
        figures.counted_twice,
        figures.straight_line,
    ],
)
def test_figures_are_drawn_the_same_twice(picture):
    first, second = picture(), picture()
    assert isinstance(first, Picture)
    assert len(first.alt) > 100
    assert png(first.fig) == png(second.fig)


def test_line_of_the_linear_figure_separates_the_verdicts():
    ax = figures.straight_line().fig.axes[0]
    (x0, x1), (y0, y1) = ax.lines[0].get_data()
    grid = posteriors.on_grid("Chinese", "Tokyo", most=5, highest=3)["multinomial"]
    for (t, k), china in np.ndenumerate(grid):
        on_line = y0 + (k - x0) * (y1 - y0) / (x1 - x0)
        assert (t < on_line) == (china > 0.5)


def test_alternative_text_of_the_hero_has_the_posteriors():
    alt = figures.two_verdicts().alt
    assert f"China {exact('multinomial', QUESTION):.2f}" in alt
    assert f"Bernoulli model {exact('Bernoulli', QUESTION):.2f}" in alt


def test_alternative_text_of_the_copies_has_the_posteriors():
    first, last = posteriors.of_copies([1, 20])["multinomial"]
    assert f"falls from {first:.2f} to nearly zero" in figures.counted_twice().alt
    assert last < 0.01
    assert f"stays at {exact('Bernoulli', QUESTION):.2f}" in figures.counted_twice().alt
