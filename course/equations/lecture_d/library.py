"""What the library has for the formulas of lecture D."""

import mpmath
import numpy as np

from course.equations.counterpart import Beside, code
from course.equations.given import logistic, multinomial, objective, of_table, one_step, without_warning
from course.equations.lecture_d import cases
from probml.families import Bernoulli, Multinomial
from probml.generative import LinearPosterior
from probml.linear_model import Perceptron
from probml.losses import Logistic
from probml.naive_bayes import MultinomialNB
from probml.solvers import sgd
from probml.text import BagOfWords

WITHOUT = {
    "a step of a derivation: the library has what it leads to": "D18a D18b D19a D19b D19c D24",
    "a limit, not a number": "D47",
}


@code("D2", "probml.naive_bayes.CategoricalNB.log_joint")
def joint_of_class_and_feature(theta, p, seed):
    model, values = of_table(p * [[1 - theta], [theta]])
    return np.exp(model.log_joint(values)).T


@code("D12", "probml.text.BagOfWords.transform")
def words_that_are_there():
    bag = BagOfWords(vocabulary=["a", "mess", "sentimental", "true"])
    return bag.fit_transform(["A sentimental mess"]).toarray()[0]


@code("D13", "probml.text.BagOfWords.transform")
def properties_that_are_there():
    bag = BagOfWords(
        vocabulary=["a misspelling", "all capitals", "diploma", "mess"], analyzer=words_and_properties, binary=True
    )
    return bag.transform(["Your diploma a UUNIVERSITY JOB"]).toarray()[0]


def words_and_properties(text):
    """The words of a text, and properties that they have."""
    for word in text.split():
        yield word.lower()
        if word.lower() not in {"your", "diploma", "a", "university", "job"}:
            yield "a misspelling"
        if len(word) > 1 and word.isupper():
            yield "all capitals"


def log_density(x, pi):
    """Of a histogram."""
    return Multinomial(3).log_density(x, Multinomial(3).natural(probabilities=pi))


@code("D15a", "probml.families.Multinomial.log_density", of=mpmath.log)
def log_probability_of_a_histogram(pi, rho, x, other):
    return log_density(x, pi)


@code("D15b", "probml.families.Multinomial.log_density", of=mpmath.log)
def log_ratio_of_a_histogram(pi, rho, x, other):
    return log_density(x, pi) - log_density(x, rho)


@code("D16", "probml.families.Multinomial.log_density")
def log_ratio_of_two_histograms(pi, rho, x, other):
    return (log_density([x, other], pi) - log_density([x, other], rho)).sum()


@code("D20a", "probml.families.Multinomial.mle")
@code("D20b", "probml.families.Multinomial.mle")
def shares_of_words(x, y, pi, lam):
    return np.exp(Multinomial(3).mle(Multinomial(3).collect(x)))


def model_of(theta, pi):
    """Multinomial naive Bayes with p(y = 1) = theta."""
    return multinomial([1 - theta, theta], pi)


@code("D22", "probml.naive_bayes.MultinomialNB.predict_joint_log_proba", of=mpmath.log)
def log_ratio_of_the_classes(theta, pi, x):
    of_0, of_1 = model_of(0.5, pi).predict_joint_log_proba([x])[0]
    return of_1 - of_0


@code("D23", "probml.naive_bayes.MultinomialNB.predict_proba")
def posterior_of_a_document(theta, pi, x):
    return model_of(theta, pi).predict_proba([x])[0]


@code("D25", "probml.naive_bayes.MultinomialNB.class_log_prior_")
def share_of_class_1(x, y, pi, lam):
    return np.exp(MultinomialNB(alpha=0).fit(x, y).class_log_prior_[1])


@code("D26a", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
def shares_of_words_in_class_0(x, y, pi, lam):
    return np.exp(MultinomialNB(alpha=0).fit(x, y).feature_log_prob_[0])


@code("D26b", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
def shares_of_words_in_class_1(x, y, pi, lam):
    return np.exp(MultinomialNB(alpha=0).fit(x, y).feature_log_prob_[1])


@code("D27", "probml.families.Bernoulli.pseudo_counts")
def shares_with_pseudo_counts(counts, alpha):
    family = Bernoulli()
    smoothed = family.collect(np.repeat([0, 1], counts)) + family.pseudo_counts(alpha)
    share = family.usual(family.mle(smoothed))["probability"]
    return [1 - share, share]


@code("D27", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
def smoothed_shares_of_two_words(counts, alpha):
    return np.exp(MultinomialNB(alpha=alpha).fit([counts], [0]).feature_log_prob_[0])


@code("D28", "probml.naive_bayes.MultinomialNB.predict_log_proba")
def log_posterior_of_a_document(theta, pi, x):
    return model_of(theta, pi).predict_log_proba([x])[0]


@code("D29b", "probml.naive_bayes.MultinomialNB.predict_joint_log_proba")
@code("D29c", "probml.naive_bayes.MultinomialNB.predict_joint_log_proba")
def discriminant_function(theta, pi, x):
    of_0, of_1 = model_of(theta, pi).predict_joint_log_proba([x])[0]
    return of_1 - of_0


@code("D29a", "probml.naive_bayes.MultinomialNB.predict_joint_log_proba", case=cases.naive_bayes)
def discriminant_function_by_its_definition(theta, pi, x):
    formula = (x @ np.log(pi[1]) + np.log(theta)) - (x @ np.log(pi[0]) + np.log(1 - theta))
    return Beside(formula, discriminant_function(theta, pi, x))


@code("D29d", "probml.naive_bayes.MultinomialNB.to_linear")
@code("D30", "probml.generative.LinearPosterior.logistic")
def linear_discriminant(theta, pi, x):
    w, w0 = model_of(theta, pi).to_linear().logistic()
    return x @ w + w0


DOCUMENTS = [[a, b, c] for a in range(4) for b in range(4) for c in range(4) if a + b + c <= 3]


@code("D31", "probml.naive_bayes.MultinomialNB.predict")
def classes_of_documents(theta, pi, x):
    return model_of(theta, pi).predict(DOCUMENTS) == 1


@code("D34", "probml.linear_model.LogisticRegression.predict_log_proba")
def log_probability_of_class_1(x, y, w, w0, eta):
    return logistic(w, w0).predict_log_proba(x[:2])[:, 1]


@code("D35", "probml.linear_model.LogisticRegression.predict_log_proba")
def log_probability_of_class_0(x, y, w, w0, eta):
    return logistic(w, w0).predict_log_proba(x[:2])[:, 0]


@code("D36a", "probml.linear_model.LogisticRegression.predict_proba")
@code("D36b", "probml.linear_model.LogisticRegression.predict_proba")
def probability_of_class_1(x, y, w, w0, eta):
    return logistic(w, w0).predict_proba(x)[:, 1]


@code("D37a", "probml.linear_model.LogisticRegression.predict_proba")
@code("D37b", "probml.linear_model.LogisticRegression.predict_proba")
def probability_of_class_0(x, y, w, w0, eta):
    return logistic(w, w0).predict_proba(x)[:, 0]


@code("D39a", "probml.linear_model.LogisticRegression.predict_proba", case=cases.scores)
def probability_of_class_1_by_its_definition(x, y, w, w0, eta):
    formula = [1 / (1 + np.exp(-(w @ x_n + w0))) for x_n in x]
    return Beside(formula, probability_of_class_1(x, y, w, w0, eta))


@code("D41", "probml.linear_model.LogisticRegression.decision_function", case=cases.scores)
def score(x, y, w, w0, eta):
    formula = [w @ x_n + w0 for x_n in x]
    return Beside(formula, logistic(w, w0).decision_function(x))


@code("D39b", "probml.linear_model.LogisticRegression.predict_proba")
def what_is_left_for_class_0(x, y, w, w0, eta):
    return [{"first": p, "second": p} for p in probability_of_class_0(x, y, w, w0, eta)]


@code("D40b", "probml.objectives.LinearObjective.value")
@code("D40c", "probml.objectives.LinearObjective.value")
def loss(x, y, w, w0, eta):
    return objective(x, y, intercept=True).value(np.append(w, w0))


@code("D40c", "probml.losses.Logistic.value")
def sum_of_losses(x, y, w, w0, eta):
    return Logistic().value(y, x @ w + w0).sum()


@code("D42a", "probml.losses.Logistic.gradient")
@code("D42b", "probml.losses.Logistic.gradient")
def slope_in_class_1(x, y, w, w0, eta):
    return Logistic().gradient(np.array([1]), x[:1] @ w + w0) * x[0]


@code("D43a", "probml.losses.Logistic.gradient")
@code("D43b", "probml.losses.Logistic.gradient")
def slope_in_class_0(x, y, w, w0, eta):
    return Logistic().gradient(np.array([0]), x[:1] @ w + w0) * x[0]


@code("D44", "probml.objectives.LinearObjective.value_and_gradient")
def gradient_of_the_loss(x, y, w, w0, eta):
    return objective(x, y, intercept=True).value_and_gradient(np.append(w, w0))[1][:-1]


@code("D44", "probml.objectives.LinearObjective.gradient_of")
def mean_gradient_of_single_examples(x, y, w, w0, eta):
    of = objective(x, y, intercept=True)
    return np.mean([of.gradient_of(np.array([row]), np.append(w, w0))[:-1] for row in range(4)], axis=0)


def step_of_sgd(x, label, w, w0, eta):
    """w after a step with the first example."""
    of = objective(x[:1], [label], intercept=True)
    return one_step(sgd, of, np.append(w, w0), step_size=eta).theta[:-1]


@code("D46a", "probml.solvers.sgd")
def step_of_sgd_in_class_1(x, y, w, w0, eta):
    return step_of_sgd(x, 1, w, w0, eta)


@code("D46b", "probml.solvers.sgd")
def step_of_sgd_in_class_0(x, y, w, w0, eta):
    return step_of_sgd(x, 0, w, w0, eta)


@code("D45", "probml.linear_model.Perceptron.coef_", case=cases.scores)
def perceptron(x, y, w, w0, eta):
    """A pass from w = 0; steps of the length eta are weights of the examples."""
    formula = np.zeros(2)
    for x_n, y_n in zip(x, y, strict=True):
        wrong = formula @ x_n <= 0 if y_n == 1 else formula @ x_n >= 0  # on the line, too
        if wrong:
            formula = formula + eta * x_n if y_n == 1 else formula - eta * x_n
    model = without_warning(Perceptron(fit_intercept=False, max_iter=1), x, y, np.full(len(y), eta))
    return Beside(formula, model.coef_[0])


@code("D53", "probml.generative.LinearPosterior.predict_proba", case=cases.many_classes)
def softmax(w, x):
    formula = [np.exp(x @ w_k) / sum(np.exp(x @ w_l) for w_l in w) for w_k in w]
    return Beside(formula, LinearPosterior(np.arange(2), w, np.zeros(2)).predict_proba([x])[0])


@code("D54", "probml.generative.LinearPosterior.predict_proba")
def softmax_of_two_classes(w, x):
    return LinearPosterior(np.arange(2), w, np.zeros(2)).predict_proba(x[None])[0, 0]
