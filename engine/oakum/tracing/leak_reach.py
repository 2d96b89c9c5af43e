"""What the variables reach that a traced function names: most leaked values are found there,
without a walk over all objects of the process.

Invariants:
- What is found here is kept for certain: the variables of a module live as long as the program.
  What is not found may be kept too, and is looked for from its end (`leak_holders`).
- Nothing of the user's is run, and no object is changed.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType
from typing import Any, Final

from oakum.tracing.leak_holders import holds_nothing, is_root
from oakum.tracing.leak_names import (
    Chain,
    describe,
    held_by,
    is_builtin,
    is_class,
    is_holder,
    is_namespace,
)
from oakum.tracing.leak_stores import user_functions

_MOST_OBJECTS: Final = 5_000
"""5 ms. The other search does several walks over all objects: 5 ms each where only NumPy is loaded,
and up to seconds in a large process."""
_MOST_LEVELS: Final = 8
_PASSED_OVER: Final = (CodeType, types.ModuleType)
_LIBRARIES: Final = sys.stdlib_module_names | {"jax", "numpy", "oakum"}
"""Whose classes keep nothing of the user's."""


def find_chains(
    values: Sequence[object], traced: Callable[..., Any] | None, ignored: set[int]
) -> dict[int, Chain]:
    """Returns how the program reaches values, by their ids: those that are reached from variables
    that a traced function, or one that it calls, has in its text. `ignored` are the ids of objects
    that hold nothing that counts.
    """
    search = _Search(values, ignored)
    for space, kept in _variables(traced):
        search.begin([space], kept)
    search.run()
    return search.found


def find_beside(values: Sequence[object], chain: Chain, ignored: set[int]) -> dict[int, Chain]:
    """Returns how values are reached that are held beside one whose chain is known."""
    search = _Search(values, ignored)
    search.begin(chain.objects[:-1])
    search.run()
    return search.found


def _variables(
    traced: Callable[..., Any] | None,
) -> Iterator[tuple[dict[str, Any], list[object]]]:
    """Returns the variables of modules, and of each what functions name there or are methods of."""
    for function in user_functions([traced], ()):
        space = function.__globals__
        names = _names(function.__code__)
        kept = [space[name] for name in (function.__name__, *names) if name in space]
        yield space, kept
        owner = function.__qualname__.rpartition(".")[0]
        if owner and not owner.endswith(">"):
            yield space, [each for each in list(space.values()) if type(each).__qualname__ == owner]
        for module in kept:
            if isinstance(module, types.ModuleType) and not _is_library(module.__name__):
                inner = vars(module)
                yield inner, [inner[name] for name in names if name in inner]


def _names(code: CodeType) -> set[str]:
    waiting = [code]
    found: set[str] = set()
    while waiting:
        code = waiting.pop()
        found.update(code.co_names)
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]
    return found


def _is_library(module: object) -> bool:
    return str(module).partition(".")[0] in _LIBRARIES


class _Search:
    """A search from objects that are kept for certain to the values, level by level."""

    __slots__ = ("_before", "_begin", "_known", "_objects", "_wanted", "found")

    def __init__(self, values: Sequence[object], ignored: set[int]) -> None:
        self._wanted = set(map(id, values))
        self._objects: list[object] = []
        self._before: list[int] = []  # for each object the place of one that refers to it
        self._begin = 0  # where the objects begin that were not looked into
        self._known = ignored | {id(values), id(self._objects)}
        self.found: dict[int, Chain] = {}

    def begin(self, path: Sequence[object], reached: Iterable[object] = ()) -> None:
        """Adds objects that are held by the last of a path, which begins with a root."""
        at = -1
        for each in path:
            self._objects.append(each)
            self._before.append(at)
            at = len(self._objects) - 1
            self._known.add(id(each))
        for each in reached:
            self._reach(at, each)

    def run(self) -> None:
        """Looks until all is found, or enough was looked at."""
        for _ in range(_MOST_LEVELS):
            begin, self._begin = self._begin, len(self._objects)
            for at in range(begin, self._begin):
                if not self._wanted:
                    return
                self._look_into(at)

    def _look_into(self, at: int) -> None:
        holder = self._objects[at]
        if is_namespace(holder) or isinstance(holder, _PASSED_OVER) or holds_nothing(holder):
            return
        if is_class(holder) and (is_builtin(holder) or _is_library(holder.__module__)):
            return
        held = held_by(holder)
        if len(self._objects) + len(held) <= _MOST_OBJECTS:
            for each in held:
                self._reach(at, each)
        elif not self._wanted.isdisjoint(map(id, held)):
            for each in held:
                if id(each) in self._wanted:
                    self._reach(at, each)

    def _reach(self, at: int, value: object) -> None:
        key = id(value)
        if key in self._known or not is_holder(value):
            return
        self._known.add(key)
        self._objects.append(value)
        self._before.append(at)
        if key in self._wanted:
            self._wanted.discard(key)
            self.found[key] = describe(self._path(len(self._objects) - 1))

    def _path(self, at: int) -> list[object]:
        path: list[object] = []
        while at >= 0:
            path.append(self._objects[at])
            # What a class holds is known by the name of the class.
            at = -1 if is_root(path[-1]) else self._before[at]
        path.reverse()
        return path
