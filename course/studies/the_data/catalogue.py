"""What a row of each data set is, what is odd about the set, and in which notes it plays a part."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Card:
    """row : what an example is, and what is asked about it. odd : what one should know before using the set.

    notes : the first two digits of the notes in which it plays a part
    """

    row: str
    odd: str
    notes: tuple[str, ...]


CARDS = {
    "adult": Card(
        "a person in the US Current Population Survey of 1994: more than 50,000 dollars a year?",
        "gaps in occupation, workclass and country; the training part of the original only",
        ("24", "27", "65", "66", "67", "68"),
    ),
    "bike-sharing": Card(
        "an hour in Washington, D.C.: how many bicycles are rented?",
        "counts that spread far more than a Poisson variable does",
        ("42",),
    ),
    "boston": Card(
        "a census tract: the median value of its homes",
        "values are capped at 50; column B encodes a racist assumption: we use it for published comparisons only",
        ("30", "66", "67", "68"),
    ),
    "breast-cancer": Card("a patient: does the cancer recur?", "nine gaps", ("24", "66", "67", "68")),
    "deerwester": Card("a title: user interfaces or graphs?", "nine rows, for work by hand", ("12", "20")),
    "howell": Card(
        "a person: which sex, or (note 26) an adult or a child?",
        "children are included, so height and weight follow age: for predicting sex take the adults; note 26 predicts "
        "who is an adult",
        ("26", "30", "40", "43", "44", "45", "50", "62"),
    ),
    "imdb": Card("a film review: positive or negative?", "123 texts stand in both halves", ("61",)),
    "ionosphere": Card(
        "a radar return: any structure?", "one feature is constant, one has two values", ("26", "30", "66", "68")
    ),
    "lenses": Card(
        "a combination of four attributes: hard, soft or no lenses?",
        "all 24 possible combinations, so there is no new case to predict",
        ("27", "66", "68"),
    ),
    "liver": Card(
        "a man: five blood tests and how much he drinks",
        "what the literature takes as the class was meant to mark training and test part",
        ("30", "65", "66", "67", "68"),
    ),
    "lymphography": Card(
        "a patient: which of four diagnoses?", "two diagnoses have six patients together", ("24", "66", "67", "68")
    ),
    "newsgroups": Card(
        "a post: which of twenty groups?",
        "34 posts repeat an earlier text; training and test part are split by date",
        ("21", "22", "23", "25", "60"),
    ),
    "newsgroups-raw": Card(
        "the same posts as they were sent",
        "headers and quotations included; 25 posts more than in the cleaned copy",
        ("22", "23", "60", "61"),
    ),
    "optdigits": Card(
        "a handwritten digit, 8 × 8 pixels",
        "two pixels are always blank, others within a single digit",
        ("27", "30", "45", "66", "67", "68"),
    ),
    "pima": Card(
        "a woman: diabetes within five years?",
        "impossible zeros stand for values not taken",
        ("30", "50", "51", "64", "65", "66", "67", "68"),
    ),
    "promoters": Card(
        "57 letters of DNA: does a gene begin here (a promoter)?",
        "positions run from −50 to −1 and from +1 to +7",
        ("24", "66", "67", "68"),
    ),
    "r52": Card("a newswire story: which of 52 topics?", "ten topics have fewer than ten stories", ("22", "23", "60")),
    "r8": Card(
        "a newswire story: which of 8 topics?", "half of the stories are of one topic", ("21", "22", "23", "60")
    ),
    "rotten-tomatoes": Card(
        "a sentence of a review: positive or negative?", "8,530 of the 10,662 published sentences", ("61",)
    ),
    "sick": Card(
        "a patient: odd thyroid values because of another illness (sick euthyroid)?",
        "94 % of one class; gaps follow the class; one age is given as 455",
        ("24", "66", "68"),
    ),
    "sms-spam": Card(
        "a text message: spam?", "403 messages repeat an earlier text; numbers are masked in ham only", ("25",)
    ),
    "sonar": Card(
        "a sonar return in 60 bands: mine or rock?",
        "neighbouring bands are highly correlated",
        ("30", "66", "67", "68"),
    ),
    "voting": Card(
        "a member of the House in 1984: which party?",
        "392 positions are unknown: absent, present or not announced",
        ("24", "66", "68"),
    ),
}


def links(notes: tuple[str, ...], names: dict[str, object]) -> str:
    """Links to notes, by the first two digits of their names."""
    return ", ".join(f"[{each}](../{name}/notebook.ipynb)" for each, name in _named(notes, names))


def _named(notes: tuple[str, ...], names: dict[str, object]) -> Iterator[tuple[str, str]]:
    for each in notes:
        yield each, next(name for name in names if name.startswith(f"{each}-"))
