"""The experiment of the note: three collections, six steps of naive Bayes, two linear classifiers, one temperature."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from course.studies.corpus import Corpus, corpus
from course.studies.poor_assumptions.dealt import dealt_anew
from course.studies.poor_assumptions.ladder import STEPS, Rung, best_alpha, held_out, ladder
from course.studies.poor_assumptions.linear import Fitted, best_penalty, one_against_rest
from course.studies.poor_assumptions.temperature import best_temperature, tempered
from course.studies.resampled import Mean, mean_of
from probml.losses import Logistic, SquaredHinge
from probml.metrics import Reliability, log_loss, reliability
from probml.naive_bayes import MultinomialNB
from probml.naive_bayes.base import CountNB

Array = NDArray[np.float64]
Scores = Callable[[CountNB, sparse.csr_array], Array]
"""log p(x, j) of documents, or scores in its place, by a fitted model. Shape (m, K)."""

TITLES = {"newsgroups": "20 Newsgroups", "r8": "R8", "r52": "R52"}
ONE, CHOSEN = "α = 1", "α chosen"
SVM, LOGISTIC = "linear SVM", "logistic regression"
PROBABILISTIC = STEPS[:5]  # the weights of the last step are divided by a number that has nothing to do with odds


@dataclass(frozen=True)
class Climb:
    """The ladder on one collection.

    rungs, inner : the steps, fitted to all training documents, and to two thirds of them, the others held out
    alpha : the best smoothing of each step on the documents held out
    right : for both ways of smoothing and each step, which test documents are classified correctly
    """

    rungs: dict[str, Rung]
    inner: dict[str, Rung]
    alpha: dict[str, float]
    right: dict[str, dict[str, NDArray[np.bool_]]]

    def accuracy(self, way: str) -> dict[str, float]:
        """Of each step."""
        return {step: float(right.mean()) for step, right in self.right[way].items()}

    def gain(self, way: str, after: str, before: str) -> Mean:
        """By how much the accuracy of one step exceeds that of another, on the same documents."""
        return mean_of(np.subtract(self.right[way][after], self.right[way][before], dtype=float))

    def gains(self, way: str) -> dict[str, Mean]:
        """What each step adds to the one before it."""
        return {step: self.gain(way, step, STEPS[k]) for k, step in enumerate(STEPS[1:])}

    def whole(self, way: str) -> Mean:
        """What all five steps add."""
        return self.gain(way, STEPS[-1], STEPS[0])

    def lead(self, right: NDArray[np.bool_]) -> Mean:
        """By how much another classifier exceeds the best step. right : which test documents it gets right."""
        return mean_of(np.subtract(right, self.right[CHOSEN][self.best_step], dtype=float))

    @property
    def best_step(self) -> str:
        """The step that is best on the test documents, each with its chosen smoothing."""
        accuracy = self.accuracy(CHOSEN)
        return max(STEPS, key=accuracy.__getitem__)


@dataclass(frozen=True)
class Linear:
    """A linear classifier on the features of the step "unit length", and which test documents it gets right."""

    fitted: Fitted
    right: NDArray[np.bool_]


@dataclass(frozen=True)
class Sureness:
    """Posteriors of the test documents. log_posterior : shape (m, K). loss : of each document, shape (m,)."""

    log_posterior: Array
    loss: Array
    curve: Reliability

    @classmethod
    def of(cls, log_posterior: Array, y: NDArray[np.intp]) -> "Sureness":
        """How far posteriors can be believed. y : the classes, shape (m,)."""
        loss = -log_posterior[np.arange(len(y)), y]
        return cls(log_posterior, loss, reliability(y, np.exp(log_posterior)))


class Variant(NamedTuple):
    """The multinomial model on altered posts: accuracy, mean posterior of the prediction, and best temperature.

    svm : the accuracy of a linear SVM on the same posts
    """

    accuracy: float
    confidence: float
    temperature: float
    svm: float


class Reading(NamedTuple):
    """Test posts scored in one way: accuracy, log loss, the best temperature on posts held out, log loss with it."""

    accuracy: float
    loss: float
    temperature: float
    cool_loss: float


@dataclass(frozen=True)
class Study:
    """Everything that is fitted, at the time when it is asked for.

    alphas, svm_l2s, logistic_l2s : from which smoothing and penalties are chosen
    """

    seed: int
    alphas: Sequence[float]
    svm_l2s: Sequence[float]
    logistic_l2s: Sequence[float]

    @cached_property
    def corpora(self) -> dict[str, Corpus]:
        """The collections, with their published splits."""
        return {name: corpus(name) for name in TITLES}

    @cached_property
    def climbs(self) -> dict[str, Climb]:
        """The ladder on each collection."""
        return {name: self._climb(each) for name, each in self.corpora.items()}

    @cached_property
    def linear(self) -> dict[str, dict[str, Linear]]:
        """Both linear classifiers on each collection; the penalty is chosen by fits to a third of the documents."""
        return {name: self._linear(name) for name in TITLES}

    @cached_property
    def temperatures(self) -> dict[str, float]:
        """The best temperature of each step on the posts held out, 20 Newsgroups, with the chosen smoothing."""
        return {step: best_temperature(*self.held_out_scores(step)) for step in PROBABILISTIC}

    @cached_property
    def sureness(self) -> dict[str, tuple[Sureness, Sureness]]:
        """Of each step on 20 Newsgroups: as it is, and with its temperature."""
        y = self.corpora["newsgroups"].y_test
        return {
            step: tuple(Sureness.of(tempered(self.scores(step), T), y) for T in (1.0, self.temperatures[step]))
            for step in PROBABILISTIC
        }

    @cached_property
    def sureness_of_logistic(self) -> Sureness:
        """Of logistic regression on 20 Newsgroups."""
        features = self.climbs["newsgroups"].rungs["unit length"].corpus
        posterior = self.linear["newsgroups"][LOGISTIC].fitted.model.predict_proba(features.X_test)
        return Sureness.of(np.log(posterior), features.y_test)

    def scores(self, step: str) -> Array:
        """log p(x, j) of the test posts of 20 Newsgroups, shape (m, K)."""
        climb = self.climbs["newsgroups"]
        return _scores(climb.rungs[step], climb.alpha[step])

    def held_out_scores(self, step: str) -> tuple[Array, NDArray[np.intp]]:
        """The same of the posts held out, by a model that has not seen them, and their classes."""
        climb = self.climbs["newsgroups"]
        return _scores(climb.inner[step], climb.alpha[step]), climb.inner[step].corpus.y_test

    def read(self, scores: Scores, step: str = STEPS[0]) -> Reading:
        """A step on 20 Newsgroups, with the chosen smoothing, whose posts are scored in this way."""
        climb = self.climbs["newsgroups"]
        fitted = [rungs[step].fitted(climb.alpha[step]) for rungs in (climb.inner, climb.rungs)]
        inner, test = climb.inner[step].corpus, climb.rungs[step].corpus
        T = best_temperature(scores(fitted[0], inner.X_test), inner.y_test)
        s = scores(fitted[1], test.X_test)
        losses = [log_loss(test.y_test, tempered(s, each)) for each in (1.0, T)]
        return Reading(float(np.mean(s.argmax(axis=1) == test.y_test)), losses[0], T, losses[1])

    def readings(self, urn: Scores) -> dict[str, Reading]:
        """The multinomial model, the urn, and the multinomial model that counts each word of a post once."""
        ways = {"multinomial": _joint, "urn": urn, "each word of a test post once": _counted_once}
        return {name: self.read(scores) for name, scores in ways.items()}

    @cached_property
    def per_post(self) -> dict[str, Reading]:
        """Of each step, the scores of a post x divided by |x|: with the temperature T it has T |x| for its own."""
        return {step: self.read(_per_length, step) for step in PROBABILISTIC}

    @cached_property
    def variants(self) -> dict[str, Variant]:
        """The multinomial model on posts without bursts and co-occurrence, with one of them, and on real ones."""
        news = self.corpora["newsgroups"]
        found = {}
        for name, bursts in (("independent draws", False), ("bursts", True)):
            dealt = dealt_anew(news.X_train, news.y_train, np.random.default_rng([self.seed, 6]), bursts=bursts)
            found[name] = self._variant(replace(news, X_train=dealt))
        once = replace(news, X_train=news.X_train.minimum(1))
        return {**found, "co-occurrence": self._variant(once), "real posts": self._variant(news)}

    def _variant(self, of: Corpus) -> Variant:
        part = held_out(of, 1 / 3, np.random.default_rng([self.seed, 2]))
        alpha = self.climbs["newsgroups"].alpha["multinomial"]
        scores = MultinomialNB(alpha=alpha).fit(part.X_train, part.y_train).predict_joint_log_proba(part.X_test)
        confidence = np.exp(tempered(scores, 1.0).max(axis=1))
        right = scores.argmax(axis=1) == part.y_test
        features = ladder(part)["unit length"].corpus
        l2 = self.linear["newsgroups"][SVM].fitted.l2
        svm = one_against_rest(SquaredHinge(), l2, features, tolerance=1e-3).model.predict(features.X_test)
        return Variant(
            float(right.mean()),
            float(confidence.mean()),
            best_temperature(scores, part.y_test),
            float(np.mean(svm == part.y_test)),
        )

    def _climb(self, of: Corpus) -> Climb:
        rungs, inner = ladder(of), ladder(held_out(of, 1 / 3, np.random.default_rng([self.seed, 2])))
        alpha = {step: best_alpha(inner[step], self.alphas) for step in STEPS}
        right = {
            way: {step: rung.predictions(smoothing[step]) == of.y_test for step, rung in rungs.items()}
            for way, smoothing in ((ONE, dict.fromkeys(STEPS, 1.0)), (CHOSEN, alpha))
        }
        return Climb(rungs, inner, alpha, right)

    def _linear(self, name: str) -> dict[str, Linear]:
        features = self.climbs[name].rungs["unit length"].corpus
        third = held_out(self.corpora[name], 2 / 3, np.random.default_rng([self.seed, 5]))
        to_choose_by = ladder(third)["unit length"].corpus
        found = {}
        for model, loss, l2s in ((SVM, SquaredHinge(), self.svm_l2s), (LOGISTIC, Logistic(), self.logistic_l2s)):
            fitted = one_against_rest(loss, best_penalty(loss, l2s, to_choose_by), features)
            found[model] = Linear(fitted, fitted.model.predict(features.X_test) == features.y_test)
        return found


def _joint(model: CountNB, X: sparse.csr_array) -> Array:
    return model.predict_joint_log_proba(X)


def _counted_once(model: CountNB, X: sparse.csr_array) -> Array:
    return _joint(model, X.minimum(1))


def _per_length(model: CountNB, X: sparse.csr_array) -> Array:
    length = np.sqrt(X.power(2).sum(axis=1))
    return model.predict_joint_log_proba(X) / np.where(length > 0, length, 1)[:, None]


def _scores(rung: Rung, alpha: float) -> Array:
    return rung.fitted(alpha).predict_joint_log_proba(rung.corpus.X_test)
