"""The first operation: before it, the engine is put together.

The parts that carry out operations stand above the tracers that ask for them, and NumPy and the
options come with them: they are not loaded before something is computed. The package `oakum`, above
all parts, says how (`prepare`), and the trace at the bottom of all has it done (`start`).
"""

from __future__ import annotations

from collections.abc import Callable


def _nothing() -> None:
    """Without the package, nothing is put together."""


_start: Callable[[], None] = _nothing


def prepare(start: Callable[[], None]) -> None:
    """Says what puts the engine together."""
    global _start
    _start = start


def start() -> None:
    """Puts the engine together."""
    _start()
