"""Modules that are loaded when they are first used, and packages whose names are imported, from the
modules that declare them, when they are asked for.

Such a package states its names once, in imports for type checkers that are not carried out:

    if TYPE_CHECKING:
        from oakum.numpy.arithmetic import add as add, subtract as subtract
    else:
        __getattr__, __dir__ = lazy_modules.deferred("oakum.numpy")

The imports are in the compiled code of the package all the same, where they are read. A star
stands for the public functions that a module declares; it is run when a name is none of the others.

Invariants:
- No thread sees a name of a module that another thread is running.
- What is imported asks deferred modules for no name while it is imported, unless one of them
  imports it: threads that wait for each other's imports would wait for ever.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any, Final

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
        load_numpy_dtype_names()  # for programs that have imported NumPy after oakum
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
