"""scikit-learn's own tests, as installed with it, with our classes in the place of its own.

Each TOML file here stands for one of its test modules:

    module = "sklearn.tests.test_naive_bayes"

    [classes]  # theirs = ours
    "sklearn.naive_bayes.GaussianNB" = "probml.naive_bayes.GaussianNB"

    [does_not_apply]  # reason = tests: "test_name", whatever its parameters, or "test_name[parameters]"
    "tests internals" = ["test_gnb_check_update_with_no_data"]

Where parameters have other names, ours is a class in a module of this folder that takes theirs.

A test that does not apply has to fail: once it passes, the run fails until it is taken off the list. Tests that use
none of our classes are left out. Errors and warnings have to be of the kind that a test expects, but may be in other
words. To run one test: `pytest "tests/probml/scikit_learn/naive_bayes.toml::test_gnb"`.
"""

import tomllib
import warnings
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from importlib import import_module
from pkgutil import resolve_name
from types import CodeType, FunctionType, SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "thread_unsafe: scikit-learn's, of a test that is not run by several threads")


def pytest_collect_file(file_path, parent):
    return Suite.from_parent(parent, path=file_path) if file_path.suffix == ".toml" else None


@pytest.fixture
def global_random_seed():
    """The seed that scikit-learn's tests use unless they are told another."""
    return 42


@pytest.fixture
def global_dtype():
    """The dtype that scikit-learn's tests use unless they are told another."""
    return np.float64


def _in_any_words(expecting):
    return lambda *kinds, match=None, **options: expecting(*kinds, **options)


IN_ANY_WORDS = SimpleNamespace(
    **vars(pytest) | {"raises": _in_any_words(pytest.raises), "warns": _in_any_words(pytest.warns)}
)


class Suite(pytest.Module):
    """A test module of scikit-learn's, imported while our classes were in the place of its own."""

    def _getobj(self):
        table = tomllib.loads(self.path.read_text())
        self.ours = {theirs: resolve_name(ours) for theirs, ours in table["classes"].items()}
        self.reasons = {test: reason for reason, tests in table["does_not_apply"].items() for test in tests}
        with ExitStack() as places:
            for theirs, ours in self.ours.items():
                places.enter_context(patch(theirs, ours))
            module = import_module(table["module"])
        module.pytest = IN_ANY_WORDS
        return module

    def collect(self):
        with warnings.catch_warnings(action="ignore"):
            items = [item for item in super().collect() if self._is_ours(item)]
        known = {name for item in items for name in (item.name, item.originalname)}
        if unknown := self.reasons.keys() - known:
            raise self.CollectError(
                f"{self.path.name} lists tests that are not there or use none of our classes: {sorted(unknown)}"
            )
        for item in items:
            item.add_marker(pytest.mark.filterwarnings("ignore"))  # what they warn of is no concern of our settings
            reason = self.reasons.get(item.name, self.reasons.get(item.originalname))
            if reason is not None:
                why = f"{reason}. If it passes, take it off the list in {self.path.name}"
                item.add_marker(pytest.mark.xfail(reason=why, strict=True))
        return items

    def _is_ours(self, item: pytest.Function) -> bool:
        parameters = getattr(item, "callspec", None)
        return _reaches((item.function, parameters and parameters.params), tuple(self.ours.values()), set())


def _reaches(found: object, classes: tuple[type, ...], seen: set[int]) -> bool:
    """Whether it is one of the classes, or an object of one, or holds or names such a thing at any depth."""
    if id(found) in seen:
        return False
    seen.add(id(found))
    if isinstance(found, classes) or any(found is each for each in classes):
        return True
    return any(_reaches(part, classes, seen) for part in _parts(found))


def _parts(found: object) -> Iterable:
    if isinstance(found, Mapping):
        return found.values()
    if isinstance(found, list | tuple | set):
        return found
    if isinstance(found, FunctionType):
        return [found.__globals__.get(name) for name in _names(found.__code__)]
    return ()


def _names(code: CodeType) -> set[str]:
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*map(_names, inner))
