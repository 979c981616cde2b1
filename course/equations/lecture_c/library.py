"""What the library has for the formulas of lecture C."""

import mpmath
import numpy as np

from course.equations.cases import regression
from course.equations.counterpart import Beside, code
from course.equations.given import gaussian, gda, linear, objective, of_table, one_step
from course.equations.lecture_c.cases import descent
from probml.families import Gaussian
from probml.linear_model import LinearRegression
from probml.losses import Squared
from probml.naive_bayes import CategoricalNB
from probml.solvers import gradient_descent, newton, sgd

WITHOUT = {
    "a rule of probability": "C6",
    "of one variable: the library's solvers minimise objectives": "C37",
    "a word, not a number": "C38",
    "a count of operations": "C45 C46",
    "theory of learning: the library has no bounds on errors": "C48 C49 C50 C52 C53 C54",
}


@code("C1", "probml.naive_bayes.CategoricalNB.predict_proba")
@code("C10a", "probml.naive_bayes.CategoricalNB.predict_proba")
def posterior_of_a_population(count):
    model, values = of_table(count)
    return model.predict_proba(values).T


@code("C2", "probml.naive_bayes.CategoricalNB.predict")
def error_of_the_predicted_classes(p):
    model, values = of_table(p)
    error = 1 - p[model.predict(values), np.arange(4)].sum()
    return {"none is better": bool(error <= 1 - p.max(axis=0).sum()), "error": error}


@code("C3a", "probml.naive_bayes.CategoricalNB.log_joint")
def joint_of_a_population(count):
    model, values = of_table(count)
    return np.exp(model.log_joint(values)).T


@code("C32", "probml.naive_bayes.CategoricalNB.predict_proba")
def conditional_likelihood(p, x, y):
    model, values = of_table(p)
    return np.prod(model.predict_proba(values)[x, y])


@code("D9", "probml.naive_bayes.CategoricalNB.log_joint")
def loss_of_independent_examples(p, x, y):
    model, values = of_table(p)
    return -model.log_joint(values)[x, y].sum()


@code("C3b", "probml.naive_bayes.GaussianNB.log_joint", of=mpmath.log)
def log_joint_on_a_line(pi, mu, sigma, x):
    return gaussian(pi, mu[:, None], sigma).log_joint([[x]])[0]


@code("C4", "probml.naive_bayes.GaussianNB.predict_proba")
def posterior_on_a_line(pi, mu, sigma, x):
    return gaussian(pi, mu[:, None], sigma).predict_proba([[x]])[0]


@code("C7", "probml.gda.GDA.log_joint", of=mpmath.log)
def log_joint_in_the_plane(pi, mu, lower, x):
    return gda(pi, mu, lower, shared=False).log_joint([x])[0, 0]


@code("C10b", "probml.gda.GDA.predict_proba")
def posterior_in_the_plane(pi, mu, lower, x):
    return gda(pi, mu, lower, shared=False).predict_proba([x])[0]


@code("C8b", "probml.naive_bayes.GaussianNB.log_joint", of=mpmath.log)
def log_joint_of_independent_features(pi, mu, sigma, x):
    return gaussian(pi, mu, sigma).log_joint([x])[0, 0]


@code("C9", "probml.naive_bayes.CategoricalNB.log_joint")
def joint_of_features_of_any_kind(pi, features):
    X = np.concatenate([features[:, y].T for y in (0, 1)])  # four examples of each class
    model = CategoricalNB(alpha=0, class_prior=pi).fit(X, np.repeat([0, 1], 4))
    return np.exp(model.log_joint([features[:, 0, 0]]))[0]


@code("C11", "probml.naive_bayes.GaussianNB.predict_proba")
def posterior_under_naive_bayes(pi, mu, sigma, x):
    return gaussian(pi, mu, sigma).predict_proba([x])[0]


@code("C47", "probml.naive_bayes.GaussianNB.predict_proba")
def posterior_of_two_classes_on_a_line(pi, mu, sigma, x):
    return gaussian(pi[:2] / pi[:2].sum(), mu[:2, :1], sigma[:2, :1]).predict_proba([x[:1]])[0]


def two_classes(pi, mu, sigma):
    """The model of the first two classes."""
    return gaussian(pi[:2] / pi[:2].sum(), mu[:2], sigma, shared=True)


@code("C12a", "probml.naive_bayes.GaussianNB.predict_proba")
@code("C12b", "probml.naive_bayes.GaussianNB.predict_proba")
@code("C13a", "probml.naive_bayes.GaussianNB.predict_proba")
@code("C13b", "probml.naive_bayes.GaussianNB.predict_proba")
def posterior_of_the_first_of_two_classes(pi, mu, sigma, x):
    return two_classes(pi, mu, sigma).predict_proba([x])[0, 0]


@code("C14a", "probml.naive_bayes.GaussianNB.predict_log_proba")
def log_odds_of_two_classes(pi, mu, sigma, x):
    first, second = two_classes(pi, mu, sigma).predict_log_proba([x])[0]
    return first - second


@code("C14b", "probml.generative.LinearPosterior.logistic")
def linear_log_odds_of_two_classes(pi, mu, sigma, x):
    theta, intercept = two_classes(pi, mu, sigma).to_linear().logistic()
    return -(theta @ x + intercept)  # there of the second class


@code("C15", "probml.generative.LinearPosterior.predict_proba")
@code("C15", "probml.naive_bayes.GaussianNB.to_linear")
def posterior_as_a_softmax(pi, mu, sigma, x):
    return gaussian(pi, mu, sigma, shared=True).to_linear().predict_proba([x])[0]


@code("C17", "probml.linear_model.LinearRegression.predict", case=regression)
def prediction_with_an_intercept(x, y, theta, sigma):
    formula = [theta[0] + theta[1] * x1 + theta[2] * x2 for _, x1, x2 in x]
    model = linear(theta[1:])
    model.intercept_ = theta[0]
    return Beside(formula, model.predict(x[:, 1:]))


@code("C19", "probml.linear_model.LinearRegression.predict")
def prediction_with_a_constant_feature(x, y, theta, sigma):
    return linear(theta).predict(x)


@code("C20", "probml.objectives.LinearObjective.value", case=regression)
@code("C20", "probml.losses.Squared.value", case=regression)
def half_the_squared_errors(x, y, theta, sigma):
    formula = sum((theta @ x_n - y_n) ** 2 for x_n, y_n in zip(x, y, strict=True)) / 2
    return Beside(formula, objective(x, y, Squared()).value(theta))


def slope_of_squares(x, y, theta):
    """∇J, by its terms."""
    return sum((theta @ x_n - y_n) * x_n for x_n, y_n in zip(x, y, strict=True))


@code("C21", "probml.solvers.gradient_descent", case=descent)
def step_down_the_gradient(x, y, theta, alpha):
    formula = theta - alpha * slope_of_squares(x, y, theta)
    return Beside(formula, step_of_batch_descent(x, y, theta, alpha))


@code("C22", "probml.solvers.gradient_descent")
def step_of_batch_descent(x, y, theta, alpha):
    return one_step(gradient_descent, objective(x, y, Squared()), theta, step_size=alpha).theta


@code("C23", "probml.solvers.sgd")
def step_of_lms(x, y, theta, alpha):
    return one_step(sgd, objective(x[:1], y[:1], Squared()), theta, step_size=alpha).theta


def normal_log_densities(x, y, theta, sigma):
    """Of the responses about θ'x."""
    return Gaussian().log_density(y, Gaussian().natural(mean=x @ theta, variance=sigma**2))


@code("C25", "probml.families.Gaussian.log_density", of=mpmath.log)
@code("E6", "probml.families.Gaussian.log_density", of=mpmath.log)
def log_density_of_a_response(x, y, theta, sigma):
    return normal_log_densities(x, y, theta, sigma)[0]


@code("C26b", "probml.families.Gaussian.log_density")
@code("C27", "probml.families.Gaussian.log_density")
@code("E10", "probml.families.Gaussian.log_density")
@code("E11", "probml.families.Gaussian.log_density")
@code("E12", "probml.families.Gaussian.log_density")
@code("E13", "probml.families.Gaussian.log_density")
@code("E14", "probml.families.Gaussian.log_density")
def log_likelihood_of_responses(x, y, theta, sigma):
    return normal_log_densities(x, y, theta, sigma).sum()


@code("C28", "probml.linear_model.LinearRegression.coef_")
@code("C43", "probml.linear_model.LinearRegression.coef_")
@code("E3a", "probml.linear_model.LinearRegression.coef_")
def least_squares(x, y, theta, sigma):
    return LinearRegression(fit_intercept=False).fit(x, y).coef_


def likelihood_between(x, y, theta, other, t):
    """Whether the log likelihood between two points lies above the chord."""
    of = objective(x, y)
    between = -of.value(t * theta + (1 - t) * other)
    return between >= -t * of.value(theta) - (1 - t) * of.value(other)


@code("C36", "probml.objectives.LinearObjective.value")
def log_likelihood_is_concave(x, y, theta, other, t):
    return likelihood_between(x, y, theta, other, t)


@code("E21a", "probml.objectives.LinearObjective.value")
def log_likelihood_is_concave_halfway(x, y, theta, other):
    return likelihood_between(x, y, theta, other, 1 / 2)


@code("C39", "probml.solvers.newton")
def newton_step_on_a_parabola(top, bend, height, theta):
    root = np.sqrt(2 * bend)  # -l and (root θ - root top)² / 2 differ by a constant
    return one_step(newton, objective([[root]], [root * top], Squared()), [theta]).theta[0]


@code("C40", "probml.solvers.newton")
def newton_step_on_a_paraboloid(top, lower, theta):
    X = np.sqrt(2) * lower.T
    return one_step(newton, objective(X, X @ top, Squared()), theta).theta


@code("C42a", "probml.objectives.LinearObjective.newton_system")
def hessian_of_the_log_likelihood(x, y, theta):
    return -objective(x, y).newton_system(theta)[2]


@code("C42b", "probml.objectives.LinearObjective.newton_system")
def curvature(x, y, theta):
    return objective(x, y).newton_system(theta)[2]


@code("C42b", "probml.objectives.LinearObjective.hessian_product")
def curvature_times_unit_vectors(x, y, theta):
    return [objective(x, y).hessian_product(theta, unit) for unit in np.eye(3)]
