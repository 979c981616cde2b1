"""More data than memory: examples in chunks give the model of all of them together, and one chunk is held at a time."""

import importlib
import os
import re
import signal
import sys
import weakref
from functools import partial

import dask
import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_breast_cancer, load_diabetes

from probml.chunks import Chunks
from probml.errors import DataError, MissingPackageError, RankWarning, SeparationError, UndecidedSeparationError
from probml.families import Bernoulli, Gamma, Gaussian, Poisson
from probml.gda import GDA
from probml.linear_model import GLM, LinearRegression, LogisticRegression, PoissonRegression, SoftmaxRegression
from probml.linear_model.solving import BY_SUMS
from probml.losses import Identity, Inverse, Log, Logistic, Probit
from probml.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MixedNB, MultinomialNB
from probml.objectives import LinearObjective, SoftmaxObjective
from probml.objectives.chunked import ChunkedObjective
from probml.text import BagOfWords

DIGITS = 1e-10
M = 240
rng = np.random.default_rng(0)
X = rng.poisson(2.0, (M, 4)) + 0.0
z = X @ [0.5, -0.3, 0.2, 0.1] - 0.7
W = rng.integers(0, 3, M) + 0.0  # some rows count twice, and some not at all
RESPONSES = {
    "two": np.where(rng.random(M) < 1 / (1 + np.exp(-z)), "yes", "no"),
    "three": np.argmax(rng.gumbel(size=(M, 3)) + np.c_[z, 0 * z, -z], axis=1),
    "binary": (rng.random(M) < 1 / (1 + np.exp(-z))) + 0.0,
    "count": rng.poisson(np.exp(z / 2)) + 0.0,
    "positive": rng.gamma(2.0, np.exp(z / 4)),
    "number": z + rng.normal(size=M),
}
GENERATIVE = [
    MultinomialNB(),
    BernoulliNB(),
    ComplementNB(),
    CategoricalNB(),
    GaussianNB(),
    MixedNB(families=[Gaussian(), Poisson(), Gaussian(), Poisson()]),
    GDA(),
    GDA(covariance="per-class"),
    GDA(covariance="diagonal"),
]
LINEAR = [
    (LogisticRegression(), "two"),
    (LogisticRegression(l2=1.0, class_weight="balanced"), "two"),
    (LogisticRegression(), "three"),
    (LogisticRegression(l2=0.5, class_weight={0: 0.0, 1: 2.0}), "three"),
    (LogisticRegression(fit_intercept=False), "two"),
    (SoftmaxRegression(reference=True), "three"),
    (SoftmaxRegression(l2=1.0, fit_intercept=False), "three"),
    (PoissonRegression(), "count"),
    (PoissonRegression(l2=2.0), "count"),
    (GLM(Bernoulli(), Probit()), "binary"),
    (GLM(Bernoulli()), "binary"),
    (GLM(Gamma(), Log()), "positive"),
    (GLM(Gaussian()), "number"),
    (LinearRegression(), "number"),
    (LinearRegression(l2=3.0), "number"),
    (LinearRegression(fit_intercept=False, l2=1.0), "number"),
]
NAMES = list("abcd")


def parts(y, weight=None, n=5, convert=lambda X: X):
    """Chunks of different lengths, of which one has no row that counts."""
    for rows in np.split(np.arange(M), np.linspace(0, M, n + 1).astype(int)[1:-1] - 3):
        yield (convert(X[rows]), y[rows]) if weight is None else (convert(X[rows]), y[rows], weight[rows])


def frame(y, weight):
    table = dd.from_pandas(pd.DataFrame(X, columns=NAMES).assign(y=y, weight=W), npartitions=4)
    return table[NAMES], table["y"], None if weight is None else table["weight"]


SOURCES = {
    "list": lambda y, weight: ([*parts(y, weight)],),
    "function": lambda y, weight: (partial(parts, y, weight),),
    "mappings": lambda y, weight: ([dict(zip(("X", "y", "sample_weight"), each)) for each in parts(y, weight)],),  # noqa: B905
    "tables": lambda y, weight: ([*parts(y, weight, convert=partial(pd.DataFrame, columns=NAMES))],),
    "sparse": lambda y, weight: ([*parts(y, weight, convert=sparse.csr_array)],),
    "array": lambda y, weight: (da.from_array(X, chunks=(70, 2)), da.from_array(y, chunks=50), weight),
    "frame": frame,
    "bag": lambda y, weight: (db.from_sequence([*parts(y, weight)], npartitions=2),),
    "delayed": lambda y, weight: ([dask.delayed(each) for each in parts(y, weight)],),
}


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=DIGITS, atol=DIGITS * np.abs(expected).max())


def fits(model):
    """Of which sources a model can be fitted."""
    return [name for name in SOURCES if name != "sparse" or model.__sklearn_tags__().input_tags.sparse]


# The same answer


@pytest.mark.parametrize("weight", [None, W], ids=["", "weights"])
@pytest.mark.parametrize("model", GENERATIVE, ids=str)
def test_statistics_of_chunks_are_those_of_all_examples(model, weight):
    y = RESPONSES["three"]
    expected = clone(model).fit(X, y, weight)
    for source in fits(model):
        found = clone(model).fit(*SOURCES[source](y, weight))
        asked = pd.DataFrame(X, columns=NAMES) if source in ("frame", "tables") else X
        same(found.predict_joint_log_proba(asked), expected.predict_joint_log_proba(X))
        assert hasattr(found, "feature_names_in_") == (source in ("frame", "tables"))


@pytest.mark.parametrize("weight", [None, W], ids=["", "weights"])
@pytest.mark.parametrize(("model", "response"), LINEAR, ids=str)
def test_newton_steps_of_chunks_are_those_of_all_examples(model, response, weight):
    y = RESPONSES[response]
    expected = clone(model).fit(X, y, weight)
    for source in fits(model):
        found = clone(model).fit(*SOURCES[source](y, weight))
        same(found.coef_, expected.coef_)
        same(found.intercept_, expected.intercept_)
        same(found.solution_.value, expected.solution_.value)
        assert found.solution_.certificate.converged
        assert is_classifier(model) is hasattr(found, "classes_")


def test_an_iterator_is_enough_where_one_pass_is():
    y = RESPONSES["three"]
    same(GaussianNB().fit(parts(y)).theta_, GaussianNB().fit(X, y).theta_)
    with pytest.raises(ValueError, match=r"gives its chunks only once.*fit\(read\) instead of fit\(read\(\)\)"):
        LogisticRegression().fit(parts(y))


def test_offsets_and_exposures():
    y, exposure = RESPONSES["count"], 1 + rng.random(M)
    expected = PoissonRegression().fit(X, y, W, exposure=exposure)
    rows = np.array_split(np.arange(M), 3)
    chunks = [{"X": X[i], "y": y[i], "sample_weight": W[i], "exposure": exposure[i]} for i in rows]
    found = PoissonRegression().fit(chunks)
    same(found.coef_, expected.coef_)
    lazy = PoissonRegression().fit(da.from_array(X, chunks=(50, 4)), y, W, exposure=exposure)
    same(lazy.coef_, expected.coef_)
    means = lazy.predict(da.from_array(X, chunks=(50, 4)), exposure=da.from_array(exposure, chunks=50))
    same(means.compute(), expected.predict(X, exposure=exposure))


@pytest.mark.parametrize("solver", BY_SUMS)
def test_other_solvers_that_ask_for_sums(solver):
    y, tol = RESPONSES["two"], {"newton": None, "gradient-descent": 1e-5}.get(solver, 1e-12)
    expected = LogisticRegression(l2=1.0).fit(X, y)
    found = LogisticRegression(l2=1.0, solver=solver, tol=tol).fit([*parts(y)])
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-3 if solver == "gradient-descent" else 1e-6)


def test_many_columns_take_no_hessian():
    wide = sparse.random_array((300, 1100), density=0.02, rng=np.random.default_rng(1), format="csr")
    y = np.arange(300) % 2
    found = LogisticRegression(l2=1.0).fit([(wide[:200], y[:200]), (wide[200:], y[200:])])
    np.testing.assert_allclose(found.coef_, LogisticRegression(l2=1.0).fit(wide, y).coef_, atol=1e-6)


@pytest.mark.parametrize("shift", [0.0, 1e5])
@pytest.mark.parametrize(
    ("model", "data"),
    [
        (LinearRegression(), load_diabetes),
        (LinearRegression(l2=1.0), load_diabetes),
        (LinearRegression(), load_breast_cancer),
        (PoissonRegression(), load_diabetes),
        (LogisticRegression(l2=1.0), load_breast_cancer),
    ],
    ids=lambda each: getattr(each, "__name__", str(each)),
)
def test_columns_that_are_hard_to_tell_apart(model, data, shift):
    D, y = data(return_X_y=True)
    expected = clone(model).fit(D + shift, y).coef_
    found = model.fit([(D[:300] + shift, y[:300]), (D[300:] + shift, y[300:])]).coef_
    np.testing.assert_allclose(found, expected, rtol=0, atol=(1e-8 if shift else 1e-10) * np.abs(expected).max())


@pytest.mark.parametrize("model", [LogisticRegression(), LogisticRegression(l2=1e-8), LinearRegression()], ids=str)
def test_extreme_units(model):
    y, D = RESPONSES["binary"], X * [1e200, 1e-200, 1.0, 1e9]
    weight = 1e100 * (1 + W)
    expected = clone(model).fit(D * [1e-200, 1e200, 1, 1e-9], y, weight).coef_
    if model.l2:
        D, units = X * 1e30, 1e30
        expected = clone(model).fit(D, y, weight).coef_ * units
    else:
        units = np.array([1e200, 1e-200, 1.0, 1e9])
    found = model.fit([(D[:100], y[:100], weight[:100]), (D[100:], y[100:], weight[100:])]).coef_ * units
    np.testing.assert_allclose(found, expected, rtol=1e-8)


@pytest.mark.parametrize("model", [LogisticRegression(), LinearRegression(), LinearRegression(fit_intercept=False)])
def test_dependent_columns_have_the_shortest_solution(model):
    D, y = np.column_stack([X, X[:, 0] - X[:, 1], 0 * X[:, 0]]), RESPONSES["binary"]
    chunks = [(D[:100], y[:100]), (D[100:], y[100:])]
    with pytest.warns(RankWarning) as expected:
        coef = clone(model).fit(D, y).coef_
    with pytest.warns(RankWarning) as found:
        same(model.fit(chunks).coef_, coef)
    assert str(found[0].message) == str(expected[0].message)
    assert found[0].filename == expected[0].filename == __file__


def test_single_precision_and_a_warm_start():
    y, single = RESPONSES["two"], X.astype(np.float32)
    chunks = [(single[:100], y[:100]), (single[100:], y[100:])]
    model = LogisticRegression(l2=1.0, warm_start=True).fit(chunks)
    assert model.coef_.dtype == model.predict_proba(da.from_array(single, chunks=(80, 4))).dtype == np.float32
    assert model.fit(chunks).n_iter_ <= 1
    with pytest.raises(ValueError, match="fit again before summary"):
        model.set_params(l2=0.0).summary()


@pytest.mark.parametrize("intercept", [True, False])
def test_the_objective_is_a_sum(intercept):
    y = (RESPONSES["binary"]).astype(int)
    for make in (
        partial(LinearObjective, loss=Logistic(), intercept=intercept),
        partial(SoftmaxObjective, n_classes=2, intercept=intercept),
    ):
        whole = make(X, y=y, l2=0.5, weight=W)

        def share(chunk, name, make=make):
            return make(chunk[0], y=chunk[1], weight=chunk[2])

        chunks = Chunks([*parts(y, W)])
        found = ChunkedObjective(chunks, share, make(X[:0], y=y[:0]), l2=0.5, n_examples=M, unit=W.mean())
        theta, d = np.random.default_rng(1).normal(size=(2, whole.n_parameters)) / 5
        same(found.value(theta), whole.value(theta))
        for ours, theirs in zip(found.newton_system(theta), whole.newton_system(theta), strict=True):
            same(ours, theirs)
        same(found.value_and_gradient(theta)[1], whole.value_and_gradient(theta)[1])
        same(found.hessian_product(theta, d), whole.hessian_product(theta, d))
        same(found.hessian_bound(), whole.hessian_bound())
        same(found.hessian_below(theta), whole.newton_system(theta)[2])
        h = np.diag(whole.newton_system(theta)[2])
        with np.errstate(divide="ignore"):  # of rows with the weight 0
            same(found.second_order(theta).radii[0](0.1, h), whole.second_order(theta).radii[-1](0.1, h))
        assert found.cost.passes == 5
        with pytest.raises(ValueError, match="not drawn one by one"):
            found.gradient_of(np.array([0]), theta)


# Texts

WORDS = [f"w{i}" for i in range(30)]
TEXTS = [" ".join(rng.choice(WORDS, rng.integers(0, 9), p=np.arange(1, 31) / 465)) for _ in range(101)]
TEXT_SOURCES = {
    "bag": lambda: db.from_sequence(TEXTS, npartitions=4),
    "series": lambda: dd.from_pandas(pd.Series(TEXTS), npartitions=3),
    "function": lambda: lambda: iter([TEXTS[:50], [], TEXTS[50:]]),
    "chunks": lambda: Chunks([TEXTS[:3], TEXTS[3:]]),
}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"min_df": 3, "max_features": 11},
        {"max_df": 0.2, "binary": True},
        {"ngram_range": (1, 2), "min_df": 2, "stop_words": ["w3"]},
        {"ngram_range": (2, 2), "token_pattern": r"\S+"},
        {"analyzer": "char", "ngram_range": (2, 3), "max_features": 9},
        {"vocabulary": ["w7", "w1"]},
    ],
    ids=str,
)
@pytest.mark.parametrize("source", TEXT_SOURCES)
def test_words_of_chunks(source, options):
    bag, given = BagOfWords(**options), TEXT_SOURCES[source]()
    expected = bag.fit_transform(TEXTS)
    found = BagOfWords(**options)
    counts = found.fit_transform(given) if source in ("bag", "series") else found.fit(given).transform(Chunks(given))
    if isinstance(given, Chunks):
        counts = found.transform(given)
    assert found.vocabulary_ == bag.vocabulary_
    np.testing.assert_array_equal(found.words_, bag.words_)
    counts = counts.compute() if isinstance(counts, da.Array) else sparse.vstack([*counts])
    np.testing.assert_array_equal(counts.toarray(), expected.toarray())
    assert counts.dtype == expected.dtype


def test_texts_that_cannot_be_counted():
    bag = BagOfWords()
    for chunks, words in [
        (lambda: iter(["a b"]), "chunk 0: expected several documents"),
        (lambda: iter([["a"], ["a", 3]]), "chunk 1: document 1 is int, expected str"),
        (db.from_sequence(["a", 3], npartitions=2), "chunk 1: document 0 is int, expected str"),
        (lambda: iter([[], []]), "no chunk has any documents"),
        (lambda: iter([[" "], [""]]), "no word is left of 0 found in 2 documents"),
    ]:
        with pytest.raises((ValueError, TypeError), match=words):
            bag.fit(chunks)
        assert vars(bag) == vars(BagOfWords())


def test_from_texts_to_a_classifier_without_any_matrix_in_memory():
    texts, y = db.from_sequence(TEXTS, npartitions=4), rng.integers(0, 2, len(TEXTS))
    counts = BagOfWords().fit_transform(texts)
    labels = da.from_array(y, chunks=([len(part) for part in dask.compute(*texts.to_delayed())],))
    model = MultinomialNB().fit(counts, labels)
    D = BagOfWords().fit_transform(TEXTS)
    same(model.feature_log_prob_, MultinomialNB().fit(D, y).feature_log_prob_)
    same(model.predict_log_proba(counts).compute(), model.predict_log_proba(D))


# Predictions


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (GaussianNB(), "three"),
        (GDA(), "three"),
        (MultinomialNB(), "two"),
        (LogisticRegression(), "two"),
        (SoftmaxRegression(l2=1.0), "three"),
        (PoissonRegression(), "count"),
        (LinearRegression(), "number"),
    ],
    ids=str,
)
def test_predictions_are_lazy(model, y):
    model.fit(X, RESPONSES[y])
    lazy = da.from_array(X, chunks=(70, 2))
    table = dd.from_pandas(pd.DataFrame(X), npartitions=3)
    names = ["predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba", "log_joint"]
    for name in [*names, "log_marginal", "decision_function", "transform"]:
        if not hasattr(model, name):
            continue
        expected, method = getattr(model, name)(X), getattr(model, name)
        found = method(lazy)
        assert isinstance(found, da.Array)
        assert found.shape == expected.shape
        assert found.dtype == expected.dtype
        equal = np.testing.assert_array_equal if expected.dtype.kind == "U" else same
        equal(found.compute(), expected)
        if name == "predict":
            equal(model.predict(table.to_dask_array()).compute(), expected)
            equal(np.concatenate([*model.predict(Chunks([(X[:9], 0), X[9:]]))]), expected)


def test_a_model_that_is_not_fitted_predicts_nothing():
    with pytest.raises(ValueError, match="not fitted yet"):
        GaussianNB().predict(da.from_array(X, chunks=(70, 4)))


# Memory and workers


@pytest.mark.parametrize("model", [GaussianNB(), LogisticRegression(), LinearRegression(), MultinomialNB()], ids=str)
def test_one_chunk_is_held_at_a_time(model):
    alive, most = [], 0

    def read():
        nonlocal most
        for rows in np.array_split(np.arange(M), 6):
            alive[:] = [each for each in alive if each() is not None]
            most = max(most, len(alive) + 1)
            yield keep(X[rows].copy(), RESPONSES["binary"][rows].astype(int))

    def keep(D, y):
        alive.append(weakref.ref(D))
        return D, y

    model.fit(read)
    assert len(alive) > 0
    assert most == 1
    [*model.predict(Chunks(read))]
    assert most == 1


def killing(part, flag, pid):
    """The chunk; whoever is asked for it first, and is not the process of the test, dies."""
    if os.getpid() != pid and not os.path.exists(flag):
        open(flag, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return part


@pytest.fixture(scope="module")
def cluster():
    """Two processes, which come back when they are killed."""
    distributed = importlib.import_module("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=60, memory_limit=0
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_a_killed_worker_changes_nothing(cluster, tmp_path):
    y = RESPONSES["two"]
    chunks = [*parts(y)]
    delayed, flag = [dask.delayed(each) for each in chunks], str(tmp_path / "killed")
    delayed[3] = dask.delayed(killing)(delayed[3], flag, os.getpid())
    same(LogisticRegression().fit(delayed).coef_, LogisticRegression().fit(X, y).coef_)
    assert os.path.exists(flag)


def dying(part):
    os.kill(os.getpid(), signal.SIGKILL)


def test_workers_that_all_die_of_a_chunk(cluster):
    """Dask may blame another chunk that waited for the same worker."""
    delayed = [dask.delayed(each) for each in parts(RESPONSES["two"])]
    delayed[2] = dask.delayed(dying)(delayed[2])
    cluster.cluster.scheduler.allowed_failures = 0  # for one death to be enough
    model = LogisticRegression()
    with pytest.raises(DataError, match=r"chunk \d: every worker that was given it died, probably out of memory"):
        model.fit(delayed)
    assert not hasattr(model, "n_features_in_")


# What cannot be fitted

Y = RESPONSES["binary"].astype(int)
GOOD = X[:60], Y[:60]


def table(**columns):
    return pd.DataFrame(X[60:90], columns=NAMES).assign(**columns)


def with_hole(D, convert=lambda D: D):
    D = D.copy()
    D[7, 2] = np.nan
    return convert(D)


FIRST = pd.DataFrame(X[:60], columns=NAMES), Y[:60]
BAD = {
    "fewer columns": ([GOOD, (X[60:, :3], Y[60:])], "chunk 1 has 3 columns, but chunk 0 has 4"),
    "other names": (
        [FIRST, (table().rename(columns={"c": "C"}), Y[60:90])],
        "column 2 of chunk 1 is 'C', but that of chunk 0 is 'c'",
    ),
    "names lost": ([FIRST, (X[60:], Y[60:])], "column 0 of chunk 1 is 'no name', but that of chunk 0 is 'a'"),
    "text among numbers": (
        [FIRST, (table(b=["oops", *["1"] * 29]), Y[60:90])],
        "chunk 1, row 0, column 'b', which has oops: could not convert string to float",
    ),
    "a hole": ([GOOD, (with_hole(X[60:]), Y[60:])], "chunk 1, row 7, column 2, which has nan: Input X contains NaN"),
    "no label": ([GOOD, (X[60:62], [1, None])], "chunk 1: y has None in row 1, which is no label"),
    "text among labels": (
        [GOOD, (X[60:62], ["a", "b"])],
        "the labels of chunk 1 are text, but those of chunk 0 are num",
    ),
    "more rows than labels": ([GOOD, (X[60:], Y[:2])], "chunk 1: Found input variables with inconsistent numbers"),
    "no tuple": ([GOOD, X], "chunk 1: a chunk has to be (X, y), (X, y, sample_weight), or a mapping of X, y, sample_w"),
    "unknown name": ([{"X": X, "z": Y}], "received one of X, z"),
    "a negative weight": (
        [GOOD, (X[60:62], Y[60:62], [1, -1])],
        "chunk 1: Negative values in data passed to `sample_w",
    ),
    "no rows": ([(X[:0], Y[:0])], "no chunk has any rows"),
    "nothing": (lambda: iter([]), "no chunk has any rows"),
}


@pytest.mark.parametrize("model", [LogisticRegression(), GaussianNB(), PoissonRegression()], ids=str)
@pytest.mark.parametrize("case", BAD)
def test_bad_chunks_are_named_and_nothing_is_half_written(model, case):
    chunks, words = BAD[case]
    if isinstance(model, PoissonRegression):
        words = {"no label": "row 1 has nan", "text among labels": "could not convert"}.get(case, words)
    for given in (chunks, db.from_sequence(chunks, npartitions=len(chunks)) if isinstance(chunks, list) else chunks):
        model = clone(model).fit(X[:, :2], Y)
        before = vars(model).copy()
        with pytest.raises(ValueError, match=re.escape(words)):
            model.fit(given)
        assert vars(model) == before


def test_a_hole_in_a_sparse_chunk_and_in_a_response():
    with pytest.raises(DataError, match="chunk 1, row 7, column 2, which has nan"):
        LogisticRegression().fit([GOOD, (with_hole(X[60:], sparse.csr_array), Y[60:])])
    with pytest.raises(DataError, match="chunk 1, row 3, column 'y', which has nan"):
        LinearRegression().fit([GOOD, (X[60:65], [1, 2, 3, np.nan, 5])])
    with pytest.raises(DataError, match=r"chunk 1: GLMLoss needs y to be counts.*row 1 has -1"):
        PoissonRegression().fit([GOOD, (X[60:62], [1, -1])])
    with pytest.raises(DataError, match="chunk 1, row 2, column 1, which has inf"):
        MixedNB().fit(
            [(with_hole(X[:60]), Y[:60]), (np.where(np.arange(40).reshape(10, 4) == 9, np.inf, X[:10]), Y[:10])]
        )


def test_an_empty_chunk_is_passed_over_and_named():
    chunks = [GOOD, (X[:0], Y[:0]), (X[60:], Y[60:])]
    for model in (LogisticRegression(), GaussianNB()):
        with pytest.warns(UserWarning, match="chunk 1 without any rows: passed over"):
            found = clone(model).fit(chunks)
        np.testing.assert_allclose(found.predict_proba(X), model.fit(X, Y).predict_proba(X), rtol=1e-9)


def test_a_class_may_first_appear_in_the_last_chunk():
    y = np.where(np.arange(M) < M - 20, Y, 2)
    chunks = [(X[:100], y[:100]), (X[100:220], y[100:220]), (X[220:], y[220:])]
    for model in (LogisticRegression(l2=1.0), GDA()):
        same(clone(model).fit(chunks).predict_log_proba(X), model.fit(X, y).predict_log_proba(X))


def test_a_file_in_the_middle_that_cannot_be_read():
    def load(i):
        if i == 2:
            raise OSError("part-2.npy is truncated")
        return X[i * 60 : (i + 1) * 60], Y[i * 60 : (i + 1) * 60]

    for chunks in (lambda: map(load, range(4)), [dask.delayed(load)(i) for i in range(4)]):
        for model in (LogisticRegression(), GaussianNB()):
            with pytest.raises(DataError, match=r"chunk 2 could not be read: OSError: part-2\.npy is truncated"):
                model.fit(chunks)
            assert not hasattr(model, "n_features_in_")


def test_chunks_that_do_not_fit_into_memory():
    class Large:
        shape = (5, 4)

        def __array__(self, dtype=None, copy=None):
            raise MemoryError("5 TB")

    with pytest.raises(DataError, match=r"chunk 1 does not fit into memory: make chunks smaller\. 5 TB"):
        GaussianNB().fit([GOOD, (Large(), Y[:5])])


def test_chunks_that_change_between_passes():
    passes = iter([[GOOD, (X[60:], Y[60:])], [GOOD]])
    with pytest.raises(DataError, match="the chunks have 60 rows, and had 240 on the first pass"):
        LogisticRegression().fit(lambda: next(passes))


def test_collections_that_do_not_fit_together():
    lazy = da.from_array(X, chunks=(60, 4))
    with pytest.raises(ValueError, match="X has 4 partitions, y has 2"):
        GaussianNB().fit(lazy, da.from_array(Y[:120], chunks=60))
    with pytest.raises(ValueError, match="y must be a collection of Dask with the partitions of X"):
        GaussianNB().fit(lazy, Y[:9])
    with pytest.raises(ValueError, match="y is missing"):
        GaussianNB().fit(lazy)
    with pytest.raises(ValueError, match="give nothing beside it"):
        GaussianNB().fit(db.from_sequence([GOOD]), Y)
    with pytest.raises(ValueError, match="y belong into each chunk"):
        GaussianNB().fit(Chunks([GOOD]), Y)


def test_without_y_there_is_nothing_to_learn():
    for given in (X, X.tolist(), sparse.csr_array(X)):
        with pytest.raises(ValueError, match="requires y to be passed"):
            LogisticRegression().fit(given)


def test_solvers_that_need_all_examples():
    with pytest.raises(ValueError, match="solver 'irls' needs the examples in memory; in chunks there are newton, "):
        LogisticRegression(solver="irls").fit([GOOD])
    with pytest.raises(ValueError, match="solver must be qr for examples in chunks, received 'lms-online'"):
        LinearRegression(solver="lms-online").fit([GOOD])


@pytest.mark.parametrize("model", [LogisticRegression(), SoftmaxRegression(), GLM(Bernoulli(), Probit())], ids=str)
def test_separated_classes_are_refused(model):
    y = (X[:, 0] > 2).astype(int)
    with pytest.raises(SeparationError):
        clone(model).fit(X, y)
    with pytest.raises(UndecidedSeparationError, match="In chunks that is not found out: use l2 > 0"):
        model.fit([(X[:99], y[:99]), (X[99:], y[99:])])


def test_fits_without_a_maximum_or_a_start():
    zeros = [(X[:99], np.zeros(99)), (X[99:], np.zeros(M - 99))]
    with pytest.raises(SeparationError, match="all 240 responses are 0: the likelihood wants an intercept of -inf"):
        PoissonRegression().fit(zeros)
    with pytest.raises(ValueError, match=r"one class only: 0\.0"):
        LogisticRegression().fit(zeros)
    with pytest.raises(ValueError, match="all of sample_weight is 0"):
        LinearRegression().fit([(*GOOD, np.zeros(60))])
    with pytest.raises(ValueError, match=r"no coefficients were found with means that Gamma allows"):
        GLM(Gamma(), Inverse(), fit_intercept=False).fit([(X, RESPONSES["positive"])])
    same(GLM(Gaussian(), Identity()).fit([GOOD]).coef_, LinearRegression().fit(*GOOD).coef_)


def test_dask_is_an_extra(monkeypatch):
    lazy = da.from_array(X, chunks=(60, 4))
    for name in [each for each in sys.modules if each.partition(".")[0] == "dask"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "dask", None)
    same(GaussianNB().fit([GOOD]).theta_, GaussianNB().fit(*GOOD).theta_)
    for ask in (lambda: GaussianNB().fit(lazy, Y), lambda: GaussianNB().fit(*GOOD).predict(lazy)):
        with pytest.raises(
            MissingPackageError, match=r"need Dask, which is not installed.*pip install 'probml\[dask\]'"
        ):
            ask()
