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
- The items of a dictionary are found fastest in the order that the first one had.
- An array whose aval is equal to the one expected takes the one expected as its own.
"""

from __future__ import annotations

from typing import Final

from oakum.runtime.native_layout import CONTIGUOUS
from oakum.runtime.native_text import Record

STEP: Final = Record("step", "op register base count type data call")
TUPLE, LIST, DICT, NONE, STATIC, CUSTOM = range(6)
"""What a step does: it takes a container apart, or compares a value with that of the step."""

INPUT: Final = Record("input", "register aval dtype rank dims scalar generic donated")
NO_SCALAR, FLOAT32, FLOAT64, INT32, INT64, BOOL, COMPLEX64, COMPLEX128 = range(8)
"""Which number of Python's an input takes beside arrays, and how it is kept."""


def names() -> dict[str, int]:
    """The names of texts."""
    return {**STEP.offsets(), **INPUT.offsets(), "CONTIGUOUS": CONTIGUOUS}


TEXT: Final = """
define internal i1 @same_names(ptr %mine, ptr %given) nounwind {
entry:
  %none = icmp eq ptr %given, null
  br i1 %none, label %no, label %lengths
lengths:
  %absent = icmp eq ptr %mine, null
  br i1 %absent, label %no, label %compare
compare:
  %count = get i64 %mine + $SIZE
  %length = get i64 %given + $SIZE
  %same = icmp eq i64 %count, %length
  br i1 %same, label %begin, label %no
begin:
  %mine_items = getelementptr i8, ptr %mine, i64 $TUPLE_ITEMS
  %given_items = getelementptr i8, ptr %given, i64 $TUPLE_ITEMS
  br label %head
head:
  %i = phi i64 [0, %begin], [%next, %body]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %body, label %yes
body:
  %one = get ptr %mine_items [%i]
  %two = get ptr %given_items [%i]
  %next = add i64 %i, 1
  %equal = icmp eq ptr %one, %two
  br i1 %equal, label %head, label %no
yes:
  ret i1 true
no:
  ret i1 false
}

define internal i1 @equal(ptr %one, ptr %two) nounwind {
entry:
  %status = call i32 @PyObject_RichCompareBool(ptr %one, ptr %two, i32 2)
  %failed = icmp slt i32 %status, 0
  br i1 %failed, label %clear, label %end
clear:
  call void @PyErr_Clear()
  br label %end
end:
  %yes = icmp eq i32 %status, 1
  ret i1 %yes
}

define internal i1 @items_in_order(ptr %dict, ptr %order, i64 %count, ptr %places) nounwind {
entry:
  %position = alloca i64
  %key = alloca ptr
  %value = alloca ptr
  store i64 0, ptr %position
  br label %head
head:
  %i = phi i64 [0, %entry], [%next, %take]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %body, label %yes
body:
  %status = call i32 @PyDict_Next(ptr %dict, ptr %position, ptr %key, ptr %value)
  %left = icmp ne i32 %status, 0
  br i1 %left, label %compare, label %no
compare:
  %offset = shl i64 %i, 4
  %pair = getelementptr i8, ptr %order, i64 %offset
  %wanted = get ptr %pair + 0
  %found = load ptr, ptr %key
  %same = icmp eq ptr %found, %wanted
  br i1 %same, label %take, label %no
take:
  %place = get i64 %pair + 8
  %item = load ptr, ptr %value
  put ptr %item into %places [%place]
  %next = add i64 %i, 1
  br label %head
yes:
  ret i1 true
no:
  ret i1 false
}

define internal void @learn_order(ptr %dict, ptr %order, i64 %count, ptr %names) nounwind {
entry:
  %position = alloca i64
  %key = alloca ptr
  %value = alloca ptr
  store i64 0, ptr %position
  %large = icmp ugt i64 %count, 256
  br i1 %large, label %end, label %look
look:
  %known = get ptr %order + 0
  %new = icmp eq ptr %known, null
  br i1 %new, label %head, label %end
head:
  %i = phi i64 [0, %look], [%next, %found]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %body, label %end
body:
  %status = call i32 @PyDict_Next(ptr %dict, ptr %position, ptr %key, ptr %value)
  %left = icmp ne i32 %status, 0
  br i1 %left, label %search, label %end
search:
  %name = load ptr, ptr %key
  br label %try
try:
  %j = phi i64 [0, %search], [%j_next, %other]
  %more_names = icmp ult i64 %j, %count
  br i1 %more_names, label %compare, label %end
compare:
  %each = get ptr %names [%j]
  %same = icmp eq ptr %each, %name
  br i1 %same, label %found, label %other
other:
  %j_next = add i64 %j, 1
  br label %try
found:
  %offset = shl i64 %i, 4
  %pair = getelementptr i8, ptr %order, i64 %offset
  put ptr %name into %pair + 0
  put i64 %j into %pair + 8
  %next = add i64 %i, 1
  br label %head
end:
  ret void
}

define internal i1 @expand(ptr %spec, ptr %registers) nounwind {
entry:
  %steps = get ptr %spec + $spec_steps
  %count = get i64 %spec + $spec_n_steps
  %careful = get i64 %spec + $spec_careful
  %is_careful = icmp ne i64 %careful, 0
  br label %head
head:
  %i = phi i64 [0, %entry], [%next, %done]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %body, label %yes
body:
  %offset = mul i64 %i, $step_size
  %step = getelementptr i8, ptr %steps, i64 %offset
  %op = get i64 %step + $step_op
  %register = get i64 %step + $step_register
  %object = get ptr %registers [%register]
  %type = get ptr %object + $TYPE
  %wanted = get ptr %step + $step_type
  %base = get i64 %step + $step_base
  %size = get i64 %step + $step_count
  %data = get ptr %step + $step_data
  %right = icmp eq ptr %type, %wanted
  br i1 %right, label %apart, label %no
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
  %tuple_fits = icmp eq i64 %tuple_length, %size
  br i1 %tuple_fits, label %copy, label %no
list:
  %list_length = get i64 %object + $SIZE
  %list_items = get ptr %object + $LIST_ITEMS
  %list_fits = icmp eq i64 %list_length, %size
  br i1 %list_fits, label %copy, label %no
dict:
  %dict_length = call i64 @PyDict_Size(ptr %object)
  %dict_fits = icmp eq i64 %dict_length, %size
  br i1 %dict_fits, label %same_order, label %no
same_order:
  %order = get ptr %step + $step_call
  %base_place = getelementptr ptr, ptr %registers, i64 %base
  %in_order = call i1 @items_in_order(ptr %object, ptr %order, i64 %size, ptr %base_place)
  br i1 %in_order, label %hold_values, label %key
key:
  %k = phi i64 [0, %same_order], [%k_next, %found]
  %more_keys = icmp ult i64 %k, %size
  br i1 %more_keys, label %find, label %learn
find:
  %name = get ptr %data [%k]
  %value = call ptr @PyDict_GetItemWithError(ptr %object, ptr %name)
  %absent = icmp eq ptr %value, null
  br i1 %absent, label %forget, label %found
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
  br i1 %is_careful, label %hold_head, label %done
hold_head:
  %h = phi i64 [0, %hold_values], [%h_next, %hold_body]
  %more_values = icmp ult i64 %h, %size
  br i1 %more_values, label %hold_body, label %done
hold_body:
  %held = get ptr %base_place [%h]
  hold %held
  %h_next = add i64 %h, 1
  br label %hold_head
static:
  %same = icmp eq ptr %object, %data
  br i1 %same, label %done, label %compare
compare:
  %equal = call i1 @equal(ptr %object, ptr %data)
  br i1 %equal, label %done, label %no
custom:
  %call = get ptr %step + $step_call
  %answer = call ptr @PyObject_CallOneArg(ptr %call, ptr %object)
  %raised = icmp eq ptr %answer, null
  br i1 %raised, label %failed, label %answered
answered:
  put ptr %answer into %registers [%base]
  %answer_type = get ptr %answer + $TYPE
  %tuple_type = load ptr, ptr $known_tuple
  %is_tuple = icmp eq ptr %answer_type, %tuple_type
  br i1 %is_tuple, label %pair, label %no
pair:
  %answer_length = get i64 %answer + $SIZE
  %is_pair = icmp eq i64 %answer_length, 2
  br i1 %is_pair, label %look, label %no
look:
  %parts = getelementptr i8, ptr %answer, i64 $TUPLE_ITEMS
  %children = get ptr %parts + 0
  %answer_data = get ptr %parts + 8
  %children_type = get ptr %children + $TYPE
  %after_header = getelementptr i8, ptr %children, i64 $TUPLE_ITEMS
  %in_tuple = icmp eq ptr %children_type, %tuple_type
  br i1 %in_tuple, label %lengths, label %other
other:
  %list_type = load ptr, ptr $known_list
  %in_list = icmp eq ptr %children_type, %list_type
  br i1 %in_list, label %members, label %no
members:
  %inside = get ptr %children + $LIST_ITEMS
  br label %lengths
lengths:
  %children_items = phi ptr [%after_header, %look], [%inside, %members]
  %children_length = get i64 %children + $SIZE
  %children_fit = icmp eq i64 %children_length, %size
  br i1 %children_fit, label %compare_data, label %no
compare_data:
  %data_equal = call i1 @equal(ptr %answer_data, ptr %data)
  br i1 %data_equal, label %custom_copy, label %no
custom_copy:
  %after = add i64 %base, 1
  br label %copy
copy:
  %items = phi ptr [%tuple_items, %tuple], [%list_items, %list], [%children_items, %custom_copy]
  %first = phi i64 [%base, %tuple], [%base, %list], [%after, %custom_copy]
  br label %item
item:
  %j = phi i64 [0, %copy], [%j_next, %item_next]
  %more_items = icmp ult i64 %j, %size
  br i1 %more_items, label %take, label %done
take:
  %each = get ptr %items [%j]
  %where = add i64 %first, %j
  put ptr %each into %registers [%where]
  %j_next = add i64 %j, 1
  br i1 %is_careful, label %item_hold, label %item_next
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

define internal i1 @take_aval(ptr %array, ptr %aval, ptr %expected) nounwind {
entry:
  %type = get ptr %aval + $TYPE
  %wanted = load ptr, ptr $known_aval
  %plain = icmp eq ptr %type, %wanted
  br i1 %plain, label %kinds, label %no
kinds:
  %dtype = get ptr %aval + $AVAL_DTYPE
  %dtype_expected = get ptr %expected + $AVAL_DTYPE
  %same_dtype = icmp eq ptr %dtype, %dtype_expected
  %weak = get ptr %aval + $AVAL_WEAK
  %weak_expected = get ptr %expected + $AVAL_WEAK
  %same_weak = icmp eq ptr %weak, %weak_expected
  %same = and i1 %same_dtype, %same_weak
  br i1 %same, label %shapes, label %no
shapes:
  %shape = get ptr %aval + $AVAL_SHAPE
  %shape_expected = get ptr %expected + $AVAL_SHAPE
  %equal = call i1 @equal(ptr %shape, ptr %shape_expected)
  br i1 %equal, label %take, label %no
take:
  hold %expected
  put ptr %expected into %array + $ARRAY_AVAL
  release %aval
  ret i1 true
no:
  ret i1 false
}

define internal ptr @host_data(ptr %host, ptr %input) nounwind {
entry:
  %type = get ptr %host + $TYPE
  %wanted = load ptr, ptr $known_host_array
  %right = icmp eq ptr %type, %wanted
  br i1 %right, label %kinds, label %no
kinds:
  %dtype = get ptr %host + $HOST_DTYPE
  %dtype_expected = get ptr %input + $input_dtype
  %same_dtype = icmp eq ptr %dtype, %dtype_expected
  %rank = get i32 %host + $HOST_RANK
  %wide = zext i32 %rank to i64
  %rank_expected = get i64 %input + $input_rank
  %same_rank = icmp eq i64 %wide, %rank_expected
  %flags = get i32 %host + $HOST_FLAGS
  %contiguous = and i32 %flags, $CONTIGUOUS
  %lies = icmp eq i32 %contiguous, $CONTIGUOUS
  %both = and i1 %same_dtype, %same_rank
  %all = and i1 %both, %lies
  br i1 %all, label %sizes, label %no
sizes:
  %dims = get ptr %host + $HOST_DIMS
  %expected = get ptr %input + $input_dims
  br label %head
head:
  %i = phi i64 [0, %sizes], [%next, %body]
  %more = icmp ult i64 %i, %wide
  br i1 %more, label %body, label %yes
body:
  %one = get i64 %dims [%i]
  %two = get i64 %expected [%i]
  %next = add i64 %i, 1
  %same = icmp eq i64 %one, %two
  br i1 %same, label %head, label %no
yes:
  %data = get ptr %host + $HOST_DATA
  ret ptr %data
no:
  ret ptr null
}
"""
