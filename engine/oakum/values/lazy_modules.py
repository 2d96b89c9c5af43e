"""Modules that are loaded when they are first used.

Invariants:
- No thread sees a name of a module that another thread is running.
- What is imported asks deferred modules for no name while it is imported, unless one of them
  imports it: threads that wait for each other's imports would wait for ever.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Iterable
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
