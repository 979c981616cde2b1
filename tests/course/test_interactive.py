"""The interactive figures: their numbers, computed in JavaScript, held against the package, and how notes show them."""

import itertools
import json
import math
import re

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from py_mini_racer import MiniRacer
from scipy.integrate import quad
from scipy.special import erfc
from scipy.stats import norm

from course import figures, interactive
from course.interactive import pictures
from course.interactive.bundle import EXPORT, FOLDER, IMPORT
from course.notebook import Record
from course.notebook.normal import ADDRESS, executed
from course.notebook.record import OUTPUT
from probml import datasets
from probml.naive_bayes import BernoulliNB, MultinomialNB
from probml.solvers import newton
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


def modules(*paths):
    """Modules of the framework that import nothing."""
    source = "".join((FOLDER / path).read_text(encoding="utf-8") for path in paths)
    assert not IMPORT.search(source)
    return Engine(EXPORT.sub("", source))


@pytest.fixture(scope="module")
def scale():
    return modules("framework/scale.js")


@pytest.fixture(scope="module")
def contours():
    return modules("framework/scale.js", "framework/contour.js")


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


def test_the_complementary_error_function_in_all_its_digits():
    t = np.linspace(-6, 26, 641)
    found = modules("framework/normal.js").value(f"{t.tolist()}.map(complement)")
    np.testing.assert_allclose(found, erfc(t), rtol=1e-12)


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


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.js")), ids=lambda path: path.stem)
def test_a_module_imports_what_there_is_and_what_it_uses(path):
    source = path.read_text(encoding="utf-8")
    body = IMPORT.sub("", source)
    for found in re.finditer(r'^import \{ ([^}]*) \} from "([^"]+)";', source, re.MULTILINE):
        exported = re.findall(r"^export (?:function|const) (\w+)", (path.parent / found[2]).read_text(), re.MULTILINE)
        for name in found[1].split(", "):
            assert name in exported
            assert re.search(rf"\b{name}\b", body), f"{name} is not used"


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


# --- two Gaussians ---


@pytest.fixture(scope="module")
def gaussians():
    return Engine(interactive.script("two-gaussians"))


CLASSES = [
    {"means": means, "widths": widths, "prior": prior}
    for means in ([-1, 1], [2.5, -0.4], [0.3, 0.3], [-3, 3])
    for widths in ([1, 1], [0.4, 0.4], [1, 2.16], [2.5, 0.4], [1, 1.01])
    for prior in (0.02, 0.35, 0.5, 0.98)
]


@pytest.mark.parametrize("shared", [False, True])
def test_two_gaussians_are_gda(gaussians, shared):
    """Log odds, posterior and joint densities of GDA with the same parameters, per class and pooled."""
    for state in CLASSES:
        found = gaussians("model", state)
        x = np.array(found["x"])[:, None]
        expected = pictures.gaussian_classes(*state.values(), shared=shared)
        posterior = expected.predict_proba(x)[:, 1]
        if shared:
            theta, intercept = expected.to_linear().logistic()
            np.testing.assert_allclose(found["logistic"], posterior, rtol=1e-9)
            np.testing.assert_allclose([found["shared"]["w"], found["shared"]["b"]], [*theta, intercept], atol=1e-9)
        else:
            logs = expected.log_joint(x)
            np.testing.assert_allclose(np.transpose(found["joint"]), np.exp(logs), rtol=1e-9)
            np.testing.assert_allclose(found["posterior"], posterior, rtol=1e-9)
            np.testing.assert_allclose(found["logOdds"], logs[:, 1] - logs[:, 0], rtol=1e-9, atol=1e-9)
            parabola = found["a"] * x**2 + found["w"] * x + found["b"]
            np.testing.assert_allclose(parabola[:, 0], logs[:, 1] - logs[:, 0], rtol=1e-9, atol=1e-9)


def test_boundaries_are_where_the_classes_are_equally_probable(gaussians):
    for state in CLASSES:
        found = gaussians("model", state)
        first, second = (norm(mean, width) for mean, width in zip(state["means"], state["widths"], strict=True))

        def difference(x, first=first, second=second, prior=state["prior"]):
            return np.log(prior / (1 - prior)) + second.logpdf(x) - first.logpdf(x)

        for boundary in found["boundaries"]:
            assert abs(difference(boundary)) < 1e-9 * (1 + boundary**2)
        x = np.linspace(-60, 60, 120_001)
        changes = np.count_nonzero(np.diff(difference(x) > 0))
        assert changes == sum(abs(boundary) < 60 for boundary in found["boundaries"])


def test_the_bayes_error_is_the_integral_of_the_smaller_density(gaussians):
    for state in CLASSES:
        found = gaussians("model", state)
        first, second = (norm(mean, width) for mean, width in zip(state["means"], state["widths"], strict=True))

        def smaller(x, first=first, second=second, prior=state["prior"]):
            return min((1 - prior) * first.pdf(x), prior * second.pdf(x))

        cuts = sorted({-25, 25, *(each for each in found["boundaries"] if abs(each) < 25), *state["means"]})
        expected = sum(quad(smaller, *ends, epsabs=1e-13, epsrel=1e-12)[0] for ends in itertools.pairwise(cuts))
        assert abs(found["error"] - expected) < 1e-9


def test_equal_widths_make_a_straight_line_and_equal_means_may_leave_no_boundary(gaussians):
    found = gaussians("model", {"means": [-1, 1], "widths": [1, 1], "prior": 0.5})
    assert (found["a"], found["w"], found["b"], found["boundaries"]) == (0, 2, 0, [0])
    assert found["logistic"] == found["posterior"]
    found = gaussians("model", {"means": [1, 1], "widths": [2, 2], "prior": 0.3})
    assert found["boundaries"] == []
    assert abs(found["error"] - 0.3) < 1e-15


# --- Newton v. SGD ---


@pytest.fixture(scope="module")
def climbers():
    return Engine(interactive.script("newton-v-sgd"))


def climb(**changes):
    state = {"start": [-1.5, 0.5], "step": 1, "batch": 1, "passes": 5, "halve": False, "seed": 1}
    return state | changes


def swapped(points):
    """(b, w) of the figure as θ = (w, b) of the package, and back."""
    return np.array(points)[..., ::-1]


def test_the_people_are_of_the_census(climbers):
    census = datasets.load("howell")
    adults = census.X[:, census.feature_names.index("age")] >= 18
    height = census.X[adults, census.feature_names.index("height")]
    sample = slice(0, 16 * 22, 22)
    expected = list(zip(height[sample].round().astype(int), census.y[adults][sample].astype(int), strict=True))
    assert expected == pictures.PEOPLE
    assert [tuple(each) for each in climbers.value("PEOPLE")] == pictures.PEOPLE


def test_the_maximum_is_that_of_the_package(climbers):
    objective, found = pictures.likelihood(), climbers("maximum")
    value, gradient = objective.value_and_gradient(swapped(found))
    assert np.abs(gradient).max() < 1e-12
    np.testing.assert_allclose(newton(objective).value, value, rtol=1e-9)
    np.testing.assert_allclose(climbers("logLikelihood", found), -value, rtol=1e-12)


STARTS = [[b, w] for b in (-4, -2.5, -1.5, 0, 0.7, 2, 4) for w in (-3, -1, 0.5, 2, 4, 6)]


@pytest.mark.parametrize("halve", [False, True])
def test_newtons_steps_are_those_of_the_package(climbers, halve):
    objective = pictures.likelihood()
    left = 0
    for start in STARTS:
        found = climbers("model", climb(start=start, passes=12, halve=halve))
        path = swapped(found["paths"]["newton"])
        for here, there in itertools.pairwise(path):
            value, gradient, hessian = objective.newton_system(here)
            direction = -np.linalg.solve(hessian, gradient)
            share = 1.0
            while halve and objective.value_and_gradient(here + share * direction)[0] > value + 1e-12:
                share /= 2
            np.testing.assert_allclose(there, here + share * direction, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(
            found["values"]["newton"], [-objective.value_and_gradient(theta)[0] for theta in path], rtol=1e-9
        )
        assert (found["left"] is not None) == (np.abs(path[-1]).max() > 30)
        left += found["left"] is not None
    assert left == 0 if halve else left > 10


@pytest.mark.parametrize("step", [0.1, 1, 8, 32])
def test_gradient_steps_are_those_of_the_package(climbers, step):
    objective = pictures.likelihood()
    for start in STARTS[::4]:
        found = climbers("model", climb(start=start, step=step, passes=20))
        theta = swapped(start).astype(float)
        for here in swapped(found["paths"]["gradient"]):
            np.testing.assert_allclose(here, theta, rtol=1e-9, atol=1e-9)
            theta = theta - step * objective.value_and_gradient(theta)[1] / 16
        lost = [-objective.value_and_gradient(each)[0] for each in swapped(found["paths"]["gradient"])]
        np.testing.assert_allclose(found["values"]["gradient"], lost, rtol=1e-9)


@pytest.mark.parametrize("batch", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("seed", [1, 2, 40])
def test_stochastic_steps_are_those_of_the_package(climbers, batch, seed):
    objective = pictures.likelihood()
    found = climbers("model", climb(batch=batch, seed=seed, passes=6, step=0.8))
    theta = np.array([0.5, -1.5])
    path = [theta]
    for order in itertools.islice(pictures.orders(seed), 6):
        for k in range(0, 16, batch):
            theta = theta - 0.8 * objective.gradient_of(np.array(order[k : k + batch]), theta) / 16
            path.append(theta)
    np.testing.assert_allclose(swapped(found["paths"]["stochastic"]), path, rtol=1e-9, atol=1e-9)
    assert found["ends"]["stochastic"] == found["paths"]["stochastic"][:: 16 // batch]
    ends = [-objective.value_and_gradient(each)[0] for each in path[:: 16 // batch]]
    np.testing.assert_allclose(found["values"]["stochastic"], ends, rtol=1e-9)


def test_a_batch_of_all_rows_is_gradient_ascent(climbers):
    found = climbers("model", climb(batch=16, passes=10))
    np.testing.assert_allclose(found["paths"]["stochastic"], found["paths"]["gradient"], rtol=1e-12)


def test_newton_overshoots_from_far_away(climbers):
    found = climbers("model", climb(start=[-4, 0], passes=10))
    values = found["values"]["newton"]
    assert found["left"] == len(values) - 1 == 2
    assert values[0] > values[1] + 50 > values[2] + 10_000


def test_no_pass_leaves_all_at_the_start(climbers):
    found = climbers("model", climb(passes=0))
    assert all(path == [[-1.5, 0.5]] for path in found["paths"].values())
