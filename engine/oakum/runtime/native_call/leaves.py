"""The leaves of a call: arrays, arrays and scalars of NumPy, numbers of Python.

Invariants:
- A number that does not fit its dtype does not fit here: Python raises its error.
- An array whose aval is equal to the one expected takes the one expected as its own.
- Arrays that were deleted, or that lie on other devices than the first, do not fit; data of the
  host that are not in its memory yet, where it has one of its own, are copied when all fits.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = """
define internal i1 @take_aval(ptr %array, ptr %aval, ptr %expected) nounwind {
entry:
  %type = get ptr %aval + $TYPE
  when %type is aval ? %kinds : %no
kinds:
  %dtype = get ptr %aval + $AVAL_DTYPE
  %dtype_expected = get ptr %expected + $AVAL_DTYPE
  %same_dtype = icmp eq ptr %dtype, %dtype_expected
  %weak = get ptr %aval + $AVAL_WEAK
  %weak_expected = get ptr %expected + $AVAL_WEAK
  %same_weak = icmp eq ptr %weak, %weak_expected
  %same = and i1 %same_dtype, %same_weak
  when %same ? %shapes : %no
shapes:
  %shape = get ptr %aval + $AVAL_SHAPE
  %shape_expected = get ptr %expected + $AVAL_SHAPE
  %equal = call i1 @equal(ptr %shape, ptr %shape_expected)
  when %equal ? %take : %no
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
  when %type is host_array ? %kinds : %no
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
  when %all ? %sizes : %no
sizes:
  %dims = get ptr %host + $HOST_DIMS
  %expected = get ptr %input + $input_dims
  br label %head
head:
  count %i to %wide ? %body : %yes, from %sizes, %next from %body
body:
  %one = get i64 %dims [%i]
  %two = get i64 %expected [%i]
  %next = add i64 %i, 1
  when eq i64 %one, %two ? %head : %no
yes:
  %data = get ptr %host + $HOST_DATA
  ret ptr %data
no:
  ret ptr null
}

define internal ptr @other_data(ptr %object, ptr %type, ptr %input, ptr %scratch) nounwind {
entry:
  %overflow = alloca i32
  %scalar = get i64 %input + $input_scalar
  when %type is host_array ? %array : %numbers
array:
  %generic = get ptr %input + $input_generic
  when ne ptr %generic, null ? %data : %no
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
  when %type is float ? %read_float : %no
read_float:
  %real = call double @PyFloat_AsDouble(ptr %object)
  when eq i64 %scalar, 1 ? %single : %double
single:
  %narrow = fptrunc double %real to float
  store float %narrow, ptr %scratch, align 8
  ret ptr %scratch
double:
  store double %real, ptr %scratch, align 8
  ret ptr %scratch
int:
  when %type is int ? %read_int : %no
read_int:
  %whole = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflow)
  %beyond = load i32, ptr %overflow
  when eq i32 %beyond, 0 ? %size_int : %no
size_int:
  %short = trunc i64 %whole to i32
  %again = sext i32 %short to i64
  %is_short = icmp eq i64 %again, %whole
  %is_long = icmp eq i64 %scalar, 4
  %good = or i1 %is_short, %is_long
  when %good ? %keep_int : %no
keep_int:
  store i64 %whole, ptr %scratch, align 8
  ret ptr %scratch
bool:
  when %type is bool ? %read_bool : %scalars
read_bool:
  %truth = is %object true
  %byte = zext i1 %truth to i8
  store i8 %byte, ptr %scratch, align 8
  ret ptr %scratch
complex:
  when %type is complex ? %read_complex : %no
read_complex:
  %x = call double @PyComplex_RealAsDouble(ptr %object)
  %y = call double @PyComplex_ImagAsDouble(ptr %object)
  when eq i64 %scalar, 6 ? %singles : %doubles
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
  when eq ptr %type, %kind ? %inside : %no
inside:
  %rank = get i64 %input + $input_rank
  when eq i64 %rank, 0 ? %value : %no
value:
  %at_value = getelementptr i8, ptr %object, i64 $SCALAR
  ret ptr %at_value
no:
  ret ptr null
}

define internal i1 @admit(ptr %spec, ptr %registers, ptr %frame) nounwind {
entry:
  %overflow = alloca i32
  %device = get ptr %spec + $spec_device
  %inputs = get ptr %spec + $spec_inputs
  %count = get i64 %spec + $spec_n_inputs
  %owners = part %frame at %spec + $spec_at_owners
  %scratch = part %frame at %spec + $spec_at_scratch
  %array_type = load ptr, ptr $known_array
  %false = load ptr, ptr $known_false
  %none = load ptr, ptr $known_none
  br label %head
head:
  %i = phi i64 [0, %entry], [%next, %keep]
  %place = phi ptr [null, %entry], [%place_next, %keep]
  when ult i64 %i, %count ? %body : %yes
body:
  %input = record %inputs [%i] of $input_size
  %register = get i64 %input + $input_register
  %object = get ptr %registers [%register]
  %type = get ptr %object + $TYPE
  when eq ptr %type, %array_type ? %array : %other
array:
  %aval = get ptr %object + $ARRAY_AVAL
  %expected = get ptr %input + $input_aval
  when eq ptr %aval, %expected ? %placed : %compare
compare:
  %equal = call i1 @take_aval(ptr %object, ptr %aval, ptr %expected)
  when %equal ? %placed : %no
placed:
  %sharding = get ptr %object + $ARRAY_SHARDING
  when eq ptr %sharding, %none ? %loose : %committed
loose:
  %committed_loose = get ptr %object + $ARRAY_COMMITTED
  when eq ptr %committed_loose, %false ? %data : %no
committed:
  %on_first = is %sharding first_device
  %committed_there = get ptr %object + $ARRAY_COMMITTED
  %is_committed = is %committed_there true
  %good = and i1 %on_first, %is_committed
  when %good ? %data : %no
data:
  %place_here = phi ptr [%place, %loose], [%sharding, %committed]
  when eq ptr %device, null ? %here : %there
there:
  %storage = get ptr %object + $ARRAY_STORAGE
  when eq ptr %storage, null ? %unsent : %whose
unsent:
  ; it is copied to the device when all fits
  %unsent_raw = get ptr %object + $ARRAY_RAW
  when eq ptr %unsent_raw, null ? %no : %unsent_look
unsent_look:
  %unsent_data = call ptr @host_data(ptr %unsent_raw, ptr %input)
  when eq ptr %unsent_data, null ? %no : %keep
whose:
  %its_device = get ptr %storage + $STORAGE_DEVICE
  %this_device = get ptr %device + $device_object
  when eq ptr %its_device, %this_device ? %address : %no
address:
  %number = get ptr %storage + $STORAGE_ADDRESS
  %whole = call i64 @PyLong_AsLongLongAndOverflow(ptr %number, ptr %overflow)
  %there_data = inttoptr i64 %whole to ptr
  br label %keep
here:
  %block = get ptr %object + $ARRAY_BLOCK
  when eq ptr %block, null ? %host : %own
own:
  %own_data = get ptr %block + $BLOCK_DATA
  br label %keep
host:
  %raw = get ptr %object + $ARRAY_RAW
  when eq ptr %raw, null ? %no : %look
look:
  %raw_data = call ptr @host_data(ptr %raw, ptr %input)
  when eq ptr %raw_data, null ? %no : %keep
other:
  %bytes = shl i64 %i, 4
  %cell = getelementptr i8, ptr %scratch, i64 %bytes
  %other_data = call ptr @other_data(ptr %object, ptr %type, ptr %input, ptr %cell)
  when eq ptr %other_data, null ? %no : %keep
keep:
  %pointer = phi ptr [%own_data, %own], [%raw_data, %look], [%there_data, %address],
    [%unsent_data, %unsent_look], [%other_data, %other]
  %owner = phi ptr [%block, %own], [%raw, %look], [%storage, %address], [%object, %unsent_look],
    [%object, %other]
  %place_next = phi ptr [%place_here, %own], [%place_here, %look], [%place_here, %address],
    [%place_here, %unsent_look], [%place, %other]
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
