# pyright: basic
"""Ctrl-C during compiled programs: the prompt is back at once, and everything works afterwards."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engine import interruptions

import oakum as jax
import oakum.numpy as jnp
from oakum import lax
from oakum.compile.native import jit_link
from oakum.tracing import trace
from oakum.values import interruptible_work, trace_context

ENGINE = next(path for path in sys.path if path.endswith("engine") and "tests" not in path)

MOST_SECONDS = 0.2
"""A machine that runs other tests gives the processor to them for up to as long."""
PATIENCE = 5.0

pytestmark = [
    pytest.mark.unverified,
    pytest.mark.skipif(
        sys.platform not in ("linux", "darwin"), reason="signals interrupt nothing there"
    ),
]

Program = Callable[[int], jax.Array]

QUICK = ("fori", "product", "callback_in_a_loop")


def lateness(name: str, seconds: float, rounds: int) -> list[float]:
    """How late calls of a program are left, each followed by a right result."""
    file = Path(interruptions.__file__)
    ended = subprocess.run(
        [sys.executable, str(file), ENGINE, name, str(seconds), str(rounds)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    first, *lines = ended.stdout.splitlines()
    assert first == "ready"
    assert len(lines) == rounds
    late: list[float] = []
    for line in lines:
        seconds_late, right = line.split()
        assert right == "True", "a call after one that was interrupted gives another number"
        assert seconds_late != "ended", "the call was over before: nothing was tested"
        late.append(float(seconds_late))
    return late


@pytest.mark.parametrize("name", QUICK)
def test_ctrl_c_ends_a_call(name: str) -> None:
    """The user waits for minutes, or kills the process and loses all that was computed."""
    assert min(lateness(name, 0.4, 2)) < MOST_SECONDS


@pytest.mark.exhaustive
@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", interruptions.PROGRAMS)
def test_ctrl_c_ends_calls_of_all_kinds(name: str) -> None:
    late = lateness(name, float(os.environ.get("OAKUM_INTERRUPT_SECONDS", "0.4")), 3)
    assert sorted(late)[1] < MOST_SECONDS
    assert max(late) < PATIENCE


@pytest.mark.skipif(sys.platform != "linux", reason="the process waits for NumPy elsewhere")
def test_a_process_ends_while_numpy_still_computes_what_was_given_up() -> None:
    """A script that was stopped with Ctrl-C hangs for the minutes that its product takes."""
    program = textwrap.dedent(
        """
        import atexit, os, signal, sys, threading
        import oakum.numpy as jnp

        atexit.register(print, "handlers run")
        large = jnp.full((9_000, 9_000), 0.5)
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            jnp.dot(large, large)
        except KeyboardInterrupt:
            print("left", end=" and ")
            sys.exit(3)
        """
    )
    begun = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": ENGINE},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("left and handlers run\n", "", 3)
    assert time.perf_counter() - begun < PATIENCE


@pytest.mark.parametrize("module", ["numpy._core.multiarray", "numpy._core.numeric", "numpy.lib"])
def test_ctrl_c_while_numpy_is_imported(module: str) -> None:
    """NumPy, whose import was interrupted, is out of use for the rest of the session."""
    program = textwrap.dedent(
        f"""
        import importlib.abc, os, signal, sys, time
        import oakum.numpy as jnp

        class Interrupting(importlib.abc.MetaPathFinder):
            def find_spec(self, name, path, target=None):
                if name == {module!r}:
                    os.kill(os.getpid(), signal.SIGINT)

        assert "numpy" not in sys.modules
        sys.meta_path.insert(0, Interrupting())
        try:
            jnp.ones(3)
            time.sleep(30)
        except KeyboardInterrupt:
            print(float(jnp.ones(3).sum()))
        """
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": ENGINE},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("3.0\n", "", 0)


def test_work_is_known_before_it_begins() -> None:
    """A second Ctrl-C, right after the first, frees memory that NumPy still writes to."""
    known: list[int] = []
    interruptible_work.run(lambda: known.append(len(interruptible_work._going_on)))
    assert known == [1]
    assert not interruptible_work._going_on


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_the_child_of_a_fork_has_no_work_that_goes_on() -> None:
    """It skips the ends of its libraries, and what they would still write is lost."""
    holds, ready = threading.Event(), threading.Event()
    work = interruptible_work._Work(lambda: (ready.set(), holds.wait(PATIENCE)))
    interruptible_work._register_end()
    interruptible_work._going_on.add(work)
    work.start()
    ready.wait(PATIENCE)
    child = os.fork()
    if not child:
        os._exit(len(interruptible_work._going_on))
    holds.set()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_ctrl_c_while_code_is_freed_is_not_lost() -> None:
    """Python drops what is raised in a destructor: loops that compile went on after Ctrl-C."""

    class Owner:
        pass

    class Resource:
        closed = 0

        def close(self) -> None:
            self.closed += 1
            signal.raise_signal(signal.SIGINT)

    owner, resource = Owner(), Resource()
    jit_link._owned[weakref.ref(owner, jit_link._ended.append)] = (resource, None)
    del owner
    assert not resource.closed
    with pytest.raises(KeyboardInterrupt):
        jax.jit(lambda x: x * 17 + 1)(1.0)
    assert float(jax.jit(lambda x: x * 18 + 1)(1.0)) == 19.0
    assert resource.closed == 1, "to close an object twice ends the process"
    assert jit_link._closing.pop(id(resource)) is resource


def test_code_that_is_gone_is_freed() -> None:
    """The memory of a process that makes functions again and again grows."""
    function = jax.jit(lambda x: x * 19 + 1)
    function(1.0)
    libraries = len(jit_link._owned)
    del function
    jax.clear_caches()
    gc.collect()
    jit_link.free_ended()
    assert len(jit_link._owned) < libraries


@pytest.mark.parametrize(
    "transform",
    [
        jax.jit,
        jax.vmap,
        jax.make_jaxpr,
        lambda f: jax.grad(lambda x: f(x).sum()),
        lambda f: lambda x: jax.jvp(f, (x,), (x,)),
        lambda f: lambda x: jax.linearize(f, x),
        lambda f: lambda x: lax.cond(True, f, f, x),
        lambda f: lambda x: lax.scan(lambda c, y: (f(c), y), x, x),
    ],
)
def test_ctrl_c_where_a_trace_ends(
    transform: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that the user computes afterwards belongs to a trace that has ended."""
    # A signal that comes during work in C is raised where Python next enters a function.
    block = type(trace.under(trace.base_trace()))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    before = trace_context.CURRENT.get()
    function = transform(lambda x: x * 2)
    x = jnp.ones(3)
    with monkeypatch.context() as patch:
        patch.setattr(block, "__exit__", interrupted)
        with pytest.raises(KeyboardInterrupt):
            function(x)
    assert trace.is_evaluating()
    assert trace.current_axes() == ()
    assert trace_context.CURRENT.get() is before


@pytest.fixture
def endless() -> Program:
    return jax.jit(lambda n: lax.fori_loop(0, n, lambda i, c: c * 0.5 + jnp.sin(c), 1.0))


def send(number: int, after: float = 0.2, to: int | None = None) -> None:
    """Has a signal sent to the process soon, or to one of its threads."""

    def wait_and_send() -> None:
        time.sleep(after)
        if to is None:
            os.kill(os.getpid(), number)
        else:
            signal.pthread_kill(to, number)

    threading.Thread(target=wait_and_send, daemon=True).start()


def test_a_handler_that_does_not_raise_lets_the_program_go_on(endless: Program) -> None:
    """A program that saves its work on Ctrl-C, and ends later, loses what it is computing."""
    seen: list[int] = []
    right = float(endless(20_000_000))
    before = signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        send(signal.SIGINT, 0.05)
        send(signal.SIGINT, 0.1)
        begun = time.perf_counter()
        while len(seen) < 2 and time.perf_counter() - begun < 60:
            assert float(endless(20_000_000)) == right
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [signal.SIGINT] * 2


def test_the_users_own_error_is_raised(endless: Program) -> None:
    """A handler that raises something else is not asked."""

    class Stopped(Exception):
        pass

    def stop(*_: object) -> None:
        raise Stopped

    before = signal.signal(signal.SIGINT, stop)
    try:
        send(signal.SIGINT)
        with pytest.raises(Stopped):
            endless(2_000_000_000)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_signal_that_another_thread_receives(endless: Program) -> None:
    """On some systems any thread may be the one that gets Ctrl-C."""
    endless(1)
    ready = threading.Event()

    def receive() -> None:
        ready.set()
        time.sleep(0.2)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        time.sleep(0.2)

    thread = threading.Thread(target=receive)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        endless(2_000_000_000)
    thread.join()
    assert float(endless(0)) == 1.0


def test_calls_of_other_threads_go_on(endless: Program) -> None:
    """Ctrl-C at the prompt spoils what a thread computes."""
    right = float(endless(30_000_000))
    found: list[float] = []
    thread = threading.Thread(target=lambda: found.append(float(endless(30_000_000))))
    thread.start()
    send(signal.SIGINT, 0.05)
    with pytest.raises(KeyboardInterrupt):
        endless(2_000_000_000)
    thread.join()
    assert found == [right]


def test_a_call_within_a_callback(endless: Program) -> None:
    """The inner call is left, and takes the outer one with it; both work afterwards."""
    kind = jax.ShapeDtypeStruct((), jnp.float32)
    turns = [2_000_000_000]

    @jax.jit
    def outer(x: jax.Array) -> jax.Array:
        inner = jax.pure_callback(lambda x: np.asarray(endless(turns[0])) + x, kind, x)
        return jnp.sin(inner)

    send(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        outer(1.0)
    turns[0] = 0
    assert float(outer(1.0)) == pytest.approx(float(np.sin(2.0)))


def test_arguments_that_were_given_away() -> None:
    """An array that was half overwritten is read as if nothing had happened."""
    step = jax.jit(
        lambda x, n: lax.fori_loop(0, n, lambda i, x: x * 0.5 + 1.0, x), donate_argnums=0
    )
    x = jnp.arange(8.0)
    for _ in range(3):
        x = step(x, 3)
    kept = jnp.arange(8.0) + 0.0
    send(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        step(x, 2_000_000_000)
    try:
        after = np.asarray(x).tolist()
    except RuntimeError:
        after = []
    assert after == [] or all(abs(value - 2.0) < 2.0 for value in after)
    assert np.asarray(step(kept, 0)).tolist() == list(range(8))
