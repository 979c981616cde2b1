"""Fisher's projection against scikit-learn, by hand, and under linear maps."""

import numpy as np
import pandas as pd
import pytest
from scipy.linalg import eigh
from sklearn.base import clone
from sklearn.datasets import load_digits, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from probml.gda import GDA
from probml.gda.covariance import SHAPES

SHARED = [shape for shape in SHAPES if shape.startswith("shared")]
OWN = [shape for shape in SHAPES if not shape.startswith("shared")]


def unequal(K=4, n=5, m=160, seed=0):
    """Correlated examples of K classes, the later of which are larger."""
    rng = np.random.default_rng(seed)
    y = np.sort(rng.choice(K, m, p=np.arange(1, K + 1) * 2 / K / (K + 1)))
    return rng.normal(size=(m, n)) @ rng.normal(size=(n, n)) + 2 * rng.normal(size=(K, n))[y] + 3, y


def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def aligned(found, expected):
    """What was found, with the signs of the columns of what was expected."""
    return found * np.sign((found * expected).sum(axis=0))


def assert_equal(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("n_components", [None, 1, 2])
@pytest.mark.parametrize(
    "data", [wine(), unequal(), unequal(K=6, n=3), unequal(K=3, n=2)], ids=["wine", "n > K", "n < K", "n = K - 1"]
)
def test_agrees_with_scikit_learn(data, n_components):
    X, y = data
    ours = GDA(n_components=n_components).fit(X[::2], y[::2])
    for solver in ("svd", "eigen"):
        peer = LinearDiscriminantAnalysis(solver=solver, n_components=n_components).fit(X[::2], y[::2])
        projected, ratio = peer.transform(X), peer.explained_variance_ratio_
        if solver == "eigen":  # does not centre
            projected = projected - ours.xbar_ @ peer.scalings_[:, : projected.shape[1]]
        assert_equal(aligned(ours.transform(X), projected), projected)
        assert_equal(ours.explained_variance_ratio_, ratio)
        scalings = peer.scalings_[:, : len(ratio)]
        assert_equal(aligned(ours.scalings_, scalings), scalings)
        if solver == "svd":
            assert_equal(ours.xbar_, peer.xbar_)


def test_given_priors_agree_with_scikit_learn():
    X, y = unequal(K=3)
    prior = [0.6, 0.3, 0.1]
    ours, peer = GDA(priors=prior).fit(X, y), LinearDiscriminantAnalysis(priors=prior).fit(X, y)
    assert_equal(ours.xbar_, peer.xbar_)
    assert_equal(aligned(ours.transform(X), peer.transform(X)), peer.transform(X))
    assert_equal(ours.explained_variance_ratio_, peer.explained_variance_ratio_)


@pytest.mark.parametrize("shape", SHARED)
@pytest.mark.parametrize("options", [{}, {"shrinkage": 0.3}, {"ridge": 0.5, "unbiased": True}], ids=str)
def test_solves_the_generalised_eigenproblem(shape, options):
    """B v = lambda Sigma v for the covariance of the model, whatever its shape, by another solver."""
    X, y = unequal()
    model = GDA(covariance=shape, **options).fit(X, y)
    Sigma = model.covariance_ if shape == "shared" else np.eye(5) * model.covariance_
    deviations = model.means_ - model.priors_ @ model.means_
    B = deviations.T @ (model.priors_[:, None] * deviations)
    values, V = (part[..., ::-1] for part in eigh(B, Sigma))
    assert_equal(aligned(model.scalings_, V[:, :3]), V[:, :3])
    assert_equal(model.explained_variance_ratio_, values[:3] / values.sum())
    assert_equal(model.scalings_.T @ Sigma @ model.scalings_, np.eye(3))


def test_two_classes_by_hand():
    """Four points of each class around (0, 0) and (3, 4), so that Sigma = diag(1, 4) and v = (3, 1) / sqrt(13).

    Sigma^-1 (mu_1 - mu_0) = (3, 1), and (3, 1) Sigma (3, 1)^T = 9 + 4.
    """
    cross = np.array([[1.0, 2.0], [1.0, -2.0], [-1.0, 2.0], [-1.0, -2.0]])
    X, y = np.concatenate([cross, cross + np.array([3, 4])]), np.repeat(["a", "b"], 4)
    model = GDA().fit(X, y)
    np.testing.assert_allclose(model.covariance_, [[1, 0], [0, 4]], atol=1e-15)
    np.testing.assert_allclose(model.scalings_, np.array([[3], [1]]) / np.sqrt(13), rtol=1e-14)
    np.testing.assert_allclose(model.xbar_, [1.5, 2], rtol=1e-15)
    np.testing.assert_allclose(model.explained_variance_ratio_, [1], rtol=1e-15)
    projected = model.transform([[0, 0], [3, 4], [1.5, 3]])
    np.testing.assert_allclose(projected * np.sqrt(13), [[-6.5], [6.5], [1]], rtol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_two_classes_point_from_the_first_to_the_second(seed):
    X, y = unequal(K=2, seed=seed)
    model = GDA().fit(X, y)
    direction = np.linalg.solve(model.covariance_, model.means_[1] - model.means_[0])
    direction /= np.sqrt(direction @ model.covariance_ @ direction)
    assert_equal(model.scalings_[:, 0], direction)


@pytest.mark.parametrize("K", [2, 4])
def test_the_last_class_is_on_the_positive_side(K):
    X, y = unequal(K=K)
    model = GDA().fit(X, y)
    assert (model.transform(model.means_)[-1] > 0).all()


def test_invertible_linear_maps_change_nothing():
    X, y = unequal()
    rng = np.random.default_rng(1)
    A = np.linalg.qr(rng.normal(size=(5, 5)))[0] * [1, 3, 10, 0.1, 0.02] @ np.linalg.qr(rng.normal(size=(5, 5)))[0]
    before, after = GDA().fit(X, y), GDA().fit(X @ A + [5, -7, 0, 1, 2], y)
    mapped = after.transform(X @ A + [5, -7, 0, 1, 2])
    np.testing.assert_allclose(mapped, before.transform(X), atol=1e-10 * np.abs(mapped).max())
    np.testing.assert_allclose(after.explained_variance_ratio_, before.explained_variance_ratio_, atol=1e-10)


@pytest.mark.parametrize("shrinkage", [0.0, 0.4])
def test_all_directions_keep_the_posterior(shrinkage):
    """The projected classes have the covariance I: without shrinkage, a model of these coordinates is the same."""
    X, y = unequal(K=3)
    model = GDA(shrinkage=shrinkage).fit(X, y)
    Z, means = model.transform(X), model.transform(model.means_)
    scores = np.log(model.priors_) - np.square(Z[:, None] - means).sum(axis=2) / 2
    posterior = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(posterior, model.predict_proba(X), atol=1e-12)
    if not shrinkage:
        np.testing.assert_allclose(GDA().fit(Z, y).covariance_, np.eye(2), atol=1e-12)
        np.testing.assert_allclose(GDA().fit(Z, y).predict_proba(Z), model.predict_proba(X), atol=1e-10)


def test_the_same_from_parts():
    X, y = unequal()
    whole = GDA(n_components=2).fit(X, y)
    order = np.random.default_rng(0).permutation(len(X))
    streamed, halves = GDA(n_components=2), []
    for rows in np.array_split(order, 3):
        streamed.partial_fit(X[rows], y[rows], classes=range(4))
        halves.append(GDA.statistics(X[rows], y[rows]))
    merged = GDA.from_statistics(sum(halves), n_components=2)
    for model in (streamed, merged, clone(whole).fit(X[order], y[order])):
        assert_equal(model.transform(X), whole.transform(X))
        assert_equal(model.explained_variance_ratio_, whole.explained_variance_ratio_)
        assert [*model.get_feature_names_out()] == ["gda0", "gda1"]


def test_weights_are_repetitions():
    X, y = unequal()
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    weighted, repeated = GDA().fit(X, y, weight), GDA().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert_equal(weighted.transform(X), repeated.transform(X))


def test_fit_transform_and_frames():
    X, y = wine()
    model = GDA(n_components=2).set_output(transform="pandas")
    frame = model.fit_transform(X, y)
    assert isinstance(frame, pd.DataFrame)
    assert [*frame.columns] == ["gda0", "gda1"]
    np.testing.assert_array_equal(frame, GDA(n_components=2).fit(X, y).transform(X))
    pipe = make_pipeline(GDA(n_components=2), GDA()).fit(X, y)
    assert pipe.score(X, y) > 0.98


def test_means_on_a_line_leave_nothing_for_a_second_direction():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(40, 3))
    noise -= noise.mean(axis=0)
    X = np.concatenate([noise + step * np.array([1, 2, 3]) for step in (0, 1, -2)])
    model = GDA().fit(X, np.repeat([0, 1, 2], 40))
    np.testing.assert_allclose(model.explained_variance_ratio_, [1, 0], atol=1e-14)
    assert model.transform(X).shape == (120, 2)


def test_the_same_means_explain_nothing():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] * 2)
    model = GDA().fit(X, np.repeat([0, 1], 4))
    np.testing.assert_array_equal(model.explained_variance_ratio_, [0])
    assert np.isfinite(model.transform(X)).all()


def test_one_class_has_no_directions():
    X, _ = unequal()
    model = GDA().fit(X, np.zeros(len(X)))
    assert model.transform(X).shape == (len(X), 0)
    assert len(model.explained_variance_ratio_) == 0


@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_units_do_not_matter(scale):
    X, y = unequal()
    assert_equal(GDA().fit(X * scale, y).transform(X * scale), GDA().fit(X, y).transform(X))


@pytest.mark.parametrize("n_components", [0, 4, -1, 1.0, "2", True])
@pytest.mark.parametrize("shape", ["shared", "per-class"])
def test_bad_n_components(n_components, shape):
    X, y = unequal()
    with pytest.raises(ValueError, match=rf"from 1 to min\(K - 1, n\) = 3, as there are 4 .*{n_components!r}"):
        GDA(n_components=n_components, covariance=shape).fit(X, y)


def test_no_more_components_than_features():
    X, y = load_digits(return_X_y=True)
    with pytest.raises(ValueError, match=r"min\(K - 1, n\) = 2, as there are 10 classes and 2 features; received 3"):
        GDA(n_components=3, ridge=1).fit(X[:, [20, 21]], y)


@pytest.mark.parametrize("shape", OWN)
def test_no_projection_without_a_shared_covariance(shape):
    X, y = unequal()
    model = GDA(covariance=shape).fit(X, y)
    for name in ("transform", "fit_transform", "get_feature_names_out"):
        assert not hasattr(model, name)
        with pytest.raises(AttributeError, match=f"no {name} with covariance='{shape}'.*covariance=\"shared\""):
            getattr(model, name)
    assert not hasattr(model, "scalings_")
    with pytest.raises(ValueError, match="fitted with a covariance for each class"):
        model.set_params(covariance="shared").transform(X)


def test_no_projection_before_there_is_an_estimate():
    X, y = unequal()
    with pytest.raises(NotFittedError):
        GDA().transform(X)
    with pytest.raises(NotFittedError, match="class 1 has no examples"):
        GDA().partial_fit(X[y == 0], y[y == 0], classes=range(4)).transform(X)


def test_a_projection_that_is_no_number():
    X, y = unequal()
    model = GDA().fit(X * 1e-100, y)
    far = X.copy()
    far[3] = 1e300
    with pytest.raises(ValueError, match="projection of row 3 is more than a floating-point number can hold"):
        model.transform(far)


def test_what_reg_param_is_here():
    """scikit-learn's (1 - r) Sigma + r I is 1 - r times Sigma + r / (1 - r) I."""
    X, y = unequal(K=2)
    peer = QuadraticDiscriminantAnalysis(reg_param=0.3, store_covariance=True).fit(X, y)
    ours = GDA(covariance="per-class", ridge=0.3 / 0.7).fit(X, y)
    np.testing.assert_allclose(
        [np.linalg.eigvalsh(own)[::-1] * 0.7 for own in ours.covariance_], peer.scalings_, rtol=1e-10
    )


def test_no_automatic_shrinkage():
    with pytest.raises(ValueError, match=r'shrinkage="auto".*fourth moments.*give a number from 0 to 1'):
        GDA(shrinkage="auto").fit(*unequal())
