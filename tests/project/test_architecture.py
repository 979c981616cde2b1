"""The page on how the library is built: what it names exists, its contracts are those of the code, its examples run."""

import html
import inspect
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from test_layers import LIBRARY

from course.site import drawings
from course.site.errors import SiteError
from probml import families, losses, solvers
from probml.families import ExponentialFamily, Gaussian, OneParameter
from probml.linear_model.solving import SOLVERS
from probml.losses import Logistic, Loss, Squared
from probml.naive_bayes import MixedNB
from probml.objectives import LinearObjective, Objective
from probml.solvers import newton
from probml.solvers.base import Run

ROOT = Path(__file__).parents[2]
FILE = ROOT / "course/site/pages/architecture.md"
TEXT = FILE.read_text(encoding="utf-8")
CODE = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
DRAWINGS = re.findall(r"^```mermaid\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
PROSE = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
SPANS = re.findall(r"`([^`]+)`", PROSE)
LONGEST = 60  # lines of an example


def section(title):
    return PROSE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def table(title):
    """The names in the first column of the table of a section."""
    rows = [line for line in section(title).splitlines() if line.startswith("| `")]
    return {re.split(r"[(,]", name)[0] for row in rows for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


@pytest.fixture(scope="module")
def made():
    """What the examples define."""
    names = {}
    for code in CODE:
        exec(compile(code, FILE.name, "exec"), names)
    return names


def test_examples_are_short():
    assert len(CODE) == 4
    assert all(len(code.splitlines()) < LONGEST for code in CODE)


def test_files_and_modules_exist():
    paths = [span for span in SPANS if re.fullmatch(r"(probml|tests|course)/[\w/]+(\.py)?", span)]
    assert len(paths) >= 8
    for path in paths:
        assert (ROOT / path).exists(), path
    for target in re.findall(r"\]\((\.\./[^)]+)\)", PROSE):
        assert (FILE.parent / target).resolve().exists(), target
    for name in re.findall(r"\bprobml(?:\.\w+)+", TEXT):
        import_module(name)


def test_all_names_are_names_of_the_code():
    files = [*(ROOT / "probml").rglob("*.py"), *(ROOT / "tests/probml").rglob("*.py")]
    known = set(re.findall(r"\w+", "\n".join([*(f.read_text(encoding="utf-8") for f in files), *CODE])))
    for span in SPANS:
        if not re.search(r"/|\.py$", span):
            assert set(re.findall(r"[A-Za-z_]\w+", span)) <= known | {"diagonal", "course", "batch"}, span


@pytest.mark.parametrize("title", ["A new family", "A new loss", "A new solver"])
def test_constants_stand_in_the_files_that_are_named_beside_them(title):
    for paragraph in section(title).split("\n\n"):
        named = re.findall(r"`(tests/[\w/]+\.py)`|\]\(\.\./\.\./\.\./(probml/[\w/]+\.py)\)", paragraph)
        text = "\n".join((ROOT / "".join(pair)).read_text(encoding="utf-8") for pair in named)
        for constant in re.findall(r"`([A-Z_]{4,}|exact_\w+)`", paragraph):
            assert re.search(rf"^ *(def )?{constant}\b", text, re.MULTILINE), constant


def test_contracts_are_those_of_the_code():
    assert table("A new family") == {"support", "domain"} | set(OneParameter.__abstractmethods__)
    others = set(ExponentialFamily.__abstractmethods__) - set(OneParameter.__abstractmethods__)
    stated = section("A new family").partition("Any other family")[2].partition("Override")[0]
    assert others - {"n_natural"} <= set(re.findall(r"`(\w+)`", stated))
    optional = {"curvature_bound", "self_concordance", "value_and_gradient", "all"}
    assert table("A new loss") == set(Loss.__abstractmethods__) | optional
    of_runs = {name for name in vars(Run) if not name.startswith("_")} - {"first_gradient", "goal"}
    assert table("A new solver") == {"Run"} | {f"run.{name}" for name in of_runs}
    asked = section("A new solver").partition("Of the objective")[2].partition("; each counts")[0]
    for name in re.findall(r"`(\w+)`", asked):
        assert hasattr(Objective, name), name


def test_what_is_read_first_is_short_and_keeps_the_contract():
    assert issubclass(families.Poisson, OneParameter)
    assert issubclass(losses.Squared, Loss)
    assert issubclass(losses.Logistic, Loss)
    for solver in {*SOLVERS.values(), solvers.bfgs}:
        objective, start, *options = inspect.signature(solver).parameters.values()
        assert (objective.name, start.name, start.default) == ("objective", "start", None)
        assert all(each.kind == each.KEYWORD_ONLY for each in options)
        assert {"tolerance", "max_iterations"} <= {each.name for each in options}


def test_the_layers_are_drawn_as_they_are_tested():
    layers = drawings.read(DRAWINGS[0])
    assert layers.rows == [[name] for name in layers.boxes]
    rooms = [set(re.findall(r"[a-z_]+", lines[-1])) for lines in layers.boxes.values()]
    assert rooms[:1:-1] == LIBRARY[:-1]  # from below, without notebooks and course, and without the command line


@pytest.mark.parametrize("text", DRAWINGS)
def test_drawings_are_drawn_with_words_for_those_who_cannot_see_them(text):
    drawing = drawings.read(text)
    svg = html.unescape(drawings.svg(drawing))
    assert svg.count("<rect") == len(drawing.boxes)
    assert svg.count('class="line"') == len(drawing.arrows)
    assert f"{drawing.title}: {drawing.description}" in svg


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("graph LR\n", "begins with 'flowchart TD', this one with 'graph LR'"),
        ('flowchart TD\na["A"] ---> b\n', "cannot have the line"),
        ('flowchart TD\na["A"]\na --> b\n', "from a to b: both must be boxes"),
        ('flowchart TD\na["A"]\nb["B"]\nb --> a\n', "from b to a"),
        ('flowchart TD\na["A"]\n', "needs words for those who cannot see it: accDescr"),
        (f'flowchart TD\naccTitle: t\naccDescr: d\na["{"x" * 60}"]\n', "too narrow for the 60 letters of 'xxx"),
    ],
)
def test_a_drawing_that_cannot_be_drawn(text, words):
    with pytest.raises(SiteError, match=re.escape(words)):
        drawings.svg(drawings.read(text))


def test_the_family(made):
    family = made["Geometric"]()
    p = np.array([0.2, 0.7])
    eta = family.natural(probability=p)
    x = np.arange(400.0)
    assert_allclose(np.exp(family.log_density(x[:, None], eta)), p * (1 - p) ** x[:, None], rtol=1e-12, atol=1e-300)
    assert_allclose(family.usual(eta)["probability"], p, rtol=1e-15)
    theta, h = eta[:, 0], 1e-5
    above, below = family.cumulants(theta + h), family.cumulants(theta - h)
    for order in (1, 2):
        slope = (above[order - 1] - below[order - 1]) / (2 * h)
        assert_allclose(family.cumulants(theta)[order], slope, rtol=1e-8)
    draws = family.sample(eta, np.random.default_rng(0), 100_000)
    assert_allclose(family.usual(family.mle(family.collect(draws)))["probability"], p, rtol=0.02)
    assert_allclose(draws.mean(axis=0), family.mean(eta), rtol=0.02)
    certain = family.natural(probability=1.0)
    assert family.log_density(0, certain) == 0
    assert family.log_density(3, certain) == -np.inf
    with pytest.raises(ValueError, match="must be above 0, received 0"):
        family.natural(probability=0.0)
    y = np.repeat([0, 1], 200)
    X = np.column_stack([np.random.default_rng(1).normal(y), draws[:400].T.ravel()[:400]])
    assert MixedNB(families=[Gaussian(), family]).fit(X, y).score(X, y) > 0.6


def test_the_loss_and_its_estimator(made):
    loss = made["PseudoHuber"]()
    y, z, h = np.zeros(2001), np.linspace(-10, 10, 2001), 1e-5
    assert_allclose(loss.value(y, z), np.sqrt(1 + z**2) - 1, rtol=1e-9, atol=1e-15)
    assert_allclose(loss.gradient(y, z), (loss.value(y, z + h) - loss.value(y, z - h)) / (2 * h), atol=1e-9)
    assert_allclose(loss.curvature(y, z), (loss.gradient(y, z + h) - loss.gradient(y, z - h)) / (2 * h), atol=1e-9)
    third = (loss.curvature(y, z + h) - loss.curvature(y, z - h)) / (2 * h)
    assert np.max(np.abs(third) / loss.curvature(y, z)) == pytest.approx(loss.self_concordance, rel=1e-6)
    assert loss.curvature(y, z).max() == loss.curvature_bound
    assert loss.value(np.zeros(1), np.array([1e300])) == 1e300
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = X @ [1.0, -2.0, 0.5] + 3 + 0.1 * rng.normal(size=300)
    y[:15] += 1000  # far off
    model = made["RobustRegression"](l2=0.01).fit(X, y)
    assert model.solution_.certificate.converged
    assert_allclose(model.coef_, [1.0, -2.0, 0.5], atol=0.1)
    assert_allclose(model.predict(X), X @ model.coef_ + model.intercept_)


def test_the_solver(made):
    solver = made["diagonal_newton"]
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4)) * 10.0 ** np.arange(-2, 2)
    for loss, y in ((Squared(), rng.normal(size=80)), (Logistic(), rng.integers(0, 2, 80))):
        objective = LinearObjective(X, y, loss, l2=0.5)
        found, best = solver(objective), newton(objective)
        assert found.certificate.converged
        assert found.certificate.gap < 1e-6
        assert_allclose(found.theta, best.theta, rtol=1e-4, atol=1e-6)
        values = np.array([step.value for step in found.trace])
        assert np.all(np.diff(values) <= 4 * np.spacing(values[:-1]))  # at the minimum sums differ in their last digits
    stopped = solver(objective, tolerance=1e-14, max_iterations=1)
    assert not stopped.certificate.converged
    assert stopped.iterations == 1
