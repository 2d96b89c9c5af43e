"""LLVM's text with a few words more: reading and writing fields, and counting references.

    %x = get ptr %object + 16        the field at an offset
    %x = get ptr %items [%i]         an item of an array of words
    put ptr %x into %object + 16
    put ptr %x into %items [%i]
    hold %x                          one reference more
    release %x                       one reference less
    revive %x of %type               the first reference to an object that was kept without one
    %p = part %x at %spec + 8        the place in %x whose offset the field says
    %p = record %list [%i] of 64     the place of a record of this size
    %b = is %type list               whether this is what native code knows under the name
    when %b ? %yes : %no             a branch; a comparison may stand there: `when eq ptr %x, null`,
                                     or `when %type is list`
    count %i to %n ? %body : %end, from %entry, %next from %body
                                     the head of a loop: %i is 0 first, and %next after a round

Words that begin with `$` are replaced: offsets by their number, `$known_...` by the place that
holds the address of an object of Python's. So the text holds no address, and can be kept.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from string import Template
from typing import Final

from oakum.runtime.native_call.layout import WORD


class Record:
    """Words in memory, by name."""

    def __init__(self, name: str, fields: str) -> None:
        self.name = name
        self.fields = tuple(fields.split())

    @property
    def size(self) -> int:
        """The number of bytes."""
        return WORD * len(self.fields)

    def offsets(self) -> dict[str, int]:
        """Returns the offset of each field, for texts."""
        found = {f"{self.name}_{field}": WORD * i for i, field in enumerate(self.fields)}
        return {**found, f"{self.name}_size": self.size}

    def words(self, **values: int) -> list[int]:
        """Returns the words of a record of these values; what is not given is zero."""
        assert values.keys() <= set(self.fields), values
        return [values.get(field, 0) for field in self.fields]


KNOWN: Final = (
    "array host_array storage aval none true false float int bool complex tuple list dict block "
    "situation first_device counted wait python_call"
).split()
"""What native code knows, in the order of its places in `@oakum_known`: objects, and last the
function that calls a `__call__` written in Python."""

IMPORTS: Final = (
    "Py_DecRef Py_IncRef PyBuffer_FillInfo PyComplex_ImagAsDouble PyComplex_RealAsDouble "
    "PyContextVar_Get PyDict_Copy PyDict_GetItemWithError PyDict_Next PyDict_SetItem "
    "PyDict_Size PyErr_Clear PyErr_NoMemory PyErr_Occurred "
    "PyFloat_AsDouble PyList_New PyList_SetItem PyLong_AsLongLongAndOverflow "
    "PyLong_FromLongLong PyMem_RawFree "
    "PyMem_RawMalloc PyObject_CallOneArg PyObject_ClearWeakRefs PyObject_Free PyObject_GC_Del "
    "PyObject_GC_Track PyObject_GC_UnTrack PyObject_Init PyObject_Malloc "
    "PyObject_RichCompareBool PyObject_Vectorcall PyTuple_New PyTuple_SetItem "
    "PyType_GenericAlloc PyVectorcall_Call"
).split()
"""The functions of Python that native code calls."""

DECLARATIONS: Final = """
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)
declare i32 @PyBuffer_FillInfo(ptr, ptr, ptr, i64, i32, i32)
declare double @PyComplex_ImagAsDouble(ptr)
declare double @PyComplex_RealAsDouble(ptr)
declare i32 @PyContextVar_Get(ptr, ptr, ptr)
declare ptr @PyDict_Copy(ptr)
declare ptr @PyDict_GetItemWithError(ptr, ptr)
declare i32 @PyDict_Next(ptr, ptr, ptr, ptr)
declare i32 @PyDict_SetItem(ptr, ptr, ptr)
declare i64 @PyDict_Size(ptr)
declare void @PyErr_Clear()
declare ptr @PyErr_NoMemory()
declare ptr @PyErr_Occurred()
declare double @PyFloat_AsDouble(ptr)
declare ptr @PyList_New(i64)
declare i32 @PyList_SetItem(ptr, i64, ptr)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare ptr @PyLong_FromLongLong(i64)
declare void @PyMem_RawFree(ptr)
declare ptr @PyMem_RawMalloc(i64)
declare ptr @PyObject_CallOneArg(ptr, ptr)
declare void @PyObject_ClearWeakRefs(ptr)
declare void @PyObject_Free(ptr)
declare void @PyObject_GC_Del(ptr)
declare void @PyObject_GC_Track(ptr)
declare void @PyObject_GC_UnTrack(ptr)
declare ptr @PyObject_Init(ptr, ptr)
declare ptr @PyObject_Malloc(i64)
declare i32 @PyObject_RichCompareBool(ptr, ptr, i32)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare ptr @PyVectorcall_Call(ptr, ptr, ptr)
declare i64 @llvm.ctlz.i64(i64, i1)
"""

_INLINE: Final = (
    sys.implementation.name == "cpython"
    and sys.version_info < (3, 12)
    and object.__basicsize__ == 2 * WORD
)
"""Whether a reference count is a word that has no other meaning, at the start of an object."""


_OFFSETS: Final[dict[str, int]] = {name: WORD * i for i, name in enumerate(KNOWN)}


def expand(text: str, names: Mapping[str, int]) -> str:
    """Returns the text in the language that LLVM reads."""
    places = {f"known_{name}": _known(name) for name in _OFFSETS}
    filled = Template(text).substitute({**names, **places})
    numbers = itertools.count()

    def words(found: re.Match[str]) -> str:
        name, word, rest = found.groups()
        return _WORDS[word](name, rest.split(), next(numbers))

    return _LINE.sub(words, filled)


def _known(name: str) -> str:
    """Returns the place of what native code knows."""
    return f"getelementptr (i8, ptr @oakum_known, i64 {_OFFSETS[name]})"


def _address(place: Sequence[str], number: int) -> str:
    base, *by = place
    kind, offset = ("i8", by[1]) if by[0] == "+" else ("ptr", by[0][1:-1])
    return f"  %at.{number} = getelementptr inbounds {kind}, ptr {base}, i64 {offset}"


def _get(name: str, words: Sequence[str], number: int) -> str:
    kind, *place = words
    return f"{_address(place, number)}\n  {name} = load {kind}, ptr %at.{number}, align 8"


def _put(name: str, words: Sequence[str], number: int) -> str:
    kind, value, _into, *place = words
    return f"{_address(place, number)}\n  store {kind} {value}, ptr %at.{number}, align 8"


def _hold(name: str, words: Sequence[str], number: int) -> str:
    (value,) = words
    if not _INLINE:
        return f"  call void @Py_IncRef(ptr {value})"
    count, more = f"%count.{number}", f"%more.{number}"
    return (
        f"  {count} = load i64, ptr {value}, align 8\n"
        f"  {more} = add i64 {count}, 1\n"
        f"  store i64 {more}, ptr {value}, align 8"
    )


def _release(name: str, words: Sequence[str], number: int) -> str:
    (value,) = words
    return f"  call void @Py_DecRef(ptr {value})"


def _revive(name: str, words: Sequence[str], number: int) -> str:
    value, _of, kind = words
    if _INLINE:
        return f"  store i64 1, ptr {value}, align 8"
    return (  # The type is held by what is kept, and would be held twice.
        f"  %revived.{number} = call ptr @PyObject_Init(ptr {value}, ptr {kind})\n"
        f"  call void @Py_DecRef(ptr {kind})"
    )


def _part(name: str, words: Sequence[str], number: int) -> str:
    whole, _at, *place = words
    return (
        f"{_address(place, number)}\n  %offset.{number} = load i64, ptr %at.{number}, align 8\n"
        f"  {name} = getelementptr i8, ptr {whole}, i64 %offset.{number}"
    )


def _record(name: str, words: Sequence[str], number: int) -> str:
    base, item, _of, size = words
    return (
        f"  %offset.{number} = mul i64 {item[1:-1]}, {size}\n"
        f"  {name} = getelementptr i8, ptr {base}, i64 %offset.{number}"
    )


def _is(name: str, words: Sequence[str], number: int) -> str:
    value, known = words
    return (
        f"  %known.{number} = load ptr, ptr {_known(known)}\n"
        f"  {name} = icmp eq ptr {value}, %known.{number}"
    )


def _when(name: str, words: Sequence[str], number: int) -> str:
    *condition, _then, yes, _else, no = words
    made, value = "", f"%is.{number}"
    match condition:
        case [value]:
            pass
        case [known, "is", what]:
            made = f"{_is(value, (known, what), number)}\n"
        case _:
            made = f"  {value} = icmp {' '.join(condition)}\n"
    return f"{made}  br i1 {value}, label {yes}, label {no}"


def _count(name: str, words: Sequence[str], number: int) -> str:
    counted, _to, end, _then, body, _else, after, _from, first, following, _from, latch = words
    return (
        f"  {counted} = phi i64 [0, {first.rstrip(',')}], [{following}, {latch}]\n"
        f"  %is.{number} = icmp ult i64 {counted}, {end}\n"
        f"  br i1 %is.{number}, label {body}, label {after.rstrip(',')}"
    )


_WORDS: Final[Mapping[str, Callable[[str, Sequence[str], int], str]]] = {
    "get": _get,
    "put": _put,
    "hold": _hold,
    "release": _release,
    "revive": _revive,
    "part": _part,
    "record": _record,
    "is": _is,
    "when": _when,
    "count": _count,
}
_LINE: Final = re.compile(rf"^  (?:(%\S+) = )?({'|'.join(_WORDS)}) ([^;\n]+).*$", re.MULTILINE)
