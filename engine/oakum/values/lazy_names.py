"""Packages whose names are imported, from the modules that declare them, when they are asked for.

Such a package states its names once, in imports for type checkers that are not carried out:

    if TYPE_CHECKING:
        from oakum.numpy.arithmetic import add as add, subtract as subtract
    else:
        __getattr__, __dir__ = lazy_names.deferred("oakum.numpy")

The imports are in the compiled code of the package all the same, where they are read. A star
stands for the public functions that a module declares; it is run when a name is none of the others.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, ModuleType
from typing import Any, Final

from oakum.values import lazy_modules

_added: Final[dict[str, dict[str, str]]] = {}


def add(module: str, declared: Mapping[str, str]) -> None:
    """Says which modules declare the public names of a module that are not its own."""
    _added[module] = {name: home for home, names in declared.items() for name in names.split()}


def find_added(module: str, name: str) -> Any:
    """Returns a public name that was added to a module, for its `__getattr__`."""
    home = _added.get(module, {}).get(name)
    if home is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    setattr(sys.modules[module], name, value)
    return value


def _imports(code: CodeType) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the modules that the code of a package imports names from, or would, with those names.

    An import is an instruction whose argument is the module, behind one that loads the names.
    """
    from opcode import opmap  # It takes half a millisecond, which `import oakum` does without.

    instruction, extended = bytes((opmap["IMPORT_NAME"],)), opmap["EXTENDED_ARG"]
    operations, arguments = code.co_code[::2], code.co_code[1::2]

    def argument(at: int) -> tuple[int, int]:
        """Returns the argument of an instruction, and where the instruction begins."""
        value, shift = arguments[at], 8
        while operations[at - 1] == extended:
            at -= 1
            value |= arguments[at] << shift
            shift += 8
        return value, at

    at = operations.find(instruction)
    while at >= 0:
        module, start = argument(at)
        names = code.co_consts[argument(start - 1)[0]]
        if names:
            yield code.co_names[module], names
        at = operations.find(instruction, at + 1)


def deferred(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Returns the functions `__getattr__` and `__dir__` of a package, which calls this while it is
    run.
    """
    code = sys._getframe(1).f_code  # pyright: ignore[reportPrivateUsage]
    homes: dict[str, str] = {}

    def find(name: str) -> Any:
        lazy_modules.load_numpy_dtype_names()  # for programs that have imported NumPy after oakum
        if not homes:
            homes.update(_homes(code))
        if name not in homes and (not name.startswith("_") or name == "__all__"):
            for home in [module for module, names in _imports(code) if names == ("*",)]:
                homes.update(dict.fromkeys(_declared_in(home), home))
        home = homes.get(name)
        if home == package:
            return importlib.import_module(f"{package}.{name}")
        if home is not None:
            value = getattr(importlib.import_module(home), name)
            setattr(sys.modules[package], name, value)
            return value
        if name == "__all__":  # what a star asks for
            return [each for each in homes if not each.startswith("_")]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def listed() -> list[str]:
        find("__all__")
        return sorted({*vars(sys.modules[package]), *homes})

    return find, listed


def listed_in(package: ModuleType) -> list[str]:
    """Returns the names that a package imports when they are asked for, in their order."""
    names: list[str] = package.__all__
    return names


@functools.cache
def _declared_in(home: str) -> list[str]:
    """Returns the names of the public functions that a module declares."""
    from oakum.values.declarations import PublicFunction

    module = importlib.import_module(home)
    getattr(module, "_", None)  # What is deferred runs when a name of it is asked for.
    return [
        name
        for name, value in vars(module).items()
        if isinstance(value, PublicFunction) and value.__module__ == home
    ]


def _homes(code: CodeType) -> dict[str, str]:
    """For each name of a package the module that has it; for its modules the package itself."""
    return {
        name: module
        for module, names in _imports(code)
        if module.partition(".")[0] == "oakum" and module != "oakum.values"  # which is imported
        for name in names
        if name != "*"
    }
