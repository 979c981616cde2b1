"""One mutant, tried: the unit tests are run on a changed library until one fails, in a process of their own.

Mutants are tried in copies (`os.fork`) of a process that has collected all tests already: the copy gets the changed
code, default or constant under the same name, and runs tests at once. What is computed by a function while the library
is imported or tests are collected has been computed without the change there, so tests of a file whose collection calls
the changed function are left to the other way: import the changed library afresh, and collect the files of the tests.
"""

import ast
import gc
import importlib
import inspect
import os
import resource
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType

import numpy as np
import pytest
from mutations import Mutation, mutated

ROOT = Path(__file__).parents[2]
LIBRARY = f"{ROOT / 'probml'}/"
PATIENCE = 10  # a test may take so many times longer than with the library as it is, and two seconds
MEMORY = 6 << 30  # bytes of addresses
PASSED, FAILED, NOT_IMPORTED, BROKEN = 0, 1, 3, 4  # how the process ends


# --- with all tests at hand ---


class Patcher:
    """Gives functions of the library the code of a mutant, in the memory of this process."""

    def __init__(self) -> None:
        self.functions: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(LIBRARY):
                code = each.__code__
                self.functions[code.co_filename, code.co_qualname, code.co_firstlineno].append(each)

    def patch(self, mutation: Mutation) -> bool:
        """Whether there is a function, a default or a constant that now has the change."""
        path = str(ROOT / mutation.file)
        before = compile(ast.parse(Path(path).read_text(encoding="utf-8")), path, "exec")
        after = compile(mutated(ROOT, mutation), path, "exec")
        patched = False
        for old, new in zip(_codes(before), _codes(after), strict=True):
            if old != new:
                for function in self.functions[path, old.co_qualname, old.co_firstlineno]:
                    if function.__code__ == old:
                        function.__code__ = new
                        patched = True
        return patched or (not mutation.in_body and _patch_values(mutation, after))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """This code and that of all functions within it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _patch_values(mutation: Mutation, code: CodeType) -> bool:
    """Constants and defaults: the changed module is run beside the real one, which gets the values that differ.

    So do all other modules that have imported such a constant by its name. What these have computed from it while they
    were imported stays as it was.
    """
    real = sys.modules[module_name(mutation.file)]
    beside = ModuleType(real.__name__)
    vars(beside).update({name: vars(real)[name] for name in ("__file__", "__package__", "__spec__")})
    try:
        exec(code, vars(beside))
    except Exception:
        os._exit(NOT_IMPORTED)
    return _take_over(real, beside)


def _take_over(real: ModuleType | type, beside: ModuleType | type) -> bool:
    changed = False
    for name, new in list(vars(beside).items()):
        old = vars(real).get(name)
        if name.startswith("__") and not callable(new):
            continue
        new, old = (getattr(each, "__func__", getattr(each, "fget", each)) for each in (new, old))
        if isinstance(new, FunctionType) and isinstance(old, FunctionType):
            for defaults in ("__defaults__", "__kwdefaults__"):
                if _differ(getattr(old, defaults), getattr(new, defaults)):
                    setattr(old, defaults, getattr(new, defaults))
                    changed = True
        elif isinstance(new, type) and isinstance(old, type) and new.__module__ == real.__name__ and new is not old:
            changed |= _take_over(old, new)
        elif _differ(old, new):
            changed = True
            setattr(real, name, new)
            if isinstance(real, ModuleType):
                for module in list(sys.modules.values()):
                    if getattr(module, "__file__", None) and vars(module).get(name) is old:
                        setattr(module, name, new)
    return changed


def _differ(old: object, new: object) -> bool:
    """Whether these are plain values, and not the same ones. What is neither number, text nor array is not compared."""
    if isinstance(new, tuple | list) and type(old) is type(new):
        return len(old) != len(new) or any(map(_differ, old, new))
    if isinstance(new, dict) and isinstance(old, dict):
        return old.keys() != new.keys() or any(_differ(old[key], new[key]) for key in new)
    if isinstance(new, np.ndarray) and isinstance(old, np.ndarray):
        return old.dtype != new.dtype or old.tobytes() != new.tobytes()
    plain = (int, float, str, np.generic, set, frozenset)
    return isinstance(new, plain) and isinstance(old, plain) and (type(old), repr(old)) != (type(new), repr(new))


class Collected:
    """A plugin of pytest that remembers what collecting each file has called, and then hands over to `serve`."""

    def __init__(self, serve: object) -> None:
        self.serve = serve
        self.called: dict[str, set[tuple[str, str]]] = {}  # by file of tests; "" is the import of the library

    def pytest_collection(self) -> None:
        """The library is imported first, so that its own calls are not those of the first file that imports it."""
        with _noting() as calls:
            for file in sorted((ROOT / "probml").rglob("*.py")):
                importlib.import_module(module_name(str(file.relative_to(ROOT))))
        self.called[""] = calls

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        """Imports of test modules, and the making of their cases."""
        with _noting() as calls:
            report = yield
        self.called.setdefault(collector.nodeid.partition("::")[0] or ".", set()).update(calls)
        return report

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of the tests."""
        self.items = {item.nodeid: item for item in session.items}
        self.patcher = Patcher()
        gc.freeze()
        self.serve(self)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo) -> None:
        """In a copy, at the first failure: the report that pytest would make takes longer than most tests."""
        if call.excinfo and not call.excinfo.errisinstance(pytest.skip.Exception):
            os._exit(FAILED)

    def fit_for(self, mutation: Mutation, tests: Sequence[str]) -> list[str]:
        """Those of the tests for which it makes no difference that everything was collected without the change."""
        if not mutation.in_body:
            return list(tests)
        name = (mutation.file, mutation.where)
        if name in self.called[""]:
            return []
        return [each for each in tests if name not in self.called.get(each.partition("::")[0], ())]

    def run(self, mutation: Mutation | None, tests: Sequence[tuple[str, float]], result: int) -> None:
        """Run tests (name, seconds) in this process, write the name of the first that fails, and end it."""
        _confine()
        if mutation and not self.patcher.patch(mutation):
            os._exit(BROKEN)
        items = [self.items[test] for test, _ in tests]
        for item, (test, seconds), following in zip(items, tests, [*items[1:], None], strict=True):
            os.pwrite(result, test.encode().ljust(1000), 0)
            # to the process that takes too long this signal is the end
            signal.setitimer(signal.ITIMER_PROF, 2 + PATIENCE * seconds)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        os._exit(PASSED)


@contextmanager
def _noting() -> Iterator[set[tuple[str, str]]]:
    """The functions of the library (file and name) that are called meanwhile."""
    codes: set[CodeType] = set()
    calls: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    outer = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(outer)
        functions = (code for code in codes if code.co_flags & inspect.CO_OPTIMIZED)  # not modules, nor classes
        inside = (code for code in functions if code.co_filename.startswith(LIBRARY))
        calls |= {(code.co_filename.removeprefix(f"{ROOT}/"), _function(code)) for code in inside}


def _function(code: CodeType) -> str:
    """One that is defined within another counts as the outer one, a lambda as what it stands in."""
    parts = code.co_qualname.partition(".<locals>")[0].split(".")
    return ".".join(part for part in parts if not part.startswith("<"))


# --- from the import on ---


class _Selected:
    """Runs these tests alone, in this order, and writes down the one that fails."""

    def __init__(self, tests: Sequence[str], result: int) -> None:
        self.order = {test: place for place, test in enumerate(tests)}
        self.result = result

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self.order), key=lambda i: self.order[i.nodeid])

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        os.pwrite(self.result, item.nodeid.encode().ljust(1000), 0)


class _Loader(SourceFileLoader):
    """Loads a changed module, as if it had been read from its file."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.tree, self.get_filename(fullname), "exec")


class _Finder:
    """Finds the changed module before all others look for it."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> object:
        if name != self.name:
            return None
        loader = _Loader(name, str(self.path), self.tree)
        places = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        return spec_from_file_location(name, self.path, loader=loader, submodule_search_locations=places)


def run_from_the_import(mutation: Mutation, tests: Sequence[tuple[str, float]], result: int) -> None:
    """As `Collected.run`, in a process that has not imported the library yet."""
    _confine()
    name = module_name(mutation.file)
    sys.meta_path.insert(0, _Finder(name, ROOT / mutation.file, mutated(ROOT, mutation)))
    signal.setitimer(signal.ITIMER_PROF, 30 + PATIENCE * sum(seconds for _, seconds in tests))
    try:
        importlib.import_module(name)
        importlib.import_module("probml.curves")
    except BaseException:
        os._exit(NOT_IMPORTED)
    files = list(dict.fromkeys(str(ROOT / test.partition("::")[0]) for test, _ in tests))
    selected = _Selected([test for test, _ in tests], result)
    status = pytest.main([*pytest_options(), "-x", *files], plugins=[selected])
    os._exit({0: PASSED, 1: FAILED, 2: FAILED}.get(int(status), BROKEN))  # 2: a file of tests could not be collected


def module_name(file: str) -> str:
    """As which a file is imported."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def pytest_options() -> list[str]:
    """What is the same wherever tests are run."""
    without = [option for plugin in ("cacheprovider", "xdist", "faulthandler") for option in ("-p", f"no:{plugin}")]
    return ["-q", "-s", "-W", "ignore::pytest.PytestAssertRewriteWarning", *without, f"--rootdir={ROOT}"]


def _confine() -> None:
    """No output, and no more memory than any test needs."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
