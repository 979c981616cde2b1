"""Fisher's projection: the directions in which the classes lie farthest apart, measured by the spread within them."""

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.metaestimators import available_if

from probml.gda.covariance import Shape, whitened
from probml.generative import Moments, StatisticsClassifier
from probml.generative.gaussian import centred_products
from probml.inputs import handed_out, is_whole, precision_of
from probml.typing import Array, Matrix


def fisher_projection(means: Array, prior: Array, root: Array, n_components: int) -> tuple[Array, Array, Array]:
    """c, the directions v_1, v_2, … that maximise the scatter between the classes over that within,

        v^T B v / v^T Sigma v,     B = sum_j phi_j (mu_j - c)(mu_j - c)^T,   c = sum_j phi_j mu_j,

    each with v^T Sigma v = 1 and uncorrelated within the classes with those before it: B v = lambda Sigma v, with the
    largest lambda first; and each lambda over the sum of all. With Sigma^-1 = R R^T and v = R u this is the problem
    R^T B R u = lambda u of a symmetric matrix, and that is M^T M for M the whitened means, with rows
    sqrt(phi_j) (mu_j - c)^T R: the u are the right singular vectors of M, and lambda its squared singular values.

    means : mu, shape (K, n). prior : phi, shape (K,). root : R, shape (n, n), or (n,) where it is diagonal.
    """
    centre = prior @ means
    apart = whitened(means - centre, root)
    _, singular, U = np.linalg.svd(np.sqrt(prior)[:, None] * apart, full_matrices=False)
    # Either sign of u will do: we take the one that has the last class on the positive side, as log odds have.
    U = U * np.where(apart[-1] @ U.T < 0, -1.0, 1.0)[:, None]
    eigenvalues = np.square(singular / (singular[0] or 1.0))  # relative: no squares of tiny numbers; 0 if means agree
    directions = root @ U.T if root.ndim == 2 else root[:, None] * U.T
    return centre, directions[:, :n_components], (eigenvalues / (eigenvalues.sum() or 1.0))[:n_components]


def checked_components(n_components: int | None, n_classes: int, n_features: int) -> int:
    """The number of directions to keep: all there are, unless told otherwise."""
    most = min(n_classes - 1, n_features)
    if n_components is None:
        return most
    if not (is_whole(n_components) and not isinstance(n_components, bool) and 1 <= n_components <= most):
        raise ValueError(
            f"n_components must be None or a whole number from 1 to min(K - 1, n) = {most}, as there are {n_classes} "
            f"classes and {n_features} features; received {n_components!r}"
        )
    return int(n_components)


def _shares_covariance(model: "FisherProjection") -> bool:
    return str(model.covariance).startswith("shared")


class FisherProjection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, StatisticsClassifier[Moments]):
    """What a model with `xbar_` and `scalings_` can do, if its parameter `covariance` is one that the classes share."""

    covariance: Shape
    coef_: Array
    intercept_: Array
    xbar_: Array
    scalings_: Array
    _precision: np.dtype  # of what is handed out

    def transform(self, X: Matrix) -> Matrix:
        """V^T (x - c): coordinates of X, shape (m, n), along Fisher's directions. Shape (m, n_components)."""
        self._check_estimated()
        if not hasattr(self, "scalings_"):
            raise ValueError("the model was fitted with a covariance for each class: fit it again with the shared one")
        projected = centred_products(self._valid(X), self.xbar_, self.scalings_.T)
        if not np.isfinite(projected).all():
            row = np.flatnonzero(~np.isfinite(projected).all(axis=1))[0]
            raise ValueError(f"the projection of row {row} is more than a floating-point number can hold: rescale X")
        return handed_out(projected, precision_of(X), self._precision)

    def __getattr__(self, name: str) -> object:
        """Why there is no projection. Python asks here for what it does not find."""
        if name in PROJECTING:
            raise AttributeError(
                f"there is no {name} with covariance={self.covariance!r}: Fisher's projection compares the scatter "
                'between the classes with a covariance that they share, as with covariance="shared"'
            )
        return super().__getattr__(name)


PROJECTING = ("transform", "fit_transform", "get_feature_names_out")
for _name in PROJECTING:  # after the class is made, when scikit-learn has wrapped `transform` for set_output
    setattr(FisherProjection, _name, available_if(_shares_covariance)(getattr(FisherProjection, _name)))
