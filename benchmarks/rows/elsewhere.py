"""Estimators of packages that are not in the course's environment, as rows of linear models need them."""

import os
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from benchmarks.rows.estimators import Elsewhere, Value
from benchmarks.rows.problems import Matrix


def onedal(name: str, **options: object) -> Elsewhere:
    """A linear model of scikit-learn-intelex."""
    return Elsewhere(f"sklearnex.linear_model.{name}", options)


class Glum(Elsewhere):
    """A generalised linear model of glum, whose losses are averaged: alpha = l2 / m."""

    no_labels = True  # but means

    def __init__(self, options: Mapping[str, object], *, l2: float = 0.0, tol: float | None = None) -> None:
        super().__init__("glum.GeneralizedLinearRegressor", options, tolerance="gradient_tol", tol=tol)
        self.l2 = l2

    @property
    def title(self) -> str:
        """As it is called."""
        alpha = f"{self.l2:g} / m" if self.l2 else "0"
        return f"{super().title[:-1]}, alpha={alpha})"

    def _options(self, m: int) -> dict[str, Any]:
        return {**self.options, "alpha": self.l2 / m}


class Statsmodels(Elsewhere):
    """Iterated weighted least squares of statsmodels, without a penalty. family, link : their names."""

    no_labels = True  # but means

    def __init__(self, family: str, link: str, *, tol: float | None = None) -> None:
        super().__init__("statsmodels.genmod.generalized_linear_model.GLM", {}, tol=tol)
        self.family = family
        self.link = link

    @property
    def title(self) -> str:
        """As it is called."""
        return f"statsmodels.GLM(family={self.family}(link={self.link}()))"

    def fit(self, X: Matrix, y: Value) -> Self:
        """Fit."""
        from statsmodels.genmod import families, generalized_linear_model

        family = getattr(families, self.family)(link=getattr(families.links, self.link)())
        model = generalized_linear_model.GLM(y, np.column_stack([X, np.ones(len(X))]), family=family)
        options = {} if self.tol is None else {"tol": self.tol}
        self.model_ = model.fit(maxiter=1000, **options)
        return self

    @property
    def coef_(self) -> NDArray[Any]:
        """All but the last of its parameters."""
        return np.asarray(self.model_.params[:-1])

    @coef_.setter
    def coef_(self, value: Value) -> None:
        self.model_.params[:-1] = value

    @property
    def intercept_(self) -> float:
        """The last of its parameters."""
        return float(self.model_.params[-1])

    @intercept_.setter
    def intercept_(self, value: Value) -> None:
        self.model_.params[-1] = value

    def predict(self, X: Matrix) -> NDArray[Any]:
        """The mean."""
        return np.asarray(self.model_.predict(np.column_stack([X, np.ones(len(X))])))


class Snapml(Elsewhere):
    """A linear classifier of Snap ML, which penalises the intercept too: as a tenth of it enters, that is not seen."""

    SCALING = 10.0
    no_labels = True  # with coefficients that others have found

    def __init__(self, name: str, *, l2: float, tol: float | None = None) -> None:
        options = {"regularizer": l2, "fit_intercept": True, "intercept_scaling": self.SCALING, "max_iter": 10_000}
        super().__init__(f"snapml.{name}", options, tol=tol)
        self.name = name
        self.l2 = l2

    def fit(self, X: Matrix, y: Value) -> Self:
        """Fit; it takes sparse matrices, but no sparse arrays."""
        return super().fit(sparse.csr_matrix(X) if sparse.issparse(X) else X, y)

    def _options(self, m: int) -> dict[str, Any]:
        return {**self.options, "n_jobs": os.cpu_count(), "random_state": 0}

    @property
    def intercept_(self) -> Value:
        """In the unit of the scores."""
        return self.SCALING * np.asarray(self.model_.intercept_)
