"""The ledger of equations: each check comes out as its status says, and fails when its formula is spoilt."""

import dataclasses
import re
from itertools import count

import pytest
from mutants import mutants

from course.equations import equations, verify
from course.equations.compare import discrepancy
from course.equations.entry import METHODS
from course.equations.page import page

ALL = equations()
CHECKED = [equation for equation in ALL if equation.status != "definition"]
every_check = pytest.mark.parametrize("equation", CHECKED, ids=lambda equation: equation.id)


@every_check
def test_equation_comes_out_as_its_status_says(equation):
    verdict = verify(equation)
    assert verdict.verified, f"{equation.id}: {verdict.why}"


def spoilt(value, change):
    """Every number of a formula changed; truths inverted."""
    if isinstance(value, dict):
        return {key: spoilt(each, change) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [spoilt(each, change) for each in value]
    if isinstance(value, bool):
        return not value
    return change(value) if not isinstance(value, str) else value + "?"


CHANGES = {"another sign": lambda x: -x, "twice": lambda x: 2 * x, "one more": lambda x: x + 1}


@every_check
def test_check_fails_when_the_whole_formula_is_changed(equation):
    found = []  # in the cases looked at so far, which are the same whatever is changed

    def changed(change):
        numbers = count()

        def check(**case):
            number = next(numbers)
            if number == len(found):
                found.append(equation.check(**case))
            return dataclasses.replace(found[number], formula=spoilt(found[number].formula, change))

        return check

    survivors = {name for name, change in CHANGES.items() if verify(equation, changed(change)).verified}
    if all(_is_zero(each.formula) for each in found):
        survivors -= {"another sign", "twice"}  # 0 has no sign, and twice 0 is 0
    assert not survivors, f"{equation.id} holds all the same: {survivors}"


def _is_zero(formula):
    return not isinstance(formula, bool | str) and discrepancy(formula, spoilt(formula, lambda x: 0 * x)) == 0


@every_check
def test_check_fails_when_a_part_of_the_formula_is_changed(equation):
    survivors = [what for what, check in mutants(equation.check) if _passes(equation, check)]
    assert not survivors, f"{equation.id} holds all the same: {survivors}"


def _passes(equation, check):
    try:
        return verify(equation, check).verified
    except (ArithmeticError, AssertionError, TypeError, ValueError):
        return False


@pytest.mark.parametrize("equation", ALL, ids=lambda equation: equation.id)
def test_entry_is_complete(equation):
    assert equation.tex.strip()
    assert equation.place.strip()
    if equation.status == "definition":
        assert equation.check is None
    else:
        assert equation.method in METHODS
        assert equation.check.__name__ != "<lambda>"
    if equation.status in ("condition", "erratum"):
        assert equation.note.strip()
    assert bool(equation.printed) == (equation.status == "erratum")


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_a_number_is_infinitely_far_from_what_is_not_finite(value):
    assert discrepancy(1, value) == discrepancy([value], [1]) == float("inf")


def test_no_backslash_before_a_symbol_for_markdown_to_take_away():
    found = page([(equation, None) for equation in ALL])
    assert not re.findall(r"\\[^A-Za-z\s]|\s\$[\s.]", found)
    assert all(line.count("|") in (3, 8) for line in found.splitlines() if line.startswith("|"))
