"""What README.md says in numbers and by name: first screen, example, agreement with scikit-learn, benchmarks.

Of the other sentences, those on killed runs and on two at once are held by tests/course/test_run.py and test_faults.py,
those on environment variables by test_run.py and test_results.py there, that on a damaged .venv by test_setup.py here.
"""

import inspect
import json
import re
import warnings
from base64 import b64encode
from pathlib import Path

import numpy as np
import pytest
import sklearn.discriminant_analysis as sklearn_discriminant
import sklearn.linear_model as sklearn_linear
import sklearn.naive_bayes as sklearn_bayes
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import StandardScaler

from benchmarks.report import Verdict, peers, with_verdict
from benchmarks.store import load, rows
from course import interactive
from probml import families, linear_model, naive_bayes, solvers
from probml.families import ExponentialFamily
from probml.gda import GDA
from probml.linear_model import (
    LinearRegression,
    LinearSVC,
    LogisticRegression,
    Perceptron,
    PoissonRegression,
    SoftmaxRegression,
)
from probml.linear_model.solving import LARGEST_TO_SOLVE
from probml.solvers import largest_curvature
from probml.text import BagOfWords

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROSE = " ".join(README.split())
NAIVE_BAYES = [name for name in naive_bayes.__all__ if hasattr(sklearn_bayes, name)]
DIGITS = 1e-10
EXACT = {"solver": "newton-cholesky", "tol": 1e-14, "max_iter": 1000}


def public(names):
    return {name for name in names if not name.startswith("_")}


def small_counts():
    rng = np.random.default_rng(0)
    return rng.poisson(2, (60, 4)), np.arange(60) % 3


def agree(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=DIGITS, atol=DIGITS * np.abs(theirs).max())


def test_the_caption_of_the_first_figure():
    file = ROOT / "results/20-naive-bayes-by-hand/posterior-of-china.json"
    posterior = {model: f"{value:.2f}" for model, value in json.loads(file.read_text("utf-8")).items()}
    assert f"the fifth is about China with probability {posterior['multinomial']}, and" in PROSE
    assert f"Bernoulli naive Bayes says {posterior['Bernoulli']};" in PROSE


def test_the_first_screen_has_a_figure_and_a_picture_of_an_interactive_one():
    """Both lead to the note that shows them."""
    first_screen = README.partition("\n## ")[0]
    shown = re.findall(
        r'<a href="results/([^/]+)/notebook\.ipynb"><img src="results/([^/]+)/([^"]+)\.png"', first_screen
    )
    assert [note for note, folder, _ in shown if note != folder] == []
    figure, picture = (name for _, _, name in shown)
    assert not figure.startswith("interactive-")
    assert picture.removeprefix("interactive-") in interactive.names()
    for note, _, name in shown:
        executed = (ROOT / "results" / note / "notebook.ipynb").read_text(encoding="utf-8")
        png = (ROOT / "results" / note / f"{name}.png").read_bytes()
        assert b64encode(png).decode() in executed.replace("\\n", "")


def test_how_many_solvers_and_families_there_are():
    made = [each for each in vars(solvers).values() if inspect.isfunction(each) and each is not largest_curvature]
    assert len(made) == 12
    assert "twelve `solvers`" in PROSE
    own = [each for each in vars(families).values() if inspect.isclass(each) and issubclass(each, ExponentialFamily)]
    assert len([each for each in own if not inspect.isabstract(each)]) == 7
    assert "seven exponential `families`" in PROSE


@pytest.mark.parametrize("name", NAIVE_BAYES)
def test_naive_bayes_has_all_that_its_namesake_has(name):
    ours, theirs = getattr(naive_bayes, name), getattr(sklearn_bayes, name)
    X, y = small_counts()
    assert set(inspect.signature(theirs).parameters) <= set(inspect.signature(ours).parameters)
    assert public(dir(theirs().fit(X, y))) <= public(dir(ours().fit(X, y)))


def test_bag_of_words_has_all_parameters_of_its_namesake():
    assert set(inspect.signature(CountVectorizer).parameters) <= set(inspect.signature(BagOfWords).parameters)


@pytest.mark.parametrize(
    "model", [each for name in linear_model.__all__ if issubclass(each := getattr(linear_model, name), BaseEstimator)]
)
def test_parameters_that_linear_models_share_with_scikit_learn(model):
    parameters = inspect.signature(model).parameters
    assert {"tol", "max_iter", "warm_start"} <= set(parameters)
    assert "class_weight" in parameters or not issubclass(model, ClassifierMixin)
    if model is not Perceptron:
        assert parameters["l2"].default == (1 if model is LinearSVC else 0)


@pytest.mark.parametrize("model", [LogisticRegression(l2=1.0), SoftmaxRegression(l2=1.0), GDA()], ids=str)
def test_single_precision_stays_single_precision(model):
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    expected, single = model.fit(X, y).coef_, X.astype(np.float32)
    assert model.fit(single, y).coef_.dtype == model.predict_proba(single).dtype == np.float32
    np.testing.assert_allclose(model.coef_, expected, rtol=1e-4, atol=1e-4)
    assert "have float32 coefficients, and return float32 probabilities for a float32 X" in PROSE


def test_five_classes_of_naive_bayes_have_a_namesake():
    assert len(NAIVE_BAYES) == 5
    assert "The five classes of naive Bayes that scikit-learn has too" in PROSE


@pytest.mark.parametrize("name", NAIVE_BAYES)
def test_naive_bayes_agrees_to_ten_digits(name):
    X, y = load_digits(return_X_y=True)
    options = {"min_categories": 17} if name == "CategoricalNB" else {}
    ours, theirs = (getattr(module, name)(**options).fit(X[::2], y[::2]) for module in (naive_bayes, sklearn_bayes))
    agree(ours.predict_log_proba(X[1::2]), theirs.predict_log_proba(X[1::2]))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (GDA(), sklearn_discriminant.LinearDiscriminantAnalysis()),
        (GDA(covariance="per-class"), sklearn_discriminant.QuadraticDiscriminantAnalysis()),
    ],
)
def test_gda_agrees_to_ten_digits(ours, theirs):
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    agree(ours.fit(X, y).predict_log_proba(X), theirs.fit(X, y).predict_log_proba(X))


@pytest.mark.parametrize(
    ("ours", "theirs", "data"),
    [
        (LinearRegression(), sklearn_linear.LinearRegression(), load_diabetes),
        (LogisticRegression(l2=1), sklearn_linear.LogisticRegression(**EXACT), load_breast_cancer),
        (SoftmaxRegression(l2=1), sklearn_linear.LogisticRegression(**EXACT), load_wine),
        (LogisticRegression(l2=1), sklearn_linear.LogisticRegression(**EXACT), load_wine),
        (PoissonRegression(), sklearn_linear.PoissonRegressor(alpha=0, **EXACT), load_diabetes),
    ],
)
def test_linear_models_agree_to_ten_digits(ours, theirs, data):
    X, y = data(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # theirs cannot meet a tolerance of rounding errors
        theirs.fit(X, y)
    ours.fit(X, y)
    agree(ours.coef_, theirs.coef_)
    agree(ours.intercept_, theirs.intercept_)


def test_models_without_a_hessian_agree_to_five_digits():
    rng = np.random.default_rng(1)
    X = sparse.random_array((3000, 1200), density=0.02, rng=rng, format="csr")
    y = X @ rng.standard_normal(1200) + rng.logistic(size=3000) > 0
    assert X.shape[1] + 1 > LARGEST_TO_SOLVE == 1000
    ours = LogisticRegression(l2=1).fit(X, y)
    theirs = sklearn_linear.LogisticRegression(solver="newton-cholesky", tol=1e-14, max_iter=100)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        theirs.fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=1e-5 * np.abs(theirs.coef_).max())


def test_how_many_formulas_are_compared_with_the_library():
    ledger = json.loads((ROOT / "results/equations.json").read_text(encoding="utf-8"))
    compared = sum(bool(each["code"]) for each in ledger["equations"])
    assert compared == sum(of_lecture["compared"] for of_lecture in ledger["library"].values())
    assert f"{compared} of the formulas are also compared, by name, with what the library computes" in PROSE


def test_how_many_rows_of_the_benchmarks_are_ahead():
    stored = rows(load())
    ahead, behind = (len(with_verdict(stored, which)) for which in (Verdict.AHEAD, Verdict.BEHIND))
    assert f"ahead of the fastest peer in {ahead} of {len(peers(stored))} rows and behind in {behind}" in PROSE


def test_the_example_on_data():
    """It goes on from the first example, which tests/project/test_wheel.py runs by itself."""
    first, example, _ = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    known: dict[str, object] = {}
    exec(first, known)
    exec(example, known)
    said = re.search(r"model\.score\(.*\)  # ([\d.]+)", example)[1]
    score = eval(re.search(r"model\.score\(.*?\n", example)[0], known)
    assert f"{score:.3f}" == said
    np.testing.assert_allclose(known["same"].feature_log_prob_, known["model"].feature_log_prob_, rtol=1e-13)


def test_the_example_of_more_data_than_memory():
    example = README.partition("## More data than memory\n")[2].partition("```python\n")[2].partition("```")[0]
    known: dict[str, object] = {}
    exec(example, known)
    said = re.search(r"large\.coef_  # (.*)", example)[1]
    assert ", ".join(f"{w:.2f}" for w in known["large"].coef_[0]) == said
