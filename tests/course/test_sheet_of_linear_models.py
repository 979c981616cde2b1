"""The sheet on linear models: every formula gives what probml gives, or another library where probml has none."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import logsumexp, softmax
from scipy.stats import nbinom, norm

from probml.families import Bernoulli
from probml.linear_model import LinearRegression, LogisticRegression, Perceptron, PoissonRegression, SoftmaxRegression
from probml.losses import GLMLoss, Hinge, Logistic, PerceptronLoss, PoissonLoss, Probit, Squared
from probml.objectives import LinearObjective, SoftmaxObjective

ROOT = Path(__file__).parents[2]
FORMULA = re.compile(r"\$([^$]+)\$")
K = 3
rng = np.random.default_rng(0)
FEATURES = rng.normal(size=(80, 2))
X = np.column_stack([FEATURES, np.ones(80)])  # the package has the intercept last
THETA = np.array([0.4, -0.3, 0.2])
Z = X @ THETA
CLASS = np.arange(80) % K
ONE_OF = np.eye(K)[CLASS]
THETAS = rng.normal(size=(K, 3)) / 2
SCORES = X @ THETAS.T
RESPONSES = {
    "Linear": Z + rng.normal(size=80),
    "Logistic": (rng.random(80) < 1 / (1 + np.exp(-Z))).astype(float),
    "Poisson": rng.poisson(np.exp(Z)).astype(float),
}
LOSSES = {"Linear": Squared(), "Logistic": Logistic(), "Poisson": PoissonLoss()}
MODELS = {"Linear": LinearRegression, "Logistic": LogisticRegression, "Poisson": PoissonRegression}

# What the sheet says, and the same as code.
TEX = {
    "Link": [
        [r"g(\mu) = \mu"],
        [r"g(\mu) = \log \dfrac{\mu}{1 - \mu}"],
        [r"z_k = \log \mu_k + \text{const}"],
        [r"g(\mu) = \log \mu"],
    ],
    "Mean": [
        [r"\mu = z"],
        [r"\mu = \dfrac{1}{1 + e^{-z}}"],
        [r"\mu_k = \dfrac{e^{z_k}}{\sum_l e^{z_l}}"],
        [r"\mu = e^z"],
    ],
    "Loss": [
        [r"\frac12 (y - z)^2"],
        [r"\log(1 + e^z) - y z"],
        [r"\log \sum_k e^{z_k} - \sum_k y_k z_k"],
        [r"e^z - y z"],
    ],
    "Gradient": [
        [r"X^\top (X \boldsymbol\theta - \mathbf y)"],
        [r"X^\top (\boldsymbol\mu - \mathbf y)"],
        [r"\boldsymbol\theta_k", r"X^\top (\boldsymbol\mu_k - \mathbf y_k)"],
        [r"X^\top (\boldsymbol\mu - \mathbf y)"],
    ],
    "Hessian": [
        ["v = 1"],
        [r"v = \mu (1 - \mu)"],
        [r"\boldsymbol\theta_k, \boldsymbol\theta_l", r"v = \mu_k ([k = l] - \mu_l)"],
        [r"v = \mu"],
    ],
    "Covariance": [
        [r"s^2 (X^\top X)^{-1}", r"s^2 = \dfrac{\lvert \mathbf y - X \boldsymbol\theta \rvert^2}{m - n}"],
        [r"(X^\top V X)^{-1}"],
        [r"\boldsymbol\theta_K = 0"],
        [r"(X^\top V X)^{-1}", r"\phi = \dfrac{1}{m - n} \sum_i \dfrac{(y_i - \mu_i)^2}{\mu_i}"],
    ],
    "A coefficient": [
        [r"\theta_j"],
        [r"e^{\theta_j}"],
        ["k", "l", r"e^{\theta_{kj} - \theta_{lj}}"],
        [r"e^{\theta_j}"],
    ],
}
BELOW_THE_TABLE = [
    r"\frac{\lambda}{2} \lvert \mathbf w \rvert^2",
    r"\lambda = \frac{1}{\tau^2}",
    r"\lambda = \frac{\sigma^2}{\tau^2}",
    r"\frac{d\mu}{dz} / v(\mu_i)",
    r"\mu + \frac{\mu^2}{r}",
    r"(y + r) \log(r + e^z) - y z",
    r"(\mu - y) \frac{r}{r + \mu}",
    r"H^{-1} \bigl(\sum_i (y_i - \mu_i)^2\, \mathbf x_i \mathbf x_i^\top\bigr) H^{-1}",
    r"H = X^\top V X",
    r"\log(1 + e^{-y z})",
    r"\max(0, 1 - y z)",
    r"\max(0, -y z)",
    r"\boldsymbol\theta \leftarrow \boldsymbol\theta + y_i \mathbf x_i",
]
MEAN = {"Linear": lambda z: z, "Logistic": lambda z: 1 / (1 + np.exp(-z)), "Poisson": np.exp}
LINK = {"Linear": lambda mu: mu, "Logistic": lambda mu: np.log(mu / (1 - mu)), "Poisson": np.log}
LOSS = {
    "Linear": lambda y, z: (y - z) ** 2 / 2,
    "Logistic": lambda y, z: np.log(1 + np.exp(z)) - y * z,
    "Poisson": lambda y, z: np.exp(z) - y * z,
}
WEIGHT = {"Linear": np.ones_like, "Logistic": lambda mu: mu * (1 - mu), "Poisson": lambda mu: mu}


@cache
def sheet():
    return (ROOT / "course/sheets/linear-models.md").read_text(encoding="utf-8")


def rows():
    """The cells of the sheet by the name of their row."""
    lines = [line for line in sheet().splitlines() if line.startswith("|")]
    (_, *heads), _, *rest = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert heads == ["Linear", "Logistic", "Softmax", "Poisson"]
    return {re.search(r"\*\*(.+)\*\*", first)[1]: cells for first, *cells in rest}


def information(name, mu):
    return (X.T * WEIGHT[name](mu)) @ X


def test_the_formulas_of_the_sheet_are_those_that_are_tested_here():
    found = rows()
    for row, formulas in TEX.items():
        assert [FORMULA.findall(cell) for cell in found[row]] == formulas, row
    below = FORMULA.findall(sheet().rpartition("|\n")[2])
    assert [tex for tex in below if tex in BELOW_THE_TABLE] == BELOW_THE_TABLE
    others = set(found) - set(TEX)
    assert not any(" = " in cell for row in others - {"Response"} for cell in found[row])


@pytest.mark.parametrize("name", LOSSES)
def test_link_mean_loss_gradient_and_hessian(name):
    y, mu = RESPONSES[name], MEAN[name](Z)
    np.testing.assert_allclose(LINK[name](mu), Z, rtol=1e-12)
    losses = LOSS[name](y, Z)
    differences = losses - LOSSES[name].value(y, Z)
    np.testing.assert_allclose(differences - np.mean(differences), 0, atol=1e-12)  # up to a constant
    objective = LinearObjective(FEATURES, y, LOSSES[name])
    _, gradient, hessian = objective.newton_system(THETA)
    np.testing.assert_allclose(X.T @ (mu - y), gradient, rtol=1e-10)
    np.testing.assert_allclose(information(name, mu), hessian, rtol=1e-10)


def test_softmax():
    mu = softmax(SCORES, axis=1)
    np.testing.assert_allclose(np.ptp(np.log(mu) - SCORES, axis=1), 0, atol=1e-12)  # the constant of the link
    objective = SoftmaxObjective(FEATURES, CLASS, K)
    value, gradient, hessian = objective.newton_system(THETAS.ravel())
    assert value == pytest.approx(np.sum(logsumexp(SCORES, axis=1) - np.sum(ONE_OF * SCORES, axis=1)))
    np.testing.assert_allclose(gradient.reshape(K, 3), (X.T @ (mu - ONE_OF)).T, rtol=1e-10)
    blocks = hessian.reshape(K, 3, K, 3)
    for k in range(K):
        for other in range(K):
            v = mu[:, k] * ((k == other) - mu[:, other])
            np.testing.assert_allclose(blocks[k, :, other], (X.T * v) @ X, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_covariance_and_newton_step(name):
    y = RESPONSES[name]
    model = MODELS[name]().fit(FEATURES, y)
    theta = np.append(model.coef_, model.intercept_)
    mu = MEAN[name](X @ theta)
    scale = np.sum((y - X @ theta) ** 2) / (80 - 3) if name == "Linear" else 1.0
    errors = np.sqrt(np.diag(scale * np.linalg.inv(information(name, mu))))
    np.testing.assert_allclose(errors, model.summary().standard_error, rtol=1e-6)
    stepped = np.zeros(3)
    for _ in range(20):
        mu = MEAN[name](X @ stepped)
        stepped = stepped - np.linalg.solve(information(name, mu), X.T @ (mu - y))
    np.testing.assert_allclose(stepped, theta, rtol=1e-6)


@pytest.mark.parametrize("name", LOSSES)
def test_newton_step_is_a_weighted_least_squares_fit(name):
    y, mu = RESPONSES[name], MEAN[name](Z)
    v = WEIGHT[name](mu)
    step = THETA - np.linalg.solve(information(name, mu), X.T @ (mu - y))
    fit = LinearRegression().fit(FEATURES, Z + (y - mu) / v, sample_weight=v)
    np.testing.assert_allclose(np.append(fit.coef_, fit.intercept_), step, rtol=1e-8)


def test_covariance_of_softmax():
    model = SoftmaxRegression(reference=True).fit(FEATURES, CLASS)
    assert model.coef_.shape == (K - 1, 2)
    theta = np.vstack([np.column_stack([model.coef_, model.intercept_]), np.zeros(3)])
    mu = softmax(X @ theta.T, axis=1)
    v = mu[:, : K - 1, None] * (np.eye(K - 1) - mu[:, None, : K - 1])
    hessian = np.einsum("ikl,ia,ib->kalb", v, X, X).reshape(6, 6)
    np.testing.assert_allclose(np.sqrt(np.diag(np.linalg.inv(hessian))), model.summary().standard_error, rtol=1e-5)


def test_dispersion_and_sandwich_are_those_of_statsmodels():
    y = RESPONSES["Poisson"]
    model = sm.GLM(y, X, family=sm.families.Poisson())
    mu = model.fit().fittedvalues
    assert np.sum((y - mu) ** 2 / mu) / (80 - 3) == pytest.approx(model.fit(scale="X2").scale)
    inverse = np.linalg.inv(information("Poisson", mu))
    sandwich = inverse @ ((X.T * (y - mu) ** 2) @ X) @ inverse
    np.testing.assert_allclose(np.sqrt(np.diag(sandwich)), model.fit(cov_type="HC0").bse, rtol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_prior(name):
    penalty, y = 1.7, RESPONSES[name]
    model = MODELS[name](l2=penalty).fit(FEATURES, y)
    theta = np.append(model.coef_, model.intercept_)
    gradient = X.T @ (MEAN[name](X @ theta) - y) + penalty * theta * [1, 1, 0]  # of J + λ/2 |w|²
    np.testing.assert_allclose(gradient, 0, atol=1e-5)
    with_prior = LinearObjective(FEATURES, y, LOSSES[name], l2=penalty).newton_system(THETA)[2]
    without = LinearObjective(FEATURES, y, LOSSES[name]).newton_system(THETA)[2]
    np.testing.assert_allclose(with_prior - without, np.diag([penalty, penalty, 0]), atol=1e-9)


def test_variance_of_the_prior():
    sigma, tau = 1.3, 0.6
    y, w = RESPONSES["Linear"], np.array([0.2, -0.5])
    z = FEATURES @ w

    def minus_log_posterior(w):
        return np.sum((y - FEATURES @ w) ** 2) / (2 * sigma**2) + w @ w / (2 * tau**2)

    penalised = np.sum((y - z) ** 2) / 2 + sigma**2 / tau**2 / 2 * (w @ w)
    assert penalised == pytest.approx(sigma**2 * minus_log_posterior(w))


def test_another_link():
    y, mu = RESPONSES["Logistic"], norm.cdf(Z)
    factor = norm.pdf(Z) / WEIGHT["Logistic"](mu)
    given = LinearObjective(FEATURES, y, GLMLoss(Bernoulli(), Probit())).value_and_gradient(THETA)[1]
    np.testing.assert_allclose(X.T @ ((mu - y) * factor), given, rtol=1e-8)


def test_negative_binomial():
    r, y = 2.5, RESPONSES["Poisson"]

    def loss(z):
        return (y + r) * np.log(r + np.exp(z)) - y * z

    mu = np.exp(Z)
    law = nbinom(r, r / (r + mu))
    np.testing.assert_allclose(law.var(), mu + mu**2 / r)
    other = nbinom(r, r / (r + np.exp(Z + 0.3)))
    np.testing.assert_allclose(loss(Z) - loss(Z + 0.3), other.logpmf(y) - law.logpmf(y), atol=1e-10)
    np.testing.assert_allclose((loss(Z + 1e-5) - loss(Z - 1e-5)) / 2e-5, (mu - y) * r / (r + mu), atol=1e-6)


def test_losses_of_the_margin():
    y = 2 * RESPONSES["Logistic"] - 1
    np.testing.assert_allclose(np.log(1 + np.exp(-y * Z)), Logistic().value(RESPONSES["Logistic"], Z), rtol=1e-10)
    np.testing.assert_allclose(np.maximum(0, 1 - y * Z), Hinge().value(y, Z))
    np.testing.assert_allclose(np.maximum(0, -y * Z), PerceptronLoss().value(y, Z))
    slope = PerceptronLoss().gradient(y, Z)
    np.testing.assert_array_equal(-slope[y * Z < 0], y[y * Z < 0])


def test_perceptron_adds_the_example_at_each_mistake():
    y = np.where(FEATURES[:, 0] > 0.1, 1, -1)
    kept = np.abs(FEATURES[:, 0] - 0.1) > 0.4
    model = Perceptron().fit(FEATURES[kept], y[kept])
    theta = np.zeros(3)
    for _ in range(model.n_iter_):
        for x_i, y_i in zip(X[kept], y[kept], strict=True):
            if y_i * (x_i @ theta) <= 0:
                theta = theta + y_i * x_i
    assert np.all(y[kept] * (X[kept] @ theta) > 0)
    np.testing.assert_allclose(np.append(model.coef_[0], model.intercept_), theta)
