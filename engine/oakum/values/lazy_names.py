"""Packages whose names are imported, from the modules that declare them, when they are asked for.

Such a package lists its names twice: in a table, for the process, and in imports for type checkers
that are not carried out. A test compares the two.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from oakum.values import numpy_dtype_names

_added: Final[dict[str, dict[str, str]]] = {}


def add(module: str, declared: Mapping[str, str]) -> None:
    """Says which modules declare the public names of a module that are not its own."""
    _added[module] = _homes(declared)


def find_added(module: str, name: str) -> object:
    """A public name that was added to a module, for its `__getattr__`."""
    home = _added.get(module, {}).get(name)
    if home is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    setattr(sys.modules[module], name, value)
    return value


def _homes(declared: Mapping[str, str]) -> dict[str, str]:
    return {name: module for module, names in declared.items() for name in names.split()}


def deferred(
    package: str, declared: Mapping[str, str], namespaces: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package.

    `declared` has the names of each module, with spaces between them, `namespaces` those of modules
    of the package that are public themselves.
    """
    homes = _homes(declared)
    modules = frozenset(namespaces.split())

    def find(name: str) -> Any:
        numpy_dtype_names.register()  # for programs that have imported NumPy after oakum
        if name in modules:
            return importlib.import_module(f"{package}.{name}")
        if (home := homes.get(name)) is not None:
            value = getattr(importlib.import_module(home), name)
            setattr(sys.modules[package], name, value)
            return value
        if name == "__all__":  # what a star asks for
            return [each for each in (*modules, *homes) if not each.startswith("_")]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules, *homes})

    return find, listed
