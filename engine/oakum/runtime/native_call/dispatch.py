"""The function that is called in the place of a compiled function's `__call__`.

It looks for the specification that the arguments fit, runs its entry, and gives the results; the
object then was called without a line of Python. What fits none goes on to the function of Python's
that the object holds, with the object itself as the first argument.

Invariants:
- A specification is used in its situation and generation only (`oakum.values.trace_context`).
- It is held while it runs, whatever is done to the object meanwhile.
- The one that was used last is looked at first.
- Lists are changed here only, where no other thread can come in between.
"""

from __future__ import annotations

from typing import Final

from oakum.runtime.native_call.llvm_text import Record

SPEC: Final = Record(
    "spec",
    "next total positional names situation generation owner hits careful guard donates "
    "n_steps steps n_inputs inputs n_outputs outputs n_builds builds n_registers n_results "
    "entry context arena_bytes settle device program allot put copy copies run fail "
    "frame_bytes at_owners "
    "at_scratch at_registers at_blocks at_arrays at_results",
)
"""A specification: what a call has to be, and what is run for it."""

WALK: Final = Record("walk", "first place version fits")
"""Where a call is in the list of specifications; `@oakum_version` counts the changes of lists."""

FRAME: Final = 1536
"""The bytes of a call that are taken from the stack; larger ones take a block."""


def names(fields: dict[str, int]) -> dict[str, int]:
    """Returns the names of texts."""
    found = {f"CALL_{name.upper()}": offset for name, offset in fields.items()}
    return {**SPEC.offsets(), **WALK.offsets(), **found, "FRAME": FRAME}


TEXT: Final = """
@oakum_known = global [32 x ptr] zeroinitializer
@oakum_generation = global i64 0
@oakum_version = global i64 0

define internal void @note_change() nounwind {
entry:
  %version = load i64, ptr @oakum_version
  %newer = add i64 %version, 1
  store i64 %newer, ptr @oakum_version
  ret void
}

define internal void @move_to_front(ptr %spec, ptr %place, ptr %first) nounwind {
entry:
  when eq ptr %place, %first ? %end : %move
move:
  %next = get ptr %spec + $spec_next
  store ptr %next, ptr %place
  %before = load ptr, ptr %first
  put ptr %before into %spec + $spec_next
  store ptr %spec, ptr %first
  call void @note_change()
  br label %end
end:
  ret void
}

define ptr @oakum_link(ptr %first, ptr %spec, i64 %most) nounwind {
entry:
  call void @note_change()
  %before = load ptr, ptr %first
  put ptr %before into %spec + $spec_next
  store ptr %spec, ptr %first
  br label %head
head:
  %i = phi i64 [1, %entry], [%more, %later]
  %each = phi ptr [%spec, %entry], [%next, %later]
  %next = get ptr %each + $spec_next
  when eq ptr %next, null ? %end : %linked
linked:
  when eq i64 %i, %most ? %cut : %later
later:
  %more = add i64 %i, 1
  br label %head
cut:
  put ptr null into %each + $spec_next
  br label %end
end:
  ret ptr %next
}

define void @oakum_unlink(ptr %first) nounwind {
entry:
  call void @note_change()
  store ptr null, ptr %first
  ret void
}

define internal ptr @in_frame(ptr %spec, ptr %args, ptr %frame, ptr %walk) nounwind {
entry:
  %own = part %frame at %spec + $spec_at_registers
  %count = get i64 %spec + $spec_n_registers
  %total = get i64 %spec + $spec_total
  %rest = getelementptr ptr, ptr %own, i64 %total
  %below = sub i64 %count, %total
  %steps = get i64 %spec + $spec_n_steps
  when eq i64 %steps, 0 ? %leaves : %trees
trees:
  call void @clear(ptr %rest, i64 %below)
  br label %copy
copy:
  count %i to %total ? %argument : %expand, from %trees, %next from %argument
argument:
  %each = get ptr %args [%i]
  put ptr %each into %own [%i]
  %next = add i64 %i, 1
  br label %copy
expand:
  %apart = call i1 @expand(ptr %spec, ptr %own)
  when %apart ? %leaves : %clean
leaves:
  %registers = phi ptr [%args, %entry], [%own, %expand]
  %admitted = call i1 @admit(ptr %spec, ptr %registers, ptr %frame)
  when %admitted ? %unchanged : %clean
unchanged:
  %version = load i64, ptr @oakum_version
  %version_before = get i64 %walk + $walk_version
  when eq i64 %version, %version_before ? %front : %launch
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
  when eq i64 %careful, 0 ? %end : %drop
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
  when eq ptr %block, null ? %refuse : %use
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
  when eq ptr %slow, null ? %refuse : %call
call:
  hold %slow
  %count = and i64 %given, 9223372036854775807
  %more = add i64 %count, 1
  when slt i64 %given, 0 ? %before : %copy
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
  when eq ptr %memory, null ? %lost : %fill
fill:
  store ptr %self, ptr %memory
  br label %head
head:
  count %i to %total ? %body : %filled, from %fill, %next from %body
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
  when eq ptr %names, null ? %where : %named
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
  when eq ptr %spec, null ? %miss : %look
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
  when %all ? %calls : %skip
calls:
  %wanted_names = get ptr %spec + $spec_names
  when eq ptr %wanted_names, %names ? %try : %compare
compare:
  %equal_names = call i1 @same_names(ptr %wanted_names, ptr %names)
  when %equal_names ? %try : %skip
try:
  put ptr %place into %walk + $walk_place
  %keeper = get ptr %spec + $spec_owner
  %careful = get i64 %spec + $spec_careful
  %plain = icmp eq i64 %careful, 0
  when %plain ? %size : %keep
keep:
  hold %keeper
  br label %size
size:
  %bytes = get i64 %spec + $spec_frame_bytes
  when ule i64 %bytes, $FRAME ? %in_stack : %in_block
in_stack:
  %result_stack = call ptr @in_frame(ptr %spec, ptr %args, ptr %memory, ptr %walk)
  br label %tried
in_block:
  %result_block = call ptr @in_block(ptr %spec, ptr %args, ptr %walk)
  br label %tried
tried:
  %result = phi ptr [%result_stack, %in_stack], [%result_block, %in_block]
  when %plain ? %decide : %unkeep
unkeep:
  release %keeper
  br label %decide
decide:
  %fits = get i64 %walk + $walk_fits
  when ne i64 %fits, 0 ? %end : %still
still:
  %version_now = load i64, ptr @oakum_version
  when eq i64 %version_now, %version ? %skip : %miss
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
  when eq ptr %called, null ? %python : %look
look:
  %type = get ptr %called + $TYPE
  when %type is counted ? %compiled : %python
compiled:
  %entry_point = get ptr %called + $CALL_ENTRY
  when eq ptr %entry_point, null ? %python : %native
native:
  hold %called
  when eq ptr %names, null ? %flat : %named
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
