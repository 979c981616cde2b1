"""Assertions that fail and let a note go on, in the kernel that executes it: what `reseed` counts.

The runner puts `STARTUP` into the kernel's profile. From then on every assertion of a cell, `assert` or one of NumPy's,
is recorded as held or failed, in lines of JSON; and so is every claim about a published number that turns out
to differ without an explanation.
"""

import ast
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from course.errors import ClaimError
from course.notebook.record import OUTPUT

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, InteractiveShell

STARTUP = "from course.form.collect import install\n\ninstall(get_ipython())\ndel install\n"
FILE = "assertions.jsonl"


def fingerprint(source: str) -> str:
    """By which a cell is known, whatever its number."""
    return hashlib.sha256(source.encode()).hexdigest()


def install(shell: "InteractiveShell") -> None:
    """Have the assertions of all cells that follow collected."""
    transformer = Transformer()

    def next_cell(info: "ExecutionInfo") -> None:
        transformer.source = info.raw_cell

    shell.events.register("pre_run_cell", next_cell)
    shell.ast_transformers.append(transformer)
    shell.user_ns |= {"__checked__": checked, "__claimed__": claimed}


@contextmanager
def checked(cell: str, line: int, text: str) -> Iterator[None]:
    """Record whether the assertion inside held; one that failed lets the cell go on."""
    try:
        yield
    except AssertionError:
        _record(cell, line, text, holds=False)
    else:
        _record(cell, line, text, holds=True)


def claimed(claim: Callable[..., str], cell: str, line: int) -> Callable[..., str]:
    """`Record.claim`, that records where a claim would end the run and lets the cell go on."""

    def collected(id: str, **fields: object) -> str:  # noqa: A002  as in Record.claim
        text = f"claim {id}: agrees with what was published, or says why it does not"
        try:
            said = claim(id, **fields)
        except ClaimError as error:
            _record(cell, line, text, holds=False)
            return str(error)
        _record(cell, line, text, holds=True)
        return said

    return collected


_seen: set[str] = set()


def _record(cell: str, line: int, text: str, *, holds: bool) -> None:
    """Write an outcome, once: an assertion in a loop has held if it has never failed."""
    entry = json.dumps({"cell": cell, "line": line, "text": text, "holds": holds})
    if entry not in _seen:
        _seen.add(entry)
        with Path(os.environ[OUTPUT], FILE).open("a", encoding="utf-8") as file:
            file.write(entry + "\n")


class Transformer(ast.NodeTransformer):
    """Puts every assertion of a cell under `checked`, and every claim under `claimed`."""

    source = ""

    def visit_Assert(self, node: ast.Assert) -> ast.With:
        """`assert …` becomes `with __checked__(…): assert …`."""
        return self._guarded(node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """The same for a call of np.testing.assert_allclose and its like."""
        self.generic_visit(node)
        match node.value:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name.startswith("assert_"):
                return self._guarded(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """`record.claim(…)` becomes `__claimed__(record.claim, …)(…)`."""
        self.generic_visit(node)
        match node.func:
            case ast.Attribute(value=ast.Name(id="record"), attr="claim"):
                where = [ast.Constant(fingerprint(self.source)), ast.Constant(node.lineno)]
                func = ast.Call(ast.Name("__claimed__", ast.Load()), [node.func, *where], [])
                node = ast.fix_missing_locations(ast.copy_location(ast.Call(func, node.args, node.keywords), node))
        return node

    def _guarded(self, statement: ast.stmt) -> ast.With:
        text = " ".join((ast.get_source_segment(self.source, statement) or ast.unparse(statement)).split())
        values = [fingerprint(self.source), statement.lineno, text]
        call = ast.Call(ast.Name("__checked__", ast.Load()), [ast.Constant(value) for value in values], [])
        guarded = ast.With([ast.withitem(call)], [statement])
        return ast.fix_missing_locations(ast.copy_location(guarded, statement))
