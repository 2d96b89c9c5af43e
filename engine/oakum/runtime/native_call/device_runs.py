"""The run of a specification on a device that has memory of its own.

`@run_on_device` takes memory for the results, replays the recording for the addresses of this call
or launches the kernels, and has Python run the program where neither is there.

Invariants:
- The memory of arguments is held over the run: code of Python's may run in between.
- Launches are made with the interpreter's lock: the table of their addresses is on the stack, and
  no other call comes in between.
"""

from __future__ import annotations

from typing import Final

from oakum.runtime.native_call.llvm_text import Record
from oakum.runtime.prepared_launch import DEVICE_WORDS, PROGRAM_WORDS


def names() -> dict[str, int]:
    """Returns the names of texts."""
    device, program = Record("device", DEVICE_WORDS), Record("program", PROGRAM_WORDS)
    return {**device.offsets(), **program.offsets()}


TEXT: Final = """
define internal void @note_program(ptr %device, i64 %number) nounwind {
entry:
  %queued = get ptr %device + $device_queued
  when eq ptr %queued, null ? %end : %look
look:
  %names = getelementptr i8, ptr %queued, i64 8
  %count = get i64 %queued + 0
  %at = and i64 %count, 7
  %last = get i64 %names [%at]
  when eq i64 %last, %number ? %end : %add
add:
  %more = add i64 %count, 1
  %place = and i64 %more, 7
  put i64 %more into %queued + 0
  put i64 %number into %names [%place]
  br label %end
end:
  ret void
}

define internal ptr @recording_of(ptr %program, ptr %frame) nounwind {
entry:
  %recordings = get ptr %program + $program_recordings
  %count = get i64 %program + $program_n_recordings
  %arguments = get i64 %program + $program_arguments
  %size = add i64 %arguments, 1
  br label %head
head:
  count %i to %count ? %body : %no, from %entry, %next from %another
body:
  %next = add i64 %i, 1
  %first = mul i64 %i, %size
  %recording = getelementptr i64, ptr %recordings, i64 %first
  %addresses = getelementptr i64, ptr %recording, i64 1
  br label %compare
compare:
  count %k to %arguments ? %pair : %found, from %body, %k_next from %same
pair:
  %one = get i64 %addresses [%k]
  %two = get i64 %frame [%k]
  %k_next = add i64 %k, 1
  when eq i64 %one, %two ? %same : %another
same:
  br label %compare
another:
  br label %head
found:
  %handle = get ptr %recording + 0
  ret ptr %handle
no:
  ret ptr null
}

define internal i32 @launch_all(ptr %device, ptr %program, ptr %frame, i64 %arena) nounwind {
entry:
  %slots = get i64 %program + $program_slots
  %table = alloca i64, i64 %slots, align 16
  %most = get i64 %program + $program_most
  %parameters = alloca ptr, i64 %most, align 16
  %arguments = get i64 %program + $program_arguments
  %bytes = shl i64 %arguments, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %table, ptr %frame, i64 %bytes, i1 false)
  %constants = get ptr %program + $program_constants
  %n_constants = get i64 %program + $program_n_constants
  %constant_bytes = shl i64 %n_constants, 3
  %own = getelementptr i64, ptr %table, i64 %arguments
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %constants, i64 %constant_bytes, i1 false)
  %temporaries = getelementptr i64, ptr %own, i64 %n_constants
  %offsets = get ptr %program + $program_offsets
  %n_offsets = get i64 %program + $program_n_offsets
  br label %offset
offset:
  count %t to %n_offsets ? %place : %begin, from %entry, %t_next from %place
place:
  %by = get i64 %offsets [%t]
  %address = add i64 %arena, %by
  put i64 %address into %temporaries [%t]
  %t_next = add i64 %t, 1
  br label %offset
begin:
  %function = get ptr %device + $device_launch
  %stream = get ptr %device + $device_stream
  %launches = get ptr %program + $program_launches
  %n_launches = get i64 %program + $program_n_launches
  br label %head
head:
  %n = phi i64 [0, %begin], [%n_next, %following]
  %step = phi ptr [%launches, %begin], [%step_next, %following]
  when ult i64 %n, %n_launches ? %body : %good
body:
  %kernel = get ptr %step + 0
  %grid = get i64 %step + 8
  %threads = get i64 %step + 16
  %count = get i64 %step + 24
  %places = getelementptr i8, ptr %step, i64 32
  br label %parameter
parameter:
  count %k to %count ? %point : %ask, from %body, %k_next from %point
point:
  %at = get i64 %places [%k]
  %slot = getelementptr i64, ptr %table, i64 %at
  put ptr %slot into %parameters [%k]
  %k_next = add i64 %k, 1
  br label %parameter
ask:
  %n_next = add i64 %n, 1
  %step_next = getelementptr i64, ptr %places, i64 %count
  when eq i64 %grid, 0 ? %following : %queue
queue:
  %x = trunc i64 %grid to i32
  %width = trunc i64 %threads to i32
  %status = call i32 %function(ptr %kernel, i32 %x, i32 1, i32 1, i32 %width, i32 1, i32 1, i32 0,
    ptr %stream, ptr %parameters, ptr null)
  when eq i32 %status, 0 ? %following : %failed
following:
  br label %head
good:
  ret i32 0
failed:
  ret i32 %status
}

define internal ptr @device_array(ptr %spec, i64 %bytes) nounwind {
entry:
  %allot = get ptr %spec + $spec_allot
  %number = call ptr @PyLong_FromLongLong(i64 %bytes)
  when eq ptr %number, null ? %no : %ask
ask:
  %array = call ptr @PyObject_CallOneArg(ptr %allot, ptr %number)
  release %number
  when eq ptr %array, null ? %no : %untrack
untrack:
  ; as what is kept whole: the array is tracked when it has its aval
  call void @PyObject_GC_UnTrack(ptr %array)
  ret ptr %array
no:
  ret ptr null
}

define internal void @drop_array(ptr %array) nounwind {
entry:
  %type = load ptr, ptr $known_array
  revive %array of %type
  call void @PyObject_GC_Track(ptr %array)
  release %array
  ret void
}

define internal i64 @address_of(ptr %array) nounwind {
entry:
  %overflow = alloca i32
  %storage = get ptr %array + $ARRAY_STORAGE
  %number = get ptr %storage + $STORAGE_ADDRESS
  %address = call i64 @PyLong_AsLongLongAndOverflow(ptr %number, ptr %overflow)
  ret i64 %address
}

define internal i1 @ask_python(ptr %function, i64 %word) nounwind {
entry:
  %number = call ptr @PyLong_FromLongLong(i64 %word)
  when eq ptr %number, null ? %no : %ask
ask:
  %made = call ptr @PyObject_CallOneArg(ptr %function, ptr %number)
  release %number
  when eq ptr %made, null ? %no : %yes
yes:
  release %made
  ret i1 true
no:
  ret i1 false
}

define internal i1 @queue_program(ptr %spec, ptr %frame) nounwind {
entry:
  %device = get ptr %spec + $spec_device
  %program = get ptr %spec + $spec_program
  %number = get i64 %program + $program_number
  call void @note_program(ptr %device, i64 %number)
  %recording = call ptr @recording_of(ptr %program, ptr %frame)
  %n_launches = get i64 %program + $program_n_launches
  %is_recorded = icmp ne ptr %recording, null
  %has_launches = icmp ne i64 %n_launches, 0
  %is_native = or i1 %is_recorded, %has_launches
  when %is_native ? %enter : %python
enter:
  %set = get ptr %device + $device_enter
  %context = get ptr %device + $device_context
  %entered = call i32 %set(ptr %context)
  when eq i32 %entered, 0 ? %how : %failed
how:
  when %is_recorded ? %replay : %scratch
replay:
  %graph = get ptr %device + $device_graph
  %stream = get ptr %device + $device_stream
  %replayed = call i32 %graph(ptr %recording, ptr %stream)
  when eq i32 %replayed, 0 ? %good : %failed
scratch:
  %arena_bytes = get i64 %program + $program_arena_bytes
  when eq i64 %arena_bytes, 0 ? %launch : %reserve
reserve:
  %arena = call ptr @device_array(ptr %spec, i64 %arena_bytes)
  when eq ptr %arena, null ? %no : %reserved
reserved:
  %arena_address = call i64 @address_of(ptr %arena)
  br label %launch
launch:
  %memory = phi ptr [null, %scratch], [%arena, %reserved]
  %first = phi i64 [0, %scratch], [%arena_address, %reserved]
  %launched = call i32 @launch_all(ptr %device, ptr %program, ptr %frame, i64 %first)
  when eq ptr %memory, null ? %launches : %give_back
give_back:
  call void @drop_array(ptr %memory)
  br label %launches
launches:
  when eq i32 %launched, 0 ? %good : %failed
python:
  %run = get ptr %spec + $spec_run
  %place = ptrtoint ptr %frame to i64
  %ran = call i1 @ask_python(ptr %run, i64 %place)
  ret i1 %ran
failed:
  %status = phi i32 [%entered, %enter], [%replayed, %replay], [%launched, %launches]
  %fail = get ptr %spec + $spec_fail
  %wide = zext i32 %status to i64
  %passed = call i1 @ask_python(ptr %fail, i64 %wide)
  ret i1 %passed
good:
  ret i1 true
no:
  ret i1 false
}

define internal i1 @run_on_device(ptr %spec, ptr %frame) nounwind {
entry:
  %outputs = get ptr %spec + $spec_outputs
  %count = get i64 %spec + $spec_n_outputs
  %inputs = get i64 %spec + $spec_n_inputs
  %results = getelementptr ptr, ptr %frame, i64 %inputs
  %blocks = part %frame at %spec + $spec_at_blocks
  %arrays = part %frame at %spec + $spec_at_arrays
  %owners = part %frame at %spec + $spec_at_owners
  call void @clear(ptr %blocks, i64 %count)
  br label %owner
owner:
  count %i to %inputs ? %hold_owner : %held, from %entry, %i_next from %hold_owner
hold_owner:
  %each = get ptr %owners [%i]
  hold %each
  %i_next = add i64 %i, 1
  br label %owner
held:
  br label %head
head:
  count %j to %count ? %body : %start, from %held, %next from %made
body:
  %output = record %outputs [%j] of $output_size
  %bytes = get i64 %output + $output_bytes
  %array = call ptr @device_array(ptr %spec, i64 %bytes)
  when eq ptr %array, null ? %failed : %made
made:
  put ptr %array into %arrays [%j]
  %address = call i64 @address_of(ptr %array)
  put i64 %address into %results [%j]
  %next = add i64 %j, 1
  br label %head
start:
  %ran = call i1 @queue_program(ptr %spec, ptr %frame)
  when %ran ? %end : %failed
end:
  call void @let_go(ptr %owners, i64 %inputs)
  ret i1 true
failed:
  %allotted = phi i64 [%j, %body], [%count, %start]
  call void @unmake(ptr %blocks, ptr %arrays, i64 %allotted)
  call void @let_go(ptr %owners, i64 %inputs)
  ret i1 false
}
"""
