"""Doctests of the engine: those that stand at the code.

`__doc__` of a public function ends with its example from the tables of `values/examples`. Those
run in `tests/engine/test_reference_examples.py`, with their names and up to rounding, and not here.
"""

import pytest
from _pytest.doctest import DoctestItem


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves the examples of the tables out."""
    kept: list[pytest.Item] = []
    for item in items:
        if isinstance(item, DoctestItem) and item.dtest.docstring:
            before, _, table = item.dtest.docstring.rpartition("\n\nExample:\n")
            if table and before:
                last = before.count("\n")
                item.dtest.examples = [e for e in item.dtest.examples if e.lineno <= last]
                if not item.dtest.examples:
                    continue
        kept.append(item)
    items[:] = kept
