"""GDA under the constructors of scikit-learn's two discriminant analyses, as their tests call them.

There is one way to solve here, so that `solver` makes no difference; the covariance is always kept, whatever
`store_covariance` says; and `tol`, from which on a covariance is singular, is not for the user to set.
"""

from probml.gda import GDA


class Discriminant(GDA):
    def fit(self, X, y):
        if self.covariance_estimator is not None:
            raise NotImplementedError("no estimators of covariances but our own")
        return super().fit(X, y)


class LinearDiscriminantAnalysis(Discriminant):
    def __init__(
        self,
        solver="svd",
        shrinkage=None,
        priors=None,
        n_components=None,
        store_covariance=False,
        tol=1e-4,
        covariance_estimator=None,
    ):
        super().__init__(priors=priors, shrinkage=shrinkage or 0.0, n_components=n_components)
        self.solver, self.store_covariance, self.tol = solver, store_covariance, tol
        self.covariance_estimator = covariance_estimator


class QuadraticDiscriminantAnalysis(Discriminant):
    def __init__(
        self,
        *,
        solver="svd",
        shrinkage=None,
        priors=None,
        reg_param=0.0,
        store_covariance=False,
        tol=1e-4,
        covariance_estimator=None,
    ):
        ridge = reg_param / (1 - reg_param)  # the same ellipsoids, in other units
        super().__init__(covariance="per-class", priors=priors, shrinkage=shrinkage or 0.0, ridge=ridge)
        self.solver, self.reg_param, self.store_covariance, self.tol = solver, reg_param, store_covariance, tol
        self.covariance_estimator = covariance_estimator
