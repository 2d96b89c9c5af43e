"""The text of the chunk pool: threads that share the chunks of one job with the one that calls.

    void oakum_parallel(ptr kernel, ptr buffers, i64 chunks)

calls `kernel(buffers, chunk, chunks)` for each chunk below `chunks`, in any order and on any
thread, and comes back when all are done. The caller works too: it waits for chunks that a worker
has begun, never for a worker to wake up. So the pool is correct without workers: where no thread
can be started, and in the child of a fork.

One job runs at a time. Who finds the pool taken (another thread of the program, or a kernel that
calls it again) runs all its chunks itself, and waits for nobody.

Why a worker never runs a chunk with the kernel of another job, and never loses one:
- `@lock` is held from before a job is written until all its chunks are done: there is one writer.
- `@word` is `chunks << 32 | next`. A chunk is claimed by adding one to it. What the addition gives
  back decides, not what was read before: it names job and chunk together, in one atomic step.
  However late a worker is, it claims a chunk of the job that is in the word now, or none.
- `@job` is read after the claim. The claim acquires what the owner released with the word (other
  additions between them do not break that), so the kernel is not older than the word. It is not
  newer either: the next job is written when `@done` has reached `chunks`, and this claim's chunk is
  not counted in it before its kernel has come back.
- `@done` is set to zero by the next owner, after all additions of the job before: that owner waited
  for them (or this one took the lock from who did). After its addition a worker touches nothing of
  the job.
- `next` does not run over into `chunks`: a thread adds only after it saw `next < chunks`, so each
  overshoots once a job at most; jobs have fewer than 2^31 chunks, and each writes the word anew.

Why nobody sleeps for ever:
- A worker sleeps while `@turn` is what it was before it looked for chunks. The owner writes the
  word, then adds to `@turn`, then reads `@sleepers`; a worker adds to `@sleepers`, then (within the
  call that puts it to sleep) reads `@turn`. All are sequentially consistent: the owner sees the
  sleeper and wakes it, or the sleeper sees the new turn. The same holds for `@waiting` and `@done`
  with the owner asleep, and for a worker beyond the limit, which sleeps on `@limit`. A new limit is
  a new turn, too: a worker that is beyond it leaves `@turn`, where it would be woken in vain.
- A wake that comes late, of a job that is over, makes its sleeper look once more: no harm.

How a job is given up, when a signal has its owner leave (see `interruption`), so that no worker
writes to memory that the caller has back:
- `@cancel_job` takes the chunks out of the word, so that no worker claims one more. A worker is
  marked as busy before it looks at the word and until its last claim is over; both are sequentially
  consistent, so it finds the word empty, or the owner finds it busy.
- A worker in a kernel is made to leave it, by a signal whose handler jumps behind the claims. The
  signal is SIGURG, as nothing is done with it by default and nobody relies on how often it comes;
  the handler stands for this moment only. It jumps out of the kernel alone: kernels lock nothing.
- The owner waits until no worker is busy, then gives the pool back. It is not left itself while it
  takes the pool, starts threads, or gives the pool back.
"""

from __future__ import annotations

import signal
from string import Template
from typing import Final

from oakum.compile.native import interruption, jit_link, os_threads_ir
from oakum.compile.native.target import Target

MOST: Final = 512
"""The most threads, whatever is asked for."""

ENTRY: Final = jit_link.PARALLEL
LIMIT: Final = "oakum_parallel_limit"
"""`void (i32)`: how many threads take part from now on, the caller counted."""
RESET: Final = "oakum_parallel_reset"
"""`void ()`: forgets all threads; before the first call, and in the child of a fork."""
STARTED: Final = "oakum_parallel_started"
"""`i32 ()`: how many threads there are, the first caller counted."""
EXPORTS: Final = (ENTRY, LIMIT, RESET, STARTED)

_SERIAL: Final = """
define internal void @serially(ptr %kernel, ptr %buffers, i64 %chunks) nounwind {
entry:
  br label %head
head:
  %chunk = phi i64 [0, %entry], [%next, %body]
  %more = icmp slt i64 %chunk, %chunks
  br i1 %more, label %body, label %end
body:
  call void %kernel(ptr %buffers, i64 %chunk, i64 %chunks)
  %next = add i64 %chunk, 1
  br label %head
end:
  ret void
}
"""

_ALONE: Final = """
define void @oakum_parallel(ptr %kernel, ptr %buffers, i64 %chunks) nounwind {
  call void @serially(ptr %kernel, ptr %buffers, i64 %chunks)
  ret void
}
define void @oakum_parallel_limit(i32 %threads) nounwind {
  ret void
}
define void @oakum_parallel_reset() nounwind {
  ret void
}
define i32 @oakum_parallel_started() nounwind {
  ret i32 1
}
"""

_SHARED: Final = """
@lock = internal global i32 0, align 64
@word = internal global i64 0, align 64
@done = internal global i32 0, align 64
@waiting = internal global i32 0, align 64
@job = internal global [2 x ptr] zeroinitializer, align 64
@turn = internal global i32 0, align 64
@sleepers = internal global i32 0, align 64
@limit = internal global i32 1, align 64
@started = internal global i32 1, align 64

@cancelled = internal global i32 0, align 64
@outside = internal global i32 0, align 64
@slots = internal global [$MOST x [4 x i64]] zeroinitializer, align 64
; Of each worker: its thread, whether it is busy, whether it is in a kernel, where it jumps to.

declare i32 @_setjmp(ptr) returns_twice
declare void @_longjmp(ptr, i32) noreturn
declare i64 @pthread_self()
declare i32 @pthread_kill(i64, i32)
declare i32 @sigaction(i32, ptr, ptr)
declare i32 @usleep(i32)
declare void @oakum_hold()
declare void @oakum_go_on(ptr)

define internal void @claim_chunks(ptr %inside) nounwind {
entry:
  br label %head
head:
  %seen = load atomic i64, ptr @word monotonic, align 8
  %seen_next = and i64 %seen, 4294967295
  %seen_chunks = lshr i64 %seen, 32
  %left = icmp ult i64 %seen_next, %seen_chunks
  br i1 %left, label %claim, label %end
claim:
  %word = atomicrmw add ptr @word, i64 1 acq_rel
  %chunk = and i64 %word, 4294967295
  %chunks = lshr i64 %word, 32
  %mine = icmp ult i64 %chunk, %chunks
  br i1 %mine, label %run, label %end
run:
  %kernel = load ptr, ptr @job
  %buffers = load ptr, ptr getelementptr (ptr, ptr @job, i64 1)
  store volatile i32 1, ptr %inside
  call void %kernel(ptr %buffers, i64 %chunk, i64 %chunks)
  store volatile i32 0, ptr %inside
  %before = atomicrmw add ptr @done, i32 1 seq_cst
  %after = add i32 %before, 1
  %all = trunc i64 %chunks to i32
  %last = icmp eq i32 %after, %all
  br i1 %last, label %tell, label %head
tell:
  %asleep = load atomic i32, ptr @waiting seq_cst, align 4
  %none = icmp eq i32 %asleep, 0
  br i1 %none, label %head, label %wake
wake:
  call void @wake(ptr @done, i32 1)
  br label %head
end:
  ret void
}

define internal void @claim_or_leave(ptr %slot) nounwind {
entry:
  %jump = alloca $JUMP, align 16
  %busy = getelementptr i64, ptr %slot, i64 1
  %inside = getelementptr i64, ptr %slot, i64 2
  %target = getelementptr i64, ptr %slot, i64 3
  store atomic i32 1, ptr %busy seq_cst, align 8
  %returned = call i32 @_setjmp(ptr %jump) returns_twice
  %left = icmp ne i32 %returned, 0
  br i1 %left, label %end, label %claim
claim:
  store volatile ptr %jump, ptr %target
  call void @claim_chunks(ptr %inside)
  br label %end
end:
  store atomic i32 0, ptr %busy seq_cst, align 8
  ret void
}

define internal void @leave_kernel(i32 %signal) nounwind {
entry:
  %self = call i64 @pthread_self()
  %cancelled = load atomic i32, ptr @cancelled seq_cst, align 4
  %wanted = icmp ne i32 %cancelled, 0
  br i1 %wanted, label %head, label %end
head:
  %i = phi i64 [0, %entry], [%next, %other]
  %more = icmp ult i64 %i, $MOST
  br i1 %more, label %look, label %end
look:
  %slot = getelementptr [4 x i64], ptr @slots, i64 %i
  %thread = load volatile i64, ptr %slot
  %mine = icmp eq i64 %thread, %self
  br i1 %mine, label %found, label %other
other:
  %next = add i64 %i, 1
  br label %head
found:
  %inside = getelementptr i64, ptr %slot, i64 2
  %in = load volatile i32, ptr %inside
  %runs = icmp ne i32 %in, 0
  br i1 %runs, label %jump, label %end
jump:
  store volatile i32 0, ptr %inside
  %target = getelementptr i64, ptr %slot, i64 3
  %place = load volatile ptr, ptr %target
  call void @_longjmp(ptr %place, i32 1)
  unreachable
end:
  ret void
}

define internal void @cancel_job() nounwind {
entry:
  %old = alloca [64 x i64], align 16
  %new = alloca [64 x i64], align 16
  %emptied = atomicrmw xchg ptr @word, i64 0 seq_cst
  store atomic i32 1, ptr @cancelled seq_cst, align 4
  store [64 x i64] zeroinitializer, ptr %new
  store ptr @leave_kernel, ptr %new
  %flags = getelementptr i8, ptr %new, i64 $AT_FLAGS
  store i32 $FLAGS, ptr %flags
  %set = call i32 @sigaction(i32 $KICK, ptr %new, ptr %old)
  br label %head
head:
  %i = phi i64 [0, %entry], [%next, %idle]
  %more = icmp ult i64 %i, $MOST
  br i1 %more, label %look, label %end
look:
  %slot = getelementptr [4 x i64], ptr @slots, i64 %i
  %busy = getelementptr i64, ptr %slot, i64 1
  %is_busy = load atomic i32, ptr %busy seq_cst, align 8
  %stays = icmp ne i32 %is_busy, 0
  br i1 %stays, label %kick, label %idle
kick:
  %thread = load volatile i64, ptr %slot
  %sent = call i32 @pthread_kill(i64 %thread, i32 $KICK)
  %slept = call i32 @usleep(i32 200)
  br label %look
idle:
  %next = add i64 %i, 1
  br label %head
end:
  %reset = call i32 @sigaction(i32 $KICK, ptr %old, ptr null)
  store atomic i32 0, ptr @cancelled seq_cst, align 4
  store atomic i32 0, ptr @waiting monotonic, align 4
  store atomic i32 0, ptr @lock release, align 4
  ret void
}

define internal ptr @work(ptr %self) nounwind {
entry:
  %wide = ptrtoint ptr %self to i64
  %id = trunc i64 %wide to i32
  %slot = getelementptr [4 x i64], ptr @slots, i64 %wide
  %thread = call i64 @pthread_self()
  store volatile i64 %thread, ptr %slot
  br label %top
top:
  %limit = load atomic i32, ptr @limit seq_cst, align 4
  %active = icmp ult i32 %id, %limit
  br i1 %active, label %look, label %park
park:
  call void @sleep_while(ptr @limit, i32 %limit)
  br label %top
look:
  %turn = load atomic i32, ptr @turn acquire, align 4
  call void @claim_or_leave(ptr %slot)
  br label %spin
spin:
  %spins = phi i32 [0, %look], [%spun, %pause]
  %now = load atomic i32, ptr @turn acquire, align 4
  %new = icmp ne i32 %now, %turn
  br i1 %new, label %top, label %patience
patience:
  %tired = icmp uge i32 %spins, 2000
  br i1 %tired, label %sleep, label %pause
pause:
  call void @pause()
  %spun = add i32 %spins, 1
  br label %spin
sleep:
  %more = atomicrmw add ptr @sleepers, i32 1 seq_cst
  call void @sleep_while(ptr @turn, i32 %turn)
  %fewer = atomicrmw sub ptr @sleepers, i32 1 seq_cst
  br label %top
}

define void @oakum_parallel(ptr %kernel, ptr %buffers, i64 %chunks) nounwind {
entry:
  %limit = load atomic i32, ptr @limit monotonic, align 4
  %threads = icmp sgt i32 %limit, 1
  %several = icmp sgt i64 %chunks, 1
  %countable = icmp ult i64 %chunks, 2147483648
  %some = and i1 %threads, %several
  %fit = and i1 %some, %countable
  br i1 %fit, label %try, label %alone
try:
  call void @oakum_hold()
  %pair = cmpxchg ptr @lock, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %pair, 1
  br i1 %taken, label %own, label %busy
busy:
  call void @oakum_go_on(ptr null)
  br label %alone
alone:
  call void @serially(ptr %kernel, ptr %buffers, i64 %chunks)
  ret void
own:
  %started = load i32, ptr @started
  %enough = icmp sge i32 %started, %limit
  br i1 %enough, label %publish, label %start
start:
  call void @start(i32 %started, i32 %limit)
  store i32 %limit, ptr @started
  br label %publish
publish:
  store ptr %kernel, ptr @job
  store ptr %buffers, ptr getelementptr (ptr, ptr @job, i64 1)
  store atomic i32 0, ptr @done monotonic, align 4
  %word = shl i64 %chunks, 32
  store atomic i64 %word, ptr @word release, align 8
  %turn = atomicrmw add ptr @turn, i32 1 seq_cst
  %sleepers = load atomic i32, ptr @sleepers seq_cst, align 4
  %none = icmp eq i32 %sleepers, 0
  br i1 %none, label %take_part, label %rouse
rouse:
  %narrow = trunc i64 %chunks to i32
  %others = sub i32 %narrow, 1
  call void @wake(ptr @turn, i32 %others)
  br label %take_part
take_part:
  call void @oakum_go_on(ptr @cancel_job)
  call void @claim_chunks(ptr @outside)
  br label %wait
wait:
  %spins = phi i32 [0, %take_part], [%spun, %pause]
  %done = load atomic i32, ptr @done acquire, align 4
  %all = trunc i64 %chunks to i32
  %complete = icmp eq i32 %done, %all
  br i1 %complete, label %finish, label %patience
patience:
  %tired = icmp uge i32 %spins, 2000
  br i1 %tired, label %lie_down, label %pause
pause:
  call void @pause()
  %spun = add i32 %spins, 1
  br label %wait
lie_down:
  store atomic i32 1, ptr @waiting seq_cst, align 4
  br label %sleep
sleep:
  %reached = load atomic i32, ptr @done seq_cst, align 4
  %over = icmp eq i32 %reached, %all
  br i1 %over, label %rise, label %doze
doze:
  call void @wait_while(ptr @done, i32 %reached)
  br label %sleep
rise:
  store atomic i32 0, ptr @waiting monotonic, align 4
  br label %finish
finish:
  call void @oakum_hold()
  store atomic i32 0, ptr @lock release, align 4
  call void @oakum_go_on(ptr null)
  ret void
}

define void @oakum_parallel_limit(i32 %threads) nounwind {
  store atomic i32 %threads, ptr @limit seq_cst, align 4
  %turn = atomicrmw add ptr @turn, i32 1 seq_cst
  call void @wake(ptr @limit, i32 2147483647)
  call void @wake(ptr @turn, i32 2147483647)
  ret void
}

define void @oakum_parallel_reset() nounwind {
  call void @prepare()
  store atomic i64 0, ptr @word seq_cst, align 8
  store atomic i32 0, ptr @done seq_cst, align 4
  store atomic i32 0, ptr @waiting seq_cst, align 4
  store atomic i32 0, ptr @turn seq_cst, align 4
  store atomic i32 0, ptr @sleepers seq_cst, align 4
  store i32 1, ptr @started
  store [$MOST x [4 x i64]] zeroinitializer, ptr @slots
  store atomic i32 0, ptr @lock seq_cst, align 4
  ret void
}

define i32 @oakum_parallel_started() nounwind {
  %started = load i32, ptr @started
  ret i32 %started
}
"""


def text(target: Target, *, futex: bool = True) -> str:
    """Returns the module of the pool for a machine.

    Where there are no POSIX threads, as on Windows, the caller runs all chunks, one after another;
    without `futex` threads sleep as on systems that have none.
    """
    threads = os_threads_ir.text(target.triple, futex=futex)
    if threads is None:
        return target.header + _SERIAL + _ALONE
    words = {"MOST": MOST, "KICK": int(signal.SIGURG), **interruption.words()}
    return target.header + _SERIAL + Template(_SHARED).substitute(words) + threads
