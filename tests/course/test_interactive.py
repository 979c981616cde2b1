"""The interactive figures: their numbers, computed in JavaScript, held against the package, and how notes show them."""

import json
import math
import re

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from py_mini_racer import MiniRacer

from course import figures, interactive
from course.interactive import pictures
from course.interactive.bundle import FOLDER, IMPORT
from course.notebook import Record
from course.notebook.normal import ADDRESS, executed
from course.notebook.record import OUTPUT
from probml.naive_bayes import BernoulliNB, MultinomialNB
from probml.text import BagOfWords

# Numbers of JavaScript that JSON has no word for.
REPLACER = '(_, v) => typeof v === "number" && !Number.isFinite(v) ? String(v) : v'
NOT_FINITE = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}


class Engine:
    """JavaScript without a page."""

    def __init__(self, source):
        self._context = MiniRacer()
        self._context.eval(source)

    def __call__(self, function, *arguments):
        call = f"{function}({', '.join(json.dumps(each) for each in arguments)})"
        return self.value(call)

    def value(self, expression):
        text = self._context.eval(f"JSON.stringify({expression}, {REPLACER})")
        return json.loads(text, object_hook=lambda each: {k: self._number(v) for k, v in each.items()})

    def _number(self, value):
        if isinstance(value, list):
            return [self._number(each) for each in value]
        return NOT_FINITE.get(value, value) if isinstance(value, str) else value


def module(path):
    """A module of the framework that imports nothing."""
    source = (FOLDER / path).read_text(encoding="utf-8")
    assert not IMPORT.search(source)
    return Engine(source.replace("export ", ""))


@pytest.fixture(scope="module")
def scale():
    return module("framework/scale.js")


@pytest.fixture(scope="module")
def contours():
    return module("framework/contour.js")


# --- the framework ---


@pytest.mark.parametrize(
    ("low", "high", "count", "expected"),
    [
        (0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-6, 6, 6, [-6, -4, -2, 0, 2, 4, 6]),
        (-0.3, 0.3, 6, [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]),
        (0.13, 0.87, 4, [0.2, 0.4, 0.6, 0.8]),
        (1234, 5678, 4, [2000, 4000]),
    ],
)
def test_ticks_are_round_numbers_within_the_range(scale, low, high, count, expected):
    assert scale("ticks", low, high, count) == expected


def test_powers_of_ten(scale):
    assert scale("powers", 0.001, 1000) == [0.001, 0.01, 0.1, 1, 10, 100, 1000]
    assert scale("powers", 0.001, 1000, 4) == [0.001, 0.1, 10, 1000]
    assert scale("powers", 2, 30) == [10]


def test_scales_and_their_inverses(scale):
    assert scale.value("[0, 5, 10].map(linear([0, 10], [300, 20]))") == [300, 160, 20]
    assert scale.value("[300, 160, 20].map(linear([0, 10], [300, 20]).invert)") == [0, 5, 10]
    assert scale.value("[.01, 1, 100].map(logarithmic([.01, 100], [0, 400]))") == [0, 200, 400]
    np.testing.assert_allclose(scale.value("[0, 300].map(logarithmic([.01, 100], [0, 400]).invert)"), [0.01, 10])


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("fixed(-1.005, 1)", "−1.0"),
        ("fixed(-.001)", "0.00"),
        ("fixed(1 / 0)", "∞"),
        ("fixed(Math.log(0))", "−∞"),
        ("fixed(0 / 0)", "0/0"),
        ("signed(.25)", "+0.25"),
        ("signed(-.25)", "−0.25"),
        ("short(.001)", "0.001"),
        ("short(1000)", "1000"),
        ("short(-3.14159, 3)", "−3.14"),
    ],
)
def test_numbers_as_text(scale, expression, text):
    assert scale.value(expression) == text


def test_a_contour_of_a_circle_is_a_closed_line_at_its_radius(contours):
    contours.value("globalThis.side = steps(-2, 2, 81), 1")
    segments = np.array(contours.value("contour(side.map((y) => side.map((x) => x * x + y * y)), side, side, 1.21)"))
    radius = np.hypot(segments[..., 0], segments[..., 1])
    assert np.abs(radius - 1.1).max() < 1e-3
    ends, times = np.unique(segments.reshape(-1, 2).round(9), axis=0, return_counts=True)
    assert (times == 2).all()  # each point ends one segment and begins the next
    assert len(ends) == len(segments)
    length = np.hypot(*(segments[:, 1] - segments[:, 0]).T).sum()
    assert abs(length - 2.2 * np.pi) < 0.01


def test_contours_of_a_plane_are_exact_and_of_a_flat_surface_none(contours):
    segments = np.array(contours("contour", [[0, 1, 2], [1, 2, 3]], [0, 1, 2], [0, 1], 1.5))
    np.testing.assert_allclose(segments.sum(axis=2), 1.5)
    assert contours("contour", [[5, 5], [5, 5]], [0, 1], [0, 1], 4) == []


@pytest.mark.parametrize(("level", "cut_off"), [(0.4, {(1, 0), (0, 1)}), (0.6, {(0, 0), (1, 1)})])
def test_a_saddle_is_cut_as_its_middle_says(contours, level, cut_off):
    """Corners 1 at (0, 0) and (1, 1), 0 at the others; the middle is a half."""
    segments = np.array(contours("contour", [[1, 0], [0, 1]], [0, 1], [0, 1], level))
    assert {tuple(corner) for corner in segments.mean(axis=1).round().astype(int).tolist()} == cut_off


# --- bundles ---


def test_an_unknown_figure_is_an_error_that_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"no interactive figure 'smooth'; there are .*smoothing"):
        interactive.html("smooth")


@pytest.mark.parametrize("name", interactive.names())
def test_a_bundle_is_one_script_in_which_no_name_is_given_twice(name):
    script = interactive.script(name)
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    given = re.findall(r"^(?:function|const|let) (\w+)", script, re.MULTILINE)
    assert sorted(set(given)) == sorted(given)
    assert "</script" not in script.lower()


@pytest.mark.parametrize("name", interactive.names())
def test_a_bundle_is_small_and_survives_the_normal_form(name):
    html = interactive.html(name)
    assert html == interactive.html(name)
    assert len(html.encode()) < 32_000
    assert not ADDRESS.search(html)
    assert not re.search(r"\bid=", html)  # the same figure may stand on a page twice


@pytest.mark.parametrize("name", interactive.names())
def test_every_figure_has_a_picture(name):
    picture = getattr(pictures, name.replace("-", "_"))()
    assert picture.name == f"interactive-{name}"
    assert len(picture.alt) > 100
    assert len(figures.png(picture.fig)) < 60_000


def test_a_note_shows_the_picture_and_then_the_figure(tmp_path, monkeypatch):
    monkeypatch.setenv(OUTPUT, str(tmp_path))
    picture = pictures.smoothing()
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda *outputs: shown.extend(outputs))
    Record().interactive("smoothing", picture)
    first, second = shown
    assert first.alt == picture.alt
    assert (tmp_path / "interactive-smoothing.png").read_bytes() == figures.png(picture.fig)
    assert second.data == interactive.html("smoothing")


def test_in_an_executed_notebook_the_html_is_kept_as_it_is():
    code = (
        "from course.interactive import pictures\n"
        "from course.notebook import Record\n"
        "Record().interactive('smoothing', pictures.smoothing())"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, kernel_name="python3").execute()
    text, stderr = executed(notebook)
    assert stderr == ""
    image, figure = nbformat.reads(text, as_version=4).cells[0].outputs
    assert set(image.data) == {"image/png", "text/plain"}
    assert figure.data["text/html"] == interactive.html("smoothing")


def test_of_an_unknown_figure_no_picture_is_saved(tmp_path, monkeypatch):
    monkeypatch.setenv(OUTPUT, str(tmp_path))
    with pytest.raises(ValueError, match="no interactive figure"):
        Record().interactive("nothing", pictures.smoothing())
    assert list(tmp_path.iterdir()) == []


# --- smoothing ---


@pytest.fixture(scope="module")
def smoothing():
    return Engine(interactive.script("smoothing"))


def fitted(model, alpha, vocabulary, text):
    texts, labels = zip(*pictures.TRAINING, strict=True)
    bag = BagOfWords(vocabulary=[word.lower() for word in vocabulary])
    return model(alpha=alpha).fit(bag.fit_transform(texts), labels), bag.transform([text])


def test_smoothing_starts_from_the_documents_of_the_note(smoothing):
    training = smoothing.value("{ documents: TRAINING }")["documents"]
    assert [tuple(each) for each in training] == pictures.TRAINING
    start = smoothing.value("initial")
    assert start == {"alpha": 1, "text": pictures.QUESTION, "unseen": False}


@pytest.mark.parametrize("unseen", [False, True])
@pytest.mark.parametrize("text", [pictures.QUESTION, "", "tokyo TOKYO, Macao!", "Chinese Osaka", "Paris Beijing Japan"])
def test_smoothing_gives_the_numbers_of_the_package(smoothing, unseen, text):
    for alpha in (1e-3, 0.01, 0.178, 0.5, 1, 2.82, 10, 1000):
        found = smoothing("model", {"alpha": alpha, "text": text, "unseen": unseen})
        for name, model in (("multinomial", MultinomialNB), ("bernoulli", BernoulliNB)):
            expected, x = fitted(model, alpha, found["vocabulary"], text)
            counts = x.toarray()[0]
            assert found["counts"] == counts.tolist()
            ours = found[name]
            logs = np.log(ours["estimates"])
            np.testing.assert_allclose(logs, expected.feature_log_prob_, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(ours["posterior"], expected.predict_proba(x)[0], rtol=1e-9)
            log_posterior = expected.predict_log_proba(x)[0]
            np.testing.assert_allclose(ours["odds"], log_posterior[0] - log_posterior[1], rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(found["priorTerm"] + sum(ours["terms"]), ours["odds"], rtol=1e-9, atol=1e-12)


def test_the_terms_are_those_of_the_picture(smoothing):
    found = smoothing("model", {"alpha": 1, "text": pictures.QUESTION, "unseen": False})
    for name, model in (("multinomial", MultinomialNB), ("bernoulli", BernoulliNB)):
        expected, x = fitted(model, 1.0, found["vocabulary"], pictures.QUESTION)
        drawn = pictures.log_odds_terms(expected, x.toarray()[0])
        np.testing.assert_allclose([found["priorTerm"], *found[name]["terms"], found[name]["odds"]], drawn, rtol=1e-9)


def test_without_smoothing_a_document_may_have_no_answer(smoothing):
    """0/0 where the package refuses, and a certain answer where only one class is possible."""
    ask = lambda text, unseen=False: smoothing("model", {"alpha": 0, "text": text, "unseen": unseen})  # noqa: E731
    found = ask("Beijing Tokyo")
    assert found["multinomial"]["posterior"] is found["bernoulli"]["posterior"] is None
    assert math.isnan(found["multinomial"]["odds"])
    found = ask(pictures.QUESTION)
    assert found["multinomial"]["posterior"] == [0, 1]
    assert found["multinomial"]["terms"][4] == -math.inf
    assert found["multinomial"]["terms"][1] == 0  # not in the document, and no event
    assert found["bernoulli"]["posterior"] == [0, 1]
    found = ask("Chinese Osaka", unseen=True)
    assert math.isnan(found["multinomial"]["terms"][6])
    assert found["multinomial"]["posterior"] is None


def test_words_outside_the_vocabulary_are_named(smoothing):
    found = smoothing("model", {"alpha": 1, "text": "a Paris chinese Osaka paris", "unseen": False})
    assert found["ignored"] == ["Paris", "Osaka", "paris"]
    assert found["counts"] == [1, 0, 0, 0, 0, 0]
