"""The ledger of equations: each check comes out as its status says, and fails when its formula is spoilt."""

import dataclasses
import re
from fractions import Fraction
from itertools import count

import mpmath
import pytest

from course.equations import equations, verify
from course.equations.compare import discrepancy
from course.equations.entry import METHODS, Holds, check
from course.equations.ledger import entries, join
from course.equations.library import counterparts
from course.equations.mutants import spoil
from course.equations.page import page
from course.errors import EquationError

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
    survivors = [what for what, noticed in spoil(equation).items() if not noticed]
    assert not survivors, f"{equation.id} holds all the same: {survivors}"


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
    of_an_erratum = (equation.printed, equation.origin, equation.evidence)
    assert [bool(each) for each in of_an_erratum] == [equation.status == "erratum"] * 3


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_a_number_is_infinitely_far_from_what_is_not_finite(value):
    assert discrepancy(1, value) == discrepancy([value], [1]) == float("inf")


def test_no_backslash_before_a_symbol_for_markdown_to_take_away():
    found = page([(equation, None) for equation in ALL], counterparts(ALL))
    assert not re.findall(r"\\[^A-Za-z\s]|\s\$[\s.]", found)
    assert all(line.count("|") in (3, 7, 9) for line in found.splitlines() if line.startswith("|"))


ENTRY = "[A1]\nplace = 'slide 1'\ntopic = 'F2'\ntex = 'a = b'\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (ENTRY + "status = 'hold'", r"A1 has the status 'hold', which is none of definition, holds"),
        (ENTRY.replace("F2", "F99"), r"A1 has the topic 'F99', which is none of F1, F2"),
        (
            ENTRY.replace("place", "plaice"),
            r"A1 has no place; A1 has the field 'plaice', which is none",
        ),
        (ENTRY.replace("A", "B"), r"B1 is not of lecture A: begin its id with A"),
        (
            ENTRY + "status = 'erratum'\nnote = 'the sign'\nprinted = 'a = -b'\norigin = 'printer'",
            r"A1 has the origin 'printer', which is none of lecture, conversion; A1 is an erratum and has no evidence",
        ),
        (ENTRY * 2, r"lecture_a\.toml: .*'A1'"),
        ("A1 = 'a = b'", r"A1 is no table of fields"),
    ],
    ids=["status", "topic", "field", "lecture", "erratum", "twice", "no table"],
)
def test_malformed_entry_is_named(text, complaint):
    assert entries("A", ENTRY) == {"A1": {"place": "slide 1", "topic": "F2", "tex": "a = b"}}
    with pytest.raises(EquationError, match=complaint):
        entries("A", text)


def check_of(key, method="fractions"):
    @check(key, method, lambda rng: {})
    def of_one():
        return Holds(1, 1)

    return of_one.checks[0]


def test_entries_and_checks_are_joined_in_the_order_of_the_entries():
    found = entries("A", "".join(ENTRY.replace("A1", key) for key in ("A3", "A1", "A2")))
    found["A3"]["status"] = "definition"
    joined = join(found, [check_of("A2", "enumeration"), check_of("A1")])
    assert [(each.id, each.status, each.method) for each in joined] == [
        ("A3", "definition", None),
        ("A1", "holds", "fractions"),
        ("A2", "holds", "enumeration"),
    ]
    assert [each.check and each.check() for each in joined] == [None, Holds(1, 1), Holds(1, 1)]


@pytest.mark.parametrize(
    ("status", "checks", "complaint"),
    [
        ("holds", [], "A1 has no check"),
        ("definition", [check_of("A1")], "A1 is a definition, and has a check"),
        ("holds", [check_of("A1"), check_of("A2")], "A2 has a check, but no entry"),
        ("holds", [check_of("A1"), check_of("A1")], "A1 has 2 checks"),
        ("holds", [check_of("A1", "guess")], "A1 has the method 'guess', which is none of symbolic"),
    ],
)
def test_entry_and_check_that_do_not_fit_are_named(status, checks, complaint):
    found = entries("A", ENTRY + f"status = '{status}'")
    with pytest.raises(EquationError, match=complaint):
        join(found, checks)


def test_equations_are_in_the_order_of_their_numbers():
    ids = [re.fullmatch(r"([A-E])(\d+)([a-z]?)", equation.id).groups() for equation in ALL]
    assert ids == sorted(ids, key=lambda parts: (parts[0], int(parts[1]), parts[2]))


def test_one_function_checks_several_equations():
    @check("A1", "50 digits", lambda rng: {"a": Fraction(1, 3)}, b=1)
    @check("A2", "fractions", lambda rng: {"a": Fraction(1, 3)}, b=2)
    def difference(a, b):
        return Holds(a, b)

    first, second = difference.checks
    assert (first.id, second.id) == ("A1", "A2")
    assert second.case(None) == {"a": Fraction(1, 3), "b": 2}
    assert first.case(None) == {"a": mpmath.mpf(1) / 3, "b": 1}
    assert [type(each.case(None)["a"]) for each in (first, second)] == [mpmath.mpf, Fraction]
