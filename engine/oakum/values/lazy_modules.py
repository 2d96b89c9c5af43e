"""Modules that are loaded when they are first used.

Invariants:
- No thread sees a name of a module that another thread is running.
- What is imported asks deferred modules for no name while it is imported, unless one of them
  imports it: threads that wait for each other's imports would wait for ever.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final


class Namespace:
    """Stands for a module; its names are looked up once each.

    >>> Namespace("math").floor(2.5)
    2
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(importlib.import_module(self._module), name)
        setattr(self, name, value)
        return value


_lock: Final = threading.RLock()
_running: Final[set[str]] = set()
"""The modules whose code is running now, all of one thread, which holds the lock."""


_over_forks: Final[list[tuple[int, AbstractContextManager[object]]]] = [(3, _lock)]


def hold_over_forks(lock: AbstractContextManager[object], rank: int) -> None:
    """Lets no fork happen while another thread holds a lock: the child could never take it.

    A thread that holds several has taken them in the order of their ranks: 0 where native calls
    are started, 1 where they change, 2 within LLVM, 3 where a module is loaded late.
    """
    _over_forks.append((rank, lock))
    _over_forks.sort(key=lambda held: held[0])


def _before_fork() -> None:
    for _ in range(_MOST_WAITS):
        taken: list[AbstractContextManager[object]] = []
        # Who held one of them may have added another.
        while rest := [lock for _, lock in _over_forks if lock not in taken]:
            rest[0].__enter__()
            taken.append(rest[0])
        _taken.append(taken)
        pending = _pending_imports()
        if not pending:
            return
        # The imports may need the locks.
        _after_fork()
        for name in pending:
            with contextlib.suppress(Exception):  # whose import fails hears of it itself
                importlib.import_module(name)
    _taken.append([])


def _after_fork() -> None:
    for lock in reversed(_taken.pop()):
        lock.__exit__(None, None, None)


_OWN: Final = frozenset({"oakum", "llvmlite", "numpy"})
_MOST_WAITS: Final = 20
"""So often is waited for imports: a thread that forks while it imports waits for itself in vain."""


def _pending_imports() -> list[str]:
    """Returns the modules that threads import now, whose locks the child could never take.

    Python keeps the locks of such modules in a table of its own, before they are in `sys.modules`;
    where it has none of that name, nothing is waited for.
    """
    locks: Mapping[str, object] = getattr(sys.modules["_frozen_importlib"], "_module_locks", {})
    return [name for name in tuple(locks) if name.partition(".")[0] in _OWN]


_taken: Final[list[list[AbstractContextManager[object]]]] = []
"""The locks that a fork which happens now has taken."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork
    )


class _Module(ModuleType):
    """A module whose code runs when a name of it is first asked for."""

    def __getattribute__(self, name: str) -> Any:
        # Who only looks all modules over (`inspect`) asks for names of this kind.
        if not name.startswith("__"):
            with _lock:
                if type(self) is _Module and self.__name__ not in _running:
                    _run(self)
        return ModuleType.__getattribute__(self, name)  # The class may be that one by now.


def _run(module: ModuleType) -> None:
    spec = _find(module.__name__)
    assert spec.loader is not None
    module.__spec__, module.__loader__, module.__file__ = spec, spec.loader, spec.origin
    _running.add(module.__name__)
    try:
        spec.loader.exec_module(module)
    finally:
        _running.discard(module.__name__)
    module.__class__ = ModuleType


def _find(name: str) -> ModuleSpec:
    path = sys.modules[name.rpartition(".")[0]].__path__
    for finder in sys.meta_path:
        if (spec := finder.find_spec(name, path)) is not None:
            return spec
    raise ModuleNotFoundError(f"there is no module {name!r} to run", name=name)


def defer(package: str, names: Iterable[str]) -> None:
    """Has modules of a package run when they are first used, also where they are imported before.

    It keeps `import` statements, and what type checkers know of them, as they are: of the functions
    that a program could call, the modules of those that it calls are run.
    """
    folder = sys.modules[package].__path__[0]
    for name in names:
        full = f"{package}.{name}"
        if full in sys.modules:
            continue
        module = _Module(full)
        module.__package__ = package
        # The loader is looked for when the module runs: that takes longer than all of this. The
        # file is what tools that look all modules over ask for, as `inspect` and pytest do.
        module.__spec__ = ModuleSpec(full, None)
        module.__file__ = os.path.join(folder, f"{name}.py")
        sys.modules[full] = module
        setattr(sys.modules[package], name, module)


def defer_all(package: str, path: Iterable[str], but: str = "") -> None:
    """Has all modules of a package run when they are first used, but those that are named."""
    others = {"__init__", *but.split()}
    for folder in path:
        names = (name.removesuffix(".py") for name in os.listdir(folder) if name.endswith(".py"))
        defer(package, (name for name in names if name not in others))


def load_numpy_dtype_names() -> None:
    """Lets NumPy know the small dtypes by name (`np.dtype("bfloat16")`, as after `import jax`),
    where the program has loaded NumPy: this never loads it.

    ml_dtypes does so as it is loaded, in 5 to 8 ms beside the 150 of NumPy; programs that draw
    random numbers or differentiate load it anyway.
    """
    if "numpy" in sys.modules:
        importlib.import_module("ml_dtypes")
