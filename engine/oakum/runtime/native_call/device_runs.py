"""The run of a specification on a device that has memory of its own.

`@run_on_device` copies arguments of the host to the device, takes memory for the results, replays
the recording for the addresses of this call or launches the kernels, and has Python run the program
where neither is there.

Invariants:
- An array that was copied holds its copy. A number is copied where it is another one than the last
  time: the specification has the last copy of each argument.
- Memory that was given away is a result's where nobody else holds it; else it is copied.
- The memory of arguments is held over the run: code of Python's may run in between.
- Launches are made with the interpreter's lock: the table of their addresses is on the stack, and
  no other call comes in between.
"""

from __future__ import annotations

from typing import Final

from oakum.runtime.native_call.llvm_text import Record
from oakum.runtime.prepared_launch import DEVICE_WORDS, MOVED_WORDS, PROGRAM_WORDS


def names() -> dict[str, int]:
    """Returns the names of texts."""
    words = {"device": DEVICE_WORDS, "program": PROGRAM_WORDS, "moved": MOVED_WORDS}
    return {key: at for name in words for key, at in Record(name, words[name]).offsets().items()}


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
  %arena_bucket = get ptr %program + $program_arena_bucket
  %arena = call ptr @device_array(ptr %spec, i64 %arena_bytes, ptr %arena_bucket)
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

define internal ptr @call_with_place(ptr %function, ptr %words) nounwind {
entry:
  %place = ptrtoint ptr %words to i64
  %number = call ptr @PyLong_FromLongLong(i64 %place)
  when eq ptr %number, null ? %no : %ask
ask:
  %made = call ptr @PyObject_CallOneArg(ptr %function, ptr %number)
  release %number
  ret ptr %made
no:
  ret ptr null
}

define internal ptr @sent_bytes(ptr %spec, ptr %host, i64 %bytes, i64 %is_number) nounwind {
entry:
  %words = alloca [4 x i64]
  put ptr %host into %words + $moved_source
  put i64 %bytes into %words + $moved_bytes
  put i64 %is_number into %words + $moved_is_number
  %function = get ptr %spec + $spec_put
  %made = call ptr @call_with_place(ptr %function, ptr %words)
  ret ptr %made
}

define internal ptr @sent(ptr %spec, ptr %input, i64 %number, ptr %host) nounwind {
entry:
  %key = alloca [2 x i64]
  %bytes = get i64 %input + $input_bytes
  %rank = get i64 %input + $input_rank
  %is_scalar = icmp eq i64 %rank, 0
  %fits = icmp ule i64 %bytes, 16
  %is_number = and i1 %is_scalar, %fits
  when %is_number ? %look : %array
array:
  %made = call ptr @sent_bytes(ptr %spec, ptr %host, i64 %bytes, i64 0)
  ret ptr %made
look:
  put i64 0 into %key + 0
  put i64 0 into %key + 8
  call void @llvm.memcpy.p0.p0.i64(ptr %key, ptr %host, i64 %bytes, i1 false)
  %low = get i64 %key + 0
  %high = get i64 %key + 8
  %low_before = get i64 %input + $input_low
  %high_before = get i64 %input + $input_high
  %copies = get ptr %spec + $spec_copies
  %items = get ptr %copies + $LIST_ITEMS
  %before = get ptr %items [%number]
  %is_known = icmp ne ptr %before, null
  %same_low = icmp eq i64 %low, %low_before
  %same_high = icmp eq i64 %high, %high_before
  %same = and i1 %same_low, %same_high
  %is_there = is %before none
  %is_sent = xor i1 %is_there, true
  %both = and i1 %same, %is_sent
  when %both ? %again : %send
again:
  hold %before
  ret ptr %before
send:
  %copy = call ptr @sent_bytes(ptr %spec, ptr %host, i64 %bytes, i64 1)
  when eq ptr %copy, null ? %no : %keep
keep:
  hold %copy
  %status = call i32 @PyList_SetItem(ptr %copies, i64 %number, ptr %copy)
  put i64 %low into %input + $input_low
  put i64 %high into %input + $input_high
  ret ptr %copy
no:
  ret ptr null
}

define internal i1 @send(ptr %spec, ptr %frame, ptr %owners) nounwind {
entry:
  %inputs = get ptr %spec + $spec_inputs
  %count = get i64 %spec + $spec_n_inputs
  br label %head
head:
  count %i to %count ? %body : %yes, from %entry, %next from %after
body:
  %owner = get ptr %owners [%i]
  %next = add i64 %i, 1
  %type = get ptr %owner + $TYPE
  when %type is storage ? %after : %host
host:
  %is_array = is %type array
  when %is_array ? %array : %copy
array:
  %its = get ptr %owner + $ARRAY_STORAGE
  when eq ptr %its, null ? %copy : %again
again:
  ; it was copied as another argument
  hold %its
  br label %use
copy:
  %input = record %inputs [%i] of $input_size
  %data = get ptr %frame [%i]
  %made = call ptr @sent(ptr %spec, ptr %input, i64 %i, ptr %data)
  when eq ptr %made, null ? %no : %whose
whose:
  when %is_array ? %attach : %use
attach:
  hold %made
  %before = get ptr %owner + $ARRAY_STORAGE
  put ptr %made into %owner + $ARRAY_STORAGE
  when eq ptr %before, null ? %use : %drop
drop:
  release %before
  br label %use
use:
  %storage = phi ptr [%its, %again], [%made, %whose], [%made, %attach], [%made, %drop]
  put ptr %storage into %owners [%i]
  %number = get ptr %storage + $STORAGE_ADDRESS
  %address = call i64 @number_in(ptr %number)
  put i64 %address into %frame [%i]
  release %owner
  br label %after
after:
  br label %head
yes:
  ret i1 true
no:
  ret i1 false
}

define internal i1 @copy_there(ptr %spec, i64 %source, i64 %to, i64 %bytes) nounwind {
entry:
  %words = alloca [4 x i64]
  when eq i64 %bytes, 0 ? %yes : %copy
copy:
  put i64 %source into %words + $moved_source
  put i64 %to into %words + $moved_to
  put i64 %bytes into %words + $moved_bytes
  put i64 0 into %words + $moved_is_number
  %function = get ptr %spec + $spec_copy
  %made = call ptr @call_with_place(ptr %function, ptr %words)
  when eq ptr %made, null ? %no : %done
done:
  release %made
  br label %yes
yes:
  ret i1 true
no:
  ret i1 false
}

define internal i1 @run_on_device(ptr %spec, ptr %frame, ptr %registers) nounwind {
entry:
  %outputs = get ptr %spec + $spec_outputs
  %count = get i64 %spec + $spec_n_outputs
  %leaves = get ptr %spec + $spec_inputs
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
  %is_sent = call i1 @send(ptr %spec, ptr %frame, ptr %owners)
  when %is_sent ? %sent : %failed
sent:
  br label %head
head:
  count %j to %count ? %body : %start, from %sent, %next from %marked
body:
  %output = record %outputs [%j] of $output_size
  %next = add i64 %j, 1
  %bytes = get i64 %output + $output_bytes
  %over = get i64 %output + $output_over
  %number = sub i64 %over, 1
  when eq i64 %over, 0 ? %fresh : %given
given:
  %leaf = record %leaves [%number] of $input_size
  %register = get i64 %leaf + $input_register
  %object = get ptr %registers [%register]
  %taken = call ptr @take_given_there(ptr %object)
  when eq ptr %taken, null ? %fresh : %made
fresh:
  %bucket = get ptr %output + $output_bucket
  %new = call ptr @device_array(ptr %spec, i64 %bytes, ptr %bucket)
  when eq ptr %new, null ? %failed : %whole
whole:
  when eq i64 %over, 0 ? %made : %copy
copy:
  put ptr %new into %arrays [%j]
  %source = get i64 %frame [%number]
  %to = call i64 @address_of(ptr %new)
  %is_copied = call i1 @copy_there(ptr %spec, i64 %source, i64 %to, i64 %bytes)
  when %is_copied ? %made : %failed
made:
  %array = phi ptr [%taken, %given], [%new, %whole], [%new, %copy]
  put ptr %array into %arrays [%j]
  %address = call i64 @address_of(ptr %array)
  put i64 %address into %results [%j]
  %origin = get ptr %output + $output_origin
  %storage = get ptr %array + $ARRAY_STORAGE
  %before = get ptr %storage + $STORAGE_ORIGIN
  when eq ptr %origin, %before ? %marked : %mark
mark:
  hold %origin
  put ptr %origin into %storage + $STORAGE_ORIGIN
  release %before
  br label %marked
marked:
  br label %head
start:
  %ran = call i1 @queue_program(ptr %spec, ptr %frame)
  when %ran ? %end : %failed
end:
  call void @let_go(ptr %owners, i64 %inputs)
  ret i1 true
failed:
  %allotted = phi i64 [0, %held], [%j, %fresh], [%next, %copy], [%count, %start]
  call void @unmake(ptr %blocks, ptr %arrays, i64 %allotted)
  call void @let_go(ptr %owners, i64 %inputs)
  ret i1 false
}
"""
