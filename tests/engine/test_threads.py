"""The chunk pool: each chunk is run once, with its own job's kernel and buffers, whoever calls.

A fault here gives wrong numbers now and then, or a program that hangs. OAKUM_STRESS_JOBS=1000000
has each of the eight threads run so many jobs (20,000 otherwise, which takes a second).
"""

import ctypes
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from oakum import config
from oakum.compile.native import jit_link, target, thread_pool_ir, threads

JOBS = int(os.environ.get("OAKUM_STRESS_JOBS", "20000"))

# buffers: number of the job, its chunks, errors, its kernel, address of oakum_parallel, from 8 on a
# slot for each chunk. A kernel finds what does not belong to its job, or was run before.
KERNELS = """
define internal void @check(ptr %buffers, i64 %chunk, i64 %chunks, i64 %kernel) nounwind {
entry:
  %number = load i64, ptr %buffers
  %p1 = getelementptr i64, ptr %buffers, i64 1
  %expected = load i64, ptr %p1
  %p3 = getelementptr i64, ptr %buffers, i64 3
  %meant = load i64, ptr %p3
  %place = add i64 %chunk, 8
  %slot = getelementptr i64, ptr %buffers, i64 %place
  %before = load i64, ptr %slot
  %a = icmp eq i64 %before, %number
  %b = icmp ne i64 %expected, %chunks
  %c = icmp ne i64 %meant, %kernel
  %ab = or i1 %a, %b
  %wrong = or i1 %ab, %c
  store i64 %number, ptr %slot
  br i1 %wrong, label %count, label %end
count:
  %p2 = getelementptr i64, ptr %buffers, i64 2
  %old = atomicrmw add ptr %p2, i64 1 seq_cst
  br label %end
end:
  ret void
}
define void @even(ptr %buffers, i64 %chunk, i64 %chunks) nounwind {
  call void @check(ptr %buffers, i64 %chunk, i64 %chunks, i64 0)
  ret void
}
define void @odd(ptr %buffers, i64 %chunk, i64 %chunks) nounwind {
  call void @check(ptr %buffers, i64 %chunk, i64 %chunks, i64 1)
  ret void
}
define void @nested(ptr %buffers, i64 %chunk, i64 %chunks) nounwind {
  %p4 = getelementptr i64, ptr %buffers, i64 4
  %address = load i64, ptr %p4
  %parallel = inttoptr i64 %address to ptr
  %row = mul i64 %chunk, 64
  %place = add i64 %row, 64
  %inner = getelementptr i64, ptr %buffers, i64 %place
  call void %parallel(ptr @even, ptr %inner, i64 16)
  ret void
}
define void @meet(ptr %buffers, i64 %chunk, i64 %chunks) nounwind {
entry:
  %old = atomicrmw add ptr %buffers, i64 1 seq_cst
  br label %wait
wait:
  %rounds = phi i64 [0, %entry], [%round, %again]
  %here = load atomic i64, ptr %buffers seq_cst, align 8
  %all = icmp sge i64 %here, %chunks
  br i1 %all, label %end, label %again
again:
  %round = add i64 %rounds, 1
  %late = icmp ugt i64 %round, 10000000000
  br i1 %late, label %fail, label %wait
fail:
  store i64 -1000, ptr %buffers
  br label %end
end:
  ret void
}
define void @drive(ptr %parallel, ptr %buffers, i64 %jobs, i64 %seed) nounwind {
entry:
  br label %head
head:
  %number = phi i64 [1, %entry], [%following, %next]
  %more = icmp sle i64 %number, %jobs
  br i1 %more, label %body, label %end
body:
  %mixed = add i64 %number, %seed
  %spread = mul i64 %mixed, 11400714819323198485
  %high = lshr i64 %spread, 40
  %rest = urem i64 %high, 48
  %chunks = add i64 %rest, 1
  %kernel = and i64 %mixed, 1
  store i64 %number, ptr %buffers
  %p1 = getelementptr i64, ptr %buffers, i64 1
  store i64 %chunks, ptr %p1
  %p3 = getelementptr i64, ptr %buffers, i64 3
  store i64 %kernel, ptr %p3
  %is_odd = icmp eq i64 %kernel, 1
  %function = select i1 %is_odd, ptr @odd, ptr @even
  call void %parallel(ptr %function, ptr %buffers, i64 %chunks)
  br label %verify
verify:
  %chunk = phi i64 [0, %body], [%chunk1, %each]
  %bad = phi i64 [0, %body], [%bad1, %each]
  %place = add i64 %chunk, 8
  %slot = getelementptr i64, ptr %buffers, i64 %place
  %found = load i64, ptr %slot
  %same = icmp eq i64 %found, %number
  %inside = icmp slt i64 %chunk, %chunks
  %wrong = xor i1 %same, %inside
  %add = zext i1 %wrong to i64
  %bad1 = add i64 %bad, %add
  br i1 %inside, label %each, label %next
each:
  %chunk1 = add i64 %chunk, 1
  br label %verify
next:
  %p2 = getelementptr i64, ptr %buffers, i64 2
  %old = atomicrmw add ptr %p2, i64 %bad1 seq_cst
  %following = add i64 %number, 1
  br label %head
end:
  ret void
}
"""


@pytest.fixture(scope="module")
def kernels() -> jit_link.Library:
    return jit_link.link(target.host().header + KERNELS, ["even", "nested", "meet", "drive"])


DAWDLE = """
@dawdled = internal global i64 88172645463325252
declare i32 @sched_yield()
define internal void @dawdle() nounwind {
entry:
  %old = atomicrmw add ptr @dawdled, i64 1 monotonic
  %mixed = mul i64 %old, 11400714819323198485
  %chance = lshr i64 %mixed, 58
  %now = icmp eq i64 %chance, 0
  br i1 %now, label %yield, label %end
yield:
  %code = call i32 @sched_yield()
  br label %end
end:
  ret void
}
"""


def dawdling(text: str) -> str:
    """The text with threads that give way to others now and then, where a block begins."""
    found = re.sub(
        r"^(\w+:\n(?:  %\w+ = phi .*\n)*)", r"\1  call void @dawdle()\n", text, flags=re.M
    )
    return found + DAWDLE


@pytest.fixture(scope="module", params=["futex", "condition", "dawdling"])
def shared(request: pytest.FixtureRequest) -> threads.Pool:
    """A pool that sleeps by futexes where the system has them, one as other systems have it, and
    one whose threads are late at every point.
    """
    text = thread_pool_ir.text(target.host(), futex=request.param != "condition")
    return threads.build(dawdling(text) if request.param == "dawdling" else text)


@pytest.fixture(autouse=True)
def _first_size() -> Iterator[None]:
    yield
    config.update("oakum_num_threads", None)


def call(address: int) -> Callable[..., None]:
    parameters = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64
    return ctypes.CFUNCTYPE(None, *parameters)(address)


def drive(kernels: jit_link.Library, entry: int, buffers: Any, jobs: int, seed: int) -> int:
    """Runs jobs one after another without Python and gives the number of faults."""
    function = ctypes.CFUNCTYPE(
        None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
    )(kernels["drive"])
    function(entry, ctypes.addressof(buffers), jobs, seed)
    return buffers[2]


def slots() -> Any:
    return (ctypes.c_int64 * 64)()


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_each_chunk_is_run_once(
    shared: threads.Pool, kernels: jit_link.Library, limit: int
) -> None:
    """Rows of a result are missing, or were added twice."""
    shared.limit(limit)
    assert drive(kernels, shared.entry, slots(), JOBS, limit) == 0


@pytest.mark.sweep(2)
@pytest.mark.parametrize("limit", [2, 16])
def test_eight_threads_share_the_pool(
    shared: threads.Pool, kernels: jit_link.Library, limit: int
) -> None:
    """A worker that is late runs a chunk of one job with the buffers of another thread's job."""
    shared.limit(limit)
    faults = [-1] * 8

    def run(place: int) -> None:
        faults[place] = drive(kernels, shared.entry, slots(), JOBS, 1000 * place)

    running = [threading.Thread(target=run, args=(place,)) for place in range(8)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert faults == [0] * 8


def test_jobs_after_pauses_find_the_workers_asleep(
    shared: threads.Pool, kernels: jit_link.Library
) -> None:
    """A program hangs because a worker was not woken, or its owner was not told of the end."""
    shared.limit(3)
    for number in range(200):
        time.sleep(0.0005)
        assert drive(kernels, shared.entry, slots(), 3, number) == 0


@pytest.mark.parametrize("threads_of_job", [2, 4])
def test_chunks_run_side_by_side(
    shared: threads.Pool, kernels: jit_link.Library, threads_of_job: int
) -> None:
    """Large arrays are computed by one processor, because workers are not woken."""
    shared.limit(threads_of_job)
    buffers = slots()
    for _ in range(20):
        # Each chunk waits until all have begun.
        buffers[0] = 0
        call(shared.entry)(kernels["meet"], ctypes.addressof(buffers), threads_of_job)
        assert buffers[0] == threads_of_job
        time.sleep(0.002)


def test_the_size_changes_between_and_during_jobs(
    shared: threads.Pool, kernels: jit_link.Library
) -> None:
    """Setting the number of threads while a program runs makes it hang or compute wrong."""
    faults: list[int] = []
    thread = threading.Thread(
        target=lambda: faults.append(drive(kernels, shared.entry, slots(), 5 * JOBS, 7))
    )
    thread.start()
    limit = 0
    while thread.is_alive():
        limit = limit % 6 + 1
        shared.limit(limit)
        time.sleep(0.0002)
    assert faults == [0]
    assert shared.started() <= 16


def test_a_kernel_may_call_the_pool(shared: threads.Pool, kernels: jit_link.Library) -> None:
    """A parallel kernel within a parallel kernel waits for itself for ever."""
    shared.limit(3)
    run = call(shared.entry)
    buffers = (ctypes.c_int64 * (64 * 9))()
    buffers[4] = shared.entry
    for number in range(1, 300):
        for row in range(1, 9):
            buffers[64 * row], buffers[64 * row + 1] = number, 16
        run(kernels["nested"], ctypes.addressof(buffers), 8)
        for row in range(1, 9):
            start = 64 * row
            assert list(buffers[start + 8 : start + 24]) == [number] * 16
            assert buffers[start + 2] == 0


@pytest.mark.parametrize("chunks", [-1, 0, 1])
def test_jobs_of_no_and_one_chunk(
    shared: threads.Pool, kernels: jit_link.Library, chunks: int
) -> None:
    """An empty array starts a thread, or runs a kernel outside of its buffers."""
    shared.limit(4)
    buffers = slots()
    buffers[0], buffers[1] = 1, chunks
    call(shared.entry)(kernels["even"], ctypes.addressof(buffers), chunks)
    assert list(buffers[8:]) == [1] * max(0, chunks) + [0] * (56 - max(0, chunks))
    assert buffers[2] == 0


def test_threads_start_with_the_first_job(kernels: jit_link.Library) -> None:
    """Importing or compiling starts threads, which a fork then loses."""
    fresh = threads.build(thread_pool_ir.text(target.host()))
    fresh.limit(3)
    assert fresh.started() == 1
    buffers = slots()
    call(fresh.entry)(kernels["even"], ctypes.addressof(buffers), 1)
    assert fresh.started() == 1
    call(fresh.entry)(kernels["even"], ctypes.addressof(buffers), 2)
    assert fresh.started() == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_the_child_of_a_fork_has_a_pool_of_its_own(
    shared: threads.Pool, kernels: jit_link.Library
) -> None:
    """`multiprocessing` with fork hangs at the first large array, because the workers are gone."""
    shared.limit(3)
    stop = threading.Event()
    faults: list[int] = []

    def run() -> None:
        while not stop.is_set():
            faults.append(drive(kernels, shared.entry, slots(), 200, 3))

    thread = threading.Thread(target=run)
    thread.start()
    codes: list[int] = []
    for number in range(4):  # A process that holds as much as the suite takes 0.4 s for one.
        child = os.fork()
        if child == 0:
            started = shared.started()
            wrong = drive(kernels, shared.entry, slots(), 500, number)
            os._exit(0 if (started, wrong, shared.started()) == (1, 0, 3) else 1)
        codes.append(os.waitpid(child, 0)[1])
    stop.set()
    thread.join()
    assert codes == [0] * 4
    assert not any(faults)


def test_the_size_is_that_of_the_option() -> None:
    """The option has no effect, or the number of processors is not that of the process."""
    assert threads.count() == threads.available() >= 1
    if hasattr(os, "sched_getaffinity"):
        assert threads.available() <= len(os.sched_getaffinity(0))
    config.update("oakum_num_threads", 3)
    assert threads.count() == 3
    assert threads.address() == threads.address()
    for wrong in (0, -1, 1.5, "2", True):
        with pytest.raises(ValueError, match=r"oakum_num_threads: .* above 0"):
            config.update("oakum_num_threads", wrong)
    assert threads.count() == 3


SIZED = f"""
import ctypes, sys
sys.path.insert(0, {str(next(p for p in sys.path if p.endswith("engine")))!r})
from oakum import config
from oakum.compile.native import jit_link as native, target, threads
KERNEL = target.host().header + '''
define void @kernel(ptr %buffers, i64 %chunk, i64 %chunks) {{
  ret void
}}
'''
library = native.link(KERNEL, ["kernel"])
run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(threads.address())
for _ in range(100):
    run(library["kernel"], None, 16)
print(threads.count(), threads.started())
config.update("oakum_num_threads", 2)
run(library["kernel"], None, 16)
print(threads.count(), threads.started())
"""


@pytest.mark.parametrize(("text", "said"), [("1", "1 1 2 2"), ("5", "5 5 2 5")])
def test_the_environment_says_how_many(text: str, said: str) -> None:
    """OAKUM_NUM_THREADS=1 in a job script is ignored; or a process fails when it ends."""
    for _ in range(3):
        ended = subprocess.run(
            [sys.executable, "-c", SIZED],
            env={**os.environ, "OAKUM_NUM_THREADS": text},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (ended.returncode, ended.stderr) == (0, "")
        assert ended.stdout.split() == said.split()


@pytest.mark.parametrize("text", ["0", "-2", "many", ""])
def test_a_wrong_number_in_the_environment_is_named(text: str) -> None:
    """OAKUM_NUM_THREADS=many is taken for some number."""
    ended = subprocess.run(
        [sys.executable, "-c", SIZED],
        env={**os.environ, "OAKUM_NUM_THREADS": text},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert f"OAKUM_NUM_THREADS: invalid value {text!r}; use a number above 0" in ended.stderr


def test_a_container_grants_less(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """In a container with two processors of sixty-four, sixty-four threads hinder one another."""
    bound = tmp_path / "cpu.max"
    monkeypatch.setattr(threads, "_QUOTA", bound)
    processors = threads.available()
    for text, granted in (("100000 100000", 1), ("max 100000", processors), ("odd", processors)):
        bound.write_text(text)
        assert threads.available() == min(processors, granted)


@pytest.mark.parametrize(
    "triple",
    [
        "x86_64-unknown-linux-gnu",
        "x86_64-unknown-linux-musl",
        "x86_64-apple-darwin23.0.0",
        "x86_64-pc-windows-msvc",
        "x86_64-unknown-freebsd14",
    ],
)
def test_other_systems_have_a_valid_text(triple: str) -> None:
    """Compilation fails on a system that the tests are not run on."""
    host = target.host()
    if not host.triple.startswith("x86_64"):
        pytest.skip("the text is compiled for this processor")
    text = thread_pool_ir.text(replace(host, triple=triple))
    assert ("pthread_create" in text) is ("windows" not in triple)
    assert ("@syscall" in text) is ("linux" in triple)
    jit_link.emit_object(text.replace(triple, host.triple))
