"""Which formulas the library computes: what is compared with each, and why others are not.

The comparisons stand in `library.py` of each lecture's folder, apart from the checks: who asks for the equations alone,
as two notes do, needs no library for it.
"""

from collections import Counter
from types import ModuleType

from course.equations.counterpart import Counterpart, file_of
from course.equations.entry import Equation
from course.equations.lecture_a import library as lecture_a
from course.equations.lecture_b import library as lecture_b
from course.equations.lecture_c import library as lecture_c
from course.equations.lecture_d import library as lecture_d
from course.equations.lecture_e import library as lecture_e
from course.equations.ledger import LECTURES
from course.errors import EquationError

MODULES = (lecture_a, lecture_b, lecture_c, lecture_d, lecture_e)
DEFINITION = "definition"


def counterparts(entries: list[Equation]) -> dict[str, list[Counterpart]]:
    """The counterparts of each equation by its id, in the order of the equations; none for most definitions."""
    found = [each for module in MODULES for each in of_module(module)]
    require_complete(entries, found, without())
    return {equation.id: [each for each in found if each.id == equation.id] for equation in entries}


def of_module(module: ModuleType) -> list[Counterpart]:
    """Those that a module has itself."""
    own = [each for each in vars(module).values() if getattr(each, "__module__", None) == module.__name__]
    return [counterpart for function in own for counterpart in getattr(function, "counterparts", [])]


def without() -> dict[str, str]:
    """Why a formula that claims something has no counterpart, by its id."""
    return {key: reason for module in MODULES for reason, keys in module.WITHOUT.items() for key in keys.split()}


def reason_for_none(equation: Equation) -> str:
    """Why an equation has no counterpart."""
    return without().get(equation.id, DEFINITION)


def counts(entries: list[Equation], found: dict[str, list[Counterpart]]) -> dict[str, dict[str, int]]:
    """Of each lecture, how many equations are compared with the library, and why how many others are not."""
    return {
        letter: {
            "compared": sum(bool(found[each.id]) for each in entries if each.id[0] == letter),
            **Counter(reason_for_none(each) for each in entries if each.id[0] == letter and not found[each.id]),
        }
        for letter in LECTURES
    }


def require_complete(entries: list[Equation], found: list[Counterpart], reasons: dict[str, str]) -> None:
    """Refuse a formula with neither counterpart nor reason, or both, and names that are not public."""
    known = {equation.id: equation for equation in entries}
    bound = {counterpart.id for counterpart in found}
    pairs = Counter((each.id, each.name) for each in found)
    strange = sorted((bound | reasons.keys()) - known.keys())
    faults = [f"{key} has a counterpart, or a reason for none, but no entry" for key in strange]
    faults += [f"{key} has a counterpart, and a reason for none" for key in sorted(bound & reasons.keys())]
    faults += [
        f"{key} has neither a counterpart nor a reason for none: see WITHOUT"
        for key, equation in known.items()
        if equation.status != DEFINITION and key not in bound and key not in reasons
    ]
    faults += [f"{key} has {name} {count} times" for (key, name), count in pairs.items() if count > 1]
    faults += [
        f"{each.id} is a definition: its comparison with {each.name} needs a case"
        for each in found
        if each.id in known and known[each.id].check is None and each.case is None
    ]
    if faults:
        raise EquationError(f"in the ledger of equations: {'; '.join(faults)}")
    for counterpart in found:
        file_of(counterpart.name)  # an error names what is not public
