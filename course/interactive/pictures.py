"""The interactive figures as they stand before a reader moves anything: seen where scripts do not run, and on paper."""

import numpy as np
from numpy.typing import NDArray

from course.figures import BLACK, BLUE, GREY, VERMILLION, Picture, figure
from probml.naive_bayes import BernoulliNB, MultinomialNB
from probml.text import BagOfWords

TRAINING = [
    ("Chinese Beijing Chinese", "China"),
    ("Chinese Chinese Shanghai", "China"),
    ("Chinese Macao", "China"),
    ("Tokyo Japan Chinese", "Japan"),
]
VOCABULARY = ["Chinese", "Beijing", "Shanghai", "Macao", "Tokyo", "Japan"]
QUESTION = "Chinese Chinese Chinese Tokyo Japan"


def smoothing() -> Picture:
    """Posterior of both event models against α, and what each word adds to the log odds at α = 1."""
    texts, labels = zip(*TRAINING, strict=True)
    bag = BagOfWords(lowercase=False, vocabulary=VOCABULARY)
    X, x = bag.fit_transform(texts), bag.transform([QUESTION])
    models = {"multinomial": (MultinomialNB, BLUE), "Bernoulli": (BernoulliNB, VERMILLION)}
    alphas = np.geomspace(1e-3, 1e3, 121)
    names = ["prior", *(f"{word} ×{n}" for word, n in zip(VOCABULARY, x.toarray()[0], strict=True)), "sum"]
    rows = np.arange(len(names))

    fig, (left, right) = figure(1, 2, width=8.6, height=3.6)
    for k, (name, (model, color)) in enumerate(models.items()):
        fitted = [model(alpha=alpha).fit(X, labels) for alpha in alphas]
        left.plot(alphas, [each.predict_proba(x)[0, 0] for each in fitted], color=color)
        at_one = model(alpha=1.0).fit(X, labels)
        left.plot(1, at_one.predict_proba(x)[0, 0], "o", color=color)
        left.annotate(name, ((0.5, 0.63), (3.5, 0.33))[k], color=color, weight="bold", ha=("right", "left")[k])
        right.barh(rows + 0.4 * k - 0.2, log_odds_terms(at_one, x.toarray()[0]), 0.36, color=color)
    left.axhline(0.5, color=GREY, linewidth=1)
    left.set(xscale="log", ylim=(0, 1), xlabel="smoothing α", ylabel="posterior of China")
    left.set_title("Each model turns at another α")
    right.axvline(0, color=BLACK, linewidth=1)
    right.axhline(len(names) - 1.5, color=GREY, linewidth=1)
    right.set_yticks(rows, names)
    right.invert_yaxis()
    right.grid(axis="y", visible=False)
    right.set(xlabel="log odds, for China to the right", title="Repetition divides the models (α = 1)")
    alt = (
        "Left, the posterior of China against the smoothing constant alpha, for both event models: from zero to the "
        "prior of three quarters; the multinomial curve crosses one half below alpha one, the Bernoulli curve above "
        "it. Right, what each word adds to the log odds at alpha one: three times Chinese decides for China in the "
        "multinomial model, while the Bernoulli model decides for Japan."
    )
    return Picture(fig, "interactive-smoothing", alt)


def log_odds_terms(model: MultinomialNB | BernoulliNB, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Terms of the log odds of the first class against the second: prior, each word, and their sum."""
    logs = model.feature_log_prob_
    bernoulli = isinstance(model, BernoulliNB)
    of_words = np.where(counts > 0, logs, np.log1p(-np.exp(logs))) if bernoulli else counts * logs
    terms = np.append(np.subtract(*model.class_log_prior_), np.subtract(*of_words))
    return np.append(terms, terms.sum())
