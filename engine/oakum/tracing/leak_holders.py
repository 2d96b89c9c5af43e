"""Who keeps a value alive: the way from a name of the user's program to a tracer.

Invariants:
- A frame that has ended holds nothing, though a trace function or a traceback may keep it; neither
  does the program that a trace has recorded. A weak reference holds its callback alone, and Python
  lists it for that only.
- What running frames and C code hold is not among the referrers that Python lists. It shows as the
  difference between the references that are counted and those that are listed.
- Nothing of the user's is run, and no object is changed.
"""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeGuard

from oakum.tracing import leak_names
from oakum.tracing.ir import ClosedJaxpr, Equation, Jaxpr
from oakum.tracing.leak_names import Chain
from oakum.tracing.trace import Trace

_NO_HOLDERS: Final = (
    *(types.FrameType, types.TracebackType),
    *(Trace, ClosedJaxpr, Jaxpr, Equation),
)
"""From Python 3.11 on a frame lists what it refers to only once it has ended."""
_OBSERVERS: Final = frozenset(("_pytest",))
"""Packages that keep what they see of a program, as log records for a test that fails."""

_MOST_OBJECTS: Final = 3_000
_MOST_LEVELS: Final = 40
"""Each level is one walk over all objects: 5 ms for 100,000 of them."""
_LEVELS_FOR_A_NAME: Final = 6
"""As many levels more are looked at where something is held, and has no name yet."""


def find_chain(
    value: list[object], ignored: Iterable[int] = (), *, in_use: bool = False
) -> Chain | None:
    """Returns how the program reaches the one object in `value`; None where nothing that counts
    holds it. `ignored` are the ids of what holds nothing that counts. No variable but that of a
    caller that has it `in_use` may hold the object.
    """
    graph = _Graph(value, {*ignored, id(value)})
    unnamed: int | None = None
    left = _MOST_LEVELS
    while left and graph.has_more():
        left -= 1
        for root in graph.advance():
            if in_use and root == 0:
                continue
            path = graph.path(root)
            space = None if is_root(path[0]) else leak_names.namespace_with(path[0])
            chain = leak_names.describe(path if space is None else [space, *path])
            if chain.is_named:
                return chain
            if unnamed is None:
                unnamed, left = root, min(left, _LEVELS_FOR_A_NAME)
    if unnamed is not None:
        return leak_names.describe(graph.path(unnamed))
    return leak_names.describe(graph.path(0)) if graph.has_more() else None


class _Graph:
    """The objects that refer to a value, level by level, and which of them are roots."""

    __slots__ = ("_begin", "_ignored", "_next", "_objects")

    def __init__(self, value: list[object], ignored: set[int]) -> None:
        self._objects = list(value)
        self._next = [-1]  # for each object the place of one that it refers to
        self._begin = 0  # where the last level begins
        self._ignored = ignored | {id(self._objects)}

    def has_more(self) -> bool:
        return self._begin < len(self._objects) <= _MOST_OBJECTS

    def path(self, root: int) -> list[object]:
        """Returns the objects from a root to the value."""
        found: list[object] = []
        while root >= 0:
            found.append(self._objects[root])
            root = self._next[root]
        return found

    def advance(self) -> list[int]:
        """Adds what refers to the last level; returns the roots in that level."""
        begin, end = self._begin, len(self._objects)
        known = set(map(id, self._objects))
        witness: list[object] = []  # What nobody else refers to has the references that are ours.
        self._objects.append(witness)
        level = self._objects[begin:]
        places = {id(each): at for at, each in enumerate(level)}
        listed = [0] * len(level)
        holders = gc.get_referrers(*level)
        new: list[object] = []
        ignored = self._ignored | {id(level), id(holders), id(new)}
        for holder in holders:
            if _is_tuple(holder) and holder and holder[-1] is witness:
                continue  # The arguments of the call above.
            at = -1
            for each in gc.get_referents(holder):
                place = places.get(id(each), -1)
                if place >= 0:
                    at = place
                    listed[place] += 1
            if at < 0 or id(holder) in known or id(holder) in ignored:
                continue
            if holds_nothing(holder) or is_root(level[at]):
                continue
            known.add(id(holder))
            new.append(holder)
            self._next.append(begin + at)
        each = holder = None
        del each, holder, holders
        del self._objects[end]
        counts = [sys.getrefcount(level[at]) - listed[at] for at in range(len(level))]
        # For the list that the witness is no longer in there is the variable.
        ours = counts.pop()
        if any(n > ours and not is_root(level[at]) for at, n in enumerate(counts)):
            for place, array in _arrays_of_ended_frames(level):
                counts[place] -= 1
                if id(array) not in known and id(array) not in self._ignored:
                    known.add(id(array))
                    new.append(array)
                    self._next.append(begin + place)
        self._objects += new
        self._begin = end
        return [
            begin + at
            for at, count in enumerate(counts)
            if count > ours or is_root(self._objects[begin + at])
        ]


def _arrays_of_ended_frames(values: Sequence[object]) -> Iterator[tuple[int, object]]:
    """Returns the arrays of objects that frames have which ended, for each value in one its place.

    Python does not list what such arrays hold. The array is to be looked at like any holder: a
    frame holds nothing, and who else has the array does.
    """
    places = {id(each): at for at, each in enumerate(values)}
    arrays = {
        id(each): each
        for frame in gc.get_objects()
        if isinstance(frame, types.FrameType)
        for each in gc.get_referents(frame)
        if leak_names.is_object_array(each)
    }
    for array in arrays.values():
        for each in array.flat:
            if id(each) in places:
                yield places[id(each)], array


def holds_nothing(value: object) -> bool:
    """Whether what an object keeps is none of the program's doing."""
    if isinstance(value, _NO_HOLDERS):
        return True
    return str(type(value).__module__).partition(".")[0] in _OBSERVERS


def is_root(value: object) -> bool:
    """Whether the program holds it as long as it runs: a module, its variables, a class that is
    found by its name.
    """
    if leak_names.is_class(value):
        return _is_of_module(value)
    return isinstance(value, types.ModuleType) or leak_names.is_namespace(value)


def _is_of_module(value: type) -> bool:
    """Whether a class stands where its name says."""
    owner: object = sys.modules.get(value.__module__)
    for name in value.__qualname__.split("."):
        if not isinstance(owner, (type, types.ModuleType)):
            return False
        owner = vars(owner).get(name)
    return owner is value


def _is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    return type(value) is tuple
