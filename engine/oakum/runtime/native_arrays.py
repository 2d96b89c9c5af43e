"""Arrays made and unmade by native code.

The class of arrays is one of Python's; an object of it that nobody holds any more is kept by native
code, and the next result is put into it. Of all that a call does, making an array and unmaking it
was the longest part.

Invariants:
- An array that is kept is not tracked by the garbage collector, and holds nothing.
- Objects of classes derived from that of arrays are freed as Python frees them.
"""

from __future__ import annotations

from typing import Any, Final

SLOTS: Final = ("AVAL", "BLOCK", "RAW", "SHARDING", "COMMITTED")

_KEPT: Final = 1024
"""More arrays than this are not kept."""


def names(array_type: Any) -> dict[str, int]:
    """The names of texts; an offset of weak references below zero is Python's own affair."""
    return {"KEPT": _KEPT, "ARRAY_WEAK": array_type.__weakrefoffset__}


def text(array_type: Any) -> str:
    """The functions of arrays."""
    look = _LOOK_FOR_WEAK if array_type.__weakrefoffset__ > 0 else _ASK_FOR_WEAK
    return _TEXT.replace("<weak>", look).replace("<slots>", "\n".join(map(_drop, SLOTS)))


_LOOK_FOR_WEAK: Final = """
  %weak = get ptr %array + $ARRAY_WEAK
  %unwatched = icmp eq ptr %weak, null
  br i1 %unwatched, label %drop_AVAL, label %watched
"""
_ASK_FOR_WEAK: Final = """
  br label %watched
"""


def _drop(slot: str) -> str:
    """The text that empties a slot, and goes on at the next."""
    place = SLOTS.index(slot) + 1
    after = f"drop_{SLOTS[place]}" if place < len(SLOTS) else "keep"
    return f"""drop_{slot}:
  %old_{slot} = get ptr %array + $ARRAY_{slot}
  put ptr null into %array + $ARRAY_{slot}
  %no_{slot} = icmp eq ptr %old_{slot}, null
  br i1 %no_{slot}, label %{after}, label %release_{slot}
release_{slot}:
  release %old_{slot}
  br label %{after}"""


_TEXT: Final = """
@kept = internal global ptr null
@kept_count = internal global i64 0

define void @oakum_array_dealloc(ptr %array) nounwind {
entry:
  %type = get ptr %array + $TYPE
  call void @PyObject_GC_UnTrack(ptr %array)
<weak>
watched:
  call void @PyObject_ClearWeakRefs(ptr %array)
  br label %drop_AVAL
<slots>
keep:
  %plain = load ptr, ptr $known_array
  %is_plain = icmp eq ptr %type, %plain
  %count = load i64, ptr @kept_count
  %fits = icmp ult i64 %count, $KEPT
  %good = and i1 %is_plain, %fits
  br i1 %good, label %push, label %free
push:
  %head = load ptr, ptr @kept
  put ptr %head into %array + $ARRAY_AVAL
  store ptr %array, ptr @kept
  %more = add i64 %count, 1
  store i64 %more, ptr @kept_count
  br label %end
free:
  call void @PyObject_GC_Del(ptr %array)
  br label %end
end:
  release %type
  ret void
}

define internal ptr @new_array() nounwind {
entry:
  %type = load ptr, ptr $known_array
  %head = load ptr, ptr @kept
  %none = icmp eq ptr %head, null
  br i1 %none, label %fresh, label %again
again:
  %rest = get ptr %head + $ARRAY_AVAL
  store ptr %rest, ptr @kept
  %count = load i64, ptr @kept_count
  %less = sub i64 %count, 1
  store i64 %less, ptr @kept_count
  put ptr null into %head + $ARRAY_RAW
  %array = call ptr @PyObject_Init(ptr %head, ptr %type)
  ret ptr %array
fresh:
  %made = call ptr @PyType_GenericAlloc(ptr %type, i64 0)
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %refuse, label %untrack
untrack:
  call void @PyObject_GC_UnTrack(ptr %made)
  ret ptr %made
refuse:
  ret ptr null
}

define internal ptr @make_array(ptr %aval, ptr %block, ptr %place) nounwind {
entry:
  %array = call ptr @new_array()
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %refuse, label %fill
fill:
  hold %aval
  put ptr %aval into %array + $ARRAY_AVAL
  put ptr %block into %array + $ARRAY_BLOCK
  %nowhere = icmp eq ptr %place, null
  %none = load ptr, ptr $known_none
  %sharding = select i1 %nowhere, ptr %none, ptr %place
  hold %sharding
  put ptr %sharding into %array + $ARRAY_SHARDING
  %false = load ptr, ptr $known_false
  %true = load ptr, ptr $known_true
  %committed = select i1 %nowhere, ptr %false, ptr %true
  hold %committed
  put ptr %committed into %array + $ARRAY_COMMITTED
  call void @PyObject_GC_Track(ptr %array)
  ret ptr %array
refuse:
  ret ptr null
}
"""
