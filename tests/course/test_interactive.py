"""The interactive figures: their numbers, computed in JavaScript, held against the package, and how notes show them."""

import itertools
import json
import math
import re
import warnings

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from py_mini_racer import MiniRacer
from scipy.integrate import quad
from scipy.optimize import linprog, minimize, minimize_scalar
from scipy.special import betainc, erfc, expit, gammaln
from scipy.stats import beta, norm
from sklearn.exceptions import ConvergenceWarning

from course import datasets, figures, interactive
from course.interactive import pictures
from course.interactive.bundle import EXPORT, FOLDER, IMPORT
from course.notebook import Record
from course.notebook.normal import ADDRESS, executed
from course.notebook.record import OUTPUT
from course.studies.duality import double_well
from course.studies.gda_v_logistic import delta_method, efron
from course.studies.gda_v_logistic.two_normals import TwoNormals
from course.studies.ng_jordan_redone.random_hyperplane import random_directions
from course.teaching.conjugate import BetaBernoulli
from probml import curves
from probml.linear_model import Perceptron
from probml.metrics import auc, roc_curve, threshold_for_costs
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
    assert len(html.encode()) < 36_000
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


# --- prior to posterior ---


@pytest.fixture(scope="module")
def coin():
    return Engine(interactive.script("prior-to-posterior"))


COINS = [
    {"a": a, "b": b, "heads": heads, "tails": tails}
    for a in (0.5, 1, 2, 7.5, 20)
    for b in (0.5, 1, 3, 20)
    for heads in (0, 1, 7, 100)
    for tails in (0, 2, 40, 100)
]


def test_the_coin_starts_as_its_picture(coin):
    assert tuple(coin.value("initial").values()) == pictures.COIN


def test_a_posterior_is_that_of_the_package(coin):
    for state in COINS:
        a, b, heads, tails = state.values()
        found = coin("model", state)
        data = np.arange(heads + tails) < heads
        prior = BetaBernoulli(a, b)
        posterior = prior.update(data) if len(data) else prior
        assert found["parameters"] == [posterior.a, posterior.b]
        np.testing.assert_allclose(found["mean"], posterior.mean, rtol=1e-12)
        np.testing.assert_allclose(found["interval"], posterior.interval(0.95), rtol=1e-9)
        np.testing.assert_allclose(found["logEvidence"], prior.log_evidence(data) if len(data) else 0, atol=1e-9)
        assert found["frequency"] == (heads / (heads + tails) if len(data) else None)
        blend = found["weight"] * found["priorMean"] + (1 - found["weight"]) * (found["frequency"] or 0)
        np.testing.assert_allclose(blend, found["mean"], rtol=1e-12)


def test_densities_of_the_coin_are_those_of_scipy(coin):
    for state in COINS:
        a, b, heads, tails = state.values()
        found = coin("model", state)
        phi = np.array(found["phi"])
        for name, shape in (
            ("prior", (a, b)),
            ("likelihood", (heads + 1, tails + 1)),
            ("posterior", (a + heads, b + tails)),
        ):
            np.testing.assert_allclose(found[name], beta.pdf(phi, *shape), rtol=1e-9, atol=1e-200)


def test_the_beta_distribution_in_all_its_digits(coin):
    for a, b in itertools.product((0.5, 1, 2.5, 30, 120), repeat=2):
        x = np.linspace(0, 1, 41)
        found = coin.value(f"{x.tolist()}.map((each) => betaCumulative(each, {a}, {b}))")
        np.testing.assert_allclose(found, betainc(a, b, x), rtol=1e-11, atol=1e-15)
    z = np.array([1e-3, 0.3, 0.5, 1, 1.5, 2, 7.25, 40, 240.5])
    np.testing.assert_allclose(coin.value(f"{z.tolist()}.map(logGamma)"), gammaln(z), rtol=1e-13, atol=1e-14)


# --- medical test ---


@pytest.fixture(scope="module")
def medical():
    return Engine(interactive.script("medical-test"))


SCREENINGS = [
    {"prevalence": prevalence, "sensitivity": sensitivity, "specificity": specificity}
    for prevalence in (0.001, 0.02, 0.13, 0.5)
    for sensitivity in (0.5, 0.9, 0.995, 1)
    for specificity in (0.5, 0.95, 0.995, 1)
]


def test_medical_test_gives_the_numbers_of_the_package(medical):
    """One test is Bernoulli naive Bayes with one feature, fitted to people as weights."""
    for state in SCREENINGS:
        found = medical("model", state | {"second": False, "repeat": False})
        np.testing.assert_allclose(
            found["posterior"], pictures.posterior_of_test(*state.values()), rtol=1e-9, atol=1e-12
        )


@pytest.mark.parametrize("repeat", [False, True])
def test_two_tests_are_bayes_theorem_on_the_table_of_all_results(medical, repeat):
    for state in SCREENINGS:
        prevalence, hit, specificity = state.values()
        alarm = 1 - specificity
        again = 0.5 if repeat else alarm  # P(second alarm | first, healthy)
        healthy = np.array([[1 - 2 * alarm + alarm * again, alarm * (1 - again)], [alarm * (1 - again), alarm * again]])
        ill = np.outer([1 - hit, hit], [1 - hit, hit])
        table = np.array([(1 - prevalence) * healthy, prevalence * ill])  # p(y, first, second)
        by_number = np.array([[each[0, 0], each[0, 1] + each[1, 0], each[1, 1]] for each in table])
        found = medical("model", state | {"second": True, "repeat": repeat})
        np.testing.assert_allclose(found["evidence"], by_number.sum(axis=0), rtol=1e-9, atol=1e-12)
        for k, posterior in enumerate(found["posterior"]):
            if by_number[:, k].sum() < 1e-15:
                assert posterior is None
            else:
                assert abs(posterior - by_number[1, k] / by_number[:, k].sum()) < 1e-9
                odds = found["likelihoodRatio"][k] * prevalence / (1 - prevalence)
                assert posterior == 1 or abs(odds - posterior / (1 - posterior)) < 1e-9 * (1 + odds)


def test_two_independent_tests_are_naive_bayes_and_chained_updates(medical):
    for state in SCREENINGS:
        once = medical("model", state | {"second": False, "repeat": False})["posterior"]
        twice = medical("model", state | {"second": True, "repeat": False})["posterior"]
        for k, results in ((0, (0, 0)), (1, (0, 1)), (2, (1, 1))):
            if twice[k] is None:
                continue
            belief = state["prevalence"]
            for result in results:
                belief = pictures.posterior_of_test(belief, state["sensitivity"], state["specificity"])[result]
                if belief in (0, 1):
                    break  # a certainty that no later result can change
            assert abs(twice[k] - belief) < 1e-9
        assert once[0] < state["prevalence"] <= once[1] or state["sensitivity"] == state["specificity"] == 0.5


def test_dots_are_a_thousand_people_in_proportion(medical):
    for state in SCREENINGS:
        for second, repeat in ((False, False), (True, False), (True, True)):
            found = medical("model", state | {"second": second, "repeat": repeat})
            healthy, ill = found["dots"]
            assert sum(healthy) + sum(ill) == 1000
            assert sum(ill) == round(1000 * state["prevalence"])
            for people, likelihood in zip(found["dots"], found["likelihood"], strict=True):
                assert np.isclose(sum(likelihood), 1)
                assert np.abs(np.array(people) - sum(people) * np.array(likelihood)).max() < 1
    assert medical("model", medical.value("initial"))["dots"] == [[931, 49], [2, 18]]


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


# --- prior and threshold ---


@pytest.fixture(scope="module")
def threshold():
    return Engine(interactive.script("prior-and-threshold"))


FILTERS = [
    {"prior": prior, "cut": cut, "distance": distance, "cost": cost}
    for prior in (0.01, 0.13, 0.5, 0.99)
    for cut in (-8, -1.2, 0, 2.3, 8)
    for distance in (0.5, 2.5, 4)
    for cost in (1, 10, 100)
]


def test_the_filter_starts_as_its_picture(threshold):
    found = threshold.value("initial")
    assert (found["prior"], found["distance"], found["cost"]) == pictures.FILTER


def test_rates_and_costs_are_those_of_two_normal_classes_of_the_package(threshold):
    """A message at x, of two classes of width one: its log odds by GDA, and what lies beyond the cut by SciPy."""
    for state in FILTERS:
        prior, cut, distance, cost = state.values()
        found = threshold("model", state)
        classes = pictures.gaussian_classes((0.0, distance), (1.0, 1.0), prior, shared=True)
        slope, offset = float(classes.coef_[0, 0]), float(classes.intercept_[0])
        x = (cut - offset) / slope  # where the log odds are at the cut
        fpr, tpr, missed = norm.sf(x), norm.sf(x - distance), norm.cdf(x - distance)
        np.testing.assert_allclose([found["fpr"], found["tpr"]], [fpr, tpr], rtol=1e-8, atol=1e-15)
        np.testing.assert_allclose(found["cost"], 1000 * (cost * (1 - prior) * fpr + prior * missed), rtol=1e-8)
        np.testing.assert_allclose(found["precision"], prior * tpr / (prior * tpr + (1 - prior) * fpr), rtol=1e-8)
        np.testing.assert_allclose(found["means"], [offset, slope * distance + offset], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found["auc"], norm.cdf(distance / np.sqrt(2)), rtol=1e-12)
        assert found["lost"] + found["caught"] + found["through"] <= 1000 * (1 + 1e-12)


def test_the_cheapest_cut_is_that_of_the_package(threshold):
    for state in FILTERS:
        found = threshold("model", state)
        assert found["best"]["cut"] == pytest.approx(threshold_for_costs(state["cost"], 1.0), abs=1e-12)
        assert found["best"]["threshold"] == pytest.approx(expit(found["best"]["cut"]), rel=1e-12)
        assert found["best"]["cost"] <= min(each["cost"] for each in found["along"]) + 1e-9


def test_the_roc_curve_of_the_filter_is_that_of_a_sample(threshold):
    """Not moved by the prior, and near the curve of a large sample that the package ranks."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 20_000)
    score = rng.normal(size=40_000) + 2.5 * y
    found = {prior: threshold("model", {"prior": prior, "cut": 0, "distance": 2.5, "cost": 1}) for prior in (0.1, 0.9)}
    assert found[0.1]["roc"] == found[0.9]["roc"]
    assert found[0.1]["auc"] == pytest.approx(auc(y, score), abs=0.004)
    fpr, tpr = np.array(found[0.1]["roc"])[::-1].T
    drawn = roc_curve(y, score)
    seen = drawn.false_positive_rate > 0.01  # the curve is too steep before to be compared upwards
    gap = np.interp(drawn.false_positive_rate, fpr, tpr) - drawn.true_positive_rate
    assert np.abs(gap[seen]).max() < 0.02


# --- discriminant ---


@pytest.fixture(scope="module")
def planes():
    return Engine(interactive.script("discriminant"))


ELLIPSES = [(1.6, 0.7, 45), (0.3, 2.5, 10), (1.0, 1.0, 0), (2.0, 0.5, 300)]
PLANES = [
    (((-1.5, -0.5), (1.5, 0.5)), (ELLIPSES[i], ELLIPSES[j]), prior)
    for i, j in itertools.product(range(4), repeat=2)
    for prior in (0.02, 0.5, 0.9)
]


def plane(means, ellipses, prior):
    named = [dict(zip(("long", "short", "angle"), ellipse, strict=True)) for ellipse in ellipses]
    return {"means": means, "ellipses": named, "prior": prior}


def test_the_classes_start_as_in_their_picture(planes):
    assert planes.value("initial") == json.loads(json.dumps(plane(pictures.CLASS_MEANS, pictures.CLASSES_ALIKE, 0.5)))


def test_lines_and_conics_are_those_of_the_package(planes):
    side = np.linspace(-5, 5, 9)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    for means, ellipses, prior in PLANES:
        found = planes("model", plane(means, ellipses, prior))
        qda, lda = (pictures.normal_classes(means, ellipses, prior, shared=shared) for shared in (False, True))
        np.testing.assert_allclose(found["theta"], lda.coef_[0], rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(found["offset"], lda.intercept_[0], rtol=1e-8, atol=1e-10)
        xx, xy, yy = found["A"]
        quadratic = (
            np.einsum("mi,ij,mj->m", grid, np.array([[xx, xy], [xy, yy]]), grid) + grid @ found["b"] + found["c"]
        )
        log_odds = np.diff(qda.log_joint(grid), axis=1)[:, 0]
        np.testing.assert_allclose(quadratic, log_odds, rtol=1e-8, atol=1e-8)


def test_errors_in_the_plane_are_integrals(planes):
    """Of a line in closed form; of a conic by counting draws, and for equal covariances as for the line."""
    rng = np.random.default_rng(1)
    for means, ellipses, prior in PLANES[::5]:
        found = planes("model", plane(means, ellipses, prior))
        theta, offset = np.array(found["theta"]), found["offset"]
        spread = [np.sqrt(theta @ pictures.covariance_of(ellipse) @ theta) for ellipse in ellipses]
        heights = [theta @ np.array(mean) + offset for mean in means]
        line = (1 - prior) * norm.sf(0, heights[0], spread[0]) + prior * norm.cdf(0, heights[1], spread[1])
        assert found["errors"]["lda"] == pytest.approx(line, abs=2e-5)
        model = pictures.normal_classes(means, ellipses, prior)
        wrong = 0.0
        for j, share in enumerate((1 - prior, prior)):
            draws = rng.multivariate_normal(means[j], pictures.covariance_of(ellipses[j]), size=40_000)
            wrong += share * np.mean(model.predict(draws) != j)
        assert found["errors"]["qda"] == pytest.approx(wrong, abs=0.006)
        assert found["errors"]["qda"] <= found["errors"]["lda"] + 2e-5


def test_along_theta_the_classes_are_farthest_apart(planes):
    """Fisher's criterion: the squared distance of the means over the pooled variance, in all directions."""
    for means, ellipses, prior in PLANES[::4]:
        found = planes("model", plane(means, ellipses, prior))
        pooled = sum(
            share * pictures.covariance_of(each) for share, each in zip((1 - prior, prior), ellipses, strict=True)
        )
        angles = np.linspace(0, np.pi, 20_001)
        directions = np.column_stack([np.cos(angles), np.sin(angles)])
        apart = directions @ np.subtract(*means)
        best = (apart**2 / np.einsum("mi,ij,mj->m", directions, pooled, directions)).max()
        shares = np.array([1 - prior, prior])
        widths = np.array([each["width"] for each in found["projected"]])
        gap = np.subtract(*(each["mean"] for each in found["projected"]))
        assert gap**2 / (shares @ widths**2) == pytest.approx(best, rel=1e-4)


@pytest.mark.parametrize(
    ("ellipses", "shape"),
    [
        (((1, 1, 0), (1, 1, 0)), "line"),
        (((1, 1, 0), (2, 1, 0)), "parabola"),
        (((0.7, 0.5, 0), (2, 1.6, 0)), "ellipse"),
        (((1.6, 0.7, 45), (1.6, 0.7, 135)), "hyperbola"),
    ],
)
def test_conics_have_their_names(planes, ellipses, shape):
    assert planes("model", plane(((-1, 0), (1, 0)), ellipses, 0.5))["conic"] == shape


# --- perceptron ---


@pytest.fixture(scope="module")
def perceptron():
    return Engine(interactive.script("perceptron"))


def clouds(seed):
    """Six points, three of each class, a line between them or not."""
    rng = np.random.default_rng(seed)
    classes = np.array([1, -1, 1, -1, 1, -1])
    return (rng.normal(size=(6, 2)) + np.outer(classes, [1.0, 0.5])).round(1), classes


def test_the_perceptron_starts_as_its_picture(perceptron):
    found = perceptron.value("initial")
    assert found["points"] == [list(point) for point in pictures.SIX_POINTS]
    assert found["classes"] == pictures.SIX_CLASSES
    of_picture = pictures.mistakes(np.array(pictures.SIX_POINTS, dtype=float), np.array(pictures.SIX_CLASSES))
    visits = perceptron("model", found)["visits"]
    made = [(visit["after"], visit["i"]) for visit in visits if visit["mistake"]]
    assert made == [(theta.tolist(), i) for theta, i in of_picture[1:]]


def test_the_perceptron_works_harder_as_f_comes_closer(perceptron):
    narrow, closed = (
        perceptron("model", {"points": [*pictures.SIX_POINTS[:-1], place], "classes": pictures.SIX_CLASSES})
        for place in pictures.PLACES_OF_F
    )
    assert narrow["converged"]
    assert narrow["visits"][-1]["mistakes"] == 15
    assert narrow["bound"] == pytest.approx(231)
    assert not closed["converged"]
    assert closed["bound"] is None


@pytest.mark.parametrize("seed", range(12))
def test_the_perceptron_is_that_of_the_package(perceptron, seed):
    points, classes = clouds(seed)
    found = perceptron("model", {"points": points.tolist(), "classes": classes.tolist()})
    passes = -(-len(found["visits"]) // 6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = Perceptron(max_iter=passes, tol=0).fit(points, classes)
    np.testing.assert_allclose(found["theta"], [*model.coef_[0], model.intercept_[0]], rtol=1e-9, atol=1e-9)
    if found["converged"]:
        assert found["visits"][-1]["mistakes"] == model.n_mistakes_


@pytest.mark.parametrize("seed", range(12))
def test_novikoff_holds_at_every_visit_and_the_margin_is_the_widest(perceptron, seed):
    points, classes = clouds(seed)
    found = perceptron("model", {"points": points.tolist(), "classes": classes.tolist()})
    examples = classes[:, None] * np.column_stack([points, np.ones(6)])
    solved = minimize(
        lambda v: v @ v / 2,
        np.zeros(3),
        jac=lambda v: v,
        constraints={"type": "ineq", "fun": lambda v: examples @ v - 1, "jac": lambda _: examples},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    if (examples @ solved.x).min() < 1 - 1e-6:
        assert found["margin"] is found["bound"] is None
        assert not found["converged"]
        return
    assert found["margin"] == pytest.approx(1 / np.linalg.norm(solved.x), rel=1e-6)
    assert found["radius"] == pytest.approx(np.linalg.norm(examples, axis=1).max(), rel=1e-12)
    assert found["bound"] == pytest.approx((found["radius"] / found["margin"]) ** 2, rel=1e-9)
    for visit in found["visits"]:
        length = np.linalg.norm(visit["after"])
        assert visit["mistakes"] * found["margin"] <= length * (1 + 1e-9)
        assert length <= np.sqrt(visit["mistakes"]) * found["radius"] * (1 + 1e-9)


# --- how many examples ---


@pytest.fixture(scope="module")
def learners():
    return Engine(interactive.script("how-many-examples"))


def test_the_two_classes_start_as_in_their_picture(learners):
    assert tuple(learners.value("initial").values()) == pictures.TWO_CLASSES


def test_excess_errors_are_those_of_efrons_integrals(learners):
    for delta, n, m in itertools.product((1, 1.35, 2, 2.5, 3, 3.65, 4), (2, 10, 100), (10, 237, 10_000)):
        found = learners("model", {"delta": delta, "n": n, "m": m})
        case = TwoNormals(float(delta), n=n)
        assert found["bayes"] == pytest.approx(case.bayes_error, rel=1e-12)
        assert found["efficiency"] == pytest.approx(efron.efficiency(case), rel=1e-9)
        rates = pictures.excess_rates(float(delta))
        for ours, theirs in (("gda", "GDA"), ("logistic", "logistic")):
            shift, tilt = efron.variances(case)[theirs]
            excess = (
                norm.pdf(delta / 2) / (4 * delta) * (shift + (n - 1) * tilt) / m
            )  # note 62's factor, for priors of 1/2
            assert found["errors"][ours] - found["bayes"] == pytest.approx(excess, rel=1e-9)
            assert found["needed"][ours] == pytest.approx(100 * m * excess, rel=1e-9)
            assert rates[theirs] == pytest.approx(m * excess / n, rel=1e-9)
            sizes = np.geomspace(10, 10_000, 121)
            np.testing.assert_allclose(found["curves"][ours], case.bayes_error + m * excess / sizes, rtol=1e-9)


def test_excess_errors_are_those_of_the_delta_method(learners):
    for delta, n in ((1.0, 2), (2.5, 4), (4.0, 3)):
        found = learners("model", {"delta": delta, "n": n, "m": 100})
        by_force = delta_method.excess_errors(TwoNormals(delta, n=n))
        excess = {name: 100 * (found["errors"][name] - found["bayes"]) for name in ("gda", "logistic")}
        assert excess == pytest.approx({"gda": by_force["GDA"], "logistic": by_force["logistic"]}, rel=1e-5)


def test_the_threshold_of_separation_is_the_smallest_mean_square(learners):
    """Found in JavaScript from another form of it, and by quadrature of what it is the smallest value of."""
    for delta in (1, 1.9, 2.5, 3.3, 4):
        found = learners("constants", delta)
        assert found["kappa"] == pytest.approx(pictures.existence_threshold(delta), rel=1e-9)
        least = pictures.least_examples(delta)
        assert found["least"] == pytest.approx({"gda": least["GDA"], "logistic": least["logistic"]}, rel=1e-9)

        def mean_square(t, delta=delta):
            mean, width = t * delta / 2, np.hypot(1, t)
            return quad(lambda z: (mean + width * z) ** 2 * norm.pdf(z), -mean / width, 40, epsabs=1e-13)[0]

        assert minimize_scalar(mean_square, bounds=(-50, 0), method="bounded").fun == pytest.approx(found["kappa"])
    assert pictures.existence_threshold(1e-9) == pytest.approx(0.5)  # Cover: labels without a meaning


def test_classes_are_separable_on_one_side_of_the_threshold():
    rng = np.random.default_rng(0)
    n, delta = 80, 2.0
    for share, separable in ((0.65, True), (1.5, False)):
        m = round(share * n / pictures.existence_threshold(delta))
        for _ in range(5):
            y = np.tile([-1, 1], m)[:m]
            X = rng.standard_normal((m, n))
            X[:, 0] += y * delta / 2
            rows = y[:, None] * np.column_stack([X, np.ones(m)])
            solved = linprog(np.zeros(n + 1), -rows, -np.ones(m), bounds=(None, None))
            assert (solved.status == 0) == separable


@pytest.mark.parametrize(("delta", "n"), [(1.0, 5), (2.5, 5), (3.0, 20), (4.0, 5)])
def test_where_the_formula_is_called_reliable_it_is_within_a_third(learners, delta, n):
    found = learners("model", {"delta": delta, "n": n, "m": 100})
    case, rng = TwoNormals(delta, n=n), np.random.default_rng(0)
    models = {"gda": curves.GDA(), "logistic": curves.LogisticRegression(separable="margin")}
    for name, model in models.items():
        m = math.ceil(found["reliable"][name])
        (scores,) = model.fit(case.draw(400, m, rng)).scores.values()
        theta = np.concatenate([scores.intercept, scores.coef[:, 0]], axis=1)
        measured = (case.error(theta) - case.bayes_error).mean()
        predicted = (found["errors"][name] - found["bayes"]) * 100 / m
        assert 3 / 4 < measured / predicted < 4 / 3


# --- weak duality ---


@pytest.fixture(scope="module")
def duality():
    return Engine(interactive.script("weak-duality"))


DUAL_PROBLEMS = {
    "convex": (lambda w: w**2 / 2, lambda w: 1 - w),
    "valleys": (double_well.objective, lambda w: -w),
}
DUAL_STATES = [
    {"problem": problem, "beta": beta, "level": level}
    for problem in DUAL_PROBLEMS
    for beta in (0, 0.1, 0.25, 0.3, 1, 1.5)
    for level in (-0.5, 0, 0.4, 1, 1.4)
]


def refined(f, low, high):
    """The smallest value of f between two places, by a grid and then within its cell."""
    grid = np.linspace(low, high, 4001)
    k = int(np.argmin(f(grid)))
    ends = grid[max(k - 1, 0)], grid[min(k + 1, 4000)]
    found = minimize_scalar(f, bounds=ends, method="bounded", options={"xatol": 1e-12})
    return min(float(found.fun), float(f(ends[0])), float(f(ends[1])))


def test_the_dual_starts_from_the_problems_of_the_note(duality):
    assert duality.value("initial") == {"problem": "convex", "beta": 0.3, "level": 0}
    found = duality("model", {"problem": "valleys", "beta": 0.25, "level": 0})
    w, p_star = double_well.primal()
    assert [found["primal"]["w"], found["primal"]["value"]] == pytest.approx([w, p_star], rel=1e-9)
    assert found["best"] == pytest.approx({"beta": 0.25, "dual": 0}, abs=1e-12)
    convex = duality("model", {"problem": "convex", "beta": 0.25, "level": 0})
    assert convex["primal"] == {"w": 1, "value": 0.5}
    assert convex["best"] == {"beta": 1, "dual": 0.5}


def test_bounds_and_minima_are_those_found_by_search(duality):
    for state in DUAL_STATES:
        f, g = DUAL_PROBLEMS[state["problem"]]
        slope, level = state["beta"], state["level"]
        found = duality("model", state)
        bound = refined(lambda w, f=f, g=g, slope=slope, level=level: f(w) + slope * (g(w) - level), -3, 3)
        assert found["dual"] == pytest.approx(bound, abs=1e-9)
        lowest = float(1 - level if state["problem"] == "convex" else -level)  # allowed are this w and all larger ones
        assert found["primal"]["value"] == pytest.approx(refined(f, lowest, 4), abs=1e-9)
        assert g(found["primal"]["w"]) <= level + 1e-12
        assert found["dual"] <= found["primal"]["value"] + 1e-12  # weak duality
        for each in found["touched"]:
            assert [each["f"], each["g"]] == pytest.approx([f(each["w"]), g(each["w"])], abs=1e-12)
            assert each["slackness"] == pytest.approx(slope * (g(each["w"]) - level), abs=1e-12)
            assert each["f"] + each["slackness"] == pytest.approx(found["dual"], abs=1e-12)


def test_the_dual_of_two_valleys_is_that_of_the_note(duality):
    found = duality("model", {"problem": "valleys", "beta": 0.3, "level": 0})
    np.testing.assert_allclose(found["betas"], np.linspace(0, 1.5, 151), atol=1e-12)
    np.testing.assert_allclose(found["duals"], [double_well.dual(beta) for beta in found["betas"]], atol=1e-9)
    values = [duality("model", {"problem": "valleys", "beta": 0, "level": u})["primal"]["value"] for u in found["u"]]
    np.testing.assert_allclose(found["values"], values, atol=1e-12)
    np.testing.assert_allclose(found["curve"], double_well.objective(-np.array(found["u"])), atol=1e-12)
    assert np.all(np.diff(found["values"]) <= 1e-12)  # a looser constraint costs nothing


def test_no_multiplier_is_better_than_the_best_line(duality):
    for problem, level in itertools.product(DUAL_PROBLEMS, np.linspace(-0.5, 1.4, 39).round(3)):
        found = duality("model", {"problem": problem, "beta": 0.3, "level": level})
        assert found["best"]["dual"] >= max(found["duals"]) - 1e-12
        gap = found["primal"]["value"] - found["best"]["dual"]
        assert gap >= -1e-12
        assert (gap > 1e-9) == (problem == "valleys" and abs(level) < 1)


def test_slackness_and_feasibility_hold_where_the_bound_is_reached(duality):
    """At the best line, some point that it touches is allowed and has no slack if and only if no gap remains."""
    for problem, level in itertools.product(DUAL_PROBLEMS, (-0.5, 0, 0.5, 1, 1.2, 1.4)):
        state = {"problem": problem, "beta": 0, "level": level}
        best = duality("model", state)["best"]["beta"]
        found = duality("model", state | {"beta": best})
        holds = any(each["g"] <= level + 1e-9 and abs(each["slackness"]) < 1e-9 for each in found["touched"])
        assert holds == (found["primal"]["value"] - found["dual"] < 1e-9)


def test_a_line_dragged_to_a_height_passes_there(duality):
    for problem, slope in itertools.product(DUAL_PROBLEMS, (0.05, 0.25, 0.6, 1.45)):
        height = duality("model", {"problem": problem, "beta": slope, "level": -1.4})["dual"]
        assert duality("multiplierAt", problem, height) == pytest.approx(slope, abs=1e-9)


# --- separating cone ---


@pytest.fixture(scope="module")
def cones():
    return Engine(interactive.script("separating-cone"))


def scene(seed):
    """Six examples of the two classes of the figure, whether a line through the origin separates them or not."""
    rng = np.random.default_rng(seed)
    classes = np.array(pictures.CONE_CLASSES)
    return (rng.normal(size=(6, 2)) + np.outer(classes, pictures.CONE_MEAN)).round(1), classes


def test_the_cone_starts_as_its_picture(cones):
    found = cones.value("initial")
    assert found["points"] == [list(point) for point in pictures.CONE_POINTS]
    assert found["classes"] == pictures.CONE_CLASSES
    assert cones.value("MEAN") == list(pictures.CONE_MEAN)


def test_a_cone_narrows_and_vanishes_as_in_its_picture(cones):
    widths = []
    for place in (pictures.CONE_POINTS[4], *pictures.PLACES_OF_E):
        points = [*pictures.CONE_POINTS[:4], place, pictures.CONE_POINTS[5]]
        found = cones("model", {"points": points, "classes": pictures.CONE_CLASSES, "place": 0.5})
        rows = np.array(points) * np.array(pictures.CONE_CLASSES)[:, None]
        expected = pictures.separating_angles(rows)
        widths.append(0 if found["cone"] is None else np.ptp(found["cone"]))
        assert (found["cone"] is None) == (expected is None)
        if expected is not None:
            np.testing.assert_allclose(found["cone"], expected, rtol=1e-12)
    assert widths[0] > 2 * widths[1] > widths[2] == 0


def test_cones_margins_and_errors_are_those_found_otherwise(cones):
    empty = 0
    for seed in range(60):
        points, classes = scene(seed)
        rows = classes[:, None] * points
        found = cones("model", {"points": points.tolist(), "classes": classes.tolist(), "place": 0.3})
        angles = np.linspace(-np.pi, np.pi, 36_001)
        least = (np.column_stack([np.cos(angles), np.sin(angles)]) @ rows.T).min(axis=1)
        assert (found["cone"] is None) == (not (least > 0).any())
        if found["cone"] is None:
            assert found["random"] is found["margin"] is found["mean"] is None
            empty += 1
            continue
        first, last = found["cone"]
        assert last - first == pytest.approx((least > 0).mean() * 2 * np.pi, abs=4e-4)
        inside = np.linspace(first, last, 9)[1:-1]
        assert (np.column_stack([np.cos(inside), np.sin(inside)]) @ rows.T > 0).all()
        solved = pictures.largest_margin(rows)
        assert found["margin"]["width"] == pytest.approx(1 / np.linalg.norm(solved), rel=1e-6)
        assert found["margin"]["width"] >= least.max() - 1e-12
        direction = np.array([np.cos(found["margin"]["angle"]), np.sin(found["margin"]["angle"])])
        assert (rows @ direction).min() == pytest.approx(found["margin"]["width"], rel=1e-9)
        assert first < found["margin"]["angle"] < last
        assert found["random"]["angle"] == pytest.approx(first + 0.3 * (last - first), abs=1e-12)
        for name in ("random", "margin", "best"):
            assert found[name]["error"] == pytest.approx(pictures.error_of_direction(found[name]["angle"]), rel=1e-9)
        mean = quad(pictures.error_of_direction, first, last, epsabs=1e-13)[0] / (last - first)
        assert found["mean"] == pytest.approx(mean, rel=1e-9)
    assert 5 < empty < 55


def test_errors_in_the_cone_are_those_of_two_normal_classes(cones):
    """In the coordinates of the studies: the weights turned so that the means lie on the first axis."""
    case = TwoNormals(2 * float(np.hypot(*pictures.CONE_MEAN)), n=2)
    found = cones("model", cones.value("initial"))
    assert found["best"]["error"] == pytest.approx(case.bayes_error, rel=1e-12)
    for name in ("random", "margin"):
        turned = found[name]["angle"] - found["best"]["angle"]
        assert found[name]["error"] == pytest.approx(
            case.error(np.array([0, np.cos(turned), np.sin(turned)])), rel=1e-9
        )


def test_the_mean_over_the_cone_is_that_of_random_hyperplanes(cones):
    found = cones("model", cones.value("initial"))
    rows = np.array(pictures.CONE_POINTS) * np.array(pictures.CONE_CLASSES)[:, None]
    A, inside = np.repeat(rows[None], 2000, axis=0), np.repeat(pictures.largest_margin(rows)[None], 2000, axis=0)
    w = random_directions(A, inside, [np.random.default_rng([0, k]) for k in range(2000)], 6)
    errors = norm.cdf(-(w @ pictures.CONE_MEAN) / np.linalg.norm(w, axis=1))
    assert abs(errors.mean() - found["mean"]) < 4 * errors.std() / np.sqrt(2000)


def test_an_example_at_the_origin_leaves_no_cone(cones):
    start = cones.value("initial")
    start["points"][0] = [0, 0]
    assert cones("model", start)["cone"] is None


def test_turning_everything_turns_the_cone(cones):
    """Wherever the examples lie, also across the angle at which angles start again."""
    points, classes = np.array(pictures.CONE_POINTS), pictures.CONE_CLASSES
    width = None
    for turn in np.radians(np.arange(0, 360, 15)):
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        state = {"points": (points @ rotation.T).tolist(), "classes": classes, "place": 0.5}
        found = cones("model", state)
        width = width or np.ptp(found["cone"])
        assert np.ptp(found["cone"]) == pytest.approx(width, abs=1e-12)
        first, last = found["cone"]
        assert first < found["margin"]["angle"] < last
        assert abs((first + last) / 2 - found["best"]["angle"]) <= np.pi + 1e-12
