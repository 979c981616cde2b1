"""All equations of the five lectures, in order: the entries of the TOML files, joined with their checks."""

import tomllib
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules

from course.equations.entry import METHODS, ORIGINS, STATUSES, Check, Equation
from course.errors import EquationError
from course.outline import topics

LECTURES = {
    "A": "Probabilistic classifiers (CS247, University of California, Los Angeles, 2020)",
    "B": "Notes on generative learning algorithms (CS229, Stanford University)",
    "C": "Generative and discriminative classifiers (Carnegie Mellon University, 2009)",
    "D": "Probabilistic classification (CS181, Harvard University)",
    "E": "Probabilistic modelling (DS-GA 1003, New York University, 2020)",
}
REQUIRED = ("place", "topic", "tex")  # of an entry
OF_ERRATA = ("printed", "note", "origin", "evidence")
ALLOWED = (*REQUIRED, "status", *OF_ERRATA)


def equations() -> list[Equation]:
    """Every equation, lecture by lecture, in the order of its numbers."""
    found = {}
    for letter in LECTURES:
        text = files("course.equations").joinpath(f"lecture_{letter.lower()}.toml").read_text(encoding="utf-8")
        found |= entries(letter, text)
    return join(found, checks())


def entries(letter: str, text: str) -> dict[str, dict]:
    """The entries of one lecture by their ids; an error names those that are not as they should be."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:  # an id that is there twice among them
        raise EquationError(f"lecture_{letter.lower()}.toml: {error}") from None
    _refuse([f"{key} {fault}" for key, entry in found.items() for fault in _faults(letter, key, entry)])
    return found


def _faults(letter: str, key: str, entry: object) -> list[str]:
    if not isinstance(entry, dict):
        return [f"is no table of fields: write [{key}]"]
    faults = []
    if not key.startswith(letter):
        faults.append(f"is not of lecture {letter}: begin its id with {letter}")
    faults += [f"has no {field}" for field in REQUIRED if field not in entry]
    for field, value in entry.items():
        faults += _not_among(field, "field", ALLOWED)
        known = {"status": STATUSES, "topic": topics(), "origin": ORIGINS}
        faults += _not_among(value, field, known.get(field, [value]))
    if entry.get("status") == "erratum":
        faults += [f"is an erratum and has no {field}" for field in OF_ERRATA if field not in entry]
    return faults


def checks() -> list[Check]:
    """Every check of the modules beside the lectures' TOML files."""
    found = []
    for letter in LECTURES:
        package = import_module(f"course.equations.lecture_{letter.lower()}")
        for info in iter_modules(package.__path__, f"{package.__name__}."):
            if info.name.endswith(".library"):  # what the library has for the formulas: course.equations.library
                continue
            of_module = vars(import_module(info.name)).values()
            own = [each for each in of_module if getattr(each, "__module__", None) == info.name]  # not imported
            found += [check for function in own for check in getattr(function, "checks", [])]
    return found


def join(entries: dict[str, dict], checks: list[Check]) -> list[Equation]:
    """Entries with their checks, in the order of the entries; an error names what has no partner, or two."""
    by_id = {check.id: check for check in checks}
    ids = [check.id for check in checks]
    definitions = {key for key, entry in entries.items() if entry.get("status") == "definition"}
    _refuse(
        [f"{key} has no check" for key in entries if key not in by_id and key not in definitions]
        + [f"{key} is a definition, and has a check" for key in entries if key in by_id and key in definitions]
        + [f"{key} has a check, but no entry" for key in by_id if key not in entries]
        + [f"{key} has {ids.count(key)} checks" for key in by_id if ids.count(key) > 1]
        + [f"{check.id} {fault}" for check in checks for fault in _not_among(check.method, "method", METHODS)]
    )
    return [_equation(key, entry, by_id.get(key)) for key, entry in entries.items()]


def _equation(key: str, entry: dict, check: Check | None) -> Equation:
    checked = {} if check is None else {"method": check.method, "check": check.function, "case": check.case}
    return Equation(id=key, **{"status": "holds", **entry}, **checked)


def _not_among(value: object, what: str, known: object) -> list[str]:
    return [] if value in known else [f"has the {what} {value!r}, which is none of {', '.join(known)}"]


def _refuse(faults: list[str]) -> None:
    if faults:
        raise EquationError(f"in the ledger of equations: {'; '.join(faults)}")
