"""The leaves of a call: arrays, arrays and scalars of NumPy, numbers of Python.

Invariants:
- A number that does not fit its dtype does not fit here: Python raises its error.
- Arrays that were deleted, or that lie on other devices than the first, do not fit.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = """
define internal ptr @other_data(ptr %object, ptr %type, ptr %input, ptr %scratch) nounwind {
entry:
  %overflow = alloca i32
  %scalar = get i64 %input + $input_scalar
  %host = load ptr, ptr $known_host_array
  %is_host = icmp eq ptr %type, %host
  br i1 %is_host, label %array, label %numbers
array:
  %generic = get ptr %input + $input_generic
  %strong = icmp ne ptr %generic, null
  br i1 %strong, label %data, label %no
data:
  %found = call ptr @host_data(ptr %object, ptr %input)
  ret ptr %found
numbers:
  switch i64 %scalar, label %scalars [
    i64 1, label %float
    i64 2, label %float
    i64 3, label %int
    i64 4, label %int
    i64 5, label %bool
    i64 6, label %complex
    i64 7, label %complex
  ]
float:
  %float_type = load ptr, ptr $known_float
  %is_float = icmp eq ptr %type, %float_type
  br i1 %is_float, label %read_float, label %no
read_float:
  %real = call double @PyFloat_AsDouble(ptr %object)
  %to_single = icmp eq i64 %scalar, 1
  br i1 %to_single, label %single, label %double
single:
  %narrow = fptrunc double %real to float
  store float %narrow, ptr %scratch, align 8
  ret ptr %scratch
double:
  store double %real, ptr %scratch, align 8
  ret ptr %scratch
int:
  %int_type = load ptr, ptr $known_int
  %is_int = icmp eq ptr %type, %int_type
  br i1 %is_int, label %read_int, label %no
read_int:
  %whole = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflow)
  %beyond = load i32, ptr %overflow
  %fits = icmp eq i32 %beyond, 0
  br i1 %fits, label %size_int, label %no
size_int:
  %short = trunc i64 %whole to i32
  %again = sext i32 %short to i64
  %is_short = icmp eq i64 %again, %whole
  %is_long = icmp eq i64 %scalar, 4
  %good = or i1 %is_short, %is_long
  br i1 %good, label %keep_int, label %no
keep_int:
  store i64 %whole, ptr %scratch, align 8
  ret ptr %scratch
bool:
  %bool_type = load ptr, ptr $known_bool
  %is_bool = icmp eq ptr %type, %bool_type
  br i1 %is_bool, label %read_bool, label %scalars
read_bool:
  %true = load ptr, ptr $known_true
  %truth = icmp eq ptr %object, %true
  %byte = zext i1 %truth to i8
  store i8 %byte, ptr %scratch, align 8
  ret ptr %scratch
complex:
  %complex_type = load ptr, ptr $known_complex
  %is_complex = icmp eq ptr %type, %complex_type
  br i1 %is_complex, label %read_complex, label %no
read_complex:
  %x = call double @PyComplex_RealAsDouble(ptr %object)
  %y = call double @PyComplex_ImagAsDouble(ptr %object)
  %to_singles = icmp eq i64 %scalar, 6
  br i1 %to_singles, label %singles, label %doubles
singles:
  %x_narrow = fptrunc double %x to float
  %y_narrow = fptrunc double %y to float
  store float %x_narrow, ptr %scratch, align 8
  %y_single = getelementptr i8, ptr %scratch, i64 4
  store float %y_narrow, ptr %y_single, align 4
  ret ptr %scratch
doubles:
  store double %x, ptr %scratch, align 8
  put double %y into %scratch + 8
  ret ptr %scratch
scalars:
  %kind = get ptr %input + $input_generic
  %is_generic = icmp eq ptr %type, %kind
  br i1 %is_generic, label %inside, label %no
inside:
  %rank = get i64 %input + $input_rank
  %is_scalar = icmp eq i64 %rank, 0
  br i1 %is_scalar, label %value, label %no
value:
  %at_value = getelementptr i8, ptr %object, i64 $SCALAR
  ret ptr %at_value
no:
  ret ptr null
}

define internal i1 @admit(ptr %spec, ptr %registers, ptr %frame) nounwind {
entry:
  %inputs = get ptr %spec + $spec_inputs
  %count = get i64 %spec + $spec_n_inputs
  %owners_at = get i64 %spec + $spec_at_owners
  %owners = getelementptr i8, ptr %frame, i64 %owners_at
  %scratch_at = get i64 %spec + $spec_at_scratch
  %scratch = getelementptr i8, ptr %frame, i64 %scratch_at
  %array_type = load ptr, ptr $known_array
  %false = load ptr, ptr $known_false
  %none = load ptr, ptr $known_none
  br label %head
head:
  %i = phi i64 [0, %entry], [%next, %keep]
  %place = phi ptr [null, %entry], [%place_next, %keep]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %body, label %yes
body:
  %offset = mul i64 %i, $input_size
  %input = getelementptr i8, ptr %inputs, i64 %offset
  %register = get i64 %input + $input_register
  %object = get ptr %registers [%register]
  %type = get ptr %object + $TYPE
  %is_array = icmp eq ptr %type, %array_type
  br i1 %is_array, label %array, label %other
array:
  %aval = get ptr %object + $ARRAY_AVAL
  %expected = get ptr %input + $input_aval
  %same = icmp eq ptr %aval, %expected
  br i1 %same, label %placed, label %compare
compare:
  %equal = call i1 @take_aval(ptr %object, ptr %aval, ptr %expected)
  br i1 %equal, label %placed, label %no
placed:
  %sharding = get ptr %object + $ARRAY_SHARDING
  %nowhere = icmp eq ptr %sharding, %none
  br i1 %nowhere, label %loose, label %committed
loose:
  %committed_loose = get ptr %object + $ARRAY_COMMITTED
  %is_loose = icmp eq ptr %committed_loose, %false
  br i1 %is_loose, label %data, label %no
committed:
  %first = load ptr, ptr $known_first_device
  %on_first = icmp eq ptr %sharding, %first
  %committed_there = get ptr %object + $ARRAY_COMMITTED
  %true = load ptr, ptr $known_true
  %is_committed = icmp eq ptr %committed_there, %true
  %good = and i1 %on_first, %is_committed
  br i1 %good, label %data, label %no
data:
  %place_here = phi ptr [%place, %loose], [%sharding, %committed]
  %block = get ptr %object + $ARRAY_BLOCK
  %foreign = icmp eq ptr %block, null
  br i1 %foreign, label %host, label %own
own:
  %own_data = get ptr %block + $BLOCK_DATA
  br label %keep
host:
  %raw = get ptr %object + $ARRAY_RAW
  %unset = icmp eq ptr %raw, null
  br i1 %unset, label %no, label %look
look:
  %raw_data = call ptr @host_data(ptr %raw, ptr %input)
  %unfit = icmp eq ptr %raw_data, null
  br i1 %unfit, label %no, label %keep
other:
  %bytes = shl i64 %i, 4
  %cell = getelementptr i8, ptr %scratch, i64 %bytes
  %other_data = call ptr @other_data(ptr %object, ptr %type, ptr %input, ptr %cell)
  %unknown = icmp eq ptr %other_data, null
  br i1 %unknown, label %no, label %keep
keep:
  %pointer = phi ptr [%own_data, %own], [%raw_data, %look], [%other_data, %other]
  %owner = phi ptr [%block, %own], [%raw, %look], [%object, %other]
  %place_next = phi ptr [%place_here, %own], [%place_here, %look], [%place, %other]
  put ptr %pointer into %frame [%i]
  put ptr %owner into %owners [%i]
  %next = add i64 %i, 1
  br label %head
yes:
  put ptr %place into %owners [%count]
  ret i1 true
no:
  ret i1 false
}
"""
