# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""What a user sees of `oakum_verify` where nothing is wrong: the same results, whatever is run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engine.native_call_checks import hits

import oakum as jax
import oakum.numpy as jnp
from oakum import config, lax
from oakum.compile import executable
from oakum.compile.verification import guarded_memory
from oakum.compile.verification.running import Verification
from oakum.errors import MiscompiledProgramError


@pytest.fixture(autouse=True)
def _verified() -> Iterator[None]:
    before = config.verify.get_global()
    config.verify.set_global(True)
    yield
    config.verify.set_global(before)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the programs whose runs are compared with their evaluation."""
    found: list[str] = []
    run = Verification.run

    def counted(self: Verification, *given: Any) -> None:
        found.append(self.name)
        run(self, *given)

    monkeypatch.setattr(Verification, "run", counted)
    return found


def test_callbacks_run_once(runs: list[str]) -> None:
    """A second run, to compare with, would print or write twice."""
    seen: list[float] = []

    def note(x: Any) -> Any:
        seen.append(float(x))
        return np.float32(x) * np.float32(2)

    kind = jax.ShapeDtypeStruct((), jnp.float32)

    @jax.jit
    def noted(x: Any) -> Any:
        def turn(carry: Any, each: Any) -> Any:
            twice = jax.experimental.io_callback(note, kind, each, ordered=True)
            return carry + twice, twice

        return lax.scan(turn, jnp.float32(0), x)

    total, each = noted(jnp.arange(4.0))
    assert seen == [0.0, 1.0, 2.0, 3.0]
    assert float(total) == 12.0
    np.testing.assert_array_equal(each, [0, 2, 4, 6])
    assert runs == ["noted"]


def test_what_a_callback_raises_is_raised() -> None:
    """What follows works with memory that was never written: that is no fault of the compiler."""

    def fail(x: Any) -> Any:
        raise ZeroDivisionError("of the user's")

    @jax.jit
    def failing(x: Any) -> Any:
        kind = jax.ShapeDtypeStruct(x.shape, x.dtype)
        return jnp.cumsum(jax.pure_callback(fail, kind, x)) * 2

    with pytest.raises(Exception, match="of the user's") as raised:
        failing(jnp.ones(9)).block_until_ready()
    assert not isinstance(raised.value, MiscompiledProgramError)


def test_program_in_a_callback_is_verified_too(runs: list[str]) -> None:
    """A run knows nothing of the one around it."""

    @jax.jit
    def inner(x: Any) -> Any:
        return jnp.sin(x) + 1

    @jax.jit
    def outer(x: Any) -> Any:
        kind = jax.ShapeDtypeStruct(x.shape, x.dtype)
        return jax.pure_callback(lambda y: np.asarray(inner(jnp.asarray(y))), kind, x * 2) * 3

    x = jnp.arange(5.0)
    np.testing.assert_allclose(outer(x), (np.sin(np.arange(5) * 2) + 1) * 3, rtol=1e-5)
    assert runs == ["outer", "inner"]


def test_operands_of_the_host_that_are_constants() -> None:
    """They lie in no memory of the run's own: random programs met an error of ours here."""
    places = np.arange(5)
    squared = jax.jit(lambda x: x.at[places].apply(jnp.square))
    np.testing.assert_array_equal(squared(jnp.arange(6.0)), [0, 1, 4, 9, 16, 5])


def test_donated_memory() -> None:
    """A result that lies where an argument was is given with the values of that."""
    step = jax.jit(lambda x, y: (x.at[3].set(7.0), jnp.flip(y)), donate_argnums=(0, 1))
    x, y = jnp.arange(8.0), jnp.arange(8.0)
    one, two = step(x, y)
    np.testing.assert_array_equal(one, [0, 1, 2, 7, 4, 5, 6, 7])
    np.testing.assert_array_equal(two, np.arange(8.0)[::-1])
    assert x.is_deleted()


def test_threads() -> None:
    """Runs at the same time do not mix their values up."""
    function = jax.jit(lambda x: lax.fori_loop(0, 5, lambda i, y: jnp.sin(y) * i + x, x))
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            x = jnp.full(17, float(number))
            first = np.asarray(function(x))
            for _ in range(5):
                np.testing.assert_array_equal(function(x), first)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_work_that_is_shared_by_threads(runs: list[str]) -> None:
    """Each thread writes its part, and no other's."""
    config.update("oakum_num_threads", 3)
    try:
        x = jax.random.normal(jax.random.key(0), (300, 300))
        jax.jit(lambda x: (jnp.exp(x).sum(0), jnp.tanh(x @ x), jnp.cumsum(x, 1)))(x)
    finally:
        config.update("oakum_num_threads", None)
    assert runs[-1] == "<lambda>"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals between processes")
def test_interrupted_run() -> None:
    """Verified loops take long: they end on Ctrl-C."""

    long = jax.jit(lambda x, n: lax.fori_loop(0, n, lambda i, y: jnp.sin(y) + 1, x))
    long(jnp.ones(3), 3)  # What is interrupted is the run, not the compiler.
    ended = threading.Event()

    def interrupt() -> None:
        while not ended.wait(2.0):
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            long(jnp.ones(3), 10**9)
    finally:
        ended.set()
    thread.join()
    np.testing.assert_array_equal(jax.jit(lambda x: x + 1)(jnp.ones(3)), [2, 2, 2])


def test_random_bits_and_keys(runs: list[str]) -> None:
    """Bits are compared as they are: one wrong bit is a wrong number."""

    @jax.jit
    def draw(key: Any) -> Any:
        one, two = jax.random.split(key)
        return one, jax.random.normal(two, (33,)), jax.random.permutation(one, 20)

    draw(jax.random.key(3))
    assert runs[-1] == "draw"


def test_option_that_is_set_later(runs: list[str]) -> None:
    """Calls that are made natively, past all comparison, end where the option is set."""
    config.update("oakum_verify", False)
    double = jax.jit(lambda x: x * 2 + 1)
    x = jnp.arange(3.0)
    for _ in range(4):
        double(x)
    natively = hits(double)
    with config.verify(True):
        double(x)
    assert runs == ["<lambda>"]
    double(x)
    config.update("oakum_verify", True)
    double(x)
    assert runs == ["<lambda>", "<lambda>"]
    assert hits(double) in (0, natively + 1)


def test_functions_outside_of_jit(runs: list[str]) -> None:
    """They are compiled at the first call, or when they have been called often: these programs are
    verified, too.
    """
    x = jnp.arange(12.0)
    jnp.cumsum(x)
    assert runs == ["cumsum"]
    for _ in range(10):
        jnp.flip(x)
    assert runs == ["cumsum", "flip"]


def test_poison_is_another_one_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that is right by accident is so once."""
    seen: list[int] = []
    block = guarded_memory.Block.__init__

    def noted(self: guarded_memory.Block, name: str, size: int, poison: int) -> None:
        seen.append(poison)
        block(self, name, size, poison)

    monkeypatch.setattr(guarded_memory.Block, "__init__", noted)
    function = jax.jit(lambda x: x + 1)
    for _ in range(4):
        function(jnp.ones(3))
    assert len(set(seen)) == 4


def test_nothing_is_in_the_way_without_the_option() -> None:
    """Who does not ask for it does not pay: neither calls, nor code, nor memory."""
    config.update("oakum_verify", False)
    closed = jax.make_jaxpr(lambda x: lax.fori_loop(0, 3, lambda i, y: y * x, x))(jnp.ones(3))
    plain = executable.of(getattr(closed, "closed", closed))
    assert plain.address is not None
    assert plain.plan is not None
    assert plain.plan.history is None
    assert plain.source is not None
    assert plain.source.watched == ()
    config.update("oakum_verify", True)
    verified = executable.of(getattr(closed, "closed", closed))
    assert verified.address is None
    assert verified.source is not None
    assert len(verified.source.watched) > 1


SUITE = "test_agreement test_control_flow test_compiled_nests test_in_place test_callbacks"


@pytest.mark.exhaustive
def test_suite_is_verified() -> None:
    """A part of the engine's tests under `OAKUM_VERIFY=1`; CONTRIBUTING.md says how to run all."""
    here = Path(__file__).parent
    files = [str(here / f"{name}.py") for name in SUITE.split()]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *files]
    done = subprocess.run(
        command,
        cwd=here.parent.parent,
        env={**os.environ, "OAKUM_VERIFY": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
