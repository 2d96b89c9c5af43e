"""From addresses to results: the memory of results, the run itself, and the tree of results.

`@launch` takes blocks for the results and the scratch memory, runs the entry, and makes arrays and
trees of them. A tree is built from the leaves up: the children of a container stand in registers
that follow each other, and are taken from there. A dictionary begins as a copy of one that has its
keys.

Invariants:
- Between the reading of addresses and the end of the run no code of Python's runs, or what is read
  is held; so no memory goes away under the entry.
- What was made is given back when something fails.
"""

from __future__ import annotations

from typing import Final

from oakum.runtime.native_text import Record

OUTPUT: Final = Record("output", "aval bytes class register")
BUILD: Final = Record("build", "op register base count data call")
MAKE_TUPLE, MAKE_LIST, MAKE_DICT, MAKE_NONE, MAKE_NAMED, MAKE_CUSTOM = range(6)
"""What a step of building does."""


def names() -> dict[str, int]:
    """The names of texts."""
    return {**OUTPUT.offsets(), **BUILD.offsets()}


TEXT: Final = """
define internal void @let_go(ptr %objects, i64 %count) nounwind {
entry:
  br label %head
head:
  %i = phi i64 [0, %entry], [%next, %after]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %body, label %end
body:
  %object = get ptr %objects [%i]
  put ptr null into %objects [%i]
  %next = add i64 %i, 1
  %none = icmp eq ptr %object, null
  br i1 %none, label %after, label %drop
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
  %i = phi i64 [0, %entry], [%next, %body]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %body, label %end
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
  %i = phi i64 [0, %entry], [%next, %after]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %body, label %end
body:
  %offset = mul i64 %i, $input_size
  %input = getelementptr i8, ptr %inputs, i64 %offset
  %next = add i64 %i, 1
  %donated = get i64 %input + $input_donated
  %is_donated = icmp ne i64 %donated, 0
  br i1 %is_donated, label %look, label %after
look:
  %register = get i64 %input + $input_register
  %object = get ptr %registers [%register]
  %type = get ptr %object + $TYPE
  %is_array = icmp eq ptr %type, %array_type
  br i1 %is_array, label %take, label %after
take:
  %block = get ptr %object + $ARRAY_BLOCK
  %raw = get ptr %object + $ARRAY_RAW
  %none = load ptr, ptr $known_none
  hold %none
  put ptr %none into %object + $ARRAY_RAW
  put ptr null into %object + $ARRAY_BLOCK
  %no_block = icmp eq ptr %block, null
  br i1 %no_block, label %other, label %drop_block
drop_block:
  release %block
  br label %other
other:
  %no_raw = icmp eq ptr %raw, null
  br i1 %no_raw, label %after, label %drop_raw
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
  %blocks_at = get i64 %spec + $spec_at_blocks
  %blocks = getelementptr i8, ptr %frame, i64 %blocks_at
  %arrays_at = get i64 %spec + $spec_at_arrays
  %arrays = getelementptr i8, ptr %frame, i64 %arrays_at
  %results_at = get i64 %spec + $spec_at_results
  %results = getelementptr i8, ptr %frame, i64 %results_at
  %n_results = get i64 %spec + $spec_n_results
  call void @clear(ptr %results, i64 %n_results)
  br label %head
head:
  %j = phi i64 [0, %entry], [%next, %made]
  %more = icmp ult i64 %j, %count
  br i1 %more, label %body, label %trees
body:
  %offset = mul i64 %j, $output_size
  %output = getelementptr i8, ptr %outputs, i64 %offset
  %aval = get ptr %output + $output_aval
  %kept = get ptr %arrays [%j]
  %not_kept = icmp eq ptr %kept, null
  br i1 %not_kept, label %make, label %use
use:
  call void @use_whole(ptr %kept, ptr %aval, ptr %place)
  put ptr null into %arrays [%j]
  br label %made
make:
  %block = get ptr %blocks [%j]
  %new = call ptr @make_array(ptr %aval, ptr %block, ptr %place)
  put ptr null into %blocks [%j]
  %none = icmp eq ptr %new, null
  br i1 %none, label %lost, label %made
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
  %b = phi i64 [0, %trees], [%b_next, %built]
  %more_trees = icmp ult i64 %b, %n_builds
  br i1 %more_trees, label %build, label %end
build:
  %build_offset = mul i64 %b, $build_size
  %step = getelementptr i8, ptr %builds, i64 %build_offset
  %container = call ptr @build(ptr %step, ptr %results)
  %unbuilt = icmp eq ptr %container, null
  br i1 %unbuilt, label %failed, label %built
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
  %i = phi i64 [0, %entry], [%next, %after]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %body, label %end
body:
  %array = get ptr %arrays [%i]
  put ptr null into %arrays [%i]
  %next = add i64 %i, 1
  %none = icmp eq ptr %array, null
  br i1 %none, label %after, label %back
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
  %lost = icmp eq ptr %sequence, null
  br i1 %lost, label %refuse, label %items
items:
  %i = phi i64 [0, %fill], [%next, %in_tuple], [%next, %in_list]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %item, label %filled
item:
  %child = get ptr %children [%i]
  put ptr null into %children [%i]
  %next = add i64 %i, 1
  br i1 %is_list, label %in_list, label %in_tuple
in_tuple:
  %tuple_status = call i32 @PyTuple_SetItem(ptr %sequence, i64 %i, ptr %child)
  br label %items
in_list:
  %list_status = call i32 @PyList_SetItem(ptr %sequence, i64 %i, ptr %child)
  br label %items
filled:
  %is_custom = icmp eq i64 %op, 5
  br i1 %is_custom, label %custom, label %end
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
  %no_dict = icmp eq ptr %new_dict, null
  br i1 %no_dict, label %refuse, label %pairs
pairs:
  %k = phi i64 [0, %dict], [%k_next, %put]
  %more_pairs = icmp ult i64 %k, %count
  br i1 %more_pairs, label %put, label %all
put:
  %key = get ptr %data [%k]
  %value = get ptr %children [%k]
  put ptr null into %children [%k]
  %status = call i32 @PyDict_SetItem(ptr %new_dict, ptr %key, ptr %value)
  release %value
  %k_next = add i64 %k, 1
  %bad = icmp slt i32 %status, 0
  br i1 %bad, label %drop, label %pairs
all:
  ret ptr %new_dict
drop:
  release %new_dict
  ret ptr null
refuse:
  ret ptr null
}
"""
