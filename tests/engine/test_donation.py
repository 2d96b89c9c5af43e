# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Memory that is given away holds results, and nothing else that somebody still has.

A case that fails here either takes memory that the user gave away for new results, or writes over
an array that the user still has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_call_checks import hits

import oakum as jax
import oakum.numpy as jnp
from oakum import lax
from oakum.runtime.native_call import native_calls

pytestmark = [
    pytest.mark.unverified,
    pytest.mark.skipif(not native_calls.are_wanted(), reason="native calls are switched off"),
]

SIZE = 1000


def warm(function: Any, *make: Callable[[], Any]) -> None:
    """Calls a function until it is called natively."""
    for _ in range(3):
        function(*[each() for each in make])
    assert hits(function)


@jax.jit
def full(value: Any) -> Any:
    """An array whose memory is that of native code, once this was called a few times."""
    return jnp.full(SIZE, value)


def ones() -> Any:
    return full(1.0)


def place(array: Any) -> int:
    # A question for its address would be answered by a view, which holds the memory.
    return id(array._block)


def test_results_take_the_memory_given_away() -> None:
    step = jax.jit(lambda w, m: (w - 0.1 * m, 0.9 * m + w), donate_argnums=(0, 1))
    warm(step, ones, ones)
    w, m = ones(), ones()
    before = {place(w), place(m)}
    new = step(w, m)
    assert {place(each) for each in new} == before
    assert w.is_deleted()
    assert m.is_deleted()
    np.testing.assert_allclose(new[0][:2], [0.9, 0.9], rtol=1e-6)
    np.testing.assert_allclose(new[1][:2], [1.9, 1.9], rtol=1e-6)


def test_array_that_a_view_holds_is_not_written_to() -> None:
    double = jax.jit(lambda x: x * 2, donate_argnums=0)
    warm(double, ones)
    x = ones()
    seen = np.asarray(x)
    assert double(x)[0] == 2
    assert x.is_deleted()
    assert seen.tolist() == [1.0] * SIZE


def test_array_given_twice_is_not_written_to_before_it_is_read() -> None:
    def first_last(x: Any, y: Any) -> Any:
        x = x.at[0].set(7.0)
        return x, y + x

    for donated in (0, 1, (0, 1)):
        f = jax.jit(first_last, donate_argnums=donated)
        warm(f, ones, ones)
        x = ones()
        a, b = f(x, x)
        assert (a[0], a[1], b[0], b[1]) == (7.0, 1.0, 8.0, 2.0)


def test_only_what_is_marked_is_taken_after_a_call_with_one_array_twice() -> None:
    f = jax.jit(lambda x, y: x + y, donate_argnums=0)
    for _ in range(3):
        x = ones()
        f(x, x)
    x, y = ones(), ones()
    f(x, y)
    assert x.is_deleted()
    assert not y.is_deleted()
    assert y[0] == 1


def test_value_read_after_it_would_be_written_over() -> None:
    def f(x: Any) -> Any:
        return jnp.cumsum(x[::-1]) + x, x[::-1] * 2

    g = jax.jit(f, donate_argnums=0)
    warm(g, lambda: jnp.arange(float(SIZE)) * 1.0)
    x = np.arange(float(SIZE), dtype=np.float32)
    for actual, wanted in zip(g(jnp.array(x)), jax.jit(f)(x), strict=True):
        assert np.array_equal(actual, wanted)


@pytest.mark.filterwarnings("ignore:Some donated buffers were not usable")
def test_complex_numbers_keep_their_memory_from_twice_as_many_real_ones() -> None:
    """A call fails where a result has the bytes of a donated argument, and other elements."""
    g = jax.jit(lambda x, y: y + x[0, 0].real, donate_argnums=0)
    for _ in range(4):
        given = jnp.ones((5, 5), jnp.complex64)
        assert np.array_equal(g(given, np.arange(50.0)), np.arange(1.0, 51.0))
        assert not given.is_deleted()


def test_constants_and_numbers_of_the_host_stay() -> None:
    f = jax.jit(lambda x: x.at[0].add(1.0), donate_argnums=0)
    warm(f, ones)
    given = np.ones(SIZE, np.float32)
    assert f(given)[0] == 2
    assert f(given)[0] == 2
    table = jnp.zeros(3)
    g = jax.jit(lambda x: (table.at[0].set(x[0]), x), donate_argnums=0)
    for _ in range(4):
        changed, _ = g(jnp.ones(3) * 5)
        assert changed.tolist() == [5.0, 0.0, 0.0]
    assert table.tolist() == [0.0] * 3


def _rotated(x: Any, y: Any, z: Any) -> Any:
    return y, z + x, x


def _looped(x: Any, y: Any, z: Any) -> Any:
    return lax.fori_loop(
        1, 5, lambda i, c: (c[0].at[i].add(c[1][i - 1]), c[1] * 2, c[2]), (x, y, z)
    )


def _branched(x: Any, y: Any, z: Any) -> Any:
    return lax.cond(x[0] > 3, lambda a, b: (a.at[1].set(b[0]), b), lambda a, b: (b, a), x, y), z


@settings(max_examples=12)
@given(
    function=st.sampled_from([_rotated, _looped, _branched]),
    donated=st.sets(st.integers(0, 2)),
    same=st.lists(st.integers(0, 2), min_size=3, max_size=3),
    held=st.booleans(),
)
def test_results_are_those_without_donation(
    function: Any, donated: set[int], same: list[int], held: bool
) -> None:
    arrays = [np.arange(6, dtype=np.float32) + n for n in (0, 4, 9)]
    wanted = [np.asarray(x) for x in jax.tree_util.tree_leaves(jax.jit(function)(*arrays))]
    f = jax.jit(function, donate_argnums=tuple(donated))
    for _ in range(3):
        f(*map(jnp.array, arrays))
    made = [jnp.array(x) for x in arrays]
    views = [np.asarray(x) for x in made] if held else []
    chosen = [made[n] for n in same]
    expected = jax.tree_util.tree_leaves(jax.jit(function)(*[arrays[n] for n in same]))
    for actual, right in zip(jax.tree_util.tree_leaves(f(*chosen)), expected, strict=True):
        assert np.array_equal(actual, right)
    for view, array in zip(views, arrays, strict=False):
        assert np.array_equal(view, array)
    for n, array in enumerate(made):
        if not array.is_deleted():
            assert np.array_equal(np.asarray(array), arrays[n])
    again = jax.tree_util.tree_leaves(f(*map(jnp.array, arrays)))
    assert all(map(np.array_equal, again, wanted))


@pytest.mark.filterwarnings("ignore:Some donated buffers were not usable")
def test_arguments_whose_memory_nothing_takes_stay() -> None:
    """A user's array is deleted though nothing has taken its memory, and JAX goes on with it."""

    def f(state: dict[str, jax.Array], *, rate: float) -> jax.Array:
        return state["mean"] * rate

    for keep_unused in (False, True):
        g = jax.jit(f, donate_argnums=0, keep_unused=keep_unused)
        for _ in range(4):  # The later calls are native.
            state = {"best": jnp.ones(8) * 2, "mean": jnp.ones(8) * 3}
            assert np.array_equal(g(state, rate=2.0), np.full(8, 6.0))
            assert [state[name].is_deleted() for name in ("best", "mean")] == [
                keep_unused,
                not keep_unused,
            ]


@pytest.mark.filterwarnings("ignore:Some donated buffers were not usable")
def test_arrays_are_deleted_as_in_jax() -> None:
    """What was deleted of `ones(8)` by JAX 0.11 on CPU."""
    for function, deleted in (
        (lambda x: x.sum(), False),
        (lambda x: (x + 1, x.sum()), True),
        (lambda x: x.reshape(2, 4) * 1, True),
        (lambda x: x.astype(jnp.int32), True),
        (lambda x: x.astype(jnp.float16), False),
        (lambda x: jnp.concatenate([x, x]), False),
        (lambda x: x.astype(jnp.complex64)[:4], False),
    ):
        g = jax.jit(function, donate_argnums=0)
        for _ in range(4):
            x = jnp.ones(8)
            g(x)
            assert x.is_deleted() is deleted
