"""From the memory of results to their tree: arrays, and the containers that hold them.

`@finish` makes arrays of blocks and trees of arrays. A tree is built from the leaves up: the
children of a container stand in registers that follow each other, and are taken from there. A
dictionary begins as a copy of one that has its keys.

Invariants:
- What was made is given back when something fails.
"""

from __future__ import annotations

from typing import Final

from oakum.runtime.native_call.llvm_text import Record

OUTPUT: Final = Record("output", "aval bytes class bucket origin register over")
"""A result; `bucket` is where memory of a device may be kept for it, `origin` the line that makes
it, `over` is one more than the number of the input that the entry finds in its memory.
"""

BUILD: Final = Record("build", "op register base count data call")
MAKE_TUPLE, MAKE_LIST, MAKE_DICT, MAKE_NONE, MAKE_NAMED, MAKE_CUSTOM = range(6)
"""What a step of building does."""


def names() -> dict[str, int]:
    """Returns the names of texts."""
    return {**OUTPUT.offsets(), **BUILD.offsets()}


TEXT: Final = """
define internal void @let_go(ptr %objects, i64 %count) nounwind {
entry:
  br label %head
head:
  count %i to %count ? %body : %end, from %entry, %next from %after
body:
  %object = get ptr %objects [%i]
  put ptr null into %objects [%i]
  %next = add i64 %i, 1
  when eq ptr %object, null ? %after : %drop
drop:
  release %object
  br label %after
after:
  br label %head
end:
  ret void
}

define internal void @clear(ptr %objects, i64 %count) nounwind {
entry:
  br label %head
head:
  count %i to %count ? %body : %end, from %entry, %next from %body
body:
  put ptr null into %objects [%i]
  %next = add i64 %i, 1
  br label %head
end:
  ret void
}

define internal void @donate(ptr %spec, ptr %registers) nounwind {
entry:
  %inputs = get ptr %spec + $spec_inputs
  %count = get i64 %spec + $spec_n_inputs
  %array_type = load ptr, ptr $known_array
  br label %head
head:
  count %i to %count ? %body : %end, from %entry, %next from %after
body:
  %input = record %inputs [%i] of $input_size
  %next = add i64 %i, 1
  %donated = get i64 %input + $input_donated
  when ne i64 %donated, 0 ? %look : %after
look:
  %register = get i64 %input + $input_register
  %object = get ptr %registers [%register]
  %type = get ptr %object + $TYPE
  when eq ptr %type, %array_type ? %take : %after
take:
  %block = get ptr %object + $ARRAY_BLOCK
  %raw = get ptr %object + $ARRAY_RAW
  %none = load ptr, ptr $known_none
  hold %none
  put ptr %none into %object + $ARRAY_RAW
  put ptr null into %object + $ARRAY_BLOCK
  %storage = get ptr %object + $ARRAY_STORAGE
  put ptr null into %object + $ARRAY_STORAGE
  when eq ptr %storage, null ? %here : %drop_storage
drop_storage:
  release %storage
  br label %here
here:
  when eq ptr %block, null ? %other : %drop_block
drop_block:
  release %block
  br label %other
other:
  when eq ptr %raw, null ? %after : %drop_raw
drop_raw:
  release %raw
  br label %after
after:
  br label %head
end:
  ret void
}

define internal ptr @finish(ptr %spec, ptr %frame, ptr %place) nounwind {
entry:
  %outputs = get ptr %spec + $spec_outputs
  %count = get i64 %spec + $spec_n_outputs
  %blocks = part %frame at %spec + $spec_at_blocks
  %arrays = part %frame at %spec + $spec_at_arrays
  %results = part %frame at %spec + $spec_at_results
  %n_results = get i64 %spec + $spec_n_results
  call void @clear(ptr %results, i64 %n_results)
  br label %head
head:
  count %j to %count ? %body : %trees, from %entry, %next from %made
body:
  %output = record %outputs [%j] of $output_size
  %aval = get ptr %output + $output_aval
  %kept = get ptr %arrays [%j]
  when eq ptr %kept, null ? %make : %use
use:
  call void @use_whole(ptr %kept, ptr %aval, ptr %place)
  put ptr null into %arrays [%j]
  br label %made
make:
  %block = get ptr %blocks [%j]
  %new = call ptr @make_array(ptr %aval, ptr %block, ptr %place)
  put ptr null into %blocks [%j]
  when eq ptr %new, null ? %lost : %made
lost:
  release %block
  br label %failed
made:
  %array = phi ptr [%kept, %use], [%new, %make]
  %register = get i64 %output + $output_register
  put ptr %array into %results [%register]
  %next = add i64 %j, 1
  br label %head
trees:
  %builds = get ptr %spec + $spec_builds
  %n_builds = get i64 %spec + $spec_n_builds
  br label %tree
tree:
  count %b to %n_builds ? %build : %end, from %trees, %b_next from %built
build:
  %step = record %builds [%b] of $build_size
  %container = call ptr @build(ptr %step, ptr %results)
  when eq ptr %container, null ? %failed : %built
built:
  %container_register = get i64 %step + $build_register
  put ptr %container into %results [%container_register]
  %b_next = add i64 %b, 1
  br label %tree
end:
  %result = get ptr %results + 0
  ret ptr %result
failed:
  call void @unmake(ptr %blocks, ptr %arrays, i64 %count)
  call void @let_go(ptr %results, i64 %n_results)
  ret ptr null
}

define internal void @unmake(ptr %blocks, ptr %arrays, i64 %count) nounwind {
entry:
  call void @let_go(ptr %blocks, i64 %count)
  br label %head
head:
  count %i to %count ? %body : %end, from %entry, %next from %after
body:
  %array = get ptr %arrays [%i]
  put ptr null into %arrays [%i]
  %next = add i64 %i, 1
  when eq ptr %array, null ? %after : %whose
whose:
  %storage = get ptr %array + $ARRAY_STORAGE
  when eq ptr %storage, null ? %back : %drop
drop:
  call void @drop_array(ptr %array)
  br label %after
back:
  ; it was kept before, so it can be kept again, whatever the pool holds meanwhile
  %block = get ptr %array + $ARRAY_BLOCK
  %class = get i64 %block + $BLOCK_CLASS
  %size = shl i64 1, %class
  %held = get i64 @oakum_pool + $pool_held
  %sum = add i64 %held, %size
  put i64 %sum into @oakum_pool + $pool_held
  %first = get ptr @whole [%class]
  put ptr %first into %array + $ARRAY_RAW
  put ptr %array into @whole [%class]
  br label %after
after:
  br label %head
end:
  ret void
}

define internal ptr @build(ptr %step, ptr %results) nounwind {
entry:
  %pair = alloca [2 x ptr]
  %op = get i64 %step + $build_op
  %base = get i64 %step + $build_base
  %count = get i64 %step + $build_count
  %data = get ptr %step + $build_data
  %call = get ptr %step + $build_call
  %children = getelementptr ptr, ptr %results, i64 %base
  switch i64 %op, label %none [
    i64 0, label %tuple
    i64 1, label %list
    i64 2, label %dict
    i64 4, label %named
    i64 5, label %tuple
  ]
none:
  %nothing = load ptr, ptr $known_none
  hold %nothing
  ret ptr %nothing
tuple:
  %new_tuple = call ptr @PyTuple_New(i64 %count)
  br label %fill
list:
  %new_list = call ptr @PyList_New(i64 %count)
  br label %fill
fill:
  %sequence = phi ptr [%new_tuple, %tuple], [%new_list, %list]
  %is_list = phi i1 [false, %tuple], [true, %list]
  when eq ptr %sequence, null ? %refuse : %items
items:
  %i = phi i64 [0, %fill], [%next, %in_tuple], [%next, %in_list]
  when ult i64 %i, %count ? %item : %filled
item:
  %child = get ptr %children [%i]
  put ptr null into %children [%i]
  %next = add i64 %i, 1
  when %is_list ? %in_list : %in_tuple
in_tuple:
  %tuple_status = call i32 @PyTuple_SetItem(ptr %sequence, i64 %i, ptr %child)
  br label %items
in_list:
  %list_status = call i32 @PyList_SetItem(ptr %sequence, i64 %i, ptr %child)
  br label %items
filled:
  when eq i64 %op, 5 ? %custom : %end
end:
  ret ptr %sequence
custom:
  store ptr %data, ptr %pair
  put ptr %sequence into %pair + 8
  %made = call ptr @PyObject_Vectorcall(ptr %call, ptr %pair, i64 2, ptr null)
  release %sequence
  ret ptr %made
named:
  %instance = call ptr @PyObject_Vectorcall(ptr %call, ptr %children, i64 %count, ptr null)
  call void @let_go(ptr %children, i64 %count)
  ret ptr %instance
dict:
  %new_dict = call ptr @PyDict_Copy(ptr %call)
  when eq ptr %new_dict, null ? %refuse : %pairs
pairs:
  count %k to %count ? %put : %all, from %dict, %k_next from %put
put:
  %key = get ptr %data [%k]
  %value = get ptr %children [%k]
  put ptr null into %children [%k]
  %status = call i32 @PyDict_SetItem(ptr %new_dict, ptr %key, ptr %value)
  release %value
  %k_next = add i64 %k, 1
  when slt i32 %status, 0 ? %drop : %pairs
all:
  ret ptr %new_dict
drop:
  release %new_dict
  ret ptr null
refuse:
  ret ptr null
}
"""
