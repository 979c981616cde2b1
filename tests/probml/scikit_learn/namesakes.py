"""Our linear models with the parameters of scikit-learn's, so that its tests can make them.

    C        l2 = 1 / C
    alpha    l2 = alpha sum_i s_i, as losses are averaged there
    solver   "auto", whatever its name, with its own tolerance unless tol is tighter

What else scikit-learn's have, such as l1_ratio, these do not take.
"""

from dataclasses import replace

from sklearn._loss import HalfBinomialLoss, HalfGammaLoss, HalfPoissonLoss, HalfSquaredError
from sklearn.utils.validation import _check_sample_weight

from probml import linear_model
from probml.families import Bernoulli, Gamma, Gaussian
from probml.linear_model.solving import Method
from probml.losses import Identity, Log, Logit

TIGHT = 1e-10  # our own tolerance, of a distance; Newton's method takes the square


class Tighter(Method):
    """The solver's own tolerance, unless the square of that given is tighter; the solution is held to that given."""

    def solve(self, objective, start):
        own = replace(self, tol=self.tol**2 if self.tol < TIGHT else None)
        return Method.solve(own, objective, start)


class Automatic:
    """The solver is the one that we take if nothing is said."""

    solver_options = None

    def _method(self):
        given = super()._method()
        return Tighter("auto", None, given.tol, given.max_iter, given.random_state, given.warm_start)


class LogisticRegression(Automatic, linear_model.LogisticRegression):
    """l2 = 1 / C."""

    def __init__(
        self,
        *,
        C=1.0,
        fit_intercept=True,
        class_weight=None,
        solver="lbfgs",
        tol=1e-4,
        max_iter=100,
        random_state=None,
        warm_start=False,
    ):
        self.C = C
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.warm_start = warm_start

    @property
    def l2(self):
        return 1 / self.C


class Averaged(Automatic):
    """l2 = alpha sum_i s_i."""

    def __init__(self, *, alpha=1.0, fit_intercept=True, solver="lbfgs", tol=1e-4, max_iter=100, warm_start=False):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start

    random_state, whole = 0, False

    def fit(self, X, y, sample_weight=None):
        self.l2 = self.alpha * float(_check_sample_weight(sample_weight, X).sum())
        return super().fit(X, y, sample_weight)


class PoissonRegressor(Averaged, linear_model.PoissonRegression):
    """Poisson regression, as its namesake averages it."""

    def _get_loss(self):
        return HalfPoissonLoss()


class GeneralizedLinearRegressor(Averaged, linear_model.GLM):
    """The model whose losses `_get_loss` names."""

    def _get_loss(self):
        return HalfSquaredError()

    @property
    def family(self):
        return FAMILIES[type(self._get_loss())][0]

    @property
    def link(self):
        return FAMILIES[type(self._get_loss())][1]


class GammaRegressor(GeneralizedLinearRegressor):
    """Gamma regression with the logarithm as its link."""

    def _get_loss(self):
        return HalfGammaLoss()


FAMILIES = {
    HalfSquaredError: (Gaussian(), Identity()),
    HalfGammaLoss: (Gamma(), Log()),
    HalfBinomialLoss: (Bernoulli(), Logit()),
}
