"""float32 in, float32 out, where scikit-learn does so; what is computed is the same as in double precision."""

import numpy as np
import pytest
from scipy import sparse

from probml.families import Bernoulli
from probml.gda import GDA
from probml.inputs import in_precision, precision_of
from probml.linear_model import (
    GLM,
    LinearRegression,
    LinearSVC,
    LogisticRegression,
    Perceptron,
    PoissonRegression,
    SoftmaxRegression,
)
from probml.text import InverseDocumentFrequency, LogCounts, UnitLength

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

RNG = np.random.default_rng(0)
SINGLE = (RNG.standard_normal((80, 3)) + 50).astype(np.float32)
DOUBLE = SINGLE.astype(np.float64)
TWO = (SINGLE[:, 0] + RNG.standard_normal(80) > 50).astype(int)
THREE = TWO + (SINGLE[:, 1] + RNG.standard_normal(80) > 50)
MODELS = [
    LinearRegression(),
    LinearRegression(solver="lms-online"),
    PoissonRegression(),
    GLM(Bernoulli(), l2=1.0),
    LogisticRegression(l2=1.0),
    SoftmaxRegression(l2=1.0),
    SoftmaxRegression(reference=True),
    LinearSVC(),
    Perceptron(max_iter=9),
    GDA(),
    GDA(covariance="per-class"),
    GDA(covariance="shared-spherical"),
]
METHODS = ("decision_function", "predict_log_proba", "predict_proba", "predict", "transform")
every_model = pytest.mark.parametrize("model", MODELS, ids=str)


def answers(model, X, y):
    """What a fitted model says, by method; labels left out."""
    found = {name: getattr(model, name)(X) for name in METHODS if hasattr(model, name)}
    return {name: values for name, values in found.items() if values.dtype.kind == "f"}


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@every_model
def test_single_precision_is_that_of_the_double_rounded_once(model, y):
    if y.max() > 1 and isinstance(model, GLM | Perceptron) and not isinstance(model, PoissonRegression):
        pytest.skip("two classes only")
    expected = model.fit(DOUBLE, y)
    expected = {name: getattr(expected, name) for name in ("coef_", "intercept_") if hasattr(expected, name)}
    model.fit(SINGLE, y)
    for name, values in expected.items():
        if isinstance(values, np.ndarray):
            assert values.dtype == np.float64
            np.testing.assert_array_equal(getattr(model, name), values.astype(np.float32), strict=True)
    exact, rounded = answers(model, DOUBLE, y), answers(model, SINGLE, y)
    assert exact.keys() == rounded.keys()
    for name, values in exact.items():
        assert values.dtype == np.float64, "the model alone is no reason"
        np.testing.assert_array_equal(rounded[name], values.astype(np.float32), strict=True)


@every_model
def test_a_model_of_double_precision_gives_double_precision(model):
    model.fit(DOUBLE, TWO)
    assert all(values.dtype == np.float64 for values in answers(model, SINGLE, TWO).values())


@every_model
def test_labels_and_scores_are_those_of_double_precision(model):
    model.fit(SINGLE, TWO)
    if hasattr(model, "classes_"):
        np.testing.assert_array_equal(model.predict(SINGLE), model.predict(DOUBLE))
    assert model.score(SINGLE, TWO) == model.score(DOUBLE, TWO)


@pytest.mark.parametrize("model", [m for m in MODELS if m.__sklearn_tags__().input_tags.sparse], ids=str)
def test_sparse_matrices_too(model):
    X = sparse.csr_array(SINGLE)
    assert model.fit(X, TWO).coef_.dtype == np.float32
    assert all(values.dtype == np.float32 for values in answers(model, X, TWO).values())


def test_a_warm_start_goes_on_in_double_precision():
    model = LogisticRegression(l2=1.0, warm_start=True).fit(SINGLE, TWO)
    cold = model.coef_
    np.testing.assert_allclose(model.fit(SINGLE, TWO).coef_, cold, rtol=1e-6)


def test_statistics_have_double_precision():
    batches = GDA().partial_fit(SINGLE, TWO, classes=[0, 1])
    assert batches.coef_.dtype == np.float64
    assert batches.predict_proba(SINGLE).dtype == np.float64
    assert GDA().fit(SINGLE, TWO).partial_fit(SINGLE, TWO).predict_proba(SINGLE).dtype == np.float64


@pytest.mark.parametrize("model", [InverseDocumentFrequency(), LogCounts(), UnitLength()], ids=str)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_features_of_texts(model, form):
    found, expected = model.fit_transform(form(SINGLE)), model.fit_transform(form(DOUBLE))
    assert (found.dtype, expected.dtype) == (np.float32, np.float64)
    assert abs(found - expected.astype(np.float32)).max() == 0


class Table:
    """As much of a data frame as is asked for."""

    def __init__(self, *dtypes):
        self.dtypes = [np.dtype(dtype) for dtype in dtypes]


@pytest.mark.parametrize(
    ("X", "expected"),
    [
        (SINGLE, np.float32),
        (SINGLE.tolist(), np.float64),
        (SINGLE.astype(np.float16), np.float64),
        (SINGLE.astype(int), np.float64),
        (Table("f4", "f4"), np.float32),
        (Table("f4", "f8"), np.float64),
        (Table(), np.float64),
    ],
)
def test_precision_of_what_is_given(X, expected):
    assert precision_of(X) == expected


def test_what_single_precision_cannot_hold_is_refused():
    single, double = np.dtype(np.float32), np.dtype(np.float64)
    np.testing.assert_array_equal(in_precision(np.array([-np.inf, 1e-60]), single), np.float32([-np.inf, 0.0]))
    assert in_precision(np.array([1e60]), single, double)[0] == 1e60
    with pytest.raises(ValueError, match="more than float32 can hold"):
        in_precision(np.array([1e60]), single, single)
    X = (1e-38 * RNG.standard_normal((20, 1))).astype(np.float32)
    model = LinearRegression().fit(DOUBLE[:, :1], TWO)
    with pytest.raises(ValueError, match="more than float32 can hold"):
        model.fit(X, 1e10 * X[:, 0].astype(float) / 1e-38)
    assert model.coef_.dtype == np.float64, "as it was"
