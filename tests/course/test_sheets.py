"""Sheets: every formula of the sheet on naive Bayes gives what probml gives, and every link leads somewhere."""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import norm

from course.outline import MAP, notes
from course.site import links, sheets
from course.site.errors import SiteError
from probml.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FORMULA = re.compile(r"\$([^$]+)\$")
ALPHA = 0.3
K = 3
rng = np.random.default_rng(0)
y = np.arange(60) % K * (np.arange(60) % 5 > 0)  # classes of unequal size, each with all of its counts above zero
COUNTS = rng.poisson(1.5, size=(60, 5))
VALUES = np.column_stack([rng.integers(0, k, 60) for k in (2, 3, 4)])
NUMBERS = rng.normal(size=(60, 4)) * [1, 2, 3, 4] + y[:, None]


@cache
def table():
    """The cells of the sheet on naive Bayes by row and column."""
    lines = [line for line in (ROOT / "course/sheets/naive-bayes.md").read_text().splitlines() if line.startswith("|")]
    (_, *heads), _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {re.search(r"\*\*(.+)\*\*", first)[1]: dict(zip(heads, cells, strict=True)) for first, *cells in rows}


def by_class(X, statistic=np.sum):
    return np.array([statistic(X[y == j], axis=0) for j in range(K)])


# The quantities of the sheet, under its names.
V = COUNTS.shape[1]
M_j = np.bincount(y)[:, None]
pi = M_j[:, 0] / len(y)
N_jn = by_class(COUNTS)
N_j, N_n, N = N_jn.sum(axis=1, keepdims=True), N_jn.sum(axis=0), N_jn.sum()
M_jn = by_class(COUNTS > 0)
k = VALUES.max(axis=0) + 1
M_jnc = [np.array([np.bincount(VALUES[y == j, n], minlength=k[n]) for j in range(K)]) for n in range(3)]
mu, variance = by_class(NUMBERS, np.mean), by_class(NUMBERS, np.var)
shared = (M_j * variance).sum(axis=0) / len(y)


@dataclass(frozen=True)
class Variant:
    """What a column of the sheet says, as functions of alpha; alpha = 0 is the row of estimates.

    tex : formulas of the rows Estimate, Smoothed, Weight and Intercept, as the sheet has them
    parameter : the estimate by that formula; `of` the same in a fitted model
    score : weight and intercept together, for examples X
    """

    model: object
    X: np.ndarray
    tex: dict
    parameter: object
    of: object
    score: object
    log_likelihood: object


def multinomial(alpha):
    return (N_jn + alpha) / (N_j + alpha * V)


def bernoulli(alpha):
    return (M_jn + alpha) / (M_j + 2 * alpha)


def categorical(alpha):
    return [(counts + alpha) / (M_j + values * alpha) for counts, values in zip(M_jnc, k, strict=True)]


def complement(alpha):
    return (N_n - N_jn + alpha) / (N - N_j + alpha * V)


def of_values(tables):
    """log phi_jn at the value that x_n has, summed over n."""
    return sum(np.log(table).T[VALUES[:, n]] for n, table in enumerate(tables))


PRESENT = COUNTS > 0
VARIANTS = {
    "Multinomial": Variant(
        lambda alpha: MultinomialNB(alpha=alpha),
        COUNTS,
        {
            "Estimate": [r"\beta_{jn} = \dfrac{N_{jn}}{N_j}"],
            "Smoothed": [r"\beta_{jn} = \dfrac{N_{jn} + \alpha}{N_j + \alpha \lvert V \rvert}"],
            "Weight": [r"\theta_{jn} = \log \beta_{jn}"],
            "Intercept": [r"\theta_{j0} = \log \pi_j"],
        },
        multinomial,
        lambda model: np.exp(model.feature_log_prob_),
        lambda beta: np.log(pi) + COUNTS @ np.log(beta).T,
        lambda beta: np.log(np.prod(beta[None] ** COUNTS[:, None], axis=2)),
    ),
    "Bernoulli": Variant(
        lambda alpha: BernoulliNB(alpha=alpha),
        COUNTS,
        {
            "Estimate": [r"\phi_{jn} = \dfrac{M_{jn}}{M_j}"],
            "Smoothed": [r"\phi_{jn} = \dfrac{M_{jn} + \alpha}{M_j + 2 \alpha}"],
            "Weight": [r"\theta_{jn} = \log \dfrac{\phi_{jn}}{1 - \phi_{jn}}"],
            "Intercept": [r"\theta_{j0} = \log \pi_j + \sum_n \log(1 - \phi_{jn})"],
        },
        bernoulli,
        lambda model: np.exp(model.feature_log_prob_),
        lambda phi: np.log(pi) + np.log(1 - phi).sum(axis=1) + PRESENT @ np.log(phi / (1 - phi)).T,
        lambda phi: np.log(np.prod(np.where(PRESENT[:, None], phi[None], 1 - phi[None]), axis=2)),
    ),
    "Categorical": Variant(
        lambda alpha: CategoricalNB(alpha=alpha),
        VALUES,
        {
            "Estimate": [r"\phi_{jnc} = \dfrac{M_{jnc}}{M_j}"],
            "Smoothed": [r"\phi_{jnc} = \dfrac{M_{jnc} + \alpha}{M_j + k_n \alpha}"],
            "Weight": [r"\theta_{jnc} = \log \phi_{jnc}", "x_n = c"],
            "Intercept": [r"\theta_{j0} = \log \pi_j"],
        },
        lambda alpha: np.hstack(categorical(alpha)),
        lambda model: np.exp(np.hstack(model.feature_log_prob_)),
        lambda phi: np.log(pi) + of_values(np.split(phi, np.cumsum(k)[:-1], axis=1)),
        lambda phi: of_values(np.split(phi, np.cumsum(k)[:-1], axis=1)),
    ),
    "Complement": Variant(
        lambda alpha: ComplementNB(alpha=alpha),
        COUNTS,
        {
            "Estimate": [r"\bar\beta_{jn} = \dfrac{N_n - N_{jn}}{N - N_j}"],
            "Smoothed": [r"\bar\beta_{jn} = \dfrac{N_n - N_{jn} + \alpha}{N - N_j + \alpha \lvert V \rvert}"],
            "Weight": [r"\theta_{jn} = -\log \bar\beta_{jn}"],
            "Intercept": [r"\theta_{j0} = 0"],
        },
        complement,
        lambda model: np.exp(-model.feature_log_prob_),
        lambda beta: -COUNTS @ np.log(beta).T,
        lambda beta: np.log(np.prod(beta[None] ** -COUNTS[:, None], axis=2)),
    ),
}
GAUSSIAN = {
    "Estimate": [],
    "Smoothed": [],
    "Weight": [r"\theta_{jn} = \dfrac{\mu_{jn}}{\sigma_n^2}"],
    "Intercept": [r"\theta_{j0} = \log \pi_j - \sum_n \dfrac{\mu_{jn}^2}{2 \sigma_n^2}"],
}
LIKELIHOOD = {
    "Multinomial": r"\prod_n \beta_{jn}^{x_n}",
    "Bernoulli": r"\prod_n \phi_{jn}^{b_n} (1 - \phi_{jn})^{1 - b_n}",
    "Categorical": r"\prod_n \phi_{jn x_n}",
    "Gaussian": r"\prod_n \mathcal N(x_n; \mu_{jn}, \sigma_{jn}^2)",
    "Complement": r"\prod_n \bar\beta_{jn}^{-x_n}",
}


def test_the_formulas_of_the_sheet_are_those_that_are_tested_here():
    for row in ("Estimate", "Smoothed", "Weight", "Intercept"):
        for name, cell in table()[row].items():
            tested = GAUSSIAN[row] if name == "Gaussian" else VARIANTS[name].tex[row]
            assert [tex for tex in FORMULA.findall(cell) if " = " in tex] == tested, (row, name)
    for name, cell in table()["Likelihood"].items():
        assert FORMULA.findall(cell) == [LIKELIHOOD[name]]
    equations = {row for row, cells in table().items() if any(" = " in cell for cell in cells.values())}
    assert equations == {"Estimate", "Smoothed", "Weight", "Intercept"}


@pytest.mark.parametrize("alpha", [0, ALPHA])
@pytest.mark.parametrize("name", VARIANTS)
def test_estimate_score_and_likelihood(name, alpha):
    variant = VARIANTS[name]
    parameter, model = variant.parameter(alpha), variant.model(alpha).fit(variant.X, y)
    np.testing.assert_allclose(variant.of(model), parameter, rtol=1e-12)
    posterior = model.predict_proba(variant.X)
    np.testing.assert_allclose(softmax(variant.score(parameter), axis=1), posterior, rtol=1e-9)
    prior = 0 if name == "Complement" else np.log(pi)
    joint = prior + variant.log_likelihood(parameter)
    np.testing.assert_allclose(softmax(joint, axis=1), posterior, rtol=1e-9)


def test_gaussian():
    model = GaussianNB(var_smoothing=0).fit(NUMBERS, y)
    np.testing.assert_allclose(model.theta_, mu, rtol=1e-12)
    np.testing.assert_allclose(model.var_, variance, rtol=1e-12)
    joint = np.log(pi) + norm.logpdf(NUMBERS[:, None], mu, np.sqrt(variance)).sum(axis=2)
    np.testing.assert_allclose(softmax(joint, axis=1), model.predict_proba(NUMBERS), rtol=1e-9)
    smoothed = GaussianNB(var_smoothing=1e-3).fit(NUMBERS, y)
    np.testing.assert_allclose(smoothed.var_, variance + 1e-3 * NUMBERS.var(axis=0).max(), rtol=1e-12)


def test_gaussian_with_one_variance_for_all_classes_is_linear():
    score = np.log(pi) - (mu**2 / (2 * shared)).sum(axis=1) + NUMBERS @ (mu / shared).T
    model = GaussianNB(var_smoothing=0, shared_variance=True).fit(NUMBERS, y)
    np.testing.assert_allclose(softmax(score, axis=1), model.predict_proba(NUMBERS), rtol=1e-9)


def test_numbers_of_parameters():
    free = {"Multinomial": 1, "Bernoulli": 0, "Categorical": len(k), "Complement": 1}  # sums that have to be one
    cells = {"Multinomial": V - 1, "Bernoulli": V, "Categorical": (k - 1).sum(), "Complement": V - 1}
    for name, sums in free.items():
        parameter = VARIANTS[name].parameter(ALPHA)
        assert parameter.shape[1] - sums == cells[name]
        assert np.allclose(parameter.sum(axis=1), sums) == (name != "Bernoulli")


def test_with_two_classes_the_complement_is_the_multinomial_without_prior():
    two = y < 2
    expected = MultinomialNB(alpha=ALPHA, fit_prior=False).fit(COUNTS[two], y[two]).predict_proba(COUNTS)
    given = ComplementNB(alpha=ALPHA).fit(COUNTS[two], y[two]).predict_proba(COUNTS)
    np.testing.assert_allclose(given, expected, rtol=1e-9)


@pytest.mark.parametrize("name", sheets.names(ROOT))
def test_links_of_a_sheet_lead_somewhere(name):
    pages = {f"notes/{note}" for note in (MAP, *notes())} | {f"sheets/{each}" for each in sheets.names(ROOT)}
    text = (ROOT / sheets.FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert LINK.search(text)
    for target in LINK.findall(text):
        assert links.address(target, sheets.FOLDER, ROOT, pages | set(links.PAGES.values()))


@pytest.mark.parametrize("name", sheets.names(ROOT))
def test_a_sheet_begins_with_its_title(name):
    assert "one page" in sheets.title(ROOT, name)


def test_what_is_wrong_with_a_sheet_is_named(tmp_path):
    (tmp_path / sheets.FOLDER).mkdir(parents=True)
    (tmp_path / sheets.FOLDER / "a.md").write_text("No title. [Nowhere](../none.py)")
    assert sheets.names(tmp_path) == ["a"]
    with pytest.raises(SiteError, match=r"^course/sheets/a\.md must begin with its title"):
        sheets.title(tmp_path, "a")
    with pytest.raises(SiteError, match=r"^course/sheets/a\.md: the link to \.\./none\.py leads nowhere$"):
        sheets.page(tmp_path, "a", set())


def test_addresses_on_the_site():
    pages = {"sheets/naive-bayes", "notes/20-naive-bayes-by-hand"}
    assert (
        links.address("../../course/sheets/naive-bayes.md", "results/20-naive-bayes-by-hand", ROOT, pages)
        == "site:sheets/naive-bayes"
    )
    note = links.address("../../results/20-naive-bayes-by-hand/notebook.ipynb", sheets.FOLDER, ROOT, pages)
    assert note == "site:notes/20-naive-bayes-by-hand"


# The decision guide

GUIDE = [
    line for line in (ROOT / "course/sheets/which-classifier.md").read_text().splitlines() if re.match(r"[|-] ", line)
]


def said_in(note):
    """The text of an executed note, without the code of its checks."""
    cells = json.loads((ROOT / "results" / note / "notebook.ipynb").read_text())["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


@pytest.mark.parametrize("line", [line for line in GUIDE if "results/" in line], ids=lambda line: line[2:40])
def test_numbers_of_the_guide_stand_in_the_notes_it_names(line):
    linked = re.findall(r"results/([^/]+)/notebook\.ipynb", line)
    text = " ".join(said_in(note) for note in linked)
    claim = re.sub(r"\[\d\d\]\([^)]+\)", "", line)
    missing = [number for number in re.findall(r"\d[\d,.]*\d|\d", claim) if number not in text]
    assert missing == []


def test_the_guide_has_a_line_for_all_kinds_of_data():
    assert sum(line.startswith("| ") for line in GUIDE) >= 10
