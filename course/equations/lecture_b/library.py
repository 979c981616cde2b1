"""What the library has for the formulas of lecture B."""

from itertools import product

import mpmath
import numpy as np

from course.equations.counterpart import code
from course.equations.given import bernoulli, gda, multinomial, of_population, own
from course.equations.lecture_a.library import counts
from course.equations.lecture_b import cases
from course.equations.lecture_b.naive import MESSAGES
from probml.families import Bernoulli, Categorical, Gamma, Poisson
from probml.gda import GDA
from probml.naive_bayes import BernoulliNB, MultinomialNB

WITHOUT = {
    "a rule of probability": "B19a",
    "a step of a derivation: the library has what it leads to": (
        "B10a B10b B10c B10d B11a B11b B11c B11d B12a B12b B12c B12d B13a B13b B13c B13d B13e B13f"
    ),
    "a rule of matrix calculus": "B14 B15 B15a",
}


@code("B4", "probml.gda.GDA.log_joint", of=mpmath.log)
def log_density_in_three_dimensions(x, mu, root):
    return gda([0.5, 0.5], [mu, mu], root).log_joint([x])[0, 0] - np.log(0.5)


@code("B5", "probml.gda.GDA.means_")
def mean_of_a_class(x, y, phi, mu, root):
    return gda([1 - phi, phi], mu, root).means_[0]


@code("B6a", "probml.gda.GDA.covariance_")
def covariance_of_a_class(x, y, phi, mu, root):
    return gda([1 - phi, phi], mu, root).covariance_.ravel()


@code("B6c", "probml.gda.GDA.covariance_")
def covariance_of_weighted_points(values, p):
    both = GDA(covariance="per-class").fit(np.tile(values, (2, 1)), np.repeat([0, 1], len(p)), np.tile(p, 2))
    return both.covariance_[0].ravel()


@code("B8b", "probml.gda.GDA.log_joint", of=mpmath.log)
@code("B8c", "probml.gda.GDA.log_joint", of=mpmath.log)
def log_densities_of_a_class(x, y, phi, mu, root, j):
    model = gda([1 - phi, phi], mu, root)
    return model.log_joint(x)[:, j] - np.log(model.priors_[j])


@code("B9b", "probml.naive_bayes.CategoricalNB.log_joint", of=mpmath.log)
def log_likelihood_of_some_messages(rows):
    model, values = of_population(rows)
    some = [(row["y"], MESSAGES.index(row["x"])) for row in rows[::8]]
    return sum(model.log_joint(values)[x, y] for y, x in some)


@code("B9c", "probml.gda.GDA.log_joint")
@code("B9d", "probml.gda.GDA.log_joint")
def log_likelihood(x, y, phi, mu, root):
    return own(gda([1 - phi, phi], mu, root).log_joint(x), y).sum()


@code("B10e", "probml.gda.GDA.priors_")
def share_of_class_1(x, y, phi, mu, root):
    return [GDA().fit(x, y).priors_[1]] * 2


@code("B11e", "probml.gda.GDA.means_")
@code("B12e", "probml.gda.GDA.means_")
def mean_of_the_examples_of_a_class(x, y, phi, mu, root, j):
    return GDA().fit(x, y).means_[j]


def at_the_means_of_the_classes(rng):
    """The covariance of the lecture is about the estimates of the means: here those of the first four examples."""
    case = cases.gda(rng)
    x, y = case["x"][:4], case["y"][:4]
    mu = [
        [sum(column) / 2 for column in zip(*(r for r, k in zip(x, y, strict=True) if k == j), strict=True)]
        for j in (0, 1)
    ]
    return {**case, "mu": mu}


@code("B13g", "probml.gda.GDA.covariance_", case=at_the_means_of_the_classes)
def covariance_within_the_classes(x, y, phi, mu, root):
    return GDA().fit(x[:4], y[:4]).covariance_


@code("B16", "probml.gda.GDA.predict_proba")
def posterior_of_class_1(x, y, phi, mu, root):
    return gda([1 - phi, phi], mu, root).predict_proba(x)[:, 1]


@code("B17", "probml.gda.GDA.decision_function")
def log_odds_between_two_points(x, y, phi, mu, root):
    return gda([1 - phi, phi], mu, root).decision_function([(x[0] + x[1]) / 2])[0]


def log_odds(family, x, phi, eta):
    """log p(y = 1 | x) / p(y = 0 | x) for a natural parameter of each class."""
    return np.log(phi / (1 - phi)) + family.log_density(x, eta[1]) - family.log_density(x, eta[0])


@code("B18", "probml.families.Poisson.log_density")
@code("B18", "probml.families.Gamma.log_density")
def log_odds_of_counts_and_waiting_times(phi, rate, shape):
    waiting = Gamma().natural(shape=shape, rate=rate)
    return [log_odds(Poisson(), 2, phi, Poisson().natural(rate=rate)), log_odds(Gamma(), 2, phi, waiting)]


def seen(rows):
    """Words of the messages, and their classes."""
    return [row["x"] for row in rows], [row["y"] for row in rows]


@code("B19b", "probml.naive_bayes.BernoulliNB.predict_joint_log_proba", of=mpmath.log)
def messages_given_their_class(rows):
    model = BernoulliNB(alpha=0).fit(*seen(rows))
    return (model.predict_joint_log_proba(MESSAGES) - model.class_log_prior_).T.ravel()


@code("B22a", "probml.naive_bayes.BernoulliNB.feature_log_prob_")
@code("B22b", "probml.naive_bayes.BernoulliNB.feature_log_prob_")
def shares_of_emails_with_a_word(x, y, phi, phi_y, k):
    return np.exp(BernoulliNB(alpha=0).fit(x, y).feature_log_prob_[k])


@code("B22c", "probml.naive_bayes.BernoulliNB.class_log_prior_")
def share_of_class_1_among_emails(x, y, phi, phi_y):
    return np.exp(BernoulliNB(alpha=0).fit(x, y).class_log_prior_[1])


@code("B23a", "probml.naive_bayes.CategoricalNB.predict_proba")
def posterior_of_messages(rows):
    model, values = of_population(rows)
    return model.predict_proba(values)[:, 1]


@code("B23b", "probml.naive_bayes.BernoulliNB.predict_proba")
def naive_posterior_of_messages(rows):
    return BernoulliNB(alpha=0).fit(*seen(rows)).predict_proba(MESSAGES)[:, 1]


@code("B24a", "probml.naive_bayes.BernoulliNB.feature_log_prob_")
@code("B24b", "probml.naive_bayes.BernoulliNB.feature_log_prob_")
def estimate_of_an_unseen_word(x, y, phi, phi_y, k):
    return shares_of_emails_with_a_word(x * [1, 1, 0], y, phi, phi_y, k)


@code("B25", "probml.naive_bayes.BernoulliNB.predict_joint_log_proba")
def evidence_of_an_unseen_word(x, y, phi, phi_y):
    emails = [(a, b, 1) for a, b in product((0, 1), repeat=2)]
    joint = np.exp(BernoulliNB(alpha=0).fit(x * [1, 1, 0], y).predict_joint_log_proba(emails))
    return np.column_stack([joint[:, 1], joint.sum(axis=1)])


@code("B26a", "probml.families.Categorical.mle")
def shares_of_values(z):
    family = Categorical(3)
    return np.exp(family.mle(family.collect(z)))


@code("B26b", "probml.families.Categorical.pseudo_counts")
def shares_with_one_more_of_each(z):
    family = Categorical(3)
    return np.exp(family.mle(family.collect(z) + family.pseudo_counts(1)))


@code("B27", "probml.families.Categorical.pseudo_counts")
def sum_of_these_shares(z):
    shares = shares_with_one_more_of_each(z)
    return [shares.sum(), shares.min() > 0]


@code("B28a", "probml.naive_bayes.BernoulliNB.feature_log_prob_")
@code("B28b", "probml.naive_bayes.BernoulliNB.feature_log_prob_")
def smoothed_shares_of_emails_with_a_word(x, y, phi, phi_y, k):
    return np.exp(BernoulliNB(alpha=1).fit(x, y).feature_log_prob_[k])


@code("B28a", "probml.families.Bernoulli.pseudo_counts")
@code("B28b", "probml.families.Bernoulli.pseudo_counts")
def shares_with_two_more_emails(x, y, phi, phi_y, k):
    family = Bernoulli()
    return family.mean(family.mle(family.collect(x[y == k]) + family.pseudo_counts([1] * 3)))


@code("B29", "probml.naive_bayes.BernoulliNB.log_marginal")
def probabilities_of_messages(x, y, phi, phi_y):
    p, there = np.exp(bernoulli([1 - phi_y, phi_y], phi).log_marginal(MESSAGES)), np.array(MESSAGES)
    return [p.sum(), *p @ there]


@code("B30", "probml.naive_bayes.MultinomialNB.log_marginal")
def probabilities_of_two_words(words, y, pi, beta):
    texts = [[a, b] for a in range(3) for b in range(a + 1)]
    return np.exp(multinomial(pi, beta).log_marginal(counts(texts))).sum()


@code("B31c", "probml.naive_bayes.MultinomialNB.predict_joint_log_proba")
def one_word_given_class_0(words, y, pi, beta):
    joint = multinomial(pi, beta).predict_joint_log_proba(np.eye(3, dtype=int))
    return [np.exp(joint[:, 0]) / pi[0]] * 2


@code("B32b", "probml.naive_bayes.MultinomialNB.predict_joint_log_proba", of=mpmath.log)
def log_likelihood_of_two_emails(words, y, pi, beta):
    return own(multinomial(pi, beta).predict_joint_log_proba(counts(words[:2])), y[:2]).sum()


@code("B33a", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
@code("B33b", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
def shares_of_words(words, y, pi, beta, c):
    return np.exp(MultinomialNB(alpha=0).fit(counts(words), y).feature_log_prob_[c])


@code("B33c", "probml.naive_bayes.MultinomialNB.class_log_prior_")
def share_of_class_1_among_texts(words, y, pi, beta):
    return np.exp(MultinomialNB(alpha=0).fit(counts(words), y).class_log_prior_[1])


@code("B34a", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
@code("B34b", "probml.naive_bayes.MultinomialNB.feature_log_prob_")
def smoothed_shares_of_words(words, y, pi, beta, c):
    return np.exp(MultinomialNB(alpha=1).fit(counts(words), y).feature_log_prob_[c])
