"""Where objects of Python keep what native code reads, found by looking.

An offset is found by experiment: an object is made of parts that are known, and its memory is
searched for their addresses. Nothing is taken from a version of Python's or NumPy's headers, and a
layout that is not understood raises `UnknownLayout`, so that everything stays in Python.

Invariants:
- Only memory of live objects is read, within their size, and nothing is written.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from typing import Any, Final, cast

from oakum import dtypes
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.device_storage import DeviceStorage
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.declarations import PublicFunction

WORD: Final = 8


class UnknownLayout(Exception):
    """Objects of this Python do not look as native code needs it."""


def find() -> dict[str, int]:
    """Returns the offsets by name; raises `UnknownLayout`."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != WORD:
        raise UnknownLayout("native calls need CPython and 64 bits")
    if sysconfig.get_config_var("Py_GIL_DISABLED") or not hasattr(ctypes, "pythonapi"):
        raise UnknownLayout("native calls need the lock of the interpreter and its C API")
    header = object.__basicsize__
    found = {"HEADER": header, "TYPE": header - WORD, "SIZE": header}
    if _word(1.5, found["TYPE"]) != id(float):
        raise UnknownLayout("the type of an object is not where its header ends")
    found["REFERENCES"] = found["TYPE"] - WORD
    counted = [object()] * 1000
    count = ctypes.c_int32.from_address(id(counted[0]) + found["REFERENCES"]).value
    if count != sys.getrefcount(counted[0]) - 1 or sys.byteorder != "little":
        raise UnknownLayout("the count of references is not before the type")
    found.update(_of_sequences(), **_of_arrays(), **_of_host_arrays())
    function = cast("Any", object.__new__(PublicFunction))
    function.called = found_here = print
    size = PublicFunction.__basicsize__
    found["PUBLIC_CALLED"] = _search(function, size, id(found_here), "what a function calls")
    found["SCALAR"] = _of_scalars(header)
    return found


def _word(value: object, offset: int) -> int:
    return ctypes.c_ssize_t.from_address(id(value) + offset).value


def _search(value: object, size: int, wanted: int, what: str) -> int:
    """Returns the one place in an object where an address or number stands."""
    start = object.__basicsize__
    places = [p for p in range(start, size, WORD) if _word(value, p) == wanted]
    if len(places) != 1:
        raise UnknownLayout(f"{what} is found {len(places)} times")
    return places[0]


def _of_sequences() -> dict[str, int]:
    first, second = object(), object()
    pair, members = (first, second), [first, second]
    items = tuple.__basicsize__
    if [_word(pair, items + i * WORD) for i in range(2)] != [id(first), id(second)]:
        raise UnknownLayout("the items of a tuple do not follow its header")
    if _word(pair, object.__basicsize__) != 2 or _word(members, object.__basicsize__) != 2:
        raise UnknownLayout("the length of a sequence does not follow its header")
    at = object.__basicsize__ + WORD
    inside = _word(members, at)
    if list((ctypes.c_ssize_t * 2).from_address(inside)) != [id(first), id(second)]:
        raise UnknownLayout("the items of a list are not where they are expected")
    return {"TUPLE_ITEMS": items, "LIST_ITEMS": at}


class _NoDevice:
    """What memory is of that is none."""

    def release(self, address: int) -> None:
        """Does nothing."""


def _of_arrays() -> dict[str, int]:
    """Returns the slots of `ArrayImpl` and of avals."""
    found: dict[str, int] = {}
    for name in ("aval", "_raw", "_block", "_storage", "_sharding", "_committed"):
        array = ArrayImpl.__new__(ArrayImpl)
        setattr(array, name, (marker := object()))
        key = f"ARRAY_{name.strip('_').upper()}"
        found[key] = _search(array, ArrayImpl.__basicsize__, id(marker), f"the slot {name}")
    storage, device = DeviceStorage.__new__(DeviceStorage), _NoDevice()
    storage.device = cast("Any", device)
    for name in ("device", "address", "nbytes", "bucket", "is_shared", "_coming", "origin"):
        marker = device if name == "device" else object()
        setattr(storage, name, marker)
        key = f"STORAGE_{name.strip('_').upper()}"
        size = DeviceStorage.__basicsize__
        found[key] = _search(storage, size, id(marker), f"the slot {name} of memory")
    shape, dtype = (3, 5, 7), dtypes.float32
    aval = ShapedArray(shape, dtype, True)
    for name, value in (("SHAPE", shape), ("DTYPE", dtype), ("WEAK", True)):
        size = ShapedArray.__basicsize__
        found[f"AVAL_{name}"] = _search(aval, size, id(value), f"the {name.lower()} of an aval")
    return found


def _of_host_arrays() -> dict[str, int]:
    """Returns the fields of NumPy's arrays, which its ABI keeps in this order."""
    np = host.np
    array = np.zeros((3, 5), np.float32)
    header = object.__basicsize__
    names = ("DATA", "RANK", "DIMS", "STRIDES", "BASE", "DTYPE", "FLAGS")
    found = {f"HOST_{name}": header + i * WORD for i, name in enumerate(names)}

    def number(each: object, name: str) -> int:
        return ctypes.c_int32.from_address(id(each) + found[f"HOST_{name}"]).value

    for each, contiguous in ((array, True), (array.T, False), (array[1:, 2:], False)):
        dims = (ctypes.c_ssize_t * 2).from_address(_word(each, found["HOST_DIMS"]))
        flags = number(each, "FLAGS")
        right = (
            _word(each, found["HOST_DATA"]) == each.ctypes.data
            and number(each, "RANK") == 2
            and tuple(dims) == each.shape
            and _word(each, found["HOST_DTYPE"]) == id(each.dtype)
            and (flags & CONTIGUOUS == CONTIGUOUS) is contiguous
        )
        if not right:
            raise UnknownLayout("arrays of this NumPy have another form")
    return found


CONTIGUOUS: Final = 0x1 | 0x100
"""NumPy's flags of arrays that lie row by row, each element at its alignment."""


def _of_scalars(header: int) -> int:
    """Where scalars of NumPy keep their value: after the header, whatever their type."""
    np = host.np
    for kind in ("float32", "float64", "int32", "int64", "uint8", "bool", "complex64"):
        value = np.dtype(kind).type(1)
        size = value.dtype.itemsize
        if ctypes.string_at(id(value) + header, size) != value.tobytes():
            raise UnknownLayout(f"scalars of type {kind} have another form")
    return header
