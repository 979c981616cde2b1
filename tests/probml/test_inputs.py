"""No model and no measure changes what it is given, whatever its form; and every form gives the same answers.

Models and functions are found by looking through the package, so that a new one cannot be forgotten.
"""

import importlib
import inspect
import pickle
import pkgutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier

import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import probml
from probml import curves, inputs, metrics, objectives, text
from probml.curves import learning_curves
from probml.errors import ParameterError
from probml.families import Bernoulli, Gamma, Gaussian, Poisson
from probml.inputs import canonical
from probml.linear_model import LinearRegression, LogisticRegression
from probml.losses import Log, Squared
from probml.objectives import LinearObjective, SoftmaxObjective
from probml.objectives.private_columns import PrivateColumns
from probml.text import BagOfWords, UnitLength

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def found_models():
    """Every class of the package that can be fitted, abstract ones left out."""
    modules = [module.name for module in pkgutil.walk_packages(probml.__path__, "probml.", onerror=None)]
    found = set()
    for name in modules:
        found |= {each for each in vars(importlib.import_module(name)).values() if inspect.isclass(each)}
    ours = [each for each in found if issubclass(each, BaseEstimator) and each.__module__.startswith("probml.")]
    fitted = [each for each in ours if hasattr(each, "fit") and not inspect.isabstract(each)]
    return sorted(fitted, key=lambda each: each.__name__)


PRIOR = [0.2, 0.3, 0.5]
FOUND = found_models()
NEEDED = {"GLM": {"family": Poisson()}, "Perceptron": {"max_iter": 20}}  # what a class cannot do without
OTHER_OPTIONS = {  # other ways through the code, and options that could be changed
    "BagOfWords": [{"stop_words": ["a"]}, {"vocabulary": ["cat", "dog"]}],
    "BernoulliNB": [{"class_prior": PRIOR}, {"alpha": np.full(5, 0.5)}],
    "CategoricalNB": [{"min_categories": np.full(5, 40)}],
    "ComplementNB": [{"norm": True, "alpha": np.full(5, 0.5)}],
    "GDA": [{"covariance": "per-class", "priors": np.array(PRIOR)}, {"covariance": "diagonal", "shrinkage": 0.1}],
    "GLM": [{"family": Gaussian()}, {"family": Gamma(), "link": Log()}, {"family": Bernoulli(), "l2": 0.5}],
    "GaussianNB": [{"shared_variance": True, "priors": PRIOR}],
    "LinearRegression": [
        {"l2": 1.0},
        {"solver": "lms-batch", "max_iter": 9},
        {"solver": "lms-online"},
    ],
    "LinearSVC": [{"l2": 0.1}],
    "LogisticRegression": [
        {"solver": solver, "solver_options": options, "l2": 0.1}
        for solver, options in [("newton", {}), ("irls", {}), ("bfgs", {}), ("lbfgs", {"memory": 3}), ("newton-cg", {})]
    ],
    "MixedNB": [{"families": [Gaussian()] * 3 + [Poisson()] * 2, "priors": PRIOR}],
    "MultinomialNB": [{"class_prior": np.array(PRIOR), "alpha": np.full(5, 0.5)}, {"alpha": 0}],
    "NBSVM": [{"binarise": False, "beta": 1.0}],
    "PoissonRegression": [{"l2": 1.0}],
    "SoftmaxRegression": [{"reference": True, "l2": 1.0}, {"solver": "newton-cg", "l2": 0.1}],
}


def signature_of_fit(model):
    return inspect.signature(model.fit).parameters


def models():
    for each in FOUND:
        needed = NEEDED.get(each.__name__, {})
        yield each, needed
        yield from ((each, needed | other) for other in OTHER_OPTIONS.get(each.__name__, []))


def name(value):
    return value.__name__ if inspect.isclass(value) else ""


every_model = pytest.mark.parametrize(("model", "options"), [*models()], ids=name)
every_sparse_model = pytest.mark.parametrize(
    ("model", "options"),
    [(model, options) for model, options in models() if model(**options).__sklearn_tags__().input_tags.sparse],
    ids=name,
)


# What is given

rng = np.random.default_rng(0)
COUNTS = rng.poisson(1.2, (60, 5)) * rng.integers(1, 4, (60, 5)) * 1.0
D = COUNTS * [1, 1, 2.0**-30, 1, 1]  # a column that is not of the size of the others is scaled
CLASSES, ANSWERS = rng.integers(0, 3, 60), 1 + rng.poisson(2.0, 60)
TEXTS = ["a cat and a dog", "A Dog, a cat", "the mouse", "dog eats mouse and cat"] * 15


def data_of(model):
    """X, y and what else `fit` takes, for a model."""
    tags = model.__sklearn_tags__()
    if tags.input_tags.string:
        return TEXTS, None, {}
    X = COUNTS if tags.input_tags.categorical else D
    y = CLASSES if is_classifier(model) else ANSWERS
    by_name = isinstance(model, LogisticRegression) and model.solver != "auto"  # some solvers are for one predictor
    if by_name or (is_classifier(model) and not tags.classifier_tags.multi_class):
        y = np.where(CLASSES == 2, 1, CLASSES)
    if isinstance(getattr(model, "family", None), Bernoulli):
        y = ANSWERS % 2
    numbers = {"sample_weight": 0.5 + ANSWERS % 3, "offset": 0.01 * ANSWERS, "exposure": 1.0 + ANSWERS}
    asked = inspect.signature(model.fit).parameters
    return X, y, {name: values.astype(float) for name, values in numbers.items() if name in asked}


def in_rows(D, split, reverse, zeros):
    """data, indices and indptr of D; entries may be stored as two halves, in falling order, and zeros stored too."""
    data, indices, indptr = [], [], [0]
    for row in D:
        columns = np.arange(len(row)) if zeros else np.flatnonzero(row)
        columns = np.repeat(columns[::-1] if reverse else columns, 1 + split)
        if split:
            columns = np.concatenate([columns[::2], columns[1::2]])
        data += [*(row[columns] / (1 + split))]
        indices += [*columns]
        indptr.append(len(indices))
    return np.array(data), np.array(indices, dtype=np.int32), np.array(indptr, dtype=np.int32)


def csr(D, kind=sparse.csr_array, split=False, reverse=False, zeros=False, index=np.int32, claim=False, room=0):
    data, indices, indptr = in_rows(D, split, reverse, zeros)
    X = kind((data, indices.astype(index), indptr.astype(index)), shape=D.shape)
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    if claim:
        X.has_canonical_format = True  # as it would remember, had it been so when it was asked last
    if room:
        X.data, X.indices = np.append(X.data, [7.0] * room), np.append(X.indices, [0] * room).astype(index)
    return X


def csc(D, kind=sparse.csc_array):
    T = csr(D.T, split=True, reverse=True)
    return kind((T.data, T.indices, T.indptr), shape=D.shape)


def coo(D, kind=sparse.coo_array, index=np.int32):
    row, column = np.nonzero(np.ones(D.shape))
    order = np.random.default_rng(1).permutation(2 * D.size) % D.size
    where = row[order].astype(index), column[order].astype(index)
    return kind((D[where] / 2, where), shape=D.shape)


SPARSE_FORMS = {
    "canonical": csr,
    "canonical matrix": lambda D: csr(D, sparse.csr_matrix),
    "unsorted": lambda D: csr(D, reverse=True),
    "unsorted matrix": lambda D: csr(D, sparse.csr_matrix, reverse=True),
    "duplicated": lambda D: csr(D, split=True),
    "unsorted and duplicated": lambda D: csr(D, split=True, reverse=True),
    "stored zeros": lambda D: csr(D, zeros=True),
    "all of it": lambda D: csr(D, sparse.csr_matrix, split=True, reverse=True, zeros=True, index=np.int64),
    "int64": lambda D: csr(D, index=np.int64),
    "unsorted int64": lambda D: csr(D, index=np.int64, reverse=True),
    "said to be canonical": lambda D: csr(D, split=True, reverse=True, claim=True),
    "with room for more": lambda D: csr(D, room=9),
    "csc": csc,
    "csc matrix": lambda D: csc(D, sparse.csc_matrix),
    "coo": coo,
    "coo matrix": lambda D: coo(D, sparse.coo_matrix, np.int64),
    "bsr": lambda D: sparse.bsr_array(D),
    "lil": lambda D: sparse.lil_array(D),
    "dok": lambda D: sparse.dok_array(D),
    "dia": lambda D: sparse.dia_array(D),
}
HARD = "all of it"
DENSE_FORMS = {
    "list": lambda D: D.tolist(),
    "columns": np.asfortranarray,
    "a part": lambda D: np.repeat(np.repeat(D, 2, axis=0), 3, axis=1)[::2, ::3],
}


def read_only(X):
    """X, with all its arrays read-only; but not the lists of LIL, which SciPy itself can then not read."""
    arrays = [X] if isinstance(X, np.ndarray) else vars(X).values() if sparse.issparse(X) and X.format != "lil" else []
    for each in arrays:
        for array in each if isinstance(each, tuple) else [each]:
            if isinstance(array, np.ndarray):
                array.setflags(write=False)
    return X


def bits(X):
    """All that X holds, but for what a sparse matrix may note about its own order."""
    if not sparse.issparse(X):
        return pickle.dumps(X)
    return pickle.dumps({key: value for key, value in vars(X).items() if "has_" not in key})


# What comes out

METHODS = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "predict_joint_log_proba",
    "log_joint",
    "log_marginal",
    "decision_function",
    "transform",
)


def answers(model, X, y, given):
    """Parameters of a fitted model, and what it says about X."""
    values = {key: value for key, value in vars(model).items() if key.endswith("_") and not key.startswith("_")}
    for key in ("solution_", "statistics_"):  # with times; with what other attributes show
        values.pop(key, None)
    values |= {method: getattr(model, method)(X) for method in METHODS if hasattr(model, method)}
    if hasattr(model, "score"):
        values["score"] = model.score(X, y, **{key: value for key, value in given.items() if key == "sample_weight"})
    if hasattr(model, "to_linear"):
        with suppress(ValueError):  # of a posterior that is not linear, or has infinite weights
            values["to_linear"] = model.to_linear().predict_log_proba(X)
    return {key: value.toarray() if sparse.issparse(value) else value for key, value in values.items()}


def fitted(model, X, y, given):
    model = clone(model)
    return model.fit(X, **given) if y is None else model.fit(X, y, **given)


def assert_same(found, expected, **tolerance):
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        for ours, theirs in zip(
            *(each if isinstance(each, list) else [each] for each in (found[key], value)), strict=True
        ):
            if tolerance and np.asarray(theirs).dtype.kind == "f":
                np.testing.assert_allclose(ours, theirs, err_msg=key, **tolerance)
            else:
                np.testing.assert_array_equal(ours, theirs, err_msg=key)


def assert_left_alone(model, X, y, given):
    """Fit and ask, and see that nothing that was given has changed; gives back the answers."""
    everything = [X, y, *given.values()]
    before, options = [bits(each) for each in everything], pickle.dumps(model.get_params())
    found = answers(fitted(model, X, y, given), X, y, given)
    assert [bits(each) for each in everything] == before
    assert pickle.dumps(model.get_params()) == options
    return found


# Models


def test_all_models_are_found():
    assert {"BagOfWords", "GDA", "GLM", "MultinomialNB", "NBSVM", "UnitLength"} < {each.__name__ for each in FOUND}
    assert set(OTHER_OPTIONS) | set(NEEDED) <= {each.__name__ for each in FOUND}


@every_model
def test_a_dense_matrix_is_left_alone(model, options):
    model = model(**options)
    X, y, given = data_of(model)
    expected = assert_left_alone(model, X, y, given)
    if model.__sklearn_tags__().input_tags.string:
        forms = {"tuple": tuple, "array": lambda X: np.array(X, dtype=object)}
    else:
        forms = DENSE_FORMS
    for form in [np.array, *forms.values()]:
        found = assert_left_alone(model, read_only(form(X)), y, given)
        assert_same(found, expected, rtol=1e-9, atol=1e-12)


@every_model
def test_answers_weights_and_options_may_be_read_only(model, options):
    options = {
        key: read_only(np.array(value)) if key != "families" and np.ndim(value) else value
        for key, value in options.items()
    }
    if model is BagOfWords:
        options.pop("stop_words", None)  # a list, and nothing else
    plain = model(**options)
    X, y, given = data_of(plain)
    frozen = {key: read_only(values.copy()) for key, values in given.items()}
    expected = answers(fitted(plain, X, y, given), X, y, given)
    found = assert_left_alone(plain, X, None if y is None else read_only(y.copy()), frozen)
    assert_same(found, expected)


@every_sparse_model
def test_a_sparse_matrix_is_left_alone_in_every_form(model, options):
    default = options == NEEDED.get(model.__name__, {})
    model = model(**options)
    D, y, given = data_of(model)
    expected = answers(fitted(model, csr(D), y, given), csr(D), y, given)
    for form in SPARSE_FORMS if default else ["unsorted", "said to be canonical", HARD]:
        assert_same(assert_left_alone(model, SPARSE_FORMS[form](D), y, given), expected)
        assert_same(assert_left_alone(model, read_only(SPARSE_FORMS[form](D)), y, given), expected)


@every_sparse_model
def test_a_sparse_matrix_gives_what_a_dense_one_gives(model, options):
    model = model(**options)
    D, y, given = data_of(model)
    expected = answers(fitted(model, D, y, given), D, y, given)
    found = answers(fitted(model, SPARSE_FORMS[HARD](D), y, given), SPARSE_FORMS[HARD](D), y, given)
    for each in (found, expected):
        each.pop("n_iter_", None)  # sums in another order may take another step
    assert_same(found, expected, rtol=1e-7, atol=1e-9)


@every_sparse_model
def test_eight_threads_may_fit_the_same_matrix_at_once(model, options):
    model = model(**options)
    D, y, given = data_of(model)
    X = SPARSE_FORMS[HARD](D)
    expected, before = answers(fitted(model, csr(D), y, given), csr(D), y, given), bits(X)
    together = Barrier(8)

    def fit_and_ask(_):
        together.wait()
        return answers(fitted(model, X, y, given), X, y, given)

    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(fit_and_ask, range(8)):
            assert_same(found, expected)
    assert bits(X) == before


@pytest.mark.parametrize("form", ["canonical", HARD])
@pytest.mark.parametrize(
    "model",
    [each for each in FOUND if hasattr(each, "transform") and each().__sklearn_tags__().input_tags.sparse],
    ids=name,
)
def test_what_is_transformed_shares_nothing_with_what_was_given(model, form):
    X = SPARSE_FORMS[form](D)
    out = model().fit(X).transform(X)
    for ours in (out.data, out.indices, out.indptr):
        assert not any(np.shares_memory(ours, theirs) for theirs in (X.data, X.indices, X.indptr))


@pytest.mark.parametrize("form", SPARSE_FORMS)
@pytest.mark.parametrize("model", [each for each in FOUND if hasattr(each, "partial_fit")], ids=name)
def test_batches_and_statistics_leave_a_matrix_alone(model, form):
    tags = model().__sklearn_tags__().input_tags
    X = SPARSE_FORMS[form](D) if tags.sparse else read_only((COUNTS if tags.categorical else D).copy())
    before = bits(X)
    whole = model().fit(csr(D) if tags.sparse else X, CLASSES)
    for found in (
        model().partial_fit(X, CLASSES, classes=[0, 1, 2]),
        model.from_statistics(model.statistics(X, CLASSES)),
    ):
        assert_same(answers(found, X, CLASSES, {}), answers(whole, X, CLASSES, {}))
    assert bits(X) == before


# The entrance itself


def test_a_canonical_matrix_is_not_copied():
    X = csr(D)
    found = canonical(X)
    assert found is not X
    assert all(np.shares_memory(getattr(found, part), getattr(X, part)) for part in ("data", "indices", "indptr"))
    assert canonical(D) is D


@pytest.mark.parametrize("form", SPARSE_FORMS)
def test_canonical_form(form):
    found, expected = canonical(SPARSE_FORMS[form](D)), csr(D)
    assert isinstance(found, sparse.csr_array)
    for part in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(found, part), getattr(expected, part))


SMALL_DTYPES = {"bool": (bool, 1, 1), "int8": (np.int8, 100, -56)}


@pytest.mark.parametrize(("dtype", "half", "whole"), SMALL_DTYPES.values(), ids=SMALL_DTYPES)
@pytest.mark.parametrize("entrance", ["examples", "training_examples", "matrix"])
def test_entries_of_a_cell_are_added_up_in_the_dtype_of_the_matrix(entrance, dtype, half, whole):
    """As SciPy's `toarray` adds them up: True + True is True, and 100 + 100 is -56 in eight bits."""
    X = sparse.csr_array((np.full(4, half, dtype), [0, 0, 1, 0], [0, 2, 3, 4]), shape=(3, 2))
    enter = {
        "examples": lambda X: inputs.examples(UnitLength(), X, reset=True, accept_sparse="csr", dtype=np.float64),
        "training_examples": lambda X: inputs.training_examples(
            LogisticRegression(), X, [0, 1, 1], accept_sparse="csr", dtype=np.float64
        )[0],
        "matrix": lambda X: inputs.matrix(X, dtype=np.float64),
    }[entrance]
    expected = [[whole, 0], [0, half], [half, 0]]
    for form in (X, X.tocsc(), X.tocoo(), X.toarray(), sparse.csr_matrix(X)):
        found = enter(form)
        assert found.dtype == np.float64
        np.testing.assert_array_equal(found.toarray() if sparse.issparse(found) else found, expected)


@pytest.mark.parametrize(("dtype", "half", "whole"), SMALL_DTYPES.values(), ids=SMALL_DTYPES)
def test_a_model_of_entries_stored_twice_is_that_of_the_dense_matrix(dtype, half, whole):
    X = sparse.csr_array((np.full(4, half, dtype), [0, 0, 1, 0], [0, 2, 3, 4]), shape=(3, 2))
    y = [1.0, 2.0, 4.0]
    expected = LinearRegression(l2=1.0).fit(np.array([[whole, 0.0], [0.0, half], [half, 0.0]]), y).coef_
    for form in (X, X.tocsc(), X.tocoo(), X.toarray()):
        np.testing.assert_allclose(LinearRegression(l2=1.0).fit(form, y).coef_, expected, rtol=1e-12)


def test_a_canonical_matrix_of_float64_enters_without_a_copy():
    X = csr(D)
    found = inputs.examples(UnitLength(), X, reset=True, accept_sparse="csr", dtype=np.float64)
    assert all(np.shares_memory(getattr(found, part), getattr(X, part)) for part in ("data", "indices", "indptr"))


def test_entries_of_a_cell_that_cancel_are_no_entry_and_those_too_large_are_refused():
    where = ([0, 0], [0, 0])
    assert canonical(sparse.coo_array(([2.0, -2.0], where), shape=(1, 2)).tocsr()).nnz == 0
    twice = sparse.csr_array(([1e308, 1e308], [0, 0], [0, 2]), shape=(1, 2))
    with pytest.raises(ValueError, match="X contains infinity"):
        canonical(twice)


@pytest.mark.parametrize("form", SPARSE_FORMS)
def test_objectives_leave_a_matrix_alone(form):
    theta = np.linspace(-1, 1, 18)
    X = read_only(SPARSE_FORMS[form](D))
    before = bits(X)
    for problem, p in (
        (lambda X: LinearObjective(X, ANSWERS, Squared()), 6),
        (lambda X: SoftmaxObjective(X, CLASSES, 3, l2=1.0), 18),
    ):
        for ours, theirs in zip(
            problem(X).newton_system(theta[:p]), problem(csr(D)).newton_system(theta[:p]), strict=True
        ):
            np.testing.assert_array_equal(ours, theirs)
    if sparse.issparse(X) and X.format == "csr":
        assert PrivateColumns.of(X).X.nnz == PrivateColumns.of(csr(D)).X.nnz
    assert bits(X) == before
    assert {each for each in objectives.__all__ if not inspect.isabstract(getattr(objectives, each))} == {
        "Cost",
        "LinearObjective",
        "SoftmaxObjective",
    }


# Labels

NO_LABELS = [
    ([1, "a", None], r"y has None in row 2, which is no label"),
    ([1, "a", 2], r"y has labels of different types, 1 in row 0 and 'a' in row 1"),
    (["a", "b", 3.0], r"y has labels of different types, 'a' in row 0 and 3.0 in row 2"),
    (["a", b"b", "c"], r"different types, 'a' in row 0 and b'b' in row 1"),
    (["a", None, "b"], r"y has None in row 1"),
    (["a", "b", float("nan")], r"y has nan in row 2"),
    ([0.0, np.nan, 1.0], r"y has nan in row 1"),
    ([b"a", b"b", b"c"], r"y has labels of bytes, b'a' in row 0.*decode them"),
]
CLASSIFIERS = [each for each in FOUND if issubclass(each, ClassifierMixin)]


def spread(labels):
    """Three labels for sixty rows, the first three in the rows 0, 1 and 2."""
    return labels * 20


@pytest.mark.parametrize(("labels", "message"), NO_LABELS)
@pytest.mark.parametrize("model", CLASSIFIERS, ids=name)
@pytest.mark.parametrize("container", [list, lambda y: np.array(y, dtype=object)], ids=["list", "array"])
def test_labels_that_are_missing_or_of_different_types(model, labels, message, container):
    X = COUNTS
    with pytest.raises(ValueError, match=message):
        model().fit(X, container(spread(labels)))
    if hasattr(model, "partial_fit"):
        with pytest.raises(ValueError, match=message.replace("y has", "classes has")):
            model().partial_fit(X, CLASSES, classes=container(labels))
        with pytest.raises(ValueError, match=message.replace("y has", "classes has")):
            model.statistics(X, CLASSES, classes=container(labels))


@pytest.mark.parametrize(("labels", "message"), NO_LABELS)
def test_measures_refuse_such_labels(labels, message):
    y, p = spread(labels), np.linspace(0.1, 0.9, 60)
    for measure in (
        lambda: metrics.accuracy(y, CLASSES),
        lambda: metrics.auc(y, p),
        lambda: metrics.roc_curve(y, p),
        lambda: metrics.calibration_curve(y, p),
        lambda: metrics.confusion_matrix(y, CLASSES, 3),
        lambda: metrics.log_loss(y, np.log(np.full((60, 3), 1 / 3))),
        lambda: metrics.brier(y, np.full((60, 3), 1 / 3)),
        lambda: metrics.reliability(y, np.full((60, 3), 1 / 3)),
    ):
        with pytest.raises(ValueError, match=message):
            measure()
    with pytest.raises(ValueError, match=message.replace("y has", "predicted has")):
        metrics.accuracy(CLASSES, y)
    with pytest.raises(ParameterError, match=message):
        learning_curves(D, y, [20], {"nb": curves.GaussianNB()}, n_splits=1, n_jobs=1)


@pytest.mark.parametrize("labels", [["b", "a", "c"], [1, 0, 2], [1.0, 0.0, 2.0], [True, False, np.True_]])
@pytest.mark.parametrize(
    "model", [each for each in CLASSIFIERS if each().__sklearn_tags__().classifier_tags.multi_class], ids=name
)
def test_labels_of_one_type(model, labels):
    found = model().fit(COUNTS, spread(labels))
    assert found.classes_.tolist() == sorted(set(labels))


@pytest.mark.parametrize("model", CLASSIFIERS, ids=name)
def test_a_fit_that_fails_leaves_the_model_as_it_was(model):
    y = np.where(CLASSES == 2, 1, CLASSES)
    fitted = model().fit(COUNTS, y)
    before, expected = vars(fitted).copy(), fitted.predict(COUNTS)
    with pytest.raises(ValueError):  # noqa: PT011 (each in its own words)
        fitted.fit(np.ones((4, 7)), [0, 1, 1, 0], sample_weight=[1, -1, 1, 1])
    assert {key: id(value) for key, value in vars(fitted).items()} == {key: id(each) for key, each in before.items()}
    np.testing.assert_array_equal(fitted.predict(COUNTS), expected)


# Weights


@pytest.mark.parametrize("bad", [None, "", "0", "2", b"2"], ids=repr)
@pytest.mark.parametrize("container", [list, lambda w: np.array(w, dtype=object)], ids=["list", "array"])
@pytest.mark.parametrize("model", [each for each in FOUND if "sample_weight" in signature_of_fit(each)], ids=name)
def test_weights_are_numbers(model, container, bad):
    estimator = model(**NEEDED.get(model.__name__, {}))
    X, y, _ = data_of(estimator)
    weight = container([bad] * len(y))
    message = rf"^sample_weight has {bad!r} in row 0, which is no number$"
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, y, sample_weight=weight)
    if hasattr(model, "partial_fit"):
        with pytest.raises(ValueError, match=message):
            estimator.partial_fit(X, y, classes=[0, 1, 2], sample_weight=weight)
        with pytest.raises(ValueError, match=message):
            model.statistics(X, y, sample_weight=weight)


@pytest.mark.parametrize("nothing", [0, 0.0, [0] * 60, np.zeros(60)], ids=lambda weight: type(weight).__name__)
@pytest.mark.parametrize("model", [each for each in FOUND if hasattr(each, "partial_fit")], ids=name)
def test_a_batch_without_weight_adds_nothing(model, nothing):
    """Whether 0 is said once or for each row."""
    X, y, _ = data_of(model())
    stream = model().partial_fit(X, y, classes=[0, 1, 2]).partial_fit(X, y, sample_weight=nothing)
    assert_same(answers(stream, X, y, {}), answers(model().fit(X, y), X, y, {}))


# Functions

P = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0.1, 0.8, 0.1]])
ROC = metrics.roc_curve([0, 1, 0, 1], [0.1, 0.7, 0.4, 0.3])
CALLS = {  # a call of each public function
    "accuracy": ([0.0, 1.0, 2.0], [0.0, 1.0, 1.0]),
    "auc": ([0.0, 1.0, 1.0], [0.2, 0.3, 0.1], [1.0, 2.0, 0.5]),
    "brier": ([0, 1, 1], P, [1.0, 2.0, 0.5]),
    "calibration_curve": ([0.0, 1.0, 1.0], [0.2, 0.3, 0.1]),
    "confusion_matrix": ([0, 1, 1], [0, 1, 0], 2),
    "log_loss": ([0, 1, 1], np.log(P), [1.0, 2.0, 0.5]),
    "operating_point": (ROC, 0.3, 1.0, 2.0),
    "reliability": ([0, 1, 1], P),
    "roc_curve": ([0.0, 1.0, 1.0], [0.2, 0.3, 0.1], [1.0, 2.0, 0.5]),
    "shift_prior": (np.log(P), [0.2, 0.3, 0.5], [0.4, 0.3, 0.3]),
    "threshold_for_costs": (1.0, 2.0),
    "wilson_interval": ([1.0, 2.0], [3.0, 4.0], 0.9),
}
FUNCTIONS = {
    each: getattr(package, each)
    for package in (metrics, text)
    for each in package.__all__
    if inspect.isfunction(getattr(package, each))
}
every_function = pytest.mark.parametrize("function", FUNCTIONS)


def test_all_functions_are_called():
    assert set(CALLS) == set(FUNCTIONS)


@every_function
def test_functions_leave_their_arguments_alone(function):
    arguments = [np.array(each) if isinstance(each, list) else each for each in CALLS[function]]
    expected = pickle.dumps(FUNCTIONS[function](*arguments))
    frozen = [read_only(each.copy()) if isinstance(each, np.ndarray) else each for each in arguments]
    before = pickle.dumps(frozen)
    assert pickle.dumps(FUNCTIONS[function](*frozen)) == expected
    assert pickle.dumps(frozen) == before


@every_function
def test_nan_is_an_error_that_names_it(function):
    """In every argument that holds numbers, in turn."""
    arguments = CALLS[function]
    for place, argument in enumerate(arguments):
        values = np.array(argument)
        if values.dtype.kind != "f":
            continue
        values.flat[-1] = np.nan
        spoilt = [*arguments[:place], values if values.ndim else float(values), *arguments[place + 1 :]]
        with pytest.raises(ValueError, match=r"(?i)\bnan\b"):
            FUNCTIONS[function](*spoilt)


def test_learning_curves_leave_their_arguments_alone():
    X, y = np.random.default_rng(1).standard_normal((60, 3)), CLASSES % 2
    models = {"nb": curves.GaussianNB(), "gda": curves.GDA(), "lr": curves.LogisticRegression(l2=1.0)}
    found = []
    for form in (np.array, np.asfortranarray, lambda X: np.repeat(X, 2, axis=1)[:, ::2]):
        given, labels = read_only(form(X)), read_only(y.copy())
        before = bits(given), bits(labels)
        found.append(learning_curves(given, labels, [20], models, n_splits=4, n_jobs=1).error)
        assert (bits(given), bits(labels)) == before
    for each in found[1:]:
        for key in models:
            np.testing.assert_array_equal(each[key].mean, found[0][key].mean)
    with pytest.raises(ParameterError, match=r"X is sparse.*X\.toarray\(\)"):
        learning_curves(sparse.csr_array(X), y, [20], models, n_splits=4, n_jobs=1)


# Texts


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")  # scikit-learn has few checks for texts
@pytest.mark.parametrize("options", [{}, {"vocabulary": ["a"]}])
def test_scikit_learn_estimator_checks(options):
    results = check_estimator(BagOfWords(**options), on_fail=None)
    assert results
    assert [each["check_name"] for each in results if each["status"] == "failed"] == []


def test_a_bag_of_words_says_that_it_takes_texts_and_gives_no_table():
    bag = BagOfWords()
    tags = bag.__sklearn_tags__()
    assert tags.input_tags.string
    assert not tags.input_tags.two_d_array
    assert tags.requires_fit
    for ours_or_theirs in (bag, CountVectorizer()):
        assert not hasattr(ours_or_theirs, "set_output")
        with pytest.raises(ValueError, match=r"`set_output` is not available"):
            make_pipeline(ours_or_theirs, UnitLength()).set_output(transform="pandas")
    with config_context(transform_output="pandas"):
        assert bag.fit_transform(TEXTS).shape == (60, 7)
    bag = BagOfWords()
    with pytest.raises(NotFittedError):
        bag.transform(TEXTS)
