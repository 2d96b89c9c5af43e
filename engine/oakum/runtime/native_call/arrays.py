"""Arrays made and unmade by native code.

The class of arrays is one of Python's; an object of it that nobody holds any more is kept by native
code, and the next result is put into it. Of all that a call does, making an array and unmaking it
was the longest part.

A result of a native call that nobody looked at is kept whole: the next result of its size is this
array with this block, and has only its aval to be set.

Invariants:
- An array that is kept has no reference and is not tracked by the garbage collector. It holds its
  class, and where it is kept whole its block, an aval, None as its sharding and False; what has
  memory of another device is not kept whole.
- Arrays that are kept whole count among the bytes of the pool.
- Objects of classes derived from that of arrays are freed as Python frees them.
"""

from __future__ import annotations

from typing import Final

SLOTS: Final = ("AVAL", "BLOCK", "RAW", "STORAGE", "SHARDING", "COMMITTED")

_KEPT: Final = 1024
"""More arrays than this are not kept."""


def names(array_type: type) -> dict[str, int]:
    """Returns the names of texts; an offset of weak references below zero is Python's own
    affair.
    """
    return {"KEPT": _KEPT, "ARRAY_WEAK": array_type.__weakrefoffset__}


def text(array_type: type) -> str:
    """Returns the functions of arrays."""
    look = _LOOK_FOR_WEAK if array_type.__weakrefoffset__ > 0 else _ASK_FOR_WEAK
    return _TEXT.replace("<weak>", look).replace("<slots>", "\n".join(map(_drop, SLOTS)))


_LOOK_FOR_WEAK: Final = """
  %weak = get ptr %array + $ARRAY_WEAK
  %no_weak = icmp eq ptr %weak, null
  br i1 %no_weak, label %unwatched, label %watched
"""
_ASK_FOR_WEAK: Final = """
  br label %watched
"""


def _drop(slot: str) -> str:
    """Returns the text that empties a slot, and goes on at the next."""
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
@whole = internal global [64 x ptr] zeroinitializer

define internal i1 @keep_whole(ptr %array) nounwind {
entry:
  %type = get ptr %array + $TYPE
  %is_plain = is %type array
  %raw = get ptr %array + $ARRAY_RAW
  %unseen = icmp eq ptr %raw, null
  %block = get ptr %array + $ARRAY_BLOCK
  %has_block = icmp ne ptr %block, null
  %storage = get ptr %array + $ARRAY_STORAGE
  %is_here = icmp eq ptr %storage, null
  %none = load ptr, ptr $known_none
  %sharding = get ptr %array + $ARRAY_SHARDING
  %nowhere = icmp eq ptr %sharding, %none
  %false = load ptr, ptr $known_false
  %committed = get ptr %array + $ARRAY_COMMITTED
  %is_loose = icmp eq ptr %committed, %false
  %one = and i1 %is_plain, %unseen
  %two = and i1 %has_block, %nowhere
  %three = and i1 %one, %two
  %four = and i1 %three, %is_loose
  %five = and i1 %four, %is_here
  when %five ? %count : %no
count:
  %references = get i32 %block + $REFERENCES
  when eq i32 %references, 1 ? %bytes : %no
bytes:
  %class = get i64 %block + $BLOCK_CLASS
  %size = shl i64 1, %class
  %held = get i64 @oakum_pool + $pool_held
  %cap = get i64 @oakum_pool + $pool_cap
  %sum = add i64 %held, %size
  when ule i64 %sum, %cap ? %push : %no
push:
  put i64 %sum into @oakum_pool + $pool_held
  %head = get ptr @whole [%class]
  put ptr %head into %array + $ARRAY_RAW
  put ptr %array into @whole [%class]
  ret i1 true
no:
  ret i1 false
}

define internal void @keep_empty(ptr %array) nounwind {
entry:
  %type = get ptr %array + $TYPE
  %is_plain = is %type array
  %count = load i64, ptr @kept_count
  %fits = icmp ult i64 %count, $KEPT
  %good = and i1 %is_plain, %fits
  when %good ? %push : %free
push:
  %head = load ptr, ptr @kept
  put ptr %head into %array + $ARRAY_AVAL
  store ptr %array, ptr @kept
  %more = add i64 %count, 1
  store i64 %more, ptr @kept_count
  br label %end
free:
  call void @PyObject_GC_Del(ptr %array)
  release %type
  br label %end
end:
  ret void
}

define void @oakum_array_dealloc(ptr %array) nounwind {
entry:
  call void @PyObject_GC_UnTrack(ptr %array)
<weak>
watched:
  call void @PyObject_ClearWeakRefs(ptr %array)
  br label %unwatched
unwatched:
  %is_whole = call i1 @keep_whole(ptr %array)
  when %is_whole ? %end : %there
there:
  %is_there = call i1 @keep_there(ptr %array)
  when %is_there ? %end : %drop_AVAL
<slots>
keep:
  call void @keep_empty(ptr %array)
  br label %end
end:
  ret void
}

define internal ptr @take_whole(i64 %class) nounwind {
entry:
  %head = get ptr @whole [%class]
  when eq ptr %head, null ? %end : %take
take:
  %rest = get ptr %head + $ARRAY_RAW
  put ptr %rest into @whole [%class]
  put ptr null into %head + $ARRAY_RAW
  %size = shl i64 1, %class
  %held = get i64 @oakum_pool + $pool_held
  %less = sub i64 %held, %size
  put i64 %less into @oakum_pool + $pool_held
  br label %end
end:
  ret ptr %head
}

define internal ptr @take_block(i64 %class) nounwind {
entry:
  %array = call ptr @take_whole(i64 %class)
  when eq ptr %array, null ? %end : %empty
empty:
  %block = get ptr %array + $ARRAY_BLOCK
  %aval = get ptr %array + $ARRAY_AVAL
  %sharding = get ptr %array + $ARRAY_SHARDING
  %committed = get ptr %array + $ARRAY_COMMITTED
  put ptr null into %array + $ARRAY_BLOCK
  put ptr null into %array + $ARRAY_AVAL
  put ptr null into %array + $ARRAY_SHARDING
  put ptr null into %array + $ARRAY_COMMITTED
  release %aval
  release %sharding
  release %committed
  call void @keep_empty(ptr %array)
  br label %end
end:
  %result = phi ptr [null, %entry], [%block, %empty]
  ret ptr %result
}

define internal ptr @new_array() nounwind {
entry:
  %type = load ptr, ptr $known_array
  %head = load ptr, ptr @kept
  when eq ptr %head, null ? %fresh : %again
again:
  %rest = get ptr %head + $ARRAY_AVAL
  store ptr %rest, ptr @kept
  %count = load i64, ptr @kept_count
  %less = sub i64 %count, 1
  store i64 %less, ptr @kept_count
  revive %head of %type
  ret ptr %head
fresh:
  %made = call ptr @PyType_GenericAlloc(ptr %type, i64 0)
  when eq ptr %made, null ? %refuse : %untrack
untrack:
  call void @PyObject_GC_UnTrack(ptr %made)
  ret ptr %made
refuse:
  ret ptr null
}

define internal ptr @make_array(ptr %aval, ptr %block, ptr %place) nounwind {
entry:
  %array = call ptr @new_array()
  when eq ptr %array, null ? %refuse : %fill
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

define internal void @use_whole(ptr %array, ptr %aval, ptr %place) nounwind {
entry:
  %type = load ptr, ptr $known_array
  revive %array of %type
  %old = get ptr %array + $ARRAY_AVAL
  when eq ptr %old, %aval ? %where : %change
change:
  hold %aval
  put ptr %aval into %array + $ARRAY_AVAL
  release %old
  br label %where
where:
  when eq ptr %place, null ? %track : %move
move:
  hold %place
  put ptr %place into %array + $ARRAY_SHARDING
  %none = load ptr, ptr $known_none
  release %none
  %true = load ptr, ptr $known_true
  hold %true
  put ptr %true into %array + $ARRAY_COMMITTED
  %false = load ptr, ptr $known_false
  release %false
  br label %track
track:
  call void @PyObject_GC_Track(ptr %array)
  ret void
}
"""
