"""The six questions: every erratum of the ledger is found by one of them."""

from dataclasses import replace

import pytest

from course.equations import Equation, equations
from course.studies.errata import figures
from course.studies.errata.questions import FOUND_BY, QUESTIONS, counts


def errata() -> dict[str, Equation]:
    """Of the ledger."""
    return {equation.id: equation for equation in equations() if equation.status == "erratum"}


def test_each_erratum_is_found_by_one_question():
    keys = [key for found in FOUND_BY.values() for key in found]
    assert sorted(keys) == sorted(errata())
    assert list(FOUND_BY) == list(QUESTIONS)


def test_counts_tell_origins_apart():
    wrong = errata()
    before = counts(wrong)
    assert sum(sum(each.values()) for each in before.values()) == len(wrong)
    key = FOUND_BY[5][0]
    other = {"lecture": "conversion", "conversion": "lecture"}[wrong[key].origin]
    after = counts({**wrong, key: replace(wrong[key], origin=other)})
    assert after[5][other] == before[5][other] + 1
    assert {n: after[n] for n in after if n != 5} == {n: before[n] for n in before if n != 5}


def test_title_of_the_bars_follows_the_counts():
    bars = {number: {"lecture": number, "conversion": 0} for number in QUESTIONS}
    picture = figures.by_question(bars)
    assert picture.fig.get_suptitle() == "We count 11 of the 21 errors under two questions"
    assert "does it sum to one? 1, 1 of them certain" in picture.alt


def test_a_missing_erratum_is_noticed():
    with pytest.raises(KeyError):
        counts({})
