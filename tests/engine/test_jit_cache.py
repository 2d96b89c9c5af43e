# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""`jit`: what is traced when, which programs are kept, and which arrays are given away."""

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum import errors, lax
from oakum.runtime.native_call import native_calls
from oakum.transforms.jit import compiled_function

np: Any = pytest.importorskip("numpy")


class Counted:
    """A function that counts how often it is traced."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.count = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.count += 1
        return self.function(*args, **kwargs)


def code(error: pytest.ExceptionInfo[Any]) -> str:
    return error.value.code.code


def test_programs_of_one_function_are_kept_up_to_a_number(monkeypatch: Any) -> None:
    """A process that meets another shape at each call would run out of memory."""
    monkeypatch.setattr(compiled_function, "MOST", 8)
    monkeypatch.setattr(native_calls, "MOST", 4)
    counted = Counted(lambda x: x + 1)
    f = jax.jit(counted)
    before = len(compiled_function.live())
    for size in range(30):
        np.testing.assert_array_equal(f(np.zeros(size, np.float32)), np.ones(size, np.float32))
    gc.collect()
    assert len(compiled_function.live()) <= before + 8
    assert counted.count == 30
    f(np.zeros(29, np.float32))  # one of those made last
    assert counted.count == 30
    assert f(np.zeros(2, np.float32)).shape == (2,)  # one that is gone
    assert counted.count == 31


def test_function_is_traced_once_for_each_signature() -> None:
    """A training step would be traced again in every iteration."""
    counted = Counted(lambda x: jnp.sin(x))
    f = jax.jit(counted)
    for x in (jnp.ones(3), np.zeros(3, np.float32), jnp.arange(3.0)):
        f(x)
    assert counted.count == 1
    # Another shape, dtype, structure, and the weak type of a Python number.
    for x in (jnp.ones(4), jnp.arange(3), jnp.float32(1.0), 1.0):
        f(x)
    assert counted.count == 5
    f(2.0)
    assert counted.count == 5


def test_wrappers_of_one_function_share_its_programs() -> None:
    """`jax.jit(f)(x)` in a loop would trace f in every round."""
    counted = Counted(lambda x: x * 2.0)
    for _ in range(3):
        jax.jit(counted)(jnp.ones(2))
    assert counted.count == 1
    jax.jit(counted, keep_unused=True)(jnp.ones(2))
    assert counted.count == 2


def test_cleared_caches_trace_again() -> None:
    """A program that depends on a changed global could not be traced anew."""
    counted = Counted(lambda x: x + 1.0)
    f = jax.jit(counted)
    f(1.0)
    f.clear_cache()
    f(1.0)
    assert counted.count == 2
    jax.clear_caches()
    f(1.0)
    assert counted.count == 3


def test_static_values_are_told_apart_by_type_and_equality() -> None:
    """A program for the integer 1 would be run for True or 1.0, with another dtype."""
    counted = Counted(lambda x, n: x * (n if isinstance(n, (int, float)) else len(n)))
    f = jax.jit(counted, static_argnums=1)
    x = jnp.arange(3)
    assert [str(f(x, n).dtype) for n in (1, 1.0, True)] == ["int32", "float32", "int32"]
    assert counted.count == 3
    f(x, 1)
    assert counted.count == 3

    class Shape(tuple[int, ...]):
        pass

    f(x, (1, 2, 3))
    f(x, tuple(range(1, 4)))
    assert counted.count == 4
    f(x, Shape((1, 2, 3)))
    assert counted.count == 5


def test_settings_that_tracing_sees_are_in_the_key() -> None:
    """A program traced for 32 bits would run after x64 was enabled."""
    f = jax.jit(lambda: jnp.ones(2) / 3)
    assert str(f().dtype) == "float32"
    with jax.enable_x64(True):
        assert str(f().dtype) == "float64"
    assert str(f().dtype) == "float32"


def test_named_axes_are_in_the_key() -> None:
    """A program traced for an axis of size 2 would be run for one of size 3."""
    f = jax.jit(lambda x: x / lax.axis_size("i"))
    for size in (2, 3, 2):
        mapped = jax.vmap(f, axis_name="i")(jnp.ones(size))
        np.testing.assert_allclose(np.asarray(mapped), 1 / size, rtol=1e-6)


def test_donated_array_is_deleted_and_says_so() -> None:
    """A program that reuses a donated array would work here and fail on an accelerator."""
    f = jax.jit(lambda x, y: x + y, donate_argnums=0)
    x, y = jnp.ones(3), jnp.arange(3.0)
    assert f(x, y).tolist() == [1.0, 2.0, 3.0]
    assert x.is_deleted()
    assert not y.is_deleted()
    with pytest.raises(
        errors.DeletedArrayError, match=r"deleted with shape=float32\[3\]"
    ) as raised:
        _ = x + 1.0
    assert code(raised) == "OAK701"
    with pytest.raises(ValueError, match="deleted"):  # What JAX raises where it is donated again.
        f(x, y)
    with pytest.raises(errors.JaxRuntimeError, match="deleted"):
        x.block_until_ready()


def test_donated_array_of_no_use_is_warned_of() -> None:
    """A donation that frees nothing would go unnoticed."""
    with pytest.warns(UserWarning, match=r"donated buffers were not usable: f32\[3\]"):
        jax.jit(lambda x: x.sum(), donate_argnames="x")(x=jnp.ones(3))


def test_donation_below_another_trace_deletes_nothing() -> None:
    """A gradient through a step that donates would lose the caller's parameters."""
    f = jax.jit(lambda x: x * 2.0, donate_argnums=0)
    x = jnp.float32(3.0)
    assert float(jax.grad(f)(x)) == 2.0
    assert not x.is_deleted()


def test_programs_that_close_over_tracers_are_not_kept() -> None:
    """The next call would use a tracer of a trace that has ended."""
    scale: list[Any] = [None]
    inner = jax.jit(lambda y: y * scale[0])

    def outer(x: Any) -> Any:
        scale[0] = x  # oakum: ignore[OAK101] each trace replaces it before it is read
        return inner(1.0)

    assert float(jax.grad(outer)(2.0)) == 1.0
    assert float(jax.jit(outer)(3.0)) == 3.0
    assert float(jax.jit(outer)(4.0)) == 4.0
    scale[0] = None


def test_results_have_memory_of_their_own() -> None:
    """Donating or deleting a result would take another array away."""
    x = jnp.ones(3)
    first, second = jax.jit(lambda x: (x, x))(x)
    first.delete()
    assert second.tolist() == x.tolist() == [1.0, 1.0, 1.0]


def test_programs_die_with_their_function() -> None:
    """Functions made in a loop would fill the memory with programs."""

    def make() -> weakref.ref[Any]:
        def f(x: Any) -> Any:
            return x + 1.0

        jax.jit(f)(1.0)
        return weakref.ref(f)

    found = make()
    gc.collect()
    assert found() is None
