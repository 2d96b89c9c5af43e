"""Waiting for results, `x.block_until_ready()`, and of a whole tree: those of the host are there
already, those of a device are waited for in Python.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

TEXT: Final = """
define ptr @oakum_wait(ptr %array, ptr %unused) nounwind {
entry:
  %raw = get ptr %array + $ARRAY_RAW
  when %raw is none ? %python : %look
look:
  %storage = get ptr %array + $ARRAY_STORAGE
  when eq ptr %storage, null ? %there : %python
there:
  hold %array
  ret ptr %array
python:
  %wait = load ptr, ptr $known_wait
  %result = call ptr @PyObject_CallOneArg(ptr %wait, ptr %array)
  ret ptr %result
}

define internal i1 @all_ready(ptr %object, i64 %depth) nounwind {
entry:
  %position = alloca i64
  %key = alloca ptr
  %value = alloca ptr
  %type = get ptr %object + $TYPE
  when eq i64 %depth, 0 ? %no : %arrays
arrays:
  when %type is array ? %array : %containers
array:
  %raw = get ptr %object + $ARRAY_RAW
  %none = load ptr, ptr $known_none
  %there = icmp ne ptr %raw, %none
  %storage = get ptr %object + $ARRAY_STORAGE
  %is_here = icmp eq ptr %storage, null
  %both = and i1 %there, %is_here
  ret i1 %both
containers:
  %below = sub i64 %depth, 1
  when %type is dict ? %dict : %sequences
dict:
  store i64 0, ptr %position
  br label %entries
entries:
  %status = call i32 @PyDict_Next(ptr %object, ptr %position, ptr %key, ptr %value)
  when ne i32 %status, 0 ? %look : %yes
look:
  %each = load ptr, ptr %value
  %ready = call i1 @all_ready(ptr %each, i64 %below)
  when %ready ? %entries : %no
sequences:
  when %type is tuple ? %tuple : %lists
tuple:
  %tuple_items = getelementptr i8, ptr %object, i64 $TUPLE_ITEMS
  br label %items
lists:
  when %type is list ? %list : %no
list:
  %list_items = get ptr %object + $LIST_ITEMS
  br label %items
items:
  %first = phi ptr [%tuple_items, %tuple], [%list_items, %list]
  %count = get i64 %object + $SIZE
  br label %head
head:
  count %i to %count ? %item : %yes, from %items, %next from %item
item:
  %child = get ptr %first [%i]
  %next = add i64 %i, 1
  %child_ready = call i1 @all_ready(ptr %child, i64 %below)
  when %child_ready ? %head : %no
yes:
  ret i1 true
no:
  ret i1 false
}

define ptr @oakum_all_ready(ptr %module, ptr %tree) nounwind {
entry:
  %ready = call i1 @all_ready(ptr %tree, i64 32)
  %true = load ptr, ptr $known_true
  %false = load ptr, ptr $known_false
  %answer = select i1 %ready, ptr %true, ptr %false
  hold %answer
  ret ptr %answer
}
"""


class _Method(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_NO_ARGUMENTS: Final = 0x4
_ONE_ARGUMENT: Final = 0x8

_kept: Final[list[Any]] = []
"""What methods point to: they live as long as the process."""


def _definition(name: str, address: int, flags: int) -> int:
    made = _Method(name.encode(), address, flags, None)
    _kept.append(made)
    return ctypes.addressof(made)


def method(kind: type, name: str, address: int) -> Any:
    """Returns a method without arguments of a class, of native code."""
    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.c_void_p)
    build = prototype(("PyDescr_NewMethod", ctypes.pythonapi))
    return build(kind, _definition(name, address, _NO_ARGUMENTS))


def function(name: str, address: int) -> Callable[[Any], Any]:
    """Returns a function of one argument, of native code."""
    prototype = ctypes.PYFUNCTYPE(
        ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
    )
    build = prototype(("PyCFunction_NewEx", ctypes.pythonapi))
    return build(_definition(name, address, _ONE_ARGUMENT), None, None)
