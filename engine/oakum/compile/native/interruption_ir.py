"""The text of the guards of native code: `interruption` says what each function does, and why.

What is read again after the jump back into a guard is volatile, in memory: registers are then what
they were at the first return.
"""

from typing import Final

GUARDED: Final = """
@armed = internal global i32 0
@light = internal global i32 0
@held = internal global i32 0
@pending = internal global i32 0
@forwarded = internal global i32 0
@target = internal global ptr null
@saved = internal global ptr null
@cancel = internal global ptr null
@previous = internal global ptr null

declare i32 @PyErr_CheckSignals()
declare i32 @_setjmp(ptr) returns_twice
declare void @_longjmp(ptr, i32) noreturn
declare i64 @pthread_self()
declare i32 @pthread_kill(i64, i32)
declare i32 @sigaction(i32, ptr, ptr)

define internal i1 @is_main() nounwind {
  %self = call i64 @pthread_self()
  %main = load i64, ptr @oakum_main
  %same = icmp eq i64 %self, %main
  ret i1 %same
}

define internal void @leave() nounwind {
entry:
  store volatile i32 0, ptr @armed
  %cancel = load volatile ptr, ptr @cancel
  store volatile ptr null, ptr @cancel
  %none = icmp eq ptr %cancel, null
  br i1 %none, label %jump, label %stop
stop:
  call void %cancel()
  br label %jump
jump:
  %target = load volatile ptr, ptr @target
  call void @_longjmp(ptr %target, i32 1)
  unreachable
}

define internal void @check() nounwind {
entry:
  br label %look
look:
  store volatile i32 0, ptr @armed
  store volatile i32 0, ptr @pending
  %before = load volatile ptr, ptr @saved
  call void @PyEval_RestoreThread(ptr %before)
  %code = call i32 @PyErr_CheckSignals()
  %thread = call ptr @PyEval_SaveThread()
  store volatile ptr %thread, ptr @saved
  %raised = icmp ne i32 %code, 0
  br i1 %raised, label %go, label %stay
go:
  call void @leave()
  unreachable
stay:
  store volatile i32 1, ptr @armed
  %pending = load volatile i32, ptr @pending
  %more = icmp ne i32 %pending, 0
  br i1 %more, label %look, label %end
end:
  ret void
}

define internal void @handle(i32 %signal, ptr %info, ptr %context) nounwind {
entry:
  %main = call i1 @is_main()
  %forwarded = load volatile i32, ptr @forwarded
  %known = icmp ne i32 %forwarded, 0
  %noted = and i1 %main, %known
  br i1 %noted, label %take, label %note
note:
  %previous = load volatile ptr, ptr @previous
  call void %previous(i32 %signal, ptr %info, ptr %context)
  br i1 %main, label %take, label %forward
forward:
  store volatile i32 1, ptr @forwarded
  %thread = load i64, ptr @oakum_main
  %sent = call i32 @pthread_kill(i64 %thread, i32 %signal)
  ret void
take:
  store volatile i32 0, ptr @forwarded
  store volatile i32 1, ptr @pending
  %armed = load volatile i32, ptr @armed
  %held = load volatile i32, ptr @held
  %free = sub i32 1, %held
  %may = and i32 %armed, %free
  %now = icmp ne i32 %may, 0
  br i1 %now, label %look, label %end
look:
  call void @check()
  br label %end
end:
  ret void
}

define internal void @install() nounwind {
entry:
  %old = alloca [64 x i64], align 16
  %new = alloca [64 x i64], align 16
  store [64 x i64] zeroinitializer, ptr %new
  %read = call i32 @sigaction(i32 $SIGNAL, ptr null, ptr %old)
  %handler = load ptr, ptr %old
  %ours = icmp eq ptr %handler, @handle
  br i1 %ours, label %end, label %look
look:
  %word = ptrtoint ptr %handler to i64
  %real = icmp ugt i64 %word, 1
  br i1 %real, label %replace, label %end
replace:
  store volatile ptr %handler, ptr @previous
  store ptr @handle, ptr %new
  %flags = getelementptr i8, ptr %new, i64 $AT_FLAGS
  store i32 $FLAGS, ptr %flags
  %written = call i32 @sigaction(i32 $SIGNAL, ptr %new, ptr null)
  br label %end
end:
  ret void
}

define i1 @oakum_guard(ptr %program, ptr %buffers, ptr %context, ptr %arena) nounwind {
entry:
  %jump = alloca $JUMP, align 16
  %outer_target = alloca ptr
  %outer_saved = alloca ptr
  %main = call i1 @is_main()
  br i1 %main, label %prepare, label %aside
aside:
  %whole_aside = call i1 @oakum_run_apart(ptr %program, ptr %buffers, ptr %context, ptr %arena)
  ret i1 %whole_aside
prepare:
  call void @install()
  store volatile i32 0, ptr @pending
  %code = call i32 @PyErr_CheckSignals()
  %raised = icmp ne i32 %code, 0
  br i1 %raised, label %refused, label %begin
refused:
  ret i1 false
begin:
  %target = load volatile ptr, ptr @target
  store volatile ptr %target, ptr %outer_target
  %saved = load volatile ptr, ptr @saved
  store volatile ptr %saved, ptr %outer_saved
  %thread = call ptr @PyEval_SaveThread()
  store volatile ptr %thread, ptr @saved
  %returned = call i32 @_setjmp(ptr %jump) returns_twice
  %left = icmp ne i32 %returned, 0
  br i1 %left, label %end, label %run
run:
  store volatile ptr %jump, ptr @target
  store volatile i32 1, ptr @armed
  %pending = load volatile i32, ptr @pending
  %early = icmp ne i32 %pending, 0
  br i1 %early, label %look, label %call
look:
  call void @check()
  br label %call
call:
  call void %program(ptr %buffers, ptr %context, ptr %arena)
  store volatile i32 0, ptr @armed
  br label %end
end:
  %whole = phi i1 [true, %call], [false, %begin]
  %mine = load volatile ptr, ptr @saved
  %had_target = load volatile ptr, ptr %outer_target
  store volatile ptr %had_target, ptr @target
  %had_saved = load volatile ptr, ptr %outer_saved
  store volatile ptr %had_saved, ptr @saved
  call void @PyEval_RestoreThread(ptr %mine)
  ret i1 %whole
}

define internal i32 @disarm() nounwind {
entry:
  %main = call i1 @is_main()
  br i1 %main, label %look, label %end
look:
  %armed = load volatile i32, ptr @armed
  %light = load volatile i32, ptr @light
  %twice = shl i32 %light, 1
  %state = or i32 %armed, %twice
  store volatile i32 0, ptr @armed
  store volatile i32 0, ptr @light
  br label %end
end:
  %result = phi i32 [0, %entry], [%state, %look]
  ret i32 %result
}

define internal void @arm_again(i32 %state, i32 %failed) nounwind {
entry:
  %is_failed = icmp ne i32 %failed, 0
  br i1 %is_failed, label %go, label %restore
go:
  call void @leave()
  unreachable
restore:
  %is_light = icmp eq i32 %state, 2
  br i1 %is_light, label %lighten, label %arm
lighten:
  store volatile i32 1, ptr @light
  ret void
arm:
  store volatile i32 1, ptr @armed
  %pending = load volatile i32, ptr @pending
  %more = icmp ne i32 %pending, 0
  br i1 %more, label %look, label %end
look:
  call void @check()
  br label %end
end:
  ret void
}

define i1 @oakum_guard_lightly(ptr %program, ptr %buffers, ptr %context, ptr %arena) nounwind {
entry:
  %jump = alloca $JUMP, align 16
  %outer_target = alloca ptr
  %outer_saved = alloca ptr
  %main = call i1 @is_main()
  br i1 %main, label %prepare, label %aside
aside:
  %whole_aside = call i1 @oakum_guard(ptr %program, ptr %buffers, ptr %context, ptr %arena)
  ret i1 %whole_aside
prepare:
  %target = load volatile ptr, ptr @target
  store volatile ptr %target, ptr %outer_target
  %saved = load volatile ptr, ptr @saved
  store volatile ptr %saved, ptr %outer_saved
  store volatile ptr null, ptr @saved
  %returned = call i32 @_setjmp(ptr %jump) returns_twice
  %left = icmp ne i32 %returned, 0
  br i1 %left, label %end, label %run
run:
  store volatile ptr %jump, ptr @target
  store volatile i32 1, ptr @light
  call void %program(ptr %buffers, ptr %context, ptr %arena)
  store volatile i32 0, ptr @armed
  br label %end
end:
  %whole = phi i1 [true, %run], [false, %prepare]
  store volatile i32 0, ptr @light
  %mine = load volatile ptr, ptr @saved
  %had_target = load volatile ptr, ptr %outer_target
  store volatile ptr %had_target, ptr @target
  %had_saved = load volatile ptr, ptr %outer_saved
  store volatile ptr %had_saved, ptr @saved
  %short = icmp eq ptr %mine, null
  br i1 %short, label %over, label %lock
lock:
  call void @PyEval_RestoreThread(ptr %mine)
  br label %over
over:
  ret i1 %whole
}

define void @oakum_persist() nounwind {
entry:
  %main = call i1 @is_main()
  br i1 %main, label %look, label %end
look:
  %light = load volatile i32, ptr @light
  %unarmed = icmp ne i32 %light, 0
  br i1 %unarmed, label %arm, label %end
arm:
  store volatile i32 0, ptr @light
  call void @install()
  %thread = call ptr @PyEval_SaveThread()
  store volatile ptr %thread, ptr @saved
  call void @check()
  br label %end
end:
  ret void
}

define void @oakum_hold() nounwind {
entry:
  %main = call i1 @is_main()
  br i1 %main, label %hold, label %end
hold:
  store volatile i32 1, ptr @held
  br label %end
end:
  ret void
}

define void @oakum_go_on(ptr %cancel) nounwind {
entry:
  %main = call i1 @is_main()
  br i1 %main, label %go_on, label %end
go_on:
  store volatile ptr %cancel, ptr @cancel
  store volatile i32 0, ptr @held
  %armed = load volatile i32, ptr @armed
  %pending = load volatile i32, ptr @pending
  %both = and i32 %armed, %pending
  %now = icmp ne i32 %both, 0
  br i1 %now, label %look, label %end
look:
  call void @check()
  br label %end
end:
  ret void
}
"""

SHARED: Final = """
@oakum_main = global i64 0

declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyLong_FromVoidPtr(ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare i32 @PyObject_IsTrue(ptr)
declare void @PyErr_WriteUnraisable(ptr)
declare void @Py_DecRef(ptr)

define i1 @oakum_run_apart(ptr %program, ptr %buffers, ptr %context, ptr %arena) nounwind {
  %thread = call ptr @PyEval_SaveThread()
  call void %program(ptr %buffers, ptr %context, ptr %arena)
  call void @PyEval_RestoreThread(ptr %thread)
  ret i1 true
}

define void @oakum_ask(ptr %object, i64 %number, ptr %table) nounwind {
entry:
  %arguments = alloca [2 x ptr]
  %second = getelementptr ptr, ptr %arguments, i64 1
  %before = call i32 @disarm()
  %guarded = icmp ne i32 %before, 0
  %state = call i32 @PyGILState_Ensure()
  %x = call ptr @PyLong_FromLongLong(i64 %number)
  %y = call ptr @PyLong_FromVoidPtr(ptr %table)
  store ptr %x, ptr %arguments
  store ptr %y, ptr %second
  %result = call ptr @PyObject_Vectorcall(ptr %object, ptr %arguments, i64 2, ptr null)
  call void @Py_DecRef(ptr %x)
  call void @Py_DecRef(ptr %y)
  %none = icmp eq ptr %result, null
  br i1 %none, label %raised, label %read
raised:
  br i1 %guarded, label %over, label %write
write:
  call void @PyErr_WriteUnraisable(ptr %object)
  br label %over
read:
  %true = call i32 @PyObject_IsTrue(ptr %result)
  call void @Py_DecRef(ptr %result)
  br label %over
over:
  %failed = phi i32 [1, %raised], [1, %write], [%true, %read]
  call void @PyGILState_Release(i32 %state)
  br i1 %guarded, label %arm, label %end
arm:
  call void @arm_again(i32 %before, i32 %failed)
  br label %end
end:
  ret void
}
"""

PLAIN: Final = """
define i1 @oakum_guard(ptr %program, ptr %buffers, ptr %context, ptr %arena) nounwind {
  %whole = call i1 @oakum_run_apart(ptr %program, ptr %buffers, ptr %context, ptr %arena)
  ret i1 %whole
}
define i1 @oakum_guard_lightly(ptr %program, ptr %buffers, ptr %context, ptr %arena) nounwind {
  %whole = call i1 @oakum_guard(ptr %program, ptr %buffers, ptr %context, ptr %arena)
  ret i1 %whole
}
define void @oakum_persist() nounwind {
  ret void
}
define void @oakum_hold() nounwind {
  ret void
}
define void @oakum_go_on(ptr %cancel) nounwind {
  ret void
}
define internal i32 @disarm() nounwind {
  ret i32 0
}
define internal void @arm_again(i32 %state, i32 %failed) nounwind {
  ret void
}
"""
"""Where no signal can interrupt."""
