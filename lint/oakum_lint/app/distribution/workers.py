"""The processes of a run: how they begin, and how they end."""

import importlib
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext
    from multiprocessing.process import BaseProcess

Work = TypeVar("Work")
Serve = Callable[[Connection, Work], None]
"""Answers what comes through a pipe, until that is closed."""


class Workers:
    """Processes that end with the block, however it ends, each with a pipe."""

    __slots__ = ("_processes",)

    def __init__(self, serve: Serve[Work], work: Work, count: int) -> None:
        # Forked, they need not load again what is loaded; elsewhere a fork is not safe.
        context: SpawnContext | ForkContext = multiprocessing.get_context("spawn")
        if sys.platform == "linux":
            context = multiprocessing.get_context("fork")
            importlib.import_module("oakum_lint.driver")
        self._processes: dict[Connection, BaseProcess] = {}
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_begin, args=(serve, theirs, work), daemon=True)
            with warnings.catch_warnings():
                # Other threads of this process wait for the one that forks, and hold nothing.
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
            theirs.close()
            self._processes[ours] = process

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes.values():
            process.kill()
            process.join()

    @property
    def connections(self) -> list[Connection]:
        """Our ends of their pipes."""
        return [*self._processes]


def ready(connections: Sequence[Connection], seconds: float | None = None) -> list[Connection]:
    """Waits for what comes through some pipes, and returns those with something in them."""
    found = wait(connections, seconds)
    return [each for each in connections if each in found]


def _begin(serve: Serve[Work], connection: Connection, work: Work) -> None:
    """Leaves signals to the process that has started this one, and ends with it."""
    # At a terminal Ctrl-C goes to all processes; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    serve(connection, work)


def _end_with_parent() -> None:
    """Ends this process, whatever it is doing, when the one that has started it is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
