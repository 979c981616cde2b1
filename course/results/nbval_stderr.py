"""A pytest plugin for nbval: stderr is not kept in executed notebooks, so there is nothing to compare it with."""

import pytest
from nbval.plugin import IPyNbFile


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):  # noqa: ANN201  a generator, as pluggy's wrappers are
    """Leave stderr out of the comparison of every collected notebook."""
    if isinstance(collector, IPyNbFile):
        collector.skip_compare = (*collector.skip_compare, "stderr")
    return (yield)
