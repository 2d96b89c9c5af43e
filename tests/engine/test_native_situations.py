# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Calls that are made without Python see what is in force around them: traces, options, threads."""

from __future__ import annotations

import contextvars
import os
import threading
from typing import Any

import numpy as np
import pytest
from native_call_checks import check_native, hits, in_python, twice

import oakum as jax
import oakum.numpy as jnp
from oakum.runtime.native_call import native_calls

pytestmark = [
    pytest.mark.unverified,
    pytest.mark.skipif(not native_calls.are_wanted(), reason="native calls are switched off"),
]


def test_traces_and_transformations_are_seen() -> None:
    f = jax.jit(lambda x: x * x)
    x = jnp.float32(3)
    check_native(f, x)
    before = hits(f)
    assert jax.grad(f)(x) == 6
    assert jax.vmap(f)(jnp.arange(3.0)).tolist() == [0, 1, 4]
    assert jax.jvp(f, (x,), (x,)) == (9, 18)
    assert jax.jit(lambda y: f(x) + y)(x) == 12
    assert "pjit" in str(jax.make_jaxpr(lambda y: f(x) + y)(x)) or "jit" in str(
        jax.make_jaxpr(lambda y: f(x) + y)(x)
    )
    assert hits(f) == before
    assert f(x) == 9
    assert hits(f) == before + 1


def test_constants_under_a_transformation_are_traced() -> None:
    """A call within a trace has to be recorded, whatever its arguments are."""
    f = jax.jit(lambda x: x + 1)
    x = jnp.float32(1)
    check_native(f, x)
    jaxpr = jax.make_jaxpr(lambda: f(x))()
    assert len(jaxpr.eqns) == 1


def test_disable_jit_and_debug_options_are_seen() -> None:
    ran: list[int] = []

    @jax.jit
    def f(x: Any) -> Any:
        ran.append(1)
        return jnp.log(x)

    x = jnp.float32(-1)
    check_native(f, x)
    count = len(ran)
    with jax.disable_jit():
        in_python(f, x)
        assert len(ran) == count + 1
    with jax.debug_nans(True), pytest.raises(FloatingPointError):
        f(x)
    assert np.isnan(f(x))
    jax.config.update("jax_debug_nans", True)
    try:
        with pytest.raises(FloatingPointError):
            f(x)
    finally:
        jax.config.update("jax_debug_nans", False)
    assert np.isnan(check_native(f, x))


def test_x64_in_a_block_and_of_the_process() -> None:
    f = jax.jit(lambda x: jnp.asarray(x, float))
    assert check_native(f, 1.5).dtype == "float32"
    for _ in range(2):
        with jax.enable_x64(True):
            assert check_native(f, 1.5).dtype == "float64"
        assert check_native(f, 1.5).dtype == "float32"
    jax.config.update("jax_enable_x64", True)
    try:
        assert check_native(f, 1.5).dtype == "float64"
    finally:
        jax.config.update("jax_enable_x64", False)
    assert check_native(f, 1.5).dtype == "float32"


def test_other_threads_and_contexts_see_their_own_options() -> None:
    f = jax.jit(lambda x: jnp.asarray(x, float))
    check_native(f, 1.5)
    found: list[Any] = []
    with jax.enable_x64(True):
        check_native(f, 1.5)
        context = contextvars.copy_context()
        thread = threading.Thread(target=lambda: found.append(f(1.5).dtype))
        thread.start()
        thread.join()
        found.append(f(1.5).dtype)
    found += [f(1.5).dtype, context.run(f, 1.5).dtype]
    assert found == ["float32", "float64", "float32", "float64"]


def test_transfer_guards_are_seen() -> None:
    f = jax.jit(lambda x: x + 1)
    x = np.float32(1)
    check_native(f, x)
    with jax.transfer_guard("disallow"), pytest.raises(Exception, match="transfer"):
        f(x)


def test_many_threads_call_one_function() -> None:
    shapes = [(3,), (4, 5), (100,), (2, 2, 2)]
    f = jax.jit(lambda x, scale: {"y": x * scale, "z": [x + 1]})
    wrong: list[Any] = []

    def work(number: int) -> None:
        x = jnp.full(shapes[number % 4], float(number))
        for _ in range(10_000):
            made = f(x, 2.0)
            if made["y"].shape != x.shape:
                wrong.append(made)
        if not (np.asarray(made["y"]) == 2.0 * number).all():  # pyright: ignore
            wrong.append(made)  # pyright: ignore

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_long_calls_let_other_threads_run() -> None:
    f = jax.jit(lambda x: jnp.sin(x).sum())
    x = jnp.ones(1 << 20)
    check_native(f, x)
    kept = next(iter(f.native_kept.values()))
    assert kept.read("guard") != 0
    results: list[float] = []
    threads = [
        threading.Thread(target=lambda: results.extend(float(f(x)) for _ in range(20)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80
    assert len(set(results)) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_in_the_middle() -> None:
    x = jnp.arange(8.0)
    check_native(twice, x)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            total = sum(float(twice(x)[7]) for _ in range(100))
            os.write(writer, str(total).encode())
        finally:
            os._exit(0)
    os.close(writer)
    assert os.read(reader, 100) == b"1400.0"
    os.close(reader)
    os.waitpid(child, 0)
    assert twice(x)[7] == 14
