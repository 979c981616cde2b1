"""Each of the nine titles, classified by the other eight."""

from course.datasets import Sample
from course.studies.titles import FUNCTION_WORDS
from probml.naive_bayes import BernoulliNB, MultinomialNB
from probml.text import BagOfWords


def correct(model: type[BernoulliNB | MultinomialNB], titles: Sample, alpha: float = 1.0) -> int:
    """How many titles get their own class from a model of the other eight titles.

    The vocabulary is that of the eight, function words left out; new words of the ninth are ignored.
    """
    correct = 0
    for out in range(len(titles.X)):
        rest = [title for title in range(len(titles.X)) if title != out]
        bag = BagOfWords(stop_words=FUNCTION_WORDS)
        fitted = model(alpha=alpha).fit(bag.fit_transform([titles.X[title] for title in rest]), titles.y[rest])
        correct += int(fitted.predict(bag.transform([titles.X[out]]))[0] == titles.y[out])
    return correct
