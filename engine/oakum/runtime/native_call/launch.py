"""The run of a specification whose arguments fit.

`@launch` takes blocks for the results and the scratch memory, runs the entry, and has arrays and
trees made of them.

Invariants:
- Between the reading of addresses and the end of the run no code of Python's runs, or what is read
  is held; so no memory goes away under the entry.
- A run that may take long lets go of the interpreter's lock, and is left when a signal's handler
  raises (see `oakum.compile.native.interruption`). What it was given to write over is gone then.
- What was made is given back when something fails.
- Memory that was given away is written to only where nobody else holds it, and no other argument
  is the same: else the result has memory of its own, into which the data are copied.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define internal ptr @take_given(ptr %spec, ptr %frame, ptr %registers, i64 %number) nounwind {
entry:
  %inputs = get ptr %spec + $spec_inputs
  %count = get i64 %spec + $spec_n_inputs
  %input = record %inputs [%number] of $input_size
  %register = get i64 %input + $input_register
  %object = get ptr %registers [%register]
  %type = get ptr %object + $TYPE
  when %type is array ? %look : %no
look:
  %block = get ptr %object + $ARRAY_BLOCK
  %raw = get ptr %object + $ARRAY_RAW
  %has_block = icmp ne ptr %block, null
  %unseen = icmp eq ptr %raw, null
  %owns = and i1 %has_block, %unseen
  when %owns ? %holders : %no
holders:
  %references = get i32 %block + $REFERENCES
  %data = get ptr %block + $BLOCK_DATA
  %given = get ptr %frame [%number]
  %alone = icmp eq i32 %references, 1
  %there = icmp eq ptr %data, %given
  %own = and i1 %alone, %there
  when %own ? %others : %no
others:
  br label %head
head:
  count %i to %count ? %body : %take, from %others, %next from %body
body:
  %address = get ptr %frame [%i]
  %next = add i64 %i, 1
  %same = icmp eq ptr %address, %data
  %another = icmp ne i64 %i, %number
  %clash = and i1 %same, %another
  when %clash ? %no : %head
take:
  %none = load ptr, ptr $known_none
  hold %none
  put ptr %none into %object + $ARRAY_RAW
  put ptr null into %object + $ARRAY_BLOCK
  ret ptr %block
no:
  ret ptr null
}

define internal i1 @run(ptr %spec, ptr %frame, ptr %registers) nounwind {
entry:
  %outputs = get ptr %spec + $spec_outputs
  %count = get i64 %spec + $spec_n_outputs
  %inputs = get i64 %spec + $spec_n_inputs
  %results = getelementptr ptr, ptr %frame, i64 %inputs
  %blocks = part %frame at %spec + $spec_at_blocks
  %arrays = part %frame at %spec + $spec_at_arrays
  br label %head
head:
  count %j to %count ? %body : %scratch, from %entry, %next from %made
body:
  %output = record %outputs [%j] of $output_size
  %class = get i64 %output + $output_class
  %bytes = get i64 %output + $output_bytes
  %over = get i64 %output + $output_over
  %number = sub i64 %over, 1
  put ptr null into %arrays [%j]
  when eq i64 %over, 0 ? %own : %look
look:
  %given = call ptr @take_given(ptr %spec, ptr %frame, ptr %registers, i64 %number)
  when eq ptr %given, null ? %own : %made
own:
  %array = call ptr @take_whole(i64 %class)
  put ptr %array into %arrays [%j]
  when eq ptr %array, null ? %allot : %reuse
reuse:
  %its_block = get ptr %array + $ARRAY_BLOCK
  put i64 %bytes into %its_block + $BLOCK_BYTES
  br label %fill
allot:
  %own_block = call ptr @block_of(i64 %class, i64 %bytes)
  when eq ptr %own_block, null ? %failed : %fill
fill:
  %new_block = phi ptr [%its_block, %reuse], [%own_block, %allot]
  %new_held = phi ptr [null, %reuse], [%own_block, %allot]
  when eq i64 %over, 0 ? %made : %copy
copy:
  %to = get ptr %new_block + $BLOCK_DATA
  %source = get ptr %frame [%number]
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %source, i64 %bytes, i1 false)
  br label %made
made:
  %block = phi ptr [%given, %look], [%new_block, %fill], [%new_block, %copy]
  %held_block = phi ptr [%given, %look], [%new_held, %fill], [%new_held, %copy]
  put ptr %held_block into %blocks [%j]
  %data = get ptr %block + $BLOCK_DATA
  put ptr %data into %results [%j]
  %next = add i64 %j, 1
  br label %head
scratch:
  %arena_bytes = get i64 %spec + $spec_arena_bytes
  %no_arena = icmp eq i64 %arena_bytes, 0
  when %no_arena ? %start : %reserve
reserve:
  %taken = call ptr @oakum_block(i64 %arena_bytes)
  when eq ptr %taken, null ? %failed : %reserved
reserved:
  %taken_data = get ptr %taken + $BLOCK_DATA
  br label %start
start:
  %arena = phi ptr [null, %scratch], [%taken, %reserved]
  %memory = phi ptr [null, %scratch], [%taken_data, %reserved]
  %entry_point = get ptr %spec + $spec_entry
  %context = get ptr %spec + $spec_context
  %guard = get ptr %spec + $spec_guard
  when eq ptr %guard, null ? %at_once : %alone
at_once:
  call void %entry_point(ptr %frame, ptr %context, ptr %memory)
  br label %ran
alone:
  %owners = part %frame at %spec + $spec_at_owners
  br label %owner
owner:
  count %i to %inputs ? %hold_owner : %guarded, from %alone, %i_next from %hold_owner
hold_owner:
  %each = get ptr %owners [%i]
  hold %each
  %i_next = add i64 %i, 1
  br label %owner
guarded:
  %whole = call i1 %guard(ptr %entry_point, ptr %frame, ptr %context, ptr %memory)
  call void @let_go(ptr %owners, i64 %inputs)
  when %whole ? %ran : %left
left:
  when %no_arena ? %left_without : %left_with
left_with:
  release %arena
  br label %left_without
left_without:
  %raised = call ptr @PyErr_Occurred()
  when eq ptr %raised, null ? %settle : %failed
ran:
  when %no_arena ? %settle : %give_back
give_back:
  release %arena
  br label %settle
settle:
  %settles = get ptr %spec + $spec_settle
  when eq ptr %settles, null ? %end : %ask
ask:
  %none_object = load ptr, ptr $known_none
  %settled = call ptr @PyObject_CallOneArg(ptr %settles, ptr %none_object)
  when eq ptr %settled, null ? %failed : %good
good:
  release %settled
  br label %end
end:
  ret i1 true
failed:
  %allotted = phi i64 [%j, %allot], [%j, %reserve], [%count, %ask], [%count, %left_without]
  call void @unmake(ptr %blocks, ptr %arrays, i64 %allotted)
  ret i1 false
}

define internal ptr @launch(ptr %spec, ptr %frame, ptr %registers) nounwind {
entry:
  %keeper = get ptr %spec + $spec_owner
  hold %keeper
  %owners = part %frame at %spec + $spec_at_owners
  %inputs = get i64 %spec + $spec_n_inputs
  %place = get ptr %owners [%inputs]
  %hits = get i64 %spec + $spec_hits
  %more_hits = add i64 %hits, 1
  put i64 %more_hits into %spec + $spec_hits
  %device = get ptr %spec + $spec_device
  when eq ptr %device, null ? %here : %there
here:
  %ran_here = call i1 @run(ptr %spec, ptr %frame, ptr %registers)
  br label %tried
there:
  %ran_there = call i1 @run_on_device(ptr %spec, ptr %frame, ptr %registers)
  br label %tried
tried:
  %ran = phi i1 [%ran_here, %here], [%ran_there, %there]
  when %ran ? %after : %end
after:
  %donates = get i64 %spec + $spec_donates
  when eq i64 %donates, 0 ? %finish : %give
give:
  call void @donate(ptr %spec, ptr %registers)
  br label %finish
finish:
  %made = call ptr @finish(ptr %spec, ptr %frame, ptr %place)
  br label %end
end:
  %result = phi ptr [null, %tried], [%made, %finish]
  release %keeper
  ret ptr %result
}
"""
