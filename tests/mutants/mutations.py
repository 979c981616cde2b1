"""Small changes of a formula, each of which should make a test fail: a sign, a factor, a power, a comparison."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

_OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_COMPARISONS = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_NAMES = {
    "any": "all",
    "min": "max",
    "minimum": "maximum",
    "argmin": "argmax",
    "zeros": "ones",
    "zeros_like": "ones_like",
    "floor": "ceil",
}
_NAMES |= {new: old for old, new in _NAMES.items()}
# What these contain is said or declared, not computed.
_NOT_COMPUTED = (ast.Raise, ast.JoinedStr, ast.Assert, ast.Import, ast.ImportFrom)
_DECLARED = ("annotation", "returns", "decorator_list", "bases", "type_params")
_NO_NUMBERS = ("axis", "stacklevel")  # keywords whose numbers name something
_IN_A_LINE = (ast.expr, ast.keyword, ast.arguments, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)
_SHOWN = 100  # letters of the formula around a change, by which it is known

Change = Callable[[], Callable[[], None]]  # makes the change, and returns what takes it back


@dataclass(frozen=True)
class Mutation:
    """The change number `index` of a file, in the function `where` ("" at the top of the module).

    A function within a function counts as the outer one. `old` and `new` are the formula around it before and after,
    as much as fits into a line; `nth` tells the same formulas of a function apart. `in_body` says whether it is run
    when the function is called, and not before, as defaults are.
    """

    file: str
    index: int
    where: str
    lines: tuple[int, int]
    old: str
    new: str
    in_body: bool
    nth: int = 1

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """By which it is known when lines have moved."""
        return self.file, self.where, self.old, self.new, self.nth

    @property
    def room(self) -> str:
        """The package of the library, or the file if it is in none."""
        return self.file.split("/")[1].removesuffix(".py")

    def __str__(self) -> str:
        again = f" (number {self.nth})" if self.nth > 1 else ""
        return f"{self.file}:{self.lines[0]} {self.where or '(module)'}: {self.old}  →  {self.new}{again}"


@dataclass(frozen=True)
class _Place:
    """A node with what it stands in, from the outside to the inside."""

    where: str = ""
    in_body: bool = False
    around: tuple[ast.AST, ...] = ()

    def enter(self, node: ast.AST, field: str) -> "_Place":
        """The place of what stands in this field of the node."""
        where, in_body = self.where, self.in_body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not in_body:
            where = f"{where}.{node.name}" if where else node.name
        if field == "body" and isinstance(node, ast.FunctionDef | ast.Lambda):
            in_body = True
        return _Place(where, in_body, (*self.around, node))


def mutations(root: Path, file: str) -> list[Mutation]:
    """All changes of a file."""
    found, times = [], Counter[tuple[str, ...]]()
    for index, (place, change) in enumerate(_changes(_parsed(root, file))):
        shown = _shown(place.around)
        old = ast.unparse(shown)
        undo = change()
        new = ast.unparse(shown)
        undo()
        one = Mutation(file, index, place.where, _lines(place.around), old, new, place.in_body)
        times[one.key[:4]] += 1
        found.append(replace(one, nth=times[one.key[:4]]))
    return found


def mutated(root: Path, mutation: Mutation) -> ast.Module:
    """The module with this one change."""
    tree = _parsed(root, mutation.file)
    place, change = list(_changes(tree))[mutation.index]
    assert place.where == mutation.where
    change()
    return ast.fix_missing_locations(tree)


def _parsed(root: Path, file: str) -> ast.Module:
    return ast.parse((root / file).read_text(encoding="utf-8"))


def _shown(around: tuple[ast.AST, ...]) -> ast.AST:
    """The formula in which a node stands: the largest part of the statement that fits."""
    shown = around[-1]
    for node in reversed(around[:-1]):
        if not isinstance(node, _IN_A_LINE) or len(ast.unparse(node)) > _SHOWN:
            break
        shown = node
    return shown


def _lines(around: tuple[ast.AST, ...]) -> tuple[int, int]:
    """First and last line of the statement, of the lambda in it, or of what stands in the head of a block."""
    inner = around[-1]
    for node in reversed(around):
        if isinstance(node, ast.Lambda):
            return node.lineno, node.end_lineno
        if isinstance(node, ast.stmt) and hasattr(node, "body"):
            break
        if hasattr(node, "lineno"):
            inner = node
        if isinstance(node, ast.stmt):
            break
    return inner.lineno, inner.end_lineno


def _changes(node: ast.AST, place: _Place | None = None) -> Iterator[tuple[_Place, Change]]:
    """The changes in the order of the file, each with its place, whose last node is the changed one."""
    place = place or _Place()
    if isinstance(node, _NOT_COMPUTED) or (isinstance(node, ast.keyword) and node.arg in _NO_NUMBERS):
        return
    for change in _changes_of(node):
        yield _Place(place.where, place.in_body, (*place.around, node)), change
    for name, value in ast.iter_fields(node):
        if name not in _DECLARED:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _changes(child, place.enter(node, name))


def _changes_of(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.BinOp(op=ast.Pow(), right=ast.Constant()):
            return  # the number is changed by itself
        case ast.BinOp(op=ast.Pow()):
            yield _set(node, "right", ast.BinOp(node.right, ast.Add(), ast.Constant(1)))
        case ast.BinOp(op=ast.BitOr(), left=left, right=right) if _is_type(left) or _is_type(right):
            return
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _OPERATORS:
            yield _set(node, "op", _OPERATORS[type(op)]())
        case ast.UnaryOp(op=ast.USub()):
            yield _set(node, "op", ast.UAdd())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield _set(node, "operand", ast.UnaryOp(ast.Not(), operand))
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                yield _set(node, "ops", [*ops[:i], _COMPARISONS[type(op)](), *ops[i + 1 :]])
        case ast.BoolOp(op=op):
            yield _set(node, "op", ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.Call(func=ast.Attribute(attr=name) as func) if name in _NAMES:
            yield _set(func, "attr", _NAMES[name])
        case ast.Call(func=ast.Name(id=name) as func) if name in _NAMES:
            yield _set(func, "id", _NAMES[name])
        case ast.Constant(value=bool()):
            return
        case ast.Constant(value=int(value)):
            yield _set(node, "value", value + 1)
        case ast.Constant(value=float(value)):
            yield _set(node, "value", 2 * value or 1.0)


def _set(node: ast.AST, name: str, value: object) -> Change:
    def change() -> Callable[[], None]:
        before = getattr(node, name)
        setattr(node, name, value)
        return lambda: setattr(node, name, before)

    return change


def _is_type(node: ast.expr) -> bool:
    """Whether this is one side of a union of types, as in `int | None`."""
    match node:
        case ast.Constant(value=None) | ast.Subscript():
            return isinstance(node, ast.Constant) or _is_type(node.value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name[:1].isupper() or name in ("int", "float", "str", "bool", "list", "dict", "tuple")
    return False
