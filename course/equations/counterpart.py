"""What the library has for a formula, by its public name, and the two compared on the formula's random cases."""

import inspect
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import mpmath
import numpy as np

import probml
from course.equations.cases import precise
from course.equations.compare import discrepancy
from course.equations.entry import Equation
from course.equations.verify import EIGHT
from course.errors import EquationError

# The library computes in double precision. A difference is relative to the larger number, or to LEAST: near 0 it may be
# 1e-15, which is what rounding leaves of sums that cancel.
TOLERANCE, LEAST = 1e-11, 1e-4


@dataclass(frozen=True)
class Beside:
    """What a formula and the library give, where the check of the entry does not give the one to compare.

    That is so for definitions, which have no check, and where the check is of more than the library answers.
    """

    formula: object
    library: object


@dataclass(frozen=True)
class Counterpart:
    """What the library has for an equation.

    id : of the equation.
    name : public dotted name of what is called or read.
    function : from the case of the equation, with floats for its numbers and arrays for its lists, to what the library
        gives, in the form of the formula; or to a Beside.
    case : from a random generator to the arguments of `function`; None for that of the check.
    of : what is compared is this function of the formula, number by number, such as the logarithm of a density.
    """

    id: str
    name: str
    function: Callable[..., object]
    case: Callable[..., dict] | None = None
    of: Callable | None = None


def code(key: str, name: str, case: Callable[..., dict] | None = None, of: Callable | None = None) -> Callable:
    """Decorate what calls `name` of the library for the equation `key`.

    One function may do so for several equations, and an equation may have several such functions.
    """

    def decorate(function: Callable[..., object]) -> Callable[..., object]:
        found = Counterpart(key, name, function, case, of)
        function.counterparts = [found, *getattr(function, "counterparts", [])]
        return function

    return decorate


@dataclass(frozen=True)
class Case:
    """A random case of an equation: arguments for the library, and the value of the formula there.

    formula : None if the counterpart gives that itself.
    """

    arguments: dict
    formula: object


def cases(equation: Equation, counterpart: Counterpart) -> Iterator[Case]:
    """The first random cases of the check, or those of the counterpart; each is asked of the formula itself."""
    rng = np.random.default_rng(zlib.crc32(equation.id.encode()))
    own = counterpart.case and precise(counterpart.case)
    with mpmath.workdps(50):
        for _ in range(EIGHT):
            case = own(rng) if own else equation.case(rng)
            formula = equation.check(**case).formula if equation.check else None
            yield Case({name: floats(value) for name, value in case.items()}, formula)


def difference(counterpart: Counterpart, case: Case) -> float:
    """How far the library is from the formula, relative to the larger of the two; infinite if their shapes differ."""
    with mpmath.workdps(50):
        found = counterpart.function(**case.arguments)
        formula, library = (found.formula, found.library) if isinstance(found, Beside) else (case.formula, found)
        if counterpart.of:
            formula = each_number(counterpart.of, formula)
        return discrepancy(plain(formula), plain(library), LEAST)


def largest_difference(equation: Equation, counterpart: Counterpart) -> float:
    """Of all cases."""
    return max(difference(counterpart, case) for case in cases(equation, counterpart))


def floats(value: object) -> object:
    """Fractions and numbers of 50 digits as floats, lists of them as arrays; words and what else there is as it is."""
    if isinstance(value, Fraction | mpmath.mpf):
        return float(value)
    if isinstance(value, dict):
        return {key: floats(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        converted = type(value)(floats(each) for each in value)
        return np.array(converted) if isinstance(value, list) and _is_table(converted) else converted
    return value


def _is_table(values: list) -> bool:
    """Whether numbers, or arrays of one shape, can be one array."""
    if all(isinstance(each, int | float) for each in values):
        return bool(values)
    return all(isinstance(each, np.ndarray) for each in values) and len({each.shape for each in values}) == 1


def each_number(function: Callable, value: object) -> object:
    """The function of every number in a list of lists, or of a single one."""
    if isinstance(value, list | tuple | np.ndarray):
        return [each_number(function, each) for each in value]
    return function(value)


def plain(value: object) -> object:
    """Arrays as lists, and numbers of NumPy as Python's."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


def file_of(name: str) -> str:
    """The file in which that class or function is defined, from the folder of the project."""
    root = Path(probml.__file__).parents[1]
    return Path(inspect.getsourcefile(owner(name))).relative_to(root).as_posix()


def owner(name: str) -> type | Callable:
    """The class or function that a public name is of: `probml.room.Class`, `.Class.attribute`, `probml.room.function`.

    An attribute that only a fitted model has must be named in the documentation of the class.
    """
    package, room, public, *rest = [*name.split("."), "", ""][: max(3, name.count(".") + 1)]
    try:
        module = import_module(f"{package}.{room}")
    except ImportError:
        raise EquationError(f"{name}: there is no {package}.{room}") from None
    if package != "probml" or public not in module.__all__ or len(rest) > 1:
        raise EquationError(f"{name} is not public: expected probml.room.name, or one attribute more")
    thing = getattr(module, public)
    attribute = rest[0] if rest else ""
    known = not attribute or hasattr(thing, attribute) or attribute in (inspect.getdoc(thing) or "")
    if attribute.startswith("_") or not known:
        raise EquationError(f"{name}: {public} has no attribute {attribute!r}, or none that it documents")
    return thing
