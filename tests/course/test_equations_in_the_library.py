"""The formulas of the ledger and the library: they agree, and where the library is spoilt a formula notices."""

import dataclasses
import inspect
import json
import re
import warnings
from fractions import Fraction
from functools import cache
from html import unescape
from pathlib import Path

import mpmath
import numpy as np
import pytest

from course.equations import equations
from course.equations.counterpart import TOLERANCE, Beside, code, difference, file_of, floats, largest_difference, owner
from course.equations.library import counterparts, counts, require_complete, without
from course.equations.library_mutants import Comparison, by_name, campaign, executed
from course.equations.mutants import mutants
from course.errors import EquationError
from course.site import ledgers

ROOT = Path(__file__).parents[2]
ALL = {equation.id: equation for equation in equations()}
FOUND = counterparts(list(ALL.values()))
EACH = [counterpart for found in FOUND.values() for counterpart in found]
NAMES = sorted({each.name for each in EACH})
CASES = 2  # of a comparison, where it is made again and again


@cache
def comparisons():
    """Of each public name."""
    return by_name([Comparison.of(ALL[each.id], each, CASES) for each in EACH])


@pytest.mark.parametrize("counterpart", EACH, ids=lambda each: f"{each.id}-{each.name}")
def test_library_computes_the_formula(counterpart):
    assert largest_difference(ALL[counterpart.id], counterpart) <= TOLERANCE


@pytest.mark.parametrize("name", NAMES)
def test_a_change_of_the_library_is_noticed(name):
    """By a difference: errors do not count."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tried = []
        for mutant, noticed in campaign(name, comparisons()[name]):
            tried.append(str(mutant))
            if noticed:
                break
        else:
            pytest.fail(f"{name} may be changed: {tried}")
        assert all(each.notices() is False for each in comparisons()[name]), "what was changed is as it was"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_named_is_what_is_called(name):
    public = name.split(".")[2:]
    thing = getattr(owner(name), public[-1], None) if len(public) > 1 else owner(name)
    if thing is None:  # an attribute of fitted models: it is read
        assert all(f".{public[-1]}" in inspect.getsource(each.counterpart.function) for each in comparisons()[name])
        return
    function = inspect.unwrap(thing.fget if isinstance(thing, property) else thing)
    for each in comparisons()[name]:
        assert function.__code__ in {called.__code__ for called in executed([each])}, each.counterpart.id


BESIDE = [each for each in EACH if "formula =" in inspect.getsource(each.function)]


@pytest.mark.parametrize("counterpart", BESIDE, ids=lambda each: f"{each.id}-{each.name}")
def test_a_formula_beside_the_library_fails_when_a_part_of_it_is_changed(counterpart):
    found = Comparison.of(ALL[counterpart.id], counterpart, 8).cases

    def noticed(function):
        changed = dataclasses.replace(counterpart, function=function)
        try:
            return max(difference(changed, case) for case in found) > TOLERANCE
        except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError):
            return True

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [what for what, function in mutants(counterpart.function) if not noticed(function)] == []


def test_each_formula_has_a_counterpart_or_a_reason_for_none():
    ledger = json.loads((ROOT / "results/equations.json").read_text(encoding="utf-8"))
    assert {each["id"]: each["code"] for each in ledger["equations"]} == {
        key: [each.name for each in found] for key, found in FOUND.items()
    }
    for each in ledger["equations"]:
        reason = without().get(each["id"], "definition")
        assert each["no code"] == (None if each["code"] else reason)
        assert each["code"] or reason != "definition" or each["status"] == "definition"
    assert ledger["library"] == counts(list(ALL.values()), FOUND)


def test_every_lecture_is_compared():
    of_lecture = counts(list(ALL.values()), FOUND)
    assert sum(each["compared"] for each in of_lecture.values()) >= 150
    assert min(each["compared"] for each in of_lecture.values()) >= 40
    assert sum(sum(each.values()) for each in of_lecture.values()) == len(ALL)


def test_links_of_the_ledger_lead_to_files():
    page = (ROOT / "results/EQUATIONS.md").read_text(encoding="utf-8")
    for name in NAMES:
        assert (ROOT / file_of(name)).is_file()
        assert f"[`{name}`](../{file_of(name)})" in page


def named(name, key="A9", case=None):
    @code(key, name, case=case)
    def function(**case):
        return 1

    return function.counterparts[0]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("probml.gda.GDA._estimate", "GDA has no attribute '_estimate', or none that it documents"),
        ("probml.gda.GDA.sigma_", "GDA has no attribute 'sigma_'"),
        ("probml.naive_bayes.ExactNB", "is not public"),
        ("probml.gda.gda.GDA", "is not public"),
        ("probml.nothing.GDA", "there is no probml.nothing"),
        ("course.equations.equations", "is not public"),
        ("probml.gda", "is not public"),
    ],
)
def test_name_that_is_not_public(name, complaint):
    with pytest.raises(EquationError, match=complaint):
        require_complete([ALL["A9"]], [named(name)], {})


GOOD = "probml.gda.GDA.means_"


@pytest.mark.parametrize(
    ("keys", "found", "reasons", "complaint"),
    [
        (["A9"], [], {}, "A9 has neither a counterpart nor a reason for none"),
        (["A9"], [named(GOOD)], {"A9": "none"}, "A9 has a counterpart, and a reason for none"),
        (["A10"], [named(GOOD)], {"A10": "none"}, "A9 has a counterpart, or a reason for none, but no entry"),
        (["A9"], [named(GOOD), named(GOOD)], {}, r"A9 has probml\.gda\.GDA\.means_ 2 times"),
        (["A1"], [named(GOOD, "A1")], {}, "A1 is a definition: its comparison with probml.gda.GDA.means_ needs a case"),
    ],
)
def test_ledger_that_is_not_complete(keys, found, reasons, complaint):
    with pytest.raises(EquationError, match=complaint):
        require_complete([ALL[key] for key in keys], found, reasons)
    require_complete([ALL["A9"], ALL["A1"]], [named(GOOD)], {})


def test_cases_become_arrays_of_floats():
    found = floats({"x": [[Fraction(1, 2), mpmath.mpf(1)]], "words": [[0, 1], [2]], "y": [0, 1], "p": (Fraction(1), 2)})
    np.testing.assert_array_equal(found["x"], [[0.5, 1.0]])
    assert [each.tolist() for each in found["words"]] == [[0, 1], [2]]
    assert found["y"].dtype.kind == "i"
    assert found["p"] == (1.0, 2)


@pytest.mark.parametrize(
    ("formula", "library", "agrees"),
    [
        (1.0, 1.0 + 1e-10, False),
        (1e-8, 1.001e-8, False),  # small numbers are compared by their own size, down to 1e-4
        (mpmath.mpf(0), 1e-16, True),
        ([1, 2], np.array([1.0, 2.0]), True),
        ([1, 2], np.array([1.0]), False),
        (1.0, np.nan, False),
        ({"a": Fraction(1, 4)}, {"a": np.float64(0.25)}, True),
    ],
)
def test_difference_of_formula_and_library(formula, library, agrees):
    @code("A9", GOOD)
    def function():
        return Beside(formula, library)

    comparison = Comparison(function.counterparts[0], cases=())
    case = next(iter(comparisons()[GOOD][0].cases))
    found = difference(comparison.counterpart, dataclasses.replace(case, arguments={}))
    assert (found <= TOLERANCE) is agrees


def test_page_of_the_site_leads_to_what_is_compared():
    page = ledgers.equations(ROOT)
    rows = re.findall(r'<tr id="([^"]+)" [^>]*data-code="([^"]+)">(.*?)</tr>', page)
    assert {key for key, what, _ in rows if what == "compared"} == {key for key, found in FOUND.items() if found}
    for key, what, row in rows:
        links = re.findall(
            r'<a href="\.\./source/(probml/[^"#]+)\.html#L-\d+"><code>([^<]+)</code></a>', row.replace("<wbr>", "")
        )
        assert [f"{file.split('/')[1]}.{name}" for file, name in links] == [
            f"{at(each.name).split('/')[1]}.{each.name.split('.', 2)[2]}" for each in FOUND[key]
        ], key
        assert links or unescape(what) == without().get(key, "definition")
    assert all(f"<option>{each}</option>" in page for each in ("compared", "a rule of probability"))


def at(name):
    """The file of the class or function where what is named is defined, perhaps for several classes."""
    thing, attribute = owner(name), (name.split(".")[3:] or [""])[0]
    found = getattr(thing, attribute, None) or thing
    found = found.fget if isinstance(found, property) else found
    return found.__module__.replace(".", "/")
