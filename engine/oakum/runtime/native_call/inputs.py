"""From the arguments of a call to addresses of data: the native side of `Call`.

A specification says, for arguments of one form, how trees are taken apart (steps, one for each
container, from the root down) and what each leaf has to be (inputs). What does not fit is no error:
the call is given to another specification, and in the end to Python.

`@expand` takes the containers apart: registers are numbered places for objects, at first the
arguments; the children of a container take registers that follow each other. `@admit` looks at the
leaves and finds their addresses.

Invariants:
- Nothing here raises: an exception of Python's on the way means "does not fit".
- Registers borrow their references, unless the specification is careful because a step may run
  code of the user's: then each register after the arguments holds one.
"""

from __future__ import annotations

from typing import Final

from oakum.runtime.native_call.layout import CONTIGUOUS
from oakum.runtime.native_call.llvm_text import Record

STEP: Final = Record("step", "op register base count type data call")
TUPLE, LIST, DICT, NONE, STATIC, CUSTOM = range(6)
"""What a step does: it takes a container apart, or compares a value with that of the step."""

INPUT: Final = Record(
    "input", "register aval dtype rank dims bytes scalar generic donated low high"
)
"""A leaf; `low` and `high` are the bytes of the number that was copied to a device last."""
NO_SCALAR, FLOAT32, FLOAT64, INT32, INT64, BOOL, COMPLEX64, COMPLEX128 = range(8)
"""Which number of Python's an input takes beside arrays, and how it is kept."""


def names() -> dict[str, int]:
    """Returns the names of texts."""
    return {**STEP.offsets(), **INPUT.offsets(), "CONTIGUOUS": CONTIGUOUS}


TEXT: Final = """
define internal i1 @same_names(ptr %mine, ptr %given) nounwind {
entry:
  when eq ptr %given, null ? %no : %lengths
lengths:
  when eq ptr %mine, null ? %no : %compare
compare:
  %count = get i64 %mine + $SIZE
  %length = get i64 %given + $SIZE
  when eq i64 %count, %length ? %begin : %no
begin:
  %mine_items = getelementptr i8, ptr %mine, i64 $TUPLE_ITEMS
  %given_items = getelementptr i8, ptr %given, i64 $TUPLE_ITEMS
  br label %head
head:
  count %i to %count ? %body : %yes, from %begin, %next from %body
body:
  %one = get ptr %mine_items [%i]
  %two = get ptr %given_items [%i]
  %next = add i64 %i, 1
  when eq ptr %one, %two ? %head : %no
yes:
  ret i1 true
no:
  ret i1 false
}

define internal i1 @equal(ptr %one, ptr %two) nounwind {
entry:
  %status = call i32 @PyObject_RichCompareBool(ptr %one, ptr %two, i32 2)
  when slt i32 %status, 0 ? %clear : %end
clear:
  call void @PyErr_Clear()
  br label %end
end:
  %yes = icmp eq i32 %status, 1
  ret i1 %yes
}

define internal i1 @expand(ptr %spec, ptr %registers) nounwind {
entry:
  %steps = get ptr %spec + $spec_steps
  %count = get i64 %spec + $spec_n_steps
  %careful = get i64 %spec + $spec_careful
  %is_careful = icmp ne i64 %careful, 0
  br label %head
head:
  count %i to %count ? %body : %yes, from %entry, %next from %done
body:
  %step = record %steps [%i] of $step_size
  %op = get i64 %step + $step_op
  %register = get i64 %step + $step_register
  %object = get ptr %registers [%register]
  %type = get ptr %object + $TYPE
  %wanted = get ptr %step + $step_type
  %base = get i64 %step + $step_base
  %size = get i64 %step + $step_count
  %data = get ptr %step + $step_data
  when eq ptr %type, %wanted ? %apart : %no
apart:
  switch i64 %op, label %done [
    i64 0, label %tuple
    i64 1, label %list
    i64 2, label %dict
    i64 4, label %static
    i64 5, label %custom
  ]
tuple:
  %tuple_length = get i64 %object + $SIZE
  %tuple_items = getelementptr i8, ptr %object, i64 $TUPLE_ITEMS
  when eq i64 %tuple_length, %size ? %copy : %no
list:
  %list_length = get i64 %object + $SIZE
  %list_items = get ptr %object + $LIST_ITEMS
  when eq i64 %list_length, %size ? %copy : %no
dict:
  %dict_length = call i64 @PyDict_Size(ptr %object)
  when eq i64 %dict_length, %size ? %same_order : %no
same_order:
  %order = get ptr %step + $step_call
  %base_place = getelementptr ptr, ptr %registers, i64 %base
  %in_order = call i1 @items_in_order(ptr %object, ptr %order, i64 %size, ptr %base_place)
  when %in_order ? %hold_values : %key
key:
  count %k to %size ? %find : %learn, from %same_order, %k_next from %found
find:
  %name = get ptr %data [%k]
  %value = call ptr @PyDict_GetItemWithError(ptr %object, ptr %name)
  when eq ptr %value, null ? %forget : %found
forget:
  call void @clear(ptr %base_place, i64 %size)  ; these are not held
  br label %failed
found:
  put ptr %value into %base_place [%k]
  %k_next = add i64 %k, 1
  br label %key
learn:
  call void @learn_order(ptr %object, ptr %order, i64 %size, ptr %data)
  br label %hold_values
hold_values:
  when %is_careful ? %hold_head : %done
hold_head:
  count %h to %size ? %hold_body : %done, from %hold_values, %h_next from %hold_body
hold_body:
  %held = get ptr %base_place [%h]
  hold %held
  %h_next = add i64 %h, 1
  br label %hold_head
static:
  when eq ptr %object, %data ? %done : %compare
compare:
  %equal = call i1 @equal(ptr %object, ptr %data)
  when %equal ? %done : %no
custom:
  %call = get ptr %step + $step_call
  %answer = call ptr @PyObject_CallOneArg(ptr %call, ptr %object)
  when eq ptr %answer, null ? %failed : %answered
answered:
  put ptr %answer into %registers [%base]
  %answer_type = get ptr %answer + $TYPE
  %tuple_type = load ptr, ptr $known_tuple
  when eq ptr %answer_type, %tuple_type ? %pair : %no
pair:
  %answer_length = get i64 %answer + $SIZE
  when eq i64 %answer_length, 2 ? %look : %no
look:
  %parts = getelementptr i8, ptr %answer, i64 $TUPLE_ITEMS
  %children = get ptr %parts + 0
  %answer_data = get ptr %parts + 8
  %children_type = get ptr %children + $TYPE
  %after_header = getelementptr i8, ptr %children, i64 $TUPLE_ITEMS
  when eq ptr %children_type, %tuple_type ? %lengths : %other
other:
  when %children_type is list ? %members : %no
members:
  %inside = get ptr %children + $LIST_ITEMS
  br label %lengths
lengths:
  %children_items = phi ptr [%after_header, %look], [%inside, %members]
  %children_length = get i64 %children + $SIZE
  when eq i64 %children_length, %size ? %compare_data : %no
compare_data:
  %data_equal = call i1 @equal(ptr %answer_data, ptr %data)
  when %data_equal ? %custom_copy : %no
custom_copy:
  %after = add i64 %base, 1
  br label %copy
copy:
  %items = phi ptr [%tuple_items, %tuple], [%list_items, %list], [%children_items, %custom_copy]
  %first = phi i64 [%base, %tuple], [%base, %list], [%after, %custom_copy]
  br label %item
item:
  count %j to %size ? %take : %done, from %copy, %j_next from %item_next
take:
  %each = get ptr %items [%j]
  %where = add i64 %first, %j
  put ptr %each into %registers [%where]
  %j_next = add i64 %j, 1
  when %is_careful ? %item_hold : %item_next
item_hold:
  hold %each
  br label %item_next
item_next:
  br label %item
done:
  %next = add i64 %i, 1
  br label %head
failed:
  call void @PyErr_Clear()
  br label %no
yes:
  ret i1 true
no:
  ret i1 false
}
"""
