"""What the library has for the formulas of lecture E."""

import mpmath
import numpy as np

from course.equations.calculus import derivative
from course.equations.cases import regression
from course.equations.counterpart import Beside, code
from course.equations.given import bernoulli, gaussian, linear, logistic, objective, of_table, own, poisson, softmax
from course.equations.lecture_e.glm import four_values, rate
from course.equations.lecture_e.models import GRID
from probml.families import Bernoulli, Categorical, Gaussian, Multinomial, Poisson
from probml.losses import Identity, Log, Logistic, Logit, PoissonLoss, Squared
from probml.naive_bayes import BernoulliNB, GaussianNB
from probml.solvers import gradient_descent

WITHOUT = {
    "a rule of probability": "E58 E59",
    "a rule of calculus": "E8a E22a E24a",
    "a number of parameters": "E1a",
    "a family that is made for the check": "E29",
    "a step of a derivation: the library has what it leads to": "E67 E68 E78 E79",
    "a comparison of two models": "E91b E91c",
}


@code("E2", "probml.objectives.LinearObjective.value", case=regression)
def mean_of_squared_errors(x, y, theta, sigma):
    formula = np.mean([(y_n - theta @ x_n) ** 2 for x_n, y_n in zip(x, y, strict=True)])
    return Beside(formula, objective(x, y, Squared()).value(theta) * 2 / len(y))


@code("E3", "probml.objectives.LinearObjective.value")
@code("E15b", "probml.objectives.LinearObjective.value")
def best_of_a_grid(x, y, theta, sigma):
    of = objective(x, y, Squared())
    return min(GRID, key=lambda point: of.value(np.array(point, dtype=float)))


@code("E8", "probml.naive_bayes.CategoricalNB.predict_proba")
def likelihood_of_two_examples(p):
    model, values = of_table(p)
    single = model.predict_proba(values).T.ravel()  # of every class and value
    return np.outer(single, single).ravel()


@code("E15", "probml.objectives.LinearObjective.value_and_gradient")
def gradient_of_the_normal_likelihood(x, y, theta, sigma):
    return -objective(x, y, Squared()).value_and_gradient(theta)[1] / sigma**2


@code("E15", "probml.losses.Squared.gradient")
def sum_of_slopes(x, y, theta, sigma):
    return -Squared().gradient(y, x @ theta) @ x / sigma**2


@code("E15a", "probml.linear_model.LinearRegression.predict")
def fitted_value(x, y, theta, sigma):
    return linear(theta).predict(x[:1])[0]


@code("E16a", "probml.families.Bernoulli.mean")
def mean_of_a_bernoulli_variable(phi):
    return Bernoulli().mean(Bernoulli().natural(probability=phi))


@code("E18", "probml.linear_model.LogisticRegression.decision_function")
def log_odds_of_logistic_regression(x, y, theta):
    return logistic(theta).decision_function(x)


@code("E19", "probml.linear_model.LogisticRegression.predict")
def linear_boundary(x, theta):
    """Off the plane: on it both classes are equally probable, and rounding decides."""
    formula = [int(theta @ x_n >= 0) for x_n in x]
    return Beside(formula, logistic(theta).predict(x))


@code("E22", "probml.solvers.gradient_descent")
def eighty_steps_of_ascent(ones):
    x = [[1, side] for side in (-1, 1) for _ in range(4)]
    y = [int(number < k) for k in ones for number in range(4)]
    return gradient_descent(objective(x, y), step_size=1 / 2, tolerance=1e-15, max_iterations=80).theta


@code("E22b", "probml.losses.Logistic.value")
def log_likelihood_of_one_example(x, y, theta):
    return -Logistic().value(y[:2], x[:2] @ theta)


@code("E23", "probml.losses.Logistic.gradient")
@code("E24", "probml.losses.Logistic.gradient")
@code("E25", "probml.losses.Logistic.gradient")
@code("E26", "probml.losses.Logistic.gradient")
def slopes_of_one_example(x, y, theta):
    return -Logistic().gradient(y[:2], x[:2] @ theta)[:, None] * x[:2]


@code("E27a", "probml.losses.Identity.inverse")
@code("E27a", "probml.losses.Logit.inverse")
def responses_of_both_regressions(x, y, theta):
    eta = theta @ x[0]
    return [Identity().inverse(eta), Logit().inverse(eta)]


@code("E30", "probml.families.Bernoulli.mean", case=four_values)
@code("E30", "probml.families.Poisson.mean", case=four_values)
def means_as_slopes(h, eta):
    formula = [derivative(lambda t: mpmath.log(1 + mpmath.exp(t)), eta), derivative(mpmath.exp, eta)]
    return Beside(formula, [Bernoulli().mean([eta]), Poisson().mean([eta])])


@code("E32a", "probml.losses.Log.inverse")
def response_of_counts(eta):
    return Log().inverse(eta)


@code("E33", "probml.families.Poisson.log_density", case=rate)
def probabilities_of_counts(lam):
    formula = [mpmath.mpf(lam) ** k * mpmath.exp(-lam) / mpmath.factorial(k) for k in range(6)]
    return Beside(formula, np.exp(log_probabilities_of_counts(lam)))


@code("E33a", "probml.families.Poisson.mean")
def mean_of_counts(lam):
    return Poisson().mean(Poisson().natural(rate=lam))


@code("E34", "probml.families.Poisson.log_density", of=mpmath.log)
@code("E35", "probml.families.Poisson.log_density", of=mpmath.log)
@code("E36", "probml.families.Poisson.log_density", of=mpmath.log)
def log_probabilities_of_counts(lam):
    return Poisson().log_density(range(6), Poisson().natural(rate=lam))


@code("E37", "probml.linear_model.PoissonRegression.predict")
def response_of_poisson_regression(theta, x):
    return poisson(theta).predict([x])[0]


@code("E37a", "probml.losses.Log.inverse")
def rates_are_positive(theta, x):
    return Log().inverse(np.array([-20, -1, 1, 20]) * (theta @ x)) > 0


@code("E38", "probml.families.Multinomial.log_density")
def probabilities_of_draws(pi):
    eta = Multinomial(3).natural(probabilities=pi)
    draws = [(a, b, n - a - b) for n in (1, 3) for a in range(n + 1) for b in range(n + 1 - a)]
    return {y: float(np.exp(Multinomial(3).log_density(y, eta))) for y in draws}


@code("E39", "probml.families.Categorical.mean_statistic")
def means_of_indicators(pi):
    return Categorical(3).mean_statistic(Categorical(3).natural(probabilities=pi))


@code("E40", "probml.families.Categorical.log_density", of=mpmath.log)
@code("E41", "probml.families.Categorical.log_density", of=mpmath.log)
@code("E42", "probml.families.Categorical.log_density", of=mpmath.log)
@code("E43", "probml.families.Categorical.log_density", of=mpmath.log)
@code("E44", "probml.families.Categorical.log_density", of=mpmath.log)
def log_probabilities_of_classes(pi):
    return Categorical(3).log_density(range(3), Categorical(3).natural(probabilities=pi))


@code("E41a", "probml.families.Categorical.log_partition")
def log_partition_of_logarithms(pi, free):
    return Categorical(3).log_partition(Categorical(3).natural(probabilities=pi))


@code("E45", "probml.families.Categorical.natural")
def log_odds_against_the_last_class(pi):
    eta = Categorical(3).natural(probabilities=pi)
    return eta[:-1] - eta[-1]


@code("E45a", "probml.families.Categorical.usual")
def probability_of_the_first_class(eta, second, other):
    return Categorical(3).usual([eta, other, 0])["probabilities"][0]


@code("E47", "probml.families.Categorical.usual")
def softmax_function(eta, second, other):
    return Categorical(3).usual([eta, second, 0])["probabilities"]


@code("E48", "probml.linear_model.SoftmaxRegression.predict_proba")
def softmax_regression(theta, x):
    return softmax(theta[:-1]).predict_proba([x])[0]


# Natural parameters of the families of the lecture, with η for a mean; for the normal distribution the variance is 1.
FAMILIES = (
    (Bernoulli(), Logistic(), lambda eta: [eta]),
    (Poisson(), PoissonLoss(), lambda eta: [eta]),
    (Gaussian(), Squared(), lambda eta: Gaussian().natural(mean=eta, variance=1)),
)


@code("E49", "probml.families.Bernoulli.log_density")
@code("E49", "probml.families.Poisson.log_density")
@code("E49", "probml.families.Gaussian.log_density")
def log_likelihood_without_its_base(x, y, theta):
    """In the form with η y and variance 1, the base of the normal family is its density about 0."""
    eta, found = theta @ x[0], []
    for (family, _, natural), (y_1, _) in zip(FAMILIES, y, strict=True):
        base = family.log_density(y_1, natural(0.0)) if family == Gaussian() else family.log_base(y_1)
        found.append(family.log_density(y_1, natural(eta)) - base)
    return found


@code("E49", "probml.losses.Logistic.value")
@code("E49", "probml.losses.PoissonLoss.value")
@code("E49", "probml.losses.Squared.value")
def losses_of_one_example(x, y, theta):
    """Each loss is minus the log likelihood; that of the normal family has the base, -y²/2, too."""
    eta, y_1 = theta @ x[0], [y_f[0] for y_f in y]
    found = [-loss.value(value, eta) for (_, loss, _), value in zip(FAMILIES, y_1, strict=True)]
    return [*found[:2], found[2] + y_1[2] ** 2 / 2]


@code("E50", "probml.objectives.LinearObjective.value_and_gradient")
@code("E51", "probml.objectives.LinearObjective.value_and_gradient")
def gradients_of_three_models(x, y, theta):
    return [
        -objective(x, y_f, loss).value_and_gradient(theta)[1] for (_, loss, _), y_f in zip(FAMILIES, y, strict=True)
    ]


@code("E51", "probml.losses.Logistic.gradient")
@code("E51", "probml.losses.PoissonLoss.gradient")
@code("E51", "probml.losses.Squared.gradient")
def sums_of_slopes_of_three_models(x, y, theta):
    return [-loss.gradient(y_f, x @ theta) @ x for (_, loss, _), y_f in zip(FAMILIES, y, strict=True)]


@code("E52", "probml.families.Bernoulli.mean")
@code("E52", "probml.families.Poisson.mean")
@code("E52", "probml.families.Gaussian.mean")
def gradients_with_the_mean(x, y, theta):
    found = []
    for (family, _, natural), y_f in zip(FAMILIES, y, strict=True):
        means = np.array([family.mean(natural(eta)) for eta in x @ theta])
        found.append((y_f - means) @ x)
    return found


@code("E53", "probml.naive_bayes.CategoricalNB.log_joint")
def joint_of_a_table(p):
    model, values = of_table(p)
    return np.exp(model.log_joint(values)).T.ravel()


@code("E54", "probml.naive_bayes.CategoricalNB.predict_proba")
def posterior_of_a_table(p):
    model, values = of_table(p)
    return model.predict_proba(values).T.ravel()


@code("E55", "probml.naive_bayes.CategoricalNB.predict")
def most_probable_classes_of_a_table(p):
    model, values = of_table(p)
    return model.predict(values)


@code("E63", "probml.naive_bayes.BernoulliNB.log_joint")
@code("E64", "probml.naive_bayes.BernoulliNB.log_joint")
@code("E65", "probml.naive_bayes.BernoulliNB.log_joint")
def joint_of_tickets(ones, features):
    joint = bernoulli([1 - ones / 5, ones / 5], features.T / 5).log_joint([(a, b) for a in (0, 1) for b in (0, 1)])
    return {(y, a, b): float(np.exp(joint[2 * a + b, y])) for y in (0, 1) for a in (0, 1) for b in (0, 1)}


@code("E66", "probml.naive_bayes.BernoulliNB.log_joint")
def log_likelihood_of_reviews(x, y, theta, prior):
    formula = sum(
        np.log([theta[i][y_n] if x_n[i] else 1 - theta[i][y_n] for i in (0, 1)]).sum()
        + np.log(prior if y_n else 1 - prior)
        for x_n, y_n in zip(x, y, strict=True)
    )
    return Beside(formula, own(bernoulli([1 - prior, prior], theta.T).log_joint(x), y).sum())


@code("E70", "probml.naive_bayes.BernoulliNB.feature_log_prob_")
@code("E71", "probml.naive_bayes.BernoulliNB.feature_log_prob_")
def shares_of_features_in_a_class(x, y, theta, prior, k):
    return np.exp(BernoulliNB(alpha=0).fit(x, y).feature_log_prob_[k])


@code("E70a", "probml.families.Bernoulli.mle")
def share_of_reviews_with_a_word(fake):
    family = Bernoulli()
    return family.mean(family.mle(family.collect([float("absolutely" in review) for review in fake])))


@code("E72", "probml.naive_bayes.BernoulliNB.class_log_prior_")
def share_of_class_1(x, y, theta, prior):
    return np.exp(BernoulliNB(alpha=0).fit(x, y).class_log_prior_[1])


@code("E75", "probml.naive_bayes.GaussianNB.log_joint")
def logarithm_of_the_product(x, y, mu, sigma, theta):
    formula = mpmath.fprod(
        theta[k] * mpmath.fprod(mpmath.npdf(x_n[i], mu[i, k], sigma[i, k]) for i in range(2))
        for x_n, k in zip(x, y, strict=True)
    )
    return Beside(mpmath.log(formula), log_likelihood_of_gaussian_naive_bayes(x, y, mu, sigma, theta))


@code("E76", "probml.naive_bayes.GaussianNB.log_joint")
def logarithm_of_the_densities(x, y, mu, sigma, theta):
    root = mpmath.sqrt(2 * mpmath.pi)
    formula = mpmath.fprod(
        theta[k]
        * mpmath.fprod(
            1 / (root * sigma[i, k]) * mpmath.exp(-1 / (2 * sigma[i, k] ** 2) * (x_n[i] - mu[i, k]) ** 2)
            for i in range(2)
        )
        for x_n, k in zip(x, y, strict=True)
    )
    return Beside(mpmath.log(formula), log_likelihood_of_gaussian_naive_bayes(x, y, mu, sigma, theta))


@code("E77", "probml.naive_bayes.GaussianNB.log_joint")
def log_likelihood_of_gaussian_naive_bayes(x, y, mu, sigma, theta):
    return own(gaussian(theta, mu.T, sigma.T).log_joint(x), y).sum()


def of_the_first_classes(x, y):
    """The model of classes 0 and 1: class 2 has one example, and no variance."""
    return GaussianNB(var_smoothing=0).fit(x[y < 2], y[y < 2])


@code("E80", "probml.naive_bayes.GaussianNB.theta_")
def mean_of_a_feature(x, y, mu, sigma, theta):
    return of_the_first_classes(x, y).theta_[1, 1]


@code("E81", "probml.naive_bayes.GaussianNB.var_")
def variance_of_a_feature(x, y, mu, sigma, theta):
    return of_the_first_classes(x, y).var_[1, 1]


@code("E82", "probml.naive_bayes.GaussianNB.class_prior_")
def shares_of_classes(x, y, mu, sigma, theta):
    return GaussianNB().fit(x, y).class_prior_


def log_odds(model, x):
    """log p(y = 1 | x) / p(y = 0 | x)."""
    zero, one = model.predict_joint_log_proba([x])[0]
    return one - zero


@code("E83", "probml.naive_bayes.GaussianNB.predict_joint_log_proba")
@code("E84", "probml.naive_bayes.GaussianNB.predict_joint_log_proba")
def quadratic_log_odds(x, mu, sigma, prior):
    return log_odds(gaussian([1 - prior, prior], mu, sigma), x)


def equal(mu, sigma):
    """Classes that are equally likely, with the variances of class 0."""
    return gaussian([0.5, 0.5], mu, sigma[0], shared=True)


@code("E86", "probml.naive_bayes.GaussianNB.predict_joint_log_proba")
@code("E87", "probml.naive_bayes.GaussianNB.predict_joint_log_proba")
@code("E88", "probml.naive_bayes.GaussianNB.predict_joint_log_proba")
def log_odds_of_equal_classes(x, mu, sigma, prior):
    return log_odds(equal(mu, sigma), x)


@code("E89", "probml.generative.LinearPosterior.logistic")
def linear_log_odds(x, mu, sigma, prior):
    theta, theta_0 = equal(mu, sigma).to_linear().logistic()
    return theta @ x + theta_0


@code("E90", "probml.naive_bayes.GaussianNB.to_linear")
def weights(x, mu, sigma, prior):
    return equal(mu, sigma).to_linear().logistic()[0]


@code("E91", "probml.naive_bayes.GaussianNB.to_linear")
def intercept(x, mu, sigma, prior):
    return equal(mu, sigma).to_linear().logistic()[1]


@code("E91a", "probml.naive_bayes.GaussianNB.predict_joint_log_proba")
def log_odds_halfway(x, mu, sigma, prior):
    return log_odds(gaussian([1 - prior, prior], mu, sigma[0], shared=True), x / 2)
