"""Types of Python whose slots are native functions, made without a C compiler."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any, Final

_Pointer = ctypes.c_void_p

OBJECT: Final = 16
"""A member that holds an object, or nothing."""
NUMBER: Final = 19
"""A member that is a number with a sign, as large as an address."""

DEALLOC: Final = 52
GET_BUFFER: Final = 1
_MEMBERS: Final = 72

NOT_MADE: Final = 1 << 7
"""Flag: Python code makes no objects of the type."""
BASE_TYPE: Final = 1 << 10
"""Flag: the type can be derived from."""
VECTORCALL: Final = 1 << 11
"""Flag: objects are called by the function whose address they hold."""
METHOD: Final = 1 << 17
"""Flag: found on a class, an object takes the instance as its first argument."""
_DEFAULT: Final = 1 << 18


class _Slot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("value", _Pointer))


class _Member(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Spec(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("size", ctypes.c_int),
        ("item_size", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", _Pointer),
    )


_kept: Final[list[Any]] = []
"""What types point to: they live as long as the process."""


def make(
    name: str,
    base: type,
    fields: Sequence[tuple[str, int]],
    *,
    flags: int = 0,
    slots: Mapping[int, int] | None = None,
) -> tuple[type, dict[str, int]]:
    """Returns a type with fields after those of its base, and their offsets.

    `fields` are pairs of a name and a kind, `OBJECT` or `NUMBER`; `slots` are the addresses of
    native functions. A field of the name `__vectorcalloffset__` holds what `VECTORCALL` needs.
    """
    start = base.__basicsize__
    offsets = {each: start + 8 * i for i, (each, _) in enumerate(fields)}
    members = (_Member * (len(fields) + 1))(
        *(
            _Member(each.encode(), kind, offsets[each], int(each.startswith("__")), None)
            for each, kind in fields
        )
    )
    given = {**(slots or {}), _MEMBERS: ctypes.addressof(members)}
    table = (_Slot * (len(given) + 1))(*(_Slot(slot, value) for slot, value in given.items()))
    text = name.encode()
    size = start + 8 * len(fields)
    spec = _Spec(text, size, 0, _DEFAULT | flags, ctypes.addressof(table))
    _kept.append((members, table, text, spec))
    kind = ctypes.PYFUNCTYPE(ctypes.py_object, _Pointer, ctypes.py_object)
    build = kind(("PyType_FromSpecWithBases", ctypes.pythonapi))
    return build(ctypes.addressof(spec), (base,)), offsets


def callable_type(base: type) -> Any:
    """Returns a class derived from one that has `__call__`, whose objects hold native code for
    calls.
    """
    fields = [(f"native_{name}", OBJECT) for name in ("slow", "kept")]
    name = f"{base.__module__}.{base.__qualname__}"
    made, offsets = make(
        name,
        base,
        (("__vectorcalloffset__", NUMBER), ("native_first", NUMBER), *fields),
        flags=BASE_TYPE | VECTORCALL | METHOD,
    )
    made.native_offsets = offsets
    return made
