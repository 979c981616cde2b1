"""Spoilt copies of a check: each has one sign, operator, constant or comparison of its formula changed."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator

from course.equations.entry import Equation, Holds
from course.equations.verify import verify

SWAPS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.LtE: ast.Gt,
    ast.GtE: ast.Lt,
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
    ast.Eq: ast.NotEq,
}


def spoil(equation: Equation) -> dict[str, bool]:
    """Every change of the formula of an equation, and whether its check notices."""
    return {what: not _passes(equation, check) for what, check in mutants(equation.check)}


def _passes(equation: Equation, check: Callable[..., Holds]) -> bool:
    try:
        return verify(equation, check).verified
    except (ArithmeticError, AssertionError, TypeError, ValueError):
        return False


def mutants(check: Callable) -> Iterator[tuple[str, Callable]]:
    """What was changed in what the check assigns to `formula`, and the spoilt check."""
    source = textwrap.dedent(inspect.getsource(check))
    for place in range(len(_places(ast.parse(source)))):
        tree = ast.parse(source)
        function = tree.body[0]
        function.decorator_list = []
        what = _spoil(*_places(tree)[place])
        ast.fix_missing_locations(tree)
        space = dict(inspect.getclosurevars(check).nonlocals)
        scope = {**check.__globals__, **space}
        exec(compile(tree, check.__code__.co_filename, "exec"), scope)
        yield what, scope[function.name]


def _places(tree: ast.Module) -> list[tuple[ast.AST, str]]:
    """What can be changed in the expression assigned to `formula`, in order."""
    found = []
    for statement in ast.walk(tree):
        if isinstance(statement, ast.Assign) and any(getattr(t, "id", None) == "formula" for t in statement.targets):
            for node in ast.walk(statement.value):
                if isinstance(node, ast.BinOp):
                    if type(node.op) in SWAPS:
                        found.append((node, "operator"))
                    found += [(side, "constant") for side in (node.left, node.right) if _is_number(side)]
                elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
                    found.append((node, "sign"))
                elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
                    found.append((node, "comparison"))
    return found


def _is_number(node: ast.AST) -> bool:
    """A summand, factor or power that is written as a number."""
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _spoil(node: ast.AST, kind: str) -> str:
    before = ast.unparse(node)
    if kind == "operator":
        node.op = SWAPS[type(node.op)]()
    elif kind == "constant":
        node.value += 1
    elif kind == "sign":
        node.op = ast.UAdd()
    else:
        node.ops[0] = SWAPS[type(node.ops[0])]()
    return f"{before} -> {ast.unparse(node)}"
