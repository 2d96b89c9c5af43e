"""The function that is called in the place of a compiled function's `__call__`.

It looks for the specification that the arguments fit, runs its entry, and gives the results; the
object then was called without a line of Python. What fits none goes on to the function of Python's
that the object holds, with the object itself as the first argument.

Invariants:
- A specification is used in its situation and generation only (`oakum.situations`).
- It is held while it runs, whatever is done to the object meanwhile.
- The one that was used last is looked at first.
"""

from __future__ import annotations

from typing import Final

from oakum.runtime.native_text import Record

SPEC: Final = Record(
    "spec",
    "next total positional names situation generation owner hits careful lengthy donates "
    "n_steps steps n_inputs inputs n_outputs outputs n_builds builds n_registers n_results "
    "entry context arena_bytes settle frame_bytes at_owners at_scratch at_registers at_blocks at_arrays "
    "at_results",
)
"""A specification: what a call has to be, and what is run for it."""

WALK: Final = Record("walk", "first place version fits")
"""Where a call is in the list of specifications; `@oakum_version` counts the changes of lists."""

FRAME: Final = 1536
"""The bytes of a call that are taken from the stack; larger ones take a block."""

OBJECT_FIELDS: Final = ("entry", "first", "slow", "kept")
"""The fields of an object that is called: the address of `oakum_call` or zero, its first
specification, the function of Python's, and what keeps its specifications."""


def names(fields: dict[str, int]) -> dict[str, int]:
    """The names of texts."""
    found = {f"CALL_{name.upper()}": offset for name, offset in fields.items()}
    return {**SPEC.offsets(), **WALK.offsets(), **found, "FRAME": FRAME}


TEXT: Final = """
@oakum_known = global [32 x ptr] zeroinitializer
@oakum_generation = global i64 0
@oakum_version = global i64 0

define internal i1 @run(ptr %spec, ptr %frame) nounwind {
entry:
  %outputs = get ptr %spec + $spec_outputs
  %count = get i64 %spec + $spec_n_outputs
  %inputs = get i64 %spec + $spec_n_inputs
  %results = getelementptr ptr, ptr %frame, i64 %inputs
  %blocks_at = get i64 %spec + $spec_at_blocks
  %blocks = getelementptr i8, ptr %frame, i64 %blocks_at
  %arrays_at = get i64 %spec + $spec_at_arrays
  %arrays = getelementptr i8, ptr %frame, i64 %arrays_at
  br label %head
head:
  %j = phi i64 [0, %entry], [%next, %made]
  %more = icmp ult i64 %j, %count
  br i1 %more, label %body, label %scratch
body:
  %offset = mul i64 %j, $output_size
  %output = getelementptr i8, ptr %outputs, i64 %offset
  %class = get i64 %output + $output_class
  %bytes = get i64 %output + $output_bytes
  %array = call ptr @take_whole(i64 %class)
  put ptr %array into %arrays [%j]
  %no_array = icmp eq ptr %array, null
  br i1 %no_array, label %allot, label %reuse
reuse:
  %its_block = get ptr %array + $ARRAY_BLOCK
  put i64 %bytes into %its_block + $BLOCK_BYTES
  br label %made
allot:
  %own_block = call ptr @block_of(i64 %class, i64 %bytes)
  %none = icmp eq ptr %own_block, null
  br i1 %none, label %failed, label %made
made:
  %block = phi ptr [%its_block, %reuse], [%own_block, %allot]
  %held_block = phi ptr [null, %reuse], [%own_block, %allot]
  put ptr %held_block into %blocks [%j]
  %data = get ptr %block + $BLOCK_DATA
  put ptr %data into %results [%j]
  %next = add i64 %j, 1
  br label %head
scratch:
  %arena_bytes = get i64 %spec + $spec_arena_bytes
  %no_arena = icmp eq i64 %arena_bytes, 0
  br i1 %no_arena, label %start, label %reserve
reserve:
  %taken = call ptr @oakum_block(i64 %arena_bytes)
  %unreserved = icmp eq ptr %taken, null
  br i1 %unreserved, label %failed, label %reserved
reserved:
  %taken_data = get ptr %taken + $BLOCK_DATA
  br label %start
start:
  %arena = phi ptr [null, %scratch], [%taken, %reserved]
  %memory = phi ptr [null, %scratch], [%taken_data, %reserved]
  %entry_point = get ptr %spec + $spec_entry
  %context = get ptr %spec + $spec_context
  %lengthy = get i64 %spec + $spec_lengthy
  %is_short = icmp eq i64 %lengthy, 0
  br i1 %is_short, label %at_once, label %alone
at_once:
  call void %entry_point(ptr %frame, ptr %context, ptr %memory)
  br label %ran
alone:
  %owners_at = get i64 %spec + $spec_at_owners
  %owners = getelementptr i8, ptr %frame, i64 %owners_at
  br label %owner
owner:
  %i = phi i64 [0, %alone], [%i_next, %hold_owner]
  %more_owners = icmp ult i64 %i, %inputs
  br i1 %more_owners, label %hold_owner, label %release_lock
hold_owner:
  %each = get ptr %owners [%i]
  hold %each
  %i_next = add i64 %i, 1
  br label %owner
release_lock:
  %thread = call ptr @PyEval_SaveThread()
  call void %entry_point(ptr %frame, ptr %context, ptr %memory)
  call void @PyEval_RestoreThread(ptr %thread)
  call void @let_go(ptr %owners, i64 %inputs)
  br label %ran
ran:
  br i1 %no_arena, label %settle, label %give_back
give_back:
  release %arena
  br label %settle
settle:
  %settles = get ptr %spec + $spec_settle
  %alone_native = icmp eq ptr %settles, null
  br i1 %alone_native, label %end, label %ask
ask:
  %none_object = load ptr, ptr $known_none
  %settled = call ptr @PyObject_CallOneArg(ptr %settles, ptr %none_object)
  %raised = icmp eq ptr %settled, null
  br i1 %raised, label %failed, label %good
good:
  release %settled
  br label %end
end:
  ret i1 true
failed:
  %allotted = phi i64 [%j, %allot], [%j, %reserve], [%count, %ask]
  call void @unmake(ptr %blocks, ptr %arrays, i64 %allotted)
  ret i1 false
}

define internal ptr @launch(ptr %spec, ptr %frame, ptr %registers) nounwind {
entry:
  %keeper = get ptr %spec + $spec_owner
  hold %keeper
  %owners_at = get i64 %spec + $spec_at_owners
  %owners = getelementptr i8, ptr %frame, i64 %owners_at
  %inputs = get i64 %spec + $spec_n_inputs
  %place = get ptr %owners [%inputs]
  %hits = get i64 %spec + $spec_hits
  %more_hits = add i64 %hits, 1
  put i64 %more_hits into %spec + $spec_hits
  %ran = call i1 @run(ptr %spec, ptr %frame)
  br i1 %ran, label %after, label %end
after:
  %donates = get i64 %spec + $spec_donates
  %keeps = icmp eq i64 %donates, 0
  br i1 %keeps, label %finish, label %give
give:
  call void @donate(ptr %spec, ptr %registers)
  br label %finish
finish:
  %made = call ptr @finish(ptr %spec, ptr %frame, ptr %place)
  br label %end
end:
  %result = phi ptr [null, %entry], [%made, %finish]
  release %keeper
  ret ptr %result
}

define internal void @move_to_front(ptr %spec, ptr %place, ptr %first) nounwind {
entry:
  %there = icmp eq ptr %place, %first
  br i1 %there, label %end, label %move
move:
  %next = get ptr %spec + $spec_next
  store ptr %next, ptr %place
  %before = load ptr, ptr %first
  put ptr %before into %spec + $spec_next
  store ptr %spec, ptr %first
  %version = load i64, ptr @oakum_version
  %newer = add i64 %version, 1
  store i64 %newer, ptr @oakum_version
  br label %end
end:
  ret void
}

define internal ptr @in_frame(ptr %spec, ptr %args, ptr %frame, ptr %walk) nounwind {
entry:
  %registers_at = get i64 %spec + $spec_at_registers
  %own = getelementptr i8, ptr %frame, i64 %registers_at
  %count = get i64 %spec + $spec_n_registers
  %total = get i64 %spec + $spec_total
  %rest = getelementptr ptr, ptr %own, i64 %total
  %below = sub i64 %count, %total
  %steps = get i64 %spec + $spec_n_steps
  %flat = icmp eq i64 %steps, 0
  br i1 %flat, label %leaves, label %trees
trees:
  call void @clear(ptr %rest, i64 %below)
  br label %copy
copy:
  %i = phi i64 [0, %trees], [%next, %argument]
  %more = icmp ult i64 %i, %total
  br i1 %more, label %argument, label %expand
argument:
  %each = get ptr %args [%i]
  put ptr %each into %own [%i]
  %next = add i64 %i, 1
  br label %copy
expand:
  %apart = call i1 @expand(ptr %spec, ptr %own)
  br i1 %apart, label %leaves, label %clean
leaves:
  %registers = phi ptr [%args, %entry], [%own, %expand]
  %admitted = call i1 @admit(ptr %spec, ptr %registers, ptr %frame)
  br i1 %admitted, label %unchanged, label %clean
unchanged:
  %version = load i64, ptr @oakum_version
  %version_before = get i64 %walk + $walk_version
  %same = icmp eq i64 %version, %version_before
  br i1 %same, label %front, label %launch
front:
  %place = get ptr %walk + $walk_place
  %first = get ptr %walk + $walk_first
  call void @move_to_front(ptr %spec, ptr %place, ptr %first)
  br label %launch
launch:
  put i64 1 into %walk + $walk_fits
  %made = call ptr @launch(ptr %spec, ptr %frame, ptr %registers)
  br label %clean
clean:
  %result = phi ptr [null, %expand], [null, %leaves], [%made, %launch]
  %careful = get i64 %spec + $spec_careful
  %plain = icmp eq i64 %careful, 0
  br i1 %plain, label %end, label %drop
drop:
  call void @let_go(ptr %rest, i64 %below)
  br label %end
end:
  ret ptr %result
}

define internal ptr @in_block(ptr %spec, ptr %args, ptr %walk) nounwind {
entry:
  %bytes = get i64 %spec + $spec_frame_bytes
  %block = call ptr @oakum_block(i64 %bytes)
  %none = icmp eq ptr %block, null
  br i1 %none, label %refuse, label %use
use:
  %frame = get ptr %block + $BLOCK_DATA
  %result = call ptr @in_frame(ptr %spec, ptr %args, ptr %frame, ptr %walk)
  release %block
  ret ptr %result
refuse:
  call void @PyErr_Clear()
  ret ptr null
}

define internal ptr @in_python(ptr %self, ptr %args, i64 %given, i64 %total, ptr %names) nounwind {
entry:
  %slow = get ptr %self + $CALL_SLOW
  %cleared = icmp eq ptr %slow, null
  br i1 %cleared, label %refuse, label %call
call:
  hold %slow
  %count = and i64 %given, 9223372036854775807
  %more = add i64 %count, 1
  %has_room = icmp slt i64 %given, 0
  br i1 %has_room, label %before, label %copy
before:
  %place = getelementptr i8, ptr %args, i64 -8
  %saved = load ptr, ptr %place
  store ptr %self, ptr %place
  %quick = call ptr @PyObject_Vectorcall(ptr %slow, ptr %place, i64 %more, ptr %names)
  store ptr %saved, ptr %place
  br label %done
copy:
  %all = add i64 %total, 1
  %bytes = shl i64 %all, 3
  %memory = call ptr @PyMem_RawMalloc(i64 %bytes)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %lost, label %fill
fill:
  store ptr %self, ptr %memory
  br label %head
head:
  %i = phi i64 [0, %fill], [%next, %body]
  %left = icmp ult i64 %i, %total
  br i1 %left, label %body, label %filled
body:
  %each = get ptr %args [%i]
  %next = add i64 %i, 1
  put ptr %each into %memory [%next]
  br label %head
filled:
  %copied = call ptr @PyObject_Vectorcall(ptr %slow, ptr %memory, i64 %more, ptr %names)
  call void @PyMem_RawFree(ptr %memory)
  br label %done
done:
  %result = phi ptr [%quick, %before], [%copied, %filled]
  release %slow
  ret ptr %result
lost:
  release %slow
  br label %refuse
refuse:
  %null = call ptr @PyErr_NoMemory()
  ret ptr null
}

define ptr @oakum_call(ptr %self, ptr %args, i64 %given, ptr %names) nounwind {
entry:
  %found = alloca ptr
  %walk = alloca [4 x i64]
  %memory = alloca [$FRAME x i8], align 16
  %count = and i64 %given, 9223372036854775807
  %unnamed = icmp eq ptr %names, null
  br i1 %unnamed, label %where, label %named
named:
  %names_count = get i64 %names + $SIZE
  br label %where
where:
  %keywords = phi i64 [0, %entry], [%names_count, %named]
  %total = add i64 %count, %keywords
  %variable = load ptr, ptr $known_situation
  %status = call i32 @PyContextVar_Get(ptr %variable, ptr null, ptr %found)
  %situation = load ptr, ptr %found
  release %situation
  %generation = load i64, ptr @oakum_generation
  %version = load i64, ptr @oakum_version
  put i64 %version into %walk + $walk_version
  put i64 0 into %walk + $walk_fits
  %first = getelementptr i8, ptr %self, i64 $CALL_FIRST
  put ptr %first into %walk + $walk_first
  br label %head
head:
  %place = phi ptr [%first, %where], [%spec, %skip]
  %spec = load ptr, ptr %place
  %none = icmp eq ptr %spec, null
  br i1 %none, label %miss, label %look
look:
  %wanted_total = get i64 %spec + $spec_total
  %same_total = icmp eq i64 %wanted_total, %total
  %wanted_count = get i64 %spec + $spec_positional
  %same_count = icmp eq i64 %wanted_count, %count
  %wanted_generation = get i64 %spec + $spec_generation
  %same_generation = icmp eq i64 %wanted_generation, %generation
  %wanted_situation = get ptr %spec + $spec_situation
  %same_situation = icmp eq ptr %wanted_situation, %situation
  %both = and i1 %same_total, %same_count
  %other = and i1 %same_generation, %same_situation
  %all = and i1 %both, %other
  br i1 %all, label %calls, label %skip
calls:
  %wanted_names = get ptr %spec + $spec_names
  %same_names = icmp eq ptr %wanted_names, %names
  br i1 %same_names, label %try, label %compare
compare:
  %equal_names = call i1 @same_names(ptr %wanted_names, ptr %names)
  br i1 %equal_names, label %try, label %skip
try:
  put ptr %place into %walk + $walk_place
  %keeper = get ptr %spec + $spec_owner
  %careful = get i64 %spec + $spec_careful
  %plain = icmp eq i64 %careful, 0
  br i1 %plain, label %size, label %keep
keep:
  hold %keeper
  br label %size
size:
  %bytes = get i64 %spec + $spec_frame_bytes
  %small = icmp ule i64 %bytes, $FRAME
  br i1 %small, label %in_stack, label %in_block
in_stack:
  %result_stack = call ptr @in_frame(ptr %spec, ptr %args, ptr %memory, ptr %walk)
  br label %tried
in_block:
  %result_block = call ptr @in_block(ptr %spec, ptr %args, ptr %walk)
  br label %tried
tried:
  %result = phi ptr [%result_stack, %in_stack], [%result_block, %in_block]
  br i1 %plain, label %decide, label %unkeep
unkeep:
  release %keeper
  br label %decide
decide:
  %fits = get i64 %walk + $walk_fits
  %ran = icmp ne i64 %fits, 0
  br i1 %ran, label %end, label %still
still:
  %version_now = load i64, ptr @oakum_version
  %same_version = icmp eq i64 %version_now, %version
  br i1 %same_version, label %skip, label %miss
skip:
  br label %head
end:
  ret ptr %result
miss:
  %slow = call ptr @in_python(ptr %self, ptr %args, i64 %given, i64 %total, ptr %names)
  ret ptr %slow
}

define ptr @oakum_call_public(ptr %self, ptr %args, ptr %names) nounwind {
entry:
  %called = get ptr %self + $PUBLIC_CALLED
  %cleared = icmp eq ptr %called, null
  br i1 %cleared, label %python, label %look
look:
  %type = get ptr %called + $TYPE
  %counted = load ptr, ptr $known_counted
  %is_counted = icmp eq ptr %type, %counted
  br i1 %is_counted, label %compiled, label %python
compiled:
  %entry_point = get ptr %called + $CALL_ENTRY
  %none = icmp eq ptr %entry_point, null
  br i1 %none, label %python, label %native
native:
  hold %called
  %unnamed = icmp eq ptr %names, null
  br i1 %unnamed, label %flat, label %named
flat:
  %count = get i64 %args + $SIZE
  %items = getelementptr i8, ptr %args, i64 $TUPLE_ITEMS
  %quick = call ptr %entry_point(ptr %called, ptr %items, i64 %count, ptr null)
  br label %done
named:
  %slow = call ptr @PyVectorcall_Call(ptr %called, ptr %args, ptr %names)
  br label %done
done:
  %result = phi ptr [%quick, %flat], [%slow, %named]
  release %called
  ret ptr %result
python:
  %python_call = load ptr, ptr $known_python_call
  %usual = call ptr %python_call(ptr %self, ptr %args, ptr %names)
  ret ptr %usual
}
"""
