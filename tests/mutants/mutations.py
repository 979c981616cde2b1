"""Small changes of a formula, each of which should make a test fail: a sign, a factor, a power, a comparison."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
_NO_NUMBERS = ("axis", "stacklevel")  # keywords whose numbers name something

Change = Callable[[], None]


@dataclass(frozen=True)
class Mutation:
    """The change number `index` of a file, in the function `where` ("" at the top of the module)."""

    file: str
    index: int
    where: str
    line: int
    old: str
    new: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """By which it is known when lines have moved."""
        return self.file, self.where, self.old, self.new

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.where or '(module)'}: {self.old}  →  {self.new}"


def mutations(root: Path, file: str) -> list[Mutation]:
    """All changes of a file."""
    text = (root / file).read_text(encoding="utf-8")
    found = []
    for index in range(len(list(_changes(ast.parse(text))))):
        where, node, change = list(_changes(ast.parse(text)))[index]
        old = ast.unparse(node)
        change()
        found.append(Mutation(file, index, where, node.lineno, old, ast.unparse(node)))
    return found


def mutated(root: Path, mutation: Mutation) -> ast.Module:
    """The module with this one change."""
    tree = ast.parse((root / mutation.file).read_text(encoding="utf-8"))
    where, _, change = list(_changes(tree))[mutation.index]
    assert where == mutation.where
    change()
    return ast.fix_missing_locations(tree)


def _changes(node: ast.AST, where: str = "") -> Iterator[tuple[str, ast.expr | ast.stmt, Change]]:
    """Function, node and change, in the order of the file."""
    if isinstance(node, _NOT_COMPUTED) or (isinstance(node, ast.keyword) and node.arg in _NO_NUMBERS):
        return
    for change in _changes_of(node):
        assert isinstance(node, ast.expr | ast.stmt)
        yield where, node, change
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        where = f"{where}.{node.name}" if where else node.name
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _changes(child, where)


def _changes_of(node: ast.AST) -> Iterator[Change]:
    match node:
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
        case ast.Compare(ops=[op]) if type(op) in _COMPARISONS:
            yield _set(node, "ops", [_COMPARISONS[type(op)]()])
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
    return lambda: setattr(node, name, value)


def _is_type(node: ast.expr) -> bool:
    """Whether this is one side of a union of types, as in `int | None`."""
    match node:
        case ast.Constant(value=None) | ast.Subscript():
            return isinstance(node, ast.Constant) or _is_type(node.value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name[:1].isupper() or name in ("int", "float", "str", "bool", "list", "dict", "tuple")
    return False
