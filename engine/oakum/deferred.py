"""Modules that are loaded when they are first used."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from collections.abc import Iterable
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

    def __getattr__(self, name: str) -> Any:
        with _lock:
            if type(self) is _Module and self.__name__ not in _running:
                _run(self)
        try:
            return self.__dict__[name]
        except KeyError:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None


def _run(module: ModuleType) -> None:
    spec = module.__spec__
    assert spec is not None
    assert spec.loader is not None
    _running.add(module.__name__)
    try:
        spec.loader.exec_module(module)
    finally:
        _running.discard(module.__name__)
    module.__class__ = ModuleType


def defer(package: str, names: Iterable[str]) -> None:
    """Has modules of a package run when they are first used, also where they are imported before.

    It keeps `import` statements, and what type checkers know of them, as they are: for modules of
    bodies, which declarations import and only evaluation needs.
    """
    for name in names:
        full = f"{package}.{name}"
        if full in sys.modules:
            continue
        spec = importlib.util.find_spec(full)
        if spec is None:
            raise ModuleNotFoundError(f"there is no module {full!r} to defer", name=full)
        module = _Module(full)
        for attribute, value in (
            ("__spec__", spec),
            ("__loader__", spec.loader),
            ("__file__", spec.origin),
            ("__package__", package),
        ):
            setattr(module, attribute, value)
        sys.modules[full] = module
        setattr(sys.modules[package], name, module)
