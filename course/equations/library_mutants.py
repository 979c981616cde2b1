"""Spoilt copies of the library's functions, in memory: would the ledger notice?

Each copy has one sign, operator, constant or power changed, or returns its value doubled or with the other sign. Only
functions and lines are changed that a comparison executes, and only a comparison that comes out too large counts as
notice: an error does not.
"""

import ast
import copy
import gc
import inspect
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, FunctionType

import numpy as np

import probml
from course.equations.counterpart import TOLERANCE, Case, Counterpart, cases, difference, owner
from course.equations.entry import Equation
from course.equations.mutants import SWAPS

# Rooms of the library with formulas. Elsewhere arithmetic is of positions, some of them in arrays of compiled code,
# which would write wherever a wrong one says: there only what a function returns is changed.
FORMULAS = [
    "families",
    "losses",
    "objectives",
    "solvers",
    "generative",
    "linear_model",
    "naive_bayes",
    "gda",
    "metrics",
]
LIBRARY = str(Path(probml.__file__).parent)
RETURNED = ("doubled", "negative")
PATIENCE = 5  # seconds of the processor, for a spoilt loop that does not end


@dataclass(frozen=True)
class Mutant:
    """One change of a function of the library. what : before and after it."""

    function: FunctionType
    what: str
    code: CodeType

    def __str__(self) -> str:
        """Where it is, and what."""
        return f"{self.function.__module__}.{self.function.__qualname__}: {self.what}"


@dataclass(frozen=True)
class Comparison:
    """A counterpart, with the cases on which it is looked at again and again."""

    counterpart: Counterpart
    cases: tuple[Case, ...]

    @classmethod
    def of(cls, equation: Equation, counterpart: Counterpart, at_most: int) -> "Comparison":
        """With so many cases."""
        return cls(counterpart, tuple(islice(cases(equation, counterpart), at_most)))

    def notices(self) -> bool:
        """Whether a difference is too large. An error, or a loop that does not end, is no notice."""
        for case in self.cases:
            with suppress(Exception), _patience(), np.errstate(all="ignore"):
                if not difference(self.counterpart, copy.deepcopy(case)) <= TOLERANCE:
                    return True
        return False


def by_name(comparisons: list[Comparison]) -> dict[str, list[Comparison]]:
    """The comparisons of each public name."""
    names = sorted({each.counterpart.name for each in comparisons})
    return {name: [each for each in comparisons if each.counterpart.name == name] for name in names}


def campaign(name: str, comparisons: list[Comparison]) -> Iterator[tuple[Mutant, bool]]:
    """Each mutant of what a public name executes, those nearest to it first, and whether a comparison notices it."""
    for mutant in mutants(name, comparisons):
        with spoilt(mutant):
            noticed = any(each.notices() for each in comparisons)
        yield mutant, noticed


def mutants(name: str, comparisons: list[Comparison]) -> Iterator[Mutant]:
    """Of all functions that the comparisons execute: those of the named class first, or the named function."""
    thing, lines = owner(name), executed(comparisons)
    kin = [each.__qualname__ for each in inspect.getmro(thing)] if isinstance(thing, type) else [thing.__qualname__]

    def distance(function: FunctionType) -> tuple:
        own = function.__qualname__.split(".")[0]
        near = kin.index(own) if own in kin else len(kin)
        return near, function.__module__ != thing.__module__, _room(function) != name.split(".")[1], function.__module__

    for function in sorted(lines, key=distance):
        if _room(function) in (*FORMULAS, name.split(".")[1]):
            yield from changes(function, lines[function])


def _room(function: FunctionType) -> str:
    return function.__module__.split(".")[1]


def executed(comparisons: list[Comparison]) -> dict[FunctionType, set[int]]:
    """The functions of the library that comparisons call, and the lines that are executed in the first case of each."""
    lines: dict[CodeType, set[int]] = {}

    def trace(frame: FrameType, event: str, _: object) -> Callable | None:
        if not frame.f_code.co_filename.startswith(LIBRARY):
            return None
        lines.setdefault(frame.f_code, set()).add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for each in comparisons:
            difference(each.counterpart, copy.deepcopy(each.cases[0]))
    finally:
        sys.settrace(before)
    all_lines: dict[str, set[int]] = {}
    for code, of_code in lines.items():
        all_lines.setdefault(code.co_filename, set()).update(of_code)
    return {functions()[code]: all_lines[code.co_filename] for code in lines if code in functions()}


@cache
def functions() -> dict[CodeType, FunctionType]:
    """Every function of the library, by its code. One inside of another is changed with that one."""
    return {
        each.__code__: each
        for each in gc.get_objects()
        if isinstance(each, FunctionType)
        and each.__code__.co_filename.startswith(LIBRARY)
        and "<" not in each.__code__.co_qualname
    }


@contextmanager
def spoilt(mutant: Mutant) -> Iterator[None]:
    """The change in place, wherever the function is known."""
    before = mutant.function.__code__
    mutant.function.__code__ = mutant.code
    try:
        yield
    finally:
        mutant.function.__code__ = before


def changes(function: FunctionType, lines: set[int]) -> Iterator[Mutant]:
    """Every change of these lines of a function."""
    code = function.__code__
    outer = next(each for each in _tree(code.co_filename).body if code.co_firstlineno <= each.end_lineno)
    for place, (node, kind) in enumerate(_places(_definition(outer, code))):
        if node.lineno not in lines or (_room(function) not in FORMULAS and kind not in RETURNED):
            continue
        alone = copy.deepcopy(outer)  # the class around a method, or the function itself
        what = _change(*_places(_definition(alone, code))[place])
        tree = ast.fix_missing_locations(ast.Module([alone], []))
        if (changed := _code_in(compile(tree, code.co_filename, "exec"), code)) is not None:
            yield Mutant(function, what, changed)


def _places(function: ast.FunctionDef) -> list[tuple[ast.AST, str]]:
    """What can be changed, and how: what is in the formulas first, then values that are returned as they are."""
    found: list[tuple[ast.AST, str]] = []
    of_positions = {
        inner for node in ast.walk(function) if isinstance(node, ast.Subscript) for inner in ast.walk(node.slice)
    }
    for node in (inner for statement in function.body for inner in ast.walk(statement) if inner not in of_positions):
        if isinstance(node, ast.BinOp | ast.AugAssign):
            if type(node.op) in SWAPS:
                found.append((node, "operator"))
            if isinstance(node, ast.BinOp):
                found += [(side, "constant") for side in (node.left, node.right) if _is_number(side)]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            found.append((node, "sign"))
    returned = [each for each in ast.walk(function) if isinstance(each, ast.Return) and _is_computed(each.value)]
    return found + [(each, kind) for each in returned for kind in RETURNED]


def _is_computed(node: ast.AST | None) -> bool:
    """Not what is returned as it came, as by a function that only checks it."""
    return node is not None and not isinstance(node, ast.Constant | ast.Name | ast.Tuple)


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _change(node: ast.AST, kind: str) -> str:
    before = ast.unparse(node)
    if kind == "operator":
        node.op = SWAPS[type(node.op)]()
    elif kind == "constant":
        node.value += 1
    elif kind == "sign":
        node.op = ast.UAdd()
    elif isinstance(node.value, ast.Dict):
        node.value.values = [_returned(each, kind) for each in node.value.values]
    else:
        node.value = _returned(node.value, kind)
    return f"{before} -> {ast.unparse(node)}"


def _returned(value: ast.expr, kind: str) -> ast.expr:
    return ast.BinOp(ast.Constant(2), ast.Mult(), value) if kind == "doubled" else ast.UnaryOp(ast.USub(), value)


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text(encoding="utf-8"))


def _definition(tree: ast.AST, code: CodeType) -> ast.FunctionDef:
    """The function of this code: its first line is that of the first decorator, if there is one."""
    return next(
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and min(each.lineno for each in (node, *node.decorator_list)) == code.co_firstlineno
    )


def _code_in(code: CodeType, wanted: CodeType) -> CodeType | None:
    """The code of a function within that of its module, if it can take the place of the one that is wanted."""
    if (code.co_qualname, code.co_firstlineno) == (wanted.co_qualname, wanted.co_firstlineno):
        return code if code.co_freevars == wanted.co_freevars else None
    inside = (_code_in(each, wanted) for each in code.co_consts if isinstance(each, CodeType))
    return next((each for each in inside if each is not None), None)


@contextmanager
def _patience() -> Iterator[None]:
    """TimeoutError for what takes too long."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
