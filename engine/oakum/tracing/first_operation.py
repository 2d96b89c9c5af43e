"""Loads and connects the parts of the engine before the first operation.

The modules that carry out operations lie in higher layers than the tracers that call them, and they
import NumPy, so they are loaded only when something is computed. The package `oakum`, the top
layer, registers the function that loads them (`prepare`); the trace, in a low layer, calls it
(`start`).
"""

from __future__ import annotations

from collections.abc import Callable


def _nothing() -> None:
    """Does nothing: the default until the package sets its own function."""


start: Callable[[], None] = _nothing
"""Loads and connects the engine's parts: the function that the package has registered."""


def prepare(function: Callable[[], None]) -> None:
    """Registers the function that loads and connects the engine's parts."""
    global start
    start = function
