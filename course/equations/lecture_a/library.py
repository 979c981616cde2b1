"""What the library has for the formulas of lecture A."""

import mpmath
import numpy as np

from course.equations.cases import coin, two_classes
from course.equations.counterpart import Beside, code
from course.equations.counting import people
from course.equations.given import (
    clear_cut,
    linear,
    logistic,
    multinomial,
    objective,
    of_population,
    one_step,
    own,
    softmax,
)
from course.equations.lecture_a.cases import categorical, corpus, number
from course.equations.lecture_a.text import DOCUMENTS, TEST, TRAINING, VOCABULARY
from probml.families import Bernoulli, Binomial, Categorical, Gaussian, Multinomial
from probml.losses import Identity, Log, Logit
from probml.naive_bayes import MultinomialNB
from probml.solvers import gradient_descent, irls, newton
from probml.text import BagOfWords

# Why formulas that claim something have no counterpart.
WITHOUT = {
    "a property of counts": "A7",
    "duality: the library solves no problem with constraints": "A56 A60a A60b A63 A64 A65a A65b A65c",
}

FOUR_WORDS = np.array(DOCUMENTS, dtype=int)


def counts(words):
    """How often each of the words 0, 1, 2 is in each document, by the bag of words."""
    texts = [" ".join(f"w{w}" for w in document) for document in words]
    return BagOfWords(vocabulary=["w0", "w1", "w2"]).fit_transform(texts).toarray()


@code("A3", "probml.text.BagOfWords.transform", case=corpus)
def counts_of_words(words, y, pi, beta):
    formula = [[sum(w == n for w in document) for n in range(3)] for document in words]
    return Beside(formula, counts(words))


@code("A4", "probml.families.Bernoulli.log_density", case=coin)
@code("D4", "probml.families.Bernoulli.log_density", case=coin)
def probabilities_of_0_and_1(phi):
    formula = [1 - phi, phi]
    return Beside(formula, np.exp(Bernoulli().log_density([0, 1], Bernoulli().natural(probability=phi))))


@code("A5", "probml.families.Categorical.log_density", case=categorical)
def probabilities_of_values(p, n):
    formula = [*p, 1]
    found = np.exp(Categorical(3).log_density(range(3), Categorical(3).natural(probabilities=p)))
    return Beside(formula, [*found, found.sum()])


@code("A6", "probml.families.Binomial.log_density", of=mpmath.log)
def binomial_probabilities(phi):
    return Binomial(5).log_density(range(6), Binomial(5).natural(probability=phi))


@code("A8", "probml.families.Multinomial.log_density", of=mpmath.log)
def multinomial_probabilities(p, n):
    return Multinomial(3).log_density(DOCUMENTS, Multinomial(3).natural(probabilities=p))


@code("A2", "probml.naive_bayes.CategoricalNB.predict_proba")
def conditional_likelihood(rows):
    model, values = of_population(rows)  # (0, 0), (0, 1), (1, 0) and (1, 1)
    posterior = model.predict_proba(values)
    return posterior[1, 1] * posterior[3, 2]


@code("A9", "probml.naive_bayes.CategoricalNB.predict_proba")
@code("A12", "probml.naive_bayes.CategoricalNB.predict_proba")
@code("A25a", "probml.naive_bayes.CategoricalNB.predict_proba")
@code("B1", "probml.naive_bayes.CategoricalNB.predict_proba")
def posterior_class_by_class(rows):
    model, values = of_population(rows)
    return model.predict_proba(values).T.ravel()


@code("A10", "probml.naive_bayes.CategoricalNB.log_marginal")
@code("B2", "probml.naive_bayes.CategoricalNB.log_marginal")
def evidence(rows):
    model, values = of_population(rows)
    return np.exp(model.log_marginal(values))


@code("A11", "probml.naive_bayes.CategoricalNB.predict", case=clear_cut(people(3)))
@code("B3a", "probml.naive_bayes.CategoricalNB.predict", case=clear_cut(people(2)))
@code("B3b", "probml.naive_bayes.CategoricalNB.predict", case=clear_cut(people(2)))
def most_probable_classes(rows):
    model, values = of_population(rows)
    return model.predict(values)


@code("A25b", "probml.naive_bayes.CategoricalNB.predict_proba")
def posterior_value_by_value(rows):
    model, values = of_population(rows)
    return model.predict_proba(values)


@code("A53", "probml.naive_bayes.CategoricalNB.log_joint")
def joint(rows):
    model, values = of_population(rows)
    return np.exp(model.log_joint(values)).T.ravel()


@code("A14b", "probml.naive_bayes.MultinomialNB.predict_joint_log_proba", of=mpmath.log)
def documents_given_their_classes(words, y, pi, beta):
    return own(multinomial(pi, beta).predict_joint_log_proba(counts(words)), y) - np.log(pi[y])


@code("A14a", "probml.naive_bayes.MultinomialNB.predict_joint_log_proba", case=corpus)
def words_given_the_class(words, y, pi, beta):
    formula = [sum(np.log(beta[k][w]) for w in document) for document, k in zip(words, y, strict=True)]
    return Beside(formula, documents_given_their_classes(words, y, pi, beta))


@code("A16a", "probml.naive_bayes.MultinomialNB.predict")
@code("A16b", "probml.naive_bayes.MultinomialNB.predict")
@code("A16c", "probml.naive_bayes.MultinomialNB.predict")
@code("A16d", "probml.naive_bayes.MultinomialNB.predict")
def classes_of_documents(pi, beta):
    return multinomial(pi, beta).predict(FOUR_WORDS)


@code("A17a", "probml.naive_bayes.MultinomialNB.log_joint")
@code("A17b", "probml.naive_bayes.MultinomialNB.log_joint")
def log_likelihood_of_counts(words, y, pi, beta):
    return own(multinomial(pi, beta).log_joint(counts(words)), y).sum()


@code("A17c", "probml.naive_bayes.MultinomialNB.predict_joint_log_proba")
def log_likelihood_of_words(words, y, pi, beta):
    return own(multinomial(pi, beta).predict_joint_log_proba(counts(words)), y).sum()


@code("A19a", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
def estimates_of_words(words, y, pi, beta):
    return np.exp(MultinomialNB(alpha=0).fit(counts(words), y).feature_log_prob_)


@code("A19b", "probml.naive_bayes.MultinomialNB.class_log_prior_")
def estimates_of_classes(words, y, pi, beta):
    return np.exp(MultinomialNB(alpha=0).fit(counts(words), y).class_log_prior_)


@code("A20a", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
def estimate_of_an_unseen_word(words, y, pi, beta):
    X = counts([[w for w in document if w != 2] for document in words])
    return np.exp(MultinomialNB(alpha=0).fit(X, [0] * len(y)).feature_log_prob_[0])


@code("A20b", "probml.naive_bayes.MultinomialNB.predict_proba")
def posterior_without_a_class(pi, beta):
    beta[2] = [beta[2][0] + beta[2][1], 0, beta[2][2]]
    return multinomial(np.full(3, 1 / 3), beta).predict_proba(FOUR_WORDS[FOUR_WORDS[:, 1] > 0])


@code("A21", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
def smoothed_estimates(words, y, pi, beta):
    return np.exp(MultinomialNB(alpha=1).fit(counts(words), y).feature_log_prob_)


@code("A22", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
def sums_of_smoothed_estimates(words, y, pi, beta):
    return smoothed_estimates(words, y, pi, beta).sum(axis=1)


BAG = BagOfWords(vocabulary=[word.lower() for word in VOCABULARY])


def five_documents():
    """The model of the first four documents."""
    texts = [text for of_class in TRAINING.values() for text in of_class]
    labels = [label for label, of_class in TRAINING.items() for _ in of_class]
    return MultinomialNB().fit(BAG.fit_transform(texts), labels)


@code("A23a", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
def words_of_class_c():
    return [np.exp(five_documents().feature_log_prob_[0])] * 2


@code("A23b", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
def words_of_class_j():
    return [np.exp(five_documents().feature_log_prob_[1])] * 2


@code("A23c", "probml.naive_bayes.MultinomialNB.class_log_prior_")
def frequencies_of_classes():
    return np.exp(five_documents().class_log_prior_)


def score(k):
    """Of the fifth document, as a number and rounded."""
    found = np.exp(five_documents().predict_joint_log_proba(BAG.fit_transform([TEST])))[0, k]
    return [found, f"{found:.4f}"]


@code("A24a", "probml.naive_bayes.MultinomialNB.predict_joint_log_proba")
def score_of_class_c():
    return score(0)


@code("A24b", "probml.naive_bayes.MultinomialNB.predict_joint_log_proba")
def score_of_class_j():
    return score(1)


@code("A24c", "probml.naive_bayes.MultinomialNB.predict")
def class_of_the_fifth_document():
    return five_documents().predict(BAG.fit_transform([TEST]))[0]


@code("A27", "probml.linear_model.LinearRegression.predict", case=two_classes)
@code("E1", "probml.linear_model.LinearRegression.predict", case=two_classes)
def linear_prediction(x, y, theta):
    formula = [theta[0] + theta[1] * x1 + theta[2] * x2 for _, x1, x2 in x]
    return Beside(formula, linear(theta).predict(x))


@code("A30", "probml.losses.Logit.inverse", case=number)
@code("D38", "probml.losses.Logit.inverse", case=number)
@code("E17", "probml.losses.Logit.inverse", case=number)
def logistic_function(z):
    formula = 1 / (1 + np.exp(-z))
    return Beside(formula, Logit().inverse(z))


@code("A31", "probml.losses.Logit.derivative")
def slope_of_the_logistic_function(z):
    return Logit().derivative(z)


@code("A32a", "probml.linear_model.LogisticRegression.predict_proba", case=two_classes)
@code("C30", "probml.linear_model.LogisticRegression.predict_proba", case=two_classes)
def probability_of_class_1(x, y, theta):
    formula = [1 / (1 + np.exp(-(theta @ x_n))) for x_n in x]
    return Beside(formula, logistic(theta).predict_proba(x)[:, 1])


@code("A32b", "probml.losses.Logit.log_inverse", of=mpmath.log)
def logarithm_of_class_1(z):
    return Logit().log_inverse(z)


@code("A33a", "probml.losses.Logit.log_complement", of=mpmath.log)
@code("A33b", "probml.losses.Logit.log_complement", of=mpmath.log)
def logarithm_of_class_0(z):
    return Logit().log_complement(z)


@code("A36", "probml.linear_model.LogisticRegression.predict_proba")
def one_feature_and_an_intercept(x, y, theta):
    return logistic(theta[1:2], theta[0]).predict_proba(x[:, 1:2])[:, 1]


@code("A37", "probml.linear_model.LogisticRegression.predict")
def classes_of_logistic_regression(x, y, theta):
    return logistic(theta).predict(x) == 1


@code("A39", "probml.families.Bernoulli.log_density")
@code("A49a", "probml.families.Bernoulli.log_density")
@code("A49b", "probml.families.Bernoulli.log_density")
@code("A49c", "probml.families.Bernoulli.log_density")
@code("B8a", "probml.families.Bernoulli.log_density")
@code("C29", "probml.families.Bernoulli.log_density")
@code("D5", "probml.families.Bernoulli.log_density")
@code("E16", "probml.families.Bernoulli.log_density")
def bernoulli_probabilities(phi):
    return np.exp(Bernoulli().log_density([0, 1], Bernoulli().natural(probability=phi)))


@code("A49d", "probml.families.Bernoulli.log_partition")
def log_partition_of_the_bernoulli_family(phi):
    return [Bernoulli().log_partition(Bernoulli().natural(probability=phi))] * 2


@code("A40a", "probml.objectives.LinearObjective.value", of=mpmath.log)
@code("A40b", "probml.objectives.LinearObjective.value", of=mpmath.log)
@code("A41", "probml.objectives.LinearObjective.value")
@code("C34", "probml.objectives.LinearObjective.value")
@code("C35a", "probml.objectives.LinearObjective.value")
@code("C35b", "probml.objectives.LinearObjective.value")
@code("C35c", "probml.objectives.LinearObjective.value")
@code("C35d", "probml.objectives.LinearObjective.value")
@code("E20", "probml.objectives.LinearObjective.value")
@code("E21", "probml.objectives.LinearObjective.value")
def log_likelihood_of_labels(x, y, theta):
    return -objective(x, y).value(theta)


@code("A42", "probml.solvers.gradient_descent")
def step_of_gradient_ascent(x, y, theta):
    found = one_step(gradient_descent, objective(x, y), theta, step_size=1 / 128)
    return [found.theta, found.value < objective(x, y).value(theta)]


@code("A43", "probml.solvers.newton")
@code("C44a", "probml.solvers.newton")
@code("C44b", "probml.solvers.newton")
def step_of_newton(x, y, theta):
    return one_step(newton, objective(x, y), theta).theta


@code("A43", "probml.solvers.irls")
@code("C44c", "probml.solvers.irls")
def step_of_reweighted_least_squares(x, y, theta):
    return one_step(irls, objective(x, y), theta).theta


@code("A44a", "probml.objectives.LinearObjective.value_and_gradient")
@code("A44b", "probml.objectives.LinearObjective.value_and_gradient")
@code("A44c", "probml.objectives.LinearObjective.value_and_gradient")
@code("C41a", "probml.objectives.LinearObjective.value_and_gradient")
@code("C41b", "probml.objectives.LinearObjective.value_and_gradient")
@code("E27", "probml.objectives.LinearObjective.value_and_gradient")
def gradient_of_the_log_likelihood(x, y, theta):
    return -objective(x, y).value_and_gradient(theta)[1]


@code("A45a", "probml.objectives.LinearObjective.newton_system")
@code("A45b", "probml.objectives.LinearObjective.newton_system")
@code("A45c", "probml.objectives.LinearObjective.newton_system")
def hessian_of_the_log_likelihood(x, y, theta):
    return -objective(x, y).newton_system(theta)[2].ravel()


@code("A46a", "probml.linear_model.SoftmaxRegression.predict_proba")
def classes_with_a_vector_of_their_own(x, vectors):
    return softmax(vectors[:-1] - vectors[-1]).predict_proba([x])[0, :-1]


@code("A46b", "probml.linear_model.SoftmaxRegression.predict_proba")
def class_that_the_others_are_compared_with(x, vectors):
    return softmax(vectors[:-1] - vectors[-1]).predict_proba([x])[0, -1]


@code("A48a", "probml.families.Gaussian.log_density", of=mpmath.log)
@code("A48b", "probml.families.Gaussian.log_density", of=mpmath.log)
def normal_log_density(y, mu):
    return Gaussian().log_density(y, Gaussian().natural(mean=mu, variance=1))


@code("A48c", "probml.families.Gaussian.log_partition")
def log_partition_of_the_normal_family(y, mu):
    return Gaussian().log_partition(Gaussian().natural(mean=mu, variance=1))


@code("A52a", "probml.losses.Identity.inverse")
def response_of_the_normal_family(z):
    return Identity().inverse(z)


@code("A52b", "probml.losses.Logit.inverse")
def response_of_the_bernoulli_family(z):
    return Logit().inverse(z)


@code("A52c", "probml.losses.Log.inverse")
def response_of_the_poisson_family(z):
    return Log().inverse(z)
