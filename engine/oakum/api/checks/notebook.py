"""`%load_ext oakum`: what the linter finds in a cell of IPython is printed before it runs; it runs
with the checks on, and what they find is printed behind its output. A check does not end the cell.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable
from typing import Final, Protocol

from oakum.api.checks import checked_run, jax_frames
from oakum.api.checks.cell_source import Cells
from oakum.api.checks.jax_watch import JaxWatch
from oakum.values.checks.check_outcomes import CHECKS, Found


class _Events(Protocol):
    """The events of a shell of IPython's."""

    def register(self, event: str, function: Callable[..., None], /) -> None: ...
    def unregister(self, event: str, function: Callable[..., None], /) -> None: ...


class Shell(Protocol):
    """What is asked of a shell of IPython's."""

    @property
    def events(self) -> _Events: ...


class CellChecks:
    """The checks of a shell's cells, from its loading to its unloading."""

    def __init__(self, shell: Shell) -> None:
        self._shell: Final = shell
        self._stack = contextlib.ExitStack()
        self._found: list[Found] = []
        self._cells = Cells()

    def load(self) -> None:
        """Has the shell tell when cells begin and end."""
        history: object = getattr(self._shell, "history_manager", None)
        # The first of the inputs is empty, so that they have the numbers that the shell shows.
        self._cells = Cells(getattr(history, "input_hist_raw", [""])[1:])
        self._shell.events.register("pre_run_cell", self.begin)
        self._shell.events.register("post_run_cell", self.end)

    def unload(self) -> None:
        """Checks no more."""
        self._shell.events.unregister("pre_run_cell", self.begin)
        self._shell.events.unregister("post_run_cell", self.end)
        self._stack.close()

    def begin(self, cell: object) -> None:
        """Prints what is found in a cell, and turns the checks on; one that runs cells is one."""
        self._stack.close()
        if isinstance(text := getattr(cell, "raw_cell", None), str) and _has_number(cell):
            for each in self._cells.check(text):
                print(each, file=sys.stderr)
        self._stack = contextlib.ExitStack()
        self._found = self._stack.enter_context(checked_run.collecting(CHECKS))
        watching = JaxWatch(
            jax_frames.FrameTrace(), CHECKS, functools.partial(checked_run.add, self._found)
        )
        watching.begin()
        self._stack.callback(watching.end)

    def end(self, result: object) -> None:
        """Turns them off, and prints what they have found."""
        self._stack.close()
        error = getattr(result, "error_in_exec", None)
        known = set(map(_key, self._found))
        if isinstance(error, Exception):
            # The shell has shown an error of the engine's; of JAX's it knows no code.
            self._found += [
                each for each in checked_run.explained(error) if _key(each) not in known
            ]
        for each in self._found:
            print(checked_run.text_of(each), file=sys.stderr)
        self._found = []


def _has_number(cell: object) -> bool:
    return bool(getattr(cell, "store_history", True))


def _key(found: Found) -> tuple[str, str, int]:
    return found.code, found.file, found.line


_loaded: Final[dict[int, CellChecks]] = {}


def load_ipython_extension(shell: Shell) -> None:
    """Begins to check the cells of a shell."""
    if id(shell) not in _loaded:
        _loaded[id(shell)] = CellChecks(shell)
        _loaded[id(shell)].load()


def unload_ipython_extension(shell: Shell) -> None:
    """Checks the cells of a shell no more."""
    checks = _loaded.pop(id(shell), None)
    if checks is not None:
        checks.unload()
