# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""The results of calls that are made without Python, and the memory that they are in."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from native_call_checks import Scaled, check_native, hits, in_python, twice

import oakum as jax
import oakum.numpy as jnp
from oakum.runtime.native_call import native_calls
from oakum.runtime.topology import devices

pytestmark = [
    pytest.mark.unverified,
    pytest.mark.skipif(not native_calls.are_wanted(), reason="native calls are switched off"),
]


def test_results_of_native_calls_are_arguments_of_others() -> None:
    f = jax.jit(lambda x: x + 1)
    x = jnp.zeros(4)
    for _ in range(10):
        x = f(x)
    assert x.tolist() == [10.0] * 4
    assert hits(f) >= 8


def test_deleted_arguments_raise() -> None:
    x = jnp.ones(3)
    check_native(twice, x)
    y = twice(x)
    y.delete()
    x.delete()
    for each in (x, y):
        assert each.is_deleted()
        with pytest.raises(RuntimeError, match="deleted"):
            twice(each)


def test_donated_arguments_are_deleted() -> None:
    f = jax.jit(lambda state, x: (state[0] + x, state[1] * 2), donate_argnums=0)
    state: Any = (jnp.zeros(3), jnp.ones(3))
    x = jnp.ones(3)
    for _ in range(5):
        before = state
        state = f(state, x)
        assert [each.is_deleted() for each in before] == [True, True]
    assert hits(f) >= 3
    assert not x.is_deleted()
    assert [each.tolist() for each in state] == [[5.0] * 3, [32.0] * 3]


def test_donated_arguments_that_no_result_can_use_stay() -> None:
    f = jax.jit(lambda x: x.sum(), donate_argnums=0)
    x = jnp.ones(3)
    with pytest.warns(UserWarning, match="not usable"):
        f(x)
    for _ in range(3):
        assert f(x) == 3.0
    assert hits(f) >= 2
    assert not x.is_deleted()


def test_arrays_on_a_device_stay_there() -> None:
    device = jax.devices()[0]
    x = jax.device_put(jnp.ones(3), device)
    assert x.committed
    made = check_native(twice, x)
    assert made.committed
    assert made.device is device
    assert not check_native(twice, jnp.ones(3)).committed


def test_arrays_on_devices_made_anew_are_known() -> None:
    check_native(twice, jax.device_put(jnp.ones(3), jax.devices()[0]))
    devices.clear_backends()
    assert check_native(twice, jax.device_put(jnp.ones(3), jax.devices()[0])).committed


def test_results_are_arrays_as_others_are() -> None:
    made = check_native(twice, jnp.arange(3.0))
    assert repr(made) == "Array([0., 2., 4.], dtype=float32)"
    assert pickle.loads(pickle.dumps(made)).tolist() == made.tolist()
    assert copy.copy(made).tolist() == copy.deepcopy(made).tolist() == made.tolist()
    assert weakref.ref(made)() is made
    assert any(each is made for each in jax.live_arrays())
    assert np.asarray(made).ctypes.data % 64 == 0
    assert made.unsafe_buffer_pointer() == np.asarray(made).ctypes.data
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(made)[0] = 1
    assert np.from_dlpack(made).tolist() == [0, 2, 4]
    assert (made + 1).tolist() == [1, 3, 5]
    assert made[1] == 2
    assert [float(each) for each in made] == [0, 2, 4]


def test_views_outlive_the_array() -> None:
    made = check_native(twice, jnp.arange(1000.0))
    view = np.asarray(made)
    made.delete()
    del made
    others = [twice(jnp.ones(1000)) for _ in range(50)]
    assert view[999] == 1998
    assert others[0][0] == 2


def counted(function: Callable[[], Any], *held: Any) -> list[int]:
    """By how much the reference counts of objects grow in many calls."""
    for _ in range(20):
        function()
    gc.collect()
    before = [sys.getrefcount(each) for each in held]
    for _ in range(10_000):
        function()
    gc.collect()
    return [sys.getrefcount(each) - count for each, count in zip(held, before, strict=True)]


@pytest.mark.exhaustive
def test_no_reference_is_lost_or_left() -> None:
    x, y = jnp.ones(3), np.ones(3, np.float32)
    aval = twice(x).aval
    tree = {"x": x, "y": [y, None]}
    f = jax.jit(lambda tree, n, **more: (tree, n[1], more), static_argnums=1)
    static = ("a", 1000)
    hard = Scaled(x, 2.0)
    for call in (
        lambda: twice(x),
        lambda: twice(y),
        lambda: twice(2.0),
        lambda: f(tree, static, z=3),
        lambda: f(hard, static),
        lambda: in_python(twice, y[::-1]),
    ):
        grown = counted(call, x, y, aval, tree, tree["y"], static, hard, twice, f, x.aval)
        assert all(abs(each) < 5 for each in grown), grown


def test_memory_does_not_grow() -> None:
    import tracemalloc

    x = jnp.ones(10_000)
    big = jnp.ones(1 << 20)

    def work() -> None:
        for _ in range(200):
            twice(x)
            twice(big)

    def growth() -> int:
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(5):
            work()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before

    work()
    tracemalloc.start()
    try:
        work()
        # What calls leave behind grows each time; what threads of other tests do, does not.
        grown = min(growth() for _ in range(3))
    finally:
        tracemalloc.stop()
    assert grown < 20_000


def test_the_pool_gives_memory_back() -> None:
    native = native_calls.runtime()
    assert native is not None
    x = jnp.arange(65536.0)
    made = [twice(x) for _ in range(20)]
    before = native.pool_bytes
    del made
    assert native.pool_bytes >= before + (18 << 18)
    native.trim()
    assert native.pool_bytes == 0
    assert twice(jnp.ones(3))[0] == 2
