"""Memory of a device that native code takes for arrays, and keeps with those that nobody holds.

An array that dies with memory of its own is kept with it, in the bucket of its size, and the next
result of this size is this array: it has only its aval to be set. Where a bucket is empty, Python
makes an array. The pool of the device counts what is kept, and has it released where Python needs
memory of that size.

Invariants:
- An array that is kept has no reference and is not tracked by the garbage collector. It holds its
  class, its memory, an aval, None as its sharding and False.
- A bucket is in the order of addresses: the steps of a loop find the same ones at each second step.
- Memory that several arrays share, or that is on its way to the host, is not kept.
"""

from __future__ import annotations

from typing import Final

from oakum.runtime.native_call.llvm_text import Record
from oakum.runtime.prepared_launch import BUCKET_WORDS, POOL_WORDS

_SEARCHED: Final = 64
"""The place of an array is looked for among so many, else Python keeps its memory."""


def names() -> dict[str, int]:
    """Returns the names of texts."""
    memory, bucket = Record("memory", POOL_WORDS), Record("bucket", BUCKET_WORDS)
    return {**memory.offsets(), **bucket.offsets(), "SEARCHED": _SEARCHED}


TEXT: Final = """
define internal i64 @number_in(ptr %object) nounwind {
entry:
  %overflow = alloca i32
  %number = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflow)
  ret i64 %number
}

define internal i64 @address_of(ptr %array) nounwind {
entry:
  %storage = get ptr %array + $ARRAY_STORAGE
  %object = get ptr %storage + $STORAGE_ADDRESS
  %address = call i64 @number_in(ptr %object)
  ret i64 %address
}

define internal i1 @is_own(ptr %storage, i32 %most) nounwind {
entry:
  %references = get i32 %storage + $REFERENCES
  %few = icmp eq i32 %references, %most
  %shared = get ptr %storage + $STORAGE_IS_SHARED
  %one = is %shared false
  %coming = get ptr %storage + $STORAGE_COMING
  %still = is %coming none
  %both = and i1 %few, %one
  %all = and i1 %both, %still
  ret i1 %all
}

define internal i1 @keep_there(ptr %array) nounwind {
entry:
  %storage = get ptr %array + $ARRAY_STORAGE
  when eq ptr %storage, null ? %no : %whose
whose:
  %type = get ptr %array + $TYPE
  %is_plain = is %type array
  %block = get ptr %array + $ARRAY_BLOCK
  %no_block = icmp eq ptr %block, null
  %aval = get ptr %array + $ARRAY_AVAL
  %has_aval = icmp ne ptr %aval, null
  %sharding = get ptr %array + $ARRAY_SHARDING
  %has_place = icmp ne ptr %sharding, null
  %committed = get ptr %array + $ARRAY_COMMITTED
  %is_own = call i1 @is_own(ptr %storage, i32 1)
  %one = and i1 %is_plain, %no_block
  %two = and i1 %has_aval, %has_place
  %three = and i1 %one, %two
  %good = and i1 %three, %is_own
  when %good ? %which : %no
which:
  %bucket_object = get ptr %storage + $STORAGE_BUCKET
  %bucket_number = call i64 @number_in(ptr %bucket_object)
  %bucket = inttoptr i64 %bucket_number to ptr
  when eq ptr %bucket, null ? %no : %search
search:
  %address = call i64 @address_of(ptr %array)
  %first = getelementptr i8, ptr %bucket, i64 $bucket_first
  br label %head
head:
  %link = phi ptr [%first, %search], [%next_link, %further]
  %passed = phi i64 [0, %search], [%more, %further]
  %each = load ptr, ptr %link
  when eq ptr %each, null ? %insert : %compare
compare:
  %its_address = call i64 @address_of(ptr %each)
  when ult i64 %address, %its_address ? %insert : %pass
pass:
  %more = add i64 %passed, 1
  when eq i64 %more, $SEARCHED ? %no : %further
further:
  %next_link = getelementptr i8, ptr %each, i64 $ARRAY_RAW
  br label %head
insert:
  %raw = get ptr %array + $ARRAY_RAW
  put ptr %each into %array + $ARRAY_RAW
  store ptr %array, ptr %link
  %room = get i64 %bucket + $bucket_room
  %memory = get ptr %bucket + $bucket_pool
  %live = get i64 %memory + $memory_live
  %less = sub i64 %live, %room
  put i64 %less into %memory + $memory_live
  %kept = get i64 %memory + $memory_kept
  %sum = add i64 %kept, %room
  put i64 %sum into %memory + $memory_kept
  put ptr @oakum_reclaim into %memory + $memory_reclaim
  %none = load ptr, ptr $known_none
  hold %none
  put ptr %none into %array + $ARRAY_SHARDING
  release %sharding
  %false = load ptr, ptr $known_false
  hold %false
  put ptr %false into %array + $ARRAY_COMMITTED
  release %committed
  when eq ptr %raw, null ? %yes : %drop
drop:
  release %raw
  br label %yes
yes:
  ret i1 true
no:
  ret i1 false
}

define internal ptr @take_there(ptr %bucket) nounwind {
entry:
  %array = get ptr %bucket + $bucket_first
  when eq ptr %array, null ? %end : %take
take:
  %rest = get ptr %array + $ARRAY_RAW
  put ptr %rest into %bucket + $bucket_first
  put ptr null into %array + $ARRAY_RAW
  %room = get i64 %bucket + $bucket_room
  %memory = get ptr %bucket + $bucket_pool
  %kept = get i64 %memory + $memory_kept
  %less = sub i64 %kept, %room
  put i64 %less into %memory + $memory_kept
  %live = get i64 %memory + $memory_live
  %sum = add i64 %live, %room
  put i64 %sum into %memory + $memory_live
  %peak = get i64 %memory + $memory_peak
  when ugt i64 %sum, %peak ? %rise : %end
rise:
  put i64 %sum into %memory + $memory_peak
  br label %end
end:
  ret ptr %array
}

define internal void @drop_array(ptr %array) nounwind {
entry:
  %type = load ptr, ptr $known_array
  revive %array of %type
  call void @PyObject_GC_Track(ptr %array)
  release %array
  ret void
}

define void @oakum_reclaim(ptr %bucket) nounwind {
entry:
  br label %head
head:
  %array = call ptr @take_there(ptr %bucket)
  when eq ptr %array, null ? %end : %drop
drop:
  ; what is shared is not kept again
  %storage = get ptr %array + $ARRAY_STORAGE
  %true = load ptr, ptr $known_true
  %false = load ptr, ptr $known_false
  hold %true
  put ptr %true into %storage + $STORAGE_IS_SHARED
  release %false
  call void @drop_array(ptr %array)
  br label %head
end:
  ret void
}

define internal ptr @device_array(ptr %spec, i64 %bytes, ptr %bucket) nounwind {
entry:
  when eq ptr %bucket, null ? %python : %look
look:
  %kept = call ptr @take_there(ptr %bucket)
  when eq ptr %kept, null ? %python : %size
size:
  %storage = get ptr %kept + $ARRAY_STORAGE
  %old = get ptr %storage + $STORAGE_NBYTES
  %old_bytes = call i64 @number_in(ptr %old)
  when eq i64 %old_bytes, %bytes ? %end : %change
change:
  %new = call ptr @PyLong_FromLongLong(i64 %bytes)
  when eq ptr %new, null ? %drop : %replace
replace:
  put ptr %new into %storage + $STORAGE_NBYTES
  release %old
  br label %end
drop:
  call void @drop_array(ptr %kept)
  br label %no
python:
  %allot = get ptr %spec + $spec_allot
  %number = call ptr @PyLong_FromLongLong(i64 %bytes)
  when eq ptr %number, null ? %no : %ask
ask:
  %made = call ptr @PyObject_CallOneArg(ptr %allot, ptr %number)
  release %number
  when eq ptr %made, null ? %no : %untrack
untrack:
  ; as what is kept: the array is tracked when it has its aval
  call void @PyObject_GC_UnTrack(ptr %made)
  br label %end
end:
  %array = phi ptr [%kept, %size], [%kept, %replace], [%made, %untrack]
  ret ptr %array
no:
  ret ptr null
}

define internal ptr @take_given_there(ptr %object) nounwind {
entry:
  %type = get ptr %object + $TYPE
  when %type is array ? %look : %no
look:
  %storage = get ptr %object + $ARRAY_STORAGE
  when eq ptr %storage, null ? %no : %holders
holders:
  ; the array holds it, and so does the call
  %own = call i1 @is_own(ptr %storage, i32 2)
  when %own ? %make : %no
make:
  %array = call ptr @new_array()
  when eq ptr %array, null ? %forget : %take
take:
  put ptr %storage into %array + $ARRAY_STORAGE
  put ptr null into %object + $ARRAY_STORAGE
  %aval = get ptr %object + $ARRAY_AVAL
  hold %aval
  put ptr %aval into %array + $ARRAY_AVAL
  %none = load ptr, ptr $known_none
  hold %none
  put ptr %none into %array + $ARRAY_SHARDING
  %false = load ptr, ptr $known_false
  hold %false
  put ptr %false into %array + $ARRAY_COMMITTED
  %raw = get ptr %object + $ARRAY_RAW
  hold %none
  put ptr %none into %object + $ARRAY_RAW
  when eq ptr %raw, null ? %end : %drop
drop:
  release %raw
  br label %end
end:
  ret ptr %array
forget:
  call void @PyErr_Clear()
  br label %no
no:
  ret ptr null
}
"""
