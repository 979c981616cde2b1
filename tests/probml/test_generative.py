"""What all generative classifiers share: statistics that add up, evidence, sampling, the linear form."""

import pickle
from functools import reduce
from itertools import product
from operator import add

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from scipy.special import logsumexp
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from probml import threads
from probml.families import Bernoulli, Binomial, Categorical, Gamma, Gaussian, Multinomial, Poisson
from probml.gda import GDA
from probml.gda.covariance import SHAPES
from probml.generative import LinearPosterior
from probml.generative import gaussian as densities
from probml.generative.statistics import codes_of
from probml.naive_bayes import (
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    MixedNB,
    MultinomialNB,
    mixed,
)

MIXED = [Gaussian(), Poisson(), Categorical(3)]
GAUSSIAN = [GaussianNB(), GaussianNB(shared_variance=True), *[GDA(covariance=shape) for shape in SHAPES]]
DISCRETE = [MultinomialNB(), BernoulliNB(binarize=1.0), ComplementNB(), ComplementNB(norm=True), CategoricalNB()]
MODELS = [*DISCRETE, *GAUSSIAN, MixedNB(), MixedNB(MIXED)]
GENERATIVE = [model for model in MODELS if not isinstance(model, ComplementNB)]


def data_for(model, m=40, seed=0, classes=3):
    """Examples of three features that the model can be fitted to, all classes among the first rows."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(classes), rng.integers(0, classes, m - classes)])
    families = getattr(model, "families", ())
    if isinstance(model, GaussianNB | GDA) or families is None:
        return rng.normal(size=(m, 3)) @ (np.eye(3) + 0.3) + y[:, None], y
    if families is MIXED:
        return np.column_stack([rng.normal(y), rng.poisson(1 + y), rng.integers(0, 3, m)]), y
    return np.column_stack([rng.poisson(1 + y), rng.integers(0, 3, m), rng.poisson(1.0, m)]), y


def made(model):
    """A model of the same parameters, not fitted."""
    return type(model)(**model.get_params())


def statistics_of(model, X, y, **options):
    return type(model).statistics(X, y, **options, **model.get_params())


def read(model, statistics):
    return type(model).from_statistics(statistics, **model.get_params())


def assert_same_model(one, other, X, rtol=1e-9):
    assert one.classes_.tolist() == other.classes_.tolist()
    assert one.n_features_in_ == other.n_features_in_
    np.testing.assert_allclose(one.predict_joint_log_proba(X), other.predict_joint_log_proba(X), rtol=rtol, atol=rtol)
    np.testing.assert_allclose(one.class_count_, other.class_count_, rtol=1e-12)


# Statistics add up


@pytest.mark.parametrize("model", MODELS, ids=str)
@settings(deadline=None, max_examples=12)
@given(data=st.data())
def test_statistics_of_parts_add_up(model, data):
    """Random parts, some of one row, most without some class, weighted or not, in any order of addition."""
    X, y = data_for(model, seed=data.draw(st.integers(0, 10**6)))
    assume(np.bincount(y).min() > 3)  # or a class has no covariance of its own
    weight = np.random.default_rng(1).uniform(0.1, 3, len(y)) if data.draw(st.booleans()) else None
    part = np.array(data.draw(st.lists(st.sampled_from([0, 1, 1, 2]), min_size=len(y), max_size=len(y))))
    part[0], part[1:3] = 3, 2  # a part of one row
    if data.draw(st.booleans()):
        part[y == 1] = 1  # two or three parts lack a class
    parts = [
        statistics_of(model, X[part == p], y[part == p], sample_weight=None if weight is None else weight[part == p])
        for p in range(4)
        if (part == p).any()
    ]
    whole = made(model).fit(X, y, weight)
    assert_same_model(read(model, sum(parts)), whole, X)
    assert_same_model(read(model, reduce(add, parts[::-1])), whole, X)
    assert_same_model(read(model, parts[0] + reduce(add, parts[1:])), whole, X)
    assert_same_model(read(model, statistics_of(model, X, y, sample_weight=weight)), whole, X, rtol=1e-14)


@pytest.mark.parametrize("weighted", [False, True])
def test_moments_are_the_statistics_of_the_normal_family(weighted):
    X, y = data_for(GDA())
    weight = np.arange(1.0, len(y) + 1) if weighted else None
    own = GaussianNB.statistics(X, y, sample_weight=weight)
    for j in range(3):
        expected = Gaussian().collect(X[y == j], None if weight is None else weight[y == j])
        np.testing.assert_allclose(own.class_count[j], expected.count, rtol=1e-15)
        np.testing.assert_allclose(own.mean[j], expected.mean, rtol=1e-13)
        np.testing.assert_allclose(own.scatter[j], expected.scatter, rtol=1e-12)


@pytest.mark.parametrize(
    ("model", "family"),
    [
        (MultinomialNB(alpha=0), Multinomial(3)),
        (BernoulliNB(alpha=0, binarize=None), Bernoulli()),
        (CategoricalNB(alpha=0), Categorical(3)),
        (GaussianNB(var_smoothing=0), Gaussian()),
    ],
    ids=str,
)
def test_each_class_is_of_the_family_that_the_docstring_names(model, family):
    """Its maximum likelihood and its density, of each feature or, for counts of words, of all of them."""
    assert f"`probml.families.{type(family).__name__}`" in type(model).__doc__
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2 if isinstance(family, Bernoulli) else 3, (90, 3)).astype(float), np.arange(90) % 3
    if isinstance(family, Gaussian):
        X += rng.normal(size=X.shape)
    fitted = made(model).fit(X, y)
    for j in range(3):
        eta = family.mle(family.collect(X[y == j]))
        expected = family.log_density(X, eta)
        expected = expected if family.event_ndim else expected.sum(axis=1)
        np.testing.assert_allclose(fitted.log_joint(X)[:, j], expected - np.log(3), rtol=1e-12)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_partial_fit_is_fit(model):
    X, y = data_for(model, m=90)
    order = np.argsort(y, kind="stable")  # a middle batch without all classes
    first = np.concatenate([np.flatnonzero(y == j)[:6] for j in range(3)])
    rest = np.setdiff1d(order, first)
    grown = made(model).partial_fit(X[first], y[first], classes=[2, 0, 1])
    for batch in (rest[:20], rest[20:21], rest[21:]):
        grown.partial_fit(X[batch], y[batch])
    assert_same_model(grown, made(model).fit(X, y), X)
    with pytest.raises(ValueError, match="label 7, which is not among the classes"):
        grown.partial_fit(X[:1], [7])
    with pytest.raises(ValueError, match="expecting 3 features"):
        grown.partial_fit(X[:1, :2], [0])
    assert_same_model(grown, made(model).fit(X, y), X)  # the failed batches left no trace


STREAMED = [
    *MODELS,
    MultinomialNB(alpha=0),
    BernoulliNB(alpha=0),
    CategoricalNB(alpha=0),
    GaussianNB(var_smoothing=0, priors="uniform"),
    GDA(unbiased=True, priors="uniform"),
    GDA(covariance="per-class", unbiased=True),
]


@pytest.mark.parametrize("model", STREAMED, ids=str)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_any_stream_of_batches_is_one_fit(model, data):
    """Batches of one row, of one class, of weights that are 0 alone; before there is an estimate and after."""
    X, y = data_for(model, m=60, seed=data.draw(st.integers(0, 10**6)))
    order = np.argsort(y, kind="stable") if data.draw(st.booleans()) else np.arange(len(y))
    weight = np.random.default_rng(1).integers(1, 3, len(y)).astype(float)
    weight[order[: data.draw(st.integers(0, 3))]] = weight[::7] = 0.0
    cuts = sorted(data.draw(st.sets(st.integers(1, len(y) - 1), max_size=8)) | data.draw(st.sampled_from([{1}, set()])))
    stream = made(model)
    for batch in np.split(order, cuts):
        stream.partial_fit(X[batch], y[batch], classes=[0, 1, 2], sample_weight=weight[batch])
    whole = made(model).fit(X, y, weight)
    if isinstance(model, MultinomialNB | BernoulliNB | ComplementNB | CategoricalNB):
        np.testing.assert_array_equal(stream.class_count_, whole.class_count_)
        for one, other in zip(stream.feature_log_prob_, whole.feature_log_prob_, strict=True):
            np.testing.assert_array_equal(one, other)
    else:
        assert_same_model(stream, whole, X)


@pytest.mark.parametrize(
    ("model", "attribute", "lacking"),
    [
        (GaussianNB(), "theta_", "every feature is constant in every class"),
        (GaussianNB(priors="uniform"), "var_", "class 1 has a prior of 0.333333, but no examples"),
        (GDA(), "covariance_", "class 1 has no examples"),
        (GDA(covariance="per-class"), "means_", "class 1 has no examples"),
        (MultinomialNB(alpha=0), "feature_log_prob_", "class 1 has no words"),
        (BernoulliNB(alpha=0), "feature_log_prob_", "class 1 has no examples"),
        (CategoricalNB(alpha=0), "category_count_", "class 1 has no examples"),
        (ComplementNB(alpha=0), "feature_all_", "does not occur outside class 0"),
        (MixedNB(), "natural_", "every Gaussian feature is constant"),
        (MixedNB(Poisson()), "class_prior_", "no observations"),
    ],
    ids=str,
)
def test_a_batch_without_an_estimate_is_kept(model, attribute, lacking):
    """It says what is missing when a prediction or a parameter is asked for; a strict `fit` says so at once."""
    X, y = data_for(model)
    with pytest.raises(ValueError, match=lacking):
        type(model).from_statistics(statistics_of(model, X[:1], y[:1], classes=[0, 1, 2]), **model.get_params())
    model = made(model)
    assert not hasattr(model, attribute)
    assert model.partial_fit(X[:1], y[:1], classes=[0, 1, 2]) is model
    copied = pickle.loads(pickle.dumps(model))
    for stream in (model, copied):
        assert stream.statistics_.class_count.tolist() == [1, 0, 0]
        assert stream.classes_.tolist() == [0, 1, 2]
        assert not hasattr(stream, attribute)
        assert not hasattr(stream, "no_such_attribute_of_any_model")
        with pytest.raises(NotFittedError, match=f"{type(model).__name__} has no {attribute} yet: .*{lacking}"):
            getattr(stream, attribute)
        with pytest.raises(NotFittedError, match=f"no estimate yet: .*{lacking}"):
            stream.predict(X)
        with pytest.raises(NotFittedError, match=f"no estimate yet: .*{lacking}"):
            stream.to_linear()
        with pytest.raises(NotFittedError):
            check_is_fitted(stream)
        with pytest.raises(ValueError, match="label 7"):
            stream.partial_fit(X[:1], [7])
        stream.partial_fit(X[1:], y[1:])
        check_is_fitted(stream)
        assert_same_model(stream, made(model).fit(X, y), X)


def test_parameters_that_are_wrong_are_refused_at_once():
    """They are no lack of examples: nothing is kept."""
    X, y = np.array([[1.0, 2.0]]), [0]
    for model in (GaussianNB(var_smoothing=-1), GDA(ridge=-1), MultinomialNB(alpha=-1), MixedNB(alpha=-1)):
        with pytest.raises(ValueError, match=r"at least 0|not negative"):
            model.partial_fit(X, y, classes=[0, 1])
        assert not hasattr(model, "classes_")


def test_examples_that_take_the_estimate_back():
    """What was estimated from fewer examples does not outlive them."""
    model = GaussianNB().partial_fit([[0.0], [1.0], [2.0], [4.0]], [0, 0, 1, 1], classes=[0, 1])
    model.set_params(var_smoothing=0, priors=[0.5, 0.5])
    model.statistics_ = GaussianNB.statistics([[0.0]], [0], classes=[0, 1])
    model.partial_fit([[1.0]], [0])
    with pytest.raises(NotFittedError, match=r"no theta_ yet: class 1 has a prior of 0.5, but no examples"):
        _ = model.theta_


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_blocks_of_rows_make_no_difference(model, weighted, monkeypatch):
    X, y = data_for(model)
    weight = np.arange(len(y)) % 4 / 2 if weighted else None
    whole = made(model).fit(X, y, weight)
    expected = whole.predict_joint_log_proba(X)
    monkeypatch.setattr(densities, "MOMENT_BLOCK_NUMBERS", 3)
    monkeypatch.setattr(threads, "NUMBERS_AT_A_TIME", 3)
    monkeypatch.setattr(mixed, "ROWS_AT_A_TIME", 3)
    np.testing.assert_allclose(whole.predict_joint_log_proba(X), expected, rtol=1e-13, atol=1e-13)
    assert_same_model(made(model).fit(X, y, weight), whole, X, rtol=1e-11)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_statistics_that_do_not_add_up(model):
    X, y = data_for(model)
    narrow = made(model)
    if isinstance(model, MixedNB) and model.families is not None:
        narrow.families = model.families[:2]
    here, there = statistics_of(model, X, y), statistics_of(narrow, X[:, :2], y)
    with pytest.raises(ValueError, match=r"another (n_features|kind) do not add up"):
        _ = here + there
    with pytest.raises(TypeError, match="unsupported operand"):
        _ = here + 1
    named = statistics_of(model, X, np.array(["a", "b", "c"])[y])
    with pytest.raises(ValueError, match="classes named by text and by numbers"):
        _ = here + named
    with pytest.raises(ValueError, match="label 2, which is not among the classes"):
        statistics_of(model, X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="which is not among the classes"):
        statistics_of(model, X, y, classes=["a", "b"])
    with pytest.raises(ValueError, match="which is not among the classes"):
        made(model).partial_fit(X, np.array(["a", "b", "c"])[y], classes=[0, 1, 2])


def test_models_read_their_own_kind_only():
    kinds = {
        "sums of counts": {"MultinomialNB", "ComplementNB"},
        "variances": {"GaussianNB", "GDA-diagonal", "GDA-spherical"},
    }
    model_of = {
        "MultinomialNB": MultinomialNB(),
        "ComplementNB": ComplementNB(),
        "BernoulliNB": BernoulliNB(),
        "BernoulliNB-1": BernoulliNB(binarize=1.0),
        "CategoricalNB": CategoricalNB(),
        "GaussianNB": GaussianNB(),
        "GDA-diagonal": GDA(covariance="diagonal"),
        "GDA-spherical": GDA(covariance="shared-spherical"),
        "GDA-shared": GDA(),
        "GDA-per-class": GDA(covariance="per-class"),
        "MixedNB": MixedNB(),
        "MixedNB-Poisson": MixedNB(Poisson()),
        "MixedNB-mixed": MixedNB(MIXED),
    }
    X, y = data_for(MixedNB(MIXED))
    X = np.abs(np.round(X))
    for (one, writer), (other, reader) in product(model_of.items(), model_of.items()):
        statistics = statistics_of(writer, X, y)
        if one == other or any({one, other} <= names for names in kinds.values()):
            assert_same_model(read(reader, statistics), made(reader).fit(X, y), X)
        else:
            with pytest.raises(ValueError, match=f"{type(reader).__name__} needs statistics of the kind"):
                read(reader, statistics)
    for similar in (0.1234567, 0.1234568):  # which would look alike to six digits
        with pytest.raises(ValueError, match="kind"):
            BernoulliNB.from_statistics(statistics_of(BernoulliNB(binarize=similar + 1e-9), X, y), binarize=similar)


def test_the_same_families_written_differently_add_up():
    X, y = data_for(MixedNB(MIXED))
    both = statistics_of(MixedNB(MIXED), X[:20], y[:20]) + statistics_of(MixedNB(tuple(MIXED)), X[20:], y[20:])
    assert_same_model(read(MixedNB(MIXED), both), MixedNB(MIXED).fit(X, y), X)
    both = statistics_of(MixedNB(), X[:20], y[:20]) + statistics_of(MixedNB([Gaussian()] * 3), X[20:], y[20:])
    assert_same_model(read(MixedNB(Gaussian()), both), MixedNB().fit(X, y), X)


@pytest.mark.parametrize("other", [1, -1, 0.0, None])
def test_statistics_add_to_nothing_but_statistics_and_the_zero_of_sum(other):
    statistics = MultinomialNB.statistics(np.array([[1.0, 0], [0, 2]]), [0, 1])
    assert 0 + statistics is statistics
    with pytest.raises(TypeError, match="unsupported operand"):
        other + statistics


def test_classes_may_come_later():
    """Parts with different classes, and text of different lengths."""
    X = np.array([[1.0, 0], [0, 2], [3, 1], [1, 1]])
    y = np.array(["ham", "x", "spam", "ham"])
    parts = [MultinomialNB.statistics(X[[i]], y[[i]]) for i in range(4)]
    assert_same_model(MultinomialNB.from_statistics(sum(parts)), MultinomialNB().fit(X, y), X)
    announced = MultinomialNB.statistics(X[:1], y[:1], classes=["x", "ham", "spam"])
    assert announced.classes.tolist() == ["ham", "spam", "x"]
    assert announced.class_count.tolist() == [1, 0, 0]


# Evidence


def test_log_joint_of_multinomial_against_scipy():
    X, y = data_for(MultinomialNB())
    model = MultinomialNB(alpha=0.4, class_prior=[0.2, 0.5, 0.3]).fit(X, y)
    expected = np.log([0.2, 0.5, 0.3]) + np.column_stack(
        [stats.multinomial(X.sum(axis=1), np.exp(log_p)).logpmf(X) for log_p in model.feature_log_prob_]
    )
    for container in (np.asarray, sparse.csr_array, sparse.csc_array):
        np.testing.assert_allclose(model.log_joint(container(X)), expected, rtol=1e-11)
        np.testing.assert_allclose(model.log_marginal(container(X)), logsumexp(expected, axis=1), rtol=1e-11)


@pytest.mark.parametrize("model", GENERATIVE, ids=str)
def test_evidence_is_the_sum_of_the_joint(model):
    X, y = data_for(model)
    fitted = made(model).fit(X, y)
    joint = fitted.log_joint(X)
    np.testing.assert_allclose(fitted.log_marginal(X), np.log(np.exp(joint).sum(axis=1)), rtol=1e-12)
    np.testing.assert_allclose(fitted.predict_proba(X), np.exp(joint) / np.exp(joint).sum(axis=1)[:, None], rtol=1e-9)
    assert (fitted.predict(X) == fitted.classes_[joint.argmax(axis=1)]).all()


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
def test_evidence_sums_to_one(alpha):
    """All documents of a length, all binary vectors, all categories, all of a mixed model."""
    X, y = data_for(MultinomialNB())
    all_vectors = np.array(list(product(range(5), repeat=3)))
    for length in (0, 1, 4):
        documents = all_vectors[all_vectors.sum(axis=1) == length]
        total = logsumexp(MultinomialNB(alpha=alpha).fit(X, y).log_marginal(documents))
        assert total == pytest.approx(0, abs=1e-13)
    binary = np.array(list(product([0, 1], repeat=3)))
    for threshold in (0.0, 1.0, 1.5):
        model = BernoulliNB(alpha=alpha, binarize=threshold).fit(X, y)
        assert logsumexp(model.log_marginal(binary * 2)) == pytest.approx(0, abs=1e-13)
    model = CategoricalNB(alpha=alpha).fit(X % 4, y)
    categories = np.array(list(product(*map(range, model.n_categories_))))
    assert logsumexp(model.log_marginal(categories)) == pytest.approx(0, abs=1e-13)
    model = MixedNB([Bernoulli(), Categorical(4), Binomial(3)], alpha=alpha).fit(np.minimum(X % 4, [1, 3, 3]), y)
    every = np.array(list(product(range(2), range(4), range(4))))
    assert logsumexp(model.log_marginal(every)) == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize("model", [GaussianNB(), GDA(), GDA(covariance="per-class"), MixedNB()], ids=str)
def test_density_integrates_to_one(model):
    """The trapezoidal rule, which for these functions is exact to rounding."""
    X, y = data_for(model)
    fitted = made(model).fit(X[:, :2], y)
    side = np.linspace(-15, 20, 300)
    grid = np.array(np.meshgrid(side, side)).reshape(2, -1).T
    assert np.exp(fitted.log_marginal(grid)).sum() * (side[1] - side[0]) ** 2 == pytest.approx(1, abs=1e-9)


# Sampling


def samples(model, n, **options):
    X, y = data_for(model, m=60)
    fitted = made(model).fit(X, y)
    return fitted, *fitted.sample(n, seed=7, **options)


def assert_within_errors(found, expected, standard_error):
    """No more than 5 standard errors apart, and not so close that the errors are too wide to see anything."""
    apart = np.abs(np.asarray(found) - expected) / np.maximum(standard_error, 1e-300)
    assert apart.max() < 5
    assert apart.size < 3 or apart.max() > 0.1


@pytest.mark.parametrize("model", GENERATIVE, ids=str)
def test_the_same_seed_gives_the_same_sample(model):
    fitted, X, y = samples(model, 30)
    again, labels = fitted.sample(30, seed=np.random.default_rng(7))
    other, _ = fitted.sample(30, seed=8)
    dense = [A.toarray() if sparse.issparse(A) else A for A in (X, again, other)]
    np.testing.assert_array_equal(dense[0], dense[1])
    np.testing.assert_array_equal(y, labels)
    assert (dense[0] != dense[2]).any()
    assert dense[0].shape == (30, 3)
    assert fitted.sample()[0].shape == (1, 3)
    for wrong in (0, 2.0):
        with pytest.raises(ValueError, match=f"whole number n of at least 1, received {wrong}"):
            fitted.sample(wrong)
    with pytest.raises(NotFittedError):
        made(model).sample(3)


@pytest.mark.parametrize("model", GENERATIVE, ids=str)
def test_samples_have_the_prior(model):
    X, y = data_for(model)
    name = "class_prior" if hasattr(model, "class_prior") else "priors"
    fitted = made(model).set_params(**{name: [0.0, 0.3, 0.7]}).fit(X, y)
    labels = fitted.sample(4000, seed=1)[1]
    assert (labels > 0).all()
    assert_within_errors((labels == 1).mean(), 0.3, np.sqrt(0.3 * 0.7 / 4000))
    # what does not quite sum to one is made to
    rounded = made(model).set_params(**{name: [0.333333, 0.333333, 0.333333]}).fit(X, y)
    assert set(rounded.sample(100, seed=1)[1]) == {0, 1, 2}


@pytest.mark.parametrize("model", GAUSSIAN, ids=str)
def test_gaussian_samples_recover_the_parameters(model):
    fitted, X, y = samples(model, 6000)
    again = made(model).fit(X, y)
    N = again.class_count_[:, None]
    means, found = (fitted.theta_, again.theta_) if isinstance(model, GaussianNB) else (fitted.means_, again.means_)
    cov, cov_found = (m.var_ if isinstance(model, GaussianNB) else m.covariance_ for m in (fitted, again))
    shape = "diagonal" if isinstance(model, GaussianNB) else model.covariance
    full = shape in ("shared", "per-class")
    variance = np.diagonal(cov, axis1=-2, axis2=-1) if full else cov
    wide = variance[:, None] if shape == "spherical" else variance
    assert_within_errors(found, means, np.sqrt(wide / N))
    # the variance of an estimated covariance s_ab is (s_ab^2 + s_aa s_bb) / N
    if full:
        spread = cov**2 + variance[..., :, None] * variance[..., None, :]
    else:
        spread = 2 * cov**2 / (3 if shape.endswith("spherical") else 1)
    shared = shape.startswith("shared") or getattr(model, "shared_variance", False)
    size = len(y) if shared else again.class_count_.reshape(-1, *[1] * (cov.ndim - 1))
    assert_within_errors(cov_found, cov, np.sqrt(spread / size))


def test_categorical_samples_recover_the_parameters():
    fitted, X, y = samples(CategoricalNB(), 5000)
    for n, logs in enumerate(fitted.feature_log_prob_):
        for j in range(3):
            p, own = np.exp(logs[j]), X[y == j, n]
            found = np.bincount(own, minlength=len(p)) / len(own)
            assert_within_errors(found, p, np.sqrt(p * (1 - p) / len(own)))


@pytest.mark.parametrize("binarize", [None, 0.0, 0.5, 1.0, 3.7])
def test_bernoulli_samples_recover_the_parameters(binarize):
    X, y = data_for(BernoulliNB())
    X = X > 1 if binarize is None else X * max(1.0, binarize)
    fitted = BernoulliNB(binarize=binarize).fit(X.astype(float), y)
    drawn, labels = fitted.sample(5000, seed=2)
    assert sparse.issparse(drawn)
    again = BernoulliNB(binarize=binarize, alpha=0).fit(
        drawn, labels
    )  # the samples are on the right side of `binarize`
    phi = np.exp(fitted.feature_log_prob_)
    assert_within_errors(np.exp(again.feature_log_prob_), phi, np.sqrt(phi * (1 - phi) / again.class_count_[:, None]))


def test_multinomial_samples_recover_the_parameters():
    fitted, X, y = samples(MultinomialNB(), 3000, length=6)
    np.testing.assert_array_equal(X.sum(axis=1), 6)
    beta = np.exp(fitted.feature_log_prob_)
    found = np.array([X[y == j].sum(axis=0) for j in range(3)]) / (6 * np.bincount(y)[:, None])
    assert_within_errors(found, beta, np.sqrt(beta * (1 - beta) / (6 * np.bincount(y)[:, None])))


def test_lengths_of_multinomial_samples():
    X, y = data_for(MultinomialNB())
    fitted = MultinomialNB().fit(X, y)
    lengths = np.arange(20)
    np.testing.assert_array_equal(fitted.sample(20, seed=0, length=lengths)[0].sum(axis=1), lengths)
    mean = round(X.sum() / len(X))
    assert mean > 1
    np.testing.assert_array_equal(fitted.sample(5, seed=0)[0].sum(axis=1), [mean] * 5)
    for wrong in (-1, 2.5, [1, -2]):
        with pytest.raises(ValueError, match="length must be whole numbers, not negative"):
            fitted.sample(2, seed=0, length=wrong)


def test_mixed_samples_recover_the_parameters():
    """The mean of T(x) in the sample is its expectation: every family, class by class."""
    families = [Gaussian(), Bernoulli(), Categorical(3), Poisson(), Gamma(), Binomial(5)]
    rng = np.random.default_rng(3)
    y = np.arange(80) % 2
    X = np.column_stack(
        [
            rng.normal(y),
            rng.random(80) < 0.3 + 0.3 * y,
            rng.integers(0, 3, 80),
            rng.poisson(2 + y),
            rng.gamma(2.0 + y),
            rng.binomial(5, 0.4, 80),
        ]
    )
    fitted = MixedNB(families).fit(X, y)
    drawn, labels = fitted.sample(6000, seed=4)
    for n, family in enumerate(families):
        for j in range(2):
            T = family.statistic(drawn[labels == j, n])
            error = np.sqrt(np.diagonal(family.variance_statistic(fitted.natural_[n][j])) / len(T))
            assert_within_errors(T.mean(axis=0), family.mean_statistic(fitted.natural_[n][j]), error)


# The linear form

LINEAR = [
    MultinomialNB(alpha=0.3),
    BernoulliNB(),
    BernoulliNB(binarize=1.0, alpha=0.2),
    ComplementNB(),
    ComplementNB(norm=True),
    CategoricalNB(alpha=0.5),
    GaussianNB(shared_variance=True),
    *[GDA(covariance=shape) for shape in SHAPES if shape.startswith("shared")],
    GDA(priors=[0.1, 0.2, 0.7], shrinkage=0.2),
    MixedNB(),
    MixedNB(MIXED),
]


@pytest.mark.parametrize("model", LINEAR, ids=str)
@pytest.mark.parametrize("classes", [2, 3])
def test_linear_form(model, classes):
    X, y = data_for(model, classes=classes)
    model = made(model).fit(X, y) if classes == 3 else made(model).set_params(**two_priors(model)).fit(X, y)
    linear = model.to_linear()
    np.testing.assert_allclose(linear.predict_log_proba(X), model.predict_log_proba(X), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(linear.predict_proba(X), model.predict_proba(X), rtol=1e-11, atol=1e-12)
    assert (linear.predict(X) == model.predict(X)).all()
    assert linear.coef.shape[0] == linear.intercept.shape[0] == classes
    if classes == 2:
        theta, theta_0 = linear.logistic()
        odds = linear.features(X) @ theta + theta_0
        np.testing.assert_allclose(1 / (1 + np.exp(-odds)), model.predict_proba(X)[:, 1], rtol=1e-11)
    else:
        with pytest.raises(ValueError, match="logistic form is for two classes, this posterior has 3"):
            linear.logistic()


def two_priors(model):
    return {"priors": [0.3, 0.7]} if getattr(model, "priors", None) is not None else {}


@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csc_matrix])
def test_linear_form_of_sparse_counts(container):
    X, y = data_for(MultinomialNB())
    for model in (MultinomialNB(), BernoulliNB(), ComplementNB()):
        linear = model.fit(container(X), y).to_linear()
        np.testing.assert_allclose(
            linear.predict_log_proba(container(X)), model.predict_log_proba(X), rtol=1e-12, atol=1e-12
        )


@pytest.mark.parametrize(
    "model", [GaussianNB(), *[GDA(covariance=shape) for shape in SHAPES if not shape.startswith("shared")]], ids=str
)
def test_quadratic_posteriors_have_no_linear_form(model):
    with pytest.raises(ValueError, match="quadratic in x"):
        made(model).fit(*data_for(model)).to_linear()


@pytest.mark.parametrize("model", [m for m in LINEAR if not isinstance(m, ComplementNB)], ids=str)
def test_a_prior_of_zero_has_no_linear_form(model):
    name = "class_prior" if hasattr(model, "class_prior") else "priors"
    fitted = made(model).set_params(**{name: [0.0, 0.5, 0.5]}).fit(*data_for(model))
    assert (fitted.predict_proba(data_for(model)[0])[:, 0] == 0).all()
    with pytest.raises(ValueError, match="infinite"):
        fitted.to_linear()


def test_a_probability_of_zero_has_no_linear_form():
    X, y = np.array([[1, 0], [2, 0], [1, 1], [0, 1]]), [0, 0, 1, 1]
    for model in (MultinomialNB(alpha=0), BernoulliNB(alpha=0), CategoricalNB(alpha=0)):
        with pytest.raises(ValueError, match="infinite weights: use alpha > 0"):
            model.fit(X, y).to_linear()


def test_missing_values_have_no_linear_form():
    X, y = data_for(MixedNB(MIXED))
    linear = MixedNB(MIXED).fit(X, y).to_linear()
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="missing values"):
        linear.predict_proba(X)


@pytest.mark.parametrize("model", LINEAR, ids=str)
def test_the_linear_form_refuses_what_the_model_refuses(model):
    X, y = data_for(model)
    linear = made(model).fit(X, y).to_linear()
    assert (linear.predict(X.tolist()) == linear.predict(X)).all()
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            linear.predict_proba(np.full((1, 3), bad))
    with pytest.raises(ValueError, match="X has 2 features, but"):
        linear.predict_proba(X[:, :2])


def test_the_linear_form_of_numbers_too_large():
    linear = LinearPosterior(np.arange(2), np.array([[10.0], [-10.0]]), np.zeros(2))
    with pytest.raises(ValueError, match="row 0 give scores that are more than a floating-point number can hold"):
        linear.predict_proba([[1e308]])


@pytest.mark.parametrize("model", LINEAR, ids=str)
def test_the_linear_form_needs_a_fit(model):
    with pytest.raises(NotFittedError):
        made(model).to_linear()


def test_statistics_are_compared_by_identity():
    statistics = MultinomialNB.statistics([[1, 0], [0, 2]], [0, 1])
    assert statistics == statistics
    assert statistics != MultinomialNB.statistics([[1, 0], [0, 2]], [0, 1])


def test_labels_beyond_the_classes_are_unknown():
    assert codes_of(np.array([7, 3, 7]), np.array([3, 7])).tolist() == [1, 0, 1]
    for classes in ([3], [3, 7]):
        for label in (1, 5, 9):
            with pytest.raises(ValueError, match=f"y has the label {label}, which is not among the classes"):
                codes_of(np.array([3, label]), np.array(classes))


# Order of rows, features and classes


@pytest.mark.parametrize("model", MODELS, ids=str)
@settings(deadline=None, max_examples=5)
@given(seed=st.integers(0, 2**32 - 1))
def test_order_does_not_matter(model, seed):
    rng = np.random.default_rng(seed)
    X, y = data_for(model, seed=seed)
    expected = made(model).fit(X, y).predict_joint_log_proba(X)
    rows = rng.permutation(len(y))
    np.testing.assert_allclose(
        made(model).fit(X[rows], y[rows]).predict_joint_log_proba(X), expected, rtol=1e-9, atol=1e-9
    )
    features = rng.permutation(3)
    moved = made(model)
    if isinstance(model, MixedNB) and model.families is not None:
        moved.families = [model.families[n] for n in features]
    moved.fit(X[:, features], y)
    np.testing.assert_allclose(moved.predict_joint_log_proba(X[:, features]), expected, rtol=1e-9, atol=1e-9)
    names = rng.permutation(["a", "b", "c"])
    renamed = made(model).fit(X, names[y])
    order = np.searchsorted(["a", "b", "c"], names)
    np.testing.assert_allclose(renamed.predict_joint_log_proba(X)[:, order], expected, rtol=1e-9, atol=1e-9)
