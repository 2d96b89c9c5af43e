"""The text by which native threads start, sleep and wake on a system.

It defines what the pool needs, each internal to its module:

    void @prepare()                           before anything else, and in the child of a fork
    void @start(i32 first, i32 end)           starts threads that run `@work(ptr id)`
    void @sleep_while(ptr word, i32 value)    unless the word is another; may wake for nothing
    void @wait_while(ptr word, i32 value)     the same, holding nothing: it may be left by a jump
    void @wake(ptr word, i32 count)           wakes so many at least of those who sleep on the word
    void @pause()                             between two looks at a word

Who wakes changes the word before; then nobody who slept for the old value sleeps on.
"""

from __future__ import annotations

import signal
from typing import Final

_FUTEX: Final = {
    "x86_64": 202,
    "aarch64": 98,
    "riscv64": 98,
    "loongarch64": 98,
    "powerpc64le": 221,
    "s390x": 238,
}
"""The number of the system call on Linux."""

_FUTEX_SLEEP: Final = """
declare i64 @syscall(i64, ...)
define internal void @prepare() nounwind {
  ret void
}
define internal void @sleep_while(ptr %word, i32 %value) nounwind {
  %code = call i64 (i64, ...) @syscall(SLEEP, i32 %value, ptr null, ptr null, i32 0)
  ret void
}
define internal void @wake(ptr %word, i32 %count) nounwind {
  %code = call i64 (i64, ...) @syscall(WAKE, i32 %count, ptr null, ptr null, i32 0)
  ret void
}
define internal void @wait_while(ptr %word, i32 %value) nounwind {
  call void @sleep_while(ptr %word, i32 %value)
  ret void
}
"""

_CONDITION_SLEEP: Final = """
@mutex = internal global [16 x i64] zeroinitializer, align 64
@condition = internal global [16 x i64] zeroinitializer, align 64
declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_broadcast(ptr)
define internal void @prepare() nounwind {
  store [16 x i64] zeroinitializer, ptr @mutex
  store [16 x i64] zeroinitializer, ptr @condition
  %a = call i32 @pthread_mutex_init(ptr @mutex, ptr null)
  %b = call i32 @pthread_cond_init(ptr @condition, ptr null)
  ret void
}
define internal void @sleep_while(ptr %word, i32 %value) nounwind {
entry:
  %a = call i32 @pthread_mutex_lock(ptr @mutex)
  %now = load atomic i32, ptr %word seq_cst, align 4
  %same = icmp eq i32 %now, %value
  br i1 %same, label %sleep, label %end
sleep:
  %b = call i32 @pthread_cond_wait(ptr @condition, ptr @mutex)
  br label %end
end:
  %c = call i32 @pthread_mutex_unlock(ptr @mutex)
  ret void
}
define internal void @wake(ptr %word, i32 %count) nounwind {
  %a = call i32 @pthread_mutex_lock(ptr @mutex)
  %b = call i32 @pthread_cond_broadcast(ptr @condition)
  %c = call i32 @pthread_mutex_unlock(ptr @mutex)
  ret void
}
define internal void @wait_while(ptr %word, i32 %value) nounwind {
  %a = call i32 @usleep(i32 50)
  ret void
}
"""

_START: Final = """
declare i32 @pthread_attr_init(ptr)
declare i32 @pthread_attr_setstacksize(ptr, i64)
declare i32 @pthread_attr_destroy(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(i64)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @sigfillset(ptr)
declare i32 @sigdelset(ptr, i32)
define internal void @start(i32 %first, i32 %end) nounwind {
entry:
  %attributes = alloca [16 x i64], align 16
  %blocked = alloca [16 x i64], align 16
  %before = alloca [16 x i64], align 16
  %thread = alloca i64, align 8
  %a = call i32 @pthread_attr_init(ptr %attributes)
  %b = call i32 @pthread_attr_setstacksize(ptr %attributes, i64 4194304)
  %c = call i32 @sigfillset(ptr %blocked)
UNBLOCKED
  %d = call i32 @pthread_sigmask(i32 SETMASK, ptr %blocked, ptr %before)
  br label %head
head:
  %id = phi i32 [%first, %entry], [%next, %detach]
  %more = icmp slt i32 %id, %end
  br i1 %more, label %create, label %finish
create:
  %wide = zext i32 %id to i64
  %self = inttoptr i64 %wide to ptr
  %e = call i32 @pthread_create(ptr %thread, ptr %attributes, ptr @work, ptr %self)
  %made = icmp eq i32 %e, 0
  br i1 %made, label %detach, label %finish
detach:
  %handle = load i64, ptr %thread
  %f = call i32 @pthread_detach(i64 %handle)
  %next = add i32 %id, 1
  br label %head
finish:
  %g = call i32 @pthread_sigmask(i32 SETMASK, ptr %before, ptr null)
  %h = call i32 @pthread_attr_destroy(ptr %attributes)
  ret void
}
"""

_PAUSES: Final = {
    "x86_64": ("declare void @llvm.x86.sse2.pause()", "call void @llvm.x86.sse2.pause()"),
    "aarch64": ("declare void @llvm.aarch64.isb(i32)", "call void @llvm.aarch64.isb(i32 15)"),
}
_TAKEN: Final = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGTRAP", "SIGURG")
"""Signals that a thread brings upon itself, and the one by which the pool has it leave a kernel:
these it must be able to take.
"""


def text(triple: str, *, futex: bool = True) -> str | None:
    """Returns the text for a system; None where the pool has no threads."""
    processor, system = _read_triple(triple)
    if system == "windows":
        return None
    number = _FUTEX.get(processor) if system == "linux" and futex else None
    sleep = _CONDITION_SLEEP if number is None else _futex_sleep(number)
    return sleep + _starting() + _pausing(processor)


def _futex_sleep(number: int) -> str:
    """Sleeping by the system call for words of one process: 128 waits, 129 wakes."""
    arguments = {"SLEEP": 128, "WAKE": 129}
    found = _FUTEX_SLEEP
    for name, operation in arguments.items():
        found = found.replace(name, f"i64 {number}, ptr %word, i64 {operation}")
    return found


def _read_triple(triple: str) -> tuple[str, str]:
    processor = triple.partition("-")[0]
    processor = {"arm64": "aarch64", "amd64": "x86_64"}.get(processor, processor)
    systems = {"linux": "linux", "windows": "windows", "win32": "windows", "mingw": "windows"}
    found = (name for part, name in systems.items() if part in triple)
    return processor, next(found, "posix")


def _pausing(processor: str) -> str:
    """What a thread does between two looks at a word that it waits for."""
    declared, call = _PAUSES.get(processor, ("", ""))
    return f"{declared}\ndefine internal void @pause() nounwind {{\n  {call}\n  ret void\n}}\n"


def _starting() -> str:
    """Workers take no other signals, which are for the threads of the program."""
    numbers = [int(getattr(signal, name)) for name in _TAKEN if hasattr(signal, name)]
    unblocked = "\n".join(
        f"  %s{number} = call i32 @sigdelset(ptr %blocked, i32 {number})" for number in numbers
    )
    mask = str(int(getattr(signal, "SIG_SETMASK", 2)))
    return _START.replace("UNBLOCKED", unblocked).replace("SETMASK", mask)
