"""Slots of classes that are written in Python, given to native functions.

A class keeps the functions that Python calls for its objects in a table. For two kinds of objects a
native function takes the place of Python's there: arrays, whose memory is kept for the next ones,
and public functions, which hand calls on to what is compiled for them.

Invariants:
- It is looked, on classes made for that, whether the table is as it is expected to be; else
  `UnknownLayout` is raised and nothing is changed.
- What is called in the end is what the class said before.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

from oakum.runtime.native_call.layout import WORD, UnknownLayout

_PLACES: Final = {"name": 0, "basic size": 1, "item size": 2, "dealloc": 3, "call": 13}
"""The words of a class that are read or written, counted from the end of its header."""


def _word(kind: type, name: str) -> Any:
    start = object.__basicsize__ + WORD
    return ctypes.c_int64.from_address(id(kind) + start + WORD * _PLACES[name])


class _Plain:
    __slots__ = ()


class _Called:
    __slots__ = ()

    def __call__(self) -> None: ...


def _check(kind: type) -> None:
    """Raises unless the words of classes are where they are expected."""
    for each in (kind, _Plain, _Called):
        name = ctypes.c_char_p(_word(each, "name").value).value
        sizes = _word(each, "basic size").value, _word(each, "item size").value
        if name != each.__name__.encode() or sizes != (each.__basicsize__, each.__itemsize__):
            raise UnknownLayout("classes have another form")
    dealloc = _word(_Plain, "dealloc").value
    if dealloc != _word(_Called, "dealloc").value or dealloc == _word(int, "dealloc").value:
        raise UnknownLayout("classes keep something else where objects are unmade")
    calls = [_word(each, "call").value for each in (_Plain, object, int)]
    called = _word(_Called, "call").value
    if any(calls) or called in (0, _word(type, "call").value):
        raise UnknownLayout("classes keep something else where objects are called")


def take_dealloc(kind: type, address: int) -> None:
    """Has objects of a class unmade by a native function."""
    _check(kind)
    place = _word(kind, "dealloc")
    if place.value not in (_word(_Plain, "dealloc").value, address):
        raise UnknownLayout(f"objects of {kind.__name__} are unmade in a way of their own")
    place.value = address


def take_call(kind: type, address: int) -> None:
    """Has objects of a class called by a native function, which calls `python_call()`."""
    _check(kind)
    place = _word(kind, "call")
    if place.value not in (python_call(), address):
        raise UnknownLayout(f"objects of {kind.__name__} are called in a way of their own")
    place.value = address


def python_call() -> int:
    """Returns the address of the function that calls a `__call__` written in Python."""
    return _word(_Called, "call").value
